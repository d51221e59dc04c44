<% r = rules.rules(m)
hooks = rules.read(m, defines['hooks'], 'core')
scoped = {name: r.scopes[name] for name in r.commands}
validated = [n for n in m.commands if n in scoped or n in r.queue_rules or hooks.get(n, {}).get('validate')]
def functions(name):
    return hooks[name]['validate'] if name in hooks else []
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * A command's checks in a row: where it may be recorded (scope.h; not with check_command_buffer off), then what the room's sources have to say. */
#include "core/core.h"
#include "core/hooks.h"
#include "core/record/scope.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->validate_core && settings->check_command_buffer;
}

static bool enabled_without_scope(const struct settings *settings)
{
    return settings->validate_core && !settings->check_command_buffer;
}
% for name, scope in scoped.items():

static const struct scope_rule rule_${name[2:]} = {
    .mask = ${scope.mask},
    .expected = ${scope.expected},
% if scope.queues:
    .queue_flags = ${' | '.join(scope.queues)},
    .pool_vuid = ${m.vuid_constant(scope.pool_vuid)},
% endif
% for bit, (wanted, vuid) in scope.bits.items():
    .vuid[${bit.replace('SCOPE_', 'SCOPE_RULE_')}] = ${m.vuid_constant(vuid)},
% endfor
};
% endfor
% for name in validated:
<% command = m.commands[name]; arguments = m.argument_list(command); own = functions(name) %>
% if len(own) > 1:
static ${rules.declaration(m, name, 'validate', f'rules_validate_{name[2:]}')}
{
    bool skip = false;
% for function in own:
    skip |= ${function}(call, ${arguments});
% endfor
    return skip;
}
% endif
% if name in scoped or name in r.queue_rules:
<% one = '' if not own else own[0] if len(own) == 1 else f'rules_validate_{name[2:]}' %>\
% if name in scoped:
static COLD ${rules.declaration(m, name, 'validate', f'misplaced_validate_{name[2:]}')}
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const bool skip = scope_report(call, command_buffer, &rule_${name[2:]});
% if one:
    if (scope_lets_ask(call, command_buffer, &rule_${name[2:]}))
        return skip | ${one}(call, ${arguments});
% endif
    return skip;
}
% endif
static ${rules.declaration(m, name, 'validate', f'scoped_validate_{name[2:]}')}
{
% if name in scoped:
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer || !(${scoped[name].test})))
        return misplaced_validate_${name[2:]}(call, ${arguments});
% else:
    if (scope_check_queue(call, ${r.queue_rules[name][0]}, ${m.vuid_constant(r.queue_rules[name][1])}))
        return true;
% endif
    return ${f'{one}(call, {arguments})' if one else 'false'};
}
% endif
% endfor
static void fill(struct validator_hooks *hooks)
{
% for name in validated:
    hooks->validate_${name[2:]} = ${f'scoped_validate_{name[2:]}' if name in scoped or name in r.queue_rules else functions(name)[0] if len(functions(name)) == 1 else f'rules_validate_{name[2:]}'};
% endfor
% for name, phases in hooks.items():
% for phase in ('before', 'after'):
% for function in phases[phase]:
    hooks->${phase}_${name[2:]} = ${function};
% endfor
% endfor
% endfor
}

static struct validator_hooks own_hooks;
const struct validator core_validator = {
    .name = "core",
    .enabled = enabled,
    .hooks = &own_hooks,
    .fill = fill,
};

static void fill_without_scope(struct validator_hooks *hooks)
{
% for name in validated:
% if functions(name):
    hooks->validate_${name[2:]} = ${functions(name)[0] if len(functions(name)) == 1 else f'rules_validate_{name[2:]}'};
% endif
% endfor
% for name, phases in hooks.items():
% for phase in ('before', 'after'):
% for function in phases[phase]:
    hooks->${phase}_${name[2:]} = ${function};
% endfor
% endfor
% endfor
}

static struct validator_hooks own_hooks_without_scope;
const struct validator core_without_scope_validator = {
    .name = "core",
    .enabled = enabled_without_scope,
    .hooks = &own_hooks_without_scope,
    .fill = fill_without_scope,
};

enum vuid scope_recording_vuid(enum command command)
{
    switch (command) {
% for name in scoped:
% if name.startswith(('vkCmdDraw', 'vkCmdDispatch', 'vkCmdTraceRays')):
% for spelling in [name] + [a for a, root in m.aliases.items() if root == name]:
    case COMMAND_${spelling[2:]}:
% endfor
        return rule_${name[2:]}.vuid[SCOPE_RULE_RECORDING];
% endif
% endfor
    default:
        return VUID_vkCmdDraw_commandBuffer_recording;
    }
}
