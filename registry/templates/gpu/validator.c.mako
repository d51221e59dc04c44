<% hooks = rules.read(m, defines['hooks'], 'gpu') %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "gpu/hooks.h"
#include "gpu/gpu.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->gpuav_enable || settings->printf_enable;
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

const struct validator gpu_validator = {
    .name = "gpu",
    .enabled = enabled,
    .change_instance = gpu_change_instance,
    .change_device = gpu_change_device,
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if phases[phase]:
    .${phase}_${name[2:]} = ${phases[phase][0] if len(phases[phase]) == 1 else f'all_{phase}_{name[2:]}'},
% endif
% endfor
% endfor
};
