/* The files about image views share this (core/resource/image_view.c,
 * core/resource/image_view_format.c). Threads: that of the call. Fields of other objects are read
 * as their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_IMAGE_VIEW_H
#define ASSAY_CORE_RESOURCE_IMAGE_VIEW_H

#include "report/finding/rule.h"
#include "state/memory/image.h"

/* VkImageViewUsageCreateInfo's, or what the image has for the view's aspects. */
VkImageUsageFlags image_view_usage(const struct image *image, const VkImageViewCreateInfo *info);

/* Checks that the view's format goes with the image's, and that the device can use it as `usage`
 * says. It also checks what conversions ask of it. */
void image_view_check_format(struct subject *subject, const VkImageViewCreateInfo *info,
                             const struct image *image, VkImageUsageFlags usage);

#endif
