/* Checks what builds on the host read: indices, and instances, which name their structures by
 * handles (37.2 "Building Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"

#include "base/thread.h"
#include "vk/index_type.h"
#include "vk/pointer.h"

#include <inttypes.h>
#include <string.h>

typedef VkAccelerationStructureBuildGeometryInfoKHR build_geometry_info;

void check_host_indices(struct subject *s, const VkAccelerationStructureGeometryKHR *geometry,
                        const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    assert(geometry && range);
    const VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
        &geometry->geometry.triangles;
    const uint32_t size = index_size(triangles->indexType);
    const uint64_t count = (uint64_t)range->primitiveCount * 3;
    const char *at = (const char *)triangles->indexData.hostAddress + range->primitiveOffset;
    uint32_t highest = 0;
    if (geometry->geometryType != VK_GEOMETRY_TYPE_TRIANGLES_KHR || !size || !count ||
        pointer_is_bad(triangles->indexData.hostAddress))
        return;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t index = 0;
        memcpy(&index, at + i * size, size); /* the least significant bytes come first */
        highest = index > highest ? index : highest;
    }
    REQUIRE(s, RULE_10774, triangles->maxVertex >= (uint64_t)range->firstVertex + highest,
            "firstVertex",
            "is %u, and the indices go up to %u, but maxVertex of the geometry is %u",
            range->firstVertex, highest, triangles->maxVertex);
}

/* Checks the structure that an instance of element `info` names. */
static void check_instance(struct subject *s, const build_geometry_info *infos, uint32_t count,
                           uint32_t info, VkAccelerationStructureKHR handle)
{
    const struct acceleration_structure *structure = find_acceleration_structure(s->call, handle);
    if (!structure)
        return;
    s->objects = STRUCTURE_OBJECT(handle);
    s->skip |= structure_check_backed(s->call, structure, RULE_03709, s->where) |
               structure_check_host_visible(s->call, structure, RULE_03724, s->where);
    REQUIRE(s, RULE_11704, !structure->by_address, s->where,
            "has instances of a structure that was created with "
            "vkCreateAccelerationStructure2KHR");
    for (uint32_t i = 0; i < count; i++)
        REQUIRE(s, RULE_03407, i == info || infos[i].dstAccelerationStructure != handle, s->where,
                "has instances of the structure that pInfos[%u] builds", i);
    s->objects = NULL;
}

/* Checks the flags of instance `i` about micromaps, and how the structure was built that it
 * names. */
static void check_instance_flags(struct subject *s,
                                 const VkAccelerationStructureInstanceKHR *instance, uint32_t i)
{
    const VkGeometryInstanceFlagsKHR disable =
        VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_BIT_KHR;
    const VkGeometryInstanceFlagsKHR flags =
        (VkGeometryInstanceFlagsKHR)instance->flags &
        (VK_GEOMETRY_INSTANCE_FORCE_OPACITY_MICROMAP_2_STATE_BIT_KHR | disable);
    if (likely(!flags))
        return;
    const bool enabled = subject_has(s, FEATURE_OpacityMicromapFeaturesKHR_micromap) ||
                         subject_has(s, FEATURE_OpacityMicromapFeaturesEXT_micromap);
    REQUIRE(s, VUID_VkAccelerationStructureInstanceKHR_micromap_11580, enabled, s->where,
            "has instance %u with flags %s, but the feature micromap is not enabled", i,
            TEXT_OF(VkGeometryInstanceFlagsKHR, flags));
    struct acceleration_structure *structure =
        find_acceleration_structure(s->call, (VkAccelerationStructureKHR)
                                                 instance->accelerationStructureReference);
    if (!enabled || !structure || !(flags & disable))
        return;
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    const struct build_info built = acceleration_structure_build(structure);
    scratch_rewind(&thread_self()->scratch, mark);
    REQUIRE(s, VUID_VkAccelerationStructureInstanceKHR_flags_11581,
            built.content != BUILD_DONE ||
                built.flags &
                    VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DISABLE_OPACITY_MICROMAPS_BIT_KHR,
            s->where,
            "has instance %u with VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_BIT_KHR of a "
            "structure that was built with flags %s, without "
            "VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DISABLE_OPACITY_MICROMAPS_BIT_KHR",
            i, TEXT_OF(VkBuildAccelerationStructureFlagsKHR, built.flags));
}

void check_host_instances(struct subject *s, const build_geometry_info *infos, uint32_t count,
                          uint32_t info, const VkAccelerationStructureGeometryKHR *geometry,
                          const VkAccelerationStructureBuildRangeInfoKHR *range)
{
    assert(info < count && geometry && range);
    const VkAccelerationStructureGeometryInstancesDataKHR *data = &geometry->geometry.instances;
    const unsigned char *from =
        (const unsigned char *)data->data.hostAddress + range->primitiveOffset;
    if (geometry->geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR ||
        infos[info].flags &
            VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV || /* it is another structure */
        pointer_is_bad(data->data.hostAddress))
        return;
    for (uint32_t i = 0; i < range->primitiveCount && !s->wrong; i++) {
        VkAccelerationStructureInstanceKHR instance;
        const void *source = from + i * sizeof(instance);
        if (data->arrayOfPointers)
            memcpy(&source, from + i * sizeof(source), sizeof(source));
        if (pointer_is_bad(source))
            return;
        memcpy(&instance, source, sizeof(instance));
        uint64_t reference = instance.accelerationStructureReference;
        if (reference && !call_find(s->call, reference, HANDLE_ACCELERATION_STRUCTURE_KHR) &&
            !object_table_degraded()) {
            BROKEN(s, STOPS(RULE_03779), s->where,
                   "has instance %u of 0x%" PRIx64 ", which is not an acceleration structure", i,
                   reference);
            return;
        }
        check_instance(s, infos, count, info, (VkAccelerationStructureKHR)reference);
        check_instance_flags(s, &instance, i);
    }
}
