<%
structures = rules.copied_structures(m)
index = {name: i for i, name in enumerate(structures)}
rows = [(name, p) for name, pointers in structures.items() for p in pointers]
first = 0
%>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 * The pointers of create infos of pipelines, and what they lead to. */
#include "gpu/pipeline/copy.h"

const struct copied_pointer copied_pointers[] = {
% for name, p in rows:
    {offsetof(${name}, ${p.name}), ${f'offsetof({name}, {p.counter})' if p.counter else '0'}, ${p.size}, ${index[p.inner] if p.inner else 'COPIED_PLAIN'}, ${p.count}},
% endfor
};

const struct copied_structure copied_structures[] = {
% for name, pointers in structures.items():
    {${m.structs[name].sType or 'COPIED_NO_TYPE'}, sizeof(${name}), ${first}, ${len(pointers)}},
<% first += len(pointers) %>\
% endfor
% for struct in rules.dropped_structures(m):
    {${struct.sType}, 0, 0, 0},
% endfor
};
const uint32_t copied_structure_count = ${len(structures) + len(rules.dropped_structures(m))};
