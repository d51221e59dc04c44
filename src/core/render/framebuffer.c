/* Checks that a framebuffer may be created for a render pass, and be destroyed (8.3
 * "Framebuffers"). */
#include "core/render/attachment.h"
#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "core/render/rendering.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <stdio.h>

enum attachment_use {
    USE_COLOR = 1 << 0,
    USE_RESOLVE = 1 << 1,
    USE_DEPTH_STENCIL = 1 << 2,
    USE_DEPTH_STENCIL_RESOLVE = 1 << 3,
    USE_INPUT = 1 << 4,
    USE_SHADING_RATE = 1 << 5,
    USE_DENSITY_MAP = 1 << 6,
    /* as a color, depth/stencil or input attachment of a subpass that renders multisampled to
     * single-sampled */
    USE_SINGLE_SAMPLED = 1 << 7,
    USES_RENDERED =
        USE_COLOR | USE_RESOLVE | USE_DEPTH_STENCIL | USE_DEPTH_STENCIL_RESOLVE | USE_INPUT,
};

/* How the render pass uses one of its attachments. */
struct usage {
    uint32_t uses;    /* enum attachment_use */
    uint32_t views;   /* union of the view masks of the subpasses that use it */
    VkExtent2D texel; /* largest texel size of a shading rate attachment, in pixels */
};

/* The state of the checks of one vkCreateFramebuffer. */
struct framebuffer_check {
    struct subject s; /* s.where is NULL */
    const VkFramebufferCreateInfo *info;
    const struct render_pass *pass; /* NULL: not known */
    uint32_t views;                 /* union of the render pass's view masks */
    struct location where;          /* location of the create info */
};

/* Adds a use of the attachment by a subpass, and the subpass's views. */
static void add_use(struct usage *usage, uint32_t attachment,
                    const struct attachment_reference *reference, uint32_t use,
                    const struct subpass *subpass)
{
    assert(usage && reference && subpass);
    const uint32_t single = USE_COLOR | USE_DEPTH_STENCIL | USE_INPUT;
    if (reference->attachment != attachment)
        return;
    usage->uses |= use | (subpass->single_sampled_enable && use & single ? USE_SINGLE_SAMPLED : 0);
    usage->views |= subpass->view_mask;
}

/* Finds out how the subpasses of a render pass use an attachment, and the largest shading rate
 * texel among them. */
static struct usage usage_of(const struct render_pass *pass, uint32_t attachment)
{
    assert(attachment < pass->attachment_count);
    struct usage usage = {.uses = pass->density_map.attachment == attachment ? USE_DENSITY_MAP : 0};
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        for (uint32_t j = 0; j < subpass->color_count; j++) {
            add_use(&usage, attachment, &subpass->colors[j], USE_COLOR, subpass);
            if (subpass->resolves)
                add_use(&usage, attachment, &subpass->resolves[j], USE_RESOLVE, subpass);
        }
        for (uint32_t j = 0; j < subpass->input_count; j++)
            add_use(&usage, attachment, &subpass->inputs[j], USE_INPUT, subpass);
        add_use(&usage, attachment, &subpass->depth_stencil, USE_DEPTH_STENCIL, subpass);
        add_use(&usage, attachment, &subpass->depth_stencil_resolve, USE_DEPTH_STENCIL_RESOLVE,
                subpass);
        if (subpass->fragment_shading_rate.attachment != attachment)
            continue;
        usage.uses |= USE_SHADING_RATE;
        if (subpass->shading_rate_texel_size.width > usage.texel.width)
            usage.texel.width = subpass->shading_rate_texel_size.width;
        if (subpass->shading_rate_texel_size.height > usage.texel.height)
            usage.texel.height = subpass->shading_rate_texel_size.height;
    }
    return usage;
}

/* Usages that the uses of an attachment require. They are checked against the view, or in imageless
 * framebuffers against VkFramebufferAttachmentImageInfo. */
static const struct {
    enum rule view, imageless;
    uint32_t uses;
    VkImageUsageFlagBits usage;
} usage_rules[] = {
    {RULE_00877, RULE_03201, USE_COLOR | USE_RESOLVE, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
    {RULE_02633, RULE_03202, USE_DEPTH_STENCIL, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
    {RULE_02634, RULE_03203, USE_DEPTH_STENCIL_RESOLVE,
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
    {RULE_00879, RULE_03204, USE_INPUT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT},
    {RULE_04548, RULE_04549, USE_SHADING_RATE,
     VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR},
};

/* Names the first use of the attachment as one of these kinds. An example is "color attachment 1 of
 * subpass 0 (attachment 3 of the render pass)". */
static COLD const char *use_text(const struct framebuffer_check *c, uint32_t attachment,
                                 uint32_t uses, struct attachment_text *text)
{
    for (uint32_t i = 0; i < c->pass->subpass_count; i++) {
        const struct subpass *subpass = &c->pass->subpasses[i];
        const struct {
            uint32_t use;
            enum attachment_kind kind;
            const struct attachment_reference *references;
            uint32_t count;
        } lists[] = {
            {USE_COLOR, ATTACHMENT_COLOR, subpass->colors, subpass->color_count},
            {USE_RESOLVE, ATTACHMENT_RESOLVE, subpass->resolves,
             subpass->resolves ? subpass->color_count : 0},
            {USE_INPUT, ATTACHMENT_INPUT, subpass->inputs, subpass->input_count},
            {USE_DEPTH_STENCIL, ATTACHMENT_DEPTH_STENCIL, &subpass->depth_stencil, 1},
            {USE_DEPTH_STENCIL_RESOLVE, ATTACHMENT_DEPTH_STENCIL_RESOLVE,
             &subpass->depth_stencil_resolve, 1},
        };
        for (uint32_t k = 0; k < ARRAY_LENGTH(lists); k++) {
            /* Lists of other kinds of uses are skipped. */
            for (uint32_t j = 0; uses & lists[k].use && j < lists[k].count; j++) {
                if (lists[k].references[j].attachment == attachment)
                    return subpass_attachment_text(c->s.call, lists[k].kind, j, i, attachment, NULL,
                                                   text);
            }
        }
        if (uses & USE_SHADING_RATE && subpass->fragment_shading_rate.attachment == attachment)
            return subpass_attachment_text(c->s.call, ATTACHMENT_SHADING_RATE, 0, i, attachment,
                                           NULL, text);
    }
    (void)snprintf(text->text, sizeof(text->text), "attachment %u of the render pass", attachment);
    return text->text;
}
/* The text that names a use of an attachment by the render pass. */
#define USE_TEXT(c_, attachment_, uses_) \
    use_text((c_), (attachment_), (uses_), &(struct attachment_text){.text = ""})

/* Checks that an attachment has the usage for its uses. `view`: NULL if the framebuffer is
 * imageless. */
static void framebuffer_check_usage(struct framebuffer_check *c, const struct location *where,
                                    uint32_t attachment, uint32_t uses, VkImageUsageFlags usage,
                                    const struct image_view *view)
{
    for (uint32_t i = 0; i < ARRAY_LENGTH(usage_rules); i++) {
        if (!(uses & usage_rules[i].uses) || usage & usage_rules[i].usage)
            continue;
        const struct location at = LOCATION(where, "usage");
        const char *use = USE_TEXT(c, attachment, usage_rules[i].uses);
        struct value_text has = value_text(VALUES_VkImageUsageFlags, usage),
                          needs = value_text(VALUES_VkImageUsageFlags, usage_rules[i].usage);
        if (view)
            BROKEN_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), usage_rules[i].view, where,
                      "(%s) is created with %s, but it is %s, which needs %s",
                      VIEW(c->s.call, view), has.text, use, needs.text);
        else
            BROKEN_OF(&c->s, OBJECT(HANDLE_RENDER_PASS, c->info->renderPass),
                      usage_rules[i].imageless, &at, "is %s, but it is for %s, which needs %s",
                      has.text, use, needs.text);
    }
}

/* True if a shading rate attachment may be smaller than the framebuffer. "If the maintenance7
 * feature is not enabled or the robustFragmentShadingRateAttachmentAccess limit is VK_FALSE or
 * ..." */
static bool rate_may_be_small(const struct device *device)
{
    return device_has_feature(device, FEATURE_maintenance7) &&
           device->extended.Maintenance7PropertiesKHR.robustFragmentShadingRateAttachmentAccess;
}

/* --- views --- */

/* Checks that a view is large enough for the framebuffer. An unknown image is not checked. */
static void check_view_extent(struct framebuffer_check *c, const struct location *where,
                              const struct usage *usage, const struct image_view *view)
{
    assert(usage && view);
    const struct image *image = image_by_id(view->image);
    uint32_t layers = view->range.layerCount;
    const VkExtent2D density =
        c->s.call->device->extended.FragmentDensityMapPropertiesEXT.maxFragmentDensityTexelSize;
    if (usage->uses & USES_RENDERED) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04533,
                   !image || image->extent.width >= c->info->width, where,
                   "(%s) is of an image that is %u texels wide, but width is %u",
                   VIEW(c->s.call, view), image->extent.width, c->info->width);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04534,
                   !image || image->extent.height >= c->info->height, where,
                   "(%s) is of an image that is %u texels high, but height is %u",
                   VIEW(c->s.call, view), image->extent.height, c->info->height);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04535,
                   layers >= c->info->layers, where, "(%s) has %u layers, but layers is %u",
                   VIEW(c->s.call, view), layers, c->info->layers);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04536,
                   layers >= views_of(c->views), where,
                   "(%s) has %u layers, but the render pass has views 0x%x", VIEW(c->s.call, view),
                   layers, c->views);
    }
    if (usage->uses & USE_DENSITY_MAP) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_02552,
                   !(view->image_flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT), where,
                   "(%s) is the fragment density map, but of an image with "
                   "VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT",
                   VIEW(c->s.call, view));
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_02746,
                   layers == 1 || (c->views && layers >= views_of(c->views)), where,
                   "(%s) is the fragment density map, but has %u layers", VIEW(c->s.call, view),
                   layers);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_02555,
                   view->extent.width >= texels_for(c->info->width, density.width), where,
                   "(%s) is the fragment density map, but %u texels wide, too few for a width of "
                   "%u",
                   VIEW(c->s.call, view), view->extent.width, c->info->width);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_02556,
                   view->extent.height >= texels_for(c->info->height, density.height), where,
                   "(%s) is the fragment density map, but %u texels high, too few for a height of "
                   "%u",
                   VIEW(c->s.call, view), view->extent.height, c->info->height);
    }
    /* The rest is about shading rate attachments, whose texels cover several pixels each. */
    if (!(usage->uses & USE_SHADING_RATE))
        return;
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04537,
               !c->views || layers == 1 || layers >= views_of(c->views), where,
               "(%s) is a shading rate attachment of %u layers, but the render pass has views 0x%x",
               VIEW(c->s.call, view), layers, c->views);
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04538,
               c->views || layers == 1 || layers >= c->info->layers, where,
               "(%s) is a shading rate attachment of %u layers, but layers is %u",
               VIEW(c->s.call, view), layers, c->info->layers);
    /* In this case the attachment may be smaller than the framebuffer. */
    if (rate_may_be_small(c->s.call->device) && view->range.baseMipLevel == 0)
        return;
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04539,
               view->extent.width >= texels_for(c->info->width, usage->texel.width), where,
               "(%s) is %u texels wide, too few for a width of %u with texels of %u",
               VIEW(c->s.call, view), view->extent.width, c->info->width, usage->texel.width);
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_04540,
               view->extent.height >= texels_for(c->info->height, usage->texel.height), where,
               "(%s) is %u texels high, too few for a height of %u with texels of %u",
               VIEW(c->s.call, view), view->extent.height, c->info->height, usage->texel.height);
}

/* Checks one view of a framebuffer against attachment `number` of its render pass. */
static void framebuffer_check_view(struct framebuffer_check *c, const struct location *where,
                                   uint32_t number, const struct image_view *view)
{
    assert(view && number < c->pass->attachment_count);
    const VkAttachmentDescription *description = &c->pass->attachments[number].description;
    const struct usage usage = usage_of(c->pass, number);
    const struct image *image = image_by_id(view->image);
    if (unlikely(!image_view_has_memory(view)))
        c->s.skip |= attachment_report_memory(
            c->s.call, UNASSIGNED_VkFramebufferCreateInfo_BoundResourceFreedMemoryAccess, where,
            view);
    framebuffer_check_usage(c, where, number, usage.uses, view->usage, view);
    check_view_extent(c, where, &usage, view);
    /* each element of pAttachments that is used as a resolve attachment by renderPass must not be
     * bound to a VkDeviceMemory object allocated from a VkMemoryHeap with the
     * VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM property */
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_12327,
               !(usage.uses & (USE_RESOLVE | USE_DEPTH_STENCIL_RESOLVE)) ||
                   !attachment_is_in_tiles(c->s.call, view),
               where, "(%s) lies in tile memory, but is %s", VIEW(c->s.call, view),
               USE_TEXT(c, number, USE_RESOLVE | USE_DEPTH_STENCIL_RESOLVE));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_02553,
               c->pass->density_map.attachment == VK_ATTACHMENT_UNUSED ||
                   usage.uses & USE_DENSITY_MAP ||
                   device_has_feature(c->s.call->device,
                                      FEATURE_fragmentDensityMapNonSubsampledImages) ||
                   view->image_flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT,
               where,
               "(%s) is of an image without VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT, but the render "
               "pass "
               "has "
               "a fragment density map",
               VIEW(c->s.call, view));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_00880,
               view->format == description->format, where,
               "(%s) has the format %s, but attachment %u of the render pass has %s",
               VIEW(c->s.call, view), TEXT_OF(VkFormat, view->format), number,
               TEXT_OF(VkFormat, description->format));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_00881,
               view->samples == description->samples, where,
               "(%s) has %s, but attachment %u of the render pass has %s", VIEW(c->s.call, view),
               TEXT_OF(VkSampleCountFlagBits, view->samples), number,
               TEXT_OF(VkSampleCountFlagBits, description->samples));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_00891,
               !image || image->type != VK_IMAGE_TYPE_3D ||
                   !format_is_depth_stencil(view->format) ||
                   (view->type != VK_IMAGE_VIEW_TYPE_2D &&
                    view->type != VK_IMAGE_VIEW_TYPE_2D_ARRAY),
               where, "(%s) is a two-dimensional view of a 3D image with a depth/stencil format",
               VIEW(c->s.call, view));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, c->info->renderPass), RULE_06881,
               !(usage.uses & USE_SINGLE_SAMPLED) ||
                   description->samples != VK_SAMPLE_COUNT_1_BIT ||
                   view->image_flags &
                       VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT,
               where,
               "(%s) is of an image without "
               "VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT, but it is %s, where "
               "VkMultisampledRenderToSingleSampledInfoEXT enables that",
               VIEW(c->s.call, view),
               USE_TEXT(c, number, USE_COLOR | USE_DEPTH_STENCIL | USE_INPUT));
}

/* --- imageless --- */

/* True if the list of view formats has the format. */
static bool has_format(const VkFramebufferAttachmentImageInfo *image, VkFormat format)
{
    for (uint32_t i = 0; i < image->viewFormatCount && image->pViewFormats; i++) {
        if (image->pViewFormats[i] == format)
            return true;
    }
    return false;
}

/* Checks one image of an imageless framebuffer against attachment `number` of its render pass. */
static void framebuffer_check_image(struct framebuffer_check *c, const struct location *where,
                                    uint32_t number, const VkFramebufferAttachmentImageInfo *image)
{
    assert(image && number < c->pass->attachment_count);
    const struct usage usage = usage_of(c->pass, number);
    const VkExtent2D density =
        c->s.call->device->extended.FragmentDensityMapPropertiesEXT.maxFragmentDensityTexelSize;
    const VkFramebufferCreateInfo *info = c->info;
    VkFormat format = c->pass->attachments[number].description.format;
    /* NULL: an imageless framebuffer has no views yet. */
    framebuffer_check_usage(c, where, number, usage.uses, image->usage, NULL);
    if (usage.uses & USES_RENDERED) {
        REQUIRE(&c->s, RULE_04541, image->width >= info->width, &LOCATION(where, "width"),
                "is %u, but the framebuffer's is %u", image->width, info->width);
        REQUIRE(&c->s, RULE_04542, image->height >= info->height, &LOCATION(where, "height"),
                "is %u, but the framebuffer's is %u", image->height, info->height);
        REQUIRE(&c->s, RULE_03198,
                !c->pass->multiview || image->layerCount >= views_of(usage.views),
                &LOCATION(where, "layerCount"), "is %u, but it is used with views 0x%x",
                image->layerCount, usage.views);
        REQUIRE(&c->s, RULE_04546, c->pass->multiview || image->layerCount >= info->layers,
                &LOCATION(where, "layerCount"), "is %u, but the framebuffer has %u layers",
                image->layerCount, info->layers);
    }
    if (usage.uses & USE_DENSITY_MAP) {
        REQUIRE(&c->s, RULE_03196, image->width >= texels_for(info->width, density.width),
                &LOCATION(where, "width"), "is %u, too few for a framebuffer of width %u",
                image->width, info->width);
        REQUIRE(&c->s, RULE_03197, image->height >= texels_for(info->height, density.height),
                &LOCATION(where, "height"), "is %u, too few for a framebuffer of height %u",
                image->height, info->height);
    }
    if (usage.uses & USE_SHADING_RATE) {
        REQUIRE(&c->s, RULE_04545,
                c->views || image->layerCount == 1 || image->layerCount >= info->layers,
                &LOCATION(where, "layerCount"), "is %u, but the framebuffer has %u layers",
                image->layerCount, info->layers);
        REQUIRE(&c->s, RULE_04587,
                !c->views || image->layerCount == 1 || image->layerCount >= views_of(c->views),
                &LOCATION(where, "layerCount"), "is %u, but the render pass has views 0x%x",
                image->layerCount, c->views);
        bool small = rate_may_be_small(c->s.call->device);
        REQUIRE(&c->s, RULE_04543,
                small || image->width >= texels_for(info->width, usage.texel.width),
                &LOCATION(where, "width"),
                "is %u, too few for a framebuffer of width %u with texels of %u", image->width,
                info->width, usage.texel.width);
        REQUIRE(&c->s, RULE_04544,
                small || image->height >= texels_for(info->height, usage.texel.height),
                &LOCATION(where, "height"),
                "is %u, too few for a framebuffer of height %u with texels of %u", image->height,
                info->height, usage.texel.height);
    }
    REQUIRE(&c->s, RULE_03205, has_format(image, format), &LOCATION(where, "pViewFormats"),
            "has no %s, which attachment %u of the render pass has", TEXT_OF(VkFormat, format),
            number);
    for (uint32_t i = 0; image->pViewFormats && i < image->viewFormatCount; i++)
        REQUIRE_OF(&c->s, NULL, RULE_09536, image->pViewFormats[i] != VK_FORMAT_UNDEFINED,
                   &LOCATION_INDEX(where, "pViewFormats", i), "is VK_FORMAT_UNDEFINED");
}

/* Checks the descriptions of an imageless framebuffer's images. */
static void check_imageless(struct framebuffer_check *c)
{
    const VkFramebufferAttachmentsCreateInfo *images =
        chain_find(c->info->pNext, VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
    const struct location where = LOCATION_CHAINED(&c->where, "VkFramebufferAttachmentsCreateInfo");
    REQUIRE(&c->s, RULE_03190,
            images || !device_has_feature(c->s.call->device, FEATURE_imagelessFramebuffer),
            &LOCATION(&c->where, "pNext"),
            "has no VkFramebufferAttachmentsCreateInfo, but flags includes "
            "VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT");
    if (!images)
        return;
    uint32_t count = images->attachmentImageInfoCount;
    REQUIRE(&c->s, RULE_03191, !count || count == c->info->attachmentCount,
            &LOCATION(&where, "attachmentImageInfoCount"), "is %u, but attachmentCount is %u",
            count, c->info->attachmentCount);
    for (uint32_t i = 0;
         images->pAttachmentImageInfos && i < count && i < c->pass->attachment_count; i++)
        framebuffer_check_image(c, &LOCATION_INDEX(&where, "pAttachmentImageInfos", i), i,
                                &images->pAttachmentImageInfos[i]);
}

/* --- the whole --- */

/* Checks the layers and the number of attachments against the render pass, if that is known. */
static void framebuffer_check_size(struct framebuffer_check *c)
{
    const VkFramebufferCreateInfo *info = c->info;
    if (!c->pass)
        return;
    REQUIRE(&c->s, RULE_02531, !c->pass->multiview || info->layers == 1,
            &LOCATION(&c->where, "layers"), "is %u, but the render pass has views", info->layers);
    uint32_t most = c->s.call->device->extended.FragmentDensityMapLayeredPropertiesVALVE
                        .maxFragmentDensityMapLayers;
    REQUIRE(&c->s, RULE_10830,
            !(c->pass->flags & VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE) ||
                !most || info->layers <= most,
            &LOCATION(&c->where, "layers"), "is %u, but maxFragmentDensityMapLayers is %u",
            info->layers, most);
    REQUIRE(&c->s, RULE_00876, info->attachmentCount == c->pass->attachment_count,
            &LOCATION(&c->where, "attachmentCount"),
            "is %u, but the render pass has %u attachments", info->attachmentCount,
            c->pass->attachment_count);
}

bool core_validate_CreateFramebuffer(struct call *call, VkDevice device,
                                     const VkFramebufferCreateInfo *pCreateInfo,
                                     const VkAllocationCallbacks *pAllocator,
                                     VkFramebuffer *pFramebuffer)
{
    struct framebuffer_check check = {.s = {.call = call},
                                      .info = pCreateInfo,
                                      .pass = find_render_pass(call, pCreateInfo->renderPass),
                                      .where = LOCATION_POINTER(NULL, "pCreateInfo")},
                             *c = &check;
    bool imageless = pCreateInfo->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    c->views = c->pass ? c->pass->views : 0;
    framebuffer_check_size(c);
    REQUIRE(&c->s, RULE_02778,
            imageless || !pCreateInfo->attachmentCount || pCreateInfo->pAttachments,
            &LOCATION(&c->where, "pAttachments"), "is NULL, but attachmentCount is %u",
            pCreateInfo->attachmentCount);
    if (!imageless && pCreateInfo->attachmentCount && !pCreateInfo->pAttachments)
        c->s.skip = call_stop(call, c->s.skip); /* drivers copy the attachments without a check */
    if (!c->pass)
        return c->s.skip;
    if (imageless)
        check_imageless(c);
    for (uint32_t i = 0;
         !imageless && pCreateInfo->pAttachments && i < pCreateInfo->attachmentCount; i++) {
        const struct image_view *view = find_image_view(call, pCreateInfo->pAttachments[i]);
        if (view && i < c->pass->attachment_count)
            framebuffer_check_view(c, &LOCATION_INDEX(&c->where, "pAttachments", i), i, view);
    }
    return c->s.skip;
}

bool core_validate_DestroyFramebuffer(struct call *call, VkDevice device, VkFramebuffer framebuffer,
                                      const VkAllocationCallbacks *pAllocator)
{
    const struct framebuffer *state = named_framebuffer(call, 0, framebuffer);
    /* All submitted commands that refer to framebuffer must have completed execution */
    return state &&
           in_use_check(call, &state->base, RULE(call, 00892), &LOCATION(NULL, "framebuffer"));
}
