/* Checks that the device supports viewports and rectangles (27.9 "Controlling the Viewport", 29.1
 * "Scissor Test"). */
#include "core/dynamic_state/values.h"

#include "report/finding/rule.h"

#include <inttypes.h>
#include <math.h>

bool check_viewport(const struct call *call, const struct location *where, const VkViewport *v)
{
    assert(v);
    const VkPhysicalDeviceLimits *limits = limits_of(call);
    float low = limits->viewportBoundsRange[0], high = limits->viewportBoundsRange[1];
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkViewport_width_01770, v->width > 0.0f, "width",
            "is %g, but must be greater than 0", (double)v->width);
    /* Written with `!(a > b)`: NaN is reported once, where it must be in a range. */
    REQUIRE(&s, VUID_VkViewport_width_01771, !(v->width > (float)limits->maxViewportDimensions[0]),
            "width", "is %g, but maxViewportDimensions[0] is %u", (double)v->width,
            limits->maxViewportDimensions[0]);
    if (!call_has_extension(call, EXTENSION_VK_KHR_maintenance1) &&
        !call_has_extension(call, EXTENSION_VK_AMD_negative_viewport_height) &&
        call->device->properties.apiVersion < VK_API_VERSION_1_1)
        REQUIRE(&s, VUID_VkViewport_apiVersion_07917, v->height > 0.0f, "height",
                "is %g, but must be greater than 0 without VK_KHR_maintenance1", (double)v->height);
    REQUIRE(&s, VUID_VkViewport_height_01773,
            !(fabsf(v->height) > (float)limits->maxViewportDimensions[1]), "height",
            "is %g, but maxViewportDimensions[1] is %u", (double)v->height,
            limits->maxViewportDimensions[1]);
    REQUIRE(&s, VUID_VkViewport_x_01774, v->x >= low, "x",
            "is %g, but viewportBoundsRange[0] is %g", (double)v->x, (double)low);
    REQUIRE(&s, VUID_VkViewport_x_01232, !(v->x + v->width > high), "x",
            "and width are %g together, but viewportBoundsRange[1] is %g",
            (double)(v->x + v->width), (double)high);
    REQUIRE(&s, VUID_VkViewport_y_01775, v->y >= low, "y",
            "is %g, but viewportBoundsRange[0] is %g", (double)v->y, (double)low);
    REQUIRE(&s, VUID_VkViewport_y_01776, !(v->y > high), "y",
            "is %g, but viewportBoundsRange[1] is %g", (double)v->y, (double)high);
    REQUIRE(&s, VUID_VkViewport_y_01777, !(v->y + v->height < low), "y",
            "and height are %g together, but viewportBoundsRange[0] is %g",
            (double)(v->y + v->height), (double)low);
    REQUIRE(&s, VUID_VkViewport_y_01233, !(v->y + v->height > high), "y",
            "and height are %g together, but viewportBoundsRange[1] is %g",
            (double)(v->y + v->height), (double)high);
    if (call_has_extension(call, EXTENSION_VK_EXT_depth_range_unrestricted))
        return s.skip;
    REQUIRE(&s, VUID_VkViewport_minDepth_01234, v->minDepth >= 0.0f && v->minDepth <= 1.0f,
            "minDepth",
            "is %g, but must be between 0 and 1 without VK_EXT_depth_range_unrestricted",
            (double)v->minDepth);
    REQUIRE(&s, VUID_VkViewport_maxDepth_01235, v->maxDepth >= 0.0f && v->maxDepth <= 1.0f,
            "maxDepth",
            "is %g, but must be between 0 and 1 without VK_EXT_depth_range_unrestricted",
            (double)v->maxDepth);
    return s.skip;
}

bool check_rectangle(const struct call *call, const struct location *where,
                     const VkRect2D *rectangle, const struct rectangle_rules *rules)
{
    assert(rectangle && rules);
    const VkOffset2D offset = rectangle->offset;
    const VkExtent2D extent = rectangle->extent;
    struct subject s = {.call = call, .where = where};
    if (offset.x < 0 || offset.y < 0)
        return BROKEN_BY(call, rules->negative, &LOCATION(where, "offset"), NULL,
                         "is (%d, %d), but must not be negative", offset.x, offset.y);
    REQUIRE(&s, rules->width, (int64_t)offset.x + extent.width <= INT32_MAX, "extent",
            "has a width of %u, which added to an offset.x of %d overflows a signed integer",
            extent.width, offset.x);
    REQUIRE(&s, rules->height, (int64_t)offset.y + extent.height <= INT32_MAX, "extent",
            "has a height of %u, which added to an offset.y of %d overflows a signed integer",
            extent.height, offset.y);
    return s.skip;
}

bool check_sample_locations(const struct call *call, const struct location *where,
                            const VkSampleLocationsInfoEXT *info)
{
    assert(info);
    VkSampleCountFlags known =
        call->device->extended.SampleLocationsPropertiesEXT.sampleLocationSampleCounts;
    uint32_t samples = info->sampleLocationsPerPixel;
    uint64_t wanted = (uint64_t)samples * info->sampleLocationGridSize.width *
                      info->sampleLocationGridSize.height;
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, VUID_VkSampleLocationsInfoEXT_sampleLocationsPerPixel_01526,
            samples && !(samples & (samples - 1)) && samples & known, "sampleLocationsPerPixel",
            "is %u, which is not in sampleLocationSampleCounts (%#x)", samples, known);
    REQUIRE(&s, VUID_VkSampleLocationsInfoEXT_sampleLocationsCount_01527,
            info->sampleLocationsCount == wanted, "sampleLocationsCount",
            "is %u, but %u samples on a grid of %ux%u pixels need %" PRIu64,
            info->sampleLocationsCount, samples, info->sampleLocationGridSize.width,
            info->sampleLocationGridSize.height, wanted);
    return s.skip;
}
