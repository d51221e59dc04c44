/* Advice on what index buffers hold. */
#include "practices.h"

#define THRASHES BP("Arm-vkCmdDrawIndexed-post-transform-cache-thrashing")
#define SPARSE   BP("Arm-vkCmdDrawIndexed-sparse-index-buffer")

enum { COUNT = 3000, FIRST = 16 };

/* Index `i` of a draw. */
typedef uint32_t (*index_order)(uint32_t i);

static uint32_t one_by_one(uint32_t i)
{
    return i;
}

/* 500 vertices, which come again after 500 indices. */
static uint32_t over_and_over(uint32_t i)
{
    return i * 237 % 500;
}

/* Each vertex comes again once, after 500 indices. */
static uint32_t index_twice(uint32_t i)
{
    return i / 1000 * 500 + i % 500;
}

/* Each comes again 31 indices later, as long as a cache of 32 has it. */
static uint32_t soon_again(uint32_t i)
{
    return i / 310 * 31 + i % 31;
}

static uint32_t each_third(uint32_t i)
{
    return i * 3;
}

static uint32_t each_second(uint32_t i)
{
    return i * 2;
}

/* Strips of three, between which primitives restart. */
static uint32_t index_of_strips(uint32_t i)
{
    return i % 4 == 3 ? UINT32_MAX : i;
}

struct indices {
    struct baseline *b;
    VkBuffer buffer;
    VkCommandBuffer commands;
    uint32_t *data; /* mapped */
};

static void write_indices(const struct indices *indices, index_order order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        indices->data[FIRST + i] = order(i);
}

static struct indices make_indices(struct baseline *b, VkBufferUsageFlags usage)
{
    struct indices indices = {.b = b};
    indices.buffer = make_buffer(b, (COUNT + FIRST) * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT | usage);
    VK(vkMapMemory(b->device, buffer_memory(b, indices.buffer), 0, VK_WHOLE_SIZE, 0,
                   (void **)&indices.data));
    return indices;
}

static void draw_ordered(struct indices *indices, uint32_t count)
{
    struct baseline *b = indices->b;
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    indices->commands = make_recording(b);
    begin_rendering(b, indices->commands);
    vkCmdBindPipeline(indices->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindIndexBuffer(indices->commands, indices->buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(indices->commands, count, 1, FIRST, 0, 0);
    vkCmdEndRenderPass(indices->commands);
    VK(vkEndCommandBuffer(indices->commands));
}

static void submit_indices(const struct indices *indices)
{
    VkSubmitInfo info = submit_info(&indices->commands);
    VK(vkQueueSubmit(indices->b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(indices->b->device));
}

static void draw_in(struct baseline *b, index_order order, uint32_t count)
{
    struct indices indices = make_indices(b, 0);
    draw_ordered(&indices, count);
    write_indices(&indices, order, count); /* by the time of the submission they are there */
    submit_indices(&indices);
}

#define ORDER(name_, order_, count_, ...) \
    SCENARIO(name_, __VA_ARGS__)          \
    {                                     \
        draw_in(b, order_, count_);       \
    }
ORDER(vertices_transformed_again, over_and_over, COUNT, ADVISED_FOR(arm), .expect = {THRASHES},
      .text = {"vkQueueSubmit(): pSubmits[0].pCommandBuffers[0] draws 3000 indices from byte 64 of "
               "VkBuffer ",
               ": with a cache of 32 vertices, the first 3000 of them transform 500 vertices 3000 "
               "times"})
ORDER(vertices_transformed_again_elsewhere, over_and_over, COUNT, ADVISED_FOR(amd))
ORDER(vertices_transformed_again_in_few, over_and_over, 999, ADVISED_FOR(arm))
ORDER(vertices_transformed_twice, index_twice, COUNT, ADVISED_FOR(arm))
ORDER(vertices_transformed_once, soon_again, COUNT, ADVISED_FOR(arm))
ORDER(vertices_one_by_one, one_by_one, COUNT, ADVISED_FOR(arm))
ORDER(vertices_each_third, each_third, COUNT, ADVISED_FOR(arm), .expect = {SPARSE},
      .text = {"draws 3000 indices from byte 64 of VkBuffer ",
               ": they use 3000 of the 8998 vertices from 0 to 8997"})
ORDER(vertices_each_second, each_second, COUNT, ADVISED_FOR(arm))
ORDER(vertices_of_strips, index_of_strips, COUNT, ADVISED_FOR(arm))

SCENARIO(indices_mended_before_the_submission, ADVISED_FOR(arm))
{
    struct indices indices = make_indices(b, 0);
    write_indices(&indices, over_and_over, COUNT);
    draw_ordered(&indices, COUNT);
    write_indices(&indices, one_by_one, COUNT);
    submit_indices(&indices);
}

SCENARIO(indices_not_mapped, ADVISED_FOR(arm))
{
    struct indices indices = make_indices(b, 0);
    write_indices(&indices, over_and_over, COUNT);
    vkUnmapMemory(b->device, buffer_memory(b, indices.buffer));
    draw_ordered(&indices, COUNT);
    submit_indices(&indices);
}

/* The host need not know what is in such a buffer. */
SCENARIO(indices_that_the_device_may_write, ADVISED_FOR(arm))
{
    struct indices indices = make_indices(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    write_indices(&indices, over_and_over, COUNT);
    draw_ordered(&indices, COUNT);
    submit_indices(&indices);
}

/* The indices are words of 16 bits, in a secondary, by vkQueueSubmit2, and mapped in part. */
FEATURES(synchronization, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES,
         .synchronization2 = VK_TRUE);
SCENARIO(indices_of_a_secondary, ADVISED_FOR(arm), .features = &synchronization,
         .expect = {THRASHES}, .text = {"vkQueueSubmit2(): pSubmits[0].pCommandBufferInfos[0]"})
{
    VkRenderPass pass = make_render_pass(b);
    VkBuffer buffer = make_buffer(b, 8192, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    uint16_t *data;
    VK(vkMapMemory(b->device, buffer_memory(b, buffer), 64, 8128, 0, (void **)&data));
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = (uint16_t)over_and_over(i);
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                    primary = make_recording(b);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = pass};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    vkCmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindIndexBuffer(secondary, buffer, 64, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(secondary, COUNT, 1, 0, 0, 0);
    VK(vkEndCommandBuffer(secondary));
    VkRenderPassBeginInfo rendering = render_pass_begin_info(pass, make_any_framebuffer(b));
    vkCmdBeginRenderPass(primary, &rendering, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(primary, 1, &secondary);
    vkCmdEndRenderPass(primary);
    VK(vkEndCommandBuffer(primary));
    VkCommandBufferSubmitInfo submitted = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                           .commandBuffer = primary};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &submitted};
    VK(vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkDeviceWaitIdle(b->device));
}

/* The four largest of five draws are kept. */
SCENARIO(indices_of_many_draws, ADVISED_FOR(arm), .expect = {SPARSE})
{
    struct indices indices = make_indices(b, 0);
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    write_indices(&indices, each_third, COUNT);
    indices.commands = make_recording(b);
    begin_rendering(b, indices.commands);
    vkCmdBindPipeline(indices.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindIndexBuffer(indices.commands, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    for (uint32_t i = 0; i < 8; i++)
        vkCmdDrawIndexed(indices.commands, 1000 + 100 * i, 1, FIRST + i, 0, 0);
    vkCmdEndRenderPass(indices.commands);
    VK(vkEndCommandBuffer(indices.commands));
    submit_indices(&indices);
    submit_indices(&indices);
}
