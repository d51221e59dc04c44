<% r = rules.rules(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATELESS_STRUCTS_H
#define ASSAY_STATELESS_STRUCTS_H

#include "stateless/check.h"

/* A structure's checks; those that end in _members leave sType and pNext to the head of the chain. */
% for name in r.checked_structures:
% if r.body_needed(name):
void check_${name}_members(struct check *c, const struct location *where, const void *structure);
% endif
% if name in r.heads:
void check_${name}(struct check *c, const struct location *where, const void *structure);
% endif
% if name in rules.WRAPPED:
void check_${name}_itself(struct check *c, const struct location *where, const void *structure);
% endif
% endfor

/* Rules written by hand (src/stateless), each called at the end of what is generated for the structure or command of its name. */
% for name in r.written_rules:
void rule_${name}(${r.rule_parameters(name)});
% endfor

% for name in r.chain_heads:
extern const struct chain_rule chain_${name};
% endfor

% for name in sorted(r.enums):
extern const struct enum_info ${r.enums[name].constant};
% endfor
% for name in sorted(r.bitmasks):
extern const struct flags_info ${r.bitmasks[name].constant};
% endfor

% if r.written_bits:
/* Bits that need nothing enabled, for rules written by hand. */
% for table in r.written_bits:
#define FREE_${table.name} ${table.free_literal}
% endfor

% endif
#endif
