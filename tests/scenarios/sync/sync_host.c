/* Hazards with what the host does: events that it sets, memory that it flushes and invalidates,
 * images that it copies; and what sparse bindings order. */
#include "sync/sync_program.h"

#define NULL_ONLY .drivers = NULL_DRIVER

/* vkSetEvent: it is to come before the submission, and orders nothing that the host has not waited
 * for */

PROGRAM(set_behind_a_wait, "[w] F E [V r]")
PROGRAM(set_without_a_wait, "[w] E [V r]", .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
PROGRAM(set_in_front_of_all, "E [w] [V r]", .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
PROGRAM(set_on_another_queue_behind_a_wait, "[w] F E c [V r]", NULL_ONLY)
PROGRAM(set_on_another_queue, "[w] E c [V r]", .expect = {"SYNC-HAZARD-READ-RACING-WRITE"},
        NULL_ONLY)
/* A program that sets it later breaks another rule; at the submission it is unknown what the host
 * has waited for until then. */
PROGRAM(set_later, "[w] [V r] E",
        .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158", "VUID-vkSetEvent-event-09543"},
        .proceed = true, NULL_ONLY)
PROGRAM(set_later_behind_a_wait_for_another_queue, "[w] c [V w] g F E",
        .expect = {"VUID-vkCmdWaitEvents-srcStageMask-01158", "VUID-vkSetEvent-event-09543"},
        .proceed = true, NULL_ONLY)
PROGRAM(set_later_by_a_command, "[w s] [v r] E", .expect = {"VUID-vkSetEvent-event-09543"},
        .proceed = true, NULL_ONLY)

/* --- vkQueueBindSparse --- */

/* A write, a sparse binding that waits for its semaphore, and a read that waits for the binding's,
 * or for none. */
static void bind_between(struct baseline *b, bool waits, bool signals)
{
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = make_buffer(b, 256, usage), target = make_buffer(b, 256, usage);
    VkSemaphore written = make_semaphore(b), bound = make_semaphore(b);
    const VkBufferCopy region = {0, 0, 256};
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkCommandBuffer write = make_recording(b), read = make_recording(b);
    vkCmdFillBuffer(write, buffer, 0, 256, 0);
    vkCmdCopyBuffer(read, buffer, target, 1, &region);
    VK(vkEndCommandBuffer(write));
    VK(vkEndCommandBuffer(read));
    VkSubmitInfo first = submit_info(&write), second = submit_info(&read);
    first.signalSemaphoreCount = waits ? 1 : 0;
    first.pSignalSemaphores = &written;
    VK(vkQueueSubmit(b->queue, 1, &first, VK_NULL_HANDLE));
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .waitSemaphoreCount = waits ? 1 : 0,
                                   .pWaitSemaphores = &written,
                                   .signalSemaphoreCount = signals ? 1 : 0,
                                   .pSignalSemaphores = &bound};
    VK(vkQueueBindSparse(b->queue, 1, &info, VK_NULL_HANDLE));
    second.waitSemaphoreCount = signals ? 1 : 0;
    second.pWaitSemaphores = &bound;
    second.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &second, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

#define SPARSE .settings = {"validate_sync=true"}, NULL_ONLY

SCENARIO(sparse_binding_waits_and_signals, SPARSE)
{
    bind_between(b, true, true);
}

SCENARIO(sparse_binding_orders_nothing, SPARSE, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"})
{
    bind_between(b, false, false);
}

/* Its wait holds for what comes later on the queue, as that of any batch. */
SCENARIO(sparse_binding_waits_only, SPARSE)
{
    bind_between(b, true, false);
}

/* --- flushing and invalidating: the range may be larger than what the host touches --- */

SCENARIO(flush_and_invalidate_beside_pending_work, .settings = {"validate_sync=true"})
{
    VkBuffer buffer = make_buffer(b, 4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkDeviceMemory memory = buffer_memory(b, buffer);
    VkMappedMemoryRange range = {
        .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = memory, .size = VK_WHOLE_SIZE};
    void *data;
    VkCommandBuffer commands = make_recording(b);
    vkCmdFillBuffer(commands, buffer, 0, 256, 0);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = submit_info(&commands);
    VK(vkMapMemory(b->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    ((volatile char *)data)[4095] = 1;
    VK(vkFlushMappedMemoryRanges(b->device, 1, &range));
    VK(vkInvalidateMappedMemoryRanges(b->device, 1, &range));
    VK(vkQueueWaitIdle(b->queue));
}

/* --- copies of images that the host does --- */

static const VkPhysicalDeviceHostImageCopyFeatures host_image_copy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_FEATURES, .hostImageCopy = VK_TRUE};
#define HOST_COPY                                                                        \
    .features = &host_image_copy, .extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME}, \
    .settings = {"validate_sync=true"}, .proceed = true

struct host_copy {
    struct baseline *b;
    VkImage image, other;
};

static void host_transition(struct baseline *b, VkImage image, uint32_t level_count)
{
    const VkHostImageLayoutTransitionInfo info = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, level_count, 0, 1}};
    VK(DEVICE_PROC(b, vkTransitionImageLayoutEXT)(b->device, 1, &info));
}

static VkImage make_host_image(struct baseline *b)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                   VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.mipLevels = 2;
    VkImage image = make_image_of(b, &info);
    host_transition(b, image, 2);
    return image;
}

#define LEVEL(level_) {VK_IMAGE_ASPECT_COLOR_BIT, level_, 0, 1}
#define WHOLE         {IMAGE_EXTENT, IMAGE_EXTENT, 1}

static char texels[IMAGE_EXTENT * IMAGE_EXTENT * 4];

static void host_writes(struct host_copy *h, uint32_t level)
{
    const VkMemoryToImageCopy region = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
        .pHostPointer = texels,
        .imageSubresource = LEVEL(level),
        .imageExtent = {IMAGE_EXTENT >> level, IMAGE_EXTENT >> level, 1}};
    const VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                          .dstImage = h->image,
                                          .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    VK(DEVICE_PROC(h->b, vkCopyMemoryToImageEXT)(h->b->device, &info));
}

static void host_reads(struct host_copy *h)
{
    const VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                        .pHostPointer = texels,
                                        .imageSubresource = LEVEL(0),
                                        .imageExtent = WHOLE};
    const VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                          .srcImage = h->image,
                                          .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .regionCount = 1,
                                          .pRegions = &region};
    VK(DEVICE_PROC(h->b, vkCopyImageToMemoryEXT)(h->b->device, &info));
}

static void host_copies(struct host_copy *h, VkImage from, VkImage to)
{
    const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = LEVEL(0),
                                 .dstSubresource = LEVEL(0),
                                 .extent = WHOLE};
    const VkCopyImageToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
                                         .srcImage = from,
                                         .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .dstImage = to,
                                         .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .regionCount = 1,
                                         .pRegions = &region};
    VK(DEVICE_PROC(h->b, vkCopyImageToImageEXT)(h->b->device, &info));
}

/* The device writes the first mip level of the image, or reads it. */
static void submit_access(struct host_copy *h, bool write)
{
    VkCommandBuffer commands = make_recording(h->b);
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    const VkBufferImageCopy region = {.imageSubresource = LEVEL(0), .imageExtent = WHOLE};
    VkBuffer target = make_buffer(h->b, sizeof(texels), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (write)
        vkCmdClearColorImage(commands, h->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
    else
        vkCmdCopyImageToBuffer(commands, h->image, VK_IMAGE_LAYOUT_GENERAL, target, 1, &region);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo info = submit_info(&commands);
    VK(vkQueueSubmit(h->b->queue, 1, &info, VK_NULL_HANDLE));
}

#define HOST_SCENARIO(name_, device_writes_, between_, host_, ...)                               \
    SCENARIO(name_, HOST_COPY, ##__VA_ARGS__)                                                    \
    {                                                                                            \
        struct host_copy h = {.b = b, .image = make_host_image(b), .other = make_host_image(b)}; \
        submit_access(&h, device_writes_);                                                       \
        between_;                                                                                \
        host_;                                                                                   \
        VK(vkQueueWaitIdle(b->queue));                                                           \
    }
#define NOTHING (void)0
#define WAIT    VK(vkQueueWaitIdle(b->queue))

HOST_SCENARIO(host_writes_what_is_read, false, NOTHING, host_writes(&h, 0),
              .expect = {"SYNC-HAZARD-WRITE-RACING-READ"},
              .text = {"vkCopyMemoryToImageEXT(): writes VkImage", "(color, mip level 0, layer 0)",
                       "but the host has not waited for the read by vkCmdCopyImageToBuffer "
                       "(command 0 of VkCommandBuffer",
                       "a wait of the host before vkCopyMemoryToImage"})
HOST_SCENARIO(host_writes_what_is_written, true, NOTHING, host_writes(&h, 0),
              .expect = {"SYNC-HAZARD-WRITE-RACING-WRITE"})
HOST_SCENARIO(host_reads_what_is_written, true, NOTHING, host_reads(&h),
              .expect = {"SYNC-HAZARD-READ-RACING-WRITE"},
              .text = {"the host has not waited for the write by vkCmdClearColorImage (command 0"})
HOST_SCENARIO(host_copies_what_is_written, true, NOTHING, host_copies(&h, h.image, h.other),
              .expect = {"SYNC-HAZARD-READ-RACING-WRITE"})
HOST_SCENARIO(host_copies_over_what_is_read, false, NOTHING, host_copies(&h, h.other, h.image),
              .expect = {"SYNC-HAZARD-WRITE-RACING-READ"})
HOST_SCENARIO(host_transitions_what_is_read, false, NOTHING, host_transition(b, h.image, 1),
              .expect = {"SYNC-HAZARD-WRITE-RACING-READ"})
HOST_SCENARIO(host_reads_what_is_read, false, NOTHING, host_reads(&h))
HOST_SCENARIO(host_writes_another_mip_level, true, NOTHING, host_writes(&h, 1))
HOST_SCENARIO(host_writes_behind_a_wait, true, WAIT, host_writes(&h, 0))
HOST_SCENARIO(host_reads_behind_a_wait, true, WAIT, host_reads(&h))
HOST_SCENARIO(host_transitions_behind_a_wait, true, WAIT, host_transition(b, h.image, 1))
