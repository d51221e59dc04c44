/* Records the accesses of load, store and resolve operations, and of vkCmdClearAttachments. */
#include "sync/record/attachments.h"

#include "state/memory/formats.h"
#include "sync/access/access_subpass.h"
#include "sync/advice/advice.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/access/ranges.h"

VkImageAspectFlags attachment_aspects(const struct image_view *view)
{
    return format_aspects(view->format) & (FORMAT_COLOR_ASPECTS | FORMAT_DEPTH_STENCIL_ASPECTS);
}

/* --- whole layers of views --- */

/* Notes the places of a view's layers, if each layer is one place. 3D images are left out, as their
 * layers are slices, and so are images with planes of different sizes. */
static void note_view(const struct image_view *view)
{
    const struct image *image = view ? image_by_id(view->image) : NULL;
    /* An area that covers the level gives its whole layers. */
    const VkRect2D all = {.extent = {INT32_MAX, INT32_MAX}};
    if (!image || image->type == VK_IMAGE_TYPE_3D || image->plane_count > 1)
        return;
    struct sync_in_image_view *known = sync_in_image_view(view);
    struct image_places places;
    uint64_t layer_size = 0;
    VkImageAspectFlags aspects = image->aspects;
    for (uint32_t i = 0; i < ARRAY_LENGTH(known->begin) && aspects; i++, aspects &= aspects - 1) {
        image_places_of_area(&places, image, view, aspects & -aspects, all, 0, 1);
        if (!image_places_next(&places))
            return;
        layer_size = places.place.end - places.place.begin;
        known->begin[i] = places.place.begin;
    }
    known->width = mip_extent(image->extent.width, view->range.baseMipLevel);
    known->height = mip_extent(image->extent.height, view->range.baseMipLevel);
    atomic_store_explicit(&known->layer_size, aspects ? 0 : layer_size, memory_order_release);
}

void sync_after_CreateImageView(struct call *call, VkDevice device,
                                const VkImageViewCreateInfo *pCreateInfo,
                                const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
    if (call->result == VK_SUCCESS)
        note_view(find_image_view(call, *pView));
}

/* True if the area covers all of the view's mip level, so that whole layers are accessed. */
static bool attachment_covers(VkRect2D area, const struct sync_in_image_view *known)
{
    return area.offset.x <= 0 && area.offset.y <= 0 &&
           (int64_t)area.offset.x + area.extent.width >= known->width &&
           (int64_t)area.offset.y + area.extent.height >= known->height;
}

/* Returns how many elements from `base` on exist, of `count` that are asked for and `all` that
 * there are. */
static uint32_t attachment_clip(uint32_t base, uint32_t count, uint32_t all)
{
    return base >= all ? 0 : count < all - base ? count : all - base;
}

/* Finds the place of whole layers of one aspect, as image_places_of_area() does. Returns false if
 * they are not whole, there are none, or they are not known to be one place. */
static bool layers_place(struct sync_place *place, const struct image *image,
                         const struct image_view *view, VkImageAspectFlags aspect, VkRect2D area,
                         uint32_t base_layer, uint32_t layer_count)
{
    const struct sync_in_image_view *known = sync_in_image_view(view);
    const uint64_t size = atomic_load_explicit(&known->layer_size, memory_order_acquire);
    if (!size || aspect & (aspect - 1) || !(aspect & image->aspects) ||
        !attachment_covers(area, known))
        return false;
    const uint32_t of_view = attachment_clip(base_layer, layer_count, view->range.layerCount);
    const uint32_t count =
        attachment_clip(view->range.baseArrayLayer + base_layer, of_view, image->array_layers);
    place->space = image_space(image);
    /* An image has at most two aspects here: stencil is the second one, after depth. */
    place->begin = known->begin[(image->aspects & (aspect - 1)) != 0] + size * base_layer;
    place->end = place->begin + size * count;
    return place->begin < place->end;
}

/* Accesses the area in some layers, without a search if they are one known place. */
static void access_layers(struct recording *recording, const struct attachment_part *part,
                          const struct image *image, VkImageAspectFlags aspects,
                          uint32_t base_layer, uint32_t layer_count, enum sync_usage usage,
                          enum sync_ordering ordering)
{
    struct image_places places;
    struct sync_place place;
    if (likely(layers_place(&place, image, part->view, aspects, part->area, base_layer,
                            layer_count))) {
        recording_image_place(recording, image, &place, usage, ordering, &part->source);
        return;
    }
    image_places_of_area(&places, image, part->view, aspects, part->area, base_layer, layer_count);
    recording_image_places(recording, &places, usage, ordering, &part->source);
}

void attachment_access(struct recording *recording, const struct attachment_part *part,
                       VkImageAspectFlags aspects, enum sync_usage usage,
                       enum sync_ordering ordering)
{
    const struct image *image = part->view ? image_by_id(part->view->image) : NULL;
    if (!image || !aspects)
        return;
    if (likely(!part->view_mask)) {
        access_layers(recording, part, image, aspects, part->base_layer, part->layer_count, usage,
                      ordering);
        return;
    }
    struct attachment_layers layers = attachment_layers_of(part);
    while (attachment_next_layers(part, &layers))
        access_layers(recording, part, image, aspects, layers.base_layer, layers.layer_count, usage,
                      ordering);
}

void attachment_load(struct recording *recording, const struct attachment_part *part,
                     VkImageAspectFlags aspects, VkAttachmentLoadOp op)
{
    bool color = aspects & VK_IMAGE_ASPECT_COLOR_BIT, reads = op == VK_ATTACHMENT_LOAD_OP_LOAD;
    /* VK_ATTACHMENT_LOAD_OP_NONE does not access the attachment. */
    if (!reads && op != VK_ATTACHMENT_LOAD_OP_CLEAR && op != VK_ATTACHMENT_LOAD_OP_DONT_CARE)
        return;
    if (reads && unlikely(recording->sync->advice != NULL))
        advice_load(recording, part, aspects);
    enum sync_usage usage = color   ? reads ? SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ
                                            : SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE
                            : reads ? SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_READ
                                    : SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE;
    attachment_access(recording, part, aspects, usage, SYNC_ORDER_LOAD);
}

/* Returns the usage of a store. Depth and stencil are stored in the late tests, whatever the draws
 * did. */
static enum sync_usage store_usage(VkImageAspectFlags aspects)
{
    return aspects & VK_IMAGE_ASPECT_COLOR_BIT
               ? SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE
               : SYNC_LATE_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE;
}

/* True if a draw, clear or resolve of the ending instance made the write; in a resumed instance,
 * since it was resumed. */
static bool is_of_instance(const struct sync_context *context, const struct sync_record *write)
{
    if (write->usage == SYNC_NONE ||
        (context->graph ? write->tag < context->subpasses[0].first_tag
                        : !write->instance || write->instance != context->instance))
        return false;
    return write->ordering == SYNC_ORDER_COLOR || write->ordering == SYNC_ORDER_DEPTH_STENCIL ||
           write->ordering == SYNC_ORDER_RESOLVE;
}

/* Says how much of an attachment's layers the instance has written. */
struct written {
    bool any;
    bool all; /* all was written, in the stage of a store operation */
};

/* Adds to `written` whether the instance has written any or all of some layers. */
static void look_at_layers(struct sync_context *context, const struct attachment_part *part,
                           const struct image *image, VkImageAspectFlags aspect,
                           const struct attachment_layers *layers, struct written *written)
{
    struct image_places places;
    struct sync_walk walk;
    image_places_of_area(&places, image, part->view, aspect, part->area, layers->base_layer,
                         layers->layer_count);
    while (image_places_next(&places)) {
        uint64_t at = places.place.begin;
        if (!sync_walk_place(&walk, context, &places.place, false))
            return;
        while (sync_walk_next(&walk)) {
            bool here = is_of_instance(context, &walk.state->write);
            written->any |= here;
            written->all &=
                /* The store happens later, in its own stage: an earlier write in another stage
                 * cannot replace it. */
                here && walk.piece_begin == at && walk.state->write.usage == store_usage(aspect);
            at = walk.piece_end;
        }
        written->all &= at == places.place.end;
    }
}

/* VK_ATTACHMENT_STORE_OP_NONE: "If values are written during the render pass, this behaves
 * identically to VK_ATTACHMENT_STORE_OP_DONT_CARE and with matching access semantics." Records such
 * a store. If all was written in the same stage, a second write would add nothing. */
static void store_nothing(struct recording *recording, const struct attachment_part *part,
                          VkImageAspectFlags aspect)
{
    struct sync_context *context = &recording->sync->context;
    const struct image *image = part->view ? image_by_id(part->view->image) : NULL;
    struct attachment_layers layers = attachment_layers_of(part);
    struct written written = {.all = true};
    if (!image || context->broken)
        return;
    while (attachment_next_layers(part, &layers))
        look_at_layers(context, part, image, aspect, &layers, &written);
    if (written.any && !written.all)
        attachment_access(recording, part, aspect, store_usage(aspect), SYNC_ORDER_STORE);
}

void attachment_store(struct recording *recording, const struct attachment_part *part,
                      VkImageAspectFlags aspects, VkAttachmentStoreOp op)
{
    for (VkImageAspectFlags left = op == VK_ATTACHMENT_STORE_OP_NONE ? aspects : 0; left;
         left &= left - 1)
        store_nothing(recording, part, left & -left);
    if (op != VK_ATTACHMENT_STORE_OP_STORE && op != VK_ATTACHMENT_STORE_OP_DONT_CARE)
        return;
    attachment_access(recording, part, aspects, store_usage(aspects), SYNC_ORDER_STORE);
    if (op == VK_ATTACHMENT_STORE_OP_DONT_CARE && unlikely(recording->sync->advice != NULL))
        advice_store_discards(recording, part, aspects);
}

void attachment_resolve(struct recording *recording, const struct attachment_part *from,
                        const struct attachment_part *to, VkImageAspectFlags aspects)
{
    if (!from->view || !to->view)
        return;
    attachment_access(recording, from, aspects, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_READ,
                      SYNC_ORDER_RESOLVE);
    attachment_access(recording, to, aspects, SYNC_COLOR_ATTACHMENT_OUTPUT_COLOR_ATTACHMENT_WRITE,
                      SYNC_ORDER_RESOLVE);
}

/* --- vkCmdClearAttachments --- */

/* Returns the view of the current subpass' attachment that has the aspect: color attachment
 * `color`, or the depth or stencil attachment. NULL: there is no such attachment. */
static const struct image_view *cleared_view(const struct command_buffer *command_buffer,
                                             uint32_t color, VkImageAspectFlagBits aspect)
{
    const struct render_pass_instance *rendering = command_buffer->rendering;
    bool is_color = aspect == VK_IMAGE_ASPECT_COLOR_BIT;
    if (rendering->kind == RENDERING_DYNAMIC) {
        if (is_color)
            return color < PIPELINE_COLORS ? image_view_by_id(rendering->colors[color].view) : NULL;
        return image_view_by_id(aspect == VK_IMAGE_ASPECT_DEPTH_BIT ? rendering->depth.view
                                                                    : rendering->stencil.view);
    }
    const struct subpass *subpass = active_subpass(command_buffer);
    if (!subpass || (is_color && color >= subpass->color_count))
        return NULL;
    return rendering_view(rendering, is_color ? subpass->colors[color].attachment
                                              : subpass->depth_stencil.attachment);
}

/* Accesses one aspect that vkCmdClearAttachments clears in a rectangle. */
static void clear_aspect(struct recording *recording, const VkClearAttachment *clear,
                         const VkClearRect *rect, VkImageAspectFlagBits aspect)
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
                          SYNC_EARLY_FRAGMENT_TESTS_DEPTH_STENCIL_ATTACHMENT_WRITE,
                          SYNC_ORDER_DEPTH_STENCIL);
}

/* Clears each aspect on its own, as depth and stencil have different places. */
static void clear_attachment(struct recording *recording, const VkClearAttachment *clear,
                             const VkClearRect *rect)
{
    static const VkImageAspectFlagBits aspects[] = {
        VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT};
    for (size_t i = 0; i < ARRAY_LENGTH(aspects); i++) {
        if (clear->aspectMask & aspects[i])
            clear_aspect(recording, clear, rect, aspects[i]);
    }
}

bool sync_validate_CmdClearAttachments(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t attachmentCount,
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
