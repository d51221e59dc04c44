/* Handles that are not alive, recorded into command buffers and submitted to queues; command
 * buffers and their pools. */
#include "scenario.h"

/* Destroy last: with the driver's own handles, what is created afterwards may get the handle of the
 * dead. */
#define GONE(Type_, name_, make_)                     \
    static Vk##Type_ gone_##name_(struct baseline *b) \
    {                                                 \
        Vk##Type_ handle = make_;                     \
        FORGET(b, handle);                            \
        vkDestroy##Type_(b->device, handle, NULL);    \
        return handle;                                \
    }
GONE(Buffer, buffer, make_unbound_buffer(b))
GONE(Image, image, make_unbound_image(b))
GONE(Pipeline, pipeline, make_any_compute_pipeline(b))
GONE(PipelineLayout, pipeline_layout, make_empty_pipeline_layout(b))
GONE(Event, event, make_event(b))
GONE(QueryPool, query_pool, make_query_pool(b))
GONE(RenderPass, render_pass, make_render_pass(b))
GONE(Framebuffer, framebuffer, make_any_framebuffer(b))
GONE(Semaphore, semaphore, make_semaphore(b))
GONE(Fence, fence, make_fence(b))

SCENARIO(bind_destroyed_pipeline, .expect = {"VUID-vkCmdBindPipeline-pipeline-parameter"},
         .text = {"pipeline"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, gone_pipeline(b));
}

SCENARIO(bind_null_pipeline, .expect = {"VUID-vkCmdBindPipeline-pipeline-parameter"},
         .text = {"pipeline is VK_NULL_HANDLE"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE);
}

SCENARIO(bind_sets_with_destroyed_layout,
         .expect = {"VUID-vkCmdBindDescriptorSets-layout-parameter"})
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                            gone_pipeline_layout(b), 0, 1, &set, 0, NULL);
}

SCENARIO(bind_garbage_set, .expect = {"VUID-vkCmdBindDescriptorSets-pDescriptorSets-parameter"},
         .text = {"pDescriptorSets[0]"})
{
    VkPipelineLayout layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    VkDescriptorSet set = GARBAGE(VkDescriptorSet);
    vkCmdBindDescriptorSets(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set,
                            0, NULL);
}

SCENARIO(bind_destroyed_vertex_buffer, .expect = {"VUID-vkCmdBindVertexBuffers-pBuffers-parameter"},
         .text = {"pBuffers[1]"})
{
    VkBuffer buffers[] = {make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), gone_buffer(b)};
    VkDeviceSize offsets[] = {0, 0};
    vkCmdBindVertexBuffers(make_recording(b), 0, 2, buffers, offsets);
}

SCENARIO(bind_destroyed_index_buffer, .expect = {"VUID-vkCmdBindIndexBuffer-buffer-parameter"})
{
    vkCmdBindIndexBuffer(make_recording(b), gone_buffer(b), 0, VK_INDEX_TYPE_UINT16);
}

SCENARIO(copy_from_destroyed_buffer, .expect = {"VUID-vkCmdCopyBuffer-srcBuffer-parameter"},
         .text = {"srcBuffer"})
{
    VkBufferCopy region = {.size = 16};
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdCopyBuffer(make_recording(b), gone_buffer(b), target, 1, &region);
}

SCENARIO(copy_to_an_image_as_buffer, .expect = {"VUID-vkCmdCopyBuffer-dstBuffer-parameter"},
         .text = {"dstBuffer", "VkImage"})
{
    VkBufferCopy region = {.size = 16};
    VkBuffer source = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    vkCmdCopyBuffer(make_recording(b), source, (VkBuffer)(uintptr_t)HANDLE(make_unbound_image(b)),
                    1, &region);
}

SCENARIO(copy2_from_destroyed_buffer, .expect = {"VUID-VkCopyBufferInfo2-srcBuffer-parameter"},
         .text = {"pCopyBufferInfo->srcBuffer"})
{
    VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = 16};
    VkBuffer target = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                              .srcBuffer = gone_buffer(b),
                              .dstBuffer = target,
                              .regionCount = 1,
                              .pRegions = &region};
    vkCmdCopyBuffer2(make_recording(b), &info);
}

SCENARIO(fill_destroyed_buffer, .expect = {"VUID-vkCmdFillBuffer-dstBuffer-parameter"})
{
    vkCmdFillBuffer(make_recording(b), gone_buffer(b), 0, VK_WHOLE_SIZE, 0);
}

SCENARIO(update_destroyed_buffer, .expect = {"VUID-vkCmdUpdateBuffer-dstBuffer-parameter"})
{
    uint32_t value = 1;
    vkCmdUpdateBuffer(make_recording(b), gone_buffer(b), 0, sizeof(value), &value);
}

SCENARIO(clear_destroyed_image, .expect = {"VUID-vkCmdClearColorImage-image-parameter"})
{
    VkClearColorValue color = {.float32 = {0}};
    VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(make_recording(b), gone_image(b), VK_IMAGE_LAYOUT_GENERAL, &color, 1,
                         &range);
}

SCENARIO(barrier_on_destroyed_image, .expect = {"VUID-VkImageMemoryBarrier-image-parameter"},
         .text = {"pImageMemoryBarriers[0].image"})
{
    VkImageMemoryBarrier barrier =
        image_barrier(gone_image(b), VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(barrier2_on_destroyed_buffer, .expect = {"VUID-VkBufferMemoryBarrier2-buffer-parameter"},
         .text = {"pDependencyInfo->pBufferMemoryBarriers[0].buffer"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .synchronization2 = VK_TRUE})
{
    VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                      .buffer = gone_buffer(b),
                                      .size = VK_WHOLE_SIZE};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .bufferMemoryBarrierCount = 1,
                             .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

SCENARIO(set_destroyed_event_on_device, .expect = {"VUID-vkCmdSetEvent-event-parameter"})
{
    vkCmdSetEvent(make_recording(b), gone_event(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

SCENARIO(wait_for_destroyed_event, .expect = {"VUID-vkCmdWaitEvents-pEvents-parameter"},
         .text = {"pEvents[0]"})
{
    VkEvent event = gone_event(b);
    vkCmdWaitEvents(make_recording(b), 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(begin_destroyed_query, .expect = {"VUID-vkCmdBeginQuery-queryPool-parameter"})
{
    vkCmdBeginQuery(make_recording(b), gone_query_pool(b), 0, 0);
}

SCENARIO(reset_destroyed_queries, .expect = {"VUID-vkCmdResetQueryPool-queryPool-parameter"})
{
    vkCmdResetQueryPool(make_recording(b), gone_query_pool(b), 0, 1);
}

SCENARIO(timestamp_in_garbage_pool, .expect = {"VUID-vkCmdWriteTimestamp-queryPool-parameter"})
{
    vkCmdWriteTimestamp(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, GARBAGE(VkQueryPool),
                        0);
}

SCENARIO(begin_destroyed_render_pass, .expect = {"VUID-VkRenderPassBeginInfo-renderPass-parameter"},
         .text = {"pRenderPassBegin->renderPass"})
{
    VkFramebuffer framebuffer = make_any_framebuffer(b);
    VkRenderPassBeginInfo info = render_pass_begin_info(gone_render_pass(b), framebuffer);
    vkCmdBeginRenderPass(make_recording(b), &info, VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(begin_destroyed_framebuffer,
         .expect = {"VUID-VkRenderPassBeginInfo-framebuffer-parameter"},
         .text = {"pRenderPassBegin->framebuffer"})
{
    VkRenderPass render_pass = make_render_pass(b);
    VkRenderPassBeginInfo info = render_pass_begin_info(render_pass, gone_framebuffer(b));
    vkCmdBeginRenderPass(make_recording(b), &info, VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(render_to_garbage_view, .expect = {"VUID-VkRenderingAttachmentInfo-imageView-parameter"},
         .text = {"pRenderingInfo->pColorAttachments[0].imageView"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .dynamicRendering = VK_TRUE})
{
    VkRenderingAttachmentInfo color = rendering_attachment(GARBAGE(VkImageView));
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(make_recording(b), &info);
}

SCENARIO(push_constants_with_destroyed_layout,
         .expect = {"VUID-vkCmdPushConstants-layout-parameter"})
{
    uint32_t value = 0;
    vkCmdPushConstants(make_recording(b), gone_pipeline_layout(b), VK_SHADER_STAGE_ALL, 0,
                       sizeof(value), &value);
}

SCENARIO(dispatch_from_destroyed_buffer, .expect = {"VUID-vkCmdDispatchIndirect-buffer-parameter"})
{
    vkCmdBindPipeline(make_recording(b), VK_PIPELINE_BIND_POINT_COMPUTE,
                      make_any_compute_pipeline(b));
    vkCmdDispatchIndirect(make_recording(b), gone_buffer(b), 0);
}

SCENARIO(execute_garbage_secondary,
         .expect = {"VUID-vkCmdExecuteCommands-pCommandBuffers-parameter"},
         .text = {"pCommandBuffers[0]"})
{
    VkCommandBuffer secondary = GARBAGE(VkCommandBuffer);
    vkCmdExecuteCommands(make_recording(b), 1, &secondary);
}

/* Command buffers and their pools. */

SCENARIO(free_command_buffer_twice, .expect = {"VUID-vkFreeCommandBuffers-pCommandBuffers-00048"},
         .text = {"pCommandBuffers[0]"})
{
    VkCommandPool pool = make_command_pool(b);
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    vkFreeCommandBuffers(b->device, pool, 1, &command_buffer);
    vkFreeCommandBuffers(b->device, pool, 1, &command_buffer);
}

SCENARIO(free_null_command_buffer)
{
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    vkFreeCommandBuffers(b->device, make_command_pool(b), 1, &command_buffer);
}

SCENARIO(free_command_buffer_of_another_pool,
         .expect = {"VUID-vkFreeCommandBuffers-pCommandBuffers-parent"})
{
    VkCommandBuffer command_buffer = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    vkFreeCommandBuffers(b->device, make_command_pool(b), 1, &command_buffer);
}

SCENARIO(allocate_command_buffer_of_destroyed_pool,
         .expect = {"VUID-VkCommandBufferAllocateInfo-commandPool-parameter"},
         .text = {"pAllocateInfo->commandPool"})
{
    VkCommandPool pool = make_command_pool(b);
    FORGET(b, pool);
    vkDestroyCommandPool(b->device, pool, NULL);
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer;
    vkAllocateCommandBuffers(b->device, &info, &command_buffer);
}

SCENARIO(command_buffer_dies_with_pool, .expect = {"VUID-VkSubmitInfo-pCommandBuffers-parameter"},
         .text = {"pSubmits[0].pCommandBuffers[0]"})
{
    VkCommandPool pool = make_command_pool(b);
    VkCommandBufferAllocateInfo info = command_buffer_info(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBuffer command_buffer;
    VK(vkAllocateCommandBuffers(b->device, &info, &command_buffer));
    FORGET(b, pool);
    vkDestroyCommandPool(b->device, pool, NULL);
    VkSubmitInfo submit = submit_info(&command_buffer);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(inheritance_of_destroyed_framebuffer,
         .expect = {"VUID-VkCommandBufferBeginInfo-flags-00055"})
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = make_render_pass(b),
        .framebuffer = gone_framebuffer(b)};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    vkBeginCommandBuffer(secondary, &begin);
}

/* Queues. */

SCENARIO(submit_destroyed_fence, .expect = {"VUID-vkQueueSubmit-fence-parameter"})
{
    vkQueueSubmit(b->queue, 0, NULL, gone_fence(b));
}

SCENARIO(submit_waits_for_destroyed_semaphore,
         .expect = {"VUID-VkSubmitInfo-pWaitSemaphores-parameter"},
         .text = {"pSubmits[0].pWaitSemaphores[0]"})
{
    VkSemaphore semaphore = gone_semaphore(b);
    VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo submit = submit_info(NULL);
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &semaphore;
    submit.pWaitDstStageMask = &stage;
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(submit_signals_destroyed_semaphore,
         .expect = {"VUID-VkSubmitInfo-pSignalSemaphores-parameter"},
         .text = {"pSubmits[0].pSignalSemaphores[0]"})
{
    VkSemaphore semaphore = gone_semaphore(b);
    VkSubmitInfo submit = submit_info(NULL);
    submit.signalSemaphoreCount = 1;
    submit.pSignalSemaphores = &semaphore;
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(submit2_signals_destroyed_semaphore,
         .expect = {"VUID-VkSemaphoreSubmitInfo-semaphore-parameter"},
         .text = {"pSubmits[0].pSignalSemaphoreInfos[0].semaphore"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .synchronization2 = VK_TRUE})
{
    VkSemaphoreSubmitInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                       .semaphore = gone_semaphore(b)};
    VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .signalSemaphoreInfoCount = 1,
                            .pSignalSemaphoreInfos = &semaphore};
    vkQueueSubmit2(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(submit2_garbage_command_buffer,
         .expect = {"VUID-VkCommandBufferSubmitInfo-commandBuffer-parameter"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .synchronization2 = VK_TRUE})
{
    VkCommandBufferSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                      .commandBuffer = GARBAGE(VkCommandBuffer)};
    VkSubmitInfo2 submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                            .commandBufferInfoCount = 1,
                            .pCommandBufferInfos = &info};
    vkQueueSubmit2(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(sparse_bind_of_destroyed_buffer,
         .expect = {"VUID-VkSparseBufferMemoryBindInfo-buffer-parameter"},
         .text = {"pBindInfo[0].pBufferBinds[0].buffer"}, .drivers = NULL_DRIVER)
{
    VkSparseMemoryBind bind = {.size = 65536};
    VkSparseBufferMemoryBindInfo buffer = {
        .buffer = gone_buffer(b), .bindCount = 1, .pBinds = &bind};
    VkBindSparseInfo info = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &buffer};
    vkQueueBindSparse(b->queue, 1, &info, VK_NULL_HANDLE);
}
