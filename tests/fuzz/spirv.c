/* Checks that no words that a program hands in as a shader do harm. The input is a module: it is
 * parsed, reflected, asked for its source lines, changed, linked into and out of, and instrumented.
 * A build with clang makes a fuzzer of it (libFuzzer); every build replays the corpus. */
#include <stdlib.h>
#include <string.h>

#include "spirv/instrument/instrument.h"
#include "spirv/edit/link.h"
#include "spirv/module/reflect.h"
#include "spirv/module/source.h"

/* Arrays of words, made by glslang. */
#include "fuzz_library.h"
#include "gpu/library_glsl450.h"

#define BOUND_LIMIT  65536u /* more costs time in all steps, and adds nothing */
#define SOURCE_LINES 64u
#define ENTRY_POINTS 2u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the layer relies on this, whatever was read. */
static void expect_spirv(bool condition)
{
    if (!condition)
        abort();
}

static struct spirv_module parse_known(const uint32_t *words, size_t count)
{
    struct spirv_module module;
    struct spirv_error error;
    expect_spirv(spirv_module_parse(&module, words, count, &error));
    return module;
}

static void check_operands(const struct spirv_module *module)
{
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        struct spirv_operand_walk walk;
        struct spirv_operand operand;
        if (!spirv_operands_begin(&walk, module, &module->instructions[i]))
            continue;
        while (spirv_operands_next(&walk, &operand))
            expect_spirv(operand.length &&
                         operand.word + operand.length <= module->instructions[i].length);
    }
}

static void check_reflection(const struct spirv_module *module)
{
    struct spirv_reflection *reflection = spirv_reflect(module, 0);
    expect_spirv(reflection != NULL);
    for (uint32_t i = 0; i < reflection->entry_count; i++) {
        uint32_t workgroup[3];
        (void)spirv_workgroup_size(reflection, &reflection->entries[i], NULL, workgroup);
    }
    mem_free(reflection);
}

static void check_source(const struct spirv_module *module)
{
    uint32_t step = module->instruction_count / SOURCE_LINES + 1;
    for (uint32_t i = 0; i < module->instruction_count; i += step) {
        struct spirv_source_line found;
        if (!spirv_source_find(module, i, &found))
            continue;
        expect_spirv(found.file && found.function);
        expect_spirv(!found.text || strlen(found.text) < module->word_count * sizeof(uint32_t));
        spirv_source_line_free(&found);
    }
}

/* The result of an edit is a module, if there is anything. */
static void check_words(uint32_t *words, uint32_t count)
{
    if (!words)
        return;
    struct spirv_module module = parse_known(words, count);
    spirv_module_free(&module);
    mem_free(words);
}

static void copy_functions(struct spirv_edit *edit)
{
    spirv_edit_copy_run(edit, edit->first_function, edit->module->instruction_count);
}

static void check_identity(const struct spirv_module *module)
{
    struct spirv_edit edit;
    uint32_t count;
    expect_spirv(spirv_edit_begin(&edit, module));
    copy_functions(&edit);
    uint32_t *words = spirv_edit_end(&edit, &count);
    expect_spirv(words && count == module->word_count &&
                 memcmp(words, module->words, count * sizeof(*words)) == 0);
    mem_free(words);
}

static void check_edit(const struct spirv_module *module)
{
    struct spirv_edit edit;
    uint32_t count, model = 0, function = 0;
    expect_spirv(spirv_edit_begin(&edit, module));
    for (uint32_t i = 0; i < edit.first_function; i++)
        if (module->instructions[i].opcode == SpvOpEntryPoint &&
            module->instructions[i].length > 3) {
            model = spirv_words(module, &module->instructions[i])[1];
            function = spirv_words(module, &module->instructions[i])[2];
        }
    spirv_edit_keep_entry(&edit, function, (SpvExecutionModel)model, "main");
    spirv_edit_capability(&edit, SpvCapabilityInt64);
    spirv_edit_extension(&edit, "SPV_KHR_physical_storage_buffer");
    (void)spirv_edit_import(&edit, "GLSL.std.450");
    for (uint32_t i = 0; i < 300; i++) {
        uint32_t type = spirv_edit_type_int(&edit, i % 7 * 8, i & 1);
        (void)spirv_edit_constant(&edit, SpvOpConstant, type, &i, 1);
        (void)spirv_edit_type_pointer(&edit, (SpvStorageClass)(i % 13), type);
        spirv_edit_interface(&edit, i);
    }
    copy_functions(&edit);
    uint32_t *words = spirv_edit_end(&edit, &count);
    check_words(words, count);
}

static void check_link(const struct spirv_module *module, const struct spirv_module *library)
{
    static const char *const names[] = {"chase", "power", "count", "both"};
    struct spirv_edit edit;
    struct spirv_link link;
    uint32_t count;
    expect_spirv(spirv_edit_begin(&edit, module));
    copy_functions(&edit);
    if (spirv_link_begin(&link, &edit, library)) {
        spirv_link_replace(&link, "from_outside", 1);
        for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
            (void)spirv_link_function(&link, names[i]);
        spirv_link_end(&link);
    }
    uint32_t *words = spirv_edit_end(&edit, &count);
    check_words(words, count);
}

/* A message is as long as was said, and its words are those of the record. */
static void check_message(const struct spirv_abort_site *site)
{
    uint32_t *words = malloc((size_t)site->word_count * sizeof(*words) + 1);
    uint8_t *message = malloc((size_t)site->size + 1);
    char buffer[64];
    struct string_builder text;
    expect_spirv(words && message);
    memset(words, 0x35, (size_t)site->word_count * sizeof(*words));
    expect_spirv(spirv_abort_message(site, words, site->word_count, message));
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_abort_format(site, message, &text);
    string_builder_end(&text);
    free(words);
    free(message);
}

static void check_instrument(const struct spirv_module *module, const struct spirv_module *library)
{
    static const struct spirv_instrument_binding bindings[] = {
        {.set = 0, .binding = 0, .count = 4, .checked = true},
        {.set = 0, .binding = 1, .count = 1, .variable = true, .checked = true, .first = 4},
        {.set = 1, .binding = 0, .count = 1},
    };
    uint32_t entries = 0;
    for (uint32_t i = 0; i < module->instruction_count && entries < ENTRY_POINTS; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t taken;
        if (instruction->opcode != SpvOpEntryPoint || instruction->length < 4)
            continue;
        struct spirv_instrument_info info = {
            .entry = spirv_string(words + 3, instruction->length - 3u, &taken),
            .model = words[1],
            .checks = UINT32_MAX,
            .safe = entries++ == 0,
            .library = library,
            .push_offset = i % 2 ? SPIRV_NONE : 64,
            .bindings = bindings,
            .binding_count = ARRAY_LENGTH(bindings),
        };
        struct spirv_instrumented result;
        static const uint8_t data[] = "of a specialization";
        const struct spirv_abort_constant constants[] = {
            {0, data, 3}, {1, data, 4}, {2, data, sizeof(data)}};
        info.constants = constants;
        info.constant_count = ARRAY_LENGTH(constants);
        if (!info.entry || !spirv_instrument(module, &info, &result))
            continue;
        for (uint32_t at = 0; result.aborts && at < result.aborts->count; at++)
            check_message(&result.aborts->sites[at]);
        check_words(result.words, result.word_count);
        mem_free(result.aborts);
        mem_free(result.sites);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* A copy just as long as the words, so that a sanitizer sees one read too many. */
    size_t count = size / sizeof(uint32_t);
    uint32_t *words = malloc(count ? count * sizeof(*words) : 1);
    expect_spirv(words != NULL);
    memcpy(words, data, count * sizeof(*words));
    struct spirv_module module;
    struct spirv_error error;
    if (!spirv_module_parse(&module, words, count, &error)) {
        expect_spirv(error.text && !error.no_memory && !module.instructions);
        free(words);
        return 0;
    }
    if (module.bound <= BOUND_LIMIT) {
        struct spirv_module library = parse_known(fuzz_library, ARRAY_LENGTH(fuzz_library));
        struct spirv_module checks =
            parse_known(gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450));
        check_operands(&module);
        check_reflection(&module);
        check_source(&module);
        check_identity(&module);
        check_edit(&module);
        check_link(&module, &library);
        check_link(&library, &module);
        check_instrument(&module, &checks);
        spirv_module_free(&library);
        spirv_module_free(&checks);
    }
    spirv_module_free(&module);
    free(words);
    return 0;
}
