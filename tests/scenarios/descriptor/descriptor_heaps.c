/* Descriptor heaps (VK_EXT_descriptor_heap): what a secondary command buffer that inherits one may
 * not record. On the null driver. */
#include "scenario.h"

static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&maintenance5,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT enabled = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&addresses,
    .descriptorHeap = VK_TRUE};
#define HEAPS                                     \
    .drivers = NULL_DRIVER, .features = &enabled, \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}

static VkDeviceAddress make_heap(struct baseline *b)
{
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    VkBufferCreateInfo info = buffer_info(1 << 20, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    info.pNext = &usage;
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, buffer, &needs);
    VkMemoryAllocateInfo memory =
        memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
    memory.pNext = &flags;
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &memory), 0));
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &address);
}

static VkBindHeapInfoEXT bind_info(struct baseline *b, bool samplers)
{
    VkPhysicalDeviceDescriptorHeapPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    VkDeviceSize most = samplers ? limits.maxSamplerHeapSize : limits.maxResourceHeapSize;
    return (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
                               .heapRange = {make_heap(b), most < 1 << 16 ? most : 1 << 16},
                               .reservedRangeSize = samplers ? limits.minSamplerHeapReservedRange
                                                             : limits.minResourceHeapReservedRange};
}

/* A secondary that inherits heaps; NULL: it does not inherit that one. */
static VkCommandBuffer record(struct baseline *b, const VkBindHeapInfoEXT *samplers,
                              const VkBindHeapInfoEXT *resources)
{
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT,
        .pSamplerHeapBindInfo = samplers,
        .pResourceHeapBindInfo = resources};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &heaps};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inheritance};
    VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(commands, &begin));
    return commands;
}

static void bind_set(struct baseline *b, VkCommandBuffer commands)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), layout);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, layout), 0, 1, &set, 0, NULL);
}

static void push(struct baseline *b, VkCommandBuffer commands)
{
    const uint32_t zero = 0;
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    vkCmdPushConstants(commands, create_pipeline_layout(b, &info), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                       4, &zero);
}

/* Sets and heaps exclude one another only where a heap is inherited. */
SCENARIO(sets_without_inherited_heaps, HEAPS)
{
    VkCommandBuffer commands = record(b, NULL, NULL);
    bind_set(b, commands);
    push(b, commands);
}

SCENARIO(bind_set_beside_sampler_heap, HEAPS,
         .expect = {"VUID-vkCmdBindDescriptorSets-commandBuffer-11295"},
         .text = {"is a secondary command buffer that inherits a sampler heap"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    bind_set(b, record(b, &samplers, NULL));
}

SCENARIO(bind_set_beside_resource_heap, HEAPS,
         .expect = {"VUID-vkCmdBindDescriptorSets-commandBuffer-11296"})
{
    const VkBindHeapInfoEXT resources = bind_info(b, false);
    bind_set(b, record(b, NULL, &resources));
}

SCENARIO(push_constants_beside_heaps, HEAPS,
         .expect = {"VUID-vkCmdPushConstants-commandBuffer-11295",
                    "VUID-vkCmdPushConstants-commandBuffer-11296"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    push(b, record(b, &samplers, &resources));
}

SCENARIO(bind_other_heap, HEAPS)
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(record(b, &samplers, NULL), &resources);
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(record(b, NULL, &resources), &samplers);
}

SCENARIO(bind_inherited_heaps, HEAPS,
         .expect = {"VUID-vkCmdBindSamplerHeapEXT-commandBuffer-11231",
                    "VUID-vkCmdBindResourceHeapEXT-commandBuffer-11238"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(record(b, &samplers, NULL), &samplers);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(record(b, NULL, &resources), &resources);
}

/* --- mappings --- */

static VkDescriptorSetAndBindingMappingEXT mapping_of(uint32_t first, uint32_t count)
{
    return (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .firstBinding = first,
        .bindingCount = count,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLED_IMAGE_BIT_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT};
}

/* Beside `mappings`, the shader's own buffer is mapped. */
static void create_mapped(struct baseline *b, uint32_t count,
                          const VkDescriptorSetAndBindingMappingEXT *mappings)
{
    VkDescriptorSetAndBindingMappingEXT all[5] = {mapping_of(0, 1)};
    all[0].resourceMask = VK_SPIRV_RESOURCE_TYPE_READ_WRITE_STORAGE_BUFFER_BIT_EXT;
    for (uint32_t i = 0; i < count; i++)
        all[i + 1] = mappings[i];
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = count + 1,
        .pMappings = all};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo pipeline =
        compute_pipeline_info(make_shader_module(b), VK_NULL_HANDLE);
    pipeline.pNext = &flags;
    pipeline.stage.pNext = &info;
    create_compute_pipeline(b, &pipeline);
}

SCENARIO(mappings, HEAPS)
{
    VkDescriptorSetAndBindingMappingEXT all[] = {mapping_of(0, 2), mapping_of(2, 1),
                                                 mapping_of(1, 1), mapping_of(0, 1)};
    all[2].resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    all[2].sourceData.pushIndex.useCombinedImageSamplerIndex = VK_TRUE;
    all[3].descriptorSet = 1;
    create_mapped(b, 4, all);
}

SCENARIO(mapped_twice, HEAPS,
         .expect = {"VUID-VkShaderDescriptorSetAndBindingMappingInfoEXT-pMappings-11244"},
         .text = {"has elements 1 and 2, which both map binding 1 of set 0"})
{
    const VkDescriptorSetAndBindingMappingEXT all[] = {mapping_of(0, 2), mapping_of(1, 2)};
    create_mapped(b, 2, all);
}

SCENARIO(combined_index_of_buffers, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11358"})
{
    VkDescriptorSetAndBindingMappingEXT one = mapping_of(0, 1);
    one.resourceMask = VK_SPIRV_RESOURCE_TYPE_UNIFORM_BUFFER_BIT_EXT;
    one.sourceData.pushIndex.useCombinedImageSamplerIndex = VK_TRUE;
    create_mapped(b, 1, &one);
}

static const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
SCENARIO(embedded_sampler_of_two_bindings, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11389"})
{
    VkDescriptorSetAndBindingMappingEXT one = mapping_of(0, 2);
    one.sourceData.pushIndex.pEmbeddedSampler = &nearest;
    create_mapped(b, 1, &one);
}

static void map_to_record(struct baseline *b, uint32_t offset)
{
    VkDescriptorSetAndBindingMappingEXT one = mapping_of(0, 1);
    one.source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_SHADER_RECORD_INDEX_EXT;
    one.sourceData.shaderRecordIndex.shaderRecordOffset = offset;
    create_mapped(b, 1, &one);
}
#define STRIDE                                                                                     \
    .drivers = NULL_DRIVER, .features = &enabled,                                                  \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_KHR_ray_tracing_pipeline", \
                   "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"},            \
    .null_driver = "{\"properties\": {\"maxShaderGroupStride\": 64}}"

SCENARIO(mapped_to_end_of_record, STRIDE)
{
    map_to_record(b, 60);
}

SCENARIO(mapped_beyond_record, STRIDE,
         .expect = {"VUID-VkDescriptorMappingSourceShaderRecordIndexEXT-shaderRecordOffset-11270"})
{
    map_to_record(b, 64);
}

/* --- writes --- */

static void write_sampler(struct baseline *b, const VkSamplerCreateInfo *info)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    DEVICE_PROC(b, vkWriteSamplerDescriptorsEXT)(b->device, 1, info, &place);
}

static void write_named(struct baseline *b, VkObjectType type)
{
    const VkDebugUtilsObjectNameInfoEXT name = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = type == VK_OBJECT_TYPE_UNKNOWN ? 17 : HANDLE(make_sampler(b)),
        .pObjectName = "sampler in a heap"};
    VkSamplerCreateInfo info = nearest;
    info.pNext = &name;
    write_sampler(b, &info);
}

SCENARIO(write_named_sampler, HEAPS)
{
    write_named(b, VK_OBJECT_TYPE_UNKNOWN);
}

SCENARIO(write_sampler_named_as_other, HEAPS,
         .expect = {"VUID-vkWriteSamplerDescriptorsEXT-pNext-11400"})
{
    write_named(b, VK_OBJECT_TYPE_SAMPLER);
}

static void write_image(struct baseline *b, VkImageLayout layout)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    const VkImageViewCreateInfo view = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    const VkImageDescriptorInfoEXT image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT, .pView = &view, .layout = layout};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              .data.pImage = &image};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 1, &info, &place);
}

SCENARIO(write_color_image, HEAPS)
{
    write_image(b, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

SCENARIO(write_color_image_as_depth, HEAPS,
         .expect = {"VUID-VkImageDescriptorInfoEXT-layout-11221"})
{
    write_image(b, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
}
