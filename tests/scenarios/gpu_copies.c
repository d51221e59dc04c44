/* What copies find in buffers when they run: depths (21 "Copy Commands"). */
#include "gpu_world.h"

/* An image of 4 by 4 depths, and a command buffer in which it has the layout that copies want. */
struct world {
    VkCommandBuffer commands;
    VkImage image;
    VkBuffer buffer;
};

static struct world begin(struct baseline *b, const float *depths)
{
    struct world w;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.format = VK_FORMAT_D32_SFLOAT;
    info.extent = (VkExtent3D){4, 4, 1};
    w.image = make_image_of(b, &info);
    w.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    gpu_fill(b, w.buffer, 64, depths, 16 * sizeof(*depths));
    w.commands = make_recording(b);
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                          .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = w.image,
                                          .subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(w.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
    return w;
}

/* Two regions: the first row, and the rest. */
static void copy(struct baseline *b, uint32_t at, float depth, bool second_command)
{
    float depths[16] = {0, 1, 0.5f, -0.0f};
    depths[at] = depth;
    struct world w = begin(b, depths);
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
    if (second_command) {
        const VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                           .bufferOffset = 64,
                                           .imageSubresource = layers,
                                           .imageExtent = {4, 4, 1}};
        const VkCopyBufferToImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                               .srcBuffer = w.buffer,
                                               .dstImage = w.image,
                                               .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                               .regionCount = 1,
                                               .pRegions = &region};
        vkCmdCopyBufferToImage2(w.commands, &info);
    } else {
        const VkBufferImageCopy regions[2] = {{.bufferOffset = 64, .imageSubresource = layers, .imageExtent = {4, 1, 1}},
                                              {.bufferOffset = 80,
                                               .bufferRowLength = 4,
                                               .imageSubresource = layers,
                                               .imageOffset = {0, 1, 0},
                                               .imageExtent = {3, 3, 1}}};
        vkCmdCopyBufferToImage(w.commands, w.buffer, w.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 2, regions);
    }
    run_commands(b, w.commands);
}

SCENARIO(depth_above, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {"the depth for texel (2, 1, 0) of pRegions[1] is 1.5, which is not in the range [0,1]",
                  "command 0: vkCmdCopyBufferToImage"})
{
    copy(b, 10, 1.5f, false);
}

SCENARIO(depth_below, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {"the depth for texel (3, 0, 0) of pRegions[0] is -0.25"})
{
    copy(b, 3, -0.25f, false);
}

SCENARIO(depth_of_no_number, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {"of pRegions[0] is nan"})
{
    copy(b, 0, __builtin_nanf(""), false);
}

SCENARIO(depths_in_order, GPU)
{
    copy(b, 10, 0.25f, false);
    copy(b, 10, 0.25f, true);
}

/* Behind the end of the rows: it is not copied. */
SCENARIO(depth_between_rows, GPU)
{
    copy(b, 7, 9, false);
}

SCENARIO(depth_above_2, GPU, .expect = {"VUID-VkCopyBufferToImageInfo2-pRegions-07931"},
         .text = {"the depth for texel (3, 3, 0) of pRegions[0] is 2", "command 0: vkCmdCopyBufferToImage2"})
{
    copy(b, 15, 2, true);
}

SCENARIO(depth_above_unrestricted, GPU_SETTINGS(), .features = &gpu_features_plain,
         .extensions = {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME})
{
    copy(b, 10, 1.5f, false);
}

SCENARIO(depth_above_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_buffer_copies=false"}, .features = &gpu_features_plain,
         .ours_only = true)
{
    copy(b, 10, 1.5f, false);
}
