## The visit of one parameter or member, as C. Shared by the walks of structures and of commands.
<%def name="location(item, where, index=None)">\
% if index:
LOCATION_INDEX(${where}, "${item.name}", ${index})\
% elif item.pointer:
LOCATION_POINTER(${where}, "${item.name}")\
% else:
LOCATION(${where}, "${item.name}")\
% endif
</%def>
<%def name="one_handle(m, item, access, where, indent, index=None)">\
<%
   dispatchable = item.type in m.dispatchable
   known = f'{item.level}_knows' + ('_dispatchable' if dispatchable else '')
   known = f'{known}(call, {access}, {m.handle_constant(item.type)})' if item.named is None else f'device_knows_named(call, {item.named})'
   if item.pool_named is not None:
       known = 'device_owns(call, object)'
%>\
% if item.pool_named is not None:
${indent}const struct object *object = ${'object_find_dispatchable(' if dispatchable else 'find_of_anybody(call, '}${access}, ${m.handle_constant(item.type)});
% endif
${indent}if (unlikely(${access} && !${known}))
${indent}    skip |= lifetimes_report(call, ${'(uint64_t)(uintptr_t)' if dispatchable else ''}${access}, ${m.handle_constant(item.type)}, ${item.alive},
${indent}                             ${item.parent}, &${location(item, where, index)});
% if item.pool_named is not None:
${indent}else if (unlikely(${access} && !comes_from_named(call, object, ${item.pool_named})))
${indent}    skip |= lifetimes_report_pool(call, ${'(uint64_t)(uintptr_t)' if dispatchable else ''}${access}, ${m.handle_constant(item.type)}, ${item.parent},
${indent}                                  &${location(item, where, index)});
% elif item.pool:
${indent}else if (unlikely(${access} && !comes_from(call, ${'(uint64_t)(uintptr_t)' if dispatchable else ''}${access}, ${m.handle_constant(item.type)}, ${item.pool}, ${m.handle_constant('Vk' + item.pool[0].upper() + item.pool[1:])})))
${indent}    skip |= lifetimes_report_pool(call, ${'(uint64_t)(uintptr_t)' if dispatchable else ''}${access}, ${m.handle_constant(item.type)}, ${item.parent},
${indent}                                  &${location(item, where, index)});
% endif
</%def>
<%def name="one_struct(rules, item, access, where, indent, index=None)">\
${indent}const struct location at = ${location(item, where, index)};
% if rules._walked(item.type):
${indent}skip |= lifetimes_${item.type}(call, ${access}, &at);
% endif
% if rules.chain(item.type):
<% deref = access[1:] + '.' if access.startswith('&') else access + '->' %>\
${indent}if (${deref}pNext)
${indent}    skip |= lifetimes_chain_${item.type}(call, ${deref}pNext, &at);
% endif
</%def>
<%def name="visit(m, rules, item, where, indent='    ')">\
% if item.condition and item.kind != 'union':
${indent}if (${item.condition}) {
${visit_unconditional(m, rules, item, where, indent + '    ')}\
${indent}}
% else:
${visit_unconditional(m, rules, item, where, indent)}\
% endif
</%def>
<%def name="visit_unconditional(m, rules, item, where, indent)">\
% if item.kind == 'handle' and item.count is None and not item.pointer:
${one_handle(m, item, item.access, where, indent)}\
% elif item.kind == 'handle' and item.count is None:
${indent}if (${item.access}) {
${one_handle(m, item, '*' + item.access, where, indent + '    ')}\
${indent}}
% elif item.kind == 'handle':
${indent}for (uint32_t i = 0; ${item.access} && i < ${item.count}; i++) {
${one_handle(m, item, item.access + '[i]', where, indent + '    ', 'i')}\
${indent}}
% elif item.kind == 'typed':
${indent}skip |= lifetimes_typed(call, ${item.access}, ${item.type_access}, ${item.alive}, ${item.parent}, &${location(item, where)});
% elif item.kind == 'union':
${indent}switch (${item.type_access}) {
% for selection, case in item.cases:
% for value in selection:
${indent}case ${value}:
% endfor
${indent}{
<% inner = f'&LOCATION({where}, "{item.name}")' %>\
${visit(m, rules, case, inner, indent + '    ')}\
${indent}    break;
${indent}}
% endfor
${indent}default:
${indent}    break;
${indent}}
% elif item.indirect:
${indent}for (uint32_t i = 0; ${item.access} && i < ${item.count}; i++) {
${indent}    if (!${item.access}[i])
${indent}        continue;
${one_struct(rules, item, item.access + '[i]', where, indent + '    ', 'i')}\
${indent}}
% elif item.count is not None:
${indent}for (uint32_t i = 0; ${item.access} && i < ${item.count}; i++) {
${one_struct(rules, item, '&' + item.access + '[i]', where, indent + '    ', 'i')}\
${indent}}
% elif item.pointer:
${indent}if (${item.access}) {
${one_struct(rules, item, item.access, where, indent + '    ')}\
${indent}}
% else:
${indent}{
${one_struct(rules, item, '&' + item.access, where, indent + '    ')}\
${indent}}
% endif
</%def>
