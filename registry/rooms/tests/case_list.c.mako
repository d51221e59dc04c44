<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "cases.h"

const struct test_command_info *const test_command_list[] = {
% for name in t.commands:
    &test_command_${name[2:]},
% endfor
};
const unsigned test_command_count = ${len(t.commands)};
