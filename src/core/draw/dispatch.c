/* Checks dispatches, and everything that they use (21 "Dispatching Commands"). */
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "core/draw/indirect.h"

#include "report/finding/rule.h"
#include "state/memory/buffer.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"

#include <inttypes.h>

/* Reports a number of workgroups above the limit of its dimension. */
static COLD bool report_groups(const struct call *call, const char *name, uint32_t count,
                               uint32_t dimension, enum rule rule)
{
    assert(dimension < 3);
    return BROKEN_BY(call, rule, &LOCATION(NULL, name), NULL,
                     "is %u, more than maxComputeWorkGroupCount[%u] (%u)", count, dimension,
                     call->device->properties.limits.maxComputeWorkGroupCount[dimension]);
}

bool core_validate_CmdDispatch(struct call *call, VkCommandBuffer commandBuffer,
                               uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    const uint32_t *most = call->device->properties.limits.maxComputeWorkGroupCount;
    bool skip = dispatch_check(call, call_command_buffer(call), 1);
    /* groupCountX must be less than or equal to
     * VkPhysicalDeviceLimits::maxComputeWorkGroupCount[0]; likewise Y and Z */
    if (unlikely(groupCountX > most[0]))
        skip |= report_groups(call, "groupCountX", groupCountX, 0, RULE_00386);
    if (unlikely(groupCountY > most[1]))
        skip |= report_groups(call, "groupCountY", groupCountY, 1, RULE_00387);
    if (unlikely(groupCountZ > most[2]))
        skip |= report_groups(call, "groupCountZ", groupCountZ, 2, RULE_00388);
    return skip;
}

/* Checks the first group and the number of groups: base must be less than the limit, and the count
 * at most the limit minus base. */
static bool check_base(const struct call *call, const char *base_name, uint32_t base,
                       const char *count_name, uint32_t count, uint32_t dimension,
                       enum rule base_rule, enum rule count_rule)
{
    assert(dimension < 3);
    uint32_t most = call->device->properties.limits.maxComputeWorkGroupCount[dimension];
    if (base >= most)
        return BROKEN_BY(call, base_rule, &LOCATION(NULL, base_name), NULL,
                         "is %u, not less than maxComputeWorkGroupCount[%u] (%u)", base, dimension,
                         most);
    struct subject s = {.call = call};
    REQUIRE(&s, count_rule, count <= most - base, count_name,
            "is %u from group %u on, more than maxComputeWorkGroupCount[%u] (%u)", count, base,
            dimension, most);
    return s.skip;
}

bool core_validate_CmdDispatchBase(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t baseGroupX, uint32_t baseGroupY, uint32_t baseGroupZ,
                                   uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct subject s = {.call = call};
    s.skip |= dispatch_check(call, command_buffer, 1);
    s.skip |= check_base(call, "baseGroupX", baseGroupX, "groupCountX", groupCountX, 0, RULE_00421,
                         RULE_00424);
    s.skip |= check_base(call, "baseGroupY", baseGroupY, "groupCountY", groupCountY, 1, RULE_00422,
                         RULE_00425);
    s.skip |= check_base(call, "baseGroupZ", baseGroupZ, "groupCountZ", groupCountZ, 2, RULE_00423,
                         RULE_00426);
    if (!command_buffer || !(baseGroupX || baseGroupY || baseGroupZ))
        return s.skip;
    /* If any of baseGroupX, baseGroupY, or baseGroupZ are not zero, then the bound compute pipeline
     * must have been created with the VK_PIPELINE_CREATE_DISPATCH_BASE_BIT flag or the bound
     * compute shader object ... with the VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT flag */
    const uint64_t id = command_buffer->bind[1].pipeline;
    const struct pipeline *pipeline = pipeline_by_id(id);
    const struct shader_object *shader =
        id ? NULL
           : shader_object_by_id(command_buffer
                                     ->shaders[__builtin_ctz(VK_SHADER_STAGE_COMPUTE_BIT)]);
    if (pipeline)
        REQUIRE_OF(&s, OBJECT(HANDLE_PIPELINE, object_state_handle(&pipeline->base)), RULE_00427,
                   pipeline->flags & VK_PIPELINE_CREATE_2_DISPATCH_BASE_BIT, NULL,
                   "begins at group (%u, %u, %u), but the bound pipeline was created without "
                   "VK_PIPELINE_CREATE_DISPATCH_BASE_BIT",
                   baseGroupX, baseGroupY, baseGroupZ);
    if (shader)
        REQUIRE_OF(&s, OBJECT(HANDLE_SHADER_EXT, object_state_handle(&shader->base)), RULE_00427,
                   shader->flags & VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT, NULL,
                   "begins at group (%u, %u, %u), but the bound shader object was created without "
                   "VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT",
                   baseGroupX, baseGroupY, baseGroupZ);
    return s.skip;
}

/* Checks vkCmdDispatchTileQCOM of VK_QCOM_tile_shading. */
bool core_validate_CmdDispatchTileQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDispatchTileInfoQCOM *pDispatchTileInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    struct subject s = {.call = call};
    /* per-tile execution model must be enabled; a primary may have enabled it for a secondary */
    if (sections && !(command_buffer->scope & SCOPE_SECONDARY))
        REQUIRE(&s, RULE_10668, sections->per_tile, NULL,
                "is recorded outside of per-tile execution (vkCmdBeginPerTileExecutionQCOM)");
    /* If the command is not allowed here, the rules about dispatches are not checked. */
    return s.wrong ? s.skip : dispatch_check(call, call_command_buffer(call), 1);
}

/* Checks vkCmdSubpassShadingHUAWEI of VK_HUAWEI_subpass_shading. */
bool core_validate_CmdSubpassShadingHUAWEI(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct subpass *subpass = active_subpass(command_buffer);
    struct subject s = {.call = call};
    s.skip |= dispatch_check(call, call_command_buffer(call), 3);
    /* This command must be called in a subpass with bind point
     * VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI */
    if (subpass)
        REQUIRE(&s, RULE_04931,
                subpass->bind_point == VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI, NULL,
                "is recorded in subpass %u, which was created for %s",
                command_buffer->rendering->subpass,
                TEXT_OF(VkPipelineBindPoint, subpass->bind_point));
    return s.skip;
}

bool core_validate_CmdDispatchIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                       VkBuffer buffer, VkDeviceSize offset)
{
    const struct indirect_buffer indirect = {.handle = buffer,
                                             .offset = offset,
                                             .name = "buffer",
                                             .offset_name = "offset",
                                             .bound = RULE_02708,
                                             .usage = RULE_02709,
                                             .alignment = RULE_02710};
    bool skip =
        dispatch_check(call, call_command_buffer(call), 1) | indirect_check_buffer(call, &indirect);
    /* The sum of offset and the size of VkDispatchIndirectCommand must be less than or equal to the
     * size of buffer */
    return skip |
           indirect_check_end(call, &indirect, 1, sizeof(VkDispatchIndirectCommand), RULE_00407);
}

/* --- how work groups are scheduled (VK_ARM_scheduling_controls) --- */

bool core_validate_CmdSetDispatchParametersARM(struct call *call, VkCommandBuffer commandBuffer,
                                               const VkDispatchParametersARM *pDispatchParameters)
{
    const VkPhysicalDeviceSchedulingControlsPropertiesARM *controls =
        &call->device->extended.SchedulingControlsPropertiesARM;
    const VkPhysicalDeviceSchedulingControlsDispatchParametersPropertiesARM *limits =
        &call->device->extended.SchedulingControlsDispatchParametersPropertiesARM;
    const uint32_t warps = limits->schedulingControlsMaxWarpsCount,
                   batch = limits->schedulingControlsMaxWorkGroupBatchSize;
    struct subject s = {.call = call};
    REQUIRE(&s, VUID_vkCmdSetDispatchParametersARM_schedulingControlsFlags_12391,
            !controls->schedulingControlsFlags ||
                controls->schedulingControlsFlags &
                    VK_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_DISPATCH_PARAMETERS_ARM,
            NULL,
            "is called, but schedulingControlsFlags of the device is %s, without "
            "VK_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_DISPATCH_PARAMETERS_ARM",
            TEXT_OF(VkPhysicalDeviceSchedulingControlsFlagsARM, controls->schedulingControlsFlags));
    if (s.wrong) /* there are no such limits */
        return s.skip;
    const struct location where = LOCATION_POINTER(NULL, "pDispatchParameters");
    s.where = &where;
    REQUIRE(&s, VUID_VkDispatchParametersARM_maxWarpsPerShaderCore_12392,
            !warps || pDispatchParameters->maxWarpsPerShaderCore <= warps, "maxWarpsPerShaderCore",
            "is %u, more than schedulingControlsMaxWarpsCount (%u)",
            pDispatchParameters->maxWarpsPerShaderCore, warps);
    REQUIRE(&s, VUID_VkDispatchParametersARM_workGroupBatchSize_12394,
            !batch || pDispatchParameters->workGroupBatchSize <= batch, "workGroupBatchSize",
            "is %u, more than schedulingControlsMaxWorkGroupBatchSize (%u)",
            pDispatchParameters->workGroupBatchSize, batch);
    return s.skip;
}
