/* Pointers, counts and arrays: what must not be NULL, which count must not be 0, and what is
 * ignored. */
#include "scenario.h"

SCENARIO(create_info_null, .expect = {"VUID-vkCreateBuffer-pCreateInfo-parameter"},
         .text = {"pCreateInfo is NULL"})
{
    VkBuffer buffer;
    vkCreateBuffer(b->device, NULL, NULL, &buffer);
}

SCENARIO(result_pointer_null, .expect = {"VUID-vkCreateBuffer-pBuffer-parameter"},
         .text = {"pBuffer is NULL"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCreateBuffer(b->device, &info, NULL, NULL);
}

SCENARIO(both_pointers_null, .expect = {"VUID-vkCreateFence-pCreateInfo-parameter",
                                        "VUID-vkCreateFence-pFence-parameter"})
{
    vkCreateFence(b->device, NULL, NULL, NULL);
}

SCENARIO(array_null, .expect = {"VUID-VkRenderPassCreateInfo-pAttachments-parameter"},
         .text = {"pCreateInfo->pAttachments is NULL"})
{
    VkRenderPassCreateInfo info = render_pass_info();
    info.pAttachments = NULL;
    create_render_pass(b, &info);
}

SCENARIO(array_count_zero, .expect = {"VUID-VkRenderPassCreateInfo-subpassCount-arraylength"},
         .text = {"pCreateInfo->subpassCount is 0"})
{
    VkRenderPassCreateInfo info = render_pass_info();
    info.subpassCount = 0;
    info.dependencyCount = 0;
    create_render_pass(b, &info);
}

/* A count of 0 makes the array ignored, whatever it is. */
SCENARIO(array_ignored)
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.pSetLayouts = (const VkDescriptorSetLayout *)(uintptr_t)0x10;
    info.pushConstantRangeCount = 0;
    info.pPushConstantRanges = (const VkPushConstantRange *)(uintptr_t)0x10;
    EXPECT(create_pipeline_layout(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(regions_null, .expect = {"VUID-vkCmdCopyBuffer-pRegions-parameter"},
         .text = {"pRegions is NULL"})
{
    VkBuffer buffer =
        make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    vkCmdCopyBuffer(make_recording(b), buffer, buffer, 1, NULL);
}

SCENARIO(regions_zero, .expect = {"VUID-vkCmdCopyBuffer-regionCount-arraylength"},
         .text = {"regionCount is 0"})
{
    VkBuffer buffer =
        make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkBufferCopy region = {.size = 16, .dstOffset = 16};
    vkCmdCopyBuffer(make_recording(b), buffer, buffer, 0, &region);
}

SCENARIO(fences_zero, .expect = {"VUID-vkWaitForFences-fenceCount-arraylength"})
{
    VkFence fence = make_fence(b);
    vkWaitForFences(b->device, 0, &fence, VK_TRUE, 0);
}

SCENARIO(fences_null, .expect = {"VUID-vkResetFences-pFences-parameter"})
{
    vkResetFences(b->device, 1, NULL);
}

SCENARIO(submits_null, .expect = {"VUID-vkQueueSubmit-pSubmits-parameter"},
         .text = {"pSubmits is NULL"})
{
    vkQueueSubmit(b->queue, 1, NULL, VK_NULL_HANDLE);
}

SCENARIO(submits_zero)
{
    VK(vkQueueSubmit(b->queue, 0, NULL, VK_NULL_HANDLE));
}

SCENARIO(submit_command_buffers_null, .expect = {"VUID-VkSubmitInfo-pCommandBuffers-parameter"},
         .text = {"pSubmits[0].pCommandBuffers is NULL"})
{
    VkSubmitInfo submit = submit_info(NULL);
    submit.commandBufferCount = 1;
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(submit_wait_stages_null, .expect = {"VUID-VkSubmitInfo-pWaitDstStageMask-parameter"})
{
    VkSemaphore semaphore = make_semaphore(b);
    VkSubmitInfo submits[] = {submit_info(NULL), submit_info(NULL)};
    submits[0].signalSemaphoreCount = 1;
    submits[0].pSignalSemaphores = &semaphore;
    submits[1].waitSemaphoreCount = 1;
    submits[1].pWaitSemaphores = &semaphore;
    vkQueueSubmit(b->queue, 2, submits, VK_NULL_HANDLE);
}

SCENARIO(map_result_null, .expect = {"VUID-vkMapMemory-ppData-parameter"},
         .text = {"ppData is NULL"})
{
    vkMapMemory(b->device, make_memory(b, 64), 0, VK_WHOLE_SIZE, 0, NULL);
}

SCENARIO(memory_ranges_zero,
         .expect = {"VUID-vkFlushMappedMemoryRanges-memoryRangeCount-arraylength"})
{
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE};
    vkFlushMappedMemoryRanges(b->device, 0, &range);
}

/* vkAllocateDescriptorSets says the same of it. */
SCENARIO(set_layouts_zero,
         .expect = {"VUID-VkDescriptorSetAllocateInfo-descriptorSetCount-arraylength"})
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = make_descriptor_pool(b),
                                        .pSetLayouts = &layout};
    VkDescriptorSet set;
    vkAllocateDescriptorSets(b->device, &info, &set);
}

SCENARIO(set_layouts_null, .expect = {"VUID-VkDescriptorSetAllocateInfo-pSetLayouts-parameter"})
{
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = make_descriptor_pool(b),
                                        .descriptorSetCount = 1};
    VkDescriptorSet set;
    vkAllocateDescriptorSets(b->device, &info, &set);
}

SCENARIO(command_buffers_zero,
         .expect = {"VUID-vkAllocateCommandBuffers-pAllocateInfo::commandBufferCount-arraylength"})
{
    VkCommandBufferAllocateInfo info =
        command_buffer_info(make_command_pool(b), VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    info.commandBufferCount = 0;
    VkCommandBuffer command_buffer;
    vkAllocateCommandBuffers(b->device, &info, &command_buffer);
}

SCENARIO(pipeline_count_zero,
         .expect = {"VUID-vkCreateComputePipelines-createInfoCount-arraylength"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    VkPipeline pipeline;
    vkCreateComputePipelines(b->device, VK_NULL_HANDLE, 0, &info, NULL, &pipeline);
}

SCENARIO(entry_point_null, .expect = {"VUID-VkPipelineShaderStageCreateInfo-pName-parameter"},
         .text = {"pCreateInfos[0].stage.pName is NULL"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.pName = NULL;
    create_compute_pipeline(b, &info);
}

SCENARIO(shader_code_null, .expect = {"VUID-VkShaderModuleCreateInfo-pCode-parameter"})
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = 64};
    create_shader_module(b, &info);
}

SCENARIO(viewports_zero, .expect = {"VUID-vkCmdSetViewport-viewportCount-arraylength"})
{
    VkViewport viewport = {.width = 1, .height = 1};
    vkCmdSetViewport(make_recording(b), 0, 0, &viewport);
}

SCENARIO(scissors_null, .expect = {"VUID-vkCmdSetScissor-pScissors-parameter"})
{
    vkCmdSetScissor(make_recording(b), 0, 1, NULL);
}

SCENARIO(push_constants_size_zero, .expect = {"VUID-vkCmdPushConstants-size-arraylength"},
         .text = {"size is 0"})
{
    uint32_t value = 0;
    vkCmdPushConstants(make_recording(b), make_empty_pipeline_layout(b), VK_SHADER_STAGE_ALL, 0, 0,
                       &value);
}

SCENARIO(push_constants_null, .expect = {"VUID-vkCmdPushConstants-pValues-parameter"},
         .text = {"pValues is NULL"})
{
    vkCmdPushConstants(make_recording(b), make_empty_pipeline_layout(b), VK_SHADER_STAGE_ALL, 0, 16,
                       NULL);
}

SCENARIO(events_zero, .expect = {"VUID-vkCmdWaitEvents-eventCount-arraylength"})
{
    vkCmdWaitEvents(make_recording(b), 0, NULL, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(barriers_null, .expect = {"VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-parameter"})
{
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, NULL);
}

SCENARIO(dependency_info_null, .expect = {"VUID-vkCmdPipelineBarrier2-pDependencyInfo-parameter"},
         .features = &(VkPhysicalDeviceVulkan13Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
             .synchronization2 = VK_TRUE})
{
    vkCmdPipelineBarrier2(make_recording(b), NULL);
}

SCENARIO(render_pass_begin_null, .expect = {"VUID-vkCmdBeginRenderPass-pRenderPassBegin-parameter"})
{
    vkCmdBeginRenderPass(make_recording(b), NULL, VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(update_data_null, .expect = {"VUID-vkCmdUpdateBuffer-pData-parameter"})
{
    vkCmdUpdateBuffer(make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0,
                      16, NULL);
}

SCENARIO(query_count_pointer_null,
         .expect =
             {"VUID-vkGetPhysicalDeviceQueueFamilyProperties-pQueueFamilyPropertyCount-parameter"},
         .start = START_INSTANCE)
{
    VkQueueFamilyProperties properties;
    vkGetPhysicalDeviceQueueFamilyProperties(b->physical_device, NULL, &properties);
}

SCENARIO(query_count_alone, .start = START_INSTANCE)
{
    uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(b->physical_device, &count, NULL);
    EXPECT(count > 0);
}

SCENARIO(format_properties_null,
         .expect = {"VUID-vkGetPhysicalDeviceFormatProperties-pFormatProperties-parameter"},
         .start = START_INSTANCE)
{
    vkGetPhysicalDeviceFormatProperties(b->physical_device, COLOR_FORMAT, NULL);
}

/* With maintenance5 (or 1.4) the physical device answers for values that it does not know; without,
 * they are a mistake. */
SCENARIO(format_of_properties_unknown,
         .expect = {"VUID-vkGetPhysicalDeviceFormatProperties-format-parameter"},
         .start = START_INSTANCE, .drivers = NULL_DRIVER,
         .null_driver =
             "{\"apiVersion\": \"1.3.0\", \"extensions\": {\"VK_KHR_maintenance5\": false}}")
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(b->physical_device, 0x7ffffff0, &properties);
}

SCENARIO(format_of_properties_unknown_maintenance5, .start = START_INSTANCE)
{
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(b->physical_device, 0x7ffffff0, &properties);
}

SCENARIO(properties_null, .expect = {"VUID-vkGetPhysicalDeviceProperties-pProperties-parameter"},
         .start = START_INSTANCE)
{
    vkGetPhysicalDeviceProperties(b->physical_device, NULL);
}

SCENARIO(queue_pointer_null, .expect = {"VUID-vkGetDeviceQueue-pQueue-parameter"})
{
    vkGetDeviceQueue(b->device, b->queue_family, 0, NULL);
}

SCENARIO(queue_priorities_null,
         .expect = {"VUID-VkDeviceQueueCreateInfo-pQueuePriorities-parameter"},
         .text = {"pCreateInfo->pQueueCreateInfos[0].pQueuePriorities is NULL"},
         .start = START_INSTANCE)
{
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device = VK_NULL_HANDLE;
    vkCreateDevice(b->physical_device, &info, NULL, &device);
    EXPECT(device == VK_NULL_HANDLE);
}

SCENARIO(queue_count_zero, .expect = {"VUID-VkDeviceQueueCreateInfo-queueCount-arraylength"},
         .start = START_INSTANCE)
{
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device = VK_NULL_HANDLE;
    vkCreateDevice(b->physical_device, &info, NULL, &device);
}

SCENARIO(semaphores_of_wait_null, .expect = {"VUID-VkSemaphoreWaitInfo-pSemaphores-parameter"},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    uint64_t value = 0;
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pValues = &value};
    vkWaitSemaphores(b->device, &info, 0);
}

SCENARIO(clear_attachments_without_rects,
         .expect = {"VUID-vkCmdClearAttachments-rectCount-arraylength"}, .text = {"rectCount is 0"})
{
    VkClearAttachment attachment = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkClearRect rect = {.rect.extent = {1, 1}, .layerCount = 1};
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdClearAttachments(command_buffer, 1, &attachment, 0, &rect);
}

SCENARIO(specialization_map_null, .expect = {"VUID-VkSpecializationInfo-pMapEntries-parameter"},
         .text = {"pCreateInfos[0].stage.pSpecializationInfo->pMapEntries is NULL"})
{
    VkSpecializationInfo specialization = {.mapEntryCount = 1};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.pSpecializationInfo = &specialization;
    create_compute_pipeline(b, &info);
}
