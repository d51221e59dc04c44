/* Pushes to shaders the pointer to their command's record, before each command that runs
 * instrumented shaders. */
#include "gpu/device/areas.h"
#include "gpu/buffers/buffers.h"
#include "gpu/command/command.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/pipeline.h"
#include "gpu/command/vertices.h"
#include "state/pipeline/pipeline.h"
#include "state/pipeline/shader.h"

/* Index of the compute bind point in command_buffer::bind. */
#define COMPUTE_POINT 1
/* The index of the compute stage in command_buffer::shaders, among the graphics stages. */
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

/* Returns the address of the record that belongs to no command: its findings name the command
 * buffer at most. */
static VkDeviceAddress anonymous_record(const struct call *call)
{
    return gpu_in_device(call->device)->gpu->anonymous.address;
}

/* Pushes the address of a record to the range of `how`. `record` 0 means the record of the call's
 * command. */
static void push_record(const struct call *call, const struct command_buffer *command_buffer,
                        const struct gpu_push *how, uint32_t point, VkDeviceAddress record)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    /* The command buffer has no data, as memory was out: its shaders must still get a valid
     * pointer. */
    if (!record)
        record = commands ? gpu_command_record(call, commands, point) : anonymous_record(call);
    /* The guard is -1.0f. */
    const uint32_t values[] = {0xbf800000, (uint32_t)record, (uint32_t)(record >> 32)};
    call->device->dispatch.CmdPushConstants((VkCommandBuffer)(uintptr_t)
                                                object_driver(command_buffer->base.object),
                                            how->layout, how->stages, how->offset, how->size,
                                            (const char *)values + sizeof(values) - how->size);
}

/* Notes that instrumented shaders run without a push constant: they write records, too, which the
 * host has to see. */
static void note_instrumented(const struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (commands)
        commands->instrumented = true;
}

/* Pushes the record to the bound shader objects. They mostly share their push constant ranges: a
 * range equal to the last one is not pushed again. `record` is as for push_record(). */
static void push_shaders(const struct call *call, const struct command_buffer *command_buffer,
                         uint32_t point, VkDeviceAddress record)
{
    const struct gpu_push *last = NULL;
    for (uint32_t i = 0; i < BOUND_SHADERS; i++) {
        if (!command_buffer->shaders[i] || (i == COMPUTE_SHADER) != (point == COMPUTE_POINT))
            continue;
        const struct shader_object *shader = shader_object_by_id(command_buffer->shaders[i]);
        const struct gpu_push *how = shader && gpu_in_shader_object(shader)->changed
                                         ? gpu_in_shader_object(shader)->changed->push
                                         : NULL;
        if (!record && shader && gpu_in_shader_object(shader)->changed)
            note_instrumented(call);
        if (!record && how && gpu_in_shader_object(shader)->changed->fetches)
            gpu_vertices_hand_over(call);
        if (how && how != last)
            push_record(call, command_buffer, how, point, record);
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
    /* No pipeline is bound, so the stages may be shader objects. */
    if (!id)
        push_shaders(call, command_buffer, point, 0);
    if (!pipeline || !gpu_in_pipeline(pipeline)->changed)
        return;
    note_instrumented(call);
    if (gpu_in_pipeline(pipeline)->changed->fetches)
        gpu_vertices_hand_over(call);
    if (gpu_in_pipeline(pipeline)->changed->push)
        push_record(call, command_buffer, gpu_in_pipeline(pipeline)->changed->push, point, 0);
}

/* --- generated commands that are preprocessed --- */

/* "If isPreprocessed is VK_TRUE then the bound descriptor sets and push constants must match
 * identically with those bound during recording of the corresponding call to
 * vkCmdPreprocessGeneratedCommandsEXT." A driver may keep them from that call. So both commands
 * push the anonymous record, which has no descriptors. */
static void push_anonymous(const struct call *call, const struct command_buffer *command_buffer,
                           uint32_t point)
{
    if (!command_buffer || !gpu_in_device(call->device)->gpu || point >= BIND_POINTS)
        return;
    const uint64_t id = command_buffer->bind[point].pipeline;
    const struct pipeline *pipeline = id ? pipeline_by_id(id) : NULL;
    if (pipeline && gpu_in_pipeline(pipeline)->changed && gpu_in_pipeline(pipeline)->changed->push)
        push_record(call, command_buffer, gpu_in_pipeline(pipeline)->changed->push, point,
                    anonymous_record(call));
    if (!id)
        push_shaders(call, command_buffer, point, anonymous_record(call));
}

/* Gives the current command the anonymous record. */
static void be_anonymous(const struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands || !gpu_in_device(call->device)->gpu)
        return;
    commands->recorded = true;
    commands->record = anonymous_record(call);
    commands->record_words = NULL;
}

void gpu_before_CmdPreprocessGeneratedCommandsEXT_push(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       const VkGeneratedCommandsInfoEXT
                                                           *pGeneratedCommandsInfo,
                                                       VkCommandBuffer stateCommandBuffer)
{
    push_anonymous(call, find_command_buffer(stateCommandBuffer),
                   gpu_generated_point(pGeneratedCommandsInfo));
}

void gpu_before_CmdPreprocessGeneratedCommandsNV_push(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      const VkGeneratedCommandsInfoNV
                                                          *pGeneratedCommandsInfo)
{
    push_anonymous(call, call_command_buffer(call),
                   bind_point_index(pGeneratedCommandsInfo->pipelineBindPoint));
}

void gpu_before_CmdExecuteGeneratedCommandsEXT_push(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    VkBool32 isPreprocessed,
                                                    const VkGeneratedCommandsInfoEXT
                                                        *pGeneratedCommandsInfo)
{
    if (isPreprocessed)
        be_anonymous(call);
}

void gpu_before_CmdExecuteGeneratedCommandsNV_push(struct call *call, VkCommandBuffer commandBuffer,
                                                   VkBool32 isPreprocessed,
                                                   const VkGeneratedCommandsInfoNV
                                                       *pGeneratedCommandsInfo)
{
    if (isPreprocessed)
        be_anonymous(call);
}

/* --- commands that a driver implements with shaders of its own --- */

/* Binds the compute pipeline again after such a command. lavapipe restores the program's compute
 * pipeline and push constants, but not their size: the pointer would read as 0. The cost of binding
 * is negligible. */
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
