/* Numbers that are none: a NaN or an infinity that a shader computes and stores, or is given. */
#include "gpu/gpu_world.h"

#include "gpu_nan.h"

#define WITH_NAN GPU_SETTINGS("gpuav_nan=true"), .features = &gpu_features_plain
#define IN_COMPUTE \
    GPU_TEXT_STAGE("Compute. Global invocation ID (x,y,z) = (5, 0, 0)"), "vkCmdDispatch"
#define MINUS(x_) ((uint32_t)-(x_))

static void run_with(struct baseline *b, enum gpu_stage stage, struct gpu_code code,
                     struct gpu_code fragment, uint32_t index, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, stage);
    g.code = code;
    if (fragment.words)
        g.fragment = fragment;
    g.index = index;
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}

/* Two runs of a compute shader: of numbers that make what is none, and of others. */
#define PAIR(name_, bad_a_, bad_b_, good_a_, good_b_, id_, ...)                                 \
    SCENARIO(name_##_none, WITH_NAN, .expect = {id_}, .text = {IN_COMPUTE, __VA_ARGS__})        \
    {                                                                                           \
        run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_##name_), (struct gpu_code){0}, bad_a_,  \
                 bad_b_);                                                                       \
    }                                                                                           \
    SCENARIO(name_##_number, WITH_NAN)                                                          \
    {                                                                                           \
        run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_##name_), (struct gpu_code){0}, good_a_, \
                 good_b_);                                                                      \
    }

PAIR(divided, 0, 0, 0, 1, "ASSAY-ShaderNaN", "a / b",
     "NaN is stored to a buffer: OpFDiv made it of 0 and 0.")
PAIR(component, 0, 3, 2, 3, "ASSAY-ShaderInfinity",
     "infinity (component 2) is stored to a buffer: OpFDiv made it of 3 and 0.")
PAIR(constructed, MINUS(2), 0, 2, 1, "ASSAY-ShaderInfinity",
     "-infinity is stored to a buffer: OpFDiv made it of -2 and 0.")
/* Another component is a NaN in both, and is not stored. */
PAIR(extracted, 1, 0, 1, 2, "ASSAY-ShaderNaN",
     "NaN is stored to a buffer: OpFDiv made it of 0 and 0.")
PAIR(exponential, 89, 0, 88, 0, "ASSAY-ShaderInfinity",
     "infinity is stored to a buffer: exp made it of 89.")
PAIR(of_a_variable, 0, 0, 2, 0, "ASSAY-ShaderNaN", "number", "NaN is stored to a buffer.")

/* A half holds 65,504 at most. */
static const VkPhysicalDevice16BitStorageFeatures features_of_storage = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
    .storageBuffer16BitAccess = VK_TRUE};
static const VkPhysicalDeviceShaderFloat16Int8Features features_of_halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
    .pNext = (void *)&features_of_storage,
    .shaderFloat16 = VK_TRUE};
static const VkPhysicalDeviceFeatures2 features_with_halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = (void *)&features_of_halves};
#define WITH_HALVES GPU_SETTINGS("gpuav_nan=true"), .features = &features_with_halves
SCENARIO(half_too_small, WITH_HALVES, .expect = {"ASSAY-ShaderInfinity"},
         .text = {IN_COMPUTE, "infinity is stored to a buffer: OpFMul made it of 256 and 256."})
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_of_half), (struct gpu_code){0}, 256, 256);
}
SCENARIO(half_just_large_enough, WITH_HALVES)
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_of_half), (struct gpu_code){0}, 256, 255);
}

static void run_with_image(struct baseline *b, uint32_t other)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_image, gpu_stage_comp);
    g.code = GPU_CODE(spirv_nan_in_an_image);
    g.other = other;
    gpu_make(&g);
    gpu_run(&g);
}
SCENARIO(image_none, WITH_NAN, .expect = {"ASSAY-ShaderNaN"},
         .text = {IN_COMPUTE, "NaN is stored to an image: OpFDiv made it of 0 and 0."})
{
    run_with_image(b, 0);
}
SCENARIO(image_number, WITH_NAN)
{
    run_with_image(b, 1);
}

/* The sanitizer has the operation, and says what is wrong with its operand. */
SCENARIO(root_of_the_sanitizer, WITH_NAN, .expect = {"SPIRV-Sanitizer-Math"},
         .text = {IN_COMPUTE, "sqrt(-1) is undefined where x is less than 0."})
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_of_a_root), (struct gpu_code){0}, MINUS(1), 0);
}
SCENARIO(root_without_the_sanitizer, GPU_SETTINGS("gpuav_nan=true", "gpuav_shader_sanitizer=false"),
         .features = &gpu_features_plain, .expect = {"ASSAY-ShaderNaN"},
         .text = {IN_COMPUTE, "NaN is stored to a buffer: sqrt made it of -1."})
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_of_a_root), (struct gpu_code){0}, MINUS(1), 0);
}

/* Constants, and bits of other types, are left alone. */
SCENARIO(constant, WITH_NAN)
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_constant), (struct gpu_code){0}, 0, 0);
}
SCENARIO(of_bits, WITH_NAN)
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_of_bits), (struct gpu_code){0}, 0x7fc00001, 0);
}
SCENARIO(moved, WITH_NAN)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = GPU_CODE(spirv_nan_moved);
    gpu_make(&g);
    gpu_fill(b, g.common.buffer, 0, (const uint32_t[]){0x7fc00001, 0x7f800000, 0, 0}, 16);
    gpu_run(&g);
}

/* --- other stages --- */

SCENARIO(position, WITH_NAN, .expect = {"ASSAY-ShaderNaN"},
         .text = {GPU_TEXT_STAGE("Vertex. Vertex index = 0. Instance index = 0"), "vkCmdDraw",
                  "NaN is stored to an output: OpFMul made it of 0.5 and NaN."})
{
    run_with(b, gpu_stage_vert, GPU_CODE(spirv_nan_position), (struct gpu_code){0}, 0, 0);
}
SCENARIO(position_that_is_one, WITH_NAN)
{
    run_with(b, gpu_stage_vert, GPU_CODE(spirv_nan_position), (struct gpu_code){0}, 0, 1);
}
SCENARIO(input, WITH_NAN, .expect = {"ASSAY-ShaderNaN"},
         .text = {"Stage = Fragment.", "vkCmdDraw",
                  "An input of the fragment shader is NaN: the stage before wrote "
                  "it, or interpolation made it."})
{
    run_with(b, gpu_stage_vert, GPU_CODE(spirv_nan_out), GPU_CODE(spirv_nan_in), 0x7fc00001, 0);
}
SCENARIO(input_that_is_one, WITH_NAN)
{
    run_with(b, gpu_stage_vert, GPU_CODE(spirv_nan_out), GPU_CODE(spirv_nan_in), 0x3f800000, 0);
}
SCENARIO(color, WITH_NAN, .expect = {"ASSAY-ShaderNaN"},
         .text = {GPU_TEXT_STAGE("Fragment. Fragment coord (x,y) = (10.5, 20.5)"), "vkCmdDraw",
                  "NaN is stored to an output: it comes of normalize."})
{
    run_with(b, gpu_stage_frag, GPU_CODE(spirv_nan_color), (struct gpu_code){0}, 0, 0);
}
SCENARIO(color_that_is_one, WITH_NAN)
{
    run_with(b, gpu_stage_frag, GPU_CODE(spirv_nan_color), (struct gpu_code){0}, 1, 0);
}

/* --- settings --- */

SCENARIO(nan_off, GPU)
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_divided), (struct gpu_code){0}, 0, 0);
}
SCENARIO(nan_of_safe_mode, GPU_SETTINGS("gpuav_nan=true", "gpuav_safe_mode=true"),
         .features = &gpu_features_plain, .expect = {"ASSAY-ShaderNaN"},
         .text = {"NaN is stored to a buffer: OpFDiv made it of 0 and 0."})
{
    run_with(b, gpu_stage_comp, GPU_CODE(spirv_nan_divided), (struct gpu_code){0}, 0, 0);
}
