/* Checks the clusters of triangles that builds are asked for (VK_NV_cluster_acceleration_structure,
 * 37.4 "Cluster Geometry"). */
#include "core/hooks.h"
#include "core/rule.h"
#include "state/formats.h"
#include "vk/pointer.h"

/* `s->where`: the structure that opInput is a member of. */
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

bool core_validate_CmdBuildClusterAccelerationStructureIndirectNV(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkClusterAccelerationStructureCommandsInfoNV *pCommandInfos)
{
    const struct location infos = LOCATION_POINTER(NULL, "pCommandInfos");
    struct subject s = {.call = call, .where = &LOCATION(&infos, "input")};
    check_input(&s, &pCommandInfos->input);
    return s.skip;
}
