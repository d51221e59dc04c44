/* Descriptor heaps (VK_EXT_descriptor_heap): what secondary command buffers inherit, mappings, and
 * what is written into heaps. What draws and dispatches ask of them is in draw_heaps.c. On the null
 * driver. */
#include "raytracing/acceleration_structure_builder.h"
#include "scenario.h"

#include "shader_heaps.h"

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

static VkBuffer make_heap_buffer(struct baseline *b, VkDeviceMemory *bound)
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
    *bound = create_memory(b, &memory);
    VK(vkBindBufferMemory(b->device, buffer, *bound, 0));
    return buffer;
}

static VkDeviceAddress make_heap(struct baseline *b)
{
    VkDeviceMemory memory;
    return address_of(b, make_heap_buffer(b, &memory));
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
static VkCommandBuffer record_with_heaps(struct baseline *b, const VkBindHeapInfoEXT *samplers,
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

static void bind_empty_set(struct baseline *b, VkCommandBuffer commands)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), layout);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, layout), 0, 1, &set, 0, NULL);
}

static void push_to_heap(struct baseline *b, VkCommandBuffer commands)
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
    VkCommandBuffer commands = record_with_heaps(b, NULL, NULL);
    bind_empty_set(b, commands);
    push_to_heap(b, commands);
}

SCENARIO(bind_set_beside_sampler_heap, HEAPS,
         .expect = {"VUID-vkCmdBindDescriptorSets-commandBuffer-11295"},
         .text = {"is a secondary command buffer that inherits a sampler heap"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    bind_empty_set(b, record_with_heaps(b, &samplers, NULL));
}

SCENARIO(bind_set_beside_resource_heap, HEAPS,
         .expect = {"VUID-vkCmdBindDescriptorSets-commandBuffer-11296"})
{
    const VkBindHeapInfoEXT resources = bind_info(b, false);
    bind_empty_set(b, record_with_heaps(b, NULL, &resources));
}

SCENARIO(push_constants_beside_heaps, HEAPS,
         .expect = {"VUID-vkCmdPushConstants-commandBuffer-11295",
                    "VUID-vkCmdPushConstants-commandBuffer-11296"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    push_to_heap(b, record_with_heaps(b, &samplers, &resources));
}

SCENARIO(bind_other_heap, HEAPS)
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(record_with_heaps(b, &samplers, NULL), &resources);
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(record_with_heaps(b, NULL, &resources), &samplers);
}

SCENARIO(bind_inherited_heaps, HEAPS,
         .expect = {"VUID-vkCmdBindSamplerHeapEXT-commandBuffer-11231",
                    "VUID-vkCmdBindResourceHeapEXT-commandBuffer-11238"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(record_with_heaps(b, &samplers, NULL), &samplers);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(record_with_heaps(b, NULL, &resources), &resources);
}

/* --- execution of what inherits heaps --- */

static void execute_with(struct baseline *b, const VkBindHeapInfoEXT *bound,
                         const VkBindHeapInfoEXT *inherited, bool samplers)
{
    VkCommandBuffer secondary =
        record_with_heaps(b, samplers ? inherited : NULL, samplers ? NULL : inherited);
    VkCommandBuffer primary = make_recording(b);
    VK(vkEndCommandBuffer(secondary));
    if (bound && samplers)
        DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(primary, bound);
    else if (bound)
        DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(primary, bound);
    vkCmdExecuteCommands(primary, 1, &secondary);
}

SCENARIO(execute_with_inherited_heaps, HEAPS)
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), resources = bind_info(b, false);
    execute_with(b, &samplers, &samplers, true);
    execute_with(b, &resources, &resources, false);
}

/* The secondary does not use the heap. */
SCENARIO(execute_without_inherited_heap, HEAPS)
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    execute_with(b, &samplers, NULL, true);
}

SCENARIO(execute_with_other_sampler_heap, HEAPS,
         .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-11351"},
         .text = {"inherits a sampler heap of "})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true), other = bind_info(b, true);
    execute_with(b, &samplers, &other, true);
}

SCENARIO(execute_with_other_resource_heap, HEAPS,
         .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-11352"})
{
    const VkBindHeapInfoEXT resources = bind_info(b, false);
    VkBindHeapInfoEXT longer = resources;
    longer.reservedRangeSize *= 2;
    execute_with(b, &resources, &longer, false);
}

SCENARIO(execute_without_sampler_heap, HEAPS,
         .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-11473"},
         .text = {"but commandBuffer has none bound"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    execute_with(b, NULL, &samplers, true);
}

SCENARIO(execute_without_resource_heap, HEAPS,
         .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-11474"})
{
    const VkBindHeapInfoEXT resources = bind_info(b, false);
    execute_with(b, NULL, &resources, false);
}

/* "All state of the primary command buffer is undefined" after the first one is executed: no
 * sentence says that a heap is bound then, nor that none is. */
SCENARIO(execute_after_heaps_are_undefined, HEAPS)
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    VkCommandBuffer first = record_with_heaps(b, NULL, NULL),
                    second = record_with_heaps(b, &samplers, NULL);
    VkCommandBuffer primary = make_recording(b);
    VK(vkEndCommandBuffer(first));
    VK(vkEndCommandBuffer(second));
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(primary, &samplers);
    vkCmdExecuteCommands(primary, 1, &first);
    vkCmdExecuteCommands(primary, 1, &second);
}

/* Nothing is known of heaps of the last recording. */
SCENARIO(execute_without_heap_since_begin, HEAPS,
         .expect = {"VUID-vkCmdExecuteCommands-commandBuffer-11473"})
{
    const VkBindHeapInfoEXT samplers = bind_info(b, true);
    const VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer secondary = record_with_heaps(b, &samplers, NULL), primary = make_recording(b);
    VK(vkEndCommandBuffer(secondary));
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(primary, &samplers);
    VK(vkEndCommandBuffer(primary));
    VK(vkBeginCommandBuffer(primary, &begin));
    vkCmdExecuteCommands(primary, 1, &secondary);
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

/* --- mappings and what shaders declare --- */

#define ALIGNED                                                                   \
    HEAPS, .null_driver = "{\"properties\": {\"bufferDescriptorAlignment\": 32, " \
                          "\"imageDescriptorAlignment\": 64, "                    \
                          "\"samplerDescriptorAlignment\": 16}}"

static VkDescriptorSetAndBindingMappingEXT mapping_from(VkDescriptorMappingSourceEXT source)
{
    VkDescriptorSetAndBindingMappingEXT mapping = mapping_of(0, 1);
    mapping.resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT;
    mapping.source = source;
    return mapping;
}

/* Binding 0 is mapped so, and others to the heap's begin. */
static void create_from(struct baseline *b, VkShaderModule module,
                        const VkDescriptorSetAndBindingMappingEXT *mapping)
{
    VkDescriptorSetAndBindingMappingEXT all[2] = {*mapping, mapping_of(1, 2)};
    all[1].resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT;
    all[1].source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = all};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo pipeline = compute_pipeline_info(module, VK_NULL_HANDLE);
    pipeline.pNext = &flags;
    pipeline.stage.pNext = &info;
    create_compute_pipeline(b, &pipeline);
}

static void create_at(struct baseline *b, VkShaderModule module, uint32_t offset, uint32_t sampler)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
    mapping.sourceData.constantOffset.heapOffset = offset;
    mapping.sourceData.constantOffset.heapArrayStride = 64;
    mapping.sourceData.constantOffset.samplerHeapOffset = sampler;
    create_from(b, module, &mapping);
}

SCENARIO(map_aligned, ALIGNED)
{
    create_at(b, MAKE_SHADER(b, spirv_heap_uniform), 32, 1);
    create_at(b, MAKE_SHADER(b, spirv_heap_image), 64, 1);
    create_at(b, MAKE_SHADER(b, spirv_heap_separate), 16, 1);
    create_at(b, MAKE_SHADER(b, spirv_heap_combined), 64, 16);
}

SCENARIO(map_image_misaligned, ALIGNED,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11251"},
         .text = {"maps \"image\" (set 0, binding 0) to offset 32 with array stride 64, of which "
                  "one is not a multiple of imageDescriptorAlignment (64)"})
{
    create_at(b, MAKE_SHADER(b, spirv_heap_image), 32, 0);
}

SCENARIO(map_buffer_misaligned, ALIGNED,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11252"})
{
    create_at(b, MAKE_SHADER(b, spirv_heap_uniform), 16, 0);
}

SCENARIO(map_sampler_misaligned, ALIGNED,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11253"})
{
    create_at(b, MAKE_SHADER(b, spirv_heap_separate), 8, 0);
}

SCENARIO(map_combined_misaligned, ALIGNED,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12406",
                    "VUID-VkDescriptorSetAndBindingMappingEXT-source-11254"})
{
    create_at(b, MAKE_SHADER(b, spirv_heap_combined), 32, 8);
}

/* The sampler's place is not used. */
SCENARIO(map_embedded_sampler, ALIGNED)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT);
    mapping.sourceData.pushIndex.samplerHeapOffset = 1;
    mapping.sourceData.pushIndex.samplerPushOffset = 1;
    mapping.sourceData.pushIndex.pEmbeddedSampler = &nearest;
    create_from(b, MAKE_SHADER(b, spirv_heap_combined), &mapping);
}

static void create_pushed(struct baseline *b, uint32_t sampler)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT);
    mapping.sourceData.pushIndex.samplerPushOffset = sampler;
    create_from(b, MAKE_SHADER(b, spirv_heap_combined), &mapping);
}

SCENARIO(map_sampler_pushed, HEAPS)
{
    create_pushed(b, 252);
}

SCENARIO(map_sampler_pushed_misaligned, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12456"})
{
    create_pushed(b, 6);
}

SCENARIO(map_sampler_pushed_beyond, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12457"},
         .text = {
             "with samplerPushOffset 256, from where on maxPushDataSize (256) does not leave 4 "
             "bytes"})
{
    create_pushed(b, 256);
}

/* Both indices come from pushOffset. */
SCENARIO(map_sampler_packed, HEAPS)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT);
    mapping.sourceData.pushIndex.samplerPushOffset = 6;
    mapping.sourceData.pushIndex.useCombinedImageSamplerIndex = VK_TRUE;
    create_from(b, MAKE_SHADER(b, spirv_heap_combined), &mapping);
}

static void create_indirect(struct baseline *b, uint32_t push, uint32_t address)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT);
    mapping.sourceData.indirectIndex.samplerPushOffset = push;
    mapping.sourceData.indirectIndex.samplerAddressOffset = address;
    create_from(b, MAKE_SHADER(b, spirv_heap_combined), &mapping);
}

SCENARIO(map_sampler_indirect, HEAPS)
{
    create_indirect(b, 248, 4);
}

SCENARIO(map_sampler_indirect_misaligned, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12458"})
{
    create_indirect(b, 4, 4);
}

SCENARIO(map_sampler_indirect_beyond, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12459"})
{
    create_indirect(b, 256, 4);
}

SCENARIO(map_sampler_indirect_address_misaligned, HEAPS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-12460"})
{
    create_indirect(b, 8, 2);
}

static void create_data(struct baseline *b, VkShaderModule module, uint32_t offset)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_DATA_EXT);
    mapping.sourceData.pushDataOffset = offset;
    create_from(b, module, &mapping);
}

SCENARIO(map_push_data, HEAPS)
{
    create_data(b, MAKE_SHADER(b, spirv_heap_uniform), 240);
}

SCENARIO(map_push_data_beyond, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11316"},
         .text = {"of 16 bytes to push data from byte 244 on, but maxPushDataSize is 256"})
{
    create_data(b, MAKE_SHADER(b, spirv_heap_uniform), 244);
}

SCENARIO(map_push_data_of_storage, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11315"},
         .text = {"to data, but it is a storage buffer, and not a uniform buffer"})
{
    create_data(b, MAKE_SHADER(b, spirv_heap_storage), 0);
}

SCENARIO(map_address_of_image, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11318"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT);
    create_from(b, MAKE_SHADER(b, spirv_heap_image), &mapping);
}

SCENARIO(map_address_with_length, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11378"},
         .text = {"but the shader asks for the length of its array"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT);
    create_from(b, MAKE_SHADER(b, spirv_heap_length), &mapping);
}

SCENARIO(map_offset_with_length, HEAPS)
{
    const VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
    create_from(b, MAKE_SHADER(b, spirv_heap_length), &mapping);
}

SCENARIO(map_array_to_embedded_sampler, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11399"})
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
    mapping.sourceData.constantOffset.pEmbeddedSampler = &nearest;
    create_from(b, MAKE_SHADER(b, spirv_heap_array), &mapping);
}

SCENARIO(map_to_record_of_compute, STRIDE,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-12454"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT);
    create_from(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping);
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

/* The resource is of the device that is not asked. */
static void write_image_of(struct baseline *b, VkDevice device)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    const VkImageViewCreateInfo view = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              .data.pImage = &image};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(device, 1, &info, &place);
}

SCENARIO(write_image_of_this_device, HEAPS)
{
    (void)make_second_device(b);
    write_image_of(b, b->device);
}

SCENARIO(write_image_of_another_device, HEAPS,
         .expect = {"VUID-vkWriteResourceDescriptorsEXT-pResources-12495"},
         .text = {"of another device"})
{
    write_image_of(b, make_second_device(b));
}

static void write_heap_image(struct baseline *b, VkImageLayout layout)
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
    write_heap_image(b, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

SCENARIO(write_color_image_as_depth, HEAPS,
         .expect = {"VUID-VkImageDescriptorInfoEXT-layout-11221"})
{
    write_heap_image(b, VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
}

static void write_sampler_of(struct baseline *b, size_t size)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, size};
    DEVICE_PROC(b, vkWriteSamplerDescriptorsEXT)(b->device, 1, &nearest, &place);
}

/* The driver's samplers are half as large as the limit. */
SCENARIO(write_sampler_exactly, HEAPS)
{
    write_sampler_of(b, 32);
}

SCENARIO(write_sampler_short, HEAPS, .expect = {"VUID-vkWriteSamplerDescriptorsEXT-size-11203"},
         .text = {"is 31, but descriptors of VK_DESCRIPTOR_TYPE_SAMPLER have 32 bytes "
                  "(vkGetPhysicalDeviceDescriptorSizeEXT)"})
{
    write_sampler_of(b, 31);
}

static void write_resource(struct baseline *b, VkDescriptorType type, VkImageUsageFlags usage,
                           VkImageUsageFlags view_usage, size_t size)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, size};
    const VkImageViewUsageCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO, .usage = view_usage};
    VkImageViewCreateInfo view = image_view_info(make_image(b, usage));
    if (view_usage)
        view.pNext = &view_info;
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_GENERAL};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = type,
                                              .data.pImage = &image};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 1, &info, &place);
}

SCENARIO(write_images, HEAPS)
{
    write_resource(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT, 0, 64);
    write_resource(b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_STORAGE_BIT, 0, 64);
    write_resource(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT, 0,
                   64);
}

SCENARIO(write_image_short, HEAPS, .expect = {"VUID-vkWriteResourceDescriptorsEXT-size-11207"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT, 0, 63);
}

SCENARIO(write_image_not_sampled, HEAPS, .expect = {"VUID-VkResourceDescriptorInfoEXT-type-11458"},
         .text = {"is written as VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, but the usage of its view is "
                  "VK_IMAGE_USAGE_STORAGE_BIT, without VK_IMAGE_USAGE_SAMPLED_BIT"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                   VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT,
                   VK_IMAGE_USAGE_STORAGE_BIT, 64);
}

SCENARIO(write_image_not_storage, HEAPS, .expect = {"VUID-VkResourceDescriptorInfoEXT-type-11459"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_USAGE_SAMPLED_BIT, 0, 64);
}

SCENARIO(write_image_not_input, HEAPS, .expect = {"VUID-VkResourceDescriptorInfoEXT-type-11460"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, VK_IMAGE_USAGE_SAMPLED_BIT, 0, 64);
}

static void write_depth(struct baseline *b, VkImageAspectFlags aspects)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    VkImageCreateInfo create = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    create.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &create));
    view.format = create.format;
    view.subresourceRange.aspectMask = aspects;
    const VkImageDescriptorInfoEXT image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT,
                                            .pView = &view,
                                            .layout = VK_IMAGE_LAYOUT_GENERAL};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                              .data.pImage = &image};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 1, &info, &place);
}

SCENARIO(write_depth_alone, HEAPS)
{
    write_depth(b, VK_IMAGE_ASPECT_DEPTH_BIT);
    write_depth(b, VK_IMAGE_ASPECT_STENCIL_BIT);
}

SCENARIO(write_depth_with_stencil, HEAPS, .expect = {"VUID-VkImageDescriptorInfoEXT-pView-11430"})
{
    write_depth(b, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
}

static void write_texels(struct baseline *b, VkDeviceSize offset)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    const VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 4096,
                              VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    const VkTexelBufferDescriptorInfoEXT texels = {
        .sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT,
        .addressRange = {vkGetBufferDeviceAddress(b->device, &address) + offset, 256}};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
                                              .data.pTexelBuffer = &texels};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 1, &info, &place);
}
#define TEXELS                                                                             \
    HEAPS, .null_driver = "{\"properties\": {\"uniformTexelBufferOffsetAlignmentBytes\": " \
                          "16, \"uniformTexelBufferOffsetSingleTexelAlignment\": false}}"

SCENARIO(write_texels_aligned, TEXELS)
{
    write_texels(b, 16);
}

SCENARIO(write_texels_misaligned, TEXELS, .expect = {"VUID-VkResourceDescriptorInfoEXT-type-12349"},
         .text = {"but texel buffers of VK_FORMAT_R32G32B32A32_SFLOAT begin at multiples of 16"})
{
    write_texels(b, 8);
}

static void write_structure(struct baseline *b, VkDeviceAddress address)
{
    char room[4096];
    const VkHostAddressRangeEXT place = {room, sizeof(room)};
    const VkDeviceAddressRangeEXT range = {address, 0};
    const VkResourceDescriptorInfoEXT info = {.sType =
                                                  VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT,
                                              .type = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
                                              .data.pAddressRange = &range};
    DEVICE_PROC(b, vkWriteResourceDescriptorsEXT)(b->device, 1, &info, &place);
}

SCENARIO(write_structure_misaligned, STRIDE,
         .expect = {"VUID-VkResourceDescriptorInfoEXT-type-11454"},
         .text = {"which is not a multiple of 256"})
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    write_structure(b, address_of(b, make_buffer(b, 4096, usage)) + 128);
}

/* --- images of VK_QCOM_image_processing --- */

static const VkPhysicalDeviceImageProcessingFeaturesQCOM processing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
    .pNext = (void *)&enabled,
    .textureSampleWeighted = VK_TRUE,
    .textureBlockMatch = VK_TRUE};
#define PROCESSING                                   \
    .drivers = NULL_DRIVER, .features = &processing, \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_QCOM_image_processing"}

SCENARIO(write_block_match, PROCESSING)
{
    write_resource(b, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,
                   VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM, 0, 64);
}

SCENARIO(write_image_not_matched, PROCESSING,
         .expect = {"VUID-VkResourceDescriptorInfoEXT-type-12499"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, VK_IMAGE_USAGE_SAMPLED_BIT, 0, 64);
}

SCENARIO(write_image_without_weights, PROCESSING,
         .expect = {"VUID-VkResourceDescriptorInfoEXT-type-12498"})
{
    write_resource(b, VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                   64);
}

/* --- tensors, and shader records --- */

static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .pNext = (void *)&enabled,
    .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};
#define TENSORS                                   \
    .drivers = NULL_DRIVER, .features = &tensors, \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_ARM_tensors"}

SCENARIO(map_tensor, TENSORS)
{
    create_at(b, MAKE_SHADER(b, spirv_heap_tensor), 64, 0);
}

SCENARIO(map_tensor_misaligned, TENSORS,
         .expect = {"VUID-VkDescriptorSetAndBindingMappingEXT-source-11390"})
{
    create_at(b, MAKE_SHADER(b, spirv_heap_tensor), 32, 0);
}

static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&enabled,
    .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&structures,
    .rayTracingPipeline = VK_TRUE};
#define RECORDS                                                                                    \
    .drivers = NULL_DRIVER, .features = &rays,                                                     \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_KHR_ray_tracing_pipeline", \
                   "VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"},            \
    .null_driver = "{\"properties\": {\"maxShaderGroupStride\": 64}}"

SCENARIO(write_structure_aligned, RECORDS)
{
    const VkAccelerationStructureDeviceAddressInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = make_structure(b, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)};
    write_structure(b,
                    DEVICE_PROC(b, vkGetAccelerationStructureDeviceAddressKHR)(b->device, &info));
}

static void create_traced(struct baseline *b, uint32_t offset)
{
    VkDescriptorSetAndBindingMappingEXT all[2] = {
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_SHADER_RECORD_DATA_EXT),
        mapping_from(VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT)};
    all[0].sourceData.shaderRecordDataOffset = offset;
    all[1].firstBinding = 1;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = all};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkPipelineShaderStageCreateInfo stage =
        stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, MAKE_SHADER(b, spirv_heap_raygen));
    stage.pNext = &mappings;
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR,
        .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkRayTracingPipelineCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .pNext = &flags,
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = 1,
        .pGroups = &group,
        .maxPipelineRayRecursionDepth = 1,
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                       &info, NULL, &pipeline) == VK_SUCCESS)
        cleanup_add(b, destroy_pipeline, HANDLE(pipeline));
}

SCENARIO(map_data_of_record, RECORDS)
{
    create_traced(b, 48);
}

SCENARIO(map_data_beyond_record, RECORDS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11317"},
         .text = {"of 16 bytes to shader records from byte 52 on, but maxShaderGroupStride is 64"})
{
    create_traced(b, 52);
}

/* --- heaps by their addresses --- */

static VkBuffer heap_at(struct baseline *b, VkBindHeapInfoEXT *info, VkDeviceMemory *memory)
{
    VkBuffer heap = make_heap_buffer(b, memory);
    *info = bind_info(b, false);
    info->heapRange.address = address_of(b, heap);
    return heap;
}
SCENARIO(heap_without_memory, HEAPS, .expect = {"VUID-VkDeviceAddress-None-10894"},
         .text = {"pBindInfo->heapRange.address is 0x", "any more: that was freed"})
{
    VkBindHeapInfoEXT info;
    VkDeviceMemory memory;
    heap_at(b, &info, &memory);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(make_recording(b), &info);
}
SCENARIO(heap_beyond_its_buffer, HEAPS, .expect = {"VUID-VkDeviceAddressRangeKHR-address-11365"})
{
    VkBindHeapInfoEXT info;
    VkDeviceMemory memory;
    heap_at(b, &info, &memory);
    info.heapRange.address += (1 << 20) - (1 << 15);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(make_recording(b), &info);
}
SCENARIO(heap_up_to_the_end_of_its_buffer, HEAPS)
{
    VkBindHeapInfoEXT info;
    VkDeviceMemory memory;
    heap_at(b, &info, &memory);
    info.heapRange.address += (1 << 20) - info.heapRange.size;
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(make_recording(b), &info);
}
SCENARIO(heap_gone, HEAPS, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {"is invalid: ", "VkBuffer"})
{
    VkBindHeapInfoEXT info;
    VkDeviceMemory memory;
    VkBuffer heap = heap_at(b, &info, &memory);
    VkCommandBuffer commands = make_recording(b);
    VkSubmitInfo submit = submit_info(&commands);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(commands, &info);
    VK(vkEndCommandBuffer(commands));
    FORGET(b, heap);
    vkDestroyBuffer(b->device, heap, NULL);
    (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}
