/* Arithmetic that has no answer: divisions, shifts, bits and indices, functions outside of where
 * they are defined. */
#include "gpu/gpu_world.h"

#include "gpu_checks.h"
#include "gpu_more.h"

static void compute_code(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                         uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    g.count = 1;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

#define IN_COMPUTE \
    GPU_TEXT_STAGE("Compute. Global invocation ID (x,y,z) = (5, 0, 0)"), "vkCmdDispatch"
/* With what is undefined, and with what is not. */
#define PAIR(name_, bad_index_, bad_other_, good_index_, good_other_, id_, ...)                    \
    SCENARIO(name_##_undefined, GPU, .expect = {"SPIRV-Sanitizer-" id_},                           \
             .text = {IN_COMPUTE, __VA_ARGS__})                                                    \
    {                                                                                              \
        compute_code(b, gpu_stage_comp, GPU_CODE(spirv_##name_##_comp), bad_index_, bad_other_);   \
    }                                                                                              \
    SCENARIO(name_##_defined, GPU)                                                                 \
    {                                                                                              \
        compute_code(b, gpu_stage_comp, GPU_CODE(spirv_##name_##_comp), good_index_, good_other_); \
    }

#define MINUS(x_)    ((uint32_t)-(x_))
#define NOT_A_NUMBER 0x7fc00000u
#define ONE          0x3f800000u

PAIR(udiv, 0, 0, 2, 0, "Divide-By-Zero", "7u / push.index",
     "Division of 7 by zero: the behavior of OpUDiv is undefined.")
PAIR(umod, 0, 0, 2, 0, "Divide-By-Zero", "7u % push.index",
     "Division of 7 by zero: the behavior of OpUMod is undefined.")
PAIR(sdiv, 0, MINUS(9), 2, MINUS(9), "Divide-By-Zero", "int(push.other) / int(push.index)",
     "Division of -9 by zero: the behavior of OpSDiv is undefined.")
PAIR(divided_vector, 0, 1, 1, 1, "Divide-By-Zero", "uvec4(1, 2, push.index, push.other)",
     "Division of 8 by zero (component 2): the behavior of OpUDiv is undefined.")
PAIR(fmod, 0, 0, 2, 0, "Divide-By-Zero", "mod(3.5, float(push.index))",
     "Division of 3.5 by zero: the result of OpFMod is undefined.")
PAIR(shift, 32, 0, 31, 0, "Shift", "1u << push.index",
     "Shift of a value of 32 bits by 32: the result of OpShiftLeftLogical is undefined from 32 on.")
PAIR(shifted_vector, 99, 0, 31, 0, "Shift", "uvec4(1, push.index, 2, 3)",
     "Shift of a value of 32 bits by 99 (component 1): the result of OpShiftRightLogical is "
     "undefined from 32 on.")
PAIR(extract, 25, 7, 24, 7, "Bit-Field", "bitfieldExtract(push.other, int(push.index), 8)",
     "8 bits from bit 25 on of a value that has 32: the result of OpBitFieldUExtract is undefined.")
PAIR(insert, 29, 7, 28, 7, "Bit-Field", "bitfieldInsert(push.other, 1u, 4, int(push.index))",
     "29 bits from bit 4 on of a value that has 32: the result of OpBitFieldInsert is undefined.")
PAIR(component, 4, 0, 3, 0, "Vector-Index", "[push.index]",
     "Index of 4 into a vector of 4 components.")
PAIR(power, MINUS(4), 0, 4, 0, "Pow", "pow(float(int(push.index)), 0.5)",
     "pow(-4, 0.5) is undefined where x is less than 0")
PAIR(power_of_zero, 0, MINUS(1), 0, 1, "Pow", "pow(0, -1) is undefined where x is less than 0")
PAIR(angle, 0, 0, 0, 1, "Atan2", "atan(0, 0) is undefined where both are 0.")
PAIR(least, NOT_A_NUMBER, 0, ONE, 0, "Fminmax", "min(uintBitsToFloat(push.index), 1.0)",
     "min(NaN, 1) is either operand where one is a NaN (NMin would give the other).")
PAIR(greatest_vector, NOT_A_NUMBER, ONE, ONE, ONE, "Fminmax",
     "max(NaN, 2) (component 1) is either operand")
PAIR(clamped, 2, 1, 1, 1, "Math",
     "clamp(x, 2, 1) is undefined where the minimum is more than the maximum.")
PAIR(clamped_integer, 2, MINUS(1), MINUS(1), 2, "Math",
     "clamp(x, 2, -1) is undefined where the minimum is more than the maximum.")
PAIR(smoothed, 1, 1, 0, 1, "Math",
     "smoothstep(1, 1, x) is undefined where the first edge is not less than the second.")
PAIR(root, MINUS(1), 0, 0, 0, "Math", "sqrt(-1) is undefined where x is less than 0.")
PAIR(inverse_root, 0, 0, 4, 0, "Math", "inversesqrt(0) is undefined where x is not more than 0.")
PAIR(logarithm, 0, 0, 4, 0, "Math", "log(0) is undefined where x is not more than 0.")
PAIR(arc, 3, 0, 2, 0, "Math", "acos(1.5) is undefined where x is outside of [-1, 1].")

SCENARIO(division_overflows, GPU, .expect = {"SPIRV-Sanitizer-Divide-Overflow"},
         .text = {IN_COMPUTE, "Division of -2147483648 by -1: the behavior of OpSDiv is undefined, "
                              "since the quotient has no room in the type."})
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_sdiv_comp), MINUS(1), 0x80000000u);
}
SCENARIO(division_by_minus_one, GPU)
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_sdiv_comp), MINUS(1), 0x7fffffffu);
}

/* --- stages --- */

SCENARIO(division_in_a_vertex_shader, GPU, .expect = {"SPIRV-Sanitizer-Divide-By-Zero"},
         .text = {GPU_TEXT_STAGE("Vertex. Vertex index = 1. Instance index = 0"), "vkCmdDraw",
                  "7u / push.index"})
{
    compute_code(b, gpu_stage_vert, GPU_CODE(spirv_udiv_vert), 0, 0);
}
SCENARIO(division_in_a_vertex_shader_by_one, GPU)
{
    compute_code(b, gpu_stage_vert, GPU_CODE(spirv_udiv_vert), 1, 0);
}
SCENARIO(division_in_a_fragment_shader, GPU, .expect = {"SPIRV-Sanitizer-Divide-By-Zero"},
         .text = {GPU_TEXT_STAGE("Fragment. Fragment coord (x,y) = (10.5, 20.5)"), "vkCmdDraw",
                  "7u / push.index"})
{
    compute_code(b, gpu_stage_frag, GPU_CODE(spirv_udiv_frag), 0, 0);
}
SCENARIO(division_in_a_fragment_shader_by_one, GPU)
{
    compute_code(b, gpu_stage_frag, GPU_CODE(spirv_udiv_frag), 1, 0);
}

/* --- shaders of many checks, which tell at their end --- */

SCENARIO(one_division_of_many, GPU, .expect = {"SPIRV-Sanitizer-Divide-By-Zero"},
         .text = {IN_COMPUTE, "7u / push.index",
                  "Division of 7 by zero: the behavior of OpUDiv is undefined."})
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_many_udiv_comp), 0, 0);
}
SCENARIO(all_of_many_divisions, GPU)
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_many_udiv_comp), 1, 0);
}
SCENARIO(one_division_of_many_and_discarded, GPU, .expect = {"SPIRV-Sanitizer-Divide-By-Zero"},
         .text = {GPU_TEXT_STAGE("Fragment. Fragment coord (x,y) = (10.5, 20.5)"), "vkCmdDraw",
                  "7u / push.index"})
{
    compute_code(b, gpu_stage_frag, GPU_CODE(spirv_many_udiv_frag), 0, 0);
}
/* Two things are wrong in each of eight invocations: each tells of one, and together they tell of
 * both. */
SCENARIO(two_of_many, GPU, .expect = {"SPIRV-Sanitizer-Divide-By-Zero", "SPIRV-Sanitizer-Shift"},
         .text = {"7u / push.index", "Shift of a value of 32 bits by 32"})
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_many_wrong_comp), 0, 32);
}

/* --- settings --- */

SCENARIO(sanitizer_off, GPU_SETTINGS("gpuav_shader_sanitizer=false"),
         .features = &gpu_features_plain)
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_udiv_comp), 0, 0);
}

/* The division does not happen: its result is 0. */
SCENARIO(division_in_safe_mode, GPU_SETTINGS("gpuav_safe_mode=true"),
         .features = &gpu_features_plain, .expect = {"SPIRV-Sanitizer-Divide-By-Zero"},
         .text = {IN_COMPUTE})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const float before = 5;
    float after = before;
    g.code = GPU_CODE(spirv_udiv_comp);
    g.count = 1;
    gpu_make(&g);
    gpu_fill(b, g.result, 0, &before, sizeof(before));
    gpu_run(&g);
    gpu_read(b, g.result, 0, &after, sizeof(after));
    ENSURE(after == 0);
}

/* An undefined value may look like a NaN to a check, and like a number to the instruction. */
SCENARIO(maximum_of_what_is_not_read, GPU)
{
    compute_code(b, gpu_stage_comp, GPU_CODE(spirv_maximum_in_part), 1, 0);
}
