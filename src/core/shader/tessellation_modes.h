/* Lists the execution modes that both tessellation shaders may declare, and must agree on. Threads:
 * any; what it declares is const. */
#ifndef ASSAY_CORE_TESSELLATION_MODES_H
#define ASSAY_CORE_TESSELLATION_MODES_H

#include "spirv/module/reflect.h"

#include <spirv/unified1/spirv.h>

/* Execution modes that exclude each other: a stage has at most one of them. */
struct tessellation_choice {
    const char *what;
    uint32_t modes[3], count;
};
enum { TESSELLATION_SUBDIVISION, TESSELLATION_ORIENTATION, TESSELLATION_SPACING };
static const struct tessellation_choice tessellation_choices[] = {
    {"the type of subdivision (Triangles, Quads or Isolines)",
     {SpvExecutionModeTriangles, SpvExecutionModeQuads, SpvExecutionModeIsolines},
     3},
    {"the orientation of triangles (VertexOrderCw or VertexOrderCcw)",
     {SpvExecutionModeVertexOrderCw, SpvExecutionModeVertexOrderCcw},
     2},
    {"the spacing of segments (SpacingEqual, SpacingFractionalEven or SpacingFractionalOdd)",
     {SpvExecutionModeSpacingEqual, SpvExecutionModeSpacingFractionalEven,
      SpvExecutionModeSpacingFractionalOdd},
     3},
};

/* The mode of the choice that the entry point has, or UINT32_MAX if it has none. */
static inline uint32_t tessellation_mode(const struct tessellation_choice *choice,
                                         const struct spirv_reflection *code,
                                         const struct spirv_entry_point *entry)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        if (spirv_mode_find(code, entry, choice->modes[i]))
            return choice->modes[i];
    }
    return UINT32_MAX;
}

#endif
