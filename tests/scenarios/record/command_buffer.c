/* Checks where in a command buffer a command may stand: recording state, queue family of its pool,
 * level, render pass, video coding scope. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

/* Recording state. */

SCENARIO(draw_not_begun, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-recording"},
         .text = {"commandBuffer"})
{
    vkCmdSetLineWidth(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 1.0f);
}

SCENARIO(barrier_not_begun, .expect = {"VUID-vkCmdPipelineBarrier-commandBuffer-recording"})
{
    vkCmdPipelineBarrier(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                         0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(record_after_end, .expect = {"VUID-vkCmdSetDepthBias-commandBuffer-recording"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VK(vkEndCommandBuffer(command_buffer));
    vkCmdSetDepthBias(command_buffer, 0, 0, 0);
}

SCENARIO(record_after_reset, .expect = {"VUID-vkCmdFillBuffer-commandBuffer-recording"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    VK(vkResetCommandBuffer(command_buffer, 0));
    vkCmdFillBuffer(command_buffer, buffer, 0, VK_WHOLE_SIZE, 0);
}

SCENARIO(record_after_pool_reset, .expect = {"VUID-vkCmdSetScissor-commandBuffer-recording"})
{
    VkCommandPool pool = make_command_pool(b);
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer command_buffer;
    VkRect2D scissor = {.extent = {1, 1}};
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    VK(vkResetCommandPool(b->device, pool, 0));
    vkCmdSetScissor(command_buffer, 0, 1, &scissor);
}

SCENARIO(record_again_after_begin)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkCommandBufferBeginInfo begin = begin_info();
    VK(vkEndCommandBuffer(command_buffer));
    VK(vkBeginCommandBuffer(command_buffer, &begin));
    vkCmdSetLineWidth(command_buffer, 1.0f);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(label_not_begun, .expect = {"VUID-vkCmdInsertDebugUtilsLabelEXT-commandBuffer-recording"})
{
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = "here"};
    INSTANCE_PROC(b, vkCmdInsertDebugUtilsLabelEXT)
    (make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &label);
}

SCENARIO(barrier2_not_begun, .expect = {"VUID-vkCmdPipelineBarrier2-commandBuffer-recording"},
         .features = &features13)
{
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    vkCmdPipelineBarrier2(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &info);
}

/* Anything else that is wrong with the command is another mistake. */
SCENARIO(fill_badly_before_it_begins, .expect = {"VUID-vkCmdFillBuffer-commandBuffer-recording",
                                                 "VUID-vkCmdFillBuffer-dstOffset-00025"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdFillBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), buffer, 2,
                    VK_WHOLE_SIZE, 0);
}
SCENARIO(fill_badly_in_a_pass,
         .expect = {"VUID-vkCmdFillBuffer-renderpass", "VUID-vkCmdFillBuffer-dstBuffer-00029"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdFillBuffer(command_buffer, buffer, 0, VK_WHOLE_SIZE, 0);
}
SCENARIO(dispatch_before_it_begins,
         .expect = {"VUID-vkCmdDispatch-commandBuffer-recording", "VUID-vkCmdDispatch-None-08606"})
{
    vkCmdDispatch(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 1, 1, 1);
}
SCENARIO(draw_before_it_begins,
         .expect = {"VUID-vkCmdDraw-commandBuffer-recording", "VUID-vkCmdDraw-renderpass",
                    "VUID-vkCmdDraw-None-08606"})
{
    vkCmdDraw(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 3, 1, 0, 0);
}
SCENARIO(dispatch_after_a_reset,
         .expect = {"VUID-vkCmdDispatch-commandBuffer-recording", "VUID-vkCmdDispatch-None-08606"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
    VK(vkResetCommandBuffer(command_buffer, 0));
    vkCmdDispatch(command_buffer, 1, 1, 1);
}
/* A pipeline was bound, if too early; and what an earlier recording has bound says nothing. */
SCENARIO(dispatch_with_a_pipeline_before_it_begins, .proceed = true, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdBindPipeline-commandBuffer-recording",
                    "VUID-vkCmdDispatch-commandBuffer-recording", "VUID-vkCmdDispatch-None-08600",
                    "VUID-vkCmdDispatch-None-08601"})
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, make_any_compute_pipeline(b));
    vkCmdDispatch(command_buffer, 1, 1, 1);
}
SCENARIO(dispatch_after_the_end, .expect = {"VUID-vkCmdDispatch-commandBuffer-recording"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VK(vkEndCommandBuffer(command_buffer));
    vkCmdDispatch(command_buffer, 1, 1, 1);
}

/* The queue family of the pool. The null driver has families that do one thing. */

static VkCommandBuffer record_on(struct baseline *b, VkQueueFlags with, VkQueueFlags without)
{
    uint32_t family = find_queue_family(b->physical_device, with, without);
    ENSURE(family != UINT32_MAX);
    return make_recording_of(b, family);
}

static VkCommandBuffer record_transfer(struct baseline *b)
{
    return record_on(b, VK_QUEUE_TRANSFER_BIT, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT);
}

static VkCommandBuffer record_compute(struct baseline *b)
{
    return record_on(b, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
}

SCENARIO(line_width_on_transfer_queue, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-cmdpool"},
         .text = {"VK_QUEUE_GRAPHICS_BIT"}, .drivers = NULL_DRIVER)
{
    vkCmdSetLineWidth(record_transfer(b), 1.0f);
}

SCENARIO(line_width_on_compute_queue, .expect = {"VUID-vkCmdSetLineWidth-commandBuffer-cmdpool"},
         .drivers = NULL_DRIVER)
{
    vkCmdSetLineWidth(record_compute(b), 1.0f);
}

SCENARIO(dispatch_on_transfer_queue, .expect = {"VUID-vkCmdDispatchBase-commandBuffer-cmdpool"},
         .drivers = NULL_DRIVER,
         .ours_only = true /* the peer also misses the pipeline that no transfer queue can bind */)
{
    vkCmdDispatchBase(record_transfer(b), 0, 0, 0, 1, 1, 1);
}

SCENARIO(push_constants_on_transfer_queue,
         .expect = {"VUID-vkCmdPushConstants-commandBuffer-cmdpool"}, .drivers = NULL_DRIVER)
{
    uint32_t value = 0;
    vkCmdPushConstants(record_transfer(b), make_empty_pipeline_layout(b), VK_SHADER_STAGE_ALL, 0,
                       sizeof(value), &value);
}

SCENARIO(blend_constants_on_compute_queue,
         .expect = {"VUID-vkCmdSetBlendConstants-commandBuffer-cmdpool"}, .drivers = NULL_DRIVER)
{
    const float constants[4] = {0};
    vkCmdSetBlendConstants(record_compute(b), constants);
}

SCENARIO(render_pass_on_compute_queue,
         .expect = {"VUID-vkCmdBeginRenderPass-commandBuffer-cmdpool"}, .drivers = NULL_DRIVER)
{
    begin_rendering(b, record_compute(b));
}

SCENARIO(dynamic_rendering_on_transfer_queue,
         .expect = {"VUID-vkCmdBeginRendering-commandBuffer-cmdpool"}, .drivers = NULL_DRIVER,
         .features = &features13)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(record_transfer(b), &info);
}

SCENARIO(copies_on_transfer_queue, .drivers = NULL_DRIVER)
{
    VkBuffer source = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBufferCopy region = {.size = 64};
    VkCommandBuffer command_buffer = record_transfer(b);
    vkCmdCopyBuffer(command_buffer, source, target, 1, &region);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(dispatch_on_compute_queue, .drivers = NULL_DRIVER)
{
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    uint32_t offset = 0;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    VkPipeline pipeline = make_compute_pipeline(b, layout);
    VkCommandBuffer command_buffer = record_compute(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdPushConstants(command_buffer, layout, VK_SHADER_STAGE_ALL, 0, sizeof(offset), &offset);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    VK(vkEndCommandBuffer(command_buffer));
}

/* Level. */

static VkCommandBuffer record_empty_secondary(struct baseline *b)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}

static VkCommandBuffer record_continuing(struct baseline *b, VkRenderPass render_pass)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = render_pass};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}

SCENARIO(render_pass_in_secondary, .expect = {"VUID-vkCmdBeginRenderPass-bufferlevel"},
         .text = {"primary"})
{
    begin_rendering(b, record_empty_secondary(b));
}

SCENARIO(end_render_pass_in_secondary, .expect = {"VUID-vkCmdEndRenderPass-bufferlevel"})
{
    vkCmdEndRenderPass(record_continuing(b, make_render_pass(b)));
}

SCENARIO(dynamic_rendering_in_secondary, .features = &features13)
{
    VkRenderingInfo info = rendering_info(NULL);
    info.colorAttachmentCount = 0;
    VkCommandBuffer secondary = record_empty_secondary(b);
    vkCmdBeginRendering(secondary, &info);
    vkCmdEndRendering(secondary);
    VK(vkEndCommandBuffer(secondary));
}

SCENARIO(execute_secondary)
{
    VkCommandBuffer secondary = record_empty_secondary(b), primary = make_recording(b);
    vkCmdFillBuffer(secondary, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0,
                    VK_WHOLE_SIZE, 1);
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(primary, 1, &secondary);
    run_commands(b, primary);
}

/* Render pass scope. */

SCENARIO(end_without_begin, .expect = {"VUID-vkCmdEndRenderPass-renderpass"},
         .text = {"render pass"})
{
    vkCmdEndRenderPass(make_recording(b));
}

SCENARIO(end_rendering_without_begin, .expect = {"VUID-vkCmdEndRendering-renderpass"},
         .features = &features13)
{
    vkCmdEndRendering(make_recording(b));
}

SCENARIO(begin_twice, .expect = {"VUID-vkCmdBeginRenderPass-renderpass"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    begin_rendering(b, command_buffer);
}

SCENARIO(next_subpass_outside, .expect = {"VUID-vkCmdNextSubpass-renderpass"})
{
    vkCmdNextSubpass(make_recording(b), VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(clear_attachments_outside, .expect = {"VUID-vkCmdClearAttachments-renderpass"})
{
    VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkClearRect rect = {.rect.extent = {1, 1}, .layerCount = 1};
    vkCmdClearAttachments(make_recording(b), 1, &attachment, 1, &rect);
}

SCENARIO(copy_inside, .expect = {"VUID-vkCmdCopyBuffer-renderpass"}, .text = {"render pass"})
{
    VkBuffer source = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBufferCopy region = {.size = 64};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdCopyBuffer(command_buffer, source, target, 1, &region);
}

SCENARIO(fill_inside, .expect = {"VUID-vkCmdFillBuffer-renderpass"})
{
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdFillBuffer(command_buffer, target, 0, VK_WHOLE_SIZE, 0);
}

SCENARIO(set_event_inside, .expect = {"VUID-vkCmdSetEvent-renderpass"})
{
    VkEvent event = make_event(b);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdSetEvent(command_buffer, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

SCENARIO(reset_queries_inside, .expect = {"VUID-vkCmdResetQueryPool-renderpass"})
{
    VkQueryPool pool = make_query_pool(b);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
}

SCENARIO(update_inside_dynamic, .expect = {"VUID-vkCmdUpdateBuffer-renderpass"},
         .features = &features13)
{
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    uint32_t value = 0;
    VkRenderingInfo info = rendering_info(NULL);
    info.colorAttachmentCount = 0;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdUpdateBuffer(command_buffer, target, 0, sizeof(value), &value);
}

SCENARIO(clear_image_in_continuing_secondary, .expect = {"VUID-vkCmdClearColorImage-renderpass"})
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    VkClearColorValue color = {.float32 = {0}};
    VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(record_continuing(b, make_render_pass(b)), image, VK_IMAGE_LAYOUT_GENERAL,
                         &color, 1, &range);
}

SCENARIO(copy_after_end)
{
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdEndRenderPass(command_buffer);
    vkCmdFillBuffer(command_buffer, target, 0, VK_WHOLE_SIZE, 0);
    run_commands(b, command_buffer);
}

/* The scope is the command buffer's, not the pool's or the thread's. */
SCENARIO(two_command_buffers_interleaved)
{
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    begin_rendering(b, first);
    vkCmdFillBuffer(second, target, 0, VK_WHOLE_SIZE, 0);
    vkCmdEndRenderPass(first);
    run_commands(b, first);
    run_commands(b, second);
}

/* A resuming instance is not one between those that are suspended; what follows it is not, either.
 */
SCENARIO(rendering_suspended_and_resumed, .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .flags = VK_RENDERING_SUSPENDING_BIT,
                            .renderArea = {.extent = {1, 1}},
                            .layerCount = 1};
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    vkCmdSetLineWidth(command_buffer, 1.0f);
    info.flags = VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT;
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    info.flags = VK_RENDERING_RESUMING_BIT;
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    vkCmdFillBuffer(command_buffer, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 64, 0);
    run_commands(b, command_buffer);
}

SCENARIO(rendering_suspended_and_begun_anew, .expect = {"VUID-vkCmdBeginRendering-suspended"},
         .features = &features13)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                            .flags = VK_RENDERING_SUSPENDING_BIT,
                            .renderArea = {.extent = {1, 1}},
                            .layerCount = 1};
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    info.flags = 0;
    vkCmdBeginRendering(command_buffer, &info);
}

SCENARIO(rendering_suspended, .expect = {"VUID-vkCmdFillBuffer-suspended"}, .features = &features13)
{
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    info.flags = VK_RENDERING_SUSPENDING_BIT;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdEndRendering(command_buffer);
    vkCmdFillBuffer(command_buffer, target, 0, VK_WHOLE_SIZE, 0);
}

/* Video coding scope. */

#define VIDEO               \
    .drivers = NULL_DRIVER, \
    .extensions = {VK_KHR_VIDEO_QUEUE_EXTENSION_NAME, VK_KHR_VIDEO_DECODE_QUEUE_EXTENSION_NAME}

SCENARIO(end_video_coding_outside, .expect = {"VUID-vkCmdEndVideoCodingKHR-videocoding"}, VIDEO,
         .features = &features13)
{
    VkVideoEndCodingInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    DEVICE_PROC(b, vkCmdEndVideoCodingKHR)(record_on(b, VK_QUEUE_VIDEO_DECODE_BIT_KHR,
                                                     VK_QUEUE_GRAPHICS_BIT),
                                           &info);
}

SCENARIO(control_video_coding_outside, .expect = {"VUID-vkCmdControlVideoCodingKHR-videocoding"},
         VIDEO, .features = &features13)
{
    VkVideoCodingControlInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_CODING_CONTROL_INFO_KHR,
                                        .flags = VK_VIDEO_CODING_CONTROL_RESET_BIT_KHR};
    DEVICE_PROC(b, vkCmdControlVideoCodingKHR)(record_on(b, VK_QUEUE_VIDEO_DECODE_BIT_KHR,
                                                         VK_QUEUE_GRAPHICS_BIT),
                                               &info);
}

SCENARIO(video_coding_on_graphics_queue,
         .expect = {"VUID-vkCmdEndVideoCodingKHR-commandBuffer-cmdpool"}, VIDEO,
         .features = &features13)
{
    VkVideoEndCodingInfoKHR info = {.sType = VK_STRUCTURE_TYPE_VIDEO_END_CODING_INFO_KHR};
    DEVICE_PROC(b, vkCmdEndVideoCodingKHR)(record_on(b, VK_QUEUE_COMPUTE_BIT,
                                                     VK_QUEUE_VIDEO_DECODE_BIT_KHR),
                                           &info);
}
