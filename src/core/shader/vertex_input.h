/* Compares the format of a vertex attribute with the variable that reads it ("Vertex Input
 * Extraction"). Threads: any; nothing is stored. */
#ifndef ASSAY_CORE_VERTEX_INPUT_H
#define ASSAY_CORE_VERTEX_INPUT_H

#include "spirv/module/reflect.h"
#include "state/memory/formats.h"

/* The number of rows of locations that the variable takes, and the number of locations of each
 * row. */
static inline uint32_t vertex_input_rows(const struct spirv_interface *leaf)
{
    return (leaf->elements ? leaf->elements : 1) * leaf->columns;
}

static inline uint32_t vertex_input_step(const struct spirv_interface *leaf)
{
    return leaf->width == 64 && leaf->components > 2 ? 2 : 1;
}

/* The enum spirv_numeric of a vertex format. */
static inline uint8_t format_spirv_numeric(const struct format_info *format)
{
    return format->numeric == FORMAT_NUMERIC_SINT   ? SPIRV_NUMERIC_SINT
           : format->numeric == FORMAT_NUMERIC_UINT ? SPIRV_NUMERIC_UINT
                                                    : SPIRV_NUMERIC_FLOAT;
}

/* The number of components of the location that a 64-bit variable uses, up to the last one that is
 * certainly used. */
static inline uint32_t vertex_used_components(const struct spirv_interface *leaf)
{
    return leaf->used_components
               ? leaf->component / 2 + 32u - (uint32_t)__builtin_clz(leaf->used_components)
               : 0;
}

/* True if a 64-bit variable uses components that a 64-bit format does not have. */
static inline bool vertex_lacks_components(const struct format_info *format,
                                           const struct spirv_interface *leaf)
{
    return vertex_used_components(leaf) > format->component_count;
}

#endif
