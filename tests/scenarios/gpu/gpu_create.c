/* GPU-assisted validation is switched on: what devices it needs, and what it tells of those that
 * lack something. */
#include "scenario.h"

#define GPU     "assay.gpuav_enable = true\n"
#define WARNING "UNASSIGNED-GPU-Assisted-Validation"

SCENARIO(device_without_addresses, .drivers = NULL_DRIVER, .settings_file = GPU,
         .expect = {WARNING}, .null_driver = "{\"features\": {\"bufferDeviceAddress\": false}}",
         .text = {"No shader is instrumented: the device has no buffer device addresses (the "
                  "bufferDeviceAddress feature), by which shaders would report"},
         .ours_only = true)
{
    EXPECT_EQUAL(seen_count(b, WARNING), 1);
}

SCENARIO(device_without_fragment_stores, .drivers = NULL_DRIVER, .settings_file = GPU,
         .expect = {WARNING},
         .null_driver = "{\"features\": {\"fragmentStoresAndAtomics\": false}}",
         .text = {"Fragment shaders are not instrumented: the device does not have "
                  "fragmentStoresAndAtomics, so that these could not report"},
         .ours_only = true)
{
}

SCENARIO(device_without_stores, .drivers = NULL_DRIVER, .settings_file = GPU, .expect = {WARNING},
         .null_driver = "{\"features\": {\"fragmentStoresAndAtomics\": false, "
                        "\"vertexPipelineStoresAndAtomics\": false}}",
         .text = {"Vertex, tessellation, geometry and fragment shaders are not instrumented: the "
                  "device does not have vertexPipelineStoresAndAtomics and "
                  "fragmentStoresAndAtomics, so that these could not report"},
         .ours_only = true)
{
}

SCENARIO(device_with_all, .settings_file = GPU)
{
}

/* The instance goes down as one of 1.1, and the device with the extension. */
SCENARIO(program_of_1_0, .settings_file = GPU, .api_version = VK_API_VERSION_1_0)
{
}

static const VkPhysicalDeviceVulkan12Features all_of_1_2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .timelineSemaphore = VK_TRUE};
SCENARIO(program_with_features_of_1_2, .settings_file = GPU, .features = &all_of_1_2)
{
}

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
SCENARIO(program_with_addresses, .settings_file = GPU, .features = &addresses)
{
}

SCENARIO(robustness_forced, .settings_file = GPU "assay.gpuav_force_on_robustness = true\n")
{
}

SCENARIO(expression_that_is_none,
         .settings_file = GPU "assay.gpuav_shaders_to_instrument = ([a-z\n", .expect = {WARNING},
         .text = {"The setting gpuav_shaders_to_instrument has \"([a-z\", which is not a regular "
                  "expression ("},
         .ours_only = true)
{
}

/* --- maxBoundDescriptorSets --- */

static void expect_sets(struct baseline *b, bool reserve, uint32_t sets)
{
    const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT};
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = reserve ? 2 : 1,
                                              .pEnabledValidationFeatures = enables};
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceProperties2 properties2 = {.sType =
                                                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    world_start(b, &features);
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties2);
    EXPECT_EQUAL(properties.limits.maxBoundDescriptorSets, sets);
    EXPECT_EQUAL(properties2.properties.limits.maxBoundDescriptorSets, sets);
    EXPECT_EQUAL(properties.limits.maxPushConstantsSize, reserve ? 248 : 256);
}

#define NINE_SETS                                                                                  \
    .drivers = NULL_DRIVER, .start = START_NOTHING,                                                \
    .null_driver = "{\"limits\": {\"maxBoundDescriptorSets\": 9, \"maxPushConstantsSize\": 256}}", \
    .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME}, .ours_only = true

SCENARIO(slot_reserved, NINE_SETS)
{
    expect_sets(b, true, 8);
}

/* The slot that was reserved is the layer's. */
SCENARIO(slot_reserved_is_used, NINE_SETS, .expect = {"VUID-VkPushConstantRange-size-00298"},
         .text = {"248"})
{
    expect_sets(b, true, 8);
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 256};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    create_pipeline_layout(b, &info);
}

SCENARIO(slot_reserved_for_nothing, .start = START_NOTHING, .drivers = NULL_DRIVER,
         .ours_only = true, .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME},
         .expect = {"VUID-VkValidationFeaturesEXT-pEnabledValidationFeatures-02967"},
         .proceed = true)
{
    const VkValidationFeatureEnableEXT enable =
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT;
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = &enable};
    world_start(b, &features);
}

SCENARIO(slot_not_reserved, NINE_SETS)
{
    expect_sets(b, false, 9);
}

/* --- a layer below (scenarios --below) --- */

/* Silence elsewhere proves something only where a mistake that comes down is heard. */
SCENARIO(mistake_goes_down, .settings_file = GPU, .proceed = true,
         .expect = {"VUID-VkBufferCreateInfo-size-00912"})
{
    VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    create_buffer(b, &info);
    EXPECT(below_says(b, "VUID-VkBufferCreateInfo-size-00912"));
}
