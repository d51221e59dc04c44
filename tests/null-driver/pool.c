/* Makes what pools hand out, and what goes with them. They are command pools, descriptor pools and
 * layouts, query pools, and private data. */
#include "null_driver.h"

#include <stdlib.h>
#include <string.h>

/* --- command buffers -------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL
null_AllocateCommandBuffers(VkDevice device, const VkCommandBufferAllocateInfo *pAllocateInfo,
                            VkCommandBuffer *pCommandBuffers)
{
    struct object *pool = object_get(pAllocateInfo->commandPool, VK_OBJECT_TYPE_COMMAND_POOL);
    if (!objects_new(VK_OBJECT_TYPE_COMMAND_BUFFER, pAllocateInfo->commandBufferCount,
                     pCommandBuffers))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < pAllocateInfo->commandBufferCount; i++) {
        struct object *buffer = (struct object *)pCommandBuffers[i];
        buffer->dispatchable.config = ((const struct dispatchable *)device)->config;
        if (pool)
            object_adopt(pool, buffer);
    }
    return VK_SUCCESS;
}

static void free_child(const void *handle, VkObjectType type)
{
    struct object *child = object_get(handle, type);
    if (!child)
        return;
    object_orphan(child);
    object_free(child, type);
}

VKAPI_ATTR void VKAPI_CALL null_FreeCommandBuffers(VkDevice device, VkCommandPool commandPool,
                                                   uint32_t commandBufferCount,
                                                   const VkCommandBuffer *pCommandBuffers)
{
    for (uint32_t i = 0; pCommandBuffers && i < commandBufferCount; i++)
        free_child(pCommandBuffers[i], VK_OBJECT_TYPE_COMMAND_BUFFER);
}

static void pool_destroy(const void *handle, VkObjectType type)
{
    struct object *pool = object_get(handle, type);
    if (!pool)
        return;
    object_free_children(pool);
    object_free(pool, type);
}

VKAPI_ATTR void VKAPI_CALL null_DestroyCommandPool(VkDevice device, VkCommandPool commandPool,
                                                   const VkAllocationCallbacks *pAllocator)
{
    pool_destroy(commandPool, VK_OBJECT_TYPE_COMMAND_POOL);
}

/* --- descriptor sets -------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL
null_AllocateDescriptorSets(VkDevice device, const VkDescriptorSetAllocateInfo *pAllocateInfo,
                            VkDescriptorSet *pDescriptorSets)
{
    struct object *pool = object_get(pAllocateInfo->descriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL);
    if (!objects_new(VK_OBJECT_TYPE_DESCRIPTOR_SET, pAllocateInfo->descriptorSetCount,
                     pDescriptorSets))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; pool && i < pAllocateInfo->descriptorSetCount; i++)
        object_adopt(pool, (struct object *)pDescriptorSets[i]);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_FreeDescriptorSets(VkDevice device,
                                                       VkDescriptorPool descriptorPool,
                                                       uint32_t descriptorSetCount,
                                                       const VkDescriptorSet *pDescriptorSets)
{
    for (uint32_t i = 0; i < descriptorSetCount; i++)
        free_child(pDescriptorSets[i], VK_OBJECT_TYPE_DESCRIPTOR_SET);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL null_ResetDescriptorPool(VkDevice device,
                                                        VkDescriptorPool descriptorPool,
                                                        VkDescriptorPoolResetFlags flags)
{
    struct object *pool = object_get(descriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL);
    if (pool)
        object_free_children(pool);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_DestroyDescriptorPool(VkDevice device,
                                                      VkDescriptorPool descriptorPool,
                                                      const VkAllocationCallbacks *pAllocator)
{
    pool_destroy(descriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL);
}

/* Where a layout's bindings lie in a descriptor buffer: every descriptor has the same size,
 * bindings follow each other by number. */
#define DESCRIPTOR_SIZE 64

struct set_layout {
    struct object object;
    uint32_t binding_count;
    VkDescriptorSetLayoutBinding *bindings;
};

VKAPI_ATTR VkResult VKAPI_CALL
null_CreateDescriptorSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator,
                               VkDescriptorSetLayout *pSetLayout)
{
    struct set_layout *layout = object_new(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
    if (!layout)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    /* Only a descriptor buffer asks for offsets. */
    if (pCreateInfo->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT &&
        pCreateInfo->bindingCount) {
        layout->bindings = malloc(pCreateInfo->bindingCount * sizeof(*layout->bindings));
        if (!layout->bindings) {
            object_free(layout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
            return VK_ERROR_OUT_OF_HOST_MEMORY;
        }
        memcpy(layout->bindings, pCreateInfo->pBindings,
               pCreateInfo->bindingCount * sizeof(*layout->bindings));
        layout->binding_count = pCreateInfo->bindingCount;
    }
    *pSetLayout = (VkDescriptorSetLayout)layout;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL
null_DestroyDescriptorSetLayout(VkDevice device, VkDescriptorSetLayout descriptorSetLayout,
                                const VkAllocationCallbacks *pAllocator)
{
    struct set_layout *layout =
        object_get(descriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
    if (!layout)
        return;
    free(layout->bindings);
    object_free(layout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
}

/* Bytes of the bindings with numbers below `limit`. */
static VkDeviceSize layout_size(VkDescriptorSetLayout handle, uint64_t limit)
{
    const struct set_layout *layout = object_get(handle, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
    VkDeviceSize size = 0;
    for (uint32_t i = 0; layout && i < layout->binding_count; i++) {
        const VkDescriptorSetLayoutBinding *binding = &layout->bindings[i];
        bool bytes = binding->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
        VkDeviceSize own = bytes ? (binding->descriptorCount + DESCRIPTOR_SIZE - 1u) /
                                       DESCRIPTOR_SIZE * DESCRIPTOR_SIZE
                                 : (VkDeviceSize)binding->descriptorCount * DESCRIPTOR_SIZE;
        size += binding->binding < limit ? own : 0;
    }
    return size;
}

/* Samplers are smaller than what the limit says. */
VKAPI_ATTR VkDeviceSize VKAPI_CALL
null_GetPhysicalDeviceDescriptorSizeEXT(VkPhysicalDevice physicalDevice,
                                        VkDescriptorType descriptorType)
{
    return descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ? DESCRIPTOR_SIZE / 2 : DESCRIPTOR_SIZE;
}

VKAPI_ATTR void VKAPI_CALL null_GetDescriptorSetLayoutSizeEXT(VkDevice device,
                                                              VkDescriptorSetLayout layout,
                                                              VkDeviceSize *pLayoutSizeInBytes)
{
    *pLayoutSizeInBytes = layout_size(layout, UINT64_MAX);
}

VKAPI_ATTR void VKAPI_CALL null_GetDescriptorSetLayoutBindingOffsetEXT(VkDevice device,
                                                                       VkDescriptorSetLayout layout,
                                                                       uint32_t binding,
                                                                       VkDeviceSize *pOffset)
{
    *pOffset = layout_size(layout, binding);
}

/* The type, and the address or first handle: different for different resources, as with any driver.
 */
VKAPI_ATTR void VKAPI_CALL null_GetDescriptorEXT(VkDevice device,
                                                 const VkDescriptorGetInfoEXT *pDescriptorInfo,
                                                 size_t dataSize, void *pDescriptor)
{
    const VkDescriptorGetInfoEXT *info = pDescriptorInfo;
    uint64_t words[2] = {(uint64_t)info->type + 1, 0};
    switch ((int64_t)info->type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
        words[1] = info->data.pSampler ? (uint64_t)*info->data.pSampler : 0;
        break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
        words[1] = info->data.pSampledImage ? (uint64_t)info->data.pSampledImage->imageView : 0;
        break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
        words[1] = info->data.pStorageBuffer ? info->data.pStorageBuffer->address : 0;
        break;
    default:
        words[1] = info->data.accelerationStructure;
        break;
    }
    memset(pDescriptor, 0, dataSize);
    memcpy(pDescriptor, words, dataSize < sizeof(words) ? dataSize : sizeof(words));
}

VKAPI_ATTR VkResult VKAPI_CALL
null_WriteSamplerDescriptorsEXT(VkDevice device, uint32_t samplerCount,
                                const VkSamplerCreateInfo *pSamplers,
                                const VkHostAddressRangeEXT *pDescriptors)
{
    for (uint32_t i = 0; i < samplerCount; i++)
        memset(pDescriptors[i].address, 0, pDescriptors[i].size);
    return VK_SUCCESS;
}

/* As null_GetDescriptorEXT. */
VKAPI_ATTR VkResult VKAPI_CALL
null_WriteResourceDescriptorsEXT(VkDevice device, uint32_t resourceCount,
                                 const VkResourceDescriptorInfoEXT *pResources,
                                 const VkHostAddressRangeEXT *pDescriptors)
{
    for (uint32_t i = 0; i < resourceCount; i++) {
        const bool buffer = pResources[i].type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER ||
                            pResources[i].type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        const bool image = pResources[i].type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                           pResources[i].type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
        uint64_t words[2] = {(uint64_t)pResources[i].type + 1, 0};
        if (buffer && pResources[i].data.pAddressRange)
            words[1] = pResources[i].data.pAddressRange->address;
        if (image && pResources[i].data.pImage && pResources[i].data.pImage->pView)
            words[1] = (uint64_t)pResources[i].data.pImage->pView->image;
        memset(pDescriptors[i].address, 0, pDescriptors[i].size);
        memcpy(pDescriptors[i].address, words,
               pDescriptors[i].size < sizeof(words) ? pDescriptors[i].size : sizeof(words));
    }
    return VK_SUCCESS;
}

/* All sets share one place; what is written there is never read. */
VKAPI_ATTR void VKAPI_CALL null_GetDescriptorSetHostMappingVALVE(VkDevice device,
                                                                 VkDescriptorSet descriptorSet,
                                                                 void **ppData)
{
    static unsigned char mapping[65536];
    *ppData = mapping;
}

/* --- queries ---------------------------------------------------------------------------------- */

VKAPI_ATTR VkResult VKAPI_CALL null_CreateQueryPool(VkDevice device,
                                                    const VkQueryPoolCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkQueryPool *pQueryPool)
{
    struct query_pool *pool = object_new(VK_OBJECT_TYPE_QUERY_POOL);
    if (!pool)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    pool->type = pCreateInfo->queryType;
    pool->count = pCreateInfo->queryCount;
    pool->statistics = pCreateInfo->pipelineStatistics;
    *pQueryPool = (VkQueryPool)pool;
    return VK_SUCCESS;
}

/* Values of one query, without availability or status. */
static uint32_t query_values(const struct query_pool *pool)
{
    if (pool->type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        return (uint32_t)__builtin_popcount(pool->statistics);
    return pool->type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT ? 2 : 1;
}

/* Every query's value is zero, and it is there. */
VKAPI_ATTR VkResult VKAPI_CALL null_GetQueryPoolResults(VkDevice device, VkQueryPool queryPool,
                                                        uint32_t firstQuery, uint32_t queryCount,
                                                        size_t dataSize, void *pData,
                                                        VkDeviceSize stride,
                                                        VkQueryResultFlags flags)
{
    const struct query_pool *pool = object_get(queryPool, VK_OBJECT_TYPE_QUERY_POOL);
    if (!pool)
        return VK_SUCCESS;
    bool wide = flags & VK_QUERY_RESULT_64_BIT;
    size_t size = wide ? sizeof(uint64_t) : sizeof(uint32_t), values = query_values(pool);
    bool status =
        flags & (VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
    for (uint32_t i = 0; i < queryCount && i < pool->count; i++) {
        size_t start = (size_t)stride * i;
        if (start + size * (values + status) > dataSize)
            break;
        memset((char *)pData + start, 0, size * values);
        uint64_t one = 1;
        uint32_t narrow_one = 1;
        if (status)
            memcpy((char *)pData + start + size * values,
                   wide ? (const void *)&one : (const void *)&narrow_one, size);
    }
    return VK_SUCCESS;
}

/* --- private data ----------------------------------------------------------------------------- */

struct private_datum {
    uint64_t object;
    VkObjectType type;
    uint64_t data;
};

/* Threads: the data are under the lock, for several threads may use one slot for objects of their
 * own. */
struct private_data_slot {
    struct object object;
    pthread_mutex_t *lock;
    struct private_datum *data;
    uint32_t count;
};

VKAPI_ATTR VkResult VKAPI_CALL
null_CreatePrivateDataSlot(VkDevice device, const VkPrivateDataSlotCreateInfo *pCreateInfo,
                           const VkAllocationCallbacks *pAllocator,
                           VkPrivateDataSlot *pPrivateDataSlot)
{
    struct private_data_slot *slot = object_new(VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
    if (!slot)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    slot->lock = malloc(sizeof(*slot->lock));
    if (!slot->lock) {
        object_free(slot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pthread_mutex_init(slot->lock, NULL);
    *pPrivateDataSlot = (VkPrivateDataSlot)slot;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_DestroyPrivateDataSlot(VkDevice device,
                                                       VkPrivateDataSlot privateDataSlot,
                                                       const VkAllocationCallbacks *pAllocator)
{
    struct private_data_slot *slot = object_get(privateDataSlot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
    if (!slot)
        return;
    pthread_mutex_destroy(slot->lock);
    free(slot->lock);
    free(slot->data);
    object_free(slot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
}

/* Threads: the slot's lock is held. */
static struct private_datum *private_datum_find(struct private_data_slot *slot, VkObjectType type,
                                                uint64_t object)
{
    for (uint32_t i = 0; i < slot->count; i++) {
        if (slot->data[i].object == object && slot->data[i].type == type)
            return &slot->data[i];
    }
    return NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL null_SetPrivateData(VkDevice device, VkObjectType objectType,
                                                   uint64_t objectHandle,
                                                   VkPrivateDataSlot privateDataSlot, uint64_t data)
{
    struct private_data_slot *slot = object_get(privateDataSlot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
    if (!slot)
        return VK_SUCCESS;
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(slot->lock);
    struct private_datum *datum = private_datum_find(slot, objectType, objectHandle);
    if (!datum) {
        struct private_datum *grown = realloc(slot->data, (slot->count + 1) * sizeof(*grown));
        if (grown) {
            slot->data = grown;
            datum = &grown[slot->count++];
        }
    }
    if (datum)
        *datum = (struct private_datum){objectHandle, objectType, data};
    else
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    pthread_mutex_unlock(slot->lock);
    return result;
}

VKAPI_ATTR void VKAPI_CALL null_GetPrivateData(VkDevice device, VkObjectType objectType,
                                               uint64_t objectHandle,
                                               VkPrivateDataSlot privateDataSlot, uint64_t *pData)
{
    *pData = 0;
    struct private_data_slot *slot = object_get(privateDataSlot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
    if (!slot)
        return;
    pthread_mutex_lock(slot->lock);
    const struct private_datum *datum = private_datum_find(slot, objectType, objectHandle);
    if (datum)
        *pData = datum->data;
    pthread_mutex_unlock(slot->lock);
}
