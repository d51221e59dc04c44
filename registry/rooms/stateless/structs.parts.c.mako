## The functions that check structures' members: one part of them.
<%namespace name="checks" file="checks.mako"/>
<% r = rules.rules(m)
names = r.shard(r.checked_structures, part, parts) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/pipeline/graphics_info.h"
#include "stateless/pipeline.h"
#include "stateless/row_parameters.h"
#include "stateless/structs.h"
% for name in names:
<% owner = r.owners[name]
split = r.body_needed(name) and name in r.heads
bools = [k for k in owner.checks if k.kind == 'bools' and len(k.names) > 1]
body = f'check_{name}_members' if r.body_needed(name) else f'check_{name}' %>
% for k in bools:
static const struct bool_member bools_${name}[] = {
% for b in k.names:
    {"${b}", offsetof(${name}, ${b})},
% endfor
};

% endfor
% if r.body_needed(name):
void check_${name}_members(struct check *c, const struct location *where, const void *structure)
{
    const ${name} *s = structure;
% for k in owner.checks:
${checks.render(k)}\
% endfor
}
% endif
% if split:

% endif
% if name in r.heads:
void check_${name}${'_itself' if name in rules.WRAPPED else ''}(struct check *c, const struct location *where, const void *structure)
{
    const ${name} *s = structure;
% if owner.structure_type:
    if (unlikely(s->sType != ${owner.structure_type[0]})) {
        report_structure_type(c, ${m.vuid_constant(owner.structure_type[1])}, where, s->sType, "${owner.structure_type[0]}");
        return;
    }
% endif
% if owner.chain:
    if (unlikely(s->pNext))
        check_chain(c, where, s->pNext, &chain_${name});
% endif
% if split:
    check_${name}_members(c, where, structure);
% else:
% for k in owner.checks:
${checks.render(k)}\
% endfor
% endif
}
% endif
% endfor
