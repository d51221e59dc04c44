/* Edits a module: the parsed module is copied section by section (2.4 "Logical Layout of a
 * Module"), and instructions are added. It does not depend on Vulkan. The same input and the same
 * calls give the same words: new ids are counted up from the module's bound.
 *
 *     struct spirv_edit edit;
 *     if (!spirv_edit_begin(&edit, &module)) ...
 *     // The edit now has all sections before the functions, but not the functions.
 *     // For each instruction of the function section, in order:
 *     uint32_t zero = spirv_edit_constant_u32(&edit, 0); // types, constants, ... at any time
 *     spirv_edit_emit(&edit, SpvOpIAdd, type, result, a, b); // a new instruction, before
 *     spirv_edit_copy(&edit, instruction);                   // the module's own
 *     words = spirv_edit_end(&edit, &word_count);            // mem_free() when done
 *
 * If memory is out, `failed` is set. Later calls then do nothing and return id 0, and
 * spirv_edit_end() returns NULL, so that the caller need not test before that. Threads: an edit
 * belongs to the thread that made it. */
#ifndef ASSAY_SPIRV_EDIT_H
#define ASSAY_SPIRV_EDIT_H

#include "spirv/module/module.h"

#include <spirv/unified1/spirv.h>

/* A zeroed buffer is empty. Its owner frees `words` (mem_free). */
struct spirv_buffer {
    uint32_t *words;
    uint32_t count, capacity;
};

/* Returns room for `count` (at least one) more words at the end, or NULL if memory is out. */
uint32_t *spirv_buffer_extend(struct spirv_buffer *buffer, uint32_t count) MUST_CHECK;

static inline uint32_t spirv_word_length(uint32_t first_word)
{
    return first_word >> SpvWordCountShift;
}

static inline uint32_t spirv_word_opcode(uint32_t first_word)
{
    return first_word & SpvOpCodeMask;
}

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
    /* types, constants, global variables and OpUndef, with the non-semantic instructions and lines
     * among them */
    SPIRV_SECTION_GLOBALS,
    SPIRV_SECTION_FUNCTIONS,
    SPIRV_SECTION_COUNT
};

struct spirv_edit {
    const struct spirv_module *module;
    struct spirv_buffer sections[SPIRV_SECTION_COUNT];
    uint32_t bound;
    /* index of the first instruction of the module's function section; instruction_count if the
     * module has none */
    uint32_t first_function;
    uint32_t own_globals; /* words of the section of globals that come from the module */
    bool failed;
    /* owned; finds types and constants by content, so that none is made twice (edit_memo.c); NULL:
     * no search so far */
    struct spirv_edit_memo *memo;
};

bool spirv_edit_begin(struct spirv_edit *edit, const struct spirv_module *module) MUST_CHECK;
/* Returns the finished module, owned by the caller (mem_free). NULL: memory was out, or a limit of
 * SPIR-V was exceeded (ids 4,194,303, instructions 65,535 words). Frees the edit in either case.
 * The words are in the host's byte order, like those of struct spirv_module. */
uint32_t *spirv_edit_end(struct spirv_edit *edit, uint32_t *word_count) MUST_CHECK;
void spirv_edit_abandon(struct spirv_edit *edit); /* instead of spirv_edit_end */

static inline uint32_t spirv_edit_id(struct spirv_edit *edit)
{
    return edit->bound++;
}

/* Appends an instruction; `operands` does not include the first word. */
void spirv_edit_add(struct spirv_edit *edit, enum spirv_section section, SpvOp opcode,
                    const uint32_t *operands, uint32_t count);
#define spirv_edit_emit_to(edit_, section_, opcode_, ...)                           \
    spirv_edit_add((edit_), (section_), (opcode_), (const uint32_t[]){__VA_ARGS__}, \
                   (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))
/* Appends an instruction of `length` words. The caller must write all of them but the first before
 * any other call. Returns NULL if the edit has failed. */
uint32_t *spirv_edit_extend(struct spirv_edit *edit, enum spirv_section section, SpvOp opcode,
                            uint32_t length);
/* Emits an instruction to the function section. */
#define spirv_edit_emit(edit_, opcode_, ...) \
    spirv_edit_emit_to((edit_), SPIRV_SECTION_FUNCTIONS, (opcode_), __VA_ARGS__)
/* Copies an instruction of the module, unchanged, to the function section. */
void spirv_edit_copy(struct spirv_edit *edit, const struct spirv_instruction *instruction);
/* Copies the instructions with indices [first, end) at once, for a part that does not change. */
void spirv_edit_copy_run(struct spirv_edit *edit, uint32_t first, uint32_t end);

/* Adds a capability, unless the module has it. */
void spirv_edit_capability(struct spirv_edit *edit, SpvCapability capability);
bool spirv_edit_has_capability(const struct spirv_edit *edit, SpvCapability capability);
void spirv_edit_extension(struct spirv_edit *edit, const char *name);
uint32_t spirv_edit_import(struct spirv_edit *edit,
                           /* a set of extended instructions, such as "GLSL.std.450" */
                           const char *name);
void spirv_edit_name(struct spirv_edit *edit, uint32_t id, const char *name);
/* returns the id of a new OpString */
uint32_t spirv_edit_string(struct spirv_edit *edit, const char *text);
#define spirv_edit_decorate(edit_, ...) \
    spirv_edit_emit_to((edit_), SPIRV_SECTION_ANNOTATIONS, SpvOpDecorate, __VA_ARGS__)

/* These functions return the id of the type or constant with these operands (without the result).
 * They search the module and the additions first, and otherwise add it. Structs and arrays are
 * always new, as decorations distinguish them (2.8 "Types and Variables"), and so are
 * specialization constants. A pointer or constant that the module only has with decorations
 * (ArrayStride, BuiltIn) is added as well. The caller adds the capabilities that a type needs.
 * `operands` must not be words of the edit. */
uint32_t spirv_edit_type(struct spirv_edit *edit, SpvOp opcode, const uint32_t *operands,
                         uint32_t count);
uint32_t spirv_edit_type_void(struct spirv_edit *edit);
uint32_t spirv_edit_type_bool(struct spirv_edit *edit);
uint32_t spirv_edit_type_u32(struct spirv_edit *edit);
uint32_t spirv_edit_type_int(struct spirv_edit *edit, uint32_t width, bool is_signed);
uint32_t spirv_edit_type_float(struct spirv_edit *edit, uint32_t width);
uint32_t spirv_edit_type_vector(struct spirv_edit *edit, uint32_t component, uint32_t count);
uint32_t spirv_edit_type_pointer(struct spirv_edit *edit, SpvStorageClass storage,
                                 uint32_t pointee);
#define SPIRV_PARAMETERS_LIMIT 255u /* most parameters of a function (2.17 "Universal Limits") */
uint32_t spirv_edit_type_function(struct spirv_edit *edit, uint32_t returns,
                                  const uint32_t *parameters, uint32_t count);
uint32_t spirv_edit_constant(struct spirv_edit *edit, SpvOp opcode, uint32_t type,
                             const uint32_t *operands, uint32_t count);
uint32_t spirv_edit_constant_u32(struct spirv_edit *edit, uint32_t value);
uint32_t spirv_edit_constant_bool(struct spirv_edit *edit, bool value);
uint32_t spirv_edit_constant_null(struct spirv_edit *edit, uint32_t type);

/* Removes all entry points but one, and the execution modes of other functions. Names and functions
 * stay. */
void spirv_edit_keep_entry(struct spirv_edit *edit, uint32_t function, SpvExecutionModel model,
                           const char *name);
/* Notes that the remaining entry points use a global variable of the module or the edit. It is
 * added to their interfaces, once, if the module's version requires it. From 1.4 on that is for all
 * variables, before that for Input and Output. */
void spirv_edit_interface(struct spirv_edit *edit, uint32_t variable);

/* Forgets the positions of types and constants, because the section of globals was changed directly
 * (edit_memo.c). */
void spirv_edit_free_memo(struct spirv_edit *edit);

#endif
