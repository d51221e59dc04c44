/* A command has one number in all findings: how many were recorded before it (chassis/recorded.h).
 */
#include "gpu/gpu_world.h"
#include "scenario.h"

#define SYNC         .ours_only = true, .settings = {"validate_sync=true"}
#define RAW          "SYNC-HAZARD-READ-AFTER-WRITE"
#define BUFFER_USAGE (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT)

static VkBuffer buffer_of_256(struct baseline *b)
{
    return make_buffer(b, 256, BUFFER_USAGE);
}

static void fill_numbered(VkCommandBuffer commands, VkBuffer buffer)
{
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
}

/* Reads what fill_numbered() writes, and writes elsewhere. */
static void copy_numbered(VkCommandBuffer commands, VkBuffer buffer)
{
    const VkBufferCopy region = {.dstOffset = 128, .size = 64};
    vkCmdCopyBuffer(commands, buffer, buffer, 1, &region);
}

static void end_and_submit(struct baseline *b, VkCommandBuffer commands)
{
    const VkSubmitInfo submit = submit_info(&commands);
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* --- what counts --- */

/* States, labels, barriers, and a command by the name of its extension. */
SCENARIO(all_commands_count, SYNC, .proceed = true, .expect = {RAW},
         .extensions = {VK_KHR_COPY_COMMANDS_2_EXTENSION_NAME},
         .text = {"vkCmdCopyBuffer2KHR(): reads ",
                  "the write by vkCmdFillBuffer (command 3) visible to it",
                  "this    vkCmdCopyBuffer2KHR, command 8 of VkCommandBuffer",
                  "earlier vkCmdFillBuffer, command 3 of the same command buffer",
                  "before vkCmdCopyBuffer2KHR (command 8)"})
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "Frame"};
    const VkMemoryBarrier nothing = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    const VkViewport viewport = {0, 0, 64, 64, 0, 1};
    const VkBufferCopy2 region = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .dstOffset = 128, .size = 64};
    VkBuffer buffer = buffer_of_256(b);
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = buffer,
                                    .dstBuffer = buffer,
                                    .regionCount = 1,
                                    .pRegions = &region};
    VkCommandBuffer commands = make_recording(b);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(commands, &label);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetLineWidth(commands, 1);
    fill_numbered(commands, buffer);
    INSTANCE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)(commands, &label);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 1, &nothing, 0, NULL, 0, NULL);
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(commands);
    vkCmdSetDepthBias(commands, 0, 0, 0);
    DEVICE_PROC(b, vkCmdCopyBuffer2KHR)(commands, &info);
    VK(vkEndCommandBuffer(commands));
}

/* No validator that is on hooks vkCmdSetDeviceMask: the driver's own function would stand for it,
 * and count nothing. */
SCENARIO(commands_that_nobody_looks_at_count, .drivers = NULL_DRIVER, .ours_only = true,
         .proceed = true, .expect = {RAW},
         .settings = {"validate_sync=true", "validate_core=false", "check_shaders=false",
                      "unique_handles=false", "object_lifetime=false", "stateless_param=false",
                      "thread_safety=false"},
         .text = {"this    vkCmdCopyBuffer, command 4 of", "earlier vkCmdFillBuffer, command 2 of"})
{
    VkBuffer buffer = buffer_of_256(b);
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetDeviceMask(commands, 1);
    vkCmdSetDeviceMask(commands, 1);
    fill_numbered(commands, buffer);
    vkCmdSetDeviceMask(commands, 1);
    copy_numbered(commands, buffer);
    VK(vkEndCommandBuffer(commands));
}

/* --- what does not count --- */

/* Refused by a validator that comes before that of hazards. */
SCENARIO(refused_commands_do_not_count, SYNC,
         .expect = {"VUID-vkCmdFillBuffer-dstOffset-00025", RAW},
         .text = {"this    vkCmdCopyBuffer, command 2 of", "earlier vkCmdFillBuffer, command 1 of"})
{
    VkBuffer buffer = buffer_of_256(b);
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetLineWidth(commands, 1);
    vkCmdFillBuffer(commands, buffer, 1, 4, 0);
    fill_numbered(commands, buffer);
    copy_numbered(commands, buffer);
    VK(vkEndCommandBuffer(commands));
}

/* Refused for its hazard. */
SCENARIO(refused_hazards_do_not_count, SYNC, .expect = {RAW, "SYNC-HAZARD-WRITE-AFTER-WRITE"},
         .text = {"this    vkCmdCopyBuffer, command 1 of", "this    vkCmdFillBuffer, command 2 of",
                  "the write by vkCmdFillBuffer (command 0)"})
{
    VkBuffer buffer = buffer_of_256(b);
    VkCommandBuffer commands = make_recording(b);
    fill_numbered(commands, buffer);
    copy_numbered(commands, buffer);
    vkCmdSetLineWidth(commands, 1);
    fill_numbered(commands, buffer);
    VK(vkEndCommandBuffer(commands));
}

/* --- from the beginning --- */

/* However a command buffer came to be begun again. */
static void record_after_reset(struct baseline *b,
                               VkResult (*reset)(struct baseline *, VkCommandPool, VkCommandBuffer))
{
    const VkCommandBufferBeginInfo begin = begin_info();
    VkBuffer buffer = buffer_of_256(b);
    VkCommandPool pool = make_command_pool(b);
    const VkCommandBufferAllocateInfo info =
        command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer commands;
    VK(vkAllocateCommandBuffers(b->device, &info, &commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdSetLineWidth(commands, 1);
    vkCmdSetDepthBias(commands, 0, 0, 0);
    fill_numbered(commands, buffer);
    end_and_submit(b, commands);
    VK(reset(b, pool, commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    fill_numbered(commands, buffer);
    copy_numbered(commands, buffer);
    VK(vkEndCommandBuffer(commands));
}

static VkResult reset_command_buffer(struct baseline *b, VkCommandPool pool,
                                     VkCommandBuffer commands)
{
    return vkResetCommandBuffer(commands, 0);
}

static VkResult reset_pool_of(struct baseline *b, VkCommandPool pool, VkCommandBuffer commands)
{
    return vkResetCommandPool(b->device, pool, 0);
}

static VkResult reset_nothing(struct baseline *b, VkCommandPool pool, VkCommandBuffer commands)
{
    return VK_SUCCESS;
}

#define AGAIN(name_, reset_)                                                            \
    SCENARIO(name_, SYNC, .proceed = true, .expect = {RAW},                             \
             .text = {"this    vkCmdCopyBuffer, command 1 of VkCommandBuffer",          \
                      "earlier vkCmdFillBuffer, command 0 of the same command buffer"}) \
    {                                                                                   \
        record_after_reset(b, reset_);                                                  \
    }
AGAIN(begun_again_behind_a_reset, reset_command_buffer)
AGAIN(begun_again_behind_a_reset_of_the_pool, reset_pool_of)
AGAIN(begun_again, reset_nothing)

/* Secondaries have numbers of their own, and the command that executes them is one of the
 * primary's. */
SCENARIO(secondaries_count_for_themselves, SYNC, .proceed = true, .expect = {RAW},
         .text = {"this    vkCmdCopyBuffer, command 1 of VkCommandBuffer",
                  "executed by vkCmdExecuteCommands, command 4 of VkCommandBuffer",
                  "earlier vkCmdFillBuffer, command 3 of VkCommandBuffer"})
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    VkBuffer buffer = buffer_of_256(b);
    VkCommandBuffer secondaries[2], commands = make_recording(b);
    info.pInheritanceInfo = &inheritance;
    for (int i = 0; i < 2; i++) {
        secondaries[i] = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        VK(vkBeginCommandBuffer(secondaries[i], &info));
        vkCmdSetLineWidth(secondaries[i], 1);
        if (i)
            copy_numbered(secondaries[i], buffer);
        VK(vkEndCommandBuffer(secondaries[i]));
    }
    vkCmdSetLineWidth(commands, 1);
    vkCmdExecuteCommands(commands, 1, &secondaries[0]);
    vkCmdSetLineWidth(commands, 1);
    fill_numbered(commands, buffer);
    vkCmdExecuteCommands(commands, 1, &secondaries[1]);
    VK(vkEndCommandBuffer(commands));
}

/* --- what reports it --- */

/* A hazard, and the markers of a device that is lost. */
SCENARIO(breadcrumbs_and_hazards, .drivers = NULL_DRIVER, .ours_only = true, .proceed = true,
         .settings = {"validate_sync=true", "breadcrumbs=true"},
         .null_driver = "{\"loseDeviceAfter\": 1, \"markers\": 5}",
         .expect = {RAW, "ASSAY-DeviceLost"},
         .text = {"last known to be done: command 2, vkCmdFillBuffer, by ",
                  "first not known to be done: command 4, vkCmdCopyBuffer, by ",
                  "this    vkCmdCopyBuffer, command 4 of", "earlier vkCmdFillBuffer, command 2 of"})
{
    VkBuffer buffer = buffer_of_256(b);
    VkCommandBuffer commands = make_recording(b);
    const VkSubmitInfo submit = submit_info(&commands);
    vkCmdSetLineWidth(commands, 1);
    vkCmdSetDepthBias(commands, 0, 0, 0);
    fill_numbered(commands, buffer);
    vkCmdSetLineWidth(commands, 1);
    copy_numbered(commands, buffer);
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
}

/* A shader that errs, and a hazard with what it writes. What the layer records around the dispatch
 * does not count. */
SCENARIO(shaders_and_hazards,
         GPU_SETTINGS("validate_sync=true", "syncval_shader_accesses_heuristic=true"),
         .features = &gpu_features_plain, .ours_only = true,
         .expect = {"VUID-vkCmdDispatch-None-10068", "SYNC-HAZARD-WRITE-AFTER-WRITE"},
         .text = {GPU_TEXT_INDEX(6, 6), ", command 6: vkCmdDispatch.",
                  "this    vkCmdFillBuffer, command 7 of", "earlier vkCmdDispatch, command 6 of"})
{
    struct gpu g = gpu_of(b, gpu_kind_storage_buffer, gpu_stage_comp);
    gpu_make(&g);
    gpu_prepare(&g);
    gpu_begin(&g);
    vkCmdSetLineWidth(g.commands, 1);
    gpu_bind(&g);
    gpu_push(&g);
    vkCmdDispatch(g.commands, 0, 0, 0);
    g.index = GPU_LENGTH;
    gpu_push(&g);
    gpu_act(&g);
    vkCmdFillBuffer(g.commands, g.result, 0, VK_WHOLE_SIZE, 0);
    gpu_submit(&g);
}
