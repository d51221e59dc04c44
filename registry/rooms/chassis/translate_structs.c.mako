/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#include "chassis/translate_structs.h"

% for s in rules.translated_structs(m):
% if not s.union:
<% steps = rules.steps(m, s); small = len(steps) <= 6 %>\
% if small:
static ALWAYS_INLINE void fix_${s.name}(struct translate *x, ${s.name} *s)
% else:
void translate_fix_${s.name}(struct translate *x, ${s.name} *s)
% endif
{
% for step in steps:
% for line in step.split('\n'):
    ${line}
% endfor
% endfor
}

% if small:
void translate_fix_${s.name}(struct translate *x, ${s.name} *s)
{
    fix_${s.name}(x, s);
}

% endif
const ${s.name} *translate_all_${s.name}(struct translate *x, const ${s.name} *in, uint32_t count)
{
% if not rules.has_direct(m, s):
    if (!translate_any_chain_needs(in, sizeof(*in), count))
        return in;
% endif
    ${s.name} *copy = translate_room(x, sizeof(*in), count);
    for (uint32_t i = 0; likely(copy != NULL) && i < count; i++) {
        copy[i] = in[i];
        ${'' if small else 'translate_'}fix_${s.name}(x, &copy[i]);
    }
    return copy;
}

% endif
% endfor
% for name in rules.pointer_arrays(m):
const ${name} *const *translate_pointers_${name}(struct translate *x, const ${name} *const *in, uint32_t count)
{
    const ${name} **copy = translate_copy(x, in, sizeof(*in), count);
    for (uint32_t i = 0; copy && i < count; i++)
        copy[i] = translate_${name}(x, copy[i], 1);
    return copy;
}

% endfor
bool translate_chain_carries(VkStructureType type)
{
    switch (type) {
% for s in rules.translated_structs(m):
% if s.sType and s.extends and rules.has_direct(m, s):
    case ${s.sType}:
% endif
% endfor
        return true;
    default:
        return false;
    }
}

void translate_chain_fix(struct translate *x, VkBaseOutStructure *s)
{
    switch (s->sType) {
% for s in rules.translated_structs(m):
% if s.sType and s.extends and rules.has_direct(m, s):
    case ${s.sType}: {
        void *next = s->pNext; /* the chain itself is translate_chain's */
        s->pNext = NULL;
        translate_fix_${s.name}(x, (${s.name} *)(void *)s);
        s->pNext = next;
        break;
    }
% endif
% endfor
    default:
        break;
    }
}

size_t structure_size(VkStructureType type)
{
    switch (type) {
% for s in m.structs.values():
% if s.sType:
    case ${s.sType}:
        return sizeof(${s.name});
% endif
% endfor
    default:
        return 0;
    }
}
