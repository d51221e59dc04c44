## The validate hooks: one part of them.
<%namespace name="checks" file="checks.mako"/>
<% r = rules.rules(m)
names = r.shard(r.hooked_commands, part, parts) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "stateless/commands.h"
#include "stateless/row_parameters.h"
#include "stateless/structs.h"
% for name in names:
<% owner = r.owners[name]
gate = r.command_gate(owner) %>
bool stateless_validate_${name[2:]}(struct call *call, ${m.parameter_list(owner.item)})
{
    struct check check = {.call = call}, *c = &check;
% if gate is not None:
    if (unlikely(${r.gate_condition(owner)}))
        report_disabled_command(c, ${r.requirements.offset(gate)});
% endif
% for k in owner.checks:
${checks.render(k)}\
% endfor
    return c->skip;
}
% endfor
