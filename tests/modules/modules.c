/* Checks that each module that any test of the layer uses comes through edits as it was. What is
 * made of it must still be valid, if it was. modules [--every N] FILE...: modules, or headers with
 * arrays of their words, of which each Nth is looked at. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

#include "gpu/library_glsl450.h"
#include "gpu/library_vulkan.h"
#include "spirv/instrument/instrument.h"
#include "spirv/edit/link.h"
#include "spirv/module/reflect.h"

#define WORDS_LIMIT   (1u << 20)
#define BINDING_LIMIT 64u

static struct counts {
    uint32_t modules, unreadable, valid, instrumented, checks, failures;
} counts;

static uint32_t every = 1; /* module of a header is looked at */
static spv_validator_options options;
static struct spirv_module libraries[2]; /* for GLSL's memory model and Vulkan's */

/* Writes what the validator says against it into `text`; "" when it is good. */
static void validate_words(const uint32_t *words, size_t count, char *text, size_t size)
{
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_4);
    spv_const_binary_t binary = {words, count};
    spv_diagnostic diagnostic = NULL;
    text[0] = '\0';
    if (spvValidateWithOptions(context, options, &binary, &diagnostic) != SPV_SUCCESS)
        (void)snprintf(text, size, "%s", diagnostic ? diagnostic->error : "is refused");
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
}

/* Where we are, for readers of a failure. */
struct place {
    const char *file;
    uint32_t number; /* of the module in the file */
};

static void fail_step(const struct place *place, const char *step, const char *text,
                      const uint32_t *words, uint32_t count)
{
    const char *dump = getenv("ASSAY_TEST_DUMP"); /* a directory */
    counts.failures++;
    (void)printf("%s, module %u, %s: %s\n", place->file, place->number, step, text);
    if (!dump || !words)
        return;
    char path[4096];
    (void)snprintf(path, sizeof(path), "%s/%u.spv", dump, counts.failures);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    (void)fwrite(words, sizeof(*words), count, file);
    (void)fclose(file);
    (void)printf("  written to %s\n", path);
}

/* Expects that a good module was made. Frees the words. */
static void expect_good(const struct place *place, const char *step, uint32_t *words,
                        uint32_t count, bool was_valid)
{
    char text[2048] = "";
    struct spirv_module module;
    struct spirv_error error;
    if (!words) {
        fail_step(place, step, "nothing was made", NULL, 0);
        return;
    }
    if (!spirv_module_parse(&module, words, count, &error))
        fail_step(place, step, error.text, words, count);
    spirv_module_free(&module);
    if (was_valid)
        validate_words(words, count, text, sizeof(text));
    if (text[0])
        fail_step(place, step, text, words, count);
    mem_free(words);
}

static void check_identity(const struct place *place, const struct spirv_module *module)
{
    struct spirv_edit edit;
    uint32_t count = 0;
    uint32_t *words = NULL;
    if (spirv_edit_begin(&edit, module)) {
        for (uint32_t i = edit.first_function; i < module->instruction_count; i++)
            spirv_edit_copy(&edit, &module->instructions[i]);
        words = spirv_edit_end(&edit, &count);
    }
    if (!words || count != module->word_count ||
        memcmp(words, module->words, count * sizeof(*words)) != 0)
        fail_step(place, "written again", "is not the same", words, count);
    mem_free(words);
}

/* The name of what a library exports with an instruction, or NULL. */
static const char *export_of(const struct spirv_module *library,
                             const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(library, instruction);
    uint32_t taken;
    if (instruction->opcode != SpvOpDecorate || instruction->length < 5 ||
        words[2] != SpvDecorationLinkageAttributes)
        return NULL;
    return spirv_string(&words[3], instruction->length - 3u, &taken);
}

/* All that the layer's library has. */
static void check_link(const struct place *place, const struct spirv_module *module, bool was_valid)
{
    const struct spirv_module *library = &libraries[spirv_uses_vulkan_memory_model(module)];
    struct spirv_edit edit;
    struct spirv_link link;
    uint32_t count = 0;
    uint32_t *words = NULL;
    if (spirv_edit_begin(&edit, module)) {
        spirv_edit_copy_run(&edit, edit.first_function, module->instruction_count);
        if (spirv_link_begin(&link, &edit, library)) {
            for (uint32_t i = 0; i < library->instruction_count; i++) {
                const char *name = export_of(library, &library->instructions[i]);
                if (name && !spirv_link_function(&link, name))
                    fail_step(place, "linked", name, NULL, 0);
            }
            spirv_link_end(&link);
        }
        words = spirv_edit_end(&edit, &count);
    }
    expect_good(place, "linked", words, count, was_valid);
}

/* Makes the bindings that a layout for all that the entry point uses would have. */
static uint32_t make_bindings(const struct spirv_reflection *reflection,
                              const struct spirv_entry_point *entry,
                              struct spirv_instrument_binding *bindings)
{
    uint32_t count = entry->binding_count < BINDING_LIMIT ? entry->binding_count : BINDING_LIMIT;
    for (uint32_t i = 0; i < count; i++) {
        const struct spirv_binding *binding = &reflection->bindings[entry->first_binding + i];
        bindings[i] =
            (struct spirv_instrument_binding){.set = binding->set,
                                              .binding = binding->binding,
                                              .count = binding->count ? binding->count : 5,
                                              .first = 7 * i,
                                              .variable = !binding->count,
                                              .checked = true};
    }
    return count;
}

#define STEPS 8
static const char *const steps[STEPS] = {"instrumented",
                                         "instrumented, safe",
                                         "instrumented, specialized",
                                         "instrumented, safe, specialized",
                                         "instrumented, tells later",
                                         "instrumented, safe, tells later",
                                         "instrumented, specialized, tells later",
                                         "instrumented, safe, specialized, tells later"};

static void check_instrument(const struct place *place, const struct spirv_module *module,
                             bool was_valid)
{
    struct spirv_reflection *reflection = spirv_reflect(module, 1);
    if (!reflection) {
        fail_step(place, "reflected", "memory is out", NULL, 0);
        return;
    }
    for (uint32_t i = 0; i < reflection->entry_count * STEPS; i++) {
        const struct spirv_entry_point *entry = &reflection->entries[i / STEPS];
        struct spirv_instrument_binding bindings[BINDING_LIMIT];
        const struct spirv_instrument_info info = {
            .entry = &reflection->text[entry->name],
            .model = entry->model,
            .checks = UINT32_MAX,
            .safe = i & 1,
            .push_offset = i & 2 ? SPIRV_NONE : 248,
            .most_shared = 32768,
            .later_from = i & 4 ? 1 : 0,
            .later_accesses = i & 1,
            .library = &libraries[spirv_uses_vulkan_memory_model(module)],
            .bindings = bindings,
            .binding_count = make_bindings(reflection, entry, bindings),
        };
        struct spirv_instrumented result;
        if (!spirv_instrument(module, &info, &result))
            continue;
        counts.instrumented++;
        counts.checks += result.checks;
        expect_good(place, steps[i % STEPS], result.words, result.word_count, was_valid);
        mem_free(result.aborts);
        mem_free(result.sites);
    }
    mem_free(reflection);
}

static void check_module(const struct place *place, const uint32_t *words, uint32_t count)
{
    struct spirv_module module;
    struct spirv_error error;
    char text[2048];
    counts.modules++;
    if (!spirv_module_parse(&module, words, count, &error)) {
        counts.unreadable++;
        return;
    }
    validate_words(words, count, text, sizeof(text));
    bool valid = !text[0];
    counts.valid += valid;
    check_identity(place, &module);
    check_link(place, &module, valid);
    check_instrument(place, &module, valid);
    spirv_module_free(&module);
}

/* Arrays in a header, as compilers and tests/harness/assemble.py write them: each begins with the
 * magic number. */
static uint32_t check_header(struct place *place, const char *text, uint32_t *words)
{
    for (const char *at = text; (at = strstr(at, "= {")) != NULL;) {
        uint32_t count = 0;
        for (at += 3; *at && *at != '}';) {
            char *end;
            errno = 0;
            unsigned long word = strtoul(at, &end, 0);
            if (end == at)
                at++;
            else if (!errno && count < WORDS_LIMIT)
                words[count++] = (uint32_t)word;
            at = end > at ? end : at;
        }
        if (place->number % every == 0 && count &&
            (words[0] == SpvMagicNumber || words[0] == __builtin_bswap32(SpvMagicNumber)))
            check_module(place, words, count);
        place->number++;
    }
    return place->number;
}

static bool check_file(const char *path, uint32_t *words, char *text)
{
    struct place place = {.file = path};
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return false;
    }
    size_t size = fread(text, 1, WORDS_LIMIT * sizeof(*words) - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    memcpy(words, text, size);
    if (size > sizeof(*words) && words[0] == SpvMagicNumber) {
        check_module(&place, words, (uint32_t)(size / sizeof(*words)));
        return true;
    }
    if (check_header(&place, text, words))
        return true;
    (void)printf("%s: no modules\n", path);
    return false;
}

static bool read_library(struct spirv_module *library, const uint32_t *words, size_t count)
{
    struct spirv_error error;
    return spirv_module_parse(library, words, count, &error);
}

int main(int argc, char **argv)
{
    uint32_t *words = mem_alloc(WORDS_LIMIT * sizeof(*words));
    char *text = mem_alloc(WORDS_LIMIT * sizeof(*words));
    if (!words || !text ||
        !read_library(&libraries[0], gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450)) ||
        !read_library(&libraries[1], gpu_library_vulkan, ARRAY_LENGTH(gpu_library_vulkan)))
        return 1;
    options = spvValidatorOptionsCreate();
    spvValidatorOptionsSetScalarBlockLayout(options, true);
    spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, true);
    spvValidatorOptionsSetAllowLocalSizeId(options, true);
    spvValidatorOptionsSetAllowOffsetTextureOperand(options, true);
    spvValidatorOptionsSetAllowVulkan32BitBitwise(options, true);
    bool read = true;
    int first = 1;
    if (argc > 2 && !strcmp(argv[1], "--every")) {
        every = (uint32_t)strtoul(argv[2], NULL, 10);
        first = 3;
    }
    if (!every)
        return 1;
    for (int i = first; i < argc; i++)
        read = check_file(argv[i], words, text) && read;
    spvValidatorOptionsDestroy(options);
    (void)printf("%u modules, %u of them unreadable, %u valid; %u instrumented, %u checks; %u "
                 "failures\n",
                 counts.modules, counts.unreadable, counts.valid, counts.instrumented,
                 counts.checks, counts.failures);
    spirv_module_free(&libraries[0]);
    spirv_module_free(&libraries[1]);
    mem_free(words);
    mem_free(text);
    return !read || counts.failures || !counts.valid;
}
