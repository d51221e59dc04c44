<% r = rules.rules(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATELESS_COMMANDS_H
#define ASSAY_STATELESS_COMMANDS_H

#include "stateless/check.h"

% for name in r.hooked_commands:
bool stateless_validate_${name[2:]}(struct call *call, ${m.parameter_list(m.commands[name])});
% endfor

#endif
