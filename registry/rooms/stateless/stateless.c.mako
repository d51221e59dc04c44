<% r = rules.rules(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "stateless/stateless.h"

#include "stateless/commands.h"
#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->stateless_param;
}

static void fill(struct validator_hooks *hooks)
{
% for name in r.hooked_commands:
    hooks->validate_${name[2:]} = stateless_validate_${name[2:]};
% endfor
}

static struct validator_hooks own_hooks;
const struct validator stateless_validator = {
    .name = "stateless",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
