/* Records draws: their counts, and the buffers of their parameters (20 "Drawing Commands"). */
#include "state/memory/device_address.h"
#include "sync/record/draw.h"
#include "sync/hooks.h"

/* Records a direct draw; usually nothing has changed since the last draw, and it returns at
 * once. */
static ALWAYS_INLINE bool draw_record(struct call *call, const struct draw_counts *counts)
{
    struct recording recording;
    if (likely(!draw_begin(&recording, call, counts)))
        return false;
    draw_access_bound(&recording, 0);
    draw_access_vertices(&recording, counts);
    return recording_finish_check(&recording);
}

bool sync_validate_CmdDraw(struct call *call, VkCommandBuffer commandBuffer, uint32_t vertexCount,
                           uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance)
{
    return draw_record(call, &(struct draw_counts){.first_vertex = firstVertex,
                                                   .vertex_count = vertexCount,
                                                   .first_instance = firstInstance,
                                                   .instance_count = instanceCount});
}

bool sync_validate_CmdDrawIndexed(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex,
                                  int32_t vertexOffset, uint32_t firstInstance)
{
    return draw_record(call, &(struct draw_counts){.first_index = firstIndex,
                                                   .index_count = indexCount,
                                                   .first_instance = firstInstance,
                                                   .instance_count = instanceCount,
                                                   .indexed = true});
}

/* Returns how many draws are looked at; 0 if the count is above the device's limit. That is a
 * mistake of the program, and the array may be shorter than the count says. */
static uint32_t multi_draws(const struct call *call, const void *infos, uint32_t count)
{
    return infos && count <= call->device->extended.MultiDrawPropertiesEXT.maxMultiDrawCount ? count
                                                                                             : 0;
}

/* True if the draw has an instance and a vertex; otherwise it accesses nothing. */
static bool draws_something(const struct draw_counts *counts)
{
    return counts->instance_count && (counts->indexed ? counts->index_count : counts->vertex_count);
}

/* Records several draws as one command. `counts_of` reads the counts of each draw from `infos`. */
static bool draw_multi(struct call *call, uint32_t count,
                       struct draw_counts (*counts_of)(const void *info), const void *infos,
                       uint32_t stride, uint32_t instance_count, uint32_t first_instance)
{
    struct recording recording;
    bool looked = false;
    if (!recording_begin(&recording, call))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct draw_counts counts = counts_of((const char *)infos + (size_t)i * stride);
        counts.instance_count = instance_count;
        counts.first_instance = first_instance;
        if (!draws_something(&counts))
            continue;
        if (!looked)
            draw_access_bound(&recording, 0);
        looked = true;
        draw_access_vertices(&recording, &counts);
    }
    return recording_finish_check(&recording);
}

/* Reads the counts of one draw of vkCmdDrawMultiEXT; the command gives the instances. */
static struct draw_counts counts_of_vertices(const void *info)
{
    const VkMultiDrawInfoEXT *draw = info;
    return (struct draw_counts){.first_vertex = draw->firstVertex,
                                .vertex_count = draw->vertexCount};
}

/* Reads the counts of one draw of vkCmdDrawMultiIndexedEXT. */
static struct draw_counts counts_of_indices(const void *info)
{
    const VkMultiDrawIndexedInfoEXT *draw = info;
    return (struct draw_counts){
        .first_index = draw->firstIndex, .index_count = draw->indexCount, .indexed = true};
}

bool sync_validate_CmdDrawMultiEXT(struct call *call, VkCommandBuffer commandBuffer,
                                   uint32_t drawCount, const VkMultiDrawInfoEXT *pVertexInfo,
                                   uint32_t instanceCount, uint32_t firstInstance, uint32_t stride)
{
    return draw_multi(call, multi_draws(call, pVertexInfo, drawCount), counts_of_vertices,
                      pVertexInfo, stride, instanceCount, firstInstance);
}

bool sync_validate_CmdDrawMultiIndexedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t drawCount,
                                          const VkMultiDrawIndexedInfoEXT *pIndexInfo,
                                          uint32_t instanceCount, uint32_t firstInstance,
                                          uint32_t stride, const int32_t *pVertexOffset)
{
    return draw_multi(call, multi_draws(call, pIndexInfo, drawCount), counts_of_indices, pIndexInfo,
                      stride, instanceCount, firstInstance);
}

bool sync_validate_CmdDrawMeshTasksEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t groupCountX, uint32_t groupCountY,
                                       uint32_t groupCountZ)
{
    return groupCountX && groupCountY && groupCountZ &&
           draw_record(call, &(struct draw_counts){.mesh = true});
}

/* --- draws with parameters in buffers --- */

/* Says where the parameters of an indirect command lie: the draws, of `size` bytes each, and the
 * count, if there is one. */
struct indirect {
    const struct buffer *buffer, *count_buffer;
    VkDeviceSize offset, count_offset; /* bytes */
    uint32_t count, stride, size;
    bool counted; /* the count in memory says how many draws are read; `count` is the most */
};

/* Records an indirect draw: its parameters, its count, and all that it draws with. Returns true if
 * the call is to be skipped. */
static bool draw_indirect(struct call *call, const struct indirect *indirect,
                          const struct draw_counts *counts)
{
    struct recording recording;
    if (!indirect->count || !recording_begin(&recording, call))
        return false;
    const struct buffer *buffer = indirect->buffer;
    struct access_source source = {.role = ROLE_INDIRECT_BUFFER};
    /* Gaps between the parameters are not read. */
    bool contiguous = indirect->count == 1 || indirect->stride == indirect->size;
    /* With a count in memory, it is not known whether any parameters are read. */
    uint32_t certain = indirect->counted ? 0 : indirect->count;
    if (contiguous)
        recording_buffer(&recording, buffer, indirect->offset,
                         (VkDeviceSize)certain * indirect->size,
                         SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    for (uint32_t i = 0; !contiguous && i < certain && i < RECORDING_PIECES && buffer; i++) {
        VkDeviceSize at = indirect->offset + (VkDeviceSize)i * indirect->stride;
        if (at >= buffer->size)
            break;
        recording_buffer(&recording, buffer, at, indirect->size,
                         SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    }
    source.role = ROLE_COUNT_BUFFER;
    if (indirect->counted)
        recording_buffer(&recording, indirect->count_buffer, indirect->count_offset, 4,
                         SYNC_DRAW_INDIRECT_INDIRECT_COMMAND_READ, &source);
    draw_access_bound(&recording, 0);
    draw_access_vertices(&recording, counts);
    return recording_finish_check(&recording);
}

/* Counts of draws whose parameters are in a buffer, and not known here. */
#define VERTICES (&(struct draw_counts){.indirect = true})
#define INDICES  (&(struct draw_counts){.indirect = true, .indexed = true})
#define MESH     (&(struct draw_counts){.indirect = true, .mesh = true})

/* Records an indirect draw of `count` commands, `size` bytes each. Returns true if the call is to
 * be skipped. */
static bool draw_uncounted(struct call *call, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                           uint32_t stride, uint32_t size, const struct draw_counts *counts)
{
    return draw_indirect(call,
                         &(struct indirect){.buffer = find_buffer(call, buffer),
                                            .offset = offset,
                                            .count = count,
                                            .stride = stride,
                                            .size = size},
                         counts);
}

bool sync_validate_CmdDrawIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                   VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                   uint32_t stride)
{
    return draw_uncounted(call, buffer, offset, drawCount, stride, sizeof(VkDrawIndirectCommand),
                          VERTICES);
}

bool sync_validate_CmdDrawIndexedIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                          VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                          uint32_t stride)
{
    return draw_uncounted(call, buffer, offset, drawCount, stride,
                          sizeof(VkDrawIndexedIndirectCommand), INDICES);
}

bool sync_validate_CmdDrawMeshTasksIndirectEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBuffer buffer, VkDeviceSize offset,
                                               uint32_t drawCount, uint32_t stride)
{
    return draw_uncounted(call, buffer, offset, drawCount, stride,
                          sizeof(VkDrawMeshTasksIndirectCommandEXT), MESH);
}

/* Records an indirect draw whose count lies in a buffer: it is not known how many commands are
 * read. */
static bool draw_counted(struct call *call, VkBuffer buffer, VkDeviceSize offset,
                         VkBuffer count_buffer, VkDeviceSize count_offset, uint32_t most,
                         const struct draw_counts *counts)
{
    return draw_indirect(call,
                         &(struct indirect){.buffer = find_buffer(call, buffer),
                                            .offset = offset,
                                            .count_buffer = find_buffer(call, count_buffer),
                                            .count_offset = count_offset,
                                            .count = most,
                                            .counted = true},
                         counts);
}

bool sync_validate_CmdDrawIndirectCount(struct call *call, VkCommandBuffer commandBuffer,
                                        VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,
                                        VkDeviceSize countBufferOffset, uint32_t maxDrawCount,
                                        uint32_t stride)
{
    return draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                        VERTICES);
}

bool sync_validate_CmdDrawIndexedIndirectCount(struct call *call, VkCommandBuffer commandBuffer,
                                               VkBuffer buffer, VkDeviceSize offset,
                                               VkBuffer countBuffer, VkDeviceSize countBufferOffset,
                                               uint32_t maxDrawCount, uint32_t stride)
{
    return draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount,
                        INDICES);
}

bool sync_validate_CmdDrawMeshTasksIndirectCountEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                    VkDeviceSize offset, VkBuffer countBuffer,
                                                    VkDeviceSize countBufferOffset,
                                                    uint32_t maxDrawCount, uint32_t stride)
{
    return draw_counted(call, buffer, offset, countBuffer, countBufferOffset, maxDrawCount, MESH);
}

/* --- draws with parameters at addresses (VK_KHR_device_address_commands) --- */

/* Returns the buffer in which an address lies, and the offset there. NULL: it lies in no known
 * buffer. */
static const struct buffer *buffer_at(const struct call *call, VkDeviceAddress address,
                                      VkDeviceSize size, VkDeviceSize *offset)
{
    struct address_search found = device_address_find(call->device, address, size, 0);
    if (!found.buffer || found.rest > found.buffer->size)
        return NULL;
    *offset = found.buffer->size - found.rest;
    return found.buffer;
}

/* Records an indirect draw whose parameters are named by address. */
static bool draw_addresses(struct call *call, const VkDrawIndirect2InfoKHR *info, uint32_t size,
                           const struct draw_counts *counts)
{
    struct indirect indirect = {
        .count = info->drawCount, .stride = (uint32_t)info->addressRange.stride, .size = size};
    indirect.buffer =
        buffer_at(call, info->addressRange.address, info->addressRange.size, &indirect.offset);
    return draw_indirect(call, &indirect, counts);
}

/* Records an indirect draw whose parameters and count both lie at addresses. */
static bool draw_counted_addresses(struct call *call, const VkDrawIndirectCount2InfoKHR *info,
                                   const struct draw_counts *counts)
{
    struct indirect indirect = {.count = info->maxDrawCount, .counted = true};
    indirect.count_buffer =
        buffer_at(call, info->countAddressRange.address, 4, &indirect.count_offset);
    return draw_indirect(call, &indirect, counts);
}

bool sync_validate_CmdDrawIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_addresses(call, pInfo, sizeof(VkDrawIndirectCommand), VERTICES);
}

bool sync_validate_CmdDrawIndexedIndirect2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_addresses(call, pInfo, sizeof(VkDrawIndexedIndirectCommand), INDICES);
}

bool sync_validate_CmdDrawMeshTasksIndirect2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkDrawIndirect2InfoKHR *pInfo)
{
    return draw_addresses(call, pInfo, sizeof(VkDrawMeshTasksIndirectCommandEXT), MESH);
}

bool sync_validate_CmdDrawIndirectCount2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_counted_addresses(call, pInfo, VERTICES);
}

bool sync_validate_CmdDrawIndexedIndirectCount2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_counted_addresses(call, pInfo, INDICES);
}

bool sync_validate_CmdDrawMeshTasksIndirectCount2EXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     const VkDrawIndirectCount2InfoKHR *pInfo)
{
    return draw_counted_addresses(call, pInfo, MESH);
}

/* Records a draw whose vertex count transform feedback has written: "the destination access is
 * VK_ACCESS_INDIRECT_COMMAND_READ_BIT". */
static bool draw_byte_count(struct call *call, const struct buffer *buffer, VkDeviceSize offset,
                            uint32_t instance_count)
{
    const struct indirect indirect = {
        .count_buffer = buffer, .count_offset = offset, .count = instance_count, .counted = true};
    return draw_indirect(call, &indirect, VERTICES);
}

bool sync_validate_CmdDrawIndirectByteCountEXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t instanceCount, uint32_t firstInstance,
                                               VkBuffer counterBuffer,
                                               VkDeviceSize counterBufferOffset,
                                               uint32_t counterOffset, uint32_t vertexStride)
{
    return draw_byte_count(call, named_buffer(call, 0, counterBuffer), counterBufferOffset,
                           instanceCount);
}

bool sync_validate_CmdDrawIndirectByteCount2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t instanceCount, uint32_t firstInstance,
                                                const VkBindTransformFeedbackBuffer2InfoEXT
                                                    *pCounterInfo,
                                                uint32_t counterOffset, uint32_t vertexStride)
{
    VkDeviceSize offset = 0;
    const struct buffer *buffer = buffer_at(call, pCounterInfo->addressRange.address, 4, &offset);
    return draw_byte_count(call, buffer, offset, instanceCount);
}
