/* The steps of spirv_reflect share this while the reflection is made (reflect.c names them in their
 * order). Private to the room. Threads: that which makes the module; nothing is shared. */
#ifndef ASSAY_SPIRV_REFLECT_BUILD_H
#define ASSAY_SPIRV_REFLECT_BUILD_H

#include "spirv/module/reflect.h"

/* A growing array. */
struct spirv_list {
    void *data;
    uint32_t count, capacity;
};

/* One decoration of an id or of a member of it. */
struct spirv_decoration {
    uint32_t member; /* SPIRV_NONE: of the id itself */
    uint32_t kind;   /* SpvDecoration */
    uint32_t value;  /* first literal, 0 without */
    uint32_t next;   /* of the same id, or SPIRV_NONE */
};

#define SPIRV_NO_ELEMENT UINT8_MAX /* elements beyond 63 are not known either */

/* A pointer's or opaque value's origin: a global variable, and which member of its block. */
struct spirv_origin {
    uint32_t variable; /* index in `variables`, or SPIRV_NONE */
    uint32_t member;   /* or SPIRV_NONE: any */
    /* the pointer is still the variable's own, or an element of its array: the next constant index
     * selects a member */
    bool whole;
    /* the element of the variable's array that a constant chose; 0: the variable is not an array;
     * SPIRV_NO_ELEMENT: not known */
    uint8_t element;
    /* For a pointer into a buffer's block: it points to `span`, or into it where an index was
     * `chosen` that only the running shader knows. */
    bool chosen;
    uint32_t type; /* type that the pointer points to, in the block; SPIRV_NONE: not known */
    struct spirv_span span;
    /* If the index was the invocation's number, and the indices after it were constants: the bytes
     * that the pointer points to. Else empty. */
    struct spirv_each each;
};

struct spirv_variable {
    uint32_t id;
    uint32_t storage;
    uint32_t type; /* type that the variable holds; SPIRV_NONE: unknown */
    bool initialized;
    uint32_t seen; /* index of the newest access to it, if that is of the function at hand */
};

/* One function's use of one variable. */
struct spirv_use {
    uint32_t variable;
    uint32_t access;        /* enum spirv_access */
    uint64_t read, written; /* by member; bit 63 stands for all from there on */
    uint32_t begin, end;    /* bytes, of a push constant block; equal: none */
    uint64_t elements;      /* as struct spirv_binding */
    bool any_element;
    uint64_t accessed, surely_accessed;
    uint8_t texel_components; /* likewise */
    uint8_t used_components;  /* as struct spirv_interface */
    struct spirv_spans spans;
    /* The variable of the sampler that the image is sampled with, and its element. 0: none yet;
     * SPIRV_NONE: several, or one that is not known */
    uint32_t sampler, sampler_element;
    struct spirv_places places;
};

/* In `calls`: the id of a function, and whether each invocation comes there. */
#define SPIRV_CALL_CERTAIN (1u << 31)

/* Adds places that an access is at to others. */
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

/* Notes that an image is sampled with this sampler (of `use`, or a total of uses). */
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
    uint32_t first_call, call_count; /* in `calls` */
    uint32_t uses;                   /* enum spirv_uses */
};

struct spirv_build {
    const struct spirv_module *module;
    bool failed;                  /* memory was out */
    uint32_t *type_index;         /* per id, SPIRV_NONE: no type */
    uint32_t *variable_index;     /* per id */
    uint32_t *decoration_index;   /* per id, first of a list */
    uint32_t *name_instruction;   /* per id, its OpName */
    struct spirv_origin *origins; /* per id */
    uint8_t *numbers;             /* per id: reflect_numbers.c */
    struct spirv_list capabilities, extensions, types, members, constants, modes, interfaces,
        bindings, shared, entries, text;
    struct spirv_list decorations, variables, functions, uses, calls;
    uint32_t addressing_model, memory_model;
    uint32_t workgroup_size_object;
    /* steps taken that are not bounded by the module's length alone; see SPIRV_WORK_MOST */
    uint64_t work;
};

/* The most steps that are taken for a module. One may be made to be slow, with many entry points
 * that all reach many functions. */
#define SPIRV_WORK_MOST (1u << 24)

/* --- reflect_build.c --- */

/* A new zeroed element at the end, or NULL (and `failed`). */
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

/* Offset in `text` of a copy. */
uint32_t spirv_text_add(struct spirv_build *build, const char *text);
/* Offset in `text` of the id's OpName; 0 without. */
uint32_t spirv_name_of(struct spirv_build *build, uint32_t id);

void spirv_decorations_clear(struct spirv_decorations *decorations);
void spirv_decoration_apply(struct spirv_decorations *decorations, uint32_t kind, uint32_t value);
/* Reads the decorations of the id itself, not of its members. */
void spirv_decorations_read(const struct spirv_build *build, uint32_t id,
                            struct spirv_decorations *decorations);
/* The type that `id` names, or NULL. */
static inline struct spirv_type *spirv_build_type(const struct spirv_build *build, uint32_t index)
{
    return LIST_AT(build, types, index, struct spirv_type);
}
/* The value of an integer constant by its default; false when unknown. */
bool spirv_default_value(const struct spirv_build *build, uint32_t id, uint64_t *value);

/* The value of an index that is a constant. False: only specialization, or the running shader,
 * tells. */
bool spirv_constant_index(const struct spirv_build *build, uint32_t id, uint64_t *value);

/* --- the steps --- */

/* reflect_types.c: types, members, constants, global variables, in one walk. */
void spirv_build_types(struct spirv_build *build);
/* reflect_uses.c: what each function does with the global variables. */
void spirv_build_functions(struct spirv_build *build);
/* reflect_numbers.c: which values are the number of the invocation. The global variable has the
 * decoration BuiltIn. */
void spirv_numbers_builtin(struct spirv_build *build, uint32_t variable, uint32_t builtin);
/* Called for each instruction of a function, in order. `certain`: each invocation that enters the
 * function comes to it. */
void spirv_numbers_read(struct spirv_build *build, const struct spirv_instruction *instruction,
                        bool certain);
/* enum spirv_number, of a value */
uint8_t spirv_invocation_number(const struct spirv_build *build, uint32_t id);
/* True of coordinates that are GlobalInvocationId, its x and y, or its x. */
bool spirv_is_invocation_place(const struct spirv_build *build, uint32_t id);
/* reflect_spans.c: which bytes of a buffer's block are accessed. `origin` is that of a pointer. */
/* Begins with a pointer that is the variable itself. */
void spirv_spans_begin(const struct spirv_build *build, const struct spirv_variable *variable,
                       struct spirv_origin *origin);
/* An access chain goes on from it by these indices. */
void spirv_spans_follow(const struct spirv_build *build, struct spirv_origin *origin,
                        const uint32_t *indices, uint32_t count);
/* Notes that each invocation accesses the bytes that the pointer points to. `access`: enum
 * spirv_access. */
void spirv_spans_note(const struct spirv_build *build, struct spirv_spans *spans,
                      const struct spirv_origin *origin, uint32_t access);
/* Adds what a function accesses that each invocation calls. */
void spirv_spans_add(struct spirv_spans *total, const struct spirv_spans *spans);
/* reflect_entries.c: entry points with their interfaces and bindings. */
void spirv_build_entries(struct spirv_build *build);

#endif
