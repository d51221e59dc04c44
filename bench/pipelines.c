/* Makes the bench's graphics pipeline, and its code. */
#include "context.h"

#include "scene.frag.h" /* made by glslang from shaders/ */
#include "scene.vert.h"

const struct shader_code scene_vertex = {scene_vert, sizeof(scene_vert)},
                         scene_fragment = {scene_frag, sizeof(scene_frag)};

VkShaderModule shader_create(const struct context *context, struct shader_code code)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = code.size,
                                           .pCode = code.words};
    VkShaderModule module;
    bench_must(context->vk.CreateShaderModule(context->device, &info, NULL, &module),
               "vkCreateShaderModule");
    return module;
}

VkPipeline graphics_pipeline_create(const struct context *context, VkPipelineLayout layout,
                                    struct shader_code vertex_code,
                                    struct shader_code fragment_code, bool dynamic)
{
    const VkShaderModule vertex = shader_create(context, vertex_code);
    const VkShaderModule fragment = shader_create(context, fragment_code);
    const VkPipelineShaderStageCreateInfo stages[] = {
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_VERTEX_BIT,
         .module = vertex,
         .pName = "main"},
        {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
         .module = fragment,
         .pName = "main"},
    };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkDynamicState dynamic_states[] = {VK_DYNAMIC_STATE_VIEWPORT,
                                             VK_DYNAMIC_STATE_SCISSOR,
                                             VK_DYNAMIC_STATE_CULL_MODE,
                                             VK_DYNAMIC_STATE_FRONT_FACE,
                                             VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
                                             VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
                                             VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE};
    const VkPipelineDynamicStateCreateInfo dynamic_state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = dynamic ? sizeof(dynamic_states) / sizeof(dynamic_states[0]) : 2,
        .pDynamicStates = dynamic_states};
    const VkFormat format = IMAGE_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkGraphicsPipelineCreateInfo info = {.sType =
                                                   VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic_state,
                                               .layout = layout};
    VkPipeline pipeline;
    bench_must(context->vk.CreateGraphicsPipelines(context->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                   &pipeline),
               "vkCreateGraphicsPipelines");
    context->vk.DestroyShaderModule(context->device, vertex, NULL);
    context->vk.DestroyShaderModule(context->device, fragment, NULL);
    return pipeline;
}
