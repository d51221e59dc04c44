/* Hazards of one buffer: copies, fills, updates, results of queries, dispatches, draws, in pairs.
 */
#include "sync/sync_world.h"

/* Reads after writes. */
AFTER_WRITE(READ, copy_to_buffer, "vkCmdCopyBuffer", copy2_from_buffer, "vkCmdCopyBuffer2")
AFTER_WRITE(READ, fill_buffer, "vkCmdFillBuffer", copy_from_buffer, "vkCmdCopyBuffer")
AFTER_WRITE(READ, update_buffer, "vkCmdUpdateBuffer", buffer_to_image, "vkCmdCopyBufferToImage")
AFTER_WRITE(READ, image_to_buffer, "vkCmdCopyImageToBuffer", copy_from_buffer, "vkCmdCopyBuffer")
AFTER_WRITE(READ, fill_buffer, "vkCmdFillBuffer", dispatch_read, "vkCmdDispatch")
AFTER_WRITE(READ, copy_to_buffer, "vkCmdCopyBuffer", dispatch_uniform, "vkCmdDispatch")
AFTER_WRITE(READ, fill_buffer, "vkCmdFillBuffer", dispatch_indirect, "vkCmdDispatchIndirect")
AFTER_WRITE(READ, dispatch_write, "vkCmdDispatch", copy_from_buffer, "vkCmdCopyBuffer")
AFTER_WRITE(READ, dispatch_write, "vkCmdDispatch", dispatch_read, "vkCmdDispatch")
AFTER_WRITE(READ, dispatch_write, "vkCmdDispatch", draw_indirect, "vkCmdDrawIndirect")
AFTER_WRITE(READ, fill_buffer, "vkCmdFillBuffer", draw_vertices, "vkCmdDraw")
AFTER_WRITE(READ, copy_to_buffer, "vkCmdCopyBuffer", draw_indices, "vkCmdDrawIndexed")
AFTER_WRITE(READ, update_buffer, "vkCmdUpdateBuffer", draw_indirect, "vkCmdDrawIndirect")
AFTER_WRITE(READ, copy_to_buffer, "vkCmdCopyBuffer", draw_indexed_vertices, "vkCmdDrawIndexed")
AFTER_WRITE(READ, copy_results, "vkCmdCopyQueryPoolResults", copy_from_buffer, "vkCmdCopyBuffer")
AFTER_WRITE(READ, draw_store, "vkCmdDraw", copy_from_buffer, "vkCmdCopyBuffer")

/* Writes after writes. */
AFTER_WRITE(WRITE, copy_to_buffer, "vkCmdCopyBuffer", copy2_to_buffer, "vkCmdCopyBuffer2")
AFTER_WRITE(WRITE, fill_buffer, "vkCmdFillBuffer", copy_to_buffer, "vkCmdCopyBuffer")
AFTER_WRITE(WRITE, update_buffer, "vkCmdUpdateBuffer", fill_buffer, "vkCmdFillBuffer")
AFTER_WRITE(WRITE, dispatch_write, "vkCmdDispatch", fill_buffer, "vkCmdFillBuffer")
AFTER_WRITE(WRITE, fill_buffer, "vkCmdFillBuffer", dispatch_write, "vkCmdDispatch")
AFTER_WRITE(WRITE, dispatch_write, "vkCmdDispatch", dispatch_write, "vkCmdDispatch")
AFTER_WRITE(WRITE, fill_buffer, "vkCmdFillBuffer", copy_results, "vkCmdCopyQueryPoolResults")
AFTER_WRITE(WRITE, image_to_buffer, "vkCmdCopyImageToBuffer", fill_buffer, "vkCmdFillBuffer")
AFTER_WRITE(WRITE, fill_buffer, "vkCmdFillBuffer", draw_store, "vkCmdDraw")

/* Writes after reads. */
AFTER_READ(copy_from_buffer, "vkCmdCopyBuffer", fill_buffer, "vkCmdFillBuffer")
AFTER_READ(copy2_from_buffer, "vkCmdCopyBuffer2", copy_to_buffer, "vkCmdCopyBuffer")
AFTER_READ(buffer_to_image, "vkCmdCopyBufferToImage", update_buffer, "vkCmdUpdateBuffer")
AFTER_READ(dispatch_read, "vkCmdDispatch", fill_buffer, "vkCmdFillBuffer")
AFTER_READ(dispatch_uniform, "vkCmdDispatch", copy_to_buffer, "vkCmdCopyBuffer")
AFTER_READ(dispatch_indirect, "vkCmdDispatchIndirect", fill_buffer, "vkCmdFillBuffer")
AFTER_READ(draw_vertices, "vkCmdDraw", copy_to_buffer, "vkCmdCopyBuffer")
AFTER_READ(draw_indices, "vkCmdDrawIndexed", fill_buffer, "vkCmdFillBuffer")
AFTER_READ(draw_indirect, "vkCmdDrawIndirect", dispatch_write, "vkCmdDispatch")
AFTER_READ(copy_from_buffer, "vkCmdCopyBuffer", dispatch_write, "vkCmdDispatch")
AFTER_READ(copy_from_buffer, "vkCmdCopyBuffer", copy_results, "vkCmdCopyQueryPoolResults")
AFTER_READ(dispatch_read, "vkCmdDispatch", draw_store, "vkCmdDraw")

/* Reads beside reads. */
BOTH_READ(copy_from_buffer, copy2_from_buffer)
BOTH_READ(dispatch_read, dispatch_uniform)
BOTH_READ(draw_vertices, draw_indices)
BOTH_READ(copy_from_buffer, draw_indirect)
BOTH_READ(dispatch_indirect, buffer_to_image)

/* --- parts of a buffer --- */

#define PARTS_SCENARIO(name_, first_, second_, ...) \
    SCENARIO(name_, WORLD, ##__VA_ARGS__)           \
    {                                               \
        struct world world, *w = &world;            \
        world_begin(b, w);                          \
        first_;                                     \
        second_;                                    \
    }
#define FILL(offset_, size_) vkCmdFillBuffer(w->commands, w->buffer, offset_, size_, 0)
#define COPY(offset_, size_) \
    vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 1, &(VkBufferCopy){offset_, 0, size_})

/* Twenty parts of the first 320 bytes, and then all of them: one range again. */
static void read_in_parts(struct world *w)
{
    for (uint32_t i = 0; i < 20; i++)
        vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 1,
                        &(VkBufferCopy){16 * i, 4 * i, 4});
    vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 1, &(VkBufferCopy){0, 128, 320});
}

PARTS_SCENARIO(parts_that_were_read_in_one, read_in_parts(w), FILL(200, 4),
               .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"},
               PAIR_TEXT("vkCmdCopyBuffer", "vkCmdFillBuffer"))
PARTS_SCENARIO(beside_parts_that_were_read_in_one, read_in_parts(w), FILL(320, 64))
PARTS_SCENARIO(parts_beside_each_other, FILL(0, 64), COPY(64, 64))
PARTS_SCENARIO(parts_with_one_byte_in_common, FILL(0, 64), COPY(63, 64),
               .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
               PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))
PARTS_SCENARIO(part_of_a_whole, FILL(0, VK_WHOLE_SIZE), COPY(1024, 4),
               .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
               PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))
PARTS_SCENARIO(
    whole_after_two_parts,
    {
        FILL(0, 64);
        FILL(64, 64);
    },
    COPY(0, 128), .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))
PARTS_SCENARIO(parts_written_again, FILL(0, 64), FILL(60, 64),
               .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
               PAIR_TEXT("vkCmdFillBuffer", "vkCmdFillBuffer"))

/* A barrier of one part says nothing of the other. */
static void part_barrier(struct world *w, VkDeviceSize offset, VkDeviceSize size)
{
    const VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                           .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                           .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                           .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                           .buffer = w->buffer,
                                           .offset = offset,
                                           .size = size};
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier, 0, NULL);
}
PARTS_SCENARIO(
    barrier_of_the_part,
    {
        FILL(0, 128);
        part_barrier(w, 0, 64);
    },
    COPY(0, 64))
PARTS_SCENARIO(
    barrier_of_another_part,
    {
        FILL(0, 128);
        part_barrier(w, 0, 64);
    },
    COPY(64, 64), .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))

/* Three regions of one copy are one hazard to its reader; the barrier that mends it is for all of
 * them. */
SCENARIO(regions_in_one_report, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         .text = {"reads bytes 0 to 63 of VkBuffer",
                  " and 2 more ranges of it in VK_PIPELINE_STAGE_2_COPY_BIT",
                  "const VkMemoryBarrier2 barrier", "VK_STRUCTURE_TYPE_MEMORY_BARRIER_2"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    const VkBufferCopy regions[] = {{0, 0, 64}, {128, 128, 64}, {256, 256, 64}};
    FILL(0, 512);
    vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 3, regions);
    EXPECT_EQUAL(seen_count(b, NULL), 1);
}

/* Regions that lie side by side are one range. */
SCENARIO(regions_side_by_side, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         .text = {"reads bytes 0 to 127 of VkBuffer", ".size = 128"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    const VkBufferCopy regions[] = {{0, 0, 64}, {64, 64, 64}};
    FILL(0, 512);
    vkCmdCopyBuffer(w->commands, w->buffer, w->other_buffer, 2, regions);
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    expect_no_text(b, "more range");
}

/* The same between submissions. */
SCENARIO(regions_in_one_report_of_a_submission, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         .text = {"reads bytes 0 to 63 of VkBuffer",
                  " and 1 more range of it in VK_PIPELINE_STAGE_2_COPY_BIT"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    const VkBufferCopy regions[] = {{0, 0, 64}, {128, 128, 64}};
    FILL(0, 512);
    VkCommandBuffer second = make_recording(b);
    vkCmdCopyBuffer(second, w->buffer, w->other_buffer, 2, regions);
    VK(vkEndCommandBuffer(w->commands));
    VK(vkEndCommandBuffer(second));
    const VkCommandBuffer both[] = {w->commands, second};
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 2, .pCommandBuffers = both};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    vkQueueWaitIdle(b->queue);
}

/* --- what draws read of buffers --- */

static void draw_first(struct world *w, VkDeviceSize fill_offset, VkDeviceSize fill_size,
                       void (*draw)(struct world *w))
{
    vkCmdFillBuffer(w->commands, w->buffer, fill_offset, fill_size, 0);
    draw(w);
}
SCENARIO(vertices_behind_those_that_are_drawn, WORLD)
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 48, 16, operation_draw_vertices.record);
}
SCENARIO(last_vertex_that_is_drawn, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         PAIR_TEXT("vkCmdFillBuffer", "vkCmdDraw"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 44, 4, operation_draw_vertices.record);
}
SCENARIO(indices_behind_those_that_are_drawn, WORLD)
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 8, 64, operation_draw_indices.record);
}
SCENARIO(last_index_that_is_drawn, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         PAIR_TEXT("vkCmdFillBuffer", "vkCmdDrawIndexed"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 4, 64, operation_draw_indices.record);
}
SCENARIO(indirect_command_behind_the_one_that_is_drawn, WORLD)
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 16, 64, operation_draw_indirect.record);
}
/* Some vertices were written, and it is unknown which ones the indices choose. */
SCENARIO(some_vertices_before_indices, WORLD)
{
    struct world world, *w = &world;
    world_begin(b, w);
    draw_first(w, 0, 64, operation_draw_indexed_vertices.record);
}

/* Two buffers in the same memory. */
SCENARIO(buffers_in_the_same_memory, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))
{
    struct world world, *w = &world;
    world_begin(b, w);
    VkBufferCreateInfo info = buffer_info(WORLD_BYTES, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkBuffer alias = create_buffer(b, &info);
    VK(vkBindBufferMemory(b->device, alias, buffer_memory(b, w->buffer), 0));
    vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdCopyBuffer(w->commands, alias, w->other_buffer, 1, &(VkBufferCopy){0, 0, 64});
}

/* --- what is known of shaders without syncval_shader_accesses_heuristic --- */

#define WITHOUT_GUESSES \
    .settings = {"validate_sync=true"}, .proceed = true, .features = &world_features
#define CERTAIN(name_, first_, second_, ...)        \
    SCENARIO(name_, WITHOUT_GUESSES, ##__VA_ARGS__) \
    {                                               \
        struct world world, *w = &world;            \
        world_begin(b, w);                          \
        operation_##first_.record(w);               \
        operation_##second_.record(w);              \
    }

/* Constants say that it is the same part. */
CERTAIN(two_dispatches_write, dispatch_write, dispatch_write,
        .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT("vkCmdDispatch", "vkCmdDispatch"))
CERTAIN(one_dispatch_writes_and_one_reads, dispatch_write, dispatch_read,
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT("vkCmdDispatch", "vkCmdDispatch"))
CERTAIN(a_dispatch_reads_what_was_filled, fill_buffer, dispatch_read,
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT("vkCmdFillBuffer", "vkCmdDispatch"))
CERTAIN(a_dispatch_writes_what_is_copied, dispatch_write, copy_from_buffer,
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT("vkCmdDispatch", "vkCmdCopyBuffer"))
CERTAIN(a_dispatch_reads_uniforms_that_were_copied, copy_to_buffer, dispatch_uniform,
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT("vkCmdCopyBuffer", "vkCmdDispatch"))

/* markers (VK_AMD_buffer_marker): "a memory dependency from earlier buffer marker write commands"
 */

#define MARKERS                                                                       \
    .settings = {"validate_sync=true"}, .proceed = true, .features = &world_features, \
    .drivers = NULL_DRIVER, .extensions = {VK_AMD_BUFFER_MARKER_EXTENSION_NAME}
#define MARKER_SCENARIO(name_, statements_, ...) \
    SCENARIO(name_, MARKERS, ##__VA_ARGS__)      \
    {                                            \
        struct world world, *w = &world;         \
        world_begin(b, w);                       \
        statements_;                             \
        VK(vkEndCommandBuffer(w->commands));     \
    }

static void mark_stage_at(struct world *w, VkPipelineStageFlagBits stage, VkDeviceSize offset)
{
    DEVICE_PROC(w->b, vkCmdWriteBufferMarkerAMD)(w->commands, stage, w->buffer, offset, 1);
}

static void mark_stage2_at(struct world *w, VkPipelineStageFlags2 stage, VkDeviceSize offset)
{
    DEVICE_PROC(w->b, vkCmdWriteBufferMarker2AMD)(w->commands, stage, w->buffer, offset, 1);
}

MARKER_SCENARIO(markers_in_one_place, {
    mark_stage_at(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    mark_stage2_at(w, VK_PIPELINE_STAGE_2_NONE, 0);
    mark_stage_at(w, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0);
})
MARKER_SCENARIO(
    marker_that_is_copied,
    {
        mark_stage_at(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
        operation_copy_from_buffer.record(w);
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
    PAIR_TEXT("vkCmdWriteBufferMarkerAMD", "vkCmdCopyBuffer"))
MARKER_SCENARIO(marker_that_was_copied_behind_a_barrier, {
    mark_stage2_at(w, VK_PIPELINE_STAGE_2_NONE, 0);
    world_barrier(w, &operation_copy_to_buffer, &operation_copy_from_buffer, true);
    operation_copy_from_buffer.record(w);
})
/* A fill is not a marker: nothing makes what it writes available. */
MARKER_SCENARIO(
    marker_in_what_is_filled,
    {
        operation_fill_buffer.record(w);
        mark_stage2_at(w, VK_PIPELINE_STAGE_2_NONE, 16);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
    PAIR_TEXT("vkCmdFillBuffer", "vkCmdWriteBufferMarker2AMD"))
/* It is written after what is earlier in the stage. */
MARKER_SCENARIO(marker_behind_the_copy, {
    operation_copy_from_buffer.record(w);
    mark_stage2_at(w, VK_PIPELINE_STAGE_2_COPY_BIT, 16);
})
MARKER_SCENARIO(
    marker_beside_the_copy,
    {
        operation_copy_from_buffer.record(w);
        mark_stage2_at(w, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 16);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"},
    PAIR_TEXT("vkCmdCopyBuffer", "vkCmdWriteBufferMarker2AMD"))
MARKER_SCENARIO(marker_beside_what_is_filled, {
    vkCmdFillBuffer(w->commands, w->buffer, 16, 64, 0);
    mark_stage_at(w, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
})

/* --- sparse buffers --- */

static const VkPhysicalDeviceFeatures2 sparse_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.sparseBinding = VK_TRUE}};
#define SPARSE .settings = {"validate_sync=true"}, .proceed = true, .features = &sparse_features

static void fill_and_copy_sparse(struct baseline *b, bool barrier)
{
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                               .size = 65536,
                               .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer sparse = create_buffer(b, &info);
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT};
    VkCommandBuffer commands = make_recording(b);
    vkCmdFillBuffer(commands, sparse, 0, 128, 0);
    if (barrier)
        vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &memory, 0, NULL, 0, NULL);
    vkCmdCopyBuffer(commands, sparse, make_buffer(b, 128, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 1,
                    &(VkBufferCopy){0, 0, 128});
}

SCENARIO(sparse_buffer_in_order, SPARSE)
{
    fill_and_copy_sparse(b, true);
}

SCENARIO(sparse_buffer_without_a_barrier, SPARSE, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         PAIR_TEXT("vkCmdFillBuffer", "vkCmdCopyBuffer"))
{
    fill_and_copy_sparse(b, false);
}
