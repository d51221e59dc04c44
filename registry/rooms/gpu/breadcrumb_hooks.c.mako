<%
from rooms.gpu import rules as rules_gpu
points = rules_gpu.actions(m)
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Around each command that does something a command buffer writes markers (gpu/breadcrumbs/breadcrumbs.h): a validator of its own, which is there with the setting
 * `breadcrumbs` alone. */
#include "gpu/breadcrumbs/breadcrumbs.h"

static bool enabled(const struct settings *settings)
{
    return settings->breadcrumbs;
}

static void after_CreateDevice(struct call *call, ${m.parameter_list(m.commands['vkCreateDevice'])})
{
    breadcrumbs_device_begin(call);
}

static void before_DestroyDevice(struct call *call, ${m.parameter_list(m.commands['vkDestroyDevice'])})
{
    breadcrumbs_device_end(call);
}

static void after_BeginCommandBuffer(struct call *call, ${m.parameter_list(m.commands['vkBeginCommandBuffer'])})
{
    breadcrumbs_begin(call);
}

static void after_CmdBeginDebugUtilsLabelEXT(struct call *call, ${m.parameter_list(m.commands['vkCmdBeginDebugUtilsLabelEXT'])})
{
    breadcrumbs_label_begin(call, pLabelInfo);
}

static void after_CmdEndDebugUtilsLabelEXT(struct call *call, ${m.parameter_list(m.commands['vkCmdEndDebugUtilsLabelEXT'])})
{
    breadcrumbs_label_end(call);
}
% for name, function in (('vkQueueSubmit', 'breadcrumbs_submit'), ('vkQueueSubmit2', 'breadcrumbs_submit2')):

static void before_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])})
{
    ${function}(call, submitCount, pSubmits);
}
% endfor
% for c in rules_gpu.marked(m):

static void before_${c.name[2:]}(struct call *call, ${m.parameter_list(c)})
{
% if c.name == 'vkCmdBeginRendering':
    if (pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT)
        breadcrumbs_resumes(call);
% endif
    breadcrumbs_before(call, ${points[c.name] if points.get(c.name, '').isdigit() else 'BIND_POINTS'});
% if c.name == 'vkCmdExecuteCommands':
    breadcrumbs_executes(call, commandBufferCount, pCommandBuffers);
% endif
}

static void after_${c.name[2:]}(struct call *call, ${m.parameter_list(c)})
{
    breadcrumbs_after(call);
}
% endfor

static void fill(struct validator_hooks *hooks)
{
    hooks->after_CreateDevice = after_CreateDevice;
    hooks->before_DestroyDevice = before_DestroyDevice;
    hooks->after_BeginCommandBuffer = after_BeginCommandBuffer;
    hooks->after_CmdBeginDebugUtilsLabelEXT = after_CmdBeginDebugUtilsLabelEXT;
    hooks->after_CmdEndDebugUtilsLabelEXT = after_CmdEndDebugUtilsLabelEXT;
    hooks->before_QueueSubmit = before_QueueSubmit;
    hooks->before_QueueSubmit2 = before_QueueSubmit2;
% for c in rules_gpu.marked(m):
    hooks->before_${c.name[2:]} = before_${c.name[2:]};
    hooks->after_${c.name[2:]} = after_${c.name[2:]};
% endfor
}

static struct validator_hooks own_hooks;
const struct validator breadcrumbs_validator = {
    .name = "breadcrumbs",
    .tells_numbers = true,
    .enabled = enabled,
    .change_device = breadcrumbs_change_device,
    .hooks = &own_hooks,
    .fill = fill,
};
