/* Makes buffers readable for the layer's own shaders. Buffers from which commands read parameters,
 * indices or texels get a device address, and memory that allows one. */
#include "gpu/device/areas.h"
#include "gpu/buffers/buffers.h"

#include <string.h>

#include "chassis/translate.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/shader.h"
#include "vk/chain.h"

/* The usages with which a command reads data that the layer checks. */
#define READ_BY_COMMANDS                                                          \
    (VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_2_INDEX_BUFFER_BIT | \
     VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT)
/* Video buffers are left alone: their creation depends on profiles, and the driver supports certain
 * usages together. */
#define LEFT_ALONE                                                                             \
    (VK_BUFFER_USAGE_2_VIDEO_DECODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_DECODE_DST_BIT_KHR | \
     VK_BUFFER_USAGE_2_VIDEO_ENCODE_SRC_BIT_KHR | VK_BUFFER_USAGE_2_VIDEO_ENCODE_DST_BIT_KHR)

/* True if the layer adds the usage for addresses to a buffer with these creation parameters. Sparse
 * buffers may have holes. External buffers must be created alike in another process or API. */
static bool gets_address(VkBufferCreateFlags flags, VkBufferUsageFlags2 usage,
                         VkExternalMemoryHandleTypeFlags external)
{
    return usage & READ_BY_COMMANDS && !(usage & LEFT_ALONE) && !external &&
           !(flags & (VK_BUFFER_CREATE_PROTECTED_BIT | VK_BUFFER_CREATE_SPARSE_BINDING_BIT));
}

bool gpu_buffer_has_address(const struct buffer *buffer)
{
    /* Unprotected shaders may not read protected buffers; sparse buffers may have holes. */
    if (buffer->flags & (VK_BUFFER_CREATE_PROTECTED_BIT | VK_BUFFER_CREATE_SPARSE_BINDING_BIT))
        return false;
    return buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT ||
           gets_address(buffer->flags, buffer->usage, buffer->external_types);
}

/* --- buffers --- */

/* Adds the usage to the create info if it must be added. `flags2` is room for a structure that
 * replaces one of the chain. Returns false if the create info stays unchanged. */
static bool add_usage(VkBufferCreateInfo *info, VkBufferUsageFlags2CreateInfo *flags2)
{
    const VkBufferUsageFlags2CreateInfo *in_chain =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO);
    const VkExternalMemoryBufferCreateInfo *external =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
    VkBufferUsageFlags2 usage = in_chain ? in_chain->usage : info->usage;
    if (usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT ||
        !gets_address(info->flags, usage, external ? external->handleTypes : 0))
        return false;
    info->usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (!in_chain)
        return true;
    *flags2 = *in_chain;
    flags2->usage |= VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT;
    info->pNext = chain_replace(info->pNext, in_chain, flags2);
    return info->pNext != NULL;
}

VkResult gpu_down_CreateBuffer(struct call *call, const VkBufferCreateInfo *app, VkDevice device,
                               const VkBufferCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    const struct device *of = call->device;
    VkBufferCreateInfo info = *pCreateInfo;
    VkBufferUsageFlags2CreateInfo flags2;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    /* Scratch memory holds a chain that was copied for the change, until the driver has
     * returned. */
    bool changed =
        gpu_in_device(of)->gpu && gpu_in_device(of)->gpu->buffers && add_usage(&info, &flags2);
    VkResult result =
        of->dispatch.CreateBuffer(device, changed ? &info : pCreateInfo, pAllocator, pBuffer);
    scratch_rewind(scratch, mark);
    return result;
}

/* The requirements of a buffer that does not exist yet are queried with the usage that the layer
 * will add. */
void gpu_after_GetDeviceBufferMemoryRequirements(struct call *call, VkDevice device,
                                                 const VkDeviceBufferMemoryRequirements *pInfo,
                                                 VkMemoryRequirements2 *pMemoryRequirements)
{
    const struct device *of = call->device;
    if (!gpu_in_device(of)->gpu || !gpu_in_device(of)->gpu->buffers || !pInfo ||
        !pInfo->pCreateInfo || !pMemoryRequirements)
        return;
    VkBufferCreateInfo info = *pInfo->pCreateInfo;
    VkBufferUsageFlags2CreateInfo flags2;
    VkDeviceBufferMemoryRequirements asked = *pInfo;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    asked.pCreateInfo = &info;
    if (add_usage(&info, &flags2))
        of->dispatch.GetDeviceBufferMemoryRequirements(device, &asked, pMemoryRequirements);
    scratch_rewind(scratch, mark);
}

/* --- memory --- */

/* True if buffers that got an address from the layer may be bound to this memory. Imported memory
 * is for external buffers, which are not changed; memory dedicated to an image holds no buffer.
 * VK_EXT_buffer_device_address has no such flag. */
static bool holds_our_buffers(const struct device *device, const VkMemoryAllocateInfo *info)
{
    static const VkStructureType imports[] = {
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
        VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT};
    const VkMemoryDedicatedAllocateInfo *dedicated =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO);
    if (extension_set_has(&device->extensions, EXTENSION_VK_EXT_buffer_device_address))
        return false;
    for (uint32_t i = 0; i < ARRAY_LENGTH(imports); i++) {
        if (chain_find(info->pNext, imports[i]))
            return false;
    }
    if (info->memoryTypeIndex >= device->memory_properties.memoryTypeCount ||
        (dedicated && dedicated->image))
        return false;
    return !(device->memory_properties.memoryTypes[info->memoryTypeIndex].propertyFlags &
             VK_MEMORY_PROPERTY_PROTECTED_BIT);
}

VkResult gpu_down_AllocateMemory(struct call *call, const VkMemoryAllocateInfo *app,
                                 VkDevice device, const VkMemoryAllocateInfo *pAllocateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkDeviceMemory *pMemory)
{
    const struct device *of = call->device;
    const VkMemoryAllocateFlagsInfo *in_chain =
        chain_find(pAllocateInfo->pNext, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    VkMemoryAllocateInfo info = *pAllocateInfo;
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .pNext = info.pNext};
    bool has = in_chain && in_chain->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    if (has || !gpu_in_device(of)->gpu || !gpu_in_device(of)->gpu->buffers ||
        !holds_our_buffers(of, pAllocateInfo))
        return of->dispatch.AllocateMemory(device, pAllocateInfo, pAllocator, pMemory);
    if (in_chain)
        flags = *in_chain;
    flags.flags |= VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    /* NULL: scratch memory is out. The program's structure goes down unchanged, and buffers bound
     * to the memory have no address. */
    info.pNext = in_chain ? chain_replace(info.pNext, in_chain, &flags) : &flags;
    VkResult result = of->dispatch.AllocateMemory(device, info.pNext ? &info : pAllocateInfo,
                                                  pAllocator, pMemory);
    scratch_rewind(scratch, mark);
    return result;
}
