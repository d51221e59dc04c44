/* Checks the memory of shader binding tables, and of the indirect parameters of traces (41 "Ray
 * Tracing"). The other rules of traces are in draw.c. */
#include "core/memory/address.h"
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "report/muting/rows_broken.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Checks the memory at the table's address. Rows check the address itself. */
static bool check_table(struct call *call, const char *name,
                        const VkStridedDeviceAddressRegionKHR *region)
{
    assert(name);
    const struct location where = LOCATION_POINTER(NULL, name);
    /* Nothing is read from a table without entries. After a broken row, nothing more is
     * reported. */
    if (!region || !region->size || rows_were_broken())
        return false;
    struct address_search found =
        device_address_find(call->device, region->deviceAddress, region->size,
                            VK_BUFFER_USAGE_2_SHADER_BINDING_TABLE_BIT_KHR);
    struct subject s = {.call = call, .where = &where};
    switch (found.match) {
    case ADDRESS_TOO_SHORT:
        BROKEN_OF(&s, ADDRESS_OBJECT(&found), RULE_04631, "size",
                  "is %" PRIu64 ", but deviceAddress is %s, where that buffer has %" PRIu64
                  " bytes left",
                  region->size, ADDRESS_IN(call, region->deviceAddress, found.buffer), found.rest);
        return s.skip;
    case ADDRESS_FOUND:
        REQUIRE_OF(&s, ADDRESS_OBJECT(&found), RULE_04632,
                   !found.buffer || region->stride <= found.buffer->size, "stride",
                   "is %" PRIu64 ", but deviceAddress is %s, and that buffer has %" PRIu64 " bytes",
                   region->stride, ADDRESS_IN(call, region->deviceAddress, found.buffer),
                   found.buffer->size);
        return s.skip;
    default:
        return false;
    }
}

/* Checks the four tables of a trace. */
static bool check_tables(struct call *call, const VkStridedDeviceAddressRegionKHR *raygen,
                         const VkStridedDeviceAddressRegionKHR *miss,
                         const VkStridedDeviceAddressRegionKHR *hit,
                         const VkStridedDeviceAddressRegionKHR *callable)
{
    return check_table(call, "pRaygenShaderBindingTable", raygen) |
           check_table(call, "pMissShaderBindingTable", miss) |
           check_table(call, "pHitShaderBindingTable", hit) |
           check_table(call, "pCallableShaderBindingTable", callable);
}

bool core_validate_CmdTraceRaysKHR(struct call *call, VkCommandBuffer commandBuffer,
                                   const VkStridedDeviceAddressRegionKHR *pRaygenShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pMissShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR *pHitShaderBindingTable,
                                   const VkStridedDeviceAddressRegionKHR
                                       *pCallableShaderBindingTable,
                                   uint32_t width, uint32_t height, uint32_t depth)
{
    return dispatch_check(call, call_command_buffer(call), 2) |
           check_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable,
                        pHitShaderBindingTable, pCallableShaderBindingTable);
}

/* --- indirect --- */

/* If the bound ray tracing pipeline was created with
 * VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV, the feature
 * rayTracingMotionBlurPipelineTraceRaysIndirect must be enabled */
static bool check_motion(struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const uint64_t id = command_buffer ? command_buffer->bind[2].pipeline : 0;
    const struct pipeline *pipeline = pipeline_by_id(id);
    struct subject s = {.call = call};
    if (!pipeline || !(pipeline->flags & VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV))
        return false;
    s.objects = OBJECT(HANDLE_PIPELINE, object_state_handle(&pipeline->base));
    REQUIRE(&s, RULE_04951,
            device_has_feature(call->device, FEATURE_rayTracingMotionBlurPipelineTraceRaysIndirect),
            "commandBuffer",
            "has a pipeline bound that was created with "
            "VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV, but the feature "
            "rayTracingMotionBlurPipelineTraceRaysIndirect is not enabled");
    return s.skip;
}

/* Checks that the parameters at an address fit in its buffer. */
static bool trace_check_indirect(struct call *call, VkDeviceAddress address, VkDeviceSize size)
{
    const struct location at = LOCATION(NULL, "indirectDeviceAddress");
    struct address_search found =
        device_address_find(call->device, address, size, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
    if (found.match == ADDRESS_TOO_SHORT)
        return address_report_short(call, RULE(call, 03636), &at, address, &found, size,
                                    "the parameters take");
    return false;
}

bool core_validate_CmdTraceRaysIndirectKHR(struct call *call, VkCommandBuffer commandBuffer,
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
    return dispatch_check(call, call_command_buffer(call), 2) |
           check_tables(call, pRaygenShaderBindingTable, pMissShaderBindingTable,
                        pHitShaderBindingTable, pCallableShaderBindingTable) |
           trace_check_indirect(call, indirectDeviceAddress,
                                sizeof(VkTraceRaysIndirectCommandKHR)) |
           check_motion(call);
}

bool core_validate_CmdTraceRaysIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                            VkDeviceAddress indirectDeviceAddress)
{
    return dispatch_check(call, call_command_buffer(call), 2) |
           trace_check_indirect(call, indirectDeviceAddress,
                                sizeof(VkTraceRaysIndirectCommand2KHR)) |
           check_motion(call);
}
