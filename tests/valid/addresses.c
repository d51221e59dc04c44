/* Commands that take addresses instead of buffers, barriers for ranges of addresses, and markers.
 */
#include "valid.h"

#define SIZE 1024u

static VkAddressCommandFlagsKHR any_flags(struct world *w, const struct buffer *buffer)
{
    VkAddressCommandFlagsKHR flags = PICK(0u, VK_ADDRESS_COMMAND_FULLY_BOUND_BIT_KHR);
    if (buffer->usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
        flags |= PICK(VK_ADDRESS_COMMAND_STORAGE_BUFFER_USAGE_BIT_KHR,
                      VK_ADDRESS_COMMAND_UNKNOWN_STORAGE_BUFFER_USAGE_BIT_KHR);
    else
        flags |= PICK(0u, VK_ADDRESS_COMMAND_UNKNOWN_STORAGE_BUFFER_USAGE_BIT_KHR);
    return flags | PICK(0u, VK_ADDRESS_COMMAND_UNKNOWN_TRANSFORM_FEEDBACK_BUFFER_USAGE_BIT_KHR);
}

static struct buffer *make_addressed_buffer(struct world *w)
{
    return make_buffer(w, SIZE,
                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                           VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                           VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                           PICK(0, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                       false);
}

static void fill_range(struct record *rec, const struct buffer *buffer)
{
    struct world *w = rec->w;
    VkDeviceSize from = 4 * below(w, SIZE / 4);
    VkDeviceAddressRangeKHR range = {buffer->address + from,
                                     4 * between(w, 1, (uint32_t)(SIZE - from) / 4)};
    ready(rec, USE(CLEAR));
    CALL(CmdFillMemoryKHR, rec->c, &range, any_flags(w, buffer), 7);
}

static void update_range(struct record *rec, const struct buffer *buffer)
{
    struct world *w = rec->w;
    static const uint32_t words[16];
    VkDeviceAddressRangeKHR range = {buffer->address + 4 * below(w, 200), PICK(64, 77)};
    ready(rec, USE(UPDATE));
    CALL(CmdUpdateMemoryKHR, rec->c, &range, any_flags(w, buffer), PICK(4, 64), words);
}

/* Regions of one copy lie apart, or several read the same. */
static void copy_ranges(struct record *rec, const struct buffer *from, const struct buffer *to)
{
    struct world *w = rec->w;
    VkDeviceMemoryCopyKHR regions[2];
    uint32_t count = between(w, 1, 2);
    for (uint32_t i = 0; i < count; i++) {
        VkDeviceSize size = between(w, 1, SIZE / 4);
        regions[i] = (VkDeviceMemoryCopyKHR){
            .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
            .srcRange = {from->address + i * (SIZE / 2) + below(w, SIZE / 4), size},
            .srcFlags = any_flags(w, from),
            .dstRange = {to->address + i * (SIZE / 2), PICK(size, SIZE / 2)},
            .dstFlags = any_flags(w, to)};
    }
    VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                      .regionCount = count,
                                      .pRegions = regions};
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    CALL(CmdCopyMemoryKHR, rec->c, &info);
}

static void copy_image_by_address(struct record *rec, const struct buffer *buffer,
                                  struct image *image)
{
    struct world *w = rec->w;
    bool out = chance(w, 50);
    VkImageLayout layout =
        PICK(VK_IMAGE_LAYOUT_GENERAL,
             out ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    uint32_t width = between(w, 1, 8), row = PICK(0u, 8u), rows = PICK(0u, 9u);
    VkDeviceMemoryImageCopyKHR region = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
        .addressRange = {buffer->address + 4 * below(w, 32), 4 * 8 * 9},
        .addressFlags = any_flags(w, buffer),
        .addressRowLength = row,
        .addressImageHeight = rows,
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageLayout = layout,
        .imageExtent = {width, between(w, 1, 8), 1}};
    VkCopyDeviceMemoryImageInfoKHR info = {.sType =
                                               VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
                                           .image = image->handle,
                                           .regionCount = 1,
                                           .pRegions = &region};
    needs_layout(rec, image, layout);
    ready(rec, USE(COPY_READ) | USE(COPY_WRITE));
    if (out)
        CALL(CmdCopyImageToMemoryKHR, rec->c, &info);
    else
        CALL(CmdCopyMemoryToImageKHR, rec->c, &info);
}

/* Nothing but a barrier of the range stands between a write and a read of it. */
static void range_barrier(struct record *rec, const struct buffer *from, const struct buffer *to)
{
    struct world *w = rec->w;
    if (!ON(synchronization2))
        return;
    VkDeviceAddressRangeKHR whole = {from->address, SIZE};
    VkDeviceMemoryCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                    .srcRange = whole,
                                    .srcFlags = any_flags(w, from),
                                    .dstRange = {to->address, SIZE},
                                    .dstFlags = any_flags(w, to)};
    VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                      .regionCount = 1,
                                      .pRegions = &region};
    uint32_t own = PICK(VK_QUEUE_FAMILY_IGNORED, rec->queue->family);
    VkMemoryRangeBarrierKHR barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
        .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
        .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
        .srcQueueFamilyIndex = from->concurrent ? VK_QUEUE_FAMILY_IGNORED : own,
        .dstQueueFamilyIndex = from->concurrent ? VK_QUEUE_FAMILY_IGNORED : own,
        .addressRange = whole,
        .addressFlags = any_flags(w, from)};
    VkMemoryRangeBarriersInfoKHR ranges = {.sType =
                                               VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
                                           .memoryRangeBarrierCount = 1,
                                           .pMemoryRangeBarriers = &barrier};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .pNext = &ranges,
                                   .pMemoryBarriers = IGNORED,
                                   .pBufferMemoryBarriers = IGNORED,
                                   .pImageMemoryBarriers = IGNORED};
    ready(rec, USE(CLEAR) | USE(COPY_WRITE));
    CALL(CmdFillMemoryKHR, rec->c, &whole, any_flags(w, from), 3);
    CALL(CmdPipelineBarrier2, rec->c, &dependency);
    CALL(CmdCopyMemoryKHR, rec->c, &info);
    rec->before |= USE(COPY_READ);
}

static void query_results(struct record *rec, const struct buffer *buffer)
{
    struct world *w = rec->w;
    if (!rec->queue->timestamp_bits)
        return;
    VkQueryPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                    .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                    .queryCount = 3};
    VkQueryPool pool = VK_NULL_HANDLE;
    MUST(CreateQueryPool, w->device, &create, NULL, &pool);
    OWN(QueryPool, pool);
    CALL(CmdResetQueryPool, rec->c, pool, 0, 3);
    for (uint32_t i = 0; i < 3; i++)
        CALL(CmdWriteTimestamp, rec->c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, i);
    uint32_t count = between(w, 1, 3);
    bool wide = chance(w, 50);
    VkDeviceSize one = wide ? 8 : 4, at = 8 * below(w, 32);
    VkStridedDeviceAddressRangeKHR range = {.address = buffer->address + at,
                                            /* the last has no gap after it */
                                            .size = one * 2 * (count - 1) + one,
                                            .stride = count == 1 ? PICK(0ul, one) : one * 2};
    ready(rec, USE(COPY_WRITE));
    CALL(CmdCopyQueryPoolResultsToMemoryKHR, rec->c, pool, 0, count, &range, any_flags(w, buffer),
         (wide ? VK_QUERY_RESULT_64_BIT : 0) | PICK(0, VK_QUERY_RESULT_WAIT_BIT));
    rec->once = true;
}

static void write_markers(struct record *rec, const struct buffer *buffer)
{
    struct world *w = rec->w;
    if (!HAS(AMD_buffer_marker))
        return;
    ready(rec, USE(ALL));
    VkDeviceSize offset = 4 * below(w, SIZE / 4);
    if (ON(deviceAddressCommands) && ON(synchronization2) && THERE(CmdWriteMarkerToMemoryAMD) &&
        chance(w, 40)) {
        VkMemoryMarkerInfoAMD info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MARKER_INFO_AMD,
                                      .stage = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                      .dstRange = {buffer->address + offset, 4},
                                      .dstFlags = any_flags(w, buffer),
                                      .marker = 5};
        CALL(CmdWriteMarkerToMemoryAMD, rec->c, &info);
    } else if (ON(synchronization2) && THERE(CmdWriteBufferMarker2AMD) && chance(w, 50)) {
        CALL(CmdWriteBufferMarker2AMD, rec->c,
             PICK(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_COPY_BIT),
             buffer->handle, offset, 6);
    } else {
        CALL(CmdWriteBufferMarkerAMD, rec->c,
             PICK(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT),
             buffer->handle, offset, 6);
    }
    rec->before |= USE(ALL);
}

static void dispatch_there(struct record *rec, const struct buffer *buffer)
{
    struct world *w = rec->w;
    VkPipelineLayoutCreateInfo layout_info = {.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                              .pSetLayouts = IGNORED,
                                              .pPushConstantRanges = IGNORED};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    MUST(CreatePipelineLayout, w->device, &layout_info, NULL, &layout);
    OWN(PipelineLayout, layout);
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = make_module(w, SHADER_empty_comp),
                  .pName = "main"},
        .layout = layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    MUST(CreateComputePipelines, w->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
    OWN(Pipeline, pipeline);
    VkDeviceAddressRangeKHR range = {buffer->address, SIZE};
    ready(rec, USE(CLEAR));
    CALL(CmdFillMemoryKHR, rec->c, &range, any_flags(w, buffer), 1);
    CALL(CmdBindPipeline, rec->c, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    VkDispatchIndirect2InfoKHR dispatch = {
        .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
        .addressRange = {buffer->address + PICK(0, 4, SIZE - 12), 12},
        .addressFlags = any_flags(w, buffer)};
    ready(rec, USE(INDIRECT));
    CALL(CmdDispatchIndirect2KHR, rec->c, &dispatch);
}

void step_addresses(struct world *w)
{
    if (!ON(bufferDeviceAddress) || (!ON(deviceAddressCommands) && !HAS(AMD_buffer_marker)))
        return;
    struct buffer *from = make_addressed_buffer(w), *to = make_addressed_buffer(w);
    VkImageCreateInfo image_of =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8,
                   VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    struct image *image = make_image(w, &image_of);
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        switch (ON(deviceAddressCommands) ? below(w, 8) : 0) {
        case 0:
            write_markers(rec, from);
            break;
        case 1:
            fill_range(rec, to);
            break;
        case 2:
            update_range(rec, from);
            break;
        case 3:
            copy_ranges(rec, from, to);
            break;
        case 4:
            range_barrier(rec, from, to);
            break;
        case 5:
            query_results(rec, to);
            break;
        case 6:
            dispatch_there(rec, from);
            break;
        default:
            if (image)
                copy_image_by_address(rec, from, image);
            break;
        }
    }
    record_finish(rec);
}
