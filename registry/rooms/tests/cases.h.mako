<% t = rules.tests(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_TESTS_CASES_H
#define ASSAY_TESTS_CASES_H

#include "valid.h"

% for name in t.commands:
extern const struct test_command_info test_command_${name[2:]};
% endfor

#endif
