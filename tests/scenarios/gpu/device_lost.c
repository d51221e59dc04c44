/* A device that is lost is reported once: what had not been done, and how far its commands came
 * (the setting breadcrumbs). */
#include "scenario.h"

#include "objects.h"

#define LOST "ASSAY-DeviceLost"
#define LOST_WITH(markers_, more_)                               \
    .drivers = NULL_DRIVER, .ours_only = true, .expect = {LOST}, \
    .null_driver = "{\"loseDeviceAfter\": 1, \"markers\": " markers_ more_ "}"
#define WITHOUT_BUFFER_MARKERS ", \"extensions\": {\"VK_AMD_buffer_marker\": false}"
#define WITHOUT_BOTH                                       \
    ", \"extensions\": {\"VK_AMD_buffer_marker\": false, " \
    "\"VK_NV_device_diagnostic_checkpoints\": false}"
#define BREADCRUMBS .settings = {"breadcrumbs=true"}

static void begin_lost_label(struct baseline *b, VkCommandBuffer commands, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(commands, &label);
}

/* Three commands that do something; the fills are larger than a marker. */
static VkCommandBuffer record_three(struct baseline *b)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer buffer =
        make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    const VkBufferCopy region = {.dstOffset = 128, .size = 64};
    begin_lost_label(b, commands, "Frame");
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
    begin_lost_label(b, commands, "Upload");
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
         .text = {"vkQueueWaitIdle(): the device is lost. What was not known to be done:",
                  " of family 0\n", "submission 1\n",
                  ": 1 of 3 marked commands is known to be done, 2 had begun\n",
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

/* --- secondaries --- */

#define SIMULTANEOUS VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT
/* Several submissions. */
#define LOST_AFTER(submits_, markers_, more_)                    \
    .drivers = NULL_DRIVER, .ours_only = true, .expect = {LOST}, \
    .null_driver = "{\"loseDeviceAfter\": " submits_ ", \"markers\": " markers_ more_ "}"

static VkCommandBuffer begin_lost_secondary(struct baseline *b, VkCommandBufferUsageFlags usage,
                                            VkRenderPass render_pass)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = render_pass};
    const VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferBeginInfo info = begin_info();
    info.flags = usage;
    info.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(commands, &info));
    return commands;
}

/* Commands 1 to 3 do something, as those of record_three(). */
static VkCommandBuffer record_lost_secondary(struct baseline *b, VkCommandBufferUsageFlags usage)
{
    const VkCommandBuffer commands = begin_lost_secondary(b, usage, VK_NULL_HANDLE);
    const VkBuffer buffer =
        make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    const VkBufferCopy region = {.dstOffset = 128, .size = 64};
    begin_lost_label(b, commands, "Cascade");
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
    vkCmdCopyBuffer(commands, buffer, buffer, 1, &region);
    vkCmdFillBuffer(commands, buffer, 64, 64, 0);
    end_label(b, commands);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

/* Command 1, and 3 that executes it. */
static VkCommandBuffer execute_after_fill(struct baseline *b, VkCommandBuffer secondary)
{
    const VkCommandBuffer commands = make_recording(b);
    const VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    begin_lost_label(b, commands, "Frame");
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
    begin_lost_label(b, commands, "Shadows");
    vkCmdExecuteCommands(commands, 1, &secondary);
    end_label(b, commands);
    end_label(b, commands);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

/* Commands 0 and 1. */
static VkCommandBuffer execute_twice(struct baseline *b, VkCommandBuffer secondary)
{
    const VkCommandBuffer commands = make_recording(b);
    vkCmdExecuteCommands(commands, 1, &secondary);
    vkCmdExecuteCommands(commands, 1, &secondary);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

#define IN_SHADOWS                                                                          \
    "first not known to be done: command 3, vkCmdExecuteCommands, in Frame > Shadows, by ", \
        "command 3 executes VkCommandBuffer 0x",                                            \
        " (its pCommandBuffers[0]): 1 of 3 marked commands is known to be done"
#define IN_CASCADE                                                        \
    "last known to be done: command 1, vkCmdFillBuffer, in Cascade, by ", \
        "first not known to be done: command 2, vkCmdCopyBuffer, in Cascade, by "

/* The primary's first command takes four markers. The next has begun, and the secondary's words are
 * set: five. The secondary has its own two of 0, then one for each begin and end. */
SCENARIO(secondary_by_buffer_markers, LOST_WITH("14", ""), BREADCRUMBS,
         .text = {": 1 of 2 marked commands is known to be done, 2 had begun\n",
                  IN_SHADOWS ", 2 had begun\n", IN_CASCADE})
{
    submit_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
    expect_no_text(b, "executions");
}

SCENARIO(secondary_by_checkpoints, LOST_WITH("8", WITHOUT_BUFFER_MARKERS), BREADCRUMBS,
         .text = {": 1 of 2 marked commands is known to be done, 2 had begun\n",
                  IN_SHADOWS ", 2 had begun\n", IN_CASCADE})
{
    submit_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
}

SCENARIO(secondary_by_fills, LOST_WITH("6", WITHOUT_BOTH), BREADCRUMBS,
         .text = {": 1 of 2 marked commands is known to be done\n", IN_SHADOWS "\n", IN_CASCADE})
{
    submit_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
    expect_no_text(b, "had begun");
}

SCENARIO(secondary_had_not_begun, LOST_WITH("5", ""), BREADCRUMBS,
         .text = {"command 3 executes VkCommandBuffer 0x",
                  ": 0 of 3 marked commands are known to be done, 0 had begun\n"})
{
    submit_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
}

SCENARIO(secondary_was_done, LOST_WITH("100", ""), BREADCRUMBS,
         .text = {": 2 of 2 marked commands are known to be done, 2 had begun\n"})
{
    submit_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
    expect_no_text(b, " executes ");
}

/* The marks of the first execution are not taken for the second one's. */
SCENARIO(second_execution_had_not_begun, LOST_WITH("17", ""), BREADCRUMBS,
         .text = {": 1 of 2 marked commands is known to be done, 2 had begun\n",
                  "command 1 executes VkCommandBuffer 0x",
                  ": 0 of 3 marked commands are known to be done, 0 had begun\n"})
{
    submit_and_lose(b, execute_twice(b, record_lost_secondary(b, SIMULTANEOUS)));
    expect_no_text(b, "executions");
    expect_no_text(b, "command 0 executes");
}
SCENARIO(second_execution_had_begun, LOST_WITH("26", ""), BREADCRUMBS,
         .text = {"command 1 executes VkCommandBuffer 0x",
                  ": 1 of 3 marked commands is known to be done, 2 had begun\n"})
{
    submit_and_lose(b, execute_twice(b, record_lost_secondary(b, SIMULTANEOUS)));
    expect_no_text(b, "executions");
}
SCENARIO(second_execution_by_fills, LOST_WITH("12", WITHOUT_BOTH), BREADCRUMBS,
         .text = {"command 1 executes VkCommandBuffer 0x",
                  ": 1 of 3 marked commands is known to be done\n"})
{
    submit_and_lose(b, execute_twice(b, record_lost_secondary(b, SIMULTANEOUS)));
    expect_no_text(b, "executions");
}

/* Both at once: the second one begins while the first one ends. */
SCENARIO(executions_overlap, LOST_WITH("13", ", \"markersAhead\": 6"), BREADCRUMBS,
         .text = {": 0 of 2 marked commands are known to be done, 2 had begun\n",
                  "command 0 executes VkCommandBuffer 0x",
                  ": 2 of 3 marked commands are known to be done, 3 had begun\n",
                  "command 1 executes VkCommandBuffer 0x",
                  ": 0 of 3 marked commands are known to be done, 1 had begun\n"})
{
    submit_and_lose(b, execute_twice(b, record_lost_secondary(b, SIMULTANEOUS)));
    expect_no_text(b, "executions");
}

/* Checkpoints say the secondary and not the execution. */
SCENARIO(one_of_two_executions, LOST_WITH("15", WITHOUT_BUFFER_MARKERS), BREADCRUMBS,
         .text = {": 0 of 2 marked commands are known to be done, 1 had begun\n",
                  "command 0 executes VkCommandBuffer 0x",
                  ": 1 of 3 marked commands is known to be done, 2 had begun, in one of its 2 "
                  "executions\n"})
{
    submit_and_lose(b, execute_twice(b, record_lost_secondary(b, SIMULTANEOUS)));
}

/* One command that executes it twice: the layer can write nothing in between. */
SCENARIO(one_command_executes_it_twice, LOST_WITH("11", ""), BREADCRUMBS,
         .text = {" (its pCommandBuffers[0]): 1 of 3 marked commands is known to be done, 1 had "
                  "begun, in one of its 2 executions\n"})
{
    const VkCommandBuffer secondary = record_lost_secondary(b, SIMULTANEOUS),
                          commands = make_recording(b);
    vkCmdExecuteCommands(commands, 2, (const VkCommandBuffer[]){secondary, secondary});
    VK(vkEndCommandBuffer(commands));
    submit_and_lose(b, commands);
}

/* Two primaries execute it, and neither is known to be done. */
SCENARIO(two_primaries_execute_it, LOST_AFTER("2", "30", ""), BREADCRUMBS,
         .text = {": 2 of 2 marked commands are known to be done, 2 had begun\n", "submission 2\n",
                  ": 0 of 3 marked commands are known to be done, 1 had begun\n"})
{
    const VkCommandBuffer secondary = record_lost_secondary(b, SIMULTANEOUS);
    const VkCommandBuffer first = execute_after_fill(b, secondary),
                          second = execute_after_fill(b, secondary);
    VkSubmitInfo submit = submit_info(&first);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    submit_and_lose(b, second);
    expect_no_text(b, "executions");
}

/* Where secondaries have the contents of a render pass, the primary writes nothing: they say how
 * far it came. */
static VkCommandBuffer record_clears(struct baseline *b, VkRenderPass render_pass, uint32_t count)
{
    const VkCommandBuffer commands =
        begin_lost_secondary(b, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, render_pass);
    const VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {.rect.extent = {1, 1}, .layerCount = 1};
    for (uint32_t i = 0; i < count; i++)
        vkCmdClearAttachments(commands, 1, &attachment, 1, &rect);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

static VkCommandBuffer record_pass(struct baseline *b)
{
    const VkCommandBuffer commands = make_recording(b);
    const VkRenderPass render_pass = make_render_pass(b);
    const VkFramebuffer framebuffer = make_framebuffer(b, render_pass, make_image_view(b));
    const VkRenderPassBeginInfo begin = render_pass_begin_info(render_pass, framebuffer);
    const VkCommandBuffer secondaries[] = {record_clears(b, render_pass, 1),
                                           record_clears(b, render_pass, 2)};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(commands, 2, secondaries);
    vkCmdEndRenderPass(commands);
    VK(vkEndCommandBuffer(commands));
    return commands;
}

SCENARIO(secondary_in_a_render_pass, LOST_WITH("10", ""), BREADCRUMBS,
         .text = {": 1 of 3 marked commands is known to be done, 2 had begun\n",
                  "last known to be done: command 0, vkCmdBeginRenderPass, by ",
                  "first not known to be done: command 1, vkCmdExecuteCommands, by ",
                  "command 1 executes VkCommandBuffer 0x",
                  " (its pCommandBuffers[1]): 0 of 2 marked commands are known to be done, 1 had "
                  "begun\n",
                  "first not known to be done: command 0, vkCmdClearAttachments, by "})
{
    submit_and_lose(b, record_pass(b));
    expect_no_text(b, "pCommandBuffers[0]");
}
SCENARIO(secondaries_of_a_render_pass_were_done, LOST_WITH("13", ""), BREADCRUMBS,
         .text = {": 2 of 3 marked commands are known to be done, 2 had begun\n",
                  "first not known to be done: command 2, vkCmdEndRenderPass, by "})
{
    submit_and_lose(b, record_pass(b));
    expect_no_text(b, " executes ");
}

static const VkPhysicalDeviceNestedCommandBufferFeaturesEXT nested = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NESTED_COMMAND_BUFFER_FEATURES_EXT,
    .nestedCommandBuffer = VK_TRUE,
    .nestedCommandBufferSimultaneousUse = VK_TRUE};

SCENARIO(secondary_in_a_secondary, LOST_WITH("19", ""), BREADCRUMBS, .features = &nested,
         .extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME},
         .text = {": 0 of 1 marked commands are known to be done, 1 had begun\n",
                  "command 0 executes VkCommandBuffer 0x",
                  ": 1 of 3 marked commands is known to be done, 2 had begun\n", IN_CASCADE})
{
    const VkCommandBuffer inner = record_lost_secondary(b, 0),
                          outer = begin_lost_secondary(b, 0, VK_NULL_HANDLE);
    const VkCommandBuffer commands = make_recording(b);
    vkCmdExecuteCommands(outer, 1, &inner);
    VK(vkEndCommandBuffer(outer));
    vkCmdExecuteCommands(commands, 1, &outer);
    VK(vkEndCommandBuffer(commands));
    submit_and_lose(b, commands);
}

/* The outer one is executed twice: its tokens do not say which time the inner one wrote. */
SCENARIO(secondary_in_one_executed_twice, LOST_WITH("19", ""), BREADCRUMBS, .features = &nested,
         .extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME},
         .text = {"command 0 executes VkCommandBuffer 0x",
                  ": 1 of 3 marked commands is known to be done, 2 had begun, in one of its 2 "
                  "executions\n"})
{
    const VkCommandBuffer inner = record_lost_secondary(b, SIMULTANEOUS);
    const VkCommandBuffer outer = begin_lost_secondary(b, SIMULTANEOUS, VK_NULL_HANDLE);
    vkCmdExecuteCommands(outer, 1, &inner);
    VK(vkEndCommandBuffer(outer));
    submit_and_lose(b, execute_twice(b, outer));
}

/* More executions than are counted: nothing is said to be certain. */
SCENARIO(more_executions_than_are_counted, LOST_WITH("19", ""), BREADCRUMBS, .features = &nested,
         .extensions = {VK_EXT_NESTED_COMMAND_BUFFER_EXTENSION_NAME}, .text = {", in one of its "})
{
    VkCommandBuffer inner = record_lost_secondary(b, SIMULTANEOUS), many[64];
    for (int depth = 0; depth < 3; depth++) {
        for (uint32_t i = 0; i < 64; i++)
            many[i] = inner;
        inner = begin_lost_secondary(b, SIMULTANEOUS, VK_NULL_HANDLE);
        vkCmdExecuteCommands(inner, 64, many);
        VK(vkEndCommandBuffer(inner));
    }
    const VkCommandBuffer commands = make_recording(b);
    vkCmdExecuteCommands(commands, 1, &inner);
    VK(vkEndCommandBuffer(commands));
    submit_and_lose(b, commands);
}

/* --- what an earlier execution has left --- */

static void submit_twice_and_lose(struct baseline *b, VkCommandBuffer commands)
{
    VkSubmitInfo submit = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    submit_and_lose(b, commands);
}

/* All markers of the first submission, and none of the second. */
SCENARIO(submitted_again_by_buffer_markers, LOST_AFTER("2", "8", ""), BREADCRUMBS,
         .text = {": 0 of 3 marked commands are known to be done, 0 had begun\n"})
{
    submit_twice_and_lose(b, record_three(b));
    expect_no_text(b, "last known to be done");
}
/* One of the second. */
SCENARIO(submitted_again_by_checkpoints, LOST_AFTER("2", "8", WITHOUT_BUFFER_MARKERS), BREADCRUMBS,
         .text = {": 0 of 3 marked commands are known to be done, 1 had begun\n"})
{
    submit_twice_and_lose(b, record_three(b));
    expect_no_text(b, "last known to be done");
}
SCENARIO(secondary_submitted_again, LOST_AFTER("2", "23", ""), BREADCRUMBS,
         .text = {"command 3 executes VkCommandBuffer 0x",
                  ": 0 of 3 marked commands are known to be done, 0 had begun\n"})
{
    submit_twice_and_lose(b, execute_after_fill(b, record_lost_secondary(b, 0)));
}

/* Two submissions of it are pending. */
SCENARIO(submitted_while_pending, LOST_AFTER("2", "13", ""), BREADCRUMBS,
         .text = {": 1 of 3 marked commands is known to be done, 2 had begun, in one of its 2 "
                  "executions\n"})
{
    VkCommandBuffer commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    const VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBufferBeginInfo info = begin_info();
    info.flags = SIMULTANEOUS;
    VK(vkBeginCommandBuffer(commands, &info));
    for (uint32_t i = 0; i < 3; i++)
        vkCmdFillBuffer(commands, buffer, i * 64, 64, 0);
    VK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit = submit_info(&commands);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    submit_and_lose(b, commands);
}

SCENARIO(told_without_breadcrumbs, LOST_WITH("0", ""),
         .text = {"the device is lost. Work of these queues was not known to be done; the setting "
                  "breadcrumbs tells which commands were.",
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

/* Breadcrumbs and render passes, secondaries, labels and resets, on a driver that runs them:
 * nothing is said. */
SCENARIO(breadcrumbs_in_a_program, BREADCRUMBS, .ours_only = true)
{
    const VkCommandBuffer secondary = record_lost_secondary(b, SIMULTANEOUS);
    VkCommandBuffer commands[] = {record_three(b), execute_after_fill(b, secondary),
                                  execute_twice(b, secondary), record_pass(b)};
    for (uint32_t i = 0; i < 8; i++) {
        VkSubmitInfo submit = submit_info(&commands[i % 4]);
        VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
        VK(vkQueueWaitIdle(b->queue));
    }
}
