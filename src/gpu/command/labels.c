/* Keeps the labels that are open in a command buffer, for findings about commands that are
 * recorded under them. It also finds the command that a record is about. */
#include "gpu/device/areas.h"
#include "gpu/command/command.h"

#include <string.h>

#include "gpu/hooks.h"
#include "gpu/command/label_path.h"
#include "gpu/device/survive.h"
#include "base/plain_atomic.h"
#include "base/vec.h"
#include "report/finding/reporter.h"

#define FIRST_LABELS 16

static bool make_room(struct gpu_command_buffer *commands)
{
    return vec_room_in(&commands->arena, &commands->labels, commands->label_count,
                       &commands->label_capacity, FIRST_LABELS, sizeof(*commands->labels));
}

/* A label without memory for it has the place of the one around it: its end comes, too. */
static void open_label(struct call *call, const char *name)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands || !make_room(commands))
        return;
    name = name ? name : "";
    size_t size = strlen(name) + 1;
    char *copy = arena_take(&commands->arena, size);
    if (copy)
        memcpy(copy, name, size);
    const uint32_t parent = commands->open_label;
    commands->labels[commands->label_count] =
        (struct gpu_label){.name = copy,
                           .parent = parent,
                           .muted = reporter_mutes_label(call->instance->reporter, name) ||
                                    (parent && commands->labels[parent - 1].muted)};
    commands->open_label = ++commands->label_count;
    if (unlikely(gpu_in_device(call->device)->gpu->surviving))
        gpu_survive_label(gpu_in_device(call->device)->gpu, commands);
}

static void close_label(struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (commands && commands->open_label)
        commands->open_label = commands->labels[commands->open_label - 1].parent;
}

void gpu_after_CmdBeginDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkDebugUtilsLabelEXT *pLabelInfo)
{
    open_label(call, pLabelInfo->pLabelName);
}

void gpu_after_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    close_label(call);
}

void gpu_after_CmdDebugMarkerBeginEXT(struct call *call, VkCommandBuffer commandBuffer,
                                      const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    open_label(call, pMarkerInfo->pMarkerName);
}

void gpu_after_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    close_label(call);
}

/* --- for readers of records --- */

static void write_labels(const struct gpu_command_buffer *commands, uint32_t label, char *to,
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

/* The first action that does not come before the command with this number; `count`: there is none.
 */
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

/* NULL: it has been recorded again, or is gone. */
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
    /* The array that has this room is published before its capacity, and a larger one has more. */
    uint32_t capacity = plain_load_acquire(&commands->action_capacity);
    const struct gpu_action *actions = plain_load_acquire(&commands->actions);
    uint32_t count = atomic_load_explicit(&commands->action_count, memory_order_acquire);
    count = count < capacity ? count : capacity;
    const uint32_t index = find_action(actions, count, number);
    if (index < count && actions[index].number == number) {
        origin.action = actions[index];
        origin.command_buffer = commands->command_buffer;
        write_labels(commands, origin.action.label, origin.labels, sizeof(origin.labels));
        for (uint32_t i = 0;
             origin.action.tables && i < origin.action.table_count && i < ORIGIN_TABLES; i++)
            origin.tables[i] = origin.action.tables[i];
        const uint32_t label = origin.action.label;
        origin.muted = label && label <= commands->label_count && commands->labels[label - 1].muted;
        origin.found =
            atomic_load_explicit(&commands->recording, memory_order_acquire) == recording;
    }
    return origin;
}

bool gpu_command_read(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress address, void *to,
                      uint32_t size)
{
    struct gpu_command_buffer *commands = find_commands(gpu, recording);
    /* The array that has this room is published before the count. */
    const uint32_t count = commands ? plain_load_acquire(&commands->chunk_count) : 0;
    const struct gpu_memory *chunks = commands ? plain_load_acquire(&commands->chunks) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        const struct gpu_memory chunk = chunks[i];
        if (address < chunk.address || chunk.size < size ||
            address - chunk.address > chunk.size - size)
            continue;
        memcpy(to, (const unsigned char *)chunk.host + (address - chunk.address), size);
        /* the copy is made before the recording is looked at */
        atomic_thread_fence(memory_order_acquire);
        return atomic_load_explicit(&commands->recording, memory_order_acquire) == recording;
    }
    return false;
}

struct gpu_origin gpu_command_find(struct gpu_device *gpu, uint32_t recording, uint32_t number)
{
    struct gpu_origin origin = gpu_command_find_own(gpu, recording, number);
    if (origin.found)
        gpu_executions_find(gpu, recording, &origin);
    return origin;
}
