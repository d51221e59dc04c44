/* Modules with an instruction that breaks a rule, and the nearest that does not. They are about
 * image writes, broadcasts, undefined values, streams, cooperative vectors, tensors, loops and fast
 * math. */
#include "scenario.h"

#include "instructions.h"

#define MODULE(name_, code_, ...)                                                        \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                               \
    {                                                                                    \
        VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,    \
                                         .codeSize = sizeof(spirv_instructions_##code_), \
                                         .pCode = spirv_instructions_##code_};           \
        create_shader_module(b, &info);                                                  \
    }
#define RUNTIME(id_) .expect = {"VUID-RuntimeSpirv-" id_}

static const VkPhysicalDeviceFeatures2 formatless = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.shaderStorageImageWriteWithoutFormat = VK_TRUE, .geometryShader = VK_TRUE}};
MODULE(texel_of_four, texel_of_four)
MODULE(texel_of_one, texel_of_one)
MODULE(texel_of_few, texel_of_two, RUNTIME("OpImageWrite-07112"),
       .text = {"OpImageWrite writes 2 components to an image of the format Rgba8, which has 4"})
MODULE(texel_of_unknown_format, texel_unknown, .features = &formatless)

static const VkPhysicalDeviceVulkan12Features dynamic_id = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .subgroupBroadcastDynamicId = VK_TRUE};
MODULE(broadcast_of_constant, broadcast_constant)
MODULE(broadcast_of_variable, broadcast, .features = &dynamic_id)
MODULE(broadcast_of_variable_without_feature, broadcast,
       RUNTIME("subgroupBroadcastDynamicId-06277"))
MODULE(quad_of_constant, quad_constant)
MODULE(quad_of_variable, quad, .features = &dynamic_id)
MODULE(quad_of_variable_without_feature, quad, RUNTIME("subgroupBroadcastDynamicId-06276"))

MODULE(undefined_number, undefined_number)
MODULE(undefined_sampler, undefined, .expect = {"VUID-StandaloneSpirv-OpUndef-12464"})

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = (void *)&formatless,
    .transformFeedback = VK_TRUE, .geometryStreams = VK_TRUE};
#define STREAMS(can_)                                                  \
    .extensions = {"VK_EXT_transform_feedback"}, .features = &streams, \
    .null_driver = "{\"properties\": {\"transformFeedbackStreamsLinesTriangles\": " #can_ "}}"
MODULE(points_in_streams, streams_of_points, STREAMS(false))
MODULE(lines_in_a_stream, stream_of_lines, STREAMS(false))
MODULE(lines_in_streams, streams_of_lines, STREAMS(true))
MODULE(lines_in_streams_not_supported, streams_of_lines, STREAMS(false),
       RUNTIME("transformFeedbackStreamsLinesTriangles-06311"))

static const VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV, .cooperativeVector = VK_TRUE,
    .cooperativeVectorTraining = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features vectors_of_halves = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&vectors,
    .shaderFloat16 = VK_TRUE, .shaderInt8 = VK_TRUE};
#define VECTORS                                                                  \
    .extensions = {"VK_NV_cooperative_vector"}, .features = &vectors_of_halves,  \
    .null_driver = "{\"properties\": {\"maxCooperativeVectorComponents\": 128, " \
                   "\"cooperativeVectorTrainingFloat16Accumulation\": true, "    \
                   "\"cooperativeVectorTrainingFloat32Accumulation\": false}}"
MODULE(vector_multiplied, multiply, VECTORS)
MODULE(vector_multiplied_by_rows, multiply_rows, VECTORS,
       RUNTIME("OpCooperativeVectorMatrixMulNV-10090"))
MODULE(vector_multiplied_by_half_rows, multiply_half_rows, VECTORS)
MODULE(vector_biased_askew, multiply_bias, VECTORS,
       RUNTIME("OpCooperativeVectorMatrixMulAddNV-10098"),
       .text = {"BiasOffset is 8, which is not aligned to 16 bytes"})
MODULE(vector_outer_product, outer, VECTORS)
MODULE(vector_outer_product_askew, outer_offset, VECTORS,
       RUNTIME("OpCooperativeVectorOuterProductAccumulateNV-10101"))
MODULE(vector_outer_product_for_inference, outer_layout, VECTORS,
       RUNTIME("OpCooperativeVectorOuterProductAccumulateNV-10093"))
MODULE(vector_outer_product_of_doubles, outer_type, VECTORS,
       RUNTIME("OpCooperativeVectorOuterProductAccumulateNV-10093"))
MODULE(vector_sum, sum, VECTORS)
MODULE(vector_sum_askew, sum_offset, VECTORS,
       RUNTIME("OpCooperativeVectorReduceSumAccumulateNV-10100"))
MODULE(vector_sum_of_integers, sum_integers, VECTORS,
       RUNTIME("OpCooperativeVectorReduceSumAccumulateNV-10092"))
MODULE(vector_loaded, vector_load_16, VECTORS)
MODULE(vector_loaded_askew, vector_load_8, VECTORS, RUNTIME("OpCooperativeVectorLoadNV-10099"))
MODULE(vector_stored_askew, vector_store_8, VECTORS, RUNTIME("OpCooperativeVectorLoadNV-10099"))
MODULE(vector_multiplied_in_place, matrix_at_64, VECTORS)
#define LISTED_VECTORS                                                          \
    .extensions = {"VK_NV_cooperative_vector"}, .features = &vectors_of_halves, \
    .null_driver = "{\"listFormats\": true, \"properties\": "                   \
                   "{\"maxCooperativeVectorComponents\": 128}}"
MODULE(vector_multiplied_as_listed, matrix_at_64, LISTED_VECTORS)
MODULE(vector_multiplied_otherwise, matrix_of_another_type, LISTED_VECTORS,
       RUNTIME("OpCooperativeVectorMatrixMulNV-10089"),
       .text = {"of none of the 3 VkCooperativeVectorPropertiesNV of the device"})
MODULE(vector_matrix_askew, matrix_at_32, VECTORS, RUNTIME("OpCooperativeVectorMatrixMulNV-10097"),
       .text = {"MatrixOffset is 32, which is not aligned to 64 bytes"})
MODULE(vector_matrix_stride, matrix_stride_8, VECTORS,
       RUNTIME("OpCooperativeVectorMatrixMulNV-10096"))

/* --- tensors ---------------------------------------------------------------------------------- */

static const VkPhysicalDeviceTensorFeaturesARM tensors = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM, .shaderTensorAccess = VK_TRUE};
#define TENSORS(length_, size_)                                             \
    .extensions = {"VK_ARM_tensors"}, .features = &tensors,                 \
    .null_driver =                                                          \
        "{\"properties\": {\"maxTensorShaderAccessArrayLength\": " #length_ \
        ", \"maxTensorShaderAccessSize\": " #size_ ", \"shaderTensorSupportedStages\": 32}}"
MODULE(tensor_of_the_limits, tensor_read_4, TENSORS(4, 16))
MODULE(tensor_of_too_many, tensor_read_8, TENSORS(4, 32),
       RUNTIME("maxTensorShaderAccessArrayLength-09903"),
       .text = {"a tensor is accessed with an array of 8 elements, more than 4"})
MODULE(tensor_of_too_much, tensor_read_8, TENSORS(8, 16),
       RUNTIME("maxTensorShaderAccessSize-09904"))
MODULE(tensor_written_too_much, tensor_write_8, TENSORS(8, 28),
       RUNTIME("maxTensorShaderAccessSize-09904"),
       .text = {"a tensor is accessed with 8 elements of 32 bits, 32 bytes, more than 28"})
MODULE(tensor_written_too_many_and_too_much, tensor_write_8, TENSORS(4, 28),
       .expect = {"VUID-RuntimeSpirv-maxTensorShaderAccessArrayLength-09903",
                  "VUID-RuntimeSpirv-maxTensorShaderAccessSize-09904"})
/* One element is not an array. */
MODULE(tensor_of_one, tensor_read_1, TENSORS(0, 4))

/* --- loops ------------------------------------------------------------------------------------ */

static const VkPhysicalDeviceShaderMultipleWaitQueuesFeaturesQCOM queues = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_MULTIPLE_WAIT_QUEUES_FEATURES_QCOM,
    .shaderMultipleWaitQueues = VK_TRUE};
#define QUEUES                                                                  \
    .extensions = {"VK_QCOM_shader_multiple_wait_queues"}, .features = &queues, \
    .null_driver = "{\"properties\": {\"maxShaderWaitQueues\": 4}}"
MODULE(queues_few, queues_2, QUEUES)
MODULE(queues_many, queues_5, QUEUES, RUNTIME("maxShaderWaitQueues-12426"),
       .text = {"OpLoopMerge has MultipleWaitQueuesQCOM with 5, more than 4"})
MODULE(queues_many_after_iterations, queues_5_of_iterations, QUEUES,
       RUNTIME("maxShaderWaitQueues-12426"))
MODULE(queues_few_after_iterations, queues_2_of_iterations, QUEUES)

/* --- fast math -------------------------------------------------------------------------------- */

static const VkPhysicalDeviceShaderFloatControls2Features fast = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES,
    .shaderFloatControls2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features fast_small = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&fast,
    .shaderFloat16 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 fast_all = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                   .pNext = (void *)&fast_small,
                                                   .features.shaderFloat64 = VK_TRUE};
#define FAST(width_)                                                        \
    .extensions = {"VK_KHR_shader_float_controls2"}, .features = &fast_all, \
    .null_driver = "{\"properties\": {\"shaderSignedZeroInfNanPreserveFloat" #width_ "\": false}}"
MODULE(fast_halves, fast_16, FAST(16), RUNTIME("shaderSignedZeroInfNanPreserveFloat16-09560"))
MODULE(fast_halves_that_are_preserved, fast_16, FAST(32))
MODULE(fast_floats, fast_32, FAST(32), RUNTIME("shaderSignedZeroInfNanPreserveFloat32-09562"))
/* An operand counts as the result does. */
MODULE(fast_doubles, fast_64, FAST(64), RUNTIME("shaderSignedZeroInfNanPreserveFloat64-09564"))
MODULE(fast_in_all_ways, fast_whole, FAST(16))

/* --- processing of images --------------------------------------------------------------------- */

static const VkPhysicalDeviceImageProcessingFeaturesQCOM processing = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM, .textureBoxFilter = VK_TRUE,
    .textureBlockMatch = VK_TRUE};
static const VkPhysicalDeviceImageProcessing2FeaturesQCOM windows = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_2_FEATURES_QCOM,
    .pNext = (void *)&processing, .textureBlockMatch2 = VK_TRUE};
#define PROCESSING                                                                                 \
    .extensions = {"VK_QCOM_image_processing", "VK_QCOM_image_processing2"}, .features = &windows, \
    .null_driver = "{\"properties\": {\"maxBlockMatchRegion\": [8, 8], "                           \
                   "\"maxBoxFilterBlockSize\": [8, 8]}}"
MODULE(block_of_the_limit, block_8, PROCESSING)
MODULE(block_beyond, block_9, PROCESSING, RUNTIME("OpImageBlockMatchSSDQCOM-06988"),
       .text = {"the Block Size is 8x9, more than 8x8 (maxBlockMatchRegion)"})
MODULE(window_of_the_limit, window_8, PROCESSING)
MODULE(window_beyond, window_9, PROCESSING, RUNTIME("maxBlockMatchRegion-09225"))
MODULE(box_of_the_limit, box_8, PROCESSING)
MODULE(box_beyond, box_9, PROCESSING, RUNTIME("OpImageBoxFilterQCOM-06989"))
MODULE(box_of_half, box_half, PROCESSING, RUNTIME("OpImageBoxFilterQCOM-06989"),
       .text = {"the y of Box Size is 0.5, which must be 1 to 8"})

/* --- tiles ------------------------------------------------------------------------------------ */

#define TILE_FEATURES(name_, processing_)                                                         \
    static const VkPhysicalDeviceTileShadingFeaturesQCOM name_ = {                                \
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TILE_SHADING_FEATURES_QCOM,                             \
        .pNext = (void *)&processing, .tileShading = VK_TRUE, .tileShadingDispatchTile = VK_TRUE, \
        .tileShadingImageProcessing = processing_};
TILE_FEATURES(processed_tiles, VK_TRUE)
TILE_FEATURES(plain_tiles, VK_FALSE)
#define TILES                                                                                      \
    .extensions = {"VK_QCOM_tile_shading", "VK_QCOM_tile_properties", "VK_QCOM_image_processing"}, \
    .null_driver = "{\"properties\": {\"maxBoxFilterBlockSize\": [8, 8]}}"
MODULE(tile_filtered, tile_filtered, TILES, .features = &processed_tiles)
MODULE(tile_filtered_without_feature, tile_filtered, TILES, .features = &plain_tiles,
       RUNTIME("tileShadingImageProcessing-10712"))
MODULE(tile_pointed_into, tile_pointer, TILES, .features = &plain_tiles, RUNTIME("OpImage-10706"))

/* --- interpolation ---------------------------------------------------------------------------- */

static const VkPhysicalDeviceFeatures2 interpolated = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                       .features = {.sampleRateShading = VK_TRUE}};
static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR coarse = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)&interpolated, .pipelineFragmentShadingRate = VK_TRUE};
#define OFFSETS                                                       \
    .features = &interpolated,                                        \
    .null_driver = "{\"limits\": {\"minInterpolationOffset\": -0.5, " \
                   "\"maxInterpolationOffset\": 0.4375, \"subPixelInterpolationOffsetBits\": 4}}"
MODULE(interpolated_inside, interpolate_inside, OFFSETS)
MODULE(interpolated_left, interpolate_left, OFFSETS, RUNTIME("Offset-06344"),
       .text = {"InterpolateAtOffset has an offset of -0.75 in x, less than -0.5"})
MODULE(interpolated_right, interpolate_right, OFFSETS, RUNTIME("Offset-06345"))
MODULE(interpolated_above, interpolate_above, OFFSETS, RUNTIME("Offset-06346"))
MODULE(interpolated_below, interpolate_below, OFFSETS, RUNTIME("Offset-06347"),
       .text = {"InterpolateAtOffset has an offset of 0.5 in y, more than 0.4375"})
/* A fragment may be larger than a pixel. */
MODULE(interpolated_in_a_coarse_fragment, interpolate_left,
       .extensions = {"VK_KHR_fragment_shading_rate"}, .features = &coarse)
