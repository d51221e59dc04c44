/* Parameters by which work groups are scheduled (VK_ARM_scheduling_controls). */
#include "scenario.h"

static const VkPhysicalDeviceShaderCoreBuiltinsFeaturesARM core_builtins = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_FEATURES_ARM,
    .shaderCoreBuiltins = VK_TRUE};
static const VkPhysicalDeviceSchedulingControlsFeaturesARM controls = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_FEATURES_ARM,
    .pNext = (void *)&core_builtins,
    .schedulingControls = VK_TRUE};
#define SCHEDULED(flags_)                                                        \
    .drivers = NULL_DRIVER, .features = &controls,                               \
    .extensions = {"VK_ARM_scheduling_controls", "VK_ARM_shader_core_builtins"}, \
    .null_driver = "{\"properties\": {\"schedulingControlsFlags\": " flags_      \
                   ", \"schedulingControlsMaxWarpsCount\": 8, "                  \
                   "\"schedulingControlsMaxQueuedBatchesCount\": 8, "            \
                   "\"schedulingControlsMaxWorkGroupBatchSize\": 16}}"

static void set_parameters(struct baseline *b, uint32_t batch, uint32_t warps)
{
    const VkDispatchParametersARM parameters = {.sType = VK_STRUCTURE_TYPE_DISPATCH_PARAMETERS_ARM,
                                                .workGroupBatchSize = batch,
                                                .maxWarpsPerShaderCore = warps};
    DEVICE_PROC(b, vkCmdSetDispatchParametersARM)(make_recording(b), &parameters);
}

SCENARIO(dispatches_scheduled, SCHEDULED("2"))
{
    set_parameters(b, 16, 8);
}

SCENARIO(dispatches_scheduled_without_support, SCHEDULED("1"),
         .expect = {"VUID-vkCmdSetDispatchParametersARM-schedulingControlsFlags-12391"})
{
    set_parameters(b, 16, 8);
}

SCENARIO(dispatches_scheduled_in_large_batches, SCHEDULED("2"),
         .expect = {"VUID-VkDispatchParametersARM-workGroupBatchSize-12394"})
{
    set_parameters(b, 17, 8);
}

SCENARIO(dispatches_scheduled_in_many_warps, SCHEDULED("2"),
         .expect = {"VUID-VkDispatchParametersARM-maxWarpsPerShaderCore-12392"})
{
    set_parameters(b, 16, 9);
}
