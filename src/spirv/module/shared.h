/* Finds what lies in a module's shared memory (storage class Workgroup), and what uses it. It
 * counts in scalars: a variable is as many as its type has components, in order, without padding.
 * Knows no Vulkan. Threads: any; the module is const. */
#ifndef ASSAY_SPIRV_SHARED_H
#define ASSAY_SPIRV_SHARED_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

struct spirv_shared_size {
    uint32_t scalars;
    uint32_t bytes,
        /* as most drivers lay it out: not less than any does, where types have no layout of their
           own */
        alignment;
};

/* Measures a type in shared memory. Returns false if its size depends on specialization, or the
 * type is not known. */
bool spirv_shared_measure(const struct spirv_module *module, uint32_t type,
                          struct spirv_shared_size *size) MUST_CHECK;

/* Finds the type of a member or element of a type, and where it begins: in a struct after `before`
 * scalars, else after `each` scalars for every element. False: there is no such member. */
bool spirv_shared_step(const struct spirv_module *module, uint32_t type, uint32_t index,
                       uint32_t *part, uint32_t *before, uint32_t *each);

/* The type of a variable in shared memory; 0: the variable is elsewhere. */
uint32_t spirv_shared_type(const struct spirv_module *module, uint32_t variable);

enum spirv_shared_use {
    SPIRV_SHARED_LOAD,
    SPIRV_SHARED_STORE,
    SPIRV_SHARED_ATOMIC,
    SPIRV_SHARED_ATOMIC_LOAD
};

/* An instruction that goes through pointers into shared memory. A copy has two. */
struct spirv_shared_access {
    uint32_t count;
    struct {
        uint32_t pointer;
        enum spirv_shared_use use;
    } of[2];
};
/* Finds an access to shared memory. False: the instruction is not one. An atomic operation that may
 * turn out not to write counts as a load. */
bool spirv_shared_access(const struct spirv_module *module,
                         const struct spirv_instruction *instruction,
                         struct spirv_shared_access *access);

/* The index of the instruction that is number `site` (from 1 on) of those in the module;
 * SPIRV_NONE. */
uint32_t spirv_shared_site(const struct spirv_module *module, uint32_t site);

/* "tile[3].x": scalar `scalar` of a variable. */
void spirv_shared_name(const struct spirv_module *module, uint32_t variable, uint32_t scalar,
                       struct string_builder *to);

#endif
