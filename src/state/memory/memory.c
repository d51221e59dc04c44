/* Tracks how device memory was allocated, and how it is mapped (11.2 "Device Memory"). */
#include "state/memory/memory.h"
#include "state/object/instances.h"

#include "state/hooks.h"
#include "state/submit/queue.h"
#include "vk/chain.h"

_Atomic uint32_t memory_epoch;

/* The id of an object; 0: it is not known. */
static uint64_t memory_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* True if each device of the mask has its own instance of the memory. Without a mask that is so in
 * heaps with VK_MEMORY_HEAP_MULTI_INSTANCE_BIT (VkMemoryAllocateFlagsInfo). */
bool memory_has_several_instances(const struct device *device, uint32_t type,
                                  const VkMemoryAllocateFlagsInfo *flags)
{
    const VkPhysicalDeviceMemoryProperties *known = &device->memory_properties;
    const struct device_state *state = object_load_state(device->object);
    const bool masked = flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT;
    if (masked)
        return __builtin_popcount(flags->deviceMask) > 1;
    return type < known->memoryTypeCount &&
           known->memoryHeaps[known->memoryTypes[type].heapIndex].flags &
               VK_MEMORY_HEAP_MULTI_INSTANCE_BIT &&
           state && state->physical_device_count > 1;
}

/* Notes the structures in the chain of an allocation. */
static void memory_read_chain(const struct call *call, struct device_memory *memory,
                              const void *chain)
{
    assert(memory && chain);
    const VkMemoryAllocateFlagsInfo *flags =
        chain_find(chain, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    const VkMemoryDedicatedAllocateInfo *dedicated =
        chain_find(chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    const VkExportMemoryAllocateInfo *exported =
        chain_find(chain, VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO);
    const VkImportMemoryFdInfoKHR *fd =
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR);
    const VkImportMemoryHostPointerInfoEXT *host =
        chain_find(chain, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
    if (flags)
        memory->flags = flags->flags;
    memory->multiple_instances = memory_has_several_instances(call->device, memory->type, flags);
    if (flags && flags->flags & VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT)
        memory->instances = flags->deviceMask;
    if (dedicated) {
        memory->dedicated_buffer =
            memory_object_id(call, (uint64_t)dedicated->buffer, HANDLE_BUFFER);
        memory->dedicated_image = memory_object_id(call, (uint64_t)dedicated->image, HANDLE_IMAGE);
    }
    const VkDedicatedAllocationMemoryAllocateInfoNV *nv =
        chain_find(chain, VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_MEMORY_ALLOCATE_INFO_NV);
    memory->nv_dedicated_buffer = nv && nv->buffer;
    memory->nv_dedicated_image = nv && nv->image;
    if (exported)
        memory->export_types = exported->handleTypes;
    if (fd)
        memory->import_type = fd->handleType;
    /* A handleType of 0 imports nothing. */
    if (host && host->handleType)
        memory->import_type = host->handleType;
}

void state_after_AllocateMemory(struct call *call, VkDevice device,
                                const VkMemoryAllocateInfo *pAllocateInfo,
                                const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
    struct object *object = created_object(call, (uint64_t)*pMemory, HANDLE_DEVICE_MEMORY);
    struct device_memory *memory = object_state_new(object, sizeof(*memory));
    if (!memory)
        return;
    memory->size = pAllocateInfo->allocationSize;
    memory->type = pAllocateInfo->memoryTypeIndex;
    if (memory->type < call->device->memory_properties.memoryTypeCount)
        memory->properties =
            call->device->memory_properties.memoryTypes[memory->type].propertyFlags;
    memory->is_protected = (memory->properties & VK_MEMORY_PROPERTY_PROTECTED_BIT) != 0;
    if (pAllocateInfo->pNext)
        memory_read_chain(call, memory, pAllocateInfo->pNext);
    else
        memory->multiple_instances = memory_has_several_instances(call->device, memory->type, NULL);
    struct device_state *device_state = device_state_make(call->device);
    /* Only counted memory is subtracted when it is freed. */
    memory->counted = device_state != NULL;
    if (device_state)
        atomic_fetch_add_explicit(&device_state->memory_count, 1, memory_order_relaxed);
    object_state_publish(object, memory);
}

void state_before_FreeMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                             const VkAllocationCallbacks *pAllocator)
{
    struct device_memory *state = named_device_memory(call, 0, memory);
    struct device_state *device_state = object_load_state(call->device->object);
    if (state && state->counted && device_state)
        atomic_fetch_sub_explicit(&device_state->memory_count, 1, memory_order_relaxed);
}

void state_after_FreeMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                            const VkAllocationCallbacks *pAllocator)
{
    if (memory)
        atomic_fetch_add_explicit(&memory_epoch, 1, memory_order_relaxed);
}

/* Notes how the memory is mapped. `offset`, `size`: in bytes. */
static void memory_map_range(const struct call *call, VkDeviceMemory handle, VkDeviceSize offset,
                             VkDeviceSize size, void *const *pointer)
{
    struct device_memory *memory =
        call->result == VK_SUCCESS ? find_device_memory(call, handle) : NULL;
    if (!memory)
        return;
    memory->mapped = true;
    memory->map_offset = offset;
    memory->map_size = size == VK_WHOLE_SIZE ? memory->size - offset : size;
    memory->map_pointer = *pointer;
}

/* Notes that the memory is unmapped. */
static void memory_unmap_all(const struct call *call, VkDeviceMemory handle)
{
    struct device_memory *memory =
        call->result == VK_SUCCESS ? find_device_memory(call, handle) : NULL;
    if (memory)
        memory->mapped = false;
}

void state_after_MapMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                           VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,
                           void **ppData)
{
    memory_map_range(call, memory, offset, size, ppData);
}

void state_after_MapMemory2(struct call *call, VkDevice device,
                            const VkMemoryMapInfo *pMemoryMapInfo, void **ppData)
{
    memory_map_range(call, pMemoryMapInfo->memory, pMemoryMapInfo->offset, pMemoryMapInfo->size,
                     ppData);
}

void state_after_UnmapMemory(struct call *call, VkDevice device, VkDeviceMemory memory)
{
    memory_unmap_all(call, memory);
}

void state_after_UnmapMemory2(struct call *call, VkDevice device,
                              const VkMemoryUnmapInfo *pMemoryUnmapInfo)
{
    memory_unmap_all(call, pMemoryUnmapInfo->memory);
}

void state_after_GetMemoryFdKHR(struct call *call, VkDevice device,
                                const VkMemoryGetFdInfoKHR *pGetFdInfo, int *pFd)
{
    struct device_memory *memory =
        call->result == VK_SUCCESS ? find_device_memory(call, pGetFdInfo->memory) : NULL;
    if (memory)
        atomic_store_explicit(&memory->exported, true, memory_order_relaxed);
}

struct memory_binding memory_binding_of(const struct call *call, VkDeviceMemory memory,
                                        VkDeviceSize offset)
{
    return (struct memory_binding){memory_object_id(call, (uint64_t)memory, HANDLE_DEVICE_MEMORY),
                                   offset};
}
