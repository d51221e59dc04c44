/* Tensors: linear and optimal, packed or not, of one to several dimensions; bound, viewed, written
 * to descriptors, copied, and ordered. */
#include "valid.h"

#define DIMENSIONS_MOST 4

struct tensor {
    VkTensorARM handle;
    VkTensorDescriptionARM description;
    int64_t dimensions[DIMENSIONS_MOST], strides[DIMENSIONS_MOST];
    bool concurrent;
};

static const struct {
    VkFormat format;
    uint8_t bytes;
} elements[] = {{VK_FORMAT_R8_SINT, 1},    {VK_FORMAT_R8_UINT, 1},  {VK_FORMAT_R16_SINT, 2},
                {VK_FORMAT_R16_SFLOAT, 2}, {VK_FORMAT_R32_SINT, 4}, {VK_FORMAT_R32_SFLOAT, 4}};

static bool format_can(struct world *w, VkFormat format, VkFormatFeatureFlags2 features)
{
    VkTensorFormatPropertiesARM can = {.sType = VK_STRUCTURE_TYPE_TENSOR_FORMAT_PROPERTIES_ARM};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                      .pNext = &can};
    OUTER(vkGetPhysicalDeviceFormatProperties2, w->physical_device, format, &properties);
    return (can.linearTilingTensorFeatures & features) == features &&
           (can.optimalTilingTensorFeatures & features) == features;
}

static bool describe_tensor(struct world *w, struct tensor *t)
{
    VkPhysicalDeviceTensorPropertiesARM can = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM};
    uint32_t element = below(w, LENGTH(elements));
    VkFormatFeatureFlags2 needed = VK_FORMAT_FEATURE_2_TENSOR_SHADER_BIT_ARM |
                                   VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
                                   VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
    if (!format_can(w, elements[element].format, needed) || !properties_of(w, &can))
        return false;
    uint32_t most = can.maxTensorDimensionCount < DIMENSIONS_MOST ? can.maxTensorDimensionCount
                                                                  : DIMENSIONS_MOST;
    bool linear = chance(w, 50), strided = linear && chance(w, 50);
    uint32_t count = between(w, 1, most);
    int64_t step = elements[element].bytes;
    for (uint32_t i = count; i-- > 0;) {
        t->dimensions[i] = between(w, 1, 6);
        t->strides[i] = step;
        step *= t->dimensions[i];
        if (strided && ON(tensorNonPacked) && chance(w, 40))
            step += elements[element].bytes * (int64_t)below(w, 3);
    }
    t->description = (VkTensorDescriptionARM){
        .sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM,
        .tiling = linear ? VK_TENSOR_TILING_LINEAR_ARM : VK_TENSOR_TILING_OPTIMAL_ARM,
        .format = elements[element].format,
        .dimensionCount = count,
        .pDimensions = t->dimensions,
        .pStrides = strided ? t->strides : NULL,
        .usage = VK_TENSOR_USAGE_SHADER_BIT_ARM | VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM |
                 VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM};
    return true;
}

static VkMemoryRequirements requirements_of(struct world *w, const struct tensor *t,
                                            const VkTensorCreateInfoARM *info)
{
    VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    VkDeviceTensorMemoryRequirementsARM before = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_TENSOR_MEMORY_REQUIREMENTS_ARM, .pCreateInfo = info};
    VkTensorMemoryRequirementsInfoARM of = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM, .tensor = t->handle};
    if (chance(w, 40))
        CALL(GetDeviceTensorMemoryRequirementsARM, w->device, &before, &answer);
    else
        CALL(GetTensorMemoryRequirementsARM, w->device, &of, &answer);
    return answer.memoryRequirements;
}

static void make_tensor(struct world *w, struct tensor *t)
{
    uint32_t families[QUEUES_MOST], family_count = any_sharing(w, families);
    t->concurrent = family_count != 0;
    VkTensorCreateInfoARM info = {
        .sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM,
        .flags = PICK(0u, VK_TENSOR_CREATE_MUTABLE_FORMAT_BIT_ARM),
        .pDescription = &t->description,
        .sharingMode = family_count ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        /* ignored */
        .queueFamilyIndexCount = family_count ? family_count : below(w, 9),
        .pQueueFamilyIndices = family_count ? families : IGNORED};
    MUST(CreateTensorARM, w->device, &info, NULL, &t->handle);
    OWN(TensorARM, t->handle);
    VkMemoryRequirements needs = requirements_of(w, t, &info);
    VkMemoryDedicatedAllocateInfoTensorARM dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM, .tensor = t->handle};
    bool alone = chance(w, 30);
    VkDeviceSize offset = alone ? 0 : needs.alignment * below(w, 3);
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = alone ? &dedicated : NULL,
                                     .allocationSize = needs.size + offset,
                                     .memoryTypeIndex =
                                         (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    MUST(AllocateMemory, w->device, &allocate, NULL, &memory);
    own(w, destroy_memory, U64(memory), 0);
    VkBindTensorMemoryInfoARM bind = {.sType = VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM,
                                      .tensor = t->handle,
                                      .memory = memory,
                                      .memoryOffset = offset};
    MUST(BindTensorMemoryARM, w->device, 1, &bind);
}

static void write_descriptor(struct world *w, const struct tensor *t)
{
    VkTensorViewCreateInfoARM info = {.sType = VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM,
                                      .tensor = t->handle,
                                      .format = t->description.format};
    VkTensorViewARM view = VK_NULL_HANDLE;
    MUST(CreateTensorViewARM, w->device, &info, NULL, &view);
    OWN(TensorViewARM, view);
    uint32_t count = between(w, 1, 2);
    VkDescriptorSetLayoutBinding binding = {3, VK_DESCRIPTOR_TYPE_TENSOR_ARM, count,
                                            VK_SHADER_STAGE_COMPUTE_BIT, IGNORED};
    VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    MUST(CreateDescriptorSetLayout, w->device, &layout_info, NULL, &layout);
    OWN(DescriptorSetLayout, layout);
    VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_TENSOR_ARM, count};
    VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .maxSets = 1,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
    VkDescriptorPool pool = VK_NULL_HANDLE;
    MUST(CreateDescriptorPool, w->device, &pool_info, NULL, &pool);
    OWN(DescriptorPool, pool);
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = pool,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    MUST(AllocateDescriptorSets, w->device, &allocate, &set);
    VkTensorViewARM views[] = {view, view};
    VkWriteDescriptorSetTensorARM tensors = {.sType =
                                                 VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM,
                                             .tensorViewCount = count,
                                             .pTensorViews = views};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .pNext = &tensors,
                                  .dstSet = set,
                                  .dstBinding = 3,
                                  .descriptorCount = count,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_TENSOR_ARM,
                                  .pImageInfo = IGNORED,
                                  .pBufferInfo = IGNORED,
                                  .pTexelBufferView = IGNORED};
    CALL(UpdateDescriptorSets, w->device, 1, &write, 0, IGNORED);
}

static void copy_tensor(struct record *rec, const struct tensor *from, const struct tensor *to)
{
    struct world *w = rec->w;
    static const uint64_t zero[DIMENSIONS_MOST];
    uint64_t *whole = NEW_ARRAY(uint64_t, DIMENSIONS_MOST);
    for (uint32_t i = 0; i < from->description.dimensionCount; i++)
        whole[i] = (uint64_t)from->dimensions[i];
    VkTensorCopyARM region = {.sType = VK_STRUCTURE_TYPE_TENSOR_COPY_ARM};
    if (chance(w, 60)) {
        region.dimensionCount = from->description.dimensionCount;
        region.pSrcOffset = PICK((const uint64_t *)zero, NULL);
        region.pDstOffset = PICK((const uint64_t *)zero, NULL);
        region.pExtent = PICK((const uint64_t *)whole, NULL);
    }
    VkCopyTensorInfoARM info = {.sType = VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM,
                                .srcTensor = from->handle,
                                .dstTensor = to->handle,
                                .regionCount = 1,
                                .pRegions = &region};
    ready(rec, USE(ALL));
    CALL(CmdCopyTensorARM, rec->c, &info);
}

static void order_tensor(struct record *rec, const struct tensor *t)
{
    struct world *w = rec->w;
    if (!ON(synchronization2))
        return;
    uint32_t family =
        t->concurrent ? VK_QUEUE_FAMILY_IGNORED : PICK(VK_QUEUE_FAMILY_IGNORED, rec->queue->family);
    VkTensorMemoryBarrierARM barriers[2] = {{.sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM,
                                             .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                             .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                             .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
                                             .srcQueueFamilyIndex = family,
                                             .dstQueueFamilyIndex = family,
                                             .tensor = t->handle}};
    barriers[1] = barriers[0];
    VkTensorDependencyInfoARM several = {.sType = VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM,
                                         .tensorMemoryBarrierCount = 2,
                                         .pTensorMemoryBarriers = barriers};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .pNext = chance(w, 50) ? (const void *)barriers : &several,
                             .pMemoryBarriers = IGNORED,
                             .pBufferMemoryBarriers = IGNORED,
                             .pImageMemoryBarriers = IGNORED};
    CALL(CmdPipelineBarrier2, rec->c, &info);
}

void step_tensors(struct world *w)
{
    struct tensor *all = NEW_ARRAY(struct tensor, 2);
    if (!ON(tensors) || !VERSION(13) || !describe_tensor(w, &all[0]))
        return;
    all[1] = all[0];
    all[1].description.pDimensions = all[1].dimensions;
    all[1].description.pStrides = PICK(all[0].description.pStrides ? all[1].strides : NULL, NULL);
    make_tensor(w, &all[0]);
    make_tensor(w, &all[1]);
    if (chance(w, 60))
        write_descriptor(w, &all[0]);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        bool back = chance(w, 30);
        if (chance(w, 30))
            order_tensor(rec, &all[below(w, 2)]);
        copy_tensor(rec, &all[back], &all[!back]);
    }
    record_finish(rec);
}
