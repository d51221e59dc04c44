/* A module under change: what was parsed is copied section by section (2.4 "Logical Layout of a Module"), with what is added in between. Knows no Vulkan.
 * The same input and the same calls give the same words: new ids are counted up from the module's bound.
 *
 *     struct spirv_edit edit;
 *     if (!spirv_edit_begin(&edit, &module)) ...            all sections in front of the functions are in the edit now, the functions are not
 *     for each instruction of the function section, in order:
 *         uint32_t zero = spirv_edit_constant_u32(&edit, 0); types, constants, decorations, ... may be added at any time
 *         spirv_edit_emit(&edit, SpvOpIAdd, type, result, a, b) ...  to the body, in front of
 *         spirv_edit_copy(&edit, instruction);                       the module's own
 *     words = spirv_edit_end(&edit, &word_count);            mem_free() when done
 *
 * Memory: when it is out, `failed` is set, everything that follows does nothing (ids given are 0), and spirv_edit_end gives NULL: nobody needs to look before that.
 * Threads: the caller's own. */
#ifndef ASSAY_SPIRV_EDIT_H
#define ASSAY_SPIRV_EDIT_H

#include "spirv/module.h"

struct spirv_buffer {
    uint32_t *words;
    uint32_t count, capacity;
};

enum spirv_section {
    SPIRV_SECTION_CAPABILITIES,
    SPIRV_SECTION_EXTENSIONS,
    SPIRV_SECTION_IMPORTS,
    SPIRV_SECTION_MEMORY_MODEL,
    SPIRV_SECTION_ENTRY_POINTS,
    SPIRV_SECTION_EXECUTION_MODES,
    SPIRV_SECTION_SOURCES, /* OpString, OpSource..., OpSourceExtension */
    SPIRV_SECTION_NAMES,   /* OpName, OpMemberName */
    SPIRV_SECTION_PROCESSED,
    SPIRV_SECTION_ANNOTATIONS,
    SPIRV_SECTION_GLOBALS, /* types, constants, global variables, OpUndef, non-semantic instructions and lines among them */
    SPIRV_SECTION_FUNCTIONS,
    SPIRV_SECTION_COUNT
};

struct spirv_edit {
    const struct spirv_module *module;
    struct spirv_buffer sections[SPIRV_SECTION_COUNT];
    uint32_t bound;
    bool failed;
    struct spirv_edit_memo *memo; /* edit.c: types and constants by content, so that none is there twice */
};

bool spirv_edit_begin(struct spirv_edit *edit, const struct spirv_module *module) MUST_CHECK;
/* The finished module, owned by the caller (mem_free), or NULL when memory was out. Frees the edit in either case. */
uint32_t *spirv_edit_end(struct spirv_edit *edit, uint32_t *word_count) MUST_CHECK;
void spirv_edit_abandon(struct spirv_edit *edit); /* instead of spirv_edit_end */

static inline uint32_t spirv_edit_id(struct spirv_edit *edit)
{
    return edit->bound++;
}

/* Appends an instruction; `operands` without the first word. */
void spirv_edit_add(struct spirv_edit *edit, enum spirv_section section, SpvOp opcode, const uint32_t *operands,
                    uint32_t count);
#define spirv_edit_emit_to(edit_, section_, opcode_, ...)                              \
    spirv_edit_add((edit_), (section_), (opcode_), (const uint32_t[]){__VA_ARGS__},    \
                   (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))
/* To the function section. */
#define spirv_edit_emit(edit_, opcode_, ...) \
    spirv_edit_emit_to((edit_), SPIRV_SECTION_FUNCTIONS, (opcode_), __VA_ARGS__)
/* The module's own instruction, unchanged, to the function section. */
void spirv_edit_copy(struct spirv_edit *edit, const struct spirv_instruction *instruction);

/* There once, however often asked for. */
void spirv_edit_capability(struct spirv_edit *edit, SpvCapability capability);
bool spirv_edit_has_capability(const struct spirv_edit *edit, SpvCapability capability);
void spirv_edit_extension(struct spirv_edit *edit, const char *name);
uint32_t spirv_edit_import(struct spirv_edit *edit, const char *name); /* of extended instructions: "GLSL.std.450" */
void spirv_edit_name(struct spirv_edit *edit, uint32_t id, const char *name);
#define spirv_edit_decorate(edit_, ...) \
    spirv_edit_emit_to((edit_), SPIRV_SECTION_ANNOTATIONS, SpvOpDecorate, __VA_ARGS__)

/* The id of the type or constant with these operands (without the result), which is looked for in the module first. Not for what must not be shared: structs and
 * arrays are types that decorations tell apart (2.8 "Types and Variables"): new ones are made with spirv_edit_emit_to. */
uint32_t spirv_edit_type(struct spirv_edit *edit, SpvOp opcode, const uint32_t *operands, uint32_t count);
uint32_t spirv_edit_type_void(struct spirv_edit *edit);
uint32_t spirv_edit_type_bool(struct spirv_edit *edit);
uint32_t spirv_edit_type_u32(struct spirv_edit *edit);
uint32_t spirv_edit_type_int(struct spirv_edit *edit, uint32_t width, bool is_signed);
uint32_t spirv_edit_type_float(struct spirv_edit *edit, uint32_t width);
uint32_t spirv_edit_type_vector(struct spirv_edit *edit, uint32_t component, uint32_t count);
uint32_t spirv_edit_type_pointer(struct spirv_edit *edit, SpvStorageClass storage, uint32_t pointee);
uint32_t spirv_edit_type_function(struct spirv_edit *edit, uint32_t returns, const uint32_t *parameters, uint32_t count);
uint32_t spirv_edit_constant(struct spirv_edit *edit, SpvOp opcode, uint32_t type, const uint32_t *operands,
                             uint32_t count);
uint32_t spirv_edit_constant_u32(struct spirv_edit *edit, uint32_t value);
uint32_t spirv_edit_constant_bool(struct spirv_edit *edit, bool value);
uint32_t spirv_edit_constant_null(struct spirv_edit *edit, uint32_t type);

/* Entry points: drops all but the one (its modes stay, those of the others go), and adds an interface variable to that one (once). */
void spirv_edit_keep_entry(struct spirv_edit *edit, uint32_t function, SpvExecutionModel model, const char *name);
void spirv_edit_interface(struct spirv_edit *edit, uint32_t variable);

#endif
