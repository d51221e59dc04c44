<% r = rules.rules(m)
rows = ('SCOPE_RECORDING', 'SCOPE_SECONDARY', 'SCOPE_INSIDE_RENDER_PASS', 'SCOPE_SUSPENDED', 'SCOPE_INSIDE_VIDEO_CODING') %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "core/core.h"
#include "core/scope.h"

#include "settings/settings.h"

static bool enabled(const struct settings *settings)
{
    return settings->validate_core && settings->check_command_buffer;
}
% for name in r.commands:
<% scope = r.scopes[name]
test = f'(command_buffer->scope & ({scope.mask})) == ({scope.expected})'
if scope.queues:
    test += f' && command_buffer->queue_flags & ({" | ".join(scope.queues)})' %>
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

static bool core_validate_${name[2:]}(struct call *call, ${m.parameter_list(scope.command)})
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (likely(command_buffer && ${test}))
        return false;
    return scope_report(call, command_buffer, &rule_${name[2:]});
}
% endfor
% for name, (flag, vuid) in r.queue_rules.items():

static bool core_validate_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])})
{
    return scope_check_queue(call, ${flag}, ${m.vuid_constant(vuid)});
}
% endfor

/* Queue flags, for messages. */
const struct validator core_validator = {
    .name = "core",
    .enabled = enabled,
% for name in r.commands + list(r.queue_rules):
    .validate_${name[2:]} = core_validate_${name[2:]},
% endfor
};
