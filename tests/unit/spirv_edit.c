/* Checks that a module comes out of an edit as it went in, with what was added where SPIR-V wants
 * it. */
#include "spirv_tools.h"

#include "spirv/edit/edit.h"

/* A bit of every section, in order: lines and instructions of debug information among the types,
 * decorations by id, an extension that needs another section. */
static const char every_section[] = "OpCapability Shader\n"
                                    "OpCapability Linkage\n"
                                    "OpExtension \"SPV_KHR_non_semantic_info\"\n"
                                    "OpExtension \"SPV_GOOGLE_decorate_string\"\n"
                                    "OpExtension \"SPV_GOOGLE_hlsl_functionality1\"\n"
                                    "%1 = OpExtInstImport \"GLSL.std.450\"\n"
                                    "%2 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
                                    "OpMemoryModel Logical GLSL450\n"
                                    "OpEntryPoint GLCompute %3 \"main\"\n"
                                    "OpEntryPoint Fragment %4 \"main\" %5\n"
                                    "OpEntryPoint Fragment %4 \"other\"\n"
                                    "OpExecutionMode %3 LocalSize 8 4 1\n"
                                    "OpExecutionMode %4 OriginUpperLeft\n"
                                    "%6 = OpString \"file.comp\"\n"
                                    "OpSource GLSL 460 %6 \"void main\"\n"
                                    "OpSourceContinued \"() {}\"\n"
                                    "OpSourceExtension \"GL_EXT_none\"\n"
                                    "OpName %3 \"compute\"\n"
                                    "OpMemberName %7 0 \"first\"\n"
                                    "OpModuleProcessed \"by hand\"\n"
                                    "OpMemberDecorate %7 0 Offset 0\n"
                                    "OpDecorate %8 SpecId 3\n"
                                    "OpDecorate %9 RelaxedPrecision\n"
                                    "%9 = OpDecorationGroup\n"
                                    "OpGroupDecorate %9 %5\n"
                                    "OpDecorateString %5 UserSemantic \"COLOR\"\n"
                                    "OpDecorate %10 BuiltIn WorkgroupSize\n"
                                    "OpDecorate %11 ArrayStride 16\n"
                                    "OpDecorate %5 BuiltIn FragCoord\n"
                                    "OpLine %6 1 2\n"
                                    "%12 = OpTypeVoid\n"
                                    "OpNoLine\n"
                                    "%13 = OpTypeFunction %12\n"
                                    "%14 = OpTypeInt 32 0\n"
                                    "%15 = OpExtInst %12 %2 DebugSource %6\n"
                                    "%16 = OpTypeFloat 32\n"
                                    "%7 = OpTypeStruct %14\n"
                                    "%17 = OpTypeVector %16 4\n"
                                    "%18 = OpTypePointer Input %17\n"
                                    "%5 = OpVariable %18 Input\n"
                                    "%8 = OpSpecConstant %14 7\n"
                                    "%19 = OpConstant %14 7\n"
                                    "%20 = OpTypeVector %14 3\n"
                                    "%21 = OpConstant %14 1\n"
                                    "%10 = OpConstantComposite %20 %21 %21 %21\n"
                                    "%11 = OpTypePointer Function %14\n"
                                    "%22 = OpUndef %14\n"
                                    "%3 = OpFunction %12 None %13\n"
                                    "%23 = OpLabel\n"
                                    "OpLine %6 2 1\n"
                                    "OpReturn\n"
                                    "OpFunctionEnd\n"
                                    "%4 = OpFunction %12 None %13\n"
                                    "%24 = OpLabel\n"
                                    "OpReturn\n"
                                    "OpFunctionEnd\n";

static void copy_functions(struct spirv_edit *edit)
{
    for (uint32_t i = edit->first_function; i < edit->module->instruction_count; i++)
        spirv_edit_copy(edit, &edit->module->instructions[i]);
}

static uint32_t *end_with_functions(struct spirv_edit *edit, uint32_t *count)
{
    copy_functions(edit);
    uint32_t *words = spirv_edit_end(edit, count);
    assert_non_null(words);
    return words;
}

static void expect_identity(struct words words)
{
    struct spirv_module module = parse_words(words);
    struct spirv_edit edit;
    uint32_t count;
    assert_true(spirv_edit_begin(&edit, &module));
    uint32_t *same = end_with_functions(&edit, &count);
    assert_int_equal(count, words.count);
    assert_memory_equal(same, words.data, count * sizeof(*same));
    mem_free(same);

    assert_true(spirv_edit_begin(&edit, &module));
    spirv_edit_copy_run(&edit, edit.first_function, module.instruction_count);
    same = spirv_edit_end(&edit, &count);
    assert_non_null(same);
    assert_int_equal(count, words.count);
    assert_memory_equal(same, words.data, count * sizeof(*same));
    mem_free(same);
    spirv_module_free(&module);
}

static void what_is_not_changed_stays_the_same(void **state)
{
    const char *const files[] = {SPIRV_FILES};
    for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
        struct words words = read_words(files[i]);
        expect_identity(words);
        free(words.data);
    }
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    expect_valid(SPV_ENV_UNIVERSAL_1_6, words.data, words.count);
    for (uint32_t minor = 0; minor <= 6; minor++) {
        words.data[1] = 0x00010000 | minor << 8;
        expect_identity(words);
    }
    free(words.data);
}

/* Instructions that no grammar knows, and sections in disorder: the words are the same ones still.
 */
static void what_is_not_known_stays_where_it_is(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    struct spirv_module module = parse_words(words);
    for (uint32_t i = 0; i < module.instruction_count; i++) {
        uint32_t offset = module.instructions[i].offset, saved = words.data[offset];
        words.data[offset] = (saved & 0xffff0000u) | 0xfffe;
        expect_identity(words);
        words.data[offset] = (saved & 0xffff0000u) | SpvOpCapability;
        expect_identity(words);
        words.data[offset] = (saved & 0xffff0000u) | SpvOpConstant;
        if ((saved >> 16) < 3)
            expect_identity(words);
        words.data[offset] = saved;
    }
    spirv_module_free(&module);
    free(words.data);
}

static void add_everything(struct spirv_edit *edit)
{
    uint32_t u32 = spirv_edit_type_u32(edit), u64 = spirv_edit_type_int(edit, 64, false);
    spirv_edit_capability(edit, SpvCapabilityInt64);
    spirv_edit_capability(edit, SpvCapabilityShader);
    spirv_edit_extension(edit, "SPV_KHR_storage_buffer_storage_class");
    spirv_edit_extension(edit, "SPV_KHR_non_semantic_info");
    assert_int_equal(spirv_edit_import(edit, "GLSL.std.450"), 1);
    assert_int_equal(spirv_edit_import(edit, "NonSemantic.DebugPrintf"),
                     spirv_edit_import(edit, "NonSemantic.DebugPrintf"));
    uint32_t wide = spirv_edit_constant(edit, SpvOpConstant, u64, (const uint32_t[]){1, 2}, 2);
    assert_int_equal(wide,
                     spirv_edit_constant(edit, SpvOpConstant, u64, (const uint32_t[]){1, 2}, 2));
    assert_int_not_equal(wide, spirv_edit_constant(edit, SpvOpConstant, u64,
                                                   (const uint32_t[]){1, 3}, 2));
    uint32_t variable = spirv_edit_id(edit);
    uint32_t pointer = spirv_edit_type_pointer(edit, SpvStorageClassPrivate, u32);
    spirv_edit_emit_to(edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, variable,
                       SpvStorageClassPrivate);
    spirv_edit_name(edit, variable, "added");
    spirv_edit_decorate(edit, variable, SpvDecorationRelaxedPrecision);
    spirv_edit_interface(edit, variable);
    spirv_edit_interface(edit, variable);
    assert_int_not_equal(spirv_edit_string(edit, "text"), 0);
}

static void what_is_added_stands_in_its_section(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    for (uint32_t minor = 1; minor <= 6; minor++) {
        words.data[1] = 0x00010000 | minor << 8;
        struct spirv_module module = parse_words(words);
        struct spirv_edit edit;
        uint32_t count, again_count;
        assert_true(spirv_edit_begin(&edit, &module));
        add_everything(&edit);
        uint32_t *edited = end_with_functions(&edit, &count);
        expect_valid(SPV_ENV_UNIVERSAL_1_6, edited, count);
        assert_int_equal(edited[1], 0x00010000 | minor << 8);
        assert_int_equal(edited[2], words.data[2]);
        assert_int_equal(occurrences_of(edited, count, "\"main\" %added"), minor >= 4 ? 1 : 0);
        assert_int_equal(occurrences_of(edited, count, "OpCapability Shader"), 1);
        assert_int_equal(occurrences_of(edited, count, "NonSemantic.DebugPrintf"), 1);

        assert_true(spirv_edit_begin(&edit, &module));
        add_everything(&edit);
        uint32_t *again = end_with_functions(&edit, &again_count);
        assert_int_equal(again_count, count);
        assert_memory_equal(again, edited, count * sizeof(*again));
        mem_free(again);
        mem_free(edited);
        spirv_module_free(&module);
    }
    free(words.data);
}

/* 2.8: types are there once. What decorations or a number for specialization tell apart is not what
 * was asked for. */
static void types_and_constants_are_looked_for_first(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    struct spirv_module module = parse_words(words);
    struct spirv_edit edit;
    assert_true(spirv_edit_begin(&edit, &module));
    assert_int_equal(spirv_edit_type_void(&edit), 12);
    assert_int_equal(spirv_edit_type_u32(&edit), 14);
    assert_int_equal(spirv_edit_type_function(&edit, 12, NULL, 0), 13);
    assert_int_equal(spirv_edit_type_float(&edit, 32), 16);
    assert_int_equal(spirv_edit_type_vector(&edit, 16, 4), 17);
    assert_int_equal(spirv_edit_type_pointer(&edit, SpvStorageClassInput, 17), 18);
    /* not 8, which is a specialization constant */
    assert_int_equal(spirv_edit_constant_u32(&edit, 7), 19);
    uint32_t added = edit.bound;
    assert_int_equal(spirv_edit_constant(&edit, SpvOpConstantComposite, 20,
                                         (const uint32_t[]){21, 21, 21}, 3),
                     added++);
    assert_int_equal(spirv_edit_constant(&edit, SpvOpConstantComposite, 20,
                                         (const uint32_t[]){21, 21, 21}, 3),
                     added - 1);
    /* 11 has an ArrayStride */
    assert_int_equal(spirv_edit_type_pointer(&edit, SpvStorageClassFunction, 14), added++);
    assert_int_equal(spirv_edit_type_pointer(&edit, SpvStorageClassFunction, 14), added - 1);
    /* never shared */
    assert_int_equal(spirv_edit_type(&edit, SpvOpTypeStruct, (const uint32_t[]){14}, 1), added++);
    assert_int_equal(spirv_edit_type(&edit, SpvOpTypeStruct, (const uint32_t[]){14}, 1), added++);
    assert_int_equal(spirv_edit_type_bool(&edit), added++);
    uint32_t yes = spirv_edit_constant_bool(&edit, true);
    assert_int_equal(yes, added++);
    assert_int_equal(spirv_edit_constant_bool(&edit, false), added++);
    assert_int_equal(spirv_edit_constant_bool(&edit, true), yes);
    assert_int_equal(spirv_edit_constant_null(&edit, 17), added++);
    assert_int_equal(spirv_edit_constant_null(&edit, 17), added - 1);
    /* by other means */
    spirv_edit_emit_to(&edit, SPIRV_SECTION_GLOBALS, SpvOpTypeInt, added, 16, 1);
    edit.bound++;
    assert_int_equal(spirv_edit_type_int(&edit, 16, true), added++);
    for (uint32_t i = 100; i < 10000; i++) /* the table grows */
        assert_int_equal(spirv_edit_constant_u32(&edit, i), added++);
    for (uint32_t i = 100; i < 10000; i++)
        assert_int_equal(spirv_edit_constant_u32(&edit, i), added - 10000 + i);
    spirv_edit_abandon(&edit);
    spirv_module_free(&module);
    free(words.data);
}

static void one_entry_point_is_kept(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    struct spirv_module module = parse_words(words);
    struct spirv_edit edit;
    uint32_t count;
    assert_true(spirv_edit_begin(&edit, &module));
    /* function 4 is an entry point twice */
    spirv_edit_keep_entry(&edit, 4, SpvExecutionModelFragment, "main");
    uint32_t *edited = end_with_functions(&edit, &count);
    expect_valid(SPV_ENV_UNIVERSAL_1_6, edited, count);
    assert_int_equal(occurrences_of(edited, count, "OpEntryPoint"), 1);
    assert_int_equal(occurrences_of(edited, count,
                                    "OpEntryPoint Fragment %4 \"main\" %gl_FragCoord"),
                     1);
    assert_int_equal(occurrences_of(edited, count, "OpExecutionMode"), 1);
    assert_int_equal(occurrences_of(edited, count, "OpExecutionMode %4 OriginUpperLeft"), 1);
    assert_int_equal(occurrences_of(edited, count, "OpFunction "), 2);
    mem_free(edited);

    assert_true(spirv_edit_begin(&edit, &module));
    spirv_edit_keep_entry(&edit, 3, SpvExecutionModelGLCompute, "main");
    edited = end_with_functions(&edit, &count);
    expect_valid(SPV_ENV_UNIVERSAL_1_6, edited, count);
    assert_int_equal(occurrences_of(edited, count, "OpEntryPoint GLCompute %compute \"main\""), 1);
    assert_int_equal(occurrences_of(edited, count, "OpEntryPoint"), 1);
    assert_int_equal(occurrences_of(edited, count, "OpExecutionMode %compute LocalSize 8 4 1"), 1);
    assert_int_equal(occurrences_of(edited, count, "OpExecutionMode"), 1);
    mem_free(edited);
    spirv_module_free(&module);
    free(words.data);
}

/* Below 1.4 only inputs and outputs are named, from there on all that is used. */
static void interfaces_name_what_the_version_wants(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    for (uint32_t minor = 3; minor <= 4; minor++) {
        words.data[1] = 0x00010000 | minor << 8;
        struct spirv_module module = parse_words(words);
        struct spirv_edit edit;
        uint32_t count;
        assert_true(spirv_edit_begin(&edit, &module));
        spirv_edit_keep_entry(&edit, 4, SpvExecutionModelFragment, "other");
        spirv_edit_interface(&edit, 5); /* an input of the module */
        spirv_edit_interface(&edit, 5);
        spirv_edit_interface(&edit, 14); /* a type: no variable */
        uint32_t pointer = spirv_edit_type_pointer(&edit, SpvStorageClassUniformConstant, 16),
                 id = spirv_edit_id(&edit);
        spirv_edit_emit_to(&edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, id,
                           SpvStorageClassUniformConstant);
        spirv_edit_name(&edit, id, "resource");
        spirv_edit_interface(&edit, id);
        uint32_t *edited = end_with_functions(&edit, &count);
        assert_int_equal(occurrences_of(edited, count, "\"other\" %gl_FragCoord\n"), minor == 3);
        assert_int_equal(occurrences_of(edited, count, "\"other\" %gl_FragCoord %resource\n"),
                         minor == 4);
        mem_free(edited);
        spirv_module_free(&module);
    }
    free(words.data);
}

static void what_is_too_large_is_not_made(void **state)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_6, every_section);
    struct spirv_module module = parse_words(words);
    struct spirv_edit edit;
    uint32_t count = 1;
    assert_true(spirv_edit_begin(&edit, &module));
    edit.bound = SPIRV_BOUND_LIMIT;
    (void)spirv_edit_id(&edit);
    assert_null(spirv_edit_end(&edit, &count));
    assert_int_equal(count, 0);

    assert_true(spirv_edit_begin(&edit, &module));
    char *text = malloc(300000);
    assert_non_null(text);
    memset(text, 'a', 299999);
    text[299999] = '\0';
    spirv_edit_name(&edit, 3, text);
    assert_true(edit.failed);
    assert_int_equal(spirv_edit_constant_u32(&edit, 7), 0);
    assert_int_equal(spirv_edit_string(&edit, "text"), 0);
    assert_null(spirv_edit_end(&edit, &count));
    free(text);
    spirv_module_free(&module);
    free(words.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_changed_stays_the_same),
        cmocka_unit_test(what_is_not_known_stays_where_it_is),
        cmocka_unit_test(what_is_added_stands_in_its_section),
        cmocka_unit_test(types_and_constants_are_looked_for_first),
        cmocka_unit_test(one_entry_point_is_kept),
        cmocka_unit_test(interfaces_name_what_the_version_wants),
        cmocka_unit_test(what_is_too_large_is_not_made),
    };
    return cmocka_run_group_tests_name("spirv_edit", tests, NULL, NULL);
}
