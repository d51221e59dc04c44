/* Checks the geometries of a build: types, strides, formats, ranges, addresses (37.2 "Building
 * Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"
#include "core/memory/address.h"
#include "state/memory/formats.h"
#include "vk/index_type.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Checks the vertices of triangles. An unknown format has components of size 0. */
static void check_triangles(struct subject *s,
                            const VkAccelerationStructureGeometryTrianglesDataKHR *triangles)
{
    uint32_t size = format_component_size(format_info(triangles->vertexFormat));
    REQUIRE(s, RULE_03735, !size || triangles->vertexStride % size == 0, "vertexStride",
            "is %" PRIu64 ", but the components of %s have %u bytes", triangles->vertexStride,
            TEXT_OF(VkFormat, triangles->vertexFormat), size);
    if (format_info(triangles->vertexFormat))
        REQUIRE(s, RULE_03797,
                format_buffer_features(s->call->device, triangles->vertexFormat) &
                    VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR,
                "vertexFormat",
                "is %s, which cannot be a vertex format of acceleration structures on this device",
                TEXT_OF(VkFormat, triangles->vertexFormat));
}

/* Checks a geometry according to its type. It restores the subject's location. */
static void geometry_check(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry)
{
    const struct location *where = s->where;
    const struct location data = LOCATION(where, "geometry");
    if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
        const struct location triangles = LOCATION(&data, "triangles");
        s->where = &triangles;
        check_triangles(s, &geometry->geometry.triangles);
    } else {
        check_spheres(s, geometry);
    }
    s->where = where;
}

/* The location of geometry `i`. */
static struct location geometry_location(const struct subject *s,
                                         const VkAccelerationStructureBuildGeometryInfoKHR *info,
                                         uint32_t i)
{
    assert(i < info->geometryCount);
    struct location at =
        LOCATION_INDEX(s->where, info->pGeometries ? "pGeometries" : "ppGeometries", i);
    at.pointer = !info->pGeometries;
    return at;
}

/* Checks each geometry, and that the geometries of a bottom-level structure have the same type. */
static void geometry_check_types(struct subject *s,
                                 const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
    const VkAccelerationStructureGeometryKHR *first =
        info->geometryCount ? build_geometry(info, 0) : NULL;
    bool bottom = info->type == VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR;
    const struct location *where = s->where;
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (!geometry)
            continue;
        const struct location at = geometry_location(s, info, i);
        VkGeometryTypeKHR type = geometry->geometryType;
        bool instances = type == VK_GEOMETRY_TYPE_INSTANCES_KHR;
        s->where = &at;
        REQUIRE(s, RULE_03792, !bottom || instances || !first || type == first->geometryType,
                "geometryType", "is %s, but that of the first geometry is %s",
                TEXT_OF(VkGeometryTypeKHR, type),
                first ? TEXT_OF(VkGeometryTypeKHR, first->geometryType) : "");
        geometry_check(s, geometry);
        s->where = where;
    }
}

/* Checks the total number of primitives of all geometries. */
static void check_totals(struct subject *s, const VkAccelerationStructureBuildGeometryInfoKHR *info,
                         struct build_counts counts)
{
    const VkPhysicalDeviceAccelerationStructurePropertiesKHR *limits =
        &s->call->device->extended.AccelerationStructurePropertiesKHR;
    if (info->type != VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR)
        return;
    uint64_t triangles = 0, boxes = 0;
    for (uint32_t i = 0; (counts.most || counts.ranges) && i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        if (!geometry)
            continue;
        triangles +=
            geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR ? build_count(counts, i) : 0;
        boxes += geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR ? build_count(counts, i) : 0;
    }
    REQUIRE(s, RULE_03794, boxes <= limits->maxPrimitiveCount,
            info->pGeometries ? "pGeometries" : "ppGeometries",
            "have %" PRIu64 " bounding boxes together, more than maxPrimitiveCount (%" PRIu64 ")",
            boxes, limits->maxPrimitiveCount);
    REQUIRE(s, RULE_03795, triangles <= limits->maxPrimitiveCount,
            info->pGeometries ? "pGeometries" : "ppGeometries",
            "have %" PRIu64 " triangles together, more than maxPrimitiveCount (%" PRIu64 ")",
            triangles, limits->maxPrimitiveCount);
}

void check_build_geometry_info(struct subject *s,
                               const VkAccelerationStructureBuildGeometryInfoKHR *info,
                               struct build_counts counts)
{
    REQUIRE(s, RULE_03788, !info->geometryCount || !info->pGeometries != !info->ppGeometries,
            "pGeometries",
            "and ppGeometries are %s, but geometryCount is %u: one of the two must be given",
            info->pGeometries ? "both given" : "both NULL", info->geometryCount);
    if (info->geometryCount && !info->pGeometries && !info->ppGeometries)
        s->skip = call_stop(s->call, s->skip); /* drivers would read the geometries */
    if (s->wrong)
        return;
    geometry_check_types(s, info);
    check_totals(s, info, counts);
}

/* --- ranges --- */

/* Checks the range of a geometry of triangles. */
static void check_triangle_range(struct subject *s,
                                 const VkAccelerationStructureGeometryTrianglesDataKHR *triangles,
                                 const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    assert(triangles && range);
    uint32_t alignment = build_vertex_alignment(triangles->vertexFormat),
             size = index_size(triangles->indexType);
    uint64_t vertices = (uint64_t)range->firstVertex + (uint64_t)range->primitiveCount * 3;
    if (triangles->indexType != VK_INDEX_TYPE_NONE_KHR) {
        REQUIRE(s, RULE_03656, !size || range->primitiveOffset % size == 0, "primitiveOffset",
                "is %u, but indices of %s have %u bytes", range->primitiveOffset,
                TEXT_OF(VkIndexType, triangles->indexType), size);
    } else {
        REQUIRE(s, RULE_03657, !alignment || range->primitiveOffset % alignment == 0,
                "primitiveOffset",
                "is %u, which is not a multiple of %u, as vertices of %s must be",
                range->primitiveOffset, alignment, TEXT_OF(VkFormat, triangles->vertexFormat));
        REQUIRE(s, RULE_10775, !range->primitiveCount || triangles->maxVertex >= vertices - 1,
                "primitiveCount",
                "is %u from vertex %u on, which is up to vertex %" PRIu64 ", but maxVertex is %u",
                range->primitiveCount, range->firstVertex, vertices - 1, triangles->maxVertex);
    }
    REQUIRE(s, RULE_03658, range->transformOffset % 16 == 0, "transformOffset",
            "is %u, which is not a multiple of 16", range->transformOffset);
}

void check_build_ranges(struct subject *s, const VkAccelerationStructureBuildGeometryInfoKHR *info,
                        const VkAccelerationStructureBuildRangeInfoKHR *ranges,
                        const struct location *where)
{
    assert(info);
    uint64_t most = s->call->device->extended.AccelerationStructurePropertiesKHR.maxInstanceCount;
    for (uint32_t i = 0; ranges && i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        const VkAccelerationStructureBuildRangeInfoKHR *range = &ranges[i];
        const struct location at = LOCATION_INDEX(where, "", i);
        struct subject one = {.call = s->call, .where = &at};
        if (!geometry)
            continue;
        if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR)
            check_triangle_range(&one, &geometry->geometry.triangles, range);
        else if (geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR)
            REQUIRE(&one, RULE_03659, range->primitiveOffset % 8 == 0, "primitiveOffset",
                    "is %u, which is not a multiple of 8", range->primitiveOffset);
        else if (geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR) {
            REQUIRE(&one, RULE_03660, range->primitiveOffset % 16 == 0, "primitiveOffset",
                    "is %u, which is not a multiple of 16", range->primitiveOffset);
            REQUIRE(&one, RULE_03801, range->primitiveCount <= most, "primitiveCount",
                    "is %u, more than maxInstanceCount (%" PRIu64 ")", range->primitiveCount, most);
        }
        subject_add(s, &one);
    }
}

/* --- addresses --- */

/* Checks that the memory of a geometry exists. Rows check the addresses in `data`. */
static bool check_geometry_bound(const struct call *call,
                                 const VkAccelerationStructureGeometryKHR *geometry,
                                 const struct location *data)
{
    const VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
        &geometry->geometry.triangles;
    const struct location of_triangles = LOCATION(data, "triangles");
    switch (geometry->geometryType) {
    case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
        return address_check_bound(call, &LOCATION(&of_triangles, "vertexData"),
                                   triangles->vertexData.deviceAddress) |
               (triangles->indexType != VK_INDEX_TYPE_NONE_KHR &&
                address_check_bound(call, &LOCATION(&of_triangles, "indexData"),
                                    triangles->indexData.deviceAddress)) |
               address_check_bound(call, &LOCATION(&of_triangles, "transformData"),
                                   triangles->transformData.deviceAddress);
    case VK_GEOMETRY_TYPE_AABBS_KHR:
        return address_check_bound(call, &LOCATION(data, "aabbs"),
                                   geometry->geometry.aabbs.data.deviceAddress);
    case VK_GEOMETRY_TYPE_INSTANCES_KHR:
        return address_check_bound(call, &LOCATION(data, "instances"),
                                   geometry->geometry.instances.data.deviceAddress);
    default:
        return false;
    }
}

void check_build_addresses(struct subject *s,
                           const VkAccelerationStructureBuildGeometryInfoKHR *info,
                           const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    assert(info);
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        struct subject of_geometry = {.call = s->call};
        if (!geometry)
            continue;
        const struct location at = geometry_location(s, info, i), data = LOCATION(&at, "geometry"),
                              of = LOCATION(&data, "triangles"),
                              vertices = LOCATION(&of, "vertexData");
        of_geometry.where = &at;
        /* a row reports a micromap in a structure of another type */
        const bool other = geometry->geometryType == VK_GEOMETRY_TYPE_MICROMAP_KHR &&
                           info->type != VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR;
        check_opacity(&of_geometry, info->flags, geometry, ranges && !other ? &ranges[i] : NULL);
        subject_add(s, &of_geometry);
        /* a geometry without primitives reads nothing */
        if (!ranges || ranges[i].primitiveCount)
            s->skip |= check_geometry_bound(s->call, geometry, &data);
        if (geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR)
            continue;
        const VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
            &geometry->geometry.triangles;
        const VkDeviceAddress address = triangles->vertexData.deviceAddress;
        const uint32_t alignment = build_vertex_alignment(triangles->vertexFormat);
        /* a row reports an address without a buffer */
        if (likely(!alignment || address % alignment == 0) ||
            device_address_find(s->call->device, address, 1, 0).match != ADDRESS_FOUND)
            continue;
        s->wrong = true;
        BROKEN_OF(s, OBJECT_AT(s->call, address), RULE_03711, &LOCATION(&vertices, "deviceAddress"),
                  "is %s, which is not a multiple of %u", ADDRESS(s->call, address), alignment);
    }
}
