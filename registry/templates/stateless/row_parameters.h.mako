<% r = rules.rules(m).rows %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit. */
#ifndef ASSAY_STATELESS_ROW_PARAMETERS_H
#define ASSAY_STATELESS_ROW_PARAMETERS_H

#include "stateless/rows.h"

/* True if there is an element `e` of an array for which the condition holds. */
#define ROW_ANY(type_, array_, count_, ...)                                  \
    __extension__({                                                          \
        const type_ *e = (array_);                                           \
        const uint32_t elements_ = pointer_is_bad(e) ? 0 : (uint32_t)(count_); \
        bool any_ = false;                                                   \
        for (uint32_t i_ = 0; i_ < elements_ && !any_; i_++, e++)             \
            any_ = (__VA_ARGS__);                                            \
        any_;                                                                \
    })

/* Flags, or those of a structure of that type in the chain, which are used instead: a VkFooFlags2CreateInfo. */
static inline uint64_t row_flags(const void *chain, VkStructureType type, uint64_t flags)
{
    const VkBufferUsageFlags2CreateInfo *instead = unlikely(chain) ? chain_find(chain, type) : NULL;
    return instead ? instead->usage : flags;
}

/* The parameters of commands that have rows, as a structure. */
% for name in r.owners:
% if name in m.commands:
struct parameters_${name[2:]} {
% for p in m.commands[name].params:
    ${rules.parameter_field(m, p)};
% endfor
};
% endif
% endfor

#endif
