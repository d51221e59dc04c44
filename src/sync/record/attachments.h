/* Records the accesses of a render pass instance's own operations, for render pass objects and
 * dynamic rendering alike (8.2 "Load Operations" and later sections). */
#ifndef ASSAY_SYNC_ATTACHMENTS_H
#define ASSAY_SYNC_ATTACHMENTS_H

#include "state/command/rendering.h"
#include "sync/record/recording.h"

/* Part of an attachment's view. Threads: on the stack. */
struct attachment_part {
    const struct image_view *view; /* NULL: nothing is accessed */
    VkRect2D area;
    uint32_t view_mask; /* a mask of layers, with multiview; else 0, and the next two fields hold */
    uint32_t base_layer, layer_count; /* layers of the view */
    struct access_source source;
    /* the first subpass that uses the attachment only resolves to it, so that its load operation
     * does not matter */
    bool only_resolved;
};

/* Walks the layers of a part in runs; `base_layer` and `layer_count` are layers of the view. */
struct attachment_layers {
    uint32_t rest; /* bits of the view mask that are left */
    bool is_single;
    uint32_t base_layer, layer_count;
};
static inline struct attachment_layers attachment_layers_of(const struct attachment_part *part)
{
    return (struct attachment_layers){.rest = part->view_mask, .is_single = !part->view_mask};
}
/* Goes to the next run of layers. Returns false if there is none. */
static inline MUST_CHECK bool attachment_next_layers(const struct attachment_part *part,
                                                     struct attachment_layers *layers)
{
    if (layers->is_single) {
        layers->is_single = false;
        layers->base_layer = part->base_layer;
        layers->layer_count = part->layer_count;
        return true;
    }
    if (!layers->rest)
        return false;
    uint32_t first = (uint32_t)__builtin_ctz(layers->rest), count = 1;
    while (first + count < 32 && layers->rest >> (first + count) & 1)
        count++;
    layers->rest &= count + first < 32 ? ~0u << (first + count) : 0;
    layers->base_layer = first;
    layers->layer_count = count;
    return true;
}

/* Returns the aspects that the view has; for a color or depth/stencil attachment, all aspects of
 * its format. */
VkImageAspectFlags attachment_aspects(const struct image_view *view);

void attachment_access(struct recording *recording, const struct attachment_part *part,
                       VkImageAspectFlags aspects, enum sync_usage usage,
                       enum sync_ordering ordering);

/* `aspects` are of one kind: color, or depth and stencil aspects that have the same operation. */
void attachment_load(struct recording *recording, const struct attachment_part *part,
                     VkImageAspectFlags aspects, VkAttachmentLoadOp op);
void attachment_store(struct recording *recording, const struct attachment_part *part,
                      VkImageAspectFlags aspects, VkAttachmentStoreOp op);
/* Reads `from` and writes `to`. Both accesses happen in the stage COLOR_ATTACHMENT_OUTPUT, for
 * depth and stencil too ("Render Pass Multisample Resolve Operations"). */
void attachment_resolve(struct recording *recording, const struct attachment_part *from,
                        const struct attachment_part *to, VkImageAspectFlags aspects);

#endif
