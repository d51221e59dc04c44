/* Checks what messages consist of, and what becomes of constant data. Modules are lowered, and
 * messages are put together byte by byte. */
#include "abort_modules.h"

#include "spirv/abi.h"
#include "spirv/printf/printf.h"

struct declared {
    const char *decorations, *types, *body; /* the module aborts with %m, as %M */
    const struct spirv_abort_constant *constants;
    uint32_t constant_count;
};

static struct spirv_instrumented lower_message(struct declared declared)
{
    const char *const parts[] = {
        "OpCapability Shader\nOpCapability AbortKHR\nOpCapability ConstantDataKHR\n"
        "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability "
        "Float16\nOpCapability Float64\n"
        "OpExtension \"SPV_KHR_abort\"\nOpExtension \"SPV_KHR_constant_data\"\n"
        "OpMemoryModel Logical GLSL450\n",
        strstr(declared.types, "%kept") ? COMPUTE_KEPT : COMPUTE,
        DECORATIONS,
        declared.decorations,
        TYPES,
        declared.types,
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n" LOAD,
        declared.body,
        "OpAbortKHR %M %m\nOpFunctionEnd\n"};
    char buffer[16];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++)
        string_builder_add(&text, parts[i] ? parts[i] : "");
    struct words words = assemble_text(SPV_ENV_VULKAN_1_3, text.text);
    string_builder_end(&text);
    struct spirv_instrument_info info =
        info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
    info.constants = declared.constants;
    info.constant_count = declared.constant_count;
    struct spirv_instrumented made = lower_aborts(words, &info);
    free(words.data);
    assert_non_null(made.aborts);
    assert_int_equal(made.aborts->count, 1);
    return made;
}

#define EXPECT_MESSAGE(made_, words_, bytes_) \
    expect_message(&(made_), (words_), ARRAY_LENGTH(words_), (bytes_), sizeof(bytes_) - 1)

static void expect_message(const struct spirv_instrumented *made, const uint32_t *words,
                           uint32_t count, const char *bytes, size_t size)
{
    const struct spirv_abort_site *site = &made->aborts->sites[0];
    uint8_t message[256];
    assert_int_equal(site->size, size);
    assert_true(size && size <= sizeof(message));
    assert_int_equal(site->word_count, count);
    assert_true(spirv_abort_message(site, words, count, message));
    assert_memory_equal(message, bytes, size);
    assert_true(!count || !spirv_abort_message(site, words, count - 1, message));
}

static void expect_site(const struct spirv_instrumented *made, const uint32_t *words,
                        const char *expected)
{
    const struct spirv_abort_site *site = &made->aborts->sites[0];
    uint8_t *message = malloc(site->size);
    char buffer[8];
    struct string_builder text;
    assert_true(spirv_abort_message(site, words, site->word_count, message));
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_abort_format(site, message, &text);
    assert_string_equal(text.text, expected);
    string_builder_end(&text);
    free(message);
}

#define CHAR     "%char = OpTypeInt 8 0\n"
#define STRING_9 "%n9 = OpConstant %u32 9\n%string_t = OpTypeArray %char %n9\n"

/* SPV_KHR_abort's example, as VK_KHR_shader_abort's proposal has it. */
static void the_specifications_example(void **state)
{
    const struct declared declared = {
        .decorations = "OpDecorate %string_t UTFEncodedKHR\nOpDecorate %string_x UTFEncodedKHR\n"
                       "OpDecorate %string_x ArrayStride 1\nOpMemberDecorate %M 0 Offset "
                       "0\nOpMemberDecorate %M 1 Offset 12\n",
        .types = CHAR STRING_9
        "%string_x = OpTypeArray %char %n9\n"
        "%string = OpConstantDataKHR %string_t 0x74736574 0x7525203a 0\n"
        "%message_t = OpTypeStruct %string_t %u32\n%M = OpTypeStruct %string_x %u32\n",
        .body = "%m = OpCompositeConstruct %message_t %string %a\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    const uint32_t words[] = {65536};
    EXPECT_MESSAGE(made, words, "test: %u\0\0\0\0\0\0\1\0");
    expect_site(&made, words, "test: 65536");
    /* The string is nowhere in the shader, nor is its type. */
    assert_int_equal(occurrences_of(made.words, made.word_count, "OpTypeInt 8"), 0);
    assert_int_equal(occurrences_of(made.words, made.word_count, "Int8"), 0);
    let_go(&made);
}

/* All members but one are constant: that one is all that is written. */
static void constants_stay_here(void **state)
{
    const struct declared declared = {
        .decorations = "OpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset "
                       "8\nOpMemberDecorate %M 2 Offset 16\n"
                       "OpMemberDecorate %Inner 0 Offset 2\nOpMemberDecorate %Inner 1 Offset 4\n",
        .types =
            "%u16 = OpTypeInt 16 0\n%i64 = OpTypeInt 64 1\n%f16 = OpTypeFloat 16\n%k = OpConstant "
            "%u16 0x1234\n"
            "%l = OpConstant %i64 -2\n%h = OpConstant %f16 1\n%Inner = OpTypeStruct %u16 %u32\n"
            "%M = OpTypeStruct %f16 %i64 %Inner\n%none = OpConstantNull %M\n",
        .body = "%in = OpCompositeConstruct %Inner %k %a\n%m0 = OpCompositeInsert %M %in %none 2\n"
                "%m1 = OpCompositeInsert %M %h %m0 0\n%m2 = OpCompositeInsert %M %l %m1 1\n%m = "
                "OpCopyObject %M %m2\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    const uint32_t words[] = {0x89abcdef};
    EXPECT_MESSAGE(made, words,
                   "\x00\x3c\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\0\0\x34\x12\xef\xcd\xab"
                   "\x89");
    expect_site(&made, words, "1 -2 4660 2309737967");
    let_go(&made);
}

/* Each scalar lies where the layout says, whatever the layout of the value; matrices are tried by
 * rows and by columns. */
static void layouts_are_followed(void **state)
{
    const struct declared declared = {
        .decorations = "OpDecorate %pair ArrayStride 12\nOpMemberDecorate %Inner 0 Offset "
                       "0\nOpMemberDecorate %Inner 1 Offset 8\n"
                       "OpMemberDecorate %M 0 Offset 4\nOpMemberDecorate %M 1 Offset "
                       "28\nOpMemberDecorate %M 1 RowMajor\n"
                       "OpMemberDecorate %M 1 MatrixStride 16\nOpMemberDecorate %M 2 Offset "
                       "64\nOpMemberDecorate %M 2 ColMajor\n"
                       "OpMemberDecorate %M 2 MatrixStride 8\nOpMemberDecorate %M 3 Offset 88\n",
        .types = "%u16 = OpTypeInt 16 0\n%f64 = OpTypeFloat 64\n%i16 = OpTypeInt 16 1\n%v2 = "
                 "OpTypeVector %f32 2\n"
                 "%mat = OpTypeMatrix %v2 2\n%Inner = OpTypeStruct %v2 %i16\n%pair = OpTypeArray "
                 "%Inner %u2\n"
                 "%InnerV = OpTypeStruct %v2 %i16\n%pairV = OpTypeArray %InnerV %u2\n%M = "
                 "OpTypeStruct %pair %mat %mat %f64\n"
                 "%V = OpTypeStruct %pairV %mat %mat %f64\n",
        .body =
            "%f = OpBitcast %f32 %a\n%v = OpCompositeConstruct %v2 %f %f\n%s = OpUConvert %u16 "
            "%a\n%t = OpBitcast %i16 %s\n"
            "%in = OpCompositeConstruct %InnerV %v %t\n%two = OpCompositeConstruct %pairV %in %in\n"
            "%q = OpCompositeConstruct %mat %v %v\n%d = OpFConvert %f64 %f\n"
            "%m = OpCompositeConstruct %V %two %q %q %d\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    /* Each element has the vector, then the short; each matrix its columns. */
    uint32_t words[16], expected[24] = {0};
    for (uint32_t i = 0; i < 16; i++)
        words[i] = 0x1000 + i;
    static const uint8_t at[16] = {1, 2, 3, 4, 5, 6, 7, 11, 8, 12, 16, 17, 18, 19, 22, 23};
    for (uint32_t i = 0; i < 16; i++)
        expected[at[i]] = words[i];
    uint8_t message[96];
    const struct spirv_abort_site *site = &made.aborts->sites[0];
    assert_int_equal(site->size, 96);
    assert_int_equal(site->word_count, 16);
    assert_true(spirv_abort_message(site, words, 16, message));
    assert_memory_equal(message, expected, 96);
    assert_int_equal(site->arguments[1].kind, SPIRV_PRINTF_INT);
    assert_int_equal(site->arguments[4].stride, 16);
    assert_int_equal(site->arguments[6].stride, 4);
    let_go(&made);
}

/* An array is written by a loop, however long it is, and its elements may be structures. */
static void long_arrays_are_written_in_a_loop(void **state)
{
    const struct declared plain = {
        .decorations = "OpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset 4\n",
        .types = "%M = OpTypeStruct %u32 %many\n%at_many = OpTypePointer StorageBuffer %many\n",
        .body = "%q = OpAccessChain %at_many %data %u1\n%all = OpLoad %many %q\n%m = "
                "OpCompositeConstruct %M %a %all\n",
    };
    struct spirv_instrumented made = lower_message(plain);
    const struct spirv_abort_site *site = &made.aborts->sites[0];
    uint32_t words[101], message[101];
    for (uint32_t i = 0; i < ARRAY_LENGTH(words); i++)
        words[i] = 3 * i + 1;
    assert_int_equal(site->leaf_count, 2);
    assert_int_equal(site->word_count, 101);
    assert_int_equal(site->size, sizeof(message));
    assert_true(spirv_abort_message(site, words, 101, (uint8_t *)message));
    assert_memory_equal(message, words, sizeof(message));
    assert_int_equal(occurrences_of(made.words, made.word_count, "OpLoopMerge"), 1);
    let_go(&made);
}

/* The same for structures with arrays of 64-bit integers in them, which another loop writes. */
static void loops_in_loops(void **state)
{
    const struct declared declared = {
        .decorations = "OpDecorate %longs ArrayStride 8\nOpDecorate %es ArrayStride "
                       "296\nOpMemberDecorate %E 0 Offset 0\n"
                       "OpMemberDecorate %E 1 Offset 8\nOpMemberDecorate %M 0 Offset 16\n",
        .types =
            "%u64 = OpTypeInt 64 0\n%u36 = OpConstant %u32 36\n%longs = OpTypeArray %u64 %u36\n"
            "%E = OpTypeStruct %u32 %longs\n%es = OpTypeArray %E %u36\n%M = OpTypeStruct %es\n"
            "%longs_v = OpTypeArray %u64 %u36\n%E_v = OpTypeStruct %u32 %longs_v\n%es_v = "
            "OpTypeArray %E_v %u36\n"
            "%V = OpTypeStruct %es_v\n%own = OpTypePointer Private %V\n%kept = OpVariable %own "
            "Private\n",
        .body = "%m = OpLoad %V %kept\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    const struct spirv_abort_site *site = &made.aborts->sites[0];
    const uint32_t per_element = 1 + 2 * 36;
    uint32_t words[36 * (1 + 2 * 36)];
    uint8_t message[16 + 36 * 296];
    for (uint32_t i = 0; i < ARRAY_LENGTH(words); i++)
        words[i] = i * 0x01010101u;
    assert_int_equal(site->word_count, ARRAY_LENGTH(words));
    assert_int_equal(site->size, sizeof(message));
    assert_true(spirv_abort_message(site, words, site->word_count, message));
    for (uint32_t e = 0; e < 36; e++) {
        assert_memory_equal(&message[16 + 296 * e], &words[per_element * e], 4);
        assert_int_equal(message[16 + 296 * e + 4], 0);
        assert_memory_equal(&message[16 + 296 * e + 8], &words[per_element * e + 1], 288);
    }
    let_go(&made);
}

/* The pipeline may give the string any length: the length of its array is specialized with it. */
static void constant_data_is_specialized(void **state)
{
    const struct declared declared = {
        .decorations = "OpDecorate %string_t UTFEncodedKHR\nOpDecorate %string_x ArrayStride 1\n"
                       "OpDecorate %n SpecId 3\nOpDecorate %string SpecId 4\n"
                       "OpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset 12\n",
        .types =
            CHAR "%n = OpSpecConstant %u32 2\n%n1 = OpSpecConstantOp %u32 IAdd %n %u0\n"
                 "%string_t = OpTypeArray %char %n1\n%string_x = OpTypeArray %char %n1\n"
                 "%string = OpSpecConstantDataKHR %string_t 0x00007525\n"
                 "%message_t = OpTypeStruct %string_t %u32\n%M = OpTypeStruct %string_x %u32\n",
        .body = "%m = OpCompositeConstruct %message_t %string %a\n",
    };
    const uint32_t length = 7, words[] = {255};
    const struct spirv_abort_constant constants[] = {{.id = 9, .data = &length, .size = 4},
                                                     {.id = 4, .data = "is <%x>", .size = 7},
                                                     {.id = 3, .data = &length, .size = 4}};
    struct declared specialized = declared;
    specialized.constants = constants;
    specialized.constant_count = ARRAY_LENGTH(constants);
    struct spirv_instrumented made = lower_message(declared);
    EXPECT_MESSAGE(made, words, "%u\0\0\0\0\0\0\0\0\0\0\xff\0\0\0");
    expect_site(&made, words, "255");
    let_go(&made);
    made = lower_message(specialized);
    EXPECT_MESSAGE(made, words, "is <%x>\0\0\0\0\0\xff\0\0\0");
    expect_site(&made, words, "is <ff>");
    /* of what the length was computed of */
    assert_int_equal(occurrences_of(made.words, made.word_count, "SpecId"), 1);
    let_go(&made);
}

/* The shader indexes an array of constants; numbers that differ by their type only are two. */
static void constant_data_becomes_constants(void **state)
{
    const char *text = CAPABILITIES COMPUTE
        "OpDecorate %wide SpecId 1\n" DECORATIONS TYPES
        "%i32 = OpTypeInt 32 1\n%four_t = OpTypeArray %i32 %u4\n%four = OpConstantDataKHR %four_t "
        "1 2 1 0xffffffff\n"
        "%words_t = OpTypeArray %u32 %u2\n%wide = OpSpecConstantDataKHR %words_t 1 7\n"
        "%own = OpTypePointer Private %four_t\n%own_i32 = OpTypePointer Private %i32\n%kept = "
        "OpVariable %own Private %four\n" MAIN(LOAD "%w = OpCompositeExtract %u32 %wide 1\n%s = "
                                                    "OpIAdd %u32 %a %w\nOpStore %p %s\n");
    struct words words = assemble_text(SPV_ENV_VULKAN_1_3, text);
    struct spirv_module module = parse_words(words);
    assert_true(spirv_has_constant_data(&module));
    struct spirv_instrument_info info =
        info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
    const uint32_t values[] = {5, 6};
    const struct spirv_abort_constant constants[] = {
        {.id = 1, .data = values, .size = sizeof(values)}};
    struct spirv_instrumented made = lower_aborts(words, &info);
    assert_null(made.aborts);
    assert_int_equal(occurrences_of(made.words, made.word_count, "%int_1 %int_2 %int_1 %int_n1"),
                     1);
    assert_int_equal(occurrences_of(made.words, made.word_count, "%uint_1 %uint_7"), 1);
    let_go(&made);
    info.constants = constants;
    info.constant_count = 1;
    made = lower_aborts(words, &info);
    assert_int_equal(occurrences_of(made.words, made.word_count, "%uint_5 %uint_6"), 1);
    let_go(&made);
    spirv_module_free(&module);
    free(words.data);
}

/* Values without a string in front are listed, and so is what a format leaves over; a string that
 * is left over is a format. */
static void messages_are_readable(void **state)
{
    static const uint8_t bytes[] = "first\0rest %d|\xfe\xff\0\x3c\1\0\0\0\2\0\0\0";
    const struct spirv_abort_argument arguments[] = {
        {.kind = SPIRV_PRINTF_STRING,
         .bits = 8,
         .components = 1,
         .offset = 0,
         .count = 6,
         .stride = 1},
        {.kind = SPIRV_PRINTF_FLOAT, .bits = 16, .components = 1, .offset = 16, .count = 1},
        {.kind = SPIRV_PRINTF_STRING,
         .bits = 8,
         .components = 1,
         .offset = 6,
         .count = 8,
         .stride = 1},
        {.kind = SPIRV_PRINTF_INT, .bits = 16, .components = 1, .offset = 14, .count = 1},
        {.kind = SPIRV_PRINTF_UINT,
         .bits = 32,
         .components = 2,
         .offset = 18,
         .count = 1,
         .stride = 4},
    };
    struct spirv_abort_site site = {
        .size = sizeof(bytes) - 1, .argument_count = 5, .arguments = arguments};
    struct string_builder text;
    char buffer[8];
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_abort_format(&site, bytes, &text);
    assert_string_equal(text.text, "first 1rest -2| 1, 2");
    string_builder_end(&text);
    site.arguments = &arguments[3];
    site.argument_count = 2;
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_abort_format(&site, bytes, &text);
    assert_string_equal(text.text, "-2 1, 2");
    string_builder_end(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_specifications_example),
        cmocka_unit_test(constants_stay_here),
        cmocka_unit_test(layouts_are_followed),
        cmocka_unit_test(long_arrays_are_written_in_a_loop),
        cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(constant_data_is_specialized),
        cmocka_unit_test(constant_data_becomes_constants),
        cmocka_unit_test(messages_are_readable),
    };
    return cmocka_run_group_tests(tests, read_library, free_library);
}
