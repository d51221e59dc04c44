/* Which line of the program's own source does an instruction come from? From OpLine/OpNoLine/OpSource/OpSourceContinued/OpString, with `#line` directives in the source text as
 * compilers leave them, or from NonSemantic.Shader.DebugInfo.100 (DebugLine, DebugNoLine, DebugSource, DebugSourceContinued, DebugFunction, DebugScope). Knows no Vulkan. */
#ifndef ASSAY_SPIRV_SOURCE_H
#define ASSAY_SPIRV_SOURCE_H

#include "spirv/module.h"

struct spirv_source_line {
    const char *file;     /* "" when the module does not say (compiled from memory); belongs to the module's words */
    uint32_t line;        /* 0: there is no line information for the instruction */
    uint32_t column;      /* 0: unknown */
    char *text;           /* owned (mem_free): the line of source, without indentation at its end and line break; NULL when the source is not in the module */
    const char *function; /* name of the function that it is in (DebugFunction's, else OpName's), "" without */
};

/* Of the instruction with this index in the module (struct spirv_module.instructions). False when nothing is known of it; `found` is then empty. */
bool spirv_source_find(const struct spirv_module *module, uint32_t instruction, struct spirv_source_line *found) MUST_CHECK;
void spirv_source_line_free(struct spirv_source_line *found);

/* One line of a source text: the file and the line that a compiler would give it, by the `#line` directives in it (seed 000 "OpSource Processing"). Tested on its own.
 * Gives a pointer into `source` and the length, or NULL. */
const char *spirv_source_text_line(const char *source, const char *file, uint32_t line, size_t *length);

#endif
