/* Advice on buffers, images and samplers. */
#include "practices.h"

static const uint32_t two_families[] = {0, 1};

/* --- samplers: Arm --- */

#define SAMPLER(name_, changes_, ...)              \
    SCENARIO(name_, __VA_ARGS__)                   \
    {                                              \
        VkSamplerCreateInfo info = sampler_info(); \
        info.maxLod = VK_LOD_CLAMP_NONE;           \
        changes_;                                  \
        create_sampler(b, &info);                  \
    }

static const VkPhysicalDeviceFeatures2 anisotropy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features.samplerAnisotropy = VK_TRUE};

SAMPLER(plain_sampler, (void)info, ADVISED_FOR_ALL, .drivers = NULL_DRIVER)
SAMPLER(two_modes, info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateSampler-different-wrapping-modes")},
        .text = {"pCreateInfo has the address modes VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, "
                 "VK_SAMPLER_ADDRESS_MODE_REPEAT and VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE",
                 "\n    cost    The sampler needs a full descriptor",
                 "\n    fix     set addressModeU, addressModeV and addressModeW to the same mode"})
SAMPLER(two_modes_elsewhere, info.addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT, ADVISED_FOR(amd))
SAMPLER(clamped_levels, info.maxLod = 4.0f, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateSampler-lod-clamping")}, .text = {"has minLod 0 and maxLod 4"})
SAMPLER(clamped_low_levels, info.minLod = 1.0f, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateSampler-lod-clamping")})
SAMPLER(biased_levels, info.mipLodBias = -0.5f, ADVISED_FOR(arm),
        .expect = {BP("Arm-vkCreateSampler-lod-bias")}, .text = {"mipLodBias is -0.5"})
SAMPLER(white_border,
        (info.addressModeU = info.addressModeV = info.addressModeW =
             VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
         info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE),
        ADVISED_FOR(arm), .expect = {BP("Arm-vkCreateSampler-border-clamp-color")},
        .text = {"borderColor is VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE"})
SAMPLER(white_border_unused, info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE,
        ADVISED_FOR(arm))
SAMPLER(transparent_border,
        (info.addressModeU = info.addressModeV = info.addressModeW =
             VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
         info.borderColor = VK_BORDER_COLOR_INT_TRANSPARENT_BLACK),
        ADVISED_FOR(arm))
/* Its levels are 0 to 0, as they must be. */
SAMPLER(texel_coordinates, (info.unnormalizedCoordinates = VK_TRUE, info.maxLod = 0.0f),
        ADVISED_FOR(arm), .expect = {BP("Arm-vkCreateSampler-unnormalized-coordinates")})
SAMPLER(anisotropic, (info.anisotropyEnable = VK_TRUE, info.maxAnisotropy = 4.0f), ADVISED_FOR(arm),
        .features = &anisotropy, .expect = {BP("Arm-vkCreateSampler-anisotropy")},
        .text = {"maxAnisotropy is 4, and anisotropy is enabled"})

/* Once for a place, whatever the samplers are called. */
SCENARIO(once_for_a_place, ADVISED_FOR(arm), .expect = {BP("Arm-vkCreateSampler-lod-bias")})
{
    VkSamplerCreateInfo info = sampler_info();
    info.maxLod = VK_LOD_CLAMP_NONE;
    info.mipLodBias = 1.0f;
    for (int i = 0; i < 40; i++) {
        VkSampler sampler = create_sampler(b, &info);
        char name[16];
        (void)snprintf(name, sizeof(name), "s%c%c", 'a' + i / 20, 'a' + i % 20);
        VkDebugUtilsObjectNameInfoEXT named =
            name_info(VK_OBJECT_TYPE_SAMPLER, HANDLE(sampler), name);
        INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &named);
    }
    EXPECT_EQUAL(seen_count(b, NULL), 1);
    EXPECT_EQUAL(seen_find(b, BP("Arm-vkCreateSampler-lod-bias"))->severity,
                 VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
}

/* --- buffers --- */

#define BUFFER(name_, changes_, ...)                                                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, __VA_ARGS__)                              \
    {                                                                                 \
        VkBufferCreateInfo info = buffer_info(256, VK_BUFFER_USAGE_TRANSFER_DST_BIT); \
        info.pQueueFamilyIndices = two_families;                                      \
        changes_;                                                                     \
        create_buffer(b, &info);                                                      \
    }

BUFFER(buffer_of_families, info.queueFamilyIndexCount = 2, ADVISED,
       .expect = {BP("vkCreateBuffer-sharing-mode-exclusive")},
       .text = {"sharingMode is VK_SHARING_MODE_EXCLUSIVE, and queueFamilyIndexCount is 2"})
BUFFER(buffer_of_families_unasked, info.queueFamilyIndexCount = 2)
BUFFER(buffer_of_one_family, info.queueFamilyIndexCount = 1, ADVISED)
BUFFER(buffer_shared,
       (info.queueFamilyIndexCount = 2, info.sharingMode = VK_SHARING_MODE_CONCURRENT), ADVISED)

/* --- images --- */

#define IMAGE(name_, usage_, changes_, ...)              \
    SCENARIO(name_, .drivers = NULL_DRIVER, __VA_ARGS__) \
    {                                                    \
        VkImageCreateInfo info = image_info(usage_);     \
        changes_;                                        \
        create_image(b, &info);                          \
    }
#define USAGE(name_) VK_IMAGE_USAGE_##name_##_BIT

IMAGE(image_of_families, USAGE(SAMPLED),
      (info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = two_families), ADVISED,
      .expect = {BP("vkCreateImage-sharing-mode-exclusive")})
IMAGE(image_shared, USAGE(SAMPLED),
      (info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = two_families,
       info.sharingMode = VK_SHARING_MODE_CONCURRENT),
      ADVISED)
IMAGE(extended_usage_alone, USAGE(SAMPLED), info.flags = VK_IMAGE_CREATE_EXTENDED_USAGE_BIT,
      ADVISED, .expect = {BP("vkCreateImage-CreateFlags")})
IMAGE(extended_usage_of_views, USAGE(SAMPLED),
      info.flags = VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, ADVISED)
IMAGE(multisampled_in_memory, USAGE(COLOR_ATTACHMENT), info.samples = VK_SAMPLE_COUNT_4_BIT,
      ADVISED_FOR_ALL, .expect = {BP("vkCreateImage-non-transient-ms-image")},
      .text = {"usage is VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, with 4 samples"})
IMAGE(multisampled_and_transient, USAGE(COLOR_ATTACHMENT) | USAGE(TRANSIENT_ATTACHMENT),
      info.samples = VK_SAMPLE_COUNT_4_BIT, ADVISED_FOR_ALL)
IMAGE(multisampled_and_sampled, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED),
      info.samples = VK_SAMPLE_COUNT_4_BIT, ADVISED_FOR_ALL)
IMAGE(eight_samples, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED), info.samples = VK_SAMPLE_COUNT_8_BIT,
      ADVISED_FOR(arm), .expect = {BP("Arm-vkCreateImage-too-large-sample-count")})
IMAGE(eight_samples_img, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED),
      info.samples = VK_SAMPLE_COUNT_8_BIT, ADVISED_FOR(img),
      .expect = {BP("IMG-vkCreateImage-too-large-sample-count")})
IMAGE(eight_samples_both, USAGE(COLOR_ATTACHMENT) | USAGE(SAMPLED),
      info.samples = VK_SAMPLE_COUNT_8_BIT, ADVISED_FOR_ALL,
      .expect = {BP("Arm-vkCreateImage-too-large-sample-count")})
IMAGE(pvrtc, USAGE(SAMPLED), info.format = VK_FORMAT_PVRTC1_4BPP_UNORM_BLOCK_IMG, ADVISED_FOR(img),
      .extensions = {"VK_IMG_format_pvrtc"}, .expect = {BP("IMG-Texture-Format-PVRTC-Outdated")})
IMAGE(astc, USAGE(SAMPLED), info.format = VK_FORMAT_ASTC_4x4_UNORM_BLOCK, ADVISED_FOR(img),
      .features = &(const VkPhysicalDeviceFeatures2){
          .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
          .features.textureCompressionASTC_LDR = VK_TRUE})
IMAGE(shared_target, USAGE(COLOR_ATTACHMENT),
      (info.sharingMode = VK_SHARING_MODE_CONCURRENT, info.queueFamilyIndexCount = 2,
       info.pQueueFamilyIndices = two_families),
      ADVISED_FOR(amd), .expect = {BP("AMD-vkImage-AvoidConcurrentRenderTargets")})
IMAGE(shared_texture, USAGE(SAMPLED),
      (info.sharingMode = VK_SHARING_MODE_CONCURRENT, info.queueFamilyIndexCount = 2,
       info.pQueueFamilyIndices = two_families),
      ADVISED_FOR(amd))
IMAGE(mutable_target, USAGE(COLOR_ATTACHMENT), info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT,
      ADVISED_FOR(amd), .expect = {BP("AMD-vkImage-DontUseMutableRenderTargets")})
static const VkFormat two_formats[] = {COLOR_FORMAT, VK_FORMAT_R8G8B8A8_SRGB};
static const VkImageFormatListCreateInfo format_list = {
    .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
    .viewFormatCount = 2,
    .pViewFormats = two_formats};
IMAGE(mutable_target_of_formats, USAGE(COLOR_ATTACHMENT),
      (info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, info.pNext = &format_list),
      ADVISED_FOR(amd))
IMAGE(storage_target, USAGE(COLOR_ATTACHMENT) | USAGE(STORAGE), (void)info, ADVISED_FOR(amd),
      .expect = {BP("AMD-vkImage-DontUseStorageRenderTargets")})
IMAGE(storage_image, USAGE(SAMPLED) | USAGE(STORAGE), (void)info, ADVISED_FOR(amd))
IMAGE(linear_texture, USAGE(SAMPLED), info.tiling = VK_IMAGE_TILING_LINEAR, ADVISED_FOR_NVIDIA,
      .expect = {BP("NVIDIA-CreateImage-TilingLinear")})
IMAGE(linear_staging, USAGE(TRANSFER_SRC), info.tiling = VK_IMAGE_TILING_LINEAR, ADVISED_FOR_NVIDIA)
IMAGE(depth_of_32_bits, USAGE(DEPTH_STENCIL_ATTACHMENT), info.format = VK_FORMAT_D32_SFLOAT,
      ADVISED_FOR_NVIDIA, .expect = {BP("NVIDIA-CreateImage-Depth32Format")},
      .text = {"format is VK_FORMAT_D32_SFLOAT, and the device has VK_FORMAT_X8_D24_UNORM_PACK32"})
IMAGE(depth_of_24_bits, USAGE(DEPTH_STENCIL_ATTACHMENT),
      info.format = VK_FORMAT_X8_D24_UNORM_PACK32, ADVISED_FOR_NVIDIA)
/* The null driver lacks the smaller format then. */
IMAGE(depth_of_32_bits_alone, USAGE(DEPTH_STENCIL_ATTACHMENT), info.format = VK_FORMAT_D32_SFLOAT,
      ADVISED_FOR(nvidia), WITHOUT_PAGES_AND(", \"withoutFormatFeatures\": {\"125\": 512}"))
