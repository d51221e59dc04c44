/* Valid programs of older versions, whose extensions have since become part of a version. They use
 * commands, structures and values under the names of the extensions, with no more enabled than they
 * ask for. Nothing is found in any of them. */
#include "scenario.h"

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
#define V1_0                           \
    .api_version = VK_API_VERSION_1_0, \
    .instance_extensions = {"VK_KHR_get_physical_device_properties2"}
#define V1_1        .api_version = VK_API_VERSION_1_1
#define V1_2        .api_version = VK_API_VERSION_1_2
#define WITH(...)   .extensions = {__VA_ARGS__}
#define PROC(name_) DEVICE_PROC(b, name_)

/* --- what has become part of 1.1 --- */

SCENARIO(memory_of_1_0, V1_0,
         WITH("VK_KHR_get_memory_requirements2", "VK_KHR_bind_memory2",
              "VK_KHR_dedicated_allocation"))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImage image = create_image(b, &info);
    VkMemoryDedicatedRequirementsKHR dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS_KHR};
    VkMemoryRequirements2KHR needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2_KHR,
                                      .pNext = &dedicated};
    const VkImageMemoryRequirementsInfo2KHR of = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2_KHR, .image = image};
    PROC(vkGetImageMemoryRequirements2KHR)(b->device, &of, &needs);
    const VkMemoryDedicatedAllocateInfoKHR alone = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_KHR, .image = image};
    VkMemoryAllocateInfo memory =
        memory_info(needs.memoryRequirements.size,
                    (uint32_t)__builtin_ctz(needs.memoryRequirements.memoryTypeBits));
    memory.pNext = &alone;
    const VkBindImageMemoryInfoKHR bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO_KHR,
                                           .image = image,
                                           .memory = create_memory(b, &memory)};
    VK(PROC(vkBindImageMemory2KHR)(b->device, 1, &bind));
}

SCENARIO(maintenance1_of_1_0, V1_0, WITH("VK_KHR_maintenance1"))
{
    PROC(vkTrimCommandPoolKHR)(b->device, make_command_pool(b), 0);
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT_KHR;
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 4;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 4;
    create_image_view(b, &view);
    const VkViewport upside_down = {.y = 64, .width = 64, .height = -64, .maxDepth = 1};
    vkCmdSetViewport(make_recording(b), 0, 1, &upside_down);
}

SCENARIO(maintenance2_of_1_0, V1_0, WITH("VK_KHR_maintenance2"))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    const VkImageViewUsageCreateInfoKHR usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO_KHR,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.pNext = &usage;
    create_image_view(b, &view);
}

SCENARIO(maintenance3_of_1_0, V1_0, WITH("VK_KHR_maintenance3"))
{
    const VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    VkDescriptorSetLayoutSupportKHR support = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT_KHR};
    PROC(vkGetDescriptorSetLayoutSupportKHR)(b->device, &info, &support);
}

SCENARIO(templates_of_1_0, V1_0, WITH("VK_KHR_descriptor_update_template"))
{
    VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkDescriptorUpdateTemplateEntryKHR entry = {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                      0, 0};
    const VkDescriptorUpdateTemplateCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO_KHR,
        .descriptorUpdateEntryCount = 1,
        .pDescriptorUpdateEntries = &entry,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET_KHR,
        .descriptorSetLayout = layout};
    VkDescriptorUpdateTemplateKHR template;
    VK(PROC(vkCreateDescriptorUpdateTemplateKHR)(b->device, &info, NULL, &template));
    const VkDescriptorBufferInfo data = {make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         64};
    PROC(vkUpdateDescriptorSetWithTemplateKHR)(b->device,
                                               make_descriptor_set(b, make_descriptor_pool(b),
                                                                   layout),
                                               template, &data);
    PROC(vkDestroyDescriptorUpdateTemplateKHR)(b->device, template, NULL);
}

CHAIN(ycbcr, VkPhysicalDeviceSamplerYcbcrConversionFeaturesKHR,
      SAMPLER_YCBCR_CONVERSION_FEATURES_KHR, NULL, .samplerYcbcrConversion = VK_TRUE);
SCENARIO(planes_of_1_0, V1_0, .features = &ycbcr, .drivers = NULL_DRIVER,
         WITH("VK_KHR_sampler_ycbcr_conversion", "VK_KHR_maintenance1", "VK_KHR_bind_memory2",
              "VK_KHR_get_memory_requirements2"))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM_KHR;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT_KHR;
    VkImage image = create_image(b, &info);
    static const VkImageAspectFlagBits planes[] = {VK_IMAGE_ASPECT_PLANE_0_BIT_KHR,
                                                   VK_IMAGE_ASPECT_PLANE_1_BIT_KHR,
                                                   VK_IMAGE_ASPECT_PLANE_2_BIT_KHR};
    VkBindImagePlaneMemoryInfoKHR plane_binds[3];
    VkBindImageMemoryInfoKHR binds[3];
    for (uint32_t i = 0; i < 3; i++) {
        const VkImagePlaneMemoryRequirementsInfoKHR plane = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO_KHR,
            .planeAspect = planes[i]};
        const VkImageMemoryRequirementsInfo2KHR of = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2_KHR,
            .pNext = &plane,
            .image = image};
        VkMemoryRequirements2KHR needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2_KHR};
        PROC(vkGetImageMemoryRequirements2KHR)(b->device, &of, &needs);
        const VkMemoryAllocateInfo memory =
            memory_info(needs.memoryRequirements.size,
                        (uint32_t)__builtin_ctz(needs.memoryRequirements.memoryTypeBits));
        plane_binds[i] = (VkBindImagePlaneMemoryInfoKHR){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO_KHR, .planeAspect = planes[i]};
        binds[i] = (VkBindImageMemoryInfoKHR){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO_KHR,
                                              .pNext = &plane_binds[i],
                                              .image = image,
                                              .memory = create_memory(b, &memory)};
    }
    VK(PROC(vkBindImageMemory2KHR)(b->device, 3, binds));
    const VkSamplerYcbcrConversionCreateInfoKHR conversion_info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO_KHR, .format = info.format};
    VkSamplerYcbcrConversionKHR conversion;
    VK(PROC(vkCreateSamplerYcbcrConversionKHR)(b->device, &conversion_info, NULL, &conversion));
    const VkSamplerYcbcrConversionInfoKHR chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO_KHR, .conversion = conversion};
    VkImageViewCreateInfo view = image_view_info(image);
    view.format = info.format;
    view.pNext = &chained;
    create_image_view(b, &view);
    PROC(vkDestroySamplerYcbcrConversionKHR)(b->device, conversion, NULL);
}

/* --- what has become part of 1.2 --- */

static VkRenderPass make_render_pass2(struct baseline *b)
{
    const VkAttachmentDescription2KHR attachment = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2_KHR,
        .format = COLOR_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference2KHR color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2_KHR,
                                             .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription2KHR subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2_KHR,
                                              .colorAttachmentCount = 1,
                                              .pColorAttachments = &color},
                                   both[] = {subpass, subpass};
    const VkSubpassDependency2KHR dependency = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2_KHR,
        .dstSubpass = 1,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
    const VkRenderPassCreateInfo2KHR info = {.sType =
                                                 VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2_KHR,
                                             .attachmentCount = 1,
                                             .pAttachments = &attachment,
                                             .subpassCount = 2,
                                             .pSubpasses = both,
                                             .dependencyCount = 1,
                                             .pDependencies = &dependency};
    VkRenderPass pass = VK_NULL_HANDLE;
    VK(PROC(vkCreateRenderPass2KHR)(b->device, &info, NULL, &pass));
    return pass;
}

static void run_render_pass2(struct baseline *b)
{
    VkRenderPass pass = make_render_pass2(b);
    VkCommandBuffer c = make_recording(b);
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    const VkSubpassBeginInfoKHR begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO_KHR};
    const VkSubpassEndInfoKHR end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO_KHR};
    PROC(vkCmdBeginRenderPass2KHR)(c, &info, &begin);
    PROC(vkCmdNextSubpass2KHR)(c, &begin, &end);
    PROC(vkCmdEndRenderPass2KHR)(c, &end);
    run_commands(b, c);
    vkDestroyRenderPass(b->device, pass, NULL);
}
#define PASS2 "VK_KHR_create_renderpass2", "VK_KHR_multiview", "VK_KHR_maintenance2"
SCENARIO(render_passes2_of_1_0, V1_0, WITH(PASS2))
{
    run_render_pass2(b);
}
SCENARIO(render_passes2_of_1_1, V1_1, WITH("VK_KHR_create_renderpass2"))
{
    run_render_pass2(b);
}

CHAIN(timeline, VkPhysicalDeviceTimelineSemaphoreFeaturesKHR, TIMELINE_SEMAPHORE_FEATURES_KHR, NULL,
      .timelineSemaphore = VK_TRUE);
SCENARIO(timelines_of_1_0, V1_0, .features = &timeline, WITH("VK_KHR_timeline_semaphore"))
{
    const VkSemaphoreTypeCreateInfoKHR type = {.sType =
                                                   VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO_KHR,
                                               .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE_KHR,
                                               .initialValue = 3};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    VkSemaphore semaphore = create_semaphore(b, &info);
    uint64_t value = 0;
    VK(PROC(vkGetSemaphoreCounterValueKHR)(b->device, semaphore, &value));
    const VkSemaphoreSignalInfoKHR signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO_KHR, .semaphore = semaphore, .value = 4};
    VK(PROC(vkSignalSemaphoreKHR)(b->device, &signal));
    const uint64_t four = 4;
    const VkSemaphoreWaitInfoKHR wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO_KHR,
                                         .flags = VK_SEMAPHORE_WAIT_ANY_BIT_KHR,
                                         .semaphoreCount = 1,
                                         .pSemaphores = &semaphore,
                                         .pValues = &four};
    VK(PROC(vkWaitSemaphoresKHR)(b->device, &wait, 0));
}

CHAIN(imageless, VkPhysicalDeviceImagelessFramebufferFeaturesKHR,
      IMAGELESS_FRAMEBUFFER_FEATURES_KHR, NULL, .imagelessFramebuffer = VK_TRUE);
SCENARIO(imageless_of_1_0, V1_0, .features = &imageless,
         WITH("VK_KHR_imageless_framebuffer", "VK_KHR_maintenance2", "VK_KHR_image_format_list"))
{
    const VkFormat format = COLOR_FORMAT;
    const VkFramebufferAttachmentImageInfoKHR image = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO_KHR,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
        .width = IMAGE_EXTENT,
        .height = IMAGE_EXTENT,
        .layerCount = 1,
        .viewFormatCount = 1,
        .pViewFormats = &format};
    const VkFramebufferAttachmentsCreateInfoKHR images = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO_KHR,
        .attachmentImageInfoCount = 1,
        .pAttachmentImageInfos = &image};
    VkRenderPass pass = make_render_pass(b);
    VkFramebufferCreateInfo info = framebuffer_info(pass, NULL);
    info.pNext = &images;
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT_KHR;
    VkImageCreateInfo color =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    VkImageViewCreateInfo view_info = image_view_info(make_image_of(b, &color));
    const VkImageView view = create_image_view(b, &view_info);
    const VkRenderPassAttachmentBeginInfoKHR views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO_KHR,
        .attachmentCount = 1,
        .pAttachments = &view};
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(b, &info));
    const VkClearValue clear = {0};
    begin.pNext = &views;
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
}

CHAIN(reset, VkPhysicalDeviceHostQueryResetFeaturesEXT, HOST_QUERY_RESET_FEATURES_EXT, NULL,
      .hostQueryReset = VK_TRUE);
SCENARIO(query_resets_of_1_0, V1_0, .features = &reset, WITH("VK_EXT_host_query_reset"))
{
    PROC(vkResetQueryPoolEXT)(b->device, make_query_pool(b), 0, 4);
}

CHAIN(layouts, VkPhysicalDeviceSeparateDepthStencilLayoutsFeaturesKHR,
      SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES_KHR, NULL, .separateDepthStencilLayouts = VK_TRUE);
SCENARIO(depth_layouts_of_1_0, V1_0, .features = &layouts, .drivers = NULL_DRIVER,
         WITH("VK_KHR_separate_depth_stencil_layouts", PASS2))
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    info.format = VK_FORMAT_D24_UNORM_S8_UINT;
    VkImageMemoryBarrier barrier = image_barrier(make_image_of(b, &info), VK_IMAGE_LAYOUT_UNDEFINED,
                                                 VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL_KHR);
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

/* "drawIndirectCount ..." came with the extension alone. */
SCENARIO(extensions_that_are_features, V1_2,
         WITH("VK_KHR_draw_indirect_count", "VK_KHR_sampler_mirror_clamp_to_edge",
              "VK_EXT_sampler_filter_minmax"))
{
    VkSamplerCreateInfo info = sampler_info();
    info.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE_KHR;
    create_sampler(b, &info);
    const VkSamplerReductionModeCreateInfoEXT reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO_EXT,
        .reductionMode = VK_SAMPLER_REDUCTION_MODE_MAX_EXT};
    info = sampler_info();
    info.pNext = &reduction;
    create_sampler(b, &info);
}

/* --- what has become part of 1.3 --- */

CHAIN(sync2, VkPhysicalDeviceSynchronization2FeaturesKHR, SYNCHRONIZATION_2_FEATURES_KHR, NULL,
      .synchronization2 = VK_TRUE);
SCENARIO(synchronization2_of_1_0, V1_0, .features = &sync2, WITH("VK_KHR_synchronization2"))
{
    const VkMemoryBarrier2KHR memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2_KHR,
                                        .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT_KHR,
                                        .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT_KHR,
                                        .dstStageMask =
                                            VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT_KHR,
                                        .dstAccessMask = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT_KHR};
    const VkDependencyInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO_KHR,
                                      .memoryBarrierCount = 1,
                                      .pMemoryBarriers = &memory};
    VkCommandBuffer c = make_recording(b);
    const VkEvent event = make_event(b);
    VkQueryPoolCreateInfo queries = query_pool_info();
    queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    PROC(vkCmdPipelineBarrier2KHR)(c, &info);
    PROC(vkCmdResetEvent2KHR)(c, event, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT_KHR);
    PROC(vkCmdPipelineBarrier2KHR)(c, &info);
    PROC(vkCmdSetEvent2KHR)(c, event, &info);
    PROC(vkCmdWaitEvents2KHR)(c, 1, &event, &info);
    VkQueryPool pool = create_query_pool(b, &queries);
    vkCmdResetQueryPool(c, pool, 0, 1);
    PROC(vkCmdWriteTimestamp2KHR)(c, VK_PIPELINE_STAGE_2_BLIT_BIT_KHR, pool, 0);
    VK(vkEndCommandBuffer(c));
    const VkCommandBufferSubmitInfoKHR commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO_KHR, .commandBuffer = c};
    const VkSubmitInfo2KHR submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2_KHR,
                                     .commandBufferInfoCount = 1,
                                     .pCommandBufferInfos = &commands};
    VK(PROC(vkQueueSubmit2KHR)(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

CHAIN(rendering, VkPhysicalDeviceDynamicRenderingFeaturesKHR, DYNAMIC_RENDERING_FEATURES_KHR, NULL,
      .dynamicRendering = VK_TRUE);
#define RENDERING_OF_1_0 "VK_KHR_dynamic_rendering", "VK_KHR_depth_stencil_resolve", PASS2
static void run_rendering(struct baseline *b)
{
    VkRenderingAttachmentInfoKHR color = rendering_attachment(make_image_view(b));
    const VkRenderingInfoKHR info = rendering_info(&color);
    VkCommandBuffer c = make_recording(b);
    PROC(vkCmdBeginRenderingKHR)(c, &info);
    PROC(vkCmdEndRenderingKHR)(c);
    VK(vkEndCommandBuffer(c));
}
SCENARIO(rendering_of_1_0, V1_0, .features = &rendering, WITH(RENDERING_OF_1_0))
{
    run_rendering(b);
}
SCENARIO(rendering_of_1_2, V1_2, .features = &rendering, WITH("VK_KHR_dynamic_rendering"))
{
    run_rendering(b);
}

SCENARIO(copies2_of_1_0, V1_0, WITH("VK_KHR_copy_commands2"))
{
    VkBuffer from = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
             to = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy2KHR region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2_KHR, .size = 64};
    const VkCopyBufferInfo2KHR info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2_KHR,
                                       .srcBuffer = from,
                                       .dstBuffer = to,
                                       .regionCount = 1,
                                       .pRegions = &region};
    VkCommandBuffer c = make_recording(b);
    PROC(vkCmdCopyBuffer2KHR)(c, &info);
    run_commands(b, c);
}

CHAIN(dynamic, VkPhysicalDeviceExtendedDynamicStateFeaturesEXT, EXTENDED_DYNAMIC_STATE_FEATURES_EXT,
      NULL, .extendedDynamicState = VK_TRUE);
SCENARIO(dynamic_states_of_1_0, V1_0, .features = &dynamic, WITH("VK_EXT_extended_dynamic_state"))
{
    VkCommandBuffer c = make_recording(b);
    const VkViewport viewport = {.width = 1, .height = 1};
    const VkRect2D scissor = {{0, 0}, {1, 1}};
    const VkBuffer buffer = make_buffer(b, 16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize zero = 0, sixteen = 16;
    PROC(vkCmdSetCullModeEXT)(c, VK_CULL_MODE_BACK_BIT);
    PROC(vkCmdSetFrontFaceEXT)(c, VK_FRONT_FACE_CLOCKWISE);
    PROC(vkCmdSetPrimitiveTopologyEXT)(c, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP);
    PROC(vkCmdSetViewportWithCountEXT)(c, 1, &viewport);
    PROC(vkCmdSetScissorWithCountEXT)(c, 1, &scissor);
    PROC(vkCmdBindVertexBuffers2EXT)(c, 0, 1, &buffer, &zero, &sixteen, &sixteen);
    PROC(vkCmdSetDepthTestEnableEXT)(c, VK_TRUE);
    PROC(vkCmdSetStencilOpEXT)(c, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP,
                               VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS);
}

CHAIN(four, VkPhysicalDeviceMaintenance4FeaturesKHR, MAINTENANCE_4_FEATURES_KHR, NULL,
      .maintenance4 = VK_TRUE);
SCENARIO(maintenance4_of_1_1, V1_1, .features = &four, WITH("VK_KHR_maintenance4"))
{
    const VkBufferCreateInfo buffer = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkDeviceBufferMemoryRequirementsKHR of = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS_KHR, .pCreateInfo = &buffer};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    PROC(vkGetDeviceBufferMemoryRequirementsKHR)(b->device, &of, &needs);
}

CHAIN(private_data, VkPhysicalDevicePrivateDataFeaturesEXT, PRIVATE_DATA_FEATURES_EXT, NULL,
      .privateData = VK_TRUE);
SCENARIO(private_data_of_1_0, V1_0, .features = &private_data, WITH("VK_EXT_private_data"))
{
    const VkPrivateDataSlotCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO_EXT};
    VkPrivateDataSlotEXT slot;
    VK(PROC(vkCreatePrivateDataSlotEXT)(b->device, &info, NULL, &slot));
    VK(PROC(vkSetPrivateDataEXT)(b->device, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), slot, 7));
    uint64_t data;
    PROC(vkGetPrivateDataEXT)(b->device, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), slot, &data);
    PROC(vkDestroyPrivateDataSlotEXT)(b->device, slot, NULL);
}

/* --- what has become part of 1.4 --- */

CHAIN(five, VkPhysicalDeviceMaintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, &rendering,
      .maintenance5 = VK_TRUE);
SCENARIO(maintenance5_of_1_1, V1_1, .features = &five,
         WITH("VK_KHR_maintenance5", "VK_KHR_dynamic_rendering", "VK_KHR_depth_stencil_resolve",
              "VK_KHR_create_renderpass2"))
{
    VkExtent2D granularity;
    const VkFormat format = COLOR_FORMAT;
    const VkRenderingAreaInfoKHR area = {.sType = VK_STRUCTURE_TYPE_RENDERING_AREA_INFO_KHR,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachmentFormats = &format};
    PROC(vkGetRenderingAreaGranularityKHR)(b->device, &area, &granularity);
    VkCommandBuffer c = make_recording(b);
    PROC(vkCmdBindIndexBuffer2KHR)(c, make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 4,
                                   VK_WHOLE_SIZE, VK_INDEX_TYPE_UINT32);
}

CHAIN(bytes, VkPhysicalDeviceIndexTypeUint8FeaturesEXT, INDEX_TYPE_UINT8_FEATURES_EXT, NULL,
      .indexTypeUint8 = VK_TRUE);
SCENARIO(bytes_of_1_0, V1_0, .features = &bytes, WITH("VK_EXT_index_type_uint8"))
{
    vkCmdBindIndexBuffer(make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 3,
                         VK_INDEX_TYPE_UINT8_EXT);
}

CHAIN(lines, VkPhysicalDeviceLineRasterizationFeaturesEXT, LINE_RASTERIZATION_FEATURES_EXT, NULL,
      .bresenhamLines = VK_TRUE, .stippledBresenhamLines = VK_TRUE);
SCENARIO(stipples_of_1_0, V1_0, .features = &lines, WITH("VK_EXT_line_rasterization"))
{
    PROC(vkCmdSetLineStippleEXT)(make_recording(b), 256, 0);
}

SCENARIO(operations_of_none_of_1_0, V1_0, WITH("VK_EXT_load_store_op_none"))
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachment = info.pAttachments[0];
    attachment.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_EXT;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_NONE_EXT;
    info.pAttachments = &attachment;
    create_render_pass(b, &info);
}

SCENARIO(maps2_of_1_0, V1_0, WITH("VK_KHR_map_memory2"))
{
    VkDeviceMemory memory = make_memory(b, 64);
    const VkMemoryMapInfoKHR map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR,
                                    .memory = memory,
                                    .offset = 16,
                                    .size = VK_WHOLE_SIZE};
    void *data;
    VK(PROC(vkMapMemory2KHR)(b->device, &map, &data));
    const VkMemoryUnmapInfoKHR unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR,
                                        .memory = memory};
    VK(PROC(vkUnmapMemory2KHR)(b->device, &unmap));
}
