/* Checks that a sampler or a Y'CbCr conversion may be created and destroyed (13 "Samplers"). */
#include "report/finding/rule.h"
#include "state/descriptor/sampler.h"

#include <inttypes.h>
#include <math.h>

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/memory/mapping.h"
#include "state/pipeline/pipeline.h"
#include "state/submit/queue.h"
#include "vk/chain.h"

/* The conversion of a chained VkSamplerYcbcrConversionInfo, or VK_NULL_HANDLE. Sampler Y'CbCr
 * conversion is enabled if the structure has one. */
static VkSamplerYcbcrConversion ycbcr_conversion(const VkSamplerCreateInfo *info)
{
    const VkSamplerYcbcrConversionInfo *ycbcr =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    return ycbcr ? ycbcr->conversion : VK_NULL_HANDLE;
}

static bool is_custom_border(VkBorderColor color)
{
    return color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT;
}

static bool is_cubic(const VkSamplerCreateInfo *info)
{
    return info->magFilter == VK_FILTER_CUBIC_EXT || info->minFilter == VK_FILTER_CUBIC_EXT;
}

/* Checks a sampler for VK_QCOM_image_processing. */
static bool check_image_processing(struct call *call, const VkSamplerCreateInfo *info,
                                   const struct location *where)
{
    static const char because[] = "flags has VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM";
    bool border = info->addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
                  info->addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_06968, !border || info->borderColor == VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
            "borderColor",
            "is %s, but %s and an address mode is VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, "
            "which needs VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK",
            value_text(VALUES_VkBorderColor, info->borderColor).text, because);
    return s.skip;
}

/* Checks the LOD bias and the anisotropy. */
static bool check_lod_and_anisotropy(struct call *call, const VkSamplerCreateInfo *info,
                                     const struct location *where)
{
    float most = call->device->properties.limits.maxSamplerLodBias;
    /* the absolute value of mipLodBias must be less than or equal to maxSamplerLodBias */
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_01069, fabsf(info->mipLodBias) <= most, "mipLodBias",
            "is %g, further from 0 than maxSamplerLodBias, %g", (double)info->mipLodBias,
            (double)most);
    return s.skip;
}

/* Checks that MIRROR_CLAMP_TO_EDGE is only used if it is enabled. True: the call is to be
 * skipped. */
static bool check_address_modes(struct call *call, const VkSamplerCreateInfo *info,
                                const struct location *where)
{
    static const char *const names[] = {"addressModeU", "addressModeV", "addressModeW"};
    const VkSamplerAddressMode modes[] = {info->addressModeU, info->addressModeV,
                                          info->addressModeW};
    if (device_has_feature(call->device, FEATURE_samplerMirrorClampToEdge) ||
        extension_set_has(&call->device->named_extensions,
                          EXTENSION_VK_KHR_sampler_mirror_clamp_to_edge))
        return false;
    /* "If unnormalizedCoordinates is VK_TRUE, addressModeW is ignored." */
    uint32_t count = info->unnormalizedCoordinates ? 2 : 3;
    struct subject s = {.call = call, .where = where};
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(&s, RULE_01079, modes[i] != VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, names[i],
                "is VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, but neither the feature "
                "samplerMirrorClampToEdge nor VK_KHR_sampler_mirror_clamp_to_edge is enabled");
    return s.skip;
}

/* Checks a reduction mode other than the weighted average against the other members. True: the call
 * is to be skipped. */
static bool check_reduction(struct call *call, const VkSamplerCreateInfo *info,
                            const struct location *where)
{
    const VkSamplerReductionModeCreateInfo *reduction =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    if (!reduction || reduction->reductionMode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        return false;
    const struct location chained = LOCATION_CHAINED(where, "VkSamplerReductionModeCreateInfo"),
                          at = LOCATION(&chained, "reductionMode");
    const struct value_text mode =
        value_text(VALUES_VkSamplerReductionMode, reduction->reductionMode);
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_06726,
            device_has_feature(call->device, FEATURE_samplerFilterMinmax) ||
                extension_set_has(&call->device->named_extensions,
                                  EXTENSION_VK_EXT_sampler_filter_minmax),
            &at, "is %s, but the feature samplerFilterMinmax is not enabled", mode.text);
    REQUIRE(&s, RULE_01647, !ycbcr_conversion(info), &at,
            "is %s, but the sampler has a Y'CbCr conversion", mode.text);
    /* if VK_EXT_filter_cubic is not enabled and either filter is VK_FILTER_CUBIC_IMG */
    if (!call_has_extension(call, EXTENSION_VK_EXT_filter_cubic))
        REQUIRE(&s, RULE_07911, !is_cubic(info), &at,
                "is %s, but a filter is VK_FILTER_CUBIC_IMG and VK_EXT_filter_cubic "
                "is not enabled",
                mode.text);
    return s.skip;
}

/* Checks a sampler with a Y'CbCr conversion. Nothing is checked without one. True: the call is to
 * be skipped. */
static bool check_ycbcr(struct call *call, const VkSamplerCreateInfo *info,
                        const struct location *where)
{
    VkSamplerYcbcrConversion handle = ycbcr_conversion(info);
    const struct sampler_ycbcr_conversion *conversion =
        handle ? find_sampler_ycbcr_conversion(call, handle) : NULL;
    if (!handle)
        return false;
    const struct finding_objects *objects = OBJECT(HANDLE_SAMPLER_YCBCR_CONVERSION, handle);
    static const char *const names[] = {"addressModeU", "addressModeV", "addressModeW"};
    const VkSamplerAddressMode modes[] = {info->addressModeU, info->addressModeV,
                                          info->addressModeW};
    struct subject s = {.call = call, .where = where, .objects = objects};
    for (uint32_t i = 0; i < ARRAY_LENGTH(modes); i++)
        REQUIRE(&s, RULE_01646, modes[i] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, names[i],
                "is %s, but a sampler with a Y'CbCr conversion needs "
                "VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
                value_text(VALUES_VkSamplerAddressMode, modes[i]).text);
    REQUIRE(&s, RULE_01646, !info->anisotropyEnable, "anisotropyEnable",
            "is VK_TRUE, and the sampler has a Y'CbCr conversion");
    REQUIRE(&s, RULE_01646, !info->unnormalizedCoordinates, "unnormalizedCoordinates",
            "is VK_TRUE, and the sampler has a Y'CbCr conversion");
    if (!conversion || !format_info(conversion->info.format) ||
        format_potential_features(call->device, conversion->info.format) &
            VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT)
        return s.skip;
    VkFilter chroma = conversion->info.chromaFilter;
    REQUIRE(&s, RULE_01645, info->minFilter == chroma && info->magFilter == chroma,
            info->minFilter == chroma ? "magFilter" : "minFilter",
            "is %s, but the conversion's chromaFilter is %s and %s cannot be filtered "
            "separately from its reconstruction",
            value_text(VALUES_VkFilter,
                       info->minFilter == chroma ? info->magFilter : info->minFilter)
                .text,
            value_text(VALUES_VkFilter, chroma).text,
            value_text(VALUES_VkFormat, conversion->info.format).text);
    return s.skip;
}

/* The first component of a custom border color that its format cannot represent; 4: there is none.
 * Only what is certain counts: fractions, and integers of 8 and 16 bits. */
static uint32_t border_component(const VkSamplerCustomBorderColorCreateInfoEXT *custom)
{
    const struct format_info *format = format_info(custom->format);
    const VkClearColorValue *color = &custom->customBorderColor;
    uint32_t i = 0;
    if (!format || format_is_depth_stencil(custom->format))
        return 4;
    for (bool good = true; i < 4; i++) {
        const uint32_t bits = format->bits[i];
        if (!bits || bits > 32)
            continue;
        switch (format->numeric) {
        case FORMAT_NUMERIC_UNORM:
        case FORMAT_NUMERIC_SRGB:
            good = !(color->float32[i] < 0.0f || color->float32[i] > 1.0f);
            break;
        case FORMAT_NUMERIC_SNORM:
            good = !(color->float32[i] < -1.0f || color->float32[i] > 1.0f);
            break;
        case FORMAT_NUMERIC_UINT:
            good = bits == 32 || !(color->uint32[i] >> bits);
            break;
        case FORMAT_NUMERIC_SINT:
            good = bits == 32 ||
                   (color->int32[i] >= -(1 << (bits - 1)) && color->int32[i] < 1 << (bits - 1));
            break;
        default:
            break;
        }
        if (!good)
            break;
    }
    return i;
}

/* Checks that a custom border color has the type of its format. True: the call is to be skipped. */
static bool check_border_format(struct call *call, VkBorderColor color,
                                const VkSamplerCustomBorderColorCreateInfoEXT *custom,
                                const struct location *where)
{
    const struct location at = LOCATION(where, "format");
    if (!format_info(custom->format) || format_is_depth_stencil(custom->format) ||
        !is_custom_border(color))
        return false;
    /* the borderColor type must match the sampled type of the format */
    bool integer = color == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_07605, format_is_integer(custom->format) == integer, &at,
            "is %s, which does not have the type of borderColor, %s",
            value_text(VALUES_VkFormat, custom->format).text,
            value_text(VALUES_VkBorderColor, color).text);
    const uint32_t component = s.wrong ? 4 : border_component(custom);
    REQUIRE(&s, RULE_04442, component == 4, &LOCATION(where, "customBorderColor"),
            "has in component %u a value that %s cannot represent", component,
            value_text(VALUES_VkFormat, custom->format).text);
    return s.skip;
}

/* Checks a custom border color, and that the device allows one more. True: the call is to be
 * skipped. */
static bool check_border(struct call *call, const VkSamplerCreateInfo *info,
                         const struct location *where)
{
    const VkSamplerCustomBorderColorCreateInfoEXT *custom =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    struct subject s = {.call = call};
    if (custom)
        s.skip |= check_border_format(call, info->borderColor, custom,
                                      &LOCATION_CHAINED(where,
                                                        "VkSamplerCustomBorderColorCreateInfoEXT"));
    /* Without the feature, 04085 reports the color, and the call does not reach the driver. */
    if (!is_custom_border(info->borderColor) ||
        !device_has_feature(call->device, FEATURE_customBorderColors))
        return s.skip;
    const struct location at = LOCATION(where, "borderColor");
    const struct value_text color = value_text(VALUES_VkBorderColor, info->borderColor);
    REQUIRE(&s, STOPS(RULE_04011), custom, &at,
            "is %s, but the pNext chain has no VkSamplerCustomBorderColorCreateInfoEXT",
            color.text);
    /* maxCustomBorderColorSamplers: how many can be created simultaneously */
    uint32_t most =
        call->device->extended.CustomBorderColorPropertiesEXT.maxCustomBorderColorSamplers;
    const struct device_state *device = object_load_state(call->device->object);
    uint32_t count =
        device ? atomic_load_explicit(&device->custom_border_samplers, memory_order_relaxed) : 0;
    REQUIRE(&s, RULE_04012, !most || count < most, &at,
            "is %s, but %u samplers with custom border colors exist already, as many "
            "as maxCustomBorderColorSamplers allows",
            color.text, count);
    return s.skip;
}

/* Checks the size of a block match window, if the chain has one. True: the call is to be
 * skipped. */
static bool check_block_match_window(struct call *call, const VkSamplerCreateInfo *info,
                                     const struct location *where)
{
    const VkSamplerBlockMatchWindowCreateInfoQCOM *window =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_BLOCK_MATCH_WINDOW_CREATE_INFO_QCOM);
    VkExtent2D largest = call->device->extended.ImageProcessing2PropertiesQCOM.maxBlockMatchWindow;
    struct subject s = {.call = call};
    if (window)
        REQUIRE(&s, RULE_09210,
                window->windowExtent.width <= largest.width &&
                    window->windowExtent.height <= largest.height,
                &LOCATION(&LOCATION_CHAINED(where, "VkSamplerBlockMatchWindowCreateInfoQCOM"),
                          "windowExtent"),
                "is %u x %u, larger than maxBlockMatchWindow, %u x %u", window->windowExtent.width,
                window->windowExtent.height, largest.width, largest.height);
    return s.skip;
}

/* True if a stage of descriptor heaps has an embedded sampler. NULL: it has no mappings. */
static bool has_embedded(const struct stage_mappings *mappings)
{
    for (uint32_t i = 0; mappings && i < mappings->count; i++) {
        if (mappings->list[i].embedded)
            return true;
    }
    return false;
}

/* Notes that a pipeline or shader object has an embedded sampler. `context`: a bool, which is set.
 * object_for_each_owned() calls it. */
static void look_for_embedded(struct object *object, void *context)
{
    const struct pipeline *pipeline = object_load_state_typed(object, HANDLE_PIPELINE);
    const struct shader_object *shader = object_load_state_typed(object, HANDLE_SHADER_EXT);
    bool *found = context;
    if (shader && shader->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT)
        *found |= has_embedded(shader->mappings);
    for (uint32_t i = 0; pipeline && i < pipeline->stage_count &&
                         pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT;
         i++)
        *found |= has_embedded(pipeline->stage[i].mappings);
}

/* Checks that embedded samplers leave room for another sampler. */
static void check_room_beside_embedded(struct subject *s, const struct device_state *state,
                                       uint32_t most)
{
    const VkPhysicalDeviceDescriptorHeapPropertiesEXT *heaps =
        &s->call->device->extended.DescriptorHeapPropertiesEXT;
    const VkDeviceSize size = heaps->samplerDescriptorSize,
                       taken = size ? heaps->minSamplerHeapReservedRangeWithEmbedded / size : 0;
    bool embedded = false;
    if (likely(!taken) || taken > most || !state ||
        !spread_count_reaches(&state->samplers, most - taken))
        return;
    /* The walk is slow, but few programs have that many samplers. */
    object_for_each_owned(s->call->device->owner, look_for_embedded, &embedded);
    REQUIRE(s, VUID_vkCreateSampler_maxSamplerAllocationCount_11412, !embedded, NULL,
            "%" PRIu64 " samplers exist already, and a pipeline or shader object has an embedded "
            "sampler, but maxSamplerAllocationCount - minSamplerHeapReservedRangeWithEmbedded / "
            "samplerDescriptorSize is %" PRIu64,
            spread_count_sum(&state->samplers), most - taken);
}

bool core_validate_CreateSampler(struct call *call, VkDevice device,
                                 const VkSamplerCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const VkSamplerCreateInfo *info = pCreateInfo;
    /* there must be less than maxSamplerAllocationCount VkSampler objects currently created on the
     * device */
    const struct device_state *state = object_load_state(call->device->object);
    uint32_t most = call->device->properties.limits.maxSamplerAllocationCount;
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_04110, !state || !spread_count_reaches(&state->samplers, most), NULL,
            "%" PRIu64 " samplers exist already, as many as maxSamplerAllocationCount allows",
            spread_count_sum(&state->samplers));
    if (!s.wrong)
        check_room_beside_embedded(&s, state, most);
    s.skip |= check_lod_and_anisotropy(call, info, &where);
    s.skip |= check_address_modes(call, info, &where);
    s.skip |= check_reduction(call, info, &where);
    s.skip |= check_ycbcr(call, info, &where);
    s.skip |= check_border(call, info, &where);
    s.skip |= check_block_match_window(call, info, &where);
    if (info->flags & VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM)
        s.skip |= check_image_processing(call, info, &where);
    return s.skip;
}

bool core_validate_DestroySampler(struct call *call, VkDevice device, VkSampler sampler,
                                  const VkAllocationCallbacks *pAllocator)
{
    const struct sampler *state = named_sampler(call, 0, sampler);
    return state && in_use_through_check(call, &state->base, VUID_vkDestroySampler_sampler_01082,
                                         &LOCATION(NULL, "sampler"));
}

bool core_validate_RegisterCustomBorderColorEXT(struct call *call, VkDevice device,
                                                const VkSamplerCustomBorderColorCreateInfoEXT
                                                    *pBorderColor,
                                                VkBool32 requestIndex, uint32_t *pIndex)
{
    uint32_t most =
        call->device->extended.CustomBorderColorPropertiesEXT.maxCustomBorderColorSamplers;
    struct subject s = {.call = call};
    if (requestIndex && pIndex)
        REQUIRE(&s, RULE_11287, *pIndex < most, "pIndex",
                "points to %u, not less than maxCustomBorderColorSamplers, %u", *pIndex, most);
    return s.skip;
}

/* --- Y'CbCr conversions --- */

/* True if the swizzle keeps the component `own`, or takes `other`, which has the same meaning. */
static bool is_swizzle(VkComponentSwizzle swizzle, VkComponentSwizzle own, VkComponentSwizzle other)
{
    return swizzle == VK_COMPONENT_SWIZZLE_IDENTITY || swizzle == own || swizzle == other;
}

/* Checks the components for a format with a _422 or _420 suffix. */
static bool check_components(struct call *call, const VkSamplerYcbcrConversionCreateInfo *info,
                             const struct location *where)
{
    const struct location at = LOCATION(where, "components");
    const VkComponentMapping *c = &info->components;
    const struct value_text format = value_text(VALUES_VkFormat, info->format);
    struct subject s = {.call = call, .where = &at};
    REQUIRE(&s, RULE_02581, is_swizzle(c->g, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_G), "g",
            "is %s, but with %s it must be the identity swizzle",
            value_text(VALUES_VkComponentSwizzle, c->g).text, format.text);
    REQUIRE(&s, RULE_02582,
            is_swizzle(c->a, VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_ONE) ||
                c->a == VK_COMPONENT_SWIZZLE_ZERO,
            "a", "is %s, but with %s it must be the identity swizzle, one or zero",
            value_text(VALUES_VkComponentSwizzle, c->a).text, format.text);
    REQUIRE(&s, RULE_02583, is_swizzle(c->r, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_B), "r",
            "is %s, but with %s it must be the identity swizzle or VK_COMPONENT_SWIZZLE_B",
            value_text(VALUES_VkComponentSwizzle, c->r).text, format.text);
    REQUIRE(&s, RULE_02584, is_swizzle(c->b, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_R), "b",
            "is %s, but with %s it must be the identity swizzle or VK_COMPONENT_SWIZZLE_R",
            value_text(VALUES_VkComponentSwizzle, c->b).text, format.text);
    bool r = is_swizzle(c->r, VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_R),
         b = is_swizzle(c->b, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_B);
    REQUIRE(&s, RULE_02585, r == b, &at,
            "has r %s and b %s: when one of them is the identity swizzle, both must be",
            value_text(VALUES_VkComponentSwizzle, c->r).text,
            value_text(VALUES_VkComponentSwizzle, c->b).text);
    return s.skip;
}

/* The number of bits of the format's component that becomes component `own` (0 to 3 for r to a). 0:
 * it becomes a constant. */
static uint32_t swizzled_bits(const struct format_info *format, VkComponentSwizzle swizzle,
                              uint32_t own)
{
    assert(own < ARRAY_LENGTH(format->bits));
    if (swizzle == VK_COMPONENT_SWIZZLE_IDENTITY)
        return format->bits[own];
    return swizzle >= VK_COMPONENT_SWIZZLE_R && swizzle <= VK_COMPONENT_SWIZZLE_A
               ? format->bits[swizzle - VK_COMPONENT_SWIZZLE_R]
               : 0;
}

/* Checks that the format has enough bits for the components that a conversion reads. True: the call
 * is to be skipped. */
static bool check_model(struct call *call, const VkSamplerYcbcrConversionCreateInfo *info,
                        const struct format_info *format, const struct location *where)
{
    assert(format);
    static const char *const names[] = {"r", "g", "b"};
    const VkComponentSwizzle swizzles[] = {info->components.r, info->components.g,
                                           info->components.b};
    const struct location at = LOCATION(where, "components");
    struct subject s = {.call = call, .where = where};
    /* With this model "the ycbcrRange field of VkSamplerYcbcrConversionCreateInfo is ignored". */
    bool identity = info->ycbcrModel == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t bits = swizzled_bits(format, swizzles[i], i);
        if (!identity)
            REQUIRE(&s, RULE_01655, bits, &LOCATION(&at, names[i]),
                    "is %s, which is not a component of %s, but ycbcrModel is %s",
                    value_text(VALUES_VkComponentSwizzle, swizzles[i]).text,
                    value_text(VALUES_VkFormat, info->format).text,
                    value_text(VALUES_VkSamplerYcbcrModelConversion, info->ycbcrModel).text);
        if (!identity && info->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW && bits)
            REQUIRE(&s, RULE_02748, bits >= 8, "ycbcrRange",
                    "is VK_SAMPLER_YCBCR_RANGE_ITU_NARROW, but component %s has %u bits in %s",
                    names[i], bits, value_text(VALUES_VkFormat, info->format).text);
    }
    return s.skip;
}

/* Checks the chroma offsets in the directions in which chroma is downsampled. `features`: the
 * features of the format. True: the call is to be skipped. */
static bool sampler_check_offsets(struct call *call, const VkSamplerYcbcrConversionCreateInfo *info,
                                  const struct format_info *format, VkFormatFeatureFlags2 features,
                                  const struct location *where)
{
    assert(format);
    const VkFormatFeatureFlags2 cosited = VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT,
                                midpoint = VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT;
    const struct value_text name = value_text(VALUES_VkFormat, info->format);
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, RULE_01650, features & (cosited | midpoint), "format",
            "is %s, which supports neither cosited nor midpoint chroma samples on this device",
            name.text);
    if (s.skip || !(features & (cosited | midpoint)))
        return s.skip;
    /* "if the corresponding components are downsampled": in x for 422 and 420, in y for 420 */
    const struct {
        const char *name;
        VkChromaLocation location;
        bool downsampled;
    } offsets[] = {
        {"xChromaOffset", info->xChromaOffset, format->chroma == 422 || format->chroma == 420},
        {"yChromaOffset", info->yChromaOffset, format->chroma == 420}};
    for (uint32_t i = 0; i < ARRAY_LENGTH(offsets); i++) {
        if (!offsets[i].downsampled)
            continue;
        if (!(features & cosited))
            REQUIRE(&s, RULE_01651, offsets[i].location != VK_CHROMA_LOCATION_COSITED_EVEN,
                    offsets[i].name,
                    "is VK_CHROMA_LOCATION_COSITED_EVEN, which %s does not support "
                    "on this device",
                    name.text);
        if (!(features & midpoint))
            REQUIRE(&s, RULE_01652, offsets[i].location != VK_CHROMA_LOCATION_MIDPOINT,
                    offsets[i].name,
                    "is VK_CHROMA_LOCATION_MIDPOINT, which %s does not support on this device",
                    name.text);
    }
    return s.skip;
}

/* Checks that the format has the features which members of a conversion require. */
static bool check_reconstruction(struct call *call, const VkSamplerYcbcrConversionCreateInfo *info,
                                 VkFormatFeatureFlags2 features, const struct location *where)
{
    const struct value_text name = value_text(VALUES_VkFormat, info->format);
    struct subject s = {.call = call, .where = where};
    if (!(features &
          VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_CHROMA_RECONSTRUCTION_EXPLICIT_FORCEABLE_BIT))
        REQUIRE(&s, RULE_01656, !info->forceExplicitReconstruction, "forceExplicitReconstruction",
                "is VK_TRUE, which %s does not support on this device", name.text);
    if (!(features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT))
        REQUIRE(&s, RULE_01657, info->chromaFilter != VK_FILTER_LINEAR, "chromaFilter",
                "is VK_FILTER_LINEAR, which %s does not support on this device", name.text);
    return s.skip;
}

/* Checks that components have 8 bits, as degamma requires. */
static bool check_degamma(struct call *call, const VkSamplerYcbcrConversionCreateInfo *info,
                          const struct format_info *format, const struct location *where)
{
    assert(format);
    struct subject s = {.call = call, .where = where};
    if (chain_find(info->pNext,
                   VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_YCBCR_DEGAMMA_CREATE_INFO_QCOM))
        REQUIRE(&s, RULE_09209,
                format->bits[0] == 8 && format->bits[1] == 8 && format->bits[2] == 8, "format",
                "is %s, whose R, G and B components do not all have 8 bits, but the pNext chain "
                "has a VkSamplerYcbcrConversionYcbcrDegammaCreateInfoQCOM",
                value_text(VALUES_VkFormat, info->format).text);
    return s.skip;
}

bool core_validate_CreateSamplerYcbcrConversion(struct call *call, VkDevice device,
                                                const VkSamplerYcbcrConversionCreateInfo
                                                    *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkSamplerYcbcrConversion *pYcbcrConversion)
{
    const VkSamplerYcbcrConversionCreateInfo *info = pCreateInfo;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    const struct format_info *format = format_info(info->format);
    struct subject s = {.call = call, .where = &where};
    /* if an external format conversion is not being created (there is no such thing on this
     * platform), format must be UNORM */
    bool unorm = format && format->numeric == FORMAT_NUMERIC_UNORM;
    REQUIRE(&s, RULE_04061, unorm, "format", "is %s, which is not an unsigned normalized format",
            value_text(VALUES_VkFormat, info->format).text);
    if (!unorm)
        return s.skip;
    VkFormatFeatureFlags2 features = format_potential_features(call->device, info->format);
    s.skip |= sampler_check_offsets(call, info, format, features, &where);
    if (format->chroma == 422 || format->chroma == 420)
        s.skip |= check_components(call, info, &where);
    s.skip |= check_model(call, info, format, &where);
    s.skip |= check_reconstruction(call, info, features, &where);
    return s.skip | check_degamma(call, info, format, &where);
}
