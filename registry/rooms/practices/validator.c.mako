<% hooks = rules.hooks_of(m, defines['hooks'])
results = set(rules.result_commands(m))
# Hooks of their own count what they look at.
counts = {n: count for n, count in rules.counts(m).items() if not hooks[n]['after']}
def needs_one(name, phase):
    return len(hooks[name][phase]) > 1 or phase == 'after' and (name in results or name in counts)
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "practices/counts.h"
#include "practices/hooks.h"
#include "practices/practices.h"
#include "practices/results.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->validate_best_practices;
}
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if needs_one(name, phase):

static ${rules.declaration(m, name, phase, f'all_{phase}_{name[2:]}')}
{
% if phase == 'after' and name in counts:
    ${counts[name]}(call);
% endif
% for function in phases[phase]:
    ${function}(call, ${m.argument_list(m.commands[name])});
% endfor
% if phase == 'after' and name in results:
    if (unlikely(call->result != VK_SUCCESS))
        practices_result(call);
% endif
% if phase == 'validate':
    return false;
% endif
}
% endif
% endfor
% endfor

static void fill(struct validator_hooks *hooks)
{
% for name, phases in hooks.items():
% for phase in rules.PHASES:
% if needs_one(name, phase) or phases[phase]:
    hooks->${phase}_${name[2:]} = ${f'all_{phase}_{name[2:]}' if needs_one(name, phase) else phases[phase][0]};
% endif
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator practices_validator = {
    .name = "practices",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};
