/* Rules about values that both commands and pipelines have: viewports, rectangles, sample orders.
 * Threads: the calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DYNAMIC_STATE_VALUES_H
#define ASSAY_CORE_DYNAMIC_STATE_VALUES_H

#include "report/finding/rule.h"

/* All functions return whether to skip the call. */
bool check_viewport(const struct call *call, const struct location *where,
                    const VkViewport *viewport);

/* The ids of the rules about a rectangle. negative: an offset is negative; width, height: offset +
 * extent overflows. */
struct rectangle_rules {
    enum vuid negative, width, height;
};
bool check_rectangle(const struct call *call, const struct location *where,
                     const VkRect2D *rectangle, const struct rectangle_rules *rules);

/* Check values that commands and pipelines of VK_NV_shading_rate_image share: palettes in the array
 * `name`, and pCustomSampleOrders. `same`: the id of the rule against equal orders. */
bool check_shading_palettes(const struct call *call, const struct location *where, const char *name,
                            uint32_t count, const VkShadingRatePaletteNV *palettes);
bool check_coarse_orders(const struct call *call, const struct location *where, uint32_t count,
                         const VkCoarseSampleOrderCustomNV *orders, enum vuid same);

/* VkSampleLocationsInfoEXT, wherever it stands. */
/* False if the current subpass is known to be one for which the render pass instance was begun
 * without sample locations, and the device needs them (variableSampleLocations). */
bool subpass_may_be_located(const struct call *call);
/* Checks a VkSampleLocationsInfoEXT, in any structure. */
bool check_sample_locations(const struct call *call, const struct location *where,
                            const VkSampleLocationsInfoEXT *info);

static inline bool has_feature(const struct call *call, enum feature feature)
{
    return device_has_feature(call->device, feature);
}

static inline const VkPhysicalDeviceLimits *limits_of(const struct call *call)
{
    return &call->device->properties.limits;
}

#endif
