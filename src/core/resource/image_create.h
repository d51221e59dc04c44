/* Declarations that the files about creating images share (core/resource/image_create.c,
 * core/resource/image_limits.c). Threads: the calling thread. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_IMAGE_CREATE_H
#define ASSAY_CORE_RESOURCE_IMAGE_CREATE_H

#include "core/resource/create.h"

/* The number of mip levels of the complete mipmap chain (12.3). */
uint32_t mip_levels_of_extent(VkExtent3D extent);

/* Queries whether the driver supports such an image ("Image Creation Limits"), and reports if not.
 * It must not have other mistakes. */
void image_check_limits(struct subject *subject, const VkImageCreateInfo *info);

#endif
