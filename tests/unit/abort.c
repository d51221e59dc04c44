/* What becomes of OpAbortKHR and of constant data? Modules of many shapes are lowered, each with nothing else and with all checks, and what comes out is one that the validator accepts; and messages are put
 * together byte by byte. */
#include "spirv_tools.h"

#include "gpu/library_glsl450.h"
#include "gpu/shaders/abi.h"
#include "spirv/instrument.h"
#include "spirv/printf.h"

#include <spirv/unified1/spirv.h>

/* --- modules --- */

#define CAPABILITIES                                                                                            \
    "OpCapability Shader\nOpCapability AbortKHR\nOpCapability ConstantDataKHR\nOpExtension \"SPV_KHR_abort\"\n" \
    "OpExtension \"SPV_KHR_constant_data\"\nOpMemoryModel Logical GLSL450\n"
#define COMPUTE      "OpEntryPoint GLCompute %main \"main\" %data\nOpExecutionMode %main LocalSize 1 1 1\n"
#define COMPUTE_KEPT "OpEntryPoint GLCompute %main \"main\" %data %kept\nOpExecutionMode %main LocalSize 1 1 1\n"
#define DECORATIONS                                                                                  \
    "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\nOpMemberDecorate %Data 1 Offset 4\n" \
    "OpDecorate %many ArrayStride 4\nOpDecorate %data DescriptorSet 0\nOpDecorate %data Binding 0\n" \
    "OpMemberDecorate %Message 0 Offset 0\n"
#define TYPES                                                                                                          \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 0\n%f32 = OpTypeFloat "   \
    "32\n"                                                                                                             \
    "%false = OpConstantFalse %bool\n%true = OpConstantTrue %bool\n%u0 = OpConstant %u32 0\n%u1 = OpConstant %u32 1\n" \
    "%u2 = OpConstant %u32 2\n%u4 = OpConstant %u32 4\n%u42 = OpConstant %u32 42\n%u100 = OpConstant %u32 100\n"       \
    "%many = OpTypeArray %u32 %u100\n%Data = OpTypeStruct %u32 %many\n%at_Data = OpTypePointer StorageBuffer %Data\n"  \
    "%at = OpTypePointer StorageBuffer %u32\n%local = OpTypePointer Function %u32\n"                                   \
    "%data = OpVariable %at_Data StorageBuffer\n%Message = OpTypeStruct %u32\n%fn_u32 = OpTypeFunction %u32 %u32\n"
/* u32 checked(u32 x) { if (x == 42) abort(x); return x + 1; } */
#define CHECKED                                                                                                 \
    "%checked = OpFunction %u32 None %fn_u32\n%x = OpFunctionParameter %u32\n%c0 = OpLabel\n"                   \
    "%is = OpIEqual %bool %x %u42\nOpSelectionMerge %c2 None\nOpBranchConditional %is %c1 %c2\n%c1 = OpLabel\n" \
    "%message = OpCompositeConstruct %Message %x\nOpAbortKHR %Message %message\n%c2 = OpLabel\n"                \
    "%sum = OpIAdd %u32 %x %u1\nOpReturnValue %sum\nOpFunctionEnd\n"
#define MODULE(main_) CAPABILITIES COMPUTE DECORATIONS TYPES CHECKED main_
#define MAIN(body_)   "%main = OpFunction %void None %fn\n%entry = OpLabel\n" body_ "OpReturn\nOpFunctionEnd\n"
#define LOAD          "%p = OpAccessChain %at %data %u0\n%a = OpLoad %u32 %p\n"

static const struct {
    const char *name, *text;
    uint32_t looks; /* calls behind which it is looked whether the invocation ends */
} shapes[] = {
    {"straight", MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\nOpStore %p %r\n")), 1},
    {"nothing behind", MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\n")), 0},
    {"two calls in a block",
     MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\n%s = OpFunctionCall %u32 %checked %r\nOpStore %p %s\n")),
     2},
    {"a loop of one block",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %r %loop\n"
                      "%r = OpFunctionCall %u32 %checked %i\n%more = OpULessThan %bool %r %a\n"
                      "OpLoopMerge %after %loop None\nOpBranchConditional %more %loop %after\n%after = OpLabel\n"
                      "%q = OpPhi %u32 %r %loop\nOpStore %p %q\n")),
     1},
    {"a head with two ways in",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %continue\n"
                      "%r = OpFunctionCall %u32 %checked %i\n%even = OpULessThan %bool %r %u4\n"
                      "OpLoopMerge %after %continue None\nOpBranchConditional %even %left %right\n"
                      "%left = OpLabel\nOpStore %p %r\nOpBranch %joined\n%right = OpLabel\nOpBranch %joined\n"
                      "%joined = OpLabel\n%k = OpPhi %u32 %u1 %left %u2 %right\n%over = OpULessThan %bool %a %i\n"
                      "OpBranchConditional %over %after %continue\n%continue = OpLabel\n%n = OpIAdd %u32 %i %k\n"
                      "OpBranch %loop\n%after = OpLabel\nOpStore %p %a\n")),
     1},
    {"a continue construct",
     MODULE(MAIN(LOAD
                 "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %back\n"
                 "%w = OpPhi %u32 %a %entry %v %back\nOpLoopMerge %after %continue None\nOpBranch %test\n"
                 "%test = OpLabel\n%less = OpULessThan %bool %i %u42\nOpBranchConditional %less %body %after\n"
                 "%body = OpLabel\n%q = OpAccessChain %at %data %u1 %i\n%d = OpLoad %u32 %q\n"
                 "OpSelectionMerge %join None\nOpSwitch %d %join 0 %zero 1 %one\n%zero = OpLabel\nOpBranch %one\n"
                 "%one = OpLabel\n%o = OpPhi %u32 %u4 %body %u2 %zero\nOpBranch %continue\n"
                 "%join = OpLabel\nOpStore %q %w\nOpBranch %continue\n%continue = OpLabel\n"
                 "%v = OpPhi %u32 %o %one %d %join\n%r = OpFunctionCall %u32 %checked %v\n"
                 "%s = OpIAdd %u32 %r %d\nOpStore %q %s\n%odd = OpIEqual %bool %s %w\nOpSelectionMerge %back None\n"
                 "OpBranchConditional %odd %then %back\n%then = OpLabel\n%t = OpFunctionCall %u32 %checked %s\n"
                 "OpBranch %back\n%back = OpLabel\n%n = OpPhi %u32 %r %continue %t %then\nOpBranch %loop\n"
                 "%after = OpLabel\nOpStore %p %i\n")),
     2},
    {"a loop that ends behind its body",
     MODULE(MAIN(LOAD
                 "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %r %continue\n"
                 "OpLoopMerge %after %continue None\nOpBranch %body\n%body = OpLabel\n"
                 "%q = OpAccessChain %at %data %u1 %i\n%d = OpLoad %u32 %q\n%far = OpULessThan %bool %u4 %d\n"
                 "OpSelectionMerge %go None\nOpBranchConditional %far %leave %go\n%leave = OpLabel\n"
                 "%e = OpIMul %u32 %d %d\nOpBranch %after\n%go = OpLabel\nOpBranch %continue\n%continue = OpLabel\n"
                 "%r = OpFunctionCall %u32 %checked %d\n%more = OpULessThan %bool %r %u42\n"
                 "OpBranchConditional %more %loop %after\n%after = OpLabel\n"
                 "%z = OpPhi %u32 %e %leave %r %continue\n%y = OpIAdd %u32 %z %i\n%u = OpIAdd %u32 %y %d\n"
                 "OpStore %q %u\n")),
     1},
    {"a loop in a continue construct",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %back\n"
                      "OpLoopMerge %after %continue None\nOpBranch %test\n%test = OpLabel\n"
                      "%less = OpULessThan %bool %i %u4\nOpBranchConditional %less %body %after\n%body = OpLabel\n"
                      "OpBranch %continue\n%continue = OpLabel\nOpBranch %inner\n%inner = OpLabel\n"
                      "%k = OpPhi %u32 %i %continue %m %inner_continue\nOpLoopMerge %back %inner_continue None\n"
                      "OpBranch %inner_test\n%inner_test = OpLabel\n%lower = OpULessThan %bool %k %u42\n"
                      "OpBranchConditional %lower %inner_body %back\n%inner_body = OpLabel\n"
                      "%r = OpFunctionCall %u32 %checked %k\nOpStore %p %r\nOpBranch %inner_continue\n"
                      "%inner_continue = OpLabel\n%m = OpFunctionCall %u32 %checked %k\n%m2 = OpIAdd %u32 %m %i\n"
                      "OpBranch %inner\n%back = OpLabel\n%n = OpIAdd %u32 %k %u1\nOpBranch %loop\n%after = OpLabel\n"
                      "OpStore %p %i\n")),
     2},
    {"a switch that falls through",
     MODULE(MAIN(LOAD "OpSelectionMerge %after None\nOpSwitch %a %default 1 %one 2 %two\n%default = OpLabel\n"
                      "OpBranch %after\n%one = OpLabel\n%r = OpFunctionCall %u32 %checked %a\nOpStore %p %r\n"
                      "OpBranch %two\n%two = OpLabel\n%f = OpPhi %u32 %a %entry %r %one\n"
                      "%s = OpFunctionCall %u32 %checked %f\nOpBranch %after\n%after = OpLabel\n"
                      "%z = OpPhi %u32 %u0 %default %s %two\nOpStore %p %z\n")),
     2},
    {"what never comes back",
     CAPABILITIES COMPUTE DECORATIONS TYPES
     "%never = OpFunction %void None %fn\n%n0 = OpLabel\n%message = OpCompositeConstruct %Message %u1\n"
     "OpAbortKHR %Message %message\nOpFunctionEnd\n"
     "%main = OpFunction %void None %fn\n%entry = OpLabel\n%v = OpVariable %local Function %u2\n%r = OpFunctionCall "
     "%void %never\n"
     "OpUnreachable\nOpFunctionEnd\n",
     1},
    {"what nobody calls",
     MODULE(MAIN("") "%other = OpFunction %u32 None %fn_u32\n%y = OpFunctionParameter %u32\n%o0 = OpLabel\n"
                     "%m2 = OpCompositeConstruct %Message %y\nOpAbortKHR %Message %m2\nOpFunctionEnd\n"),
     0},
    {"in the entry point",
     CAPABILITIES COMPUTE DECORATIONS TYPES
         MAIN(LOAD
              "%less = OpULessThan %bool %a %u4\nOpSelectionMerge %after None\nOpBranchConditional %less %then %else\n"
              "%then = OpLabel\n%m = OpCompositeConstruct %Message %a\nOpAbortKHR %Message %m\n%else = OpLabel\n"
              "OpBranch %after\n%after = OpLabel\nOpStore %p %u1\n"),
     0},
    {"callers of callers",
     MODULE("%outer = OpFunction %u32 None %fn_u32\n%y = OpFunctionParameter %u32\n%o0 = OpLabel\n"
            "%o1 = OpVariable %local Function\nOpStore %o1 %y\n%t = OpFunctionCall %u32 %checked %y\n"
            "%o2 = OpLoad %u32 %o1\nOpReturnValue %o2\nOpFunctionEnd\n" MAIN(LOAD "%r = OpFunctionCall %u32 %outer "
                                                                                  "%a\nOpStore %p %r\n")),
     2},
};

static struct spirv_module library;

static int read_library(void **state)
{
    struct spirv_error error;
    return spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450), &error) ? 0 : -1;
}

static int free_library(void **state)
{
    spirv_module_free(&library);
    return 0;
}

static struct spirv_instrument_info info_of(uint32_t model, uint32_t checks)
{
    return (struct spirv_instrument_info){.entry = "main",
                                          .model = model,
                                          .checks = checks,
                                          .shader = 7,
                                          .push_offset = 120,
                                          .library = &library,
                                          .most_shared = 32768,
                                          .safe = checks != SPIRV_CHECK_ABORT};
}

/* Twice the same, and valid. `text` stays assembled in `words`. */
static struct spirv_instrumented lower(struct words words, const struct spirv_instrument_info *info)
{
    struct spirv_module module = parse(words);
    struct spirv_instrumented once, twice;
    assert_true(spirv_instrument(&module, info, &once));
    assert_true(spirv_instrument(&module, info, &twice));
    assert_int_equal(once.word_count, twice.word_count);
    assert_memory_equal(once.words, twice.words, once.word_count * sizeof(*once.words));
    mem_free(twice.words);
    mem_free(twice.aborts);
    const char *folder = getenv("ASSAY_TEST_DUMP");
    static uint32_t number;
    if (folder) {
        char path[512];
        snprintf(path, sizeof(path), "%s/abort.%u.spv", folder, number++);
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        fwrite(once.words, 4, once.word_count, out);
        fclose(out);
    }
    expect_valid(SPV_ENV_VULKAN_1_3, once.words, once.word_count);
    assert_int_equal(occurrences(once.words, once.word_count, "OpAbortKHR"), 0);
    assert_int_equal(occurrences(once.words, once.word_count, "SPV_KHR_abort"), 0);
    assert_int_equal(occurrences(once.words, once.word_count, "AbortKHR"), 0);
    assert_int_equal(occurrences(once.words, once.word_count, "DataKHR"), 0);
    spirv_module_free(&module);
    return once;
}

static void let_go(struct spirv_instrumented *made)
{
    mem_free(made->words);
    mem_free(made->aborts);
}

static void shapes_are_lowered(void **state)
{
    for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++) {
        print_message("%s\n", shapes[i].name);
        struct words words = assemble(SPV_ENV_VULKAN_1_3, shapes[i].text);
        for (uint32_t way = 0; way < 2; way++) {
            struct spirv_instrument_info info =
                info_of(SpvExecutionModelGLCompute, way ? UINT32_MAX : SPIRV_CHECK_ABORT);
            struct spirv_instrumented made = lower(words, &info);
            /* One where it is looked up behind each call, and none else in main. */
            if (!way)
                assert_int_equal(occurrences(made.words, made.word_count, "OpLoad %bool"), shapes[i].looks);
            let_go(&made);
        }
        free(words.data);
    }
}

/* Fragments end where they abort: nothing is looked at behind calls. */
static void fragments_end(void **state)
{
    struct words words =
        assemble(SPV_ENV_VULKAN_1_3, CAPABILITIES
                 "OpEntryPoint Fragment %main \"main\" %data\nOpExecutionMode %main OriginUpperLeft\n" DECORATIONS TYPES
                     CHECKED MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\nOpStore %p %r\n"));
    struct spirv_instrument_info info = info_of(SpvExecutionModelFragment, SPIRV_CHECK_ABORT);
    struct spirv_instrumented made = lower(words, &info);
    assert_int_equal(occurrences(made.words, made.word_count, "OpTerminateInvocation"), 1);
    assert_int_equal(occurrences(made.words, made.word_count, "OpLoad %bool"), 0);
    let_go(&made);
    free(words.data);
}

/* --- messages --- */

struct declared {
    const char *decorations, *types, *body; /* the module aborts with %m, as %M */
    const struct spirv_abort_constant *constants;
    uint32_t constant_count;
};

static struct spirv_instrumented lower_message(struct declared declared)
{
    const char *const parts[] = {
        "OpCapability Shader\nOpCapability AbortKHR\nOpCapability ConstantDataKHR\n"
        "OpCapability Int8\nOpCapability Int16\nOpCapability Int64\nOpCapability Float16\nOpCapability Float64\n"
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
    struct words words = assemble(SPV_ENV_VULKAN_1_3, text.text);
    string_builder_end(&text);
    struct spirv_instrument_info info = info_of(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
    info.constants = declared.constants;
    info.constant_count = declared.constant_count;
    struct spirv_instrumented made = lower(words, &info);
    free(words.data);
    assert_non_null(made.aborts);
    assert_int_equal(made.aborts->count, 1);
    return made;
}

#define EXPECT_MESSAGE(made_, words_, bytes_) \
    expect_message(&(made_), (words_), ARRAY_LENGTH(words_), (bytes_), sizeof(bytes_) - 1)

static void expect_message(const struct spirv_instrumented *made, const uint32_t *words, uint32_t count,
                           const char *bytes, size_t size)
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

static void expect_text(const struct spirv_instrumented *made, const uint32_t *words, const char *expected)
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
        .decorations =
            "OpDecorate %string_t UTFEncodedKHR\nOpDecorate %string_x UTFEncodedKHR\n"
            "OpDecorate %string_x ArrayStride 1\nOpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset 12\n",
        .types = CHAR STRING_9 "%string_x = OpTypeArray %char %n9\n"
                               "%string = OpConstantDataKHR %string_t 0x74736574 0x7525203a 0\n"
                               "%message_t = OpTypeStruct %string_t %u32\n%M = OpTypeStruct %string_x %u32\n",
        .body = "%m = OpCompositeConstruct %message_t %string %a\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    const uint32_t words[] = {65536};
    EXPECT_MESSAGE(made, words, "test: %u\0\0\0\0\0\0\1\0");
    expect_text(&made, words, "test: 65536");
    /* The string is nowhere in the shader, nor is its type. */
    assert_int_equal(occurrences(made.words, made.word_count, "OpTypeInt 8"), 0);
    assert_int_equal(occurrences(made.words, made.word_count, "Int8"), 0);
    let_go(&made);
}

/* All members but one are constant: that one is all that is written. */
static void constants_stay_here(void **state)
{
    const struct declared declared = {
        .decorations =
            "OpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset 8\nOpMemberDecorate %M 2 Offset 16\n"
            "OpMemberDecorate %Inner 0 Offset 2\nOpMemberDecorate %Inner 1 Offset 4\n",
        .types = "%u16 = OpTypeInt 16 0\n%i64 = OpTypeInt 64 1\n%f16 = OpTypeFloat 16\n%k = OpConstant %u16 0x1234\n"
                 "%l = OpConstant %i64 -2\n%h = OpConstant %f16 1\n%Inner = OpTypeStruct %u16 %u32\n"
                 "%M = OpTypeStruct %f16 %i64 %Inner\n%none = OpConstantNull %M\n",
        .body = "%in = OpCompositeConstruct %Inner %k %a\n%m0 = OpCompositeInsert %M %in %none 2\n"
                "%m1 = OpCompositeInsert %M %h %m0 0\n%m2 = OpCompositeInsert %M %l %m1 1\n%m = OpCopyObject %M %m2\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    const uint32_t words[] = {0x89abcdef};
    EXPECT_MESSAGE(made, words, "\x00\x3c\0\0\0\0\0\0\xfe\xff\xff\xff\xff\xff\xff\xff\0\0\x34\x12\xef\xcd\xab\x89");
    expect_text(&made, words, "1 -2 4660 2309737967");
    let_go(&made);
}

/* Each scalar where the layout says, whatever the layout of the value; matrices by rows and columns. */
static void layouts_are_followed(void **state)
{
    const struct declared declared = {
        .decorations =
            "OpDecorate %pair ArrayStride 12\nOpMemberDecorate %Inner 0 Offset 0\nOpMemberDecorate %Inner 1 Offset 8\n"
            "OpMemberDecorate %M 0 Offset 4\nOpMemberDecorate %M 1 Offset 28\nOpMemberDecorate %M 1 RowMajor\n"
            "OpMemberDecorate %M 1 MatrixStride 16\nOpMemberDecorate %M 2 Offset 64\nOpMemberDecorate %M 2 ColMajor\n"
            "OpMemberDecorate %M 2 MatrixStride 8\nOpMemberDecorate %M 3 Offset 88\n",
        .types = "%u16 = OpTypeInt 16 0\n%f64 = OpTypeFloat 64\n%i16 = OpTypeInt 16 1\n%v2 = OpTypeVector %f32 2\n"
                 "%mat = OpTypeMatrix %v2 2\n%Inner = OpTypeStruct %v2 %i16\n%pair = OpTypeArray %Inner %u2\n"
                 "%InnerV = OpTypeStruct %v2 %i16\n%pairV = OpTypeArray %InnerV %u2\n%M = OpTypeStruct %pair %mat %mat "
                 "%f64\n"
                 "%V = OpTypeStruct %pairV %mat %mat %f64\n",
        .body = "%f = OpBitcast %f32 %a\n%v = OpCompositeConstruct %v2 %f %f\n%s = OpUConvert %u16 %a\n%t = OpBitcast "
                "%i16 %s\n"
                "%in = OpCompositeConstruct %InnerV %v %t\n%two = OpCompositeConstruct %pairV %in %in\n"
                "%q = OpCompositeConstruct %mat %v %v\n%d = OpFConvert %f64 %f\n"
                "%m = OpCompositeConstruct %V %two %q %q %d\n",
    };
    struct spirv_instrumented made = lower_message(declared);
    /* Of each element: the vector, then the short; of each matrix its columns. */
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
        .body = "%q = OpAccessChain %at_many %data %u1\n%all = OpLoad %many %q\n%m = OpCompositeConstruct %M %a %all\n",
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
    assert_int_equal(occurrences(made.words, made.word_count, "OpLoopMerge"), 2); /* and that for room in the ring */
    let_go(&made);
}

/* The same of structures with arrays of 64-bit integers in them, which another loop writes. */
static void loops_in_loops(void **state)
{
    const struct declared declared = {
        .decorations =
            "OpDecorate %longs ArrayStride 8\nOpDecorate %es ArrayStride 296\nOpMemberDecorate %E 0 Offset 0\n"
            "OpMemberDecorate %E 1 Offset 8\nOpMemberDecorate %M 0 Offset 16\n",
        .types = "%u64 = OpTypeInt 64 0\n%u36 = OpConstant %u32 36\n%longs = OpTypeArray %u64 %u36\n"
                 "%E = OpTypeStruct %u32 %longs\n%es = OpTypeArray %E %u36\n%M = OpTypeStruct %es\n"
                 "%longs_v = OpTypeArray %u64 %u36\n%E_v = OpTypeStruct %u32 %longs_v\n%es_v = OpTypeArray %E_v %u36\n"
                 "%V = OpTypeStruct %es_v\n%own = OpTypePointer Private %V\n%kept = OpVariable %own Private\n",
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

/* Of whatever length the pipeline gives the string: the length of its array is specialized with it. */
static void constant_data_is_specialized(void **state)
{
    const struct declared declared = {
        .decorations = "OpDecorate %string_t UTFEncodedKHR\nOpDecorate %string_x ArrayStride 1\n"
                       "OpDecorate %n SpecId 3\nOpDecorate %string SpecId 4\n"
                       "OpMemberDecorate %M 0 Offset 0\nOpMemberDecorate %M 1 Offset 12\n",
        .types = CHAR "%n = OpSpecConstant %u32 2\n%n1 = OpSpecConstantOp %u32 IAdd %n %u0\n"
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
    expect_text(&made, words, "255");
    let_go(&made);
    made = lower_message(specialized);
    EXPECT_MESSAGE(made, words, "is <%x>\0\0\0\0\0\xff\0\0\0");
    expect_text(&made, words, "is <ff>");
    assert_int_equal(occurrences(made.words, made.word_count, "SpecId"), 1); /* of what the length was computed of */
    let_go(&made);
}

/* What the shader indexes is an array of constants; numbers that are told apart by their type only are two. */
static void constant_data_becomes_constants(void **state)
{
    const char *text = CAPABILITIES COMPUTE
        "OpDecorate %wide SpecId 1\n" DECORATIONS TYPES
        "%i32 = OpTypeInt 32 1\n%four_t = OpTypeArray %i32 %u4\n%four = OpConstantDataKHR %four_t 1 2 1 0xffffffff\n"
        "%words_t = OpTypeArray %u32 %u2\n%wide = OpSpecConstantDataKHR %words_t 1 7\n"
        "%own = OpTypePointer Private %four_t\n%own_i32 = OpTypePointer Private %i32\n%kept = OpVariable %own Private "
        "%four\n" MAIN(LOAD "%w = OpCompositeExtract %u32 %wide 1\n%s = OpIAdd %u32 %a %w\nOpStore %p %s\n");
    struct words words = assemble(SPV_ENV_VULKAN_1_3, text);
    struct spirv_module module = parse(words);
    assert_true(spirv_has_constant_data(&module));
    struct spirv_instrument_info info = info_of(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
    const uint32_t values[] = {5, 6};
    const struct spirv_abort_constant constants[] = {{.id = 1, .data = values, .size = sizeof(values)}};
    struct spirv_instrumented made = lower(words, &info);
    assert_null(made.aborts);
    assert_int_equal(occurrences(made.words, made.word_count, "%int_1 %int_2 %int_1 %int_n1"), 1);
    assert_int_equal(occurrences(made.words, made.word_count, "%uint_1 %uint_7"), 1);
    let_go(&made);
    info.constants = constants;
    info.constant_count = 1;
    made = lower(words, &info);
    assert_int_equal(occurrences(made.words, made.word_count, "%uint_5 %uint_6"), 1);
    let_go(&made);
    spirv_module_free(&module);
    free(words.data);
}

/* What has no string in front is listed, and so is what a format leaves over; a string that is left over is a format. */
static void messages_are_readable(void **state)
{
    static const uint8_t bytes[] = "first\0rest %d|\xfe\xff\0\x3c\1\0\0\0\2\0\0\0";
    const struct spirv_abort_argument arguments[] = {
        {.kind = SPIRV_PRINTF_STRING, .bits = 8, .components = 1, .offset = 0, .count = 6, .stride = 1},
        {.kind = SPIRV_PRINTF_FLOAT, .bits = 16, .components = 1, .offset = 16, .count = 1},
        {.kind = SPIRV_PRINTF_STRING, .bits = 8, .components = 1, .offset = 6, .count = 8, .stride = 1},
        {.kind = SPIRV_PRINTF_INT, .bits = 16, .components = 1, .offset = 14, .count = 1},
        {.kind = SPIRV_PRINTF_UINT, .bits = 32, .components = 2, .offset = 18, .count = 1, .stride = 4},
    };
    struct spirv_abort_site site = {.size = sizeof(bytes) - 1, .argument_count = 5, .arguments = arguments};
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

/* Loops that may wait look whether the device is aborted; others do not. */
static void waits_end(void **state)
{
    static const struct {
        const char *body;
        uint32_t looks;
    } loops[] = {
        {"%b = OpAtomicOr %u32 %p %u1 %u0 %u1\n", 1},
        {"%b = OpLoad %u32 %p Volatile\n", 1},
        {"%b = OpLoad %u32 %p\n", 0},
        {"%b = OpFunctionCall %u32 %asks %p\n", 1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(loops); i++) {
        char buffer[16];
        struct string_builder text;
        string_builder_begin(&text, buffer, sizeof(buffer));
        string_builder_add(&text, "OpCapability Shader\nOpCapability VariablePointersStorageBuffer\nOpMemoryModel "
                                  "Logical GLSL450\n" COMPUTE DECORATIONS TYPES
                                  "%fn_at = OpTypeFunction %u32 %at\n%asks = OpFunction %u32 None %fn_at\n"
                                  "%x = OpFunctionParameter %at\n%a0 = OpLabel\n%y = OpAtomicLoad %u32 %x %u1 "
                                  "%u0\nOpReturnValue %y\n"
                                  "OpFunctionEnd\n%main = OpFunction %void None %fn\n%entry = OpLabel\n" LOAD
                                  "OpBranch %loop\n%loop = OpLabel\nOpLoopMerge %after %next None\nOpBranch "
                                  "%body\n%body = OpLabel\n");
        string_builder_add(&text, loops[i].body);
        string_builder_add(&text, "%more = OpINotEqual %bool %b %u42\nOpBranchConditional %more %next %after\n%next = "
                                  "OpLabel\n"
                                  "OpBranch %loop\n%after = OpLabel\nOpReturn\nOpFunctionEnd\n");
        struct words words = assemble(SPV_ENV_VULKAN_1_3, text.text);
        struct spirv_module module = parse(words);
        struct spirv_instrument_info info = info_of(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
        struct spirv_instrumented made;
        assert_int_equal(spirv_instrument(&module, &info, &made), loops[i].looks);
        spirv_module_free(&module);
        if (loops[i].looks) {
            let_go(&made);
            made = lower(words, &info);
            assert_int_equal(occurrences(made.words, made.word_count, "OpPhi %bool %false"),
                             1); /* where it was not asked */
            let_go(&made);
        }
        string_builder_end(&text);
        free(words.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_lowered),
        cmocka_unit_test(fragments_end),
        cmocka_unit_test(the_specifications_example),
        cmocka_unit_test(constants_stay_here),
        cmocka_unit_test(layouts_are_followed),
        cmocka_unit_test(long_arrays_are_written_in_a_loop),
        cmocka_unit_test(loops_in_loops),
        cmocka_unit_test(constant_data_is_specialized),
        cmocka_unit_test(constant_data_becomes_constants),
        cmocka_unit_test(messages_are_readable),
        cmocka_unit_test(waits_end),
    };
    return cmocka_run_group_tests(tests, read_library, free_library);
}
