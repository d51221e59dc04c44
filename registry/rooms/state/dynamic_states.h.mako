<% states = [f.name for f in m.enums['VkDynamicState'].fields if not f.protect] %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATE_DYNAMIC_STATES_H
#define ASSAY_STATE_DYNAMIC_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "vk/vulkan.h"

/* VkDynamicState in dense numbers: VK_DYNAMIC_STATE_DEPTH_BIAS is DYNAMIC_DEPTH_BIAS. */
enum dynamic_state {
% for name in states:
    ${name.replace('VK_DYNAMIC_STATE_', 'DYNAMIC_')},
% endfor
    DYNAMIC_STATE_COUNT
};

struct dynamic_state_set {
    uint64_t bits[(DYNAMIC_STATE_COUNT + 63) / 64];
};

static inline bool dynamic_state_set_has(const struct dynamic_state_set *set, enum dynamic_state state)
{
    return (set->bits[state / 64] >> (state % 64)) & 1;
}

static inline void dynamic_state_set_add(struct dynamic_state_set *set, enum dynamic_state state)
{
    set->bits[state / 64] |= 1ull << (state % 64);
}

/* DYNAMIC_STATE_COUNT for a value that the registry does not know. */
enum dynamic_state dynamic_state_of(VkDynamicState state);
extern const VkDynamicState dynamic_state_value[DYNAMIC_STATE_COUNT];

#endif
