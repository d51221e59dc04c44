/* Rules of values that commands set and pipelines have: viewports, rectangles, orders of samples.
 * Threads: that of the call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_DYNAMIC_STATE_VALUES_H
#define ASSAY_CORE_DYNAMIC_STATE_VALUES_H

#include "report/finding/rule.h"

/* All return whether to skip. */
bool check_viewport(const struct call *call, const struct location *where,
                    const VkViewport *viewport);

/* The rules of a rectangle, by their ids: the offset is not negative; offset and extent together do
 * not overflow. */
struct rectangle_rules {
    enum vuid negative, width, height;
};
bool check_rectangle(const struct call *call, const struct location *where,
                     const VkRect2D *rectangle, const struct rectangle_rules *rules);

/* Checks what commands and pipelines of VK_NV_shading_rate_image share: palettes in the array
 * `name`, and pCustomSampleOrders, of which `same` forbids equal ones. */
bool check_shading_palettes(const struct call *call, const struct location *where, const char *name,
                            uint32_t count, const VkShadingRatePaletteNV *palettes);
bool check_coarse_orders(const struct call *call, const struct location *where, uint32_t count,
                         const VkCoarseSampleOrderCustomNV *orders, enum vuid same);

/* VkSampleLocationsInfoEXT, wherever it stands. */
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
