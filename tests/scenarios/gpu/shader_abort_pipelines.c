/* Shaders that give up (VK_KHR_shader_abort as the layer has it), however they get to the driver.
 * They come by libraries, shader objects, no module, or a pipeline cache, with all push constants
 * taken. Secondary command buffers and each kind of dispatch run them. */
#include "gpu/abort_world.h"

#include <stdlib.h>
#include <string.h>

#include "shader_abort_stages.h"

/* gives up in workgroup 3 (constant 7) when 42 is pushed */
#define ABORTING GPU_CODE(spirv_plain_comp_abort)
#define SAYS                                      \
    .text = {"The shader has aborted: group 3. ", \
             "Stage = Compute. Global invocation ID (x,y,z) = (3, 0, 0)"}
#define SAYS_ALSO(...)                            \
    .text = {"The shader has aborted: group 3. ", \
             "Stage = Compute. Global invocation ID (x,y,z) = (3, 0, 0)", __VA_ARGS__}

/* Eight values from the result: which workgroups came to their end. */
static void expect_ended(struct gpu *g, uint32_t first, uint32_t count, uint32_t aborted)
{
    uint32_t values[8];
    gpu_read(g->b, g->result, 0, values, sizeof(values));
    for (uint32_t i = 0; i < 8; i++)
        EXPECT_EQUAL(values[i], i >= first && i < first + count && i != aborted);
}

static struct gpu aborting_world(struct baseline *b)
{
    return abort_world(b, gpu_stage_comp, ABORTING, 42, 64);
}

static void submit_lost(struct gpu *g)
{
    VK(vkEndCommandBuffer(g->commands));
    EXPECT_EQUAL(abort_submit_and_wait(g->b, g->commands), VK_ERROR_DEVICE_LOST);
}

/* Without a pipeline: the caller makes it. */
static struct gpu world_without(struct baseline *b)
{
    static const uint32_t nothing[16];
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    g.code = ABORTING;
    g.count = 1;
    g.index = 42;
    gpu_make_resources(&g);
    gpu_fill(b, g.result, 0, nothing, sizeof(nothing));
    gpu_make_layout(&g);
    gpu_make_set(&g);
    return g;
}

static void begin_abort(struct gpu *g)
{
    gpu_prepare(g);
    gpu_begin(g);
    gpu_bind(g);
    gpu_push(g);
}

/* --- commands --- */

static void fill_groups(struct baseline *b, VkBuffer buffer, uint32_t groups)
{
    const VkDispatchIndirectCommand size = {groups, 1, 1};
    gpu_fill(b, buffer, 0, &size, sizeof(size));
}

SCENARIO(dispatched_indirectly, ABORT, SAYS_ALSO("vkCmdDispatchIndirect"))
{
    struct gpu g = aborting_world(b);
    VkBuffer size = make_buffer(b, 16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    fill_groups(b, size, 5);
    begin_abort(&g);
    vkCmdDispatchIndirect(g.commands, size, 0);
    submit_lost(&g);
    expect_ended(&g, 0, 5, 3);
}

SCENARIO(dispatched_from_a_base, ABORT, SAYS_ALSO("vkCmdDispatchBase"))
{
    struct gpu g = world_without(b);
    g.pipeline_flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    gpu_make_pipeline(&g);
    begin_abort(&g);
    vkCmdDispatchBase(g.commands, 2, 0, 0, 3, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 2, 3, 3);
}

static VkCommandBuffer make_aborting_secondary(struct gpu *g, uint32_t index)
{
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inherited;
    VkCommandBuffer primary = g->commands;
    g->commands = make_command_buffer(g->b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer secondary = g->commands;
    g->index = index;
    VK(vkBeginCommandBuffer(secondary, &info));
    gpu_bind(g);
    gpu_push(g);
    vkCmdDispatch(secondary, 4, 1, 1);
    VK(vkEndCommandBuffer(secondary));
    g->commands = primary;
    return secondary;
}

SCENARIO(in_a_secondary, ABORT, SAYS_ALSO("vkCmdDispatch"))
{
    struct gpu g = aborting_world(b);
    const VkCommandBuffer secondaries[] = {make_aborting_secondary(&g, 41),
                                           make_aborting_secondary(&g, 42),
                                           make_aborting_secondary(&g, 41)};
    g.commands = make_recording(b);
    vkCmdExecuteCommands(g.commands, 3, secondaries);
    submit_lost(&g);
    expect_ended(&g, 0, 4, UINT32_MAX); /* the first has been there */
}

/* --- constants, caches, push constants --- */

/* The specialized workgroup gives up; pipelines from a cache of the program's, the second time too.
 */
SCENARIO(specialized_and_cached, ABORT, .text = {"The shader has aborted: group 1. "})
{
    static const uint32_t when = 1;
    static const VkSpecializationMapEntry entry = {7, 0, 4};
    const VkSpecializationInfo specialization = {1, &entry, 4, &when};
    struct gpu g = world_without(b);
    VkPipelineCache cache = make_pipeline_cache(b);
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(b, g.code.words, g.code.size), g.layout);
    VkPipeline first = VK_NULL_HANDLE;
    VK(vkCreateComputePipelines(b->device, cache, 1, &info, NULL, &first)); /* not specialized */
    vkDestroyPipeline(b->device, first, NULL);
    info.stage.pSpecializationInfo = &specialization;
    for (int i = 0; i < 2; i++) {
        if (g.pipeline)
            vkDestroyPipeline(b->device, g.pipeline, NULL);
        VK(vkCreateComputePipelines(b->device, cache, 1, &info, NULL, &g.pipeline));
    }
    begin_abort(&g);
    vkCmdDispatch(g.commands, 4, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 0, 4, 1);
    vkDestroyPipeline(b->device, g.pipeline, NULL);
}

/* The program has taken all push constants: it is unknown which command it was. */
SCENARIO(all_push_constants, ABORT, SAYS)
{
    struct gpu g = world_without(b);
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    const VkPushConstantRange all = {VK_SHADER_STAGE_ALL, 0,
                                     properties.limits.maxPushConstantsSize};
    VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g.set_layouts);
    layout.pPushConstantRanges = &all;
    g.layout = create_pipeline_layout(b, &layout);
    gpu_make_pipeline(&g);
    begin_abort(&g);
    vkCmdDispatch(g.commands, 4, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 0, 4, 3);
}

/* --- code without a module --- */

static const VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR,
    .pNext = (void *)&abort_features_plain,
    .maintenance5 = VK_TRUE};
SCENARIO(without_a_module, OURS, SAYS, .features = &maintenance5,
         .extensions = {ABORT_EXTENSIONS, VK_KHR_MAINTENANCE_5_EXTENSION_NAME},
         .expect = {ABORT_ID})
{
    struct gpu g = world_without(b);
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = g.code.size,
                                           .pCode = g.code.words};
    VkComputePipelineCreateInfo info = compute_pipeline_info(VK_NULL_HANDLE, g.layout);
    info.stage.pNext = &code;
    g.pipeline = create_compute_pipeline(b, &info);
    begin_abort(&g);
    vkCmdDispatch(g.commands, 4, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 0, 4, 3);
}

/* --- shader objects --- */

static const VkPhysicalDeviceShaderObjectFeaturesEXT shader_objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&abort_features_plain,
    .shaderObject = VK_TRUE};
#define OBJECTS                                                                \
    OURS, .features = &shader_objects,                                         \
        .extensions = {ABORT_EXTENSIONS, VK_EXT_SHADER_OBJECT_EXTENSION_NAME}, \
        .expect = {ABORT_ID}

static VkShaderCreateInfoEXT object_info(const struct gpu *g, struct gpu_code code,
                                         VkShaderStageFlagBits stage,
                                         const VkPushConstantRange *range)
{
    return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = stage,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = code.size,
                                   .pCode = code.words,
                                   .pName = "main",
                                   .setLayoutCount = 1,
                                   .pSetLayouts = g->set_layouts,
                                   .pushConstantRangeCount = 1,
                                   .pPushConstantRanges = range};
}

SCENARIO(as_a_shader_object, OBJECTS, SAYS)
{
    const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    struct gpu g = world_without(b);
    const VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g.set_layouts);
    const VkShaderCreateInfoEXT info = object_info(&g, ABORTING, stage, layout.pPushConstantRanges);
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    gpu_prepare(&g);
    gpu_begin(&g);
    DEVICE_PROC(b, vkCmdBindShadersEXT)(g.commands, 1, &stage, &shader);
    vkCmdBindDescriptorSets(g.commands, g.bind_point, g.layout, 0, 1, g.sets, 0, NULL);
    gpu_push(&g);
    vkCmdDispatch(g.commands, 4, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 0, 4, 3);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}

/* No driver can make a binary of it. What the program gets is one that no driver takes, and from
 * which it goes on as from one of another device. */
SCENARIO(binary_of_a_shader_object, OURS, .features = &shader_objects,
         .extensions = {ABORT_EXTENSIONS, VK_EXT_SHADER_OBJECT_EXTENSION_NAME})
{
    struct gpu g = world_without(b);
    const VkPipelineLayoutCreateInfo layout = pipeline_layout_info(g.set_layouts);
    VkShaderCreateInfoEXT info =
        object_info(&g, ABORTING, VK_SHADER_STAGE_COMPUTE_BIT, layout.pPushConstantRanges);
    VkShaderEXT shader = VK_NULL_HANDLE, other = VK_NULL_HANDLE;
    uint64_t binary[8] __attribute__((aligned(16)));
    size_t size = 0, small = 1;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    VK(DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &size, NULL));
    ENSURE(size && size <= sizeof(binary));
    EXPECT_EQUAL(DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &small, binary),
                 VK_INCOMPLETE);
    EXPECT_EQUAL(small, 0);
    VK(DEVICE_PROC(b, vkGetShaderBinaryDataEXT)(b->device, shader, &size, binary));
    info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
    info.codeSize = size;
    info.pCode = binary;
    EXPECT_EQUAL(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &other),
                 VK_INCOMPATIBLE_SHADER_BINARY_EXT);
    EXPECT_EQUAL(HANDLE(other), 0);
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}

/* --- libraries --- */

static const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT library_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT,
    .pNext = (void *)&abort_features13,
    .graphicsPipelineLibrary = VK_TRUE};
static const VkPhysicalDeviceFeatures2 with_libraries =
    ABORT_FEATURES(&library_features, ABORT_STORES);

/* A library of the parts, of the whole pipeline in `pipeline`. */
static VkPipeline make_aborting_library(struct gpu *g, const struct graphics_pipeline *pipeline,
                                        uint32_t first_stage, uint32_t stage_count,
                                        VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT library = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
    VkGraphicsPipelineCreateInfo info = pipeline->info;
    info.pNext = &library;
    info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR;
    info.pStages = &pipeline->stages[first_stage];
    info.stageCount = stage_count;
    VkPipeline made = create_graphics_pipeline(g->b, &info);
    ENSURE(made);
    return made;
}

SCENARIO(linked_of_libraries, OURS, .features = &with_libraries, .expect = {ABORT_ID},
         .extensions = {ABORT_EXTENSIONS, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                        VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME},
         .text = {"The shader has aborted: fragment 10.500000, 20.500000. ", "Stage = Fragment"})
{
    struct gpu g = abort_world(b, gpu_stage_frag, GPU_CODE(spirv_plain_frag_abort), 42, 64);
    const struct gpu_code vertex = gpu_plain_code(gpu_stage_vert);
    struct graphics_pipeline pipeline;
    graphics_pipeline_fill(&pipeline, make_shader_from(b, vertex.words, vertex.size),
                           MAKE_SHADER(b, spirv_plain_frag_abort), g.layout, g.render_pass);
    const VkPipeline libraries[] = {
        make_aborting_library(&g, &pipeline, 0, 1,
                              VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |
                                  VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT),
        make_aborting_library(&g, &pipeline, 1, 1,
                              VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT),
        make_aborting_library(&g, &pipeline, 0, 0,
                              VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)};
    const VkPipelineLibraryCreateInfoKHR linked = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = 3,
        .pLibraries = libraries};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &linked,
                                               .layout = g.layout,
                                               .basePipelineIndex = -1};
    uint32_t all, drawn;
    g.index = 41;
    EXPECT_EQUAL(abort_run(&g), VK_SUCCESS); /* the pipeline that was made as a whole */
    gpu_read(b, g.result, 0, &all, sizeof(all));
    g.pipeline = create_graphics_pipeline(b, &info);
    ENSURE(g.pipeline);
    EXPECT_EQUAL(abort_run(&g), VK_SUCCESS);
    gpu_read(b, g.result, 0, &drawn, sizeof(drawn));
    EXPECT_EQUAL(drawn, 2 * all);
    g.index = 42;
    EXPECT_EQUAL(abort_run(&g), VK_ERROR_DEVICE_LOST);
    gpu_read(b, g.result, 0, &drawn, sizeof(drawn));
    EXPECT_EQUAL(drawn, 3 * all - 1);
}

/* --- with all that the layer checks --- */

SCENARIO(with_all_checks, ABORT, SAYS,
         .settings = {"gpuav_enable=true", "validate_sync=true", "printf_enable=true",
                      "printf_to_stdout=false"},
         .allow = {"VALIDATION-SETTINGS", "WARNING-Setting-Limit-Adjusted"})
{
    struct gpu g = aborting_world(b);
    begin_abort(&g);
    vkCmdDispatch(g.commands, 4, 1, 1);
    submit_lost(&g);
    expect_ended(&g, 0, 4, 3);
}
