/* What the files about image views share (core/resource/image_view.c,
 * core/resource/image_view_format.c). */
#ifndef ASSAY_CORE_RESOURCE_IMAGE_VIEW_H
#define ASSAY_CORE_RESOURCE_IMAGE_VIEW_H

#include "core/require.h"
#include "state/image.h"

/* VkImageViewUsageCreateInfo's, or what the image has for the view's aspects. */
VkImageUsageFlags image_view_usage(const struct image *image, const VkImageViewCreateInfo *info);

/* Does the view's format go with the image's, can the device use it as `usage` says, and what do
 * conversions ask of it? */
void image_view_check_format(struct subject *subject, const VkImageViewCreateInfo *info,
                             const struct image *image, VkImageUsageFlags usage);

#endif
