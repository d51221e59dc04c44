/* Checks what spirv_tidy() puts in the place of a call, what it drops, and what it leaves alone. */
#include "spirv_tools.h"

#include "spirv/edit/tidy.h"

#define OWN 20 /* ids from here on are the layer's */

/* The module's main calls %20, of three blocks, and %21, of one, which %20 calls, too. */
static const char calls[] = "OpCapability Shader\n"
                            "OpMemoryModel Logical GLSL450\n"
                            "OpEntryPoint GLCompute %1 \"main\"\n"
                            "OpExecutionMode %1 LocalSize 1 1 1\n"
                            "OpName %20 \"once\"\n"
                            "OpName %21 \"twice\"\n"
                            "OpName %30 \"parameter\"\n"
                            "OpDecorate %40 RelaxedPrecision\n"
                            "%2 = OpTypeVoid\n"
                            "%3 = OpTypeFunction %2\n"
                            "%4 = OpTypeInt 32 0\n"
                            "%5 = OpTypeBool\n"
                            "%6 = OpConstant %4 1\n"
                            "%7 = OpConstant %4 2\n"
                            "%8 = OpTypePointer Private %4\n"
                            "%9 = OpVariable %8 Private\n"
                            "%19 = OpConstant %4 78\n"
                            "%22 = OpTypeFunction %4 %4\n"
                            "%23 = OpTypeFunction %4 %4 %4\n"
                            "%24 = OpConstant %4 77\n"
                            "%1 = OpFunction %2 None %3\n"
                            "%10 = OpLabel\n"
                            "%11 = OpIEqual %5 %6 %7\n"
                            "%40 = OpFunctionCall %4 %20 %6\n"
                            "OpSelectionMerge %12 None\n"
                            "OpBranchConditional %11 %13 %12\n"
                            "%13 = OpLabel\n"
                            "%41 = OpFunctionCall %4 %21 %6\n"
                            "OpBranch %12\n"
                            "%12 = OpLabel\n"
                            "%14 = OpPhi %4 %40 %10 %41 %13\n"
                            "OpStore %9 %14\n"
                            "OpReturn\n"
                            "OpFunctionEnd\n"
                            "%20 = OpFunction %4 None %22\n"
                            "%30 = OpFunctionParameter %4\n"
                            "%31 = OpLabel\n"
                            "%32 = OpIEqual %5 %30 %7\n"
                            "OpSelectionMerge %33 None\n"
                            "OpBranchConditional %32 %34 %33\n"
                            "%34 = OpLabel\n"
                            "%35 = OpIAdd %4 %30 %7\n"
                            "OpBranch %33\n"
                            "%33 = OpLabel\n"
                            "%36 = OpPhi %4 %30 %31 %35 %34\n"
                            "%37 = OpFunctionCall %4 %21 %36\n"
                            "OpReturnValue %37\n"
                            "OpFunctionEnd\n"
                            "%21 = OpFunction %4 None %22\n"
                            "%50 = OpFunctionParameter %4\n"
                            "%51 = OpLabel\n"
                            "%52 = OpISub %4 %50 %7\n"
                            "%53 = OpIMul %4 %50 %7\n"
                            "OpReturnValue %52\n"
                            "OpFunctionEnd\n";

/* A loop: its header calls %20, which calls %22; another block calls %21. Only %20 has one block.
 */
static const char loop[] = "OpCapability Shader\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"main\"\n"
                           "OpExecutionMode %1 LocalSize 1 1 1\n"
                           "%2 = OpTypeVoid\n"
                           "%3 = OpTypeFunction %2\n"
                           "%4 = OpTypeBool\n"
                           "%5 = OpConstantTrue %4\n"
                           "%1 = OpFunction %2 None %3\n"
                           "%10 = OpLabel\n"
                           "OpBranch %11\n"
                           "%11 = OpLabel\n"
                           "%40 = OpFunctionCall %2 %20\n"
                           "OpLoopMerge %12 %13 None\n"
                           "OpBranchConditional %5 %14 %12\n"
                           "%14 = OpLabel\n"
                           "%41 = OpFunctionCall %2 %21\n"
                           "OpBranch %13\n"
                           "%13 = OpLabel\n"
                           "OpBranch %11\n"
                           "%12 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n"
                           "%20 = OpFunction %2 None %3\n"
                           "%30 = OpLabel\n"
                           "%42 = OpFunctionCall %2 %22\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n"
                           "%21 = OpFunction %2 None %3\n"
                           "%31 = OpLabel\n"
                           "OpSelectionMerge %32 None\n"
                           "OpBranchConditional %5 %33 %32\n"
                           "%33 = OpLabel\n"
                           "OpBranch %32\n"
                           "%32 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n"
                           "%22 = OpFunction %2 None %3\n"
                           "%34 = OpLabel\n"
                           "OpSelectionMerge %35 None\n"
                           "OpBranchConditional %5 %36 %35\n"
                           "%36 = OpLabel\n"
                           "OpBranch %35\n"
                           "%35 = OpLabel\n"
                           "OpReturn\n"
                           "OpFunctionEnd\n";

/* The module's words when they are tidy, owned (mem_free); valid before and after. */
static uint32_t *tidied_text(const char *text, uint32_t own, uint32_t *count)
{
    struct words words = assemble_text(SPV_ENV_UNIVERSAL_1_3, text);
    expect_valid(SPV_ENV_UNIVERSAL_1_3, words.data, words.count);
    uint32_t *data = mem_alloc(words.count * sizeof(*data));
    assert_non_null(data);
    memcpy(data, words.data, words.count * sizeof(*data));
    *count = (uint32_t)words.count;
    spirv_tidy(&data, count, own);
    expect_valid(SPV_ENV_UNIVERSAL_1_3, data, *count);
    free(words.data);
    return data;
}

static void what_is_called_once_is_inlined(void **state)
{
    uint32_t count, *words = tidied_text(calls, OWN, &count);
    assert_int_equal(occurrences_of(words, count, "OpFunctionCall"), 2);
    assert_int_equal(occurrences_of(words, count, "OpFunctionEnd"), 2);
    assert_int_equal(occurrences_of(words, count, "OpFunctionParameter"), 1);
    assert_int_equal(occurrences_of(words, count, "OpPhi"), 2);
    assert_int_equal(occurrences_of(words, count, "OpName"), 1);
    assert_int_equal(occurrences_of(words, count, "RelaxedPrecision"), 0);
    mem_free(words);
}

static void what_is_of_no_use_goes(void **state)
{
    uint32_t count, *words = tidied_text(calls, OWN, &count);
    assert_int_equal(occurrences_of(words, count, "OpIMul"), 0);
    assert_int_equal(occurrences_of(words, count, "OpISub"), 1);
    assert_int_equal(occurrences_of(words, count, "uint_77"), 0);
    assert_int_equal(occurrences_of(words, count, "OpConstant %uint 78"), 1); /* the program's */
    assert_int_equal(occurrences_of(words, count, "OpTypeFunction"), 2);
    mem_free(words);
}

/* Nothing is the layer's: nothing changes. */
static void what_is_the_programs_stays(void **state)
{
    struct words before = assemble_text(SPV_ENV_UNIVERSAL_1_3, calls);
    uint32_t count, *words = tidied_text(calls, 1000, &count);
    assert_int_equal(count, before.count);
    assert_memory_equal(words, before.data, count * sizeof(*words));
    mem_free(words);
    free(before.data);
}

static void headers_of_loops_are_not_split(void **state)
{
    uint32_t count, *words = tidied_text(loop, OWN, &count);
    assert_int_equal(occurrences_of(words, count, "OpFunctionCall"), 1);
    assert_int_equal(occurrences_of(words, count, "OpFunctionEnd"), 2);
    mem_free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_once_is_inlined),
        cmocka_unit_test(what_is_of_no_use_goes),
        cmocka_unit_test(what_is_the_programs_stays),
        cmocka_unit_test(headers_of_loops_are_not_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
