/* Declarations that buffer views and texel buffer descriptors share. Threads: the calling thread.
 * Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_RESOURCE_BUFFER_H
#define ASSAY_CORE_RESOURCE_BUFFER_H

#include "objects/device.h"

/* The "effective alignment requirement" of a format in texel buffers
 * (minTexelBufferOffsetAlignment, 48 "Limits"), in bytes; 0: not known. */
VkDeviceSize texel_buffer_alignment(const struct call *call, VkFormat format, bool storage);

#endif
