<%
hooks = rules.read(m, defines['hooks'], 'gpu')
actions = rules.actions(m)
none = {phase: [] for phase in rules.PHASES}
names = [name for name in m.commands if name in hooks or name in actions]


def whole(name, phase):
    """One function that stands for all hooks of the phase; None: there is none."""
    functions = hooks.get(name, none)[phase]
    if len(functions) > 1 or (phase == 'before' and name in actions):
        return f'all_{phase}_{name[2:]}'
    return functions[0] if functions else None
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * A command that runs shaders is noted before the room's other hooks. Its shaders get their pointer after them. */
#include "gpu/hooks.h"
#include "gpu/command/command.h"
#include "gpu/gpu.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->gpuav_enable || settings->printf_enable || settings->shader_abort != SHADER_ABORT_OFF;
}
% for name in names:
% for phase in rules.PHASES:
% if (whole(name, phase) or '').startswith('all_'):

static ${rules.declaration(m, name, phase, whole(name, phase))}
{
% if phase == 'before' and name in actions:
    gpu_action_begin(call, ${actions[name]});
% endif
% for function in hooks.get(name, none)[phase]:
    ${function}(call, ${m.argument_list(m.commands[name])});
% endfor
% if phase == 'before' and name in actions:
    gpu_action_end(call, ${actions[name]});
% endif
}
% endif
% endfor
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name in names:
% for phase in rules.PHASES:
% if whole(name, phase):
    hooks->${phase}_${name[2:]} = ${whole(name, phase)};
% endif
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator gpu_validator = {
    .name = "gpu",
    .tells_numbers = true,
    .areas = gpu_areas,
    .enabled = enabled,
    .change_instance = gpu_change_instance,
    .change_device = gpu_change_device,
    .hooks = &own_hooks,
    .fill = fill,
};
