/* Sets fragment shading rates: vkCmdSetFragmentShadingRateKHR and ...EnumNV. */
#include "dynamic_state/dynamic_state.h"

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR rates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE,
    .primitiveFragmentShadingRate = VK_TRUE,
    .attachmentFragmentShadingRate = VK_TRUE};
#define KEEP    VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR
#define REPLACE VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR
#define MAXIMUM VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MAX_KHR

static void set_rate(struct baseline *b, VkCommandBuffer c, uint32_t width, uint32_t height,
                     VkFragmentShadingRateCombinerOpKHR first,
                     VkFragmentShadingRateCombinerOpKHR second)
{
    const VkFragmentShadingRateCombinerOpKHR ops[2] = {first, second};
    DEVICE_PROC(b, vkCmdSetFragmentShadingRateKHR)(c, &(VkExtent2D){width, height}, ops);
}

#define RATE_MISTAKE(name_, id_, features_, ...)                                       \
    MISTAKE(name_, "vkCmdSetFragmentShadingRateKHR-" id_, set_rate(b, c, __VA_ARGS__), \
            EXTENSION("VK_KHR_fragment_shading_rate"), .drivers = NULL_DRIVER,         \
            .features = features_)

SCENARIO(shading_rates, EXTENSION("VK_KHR_fragment_shading_rate"), .drivers = NULL_DRIVER,
         .features = &rates)
{
    VkCommandBuffer c = make_recording(b);
    set_rate(b, c, 4, 4, REPLACE, MAXIMUM);
    set_rate(b, c, 1, 2, KEEP, KEEP);
}

RATE_MISTAKE(rate_without_features, "pipelineFragmentShadingRate-04509", NULL, 1, 1, KEEP, KEEP)
RATE_MISTAKE(rate_width_three, "pFragmentSize-04515", &rates, 3, 1, KEEP, KEEP)
RATE_MISTAKE(rate_height_three, "pFragmentSize-04516", &rates, 1, 3, KEEP, KEEP)

static const VkPhysicalDeviceFragmentShadingRateEnumsFeaturesNV enums = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV,
    .pNext = (void *)&rates,
    .fragmentShadingRateEnums = VK_TRUE,
    .supersampleFragmentShadingRates = VK_TRUE,
    .noInvocationFragmentShadingRates = VK_TRUE};
#define ENUMS_OF(next_)                                                                  \
    {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_ENUMS_FEATURES_NV, \
     .pNext = (void *)(next_),                                                           \
     .fragmentShadingRateEnums = VK_TRUE}

static const VkPhysicalDeviceFragmentShadingRateEnumsFeaturesNV enums_only = ENUMS_OF(NULL);

static void set_enum_rate(struct baseline *b, VkCommandBuffer c, VkFragmentShadingRateNV rate,
                          VkFragmentShadingRateCombinerOpKHR first,
                          VkFragmentShadingRateCombinerOpKHR second)
{
    const VkFragmentShadingRateCombinerOpKHR ops[2] = {first, second};
    DEVICE_PROC(b, vkCmdSetFragmentShadingRateEnumNV)(c, rate, ops);
}
#define ENUM_EXTENSIONS                                                                  \
    .extensions = {"VK_KHR_fragment_shading_rate", "VK_NV_fragment_shading_rate_enums"}, \
    .drivers = NULL_DRIVER
#define ENUM_MISTAKE(name_, id_, features_, ...)                                               \
    MISTAKE(name_, "vkCmdSetFragmentShadingRateEnumNV-" id_, set_enum_rate(b, c, __VA_ARGS__), \
            ENUM_EXTENSIONS, .features = features_)
#define ONE_EACH VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV

SCENARIO(enum_rates, ENUM_EXTENSIONS, .features = &enums)
{
    VkCommandBuffer c = make_recording(b);
    set_enum_rate(b, c, VK_FRAGMENT_SHADING_RATE_16_INVOCATIONS_PER_PIXEL_NV, REPLACE, MAXIMUM);
    set_enum_rate(b, c, VK_FRAGMENT_SHADING_RATE_NO_INVOCATIONS_NV, KEEP, KEEP);
}

ENUM_MISTAKE(enum_rate_without_feature, "fragmentShadingRateEnums-04579", &rates, ONE_EACH, KEEP,
             KEEP)
ENUM_MISTAKE(enum_rate_without_rates, "pipelineFragmentShadingRate-04580", &enums_only, ONE_EACH,
             KEEP, KEEP)
