/* Checks each attachment of a dynamic render pass instance: VkRenderingAttachmentInfo, and the
 * rules of VkRenderingInfo for color, depth and stencil attachments (8.5). */
#include "core/render/attachment.h"
#include "core/barrier/layout_fix.h"
#include "core/render/rendering.h"

#include "report/finding/rule.h"
#include "state/memory/image_layout.h"
#include "vk/chain.h"

enum info_kind { KIND_COLOR, KIND_DEPTH, KIND_STENCIL };

/* One attachment that is being checked. */
struct attachment_check {
    enum info_kind kind;
    uint32_t number;                       /* index for rendering_check_view() */
    const VkRenderingAttachmentInfo *info; /* its view is not VK_NULL_HANDLE */
    /* NULL: there is none, it is not known, or for `resolve`: resolveMode does not use it */
    const struct image_view *view, *resolve;
};

/* The location of an attachment, which only findings use. */
#define WHERE(c_, a_) ((const struct location[]){rendering_attachment_location((c_), (a_)->number)})

static const char *const kind_texts[] = {"a color attachment", "a depth attachment",
                                         "a stencil attachment"};

struct location rendering_attachment_location(const struct rendering_check *c, uint32_t i)
{
    assert(i < rendering_attachment_count(c));
    uint32_t colors = rendering_attachment_count(c) - 2;
    return i < colors ? LOCATION_INDEX(&c->where, "pColorAttachments", i)
                      : LOCATION_POINTER(&c->where,
                                         i == colors ? "pDepthAttachment" : "pStencilAttachment");
}

/* Reports a layout that an attachment of this kind cannot be in. */
static COLD void report_layout(struct rendering_check *c, const struct attachment_check *a,
                               enum rule rule, bool resolve)
{
    assert(a->info);
    VkImageLayout layout = resolve ? a->info->resolveImageLayout : a->info->imageLayout;
    BROKEN_OF(&c->s, NULL, rule,
              &LOCATION(WHERE(c, a), resolve ? "resolveImageLayout" : "imageLayout"),
              resolve ? "is %s, in which %s cannot be resolved to" : "is %s, in which %s cannot be",
              TEXT_OF(VkImageLayout, layout), kind_texts[a->kind]);
}

/* True if the layout's name is that of VK_NV_shading_rate_image, whose rules have other numbers. */
static COLD bool is_nv(const struct rendering_check *c)
{
    return call_has_extension(c->s.call, EXTENSION_VK_NV_shading_rate_image);
}

/* Checks both layouts of an attachment. Layouts without a view are ignored. */
static void rendering_attachment_check_layouts(struct rendering_check *c,
                                               const struct attachment_check *a)
{
    /* SHADING_RATE_OPTIMAL_NV is the same value */
    const VkImageLayout wrong = VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR;
    const bool resolves = a->info->resolveMode != VK_RESOLVE_MODE_NONE && a->info->resolveImageView;
    if (unlikely(a->info->imageLayout == wrong) && a->info->imageView)
        report_layout(c, a, is_nv(c) ? RULE_06138 : RULE_06143, false);
    if (resolves && unlikely(a->info->resolveImageLayout == wrong))
        report_layout(c, a, is_nv(c) ? RULE_06139 : RULE_06144, true);
}

/* Checks the view to which an attachment is rendered, or (`resolve`) resolved. */
static void rendering_attachment_check_view(struct rendering_check *c,
                                            const struct attachment_check *a,
                                            const struct image_view *view, bool resolve)
{
    const char *name = resolve ? "resolveImageView" : "imageView";
    if (unlikely(!image_view_has_memory(view)))
        c->s.skip |= attachment_report_memory(
            c->s.call, UNASSIGNED_VkRenderingAttachmentInfo_BoundResourceFreedMemoryAccess,
            &LOCATION(WHERE(c, a), name), view);
    /* the underlying resource must not be bound to a VkDeviceMemory object allocated from a
     * VkMemoryHeap with the VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM property */
    if (resolve)
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), RULE_10728,
                   !attachment_is_in_tiles(c->s.call, view), &LOCATION(WHERE(c, a), name),
                   "(%s) lies in tile memory, but is resolved to", VIEW(c->s.call, view));
    if (resolve && a->kind == KIND_COLOR) { /* rows check the other kinds */
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), RULE_09476,
                   view->usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, &LOCATION(WHERE(c, a), name),
                   "(%s) is not created with VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, but with %s",
                   VIEW(c->s.call, view), value_text(VALUES_VkImageUsageFlags, view->usage).text);
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), RULE_09480, view->identity,
                   &LOCATION(WHERE(c, a), name), "(%s) is not created with the identity swizzle",
                   VIEW(c->s.call, view));
    }
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), resolve ? RULE_12487 : RULE_12486,
               view->range.levelCount == 1, &LOCATION(WHERE(c, a), name),
               "(%s) has %u mip levels, but only one can be rendered to", VIEW(c->s.call, view),
               view->range.levelCount);
}

/* Checks that the format and the device support the resolve mode of one attachment. */
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
                    &LOCATION(WHERE(c, a), "resolveMode"), "is %s, but %s is an integer format",
                    TEXT_OF(VkResolveModeFlagBits, mode), TEXT_OF(VkFormat, format));
        else
            REQUIRE(&c->s, RULE_06129, mode & (special | VK_RESOLVE_MODE_AVERAGE_BIT),
                    &LOCATION(WHERE(c, a), "resolveMode"), "is %s, but %s is not an integer format",
                    TEXT_OF(VkResolveModeFlagBits, mode), TEXT_OF(VkFormat, format));
    }
    if (!properties->supportedDepthResolveModes || mode & special)
        return;
    REQUIRE(&c->s, RULE_06102,
            a->kind != KIND_DEPTH || mode & properties->supportedDepthResolveModes,
            &LOCATION(WHERE(c, a), "resolveMode"), "is %s, but supportedDepthResolveModes is %s",
            TEXT_OF(VkResolveModeFlagBits, mode),
            value_text(VALUES_VkResolveModeFlags, properties->supportedDepthResolveModes).text);
    REQUIRE(&c->s, RULE_06103,
            a->kind != KIND_STENCIL || mode & properties->supportedStencilResolveModes,
            &LOCATION(WHERE(c, a), "resolveMode"), "is %s, but supportedStencilResolveModes is %s",
            TEXT_OF(VkResolveModeFlagBits, mode),
            value_text(VALUES_VkResolveModeFlags, properties->supportedStencilResolveModes).text);
}

/* Checks the resolve of an attachment whose resolveMode is not NONE. */
static void check_resolve(struct rendering_check *c, const struct attachment_check *a)
{
    assert(a->view);
    const VkRenderingAttachmentInfo *info = a->info;
    bool one = a->view->samples == VK_SAMPLE_COUNT_1_BIT,
         downsamples = info->resolveMode == VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_BIT_ANDROID;
    check_resolve_mode(c, a);
    if (!c->single_sampled) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), RULE_06861, !one || downsamples,
                   &LOCATION(WHERE(c, a), "imageView"),
                   "(%s) has one sample: there is nothing to resolve, but resolveMode is not "
                   "VK_RESOLVE_MODE_NONE",
                   VIEW(c->s.call, a->view));
        REQUIRE(&c->s, RULE_06862, info->resolveImageView,
                &LOCATION(WHERE(c, a), "resolveImageView"),
                "is VK_NULL_HANDLE, but resolveMode is not VK_RESOLVE_MODE_NONE");
    } else {
        REQUIRE(&c->s, RULE_06863, !one || !info->resolveImageView,
                &LOCATION(WHERE(c, a), "resolveImageView"),
                "is not VK_NULL_HANDLE, but imageView has one sample, and "
                "multisampledRenderToSingleSampledEnable is VK_TRUE");
    }
    if (!a->resolve)
        return;
    REQUIRE_OF(&c->s, VIEW_OBJECTS(a->resolve, VK_NULL_HANDLE), RULE_06865,
               a->resolve->format == a->view->format || downsamples ||
                   info->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT,
               &LOCATION(WHERE(c, a), "resolveImageView"),
               "(%s) has the format %s, but imageView (%s) has %s", VIEW(c->s.call, a->resolve),
               TEXT_OF(VkFormat, a->resolve->format), VIEW(c->s.call, a->view),
               TEXT_OF(VkFormat, a->view->format));
}

/* Checks the use of custom resolves. resolveMode is not NONE. */
static void check_custom_resolve(struct rendering_check *c, const struct attachment_check *a)
{
    const bool custom = a->info->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT,
               in_instance = c->info->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
    REQUIRE(&c->s, RULE_11515, !custom || in_instance, &LOCATION(WHERE(c, a), "resolveMode"),
            "is VK_RESOLVE_MODE_CUSTOM_BIT_EXT, but flags has no "
            "VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT");
    REQUIRE(&c->s, RULE_11516, custom || !in_instance, &LOCATION(WHERE(c, a), "resolveMode"),
            "is %s, but flags has VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT",
            value_text(VALUES_VkResolveModeFlagBits, a->info->resolveMode).text);
}

/* Checks VkRenderingAttachmentFlagsInfoKHR. */
static void check_attachment_flags(struct rendering_check *c, const struct attachment_check *a)
{
    const VkRenderingAttachmentFlagsInfoKHR *flags =
        chain_find(a->info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR);
    const struct location where =
        LOCATION_CHAINED(WHERE(c, a), "VkRenderingAttachmentFlagsInfoKHR");
    const struct image *image = a->view ? image_by_id(a->view->image) : NULL;
    if (!flags || !(flags->flags & VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR))
        return;
    REQUIRE(&c->s, RULE_11754, !image || image->usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
            &LOCATION(WHERE(c, a), "imageView"),
            "is of an image without VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, but flags has "
            "VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR");
    REQUIRE(&c->s, RULE_11751,
            c->info->flags & VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR,
            &LOCATION(&where, "flags"),
            "includes VK_RENDERING_ATTACHMENT_INPUT_ATTACHMENT_FEEDBACK_BIT_KHR, but "
            "VkRenderingInfo::flags has no "
            "VK_RENDERING_LOCAL_READ_CONCURRENT_ACCESS_CONTROL_BIT_KHR");
}

/* Checks VkAttachmentFeedbackLoopInfoEXT. */
static void check_feedback_loop(struct rendering_check *c, const struct attachment_check *a)
{
    const VkAttachmentFeedbackLoopInfoEXT *loop =
        CHAINED(a->info->pNext, ATTACHMENT_FEEDBACK_LOOP_INFO_EXT);
    const VkImageUsageFlags usage = a->view ? a->view->usage : 0;
    if (likely(!loop) || !loop->feedbackLoopEnable || !a->view)
        return;
    REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), RULE_10780,
               usage & VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT &&
                   usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                            VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT) &&
                   usage & (VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT),
               &LOCATION(WHERE(c, a), "imageView"),
               "(%s) is created with %s, but feedbackLoopEnable needs "
               "VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT, one usage of attachments, and "
               "VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT or VK_IMAGE_USAGE_SAMPLED_BIT",
               VIEW(c->s.call, a->view), TEXT_OF(VkImageUsageFlags, usage));
}

/* Checks that the view is large enough for the render area, or for that of each device. */
static void check_extent(struct rendering_check *c, const struct attachment_check *a)
{
    const VkExtent3D extent = a->view->extent;
    if (likely(!c->info->pNext) && likely(rect_right(&c->info->renderArea) <= extent.width) &&
        likely(rect_bottom(&c->info->renderArea) <= extent.height))
        return;
    const VkDeviceGroupRenderPassBeginInfo *group = device_render_areas(c->info->pNext);
    uint32_t count = group ? group->deviceRenderAreaCount : 1;
    const VkRect2D *areas = group ? group->pDeviceRenderAreas : &c->info->renderArea;
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), group ? RULE_06083 : RULE_06079,
                   rect_right(&areas[i]) <= extent.width, &LOCATION(WHERE(c, a), "imageView"),
                   "(%s) is %u texels wide, but the render area ends at %lld",
                   VIEW(c->s.call, a->view), extent.width, (long long)rect_right(&areas[i]));
        REQUIRE_OF(&c->s, VIEW_OBJECTS(a->view, VK_NULL_HANDLE), group ? RULE_06084 : RULE_06080,
                   rect_bottom(&areas[i]) <= extent.height, &LOCATION(WHERE(c, a), "imageView"),
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
    if (!image || !c->command_buffer ||
        likely(command_buffer_layout_throughout(c->command_buffer, image) == layout))
        return;
    /* "When imageView is accessed": if it is neither loaded nor stored, only draws access it, and
     * there may be none. */
    if (!resolve && a->info->loadOp == VK_ATTACHMENT_LOAD_OP_NONE &&
        a->info->storeOp == VK_ATTACHMENT_STORE_OP_NONE)
        return;
    VkImageSubresourceRange range = view->range;
    if (a->kind != KIND_COLOR)
        range.aspectMask = image->aspects & aspects[a->kind];
    range.levelCount = 1;
    range.layerCount = 1; /* only the first layer is certainly rendered to */
    if (!range.aspectMask ||
        !command_buffer_layout_differs(c->command_buffer, image, &range, layout, &mismatch))
        return;
    struct value_text found = value_text(VALUES_VkImageLayout, mismatch.found);
    struct attachment_text name;
    c->s.skip |=
        finding_with_fix(c->s.call, rule_vuid(c->s.call->command, rules[a->kind][resolve]),
                         &LOCATION(WHERE(c, a), resolve ? "resolveImageLayout" : "imageLayout"),
                         OBJECT2(HANDLE_IMAGE_VIEW, object_state_handle(&view->base), HANDLE_IMAGE,
                                 object_state_handle(&image->base)),
                         fix_transition(mismatch.found, layout),
                         "is %s, but the commands before leave the image in %s (%s is %s)",
                         TEXT_OF(VkImageLayout, layout), found.text,
                         resolve ? "resolveImageView" : "imageView",
                         view_text(c->s.call, view, &name));
}

/* Checks one attachment. `number`: its index for rendering_check_view(). */
static ALWAYS_INLINE void rendering_attachment_check(struct rendering_check *c, enum info_kind kind,
                                                     uint32_t number,
                                                     const VkRenderingAttachmentInfo *info)
{
    assert(info);
    bool resolves = info->resolveMode != VK_RESOLVE_MODE_NONE;
    const struct attachment_check attachment = {
        .kind = kind,
        .number = number,
        .info = info,
        .view = rendering_check_view(c, number, info->imageView),
        .resolve = resolves ? find_image_view(c->s.call, info->resolveImageView) : NULL};
    const struct attachment_check *a = &attachment;
    rendering_attachment_check_layouts(c, a);
    if (info->pNext) {
        check_attachment_flags(c, a);
        check_feedback_loop(c, a);
    }
    if (unlikely(resolves))
        check_custom_resolve(c, a);
    if (!a->view)
        return;
    rendering_attachment_check_view(c, a, a->view, false);
    check_extent(c, a);
    check_current_layout(c, a, false);
    REQUIRE(&c->s, RULE_12256,
            resolves || !c->single_sampled || a->view->samples != VK_SAMPLE_COUNT_1_BIT ||
                info->storeOp != VK_ATTACHMENT_STORE_OP_STORE,
            &LOCATION(WHERE(c, a), "resolveMode"),
            "is VK_RESOLVE_MODE_NONE, but an attachment with one sample is stored, and "
            "multisampledRenderToSingleSampledEnable is VK_TRUE");
    if (!resolves)
        return;
    check_resolve(c, a);
    if (a->resolve) {
        rendering_attachment_check_view(c, a, a->resolve, true);
        check_current_layout(c, a, true);
    }
}

void check_rendering_attachments(struct rendering_check *c)
{
    const VkRenderingInfo *info = c->info;
    const uint32_t colors = info->pColorAttachments ? info->colorAttachmentCount : 0;
    for (uint32_t i = 0; i < colors; i++)
        rendering_attachment_check(c, KIND_COLOR, i, &info->pColorAttachments[i]);
    if (info->pDepthAttachment)
        rendering_attachment_check(c, KIND_DEPTH, colors, info->pDepthAttachment);
    if (info->pStencilAttachment)
        rendering_attachment_check(c, KIND_STENCIL, colors + 1, info->pStencilAttachment);
}
