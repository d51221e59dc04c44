/* Checks that a command may record its barriers: the queue family supports the stages, and may
 * transfer the ownership. It is for vkCmdPipelineBarrier and vkCmdPipelineBarrier2;
 * core/barrier/rendering.c has the rules within render pass instances. */
#include "core/barrier/commands.h"
#include "core/barrier/stages.h"

#include "core/hooks.h"
#include "objects/device.h"
#include "report/names/names_of_values.h"
#include "state/memory/buffer.h"

#include "report/finding/rule.h"

/* --- ownership --- */

/* Checks that a transfer of ownership is recorded by one of its two families. */
static bool barrier_commands_check_family(const struct call *call,
                                          const struct command_buffer *command_buffer,
                                          enum rule rule, VkSharingMode mode, uint32_t src,
                                          uint32_t dst, const struct location *where)
{
    assert(command_buffer);
    /* If a barrier specifies a queue family ownership transfer operation, either
     * srcQueueFamilyIndex or dstQueueFamilyIndex and the queue family index that was used to create
     * the command pool must be equal */
    if (likely(src == dst || mode != VK_SHARING_MODE_EXCLUSIVE) ||
        src == command_buffer->queue_family || dst == command_buffer->queue_family)
        return false;
    return BROKEN_BY(call, rule, &LOCATION(where, "srcQueueFamilyIndex"), NULL,
                     "is %u and dstQueueFamilyIndex is %u, but the command buffer is of queue "
                     "family "
                     "%u: a transfer is recorded by the family that releases, and by the "
                     "one that acquires",
                     src, dst, command_buffer->queue_family);
}

/* The sharing mode of a buffer, by its handle. An unknown buffer counts as
 * VK_SHARING_MODE_CONCURRENT, which has the fewest rules. */
static VkSharingMode buffer_mode(const struct call *call, VkBuffer handle)
{
    const struct buffer *buffer = find_buffer(call, handle);
    return buffer ? buffer->sharing_mode : VK_SHARING_MODE_CONCURRENT;
}

/* The sharing mode of an image, by its handle. */
static VkSharingMode image_mode(const struct call *call, VkImage handle)
{
    const struct image *image = find_image(call, handle);
    return image ? image->sharing_mode : VK_SHARING_MODE_CONCURRENT;
}

/* --- vkCmdPipelineBarrier --- */

bool stage_mask_check(const struct call *call, const struct command_buffer *command_buffer,
                      enum mask_place place, enum rule queue_rule, VkPipelineStageFlags stages,
                      const char *name)
{
    assert(command_buffer && place < MASK_PLACE_COUNT && name);
    const struct location where = LOCATION(NULL, name);
    bool skip = stages_check_features(call, place, stages, &where);
    if (unlikely(command_buffer->queue_flags &&
                 stages_unsupported(stages, command_buffer->queue_flags)))
        skip |=
            stages_check_queue(call, rule_vuid(call->command, queue_rule), stages,
                               command_buffer->queue_family, command_buffer->queue_flags, &where);
    return skip;
}

bool stage_mask_check_zero(const struct call *call, VkPipelineStageFlags stages, enum vuid vuid,
                           const char *name)
{
    assert(name);
    /* If the synchronization2 feature is not enabled, srcStageMask must not be 0 */
    return unlikely(!stages) && !device_has_feature(call->device, FEATURE_synchronization2) &&
           BROKEN_BY(call, vuid, &LOCATION(NULL, name), NULL,
                     "is 0, but the feature synchronization2 is not enabled");
}

static bool check_dependency_flags(const struct call *call, VkDependencyFlags flags,
                                   const struct location *where)
{
    /* If the maintenance8 feature is not enabled, dependencyFlags must not include
     * QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES */
    return unlikely(flags & VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR) &&
           !device_has_feature(call->device, FEATURE_maintenance8) &&
           BROKEN_BY(call, RULE_10206, where, NULL,
                     "includes "
                     "VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, "
                     "but the feature maintenance8 is not enabled");
}

/* If either srcStageMask or dstStageMask includes HOST, for each element, srcQueueFamilyIndex and
 * dstQueueFamilyIndex must be equal */
static COLD bool check_host_families(const struct call *call, const struct barriers *barriers)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; barriers->buffers && i < barriers->buffer_count; i++) {
        const VkBufferMemoryBarrier *b = &barriers->buffers[i];
        if (b->srcQueueFamilyIndex != b->dstQueueFamilyIndex)
            BROKEN_OF(&s, OBJECT(HANDLE_BUFFER, b->buffer), RULE_09634,
                      &LOCATION_INDEX(NULL, "pBufferMemoryBarriers", i),
                      "transfers ownership from queue family %u to %u, but a stage mask includes "
                      "VK_PIPELINE_STAGE_HOST_BIT",
                      b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; barriers->images && i < barriers->image_count; i++) {
        const VkImageMemoryBarrier *b = &barriers->images[i];
        if (b->srcQueueFamilyIndex != b->dstQueueFamilyIndex)
            BROKEN_OF(&s, OBJECT(HANDLE_IMAGE, b->image), RULE_09633,
                      &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i),
                      "transfers ownership from queue family %u to %u, but a stage mask includes "
                      "VK_PIPELINE_STAGE_HOST_BIT",
                      b->srcQueueFamilyIndex, b->dstQueueFamilyIndex);
    }
    return s.skip;
}

/* Checks the transfers of ownership among the barriers of a command of version 1. */
static bool check_transfers(const struct call *call, const struct command_buffer *command_buffer,
                            const struct barriers *barriers)
{
    bool skip = false;
    for (uint32_t i = 0; barriers->buffers && i < barriers->buffer_count; i++) {
        const VkBufferMemoryBarrier *b = &barriers->buffers[i];
        if (unlikely(b->srcQueueFamilyIndex != b->dstQueueFamilyIndex))
            skip |=
                barrier_commands_check_family(call, command_buffer, RULE_10388,
                                              buffer_mode(call, b->buffer), b->srcQueueFamilyIndex,
                                              b->dstQueueFamilyIndex,
                                              &LOCATION_INDEX(NULL, "pBufferMemoryBarriers", i));
    }
    for (uint32_t i = 0; barriers->images && i < barriers->image_count; i++) {
        const VkImageMemoryBarrier *b = &barriers->images[i];
        if (unlikely(b->srcQueueFamilyIndex != b->dstQueueFamilyIndex))
            skip |= barrier_commands_check_family(call, command_buffer, RULE_10388,
                                                  image_mode(call, b->image),
                                                  b->srcQueueFamilyIndex, b->dstQueueFamilyIndex,
                                                  &LOCATION_INDEX(NULL, "pImageMemoryBarriers", i));
    }
    return skip;
}

bool core_validate_CmdPipelineBarrier(struct call *call, VkCommandBuffer commandBuffer,
                                      VkPipelineStageFlags srcStageMask,
                                      VkPipelineStageFlags dstStageMask,
                                      VkDependencyFlags dependencyFlags,
                                      uint32_t memoryBarrierCount,
                                      const VkMemoryBarrier *pMemoryBarriers,
                                      uint32_t bufferMemoryBarrierCount,
                                      const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                      uint32_t imageMemoryBarrierCount,
                                      const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const struct barriers barriers = {srcStageMask,
                                      dstStageMask,
                                      memoryBarrierCount,
                                      bufferMemoryBarrierCount,
                                      imageMemoryBarrierCount,
                                      pMemoryBarriers,
                                      pBufferMemoryBarriers,
                                      pImageMemoryBarriers};
    bool skip = stage_mask_check(call, command_buffer, MASK_vkCmdPipelineBarrier_srcStageMask,
                                 RULE_06461, srcStageMask, "srcStageMask");
    skip |= stage_mask_check(call, command_buffer, MASK_vkCmdPipelineBarrier_dstStageMask,
                             RULE_06462, dstStageMask, "dstStageMask");
    skip |= stage_mask_check_zero(call, srcStageMask, VUID_vkCmdPipelineBarrier_srcStageMask_03937,
                                  "srcStageMask");
    skip |= stage_mask_check_zero(call, dstStageMask, VUID_vkCmdPipelineBarrier_dstStageMask_03937,
                                  "dstStageMask");
    skip |= check_dependency_flags(call, dependencyFlags, &LOCATION(NULL, "dependencyFlags"));
    skip |= barriers_check(call, command_buffer, &barriers);
    skip |= check_transfers(call, command_buffer, &barriers);
    if (unlikely((srcStageMask | dstStageMask) & VK_PIPELINE_STAGE_HOST_BIT))
        skip |= check_host_families(call, &barriers);
    return skip;
}

/* --- vkCmdPipelineBarrier2 --- */

bool stages2_check_queue(const struct call *call, const struct command_buffer *command_buffer,
                         enum rule rule, VkPipelineStageFlags2 stages, const struct location *where,
                         const char *name)
{
    assert(command_buffer && name);
    if (likely(!command_buffer->queue_flags ||
               !stages_unsupported(stages, command_buffer->queue_flags)))
        return false;
    return stages_check_queue(call, rule_vuid(call->command, rule), stages,
                              command_buffer->queue_family, command_buffer->queue_flags,
                              &LOCATION(where, name));
}

/* If a buffer or image memory barrier does not specify an acquire operation (release for the
 * destination), or if it does but dependencyFlags includes
 * QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES, its stages must be valid for the queue family */
static bool check_resource_stages(const struct call *call,
                                  const struct command_buffer *command_buffer,
                                  enum ownership ownership, VkDependencyFlags flags,
                                  VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                                  const struct location *where)
{
    assert(command_buffer);
    bool all = flags & VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR,
         skip = false;
    if (ownership != OWNERSHIP_ACQUIRED || all)
        skip |= stages2_check_queue(call, command_buffer, RULE_09675, src, where, "srcStageMask");
    if (ownership != OWNERSHIP_RELEASED || all)
        skip |= stages2_check_queue(call, command_buffer, RULE_09676, dst, where, "dstStageMask");
    return skip;
}

bool core_validate_CmdPipelineBarrier2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDependencyInfo *pDependencyInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return false;
    const VkDependencyInfo *info = pDependencyInfo;
    const struct location parent = LOCATION_POINTER(NULL, "pDependencyInfo");
    struct subject s = {.call = call};
    s.skip |= dependency_check(call, command_buffer, info, 0, &parent);
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const struct location where = LOCATION_INDEX(&parent, "pMemoryBarriers", i);
        s.skip |=
            stages2_check_queue(call, command_buffer, RULE_09673,
                                info->pMemoryBarriers[i].srcStageMask, &where, "srcStageMask");
        s.skip |=
            stages2_check_queue(call, command_buffer, RULE_09674,
                                info->pMemoryBarriers[i].dstStageMask, &where, "dstStageMask");
    }
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        const struct location where = LOCATION_INDEX(&parent, "pBufferMemoryBarriers", i);
        VkSharingMode mode = buffer_mode(call, b->buffer);
        enum ownership ownership =
            barrier_ownership(mode, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex,
                              command_buffer->queue_family);
        s.skip |= check_resource_stages(call, command_buffer, ownership, info->dependencyFlags,
                                        b->srcStageMask, b->dstStageMask, &where);
        s.skip |=
            barrier_commands_check_family(call, command_buffer, RULE_10387, mode,
                                          b->srcQueueFamilyIndex, b->dstQueueFamilyIndex, &where);
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        const VkImageMemoryBarrier2 *b = &info->pImageMemoryBarriers[i];
        const struct location where = LOCATION_INDEX(&parent, "pImageMemoryBarriers", i);
        VkSharingMode mode = image_mode(call, b->image);
        enum ownership ownership =
            barrier_ownership(mode, b->srcQueueFamilyIndex, b->dstQueueFamilyIndex,
                              command_buffer->queue_family);
        s.skip |= check_resource_stages(call, command_buffer, ownership, info->dependencyFlags,
                                        b->srcStageMask, b->dstStageMask, &where);
        s.skip |=
            barrier_commands_check_family(call, command_buffer, RULE_10387, mode,
                                          b->srcQueueFamilyIndex, b->dstQueueFamilyIndex, &where);
    }
    return s.skip;
}

/* --- markers of VK_AMD_buffer_marker --- */

/* stage must include only stages that are valid for the queue family that was used to create the
 * command pool that commandBuffer was allocated from */
bool core_validate_CmdWriteBufferMarker2AMD_queue(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                                  VkDeviceSize dstOffset, uint32_t marker)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer &&
           stages2_check_queue(call, command_buffer, RULE_03895, stage, NULL, "stage");
}

bool core_validate_CmdWriteMarkerToMemoryAMD_queue(struct call *call, VkCommandBuffer commandBuffer,
                                                   const VkMemoryMarkerInfoAMD *pInfo)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && stages2_check_queue(call, command_buffer, RULE_13043, pInfo->stage,
                                                 &LOCATION_POINTER(NULL, "pInfo"), "stage");
}
