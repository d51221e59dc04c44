/* Checks vkCmdCopyBuffer (both forms): no bytes are both read and written, or written twice (19.2).
 * Checks on which queues vkCmdFillBuffer may be recorded (20.4). Rows check the rest. */
#include "core/transfer/transfer.h"
#include "core/hooks.h"

#include "report/finding/rule.h"

static_assert(offsetof(VkBufferCopy2, srcOffset) == CHAIN_HEAD &&
                  sizeof(VkBufferCopy2) == CHAIN_HEAD + sizeof(VkBufferCopy),
              "one form");

/* One vkCmdCopyBuffer or vkCmdCopyBuffer2. */
struct buffer_copy {
    const struct buffer *source, *target; /* NULL: unknown */
    VkBuffer source_handle, target_handle;
    struct region_list regions;
};

/* Checks that no region reads, and no later region writes, the bytes that region `index` writes. It
 * stops after one finding. */
static bool check_overlaps_of(const struct call *call, const struct buffer_copy *copy,
                              uint32_t index, bool shared)
{
    assert(index < copy->regions.count && copy->target);
    const VkBufferCopy *region = region_at(&copy->regions, index);
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        const VkBufferCopy *other = region_at(&copy->regions, i);
        const struct location *where = &LOCATION_INDEX(copy->regions.where, "pRegions", i);
        /* Each memory location accessed by this command must not be accessed by both a source
         * region and a destination region */
        if (shared && unlikely(buffers_overlap(copy->source, other->srcOffset, copy->target,
                                               region->dstOffset, other->size, region->size)))
            return BROKEN_BY(call, RULE_00117, &LOCATION(where, "srcOffset"),
                             OBJECT2(HANDLE_BUFFER, copy->source_handle, HANDLE_BUFFER,
                                     copy->target_handle),
                             "is %" PRIu64 ": these %" PRIu64
                             " bytes share memory with the %" PRIu64
                             " bytes from dstOffset %" PRIu64 " of region %u, which are written",
                             other->srcOffset, other->size, region->size, region->dstOffset, index);
        /* Each memory location accessed by this command must not be accessed by more than one
         * destination region */
        if (i > index && unlikely(buffers_overlap(copy->target, other->dstOffset, copy->target,
                                                  region->dstOffset, other->size, region->size)))
            return BROKEN_BY(call, RULE_12482, &LOCATION(where, "dstOffset"),
                             OBJECT(HANDLE_BUFFER, copy->target_handle),
                             "is %" PRIu64 ": these %" PRIu64 " bytes overlap the %" PRIu64
                             " bytes from dstOffset %" PRIu64 " of region %u",
                             other->dstOffset, other->size, region->size, region->dstOffset, index);
    }
    return false;
}

/* True if the two buffers share memory. False for sparse buffers, whose memory is not known. */
static bool share_memory(const struct buffer *a, const struct buffer *b)
{
    const VkDeviceSize of_a = a->binding.offset, of_b = b->binding.offset;
    return a == b || (a->binding.memory && a->binding.memory == b->binding.memory &&
                      (of_a < of_b ? of_b - of_a < a->size : of_a - of_b < b->size));
}

/* Checks that no region writes what another one reads or writes. It stops after one finding. More
 * than OVERLAP_REGIONS regions are not compared. */
static bool copy_buffer_check_overlaps(const struct call *call, const struct buffer_copy *copy)
{
    const bool shared = copy->source && copy->target && share_memory(copy->source, copy->target);
    if (!copy->target || copy->regions.count > OVERLAP_REGIONS ||
        (copy->regions.count == 1 && !shared))
        return false;
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        if (unlikely(check_overlaps_of(call, copy, i, shared)))
            return true;
    }
    return false;
}

bool core_validate_CmdCopyBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer srcBuffer, VkBuffer dstBuffer, uint32_t regionCount,
                                 const VkBufferCopy *pRegions)
{
    return copy_buffer_check_overlaps(call, &(struct buffer_copy){named_buffer(call, 0, srcBuffer),
                                                                  named_buffer(call, 1, dstBuffer),
                                                                  srcBuffer, dstBuffer,
                                                                  REGIONS(pRegions, regionCount)});
}

bool core_validate_CmdCopyBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkCopyBufferInfo2 *pCopyBufferInfo)
{
    return copy_buffer_check_overlaps(call,
                                      &(struct buffer_copy){
                                          find_buffer(call, pCopyBufferInfo->srcBuffer),
                                          find_buffer(call, pCopyBufferInfo->dstBuffer),
                                          pCopyBufferInfo->srcBuffer, pCopyBufferInfo->dstBuffer,
                                          REGIONS2(pCopyBufferInfo,
                                                   &LOCATION_POINTER(NULL, "pCopyBufferInfo"))});
}

bool core_validate_CmdFillBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer dstBuffer, VkDeviceSize dstOffset, VkDeviceSize size,
                                 uint32_t data)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    /* If the VK_KHR_maintenance1 extension is not enabled and apiVersion is less than Vulkan 1.1,
     * the VkCommandPool that commandBuffer was allocated from must support graphics or compute
     * operations */
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_07894,
            !command_buffer || call_has_extension(call, EXTENSION_VK_KHR_maintenance1) ||
                command_buffer->queue_flags & (VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT) ||
                !command_buffer->queue_flags,
            "commandBuffer",
            "was allocated from a pool of queue family %u, which supports %s: without "
            "VK_KHR_maintenance1 or Vulkan 1.1, that takes graphics or compute operations",
            command_buffer->queue_family,
            value_text(VALUES_VkQueueFlags, command_buffer->queue_flags).text);
    return s.skip;
}
