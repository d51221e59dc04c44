/* Creates compute pipelines, and checks what holds of the stages of any pipeline: specialization,
 * subgroups, module identifiers, robustness. */
#include "scenario.h"

#define MISTAKE(name_, id_, change_, ...)                      \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__)    \
    {                                                          \
        VkComputePipelineCreateInfo info = info_of_compute(b); \
        change_;                                               \
        create_compute_pipeline(b, &info);                     \
    }
#define RIGHT(name_, change_, ...)                             \
    SCENARIO(name_, ##__VA_ARGS__)                             \
    {                                                          \
        VkComputePipelineCreateInfo info = info_of_compute(b); \
        change_;                                               \
        create_compute_pipeline(b, &info);                     \
    }
#define ON_NULL          .drivers = NULL_DRIVER
#define EXTENSIONS(...)  .extensions = {__VA_ARGS__}
#define FEATURES(chain_) .features = &(chain_)
#define COMPUTE(id_)     "VkComputePipelineCreateInfo-" id_
#define STAGE(id_)       "VkPipelineShaderStageCreateInfo-" id_

static VkPipelineLayout make_storage_layout(struct baseline *b)
{
    return make_pipeline_layout(b, make_descriptor_set_layout(b));
}

static VkComputePipelineCreateInfo info_of_compute(struct baseline *b)
{
    return compute_pipeline_info(make_shader_module(b), make_storage_layout(b));
}

RIGHT(compute_in_order, )

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .graphicsPipelineLibrary = VK_TRUE};

static VkPipelineLayout make_independent_layout(struct baseline *b)
{
    VkDescriptorSetLayout set = make_descriptor_set_layout(b);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&set);
    info.flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT;
    return create_pipeline_layout(b, &info);
}
MISTAKE(compute_with_independent_sets, COMPUTE("layout-12396"),
        info.layout = make_independent_layout(b), FEATURES(library_feature),
        EXTENSIONS("VK_KHR_pipeline_library", "VK_EXT_graphics_pipeline_library"))

/* --- flags --- */

#define RAY_TRACING                                                                     \
    ON_NULL, EXTENSIONS("VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
                        "VK_KHR_deferred_host_operations")
#define RAY_FLAG(name_, number_, flag_)                                                            \
    MISTAKE(name_, COMPUTE("flags-" number_), info.flags = VK_PIPELINE_CREATE_RAY_TRACING_##flag_, \
            RAY_TRACING)
RIGHT(compute_dispatch_base, info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT)

SCENARIO(compute_indirect, ON_NULL,
         EXTENSIONS("VK_NV_device_generated_commands", "VK_NV_device_generated_commands_compute"),
         .expect = {"VUID-VkComputePipelineCreateInfo-flags-09007"})
{
    VkComputePipelineCreateInfo info = info_of_compute(b);
    info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    create_compute_pipeline(b, &info);
}

static const VkPhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV generated_compute = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_COMPUTE_FEATURES_NV,
    .deviceGeneratedCompute = VK_TRUE,
    .deviceGeneratedComputePipelines = VK_TRUE};
SCENARIO(compute_indirect_without_buffer, ON_NULL,
         EXTENSIONS("VK_NV_device_generated_commands", "VK_NV_device_generated_commands_compute"),
         .features = &generated_compute, .expect = {"VUID-VkComputePipelineCreateInfo-flags-09008"})
{
    VkComputePipelineCreateInfo info = info_of_compute(b);
    info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
    create_compute_pipeline(b, &info);
}

static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, .maintenance5 = VK_TRUE};
static VkPipelineCreateFlags2CreateInfoKHR flags2 = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
MISTAKE(compute_indirect_ext, COMPUTE("flags-11007"), info.pNext = &flags2, ON_NULL,
        FEATURES(maintenance5),
        EXTENSIONS("VK_KHR_maintenance5", "VK_EXT_device_generated_commands"))

/* --- derivatives and feedback --- */

static VkPipeline make_base(struct baseline *b, VkPipelineCreateFlags flags)
{
    VkComputePipelineCreateInfo info = info_of_compute(b);
    info.flags = flags;
    return create_compute_pipeline(b, &info);
}
#define DERIVE info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT, info.basePipelineIndex = -1

RIGHT(compute_derivative,
      (DERIVE, info.basePipelineHandle = make_base(b, VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT)))
MISTAKE(compute_derivative_of_nothing, COMPUTE("flags-07984"), (DERIVE))
MISTAKE(compute_derivative_of_graphics, COMPUTE("flags-07984"),
        (DERIVE, info.basePipelineHandle = make_any_graphics_pipeline(b)))
MISTAKE(compute_derivative_not_allowed, "vkCreateComputePipelines-flags-00696",
        (DERIVE, info.basePipelineHandle = make_base(b, 0)))
MISTAKE(compute_derivative_no_index, COMPUTE("flags-07985"), (DERIVE, info.basePipelineIndex = 7))
MISTAKE(compute_derivative_of_itself, "vkCreateComputePipelines-flags-00695",
        (DERIVE, info.basePipelineIndex = 0))

static VkPipelineCreationFeedback whole_feedback, stage_feedbacks[2];
static VkPipelineCreationFeedbackCreateInfo feedback = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
    .pPipelineCreationFeedback = &whole_feedback,
    .pPipelineStageCreationFeedbacks = stage_feedbacks};
RIGHT(compute_feedback, (feedback.pipelineStageCreationFeedbackCount = 1, info.pNext = &feedback))

/* --- where the code comes from --- */

MISTAKE(module_missing, STAGE("stage-08771"), info.stage.module = VK_NULL_HANDLE)
MISTAKE(module_and_code_missing, STAGE("stage-06845"), info.stage.module = VK_NULL_HANDLE,
        FEATURES(maintenance5), EXTENSIONS("VK_KHR_maintenance5"))

static VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
static void inline_code(VkComputePipelineCreateInfo *info)
{
    code.codeSize = shader_fill_size;
    code.pCode = shader_fill_code;
    info->stage.module = VK_NULL_HANDLE;
    info->stage.pNext = &code;
}
RIGHT(code_in_chain, inline_code(&info), FEATURES(maintenance5), EXTENSIONS("VK_KHR_maintenance5"))

static const VkPhysicalDeviceShaderModuleIdentifierFeaturesEXT identifiers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MODULE_IDENTIFIER_FEATURES_EXT,
    .shaderModuleIdentifier = VK_TRUE};
static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pNext = (void *)&identifiers,
    .pipelineCreationCacheControl = VK_TRUE};
static const VkPhysicalDevicePipelineCreationCacheControlFeatures cache_control_only = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES,
    .pipelineCreationCacheControl = VK_TRUE};
static const VkPhysicalDeviceMaintenance5FeaturesKHR cache_control_5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    .pNext = (void *)&cache_control,
    .maintenance5 = VK_TRUE};
static const uint8_t identifier_bytes[64];
static VkPipelineShaderStageModuleIdentifierCreateInfoEXT identifier;
static void identify_module(VkComputePipelineCreateInfo *info, uint32_t size)
{
    identifier = (VkPipelineShaderStageModuleIdentifierCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = size,
        .pIdentifier = identifier_bytes};
    info->flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    info->stage.module = VK_NULL_HANDLE;
    info->stage.pNext = &identifier;
}
#define IDENTIFIERS ON_NULL, EXTENSIONS("VK_EXT_shader_module_identifier")
RIGHT(identifier_in_order, identify_module(&info, 32), IDENTIFIERS, FEATURES(cache_control))
MISTAKE(identifier_without_feature,
        "VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06850",
        identify_module(&info, 32), IDENTIFIERS, FEATURES(cache_control_only))
MISTAKE(identifier_may_compile, "VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06851",
        identify_module(&info, 32);
        info.flags = 0, IDENTIFIERS, FEATURES(cache_control))
MISTAKE(identifier_large, "VkPipelineShaderStageModuleIdentifierCreateInfoEXT-identifierSize-06852",
        identify_module(&info, 33), IDENTIFIERS, FEATURES(cache_control))
MISTAKE(identifier_and_module, STAGE("stage-06848"), VkShaderModule module = info.stage.module;
        identify_module(&info, 32);
        info.stage.module = module, IDENTIFIERS, FEATURES(cache_control))

/* --- specialization --- */

static const uint32_t data[2] = {1, 2};
static VkSpecializationMapEntry entries[2];
static VkSpecializationInfo specialization;
static void specialize_compute(VkComputePipelineCreateInfo *info, VkSpecializationMapEntry first,
                               VkSpecializationMapEntry second)
{
    entries[0] = first;
    entries[1] = second;
    specialization = (VkSpecializationInfo){2, entries, sizeof(data), data};
    info->stage.pSpecializationInfo = &specialization;
}
#define ENTRY(...) ((VkSpecializationMapEntry){__VA_ARGS__})
RIGHT(specialization_in_order, specialize_compute(&info, ENTRY(100, 0, 4), ENTRY(101, 4, 4)))
MISTAKE(specialization_twice, "VkSpecializationInfo-constantID-04911",
        specialize_compute(&info, ENTRY(100, 0, 4), ENTRY(100, 4, 4)))

/* --- subgroups --- */

static const VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = VK_TRUE};
#define VARYING VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT
#define FULL    VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
#define SUBGROUPS                                                                                 \
    ON_NULL, .null_driver = "{\"properties\": {\"minSubgroupSize\": 8, \"maxSubgroupSize\": 32, " \
                            "\"requiredSubgroupSizeStages\": 32}}"
RIGHT(subgroup_varying, info.stage.flags = VARYING, FEATURES(sizes))

static VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required;
static void require_subgroup(VkComputePipelineCreateInfo *info, uint32_t size)
{
    required = (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = size};
    info->stage.pNext = &required;
}
RIGHT(subgroup_required, require_subgroup(&info, 16), SUBGROUPS, FEATURES(sizes))
MISTAKE(subgroup_required_without_feature, STAGE("pNext-02755"), require_subgroup(&info, 16),
        SUBGROUPS)
MISTAKE(subgroup_required_odd,
        "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02760",
        require_subgroup(&info, 12), SUBGROUPS, FEATURES(sizes))
MISTAKE(subgroup_required_small,
        "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02761",
        require_subgroup(&info, 4), SUBGROUPS, FEATURES(sizes))

/* --- robustness --- */

static VkPipelineRobustnessCreateInfoEXT robustness;
static void make_robust(VkComputePipelineCreateInfo *info, int which, int behavior)
{
    robustness = (VkPipelineRobustnessCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT};
    if (which == 0)
        robustness.storageBuffers = (VkPipelineRobustnessBufferBehaviorEXT)behavior;
    else if (which == 1)
        robustness.uniformBuffers = (VkPipelineRobustnessBufferBehaviorEXT)behavior;
    else if (which == 2)
        robustness.vertexInputs = (VkPipelineRobustnessBufferBehaviorEXT)behavior;
    else
        robustness.images = (VkPipelineRobustnessImageBehaviorEXT)behavior;
    info->pNext = &robustness;
}
static const VkPhysicalDevicePipelineRobustnessFeaturesEXT robust = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
    .pipelineRobustness = VK_TRUE};
#define ROBUST(id_) "VkPipelineRobustnessCreateInfo-" id_
#define ROBUSTNESS  EXTENSIONS("VK_EXT_pipeline_robustness")
#define POOR                                                                                     \
    ON_NULL, FEATURES(robust), ROBUSTNESS,                                                       \
        .null_driver = "{\"features\": {\"robustBufferAccess2\": false, \"robustImageAccess\": " \
                       "false, \"robustImageAccess2\": false}}"
RIGHT(robust_in_order,
      make_robust(&info, 3, VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2_EXT),
      ROBUSTNESS, FEATURES(robust), ON_NULL)
RIGHT(robust_default_without_feature, make_robust(&info, 0, 0), ROBUSTNESS)
MISTAKE(robust_storage_2, ROBUST("robustBufferAccess2-06931"), make_robust(&info, 0, 3), POOR)
MISTAKE(robust_uniform_2, ROBUST("robustBufferAccess2-06932"), make_robust(&info, 1, 3), POOR)
MISTAKE(robust_vertex_2, ROBUST("robustBufferAccess2-06933"), make_robust(&info, 2, 3), POOR)
MISTAKE(robust_images_1, ROBUST("robustImageAccess-06930"), make_robust(&info, 3, 2), POOR)
MISTAKE(robust_images_2, ROBUST("robustImageAccess2-06934"), make_robust(&info, 3, 3), POOR)

#define INDEXING(...)                                                         \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES, \
     .pNext = (void *)&robust,                                                \
     __VA_ARGS__}
static const VkPhysicalDeviceDescriptorIndexingFeatures
    late_storage = INDEXING(.descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE),
    late_uniform = INDEXING(.descriptorBindingUniformBufferUpdateAfterBind = VK_TRUE),
    late_images = INDEXING(.descriptorBindingSampledImageUpdateAfterBind = VK_TRUE);
#define LATE(chain_)                       \
    ON_NULL, FEATURES(chain_), ROBUSTNESS, \
        .null_driver = "{\"properties\": {\"robustBufferAccessUpdateAfterBind\": false}}"
MISTAKE(robust_late_storage, ROBUST("storageBuffers-10636"), make_robust(&info, 0, 2),
        LATE(late_storage))
MISTAKE(robust_late_uniform, ROBUST("uniformBuffers-10637"), make_robust(&info, 1, 2),
        LATE(late_uniform))
MISTAKE(robust_late_images, ROBUST("images-10638"), make_robust(&info, 3, 2), LATE(late_images))
RIGHT(robust_late_disabled, make_robust(&info, 0, 1), LATE(late_storage))

/* --- what stages and layouts may not be --- */

MISTAKE(compute_of_another_stage, COMPUTE("stage-00701"),
        info.stage.stage = VK_SHADER_STAGE_VERTEX_BIT,
        .allow = {"VUID-VkPipelineShaderStageCreateInfo-pName-00707"},
        .text = {"stage.stage is VK_SHADER_STAGE_VERTEX_BIT, not VK_SHADER_STAGE_COMPUTE_BIT"})
MISTAKE(identifier_and_code, STAGE("stage-06844"), identify_module(&info, 32);
        code.codeSize = shader_fill_size; code.pCode = shader_fill_code;
        identifier.pNext = &code, ON_NULL, FEATURES(cache_control_5),
        EXTENSIONS("VK_EXT_shader_module_identifier", "VK_KHR_maintenance5"),
        .text = {"pNext has a VkShaderModuleCreateInfo beside a shader module identifier"})

#define HEAPS ON_NULL, FEATURES(heaps), EXTENSIONS("VK_EXT_descriptor_heap", "VK_KHR_maintenance5")

/* Resources of a stage: the layout has a storage buffer for all stages. */
#define RESOURCES(most_) .null_driver = "{\"limits\": {\"maxPerStageResources\": " #most_ "}}"
static void create_with_resources(struct baseline *b)
{
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    (void)create_compute_pipeline(b, &info);
}
SCENARIO(resources_fit, .drivers = NULL_DRIVER, RESOURCES(1))
{
    create_with_resources(b);
}
SCENARIO(resources_too_many, .drivers = NULL_DRIVER, RESOURCES(0),
         .expect = {"VUID-VkComputePipelineCreateInfo-layout-01687"},
         .text = {"pCreateInfos[0].layout has 1 resource for VK_SHADER_STAGE_COMPUTE_BIT, but "
                  "maxPerStageResources is 0"})
{
    create_with_resources(b);
}
SCENARIO(graphics_resources_too_many, .drivers = NULL_DRIVER, RESOURCES(0),
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-layout-01688"})
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_pipeline_layout(b, make_descriptor_set_layout(b)),
                            make_render_pass(b));
    (void)create_graphics_pipeline(b, &p.info);
}
