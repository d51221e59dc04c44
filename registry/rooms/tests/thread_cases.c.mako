<% t = rules.tests(m)
cases = t.threads %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "cases.h"
#include "threads.h"
#include "world.h"
% for name in cases.commands:
% for i, use in enumerate(cases.uses(name)):

% if use.lines:
static void *use_${i}_of_${name[2:]}(void *args)
{
    struct args_${name[2:]} *a = args;
% for line in use.lines:
    ${line}
% endfor
}
% else:
static uint64_t object_${i}_of_${name[2:]}(void)
{
    return (uint64_t)(uintptr_t)${use.object};
}
% endif
% endfor
% endfor

const struct thread_test thread_tests[] = {
% for name in cases.commands:
% for i, use in enumerate(cases.uses(name)):
    {
        .command = &test_command_${name[2:]},
        .type = &handle_types[TYPE_${use.type}],
        .write = ${'true' if use.write else 'false'},
% if use.name:
        .parameter = "${use.name}",
% endif
% if use.lines:
        .locate = use_${i}_of_${name[2:]},
        .fixed = ${'true' if use.fixed else 'false'},
% else:
        .implicit = object_${i}_of_${name[2:]},
% endif
    },
% endfor
% endfor
};
const unsigned thread_test_count = sizeof(thread_tests) / sizeof(thread_tests[0]);
