/* Advice on barriers that order more than there is to order (settings validate_sync and
 * validate_best_practices). */
#include "sync/sync_world.h"

#include <stdio.h>
#include <string.h>

#define FIRST_SCOPE  "BestPractices-SyncBarrier-EmptyFirstScope"
#define SECOND_SCOPE "BestPractices-SyncBarrier-EmptySecondScope"
#define ALL_COMMANDS "BestPractices-SyncBarrier-AllCommands"

#define ADVISED_WITH(features_)                                                          \
    .settings = {"validate_sync=true", "validate_best_practices=true"}, .proceed = true, \
    .ours_only = true, .features = (features_)
#define ADVISED ADVISED_WITH(&world_features)

/* A scenario in the world of hazards. Barriers are reported once for a call site: macros make each
 * its own. */
#define ADVICE_SCENARIO(name_, ...)                                   \
    static void name_##_records(struct baseline *b, struct world *w); \
    SCENARIO(name_, ADVISED, ##__VA_ARGS__)                           \
    {                                                                 \
        struct world world;                                           \
        world_begin(b, &world);                                       \
        name_##_records(b, &world);                                   \
        VK(vkEndCommandBuffer(world.commands));                       \
    }                                                                 \
    static void name_##_records(struct baseline *b, struct world *w)

#define S(stage_)  VK_PIPELINE_STAGE_2_##stage_##_BIT
#define A(access_) VK_ACCESS_2_##access_##_BIT
#define ANY        (A(MEMORY_READ) | A(MEMORY_WRITE))

#define MEMORY_BARRIER(src_, src_access_, dst_, dst_access_)                                \
    vkCmdPipelineBarrier2(w->commands, &(const VkDependencyInfo){                           \
                                           .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,      \
                                           .memoryBarrierCount = 1,                         \
                                           .pMemoryBarriers = &(const VkMemoryBarrier2){    \
                                               .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, \
                                               .srcStageMask = (src_),                      \
                                               .srcAccessMask = (src_access_),              \
                                               .dstStageMask = (dst_),                      \
                                               .dstAccessMask = (dst_access_)}})
#define FULL      MEMORY_BARRIER(S(ALL_COMMANDS), ANY, S(ALL_COMMANDS), ANY)
#define DO(name_) operation_##name_.record(w)

static VkImageMemoryBarrier2 image_barrier2_of(VkImage image, VkPipelineStageFlags2 src,
                                               VkAccessFlags2 src_access, VkPipelineStageFlags2 dst,
                                               VkAccessFlags2 dst_access, VkImageLayout from,
                                               VkImageLayout to)
{
    return (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                   .srcStageMask = src,
                                   .srcAccessMask = src_access,
                                   .dstStageMask = dst,
                                   .dstAccessMask = dst_access,
                                   .oldLayout = from,
                                   .newLayout = to,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .image = image,
                                   .subresourceRange = color_range()};
}
#define IMAGE_BARRIER(...)                                                                 \
    do {                                                                                   \
        const VkImageMemoryBarrier2 barrier_ = image_barrier2_of(__VA_ARGS__);             \
        vkCmdPipelineBarrier2(w->commands, &(const VkDependencyInfo){                      \
                                               .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, \
                                               .imageMemoryBarrierCount = 1,               \
                                               .pImageMemoryBarriers = &barrier_});        \
    } while (0)
#define GENERAL VK_IMAGE_LAYOUT_GENERAL

static VkBufferMemoryBarrier2 buffer_barrier2_of(VkBuffer buffer, VkPipelineStageFlags2 src,
                                                 VkAccessFlags2 src_access,
                                                 VkPipelineStageFlags2 dst,
                                                 VkAccessFlags2 dst_access, VkDeviceSize size)
{
    return (VkBufferMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                    .srcStageMask = src,
                                    .srcAccessMask = src_access,
                                    .dstStageMask = dst,
                                    .dstAccessMask = dst_access,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .buffer = buffer,
                                    .size = size};
}
#define BUFFER_BARRIER(...)                                                                \
    do {                                                                                   \
        const VkBufferMemoryBarrier2 barrier_ = buffer_barrier2_of(__VA_ARGS__);           \
        vkCmdPipelineBarrier2(w->commands, &(const VkDependencyInfo){                      \
                                               .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, \
                                               .bufferMemoryBarrierCount = 1,              \
                                               .pBufferMemoryBarriers = &barrier_});       \
    } while (0)

/* --- ALL_COMMANDS, by the commands between barriers --- */

/* The middle one stands between two that order everything else. */
ADVICE_SCENARIO(full_barriers, .expect = {ALL_COMMANDS},
                .text = {"waits for VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT where "
                         "VK_PIPELINE_STAGE_2_COPY_BIT would do, and makes "
                         "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT wait where "
                         "VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT would do\n",
                         " orders all that was recorded before it;\n"
                         "            the commands since are in VK_PIPELINE_STAGE_2_COPY_BIT\n",
                         " orders all that is recorded after it;\n"
                         "            the commands up to there are in "
                         "VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT\n",
                         "    advice  this is enough for what this command buffer does\n"
                         "            const VkMemoryBarrier2 barrier = {\n"
                         "                .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,\n"
                         "                .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,\n"
                         "                .srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | "
                         "VK_ACCESS_2_MEMORY_WRITE_BIT,\n"
                         "                .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,\n"
                         "                .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | "
                         "VK_ACCESS_2_MEMORY_WRITE_BIT,\n"
                         "            };\n"
                         "            const VkDependencyInfo dependency = {\n"
                         "                .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,\n"
                         "                .memoryBarrierCount = 1,\n"
                         "                .pMemoryBarriers = &barrier,\n"
                         "            };\n"
                         "            vkCmdPipelineBarrier2(commandBuffer, &dependency);"})
{
    MEMORY_BARRIER(S(ALL_COMMANDS), ANY, S(ALL_COMMANDS), ANY);
    DO(copy_to_buffer);
    FULL;
    DO(dispatch_read);
    MEMORY_BARRIER(S(ALL_COMMANDS), ANY, S(ALL_COMMANDS), ANY);
}

/* One after the other, all from one place of the program: reported once. */
SCENARIO(full_barriers_of_one_place, ADVISED, .expect = {ALL_COMMANDS})
{
    struct world world, *w = &world;
    world_begin(b, w);
    for (unsigned i = 0; i < 5; i++) {
        FULL;
        if (i % 2)
            DO(copy_to_buffer);
        else
            DO(dispatch_read);
    }
    VK(vkEndCommandBuffer(w->commands));
    EXPECT_EQUAL(seen_count(b, ALL_COMMANDS), 1);
}

/* The advice taken: nothing more is said, and no hazard is there. */
ADVICE_SCENARIO(narrow_barriers)
{
    MEMORY_BARRIER(S(ALL_COMMANDS), ANY, S(COPY), A(TRANSFER_WRITE));
    DO(copy_to_buffer);
    MEMORY_BARRIER(S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ));
    DO(dispatch_read);
    MEMORY_BARRIER(S(COMPUTE_SHADER), A(SHADER_STORAGE_READ), S(ALL_COMMANDS), ANY);
}

/* Commands before the first and after the last barrier are in other submissions. */
ADVICE_SCENARIO(full_barrier_alone)
{
    DO(copy_to_buffer);
    FULL;
    DO(dispatch_read);
}

/* A draw may be in more stages than two. */
ADVICE_SCENARIO(full_barriers_around_a_draw)
{
    FULL;
    DO(rendering_clear);
    FULL;
}

/* A secondary's commands are not looked into, nor what an event orders. */
ADVICE_SCENARIO(full_barriers_and_a_secondary)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    FULL;
    vkCmdExecuteCommands(w->commands, 1, &secondary);
    FULL;
    DO(rendering_clear);
    FULL;
}
ADVICE_SCENARIO(full_barriers_and_an_event)
{
    FULL;
    DO(copy_to_buffer);
    vkCmdSetEvent(w->commands, make_event(b), VK_PIPELINE_STAGE_TRANSFER_BIT);
    FULL;
}

/* In a secondary others may come before and after. */
SCENARIO(full_barriers_in_a_secondary, ADVISED)
{
    struct world world, *w = &world;
    world_begin(b, w);
    w->commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(w->commands, &begin));
    FULL;
    DO(copy_to_buffer);
    FULL;
    FULL;
    VK(vkEndCommandBuffer(w->commands));
}

/* Version 1: stages of the command, for a program without synchronization2. */
static const VkPhysicalDeviceVulkan13Features without_2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
#define FULL1                                                                                     \
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,                            \
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,                                \
                         &(const VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,      \
                                                  .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT |   \
                                                                   VK_ACCESS_TRANSFER_WRITE_BIT,  \
                                                  .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT}, \
                         0, NULL, 0, NULL)
SCENARIO(full_barriers_version1, ADVISED_WITH(&without_2), .expect = {ALL_COMMANDS},
         .text = {"waits for VK_PIPELINE_STAGE_ALL_COMMANDS_BIT where "
                  "VK_PIPELINE_STAGE_TRANSFER_BIT would do\n",
                  "            const VkMemoryBarrier barrier = {\n"
                  "                .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,\n"
                  "                .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,\n"
                  "                .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,\n"
                  "            };\n"
                  "            vkCmdPipelineBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, "
                  "VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,\n"
                  "                                 1, &barrier, 0, NULL, 0, NULL);"})
{
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commands = make_recording(b);
    FULL1;
    vkCmdFillBuffer(commands, buffer, 0, 256, 0);
    FULL1;
    VK(vkEndCommandBuffer(commands));
}

/* Advice is not asked for. */
SCENARIO(full_barriers_without_best_practices, WORLD)
{
    struct world world, *w = &world;
    world_begin(b, w);
    FULL;
    DO(copy_to_buffer);
    FULL;
    FULL;
    VK(vkEndCommandBuffer(w->commands));
}
/* Barriers are looked at with validate_sync alone. */
SCENARIO(best_practices_without_sync, .settings = {"validate_best_practices=true"},
         .ours_only = true, .features = &world_features)
{
    struct world world, *w = &world;
    world_begin(b, w);
    FULL;
    FULL;
    VK(vkEndCommandBuffer(w->commands));
}

/* A setting of the field that does nothing here is said beside advice. */
SCENARIO(best_practices_beside_a_known_setting,
         .settings = {"validate_best_practices=true", "fine_grained_locking=false"},
         .ours_only = true, .expect = {"VALIDATION-SETTINGS"})
{
}

/* --- nothing in the first scope --- */

#define COPY_TO_COMPUTE \
    MEMORY_BARRIER(S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ))
ADVICE_SCENARIO(barrier_twice, .expect = {FIRST_SCOPE},
                .text = {" has nothing in its first scope that vkCmdPipelineBarrier2 (command ",
                         ") has not ordered already: no command since is in its source stages\n",
                         "            from VK_PIPELINE_STAGE_2_COPY_BIT with "
                         "VK_ACCESS_2_TRANSFER_WRITE_BIT\n"
                         "            to VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT with "
                         "VK_ACCESS_2_SHADER_STORAGE_READ_BIT\n",
                         "    earlier vkCmdPipelineBarrier2, command ",
                         "    advice  leave vkCmdPipelineBarrier2 (command ",
                         ") does all that it does, as it is:\n"
                         "            const VkMemoryBarrier2 barrier = {\n"
                         "                .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,\n"
                         "                .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,\n"
                         "                .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,\n"
                         "                .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,\n"
                         "                .dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT,\n"
                         "            };\n"})
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    COPY_TO_COMPUTE;
    DO(dispatch_read);
}
ADVICE_SCENARIO(barrier_again_behind_what_it_lets_wait, .expect = {FIRST_SCOPE})
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    DO(dispatch_read);
    COPY_TO_COMPUTE;
    DO(dispatch_read);
}
ADVICE_SCENARIO(buffer_barrier_behind_one_of_all_memory, .expect = {FIRST_SCOPE})
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    BUFFER_BARRIER(w->buffer, S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ),
                   VK_WHOLE_SIZE);
    DO(dispatch_read);
}
ADVICE_SCENARIO(barrier_again_behind_what_it_waits_for)
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    DO(dispatch_read);
    DO(copy_to_image);
    COPY_TO_COMPUTE;
}
/* It makes others wait, too. */
ADVICE_SCENARIO(barrier_to_another_stage)
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    MEMORY_BARRIER(S(COPY), A(TRANSFER_WRITE), S(FRAGMENT_SHADER), A(SHADER_STORAGE_READ));
}
ADVICE_SCENARIO(barrier_to_another_access)
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    MEMORY_BARRIER(S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(UNIFORM_READ));
}
/* Two in a chain: the second passes on what the first has ordered. */
ADVICE_SCENARIO(barrier_in_a_chain)
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    MEMORY_BARRIER(S(COMPUTE_SHADER), A(SHADER_STORAGE_WRITE), S(FRAGMENT_SHADER),
                   A(SHADER_STORAGE_READ));
}
/* The first command has both halves of the chain, which happen at once; the second closes it. */
ADVICE_SCENARIO(barrier_that_closes_a_chain)
{
    const VkMemoryBarrier2 both[2] = {{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                       .srcStageMask = S(COPY),
                                       .srcAccessMask = A(TRANSFER_WRITE),
                                       .dstStageMask = S(COMPUTE_SHADER),
                                       .dstAccessMask = A(SHADER_STORAGE_READ)},
                                      {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                       .srcStageMask = S(COMPUTE_SHADER),
                                       .srcAccessMask = A(SHADER_STORAGE_WRITE),
                                       .dstStageMask = S(CLEAR),
                                       .dstAccessMask = A(TRANSFER_WRITE)}};
    DO(copy_to_buffer);
    vkCmdPipelineBarrier2(w->commands,
                          &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                              .memoryBarrierCount = 2,
                                              .pMemoryBarriers = both});
    MEMORY_BARRIER(S(COMPUTE_SHADER), A(SHADER_STORAGE_WRITE), S(CLEAR), A(TRANSFER_WRITE));
    DO(fill_buffer);
}
/* Transitions are what a barrier is for. */
ADVICE_SCENARIO(transition_behind_a_barrier)
{
    FULL;
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), ANY, S(FRAGMENT_SHADER), A(SHADER_SAMPLED_READ),
                  GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}
/* A barrier's execution takes in everything, its memory one buffer. */
ADVICE_SCENARIO(barriers_of_two_buffers)
{
    DO(copy_to_buffer);
    BUFFER_BARRIER(w->other_buffer, S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER),
                   A(SHADER_STORAGE_READ), VK_WHOLE_SIZE);
    BUFFER_BARRIER(w->buffer, S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ),
                   VK_WHOLE_SIZE);
    DO(dispatch_read);
}
ADVICE_SCENARIO(barriers_of_growing_parts)
{
    DO(copy_to_buffer);
    BUFFER_BARRIER(w->buffer, S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ),
                   64);
    DO(dispatch_sample);
    BUFFER_BARRIER(w->buffer, S(COPY), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ),
                   VK_WHOLE_SIZE);
    DO(dispatch_read);
}

/* --- nothing in the second scope --- */

ADVICE_SCENARIO(barrier_in_front_of_a_wider_one,
                .expect = {SECOND_SCOPE, "SYNC-HAZARD-WRITE-AFTER-WRITE"},
                .text = {
                    " has nothing in its second scope that vkCmdPipelineBarrier2 (command ",
                    ") does not order, too: no command up to there is in its destination stages\n",
                    "    later   vkCmdPipelineBarrier2, command ",
                    ") does all that it does, as it is:\n"
                    "            const VkMemoryBarrier2 barrier = {\n"
                    "                .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,\n"
                    "                .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,\n"})
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    DO(fill_buffer);
    MEMORY_BARRIER(S(ALL_TRANSFER), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ));
    DO(dispatch_read);
}
ADVICE_SCENARIO(barrier_that_is_waited_for_in_front_of_a_wider_one)
{
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    DO(dispatch_read);
    MEMORY_BARRIER(S(ALL_TRANSFER), A(TRANSFER_WRITE), S(COMPUTE_SHADER), A(SHADER_STORAGE_READ));
    DO(dispatch_read);
}

/* --- ALL_COMMANDS, by what is done with a resource --- */

#define COLOR_LAYOUT VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
#define SAMPLED      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
#define TRANSFER_DST VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
#define TO_COLOR(src_)                                                                         \
    IMAGE_BARRIER(w->image, S(src_), 0, S(COLOR_ATTACHMENT_OUTPUT), A(COLOR_ATTACHMENT_WRITE), \
                  VK_IMAGE_LAYOUT_UNDEFINED, COLOR_LAYOUT)

static void render_in_layout(struct world *w, VkImageLayout layout)
{
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = layout;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(w->commands, &info);
    vkCmdEndRendering(w->commands);
}

ADVICE_SCENARIO(rendered_image_to_be_sampled, .expect = {ALL_COMMANDS},
                .text = {
                    "waits for VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT where "
                    "VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT would do\n",
                    "    before  nothing was done with VkImage ",
                    "            since it was overwritten in "
                    "VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, which is ordered after all "
                    "that was done with it earlier\n",
                    "    advice  this is enough for what this command buffer does with it; where "
                    "the order of other resources\n"
                    "            relies on this barrier, they need one of their own\n"
                    "            const VkImageMemoryBarrier2 barrier = {\n"
                    "                .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,\n"
                    "                .srcStageMask = "
                    "VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,\n"
                    "                .srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,\n"
                    "                .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,\n"
                    "                .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | "
                    "VK_ACCESS_2_MEMORY_WRITE_BIT,\n"
                    "                .oldLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,\n"
                    "                .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,\n",
                    "                .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, "
                    "1},\n"})
{
    TO_COLOR(COLOR_ATTACHMENT_OUTPUT);
    render_in_layout(w, COLOR_LAYOUT);
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(ALL_COMMANDS), ANY, COLOR_LAYOUT,
                  SAMPLED);
}
/* In this layout a shader may have read it in the same instance. */
ADVICE_SCENARIO(rendered_image_in_general_layout)
{
    render_in_layout(w, GENERAL);
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(ALL_COMMANDS), ANY, GENERAL,
                  SAMPLED);
}
/* One of several barriers, with masks of their own, waits for too much. */
ADVICE_SCENARIO(second_of_two_images, .expect = {ALL_COMMANDS},
                .text = {
                    "\n            barrier 2 of 2\n            from "
                    "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT with VK_ACCESS_2_MEMORY_WRITE_BIT\n",
                    "                .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,\n"
                    "                .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,\n"
                    "                .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,\n"})
{
    const VkImageMemoryBarrier2 both[2] = {
        image_barrier2_of(w->other_image, S(COPY), 0, S(FRAGMENT_SHADER), A(SHADER_SAMPLED_READ),
                          GENERAL, GENERAL),
        image_barrier2_of(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(FRAGMENT_SHADER),
                          A(SHADER_SAMPLED_READ), GENERAL, SAMPLED)};
    DO(clear_image);
    vkCmdPipelineBarrier2(w->commands,
                          &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                              .imageMemoryBarrierCount = 2,
                                              .pImageMemoryBarriers = both});
}
/* Its ownership moves: the other half decides what it orders. */
ADVICE_SCENARIO(buffer_whose_ownership_moves)
{
    VkBufferMemoryBarrier2 barrier = buffer_barrier2_of(w->buffer, S(ALL_COMMANDS), A(MEMORY_WRITE),
                                                        S(ALL_COMMANDS), 0, VK_WHOLE_SIZE);
    barrier.srcQueueFamilyIndex = b->queue_family;
    barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_EXTERNAL;
    DO(fill_buffer);
    vkCmdPipelineBarrier2(w->commands,
                          &(VkDependencyInfo){.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                              .bufferMemoryBarrierCount = 1,
                                              .pBufferMemoryBarriers = &barrier});
}
/* A shader may have read it since; what it reads is unknown. */
ADVICE_SCENARIO(image_that_was_visible_since)
{
    DO(clear_image);
    IMAGE_BARRIER(w->image, S(CLEAR), A(TRANSFER_WRITE), S(FRAGMENT_SHADER), A(SHADER_SAMPLED_READ),
                  GENERAL, GENERAL);
    DO(draw_vertices);
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(ALL_COMMANDS), ANY, GENERAL,
                  SAMPLED);
}
/* It is not known which part of it the shader has written. */
ADVICE_SCENARIO(image_that_a_shader_wrote)
{
    DO(dispatch_store);
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(ALL_COMMANDS), ANY, GENERAL,
                  SAMPLED);
}
/* The rest may have been written by an earlier submission. */
ADVICE_SCENARIO(part_of_an_image_that_was_written)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT / 2, 1}};
    vkCmdResetQueryPool(w->commands, w->queries, 0, 4);
    vkCmdCopyBufferToImage(w->commands, w->other_buffer, w->image, GENERAL, 1, &region);
    IMAGE_BARRIER(w->image, S(ALL_COMMANDS), A(MEMORY_WRITE), S(ALL_COMMANDS), ANY, GENERAL,
                  SAMPLED);
}

ADVICE_SCENARIO(image_that_is_uploaded, .expect = {ALL_COMMANDS},
                .text = {"makes VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT wait where "
                         "VK_PIPELINE_STAGE_2_CLEAR_BIT would do\n",
                         "            overwrites it in VK_PIPELINE_STAGE_2_CLEAR_BIT, which is "
                         "ordered before all that comes later\n",
                         "                .dstStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,\n"
                         "                .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,\n"
                         "                .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,\n"
                         "                .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,\n"})
{
    IMAGE_BARRIER(w->image, 0, 0, S(ALL_COMMANDS), ANY, VK_IMAGE_LAYOUT_UNDEFINED, TRANSFER_DST);
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(w->commands, w->image, TRANSFER_DST, &color, 1, &range);
}
/* The barrier between it and the write may be what lets something else read it meanwhile. */
ADVICE_SCENARIO(image_that_is_uploaded_behind_another_barrier)
{
    IMAGE_BARRIER(w->image, S(TRANSFER), 0, S(ALL_COMMANDS), ANY, GENERAL, TRANSFER_DST);
    COPY_TO_COMPUTE;
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(w->commands, w->image, TRANSFER_DST, &color, 1, &range);
}

ADVICE_SCENARIO(buffer_between_two_fills, .expect = {ALL_COMMANDS},
                .text = {"waits for VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT where "
                         "VK_PIPELINE_STAGE_2_CLEAR_BIT would do, and makes "
                         "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT wait where "
                         "VK_PIPELINE_STAGE_2_COPY_BIT would do\n",
                         "                .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,\n"
                         "                .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,\n"
                         "                .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,\n"
                         "                .dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,\n",
                         "                .offset = 0,\n"
                         "                .size = VK_WHOLE_SIZE,\n"})
{
    DO(fill_buffer);
    BUFFER_BARRIER(w->buffer, S(ALL_COMMANDS), ANY, S(ALL_COMMANDS), ANY, VK_WHOLE_SIZE);
    DO(copy_to_buffer);
}
/* A read is next: it is unknown which others there are. */
ADVICE_SCENARIO(buffer_that_is_read_next)
{
    DO(dispatch_write);
    BUFFER_BARRIER(w->buffer, S(ALL_COMMANDS), ANY, S(ALL_COMMANDS), ANY, VK_WHOLE_SIZE);
    DO(copy_from_buffer);
}

/* --- for tools --- */

static void expect_line(const char *path, const char *part)
{
    char line[16384] = "";
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(line, 1, sizeof(line) - 1, file) : 0;
    if (file)
        fclose(file);
    line[length] = '\0';
    if (!strstr(line, part))
        scenario_fail(__FILE__, __LINE__, "%s does not have %s", line, part);
}

SCENARIO(advice_in_json_lines,
         .settings = {"validate_sync=true", "validate_best_practices=true",
                      "report_flags=error,warn,perf", "json_filename=advice.jsonl"},
         .proceed = true, .ours_only = true, .features = &world_features,
         .expect = {ALL_COMMANDS, FIRST_SCOPE})
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(fill_buffer);
    BUFFER_BARRIER(w->buffer, S(ALL_COMMANDS), ANY, S(COPY), A(TRANSFER_WRITE), VK_WHOLE_SIZE);
    DO(copy_to_buffer);
    COPY_TO_COMPUTE;
    COPY_TO_COMPUTE;
    VK(vkEndCommandBuffer(w->commands));
    expect_line("advice.jsonl", "\"sync\":{\"advice\":\"ALL_COMMANDS\",\"this\":{\"command\":"
                                "\"vkCmdPipelineBarrier2\",\"index\":");
    expect_line("advice.jsonl",
                ",\"narrower\":{\"srcStages\":[\"VK_PIPELINE_STAGE_2_CLEAR_BIT\"],\"srcAccesses\":["
                "\"VK_ACCESS_2_TRANSFER_WRITE_BIT\"],\"dstStages\":[\"VK_PIPELINE_STAGE_2_COPY_"
                "BIT\"],\"dstAccesses\":[\"VK_ACCESS_2_TRANSFER_WRITE_BIT\"]},\"before\":\"nothing "
                "was done with ");
    expect_line("advice.jsonl", ",\"text\":\"this is enough for what ");
    expect_line("advice.jsonl", "\"sync\":{\"advice\":\"EMPTY_FIRST_SCOPE\",");
    expect_line("advice.jsonl", ",\"earlier\":{\"command\":\"vkCmdPipelineBarrier2\",\"index\":");
#ifdef __x86_64__ /* where stacks are walked */
    expect_line("advice.jsonl", "}]},\"earlier\":{\"command\":\"vkCmdPipelineBarrier2\",");
#endif
}
