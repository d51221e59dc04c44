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
% for name in t.reached:

${name} *way_to_${name}(struct args_${t.command_of(name)[2:]} *a)
{
% for line in t.way_lines(name):
    ${line}
% endfor
}
% endfor
