<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_VALID_H
#define ASSAY_TESTS_VALID_H

#include "driver.h"

/* Makes every member valid, so that each rule's condition is met. */
% for name in t.structures:
void fill_${name}(${name} *s);
${name} *new_${name}(void);
% endfor

/* A handle of each type, made when first asked for in the world that is in use; and a new one at each call. */
% for name in m.handles:
${name} handle_${name}(void);
% endfor
#define HANDLE(type_) handle_##type_()
% for name in t.creatable:
${name} create_${name}(const VkAllocationCallbacks *callbacks);
% endfor

enum {
% for i, name in enumerate(m.handles):
    TYPE_${name} = ${i},
% endfor
    TYPE_COUNT = ${len(m.handles)}
};

/* The parameters of each command. */
% for name in t.commands:
struct args_${name[2:]} {
% for p in m.commands[name].params:
    ${t.parameter(p)};
% endfor
};
void fill_args_${name[2:]}(struct args_${name[2:]} *a);
void invoke_${name[2:]}(const struct args_${name[2:]} *a);
% endfor

/* The structure of that type in the command's arguments, with what leads to it. */
% for name in t.reached:
${name} *way_to_${name}(struct args_${t.command_of(name)[2:]} *a);
% endfor

#endif
