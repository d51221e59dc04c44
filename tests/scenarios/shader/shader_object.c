/* Shader objects: the code that vkCreateShadersEXT is given. */
#include <string.h>

#include "scenario.h"

#include "shader_interface.h"

static const VkPhysicalDeviceFeatures2 all_stages = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                     .features = {.tessellationShader = VK_TRUE,
                                                                  .geometryShader = VK_TRUE,
                                                                  .shaderClipDistance = VK_TRUE,
                                                                  .shaderCullDistance = VK_TRUE,
                                                                  .sampleRateShading = VK_TRUE}};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = (void *)&all_stages,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features with_inline = {
    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = (void *)&objects,
    .inlineUniformBlock = VK_TRUE, .dynamicRendering = VK_TRUE};

static VkShaderCreateInfoEXT object_info(VkShaderStageFlagBits stage, const void *code, size_t size)
{
    return (VkShaderCreateInfoEXT){VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                   .stage = stage,
                                   .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                   .codeSize = size,
                                   .pCode = code,
                                   .pName = "main"};
}

static void create_shader_of(struct baseline *b, const VkShaderCreateInfoEXT *info)
{
    VkShaderEXT shader = VK_NULL_HANDLE;
    if (DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, info, NULL, &shader) == VK_SUCCESS &&
        shader)
        DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shader, NULL);
}

#define OBJECT(name_, ...) \
    SCENARIO(name_, .extensions = {"VK_EXT_shader_object"}, .features = &with_inline, ##__VA_ARGS__)
#define INFO(code_, stage_) \
    object_info(VK_SHADER_STAGE_##stage_##_BIT, spirv_##code_, sizeof(spirv_##code_))
#define PLAIN(name_, code_, stage_, ...)                  \
    OBJECT(name_, ##__VA_ARGS__)                          \
    {                                                     \
        VkShaderCreateInfoEXT info = INFO(code_, stage_); \
        create_shader_of(b, &info);                       \
    }

PLAIN(object_vertex, vertex, VERTEX)
PLAIN(object_compute, compute, COMPUTE)
PLAIN(object_evaluation, evaluation, TESSELLATION_EVALUATION)
PLAIN(object_control, control, TESSELLATION_CONTROL)
PLAIN(object_geometry, geometry, GEOMETRY)
PLAIN(object_of_another_stage, vertex, COMPUTE,
      .expect = {"VUID-VkShaderCreateInfoEXT-pName-08440"})
PLAIN(object_of_wide_workgroup, compute_wide, COMPUTE,
      .expect = {"VUID-RuntimeSpirv-x-06429", "VUID-RuntimeSpirv-x-06432"})
PLAIN(object_of_long_sample_mask, fragment_sample_mask, FRAGMENT,
      .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08451"})
PLAIN(object_of_many_patch_vertices, control_many, TESSELLATION_CONTROL,
      .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08453"})
PLAIN(object_of_many_vertices, geometry_many_vertices, GEOMETRY,
      .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08454"})
PLAIN(object_of_many_invocations, geometry_many_invocations, GEOMETRY,
      .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08455"})
PLAIN(object_without_subdivision, bare_evaluation, TESSELLATION_EVALUATION,
      .expect = {"VUID-VkShaderCreateInfoEXT-codeType-08872"})
PLAIN(object_without_patch_size, bare_control, TESSELLATION_CONTROL,
      .expect = {"VUID-VkShaderCreateInfoEXT-codeType-12226"})

OBJECT(object_of_garbage, .expect = {"VUID-VkShaderCreateInfoEXT-pCode-08736"})
{
    static const uint32_t garbage[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    VkShaderCreateInfoEXT info = object_info(VK_SHADER_STAGE_COMPUTE_BIT, garbage, sizeof(garbage));
    create_shader_of(b, &info);
}

/* One compute shader with one set layout of one binding, which has what it needs but for one thing.
 */
static void create_with_layout(struct baseline *b, const void *code, size_t size,
                               VkDescriptorType type, uint32_t count, VkShaderStageFlags stages,
                               const VkPushConstantRange *range)
{
    VkDescriptorSetLayoutBinding bindings[2] = {
        {0, type, count, stages, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
    VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                .bindingCount = 2, .pBindings = bindings};
    VkDescriptorSetLayout set = create_descriptor_set_layout(b, &set_info);
    VkShaderCreateInfoEXT info = object_info(VK_SHADER_STAGE_COMPUTE_BIT, code, size);
    info.setLayoutCount = 1;
    info.pSetLayouts = &set;
    info.pushConstantRangeCount = range != NULL;
    info.pPushConstantRanges = range;
    create_shader_of(b, &info);
}
#define WITH_LAYOUT(name_, code_, type_, count_, stages_, range_, ...)                          \
    OBJECT(name_, ##__VA_ARGS__)                                                                \
    {                                                                                           \
        create_with_layout(b, spirv_##code_, sizeof(spirv_##code_), VK_DESCRIPTOR_TYPE_##type_, \
                           count_, VK_SHADER_STAGE_##stages_, range_);                          \
    }
static const VkPushConstantRange whole = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 64},
                                 half = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 32},
                                 other = {VK_SHADER_STAGE_VERTEX_BIT, 0, 64};
WITH_LAYOUT(object_with_layout, compute_push, STORAGE_BUFFER, 1, ALL, &whole)
WITH_LAYOUT(object_with_array, compute_array, STORAGE_BUFFER, 4, COMPUTE_BIT, NULL)
WITH_LAYOUT(object_push_constants_missing, compute_push, STORAGE_BUFFER, 1, ALL, &other,
            .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10064"})
WITH_LAYOUT(object_push_constants_too_few, compute_push, STORAGE_BUFFER, 1, ALL, &half,
            .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10065"})
WITH_LAYOUT(object_binding_of_another_stage, compute_array, STORAGE_BUFFER, 4, VERTEX_BIT, NULL,
            .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10383"})
WITH_LAYOUT(object_binding_of_another_type, compute_array, UNIFORM_BUFFER, 4, ALL, NULL,
            .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10384"})
WITH_LAYOUT(object_binding_of_too_few, compute_array, STORAGE_BUFFER, 3, ALL, NULL,
            .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10385"})
WITH_LAYOUT(object_binding_of_inline_array, compute_uniform_array, INLINE_UNIFORM_BLOCK, 64, ALL,
            NULL, .expect = {"VUID-VkShaderCreateInfoEXT-codeType-10386"})

/* --- linked tessellation shaders --- */

static void link_tessellation(struct baseline *b, VkShaderCreateInfoEXT control,
                              VkShaderCreateInfoEXT evaluation, VkShaderCreateFlagsEXT flags)
{
    VkShaderCreateInfoEXT infos[2] = {control, evaluation};
    VkShaderEXT shaders[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    infos[0].flags = infos[1].flags = flags;
    infos[0].nextStage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    (void)DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 2, infos, NULL, shaders);
    for (uint32_t i = 0; i < 2; i++)
        DEVICE_PROC(b, vkDestroyShaderEXT)(b->device, shaders[i], NULL);
}

#define LINKED VK_SHADER_CREATE_LINK_STAGE_BIT_EXT
#define LINK(name_, control_, evaluation_, flags_, ...)                                        \
    OBJECT(name_, .drivers = NULL_DRIVER, .allow = {"VUID-VkShaderCreateInfoEXT-pCode-08737"}, \
           ##__VA_ARGS__)                                                                      \
    {                                                                                          \
        link_tessellation(b, INFO(control_, TESSELLATION_CONTROL),                             \
                          INFO(evaluation_, TESSELLATION_EVALUATION), flags_);                 \
    }
#define SHADERS(name_) "VUID-vkCreateShadersEXT-pCreateInfos-" name_

/* The modes stand in one of them. */
LINK(link_modes_of_evaluation, control, evaluation, LINKED)
LINK(link_without_modes, control_quads_of_4, evaluation_triangles_of_3, LINKED,
     .expect = {SHADERS("08867"), SHADERS("12224"), SHADERS("12225"), SHADERS("08871")},
     .text = {"of which none has an execution mode that says the orientation of triangles "
              "(VertexOrderCw or",
              "patches of 4 vertices, linked with an evaluation shader with patches of 3"})
LINK(link_of_other_modes, control_fractional, evaluation, LINKED,
     .expect = {SHADERS("08868"), SHADERS("08870")})
LINK(not_linked_without_modes, control_quads_of_4, evaluation_triangles_of_3, 0)
