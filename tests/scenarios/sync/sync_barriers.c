/* Barriers of buffers and images: ranges, aspects, layouts and usages, queue families. */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

static void record_image(VkCommandBuffer command_buffer, const VkImageMemoryBarrier *barrier)
{
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, barrier);
}

static void place_image(struct baseline *b, const VkImageMemoryBarrier *barrier)
{
    record_image(make_recording(b), barrier);
}

/* Memory for an image of the scenario's own. */
static VkImage bind_image(struct baseline *b, VkImage image)
{
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(b->device, image, &requirements);
    VkMemoryAllocateInfo info =
        memory_info(requirements.size, (uint32_t)__builtin_ctz(requirements.memoryTypeBits));
    VK(vkBindImageMemory(b->device, image, create_memory(b, &info), 0));
    return image;
}

static VkImage bound_image_of(struct baseline *b, const VkImageCreateInfo *info)
{
    return bind_image(b, create_image(b, info));
}

static VkImageMemoryBarrier to_general(VkImage image)
{
    return image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
}

static VkImage layered_image(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.mipLevels = 4;
    info.arrayLayers = 2;
    return bound_image_of(b, &info);
}

/* The range. */
SCENARIO(image_levels_begin_behind_the_end,
         .expect = {"VUID-VkImageMemoryBarrier-subresourceRange-01486"},
         .text = {"pImageMemoryBarriers[0].subresourceRange.baseMipLevel is 4, but the image has 4 "
                  "mip levels"})
{
    VkImageMemoryBarrier barrier = to_general(layered_image(b));
    barrier.subresourceRange.baseMipLevel = 4;
    place_image(b, &barrier);
}

SCENARIO(image_levels_end_behind_the_end,
         .expect = {"VUID-VkImageMemoryBarrier-subresourceRange-01724"})
{
    VkImageMemoryBarrier barrier = to_general(layered_image(b));
    barrier.subresourceRange.baseMipLevel = 2;
    barrier.subresourceRange.levelCount = 3;
    place_image(b, &barrier);
}

SCENARIO(image_layers_begin_behind_the_end,
         .expect = {"VUID-VkImageMemoryBarrier-subresourceRange-01488"})
{
    VkImageMemoryBarrier barrier = to_general(layered_image(b));
    barrier.subresourceRange.baseArrayLayer = 2;
    place_image(b, &barrier);
}

SCENARIO(image_layers_end_behind_the_end,
         .expect = {"VUID-VkImageMemoryBarrier-subresourceRange-01725"})
{
    VkImageMemoryBarrier barrier = to_general(layered_image(b));
    barrier.subresourceRange.layerCount = 3;
    place_image(b, &barrier);
}

SCENARIO(image_ranges)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = to_general(layered_image(b));
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 1, 1};
    record_image(command_buffer, &barrier);
    barrier.subresourceRange = (VkImageSubresourceRange){
        VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS};
    record_image(command_buffer, &barrier);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 4, 0, 2};
    record_image(command_buffer, &barrier);
}

/* Slices of 3D images. */
static const VkPhysicalDeviceMaintenance9FeaturesKHR maintenance9 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR, .maintenance9 = VK_TRUE};
#define MAINTENANCE9 \
    .features = &maintenance9, .extensions = {"VK_KHR_maintenance9"}, .drivers = NULL_DRIVER

static VkImageMemoryBarrier image_of_slices(struct baseline *b, uint32_t first, uint32_t count,
                                            uint32_t levels)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    info.extent.depth = 8;
    info.mipLevels = 2;
    VkImageMemoryBarrier barrier = to_general(bound_image_of(b, &info));
    barrier.subresourceRange.baseArrayLayer = first;
    barrier.subresourceRange.layerCount = count;
    barrier.subresourceRange.levelCount = levels;
    return barrier;
}

SCENARIO(slices_begin_behind_the_end, .expect = {"VUID-VkImageMemoryBarrier-maintenance9-10798"},
         MAINTENANCE9)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 8, 1, 1);
    place_image(b, &barrier);
}

SCENARIO(slices_end_behind_the_end, .expect = {"VUID-VkImageMemoryBarrier-maintenance9-10800"},
         MAINTENANCE9)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 4, 5, 1);
    place_image(b, &barrier);
}

SCENARIO(slices_of_two_levels, .expect = {"VUID-VkImageMemoryBarrier-maintenance9-10799"},
         MAINTENANCE9)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 1, 2, 2);
    place_image(b, &barrier);
}

/* "Validation layers are expected to flag a warning for the scenario where the maintenance9 feature
 * is not enabled, and the application uses layerCount equal to 1 on this kind of 3D image." Once
 * from a place. */
#define SLICES_ID "WARNING-VkImageSubresourceRange-layerCount-compatibility"
SCENARIO(slices_by_one_layer, .expect = {SLICES_ID},
         .text = {"pImageMemoryBarriers[0].subresourceRange.layerCount is 1, which is all 8 slices "
                  "of mip level 0 of this 3D image"})
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 0, 1, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    for (int i = 0; i < 3; i++)
        record_image(command_buffer, &barrier);
    if (b->ours)
        EXPECT_EQUAL(seen_count(b, SLICES_ID), 1);
}

SCENARIO(slices_by_one_layer2, .features = &features13, .expect = {SLICES_ID})
{
    const VkImageMemoryBarrier barrier = image_of_slices(b, 0, 1, 2);
    const VkImageMemoryBarrier2 barrier2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                            .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                            .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .image = barrier.image,
                                            .subresourceRange = barrier.subresourceRange};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &barrier2};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

SCENARIO(slices_by_remaining_layers)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 0, VK_REMAINING_ARRAY_LAYERS, 2);
    place_image(b, &barrier);
}

static VkImageMemoryBarrier solid_image(struct baseline *b, VkImageCreateFlags flags,
                                        uint32_t depth)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.flags = flags;
    info.extent.depth = depth;
    return to_general(bound_image_of(b, &info));
}

SCENARIO(slices_that_no_view_can_be_of)
{
    VkImageMemoryBarrier barrier = solid_image(b, 0, 8);
    place_image(b, &barrier);
}

/* One slice is all of it. */
SCENARIO(slices_of_which_there_is_one)
{
    VkImageMemoryBarrier barrier = solid_image(b, VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT, 1);
    place_image(b, &barrier);
}

SCENARIO(slices_by_one_layer_with_the_feature, MAINTENANCE9)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 0, 1, 1);
    place_image(b, &barrier);
}

SCENARIO(slices_in_order, MAINTENANCE9)
{
    VkImageMemoryBarrier barrier = image_of_slices(b, 1, 7, 1),
                         whole = image_of_slices(b, 0, VK_REMAINING_ARRAY_LAYERS, 2);
    place_image(b, &barrier);
    place_image(b, &whole);
}

/* Aspects. */
SCENARIO(image_aspect_of_color, .expect = {"VUID-VkImageMemoryBarrier-image-09241"},
         .text = {"subresourceRange.aspectMask is VK_IMAGE_ASPECT_DEPTH_BIT, but an image of "
                  "format VK_FORMAT_R8G8B8A8_UNORM needs VK_IMAGE_ASPECT_COLOR_BIT"})
{
    VkImageMemoryBarrier barrier = to_general(make_image(b, VK_IMAGE_USAGE_SAMPLED_BIT));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    place_image(b, &barrier);
}

static VkImageMemoryBarrier of_format(struct baseline *b, VkFormat format,
                                      VkImageAspectFlags aspects)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = format;
    VkImageMemoryBarrier barrier = to_general(bound_image_of(b, &info));
    barrier.subresourceRange.aspectMask = aspects;
    return barrier;
}

#define ASPECTS(name_, number_, format_, aspects_, ...)                                      \
    SCENARIO(image_aspects_##name_, .expect = {"VUID-VkImageMemoryBarrier-image-" #number_}, \
             ##__VA_ARGS__)                                                                  \
    {                                                                                        \
        VkImageMemoryBarrier barrier = of_format(b, format_, aspects_);                      \
        place_image(b, &barrier);                                                            \
    }
#define BOTH (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT)

static const VkPhysicalDeviceVulkan12Features separate = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .separateDepthStencilLayouts = VK_TRUE};
static const VkPhysicalDeviceVulkan11Features planes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .samplerYcbcrConversion = VK_TRUE};

ASPECTS(depth_alone, 03320, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT)
ASPECTS(neither, 03319, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_COLOR_BIT,
        .features = &separate)
ASPECTS(depth_only_format, 10749, VK_FORMAT_D16_UNORM, BOTH)
ASPECTS(stencil_only_format, 10750, VK_FORMAT_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT,
        .drivers = NULL_DRIVER)
ASPECTS(plane_of_joint_image, 09242, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
        VK_IMAGE_ASPECT_PLANE_0_BIT, .features = &planes)

SCENARIO(image_aspects_of_formats, .features = &planes)
{
    VkImageMemoryBarrier barrier = of_format(b, VK_FORMAT_D32_SFLOAT_S8_UINT, BOTH);
    place_image(b, &barrier);
    barrier = of_format(b, VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT);
    place_image(b, &barrier);
    barrier = of_format(b, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_ASPECT_COLOR_BIT);
    place_image(b, &barrier);
}

SCENARIO(image_aspects_separate, .features = &separate)
{
    VkImageMemoryBarrier barrier =
        of_format(b, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT);
    place_image(b, &barrier);
}

SCENARIO(image_aspects_too_many, .expect = {"VUID-VkImageMemoryBarrier-subresourceRange-09601"})
{
    VkImageMemoryBarrier barrier =
        of_format(b, VK_FORMAT_D32_SFLOAT_S8_UINT, BOTH | VK_IMAGE_ASPECT_COLOR_BIT);
    place_image(b, &barrier);
}

static VkImage disjoint_image(struct baseline *b)
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkBindImagePlaneMemoryInfo which[2];
    VkBindImageMemoryInfo binds[2];
    info.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    info.flags = VK_IMAGE_CREATE_DISJOINT_BIT;
    VkImage image = create_image(b, &info);
    for (uint32_t i = 0; i < 2; i++) {
        VkImageAspectFlagBits aspect =
            i ? VK_IMAGE_ASPECT_PLANE_1_BIT : VK_IMAGE_ASPECT_PLANE_0_BIT;
        VkImagePlaneMemoryRequirementsInfo plane = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, .planeAspect = aspect};
        VkImageMemoryRequirementsInfo2 ask = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
            .pNext = &plane,
            .image = image};
        VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        vkGetImageMemoryRequirements2(b->device, &ask, &requirements);
        VkMemoryAllocateInfo memory =
            memory_info(requirements.memoryRequirements.size,
                        (uint32_t)__builtin_ctz(requirements.memoryRequirements.memoryTypeBits));
        which[i] = (VkBindImagePlaneMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, .planeAspect = aspect};
        binds[i] = (VkBindImageMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                           .pNext = &which[i],
                                           .image = image,
                                           .memory = create_memory(b, &memory)};
    }
    VK(vkBindImageMemory2(b->device, 2, binds));
    return image;
}

SCENARIO(image_aspects_of_disjoint_image, .expect = {"VUID-VkImageMemoryBarrier-image-01672"},
         .features = &planes, .drivers = NULL_DRIVER)
{
    VkImageMemoryBarrier barrier = to_general(disjoint_image(b));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    place_image(b, &barrier);
}

SCENARIO(image_plane_of_disjoint_image, .features = &planes, .drivers = NULL_DRIVER)
{
    VkImageMemoryBarrier barrier = to_general(disjoint_image(b));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
    place_image(b, &barrier);
}

SCENARIO(image_unbound, .expect = {"VUID-VkImageMemoryBarrier-image-01932"})
{
    VkImageMemoryBarrier barrier = to_general(make_unbound_image(b));
    place_image(b, &barrier);
}

SCENARIO(image_plane_bound, .drivers = NULL_DRIVER)
{
    VkImageMemoryBarrier barrier = to_general(make_image_of_freed_plane(b));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT;
    place_image(b, &barrier);
}

SCENARIO(image_plane_freed, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkImageMemoryBarrier-image-01932"})
{
    VkImageMemoryBarrier barrier = to_general(make_image_of_freed_plane(b));
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_PLANE_1_BIT;
    place_image(b, &barrier);
}

/* Layouts and usages. */
static void place_layout(struct baseline *b, VkFormat format, VkImageUsageFlags usage,
                         VkImageAspectFlags aspects, VkImageLayout layout)
{
    VkImageCreateInfo info = image_info(usage);
    info.format = format;
    VkImageMemoryBarrier barrier =
        image_barrier(bound_image_of(b, &info), VK_IMAGE_LAYOUT_UNDEFINED, layout);
    barrier.subresourceRange.aspectMask = aspects;
    place_image(b, &barrier);
}

#define COLOR_LAYOUT(name_, member_, to_, usage_, good_, ...)                                    \
    SCENARIO(layout_##name_, .expect = {"VUID-VkImageMemoryBarrier-" member_},                   \
             .text = {"newLayout is VK_IMAGE_LAYOUT_" #to_                                       \
                      ", but the image was created with usage"},                                 \
             ##__VA_ARGS__)                                                                      \
    {                                                                                            \
        place_layout(b, COLOR_FORMAT, usage_, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_##to_); \
    }                                                                                            \
    SCENARIO(layout_##name_##_right, ##__VA_ARGS__)                                              \
    {                                                                                            \
        place_layout(b, COLOR_FORMAT, good_, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_##to_);  \
    }
#define DEPTH_LAYOUT(name_, member_, to_, format_, aspects_, ...)                             \
    SCENARIO(layout_##name_, .expect = {"VUID-VkImageMemoryBarrier-" member_}, ##__VA_ARGS__) \
    {                                                                                         \
        place_layout(b, format_, VK_IMAGE_USAGE_TRANSFER_DST_BIT, aspects_,                   \
                     VK_IMAGE_LAYOUT_##to_);                                                  \
    }                                                                                         \
    SCENARIO(layout_##name_##_right, ##__VA_ARGS__)                                           \
    {                                                                                         \
        place_layout(b, format_, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, aspects_,       \
                     VK_IMAGE_LAYOUT_##to_);                                                  \
    }
#define USAGE(name_)   VK_IMAGE_USAGE_##name_
#define EXTENSION(...) .drivers = NULL_DRIVER, .extensions = {__VA_ARGS__}

COLOR_LAYOUT(color_attachment, "oldLayout-01208", COLOR_ATTACHMENT_OPTIMAL, USAGE(SAMPLED_BIT),
             USAGE(COLOR_ATTACHMENT_BIT))
DEPTH_LAYOUT(depth_stencil_attachment, "oldLayout-01209", DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
             VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT)
DEPTH_LAYOUT(depth_stencil_read_only, "oldLayout-01210", DEPTH_STENCIL_READ_ONLY_OPTIMAL,
             VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT)
COLOR_LAYOUT(shader_read_only, "oldLayout-01211", SHADER_READ_ONLY_OPTIMAL, USAGE(TRANSFER_DST_BIT),
             USAGE(SAMPLED_BIT))
COLOR_LAYOUT(transfer_src, "oldLayout-01212", TRANSFER_SRC_OPTIMAL, USAGE(SAMPLED_BIT),
             USAGE(TRANSFER_SRC_BIT))
COLOR_LAYOUT(transfer_dst, "oldLayout-01213", TRANSFER_DST_OPTIMAL, USAGE(SAMPLED_BIT),
             USAGE(TRANSFER_DST_BIT))
DEPTH_LAYOUT(depth_read_only_stencil_attachment, "oldLayout-01658",
             DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL, VK_FORMAT_D32_SFLOAT_S8_UINT, BOTH)
DEPTH_LAYOUT(depth_attachment_stencil_read_only, "oldLayout-01659",
             DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL, VK_FORMAT_D32_SFLOAT_S8_UINT, BOTH)
DEPTH_LAYOUT(depth_read_only, "srcQueueFamilyIndex-04065", DEPTH_READ_ONLY_OPTIMAL,
             VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT)
DEPTH_LAYOUT(depth_attachment, "srcQueueFamilyIndex-04066", DEPTH_ATTACHMENT_OPTIMAL,
             VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT)
DEPTH_LAYOUT(stencil_read_only, "srcQueueFamilyIndex-04067", STENCIL_READ_ONLY_OPTIMAL,
             VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, .features = &separate)
DEPTH_LAYOUT(stencil_attachment, "srcQueueFamilyIndex-04068", STENCIL_ATTACHMENT_OPTIMAL,
             VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, .features = &separate)
COLOR_LAYOUT(attachment, "srcQueueFamilyIndex-03938", ATTACHMENT_OPTIMAL, USAGE(SAMPLED_BIT),
             USAGE(COLOR_ATTACHMENT_BIT), .features = &features13)
COLOR_LAYOUT(read_only, "srcQueueFamilyIndex-03939", READ_ONLY_OPTIMAL, USAGE(TRANSFER_DST_BIT),
             USAGE(SAMPLED_BIT), .features = &features13)
static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR shading_rate = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pipelineFragmentShadingRate = VK_TRUE,
    .attachmentFragmentShadingRate = VK_TRUE};
COLOR_LAYOUT(fragment_shading_rate, "oldLayout-02088", FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
             USAGE(SAMPLED_BIT), USAGE(FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR),
             EXTENSION("VK_KHR_fragment_shading_rate"), .features = &shading_rate)

#define VIDEO(name_, number_, to_, direction_)                                       \
    SCENARIO(layout_##name_,                                                         \
             .expect = {"VUID-VkImageMemoryBarrier-srcQueueFamilyIndex-" #number_},  \
             EXTENSION("VK_KHR_video_" #direction_ "_queue", "VK_KHR_video_queue"))  \
    {                                                                                \
        place_layout(b, COLOR_FORMAT, USAGE(SAMPLED_BIT), VK_IMAGE_ASPECT_COLOR_BIT, \
                     VK_IMAGE_LAYOUT_##to_);                                         \
    }
VIDEO(video_decode_src, 07120, VIDEO_DECODE_SRC_KHR, decode)
VIDEO(video_decode_dst, 07121, VIDEO_DECODE_DST_KHR, decode)
VIDEO(video_decode_dpb, 07122, VIDEO_DECODE_DPB_KHR, decode)
VIDEO(video_encode_src, 07123, VIDEO_ENCODE_SRC_KHR, encode)
VIDEO(video_encode_dst, 07124, VIDEO_ENCODE_DST_KHR, encode)
VIDEO(video_encode_dpb, 07125, VIDEO_ENCODE_DPB_KHR, encode)

SCENARIO(layout_quantization_map, .expect = {"VUID-VkImageMemoryBarrier-srcQueueFamilyIndex-10287"},
         EXTENSION("VK_KHR_video_encode_quantization_map", "VK_KHR_video_encode_queue",
                   "VK_KHR_video_queue"))
{
    place_layout(b, COLOR_FORMAT, USAGE(SAMPLED_BIT), VK_IMAGE_ASPECT_COLOR_BIT,
                 VK_IMAGE_LAYOUT_VIDEO_ENCODE_QUANTIZATION_MAP_KHR);
}

static const VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT feedback_loop = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT,
    .attachmentFeedbackLoopLayout = VK_TRUE};
#define FEEDBACK (USAGE(COLOR_ATTACHMENT_BIT) | USAGE(SAMPLED_BIT))
COLOR_LAYOUT(feedback_loop, "srcQueueFamilyIndex-07006", ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
             FEEDBACK, FEEDBACK | USAGE(ATTACHMENT_FEEDBACK_LOOP_BIT_EXT),
             EXTENSION("VK_EXT_attachment_feedback_loop_layout"), .features = &feedback_loop)

SCENARIO(layout_feedback_loop_without_feature,
         .expect = {"VUID-VkImageMemoryBarrier-attachmentFeedbackLoopLayout-07313"},
         EXTENSION("VK_EXT_attachment_feedback_loop_layout"))
{
    place_layout(b, COLOR_FORMAT, FEEDBACK | USAGE(ATTACHMENT_FEEDBACK_LOOP_BIT_EXT),
                 VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT);
}

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .dynamicRenderingLocalRead = VK_TRUE};
COLOR_LAYOUT(local_read, "srcQueueFamilyIndex-09550", RENDERING_LOCAL_READ,
             USAGE(COLOR_ATTACHMENT_BIT), USAGE(COLOR_ATTACHMENT_BIT) | USAGE(INPUT_ATTACHMENT_BIT),
             EXTENSION("VK_KHR_dynamic_rendering_local_read"), .features = &local_read)

SCENARIO(layout_local_read_without_feature,
         .expect = {"VUID-VkImageMemoryBarrier-dynamicRenderingLocalRead-09552"},
         EXTENSION("VK_KHR_dynamic_rendering_local_read"))
{
    place_layout(b, COLOR_FORMAT, USAGE(STORAGE_BIT), VK_IMAGE_ASPECT_COLOR_BIT,
                 VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ);
}

SCENARIO(old_layout_local_read_without_feature,
         .expect = {"VUID-VkImageMemoryBarrier-dynamicRenderingLocalRead-09551"},
         EXTENSION("VK_KHR_dynamic_rendering_local_read"))
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(STORAGE_BIT)), VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
                      VK_IMAGE_LAYOUT_GENERAL);
    place_image(b, &barrier);
}

SCENARIO(old_layout_without_synchronization2,
         .expect = {"VUID-VkImageMemoryBarrier-synchronization2-07793"})
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(SAMPLED_BIT)), VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
                      VK_IMAGE_LAYOUT_GENERAL);
    place_image(b, &barrier);
}

SCENARIO(new_layout_without_synchronization2,
         .expect = {"VUID-VkImageMemoryBarrier-synchronization2-07794"})
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(SAMPLED_BIT)), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
    place_image(b, &barrier);
}

SCENARIO(zero_initialized_without_feature, .expect = {"VUID-VkImageMemoryBarrier-oldLayout-10767"},
         EXTENSION("VK_EXT_zero_initialize_device_memory"))
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(SAMPLED_BIT)), VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT,
                      VK_IMAGE_LAYOUT_GENERAL);
    place_image(b, &barrier);
}

static const VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT zero_initialize = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_DEVICE_MEMORY_FEATURES_EXT,
    .zeroInitializeDeviceMemory = VK_TRUE};
SCENARIO(zero_initialized_in_part, .expect = {"VUID-VkImageMemoryBarrier-oldLayout-10768"},
         .features = &zero_initialize, EXTENSION("VK_EXT_zero_initialize_device_memory"))
{
    VkImageMemoryBarrier barrier =
        image_barrier(layered_image(b), VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT,
                      VK_IMAGE_LAYOUT_GENERAL);
    place_image(b, &barrier);
}

SCENARIO(zero_initialized_whole, .features = &zero_initialize,
         EXTENSION("VK_EXT_zero_initialize_device_memory"))
{
    VkImageMemoryBarrier barrier =
        image_barrier(layered_image(b), VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT,
                      VK_IMAGE_LAYOUT_GENERAL);
    barrier.subresourceRange.levelCount = VK_REMAINING_MIP_LEVELS;
    barrier.subresourceRange.layerCount = VK_REMAINING_ARRAY_LAYERS;
    place_image(b, &barrier);
}

SCENARIO(stencil_layout_for_depth, .expect = {"VUID-VkImageMemoryBarrier-aspectMask-08702"},
         .features = &separate)
{
    place_layout(b, VK_FORMAT_D32_SFLOAT_S8_UINT, USAGE(DEPTH_STENCIL_ATTACHMENT_BIT), BOTH,
                 VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL);
}

SCENARIO(depth_layout_for_stencil, .expect = {"VUID-VkImageMemoryBarrier-aspectMask-08703"},
         .features = &separate)
{
    place_layout(b, VK_FORMAT_D32_SFLOAT_S8_UINT, USAGE(DEPTH_STENCIL_ATTACHMENT_BIT), BOTH,
                 VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL);
}

SCENARIO(new_layout_undefined, .expect = {"VUID-VkImageMemoryBarrier-newLayout-01198"})
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(SAMPLED_BIT)), VK_IMAGE_LAYOUT_GENERAL,
                      VK_IMAGE_LAYOUT_UNDEFINED);
    place_image(b, &barrier);
}

SCENARIO(new_layout_preinitialized, .expect = {"VUID-VkImageMemoryBarrier2-newLayout-01198"},
         .features = &features13)
{
    VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .newLayout = VK_IMAGE_LAYOUT_PREINITIALIZED,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = make_image(b, USAGE(SAMPLED_BIT)),
                                     .subresourceRange = color_range()};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

/* With the feature synchronization2, equal layouts mean that there is no transition. */
SCENARIO(equal_layouts_are_ignored, .features = &features13)
{
    VkImageMemoryBarrier barrier =
        image_barrier(make_image(b, USAGE(SAMPLED_BIT)), VK_IMAGE_LAYOUT_UNDEFINED,
                      VK_IMAGE_LAYOUT_UNDEFINED);
    place_image(b, &barrier);
}

SCENARIO(old_layout_is_another, .expect = {"VUID-VkImageMemoryBarrier-oldLayout-01197"},
         .text = {"pImageMemoryBarriers[0].oldLayout is VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, but "
                  "the commands recorded before leave the image in VK_IMAGE_LAYOUT_GENERAL "
                  "(VK_IMAGE_ASPECT_COLOR_BIT, mip level 0, array layer 0)"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage image = make_image(b, USAGE(TRANSFER_DST_BIT));
    VkImageMemoryBarrier first = to_general(image);
    VkImageMemoryBarrier second =
        image_barrier(image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    record_image(command_buffer, &first);
    record_image(command_buffer, &second);
}

SCENARIO(old_layout_of_one_level_is_another,
         .expect = {"VUID-VkImageMemoryBarrier-oldLayout-01197"},
         .text = {"mip level 2, array layer 1"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage image = layered_image(b);
    VkImageMemoryBarrier barrier = to_general(image);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 4, 0, 2};
    record_image(command_buffer, &barrier);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 1, 1};
    barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    record_image(command_buffer, &barrier);
    barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    barrier.subresourceRange =
        (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 1, VK_REMAINING_MIP_LEVELS, 0, 2};
    record_image(command_buffer, &barrier);
}

SCENARIO(old_layouts_as_they_are)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage image = layered_image(b);
    VkImageMemoryBarrier barrier = to_general(image);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 4, 0, 2};
    record_image(command_buffer, &barrier);
    barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 1, 1};
    record_image(command_buffer, &barrier);
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 0, 1};
    record_image(command_buffer, &barrier);
    barrier.oldLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 0, 2};
    record_image(command_buffer, &barrier);
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.subresourceRange = (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 4, 0, 2};
    record_image(command_buffer, &barrier);
}

/* In which order the barriers of one command are executed, is unspecified: one may begin where
 * another one ends. */
static void two_barriers(struct baseline *b, VkImageLayout middle)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImage image = make_image(b, USAGE(TRANSFER_DST_BIT) | USAGE(TRANSFER_SRC_BIT));
    VkImageMemoryBarrier barriers[2] = {
        image_barrier(image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL),
        image_barrier(image, middle, VK_IMAGE_LAYOUT_GENERAL)};
    VkImageMemoryBarrier first =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    record_image(command_buffer, &first);
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 2, barriers);
}

SCENARIO(old_layout_left_by_the_same_command)
{
    two_barriers(b, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    two_barriers(b, VK_IMAGE_LAYOUT_GENERAL);
}

SCENARIO(old_layout_left_by_nobody, .expect = {"VUID-VkImageMemoryBarrier-oldLayout-01197"})
{
    two_barriers(b, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* Layouts when command buffers are submitted. */
static VkCommandBuffer transition_layout(struct baseline *b, VkImage image, VkImageLayout from,
                                         VkImageLayout to)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkImageMemoryBarrier barrier = image_barrier(image, from, to);
    record_image(command_buffer, &barrier);
    return command_buffer;
}

SCENARIO(submitted_layout_is_another, .expect = {"VUID-vkCmdDraw-None-09600"},
         .text = {"pSubmits[0].pCommandBuffers[0] expects the image in "
                  "VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL when it begins to use it, by "
                  "vkCmdPipelineBarrier (command 0), but it will be in VK_IMAGE_LAYOUT_GENERAL"})
{
    VkImage image = make_image(b, USAGE(TRANSFER_DST_BIT));
    run_commands(b,
                 transition_layout(b, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL));
    VkCommandBuffer second =
        transition_layout(b, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    VkSubmitInfo submit = submit_info(&second);
    VK(vkEndCommandBuffer(second));
    (void)vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(submitted_layouts_in_turn)
{
    VkImage image = make_image(b, USAGE(TRANSFER_DST_BIT));
    VkCommandBuffer both[2] = {
        transition_layout(b, image, VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL),
        transition_layout(b, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL)};
    VkSubmitInfo submit = submit_info(both);
    submit.commandBufferCount = 2;
    VK(vkEndCommandBuffer(both[0]));
    VK(vkEndCommandBuffer(both[1]));
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    run_commands(b, transition_layout(b, image, VK_IMAGE_LAYOUT_GENERAL,
                                      VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL));
}

/* Buffers. */
static VkBufferMemoryBarrier buffer_barrier(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    return (VkBufferMemoryBarrier){.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
                                   .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                   .buffer = buffer,
                                   .offset = offset,
                                   .size = size};
}

static void record_buffer(VkCommandBuffer command_buffer, const VkBufferMemoryBarrier *barrier,
                          VkPipelineStageFlags src, VkPipelineStageFlags dst)
{
    vkCmdPipelineBarrier(command_buffer, src, dst, 0, 0, NULL, 1, barrier, 0, NULL);
}

static void place_buffer(struct baseline *b, VkDeviceSize offset, VkDeviceSize size)
{
    VkBufferMemoryBarrier barrier =
        buffer_barrier(make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), offset, size);
    record_buffer(make_recording(b), &barrier, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

SCENARIO(buffer_offset_at_the_end, .expect = {"VUID-VkBufferMemoryBarrier-offset-01187"},
         .text = {"pBufferMemoryBarriers[0].offset is 64, but the buffer has 64 bytes"})
{
    place_buffer(b, 64, VK_WHOLE_SIZE);
}

SCENARIO(buffer_size_zero, .expect = {"VUID-VkBufferMemoryBarrier-size-01188"})
{
    place_buffer(b, 0, 0);
}

SCENARIO(buffer_size_too_large, .expect = {"VUID-VkBufferMemoryBarrier-size-01189"})
{
    place_buffer(b, 32, 33);
}

SCENARIO(buffer_ranges)
{
    place_buffer(b, 63, VK_WHOLE_SIZE);
    place_buffer(b, 32, 32);
}

SCENARIO(buffer_unbound, .expect = {"VUID-VkBufferMemoryBarrier-buffer-01931"})
{
    VkBufferMemoryBarrier barrier = buffer_barrier(make_unbound_buffer(b), 0, VK_WHOLE_SIZE);
    record_buffer(make_recording(b), &barrier, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

/* Accesses of buffer and image barriers in version 1. */
SCENARIO(buffer_access_unsupported,
         .expect = {"VUID-vkCmdPipelineBarrier-pBufferMemoryBarriers-02817"})
{
    VkBufferMemoryBarrier barrier =
        buffer_barrier(make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, VK_WHOLE_SIZE);
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    record_buffer(make_recording(b), &barrier, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

SCENARIO(buffer_destination_access_unsupported,
         .expect = {"VUID-vkCmdPipelineBarrier-pBufferMemoryBarriers-02818"})
{
    VkBufferMemoryBarrier barrier =
        buffer_barrier(make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, VK_WHOLE_SIZE);
    barrier.dstAccessMask = VK_ACCESS_INDEX_READ_BIT;
    record_buffer(make_recording(b), &barrier, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

SCENARIO(image_access_unsupported,
         .expect = {"VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-02819"})
{
    VkImageMemoryBarrier barrier = to_general(make_image(b, USAGE(SAMPLED_BIT)));
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

SCENARIO(image_destination_access_unsupported,
         .expect = {"VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-02820"})
{
    VkImageMemoryBarrier barrier = to_general(make_image(b, USAGE(SAMPLED_BIT)));
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

/* Queue families. The null driver has several. */
#define FAMILIES .drivers = NULL_DRIVER

static void move_buffer(struct baseline *b, uint32_t own, uint32_t from, uint32_t to,
                        VkPipelineStageFlags stages)
{
    VkBufferMemoryBarrier barrier =
        buffer_barrier(make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, VK_WHOLE_SIZE);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    record_buffer(make_recording_of(b, own), &barrier, stages, stages);
}

static void move_image(struct baseline *b, uint32_t own, uint32_t from, uint32_t to,
                       VkPipelineStageFlags stages)
{
    VkImageMemoryBarrier barrier = to_general(make_image(b, USAGE(SAMPLED_BIT)));
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    vkCmdPipelineBarrier(make_recording_of(b, own), stages, stages, 0, 0, NULL, 0, NULL, 1,
                         &barrier);
}

#define ALL          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
#define ALL_AND_HOST (ALL | VK_PIPELINE_STAGE_HOST_BIT)

SCENARIO(buffer_from_no_family, .expect = {"VUID-VkBufferMemoryBarrier-buffer-09095"}, FAMILIES,
         .text = {"srcQueueFamilyIndex is 99 and dstQueueFamilyIndex is 0"})
{
    move_buffer(b, 0, 99, 0, ALL);
}

SCENARIO(buffer_to_no_family, .expect = {"VUID-VkBufferMemoryBarrier-buffer-09096"}, FAMILIES)
{
    move_buffer(b, 0, 0, VK_QUEUE_FAMILY_IGNORED, ALL);
}

SCENARIO(image_from_no_family, .expect = {"VUID-VkImageMemoryBarrier-image-09117"}, FAMILIES)
{
    move_image(b, 0, VK_QUEUE_FAMILY_IGNORED, 0, ALL);
}

SCENARIO(image_to_no_family, .expect = {"VUID-VkImageMemoryBarrier-image-09118"}, FAMILIES)
{
    move_image(b, 0, 0, 99, ALL);
}

SCENARIO(buffer_between_others, .expect = {"VUID-vkCmdPipelineBarrier-srcQueueFamilyIndex-10388"},
         FAMILIES)
{
    move_buffer(b, 0, 1, 2, ALL);
}

SCENARIO(image_between_others, .expect = {"VUID-vkCmdPipelineBarrier2-srcQueueFamilyIndex-10387"},
         FAMILIES, .features = &features13)
{
    VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                     .srcQueueFamilyIndex = 1,
                                     .dstQueueFamilyIndex = 2,
                                     .image = make_image(b, USAGE(SAMPLED_BIT)),
                                     .subresourceRange = color_range()};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording_of(b, 0), &info);
}

SCENARIO(buffer_moved_by_host, .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-09634"}, FAMILIES)
{
    move_buffer(b, 0, 0, 1, ALL_AND_HOST);
}

SCENARIO(image_moved_by_host, .expect = {"VUID-vkCmdPipelineBarrier-srcStageMask-09633"}, FAMILIES)
{
    move_image(b, 0, 0, 1, ALL_AND_HOST);
}

SCENARIO(buffer_and_image_moved, FAMILIES)
{
    move_buffer(b, 0, 0, 1, ALL);
    move_buffer(b, 1, 0, 1, ALL);
    move_buffer(b, 1, 1, VK_QUEUE_FAMILY_EXTERNAL, ALL);
    move_image(b, 2, 2, 0, ALL);
    move_image(b, 0, 2, 0, ALL);
    move_image(b, 0, 3, 3, ALL);
}

SCENARIO(buffer_from_foreign_without_extension,
         .expect = {"VUID-VkBufferMemoryBarrier-srcQueueFamilyIndex-09099"}, FAMILIES)
{
    move_buffer(b, 0, VK_QUEUE_FAMILY_FOREIGN_EXT, 0, ALL);
}

SCENARIO(image_to_foreign_without_extension,
         .expect = {"VUID-VkImageMemoryBarrier-dstQueueFamilyIndex-09100"}, FAMILIES)
{
    move_image(b, 0, 0, VK_QUEUE_FAMILY_FOREIGN_EXT, ALL);
}

SCENARIO(image_to_foreign, FAMILIES, .extensions = {"VK_EXT_queue_family_foreign"})
{
    move_image(b, 0, 0, VK_QUEUE_FAMILY_FOREIGN_EXT, ALL);
    move_buffer(b, 0, VK_QUEUE_FAMILY_FOREIGN_EXT, 0, ALL);
}

SCENARIO(buffer_from_external_in_1_0, .expect = {"VUID-VkBufferMemoryBarrier-None-09097"}, FAMILIES,
         .api_version = VK_API_VERSION_1_0)
{
    move_buffer(b, 0, VK_QUEUE_FAMILY_EXTERNAL, 0, ALL);
}

SCENARIO(image_to_external_in_1_0, .expect = {"VUID-VkImageMemoryBarrier-None-09098"}, FAMILIES,
         .api_version = VK_API_VERSION_1_0)
{
    move_image(b, 0, 0, VK_QUEUE_FAMILY_EXTERNAL, ALL);
}

/* Shared by queue families. */
static const uint32_t two_families[] = {0, 1};

static void shared_buffer(struct baseline *b, uint32_t from, uint32_t to)
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = two_families;
    VkBuffer buffer = create_buffer(b, &info);
    VK(vkBindBufferMemory(b->device, buffer, make_memory(b, 4096), 0));
    VkBufferMemoryBarrier barrier = buffer_barrier(buffer, 0, VK_WHOLE_SIZE);
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    record_buffer(make_recording_of(b, 0), &barrier, ALL, ALL);
}

static void shared_image(struct baseline *b, uint32_t from, uint32_t to)
{
    VkImageCreateInfo info = image_info(USAGE(SAMPLED_BIT));
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = two_families;
    VkImageMemoryBarrier barrier = to_general(bound_image_of(b, &info));
    barrier.srcQueueFamilyIndex = from;
    barrier.dstQueueFamilyIndex = to;
    VkCommandBuffer command_buffer = make_recording_of(b, 0);
    record_image(command_buffer, &barrier);
}

#define IGNORED  VK_QUEUE_FAMILY_IGNORED
#define EXTERNAL VK_QUEUE_FAMILY_EXTERNAL

SCENARIO(shared_buffer_external_twice, .expect = {"VUID-VkBufferMemoryBarrier-None-09049"},
         FAMILIES)
{
    shared_buffer(b, EXTERNAL, EXTERNAL);
}

/* A barrier that is wrong by itself is reported alone. */
SCENARIO(shared_buffer_between_families,
         .expect = {"VUID-VkBufferMemoryBarrier-None-09050",
                    "VUID-VkBufferMemoryBarrier-None-09051"},
         FAMILIES)
{
    shared_buffer(b, 0, 1);
}

SCENARIO(shared_buffer_from_family, .expect = {"VUID-VkBufferMemoryBarrier-None-09050"}, FAMILIES)
{
    shared_buffer(b, 0, IGNORED);
}

SCENARIO(shared_buffer_to_family, .expect = {"VUID-VkBufferMemoryBarrier-None-09051"}, FAMILIES)
{
    shared_buffer(b, IGNORED, 0);
}

SCENARIO(shared_image_external_twice, .expect = {"VUID-VkImageMemoryBarrier-None-09052"}, FAMILIES)
{
    shared_image(b, EXTERNAL, EXTERNAL);
}

SCENARIO(shared_image_from_family, .expect = {"VUID-VkImageMemoryBarrier-None-09053"}, FAMILIES)
{
    shared_image(b, 0, IGNORED);
}

SCENARIO(shared_image_to_family, .expect = {"VUID-VkImageMemoryBarrier-None-09054"}, FAMILIES)
{
    shared_image(b, IGNORED, 0);
}

SCENARIO(shared_resources, FAMILIES)
{
    shared_buffer(b, IGNORED, IGNORED);
    shared_image(b, IGNORED, IGNORED);
    shared_image(b, IGNORED, EXTERNAL);
    shared_buffer(b, EXTERNAL, IGNORED);
}

/* Host stages of version 2. */
static void record_image_barrier2(struct baseline *b, VkPipelineStageFlags2 src, VkImageLayout old,
                                  uint32_t to)
{
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = src,
        .oldLayout = old,
        .newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
        .srcQueueFamilyIndex = b->queue_family,
        .dstQueueFamilyIndex = to,
        .image = make_image(b, USAGE(SAMPLED_BIT) | USAGE(TRANSFER_DST_BIT)),
        .subresourceRange = color_range()};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .imageMemoryBarrierCount = 1,
                             .pImageMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

SCENARIO(image2_moved_by_host, .expect = {"VUID-VkImageMemoryBarrier2-srcStageMask-03854"},
         FAMILIES, .features = &features13)
{
    record_image_barrier2(b, VK_PIPELINE_STAGE_2_HOST_BIT, VK_IMAGE_LAYOUT_GENERAL, 1);
}

SCENARIO(image2_from_host_in_odd_layout,
         .expect = {"VUID-VkImageMemoryBarrier2-srcStageMask-03855"}, .features = &features13)
{
    record_image_barrier2(b, VK_PIPELINE_STAGE_2_HOST_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                          b->queue_family);
}

SCENARIO(image2_from_host, .features = &features13)
{
    record_image_barrier2(b, VK_PIPELINE_STAGE_2_HOST_BIT, VK_IMAGE_LAYOUT_GENERAL,
                          b->queue_family);
}

SCENARIO(buffer2_moved_by_host, .expect = {"VUID-VkBufferMemoryBarrier2-srcStageMask-03851"},
         FAMILIES, .features = &features13)
{
    VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .srcStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                                      .srcQueueFamilyIndex = 0,
                                      .dstQueueFamilyIndex = 1,
                                      .buffer =
                                          make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                      .size = VK_WHOLE_SIZE};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .bufferMemoryBarrierCount = 1,
                             .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording_of(b, 0), &info);
}

static void move_buffer2(struct baseline *b, uint32_t own, uint32_t from, uint32_t to,
                         VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
    VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                      .srcStageMask = src,
                                      .dstStageMask = dst,
                                      .srcQueueFamilyIndex = from,
                                      .dstQueueFamilyIndex = to,
                                      .buffer =
                                          make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                                      .size = VK_WHOLE_SIZE};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .bufferMemoryBarrierCount = 1,
                             .pBufferMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording_of(b, own), &info);
}

SCENARIO(buffer2_source_of_other_queue, .expect = {"VUID-vkCmdPipelineBarrier2-srcStageMask-09675"},
         FAMILIES, .features = &features13)
{
    move_buffer2(b, 2, IGNORED, IGNORED, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                 VK_PIPELINE_STAGE_2_COPY_BIT);
}

SCENARIO(buffer2_destination_of_other_queue,
         .expect = {"VUID-vkCmdPipelineBarrier2-dstStageMask-09676"}, FAMILIES,
         .features = &features13)
{
    move_buffer2(b, 2, IGNORED, IGNORED, VK_PIPELINE_STAGE_2_COPY_BIT,
                 VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}

SCENARIO(buffer2_stages_of_transfers, FAMILIES, .features = &features13)
{
    move_buffer2(b, 2, 2, 0, VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
    move_buffer2(b, 2, 0, 2, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_2_COPY_BIT);
}

SCENARIO(use_all_stages_without_maintenance8,
         .expect = {"VUID-vkCmdPipelineBarrier-maintenance8-10206"}, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_maintenance8"})
{
    vkCmdPipelineBarrier(make_recording(b), ALL, ALL,
                         VK_DEPENDENCY_QUEUE_FAMILY_OWNERSHIP_TRANSFER_USE_ALL_STAGES_BIT_KHR, 0,
                         NULL, 0, NULL, 0, NULL);
}
