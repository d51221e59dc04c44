/* Pipelines of all kinds of layouts and code: a shader is instrumented however it gets there, and
 * its command is known. */
#include "gpu/gpu_world.h"

#include <stdlib.h>

#define OUTSIDE(command_) "VUID-" command_ "-None-10068"

/* --- push constants --- */

static void make_with_ranges(struct gpu *g, const VkPushConstantRange *ranges, uint32_t count)
{
    gpu_make_resources(g);
    gpu_make_layout(g);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(g->set_layouts);
    info.pushConstantRangeCount = count;
    info.pPushConstantRanges = ranges;
    g->layout = create_pipeline_layout(g->b, &info);
    gpu_make_set(g);
    gpu_make_pipeline(g);
    gpu_prepare(g);
    gpu_begin(g);
    gpu_bind(g);
}

/* Each stage its own range, and each is pushed alone: with the layer's bytes after them they
 * overlap on the way down. */
static void draw_with_two_ranges(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_frag);
    const VkPushConstantRange ranges[] = {{VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16},
                                          {VK_SHADER_STAGE_VERTEX_BIT, 16, 8}};
    const uint32_t pushed[4] = {index};
    make_with_ranges(&g, ranges, 2);
    vkCmdPushConstants(g.commands, g.layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16, pushed);
    vkCmdPushConstants(g.commands, g.layout, VK_SHADER_STAGE_VERTEX_BIT, 16, 8, pushed);
    gpu_act(&g);
    gpu_submit(&g);
}
SCENARIO(two_ranges_past_the_end, GPU, .expect = {OUTSIDE("vkCmdDraw")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 5: vkCmdDraw"})
{
    draw_with_two_ranges(b, GPU_LENGTH);
}
SCENARIO(two_ranges_last, GPU)
{
    draw_with_two_ranges(b, GPU_LENGTH - 1);
}

/* The program has taken all push constants: its shaders are checked all the same, but it is unknown
 * which command ran. */
static void dispatch_with_all_push_constants(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    const VkPushConstantRange all = {VK_SHADER_STAGE_ALL, 0,
                                     properties.limits.maxPushConstantsSize};
    g.index = index;
    make_with_ranges(&g, &all, 1);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
}
SCENARIO(all_push_constants_past_the_end, GPU, .expect = {"UNASSIGNED-GPU-Assisted-Validation"},
         .text = {GPU_TEXT_INDEX(6, 6), "Stage = Compute",
                  "result.value = things[push.index].value;"},
         .ours_only = true)
{
    dispatch_with_all_push_constants(b, GPU_LENGTH);
}
SCENARIO(all_push_constants_last, GPU)
{
    dispatch_with_all_push_constants(b, GPU_LENGTH - 1);
}

/* The layout is gone when the command is recorded, and so is the module. */
SCENARIO(nothing_left_but_the_pipeline, GPU, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.index = GPU_LENGTH;
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    gpu_bind(&g);
    gpu_push(&g);
    forget_handle(b, HANDLE(g.layout));
    vkDestroyPipelineLayout(b->device, g.layout, NULL);
    gpu_act(&g);
    gpu_submit(&g);
}

/* --- code without a module --- */

static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    .pNext = (void *)&gpu_features_plain,
    .maintenance5 = VK_TRUE};
#define MAINTENANCE5 \
    GPU_SETTINGS(), .features = &maintenance5, .extensions = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME}

static void dispatch_without_module(struct baseline *b, uint32_t index)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = g.code.size,
                                           .pCode = g.code.words};
    g.index = index;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    VkComputePipelineCreateInfo info = compute_pipeline_info(VK_NULL_HANDLE, g.layout);
    info.stage.pNext = &code;
    g.pipeline = create_compute_pipeline(b, &info);
    gpu_run(&g);
}
SCENARIO(code_in_the_chain_past_the_end, MAINTENANCE5, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    dispatch_without_module(b, GPU_LENGTH);
}
SCENARIO(code_in_the_chain_last, MAINTENANCE5)
{
    dispatch_without_module(b, GPU_LENGTH - 1);
}

/* --- shader objects --- */

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&gpu_features_plain,
    .shaderObject = VK_TRUE};
#define OBJECTS \
    GPU_SETTINGS(), .features = &shader_objects, .extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}

static VkShaderCreateInfoEXT shader_object_info(const struct gpu *g,
                                                const VkPushConstantRange *range)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = g->code.size,
                                   .pCode = g->code.words,
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = g->set_layouts,
                                   .pushConstantRangeCount = 1,
                                   .pPushConstantRanges = range};
}

static void dispatch_index(struct baseline *b, uint32_t index)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    VkShaderEXT shader = VK_NULL_HANDLE;
    g.index = index;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    const VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g.set_layouts);
    const VkShaderCreateInfoEXT info = shader_object_info(&g, layout.pPushConstantRanges);
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    gpu_prepare(&g);
    gpu_begin(&g);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(g.commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(g.commands, g.bind_point, g.layout, 0, 1, g.sets, 0, NULL);
    gpu_push(&g);
    gpu_act(&g);
    gpu_submit(&g);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}
SCENARIO(shader_object_past_the_end, OBJECTS, .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6), "command 3: vkCmdDispatch"})
{
    dispatch_index(b, GPU_LENGTH);
}
SCENARIO(shader_object_last, OBJECTS)
{
    dispatch_index(b, GPU_LENGTH - 1);
}

/* selected shaders; those that are not selected read what lies after the array, which is not
 * reported */

#define SELECTIVE(...)                                                     \
    GPU_SETTINGS("gpuav_select_instrumented_shaders=true", ##__VA_ARGS__), \
        .features = &gpu_features_plain

static void dispatch_past_the_end(struct baseline *b)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.index = GPU_LENGTH;
    gpu_make(&g);
    gpu_run(&g);
}

SCENARIO(nothing_selected, SELECTIVE())
{
    dispatch_past_the_end(b);
}

SCENARIO(other_selected, SELECTIVE("gpuav_shaders_to_instrument=^shadow"))
{
    dispatch_past_the_end(b);
}

SCENARIO(entry_point_selected, SELECTIVE("gpuav_shaders_to_instrument=^shadow;^main$"),
         .expect = {OUTSIDE("vkCmdDispatch")}, .text = {GPU_TEXT_INDEX(6, 6)}, .ours_only = true)
{
    dispatch_past_the_end(b);
}

static void dispatch_module(struct baseline *b, const void *next, const char *name)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .pNext = next,
                                           .codeSize = g.code.size,
                                           .pCode = g.code.words};
    g.index = GPU_LENGTH;
    gpu_make_resources(&g);
    gpu_make_layout(&g);
    gpu_make_set(&g);
    VkShaderModule module = create_shader_module(b, &code);
    if (name)
        gpu_name(b, VK_OBJECT_TYPE_SHADER_MODULE, HANDLE(module), name);
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, g.layout);
    g.pipeline = create_compute_pipeline(b, &info);
    gpu_run(&g);
}

SCENARIO(name_selected, SELECTIVE("gpuav_shaders_to_instrument=shadow.*"),
         .expect = {OUTSIDE("vkCmdDispatch")}, .text = {GPU_TEXT_INDEX(6, 6), "\"shadow pass\""})
{
    dispatch_module(b, NULL, "shadow pass");
}

SCENARIO(module_selects_itself, SELECTIVE(), .expect = {OUTSIDE("vkCmdDispatch")},
         .text = {GPU_TEXT_INDEX(6, 6)},
         .instance_extensions = {VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME})
{
    const VkValidationFeatureEnableEXT enable = VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT;
    const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                              .enabledValidationFeatureCount = 1,
                                              .pEnabledValidationFeatures = &enable};
    dispatch_module(b, &features, NULL);
}

/* --- for work on the layer --- */

SCENARIO(instrumented_code_is_valid, GPU_SETTINGS("gpuav_debug_validate_instrumented_shaders=true"),
         .features = &gpu_features_plain, .expect = {OUTSIDE("vkCmdDispatch")}, .ours_only = true)
{
    dispatch_past_the_end(b);
}

SCENARIO(all_disabled, GPU_SETTINGS("gpuav_debug_disable_all=true"),
         .features = &gpu_features_plain, .ours_only = true)
{
    dispatch_past_the_end(b);
}

SCENARIO(instrumentation_off, GPU_SETTINGS("gpuav_shader_instrumentation=false"),
         .features = &gpu_features_plain)
{
    dispatch_past_the_end(b);
}

SCENARIO(shaders_are_written_to_files, GPU_SETTINGS("gpuav_debug_dump_instrumented_shaders=true"),
         .features = &gpu_features_plain, .ours_only = true)
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_make(&g);
    EXPECT_EQUAL(system("ls assay-shader-*-before.spv assay-shader-*-after.spv | wc -l | "
                        "grep -qx 2"),
                 0);
}
