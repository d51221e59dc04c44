/* Pipeline barriers within render pass instances. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

#define FRAGMENT VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT
#define COLOR    VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT
#define REGION   VK_DEPENDENCY_BY_REGION_BIT

static VkCommandBuffer begin_render_pass(struct baseline *b, VkRenderPass pass)
{
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    VkCommandBuffer command_buffer = make_recording(b);
    VkClearValue clear = {0};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    return command_buffer;
}

/* A render pass whose subpass depends on itself: fragment shaders and color output, of the same
 * region. */
static VkCommandBuffer in_render_pass(struct baseline *b, VkPipelineStageFlags src,
                                      VkPipelineStageFlags dst, VkDependencyFlags flags,
                                      const void *next)
{
    VkSubpassDependency dependency = {
        .srcStageMask = src,
        .dstStageMask = dst,
        .srcAccessMask = src & COLOR ? VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT : 0,
        .dstAccessMask = dst & COLOR ? VK_ACCESS_COLOR_ATTACHMENT_READ_BIT : 0,
        .dependencyFlags = flags};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = next;
    info.dependencyCount = src ? 1 : 0;
    info.pDependencies = &dependency;
    return begin_render_pass(b, create_render_pass(b, &info));
}

static void barrier(VkCommandBuffer command_buffer, VkPipelineStageFlags src,
                    VkPipelineStageFlags dst, VkDependencyFlags flags)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    vkCmdPipelineBarrier(command_buffer, src, dst, flags, 1, &memory, 0, NULL, 0, NULL);
}

SCENARIO(view_local_outside, .expect = {"VUID-vkCmdPipelineBarrier-dependencyFlags-01186"})
{
    barrier(make_recording(b), COLOR, COLOR, VK_DEPENDENCY_VIEW_LOCAL_BIT);
}

SCENARIO(no_self_dependency, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"},
         .text = {"is recorded in subpass 0, but the render pass has no dependency of that subpass "
                  "on itself that covers the barrier"})
{
    barrier(in_render_pass(b, 0, 0, 0, NULL), COLOR, COLOR, REGION);
}

SCENARIO(self_dependency_of_other_stages, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"})
{
    barrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), FRAGMENT, COLOR, REGION);
}

SCENARIO(self_dependency)
{
    barrier(in_render_pass(b, COLOR | FRAGMENT, COLOR, REGION, NULL), COLOR, COLOR, REGION);
}

SCENARIO(self_dependency_without_region,
         .expect = {"VUID-vkCmdPipelineBarrier-dependencyFlags-07891"})
{
    barrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR, COLOR, 0);
}

static void barrier2(VkCommandBuffer command_buffer, VkPipelineStageFlags2 from,
                     VkPipelineStageFlags2 to, VkDependencyFlags flags)
{
    const VkMemoryBarrier2 memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = from, .dstStageMask = to};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .dependencyFlags = flags,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(command_buffer, &info);
}

static const VkPhysicalDeviceSynchronization2Features second = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    .synchronization2 = VK_TRUE};

SCENARIO(self_dependency_2, .features = &second)
{
    barrier2(in_render_pass(b, COLOR | FRAGMENT, COLOR, REGION, NULL), COLOR, COLOR, REGION);
}

SCENARIO(no_self_dependency_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07889"})
{
    barrier2(in_render_pass(b, 0, 0, 0, NULL), COLOR, COLOR, REGION);
}

SCENARIO(self_dependency_without_region_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-dependencyFlags-07891"})
{
    barrier2(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR, COLOR, 0);
}

SCENARIO(self_dependency_to_earlier_stage_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07890"})
{
    barrier2(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR,
             VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, REGION);
}

SCENARIO(self_dependency_of_transfer_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07892"})
{
    barrier2(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_2_TRANSFER_BIT, COLOR,
             REGION);
}

static void destroy_pass(struct baseline *b, uint64_t handle)
{
    vkDestroyRenderPass(b->device, (VkRenderPass)(uintptr_t)handle, NULL);
}

/* The same with stages of the second version. VK_NULL_HANDLE: there is none. */
static VkRenderPass create_pass2(struct baseline *b, VkPipelineStageFlags2 src,
                                 VkPipelineStageFlags2 dst)
{
    const VkMemoryBarrier2 stages = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = src, .dstStageMask = dst};
    const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                             .pNext = &stages,
                                             .dependencyFlags = REGION};
    const VkAttachmentDescription2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                            .format = VK_FORMAT_R8G8B8A8_UNORM,
                                            .samples = VK_SAMPLE_COUNT_1_BIT,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                            .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .layout = VK_IMAGE_LAYOUT_GENERAL,
                                              .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &reference};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .attachmentCount = 1,
                                          .pAttachments = &color,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass,
                                          .dependencyCount = 1,
                                          .pDependencies = &dependency};
    VkRenderPass pass = VK_NULL_HANDLE;
    if (vkCreateRenderPass2(b->device, &info, NULL, &pass) == VK_SUCCESS)
        cleanup_add(b, destroy_pass, HANDLE(pass));
    return pass;
}

static VkCommandBuffer in_render_pass2(struct baseline *b, VkPipelineStageFlags2 src,
                                       VkPipelineStageFlags2 dst)
{
    VkRenderPass pass = create_pass2(b, src, dst);
    REQUIRE(pass);
    return begin_render_pass(b, pass);
}

#define VERTEX_INPUT VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT
#define INDEX_INPUT  VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT
#define VERTEX       VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT
#define SHADERS      VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT

/* A stage that stands for several covers each of them. */
SCENARIO(self_dependency_of_stages_together_2, .features = &second)
{
    barrier2(in_render_pass2(b, VERTEX_INPUT, SHADERS), INDEX_INPUT, VERTEX, REGION);
}

SCENARIO(self_dependency_of_stages_apart_2, .features = &second)
{
    barrier2(in_render_pass2(b, INDEX_INPUT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
                             VERTEX),
             VERTEX_INPUT, SHADERS, REGION);
}

SCENARIO(dependency_of_stage_without_feature_2, .features = &second,
         .expect = {"VUID-VkMemoryBarrier2-dstStageMask-03929"},
         .text = {"pDependencies[0].pNext<VkMemoryBarrier2>.dstStageMask", "geometryShader"})
{
    create_pass2(b, VERTEX_INPUT, VERTEX | VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT);
}

SCENARIO(self_dependency_of_inputs_not_shaders_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07889"})
{
    barrier2(in_render_pass2(b, VERTEX_INPUT, VERTEX_INPUT), INDEX_INPUT, VERTEX, REGION);
}

/* Nothing comes before the top of the pipe, or after its bottom. */
SCENARIO(self_dependency_of_no_stages)
{
    barrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, COLOR,
            REGION);
}

/* Of stages before the framebuffer's nothing has to be by region. */
SCENARIO(self_dependency_of_vertices)
{
    const VkPipelineStageFlags vertices = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    barrier(in_render_pass(b, vertices, vertices, 0, NULL), vertices, vertices, 0);
}

SCENARIO(self_dependency_to_earlier_stage, .expect = {"VUID-vkCmdPipelineBarrier-None-07890"})
{
    barrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR,
            VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, REGION);
}

SCENARIO(self_dependency_of_transfer, .expect = {"VUID-vkCmdPipelineBarrier-None-07892"})
{
    barrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_TRANSFER_BIT, COLOR,
            REGION);
}

SCENARIO(buffer_in_render_pass,
         .expect = {"VUID-vkCmdPipelineBarrier-bufferMemoryBarrierCount-01178"})
{
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .buffer =
                                        make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                    .size = VK_WHOLE_SIZE};
    vkCmdPipelineBarrier(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR, COLOR, REGION, 0,
                         NULL, 1, &buffer, 0, NULL);
}

static const VkPhysicalDeviceVulkan11Features multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .multiview = VK_TRUE};
static const uint32_t two_views = 3;
static const VkRenderPassMultiviewCreateInfo views = {
    .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
    .subpassCount = 1,
    .pViewMasks = &two_views};

static VkCommandBuffer in_two_views(struct baseline *b)
{
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    image.arrayLayers = 2;
    VkImage layers = create_image(b, &image);
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, layers, &requirements);
    VkMemoryAllocateInfo memory =
        memory_info(requirements.size, (uint32_t)__builtin_ctz(requirements.memoryTypeBits));
    VK(vkBindImageMemory(b->device, layers, create_memory(b, &memory), 0));
    VkImageViewCreateInfo view_info = image_view_info(layers);
    view_info.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view_info.subresourceRange.layerCount = 2;
    VkImageView view = create_image_view(b, &view_info);
    VkSubpassDependency dependency = {.srcStageMask = COLOR,
                                      .dstStageMask = COLOR,
                                      .dependencyFlags = REGION | VK_DEPENDENCY_VIEW_LOCAL_BIT};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &views;
    info.dependencyCount = 1;
    info.pDependencies = &dependency;
    VkRenderPass pass = create_render_pass(b, &info);
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, make_framebuffer(b, pass, view));
    VkClearValue clear = {0};
    VkCommandBuffer command_buffer = make_recording(b);
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    return command_buffer;
}

SCENARIO(two_views_not_local, .expect = {"VUID-vkCmdPipelineBarrier-None-07893"},
         .features = &multiview)
{
    barrier(in_two_views(b), COLOR, COLOR, REGION);
}

static const VkPhysicalDeviceSynchronization2Features second_of_views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    .pNext = (void *)&multiview,
    .synchronization2 = VK_TRUE};
SCENARIO(two_views_not_local_2, .expect = {"VUID-vkCmdPipelineBarrier2-None-07893"},
         .features = &second_of_views)
{
    barrier2(in_two_views(b), COLOR, COLOR, REGION);
}

SCENARIO(two_views_local_2, .features = &second_of_views)
{
    barrier2(in_two_views(b), COLOR, COLOR, REGION | VK_DEPENDENCY_VIEW_LOCAL_BIT);
}

SCENARIO(two_views_local, .features = &multiview)
{
    barrier(in_two_views(b), COLOR, COLOR, REGION | VK_DEPENDENCY_VIEW_LOCAL_BIT);
}

/* Dynamic rendering. */
static VkCommandBuffer in_dynamic(struct baseline *b)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    return command_buffer;
}

SCENARIO(dynamic_without_feature, .expect = {"VUID-vkCmdPipelineBarrier-None-09553"},
         .features = &features13)
{
    barrier(in_dynamic(b), COLOR, COLOR, REGION);
}

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)&features13,
    .dynamicRenderingLocalRead = VK_TRUE};
static const VkPhysicalDeviceShaderTileImageFeaturesEXT tile_image = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TILE_IMAGE_FEATURES_EXT,
    .pNext = (void *)&features13,
    .shaderTileImageColorReadAccess = VK_TRUE};
#define LOCAL_READ                                                                  \
    .features = &local_read, .extensions = {"VK_KHR_dynamic_rendering_local_read"}, \
    .drivers = NULL_DRIVER
#define TILE_IMAGE \
    .features = &tile_image, .extensions = {"VK_EXT_shader_tile_image"}, .drivers = NULL_DRIVER

SCENARIO(dynamic_of_vertex_stage, .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-09556"},
         LOCAL_READ)
{
    barrier(in_dynamic(b), VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, COLOR, REGION);
}

SCENARIO(dynamic_local, LOCAL_READ)
{
    barrier(in_dynamic(b), COLOR, FRAGMENT, REGION);
}

SCENARIO(dynamic_buffer_of_tile_image, .expect = {"VUID-vkCmdPipelineBarrier-None-09554"},
         TILE_IMAGE)
{
    VkBufferMemoryBarrier buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .buffer =
                                        make_buffer(b, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                    .size = VK_WHOLE_SIZE};
    vkCmdPipelineBarrier(in_dynamic(b), COLOR, FRAGMENT, REGION, 0, NULL, 1, &buffer, 0, NULL);
}

SCENARIO(dynamic_access_of_tile_image, .expect = {"VUID-vkCmdPipelineBarrier-None-09586"},
         TILE_IMAGE)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .dstAccessMask = VK_ACCESS_SHADER_READ_BIT};
    vkCmdPipelineBarrier(in_dynamic(b), COLOR, FRAGMENT, REGION, 1, &memory, 0, NULL, 0, NULL);
}

SCENARIO(dynamic_of_tile_image, TILE_IMAGE)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT};
    vkCmdPipelineBarrier(in_dynamic(b), COLOR, COLOR, REGION, 1, &memory, 0, NULL, 0, NULL);
}

static void image_in_dynamic(struct baseline *b, VkImageLayout from, uint32_t src_family,
                             uint32_t dst_family)
{
    VkImageMemoryBarrier image =
        image_barrier(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT), from, VK_IMAGE_LAYOUT_GENERAL);
    image.srcAccessMask = 0;
    image.dstAccessMask = 0;
    image.srcQueueFamilyIndex = src_family;
    image.dstQueueFamilyIndex = dst_family;
    vkCmdPipelineBarrier(in_dynamic(b), COLOR, FRAGMENT, REGION, 0, NULL, 0, NULL, 1, &image);
}

SCENARIO(dynamic_transition, .expect = {"VUID-vkCmdPipelineBarrier-oldLayout-01181"}, LOCAL_READ)
{
    image_in_dynamic(b, VK_IMAGE_LAYOUT_UNDEFINED, VK_QUEUE_FAMILY_IGNORED,
                     VK_QUEUE_FAMILY_IGNORED);
}

SCENARIO(dynamic_transfer, .expect = {"VUID-vkCmdPipelineBarrier-srcQueueFamilyIndex-01182"},
         LOCAL_READ)
{
    image_in_dynamic(b, VK_IMAGE_LAYOUT_GENERAL, 0, 1);
}

SCENARIO(dynamic_image, LOCAL_READ)
{
    image_in_dynamic(b, VK_IMAGE_LAYOUT_GENERAL, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED);
}
