/* Checks micromaps of VK_KHR_opacity_micromap in builds on the device: their use by geometries, and
 * their own builds (37.2 "Building Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"

#include "core/memory/address.h"
#include "vk/chain.h"
#include "vk/pointer.h"

#include <inttypes.h>

/* Element `i` of one of the two arrays; NULL: there is none. */
static const VkMicromapUsageKHR *
usage_at(const VkAccelerationStructureGeometryMicromapDataKHR *data, uint32_t i)
{
    const VkMicromapUsageKHR *usage = data->pUsageCounts ? &data->pUsageCounts[i]
                                      : pointer_is_bad(data->ppUsageCounts)
                                          ? NULL
                                          : data->ppUsageCounts[i];
    return pointer_is_bad(usage) ? NULL : usage;
}

/* The number of triangles from which a micromap is built; 0: not known. */
static uint64_t micromap_triangles(const VkAccelerationStructureGeometryMicromapDataKHR *data)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < data->usageCountsCount; i++) {
        const VkMicromapUsageKHR *usage = usage_at(data, i);
        if (!usage)
            return 0;
        triangles += usage->count;
    }
    return triangles;
}

/* Checks that a range of `size` bytes fits in the buffer at its address. */
static void opacity_check_range(struct subject *s, VkDeviceAddress address, uint64_t size,
                                const struct location *where, enum rule rule, const char *what)
{
    struct address_search found = device_address_find(s->call->device, address, size, 0);
    if (size && found.match == ADDRESS_TOO_SHORT) {
        s->skip |= address_report_short(s->call, rule_vuid(s->call->command, rule), where, address,
                                        &found, size, what);
        s->wrong = true;
    }
}

#define INFO(rule_) VUID_VkAccelerationStructureBuildGeometryInfoKHR_##rule_

/* Checks that the flags of the build allow the formats and levels. `where`: location of the
 * structure. */
static void opacity_check_usages(struct subject *s,
                                 const VkAccelerationStructureGeometryMicromapDataKHR *data,
                                 VkBuildAccelerationStructureFlagsKHR flags,
                                 const struct location *where)
{
    const VkPhysicalDeviceOpacityMicromapPropertiesKHR *limits =
        &s->call->device->extended.OpacityMicromapPropertiesKHR;
    const bool lossy = (flags & VK_BUILD_ACCELERATION_STRUCTURE_MICROMAP_LOSSY_BIT_KHR) != 0;
    const uint32_t most = lossy ? limits->maxOpacityLossy4StateSubdivisionLevel
                                : limits->maxOpacity4StateSubdivisionLevel;
    for (uint32_t i = 0; i < data->usageCountsCount; i++) {
        const VkMicromapUsageKHR *usage = usage_at(data, i);
        const struct location at =
            LOCATION_INDEX(where, data->pUsageCounts ? "pUsageCounts" : "ppUsageCounts", i);
        if (!usage)
            continue;
        const bool of_4_states = usage->format == VK_OPACITY_MICROMAP_FORMAT_4_STATE_KHR;
        REQUIRE(s, INFO(format_11712), !lossy || of_4_states, &LOCATION(&at, "format"),
                "is %u, but the build has VK_BUILD_ACCELERATION_STRUCTURE_MICROMAP_LOSSY_BIT_KHR, "
                "which needs VK_OPACITY_MICROMAP_FORMAT_4_STATE_KHR",
                usage->format);
        REQUIRE(s, lossy ? INFO(subdivisionLevel_11565) : INFO(subdivisionLevel_11564),
                !of_4_states || !most || usage->subdivisionLevel <= most,
                &LOCATION(&at, "subdivisionLevel"), "is %u, more than %s (%u)",
                usage->subdivisionLevel,
                lossy ? "maxOpacityLossy4StateSubdivisionLevel"
                      : "maxOpacity4StateSubdivisionLevel",
                most);
    }
}

/* Checks the data from which a micromap is built. */
static void check_data(struct subject *s,
                       const VkAccelerationStructureGeometryMicromapDataKHR *data,
                       VkBuildAccelerationStructureFlagsKHR flags)
{
    const struct location where =
                              LOCATION_CHAINED(s->where,
                                               "VkAccelerationStructureGeometryMicromapDataKHR"),
                          array = LOCATION(&where, "triangleArray");
    const uint64_t triangles = micromap_triangles(data),
                   most =
                       s->call->device->extended.OpacityMicromapPropertiesKHR.maxMicromapTriangles;
    REQUIRE(s, RULE_11643, !most || triangles <= most,
            &LOCATION(&where, data->pUsageCounts ? "pUsageCounts" : "ppUsageCounts"),
            "have %" PRIu64 " triangles together, more than maxMicromapTriangles (%" PRIu64 ")",
            triangles, most);
    opacity_check_usages(s, data, flags, &where);
    if (!s->wrong)
        opacity_check_range(s, data->triangleArray, triangles * data->triangleArrayStride, &array,
                            RULE_11554, "the triangles take");
}

void check_opacity(struct subject *s, VkBuildAccelerationStructureFlagsKHR flags,
                   const VkAccelerationStructureGeometryKHR *geometry,
                   const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    assert(geometry);
    if (geometry->geometryType == VK_GEOMETRY_TYPE_MICROMAP_KHR) {
        const VkAccelerationStructureGeometryMicromapDataKHR *data =
            CHAINED(geometry->pNext, ACCELERATION_STRUCTURE_GEOMETRY_MICROMAP_DATA_KHR);
        REQUIRE(s, RULE_11544, !range, s->where,
                "is a micromap, but ppBuildRangeInfos has ranges for it");
        if (data)
            check_data(s, data, flags);
    }
    if (geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR || !range)
        return;
    const VkAccelerationStructureTrianglesOpacityMicromapKHR *micromap =
        CHAINED(geometry->geometry.triangles.pNext,
                ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR);
    if (!micromap || micromap->indexType == VK_INDEX_TYPE_NONE_KHR)
        return;
    const struct location
        data = LOCATION(s->where, "geometry"),
        triangles = LOCATION(&data, "triangles"),
        where = LOCATION_CHAINED(&triangles, "VkAccelerationStructureTrianglesOpacityMicromapKHR");
    opacity_check_range(s, micromap->indexBuffer, micromap->indexStride * range->primitiveCount,
                        &LOCATION(&where, "indexBuffer"), RULE_11577,
                        "the indices of the micromap take");
}
