/* Matrices of cooperative vectors that are converted (VK_NV_cooperative_vector), and questions
 * about cooperative matrices (VK_EXT_cooperative_matrix_maintenance1). */
#include "scenario.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV,
    .pNext = (void *)&addresses,
    .cooperativeVector = VK_TRUE};
/* The device has halves, doubles and bytes, beside floats, which all devices have. */
#define VECTORS                                                           \
    .drivers = NULL_DRIVER, .features = &vectors,                         \
    .extensions = {"VK_NV_cooperative_vector", "VK_KHR_shader_bfloat16"}, \
    .null_driver = "{\"listFormats\": true}"
#define INFO(id_) .expect = {"VUID-VkConvertCooperativeVectorMatrixInfoNV-" id_}

/* A matrix of 4 rows and 8 columns: floats by rows, to halves by columns. */
struct conversion {
    VkConvertCooperativeVectorMatrixInfoNV info;
    size_t size; /* of the result */
    VkDeviceAddress address;
    uint8_t bytes[1024];
};

static void start_conversion(struct conversion *c)
{
    c->size = 8 * 8;
    c->info = (VkConvertCooperativeVectorMatrixInfoNV){
        .sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV,
        .srcSize = 4 * 32,
        .pDstSize = &c->size,
        .srcComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR,
        .dstComponentType = VK_COMPONENT_TYPE_FLOAT16_KHR,
        .numRows = 4,
        .numColumns = 8,
        .srcLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
        .srcStride = 32,
        .dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV,
        .dstStride = 8};
}

/* --- on the host --- */

#define ON_HOST(name_, change_, ...)                                             \
    SCENARIO(name_, VECTORS, ##__VA_ARGS__)                                      \
    {                                                                            \
        struct conversion made = {.size = 0}, *c = &made;                        \
        start_conversion(c);                                                     \
        c->info.srcData.hostAddress = c->bytes;                                  \
        c->info.dstData.hostAddress = c->bytes + 512;                            \
        change_;                                                                 \
        DEVICE_PROC(b, vkConvertCooperativeVectorMatrixNV)(b->device, &c->info); \
    }
#define HOST(id_) .expect = {"VUID-vkConvertCooperativeVectorMatrixNV-pInfo-" id_}
ON_HOST(converted_on_the_host, )
/* Only the size is asked for. */
ON_HOST(converted_size, (c->info.dstData.hostAddress = NULL, c->size = 0))
ON_HOST(converted_with_gaps, (c->info.srcStride = 36, c->info.srcSize = 3 * 36 + 32))
ON_HOST(converted_with_overlapping_rows, (c->info.srcStride = 28), INFO("srcLayout-10077"),
        .text = {"is 28, but a row or column has 32 bytes, 4 each"})
ON_HOST(converted_with_odd_gaps, (c->info.srcStride = 34, c->info.srcSize = 3 * 34 + 32),
        INFO("srcLayout-10077"))
ON_HOST(converted_to_overlapping_columns, c->info.dstStride = 6, INFO("dstLayout-10078"))
/* Such a layout has no stride that counts. */
ON_HOST(converted_to_optimal,
        (c->info.dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV,
         c->info.dstStride = 1))
ON_HOST(converted_from_integers, (c->info.srcComponentType = VK_COMPONENT_TYPE_SINT8_KHR),
        INFO("srcComponentType-10081"))
ON_HOST(converted_to_doubles,
        (c->info.dstComponentType = VK_COMPONENT_TYPE_FLOAT64_KHR, c->info.dstStride = 32,
         c->size = 256),
        INFO("srcComponentType-10081"))
/* A matrix whose type stays the same may be of any type. */
ON_HOST(converted_integers,
        (c->info.srcComponentType = c->info.dstComponentType = VK_COMPONENT_TYPE_SINT8_KHR))
ON_HOST(converted_from_too_little, c->info.srcSize = 127, HOST("10074"),
        .text = {"is 127, but the matrix takes 128 bytes"})
ON_HOST(converted_to_too_little, c->size = 63, HOST("10075"))
ON_HOST(converted_in_place, c->info.dstData.hostAddress = c->bytes + 127, HOST("10076"))

ON_HOST(converted_from_unlisted,
        (c->info.srcComponentType = VK_COMPONENT_TYPE_BFLOAT16_KHR, c->info.srcStride = 16),
        INFO("srcComponentType-10079"))
ON_HOST(converted_to_unlisted, c->info.dstComponentType = VK_COMPONENT_TYPE_BFLOAT16_KHR,
        INFO("dstComponentType-10080"))

/* --- on the device --- */

static void start_on_device(struct baseline *b, struct conversion *c)
{
    start_conversion(c);
    c->address = buffer_address(b, make_buffer(b, 4096, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
    c->info.srcData.deviceAddress = c->address;
    c->info.dstData.deviceAddress = c->address + 128;
}
#define ON_DEVICE(name_, change_, ...)                                                      \
    SCENARIO(name_, VECTORS, ##__VA_ARGS__)                                                 \
    {                                                                                       \
        struct conversion made = {.size = 0}, *c = &made;                                   \
        start_on_device(b, c);                                                              \
        VkConvertCooperativeVectorMatrixInfoNV infos[2] = {c->info, c->info};               \
        infos[1].dstData.deviceAddress = c->address + 256;                                  \
        change_;                                                                            \
        DEVICE_PROC(b, vkCmdConvertCooperativeVectorMatrixNV)(make_recording(b), 2, infos); \
    }
#define DEVICE(id_) .expect = {"VUID-vkCmdConvertCooperativeVectorMatrixNV-" id_}
/* One matrix is read twice. */
ON_DEVICE(converted_on_the_device, )
ON_DEVICE(converted_from_nowhere, infos[0].srcData.deviceAddress = 64, DEVICE("pInfo-10083"))
ON_DEVICE(converted_to_nowhere, infos[0].dstData.deviceAddress = 64, DEVICE("pInfo-10895"))
ON_DEVICE(converted_from_a_misaligned_one, infos[0].srcData.deviceAddress = c->address + 1040,
          DEVICE("pInfo-10084"))
ON_DEVICE(converted_to_a_misaligned_one, infos[0].dstData.deviceAddress = c->address + 1040,
          DEVICE("pInfo-10085"))
ON_DEVICE(converted_from_too_little_there, infos[1].srcSize = 127, DEVICE("pInfo-10086"))
ON_DEVICE(converted_to_too_little_there, c->size = 63, DEVICE("pInfo-10087"))
ON_DEVICE(converted_onto_another, infos[1].dstData.deviceAddress = c->address + 128,
          DEVICE("None-10088"), .text = {"overlaps dstData of pInfos[0]"})
ON_DEVICE(converted_onto_what_is_read, infos[1].dstData.deviceAddress = c->address + 64,
          DEVICE("None-10088"))
ON_DEVICE(converted_beside_another, infos[1].dstData.deviceAddress = c->address + 192)

/* --- questions about cooperative matrices --- */

#define MATRICES(name_, change_, ...)                                                 \
    SCENARIO(name_, .drivers = NULL_DRIVER, ##__VA_ARGS__)                            \
    {                                                                                 \
        VkPhysicalDeviceCooperativeMatrixInfo2EXT info = {                            \
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT, \
            .scope = VK_SCOPE_SUBGROUP_KHR};                                          \
        uint32_t count = 0;                                                           \
        change_;                                                                      \
        INSTANCE_PROC(b, vkGetPhysicalDeviceCooperativeMatrixProperties2EXT)          \
        (b->physical_device, &info, &count, NULL);                                    \
    }
#define MATRIX(id_) .expect = {"VUID-VkPhysicalDeviceCooperativeMatrixInfo2EXT-" id_}
#define SIZES                                                                                  \
    "\"properties\": {\"minSubgroupSize\": 8, \"maxSubgroupSize\": 32, \"subgroupSize\": 16, " \
    "\"cooperativeMatrixWorkgroupScopeMaxWorkgroupSize\": 128}"
#define SIZED     .null_driver = "{" SIZES "}"
#define WORKGROUP (info.scope = VK_SCOPE_WORKGROUP_KHR, info.subgroupSize = 0)
MATRICES(matrices_of_any_subgroup, , SIZED)
MATRICES(matrices_of_the_smallest_subgroup, info.subgroupSize = 8, SIZED)
MATRICES(matrices_of_the_largest_subgroup, info.subgroupSize = 32, SIZED)
MATRICES(matrices_of_too_small_a_subgroup, info.subgroupSize = 4, SIZED, MATRIX("scope-13375"))
MATRICES(matrices_of_too_large_a_subgroup, info.subgroupSize = 64, SIZED, MATRIX("scope-13376"))
MATRICES(matrices_of_another_subgroup, info.subgroupSize = 8,
         .null_driver = "{\"features\": {\"subgroupSizeControl\": false}, " SIZES "}",
         MATRIX("scope-13377"))
MATRICES(matrices_of_the_only_subgroup, info.subgroupSize = 16,
         .null_driver = "{\"features\": {\"subgroupSizeControl\": false}, " SIZES "}")
MATRICES(matrices_of_the_largest_workgroup, (WORKGROUP, info.invocations = 128), SIZED)
MATRICES(matrices_of_too_large_a_workgroup, (WORKGROUP, info.invocations = 256), SIZED,
         MATRIX("scope-13380"))
MATRICES(matrices_of_invocations_of_a_subgroup, info.invocations = 32, SIZED,
         MATRIX("invocations-13381"))
MATRICES(matrices_of_workgroups_without_support, (WORKGROUP, info.invocations = 32),
         .null_driver = "{\"features\": {\"cooperativeMatrixWorkgroupScope\": false}}",
         MATRIX("cooperativeMatrixWorkgroupScope-13373"))
MATRICES(matrices_without_support, ,
         .null_driver = "{\"features\": {\"cooperativeMatrixProperties2\": false}}",
         .expect = {"VUID-vkGetPhysicalDeviceCooperativeMatrixProperties2EXT-"
                    "cooperativeMatrixProperties2-13371"})
