<% r = rules.rules(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "stateless/stateless.h"

#include "stateless/commands.h"
#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->stateless_param;
}

const struct validator stateless_validator = {
    .name = "stateless",
    .enabled = enabled,
% for name in r.hooked_commands:
    .validate_${name[2:]} = stateless_validate_${name[2:]},
% endfor
};
