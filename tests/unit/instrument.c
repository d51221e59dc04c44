/* Checks that a module with checks in it is still valid, whatever it was, and the same each time.
 */
#include "spirv_tools.h"

#include "gpu/library_glsl450.h"
#include "gpu/library_vulkan.h"
#include "spirv/instrument/instrument.h"
#include "spirv/module/reflect.h"

#include <spirv/unified1/spirv.h>

#define BINDINGS 32

/* Makes the bindings that a layout for all that the entry point uses would have. */
static uint32_t make_bindings(const struct spirv_reflection *reflection,
                              const struct spirv_entry_point *entry,
                              struct spirv_instrument_binding *bindings)
{
    for (uint32_t i = 0; i < entry->binding_count && i < BINDINGS; i++) {
        const struct spirv_binding *binding = &reflection->bindings[entry->first_binding + i];
        bindings[i] =
            (struct spirv_instrument_binding){.set = binding->set,
                                              .binding = binding->binding,
                                              .count = binding->count ? binding->count : 5,
                                              .first = 7 * i,
                                              .variable = !binding->count,
                                              .checked = i % 2};
    }
    return entry->binding_count < BINDINGS ? entry->binding_count : BINDINGS;
}

/* Words that checks have added to all of the modules, without those of modes, and that these had:
 * reported at once, and at the end. */
static uint32_t added[2], had[2];

static void instrument_entry(const struct spirv_module *module,
                             const struct spirv_reflection *reflection,
                             const struct spirv_entry_point *entry, const char *file, bool safe,
                             uint32_t push_offset, uint32_t later_from, bool modes)
{
    struct spirv_module library;
    struct spirv_error error;
    struct spirv_instrument_binding bindings[BINDINGS];
    bool vulkan = spirv_uses_vulkan_memory_model(module);
    assert_true(spirv_module_parse(&library, vulkan ? gpu_library_vulkan : gpu_library_glsl450,
                                   vulkan ? ARRAY_LENGTH(gpu_library_vulkan)
                                          : ARRAY_LENGTH(gpu_library_glsl450),
                                   &error));
    const struct spirv_instrument_info info = {
        .entry = &reflection->text[entry->name],
        .model = entry->model,
        .checks = modes ? UINT32_MAX : UINT32_MAX & ~(uint32_t)SPIRV_CHECK_NAN,
        .safe = safe,
        .shader = 77,
        .push_offset = push_offset,
        .later_from = later_from,
        .later_accesses = safe,
        .library = &library,
        .most_mesh_groups = {65535, 65535, 65535},
        .most_mesh_groups_total = 1 << 22,
        .forbidden_ray_flags = 0x100,
        .most_shared = 32768,
        .bindings = bindings,
        .binding_count = make_bindings(reflection, entry, bindings)};
    struct spirv_instrumented once, twice;
    bool done = spirv_instrument(module, &info, &once);
    assert_int_equal(done, spirv_instrument(module, &info, &twice));
    if (done) {
        print_message("%s: %u checks, %u words of %u\n", file, once.checks, once.word_count,
                      module->word_count);
        const bool later = later_from && once.checks > later_from;
        added[later] += modes ? 0 : once.word_count - module->word_count;
        had[later] += modes ? 0 : module->word_count;
        assert_int_equal(once.word_count, twice.word_count);
        assert_memory_equal(once.words, twice.words, once.word_count * sizeof(*once.words));
        const char *folder = getenv("ASSAY_TEST_DUMP");
        if (folder) {
            char path[512];
            snprintf(path, sizeof(path), "%s/%s.%s.%s.%s%s.spv", folder, strrchr(file, '/') + 1,
                     safe ? "safe" : "plain", push_offset == SPIRV_NONE ? "spec" : "push",
                     later_from ? "later" : "once", modes ? ".modes" : "");
            FILE *out = fopen(path, "wb");
            assert_non_null(out);
            fwrite(once.words, 4, once.word_count, out);
            fclose(out);
        }
        expect_valid(SPV_ENV_VULKAN_1_3, once.words, once.word_count);
        mem_free(once.words);
        mem_free(once.sites);
        mem_free(once.aborts);
        mem_free(twice.words);
        mem_free(twice.sites);
        mem_free(twice.aborts);
    } else {
        print_message("%s: nothing%s\n", file, once.pointer_unreachable ? ", no room" : "");
        assert_int_equal(once.checks, 0);
    }
    spirv_module_free(&library);
}

static void instrumented_modules_are_valid(void **state)
{
    const char *const files[] = {SPIRV_FILES};
    for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
        struct words words = read_words(files[i]);
        struct spirv_module module = parse_words(words);
        struct spirv_reflection *reflection = spirv_reflect(&module, 1);
        assert_non_null(reflection);
        for (uint32_t entry = 0; entry < reflection->entry_count; entry++) {
            for (uint32_t way = 0; way < 16; way++)
                instrument_entry(&module, reflection, &reflection->entries[entry], files[i],
                                 way & 1, way & 2 ? SPIRV_NONE : 248, way & 4 ? 1 : 0, way & 8);
        }
        mem_free(reflection);
        spirv_module_free(&module);
        free(words.data);
    }
}

/* Compiling what checks add to shaders is their cost. A change that makes it more has a reason, and
 * brings the new figure here. After instrumented_modules_are_valid(), which counts. */
static void modules_stay_small(void **state)
{
    print_message("told at once: %u words more than %u; at the end: %u more than %u\n", added[0],
                  had[0], added[1], had[1]);
    assert_true(100 * added[0] <= 82 * had[0]);
    assert_true(100 * added[1] <= 97 * had[1]);
}

/* The checks that the layer makes as it comes. */
static const uint32_t usual_checks =
    UINT32_MAX & ~(uint32_t)(SPIRV_CHECK_TOUCHED | SPIRV_CHECK_NAN);

/* Instruments the module of this name as the layer does on a software driver, with a layout that is
 * bound as a whole. */
static uint32_t words_added(const char *name)
{
    const char *const files[] = {SPIRV_FILES};
    size_t file = 0;
    while (!strstr(files[file], name))
        assert_true(++file < ARRAY_LENGTH(files));
    struct words words = read_words(files[file]);
    struct spirv_module module = parse_words(words), library;
    struct spirv_error error;
    struct spirv_instrument_binding bindings[BINDINGS];
    struct spirv_reflection *reflection = spirv_reflect(&module, 1);
    assert_non_null(reflection);
    assert_true(spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450),
                                   &error));
    const uint32_t count = make_bindings(reflection, &reflection->entries[0], bindings);
    for (uint32_t i = 0; i < count; i++)
        bindings[i].checked = bindings[i].count > 1;
    const struct spirv_instrument_info info = {.entry = "main",
                                               .model = reflection->entries[0].model,
                                               .checks = usual_checks,
                                               .shader = 0x12345678,
                                               .push_offset = 248,
                                               .later_from = 12,
                                               .later_accesses = true,
                                               .library = &library,
                                               .most_shared = 32768,
                                               .bindings = bindings,
                                               .binding_count = count};
    struct spirv_instrumented made;
    assert_true(spirv_instrument(&module, &info, &made));
    assert_int_equal(made.site_count, made.checks);
    const uint32_t result = made.word_count - module.word_count;
    print_message("%s: %u words more than %u, %u checks\n", name, result, module.word_count,
                  made.checks);
    mem_free(made.words);
    mem_free(made.sites);
    mem_free(reflection);
    spirv_module_free(&library);
    spirv_module_free(&module);
    free(words.data);
    return result;
}

/* Shaders as engines have them, each by itself: a change that makes the small ones larger is not
 * hidden by the large ones. tests/godot_shaders.py compares those of a real engine with what the
 * Khronos layer makes of them. */
static void shaders_of_engines_stay_small(void **state)
{
    static const struct {
        const char *name;
        uint32_t most; /* words that checks add */
    } shaders[] = {
        {"/engine_blur.comp", 290},
        {"/engine_cull.comp", 2300},
        {"/engine_scene.vert", 1350},
        {"/engine_scene.frag", 1880},
    };
    bool good = true;
    for (size_t i = 0; i < ARRAY_LENGTH(shaders); i++)
        good = words_added(shaders[i].name) <= shaders[i].most && good;
    assert_true(good);
}

/* How many checks the file gets of those that `info` asks for. */
static uint32_t checks_in(const char *name, struct spirv_instrument_info info)
{
    const char *const files[] = {SPIRV_FILES};
    size_t file = 0;
    while (!strstr(files[file], name))
        assert_true(++file < ARRAY_LENGTH(files));
    struct words words = read_words(files[file]);
    struct spirv_module module = parse_words(words), library;
    struct spirv_error error;
    struct spirv_instrumented made;
    assert_true(spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450),
                                   &error));
    info.entry = "main";
    info.push_offset = 248;
    info.library = &library;
    const uint32_t checks = spirv_instrument(&module, &info, &made) ? made.checks : 0;
    mem_free(made.words);
    mem_free(made.sites);
    spirv_module_free(&library);
    spirv_module_free(&module);
    free(words.data);
    return checks;
}

/* The `known` elements of its array are looked at when the command is recorded. */
static uint32_t descriptor_checks(uint64_t known)
{
    const struct spirv_instrument_binding array = {
        .binding = 1, .count = 4, .checked = true, .known = known};
    return checks_in("/textures.frag",
                     (struct spirv_instrument_info){.model = SpvExecutionModelFragment,
                                                    .checks = SPIRV_CHECK_DESCRIPTORS,
                                                    .bindings = &array,
                                                    .binding_count = 1});
}

/* It reads albedo[which & 3], albedo[1], albedo[2] and albedo[3]. */
static void known_elements_are_not_checked(void **state)
{
    assert_int_equal(descriptor_checks(0), 4);
    assert_int_equal(descriptor_checks(1 << 2), 3);
    assert_int_equal(descriptor_checks(UINT64_MAX), 1);
}

/* It writes a column and a component of a matrix by rows, and a column of one by columns. */
static void columns_of_rows_are_checked(void **state)
{
    assert_int_equal(checks_in("/columns.comp",
                               (struct spirv_instrument_info){.model = SpvExecutionModelGLCompute,
                                                              .checks = SPIRV_CHECK_ADDRESSES}),
                     3);
}

/* Each store that has a check before it is in a branch of its own in safe mode. */
static void stores_are_guarded(void **state)
{
    const char *const files[] = {SPIRV_FILES};
    for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
        struct words words = read_words(files[i]);
        struct spirv_module module = parse_words(words), library;
        struct spirv_error error;
        uint32_t branches[2] = {0, 0};
        if (!strstr(files[i], "points.mesh")) {
            spirv_module_free(&module);
            free(words.data);
            continue;
        }
        assert_true(spirv_module_parse(&library, gpu_library_glsl450,
                                       ARRAY_LENGTH(gpu_library_glsl450), &error));
        for (uint32_t safe = 0; safe < 2; safe++) {
            const struct spirv_instrument_info info = {.entry = "main",
                                                       .model = SpvExecutionModelMeshEXT,
                                                       .checks = SPIRV_CHECK_MESH,
                                                       .safe = safe,
                                                       .push_offset = SPIRV_NONE,
                                                       .library = &library};
            struct spirv_instrumented made;
            struct spirv_module again;
            assert_true(spirv_instrument(&module, &info, &made));
            assert_int_equal(made.checks, 1);
            assert_true(spirv_module_parse(&again, made.words, made.word_count, &error));
            for (uint32_t at = 0; at < again.instruction_count; at++)
                branches[safe] += again.instructions[at].opcode == SpvOpBranchConditional;
            spirv_module_free(&again);
            mem_free(made.words);
            mem_free(made.sites);
        }
        assert_int_equal(branches[1], branches[0] + 1);
        spirv_module_free(&library);
        spirv_module_free(&module);
        free(words.data);
        return;
    }
    fail_msg("points.mesh is not among the modules");
}

/* Makes a module of the file with these checks. Empty where nothing is to be checked. */
static void make_instrumented(const char *name, uint32_t checks, uint32_t most_shared,
                              uint32_t most_checks, struct spirv_instrumented *result,
                              struct spirv_module *made)
{
    const char *const files[] = {SPIRV_FILES};
    size_t file = 0;
    while (!strstr(files[file], name))
        assert_true(++file < ARRAY_LENGTH(files));
    struct words words = read_words(files[file]);
    struct spirv_module module = parse_words(words), library;
    struct spirv_error error;
    assert_true(spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450),
                                   &error));
    const struct spirv_instrument_info info = {.entry = "main",
                                               .model = SpvExecutionModelGLCompute,
                                               .checks = checks,
                                               .most_shared = most_shared,
                                               .most_checks = most_checks,
                                               .push_offset = SPIRV_NONE,
                                               .library = &library};
    *made = (struct spirv_module){0};
    if (spirv_instrument(&module, &info, result))
        assert_true(spirv_module_parse(made, result->words, result->word_count, &error));
    spirv_module_free(&library);
    spirv_module_free(&module);
    free(words.data);
}

static void made_free(struct spirv_instrumented *result, struct spirv_module *made)
{
    spirv_module_free(made);
    mem_free(result->words);
    mem_free(result->sites);
    result->words = NULL;
}

/* Instructions with the opcode in what is made of the file to find races in shared memory. */
static uint32_t count_shared_of(const char *name, uint32_t most_shared, uint32_t most_checks,
                                SpvOp opcode, struct spirv_instrumented *result)
{
    struct spirv_module made;
    uint32_t count = 0;
    make_instrumented(name, SPIRV_CHECK_SHARED, most_shared, most_checks, result, &made);
    for (uint32_t at = 0; at < made.instruction_count; at++)
        count += made.instructions[at].opcode == opcode;
    made_free(result, &made);
    return count;
}

/* A barrier that is not counted would make a race of what it orders: all of them are, also after
 * the last check. */
static uint32_t count_shared(uint32_t most_shared, uint32_t most_checks, SpvOp opcode,
                             struct spirv_instrumented *result)
{
    return count_shared_of("/shared.comp", most_shared, most_checks, opcode, result);
}

/* The shader says which of its accesses cannot be proved. */
static void phases_are_proved(void **state)
{
    struct spirv_instrumented all;
    (void)count_shared_of("/shared_phases.comp", 32768, 0, SpvOpStore, &all);
    assert_int_equal(all.checks, 10);
}

static void barriers_are_counted(void **state)
{
    struct spirv_instrumented all, one, part, none;
    uint32_t calls = count_shared(32768, 0, SpvOpFunctionCall, &all);
    uint32_t calls_of_one = count_shared(32768, 1, SpvOpFunctionCall, &one);
    assert_null(all.shared_missed);
    assert_int_equal(one.checks, 1);
    assert_int_equal(all.checks, 17);
    assert_int_equal(calls, calls_of_one + all.checks - 1);
    /* the module's two, and one that begins */
    assert_int_equal(count_shared(32768, 0, SpvOpControlBarrier, &all), 3);
    uint32_t adds = count_shared(32768, 1, SpvOpStore, &one);
    assert_int_equal(count_shared(32768, 0, SpvOpStore, &all), adds);
    (void)count_shared(500, 0, SpvOpStore, &part);
    assert_non_null(strstr(part.shared_missed, "only part"));
    assert_int_equal(part.checks, all.checks);
    (void)count_shared(440, 0, SpvOpStore, &none);
    assert_non_null(strstr(none.shared_missed, "no room"));
    assert_int_equal(none.checks, 0);
    (void)count_shared(0, 0, SpvOpStore, &none);
    assert_null(none.shared_missed);
}

/* The loops of a function with all that it calls in its place, as drivers have it. */
static uint32_t count_loops(const struct spirv_module *module, uint32_t function)
{
    uint32_t count = 0;
    assert_true(function < module->bound);
    for (uint32_t i = module->definitions[function];
         module->instructions[i].opcode != SpvOpFunctionEnd; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpLoopMerge)
            count++;
        else if (instruction->opcode == SpvOpFunctionCall)
            count += count_loops(module, spirv_words(module, instruction)[3]);
    }
    return count;
}

static uint32_t loops_made(uint32_t most_checks, uint32_t *checks)
{
    struct spirv_instrumented result;
    struct spirv_module made;
    make_instrumented("/addresses_many.comp", SPIRV_CHECK_ADDRESSES, 0, most_checks, &result,
                      &made);
    uint32_t entry = 0, count;
    while (made.instructions[entry].opcode != SpvOpEntryPoint)
        entry++;
    count = count_loops(&made, spirv_words(&made, &made.instructions[entry])[2]);
    *checks = result.checks;
    made_free(&result, &made);
    return count;
}

/* The shader says which of its accesses are checked together: these have few loops that search. */
static void many_accesses_have_few_loops(void **state)
{
    uint32_t together, alone;
    uint32_t loops = loops_made(0, &together), loops_alone = loops_made(1000, &alone);
    print_message("%u checks, %u loops; alone %u loops\n", together, loops, loops_alone);
    assert_int_equal(together, alone);
    assert_true(loops_alone >= alone);
    assert_true(loops <= 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instrumented_modules_are_valid),
        cmocka_unit_test(modules_stay_small),
        cmocka_unit_test(shaders_of_engines_stay_small),
        cmocka_unit_test(stores_are_guarded),
        cmocka_unit_test(barriers_are_counted),
        cmocka_unit_test(phases_are_proved),
        cmocka_unit_test(known_elements_are_not_checked),
        cmocka_unit_test(columns_of_rows_are_checked),
        cmocka_unit_test(many_accesses_have_few_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
