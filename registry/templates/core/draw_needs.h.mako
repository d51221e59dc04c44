<% t = rules.draw_needs(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * Which dynamic states a draw needs to be set, and when, from the sentences of vkCmdDraw (registry/dynamic_states.py). */
#ifndef ASSAY_CORE_DRAW_NEEDS_H
#define ASSAY_CORE_DRAW_NEEDS_H

#include "objects/device.h"
#include "report/finding.h"
#include "state/dynamic_states.h"

/* When a state matters: all of these hold. */
enum condition {
    RASTERIZES = 1 << 0, /* the current value of rasterizerDiscardEnable is VK_FALSE */
    DEPTH_BIASED = 1 << 1,
    DEPTH_BOUNDED = 1 << 2,
    DEPTH_TESTED = 1 << 3,
    STENCIL_TESTED = 1 << 4,
    DEPTH_CLAMPED = 1 << 5,
    SAMPLE_LOCATED = 1 << 6,
    LOGIC_OPERATED = 1 << 7,
    LINES = 1 << 8,     /* the effective rasterization input topology is in the line topology class */
    STIPPLING = 1 << 9, /* some stippled lines feature is enabled */
    STIPPLED = 1 << 10,
    WITH_GEOMETRY = 1 << 11,
    WITH_EVALUATION = 1 << 12,
    PATCHES = 1 << 13, /* a tessellation control stage, and a topology of patches */
    COLORED = 1 << 14, /* there are color attachments */
    OVERESTIMATED = 1 << 15,
    BLEND_CONSTANT = 1 << 16,
    VERTICES = 1 << 17, /* not with mesh shaders */
    VIEWED = 1 << 18,   /* viewports are used: "when rasterization is enabled", and with shader objects always */
};

/* "If a graphics pipeline is bound which was created with <state> enabled, and <conditions>, then <command> must have been called and
 * not subsequently invalidated in the current command buffer prior to this drawing command" */
struct draw_need {
    uint32_t conditions; /* enum condition */
    enum rule rule;
    uint16_t command;    /* enum command */
    uint16_t feature;    /* "If the ... feature is enabled"; FEATURE_COUNT: always */
    uint16_t extension;  /* "If the ... extension is enabled"; EXTENSION_COUNT: always */
    uint16_t state;      /* enum dynamic_state */
};

static const struct draw_need draw_needs[] = {
% for x in t.needs:
    {${' | '.join(x.conditions) or '0'}, RULE_${x.number}, ${m.command_constant(x.command)}, ${f'FEATURE_{x.feature}' if x.feature else 'FEATURE_COUNT'}, ${f'EXTENSION_{x.extension}' if x.extension else 'EXTENSION_COUNT'}, DYNAMIC_${x.state}},
% endfor
};

/* States that not all shader objects take: those of one stage alone, or (0) none. */
struct state_of_stage {
    VkShaderStageFlags stages;
    uint16_t state; /* enum dynamic_state */
};

static const struct state_of_stage states_of_stages[] = {
% for state, stage in t.stages:
    {${stage}, DYNAMIC_${state}},
% endfor
};

#endif
