/* Draws: their counts, and the buffers that they name (20 "Drawing Commands"). */
#include "sync/draw.h"
#include "sync/hooks.h"

static ALWAYS_INLINE void draw(struct call *call, const struct draw_counts *counts)
{
    struct recording recording;
    if (likely(!draw_begin(&recording, call, counts)))
        return;
    draw_access_bound(&recording, 0);
    draw_access_vertices(&recording, counts);
    recording_end(&recording);
}

void sync_after_CmdDraw(struct call *call, VkCommandBuffer commandBuffer, uint32_t vertexCount, uint32_t instanceCount,
                        uint32_t firstVertex, uint32_t firstInstance)
{
    draw(call, &(struct draw_counts){.first_vertex = firstVertex,
                                     .vertex_count = vertexCount,
                                     .first_instance = firstInstance,
                                     .instance_count = instanceCount});
}

void sync_after_CmdDrawIndexed(struct call *call, VkCommandBuffer commandBuffer, uint32_t indexCount,
                               uint32_t instanceCount, uint32_t firstIndex, int32_t vertexOffset, uint32_t firstInstance)
{
    draw(call, &(struct draw_counts){.first_index = firstIndex,
                                     .index_count = indexCount,
                                     .first_instance = firstInstance,
                                     .instance_count = instanceCount,
                                     .indexed = true});
}

/* More of them than the device takes are a mistake, whose array may be shorter than it says. */
static uint32_t multi_draws(const struct call *call, const void *infos, uint32_t count)
{
    return infos && count <= call->device->extended.MultiDrawPropertiesEXT.maxMultiDrawCount ? count : 0;
}

void sync_after_CmdDrawMultiEXT(struct call *call, VkCommandBuffer commandBuffer, uint32_t drawCount,
                                const VkMultiDrawInfoEXT *pVertexInfo, uint32_t instanceCount, uint32_t firstInstance,
                                uint32_t stride)
{
    uint32_t count = multi_draws(call, pVertexInfo, drawCount);
    for (uint32_t i = 0; i < count; i++) {
        const VkMultiDrawInfoEXT *info = (const void *)((const char *)pVertexInfo + (size_t)i * stride);
        draw(call, &(struct draw_counts){.first_vertex = info->firstVertex,
                                         .vertex_count = info->vertexCount,
                                         .first_instance = firstInstance,
                                         .instance_count = instanceCount});
    }
}

void sync_after_CmdDrawMultiIndexedEXT(struct call *call, VkCommandBuffer commandBuffer, uint32_t drawCount,
                                       const VkMultiDrawIndexedInfoEXT *pIndexInfo, uint32_t instanceCount,
                                       uint32_t firstInstance, uint32_t stride, const int32_t *pVertexOffset)
{
    uint32_t count = multi_draws(call, pIndexInfo, drawCount);
    for (uint32_t i = 0; i < count; i++) {
        const VkMultiDrawIndexedInfoEXT *info = (const void *)((const char *)pIndexInfo + (size_t)i * stride);
        draw(call, &(struct draw_counts){.first_index = info->firstIndex,
                                         .index_count = info->indexCount,
                                         .first_instance = firstInstance,
                                         .instance_count = instanceCount,
                                         .indexed = true});
    }
}

void sync_after_CmdDrawMeshTasksEXT(struct call *call, VkCommandBuffer commandBuffer, uint32_t groupCountX,
                                    uint32_t groupCountY, uint32_t groupCountZ)
{
    if (groupCountX && groupCountY && groupCountZ)
        draw(call, &(struct draw_counts){.mesh = true});
}

/* --- from buffers --- */

/* The commands, of `size` bytes each, and the count where there is one. */
struct indirect {
    VkBuffer buffer, count_buffer;
    VkDeviceSize offset, count_offset;
    uint32_t count, stride, size;
    bool counted; /* `count` is the most that there may be: how many are read, the count says */
};

static void draw_indirect(struct call *call, const struct indirect *indirect, const struct draw_counts *counts)
{
    struct recording recording;
    if (!indirect->count || !recording_begin(&recording, call))
        return;
    const struct buffer *buffer = find_buffer(call, indirect->buffer);
    struct access_source source = {.role = ROLE_INDIRECT_BUFFER};
    bool contiguous = indirect->count == 1 || indirect->stride == indirect->size;
    uint32_t certain = indirect->counted ? 0 : indirect->count;
    if (contiguous)
        recording_buffer(&recording, buffer, indirect->offset, (VkDeviceSize)certain * indirect->size,
                         SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    for (uint32_t i = 0; !contiguous && i < certain && i < RECORDING_PIECES && buffer; i++) {
        VkDeviceSize at = indirect->offset + (VkDeviceSize)i * indirect->stride;
        if (at >= buffer->size)
            break;
        recording_buffer(&recording, buffer, at, indirect->size, SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    }
    source.role = ROLE_COUNT_BUFFER;
    if (indirect->counted)
        recording_buffer(&recording, find_buffer(call, indirect->count_buffer), indirect->count_offset, 4,
                         SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    draw_access_bound(&recording, 0);
    draw_access_vertices(&recording, counts);
    recording_end(&recording);
}

#define VERTICES (&(struct draw_counts){.indirect = true})
#define INDICES  (&(struct draw_counts){.indirect = true, .indexed = true})
#define MESH     (&(struct draw_counts){.indirect = true, .mesh = true})

/* `size`: of a command. */
static void draw_uncounted(struct call *call, VkBuffer buffer, VkDeviceSize offset, uint32_t count, uint32_t stride,
                           uint32_t size, const struct draw_counts *counts)
{
    draw_indirect(call,
                  &(struct indirect){.buffer = buffer, .offset = offset, .count = count, .stride = stride, .size = size},
                  counts);
}

void sync_after_CmdDrawIndirect(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer, VkDeviceSize offset,
                                uint32_t drawCount, uint32_t stride)
{
    draw_uncounted(call, buffer, offset, drawCount, stride, sizeof(VkDrawIndirectCommand), VERTICES);
}

void sync_after_CmdDrawIndexedIndirect(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                       VkDeviceSize offset, uint32_t drawCount, uint32_t stride)
{
    draw_uncounted(call, buffer, offset, drawCount, stride, sizeof(VkDrawIndexedIndirectCommand), INDICES);
}

void sync_after_CmdDrawMeshTasksIndirectEXT(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                            VkDeviceSize offset, uint32_t drawCount, uint32_t stride)
{
    draw_uncounted(call, buffer, offset, drawCount, stride, sizeof(VkDrawMeshTasksIndirectCommandEXT), MESH);
}

static void draw_counted(struct call *call, VkBuffer buffer, VkDeviceSize offset, VkBuffer count_buffer,
                         VkDeviceSize count_offset, uint32_t most, const struct draw_counts *counts)
{
    draw_indirect(call,
                  &(struct indirect){.buffer = buffer,
                                     .offset = offset,
                                     .count_buffer = count_buffer,
                                     .count_offset = count_offset,
                                     .count = most,
                                     .counted = true},
                  counts);
}

void sync_after_CmdDrawIndirectCount(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                     VkDeviceSize offset, VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                     uint32_t maxDrawCount, uint32_t stride)
{
    draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, VERTICES);
}

void sync_after_CmdDrawIndexedIndirectCount(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                            VkDeviceSize offset, VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                            uint32_t maxDrawCount, uint32_t stride)
{
    draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, INDICES);
}

void sync_after_CmdDrawMeshTasksIndirectCountEXT(struct call *call, VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                 VkDeviceSize offset, VkBuffer countBuffer,
                                                 VkDeviceSize countBufferOffset, uint32_t maxDrawCount, uint32_t stride)
{
    draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, MESH);
}
