/* Buffers and buffer views (12.1, 12.2): what they were created with, and where they lie. */
#ifndef ASSAY_STATE_BUFFER_H
#define ASSAY_STATE_BUFFER_H

#include "state/memory/memory.h"

/* Threads: const once published, but for the binding, which its command (the buffer externally
 * synchronised) writes once. */
struct buffer {
    struct object_state base;
    VkDeviceSize size;
    /* of VkBufferUsageFlags2CreateInfo where that is chained, else VkBufferCreateInfo::usage */
    VkBufferUsageFlags2 usage;
    VkBufferCreateFlags flags;
    VkSharingMode sharing_mode;
    uint64_t sharing_families; /* of VK_SHARING_MODE_CONCURRENT: bit i is family i; 0 = not known */
    VkExternalMemoryHandleTypeFlags external_types;
    struct memory_binding binding;
    _Atomic VkDeviceAddress address; /* 0 until the program asked for it */
    AREA_ROOM(8);
};
STATE_FINDERS(buffer, VkBuffer, HANDLE_BUFFER)

/* const. */
struct buffer_view {
    struct object_state base;
    uint64_t buffer; /* id */
    VkFormat format;
    VkBufferUsageFlags2 usage; /* usage of the buffer, or of VkBufferUsageFlags2CreateInfo */
    VkDeviceSize offset;
    VkDeviceSize range; /* resolved: never VK_WHOLE_SIZE */
};
STATE_FINDERS(buffer_view, VkBufferView, HANDLE_BUFFER_VIEW)

/* True if the buffer lies in memory that still lives (sparse ones always do). */
static inline bool buffer_is_bound(const struct buffer *buffer)
{
    return buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT ||
           memory_binding_lives(&buffer->binding);
}

/* Asks the driver. Cold. Threads: any. */
VkMemoryRequirements buffer_requirements(const struct device *device, const struct buffer *buffer);

#endif
