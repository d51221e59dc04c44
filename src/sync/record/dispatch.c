/* Records the accesses of dispatches and traces (21 "Dispatching Commands", 41 "Ray Tracing"). */
#include "sync/access/areas.h"
#include "sync/record/draw.h"
#include "sync/hooks.h"

#include "state/memory/device_address.h"

/* Records a dispatch or trace whose counts are known. `something`: at least one invocation runs.
 * `groups` is NULL if the workgroups are not known. */
static bool dispatch_record(struct call *call, uint32_t point, bool something,
                            const struct dispatch_groups *groups)
{
    struct recording recording;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (!sync)
        return false;
    if (!something || !draw_needs_look(command_buffer, point) || !recording_begin(&recording, call))
        return false;
    recording.groups = groups;
    draw_access_bound(&recording, point);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdDispatch(struct call *call, VkCommandBuffer commandBuffer,
                               uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    const struct dispatch_groups groups = {{0}, {groupCountX, groupCountY, groupCountZ}};
    return dispatch_record(call, 1, groupCountX && groupCountY && groupCountZ, &groups);
}

bool sync_validate_CmdDispatchBase(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t baseGroupX, uint32_t baseGroupY, uint32_t baseGroupZ,
                                   uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    const struct dispatch_groups groups = {{baseGroupX, baseGroupY, baseGroupZ},
                                           {groupCountX, groupCountY, groupCountZ}};
    return dispatch_record(call, 1, groupCountX && groupCountY && groupCountZ, &groups);
}

bool sync_validate_CmdDispatchIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                       VkBuffer buffer, VkDeviceSize offset)
{
    struct recording recording;
    const struct access_source source = {.role = ROLE_INDIRECT_BUFFER};
    if (!recording_begin(&recording, call))
        return false;
    recording_buffer(&recording, named_buffer(call, 0, buffer), offset,
                     sizeof(VkDispatchIndirectCommand), SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ,
                     &source);
    draw_access_bound(&recording, 1);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdDispatchIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkDispatchIndirect2InfoKHR *pInfo)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_address(&recording, pInfo->addressRange.address, sizeof(VkDispatchIndirectCommand),
                      SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ);
    draw_access_bound(&recording, 1);
    return recording_finish_check(&recording);
}

/* --- rays: in the shader binding tables, only the handle of the ray generation shader is certainly
 * read. A miss shader is for rays "where no hit result was identified", a closest hit shader "if a
 * closest hit result was identified". It is skipped "if [...] the ray flags included
 * SkipClosestHitShaderKHR". So it is not known which of these tables is read. --- */

/* The tables of a trace. The ray generation table is NULL if it is in the structure at
 * `indirect`. */
struct tables {
    const VkStridedDeviceAddressRegionKHR *raygen;
    VkDeviceAddress indirect; /* address of the parameters; 0: none */
    VkDeviceSize size;        /* bytes that are read at `indirect` */
};

/* Records the read of the ray generation shader's handle, which is first in its record. */
static void read_raygen(struct recording *recording, const VkStridedDeviceAddressRegionKHR *table)
{
    VkDeviceSize handle =
        recording->call->device->extended.RayTracingPipelinePropertiesKHR.shaderGroupHandleSize;
    if (table)
        recording_address(recording, table->deviceAddress,
                          table->size < handle ? table->size : handle,
                          SYNC_RAY_TRACING_SHADER_SHADER_BINDING_TABLE_READ);
}

/* Records a trace of rays with its tables. Returns true if the call is to be skipped. */
static bool trace_record(struct call *call, const struct tables *tables)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return false;
    recording_address(&recording, tables->indirect, tables->size,
                      SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ);
    read_raygen(&recording, tables->raygen);
    draw_access_bound(&recording, 2);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdTraceRaysKHR(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR
                                       *pCallableShaderBindingTable,
                                   uint32_t width, uint32_t height, uint32_t depth)
{
    if (width && height && depth)
        return trace_record(call, &(struct tables){.raygen = pRaygenShaderBindingTable});
    return dispatch_record(call, 2, false, NULL);
}

bool sync_validate_CmdTraceRaysIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pRaygenShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pMissShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pHitShaderBindingTable,
                                           const VkStridedDeviceAddressRegionKHR
                                               *pCallableShaderBindingTable,
                                           VkDeviceAddress indirectDeviceAddress)
{
    return trace_record(call, &(struct tables){.raygen = pRaygenShaderBindingTable,
                                               .indirect = indirectDeviceAddress,
                                               .size = sizeof(VkTraceRaysIndirectCommandKHR)});
}

bool sync_validate_CmdTraceRaysIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                            VkDeviceAddress indirectDeviceAddress)
{
    return trace_record(call, &(struct tables){.indirect = indirectDeviceAddress,
                                               .size = sizeof(VkTraceRaysIndirectCommand2KHR)});
}
