/* Handles that are not what a command asks for: destroyed, never created, of another type, of
 * another device, null. In every place where a handle can stand: parameters, members, arrays, pNext
 * chains, unions, template data, 64-bit integers beside an object type. */
#include "scenario.h"

static VkBuffer gone_buffer(struct baseline *b)
{
    VkBuffer buffer = make_unbound_buffer(b);
    FORGET(b, buffer);
    vkDestroyBuffer(b->device, buffer, NULL);
    return buffer;
}

static VkImage gone_image(struct baseline *b)
{
    VkImage image = make_unbound_image(b);
    FORGET(b, image);
    vkDestroyImage(b->device, image, NULL);
    return image;
}

static VkImageView gone_view(struct baseline *b)
{
    VkImageView view = make_image_view(b);
    FORGET(b, view);
    vkDestroyImageView(b->device, view, NULL);
    return view;
}

static VkSampler gone_sampler(struct baseline *b)
{
    VkSampler sampler = make_sampler(b);
    FORGET(b, sampler);
    vkDestroySampler(b->device, sampler, NULL);
    return sampler;
}

static VkDescriptorSetLayout gone_set_layout(struct baseline *b)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    FORGET(b, layout);
    vkDestroyDescriptorSetLayout(b->device, layout, NULL);
    return layout;
}

static VkPipelineLayout gone_pipeline_layout(struct baseline *b)
{
    VkPipelineLayout layout = make_empty_pipeline_layout(b);
    FORGET(b, layout);
    vkDestroyPipelineLayout(b->device, layout, NULL);
    return layout;
}

static VkSemaphore gone_semaphore(struct baseline *b)
{
    VkSemaphore semaphore = make_semaphore(b);
    FORGET(b, semaphore);
    vkDestroySemaphore(b->device, semaphore, NULL);
    return semaphore;
}

static VkFence gone_fence(struct baseline *b)
{
    VkFence fence = make_fence(b);
    FORGET(b, fence);
    vkDestroyFence(b->device, fence, NULL);
    return fence;
}

static VkEvent gone_event(struct baseline *b)
{
    VkEvent event = make_event(b);
    FORGET(b, event);
    vkDestroyEvent(b->device, event, NULL);
    return event;
}

static VkDeviceMemory gone_memory(struct baseline *b)
{
    VkDeviceMemory memory = make_memory(b, 65536);
    FORGET(b, memory);
    vkFreeMemory(b->device, memory, NULL);
    return memory;
}

static VkQueryPool gone_query_pool(struct baseline *b)
{
    VkQueryPool pool = make_query_pool(b);
    FORGET(b, pool);
    vkDestroyQueryPool(b->device, pool, NULL);
    return pool;
}

static VkRenderPass gone_render_pass(struct baseline *b)
{
    VkRenderPass render_pass = make_render_pass(b);
    FORGET(b, render_pass);
    vkDestroyRenderPass(b->device, render_pass, NULL);
    return render_pass;
}

static VkShaderModule gone_shader_module(struct baseline *b)
{
    VkShaderModule module = make_shader_module(b);
    FORGET(b, module);
    vkDestroyShaderModule(b->device, module, NULL);
    return module;
}

/* Parameters of device commands. */

SCENARIO(bind_destroyed_buffer, .expect = {"VUID-vkBindBufferMemory-buffer-parameter"},
         .text = {"buffer", "destroyed"})
{
    VkDeviceMemory memory = make_memory(b, 65536);
    vkBindBufferMemory(b->device, gone_buffer(b), memory, 0);
}

SCENARIO(bind_freed_memory, .expect = {"VUID-vkBindBufferMemory-memory-parameter"},
         .text = {"memory", "destroyed"})
{
    VkBuffer buffer = make_unbound_buffer(b);
    vkBindBufferMemory(b->device, buffer, gone_memory(b), 0);
}

SCENARIO(bind_memory_of_another_device, .expect = {"VUID-vkBindBufferMemory-memory-parent"})
{
    VkDevice first = b->device, second = make_second_device(b);
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    VK(vkAllocateMemory(second, &info, NULL, &memory));
    vkBindBufferMemory(first, make_unbound_buffer(b), memory, 0);
    vkFreeMemory(second, memory, NULL);
}

SCENARIO(bind_buffer_of_another_device, .expect = {"VUID-vkBindBufferMemory-buffer-parent",
                                                   "VUID-vkBindBufferMemory-memory-parent"})
{
    VkDevice second = make_second_device(b);
    vkBindBufferMemory(second, make_unbound_buffer(b), make_memory(b, 65536), 0);
}

SCENARIO(bind_null_buffer, .expect = {"VUID-vkBindBufferMemory-buffer-parameter"},
         .text = {"buffer is VK_NULL_HANDLE"})
{
    vkBindBufferMemory(b->device, VK_NULL_HANDLE, make_memory(b, 256), 0);
}

SCENARIO(requirements_of_a_sampler,
         .expect = {"VUID-vkGetBufferMemoryRequirements-buffer-parameter"})
{
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, (VkBuffer)(uintptr_t)HANDLE(make_sampler(b)),
                                  &requirements);
}

SCENARIO(requirements_of_a_destroyed_image,
         .expect = {"VUID-vkGetImageMemoryRequirements-image-parameter"})
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, gone_image(b), &requirements);
}

SCENARIO(layout_of_garbage_image, .expect = {"VUID-vkGetImageSubresourceLayout-image-parameter"})
{
    VkImageSubresource subresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    VkSubresourceLayout layout;
    vkGetImageSubresourceLayout(b->device, GARBAGE(VkImage), &subresource, &layout);
}

SCENARIO(map_freed_memory, .expect = {"VUID-vkMapMemory-memory-parameter"})
{
    void *data;
    vkMapMemory(b->device, gone_memory(b), 0, VK_WHOLE_SIZE, 0, &data);
}

SCENARIO(unmap_freed_memory, .expect = {"VUID-vkUnmapMemory-memory-parameter"})
{
    vkUnmapMemory(b->device, gone_memory(b));
}

SCENARIO(commitment_of_freed_memory,
         .expect = {"VUID-vkGetDeviceMemoryCommitment-memory-parameter"})
{
    VkDeviceSize size;
    vkGetDeviceMemoryCommitment(b->device, gone_memory(b), &size);
}

SCENARIO(flush_freed_memory, .expect = {"VUID-VkMappedMemoryRange-memory-parameter"},
         .text = {"pMemoryRanges[0].memory"})
{
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = gone_memory(b),
                                 .size = VK_WHOLE_SIZE};
    vkFlushMappedMemoryRanges(b->device, 1, &range);
}

SCENARIO(status_of_destroyed_fence, .expect = {"VUID-vkGetFenceStatus-fence-parameter"})
{
    vkGetFenceStatus(b->device, gone_fence(b));
}

SCENARIO(reset_destroyed_fence_in_array, .expect = {"VUID-vkResetFences-pFences-parameter"},
         .text = {"pFences[1]"})
{
    VkFence fences[] = {make_fence(b), gone_fence(b)};
    vkResetFences(b->device, 2, fences);
}

SCENARIO(wait_for_garbage_fence_in_array, .expect = {"VUID-vkWaitForFences-pFences-parameter"},
         .text = {"pFences[2]"})
{
    VkFence fences[] = {make_fence(b), make_fence(b), GARBAGE(VkFence)};
    vkWaitForFences(b->device, 3, fences, VK_TRUE, 0);
}

SCENARIO(wait_for_null_fence, .expect = {"VUID-vkWaitForFences-pFences-parameter"},
         .text = {"pFences[0] is VK_NULL_HANDLE"})
{
    VkFence fence = VK_NULL_HANDLE;
    vkWaitForFences(b->device, 1, &fence, VK_TRUE, 0);
}

SCENARIO(set_destroyed_event, .expect = {"VUID-vkSetEvent-event-parameter"})
{
    vkSetEvent(b->device, gone_event(b));
}

SCENARIO(event_status_of_a_fence, .expect = {"VUID-vkGetEventStatus-event-parameter"})
{
    vkGetEventStatus(b->device, (VkEvent)(uintptr_t)HANDLE(make_fence(b)));
}

SCENARIO(results_of_destroyed_query_pool,
         .expect = {"VUID-vkGetQueryPoolResults-queryPool-parameter"})
{
    uint32_t result;
    vkGetQueryPoolResults(b->device, gone_query_pool(b), 0, 1, sizeof(result), &result,
                          sizeof(result), 0);
}

SCENARIO(merge_destroyed_cache, .expect = {"VUID-vkMergePipelineCaches-pSrcCaches-parameter"})
{
    VkPipelineCache cache = make_pipeline_cache(b), source = make_pipeline_cache(b);
    FORGET(b, source);
    vkDestroyPipelineCache(b->device, source, NULL);
    vkMergePipelineCaches(b->device, cache, 1, &source);
}

SCENARIO(reset_destroyed_command_pool, .expect = {"VUID-vkResetCommandPool-commandPool-parameter"})
{
    VkCommandPool pool = make_command_pool(b);
    FORGET(b, pool);
    vkDestroyCommandPool(b->device, pool, NULL);
    vkResetCommandPool(b->device, pool, 0);
}

SCENARIO(trim_garbage_command_pool, .expect = {"VUID-vkTrimCommandPool-commandPool-parameter"})
{
    vkTrimCommandPool(b->device, GARBAGE(VkCommandPool), 0);
}

SCENARIO(granularity_of_destroyed_render_pass,
         .expect = {"VUID-vkGetRenderAreaGranularity-renderPass-parameter"})
{
    VkExtent2D granularity;
    vkGetRenderAreaGranularity(b->device, gone_render_pass(b), &granularity);
}

SCENARIO(counter_of_destroyed_semaphore,
         .expect = {"VUID-vkGetSemaphoreCounterValue-semaphore-parameter"},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    uint64_t value;
    vkGetSemaphoreCounterValue(b->device, gone_semaphore(b), &value);
}

/* Members of structures. */

SCENARIO(view_of_destroyed_image, .expect = {"VUID-VkImageViewCreateInfo-image-parameter"},
         .text = {"pCreateInfo->image"})
{
    VkImageViewCreateInfo info = image_view_info(gone_image(b));
    create_image_view(b, &info);
}

SCENARIO(view_of_image_of_another_device, .expect = {"VUID-vkCreateImageView-image-09179"})
{
    VkDevice second = make_second_device(b);
    VkImageView view = VK_NULL_HANDLE;
    VkImageViewCreateInfo info = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    vkCreateImageView(second, &info, NULL, &view);
}

SCENARIO(view_of_destroyed_buffer, .expect = {"VUID-VkBufferViewCreateInfo-buffer-parameter"},
         .text = {"pCreateInfo->buffer"})
{
    VkBufferViewCreateInfo info = buffer_view_info(gone_buffer(b));
    create_buffer_view(b, &info);
}

SCENARIO(framebuffer_of_destroyed_view, .expect = {"VUID-VkFramebufferCreateInfo-flags-02778"},
         .text = {"pCreateInfo->pAttachments[0]"})
{
    VkImageView view = gone_view(b);
    VkFramebufferCreateInfo info = framebuffer_info(make_render_pass(b), &view);
    create_framebuffer(b, &info);
}

SCENARIO(framebuffer_of_destroyed_render_pass,
         .expect = {"VUID-VkFramebufferCreateInfo-renderPass-parameter"})
{
    VkImageView view = make_image_view(b);
    VkFramebufferCreateInfo info = framebuffer_info(gone_render_pass(b), &view);
    create_framebuffer(b, &info);
}

SCENARIO(pipeline_layout_of_destroyed_set_layout,
         .expect = {"VUID-VkPipelineLayoutCreateInfo-pSetLayouts-parameter"},
         .text = {"pCreateInfo->pSetLayouts[0]"})
{
    VkDescriptorSetLayout layout = gone_set_layout(b);
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(&layout);
    create_pipeline_layout(b, &info);
}

SCENARIO(immutable_sampler_destroyed,
         .expect = {"VUID-VkDescriptorSetLayoutBinding-descriptorType-00282"},
         .text = {"pBindings[0].pImmutableSamplers[1]"})
{
    VkSampler samplers[] = {make_sampler(b), gone_sampler(b)};
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                            .descriptorCount = 2,
                                            .stageFlags = VK_SHADER_STAGE_ALL,
                                            .pImmutableSamplers = samplers};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pBindings = &binding;
    create_descriptor_set_layout(b, &info);
}

/* pImmutableSamplers is ignored for types that have no sampler: whatever it points to is not a
 * mistake. */
SCENARIO(immutable_samplers_ignored)
{
    VkSampler samplers[] = {GARBAGE(VkSampler)};
    VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                                            .descriptorCount = 1,
                                            .stageFlags = VK_SHADER_STAGE_ALL,
                                            .pImmutableSamplers = samplers};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pBindings = &binding;
    EXPECT(create_descriptor_set_layout(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(compute_pipeline_of_destroyed_module,
         .expect = {"VUID-VkPipelineShaderStageCreateInfo-module-parameter"},
         .text = {"pCreateInfos[0].stage.module"})
{
    VkPipelineLayout layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    VkComputePipelineCreateInfo info = compute_pipeline_info(gone_shader_module(b), layout);
    create_compute_pipeline(b, &info);
}

SCENARIO(compute_pipeline_of_destroyed_layout,
         .expect = {"VUID-VkComputePipelineCreateInfo-layout-parameter"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b), gone_pipeline_layout(b));
    create_compute_pipeline(b, &info);
}

SCENARIO(compute_pipeline_with_garbage_cache,
         .expect = {"VUID-vkCreateComputePipelines-pipelineCache-parameter"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    VkPipeline pipeline = VK_NULL_HANDLE;
    vkCreateComputePipelines(b->device, GARBAGE(VkPipelineCache), 1, &info, NULL, &pipeline);
}

SCENARIO(graphics_pipeline_of_destroyed_render_pass,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06603"})
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), gone_render_pass(b));
    create_graphics_pipeline(b, &pipeline.info);
}

/* Bound memory, in an array of structures. */
SCENARIO(bind2_destroyed_image, .expect = {"VUID-VkBindImageMemoryInfo-image-parameter"},
         .text = {"pBindInfos[0].image"})
{
    VkBindImageMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                  .image = gone_image(b),
                                  .memory = make_memory(b, 65536)};
    vkBindImageMemory2(b->device, 1, &info);
}

SCENARIO(requirements2_of_destroyed_buffer,
         .expect = {"VUID-VkBufferMemoryRequirementsInfo2-buffer-parameter"},
         .text = {"pInfo->buffer"})
{
    VkBufferMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, .buffer = gone_buffer(b)};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetBufferMemoryRequirements2(b->device, &info, &requirements);
}

SCENARIO(wait_semaphores_destroyed, .expect = {"VUID-VkSemaphoreWaitInfo-pSemaphores-parameter"},
         .text = {"pWaitInfo->pSemaphores[0]"},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    VkSemaphore semaphore = gone_semaphore(b);
    uint64_t value = 0;
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &semaphore,
                                .pValues = &value};
    vkWaitSemaphores(b->device, &info, 0);
}

SCENARIO(signal_semaphore_destroyed, .expect = {"VUID-VkSemaphoreSignalInfo-semaphore-parameter"},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .timelineSemaphore = VK_TRUE})
{
    VkSemaphoreSignalInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                  .semaphore = gone_semaphore(b),
                                  .value = 1};
    vkSignalSemaphore(b->device, &info);
}

SCENARIO(address_of_destroyed_buffer, .expect = {"VUID-VkBufferDeviceAddressInfo-buffer-parameter"},
         .features = &(VkPhysicalDeviceVulkan12Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
             .bufferDeviceAddress = VK_TRUE})
{
    VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                      .buffer = gone_buffer(b)};
    vkGetBufferDeviceAddress(b->device, &info);
}

/* pNext chains. */

SCENARIO(dedicated_to_destroyed_buffer,
         .expect = {"VUID-VkMemoryDedicatedAllocateInfo-buffer-parameter"},
         .text = {"pAllocateInfo->pNext<VkMemoryDedicatedAllocateInfo>.buffer"})
{
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = gone_buffer(b)};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    info.pNext = &dedicated;
    create_memory(b, &info);
}

SCENARIO(dedicated_to_destroyed_image,
         .expect = {"VUID-VkMemoryDedicatedAllocateInfo-image-parameter"},
         .text = {"pAllocateInfo->pNext<VkMemoryDedicatedAllocateInfo>.image"})
{
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = gone_image(b)};
    VkMemoryAllocateInfo info = memory_info(65536, 0);
    info.pNext = &dedicated;
    create_memory(b, &info);
}

SCENARIO(dedicated_to_live_buffer)
{
    VkBuffer buffer = make_unbound_buffer(b);
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(b->device, buffer, &requirements);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = buffer};
    VkMemoryAllocateInfo info = memory_info(requirements.size, 0);
    info.pNext = &dedicated;
    VkDeviceMemory memory = create_memory(b, &info);
    ENSURE(memory);
    VK(vkBindBufferMemory(b->device, buffer, memory, 0));
}

SCENARIO(conversion_never_created,
         .expect = {"VUID-VkSamplerYcbcrConversionInfo-conversion-parameter"},
         .text = {"pNext<VkSamplerYcbcrConversionInfo>.conversion"},
         .features = &(VkPhysicalDeviceVulkan11Features){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
             .samplerYcbcrConversion = VK_TRUE})
{
    VkSamplerYcbcrConversionInfo conversion = {.sType =
                                                   VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                               .conversion = GARBAGE(VkSamplerYcbcrConversion)};
    VkSamplerCreateInfo info = sampler_info();
    info.pNext = &conversion;
    create_sampler(b, &info);
}

/* Descriptors. */

SCENARIO(allocate_set_of_destroyed_layout,
         .expect = {"VUID-VkDescriptorSetAllocateInfo-pSetLayouts-parameter"},
         .text = {"pAllocateInfo->pSetLayouts[0]"})
{
    VkDescriptorSetLayout layout = gone_set_layout(b);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = make_descriptor_pool(b),
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    VkDescriptorSet set;
    vkAllocateDescriptorSets(b->device, &info, &set);
}

SCENARIO(allocate_set_of_garbage_pool,
         .expect = {"VUID-VkDescriptorSetAllocateInfo-descriptorPool-parameter"})
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                        .descriptorPool = GARBAGE(VkDescriptorPool),
                                        .descriptorSetCount = 1,
                                        .pSetLayouts = &layout};
    VkDescriptorSet set;
    vkAllocateDescriptorSets(b->device, &info, &set);
}

SCENARIO(update_with_destroyed_buffer, .expect = {"VUID-VkDescriptorBufferInfo-buffer-parameter"},
         .text = {"pDescriptorWrites[0].pBufferInfo[0].buffer"})
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    VkDescriptorBufferInfo buffer = {.buffer = gone_buffer(b), .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* A storage buffer descriptor has no image: pImageInfo and pTexelBufferView are ignored. */
SCENARIO(update_ignores_other_arrays)
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkDescriptorImageInfo image = {.imageView = GARBAGE(VkImageView),
                                   .sampler = GARBAGE(VkSampler)};
    VkBufferView view = GARBAGE(VkBufferView);
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    write.pImageInfo = &image;
    write.pTexelBufferView = &view;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static VkDescriptorSet make_set_of(struct baseline *b, VkDescriptorType type)
{
    VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pBindings = &binding;
    return make_descriptor_set(b, make_descriptor_pool(b), create_descriptor_set_layout(b, &info));
}

SCENARIO(update_with_destroyed_view, .expect = {"VUID-VkWriteDescriptorSet-descriptorType-02996"},
         .text = {"pDescriptorWrites[0].pImageInfo[0].imageView"})
{
    VkDescriptorImageInfo image = {.imageView = gone_view(b),
                                   .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write =
        write_buffer(make_set_of(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE), NULL);
    write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(update_with_destroyed_sampler,
         .expect = {"VUID-VkWriteDescriptorSet-descriptorType-00325"},
         .text = {"pDescriptorWrites[0].pImageInfo[0].sampler"})
{
    VkDescriptorImageInfo image = {.sampler = gone_sampler(b), .imageView = GARBAGE(VkImageView)};
    VkWriteDescriptorSet write = write_buffer(make_set_of(b, VK_DESCRIPTOR_TYPE_SAMPLER), NULL);
    write.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(update_with_garbage_texel_view,
         .expect = {"VUID-VkWriteDescriptorSet-descriptorType-02994"},
         .text = {"pDescriptorWrites[0].pTexelBufferView[0]"})
{
    VkBufferView view = GARBAGE(VkBufferView);
    VkWriteDescriptorSet write =
        write_buffer(make_set_of(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER), NULL);
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    write.pTexelBufferView = &view;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(update_freed_set, .expect = {"VUID-VkWriteDescriptorSet-dstSet-00320"},
         .text = {"pDescriptorWrites[0].dstSet"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b));
    VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    VK(vkFreeDescriptorSets(b->device, pool, 1, &set));
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(copy_from_freed_set, .expect = {"VUID-VkCopyDescriptorSet-srcSet-parameter"},
         .text = {"pDescriptorCopies[0].srcSet"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorSet source = make_descriptor_set(b, pool, layout),
                    target = make_descriptor_set(b, pool, layout);
    VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                .srcSet = source,
                                .dstSet = target,
                                .descriptorCount = 1};
    VK(vkFreeDescriptorSets(b->device, pool, 1, &source));
    vkUpdateDescriptorSets(b->device, 0, NULL, 1, &copy);
}

SCENARIO(free_set_twice, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-00310"},
         .text = {"pDescriptorSets[0]"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b));
    VK(vkFreeDescriptorSets(b->device, pool, 1, &set));
    vkFreeDescriptorSets(b->device, pool, 1, &set);
}

SCENARIO(free_same_set_twice, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-00310"},
         .proceed = true, .text = {"pDescriptorSets[1] is the same as element 0"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b)),
                    sets[2] = {set, set};
    (void)vkFreeDescriptorSets(b->device, pool, 2, sets);
}

SCENARIO(free_sets_without_an_array, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-00310"},
         .proceed = true, .text = {"pDescriptorSets is NULL, but has 1 element"})
{
    (void)vkFreeDescriptorSets(b->device, make_descriptor_pool(b), 1, NULL);
}

SCENARIO(free_null_set)
{
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK(vkFreeDescriptorSets(b->device, make_descriptor_pool(b), 1, &set));
}

SCENARIO(free_set_of_another_pool, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-parent"},
         .text = {"pDescriptorSets[0]"})
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    vkFreeDescriptorSets(b->device, make_descriptor_pool(b), 1, &set);
}

SCENARIO(set_dies_with_pool_reset, .expect = {"VUID-vkFreeDescriptorSets-pDescriptorSets-00310"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b));
    VK(vkResetDescriptorPool(b->device, pool, 0));
    vkFreeDescriptorSets(b->device, pool, 1, &set);
}

SCENARIO(set_dies_with_pool, .expect = {"VUID-VkWriteDescriptorSet-dstSet-00320"})
{
    VkDescriptorPool pool = make_descriptor_pool(b);
    VkDescriptorSet set = make_descriptor_set(b, pool, make_descriptor_set_layout(b));
    VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    FORGET(b, pool);
    vkDestroyDescriptorPool(b->device, pool, NULL);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(template_of_destroyed_layout,
         .expect = {"VUID-VkDescriptorUpdateTemplateCreateInfo-templateType-00350"},
         .text = {"pCreateInfo->descriptorSetLayout"})
{
    VkDescriptorUpdateTemplateEntry entry = {.descriptorCount = 1,
                                             .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .descriptorSetLayout = gone_set_layout(b)};
    create_descriptor_update_template(b, &info);
}

SCENARIO(template_update)
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorUpdateTemplate update = make_descriptor_update_template(b, layout);
    VkDescriptorBufferInfo data = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(b->device,
                                      make_descriptor_set(b, make_descriptor_pool(b), layout),
                                      update, &data);
}

SCENARIO(template_update_with_destroyed_buffer,
         .expect = {"VUID-VkDescriptorBufferInfo-buffer-parameter"}, .text = {"pData"})
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkDescriptorUpdateTemplate update = make_descriptor_update_template(b, layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), layout);
    VkDescriptorBufferInfo data = {.buffer = gone_buffer(b), .range = VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(b->device, set, update, &data);
}

SCENARIO(template_update_of_garbage_set,
         .expect = {"VUID-vkUpdateDescriptorSetWithTemplate-descriptorSet-parameter"})
{
    VkDescriptorUpdateTemplate update = make_any_descriptor_update_template(b);
    VkDescriptorBufferInfo data = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(b->device, GARBAGE(VkDescriptorSet), update, &data);
}

SCENARIO(update_with_garbage_template,
         .expect = {"VUID-vkUpdateDescriptorSetWithTemplate-descriptorUpdateTemplate-parameter"})
{
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    VkDescriptorBufferInfo data = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    vkUpdateDescriptorSetWithTemplate(b->device, set, GARBAGE(VkDescriptorUpdateTemplate), &data);
}
