/* Shaders that ask for more than the device has. */
#include "scenario.h"

#include "shader_interface.h"

static const VkPhysicalDeviceFeatures2 all_stages = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                     .features = {.tessellationShader = VK_TRUE,
                                                                  .geometryShader = VK_TRUE,
                                                                  .shaderClipDistance = VK_TRUE,
                                                                  .shaderCullDistance = VK_TRUE,
                                                                  .sampleRateShading = VK_TRUE}};

#define COMPUTE(name_, code_, ...)                                                         \
    SCENARIO(name_, ##__VA_ARGS__)                                                         \
    {                                                                                      \
        VkComputePipelineCreateInfo info =                                                 \
            compute_pipeline_info(MAKE_SHADER(b, spirv_##code_),                           \
                                  make_pipeline_layout(b, make_descriptor_set_layout(b))); \
        (void)create_compute_pipeline(b, &info);                                           \
    }
COMPUTE(workgroup_small, compute)
COMPUTE(workgroup_wide, compute_wide,
        .expect = {"VUID-RuntimeSpirv-x-06429", "VUID-RuntimeSpirv-x-06432"},
        .text = {"has a local workgroup of 1000000 invocations in X"})
COMPUTE(workgroup_high, compute_high,
        .expect = {"VUID-RuntimeSpirv-y-06430", "VUID-RuntimeSpirv-x-06432"})
COMPUTE(workgroup_of_too_many, compute_many, .expect = {"VUID-RuntimeSpirv-x-06432"},
        .text = {"has a local workgroup of 64x64x64 invocations, together more than"})
COMPUTE(workgroup_deep, compute_deep,
        .expect = {"VUID-RuntimeSpirv-z-06431", "VUID-RuntimeSpirv-x-06432"})
/* The sum is of all variables, also of those that nothing uses; and as they are specialized. */
COMPUTE(shared_too_much_and_unused, compute_shared_unused,
        .expect = {"VUID-RuntimeSpirv-Workgroup-06530"})
COMPUTE(shared_too_much_by_default, compute_shared_by_constant,
        .expect = {"VUID-RuntimeSpirv-Workgroup-06530"})
COMPUTE(shared_too_much, compute_shared, .expect = {"VUID-RuntimeSpirv-Workgroup-06530"},
        .text = {"has 4000000 bytes of Workgroup variables"})

static const VkPhysicalDeviceVulkan13Features subgroups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = VK_TRUE, .maintenance4 = VK_TRUE};

/* Specialization makes the size of a workgroup, and subgroups of it. */
static void create_of_size(struct baseline *b, uint32_t size,
                           VkPipelineShaderStageCreateFlags flags, uint32_t required)
{
    VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = 4};
    VkSpecializationInfo specialization = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(size), .pData = &size};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = required};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_compute_constant_size),
                              make_empty_pipeline_layout(b));
    info.stage.pSpecializationInfo = &specialization;
    info.stage.flags = flags;
    if (required)
        info.stage.pNext = &subgroup;
    (void)create_compute_pipeline(b, &info);
}
SCENARIO(workgroup_specialized_too_wide, .features = &subgroups,
         .expect = {"VUID-RuntimeSpirv-x-06429", "VUID-RuntimeSpirv-x-06432"})
{
    create_of_size(b, 5000000, 0, 0);
}
SCENARIO(workgroup_size_by_id, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-RuntimeSpirv-LocalSizeId-06434"})
{
    create_of_size(b, 64, 0, 0);
}
SCENARIO(workgroup_specialized, .features = &subgroups)
{
    create_of_size(b, 64, 0, 0);
}
/* Specialization makes the length of an array. */
static void create_array(struct baseline *b, uint32_t length)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = 4};
    const VkSpecializationInfo specialization = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(length), .pData = &length};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_compute_array_of_constant),
                              make_empty_pipeline_layout(b));
    info.stage.pSpecializationInfo = &specialization;
    (void)create_compute_pipeline(b, &info);
}
SCENARIO(array_specialized_to_one)
{
    create_array(b, 1);
}
SCENARIO(array_specialized_to_none,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pSpecializationInfo-06849"},
         .text = {"makes length 0, which is the length of an array in the shader"})
{
    create_array(b, 0);
}

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
static void create_object_with_array(struct baseline *b, uint32_t length)
{
    const VkSpecializationMapEntry entry = {.constantID = 0, .offset = 0, .size = 4};
    const VkSpecializationInfo specialization = {
        .mapEntryCount = 1, .pMapEntries = &entry, .dataSize = sizeof(length), .pData = &length};
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = sizeof(spirv_compute_array_of_constant),
                                        .pCode = spirv_compute_array_of_constant,
                                        .pName = "main",
                                        .pSpecializationInfo = &specialization};
    VkShaderEXT shader = VK_NULL_HANDLE;
    (void)DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}
#define OBJECTS .extensions = {"VK_EXT_shader_object"}, .features = &objects
SCENARIO(object_array_specialized_to_one, OBJECTS)
{
    create_object_with_array(b, 1);
}
SCENARIO(object_array_specialized_to_none, OBJECTS,
         .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08460"})
{
    create_object_with_array(b, 0);
}

#define FULL    VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
#define VARYING VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT
SCENARIO(subgroups_not_full, .features = &subgroups,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-flags-02759"})
{
    create_of_size(b, 7, FULL, 0);
}
SCENARIO(varying_subgroups_not_full, .features = &subgroups,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-flags-02758"})
{
    create_of_size(b, 7, FULL | VARYING, 0);
}
static uint32_t least_subgroup(struct baseline *b)
{
    VkPhysicalDeviceSubgroupSizeControlProperties control = {
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &control};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return control.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT
               ? control.minSubgroupSize
               : 0;
}
SCENARIO(required_subgroups_not_full, .features = &subgroups, .drivers = LAVAPIPE,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-02757"})
{
    ENSURE(least_subgroup(b));
    create_of_size(b, 7, FULL, least_subgroup(b));
}
SCENARIO(required_subgroups_full, .features = &subgroups, .drivers = LAVAPIPE)
{
    ENSURE(least_subgroup(b));
    create_of_size(b, least_subgroup(b), FULL, least_subgroup(b));
    create_of_size(b, 256, FULL, 0);
    create_of_size(b, 256, FULL | VARYING, 0);
}

/* Graphics stages */
static void create_limited(struct baseline *b, const uint32_t *code, size_t size,
                           VkShaderStageFlagBits stage, const uint32_t *control,
                           size_t control_size)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    VkPipelineShaderStageCreateInfo stages[5];
    uint32_t count = 0;
    VkShaderModule module = make_shader_from(b, code, size);
    stages[count++] =
        stage_info(VK_SHADER_STAGE_VERTEX_BIT,
                   stage == VK_SHADER_STAGE_VERTEX_BIT ? module : MAKE_SHADER(b, spirv_vertex));
    if (control) {
        stages[count++] = stage_info(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                     make_shader_from(b, control, control_size));
        p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    }
    if (stage != VK_SHADER_STAGE_VERTEX_BIT)
        stages[count++] = stage_info(stage, module);
    VkPipelineTessellationStateCreateInfo tessellation = {
        VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 3};
    p.info.pTessellationState = &tessellation;
    p.info.pStages = stages;
    p.info.stageCount = count;
    (void)create_graphics_pipeline(b, &p.info);
}
#define STAGE(name_, code_, stage_, ...)                                                        \
    SCENARIO(name_, .features = &all_stages, ##__VA_ARGS__)                                     \
    {                                                                                           \
        create_limited(b, spirv_##code_, sizeof(spirv_##code_), VK_SHADER_STAGE_##stage_##_BIT, \
                       NULL, 0);                                                                \
    }
/* The module breaks this by itself, whatever pipelines are made of it. */
#define ALONE(name_, code_, ...)                                                      \
    SCENARIO(name_, .features = &all_stages, ##__VA_ARGS__)                           \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##code_),           \
                                         .pCode = spirv_##code_};                     \
        create_shader_module(b, &info);                                               \
    }
ALONE(clip_distances_many, vertex_clip,
      .expect = {"VUID-RuntimeSpirv-maxClipDistances-00708",
                 "VUID-RuntimeSpirv-maxCombinedClipAndCullDistances-00710"})
ALONE(cull_distances_many, vertex_cull,
      .expect = {"VUID-RuntimeSpirv-maxCullDistances-00709",
                 "VUID-RuntimeSpirv-maxCombinedClipAndCullDistances-00710"})
ALONE(clip_and_cull_distances_many, vertex_clip_and_cull,
      .expect = {"VUID-RuntimeSpirv-maxCombinedClipAndCullDistances-00710"})
STAGE(clip_and_cull_distances_few, vertex_clip_few, VERTEX)
ALONE(location_far, vertex_far, .expect = {"VUID-RuntimeSpirv-Location-06272"})
STAGE(sample_mask_long, fragment_sample_mask, FRAGMENT,
      .expect = {"VUID-VkPipelineShaderStageCreateInfo-maxSampleMaskWords-00711"})
STAGE(geometry_of_many_invocations, geometry_many_invocations, GEOMETRY,
      .expect = {"VUID-VkPipelineShaderStageCreateInfo-stage-00715"})
STAGE(geometry_of_many_vertices, geometry_many_vertices, GEOMETRY,
      .expect = {"VUID-VkPipelineShaderStageCreateInfo-stage-00714"})
SCENARIO(patch_of_many_vertices, .features = &all_stages,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-stage-00713"})
{
    create_limited(b, spirv_evaluation_patch_free, sizeof(spirv_evaluation_patch_free),
                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, spirv_control_many,
                   sizeof(spirv_control_many));
}
SCENARIO(patch_sizes_differ, .features = &all_stages, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-00733",
                    "VUID-VkGraphicsPipelineCreateInfo-pStages-00735"})
{
    create_limited(b, spirv_evaluation_triangles_of_3, sizeof(spirv_evaluation_triangles_of_3),
                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, spirv_control_quads_of_4,
                   sizeof(spirv_control_quads_of_4));
}

/* Dynamic rendering */
static const VkPhysicalDeviceVulkan13Features dynamic = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static void create_dynamic(struct baseline *b, const uint32_t *fragment, size_t size,
                           const uint32_t *vertex, size_t vertex_size, uint32_t view_mask)
{
    struct graphics_pipeline p;
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                            VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .bindingCount = 1, .pBindings = &binding};
    VkDescriptorSetLayout set = create_descriptor_set_layout(b, &set_info);
    begin_graphics_pipeline(b, &p, make_pipeline_layout(b, set), VK_NULL_HANDLE);
    VkFormat format = COLOR_FORMAT;
    VkPipelineRenderingCreateInfo rendering = {VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .viewMask = view_mask, .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    p.stages[0].module = make_shader_from(b, vertex, vertex_size);
    p.stages[1].module = make_shader_from(b, fragment, size);
    p.info.pNext = &rendering;
    (void)create_graphics_pipeline(b, &p.info);
}
SCENARIO(input_attachment_in_dynamic_rendering, .features = &dynamic,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06061"})
{
    create_dynamic(b, spirv_fragment_input, sizeof(spirv_fragment_input), spirv_vertex,
                   sizeof(spirv_vertex), 0);
}
SCENARIO(no_input_attachment_in_dynamic_rendering, .features = &dynamic)
{
    create_dynamic(b, spirv_fragment, sizeof(spirv_fragment), spirv_vertex, sizeof(spirv_vertex),
                   0);
}
static const VkPhysicalDeviceVulkan11Features views = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&dynamic,
    .multiview = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features layers = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&views,
    .shaderOutputLayer = VK_TRUE};
SCENARIO(layer_with_views, .features = &layers,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06059"})
{
    create_dynamic(b, spirv_fragment, sizeof(spirv_fragment), spirv_vertex_layer,
                   sizeof(spirv_vertex_layer), 3);
}
SCENARIO(layer_without_views, .features = &layers)
{
    create_dynamic(b, spirv_fragment, sizeof(spirv_fragment), spirv_vertex_layer,
                   sizeof(spirv_vertex_layer), 0);
}

/* Meshes and tasks */
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static void create_mesh(struct baseline *b, const uint32_t *mesh, size_t mesh_size,
                        const uint32_t *task, size_t task_size)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    VkPipelineShaderStageCreateInfo stages[] = {
        stage_info(VK_SHADER_STAGE_TASK_BIT_EXT, make_shader_from(b, task, task_size)),
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, make_shader_from(b, mesh, mesh_size))};
    p.info.pStages = stages;
    p.info.stageCount = 2;
    (void)create_graphics_pipeline(b, &p.info);
}
#define MESH(name_, mesh_, task_, ...)                                         \
    SCENARIO(name_, .drivers = LAVAPIPE, .extensions = {"VK_EXT_mesh_shader"}, \
             .features = &meshes, ##__VA_ARGS__)                               \
    {                                                                          \
        create_mesh(b, spirv_##mesh_, sizeof(spirv_##mesh_), spirv_##task_,    \
                    sizeof(spirv_##task_));                                    \
    }
MESH(mesh_and_task_small, mesh_small, task_small)
MESH(mesh_too_wide, mesh_wide, task_small,
     .expect = {"VUID-RuntimeSpirv-MeshEXT-07295", "VUID-RuntimeSpirv-MeshEXT-07298"})
MESH(mesh_of_too_many, mesh_many, task_small, .expect = {"VUID-RuntimeSpirv-MeshEXT-07298"})
MESH(task_of_too_many, mesh_small, task_many, .expect = {"VUID-RuntimeSpirv-TaskEXT-07294"})
MESH(mesh_too_high, mesh_high, task_small,
     .expect = {"VUID-RuntimeSpirv-MeshEXT-07296", "VUID-RuntimeSpirv-MeshEXT-07298"})
MESH(mesh_too_deep, mesh_deep, task_small,
     .expect = {"VUID-RuntimeSpirv-MeshEXT-07297", "VUID-RuntimeSpirv-MeshEXT-07298"})
MESH(mesh_shares_too_much, mesh_shared, task_small,
     .expect = {"VUID-RuntimeSpirv-maxMeshSharedMemorySize-08754",
                "VUID-RuntimeSpirv-maxMeshPayloadAndSharedMemorySize-08755"})
MESH(task_too_wide, mesh_small, task_wide,
     .expect = {"VUID-RuntimeSpirv-TaskEXT-07291", "VUID-RuntimeSpirv-TaskEXT-07294"})
MESH(task_too_high, mesh_small, task_high,
     .expect = {"VUID-RuntimeSpirv-TaskEXT-07292", "VUID-RuntimeSpirv-TaskEXT-07294"})
MESH(task_too_deep, mesh_small, task_deep,
     .expect = {"VUID-RuntimeSpirv-TaskEXT-07293", "VUID-RuntimeSpirv-TaskEXT-07294"})
MESH(task_shares_too_much, mesh_small, task_shared,
     .expect = {"VUID-RuntimeSpirv-maxTaskSharedMemorySize-08759",
                "VUID-RuntimeSpirv-maxTaskPayloadAndSharedMemorySize-08760"})
/* A mistake in the module by itself is found when it is made. */
#define MESH_MODULE(name_, code_, ...)                                                \
    SCENARIO(name_, .drivers = LAVAPIPE, .extensions = {"VK_EXT_mesh_shader"},        \
             .features = &meshes, ##__VA_ARGS__)                                      \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##code_),           \
                                         .pCode = spirv_##code_};                     \
        create_shader_module(b, &info);                                               \
    }
MESH_MODULE(mesh_of_many_vertices, mesh_many_vertices,
            .expect = {"VUID-RuntimeSpirv-MeshEXT-07115"},
            .text = {"the execution mode OutputVertices has 1000000, which is not at most"})
MESH_MODULE(mesh_of_many_primitives, mesh_many_primitives,
            .expect = {"VUID-RuntimeSpirv-MeshEXT-07116"})

/* Distances that there are none of */
#define NO_DISTANCES(kind_, others_) \
    .drivers = NULL_DRIVER,          \
    .null_driver = "{\"limits\": {\"max" kind_ "Distances\": 0, \"max" others_ "Distances\": 8}}"
ALONE(clip_distances_without, vertex_clip_few, NO_DISTANCES("Clip", "Cull"),
      .expect = {"VUID-RuntimeSpirv-maxClipDistances-08448"},
      .text = {"uses ClipDistance, but maxClipDistances is 0"})
ALONE(cull_distances_without, vertex_clip_few, NO_DISTANCES("Cull", "Clip"),
      .expect = {"VUID-RuntimeSpirv-maxCullDistances-08449"},
      .text = {"uses CullDistance, but maxCullDistances is 0"})
STAGE(no_distances_used, vertex, VERTEX, NO_DISTANCES("Cull", "Clip"))

/* Workgroups that are more than so many subgroups */
#define FEW_SUBGROUPS                                                                    \
    .features = &subgroups, .drivers = NULL_DRIVER,                                      \
    .null_driver = "{\"properties\": {\"minSubgroupSize\": 8, \"maxSubgroupSize\": 32, " \
                   "\"requiredSubgroupSizeStages\": "                                    \
                   "32, \"maxComputeWorkgroupSubgroups\": 2}}"
SCENARIO(workgroup_of_many_subgroups, FEW_SUBGROUPS,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-pNext-02756"},
         .text = {"has a local workgroup of 64x1x1, more than 16 (requiredSubgroupSize) times 2 "
                  "(maxComputeWorkgroupSubgroups)"})
{
    create_of_size(b, 64, 0, 16);
}
SCENARIO(workgroup_of_two_subgroups, FEW_SUBGROUPS)
{
    create_of_size(b, 64, 0, 32);
}
