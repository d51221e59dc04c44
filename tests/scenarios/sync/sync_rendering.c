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

static void order_stages(VkCommandBuffer command_buffer, VkPipelineStageFlags src,
                         VkPipelineStageFlags dst, VkDependencyFlags flags)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    vkCmdPipelineBarrier(command_buffer, src, dst, flags, 1, &memory, 0, NULL, 0, NULL);
}

SCENARIO(view_local_outside, .expect = {"VUID-vkCmdPipelineBarrier-dependencyFlags-01186"})
{
    order_stages(make_recording(b), COLOR, COLOR, VK_DEPENDENCY_VIEW_LOCAL_BIT);
}

SCENARIO(no_self_dependency, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"},
         .text = {"is recorded in subpass 0, but the render pass has no dependency of that subpass "
                  "on itself that covers the barrier"})
{
    order_stages(in_render_pass(b, 0, 0, 0, NULL), COLOR, COLOR, REGION);
}

/* The cause is reported where the barrier breaks the other rules, too. */
SCENARIO(no_self_dependency_without_region, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"})
{
    order_stages(in_render_pass(b, 0, 0, 0, NULL), COLOR, COLOR, 0);
}

SCENARIO(no_self_dependency_of_transfer, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"})
{
    order_stages(in_render_pass(b, 0, 0, 0, NULL), COLOR, VK_PIPELINE_STAGE_TRANSFER_BIT, 0);
}

SCENARIO(self_dependency_of_other_stages, .expect = {"VUID-vkCmdPipelineBarrier-None-07889"})
{
    order_stages(in_render_pass(b, COLOR, COLOR, REGION, NULL), FRAGMENT, COLOR, REGION);
}

SCENARIO(self_dependency)
{
    order_stages(in_render_pass(b, COLOR | FRAGMENT, COLOR, REGION, NULL), COLOR, COLOR, REGION);
}

SCENARIO(self_dependency_without_region,
         .expect = {"VUID-vkCmdPipelineBarrier-dependencyFlags-07891"})
{
    order_stages(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR, COLOR, 0);
}

static void order_stages2(VkCommandBuffer command_buffer, VkPipelineStageFlags2 from,
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
    order_stages2(in_render_pass(b, COLOR | FRAGMENT, COLOR, REGION, NULL), COLOR, COLOR, REGION);
}

SCENARIO(no_self_dependency_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07889"})
{
    order_stages2(in_render_pass(b, 0, 0, 0, NULL), COLOR, COLOR, REGION);
}

SCENARIO(no_self_dependency_of_transfer_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07889"})
{
    order_stages2(in_render_pass(b, 0, 0, 0, NULL), COLOR, VK_PIPELINE_STAGE_2_TRANSFER_BIT, 0);
}

SCENARIO(self_dependency_without_region_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-dependencyFlags-07891"})
{
    order_stages2(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR, COLOR, 0);
}

SCENARIO(self_dependency_to_earlier_stage_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07890"})
{
    order_stages2(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR,
                  VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, REGION);
}

SCENARIO(self_dependency_of_transfer_2, .features = &second,
         .expect = {"VUID-vkCmdPipelineBarrier2-None-07892"})
{
    order_stages2(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_2_TRANSFER_BIT,
                  COLOR, REGION);
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
    ENSURE(pass);
    return begin_render_pass(b, pass);
}

#define VERTEX_INPUT VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT
#define INDEX_INPUT  VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT
#define VERTEX       VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT
#define SHADERS      VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT

/* A stage that stands for several covers each of them. */
SCENARIO(self_dependency_of_stages_together_2, .features = &second)
{
    order_stages2(in_render_pass2(b, VERTEX_INPUT, SHADERS), INDEX_INPUT, VERTEX, REGION);
}

SCENARIO(self_dependency_of_stages_apart_2, .features = &second)
{
    order_stages2(in_render_pass2(b, INDEX_INPUT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
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
    order_stages2(in_render_pass2(b, VERTEX_INPUT, VERTEX_INPUT), INDEX_INPUT, VERTEX, REGION);
}

/* Nothing comes before the top of the pipe, or after its bottom. */
SCENARIO(self_dependency_of_no_stages)
{
    order_stages(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                 COLOR, REGION);
}

/* Stages before the framebuffer's need not be by region. */
SCENARIO(self_dependency_of_vertices)
{
    const VkPipelineStageFlags vertices = VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    order_stages(in_render_pass(b, vertices, vertices, 0, NULL), vertices, vertices, 0);
}

SCENARIO(self_dependency_to_earlier_stage, .expect = {"VUID-vkCmdPipelineBarrier-None-07890"})
{
    order_stages(in_render_pass(b, COLOR, COLOR, REGION, NULL), COLOR,
                 VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, REGION);
}

SCENARIO(self_dependency_of_transfer, .expect = {"VUID-vkCmdPipelineBarrier-None-07892"})
{
    order_stages(in_render_pass(b, COLOR, COLOR, REGION, NULL), VK_PIPELINE_STAGE_TRANSFER_BIT,
                 COLOR, REGION);
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
    order_stages(in_two_views(b), COLOR, COLOR, REGION);
}

static const VkPhysicalDeviceSynchronization2Features second_of_views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
    .pNext = (void *)&multiview,
    .synchronization2 = VK_TRUE};
SCENARIO(two_views_not_local_2, .expect = {"VUID-vkCmdPipelineBarrier2-None-07893"},
         .features = &second_of_views)
{
    order_stages2(in_two_views(b), COLOR, COLOR, REGION);
}

SCENARIO(two_views_local_2, .features = &second_of_views)
{
    order_stages2(in_two_views(b), COLOR, COLOR, REGION | VK_DEPENDENCY_VIEW_LOCAL_BIT);
}

SCENARIO(two_views_local, .features = &multiview)
{
    order_stages(in_two_views(b), COLOR, COLOR, REGION | VK_DEPENDENCY_VIEW_LOCAL_BIT);
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
    order_stages(in_dynamic(b), COLOR, COLOR, REGION);
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
    order_stages(in_dynamic(b), VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, COLOR, REGION);
}

SCENARIO(dynamic_local, LOCAL_READ)
{
    order_stages(in_dynamic(b), COLOR, FRAGMENT, REGION);
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

/* --- image barriers --------------------------------------------------------------------------- */

/* A subpass with one image of 4 samples or 1: as color, as input, or resolved into another. */
struct used_image {
    bool input, color, resolve;
    VkImage image, resolved;
    VkImageLayout layout; /* of all references */
};

static VkImageView view_of_rendered(struct baseline *b, VkImage image)
{
    VkImageViewCreateInfo info = image_view_info(image);
    return create_image_view(b, &info);
}

static VkImage image_of_samples(struct baseline *b, VkSampleCountFlagBits samples)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    info.samples = samples;
    return make_image_of(b, &info);
}

static VkCommandBuffer use_image(struct baseline *b, struct used_image *used)
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachments[] = {info.pAttachments[0], info.pAttachments[0]};
    attachments[0].samples = used->resolve ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT;
    attachments[0].loadOp = attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachments[0].finalLayout = attachments[1].finalLayout = VK_IMAGE_LAYOUT_GENERAL;
    const VkAttachmentReference first = {.layout = used->layout},
                                other = {.attachment = 1, .layout = used->layout};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .inputAttachmentCount = used->input,
                                          .pInputAttachments = used->resolve ? &other : &first,
                                          .colorAttachmentCount = used->color,
                                          .pColorAttachments = &first,
                                          .pResolveAttachments = used->resolve ? &other : NULL};
    const VkSubpassDependency itself = {.srcStageMask = COLOR,
                                        .dstStageMask = FRAGMENT,
                                        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                        .dependencyFlags = REGION};
    used->image = image_of_samples(b, attachments[0].samples);
    used->resolved = image_of_samples(b, VK_SAMPLE_COUNT_1_BIT);
    const VkImageView both[] = {view_of_rendered(b, used->image),
                                view_of_rendered(b, used->resolved)};
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &itself;
    VkRenderPass pass = create_render_pass(b, &info);
    VkFramebufferCreateInfo framebuffer = framebuffer_info(pass, both);
    framebuffer.attachmentCount = 2;
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, create_framebuffer(b, &framebuffer));
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    return command_buffer;
}

static void record_layout_barrier_of(VkCommandBuffer command_buffer, VkImage image,
                                     VkImageLayout layout)
{
    VkImageMemoryBarrier barrier = image_barrier(image, layout, layout);
    barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    vkCmdPipelineBarrier(command_buffer, COLOR, FRAGMENT, REGION, 0, NULL, 0, NULL, 1, &barrier);
}

static void barrier2_of(VkCommandBuffer command_buffer, VkImage image, VkImageLayout layout)
{
    const VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = COLOR,
        .dstStageMask = FRAGMENT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
        .oldLayout = layout,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .dependencyFlags = REGION,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(command_buffer, &info);
}

SCENARIO(barrier_of_feedback, .features = &second)
{
    struct used_image used = {.input = true, .color = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    record_layout_barrier_of(command_buffer, used.image, VK_IMAGE_LAYOUT_GENERAL);
    barrier2_of(command_buffer, used.image, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(barrier_of_color_alone, .expect = {"VUID-vkCmdPipelineBarrier-image-04073"},
         .text = {"is an attachment, but not an input attachment of the current subpass"})
{
    struct used_image used = {.color = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    record_layout_barrier_of(command_buffer, used.image, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(barrier2_of_input_alone, .expect = {"VUID-vkCmdPipelineBarrier2-image-04073"},
         .text = {"is an input attachment alone of the current subpass"}, .features = &second)
{
    struct used_image used = {.input = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    barrier2_of(command_buffer, used.image, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(barrier_of_other_image, .expect = {"VUID-vkCmdPipelineBarrier-image-04073"},
         .text = {"is not an attachment of the current subpass"})
{
    struct used_image used = {.input = true, .color = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    record_layout_barrier_of(command_buffer, used.resolved, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(barrier_of_resolved, .expect = {"VUID-vkCmdPipelineBarrier-image-09373"},
         .text = {"is a resolve attachment of the current subpass, whose color attachment is"})
{
    struct used_image used = {
        .input = true, .color = true, .resolve = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    record_layout_barrier_of(command_buffer, used.resolved, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(wait_for_resolved, .expect = {"VUID-vkCmdWaitEvents-image-09373"})
{
    struct used_image used = {
        .input = true, .color = true, .resolve = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    const VkImageMemoryBarrier barrier =
        image_barrier(used.resolved, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    VkEvent event = make_event(b);
    vkCmdWaitEvents(command_buffer, 1, &event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                    VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(barrier_in_other_layout, .expect = {"VUID-vkCmdPipelineBarrier-oldLayout-10758"},
         .text = {"oldLayout is VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, but the current subpass "
                  "uses VK_IMAGE_LAYOUT_GENERAL"})
{
    struct used_image used = {.input = true, .color = true, .layout = VK_IMAGE_LAYOUT_GENERAL};
    VkCommandBuffer command_buffer = use_image(b, &used);
    record_layout_barrier_of(command_buffer, used.image, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

static void dynamic_barrier_of(struct baseline *b, VkImageLayout of_attachment,
                               VkImageLayout of_barrier)
{
    VkImage image = image_of_samples(b, VK_SAMPLE_COUNT_1_BIT);
    VkRenderingAttachmentInfo color = rendering_attachment(view_of_rendered(b, image));
    color.imageLayout = of_attachment;
    const VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRendering(command_buffer, &info);
    record_layout_barrier_of(command_buffer, image, of_barrier);
}

SCENARIO(dynamic_barrier, LOCAL_READ)
{
    dynamic_barrier_of(b, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
                       VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
}

SCENARIO(dynamic_barrier_in_no_local_layout, LOCAL_READ,
         .expect = {"VUID-vkCmdPipelineBarrier-image-09555"},
         .text = {"is an attachment of the render pass instance in "
                  "VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL"})
{
    dynamic_barrier_of(b, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                       VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
}

SCENARIO(dynamic_barrier_in_other_layout, LOCAL_READ,
         .expect = {"VUID-vkCmdPipelineBarrier-oldLayout-10759"},
         .text = {"oldLayout is VK_IMAGE_LAYOUT_GENERAL, but the render pass instance uses "
                  "VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ"})
{
    dynamic_barrier_of(b, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, VK_IMAGE_LAYOUT_GENERAL);
}

/* No attachment is of the second layer. */
SCENARIO(dynamic_barrier_of_other_layer, LOCAL_READ)
{
    VkImageCreateInfo layers =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
    layers.arrayLayers = 2;
    VkImage image = make_image_of(b, &layers);
    VkRenderingAttachmentInfo color = rendering_attachment(view_of_rendered(b, image));
    color.imageLayout = VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ;
    const VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
    barrier.subresourceRange.baseArrayLayer = 1;
    vkCmdBeginRendering(command_buffer, &info);
    vkCmdPipelineBarrier(command_buffer, COLOR, FRAGMENT, REGION, 0, NULL, 0, NULL, 1, &barrier);
}

/* --- chains of memory barriers ---------------------------------------------------------------- */

static void chained_barrier(struct baseline *b, const void *chain)
{
    const VkMemoryBarrier2 memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                     .pNext = chain,
                                     .srcStageMask = COLOR,
                                     .dstStageMask = COLOR};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &memory};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

static const VkPhysicalDeviceMaintenance8FeaturesKHR wide_accesses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_8_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&second,
    .maintenance8 = VK_TRUE};
#define WIDE_ACCESSES \
    .drivers = NULL_DRIVER, .features = &wide_accesses, .extensions = {"VK_KHR_maintenance8"}
static const VkMemoryBarrierAccessFlags3KHR accesses = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR};

SCENARIO(barrier_with_wide_accesses, WIDE_ACCESSES)
{
    chained_barrier(b, &accesses);
}

SCENARIO(barrier_with_wide_accesses_twice, WIDE_ACCESSES,
         .expect = {"VUID-VkDependencyInfo-pMemoryBarriers-10605"})
{
    const VkMemoryBarrierAccessFlags3KHR again = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_ACCESS_FLAGS_3_KHR, .pNext = &accesses};
    chained_barrier(b, &again);
}

SCENARIO(barrier_with_another_structure, WIDE_ACCESSES,
         .expect = {"VUID-VkDependencyInfo-pMemoryBarriers-10606"})
{
    const VkEventCreateInfo other = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    chained_barrier(b, &other);
}
