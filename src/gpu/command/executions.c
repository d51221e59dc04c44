/* Finds which vkCmdExecuteCommands ran a secondary command buffer. A shader's record names the
 * secondary and the command in it, but not the execution: that is certain only if there is just
 * one.
 *
 * A secondary keeps the commands that execute it, of recordings that still exist. Executions by a
 * recording that was reset, freed or recorded again do not count: its work was done, and records
 * were read before that (command.c). */
#include "gpu/device/areas.h"
#include "gpu/command/command.h"

#include "gpu/hooks.h"
#include "gpu/device/survive.h"

void gpu_executions_begin(struct gpu_device *gpu, struct gpu_command_buffer *commands)
{
    lock_take(&gpu->recordings_lock);
    commands->execution_count = commands->execution_more = 0;
    lock_release(&gpu->recordings_lock);
}

/* Forgets other executions of a secondary that was recorded without
 * VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT. It belongs to the primary that executed it last: it
 * was not pending then, and other primaries that execute it are invalid. */
static void forget_others(struct gpu_command_buffer *secondary, uint32_t recording)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < secondary->execution_count; i++) {
        if (secondary->executions[i].recording == recording)
            secondary->executions[kept++] = secondary->executions[i];
    }
    secondary->execution_count = kept;
    secondary->execution_more = 0;
}

/* Returns the place for one more execution: a free one, or one whose recording no longer exists.
 * NULL: all places are in use. */
static struct gpu_execution *executions_find_place(const struct gpu_device *gpu,
                                                   struct gpu_command_buffer *secondary,
                                                   uint32_t recording, uint32_t number)
    REQUIRES(gpu->recordings_lock)
{
    struct gpu_execution *free_place = secondary->execution_count < GPU_EXECUTIONS
                                           ? &secondary->executions[secondary->execution_count]
                                           : NULL;
    for (uint32_t i = 0; i < secondary->execution_count; i++) {
        struct gpu_execution *execution = &secondary->executions[i];
        if (execution->recording == recording && execution->number == number)
            return execution;
        if (!free_place && !gpu_recording_lives(gpu, execution->recording))
            free_place = execution;
    }
    if (!free_place)
        return NULL;
    secondary->execution_count += free_place == &secondary->executions[secondary->execution_count];
    *free_place = (struct gpu_execution){.recording = recording, .number = number};
    return free_place;
}

/* Copies into memory that outlives the process how often, and where last, a secondary is executed.
 * Only executions whose recording still exists count. */
static void note_for_survivors(const struct gpu_device *gpu,
                               const struct gpu_command_buffer *secondary)
    REQUIRES(gpu->recordings_lock)
{
    const struct gpu_execution *last = NULL;
    uint32_t count = secondary->execution_more;
    for (uint32_t i = 0; i < secondary->execution_count; i++) {
        if (!gpu_recording_lives(gpu, secondary->executions[i].recording))
            continue;
        last = &secondary->executions[i];
        count += last->count;
    }
    gpu_survive_execution(gpu, atomic_load_explicit(&secondary->recording, memory_order_relaxed),
                          count, last);
}

/* Notes that a command of `recording` executes a secondary. With no place left the execution is
 * only counted. */
static void note_execution(struct gpu_device *gpu, const struct command_buffer *executed,
                           uint32_t recording, uint32_t number)
{
    struct gpu_command_buffer *secondary =
        executed ? gpu_in_command_buffer(executed)->commands : NULL;
    if (!secondary || secondary->serial != gpu->serial)
        return;
    lock_take(&gpu->recordings_lock);
    if (!(executed->usage & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT))
        forget_others(secondary, recording);
    struct gpu_execution *execution = executions_find_place(gpu, secondary, recording, number);
    if (execution)
        execution->count++;
    else
        secondary->execution_more++;
    if (unlikely(gpu->surviving))
        note_for_survivors(gpu, secondary);
    lock_release(&gpu->recordings_lock);
}

void gpu_after_CmdExecuteCommands_executions(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t commandBufferCount,
                                             const VkCommandBuffer *pCommandBuffers)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    const uint32_t recording =
        commands ? atomic_load_explicit(&commands->recording, memory_order_relaxed) : 0;
    /* Recording 0: the command buffer has no slot, and its records cannot be attributed. */
    if (!recording)
        return;
    /* gpu_command_find() finds this command by its number, as it finds a draw */
    gpu_action_begin(call, BIND_POINTS);
    for (uint32_t i = 0; i < commandBufferCount; i++)
        note_execution(gpu_in_device(call->device)->gpu, find_command_buffer(pCommandBuffers[i]),
                       recording, call_command_buffer(call)->command_number);
}

/* --- for readers of records --- */
