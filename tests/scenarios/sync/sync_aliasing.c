/* Hazards between resources that have the same memory (12 "Memory Aliasing"): a buffer, an image,
 * another image, and one that is identical to the first. A program is a line of letters:
 *
 *     a c i  vkCmdClearColorImage of the image, of the other one, of the identical one
 *     0 1    the same of one mip level of the image
 *     A I    vkCmdCopyImageToBuffer from the image, from the identical one, to a buffer with memory
 *            of its own
 *     w r    vkCmdFillBuffer of the buffer, vkCmdCopyBuffer from it
 *     m      a barrier, transfer writes to transfer reads and writes
 *     x      a barrier, transfer to transfer without accesses
 *     p q    the same as m for the image (of its first mip level), for the buffer (all of it)
 *     h      the same as m for the first half of the buffer
 *     t T    layout transition of the other image after transfer writes, after nothing
 *     , |    another submission; one after a wait */
#include "scenario.h"

#define LEVELS 2
#define USAGE  (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT)

struct aliases {
    struct baseline *b;
    VkCommandBuffer commands;
    VkDeviceSize size;
    VkBuffer buffer;
    VkImage image, other, identical;
};

static VkImage make_aliased_image(struct baseline *b, const VkImageCreateInfo *info,
                                  VkDeviceMemory memory)
{
    VkImage image = create_image(b, info);
    VkMemoryRequirements requirements;
    ENSURE(image);
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    VK(vkBindImageMemory(b->device, image, memory, 0));
    return image;
}

static VkBuffer make_aliased_buffer(struct baseline *b, VkDeviceSize size, VkDeviceMemory memory)
{
    VkBufferCreateInfo info =
        buffer_info(size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBuffer buffer = create_buffer(b, &info);
    VkMemoryRequirements requirements;
    ENSURE(buffer);
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
    return buffer;
}

static VkImageCreateInfo info_of_levels(VkImageCreateFlags flags, uint32_t levels)
{
    VkImageCreateInfo info = image_info(USAGE);
    info.flags = flags;
    info.mipLevels = levels;
    return info;
}

static VkImageSubresourceRange range_of_levels(uint32_t first, uint32_t count)
{
    return (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, first, count, 0, 1};
}

static void image_barrier_of(struct aliases *a, VkImage image, VkImageSubresourceRange range,
                             VkImageLayout from, VkPipelineStageFlags src, VkAccessFlags access,
                             VkPipelineStageFlags dst)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = access;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.subresourceRange = range;
    vkCmdPipelineBarrier(a->commands, src, dst, 0, 0, NULL, 0, NULL, 1, &barrier);
}

#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define TOP      VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT
#define WRITES   VK_ACCESS_TRANSFER_WRITE_BIT

static void aliases_to_general(struct aliases *a, VkImage image, uint32_t count)
{
    image_barrier_of(a, image, range_of_levels(0, count), VK_IMAGE_LAYOUT_UNDEFINED, TOP, 0,
                     TRANSFER);
}

/* `identical`: with the image that is so, instead of the other one. */
static struct aliases make_aliases(struct baseline *b, bool identical)
{
    struct aliases a = {.b = b};
    VkImageCreateInfo info = info_of_levels(identical ? VK_IMAGE_CREATE_ALIAS_BIT : 0, LEVELS);
    VkImageCreateInfo other = info_of_levels(0, 1);
    VkImage probe = create_image(b, &info);
    VkMemoryRequirements requirements;
    ENSURE(probe);
    vkGetImageMemoryRequirements(b->device, probe, &requirements);
    a.size = requirements.size;
    VkDeviceMemory memory = make_memory(b, requirements.size + 65536);
    a.image = make_aliased_image(b, &info, memory);
    if (identical)
        a.identical = make_aliased_image(b, &info, memory);
    else
        a.other = make_aliased_image(b, &other, memory);
    if (!identical)
        a.buffer = make_aliased_buffer(b, a.size, memory);
    a.commands = make_recording(b);
    aliases_to_general(&a, a.image, LEVELS);
    if (a.other)
        aliases_to_general(&a, a.other, 1);
    if (a.identical)
        aliases_to_general(&a, a.identical, LEVELS);
    return a;
}

static void clear_alias(struct aliases *a, VkImage image, VkImageSubresourceRange range)
{
    const VkClearColorValue color = {{0}};
    vkCmdClearColorImage(a->commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

static VkBuffer fresh_target(const struct aliases *a)
{
    return make_buffer(a->b, IMAGE_EXTENT * IMAGE_EXTENT * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void read_alias(struct aliases *a, VkImage image)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(a->commands, image, VK_IMAGE_LAYOUT_GENERAL, fresh_target(a), 1,
                           &region);
}

static void order_aliases(struct aliases *a, VkAccessFlags src, VkAccessFlags dst,
                          VkDeviceSize buffer_size)
{
    const VkMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = src, .dstAccessMask = dst};
    const VkBufferMemoryBarrier one = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                       .srcAccessMask = src,
                                       .dstAccessMask = dst,
                                       .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                       .buffer = a->buffer,
                                       .size = buffer_size};
    vkCmdPipelineBarrier(a->commands, TRANSFER, TRANSFER, 0, buffer_size ? 0 : 1, &all,
                         buffer_size ? 1 : 0, &one, 0, NULL);
}

static void submit_aliases(struct aliases *a, bool wait)
{
    VkSubmitInfo info = submit_info(&a->commands);
    VK(vkEndCommandBuffer(a->commands));
    VK(vkQueueSubmit(a->b->queue, 1, &info, VK_NULL_HANDLE));
    if (wait)
        VK(vkQueueWaitIdle(a->b->queue));
    a->commands = make_recording(a->b);
}

static void run_aliases(struct aliases *a, const char *program)
{
    const VkAccessFlags both = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    const VkBufferCopy region = {0, 0, 256};
    for (; *program; program++) {
        switch (*program) {
        case 'a':
            clear_alias(a, a->image, range_of_levels(0, LEVELS));
            break;
        case 'c':
            clear_alias(a, a->other, range_of_levels(0, 1));
            break;
        case 'i':
            clear_alias(a, a->identical, range_of_levels(0, LEVELS));
            break;
        case '0':
            clear_alias(a, a->image, range_of_levels(0, 1));
            break;
        case '1':
            clear_alias(a, a->image, range_of_levels(1, 1));
            break;
        case 'A':
            read_alias(a, a->image);
            break;
        case 'I':
            read_alias(a, a->identical);
            break;
        case 'w':
            vkCmdFillBuffer(a->commands, a->buffer, 0, 256, 0);
            break;
        case 'r':
            vkCmdCopyBuffer(a->commands, a->buffer, fresh_target(a), 1, &region);
            break;
        case 'm':
            order_aliases(a, WRITES, both, 0);
            break;
        case 'x':
            order_aliases(a, 0, 0, 0);
            break;
        case 'q':
            order_aliases(a, WRITES, both, VK_WHOLE_SIZE);
            break;
        case 'h':
            order_aliases(a, WRITES, both, 128);
            break;
        case 'p':
            image_barrier_of(a, a->image, range_of_levels(0, 1), VK_IMAGE_LAYOUT_GENERAL, TRANSFER,
                             WRITES, TRANSFER);
            break;
        case 't':
            image_barrier_of(a, a->other, range_of_levels(0, 1), VK_IMAGE_LAYOUT_UNDEFINED,
                             TRANSFER, WRITES, TRANSFER);
            break;
        case 'T':
            image_barrier_of(a, a->other, range_of_levels(0, 1), VK_IMAGE_LAYOUT_UNDEFINED, TOP, 0,
                             TRANSFER);
            break;
        case ',':
        case '|':
            submit_aliases(a, *program == '|');
            break;
        default:
            break;
        }
    }
    submit_aliases(a, true);
}

#define ALIASES(name_, identical_, program_, ...)                      \
    SCENARIO(name_, .settings = {"validate_sync=true"}, ##__VA_ARGS__) \
    {                                                                  \
        struct aliases a = make_aliases(b, identical_);                \
        run_aliases(&a, program_);                                     \
    }
#define SHARED(name_, program_, ...)    ALIASES(name_, false, program_, ##__VA_ARGS__)
#define IDENTICAL(name_, program_, ...) ALIASES(name_, true, program_, ##__VA_ARGS__)
#define RAW                             .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}
#define WAR                             .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}
#define WAW                             .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}

/* A buffer and an image. */
SHARED(buffer_read_after_image_write, "ar", RAW,
       .text = {"vkCmdCopyBuffer(): ", "reads bytes 0 to 255 of VkBuffer",
                "but nothing makes the write by vkCmdClearColorImage (command 2) through VkImage",
                ", which has the same memory visible to it"})
SHARED(image_read_after_buffer_write, "wA", RAW,
       .text = {"reads VkImage", "by vkCmdFillBuffer (command 2) through VkBuffer"})
SHARED(image_write_after_buffer_write, "wa", WAW,
       .text = {"writes VkImage", "vkCmdFillBuffer (command 2)"})
SHARED(buffer_write_after_image_write, "aw", WAW)
SHARED(buffer_write_after_image_read, "Aw", WAR)
SHARED(image_write_after_buffer_read, "ra", WAR)
SHARED(buffer_and_image_read, "rAr")
SHARED(buffer_read_behind_a_barrier, "amr")
SHARED(image_read_behind_a_barrier, "wmA")
SHARED(image_write_executed_after_a_read, "rxa")
SHARED(image_write_executed_after_a_write, "wxa", WAW)
SHARED(barrier_of_the_image, "apr")
SHARED(barrier_of_the_buffer, "aqr")
SHARED(barrier_of_half_of_the_buffer, "ahr", RAW)
SHARED(back_and_forth, "amwmAxw")
SHARED(back_too_early, "amwmAw", WAR)

/* "all image subresources of the image overlap the range" */
SHARED(other_mip_level_overlaps, "1r", RAW)
SHARED(mip_levels_of_one_image_do_not_collide, "01m")
SHARED(mip_levels_of_one_image_behind_the_buffer, "wm01m1")
SHARED(mip_levels_and_the_buffer, "01mw01", WAW)

/* Two images. */
SHARED(image_write_after_other_image_write, "ac", WAW,
       .text = {"writes VkImage", "vkCmdClearColorImage (command 2) through VkImage"})
SHARED(other_image_taken_into_use, "atc")
SHARED(other_image_taken_into_use_too_early, "aTc", WAW,
       .text = {"transitions the layout of VkImage", "through VkImage"})
SHARED(other_image_after_a_read, "Atc")
SHARED(images_in_turn, "atcmaxc", WAW)
SHARED(images_in_turn_behind_barriers, "atcmamc")

/* Submissions. */
SHARED(in_another_submission, "a,r", RAW, .text = {"through VkImage", "submitted to VkQueue"})
SHARED(in_another_submission_behind_a_barrier, "am,r")
SHARED(in_another_submission_with_the_barrier, "a,mr")
SHARED(in_another_submission_behind_a_wait, "a|r")
SHARED(other_image_in_another_submission, "a,tc")
SHARED(other_image_in_another_submission_too_early, "a,Tc", WAW)
SHARED(mip_levels_in_other_submissions, "0,1,m")

/* Images that are identical: their texel blocks are the same. */
IDENTICAL(identical_image_read_after_write, "aI", RAW,
          .text = {"reads VkImage", "by vkCmdClearColorImage (command 2) through VkImage"})
IDENTICAL(identical_image_write_after_read, "Ai", WAR)
IDENTICAL(identical_image_behind_a_barrier, "amI")
IDENTICAL(identical_image_behind_a_barrier_of_the_first, "apI")
IDENTICAL(identical_image_of_another_mip_level, "1I")
IDENTICAL(identical_image_in_another_submission, "a,I", RAW)
IDENTICAL(identical_image_behind_a_wait, "a|I")

/* --- a resource that comes later --- */

/* The barrier was recorded when no other resource had the image's memory. */
SCENARIO(barrier_recorded_before_it_was_shared, .settings = {"validate_sync=true"})
{
    VkImageCreateInfo info = info_of_levels(0, LEVELS), other_info = info_of_levels(0, 1);
    VkImage probe = create_image(b, &info);
    VkMemoryRequirements requirements;
    ENSURE(probe);
    vkGetImageMemoryRequirements(b->device, probe, &requirements);
    VkDeviceMemory memory = make_memory(b, requirements.size + 65536);
    struct aliases a = {
        .b = b, .image = make_aliased_image(b, &info, memory), .commands = make_recording(b)};
    VkCommandBuffer first = a.commands;
    image_barrier_of(&a, a.image, range_of_levels(0, LEVELS), VK_IMAGE_LAYOUT_UNDEFINED, TRANSFER,
                     WRITES, TRANSFER);
    VK(vkEndCommandBuffer(first));
    a.other = make_aliased_image(b, &other_info, memory);
    a.commands = make_recording(b);
    aliases_to_general(&a, a.other, 1);
    clear_alias(&a, a.other, range_of_levels(0, 1));
    submit_aliases(&a, false);
    VkSubmitInfo again = submit_info(&first);
    VK(vkQueueSubmit(b->queue, 1, &again, VK_NULL_HANDLE));
    clear_alias(&a, a.image, range_of_levels(0, LEVELS));
    submit_aliases(&a, true);
}

/* A resource that lies beside it does not overlap it; neither does one that is gone. */
SCENARIO(neighbors_do_not_overlap, .settings = {"validate_sync=true"})
{
    VkImageCreateInfo info = info_of_levels(0, 1);
    VkImage probe = create_image(b, &info);
    VkMemoryRequirements requirements;
    ENSURE(probe);
    vkGetImageMemoryRequirements(b->device, probe, &requirements);
    VkDeviceSize second = (requirements.size + requirements.alignment - 1) /
                          requirements.alignment * requirements.alignment;
    VkDeviceMemory memory = make_memory(b, 2 * second);
    struct aliases a = {.b = b, .commands = make_recording(b)};
    VkBuffer gone = make_aliased_buffer(b, requirements.size, memory);
    FORGET(b, gone);
    vkDestroyBuffer(b->device, gone, NULL);
    a.image = make_aliased_image(b, &info, memory);
    a.other = create_image(b, &info);
    ENSURE(a.other);
    vkGetImageMemoryRequirements(b->device, a.other, &requirements);
    VK(vkBindImageMemory(b->device, a.other, memory, second));
    aliases_to_general(&a, a.image, 1);
    aliases_to_general(&a, a.other, 1);
    clear_alias(&a, a.image, range_of_levels(0, 1));
    clear_alias(&a, a.other, range_of_levels(0, 1));
    submit_aliases(&a, true);
}
