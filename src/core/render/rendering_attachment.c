/* Checks that each attachment of a dynamic render pass instance is what it may be:
 * VkRenderingAttachmentInfo, and what VkRenderingInfo says of color, depth and stencil attachments
 * (8.5). */
#include "core/render/attachment.h"
#include "core/barrier/layout_fix.h"
#include "core/render/rendering.h"
#include "core/rule.h"

#include "state/image_layout.h"
#include "vk/chain.h"

enum info_kind { KIND_COLOR, KIND_DEPTH, KIND_STENCIL, KIND_ALL };

/* One attachment at work. */
struct attachment_check {
    enum info_kind kind;
    const VkRenderingAttachmentInfo *info;
    /* NULL: none, unknown, or (resolve) not asked for by resolveMode */
    const struct image_view *view, *resolve;
    struct location where;
};

/* imageLayout (resolveImageLayout), where there is such a view, must not be one of these. */
static const struct {
    enum rule rule;
    uint8_t kind; /* enum info_kind */
    bool resolve;
    uint32_t layouts;
} layout_rules[] = {
    {RULE_06135, KIND_ALL, false,
     LAYOUTS_NO_CONTENTS | LAYOUT_SHADER_READ_ONLY | LAYOUT_TRANSFER_SRC | LAYOUT_TRANSFER_DST},
    {RULE_06136, KIND_ALL, true,
     LAYOUTS_NO_CONTENTS | LAYOUT_DEPTH_STENCIL_READ_ONLY | LAYOUT_SHADER_READ_ONLY |
         LAYOUT_TRANSFER_SRC | LAYOUT_TRANSFER_DST},
    {RULE_06137, KIND_ALL, true, LAYOUT_DEPTH_READ_ONLY | LAYOUT_STENCIL_READ_ONLY},
    {RULE_06140, KIND_ALL, false, LAYOUT_DENSITY_MAP},
    {RULE_06141, KIND_ALL, true, LAYOUT_DENSITY_MAP},
    {RULE_06142, KIND_ALL, true, LAYOUT_READ_ONLY},
    {RULE_06145, KIND_ALL, false, LAYOUT_PRESENT_SRC},
    {RULE_06146, KIND_ALL, true, LAYOUT_PRESENT_SRC},
    {RULE_06090, KIND_COLOR, false, LAYOUTS_DEPTH_STENCIL},
    {RULE_06091, KIND_COLOR, true, LAYOUTS_DEPTH_STENCIL},
    {RULE_06096, KIND_COLOR, false, LAYOUTS_MIXED},
    {RULE_06097, KIND_COLOR, true, LAYOUTS_MIXED},
    {RULE_06100, KIND_COLOR, false, LAYOUTS_SEPARATE},
    {RULE_06101, KIND_COLOR, true, LAYOUTS_SEPARATE},
    {RULE_06092, KIND_DEPTH, false, LAYOUT_COLOR_ATTACHMENT},
    {RULE_06093, KIND_DEPTH, true, LAYOUT_COLOR_ATTACHMENT},
    {RULE_06098, KIND_DEPTH, true, LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT},
    {RULE_07732, KIND_DEPTH, false, LAYOUTS_STENCIL},
    {RULE_07733, KIND_DEPTH, true, LAYOUTS_STENCIL},
    {RULE_06094, KIND_STENCIL, false, LAYOUT_COLOR_ATTACHMENT},
    {RULE_06095, KIND_STENCIL, true, LAYOUT_COLOR_ATTACHMENT},
    {RULE_06099, KIND_STENCIL, true, LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY},
    {RULE_07734, KIND_STENCIL, false, LAYOUTS_DEPTH},
    {RULE_07735, KIND_STENCIL, true, LAYOUTS_DEPTH},
};

static const char *const kind_texts[] = {"a color attachment", "a depth attachment",
                                         "a stencil attachment"};

static COLD void report_layout(struct rendering_check *c, const struct attachment_check *a,
                               enum rule rule, bool resolve)
{
    VkImageLayout layout = resolve ? a->info->resolveImageLayout : a->info->imageLayout;
    BROKEN_OF(&c->s, NULL, rule,
              &LOCATION(&a->where, resolve ? "resolveImageLayout" : "imageLayout"),
              resolve ? "is %s, in which %s cannot be resolved to" : "is %s, in which %s cannot be",
              TEXT_OF(VkImageLayout, layout), kind_texts[a->kind]);
}

static void check_layouts(struct rendering_check *c, const struct attachment_check *a)
{
    uint32_t image = a->info->imageView ? layout_set_of(a->info->imageLayout) : 0;
    bool resolves = a->info->resolveMode != VK_RESOLVE_MODE_NONE && a->info->resolveImageView;
    uint32_t resolve = resolves ? layout_set_of(a->info->resolveImageLayout) : 0;
    const uint32_t harmless = LAYOUT_GENERAL | LAYOUT_ATTACHMENT;
    if (!((image | resolve) & ~harmless))
        return;
    for (uint32_t i = 0; i < ARRAY_LENGTH(layout_rules); i++) {
        bool applies = layout_rules[i].kind == KIND_ALL || layout_rules[i].kind == a->kind;
        if (applies && layout_rules[i].layouts & (layout_rules[i].resolve ? resolve : image))
            report_layout(c, a, layout_rules[i].rule, layout_rules[i].resolve);
    }
    /* SHADING_RATE_OPTIMAL_NV and FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR are one value */
    bool nv = call_has_extension(c->s.call, EXTENSION_VK_NV_shading_rate_image);
    if (image & LAYOUT_SHADING_RATE)
        report_layout(c, a, nv ? RULE_06138 : RULE_06143, false);
    if (resolve & LAYOUT_SHADING_RATE)
        report_layout(c, a, nv ? RULE_06139 : RULE_06144, true);
}

/* Rules of color, depth and stencil attachments that say the same. */
struct kind_rules {
    VkImageUsageFlagBits usage;
    enum rule view_usage, resolve_usage, view_swizzle, resolve_swizzle, layers, views;
};
static const struct kind_rules kind_rules[] = {
    {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, RULE_06087, RULE_09476, RULE_09479, RULE_09480,
     RULE_10859, RULE_12403},
    {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, RULE_06088, RULE_09477, RULE_09481, RULE_09482,
     RULE_10860, RULE_12404},
    {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, RULE_06089, RULE_09478, RULE_09483, RULE_09484,
     RULE_10861, RULE_12405},
};

/* What is asked of a view that is rendered or resolved to. */
static void check_view(struct rendering_check *c, const struct attachment_check *a,
                       const struct image_view *view, bool resolve)
{
    const struct kind_rules *rules = &kind_rules[a->kind];
    const char *name = resolve ? "resolveImageView" : "imageView";
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE),
               resolve ? rules->resolve_usage : rules->view_usage, view->usage & rules->usage,
               &LOCATION(&a->where, name), "(%s) is not created with %s, but with %s",
               VIEW(c->s.call, view), value_text(VALUES_VkImageUsageFlags, rules->usage).text,
               value_text(VALUES_VkImageUsageFlags, view->usage).text);
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE),
               resolve ? rules->resolve_swizzle : rules->view_swizzle,
               is_identity(&view->components), &LOCATION(&a->where, name),
               "(%s) is not created with the identity swizzle", VIEW(c->s.call, view));
    if (c->info->viewMask)
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), rules->views,
                   view->range.layerCount >= views_of(c->info->viewMask),
                   &LOCATION(&a->where, name), "(%s) has %u layers, but viewMask is 0x%x",
                   VIEW(c->s.call, view), view->range.layerCount, c->info->viewMask);
    else
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), rules->layers,
                   view->range.layerCount >= c->info->layerCount, &LOCATION(&a->where, name),
                   "(%s) has %u layers, but VkRenderingInfo::layerCount is %u",
                   VIEW(c->s.call, view), view->range.layerCount, c->info->layerCount);
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), resolve ? RULE_12471 : RULE_12470,
               view->type != VK_IMAGE_VIEW_TYPE_3D, &LOCATION(&a->where, name),
               "(%s) is of type VK_IMAGE_VIEW_TYPE_3D", VIEW(c->s.call, view));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), resolve ? RULE_12487 : RULE_12486,
               view->range.levelCount == 1, &LOCATION(&a->where, name),
               "(%s) has %u mip levels, but only one can be rendered to", VIEW(c->s.call, view),
               view->range.levelCount);
}

static void check_aspect(struct rendering_check *c, const struct attachment_check *a)
{
    if (a->kind == KIND_DEPTH)
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), RULE_06547,
                   format_has_depth(a->view->format) || !format_info(a->view->format),
                   &LOCATION(&a->where, "imageView"), "(%s) has the format %s, which has no depth",
                   VIEW(c->s.call, a->view), TEXT_OF(VkFormat, a->view->format));
    if (a->kind == KIND_STENCIL)
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), RULE_06548,
                   format_has_stencil(a->view->format) || !format_info(a->view->format),
                   &LOCATION(&a->where, "imageView"),
                   "(%s) has the format %s, which has no stencil", VIEW(c->s.call, a->view),
                   TEXT_OF(VkFormat, a->view->format));
}

static void check_resolve_mode(struct rendering_check *c, const struct attachment_check *a)
{
    const VkPhysicalDeviceDepthStencilResolveProperties *properties =
        &c->s.call->device->extended.DepthStencilResolveProperties;
    const VkResolveModeFlags special =
        VK_RESOLVE_MODE_CUSTOM_BIT_EXT | VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_BIT_ANDROID;
    VkResolveModeFlags mode = a->info->resolveMode;
    VkFormat format = a->view->format;
    if (a->kind == KIND_COLOR && format_is_color(format)) {
        if (format_is_integer(format))
            REQUIRE(&c->s, RULE_06130, mode & (special | VK_RESOLVE_MODE_SAMPLE_ZERO_BIT),
                    &LOCATION(&a->where, "resolveMode"), "is %s, but %s is an integer format",
                    TEXT_OF(VkResolveModeFlagBits, mode), TEXT_OF(VkFormat, format));
        else
            REQUIRE(&c->s, RULE_06129, mode & (special | VK_RESOLVE_MODE_AVERAGE_BIT),
                    &LOCATION(&a->where, "resolveMode"), "is %s, but %s is not an integer format",
                    TEXT_OF(VkResolveModeFlagBits, mode), TEXT_OF(VkFormat, format));
    }
    if (!properties->supportedDepthResolveModes || mode & special)
        return;
    REQUIRE(&c->s, RULE_06102,
            a->kind != KIND_DEPTH || mode & properties->supportedDepthResolveModes,
            &LOCATION(&a->where, "resolveMode"), "is %s, but supportedDepthResolveModes is %s",
            TEXT_OF(VkResolveModeFlagBits, mode),
            value_text(VALUES_VkResolveModeFlags, properties->supportedDepthResolveModes).text);
    REQUIRE(&c->s, RULE_06103,
            a->kind != KIND_STENCIL || mode & properties->supportedStencilResolveModes,
            &LOCATION(&a->where, "resolveMode"), "is %s, but supportedStencilResolveModes is %s",
            TEXT_OF(VkResolveModeFlagBits, mode),
            value_text(VALUES_VkResolveModeFlags, properties->supportedStencilResolveModes).text);
}

/* resolveMode is not NONE. */
static void check_resolve(struct rendering_check *c, const struct attachment_check *a)
{
    const VkRenderingAttachmentInfo *info = a->info;
    bool one = a->view->samples == VK_SAMPLE_COUNT_1_BIT,
         downsamples = info->resolveMode == VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_BIT_ANDROID;
    check_resolve_mode(c, a);
    if (!c->single_sampled) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), RULE_06861, !one || downsamples,
                   &LOCATION(&a->where, "imageView"),
                   "(%s) has one sample: there is nothing to resolve, but resolveMode is not "
                   "VK_RESOLVE_MODE_NONE",
                   VIEW(c->s.call, a->view));
        REQUIRE(&c->s, RULE_06862, info->resolveImageView, &LOCATION(&a->where, "resolveImageView"),
                "is VK_NULL_HANDLE, but resolveMode is not VK_RESOLVE_MODE_NONE");
    } else {
        REQUIRE(&c->s, RULE_06863, !one || !info->resolveImageView,
                &LOCATION(&a->where, "resolveImageView"),
                "is not VK_NULL_HANDLE, but imageView has one sample, and "
                "multisampledRenderToSingleSampledEnable is VK_TRUE");
    }
    if (!a->resolve)
        return;
    REQUIRE_OF(&c->s, VIEW_OBJECTS(a->resolve, VK_NULL_HANDLE), RULE_06864,
               a->resolve->samples == VK_SAMPLE_COUNT_1_BIT,
               &LOCATION(&a->where, "resolveImageView"), "(%s) has %s, but one is resolved to",
               VIEW(c->s.call, a->resolve), TEXT_OF(VkSampleCountFlagBits, a->resolve->samples));
    REQUIRE_OF(&c->s, VIEW_OBJECTS(a->resolve, VK_NULL_HANDLE), RULE_06865,
               a->resolve->format == a->view->format || downsamples ||
                   info->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT,
               &LOCATION(&a->where, "resolveImageView"),
               "(%s) has the format %s, but imageView (%s) has %s", VIEW(c->s.call, a->resolve),
               TEXT_OF(VkFormat, a->resolve->format), VIEW(c->s.call, a->view),
               TEXT_OF(VkFormat, a->view->format));
}

/* VkRenderingAttachmentFlagsInfoKHR */
static void check_attachment_flags(struct rendering_check *c, const struct attachment_check *a)
{
    const VkRenderingAttachmentFlagsInfoKHR *flags =
        chain_find(a->info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR);
    const VkRenderingAttachmentFlagsKHR
        skip = VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR,
        enable = VK_RENDERING_ATTACHMENT_RESOLVE_ENABLE_TRANSFER_FUNCTION_BIT_KHR,
        feedback = VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR;
    if (!flags || !flags->flags)
        return;
    const struct device *device = c->s.call->device;
    const struct location where = LOCATION_CHAINED(&a->where, "VkRenderingAttachmentFlagsInfoKHR");
    const struct image *image = a->view ? image_by_id(a->view->image) : NULL;
    if (flags->flags & (skip | enable)) {
        REQUIRE(&c->s, RULE_11756, (flags->flags & (skip | enable)) != (skip | enable),
                &LOCATION(&where, "flags"), "skips and enables the transfer function of resolves");
        REQUIRE(&c->s, RULE_11757,
                device->extended.Maintenance10PropertiesKHR
                    .resolveSrgbFormatSupportsTransferFunctionControl,
                &LOCATION(&where, "flags"),
                "controls the transfer function of resolves, which the device cannot "
                "(resolveSrgbFormatSupportsTransferFunctionControl is VK_FALSE)");
        REQUIRE(&c->s, RULE_11752, !a->view || format_is_srgb(a->view->format),
                &LOCATION(&a->where, "imageView"),
                "has the format %s, which is not an sRGB format, but flags controls the transfer "
                "function of resolves",
                TEXT_OF(VkFormat, a->view->format));
        REQUIRE(&c->s, RULE_11753, a->info->resolveMode == VK_RESOLVE_MODE_AVERAGE_BIT,
                &LOCATION(&a->where, "resolveMode"),
                "is %s, not VK_RESOLVE_MODE_AVERAGE_BIT, but flags controls the transfer "
                "function of resolves",
                value_text(VALUES_VkResolveModeFlagBits, a->info->resolveMode).text);
    }
    if (!(flags->flags & feedback))
        return;
    REQUIRE(&c->s, RULE_11754, !image || image->usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
            &LOCATION(&a->where, "imageView"),
            "is of an image without VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, but flags has "
            "VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR");
    REQUIRE(&c->s, RULE_11755, device_has_feature(device, FEATURE_dynamicRenderingLocalRead),
            &LOCATION(&where, "flags"),
            "includes VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR, but the feature "
            "dynamicRenderingLocalRead is not enabled");
    REQUIRE(&c->s, RULE_11751,
            c->info->flags & VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR,
            &LOCATION(&where, "flags"),
            "includes VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR, but "
            "VkRenderingInfo::flags has no "
            "VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR");
}

/* The view is large enough for the render area (of each device). */
static void check_extent(struct rendering_check *c, const struct attachment_check *a)
{
    const VkDeviceGroupRenderPassBeginInfo *group = device_render_areas(c->info->pNext);
    uint32_t count = group ? group->deviceRenderAreaCount : 1;
    const VkRect2D *areas = group ? group->pDeviceRenderAreas : &c->info->renderArea;
    VkExtent3D extent = a->view->extent;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), group ? RULE_06083 : RULE_06079,
                   rect_right(&areas[i]) <= extent.width, &LOCATION(&a->where, "imageView"),
                   "(%s) is %u texels wide, but the render area ends at %lld",
                   VIEW(c->s.call, a->view), extent.width, (long long)rect_right(&areas[i]));
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), group ? RULE_06084 : RULE_06080,
                   rect_bottom(&areas[i]) <= extent.height, &LOCATION(&a->where, "imageView"),
                   "(%s) is %u texels high, but the render area ends at %lld",
                   VIEW(c->s.call, a->view), extent.height, (long long)rect_bottom(&areas[i]));
    }
}

/* Checks that the commands recorded so far do not leave the view in another layout. */
static void check_current_layout(struct rendering_check *c, const struct attachment_check *a,
                                 bool resolve)
{
    static const enum rule rules[][2] = {
        {RULE_09592, RULE_09593}, {RULE_09588, RULE_09589}, {RULE_09590, RULE_09591}};
    static const VkImageAspectFlags aspects[] = {~(VkImageAspectFlags)0, VK_IMAGE_ASPECT_DEPTH_BIT,
                                                 VK_IMAGE_ASPECT_STENCIL_BIT};
    const struct image_view *view = resolve ? a->resolve : a->view;
    const struct image *image = view ? image_by_id(view->image) : NULL;
    VkImageLayout layout = resolve ? a->info->resolveImageLayout : a->info->imageLayout;
    struct layout_mismatch mismatch;
    if (!image || !c->command_buffer)
        return;
    /* "When imageView is accessed": where it is neither loaded nor stored, only draws do that, and
     * they may not. */
    if (!resolve && a->info->loadOp == VK_ATTACHMENT_LOAD_OP_NONE &&
        a->info->storeOp == VK_ATTACHMENT_STORE_OP_NONE)
        return;
    VkImageSubresourceRange range = view->range;
    if (a->kind != KIND_COLOR)
        range.aspectMask = image->aspects & aspects[a->kind];
    range.levelCount = 1;
    range.layerCount = 1; /* further ones may not be rendered to */
    if (!range.aspectMask ||
        !command_buffer_layout_differs(c->command_buffer, image, &range, layout, &mismatch))
        return;
    struct value_text found = value_text(VALUES_VkImageLayout, mismatch.found);
    struct attachment_text name;
    c->s.skip |=
        finding_with_fix(c->s.call, rule_vuid(c->s.call->command, rules[a->kind][resolve]),
                         &LOCATION(&a->where, resolve ? "resolveImageLayout" : "imageLayout"),
                         OBJECT2(HANDLE_IMAGE_VIEW, object_state_handle(&view->base), HANDLE_IMAGE,
                                 object_state_handle(&image->base)),
                         fix_transition(mismatch.found, layout),
                         "is %s, but the commands before leave the image in %s (%s is %s)",
                         TEXT_OF(VkImageLayout, layout), found.text,
                         resolve ? "resolveImageView" : "imageView",
                         view_text(c->s.call, view, &name));
}

static void check_attachment(struct rendering_check *c, enum info_kind kind,
                             const VkRenderingAttachmentInfo *info, const struct location *where)
{
    bool resolves = info->resolveMode != VK_RESOLVE_MODE_NONE;
    const struct attachment_check a = {
        .kind = kind,
        .info = info,
        .view = find_image_view(c->s.call, info->imageView),
        .resolve = resolves ? find_image_view(c->s.call, info->resolveImageView) : NULL,
        .where = *where};
    check_layouts(c, &a);
    if (info->pNext)
        check_attachment_flags(c, &a);
    REQUIRE(&c->s, RULE_11515,
            info->resolveMode != VK_RESOLVE_MODE_CUSTOM_BIT_EXT ||
                c->info->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT,
            &LOCATION(where, "resolveMode"),
            "is VK_RESOLVE_MODE_CUSTOM_BIT_EXT, but flags has no "
            "VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT");
    REQUIRE(&c->s, RULE_11516,
            !resolves || info->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT ||
                !(c->info->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT),
            &LOCATION(where, "resolveMode"),
            "is %s, but flags has VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT",
            value_text(VALUES_VkResolveModeFlagBits, info->resolveMode).text);
    if (!a.view)
        return;
    check_view(c, &a, a.view, false);
    check_aspect(c, &a);
    check_extent(c, &a);
    check_current_layout(c, &a, false);
    REQUIRE(&c->s, RULE_12256,
            resolves || !c->single_sampled || a.view->samples != VK_SAMPLE_COUNT_1_BIT ||
                info->storeOp != VK_ATTACHMENT_STORE_OP_STORE,
            &LOCATION(where, "resolveMode"),
            "is VK_RESOLVE_MODE_NONE, but an attachment with one sample is stored, and "
            "multisampledRenderToSingleSampledEnable is VK_TRUE");
    if (!resolves)
        return;
    check_resolve(c, &a);
    if (a.resolve) {
        check_view(c, &a, a.resolve, true);
        check_current_layout(c, &a, true);
    }
}

void check_rendering_attachments(struct rendering_check *c)
{
    const VkRenderingInfo *info = c->info;
    for (uint32_t i = 0; info->pColorAttachments && i < info->colorAttachmentCount; i++)
        check_attachment(c, KIND_COLOR, &info->pColorAttachments[i],
                         &LOCATION_INDEX(&c->where, "pColorAttachments", i));
    if (info->pDepthAttachment)
        check_attachment(c, KIND_DEPTH, info->pDepthAttachment,
                         &LOCATION_POINTER(&c->where, "pDepthAttachment"));
    if (info->pStencilAttachment)
        check_attachment(c, KIND_STENCIL, info->pStencilAttachment,
                         &LOCATION_POINTER(&c->where, "pStencilAttachment"));
}
