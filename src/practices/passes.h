/* Declarations that the files about render pass instances share. Threads: the one that records the
 * command buffer. */
#ifndef ASSAY_PRACTICES_PASSES_H
#define ASSAY_PRACTICES_PASSES_H

#include "practices/areas.h"

struct image_view;
struct image;

#define ATTACHMENTS \
    (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT)
/* Usages for commands that only occur in render passes. */
#define WITHIN_PASSES \
    (ATTACHMENTS | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT)

/* Notes that a render pass instance is about to end, and judges its draws (practices/bind.c). */
void practices_pass_ends(const struct call *call);

/* --- practices/images.c: what a command buffer did with an image last --- */

enum image_use {
    IMAGE_UNUSED,
    IMAGE_CLEARED,   /* vkCmdClearColorImage, vkCmdClearDepthStencilImage */
    IMAGE_BLITTED,   /* vkCmdBlitImage wrote it */
    IMAGE_COPIED,    /* vkCmdCopyImage wrote it */
    IMAGE_FILLED,    /* vkCmdCopyBufferToImage wrote it */
    IMAGE_RESOLVED,  /* vkCmdResolveImage wrote it */
    IMAGE_STORED,    /* a store operation wrote it, and the render area covered it */
    IMAGE_DISCARDED, /* a store operation left its contents undefined */
};

/* True if load operations at the beginning of a render pass instance are to be checked. False: a
 * command has acted since the last image was noted. */
static inline bool images_are_noted(const struct practices_of_command_buffer *kept)
{
    return kept->noted == kept->actions;
}

/* Judges a load operation for the view's aspects. `whole`: the render area covers the level. Advice
 * is only given if no command has acted since the last use. */
void images_load(const struct call *call, const struct location *where,
                 const struct image_view *view, VkAttachmentLoadOp op, bool whole);
/* Notes a store operation. */
void images_store(const struct call *call, const struct image_view *view, VkAttachmentStoreOp op,
                  bool whole);
/* The last write to the range by this command buffer, in words ("was copied to"), even if other
 * commands followed. NULL: there was none, or it is not known. */
const char *images_written(const struct call *call, const struct image *image,
                           const VkImageSubresourceRange *range);

#endif
