<% r = rules.rules_of(m) %>\
<%def name="one(use, verb, access, indent, named={})">\
<%
    dispatchable = use.type in m.dispatchable
    find = f'threads_find{"_dispatchable" if dispatchable else ""}(call, {access}, {m.handle_constant(use.type)})' if use.type else ''
    find = f'call->named[{named[access]}].object' if access in named else find
    writes = f'mark_{verb}'
    state = f'object_load_state_as(call, object, (uint64_t){access}, {m.handle_constant(use.type)})' if use.predicate else ''
%>\
% if use.kind == 'typed_write':
${indent}threads_${verb}_typed(call, ${access}, ${use.type_access}, "${use.name}");
% elif use.kind == 'read':
% if verb == 'enter':
${indent}if (${access})
${indent}    threads_read(call, ${find}, "${use.name}");
% endif
% elif use.predicate:
${indent}if (${access}) {
${indent}    struct object *object = ${find};
% if verb == 'leave':
${indent}    if (object && !mark_leave_alone(own, object) && ${use.predicate}(${state}))
${indent}        mark_leave_marked(call, object, "${use.name}");
% else:
${indent}    if (object && ${use.predicate}(${state}))
${indent}        mark_enter(call, own, object, "${use.name}");
${indent}    else
${indent}        threads_read(call, object, "${use.name}");
% endif
${indent}}
% else:
${indent}if (${access})
${indent}    ${writes}(call, own, ${find}, "${use.name}");
% endif
</%def>
<%def name="uses(list_, verb, indent, index, named={})">\
% for use in list_:
% if use.kind == 'struct':
% if use.count:
${indent}for (uint32_t i = 0; ${use.access} && i < ${use.count}; i++) {
% else:
${indent}if (${use.access}) {
% endif
${uses(use.members, verb, indent + '    ', 'k')}\
% if use.chain:
<% head = use.access + ('[i].' if use.count else '->') %>\
${indent}    for (struct chain_walk walk = chain_begin(${head}pNext); walk.at; chain_step(&walk)) {
${indent}        const VkBaseInStructure *s = walk.at;
% for extending, members in use.chain:
${indent}        if (s->sType == ${extending.sType}) {
${uses(members, verb, indent + '            ', 'k')}\
${indent}        }
% endfor
${indent}    }
% endif
${indent}}
% elif use.kind == 'read' and verb == 'leave':
% elif use.count:
${indent}for (uint32_t ${index} = 0; ${use.access} && ${index} < ${use.count}; ${index}++) {
${one(use, verb, f'{use.access}[{index}]', indent + '    ')}\
${indent}}
% else:
${one(use, verb, use.access, indent, named)}\
% endif
% endfor
</%def>
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "state/descriptor/descriptor.h"
#include "state/pipeline/pipeline_cache.h"
#include "state/submit/queue.h"
#include "threads/mark.h"
#include "threads/threads.h"
#include "vk/chain.h"

% for name, c in r.commands.items():
<% first = c.params[0] %>\
% if r.hooked_before(c):
static void threads_before_${name[2:]}(struct call *call, ${m.parameter_list(c)})
{
% if r.enters(c):
    ${'const struct own_mark own = ' if r.enters_by_name(c) else '(void)'}mark_begin(call);
% endif
% if r.marked_by_entry(c):
% elif r.first_predicate(c):
    if (call->object && ${r.first_predicate(c)}(object_load_state(call->object)))
        mark_enter(call, own, call->object, "${first.name}");
    else
        threads_read(call, call->object, "${first.name}");
% elif r.first_is_write(c):
    mark_enter(call, own, call->object, "${first.name}");
% else:
    threads_read(call, call->object, "${first.name}");
% endif
${uses(r.uses(c), 'enter', '    ', 'i', r.named(c, 'enter'))}\
% for implicit in r.implicit(c):
    ${implicit.format('enter')};
% endfor
% if name in rules.NAMED:
    ${rules.NAMED[name]};
% endif
}

% endif
% if r.writes(c):
static void threads_after_${name[2:]}(struct call *call, ${m.parameter_list(c)})
{
% if r.leaves_by_name(c):
    const struct own_mark own = mark_own(call);
% endif
${uses(r.left(c), 'leave', '    ', 'i', r.named(c, 'leave'))}\
% for implicit in r.implicit_left(c):
    ${implicit.format('leave')};
% endfor
% if r.marked_by_entry(c):
% elif r.first_predicate(c):
    if (call->object && !mark_leave_alone(own, call->object) && ${r.first_predicate(c)}(object_load_state(call->object)))
        mark_leave_marked(call, call->object, "${first.name}");
% elif r.first_is_write(c):
    mark_leave(call, own, call->object, "${first.name}");
% endif
}

% endif
% endfor
static void fill(struct validator_hooks *hooks)
{
% for name, c in r.commands.items():
% if r.hooked_before(c):
    hooks->before_${name[2:]} = threads_before_${name[2:]};
% endif
% if r.writes(c):
    hooks->after_${name[2:]} = threads_after_${name[2:]};
% endif
% endfor
}

static struct validator_hooks own_hooks;
const struct validator threads_validator = {
    .name = "threads",
    .enabled = threads_enabled,
    .marks = true,
    .hooks = &own_hooks,
    .fill = fill,
};
