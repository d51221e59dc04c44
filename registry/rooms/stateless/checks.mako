## How each kind of check reads as C. `k` is a rooms.stateless.checks.Check; `d` the depth of indentation.
<%!
import re

def call(function, k, m, *arguments):
    """`function(c, VUID, where, "name", ...);`"""
    return f'{function}(c, {m.vuid_constant(k.vuid)}, {k.where}, "{k.name}", {", ".join(arguments)});'.replace(', );', ');')

def conditions(parts):
    parts = [p for p in parts if p]
    return ' && '.join(f'({p})' if ('||' in p or ' / ' in p) and len(parts) > 1 else p for p in parts)

def at(k, maker='LOCATION'):
    return f'&{maker}({k.where}, "{k.name}")'
%>
<%def name="guarded(k, extra, statement, unlikely=False)">\
<% test = conditions(k.guards + extra) %>\
% if test:
    if (${f'unlikely({test})' if unlikely else test})
        ${statement}
% else:
    ${statement}
% endif
</%def>
<%def name="handle(k)">${guarded(k, [f'!{k.value}'], call('report_null_handle', k, m), True)}</%def>
<%def name="enum(k)">${guarded(k, ([k.value] if k.optional else []) + [k.enum.outside(k.value)], call('check_enum', k, m, f'(int32_t){k.value}', f'&{k.enum.constant}'), True)}</%def>
<%def name="flags(k)">${guarded(k, [f'{k.value} & ~{k.bits.free_literal}'], call('check_flags', k, m, k.value, f'&{k.bits.constant}'), True)}\
% if not k.optional:
${guarded(k, [f'!{k.value}'], call('report_zero', k, m, '"at least one bit must be set"'), True)}\
% endif
</%def>
<%def name="flag_bit(k)">\
<% settled = f'!{k.value} || {k.value} & ({k.value} - 1) || {k.value} & ~{k.bits.free_literal}' %>\
${guarded(k, ([k.value] if k.optional else []) + [settled], call('check_flag', k, m, k.value, f'&{k.bits.constant}'), True)}</%def>
<%def name="zero(k)">${guarded(k, [k.value], call('report_not_zero', k, m, k.value), True)}</%def>
<%def name="nonzero(k)">${guarded(k, [f'!{k.value}'], call('report_zero', k, m, '"at least one bit must be set"'), True)}</%def>
<%def name="nonzero_array(k)">${guarded(k, [], call('check_nonzero_array', k, m, k.count, k.value))}</%def>
<%def name="length(k)">${guarded(k, [f'!{k.value}' if not k.value.startswith('*') else f'!{k.value}'], call('report_zero', k, m, '"at least one element is required"'), True)}</%def>
<%def name="address(k)">${guarded(k, [f'!{k.value}'], call('report_zero', k, m, '"an address is required"'), True)}</%def>
<%def name="queue_count(k)">    if (unlikely(call->device && !call->device->queue_count))
        report_no_queue(c, ${m.vuid_constant(k.vuid)});
</%def>
<%def name="string(k)">${guarded(k, [k.value] if k.optional else [], call('check_string', k, m, k.value))}</%def>
<%def name="fixed_string(k)">${guarded(k, [], call('check_fixed_string', k, m, k.value, f'sizeof({k.value})'))}</%def>
<%def name="pointer(k)">\
<% bad = f'pointer_is_bad((const void *){k.value})' if k.inner.type.startswith('PFN_') else f'pointer_is_bad({k.value})' %>\
${guarded(k, ([k.value] if k.optional else []) + [bad], call('report_pointer', k, m, f'(const void *){k.value}' if k.inner.type.startswith('PFN_') else k.value), True)}</%def>
<%def name="string_array(k)">${guarded(k, [k.count], call('check_strings', k, m, k.count, k.value))}</%def>
<%def name="handle_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_handles', k, m, k.count, k.value))}</%def>
<%def name="enum_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_enums', k, m, k.count, k.value, f'&{k.enum.constant}'))}</%def>
<%def name="flags_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_flags_array', k, m, k.count, k.value, f'&{k.bits.constant}'))}</%def>
<%def name="flag_bit_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_flag_array', k, m, k.count, k.value, f'&{k.bits.constant}'))}</%def>
<%def name="known_bit_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_known_bit_array', k, m, k.count, k.value, f'&{k.bits.constant}'))}</%def>
<%def name="bool_array(k)">${guarded(k, [k.count] + ([k.value] if k.optional else []), call('check_bools', k, m, k.count, k.value))}</%def>
<%def name="bools(k)">\
% if len(k.names) == 1:
    if (unlikely(${k.values[0]} > VK_TRUE)${'' if k.where == 'NULL' else ' && !c->output'})
        report_bool(c, ${k.where}, "${k.names[0]}", ${k.values[0]});
% elif k.where == 'NULL':
% for name, value in zip(k.names, k.values):
    if (unlikely(${value} > VK_TRUE))
        report_bool(c, NULL, "${name}", ${value});
% endfor
% else:
    if (unlikely((${' | '.join(k.values)}) > VK_TRUE) && !c->output)
        report_bools(c, where, s, bools_${k.owner}, ${len(k.names)});
% endif
</%def>
<%def name="struct_value(k)">${guarded(k, [], f'check_{k.struct}(c, {at(k)}, &{k.value});')}</%def>
<%def name="struct_pointer(k)">\
<% test = conditions(k.guards + ([k.value] if k.optional else [])); quiet = getattr(k, 'quiet', False); i = '    ' if test and not quiet else '' %>\
% if quiet:
    if (${conditions([f'!pointer_is_bad({k.value})'] + k.guards)}) /* as the pipeline's or command buffer's own rules say */
        check_${k.struct}(c, ${at(k, 'LOCATION_POINTER')}, ${k.value});
% else:
% if test:
    if (${test}) {
% endif
    ${i}if (unlikely(pointer_is_bad(${k.value})))
        ${i}${call('report_pointer', k, m, k.value)}
% if k.output:
    ${i}else
        ${i}check_output(c, ${at(k, 'LOCATION_POINTER')}, ${k.value}, check_${k.struct});
% else:
    ${i}else
        ${i}check_${k.struct}(c, ${at(k, 'LOCATION_POINTER')}, ${k.value});
% endif
% if test:
    }
% endif
% endif
</%def>
<%def name="struct_array(k)">\
<% quiet = getattr(k, 'quiet', False)
test = conditions(([f'!pointer_is_bad({k.value})'] if quiet else []) + k.guards + [k.count] + ([k.value] if k.optional else []))
function = 'check_output' if k.output else f'check_{k.struct}'
element = f'{k.value}[i]' if k.pointers else f'&{k.value}[i]'
more = f', check_{k.struct}' if k.output else '' %>\
    if (${test}) {
% if not quiet:
        if (unlikely(pointer_is_bad(${k.value}))) {
            ${call('report_pointer', k, m, k.value)}
        } else {
% endif
<% i = '' if quiet else '    ' %>\
        ${i}for (uint32_t i = 0; i < ${k.count}; i++)${' {' if k.pointers else ''}
% if k.pointers:
            ${i}if (unlikely(pointer_is_bad(${k.value}[i])))
                ${i}report_pointer_in_array(c, ${m.vuid_constant(k.vuid)}, ${k.where}, "${k.name}", i, ${k.value}[i]);
            ${i}else
                ${i}${function}(c, &LOCATION_INDEX(${k.where}, "${k.name}", i), ${element}${more});
        ${i}}
% else:
            ${i}${function}(c, &LOCATION_INDEX(${k.where}, "${k.name}", i), ${element}${more});
% endif
% if not quiet:
        }
% endif
    }
</%def>
<%def name="written(k)">\
<% r = rules.rules(m) %>\
% if not k.owner.is_command and k.owner.name in r.outputs:
    if (!c->output)
    \
% endif
    rule_${k.owner.name}(${r.rule_arguments(k.owner)});
</%def>
<%def name="rows(k)">\
<% r = rules.rules(m).rows
runs, tests = r.runs(k.owner.name), r.tests(k.owner.name)
head = 'true' if 'pNext' in k.owner.by_name else 'false'
filled = k.owner.name in rules.rules(m).outputs
call_of = 'call' if k.owner.is_command else 'c->call' %>\
% if any(t.device for t in tests):
    const struct device *dev = ${call_of}->device;
% endif
% for name, flags in r.code.replaced(k.owner.name):
<% if not any(re.search(rf'(?<![\w>.]){name}\b', c) for t in tests for c in (t.condition or '', *t.states, *(x.condition for x in t.loops))):
    continue %>\
    const uint64_t ${name} = ${flags};
% endfor
% for state in dict.fromkeys(s for t in tests for s in t.states):
    ${state};
% endfor
% for number, ((first, count), test) in enumerate(zip(runs, tests)):
% if count:
% if test.loops:
    bool may_break${number} = ${test.condition or 'false'};
% for elements in test.loops:
<% readable = ' && '.join([f'!may_break{number}'] + elements.readable) %>\
% if elements.other:
<% pad = '    ' if elements.outer else '' %>\
% if elements.outer:
    for (uint32_t i = 0; !pointer_is_bad(${elements.outer[0]}) && i < ${elements.outer[1]}; i++) {
        const ${elements.outer[2]} *o = &${elements.outer[0]}[i];
% endif
    ${pad}for (uint32_t k = 0; k < ${elements.count} && !may_break${number}; k++) {
    ${pad}    const void *array = ${elements.pointer} ? (const void *)${elements.pointer} : ${elements.other};
    ${pad}    const ${elements.element} *e =
    ${pad}        pointer_is_bad(array) ? NULL
    ${pad}        : ${elements.pointer} ? &${elements.pointer}[k] : ${elements.other}[k];
% for state in elements.states:
    ${pad}    ${state};
% endfor
    ${pad}    may_break${number} = !pointer_is_bad(e) && ${elements.condition};
    ${pad}}
% if elements.outer:
    }
% endif
% elif re.search(r'\be\b', ' '.join([elements.condition, *elements.states])):
    if (${readable} && !pointer_is_bad(${elements.pointer})) {
        for (uint32_t i = 0; i < ${elements.count}; i++) {
            const ${elements.element} *e = &${elements.pointer}[i];
% for state in elements.states:
            ${state};
% endfor
            if (unlikely(${elements.condition})) {
                may_break${number} = true;
                break;
            }
        }
    }
% else:
    if (${readable}${f' && !pointer_is_bad({elements.pointer}) && {elements.count}' if elements.pointer else ''})
        may_break${number} = ${elements.condition};
% endif
% endfor
% endif
<% wanted = f'unlikely(may_break{number})' if test.loops else f'unlikely({test.condition})' if not test.always else None
condition = ' && '.join((['!c->output'] if filled else []) + ([wanted] if wanted else [])) %>\
% if k.owner.is_command:
    ${f'if ({condition}) ' if condition else ''}{
        const struct parameters_${k.owner.name[2:]} parameters = {${', '.join(x.name for x in k.owner.members)}};
        rows_check(c, NULL, &parameters, false, ${first}, ${count});
    }
% elif condition:
    if (${condition})
        rows_check(c, where, s, ${head}, ${first}, ${count});
% else:
    rows_check(c, where, s, ${head}, ${first}, ${count});
% endif
% endif
% endfor
</%def>
<%def name="render(k)">${getattr(self, k.kind)(k)}</%def>
