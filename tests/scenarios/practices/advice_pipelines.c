/* Advice on pipelines, their shaders, layouts and caches. */
#include "practices.h"

#include <stdlib.h>

#include "shader_practices.h"

#define NO_CACHE(kind_) BP("vkCreate" kind_ "Pipelines-multiple-pipelines-no-cache")

/* --- caches --- */

static void make_compute_pipelines(struct baseline *b, int count, VkPipelineCache cache)
{
    VkShaderModule module = MAKE_SHADER(b, spirv_group_64);
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, make_empty_pipeline_layout(b));
    for (int i = 0; i < count; i++) {
        VkPipeline pipeline;
        VK(vkCreateComputePipelines(b->device, cache, 1, &info, NULL, &pipeline));
        vkDestroyPipeline(b->device, pipeline, NULL);
    }
}

SCENARIO(nine_compute_pipelines, ADVISED, .expect = {NO_CACHE("Compute")},
         .text = {"pipelineCache is VK_NULL_HANDLE, with 9 compute pipelines made without a cache"})
{
    make_compute_pipelines(b, 9, VK_NULL_HANDLE);
}

SCENARIO(eight_compute_pipelines, ADVISED)
{
    make_compute_pipelines(b, 8, VK_NULL_HANDLE);
}

SCENARIO(nine_cached_pipelines, ADVISED)
{
    make_compute_pipelines(b, 9, make_pipeline_cache(b));
}

FEATURES(five, VkPhysicalDeviceMaintenance5Features, MAINTENANCE_5_FEATURES,
         .maintenance5 = VK_TRUE);
FEATURES(pipeline_binaries, VkPhysicalDevicePipelineBinaryFeaturesKHR, PIPELINE_BINARY_FEATURES_KHR,
         .pNext = (void *)&five, .pipelineBinaries = VK_TRUE);

/* No cache may be given with this flag (09617). */
SCENARIO(nine_captured_pipelines, ADVISED, .drivers = NULL_DRIVER, .features = &pipeline_binaries,
         .extensions = {"VK_KHR_pipeline_binary", "VK_KHR_maintenance5"})
{
    static const VkPipelineCreateFlags2CreateInfo capture = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_group_64), make_empty_pipeline_layout(b));
    info.pNext = &capture;
    for (int i = 0; i < 9; i++)
        create_compute_pipeline(b, &info);
}

/* Once for the device, however many places have none. */
SCENARIO(more_compute_pipelines, ADVISED, .expect = {NO_CACHE("Compute")})
{
    make_compute_pipelines(b, 9, VK_NULL_HANDLE);
    VkPipeline pipeline;
    VkShaderModule module = MAKE_SHADER(b, spirv_group_64);
    VkComputePipelineCreateInfo info = compute_pipeline_info(module, make_empty_pipeline_layout(b));
    VK(vkCreateComputePipelines(b->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    vkDestroyPipeline(b->device, pipeline, NULL);
}

static void make_graphics(struct baseline *b, int count, VkPipelineCache cache)
{
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    for (int i = 0; i < count; i++) {
        VkPipeline pipeline;
        VK(vkCreateGraphicsPipelines(b->device, cache, 1, &p.info, NULL, &pipeline));
        vkDestroyPipeline(b->device, pipeline, NULL);
    }
}

SCENARIO(nine_graphics_pipelines, ADVISED, .expect = {NO_CACHE("Graphics")})
{
    make_graphics(b, 9, VK_NULL_HANDLE);
}

SCENARIO(eight_graphics_pipelines, ADVISED)
{
    make_graphics(b, 8, VK_NULL_HANDLE);
}

/* --- graphics --- */

#define GRAPHICS(name_, changes_, ...)                                                      \
    SCENARIO(name_, __VA_ARGS__)                                                            \
    {                                                                                       \
        struct graphics_pipeline p;                                                         \
        begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b)); \
        changes_;                                                                           \
        create_graphics_pipeline(b, &p.info);                                               \
    }

static const VkVertexInputBindingDescription bindings[] = {
    {0, 16, VK_VERTEX_INPUT_RATE_INSTANCE},
    {1, 16, VK_VERTEX_INPUT_RATE_INSTANCE},
    {2, 16, VK_VERTEX_INPUT_RATE_VERTEX},
};
#define BINDINGS(first_, count_)                              \
    (p.vertex_input.vertexBindingDescriptionCount = (count_), \
     p.vertex_input.pVertexBindingDescriptions = &bindings[first_])
GRAPHICS(two_instanced_bindings, BINDINGS(0, 2), ADVISED_FOR(arm),
         .expect = {BP("vkCreateGraphicsPipelines-too-many-instanced-vertex-buffers")},
         .text = {"has 2 bindings that advance by instance"})
GRAPHICS(one_instanced_binding, BINDINGS(1, 2), ADVISED_FOR(arm))
GRAPHICS(bias_of_nothing, p.rasterization.depthBiasEnable = VK_TRUE, ADVISED_FOR(arm),
         .expect = {BP("Arm-vkCreatePipelines-depthbias-zero")})
GRAPHICS(bias_by_slope,
         (p.rasterization.depthBiasEnable = VK_TRUE, p.rasterization.depthBiasSlopeFactor = 1.0f),
         ADVISED_FOR(arm))
static const VkDynamicState bias_state = VK_DYNAMIC_STATE_DEPTH_BIAS;
static const VkPipelineDynamicStateCreateInfo dynamic_bias = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
    .dynamicStateCount = 1,
    .pDynamicStates = &bias_state};
GRAPHICS(bias_of_the_command_buffer,
         (p.rasterization.depthBiasEnable = VK_TRUE, p.info.pDynamicState = &dynamic_bias),
         ADVISED_FOR(arm))

/* --- formats of dynamic rendering --- */

FEATURES(dynamic_rendering, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES,
         .dynamicRendering = VK_TRUE);
static const VkPipelineRenderingCreateInfo no_formats = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
#define NO_PASS (p.info.renderPass = VK_NULL_HANDLE, p.color_blend.attachmentCount = 0)
#define FORMATS ADVISED, .features = &dynamic_rendering
GRAPHICS(formats_forgotten, NO_PASS, FORMATS, .expect = {BP("Pipeline-NoRendering")},
         .text = {"pCreateInfos[0].renderPass is VK_NULL_HANDLE, no VkPipelineRenderingCreateInfo "
                  "is chained, and the fragment shader has outputs"})
GRAPHICS(formats_left_out, (NO_PASS, p.info.pNext = &no_formats), FORMATS)
GRAPHICS(formats_of_no_fragments, (NO_PASS, p.info.stageCount = 1), FORMATS)

/* --- workgroups --- */

#define COMPUTE(name_, shader_, ...)                                                               \
    SCENARIO(name_, __VA_ARGS__)                                                                   \
    {                                                                                              \
        VkComputePipelineCreateInfo info =                                                         \
            compute_pipeline_info(MAKE_SHADER(b, spirv_##shader_), make_empty_pipeline_layout(b)); \
        create_compute_pipeline(b, &info);                                                         \
    }
COMPUTE(group_of_8_by_8, group_8_8, ADVISED_FOR_ALL, .drivers = NULL_DRIVER)
COMPUTE(group_of_64, group_64, ADVISED_FOR(arm))
COMPUTE(group_of_128, group_128, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateComputePipelines-compute-work-group-size")},
        .text = {"pCreateInfos[0].stage has a workgroup size of 128 by 1 by 1 (128 together)"})
COMPUTE(group_of_128_elsewhere, group_128, ADVISED_FOR(amd))
COMPUTE(group_of_6_by_3, group_6_3, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateComputePipelines-compute-thread-group-alignment")},
        .text = {"has a workgroup size of 6 by 3 by 1 (18 together)"})
/* A side may be odd or small, where all of it is a multiple of 4. */
COMPUTE(group_of_32_by_2, group_32_2, ADVISED_FOR(arm))
COMPUTE(group_of_one, group_1, ADVISED_FOR_ALL, .drivers = NULL_DRIVER)
SCENARIO(group_of_16, ADVISED_FOR(amd), .expect = {BP("AMD-LocalWorkgroup-Multiple64")},
         .text = {"has a workgroup size of 16 by 1 by 1 (16 together)"})
{
    make_any_compute_pipeline(b);
}
/* glslang says sizes that are specialized with the built-in up to SPIR-V 1.5. */
COMPUTE(group_of_constants_of_1_5, group_of_constants, ADVISED)
FEATURES(maintenance4, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES,
         .maintenance4 = VK_TRUE);
COMPUTE(group_of_builtin, group_of_builtin, ADVISED,
        .expect = {BP("SpirvDeprecated_WorkgroupSize")},
        .text = {"pCreateInfos[0].stage is of SPIR-V 1.6, and has the built-in WorkgroupSize"})
COMPUTE(group_of_id, group_of_id, ADVISED, .features = &maintenance4)

/* --- layouts: AMD --- */

static void make_advised_layout(struct baseline *b, uint32_t sets, uint32_t dynamic,
                                uint32_t push_constants)
{
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, dynamic,
                                            VK_SHADER_STAGE_ALL, NULL};
    VkDescriptorSetLayoutCreateInfo of_set = descriptor_set_layout_info();
    VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_constants};
    VkDescriptorSetLayout layouts[4];
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = sets,
                                       .pSetLayouts = layouts,
                                       .pushConstantRangeCount = push_constants ? 1 : 0,
                                       .pPushConstantRanges = &range};
    of_set.bindingCount = 1;
    of_set.pBindings = &binding;
    layouts[0] = create_descriptor_set_layout(b, &of_set);
    for (uint32_t i = 1; i < sets; i++)
        layouts[i] = make_descriptor_set_layout(b);
    create_pipeline_layout(b, &info);
}

SCENARIO(layout_of_14_words, ADVISED_FOR(amd),
         .expect = {BP("AMD-CreatePipelinesLayout-KeepLayoutSmall")},
         .text = {"takes 14 words of 32 bits for 2 sets and 6 dynamic buffers, and 13 fit in "
                  "registers"})
{
    make_advised_layout(b, 2, 6, 0);
}

SCENARIO(layout_of_13_words, ADVISED_FOR(amd))
{
    make_advised_layout(b, 1, 6, 0);
}

/* They would be read from memory in a buffer as well. */
SCENARIO(layout_of_push_constants, ADVISED_FOR(amd))
{
    make_advised_layout(b, 1, 6, 128);
}

/* --- mesh shaders --- */

FEATURES(dynamic_rendering_of_mesh, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES,
         .dynamicRendering = VK_TRUE, .maintenance4 = VK_TRUE);
FEATURES(mesh_features, VkPhysicalDeviceMeshShaderFeaturesEXT, MESH_SHADER_FEATURES_EXT,
         .pNext = (void *)(uintptr_t)&dynamic_rendering_of_mesh, .meshShader = VK_TRUE);

static VkPipeline make_mesh_pipeline(struct baseline *b)
{
    static const VkFormat format = COLOR_FORMAT;
    struct graphics_pipeline p;
    VkPipelineRenderingCreateInfo rendering = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    p.stages[0] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, spirv_mesh_16));
    p.info.stageCount = 1;
    p.rasterization.rasterizerDiscardEnable = VK_FALSE;
    p.info.pNext = &rendering;
    return create_graphics_pipeline(b, &p.info);
}

#define MESH(preferred_)                                                   \
    ADVISED, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mesh_shader"}, \
        .features = &mesh_features,                                        \
        .null_driver =                                                     \
            "{\"properties\": {\"maxPreferredMeshWorkGroupInvocations\": " preferred_ "}}"

SCENARIO(mesh_larger_than_preferred, MESH("8"),
         .expect = {BP("Mesh-MaxPreferredWorkGroupInvocations")},
         .text = {"has workgroups of 16 invocations, and the device prefers 8 at most"})
{
    make_mesh_pipeline(b);
}

SCENARIO(mesh_as_preferred, MESH("16"))
{
    make_mesh_pipeline(b);
}

/* --- many of them --- */

static void make_many_pipelines(struct baseline *b, int count)
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_group_64), make_empty_pipeline_layout(b));
    VkPipelineCache cache = make_pipeline_cache(b);
    VkPipeline *pipelines = calloc((size_t)count, sizeof(*pipelines));
    for (int i = 0; i < count; i++)
        VK(vkCreateComputePipelines(b->device, cache, 1, &info, NULL, &pipelines[i]));
    for (int i = 0; i < count; i++)
        vkDestroyPipeline(b->device, pipelines[i], NULL);
    free(pipelines);
}

SCENARIO(pipelines_5000, ADVISED_FOR(amd), .drivers = NULL_DRIVER,
         .expect = {BP("AMD-CreatePipelines-TooManyPipelines")},
         .text = {"makes pipeline 5000 of the device"})
{
    make_many_pipelines(b, 5000);
}

SCENARIO(pipelines_4999, ADVISED_FOR(amd), .drivers = NULL_DRIVER)
{
    make_many_pipelines(b, 4999);
}

/* --- with and without mesh shaders --- */

static void switch_stages(struct baseline *b, int times)
{
    static const VkFormat format = COLOR_FORMAT;
    struct graphics_pipeline p;
    VkPipelineRenderingCreateInfo rendering = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .colorAttachmentCount = 1,
                                               .pColorAttachmentFormats = &format};
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    p.info.pNext = &rendering;
    VkPipeline pipelines[] = {create_graphics_pipeline(b, &p.info), make_mesh_pipeline(b)};
    VkCommandBuffer commands = make_recording(b);
    for (int i = 0; i <= times; i++)
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i % 2]);
    VK(vkEndCommandBuffer(commands));
}

#define SWITCHES                                                \
    ADVISED_FOR(nvidia), .drivers = NULL_DRIVER, WITHOUT_PAGES, \
        .extensions = {"VK_EXT_mesh_shader"}, .features = &mesh_features

SCENARIO(mesh_switched_33_times, SWITCHES,
         .expect = {BP("NVIDIA-BindPipeline-SwitchTessGeometryMesh")},
         .text = {"switches tessellation, geometry or mesh shaders on or off 33 times"})
{
    switch_stages(b, 33);
}

SCENARIO(mesh_switched_32_times, SWITCHES)
{
    switch_stages(b, 32);
}
