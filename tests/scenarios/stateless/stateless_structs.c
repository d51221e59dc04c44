/* Structures by themselves: sType, pNext chains, unique members of a chain, reserved and unknown
 * flags, enums out of range, required bits. */
#include "scenario.h"

/* sType. */

SCENARIO(buffer_stype, .expect = {"VUID-VkBufferCreateInfo-sType-sType"},
         .text = {"pCreateInfo->sType", "VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    create_buffer(b, &info);
}

SCENARIO(image_stype, .expect = {"VUID-VkImageCreateInfo-sType-sType"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.sType = 0;
    create_image(b, &info);
}

SCENARIO(sampler_stype, .expect = {"VUID-VkSamplerCreateInfo-sType-sType"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.sType = VK_STRUCTURE_TYPE_MAX_ENUM;
    create_sampler(b, &info);
}

SCENARIO(fence_stype, .expect = {"VUID-VkFenceCreateInfo-sType-sType"})
{
    VkFenceCreateInfo info = fence_info();
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    create_fence(b, &info);
}

SCENARIO(memory_stype, .expect = {"VUID-VkMemoryAllocateInfo-sType-sType"},
         .text = {"pAllocateInfo->sType"})
{
    VkMemoryAllocateInfo info = memory_info(64, 0);
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create_memory(b, &info);
}

SCENARIO(begin_stype, .expect = {"VUID-VkCommandBufferBeginInfo-sType-sType"},
         .text = {"pBeginInfo->sType"})
{
    VkCommandBufferBeginInfo info = begin_info();
    info.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY), &info);
}

SCENARIO(submit_stype_in_array, .expect = {"VUID-VkSubmitInfo-sType-sType"},
         .text = {"pSubmits[1].sType"})
{
    VkSubmitInfo submits[] = {submit_info(NULL), submit_info(NULL)};
    submits[1].sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2;
    vkQueueSubmit(b->queue, 2, submits, VK_NULL_HANDLE);
}

SCENARIO(nested_stype, .expect = {"VUID-VkPipelineShaderStageCreateInfo-sType-sType"},
         .text = {"pCreateInfos[0].stage.sType"})
{
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_module(b),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.stage.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    create_compute_pipeline(b, &info);
}

SCENARIO(write_stype, .expect = {"VUID-VkWriteDescriptorSet-sType-sType"},
         .text = {"pDescriptorWrites[0].sType"})
{
    VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkWriteDescriptorSet write =
        write_buffer(make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b)),
                     &buffer);
    write.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

SCENARIO(output_stype, .expect = {"VUID-VkPhysicalDeviceProperties2-sType-sType"},
         .text = {"pProperties->sType"}, .start = START_INSTANCE)
{
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
}

/* The driver would write a whole VkPhysicalDeviceProperties2 there. */
static uint32_t ask_as_features(struct baseline *b)
{
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return properties.properties.apiVersion;
}

SCENARIO(output_stype_refused, .expect = {"VUID-VkPhysicalDeviceProperties2-sType-sType"},
         .start = START_INSTANCE)
{
    EXPECT_EQUAL(ask_as_features(b), 0);
}

SCENARIO(output_stype_not_refused, .expect = {"VUID-VkPhysicalDeviceProperties2-sType-sType"},
         .start = START_INSTANCE, .proceed = true)
{
    EXPECT(ask_as_features(b) != 0);
}

SCENARIO(output_stype_of_element_refused, .expect = {"VUID-VkQueueFamilyProperties2-sType-sType"},
         .start = START_INSTANCE)
{
    VkQueueFamilyProperties2 families[1] = {
        {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2 + 1}};
    uint32_t count = 1;
    vkGetPhysicalDeviceQueueFamilyProperties2(b->physical_device, &count, families);
    EXPECT_EQUAL(families[0].queueFamilyProperties.queueCount, 0);
}

SCENARIO(barrier_stype, .expect = {"VUID-VkMemoryBarrier-sType-sType"},
         .text = {"pMemoryBarriers[0].sType"})
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* pNext. */

SCENARIO(foreign_struct_in_chain, .expect = {"VUID-VkBufferCreateInfo-pNext-pNext"},
         .text = {"pCreateInfo->pNext", "VkImageFormatListCreateInfo"})
{
    VkImageFormatListCreateInfo foreign = {.sType =
                                               VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.pNext = &foreign;
    create_buffer(b, &info);
}

SCENARIO(struct_where_no_chain_is, .expect = {"VUID-VkFramebufferCreateInfo-pNext-pNext"},
         .text = {"pCreateInfo->pNext"})
{
    VkImageView view = make_image_view(b);
    VkApplicationInfo foreign = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO};
    VkFramebufferCreateInfo info = framebuffer_info(make_render_pass(b), &view);
    info.pNext = &foreign;
    create_framebuffer(b, &info);
}

SCENARIO(second_struct_foreign, .expect = {"VUID-VkImageCreateInfo-pNext-pNext"},
         .text = {"VkMemoryDedicatedAllocateInfo"})
{
    VkMemoryDedicatedAllocateInfo foreign = {.sType =
                                                 VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    VkExternalMemoryImageCreateInfo valid = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, .pNext = &foreign};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &valid;
    create_image(b, &info);
}

SCENARIO(valid_chain)
{
    VkFormat format = COLOR_FORMAT;
    VkImageStencilUsageCreateInfo stencil = {.sType =
                                                 VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
                                             .stencilUsage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageFormatListCreateInfo list = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                        .pNext = &stencil,
                                        .viewFormatCount = 1,
                                        .pViewFormats = &format};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &list;
    EXPECT(create_image(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(same_struct_twice, .expect = {"VUID-VkImageCreateInfo-sType-unique"},
         .text = {"VkImageFormatListCreateInfo"})
{
    VkFormat format = COLOR_FORMAT;
    VkImageFormatListCreateInfo second = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                          .viewFormatCount = 1,
                                          .pViewFormats = &format};
    VkImageFormatListCreateInfo first = second;
    first.pNext = &second;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &first;
    create_image(b, &info);
}

SCENARIO(features_twice, .expect = {"VUID-VkDeviceCreateInfo-sType-unique"},
         .start = START_INSTANCE)
{
    VkPhysicalDeviceVulkan12Features second = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan12Features first = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &second};
    float priority = 1;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &first,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
    VkDevice device = VK_NULL_HANDLE;
    vkCreateDevice(b->physical_device, &info, NULL, &device);
}

/* Messengers may stand in an instance's chain as often as one likes: no sType-unique for them. */
SCENARIO(two_messengers_in_chain, .start = START_NOTHING)
{
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(b);
    VkInstance instance = make_instance(b, &messenger);
    vkDestroyInstance(instance, NULL);
}

/* A structure of the pNext chain is validated as any other. */
SCENARIO(chained_struct_enum, .expect = {"VUID-VkSemaphoreTypeCreateInfo-semaphoreType-parameter"},
         .text = {"pCreateInfo->pNext<VkSemaphoreTypeCreateInfo>.semaphoreType"})
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = 7};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    create_semaphore(b, &info);
}

/* Flags. */

SCENARIO(reserved_flags, .expect = {"VUID-VkPipelineLayoutCreateInfo-flags-parameter"},
         .text = {"pCreateInfo->flags"})
{
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.flags = 0x80000000;
    create_pipeline_layout(b, &info);
}

SCENARIO(zero_bitmask, .expect = {"VUID-VkBufferViewCreateInfo-flags-zerobitmask"},
         .text = {"pCreateInfo->flags"})
{
    VkBufferViewCreateInfo info =
        buffer_view_info(make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    info.flags = 1;
    create_buffer_view(b, &info);
}

SCENARIO(map_flags_unknown, .expect = {"VUID-vkMapMemory-flags-parameter"})
{
    void *data;
    vkMapMemory(b->device, make_memory(b, 64), 0, VK_WHOLE_SIZE, 0x40000000, &data);
}

SCENARIO(unknown_flag, .expect = {"VUID-VkFenceCreateInfo-flags-parameter"},
         .text = {"pCreateInfo->flags", "0x100"})
{
    VkFenceCreateInfo info = fence_info();
    info.flags = 0x100;
    create_fence(b, &info);
}

SCENARIO(known_flag)
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    VkFence fence = create_fence(b, &info);
    EXPECT_EQUAL(vkGetFenceStatus(b->device, fence), VK_SUCCESS);
}

SCENARIO(usage_zero, .expect = {"VUID-VkImageCreateInfo-usage-parameter"},
         .text = {"pCreateInfo->usage is 0"})
{
    VkImageCreateInfo info = image_info(0);
    create_image(b, &info);
}

SCENARIO(aspect_zero, .expect = {"VUID-VkImageSubresourceRange-aspectMask-parameter"},
         .text = {"pCreateInfo->subresourceRange.aspectMask"})
{
    VkImageViewCreateInfo info = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    info.subresourceRange.aspectMask = 0;
    create_image_view(b, &info);
}

SCENARIO(push_range_without_stages, .expect = {"VUID-VkPushConstantRange-stageFlags-parameter"},
         .text = {"pCreateInfo->pPushConstantRanges[0].stageFlags"})
{
    VkPushConstantRange range = {.size = 16};
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(NULL);
    info.pPushConstantRanges = &range;
    create_pipeline_layout(b, &info);
}

SCENARIO(push_constants_without_stages, .expect = {"VUID-vkCmdPushConstants-stageFlags-parameter"})
{
    uint32_t value = 0;
    vkCmdPushConstants(make_recording(b), make_empty_pipeline_layout(b), 0, 0, sizeof(value),
                       &value);
}

SCENARIO(two_bits_where_one_is_meant, .expect = {"VUID-VkImageCreateInfo-samples-parameter"},
         .text = {"pCreateInfo->samples"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.samples = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
    create_image(b, &info);
}

SCENARIO(no_bit_where_one_is_meant, .expect = {"VUID-VkImageCreateInfo-samples-parameter"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.samples = 0;
    create_image(b, &info);
}

SCENARIO(stage_unknown, .expect = {"VUID-VkPipelineShaderStageCreateInfo-stage-parameter"},
         .text = {"pCreateInfos[0].pStages[1].stage"})
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.stages[1].stage = 0x40000000;
    create_graphics_pipeline(b, &pipeline.info);
}

SCENARIO(buffer_create_flags_unknown, .expect = {"VUID-VkBufferCreateInfo-flags-parameter"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.flags = 0x40000000;
    create_buffer(b, &info);
}

SCENARIO(color_mask_unknown,
         .expect = {"VUID-VkPipelineColorBlendAttachmentState-colorWriteMask-parameter"},
         .text = {"pCreateInfos[0].pColorBlendState->pAttachments[0].colorWriteMask"})
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.blend_attachment.colorWriteMask = 0x1f;
    create_graphics_pipeline(b, &pipeline.info);
}

/* Enums. */

SCENARIO(image_type_unknown, .expect = {"VUID-VkImageCreateInfo-imageType-parameter"},
         .text = {"pCreateInfo->imageType"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.imageType = 1000;
    create_image(b, &info);
}

SCENARIO(format_unknown, .expect = {"VUID-VkImageCreateInfo-format-parameter"},
         .text = {"pCreateInfo->format"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = 0x7ffffff0;
    create_image(b, &info);
}

SCENARIO(view_type_unknown, .expect = {"VUID-VkImageViewCreateInfo-viewType-parameter"})
{
    VkImageViewCreateInfo info = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    info.viewType = 99;
    create_image_view(b, &info);
}

SCENARIO(swizzle_unknown, .expect = {"VUID-VkComponentMapping-g-parameter"},
         .text = {"pCreateInfo->components.g"})
{
    VkImageViewCreateInfo info = image_view_info(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    info.components.g = 77;
    create_image_view(b, &info);
}

SCENARIO(sampler_filter_unknown, .expect = {"VUID-VkSamplerCreateInfo-magFilter-parameter"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.magFilter = 42;
    create_sampler(b, &info);
}

SCENARIO(sampler_address_mode_unknown,
         .expect = {"VUID-VkSamplerCreateInfo-addressModeU-parameter"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.addressModeU = 42;
    create_sampler(b, &info);
}

/* compareOp counts only when compareEnable does. */
SCENARIO(sampler_compare_ignored)
{
    VkSamplerCreateInfo info = sampler_info();
    info.compareOp = 1234;
    EXPECT(create_sampler(b, &info) != VK_NULL_HANDLE);
}

SCENARIO(query_type_unknown, .expect = {"VUID-VkQueryPoolCreateInfo-queryType-parameter"})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = 500;
    create_query_pool(b, &info);
}

SCENARIO(level_unknown, .expect = {"VUID-VkCommandBufferAllocateInfo-level-parameter"},
         .text = {"pAllocateInfo->level"})
{
    VkCommandBufferAllocateInfo info = command_buffer_info(make_command_pool(b), 9);
    VkCommandBuffer command_buffer;
    vkAllocateCommandBuffers(b->device, &info, &command_buffer);
}

SCENARIO(bind_point_unknown, .expect = {"VUID-vkCmdBindPipeline-pipelineBindPoint-parameter"},
         .text = {"pipelineBindPoint"})
{
    vkCmdBindPipeline(make_recording(b), 55, make_any_compute_pipeline(b));
}

SCENARIO(index_type_unknown, .expect = {"VUID-vkCmdBindIndexBuffer-indexType-parameter"})
{
    vkCmdBindIndexBuffer(make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         77);
}

SCENARIO(topology_unknown,
         .expect = {"VUID-VkPipelineInputAssemblyStateCreateInfo-topology-parameter"},
         .text = {"pCreateInfos[0].pInputAssemblyState->topology"})
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.input_assembly.topology = 4096;
    create_graphics_pipeline(b, &pipeline.info);
}

SCENARIO(load_op_unknown, .expect = {"VUID-VkAttachmentDescription-loadOp-parameter"},
         .text = {"pCreateInfo->pAttachments[0].loadOp"})
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachment = info.pAttachments[0];
    attachment.loadOp = 77;
    info.pAttachments = &attachment;
    create_render_pass(b, &info);
}

SCENARIO(layout_unknown, .expect = {"VUID-VkImageMemoryBarrier-newLayout-parameter"},
         .text = {"pImageMemoryBarriers[0].newLayout"})
{
    VkImageMemoryBarrier barrier = image_barrier(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT),
                                                 VK_IMAGE_LAYOUT_UNDEFINED, 0x7ffffff0);
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(sharing_mode_unknown, .expect = {"VUID-VkBufferCreateInfo-sharingMode-parameter"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = 3;
    create_buffer(b, &info);
}

SCENARIO(descriptor_type_unknown, .expect = {"VUID-VkDescriptorPoolSize-type-parameter"},
         .text = {"pCreateInfo->pPoolSizes[0].type"})
{
    VkDescriptorPoolSize size = {.type = 5000, .descriptorCount = 1};
    VkDescriptorPoolCreateInfo info = descriptor_pool_info();
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    create_descriptor_pool(b, &info);
}

SCENARIO(contents_unknown, .expect = {"VUID-vkCmdBeginRenderPass-contents-parameter"},
         .text = {"contents"})
{
    VkRenderPass render_pass = make_render_pass(b);
    VkRenderPassBeginInfo info =
        render_pass_begin_info(render_pass, make_framebuffer(b, render_pass, make_image_view(b)));
    vkCmdBeginRenderPass(make_recording(b), &info, 123);
}

/* VkBool32. */

SCENARIO(bool_of_two, .expect = {"UNASSIGNED-GeneralParameterError-UnrecognizedBool32"},
         .text = {"waitAll"})
{
    VkFence fence = make_fence(b);
    vkWaitForFences(b->device, 1, &fence, 2, 0);
}

SCENARIO(bool_in_struct, .expect = {"UNASSIGNED-GeneralParameterError-UnrecognizedBool32"},
         .text = {"pCreateInfo->unnormalizedCoordinates"})
{
    VkSamplerCreateInfo info = sampler_info();
    info.unnormalizedCoordinates = 0xff00;
    create_sampler(b, &info);
}
