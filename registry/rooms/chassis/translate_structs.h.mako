/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_CHASSIS_TRANSLATE_STRUCTS_H
#define ASSAY_CHASSIS_TRANSLATE_STRUCTS_H

#include "chassis/translate.h"

/* Per structure that can hold ids:
 *   translate_fix_X   replaces the ids in a copy of one by the driver's handles (deep)
 *   translate_X       the same for `count` of them: the argument itself when there is nothing to replace, else a copy in scratch memory */
% for s in rules.translated_structs(m):
% if not s.union:
void translate_fix_${s.name}(struct translate *x, ${s.name} *s);
const ${s.name} *translate_all_${s.name}(struct translate *x, const ${s.name} *in, uint32_t count);
static inline const ${s.name} *translate_${s.name}(struct translate *x, const ${s.name} *in, uint32_t count)
{
% if rules.has_direct(m, s):
    return in && count ? translate_all_${s.name}(x, in, count) : NULL;
% elif s.sType:
    return in && count && (count > 1 || in->pNext) ? translate_all_${s.name}(x, in, count) : in;
% else:
    return in && count ? translate_all_${s.name}(x, in, count) : in;
% endif
}

% endif
% endfor
% for name in rules.pointer_arrays(m):
const ${name} *const *translate_pointers_${name}(struct translate *x, const ${name} *const *in, uint32_t count);
% endfor

#endif
