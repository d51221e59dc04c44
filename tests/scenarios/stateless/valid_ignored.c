/* Members that a sentence says are ignored: handles of nothing, values that are none, arrays that
 * lead nowhere. Nothing is found. */
#include "scenario.h"

#include <string.h>

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(features13, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, NULL,
      .dynamicRendering = VK_TRUE, .synchronization2 = VK_TRUE, .maintenance4 = VK_TRUE);
CHAIN(features12, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, &features13,
      .timelineSemaphore = VK_TRUE, .imagelessFramebuffer = VK_TRUE,
      .bufferDeviceAddress = VK_TRUE);
#define F13 .features = &features13
#define F12 .features = &features12

#define NOWHERE   ((void *)64)
#define NO_LAYOUT ((VkImageLayout)0x7ffffffe)

/* --- resources --- */

/* "queueFamilyIndexCount ... It is ignored if sharingMode is not VK_SHARING_MODE_CONCURRENT." */
SCENARIO(families_of_exclusive_resources)
{
    VkBufferCreateInfo buffer = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    buffer.queueFamilyIndexCount = 77;
    buffer.pQueueFamilyIndices = NOWHERE;
    create_buffer(b, &buffer);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.queueFamilyIndexCount = 77;
    image.pQueueFamilyIndices = NOWHERE;
    create_image(b, &image);
}

CHAIN(five, VkPhysicalDeviceMaintenance5FeaturesKHR, MAINTENANCE_5_FEATURES_KHR, NULL,
      .maintenance5 = VK_TRUE);
#define FIVE .features = &five, .extensions = {"VK_KHR_maintenance5"}

/* "usage from that structure is used instead of usage" */
SCENARIO(usage_beside_usage2, FIVE)
{
    const VkBufferUsageFlags2CreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
        .usage = VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT};
    VkBufferCreateInfo buffer = buffer_info(64, 0x40000000);
    buffer.pNext = &usage;
    VkBuffer made = create_buffer(b, &buffer);
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(b->device, made, &needs);
    VK(vkBindBufferMemory(b->device, made, make_memory(b, needs.size), 0));
    VkBufferViewCreateInfo view = buffer_view_info(made);
    create_buffer_view(b, &view);
    buffer.usage = 0;
    create_buffer(b, &buffer);
}

SCENARIO(sampler_members, .drivers = NULL_DRIVER)
{
    VkSamplerCreateInfo info = sampler_info();
    info.anisotropyEnable = VK_FALSE;
    info.maxAnisotropy = -5;
    info.compareEnable = VK_FALSE;
    info.compareOp = (VkCompareOp)99;
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
    info.borderColor = (VkBorderColor)99;
    create_sampler(b, &info);
}

/* "If descriptorCount is zero this binding entry is reserved"; immutable samplers are of samplers
 * alone. */
SCENARIO(binding_members)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLER, 0, 0x40000000, NOWHERE},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NOWHERE},
        {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 3, VK_SHADER_STAGE_ALL, NOWHERE},
        {3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 0, 0, NULL},
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 4,
        .pBindings = bindings};
    ENSURE(create_descriptor_set_layout(b, &info));
}

SCENARIO(memory_structures)
{
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO};
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .pNext = &dedicated};
    /* deviceMask counts with VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT alone */
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .pNext = &exported,
                                             .deviceMask = 0xff00};
    VkMemoryAllocateInfo info = memory_info(4096, 0);
    info.pNext = &flags;
    create_memory(b, &info);
}

/* "handleType ... 0: this structure is ignored" */
SCENARIO(import_of_nothing, .drivers = NULL_DRIVER, .extensions = {"VK_KHR_external_memory_fd"})
{
    const VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                            .fd = -77};
    VkMemoryAllocateInfo info = memory_info(4096, 0);
    info.pNext = &import;
    create_memory(b, &info);
}

SCENARIO(destroy_nothing)
{
    vkDestroyBuffer(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyImage(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyPipeline(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyPipelineLayout(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorPool(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyDescriptorUpdateTemplate(b->device, VK_NULL_HANDLE, NULL);
    vkDestroySamplerYcbcrConversion(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyCommandPool(b->device, VK_NULL_HANDLE, NULL);
    vkDestroySemaphore(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyFence(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyEvent(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyQueryPool(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyRenderPass(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyFramebuffer(b->device, VK_NULL_HANDLE, NULL);
    vkFreeMemory(b->device, VK_NULL_HANDLE, NULL);
    vkDestroyDevice(NULL, NULL);
    VkCommandPool pool = make_command_pool(b);
    const VkCommandBuffer none[2] = {NULL, NULL};
    vkFreeCommandBuffers(b->device, pool, 2, none);
    const VkDescriptorSet sets[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
    VK(vkFreeDescriptorSets(b->device, make_descriptor_pool(b), 2, sets));
}

/* --- command buffers --- */

SCENARIO(inheritance_of_a_primary)
{
    VkCommandBuffer c = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = NOWHERE;
    VK(vkBeginCommandBuffer(c, &info));
    /* nor does the flag of secondaries count */
    VK(vkEndCommandBuffer(c));
    info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    VK(vkBeginCommandBuffer(c, &info));
}

SCENARIO(inheritance_outside_of_passes)
{
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = GARBAGE(VkRenderPass),
        .subpass = 88,
        .framebuffer = GARBAGE(VkFramebuffer)};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inherited;
    VK(vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY), &info));
}

SCENARIO(inheritance_of_dynamic_rendering, F13)
{
    const VkFormat format = COLOR_FORMAT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = &rendering,
        .subpass = 88,
        .framebuffer = GARBAGE(VkFramebuffer)};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inherited;
    info.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    VK(vkBeginCommandBuffer(make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY), &info));
}

SCENARIO(barriers_of_nothing, F13)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                         0, 0, NOWHERE, 0, NOWHERE, 0, NOWHERE);
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .pMemoryBarriers = NOWHERE,
                                   .pBufferMemoryBarriers = NOWHERE,
                                   .pImageMemoryBarriers = NOWHERE};
    vkCmdPipelineBarrier2(c, &info);
}

/* Families that are equal make no transfer, whichever they are; layouts that are equal make no
 * transition. */
SCENARIO(barriers_of_families_that_are_equal)
{
    VkImage image = make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = 7777;
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = 7777,
                                    .dstQueueFamilyIndex = 7777,
                                    .buffer = make_buffer(b, 16, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                    .offset = 15,
                                    .size = VK_WHOLE_SIZE};
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 1, &buffer, 1, &barrier);
}

/* --- submits --- */

SCENARIO(submit_of_nothing, F12)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pWaitSemaphores = NOWHERE,
                               .pWaitDstStageMask = NOWHERE,
                               .pCommandBuffers = NOWHERE,
                               .pSignalSemaphores = NOWHERE};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    VK(vkQueueSubmit(b->queue, 0, NOWHERE, make_fence(b)));
    const VkSubmitInfo2 info2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .pWaitSemaphoreInfos = NOWHERE,
                                 .pCommandBufferInfos = NOWHERE,
                                 .pSignalSemaphoreInfos = NOWHERE};
    VK(vkQueueSubmit2(b->queue, 1, &info2, VK_NULL_HANDLE));
    VK(vkQueueSubmit2(b->queue, 0, NOWHERE, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* "If the semaphore ... was not created with VK_SEMAPHORE_TYPE_TIMELINE the implementation must
 * ignore the corresponding element." */
SCENARIO(values_of_binary_semaphores, F12)
{
    VkSemaphore binary = make_semaphore(b), timeline = make_timeline_semaphore(b, 5);
    const VkPipelineStageFlags stages[] = {VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                           VK_PIPELINE_STAGE_TRANSFER_BIT};
    const VkSemaphore both[] = {binary, timeline};
    const uint64_t values[] = {UINT64_MAX, 7}, waits[] = {0, 7};
    const VkTimelineSemaphoreSubmitInfo chained = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 0,
        .signalSemaphoreValueCount = 2,
        .pSignalSemaphoreValues = values};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &chained,
                         .signalSemaphoreCount = 2,
                         .pSignalSemaphores = both};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    const VkTimelineSemaphoreSubmitInfo waiting = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 2,
        .pWaitSemaphoreValues = waits};
    info = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .pNext = &waiting,
                          .waitSemaphoreCount = 2,
                          .pWaitSemaphores = both,
                          .pWaitDstStageMask = stages};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    /* binary ones alone: counts need not fit */
    const VkTimelineSemaphoreSubmitInfo few = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    info = (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .pNext = &few,
                          .signalSemaphoreCount = 1,
                          .pSignalSemaphores = &binary};
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    const VkSemaphoreSubmitInfo wait2 = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                         .semaphore = binary,
                                         .value = 99,
                                         .stageMask = VK_PIPELINE_STAGE_2_NONE};
    const VkSubmitInfo2 info2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .waitSemaphoreInfoCount = 1,
                                 .pWaitSemaphoreInfos = &wait2,
                                 .signalSemaphoreInfoCount = 1,
                                 .pSignalSemaphoreInfos = &wait2};
    VK(vkQueueSubmit2(b->queue, 1, &info2, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(semaphores_of_empty_structures, F12)
{
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO};
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .pNext = &exported,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_BINARY};
    VkSemaphoreCreateInfo info = semaphore_info();
    info.pNext = &type;
    create_semaphore(b, &info);
    const VkExportFenceCreateInfo exported_fence = {.sType =
                                                        VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO};
    VkFenceCreateInfo fence = fence_info();
    fence.pNext = &exported_fence;
    create_fence(b, &fence);
}

/* --- render passes --- */

/* The layout of an attachment that is VK_ATTACHMENT_UNUSED does not count. */
SCENARIO(references_that_are_unused)
{
    const VkAttachmentReference unused = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED},
                                color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                                colors[] = {unused, color, unused};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .inputAttachmentCount = 1,
                                    .pInputAttachments = &unused,
                                    .colorAttachmentCount = 3,
                                    .pColorAttachments = colors,
                                    .pResolveAttachments = NULL,
                                    .pDepthStencilAttachment = &unused,
                                    .pPreserveAttachments = NOWHERE};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pSubpasses = &subpass;
    info.dependencyCount = 0;
    info.pDependencies = NOWHERE;
    ENSURE(create_render_pass(b, &info));
    const VkAttachmentReference resolves[] = {unused, unused, unused};
    subpass.pResolveAttachments = resolves;
    ENSURE(create_render_pass(b, &info));
}

SCENARIO(framebuffer_without_images, F12)
{
    const VkFormat format = COLOR_FORMAT;
    const VkFramebufferAttachmentImageInfo image = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .width = IMAGE_EXTENT,
        .height = IMAGE_EXTENT,
        .layerCount = 1,
        .viewFormatCount = 1,
        .pViewFormats = &format};
    const VkFramebufferAttachmentsCreateInfo images = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = 1,
        .pAttachmentImageInfos = &image};
    VkFramebufferCreateInfo info = framebuffer_info(make_render_pass(b), NOWHERE);
    info.pNext = &images;
    info.flags = VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    ENSURE(create_framebuffer(b, &info));
}

/* Clear values of attachments that are not cleared are not read; there may be more of them than
 * attachments. */
SCENARIO(clear_values_of_no_attachment)
{
    VkClearValue values[3];
    memset(values, 0xff, sizeof(values));
    VkRenderPass pass = make_render_pass(b);
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    info.clearValueCount = 3;
    info.pClearValues = values;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
}

#define RENDERING(name_, change_)                                                   \
    SCENARIO(name_, F13)                                                            \
    {                                                                               \
        VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b)), \
                                  none = rendering_attachment(VK_NULL_HANDLE);      \
        VkRenderingInfo info = rendering_info(&color);                              \
        VkCommandBuffer c = make_recording(b);                                      \
        change_;                                                                    \
        vkCmdBeginRendering(c, &info);                                              \
        vkCmdEndRendering(c);                                                       \
    }
/* "If imageView is VK_NULL_HANDLE ... other members of this structure are ignored." */
#define BESIDE_NO_VIEW(attachment_)                            \
    (attachment_.imageLayout = VK_IMAGE_LAYOUT_PREINITIALIZED, \
     attachment_.resolveMode = VK_RESOLVE_MODE_MIN_BIT,        \
     attachment_.resolveImageLayout = VK_IMAGE_LAYOUT_UNDEFINED)
RENDERING(no_color_view, (info.pColorAttachments = &none, BESIDE_NO_VIEW(none)))
RENDERING(no_depth_view,
          (info.pDepthAttachment = &none, info.pStencilAttachment = &none, BESIDE_NO_VIEW(none)))
RENDERING(no_resolve, ((void)none, color.resolveImageLayout = VK_IMAGE_LAYOUT_PREINITIALIZED))
static const VkRenderingFragmentShadingRateAttachmentInfoKHR no_rate = {
    .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR,
    .imageLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    .shadingRateAttachmentTexelSize = {77, 3}};
SCENARIO(no_rate_attachment, .features = &features13, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_fragment_shading_rate"})
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    info.pNext = &no_rate;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &info);
    vkCmdEndRendering(c);
}
CHAIN(views, VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, &features13,
      .multiview = VK_TRUE);
/* "layerCount ... is ignored if viewMask is not 0" */
SCENARIO(layers_beside_views, .features = &views)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    info.layerCount = 0;
    info.viewMask = 1;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &info);
    vkCmdEndRendering(c);
}

/* --- swapchains, names --- */

SCENARIO(families_of_an_exclusive_swapchain, .drivers = NULL_DRIVER,
         .instance_extensions = {"VK_KHR_surface", "VK_EXT_headless_surface"},
         .extensions = {"VK_KHR_swapchain"})
{
    VkSwapchainCreateInfoKHR info = swapchain_info(make_surface(b));
    info.queueFamilyIndexCount = 9;
    info.pQueueFamilyIndices = NOWHERE;
    create_swapchain(b, &info);
}

SCENARIO(names_of_nothing, )
{
    VkBuffer buffer = make_buffer(b, 16, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkDebugUtilsObjectNameInfoEXT info = name_info(VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), NULL);
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
    info.pObjectName = "";
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
}

/* --- members that another member makes meaningless --- */

/* "If unnormalizedCoordinates is VK_TRUE, addressModeW is ignored." */
SCENARIO(third_address_mode, .drivers = NULL_DRIVER)
{
    VkSamplerCreateInfo info = sampler_info();
    info.unnormalizedCoordinates = VK_TRUE;
    info.magFilter = info.minFilter = VK_FILTER_NEAREST;
    info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    info.minLod = info.maxLod = 0;
    info.addressModeU = info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    create_sampler(b, &info);
    info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    info.borderColor = (VkBorderColor)99;
    create_sampler(b, &info);
    info.addressModeW = (VkSamplerAddressMode)99;
    create_sampler(b, &info);
}

SCENARIO(statistics_of_other_queries)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pipelineStatistics = 0x7fffffff;
    create_query_pool(b, &info);
}

CHAIN(placed, VkPhysicalDeviceMapMemoryPlacedFeaturesEXT, MAP_MEMORY_PLACED_FEATURES_EXT, NULL,
      .memoryMapPlaced = VK_TRUE);
SCENARIO(place_of_no_placed_map, .features = &placed, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_map_memory_placed", "VK_KHR_map_memory2"})
{
    const VkMemoryMapPlacedInfoEXT place = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT,
                                            .pPlacedAddress = (void *)3};
    const VkMemoryMapInfoKHR map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR,
                                    .pNext = &place,
                                    .memory = make_memory(b, 64),
                                    .size = VK_WHOLE_SIZE};
    void *data;
    VK(DEVICE_PROC(b, vkMapMemory2KHR)(b->device, &map, &data));
}

SCENARIO(external_format_of_no_handle)
{
    const VkPhysicalDeviceExternalImageFormatInfo external = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO};
    const VkPhysicalDeviceImageFormatInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &external,
        .format = COLOR_FORMAT,
        .type = VK_IMAGE_TYPE_2D,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkExternalImageFormatProperties properties = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
    VkImageFormatProperties2 answer = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                       .pNext = &properties};
    VK(vkGetPhysicalDeviceImageFormatProperties2(b->physical_device, &info, &answer));
}

/* "renderArea is ignored, and the render area is defined per-device by that structure" */
SCENARIO(area_beside_device_areas, F13)
{
    const VkRect2D area = {{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkDeviceGroupRenderPassBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO,
        .deviceMask = 1,
        .deviceRenderAreaCount = 1,
        .pDeviceRenderAreas = &area};
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    info.pNext = &group;
    info.renderArea = (VkRect2D){{-5, 7}, {0, 0x7fffffff}};
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &info);
    vkCmdEndRendering(c);
    VkRenderPass pass = make_render_pass(b);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    const VkClearValue clear = {0};
    begin.pNext = &group;
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    begin.renderArea = info.renderArea;
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(c);
}

/* "If a VkMemoryBarrier2 is included in the pNext chain, srcStageMask, dstStageMask, srcAccessMask,
 * and dstAccessMask are ignored." */
SCENARIO(masks_beside_a_barrier, F13)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                      .dstStageMask =
                                          VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                      .dstAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT};
    const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                             .pNext = &barrier,
                                             .srcSubpass = VK_SUBPASS_EXTERNAL,
                                             .srcStageMask = VK_PIPELINE_STAGE_GEOMETRY_SHADER_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                             .srcAccessMask = VK_ACCESS_HOST_READ_BIT,
                                             .dstAccessMask = VK_ACCESS_INDEX_READ_BIT};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = 1,
                                          .pDependencies = &dependency};
    VkRenderPass pass;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &pass));
    vkDestroyRenderPass(b->device, pass, NULL);
}

/* "For any depth/stencil attachments used by this framebuffer ... the aspectMask is ignored": the
 * pass changes the layout of both. */
#define BOTH_ASPECTS (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)
static VkImage make_depth_stencil(struct baseline *b, VkImageAspectFlags aspect, VkImageView *view)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    VkImage image = make_image_of(b, &info);
    VkImageViewCreateInfo view_info = image_view_info(image);
    view_info.format = info.format;
    view_info.subresourceRange.aspectMask = aspect;
    *view = create_image_view(b, &view_info);
    return image;
}

static void transition_both(VkCommandBuffer c, VkImage image, VkImageLayout from, VkImageLayout to)
{
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    barrier.subresourceRange.aspectMask = BOTH_ASPECTS;
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(aspects_of_a_framebuffer)
{
    static const VkImageAspectFlags aspects[] = {VK_IMAGE_ASPECT_DEPTH_BIT,
                                                 VK_IMAGE_ASPECT_STENCIL_BIT};
    for (uint32_t i = 0; i < 2; i++) {
        VkImageView view;
        VkImage image = make_depth_stencil(b, aspects[i], &view);
        const VkAttachmentDescription attachment = {.format = VK_FORMAT_D32_SFLOAT_S8_UINT,
                                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                                    .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                    .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                    .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                    .stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                    .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                    .finalLayout =
                                                        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
        const VkAttachmentReference reference = {0,
                                                 VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
        const VkSubpassDescription subpass = {.pDepthStencilAttachment = &reference};
        const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                             .attachmentCount = 1,
                                             .pAttachments = &attachment,
                                             .subpassCount = 1,
                                             .pSubpasses = &subpass};
        VkRenderPass pass = create_render_pass(b, &info);
        const VkRenderPassBeginInfo begin =
            render_pass_begin_info(pass, make_framebuffer(b, pass, view));
        VkCommandBuffer c = make_recording(b);
        transition_both(c, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
        vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdEndRenderPass(c);
        transition_both(c, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
        run_commands(b, c);
    }
}

SCENARIO(aspects_of_rendering, F13)
{
    static const VkImageAspectFlags aspects[] = {VK_IMAGE_ASPECT_DEPTH_BIT,
                                                 VK_IMAGE_ASPECT_STENCIL_BIT};
    for (uint32_t i = 0; i < 2; i++) {
        VkImageView view;
        VkImage image = make_depth_stencil(b, aspects[i], &view);
        VkRenderingAttachmentInfo both = rendering_attachment(view),
                                  color = rendering_attachment(make_image_view(b));
        both.imageLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        VkRenderingInfo info = rendering_info(&color);
        info.colorAttachmentCount = 0;
        info.pDepthAttachment = info.pStencilAttachment = &both;
        VkCommandBuffer c = make_recording(b);
        transition_both(c, image, VK_IMAGE_LAYOUT_UNDEFINED,
                        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL);
        vkCmdBeginRendering(c, &info);
        vkCmdEndRendering(c);
        transition_both(c, image, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                        VK_IMAGE_LAYOUT_GENERAL);
        run_commands(b, c);
    }
}

/* "For depth-only formats, the VkAttachmentDescriptionStencilLayout structure is ignored." */
CHAIN(separate, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, NULL,
      .separateDepthStencilLayouts = VK_TRUE);
SCENARIO(stencil_layouts_of_depth, .features = &separate)
{
    const VkAttachmentDescriptionStencilLayout none = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
        .stencilFinalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentDescription2 attachment = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .pNext = &none,
        .format = VK_FORMAT_D16_UNORM,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .finalLayout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pDepthStencilAttachment = &reference};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .attachmentCount = 1,
                                          .pAttachments = &attachment,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass};
    VkRenderPass pass;
    VK(vkCreateRenderPass2(b->device, &info, NULL, &pass));
    vkDestroyRenderPass(b->device, pass, NULL);
}

/* "If pname:imageView is VK_NULL_HANDLE ... other members of this structure are ignored"; "If
 * resolveMode is VK_RESOLVE_MODE_NONE, then resolveImageView is ignored." */
#define ANYTHING(attachment_)                                                                 \
    (attachment_.imageLayout = NO_LAYOUT,                                                     \
     attachment_.resolveMode = (VkResolveModeFlagBits)0x20000,                                \
     attachment_.resolveImageView = GARBAGE(VkImageView),                                     \
     attachment_.resolveImageLayout = NO_LAYOUT, attachment_.loadOp = (VkAttachmentLoadOp)99, \
     attachment_.storeOp = (VkAttachmentStoreOp)99)
RENDERING(garbage_beside_no_view, (info.pColorAttachments = &none, ANYTHING(none)))
RENDERING(garbage_beside_no_depth, (info.pDepthAttachment = &none, ANYTHING(none)))
RENDERING(garbage_beside_no_resolve, ((void)none, color.resolveImageView = GARBAGE(VkImageView)))
