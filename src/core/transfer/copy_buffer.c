/* Checks vkCmdCopyBuffer (both forms), vkCmdFillBuffer and vkCmdUpdateBuffer: the bytes may be read
 * and written (19.2, 20.4, 20.5). */
#include "core/transfer/transfer.h"
#include "core/hooks.h"
#include "core/rule.h"

static_assert(offsetof(VkBufferCopy2, srcOffset) == CHAIN_HEAD &&
                  sizeof(VkBufferCopy2) == CHAIN_HEAD + sizeof(VkBufferCopy),
              "one form");

struct buffer_copy {
    const struct buffer *source, *target; /* NULL: unknown */
    VkBuffer source_handle, target_handle;
    struct region_list regions;
};

static bool check_offset(const struct call *call, enum rule rule, const struct location *region,
                         const char *name, VkBuffer handle, VkDeviceSize offset, VkDeviceSize size)
{
    struct subject s = {.call = call, .where = region};
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), rule, offset < size, name,
               "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", offset, size);
    return s.skip;
}

static bool check_size(const struct call *call, enum rule rule, const struct location *region,
                       const char *offset_name, VkBuffer handle, VkDeviceSize offset,
                       VkDeviceSize copied, VkDeviceSize size)
{
    struct subject s = {.call = call, .where = region};
    /* Not when the offset is wrong already. */
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, handle), rule, offset >= size || copied <= size - offset,
               "size",
               "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes, of which %" PRIu64
               " are after %s %" PRIu64,
               copied, size, size - offset, offset_name, offset);
    return s.skip;
}

static bool check_buffer_region(const struct call *call, const struct buffer_copy *copy,
                                uint32_t index)
{
    assert(index < copy->regions.count);
    const VkBufferCopy *region = region_at(&copy->regions, index);
    const struct location *where = &LOCATION_INDEX(copy->regions.where, "pRegions", index);
    struct subject s = {.call = call, .where = where};
    if (copy->source) {
        /* The srcOffset member of each element of pRegions must be less than the size of srcBuffer
         */
        s.skip |= check_offset(call, RULE_00113, where, "srcOffset", copy->source_handle,
                               region->srcOffset, copy->source->size);
        /* The size member must be less than or equal to the size of srcBuffer minus srcOffset */
        s.skip |= check_size(call, RULE_00115, where, "srcOffset", copy->source_handle,
                             region->srcOffset, region->size, copy->source->size);
    }
    if (copy->target) {
        s.skip |= check_offset(call, RULE_00114, where, "dstOffset", copy->target_handle,
                               region->dstOffset, copy->target->size);
        s.skip |= check_size(call, RULE_00116, where, "dstOffset", copy->target_handle,
                             region->dstOffset, region->size, copy->target->size);
    }
    /* The size must be greater than 0 */
    REQUIRE(&s, RULE_01988, region->size != 0, "size", "is 0");
    return s.skip;
}

/* Checks that no region reads, and no later region writes, where region `index` writes. One finding
 * is enough. */
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
            return finding(call, RULE(call, 00117), &LOCATION(where, "srcOffset"),
                           OBJECT2(HANDLE_BUFFER, copy->source_handle, HANDLE_BUFFER,
                                   copy->target_handle),
                           "is %" PRIu64 ": these %" PRIu64 " bytes share memory with the %" PRIu64
                           " bytes from dstOffset %" PRIu64 " of region %u, which are written",
                           other->srcOffset, other->size, region->size, region->dstOffset, index);
        /* Each memory location accessed by this command must not be accessed by more than one
         * destination region */
        if (i > index && unlikely(buffers_overlap(copy->target, other->dstOffset, copy->target,
                                                  region->dstOffset, other->size, region->size)))
            return finding(call, RULE(call, 12482), &LOCATION(where, "dstOffset"),
                           OBJECT(HANDLE_BUFFER, copy->target_handle),
                           "is %" PRIu64 ": these %" PRIu64 " bytes overlap the %" PRIu64
                           " bytes from dstOffset %" PRIu64 " of region %u",
                           other->dstOffset, other->size, region->size, region->dstOffset, index);
    }
    return false;
}

static bool check_overlaps(const struct call *call, const struct buffer_copy *copy)
{
    bool shared = copy->source && copy->target &&
                  (copy->source == copy->target ||
                   (copy->source->binding.memory &&
                    copy->source->binding.memory == copy->target->binding.memory));
    if (!copy->target || copy->regions.count > OVERLAP_REGIONS ||
        (copy->regions.count == 1 && !shared))
        return false;
    for (uint32_t i = 0; i < copy->regions.count; i++) {
        if (unlikely(check_overlaps_of(call, copy, i, shared)))
            return true;
    }
    return false;
}

static bool check_copy_buffer(const struct call *call, const struct buffer_copy *copy)
{
    const struct location *where = copy->regions.where;
    bool skip = false;
    if (copy->source) {
        const struct location *source = &LOCATION(where, "srcBuffer");
        /* srcBuffer must have been created with the VK_BUFFER_USAGE_TRANSFER_SRC_BIT usage flag set
         */
        skip |= check_buffer_usage(call, RULE_00118, copy->source,
                                   VK_BUFFER_USAGE_2_TRANSFER_SRC_BIT, source, copy->source_handle);
        /* If srcBuffer is non-sparse then it must be bound completely and contiguously to a single
         * VkDeviceMemory object */
        skip |= check_buffer_bound(call, RULE_00119, copy->source, source, copy->source_handle);
        skip |=
            check_protection(call, copy->source->flags & VK_BUFFER_CREATE_PROTECTED_BIT, RULE_01822,
                             RULE_NONE, source, OBJECT(HANDLE_BUFFER, copy->source_handle));
    }
    if (copy->target) {
        const struct location *target = &LOCATION(where, "dstBuffer");
        skip |= check_buffer_usage(call, RULE_00120, copy->target,
                                   VK_BUFFER_USAGE_2_TRANSFER_DST_BIT, target, copy->target_handle);
        skip |= check_buffer_bound(call, RULE_00121, copy->target, target, copy->target_handle);
        skip |=
            check_protection(call, copy->target->flags & VK_BUFFER_CREATE_PROTECTED_BIT, RULE_01823,
                             RULE_01824, target, OBJECT(HANDLE_BUFFER, copy->target_handle));
    }
    for (uint32_t i = 0; i < copy->regions.count; i++)
        skip |= check_buffer_region(call, copy, i);
    return skip | check_overlaps(call, copy);
}

bool core_validate_CmdCopyBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                 VkBuffer srcBuffer, VkBuffer dstBuffer, uint32_t regionCount,
                                 const VkBufferCopy *pRegions)
{
    return check_copy_buffer(call, &(struct buffer_copy){
                                       find_buffer(call, srcBuffer), find_buffer(call, dstBuffer),
                                       srcBuffer, dstBuffer, REGIONS(pRegions, regionCount)});
}

bool core_validate_CmdCopyBuffer2(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkCopyBufferInfo2 *pCopyBufferInfo)
{
    return check_copy_buffer(call, &(struct buffer_copy){
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
    const struct buffer *buffer = find_buffer(call, dstBuffer);
    const struct location *where = &LOCATION(NULL, "dstBuffer");
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
    if (!buffer)
        return s.skip;
    /* dstOffset must be less than the size of dstBuffer */
    s.skip |= check_offset(call, RULE_00024, NULL, "dstOffset", dstBuffer, dstOffset, buffer->size);
    /* If size is not equal to VK_WHOLE_SIZE, size must be less than or equal to the size of
     * dstBuffer minus dstOffset */
    if (size != VK_WHOLE_SIZE)
        s.skip |= check_size(call, RULE_00027, NULL, "dstOffset", dstBuffer, dstOffset, size,
                             buffer->size);
    s.skip |= check_buffer_usage(call, RULE_00029, buffer, VK_BUFFER_USAGE_2_TRANSFER_DST_BIT,
                                 where, dstBuffer);
    s.skip |= check_buffer_bound(call, RULE_00031, buffer, where, dstBuffer);
    s.skip |= check_protection(call, buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT, RULE_01811,
                               RULE_01812, where, OBJECT(HANDLE_BUFFER, dstBuffer));
    return s.skip;
}

bool core_validate_CmdUpdateBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                   VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                   VkDeviceSize dataSize, const void *pData)
{
    const struct buffer *buffer = find_buffer(call, dstBuffer);
    const struct location *where = &LOCATION(NULL, "dstBuffer");
    if (!buffer)
        return false;
    /* dstOffset must be less than the size of dstBuffer */
    struct subject s = {.call = call};
    s.skip |= check_offset(call, RULE_00032, NULL, "dstOffset", dstBuffer, dstOffset, buffer->size);
    /* dataSize must be less than or equal to the size of dstBuffer minus dstOffset */
    REQUIRE_OF(&s, OBJECT(HANDLE_BUFFER, dstBuffer), RULE_00033,
               dstOffset >= buffer->size || dataSize <= buffer->size - dstOffset, "dataSize",
               "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes, of which %" PRIu64
               " are after dstOffset %" PRIu64,
               dataSize, buffer->size, buffer->size - dstOffset, dstOffset);
    s.skip |= check_buffer_usage(call, RULE_00034, buffer, VK_BUFFER_USAGE_2_TRANSFER_DST_BIT,
                                 where, dstBuffer);
    s.skip |= check_buffer_bound(call, RULE_00035, buffer, where, dstBuffer);
    s.skip |= check_protection(call, buffer->flags & VK_BUFFER_CREATE_PROTECTED_BIT, RULE_01813,
                               RULE_01814, where, OBJECT(HANDLE_BUFFER, dstBuffer));
    return s.skip;
}
