/* A device that is lost is told of once: what had not been done, and how far its commands came (the setting breadcrumbs). */
#include "scenario.h"

#include "objects.h"

#define LOST "ASSAY-DeviceLost"
#define LOST_WITH(markers_, more_)                               \
    .drivers = NULL_DRIVER, .ours_only = true, .expect = {LOST}, \
    .null_driver = "{\"loseDeviceAfter\": 1, \"markers\": " markers_ more_ "}"
#define WITHOUT_BUFFER_MARKERS ", \"extensions\": {\"VK_AMD_buffer_marker\": false}"
#define WITHOUT_BOTH \
    ", \"extensions\": {\"VK_AMD_buffer_marker\": false, \"VK_NV_device_diagnostic_checkpoints\": false}"
#define BREADCRUMBS .settings = {"breadcrumbs=true"}

static void begin_label(struct baseline *b, VkCommandBuffer commands, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(commands, &label);
}

static void end_label(struct baseline *b, VkCommandBuffer commands)
{
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(commands);
}

/* Three commands that do something; the fills are larger than a marker. */
static VkCommandBuffer record_three(struct baseline *b)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    const VkBufferCopy region = {.dstOffset = 128, .size = 64};
    begin_label(b, commands, "Frame");
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
    begin_label(b, commands, "Upload");
    vkCmdCopyBuffer(commands, buffer, buffer, 1, &region);
    end_label(b, commands);
    vkCmdFillBuffer(commands, buffer, 64, 64, 0);
    end_label(b, commands);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

static void submit_and_lose(struct baseline *b, VkCommandBuffer commands)
{
    VkSubmitInfo submit = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    EXPECT_EQUAL(vkQueueWaitIdle(b->queue), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(vkDeviceWaitIdle(b->device), VK_ERROR_DEVICE_LOST);
    EXPECT_EQUAL(seen_count(b, LOST), 1);
}

/* Two markers of 0, and two for each command: the second one has begun, and is not done. */
SCENARIO(told_by_buffer_markers, LOST_WITH("5", ""), BREADCRUMBS,
         .text = {"vkQueueWaitIdle(): the device is lost. What was not known to be done:", " of family 0\n",
                  "submission 1\n", ": 1 of 3 marked commands is known to be done, 2 had begun\n",
                  "last known to be done: command 1, vkCmdFillBuffer, in Frame, by ",
                  "first not known to be done: command 3, vkCmdCopyBuffer, in Frame > Upload, by "})
{
    submit_and_lose(b, record_three(b));
}

SCENARIO(nothing_had_begun, LOST_WITH("2", ""), BREADCRUMBS,
         .text = {": 0 of 3 marked commands are known to be done, 0 had begun\n",
                  "first not known to be done: command 1, vkCmdFillBuffer, in Frame, by "})
{
    submit_and_lose(b, record_three(b));
    expect_no_text(b, "last known to be done");
}

SCENARIO(all_commands_were_done, LOST_WITH("100", ""), BREADCRUMBS,
         .text = {": 3 of 3 marked commands are known to be done, 3 had begun\n",
                  "last known to be done: command 5, vkCmdFillBuffer, in Frame, by "})
{
    submit_and_lose(b, record_three(b));
    expect_no_text(b, "first not known");
}

/* One before the first command, and one before and one after each. */
SCENARIO(told_by_checkpoints, LOST_WITH("4", WITHOUT_BUFFER_MARKERS), BREADCRUMBS,
         .text = {": 1 of 3 marked commands is known to be done, 2 had begun\n",
                  "first not known to be done: command 3, vkCmdCopyBuffer, in Frame > Upload, by "})
{
    submit_and_lose(b, record_three(b));
}

/* Markers of our own say what was done, and not what had begun. */
SCENARIO(told_by_fills, LOST_WITH("3", WITHOUT_BOTH), BREADCRUMBS,
         .text = {": 2 of 3 marked commands are known to be done\n",
                  "last known to be done: command 3, vkCmdCopyBuffer, in Frame > Upload, by ",
                  "first not known to be done: command 5, vkCmdFillBuffer, in Frame, by "})
{
    submit_and_lose(b, record_three(b));
    expect_no_text(b, "had begun");
}

SCENARIO(told_without_breadcrumbs, LOST_WITH("0", ""),
         .text = {
             "the device is lost. Work of these queues was not known to be done; the setting breadcrumbs tells which "
             "commands were.",
             " of family 0"})
{
    submit_and_lose(b, record_three(b));
    expect_no_text(b, "VkCommandBuffer");
}

/* There is nothing to tell. */
SCENARIO(nothing_was_pending, BREADCRUMBS, .drivers = NULL_DRIVER, .ours_only = true,
         .null_driver = "{\"loseDeviceAfter\": 0}")
{
    EXPECT_EQUAL(vkDeviceWaitIdle(b->device), VK_ERROR_DEVICE_LOST);
}

/* Breadcrumbs and render passes, secondaries, labels and resets, on a driver that runs them: nothing is said. */
SCENARIO(breadcrumbs_in_a_program, BREADCRUMBS, .ours_only = true)
{
    VkCommandBuffer commands = record_three(b);
    for (uint32_t i = 0; i < 2; i++) {
        VkSubmitInfo submit = submit_info(&commands);
        VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
        VK(vkQueueWaitIdle(b->queue));
    }
}
