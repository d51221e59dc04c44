/* Copies that read bad values from buffers when they run: depths (21 "Copy Commands"). */
#include "gpu/gpu_world.h"

#include <signal.h>

/* An image of 4 by 4 depths, and a command buffer in which it has the layout that copies want. */
struct world {
    VkCommandBuffer commands;
    VkImage image;
    VkBuffer buffer;
};

static struct world begin_depth_copy(struct baseline *b, const float *depths)
{
    struct world w;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.format = VK_FORMAT_D32_SFLOAT;
    info.extent = (VkExtent3D){4, 4, 1};
    w.image = make_image_of(b, &info);
    w.buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    gpu_fill(b, w.buffer, 64, depths, 16 * sizeof(*depths));
    w.commands = make_recording(b);
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = w.image,
        .subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}};
    vkCmdPipelineBarrier(w.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    return w;
}

/* Two regions: the first row, and the rest. */
static void copy_depth(struct baseline *b, uint32_t at, float depth, bool second_command)
{
    float depths[16] = {0, 1, 0.5f, -0.0f};
    depths[at] = depth;
    struct world w = begin_depth_copy(b, depths);
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
    if (second_command) {
        const VkBufferImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                           .bufferOffset = 64,
                                           .imageSubresource = layers,
                                           .imageExtent = {4, 4, 1}};
        const VkCopyBufferToImageInfo2 info = {
            .sType = VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
            .srcBuffer = w.buffer,
            .dstImage = w.image,
            .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
            .regionCount = 1,
            .pRegions = &region};
        vkCmdCopyBufferToImage2(w.commands, &info);
    } else {
        const VkBufferImageCopy regions[2] = {
            {.bufferOffset = 64, .imageSubresource = layers, .imageExtent = {4, 1, 1}},
            {.bufferOffset = 80,
             .bufferRowLength = 4,
             .imageSubresource = layers,
             .imageOffset = {0, 1, 0},
             .imageExtent = {3, 3, 1}}};
        vkCmdCopyBufferToImage(w.commands, w.buffer, w.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                               2, regions);
    }
    run_commands(b, w.commands);
}

SCENARIO(depth_above, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {
             "the depth for texel (2, 1, 0) of pRegions[1] is 1.5, which is not in the range [0,1]",
             "command 1: vkCmdCopyBufferToImage"})
{
    copy_depth(b, 10, 1.5f, false);
}

SCENARIO(depth_below, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {"the depth for texel (3, 0, 0) of pRegions[0] is -0.25"})
{
    copy_depth(b, 3, -0.25f, false);
}

SCENARIO(depth_of_no_number, GPU, .expect = {"VUID-vkCmdCopyBufferToImage-pRegions-07931"},
         .text = {"of pRegions[0] is nan"})
{
    copy_depth(b, 0, __builtin_nanf(""), false);
}

SCENARIO(depths_in_order, GPU)
{
    copy_depth(b, 10, 0.25f, false);
    copy_depth(b, 10, 0.25f, true);
}

/* The place lies after the end of the rows: it is not copied. */
SCENARIO(depth_between_rows, GPU)
{
    copy_depth(b, 7, 9, false);
}

SCENARIO(depth_above_2, GPU, .expect = {"VUID-VkCopyBufferToImageInfo2-pRegions-07931"},
         .text = {"the depth for texel (3, 3, 0) of pRegions[0] is 2",
                  "command 1: vkCmdCopyBufferToImage2"})
{
    copy_depth(b, 15, 2, true);
}

SCENARIO(depth_above_unrestricted, GPU_SETTINGS(), .features = &gpu_features_plain,
         .extensions = {VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME})
{
    copy_depth(b, 10, 1.5f, false);
}

SCENARIO(depth_above_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_buffer_copies=false"},
         .features = &gpu_features_plain, .ours_only = true)
{
    copy_depth(b, 10, 1.5f, false);
}

/* --- indirect copies --- */

static const VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR indirect_copies = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
    .pNext = (void *)&gpu_features_plain,
    .indirectMemoryCopy = VK_TRUE,
    .indirectMemoryToImageCopy = VK_TRUE};
#define INDIRECT_COPIES                           \
    GPU_SETTINGS(), .features = &indirect_copies, \
        .extensions = {VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME}

static VkDeviceAddress make_place(struct baseline *b, VkDeviceSize size)
{
    return buffer_address(b, make_buffer(b, size,
                                         VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                             VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                             VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT));
}

static VkDeviceAddress make_commands(struct baseline *b, const void *data, size_t size)
{
    VkBuffer buffer = make_buffer(b, size,
                                  VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    gpu_fill(b, buffer, 0, data, size);
    return buffer_address(b, buffer);
}

/* Three copies of 64 bytes each between two buffers of 1,024, of which the second is moved by so
 * many bytes. */
static void copy_indirect(struct baseline *b, uint64_t move_src, uint64_t move_dst, uint64_t more)
{
    const VkDeviceAddress from = make_place(b, 1024), to = make_place(b, 1024);
    const VkCopyMemoryIndirectCommandKHR copies[3] = {
        {from, to, 64},
        {from + 128 + move_src, to + 128 + move_dst, 64 + more},
        {from + 512, to + 512, 64}};
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 3,
        .copyAddressRange = {make_commands(b, copies, sizeof(copies)), sizeof(copies),
                             sizeof(copies[0])}};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(commands, &info);
    run_commands(b, commands);
}

#define COPY(name_, id_, text_, ...)                                      \
    SCENARIO(name_, INDIRECT_COPIES, .expect = {"VUID-VkCopyMemory" id_}, \
             .text = {text_, "command 0: vkCmdCopyMemoryIndirectKHR"})    \
    {                                                                     \
        copy_indirect(b, __VA_ARGS__);                                    \
    }
COPY(copy_from_no_multiple_of_4, "IndirectCommandKHR-srcAddress-10958",
     "indirect command 1 has srcAddress = 0x", 2, 0, 0)
COPY(copy_to_no_multiple_of_4, "IndirectCommandKHR-dstAddress-10959",
     "indirect command 1 has dstAddress = 0x", 0, 2, 0)
COPY(copy_of_no_multiple_of_4, "IndirectCommandKHR-size-10960",
     "indirect command 1 has size = 0x41, not a multiple of 4", 0, 0, 1)
COPY(copy_over_another, "IndirectInfoKHR-copyAddressRange-10945", "copies to the same memory.", 0,
     352, 0)

SCENARIO(copies_in_order, INDIRECT_COPIES)
{
    copy_indirect(b, 4, 8, 256);
}

/* Nothing is copied there. */
SCENARIO(copy_of_nothing_from_nowhere, INDIRECT_COPIES)
{
    copy_indirect(b, (uint64_t)1 << 40, (uint64_t)1 << 40, (uint64_t)-64);
}

/* A buffer of 1,024 bytes in 4,096 of memory: what is copied beyond its end is there. */
static VkDeviceAddress make_short_place(struct baseline *b)
{
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo info = memory_info(4096, 0);
    const VkBufferCreateInfo buffer_of =
        buffer_info(1024, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                              VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    info.pNext = &flags;
    VkBuffer buffer = create_buffer(b, &buffer_of);
    VK(vkBindBufferMemory(b->device, buffer, create_memory(b, &info), 0));
    return buffer_address(b, buffer);
}

static void copy_beyond(struct baseline *b, uint64_t src, uint64_t dst)
{
    const VkCopyMemoryIndirectCommandKHR copies[1] = {
        {make_short_place(b) + src, make_short_place(b) + dst, 64}};
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 1,
        .copyAddressRange = {make_commands(b, copies, sizeof(copies)), sizeof(copies),
                             sizeof(copies[0])}};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(commands, &info);
    run_commands(b, commands);
}

SCENARIO(copy_from_beyond_the_end, INDIRECT_COPIES,
         .expect = {"VUID-VkCopyMemoryIndirectCommandKHR-srcAddress-12211"},
         .text = {"indirect command 0 has srcAddress = 0x", ", and no buffer has 64 bytes there.",
                  " It lies in VkBuffer 0x", ", at byte 0 (offset 0, stride 24).",
                  " The address is byte 964 of VkBuffer 0x", ", which has 1024 bytes."})
{
    copy_beyond(b, 964, 0);
}

SCENARIO(copy_to_beyond_the_end, INDIRECT_COPIES,
         .expect = {"VUID-VkCopyMemoryIndirectCommandKHR-dstAddress-12212"},
         .text = {"indirect command 0 has dstAddress = 0x", ", and no buffer has 64 bytes there."})
{
    copy_beyond(b, 0, 2048);
}

SCENARIO(copy_up_to_the_end, INDIRECT_COPIES)
{
    copy_beyond(b, 960, 960);
}

/* One source for two destinations; and a region that ends where another begins. */
SCENARIO(copies_of_the_same, INDIRECT_COPIES)
{
    copy_indirect(b, (uint64_t)-128, (uint64_t)-64, 0);
}

SCENARIO(copy_over_its_own_source, INDIRECT_COPIES,
         .expect = {"VUID-VkCopyMemoryIndirectInfoKHR-copyAddressRange-10945"},
         .text = {"indirect command 0 copies to 0x",
                  ", and indirect command 0 copies from the same memory."})
{
    const VkDeviceAddress place = make_place(b, 1024);
    const VkCopyMemoryIndirectCommandKHR copies[1] = {{place, place + 60, 64}};
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 1,
        .copyAddressRange = {make_commands(b, copies, sizeof(copies)), sizeof(copies),
                             sizeof(copies[0])}};
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(commands, &info);
    run_commands(b, commands);
}

/* --- what safe mode keeps from the driver --- */

#define SAFE_COPIES                                                     \
    GPU_SETTINGS("gpuav_safe_mode=true"), .features = &indirect_copies, \
        .extensions = {VK_KHR_COPY_MEMORY_INDIRECT_EXTENSION_NAME}
#define NOWHERE 0x10000 /* an address at which a process has no memory */

/* A copy of 16 bytes at `offset`, and one of a second buffer that must have been done; structures
 * lie 40 bytes apart. */
static void copy_two(struct baseline *b, VkDeviceAddress from, VkDeviceAddress to, bool both)
{
    const uint32_t pattern[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkBuffer source = make_buffer(b, 256, usage), target = make_buffer(b, 256, usage);
    struct {
        VkCopyMemoryIndirectCommandKHR copy;
        uint32_t between[4];
    } copies[2] = {
        {{from ? from : buffer_address(b, source), to ? to : buffer_address(b, target), 16},
         {9, 9, 9, 9}},
        {{buffer_address(b, source) + 16, buffer_address(b, target) + 128, 16}, {9, 9, 9, 9}}};
    const VkCopyMemoryIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
        .copyCount = 2,
        .copyAddressRange = {make_commands(b, copies, sizeof(copies)), sizeof(copies),
                             sizeof(copies[0])}};
    uint32_t first[4] = {0}, second[4] = {0};
    gpu_fill(b, source, 0, pattern, sizeof(pattern));
    gpu_fill(b, target, 0, first, sizeof(first));
    VkCommandBuffer commands = make_recording(b);
    DEVICE_PROC(b, vkCmdCopyMemoryIndirectKHR)(commands, &info);
    run_commands(b, commands);
    gpu_read(b, target, 0, first, sizeof(first));
    gpu_read(b, target, 128, second, sizeof(second));
    EXPECT_EQUAL(first[0], both ? 1 : 0);
    EXPECT_EQUAL(second[0], 5);
    EXPECT_EQUAL(second[3], 8);
}

SCENARIO(safe_copies_in_order, SAFE_COPIES)
{
    copy_two(b, 0, 0, true);
}

SCENARIO(safe_copy_from_nowhere, SAFE_COPIES,
         .expect = {"VUID-VkCopyMemoryIndirectCommandKHR-srcAddress-12211"},
         .text = {"indirect command 0 has srcAddress = 0x10000, and no buffer has 16 bytes there."})
{
    copy_two(b, NOWHERE, 0, false);
}

SCENARIO(safe_copy_to_nowhere, SAFE_COPIES,
         .expect = {"VUID-VkCopyMemoryIndirectCommandKHR-dstAddress-12212"})
{
    copy_two(b, 0, NOWHERE, false);
}

/* Without it the finding survives. */
SCENARIO(crash_in_an_indirect_copy, INDIRECT_COPIES, .ours_only = true, .signal = SIGSEGV,
         .expect = {"VUID-VkCopyMemoryIndirectCommandKHR-srcAddress-12211"},
         .text = {"indirect command 0 has srcAddress = 0x10000, and no buffer has 16 bytes there."})
{
    copy_two(b, NOWHERE, 0, false);
}

/* To an image of 64 by 64, of two layers and two levels, whose rows and levels lie in its own
 * memory. */
static void copy_to_image(struct baseline *b, VkFormat format,
                          VkCopyMemoryToImageIndirectCommandKHR change)
{
    const VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    image.format = format;
    image.arrayLayers = image.mipLevels = 2;
    VkCopyMemoryToImageIndirectCommandKHR copy = change;
    copy.srcAddress = change.srcAddress == 1 ? 4096 : make_place(b, 1 << 16) + change.srcAddress;
    const VkCopyMemoryToImageIndirectInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR,
        .copyCount = 1,
        .copyAddressRange = {make_commands(b, &copy, sizeof(copy)), sizeof(copy), sizeof(copy)},
        .dstImage = make_image_of(b, &image),
        .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .pImageSubresources = &layers};
    VkImageMemoryBarrier barrier =
        image_barrier(info.dstImage, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 2, 0, 2};
    VkCommandBuffer commands = make_recording(b);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    DEVICE_PROC(b, vkCmdCopyMemoryToImageIndirectKHR)(commands, &info);
    run_commands(b, commands);
}

#define TO_IMAGE(...)                               \
    copy_to_image(b, VK_FORMAT_R32G32B32A32_SFLOAT, \
                  (VkCopyMemoryToImageIndirectCommandKHR){__VA_ARGS__})
#define SUBRESOURCE .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}
#define IMAGE_COPY(name_, id_, text_, ...)                                  \
    SCENARIO(name_, INDIRECT_COPIES,                                        \
             .expect = {"VUID-VkCopyMemoryToImageIndirectCommandKHR-" id_}, \
             .text = {"indirect command 0 has " text_,                      \
                      "command 1: vkCmdCopyMemoryToImageIndirectKHR"})      \
    {                                                                       \
        TO_IMAGE(__VA_ARGS__);                                              \
    }
SCENARIO(image_copy_of_no_multiple_of_4, INDIRECT_COPIES,
         .expect = {"VUID-VkCopyMemoryToImageIndirectCommandKHR-srcAddress-10963"},
         .text = {"indirect command 0 has srcAddress = 0x", ", not a multiple of 4"})
{
    copy_to_image(b, COLOR_FORMAT,
                  (VkCopyMemoryToImageIndirectCommandKHR){
                      .srcAddress = 2, SUBRESOURCE, .imageExtent = {4, 4, 1}});
}
IMAGE_COPY(image_copy_of_no_multiple_of_the_texel, "dstImage-12282", "srcAddress = 0x",
           .srcAddress = 4, SUBRESOURCE, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_of_short_rows, "bufferRowLength-10964",
           "bufferRowLength = 3, less than imageExtent.width = 4", .bufferRowLength = 3,
           SUBRESOURCE, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_of_few_rows, "bufferImageHeight-10965",
           "bufferImageHeight = 2, less than imageExtent.height = 4", .bufferImageHeight = 2,
           SUBRESOURCE, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_beyond_the_width, "imageOffset-10970",
           "imageOffset.x + imageExtent.width = 65, more than the width of the subresource = 64",
           SUBRESOURCE, .imageOffset = {61, 0, 0}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_beyond_the_height, "imageOffset-10971",
           "imageOffset.y + imageExtent.height = 65, more than the height of the subresource = 64",
           SUBRESOURCE, .imageOffset = {0, 61, 0}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_to_another_level, "imageSubresource-12284",
           "imageSubresource.mipLevel = 1, not 0 as pImageSubresources has",
           .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 1, 0, 1}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_to_another_layer, "imageSubresource-12284",
           "imageSubresource.baseArrayLayer = 1, not 0 as pImageSubresources has",
           .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 1}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_to_more_layers, "imageSubresource-12284",
           "imageSubresource.layerCount = 2, not 1 as pImageSubresources has",
           .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 2}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_of_no_depth, "dstImage-12286",
           "imageExtent.depth = 0, not 1 as an image that is not 3D needs", SUBRESOURCE,
           .imageExtent = {4, 4, 0})
IMAGE_COPY(image_copy_to_a_depth, "dstImage-12286",
           "imageOffset.z = 1, not 0 as an image that is not 3D needs", SUBRESOURCE,
           .imageOffset = {0, 0, 1}, .imageExtent = {4, 4, 1})
IMAGE_COPY(image_copy_from_nowhere, "srcAddress-12214",
           "srcAddress = 0x1000, and no buffer has 1 byte there.", .srcAddress = 1, SUBRESOURCE,
           .imageExtent = {0, 0, 1})

SCENARIO(safe_image_copy_from_nowhere, SAFE_COPIES,
         .expect = {"VUID-VkCopyMemoryToImageIndirectCommandKHR-srcAddress-12214"})
{
    TO_IMAGE(.srcAddress = 1, SUBRESOURCE, .imageExtent = {4, 4, 1});
}

SCENARIO(safe_image_copies_in_order, SAFE_COPIES)
{
    TO_IMAGE(.srcAddress = 16, SUBRESOURCE, .imageOffset = {60, 60, 0}, .imageExtent = {4, 4, 1});
}

SCENARIO(image_copies_in_order, INDIRECT_COPIES)
{
    TO_IMAGE(SUBRESOURCE, .imageExtent = {64, 64, 1});
    TO_IMAGE(.srcAddress = 16, .bufferRowLength = 4, .bufferImageHeight = 8, SUBRESOURCE,
             .imageOffset = {60, 60, 0}, .imageExtent = {4, 4, 1});
}
