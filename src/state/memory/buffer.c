/* Tracks how buffers and buffer views were created, and the memory to which buffers are bound
 * (12.1, 12.2). */
#include "state/memory/buffer.h"

#include "state/memory/device_address.h"
#include "state/memory/formats.h"
#include "state/submit/queue.h"
#include "state/hooks.h"
#include "state/memory/sharing.h"
#include "state/memory/video_profile.h"
#include "vk/chain.h"

VkMemoryRequirements buffer_requirements(const struct device *device, const struct buffer *buffer)
{
    assert(device && buffer);
    VkMemoryRequirements requirements = {0};
    device->dispatch.GetBufferMemoryRequirements(device->handle,
                                                 (VkBuffer)object_driver(buffer->base.object),
                                                 &requirements);
    return requirements;
}

/* VkBufferUsageFlags2CreateInfo replaces the 32-bit usage where it is chained. */
static VkBufferUsageFlags2 buffer_info_usage(const VkBufferCreateInfo *info)
{
    const VkBufferUsageFlags2CreateInfo *usage =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    return usage ? usage->usage : info->usage;
}

/* Counts what the buffers of the device take of its address spaces. */
static void buffer_count(const struct call *call, const struct buffer *buffer, bool created)
{
    const VkBufferUsageFlags2 counted = VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                        VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
    if (likely(!(buffer->usage & counted) &&
               !(buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)))
        return;
    struct device_state *state = device_state_make(call->device);
    const uint64_t change = created ? buffer->size : -buffer->size;
    if (!state)
        return;
    if (buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
        atomic_fetch_add_explicit(&state->sparse_bytes, change, memory_order_relaxed);
    if (buffer->usage & VK_BUFFER_USAGE_2_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT)
        atomic_fetch_add_explicit(&state->sampler_bytes, change, memory_order_relaxed);
    if (buffer->usage & VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT)
        atomic_fetch_add_explicit(&state->resource_bytes, change, memory_order_relaxed);
}

void state_before_DestroyBuffer_bytes(struct call *call, VkDevice device, VkBuffer buffer,
                                      const VkAllocationCallbacks *pAllocator)
{
    const struct buffer *state = find_buffer(call, buffer);
    if (state)
        buffer_count(call, state, false);
}

void state_after_CreateBuffer(struct call *call, VkDevice device,
                              const VkBufferCreateInfo *pCreateInfo,
                              const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    struct object *object = created_object(call, (uint64_t)*pBuffer, HANDLE_BUFFER);
    struct buffer *buffer = object_state_new(object, sizeof(*buffer));
    if (!buffer)
        return;
    const VkExternalMemoryBufferCreateInfo *external =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    buffer->size = pCreateInfo->size;
    buffer->flags = pCreateInfo->flags;
    buffer->sharing_mode = pCreateInfo->sharingMode;
    buffer->sharing_families =
        sharing_families(pCreateInfo->sharingMode, pCreateInfo->queueFamilyIndexCount,
                         pCreateInfo->pQueueFamilyIndices);
    buffer->usage = buffer_info_usage(pCreateInfo);
    buffer->external_types = external ? external->handleTypes : 0;
    buffer->video_profiles =
        video_profiles_listed(pCreateInfo->pNext,
                              pCreateInfo->flags &
                                  VK_BUFFER_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
    const VkDedicatedAllocationBufferCreateInfoNV *dedicated =
        chain_find(pCreateInfo->pNext,
                   VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_BUFFER_CREATE_INFO_NV);
    buffer->nv_dedicated = dedicated && dedicated->dedicatedAllocation;
    buffer_count(call, buffer, true);
    object_state_publish(object, buffer);
}

/* The result of one element of vkBindBufferMemory2, which VkBindMemoryStatus may give. */
static VkResult result_of(const struct call *call, const void *chain)
{
    const VkBindMemoryStatus *status = chain_find(chain, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
    return status && !pointer_is_bad(status->pResult) ? *status->pResult : call->result;
}

/* Notes the memory of a buffer. */
static void buffer_bind(const struct call *call, VkBuffer handle, VkDeviceMemory memory,
                        VkDeviceSize offset)
{
    struct buffer *buffer = find_buffer(call, handle);
    if (buffer)
        buffer->binding = memory_binding_of(call, memory, offset);
}

void state_after_BindBufferMemory(struct call *call, VkDevice device, VkBuffer buffer,
                                  VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        buffer_bind(call, buffer, memory, memoryOffset);
}

void state_after_BindBufferMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                   const VkBindBufferMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        if (result_of(call, pBindInfos[i].pNext) == VK_SUCCESS)
            buffer_bind(call, pBindInfos[i].buffer, pBindInfos[i].memory,
                        pBindInfos[i].memoryOffset);
    }
}

/* Queries the driver for the buffer's address, once. The answer that the program gets does not pass
 * through here. */
static COLD void ask_address(const struct device *device, struct buffer *buffer)
{
    assert(buffer);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = (VkBuffer)object_driver(buffer->base.object)};
    atomic_store_explicit(&buffer->address,
                          device->dispatch.GetBufferDeviceAddress(device->handle, &info),
                          memory_order_relaxed);
    device_address_add(device, buffer);
}

void state_after_GetBufferDeviceAddress(struct call *call, VkDevice device,
                                        const VkBufferDeviceAddressInfo *pInfo)
{
    struct buffer *buffer = find_buffer(call, pInfo->buffer);
    if (buffer && !atomic_load_explicit(&buffer->address, memory_order_relaxed))
        ask_address(call->device, buffer);
}

/* With VK_WHOLE_SIZE the range from offset to the end of the buffer is used. If that is not a
 * multiple of the texel block size, the nearest smaller multiple is used. */
static VkDeviceSize resolve_range(const struct buffer *buffer, const VkBufferViewCreateInfo *info)
{
    assert(buffer && info);
    if (info->range != VK_WHOLE_SIZE)
        return info->range;
    const struct format_info *format = format_info(info->format);
    VkDeviceSize rest = info->offset < buffer->size ? buffer->size - info->offset : 0;
    return format ? rest / format->block_size * format->block_size : rest;
}

void state_after_CreateBufferView(struct call *call, VkDevice device,
                                  const VkBufferViewCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator, VkBufferView *pView)
{
    const struct buffer *buffer = find_buffer(call, pCreateInfo->buffer);
    struct object *object =
        buffer ? created_object(call, (uint64_t)*pView, HANDLE_BUFFER_VIEW) : NULL;
    struct buffer_view *view = object_state_new(object, sizeof(*view));
    if (!view)
        return;
    const VkBufferUsageFlags2CreateInfo *usage =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    view->buffer = object_state_id(&buffer->base);
    view->format = pCreateInfo->format;
    /* A view without its own usage has the usage of its buffer. */
    view->usage = usage ? usage->usage : buffer->usage;
    view->offset = pCreateInfo->offset;
    view->range = resolve_range(buffer, pCreateInfo);
    object_state_publish(object, view);
}
