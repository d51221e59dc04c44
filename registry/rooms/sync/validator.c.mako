<% hooks = rules.read(m, defines['hooks'], 'sync') %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "sync/hooks.h"
#include "sync/sync.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->validate_sync;
}
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if len(phases[phase]) > 1:

static ${rules.declaration(m, name, phase, f'all_{phase}_{name[2:]}')}
{
% for function in phases[phase]:
    ${function}(call, ${m.argument_list(m.commands[name])});
% endfor
}
% endif
% endfor
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if phases[phase]:
    hooks->${phase}_${name[2:]} = ${phases[phase][0] if len(phases[phase]) == 1 else f'all_{phase}_{name[2:]}'};
% endif
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator sync_validator = {
    .name = "sync",
    .tells_numbers = true,
    .areas = sync_areas,
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
