/* Links functions of a library module into a module that is being edited. Everything that they need
 * (types, constants, global variables, decorations, other functions) is added with them, once. The
 * library is made by glslang with --no-link: its functions are exported, and found here, by name
 * (LinkageAttributes).
 *
 * Capabilities and extensions are added with the first function. Types, constants and variables are
 * added at once; the variables also to the interface of the entry points. Lines, non-semantic
 * instructions, and all names but those of functions and structs are left out. The library must not
 * have decoration groups; compilers do not make them. Threads: the thread that edits the module;
 * nothing is shared. */
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
    /* owned; for each id of the library its id in the edit; 0: it was not added yet. link.c uses
     * two bits above all ids */
    uint32_t *map;
    /* requested functions, which come after the functions of the module */
    struct spirv_buffer bodies;
    uint32_t first_function; /* index of the library's first instruction of a function */
    /* owned with `map`; for each id the index of the instruction with its first name or decoration;
     * SPIRV_NONE: there is none */
    uint32_t *annotations;
    /* owned with `map`; for each such instruction the index of the next one for the same id;
     * SPIRV_NONE: there is none */
    uint32_t *next_annotation;
    struct spirv_buffer exports;   /* OpDecorate LinkageAttributes: indices of instructions */
    struct spirv_buffer wanted;    /* needed ids whose own needs were not looked at yet */
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

/* Begins to link a library. Returns false if memory is out, `library` is not a library, or the
 * module has graphs, after which no functions may stand. After
 * true, spirv_link_end() must be called, also before an edit is abandoned. */
bool spirv_link_begin(struct spirv_link *link, struct spirv_edit *edit,
                      const struct spirv_module *library) MUST_CHECK;
/* Returns the id of the library's function `name` in the edit; it may be called while a function of
 * the module is being written. 0: there is no such function (an error of the layer), or memory is
 * out. */
uint32_t spirv_link_function(struct spirv_link *link, const char *name);
/* Replaces the library's function `name` by `function` of the edit, which has the same type and
 * which the caller defines. To be called before any function that calls it is linked. */
void spirv_link_replace(struct spirv_link *link, const char *name, uint32_t function);
/* Replaces each call of `name` in the library by the code that `emit` emits. To be called before
 * any function that calls it is linked, at most SPIRV_INLINES times. */
void spirv_link_inline(struct spirv_link *link, const char *name, spirv_inline_emit *emit,
                       void *context);
/* Replaces calls of `name` by calls of `other`, a function of the library with the same type. To be
 * called before any function that calls it is linked, at most SPIRV_ALIASES times. */
void spirv_link_alias(struct spirv_link *link, const char *name, const char *other);
/* Appends the bodies after the last function of the module. Frees the link's data. */
void spirv_link_end(struct spirv_link *link);

#endif
