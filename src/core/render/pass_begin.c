/* Checks that an instance of a render pass object may begin, go on and end here (8.4 "Render Pass
 * Commands"). */
#include "core/barrier/image_transition.h"
/* Checks that an instance of a render pass object may begin, go to its next subpass, and end (8.4
 * "Render Pass Commands"). */
#include "core/render/attachment.h"
#include "core/hooks.h"
#include "core/barrier/layout_fix.h"
#include "core/barrier/stages.h"
#include "core/render/rendering.h"
#include "core/render/sample_locations.h"

#include "report/finding/rule.h"
#include "state/memory/image_layout.h"
#include "vk/chain.h"

/* The state of the checks of one vkCmdBeginRenderPass. */
struct begin_check {
    struct rendering_check base; /* what both kinds of instances have */
    const VkRenderPassBeginInfo *begin;
    const struct render_pass *pass;
    const struct framebuffer *framebuffer;
    /* views for an imageless framebuffer; NULL: the chain does not have any */
    const VkRenderPassAttachmentBeginInfo *views;
    bool version2;
};

/* --- area and clear values --- */

/* Checks that the render area lies in the framebuffer. The areas of a device group replace it. */
static void check_area(struct begin_check *b)
{
    struct rendering_check *c = &b->base;
    const VkRect2D *area = &b->begin->renderArea;
    const VkDeviceGroupRenderPassBeginInfo *group = device_render_areas(b->begin->pNext);
    uint32_t width = b->framebuffer ? b->framebuffer->width : UINT32_MAX,
             height = b->framebuffer ? b->framebuffer->height : UINT32_MAX;
    for (uint32_t i = 0; group && i < group->deviceRenderAreaCount; i++) {
        const struct location where =
            LOCATION_INDEX(&c->where, "pNext<VkDeviceGroupRenderPassBeginInfo>.pDeviceRenderAreas",
                           i);
        REQUIRE(&c->s, RULE_02856, rect_right(&group->pDeviceRenderAreas[i]) <= width,
                &LOCATION(&where, "extent.width"), "ends beyond the framebuffer, which is %u wide",
                width);
        REQUIRE(&c->s, RULE_02857, rect_bottom(&group->pDeviceRenderAreas[i]) <= height,
                &LOCATION(&where, "extent.height"), "ends beyond the framebuffer, which is %u high",
                height);
    }
    /* A pass that is transformed must be as large as the framebuffer after that (02870). */
    if (group || CHAINED(b->begin->pNext, RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM))
        return;
    REQUIRE(&c->s, RULE_02852, rect_right(area) <= width,
            &LOCATION(&c->where, "renderArea.extent.width"),
            "is %u, and ends beyond the framebuffer, which is %u wide", area->extent.width, width);
    REQUIRE(&c->s, RULE_02853, rect_bottom(area) <= height,
            &LOCATION(&c->where, "renderArea.extent.height"),
            "is %u, and ends beyond the framebuffer, which is %u high", area->extent.height,
            height);
}

/* Checks that pClearValues has a value for each attachment that is cleared. */
static void check_clear_values(struct begin_check *b)
{
    struct rendering_check *c = &b->base;
    uint32_t needed = 0;
    REQUIRE(&c->s, RULE_04962, !b->begin->clearValueCount || b->begin->pClearValues,
            &LOCATION(&c->where, "pClearValues"), "is NULL, but clearValueCount is %u",
            b->begin->clearValueCount);
    if (b->begin->clearValueCount && !b->begin->pClearValues)
        c->s.skip = call_stop(c->s.call, c->s.skip);
    for (uint32_t i = 0; b->pass && i < b->pass->attachment_count; i++) {
        const VkAttachmentDescription *d = &b->pass->attachments[i].description;
        bool stencil =
            format_has_stencil(d->format) && d->stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR;
        bool other = d->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR &&
                     format_aspects(d->format) & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
        needed = stencil || other ? i + 1 : needed;
    }
    REQUIRE(&c->s, RULE_00902, b->begin->clearValueCount >= needed,
            &LOCATION(&c->where, "clearValueCount"), "is %u, but attachment %u is cleared",
            b->begin->clearValueCount, needed - 1);
}

/* --- the views of an imageless framebuffer --- */

/* True if all view formats of the attachment are among the view formats of the image. Both lists
 * have the same length. */
static bool same_formats(const struct image *image, const struct framebuffer_attachment *attachment)
{
    for (uint32_t i = 0; i < attachment->view_format_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < image->view_format_count; j++)
            found |= image->view_formats[j] == attachment->view_formats[i];
        if (!found)
            return false;
    }
    return true;
}

/* Checks a view for an imageless framebuffer against the attachment that the framebuffer describes.
 * Swapchain images are only partly checked. */
static void check_given_image(struct begin_check *b, const struct location *where,
                              const struct image_view *view,
                              const struct framebuffer_attachment *wanted)
{
    assert(view && wanted);
    struct rendering_check *c = &b->base;
    const struct image *image = image_by_id(view->image);
    REQUIRE(&c->s, RULE_04627, view->usage == wanted->usage, where,
            "has the usage %s, but VkFramebufferAttachmentImageInfo::usage is %s",
            value_text(VALUES_VkImageUsageFlags, view->usage).text,
            value_text(VALUES_VkImageUsageFlags, wanted->usage).text);
    REQUIRE(&c->s, RULE_03211, view->extent.width == wanted->width, where,
            "is %u texels wide, but VkFramebufferAttachmentImageInfo::width is %u",
            view->extent.width, wanted->width);
    REQUIRE(&c->s, RULE_03212, view->extent.height == wanted->height, where,
            "is %u texels high, but VkFramebufferAttachmentImageInfo::height is %u",
            view->extent.height, wanted->height);
    REQUIRE(&c->s, RULE_03213, view->range.layerCount == wanted->layer_count, where,
            "has %u layers, but VkFramebufferAttachmentImageInfo::layerCount is %u",
            view->range.layerCount, wanted->layer_count);
    if (!image || image->swapchain) /* only the driver knows the flags and formats of its images */
        return;
    REQUIRE(&c->s, RULE_03209, image->flags == wanted->flags, where,
            "is of an image with the flags 0x%x, but "
            "VkFramebufferAttachmentImageInfo::flags is 0x%x",
            image->flags, wanted->flags);
    /* the image was created without a list, for which the sentence does not give a count */
    if (!image->view_format_count)
        return;
    REQUIRE(&c->s, RULE_03214, image->view_format_count == wanted->view_format_count, where,
            "is of an image with %u view formats, but "
            "VkFramebufferAttachmentImageInfo::viewFormatCount is %u",
            image->view_format_count, wanted->view_format_count);
    REQUIRE(&c->s, RULE_03215,
            image->view_format_count != wanted->view_format_count || same_formats(image, wanted),
            where,
            "is of an image with other view formats than "
            "VkFramebufferAttachmentImageInfo::pViewFormats");
}

/* True if some subpass resolves to the attachment. */
static bool is_resolved_to(const struct render_pass *pass, uint32_t number)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        if (subpass->depth_stencil_resolve.attachment == number)
            return true;
        for (uint32_t k = 0; subpass->resolves && k < subpass->color_count; k++) {
            if (subpass->resolves[k].attachment == number)
                return true;
        }
    }
    return false;
}

/* Checks a view that is given for attachment `number` of an imageless framebuffer. */
static void check_given_view(struct begin_check *b, const struct location *where, uint32_t number,
                             const struct image_view *view)
{
    assert(view);
    struct rendering_check *c = &b->base;
    check_given_image(b, where, view, &b->framebuffer->attachments[number]);
    if (!b->pass || number >= b->pass->attachment_count)
        return;
    const VkAttachmentDescription *d = &b->pass->attachments[number].description;
    bool single = false;
    for (uint32_t i = 0; i < b->pass->subpass_count; i++)
        single |= b->pass->subpasses[i].single_sampled_enable;
    /* each pAttachments member that is used as a resolve attachment by renderPass must not be bound
     * to a VkDeviceMemory object allocated from a VkMemoryHeap with the
     * VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM property */
    REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), RULE_12328,
               !attachment_is_in_tiles(c->s.call, view) || !is_resolved_to(b->pass, number), where,
               "(%s) lies in tile memory, but the render pass resolves to it",
               VIEW(c->s.call, view));
    REQUIRE(&c->s, RULE_03216, view->format == d->format, where,
            "has the format %s, but the render pass has %s", TEXT_OF(VkFormat, view->format),
            TEXT_OF(VkFormat, d->format));
    REQUIRE(&c->s, RULE_09047,
            view->samples == d->samples || (single && view->samples == VK_SAMPLE_COUNT_1_BIT),
            where, "has %s, but the render pass has %s",
            TEXT_OF(VkSampleCountFlagBits, view->samples),
            TEXT_OF(VkSampleCountFlagBits, d->samples));
}

/* Checks the views of VkRenderPassAttachmentBeginInfo, which only imageless framebuffers use. */
static void check_given_views(struct begin_check *b)
{
    struct rendering_check *c = &b->base;
    const struct location where = LOCATION_CHAINED(&c->where, "VkRenderPassAttachmentBeginInfo");
    bool imageless = b->framebuffer && b->framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    if (!b->framebuffer || !b->views)
        return;
    if (!imageless) {
        REQUIRE(&c->s, RULE_03207, !b->views->attachmentCount, &LOCATION(&where, "attachmentCount"),
                "is %u, but the framebuffer is not imageless", b->views->attachmentCount);
        return;
    }
    REQUIRE(&c->s, RULE_03208, b->views->attachmentCount == b->framebuffer->attachment_count,
            &LOCATION(&where, "attachmentCount"), "is %u, but the framebuffer has %u attachments",
            b->views->attachmentCount, b->framebuffer->attachment_count);
    for (uint32_t i = 0; b->views->pAttachments && i < b->views->attachmentCount &&
                         i < b->framebuffer->attachment_count;
         i++) {
        const struct image_view *view = find_image_view(c->s.call, b->views->pAttachments[i]);
        if (view)
            check_given_view(b, &LOCATION_INDEX(&where, "pAttachments", i), i, view);
    }
}

/* --- layouts of the render pass against the views' usage --- */

/* Usages that layouts require of an attachment that is in one of `layouts` anywhere in the render
 * pass. The attachment must have one of the first usages, and one of the second if there are
 * any. */
static const struct {
    enum rule first, second;
    uint32_t layouts;
    bool stencil; /* the row is about separate stencil layouts */
    VkImageUsageFlags usage, and_usage;
} layout_rules[] = {
    {RULE_00895, RULE_03094, LAYOUT_COLOR_ATTACHMENT, false, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
     0},
    {RULE_01758, RULE_03096, LAYOUTS_MIXED | LAYOUTS_DEPTH_STENCIL, false,
     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 0},
    {RULE_02842, RULE_02844, LAYOUTS_SEPARATE, false, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
     0},
    {RULE_02843, RULE_02845, LAYOUTS_STENCIL, true, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 0},
    {RULE_00897, RULE_03097, LAYOUT_SHADER_READ_ONLY, false,
     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, 0},
    {RULE_00898, RULE_03098, LAYOUT_TRANSFER_SRC, false, VK_IMAGE_USAGE_TRANSFER_SRC_BIT, 0},
    {RULE_00899, RULE_03099, LAYOUT_TRANSFER_DST, false, VK_IMAGE_USAGE_TRANSFER_DST_BIT, 0},
    {RULE_07000, RULE_07002, LAYOUT_FEEDBACK_LOOP, false,
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT},
    {RULE_07001, RULE_07003, LAYOUT_FEEDBACK_LOOP, false,
     VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT, 0},
};

/* Adds the layouts that a reference gives to the attachment. `stencil`: layouts of stencil
 * alone. */
static void add_layouts(const struct attachment_reference *reference, uint32_t attachment,
                        uint32_t *layouts, uint32_t *stencil)
{
    assert(reference && layouts && stencil);
    if (reference->attachment != attachment)
        return;
    *layouts |= layout_set_of(reference->layout);
    if (reference->has_stencil_layout)
        *stencil |= layout_set_of(reference->stencil_layout);
}

/* All layouts that an attachment has during the render pass, as a set (layout_sets.h). */
static uint32_t attachment_layouts(const struct render_pass *pass, uint32_t number,
                                   uint32_t *stencil)
{
    assert(number < pass->attachment_count && stencil);
    const struct attachment_description *attachment = &pass->attachments[number];
    uint32_t layouts = layout_set_of(attachment->description.initialLayout) |
                       layout_set_of(attachment->description.finalLayout);
    *stencil = attachment->has_stencil_layouts ? layout_set_of(attachment->stencil_initial_layout) |
                                                     layout_set_of(attachment->stencil_final_layout)
                                               : 0;
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        for (uint32_t j = 0; j < subpass->input_count; j++)
            add_layouts(&subpass->inputs[j], number, &layouts, stencil);
        for (uint32_t j = 0; j < subpass->color_count; j++) {
            add_layouts(&subpass->colors[j], number, &layouts, stencil);
            if (subpass->resolves)
                add_layouts(&subpass->resolves[j], number, &layouts, stencil);
        }
        add_layouts(&subpass->depth_stencil, number, &layouts, stencil);
        add_layouts(&subpass->depth_stencil_resolve, number, &layouts, stencil);
        add_layouts(&subpass->fragment_shading_rate, number, &layouts, stencil);
    }
    return layouts;
}

/* Reports a view whose usage does not suit a layout that it has in the render pass. `rule`: index
 * into layout_rules. */
static COLD void pass_begin_report_usage(struct begin_check *b, uint32_t number, uint32_t rule,
                                         const struct image_view *view)
{
    assert(number < b->pass->attachment_count && view);
    struct rendering_check *c = &b->base;
    BROKEN_OF(&c->s,
              OBJECT2(HANDLE_FRAMEBUFFER, b->begin->framebuffer, HANDLE_IMAGE_VIEW,
                      object_state_handle(&view->base)),
              b->version2 ? layout_rules[rule].second : layout_rules[rule].first,
              &LOCATION(&c->where, b->views ? "pNext" : "framebuffer"),
              "has as attachment %u %s with %s, but the render pass has it in a layout that "
              "needs %s",
              number, VIEW(c->s.call, view), value_text(VALUES_VkImageUsageFlags, view->usage).text,
              value_text(VALUES_VkImageUsageFlags,
                         layout_rules[rule].usage | layout_rules[rule].and_usage)
                  .text);
}

/* Checks that the initial layout is the current one, where earlier commands have determined
 * that. */
static void check_initial_layout(struct begin_check *b, uint32_t number,
                                 const struct image_view *view)
{
    assert(number < b->pass->attachment_count && view);
    struct rendering_check *c = &b->base;
    const struct image *image = image_by_id(view->image);
    const struct attachment_description *attachment = &b->pass->attachments[number];
    VkImageSubresourceRange range = view->range;
    struct layout_mismatch mismatch;
    if (!image || !c->command_buffer)
        return;
    range.levelCount = range.layerCount = 1;
    if (format_is_depth_stencil(view->format))
        range.aspectMask =
            image->aspects & (attachment->has_stencil_layouts ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                              : FORMAT_DEPTH_STENCIL_ASPECTS);
    VkImageLayout layout = attachment->description.initialLayout;
    if (layout == VK_IMAGE_LAYOUT_UNDEFINED || !range.aspectMask ||
        !command_buffer_layout_differs(c->command_buffer, image, &range, layout, &mismatch))
        return;
    struct value_text found = value_text(VALUES_VkImageLayout, mismatch.found);
    c->s.skip |=
        finding_with_fix(c->s.call, b->version2 ? RULE(c->s.call, 03100) : RULE(c->s.call, 00900),
                         &LOCATION(&c->where, "renderPass"),
                         OBJECT2(HANDLE_IMAGE_VIEW, object_state_handle(&view->base), HANDLE_IMAGE,
                                 object_state_handle(&image->base)),
                         fix_transition(mismatch.found, layout),
                         "has attachment %u (%s) in the initial layout %s, but the commands "
                         "before leave the image in %s",
                         number, VIEW(c->s.call, view), TEXT_OF(VkImageLayout, layout), found.text);
}

/* The view that is attachment `i`; NULL: it is not known. */
static const struct image_view *pass_begin_view(const struct begin_check *b, uint32_t i)
{
    if (b->framebuffer->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
        return b->views && b->views->pAttachments && i < b->views->attachmentCount
                   ? find_image_view(b->base.s.call, b->views->pAttachments[i])
                   : NULL;
    return i < b->framebuffer->attachment_count
               ? image_view_by_id(b->framebuffer->attachments[i].view)
               : NULL;
}

/* The uses that the subpasses of a render pass make of one attachment. */
struct attachment_uses {
    bool used, written;
    /* the subpasses of which it is a color, depth/stencil, or resolve attachment: bit i is subpass
     * i; later ones than 63 are not in it */
    uint64_t outputs;
};

/* Notes that the subpass writes the attachment, if the reference, which is of a kind that writes,
 * names it. */
static void add_output(struct attachment_uses *uses, const struct attachment_reference *reference,
                       uint32_t attachment, uint32_t subpass)
{
    if (reference->attachment != attachment)
        return;
    uses->used = true;
    uses->outputs |= subpass < 64 ? UINT64_C(1) << subpass : 0;
    /* Only layouts that surely let depth or stencil be written count. */
    uses->written |= reference->layout == VK_IMAGE_LAYOUT_GENERAL ||
                     reference->layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL ||
                     reference->layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL ||
                     reference->layout == VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL;
}

static struct attachment_uses attachment_uses_of(const struct render_pass *pass,
                                                 uint32_t attachment)
{
    struct attachment_uses uses = {.used = false};
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        for (uint32_t k = 0; k < subpass->color_count; k++) {
            add_output(&uses, &subpass->colors[k], attachment, i);
            if (subpass->resolves)
                add_output(&uses, &subpass->resolves[k], attachment, i);
        }
        add_output(&uses, &subpass->depth_stencil, attachment, i);
        if (subpass->has_depth_stencil_resolve)
            add_output(&uses, &subpass->depth_stencil_resolve, attachment, i);
        for (uint32_t k = 0; k < subpass->input_count; k++)
            uses.used |= subpass->inputs[k].attachment == attachment;
    }
    return uses;
}

/* Checks two attachments, `i` and `k`, whose views have subresources in common. */
static COLD void pass_begin_check_alias(struct begin_check *b, uint32_t i, uint32_t k,
                                        const struct image_view *view)
{
    const struct render_pass *pass = b->pass;
    const struct attachment_uses one = attachment_uses_of(pass, i),
                                 other = attachment_uses_of(pass, k);
    const VkAttachmentDescriptionFlags both =
        pass->attachments[i].description.flags & pass->attachments[k].description.flags;
    struct rendering_check *c = &b->base;
    const struct location where = LOCATION(&c->where, "framebuffer");
    if (!one.used || !other.used)
        return;
    const bool aliases = both & VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT;
    if (!aliases && (one.written || other.written))
        BROKEN_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), b->version2 ? RULE_02533 : RULE_02532,
                  &where,
                  "has attachments %u and %u of the same memory (%s), not both of which have "
                  "VK_ATTACHMENT_DESCRIPTION_MAY_ALIAS_BIT, and the render pass writes to it",
                  k, i, VIEW(c->s.call, view));
    else
        /* there must be only one that is used as a color attachment, depth/stencil, or resolve
         * attachment in any subpass: in different subpasses each may be one */
        REQUIRE_OF(&c->s, VIEW_OBJECTS(view, VK_NULL_HANDLE), b->version2 ? RULE_09046 : RULE_09045,
                   !(one.outputs & other.outputs), &where,
                   "has attachments %u and %u of the same memory (%s), and both are color, "
                   "depth/stencil, or resolve attachments of subpass %d",
                   k, i, VIEW(c->s.call, view), __builtin_ctzll(one.outputs & other.outputs));
}

/* Looks for two attachments whose views have a subresource in common. */
static void pass_begin_check_aliases(struct begin_check *b)
{
    for (uint32_t i = 1; b->pass && b->framebuffer && i < b->pass->attachment_count; i++) {
        const struct image_view *view = pass_begin_view(b, i);
        for (uint32_t k = 0; view && k < i; k++) {
            const struct image_view *other = pass_begin_view(b, k);
            if (other && unlikely(other->image == view->image) &&
                barrier_ranges_overlap(&other->range, &view->range)) {
                pass_begin_check_alias(b, i, k, view);
                break;
            }
        }
    }
}

/* Checks each attachment's view: its usage against all layouts that it has in the render pass, and
 * its current layout. */
static void pass_begin_check_views(struct begin_check *b)
{
    uint32_t stencil = 0;
    for (uint32_t i = 0; b->pass && b->framebuffer && i < b->pass->attachment_count; i++) {
        const struct image_view *view = pass_begin_view(b, i);
        if (!view)
            continue;
        uint32_t layouts = attachment_layouts(b->pass, i, &stencil);
        for (uint32_t j = 0; j < ARRAY_LENGTH(layout_rules); j++) {
            uint32_t set = layout_rules[j].stencil ? stencil : layouts;
            bool good = view->usage & layout_rules[j].usage &&
                        (!layout_rules[j].and_usage || view->usage & layout_rules[j].and_usage);
            if (set & layout_rules[j].layouts && !good)
                pass_begin_report_usage(b, i, j, view);
        }
        /* RENDERING_LOCAL_READ: STORAGE, or INPUT_ATTACHMENT and one of COLOR_ATTACHMENT and
         * DEPTH_STENCIL_ATTACHMENT */
        bool local = view->usage & VK_IMAGE_USAGE_STORAGE_BIT ||
                     (view->usage & VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT &&
                      view->usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                     VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT));
        REQUIRE(&b->base.s, b->version2 ? RULE_09538 : RULE_09537,
                !(layouts & LAYOUT_LOCAL_READ) || local, &LOCATION(&b->base.where, "framebuffer"),
                "has as attachment %u %s with %s, but the render pass has it in "
                "VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ",
                i, VIEW(b->base.s.call, view),
                value_text(VALUES_VkImageUsageFlags, view->usage).text);
        check_initial_layout(b, i, view);
    }
}

/* Checks VkRenderPassTransformBeginInfoQCOM. */
static void check_transform(struct begin_check *b)
{
    const VkRenderPassTransformBeginInfoQCOM *info =
        CHAINED(b->begin->pNext, RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM);
    const VkRect2D area = b->begin->renderArea;
    struct rendering_check *c = &b->base;
    if (likely(!info))
        return;
    REQUIRE(&c->s, RULE_02872,
            !b->pass || b->pass->flags & VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM,
            &LOCATION(&c->where, "renderPass"),
            "was created without VK_RENDER_PASS_CREATE_TRANSFORM_BIT_QCOM, but the pNext chain has "
            "a VkRenderPassTransformBeginInfoQCOM");
    REQUIRE(&c->s, RULE_02869, !area.offset.x && !area.offset.y,
            &LOCATION(&c->where, "renderArea.offset"),
            "is (%d, %d), but the pNext chain has a VkRenderPassTransformBeginInfoQCOM",
            area.offset.x, area.offset.y);
    const bool turned = info->transform == VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR ||
                        info->transform == VK_SURFACE_TRANSFORM_ROTATE_270_BIT_KHR;
    const VkExtent2D is =
        turned ? (VkExtent2D){area.extent.height, area.extent.width} : area.extent;
    const struct framebuffer *framebuffer = b->framebuffer;
    REQUIRE(&c->s, RULE_02870,
            !framebuffer || (is.width == framebuffer->width && is.height == framebuffer->height),
            &LOCATION(&c->where, "renderArea.extent"),
            "is %ux%u, which is %ux%u after the transform, but the framebuffer is %ux%u",
            area.extent.width, area.extent.height, is.width, is.height, framebuffer->width,
            framebuffer->height);
}

/* Checks that the queue family supports the stages of all dependencies. */
static void pass_begin_check_stages(struct begin_check *b)
{
    struct rendering_check *c = &b->base;
    const struct command_buffer *command_buffer = c->command_buffer;
    const struct location where = LOCATION(&c->where, "renderPass");
    if (!b->pass || !command_buffer)
        return;
    c->s.skip |=
        stages_check_queue(c->s.call, b->version2 ? RULE(c->s.call, 06453) : RULE(c->s.call, 06451),
                           b->pass->src_stages, command_buffer->queue_family,
                           command_buffer->queue_flags, &where);
    c->s.skip |=
        stages_check_queue(c->s.call, b->version2 ? RULE(c->s.call, 06454) : RULE(c->s.call, 06452),
                           b->pass->dst_stages, command_buffer->queue_family,
                           command_buffer->queue_flags, &where);
}

/* --- the commands --- */

/* Checks the chain. The parts of the render pass and framebuffer that are not known are left
 * out. */
static void pass_begin_check_chained(struct begin_check *b)
{
    const struct render_pass *pass = b->pass;
    struct instance_begin begin = {
        .chain = b->begin->pNext,
        .area = device_render_areas(b->begin->pNext) ? NULL : &b->begin->renderArea,
        .subpasses = pass ? pass->subpass_count : 0,
        .layers = b->framebuffer ? b->framebuffer->layers : 0,
        .views = pass ? pass->views : 0};
    check_instance_chain(&b->base, &begin);
    check_transform(b);
}

/* Checks the beginning of a render pass instance. Unknown objects are not checked. */
static bool pass_begin_check(struct call *call, const VkRenderPassBeginInfo *begin, bool version2)
{
    struct begin_check check = {.base = {.s = {.call = call},
                                         .command_buffer = call_command_buffer(call),
                                         .where = LOCATION_POINTER(NULL, "pRenderPassBegin")},
                                .begin = begin,
                                .pass = find_render_pass(call, begin->renderPass),
                                .framebuffer = find_framebuffer(call, begin->framebuffer),
                                .version2 = version2};
    struct rendering_check *c = &check.base;
    if (begin->pNext)
        check.views = chain_find(begin->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
    const VkRenderPassSampleLocationsBeginInfoEXT *locations =
        chain_find(begin->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT);
    if (unlikely(locations && check.pass))
        c->s.skip |=
            check_pass_sample_locations(&(struct located_pass){call, check.pass, check.framebuffer},
                                        &c->where, locations);
    check_area(&check);
    check_clear_values(&check);
    pass_begin_check_stages(&check);
    if (check.pass && check.framebuffer && check.framebuffer->render_pass_compatibility) {
        REQUIRE(&c->s, RULE_00904,
                check.pass->compatibility == check.framebuffer->render_pass_compatibility,
                &LOCATION(&c->where, "renderPass"),
                "is not compatible with the render pass that the framebuffer was created with");
        /* The exceptions for resolves leave this: the passes must be "otherwise identical", and
         * here an attachment is missing. */
        if (check.pass->compatibility == check.framebuffer->render_pass_compatibility)
            REQUIRE(&c->s, RULE_00904,
                    check.pass->attachment_count <= check.framebuffer->attachment_count,
                    &LOCATION(&c->where, "renderPass"),
                    "has %u attachments, but the framebuffer has %u", check.pass->attachment_count,
                    check.framebuffer->attachment_count);
        if (check.pass->attachment_count > check.framebuffer->attachment_count)
            c->s.skip = call_stop(call, c->s.skip);
    }
    check_given_views(&check);
    pass_begin_check_views(&check);
    pass_begin_check_aliases(&check);
    if (begin->pNext)
        pass_begin_check_chained(&check);
    return c->s.skip;
}

bool core_validate_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkRenderPassBeginInfo *pRenderPassBegin,
                                      VkSubpassContents contents)
{
    return pass_begin_check(call, pRenderPassBegin, false);
}

bool core_validate_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkRenderPassBeginInfo *pRenderPassBegin,
                                       const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass *pass = find_render_pass(call, pRenderPassBegin->renderPass);
    struct subject s = {.call = call};
    /* If VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM was included ..., commandBuffer must not have
     * been recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT */
    REQUIRE(&s, RULE_10652,
            !pass || !(pass->tiles.flags & VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM) ||
                !command_buffer ||
                !(command_buffer->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT),
            "commandBuffer",
            "was begun with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, but the render pass "
            "enables tile shading");
    return s.skip | pass_begin_check(call, pRenderPassBegin, true);
}

/* Checks that there is a next subpass. */
static bool check_next(struct call *call, enum vuid vuid)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass *pass = active_render_pass(command_buffer);
    struct subject s = {.call = call};
    if (pass)
        REQUIRE(&s, STOPS(vuid), command_buffer->rendering->subpass + 1 < pass->subpass_count, NULL,
                "follows subpass %u, the last of the render pass",
                command_buffer->rendering->subpass);
    return s.skip;
}

bool core_validate_CmdNextSubpass(struct call *call, VkCommandBuffer commandBuffer,
                                  VkSubpassContents contents)
{
    return check_next(call, RULE(call, 00909));
}

bool core_validate_CmdNextSubpass2(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkSubpassBeginInfo *pSubpassBeginInfo,
                                   const VkSubpassEndInfo *pSubpassEndInfo)
{
    return check_next(call, RULE(call, 03102));
}

/* Checks the end of a render pass instance. `last`: the rule about the subpass; `kind`: the rule
 * about dynamic rendering. */
static bool pass_begin_check_end(struct call *call, enum rule last, enum rule kind)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct render_pass *pass = active_render_pass(command_buffer);
    if (!rendering)
        return false;
    if (rendering->kind == RENDERING_DYNAMIC)
        return call_stop(call,
                         BROKEN_BY(call, kind, NULL, NULL,
                                   "ends a render pass instance that vkCmdBeginRendering began"));
    struct subject s = {.call = call};
    if (pass)
        REQUIRE(&s, last, rendering->subpass + 1 >= pass->subpass_count, NULL,
                "ends the render pass instance in subpass %u of %u", rendering->subpass,
                pass->subpass_count);
    return s.skip;
}

bool core_validate_CmdEndRenderPass(struct call *call, VkCommandBuffer commandBuffer)
{
    return pass_begin_check_end(call, RULE_00910, RULE_06170);
}

bool core_validate_CmdEndRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkSubpassEndInfo *pSubpassEndInfo)
{
    return pass_begin_check_end(call, RULE_03103, RULE_06171) |
           check_density_offsets(call, pSubpassEndInfo->pNext,
                                 &LOCATION_POINTER(NULL, "pSubpassEndInfo"));
}
