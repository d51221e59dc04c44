/* Checks what becomes of the control flow of shaders that abort. Modules of many shapes are
 * lowered, each with nothing else and with all checks, and what comes out is one that the validator
 * accepts. That it does what it should is for tests/fuzz/abort_flow.py and
 * tests/scenarios/gpu/shader_abort.c to see. */
#include "failing_memory.h"
#include "abort_modules.h"

#include <time.h>

#define CASE(name_) "%l" #name_ " = OpLabel\nOpStore %p %u2\nOpBranch %loop\n"

static const struct {
    const char *name, *text;
    uint32_t looks; /* calls after which it is looked whether the invocation ends */
} shapes[] = {
    {"straight", MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\nOpStore %p %r\n")), 1},
    {"nothing after it", MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\n")), 0},
    {"two calls in a block",
     MODULE(MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\n%s = OpFunctionCall %u32 %checked "
                      "%r\nOpStore %p %s\n")),
     2},
    {"a loop of one block",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %r %loop\n"
                      "%r = OpFunctionCall %u32 %checked %i\n%more = OpULessThan %bool %r %a\n"
                      "OpLoopMerge %after %loop None\nOpBranchConditional %more %loop "
                      "%after\n%after = OpLabel\n"
                      "%q = OpPhi %u32 %r %loop\nOpStore %p %q\n")),
     1},
    {"a head with two ways in",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %continue\n"
                      "%r = OpFunctionCall %u32 %checked %i\n%even = OpULessThan %bool %r %u4\n"
                      "OpLoopMerge %after %continue None\nOpBranchConditional %even %left %right\n"
                      "%left = OpLabel\nOpStore %p %r\nOpBranch %joined\n%right = "
                      "OpLabel\nOpBranch %joined\n"
                      "%joined = OpLabel\n%k = OpPhi %u32 %u1 %left %u2 %right\n%over = "
                      "OpULessThan %bool %a %i\n"
                      "OpBranchConditional %over %after %continue\n%continue = OpLabel\n%n = "
                      "OpIAdd %u32 %i %k\n"
                      "OpBranch %loop\n%after = OpLabel\nOpStore %p %a\n")),
     1},
    {"a continue construct",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %back\n"
                      "%w = OpPhi %u32 %a %entry %v %back\nOpLoopMerge %after %continue "
                      "None\nOpBranch %test\n"
                      "%test = OpLabel\n%less = OpULessThan %bool %i %u42\nOpBranchConditional "
                      "%less %body %after\n"
                      "%body = OpLabel\n%q = OpAccessChain %at %data %u1 %i\n%d = OpLoad %u32 %q\n"
                      "OpSelectionMerge %join None\nOpSwitch %d %join 0 %zero 1 %one\n%zero = "
                      "OpLabel\nOpBranch %one\n"
                      "%one = OpLabel\n%o = OpPhi %u32 %u4 %body %u2 %zero\nOpBranch %continue\n"
                      "%join = OpLabel\nOpStore %q %w\nOpBranch %continue\n%continue = OpLabel\n"
                      "%v = OpPhi %u32 %o %one %d %join\n%r = OpFunctionCall %u32 %checked %v\n"
                      "%s = OpIAdd %u32 %r %d\nOpStore %q %s\n%odd = OpIEqual %bool %s "
                      "%w\nOpSelectionMerge %back None\n"
                      "OpBranchConditional %odd %then %back\n%then = OpLabel\n%t = OpFunctionCall "
                      "%u32 %checked %s\n"
                      "OpBranch %back\n%back = OpLabel\n%n = OpPhi %u32 %r %continue %t "
                      "%then\nOpBranch %loop\n"
                      "%after = OpLabel\nOpStore %p %i\n")),
     2},
    {"a loop that ends after its body",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %r %continue\n"
                      "OpLoopMerge %after %continue None\nOpBranch %body\n%body = OpLabel\n"
                      "%q = OpAccessChain %at %data %u1 %i\n%d = OpLoad %u32 %q\n%far = "
                      "OpULessThan %bool %u4 %d\n"
                      "OpSelectionMerge %go None\nOpBranchConditional %far %leave %go\n%leave = "
                      "OpLabel\n"
                      "%e = OpIMul %u32 %d %d\nOpBranch %after\n%go = OpLabel\nOpBranch "
                      "%continue\n%continue = OpLabel\n"
                      "%r = OpFunctionCall %u32 %checked %d\n%more = OpULessThan %bool %r %u42\n"
                      "OpBranchConditional %more %loop %after\n%after = OpLabel\n"
                      "%z = OpPhi %u32 %e %leave %r %continue\n%y = OpIAdd %u32 %z %i\n%u = OpIAdd "
                      "%u32 %y %d\n"
                      "OpStore %q %u\n")),
     1},
    {"a loop in a continue construct",
     MODULE(MAIN(LOAD
                 "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %back\n"
                 "OpLoopMerge %after %continue None\nOpBranch %test\n%test = OpLabel\n"
                 "%less = OpULessThan %bool %i %u4\nOpBranchConditional %less %body %after\n%body "
                 "= OpLabel\n"
                 "OpBranch %continue\n%continue = OpLabel\nOpBranch %inner\n%inner = OpLabel\n"
                 "%k = OpPhi %u32 %i %continue %m %inner_continue\nOpLoopMerge %back "
                 "%inner_continue None\n"
                 "OpBranch %inner_test\n%inner_test = OpLabel\n%lower = OpULessThan %bool %k %u42\n"
                 "OpBranchConditional %lower %inner_body %back\n%inner_body = OpLabel\n"
                 "%r = OpFunctionCall %u32 %checked %k\nOpStore %p %r\nOpBranch %inner_continue\n"
                 "%inner_continue = OpLabel\n%m = OpFunctionCall %u32 %checked %k\n%m2 = OpIAdd "
                 "%u32 %m %i\n"
                 "OpBranch %inner\n%back = OpLabel\n%n = OpIAdd %u32 %k %u1\nOpBranch "
                 "%loop\n%after = OpLabel\n"
                 "OpStore %p %i\n")),
     2},
    {"a switch that falls through",
     MODULE(MAIN(LOAD "OpSelectionMerge %after None\nOpSwitch %a %default 1 %one 2 %two\n%default "
                      "= OpLabel\n"
                      "OpBranch %after\n%one = OpLabel\n%r = OpFunctionCall %u32 %checked "
                      "%a\nOpStore %p %r\n"
                      "OpBranch %two\n%two = OpLabel\n%f = OpPhi %u32 %a %entry %r %one\n"
                      "%s = OpFunctionCall %u32 %checked %f\nOpBranch %after\n%after = OpLabel\n"
                      "%z = OpPhi %u32 %u0 %default %s %two\nOpStore %p %z\n")),
     2},
    {"what never comes back",
     CAPABILITIES COMPUTE DECORATIONS TYPES
     "%never = OpFunction %void None %fn\n%n0 = OpLabel\n%message = OpCompositeConstruct %Message "
     "%u1\n"
     "OpAbortKHR %Message %message\nOpFunctionEnd\n"
     "%main = OpFunction %void None %fn\n%entry = OpLabel\n%v = OpVariable %local Function %u2\n%r "
     "= OpFunctionCall %void %never\n"
     "OpUnreachable\nOpFunctionEnd\n",
     1},
    {"what nobody calls",
     MODULE(MAIN("") "%other = OpFunction %u32 None %fn_u32\n%y = OpFunctionParameter %u32\n%o0 = "
                     "OpLabel\n"
                     "%m2 = OpCompositeConstruct %Message %y\nOpAbortKHR %Message "
                     "%m2\nOpFunctionEnd\n"),
     0},
    {"in the entry point",
     CAPABILITIES COMPUTE DECORATIONS TYPES
         MAIN(LOAD "%less = OpULessThan %bool %a %u4\nOpSelectionMerge %after "
                   "None\nOpBranchConditional %less %then %else\n"
                   "%then = OpLabel\n%m = OpCompositeConstruct %Message %a\nOpAbortKHR %Message "
                   "%m\n%else = OpLabel\n"
                   "OpBranch %after\n%after = OpLabel\nOpStore %p %u1\n"),
     0},
    {"callers of callers",
     MODULE("%outer = OpFunction %u32 None %fn_u32\n%y = OpFunctionParameter %u32\n%o0 = OpLabel\n"
            "%o1 = OpVariable %local Function\nOpStore %o1 %y\n%t = OpFunctionCall %u32 %checked "
            "%y\n"
            "%o2 = OpLoad %u32 %o1\nOpReturnValue %o2\nOpFunctionEnd\n" MAIN(LOAD
                                                                             "%r = OpFunctionCall "
                                                                             "%u32 %outer "
                                                                             "%a\nOpStore %p "
                                                                             "%r\n")),
     2},
    {"a head that ends a switch of many cases",
     MODULE(MAIN(LOAD
                 "OpSelectionMerge %loop None\nOpSwitch %a %loop 0 %l0 1 %l1 2 %l2 3 %l3 4 %l4 5 "
                 "%l5 6 %l6 7 %l7 8 %l8 9 %l9 10 %la 11 %lb 12 %lc 13 %ld 14 %le 15 %lf 16 %lg 17 "
                 "%lh\n" CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
                     CASE(9) CASE(a) CASE(b) CASE(c) CASE(d) CASE(e) CASE(f) CASE(g)
                         CASE(h) "%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %u1 %l0 %u1 %l1 %u1 "
                                 "%l2 %u1 %l3 %u1 %l4 %u1 %l5 %u1 %l6 %u1 %l7 %u1 %l8 %u1 %l9 %u1 "
                                 "%la %u1 %lb %u1 %lc %u1 %ld %u1 %le %u1 %lf %u1 %lg %u1 %lh %r "
                                 "%continue\n"
                                 "%less = OpULessThan %bool %i %u42\nOpLoopMerge %after %continue "
                                 "None\n"
                                 "OpBranchConditional %less %body %after\n%body = OpLabel\nOpStore "
                                 "%p %i\nOpBranch %continue\n"
                                 "%continue = OpLabel\n%r = OpFunctionCall %u32 %checked "
                                 "%i\nOpBranch %loop\n%after = OpLabel\nOpStore %p %u1\n")),
     1},
    {"a continue target that is the head of a loop",
     MODULE(MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %back\n"
                      "OpLoopMerge %after %inner None\nOpBranch %test\n%test = OpLabel\n"
                      "%less = OpULessThan %bool %i %u42\nOpBranchConditional %less %body "
                      "%after\n%body = OpLabel\n"
                      "%odd = OpIEqual %bool %a %i\nOpSelectionMerge %right "
                      "None\nOpBranchConditional %odd %left %right\n"
                      "%left = OpLabel\nOpStore %p %i\nOpBranch %inner\n%right = OpLabel\nOpBranch "
                      "%inner\n%inner = OpLabel\n"
                      "%k = OpPhi %u32 %u1 %left %i %right %m %inner\n%m = OpFunctionCall %u32 "
                      "%checked %k\n"
                      "%lower = OpULessThan %bool %m %a\nOpLoopMerge %back %inner None\n"
                      "OpBranchConditional %lower %inner %back\n%back = OpLabel\n%n = OpIAdd %u32 "
                      "%m %u1\nOpBranch %loop\n"
                      "%after = OpLabel\nOpStore %p %i\n")),
     1},
    {"a value with a layout across the step of a loop",
     CAPABILITIES COMPUTE DECORATIONS TYPES "%at_many = OpTypePointer StorageBuffer %many\n" CHECKED
         MAIN(LOAD
              "%all = OpAccessChain %at_many %data %u1\nOpBranch %loop\n%loop = OpLabel\n"
              "%i = OpPhi %u32 %u0 %entry %n %continue\nOpLoopMerge %after %continue "
              "None\nOpBranch %test\n"
              "%test = OpLabel\n%less = OpULessThan %bool %i %u42\nOpBranchConditional %less %body "
              "%after\n"
              "%body = OpLabel\n%elements = OpLoad %many %all\nOpStore %p %i\nOpBranch %continue\n"
              "%continue = OpLabel\n%r = OpFunctionCall %u32 %checked %i\n"
              "%e = OpCompositeExtract %u32 %elements 7\n%n = OpIAdd %u32 %r %e\nOpBranch %loop\n"
              "%after = OpLabel\nOpStore %p %i\n"),
     1},
    {"a pointer of two across the step of a loop",
     "OpCapability VariablePointersStorageBuffer\n" MODULE(
         MAIN(LOAD "OpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u32 %u0 %entry %n %continue\n"
                   "OpLoopMerge %after %continue None\nOpBranch %test\n%test = OpLabel\n"
                   "%less = OpULessThan %bool %i %u42\nOpBranchConditional %less %body "
                   "%after\n%body = OpLabel\n"
                   "%q = OpAccessChain %at %data %u1 %i\n%odd = OpIEqual %bool %a %i\n%one = "
                   "OpSelect %at %odd %p %q\n"
                   "OpBranch %continue\n%continue = OpLabel\n%r = OpFunctionCall %u32 %checked "
                   "%i\nOpStore %one %r\n"
                   "%n = OpIAdd %u32 %i %u1\nOpBranch %loop\n%after = OpLabel\nOpStore %p %i\n")),
     1},
    {"a switch on 64 bits whose default is its end",
     "OpCapability Int64\n" CAPABILITIES COMPUTE DECORATIONS TYPES "%u64 = OpTypeInt 64 0\n" CHECKED
         MAIN(LOAD "%wide = OpUConvert %u64 %a\nOpBranch %loop\n%loop = OpLabel\n%i = OpPhi %u64 "
                   "%wide %entry %n %join\n"
                   "OpLoopMerge %after %continue None\nOpBranch %test\n%test = OpLabel\n%low = "
                   "OpUConvert %u32 %i\n"
                   "%less = OpULessThan %bool %low %u42\nOpBranchConditional %less %body "
                   "%after\n%body = OpLabel\n"
                   "OpStore %p %low\nOpBranch %continue\n%continue = OpLabel\nOpSelectionMerge "
                   "%join None\n"
                   "OpSwitch %i %join 4294967296 %one 7 %two\n%one = OpLabel\n%r = OpFunctionCall "
                   "%u32 %checked %low\n"
                   "OpBranch %join\n%two = OpLabel\n%s = OpFunctionCall %u32 %checked "
                   "%u2\nOpBranch %join\n%join = OpLabel\n"
                   "%t = OpPhi %u32 %u1 %continue %r %one %s %two\n%t64 = OpUConvert %u64 %t\n%n = "
                   "OpIAdd %u64 %i %t64\n"
                   "OpBranch %loop\n%after = OpLabel\nOpStore %p %u1\n"),
     2},
    {"a function that gives an address",
     "OpCapability Shader\nOpCapability AbortKHR\nOpCapability "
     "PhysicalStorageBufferAddresses\nOpExtension \"SPV_KHR_abort\"\n"
     "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n" COMPUTE DECORATIONS
     "OpDecorate %fx Aliased\n" TYPES "%far_at = OpTypePointer PhysicalStorageBuffer %u32\n%fn_far "
     "= OpTypeFunction %far_at %far_at\n"
     "%v2 = OpTypeVector %u32 2\n"
     "%far = OpFunction %far_at None %fn_far\n%fx = OpFunctionParameter %far_at\n%f0 = OpLabel\n"
     "%fv = OpLoad %u32 %fx Aligned 4\n%is = OpIEqual %bool %fv %u42\nOpSelectionMerge %f2 None\n"
     "OpBranchConditional %is %f1 %f2\n%f1 = OpLabel\n%message = OpCompositeConstruct %Message "
     "%fv\n"
     "OpAbortKHR %Message %message\n%f2 = OpLabel\nOpReturnValue %fx\nOpFunctionEnd\n" MAIN(
         LOAD "%pair = OpCompositeConstruct %v2 %a %a\n%there = OpBitcast %far_at %pair\n"
              "%r = OpFunctionCall %far_at %far %there\nOpStore %r %u1 Aligned 4\n"),
     1},
};

static void shapes_are_lowered(void **state)
{
    for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++) {
        print_message("%s\n", shapes[i].name);
        struct words words = assemble_text(SPV_ENV_VULKAN_1_3, shapes[i].text);
        /* which the validator took in its time */
        if (strcmp(shapes[i].name, "a head with two ways in") != 0)
            expect_valid(SPV_ENV_VULKAN_1_3, words.data, words.count);
        for (uint32_t way = 0; way < 2; way++) {
            struct spirv_instrument_info info =
                info_of_aborts(SpvExecutionModelGLCompute, way ? UINT32_MAX : SPIRV_CHECK_ABORT);
            struct spirv_instrumented made = lower_aborts(words, &info);
            /* One where it is looked up after each call, and none else in main. */
            if (!way)
                assert_int_equal(occurrences_of(made.words, made.word_count, "OpLoad %bool"),
                                 shapes[i].looks);
            let_go(&made);
        }
        free(words.data);
    }
}

/* Fragments end where they abort: nothing is looked at after calls. */
static void fragments_end(void **state)
{
    struct words words =
        assemble_text(SPV_ENV_VULKAN_1_3, CAPABILITIES
                      "OpEntryPoint Fragment %main \"main\" %data\nOpExecutionMode %main "
                      "OriginUpperLeft\n" DECORATIONS TYPES CHECKED
                          MAIN(LOAD "%r = OpFunctionCall %u32 %checked %a\nOpStore %p %r\n"));
    struct spirv_instrument_info info =
        info_of_aborts(SpvExecutionModelFragment, SPIRV_CHECK_ABORT);
    struct spirv_instrumented made = lower_aborts(words, &info);
    assert_int_equal(occurrences_of(made.words, made.word_count, "OpTerminateInvocation"), 1);
    assert_int_equal(occurrences_of(made.words, made.word_count, "OpLoad %bool"), 0);
    let_go(&made);
    free(words.data);
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
        string_builder_add(&text,
                           "OpCapability Shader\nOpCapability "
                           "VariablePointersStorageBuffer\nOpMemoryModel Logical GLSL450\n" COMPUTE
                               DECORATIONS TYPES
                           "%fn_at = OpTypeFunction %u32 %at\n%asks = OpFunction %u32 None %fn_at\n"
                           "%x = OpFunctionParameter %at\n%a0 = OpLabel\n%y = OpAtomicLoad %u32 %x "
                           "%u1 %u0\nOpReturnValue %y\n"
                           "OpFunctionEnd\n%main = OpFunction %void None %fn\n%entry = "
                           "OpLabel\n" LOAD "OpBranch %loop\n%loop = OpLabel\nOpLoopMerge %after "
                           "%next None\nOpBranch %body\n%body = OpLabel\n");
        string_builder_add(&text, loops[i].body);
        string_builder_add(&text, "%more = OpINotEqual %bool %b %u42\nOpBranchConditional %more "
                                  "%next %after\n%next = OpLabel\n"
                                  "OpBranch %loop\n%after = OpLabel\nOpReturn\nOpFunctionEnd\n");
        struct words words = assemble_text(SPV_ENV_VULKAN_1_3, text.text);
        struct spirv_module module = parse_words(words);
        struct spirv_instrument_info info =
            info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
        struct spirv_instrumented made;
        assert_int_equal(spirv_instrument(&module, &info, &made), loops[i].looks);
        spirv_module_free(&module);
        if (loops[i].looks) {
            let_go(&made);
            made = lower_aborts(words, &info);
            assert_int_equal(occurrences_of(made.words, made.word_count, "OpPhi %bool %false"),
                             1); /* where it was not asked */
            let_go(&made);
        }
        string_builder_end(&text);
        free(words.data);
    }
}

/* Whichever functions ask for mesh shaders, all invocations do so at one place, at the end. They
 * ask for what they have noted, and for none where they have aborted before. */
#define TASK(more_)                                                                            \
    "OpCapability MeshShadingEXT\nOpCapability Shader\nOpCapability AbortKHR\nOpExtension "    \
    "\"SPV_KHR_abort\"\n"                                                                      \
    "OpExtension \"SPV_EXT_mesh_shader\"\nOpMemoryModel Logical GLSL450\n"                     \
    "OpEntryPoint TaskEXT %main \"main\" %data %payload\nOpExecutionMode %main LocalSize 1 1 " \
    "1\n" DECORATIONS TYPES "%at_payload = OpTypePointer TaskPayloadWorkgroupEXT %u32\n"       \
    "%payload = OpVariable %at_payload TaskPayloadWorkgroupEXT\n" CHECKED more_
static void tasks_ask_at_one_place(void **state)
{
    static const struct {
        const char *text;
        uint32_t length; /* of OpEmitMeshTasksEXT */
    } tasks[] = {
        {TASK("%asks = OpFunction %void None %fn\n%k0 = OpLabel\n" LOAD
              "%r = OpFunctionCall %u32 %checked %a\n"
              "OpEmitMeshTasksEXT %r %u1 %u1\nOpFunctionEnd\n" MAIN("%s = OpFunctionCall %void "
                                                                    "%asks\n")),
         4},
        {TASK("%main = OpFunction %void None %fn\n%entry = OpLabel\n" LOAD
              "%r = OpFunctionCall %u32 %checked %a\n"
              "OpStore %payload %r\nOpEmitMeshTasksEXT %r %u1 %u2 %payload\nOpFunctionEnd\n"),
         5},
        {TASK("%main = OpFunction %void None %fn\n%entry = OpLabel\n" LOAD
              "%which = OpIEqual %bool %a %u42\n"
              "OpSelectionMerge %other None\nOpBranchConditional %which %one %other\n%one = "
              "OpLabel\n"
              "OpEmitMeshTasksEXT %u1 %u1 %u1 %payload\n%other = OpLabel\n%r = OpFunctionCall %u32 "
              "%checked %a\n"
              "OpEmitMeshTasksEXT %r %u2 %u2 %payload\nOpFunctionEnd\n"),
         5},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(tasks); i++) {
        struct words words = assemble_text(SPV_ENV_VULKAN_1_3, tasks[i].text);
        for (uint32_t checks = 0; checks < 2; checks++) {
            struct spirv_instrument_info info =
                info_of_aborts(SpvExecutionModelTaskEXT, checks ? UINT32_MAX : SPIRV_CHECK_ABORT);
            struct spirv_instrumented made = lower_aborts(words, &info);
            assert_int_equal(occurrences_of(made.words, made.word_count, "OpEmitMeshTasksEXT"), 1);
            for (uint32_t at = 5; at < made.word_count; at += made.words[at] >> 16) {
                if ((made.words[at] & 0xffff) == SpvOpEmitMeshTasksEXT)
                    assert_int_equal(made.words[at] >> 16, tasks[i].length);
            }
            let_go(&made);
        }
        free(words.data);
    }
}

/* An instruction that says in which function it stands still does so. */
static void task_body_is_named(void **state)
{
    struct words words =
        assemble_text(SPV_ENV_VULKAN_1_3,
                      "OpCapability MeshShadingEXT\nOpCapability Shader\nOpCapability "
                      "AbortKHR\nOpExtension \"SPV_KHR_abort\"\n"
                      "OpExtension \"SPV_EXT_mesh_shader\"\n%notes = OpExtInstImport "
                      "\"NonSemantic.Assay.Notes\"\n"
                      "OpMemoryModel Logical GLSL450\nOpEntryPoint TaskEXT %main \"main\" %data\n"
                      "OpExecutionMode %main LocalSize 1 1 1\n" DECORATIONS TYPES CHECKED
                      "%main = OpFunction %void None %fn\n%entry = OpLabel\n%note = OpExtInst "
                      "%void "
                      "%notes 1 %main\n" LOAD
                      "%r = OpFunctionCall %u32 %checked %a\nOpEmitMeshTasksEXT "
                      "%r %u1 %u2\nOpFunctionEnd\n");
    struct spirv_instrument_info info = info_of_aborts(SpvExecutionModelTaskEXT, SPIRV_CHECK_ABORT);
    struct spirv_instrumented made = lower_aborts(words, &info);
    uint32_t function = 0, notes = 0;
    for (uint32_t at = 5; at < made.word_count; at += made.words[at] >> 16) {
        const uint32_t opcode = made.words[at] & 0xffff;
        if (opcode == SpvOpFunction)
            function = made.words[at + 2];
        if (opcode != SpvOpExtInst || made.words[at + 4] != 1 || made.words[at] >> 16 != 6)
            continue;
        assert_int_equal(made.words[at + 5], function);
        notes++;
    }
    assert_int_equal(notes, 1);
    let_go(&made);
    free(words.data);
}

/* --- large modules --- */

/* `functions` that abort, each called in the step of a loop of main's, and `tests` by which main
 * aborts itself; `waits`: main has an outer loop around all, and looks in it. */
static struct words large_module(uint32_t functions, uint32_t tests, bool waits)
{
    char buffer[16], part[1024];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add(&text, CAPABILITIES COMPUTE DECORATIONS TYPES);
    for (uint32_t i = 0; i < functions; i++) {
        snprintf(part, sizeof(part),
                 "%%fun%u = OpFunction %%u32 None %%fn_u32\n%%x%u = OpFunctionParameter "
                 "%%u32\n%%fa%u = OpLabel\n"
                 "%%fc%u = OpIEqual %%bool %%x%u %%u42\nOpSelectionMerge %%fe%u "
                 "None\nOpBranchConditional %%fc%u %%fb%u %%fe%u\n"
                 "%%fb%u = OpLabel\n%%fm%u = OpCompositeConstruct %%Message %%x%u\nOpAbortKHR "
                 "%%Message %%fm%u\n%%fe%u = OpLabel\n"
                 "OpReturnValue %%x%u\nOpFunctionEnd\n",
                 i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
        string_builder_add(&text, part);
    }
    string_builder_add(&text, "%main = OpFunction %void None %fn\n%entry = OpLabel\n" LOAD);
    if (waits)
        string_builder_add(&text, "OpBranch %outer\n%outer = OpLabel\nOpLoopMerge %end %again "
                                  "None\nOpBranch %inside\n%inside = OpLabel\n%w = OpAtomicLoad "
                                  "%u32 %p %u1 %u0\n");
    for (uint32_t i = 0; i < tests; i++) {
        snprintf(part, sizeof(part),
                 "%%hc%u = OpIEqual %%bool %%a %%u2\nOpSelectionMerge %%he%u "
                 "None\nOpBranchConditional %%hc%u %%hb%u %%he%u\n"
                 "%%hb%u = OpLabel\n%%hm%u = OpCompositeConstruct %%Message %%a\nOpAbortKHR "
                 "%%Message %%hm%u\n%%he%u = OpLabel\n"
                 "OpStore %%p %%u2\n",
                 i, i, i, i, i, i, i, i, i);
        string_builder_add(&text, part);
    }
    for (uint32_t i = 0; i < functions; i++) {
        snprintf(part, sizeof(part),
                 "OpBranch %%l%u\n%%l%u = OpLabel\nOpLoopMerge %%g%u %%s%u None\nOpBranch "
                 "%%t%u\n%%t%u = OpLabel\n"
                 "%%v%u = OpLoad %%u32 %%p\n%%k%u = OpULessThan %%bool %%v%u "
                 "%%u4\nOpBranchConditional %%k%u %%s%u %%g%u\n"
                 "%%s%u = OpLabel\n%%r%u = OpFunctionCall %%u32 %%fun%u %%v%u\nOpStore %%p "
                 "%%r%u\nOpBranch %%l%u\n%%g%u = OpLabel\n",
                 i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
        string_builder_add(&text, part);
    }
    string_builder_add(&text, waits ? "%more = OpINotEqual %bool %w %u42\nOpBranchConditional "
                                      "%more %again %end\n%again = OpLabel\n"
                                      "OpBranch %outer\n%end = OpLabel\nOpReturn\nOpFunctionEnd\n"
                                    : "OpReturn\nOpFunctionEnd\n");
    struct words words = assemble_text(SPV_ENV_VULKAN_1_3, text.text);
    string_builder_end(&text);
    return words;
}

static void large_modules_are_lowered(void **state)
{
    static const struct {
        uint32_t functions, tests;
        bool waits;
    } modules[] = {{0, 2000, false}, {300, 0, false}, {100, 500, true}};
    for (size_t i = 0; i < ARRAY_LENGTH(modules); i++) {
        struct words words = large_module(modules[i].functions, modules[i].tests, modules[i].waits);
        struct spirv_instrument_info info =
            info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
        struct spirv_instrumented made = lower_aborts(words, &info);
        assert_int_equal(made.aborts->count, modules[i].functions + modules[i].tests);
        let_go(&made);
        free(words.data);
    }
}

/* Measures how long it takes. It is not a test of the suite:
 * ASSAY_TEST_LARGE=FUNCTIONS,TESTS,WAITS. */
static void larger_module_is_timed(void **state)
{
    unsigned functions, tests, waits;
    assert_int_equal(sscanf(getenv("ASSAY_TEST_LARGE"), "%u,%u,%u", &functions, &tests, &waits), 3);
    struct words words = large_module(functions, tests, waits);
    struct spirv_instrument_info info =
        info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
    struct spirv_module module = parse_words(words);
    struct spirv_instrumented made;
    struct timespec began, ended;
    clock_gettime(CLOCK_MONOTONIC, &began);
    assert_true(spirv_instrument(&module, &info, &made));
    clock_gettime(CLOCK_MONOTONIC, &ended);
    print_message("%u instructions: %.3f s\n", module.instruction_count,
                  (double)(ended.tv_sec - began.tv_sec) +
                      (double)(ended.tv_nsec - began.tv_nsec) / 1e9);
    let_go(&made);
    spirv_module_free(&module);
    free(words.data);
}

/* --- memory runs out --- */

static int allocations_left = -1; /* until one fails; negative: none does */
static bool fails_once;           /* and not all after it */

bool memory_is_out(void)
{
    bool out = allocations_left == 0;
    if (allocations_left > 0 || (out && fails_once))
        allocations_left--;
    return out;
}

/* Whichever allocation fails: nothing is made, or what is made with memory, perhaps without having
 * been tidied up. A module half lowered would go to the driver. */
static void memory_runs_out(void **state)
{
    for (size_t i = 0; i < ARRAY_LENGTH(shapes); i++) {
        struct words words = assemble_text(SPV_ENV_VULKAN_1_3, shapes[i].text);
        struct spirv_instrument_info info =
            info_of_aborts(SpvExecutionModelGLCompute, SPIRV_CHECK_ABORT);
        struct spirv_module module = parse_words(words);
        struct spirv_instrumented whole = lower_aborts(words, &info), made;
        for (uint32_t way = 0; way < 2; way++) {
            int fails = 0, untidy = 0;
            for (bool went_on = true; went_on; fails++) {
                fails_once = way == 1;
                allocations_left = fails;
                bool done = spirv_instrument(&module, &info, &made);
                went_on =
                    /* it came to the one that fails */
                    allocations_left < 0 || (!fails_once && allocations_left == 0);
                allocations_left = -1;
                if (!done)
                    continue;
                assert_true(made.word_count >= whole.word_count);
                if (made.word_count == whole.word_count)
                    assert_memory_equal(made.words, whole.words,
                                        whole.word_count * sizeof(*whole.words));
                else
                    expect_valid(SPV_ENV_VULKAN_1_3, made.words, made.word_count);
                untidy += made.word_count > whole.word_count;
                assert_int_equal(made.aborts ? made.aborts->count : 0,
                                 whole.aborts ? whole.aborts->count : 0);
                let_go(&made);
            }
            assert_true(fails > 10);
            assert_true(untidy < fails / 2);
        }
        let_go(&whole);
        spirv_module_free(&module);
        free(words.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_lowered),
        cmocka_unit_test(fragments_end),
        cmocka_unit_test(waits_end),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(tasks_ask_at_one_place),
        cmocka_unit_test(task_body_is_named),
        cmocka_unit_test(large_modules_are_lowered),
    };
    const struct CMUnitTest timed[] = {cmocka_unit_test(larger_module_is_timed)};
    if (getenv("ASSAY_TEST_LARGE"))
        return cmocka_run_group_tests(timed, read_library, free_library);
    return cmocka_run_group_tests(tests, read_library, free_library);
}
