/* Gives a command's shaders their pointer: it is pushed before each command that runs instrumented
 * shaders. */
#include "gpu/areas.h"
#include "gpu/buffers.h"
#include "gpu/command.h"
#include "gpu/hooks.h"
#include "gpu/pipeline.h"
#include "gpu/vertices.h"
#include "state/pipeline.h"
#include "state/shader.h"

#define COMPUTE_POINT 1
/* Of VK_SHADER_STAGE_COMPUTE_BIT in command_buffer::shaders, among the graphics stages. */
#define COMPUTE_SHADER 5

uint32_t gpu_generated_point(const VkGeneratedCommandsInfoEXT *info)
{
    const VkShaderStageFlags rays =
        VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
        VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
        VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    VkPipelineBindPoint point = info->shaderStages & VK_SHADER_STAGE_COMPUTE_BIT
                                    ? VK_PIPELINE_BIND_POINT_COMPUTE
                                : info->shaderStages & rays ? VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR
                                                            : VK_PIPELINE_BIND_POINT_GRAPHICS;
    return bind_point_index(point);
}

static void push(const struct call *call, const struct command_buffer *command_buffer,
                 const struct gpu_push *how, uint32_t point)
{
    const struct device *device = call->device;
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    /* A command buffer of which nothing is known, as memory was out: what it runs must not follow a
     * pointer that is none. */
    VkDeviceAddress record = commands ? gpu_command_record(call, commands, point)
                                      : gpu_in_device(device)->gpu->anonymous.address;
    device->dispatch.CmdPushConstants((VkCommandBuffer)(uintptr_t)
                                          object_driver(command_buffer->base.object),
                                      how->layout, how->stages, how->offset, sizeof(record),
                                      &record);
}

/* Instrumented shaders run that no push constant reaches: they write records, too, which the host
 * is to see. */
static void note_instrumented(const struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (commands)
        commands->instrumented = true;
}

/* Shader objects of a pipeline layout's stages mostly share their push constant ranges: what the
 * last one was pushed by is not pushed again. */
static void push_shaders(const struct call *call, const struct command_buffer *command_buffer,
                         uint32_t point)
{
    const struct gpu_push *last = NULL;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        if (!command_buffer->shaders[i] || (i == COMPUTE_SHADER) != (point == COMPUTE_POINT))
            continue;
        const struct shader_object *shader = shader_object_by_id(command_buffer->shaders[i]);
        const struct gpu_push *how = shader && gpu_in_shader_object(shader)->changed
                                         ? gpu_in_shader_object(shader)->changed->push
                                         : NULL;
        if (shader && gpu_in_shader_object(shader)->changed)
            note_instrumented(call);
        if (how && gpu_in_shader_object(shader)->changed->fetches)
            gpu_vertices_hand_over(call);
        if (how && how != last)
            push(call, command_buffer, how, point);
        last = how ? how : last;
    }
}

void gpu_action_end(struct call *call, uint32_t point)
{
    assert(point <= BIND_POINTS);
    if (!gpu_in_device(call->device)->gpu || point >= BIND_POINTS)
        return;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    uint64_t id = command_buffer->bind[point].pipeline;
    const struct pipeline *pipeline = id ? pipeline_by_id(id) : NULL;
    if (!id)
        push_shaders(call, command_buffer, point);
    if (!pipeline || !gpu_in_pipeline(pipeline)->changed)
        return;
    note_instrumented(call);
    if (gpu_in_pipeline(pipeline)->changed->fetches)
        gpu_vertices_hand_over(call);
    if (gpu_in_pipeline(pipeline)->changed->push)
        push(call, command_buffer, gpu_in_pipeline(pipeline)->changed->push, point);
}

/* --- commands that a driver carries out with shaders of its own --- */

/* lavapipe puts the program's compute pipeline and push constants back afterwards, but not how many
 * bytes of them its shaders have: the pointer would read as 0. Beside such a command, binding costs
 * nothing. */
static void bind_again(struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer && gpu_in_device(call->device)->gpu)
        gpu_compute_bind_again(call->device, command_buffer);
}

void gpu_after_CmdBuildAccelerationStructuresKHR_push(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkAccelerationStructureBuildRangeInfoKHR *const *ppBuildRangeInfos)
{
    bind_again(call);
}

void gpu_after_CmdBuildAccelerationStructuresIndirectKHR_push(
    struct call *call, VkCommandBuffer commandBuffer, uint32_t infoCount,
    const VkAccelerationStructureBuildGeometryInfoKHR *pInfos,
    const VkDeviceAddress *pIndirectDeviceAddresses, const uint32_t *pIndirectStrides,
    const uint32_t *const *ppMaxPrimitiveCounts)
{
    bind_again(call);
}

void gpu_after_CmdCopyAccelerationStructureKHR_push(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    const VkCopyAccelerationStructureInfoKHR *pInfo)
{
    bind_again(call);
}

void gpu_after_CmdCopyAccelerationStructureToMemoryKHR_push(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyAccelerationStructureToMemoryInfoKHR *pInfo)
{
    bind_again(call);
}

void gpu_after_CmdCopyMemoryToAccelerationStructureKHR_push(
    struct call *call, VkCommandBuffer commandBuffer,
    const VkCopyMemoryToAccelerationStructureInfoKHR *pInfo)
{
    bind_again(call);
}
