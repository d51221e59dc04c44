<% states = [f.name for f in m.enums['VkDynamicState'].fields if not f.protect] %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/dynamic_states.h"

const VkDynamicState dynamic_state_value[DYNAMIC_STATE_COUNT] = {
% for name in states:
    ${name},
% endfor
};

enum dynamic_state dynamic_state_of(VkDynamicState state)
{
    switch (state) {
% for name in states:
    case ${name}:
        return ${name.replace('VK_DYNAMIC_STATE_', 'DYNAMIC_')};
% endfor
    default:
        return DYNAMIC_STATE_COUNT;
    }
}
