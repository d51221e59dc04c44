/* Advice on command buffers, submissions, barriers, events and copies. */
#include "practices.h"

/* --- command buffers --- */

SCENARIO(primary_for_amd, ADVISED_FOR(amd))
{
    make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

#define SPARSE_FAMILY                                                                     \
    .drivers = NULL_DRIVER,                                                               \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "        \
                   "\"transfer\", \"sparse\"], \"count\": 1}, {\"flags\": [\"sparse\"], " \
                   "\"count\": 1}]}"

static void allocate_of_family(struct baseline *b, uint32_t family)
{
    VkCommandPoolCreateInfo info = command_pool_info(family);
    VkCommandPool pool = create_command_pool(b, &info);
    VkCommandBufferAllocateInfo allocate =
        command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBuffer commands;
    VK(vkAllocateCommandBuffers(b->device, &allocate, &commands));
}

SCENARIO(secondary_of_no_use, ADVISED, SPARSE_FAMILY,
         .expect = {BP("vkAllocateCommandBuffers-unusable-secondary")},
         .text = {"and queue family 1 of the pool has VK_QUEUE_SPARSE_BINDING_BIT"})
{
    allocate_of_family(b, 1);
}

SCENARIO(secondary_of_use, ADVISED, SPARSE_FAMILY)
{
    allocate_of_family(b, 0);
}

static void execute_with_usage(struct baseline *b, VkCommandBufferUsageFlags primary_usage,
                               VkCommandBufferUsageFlags secondary_usage)
{
    VkCommandBuffer primary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = secondary_usage;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    begin.flags = primary_usage;
    VK(vkBeginCommandBuffer(primary, &begin));
    vkCmdExecuteCommands(primary, 1, &secondary);
    VK(vkEndCommandBuffer(primary));
}

SCENARIO(secondary_for_amd, ADVISED_FOR(amd),
         .expect = {BP("AMD-VkCommandBuffer-AvoidSecondaryCmdBuffers")},
         .text = {"pAllocateInfo->level is VK_COMMAND_BUFFER_LEVEL_SECONDARY, and "
                  "commandBufferCount is 1"})
{
    execute_with_usage(b, 0, 0);
}

#define SIMULTANEOUS VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT

SCENARIO(simultaneous_primary, ADVISED,
         .allow = {"WARNING-DRAWSTATE-InvalidCommandBufferSimultaneousUse"},
         .expect = {BP("vkCmdExecuteCommands-CommandBufferSimultaneousUse")})
{
    execute_with_usage(b, SIMULTANEOUS, 0);
}

SCENARIO(simultaneous_both, ADVISED)
{
    execute_with_usage(b, SIMULTANEOUS, SIMULTANEOUS);
}

static void record_times(struct baseline *b, VkCommandBufferUsageFlags usage, int recordings,
                         int submissions)
{
    VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = usage;
    for (int i = 0; i < recordings; i++) {
        VK(vkBeginCommandBuffer(commands, &begin));
        VK(vkEndCommandBuffer(commands));
        VkSubmitInfo submit = submit_info(&commands);
        for (int k = 0; k < submissions; k++) {
            VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
            VK(vkQueueWaitIdle(b->queue));
        }
    }
}

SCENARIO(submitted_once_each, ADVISED_FOR(arm),
         .expect = {BP("Arm-vkBeginCommandBuffer-one-time-submit")},
         .text = {"pBeginInfo->flags is 0, and the last 3 recordings of the command buffer were "
                  "submitted once each"})
{
    record_times(b, 0, 4, 1);
}

SCENARIO(submitted_once_each_nvidia, ADVISED_FOR_NVIDIA, .drivers = NULL_DRIVER,
         .expect = {BP("NVIDIA-vkBeginCommandBuffer-one-time-submit")})
{
    record_times(b, 0, 4, 1);
}

SCENARIO(submitted_once_as_said_nvidia, ADVISED_FOR_NVIDIA, .drivers = NULL_DRIVER)
{
    record_times(b, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 4, 1);
}

/* Once, though both vendors' advice is asked for. */
SCENARIO(submitted_once_each_all, ADVISED_FOR_ALL, .drivers = NULL_DRIVER,
         .expect = {BP("Arm-vkBeginCommandBuffer-one-time-submit")})
{
    record_times(b, 0, 4, 1);
}

SCENARIO(submitted_once_as_said, ADVISED_FOR(arm))
{
    record_times(b, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT, 4, 1);
}

SCENARIO(submitted_twice_each, ADVISED_FOR(arm))
{
    record_times(b, 0, 4, 2);
}

SCENARIO(submitted_once_a_few_times, ADVISED_FOR(arm))
{
    record_times(b, 0, 3, 1);
}

SCENARIO(many_fences, ADVISED_FOR(amd), .expect = {BP("SyncObjects-HighNumberOfFences")},
         .text = {"makes fence 64 of the device"})
{
    for (int i = 0; i < 64; i++)
        make_fence(b);
}

SCENARIO(some_fences, ADVISED_FOR(amd))
{
    VkFenceCreateInfo info = fence_info();
    for (int i = 0; i < 62; i++)
        make_fence(b);
    for (int i = 0; i < 10; i++) {
        VkFence fence;
        VK(vkCreateFence(b->device, &info, NULL, &fence));
        vkDestroyFence(b->device, fence, NULL);
        make_semaphore(b);
    }
}

SCENARIO(many_semaphores, ADVISED_FOR(amd), .expect = {BP("SyncObjects-HighNumberOfSemaphores")})
{
    for (int i = 0; i < 64; i++)
        make_semaphore(b);
}

SCENARIO(some_semaphores, ADVISED_FOR(amd))
{
    for (int i = 0; i < 63; i++)
        make_semaphore(b);
}

/* --- barriers of images --- */

#define L(name_) VK_IMAGE_LAYOUT_##name_
#define A(name_) VK_ACCESS_##name_##_BIT

static void record_usage_barrier(struct baseline *b, VkImageUsageFlags usage, VkImageLayout from,
                                 VkImageLayout to, VkAccessFlags src, VkAccessFlags dst,
                                 uint32_t families)
{
    VkCommandBuffer commands = make_recording(b);
    VkImage image = make_image(b, usage);
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    barrier.srcAccessMask = src;
    barrier.dstAccessMask = dst;
    if (families) {
        barrier.srcQueueFamilyIndex = 0;
        barrier.dstQueueFamilyIndex = 1;
    }
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(commands));
}
#define BARRIER(name_, usage_, from_, to_, src_, dst_, families_, ...)            \
    SCENARIO(name_, __VA_ARGS__)                                                  \
    {                                                                             \
        record_usage_barrier(b, usage_, L(from_), L(to_), src_, dst_, families_); \
    }
#define SAMPLED  VK_IMAGE_USAGE_SAMPLED_BIT
#define STORAGE  VK_IMAGE_USAGE_STORAGE_BIT
#define TRANSFER (VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT)

/* Engines bring new images to the layout that they have at rest. */
BARRIER(undefined_to_be_read, SAMPLED, UNDEFINED, SHADER_READ_ONLY_OPTIMAL, 0, A(SHADER_READ), 0,
        ADVISED)
BARRIER(undefined_to_be_written, SAMPLED | TRANSFER, UNDEFINED, TRANSFER_DST_OPTIMAL, 0,
        A(TRANSFER_WRITE), 0, ADVISED)
BARRIER(written_to_be_read, SAMPLED | TRANSFER, TRANSFER_DST_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(TRANSFER_WRITE), A(SHADER_READ), 0, ADVISED)
BARRIER(access_of_other_layout, SAMPLED | TRANSFER, TRANSFER_DST_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(TRANSFER_WRITE), A(SHADER_READ) | A(TRANSFER_READ), 0, ADVISED,
        .expect = {BP("ImageBarrierAccessLayout")},
        .text = {
            "dstAccessMask has VK_ACCESS_2_TRANSFER_READ_BIT, which nothing does with an image "
            "in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL"})
BARRIER(all_accesses, SAMPLED | TRANSFER, TRANSFER_DST_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(MEMORY_WRITE), A(MEMORY_READ) | A(MEMORY_WRITE), 0, ADVISED)

static void depth_barrier(struct baseline *b, VkAccessFlags dst)
{
    VkCommandBuffer commands = make_recording(b);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    info.format = VK_FORMAT_D16_UNORM;
    VkImageMemoryBarrier barrier =
        image_barrier(make_image_of(b, &info), L(UNDEFINED), L(DEPTH_STENCIL_ATTACHMENT_OPTIMAL));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    barrier.dstAccessMask = dst;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(depth_to_be_copied_to, ADVISED, .expect = {BP("ImageBarrierAccessLayout")},
         .text = {"dstAccessMask has VK_ACCESS_2_TRANSFER_WRITE_BIT, which nothing does with an "
                  "image in VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL"})
{
    depth_barrier(b, A(TRANSFER_WRITE));
}

/* VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT "includes multisample resolve operations for depth/stencil
 * resolve attachments". */
SCENARIO(depth_to_be_resolved_to, ADVISED)
{
    depth_barrier(b, A(COLOR_ATTACHMENT_WRITE));
}

BARRIER(reads_after_reads, SAMPLED, SHADER_READ_ONLY_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(SHADER_READ), A(SHADER_READ), 0, ADVISED_FOR(amd),
        .expect = {BP("PipelineBarrier-readToReadBarrier")},
        .text = {", which stays in VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL"})
BARRIER(reads_after_reads_elsewhere, SAMPLED, SHADER_READ_ONLY_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(SHADER_READ), A(SHADER_READ), 0, ADVISED_FOR(arm))
BARRIER(reads_after_writes, SAMPLED | STORAGE, GENERAL, GENERAL, A(SHADER_WRITE), A(SHADER_READ), 0,
        ADVISED_FOR(amd))
BARRIER(reads_in_two_layouts, SAMPLED | TRANSFER, SHADER_READ_ONLY_OPTIMAL, TRANSFER_SRC_OPTIMAL,
        A(SHADER_READ), A(TRANSFER_READ), 0, ADVISED_FOR(amd))
BARRIER(moved_and_discarded, SAMPLED | TRANSFER, UNDEFINED, TRANSFER_DST_OPTIMAL, 0,
        A(TRANSFER_WRITE), 1, ADVISED, .drivers = NULL_DRIVER,
        .expect = {BP("PipelineBarrier-unneeded-QFOT")},
        .text = {"from queue family 0 to 1, and discards its contents"})
BARRIER(moved_and_kept, SAMPLED | TRANSFER, TRANSFER_DST_OPTIMAL, SHADER_READ_ONLY_OPTIMAL,
        A(TRANSFER_WRITE), A(SHADER_READ), 1, ADVISED, .drivers = NULL_DRIVER)
BARRIER(general_of_textures, SAMPLED | TRANSFER, UNDEFINED, GENERAL, 0, A(SHADER_READ), 0,
        ADVISED_FOR(amd), .expect = {BP("AMD-vkImage-AvoidGeneral")})
BARRIER(general_of_copies_within, TRANSFER, UNDEFINED, GENERAL, 0,
        A(TRANSFER_READ) | A(TRANSFER_WRITE), 0, ADVISED_FOR(amd))
BARRIER(general_of_storage, SAMPLED | STORAGE, UNDEFINED, GENERAL, 0, A(SHADER_WRITE), 0,
        ADVISED_FOR(amd))

/* Fills an image, and makes it or another one ready to be read. */
static void fill_and_discard(struct baseline *b, VkImageLayout old_layout, bool same_image,
                             bool same_recording)
{
    VkBuffer buffer = make_buffer(b, 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkImage image = make_image(b, SAMPLED | TRANSFER), other = make_image(b, SAMPLED | TRANSFER);
    VkCommandBuffer commands = make_recording(b);
    VkImageMemoryBarrier to_write = image_barrier(image, L(UNDEFINED), L(TRANSFER_DST_OPTIMAL)),
                         to_read = image_barrier(same_image ? image : other, old_layout,
                                                 L(SHADER_READ_ONLY_OPTIMAL));
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {1, 1, 1}};
    to_write.dstAccessMask = to_read.srcAccessMask = A(TRANSFER_WRITE);
    to_read.dstAccessMask = A(SHADER_READ);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &to_write);
    vkCmdCopyBufferToImage(commands, buffer, image, L(TRANSFER_DST_OPTIMAL), 1, &region);
    if (!same_recording) {
        VK(vkEndCommandBuffer(commands));
        commands = make_recording(b);
    }
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, NULL, 0, NULL, 1, &to_read);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(filled_and_discarded, ADVISED,
         .expect = {BP("ImageMemoryBarrier-TransitionUndefinedToReadOnly")},
         .text = {"from VK_IMAGE_LAYOUT_UNDEFINED to VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, "
                  "after it was copied to in this command buffer"})
{
    fill_and_discard(b, L(UNDEFINED), true, true);
}

SCENARIO(filled_and_kept, ADVISED)
{
    fill_and_discard(b, L(TRANSFER_DST_OPTIMAL), true, true);
}

SCENARIO(filled_beside, ADVISED)
{
    fill_and_discard(b, L(UNDEFINED), false, true);
}

/* It is not known what is between the two command buffers. */
SCENARIO(filled_before, ADVISED)
{
    fill_and_discard(b, L(UNDEFINED), true, false);
}

SCENARIO(copied_and_discarded, ADVISED,
         .expect = {BP("ImageMemoryBarrier-TransitionUndefinedToReadOnly")},
         .text = {"after it was copied to in this command buffer"})
{
    VkImage source = make_image(b, TRANSFER), target = make_image(b, SAMPLED | TRANSFER);
    VkCommandBuffer commands = make_recording(b);
    VkImageMemoryBarrier to_read = image_barrier(target, L(UNDEFINED), L(SHADER_READ_ONLY_OPTIMAL));
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    const VkImageCopy region = {.srcSubresource = layers,
                                .dstSubresource = layers,
                                .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    to_read.srcAccessMask = A(TRANSFER_WRITE);
    to_read.dstAccessMask = A(SHADER_READ);
    vkCmdCopyImage(commands, source, L(GENERAL), target, L(GENERAL), 1, &region);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, NULL, 0, NULL, 1, &to_read);
    VK(vkEndCommandBuffer(commands));
}

FEATURES(separate, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES,
         .separateDepthStencilLayouts = VK_TRUE);

/* The depth is written, and the stencil brought to the layout that it has at rest. */
SCENARIO(filled_in_the_other_aspect, ADVISED, .drivers = NULL_DRIVER, .features = &separate)
{
    VkImageCreateInfo info = image_info(SAMPLED | TRANSFER);
    info.format = VK_FORMAT_D24_UNORM_S8_UINT;
    VkImage image = make_image_of(b, &info);
    VkBuffer buffer = make_buffer(b, 4, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkCommandBuffer commands = make_recording(b);
    VkImageMemoryBarrier to_read = image_barrier(image, L(UNDEFINED), L(STENCIL_READ_ONLY_OPTIMAL));
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
                                      .imageExtent = {1, 1, 1}};
    to_read.dstAccessMask = A(SHADER_READ);
    to_read.subresourceRange.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
    vkCmdCopyBufferToImage(commands, buffer, image, L(GENERAL), 1, &region);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, NULL, 0, NULL, 1, &to_read);
    VK(vkEndCommandBuffer(commands));
}

static void record_barriers(struct baseline *b, int count)
{
    VkCommandBuffer commands = make_recording(b);
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    for (int i = 0; i < count; i++)
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(barriers_501, ADVISED_FOR(amd), .expect = {BP("AMD-CmdBuffer-highBarrierCount")},
         .text = {"with 501 barriers and 0 commands that act"})
{
    record_barriers(b, 501);
}

SCENARIO(barriers_500, ADVISED_FOR(amd))
{
    record_barriers(b, 500);
}

/* --- events --- */

static void set_twice(struct baseline *b, bool reset)
{
    VkCommandBuffer commands = make_recording(b);
    VkEvent event = make_event(b);
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    if (reset)
        vkCmdResetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdSetEvent(commands, make_event(b), VK_PIPELINE_STAGE_TRANSFER_BIT);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(event_set_twice, ADVISED, .expect = {BP("Event-SignalSignaledEvent")})
{
    set_twice(b, false);
}

SCENARIO(event_set_and_reset, ADVISED)
{
    set_twice(b, true);
}

/* The primary does not know what a secondary does with the event. */
static void set_around(struct baseline *b, bool in_secondary)
{
    VkCommandBuffer commands = make_recording(b),
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkEvent event = make_event(b);
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &(VkCommandBufferInheritanceInfo){
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdResetEvent(secondary, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    VK(vkEndCommandBuffer(secondary));
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    if (in_secondary)
        vkCmdExecuteCommands(commands, 1, &secondary);
    vkCmdSetEvent(commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(event_reset_in_secondary, ADVISED)
{
    set_around(b, true);
}

SCENARIO(event_reset_in_secondary_that_is_not_executed, ADVISED,
         .expect = {BP("Event-SignalSignaledEvent")})
{
    set_around(b, false);
}

/* --- copies --- */

static void copy_tiled_images(struct baseline *b, VkImageTiling tiling)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    info.tiling = tiling;
    VkImage source = make_image_of(b, &info),
            target = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commands = make_recording(b);
    VkImageCopy region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                          .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                          .extent = {4, 4, 1}};
    vkCmdCopyImage(commands, source, L(GENERAL), target, L(GENERAL), 1, &region);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(copy_from_linear, ADVISED_FOR(amd), .drivers = NULL_DRIVER,
         .expect = {BP("AMD-vkImage-AvoidImageToImageCopy")})
{
    copy_tiled_images(b, VK_IMAGE_TILING_LINEAR);
}

SCENARIO(copy_from_optimal, ADVISED_FOR(amd))
{
    copy_tiled_images(b, VK_IMAGE_TILING_OPTIMAL);
}

static void resolve_by_copy(struct baseline *b)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.samples = VK_SAMPLE_COUNT_4_BIT;
    VkImage source = make_image_of(b, &info),
            target = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commands = make_recording(b);
    VkImageResolve region = {.srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                             .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdResolveImage(commands, source, L(GENERAL), target, L(GENERAL), 1, &region);
    VK(vkEndCommandBuffer(commands));
}

SCENARIO(resolve_by_command, ADVISED_FOR(arm),
         .expect = {BP("Arm-vkCmdResolveImage-resolving-image")})
{
    resolve_by_copy(b);
}

SCENARIO(resolve_by_command_elsewhere, ADVISED_FOR(amd))
{
    resolve_by_copy(b);
}

/* --- sparse memory --- */

static void bind_sparse_image(struct baseline *b, bool asks)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkMemoryRequirements requirements = {.size = 1 << 20};
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
    VkImage image = create_image(b, &info);
    if (asks)
        vkGetImageMemoryRequirements(b->device, image, &requirements);
    VkSparseMemoryBind bind = {.size = 65536};
    VkSparseImageOpaqueMemoryBindInfo opaque = {.image = image, .bindCount = 1, .pBinds = &bind};
    VkBindSparseInfo submit = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                               .imageOpaqueBindCount = 1,
                               .pImageOpaqueBinds = &opaque};
    vkQueueBindSparse(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

#define SPARSE(vendor_)                                                                           \
    vendor_, .drivers = NULL_DRIVER, .features = &(const VkPhysicalDeviceFeatures2)               \
    {                                                                                             \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features.sparseBinding = VK_TRUE, \
        .features.sparseResidencyImage2D = VK_TRUE                                                \
    }

SCENARIO(sparse_not_asked_for, SPARSE(ADVISED),
         .expect = {BP("vkQueueBindSparse-image-opaque-requirements")})
{
    bind_sparse_image(b, false);
}

SCENARIO(sparse_asked_for, SPARSE(ADVISED))
{
    bind_sparse_image(b, true);
}

SCENARIO(sparse_on_graphics, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .features =
             &(const VkPhysicalDeviceFeatures2){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features.sparseBinding = VK_TRUE},
         .null_driver = "{\"extensions\": {\"VK_EXT_pageable_device_local_memory\": false}, "
                        "\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "
                        "\"transfer\", \"sparse\"], \"count\": 1}, {\"flags\": [\"transfer\", "
                        "\"sparse\"], \"count\": 1}]}",
         .expect = {BP("NVIDIA-QueueBindSparse-NotAsync")})
{
    bind_sparse_image(b, true);
}

SCENARIO(sparse_on_graphics_alone, ADVISED_FOR(nvidia), .drivers = NULL_DRIVER,
         .features =
             &(const VkPhysicalDeviceFeatures2){
                 .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                 .features.sparseBinding = VK_TRUE},
         .null_driver = "{\"extensions\": {\"VK_EXT_pageable_device_local_memory\": false}, "
                        "\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", "
                        "\"transfer\", \"sparse\"], \"count\": 1}]}")
{
    bind_sparse_image(b, true);
}

static void bind_blocks(struct baseline *b, bool asks, bool asks_sparse)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkMemoryRequirements requirements;
    uint32_t count = 0;
    info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    info.extent.width = info.extent.height = 1024;
    VkImage image = create_image(b, &info);
    if (asks)
        vkGetImageMemoryRequirements(b->device, image, &requirements);
    if (asks_sparse)
        vkGetImageSparseMemoryRequirements(b->device, image, &count, NULL);
    VkSparseImageMemoryBind bind = {.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0},
                                    .extent = {1024, 1024, 1}};
    VkSparseImageMemoryBindInfo blocks = {.image = image, .bindCount = 1, .pBinds = &bind};
    VkBindSparseInfo submit = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .imageBindCount = 1, .pImageBinds = &blocks};
    vkQueueBindSparse(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

SCENARIO(blocks_not_asked_for, SPARSE(ADVISED),
         .expect = {BP("vkQueueBindSparse-image-requirements")})
{
    bind_blocks(b, false, false);
}

SCENARIO(granularity_not_asked_for, SPARSE(ADVISED),
         .expect = {BP("vkQueueBindSparse-image-requirements2")})
{
    bind_blocks(b, true, false);
}

SCENARIO(blocks_asked_for, SPARSE(ADVISED))
{
    bind_blocks(b, true, true);
}
