/* The state of buffers and buffer views (12.1, 12.2): how they were created, and their memory. */
#ifndef ASSAY_STATE_BUFFER_H
#define ASSAY_STATE_BUFFER_H

#include "state/memory/memory.h"

/* Threads: const once published, except for the binding, which its command writes once (with the
 * buffer externally synchronised). */
struct buffer {
    struct object_state base;
    VkDeviceSize size;
    /* from VkBufferUsageFlags2CreateInfo if that is chained, otherwise VkBufferCreateInfo::usage */
    VkBufferUsageFlags2 usage;
    VkBufferCreateFlags flags;
    VkSharingMode sharing_mode;
    uint64_t sharing_families; /* for VK_SHARING_MODE_CONCURRENT: bit i is family i; 0: not known */
    VkExternalMemoryHandleTypeFlags external_types;
    bool nv_dedicated; /* VkDedicatedAllocationBufferCreateInfoNV::dedicatedAllocation */
    struct memory_binding binding;
    _Atomic VkDeviceAddress address; /* 0 before the program has queried it */
    uint64_t video_profiles;         /* video_profiles_listed() */
    AREA_ROOM(8);
};
STATE_FINDERS(buffer, VkBuffer, HANDLE_BUFFER)

/* Immutable after it is made. */
struct buffer_view {
    struct object_state base;
    uint64_t buffer; /* id */
    VkFormat format;
    /* from VkBufferUsageFlags2CreateInfo, or otherwise the buffer's usage */
    VkBufferUsageFlags2 usage;
    VkDeviceSize offset;
    VkDeviceSize range; /* never VK_WHOLE_SIZE */
};
STATE_FINDERS(buffer_view, VkBufferView, HANDLE_BUFFER_VIEW)

/* True if the buffer is bound to memory that still exists. Always true for sparse buffers. */
static inline bool buffer_is_bound(const struct buffer *buffer)
{
    return buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT ||
           memory_binding_lives(&buffer->binding);
}

/* Queries the driver for the memory requirements. Cold. Threads: any. */
VkMemoryRequirements buffer_requirements(const struct device *device, const struct buffer *buffer);

#endif
