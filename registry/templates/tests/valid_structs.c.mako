<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "valid.h"
% for name in t.structures:

void fill_${name}(${name} *s)
{
% for line in t.fill(t.owner(name)):
    ${line}
% endfor
}

${name} *new_${name}(void)
{
    ${name} *s = test_allocate(sizeof(*s));
    fill_${name}(s);
    return s;
}
% endfor
% for handle, (command, out) in t.creators.items():

${handle} handle_${handle}(void)
{
    static ${handle} handle;
    if (!handle) {
        struct args_${command[2:]} *a = test_allocate(sizeof(*a));
        fill_args_${command[2:]}(a);
        invoke_${command[2:]}(a);
        handle = *a->${out};
    }
    return handle;
}
% endfor
