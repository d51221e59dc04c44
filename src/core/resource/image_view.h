/* Declarations that the files about image views share (core/resource/image_view.c,
 * core/resource/image_view_format.c). Threads: the calling thread. Fields of other objects are read
 * as their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_IMAGE_VIEW_H
#define ASSAY_CORE_RESOURCE_IMAGE_VIEW_H

#include "report/finding/rule.h"
#include "state/memory/image.h"

/* The usage of a view: that of VkImageViewUsageCreateInfo, or the image's usage for the view's
 * aspects. */
VkImageUsageFlags image_view_usage(const struct image *image, const VkImageViewCreateInfo *info);

/* Checks that the view's format matches the image's, and that the device supports `usage` with it.
 * It also checks Y'CbCr conversions. */
void image_view_check_format(struct subject *subject, const VkImageViewCreateInfo *info,
                             const struct image *image, VkImageUsageFlags usage);

#endif
