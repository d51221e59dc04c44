/* Tracks the parts of a render pass (8.1 "Render Pass Creation"). Both versions of its create info
 * are converted into one form, in one allocation. */
#include "state/command/render_pass.h"
#include "state/hooks.h"

#include "vk/chain.h"

#include <string.h>

/* Divides one allocation. The first walk has no memory, and only counts. */
struct arena {
    char *memory; /* NULL: only count the bytes */
    size_t used;
};

/* Takes room for `count` elements, rounded up to 8 bytes. NULL: there is no memory yet, and only
 * the size is added up. */
static void *arena_take(struct arena *arena, size_t count, size_t size)
{
    assert(arena && size);
    void *taken = arena->memory ? arena->memory + arena->used : NULL;
    arena->used += (count * size + 7) & ~(size_t)7;
    return taken;
}

static const struct attachment_reference unused_reference = {.attachment = VK_ATTACHMENT_UNUSED};

/* Reads a reference. NULL means an unused one. */
static struct attachment_reference read_reference(const VkAttachmentReference *reference)
{
    if (!reference)
        return unused_reference;
    return (struct attachment_reference){.attachment = reference->attachment,
                                         .layout = reference->layout,
                                         .stencil_layout = reference->layout};
}

/* Reads a reference of version 2. If stencil has no layout of its own, it has that of depth. */
static struct attachment_reference read_reference2(const VkAttachmentReference2 *reference)
{
    if (!reference)
        return unused_reference;
    const VkAttachmentReferenceStencilLayout *stencil =
        chain_find(reference->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT);
    return (struct attachment_reference){
        .attachment = reference->attachment,
        .layout = reference->layout,
        .stencil_layout = stencil ? stencil->stencilLayout : reference->layout,
        .aspect_mask = reference->aspectMask,
        .has_stencil_layout = stencil != NULL,
    };
}

/* Copies references into the arena. NULL: there are none, or the arena only counts. */
static struct attachment_reference *read_references(struct arena *arena, uint32_t count,
                                                    const VkAttachmentReference *references)
{
    if (!references || !count)
        return NULL;
    struct attachment_reference *result = arena_take(arena, count, sizeof(*result));
    for (uint32_t i = 0; result && i < count; i++)
        result[i] = read_reference(&references[i]);
    return result;
}

/* Copies references of version 2 into the arena. NULL: there are none, or the arena only counts. */
static struct attachment_reference *read_references2(struct arena *arena, uint32_t count,
                                                     const VkAttachmentReference2 *references)
{
    if (!references || !count)
        return NULL;
    struct attachment_reference *result = arena_take(arena, count, sizeof(*result));
    for (uint32_t i = 0; result && i < count; i++)
        result[i] = read_reference2(&references[i]);
    return result;
}

/* Copies numbers into the arena. NULL: there are none, or the arena only counts. */
static uint32_t *read_numbers(struct arena *arena, uint32_t count, const uint32_t *numbers)
{
    if (!numbers || !count)
        return NULL;
    uint32_t *result = arena_take(arena, count, sizeof(*result));
    if (result)
        memcpy(result, numbers, count * sizeof(*result));
    return result;
}

/* Reads a subpass. If the arena only counts, `subpass` is a temporary. */
static void read_subpass(struct arena *arena, const VkSubpassDescription *description,
                         struct subpass *subpass)
{
    assert(description && subpass);
    subpass->flags = description->flags;
    subpass->bind_point = description->pipelineBindPoint;
    subpass->input_count = description->pInputAttachments ? description->inputAttachmentCount : 0;
    subpass->color_count = description->pColorAttachments ? description->colorAttachmentCount : 0;
    subpass->preserve_count =
        description->pPreserveAttachments ? description->preserveAttachmentCount : 0;
    subpass->inputs = read_references(arena, subpass->input_count, description->pInputAttachments);
    subpass->colors = read_references(arena, subpass->color_count, description->pColorAttachments);
    subpass->resolves =
        read_references(arena, subpass->color_count, description->pResolveAttachments);
    subpass->preserves =
        read_numbers(arena, subpass->preserve_count, description->pPreserveAttachments);
    subpass->depth_stencil = read_reference(description->pDepthStencilAttachment);
    /* Version 1 has no structures for these two references. */
    subpass->depth_stencil_resolve = subpass->fragment_shading_rate = unused_reference;
}

/* Reads a subpass of version 2. If `arena` only counts, `subpass` is a temporary. */
static void read_subpass2(struct arena *arena, const VkSubpassDescription2 *description,
                          struct subpass *subpass)
{
    assert(description && subpass);
    subpass->flags = description->flags;
    subpass->bind_point = description->pipelineBindPoint;
    subpass->view_mask = description->viewMask;
    subpass->input_count = description->pInputAttachments ? description->inputAttachmentCount : 0;
    subpass->color_count = description->pColorAttachments ? description->colorAttachmentCount : 0;
    subpass->preserve_count =
        description->pPreserveAttachments ? description->preserveAttachmentCount : 0;
    subpass->inputs = read_references2(arena, subpass->input_count, description->pInputAttachments);
    subpass->colors = read_references2(arena, subpass->color_count, description->pColorAttachments);
    /* There are as many resolve attachments as color attachments, or none. */
    subpass->resolves =
        read_references2(arena, subpass->color_count, description->pResolveAttachments);
    subpass->preserves =
        read_numbers(arena, subpass->preserve_count, description->pPreserveAttachments);
    subpass->depth_stencil = read_reference2(description->pDepthStencilAttachment);

    const VkSubpassDescriptionDepthStencilResolve *resolve =
        chain_find(description->pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
    subpass->depth_stencil_resolve =
        read_reference2(resolve ? resolve->pDepthStencilResolveAttachment : NULL);
    subpass->has_depth_stencil_resolve = resolve != NULL;
    subpass->depth_resolve_mode = resolve ? resolve->depthResolveMode : VK_RESOLVE_MODE_NONE;
    subpass->stencil_resolve_mode = resolve ? resolve->stencilResolveMode : VK_RESOLVE_MODE_NONE;

    const VkFragmentShadingRateAttachmentInfoKHR *rate =
        chain_find(description->pNext, VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
    subpass->fragment_shading_rate =
        read_reference2(rate ? rate->pFragmentShadingRateAttachment : NULL);
    if (rate)
        subpass->shading_rate_texel_size = rate->shadingRateAttachmentTexelSize;

    const VkMultisampledRenderToSingleSampledInfoEXT *single =
        chain_find(description->pNext,
                   VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT);
    if (single) {
        subpass->single_sampled_enable = single->multisampledRenderToSingleSampledEnable;
        subpass->single_sampled_samples = single->rasterizationSamples;
    }
}

/* Reads an attachment description of version 2. If stencil has no layouts of its own, it has those
 * of depth. */
static void read_attachment2(const VkAttachmentDescription2 *from,
                             struct attachment_description *to)
{
    assert(from && to);
    to->description =
        (VkAttachmentDescription){from->flags,          from->format,        from->samples,
                                  from->loadOp,         from->storeOp,       from->stencilLoadOp,
                                  from->stencilStoreOp, from->initialLayout, from->finalLayout};
    const VkAttachmentDescriptionStencilLayout *stencil =
        chain_find(from->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT);
    to->has_stencil_layouts = stencil != NULL;
    to->stencil_initial_layout = stencil ? stencil->stencilInitialLayout : from->initialLayout;
    to->stencil_final_layout = stencil ? stencil->stencilFinalLayout : from->finalLayout;
}

/* Reads a dependency and its masks: "If a VkMemoryBarrier2 is included in the pNext chain,
 * srcStageMask, dstStageMask, srcAccessMask, and dstAccessMask parameters are ignored" (8.1). */
static void read_dependency2(const VkSubpassDependency2 *from, VkSubpassDependency2 *to,
                             struct dependency_masks *masks)
{
    assert(from && to && masks);
    *to = *from;
    to->pNext = NULL;
    const VkMemoryBarrier2 *barrier = chain_find(from->pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    if (barrier)
        *masks = (struct dependency_masks){barrier->srcStageMask, barrier->dstStageMask,
                                           barrier->srcAccessMask, barrier->dstAccessMask, true};
    else
        *masks = (struct dependency_masks){from->srcStageMask, from->dstStageMask,
                                           from->srcAccessMask, from->dstAccessMask};
}

/* --- compatibility --- */

/* One step of a multiplicative hash. */
static uint64_t compatibility_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* "Two attachment references are compatible if they have matching format and sample count, or are
 * both VK_ATTACHMENT_UNUSED". A missing reference counts as an unused one. Flags that control the
 * transfer function of a resolve do not count. */
static uint64_t mix_reference(uint64_t hash, const struct render_pass *pass, uint64_t role,
                              const struct attachment_reference *reference)
{
    assert(reference);
    const VkAttachmentDescriptionFlags ignored =
        VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR |
        VK_ATTACHMENT_DESCRIPTION_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR;
    if (reference->attachment >= pass->attachment_count)
        return hash;
    const VkAttachmentDescription *description =
        &pass->attachments[reference->attachment].description;
    hash = compatibility_mix(compatibility_mix(compatibility_mix(hash, role), description->format),
                             description->samples);
    return compatibility_mix(hash, description->flags & ~ignored);
}

/* Adds references to the hash of compatibility (8.2). `role`: a number for the role of the
 * attachments in the subpass. */
static uint64_t mix_references(uint64_t hash, const struct render_pass *pass, uint64_t role,
                               uint32_t count, const struct attachment_reference *references)
{
    for (uint32_t i = 0; references && i < count; i++)
        hash = mix_reference(hash, pass, role << 32 | i, &references[i]);
    return hash;
}

/* Adds the parts of a subpass that must be compatible to the hash. */
static uint64_t mix_subpass(uint64_t hash, const struct render_pass *pass,
                            const struct subpass *subpass)
{
    hash = compatibility_mix(compatibility_mix(compatibility_mix(hash, subpass->flags),
                                               subpass->bind_point),
                             subpass->view_mask);
    hash = mix_references(hash, pass, 1, subpass->input_count, subpass->inputs);
    hash = mix_references(hash, pass, 2, subpass->color_count, subpass->colors);
    hash = mix_reference(hash, pass, 3, &subpass->depth_stencil);
    hash = mix_reference(hash, pass, 4, &subpass->fragment_shading_rate);
    /* "if two render passes have a single subpass, the resolve attachment reference and
     * depth/stencil resolve mode compatibility requirements are ignored" */
    if (pass->subpass_count == 1)
        return hash;
    hash = mix_references(hash, pass, 5, subpass->color_count, subpass->resolves);
    if (subpass->depth_stencil_resolve.attachment >= pass->attachment_count)
        return hash;
    hash = mix_reference(hash, pass, 6, &subpass->depth_stencil_resolve);
    return compatibility_mix(compatibility_mix(hash, subpass->depth_resolve_mode),
                             subpass->stencil_resolve_mode);
}

/* A hash of all members of a dependency. */
static uint64_t dependency_hash(const VkSubpassDependency2 *dependency,
                                const struct dependency_masks *masks)
{
    uint64_t hash = compatibility_mix(compatibility_mix(1, (uint64_t)dependency->srcSubpass << 32 |
                                                               dependency->dstSubpass),
                                      masks->src_stages);
    hash = compatibility_mix(compatibility_mix(hash, masks->dst_stages), masks->src_accesses);
    hash = compatibility_mix(compatibility_mix(hash, masks->dst_accesses),
                             dependency->dependencyFlags);
    return compatibility_mix(hash, (uint32_t)dependency->viewOffset);
}

/* A hash of the parts that compatible render passes have in common (8.2 "Render Pass
 * Compatibility"). It uses the references of the subpasses, not the attachments: a pass that
 * resolves has more attachments than one without the resolve. "If two render passes have a single
 * subpass, the resolve attachment reference ... compatibility requirements are ignored". Preserved
 * attachments, aspects of input attachments, and the order of dependencies are left out: they would
 * only make more passes differ. */
static uint64_t render_pass_compatibility_hash(const struct render_pass *pass)
{
    assert(pass->subpasses || !pass->subpass_count);
    uint64_t hash = compatibility_mix(compatibility_mix(1, pass->flags), pass->subpass_count),
             dependencies = 0;
    for (uint32_t i = 0; i < pass->subpass_count; i++)
        hash = mix_subpass(hash, pass, &pass->subpasses[i]);
    for (uint32_t i = 0; i < pass->dependency_count; i++)
        dependencies += dependency_hash(&pass->dependencies[i], &pass->dependency_masks[i]);
    hash = compatibility_mix(hash, dependencies);
    return hash ? hash : 1;
}

/* --- the whole --- */

/* The sample count of the attachments to which a subpass draws. 0: there are none, or the counts
 * differ. */
static VkSampleCountFlagBits subpass_samples(const struct render_pass *pass,
                                             const struct subpass *subpass)
{
    VkSampleCountFlags all = 0;
    for (uint32_t i = 0; i <= subpass->color_count; i++) {
        uint32_t attachment = i < subpass->color_count ? subpass->colors[i].attachment
                                                       : subpass->depth_stencil.attachment;
        if (attachment < pass->attachment_count)
            all |= pass->attachments[attachment].description.samples;
    }
    return all & (all - 1) ? 0 : (VkSampleCountFlagBits)all;
}

/* Sets the members that follow from others, once all of these are read. */
static void render_pass_finish(struct render_pass *pass)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        pass->subpasses[i].samples = subpass_samples(pass, &pass->subpasses[i]);
        pass->views |= pass->subpasses[i].view_mask;
    }
    pass->multiview = pass->views != 0;
    for (uint32_t i = 0; i < pass->dependency_count; i++) {
        const struct dependency_masks *masks = &pass->dependency_masks[i];
        pass->src_stages |= masks->of_barrier ? 0 : masks->src_stages;
        pass->dst_stages |= masks->of_barrier ? 0 : masks->dst_stages;
    }
    pass->compatibility = render_pass_compatibility_hash(pass);
}

/* Takes a render pass and its arrays from the arena. NULL: the arena only counts. */
static struct render_pass *take_pass(struct arena *arena, const struct render_pass *counts)
{
    /* Both walks take the parts in the same order: the first one counts, the second one places
     * them. */
    struct render_pass *pass = arena_take(arena, 1, sizeof(*pass));
    struct attachment_description *attachments =
        arena_take(arena, counts->attachment_count, sizeof(*attachments));
    struct subpass *subpasses = arena_take(arena, counts->subpass_count, sizeof(*subpasses));
    VkSubpassDependency2 *dependencies =
        arena_take(arena, counts->dependency_count, sizeof(*dependencies));
    struct dependency_masks *masks = arena_take(arena, counts->dependency_count, sizeof(*masks));
    if (!pass)
        return NULL;
    *pass = *counts;
    pass->attachments = attachments;
    pass->subpasses = subpasses;
    pass->dependencies = dependencies;
    pass->dependency_masks = masks;
    return pass;
}

/* Reads the views of a render pass of version 1. `pass`: NULL if the arena only counts. */
static void read_multiview(struct arena *arena, const void *chain, struct render_pass *pass)
{
    const VkRenderPassMultiviewCreateInfo *multiview =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
    if (!multiview)
        return;
    uint32_t *masks =
        read_numbers(arena, multiview->correlationMaskCount, multiview->pCorrelationMasks);
    /* The room for the masks is taken: the first walk ends here. */
    if (!pass)
        return;
    pass->correlated_view_masks = masks;
    pass->correlated_view_mask_count = masks ? multiview->correlationMaskCount : 0;
    for (uint32_t i = 0;
         i < pass->subpass_count && i < multiview->subpassCount && multiview->pViewMasks; i++)
        pass->subpasses[i].view_mask = multiview->pViewMasks[i];
    for (uint32_t i = 0;
         i < pass->dependency_count && i < multiview->dependencyCount && multiview->pViewOffsets;
         i++)
        pass->dependencies[i].viewOffset = multiview->pViewOffsets[i];
}

/* Reads the aspects of input attachments, which version 1 has in the chain. */
static void read_aspects(const void *chain, struct render_pass *pass)
{
    const VkRenderPassInputAttachmentAspectCreateInfo *aspects =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_INPUT_ATTACHMENT_ASPECT_CREATE_INFO);
    for (uint32_t i = 0; aspects && aspects->pAspectReferences && i < aspects->aspectReferenceCount;
         i++) {
        const VkInputAttachmentAspectReference *reference = &aspects->pAspectReferences[i];
        if (reference->subpass < pass->subpass_count &&
            reference->inputAttachmentIndex < pass->subpasses[reference->subpass].input_count)
            pass->subpasses[reference->subpass]
                .inputs[reference->inputAttachmentIndex]
                .aspect_mask = reference->aspectMask;
    }
}

/* The attachment with the fragment density map; VK_ATTACHMENT_UNUSED if there is none. */
static VkAttachmentReference read_density_map(const void *chain)
{
    const VkRenderPassFragmentDensityMapCreateInfoEXT *info =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT);
    return info ? info->fragmentDensityMapAttachment
                : (VkAttachmentReference){.attachment = VK_ATTACHMENT_UNUSED};
}

struct tile_shading tile_shading_of(const void *chain)
{
    const VkRenderPassTileShadingCreateInfoQCOM *info =
        chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_TILE_SHADING_CREATE_INFO_QCOM);
    return info ? (struct tile_shading){info->flags, info->tileApronSize}
                : (struct tile_shading){.flags = 0};
}

/* Walks through a create info of version 1. If `arena` has no memory, it counts bytes and returns
 * NULL. */
static struct render_pass *render_pass_copy(struct arena *arena, const VkRenderPassCreateInfo *info)
{
    const struct render_pass counts = {
        .flags = info->flags,
        .attachment_count = info->pAttachments ? info->attachmentCount : 0,
        .subpass_count = info->pSubpasses ? info->subpassCount : 0,
        .dependency_count = info->pDependencies ? info->dependencyCount : 0,
        .density_map = read_density_map(info->pNext),
        .tiles = tile_shading_of(info->pNext),
    };
    struct render_pass *pass = take_pass(arena, &counts);
    for (uint32_t i = 0; i < counts.subpass_count; i++) {
        struct subpass scratch = {0};
        read_subpass(arena, &info->pSubpasses[i], pass ? &pass->subpasses[i] : &scratch);
    }
    for (uint32_t i = 0; pass && i < counts.attachment_count; i++) {
        pass->attachments[i].description = info->pAttachments[i];
        /* Only version 2 has separate stencil layouts. */
        pass->attachments[i].stencil_initial_layout = info->pAttachments[i].initialLayout;
        pass->attachments[i].stencil_final_layout = info->pAttachments[i].finalLayout;
    }
    for (uint32_t i = 0; pass && i < counts.dependency_count; i++) {
        const VkSubpassDependency *from = &info->pDependencies[i];
        pass->dependencies[i] = (VkSubpassDependency2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
            .srcSubpass = from->srcSubpass,
            .dstSubpass = from->dstSubpass,
            .srcStageMask = from->srcStageMask,
            .dstStageMask = from->dstStageMask,
            .srcAccessMask = from->srcAccessMask,
            .dstAccessMask = from->dstAccessMask,
            .dependencyFlags = from->dependencyFlags,
        };
        pass->dependency_masks[i] = (struct dependency_masks){
            from->srcStageMask, from->dstStageMask, from->srcAccessMask, from->dstAccessMask};
    }
    read_multiview(arena, info->pNext, pass);
    if (pass)
        read_aspects(info->pNext, pass);
    return pass;
}

/* Walks through a create info of version 2, as render_pass_copy() does for version 1. */
static struct render_pass *render_pass_copy2(struct arena *arena,
                                             const VkRenderPassCreateInfo2 *info)
{
    const struct render_pass counts = {
        .flags = info->flags,
        .attachment_count = info->pAttachments ? info->attachmentCount : 0,
        .subpass_count = info->pSubpasses ? info->subpassCount : 0,
        .dependency_count = info->pDependencies ? info->dependencyCount : 0,
        .correlated_view_mask_count =
            info->pCorrelatedViewMasks ? info->correlatedViewMaskCount : 0,
        .density_map = read_density_map(info->pNext),
        .tiles = tile_shading_of(info->pNext),
    };
    struct render_pass *pass = take_pass(arena, &counts);
    for (uint32_t i = 0; i < counts.subpass_count; i++) {
        /* While the arena only counts, there is no place to write to. */
        struct subpass scratch = {0};
        read_subpass2(arena, &info->pSubpasses[i], pass ? &pass->subpasses[i] : &scratch);
    }
    for (uint32_t i = 0; pass && i < counts.attachment_count; i++)
        read_attachment2(&info->pAttachments[i], &pass->attachments[i]);
    for (uint32_t i = 0; pass && i < counts.dependency_count; i++)
        read_dependency2(&info->pDependencies[i], &pass->dependencies[i],
                         &pass->dependency_masks[i]);
    uint32_t *masks =
        read_numbers(arena, counts.correlated_view_mask_count, info->pCorrelatedViewMasks);
    if (pass)
        pass->correlated_view_masks = masks;
    return pass;
}

struct render_pass *render_pass_read(const VkRenderPassCreateInfo *info)
{
    assert(info);
    struct arena arena = {0};
    render_pass_copy(&arena, info);
    arena = (struct arena){.memory = mem_alloc_zeroed(arena.used)};
    struct render_pass *pass = arena.memory ? render_pass_copy(&arena, info) : NULL;
    if (pass)
        render_pass_finish(pass);
    return pass;
}

struct render_pass *render_pass_read2(const VkRenderPassCreateInfo2 *info)
{
    assert(info);
    struct arena arena = {0};
    render_pass_copy2(&arena, info);
    arena = (struct arena){.memory = mem_alloc_zeroed(arena.used)};
    struct render_pass *pass = arena.memory ? render_pass_copy2(&arena, info) : NULL;
    if (pass)
        render_pass_finish(pass);
    return pass;
}

/* Makes the render pass the object's state. NULL: memory ran out, and the object has no state. */
static void render_pass_publish(struct object *object, struct render_pass *pass)
{
    if (!pass)
        return;
    pass->base.object = object;
    object_state_publish(object, pass);
}

void state_after_CreateRenderPass(struct call *call, VkDevice device,
                                  const VkRenderPassCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator,
                                  VkRenderPass *pRenderPass)
{
    if (call->result != VK_SUCCESS)
        return;
    struct object *object = created_object(call, (uint64_t)*pRenderPass, HANDLE_RENDER_PASS);
    render_pass_publish(object, object ? render_pass_read(pCreateInfo) : NULL);
}

void state_after_CreateRenderPass2(struct call *call, VkDevice device,
                                   const VkRenderPassCreateInfo2 *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkRenderPass *pRenderPass)
{
    if (call->result != VK_SUCCESS)
        return;
    struct object *object = created_object(call, (uint64_t)*pRenderPass, HANDLE_RENDER_PASS);
    render_pass_publish(object, object ? render_pass_read2(pCreateInfo) : NULL);
}
