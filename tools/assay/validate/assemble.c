/* Assembles SPIR-V text by the helper library. */
#include "assay/validate/assemble.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/command.h"
#include "spirv/helper/validate.h"

#define MINOR_MOST   6    /* latest minor version of SPIR-V */
#define MESSAGE_MOST 1024 /* bytes of the assembler's message */

bool assemble_is_text(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++) {
        if ((at[i] < 0x20 && !isspace(at[i])) || at[i] == 0x7f)
            return false;
    }
    return true;
}

/* Returns the minor version in the comments at the beginning of the text; `minor` if there is
 * none. */
static unsigned version_of(const char *text, size_t length, unsigned minor)
{
    static const char key[] = "; Version: 1.";
    const char *end = text + length;
    while (text < end && *text == ';') {
        size_t left = (size_t)(end - text);
        if (left > strlen(key) && !memcmp(text, key, strlen(key)) && text[strlen(key)] >= '0' &&
            text[strlen(key)] <= '0' + MINOR_MOST)
            return (unsigned)(text[strlen(key)] - '0');
        const char *line = memchr(text, '\n', left);
        text = line ? line + 1 : end;
    }
    return minor;
}

/* Loads the helper library, and returns its assembler; NULL: that failed, which is reported. It
 * stays loaded, as the layer uses it as well. */
static spirv_assemble_function find_assembler(const char *layer)
{
    char path[PATH_MAX + sizeof(SPIRV_HELPER_LIBRARY)];
    const char *end = strrchr(layer, '/');
    snprintf(path, sizeof(path), "%.*s" SPIRV_HELPER_LIBRARY, end ? (int)(end + 1 - layer) : 0,
             layer);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    spirv_assemble_function assemble = NULL;
    if (library)
        *(void **)&assemble = dlsym(library, SPIRV_HELPER_ASSEMBLE);
    if (!assemble)
        tell("%s: %s", path, dlerror());
    return assemble;
}

bool assemble_text(const char *library, const char *path, const char *text, size_t length,
                   unsigned minor, uint32_t **words, size_t *size)
{
    spirv_assemble_function assemble = find_assembler(library);
    char message[MESSAGE_MOST];
    struct spirv_text_place place;
    size_t count = length + 16; /* A module rarely has more words than its text has bytes. */
    *words = NULL;
    for (size_t capacity = 0; assemble && count > capacity;) {
        capacity = count;
        free(*words);
        *words = malloc(capacity * sizeof(**words));
        if (!*words) {
            tell("memory is out");
            return false;
        }
        int result = assemble(text, length, version_of(text, length, minor), *words, capacity,
                              &count, message, sizeof(message), &place);
        if (result == SPIRV_VALIDATE_BAD)
            tell("%s:%zu:%zu: %s", path, place.line, place.column, message);
        else if (result != SPIRV_VALIDATE_GOOD)
            tell("%s: it cannot be assembled: memory is out", path);
        if (result != SPIRV_VALIDATE_GOOD)
            return false;
        *size = count * sizeof(**words);
    }
    return assemble != NULL;
}
