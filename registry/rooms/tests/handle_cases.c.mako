<% t = rules.tests(m)
cases = t.lifetimes %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "cases.h"
#include "handles.h"
% for command, owner in cases.owners:
% for handle in cases.handles(owner):

static void *at_${owner}_${handle.name}(void *args)
{
    struct args_${command[2:]} *a = args;
% if owner in m.structs:
    ${owner} *s = way_to_${owner}(a);
% endif
% for line in handle.lines:
    ${line}
% endfor
}
% endfor
% endfor
% for name, access, handle, with_callbacks, without in cases.allocators:

static void *destroyed_by_${name[2:]}(void *args)
{
    struct args_${name[2:]} *a = args;
    return (void *)(uintptr_t)&a->${access};
}
% endfor

const struct handle_test handle_tests[] = {
% for command, owner in cases.owners:
% for h in cases.handles(owner):
    {&test_command_${command[2:]}, "${owner}", "${h.name}", at_${owner}_${h.name}, &handle_types[TYPE_${h.type}],
     "${h.alive}", ${f'"{h.parent}"' if h.parent else 'NULL'}, ${'true' if h.pool else 'false'}, ${'true' if h.instance else 'false'}},
% endfor
% endfor
};
const unsigned handle_test_count = sizeof(handle_tests) / sizeof(handle_tests[0]);

const struct allocator_test allocator_tests[] = {
% for name, access, handle, with_callbacks, without in cases.allocators:
    {&test_command_${name[2:]}, destroyed_by_${name[2:]}, offsetof(struct args_${name[2:]}, pAllocator), &handle_types[TYPE_${handle}],
     "${with_callbacks}", "${without}"},
% endfor
};
const unsigned allocator_test_count = sizeof(allocator_tests) / sizeof(allocator_tests[0]);
