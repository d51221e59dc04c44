/* Text of SPIR-V, as spirv-dis writes it, made a module. */
#ifndef ASSAY_TOOL_ASSEMBLE_H
#define ASSAY_TOOL_ASSEMBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True if these bytes could be text rather than a module. */
bool assemble_is_text(const void *bytes, size_t length);

/* Assembles the text with the helper library that lies beside the layer's `library`. The module is
 * of the version that a comment "; Version: 1.N" names, as spirv-dis writes it, and otherwise of
 * `minor`. `*words` receives the module, which the caller frees, and `*size` its bytes. False: it
 * could not be done, which is reported; `path` is named then. */
bool assemble_text(const char *library, const char *path, const char *text, size_t length,
                   unsigned minor, uint32_t **words, size_t *size);

#endif
