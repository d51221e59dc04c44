/* Finds the variables in a module's shared memory (storage class Workgroup), and the instructions
 * that use them. Positions are counted in scalars: a variable has one for each component in its
 * type, in order and without padding. Knows no Vulkan. Threads: any; the module is const. */
#ifndef ASSAY_SPIRV_SHARED_H
#define ASSAY_SPIRV_SHARED_H

#include "base/string_builder.h"
#include "spirv/module/module.h"

struct spirv_shared_size {
    uint32_t scalars;
    uint32_t bytes,
        /* size and alignment in most drivers; no driver needs more for types without an explicit
         * layout */
        alignment;
};

/* Measures a type in shared memory. Returns false if its size depends on specialization, or the
 * type is not known. */
bool spirv_shared_measure(const struct spirv_module *module, uint32_t type,
                          struct spirv_shared_size *size) MUST_CHECK;

/* Finds the type `part` of a member or element, and where that begins. A member of a struct begins
 * after `before` scalars. Element i of another type begins after i * `each` scalars. Returns false
 * if there is no such member. */
bool spirv_shared_step(const struct spirv_module *module, uint32_t type, uint32_t index,
                       uint32_t *part, uint32_t *before, uint32_t *each);

/* Returns the type id of a variable in shared memory; 0: the id is not such a variable. */
uint32_t spirv_shared_type(const struct spirv_module *module, uint32_t variable);

enum spirv_shared_use {
    SPIRV_SHARED_LOAD,
    SPIRV_SHARED_STORE,
    SPIRV_SHARED_ATOMIC,
    SPIRV_SHARED_ATOMIC_LOAD
};

/* The accesses of one instruction to shared memory. A copy has two. */
struct spirv_shared_access {
    uint32_t count;
    struct {
        uint32_t pointer;
        enum spirv_shared_use use;
    } of[2];
};
/* Finds the accesses of an instruction to shared memory. Returns false if there is none. An atomic
 * operation that may not write (a compare-exchange) counts as a load. */
bool spirv_shared_access(const struct spirv_module *module,
                         const struct spirv_instruction *instruction,
                         struct spirv_shared_access *access);

/* Returns the index of the instruction with the number `site` among the module's accesses to shared
 * memory, counted from 1; SPIRV_NONE: there is none. */
uint32_t spirv_shared_site(const struct spirv_module *module, uint32_t site);

/* Writes the name of a scalar of a variable: "tile[3].x". */
void spirv_shared_name(const struct spirv_module *module, uint32_t variable, uint32_t scalar,
                       struct string_builder *to);

#endif
