/* Images with which descriptors may be written that are filtered, matched, or sampled plane by
 * plane (14.2.4). */
#include "scenario.h"

#define WRITE(id_) "VUID-VkWriteDescriptorSet-descriptorType-" id_

static void write_image_to_set(struct baseline *b, VkDescriptorType type, VkImageView view,
                               VkSampler sampler)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {type, 1};
    VkDescriptorPoolCreateInfo pool = descriptor_pool_info();
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool),
                                              create_descriptor_set_layout(b, &info));
    const VkDescriptorImageInfo image = {sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkWriteDescriptorSet write = write_buffer(set, NULL);
    write.descriptorType = type;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

/* --- VK_QCOM_image_processing --- */

static const VkPhysicalDeviceImageProcessingFeaturesQCOM processing = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM,
    .textureSampleWeighted = VK_TRUE,
    .textureBlockMatch = VK_TRUE};
#define PROCESSING \
    .drivers = NULL_DRIVER, .extensions = {"VK_QCOM_image_processing"}, .features = &processing
#define WEIGHT VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM
#define MATCH  VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM

static VkImageView make_weight_view(struct baseline *b, VkImageUsageFlags usage)
{
    const VkImageViewSampleWeightCreateInfoQCOM weight = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM,
        .filterCenter = {2, 2},
        .filterSize = {4, 4},
        .numPhases = 1};
    VkImageCreateInfo image = image_info(usage);
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    if (usage & VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM) {
        view.pNext = &weight;
        view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    }
    return create_image_view(b, &view);
}

SCENARIO(weights_and_blocks, PROCESSING)
{
    write_image_to_set(b, WEIGHT,
                       make_weight_view(b, VK_IMAGE_USAGE_SAMPLED_BIT |
                                               VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM),
                       VK_NULL_HANDLE);
    write_image_to_set(b, MATCH,
                       make_weight_view(b, VK_IMAGE_USAGE_SAMPLED_BIT |
                                               VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM),
                       VK_NULL_HANDLE);
}

SCENARIO(weights_without_usage, PROCESSING, .expect = {WRITE("06942")},
         .text = {"needs VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM"})
{
    write_image_to_set(b, WEIGHT, make_weight_view(b, VK_IMAGE_USAGE_SAMPLED_BIT), VK_NULL_HANDLE);
}

SCENARIO(blocks_without_usage, PROCESSING, .expect = {WRITE("06943")},
         .text = {"needs VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM"})
{
    write_image_to_set(b, MATCH, make_weight_view(b, VK_IMAGE_USAGE_SAMPLED_BIT), VK_NULL_HANDLE);
}

/* --- planes --- */

static VkImageView make_plane_view(struct baseline *b, VkImageAspectFlags aspect)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    image.format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = aspect == VK_IMAGE_ASPECT_COLOR_BIT ? image.format : VK_FORMAT_R8_UNORM;
    view.subresourceRange.aspectMask = aspect;
    return create_image_view(b, &view);
}

SCENARIO(one_plane)
{
    write_image_to_set(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                       make_plane_view(b, VK_IMAGE_ASPECT_PLANE_0_BIT), VK_NULL_HANDLE);
}

/* Such a view is wrong by itself. */
SCENARIO(all_planes, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-VkDescriptorImageInfo-sampler-01564",
                    "VUID-VkImageViewCreateInfo-format-06415"},
         .text = {"is of an image of VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, which without a Y'CbCr "
                  "conversion can only be sampled plane by plane"})
{
    write_image_to_set(b, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                       make_plane_view(b, VK_IMAGE_ASPECT_COLOR_BIT), make_sampler(b));
}

/* --- views whose memory was freed --- */

/* Writes a view, of whose image, or of another one, the memory was freed. */
static void write_when_freed(struct baseline *b, bool frees_own)
{
    const VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    VkMemoryRequirements needs;
    VkImage images[2];
    VkDeviceMemory memory[2];
    for (uint32_t i = 0; i < 2; i++) {
        images[i] = create_image(b, &info);
        ENSURE(images[i]);
        vkGetImageMemoryRequirements(b->device, images[i], &needs);
        const VkMemoryAllocateInfo allocate =
            memory_info(needs.size, (uint32_t)__builtin_ctz(needs.memoryTypeBits));
        memory[i] = create_memory(b, &allocate);
        VK(vkBindImageMemory(b->device, images[i], memory[i], 0));
    }
    const VkImageViewCreateInfo view = image_view_info(images[0]);
    VkImageView written = create_image_view(b, &view);
    FORGET(b, memory[frees_own ? 0 : 1]);
    vkFreeMemory(b->device, memory[frees_own ? 0 : 1], NULL);
    write_image_to_set(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, written, VK_NULL_HANDLE);
}
SCENARIO(view_of_freed_memory,
         .expect = {"UNASSIGNED-VkDescriptorImageInfo-BoundResourceFreedMemoryAccess"},
         .text = {"imageView is of an image whose memory was freed"})
{
    write_when_freed(b, true);
}
SCENARIO(view_beside_freed_memory)
{
    write_when_freed(b, false);
}

/* --- input attachments with a least level of detail --- */

static const VkPhysicalDeviceImageViewMinLodFeaturesEXT least_lod = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_MIN_LOD_FEATURES_EXT, .minLod = VK_TRUE};
#define LEAST_LOD \
    .drivers = NULL_DRIVER, .features = &least_lod, .extensions = {"VK_EXT_image_view_min_lod"}

static void write_with_lod(struct baseline *b, VkDescriptorType type, float least)
{
    const VkImageViewMinLodCreateInfoEXT lod = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT, .minLod = least};
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    image.mipLevels = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.pNext = &lod;
    view.subresourceRange.levelCount = 2;
    write_image_to_set(b, type, create_image_view(b, &view), VK_NULL_HANDLE);
}

SCENARIO(input_from_the_first_level, LEAST_LOD)
{
    write_with_lod(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 0);
    write_with_lod(b, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1);
}

SCENARIO(input_from_the_second_level, LEAST_LOD, .expect = {WRITE("06450")},
         .text = {"was created with a minLod of 1"})
{
    write_with_lod(b, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1);
}
