<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "valid.h"
% for name in t.commands:
<% c = m.commands[name] %>
void fill_args_${name[2:]}(struct args_${name[2:]} *a)
{
% for line in t.fill(t.owner(name)):
    ${line}
% endfor
}

void invoke_${name[2:]}(const struct args_${name[2:]} *a)
{
    PFN_${name} function = (PFN_${name})test_proc("${name}", ${'true' if m.is_device_command(c) else 'false'});
    if (function)
        function(${', '.join(f'a->{p.name}' for p in c.params)});
}
% endfor
