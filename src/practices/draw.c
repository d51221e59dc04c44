/* Counts draws and dispatches, and says where one does nothing. Hot: counters and comparisons. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/hooks.h"

static COLD void draws_nothing(const struct call *call, enum vuid id, const char *parameter)
{
    advise(call, id, &LOCATION(NULL, parameter), NULL, "is 0");
}

static ALWAYS_INLINE struct practices_of_command_buffer *count_draw(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (unlikely(!kept))
        return NULL;
    kept->actions++;
    kept->draws++;
    kept->instance_draws++;
    kept->class_draws[kept->bound]++;
    return kept;
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
    count_draw(call);
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

static COLD void dispatches_nothing(const struct call *call, enum vuid id, uint32_t x, uint32_t y,
                                    uint32_t z)
{
    advise(call, id, NULL, NULL, "dispatches %u by %u by %u workgroups", x, y, z);
}

void practices_after_CmdDispatch(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t groupCountX, uint32_t groupCountY, uint32_t groupCountZ)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (likely(kept != NULL))
        kept->actions++;
    if (unlikely(!groupCountX || !groupCountY || !groupCountZ))
        dispatches_nothing(call, BestPractices_vkCmdDispatch_group_count_zero, groupCountX,
                           groupCountY, groupCountZ);
}

void practices_after_CmdDispatchBase(struct call *call, VkCommandBuffer commandBuffer,
                                     uint32_t baseGroupX, uint32_t baseGroupY, uint32_t baseGroupZ,
                                     uint32_t groupCountX, uint32_t groupCountY,
                                     uint32_t groupCountZ)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (likely(kept != NULL))
        kept->actions++;
    if (unlikely(!groupCountX || !groupCountY || !groupCountZ))
        dispatches_nothing(call, BestPractices_vkCmdDispatchBase_group_count_zero, groupCountX,
                           groupCountY, groupCountZ);
}
