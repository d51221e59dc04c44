<%namespace name="v" file="visit.mako"/>\
<% r = rules.rules_of(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "lifetimes/structs.h"

% for name in r.structs:
% if name not in r.inline and name not in rules.HANDWRITTEN:
bool lifetimes_${name}(struct call *call, const ${name} *value, const struct location *where)
{
    bool skip = false;
% for item in r.struct_items(name):
${v.visit(m, r, item, 'where')}\
% endfor
    return skip;
}

% endif
% endfor
