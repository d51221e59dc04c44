<% r = rules.rules_of(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "lifetimes/structs.h"

% for name in r.chained():
bool lifetimes_chain_${name}(struct call *call, const void *next, const struct location *where)
{
    bool skip = false;
    const VkBaseInStructure *s = next;
    for (uint32_t length = 0; s && length < CHAIN_LIMIT; s = s->pNext, length++) {
        switch (s->sType) {
% for extending in r.chain(name):
        case ${m.structs[extending].sType}:
            skip |= lifetimes_${extending}(call, (const ${extending} *)(const void *)s, &LOCATION_CHAINED(where, "${extending}"));
            break;
% endfor
        default:
            break;
        }
    }
    return skip;
}

% endfor
