/* Labels (the setting mute_labels) and tags of the program silence findings. What stands within is
 * not reported, what stands outside is, and state is tracked all the same. */
#include "sync/sync_world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MISTAKE    "VUID-vkCmdSetViewport-viewportCount-arraylength"
#define USAGE      "VUID-vkCmdFillBuffer-dstBuffer-00029"
#define HAZARD     "SYNC-HAZARD-READ-AFTER-WRITE"
#define MUTE       "mute_labels=imgui*,Shadow? cascade [0-9]"
#define TAG_OBJECT 0x41535341594d5554u
#define TAG_THREAD 0x4153534159544852u

static VkDebugUtilsLabelEXT muted_label(const char *name)
{
    return (VkDebugUtilsLabelEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = name};
}

static void begin_muted_label(struct baseline *b, VkCommandBuffer commands, const char *name)
{
    VkDebugUtilsLabelEXT info = muted_label(name);
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(commands, &info);
}

static void make_viewport_mistake(VkCommandBuffer commands)
{
    VkViewport viewport = {.width = 1, .height = 1};
    vkCmdSetViewport(commands, 0, 0, &viewport);
}

/* The whole of a file of the scenario's directory. */
static const char *muted_contents(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    ENSURE(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* --- labels of a command buffer --- */

SCENARIO(label_muted, .settings = {MUTE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "imgui 7");
    make_viewport_mistake(commands);
    begin_muted_label(b, commands, "inner");
    make_viewport_mistake(commands);
    end_label(b, commands);
    make_viewport_mistake(commands);
    end_label(b, commands);
}

SCENARIO(label_muted_with_class, .settings = {MUTE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "Shadow: cascade 3");
    make_viewport_mistake(commands);
    end_label(b, commands);
}

SCENARIO(behind_the_label, .settings = {MUTE}, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "imgui");
    make_viewport_mistake(commands);
    end_label(b, commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
}

SCENARIO(other_label, .settings = {MUTE}, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "Imgui"); /* upper case */
    make_viewport_mistake(commands);
    end_label(b, commands);
}

SCENARIO(label_not_set_to_be_muted, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "imgui");
    make_viewport_mistake(commands);
    end_label(b, commands);
}

/* A label that is inserted has no end, and so nothing lies within it. */
SCENARIO(inserted_label, .settings = {MUTE}, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkDebugUtilsLabelEXT info = muted_label("imgui");
    INSTANCE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)(commands, &info);
    make_viewport_mistake(commands);
}

SCENARIO(label_of_another_command_buffer, .settings = {MUTE}, .expect = {MISTAKE},
         .ours_only = true)
{
    begin_muted_label(b, make_recording(b), "imgui");
    make_viewport_mistake(make_recording(b));
}

/* Labels end where a command buffer is begun again. */
SCENARIO(label_of_the_last_frame, .settings = {MUTE}, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkCommandBufferBeginInfo begin = begin_info();
    begin_muted_label(b, commands, "imgui");
    VK(vkEndCommandBuffer(commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    make_viewport_mistake(commands);
}

SCENARIO(marker_muted, .settings = {MUTE}, .expect = {MISTAKE}, .ours_only = true,
         .drivers = NULL_DRIVER, .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME},
         .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME})
{
    VkCommandBuffer commands = make_recording(b);
    VkDebugMarkerMarkerInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT,
                                       .pMarkerName = "imgui"};
    DEVICE_PROC(b, vkCmdDebugMarkerBeginEXT)(commands, &info);
    make_viewport_mistake(commands);
    DEVICE_PROC(b, vkCmdDebugMarkerEndEXT)(commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    make_viewport_mistake(commands);
}

/* The state that a muted call made is known afterwards: here that a query is active. */
SCENARIO(state_of_the_muted_part, .settings = {MUTE},
         .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00061"}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkQueryPool pool = make_query_pool(b);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    begin_muted_label(b, commands, "imgui");
    vkCmdBeginQuery(commands, pool, 0, 0);
    make_viewport_mistake(commands);
    end_label(b, commands);
    vkEndCommandBuffer(commands);
}

SCENARIO(state_of_the_muted_part_is_enough, .settings = {MUTE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkQueryPool pool = make_query_pool(b);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    begin_muted_label(b, commands, "imgui");
    vkCmdBeginQuery(commands, pool, 0, 0);
    make_viewport_mistake(commands);
    end_label(b, commands);
    vkCmdEndQuery(commands, pool, 0);
    VK(vkEndCommandBuffer(commands));
}

/* debug_action FAIL: a call whose finding is muted does not fail. */
SCENARIO(muted_call_does_not_fail, .settings = {MUTE, "debug_action=FAIL"}, .expect = {MISTAKE},
         .ours_only = true, .drivers = NULL_DRIVER)
{
    VkCommandBuffer commands = make_recording(b);
    begin_muted_label(b, commands, "imgui");
    make_viewport_mistake(commands);
    end_label(b, commands);
    make_viewport_mistake(commands);
}

/* --- what only a submission finds out --- */

#define LAYOUT "VUID-vkCmdDraw-None-09600"
#define QUERY  "VUID-vkCmdBeginQuery-None-00807"

static void submit_muted(struct baseline *b, VkCommandBuffer commands)
{
    VkSubmitInfo info = submit_info(&commands);
    VK(vkEndCommandBuffer(commands));
    vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

static void clear_muted(VkCommandBuffer commands, VkImage image)
{
    const VkClearColorValue color = {.float32 = {0}};
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

SCENARIO(layout_expected_in_the_label, .settings = {MUTE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    begin_muted_label(b, commands, "imgui");
    clear_muted(commands, image);
    end_label(b, commands);
    submit_muted(b, commands);
}

/* One of two images was used within the label first, the other one before it. */
SCENARIO(layout_expected_before_the_label, .settings = {MUTE}, .expect = {LAYOUT},
         .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkImage muted = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT),
            told = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    clear_muted(commands, told);
    begin_muted_label(b, commands, "imgui");
    clear_muted(commands, told);
    clear_muted(commands, muted);
    end_label(b, commands);
    submit_muted(b, commands);
    EXPECT_EQUAL(seen_count(b, LAYOUT), 1);
    EXPECT_EQUAL(seen_find(b, LAYOUT)->objects[2].objectHandle, HANDLE(told));
}

/* The layout in which the muted part leaves an image is known: the next frame finds it there. */
SCENARIO(layout_left_by_the_label, .settings = {MUTE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    begin_muted_label(b, commands, "imgui");
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    make_viewport_mistake(commands);
    end_label(b, commands);
    submit_muted(b, commands);
    commands = make_recording(b);
    clear_muted(commands, image);
    submit_muted(b, commands);
}

static void use_query(struct baseline *b, const char *name)
{
    VkCommandBuffer commands = make_recording(b);
    VkQueryPool pool = make_query_pool(b);
    begin_muted_label(b, commands, name);
    vkCmdBeginQuery(commands, pool, 0, 0);
    vkCmdEndQuery(commands, pool, 0);
    end_label(b, commands);
    submit_muted(b, commands);
}

SCENARIO(query_of_the_label, .settings = {MUTE}, .ours_only = true, .drivers = NULL_DRIVER)
{
    use_query(b, "imgui");
}

SCENARIO(query_of_another_label, .settings = {MUTE}, .expect = {QUERY}, .ours_only = true,
         .drivers = NULL_DRIVER)
{
    use_query(b, "scene");
}

/* --- labels of a queue --- */

static void submit_wrong(struct baseline *b)
{
    VkSubmitInfo submit = submit_info(NULL);
    submit.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(queue_label_muted, .settings = {MUTE}, .expect = {"VUID-VkSubmitInfo-sType-sType"},
         .ours_only = true)
{
    VkDebugUtilsLabelEXT info = muted_label("imgui");
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &info);
    submit_wrong(b);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    submit_wrong(b);
}

/* --- hazards: either side within a label --- */

#define WORLD_MUTED .settings = {MUTE, "validate_sync=true"}, .ours_only = true

static void fill_muted(struct world *w)
{
    vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
}

static void copy_muted(struct world *w)
{
    vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 1, &(VkBufferCopy){0, 0, 64});
}

static void order_muted(struct world *w)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT |
                                                      VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

SCENARIO(hazard_earlier_side_muted, WORLD_MUTED)
{
    struct world w;
    world_begin(b, &w);
    begin_muted_label(b, w.commands, "imgui");
    fill_muted(&w);
    end_label(b, w.commands);
    copy_muted(&w);
}

SCENARIO(hazard_later_side_muted, WORLD_MUTED)
{
    struct world w;
    world_begin(b, &w);
    fill_muted(&w);
    begin_muted_label(b, w.commands, "imgui");
    copy_muted(&w);
    end_label(b, w.commands);
}

SCENARIO(hazard_around_the_label, WORLD_MUTED, .expect = {HAZARD})
{
    struct world w;
    world_begin(b, &w);
    fill_muted(&w);
    begin_muted_label(b, w.commands, "imgui");
    end_label(b, w.commands);
    begin_muted_label(b, w.commands, "copies");
    copy_muted(&w);
    end_label(b, w.commands);
    EXPECT_EQUAL(seen_count(b, HAZARD), 1);
}

/* The barrier of the muted part orders what follows it. */
SCENARIO(hazard_barrier_in_the_label, WORLD_MUTED)
{
    struct world w;
    world_begin(b, &w);
    fill_muted(&w);
    begin_muted_label(b, w.commands, "imgui");
    order_muted(&w);
    make_viewport_mistake(w.commands);
    end_label(b, w.commands);
    copy_muted(&w);
}

static void submit_world(struct baseline *b, struct world *w)
{
    VkSubmitInfo submit = submit_info(&w->commands);
    VK(vkEndCommandBuffer(w->commands));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
}

static void submit_two(struct baseline *b, const char *first, const char *second)
{
    struct world w;
    world_begin(b, &w);
    begin_muted_label(b, w.commands, first);
    fill_muted(&w);
    end_label(b, w.commands);
    submit_world(b, &w);
    world_record(&w);
    begin_muted_label(b, w.commands, second);
    copy_muted(&w);
    end_label(b, w.commands);
    submit_world(b, &w);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(hazard_of_submissions, WORLD_MUTED, .expect = {HAZARD})
{
    submit_two(b, "fills", "copies");
}

SCENARIO(hazard_of_submissions_earlier_muted, WORLD_MUTED)
{
    submit_two(b, "imgui", "copies");
}

SCENARIO(hazard_of_submissions_later_muted, WORLD_MUTED)
{
    submit_two(b, "fills", "imgui");
}

/* The label was open in the queue when the earlier side was submitted. */
SCENARIO(hazard_of_submissions_queue_muted, WORLD_MUTED)
{
    VkDebugUtilsLabelEXT info = muted_label("imgui");
    struct world w;
    world_begin(b, &w);
    fill_muted(&w);
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &info);
    submit_world(b, &w);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
    world_record(&w);
    copy_muted(&w);
    submit_world(b, &w);
    VK(vkQueueWaitIdle(b->queue));
}

/* A secondary command buffer that is executed within the label. */
static void execute_fill(struct baseline *b, const char *name)
{
    struct world w;
    world_begin(b, &w);
    VkCommandBuffer primary = w.commands;
    w.commands = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inherited;
    VK(vkBeginCommandBuffer(w.commands, &begin));
    fill_muted(&w);
    VK(vkEndCommandBuffer(w.commands));
    begin_muted_label(b, primary, name);
    vkCmdExecuteCommands(primary, 1, &w.commands);
    end_label(b, primary);
    w.commands = primary;
    copy_muted(&w);
}

SCENARIO(hazard_executed_in_the_label, WORLD_MUTED)
{
    execute_fill(b, "imgui");
}

SCENARIO(hazard_executed_in_another_label, WORLD_MUTED, .expect = {HAZARD})
{
    execute_fill(b, "scene");
}

/* --- tags --- */

static void tag_object(struct baseline *b, VkObjectType type, uint64_t object, uint64_t name,
                       const char *text)
{
    const VkDebugUtilsObjectTagInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
        .objectType = type,
        .objectHandle = object,
        .tagName = name,
        .tagSize = *text ? strlen(text) : 1,
        .pTag = text};
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectTagEXT)(b->device, &info));
}

static void tag_command_buffer(struct baseline *b, VkCommandBuffer commands, const char *text)
{
    tag_object(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(commands), TAG_OBJECT, text);
}

SCENARIO(tag_of_a_command_buffer, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b), other = make_recording(b);
    tag_command_buffer(b, commands, "*");
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    make_viewport_mistake(other);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
}

SCENARIO(tag_ended, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    tag_command_buffer(b, commands, "*");
    make_viewport_mistake(commands);
    tag_command_buffer(b, commands, "");
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    make_viewport_mistake(commands);
}

SCENARIO(tag_of_ids, .expect = {USAGE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    tag_command_buffer(b, commands, "SYNC-*, VUID-vkCmdSetViewport-*");
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
}

/* An object that the finding is about, rather than the one of the call. */
SCENARIO(tag_of_a_buffer, .expect = {USAGE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkBuffer other = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    tag_object(b, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), TAG_OBJECT, "*");
    vkCmdFillBuffer(commands, buffer, 0, 64, 0);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    vkCmdFillBuffer(commands, other, 0, 64, 0);
}

SCENARIO(tag_of_a_buffer_in_a_hazard, .settings = {"validate_sync=true"}, .ours_only = true)
{
    struct world w;
    world_begin(b, &w);
    tag_object(b, VK_OBJECT_TYPE_BUFFER, HANDLE(w.buffer), TAG_OBJECT, "SYNC-HAZARD-*");
    fill_muted(&w);
    copy_muted(&w);
}

SCENARIO(tag_of_the_device, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    tag_object(b, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), TAG_OBJECT, "*");
    make_viewport_mistake(commands);
    tag_object(b, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), TAG_OBJECT, "");
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    make_viewport_mistake(commands);
}

static void *make_mistake_elsewhere(void *commands)
{
    make_viewport_mistake(commands);
    return NULL;
}

/* The thread that tags is silent, another one is not. */
SCENARIO(tag_of_a_thread, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    pthread_t thread;
    tag_object(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(commands), TAG_THREAD, "*");
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    ENSURE(pthread_create(&thread, NULL, make_mistake_elsewhere, commands) == 0);
    ENSURE(pthread_join(thread, NULL) == 0);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 1);
    tag_object(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(commands), TAG_THREAD, "");
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, MISTAKE), 2);
}

SCENARIO(tag_of_somebody_else, .expect = {MISTAKE}, .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    tag_object(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(commands), 4711, "*");
    make_viewport_mistake(commands);
}

SCENARIO(tag_that_the_user_ignores, .settings = {"mute_tags=false"}, .expect = {MISTAKE},
         .ours_only = true)
{
    VkCommandBuffer commands = make_recording(b);
    tag_command_buffer(b, commands, "*");
    make_viewport_mistake(commands);
}

SCENARIO(tag_by_debug_marker, .expect = {MISTAKE}, .ours_only = true, .drivers = NULL_DRIVER,
         .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME},
         .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME})
{
    VkCommandBuffer commands = make_recording(b);
    VkDebugMarkerObjectTagInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
        .objectType = VK_DEBUG_REPORT_OBJECT_TYPE_COMMAND_BUFFER_EXT,
        .object = HANDLE(commands),
        .tagName = TAG_OBJECT,
        .tagSize = 1,
        .pTag = "*"};
    VK(DEVICE_PROC(b, vkDebugMarkerSetObjectTagEXT)(b->device, &info));
    make_viewport_mistake(commands);
    EXPECT_EQUAL(seen_count(b, NULL), 0);
    info.pTag = "";
    VK(DEVICE_PROC(b, vkDebugMarkerSetObjectTagEXT)(b->device, &info));
    make_viewport_mistake(commands);
}

/* --- how much it was --- */

SCENARIO(muted_are_counted,
         .settings = {MUTE, "report_flags=error", "log_filename=log.txt", "json_filename=json.txt"},
         .ours_only = true, .start = START_NOTHING)
{
    VkInstance instance = make_instance(b, NULL);
    b->instance = instance;
    b->device = make_device_of(b, first_physical_device(instance));
    VkCommandPoolCreateInfo pool_info = command_pool_info(0);
    VkCommandPool pool;
    VkCommandBuffer commands;
    VK(vkCreateCommandPool(b->device, &pool_info, NULL, &pool));
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = pool,
                                            .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkAllocateCommandBuffers(b->device, &allocate, &commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    begin_muted_label(b, commands, "imgui");
    make_viewport_mistake(commands);
    make_viewport_mistake(commands);
    end_label(b, commands);
    tag_command_buffer(b, commands, "*");
    make_viewport_mistake(commands);
    vkDestroyCommandPool(b->device, pool, NULL);
    vkDestroyDevice(b->device, NULL);
    vkDestroyInstance(instance, NULL);
    b->device = VK_NULL_HANDLE;
    b->instance = VK_NULL_HANDLE;
    EXPECT(strstr(muted_contents("log.txt"),
                  "Assay info ASSAY-Muted\n  3 findings were muted: 2 by labels (mute_labels), 1 "
                  "by tags of the program (mute_tags)\n"));
    EXPECT(!strstr(muted_contents("log.txt"), MISTAKE));
    EXPECT(strstr(muted_contents("json.txt"), "\"muted\":{\"labels\":2,\"tags\":1}"));
}
