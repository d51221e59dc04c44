/* Checks builds of clusters of triangles (VK_NV_cluster_acceleration_structure, 37.4 "Cluster
 * Geometry"), and of partitioned structures (VK_NV_partitioned_acceleration_structure). */
#include "core/hooks.h"
#include "core/memory/address.h"
#include "report/muting/rows_broken.h"
#include "state/memory/formats.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Checks the input of a build. `s->where`: the structure with the member opInput. */
static void check_input(struct subject *s, const VkClusterAccelerationStructureInputInfoNV *input)
{
    assert(input);
    const VkPhysicalDeviceClusterAccelerationStructurePropertiesNV *limits =
        &s->call->device->extended.ClusterAccelerationStructurePropertiesNV;
    const VkClusterAccelerationStructureTriangleClusterInputNV *clusters =
        input->opInput.pTriangleClusters;
    const struct location union_ = LOCATION(s->where, "opInput"),
                          where = LOCATION_POINTER(&union_, "pTriangleClusters");
    struct subject of = {.call = s->call, .where = &where};
    if ((input->opType != VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_NV &&
         input->opType !=
             VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_BUILD_TRIANGLE_CLUSTER_TEMPLATE_NV &&
         input->opType !=
             VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_INSTANTIATE_TRIANGLE_CLUSTER_NV) ||
        pointer_is_bad(clusters))
        return;
    /* Values that are not a VkFormat are reported elsewhere. */
    if (format_info(clusters->vertexFormat))
        REQUIRE(&of, RULE_10439,
                format_buffer_features(of.call->device, clusters->vertexFormat) &
                    VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR,
                "vertexFormat",
                "is %s, which cannot be a vertex format of acceleration structures on this device",
                TEXT_OF(VkFormat, clusters->vertexFormat));
    REQUIRE(&of, RULE_10440,
            !limits->maxTrianglesPerCluster ||
                clusters->maxClusterTriangleCount <= limits->maxTrianglesPerCluster,
            "maxClusterTriangleCount", "is %u, more than maxTrianglesPerCluster (%u)",
            clusters->maxClusterTriangleCount, limits->maxTrianglesPerCluster);
    REQUIRE(&of, RULE_10441,
            !limits->maxVerticesPerCluster ||
                clusters->maxClusterVertexCount <= limits->maxVerticesPerCluster,
            "maxClusterVertexCount", "is %u, more than maxVerticesPerCluster (%u)",
            clusters->maxClusterVertexCount, limits->maxVerticesPerCluster);
    REQUIRE(&of, RULE_10442, clusters->minPositionTruncateBitCount <= 32,
            "minPositionTruncateBitCount", "is %u, more than 32",
            clusters->minPositionTruncateBitCount);
    s->skip |= of.skip;
}

bool core_validate_GetClusterAccelerationStructureBuildSizesNV(
    struct call *call, VkDevice device, const VkClusterAccelerationStructureInputInfoNV *pInfo,
    VkAccelerationStructureBuildSizesInfoKHR *pSizeInfo)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pInfo")};
    check_input(&s, pInfo);
    return s.skip;
}

/* --- what builds access --- */

/* A range of addresses that a build accesses. */
struct accessed {
    VkDeviceAddress address;
    VkDeviceSize size; /* in bytes; 0: nothing is accessed */
    const char *name;  /* name of the member with the address */
};

/* Checks a range of addresses. A row reports an address without a buffer. */
static void check_accessed(struct subject *s, const struct accessed *of, enum vuid too_short)
{
    if (!of->size)
        return;
    const struct location where = LOCATION(s->where, of->name);
    struct address_search found = device_address_find(s->call->device, of->address, of->size, 0);
    if (found.match == ADDRESS_TOO_SHORT) {
        s->skip |= address_report_short(s->call, too_short, &where, of->address, &found, of->size,
                                        "the build takes");
        s->wrong = true;
    }
}

/* Checks that two ranges which the command accesses do not overlap. */
static void check_apart(struct subject *s, const struct accessed *a, const struct accessed *b,
                        enum rule rule)
{
    if (!a->size || !b->size || !a->address || !b->address)
        return;
    const bool apart = a->address < b->address ? b->address - a->address >= a->size
                                               : a->address - b->address >= b->size;
    REQUIRE_OF(s, OBJECT_AT(s->call, a->address), rule, apart, &LOCATION(s->where, a->name),
               "is %s, where the build accesses %" PRIu64 " bytes, which overlap those of %s (%s)",
               ADDRESS(s->call, a->address), a->size, b->name, ADDRESS(s->call, b->address));
}

/* --- builds of clusters --- */

#define COMMANDS(rule_) VUID_VkClusterAccelerationStructureCommandsInfoNV_##rule_

/* True if the addresses are in the structures, not in device memory. */
static bool is_direct(const VkClusterAccelerationStructureCommandsInfoNV *info,
                      VkClusterAccelerationStructureAddressResolutionFlagsNV flag)
{
    return !(info->addressResolutionFlags & flag);
}

/* Checks the memory that cluster commands read and write, with the sizes that the driver
 * reports. */
static void check_commands(struct subject *s,
                           const VkClusterAccelerationStructureCommandsInfoNV *info)
{
    const struct device *device = s->call->device;
    PFN_vkGetClusterAccelerationStructureBuildSizesNV ask =
        device->dispatch.GetClusterAccelerationStructureBuildSizesNV;
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    const bool implicit =
        info->input.opMode == VK_CLUSTER_ACCELERATION_STRUCTURE_OP_MODE_IMPLICIT_DESTINATIONS_NV &&
        info->input.opType != VK_CLUSTER_ACCELERATION_STRUCTURE_OP_TYPE_MOVE_OBJECTS_NV;
    /* the pointers of all inputs share a union */
    if (!ask || pointer_is_bad(info->input.opInput.pClustersBottomLevel))
        return;
    ask(device->handle, &info->input, &sizes);
    struct accessed scratch = {.name = "scratchData"}, target = {.name = "dstImplicitData"};
    if (is_direct(
            info,
            VK_CLUSTER_ACCELERATION_STRUCTURE_ADDRESS_RESOLUTION_INDIRECTED_SCRATCH_DATA_BIT_NV)) {
        scratch.address = info->scratchData;
        scratch.size = sizes.buildScratchSize;
    }
    if (implicit &&
        is_direct(
            info,
            VK_CLUSTER_ACCELERATION_STRUCTURE_ADDRESS_RESOLUTION_INDIRECTED_DST_IMPLICIT_DATA_BIT_NV)) {
        target.address = info->dstImplicitData;
        target.size = sizes.accelerationStructureSize;
    }
    check_accessed(s, &scratch, RULE(s->call, 12300));
    check_accessed(s, &target, COMMANDS(opMode_12310));
    if (!s->wrong)
        check_apart(s, &target, &scratch, RULE_12303);
}

bool core_validate_CmdBuildClusterAccelerationStructureIndirectNV(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkClusterAccelerationStructureCommandsInfoNV *pCommandInfos)
{
    const struct location infos = LOCATION_POINTER(NULL, "pCommandInfos");
    struct subject s = {.call = call, .where = &LOCATION(&infos, "input")};
    check_input(&s, &pCommandInfos->input);
    if (s.skip || rows_were_broken()) /* in these cases the driver must not be queried */
        return s.skip;
    s.where = &infos;
    check_commands(&s, pCommandInfos);
    return s.skip;
}

/* --- partitioned structures --- */

#define PARTITIONED(rule_) VUID_VkBuildPartitionedAccelerationStructureInfoNV_##rule_

bool core_validate_CmdBuildPartitionedAccelerationStructuresNV(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkBuildPartitionedAccelerationStructureInfoNV *pBuildInfo)
{
    PFN_vkGetPartitionedAccelerationStructuresBuildSizesNV ask =
        call->device->dispatch.GetPartitionedAccelerationStructuresBuildSizesNV;
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pBuildInfo")};
    if (!ask || rows_were_broken())
        return false;
    ask(call->device->handle, &pBuildInfo->input, &sizes);
    const struct accessed scratch = {pBuildInfo->scratchData, sizes.buildScratchSize,
                                     "scratchData"},
                          target = {pBuildInfo->dstAccelerationStructureData,
                                    sizes.accelerationStructureSize,
                                    "dstAccelerationStructureData"},
                          /* its size may differ, so only the first byte is certain */
        source = {pBuildInfo->srcAccelerationStructureData,
                  pBuildInfo->srcAccelerationStructureData != 0, "srcAccelerationStructureData"};
    check_accessed(&s, &scratch, PARTITIONED(scratchData_10559));
    check_accessed(&s, &target, PARTITIONED(dstAccelerationStructureData_10562));
    if (s.wrong)
        return s.skip;
    check_apart(&s, &source, &scratch, RULE_10547);
    check_apart(&s, &target, &scratch, RULE_10548);
    if (source.address != target.address)
        check_apart(&s, &source, &target, RULE_10549);
    return s.skip;
}
