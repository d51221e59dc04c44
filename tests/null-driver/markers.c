/* Writes the markers that a device has written when it is lost. With the key `markers` these are
 * the first so many of what was submitted. They come in the order in which it is executed, those of
 * secondaries among them. Nothing else of a command buffer is ever executed. */
#include "null_driver.h"

#include <string.h>

/* The markers that a command buffer has recorded. */
struct marker {
    VkCommandBuffer commands; /* NULL: it has begun another recording */
    enum { MARKER_WORD, MARKER_CHECKPOINT, MARKER_EXECUTE } kind;
    bool at_top; /* of the pipe */
    VkBuffer buffer;
    VkDeviceSize offset;
    uint32_t value;
    const void *checkpoint;
    VkCommandBuffer secondary;
};

#define MARKERS_MOST 4096 /* more are not written */

/* The markers of the process: one thread records and submits where there is a configuration with
 * `markers`. */
static struct marker markers[MARKERS_MOST];
static uint32_t marker_count;

static struct config *config_with_markers(const void *dispatchable)
{
    struct config *config = ((const struct dispatchable *)dispatchable)->config;
    return config && config->has_markers ? config : NULL;
}

static void add_marker(VkCommandBuffer commands, struct marker marker)
{
    if (!config_with_markers(commands) || marker_count == MARKERS_MOST)
        return;
    marker.commands = commands;
    markers[marker_count++] = marker;
}

VKAPI_ATTR VkResult VKAPI_CALL null_BeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                       const VkCommandBufferBeginInfo *pBeginInfo)
{
    for (uint32_t i = 0; i < marker_count && config_with_markers(commandBuffer); i++) {
        if (markers[i].commands == commandBuffer)
            markers[i].commands = NULL;
    }
    (void)pBeginInfo;
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL null_CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer,
                                                        VkPipelineStageFlagBits pipelineStage,
                                                        VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                                        uint32_t marker)
{
    add_marker(commandBuffer,
               (struct marker){.kind = MARKER_WORD,
                               .at_top = pipelineStage == VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                               .buffer = dstBuffer,
                               .offset = dstOffset,
                               .value = marker});
}

VKAPI_ATTR void VKAPI_CALL null_CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer,
                                              VkDeviceSize dstOffset, VkDeviceSize size,
                                              uint32_t data)
{
    if (size == sizeof(data))
        add_marker(commandBuffer, (struct marker){.kind = MARKER_WORD,
                                                  .buffer = dstBuffer,
                                                  .offset = dstOffset,
                                                  .value = data});
}

VKAPI_ATTR void VKAPI_CALL null_CmdSetCheckpointNV(VkCommandBuffer commandBuffer,
                                                   const void *pCheckpointMarker)
{
    add_marker(commandBuffer,
               (struct marker){.kind = MARKER_CHECKPOINT, .checkpoint = pCheckpointMarker});
}

VKAPI_ATTR void VKAPI_CALL null_CmdExecuteCommands(VkCommandBuffer commandBuffer,
                                                   uint32_t commandBufferCount,
                                                   const VkCommandBuffer *pCommandBuffers)
{
    for (uint32_t i = 0; i < commandBufferCount; i++)
        add_marker(commandBuffer,
                   (struct marker){.kind = MARKER_EXECUTE, .secondary = pCommandBuffers[i]});
}

/* --- execution --- */

static void write_word(const struct marker *marker)
{
    const struct buffer *buffer = object_get(marker->buffer, VK_OBJECT_TYPE_BUFFER);
    char *host = buffer && buffer->memory ? atomic_load(&buffer->memory->host) : NULL;
    if (host)
        memcpy(host + buffer->memory_offset + marker->offset, &marker->value,
               sizeof(marker->value));
}

/* The last checkpoint has begun; all but the last are over. */
static void write_marker(struct config *config, const struct marker *marker)
{
    const bool comes_so_far = config->markers_left != 0;
    config->markers_left -= comes_so_far;
    if (marker->kind == MARKER_WORD && comes_so_far) {
        write_word(marker);
    } else if (marker->kind == MARKER_WORD && marker->at_top && config->markers_ahead) {
        config->markers_ahead--;
        write_word(marker);
    } else if (marker->kind == MARKER_CHECKPOINT && comes_so_far) {
        config->checkpoints[0] = config->checkpoints[1];
        config->checkpoints[1] = marker->checkpoint;
    }
}

static void execute_markers(struct config *config, VkCommandBuffer commands)
{
    for (uint32_t i = 0; i < marker_count; i++) {
        if (markers[i].commands != commands)
            continue;
        if (markers[i].kind == MARKER_EXECUTE)
            execute_markers(config, markers[i].secondary);
        else
            write_marker(config, &markers[i]);
    }
}

void markers_execute(VkQueue queue, VkCommandBuffer commands)
{
    struct config *config = config_with_markers(queue);
    if (config)
        execute_markers(config, commands);
}

VKAPI_ATTR void VKAPI_CALL null_GetQueueCheckpointDataNV(VkQueue queue,
                                                         uint32_t *pCheckpointDataCount,
                                                         VkCheckpointDataNV *pCheckpointData)
{
    const struct config *config = ((const struct dispatchable *)queue)->config;
    const uint32_t count = config && config->checkpoints[1] ? 2 : 0;
    for (uint32_t i = 0; pCheckpointData && i < count && i < *pCheckpointDataCount; i++) {
        pCheckpointData[i].stage =
            i ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
        pCheckpointData[i].pCheckpointMarker = (void *)(uintptr_t)config->checkpoints[i];
    }
    *pCheckpointDataCount =
        pCheckpointData && *pCheckpointDataCount < count ? *pCheckpointDataCount : count;
}
