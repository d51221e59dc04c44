/* The files about creating images share this (core/resource/image_create.c,
 * core/resource/image_limits.c). Threads: that of the call. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_IMAGE_CREATE_H
#define ASSAY_CORE_RESOURCE_IMAGE_CREATE_H

#include "core/resource/create.h"

/* Levels of the complete mipmap chain (12.3). */
uint32_t mip_levels_of_extent(VkExtent3D extent);

/* Asks the driver whether the device can make such an image ("Image Creation Limits"). For images
 * without other mistakes. */
void image_check_limits(struct subject *subject, const VkImageCreateInfo *info);

#endif
