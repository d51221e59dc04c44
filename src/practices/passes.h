/* Declares what render pass instances tell each other's files.
 * Threads: that which records the command buffer. */
#ifndef ASSAY_PRACTICES_PASSES_H
#define ASSAY_PRACTICES_PASSES_H

#include "practices/areas.h"

struct image_view;
struct image;

#define ATTACHMENTS \
    (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
/* The commands that happen in render passes alone. */
#define WITHIN_PASSES \
    (ATTACHMENTS | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT)

/* A render pass instance is about to end: what was drawn in it is judged (practices/bind.c). */
void practices_pass_ends(const struct call *call);

/* --- practices/images.c: what a command buffer did with an image last --- */

enum image_use {
    IMAGE_UNUSED,
    IMAGE_CLEARED,   /* vkCmdClearColorImage, vkCmdClearDepthStencilImage */
    IMAGE_BLITTED,   /* vkCmdBlitImage wrote it */
    IMAGE_COPIED,    /* vkCmdCopyImage did */
    IMAGE_FILLED,    /* vkCmdCopyBufferToImage did */
    IMAGE_RESOLVED,  /* vkCmdResolveImage did */
    IMAGE_STORED,    /* a store operation wrote it, and the render area had all of it */
    IMAGE_DISCARDED, /* a store operation left nothing defined */
};

/* For the beginning of a render pass instance, which has no draws yet. False: a command has acted
 * since an image was noted, and load operations need not be looked at. */
static inline bool images_are_noted(const struct practices_of_command_buffer *kept)
{
    return kept->noted == kept->actions;
}

/* A load operation is about to happen with the view's aspects. `whole`: the render area has all of
 * the level. Said where no command has acted since the last use. */
void images_load(const struct call *call, const struct location *where,
                 const struct image_view *view, VkAttachmentLoadOp op, bool whole);
/* A store operation has happened. */
void images_store(const struct call *call, const struct image_view *view, VkAttachmentStoreOp op,
                  bool whole);
/* How this command buffer has written of the range last, whatever came since: "was copied to".
 * NULL: not at all, or it is not known. */
const char *images_written(const struct call *call, const struct image *image,
                           const VkImageSubresourceRange *range);

#endif
