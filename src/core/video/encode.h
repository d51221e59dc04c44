/* The parts of vkCmdEncodeVideoKHR that have files of their own. Threads: that of the call. Fields
 * of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_VIDEO_ENCODE_H
#define ASSAY_CORE_VIDEO_ENCODE_H

#include "core/video/coding.h"

/* encode_slices.c: H.264 and H.265 */
void encode_check_slices(struct coding *c, const VkVideoEncodeInfoKHR *info);
void encode_check_av1(struct coding *c, const VkVideoEncodeInfoKHR *info); /* encode_av1.c */

#endif
