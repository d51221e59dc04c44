/* Checks that functions of a library work in a module: with all that they need, and each thing
 * once. SPIRV-Tools' validator decides. */
#include "failing_memory.h"
#include "spirv_tools.h"

#include "spirv/edit/link.h"

enum { LIBRARY_GLSL450, LIBRARY_VULKAN };

/* A compute shader that has some of the types already. The header's four lines differ. */
#define SHADER(header)                             \
    header "OpEntryPoint GLCompute %1 \"main\"\n"  \
           "OpExecutionMode %1 LocalSize 1 1 1\n"  \
           "OpName %1 \"main\"\n"                  \
           "OpDecorate %9 SpecId 0\n"              \
           "%2 = OpTypeVoid\n"                     \
           "%3 = OpTypeFunction %2\n"              \
           "%4 = OpTypeInt 32 0\n"                 \
           "%5 = OpTypeFloat 32\n"                 \
           "%6 = OpConstant %5 2\n"                \
           "%7 = OpTypePointer Function %4\n"      \
           "%8 = OpConstant %4 5\n"                \
           "%9 = OpSpecConstant %4 10\n"           \
           "%10 = OpTypeVector %4 2\n"             \
           "%11 = OpConstantComposite %10 %8 %8\n" \
           "%12 = OpTypeStruct %4 %5\n"            \
           "%1 = OpFunction %2 None %3\n"          \
           "%13 = OpLabel\n"                       \
           "%14 = OpVariable %7 Function\n"        \
           "OpStore %14 %9\n"                      \
           "OpReturn\n"                            \
           "OpFunctionEnd\n"

static const struct target {
    spv_target_env environment;
    uint32_t version;
    int library;
    const char *text;
} targets[] = {
    {SPV_ENV_VULKAN_1_0, 0x00010000, LIBRARY_GLSL450,
     SHADER("OpCapability Shader\nOpMemoryModel Logical GLSL450\n")},
    {SPV_ENV_VULKAN_1_1, 0x00010300, LIBRARY_GLSL450,
     SHADER("OpCapability Shader\nOpMemoryModel Logical GLSL450\n")},
    {SPV_ENV_VULKAN_1_1, 0x00010300, LIBRARY_VULKAN,
     SHADER("OpCapability Shader\nOpCapability VulkanMemoryModel\nOpExtension "
            "\"SPV_KHR_vulkan_memory_model\"\n"
            "OpMemoryModel Logical Vulkan\n")},
    {SPV_ENV_VULKAN_1_2, 0x00010500, LIBRARY_GLSL450,
     SHADER("OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\n"
            "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n")},
    {SPV_ENV_VULKAN_1_3, 0x00010600, LIBRARY_GLSL450,
     SHADER("OpCapability Shader\nOpMemoryModel Logical GLSL450\n")},
    {SPV_ENV_VULKAN_1_3, 0x00010600, LIBRARY_VULKAN,
     SHADER("OpCapability Shader\nOpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan\n")},
};

struct world {
    struct words words, library_words;
    struct spirv_module module, library;
    struct spirv_edit edit;
    struct spirv_link link;
};

static const char *const libraries[] = {SPIRV_LIBRARIES};

/* Allocations that are left before memory is out; negative: it never is. */
static int allocations_left = -1;

bool memory_is_out(void)
{
    if (allocations_left > 0)
        allocations_left--;
    return allocations_left == 0;
}

static void open_words(struct world *world, struct words words, const char *library)
{
    world->words = words;
    world->library_words = read_words(library);
    world->module = parse_words(world->words);
    world->library = parse_words(world->library_words);
    assert_true(spirv_edit_begin(&world->edit, &world->module));
    assert_true(spirv_link_begin(&world->link, &world->edit, &world->library));
}

static void open_target(struct world *world, const struct target *target)
{
    struct words words = assemble_text(target->environment, target->text);
    words.data[1] = target->version;
    open_words(world, words, libraries[target->library]);
}

/* The module's functions, and the library's after them. */
static uint32_t *finish_edit(struct world *world, uint32_t *count)
{
    spirv_edit_copy_run(&world->edit, world->edit.first_function, world->module.instruction_count);
    spirv_link_end(&world->link);
    return spirv_edit_end(&world->edit, count);
}

static void close_world(struct world *world)
{
    spirv_module_free(&world->module);
    spirv_module_free(&world->library);
    free(world->words.data);
    free(world->library_words.data);
}

/* A function of its own in the module that calls the linked one. */
static void add_caller(struct world *world, uint32_t returns, uint32_t function,
                       const uint32_t *arguments, uint32_t count)
{
    struct spirv_edit *edit = &world->edit;
    uint32_t operands[8] = {returns, spirv_edit_id(edit), function};
    if (count)
        memcpy(operands + 3, arguments, count * sizeof(*arguments));
    uint32_t type = spirv_edit_type_function(edit, spirv_edit_type_void(edit), NULL, 0);
    spirv_edit_emit(edit, SpvOpFunction, spirv_edit_type_void(edit), spirv_edit_id(edit), 0, type);
    spirv_edit_emit(edit, SpvOpLabel, spirv_edit_id(edit));
    spirv_edit_add(edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionCall, operands, 3 + count);
    spirv_edit_add(edit, SPIRV_SECTION_FUNCTIONS, SpvOpReturn, NULL, 0);
    spirv_edit_add(edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
}

static uint32_t linked_function(struct world *world, const char *name)
{
    uint32_t function = spirv_link_function(&world->link, name);
    assert_int_not_equal(function, 0);
    assert_int_equal(spirv_link_function(&world->link, name), function);
    return function;
}

/* `from_outside` of the library, written here. */
static uint32_t replace_external(struct world *world)
{
    struct spirv_edit *edit = &world->edit;
    uint32_t u32 = spirv_edit_type_u32(edit), function = spirv_edit_id(edit);
    spirv_link_replace(&world->link, "from_outside", function);
    spirv_edit_name(edit, function, "ours");
    spirv_edit_emit(edit, SpvOpFunction, u32, function, 0,
                    spirv_edit_type_function(edit, u32, NULL, 0));
    spirv_edit_emit(edit, SpvOpLabel, spirv_edit_id(edit));
    spirv_edit_emit(edit, SpvOpReturnValue, spirv_edit_constant_u32(edit, 5));
    spirv_edit_add(edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
    return function;
}

static void link_all(struct world *world)
{
    struct spirv_edit *edit = &world->edit;
    uint32_t u32 = spirv_edit_type_u32(edit), v2 = spirv_edit_type_vector(edit, u32, 2);
    uint32_t five = spirv_edit_constant_u32(edit, 5);
    uint32_t address =
        spirv_edit_constant(edit, SpvOpConstantComposite, v2, (const uint32_t[]){five, five}, 2);
    uint32_t ours = replace_external(world);
    assert_int_equal(linked_function(world, "from_outside"), ours);
    add_caller(world, u32, linked_function(world, "chase"), (const uint32_t[]){address, five}, 2);
    uint32_t f32 = spirv_edit_type_float(edit, 32);
    uint32_t two = spirv_edit_constant(edit, SpvOpConstant, f32, (const uint32_t[]){0x40000000}, 1);
    add_caller(world, f32, linked_function(world, "power"), &two, 1);
    add_caller(world, spirv_edit_type_bool(edit), linked_function(world, "both"), &five, 1);
    add_caller(world, u32, linked_function(world, "count"), NULL, 0);
}

static void every_function_is_valid_in_every_module(void **state)
{
    for (size_t i = 0; i < ARRAY_LENGTH(targets); i++) {
        struct world world;
        uint32_t count, again_count;
        open_target(&world, &targets[i]);
        assert_int_equal(spirv_edit_type_vector(&world.edit, 4, 2), 10);
        /* of another function than the one under way */
        link_all(&world);
        uint32_t *words = finish_edit(&world, &count);
        assert_non_null(words);
        expect_valid(targets[i].environment, words, count);
        assert_int_equal(words[1], targets[i].version);
        close_world(&world);

        open_target(&world, &targets[i]);
        link_all(&world);
        uint32_t *again = finish_edit(&world, &again_count);
        assert_non_null(again);
        assert_int_equal(again_count, count);
        assert_memory_equal(again, words, count * sizeof(*words));
        mem_free(words);
        mem_free(again);
        close_world(&world);
    }
}

/* Each allocation fails in turn, and all that follow: there is no module then, no crash, and
 * nothing leaks (the sanitizer builds watch). */
static void memory_may_be_out_at_any_time(void **state)
{
    int failed = 0;
    for (bool done = false; !done; failed++) {
        struct world world = {.words = assemble_text(targets[1].environment, targets[1].text)};
        uint32_t count = 1;
        uint32_t *words = NULL;
        world.library_words = read_words(libraries[LIBRARY_GLSL450]);
        world.module = parse_words(world.words);
        world.library = parse_words(world.library_words);
        allocations_left = failed + 1;
        if (spirv_edit_begin(&world.edit, &world.module)) {
            if (spirv_link_begin(&world.link, &world.edit, &world.library)) {
                (void)spirv_link_function(&world.link, "chase");
                (void)spirv_link_function(&world.link, "power");
                spirv_edit_copy_run(&world.edit, world.edit.first_function,
                                    world.module.instruction_count);
                spirv_link_end(&world.link);
            } else {
                world.edit.failed = true;
            }
            words = spirv_edit_end(&world.edit, &count);
            assert_int_equal(count != 0, words != NULL);
        }
        done = allocations_left > 0;
        assert_int_equal(words != NULL, done);
        allocations_left = -1;
        mem_free(words);
        close_world(&world);
    }
    assert_true(failed > 20);
}

/* Text of what is in the module once `name` is linked into targets[4]. */
static char *text_with(const char *name)
{
    struct world world;
    uint32_t count;
    open_target(&world, &targets[4]);
    (void)linked_function(&world, name);
    uint32_t *words = finish_edit(&world, &count);
    assert_non_null(words);
    char *text = disassemble_words(words, count);
    mem_free(words);
    close_world(&world);
    return text;
}

static void expect_text(const char *text, const char *part, bool there)
{
    if ((strstr(text, part) != NULL) != there)
        fail_msg("%s: %s\n%s", part, there ? "is missing" : "is there", text);
}

static void only_what_is_needed_comes(void **state)
{
    char *text = text_with("power");
    expect_text(text, "%power_f1_ = OpFunction", true);
    expect_text(text, "OpName %Pair \"Pair\"", true);
    expect_text(text, "OpMemberName %Pair 1 \"second\"", true);
    expect_text(text, "= OpExtInstImport \"GLSL.std.450\"", true);
    expect_text(text, "OpName %pair", false);
    expect_text(text, "twice", false);
    expect_text(text, "%Node", false);
    expect_text(text, "PhysicalStorageBuffer %", false);
    expect_text(text, "OpVariable %_ptr_StorageBuffer", false);
    expect_text(text, "LinkageAttributes", false);
    expect_text(text, "OpCapability Linkage", false);
    expect_text(text, "OpSource", false);
    expect_text(text, "OpExtension", false); /* 1.6 includes all that the library asks for */
    expect_text(text, "OpMemoryModel PhysicalStorageBuffer64 GLSL450", true);
    free(text);

    text = text_with("chase");
    expect_text(text, "OpTypeForwardPointer %_ptr_PhysicalStorageBuffer_Node PhysicalStorageBuffer",
                true);
    expect_text(text, "%twice_u1_ = OpFunction", true);
    expect_text(text, "%from_outside_ = OpFunction", true);
    expect_text(text, "OpMemberDecorate %Node 2 Offset 16", true);
    expect_text(text, "AliasedPointer", true);
    expect_text(text, "NonSemantic", false);
    expect_text(text, "left out", false);
    expect_text(text, "%Steps", false);
    expect_text(text, "%power", false);
    free(text);
}

static void types_are_there_once(void **state)
{
    struct world world;
    uint32_t count;
    open_target(&world, &targets[1]);
    (void)linked_function(&world, "power");
    (void)linked_function(&world, "both");
    (void)linked_function(&world, "chase");
    (void)linked_function(&world, "count");
    uint32_t *words = finish_edit(&world, &count);
    assert_non_null(words);
    assert_int_equal(occurrences_of(words, count, "= OpTypeInt 32 0"), 1);
    assert_int_equal(occurrences_of(words, count, "= OpTypeFloat 32"), 1);
    assert_int_equal(occurrences_of(words, count, "= OpTypePointer Function %uint\n"), 1);
    assert_int_equal(occurrences_of(words, count, "= OpConstant %uint 5\n"), 1);
    /* beside OpSpecConstant %uint 10 */
    assert_int_equal(occurrences_of(words, count, "= OpConstant %uint 10\n"), 1);
    assert_int_equal(occurrences_of(words, count, "%Node = OpTypeStruct"), 1);
    assert_int_equal(occurrences_of(words, count, "= OpTypeFunction %uint\n"), 1);
    mem_free(words);
    close_world(&world);
}

/* Variables of the library stand in the interface where the version wants them there. */
static void variables_stand_in_the_interface(void **state)
{
    for (size_t i = 1; i <= 4; i += 3) {
        struct world world;
        uint32_t count;
        open_target(&world, &targets[i]);
        (void)linked_function(&world, "count");
        uint32_t *words = finish_edit(&world, &count);
        assert_non_null(words);
        char *text = disassemble_words(words, count);
        const char *entry = strstr(text, "OpEntryPoint");
        assert_non_null(entry);
        *strchr(entry, '\n') = '\0';
        assert_non_null(strstr(entry, "%gl_GlobalInvocationID"));
        int names = 0;
        for (const char *at = strchr(strstr(entry, "\"main\""), '%'); at; at = strchr(at + 1, '%'))
            names++;
        /* counter, the buffer and the input; below 1.4 the input only */
        assert_int_equal(names, i == 4 ? 3 : 1);
        free(text);
        mem_free(words);
        close_world(&world);
    }
}

static void an_extension_brings_what_a_version_lacks(void **state)
{
    struct world world;
    uint32_t count;
    open_target(&world, &targets[0]);
    (void)linked_function(&world, "count"); /* has a storage buffer, which 1.0 has by extension */
    uint32_t *words = finish_edit(&world, &count);
    assert_non_null(words);
    assert_int_equal(occurrences_of(words, count,
                                    "OpExtension \"SPV_KHR_storage_buffer_storage_class\""),
                     1);
    assert_int_equal(occurrences_of(words, count,
                                    "OpExtension \"SPV_KHR_physical_storage_buffer\""),
                     1);
    assert_int_equal(occurrences_of(words, count, "OpExtension"), 2);
    mem_free(words);
    close_world(&world);
}

static void what_the_library_has_not_is_not_linked(void **state)
{
    struct world world;
    uint32_t count;
    open_target(&world, &targets[4]);
    assert_int_equal(spirv_link_function(&world.link, "nothing"), 0);
    assert_int_equal(spirv_link_function(&world.link, "powe"), 0);
    spirv_link_replace(&world.link, "nothing", 1);
    uint32_t *words = finish_edit(&world, &count);
    assert_non_null(words);
    assert_int_equal(count, world.words.count); /* not even the library's capabilities */
    assert_memory_equal(words, world.words.data, count * sizeof(*words));
    mem_free(words);
    close_world(&world);
}

/* Into modules that a compiler made, with debug information among them. */
static void compiled_modules_take_them_too(void **state)
{
    const char *const files[] = {SPIRV_FILES};
    for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
        struct world world;
        uint32_t count;
        open_words(&world, read_words(files[i]),
                   libraries[strstr(files[i], "_model") ? LIBRARY_VULKAN : LIBRARY_GLSL450]);
        (void)linked_function(&world, "chase");
        (void)linked_function(&world, "power");
        (void)linked_function(&world, "both");
        uint32_t *words = finish_edit(&world, &count);
        assert_non_null(words);
        expect_valid(SPV_ENV_VULKAN_1_3, words, count);
        mem_free(words);
        close_world(&world);
    }
}

/* Bounded: libraries with garbage in them are linked or refused, never a crash (the sanitizer
 * builds watch). */
static void damaged_libraries_do_not_crash(void **state)
{
    static const char *const names[] = {"chase", "power", "count", "both"};
    struct words library = read_words(libraries[LIBRARY_GLSL450]);
    struct words words = assemble_text(targets[4].environment, targets[4].text);
    struct spirv_module module = parse_words(words);
    uint32_t *damaged = malloc(library.count * sizeof(*damaged)), random = 1, linked_ones = 0;
    assert_non_null(damaged);
    for (int round = 0; round < 3000; round++) {
        memcpy(damaged, library.data, library.count * sizeof(*damaged));
        for (int changes = 0; changes < 1 + round % 3; changes++) {
            random = random * 1664525 + 1013904223;
            uint32_t at = 5 + (random >> 8) % ((uint32_t)library.count - 5);
            random = random * 1664525 + 1013904223;
            damaged[at] =
                random % 4 ? (random >> 8) % library.data[3] : damaged[at] ^ 1u << (random >> 27);
        }
        struct spirv_module parsed;
        struct spirv_error error;
        struct spirv_edit edit;
        struct spirv_link link;
        uint32_t count;
        if (!spirv_module_parse(&parsed, damaged, library.count, &error))
            continue;
        assert_true(spirv_edit_begin(&edit, &module));
        if (spirv_link_begin(&link, &edit, &parsed)) {
            for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
                (void)spirv_link_function(&link, names[i]);
            spirv_link_end(&link);
        }
        uint32_t *edited = spirv_edit_end(&edit, &count);
        linked_ones += edited != NULL;
        mem_free(edited);
        spirv_module_free(&parsed);
    }
    assert_uint_in_range(linked_ones, 1000, 2999);
    free(damaged);
    spirv_module_free(&module);
    free(words.data);
    free(library.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_valid_in_every_module),
        cmocka_unit_test(memory_may_be_out_at_any_time),
        cmocka_unit_test(only_what_is_needed_comes),
        cmocka_unit_test(types_are_there_once),
        cmocka_unit_test(variables_stand_in_the_interface),
        cmocka_unit_test(an_extension_brings_what_a_version_lacks),
        cmocka_unit_test(what_the_library_has_not_is_not_linked),
        cmocka_unit_test(compiled_modules_take_them_too),
        cmocka_unit_test(damaged_libraries_do_not_crash),
    };
    return cmocka_run_group_tests_name("spirv_link", tests, NULL, NULL);
}
