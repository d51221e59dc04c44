/* Writes a place in a shader's source as JSON, which tools show beside a finding. Knows no Vulkan.
 * Threads: any; the module is const. */
#ifndef ASSAY_SPIRV_SOURCE_JSON_H
#define ASSAY_SPIRV_SOURCE_JSON_H

#include "base/string_builder.h"
#include "spirv/module/source.h"

/* Adds the members "function", "file", "line", "column", "text", "firstLine", "lines" and "calls"
 * to an open object, as far as the module's debug information has them (docs/json.md, "shader").
 * `around` is the number of lines before and after, 8 at most; 0: no source text is read or
 * added. */
void spirv_source_write_json(struct string_builder *json, const struct spirv_module *module,
                             uint32_t instruction, uint32_t around);

#endif
