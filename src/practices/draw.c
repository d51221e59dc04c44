/* Counts draws and dispatches, and advises if one does nothing. Hot: counters and comparisons. */
#include "practices/advise.h"
#include "practices/counts.h"
#include "practices/hooks.h"
#include "practices/indices.h"

#define SMALL_DRAW 10 /* number of indices, over all instances */

/* Advises that the parameter with this name is 0. */
static COLD void draws_nothing(const struct call *call, enum vuid id, const char *parameter)
{
    advise(call, id, &LOCATION(NULL, parameter), NULL, "is 0");
}

void practices_after_CmdDraw(struct call *call, VkCommandBuffer commandBuffer, uint32_t vertexCount,
                             uint32_t instanceCount, uint32_t firstVertex, uint32_t firstInstance)
{
    count_draw(call);
    if (unlikely(!instanceCount))
        draws_nothing(call, BestPractices_vkCmdDraw_instance_count_zero, "instanceCount");
}

void practices_after_CmdDrawIndexed(struct call *call, VkCommandBuffer commandBuffer,
                                    uint32_t indexCount, uint32_t instanceCount,
                                    uint32_t firstIndex, int32_t vertexOffset,
                                    uint32_t firstInstance)
{
    struct practices_of_command_buffer *kept = count_draw(call);
    if (likely(kept != NULL)) {
        kept->small_draws += (uint64_t)indexCount * instanceCount < SMALL_DRAW;
        if (unlikely(indexCount >= kept->least_indices))
            indices_note(call, indexCount, firstIndex);
    }
    if (unlikely(!instanceCount))
        draws_nothing(call, BestPractices_vkCmdDrawIndexed_instance_count_zero, "instanceCount");
}

void practices_after_CmdDrawIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                     VkBuffer buffer, VkDeviceSize offset, uint32_t drawCount,
                                     uint32_t stride)
{
    count_draw(call);
    if (unlikely(!drawCount))
        draws_nothing(call, BestPractices_vkCmdDrawIndirect_draw_count_zero, "drawCount");
}

void practices_after_CmdDrawIndexedIndirect(struct call *call, VkCommandBuffer commandBuffer,
                                            VkBuffer buffer, VkDeviceSize offset,
                                            uint32_t drawCount, uint32_t stride)
{
    count_draw(call);
    if (unlikely(!drawCount))
        draws_nothing(call, BestPractices_vkCmdDrawIndexedIndirect_draw_count_zero, "drawCount");
}

/* --- dispatches --- */

/* Advises on a dispatch with a count of 0. */
static COLD void dispatches_nothing(const struct call *call, enum vuid id, uint32_t x, uint32_t y,
                                    uint32_t z)
{
    advise(call, id, NULL, NULL, "dispatches %u by %u by %u workgroups", x, y, z);
}

void practices_after_CmdDispatch(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    count_action(call);
    if (unlikely(!groupCountX || !groupCountY || !groupCountZ))
        dispatches_nothing(call, BestPractices_vkCmdDispatch_group_count_zero, groupCountX,
                           groupCountY, groupCountZ);
}

void practices_after_CmdDispatchBase(struct call *call, VkCommandBuffer commandBuffer,
                                     uint32_t baseGroupX, uint32_t baseGroupY, uint32_t baseGroupZ,
                                     uint32_t groupCountX, uint32_t groupCountY,
                                     uint32_t groupCountZ)
{
    count_action(call);
    if (unlikely(!groupCountX || !groupCountY || !groupCountZ))
        dispatches_nothing(call, BestPractices_vkCmdDispatchBase_group_count_zero, groupCountX,
                           groupCountY, groupCountZ);
}
