/* Finds the line of the shader's source that an instruction comes from. Knows no Vulkan. It reads
 * one of two kinds of debug information:
 * - OpLine, OpNoLine, OpSource, OpSourceContinued and OpString, with the `#line` directives that
 * compilers leave in the source text
 * - NonSemantic.Shader.DebugInfo.* (DebugLine, DebugNoLine, DebugSource, DebugSourceContinued,
 * DebugFunction, DebugScope, DebugInlinedAt), and the same parts of OpenCL.DebugInfo.100, which
 * older compilers wrote for shaders */
#ifndef ASSAY_SPIRV_SOURCE_H
#define ASSAY_SPIRV_SOURCE_H

#include "spirv/module/module.h"

/* The longest line of source that is returned, in bytes. Longer ones are cut, as minified shaders
 * have all code on one line. */
#define SPIRV_SOURCE_LINE_MOST 1024
/* The most inlined calls that are returned for an instruction. */
#define SPIRV_SOURCE_CALLS_MOST 4

/* A call that the compiler has inlined. */
struct spirv_source_call {
    const char *file;     /* "" when the module does not say */
    uint32_t line;        /* 0: unknown */
    const char *function; /* the function that contains the call; "" without a name */
    /* bytes of its name without the parameters that glslang adds: "pick" of "pick(u1;" */
    uint32_t function_length;
};

struct spirv_source_line {
    /* "" if the module does not say (compiled from memory); it belongs to the module's words */
    const char *file;
    uint32_t line;   /* 0: there is no line information for the instruction */
    uint32_t column; /* 0: unknown */
    /* owned (mem_free): the line of source without its line break and blanks before that; NULL: the
     * module does not have the source */
    char *text;
    /* name of the function that contains the instruction, by DebugFunction or else OpName; "": none
     */
    const char *function;
    uint32_t function_length; /* bytes without parameters, as above; print the name with %.*s */
    uint32_t call_count;      /* 0: it was not inlined, or the module does not say so */
    /* the innermost call, which is the call of `function`, comes first */
    struct spirv_source_call calls[SPIRV_SOURCE_CALLS_MOST];
};

/* Finds the source of the instruction with this index in spirv_module::instructions. Returns false
 * if nothing is known; `found` is empty then. If only the function is known, it returns true, and
 * the line is 0. Takes time linear in the module's words. Threads: any. */
bool spirv_source_find(const struct spirv_module *module, uint32_t instruction,
                       struct spirv_source_line *found) MUST_CHECK;
void spirv_source_line_free(struct spirv_source_line *found);
/* The same without the text of the line. It takes time linear in the function's instructions and
 * the module's names. */
bool spirv_source_place(const struct spirv_module *module, uint32_t instruction,
                        struct spirv_source_line *found) MUST_CHECK;
/* Returns a copy of another line of the file, which the caller frees (mem_free). NULL: no source of
 * the module has it with a sure match. */
char *spirv_source_copy_line(const struct spirv_module *module, const char *file, uint32_t line);

/* Finds the line of a source text to which a compiler would give this file and number, by the
 * `#line` directives in the text. Returns a pointer into `source` and the length; NULL: there is
 * none. Unit tests call it directly. */
const char *spirv_source_text_line(const char *source, const char *file, uint32_t line,
                                   size_t *length);

/* How sure it is that a line is the right one. Later values are better. */
enum spirv_source_match {
    SPIRV_SOURCE_NO_MATCH,
    /* The line was counted from a directive, past another directive that the compiler must have
     * skipped. */
    SPIRV_SOURCE_COUNTED,
    /* the line number matches, but the source or the debug information has no file name */
    SPIRV_SOURCE_UNNAMED,
    /* one file name is the end of the other, as "inc/a.h" and "/home/me/inc/a.h" */
    SPIRV_SOURCE_SAME_END,
    SPIRV_SOURCE_SAME_FILE,
};
/* Finds a line in a text that need not end with a zero, and says how sure the match is. `own_file`
 * is the file of the text before the first directive with a file name; NULL or "": unknown. */
const char *spirv_source_text_find(const char *source, size_t source_length, const char *own_file,
                                   const char *file, uint32_t line, size_t *length,
                                   enum spirv_source_match *match);

#endif
