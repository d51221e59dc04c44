/* Render pass objects of both versions, with one to three subpasses. They have input, resolve and
 * preserve attachments, views, imageless framebuffers, and compatible passes that differ.
 * Secondaries continue them, and queries are inside. */
#include "pipelines.h"

enum slot {
    SLOT_FIRST,
    SLOT_SECOND,
    SLOT_DEPTH,
    SLOT_RESOLVE,
    SLOT_DEPTH_RESOLVE,
    SLOT_RATES,
    SLOT_DENSITY,
    SLOTS
};

struct plan {
    bool there[SLOTS];
    uint32_t index[SLOTS], count; /* of the attachments that are there */
    const struct format *formats[SLOTS];
    VkSampleCountFlagBits samples[SLOTS];
    VkImageLayout initial[SLOTS], final[SLOTS], layouts[SLOTS], input_layout;
    uint32_t subpasses, view_mask;
    struct image *images[SLOTS];
    VkImageView views[SLOTS];
    bool correlated;   /* the views, which is a part of what compatible passes share */
    bool itself;       /* each subpass has a dependency on itself */
    bool unused_color; /* subpass 0 has a second color attachment, which is VK_ATTACHMENT_UNUSED */
    VkExtent2D texel;  /* of the shading rates */
};

static VkAttachmentLoadOp load_of(struct world *w, VkImageLayout initial)
{
    return initial == VK_IMAGE_LAYOUT_UNDEFINED
               ? PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_DONT_CARE)
               : PICK(VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                      VK_ATTACHMENT_LOAD_OP_LOAD);
}

static VkAttachmentReference2 reference_of_slot(const struct plan *p, enum slot slot,
                                                VkImageLayout layout, VkImageAspectFlags aspects)
{
    return (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .attachment =
                                        p->there[slot] ? p->index[slot] : VK_ATTACHMENT_UNUSED,
                                    .layout = layout,
                                    .aspectMask = aspects};
}

struct subpass {
    VkAttachmentReference2 inputs[1], colors[2], resolves[2], depth;
    uint32_t input_count, color_count, preserve_count, preserves[1];
    bool resolved, deep;
};

static void describe_subpass(struct world *w, const struct plan *p, uint32_t number,
                             struct subpass *s)
{
    VkImageAspectFlags ignored = PICK(0u, 77u), color = VK_IMAGE_ASPECT_COLOR_BIT;
    enum slot slot = number == 1 ? SLOT_SECOND : SLOT_FIRST;
    memset(s, 0, sizeof(*s));
    s->colors[s->color_count++] = reference_of_slot(p, slot, p->layouts[slot], ignored);
    if (number == 0) {
        if (p->unused_color)
            s->colors[s->color_count++] =
                (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                         .attachment = VK_ATTACHMENT_UNUSED,
                                         .layout = VK_IMAGE_LAYOUT_GENERAL};
        s->resolved = p->there[SLOT_RESOLVE];
        s->resolves[0] = reference_of_slot(p, SLOT_RESOLVE, p->layouts[SLOT_RESOLVE], ignored);
        s->resolves[1] = (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                                  .attachment = VK_ATTACHMENT_UNUSED,
                                                  .layout = VK_IMAGE_LAYOUT_GENERAL};
        s->deep = p->there[SLOT_DEPTH] || chance(w, 30);
        s->depth = reference_of_slot(p, SLOT_DEPTH, p->layouts[SLOT_DEPTH], ignored);
        if (!p->there[SLOT_DEPTH])
            s->depth.layout = VK_IMAGE_LAYOUT_GENERAL;
    }
    if (number == 1)
        s->inputs[s->input_count++] = reference_of_slot(p, SLOT_FIRST, p->input_layout, color);
    if (number == 2 && chance(w, 50))
        s->preserves[s->preserve_count++] = p->index[SLOT_SECOND];
}

static uint32_t fill_dependencies(const struct plan *p, VkSubpassDependency2 *list)
{
    uint32_t count = 0;
    VkSubpassDependency2 base = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
        .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    for (uint32_t i = 0; i < p->subpasses; i++) {
        list[count] = base;
        list[count].srcSubpass = VK_SUBPASS_EXTERNAL;
        list[count].dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
        list[count++].dstSubpass = i;
        list[count] = base;
        list[count].srcSubpass = i;
        list[count].srcStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
        list[count++].dstSubpass = VK_SUBPASS_EXTERNAL;
        if (p->itself) {
            list[count] = base;
            list[count].srcSubpass = list[count].dstSubpass = i;
            list[count].srcStageMask = list[count].dstStageMask =
                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
            list[count].srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
            list[count].dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                                        VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
            list[count++].dependencyFlags =
                VK_DEPENDENCY_BY_REGION_BIT | (p->view_mask ? VK_DEPENDENCY_VIEW_LOCAL_BIT : 0);
        }
        for (uint32_t j = 0; j < i; j++) {
            list[count] = base;
            list[count].srcSubpass = j;
            list[count].dstSubpass = i;
            list[count].srcStageMask = list[count].dstStageMask =
                VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
            list[count++].dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
        }
    }
    return count;
}

static VkResolveModeFlagBits one_of(struct world *w, VkResolveModeFlags modes)
{
    for (unsigned i = 0; i < 8; i++) {
        VkResolveModeFlagBits mode =
            PICK(VK_RESOLVE_MODE_SAMPLE_ZERO_BIT, VK_RESOLVE_MODE_AVERAGE_BIT,
                 VK_RESOLVE_MODE_MIN_BIT, VK_RESOLVE_MODE_MAX_BIT);
        if (modes & mode)
            return mode;
    }
    return VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

/* Each pass has modes of its own: with a single subpass they are not part of what compatible passes
 * share. */
static const void *chain_depth_resolve(struct world *w, const struct plan *p, const void *next)
{
    VkPhysicalDeviceDepthStencilResolveProperties can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
    if (!has_either(w, 12, EXTENSION_KHR_depth_stencil_resolve) ||
        (!p->there[SLOT_DEPTH_RESOLVE] && chance(w, 80)))
        return next;
    VkSubpassDescriptionDepthStencilResolve *resolve =
        NEW(VkSubpassDescriptionDepthStencilResolve,
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE, .pNext = next);
    VkAttachmentReference2 *to =
        NEW(VkAttachmentReference2, .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
            .attachment =
                p->there[SLOT_DEPTH_RESOLVE] ? p->index[SLOT_DEPTH_RESOLVE] : VK_ATTACHMENT_UNUSED,
            .layout = p->there[SLOT_DEPTH_RESOLVE] ? p->layouts[SLOT_DEPTH_RESOLVE]
                                                   : VK_IMAGE_LAYOUT_GENERAL,
            .aspectMask = PICK(0u, 77u));
    resolve->pDepthStencilResolveAttachment = to;
    if (!p->there[SLOT_DEPTH_RESOLVE]) { /* no mode is looked at */
        resolve->pDepthStencilResolveAttachment = PICK(to, NULL);
        return resolve;
    }
    (void)properties_of(w, &can);
    VkImageAspectFlags aspects = p->formats[SLOT_DEPTH_RESOLVE]->aspects;
    resolve->depthResolveMode =
        one_of(w, aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? can.supportedDepthResolveModes : 0xfu);
    resolve->stencilResolveMode =
        one_of(w, aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? can.supportedStencilResolveModes : 0xfu);
    bool both = aspects == (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
    if (both && !can.independentResolve)
        resolve->depthResolveMode = resolve->stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
    if (both && can.independentResolveNone && chance(w, 40)) {
        if (chance(w, 50))
            resolve->depthResolveMode = VK_RESOLVE_MODE_NONE;
        else
            resolve->stencilResolveMode = VK_RESOLVE_MODE_NONE;
    }
    return resolve;
}

static const void *chain_rates(struct world *w, const struct plan *p, const void *next)
{
    if (!ON(attachmentFragmentShadingRate) || (!p->there[SLOT_RATES] && chance(w, 80)))
        return next;
    VkAttachmentReference2 *to =
        NEW(VkAttachmentReference2, .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
            .attachment = p->there[SLOT_RATES] ? p->index[SLOT_RATES] : VK_ATTACHMENT_UNUSED,
            .layout = p->there[SLOT_RATES] ? p->layouts[SLOT_RATES] : VK_IMAGE_LAYOUT_GENERAL,
            .aspectMask = 0);
    bool there = p->there[SLOT_RATES];
    return NEW(VkFragmentShadingRateAttachmentInfoKHR,
               .sType = VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR, .pNext = next,
               .pFragmentShadingRateAttachment = there || chance(w, 50) ? to : NULL,
               .shadingRateAttachmentTexelSize = there ? p->texel : (VkExtent2D){0, 77});
}

static const void *chain_density(struct world *w, const struct plan *p, const void *next)
{
    if (!ON(fragmentDensityMap) || (!p->there[SLOT_DENSITY] && chance(w, 80)))
        return next;
    VkRenderPassFragmentDensityMapCreateInfoEXT *map =
        NEW(VkRenderPassFragmentDensityMapCreateInfoEXT,
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
            .pNext = next,
            .fragmentDensityMapAttachment = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_GENERAL});
    if (p->there[SLOT_DENSITY])
        map->fragmentDensityMapAttachment =
            (VkAttachmentReference){p->index[SLOT_DENSITY], p->layouts[SLOT_DENSITY]};
    return map;
}

static VkRenderPass make_pass_2(struct world *w, const VkAttachmentDescription2 *attachments,
                                const struct plan *p, const struct subpass *subpasses,
                                uint32_t dependency_count, const VkSubpassDependency2 *list)
{
    VkSubpassDescription2 of[3];
    for (uint32_t i = 0; i < p->subpasses; i++) {
        const struct subpass *s = &subpasses[i];
        const void *chain = chain_rates(w, p, chain_depth_resolve(w, p, NULL));
        of[i] = (VkSubpassDescription2){.pNext = chain,
                                        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                        .viewMask = p->view_mask,
                                        .inputAttachmentCount = s->input_count,
                                        .pInputAttachments = s->input_count ? s->inputs : IGNORED,
                                        .colorAttachmentCount = s->color_count,
                                        .pColorAttachments = s->colors,
                                        .pResolveAttachments = s->resolved ? s->resolves : NULL,
                                        .pDepthStencilAttachment = s->deep ? &s->depth : NULL,
                                        .preserveAttachmentCount = s->preserve_count,
                                        .pPreserveAttachments =
                                            s->preserve_count ? s->preserves : IGNORED};
    }
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .pNext = chain_density(w, p, NULL),
                                    .attachmentCount = p->count,
                                    .pAttachments = attachments,
                                    .subpassCount = p->subpasses,
                                    .pSubpasses = of,
                                    .dependencyCount = dependency_count,
                                    .pDependencies = list,
                                    .pCorrelatedViewMasks = IGNORED};
    if (p->correlated) {
        info.correlatedViewMaskCount = 1;
        info.pCorrelatedViewMasks = &p->view_mask;
    }
    VkRenderPass pass = VK_NULL_HANDLE;
    MUST(CreateRenderPass2, w->device, &info, NULL, &pass);
    OWN(RenderPass, pass);
    return pass;
}

static const VkAttachmentReference *old_references(struct world *w, uint32_t count,
                                                   const VkAttachmentReference2 *references)
{
    VkAttachmentReference *old = NEW_ARRAY(VkAttachmentReference, 2);
    for (uint32_t i = 0; i < count; i++)
        old[i] = (VkAttachmentReference){references[i].attachment, references[i].layout};
    return old;
}

static VkRenderPass make_pass_1(struct world *w, const VkAttachmentDescription2 *attachments,
                                const struct plan *p, const struct subpass *subpasses,
                                uint32_t dependency_count, const VkSubpassDependency2 *list)
{
    VkSubpassDescription of[3];
    VkAttachmentDescription old[SLOTS];
    VkSubpassDependency depends[16];
    uint32_t masks[3] = {p->view_mask, p->view_mask, p->view_mask};
    for (uint32_t i = 0; i < p->count; i++)
        old[i] =
            (VkAttachmentDescription){attachments[i].flags,          attachments[i].format,
                                      attachments[i].samples,        attachments[i].loadOp,
                                      attachments[i].storeOp,        attachments[i].stencilLoadOp,
                                      attachments[i].stencilStoreOp, attachments[i].initialLayout,
                                      attachments[i].finalLayout};
    for (uint32_t i = 0; i < dependency_count; i++)
        depends[i] = (VkSubpassDependency){list[i].srcSubpass,     list[i].dstSubpass,
                                           list[i].srcStageMask,   list[i].dstStageMask,
                                           list[i].srcAccessMask,  list[i].dstAccessMask,
                                           list[i].dependencyFlags};
    for (uint32_t i = 0; i < p->subpasses; i++) {
        const struct subpass *s = &subpasses[i];
        of[i] = (VkSubpassDescription){
            .inputAttachmentCount = s->input_count,
            .pInputAttachments =
                s->input_count ? old_references(w, s->input_count, s->inputs) : IGNORED,
            .colorAttachmentCount = s->color_count,
            .pColorAttachments = old_references(w, s->color_count, s->colors),
            .pResolveAttachments =
                s->resolved ? old_references(w, s->color_count, s->resolves) : NULL,
            .pDepthStencilAttachment = s->deep ? old_references(w, 1, &s->depth) : NULL,
            .preserveAttachmentCount = s->preserve_count,
            .pPreserveAttachments = s->preserve_count ? s->preserves : IGNORED};
    }
    VkRenderPassMultiviewCreateInfo multiview = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = p->subpasses,
        .pViewMasks = masks,
        .pViewOffsets = IGNORED,
        .pCorrelationMasks = IGNORED};
    if (p->correlated) {
        multiview.correlationMaskCount = 1;
        multiview.pCorrelationMasks = &p->view_mask;
    }
    VkInputAttachmentAspectReference aspect = {1, 0, VK_IMAGE_ASPECT_COLOR_BIT};
    VkRenderPassInputAttachmentAspectCreateInfo aspects = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO,
        .aspectReferenceCount = 1,
        .pAspectReferences = &aspect};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .pNext = chain_density(w, p, p->view_mask ? &multiview : NULL),
                                   .attachmentCount = p->count,
                                   .pAttachments = old,
                                   .subpassCount = p->subpasses,
                                   .pSubpasses = of,
                                   .dependencyCount = dependency_count,
                                   .pDependencies = depends};
    if (p->subpasses > 1 && has_either(w, 11, EXTENSION_KHR_maintenance2) && chance(w, 50)) {
        aspects.pNext = info.pNext;
        info.pNext = &aspects;
    }
    VkRenderPass pass = VK_NULL_HANDLE;
    MUST(CreateRenderPass, w->device, &info, NULL, &pass);
    OWN(RenderPass, pass);
    return pass;
}

/* Each has operations of its own: passes of one plan are compatible. */
static VkRenderPass make_planned_pass(struct world *w, const struct plan *p,
                                      const struct subpass *subpasses, uint32_t *clears)
{
    *clears = 0;
    VkAttachmentDescription2 attachments[SLOTS];
    VkSubpassDependency2 list[16];
    uint32_t count = fill_dependencies(p, list);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!p->there[i])
            continue;
        attachments[p->index[i]] = (VkAttachmentDescription2){
            .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
            .format = p->formats[i]->format,
            .samples = p->samples[i],
            .loadOp = load_of(w, p->initial[i]),
            .storeOp = PICK(VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_STORE_OP_DONT_CARE),
            .stencilLoadOp = load_of(w, p->initial[i]),
            .stencilStoreOp = PICK(VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_STORE_OP_DONT_CARE),
            .initialLayout = p->initial[i],
            .finalLayout = p->final[i]};
        if (i == SLOT_RATES)
            attachments[p->index[i]].loadOp =
                p->initial[i] == VK_IMAGE_LAYOUT_UNDEFINED
                    ? VK_ATTACHMENT_LOAD_OP_DONT_CARE
                    : PICK(VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
        if (i == SLOT_DENSITY) {
            attachments[p->index[i]].loadOp =
                p->initial[i] == VK_IMAGE_LAYOUT_UNDEFINED
                    ? VK_ATTACHMENT_LOAD_OP_DONT_CARE
                    : PICK(VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
            attachments[p->index[i]].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
        }
        const VkAttachmentDescription2 *of = &attachments[p->index[i]];
        bool stencil = p->formats[i]->aspects & VK_IMAGE_ASPECT_STENCIL_BIT;
        if (of->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR ||
            (stencil && of->stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR))
            *clears = *clears > p->index[i] ? *clears : p->index[i] + 1;
    }
    bool needs_2 = p->there[SLOT_DEPTH_RESOLVE] || p->there[SLOT_RATES];
    if (has_either(w, 12, EXTENSION_KHR_create_renderpass2) && (needs_2 || chance(w, 50)))
        return make_pass_2(w, attachments, p, subpasses, count, list);
    return make_pass_1(w, attachments, p, subpasses, count, list);
}

static bool make_plan(struct world *w, struct plan *p, const struct target *target)
{
    memset(p, 0, sizeof(*p));
    p->subpasses = target->samples == VK_SAMPLE_COUNT_1_BIT ? between(w, 1, 3) : 1;
    p->view_mask = target->view_mask;
    p->correlated = p->view_mask && chance(w, 40);
    p->itself = chance(w, 40);
    p->unused_color = chance(w, 20);
    p->there[SLOT_FIRST] = true;
    p->there[SLOT_SECOND] = p->subpasses > 1;
    p->there[SLOT_DEPTH] = target->depth != NULL;
    p->there[SLOT_RESOLVE] = target->samples != VK_SAMPLE_COUNT_1_BIT && chance(w, 60);
    bool second = has_either(w, 12, EXTENSION_KHR_create_renderpass2);
    p->there[SLOT_DEPTH_RESOLVE] =
        target->depth && target->samples != VK_SAMPLE_COUNT_1_BIT && second &&
        has_either(w, 12, EXTENSION_KHR_depth_stencil_resolve) && chance(w, 60);
    p->there[SLOT_RATES] = target->rates && second;
    p->there[SLOT_DENSITY] = target->dense;
    p->input_layout = PICK(VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    uint32_t layers =
        target->view_mask ? 32 - (uint32_t)__builtin_clz(target->view_mask) : target->layers;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!p->there[i])
            continue;
        bool deep = i == SLOT_DEPTH || i == SLOT_DEPTH_RESOLVE;
        p->index[i] = p->count++;
        p->formats[i] = deep ? target->depth : target->colors[0];
        p->samples[i] =
            i == SLOT_RESOLVE || i == SLOT_DEPTH_RESOLVE ? VK_SAMPLE_COUNT_1_BIT : target->samples;
        VkImageLayout optimal = i == SLOT_DENSITY ? VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT
                                : i == SLOT_RATES
                                    ? VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR
                                : deep ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
                                       : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
        if (i == SLOT_DEPTH_RESOLVE && target->depth->format == VK_FORMAT_D32_SFLOAT_S8_UINT &&
            chance(w, 30))
            p->formats[i] = format_of(VK_FORMAT_D32_SFLOAT); /* one of the aspects */
        p->layouts[i] = PICK(optimal, VK_IMAGE_LAYOUT_GENERAL);
        p->initial[i] = PICK(VK_IMAGE_LAYOUT_UNDEFINED, optimal, VK_IMAGE_LAYOUT_GENERAL);
        p->final[i] = PICK(optimal, VK_IMAGE_LAYOUT_GENERAL);
        if (i == SLOT_RATES) {
            p->images[i] =
                make_rates(w, target->width, target->height, layers, &p->texel, &p->views[i]);
            if (!p->images[i])
                return false;
            p->formats[i] = p->images[i]->format;
            p->samples[i] = VK_SAMPLE_COUNT_1_BIT;
            continue;
        }
        if (i == SLOT_DENSITY) {
            p->images[i] = make_density(w, target->width, target->height,
                                        target->view_mask ? layers : 1, &p->views[i]);
            if (!p->images[i])
                return false;
            p->formats[i] = p->images[i]->format;
            p->samples[i] = VK_SAMPLE_COUNT_1_BIT;
            continue;
        }
        VkImageCreateInfo info =
            image_info(p->formats[i]->format, target->width, target->height,
                       deep ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                            : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                  (i == SLOT_FIRST ? VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT : 0));
        info.arrayLayers = layers;
        info.samples = p->samples[i];
        if (p->there[SLOT_DENSITY])
            info.flags |= subsampled(w);
        p->images[i] = make_image(w, &info);
        if (!p->images[i])
            return false;
        VkImageViewCreateInfo view =
            view_info(p->images[i],
                      layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D,
                      p->formats[i]->aspects);
        view.subresourceRange.layerCount = layers;
        p->views[i] = make_view_of(w, &view);
    }
    return true;
}

static VkFramebuffer make_framebuffer(struct world *w, const struct plan *p,
                                      const struct target *target, VkRenderPass pass,
                                      bool imageless, VkImageView *views)
{
    VkFramebufferAttachmentImageInfo images[SLOTS];
    VkFormat formats_of[SLOTS];
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!p->there[i])
            continue;
        views[p->index[i]] = p->views[i];
        formats_of[p->index[i]] = p->formats[i]->format;
        images[p->index[i]] = (VkFramebufferAttachmentImageInfo){
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
            .flags = p->images[i]->info.flags,
            .usage = p->images[i]->info.usage,
            .width = p->images[i]->info.extent.width,
            .height = p->images[i]->info.extent.height,
            .layerCount = p->images[i]->info.arrayLayers,
            .viewFormatCount = 1,
            .pViewFormats = &formats_of[p->index[i]]};
    }
    VkFramebufferAttachmentsCreateInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = p->count,
        .pAttachmentImageInfos = images};
    VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .pNext = imageless ? &attachments : NULL,
                                    .flags = imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0,
                                    .renderPass = pass,
                                    .attachmentCount = p->count,
                                    .pAttachments = imageless ? IGNORED : views,
                                    .width = target->width,
                                    .height = target->height,
                                    .layers = target->view_mask ? 1 : target->layers};
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    MUST(CreateFramebuffer, w->device, &info, NULL, &framebuffer);
    OWN(Framebuffer, framebuffer);
    return framebuffer;
}

struct instance {
    struct plan plan;
    struct subpass subpasses[3];
    struct target targets[3];
    struct pipe *pipes[3];
    VkRenderPass pass;
    VkFramebuffer framebuffer;
    uint32_t clears; /* one more than the last attachment that is cleared */
    bool cut;        /* the render area is a part */
};

static void draw_in(struct record *rec, struct pipe *pipe)
{
    struct world *w = rec->w;
    pipe_bind(rec, pipe);
    for (uint32_t i = between(w, 1, 2); i > 0; i--)
        pipe_draw(rec, pipe);
}

static VkCommandBuffer make_subpass_secondary(struct record *rec, const struct instance *in,
                                              uint32_t subpass)
{
    struct world *w = rec->w;
    VkCommandBuffer c = make_command_buffer(w, rec->queue, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = in->pass,
        .subpass = subpass,
        .framebuffer = chance(w, 50) ? in->framebuffer : VK_NULL_HANDLE};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                      .pInheritanceInfo = &inheritance};
    MUST(BeginCommandBuffer, c, &begin);
    struct record inner = *rec;
    inner.c = c;
    inner.secondary = true;
    inner.live = 0;
    if (in->pipes[subpass])
        draw_in(&inner, in->pipes[subpass]);
    MUST(EndCommandBuffer, c);
    return c;
}

/* A part of what the subpass's dependency on itself has. */
static void barrier_inside(struct record *rec, const struct plan *p)
{
    struct world *w = rec->w;
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                               VK_ACCESS_COLOR_ATTACHMENT_READ_BIT};
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    CALL(CmdPipelineBarrier, rec->c, stage,
         PICK(stage, stage | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT),
         VK_DEPENDENCY_BY_REGION_BIT | (p->view_mask ? VK_DEPENDENCY_VIEW_LOCAL_BIT : 0), 1,
         &memory, 0, IGNORED, 0, IGNORED);
}

static void record_instance(struct record *rec, struct instance *in, VkQueryPool queries)
{
    struct world *w = rec->w;
    struct plan *p = &in->plan;
    VkImageView views[SLOTS];
    bool imageless = ON(imagelessFramebuffer) && chance(w, 40);
    in->framebuffer = make_framebuffer(w, p, &in->targets[0], in->pass, imageless, views);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (p->there[i] && p->initial[i] != VK_IMAGE_LAYOUT_UNDEFINED)
            needs_layout(rec, p->images[i], p->initial[i]);
    }
    ready(rec, PIPE_USES | USE(COLOR) | USE(DEPTH) | (p->there[SLOT_RATES] ? USE(RATES) : 0) |
                   (p->there[SLOT_DENSITY] ? USE(DENSITY) : 0));
    VkClearValue clears[SLOTS] = {{{{0}}}};
    VkRenderPassAttachmentBeginInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO,
        .attachmentCount = p->count,
        .pAttachments = views};
    VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .pNext = imageless ? &attachments : NULL,
        .renderPass = in->pass,
        .framebuffer = in->framebuffer,
        .renderArea = {{0, 0}, {in->targets[0].width, in->targets[0].height}},
        .clearValueCount = in->clears,
        .pClearValues = in->clears ? clears : IGNORED};
    if (in->clears && chance(w, 30))
        /* more than are looked at */
        begin.clearValueCount = in->clears + below(w, SLOTS + 1 - in->clears);
    VkDeviceGroupRenderPassBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
        .deviceMask = 1,
        .pDeviceRenderAreas = IGNORED};
    if (has_either(w, 11, EXTENSION_KHR_device_group) && chance(w, 20)) {
        group.pNext = begin.pNext;
        begin.pNext = &group;
    }
    if (in->cut) {
        begin.renderArea.offset = (VkOffset2D){(int32_t)below(w, in->targets[0].width),
                                               (int32_t)below(w, in->targets[0].height)};
        begin.renderArea.extent.width -= (uint32_t)begin.renderArea.offset.x;
        begin.renderArea.extent.height -= (uint32_t)begin.renderArea.offset.y;
    }
    /* the group's areas count, the other is ignored */
    if (begin.pNext == &group && !w->software && chance(w, 50)) {
        VkRect2D *areas = NEW_ARRAY(VkRect2D, VK_MAX_DEVICE_GROUP_SIZE);
        for (uint32_t i = 0; i < w->device_count; i++)
            areas[i] = begin.renderArea;
        group.deviceRenderAreaCount = w->device_count;
        group.pDeviceRenderAreas = areas;
        begin.renderArea = (VkRect2D){{-7, 77}, {0, 0x7fffffffu}};
    }
    bool second = has_either(w, 12, EXTENSION_KHR_create_renderpass2) && chance(w, 50);
    VkSubpassBeginInfo contents = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    for (uint32_t i = 0; i < p->subpasses; i++) {
        bool inside = chance(w, 30);
        VkCommandBuffer secondary = inside ? make_subpass_secondary(rec, in, i) : VK_NULL_HANDLE;
        contents.contents =
            inside ? VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS : VK_SUBPASS_CONTENTS_INLINE;
        if (i == 0 && second)
            CALL(CmdBeginRenderPass2, rec->c, &begin, &contents);
        else if (i == 0)
            CALL(CmdBeginRenderPass, rec->c, &begin, contents.contents);
        else if (second)
            CALL(CmdNextSubpass2, rec->c, &contents, &end);
        else
            CALL(CmdNextSubpass, rec->c, contents.contents);
        if (inside) {
            CALL(CmdExecuteCommands, rec->c, 1, &secondary);
            rec->live = 0;
            continue;
        }
        if (queries)
            CALL(CmdBeginQuery, rec->c, queries, i * 3, 0);
        if (in->pipes[i])
            draw_in(rec, in->pipes[i]);
        if (p->itself && chance(w, 60))
            barrier_inside(rec, p);
        if (in->pipes[i] && chance(w, 30))
            draw_in(rec, in->pipes[i]);
        if (queries)
            CALL(CmdEndQuery, rec->c, queries, i * 3);
    }
    if (second)
        CALL(CmdEndRenderPass2, rec->c, &end);
    else
        CALL(CmdEndRenderPass, rec->c);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (p->there[i])
            p->images[i]->layout = p->final[i];
    }
    rec->before |= USE(ALL);
}

void step_passes(struct world *w)
{
    struct instance *in = NEW(struct instance, {{0}});
    struct target *target = &in->targets[0];
    any_target(w, target);
    target->color_count = 1;
    target->read_only_depth = false;
    target->colors[0] = any_format(w, "f", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT);
    if (!target->colors[0] || !make_plan(w, &in->plan, target))
        return;
    struct plan *p = &in->plan;
    for (uint32_t i = 0; i < p->subpasses; i++)
        describe_subpass(w, p, i, &in->subpasses[i]);
    uint32_t ignored;
    in->cut = chance(w, 20);
    in->pass = make_planned_pass(w, p, in->subpasses, &in->clears);
    VkRenderPass compatible =
        chance(w, 50) ? make_planned_pass(w, p, in->subpasses, &ignored) : in->pass;
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_GRAPHICS_BIT));
    rec->once = true;
    const struct format *depth = target->depth;
    VkQueryPool queries = VK_NULL_HANDLE;
    if (chance(w, 30)) {
        VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = VK_QUERY_TYPE_OCCLUSION,
                                      .queryCount = 9};
        MUST(CreateQueryPool, w->device, &info, NULL, &queries);
        OWN(QueryPool, queries);
        CALL(CmdResetQueryPool, rec->c, queries, 0, 9);
    }
    for (uint32_t i = 0; i < p->subpasses; i++) {
        in->targets[i] = *target;
        in->targets[i].pass = compatible;
        in->targets[i].subpass = i;
        in->targets[i].input = i == 1;
        in->targets[i].depth = i == 0 ? depth : NULL;
        in->targets[i].color_count = i == 0 && p->unused_color ? 2 : 1;
        if (chance(w, 80)) {
            in->pipes[i] = make_pipe(w, &in->targets[i]);
            if (in->pipes[i]->set && i == 1)
                set_write_image(w, in->pipes[i], VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0,
                                p->views[SLOT_FIRST], p->input_layout);
            pipe_prepare(rec, in->pipes[i]);
        }
    }
    if (compatible != in->pass && chance(w, 50))
        DESTROY_NOW(compatible);
    record_instance(rec, in, queries);
    record_finish(rec);
}
