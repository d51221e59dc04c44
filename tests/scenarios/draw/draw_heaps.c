/* Draws, dispatches and traces ask descriptor heaps (VK_EXT_descriptor_heap) to be bound, push data
 * to be set, and mappings to lead to something. On the null driver. */
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
#define HEAPS_ON(features_)                          \
    .drivers = NULL_DRIVER, .features = (features_), \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5"}
#define PROPERTIES                                                                  \
    "\"bufferDescriptorAlignment\": 32, \"imageDescriptorAlignment\": 64, "         \
    "\"samplerDescriptorAlignment\": 16, \"minUniformBufferOffsetAlignment\": 64, " \
    "\"minStorageBufferOffsetAlignment\": 32"
#define HEAPS HEAPS_ON(&enabled), .null_driver = "{\"properties\": {" PROPERTIES "}}"

/* --- the parts of a program --- */

/* The bytes that are pushed. */
struct pushed {
    VkDeviceAddress result;  /* of binding 1 */
    VkDeviceAddress address; /* of binding 0 */
    uint32_t index, sampler_index;
};
#define AT_ADDRESS 8
#define AT_INDEX   16
#define AT_SAMPLER 20

static VkDeviceAddress make_address(struct baseline *b, VkBufferUsageFlags usage)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 4096, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(b->device, &info);
}

static struct pushed push_nothing_else(struct baseline *b)
{
    return (struct pushed){.result = make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
}

static VkDescriptorSetAndBindingMappingEXT mapping_of(uint32_t binding,
                                                      VkDescriptorMappingSourceEXT source)
{
    return (VkDescriptorSetAndBindingMappingEXT){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .firstBinding = binding,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = source};
}

static VkDescriptorSetAndBindingMappingEXT map_address(uint32_t binding, uint32_t at)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_of(binding, VK_DESCRIPTOR_MAPPING_SOURCE_PUSH_ADDRESS_EXT);
    mapping.sourceData.pushAddressOffset = at;
    return mapping;
}

static VkDescriptorSetAndBindingMappingEXT map_constant(uint32_t binding, uint32_t offset)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_of(binding, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT);
    mapping.sourceData.constantOffset.heapOffset = offset;
    return mapping;
}

static VkDescriptorSetAndBindingMappingEXT map_index(uint32_t binding, uint32_t stride)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_of(binding, VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_PUSH_INDEX_EXT);
    mapping.sourceData.pushIndex.pushOffset = AT_INDEX;
    mapping.sourceData.pushIndex.heapIndexStride = stride;
    mapping.sourceData.pushIndex.samplerPushOffset = AT_SAMPLER;
    mapping.sourceData.pushIndex.samplerHeapIndexStride = stride;
    return mapping;
}

static VkPipeline make_mapped(struct baseline *b, VkShaderModule module,
                              const VkDescriptorSetAndBindingMappingEXT *mapping)
{
    VkDescriptorSetAndBindingMappingEXT all[3] = {map_address(1, 0), map_constant(2, 0)};
    if (mapping)
        all[2] = *mapping;
    const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = mapping ? 3 : 2,
        .pMappings = all};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo pipeline = compute_pipeline_info(module, VK_NULL_HANDLE);
    pipeline.pNext = &flags;
    pipeline.stage.pNext = &info;
    return create_compute_pipeline(b, &pipeline);
}

/* Its last bytes are reserved. */
#define HEAP_BYTES 65536
static VkBindHeapInfoEXT heap_of(struct baseline *b, VkDeviceSize reserved)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, HEAP_BYTES,
                              VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return (VkBindHeapInfoEXT){
        .sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT,
        .heapRange = {vkGetBufferDeviceAddress(b->device, &info), HEAP_BYTES},
        .reservedRangeOffset = HEAP_BYTES - reserved,
        .reservedRangeSize = reserved};
}

static void bind_resources(struct baseline *b, VkCommandBuffer commands)
{
    const VkBindHeapInfoEXT info = heap_of(b, 256);
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(commands, &info);
}

static void bind_samplers(struct baseline *b, VkCommandBuffer commands, VkDeviceSize reserved)
{
    const VkBindHeapInfoEXT info = heap_of(b, reserved);
    DEVICE_PROC(b, vkCmdBindSamplerHeapEXT)(commands, &info);
}

static void push_data(struct baseline *b, VkCommandBuffer commands, const struct pushed *pushed)
{
    const VkPushDataInfoEXT info = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                                    .data = {(void *)pushed, sizeof(*pushed)}};
    DEVICE_PROC(b, vkCmdPushDataEXT)(commands, &info);
}

/* A dispatch with both heaps bound. */
static void dispatch_mapped(struct baseline *b, VkShaderModule module,
                            const VkDescriptorSetAndBindingMappingEXT *mapping,
                            const struct pushed *pushed)
{
    VkPipeline pipeline = make_mapped(b, module, mapping);
    VkCommandBuffer commands = make_recording(b);
    bind_resources(b, commands);
    bind_samplers(b, commands, 256);
    push_data(b, commands, pushed);
    vkCmdBindPipeline(commands, SHADER_POINT(b), pipeline);
    instead_run(b, commands);
}

/* --- mappings --- */

SCENARIO(heap_without_mapping, HEAPS, .expect = {"VUID-VkComputePipelineCreateInfo-flags-11312"},
         .text = {"uses \"values\" (set 0, binding 0) in a shader of descriptor heaps, which no "
                  "element of pMappings maps"})
{
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), NULL);
}

/* Another mapping of the same binding is for resources of another type. */
SCENARIO(heap_with_mapping_of_another_type, HEAPS,
         .expect = {"VUID-VkComputePipelineCreateInfo-flags-11312"})
{
    VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    mapping.resourceMask = VK_SPIRV_RESOURCE_TYPE_SAMPLER_BIT_EXT;
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping);
}

static void create_mapped_object(struct baseline *b, uint32_t mapping_count)
{
    const VkDescriptorSetAndBindingMappingEXT all[] = {map_constant(0, 0), map_address(1, 0)};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = mapping_count,
        .pMappings = all};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .pNext = &mappings,
                                        .flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(spirv_heap_uniform),
                                        .pCode = spirv_heap_uniform,
                                        .pName = "main"};
    VkShaderEXT shader = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader) == VK_SUCCESS)
        cleanup_add(b, destroy_shader, HANDLE(shader));
}

/* An array is not a variable with a structure type; and a variable chooses its element. */
SCENARIO(heap_address_chosen, HEAPS,
         .expect = {"VUID-RuntimeSpirv-DescriptorSet-11385",
                    "VUID-VkPipelineShaderStageCreateInfo-pNext-11318"},
         .text = {"to data or an address, but the shader chooses its element by an index"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_address(0, AT_ADDRESS);
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_indexed), &mapping);
}

SCENARIO(heap_address_of_constant, HEAPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-11318"},
         .text = {"to an address, but it is an array of a uniform buffer"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_address(0, AT_ADDRESS);
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_array), &mapping);
}

/* --- embedded samplers that convert from Y'CbCr --- */

static void destroy_conversion(struct baseline *b, uint64_t handle)
{
    vkDestroySamplerYcbcrConversion(b->device, (VkSamplerYcbcrConversion)handle, NULL);
}

/* A sampler of images in three planes. `conversion`: what it points to. */
static VkSamplerCreateInfo
converted_sampler(struct baseline *b, VkSamplerYcbcrConversionInfo *conversion, bool converts)
{
    const VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY,
        .ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL,
        .chromaFilter = VK_FILTER_NEAREST};
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    *conversion =
        (VkSamplerYcbcrConversionInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO};
    VK(vkCreateSamplerYcbcrConversion(b->device, &info, NULL, &conversion->conversion));
    cleanup_add(b, destroy_conversion, HANDLE(conversion->conversion));
    if (converts)
        sampler.pNext = conversion;
    return sampler;
}

/* Maps binding 0 with an embedded sampler. */
static void make_converted(struct baseline *b, VkShaderModule module, bool converts)
{
    VkSamplerYcbcrConversionInfo conversion;
    const VkSamplerCreateInfo sampler = converted_sampler(b, &conversion, converts);
    VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    mapping.sourceData.constantOffset.pEmbeddedSampler = &sampler;
    (void)make_mapped(b, module, &mapping);
}

/* The same with immutable samplers of a layout, `count` of them. */
static void make_immutable(struct baseline *b, VkShaderModule module, bool converts, uint32_t count)
{
    VkSamplerYcbcrConversionInfo conversion;
    const VkSamplerCreateInfo info = converted_sampler(b, &conversion, converts);
    const VkSampler sampler = create_sampler(b, &info);
    const VkSampler samplers[4] = {sampler, sampler, sampler, sampler};
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, count, SHADER_STAGE(b), samplers},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, SHADER_STAGE(b), NULL},
        {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, SHADER_STAGE(b), NULL}};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 3,
        .pBindings = bindings};
    const VkComputePipelineCreateInfo pipeline =
        compute_pipeline_info(module,
                              make_pipeline_layout(b, create_descriptor_set_layout(b, &layout)));
    (void)create_compute_pipeline(b, &pipeline);
}

static const VkPhysicalDeviceSamplerYcbcrConversionFeatures converting = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
    .pNext = (void *)&enabled,
    .samplerYcbcrConversion = VK_TRUE};
#define CONVERTED(name_, shader_, converts_, ...)                                               \
    SCENARIO(name_, HEAPS_ON(&converting), .null_driver = "{\"properties\": {" PROPERTIES "}}", \
             ##__VA_ARGS__)                                                                     \
    {                                                                                           \
        make_converted(b, MAKE_SHADER(b, spirv_heap_##shader_), converts_);                     \
    }
CONVERTED(heap_converted, combined, true)
CONVERTED(heap_converted_gathered, gathered, true,
          .expect = {"VUID-RuntimeSpirv-OpTypeSampledImage-12206"})
CONVERTED(heap_gathered_without_conversion, gathered, false)
CONVERTED(heap_converted_with_offset, offset, true,
          .expect = {"VUID-RuntimeSpirv-ConstOffset-10718"},
          .text = {"with an offset, but its sampler converts from Y'CbCr"})
CONVERTED(heap_offset_without_conversion, offset, false)
CONVERTED(heap_converted_sampler_alone, sampler_alone, true,
          .expect = {"VUID-RuntimeSpirv-OpTypeSampler-12203"})

/* An embedded sampler takes its place of those that a device has. */
#define PLACES(count_)                                                                \
    .null_driver = "{\"limits\": {\"maxSamplerAllocationCount\": " #count_ "}, "      \
                   "\"properties\": {" PROPERTIES ", \"samplerDescriptorSize\": 16, " \
                   "\"minSamplerHeapReservedRangeWithEmbedded\": 32}}"
SCENARIO(heap_embedded_with_room, HEAPS_ON(&converting), PLACES(4))
{
    (void)make_sampler(b);
    make_converted(b, MAKE_SHADER(b, spirv_heap_combined), false);
}
SCENARIO(heap_embedded_without_room, HEAPS_ON(&converting), PLACES(4),
         .expect = {"VUID-vkCreateComputePipelines-pCreateInfos-11414"},
         .text = {"to an embedded sampler, but 2 samplers exist"})
{
    (void)make_sampler(b);
    (void)make_sampler(b);
    make_converted(b, MAKE_SHADER(b, spirv_heap_combined), false);
}

/* A sampler needs its place beside embedded ones, too. */
SCENARIO(heap_sampler_beside_embedded, HEAPS_ON(&converting), PLACES(4))
{
    make_converted(b, MAKE_SHADER(b, spirv_heap_combined), false);
    (void)make_sampler(b);
    (void)make_sampler(b);
}
SCENARIO(heap_samplers_without_embedded, HEAPS_ON(&converting), PLACES(4))
{
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_pushed), NULL);
    for (int i = 0; i < 4; i++)
        (void)make_sampler(b);
}
SCENARIO(heap_sampler_without_room, HEAPS_ON(&converting), PLACES(4),
         .expect = {"VUID-vkCreateSampler-maxSamplerAllocationCount-11412"},
         .text = {"2 samplers exist already, and a pipeline or shader object has an embedded"})
{
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    make_converted(b, MAKE_SHADER(b, spirv_heap_combined), false);
    (void)make_sampler(b);
    (void)make_sampler(b);
    (void)create_sampler(b, &info);
}

/* A block of push constants that no push data can fill: it ends at byte 32. */
#define PUSHES(size_) \
    .null_driver = "{\"properties\": {" PROPERTIES ", \"maxPushDataSize\": " #size_ "}}"
SCENARIO(heap_push_block_of_all, HEAPS_ON(&enabled), PUSHES(32))
{
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_pushed), NULL);
}
SCENARIO(heap_push_block_beyond, HEAPS_ON(&enabled), PUSHES(28),
         .expect = {"VUID-RuntimeSpirv-maxPushDataSize-12455"},
         .text = {"has a push constant block of 32 bytes, more than 28"})
{
    (void)make_mapped(b, MAKE_SHADER(b, spirv_heap_pushed), NULL);
}

static const VkPhysicalDeviceSamplerYcbcrConversionFeatures immutable = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};
static const VkPhysicalDeviceFeatures2 chosen = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&immutable,
    .features.shaderSampledImageArrayDynamicIndexing = VK_TRUE};
#define IMMUTABLE(name_, shader_, converts_, count_, ...)                           \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &chosen, ##__VA_ARGS__)     \
    {                                                                               \
        make_immutable(b, MAKE_SHADER(b, spirv_heap_##shader_), converts_, count_); \
    }
IMMUTABLE(immutable_converted, combined, true, 1)
IMMUTABLE(immutable_converted_gathered, gathered, true, 1,
          .expect = {"VUID-RuntimeSpirv-OpTypeSampledImage-12206"})
IMMUTABLE(immutable_gathered, gathered, false, 1)
IMMUTABLE(immutable_converted_with_offset, offset, true, 1,
          .expect = {"VUID-RuntimeSpirv-ConstOffset-10718"})
IMMUTABLE(immutable_converted_chosen, gathered_indexed, true, 4,
          .expect = {"VUID-RuntimeSpirv-None-12205"})
IMMUTABLE(immutable_chosen, gathered_indexed, false, 4)
IMMUTABLE(immutable_converted_alone, sampler_alone, true, 1,
          .expect = {"VUID-RuntimeSpirv-OpTypeSampler-12203"})
IMMUTABLE(immutable_alone, sampler_alone, false, 1)
IMMUTABLE(immutable_converted_image_alone, image, true, 1,
          .expect = {"VUID-RuntimeSpirv-OpTypeImage-12207"})
IMMUTABLE(immutable_image_alone, image, false, 1)

/* --- what must be bound --- */

static VkCommandBuffer begin_constant(struct baseline *b, VkShaderModule module)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    const struct pushed pushed = push_nothing_else(b);
    VkCommandBuffer commands = make_recording(b);
    vkCmdBindPipeline(commands, SHADER_POINT(b), make_mapped(b, module, &mapping));
    push_data(b, commands, &pushed);
    return commands;
}

SCENARIO(heap_of_resources_bound, HEAPS)
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_uniform));
    bind_resources(b, commands);
    instead_run(b, commands);
}

SCENARIO(heap_of_resources_unbound, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11308"},
         .text = {"runs the shader of VK_SHADER_STAGE_COMPUTE_BIT, whose \"values\" (set 0, "
                  "binding 0) lies in the resource heap, but none is bound"})
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_uniform));
    bind_samplers(b, commands, 256);
    instead_run(b, commands);
}

/* Also where it is not read for certain. */
SCENARIO(heap_of_branch_unbound, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11308"})
{
    instead_run(b, begin_constant(b, MAKE_SHADER(b, spirv_heap_branch)));
}

SCENARIO(heap_of_samplers_unbound, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11308"},
         .text = {"lies in the sampler heap, but none is bound"})
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_combined));
    bind_resources(b, commands);
    instead_run(b, commands);
}

SCENARIO(heap_of_sampler_alone, HEAPS)
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_separate));
    bind_samplers(b, commands, 256);
    bind_resources(b, commands);
    instead_run(b, commands);
}

static VkCommandBuffer begin_embedded(struct baseline *b)
{
    static const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    const struct pushed pushed = push_nothing_else(b);
    VkCommandBuffer commands = make_recording(b);
    mapping.sourceData.constantOffset.pEmbeddedSampler = &nearest;
    vkCmdBindPipeline(commands, SHADER_POINT(b),
                      make_mapped(b, MAKE_SHADER(b, spirv_heap_combined), &mapping));
    push_data(b, commands, &pushed);
    bind_resources(b, commands);
    return commands;
}

/* An embedded sampler does not lie in the sampler heap. */
SCENARIO(heap_of_embedded_sampler_unbound, HEAPS)
{
    instead_run(b, begin_embedded(b));
}

SCENARIO(heap_of_embedded_sampler, HEAPS)
{
    VkCommandBuffer commands = begin_embedded(b);
    bind_samplers(b, commands, 4096);
    instead_run(b, commands);
}

SCENARIO(heap_of_embedded_sampler_short, HEAPS, .expect = {"VUID-vkCmdDispatch-pBindInfo-11375"},
         .text = {"has an embedded sampler, but the sampler heap was bound with a "
                  "reservedRangeSize of 256, less than "
                  "minSamplerHeapReservedRangeWithEmbedded (4096)"})
{
    VkCommandBuffer commands = begin_embedded(b);
    bind_samplers(b, commands, 256);
    instead_run(b, commands);
}

static const VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
    .pNext = (void *)&enabled,
    .shaderUntypedPointers = VK_TRUE};
#define UNTYPED                                                     \
    .drivers = NULL_DRIVER, .features = &untyped,                   \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", \
                   "VK_KHR_shader_untyped_pointers"}

SCENARIO(heap_used_directly, UNTYPED)
{
    VkCommandBuffer commands = make_recording(b);
    bind_resources(b, commands);
    vkCmdBindPipeline(commands, SHADER_POINT(b),
                      make_mapped(b, MAKE_SHADER(b, spirv_resource_heap), NULL));
    instead_run(b, commands);
}

SCENARIO(heap_used_directly_unbound, UNTYPED, .expect = {"VUID-vkCmdDispatch-None-11308"},
         .text = {"has no resource heap bound, which the shader of VK_SHADER_STAGE_COMPUTE_BIT "
                  "uses"})
{
    VkCommandBuffer commands = make_recording(b);
    bind_samplers(b, commands, 256);
    vkCmdBindPipeline(commands, SHADER_POINT(b),
                      make_mapped(b, MAKE_SHADER(b, spirv_resource_heap), NULL));
    instead_run(b, commands);
}

/* --- what makes what invalid --- */

static VkPipelineLayout bind_mapped_set(struct baseline *b, VkCommandBuffer commands)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    vkCmdBindDescriptorSets(commands, SHADER_POINT(b), layout, 0, 1, &set, 0, NULL);
    return layout;
}

SCENARIO(heap_bound_before_sets, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11308"},
         .text = {"a command of descriptor sets or push constants came after the one that bound "
                  "it"})
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_uniform));
    bind_resources(b, commands);
    bind_mapped_set(b, commands);
    instead_run(b, commands);
}

SCENARIO(heap_bound_after_sets, HEAPS)
{
    VkCommandBuffer commands = begin_constant(b, MAKE_SHADER(b, spirv_heap_uniform));
    const struct pushed pushed = push_nothing_else(b);
    bind_mapped_set(b, commands);
    bind_resources(b, commands);
    push_data(b, commands, &pushed);
    instead_run(b, commands);
}

SCENARIO(set_bound_before_push_data, HEAPS,
         .expect = {"VUID-vkCmdDispatch-None-08600", "VUID-vkCmdDispatch-None-08601"},
         .text = {"has no descriptor set 0 bound"})
{
    VkCommandBuffer commands = make_recording(b);
    const struct pushed pushed = push_nothing_else(b);
    VkPipelineLayout layout = bind_mapped_set(b, commands);
    const uint32_t zero = 0;
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    push_data(b, commands, &pushed);
    vkCmdBindPipeline(commands, SHADER_POINT(b), make_compute_pipeline(b, layout));
    instead_run(b, commands);
}

/* --- push data --- */

static void dispatch_pushed(struct baseline *b, uint32_t offset, uint32_t size)
{
    float values[8] = {0};
    const struct pushed pushed = push_nothing_else(b);
    const VkPushDataInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = offset, .data = {values, size}};
    VkDescriptorSetAndBindingMappingEXT mapping = map_address(1, 64);
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo pipeline =
        compute_pipeline_info(MAKE_SHADER(b, spirv_heap_pushed), VK_NULL_HANDLE);
    VkCommandBuffer commands = make_recording(b);
    pipeline.pNext = &flags;
    pipeline.stage.pNext = &mappings;
    DEVICE_PROC(b, vkCmdPushDataEXT)(commands, &info);
    const VkPushDataInfoEXT address = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT,
                                       .offset = 64,
                                       .data = {(void *)&pushed.result, 8}};
    DEVICE_PROC(b, vkCmdPushDataEXT)(commands, &address);
    vkCmdBindPipeline(commands, SHADER_POINT(b), create_compute_pipeline(b, &pipeline));
    instead_run(b, commands);
}

/* Only what the shader reads must be set. */
SCENARIO(heap_data_pushed, HEAPS)
{
    dispatch_pushed(b, 16, 16);
}

SCENARIO(heap_data_not_pushed, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11376"},
         .text = {"has no push data set at byte 16, which the shader of "
                  "VK_SHADER_STAGE_COMPUTE_BIT reads"})
{
    dispatch_pushed(b, 0, 16);
}

/* --- indices in push data --- */

static void dispatch_at(struct baseline *b, VkShaderModule module, uint32_t stride, uint32_t index,
                        uint32_t sampler_index)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_index(0, stride);
    struct pushed pushed = push_nothing_else(b);
    pushed.index = index;
    pushed.sampler_index = sampler_index;
    dispatch_mapped(b, module, &mapping, &pushed);
}

SCENARIO(heap_index_of_buffer, HEAPS)
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_uniform), 16, 6, 0);
}

SCENARIO(heap_index_of_buffer_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11297"},
         .text = {"lies at byte 112 of the resource heap by its index in push data, which is not "
                  "a multiple of bufferDescriptorAlignment (32)"})
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_uniform), 16, 7, 0);
}

SCENARIO(heap_index_of_image, HEAPS)
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_image), 16, 8, 0);
}

SCENARIO(heap_index_of_image_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11298"},
         .text = {"lies at byte 96 of the resource heap"})
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_image), 16, 6, 0);
}

SCENARIO(heap_index_of_sampler, HEAPS)
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_combined), 8, 8, 2);
}

SCENARIO(heap_index_of_sampler_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11299"},
         .text = {"lies at byte 24 of the sampler heap by its index in push data, which is not a "
                  "multiple of samplerDescriptorAlignment (16)"})
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_combined), 8, 8, 3);
}

static void dispatch_packed(struct baseline *b, uint32_t index)
{
    VkDescriptorSetAndBindingMappingEXT mapping = map_index(0, 8);
    struct pushed pushed = push_nothing_else(b);
    pushed.index = index;
    pushed.sampler_index = 1; /* it is not read */
    mapping.sourceData.pushIndex.useCombinedImageSamplerIndex = VK_TRUE;
    dispatch_mapped(b, MAKE_SHADER(b, spirv_heap_combined), &mapping, &pushed);
}

SCENARIO(heap_packed_index, HEAPS)
{
    dispatch_packed(b, 8 | 2 << 20);
}

SCENARIO(heap_packed_index_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11299"},
         .text = {"lies at byte 8 of the sampler heap"})
{
    dispatch_packed(b, 8 | 1 << 20);
}

/* --- ends of heaps --- */

SCENARIO(heap_place_before_reserved, HEAPS)
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_uniform), 32, (HEAP_BYTES - 256) / 32 - 1, 0);
}

SCENARIO(heap_place_reserved, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11309"},
         .text = {"lies at byte 65280 of the resource heap, but 256 bytes from byte 65280 on are "
                  "reserved"})
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_uniform), 32, (HEAP_BYTES - 256) / 32, 0);
}

SCENARIO(heap_place_beyond, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11309"},
         .text = {"lies at byte 65536 of the resource heap, but the range that is bound has 65536 "
                  "bytes"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, HEAP_BYTES);
    const struct pushed pushed = push_nothing_else(b);
    dispatch_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping, &pushed);
}

static void dispatch_array(struct baseline *b, VkShaderModule module, uint32_t stride)
{
    VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    const struct pushed pushed = push_nothing_else(b);
    mapping.sourceData.constantOffset.heapArrayStride = stride;
    dispatch_mapped(b, module, &mapping, &pushed);
}

/* Element 2 is read. */
SCENARIO(heap_array, HEAPS)
{
    dispatch_array(b, MAKE_SHADER(b, spirv_heap_array), HEAP_BYTES / 4);
}

SCENARIO(heap_array_beyond, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11309"},
         .text = {"lies at byte 65536 of the resource heap"})
{
    dispatch_array(b, MAKE_SHADER(b, spirv_heap_array), HEAP_BYTES / 2);
}

/* It is not known which element is read. */
SCENARIO(heap_indexed_array, HEAPS)
{
    dispatch_array(b, MAKE_SHADER(b, spirv_heap_indexed), HEAP_BYTES / 2);
}

static void dispatch_indexed(struct baseline *b, uint32_t array_stride)
{
    VkDescriptorSetAndBindingMappingEXT mapping = map_index(0, 16);
    struct pushed pushed = push_nothing_else(b);
    pushed.index = 1;
    mapping.sourceData.pushIndex.heapArrayStride = array_stride;
    dispatch_mapped(b, MAKE_SHADER(b, spirv_heap_indexed), &mapping, &pushed);
}

SCENARIO(heap_indexed_array_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11297"})
{
    dispatch_indexed(b, 64);
}

/* --- addresses in push data --- */

static void dispatch_addressed(struct baseline *b, VkShaderModule module, VkDeviceAddress address)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_address(0, AT_ADDRESS);
    struct pushed pushed = push_nothing_else(b);
    pushed.address = address;
    dispatch_mapped(b, module, &mapping, &pushed);
}

SCENARIO(heap_address_of_uniforms, HEAPS)
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform),
                       make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) + 64);
}

SCENARIO(heap_address_of_nothing, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11302"},
         .text = {"is mapped to 0x0 by push data, which lies in no buffer whose address was asked "
                  "for"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform), 0);
}

SCENARIO(heap_address_after_branch, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11302"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_after_branch), 0);
}

SCENARIO(heap_address_of_called, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11302"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_called), 0);
}

/* The shader may never come there. */
SCENARIO(heap_address_in_branch, HEAPS)
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_branch), 0);
}

SCENARIO(heap_address_after_return, HEAPS)
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_after_return), 0);
}

SCENARIO(heap_address_in_left_loop, HEAPS)
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_left_loop), 0);
}

SCENARIO(heap_address_of_other_uniforms, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11438"},
         .text = {"but that buffer was created without VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform),
                       make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
}

SCENARIO(heap_address_of_other_storage, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11439"},
         .text = {"but that buffer was created without VK_BUFFER_USAGE_STORAGE_BUFFER_BIT"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_storage),
                       make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
}

SCENARIO(heap_address_of_storage, HEAPS)
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_storage),
                       make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) + 32);
}

SCENARIO(heap_address_of_uniforms_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11441"},
         .text = {"which is not a multiple of minUniformBufferOffsetAlignment (64)"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform),
                       make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) + 32);
}

SCENARIO(heap_address_of_storage_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11442"},
         .text = {"which is not a multiple of minStorageBufferOffsetAlignment (32)"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_storage),
                       make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) + 16);
}

/* --- data in the heap --- */

static void dispatch_data(struct baseline *b, uint32_t offset, uint32_t index)
{
    VkDescriptorSetAndBindingMappingEXT mapping =
        mapping_of(0, VK_DESCRIPTOR_MAPPING_SOURCE_RESOURCE_HEAP_DATA_EXT);
    struct pushed pushed = push_nothing_else(b);
    pushed.index = index;
    mapping.sourceData.heapData.heapOffset = offset;
    mapping.sourceData.heapData.pushOffset = AT_INDEX;
    dispatch_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping, &pushed);
}

SCENARIO(heap_data, HEAPS)
{
    dispatch_data(b, 128, 64);
}

SCENARIO(heap_data_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11441"},
         .text = {"begins at byte 144 of the resource heap"})
{
    dispatch_data(b, 128, 16);
}

SCENARIO(heap_data_beyond, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11398"},
         .text = {"begins at byte 65536 of the resource heap, but the range that is bound has "
                  "65536 bytes"})
{
    dispatch_data(b, 64, HEAP_BYTES - 64);
}

/* --- indirect --- */

static void dispatch_indirectly_mapped(struct baseline *b, VkDescriptorMappingSourceEXT source,
                                       uint32_t offset, VkDeviceAddress address)
{
    VkDescriptorSetAndBindingMappingEXT mapping = mapping_of(0, source);
    struct pushed pushed = push_nothing_else(b);
    pushed.address = address;
    if (source == VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT) {
        mapping.sourceData.indirectAddress.pushOffset = AT_ADDRESS;
        mapping.sourceData.indirectAddress.addressOffset = offset;
    } else {
        mapping.sourceData.indirectIndex.pushOffset = AT_ADDRESS;
        mapping.sourceData.indirectIndex.addressOffset = offset;
        mapping.sourceData.indirectIndex.heapIndexStride = 32;
    }
    dispatch_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping, &pushed);
}
#define INDEX   VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_INDIRECT_INDEX_EXT
#define ADDRESS VK_DESCRIPTOR_MAPPING_SOURCE_INDIRECT_ADDRESS_EXT

SCENARIO(heap_indirect_index, HEAPS)
{
    dispatch_indirectly_mapped(b, INDEX, 4092, make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
}

SCENARIO(heap_indirect_index_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11300"},
         .text = {"at byte 8 of push data, which is not a multiple of 4"})
{
    dispatch_indirectly_mapped(b, INDEX, 0,
                               make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) + 2);
}

SCENARIO(heap_indirect_index_beyond, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11301"},
         .text = {"at byte 8 of push data, but 4 bytes from byte 4096 on lie in no buffer whose "
                  "address was asked for"})
{
    dispatch_indirectly_mapped(b, INDEX, 4096, make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
}

SCENARIO(heap_indirect_index_of_other, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11437"},
         .text = {"but that buffer was created without VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT"})
{
    dispatch_indirectly_mapped(b, INDEX, 0, make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
}

SCENARIO(heap_indirect_address, HEAPS)
{
    dispatch_indirectly_mapped(b, ADDRESS, 4088,
                               make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
}

SCENARIO(heap_indirect_address_misaligned, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11304"},
         .text = {"at byte 8 of push data, which is not a multiple of 8"})
{
    dispatch_indirectly_mapped(b, ADDRESS, 0,
                               make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT) + 4);
}

SCENARIO(heap_indirect_address_beyond, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11305"})
{
    dispatch_indirectly_mapped(b, ADDRESS, 4096,
                               make_address(b, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT));
}

SCENARIO(heap_indirect_address_of_other, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11437"})
{
    dispatch_indirectly_mapped(b, ADDRESS, 0, make_address(b, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT));
}

/* --- protected memory --- */

static const VkPhysicalDeviceProtectedMemoryFeatures protection = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&enabled,
    .protectedMemory = VK_TRUE};
#define PROTECTED(fault_)  \
    HEAPS_ON(&protection), \
        .null_driver = "{\"properties\": {" PROPERTIES ", \"protectedNoFault\": " fault_ "}}"

static VkDeviceAddress make_protected_address(struct baseline *b)
{
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_protected_buffer(b, 4096,
                                        VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    return vkGetBufferDeviceAddress(b->device, &info);
}

SCENARIO(heap_address_protected, PROTECTED("true"))
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform), make_protected_address(b));
}

SCENARIO(heap_address_protected_faults, PROTECTED("false"),
         .expect = {"VUID-vkCmdDispatch-protectedNoFault-11455"},
         .text = {"but that buffer was created with VK_BUFFER_CREATE_PROTECTED_BIT, and "
                  "protectedNoFault is VK_FALSE"})
{
    dispatch_addressed(b, MAKE_SHADER(b, spirv_heap_uniform), make_protected_address(b));
}

SCENARIO(heap_index_protected_faults, PROTECTED("false"),
         .expect = {"VUID-vkCmdDispatch-protectedNoFault-11456"})
{
    dispatch_indirectly_mapped(b, INDEX, 0, make_protected_address(b));
}

/* --- draws, and shader objects --- */

static void draw_from_heap(struct baseline *b, bool bound)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, VK_NULL_HANDLE, make_render_pass(b));
    p.info.pNext = &flags;
    p.stages[0].module = MAKE_SHADER(b, spirv_heap_vertex);
    p.stages[0].pNext = &mappings;
    p.stages[1].module = MAKE_SHADER(b, spirv_writes_colors);
    VkPipeline pipeline = create_graphics_pipeline(b, &p.info);
    VkCommandBuffer commands = make_recording(b);
    begin_rendering(b, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (bound)
        bind_resources(b, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
}

SCENARIO(heap_of_draw, HEAPS)
{
    draw_from_heap(b, true);
}

SCENARIO(heap_of_draw_unbound, HEAPS, .expect = {"VUID-vkCmdDraw-None-11308"},
         .text = {"runs the shader of VK_SHADER_STAGE_VERTEX_BIT, whose \"values\" (set 0, binding "
                  "0) lies in the resource heap, but none is bound"})
{
    draw_from_heap(b, false);
}

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&enabled,
    .shaderObject = VK_TRUE};
#define OBJECTS                                   \
    .drivers = NULL_DRIVER, .features = &objects, \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_EXT_shader_object"}

static void dispatch_mapped_object(struct baseline *b, bool bound)
{
    const VkDescriptorSetAndBindingMappingEXT all[] = {map_constant(0, 0), map_address(1, 0)};
    const struct pushed pushed = push_nothing_else(b);
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 2,
        .pMappings = all};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .pNext = &mappings,
                                        .flags = VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(spirv_heap_uniform),
                                        .pCode = spirv_heap_uniform,
                                        .pName = "main"};
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, HANDLE(shader));
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(commands, 1, &stage, &shader);
    push_data(b, commands, &pushed);
    if (bound)
        bind_resources(b, commands);
    vkCmdDispatch(commands, 1, 1, 1);
}

SCENARIO(heap_of_object, OBJECTS)
{
    dispatch_mapped_object(b, true);
}

SCENARIO(heap_of_object_unbound, OBJECTS, .expect = {"VUID-vkCmdDispatch-None-11308"})
{
    dispatch_mapped_object(b, false);
}

/* --- tensors --- */

static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM,
    .pNext = (void *)&enabled,
    .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};
#define TENSORS                                   \
    .drivers = NULL_DRIVER, .features = &tensors, \
    .extensions = {"VK_EXT_descriptor_heap", "VK_KHR_maintenance5", "VK_ARM_tensors"}

SCENARIO(heap_index_of_tensor, TENSORS)
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_tensor), 16, 4, 0);
}

SCENARIO(heap_index_of_tensor_misaligned, TENSORS, .expect = {"VUID-vkCmdDispatch-None-11397"},
         .text = {"which is not a multiple of tensorDescriptorAlignment (64)"})
{
    dispatch_at(b, MAKE_SHADER(b, spirv_heap_tensor), 16, 5, 0);
}

/* --- what is looked at again --- */

SCENARIO(heap_index_pushed_again, HEAPS, .expect = {"VUID-vkCmdDispatch-None-11297"})
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_index(0, 16);
    struct pushed pushed = push_nothing_else(b);
    VkCommandBuffer commands = make_recording(b);
    bind_resources(b, commands);
    vkCmdBindPipeline(commands, SHADER_POINT(b),
                      make_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping));
    push_data(b, commands, &pushed);
    instead_run(b, commands);
    pushed.index = 1;
    push_data(b, commands, &pushed);
    instead_run(b, commands);
    pushed.index = 2;
    push_data(b, commands, &pushed);
    instead_run(b, commands);
}

/* A heap that a secondary inherits is bound there, and in the primary afterwards. */
SCENARIO(heap_inherited, HEAPS)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = map_constant(0, 0);
    VkPipeline pipeline = make_mapped(b, MAKE_SHADER(b, spirv_heap_uniform), &mapping);
    const VkBindHeapInfoEXT info = heap_of(b, 256);
    const VkCommandBufferInheritanceDescriptorHeapInfoEXT heaps = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT,
        .pResourceHeapBindInfo = &info};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &heaps};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .pInheritanceInfo = &inheritance};
    const struct pushed pushed = push_nothing_else(b);
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer primary = make_recording(b);
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdBindPipeline(secondary, SHADER_POINT(b), pipeline);
    push_data(b, secondary, &pushed);
    vkCmdDispatch(secondary, 1, 1, 1);
    VK(vkEndCommandBuffer(secondary));
    DEVICE_PROC(b, vkCmdBindResourceHeapEXT)(primary, &info);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdBindPipeline(primary, SHADER_POINT(b), pipeline);
    push_data(b, primary, &pushed);
    vkCmdDispatch(primary, 1, 1, 1);
}

SCENARIO(heap_object_mapped, OBJECTS)
{
    create_mapped_object(b, 2);
}

SCENARIO(heap_object_without_mapping, OBJECTS, .expect = {"VUID-VkShaderCreateInfoEXT-flags-11292"})
{
    create_mapped_object(b, 1);
}
