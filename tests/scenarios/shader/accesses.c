/* Modules whose accesses, inputs or outputs break a rule, and the nearest that do not. They are
 * about ViewIndex, arrays of views, shared locations, offsets of images, built-ins that change in
 * shaders for rays, and groups of derivatives. */
#include "scenario.h"

#include "accesses.h"

#define MODULE(name_, code_, ...)                                                     \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                            \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##code_),           \
                                         .pCode = spirv_##code_};                     \
        create_shader_module(b, &info);                                               \
    }
#define STANDALONE(id_) .expect = {"VUID-StandaloneSpirv-" id_}
#define RUNTIME(id_)    .expect = {"VUID-RuntimeSpirv-" id_}

/* --- ViewIndex in mesh shaders ---------------------------------------------------------------- */

static const VkPhysicalDeviceMultiviewFeatures views = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
static const VkPhysicalDeviceMaintenance4Features four = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, .pNext = (void *)&views,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&four,
    .meshShader = VK_TRUE, .multiviewMeshShader = VK_TRUE};
#define MESH .extensions = {"VK_EXT_mesh_shader"}, .features = &meshes
/* Positions may depend on ViewIndex, and so may values that only look as if they did. */
MODULE(mesh_by_view, mesh_by_view, MESH)
MODULE(mesh_counts_by_view, mesh_counts_by_view, MESH, STANDALONE("MeshEXT-07108"),
       .text = {"OpSetMeshOutputsEXT has the Primitive Count", "which depends on ViewIndex"})
MODULE(mesh_indices_at_view, mesh_indices_at_view, MESH, STANDALONE("MeshEXT-07109"))
MODULE(mesh_indices_of_view, mesh_indices_of_view, MESH, STANDALONE("MeshEXT-07110"))
MODULE(mesh_shared_at_view, mesh_shared_at_view, MESH, STANDALONE("MeshEXT-07111"),
       .text = {"the Workgroup variable"})
MODULE(mesh_private_at_view, mesh_private_at_view, MESH, STANDALONE("MeshEXT-07111"),
       .text = {"the Private variable"})

/* --- arrays of views -------------------------------------------------------------------------- */

static const VkPhysicalDeviceVulkan12Features layers = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&views,
    .shaderOutputLayer = VK_TRUE, .shaderOutputViewportIndex = VK_TRUE};
static const VkPhysicalDeviceFeatures2 geometry = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&layers,
    .features = {
        .geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .multiViewport = VK_TRUE}};
#define VIEWS                                                                       \
    .extensions = {"VK_NVX_multiview_per_view_attributes", "VK_NV_viewport_array2", \
                   "VK_EXT_shader_viewport_index_layer"},                           \
    .features = &geometry
MODULE(per_view_by_constants, per_view_by_constants, VIEWS)
MODULE(position_by_number, position_by_number, VIEWS,
       .expect = {"VUID-PositionPerViewNV-PositionPerViewNV-04326"})
MODULE(position_by_specialization, position_by_specialization, VIEWS)
MODULE(position_of_vertices, position_of_vertices, VIEWS)
MODULE(mask_by_number, mask_by_number, VIEWS,
       .expect = {"VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04417"})
MODULE(mask_by_specialization, mask_by_specialization, VIEWS)
MODULE(mask_of_33, mask_of_33, VIEWS,
       .expect = {"VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04415"})
MODULE(relative_layer, relative_layer, VIEWS)
MODULE(relative_layer_of_mask, relative_layer_of_mask, VIEWS)
MODULE(relative_layer_alone, relative_layer_alone, VIEWS, STANDALONE("ViewportRelativeNV-04673"))
MODULE(relative_position, relative_position, VIEWS, STANDALONE("ViewportRelativeNV-04672"))
MODULE(relative_layer_of_fragment, relative_layer_of_fragment, VIEWS,
       STANDALONE("ViewportRelativeNV-04672"))

/* --- offsets of images ------------------------------------------------------------------------ */

MODULE(offset_of_fetch, offset_of_fetch)
MODULE(offset_of_read, offset_of_read, STANDALONE("Offset-04865"))
MODULE(offset_of_write, offset_of_write, STANDALONE("Offset-04865"),
       .text = {"the image's type has a Sampled of 2, and not of 1"})

/* --- inputs and outputs ----------------------------------------------------------------------- */

MODULE(inputs_of_a_location, inputs_of_a_location, STANDALONE("Input-10604"),
       .text = {"has the inputs one and other, which share location 1"})
MODULE(inputs_of_two_locations, inputs_of_two_locations)
MODULE(input_and_block_of_a_location, input_and_block_of_a_location, STANDALONE("Input-10604"))
MODULE(input_and_block_of_two_locations, input_and_block_of_two_locations)
MODULE(inputs_alike_of_a_location, shared_location)
MODULE(nested_input, nested_input, STANDALONE("Execution-10584"),
       .text = {"has the input numbers, an array of arrays"})
MODULE(nested_output, nested_output, STANDALONE("Execution-10585"))
MODULE(array_input, array_input)
MODULE(nested_of_vertices, nested_of_vertices, .features = &geometry)
MODULE(nested_of_patches, nested_of_patches, .features = &geometry)
MODULE(nested_of_points, nested_of_points, .features = &geometry)

static const VkPhysicalDeviceVulkan12Features bytes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderInt8 = VK_TRUE};
static const VkPhysicalDeviceVulkan11Features bytes_and_halves = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&bytes,
    .storageInputOutput16 = VK_TRUE};
MODULE(input_of_bytes, input_of_bytes, .features = &bytes, RUNTIME("None-10980"),
       .text = {"has the input bytes with numbers of 8 bits, which no input or output may have"})
MODULE(input_of_bytes_with_halves, input_of_bytes, .features = &bytes_and_halves,
       RUNTIME("None-10980"))
MODULE(bytes_alone, bytes_alone, .features = &bytes)

/* --- built-ins that change while a shader for rays runs --------------------------------------- */

static const VkPhysicalDeviceVulkan12Features memory_model = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .vulkanMemoryModel = VK_TRUE,
    .vulkanMemoryModelDeviceScope = VK_TRUE};
static const VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
    .pNext = (void *)&memory_model, .rayTracingPipeline = VK_TRUE};
#define RAYS                                                                       \
    .extensions = {"VK_KHR_ray_tracing_pipeline", "VK_KHR_acceleration_structure", \
                   "VK_KHR_deferred_host_operations"},                             \
    .features = &rays,                                                             \
    .null_driver =                                                                 \
        "{\"properties\": {\"VkPhysicalDeviceSubgroupProperties.supportedStages\": 16191}}"
MODULE(subgroup_in_rays, subgroup_in_rays, RAYS)
MODULE(subgroup_in_rays_by_model, subgroup_in_rays_by_model, RAYS)
MODULE(subgroup_not_volatile, subgroup_not_volatile, RAYS, STANDALONE("VulkanMemoryModel-04678"),
       .text = {"uses the built-in SubgroupSize in a shader for rays"})
MODULE(subgroup_of_any_hit, subgroup_of_any_hit, RAYS)
MODULE(subgroup_not_loaded_volatile, subgroup_not_loaded_volatile, RAYS,
       STANDALONE("VulkanMemoryModel-04679"))
MODULE(subgroup_loaded_of_any_hit, subgroup_loaded_of_any_hit, RAYS)
MODULE(ray_end, ray_end, RAYS)
MODULE(ray_end_by_model, ray_end_by_model, RAYS)
MODULE(ray_end_of_hit, ray_end_of_hit, RAYS)
MODULE(ray_end_loaded_of_hit, ray_end_loaded_of_hit, RAYS)
MODULE(ray_end_not_volatile, ray_end_not_volatile, RAYS, STANDALONE("VulkanMemoryModel-04678"))
MODULE(ray_end_not_loaded_volatile, ray_end_not_loaded_volatile, RAYS,
       STANDALONE("VulkanMemoryModel-04679"))

/* --- sizes of descriptors --------------------------------------------------------------------- */

static const VkPhysicalDeviceShader64BitIndexingFeaturesEXT indexing = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_64_BIT_INDEXING_FEATURES_EXT,
    .shader64BitIndexing = VK_TRUE};
static const VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
    .pNext = (void *)&indexing, .shaderUntypedPointers = VK_TRUE};
static const VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT, .pNext = (void *)&untyped,
    .descriptorHeap = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features addresses = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&heaps,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features flags_2 = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&addresses,
    .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 sizes = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                .pNext = (void *)&flags_2,
                                                .features.shaderInt64 = VK_TRUE};
#define SIZES                                                                   \
    .extensions = {"VK_EXT_shader_64bit_indexing", "VK_KHR_maintenance5",       \
                   "VK_EXT_descriptor_heap", "VK_KHR_shader_untyped_pointers"}, \
    .features = &sizes

static void create_sized(struct baseline *b, const uint32_t *code, size_t size,
                         VkPipelineCreateFlags2 flags)
{
    const VkPipelineCreateFlags2CreateInfo more = {
        VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = flags};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size), make_empty_pipeline_layout(b));
    info.pNext = flags ? &more : NULL;
    (void)create_compute_pipeline(b, &info);
}
#define SIZED(name_, code_, flags_, ...)                               \
    SCENARIO(name_, .drivers = NULL_DRIVER, SIZES, ##__VA_ARGS__)      \
    {                                                                  \
        create_sized(b, spirv_##code_, sizeof(spirv_##code_), flags_); \
    }
SIZED(size_of_64_bits, size_64, 0, RUNTIME("OpConstantSizeOfEXT-11475"),
      .text = {"has sizes of descriptors of 64 bits"})
SIZED(size_of_64_bits_by_mode, size_64_by_mode, 0)
SIZED(size_of_64_bits_by_flag, size_64, VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT)
SIZED(size_of_32_bits, size_32, 0)

/* --- groups of derivatives -------------------------------------------------------------------- */

static const VkPhysicalDeviceMaintenance4Features sizes_by_id = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR groups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR,
    .pNext = (void *)&sizes_by_id, .computeDerivativeGroupQuads = VK_TRUE,
    .computeDerivativeGroupLinear = VK_TRUE};
#define GROUPS(vendor_) \
    .extensions = {"VK_" #vendor_ "_compute_shader_derivatives"}, .features = &groups

static void create_group(struct baseline *b, const uint32_t *code, size_t size,
                         const uint32_t dimensions[3])
{
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
    const VkSpecializationInfo specialization = {3, entries, 12, dimensions};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, code, size), make_empty_pipeline_layout(b));
    info.stage.pSpecializationInfo = &specialization;
    (void)create_compute_pipeline(b, &info);
}
#define GROUP(name_, code_, vendor_, x_, y_, z_, ...)                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, GROUPS(vendor_), ##__VA_ARGS__)                    \
    {                                                                                          \
        create_group(b, spirv_##code_, sizeof(spirv_##code_), (const uint32_t[]){x_, y_, z_}); \
    }
GROUP(quads_of_even_sizes, quads_of_size, NV, 6, 4, 3)
GROUP(quads_of_odd_width, quads_of_size, NV, 3, 4, 1, STANDALONE("DerivativeGroupQuadsNV-04684"),
      .text = {"has a local workgroup of 3x4x1, but the execution mode DerivativeGroupQuads needs"})
GROUP(quads_of_odd_height, quads_of_size_khr, KHR, 4, 3, 2,
      STANDALONE("DerivativeGroupQuadsKHR-10151"))
GROUP(line_of_four, line_of_size, NV, 1, 2, 2)
GROUP(line_of_six, line_of_size, NV, 3, 2, 1, STANDALONE("DerivativeGroupLinearNV-04778"),
      .text = {"needs a multiple of four invocations"})
GROUP(line_of_eight, line_of_size_khr, KHR, 2, 2, 2)
GROUP(line_of_two, line_of_size_khr, KHR, 1, 1, 2, STANDALONE("DerivativeGroupLinearKHR-10152"))
