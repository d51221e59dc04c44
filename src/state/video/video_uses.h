/* The images that a video coding command uses, each in the layout that it must be in (42.9 "Video
 * Decode Operations", 42.13 "Video Encode Operations"). Threads: on the stack of one call. */
#ifndef ASSAY_STATE_VIDEO_USES_H
#define ASSAY_STATE_VIDEO_USES_H

#include "state/video/video_scope.h"

enum video_use_kind {
    VIDEO_USE_OUTPUT,       /* the decoded picture */
    VIDEO_USE_OUTPUT_SETUP, /* the decoded picture, which is the reconstructed picture, too */
    VIDEO_USE_SETUP,        /* the reconstructed picture */
    VIDEO_USE_SLOT,         /* a reference picture */
    VIDEO_USE_SOURCE,       /* the encoded picture; this and the next kinds are of encoding */
    VIDEO_USE_ENCODE_SETUP,
    VIDEO_USE_ENCODE_SLOT,
    VIDEO_USE_MAP, /* the quantization map */
    VIDEO_USE_KINDS,
};

struct video_use {
    enum video_use_kind kind;
    uint32_t slot; /* index in pReferenceSlots, for reference pictures */
    VkImageLayout layout;
    const struct image *image;
    VkImageSubresourceRange range;
};

#define VIDEO_USES 36 /* most that are looked at: a command has about 16 slots */

/* Lists what the command uses, without images that are not known. With unifiedImageLayoutsVideo,
 * which allows two layouts each, the list is empty. Returns their number. */
uint32_t video_uses_of_decode(const struct call *call, const VkVideoDecodeInfoKHR *info,
                              struct video_use uses[VIDEO_USES]);
uint32_t video_uses_of_encode(const struct call *call, const VkVideoEncodeInfoKHR *info,
                              struct video_use uses[VIDEO_USES]);

#endif
