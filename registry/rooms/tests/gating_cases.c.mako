<% t = rules.tests(m)
cases = t.gating
spoken = cases.spoken(defines['numbers'])
places = cases.places(cases.values, spoken) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "cases.h"
#include "gating.h"

<%def name="begin(owner, command)">\
    struct args_${command[2:]} *a = args;
% if owner in m.structs:
    ${owner} *s = way_to_${owner}(a);
% endif
</%def>\
% for number, value in places.values():
static void *place_${number}(void *args)
{
${begin(value.owner, value.command)}\
% for line in cases.place_lines(value):
    ${line}
% endfor
}

% endfor
% for head, command in dict.fromkeys((c[0], c[1]) for c in cases.chains):
static void *head_${head}(void *args)
{
${begin(head, command)}\
    return s;
}

% endfor
% for name in dict.fromkeys(c[2] for c in cases.chains):
static void *make_${name}(void)
{
    return new_${name}();
}

% endfor
<%def name="alone(names)">\
% if names:
, .alone = (const char *const[]){${', '.join(f'"{n}"' for n in names)}}, .alone_count = ${len(names)}\
% endif
</%def>\
const struct gating_test gating_tests[] = {
% for name, vuid in cases.gated_commands.items():
    {.command = &test_command_${name[2:]}, .vuid = "${vuid}", .name = "${name}"${alone(cases.alone_of_command(name))}},
% endfor
% for v in cases.values:
    {.command = &test_command_${v.command[2:]}, .vuid = "${v.vuid}", .name = "${v.constant}", .place = place_${places[v.owner, v.check.name][0]},
     .value = ${f'{v.value & 0xffffffffffffffff:#x}'}u, .size = ${8 if v.wide else 4}${alone(v.alone)}},
% endfor
% for head, command, name, vuid in cases.chains:
    {.command = &test_command_${command[2:]}, .vuid = "${vuid}", .name = "${name}", .head = head_${head}, .structure = make_${name}${alone(cases.alone_of_structure(name))}},
% endfor
};
const unsigned gating_test_count = sizeof(gating_tests) / sizeof(gating_tests[0]);

const struct spoken_test spoken_tests[] = {
% for v in spoken:
    {&test_command_${v.command[2:]}, "${v.vuid}", "${v.number}", "${v.constant}", place_${places[v.owner, v.check.name][0]}, ${f'{v.value & 0xffffffffffffffff:#x}'}u, ${8 if v.wide else 4}},
% endfor
};
const unsigned spoken_test_count = sizeof(spoken_tests) / sizeof(spoken_tests[0]);
