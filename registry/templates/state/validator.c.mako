<% hooks = rules.read(m, defines['hooks'], 'state') %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/hooks.h"
#include "state/state.h"
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

const struct validator state_validator = {
    .name = "state",
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if phases[phase]:
    .${phase}_${name[2:]} = ${phases[phase][0] if len(phases[phase]) == 1 else f'all_{phase}_{name[2:]}'},
% endif
% endfor
% endfor
};
