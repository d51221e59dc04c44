/* Advice on device memory: its allocation, and the resources that are bound to it. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/asked.h"
#include "practices/extensions_of_device.h"
#include "practices/hooks.h"
#include "state/memory/buffer.h"

#include <inttypes.h>
#include <time.h>

/* Allocations below this size are small. */
#define SMALL_ALLOCATION ((VkDeviceSize)1 << 20)
/* So few small allocations do not matter. */
#define SMALL_ALLOCATIONS 8
/* Advice is given once so many freed allocations could have been used for a later one, within so
 * many seconds. */
#define REUSED_ALLOCATIONS 8
#define REUSED_WITHIN      5
/* From this amount of device memory on, a program may compete with others for it. */
#define MUCH_MEMORY ((VkDeviceSize)1 << 30)

/* True for device-local memory that was allocated here, not imported. */
static bool is_of_device(const struct device_memory *memory)
{
    return memory->properties & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT && !memory->import_type;
}

/* --- priorities, for NVIDIA's GPUs --- */

/* True if the memory could have a priority, and has none. */
static bool wants_priority(const struct call *call, const struct device_memory *memory)
{
    return practices_want(call, PRACTICE_NVIDIA) &&
           device_has_feature(call->device, FEATURE_memoryPriority) && is_of_device(memory) &&
           !atomic_load_explicit(&practices_in_memory(memory)->has_priority, memory_order_relaxed);
}

/* Notes that the program has set a priority, so that no advice is given. */
static void note_priority(const struct device_memory *memory)
{
    atomic_store_explicit(&practices_in_memory(memory)->has_priority, 1, memory_order_relaxed);
}

/* True if priorities may be set after the allocation (vkSetDeviceMemoryPriorityEXT). */
static bool sets_priorities_later(const struct call *call)
{
    return call_has_extension(call, EXTENSION_VK_EXT_pageable_device_local_memory);
}

/* Judges a new allocation. With pageable memory, judge_priority_of_bound() does that later. */
static void judge_priority(const struct call *call, const VkMemoryAllocateInfo *info,
                           const struct device_memory *memory,
                           const struct finding_objects *objects)
{
    if (CHAINED(info->pNext, MEMORY_PRIORITY_ALLOCATE_INFO_EXT))
        note_priority(memory);
    else if (!sets_priorities_later(call) && wants_priority(call, memory))
        advise(call, BestPractices_NVIDIA_AllocateMemory_SetPriority,
               &LOCATION_POINTER(NULL, "pAllocateInfo"), objects,
               "has no VkMemoryPriorityAllocateInfoEXT, and memory type %u is of the device",
               memory->type);
}

void practices_after_SetDeviceMemoryPriorityEXT(struct call *call, VkDevice device,
                                                VkDeviceMemory memory, float priority)
{
    const struct device_memory *set = named_device_memory(call, 0, memory);
    if (set)
        note_priority(set);
}

/* Judges memory when something is bound to it, as the memory is used soon. */
static void judge_priority_of_bound(const struct call *call, enum handle_type type, uint64_t handle,
                                    const struct device_memory *memory)
{
    if (!sets_priorities_later(call) || !wants_priority(call, memory))
        return;
    const uint64_t of_memory = object_state_handle(&memory->base);
    advise(call, BestPractices_NVIDIA_AllocateMemory_SetPriority, NULL,
           OBJECT2(type, handle, HANDLE_DEVICE_MEMORY, of_memory),
           "binds %s to %s, which has no priority, and memory type %u is of the device",
           NAMED(call, type, handle), NAMED_STATE(call, &memory->base), memory->type);
}

/* --- what is bound --- */

/* True for a small, not dedicated allocation of which the resource may take everything. If a driver
 * requires dedicated memory, programs have no choice. */
static bool is_small(const struct device_memory *memory, const struct memory_binding *binding)
{
    return memory && memory->size < SMALL_ALLOCATION && !binding->offset &&
           !memory->dedicated_buffer && !memory->dedicated_image && !memory->import_type &&
           !memory->export_types;
}

/* Counts the allocation once, and advises if there are too many. */
static void judge_small(const struct call *call, enum vuid id, enum handle_type type,
                        uint64_t handle, const struct device_memory *memory)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    const bool counted = kept && !atomic_exchange_explicit(&practices_in_memory(memory)->small, 1,
                                                           memory_order_relaxed);
    const uint32_t count = counted ? practices_count(&kept->small_allocations) : 0;
    if (count > SMALL_ALLOCATIONS)
        advise(call, id, NULL,
               OBJECT2(type, handle, HANDLE_DEVICE_MEMORY, object_state_handle(&memory->base)),
               "%s has %" PRIu64 " bytes, and %s fills all of it; there are %u such allocations",
               NAMED_STATE(call, &memory->base), memory->size, NAMED(call, type, handle), count);
}

/* Judges a buffer's memory: its priority, and whether it is a small allocation for one buffer. */
static void judge_buffer(const struct call *call, VkBuffer handle)
{
    const struct buffer *buffer = find_buffer(call, handle);
    const struct device_memory *memory =
        buffer ? device_memory_by_id(buffer->binding.memory) : NULL;
    if (!memory)
        return;
    judge_priority_of_bound(call, HANDLE_BUFFER, (uint64_t)handle, memory);
    if (!is_small(memory, &buffer->binding) ||
        atomic_load_explicit(&practices_in_memory(memory)->small, memory_order_relaxed))
        return;
    const VkMemoryRequirements needs = buffer_requirements(call->device, buffer);
    /* There is no room for another resource: the memory was allocated for this buffer alone. */
    if (needs.size && memory->size < needs.size + needs.alignment)
        judge_small(call, BestPractices_vkBindBufferMemory_small_dedicated_allocation,
                    HANDLE_BUFFER, (uint64_t)handle, memory);
}

/* True if a transient image is bound to memory that is not lazily allocated, although the device
 * has such memory. */
static bool wants_lazy(const struct call *call, const struct image *image,
                       const struct device_memory *memory)
{
    const struct practices_of_device *kept = practices_of_device(call->device);
    return image->any_usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT && kept &&
           atomic_load_explicit(&kept->lazy_memory, memory_order_relaxed) &&
           !(memory->properties & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) && !memory->import_type;
}

/* Judges an image's memory: its priority, lazy allocation, and whether it is a small allocation for
 * one image. */
static void memory_judge_image(const struct call *call, VkImage handle)
{
    const struct image *image = find_image(call, handle);
    const struct device_memory *memory =
        /* Disjoint images are bound plane by plane, and are not judged. */
        image && !image_is_disjoint(image) ? device_memory_by_id(image->binding[0].memory) : NULL;
    if (memory)
        judge_priority_of_bound(call, HANDLE_IMAGE, (uint64_t)handle, memory);
    const bool lazy = memory && wants_lazy(call, image, memory);
    const bool small = is_small(memory, image ? &image->binding[0] : NULL);
    /* The driver's requirements are only queried if they decide. */
    if (!lazy && !small)
        return;
    const VkMemoryRequirements needs = image_requirements(call->device, image);
    if (lazy && practices_lazy_memory(call->device, needs.memoryTypeBits))
        advise(call, BestPractices_vkBindImageMemory_non_lazy_transient_image, NULL,
               OBJECT2(HANDLE_IMAGE, handle, HANDLE_DEVICE_MEMORY,
                       object_state_handle(&memory->base)),
               "%s is transient, and memory type %u of %s has %s",
               NAMED(call, HANDLE_IMAGE, handle), memory->type, NAMED_STATE(call, &memory->base),
               TEXT_OF(VkMemoryPropertyFlags, memory->properties));
    if (small && needs.size && memory->size < needs.size + needs.alignment)
        judge_small(call, BestPractices_vkBindImageMemory_small_dedicated_allocation, HANDLE_IMAGE,
                    (uint64_t)handle, memory);
}

/* True if the chain of an element returns the status of that element. */
static bool says_status(const void *chain)
{
    return CHAINED(chain, BIND_MEMORY_STATUS) != NULL;
}

/* Advises on a bind that has failed for some elements. `says`: each element returns its own
 * status. */
static void judge_failure(const struct call *call, enum vuid unknown, enum vuid known, bool says,
                          uint32_t count, const char *what)
{
    if (says)
        advise(call, known, NULL, NULL, "fails, and a status says for which of %u %s", count, what);
    else if (count > 1)
        advise(call, unknown, NULL, NULL, "fails for some of %u %s, and does not say for which",
               count, what);
}

void practices_after_BindBufferMemory(struct call *call, VkDevice device, VkBuffer buffer,
                                      VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        judge_buffer(call, buffer);
}

void practices_after_BindBufferMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                       const VkBindBufferMemoryInfo *pBindInfos)
{
    if (call->result != VK_SUCCESS) {
        bool says = bindInfoCount != 0;
        for (uint32_t i = 0; i < bindInfoCount; i++)
            says &= says_status(pBindInfos[i].pNext);
        judge_failure(call, BestPractices_Partial_Bound_Buffer,
                      BestPractices_Partial_Bound_Buffer_Status, says, bindInfoCount, "buffers");
        return;
    }
    for (uint32_t i = 0; i < bindInfoCount; i++)
        judge_buffer(call, pBindInfos[i].buffer);
}

void practices_after_BindImageMemory(struct call *call, VkDevice device, VkImage image,
                                     VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        memory_judge_image(call, image);
}

void practices_after_BindImageMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                      const VkBindImageMemoryInfo *pBindInfos)
{
    if (call->result != VK_SUCCESS) {
        bool says = bindInfoCount != 0;
        for (uint32_t i = 0; i < bindInfoCount; i++)
            says &= says_status(pBindInfos[i].pNext);
        judge_failure(call, BestPractices_Partial_Bound_Image,
                      BestPractices_Partial_Bound_Image_Status, says, bindInfoCount, "images");
        return;
    }
    for (uint32_t i = 0; i < bindInfoCount; i++)
        memory_judge_image(call, pBindInfos[i].image);
}

/* --- how it is allocated, for NVIDIA's GPUs --- */

/* Size in bytes and memory type in one word; never 0. */
static uint64_t allocation_key(VkDeviceSize size, uint32_t type)
{
    return (uint64_t)size << 5 | (type & 31);
}

/* The time in seconds, from the coarse clock. */
static uint32_t memory_seconds(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (uint32_t)now.tv_sec;
}

/* Advises if memory that was freed shortly before could have been used instead of a new
 * allocation. */
static void judge_reuse(const struct call *call, const struct device_memory *memory,
                        const struct finding_objects *objects)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    const uint64_t key = allocation_key(memory->size, memory->type);
    for (uint32_t i = 0; kept && i < FREED_ALLOCATIONS; i++) {
        uint64_t expected = key;
        /* A freed allocation counts once, as only one new allocation could have used it. */
        if (!atomic_compare_exchange_strong_explicit(&kept->freed[i], &expected, 0,
                                                     memory_order_relaxed, memory_order_relaxed))
            continue;
        if (memory_seconds() - atomic_load_explicit(&kept->freed_at[i], memory_order_relaxed) >
            REUSED_WITHIN)
            return;
        uint32_t count = practices_count(&kept->reused_allocations);
        if (count >= REUSED_ALLOCATIONS)
            advise(call, BestPractices_NVIDIA_AllocateMemory_ReuseAllocations,
                   &LOCATION_POINTER(NULL, "pAllocateInfo"), objects,
                   "asks for %" PRIu64 " bytes of memory type %u, and an allocation of that size "
                   "and type was freed shortly before (%u times so far)",
                   memory->size, memory->type, count);
        return;
    }
}

/* Judges a program that may need more memory than is available. This queries the driver for its
 * extensions, and is done once. */
static void judge_pages(const struct call *call, const struct device_memory *memory,
                        const struct finding_objects *objects)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    const enum extension pages = EXTENSION_VK_EXT_pageable_device_local_memory;
    if (!kept || !is_of_device(memory))
        return;
    const uint64_t before =
        atomic_fetch_add_explicit(&kept->local_bytes, memory->size, memory_order_relaxed);
    if (before + memory->size < MUCH_MEMORY || call_has_extension(call, pages) ||
        /* Last, so that only a device with so much memory counts as checked. */
        atomic_exchange_explicit(&kept->looked_at_pages, true, memory_order_relaxed))
        return;
    struct extension_set offered = {0};
    device_offered_extensions(call->device, &offered);
    if (extension_set_has(&offered, pages))
        advise(call, BestPractices_NVIDIA_CreateDevice_PageableDeviceLocalMemory,
               &LOCATION_POINTER(NULL, "pAllocateInfo"), objects,
               "brings the program to %" PRIu64 " MiB of the device's memory, and "
               "VK_EXT_pageable_device_local_memory, which the device has, is not enabled",
               (before + memory->size) >> 20);
}

void practices_after_AllocateMemory(struct call *call, VkDevice device,
                                    const VkMemoryAllocateInfo *pAllocateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkDeviceMemory *pMemory)
{
    const struct device_memory *memory =
        call->result == VK_SUCCESS && practices_want(call, PRACTICE_NVIDIA)
            ? find_device_memory(call, *pMemory)
            : NULL;
    if (!memory)
        return;
    const struct finding_objects *objects = OBJECT(HANDLE_DEVICE_MEMORY, *pMemory);
    judge_priority(call, pAllocateInfo, memory, objects);
    judge_pages(call, memory, objects);
    if (!memory->import_type && !memory->export_types)
        judge_reuse(call, memory, objects);
}

void practices_before_FreeMemory(struct call *call, VkDevice device, VkDeviceMemory memory,
                                 const VkAllocationCallbacks *pAllocator)
{
    const struct device_memory *freed = named_device_memory(call, 0, memory);
    struct practices_of_device *kept = freed ? practices_of_device(call->device) : NULL;
    if (!kept)
        return;
    if (atomic_load_explicit(&practices_in_memory(freed)->small, memory_order_relaxed))
        atomic_fetch_sub_explicit(&kept->small_allocations, 1, memory_order_relaxed);
    if (!practices_want(call, PRACTICE_NVIDIA))
        return;
    if (is_of_device(freed))
        atomic_fetch_sub_explicit(&kept->local_bytes, freed->size, memory_order_relaxed);
    if (freed->import_type || freed->export_types)
        return;
    const uint32_t place =
        atomic_fetch_add_explicit(&kept->next_freed, 1, memory_order_relaxed) % FREED_ALLOCATIONS;
    atomic_store_explicit(&kept->freed_at[place], memory_seconds(), memory_order_relaxed);
    /* Last: a reader that sees the key also sees its time. */
    atomic_store_explicit(&kept->freed[place], allocation_key(freed->size, freed->type),
                          memory_order_relaxed);
}

/* --- what was asked before --- */

void practices_after_GetAccelerationStructureMemoryRequirementsNV(
    struct call *call, VkDevice device,
    const VkAccelerationStructureMemoryRequirementsInfoNV *pInfo,
    VkMemoryRequirements2KHR *pMemoryRequirements)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept)
        atomic_store_explicit(&kept->acceleration_memory_asked, true, memory_order_relaxed);
}

void practices_after_BindAccelerationStructureMemoryNV(struct call *call, VkDevice device,
                                                       uint32_t bindInfoCount,
                                                       const VkBindAccelerationStructureMemoryInfoNV
                                                           *pBindInfos)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept && call->result == VK_SUCCESS && bindInfoCount &&
        !atomic_load_explicit(&kept->acceleration_memory_asked, memory_order_relaxed))
        advise(call, BestPractices_BindAccelerationStructureMemoryNV_requirements_not_retrieved,
               NULL, NULL, "binds memory, and the program has not asked what memory is needed");
}

void practices_after_GetVideoSessionMemoryRequirementsKHR(struct call *call, VkDevice device,
                                                          VkVideoSessionKHR videoSession,
                                                          uint32_t *pMemoryRequirementsCount,
                                                          VkVideoSessionMemoryRequirementsKHR
                                                              *pMemoryRequirements)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept)
        atomic_store_explicit(&kept->video_memory_asked, true, memory_order_relaxed);
    if (pMemoryRequirements && call->result == VK_INCOMPLETE)
        advise(call, BestPractices_vkGetVideoSessionMemoryRequirementsKHR_count_not_retrieved,
               &LOCATION(NULL, "pMemoryRequirementsCount"), NULL,
               "is %u, and the session has more requirements", *pMemoryRequirementsCount);
}

void practices_after_BindVideoSessionMemoryKHR(struct call *call, VkDevice device,
                                               VkVideoSessionKHR videoSession,
                                               uint32_t bindSessionMemoryInfoCount,
                                               const VkBindVideoSessionMemoryInfoKHR
                                                   *pBindSessionMemoryInfos)
{
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept && call->result == VK_SUCCESS &&
        !atomic_load_explicit(&kept->video_memory_asked, memory_order_relaxed))
        advise(call, BestPractices_vkBindVideoSessionMemoryKHR_requirements_count_not_retrieved,
               NULL, NULL, "binds memory, and the program has not asked what memory is needed");
}
