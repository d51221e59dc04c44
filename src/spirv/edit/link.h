/* Functions of a library module, brought into a module under change. They come with all that they
 * need (types, constants, global variables, decorations, other functions), each thing once, and
 * nothing else. The library is made by glslang with --no-link: its functions are exported by name
 * (LinkageAttributes), which is how they are found here. What is added at once: capabilities and
 * extensions (with the first function), types, constants, variables (in the interface of the entry
 * points). Lines, non-semantic instructions and names of all but functions and structs are left
 * out. A library without decoration groups, as every compiler of today makes it.
 * Threads: that which makes the module; nothing is shared. */
#ifndef ASSAY_SPIRV_LINK_H
#define ASSAY_SPIRV_LINK_H

#include "spirv/edit/edit.h"

/* Emits what a call of a function without parameters would give, to the edit's functions; gives its
 * id. */
typedef uint32_t spirv_inline_emit(void *context);
#define SPIRV_INLINES 12
#define SPIRV_ALIASES 2

/* One library in one edit. */
struct spirv_link {
    struct spirv_edit *edit;
    const struct spirv_module *library;
    /* owned; per id of the library its id in the edit, 0: not there yet; two bits above all ids are
     * link.c's own */
    uint32_t *map;
    /* functions that were asked for: they come after the functions of the module */
    struct spirv_buffer bodies;
    uint32_t first_function; /* of the library: index of an instruction */
    /* owned with `map`; per id its first name or decoration: index of an instruction, or SPIRV_NONE
     */
    uint32_t *annotations;
    /* owned with `map`; per instruction before the functions the next of the same id */
    uint32_t *next_annotation;
    struct spirv_buffer exports;   /* OpDecorate LinkageAttributes: indices of instructions */
    struct spirv_buffer wanted;    /* ids whose needs are not known yet */
    struct spirv_buffer functions; /* ids of functions whose bodies come next */
    struct spirv_buffer scratch;
    struct {
        /* ids of functions of the library: a call of the first becomes one of the second */
        uint32_t from, to;
    } aliases[SPIRV_ALIASES];
    uint32_t alias_count;
    struct spirv_inline {
        uint32_t function;
        spirv_inline_emit *emit;
        void *context;
    } inlines[SPIRV_INLINES];
    uint32_t inline_count;
    bool begun; /* the library's capabilities are in the edit */
};

/* False: memory is out, or this is not a library. spirv_link_end is called after true, also where
 * the edit is abandoned (before that). */
bool spirv_link_begin(struct spirv_link *link, struct spirv_edit *edit,
                      const struct spirv_module *library) MUST_CHECK;
/* The id of the library's function `name` in the edit; may be asked for while a function of the
 * module is under way. 0 when there is none of that name (a mistake of ours) or memory is out. */
uint32_t spirv_link_function(struct spirv_link *link, const char *name);
/* Instead of the library's body of `name`, the edit has `function` (of the same type), which the
 * caller defines. Before anything that calls it is linked. */
void spirv_link_replace(struct spirv_link *link, const char *name, uint32_t function);
/* Instead of each call of `name` in the library, the edit has what `emit` emits. Likewise before
 * anything that calls it is linked; no more than SPIRV_INLINES. */
void spirv_link_inline(struct spirv_link *link, const char *name, spirv_inline_emit *emit,
                       void *context);
/* Calls of `name` become calls of `other` of the library, which is of the same type. Likewise
 * before anything that calls it is linked; no more than SPIRV_ALIASES. */
void spirv_link_alias(struct spirv_link *link, const char *name, const char *other);
/* Appends the bodies after the last function of the module. Frees what the link has. */
void spirv_link_end(struct spirv_link *link);

#endif
