/* Modules that need a feature, a property or a limit of the device (RuntimeSpirv). Each row has a
 * module that this device may not have, and the nearest that it may. That one is the same module on
 * a device with more, or a module that asks for less. (registry/spirv_rows.txt) */
#include "scenario.h"

#include "spirv_needs.h"

#define MODULE(name_, code_, ...)                                                     \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                            \
    {                                                                                 \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, \
                                         .codeSize = sizeof(spirv_##code_),           \
                                         .pCode = spirv_##code_};                     \
        create_shader_module(b, &info);                                               \
    }
#define BROKEN(number_, vuid_, code_, ...) \
    MODULE(broken_##number_, code_, .expect = {vuid_}, ##__VA_ARGS__)
#define HOLDS(number_, code_, ...) MODULE(holds_##number_, code_, .proceed = true, ##__VA_ARGS__)
#define WITHOUT(property_)         .null_driver = "{\"properties\": {\"" property_ "\": false}}"

/* Execution modes of floating-point types: this width, and another one, on the same device. */
#define FLOAT_MODE(number_, mode_, width_, other_)                                     \
    BROKEN(number_, "VUID-RuntimeSpirv-shader" #mode_ "Float" #width_ "-" #number_,    \
           mode_##_##width_, WITHOUT("shader" #mode_ "Float" #width_),                 \
           .text = {"the execution mode " #mode_ " is used, which needs shader" #mode_ \
                    "Float" #width_ "; that is VK_FALSE for this device"})             \
    HOLDS(number_, mode_##_##other_, WITHOUT("shader" #mode_ "Float" #width_))
FLOAT_MODE(06293, SignedZeroInfNanPreserve, 16, 32)
FLOAT_MODE(06294, SignedZeroInfNanPreserve, 32, 64)
FLOAT_MODE(06295, SignedZeroInfNanPreserve, 64, 32)
FLOAT_MODE(06296, DenormPreserve, 16, 32)
FLOAT_MODE(06297, DenormPreserve, 32, 64)
FLOAT_MODE(06298, DenormPreserve, 64, 32)
FLOAT_MODE(06299, DenormFlushToZero, 16, 32)
FLOAT_MODE(06300, DenormFlushToZero, 32, 64)
FLOAT_MODE(06301, DenormFlushToZero, 64, 32)
FLOAT_MODE(06302, RoundingModeRTE, 16, 32)
FLOAT_MODE(06303, RoundingModeRTE, 32, 64)
FLOAT_MODE(06304, RoundingModeRTE, 64, 32)
FLOAT_MODE(06305, RoundingModeRTZ, 16, 32)
FLOAT_MODE(06306, RoundingModeRTZ, 32, 64)
FLOAT_MODE(06307, RoundingModeRTZ, 64, 32)

static const VkPhysicalDeviceShaderFloatControls2Features fast_math = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES,
    .shaderFloatControls2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features fast_math_small = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&fast_math,
    .shaderFloat16 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 fast_math_all = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&fast_math_small,
    .features.shaderFloat64 = VK_TRUE};
#define FAST_MATH(number_, width_)                                                                \
    BROKEN(number_, "VUID-RuntimeSpirv-shaderSignedZeroInfNanPreserveFloat" #width_ "-" #number_, \
           fast_math_some_##width_, .features = &fast_math_all,                                   \
           .extensions = {"VK_KHR_shader_float_controls2"},                                       \
           WITHOUT("shaderSignedZeroInfNanPreserveFloat" #width_),                                \
           .text = {                                                                              \
               "the execution mode FPFastMathDefault does not include NSZ, NotInf and NotNaN"})   \
    HOLDS(number_, fast_math_all_##width_, .features = &fast_math_all,                            \
          .extensions = {"VK_KHR_shader_float_controls2"},                                        \
          WITHOUT("shaderSignedZeroInfNanPreserveFloat" #width_))
FAST_MATH(09559, 16)
FAST_MATH(09561, 32)
FAST_MATH(09563, 64)

/* OpFmaKHR of one width, where another one is enabled. */
#define FMA(number_, width_, other_)                                                       \
    static const VkPhysicalDeviceShaderFmaFeaturesKHR fma_##width_ = {                     \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR,                         \
        .pNext = (void *)&fast_math_all, .shaderFmaFloat##width_ = VK_TRUE};               \
    static const VkPhysicalDeviceShaderFmaFeaturesKHR not_fma_##width_ = {                 \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FMA_FEATURES_KHR,                         \
        .pNext = (void *)&fast_math_all, .shaderFmaFloat##other_ = VK_TRUE};               \
    BROKEN(number_, "VUID-RuntimeSpirv-shaderFmaFloat" #width_ "-" #number_, fma_##width_, \
           .features = &not_fma_##width_,                                                  \
           .extensions = {"VK_KHR_shader_fma", "VK_KHR_shader_float_controls2"},           \
           .text = {"OpFmaKHR is used, which needs shaderFmaFloat" #width_                 \
                    "; the device was created without"})                                   \
    HOLDS(number_, fma_##width_, .features = &fma_##width_,                                \
          .extensions = {"VK_KHR_shader_fma", "VK_KHR_shader_float_controls2"})
FMA(10977, 16, 32)
FMA(10978, 32, 64)
FMA(10979, 64, 32)

/* Clocks */
#define CLOCK(number_, Scope_, scope_, Other_)                                            \
    static const VkPhysicalDeviceShaderClockFeaturesKHR clock_##scope_ = {                \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,                      \
        .shader##Scope_##Clock = VK_TRUE};                                                \
    static const VkPhysicalDeviceShaderClockFeaturesKHR not_clock_##scope_ = {            \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,                      \
        .shader##Other_##Clock = VK_TRUE};                                                \
    BROKEN(number_, "VUID-RuntimeSpirv-shader" #Scope_ "Clock-" #number_, clock_##scope_, \
           .extensions = {"VK_KHR_shader_clock"}, .features = &not_clock_##scope_)        \
    HOLDS(number_, clock_##scope_, .extensions = {"VK_KHR_shader_clock"},                 \
          .features = &clock_##scope_)
CLOCK(06267, Subgroup, subgroup, Device)
CLOCK(06268, Device, device, Subgroup)

static const VkPhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR relaxed = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_RELAXED_EXTENDED_INSTRUCTION_FEATURES_KHR,
    .shaderRelaxedExtendedInstruction = VK_TRUE};
#define RELAXED .extensions = {"VK_KHR_shader_relaxed_extended_instruction"}
BROKEN(10773, "VUID-RuntimeSpirv-shaderRelaxedExtendedInstruction-10773", forward, RELAXED)
HOLDS(10773, forward, RELAXED, .features = &relaxed)

/* Scopes of memory */
static const VkPhysicalDeviceVulkan12Features memory_model = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .vulkanMemoryModel = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features memory_model_of_devices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .vulkanMemoryModel = VK_TRUE,
    .vulkanMemoryModelDeviceScope = VK_TRUE};
BROKEN(06265, "VUID-RuntimeSpirv-vulkanMemoryModel-06265", atomic_scope_device,
       .features = &memory_model)
HOLDS(06265, atomic_scope_workgroup, .features = &memory_model)
MODULE(scope_of_device, atomic_scope_device, .features = &memory_model_of_devices)
MODULE(scope_of_device_in_another_model, atomic_scope_device)

static const VkPhysicalDeviceFeatures2 no_memory_model = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
/* The capability is one mistake, and what the module does with it another. */
MODULE(broken_06266, atomic_scope_queue_family, .features = &no_memory_model,
       .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08740",
                  "VUID-RuntimeSpirv-vulkanMemoryModel-06266"})
HOLDS(06266, atomic_scope_queue_family, .features = &memory_model)

/* A module that is good for one device need not be good for the next one. */
SCENARIO(scope_of_another_device, .drivers = NULL_DRIVER, .features = &memory_model_of_devices,
         .expect = {"VUID-RuntimeSpirv-vulkanMemoryModel-06265"})
{
    VkShaderModuleCreateInfo module = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                       .codeSize = sizeof(spirv_atomic_scope_device),
                                       .pCode = spirv_atomic_scope_device};
    const float priority = 1;
    VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = b->queue_family, .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &memory_model,
                               .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    VkDevice device;
    VkShaderModule made;
    create_shader_module(b, &module);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    VK(vkCreateDevice(b->physical_device, &info, NULL, &device));
    if (vkCreateShaderModule(device, &module, NULL, &made) == VK_SUCCESS)
        vkDestroyShaderModule(device, made, NULL);
    vkDestroyDevice(device, NULL);
}

/* Atomics: of 64-bit integers, by where they are */
static const VkPhysicalDeviceVulkan12Features of_buffers = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderBufferInt64Atomics = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features of_shared = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderSharedInt64Atomics = VK_TRUE};
static const VkPhysicalDeviceFeatures2 wide_of_buffers = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&of_buffers,
    .features.shaderInt64 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 wide_of_shared = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&of_shared,
    .features.shaderInt64 = VK_TRUE};
BROKEN(06278, "VUID-RuntimeSpirv-None-06278", atomic_i64_buffer, .features = &wide_of_shared,
       .text = {"OpAtomicExchange is used, which needs shaderBufferInt64Atomics"})
HOLDS(06278, atomic_i64_buffer, .features = &wide_of_buffers)
BROKEN(06279, "VUID-RuntimeSpirv-None-06279", atomic_i64_shared, .features = &wide_of_buffers)
HOLDS(06279, atomic_i64_shared, .features = &wide_of_shared)

static const VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT images_64 = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_IMAGE_ATOMIC_INT64_FEATURES_EXT,
    .pNext = (void *)&wide_of_buffers, .shaderImageInt64Atomics = VK_TRUE};
#define IMAGES_64 .extensions = {"VK_EXT_shader_image_atomic_int64"}
MODULE(broken_06288, atomic_i64_image, .features = &wide_of_buffers, IMAGES_64,
       .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08740", "VUID-RuntimeSpirv-None-06288"})
HOLDS(06288, atomic_i64_image, .features = &images_64, IMAGES_64)

/* and of floating-point numbers, by where they are and by width. Of one that breaks both the place
 * is reported. */
#define FLOATS(name_, next_, ...)                                           \
    static const VkPhysicalDeviceShaderAtomicFloatFeaturesEXT name_ = {     \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, \
        .pNext = (void *)next_, __VA_ARGS__};
#define FLOAT_EXTENSIONS .extensions = {"VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2"}
static const VkPhysicalDeviceVulkan12Features small_floats = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .shaderFloat16 = VK_TRUE};
static const VkPhysicalDevice16BitStorageFeatures small_storage = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, .pNext = (void *)&small_floats,
    .storageBuffer16BitAccess = VK_TRUE};
static const VkPhysicalDeviceFeatures2 float_sizes = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                      .pNext = (void *)&small_storage,
                                                      .features.shaderFloat64 = VK_TRUE};
static const VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT small_atomics = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT,
    .pNext = (void *)&float_sizes, .shaderBufferFloat16Atomics = VK_TRUE};
FLOATS(buffer_32, &float_sizes, .shaderBufferFloat32Atomics = VK_TRUE)
FLOATS(buffer_64, &float_sizes, .shaderBufferFloat64Atomics = VK_TRUE)
FLOATS(shared_32, NULL, .shaderSharedFloat32Atomics = VK_TRUE)
FLOATS(image_32, NULL, .shaderImageFloat32Atomics = VK_TRUE)
#define FLOAT_ATOMICS(number_, code_, without_, with_)                                \
    BROKEN(number_, "VUID-RuntimeSpirv-None-" #number_, code_, .features = &without_, \
           FLOAT_EXTENSIONS)                                                          \
    HOLDS(number_, code_, .features = &with_, FLOAT_EXTENSIONS)
FLOAT_ATOMICS(06284, atomic_f32_buffer, shared_32, buffer_32)
FLOAT_ATOMICS(06285, atomic_f32_shared, buffer_32, shared_32)
FLOAT_ATOMICS(06286, atomic_f32_image, buffer_32, image_32)
FLOAT_ATOMICS(06337, atomic_f16_buffer, buffer_32, small_atomics)
FLOAT_ATOMICS(06338, atomic_f32_buffer, buffer_64, buffer_32)
FLOAT_ATOMICS(06339, atomic_f64_buffer, buffer_32, buffer_64)
static const VkPhysicalDeviceShaderAtomicFloat16VectorFeaturesNV vector_atomics = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT16_VECTOR_FEATURES_NV,
    .pNext = (void *)&small_atomics, .shaderFloat16VectorAtomics = VK_TRUE};
#define VECTOR_EXTENSIONS                                                       \
    .extensions = {"VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2", \
                   "VK_NV_shader_atomic_float16_vector"}
MODULE(broken_09581, atomic_f16_vector, .features = &small_atomics, VECTOR_EXTENSIONS,
       .expect = {"VUID-VkShaderModuleCreateInfo-pCode-08740",
                  "VUID-RuntimeSpirv-shaderFloat16VectorAtomics-09581"})
HOLDS(09581, atomic_f16_vector, .features = &vector_atomics, VECTOR_EXTENSIONS)
MODULE(float_atomic_without_any, atomic_f32_buffer, .expect = {"VUID-RuntimeSpirv-None-06284"})

/* Streams and strides of transform feedback */
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT captures = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE,
    .geometryStreams = VK_TRUE};
static const VkPhysicalDeviceFeatures2 captures_and_geometry = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&captures,
    .features.geometryShader = VK_TRUE};
#define FEEDBACK(limit_)                                                             \
    .extensions = {"VK_EXT_transform_feedback"}, .features = &captures_and_geometry, \
    .null_driver = "{\"properties\": {" limit_ "}}"
#define ONE_STREAM   FEEDBACK("\"maxTransformFeedbackStreams\": 1")
#define SMALL_STRIDE FEEDBACK("\"maxTransformFeedbackBufferDataStride\": 32")
BROKEN(06310, "VUID-RuntimeSpirv-OpEmitStreamVertex-06310", emit_stream_1, ONE_STREAM,
       .text = {"OpEmitStreamVertex has 1, which is not less than 1 (maxTransformFeedbackStreams)"})
HOLDS(06310, emit_stream_0, ONE_STREAM)
BROKEN(06312, "VUID-RuntimeSpirv-Stream-06312", stream_1, ONE_STREAM,
       .text = {"the decoration Stream has 1, which is not less than 1"})
HOLDS(06312, stream_0, ONE_STREAM)
BROKEN(06313, "VUID-RuntimeSpirv-XfbStride-06313", xfb_stride_64, SMALL_STRIDE,
       .text = {"the decoration XfbStride has 64, which is not at most 32"})
HOLDS(06313, xfb_stride_32, SMALL_STRIDE)

/* Meshes of VK_NV_mesh_shader */
static const VkPhysicalDeviceMeshShaderFeaturesNV meshes_nv = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV, .meshShader = VK_TRUE};
#define MESH_NV(number_, limit_, most_)                                                  \
    BROKEN(number_, "VUID-RuntimeSpirv-MeshNV-" #number_, mesh_nv,                       \
           .extensions = {"VK_NV_mesh_shader"}, .features = &meshes_nv,                  \
           .null_driver = "{\"properties\": {\"" limit_ "\": 3}}")                       \
    HOLDS(number_, mesh_nv, .extensions = {"VK_NV_mesh_shader"}, .features = &meshes_nv, \
          .null_driver = "{\"properties\": {\"" limit_ "\": " #most_ "}}")
MESH_NV(07113, "VkPhysicalDeviceMeshShaderPropertiesNV.maxMeshOutputVertices", 6)
MESH_NV(07114, "VkPhysicalDeviceMeshShaderPropertiesNV.maxMeshOutputPrimitives", 4)

/* Execution modes of VK_AMD_shader_early_and_late_fragment_tests */
static const VkPhysicalDeviceShaderEarlyAndLateFragmentTestsFeaturesAMD early_and_late = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_EARLY_AND_LATE_FRAGMENT_TESTS_FEATURES_AMD,
    .shaderEarlyAndLateFragmentTests = VK_TRUE};
#define EARLY_AND_LATE(number_, code_)                                                    \
    BROKEN(number_, "VUID-RuntimeSpirv-shaderEarlyAndLateFragmentTests-" #number_, code_, \
           .extensions = {"VK_AMD_shader_early_and_late_fragment_tests",                  \
                          "VK_EXT_shader_stencil_export"})                                \
    HOLDS(number_, code_, .features = &early_and_late,                                    \
          .extensions = {"VK_AMD_shader_early_and_late_fragment_tests",                   \
                         "VK_EXT_shader_stencil_export"})
EARLY_AND_LATE(06767, early_and_late)
EARLY_AND_LATE(06768, stencil_UnchangedFront)
EARLY_AND_LATE(06769, stencil_UnchangedBack)
EARLY_AND_LATE(06770, stencil_GreaterFront)
EARLY_AND_LATE(06771, stencil_GreaterBack)
EARLY_AND_LATE(06772, stencil_LessFront)
EARLY_AND_LATE(06773, stencil_LessBack)

/* Derivatives in task shaders */
static const VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR derivatives = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMPUTE_SHADER_DERIVATIVES_FEATURES_KHR,
    .computeDerivativeGroupLinear = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT tasks = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&derivatives,
    .taskShader = VK_TRUE, .meshShader = VK_TRUE};
#define DERIVATIVES                                                                                \
    .extensions = {"VK_KHR_compute_shader_derivatives", "VK_EXT_mesh_shader"}, .features = &tasks, \
    WITHOUT("meshAndTaskShaderDerivatives")
BROKEN(10153, "VUID-RuntimeSpirv-meshAndTaskShaderDerivatives-10153", task_derivatives, DERIVATIVES)
HOLDS(10153, compute_derivatives, DERIVATIVES)

/* Rates of tile shading */
static const VkPhysicalDeviceTileShadingFeaturesQCOM tiles = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM, .tileShading = VK_TRUE,
    .tileShadingPerTileDispatch = VK_TRUE};
#define TILES                                                                              \
    .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties"}, .features = &tiles, \
    .null_driver = "{\"properties\": {\"maxTileShadingRate\": [2, 2]}}"
BROKEN(10702, "VUID-RuntimeSpirv-x-10702", tile_rate_wide, TILES)
HOLDS(10702, tile_rate, TILES)
BROKEN(10703, "VUID-RuntimeSpirv-y-10703", tile_rate_high, TILES)
HOLDS(10703, tile_rate, TILES)

/* Coverage after depth tests */
#define COVERED                                                                        \
    .extensions = {"VK_EXT_conservative_rasterization", "VK_EXT_post_depth_coverage"}, \
    WITHOUT("conservativeRasterizationPostDepthCoverage")
BROKEN(04235, "VUID-FullyCoveredEXT-conservativeRasterizationPostDepthCoverage-04235",
       covered_after, COVERED)
HOLDS(04235, covered, COVERED)

/* Shading rates of meshes */
static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE, .primitiveFragmentShadingRate = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&rates,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes_of_rates = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = (void *)&rates,
    .meshShader = VK_TRUE, .primitiveFragmentShadingRateMeshShader = VK_TRUE};
#define RATES .extensions = {"VK_EXT_mesh_shader", "VK_KHR_fragment_shading_rate"}
BROKEN(12275, "VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-12275", mesh_rate, RATES,
       .features = &meshes)
HOLDS(12275, mesh_rate, RATES, .features = &meshes_of_rates)

/* Input attachments, which must name their attachment */
static const VkPhysicalDeviceDynamicRenderingLocalReadFeatures local_read = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES,
    .dynamicRenderingLocalRead = VK_TRUE};
#define LOCAL_READ .extensions = {"VK_KHR_dynamic_rendering_local_read"}, .features = &local_read
BROKEN(09558, "VUID-RuntimeSpirv-None-09558", subpass_undecorated,
       .text = {"does not have the decoration InputAttachmentIndex"})
HOLDS(09558, subpass)
MODULE(subpass_of_local_read, subpass_undecorated, LOCAL_READ)
BROKEN(09644, "VUID-RuntimeSpirv-OpTypeImage-09644", subpasses_undecorated, LOCAL_READ)
HOLDS(09644, subpasses, LOCAL_READ)

/* Group operations */
static const VkPhysicalDeviceFeatures2 wide = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                               .features.shaderInt64 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features extended_types = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&wide,
    .shaderSubgroupExtendedTypes = VK_TRUE};
BROKEN(06275, "VUID-RuntimeSpirv-None-06275", group_i64, .features = &wide,
       .text = {"OpGroupNonUniformIAdd is used, which needs shaderSubgroupExtendedTypes"})
HOLDS(06275, group_i64, .features = &extended_types)
MODULE(group_of_plain_types, group_u32)
static const VkPhysicalDeviceShaderSubgroupRotateFeatures rotates = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_ROTATE_FEATURES,
    .shaderSubgroupRotate = VK_TRUE};
#define ROTATES .extensions = {"VK_KHR_shader_subgroup_rotate"}, .features = &rotates
BROKEN(09566, "VUID-RuntimeSpirv-shaderSubgroupRotateClustered-09566", rotate_clustered, ROTATES,
       .text = {"OpGroupNonUniformRotateKHR has the operand ClusterSize, which needs "
                "shaderSubgroupRotateClustered"})
HOLDS(09566, rotate_whole, ROTATES)

/* Cooperative matrices and vectors, and long vectors */
static const VkPhysicalDeviceVulkan12Features vulkan_memory = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .vulkanMemoryModel = VK_TRUE};
static const VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
    .pNext = (void *)&vulkan_memory, .cooperativeMatrix = VK_TRUE};
static const VkPhysicalDeviceCooperativeMatrix2FeaturesNV matrices_of_workgroups = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV, .pNext = (void *)&matrices,
    .cooperativeMatrixWorkgroupScope = VK_TRUE};
static const VkPhysicalDeviceCooperativeMatrix2FeaturesNV flexible_matrices = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV, .pNext = (void *)&matrices,
    .cooperativeMatrixFlexibleDimensions = VK_TRUE};
#define MATRICES .extensions = {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix2"}
BROKEN(10164, "VUID-RuntimeSpirv-cooperativeMatrixWorkgroupScope-10164", matrix_workgroup, MATRICES,
       .features = &flexible_matrices)
HOLDS(10164, matrix_workgroup, MATRICES, .features = &matrices_of_workgroups)
#define LISTED_MATRICES MATRICES, .features = &matrices, .null_driver = "{\"listFormats\": true}"
#define ID_OF_MATRICES  "VUID-RuntimeSpirv-OpTypeCooperativeMatrixKHR-10163"
HOLDS(10163, matrix_supported, LISTED_MATRICES)
BROKEN(10163_by_type, ID_OF_MATRICES, matrix_of_floats, LISTED_MATRICES)
BROKEN(10163, ID_OF_MATRICES, matrix_turned, LISTED_MATRICES,
       .text = {"a cooperative matrix of 8 rows, 16 columns, scope 3 and use 2"})
#define SMALL_MATRICES                        \
    MATRICES, .features = &flexible_matrices, \
        .null_driver =                        \
            "{\"properties\": {\"cooperativeMatrixFlexibleDimensionsMaxDimension\": 16}}"
BROKEN(10167, "VUID-RuntimeSpirv-cooperativeMatrixFlexibleDimensionsMaxDimension-10167",
       matrix_large, SMALL_MATRICES,
       .text = {"OpTypeCooperativeMatrixKHR has 64, which is not at most 16"})
HOLDS(10167, matrix_subgroup, SMALL_MATRICES)
static const VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV, .cooperativeVector = VK_TRUE};
#define VECTORS                                                       \
    .extensions = {"VK_NV_cooperative_vector"}, .features = &vectors, \
    .null_driver = "{\"properties\": {\"maxCooperativeVectorComponents\": 8}}"
BROKEN(10094, "VUID-RuntimeSpirv-maxCooperativeVectorComponents-10094", vector_cooperative_64,
       VECTORS)
HOLDS(10094, vector_cooperative_8, VECTORS)
static const VkPhysicalDeviceShaderLongVectorFeaturesEXT long_vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_LONG_VECTOR_FEATURES_EXT, .longVector = VK_TRUE};
#define LONG_VECTORS                                                        \
    .extensions = {"VK_EXT_shader_long_vector"}, .features = &long_vectors, \
    .null_driver = "{\"properties\": {\"maxVectorComponents\": 8}}"
BROKEN(12296, "VUID-RuntimeSpirv-longVector-12296", vector_long_64, LONG_VECTORS)
HOLDS(12296, vector_long_8, LONG_VECTORS)

/* Shared memory that begins as zero */
static const VkPhysicalDeviceVulkan13Features zeroes = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .shaderZeroInitializeWorkgroupMemory = VK_TRUE};
BROKEN(06372, "VUID-RuntimeSpirv-shaderZeroInitializeWorkgroupMemory-06372", shared_zeroed,
       .text = {"has an initializer, which needs shaderZeroInitializeWorkgroupMemory"})
HOLDS(06372, shared_not_zeroed)
MODULE(shared_may_be_zeroed, shared_zeroed, .features = &zeroes)

/* Offsets of samples and gathers */
#define OFFSETS                                                                    \
    .null_driver = "{\"limits\": {\"minTexelOffset\": -8, \"maxTexelOffset\": 7, " \
                   "\"minTexelGatherOffset\": -8, \"maxTexelGatherOffset\": 7}}"
BROKEN(06435, "VUID-RuntimeSpirv-OpImageSample-06435", offset_sample_low, OFFSETS,
       .text = {"OpImageSampleExplicitLod has an offset of -9, which is less than -8 "
                "(minTexelOffset)"})
HOLDS(06435, offset_sample, OFFSETS)
/* Two components of one offset are two mistakes. */
MODULE(offset_in_both_ways, offset_sample_both, OFFSETS,
       .expect = {"VUID-RuntimeSpirv-OpImageSample-06435", "VUID-RuntimeSpirv-OpImageSample-06436"})
BROKEN(06436, "VUID-RuntimeSpirv-OpImageSample-06436", offset_sample_high, OFFSETS,
       .text = {"has an offset of 8, which is more than 7 (maxTexelOffset)"})
HOLDS(06436, offset_sample, OFFSETS)
BROKEN(06376, "VUID-RuntimeSpirv-OpImage-06376", offset_gather_low, OFFSETS)
HOLDS(06376, offset_gather, OFFSETS)
BROKEN(06377, "VUID-RuntimeSpirv-OpImage-06377", offset_gather_high, OFFSETS)
HOLDS(06377, offset_gather, OFFSETS)

/* Types of tensors */
static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .shaderTensorAccess = VK_TRUE};
#define TENSORS .extensions = {"VK_ARM_tensors"}, .features = &tensors
BROKEN(09902, "VUID-RuntimeSpirv-OpTypeTensorARM-09902", tensor_shaped, TENSORS,
       .text = {"OpTypeTensorARM has a Shape, which shader stages must not have"})
HOLDS(09902, tensor_ranked, TENSORS)
BROKEN(09907, "VUID-RuntimeSpirv-OpTypeTensorARM-09907", tensor_bare, TENSORS,
       .text = {"OpTypeTensorARM does not have a Rank, which shader stages need"})
HOLDS(09907, tensor_ranked, TENSORS)

/* Outputs that are captured: two of 16 bytes, or a block of them */
static const VkPhysicalDeviceVulkan12Features half_floats = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&captures,
    .shaderFloat16 = VK_TRUE};
static const VkPhysicalDeviceVulkan11Features half_outputs = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&half_floats,
    .storageInputOutput16 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 captures_all = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&half_outputs,
    .features = {.geometryShader = VK_TRUE, .shaderFloat64 = VK_TRUE}};
#define CAPTURE(name_, ...)                                                                      \
    MODULE(name_, name_, .extensions = {"VK_EXT_transform_feedback"}, .features = &captures_all, \
           ##__VA_ARGS__)
CAPTURE(capture_right)
CAPTURE(capture_strides, .expect = {"VUID-StandaloneSpirv-XfbBuffer-04693"},
        .text = {"has the XfbStride 64, but %"})
CAPTURE(capture_overlap, .expect = {"VUID-StandaloneSpirv-XfbBuffer-04696"},
        .text = {"takes 16 bytes at the Offset 12 of XfbBuffer 0"})
CAPTURE(capture_other_buffer)
CAPTURE(capture_odd, .expect = {"VUID-StandaloneSpirv-Offset-04691"},
        .text = {"has the Offset 18, which is not a multiple of 4, its components' size"})
CAPTURE(capture_odd_double, .expect = {"VUID-StandaloneSpirv-Offset-04687"})
CAPTURE(capture_double)
CAPTURE(capture_half, .expect = {"VUID-StandaloneSpirv-Offset-04692"})
CAPTURE(capture_streams, .expect = {"VUID-StandaloneSpirv-Stream-04694"})
CAPTURE(capture_streams_of_buffers)
CAPTURE(capture_members, .expect = {"VUID-StandaloneSpirv-XfbBuffer-04697"})
CAPTURE(capture_members_right)
CAPTURE(capture_first_of_doubles, .expect = {"VUID-StandaloneSpirv-Offset-04690"})
CAPTURE(capture_first_of_doubles_right)
#define CAPTURE_SOME(name_, code_, limit_, ...)                                                  \
    MODULE(name_, code_, .extensions = {"VK_EXT_transform_feedback"}, .features = &captures_all, \
           .null_driver = "{\"properties\": {" limit_ "}}", ##__VA_ARGS__)
CAPTURE_SOME(capture_all_bytes, capture_right, "\"maxTransformFeedbackBufferDataSize\": 32")
CAPTURE_SOME(capture_too_many_bytes, capture_right, "\"maxTransformFeedbackBufferDataSize\": 31",
             .expect = {"VUID-RuntimeSpirv-Offset-06308"})
/* 16 bytes of one buffer and 28 of another */
CAPTURE_SOME(capture_all_of_a_stream, capture_other_buffer,
             "\"maxTransformFeedbackStreamDataSize\": 44")
CAPTURE_SOME(capture_too_much_of_a_stream, capture_other_buffer,
             "\"maxTransformFeedbackStreamDataSize\": 43",
             .expect = {"VUID-RuntimeSpirv-XfbBuffer-06309"},
             .text = {"makes the buffers of stream 0 take 44 bytes, more than 43"})

/* A variable for fragment shaders, which a vertex shader of the module lists and does not use. */
MODULE(listed_by_both, listed_by_both, .proceed = true,
       .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08742"})
