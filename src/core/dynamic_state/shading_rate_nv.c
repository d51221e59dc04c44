/* Checks shading rate palettes and coarse sample orders of VK_NV_shading_rate_image, in commands
 * and in pipelines (28.8 "Shading Rate Image"). */
#include "core/dynamic_state/values.h"

#include "report/finding/rule.h"

bool check_shading_palettes(const struct call *call, const struct location *where, const char *name,
                            uint32_t count, const VkShadingRatePaletteNV *palettes)
{
    const VkPhysicalDeviceShadingRateImagePropertiesNV *properties =
        &call->device->extended.ShadingRateImagePropertiesNV;
    struct subject s = {.call = call};
    if (!properties->sType || pointer_is_bad(palettes))
        return false;
    /* shadingRatePaletteEntryCount must be between 1 and shadingRatePaletteSize, inclusive. (That
     * there are some is the rule of the array's length.) */
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(&s, VUID_VkShadingRatePaletteNV_shadingRatePaletteEntryCount_02071,
                palettes[i].shadingRatePaletteEntryCount <= properties->shadingRatePaletteSize,
                &LOCATION(&LOCATION_INDEX(where, name, i), "shadingRatePaletteEntryCount"),
                "is %u, but shadingRatePaletteSize is %u", palettes[i].shadingRatePaletteEntryCount,
                properties->shadingRatePaletteSize);
    return s.skip;
}

/* The size of a fragment in pixels; 1x1 for rates of at least one invocation per pixel, and for
 * unknown rates. */
static VkExtent2D fragment_size(VkShadingRatePaletteEntryNV rate)
{
    switch (rate) {
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X1_PIXELS_NV:
        return (VkExtent2D){2, 1};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_1X2_PIXELS_NV:
        return (VkExtent2D){1, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X2_PIXELS_NV:
        return (VkExtent2D){2, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_4X2_PIXELS_NV:
        return (VkExtent2D){4, 2};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_2X4_PIXELS_NV:
        return (VkExtent2D){2, 4};
    case VK_SHADING_RATE_PALETTE_ENTRY_1_INVOCATION_PER_4X4_PIXELS_NV:
        return (VkExtent2D){4, 4};
    default:
        return (VkExtent2D){1, 1};
    }
}

#define SAMPLES_MOST (4 * 4 * 64) /* pixels of the largest fragment, with the most samples each */

/* Checks the locations of an order whose number of locations is right. */
static void shading_rate_nv_check_locations(struct subject *s,
                                            const VkCoarseSampleOrderCustomNV *order,
                                            VkExtent2D size)
{
    uint64_t seen[SAMPLES_MOST / 64] = {0};
    for (uint32_t i = 0; i < order->sampleLocationCount; i++) {
        const VkCoarseSampleLocationNV *at = &order->pSampleLocations[i];
        const struct location *where = &LOCATION_INDEX(s->where, "pSampleLocations", i);
        /* pixelX, pixelY must be less than the width, the height (in pixels) of the fragment */
        REQUIRE(s, VUID_VkCoarseSampleLocationNV_pixelX_02078, at->pixelX < size.width,
                &LOCATION(where, "pixelX"), "is %u, but fragments of the rate are %u pixels wide",
                at->pixelX, size.width);
        REQUIRE(s, VUID_VkCoarseSampleLocationNV_pixelY_02079, at->pixelY < size.height,
                &LOCATION(where, "pixelY"), "is %u, but fragments of the rate are %u pixels high",
                at->pixelY, size.height);
        /* sample must be less than the number of coverage samples in each pixel */
        REQUIRE(s, VUID_VkCoarseSampleLocationNV_sample_02080, at->sample < order->sampleCount,
                &LOCATION(where, "sample"), "is %u, but sampleCount is %u", at->sample,
                order->sampleCount);
        if (s->wrong)
            return;
        /* The array pSampleLocations must contain exactly one entry for every combination of valid
         * values for pixelX, pixelY, and sample */
        const uint32_t bit =
            (at->pixelY * size.width + at->pixelX) * order->sampleCount + at->sample;
        if (seen[bit / 64] & 1ull << bit % 64) {
            BROKEN(s, VUID_VkCoarseSampleOrderCustomNV_pSampleLocations_02077, where,
                   "is sample %u of the pixel (%u, %u), as is an earlier element", at->sample,
                   at->pixelX, at->pixelY);
            return;
        }
        seen[bit / 64] |= 1ull << bit % 64;
    }
}

/* Checks one custom sample order: its rate, its number of samples, and its locations. */
static bool check_order(const struct call *call, const struct location *where,
                        const VkCoarseSampleOrderCustomNV *order)
{
    const VkPhysicalDeviceShadingRateImagePropertiesNV *properties =
        &call->device->extended.ShadingRateImagePropertiesNV;
    const VkExtent2D size = fragment_size(order->shadingRate);
    const uint32_t samples = order->sampleCount;
    struct subject s = {.call = call, .where = where};
    if (!value_has_name(VALUES_VkShadingRatePaletteEntryNV, (uint64_t)order->shadingRate))
        return false;
    /* shadingRate must be a shading rate that generates fragments with more than one pixel */
    REQUIRE(&s, VUID_VkCoarseSampleOrderCustomNV_shadingRate_02073, size.width * size.height > 1,
            "shadingRate", "is %s, whose fragments are of one pixel",
            TEXT_OF(VkShadingRatePaletteEntryNV, order->shadingRate));
    /* sampleCount must correspond to a sample count enumerated in VkSampleCountFlags whose
     * corresponding bit is set in framebufferNoAttachmentsSampleCounts */
    REQUIRE(&s, VUID_VkCoarseSampleOrderCustomNV_sampleCount_02074,
            samples && !(samples & (samples - 1)) &&
                samples & limits_of(call)->framebufferNoAttachmentsSampleCounts,
            "sampleCount", "is %u, but framebufferNoAttachmentsSampleCounts is %s", samples,
            TEXT_OF(VkSampleCountFlags, limits_of(call)->framebufferNoAttachmentsSampleCounts));
    if (s.wrong)
        return s.skip;
    /* sampleLocationCount must be equal to the product of sampleCount, the fragment width for
     * shadingRate, and the fragment height for shadingRate */
    REQUIRE(&s, VUID_VkCoarseSampleOrderCustomNV_sampleLocationCount_02075,
            order->sampleLocationCount == samples * size.width * size.height, "sampleLocationCount",
            "is %u, but %u samples in %ux%u pixels are %u", order->sampleLocationCount, samples,
            size.width, size.height, samples * size.width * size.height);
    /* sampleLocationCount must be less than or equal to shadingRateMaxCoarseSamples */
    REQUIRE(&s, VUID_VkCoarseSampleOrderCustomNV_sampleLocationCount_02076,
            !properties->sType ||
                order->sampleLocationCount <= properties->shadingRateMaxCoarseSamples,
            "sampleLocationCount", "is %u, but shadingRateMaxCoarseSamples is %u",
            order->sampleLocationCount, properties->shadingRateMaxCoarseSamples);
    if (!s.wrong && !pointer_is_bad(order->pSampleLocations) &&
        samples * size.width * size.height <= SAMPLES_MOST)
        shading_rate_nv_check_locations(&s, order, size);
    return s.skip;
}

/* No two elements may have the same shadingRate and sampleCount. `same`: the id of that rule. */
bool check_coarse_orders(const struct call *call, const struct location *where, uint32_t count,
                         const VkCoarseSampleOrderCustomNV *orders, enum vuid same)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < count && !pointer_is_bad(orders); i++) {
        const struct location *at = &LOCATION_INDEX(where, "pCustomSampleOrders", i);
        s.skip |= check_order(call, at, &orders[i]);
        for (uint32_t k = 0; k < i; k++) {
            if (orders[i].shadingRate != orders[k].shadingRate ||
                orders[i].sampleCount != orders[k].sampleCount)
                continue;
            BROKEN(&s, same, at,
                   "has the same shadingRate and sampleCount (%u) as "
                   "pCustomSampleOrders[%u]",
                   orders[i].sampleCount, k);
            return s.skip;
        }
    }
    return s.skip;
}
