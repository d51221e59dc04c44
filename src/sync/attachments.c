/* What do load, store and resolve operations access, and what vkCmdClearAttachments? */
#include "sync/attachments.h"

#include "state/formats.h"
#include "sync/hooks.h"
#include "sync/ranges.h"

VkImageAspectFlags attachment_aspects(const struct image_view *view)
{
    return format_aspects(view->format) & (FORMAT_COLOR_ASPECTS | FORMAT_DEPTH_STENCIL_ASPECTS);
}

static void access_layers(struct recording *recording, const struct attachment_part *part, const struct image *image,
                          VkImageAspectFlags aspects, uint32_t base_layer, uint32_t layer_count, enum sync_usage usage,
                          enum sync_ordering ordering)
{
    struct image_places places;
    image_places_of_area(&places, image, part->view, aspects, part->area, base_layer, layer_count);
    recording_image_places(recording, &places, usage, ordering, &part->source);
}

void attachment_access(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                       enum sync_usage usage, enum sync_ordering ordering)
{
    const struct image *image = part->view ? image_by_id(part->view->image) : NULL;
    if (!image || !aspects)
        return;
    if (!part->view_mask) {
        access_layers(recording, part, image, aspects, part->base_layer, part->layer_count, usage, ordering);
        return;
    }
    for (uint32_t rest = part->view_mask; rest;) {
        uint32_t first = (uint32_t)__builtin_ctz(rest), count = 1;
        while (first + count < 32 && rest >> (first + count) & 1)
            count++;
        rest &= count + first < 32 ? ~0u << (first + count) : 0;
        access_layers(recording, part, image, aspects, first, count, usage, ordering);
    }
}

void attachment_load(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                     VkAttachmentLoadOp op)
{
    bool color = aspects & VK_IMAGE_ASPECT_COLOR_BIT, reads = op == VK_ATTACHMENT_LOAD_OP_LOAD;
    if (!reads && op != VK_ATTACHMENT_LOAD_OP_CLEAR && op != VK_ATTACHMENT_LOAD_OP_DONT_CARE)
        return;
    enum sync_usage usage = color   ? reads ? SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ
                                            : SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE
                            : reads ? SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_READ
                                    : SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE;
    attachment_access(recording, part, aspects, usage, SYNC_ORDER_LOAD);
}

void attachment_store(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                      VkAttachmentStoreOp op)
{
    if (op != VK_ATTACHMENT_STORE_OP_STORE && op != VK_ATTACHMENT_STORE_OP_DONT_CARE)
        return;
    attachment_access(recording, part, aspects,
                      aspects & VK_IMAGE_ASPECT_COLOR_BIT ? SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE
                                                          : SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE,
                      SYNC_ORDER_STORE);
}

void attachment_resolve(struct recording *recording, const struct attachment_part *from,
                        const struct attachment_part *to, VkImageAspectFlags aspects)
{
    if (!from->view || !to->view)
        return;
    attachment_access(recording, from, aspects, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ, SYNC_ORDER_RESOLVE);
    attachment_access(recording, to, aspects, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE, SYNC_ORDER_RESOLVE);
}

/* --- vkCmdClearAttachments --- */

/* The view of the attachment of the current subpass that has the aspect: of the color attachment of that number, of the
 * depth or of the stencil attachment. NULL: there is none. */
static const struct image_view *cleared_view(const struct command_buffer *command_buffer, uint32_t color,
                                             VkImageAspectFlagBits aspect)
{
    const struct render_pass_instance *rendering = command_buffer->rendering;
    bool is_color = aspect == VK_IMAGE_ASPECT_COLOR_BIT;
    if (rendering->kind == RENDERING_DYNAMIC) {
        if (is_color)
            return color < PIPELINE_COLORS ? image_view_by_id(rendering->colors[color].view) : NULL;
        return image_view_by_id(aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? rendering->depth.view : rendering->stencil.view);
    }
    const struct subpass *subpass = active_subpass(command_buffer);
    if (!subpass || (is_color && color >= subpass->color_count))
        return NULL;
    return rendering_view(rendering, is_color ? subpass->colors[color].attachment : subpass->depth_stencil.attachment);
}

static void clear_aspect(struct recording *recording, const VkClearAttachment *clear, const VkClearRect *rect,
                         VkImageAspectFlagBits aspect)
{
    const struct render_pass_instance *rendering = recording->command_buffer->rendering;
    bool color = aspect == VK_IMAGE_ASPECT_COLOR_BIT;
    struct attachment_part part = {
        .view = cleared_view(recording->command_buffer, clear->colorAttachment, aspect),
        .area = rect->rect,
        .view_mask = rendering->view_mask,
        .base_layer = rect->baseArrayLayer,
        .layer_count = rect->layerCount,
        .source = {.role = color ? ROLE_COLOR_ATTACHMENT : ROLE_DEPTH_STENCIL_ATTACHMENT,
                   .index = color ? clear->colorAttachment : 0},
    };
    if (!part.view)
        return;
    if (color)
        attachment_access(recording, &part, VK_IMAGE_ASPECT_COLOR_BIT,
                          SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE, SYNC_ORDER_COLOR);
    else
        attachment_access(recording, &part, aspect & attachment_aspects(part.view),
                          SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE, SYNC_ORDER_DEPTH_STENCIL);
}

static void clear_attachment(struct recording *recording, const VkClearAttachment *clear, const VkClearRect *rect)
{
    static const VkImageAspectFlagBits aspects[] = {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT,
                                                    VK_IMAGE_ASPECT_STENCIL_BIT};
    for (size_t i = 0; i < ARRAY_LENGTH(aspects); i++) {
        if (clear->aspectMask & aspects[i])
            clear_aspect(recording, clear, rect, aspects[i]);
    }
}

bool sync_validate_CmdClearAttachments(struct call *call, VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                       const VkClearAttachment *pAttachments, uint32_t rectCount,
                                       const VkClearRect *pRects)
{
    struct recording recording;
    if (!active_rendering(call_command_buffer(call)) || !recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < attachmentCount; i++) {
        for (uint32_t k = 0; k < rectCount; k++)
            clear_attachment(&recording, &pAttachments[i], &pRects[k]);
    }
    return recording_finish_check(&recording);
}
