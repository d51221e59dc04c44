/* Keeps the open labels of a command buffer, for findings about commands that are recorded within
 * them. */
#include "gpu/device/areas.h"
#include "gpu/command/command.h"

#include <string.h>

#include "gpu/hooks.h"
#include "gpu/device/survive.h"
#include "base/vec.h"
#include "report/finding/reporter.h"

/* Room for labels that a command buffer gets when it opens its first one. */
#define FIRST_LABELS 16

/* True if one more label can be appended. The arena is freed with the recording. */
static bool labels_make_room(struct gpu_command_buffer *commands)
{
    return vec_room_in(&commands->arena, &commands->labels, commands->label_count,
                       &commands->label_capacity, FIRST_LABELS, sizeof(*commands->labels));
}

/* Opens a label. If memory is out, its entry repeats the surrounding label, since its end will
 * come, too. */
static void open_label(struct call *call, const char *name)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands || !labels_make_room(commands))
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

/* Goes back to the label around the open one. Without an open one it does nothing:
 * vkCmdEndDebugUtilsLabelEXT may close a label of an earlier command buffer of the queue. */
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
