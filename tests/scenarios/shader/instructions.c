/* Modules with an instruction that breaks a rule, and the nearest that does not: image writes,
 * broadcasts, undefined values, streams, cooperative vectors. */
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
