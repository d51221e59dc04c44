/* Checks boxes, transforms and instances that builds of acceleration structures read from buffers
 * (40 "Acceleration Structures"). */
#include "gpu/device/areas.h"
#include "gpu/buffers/buffers.h"
#include "gpu/hooks.h"
#include "gpu/command/ranges.h"
#include "state/raytracing/acceleration_structure.h"

/* One geometry of one build, and the range of it that is built. */
struct built {
    uint32_t info, number; /* index of the build, and of the geometry in it */
    /* instances are motion instances, and pointers to them have a type in their low bits */
    bool motion;
    const VkAccelerationStructureGeometryKHR *geometry;
    const VkAccelerationStructureBuildRangeInfoKHR *range;
};

/* Begins a job of limits for one build. Returns false if the setting is off, or no dispatch may be
 * recorded here. */
static bool build_job_begin(struct gpu_job *job, struct call *call)
{
    return gpu_job_begin(job, call, call->instance->settings.gpuav_acceleration_structures_builds,
                         GPU_JOB_LIMITS, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR);
}

/* Makes the job check `count` structures of `size` bytes, `stride` bytes apart from `offset` on.
 * Returns false if no known buffer has these addresses. */
static bool look_at(struct gpu_job *job, VkDeviceAddress address, uint64_t offset, uint32_t count,
                    uint64_t stride, size_t size)
{
    if (!address || !count || stride % 4 || stride > UINT32_MAX)
        return false;
    address = gpu_job_range(job, address + offset, stride * (count - 1) + size);
    gpu_job_address(job, JOB_DATA, address);
    job->words[LIMITS_COUNT] = count;
    job->words[LIMITS_STRIDE] = (uint32_t)(stride / 4);
    return address != 0;
}

/* Adds a limit whose value identifies the geometry, for the report: build in the low 32 bits,
 * geometry in the high ones. */
static void limit_here(struct gpu_job *job, const struct built *built, uint32_t rule, uint32_t how,
                       uint32_t word)
{
    gpu_job_limit(job, rule, how, word, built->info | (uint64_t)built->number << 32);
}

/* minX must be less than or equal to maxX, minY to maxY, minZ to maxZ */
static void check_boxes(struct call *call, const struct built *built)
{
    const VkAccelerationStructureGeometryAabbsDataKHR *boxes = &built->geometry->geometry.aabbs;
    struct gpu_job job;
    if (!build_job_begin(&job, call) ||
        !look_at(&job, boxes->data.deviceAddress, built->range->primitiveOffset,
                 built->range->primitiveCount, boxes->stride, sizeof(VkAabbPositionsKHR)))
        return;
    for (uint32_t i = 0; i < 3; i++)
        limit_here(&job, built, BUFFER_RULE_AABB_X + i, LIMIT_ORDERED, i);
    gpu_job_run(&job, BIND_POINTS);
}

/* The first three columns of matrix must define an invertible 3x3 matrix. A matrix with a row or a
 * column of zeros does not, regardless of rounding. */
static void build_check_transform(struct call *call, const struct built *built)
{
    const VkAccelerationStructureGeometryTrianglesDataKHR *triangles =
        &built->geometry->geometry.triangles;
    struct gpu_job job;
    if (!build_job_begin(&job, call) ||
        !look_at(&job, triangles->transformData.deviceAddress, built->range->transformOffset, 1, 0,
                 sizeof(VkTransformMatrixKHR)))
        return;
    limit_here(&job, built, BUFFER_RULE_TRANSFORM, LIMIT_INVERTIBLE, 0);
    gpu_job_run(&job, BIND_POINTS);
}

/* The same holds for the matrices of active instances; their accelerationStructureReference must be
 * 0 or a value obtained from vkGetAccelerationStructureDeviceAddressKHR for a bottom level
 * acceleration structure. If arrayOfPointers is VK_TRUE, each element must be aligned to 16
 * bytes. */
static void check_instances(struct call *call, const struct built *built)
{
    const VkAccelerationStructureGeometryInstancesDataKHR *instances =
        &built->geometry->geometry.instances;
    const bool pointers = instances->arrayOfPointers;
    const size_t size =
        pointers ? sizeof(VkDeviceAddress) : sizeof(VkAccelerationStructureInstanceKHR);
    const struct gpu_ranges *structures = gpu_in_device(call->device)->gpu->structures;
    struct gpu_job job;
    if (!build_job_begin(&job, call) ||
        !look_at(&job, instances->data.deviceAddress, built->range->primitiveOffset,
                 built->range->primitiveCount, size, size))
        return;
    if (pointers) {
        gpu_job_limit(&job, BUFFER_RULE_INSTANCE_POINTER, LIMIT_MULTIPLE, 0, 16);
    } else {
        limit_here(&job, built, BUFFER_RULE_INSTANCE_TRANSFORM, LIMIT_INSTANCE, 0);
        /* Cluster structures are valid, too, but their addresses are never requested. */
        if (structures && !extension_set_has(&call->device->extensions,
                                             EXTENSION_VK_NV_cluster_acceleration_structure)) {
            limit_here(&job, built, BUFFER_RULE_INSTANCE_REFERENCE, LIMIT_REFERENCE,
                       offsetof(VkAccelerationStructureInstanceKHR,
                                accelerationStructureReference) /
                           4);
            gpu_job_address(&job, LIMITS_TABLE, gpu_ranges_address(structures));
        }
    }
    gpu_job_run(&job, BIND_POINTS);
}

/* Checks the data that a build reads for one geometry. */
static void build_check(struct call *call, const struct built *built)
{
    switch (built->geometry->geometryType) {
    case VK_GEOMETRY_TYPE_AABBS_KHR:
        check_boxes(call, built);
        break;
    case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
        build_check_transform(call, built);
        break;
    case VK_GEOMETRY_TYPE_INSTANCES_KHR:
        if (!built->motion)
            check_instances(call, built);
        break;
    default:
        break;
    }
}

void gpu_before_CmdBuildAccelerationStructuresKHR_buffers(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    struct gpu_job job;
    /* This job only finds whether checks are on; each geometry begins a job of its own. */
    if (!build_job_begin(&job, call) || !pInfos || !ppBuildRangeInfos)
        return;
    gpu_action_begin(call, BIND_POINTS);
    for (uint32_t i = 0; i < infoCount; i++) {
        for (uint32_t k = 0; ppBuildRangeInfos[i] && k < pInfos[i].geometryCount; k++) {
            const bool motion = pInfos[i].flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV;
            const struct built built = {i, k, motion, build_geometry(&pInfos[i], k),
                                        &ppBuildRangeInfos[i][k]};
            if (built.geometry)
                build_check(call, &built);
        }
    }
}
