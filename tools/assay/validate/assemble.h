/* Assembles SPIR-V text, as spirv-dis writes it, to a module. */
#ifndef ASSAY_TOOL_ASSEMBLE_H
#define ASSAY_TOOL_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if these bytes may be text and are not a module. */
bool assemble_is_text(const void *bytes, size_t length);

/* Assembles the text with the helper library, which is beside the layer's `library`. The module has
 * the version in a comment "; Version: 1.N", as spirv-dis writes it, otherwise 1.`minor`. `*words`
 * gets the module, which the caller frees, and `*size` its bytes. Returns false on failure, which
 * is reported with `path`. */
bool assemble_text(const char *library, const char *path, const char *text, size_t length,
                   unsigned minor, uint32_t **words, size_t *size);

#endif
