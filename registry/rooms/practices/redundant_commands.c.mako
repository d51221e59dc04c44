<% own = rules.read(m, defines['hooks'], 'redundant', others=('practices', 'legacy', 'redundant'))
setters = {s.name: s for s in rules.setters(m)}
uses = rules.commands_of_extensions(m)
needed = rules.needed_by_extensions(m)
features = rules.features_of_shaders(m)
def functions(name, phase):
    return list(own.get(name, {}).get(phase, []))
CAPABILITIES, NEEDS = 32, 16 # redundant.h
if any(len(c) > CAPABILITIES for _, _, c in features) or any(len(o) > NEEDS for _, o in needed):
    raise rules.RegistryError('practices/redundant.h: an array is too short')
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Notes what is set, and which enabled extensions and features a program uses. */
#include "practices/hooks.h"
#include "practices/practices.h"
#include "practices/redundant.h"

#include "settings/settings.h"

const struct judged_extension judged_extensions[] = {
% for name, others in needed:
    {EXTENSION_${name}, {${''.join(f'EXTENSION_{o}, ' for o in others)}EXTENSION_COUNT}},
% endfor
};
const uint32_t judged_extension_count = ARRAY_LENGTH(judged_extensions);

const struct judged_feature judged_features[] = {
% for constant, name, capabilities in features:
    {${constant}, "${name}", {${', '.join(str(c) for c in capabilities)}}, ${len(capabilities)}},
% endfor
};
const uint32_t judged_feature_count = ARRAY_LENGTH(judged_features);

static bool enabled(const struct settings *settings)
{
    return settings->validate_best_practices && settings->validate_best_practices_redundant;
}
% for name, s in setters.items():

static ${rules.declaration(m, name, 'before', f'redundant_before_{name[2:]}_state')}
{
%     if s.parts is None:
    redundant_forget_state(call, DYNAMIC_${s.state});
%     else:
    uint64_t value = REDUNDANT_FIRST + COMMAND_${name[2:]};
%         for parameter, size in s.parts:
%             if size:
    value = redundant_add_bytes(value, ${parameter}, ${size});
%             else:
    value = redundant_add_bytes(value, &${parameter}, sizeof(${parameter}));
%             endif
%         endfor
    redundant_state(call, DYNAMIC_${s.state}, DYNAMIC_${s.checked}, value);
%     endif
}
% endfor
% for name, extensions in uses.items():

static ${rules.declaration(m, name, 'after', f'redundant_after_{name[2:]}_extension')}
{
%     for function in functions(name, 'after'):
    ${function}(call, ${m.argument_list(m.commands[name])});
%     endfor
%     for extension in extensions:
    redundant_uses(call, EXTENSION_${extension});
%     endfor
}
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name in setters:
    hooks->before_${name[2:]} = redundant_before_${name[2:]}_state;
% endfor
% for name in uses:
    hooks->after_${name[2:]} = redundant_after_${name[2:]}_extension;
% endfor
% for name, phases in own.items():
% for phase in rules.PHASES:
% for function in phases[phase]:
% if not (phase == 'after' and name in uses):
    hooks->${phase}_${name[2:]} = ${function};
% endif
% endfor
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator redundant_validator = {
    .name = "redundant",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
