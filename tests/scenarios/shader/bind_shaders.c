/* Binds shader objects together, and on queues that can and cannot; the same for pipelines that
 * trace rays. */
#include "scenario.h"

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&objects,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
/* It is not checked here what the code does. */
#define ON(...)                                                                  \
    .drivers = NULL_DRIVER,                                                      \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_mesh_shader", ##__VA_ARGS__}, \
    .features = &meshes, .settings = {"check_shaders=false"},                    \
    .allow = {"VUID-VkShaderCreateInfoEXT-pName-08440",                          \
              "VUID-VkShaderCreateInfoEXT-codeType-10383",                       \
              "VUID-VkShaderCreateInfoEXT-codeType-08872"}
#define QUEUES                                                                                    \
    .null_driver =                                                                                \
        "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"], \"count\": " \
        "1}, "                                                                                    \
        "{\"flags\": [\"graphics\"], \"count\": 1}, {\"flags\": [\"compute\"], \"count\": 1}]}"
#define BIND(id_) "VUID-vkCmdBindShadersEXT-" id_

static VkShaderEXT make_stage_object(struct baseline *b, VkShaderStageFlagBits stage)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &layout};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
    cleanup_add(b, destroy_shader, HANDLE(shader));
    return shader;
}

static void bind_one_shader(struct baseline *b, VkCommandBuffer command_buffer,
                            VkShaderStageFlagBits stage, VkShaderEXT shader)
{
    DEVICE_PROC(b, vkCmdBindShadersEXT)(command_buffer, 1, &stage, &shader);
}

static void bind_with_vertex(struct baseline *b, VkShaderStageFlagBits stage, VkShaderEXT shader)
{
    const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, stage};
    const VkShaderEXT shaders[2] = {make_stage_object(b, VK_SHADER_STAGE_VERTEX_BIT), shader};
    DEVICE_PROC(b, vkCmdBindShadersEXT)(make_recording(b), 2, stages, shaders);
}

static VkCommandBuffer record_without(struct baseline *b, VkQueueFlags with, VkQueueFlags without)
{
    uint32_t family = find_queue_family(b->physical_device, with, without);
    ENSURE(family != UINT32_MAX);
    return make_recording_of(b, family);
}
#define COMPUTE_QUEUE  record_without(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT)
#define GRAPHICS_QUEUE record_without(b, VK_QUEUE_GRAPHICS_BIT, VK_QUEUE_COMPUTE_BIT)

SCENARIO(bind_vertex_and_no_task, ON())
{
    bind_with_vertex(b, VK_SHADER_STAGE_TASK_BIT_EXT, VK_NULL_HANDLE);
    bind_with_vertex(b, VK_SHADER_STAGE_MESH_BIT_EXT, VK_NULL_HANDLE);
}

SCENARIO(bind_vertex_and_task, ON(), .expect = {BIND("pShaders-08470")},
         .text = {"pShaders has a task shader and a vertex shader"})
{
    bind_with_vertex(b, VK_SHADER_STAGE_TASK_BIT_EXT,
                     make_stage_object(b, VK_SHADER_STAGE_TASK_BIT_EXT));
}

SCENARIO(bind_vertex_and_mesh, ON(), .expect = {BIND("pShaders-08471")},
         .text = {"pShaders has a mesh shader and a vertex shader"})
{
    bind_with_vertex(b, VK_SHADER_STAGE_MESH_BIT_EXT,
                     make_stage_object(b, VK_SHADER_STAGE_MESH_BIT_EXT));
}

SCENARIO(bind_compute_on_compute_queue, ON(), QUEUES)
{
    bind_one_shader(b, COMPUTE_QUEUE, VK_SHADER_STAGE_COMPUTE_BIT,
                    make_stage_object(b, VK_SHADER_STAGE_COMPUTE_BIT));
}

SCENARIO(bind_compute_on_graphics_queue, ON(), QUEUES, .expect = {BIND("pShaders-08476")},
         .text = {"compute"})
{
    bind_one_shader(b, GRAPHICS_QUEUE, VK_SHADER_STAGE_COMPUTE_BIT,
                    make_stage_object(b, VK_SHADER_STAGE_COMPUTE_BIT));
}

SCENARIO(bind_vertex_on_graphics_queue, ON(), QUEUES)
{
    bind_one_shader(b, GRAPHICS_QUEUE, VK_SHADER_STAGE_VERTEX_BIT,
                    make_stage_object(b, VK_SHADER_STAGE_VERTEX_BIT));
    bind_one_shader(b, GRAPHICS_QUEUE, VK_SHADER_STAGE_MESH_BIT_EXT,
                    make_stage_object(b, VK_SHADER_STAGE_MESH_BIT_EXT));
}

SCENARIO(bind_vertex_on_compute_queue, ON(), QUEUES, .expect = {BIND("pShaders-08477")},
         .text = {"graphics"})
{
    bind_one_shader(b, COMPUTE_QUEUE, VK_SHADER_STAGE_VERTEX_BIT,
                    make_stage_object(b, VK_SHADER_STAGE_VERTEX_BIT));
}

SCENARIO(bind_mesh_on_compute_queue, ON(), QUEUES, .expect = {BIND("pShaders-08478")},
         .text = {"graphics"})
{
    bind_one_shader(b, COMPUTE_QUEUE, VK_SHADER_STAGE_MESH_BIT_EXT,
                    make_stage_object(b, VK_SHADER_STAGE_MESH_BIT_EXT));
}
