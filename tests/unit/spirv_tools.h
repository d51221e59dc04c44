/* Tests of edited modules ask this of SPIRV-Tools: words of an assembler's text, and whether its
 * validator accepts words. */
#ifndef ASSAY_TESTS_UNIT_SPIRV_TOOLS_H
#define ASSAY_TESTS_UNIT_SPIRV_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "spirv/module/module.h"

struct words {
    uint32_t *data;
    size_t count;
};

static inline struct words read_words(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    struct words words = {.count = (size_t)ftell(file) / sizeof(uint32_t)};
    words.data = malloc(words.count * sizeof(uint32_t));
    assert_non_null(words.data);
    rewind(file);
    assert_int_equal(fread(words.data, sizeof(uint32_t), words.count, file), words.count);
    (void)fclose(file);
    return words;
}

/* Ids keep their numbers: %5 is 5. */
static inline struct words assemble_text(spv_target_env environment, const char *text)
{
    spv_context context = spvContextCreate(environment);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinaryWithOptions(context, text, strlen(text),
                                   SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
                                   &diagnostic) != SPV_SUCCESS)
        fail_msg("line %zu: %s", diagnostic->position.line + 1, diagnostic->error);
    struct words words = {.data = malloc(binary->wordCount * sizeof(uint32_t)),
                          .count = binary->wordCount};
    assert_non_null(words.data);
    memcpy(words.data, binary->code, words.count * sizeof(uint32_t));
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
    return words;
}

static inline char *disassemble_words(const uint32_t *data, size_t count)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    if (spvBinaryToText(context, data, count,
                        SPV_BINARY_TO_TEXT_OPTION_NO_HEADER |
                            SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
                        &text, NULL) != SPV_SUCCESS)
        fail_msg("is no module");
    char *copy = malloc(text->length + 1);
    assert_non_null(copy);
    memcpy(copy, text->str, text->length);
    copy[text->length] = '\0';
    spvTextDestroy(text);
    spvContextDestroy(context);
    return copy;
}

/* Fails with what the validator says, and the module's text. */
static inline void expect_valid(spv_target_env environment, const uint32_t *data, size_t count)
{
    spv_context context = spvContextCreate(environment);
    spv_const_binary_t binary = {data, count};
    spv_diagnostic diagnostic = NULL;
    if (spvValidate(context, &binary, &diagnostic) != SPV_SUCCESS) {
        char *text = disassemble_words(data, count);
        (void)fprintf(stderr, "%s\n", text);
        fail_msg("the validator: %s", diagnostic->error);
    }
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
}

/* How often `part` stands in the module's text. */
static inline int occurrences_of(const uint32_t *data, size_t count, const char *part)
{
    char *text = disassemble_words(data, count);
    int found = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        found++;
    free(text);
    return found;
}

static inline struct spirv_module parse_words(struct words words)
{
    struct spirv_module module;
    struct spirv_error error;
    if (!spirv_module_parse(&module, words.data, words.count, &error))
        fail_msg("%s, word %u", error.text, error.word);
    return module;
}

#endif
