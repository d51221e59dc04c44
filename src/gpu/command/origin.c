/* Finds the command that a record of a shader is about, and the commands that executed its command
 * buffer. */
#include "gpu/device/areas.h"
#include "gpu/command/command.h"

#include <string.h>

#include "gpu/command/label_path.h"
#include "base/plain_atomic.h"

/* Writes the path of labels that were open at a command, innermost last. Label 0 ends the path, and
 * so does a label of another recording. */
static void origin_write_labels(const struct gpu_command_buffer *commands, uint32_t label, char *to,
                                size_t size)
{
    struct label_path path = label_path_begin(to, size);
    for (uint32_t depth = 0; label && label <= commands->label_count && depth < LABEL_PATH_MOST;
         depth++) {
        if (!label_path_add(&path, commands->labels[label - 1].name))
            break;
        label = commands->labels[label - 1].parent;
    }
    label_path_end(&path);
}

/* Returns the index of the first action whose number is not smaller than this one; `count`: there
 * is none. */
static uint32_t find_action(const struct gpu_action *actions, uint32_t count, uint32_t number)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (actions[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the command buffer with this recording number. NULL: it has been recorded again, or
 * freed. */
static struct gpu_command_buffer *find_commands(struct gpu_device *gpu, uint32_t recording)
{
    struct gpu_command_buffer *commands =
        recording ? atomic_load_explicit(&gpu->slots[recording % GPU_RECORDING_SLOTS],
                                         memory_order_acquire)
                  : NULL;
    return commands && atomic_load_explicit(&commands->recording, memory_order_acquire) == recording
               ? commands
               : NULL;
}

struct gpu_origin gpu_command_find_own(struct gpu_device *gpu, uint32_t recording, uint32_t number)
{
    struct gpu_origin origin = {.found = false};
    struct gpu_command_buffer *commands = find_commands(gpu, recording);
    if (!commands)
        return origin;
    /* The actions are published before their capacity, so the array has at least this capacity. */
    uint32_t capacity = plain_load_acquire(&commands->action_capacity);
    const struct gpu_action *actions = plain_load_acquire(&commands->actions);
    uint32_t count = atomic_load_explicit(&commands->action_count, memory_order_acquire);
    count = count < capacity ? count : capacity;
    const uint32_t index = find_action(actions, count, number);
    if (index < count && actions[index].number == number) {
        origin.action = actions[index];
        origin.command_buffer = commands->command_buffer;
        origin_write_labels(commands, origin.action.label, origin.labels, sizeof(origin.labels));
        for (uint32_t i = 0;
             origin.action.tables && i < origin.action.table_count && i < ORIGIN_TABLES; i++)
            origin.tables[i] = origin.action.tables[i];
        const uint32_t label = origin.action.label;
        origin.muted = label && label <= commands->label_count && commands->labels[label - 1].muted;
        /* The number is read last: the copy belongs to this recording only if the number is
         * unchanged. */
        origin.found =
            atomic_load_explicit(&commands->recording, memory_order_acquire) == recording;
    }
    return origin;
}

bool gpu_command_read(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress address, void *to,
                      uint32_t size)
{
    struct gpu_command_buffer *commands = find_commands(gpu, recording);
    /* The chunks are published before their count, so the array has at least this count. */
    const uint32_t count = commands ? plain_load_acquire(&commands->chunk_count) : 0;
    const struct gpu_memory *chunks = commands ? plain_load_acquire(&commands->chunks) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct gpu_memory chunk = chunks[i];
        if (address < chunk.address || chunk.size < size ||
            address - chunk.address > chunk.size - size)
            continue;
        memcpy(to, (const unsigned char *)chunk.host + (address - chunk.address), size);
        /* the recording's number is compared after the copy is made */
        atomic_thread_fence(memory_order_acquire);
        return atomic_load_explicit(&commands->recording, memory_order_acquire) == recording;
    }
    return false;
}

/* Copies those executions of a secondary whose recording still exists, so that the lock is not held
 * while they are looked up. Returns how many more there are. */
static uint32_t copy_executions(struct gpu_device *gpu, struct gpu_command_buffer *secondary,
                                struct gpu_execution copy[GPU_EXECUTIONS], uint32_t *count)
{
    lock_take(&gpu->recordings_lock);
    for (uint32_t i = 0; i < secondary->execution_count; i++) {
        if (gpu_recording_lives(gpu, secondary->executions[i].recording))
            copy[(*count)++] = secondary->executions[i];
    }
    const uint32_t more = secondary->execution_more;
    lock_release(&gpu->recordings_lock);
    return more;
}

/* Looks up the command that executes a secondary. `command_buffer` of the result is 0 if its
 * recording is gone meanwhile. */
static struct gpu_executor executor_of(struct gpu_device *gpu,
                                       const struct gpu_execution *execution)
{
    const struct gpu_origin found =
        gpu_command_find_own(gpu, execution->recording, execution->number);
    struct gpu_executor executor = {.command_buffer = found.found ? found.command_buffer : 0,
                                    .number = execution->number,
                                    .caller = found.action.caller,
                                    .muted = found.muted};
    static_assert(sizeof(executor.labels) == sizeof(found.labels), "both hold the same text");
    memcpy(executor.labels, found.labels, sizeof(executor.labels));
    return executor;
}

/* Fills in gpu_origin::executors for a record of this recording. */
static void executions_find(struct gpu_device *gpu, uint32_t recording, struct gpu_origin *origin)
{
    for (uint32_t level = 0; level < GPU_EXECUTORS; level++) {
        struct gpu_command_buffer *commands =
            atomic_load_explicit(&gpu->slots[recording % GPU_RECORDING_SLOTS],
                                 memory_order_acquire);
        struct gpu_execution executions[GPU_EXECUTIONS];
        uint32_t count = 0, sum = 0;
        if (!commands)
            return;
        const uint32_t more = copy_executions(gpu, commands, executions, &count);
        for (uint32_t i = 0; i < count; i++)
            sum += executions[i].count;
        if (!level)
            origin->execution_count = sum + more;
        /* a recording that is executed several times ends the chain */
        if (!count || (level && sum + more != 1))
            return;
        bool muted = !more;
        for (uint32_t i = 0; i < count && origin->executor_count < GPU_EXECUTORS; i++) {
            const struct gpu_executor executor = executor_of(gpu, &executions[i]);
            origin->executors[origin->executor_count++] = executor;
            muted &= executor.muted;
        }
        origin->muted |= muted && count <= GPU_EXECUTORS;
        if (sum + more != 1)
            return;
        recording = executions[0].recording;
    }
}

struct gpu_origin gpu_command_find(struct gpu_device *gpu, uint32_t recording, uint32_t number)
{
    struct gpu_origin origin = gpu_command_find_own(gpu, recording, number);
    if (origin.found)
        executions_find(gpu, recording, &origin);
    return origin;
}
