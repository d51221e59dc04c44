/* Checks vkCmdClearAttachments: its attachments exist in this render pass instance, and its
 * rectangles lie in the render area (20.2). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"

#include <stdio.h>

/* The format of the subpass's depth/stencil attachment, which must have the aspects to be cleared.
 * VK_FORMAT_UNDEFINED: the attachment does not exist, or is not known. */
static VkFormat depth_stencil_format(const struct command_buffer *command_buffer)
{
    const struct render_pass *pass = active_render_pass(command_buffer);
    const struct subpass *subpass = current_subpass(command_buffer, pass);
    if (!subpass || subpass->depth_stencil.attachment >= pass->attachment_count)
        return VK_FORMAT_UNDEFINED;
    return pass->attachments[subpass->depth_stencil.attachment].description.format;
}

/* Checks the index of a color attachment, if the number of color attachments is known. True: the
 * call is to be skipped. */
static bool check_color_attachment(const struct call *call,
                                   const struct command_buffer *command_buffer, uint32_t index,
                                   const struct location *where)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct subpass *subpass = active_subpass(command_buffer);
    uint32_t count = subpass ? subpass->color_count
                     : rendering && rendering->kind == RENDERING_DYNAMIC
                         ? rendering->formats.color_count
                         : UINT32_MAX;
    /* color attachments beyond PIPELINE_COLORS are not kept */
    if (!subpass && count == PIPELINE_COLORS)
        count = UINT32_MAX;
    /* If the aspectMask member contains COLOR, the colorAttachment must be a valid color attachment
     * index in the current render pass instance */
    if (count != UINT32_MAX && index >= count)
        return BROKEN_BY(call, RULE_07271, &LOCATION(where, "colorAttachment"), NULL,
                         "is %u, but the current render pass instance has %u color attachments",
                         index, count);
    return false;
}

/* The format of a color attachment; VK_FORMAT_UNDEFINED: there is none, or it is not known. */
static VkFormat color_format(const struct command_buffer *command_buffer, uint32_t index)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct render_pass *pass = active_render_pass(command_buffer);
    const struct subpass *subpass = current_subpass(command_buffer, pass);
    if (subpass)
        return index < subpass->color_count &&
                       subpass->colors[index].attachment < pass->attachment_count
                   ? pass->attachments[subpass->colors[index].attachment].description.format
                   : VK_FORMAT_UNDEFINED;
    return rendering && rendering->kind == RENDERING_DYNAMIC && index < PIPELINE_COLORS &&
                   index < rendering->formats.color_count
               ? rendering->formats.colors[index]
               : VK_FORMAT_UNDEFINED;
}

/* True for formats with 64-bit components and more of them than R and G. Attachments of such
 * formats must not be cleared. */
static bool is_wide_format(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_R64G64B64_UINT:
    case VK_FORMAT_R64G64B64_SINT:
    case VK_FORMAT_R64G64B64_SFLOAT:
    case VK_FORMAT_R64G64B64A64_UINT:
    case VK_FORMAT_R64G64B64A64_SINT:
    case VK_FORMAT_R64G64B64A64_SFLOAT:
        return true;
    default:
        return false;
    }
}

/* Checks a color attachment that is there. `where`: the element of pAttachments. */
static bool check_cleared_color(const struct call *call,
                                const struct command_buffer *command_buffer, uint32_t index,
                                const struct location *where)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const VkFormat format = color_format(command_buffer, index);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_09503,
            !rendering || rendering->kind != RENDERING_DYNAMIC || index >= PIPELINE_COLORS ||
                rendering->color_locations[index] != VK_ATTACHMENT_UNUSED,
            "colorAttachment",
            "is %u, which VkRenderingAttachmentLocationInfo maps to VK_ATTACHMENT_UNUSED", index);
    REQUIRE(&s, RULE_09679, !is_wide_format(format), "colorAttachment",
            "is %u, which is of %s: of formats with components of 64 bits only R and G are cleared",
            index, TEXT_OF(VkFormat, format));
    return s.skip;
}

/* Text such as "depth/stencil attachment, 2,". The number is that of the attachment in a render
 * pass object. */
struct attachment_name {
    char text[48];
};

/* Makes the text that names the depth/stencil attachment in messages. */
static COLD struct attachment_name depth_stencil_name(const struct command_buffer *command_buffer)
{
    struct attachment_name name;
    const struct subpass *subpass = active_subpass(command_buffer);
    if (subpass)
        (void)snprintf(name.text, sizeof(name.text), "subpass's depth/stencil attachment, %u,",
                       subpass->depth_stencil.attachment);
    else
        (void)snprintf(name.text, sizeof(name.text), "render pass instance's attachment");
    return name;
}

/* Checks the aspects and the clear value of one attachment. True: the call is to be skipped. */
static bool clear_attachments_check_attachment(const struct call *call,
                                               const struct command_buffer *command_buffer,
                                               const VkClearAttachment *attachment,
                                               const struct location *where)
{
    assert(command_buffer);
    VkImageAspectFlags aspects = attachment->aspectMask;
    const struct location *aspect_mask = &LOCATION(where, "aspectMask");
    VkFormat format = depth_stencil_format(command_buffer);
    struct subject s = {.call = call};
    if (aspects & VK_IMAGE_ASPECT_COLOR_BIT)
        s.skip |= check_color_attachment(call, command_buffer, attachment->colorAttachment, where) |
                  check_cleared_color(call, command_buffer, attachment->colorAttachment, where);
    if (!(aspects & FORMAT_DEPTH_STENCIL_ASPECTS))
        return s.skip;
    /* Unless the VK_EXT_depth_range_unrestricted extension is enabled depth must be between 0.0
     * and 1.0, inclusive */
    float depth = attachment->clearValue.depthStencil.depth;
    REQUIRE(&s, VUID_VkClearDepthStencilValue_depth_00022,
            !(aspects & VK_IMAGE_ASPECT_DEPTH_BIT) ||
                call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted) ||
                (depth >= 0.0f && depth <= 1.0f),
            &LOCATION(&LOCATION(&LOCATION(where, "clearValue"), "depthStencil"), "depth"),
            "is %g, which is not between 0 and 1, and VK_EXT_depth_range_unrestricted "
            "is not enabled",
            (double)depth);
    if (format == VK_FORMAT_UNDEFINED)
        return s.skip;
    /* ... the current subpass instance's depth-stencil attachment must be either
     * VK_ATTACHMENT_UNUSED or the attachment format must contain a depth component */
    REQUIRE(&s, RULE_07884, !(aspects & VK_IMAGE_ASPECT_DEPTH_BIT) || format_has_depth(format),
            aspect_mask, "has VK_IMAGE_ASPECT_DEPTH_BIT, but the %s is of %s",
            depth_stencil_name(command_buffer).text,
            value_text(VALUES_VkFormat, (uint64_t)format).text);
    REQUIRE(&s, RULE_07885, !(aspects & VK_IMAGE_ASPECT_STENCIL_BIT) || format_has_stencil(format),
            aspect_mask, "has VK_IMAGE_ASPECT_STENCIL_BIT, but the %s is of %s",
            depth_stencil_name(command_buffer).text,
            value_text(VALUES_VkFormat, (uint64_t)format).text);
    return s.skip;
}

/* The view of color attachment `index`; NULL: the attachment does not exist, or is not known. */
static const struct image_view *color_view(const struct command_buffer *command_buffer,
                                           const struct render_pass_instance *rendering,
                                           uint32_t index)
{
    const struct subpass *subpass = active_subpass(command_buffer);
    if (rendering->kind == RENDERING_DYNAMIC)
        return index < PIPELINE_COLORS ? image_view_by_id(rendering->colors[index].view) : NULL;
    return subpass && index < subpass->color_count
               ? rendering_view(rendering, subpass->colors[index].attachment)
               : NULL;
}

/* The view of the depth or stencil attachment; NULL: the attachment does not exist, or is not
 * known. */
static const struct image_view *depth_stencil_view(const struct command_buffer *command_buffer,
                                                   const struct render_pass_instance *rendering,
                                                   bool depth)
{
    const struct subpass *subpass = active_subpass(command_buffer);
    if (rendering->kind == RENDERING_DYNAMIC)
        return image_view_by_id(depth ? rendering->depth.view : rendering->stencil.view);
    return subpass ? rendering_view(rendering, subpass->depth_stencil.attachment) : NULL;
}

/* ... each attachment to be cleared must not be a protected image; an unprotected image */
static COLD bool check_attachment_protection(const struct call *call,
                                             const struct command_buffer *command_buffer,
                                             const VkClearAttachment *attachment,
                                             const struct location *where)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const bool depth = (attachment->aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT) != 0;
    const struct image_view *view =
        !rendering ? NULL
        : attachment->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT
            ? color_view(command_buffer, rendering, attachment->colorAttachment)
            : depth_stencil_view(command_buffer, rendering, depth);
    const struct image *image = view ? image_by_id(view->image) : NULL;
    return image && check_protection(call, (image->flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0,
                                     RULE_02504, RULE_02505, where,
                                     OBJECT(HANDLE_IMAGE, object_state_handle(&image->base)));
}

/* True if the rectangle lies in the area along one axis. */
static bool rect_is_inside(int32_t offset, uint32_t extent, int32_t area_offset,
                           uint32_t area_extent)
{
    return offset >= area_offset && (int64_t)offset + extent <= (int64_t)area_offset + area_extent;
}

/* Checks one rectangle. `rendering` may be NULL or inherited: the render area is then unknown, and
 * only the extent is checked. */
static bool check_rect(const struct call *call, const struct render_pass_instance *rendering,
                       const VkClearRect *rect, const struct location *where)
{
    const struct location *extent = &LOCATION(&LOCATION(where, "rect"), "extent");
    struct subject s = {.call = call, .where = where};
    /* The rect member of each element of pRects must have an extent.width greater than 0;
     * extent.height */
    REQUIRE(&s, RULE_02682, rect->rect.extent.width, &LOCATION(extent, "width"), "is 0");
    REQUIRE(&s, RULE_02683, rect->rect.extent.height, &LOCATION(extent, "height"), "is 0");
    if (!rendering || rendering->inherited)
        return s.skip;
    const VkRect2D *area = &rendering->area;
    /* The rectangular region specified by each element of pRects must be contained within the
     * render area of the current render pass instance */
    REQUIRE(&s, RULE_00016,
            rect_is_inside(rect->rect.offset.x, rect->rect.extent.width, area->offset.x,
                           area->extent.width) &&
                rect_is_inside(rect->rect.offset.y, rect->rect.extent.height, area->offset.y,
                               area->extent.height),
            "rect", "is (%d, %d) + %ux%u, but the render area is (%d, %d) + %ux%u",
            rect->rect.offset.x, rect->rect.offset.y, rect->rect.extent.width,
            rect->rect.extent.height, area->offset.x, area->offset.y, area->extent.width,
            area->extent.height);
    /* If the render pass instance this is recorded in uses multiview, then baseArrayLayer must be
     * zero and layerCount must be one */
    if (rendering->view_mask) {
        REQUIRE(&s, RULE_00018, rect->baseArrayLayer == 0 && rect->layerCount == 1, where,
                "has baseArrayLayer %u and layerCount %u, but the render pass instance "
                "uses multiview",
                rect->baseArrayLayer, rect->layerCount);
        return s.skip;
    }
    /* VkClearRect::baseArrayLayer + VkClearRect::layerCount must be less than or equal to the
     * number of layers rendered to in the current render pass instance */
    REQUIRE(&s, RULE_06937,
            !rendering->layer_count ||
                (uint64_t)rect->baseArrayLayer + rect->layerCount <= rendering->layer_count,
            where,
            "has baseArrayLayer %u and layerCount %u, but the render pass instance renders to "
            "%u layer%s",
            rect->baseArrayLayer, rect->layerCount, rendering->layer_count,
            rendering->layer_count == 1 ? "" : "s");
    return s.skip;
}

bool core_validate_CmdClearAttachments(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t attachmentCount,
                                       const VkClearAttachment *pAttachments, uint32_t rectCount,
                                       const VkClearRect *pRects)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct protection protection = call_protection(call);
    bool skip = false;
    for (uint32_t i = 0; pAttachments && i < attachmentCount; i++)
        skip |= clear_attachments_check_attachment(call, command_buffer, &pAttachments[i],
                                                   &LOCATION_INDEX(NULL, "pAttachments", i));
    for (uint32_t i = 0; unlikely(protection.matters) && pAttachments && i < attachmentCount; i++)
        skip |= check_attachment_protection(call, command_buffer, &pAttachments[i],
                                            &LOCATION_INDEX(NULL, "pAttachments", i));
    for (uint32_t i = 0; pRects && i < rectCount; i++)
        skip |= check_rect(call, rendering, &pRects[i], &LOCATION_INDEX(NULL, "pRects", i));
    return skip;
}
