<% r = rules.rules_of(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "lifetimes/structs.h"
#include "vk/chain.h"

% for name in r.chained():
bool lifetimes_chain_${name}(struct call *call, const void *next, const struct location *where)
{
    bool skip = false;
    for (struct chain_walk walk = chain_begin(next); walk.at; chain_step(&walk)) {
        switch (walk.at->sType) {
% for extending in r.chain(name):
        case ${m.structs[extending].sType}:
            skip |= lifetimes_${extending}(call, (const ${extending} *)(const void *)walk.at, &LOCATION_CHAINED(where, "${extending}"));
            break;
% endfor
        default:
            break;
        }
    }
    return skip;
}

% endfor
