/* Checks builds and uses of micromaps of VK_EXT_opacity_micromap (38 "Micromap"). It looks at the
 * memory that builds read and write, and at whether what is read was built. */
#include "core/raytracing/acceleration_structure.h"

#include "base/thread.h"
#include "core/hooks.h"
#include "core/memory/address.h"
#include "report/muting/rows_broken.h"
#include "state/object/created.h"
#include "vk/pointer.h"

#include <inttypes.h>
#include <string.h>

/* Builds of one call that are compared, each with each. Calls of more are not compared. */
#define MICROMAPS_COMPARED 256

/* The places that one element of pInfos writes. Threads: on the stack, or in scratch memory. */
struct micromap_places {
    struct place target, scratch;
};

/* Asks the driver what a build takes; false where it cannot be asked. */
static bool micromap_sizes(const struct device *device, const VkMicromapBuildInfoEXT *info,
                           VkAccelerationStructureBuildTypeKHR type,
                           VkMicromapBuildSizesInfoEXT *sizes)
{
    assert(info && sizes);
    if (!device->dispatch.GetMicromapBuildSizesEXT || info->pNext)
        return false;
    VkMicromapBuildInfoEXT asked = *info;
    asked.dstMicromap = VK_NULL_HANDLE; /* "is ignored" */
    *sizes =
        (VkMicromapBuildSizesInfoEXT){.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_SIZES_INFO_EXT};
    device->dispatch.GetMicromapBuildSizesEXT(device->handle, type, &asked, sizes);
    return true;
}

/* Checks the scratch memory of one build on the device, and fills in the places that the build
 * writes. */
static bool micromap_check_places(const struct call *call, const VkMicromapBuildInfoEXT *info,
                                  const struct location *where, struct micromap_places *places)
{
    VkMicromapBuildSizesInfoEXT sizes;
    const struct location scratch = LOCATION(where, "scratchData"),
                          at = LOCATION(&scratch, "deviceAddress");
    const VkDeviceAddress address = info->scratchData.deviceAddress;
    const struct created_micromap *target = find_created_micromap(call, info->dstMicromap);
    const struct buffer *buffer = target ? buffer_by_id(target->buffer) : NULL;
    bool skip = false;
    if (!micromap_sizes(call->device, info, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                        &sizes))
        return false;
    if (buffer)
        places->target =
            buffer_place(buffer, target->offset,
                         sizes.micromapSize < target->size ? sizes.micromapSize : target->size);
    if (!sizes.buildScratchSize)
        return false;
    struct address_search found =
        device_address_find(call->device, address, sizes.buildScratchSize, 0);
    if (found.match == ADDRESS_NOWHERE)
        skip = address_report_nowhere(call, rule_vuid(call->command, RULE_07512), &at, address,
                                      ", but the build takes scratch memory");
    else if (found.match == ADDRESS_TOO_SHORT)
        skip =
            address_report_short(call, rule_vuid(call->command, RULE_07509), &at, address, &found,
                                 sizes.buildScratchSize, "the scratch memory of the build takes");
    else if (found.match == ADDRESS_FOUND && found.buffer)
        places->scratch =
            buffer_place(found.buffer, found.buffer->size - found.rest, sizes.buildScratchSize);
    return skip;
}

/* Checks that two builds of a call do not write the same memory. `i` and `k` may be one build. */
static void micromap_check_pair(struct subject *s, const struct micromap_places *places, uint32_t i,
                                uint32_t k)
{
    const struct location where = LOCATION_INDEX(NULL, "pInfos", k);
    REQUIRE(s, RULE_11649, i == k || !places_overlap(places[i].target, places[k].target),
            &LOCATION(&where, "dstMicromap"),
            "shares memory with dstMicromap of pInfos[%u], and both are built by this command", i);
    REQUIRE(s, RULE_11650, !places_overlap(places[i].target, places[k].scratch),
            &LOCATION(&where, "scratchData"),
            "shares memory with dstMicromap of pInfos[%u], and both are written by this command",
            i);
    REQUIRE(s, RULE_11651, i == k || !places_overlap(places[i].scratch, places[k].scratch),
            &LOCATION(&where, "scratchData"),
            "shares memory with scratchData of pInfos[%u], and both are written by this command",
            i);
}

bool core_validate_CmdBuildMicromapsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t infoCount, const VkMicromapBuildInfoEXT *pInfos)
{
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    struct micromap_places *places =
        infoCount <= MICROMAPS_COMPARED
            ? scratch_alloc(&thread_self()->scratch, (infoCount + 1) * sizeof(*places))
            : NULL;
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < infoCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pInfos", i);
        struct micromap_places own = {.target = {0}};
        if (!rows_were_broken_in(&where)) /* else the driver is not asked */
            s.skip |= micromap_check_places(call, &pInfos[i], &where, &own);
        if (places)
            places[i] = own;
    }
    for (uint32_t i = 0; places && i < infoCount; i++) {
        for (uint32_t k = 0; k < infoCount && !s.wrong; k++) {
            if (i <= k || places_overlap(places[i].target, places[k].scratch))
                micromap_check_pair(&s, places, i, k);
        }
    }
    scratch_rewind(&thread_self()->scratch, mark);
    return s.skip;
}

/* --- builds on the host --- */

/* How many triangles a build has; 0 where that is not known. */
static uint64_t micromap_triangle_count(const VkMicromapBuildInfoEXT *info)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < info->usageCountsCount; i++) {
        const VkMicromapUsageEXT *usage = info->pUsageCounts ? &info->pUsageCounts[i]
                                          : pointer_is_bad(info->ppUsageCounts)
                                              ? NULL
                                              : info->ppUsageCounts[i];
        if (pointer_is_bad(usage))
            return 0;
        count += usage->count;
    }
    return count;
}

/* Checks the triangles that a build on the host reads, up to the first mistake. `s->where`: the
 * info. */
static void micromap_check_triangles(struct subject *s, const VkMicromapBuildInfoEXT *info,
                                     uint64_t count)
{
    const VkPhysicalDeviceOpacityMicromapPropertiesEXT *limits =
        &s->call->device->extended.OpacityMicromapPropertiesEXT;
    const unsigned char *from = info->triangleArray.hostAddress;
    for (uint64_t i = 0; i < count && !s->wrong; i++) {
        VkMicromapTriangleEXT triangle;
        memcpy(&triangle, from + i * info->triangleArrayStride, sizeof(triangle));
        const bool two = triangle.format == VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT,
                   four = triangle.format == VK_OPACITY_MICROMAP_FORMAT_4_STATE_EXT;
        REQUIRE(s, RULE_11657, two || four, "triangleArray",
                "has triangle %" PRIu64 " of format %u, not 1 or 2", i, triangle.format);
        REQUIRE(s, RULE_11659,
                !two || !limits->maxOpacity2StateSubdivisionLevel ||
                    triangle.subdivisionLevel <= limits->maxOpacity2StateSubdivisionLevel,
                "triangleArray",
                "has triangle %" PRIu64 " of subdivisionLevel %u, more than "
                "maxOpacity2StateSubdivisionLevel (%u)",
                i, triangle.subdivisionLevel, limits->maxOpacity2StateSubdivisionLevel);
        REQUIRE(s, RULE_11660,
                !four || !limits->maxOpacity4StateSubdivisionLevel ||
                    triangle.subdivisionLevel <= limits->maxOpacity4StateSubdivisionLevel,
                "triangleArray",
                "has triangle %" PRIu64 " of subdivisionLevel %u, more than "
                "maxOpacity4StateSubdivisionLevel (%u)",
                i, triangle.subdivisionLevel, limits->maxOpacity4StateSubdivisionLevel);
    }
}

/* Checks the memory of the program that a build reads and writes. `s->where`: the info. */
static void micromap_check_host(struct subject *s, const VkMicromapBuildInfoEXT *info)
{
    const uint64_t count = micromap_triangle_count(info);
    const struct location data = LOCATION(s->where, "data"),
                          triangles = LOCATION(s->where, "triangleArray"),
                          scratch = LOCATION(s->where, "scratchData");
    VkMicromapBuildSizesInfoEXT sizes;
    REQUIRE(s, STOPS(RULE_07553), !count || !pointer_is_bad(info->data.hostAddress),
            &LOCATION(&data, "hostAddress"),
            "is %p, where no memory can be, but %" PRIu64 " triangles are built",
            info->data.hostAddress, count);
    REQUIRE(s, STOPS(RULE_07554), !count || !pointer_is_bad(info->triangleArray.hostAddress),
            &LOCATION(&triangles, "hostAddress"),
            "is %p, where no memory can be, but %" PRIu64 " triangles are built",
            info->triangleArray.hostAddress, count);
    if (s->wrong || info->type != VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT)
        return;
    micromap_check_triangles(s, info, count);
    if (s->wrong || !micromap_sizes(s->call->device, info,
                                    VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_KHR, &sizes))
        return;
    const char *memory = info->scratchData.hostAddress;
    REQUIRE(s, STOPS(RULE_07556),
            !sizes.buildScratchSize ||
                (!pointer_is_bad(memory) && !pointer_is_bad(memory + sizes.buildScratchSize - 1)),
            &LOCATION(&scratch, "hostAddress"),
            "is %p, where no memory can be, but the build takes %" PRIu64 " bytes", memory,
            sizes.buildScratchSize);
}

bool core_validate_BuildMicromapsEXT(struct call *call, VkDevice device,
                                     VkDeferredOperationKHR deferredOperation, uint32_t infoCount,
                                     const VkMicromapBuildInfoEXT *pInfos)
{
    bool skip = false;
    for (uint32_t i = 0; i < infoCount; i++) {
        const struct location where = LOCATION_INDEX(NULL, "pInfos", i);
        struct subject s = {.call = call, .where = &where};
        if (!rows_were_broken_in(&where))
            micromap_check_host(&s, &pInfos[i]);
        skip |= s.skip;
    }
    return skip;
}

/* --- what is read on the host --- */

/* Checks the micromap that the call reads at once. */
static bool micromap_check_read(const struct call *call, VkMicromapEXT micromap, bool compacts,
                                const struct location *where)
{
    const struct build_record record = {.command = call->command, .argument = compacts};
    return micromap_check_use(call, &record, find_created_micromap(call, micromap), where);
}

bool core_validate_CopyMicromapEXT(struct call *call, VkDevice device,
                                   VkDeferredOperationKHR deferredOperation,
                                   const VkCopyMicromapInfoEXT *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    return micromap_check_read(call, pInfo->src, pInfo->mode == VK_COPY_MICROMAP_MODE_COMPACT_EXT,
                               &LOCATION(&where, "src"));
}

bool core_validate_CopyMicromapToMemoryEXT(struct call *call, VkDevice device,
                                           VkDeferredOperationKHR deferredOperation,
                                           const VkCopyMicromapToMemoryInfoEXT *pInfo)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    return micromap_check_read(call, pInfo->src, false, &LOCATION(&where, "src"));
}

bool core_validate_WriteMicromapsPropertiesEXT(struct call *call, VkDevice device,
                                               uint32_t micromapCount,
                                               const VkMicromapEXT *pMicromaps,
                                               VkQueryType queryType, size_t dataSize, void *pData,
                                               size_t stride)
{
    bool skip = false;
    for (uint32_t i = 0; i < micromapCount; i++)
        skip |= micromap_check_read(call, pMicromaps[i],
                                    queryType == VK_QUERY_TYPE_MICROMAP_COMPACTED_SIZE_EXT,
                                    &LOCATION_INDEX(NULL, "pMicromaps", i));
    return skip;
}
