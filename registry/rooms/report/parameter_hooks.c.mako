/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "report/finding/parameters.h"

static uint64_t float_word(float value)
{
    union {
        float value;
        uint32_t bits;
    } word = {value};
    return word.bits;
}

% for name, c in m.commands.items():
% if rules.has_hooks(c):
static bool parameters_validate_${name[2:]}(struct call *call, ${m.parameter_list(c)})
{
    const uint64_t values[] = {${', '.join(rules.parameter_word(m, p) for p in c.params)}};
    parameters_note(call, values, ${len(c.params)});
    return false;
}
static_assert(${len(c.params)} <= PARAMETERS_LIMIT, "room for all");

% endif
% endfor
static void fill(struct validator_hooks *hooks)
{
% for name, c in m.commands.items():
% if rules.has_hooks(c):
    hooks->validate_${name[2:]} = parameters_validate_${name[2:]};
% endif
% endfor
}

static struct validator_hooks own_hooks;
const struct validator parameters_validator = {
    .name = "parameters",
    .enabled = parameters_enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
