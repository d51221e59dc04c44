/* Features, shader objects and states for scenarios of draws with them. */
#ifndef ASSAY_TESTS_SHADER_OBJECTS_H
#define ASSAY_TESTS_SHADER_OBJECTS_H

#include "render/render_pass_builder.h"

#include "shader_interface.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&features13,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceFeatures2 all_stages = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&objects,
    .features = {.tessellationShader = VK_TRUE, .geometryShader = VK_TRUE, .wideLines = VK_TRUE}};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&objects,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceMultiviewFeatures multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
    .pNext = (void *)&objects,
    .multiview = VK_TRUE};
#define ON        .extensions = {"VK_EXT_shader_object"}, .features = &objects
#define ON_STAGES .extensions = {"VK_EXT_shader_object"}, .features = &all_stages
#define ON_MESHES                                                                         \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object", "VK_EXT_mesh_shader"}, \
    .features = &meshes
#define DRAW(id_)      "VUID-vkCmdDraw-" id_
#define MESH_DRAW(id_) "VUID-vkCmdDrawMeshTasksEXT-" id_
#define NO_TASK        VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT

static inline void destroy_shader_object(struct baseline *b, uint64_t handle)
{
    DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, (VkShaderEXT)(uintptr_t)handle, NULL);
}

#define INFO(code_, stage_)                                                     \
    ((VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT, \
                             .stage = VK_SHADER_STAGE_##stage_##_BIT,           \
                             .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,         \
                             .codeSize = sizeof(spirv_##code_),                 \
                             .pCode = spirv_##code_,                            \
                             .pName = "main"})

static inline void make_objects(struct baseline *b, uint32_t count,
                                const VkShaderCreateInfoEXT *infos, VkShaderEXT *shaders)
{
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, count, infos, NULL, shaders));
    for (uint32_t i = 0; i < count; i++)
        cleanup_add(b, destroy_shader_object, HANDLE(shaders[i]));
}

static inline VkShaderEXT make_shader_object(struct baseline *b, const VkShaderCreateInfoEXT *info)
{
    VkShaderEXT shader = VK_NULL_HANDLE;
    make_objects(b, 1, info, &shader);
    return shader;
}

static inline void bind_shader_object(struct baseline *b, VkCommandBuffer command_buffer,
                                      VkShaderStageFlagBits stage, VkShaderEXT shader)
{
    DEVICE_PROC(b, vkCmdBindShadersEXT)(command_buffer, 1, &stage, &shader);
}

/* The parts that a draw with a vertex and a fragment shader needs, but for what `left_out` has. */
enum left_out {
    NOTHING,
    VIEWPORTS,
    SCISSORS,
    DISCARD,
    CULL_MODE,
    FRONT_FACE,
    DEPTH_TEST,
    STENCIL_TEST,
    DEPTH_BIAS_ENABLE,
    TOPOLOGY,
    RESTART,
    VERTEX_INPUT,
    POLYGON_MODE,
    SAMPLES,
    SAMPLE_MASK,
    ALPHA_TO_COVERAGE,
    BLEND_ENABLE,
    WRITE_MASK,
    BLENDS, /* these two */
};
#define SET(state_, name_, ...) \
    if (left_out != (state_))   \
    DEVICE_PROC(b, name_)(c, __VA_ARGS__)

static inline void set_object_states(struct baseline *b, VkCommandBuffer c, enum left_out left_out)
{
    const VkViewport viewport = {.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1};
    const VkRect2D scissor = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkSampleMask mask = 1;
    const VkBool32 no = VK_FALSE;
    const VkColorComponentFlags all = 15;
    SET(VIEWPORTS, vkCmdSetViewportWithCount, 1, &viewport);
    SET(SCISSORS, vkCmdSetScissorWithCount, 1, &scissor);
    SET(DISCARD, vkCmdSetRasterizerDiscardEnable, VK_FALSE);
    SET(CULL_MODE, vkCmdSetCullMode, VK_CULL_MODE_NONE);
    SET(FRONT_FACE, vkCmdSetFrontFace, VK_FRONT_FACE_CLOCKWISE);
    SET(DEPTH_TEST, vkCmdSetDepthTestEnable, VK_FALSE);
    SET(STENCIL_TEST, vkCmdSetStencilTestEnable, VK_FALSE);
    SET(DEPTH_BIAS_ENABLE, vkCmdSetDepthBiasEnable, VK_FALSE);
    SET(TOPOLOGY, vkCmdSetPrimitiveTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    SET(RESTART, vkCmdSetPrimitiveRestartEnable, VK_FALSE);
    SET(VERTEX_INPUT, vkCmdSetVertexInputEXT, 0, NULL, 0, NULL);
    SET(POLYGON_MODE, vkCmdSetPolygonModeEXT, VK_POLYGON_MODE_FILL);
    SET(SAMPLES, vkCmdSetRasterizationSamplesEXT, VK_SAMPLE_COUNT_1_BIT);
    SET(SAMPLE_MASK, vkCmdSetSampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &mask);
    SET(ALPHA_TO_COVERAGE, vkCmdSetAlphaToCoverageEnableEXT, VK_FALSE);
    if (left_out == BLENDS)
        return;
    SET(BLEND_ENABLE, vkCmdSetColorBlendEnableEXT, 0, 1, &no);
    SET(WRITE_MASK, vkCmdSetColorWriteMaskEXT, 0, 1, &all);
}

static inline VkCommandBuffer begin_objects(struct baseline *b, enum left_out left_out)
{
    const VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    const VkRenderingInfo rendering = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &rendering);
    set_object_states(b, command_buffer, left_out);
    return command_buffer;
}

static inline void bind_both(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX), fragment = INFO(fragment, FRAGMENT);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, command_buffer, VK_SHADER_STAGE_VERTEX_BIT,
                       make_shader_object(b, &vertex));
    bind_shader_object(b, command_buffer, VK_SHADER_STAGE_FRAGMENT_BIT,
                       make_shader_object(b, &fragment));
}

#define DRAWING(name_, left_out_, change_, ...)          \
    SCENARIO(name_, ##__VA_ARGS__)                       \
    {                                                    \
        VkCommandBuffer c = begin_objects(b, left_out_); \
        bind_both(b, c);                                 \
        change_;                                         \
        vkCmdDraw(c, 3, 1, 0, 0);                        \
    }

static inline void unbind_stages(struct baseline *b, VkCommandBuffer c, VkShaderStageFlags stages)
{
    for (uint32_t i = 0; i < 8; i++) {
        if (stages >> i & 1)
            bind_shader_object(b, c, (VkShaderStageFlagBits)(1u << i), VK_NULL_HANDLE);
    }
}

#endif
