<%namespace name="v" file="visit.mako"/>\
<% r = rules.rules_of(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * One function for each structure that holds handles: checks them, without those of its pNext chain, and returns whether the call shall
 * be skipped. `where` is the structure's own location. And one for each chain: visits what follows `next`. */
#ifndef ASSAY_LIFETIMES_STRUCTS_H
#define ASSAY_LIFETIMES_STRUCTS_H

#include "lifetimes/conditions.h"
#include "lifetimes/handle.h"
#include "vk/chain.h"

% for name in r.structs:
% if name not in r.inline:
bool lifetimes_${name}(struct call *call, const ${name} *value, const struct location *where);
% endif
% endfor

% for name in r.chained():
bool lifetimes_chain_${name}(struct call *call, const void *next, const struct location *where);
% endfor

% for name in r.inline:
static inline bool lifetimes_${name}(struct call *call, const ${name} *value, const struct location *where)
{
    bool skip = false;
% for item in r.struct_items(name):
${v.visit(m, r, item, 'where')}\
% endfor
    return skip;
}

% endfor
#endif
