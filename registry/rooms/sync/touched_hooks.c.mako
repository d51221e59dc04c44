<%
from rooms.gpu import rules as rules_gpu
acts = list(rules_gpu.actions(m))
looks = ['vkWaitForFences', 'vkGetFenceStatus', 'vkQueueWaitIdle', 'vkDeviceWaitIdle', 'vkWaitSemaphores', 'vkGetSemaphoreCounterValue']
leaves = ['vkBeginCommandBuffer', 'vkResetCommandBuffer', 'vkResetCommandPool', 'vkFreeCommandBuffers', 'vkDestroyCommandPool', 'vkDestroyDevice']
hooks = [(name, 'after', 'touched_look(call)') for name in looks] + [(name, 'before', 'touched_look(call)') for name in leaves]
hooks += [(name, 'after', 'touched_acts(call)') for name in acts]
hooks += [('vkBeginCommandBuffer', 'after', 'touched_begins(call)'),
          ('vkCmdExecuteCommands', 'after', 'touched_executes(call, commandBufferCount, pCommandBuffers)'),
          ('vkQueueSubmit', 'before', 'touched_submits(call, submitCount, pSubmits, fence)'),
          ('vkQueueSubmit2', 'before', 'touched_submits2(call, submitCount, pSubmits, fence)'),
          ('vkQueueBindSparse', 'before', 'touched_binds(call, bindInfoCount, pBindInfo, fence)')]
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Gives commands to the code that asks which descriptors shaders accessed. This is a validator of its own, so that it
 * costs nothing otherwise. */
#include "sync/touched/touched.h"
#include "sync/sync.h"

#include "state/command/touched.h"

static bool enabled(const struct settings *settings)
{
    return touched_are_asked_for(settings);
}
% for name, phase, act in hooks:

static ${rules.declaration(m, name, phase, f'touched_{phase}_{name[2:]}')}
{
    ${act};
}
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name, phase, _ in hooks:
    hooks->${phase}_${name[2:]} = touched_${phase}_${name[2:]};
% endfor
}

static struct validator_hooks own_hooks;
const struct validator touched_validator = {
    .name = "touched",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
