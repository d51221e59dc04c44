/* What do a render pass instance's own operations access, of render pass objects and dynamic rendering alike (8.2 "Load Operations" and what follows)? */
#ifndef ASSAY_SYNC_ATTACHMENTS_H
#define ASSAY_SYNC_ATTACHMENTS_H

#include "state/rendering.h"
#include "sync/recording.h"

/* Part of an attachment's view. Threads: on the stack. */
struct attachment_part {
    const struct image_view *view; /* NULL: nothing is accessed */
    VkRect2D area;
    uint32_t view_mask;               /* layers, with multiview; else 0: */
    uint32_t base_layer, layer_count; /* of the view */
    struct access_source source;
};

/* Aspects that the view has; a color or depth/stencil attachment has all of its format's. */
VkImageAspectFlags attachment_aspects(const struct image_view *view);

void attachment_access(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                       enum sync_usage usage, enum sync_ordering ordering);

/* `aspects` of one kind: color, or depth and stencil ones that have the same operation. */
void attachment_load(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                     VkAttachmentLoadOp op);
void attachment_store(struct recording *recording, const struct attachment_part *part, VkImageAspectFlags aspects,
                      VkAttachmentStoreOp op);
/* Both happen in COLOR_ATTACHMENT_OUTPUT, of depth and stencil too ("Render Pass Multisample Resolve Operations"). */
void attachment_resolve(struct recording *recording, const struct attachment_part *from,
                        const struct attachment_part *to, VkImageAspectFlags aspects);

#endif
