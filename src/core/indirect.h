/* Buffers from which a draw or dispatch reads its parameters. */
#ifndef ASSAY_CORE_INDIRECT_H
#define ASSAY_CORE_INDIRECT_H

#include "report/rules.h"

struct indirect_buffer {
    VkBuffer handle;
    VkDeviceSize offset;
    const char *name, *offset_name; /* the command's parameters */
    enum rule bound; /* If buffer is non-sparse then it must be bound completely and contiguously to a single VkDeviceMemory object */
    enum rule usage;     /* buffer must have been created with the VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT usage flag set */
    enum rule alignment; /* offset must be a multiple of 4 */
};
bool indirect_check_buffer(const struct call *call, const struct indirect_buffer *indirect);

/* (stride * (count - 1) + offset + size) must be less than or equal to the size of buffer */
bool indirect_check_end(const struct call *call, VkBuffer buffer, VkDeviceSize offset, uint32_t count, uint32_t stride,
                        uint32_t size, enum rule rule);

#endif
