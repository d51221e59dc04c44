<% commands = rules.superseded_commands(m)
own = rules.read(m, defines['hooks'], 'legacy', others=('practices', 'legacy', 'redundant'))
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * Commands that newer ones have superseded. */
#include "practices/hooks.h"
#include "practices/legacy.h"
#include "practices/practices.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->legacy_detection;
}
% for s in commands:

static ${rules.declaration(m, s.name, 'after', f'legacy_after_{s.name[2:]}_superseded')}
{
    static const struct superseded_command superseded = {
        ${s.id}, ${f'COMMAND_{s.by[2:]}' if s.by else 'COMMAND_COUNT'}, ${len(s.needs)}, {${', '.join(s.needs)}}};
    legacy_command(call, &superseded);
}
% endfor

static void fill(struct validator_hooks *hooks)
{
% for s in commands:
    hooks->after_${s.name[2:]} = legacy_after_${s.name[2:]}_superseded;
% endfor
% for name, phases in own.items():
% for phase in rules.PHASES:
% for function in phases[phase]:
    hooks->${phase}_${name[2:]} = ${function};
% endfor
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator legacy_validator = {
    .name = "legacy",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
