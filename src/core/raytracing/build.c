/* Checks that acceleration structures may be built, on the device or on the host (37.2 "Building
 * Acceleration Structures"). */
#include "core/raytracing/acceleration_structure.h"

#include "base/thread.h"
#include "core/memory/address.h"
#include "core/hooks.h"
#include "report/finding/rule.h"
#include "report/muting/rows_broken.h"
#include "vk/chain.h"
#include "vk/pointer.h"

#include <inttypes.h>
#include <stdlib.h>

typedef VkAccelerationStructureBuildGeometryInfoKHR build_geometry_info;

/* --- ranges that must not overlap --- */

enum part { PART_TARGET, PART_SOURCE, PART_SCRATCH };

/* A range of memory that a part of a build uses. */
struct part_place {
    struct place place;
    uint32_t info; /* index in pInfos */
    enum part part;
    uint64_t structure; /* id; 0: scratch memory */
};

/* The state of the checks of one call. Threads: on the stack. */
struct build_call {
    struct call *call;
    VkAccelerationStructureBuildTypeKHR type;
    const build_geometry_info *infos; /* `count` elements */
    uint32_t count;
    struct part_place *places; /* in scratch memory; NULL: that ran out */
    uint32_t place_count;
    bool skip;
};

/* Compares for qsort(): by memory and begin, then by index in pInfos, so that findings do not
 * depend on qsort(). */
static int compare_places(const void *left, const void *right)
{
    const struct part_place *a = left, *b = right;
    if (a->place.memory != b->place.memory)
        return a->place.memory < b->place.memory ? -1 : 1;
    if (a->place.first != b->place.first)
        return a->place.first < b->place.first ? -1 : 1;
    return a->info != b->info ? (a->info < b->info ? -1 : 1) : (int)a->part - (int)b->part;
}

/* Adds a range that the build uses. Empty ranges, and those whose memory is not known, are left
 * out. */
static void add_place(struct build_call *build, uint32_t info, enum part part, uint64_t structure,
                      struct place place)
{
    if (build->places && place.memory && place.first < place.end)
        build->places[build->place_count++] = (struct part_place){place, info, part, structure};
}

/* The rule that forbids two ranges of a call to overlap; 0: they may. */
static enum rule overlap_rule(const struct part_place *a, const struct part_place *b)
{
    assert(a && b && a != b);
    bool same = a->info == b->info;
    if (a->part == PART_TARGET && b->part == PART_TARGET)
        return same ? 0 : a->structure == b->structure ? RULE_03698 : RULE_03702;
    if (a->part == PART_TARGET && b->part == PART_SOURCE) {
        if (same)
            return a->structure == b->structure ? 0 : RULE_03668;
        return a->structure == b->structure ? RULE_03403 : RULE_03701;
    }
    if (a->part == PART_TARGET && b->part == PART_SCRATCH)
        return RULE_03703;
    if (a->part == PART_SCRATCH && b->part == PART_SCRATCH)
        return same ? 0 : RULE_03704;
    return a->part == PART_SOURCE && b->part == PART_SCRATCH ? RULE_03705 : 0;
}

/* Reports two ranges that overlap, unless they may. */
static void build_check_pair(struct build_call *build, const struct part_place *a,
                             const struct part_place *b)
{
    static const char *const names[] = {"dstAccelerationStructure", "srcAccelerationStructure",
                                        "scratchData"};
    if (a->part > b->part || (a->part == b->part && a->info < b->info)) {
        const struct part_place *swap = a;
        a = b;
        b = swap;
    }
    enum rule rule = overlap_rule(a, b);
    if (!rule)
        return;
    const struct location where = LOCATION_INDEX(NULL, "pInfos", a->info);
    const struct acceleration_structure *structure = acceleration_structure_by_id(a->structure);
    build->skip |=
        BROKEN_BY(build->call, rule, &LOCATION(&where, names[a->part]),
                  structure ? STRUCTURE_OBJECT(object_state_handle(&structure->base)) : NULL,
                  a->structure && a->structure == b->structure
                      ? "is the %s of pInfos[%u] as well"
                      : "shares memory with %s of pInfos[%u], and both are accessed by this "
                        "command",
                  names[b->part], b->info);
}

/* Checks that ranges of the builds do not overlap, up to the first finding. They are sorted: a
 * range is compared with those after it, until one begins after its end. */
static void build_check_overlaps(struct build_call *build)
{
    qsort(build->places, build->place_count, sizeof(*build->places), compare_places);
    for (uint32_t i = 0; i < build->place_count; i++) {
        for (uint32_t k = i + 1; k < build->place_count && !build->skip &&
                                 places_overlap(build->places[i].place, build->places[k].place);
             k++)
            build_check_pair(build, &build->places[i], &build->places[k]);
    }
}

/* --- sizes and scratch memory --- */

/* Checks the scratch memory. `s->where`: location of scratchData; `size`: bytes that the build
 * needs; `known`: whether that is known. */
static void check_scratch(struct build_call *build, struct subject *s, uint32_t i,
                          VkDeviceSize size, bool known)
{
    assert(i < build->count);
    const build_geometry_info *info = &build->infos[i];
    bool update = info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    VkDeviceAddress address = info->scratchData.deviceAddress;
    if (!known || !size)
        return;
    struct address_search found = device_address_find(build->call->device, address, size,
                                                      VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
    enum rule usage = update ? RULE_12260 : RULE_12261, range = update ? RULE_12259 : RULE_12258;
    const struct location *at = &LOCATION(s->where, "deviceAddress");
    if (found.match == ADDRESS_NOWHERE)
        s->skip |= address_report_nowhere(s->call, rule_vuid(s->call->command, usage), at, address,
                                          ", but the build takes scratch memory");
    else if (found.match == ADDRESS_USAGE)
        s->skip |= address_report_usage(s->call, rule_vuid(s->call->command, usage), at, address,
                                        &found, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
    else if (found.match == ADDRESS_TOO_SHORT)
        s->skip |= address_report_short(s->call, rule_vuid(s->call->command, range), at, address,
                                        &found, size, "the scratch memory of the build takes");
    if (found.match == ADDRESS_FOUND)
        s->skip |= address_check_bound(s->call, at, address);
    if (found.match == ADDRESS_FOUND && found.buffer)
        add_place(build, i, PART_SCRATCH, 0,
                  buffer_place(found.buffer, found.buffer->size - found.rest, size));
}

/* Queries the driver for the sizes, with the largest possible numbers of primitives. */
static bool ask_sizes(struct build_call *build, const build_geometry_info *info,
                      struct build_counts counts, VkAccelerationStructureBuildSizesInfoKHR *sizes)
{
    if (counts.most)
        return build_sizes(build->call->device, info, build->type, counts.most, sizes);
    uint32_t *own = counts.ranges ? scratch_alloc(&thread_self()->scratch,
                                                  (size_t)info->geometryCount * sizeof(*own) + 16)
                                  : NULL;
    for (uint32_t i = 0; own && i < info->geometryCount; i++)
        own[i] = counts.ranges[i].primitiveCount;
    return own && build_sizes(build->call->device, info, build->type, own, sizes);
}

/* Checks the ranges that one element writes and reads, which must have the sizes that the driver
 * reports. They are kept for the comparison with those of other elements. */
static void check_sizes(struct build_call *build, struct subject *s, uint32_t i,
                        struct build_counts counts)
{
    assert(i < build->count);
    const build_geometry_info *info = &build->infos[i];
    const struct acceleration_structure *target =
        find_acceleration_structure(build->call, info->dstAccelerationStructure);
    const struct acceleration_structure *source =
        find_acceleration_structure(build->call, info->srcAccelerationStructure);
    bool update = info->mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    bool device = build->type == VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR;
    /* UINT64_MAX: not known; the range then extends to the structure's end. */
    VkAccelerationStructureBuildSizesInfoKHR sizes = {.accelerationStructureSize = UINT64_MAX};
    bool known = ask_sizes(build, info, counts, &sizes);
    VkDeviceSize size = known ? sizes.accelerationStructureSize : UINT64_MAX;
    if (known && target && !update && target->size < size)
        BROKEN_OF(s, STRUCTURE_OBJECT(info->dstAccelerationStructure),
                  counts.most ? RULE_03652 : RULE_10126, "dstAccelerationStructure",
                  "was created with a size of %" PRIu64 " bytes, but the build takes %" PRIu64,
                  target->size, size);
    if (target)
        /* It is compared when the ranges of all elements are known. */
        add_place(build, i, PART_TARGET, object_state_id(&target->base),
                  structure_place(target, size));
    if (update && source)
        add_place(build, i, PART_SOURCE, object_state_id(&source->base),
                  structure_place(source, size));
    const struct location scratch = LOCATION(s->where, "scratchData");
    const VkDeviceSize scratch_size = update ? sizes.updateScratchSize : sizes.buildScratchSize;
    const char *host = info->scratchData.hostAddress;
    if (!device)
        REQUIRE(s, STOPS(update ? RULE_12245 : RULE_12244),
                !known || !scratch_size ||
                    (!pointer_is_bad(host) && !pointer_is_bad(host + scratch_size - 1)),
                &LOCATION(&scratch, "hostAddress"),
                "is %p, where no memory can be, but the build takes %" PRIu64 " bytes", host,
                scratch_size);
    if (device) {
        struct subject at = {.call = s->call, .where = &scratch};
        check_scratch(build, &at, i, scratch_size, known);
        subject_add(s, &at);
    }
}

/* --- one element of pInfos --- */

/* Checks that the target has motion if and only if the build has. */
static void check_structures(struct build_call *build, struct subject *s,
                             const build_geometry_info *info)
{
    const struct acceleration_structure *target =
        find_acceleration_structure(build->call, info->dstAccelerationStructure);
    if (!target)
        return;
    bool motion = (target->flags & VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV) != 0;
    s->objects = STRUCTURE_OBJECT(info->dstAccelerationStructure);
    REQUIRE(s, RULE_04927, !motion || info->flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV,
            "flags",
            "is %s, without VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV, but the structure "
            "was created with VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV",
            TEXT_OF(VkBuildAccelerationStructureFlagsKHR, info->flags));
    REQUIRE(s, RULE_04928, motion || !(info->flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV),
            "flags",
            "contains VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV, but the structure was "
            "created without VK_ACCELERATION_STRUCTURE_CREATE_MOTION_BIT_NV");
    s->objects = NULL;
}

/* Checks an update against the structure that it updates. On the device, only builds of this
 * command buffer are known here; on the host, the structure's current build counts. */
static void build_check_update(struct build_call *build, struct subject *s,
                               const build_geometry_info *info,
                               const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    struct acceleration_structure *source =
        find_acceleration_structure(build->call, info->srcAccelerationStructure);
    if (info->mode != VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR || !source ||
        info->geometryCount > BUILT_GEOMETRIES)
        return;
    struct built_geometry *geometries =
        scratch_alloc(&thread_self()->scratch, (info->geometryCount + 1) * sizeof(*geometries));
    struct build_record record = {.command = build->call->command,
                                  .action = BUILD_ACTION_UPDATE,
                                  .source = object_state_id(&source->base)};
    struct build_info update = build_info_of(info, ranges, geometries);
    if (build->type == VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR) {
        s->skip |= check_recorded_use(build->call, &record, &update, s->where);
        return;
    }
    struct build_info then = acceleration_structure_build(source);
    s->skip |= check_build_use(build->call, &record, &update, &then, s->where);
}

/* Checks one element of pInfos. `counts`: numbers of primitives of its geometries. */
static void build_check_info(struct build_call *build, uint32_t i, struct build_counts counts)
{
    assert(i < build->count);
    const build_geometry_info *info = &build->infos[i];
    const struct location where = LOCATION_INDEX(NULL, "pInfos", i);
    const struct location ranges = LOCATION_INDEX(NULL, "ppBuildRangeInfos", i);
    struct subject s = {.call = build->call, .where = &where};
    check_structures(build, &s, info);
    check_build_geometry_info(&s, info, counts);
    if (!s.wrong) {
        check_build_ranges(&s, info, counts.ranges, &ranges);
        if (build->type == VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR)
            check_build_addresses(&s, info, counts.ranges);
    }
    if (!s.wrong) {
        struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
        if (!rows_were_broken_in(&where)) /* otherwise the driver must not be queried */
            check_sizes(build, &s, i, counts);
        build_check_update(build, &s, info, counts.ranges);
        scratch_rewind(&thread_self()->scratch, mark);
    }
    build->skip |= s.skip;
}

/* Begins the checks of a call, with room for three ranges of each build in scratch memory. */
static struct build_call build_call_begin(struct call *call,
                                          VkAccelerationStructureBuildTypeKHR type,
                                          const build_geometry_info *infos, uint32_t count)
{
    assert(infos || !count);
    struct build_call build = {.call = call, .type = type, .infos = infos, .count = count};
    build.places =
        scratch_alloc(&thread_self()->scratch, ((size_t)count * 3 + 1) * sizeof(*build.places));
    return build;
}

/* Checks that no other build of the call writes a micromap that this one reads. */
static void check_micromap(struct build_call *build, uint32_t i,
                           VkAccelerationStructureKHR micromap)
{
    for (uint32_t k = 0; k < build->count; k++) {
        struct subject s = {.call = build->call,
                            .where = &LOCATION_INDEX(NULL, "pInfos", k),
                            .objects = STRUCTURE_OBJECT(micromap)};
        REQUIRE(&s, RULE_11548, k == i || build->infos[k].dstAccelerationStructure != micromap,
                "dstAccelerationStructure", "is a micromap that a geometry of pInfos[%u] has", i);
        build->skip |= s.skip;
    }
}

/* Checks that no element builds a micromap that a geometry of another element uses. */
static void check_micromaps(struct build_call *build)
{
    for (uint32_t i = 0; i < build->count; i++) {
        for (uint32_t k = 0; k < build->infos[i].geometryCount; k++) {
            const VkAccelerationStructureGeometryKHR *geometry =
                build_geometry(&build->infos[i], k);
            const VkAccelerationStructureTrianglesOpacityMicromapKHR *micromap =
                geometry && geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR
                    ? CHAINED(geometry->geometry.triangles.pNext,
                              ACCELERATION_STRUCTURE_TRIANGLES_OPACITY_MICROMAP_KHR)
                    : NULL;
            if (micromap && micromap->micromap)
                check_micromap(build, i, micromap->micromap);
        }
    }
}

/* The pointer; NULL if it is bad. */
static const void *pointer_or_null(const void *pointer)
{
    return pointer_is_bad(pointer) ? NULL : pointer;
}

bool core_validate_CmdBuildAccelerationStructuresKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_call build =
        build_call_begin(call, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, pInfos, infoCount);
    for (uint32_t i = 0; i < infoCount; i++)
        build_check_info(&build, i,
                         (struct build_counts){.ranges = pointer_or_null(ppBuildRangeInfos[i])});
    build_check_overlaps(&build);
    if (infoCount > 1 &&
        extension_set_has(&call->device->extensions, EXTENSION_VK_KHR_opacity_micromap))
        check_micromaps(&build);
    scratch_rewind(&thread_self()->scratch, mark);
    return build.skip;
}

/* Checks the address from which the ranges of one element are read. */
static void build_check_indirect(struct build_call *build, uint32_t i, VkDeviceAddress address,
                                 uint32_t stride)
{
    const struct call *call = build->call;
    struct subject s = {.call = call};
    const struct location at = LOCATION_INDEX(NULL, "pIndirectDeviceAddresses", i);
    uint64_t size = (uint64_t)build->infos[i].geometryCount * stride;
    struct address_search found =
        device_address_find(call->device, address, size, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    if (found.match == ADDRESS_NOWHERE)
        s.skip |= address_report_nowhere(call, RULE(call, 03646), &at, address, "");
    else if (found.match == ADDRESS_TOO_SHORT)
        BROKEN_OF(&s, ADDRESS_OBJECT(&found), RULE_03646, &at,
                  "is %s, where that buffer has %" PRIu64
                  " bytes left, but %u geometries of stride %u take %" PRIu64,
                  ADDRESS_IN(call, address, found.buffer), found.rest,
                  build->infos[i].geometryCount, stride, size);
    build->skip |= s.skip;
}

bool core_validate_CmdBuildAccelerationStructuresIndirectKHR(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
    const uint32_t *const *ppMaxPrimitiveCounts)
{
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_call build =
        build_call_begin(call, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, pInfos, infoCount);
    for (uint32_t i = 0; i < infoCount; i++) {
        build_check_info(&build, i,
                         (struct build_counts){.most = pointer_or_null(ppMaxPrimitiveCounts[i])});
        build_check_indirect(&build, i, pIndirectDeviceAddresses[i], pIndirectStrides[i]);
    }
    build_check_overlaps(&build);
    scratch_rewind(&thread_self()->scratch, mark);
    return build.skip;
}

/* --- on the host --- */

/* Checks the data that element `info` reads from the program's memory. */
static void check_host_info(struct build_call *build, uint32_t info,
                            const VkAccelerationStructureBuildRangeInfoKHR *ranges)
{
    assert(info < build->count);
    const struct location where = LOCATION_INDEX(NULL, "pInfos", info),
                          of_ranges = LOCATION_INDEX(NULL, "ppBuildRangeInfos", info);
    struct subject s = {.call = build->call, .where = &where};
    REQUIRE(&s, STOPS(RULE_11702), ranges || !build->infos[info].geometryCount, &of_ranges,
            "is not the address of %u ranges, one for each geometry",
            build->infos[info].geometryCount);
    for (uint32_t i = 0; ranges && i < build->infos[info].geometryCount && !s.wrong; i++) {
        const VkAccelerationStructureGeometryKHR *geometry = build_geometry(&build->infos[info], i);
        struct subject range = {.call = build->call, .where = &LOCATION_INDEX(&of_ranges, "", i)};
        if (!geometry || build->skip)
            continue;
        check_host_indices(&range, geometry, &ranges[i]);
        check_host_instances(&s, build->infos, build->count, info, geometry, &ranges[i]);
        s.skip |= range.skip;
    }
    build->call->dead_handle |= s.wrong;
    build->skip |= s.skip;
}

bool core_validate_BuildAccelerationStructuresKHR(
    struct call *call, VkDevice device, VkDeferredOperationKHR deferredOperation,
    uint32_t infoCount, const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct build_call build =
        build_call_begin(call, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR, pInfos, infoCount);
    for (uint32_t i = 0; i < infoCount; i++) {
        const VkAccelerationStructureBuildRangeInfoKHR *ranges =
            pointer_or_null(ppBuildRangeInfos[i]);
        build_check_info(&build, i, (struct build_counts){.ranges = ranges});
        check_host_info(&build, i, ranges);
    }
    build_check_overlaps(&build);
    scratch_rewind(&thread_self()->scratch, mark);
    return build.skip;
}
