/* Shaders of a pipeline among themselves, and with its vertex attributes, topology and layout. */
#include "scenario.h"

#include "shader_interface.h"

static const VkPhysicalDeviceFeatures2 all_stages = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.tessellationShader = VK_TRUE,
                 .geometryShader = VK_TRUE,
                 .shaderFloat64 = VK_TRUE,
                 .shaderClipDistance = VK_TRUE,
                 .shaderCullDistance = VK_TRUE,
                 .vertexPipelineStoresAndAtomics = VK_TRUE,
                 .fragmentStoresAndAtomics = VK_TRUE}};

#define CODE(name_) {spirv_##name_, sizeof(spirv_##name_)}
struct code {
    const uint32_t *words;
    size_t size;
};

/* A graphics pipeline of these shaders, one attribute and a topology; 0 or NULL: none. */
struct shaders {
    struct code vertex, control, evaluation, geometry, fragment;
    VkFormat format; /* of an attribute at location 2 */
    uint32_t location;
    VkPrimitiveTopology topology;
    const char *name; /* of the vertex shader's entry point */
    uint32_t patch_size;
    VkPipelineCreateFlags2 flags;
};

static void add_interface_stage(struct baseline *b, VkPipelineShaderStageCreateInfo *stages,
                                uint32_t *count, struct code code, VkShaderStageFlagBits stage)
{
    if (code.words)
        stages[(*count)++] = stage_info(stage, make_shader_from(b, code.words, code.size));
}

static void create_interface(struct baseline *b, const struct shaders *s)
{
    struct graphics_pipeline p;
    VkPipelineShaderStageCreateInfo stages[5];
    uint32_t count = 0;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    add_interface_stage(b, stages, &count, s->vertex, VK_SHADER_STAGE_VERTEX_BIT);
    add_interface_stage(b, stages, &count, s->control, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
    add_interface_stage(b, stages, &count, s->evaluation,
                        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
    add_interface_stage(b, stages, &count, s->geometry, VK_SHADER_STAGE_GEOMETRY_BIT);
    add_interface_stage(b, stages, &count, s->fragment, VK_SHADER_STAGE_FRAGMENT_BIT);
    if (s->name)
        stages[0].pName = s->name;
    VkVertexInputBindingDescription binding = {.binding = 0, .stride = 64};
    VkVertexInputAttributeDescription attribute = {.location = s->location ? s->location : 2,
                                                   .format = s->format};
    if (s->format) {
        p.vertex_input.vertexBindingDescriptionCount =
            p.vertex_input.vertexAttributeDescriptionCount = 1;
        p.vertex_input.pVertexBindingDescriptions = &binding;
        p.vertex_input.pVertexAttributeDescriptions = &attribute;
    }
    VkPipelineTessellationStateCreateInfo tessellation = {
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
    p.info.pTessellationState = &tessellation;
    p.input_assembly.topology = s->control.words ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST
                                : s->topology    ? s->topology
                                                 : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    if (s->topology == VK_PRIMITIVE_TOPOLOGY_MAX_ENUM)
        p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    p.info.pStages = stages;
    p.info.stageCount = count;
    const VkPipelineCreateFlags2CreateInfo flags = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = s->flags};
    if (s->flags)
        p.info.pNext = &flags;
    (void)create_graphics_pipeline(b, &p.info);
}

/* Entry points */
SCENARIO(entry_of_no_such_name, .expect = {"VUID-VkPipelineShaderStageCreateInfo-pName-00707"},
         .text = {"is \"mail\", but the shader has no entry point"})
{
    create_interface(b, &(struct shaders){
                            .vertex = CODE(vertex), .fragment = CODE(fragment), .name = "mail"});
}
SCENARIO(entry_of_another_stage, .expect = {"VUID-VkPipelineShaderStageCreateInfo-pName-00707"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_two_names), make_empty_pipeline_layout(b));
    create_compute_pipeline(b, &info);
}
SCENARIO(entry_of_two)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_two_names), make_empty_pipeline_layout(b));
    info.stage.pName = "first";
    EXPECT(create_compute_pipeline(b, &info) != VK_NULL_HANDLE);
}

/* Vertex attributes */
SCENARIO(attribute_missing, .expect = {"VUID-VkGraphicsPipelineCreateInfo-Input-07904"},
         .text = {"has no attribute of location 2, which the vertex shader reads (position)"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment)});
}
SCENARIO(attribute_of_a_matrix_missing, .expect = {"VUID-VkGraphicsPipelineCreateInfo-Input-07904"},
         .text = {"has no attribute of location 0"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_matrix),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R32G32B32A32_SFLOAT});
}
SCENARIO(attribute_there)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R32G32B32A32_SFLOAT});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R8G8B8A8_UNORM});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R32_SFLOAT});
}
SCENARIO(attribute_of_integers, .expect = {"VUID-VkGraphicsPipelineCreateInfo-Input-08733"},
         .text = {"has unsigned integer components, but the vertex shader reads location 2"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R32G32B32A32_UINT});
}
SCENARIO(attribute_of_doubles, .features = &all_stages, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08929"},
         .allow = {"VUID-VkVertexInputAttributeDescription-format-00623"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_attribute),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R64G64_SFLOAT});
}
SCENARIO(attribute_of_no_doubles, .features = &all_stages,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-08930"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_double),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R32G32_SFLOAT});
}
SCENARIO(attribute_of_too_few_doubles, .features = &all_stages, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pVertexInputState-09198"},
         .allow = {"VUID-VkVertexInputAttributeDescription-format-00623"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_double),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R64_SFLOAT});
}
/* One of two components is used. */
SCENARIO(attribute_of_one_used_double, .features = &all_stages, .drivers = NULL_DRIVER,
         .allow = {"VUID-VkVertexInputAttributeDescription-format-00623"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_double_first),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R64_SFLOAT});
}
SCENARIO(attribute_of_two_doubles, .features = &all_stages, .drivers = NULL_DRIVER,
         .allow = {"VUID-VkVertexInputAttributeDescription-format-00623"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_double),
                                          .fragment = CODE(fragment),
                                          .format = VK_FORMAT_R64G64_SFLOAT});
}

/* From stage to stage */
SCENARIO(input_not_written, .expect = {"VUID-RuntimeSpirv-OpEntryPoint-08743"},
         .text = {"reads location 3, component 0 (color), which VK_SHADER_STAGE_VERTEX_BIT does "
                  "not write"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex), .fragment = CODE(fragment_far)});
}
SCENARIO(input_written_in_part, .expect = {"VUID-RuntimeSpirv-OpEntryPoint-08743"},
         .text = {"location 0, component 2", " does not write (VkShaderModule 0x",
                  ", VkShaderModule 0x"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_half_out),
                                          .fragment = CODE(fragment)});
}
SCENARIO(input_of_another_type, .expect = {"VUID-RuntimeSpirv-OpEntryPoint-07754"},
         .text = {"as 32-bit floating-point, but VK_SHADER_STAGE_VERTEX_BIT writes it (color) as "
                  "32-bit unsigned integer"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_integer_out),
                                          .fragment = CODE(fragment)});
}
#define LONGER                                                            \
    .expect = {"VUID-RuntimeSpirv-maintenance4-06817"},                   \
    .text = {"reads location 0 (color) as a vector of 3 components, but " \
             "VK_SHADER_STAGE_VERTEX_BIT writes it (color) as one of 4, and the maint"}
SCENARIO(output_of_a_longer_vector, LONGER)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .fragment = CODE(fragment_of_three)});
}
/* The feature may be off where the version has it. */
SCENARIO(output_of_a_longer_vector_of_1_3, .api_version = VK_API_VERSION_1_3, LONGER)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .fragment = CODE(fragment_of_three)});
}
static const VkPhysicalDeviceMaintenance4Features longer_vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, .maintenance4 = VK_TRUE};
SCENARIO(output_of_a_longer_vector_allowed, .api_version = VK_API_VERSION_1_3,
         .features = &longer_vectors)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .fragment = CODE(fragment_of_three)});
}
/* Two vectors share a location: each is as long as its input. */
SCENARIO(outputs_of_one_location)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_of_two_and_two),
                                          .fragment = CODE(fragment_of_two_and_two)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex), .fragment = CODE(fragment)});
}
SCENARIO(patch_input_not_written, .features = &all_stages,
         .expect = {"VUID-RuntimeSpirv-OpEntryPoint-08743"}, .text = {"location 6"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation_patch_missing),
                                          .fragment = CODE(fragment)});
}
SCENARIO(stages_that_fit, .features = &all_stages)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex), .fragment = CODE(fragment)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_block_out),
                                          .fragment = CODE(fragment_block)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation),
                                          .fragment = CODE(fragment)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation),
                                          .geometry = CODE(geometry),
                                          .fragment = CODE(fragment)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry),
                                          .fragment = CODE(fragment)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_primitive),
                                          .fragment = CODE(fragment_primitive)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_lines),
                                          .fragment = CODE(fragment),
                                          .topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_points),
                                          .fragment = CODE(fragment),
                                          .topology = VK_PRIMITIVE_TOPOLOGY_MAX_ENUM});
}

/* Blocks, structures and arrays of vertices and of patches, beside the blocks of built-ins. */
SCENARIO(blocks_that_fit, .features = &all_stages)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_nested),
                                          .control = CODE(control_blocks),
                                          .evaluation = CODE(evaluation_blocks),
                                          .fragment = CODE(fragment)});
}
SCENARIO(passthrough, .features = &all_stages, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_geometry_shader_passthrough", "VK_EXT_shader_viewport_index_layer"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_passthrough),
                                          .fragment = CODE(fragment)});
}
/* It has no output that could be written. */
SCENARIO(passthrough_of_primitive_id, .features = &all_stages, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_geometry_shader_passthrough", "VK_EXT_shader_viewport_index_layer"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_passthrough),
                                          .fragment = CODE(fragment_primitive)});
}
SCENARIO(passthrough_of_too_little, .features = &all_stages, .drivers = NULL_DRIVER,
         .extensions = {"VK_NV_geometry_shader_passthrough", "VK_EXT_shader_viewport_index_layer"},
         .expect = {"VUID-RuntimeSpirv-OpEntryPoint-08743"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_passthrough),
                                          .fragment = CODE(fragment_far)});
}

/* Tessellation and geometry */
#define TESSELLATION(name_, control_, evaluation_, id_, ...)                          \
    SCENARIO(name_, .features = &all_stages, .drivers = NULL_DRIVER, .expect = {id_}, \
             .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737"}, ##__VA_ARGS__)   \
    {                                                                                 \
        create_interface(b, &(struct shaders){.vertex = CODE(vertex),                 \
                                              .control = CODE(control_),              \
                                              .evaluation = CODE(evaluation_)});      \
    }
TESSELLATION(subdivision_missing, control, bare_evaluation,
             "VUID-VkGraphicsPipelineCreateInfo-pStages-00732")
TESSELLATION(subdivision_of_two_kinds, control_quads_of_4, evaluation_patch_free,
             "VUID-VkGraphicsPipelineCreateInfo-pStages-00733")
TESSELLATION(patch_size_missing, bare_control, evaluation_patch_free,
             "VUID-VkGraphicsPipelineCreateInfo-pStages-00734")
SCENARIO(geometry_of_another_topology, .features = &all_stages,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-00738"},
         .text = {"takes InputLines, but pInputAssemblyState->topology is "
                  "VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_lines),
                                          .fragment = CODE(fragment)});
}
SCENARIO(geometry_of_another_tessellation, .features = &all_stages,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-00739"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation),
                                          .geometry = CODE(geometry_lines),
                                          .fragment = CODE(fragment)});
}
/* As compilers of HLSL write it: the modes stand in the control shader. */
SCENARIO(geometry_of_the_control_shaders_lines, .features = &all_stages, .drivers = NULL_DRIVER,
         .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control_isolines),
                                          .evaluation = CODE(bare_evaluation),
                                          .geometry = CODE(geometry_lines),
                                          .fragment = CODE(fragment)});
}
SCENARIO(primitive_id_not_written, .features = &all_stages,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-00740"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_no_primitive),
                                          .fragment = CODE(fragment_primitive)});
}
/* The variable has an initializer. */
SCENARIO(primitive_id_initialized, .features = &all_stages, .drivers = NULL_DRIVER)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .geometry = CODE(geometry_initial_primitive),
                                          .fragment = CODE(fragment_primitive)});
}
SCENARIO(points_without_size, .expect = {"VUID-VkGraphicsPipelineCreateInfo-topology-08773"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .fragment = CODE(fragment),
                                          .topology = VK_PRIMITIVE_TOPOLOGY_MAX_ENUM});
}

/* Transform feedback */
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = (void *)&all_stages,
    .transformFeedback = VK_TRUE};
SCENARIO(feedback_not_last, .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-02318"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_xfb),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation),
                                          .fragment = CODE(fragment)});
}
static const VkPhysicalDeviceMaintenance5Features wide_flags = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&feedback,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&wide_flags, .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesNV generated_nv = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_NV,
    .pNext = (void *)&wide_flags, .deviceGeneratedCommands = VK_TRUE};
#define GENERATED(features_, extension_)              \
    .drivers = NULL_DRIVER, .features = &(features_), \
    .extensions = {"VK_EXT_transform_feedback", "VK_KHR_maintenance5", extension_}
#define CAPTURED(vertex_, flags_) \
    (&(struct shaders){.vertex = CODE(vertex_), .fragment = CODE(fragment), .flags = (flags_)})
SCENARIO(feedback_of_indirect_pipeline, GENERATED(generated, "VK_EXT_device_generated_commands"),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-flags-11001"})
{
    create_interface(b, CAPTURED(vertex_xfb, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT));
}
SCENARIO(feedback_of_nv_indirect_pipeline,
         GENERATED(generated_nv, "VK_NV_device_generated_commands"),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-flags-02966"})
{
    create_interface(b, CAPTURED(vertex_xfb, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_NV));
}
SCENARIO(indirect_pipeline_without_feedback,
         GENERATED(generated, "VK_EXT_device_generated_commands"))
{
    create_interface(b, CAPTURED(vertex, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT));
    create_interface(b, CAPTURED(vertex_xfb, 0));
}
SCENARIO(feedback_twice, .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-02317"})
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_xfb),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation_xfb),
                                          .fragment = CODE(fragment)});
}
SCENARIO(feedback_last, .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback)
{
    create_interface(b, &(struct shaders){.vertex = CODE(vertex),
                                          .control = CODE(control),
                                          .evaluation = CODE(evaluation_xfb),
                                          .fragment = CODE(fragment)});
    create_interface(b, &(struct shaders){.vertex = CODE(vertex_xfb), .fragment = CODE(fragment)});
}

/* Layouts */
struct binding {
    VkDescriptorType type;
    uint32_t count;
    VkShaderStageFlags stages;
};

static VkPipelineLayout make_interface_layout(struct baseline *b, const struct binding *bindings,
                                              uint32_t count, const VkPushConstantRange *range)
{
    VkDescriptorSetLayoutBinding list[4];
    for (uint32_t i = 0; i < count; i++)
        list[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = bindings[i].type,
            .descriptorCount = bindings[i].count,
            .stageFlags = bindings[i].stages ? bindings[i].stages : VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .bindingCount = count, .pBindings = list};
    VkDescriptorSetLayout set = create_descriptor_set_layout(b, &set_info);
    VkPipelineLayoutCreateInfo info = {
        VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set,
        .pushConstantRangeCount = range != NULL, .pPushConstantRanges = range};
    return create_pipeline_layout(b, &info);
}

#define LAYOUT(b_, range_, ...)                                                             \
    make_interface_layout((b_), (struct binding[]){__VA_ARGS__},                            \
                          sizeof((struct binding[]){__VA_ARGS__}) / sizeof(struct binding), \
                          (range_))
#define STORAGE VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
#define COMPUTE(b_, code_, layout_)                                         \
    do {                                                                    \
        VkComputePipelineCreateInfo info__ =                                \
            compute_pipeline_info(MAKE_SHADER(b_, spirv_##code_), layout_); \
        (void)create_compute_pipeline(b_, &info__);                         \
    } while (0)

SCENARIO(push_constants_of_no_range, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07987"},
         .text = {"uses a push constant block (bytes 16 to 47)"})
{
    COMPUTE(b, compute_push, LAYOUT(b, NULL, {STORAGE, 1}));
}
SCENARIO(push_constants_of_another_stage,
         .expect = {"VUID-VkComputePipelineCreateInfo-layout-07987"})
{
    VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 64};
    COMPUTE(b, compute_push, LAYOUT(b, &range, {STORAGE, 1}));
}
SCENARIO(push_constants_past_the_range, .expect = {"VUID-VkComputePipelineCreateInfo-layout-10069"},
         .text = {"has offset 0 and size 32"})
{
    VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 32};
    COMPUTE(b, compute_push, LAYOUT(b, &range, {STORAGE, 1}));
}
SCENARIO(push_constants_in_the_range)
{
    VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 16, 32};
    COMPUTE(b, compute_push, LAYOUT(b, &range, {STORAGE, 1}));
}
SCENARIO(binding_missing, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07988"},
         .text = {"uses the storage buffer other at set 0, binding 1, but the layout has no such "
                  "binding"})
{
    COMPUTE(b, compute_uniform, LAYOUT(b, NULL, {UNIFORM, 1}));
}
SCENARIO(set_missing, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07988"},
         .text = {"at set 1, binding 0, but the layout has no such set"})
{
    COMPUTE(b, compute_set_1, LAYOUT(b, NULL, {STORAGE, 1}));
}
SCENARIO(binding_of_another_stage, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07988"},
         .text = {"is not for VK_SHADER_STAGE_COMPUTE_BIT"})
{
    COMPUTE(b, compute_uniform,
            LAYOUT(b, NULL, {UNIFORM, 1, VK_SHADER_STAGE_VERTEX_BIT}, {STORAGE, 1}));
}
SCENARIO(binding_of_another_type, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07990"},
         .text = {"uses data at set 0, binding 0 as a uniform buffer, but the layout's binding is "
                  "of type VK_DESCRIPTOR_TYPE_STORAGE_BUFFER"})
{
    COMPUTE(b, compute_uniform, LAYOUT(b, NULL, {STORAGE, 1}, {STORAGE, 1}));
}
SCENARIO(binding_of_too_few, .expect = {"VUID-VkComputePipelineCreateInfo-layout-07991"},
         .text = {"as an array of 4, but the layout's binding has 3 descriptors"})
{
    COMPUTE(b, compute_array, LAYOUT(b, NULL, {STORAGE, 3}));
}
static const VkPhysicalDeviceInlineUniformBlockFeatures inline_blocks = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES, .inlineUniformBlock = VK_TRUE};
SCENARIO(binding_of_inline_array, .features = &inline_blocks,
         .expect = {"VUID-VkComputePipelineCreateInfo-None-10391"})
{
    COMPUTE(b, compute_uniform_array,
            LAYOUT(b, NULL, {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64}, {STORAGE, 1}));
}
SCENARIO(bindings_that_fit, .features = &inline_blocks)
{
    COMPUTE(b, compute_uniform, LAYOUT(b, NULL, {UNIFORM, 1}, {STORAGE, 1}));
    COMPUTE(b, compute_uniform,
            LAYOUT(b, NULL, {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64},
                   {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1}));
    COMPUTE(b, compute_array, LAYOUT(b, NULL, {STORAGE, 7}));
}

/* Specialization */
static void specialize_constant(struct baseline *b, uint32_t constant, size_t size)
{
    uint64_t data = 1;
    VkSpecializationMapEntry entry = {.constantID = constant, .offset = 0, .size = size};
    VkSpecializationInfo specialization = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(data), .pData = &data};
    VkComputePipelineCreateInfo info = compute_pipeline_info(MAKE_SHADER(b, spirv_compute_constant),
                                                             LAYOUT(b, NULL, {STORAGE, 1}));
    info.stage.pSpecializationInfo = &specialization;
    (void)create_compute_pipeline(b, &info);
}
SCENARIO(constant_of_another_size, .expect = {"VUID-VkSpecializationMapEntry-constantID-00776"},
         .text = {"is 8, but the specialization constant 3 (steps) of the shader has 4 bytes"})
{
    specialize_constant(b, 3, 8);
}
SCENARIO(boolean_constant_of_one_byte, .expect = {"VUID-VkSpecializationMapEntry-constantID-00776"})
{
    specialize_constant(b, 4, 1);
}
SCENARIO(constants_that_fit)
{
    specialize_constant(b, 3, 4);
    specialize_constant(b, 4, 4);
    specialize_constant(b, 9, 2); /* no constant of the shader: it is ignored */
}

/* These attachments are given, but no shader writes them, or one does with another type. */
static const VkPhysicalDeviceVulkan13Features rendering_13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
struct outputs {
    struct code fragment;
    VkFormat format;           /* VK_FORMAT_UNDEFINED: COLOR_FORMAT */
    VkColorComponentFlags off; /* of the only attachment */
    bool dynamic_discard, render_pass;
};
static void create_outputs(struct baseline *b, const struct outputs *o)
{
    struct graphics_pipeline p;
    const VkFormat format = o->format ? o->format : COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    VkRenderPassCreateInfo pass = render_pass_info();
    VkAttachmentDescription attachment = pass.pAttachments[0];
    const VkDynamicState discard = VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &discard};
    attachment.format = format;
    pass.pAttachments = &attachment;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b),
                            o->render_pass ? create_render_pass(b, &pass) : VK_NULL_HANDLE);
    p.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT,
                             make_shader_from(b, o->fragment.words, o->fragment.size));
    p.blend_attachment.colorWriteMask &= ~o->off;
    p.info.pNext = o->render_pass ? NULL : &rendering;
    p.info.pDynamicState = o->dynamic_discard ? &dynamic : NULL;
    (void)create_graphics_pipeline(b, &p.info);
}
SCENARIO(output_never_written, .features = &rendering_13,
         .expect = {"Undefined-Value-OutputNotWritten-DynamicRendering"},
         .text = {"pColorBlendState->pAttachments[0] has a colorWriteMask of "
                  "VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT "
                  "| VK_COLOR_COMPONENT_A_BIT, but the fragment shader declares the output of "
                  "location 0 (result) and never writes it"})
{
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_unwritten)});
}
SCENARIO(output_never_written_in_a_pass, .expect = {"Undefined-Value-OutputNotWritten"})
{
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_unwritten), .render_pass = true});
}
SCENARIO(output_of_another_type, .features = &rendering_13,
         .expect = {"Undefined-Value-ShaderFragmentOutputMismatch-DynamicRendering"},
         .text = {"which holds floating-point values, but the fragment shader writes unsigned "
                  "integers to location 0 (result)"})
{
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_integer)});
}
SCENARIO(output_of_another_type_in_a_pass,
         .expect = {"Undefined-Value-ShaderFragmentOutputMismatch"},
         .text = {"which holds unsigned integers, but the fragment shader writes floating-point "
                  "values"})
{
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_passed),
                                        .format = VK_FORMAT_R8G8B8A8_UINT,
                                        .render_pass = true});
}
/* Masked, without an attachment, written by a function, of an integer format, or where nothing
 * reaches the attachment. */
SCENARIO(outputs_that_are_right, .features = &rendering_13)
{
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_unwritten), .off = 0xf});
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_unwritten),
                                        .dynamic_discard = true});
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_two_outputs)});
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_passed)});
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_covers_nothing)});
    create_outputs(b, &(struct outputs){.fragment = CODE(fragment_integer),
                                        .format = VK_FORMAT_R8G8B8A8_UINT});
}
