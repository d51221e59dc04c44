/* Declares the checks of vkCmdEncodeVideoKHR that have their own files. Threads: the calling
 * thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_VIDEO_ENCODE_H
#define ASSAY_CORE_VIDEO_ENCODE_H

#include "core/video/coding.h"

/* H.264 and H.265, in encode_slices.c */
void encode_check_slices(struct coding *c, const VkVideoEncodeInfoKHR *info);
void encode_check_av1(struct coding *c, const VkVideoEncodeInfoKHR *info); /* in encode_av1.c */

#endif
