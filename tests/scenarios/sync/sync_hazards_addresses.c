/* Hazards of commands and barriers that name memory by its address
 * (VK_KHR_device_address_commands), and of transform feedback's counters. */
#include "sync/sync_world.h"

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&world_features,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&addresses,
    .deviceAddressCommands = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&commands,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .pNext = (void *)&feedback,
    .conditionalRendering = VK_TRUE};
#define ON                                                                        \
    .settings = {"validate_sync=true"}, .proceed = true, .drivers = NULL_DRIVER,  \
    .features = &conditional,                                                     \
    .extensions = {"VK_KHR_device_address_commands", "VK_EXT_transform_feedback", \
                   "VK_EXT_conditional_rendering"}

/* A buffer for all uses. Threads: on the stack. */
struct memory {
    struct world w;
    VkBuffer buffer;
    VkDeviceAddress address;
};

static void begin_memory(struct baseline *b, struct memory *m)
{
    world_begin(b, &m->w);
    m->buffer =
        make_buffer(b, WORLD_BYTES,
                    VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                        VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                        VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = m->buffer};
    m->address = vkGetBufferDeviceAddress(b->device, &info);
}

#define MEMORY_SCENARIO(name_, operations_, ...) \
    SCENARIO(name_, ON, ##__VA_ARGS__)           \
    {                                            \
        struct memory memory, *m = &memory;      \
        begin_memory(b, m);                      \
        operations_;                             \
    }
#define PROC(name_)           DEVICE_PROC(m->w.b, name_)
#define RANGE(offset_, size_) {m->address + (offset_), size_}

static void fill_memory(struct memory *m, VkDeviceSize offset, VkDeviceSize size)
{
    const VkDeviceAddressRangeKHR range = RANGE(offset, size);
    PROC(vkCmdFillMemoryKHR)(m->w.commands, &range, 0, 0);
}

static void copy_addresses(struct memory *m, VkDeviceSize from, VkDeviceSize to, VkDeviceSize size)
{
    const VkDeviceMemoryCopyKHR region = {.sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_COPY_KHR,
                                          .srcRange = RANGE(from, size),
                                          .dstRange = RANGE(to, size)};
    const VkCopyDeviceMemoryInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_INFO_KHR,
                                            .regionCount = 1,
                                            .pRegions = &region};
    PROC(vkCmdCopyMemoryKHR)(m->w.commands, &info);
}

/* Orders a range of addresses; by an event where one is given. */
static void order_by(struct memory *m, VkEvent event, VkDeviceSize offset, VkDeviceSize size,
                     VkPipelineStageFlags2 to, VkAccessFlags2 seen)
{
    const VkMemoryRangeBarrierKHR barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIER_KHR,
                                             .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                             .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                             .dstStageMask = to,
                                             .dstAccessMask = seen,
                                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .addressRange = RANGE(offset, size)};
    const VkMemoryRangeBarriersInfoKHR barriers = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR,
        .memoryRangeBarrierCount = 1,
        .pMemoryRangeBarriers = &barrier};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .pNext = &barriers};
    if (!event) {
        vkCmdPipelineBarrier2(m->w.commands, &info);
        return;
    }
    vkCmdSetEvent2(m->w.commands, event, &info);
    vkCmdWaitEvents2(m->w.commands, 1, &event, &info);
}

static void order_memory(struct memory *m, VkDeviceSize offset, VkDeviceSize size,
                         VkPipelineStageFlags2 to, VkAccessFlags2 seen)
{
    order_by(m, VK_NULL_HANDLE, offset, size, to, seen);
}
#define STAGE(name_)  VK_PIPELINE_STAGE_2_##name_##_BIT
#define ACCESS(name_) VK_ACCESS_2_##name_##_BIT
#define FILLED(second_, reads_)                 \
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, \
    .text = {second_ "(): reads " reads_, "the write by vkCmdFill"}

/* --- barriers of addresses, for commands that name buffers, too --- */

#define COPY_BUFFER \
    vkCmdCopyBuffer(m->w.commands, m->buffer, m->w.other_buffer, 1, &(VkBufferCopy){.size = 64})
#define FILL_BUFFER vkCmdFillBuffer(m->w.commands, m->buffer, 0, 64, 0)
MEMORY_SCENARIO(addresses_that_are_ordered, {
    FILL_BUFFER;
    order_memory(m, 0, 64, STAGE(COPY), ACCESS(TRANSFER_READ));
    COPY_BUFFER;
})
MEMORY_SCENARIO(
    addresses_of_which_half_is_ordered,
    {
        FILL_BUFFER;
        order_memory(m, 0, 32, STAGE(COPY), ACCESS(TRANSFER_READ));
        COPY_BUFFER;
    },
    FILLED("vkCmdCopyBuffer", "bytes 32 to 63 of"))
MEMORY_SCENARIO(
    addresses_with_execution_ordered,
    {
        FILL_BUFFER;
        order_memory(m, 0, 64, STAGE(COPY), 0);
        COPY_BUFFER;
    },
    FILLED("vkCmdCopyBuffer", "bytes 0 to 63 of"))
MEMORY_SCENARIO(addresses_of_which_execution_is_ordered_for_all, {
    COPY_BUFFER;
    order_memory(m, 1024, 64, STAGE(CLEAR), ACCESS(TRANSFER_WRITE));
    FILL_BUFFER;
})

MEMORY_SCENARIO(addresses_that_an_event_orders, {
    FILL_BUFFER;
    order_by(m, make_event(b), 0, 64, STAGE(COPY), ACCESS(TRANSFER_READ));
    COPY_BUFFER;
})
MEMORY_SCENARIO(
    addresses_of_which_an_event_orders_half,
    {
        FILL_BUFFER;
        order_by(m, make_event(b), 0, 32, STAGE(COPY), ACCESS(TRANSFER_READ));
        COPY_BUFFER;
    },
    FILLED("vkCmdCopyBuffer", "bytes 32 to 63 of"))

/* --- transfers --- */

MEMORY_SCENARIO(
    copy_of_what_is_filled,
    {
        fill_memory(m, 0, 64);
        copy_addresses(m, 32, 1024, 64);
    },
    FILLED("vkCmdCopyMemoryKHR", "bytes 32 to 63 of"))
MEMORY_SCENARIO(copy_of_what_was_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(COPY), ACCESS(TRANSFER_READ));
    copy_addresses(m, 32, 1024, 64);
})
MEMORY_SCENARIO(copy_beside_a_fill, {
    fill_memory(m, 0, 64);
    copy_addresses(m, 64, 1024, 64);
})
MEMORY_SCENARIO(
    copy_over_a_fill,
    {
        fill_memory(m, 0, 64);
        copy_addresses(m, 1024, 32, 64);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
    .text = {"vkCmdCopyMemoryKHR(): writes bytes 32 to 63 of"})
MEMORY_SCENARIO(
    update_over_a_fill,
    {
        const VkDeviceAddressRangeKHR range = RANGE(60, 8);
        fill_memory(m, 0, 64);
        PROC(vkCmdUpdateMemoryKHR)(m->w.commands, &range, 0, 8, (uint32_t[2]){0});
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
    .text = {"vkCmdUpdateMemoryKHR(): writes bytes 60 to 63 of"})

static void copy_memory_image(struct memory *m, bool to_image)
{
    const VkDeviceMemoryImageCopyKHR region = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_MEMORY_IMAGE_COPY_KHR,
        .addressRange = RANGE(0, WORLD_BYTES),
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
        .imageExtent = {IMAGE_EXTENT, 1, 1}};
    const VkCopyDeviceMemoryImageInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_COPY_DEVICE_MEMORY_IMAGE_INFO_KHR,
        .image = m->w.image,
        .regionCount = 1,
        .pRegions = &region};
    if (to_image)
        PROC(vkCmdCopyMemoryToImageKHR)(m->w.commands, &info);
    else
        PROC(vkCmdCopyImageToMemoryKHR)(m->w.commands, &info);
}
MEMORY_SCENARIO(
    image_from_what_is_filled,
    {
        fill_memory(m, 0, 64);
        copy_memory_image(m, true);
    },
    FILLED("vkCmdCopyMemoryToImageKHR", "bytes 0 to 63 of"))
MEMORY_SCENARIO(image_from_what_was_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(COPY), ACCESS(TRANSFER_READ));
    copy_memory_image(m, true);
})
MEMORY_SCENARIO(
    image_over_a_fill,
    {
        fill_memory(m, IMAGE_EXTENT * 4 - 4, 64);
        copy_memory_image(m, false);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"},
    .text = {"vkCmdCopyImageToMemoryKHR(): writes bytes 252 to 255 of"})
MEMORY_SCENARIO(image_beside_a_fill, {
    fill_memory(m, IMAGE_EXTENT * 4, 64);
    copy_memory_image(m, false);
})
MEMORY_SCENARIO(
    image_that_is_copied_to_and_from,
    {
        copy_memory_image(m, true);
        operation_read_image.record(&m->w);
    },
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, .text = {"the write by vkCmdCopyMemoryToImageKHR"})

/* --- conditions, counters --- */

static void begin_condition_at(struct memory *m)
{
    const VkConditionalRenderingBeginInfo2EXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_2_EXT,
        .addressRange = RANGE(8, 4)};
    PROC(vkCmdBeginConditionalRendering2EXT)(m->w.commands, &info);
    PROC(vkCmdEndConditionalRenderingEXT)(m->w.commands);
}
MEMORY_SCENARIO(
    condition_that_is_filled,
    {
        fill_memory(m, 0, 64);
        begin_condition_at(m);
    },
    FILLED("vkCmdBeginConditionalRendering2EXT", "bytes 8 to 11 of"))
MEMORY_SCENARIO(condition_that_was_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
                 VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT);
    begin_condition_at(m);
})

/* --- draws: vertices, indices, commands --- */

static void begin_draw(struct memory *m, VkDeviceSize vertices, VkDeviceSize indices)
{
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                                0};
    struct baseline *b = m->w.b;
    struct graphics_pipeline pipeline;
    VkRenderPass pass = make_render_pass(b);
    begin_graphics_pipeline(b, &pipeline, m->w.layout, pass);
    pipeline.stages[0].module =
        make_shader_from(b, world_code_position.words, world_code_position.size);
    pipeline.vertex_input.vertexBindingDescriptionCount =
        pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
    pipeline.vertex_input.pVertexBindingDescriptions = &binding;
    pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    const VkBindVertexBuffer3InfoKHR vertex = {.sType =
                                                   VK_STRUCTURE_TYPE_BIND_VERTEX_BUFFER_3_INFO_KHR,
                                               .addressRange = {m->address + vertices, 64, 0}};
    const VkBindIndexBuffer3InfoKHR index = {.sType =
                                                 VK_STRUCTURE_TYPE_BIND_INDEX_BUFFER_3_INFO_KHR,
                                             .addressRange = RANGE(indices, 64),
                                             .indexType = VK_INDEX_TYPE_UINT16};
    vkCmdBeginRenderPass(m->w.commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(m->w.commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(b, &pipeline.info));
    PROC(vkCmdBindVertexBuffers3KHR)(m->w.commands, 0, 1, &vertex);
    PROC(vkCmdBindIndexBuffer3KHR)(m->w.commands, &index);
}

static void draw_addresses(struct memory *m, VkDeviceSize vertices)
{
    begin_draw(m, vertices, 512);
    vkCmdDraw(m->w.commands, 3, 1, 0, 0);
}

static void draw_indexed_addresses(struct memory *m)
{
    begin_draw(m, 256, 32);
    vkCmdDrawIndexed(m->w.commands, 3, 1, 0, 0, 0);
}

static void draw_indirect2(struct memory *m)
{
    const VkDrawIndirect2InfoKHR info = {.sType = VK_STRUCTURE_TYPE_DRAW_INDIRECT_2_INFO_KHR,
                                         .addressRange = {m->address + 48, 16, 16},
                                         .drawCount = 1};
    begin_draw(m, 256, 512);
    PROC(vkCmdDrawIndirect2KHR)(m->w.commands, &info);
}
MEMORY_SCENARIO(
    vertices_that_are_filled,
    {
        fill_memory(m, 0, 64);
        draw_addresses(m, 0);
    },
    FILLED("vkCmdDraw", "bytes 0 to 47 of"))
MEMORY_SCENARIO(vertices_that_were_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(VERTEX_ATTRIBUTE_INPUT), ACCESS(VERTEX_ATTRIBUTE_READ));
    draw_addresses(m, 0);
})
MEMORY_SCENARIO(vertices_behind_a_fill, {
    fill_memory(m, 0, 64);
    draw_addresses(m, 64);
})
MEMORY_SCENARIO(
    indices_that_are_filled,
    {
        fill_memory(m, 0, 64);
        draw_indexed_addresses(m);
    },
    FILLED("vkCmdDrawIndexed", "bytes 32 to 37 of"))
MEMORY_SCENARIO(indices_that_were_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(INDEX_INPUT), ACCESS(INDEX_READ));
    draw_indexed_addresses(m);
})
MEMORY_SCENARIO(indices_behind_a_fill, {
    fill_memory(m, 40, 64);
    draw_indexed_addresses(m);
})
MEMORY_SCENARIO(
    draw_command_that_is_filled,
    {
        fill_memory(m, 0, 64);
        draw_indirect2(m);
    },
    FILLED("vkCmdDrawIndirect2KHR", "bytes 48 to 63 of"))
MEMORY_SCENARIO(draw_command_that_was_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(DRAW_INDIRECT), ACCESS(INDIRECT_COMMAND_READ));
    draw_indirect2(m);
})
MEMORY_SCENARIO(draw_command_behind_a_fill, {
    fill_memory(m, 0, 48);
    draw_indirect2(m);
})
/* The counter, of 4 bytes, which transform feedback has counted, or somebody else. */
MEMORY_SCENARIO(
    byte_count_that_is_filled,
    {
        fill_memory(m, 0, 64);
        begin_draw(m, 256, 512);
        PROC(vkCmdDrawIndirectByteCountEXT)(m->w.commands, 1, 0, m->buffer, 60, 0, 16);
    },
    FILLED("vkCmdDrawIndirectByteCountEXT", "bytes 60 to 63 of"))
MEMORY_SCENARIO(byte_count_that_was_filled, {
    fill_memory(m, 0, 64);
    order_memory(m, 0, 64, STAGE(DRAW_INDIRECT), ACCESS(INDIRECT_COMMAND_READ));
    begin_draw(m, 256, 512);
    PROC(vkCmdDrawIndirectByteCountEXT)(m->w.commands, 1, 0, m->buffer, 60, 0, 16);
})
