/* The line `fix`: what mends a finding, where one mend is usual. */
#include "scenario.h"

/* A usage: the flag, the object with its name, and the call that created it. */
SCENARIO(fix_names_flag_and_creator, .expect = {"VUID-vkCmdCopyBuffer-srcBuffer-00118"},
         .ours_only = true,
         .text = {"    fix     create VkBuffer 0x", " \"staging\" (created",
                  "VK_BUFFER_USAGE_TRANSFER_SRC_BIT in", "VkBufferCreateInfo::usage"})
{
    VkBuffer source = make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkBufferCopy region = {.size = 64};
    set_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(source), "staging");
    vkCmdCopyBuffer(make_recording(b), source, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                    1, &region);
}

/* A stencil usage of its own is another member. */
SCENARIO(fix_of_a_stencil_usage, .expect = {"VUID-vkCmdClearDepthStencilImage-pRanges-02658"},
         .ours_only = true, .text = {"VkImageStencilUsageCreateInfo::stencilUsage"})
{
    const VkImageStencilUsageCreateInfo stencil = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
        .stencilUsage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.pNext = &stencil;
    info.format = VK_FORMAT_D32_SFLOAT_S8_UINT;
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1};
    VkImage image = make_image_of(b, &info);
    vkCmdClearDepthStencilImage(make_recording(b), image, VK_IMAGE_LAYOUT_GENERAL,
                                &(VkClearDepthStencilValue){0}, 1, &range);
}

#define ANISOTROPY                                                                    \
    .expect = {"VUID-VkSamplerCreateInfo-anisotropyEnable-01070"}, .ours_only = true, \
    .drivers = NULL_DRIVER

static void sample_anisotropically(struct baseline *b)
{
    VkSamplerCreateInfo info = sampler_info();
    info.anisotropyEnable = VK_TRUE;
    info.maxAnisotropy = 1;
    create_sampler(b, &info);
}

SCENARIO(fix_names_structure_of_feature, ANISOTROPY,
         .text = {"    fix     set samplerAnisotropy of VkPhysicalDeviceFeatures to VK_TRUE for "
                  "vkCreateDevice"})
{
    sample_anisotropically(b);
}

/* No program can enable what the physical device does not have. */
SCENARIO(fix_knows_what_is_not_supported, ANISOTROPY,
         .null_driver = "{\"features\": {\"samplerAnisotropy\": false}}",
         .text = {"    fix     do without it: the physical device does not have the feature "
                  "samplerAnisotropy"})
{
    sample_anisotropically(b);
    expect_no_text(b, "to VK_TRUE for");
}

/* A feature that several structures have, and one that comes with an extension. */
SCENARIO(fix_of_a_promoted_feature, .expect = {"VUID-vkCreatePrivateDataSlot-privateData-04564"},
         .ours_only = true, .drivers = NULL_DRIVER,
         .text = {"    fix     set privateData of VkPhysicalDevicePrivateDataFeatures (or of",
                  "VkPhysicalDeviceVulkan13Features)"})
{
    const VkPrivateDataSlotCreateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    create_private_data_slot(b, &info);
}

SCENARIO(fix_of_a_dynamic_state, .expect = {"VUID-vkCmdDraw-None-08617"}, .ours_only = true,
         .text = {"    fix     call vkCmdSetLineWidth in this command buffer before the draw"})
{
    VkRenderPass render_pass = make_render_pass(b);
    const VkDynamicState state = VK_DYNAMIC_STATE_LINE_WIDTH;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), render_pass);
    pipeline.info.pDynamicState = &dynamic;
    pipeline.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    VkCommandBuffer c = make_recording(b);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(b, &pipeline.info));
    begin_rendering(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(fix_of_a_signaled_fence, .expect = {"VUID-vkQueueSubmit-fence-00063"}, .ours_only = true,
         .text = {"    fix     call vkResetFences for it before this call"})
{
    VkFenceCreateInfo info = fence_info();
    info.flags = VK_FENCE_CREATE_SIGNALED_BIT;
    vkQueueSubmit(b->queue, 0, NULL, create_fence(b, &info));
}

SCENARIO(fix_of_a_layout, .expect = {"VUID-vkCmdClearColorImage-imageLayout-00004"},
         .ours_only = true,
         .text = {"    fix     transition it from VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL to "
                  "VK_IMAGE_LAYOUT_GENERAL before, with an"})
{
    VkCommandBuffer c = make_recording(b);
    VkImage image = make_image(b, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = image,
                                    .subresourceRange = range};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         NULL, 0, NULL, 1, &barrier);
    vkCmdClearColorImage(c, image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){{0}}, 1, &range);
}

static const VkPhysicalDeviceSynchronization2Features synchronization2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    .synchronization2 = VK_TRUE};

static void make_visible(struct baseline *b, VkPipelineStageFlags2 stages, VkAccessFlags2 accesses)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .dstStageMask = stages,
                                      .dstAccessMask = accesses};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .memoryBarrierCount = 1,
                                         .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &dependency);
}

SCENARIO(fix_of_an_access_of_one_stage, .expect = {"VUID-VkMemoryBarrier2-dstAccessMask-03916"},
         .ours_only = true, .features = &synchronization2, .api_version = VK_API_VERSION_1_3,
         .text = {"    fix     add VK_PIPELINE_STAGE_2_HOST_BIT to dstStageMask, or take "
                  "VK_ACCESS_2_HOST_READ_BIT out of"})
{
    make_visible(b, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_HOST_READ_BIT);
}

SCENARIO(fix_of_an_access_of_several_stages,
         .expect = {"VUID-VkMemoryBarrier2-dstAccessMask-03914"}, .ours_only = true,
         .features = &synchronization2, .api_version = VK_API_VERSION_1_3,
         .text = {"    fix     add the stage that makes the access to dstStageMask, or take"})
{
    make_visible(b, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
}

/* Many mistakes have no usual mend: then nothing is said. */
SCENARIO(no_fix_where_none_is_usual, .expect = {"VUID-VkBufferCreateInfo-size-00912"},
         .ours_only = true)
{
    VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    create_buffer(b, &info);
    expect_no_text(b, "    fix ");
}

/* --- what is in use, and until when --- */

#define DESTROY_IN_USE \
    .expect = {"VUID-vkDestroyBuffer-buffer-00922"}, .ours_only = true, .drivers = NULL_DRIVER

/* A submission that fills `buffer`, in a command buffer called "frame 2". */
static void submit_use(struct baseline *b, VkBuffer buffer, const void *next, VkFence fence,
                       VkSemaphore signal)
{
    VkCommandBuffer c = make_recording(b);
    set_name(b, VK_OBJECT_TYPE_COMMAND_BUFFER, HANDLE(c), "frame 2");
    set_name(b, VK_OBJECT_TYPE_QUEUE, HANDLE(b->queue), "graphics");
    vkCmdFillBuffer(c, buffer, 0, VK_WHOLE_SIZE, 0);
    VK(vkEndCommandBuffer(c));
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = next,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &c,
                                 .signalSemaphoreCount = signal ? 1 : 0,
                                 .pSignalSemaphores = &signal};
    VK(vkQueueSubmit(b->queue, 1, &submit, fence));
}

SCENARIO(in_use_until_a_fence, DESTROY_IN_USE,
         .text = {"buffer is in use by VkCommandBuffer 0x",
                  " \"frame 2\", which was submitted to VkQueue 0x",
                  " \"graphics\" (its submission 1) and is not known to be done",
                  "    fix     wait for VkFence 0x",
                  " \"frame fence\" with vkWaitForFences before"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkFence fence = make_fence(b);
    set_name(b, VK_OBJECT_TYPE_FENCE, HANDLE(fence), "frame fence");
    submit_use(b, buffer, NULL, fence, VK_NULL_HANDLE);
    vkDestroyBuffer(b->device, buffer, NULL);
    vkQueueWaitIdle(b->queue);
}

/* The fence of a later submission to the queue will do. */
SCENARIO(in_use_until_a_later_fence, DESTROY_IN_USE,
         .text = {"(its submission 1)", "fix     wait for VkFence 0x"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    submit_use(b, buffer, NULL, VK_NULL_HANDLE, VK_NULL_HANDLE);
    VK(vkQueueSubmit(b->queue, 0, NULL, make_fence(b)));
    vkDestroyBuffer(b->device, buffer, NULL);
    vkQueueWaitIdle(b->queue);
}

static const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
    .timelineSemaphore = VK_TRUE};

SCENARIO(in_use_until_a_value, DESTROY_IN_USE, .features = &timeline,
         .text = {"    fix     wait with vkWaitSemaphores before, until VkSemaphore 0x",
                  " \"frames\" has the value 12"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkSemaphore frames = make_timeline_semaphore(b, 10);
    const uint64_t value = 12;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &value};
    set_name(b, VK_OBJECT_TYPE_SEMAPHORE, HANDLE(frames), "frames");
    submit_use(b, buffer, &values, VK_NULL_HANDLE, frames);
    vkDestroyBuffer(b->device, buffer, NULL);
    vkQueueWaitIdle(b->queue);
}

SCENARIO(in_use_until_nothing_tells, DESTROY_IN_USE,
         .text = {"    fix     give the submission a fence and wait for that before, or call "
                  "vkQueueWaitIdle"})
{
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    submit_use(b, buffer, NULL, VK_NULL_HANDLE, VK_NULL_HANDLE);
    vkDestroyBuffer(b->device, buffer, NULL);
    vkQueueWaitIdle(b->queue);
}
