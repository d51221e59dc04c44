<% t = rules.tests(m)
by_command = t.owners_by_command
names = t.part(t.commands, part, parts) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "cases.h"
% for name in names:
<% a = f'struct args_{name[2:]}'
cases = [(owner, i, case) for owner in by_command[name] for i, case in enumerate(t.cases(owner))] %>
static void fill_${name[2:]}(void *args)
{
    fill_args_${name[2:]}(args);
% if name == 'vkCreateInstance':
    test_prepare_instance(((${a} *)args)->pCreateInfo);
% endif
}

static void call_${name[2:]}(const void *args)
{
    invoke_${name[2:]}(args);
}
% for owner in by_command[name]:
% for i, case in enumerate(t.cases(owner)):

static void break_${owner}_${i}(void *args)
{
    ${a} *a = args;
    (void)a;
% if owner in m.structs:
    ${owner} *s = way_to_${owner}(a);
% endif
% for line in case.statements:
    ${line}
% endfor
}
% endfor
% endfor

% if cases:
static const struct test_case cases_${name[2:]}[] = {
% for owner, i, case in cases:
    {"${case.vuid}", break_${owner}_${i}, ${'true' if case.second_device else 'false'}, ${'true' if case.strict else 'false'},
     ${'true' if case.custom else 'false'}, ${'true' if case.among else 'false'}},
% endfor
};
% endif
const struct test_command_info test_command_${name[2:]} = {
    .name = "${name}",
    .size = sizeof(${a}),
    .fill = fill_${name[2:]},
    .call = call_${name[2:]},
    .of_device = ${'true' if m.is_device_command(m.commands[name]) else 'false'},
% if t.lifetimes.first_id(name):
    .first_alive = "${t.lifetimes.first_id(name)}",
% endif
% if cases:
    .cases = cases_${name[2:]},
    .case_count = ${len(cases)},
% endif
% if name in rules.NO_VALID_CALL:
    .no_valid_call = "${rules.NO_VALID_CALL[name]}",
% endif
};
% endfor
