/* Hazards with barriers that are not enough, chains of them, events, layout transitions,
 * secondaries. */
#include <string.h>

#include "sync/sync_world.h"

static void record_global_barrier(struct world *w, VkPipelineStageFlags src, VkAccessFlags from,
                                  VkPipelineStageFlags dst, VkAccessFlags to)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdPipelineBarrier(w->commands, src, dst, 0, 1, &barrier, 0, NULL, 0, NULL);
}
#define GLOBAL(src_, from_, dst_, to_)                                          \
    record_global_barrier(w, VK_PIPELINE_STAGE_##src_##_BIT, VK_ACCESS_##from_, \
                          VK_PIPELINE_STAGE_##dst_##_BIT, VK_ACCESS_##to_)
#define SEQUENCE(name_, statements_, ...) \
    SCENARIO(name_, WORLD, ##__VA_ARGS__) \
    {                                     \
        struct world world, *w = &world;  \
        world_begin(b, w);                \
        statements_;                      \
    }
#define DO(which_)           operation_##which_.record(w)
#define RAW(first_, second_) .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAW(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAR(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT(first_, second_)

/* --- what tools get --- */

static void expect_in_file(const char *path, const char *part)
{
    char text[16384] = "";
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
    if (file)
        fclose(file);
    text[length] = '\0';
    if (!strstr(text, part))
        scenario_fail(__FILE__, __LINE__, "%s does not have %s", text, part);
}

#define JSON_OF(kind_)                                                                \
    .settings = {"validate_sync=true", "json_filename=found.jsonl"}, .proceed = true, \
    .ours_only = true, .features = &world_features, .expect = {"SYNC-HAZARD-" kind_}

static VkBufferMemoryBarrier of_buffer(VkBuffer buffer, VkAccessFlags from, VkAccessFlags to)
{
    return (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcAccessMask = from,
                                   .dstAccessMask = to,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .buffer = buffer,
                                   .size = VK_WHOLE_SIZE};
}

/* Each barrier between the two with its resource and its caller; a barrier of all memory has no
 * resource. */
SCENARIO(barriers_in_json, JSON_OF("READ-AFTER-WRITE"))
{
    struct world world, *w = &world;
    char resource[128];
    world_begin(b, w);
    DO(fill_buffer);
    GLOBAL(COMPUTE_SHADER, SHADER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    const VkBufferMemoryBarrier barrier =
        of_buffer(w->buffer, VK_ACCESS_SHADER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier, 0, NULL);
    DO(copy_from_buffer);
    VK(vkEndCommandBuffer(w->commands));
    (void)snprintf(resource, sizeof(resource),
                   "],\"resource\":{\"type\":\"VkBuffer\",\"handle\":\"0x%llx\"},\"caller\":{"
                   "\"module\":\"",
                   (unsigned long long)(uintptr_t)w->buffer);
    expect_in_file("found.jsonl", "\"VK_ACCESS_2_TRANSFER_READ_BIT\"],\"allMemory\":true,"
                                  "\"caller\":{\"module\":\"");
    expect_in_file("found.jsonl", resource);
}

/* A command with barriers of several resources: the nearest one's is shown, and how many there are.
 */
static void expect_resource(const char *type, unsigned long long handle, unsigned count)
{
    char part[256];
    (void)
        snprintf(part, sizeof(part),
                 "\"command\":\"vkCmdPipelineBarrier\",\"index\":4,\"barrierCount\":%u,\"fault\":",
                 count);
    expect_in_file("found.jsonl", part);
    (void)
        snprintf(part, sizeof(part),
                 "],\"resource\":{\"type\":\"%s\",\"handle\":\"0x%llx\"},\"caller\":{\"module\":\"",
                 type, handle);
    expect_in_file("found.jsonl", part);
}
#define EXPECT_RESOURCE(type_, handle_, count_) \
    expect_resource(type_, (unsigned long long)(uintptr_t)(handle_), count_)

/* The first one is for another buffer, the second one makes nothing available. */
static void two_buffers(struct world *w)
{
    const VkBufferMemoryBarrier barriers[] = {
        of_buffer(w->other_buffer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT),
        of_buffer(w->buffer, VK_ACCESS_TRANSFER_READ_BIT, VK_ACCESS_TRANSFER_READ_BIT),
    };
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 2, barriers, 0, NULL);
}

SCENARIO(nearest_of_several_buffers_in_json, JSON_OF("READ-AFTER-WRITE"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(fill_buffer);
    two_buffers(w);
    DO(copy_from_buffer);
    VK(vkEndCommandBuffer(w->commands));
    EXPECT_RESOURCE("VkBuffer", w->buffer, 2);
}

/* None of them is for what is accessed: the first one. */
SCENARIO(other_resources_in_json, JSON_OF("READ-AFTER-WRITE"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(fill_buffer);
    const VkBufferMemoryBarrier barrier =
        of_buffer(w->other_buffer, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    const VkImageMemoryBarrier images[] = {
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL),
        image_barrier(w->other_image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL),
    };
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier, 2, images);
    DO(copy_from_buffer);
    VK(vkEndCommandBuffer(w->commands));
    EXPECT_RESOURCE("VkBuffer", w->other_buffer, 3);
}

/* Before a write that follows a read, the execution dependency of any resource's barrier counts:
 * its resource is named. */
SCENARIO(execution_of_a_resource_in_json, JSON_OF("WRITE-AFTER-READ"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(copy_from_buffer);
    const VkImageMemoryBarrier images[] = {
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL),
        image_barrier(w->other_image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL),
    };
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 2, images);
    DO(fill_buffer);
    VK(vkEndCommandBuffer(w->commands));
    EXPECT_RESOURCE("VkImage", w->image, 2);
}

/* --- masks --- */

SEQUENCE(version1_barrier, {
    DO(fill_buffer);
    GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    DO(copy_from_buffer);
})
SEQUENCE(
    barriers_of_another_buffer_and_access,
    {
        DO(fill_buffer);
        two_buffers(w);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    barrier_of_another_stage,
    {
        DO(fill_buffer);
        GLOBAL(COMPUTE_SHADER, SHADER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    barrier_to_another_stage,
    {
        DO(fill_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, COMPUTE_SHADER, SHADER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    barrier_of_another_access,
    {
        DO(dispatch_write);
        GLOBAL(COMPUTE_SHADER, SHADER_READ_BIT, TRANSFER, TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdDispatch", "vkCmdCopyBuffer"))
SEQUENCE(
    barrier_to_another_access,
    {
        DO(fill_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, COMPUTE_SHADER, SHADER_READ_BIT);
        DO(dispatch_uniform);
    },
    RAW("vkCmdFillBuffer", "vkCmdDispatch"))
SEQUENCE(barrier_of_everything, {
    DO(fill_buffer);
    GLOBAL(ALL_COMMANDS, MEMORY_WRITE_BIT, ALL_COMMANDS, MEMORY_READ_BIT);
    DO(copy_from_buffer);
})
SEQUENCE(
    bottom_of_pipe_is_no_memory_dependency,
    {
        DO(fill_buffer);
        GLOBAL(BOTTOM_OF_PIPE, NONE, TRANSFER, TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    top_of_pipe_as_a_source,
    {
        DO(copy_from_buffer);
        GLOBAL(TOP_OF_PIPE, NONE, TRANSFER, TRANSFER_WRITE_BIT);
        DO(fill_buffer);
    },
    WAR("vkCmdCopyBuffer", "vkCmdFillBuffer"))
SEQUENCE(
    barrier_after_the_fact,
    {
        DO(fill_buffer);
        DO(copy_from_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(earlier_graphics_stage_as_a_source, {
    DO(draw_sample);
    GLOBAL(FRAGMENT_SHADER, NONE, TRANSFER, TRANSFER_WRITE_BIT);
    DO(clear_image);
})
SEQUENCE(later_graphics_stage_as_a_source, {
    DO(draw_sample);
    GLOBAL(COLOR_ATTACHMENT_OUTPUT, NONE, TRANSFER, TRANSFER_WRITE_BIT);
    DO(clear_image);
})
SEQUENCE(
    vertex_stage_as_a_source_of_a_fragment_read,
    {
        DO(draw_sample);
        GLOBAL(VERTEX_SHADER, NONE, TRANSFER, TRANSFER_WRITE_BIT);
        DO(clear_image);
    },
    WAR("vkCmdDraw", "vkCmdClearColorImage"))

/* --- chains --- */

SEQUENCE(chain_of_two_barriers, {
    DO(fill_buffer);
    GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, COMPUTE_SHADER, SHADER_READ_BIT);
    GLOBAL(COMPUTE_SHADER, SHADER_READ_BIT, TRANSFER, TRANSFER_READ_BIT);
    DO(copy_from_buffer);
})
SEQUENCE(
    broken_chain,
    {
        DO(fill_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, COMPUTE_SHADER, SHADER_READ_BIT);
        GLOBAL(VERTEX_SHADER, SHADER_READ_BIT, TRANSFER, TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(chain_of_executions, {
    DO(copy_from_buffer);
    GLOBAL(TRANSFER, NONE, COMPUTE_SHADER, NONE);
    GLOBAL(COMPUTE_SHADER, NONE, TRANSFER, NONE);
    DO(fill_buffer);
})
SEQUENCE(write_after_a_read_that_saw_the_write, {
    DO(fill_buffer);
    GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    DO(copy_from_buffer);
    GLOBAL(TRANSFER, NONE, TRANSFER, NONE);
    DO(fill_buffer);
})
SEQUENCE(
    two_reads_of_which_one_is_done,
    {
        DO(dispatch_read);
        DO(copy_from_buffer);
        GLOBAL(COMPUTE_SHADER, NONE, TRANSFER, NONE);
        DO(fill_buffer);
    },
    WAR("vkCmdCopyBuffer", "vkCmdFillBuffer"))
SEQUENCE(two_reads_that_are_done, {
    DO(dispatch_read);
    DO(copy_from_buffer);
    GLOBAL(COMPUTE_SHADER, NONE, TRANSFER, NONE);
    GLOBAL(TRANSFER, NONE, TRANSFER, NONE);
    DO(fill_buffer);
})
SEQUENCE(
    execution_dependency_of_another_resource,
    {
        DO(copy_from_buffer);
        world_resource_barrier(w, &operation_read_image, &operation_write_image);
        DO(fill_buffer);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT("vkCmdCopyBuffer", "vkCmdFillBuffer"))
SEQUENCE(execution_dependency_of_an_image_barrier, {
    DO(copy_from_buffer);
    world_resource_barrier(w, &operation_read_image, &operation_fill_buffer);
    DO(fill_buffer);
})

/* --- layout transitions --- */

static void transition_between(struct world *w, VkPipelineStageFlags src, VkAccessFlags from,
                               VkPipelineStageFlags dst, VkAccessFlags to)
{
    VkImageMemoryBarrier barrier =
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    barrier.srcAccessMask = from;
    barrier.dstAccessMask = to;
    vkCmdPipelineBarrier(w->commands, src, dst, 0, 0, NULL, 0, NULL, 1, &barrier);
}
#define TRANSITION(src_, from_, dst_, to_)                                   \
    transition_between(w, VK_PIPELINE_STAGE_##src_##_BIT, VK_ACCESS_##from_, \
                       VK_PIPELINE_STAGE_##dst_##_BIT, VK_ACCESS_##to_)

static void read_optimal(struct world *w)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(w->commands, w->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           w->other_buffer, 1, &region);
}

SEQUENCE(transition_after_a_write, {
    DO(clear_image);
    TRANSITION(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    read_optimal(w);
})
SEQUENCE(
    transition_too_early_after_a_write,
    {
        DO(clear_image);
        TRANSITION(TOP_OF_PIPE, NONE, TRANSFER, TRANSFER_READ_BIT);
    },
    WAW("vkCmdClearColorImage", "vkCmdPipelineBarrier"))
SEQUENCE(
    transition_of_what_is_not_available,
    {
        DO(clear_image);
        TRANSITION(TRANSFER, NONE, TRANSFER, TRANSFER_READ_BIT);
    },
    WAW("vkCmdClearColorImage", "vkCmdPipelineBarrier"))
SEQUENCE(
    transition_too_early_after_a_read,
    {
        DO(dispatch_sample);
        TRANSITION(TRANSFER, NONE, TRANSFER, TRANSFER_READ_BIT);
    },
    WAR("vkCmdDispatch", "vkCmdPipelineBarrier"))
SEQUENCE(transition_after_a_read, {
    DO(dispatch_sample);
    TRANSITION(COMPUTE_SHADER, NONE, TRANSFER, TRANSFER_READ_BIT);
    read_optimal(w);
})
SEQUENCE(
    read_too_early_after_a_transition,
    {
        DO(clear_image);
        TRANSITION(TRANSFER, TRANSFER_WRITE_BIT, COMPUTE_SHADER, SHADER_READ_BIT);
        read_optimal(w);
    },
    RAW("vkCmdPipelineBarrier", "vkCmdCopyImageToBuffer"))
SEQUENCE(
    transition_of_no_access,
    {
        DO(clear_image);
        TRANSITION(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, NONE);
        read_optimal(w);
    },
    RAW("vkCmdPipelineBarrier", "vkCmdCopyImageToBuffer"))

/* --- events --- */

static VkEvent set_event_of(struct world *w, VkPipelineStageFlags stages)
{
    VkEvent event = make_event(w->b);
    vkCmdSetEvent(w->commands, event, stages);
    return event;
}

static void wait_event(struct world *w, VkEvent event, VkPipelineStageFlags src, VkAccessFlags from,
                       VkPipelineStageFlags dst, VkAccessFlags to)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = from, .dstAccessMask = to};
    vkCmdWaitEvents(w->commands, 1, &event, src, dst, 1, &barrier, 0, NULL, 0, NULL);
}
#define TRANSFER_STAGE VK_PIPELINE_STAGE_TRANSFER_BIT

SEQUENCE(event_between, {
    DO(fill_buffer);
    VkEvent event = set_event_of(w, TRANSFER_STAGE);
    wait_event(w, event, TRANSFER_STAGE, VK_ACCESS_TRANSFER_WRITE_BIT, TRANSFER_STAGE,
               VK_ACCESS_TRANSFER_READ_BIT);
    DO(copy_from_buffer);
})
SEQUENCE(
    event_set_too_early,
    {
        VkEvent event = set_event_of(w, TRANSFER_STAGE);
        DO(fill_buffer);
        wait_event(w, event, TRANSFER_STAGE, VK_ACCESS_TRANSFER_WRITE_BIT, TRANSFER_STAGE,
                   VK_ACCESS_TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    event_not_waited_for,
    {
        DO(fill_buffer);
        set_event_of(w, TRANSFER_STAGE);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    event_of_another_stage,
    {
        DO(dispatch_write);
        VkEvent event = set_event_of(w, TRANSFER_STAGE);
        wait_event(w, event, TRANSFER_STAGE, VK_ACCESS_TRANSFER_WRITE_BIT, TRANSFER_STAGE,
                   VK_ACCESS_TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    },
    RAW("vkCmdDispatch", "vkCmdCopyBuffer"))
SEQUENCE(
    event_without_memory_dependency,
    {
        DO(fill_buffer);
        VkEvent event = set_event_of(w, TRANSFER_STAGE);
        wait_event(w, event, TRANSFER_STAGE, 0, TRANSFER_STAGE, 0);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(event_after_a_read, {
    DO(copy_from_buffer);
    VkEvent event = set_event_of(w, TRANSFER_STAGE);
    wait_event(w, event, TRANSFER_STAGE, 0, TRANSFER_STAGE, 0);
    DO(fill_buffer);
})
SEQUENCE(
    write_between_set_and_wait,
    {
        DO(copy_from_buffer);
        VkEvent event = set_event_of(w, TRANSFER_STAGE);
        DO(dispatch_sample);
        wait_event(w, event, TRANSFER_STAGE, 0, TRANSFER_STAGE, 0);
        DO(clear_image);
    },
    WAR("vkCmdDispatch", "vkCmdClearColorImage"))

/* A wait for many events, of which only the last one is set after the write. */
static void wait_for_many(struct world *w)
{
    enum { MANY = 70 };
    VkEvent events[MANY];
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
    for (unsigned i = 0; i < MANY; i++) {
        if (i == MANY - 1)
            DO(fill_buffer);
        events[i] = set_event_of(w, TRANSFER_STAGE);
    }
    vkCmdWaitEvents(w->commands, MANY, events, TRANSFER_STAGE, TRANSFER_STAGE, 1, &barrier, 0, NULL,
                    0, NULL);
}
SEQUENCE(many_events, {
    wait_for_many(w);
    DO(copy_from_buffer);
})

static void signal_event2(struct world *w, bool wait)
{
    VkEvent event = make_event(w->b);
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdSetEvent2(w->commands, event, &info);
    if (wait)
        vkCmdWaitEvents2(w->commands, 1, &event, &info);
}
SEQUENCE(event2_between, {
    DO(fill_buffer);
    signal_event2(w, true);
    DO(copy_from_buffer);
})
SEQUENCE(
    event2_of_another_stage,
    {
        DO(copy_to_buffer);
        signal_event2(w, true);
        DO(copy2_from_buffer);
    },
    RAW("vkCmdCopyBuffer", "vkCmdCopyBuffer2"))
SEQUENCE(
    event2_not_waited_for,
    {
        DO(fill_buffer);
        signal_event2(w, false);
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))

/* --- secondaries --- */

/* The commands in between go to a secondary, which is then executed. */
static VkCommandBuffer begin_secondary_in(struct world *w)
{
    VkCommandBuffer primary = w->commands;
    static const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    w->commands = make_command_buffer(w->b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(w->commands, &info));
    return primary;
}

static void execute_in_primary(struct world *w, VkCommandBuffer primary)
{
    VkCommandBuffer secondary = w->commands;
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(primary, 1, &secondary);
    w->commands = primary;
}
#define SECONDARY(...)                                    \
    do {                                                  \
        VkCommandBuffer primary_ = begin_secondary_in(w); \
        __VA_ARGS__;                                      \
        execute_in_primary(w, primary_);                  \
    } while (0)

SEQUENCE(
    secondary_after_a_write,
    {
        DO(fill_buffer);
        SECONDARY(DO(copy_from_buffer));
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {"vkCmdExecuteCommands(): ", "by vkCmdFillBuffer (command "})
SEQUENCE(secondary_after_a_barrier, {
    DO(fill_buffer);
    GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    SECONDARY(DO(copy_from_buffer));
})
SEQUENCE(secondary_with_a_barrier, {
    DO(fill_buffer);
    SECONDARY({
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
        DO(copy_from_buffer);
    });
})
SEQUENCE(
    secondary_that_writes,
    {
        SECONDARY(DO(fill_buffer));
        DO(copy_from_buffer);
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(barrier_after_a_secondary, {
    SECONDARY(DO(fill_buffer));
    GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    DO(copy_from_buffer);
})
SEQUENCE(barrier_at_the_end_of_a_secondary, {
    SECONDARY({
        DO(fill_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_READ_BIT);
    });
    DO(copy_from_buffer);
})
SEQUENCE(
    two_secondaries,
    {
        SECONDARY(DO(fill_buffer));
        SECONDARY(DO(copy_from_buffer));
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {"vkCmdExecuteCommands(): ", "by vkCmdFillBuffer (command "})
SEQUENCE(
    secondary_with_its_own_hazard,
    {
        SECONDARY({
            DO(fill_buffer);
            DO(copy_from_buffer);
        });
    },
    RAW("vkCmdFillBuffer", "vkCmdCopyBuffer"))
SEQUENCE(
    secondary_writes_after_a_read,
    {
        DO(copy_from_buffer);
        SECONDARY(DO(fill_buffer));
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"},
    .text = {"vkCmdExecuteCommands(): ", "by vkCmdCopyBuffer (command "})

/* --- what has nothing to do with it --- */

SEQUENCE(recorded_anew, {
    VkCommandBufferBeginInfo info = begin_info();
    VkCommandBuffer again = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VK(vkBeginCommandBuffer(again, &info));
    vkCmdFillBuffer(again, w->buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(again));
    VK(vkBeginCommandBuffer(again, &info));
    w->commands = again;
    DO(copy_from_buffer);
})
SCENARIO(hazards_are_not_looked_for, .features = &world_features)
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(fill_buffer);
    DO(copy_from_buffer);
}

/* --- label paths: of each side, through secondaries --- */

static void open_label(const struct world *w, VkCommandBuffer commands, const char *name)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = name};
    DEVICE_PROC(w->b, vkCmdBeginDebugUtilsLabelEXT)(commands, &label);
}

static void close_label(const struct world *w, VkCommandBuffer commands)
{
    DEVICE_PROC(w->b, vkCmdEndDebugUtilsLabelEXT)(commands);
}

SCENARIO(labels_of_both_sides, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         .text = {"under the label Frame::Pass::Copy", "under the label Frame::Fill"})
{
    struct world world, *w = &world;
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .pInheritanceInfo = &inheritance};
    world_begin(b, w);
    VkCommandBuffer primary = w->commands,
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &info));
    w->commands = secondary;
    open_label(w, secondary, "Copy");
    DO(copy_from_buffer);
    close_label(w, secondary);
    VK(vkEndCommandBuffer(secondary));
    w->commands = primary;
    open_label(w, primary, "Frame");
    open_label(w, primary, "Fill");
    DO(fill_buffer);
    close_label(w, primary);
    open_label(w, primary, "Pass");
    vkCmdExecuteCommands(primary, 1, &secondary);
    close_label(w, primary);
    close_label(w, primary);
}

/* --- the barrier that came nearest is one of the resource, whatever comes after it --- */

static void record_barrier_of_buffer(struct world *w, VkBuffer buffer, VkPipelineStageFlags2 src,
                                     VkAccessFlags2 written)
{
    const VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                            .srcStageMask = src,
                                            .srcAccessMask = written,
                                            .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                            .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .buffer = buffer,
                                            .size = VK_WHOLE_SIZE};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .bufferMemoryBarrierCount = 1,
                                   .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(w->commands, &info);
}

SEQUENCE(
    barrier_of_another_resource_is_not_nearer,
    {
        DO(fill_buffer);
        record_barrier_of_buffer(w, w->buffer, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                                 VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
        record_barrier_of_buffer(w, w->other_buffer, VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                 VK_ACCESS_2_TRANSFER_WRITE_BIT);
        DO(copy_from_buffer);
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {"vkCmdPipelineBarrier2 (command 4), which does not wait for the earlier access: "
             "VK_PIPELINE_STAGE_2_CLEAR_BIT is not among its source stages"})
SEQUENCE(
    barrier_of_the_stages_alone,
    {
        DO(dispatch_write);
        GLOBAL(ALL_COMMANDS, TRANSFER_WRITE_BIT, ALL_COMMANDS, MEMORY_READ_BIT);
        DO(copy_from_buffer);
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {"which waits for the earlier access, but does not make it available: "
             "VK_ACCESS_SHADER_WRITE_BIT of the earlier access is not among its source accesses, "
             "which are VK_ACCESS_TRANSFER_WRITE_BIT in VK_PIPELINE_STAGE_ALL_COMMANDS_BIT"})
SEQUENCE(
    barrier_to_all_transfers,
    {
        DO(fill_buffer);
        GLOBAL(TRANSFER, TRANSFER_WRITE_BIT, TRANSFER, TRANSFER_WRITE_BIT);
        DO(dispatch_read);
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    .text = {"makes only VK_PIPELINE_STAGE_TRANSFER_BIT wait, not "
             "VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT"})

/* --- a mend that has to change the layout as well --- */

SCENARIO(mend_with_a_layout, WORLD, .ours_only = true,
         .expect = {"SYNC-HAZARD-READ-AFTER-WRITE",
                    "VUID-vkCmdCopyImageToBuffer-srcImageLayout-00189"},
         .text = {"a memory dependency with a layout transition before vkCmdCopyImageToBuffer",
                  ".oldLayout = VK_IMAGE_LAYOUT_GENERAL,",
                  ".newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,"})
{
    struct world world, *w = &world;
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    world_begin(b, w);
    DO(clear_image);
    vkCmdCopyImageToBuffer(w->commands, w->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           w->other_buffer, 1, &region);
}
