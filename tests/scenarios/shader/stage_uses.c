/* Stages that use what the device does not allow them (RuntimeSpirv): operations of subgroups,
 * cooperative matrices and vectors, tensors, stores and payloads. The last part has what flags of
 * shader objects ask of their code. */
#include "scenario.h"

#include "stage_uses.h"

#define CODE(name_) spirv_##name_, sizeof(spirv_##name_)

/* Makes a layout of one binding, for all stages. */
static VkPipelineLayout layout_of_use(struct baseline *b, VkDescriptorType type)
{
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1, .pBindings = &binding};
    return make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
}

static void create_using(struct baseline *b, const uint32_t *code, size_t size,
                         VkDescriptorType type, VkPipelineShaderStageCreateFlags flags)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size), layout_of_use(b, type));
    info.stage.flags = flags;
    (void)create_compute_pipeline(b, &info);
}

#define COMPUTE_WITH(name_, code_, type_, flags_, ...)                    \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                \
    {                                                                     \
        create_using(b, CODE(code_), VK_DESCRIPTOR_TYPE_##type_, flags_); \
    }
#define COMPUTE(name_, code_, ...) COMPUTE_WITH(name_, code_, STORAGE_BUFFER, 0, ##__VA_ARGS__)
#define PROPERTY(name_, value_)    .null_driver = "{\"properties\": {\"" name_ "\": " #value_ "}}"
#define PROPERTIES(text_)          .null_driver = "{\"properties\": {" text_ "}}"

/* A vertex shader and a fragment shader. */
static void create_graphics(struct baseline *b, const uint32_t *vertex, size_t vertex_size,
                            const uint32_t *fragment, size_t fragment_size)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, layout_of_use(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER),
                            make_render_pass(b));
    VkPipelineShaderStageCreateInfo stages[] = {
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, make_shader_from(b, vertex, vertex_size)),
        stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_from(b, fragment, fragment_size))};
    p.info.pStages = stages;
    p.info.stageCount = 2;
    (void)create_graphics_pipeline(b, &p.info);
}
#define GRAPHICS(name_, vertex_, fragment_, ...)            \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)  \
    {                                                       \
        create_graphics(b, CODE(vertex_), CODE(fragment_)); \
    }

/* Subgroups: 16 is the fragment stage, 32 compute, 1 vertex */
#define SUBGROUP_STAGES "VkPhysicalDeviceSubgroupProperties.supportedStages"
COMPUTE(group_in_compute, group, PROPERTY(SUBGROUP_STAGES, 32))
COMPUTE(group_not_in_compute, group, PROPERTY(SUBGROUP_STAGES, 16),
        .expect = {"VUID-RuntimeSpirv-None-06343"}, .proceed = true,
        .text = {"uses group operations of subgroups, but supportedStages of this device is "
                 "VK_SHADER_STAGE_FRAGMENT_BIT, without VK_SHADER_STAGE_COMPUTE_BIT"})
/* A pipeline may pick the other entry point, which the device can run. */
static void create_of_two(struct baseline *b, const char *entry)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, CODE(group_of_two_entries)),
                              layout_of_use(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    info.stage.pName = entry;
    (void)create_compute_pipeline(b, &info);
}
/* Each of several entry points has the memory that it uses. */
#define SHARED_OF_TWO(name_, entry_, ...)                                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                              \
    {                                                                                   \
        VkComputePipelineCreateInfo info =                                              \
            compute_pipeline_info(make_shader_from(b, CODE(shared_of_two)),             \
                                  layout_of_use(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)); \
        info.stage.pName = entry_;                                                      \
        (void)create_compute_pipeline(b, &info);                                        \
    }
SHARED_OF_TWO(shared_of_the_other_entry, "none")
SHARED_OF_TWO(shared_of_this_entry, "main", .expect = {"VUID-RuntimeSpirv-Workgroup-06530"})
SCENARIO(group_in_the_other_entry, .drivers = NULL_DRIVER, PROPERTY(SUBGROUP_STAGES, 16))
{
    create_of_two(b, "none");
}
SCENARIO(group_in_this_entry, .drivers = NULL_DRIVER, PROPERTY(SUBGROUP_STAGES, 16),
         .expect = {"VUID-RuntimeSpirv-None-06343"})
{
    create_of_two(b, "main");
}
#define NO_QUADS(stages_)                           \
    PROPERTIES("\"" SUBGROUP_STAGES "\": " #stages_ \
               ", \"VkPhysicalDeviceSubgroupProperties.quadOperationsInAllStages\": false")
GRAPHICS(quad_in_vertex, quad_Vertex, Fragment_plain, NO_QUADS(49),
         .expect = {"VUID-RuntimeSpirv-None-06342"}, .proceed = true,
         .text = {"uses group operations of quads"})
GRAPHICS(quad_in_vertex_without_groups, quad_Vertex, Fragment_plain, NO_QUADS(48),
         .expect = {"VUID-RuntimeSpirv-None-06343"}, .proceed = true)
GRAPHICS(quad_in_all_stages, quad_Vertex, Fragment_plain)
COMPUTE(quad_in_compute, quad_GLCompute, NO_QUADS(49))

static const VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR,
    .shaderSubgroupUniformControlFlow = VK_TRUE};
#define UNIFORM .extensions = {"VK_KHR_shader_subgroup_uniform_control_flow"}
COMPUTE(uniform_flow_without_feature, uniform_flow, UNIFORM,
        .expect = {"VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379"}, .proceed = true)
COMPUTE(uniform_flow_without_subgroups, uniform_flow, UNIFORM, .features = &uniform,
        PROPERTY(SUBGROUP_STAGES, 16),
        .expect = {"VUID-RuntimeSpirv-SubgroupUniformControlFlowKHR-06379"}, .proceed = true,
        .text = {"supportedStages of VkPhysicalDeviceSubgroupProperties is"})
COMPUTE(uniform_flow_in_order, uniform_flow, UNIFORM, .features = &uniform)

/* Cooperative matrices and vectors, and tensors */
static const VkPhysicalDeviceVulkan12Features memory_model = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .vulkanMemoryModel = VK_TRUE};
static const VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
    .pNext = (void *)&memory_model, .cooperativeMatrix = VK_TRUE};
#define MATRICES .extensions = {"VK_KHR_cooperative_matrix"}, .features = &matrices
#define MATRIX_STAGES \
    "VkPhysicalDeviceCooperativeMatrixPropertiesKHR.cooperativeMatrixSupportedStages"
COMPUTE(matrix_in_compute, matrix, MATRICES, PROPERTY(MATRIX_STAGES, 32))
COMPUTE(matrix_not_in_compute, matrix, MATRICES, PROPERTY(MATRIX_STAGES, 16),
        .expect = {"VUID-RuntimeSpirv-cooperativeMatrixSupportedStages-08985"}, .proceed = true)
COMPUTE(old_matrix_in_any_subgroups, matrix_1_5, MATRICES, PROPERTY(MATRIX_STAGES, 32),
        .expect = {"VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10770"},
        .text = {"does not ask for full subgroups, but the shader uses cooperative matrices and is "
                 "of SPIR-V 1.5"})
static const VkPhysicalDeviceVulkan13Features full_subgroups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = (void *)&matrices,
    .subgroupSizeControl = VK_TRUE, .computeFullSubgroups = VK_TRUE};
COMPUTE_WITH(old_matrix_in_full_subgroups, matrix_1_5, STORAGE_BUFFER,
             VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT,
             .extensions = {"VK_KHR_cooperative_matrix"}, .features = &full_subgroups,
             PROPERTIES("\"" MATRIX_STAGES "\": 32, \"subgroupSize\": 8"))

/* Matrices of subgroups and of workgroups, in subgroups of a required size */
static void create_required(struct baseline *b, const uint32_t *code, size_t size)
{
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
        .requiredSubgroupSize = 32};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size),
                              layout_of_use(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    info.stage.pNext = &required;
    (void)create_compute_pipeline(b, &info);
}
static const VkPhysicalDeviceCooperativeMatrix2FeaturesNV group_matrices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
    .pNext = (void *)&full_subgroups, .cooperativeMatrixWorkgroupScope = VK_TRUE};
#define REQUIRED(name_, code_, group_, reserved_, ...)                                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &group_matrices,                       \
             .extensions = {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix2"},         \
             PROPERTIES("\"" MATRIX_STAGES                                                     \
                        "\": 32, \"minSubgroupSize\": 8, \"maxSubgroupSize\": 64, "            \
                        "\"requiredSubgroupSizeStages\": 32, "                                 \
                        "\"cooperativeMatrixWorkgroupScopeMaxWorkgroupSize\": " #group_ ", "   \
                        "\"cooperativeMatrixWorkgroupScopeReservedSharedMemory\": " #reserved_ \
                        ", "                                                                   \
                        "\"maxComputeSharedMemorySize\": 16384"),                              \
             ##__VA_ARGS__)                                                                    \
    {                                                                                          \
        create_required(b, CODE(code_));                                                       \
    }
REQUIRED(matrix_of_whole_subgroups, matrix, 64, 0)
REQUIRED(matrix_of_half_a_subgroup, matrix_48, 64, 0,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-module-08987"},
         .text = {"uses cooperative matrices of the subgroup, but the local workgroup's size in X "
                  "is 48, which is not a multiple of 32 (the subgroup's size)"})
REQUIRED(matrix_of_group, matrix_group, 64, 0)
REQUIRED(matrix_of_large_group, matrix_group, 63, 0,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-module-10169"})
REQUIRED(matrix_of_odd_group, matrix_group_96, 128, 0,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-module-10169"})
REQUIRED(matrix_of_group_and_memory, matrix_group_shared, 64, 16128)
REQUIRED(matrix_of_group_and_much_memory, matrix_group_shared, 64, 16129,
         .expect = {"VUID-RuntimeSpirv-maxComputeSharedMemorySize-10168"})

static const VkPhysicalDeviceCooperativeMatrixFeaturesNV matrices_nv = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_NV, .cooperativeMatrix = VK_TRUE};
#define MATRICES_NV(stages_)                                                                   \
    .extensions = {"VK_NV_cooperative_matrix"}, .features = &matrices_nv,                      \
    PROPERTY("VkPhysicalDeviceCooperativeMatrixPropertiesNV.cooperativeMatrixSupportedStages", \
             stages_)
COMPUTE(matrix_nv_in_compute, matrix_nv, MATRICES_NV(32))
COMPUTE(matrix_nv_not_in_compute, matrix_nv, MATRICES_NV(16),
        .expect = {"VUID-RuntimeSpirv-OpTypeCooperativeMatrixNV-06322"}, .proceed = true)
static const VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV, .cooperativeVector = VK_TRUE};
#define VECTORS(stages_)                                              \
    .extensions = {"VK_NV_cooperative_vector"}, .features = &vectors, \
    PROPERTY("cooperativeVectorSupportedStages", stages_)
COMPUTE(vector_in_compute, vector, VECTORS(32))
COMPUTE(vector_not_in_compute, vector, VECTORS(16),
        .expect = {"VUID-RuntimeSpirv-cooperativeVectorSupportedStages-10091"}, .proceed = true)
static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .shaderTensorAccess = VK_TRUE,
    .tensors = VK_TRUE};
#define TENSORS(stages_)                                    \
    .extensions = {"VK_ARM_tensors"}, .features = &tensors, \
    PROPERTY("shaderTensorSupportedStages", stages_)
COMPUTE_WITH(tensor_in_compute, tensor, TENSOR_ARM, 0, TENSORS(32))
COMPUTE_WITH(tensor_not_in_compute, tensor, TENSOR_ARM, 0, TENSORS(16),
             .expect = {"VUID-RuntimeSpirv-shaderTensorSupportedStages-09901"}, .proceed = true)

/* Stores of graphics stages: a variable, or all members of its block, must be NonWritable */
static const VkPhysicalDeviceFeatures2 stores = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.vertexPipelineStoresAndAtomics = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE}};
GRAPHICS(fragment_stores, Vertex_plain, Fragment_writes, .features = &stores)
GRAPHICS(fragment_stores_without_feature, Vertex_plain, Fragment_writes,
         .expect = {"VUID-RuntimeSpirv-NonWritable-06340"}, .proceed = true,
         .text = {"uses the storage buffer data at set 0, binding 0, which is not decorated with "
                  "NonWritable; the fragmentStoresAndAtomics feature is not enabled"})
GRAPHICS(fragment_reads_what_is_writable, Vertex_plain, Fragment_reads,
         .expect = {"VUID-RuntimeSpirv-NonWritable-06340"}, .proceed = true)
GRAPHICS(fragment_reads, Vertex_plain, Fragment_marked)
GRAPHICS(fragment_reads_members, Vertex_plain, Fragment_members)
GRAPHICS(vertex_stores, Vertex_writes, Fragment_plain, .features = &stores)
GRAPHICS(vertex_stores_without_feature, Vertex_writes, Fragment_plain,
         .expect = {"VUID-RuntimeSpirv-NonWritable-06341"}, .proceed = true)
GRAPHICS(vertex_reads, Vertex_marked, Fragment_plain)
GRAPHICS(vertex_reads_members, Vertex_members, Fragment_plain)

/* Payloads of 256 bytes, beside 256 bytes of shared memory */
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static void create_mesh(struct baseline *b)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    VkPipelineShaderStageCreateInfo stages[] = {
        stage_info(VK_SHADER_STAGE_TASK_BIT_EXT, make_shader_from(b, CODE(task))),
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, make_shader_from(b, CODE(mesh)))};
    p.info.pStages = stages;
    p.info.stageCount = 2;
    (void)create_graphics_pipeline(b, &p.info);
}
#define MESH(name_, limit_, value_, ...)                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mesh_shader"}, \
             .features = &meshes, PROPERTY(limit_, value_), ##__VA_ARGS__)        \
    {                                                                             \
        create_mesh(b);                                                           \
    }
MESH(payload_fits, "maxTaskPayloadSize", 256)
MESH(payload_too_large, "maxTaskPayloadSize", 255,
     .expect = {"VUID-RuntimeSpirv-maxTaskPayloadSize-08758"},
     .text = {"has 256 bytes of TaskPayloadWorkgroupEXT variables, more than 255 "
              "(maxTaskPayloadSize)"})
MESH(payload_and_shared_fit, "maxTaskPayloadAndSharedMemorySize", 512)
MESH(payload_and_shared_too_large, "maxTaskPayloadAndSharedMemorySize", 511,
     .expect = {"VUID-RuntimeSpirv-maxTaskPayloadAndSharedMemorySize-08760"})
MESH(mesh_payload_and_shared_fit, "maxMeshPayloadAndSharedMemorySize", 512)
MESH(mesh_payload_and_shared_too_large, "maxMeshPayloadAndSharedMemorySize", 511,
     .expect = {"VUID-RuntimeSpirv-maxMeshPayloadAndSharedMemorySize-08755"})
/* Shared memory has a limit alone, and one with the payload. */
SCENARIO(shared_alone_too_large, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mesh_shader"},
         .features = &meshes,
         PROPERTIES("\"maxTaskSharedMemorySize\": 255, "
                    "\"maxTaskPayloadAndSharedMemorySize\": 256, "
                    "\"maxMeshSharedMemorySize\": 255, "
                    "\"maxMeshPayloadAndSharedMemorySize\": 256"),
         .expect = {"VUID-RuntimeSpirv-maxTaskSharedMemorySize-08759",
                    "VUID-RuntimeSpirv-maxTaskPayloadAndSharedMemorySize-08760",
                    "VUID-RuntimeSpirv-maxMeshSharedMemorySize-08754",
                    "VUID-RuntimeSpirv-maxMeshPayloadAndSharedMemorySize-08755"})
{
    create_mesh(b);
}

/* Split barriers take of the shared memory, of which 256 bytes are used. */
static const VkPhysicalDeviceShaderSplitBarrierFeaturesEXT split_barriers = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SPLIT_BARRIER_FEATURES_EXT,
    .shaderSplitBarrier = VK_TRUE};
#define SPLIT(reserved_)                                                        \
    .extensions = {"VK_EXT_shader_split_barrier"}, .features = &split_barriers, \
    PROPERTIES("\"maxComputeSharedMemorySize\": 300, "                          \
               "\"splitBarrierReservedSharedMemory\": " #reserved_)
COMPUTE(split_barriers_fit, split, SPLIT(44))
COMPUTE(split_barriers_do_not_fit, split, SPLIT(45),
        .expect = {"VUID-RuntimeSpirv-OpControlBarrierArriveEXT-13562"},
        .text = {"more than 255 (maxComputeSharedMemorySize minus "
                 "splitBarrierReservedSharedMemory)"})

/* --- shader objects --- */

static void create_object(struct baseline *b, VkShaderStageFlagBits stage, const uint32_t *code,
                          size_t size, VkShaderCreateFlagsEXT flags, uint32_t required)
{
    VkShaderRequiredSubgroupSizeCreateInfoEXT subgroup = {
        VK_STRUCTURE_TYPE_SHADER_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT,
        .requiredSubgroupSize = required};
    VkShaderCreateInfoEXT info = {VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .pNext = required ? &subgroup : NULL,
                                  .flags = flags,
                                  .stage = stage,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = size,
                                  .pCode = code,
                                  .pName = "main"};
    VkShaderEXT shader;
    if (DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader) == VK_SUCCESS)
        cleanup_add(b, destroy_shader, HANDLE(shader));
}
#define OBJECT(name_, stage_, code_, flags_, required_, ...)                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                          \
    {                                                                               \
        create_object(b, VK_SHADER_STAGE_##stage_, CODE(code_), flags_, required_); \
    }
#define FULL    VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT
#define VARYING VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT

static const VkPhysicalDeviceVulkan13Features subgroups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = (void *)&subgroups,
    .shaderObject = VK_TRUE};
#define OBJECTS .extensions = {"VK_EXT_shader_object"}, .features = &objects
OBJECT(object_subgroups_not_full, COMPUTE_BIT, size_7, FULL, 0, OBJECTS,
       .expect = {"VUID-VkShaderCreateInfoEXT-flags-08417"},
       .text = {"asks for full subgroups, but the local workgroup's size in X is 7"})
OBJECT(object_varying_subgroups_not_full, COMPUTE_BIT, size_7, FULL | VARYING, 0, OBJECTS,
       .expect = {"VUID-VkShaderCreateInfoEXT-flags-08416"})
OBJECT(object_subgroups_full, COMPUTE_BIT, size_64, FULL, 0, OBJECTS)
OBJECT(object_varying_subgroups_full, COMPUTE_BIT, size_64, FULL | VARYING, 0, OBJECTS)
OBJECT(object_subgroups_of_any_size, COMPUTE_BIT, size_7, VARYING, 0, OBJECTS)

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects_of_matrices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = (void *)&full_subgroups,
    .shaderObject = VK_TRUE};
#define MATRIX_OBJECTS                                                   \
    .extensions = {"VK_EXT_shader_object", "VK_KHR_cooperative_matrix"}, \
    .features = &objects_of_matrices, PROPERTIES("\"" MATRIX_STAGES "\": 32, \"subgroupSize\": 8")
OBJECT(old_matrix_object_in_any_subgroups, COMPUTE_BIT, matrix_1_5, 0, 0, MATRIX_OBJECTS,
       .expect = {"VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10771"})
OBJECT(old_matrix_object_in_full_subgroups, COMPUTE_BIT, matrix_1_5, FULL, 0, MATRIX_OBJECTS)
OBJECT(new_matrix_object_in_any_subgroups, COMPUTE_BIT, matrix, 0, 0, MATRIX_OBJECTS)

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = (void *)&objects,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
    .pNext = (void *)&feedback, .deviceGeneratedCommands = VK_TRUE};
#define GENERATED                                                              \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_transform_feedback",        \
                   "VK_EXT_device_generated_commands", "VK_KHR_maintenance5"}, \
    .features = &generated
OBJECT(object_captures_and_is_bound_indirectly, VERTEX_BIT, capture,
       VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT, 0, GENERATED,
       .expect = {"VUID-VkShaderCreateInfoEXT-flags-11006"})
OBJECT(object_captures, VERTEX_BIT, capture, 0, 0, GENERATED)
OBJECT(object_is_bound_indirectly, VERTEX_BIT, Vertex_plain,
       VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT, 0, GENERATED)

static const VkPhysicalDeviceVulkan11Features draw_parameters = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&objects,
    .shaderDrawParameters = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_objects = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&draw_parameters,
    .taskShader = VK_TRUE, .meshShader = VK_TRUE};
#define MESH_OBJECTS \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_mesh_shader"}, .features = &mesh_objects
OBJECT(mesh_object_after_tasks_reads_draw_index, MESH_BIT_EXT, mesh_draw_index, 0, 0, MESH_OBJECTS,
       .expect = {"VUID-vkCreateShadersEXT-pCreateInfos-09632"})
OBJECT(mesh_object_reads_draw_index, MESH_BIT_EXT, mesh_draw_index,
       VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT, 0, MESH_OBJECTS)
OBJECT(mesh_object_after_tasks, MESH_BIT_EXT, mesh_plain, 0, 0, MESH_OBJECTS)

/* --- numbers of 64 bits ----------------------------------------------------------------------- */

static const VkPhysicalDeviceShader64BitIndexingFeaturesEXT indexing = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_64_BIT_INDEXING_FEATURES_EXT,
    .shader64BitIndexing = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features indexing_flags = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&indexing,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 wide = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                               .pNext = (void *)&indexing_flags,
                                               .features.shaderInt64 = VK_TRUE};
#define WIDE \
    .extensions = {"VK_EXT_shader_64bit_indexing", "VK_KHR_maintenance5"}, .features = &wide
COMPUTE(wide_length, length_64, WIDE, .expect = {"VUID-RuntimeSpirv-OpArrayLength-11807"},
        .text = {"has lengths of arrays of 64 bits, but the pipeline is not created with"})
COMPUTE(wide_length_by_mode, length_64_by_mode, WIDE)
COMPUTE(usual_length, length_32, WIDE)
SCENARIO(wide_length_by_flag, .drivers = NULL_DRIVER, WIDE)
{
    const VkPipelineCreateFlags2CreateInfo flags = {
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, CODE(length_64)),
                              layout_of_use(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER));
    info.pNext = &flags;
    (void)create_compute_pipeline(b, &info);
}

static const VkPhysicalDeviceCooperativeVectorFeaturesNV wide_vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV, .pNext = (void *)&wide,
    .cooperativeVector = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features wide_halves = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&wide_vectors,
    .shaderFloat16 = VK_TRUE};
#define WIDE_VECTORS                                                             \
    .extensions = {"VK_EXT_shader_64bit_indexing", "VK_KHR_maintenance5",        \
                   "VK_NV_cooperative_vector"},                                  \
    .features = &wide_halves,                                                    \
    .null_driver = "{\"properties\": {\"maxCooperativeVectorComponents\": 128, " \
                   "\"cooperativeVectorSupportedStages\": 32}}"
#define MULTIPLIED .expect = {"VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulAddNV-11808"}
COMPUTE(wide_offset_of_a_matrix, vector_product_64, WIDE_VECTORS, MULTIPLIED)
COMPUTE(wide_offset_of_a_bias, vector_bias_64, WIDE_VECTORS, MULTIPLIED)
COMPUTE(usual_offsets_of_a_product, vector_product_32, WIDE_VECTORS)
COMPUTE(wide_offset_of_a_vector, vector_load_64, WIDE_VECTORS,
        .expect = {"VUID-RuntimeSpirv-OpCooperativeVectorLoadNV-11809"})
COMPUTE(usual_offset_of_a_vector, vector_load_32, WIDE_VECTORS)

/* --- ray tracing ------------------------------------------------------------------------------ */

static void destroy_traced(struct baseline *b, uint64_t handle)
{
    vkDestroyPipeline(b->device, (VkPipeline)(uintptr_t)handle, NULL);
}

/* A ray tracing pipeline of one shader. */
static void create_traced_module(struct baseline *b, const uint32_t *code, size_t size,
                                 VkPipelineCreateFlags2 flags, const VkSpecializationInfo *values)
{
    VkPipelineShaderStageCreateInfo stage =
        stage_info(VK_SHADER_STAGE_RAYGEN_BIT_KHR, make_shader_from(b, code, size));
    const VkRayTracingShaderGroupCreateInfoKHR group = {
        VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
        .type = VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
        .closestHitShader = VK_SHADER_UNUSED_KHR, .anyHitShader = VK_SHADER_UNUSED_KHR,
        .intersectionShader = VK_SHADER_UNUSED_KHR};
    const VkPipelineCreateFlags2CreateInfo flags2 = {
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags};
    const VkRayTracingPipelineCreateInfoKHR info = {
        VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
        .pNext = flags >> 32 ? &flags2 : NULL,
        .flags = (VkPipelineCreateFlags)flags,
        .stageCount = 1,
        .pStages = &stage,
        .groupCount = 1,
        .pGroups = &group,
        .maxPipelineRayRecursionDepth = 1,
        .layout = layout_of_use(b, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR),
        .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    stage.pSpecializationInfo = values;
    if (DEVICE_PROC(b, vkCreateRayTracingPipelinesKHR)(b->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
                                                       &info, NULL, &pipeline) == VK_SUCCESS)
        cleanup_add(b, destroy_traced, HANDLE(pipeline));
}
#define TRACED(name_, code_, flags_, ...)                   \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)  \
    {                                                       \
        create_traced_module(b, CODE(code_), flags_, NULL); \
    }
static const VkPhysicalDeviceVulkan12Features traced_addresses = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)&traced_addresses, .accelerationStructure = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&structures, .rayTracingPipeline = VK_TRUE};
static const VkPhysicalDeviceRayTracingMotionBlurFeaturesNV blur = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MOTION_BLUR_FEATURES_NV, .pNext = (void *)&rays,
    .rayTracingMotionBlur = VK_TRUE};
static const VkPhysicalDeviceRayTracingInvocationReorderFeaturesNV reorder = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_FEATURES_NV,
    .pNext = (void *)&blur, .rayTracingInvocationReorder = VK_TRUE};
#define RAYS                                                                                   \
    "VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure",                            \
        "VK_KHR_deferred_host_operations", "VK_KHR_spirv_1_4", "VK_KHR_shader_float_controls", \
        "VK_NV_ray_tracing_motion_blur"
#define MOVING VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV
TRACED(motion_with_flag, motion_traced, MOVING, .extensions = {RAYS}, .features = &blur)
TRACED(motion_without_flag, motion_traced, 0, .extensions = {RAYS}, .features = &blur,
       .expect = {"VUID-RuntimeSpirv-OpTraceRayMotionNV-06367"},
       .text = {"uses OpTraceRayMotionNV, but the pipeline is not created with "
                "VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV"})
TRACED(motion_of_hits_with_flag, motion_hit_nv, MOVING,
       .extensions = {RAYS, "VK_NV_ray_tracing_invocation_reorder"}, .features = &reorder)
TRACED(motion_of_hits_without_flag, motion_hit_nv, 0,
       .extensions = {RAYS, "VK_NV_ray_tracing_invocation_reorder"}, .features = &reorder,
       .expect = {"VUID-RuntimeSpirv-OpHitObjectTraceRayMotionNV-07711"})
static const VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT reorder_all = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_FEATURES_EXT,
    .pNext = (void *)&blur, .rayTracingInvocationReorder = VK_TRUE};
TRACED(motion_of_hit_objects_with_flag, motion_hit, MOVING,
       .extensions = {RAYS, "VK_EXT_ray_tracing_invocation_reorder"}, .features = &reorder_all)
TRACED(motion_of_hit_objects_without_flag, motion_hit, 0,
       .extensions = {RAYS, "VK_EXT_ray_tracing_invocation_reorder"}, .features = &reorder_all,
       .expect = {"VUID-RuntimeSpirv-OpHitObjectTraceRayMotionEXT-11877"})

#define LAST_RECORD                                                                          \
    .extensions = {RAYS, "VK_EXT_ray_tracing_invocation_reorder"}, .features = &reorder_all, \
    .null_driver = "{\"properties\": {\"maxShaderBindingTableRecordIndex\": 4095}}"
TRACED(record_of_the_last_index, record_last, 0, LAST_RECORD)
TRACED(record_beyond_the_last_index, record_beyond, 0, LAST_RECORD, .proceed = true,
       .expect = {"VUID-RuntimeSpirv-maxShaderBindingTableRecordIndex-11888"},
       .text = {"OpHitObjectSetShaderBindingTableRecordIndexEXT has the index 4096, more than "
                "4095"})

/* Micromaps that a constant switches on. */
static const VkPhysicalDeviceOpacityMicromapFeaturesKHR micromaps = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_OPACITY_MICROMAP_FEATURES_KHR, .pNext = (void *)&rays,
    .micromap = VK_TRUE};
static const VkPhysicalDevicePipelineOpacityMicromapFeaturesARM no_micromaps = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_OPACITY_MICROMAP_FEATURES_ARM,
    .pNext = (void *)&micromaps, .pipelineOpacityMicromap = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features no_micromap_flags = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&no_micromaps,
    .maintenance5 = VK_TRUE};
#define MICROMAPS                                           \
    .drivers = NULL_DRIVER, .features = &no_micromap_flags, \
    .extensions = {RAYS,                                    \
                   "VK_KHR_maintenance5",                   \
                   "VK_KHR_opacity_micromap",               \
                   "VK_ARM_pipeline_opacity_micromap",      \
                   "VK_EXT_opacity_micromap",               \
                   "VK_KHR_device_address_commands"}
static void create_with_micromaps(struct baseline *b, VkBool32 enabled)
{
    const VkSpecializationMapEntry entry = {3, 0, sizeof(enabled)};
    const VkSpecializationInfo values = {1, &entry, sizeof(enabled), &enabled};
    create_traced_module(b, CODE(micromaps_on),
                         VK_PIPELINE_CREATE_2_DISALLOW_OPACITY_MICROMAP_BIT_ARM, &values);
}
SCENARIO(micromaps_off_where_disallowed, MICROMAPS)
{
    create_with_micromaps(b, VK_FALSE);
}
SCENARIO(micromaps_on_where_disallowed, MICROMAPS, .expect = {"VUID-RuntimeSpirv-micromap-11630"})
{
    create_with_micromaps(b, VK_TRUE);
}
