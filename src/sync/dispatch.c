/* Dispatches and traces (21 "Dispatching Commands", 41 "Ray Tracing"). */
#include "sync/draw.h"
#include "sync/hooks.h"

static void run(struct call *call, uint32_t point, bool something)
{
    struct recording recording;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct sync_command_buffer *sync = command_buffer ? command_buffer->sync : NULL;
    if (!sync)
        return;
    if (!something || !draw_needs_look(command_buffer, point)) {
        sync->command_count++;
        return;
    }
    if (!recording_begin(&recording, call))
        return;
    draw_access_bound(&recording, point);
    recording_end(&recording);
}

void sync_after_CmdDispatch(struct call *call, VkCommandBuffer commandBuffer, uint32_t groupCountX,
                            uint32_t groupCountY, uint32_t groupCountZ)
{
    run(call, 1, groupCountX && groupCountY && groupCountZ);
}

void sync_after_CmdDispatchBase(struct call *call, VkCommandBuffer commandBuffer, uint32_t baseGroupX,
                                uint32_t baseGroupY, uint32_t baseGroupZ, uint32_t groupCountX, uint32_t groupCountY,
                                uint32_t groupCountZ)
{
    run(call, 1, groupCountX && groupCountY && groupCountZ);
}

void sync_after_CmdDispatchIndirect(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                    VkDeviceSize offset)
{
    struct recording recording;
    const struct access_source source = {.role = ROLE_INDIRECT_BUFFER};
    if (!recording_begin(&recording, call))
        return;
    recording_buffer(&recording, find_buffer(call, buffer), offset, sizeof(VkDispatchIndirectCommand),
                     SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    draw_access_bound(&recording, 1);
    recording_end(&recording);
}

void sync_after_CmdDispatchIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkDispatchIndirect2InfoKHR *pInfo)
{
    struct recording recording;
    if (!recording_begin(&recording, call))
        return;
    recording_address(&recording, pInfo->addressRange.address, sizeof(VkDispatchIndirectCommand),
                      SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ);
    draw_access_bound(&recording, 1);
    recording_end(&recording);
}

/* --- rays: of the shader binding tables, the handle of the ray generation shader is read for certain --- */

/* `raygen` is NULL where it stands in what lies at `indirect`, of which `size` bytes are read. */
static void trace(struct call *call, const VkStridedDeviceAddressRegionKHR *raygen, VkDeviceAddress indirect,
                  VkDeviceSize size)
{
    struct recording recording;
    VkDeviceSize handle = call->device->extended.RayTracingPipelinePropertiesKHR.shaderGroupHandleSize;
    if (!recording_begin(&recording, call))
        return;
    recording_address(&recording, indirect, size, SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ);
    if (raygen)
        recording_address(&recording, raygen->deviceAddress, raygen->size < handle ? raygen->size : handle,
                          SYNC_RAY_TRACING_SHADER_SHADER_BINDING_TABLE_READ);
    draw_access_bound(&recording, 2);
    recording_end(&recording);
}

void sync_after_CmdTraceRaysKHR(struct call *call, VkCommandBuffer commandBuffer,
                                const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable, uint32_t width,
                                uint32_t height, uint32_t depth)
{
    if (width && height && depth)
        trace(call, pRaygenShaderBindingTable, 0, 0);
    else
        run(call, 2, false);
}

void sync_after_CmdTraceRaysIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                        const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                        const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                        const VkStridedDeviceAddressRegionKHR *pCallableShaderBindingTable,
                                        VkDeviceAddress indirectDeviceAddress)
{
    trace(call, NULL, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommandKHR));
}

void sync_after_CmdTraceRaysIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                         VkDeviceAddress indirectDeviceAddress)
{
    trace(call, NULL, indirectDeviceAddress, sizeof(VkTraceRaysIndirectCommand2KHR));
}
