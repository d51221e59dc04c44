/* Modules that abort, and what is made of them: what unit-abort and unit-abort_flow share. */
#ifndef ASSAY_TESTS_UNIT_ABORT_MODULES_H
#define ASSAY_TESTS_UNIT_ABORT_MODULES_H

#include "spirv_tools.h"

#include "gpu/library_glsl450.h"
#include "spirv/instrument/instrument.h"

#include <spirv/unified1/spirv.h>

/* --- modules --- */

#define CAPABILITIES                                                                         \
    "OpCapability Shader\nOpCapability AbortKHR\nOpCapability ConstantDataKHR\nOpExtension " \
    "\"SPV_KHR_abort\"\n"                                                                    \
    "OpExtension \"SPV_KHR_constant_data\"\nOpMemoryModel Logical GLSL450\n"
#define COMPUTE \
    "OpEntryPoint GLCompute %main \"main\" %data\nOpExecutionMode %main LocalSize 1 1 1\n"
#define COMPUTE_KEPT \
    "OpEntryPoint GLCompute %main \"main\" %data %kept\nOpExecutionMode %main LocalSize 1 1 1\n"
#define DECORATIONS                                                                               \
    "OpDecorate %Data Block\nOpMemberDecorate %Data 0 Offset 0\nOpMemberDecorate %Data 1 Offset " \
    "4\n"                                                                                         \
    "OpDecorate %many ArrayStride 4\nOpDecorate %data DescriptorSet 0\nOpDecorate %data Binding " \
    "0\n"                                                                                         \
    "OpMemberDecorate %Message 0 Offset 0\n"
#define TYPES                                                                                     \
    "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%u32 = OpTypeInt 32 "    \
    "0\n%f32 = OpTypeFloat "                                                                      \
    "32\n"                                                                                        \
    "%false = OpConstantFalse %bool\n%true = OpConstantTrue %bool\n%u0 = OpConstant %u32 0\n%u1 " \
    "= OpConstant %u32 1\n"                                                                       \
    "%u2 = OpConstant %u32 2\n%u4 = OpConstant %u32 4\n%u42 = OpConstant %u32 42\n%u100 = "       \
    "OpConstant %u32 100\n"                                                                       \
    "%many = OpTypeArray %u32 %u100\n%Data = OpTypeStruct %u32 %many\n%at_Data = OpTypePointer "  \
    "StorageBuffer %Data\n"                                                                       \
    "%at = OpTypePointer StorageBuffer %u32\n%local = OpTypePointer Function %u32\n"              \
    "%data = OpVariable %at_Data StorageBuffer\n%Message = OpTypeStruct %u32\n%fn_u32 = "         \
    "OpTypeFunction %u32 %u32\n"
/* u32 checked(u32 x) { if (x == 42) abort(x); return x + 1; } */
#define CHECKED                                                                                  \
    "%checked = OpFunction %u32 None %fn_u32\n%x = OpFunctionParameter %u32\n%c0 = OpLabel\n"    \
    "%is = OpIEqual %bool %x %u42\nOpSelectionMerge %c2 None\nOpBranchConditional %is %c1 "      \
    "%c2\n%c1 = OpLabel\n"                                                                       \
    "%message = OpCompositeConstruct %Message %x\nOpAbortKHR %Message %message\n%c2 = OpLabel\n" \
    "%sum = OpIAdd %u32 %x %u1\nOpReturnValue %sum\nOpFunctionEnd\n"
#define MODULE(main_) CAPABILITIES COMPUTE DECORATIONS TYPES CHECKED main_
#define MAIN(body_) \
    "%main = OpFunction %void None %fn\n%entry = OpLabel\n" body_ "OpReturn\nOpFunctionEnd\n"
#define LOAD "%p = OpAccessChain %at %data %u0\n%a = OpLoad %u32 %p\n"

static struct spirv_module library;

static inline int read_library(void **state)
{
    struct spirv_error error;
    return spirv_module_parse(&library, gpu_library_glsl450, ARRAY_LENGTH(gpu_library_glsl450),
                              &error)
               ? 0
               : -1;
}

static inline int free_library(void **state)
{
    spirv_module_free(&library);
    return 0;
}

static inline struct spirv_instrument_info info_of_aborts(uint32_t model, uint32_t checks)
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
static inline struct spirv_instrumented lower_aborts(struct words words,
                                                     const struct spirv_instrument_info *info)
{
    struct spirv_module module = parse_words(words);
    struct spirv_instrumented once, twice;
    assert_true(spirv_instrument(&module, info, &once));
    assert_true(spirv_instrument(&module, info, &twice));
    assert_int_equal(once.word_count, twice.word_count);
    assert_memory_equal(once.words, twice.words, once.word_count * sizeof(*once.words));
    mem_free(twice.words);
    mem_free(twice.sites);
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
    assert_int_equal(occurrences_of(once.words, once.word_count, "OpAbortKHR"), 0);
    assert_int_equal(occurrences_of(once.words, once.word_count, "SPV_KHR_abort"), 0);
    assert_int_equal(occurrences_of(once.words, once.word_count, "AbortKHR"), 0);
    assert_int_equal(occurrences_of(once.words, once.word_count, "DataKHR"), 0);
    spirv_module_free(&module);
    return once;
}

static inline void let_go(struct spirv_instrumented *made)
{
    mem_free(made->words);
    mem_free(made->sites);
    mem_free(made->aborts);
}

#endif
