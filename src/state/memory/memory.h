/* The state of device memory: its size and type, and its mapping (11.2 "Device Memory"). */
#ifndef ASSAY_STATE_MEMORY_H
#define ASSAY_STATE_MEMORY_H

#include "state/object/object_state.h"

/* Grows when memory is freed. Relaxed */
extern HIDDEN _Atomic uint32_t memory_epoch;

/* Threads: const, except for the mapping, which is externally synchronised with the memory, and the
 * atomics. */
struct device_memory {
    struct object_state base;
    VkDeviceSize size;
    uint32_t type; /* index of the memory type */
    /* flags of the memory type; 0: the program named a type that does not exist */
    VkMemoryPropertyFlags properties;
    VkMemoryAllocateFlags flags; /* VkMemoryAllocateFlagsInfo */
    uint64_t dedicated_buffer;   /* id; 0 = none */
    uint64_t dedicated_image;    /* id; 0 = none */
    VkExternalMemoryHandleTypeFlags export_types;
    /* handle type of imported memory; 0: allocated by this device */
    VkExternalMemoryHandleTypeFlags import_type;
    _Atomic uint32_t image_count; /* how many images were ever bound to it; relaxed */
    _Atomic bool exported;        /* another process or API may know the memory; relaxed */
    bool is_protected;
    /* several physical devices of the group have their own instance (VkMemoryAllocateFlagsInfo) */
    bool multiple_instances;
    /* VkDedicatedAllocationMemoryAllocateInfoNV has a buffer, or an image */
    bool nv_dedicated_buffer, nv_dedicated_image;
    uint32_t instances; /* a bit for each physical device that has one; 0: not known */
    bool counted;       /* included in device_state::memory_count */
    bool mapped;
    VkDeviceSize map_offset;
    VkDeviceSize map_size;   /* resolved: never VK_WHOLE_SIZE */
    const void *map_pointer; /* host address of byte `map_offset`; valid while `mapped` */
    AREA_ROOM(168);
};
STATE_FINDERS(device_memory, VkDeviceMemory, HANDLE_DEVICE_MEMORY)

/* True if the memory is in a heap of tile memory (VK_QCOM_tile_memory_heap). */
static inline bool device_memory_is_of_tiles(const struct device *device,
                                             const struct device_memory *memory)
{
    const VkPhysicalDeviceMemoryProperties *p = &device->memory_properties;
    return memory->type < p->memoryTypeCount &&
           p->memoryHeaps[p->memoryTypes[memory->type].heapIndex % VK_MAX_MEMORY_HEAPS].flags &
               VK_MEMORY_HEAP_TILE_MEMORY_BIT_QCOM;
}

/* The place in memory of a buffer, or of a plane of an image. */
struct memory_binding {
    /* id; 0: not bound. It stays when the memory is freed; device_memory_by_id() then returns
     * NULL */
    uint64_t memory;
    VkDeviceSize offset;
};

/* True if the memory still exists. This looks up its object, as it may not have a state. */
static inline bool memory_binding_lives(const struct memory_binding *binding)
{
    return binding->memory && object_find_id(binding->memory, HANDLE_DEVICE_MEMORY);
}

/* Makes the binding to memory that a call names by its handle. */
struct memory_binding memory_binding_of(const struct call *call, VkDeviceMemory memory,
                                        VkDeviceSize offset);

#endif
