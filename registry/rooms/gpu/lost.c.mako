/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * The commands that may answer VK_ERROR_DEVICE_LOST, of a device that is lost when a shader aborts. */
#include "gpu/abort/abort.h"

#include "base/base.h"

% for c in rules.losing_commands(m):
<%
    name = c.name[2:]
    args = m.argument_list(c)
    first = c.params[0]
    on_queue = first.type == 'VkQueue'
    timeout = rules.timeout_of(m, c)
%>\
static VKAPI_ATTR VkResult VKAPI_CALL lost_${name}(${m.parameter_list(c)})
{
    struct gpu_aborts *aborts = aborts_of_${'queue' if on_queue else 'device'}(${first.name});
    if (!aborts || aborts_lost(aborts))
        return VK_ERROR_DEVICE_LOST;
% if name in rules.IDLE_WAITS:
    return ${rules.IDLE_WAITS[name]}(aborts${', queue' if on_queue else ''});
% elif on_queue:
    struct abort_queue *locked = aborts_take_queue(aborts, ${first.name});
    if (!locked)
        return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = aborts->below.${name}(${args});
    aborts_leave_queue(locked);
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
% elif timeout:
    VkResult result;
% if timeout.member:
    ${timeout.type} slice = *${timeout.name};
    const uint64_t all = slice.timeout;
% else:
    const uint64_t all = ${timeout.name};
% endif
    uint64_t left = all;
    do {
        const uint64_t wait = left < ABORT_SLICE ? left : ABORT_SLICE;
% if timeout.member:
        slice.timeout = wait;
% endif
        result = aborts->below.${name}(${timeout.arguments});
        left -= all == UINT64_MAX ? 0 : wait;
    } while (result == VK_TIMEOUT && left && !aborts_lost(aborts));
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
% elif name.startswith('Create'):
    return aborts->below.${name}(${args});
% else:
    VkResult result = aborts->below.${name}(${args});
    return aborts_lost(aborts) ? VK_ERROR_DEVICE_LOST : result;
% endif
}

% endfor
void aborts_stand_in_front(struct device_dispatch *dispatch)
{
% for c in rules.losing_commands(m):
    if (dispatch->${c.name[2:]})
        dispatch->${c.name[2:]} = lost_${c.name[2:]};
% endfor
}
