/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/hooks.h"
#include "state/state.h"
% for which in rules.SETS:
<% hooks = rules.hooks(m, defines['hooks'], which) %>\
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if len(phases[phase]) > 1:

static ${rules.declaration(m, name, phase, f'{which}_all_{phase}_{name[2:]}')}
{
% for function in phases[phase]:
    ${function}(call, ${m.argument_list(m.commands[name])});
% endfor
}
% endif
% endfor
% endfor

static void fill_${which}(struct validator_hooks *hooks)
{
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if phases[phase]:
    hooks->${phase}_${name[2:]} = ${phases[phase][0] if len(phases[phase]) == 1 else f'{which}_all_{phase}_{name[2:]}'};
% endif
% endfor
% endfor
}

static struct validator_hooks hooks_${which};
const struct validator ${'state_validator' if which == 'always' else 'tracking_validator'} = {
    .name = "state",
% if which == 'state':
    .enabled = tracking_enabled,
% endif
    .hooks = &hooks_${which},
    .fill = fill_${which},
};
% endfor
