/* Which markers has a device written when it is lost? With the key `markers`, the first so many that are recorded: their
 * values are in memory at once, as nothing is ever executed. */
#include "null_driver.h"

#include <string.h>

static bool comes_so_far(struct config *config)
{
    unsigned left = config ? atomic_load_explicit(&config->markers_left, memory_order_relaxed) : 0;
    if (left)
        atomic_store_explicit(&config->markers_left, left - 1, memory_order_relaxed);
    return left != 0;
}

static void write_word(VkBuffer handle, VkDeviceSize offset, uint32_t value)
{
    const struct buffer *buffer = object_get(handle, VK_OBJECT_TYPE_BUFFER);
    char *host = buffer && buffer->memory ? atomic_load(&buffer->memory->host) : NULL;
    if (host)
        memcpy(host + buffer->memory_offset + offset, &value, sizeof(value));
}

VKAPI_ATTR void VKAPI_CALL null_CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer,
                                                        VkPipelineStageFlagBits pipelineStage, VkBuffer dstBuffer,
                                                        VkDeviceSize dstOffset, uint32_t marker)
{
    if (comes_so_far(((const struct dispatchable *)commandBuffer)->config))
        write_word(dstBuffer, dstOffset, marker);
}

VKAPI_ATTR void VKAPI_CALL null_CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                              VkDeviceSize size, uint32_t data)
{
    if (size == sizeof(data) && comes_so_far(((const struct dispatchable *)commandBuffer)->config))
        write_word(dstBuffer, dstOffset, data);
}

/* The last one has begun; all but the last are over. */
VKAPI_ATTR void VKAPI_CALL null_CmdSetCheckpointNV(VkCommandBuffer commandBuffer, const void *pCheckpointMarker)
{
    struct config *config = ((const struct dispatchable *)commandBuffer)->config;
    if (!comes_so_far(config))
        return;
    config->checkpoints[0] = config->checkpoints[1];
    config->checkpoints[1] = pCheckpointMarker;
}

VKAPI_ATTR void VKAPI_CALL null_GetQueueCheckpointDataNV(VkQueue queue, uint32_t *pCheckpointDataCount,
                                                         VkCheckpointDataNV *pCheckpointData)
{
    const struct config *config = ((const struct dispatchable *)queue)->config;
    const uint32_t count = config && config->checkpoints[1] ? 2 : 0;
    for (uint32_t i = 0; pCheckpointData && i < count && i < *pCheckpointDataCount; i++) {
        pCheckpointData[i].stage = i ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
        pCheckpointData[i].pCheckpointMarker = (void *)(uintptr_t)config->checkpoints[i];
    }
    *pCheckpointDataCount = pCheckpointData && *pCheckpointDataCount < count ? *pCheckpointDataCount : count;
}
