/* Indirect execution sets of VK_EXT_device_generated_commands: how many members they have, and
 * which (33 "Device-Generated Commands"). Drivers write where an index says: what is out of range
 * never reaches them. */
#include "scenario.h"

#include "shader_heaps.h"
#include "shader_interface.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&maintenance5,
    .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&generated,
    .shaderObject = VK_TRUE};
#define GENERATED                            \
    .proceed = true, .features = &generated, \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}
#define OBJECTS                                                               \
    .proceed = true, .features = &objects,                                    \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_shader_object"}
#define BINDABLE        VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT
#define CREATION(name_) "VUID-VkIndirectExecutionSet" name_

static VkPipeline make_bindable(struct baseline *b, VkPipelineCreateFlags2 flags)
{
    const VkPipelineCreateFlags2CreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = flags ? &chained : NULL;
    return create_compute_pipeline(b, &info);
}

static VkIndirectExecutionSetEXT create_set(struct baseline *b,
                                            const VkIndirectExecutionSetCreateInfoEXT *info)
{
    VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectExecutionSetEXT)(b->device, info, NULL, &set) != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_execution_set, (uint64_t)set);
    return set;
}

static VkIndirectExecutionSetEXT make_pipeline_set(struct baseline *b, VkPipeline pipeline,
                                                   uint32_t count)
{
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = pipeline,
        .maxPipelineCount = count};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    return create_set(b, &info);
}

/* --- sets of pipelines --- */

SCENARIO(set_of_pipelines, GENERATED)
{
    EXPECT(make_pipeline_set(b, make_bindable(b, BINDABLE), 4) != VK_NULL_HANDLE);
}

SCENARIO(set_of_no_pipelines, GENERATED,
         .expect = {CREATION("PipelineInfoEXT-maxPipelineCount-11018")},
         .text = {
             "pCreateInfo->info.pPipelineInfo->maxPipelineCount is 0, which is not between 1 and"})
{
    EXPECT(make_pipeline_set(b, make_bindable(b, BINDABLE), 0) == VK_NULL_HANDLE);
}

SCENARIO(set_of_too_many_pipelines, GENERATED,
         .expect = {CREATION("PipelineInfoEXT-maxPipelineCount-11018")})
{
    const VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT none = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT limits = none;
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    EXPECT(make_pipeline_set(b, make_bindable(b, BINDABLE), limits.maxIndirectPipelineCount) !=
           VK_NULL_HANDLE);
    EXPECT(make_pipeline_set(b, make_bindable(b, BINDABLE), limits.maxIndirectPipelineCount + 1) ==
           VK_NULL_HANDLE);
}

SCENARIO(set_of_a_plain_pipeline, GENERATED,
         .expect = {CREATION("PipelineInfoEXT-initialPipeline-11153")})
{
    make_pipeline_set(b, make_bindable(b, 0), 4);
}

/* fill.comp has binding 0 of set 0; nothing uses binding 1. */
static VkPipeline make_bindable_of(struct baseline *b, VkDescriptorType first,
                                   VkDescriptorType second, uint32_t constants)
{
    const VkPipelineCreateFlags2CreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = BINDABLE};
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, first, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, second, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    VkDescriptorSetLayoutCreateInfo set_info = descriptor_set_layout_info();
    set_info.bindingCount = 2;
    set_info.pBindings = bindings;
    const VkDescriptorSetLayout set = create_descriptor_set_layout(b, &set_info);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, constants};
    VkPipelineLayoutCreateInfo layout = pipeline_layout_info(&set);
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &range;
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b), create_pipeline_layout(b, &layout));
    info.pNext = &chained;
    return create_compute_pipeline(b, &info);
}
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define DYNAMIC VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC

SCENARIO(set_of_an_unused_dynamic_buffer, GENERATED)
{
    make_pipeline_set(b, make_bindable_of(b, STORAGE, DYNAMIC, 4), 4);
}

SCENARIO(set_of_a_dynamic_buffer, GENERATED,
         .expect = {CREATION("PipelineInfoEXT-initialPipeline-11019")},
         .text = {"uses binding 0 of set 0, which is of VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC"})
{
    make_pipeline_set(b, make_bindable_of(b, DYNAMIC, STORAGE, 4), 4);
}

SCENARIO(set_of_a_destroyed_pipeline, GENERATED,
         .expect = {CREATION("PipelineInfoEXT-initialPipeline-parameter")})
{
    VkPipeline pipeline = make_bindable(b, BINDABLE);
    FORGET(b, pipeline);
    vkDestroyPipeline(b->device, pipeline, NULL);
    EXPECT(make_pipeline_set(b, pipeline, 4) == VK_NULL_HANDLE);
}

SCENARIO(set_without_information, GENERATED,
         .expect = {CREATION("CreateInfoEXT-pPipelineInfo-parameter")})
{
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT};
    EXPECT(create_set(b, &info) == VK_NULL_HANDLE);
}

/* --- their changes --- */

#define UPDATE(name_) "VUID-vkUpdateIndirectExecutionSetPipelineEXT-" name_
#define WRITE(name_)  "VUID-VkWriteIndirectExecutionSetPipelineEXT-" name_

static VkWriteIndirectExecutionSetPipelineEXT write_of_pipeline(uint32_t index, VkPipeline pipeline)
{
    return (VkWriteIndirectExecutionSetPipelineEXT){
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
        .index = index,
        .pipeline = pipeline};
}

/* A set of four, of which the elements `first` and `second` are written. */
static void change_set(struct baseline *b, uint32_t first, uint32_t second,
                       VkPipelineCreateFlags2 flags)
{
    VkPipeline pipeline = make_bindable(b, BINDABLE);
    const VkWriteIndirectExecutionSetPipelineEXT writes[] = {
        write_of_pipeline(first, pipeline), write_of_pipeline(second, make_bindable(b, flags))};
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device,
                                                            make_pipeline_set(b, pipeline, 4), 2,
                                                            writes);
}

SCENARIO(pipelines_written, GENERATED)
{
    change_set(b, 3, 0, BINDABLE);
}

SCENARIO(pipeline_written_behind_the_end, GENERATED, .expect = {WRITE("index-11026")},
         .text = {"pExecutionSetWrites[1].index is 4, but the set has a maxPipelineCount of 4"})
{
    change_set(b, 3, 4, BINDABLE);
}

SCENARIO(pipeline_written_far_away, GENERATED, .expect = {WRITE("index-11026")})
{
    change_set(b, 0, UINT32_MAX, BINDABLE);
}

SCENARIO(pipeline_written_twice, GENERATED, .expect = {UPDATE("pExecutionSetWrites-11042")},
         .text = {"pExecutionSetWrites[1].index is 2, as in an element before it"})
{
    change_set(b, 2, 2, BINDABLE);
}

SCENARIO(plain_pipeline_written, GENERATED, .expect = {WRITE("pipeline-11027")})
{
    change_set(b, 0, 1, 0);
}

SCENARIO(more_written_than_there_are, GENERATED, .expect = {UPDATE("executionSetWriteCount-11037")})
{
    VkPipeline pipeline = make_bindable(b, BINDABLE);
    const VkWriteIndirectExecutionSetPipelineEXT writes[] = {write_of_pipeline(0, pipeline),
                                                             write_of_pipeline(0, pipeline)};
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device,
                                                            make_pipeline_set(b, pipeline, 1), 2,
                                                            writes);
}

static VkPipeline make_drawing(struct baseline *b, VkCullModeFlags cull, bool dynamic)
{
    static const VkDynamicState states[] = {VK_DYNAMIC_STATE_CULL_MODE};
    const VkPipelineDynamicStateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = states};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = BINDABLE};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pNext = &flags;
    p.rasterization.cullMode = cull;
    p.info.pDynamicState = dynamic ? &info : NULL;
    return create_graphics_pipeline(b, &p.info);
}

static void change_drawing(struct baseline *b, VkPipeline initial, VkPipeline other)
{
    const VkWriteIndirectExecutionSetPipelineEXT write = write_of_pipeline(1, other);
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device,
                                                            make_pipeline_set(b, initial, 4), 1,
                                                            &write);
}

SCENARIO(pipeline_of_other_dynamic_states, GENERATED, .expect = {UPDATE("None-11040")},
         .text = {"has other dynamic states than the pipeline that the set was created with"})
{
    change_drawing(b, make_drawing(b, VK_CULL_MODE_NONE, false),
                   make_drawing(b, VK_CULL_MODE_NONE, true));
}

SCENARIO(pipeline_of_another_static_state, GENERATED, .expect = {UPDATE("None-11040")},
         .text = {"has cullMode VK_CULL_MODE_BACK_BIT, but the pipeline that the set was created "
                  "with has"})
{
    change_drawing(b, make_drawing(b, VK_CULL_MODE_NONE, false),
                   make_drawing(b, VK_CULL_MODE_BACK_BIT, false));
}

/* A value that is dynamic is ignored. */
SCENARIO(pipeline_of_the_same_dynamic_states, GENERATED)
{
    change_drawing(b, make_drawing(b, VK_CULL_MODE_NONE, true),
                   make_drawing(b, VK_CULL_MODE_BACK_BIT, true));
}

SCENARIO(pipeline_of_other_stages, GENERATED, .expect = {UPDATE("initialPipeline-11152")})
{
    change_drawing(b, make_bindable(b, BINDABLE), make_drawing(b, VK_CULL_MODE_NONE, false));
}

SCENARIO(pipeline_of_a_compatible_layout, GENERATED)
{
    change_drawing(b, make_bindable_of(b, STORAGE, STORAGE, 4),
                   make_bindable_of(b, STORAGE, STORAGE, 4));
}

SCENARIO(pipeline_of_other_descriptors, GENERATED, .expect = {UPDATE("None-11039")},
         .text = {"descriptor sets differ"})
{
    change_drawing(b, make_bindable_of(b, STORAGE, STORAGE, 4),
                   make_bindable_of(b, STORAGE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 4));
}

SCENARIO(pipeline_of_other_constants, GENERATED, .expect = {UPDATE("None-11039")},
         .text = {"push constant ranges differ"})
{
    change_drawing(b, make_bindable_of(b, STORAGE, STORAGE, 4),
                   make_bindable_of(b, STORAGE, STORAGE, 8));
}

#define CHOOSABLE(stages_)                                                                     \
    .drivers = NULL_DRIVER,                                                                    \
    .null_driver =                                                                             \
        "{\"properties\": {\"supportedIndirectCommandsShaderStagesPipelineBinding\": " stages_ \
        "}}"
/* 1: vertex shaders, 16: fragment shaders */
SCENARIO(pipeline_of_supported_stages, GENERATED, CHOOSABLE("17"))
{
    change_drawing(b, make_drawing(b, VK_CULL_MODE_NONE, false),
                   make_drawing(b, VK_CULL_MODE_NONE, false));
}

SCENARIO(pipeline_of_unsupported_stages, GENERATED, CHOOSABLE("16"),
         .expect = {WRITE("pipeline-11030")})
{
    change_drawing(b, make_drawing(b, VK_CULL_MODE_NONE, false),
                   make_drawing(b, VK_CULL_MODE_NONE, false));
}

/* --- what fragment shaders write beside colors --- */

static VkPipeline make_writing(struct baseline *b, VkShaderModule fragment)
{
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = BINDABLE};
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.info.pNext = &flags;
    p.stages[1].module = fragment;
    return create_graphics_pipeline(b, &p.info);
}

SCENARIO(pipeline_that_writes_another_output, GENERATED,
         .expect = {UPDATE("initialPipeline-11147")},
         .text = {
             "has a fragment shader whose output at location 0 is not that of what the set was "
             "created with"})
{
    change_drawing(b, make_writing(b, MAKE_SHADER(b, spirv_writes_colors)),
                   make_writing(b, MAKE_SHADER(b, spirv_writes_three_components)));
}

SCENARIO(pipelines_that_write_depth, GENERATED)
{
    change_drawing(b, make_writing(b, MAKE_SHADER(b, spirv_writes_depth)),
                   make_writing(b, MAKE_SHADER(b, spirv_writes_depth)));
}

SCENARIO(pipeline_that_writes_depth, GENERATED, .expect = {UPDATE("initialPipeline-11098")},
         .text = {"has a fragment shader that writes FragDepth, but that of what the set was "
                  "created with does not"})
{
    change_drawing(b, make_writing(b, MAKE_SHADER(b, spirv_writes_colors)),
                   make_writing(b, MAKE_SHADER(b, spirv_writes_depth)));
}

SCENARIO(pipeline_that_writes_no_mask, GENERATED, .expect = {UPDATE("initialPipeline-11086")},
         .text = {"has a fragment shader that does not write SampleMask, but that of what the set "
                  "was created with does"})
{
    change_drawing(b, make_writing(b, MAKE_SHADER(b, spirv_writes_mask)),
                   make_writing(b, MAKE_SHADER(b, spirv_writes_colors)));
}

SCENARIO(pipeline_that_writes_stencil, .proceed = true, .drivers = NULL_DRIVER,
         .features = &generated,
         .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5",
                        "VK_EXT_shader_stencil_export"},
         .expect = {UPDATE("initialPipeline-11085")})
{
    change_drawing(b, make_writing(b, MAKE_SHADER(b, spirv_writes_colors)),
                   make_writing(b, MAKE_SHADER(b, spirv_writes_stencil)));
}

/* --- descriptor heaps --- */

static const VkPhysicalDeviceDescriptorHeapFeaturesEXT in_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&generated,
    .descriptorHeap = VK_TRUE};
#define IN_HEAPS                                                              \
    .proceed = true, .drivers = NULL_DRIVER, .features = &in_heaps,           \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_descriptor_heap"}

static VkPipeline make_in_heaps(struct baseline *b)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = BINDABLE | VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
    VkComputePipelineCreateInfo info = compute_pipeline_info(make_shader_module(b), VK_NULL_HANDLE);
    info.pNext = &flags;
    info.stage.pNext = &mappings;
    return create_compute_pipeline(b, &info);
}

SCENARIO(pipelines_in_heaps, IN_HEAPS)
{
    change_drawing(b, make_in_heaps(b), make_in_heaps(b));
}

SCENARIO(pipeline_in_heaps, IN_HEAPS, .expect = {UPDATE("initialPipeline-11324")})
{
    change_drawing(b, make_bindable(b, BINDABLE), make_in_heaps(b));
}

SCENARIO(pipeline_outside_of_heaps, IN_HEAPS, .expect = {UPDATE("initialPipeline-11325")})
{
    change_drawing(b, make_in_heaps(b), make_bindable(b, BINDABLE));
}

/* --- sets of shader objects --- */

static VkShaderEXT make_executed_object(struct baseline *b, VkShaderCreateFlagsEXT flags,
                                        const VkDescriptorSetLayout *layout)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .flags = flags,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = layout,
                                        .pushConstantRangeCount = 1,
                                        .pPushConstantRanges = &range};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, (uint64_t)shader);
    return shader;
}

static VkIndirectExecutionSetEXT make_set_in(struct baseline *b, VkDescriptorSetLayout layout,
                                             VkShaderCreateFlagsEXT flags, uint32_t shader_count,
                                             uint32_t most)
{
    const VkShaderEXT shaders[] = {make_executed_object(b, flags, &layout),
                                   make_executed_object(b, flags, &layout)};
    const VkIndirectExecutionSetShaderLayoutInfoEXT layouts[2] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
         .setLayoutCount = 1,
         .pSetLayouts = &layout},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT,
         .setLayoutCount = 1,
         .pSetLayouts = &layout}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    const VkIndirectExecutionSetShaderInfoEXT of_shaders = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
        .shaderCount = shader_count,
        .pInitialShaders = shaders,
        .pSetLayoutInfos = layouts,
        .maxShaderCount = most,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
        .info.pShaderInfo = &of_shaders};
    return create_set(b, &info);
}

static VkIndirectExecutionSetEXT make_set_of_objects(struct baseline *b,
                                                     VkShaderCreateFlagsEXT flags,
                                                     uint32_t shader_count, uint32_t most)
{
    return make_set_in(b, make_descriptor_set_layout(b), flags, shader_count, most);
}

#define OBJECT_BINDABLE VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT

SCENARIO(set_of_objects_with_a_dynamic_buffer, OBJECTS,
         .expect = {CREATION("ShaderLayoutInfoEXT-pSetLayouts-11024")},
         .text = {"has binding 0 of VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC"})
{
    const VkDescriptorSetLayoutBinding binding = {0, DYNAMIC, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 1;
    info.pBindings = &binding;
    make_set_in(b, create_descriptor_set_layout(b, &info), OBJECT_BINDABLE, 1, 4);
}

SCENARIO(set_of_objects, OBJECTS)
{
    EXPECT(make_set_of_objects(b, OBJECT_BINDABLE, 1, 4) != VK_NULL_HANDLE);
}

SCENARIO(set_of_no_objects, OBJECTS, .expect = {CREATION("ShaderInfoEXT-maxShaderCount-11021")})
{
    EXPECT(make_set_of_objects(b, OBJECT_BINDABLE, 1, 0) == VK_NULL_HANDLE);
}

SCENARIO(set_of_too_many_objects, OBJECTS,
         .expect = {CREATION("ShaderInfoEXT-maxShaderCount-11022")})
{
    EXPECT(make_set_of_objects(b, OBJECT_BINDABLE, 1, UINT32_MAX) == VK_NULL_HANDLE);
}

SCENARIO(set_of_fewer_than_initial_objects, OBJECTS,
         .expect = {CREATION("ShaderInfoEXT-maxShaderCount-11036"),
                    CREATION("ShaderInfoEXT-stage-11023")})
{
    EXPECT(make_set_of_objects(b, OBJECT_BINDABLE, 2, 1) == VK_NULL_HANDLE);
}

SCENARIO(set_of_a_plain_object, OBJECTS,
         .expect = {CREATION("ShaderInfoEXT-pInitialShaders-11154")})
{
    make_set_of_objects(b, 0, 1, 4);
}

SCENARIO(set_of_objects_without_support, OBJECTS, .drivers = NULL_DRIVER,
         .null_driver = "{\"limits\": {\"maxIndirectShaderObjectCount\": 0}}",
         .expect = {CREATION("CreateInfoEXT-maxIndirectShaderObjectCount-11014")})
{
    EXPECT(make_set_of_objects(b, OBJECT_BINDABLE, 1, 4) == VK_NULL_HANDLE);
}

/* --- shader objects: fragment shaders and heaps --- */

static VkShaderEXT make_object_of(struct baseline *b, VkShaderStageFlagBits stage,
                                  VkShaderCreateFlagsEXT flags, const uint32_t *code, size_t size)
{
    const VkDescriptorSetAndBindingMappingEXT mapping = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
        .bindingCount = 1,
        .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
        .source = VK_DESCRIPTOR_MAPPING_SOURCE_HEAP_WITH_CONSTANT_OFFSET_EXT};
    const VkShaderDescriptorSetAndBindingMappingInfoEXT mappings = {
        .sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
        .mappingCount = 1,
        .pMappings = &mapping};
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .pNext = flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ? &mappings : NULL,
        .flags = flags | OBJECT_BINDABLE,
        .stage = stage,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = size,
        .pCode = code,
        .pName = "main"};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, (uint64_t)shader);
    return shader;
}
#define FRAGMENT(code_) make_object_of(b, VK_SHADER_STAGE_FRAGMENT_BIT, 0, code_, sizeof(code_))

static VkIndirectExecutionSetEXT make_set_of(struct baseline *b, uint32_t count,
                                             const VkShaderEXT *shaders, bool layouts)
{
    const VkIndirectExecutionSetShaderLayoutInfoEXT empty[2] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT}};
    const VkIndirectExecutionSetShaderInfoEXT of_shaders = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
        .shaderCount = count,
        .pInitialShaders = shaders,
        .pSetLayoutInfos = layouts ? empty : NULL,
        .maxShaderCount = 4};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
        .info.pShaderInfo = &of_shaders};
    return create_set(b, &info);
}

static void change_to(struct baseline *b, VkShaderEXT initial, VkShaderEXT other)
{
    const VkWriteIndirectExecutionSetShaderEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT,
        .index = 1,
        .shader = other};
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetShaderEXT)(b->device,
                                                          make_set_of(b, 1, &initial, false), 1,
                                                          &write);
}
#define OBJECTS_ON_NULL      OBJECTS, .drivers = NULL_DRIVER
#define UPDATE_OBJECT(name_) "VUID-vkUpdateIndirectExecutionSetShaderEXT-" name_

SCENARIO(object_that_writes_another_output, OBJECTS_ON_NULL,
         .expect = {UPDATE_OBJECT("None-11148")})
{
    change_to(b, FRAGMENT(spirv_writes_three_components), FRAGMENT(spirv_writes_colors));
}

SCENARIO(objects_that_write_depth, OBJECTS_ON_NULL)
{
    change_to(b, FRAGMENT(spirv_writes_depth), FRAGMENT(spirv_writes_depth));
}

SCENARIO(object_that_writes_depth, OBJECTS_ON_NULL, .expect = {UPDATE_OBJECT("FragDepth-11054")})
{
    change_to(b, FRAGMENT(spirv_writes_colors), FRAGMENT(spirv_writes_depth));
}

SCENARIO(object_that_writes_no_mask, OBJECTS_ON_NULL, .expect = {UPDATE_OBJECT("SampleMask-11050")})
{
    change_to(b, FRAGMENT(spirv_writes_mask), FRAGMENT(spirv_writes_colors));
}

static const VkPhysicalDeviceDescriptorHeapFeaturesEXT objects_in_heaps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
    .pNext = (void *)&objects,
    .descriptorHeap = VK_TRUE};
#define OBJECTS_IN_HEAPS                                                      \
    .proceed = true, .drivers = NULL_DRIVER, .features = &objects_in_heaps,   \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5", \
                   "VK_EXT_shader_object", "VK_EXT_descriptor_heap",          \
                   "VK_EXT_shader_stencil_export"}
#define IN_HEAP(stage_, code_) \
    make_object_of(b, stage_, VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT, code_, sizeof(code_))

SCENARIO(object_that_writes_stencil, OBJECTS_IN_HEAPS,
         .expect = {UPDATE_OBJECT("StencilExportEXT-11003")})
{
    change_to(b, FRAGMENT(spirv_writes_colors), FRAGMENT(spirv_writes_stencil));
}

SCENARIO(objects_in_heap, OBJECTS_IN_HEAPS)
{
    change_to(b, IN_HEAP(VK_SHADER_STAGE_FRAGMENT_BIT, spirv_writes_colors),
              IN_HEAP(VK_SHADER_STAGE_FRAGMENT_BIT, spirv_writes_colors));
}

SCENARIO(object_in_heap, OBJECTS_IN_HEAPS, .expect = {UPDATE_OBJECT("pInitialShaders-11326")})
{
    change_to(b, FRAGMENT(spirv_writes_colors),
              IN_HEAP(VK_SHADER_STAGE_FRAGMENT_BIT, spirv_writes_colors));
}

SCENARIO(object_outside_of_heap, OBJECTS_IN_HEAPS,
         .expect = {UPDATE_OBJECT("pInitialShaders-11327")})
{
    change_to(b, IN_HEAP(VK_SHADER_STAGE_FRAGMENT_BIT, spirv_writes_colors),
              FRAGMENT(spirv_writes_colors));
}

SCENARIO(set_of_objects_in_heap_and_not, OBJECTS_IN_HEAPS,
         .expect = {CREATION("ShaderInfoEXT-pInitialShaders-11322")})
{
    const VkShaderEXT shaders[] = {IN_HEAP(VK_SHADER_STAGE_VERTEX_BIT, spirv_heap_vertex),
                                   FRAGMENT(spirv_writes_colors)};
    make_set_of(b, 2, shaders, false);
}

/* Most are in heaps. */
SCENARIO(set_of_objects_in_heap_but_one, OBJECTS_IN_HEAPS,
         .expect = {CREATION("ShaderInfoEXT-pInitialShaders-11321")})
{
    const VkShaderEXT shaders[] = {IN_HEAP(VK_SHADER_STAGE_VERTEX_BIT, spirv_heap_vertex),
                                   make_object_of(b, VK_SHADER_STAGE_COMPUTE_BIT,
                                                  VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT,
                                                  shader_fill_code, shader_fill_size),
                                   FRAGMENT(spirv_writes_colors)};
    make_set_of(b, 3, shaders, false);
}

SCENARIO(set_of_objects_in_heap_with_layouts, OBJECTS_IN_HEAPS,
         .expect = {CREATION("ShaderInfoEXT-pInitialShaders-11323")})
{
    const VkShaderEXT shader = IN_HEAP(VK_SHADER_STAGE_VERTEX_BIT, spirv_heap_vertex);
    make_set_of(b, 1, &shader, true);
}

static void change_object(struct baseline *b, VkIndirectExecutionSetEXT set, uint32_t index,
                          VkShaderCreateFlagsEXT flags)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkWriteIndirectExecutionSetShaderEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT,
        .index = index,
        .shader = make_executed_object(b, flags, &layout)};
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetShaderEXT)(b->device, set, 1, &write);
}

SCENARIO(object_written, OBJECTS)
{
    change_object(b, make_set_of_objects(b, OBJECT_BINDABLE, 1, 4), 3, OBJECT_BINDABLE);
}

SCENARIO(object_written_behind_the_end, OBJECTS,
         .expect = {"VUID-VkWriteIndirectExecutionSetShaderEXT-index-11031"})
{
    change_object(b, make_set_of_objects(b, OBJECT_BINDABLE, 1, 4), 4, OBJECT_BINDABLE);
}

SCENARIO(plain_object_written, OBJECTS,
         .expect = {"VUID-VkWriteIndirectExecutionSetShaderEXT-shader-11032"})
{
    change_object(b, make_set_of_objects(b, OBJECT_BINDABLE, 1, 4), 1, 0);
}

SCENARIO(object_written_to_pipelines, OBJECTS,
         .expect = {"VUID-vkUpdateIndirectExecutionSetShaderEXT-indirectExecutionSet-11041"})
{
    change_object(b, make_pipeline_set(b, make_bindable(b, BINDABLE), 4), 0, OBJECT_BINDABLE);
}

SCENARIO(pipeline_written_to_objects, OBJECTS, .expect = {UPDATE("indirectExecutionSet-11035")})
{
    const VkWriteIndirectExecutionSetPipelineEXT write =
        write_of_pipeline(0, make_bindable(b, BINDABLE));
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)
    (b->device, make_set_of_objects(b, OBJECT_BINDABLE, 1, 4), 1, &write);
}

/* --- the tokens of layouts: which of their data are read --- */

static void create_tokens_layout(struct baseline *b, const VkIndirectCommandsLayoutTokenEXT *token)
{
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {
        *token,
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .data.pPushConstant = (void *)64,
         .offset = 16}};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = 32,
        .pipelineLayout = make_empty_pipeline_layout(b),
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT layout = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &layout) ==
        VK_SUCCESS)
        DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutEXT)(b->device, layout, NULL);
}

/* "The stageFlags member of updateRange is ignored." And of a token for a dispatch, its data. */
SCENARIO(push_constants_of_any_stage, GENERATED, .drivers = NULL_DRIVER)
{
    VkIndirectCommandsPushConstantTokenEXT push = {.updateRange = {0, 0, 16}};
    const VkIndirectCommandsLayoutTokenEXT token = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
        .data.pPushConstant = &push};
    create_tokens_layout(b, &token);
    push.updateRange.stageFlags = 0x70000000;
    create_tokens_layout(b, &token);
}

/* At the edge: as many writes as there are places, the last one of them, one pipeline in several.
 */
SCENARIO(pipelines_in_all_places, GENERATED)
{
    VkPipeline pipeline = make_bindable(b, BINDABLE);
    VkWriteIndirectExecutionSetPipelineEXT writes[4];
    for (uint32_t i = 0; i < 4; i++)
        writes[i] = write_of_pipeline(3 - i, pipeline);
    VkIndirectExecutionSetEXT set = make_pipeline_set(b, pipeline, 4);
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device, set, 4, writes);
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device, set, 4, writes);
    DEVICE_PROC(b, vkUpdateIndirectExecutionSetPipelineEXT)(b->device,
                                                            make_pipeline_set(b, pipeline, 1), 1,
                                                            &writes[3]);
}

/* --- execution --- */

static void destroy_dispatch_layout(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyIndirectCommandsLayoutEXT)(b->device,
                                                       (VkIndirectCommandsLayoutEXT)handle, NULL);
}

static VkIndirectCommandsLayoutEXT make_dispatch_layout(struct baseline *b)
{
    const VkIndirectCommandsLayoutTokenEXT token = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
        .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT};
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = 12,
        .tokenCount = 1,
        .pTokens = &token};
    VkIndirectCommandsLayoutEXT layout = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &info, NULL, &layout));
    cleanup_add(b, destroy_dispatch_layout, (uint64_t)layout);
    return layout;
}

/* Binds what fill.comp reads. */
static void bind_what_is_read(struct baseline *b, VkCommandBuffer command_buffer,
                              VkPipelineLayout layout, VkDescriptorSetLayout set_layout)
{
    const VkDescriptorBufferInfo values = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const uint32_t offset = 0;
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    const VkWriteDescriptorSet write = write_buffer(set, &values);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdPushConstants(command_buffer, layout, VK_SHADER_STAGE_ALL, 0, sizeof(offset), &offset);
}

static void free_preprocess_memory(struct baseline *b, uint64_t memory)
{
    vkFreeMemory(b->device, (VkDeviceMemory)memory, NULL);
}

static VkDeviceAddress make_set_preprocessed(struct baseline *b, const VkMemoryRequirements *needs)
{
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &usage, .size = needs->size};
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .pNext = &flags,
                                             .allocationSize = needs->size + 65536,
                                             .memoryTypeIndex =
                                                 (uint32_t)__builtin_ctz(needs->memoryTypeBits)};
    VkDeviceMemory memory;
    VkMemoryRequirements own;
    VK(vkAllocateMemory(b->device, &allocation, NULL, &memory));
    cleanup_add(b, free_preprocess_memory, (uint64_t)memory);
    VkBuffer buffer = create_buffer(b, &info);
    vkGetBufferMemoryRequirements(b->device, buffer, &own);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    const VkBufferDeviceAddressInfo of = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = buffer};
    return vkGetBufferDeviceAddress(b->device, &of);
}

static void execute_generated(struct baseline *b, VkCommandBufferUsageFlags usage)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    const VkComputePipelineCreateInfo pipeline_info =
        compute_pipeline_info(make_shader_module(b), layout);
    VkPipeline pipeline = create_compute_pipeline(b, &pipeline_info);
    const VkGeneratedCommandsPipelineInfoEXT executed = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
    const VkBufferDeviceAddressInfo of = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 64,
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = (void *)&executed,
        .indirectCommandsLayout = make_dispatch_layout(b),
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &asked, &needs);
    const VkGeneratedCommandsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .pNext = &executed,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectCommandsLayout = asked.indirectCommandsLayout,
        .preprocessAddress = make_set_preprocessed(b, &needs.memoryRequirements),
        .preprocessSize = needs.memoryRequirements.size,
        .indirectAddress = vkGetBufferDeviceAddress(b->device, &of),
        .indirectAddressSize = 12,
        .maxSequenceCount = 1};
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = usage;
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    bind_what_is_read(b, command_buffer, layout, set_layout);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(command_buffer, VK_FALSE, &info);
}

#define EXECUTED                                                                       \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3, .features = &generated, \
    .extensions = {"VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}
SCENARIO(generated_commands_executed, EXECUTED)
{
    execute_generated(b, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
}

SCENARIO(generated_commands_executed_simultaneously, EXECUTED,
         .expect = {"VUID-vkCmdExecuteGeneratedCommandsEXT-commandBuffer-11143"},
         .text = {"commandBuffer is recorded with VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT"})
{
    execute_generated(b, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
}

/* --- what memory they take --- */

static void ask_of_objects(struct baseline *b, uint32_t count)
{
    const VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkShaderEXT shaders[] = {make_executed_object(b, OBJECT_BINDABLE, &layout),
                                   make_executed_object(b, OBJECT_BINDABLE, &layout)};
    const VkGeneratedCommandsShaderInfoEXT given = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_SHADER_INFO_EXT,
        .shaderCount = count,
        .pShaders = shaders};
    const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = (void *)(uintptr_t)&given,
        .indirectCommandsLayout = make_dispatch_layout(b),
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &asked, &needs);
}

SCENARIO(asked_of_an_object, OBJECTS_ON_NULL)
{
    ask_of_objects(b, 1);
}

SCENARIO(asked_of_objects_of_one_stage, OBJECTS_ON_NULL,
         .expect = {"VUID-VkGeneratedCommandsShaderInfoEXT-pShaders-11127"})
{
    ask_of_objects(b, 2);
}

/* --- shader objects that a layout chooses among --- */

/* `heaps`: the shaders use descriptor heaps. `layout`: the tokens are laid out for sets. */
static void execute_objects(struct baseline *b, bool heaps, bool layout)
{
    const VkShaderEXT shader = make_object_of(b, VK_SHADER_STAGE_COMPUTE_BIT,
                                              heaps ? VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT : 0,
                                              spirv_compute, sizeof(spirv_compute));
    const VkIndirectCommandsExecutionSetTokenEXT of_objects = {
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkIndirectCommandsLayoutTokenEXT tokens[] = {
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
         .data.pExecutionSet = &of_objects},
        {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,
         .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT,
         .offset = 4}};
    const VkIndirectCommandsLayoutCreateInfoEXT layout_info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectStride = 16,
        .pipelineLayout = layout ? make_empty_pipeline_layout(b) : VK_NULL_HANDLE,
        .tokenCount = 2,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT made = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateIndirectCommandsLayoutEXT)(b->device, &layout_info, NULL, &made));
    cleanup_add(b, destroy_dispatch_layout, (uint64_t)made);
    const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .indirectExecutionSet = make_set_of(b, 1, &shader, false),
        .indirectCommandsLayout = made,
        .maxSequenceCount = 1};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    DEVICE_PROC(b, vkGetGeneratedCommandsMemoryRequirementsEXT)(b->device, &asked, &needs);
    const VkGeneratedCommandsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
        .indirectExecutionSet = asked.indirectExecutionSet,
        .indirectCommandsLayout = made,
        .preprocessAddress = make_set_preprocessed(b, &needs.memoryRequirements),
        .preprocessSize = needs.memoryRequirements.size,
        .indirectAddress =
            buffer_address(b, make_buffer(b, 64,
                                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
        .indirectAddressSize = 16,
        .maxSequenceCount = 1};
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(commands, 1, &stage, &shader);
    DEVICE_PROC(b, vkCmdExecuteGeneratedCommandsEXT)(commands, VK_FALSE, &info);
}
#define CHOSEN(id_) .expect = {"VUID-VkGeneratedCommandsInfoEXT-indirectCommandsLayout-" id_}

SCENARIO(objects_chosen, OBJECTS_IN_HEAPS)
{
    execute_objects(b, false, true);
    execute_objects(b, true, false);
}

SCENARIO(objects_chosen_without_a_layout, OBJECTS_IN_HEAPS, CHOSEN("11330"))
{
    execute_objects(b, false, false);
}

SCENARIO(objects_in_heaps_chosen_with_a_layout, OBJECTS_IN_HEAPS, CHOSEN("11331"))
{
    execute_objects(b, true, true);
}
