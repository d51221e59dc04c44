/* Finds the line of the program's own source that an instruction comes from. It reads
 * OpLine/OpNoLine/OpSource/OpSourceContinued/OpString, with `#line` directives in the source text
 * as compilers leave them. Or it reads NonSemantic.Shader.DebugInfo.* (DebugLine, DebugNoLine,
 * DebugSource, DebugSourceContinued, DebugFunction, DebugScope, DebugInlinedAt). Of
 * OpenCL.DebugInfo.100, which older compilers wrote for shaders, it reads what is the same. Knows
 * no Vulkan. */
#ifndef ASSAY_SPIRV_SOURCE_H
#define ASSAY_SPIRV_SOURCE_H

#include "spirv/module/module.h"

/* The longest line of source that is given, in bytes: minified programs have all code on one
 * line. */
#define SPIRV_SOURCE_LINE_MOST 1024
/* Calls that are remembered of an instruction that was inlined through more. */
#define SPIRV_SOURCE_CALLS_MOST 4

/* Where a function was called that the compiler has inlined. */
struct spirv_source_call {
    const char *file;         /* "" when the module does not say */
    uint32_t line;            /* 0: unknown */
    const char *function;     /* which calls; "" without a name */
    uint32_t function_length; /* of its name without what glslang adds of the parameters: "pick" of
                                 "pick(u1;" */
};

struct spirv_source_line {
    const char *file; /* "" when the module does not say (compiled from memory); belongs to the
                         module's words */
    uint32_t line;    /* 0: there is no line information for the instruction */
    uint32_t column;  /* 0: unknown */
    /* owned (mem_free): the line of source, without blanks at its end and line break; NULL when the
     * source is not in the module */
    char *text;
    /* name of the function that has the instruction (DebugFunction's, else OpName's); "" if
     * there is no name */
    const char *function;
    uint32_t function_length; /* as above: print it with %.*s */
    uint32_t call_count;      /* 0: it was not inlined, or nothing is known of that */
    /* the innermost first: the call of `function` */
    struct spirv_source_call calls[SPIRV_SOURCE_CALLS_MOST];
};

/* Finds the source of the instruction with this index in the module (struct
 * spirv_module.instructions). False when nothing is known of it; `found` is then empty. True
 * without a line (0) where only the function is known. Takes time linear in the module's words.
 * Threads: any. */
bool spirv_source_find(const struct spirv_module *module, uint32_t instruction,
                       struct spirv_source_line *found) MUST_CHECK;
void spirv_source_line_free(struct spirv_source_line *found);
/* The same without the text of the line. The cost is that of the function's instructions and of the
 * names. */
bool spirv_source_place(const struct spirv_module *module, uint32_t instruction,
                        struct spirv_source_line *found) MUST_CHECK;
/* The text of another line of the file, owned (mem_free). NULL where the sources of the module do
 * not surely have it. */
char *spirv_source_copy_line(const struct spirv_module *module, const char *file, uint32_t line);

/* One line of a source text: the file and the line that a compiler would give it, by the `#line`
 * directives in it. Tested on its own. Gives a pointer into `source` and the length, or NULL. */
const char *spirv_source_text_line(const char *source, const char *file, uint32_t line,
                                   size_t *length);

/* How sure it is that the line found is the one looked for; the better of two texts wins. */
enum spirv_source_match {
    SPIRV_SOURCE_NO_MATCH,
    /* counted on from a directive past another one, which the compiler must have skipped */
    SPIRV_SOURCE_COUNTED,
    SPIRV_SOURCE_UNNAMED,  /* the number is right, but one of the two does not name a file */
    SPIRV_SOURCE_SAME_END, /* one file name is the end of the other: "inc/a.h", "/home/me/inc/a.h"
                            */
    SPIRV_SOURCE_SAME_FILE,
};
/* Finds a line in a text that need not be terminated. `own_file` (NULL or "": unknown) is the file
 * before the first directive that names a file. */
const char *spirv_source_text_find(const char *source, size_t source_length, const char *own_file,
                                   const char *file, uint32_t line, size_t *length,
                                   enum spirv_source_match *match);

#endif
