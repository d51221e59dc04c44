/* A place in a shader's source as JSON: what tools show beside a finding. Knows no Vulkan.
 * Threads: any; the module is const. */
#ifndef ASSAY_SPIRV_SOURCE_JSON_H
#define ASSAY_SPIRV_SOURCE_JSON_H

#include "base/string_builder.h"
#include "spirv/module/source.h"

/* Adds the members "function", "file", "line", "column", "text", "firstLine", "lines" and "calls"
 * to an object that is open. It adds those that the module's debug information has (docs/json.md,
 * "shader"). `around`: so many lines before and after, 8 at most; 0: no text at all, which does not
 * read the module's sources. */
void spirv_source_write_json(struct string_builder *json, const struct spirv_module *module,
                             uint32_t instruction, uint32_t around);

#endif
