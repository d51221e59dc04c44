/* The state that the steps of spirv_reflect() share (reflect.c has their order). Private to
 * src/spirv/module/. Threads: the thread that makes the reflection; nothing is shared. */
#ifndef ASSAY_SPIRV_REFLECT_BUILD_H
#define ASSAY_SPIRV_REFLECT_BUILD_H

#include "spirv/module/reflect.h"

/* A growing array. */
struct spirv_list {
    void *data;
    uint32_t count, capacity;
};

/* One decoration of an id, or of a member of a structure type. */
struct spirv_decoration {
    uint32_t member; /* SPIRV_NONE: the id itself is decorated */
    uint32_t kind;   /* SpvDecoration */
    uint32_t value;  /* its first literal; 0: it has none */
    uint32_t next;   /* index of the next decoration of the same id; SPIRV_NONE: this is the last */
};

#define SPIRV_NO_ELEMENT UINT8_MAX /* the element is not known, or is beyond 63 */

/* Where a pointer or an opaque value comes from: a global variable, and the part of it. */
struct spirv_origin {
    uint32_t variable; /* index in `variables`, or SPIRV_NONE */
    uint32_t member;   /* member of the variable's block; SPIRV_NONE: any */
    /* the pointer is the variable itself, or an element of its array of blocks: the next constant
     * index selects a member */
    bool whole;
    /* the element of the variable's array that a constant index selected, 0 if the variable is not
     * an array; SPIRV_NO_ELEMENT: not known */
    uint8_t element;
    /* For a pointer into a buffer's block: the pointer is to the bytes of `span`. If an index was
     * not constant, `chosen` is set, and the pointer is to some part of `span`. */
    bool chosen;
    uint32_t type; /* index of the type that the pointer is to; SPIRV_NONE: not known */
    struct spirv_span span;
    /* the elements that the pointer is to, if one index was the invocation's number and the later
     * ones were constants; else empty */
    struct spirv_each each;
};

struct spirv_variable {
    uint32_t id;
    uint32_t storage;
    uint32_t type; /* index of the variable's type, without the pointer; SPIRV_NONE: unknown */
    bool initialized;
    /* index in `uses` of the newest use, which counts only if it belongs to the current function */
    uint32_t seen;
};

/* How one function uses one variable. */
struct spirv_use {
    uint32_t variable;
    uint32_t access; /* enum spirv_access */
    /* a bit for each member of the block; bit 63 stands for all members from 63 on */
    uint64_t read, written;
    uint32_t begin, end; /* bytes of a push constant block that may be accessed; equal: none */
    uint64_t elements;   /* this and the next three are like those of struct spirv_binding */
    bool any_element;
    uint64_t accessed, surely_accessed;
    uint8_t texel_components; /* like that of struct spirv_binding */
    uint8_t used_components;  /* like that of struct spirv_interface */
    struct spirv_spans spans;
    /* id of the sampler variable that the image is sampled with, and the element of its array. 0:
     * none yet; SPIRV_NONE: several, or not known */
    uint32_t sampler, sampler_element;
    struct spirv_places places;
};

/* A bit in an element of `calls`, which otherwise is the id of the called function: each invocation
 * that enters the caller reaches this call. */
#define SPIRV_CALL_CERTAIN (1u << 31)

/* Merges the coordinates of more accesses into `all`. */
static inline void spirv_places_add(struct spirv_places *all, const struct spirv_places *more)
{
    if (more->count > all->count) {
        all->count = more->count;
        all->begin = more->begin;
    }
    if (more->askew_count) {
        all->askew_count = more->askew_count;
        all->askew_begin = more->askew_begin;
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t *at = &all->reference[i / 2][i % 2];
        const uint32_t other = more->reference[i / 2][i % 2];
        *at = other > *at ? other : *at;
    }
}

/* Notes in a use of an image, or in a total of uses, that it is sampled with this sampler. */
static inline void spirv_use_sampler(struct spirv_use *use, uint32_t sampler, uint32_t element)
{
    if (!sampler)
        return;
    if (use->sampler && (use->sampler != sampler || use->sampler_element != element))
        sampler = SPIRV_NONE;
    use->sampler = sampler;
    use->sampler_element = element;
}

struct spirv_function {
    uint32_t id;
    uint32_t first_use, use_count;
    uint32_t first_call, call_count; /* elements of `calls` */
    uint32_t uses;                   /* enum spirv_uses */
};

struct spirv_build {
    const struct spirv_module *module;
    bool failed; /* memory was out */
    /* for each id its index in `types`; SPIRV_NONE: it is not a type */
    uint32_t *type_index;
    uint32_t *variable_index;     /* per id */
    uint32_t *decoration_index;   /* for each id the index of its first decoration */
    uint32_t *name_instruction;   /* for each id the index of its OpName */
    struct spirv_origin *origins; /* per id */
    /* for each id an enum spirv_number, or a value of reflect_numbers.c */
    uint8_t *numbers;
    struct spirv_list capabilities, extensions, types, members, constants, modes, interfaces,
        bindings, shared, entries, graphs, text;
    struct spirv_list decorations, variables, functions, uses, calls;
    uint32_t addressing_model, memory_model;
    uint32_t workgroup_size_object;
    /* steps so far of those parts whose time is more than linear in the module's length; see
     * SPIRV_WORK_MOST */
    uint64_t work;
};

/* The most steps that are taken for a module. A module with many entry points that all reach many
 * functions would take very long. */
#define SPIRV_WORK_MOST (1u << 24)

/* --- reflect_build.c --- */

/* Adds a zeroed element at the end. NULL: memory is out, and `failed` is set. */
void *spirv_list_add(struct spirv_build *build, struct spirv_list *list, size_t size);
static inline void *spirv_list_at(const struct spirv_list *list, uint32_t index, size_t size)
{
    assert(size);
    return index < list->count ? (char *)list->data + index * size : NULL;
}
#define LIST_ADD(build_, list_, type_) \
    ((type_ *)spirv_list_add((build_), &(build_)->list_, sizeof(type_)))
#define LIST_AT(build_, list_, i_, type_) \
    ((type_ *)spirv_list_at(&(build_)->list_, (i_), sizeof(type_)))

/* Copies a string into `text`, and returns its offset there. */
uint32_t spirv_text_add(struct spirv_build *build, const char *text);
/* Copies the id's OpName into `text`, and returns its offset there; 0: the id has no name. */
uint32_t spirv_name_of(struct spirv_build *build, uint32_t id);

void spirv_decorations_clear(struct spirv_decorations *decorations);
void spirv_decoration_apply(struct spirv_decorations *decorations, uint32_t kind, uint32_t value);
/* Reads the decorations of the id itself, not of its members. */
void spirv_decorations_read(const struct spirv_build *build, uint32_t id,
                            struct spirv_decorations *decorations);
/* Returns the type with this index; NULL: there is none. */
static inline struct spirv_type *spirv_build_type(const struct spirv_build *build, uint32_t index)
{
    return LIST_AT(build, types, index, struct spirv_type);
}
/* Finds the default value of an integer constant. Returns false if it is unknown. */
bool spirv_default_value(const struct spirv_build *build, uint32_t id, uint64_t *value);

/* Finds the value of an index that is a constant. Returns false if specialization may change it, or
 * it is not a constant. */
bool spirv_constant_index(const struct spirv_build *build, uint32_t id, uint64_t *value);

/* --- the steps of spirv_reflect() --- */

/* Finds types, members, constants and global variables in one walk (reflect_types.c). */
void spirv_build_types(struct spirv_build *build);
/* Finds how each function uses the global variables (reflect_uses.c). */
void spirv_build_functions(struct spirv_build *build);
/* Notes a global variable that is decorated as a built-in, so that reflect_numbers.c knows which
 * loads give the number of the invocation. */
void spirv_numbers_builtin(struct spirv_build *build, uint32_t variable, uint32_t builtin);
/* Follows the number of the invocation through an instruction. Called for each instruction of a
 * function, in order. `certain`: each invocation that enters the function reaches the
 * instruction. */
void spirv_numbers_read(struct spirv_build *build, const struct spirv_instruction *instruction,
                        bool certain);
/* Returns the enum spirv_number of a value. */
uint8_t spirv_invocation_number(const struct spirv_build *build, uint32_t id);
/* True if the coordinates are GlobalInvocationId, its x and y, or its x. */
bool spirv_is_invocation_place(const struct spirv_build *build, uint32_t id);
/* The next functions find which bytes of a buffer's block are accessed (reflect_spans.c). `origin`
 * is the origin of a pointer. */
/* Sets the origin to that of a pointer which is the variable itself. */
void spirv_spans_begin(const struct spirv_build *build, const struct spirv_variable *variable,
                       struct spirv_origin *origin);
/* Moves the origin on by the indices of an access chain. */
void spirv_spans_follow(const struct spirv_build *build, struct spirv_origin *origin,
                        const uint32_t *indices, uint32_t count);
/* Notes that each invocation accesses the bytes of the pointer. `access`: enum spirv_access. */
void spirv_spans_note(const struct spirv_build *build, struct spirv_spans *spans,
                      const struct spirv_origin *origin, uint32_t access);
/* Adds the spans of a function that each invocation calls to a total. */
void spirv_spans_add(struct spirv_spans *total, const struct spirv_spans *spans);
/* Finds entry points with their interfaces and bindings (reflect_entries.c). */
void spirv_build_entries(struct spirv_build *build);

#endif
