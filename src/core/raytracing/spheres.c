/* Checks spheres and linear swept spheres of a build (VK_NV_ray_tracing_linear_swept_spheres).
 * Their structures are similar, and the numbers of their rules differ. */
#include "core/raytracing/acceleration_structure.h"
#include "core/memory/address.h"
#include "state/memory/formats.h"
#include "vk/chain.h"

#include <inttypes.h>

/* The rules of one of the two kinds of geometries that have radii. */
struct sphere_rules {
    const char *type; /* name of the structure */
    enum rule vertex_stride, vertex_format, radius_format;
};
static const struct sphere_rules sphere_rules = {"VkAccelerationStructureGeometrySpheresDataNV",
                                                 RULE_10431, RULE_10434, RULE_10435};
static const struct sphere_rules swept_rules = {
    "VkAccelerationStructureGeometryLinearSweptSpheresDataNV", RULE_10421, RULE_10423, RULE_10424};

/* The members that both structures have. */
struct spheres {
    const struct sphere_rules *rules;
    VkFormat vertex_format, radius_format;
    VkDeviceSize vertex_stride; /* bytes */
};

/* Reads the spheres of the geometry. False: it has none. */
static bool spheres_of(const VkAccelerationStructureGeometryKHR *geometry, struct spheres *spheres)
{
    assert(geometry && spheres);
    if (geometry->geometryType == VK_GEOMETRY_TYPE_SPHERES_NV) {
        const VkAccelerationStructureGeometrySpheresDataNV *data =
            CHAINED(geometry->pNext, ACCELERATION_STRUCTURE_GEOMETRY_SPHERES_DATA_NV);
        if (data)
            *spheres = (struct spheres){&sphere_rules, data->vertexFormat, data->radiusFormat,
                                        data->vertexStride};
        return data != NULL;
    }
    if (geometry->geometryType == VK_GEOMETRY_TYPE_LINEAR_SWEPT_SPHERES_NV) {
        const VkAccelerationStructureGeometryLinearSweptSpheresDataNV *data =
            CHAINED(geometry->pNext, ACCELERATION_STRUCTURE_GEOMETRY_LINEAR_SWEPT_SPHERES_DATA_NV);
        if (data)
            *spheres = (struct spheres){&swept_rules, data->vertexFormat, data->radiusFormat,
                                        data->vertexStride};
        return data != NULL;
    }
    return false;
}

/* True if the format has the feature, or is not known; the stateless validator reports unknown
 * formats. */
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
}
