/* A call that a callback refuses leaves no trace (the messenger of the harness answers VK_TRUE).
 * Each scenario makes one mistake, then what would draw another finding, or none, if the call had
 * been noted as made. Each runs twice: as it is, and with validate_sync. */
#include "layer/refused.h"
#include "sync/sync_world.h"

/* `ids_`: a list in parentheses. */
#define LIST(...) __VA_ARGS__
#define RUN_REFUSED(name_, ids_, with_, ...)                                         \
    SCENARIO(name_, .expect = {LIST ids_}, .features = &world_features, __VA_ARGS__) \
    {                                                                                \
        struct world world;                                                          \
        world_begin(b, &world);                                                      \
        with_(b, &world);                                                            \
    }
#define REFUSED(name_, ids_, ...)                                           \
    static void do_##name_(struct baseline *b, struct world *w)             \
    {                                                                       \
        __VA_ARGS__;                                                        \
        (void)w;                                                            \
    }                                                                       \
    RUN_REFUSED(name_, ids_, do_##name_, .api_version = VK_API_VERSION_1_3) \
    RUN_REFUSED(name_##_with_sync, ids_, do_##name_, .settings = {"validate_sync=true"})

static VkPipeline compute_pipeline(struct world *w, VkShaderModule module)
{
    const VkComputePipelineCreateInfo info = compute_pipeline_info(module, w->layout);
    return create_compute_pipeline(w->b, &info);
}

static VkPipeline filling_pipeline(struct world *w)
{
    return compute_pipeline(w, make_shader_from(w->b, shader_fill_code, shader_fill_size));
}

static void bind_refused_set(struct world *w, VkCommandBuffer commands)
{
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set, 0,
                            NULL);
}

static void push_refused(struct world *w, VkCommandBuffer commands)
{
    vkCmdPushConstants(commands, w->layout, VK_SHADER_STAGE_ALL, 0, 16, (const uint32_t[4]){0});
}

/* All that a dispatch of fill.comp, which writes the buffer, needs. */
static void bind_filling(struct world *w)
{
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, filling_pipeline(w));
    bind_refused_set(w, w->commands);
    push_refused(w, w->commands);
}

static void submit_refused(struct world *w, VkCommandBuffer commands)
{
    const VkSubmitInfo info = submit_info(&commands);
    VK(vkEndCommandBuffer(commands));
    VK(vkQueueSubmit(w->b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(w->b->queue));
}

static void transition_refused(VkCommandBuffer commands, VkImage image, VkImageLayout from,
                               VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void everything_before(struct world *w)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* --- what is bound --- */

REFUSED(bind_pipeline, ("VUID-vkCmdBindPipeline-pipelineBindPoint-00779"), {
    VkPipeline graphics = make_any_graphics_pipeline(b);
    bind_filling(w);
    MISTAKE(vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, graphics));
    RIGHT(vkCmdDispatch(w->commands, 1, 1, 1));
})

REFUSED(bind_sets, ("VUID-vkCmdBindDescriptorSets-dynamicOffsetCount-00359"), {
    VkDescriptorSet unwritten = make_descriptor_set(b, make_descriptor_pool(b), w->set_layout);
    bind_filling(w);
    MISTAKE(vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1,
                                    &unwritten, 1, &(uint32_t){0}));
    RIGHT(vkCmdDispatch(w->commands, 1, 1, 1));
})

REFUSED(push_constants, ("VUID-vkCmdPushConstants-offset-01795", "VUID-vkCmdDispatch-None-08601"), {
    static const uint32_t words[5];
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, filling_pipeline(w));
    bind_refused_set(w, w->commands);
    MISTAKE(vkCmdPushConstants(w->commands, w->layout, VK_SHADER_STAGE_ALL, 0, sizeof(words),
                               words));
    MISTAKE(vkCmdDispatch(w->commands, 1, 1, 1));
    push_refused(w, w->commands);
    RIGHT(vkCmdDispatch(w->commands, 1, 1, 1));
})

/* A render pass instance with a pipeline that has `attributes` of vertices, or dynamic state. */
static void begin_refused_drawing(struct world *w, bool attributes, const VkDynamicState *dynamic)
{
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                                0};
    VkPipelineDynamicStateCreateInfo states = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = dynamic};
    struct graphics_pipeline pipeline;
    VkRenderPassCreateInfo pass_info = render_pass_info();
    VkRenderPass pass = create_render_pass(w->b, &pass_info);
    begin_graphics_pipeline(w->b, &pipeline, w->layout, pass);
    if (attributes) {
        pipeline.stages[0].module =
            make_shader_from(w->b, world_code_position.words, world_code_position.size);
        pipeline.vertex_input.vertexBindingDescriptionCount =
            pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
        pipeline.vertex_input.pVertexBindingDescriptions = &binding;
        pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    }
    if (dynamic)
        pipeline.info.pDynamicState = &states;
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set,
                            0, NULL);
}

REFUSED(bind_vertex_buffers,
        ("VUID-vkCmdBindVertexBuffers-pOffsets-00626", "VUID-vkCmdDraw-None-04007"), {
            begin_refused_drawing(w, true, NULL);
            MISTAKE(vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer,
                                           &(VkDeviceSize){WORLD_BYTES}));
            MISTAKE(vkCmdDraw(w->commands, 3, 1, 0, 0));
            vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer, &(VkDeviceSize){0});
            MISTAKE(vkCmdBindVertexBuffers(w->commands, 0, 1, &w->other_buffer,
                                           &(VkDeviceSize){WORLD_BYTES}));
            RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0));
        })

REFUSED(bind_index_buffer,
        ("VUID-vkCmdBindIndexBuffer-offset-08783", "VUID-vkCmdDrawIndexed-None-07312"), {
            begin_refused_drawing(w, false, NULL);
            MISTAKE(vkCmdBindIndexBuffer(w->commands, w->buffer, 1, VK_INDEX_TYPE_UINT16));
            MISTAKE(vkCmdDrawIndexed(w->commands, 3, 1, 0, 0, 0));
            vkCmdBindIndexBuffer(w->commands, w->buffer, 0, VK_INDEX_TYPE_UINT16);
            RIGHT(vkCmdDrawIndexed(w->commands, 3, 1, 0, 0, 0));
        })

/* A draw that is refused, and looked at all that is bound, lets the next one look at it again. */
REFUSED(draw_with_a_fault_of_its_own, ("VUID-vkCmdDrawIndirect-drawCount-02718"), {
    begin_refused_drawing(w, false, NULL);
    MISTAKE(vkCmdDrawIndirect(w->commands, w->buffer, 0, 2, 16));
    RIGHT(vkCmdDrawIndirect(w->commands, w->buffer, 0, 1, 16); vkCmdDraw(w->commands, 3, 1, 0, 0);
          vkCmdEndRenderPass(w->commands); VK(vkEndCommandBuffer(w->commands)));
})

REFUSED(set_line_width, ("VUID-vkCmdSetLineWidth-lineWidth-00788"), {
    begin_refused_drawing(w, false, &(VkDynamicState){VK_DYNAMIC_STATE_LINE_WIDTH});
    vkCmdSetLineWidth(w->commands, 1);
    MISTAKE(vkCmdSetLineWidth(w->commands, 2));
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0));
})

REFUSED(set_viewport, ("VUID-VkViewport-width-01770", "VUID-vkCmdDraw-None-07831"), {
    const VkViewport wrong = {0, 0, -1, 16, 0, 1};
    const VkViewport right = {0, 0, 16, 16, 0, 1};
    begin_refused_drawing(w, false, &(VkDynamicState){VK_DYNAMIC_STATE_VIEWPORT});
    MISTAKE(vkCmdSetViewport(w->commands, 0, 1, &wrong));
    MISTAKE(vkCmdDraw(w->commands, 3, 1, 0, 0));
    vkCmdSetViewport(w->commands, 0, 1, &right);
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0));
})

REFUSED(set_scissor, ("VUID-vkCmdSetScissor-x-00595", "VUID-vkCmdDraw-None-07832"), {
    begin_refused_drawing(w, false, &(VkDynamicState){VK_DYNAMIC_STATE_SCISSOR});
    MISTAKE(vkCmdSetScissor(w->commands, 0, 1, &(VkRect2D){{-1, 0}, {16, 16}}));
    MISTAKE(vkCmdDraw(w->commands, 3, 1, 0, 0));
    vkCmdSetScissor(w->commands, 0, 1, &(VkRect2D){{0, 0}, {16, 16}});
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0));
})

/* --- render pass instances --- */

REFUSED(begin_render_pass, ("VUID-VkRenderPassBeginInfo-pNext-02852"), {
    VkRenderPass pass = make_render_pass(b);
    VkRenderPassBeginInfo info = render_pass_begin_info(pass, make_framebuffer(b, pass, w->view));
    info.renderArea.offset.x = 1;
    MISTAKE(vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE));
    RIGHT(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          operation_clear_image.record(w);
          transition_refused(w->commands, w->image, VK_IMAGE_LAYOUT_GENERAL,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
          submit_refused(w, w->commands));
})

REFUSED(begin_dynamic_rendering, ("VUID-VkRenderingInfo-viewMask-06069"), {
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer commands = make_recording(b);
    color.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    info.layerCount = 0;
    MISTAKE(vkCmdBeginRendering(commands, &info));
    RIGHT(vkCmdFillBuffer(commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          transition_refused(commands, w->image, VK_IMAGE_LAYOUT_UNDEFINED,
                             VK_IMAGE_LAYOUT_GENERAL);
          transition_refused(commands, w->image, VK_IMAGE_LAYOUT_GENERAL,
                             VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
          submit_refused(w, commands));
})

REFUSED(next_subpass, ("VUID-vkCmdNextSubpass-None-00909"), {
    begin_refused_drawing(w, false, NULL);
    MISTAKE(vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS));
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0); vkCmdEndRenderPass(w->commands);
          submit_refused(w, w->commands));
})

REFUSED(end_render_pass, ("VUID-vkCmdEndRendering-None-06161"), {
    begin_refused_drawing(w, false, NULL);
    MISTAKE(vkCmdEndRendering(w->commands));
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0); vkCmdEndRenderPass(w->commands);
          submit_refused(w, w->commands));
})

REFUSED(end_rendering, ("VUID-vkCmdEndRenderPass-None-06170"), {
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    const VkRenderingInfo info = rendering_info(&color);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    vkCmdBeginRendering(w->commands, &info);
    MISTAKE(vkCmdEndRenderPass(w->commands));
    RIGHT(vkCmdEndRendering(w->commands); submit_refused(w, w->commands));
})

/* --- layouts --- */

/* The first barrier of the two is right: it does not happen either. */
REFUSED(barriers, ("VUID-VkImageMemoryBarrier-newLayout-01198"), {
    VkImageMemoryBarrier barriers[2] = {
        image_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
        image_barrier(w->other_image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_UNDEFINED),
    };
    MISTAKE(vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                 VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 2,
                                 barriers));
    RIGHT(operation_copy_from_image.record(w); submit_refused(w, w->commands));
})

static VkImageMemoryBarrier2 refused_barrier(VkImage image, VkImageLayout from, VkImageLayout to)
{
    return (VkImageMemoryBarrier2){.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                   .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                   .oldLayout = from,
                                   .newLayout = to,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .image = image,
                                   .subresourceRange = color_range()};
}

REFUSED(barriers_of_version_2, ("VUID-VkImageMemoryBarrier2-newLayout-01198"), {
    const VkImageMemoryBarrier2 barriers[2] = {
        refused_barrier(w->image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
        refused_barrier(w->other_image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_UNDEFINED),
    };
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 2,
                                   .pImageMemoryBarriers = barriers};
    MISTAKE(vkCmdPipelineBarrier2(w->commands, &info));
    RIGHT(operation_copy_from_image.record(w); submit_refused(w, w->commands));
})

#define LAYERS {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}

/* No command of this command buffer has used the image: a copy would make the submit expect it in
 * its layout. */
REFUSED(copy_to_image, ("VUID-vkCmdCopyBufferToImage-pRegions-00171"), {
    VkBufferImageCopy region = {.imageSubresource = LAYERS,
                                .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    VkCommandBuffer commands = make_recording(b);
    region.bufferOffset = WORLD_BYTES;
    MISTAKE(vkCmdCopyBufferToImage(commands, w->buffer, w->image,
                                   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region));
    RIGHT(submit_refused(w, commands); submit_refused(w, w->commands));
})

REFUSED(clear_color_image, ("VUID-vkCmdClearColorImage-baseMipLevel-01470"), {
    const VkImageSubresourceRange ranges[] = {{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                                              {VK_IMAGE_ASPECT_COLOR_BIT, 9, 1, 0, 1}};
    VkCommandBuffer commands = make_recording(b);
    MISTAKE(vkCmdClearColorImage(commands, w->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                 &(VkClearColorValue){{0}}, 2, ranges));
    RIGHT(submit_refused(w, commands); submit_refused(w, w->commands));
})

/* Descriptors, too: the image is in no layout yet, as what transitions it has not been submitted.
 */
static VkCommandBuffer bind_sampling(struct world *w, bool push_too)
{
    VkCommandBuffer commands = make_recording(w->b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      compute_pipeline(w, make_shader_from(w->b, world_code_sample.words,
                                                           world_code_sample.size)));
    bind_refused_set(w, commands);
    if (push_too)
        push_refused(w, commands);
    return commands;
}

/* The fault is found before what is bound, after it, and by none of the hooks that know draws. */
REFUSED(dispatch_by_its_size, ("VUID-vkCmdDispatch-groupCountX-00386"), {
    VkCommandBuffer commands = bind_sampling(w, false);
    MISTAKE(vkCmdDispatch(commands, UINT32_MAX, 1, 1));
    RIGHT(submit_refused(w, commands));
})

REFUSED(dispatch_base_by_its_flag, ("VUID-vkCmdDispatchBase-baseGroupX-00427"), {
    VkCommandBuffer commands = bind_sampling(w, false);
    MISTAKE(vkCmdDispatchBase(commands, 1, 1, 1, 1, 1, 1));
    RIGHT(submit_refused(w, commands));
})

REFUSED(dispatch_indirect_by_its_offset, ("VUID-vkCmdDispatchIndirect-offset-00407"), {
    VkCommandBuffer commands = bind_sampling(w, false);
    MISTAKE(vkCmdDispatchIndirect(commands, w->buffer, WORLD_BYTES));
    RIGHT(submit_refused(w, commands));
})

/* The second dispatch, which is recorded, is reported: it does not count as seen by the first one.
 */
REFUSED(dispatch_after_a_refused_one,
        ("VUID-vkCmdDispatch-groupCountX-00386", "VUID-vkCmdDraw-None-09600"), {
            VkCommandBuffer commands = bind_sampling(w, false);
            const VkSubmitInfo info = submit_info(&commands);
            MISTAKE(vkCmdDispatch(commands, UINT32_MAX, 1, 1));
            RIGHT(vkCmdDispatch(commands, 1, 1, 1); VK(vkEndCommandBuffer(commands)));
            MISTAKE(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
        })

REFUSED(draw_by_its_offset, ("VUID-vkCmdDrawIndirect-drawCount-00487"), {
    struct graphics_pipeline pipeline;
    VkRenderPass pass = make_render_pass(b);
    VkCommandBuffer commands = make_recording(b);
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    begin_graphics_pipeline(b, &pipeline, w->layout, pass);
    pipeline.stages[1].module =
        make_shader_from(b, world_code_sample_fragment.words, world_code_sample_fragment.size);
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(b, &pipeline.info));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set, 0,
                            NULL);
    MISTAKE(vkCmdDrawIndirect(commands, w->buffer, WORLD_BYTES, 1, 0));
    RIGHT(vkCmdEndRenderPass(commands); submit_refused(w, commands));
})

/* --- events and queries --- */

REFUSED(set_event, ("VUID-vkCmdSetEvent-stageMask-01149"), {
    VkEvent event = make_event(b);
    MISTAKE(vkCmdSetEvent(w->commands, event, VK_PIPELINE_STAGE_HOST_BIT));
    RIGHT(vkCmdSetEvent(w->commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
          vkCmdWaitEvents(w->commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
          submit_refused(w, w->commands));
})

REFUSED(reset_event, ("VUID-vkCmdResetEvent-stageMask-01153"), {
    VkEvent event = make_event(b);
    vkCmdSetEvent(w->commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
    everything_before(w);
    MISTAKE(vkCmdResetEvent(w->commands, event, VK_PIPELINE_STAGE_HOST_BIT));
    RIGHT(vkCmdWaitEvents(w->commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                          VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
          submit_refused(w, w->commands));
})

REFUSED(begin_query, ("VUID-vkCmdBeginQuery-queryType-00800"), {
    MISTAKE(vkCmdBeginQuery(w->commands, w->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT));
    RIGHT(vkCmdBeginQuery(w->commands, w->queries, 0, 0); vkCmdEndQuery(w->commands, w->queries, 0);
          submit_refused(w, w->commands));
})

REFUSED(end_query, ("VUID-vkCmdEndQuery-None-07007"), {
    VkRenderPass pass = make_render_pass(b);
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(w->commands);
    vkCmdBeginQuery(w->commands, w->queries, 0, 0);
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    MISTAKE(vkCmdEndQuery(w->commands, w->queries, 0));
    RIGHT(vkCmdEndRenderPass(w->commands); vkCmdEndQuery(w->commands, w->queries, 0);
          submit_refused(w, w->commands));
})

/* --- secondaries --- */

static VkCommandBuffer refused_secondary(struct world *w, bool ended)
{
    static const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBuffer commands = make_command_buffer(w->b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferBeginInfo info = begin_info();
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    info.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(commands, &info));
    vkCmdFillBuffer(commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
    transition_refused(commands, w->image, VK_IMAGE_LAYOUT_GENERAL,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    if (ended)
        VK(vkEndCommandBuffer(commands));
    return commands;
}

REFUSED(execute_commands, ("VUID-vkCmdExecuteCommands-pCommandBuffers-00089"), {
    const VkCommandBuffer list[] = {refused_secondary(w, true), refused_secondary(w, false)};
    bind_filling(w);
    MISTAKE(vkCmdExecuteCommands(w->commands, 2, list));
    /* the state is what it was, and the first one may be executed still */
    RIGHT(vkCmdDispatch(w->commands, 1, 1, 1); operation_clear_image.record(w);
          everything_before(w); vkCmdExecuteCommands(w->commands, 1, list);
          VK(vkEndCommandBuffer(list[1])); submit_refused(w, w->commands));
})

/* --- command buffers --- */

/* In a pool whose command buffers cannot be reset. */
static VkCommandBuffer recording_for_good(struct baseline *b)
{
    const VkCommandBufferBeginInfo info = begin_info();
    VkCommandPoolCreateInfo pool = command_pool_info(b->queue_family);
    VkCommandBuffer commands;
    pool.flags = 0;
    VkCommandBufferAllocateInfo allocation =
        command_buffer_info(create_command_pool(b, &pool), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VK(vkAllocateCommandBuffers(b->device, &allocation, &commands));
    VK(vkBeginCommandBuffer(commands, &info));
    return commands;
}

REFUSED(begin_command_buffer, ("VUID-vkBeginCommandBuffer-commandBuffer-00050"), {
    const VkCommandBufferBeginInfo info = begin_info();
    w->commands = recording_for_good(b);
    bind_filling(w);
    MISTAKE(EXPECT_EQUAL(vkBeginCommandBuffer(w->commands, &info), VK_ERROR_VALIDATION_FAILED_EXT));
    RIGHT(vkCmdDispatch(w->commands, 1, 1, 1); submit_refused(w, w->commands));
})

REFUSED(end_command_buffer, ("VUID-vkEndCommandBuffer-commandBuffer-00060"), {
    begin_refused_drawing(w, false, NULL);
    MISTAKE(EXPECT_EQUAL(vkEndCommandBuffer(w->commands), VK_ERROR_VALIDATION_FAILED_EXT));
    RIGHT(vkCmdDraw(w->commands, 3, 1, 0, 0); vkCmdEndRenderPass(w->commands);
          submit_refused(w, w->commands));
})

REFUSED(reset_command_buffer, ("VUID-vkResetCommandBuffer-commandBuffer-00046"), {
    VkCommandBuffer commands = recording_for_good(b);
    bind_refused_set(w, commands);
    MISTAKE(EXPECT_EQUAL(vkResetCommandBuffer(commands, 0), VK_ERROR_VALIDATION_FAILED_EXT));
    RIGHT(submit_refused(w, commands));
})

/* --- submits --- */

REFUSED(submit_of_two, ("VUID-vkQueueSubmit-pCommandBuffers-00070"), {
    VkCommandBuffer list[] = {make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                              make_recording(b)};
    VkCommandBufferBeginInfo once = begin_info();
    VkSemaphore semaphore = make_semaphore(b);
    VkFence fence = make_fence(b);
    once.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    VK(vkBeginCommandBuffer(list[0], &once));
    transition_refused(list[0], w->image, VK_IMAGE_LAYOUT_UNDEFINED,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VK(vkEndCommandBuffer(list[0]));
    VkSubmitInfo info = submit_info(list);
    info.commandBufferCount = 2;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore;
    MISTAKE(EXPECT_EQUAL(vkQueueSubmit(b->queue, 1, &info, fence), VK_ERROR_VALIDATION_FAILED_EXT));
    info.commandBufferCount = 1;
    RIGHT(EXPECT_EQUAL(vkGetFenceStatus(b->device, fence), VK_NOT_READY);
          VK(vkQueueSubmit(b->queue, 1, &info, fence)); VK(vkQueueWaitIdle(b->queue));
          VK(vkEndCommandBuffer(list[1])));
})

REFUSED(submit2_of_two, ("VUID-vkQueueSubmit2-commandBuffer-03874"), {
    VkCommandBuffer list[] = {make_recording(b), make_recording(b)};
    VkSemaphore semaphore = make_semaphore(b);
    transition_refused(list[0], w->image, VK_IMAGE_LAYOUT_UNDEFINED,
                       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    VK(vkEndCommandBuffer(list[0]));
    const VkCommandBufferSubmitInfo buffers[] = {
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = list[0]},
        {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, .commandBuffer = list[1]},
    };
    const VkSemaphoreSubmitInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                          .semaphore = semaphore};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 2,
                          .pCommandBufferInfos = buffers,
                          .signalSemaphoreInfoCount = 1,
                          .pSignalSemaphoreInfos = &signal};
    MISTAKE(EXPECT_EQUAL(vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE),
                         VK_ERROR_VALIDATION_FAILED_EXT));
    info.commandBufferInfoCount = 1;
    RIGHT(VK(vkQueueSubmit2(b->queue, 1, &info, VK_NULL_HANDLE)); VK(vkQueueWaitIdle(b->queue));
          VK(vkEndCommandBuffer(list[1])));
})

REFUSED(reset_fences, ("VUID-vkResetFences-pFences-01123"), {
    VkFence fence = make_fence(b);
    b->skip = true;
    VK(vkQueueSubmit(b->queue, 0, NULL, fence));
    MISTAKE(EXPECT_EQUAL(vkResetFences(b->device, 1, &fence), VK_ERROR_VALIDATION_FAILED_EXT));
    RIGHT(VK(vkWaitForFences(b->device, 1, &fence, VK_TRUE, UINT64_MAX));
          VK(vkResetFences(b->device, 1, &fence)));
})

/* --- descriptors --- */

/* The first write of the two is right. The set was not updated, so that what it is bound to stays
 * valid. */
REFUSED(update_sets, ("VUID-VkWriteDescriptorSet-descriptorType-00331"), {
    const VkDescriptorBufferInfo right = {w->other_buffer, 0, VK_WHOLE_SIZE};
    const VkDescriptorBufferInfo wrong = {make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT), 0,
                                          VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[2] = {write_buffer(w->set, &right),
                                            write_buffer(w->set, &wrong)};
    bind_filling(w);
    vkCmdDispatch(w->commands, 1, 1, 1);
    MISTAKE(vkUpdateDescriptorSets(b->device, 2, writes, 0, NULL));
    RIGHT(submit_refused(w, w->commands));
})

/* --- memory --- */

REFUSED(bind_buffer_memory, ("VUID-vkBindBufferMemory-memoryOffset-01031"), {
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(b->device, buffer, &needed);
    VkMemoryAllocateInfo info =
        memory_info(needed.size, (uint32_t)__builtin_ctz(needed.memoryTypeBits));
    VkDeviceMemory memory = create_memory(b, &info);
    MISTAKE((void)vkBindBufferMemory(b->device, buffer, memory, needed.size));
    RIGHT(VK(vkBindBufferMemory(b->device, buffer, memory, 0)));
})

REFUSED(bind_image_memory, ("VUID-vkBindImageMemory-memoryOffset-01046"), {
    VkImage image = make_unbound_image(b);
    VkMemoryRequirements needed;
    vkGetImageMemoryRequirements(b->device, image, &needed);
    VkMemoryAllocateInfo info =
        memory_info(needed.size, (uint32_t)__builtin_ctz(needed.memoryTypeBits));
    VkDeviceMemory memory = create_memory(b, &info);
    MISTAKE((void)vkBindImageMemory(b->device, image, memory,
                                    (needed.size / needed.alignment + 1) * needed.alignment));
    RIGHT(VK(vkBindImageMemory(b->device, image, memory, 0)));
})

REFUSED(map_memory, ("VUID-vkMapMemory-offset-00679"), {
    VkDeviceMemory memory = make_memory(b, 4096);
    void *data = NULL;
    MISTAKE((void)vkMapMemory(b->device, memory, 1 << 20, VK_WHOLE_SIZE, 0, &data));
    RIGHT(VK(vkMapMemory(b->device, memory, 0, VK_WHOLE_SIZE, 0, &data));
          vkUnmapMemory(b->device, memory));
})

/* --- the ends of objects --- */

REFUSED(destroy, ("VUID-vkDestroyBuffer-buffer-00924"), {
    MISTAKE(vkDestroyBuffer(b->device, w->buffer, allocator()));
    RIGHT(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          submit_refused(w, w->commands));
})

/* --- accesses: with validate_sync, each would race with the one after it --- */

REFUSED(copy_buffer, ("VUID-vkCmdCopyBuffer-size-00116"), {
    const VkBufferCopy regions[] = {{0, 0, 64}, {0, 64, WORLD_BYTES}};
    MISTAKE(vkCmdCopyBuffer(w->commands, w->other_buffer, w->buffer, 2, regions));
    RIGHT(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          submit_refused(w, w->commands));
})

REFUSED(dispatch_that_writes, ("VUID-vkCmdDispatch-groupCountX-00386"), {
    bind_filling(w);
    MISTAKE(vkCmdDispatch(w->commands, UINT32_MAX, 1, 1));
    RIGHT(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          submit_refused(w, w->commands));
})

REFUSED(draw_that_reads, ("VUID-vkCmdDrawIndirect-drawCount-00487"), {
    begin_refused_drawing(w, true, NULL);
    vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer, &(VkDeviceSize){0});
    MISTAKE(vkCmdDrawIndirect(w->commands, w->other_buffer, WORLD_BYTES, 1, 0));
    RIGHT(vkCmdEndRenderPass(w->commands);
          vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          submit_refused(w, w->commands));
})

REFUSED(rendering_that_clears, ("VUID-VkRenderingInfo-viewMask-06069"), {
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    VkRenderingInfo info = rendering_info(&color);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.layerCount = 0;
    MISTAKE(vkCmdBeginRendering(w->commands, &info));
    RIGHT(operation_clear_image.record(w); submit_refused(w, w->commands));
})

/* A barrier that did not happen orders nothing, and neither does the setting of an event. */
SCENARIO(barrier_that_would_order, .features = &world_features, .settings = {"validate_sync=true"},
         .expect = {"VUID-vkCmdPipelineBarrier-srcAccessMask-02815",
                    "SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    MISTAKE(vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                                 &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                                    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                                    .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT},
                                 0, NULL, 0, NULL));
    MISTAKE(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0));
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    RIGHT(vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
          submit_refused(w, w->commands));
}

/* hazards that a callback refuses: the access has not happened, and what was there before it is
 * known still */

#define DO(which_) operation_##which_.record(w)
/* `second_` races with `first_`. After a barrier for `first_` alone `third_` is right; without one
 * it races with it. */
#define RACING(kind_, first_, second_, third_id_, third_)                                       \
    SCENARIO(racing_##second_, .features = &world_features, .settings = {"validate_sync=true"}, \
             .expect = {"SYNC-HAZARD-" kind_})                                                  \
    {                                                                                           \
        struct world world, *w = &world;                                                        \
        world_begin(b, w);                                                                      \
        DO(first_);                                                                             \
        MISTAKE(DO(second_));                                                                   \
        world_barrier(w, &operation_##first_, &operation_##third_, true);                       \
        RIGHT(DO(third_); VK(vkEndCommandBuffer(w->commands)));                                 \
    }                                                                                           \
    SCENARIO(racing_##second_##_leaves_what_was, .features = &world_features,                   \
             .settings = {"validate_sync=true"},                                                \
             .expect = {"SYNC-HAZARD-" kind_, "SYNC-HAZARD-" third_id_},                        \
             .text = {"by " COMMAND_##first_ " (command "})                                     \
    {                                                                                           \
        struct world world, *w = &world;                                                        \
        world_begin(b, w);                                                                      \
        DO(first_);                                                                             \
        MISTAKE(DO(second_));                                                                   \
        MISTAKE(DO(second_));                                                                   \
        MISTAKE(DO(third_));                                                                    \
        VK(vkEndCommandBuffer(w->commands));                                                    \
    }
#define COMMAND_copy_to_buffer "vkCmdCopyBuffer"
#define COMMAND_fill_buffer    "vkCmdFillBuffer"
#define COMMAND_write_image    "vkCmdCopyBufferToImage"
#define COMMAND_clear_image    "vkCmdClearColorImage"
#define WRITE_OVER(second_) \
    RACING("WRITE-AFTER-WRITE", copy_to_buffer, second_, "READ-AFTER-WRITE", buffer_to_image)
#define READ_OF(second_) \
    RACING("READ-AFTER-WRITE", fill_buffer, second_, "WRITE-AFTER-WRITE", update_buffer)
WRITE_OVER(fill_buffer)
WRITE_OVER(update_buffer)
WRITE_OVER(dispatch_write)
WRITE_OVER(draw_store)
READ_OF(copy_from_buffer)
READ_OF(copy2_from_buffer)
READ_OF(buffer_to_image)
READ_OF(dispatch_read)
READ_OF(dispatch_uniform)
READ_OF(dispatch_indirect)
READ_OF(draw_vertices)
READ_OF(draw_indices)
READ_OF(draw_indirect)
RACING("WRITE-AFTER-WRITE", write_image, clear_image, "READ-AFTER-WRITE", read_image)
RACING("WRITE-AFTER-WRITE", write_image, blit_to, "READ-AFTER-WRITE", read_image)
RACING("WRITE-AFTER-WRITE", write_image, dispatch_store, "READ-AFTER-WRITE", read_image)
RACING("READ-AFTER-WRITE", clear_image, dispatch_sample, "WRITE-AFTER-WRITE", write_image)
RACING("READ-AFTER-WRITE", clear_image, draw_sample, "WRITE-AFTER-WRITE", write_image)

/* The copy reads one buffer, with nothing wrong, and writes the other one too early: neither has
 * happened. */
SCENARIO(racing_half_of_a_copy, .features = &world_features, .settings = {"validate_sync=true"},
         .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    DO(fill_buffer);
    MISTAKE(DO(copy_to_buffer));
    RIGHT(vkCmdFillBuffer(w->commands, w->other_buffer, 0, VK_WHOLE_SIZE, 0);
          VK(vkEndCommandBuffer(w->commands)));
}

/* The first access of a refused command is not compared with what was submitted before. */
SCENARIO(racing_command_and_a_submit, .features = &world_features,
         .settings = {"validate_sync=true"}, .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    struct world world, *w = &world;
    world_begin(b, w);
    VkCommandBuffer first = w->commands;
    vkCmdFillBuffer(first, w->other_buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(first));
    w->commands = make_recording(b);
    DO(fill_buffer);
    MISTAKE(DO(copy_to_buffer)); /* would read what `first` fills */
    VK(vkEndCommandBuffer(w->commands));
    const VkCommandBuffer both[] = {first, w->commands};
    VkSubmitInfo info = submit_info(both);
    info.commandBufferCount = 2;
    RIGHT(VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE)); VK(vkQueueWaitIdle(b->queue)));
}

/* --- kinds of state that extensions have --- */

/* Needs the extension, with and without validate_sync. */
#define RUN_EXTENDED(name_, ids_, with_, ...)                                                \
    SCENARIO(name_, .expect = {LIST ids_}, .api_version = VK_API_VERSION_1_3, ##__VA_ARGS__) \
    {                                                                                        \
        with_(b);                                                                            \
    }
#define EXTENDED(name_, ids_, fields_, ...)                         \
    static void do_##name_(struct baseline *b)                      \
    {                                                               \
        __VA_ARGS__;                                                \
    }                                                               \
    RUN_EXTENDED(name_, ids_, do_##name_, LIST fields_)             \
    RUN_EXTENDED(name_##_with_sync, ids_, do_##name_, LIST fields_, \
                 .settings = {"validate_sync=true"})

static void push_buffer(struct baseline *b, VkCommandBuffer commands, VkPipelineLayout layout,
                        VkBuffer buffer)
{
    const VkDescriptorBufferInfo info = {buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, &info);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0,
                                              1, &write);
}

/* The descriptor that was pushed before is there still: the dispatch reads no buffer that cannot be
 * a storage buffer. */
EXTENDED(push_descriptors,
         ("VUID-VkWriteDescriptorSet-descriptorType-00331", "VUID-vkCmdDispatch-None-08600"),
         (.extensions = {"VK_KHR_push_descriptor"}), {
             static const VkDescriptorSetLayoutBinding binding = {
                 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
             const VkBuffer right = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
             const VkBuffer wrong = make_buffer(b, 256, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
             VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
             VkCommandBuffer commands = make_recording(b);
             info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT;
             info.bindingCount = 1;
             info.pBindings = &binding;
             VkPipelineLayout layout =
                 make_pipeline_layout(b, create_descriptor_set_layout(b, &info));
             vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                               make_compute_pipeline(b, layout));
             vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 16,
                                (const uint32_t[4]){0});
             MISTAKE(push_buffer(b, commands, layout, wrong));
             MISTAKE(vkCmdDispatch(commands, 1, 1, 1));
             push_buffer(b, commands, layout, right);
             MISTAKE(push_buffer(b, commands, layout, wrong));
             RIGHT(vkCmdDispatch(commands, 1, 1, 1); run_commands(b, commands));
         })

static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .conditionalRendering = VK_TRUE};

static void begin_refused_condition(struct baseline *b, VkCommandBuffer commands, VkBuffer buffer,
                                    VkDeviceSize offset)
{
    const VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = buffer,
        .offset = offset};
    DEVICE_PROC(b, vkCmdBeginConditionalRenderingEXT)(commands, &info);
}

/* Its predicate is not read, and there is nothing to be ended. */
EXTENDED(begin_conditional_rendering,
         ("VUID-VkConditionalRenderingBeginInfoEXT-offset-01984",
          "VUID-vkCmdEndConditionalRenderingEXT-None-01985"),
         (.drivers = NULL_DRIVER, .features = &conditional,
          .extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME}),
         {
             const VkBuffer buffer = make_buffer(b, 64,
                                                 VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT);
             VkCommandBuffer commands = make_recording(b);
             MISTAKE(begin_refused_condition(b, commands, buffer, 2));
             MISTAKE(DEVICE_PROC(b, vkCmdEndConditionalRenderingEXT)(commands));
             RIGHT(vkCmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, 0);
                   run_commands(b, commands));
         })

static const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
    .timelineSemaphore = VK_TRUE};

static VkResult submit_value(struct baseline *b, VkSemaphore semaphore, uint64_t value,
                             VkCommandBuffer commands)
{
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value};
    VkSubmitInfo info = submit_info(&commands);
    info.pNext = &values;
    info.commandBufferCount = commands ? 1 : 0;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &semaphore;
    return vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
}

/* A value that was not submitted is none that later ones must be greater than. */
EXTENDED(submit_of_a_timeline_value, ("VUID-vkQueueSubmit-pCommandBuffers-00070"),
         (.features = &timeline), {
             VkSemaphore semaphore = make_timeline_semaphore(b, 1);
             VkCommandBuffer commands = make_recording(b);
             uint64_t value = 0;
             MISTAKE(EXPECT_EQUAL(submit_value(b, semaphore, 9, commands),
                                  VK_ERROR_VALIDATION_FAILED_EXT));
             RIGHT(VK(submit_value(b, semaphore, 3, VK_NULL_HANDLE)); VK(vkQueueWaitIdle(b->queue));
                   VK(vkGetSemaphoreCounterValue(b->device, semaphore, &value)));
             EXPECT_EQUAL(value, 3);
         })

EXTENDED(signal_of_a_timeline_value, ("VUID-VkSemaphoreSignalInfo-value-03258"),
         (.features = &timeline), {
             VkSemaphore semaphore = make_timeline_semaphore(b, 5);
             VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                           .semaphore = semaphore,
                                           .value = 4};
             uint64_t value = 0;
             MISTAKE(EXPECT_EQUAL(vkSignalSemaphore(b->device, &info),
                                  VK_ERROR_VALIDATION_FAILED_EXT));
             info.value = 6;
             RIGHT(VK(vkSignalSemaphore(b->device, &info));
                   VK(vkGetSemaphoreCounterValue(b->device, semaphore, &value)));
             EXPECT_EQUAL(value, 6);
         })
