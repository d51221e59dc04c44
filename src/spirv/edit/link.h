/* Links functions of a library module into a module that is being edited. They come with all that
 * they need (types, constants, global variables, decorations, other functions), each once. The
 * library is made by glslang with --no-link: its functions are exported by name
 * (LinkageAttributes), which is how they are found here. Some parts are added at once: capabilities
 * and extensions (with the first function), types, constants, variables (in the interface of the
 * entry points). Lines, non-semantic instructions and names of all but functions and structs are
 * left out. The library must not have decoration groups; compilers do not make them.
 * Threads: that which makes the module; nothing is shared. */
#ifndef ASSAY_SPIRV_LINK_H
#define ASSAY_SPIRV_LINK_H

#include "spirv/edit/edit.h"

/* Emits code for the result of a function without parameters, to the edit's functions. Returns the
 * result's id. */
typedef uint32_t spirv_inline_emit(void *context);
#define SPIRV_INLINES 12
#define SPIRV_ALIASES 2

/* The state of linking one library into one edit. */
struct spirv_link {
    struct spirv_edit *edit;
    const struct spirv_module *library;
    /* owned; by id of the library its id in the edit, 0: not there yet; link.c uses two bits above
     * all ids */
    uint32_t *map;
    /* requested functions, which come after the functions of the module */
    struct spirv_buffer bodies;
    uint32_t first_function; /* index of the library's first instruction of a function */
    /* owned with `map`; by id the index of the instruction with its first name or decoration, or
     * SPIRV_NONE */
    uint32_t *annotations;
    /* Owned with `map`. Its index is an instruction before the functions, and its value is the next
     * instruction for the same id. */
    uint32_t *next_annotation;
    struct spirv_buffer exports;   /* OpDecorate LinkageAttributes: indices of instructions */
    struct spirv_buffer wanted;    /* ids whose needs are not known yet */
    struct spirv_buffer functions; /* ids of functions whose bodies come next */
    struct spirv_buffer scratch;
    struct {
        /* ids of functions of the library: calls of `from` become calls of `to` */
        uint32_t from, to;
    } aliases[SPIRV_ALIASES];
    uint32_t alias_count;
    struct spirv_inline {
        uint32_t function;
        spirv_inline_emit *emit;
        void *context;
    } inlines[SPIRV_INLINES];
    uint32_t inline_count;
    bool begun; /* the library's capabilities were added */
};

/* Returns false if memory is out, or this is not a library. After true, spirv_link_end() must be
 * called, also if the edit is abandoned (before that). */
bool spirv_link_begin(struct spirv_link *link, struct spirv_edit *edit,
                      const struct spirv_module *library) MUST_CHECK;
/* Returns the id of the library's function `name` in the edit; it may be called while a function of
 * the module is being written. 0: there is no such function (an error of the layer), or memory is
 * out. */
uint32_t spirv_link_function(struct spirv_link *link, const char *name);
/* Instead of the library's body of `name`, the edit has `function` (of the same type), which the
 * caller defines. Called before any function that calls it is linked. */
void spirv_link_replace(struct spirv_link *link, const char *name, uint32_t function);
/* Instead of each call of `name` in the library, the edit has what `emit` emits. Called before any
 * function that calls it is linked, at most SPIRV_INLINES times. */
void spirv_link_inline(struct spirv_link *link, const char *name, spirv_inline_emit *emit,
                       void *context);
/* Makes calls of `name` calls of `other` of the library, which has the same type. Called before any
 * function that calls it is linked, at most SPIRV_ALIASES times. */
void spirv_link_alias(struct spirv_link *link, const char *name, const char *other);
/* Appends the bodies after the last function of the module. Frees the link's data. */
void spirv_link_end(struct spirv_link *link);

#endif
