/* Checks the geometries of a build: types, strides, formats, ranges, addresses (37.2 "Building
 * Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"
#include "core/memory/address.h"
#include "core/rule.h"
#include "state/formats.h"
#include "vk/index_type.h"
#include "vk/pointer.h"

#include <inttypes.h>

#define INPUT_USAGE VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR

/* Bytes of the smallest component; 0 where components are packed, or the format is not known. */
static uint32_t component_size(const struct format_info *format)
{
    uint32_t bits = UINT32_MAX;
    if (!format || format->packed)
        return 0;
    for (uint32_t i = 0; i < ARRAY_LENGTH(format->bits); i++) {
        if (format->bits[i] && format->bits[i] < bits)
            bits = format->bits[i];
    }
    return bits == UINT32_MAX || bits % 8 || bits == 255 ? 0 : bits / 8;
}

uint32_t build_vertex_alignment(VkFormat vertex_format)
{
    const struct format_info *format = format_info(vertex_format);
    return !format ? 0 : format->packed ? format->block_size : component_size(format);
}

static void check_triangles(struct subject *s,
                            const VkAccelerationStructureGeometryTrianglesDataKHR *triangles)
{
    uint32_t size = component_size(format_info(triangles->vertexFormat));
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

static void check_geometry(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry)
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

/* Where geometry `i` stands. */
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

static void check_types(struct subject *s, const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
    const VkAccelerationStructureGeometryKHR *first =
        info->geometryCount ? build_geometry(info, 0) : NULL;
    bool top = info->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR;
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
        REQUIRE(s, RULE_03789, !top || instances, "geometryType",
                "is %s, but the structure is of the top level, which has instances",
                TEXT_OF(VkGeometryTypeKHR, type));
        REQUIRE(s, RULE_03791, !bottom || !instances, "geometryType",
                "is VK_GEOMETRY_TYPE_INSTANCES_KHR, but the structure is of the bottom level");
        REQUIRE(s, RULE_03792, !bottom || instances || !first || type == first->geometryType,
                "geometryType", "is %s, but that of the first geometry is %s",
                TEXT_OF(VkGeometryTypeKHR, type),
                first ? TEXT_OF(VkGeometryTypeKHR, first->geometryType) : "");
        check_geometry(s, geometry);
        s->where = where;
    }
}

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
    bool motion = (info->flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0;
    if (motion)
        REQUIRE(s, RULE_04929, info->type != VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, "type",
                "is VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, but flags contains "
                "VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV");
    else
        REQUIRE(s, RULE_03654, info->type != VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, "type",
                "is VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR, which only structures "
                "are created with");
    REQUIRE(s, RULE_03788, !info->geometryCount || !info->pGeometries != !info->ppGeometries,
            "pGeometries",
            "and ppGeometries are %s, but geometryCount is %u: one of the two must be given",
            info->pGeometries ? "both given" : "both NULL", info->geometryCount);
    if (info->geometryCount && !info->pGeometries && !info->ppGeometries)
        s->skip = call_stop(s->call, s->skip); /* drivers read them */
    if (s->wrong)
        return;
    check_types(s, info);
    check_totals(s, info, counts);
}

/* --- ranges --- */

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
        s->skip |= one.skip;
        s->wrong |= one.wrong;
    }
}

/* --- addresses --- */

bool check_build_address(struct subject *s, VkDeviceAddress address, const char *name,
                         const struct location *where, enum rule valid, VkBufferUsageFlags2 usage,
                         enum rule usage_rule)
{
    const struct call *call = s->call;
    struct address_search found = device_address_find(call->device, address, 1, usage);
    const struct location member = LOCATION(where, name);
    const struct location *at = &LOCATION(&member, "deviceAddress");
    if (found.match == ADDRESS_UNKNOWN || found.match == ADDRESS_FOUND)
        return true;
    s->wrong = true;
    if (found.match == ADDRESS_USAGE)
        s->skip |= address_report_usage(call, rule_vuid(call->command, usage_rule), at, address,
                                        &found, usage);
    else
        s->skip |= address_report_nowhere(call, rule_vuid(call->command, valid), at, address, "");
    return false;
}

static void check_aligned(struct subject *s, VkDeviceAddress address, uint32_t alignment,
                          const char *name, const struct location *where, enum rule rule)
{
    const struct location member = LOCATION(where, name);
    if (likely(!alignment || address % alignment == 0))
        return;
    s->wrong = true;
    BROKEN_OF(s, OBJECT_AT(s->call, address), rule, &LOCATION(&member, "deviceAddress"),
              "is %s, which is not a multiple of %u", ADDRESS(s->call, address), alignment);
}

/* Of a geometry without primitives nothing is read: where it has no address, none is missed. */
static bool is_unread(struct build_counts counts, uint32_t geometry, VkDeviceAddress address)
{
    return !address && (counts.most || counts.ranges) && !build_count(counts, geometry);
}

static void
check_triangle_addresses(struct subject *s,
                         const VkAccelerationStructureGeometryTrianglesDataKHR *triangles,
                         struct build_counts counts, uint32_t i, const struct location *where)
{
    VkDeviceAddress vertices = triangles->vertexData.deviceAddress,
                    indices = triangles->indexData.deviceAddress,
                    transform = triangles->transformData.deviceAddress;
    if (!is_unread(counts, i, vertices) &&
        check_build_address(s, vertices, "vertexData", where, RULE_03804, INPUT_USAGE, RULE_03673))
        check_aligned(s, vertices, build_vertex_alignment(triangles->vertexFormat), "vertexData",
                      where, RULE_03711);
    if (triangles->indexType != VK_INDEX_TYPE_NONE_KHR && !is_unread(counts, i, indices) &&
        check_build_address(s, indices, "indexData", where, RULE_03806, INPUT_USAGE, RULE_03673))
        check_aligned(s, indices, index_size(triangles->indexType), "indexData", where, RULE_03712);
    if (transform && check_build_address(s, transform, "transformData", where, RULE_03808,
                                         INPUT_USAGE, RULE_03673))
        check_aligned(s, transform, 16, "transformData", where, RULE_03810);
}

void check_build_addresses(struct subject *s,
                           const VkAccelerationStructureBuildGeometryInfoKHR *info,
                           struct build_counts counts)
{
    assert(info);
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        const struct location at = geometry_location(s, info, i), data = LOCATION(&at, "geometry");
        if (!geometry)
            continue;
        if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
            check_triangle_addresses(s, &geometry->geometry.triangles, counts, i,
                                     &LOCATION(&data, "triangles"));
        } else if (geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR) {
            const struct location boxes = LOCATION(&data, "aabbs");
            VkDeviceAddress address = geometry->geometry.aabbs.data.deviceAddress;
            if (!is_unread(counts, i, address) &&
                check_build_address(s, address, "data", &boxes, RULE_03811, INPUT_USAGE,
                                    RULE_03673))
                check_aligned(s, address, 8, "data", &boxes, RULE_03714);
        } else if (geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR) {
            const struct location instances = LOCATION(&data, "instances");
            VkDeviceAddress address = geometry->geometry.instances.data.deviceAddress;
            bool pointers = geometry->geometry.instances.arrayOfPointers;
            if (!is_unread(counts, i, address) &&
                check_build_address(s, address, "data", &instances, RULE_03813, INPUT_USAGE,
                                    RULE_03673))
                check_aligned(s, address, pointers ? 8 : 16, "data", &instances,
                              pointers ? RULE_03716 : RULE_03715);
        } else {
            check_sphere_addresses(s, geometry, &at, false);
        }
    }
}

/* "must be a valid host address": one that no program can have is none. */
static void check_pointer(struct subject *s, const void *pointer, bool unread, const char *name,
                          const struct location *where, enum rule rule)
{
    const struct location member = LOCATION(where, name);
    if (likely(!pointer_is_bad(pointer)) || (unread && !pointer))
        return;
    s->wrong = true;
    BROKEN_OF(s, NULL, STOPS(rule), &LOCATION(&member, "hostAddress"),
              pointer ? "is %p, which is not an address of memory" : "is NULL", pointer);
}

void check_build_pointers(struct subject *s,
                          const VkAccelerationStructureBuildGeometryInfoKHR *info,
                          struct build_counts counts)
{
    assert(info);
    for (uint32_t i = 0; i < info->geometryCount; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(info, i);
        const struct location at = geometry_location(s, info, i), data = LOCATION(&at, "geometry");
        bool unread = is_unread(counts, i, 0);
        if (!geometry)
            continue;
        if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR) {
            const VkAccelerationStructureGeometryTrianglesDataKHR *t =
                &geometry->geometry.triangles;
            const struct location triangles = LOCATION(&data, "triangles");
            check_pointer(s, t->vertexData.hostAddress, unread, "vertexData", &triangles,
                          RULE_03771);
            if (t->indexType != VK_INDEX_TYPE_NONE_KHR)
                check_pointer(s, t->indexData.hostAddress, unread, "indexData", &triangles,
                              RULE_03772);
            if (t->transformData.hostAddress)
                check_pointer(s, t->transformData.hostAddress, unread, "transformData", &triangles,
                              RULE_03773);
        } else if (geometry->geometryType == VK_GEOMETRY_TYPE_AABBS_KHR) {
            check_pointer(s, geometry->geometry.aabbs.data.hostAddress, unread, "data",
                          &LOCATION(&data, "aabbs"), RULE_03774);
        } else if (geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR) {
            check_pointer(s, geometry->geometry.instances.data.hostAddress, unread, "data",
                          &LOCATION(&data, "instances"), RULE_03778);
        } else {
            check_sphere_addresses(s, geometry, &at, true);
        }
    }
}
