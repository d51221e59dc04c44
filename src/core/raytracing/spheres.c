/* Checks spheres and linear swept spheres of a build (VK_NV_ray_tracing_linear_swept_spheres).
 * Their structures differ in little, their rules in number. */
#include "core/raytracing/acceleration_structure.h"
#include "core/memory/address.h"
#include "state/formats.h"
#include "vk/chain.h"

#include <inttypes.h>

struct sphere_rules {
    const char *type;
    enum rule vertex_stride, vertex_format, radius_format;
    enum rule no_index_address, index_address, vertex_address, radius_address; /* on the device */
    enum rule no_index_pointer, index_pointer, vertex_pointer, radius_pointer; /* on the host */
};
static const struct sphere_rules sphere_rules = {"VkAccelerationStructureGeometrySpheresDataNV",
                                                 RULE_10431,
                                                 RULE_10434,
                                                 RULE_10435,
                                                 RULE_11846,
                                                 RULE_11847,
                                                 RULE_11848,
                                                 RULE_11849,
                                                 RULE_11822,
                                                 RULE_11823,
                                                 RULE_11824,
                                                 RULE_11825};
static const struct sphere_rules swept_rules = {
    "VkAccelerationStructureGeometryLinearSweptSpheresDataNV",
    RULE_10421,
    RULE_10423,
    RULE_10424,
    RULE_11850,
    RULE_11851,
    RULE_11852,
    RULE_11853,
    RULE_11826,
    RULE_11827,
    RULE_11828,
    RULE_11829};

/* What both structures have. */
struct spheres {
    const struct sphere_rules *rules;
    VkFormat vertex_format, radius_format;
    VkDeviceSize vertex_stride, radius_stride;
    VkIndexType index_type;
    VkDeviceOrHostAddressConstKHR vertices, radii, indices;
    bool successive; /* VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV */
};

/* False where the geometry has none. */
static bool spheres_of(const VkAccelerationStructureGeometryKHR *geometry, struct spheres *spheres)
{
    assert(geometry && spheres);
    if (geometry->geometryType == VK_GEOMETRY_TYPE_SPHERES_NV) {
        const VkAccelerationStructureGeometrySpheresDataNV *data =
            CHAINED(geometry->pNext, ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV);
        if (data)
            *spheres = (struct spheres){&sphere_rules,      data->vertexFormat,
                                        data->radiusFormat, data->vertexStride,
                                        data->radiusStride, data->indexType,
                                        data->vertexData,   data->radiusData,
                                        data->indexData,    false};
        return data != NULL;
    }
    if (geometry->geometryType == VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV) {
        const VkAccelerationStructureGeometryLinearSweptSpheresDataNV *data =
            CHAINED(geometry->pNext, ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV);
        if (data)
            *spheres = (struct spheres){
                &swept_rules,
                data->vertexFormat,
                data->radiusFormat,
                data->vertexStride,
                data->radiusStride,
                data->indexType,
                data->vertexData,
                data->radiusData,
                data->indexData,
                data->indexingMode == VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV};
        return data != NULL;
    }
    return false;
}

static bool has_feature_of(const struct subject *s, VkFormat format, VkFormatFeatureFlags2 feature)
{
    return !format_info(format) || format_buffer_features(s->call->device, format) & feature;
}

void check_spheres(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry)
{
    struct spheres spheres;
    if (!spheres_of(geometry, &spheres))
        return;
    const struct sphere_rules *rules = spheres.rules;
    const struct location where = LOCATION_CHAINED(s->where, rules->type);
    uint32_t alignment = build_vertex_alignment(spheres.vertex_format);
    REQUIRE(s, rules->vertex_stride, !alignment || spheres.vertex_stride % alignment == 0,
            &LOCATION(&where, "vertexStride"),
            "is %" PRIu64 ", which is not a multiple of %u, as vertices of %s must be",
            spheres.vertex_stride, alignment, TEXT_OF(VkFormat, spheres.vertex_format));
    REQUIRE(s, rules->vertex_format,
            has_feature_of(s, spheres.vertex_format,
                           VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR),
            &LOCATION(&where, "vertexFormat"),
            "is %s, which cannot be a vertex format of acceleration structures on this device",
            TEXT_OF(VkFormat, spheres.vertex_format));
    REQUIRE(s, rules->radius_format,
            has_feature_of(s, spheres.radius_format,
                           VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_RADIUS_BUFFER_BIT_NV),
            &LOCATION(&where, "radiusFormat"),
            "is %s, which cannot be a format of radii on this device",
            TEXT_OF(VkFormat, spheres.radius_format));
    REQUIRE(s, RULE_10427, !spheres.successive || spheres.indices.hostAddress,
            &LOCATION(&where, "indexData"),
            "is NULL, but indexingMode is VK_RAY_TRACING_LSS_INDEXING_MODE_SUCCESSIVE_NV");
}

void check_sphere_addresses(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry,
                            const struct location *at, bool host)
{
    struct spheres spheres;
    if (!spheres_of(geometry, &spheres))
        return;
    const struct sphere_rules *rules = spheres.rules;
    const struct location where = LOCATION_CHAINED(at, rules->type),
                          indices = LOCATION(&where, "indexData"),
                          vertices = LOCATION(&where, "vertexData"),
                          radii = LOCATION(&where, "radiusData");
    const bool none = spheres.index_type == VK_INDEX_TYPE_NONE_KHR;
    if (!host)
        REQUIRE(s, rules->no_index_address, !none || !spheres.indices.deviceAddress,
                &LOCATION(&indices, "deviceAddress"),
                "is %s, but indexType is VK_INDEX_TYPE_NONE_KHR",
                ADDRESS(s->call, spheres.indices.deviceAddress));
    if (host) {
        REQUIRE(s, rules->no_index_pointer, !none || !spheres.indices.hostAddress,
                &LOCATION(&indices, "hostAddress"),
                "is %p, but indexType is VK_INDEX_TYPE_NONE_KHR", spheres.indices.hostAddress);
        REQUIRE(s, rules->index_pointer, none || spheres.indices.hostAddress,
                &LOCATION(&indices, "hostAddress"), "is NULL");
        REQUIRE(s, rules->vertex_pointer, spheres.vertices.hostAddress,
                &LOCATION(&vertices, "hostAddress"), "is NULL");
        REQUIRE(s, rules->radius_pointer, spheres.radii.hostAddress,
                &LOCATION(&radii, "hostAddress"), "is NULL");
        return;
    }
    if (!none)
        (void)check_build_address(s, spheres.indices.deviceAddress, "indexData", &where,
                                  rules->index_address, 0, 0);
    (void)check_build_address(s, spheres.vertices.deviceAddress, "vertexData", &where,
                              rules->vertex_address, 0, 0);
    (void)check_build_address(s, spheres.radii.deviceAddress, "radiusData", &where,
                              rules->radius_address, 0, 0);
}
