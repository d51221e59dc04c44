/* Advice on how images are created. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/asked.h"
#include "practices/hooks.h"
#include "practices/passes.h"
#include "state/memory/formats.h"

/* True if the device has memory that is lazily allocated. */
static bool has_lazy_memory(const struct call *call)
{
    const struct practices_of_device *kept = practices_of_device(call->device);
    return kept && atomic_load_explicit(&kept->lazy_memory, memory_order_relaxed);
}

/* Gives advice that holds for all GPUs. */
static void image_judge(const struct call *call, const VkImageCreateInfo *info,
                        const struct image *image, const struct finding_objects *objects)
{
    if (info->sharingMode == VK_SHARING_MODE_EXCLUSIVE && info->queueFamilyIndexCount > 1)
        advise(call, BestPractices_vkCreateImage_sharing_mode_exclusive,
               &LOCATION(CREATE_INFO, "sharingMode"), objects,
               "is VK_SHARING_MODE_EXCLUSIVE, and queueFamilyIndexCount is %u",
               info->queueFamilyIndexCount);
    if (image->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT &&
        !(image->flags &
          (VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT)) &&
        /* Views of a single aspect have another format than the image, for which the flag is
         * useful. */
        !format_is_depth_stencil(info->format) && !format_is_multi_planar(info->format))
        advise(call, BestPractices_vkCreateImage_CreateFlags, &LOCATION(CREATE_INFO, "flags"),
               objects,
               "has VK_IMAGE_CREATE_EXTENDED_USAGE_BIT without "
               "VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT");
    if (image->samples > VK_SAMPLE_COUNT_1_BIT && image->any_usage & ATTACHMENTS &&
        !(image->any_usage & ~(VkImageUsageFlags)WITHIN_PASSES) &&
        !(image->any_usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) && has_lazy_memory(call))
        advise(call, BestPractices_vkCreateImage_non_transient_ms_image,
               &LOCATION(CREATE_INFO, "usage"), objects,
               "is %s, with %u samples, and the device has lazily allocated memory",
               TEXT_OF(VkImageUsageFlags, image->any_usage), image->samples);
}

/* True for formats of VK_IMG_format_pvrtc, whose values are consecutive. */
static bool is_pvrtc(VkFormat format)
{
    return format >= VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG &&
           format <= VK_FORMAT_PVRTC2_4BPP_SRGB_BLOCK_IMG;
}

/* Judges an image for GPUs with tiles. */
static void judge_for_tiles(const struct call *call, const struct image *image,
                            const struct finding_objects *objects)
{
    if (image->samples > VK_SAMPLE_COUNT_4_BIT) {
        /* once, if the settings ask for both vendors' advice */
        advise(call,
               practices_want(call, PRACTICE_ARM)
                   ? BestPractices_Arm_vkCreateImage_too_large_sample_count
                   : BestPractices_IMG_vkCreateImage_too_large_sample_count,
               &LOCATION(CREATE_INFO, "samples"), objects, "is %s",
               TEXT_OF(VkSampleCountFlagBits, image->samples));
    }
    if (is_pvrtc(image->format))
        advise(call, BestPractices_IMG_Texture_Format_PVRTC_Outdated,
               &LOCATION(CREATE_INFO, "format"), objects, "is %s",
               TEXT_OF(VkFormat, image->format));
}

/* Judges an attachment for AMD's GPUs. */
static void judge_for_amd(const struct call *call, const VkImageCreateInfo *info,
                          const struct image *image, const struct finding_objects *objects)
{
    if (!(image->any_usage & ATTACHMENTS))
        return;
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT)
        advise(call, BestPractices_AMD_vkImage_AvoidConcurrentRenderTargets,
               &LOCATION(CREATE_INFO, "sharingMode"), objects,
               "is VK_SHARING_MODE_CONCURRENT, and usage has %s",
               TEXT_OF(VkImageUsageFlags, image->any_usage & ATTACHMENTS));
    if (image->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT && !image->view_format_count)
        advise(call, BestPractices_AMD_vkImage_DontUseMutableRenderTargets,
               &LOCATION(CREATE_INFO, "flags"), objects,
               "has VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT without a list of formats, and usage has %s",
               TEXT_OF(VkImageUsageFlags, image->any_usage & ATTACHMENTS));
    if (image->any_usage & VK_IMAGE_USAGE_STORAGE_BIT)
        advise(call, BestPractices_AMD_vkImage_DontUseStorageRenderTargets,
               &LOCATION(CREATE_INFO, "usage"), objects, "is %s",
               TEXT_OF(VkImageUsageFlags, image->any_usage));
}

/* The 24-bit format that could replace a 32-bit one; VK_FORMAT_UNDEFINED: the device does not
 * support it with this tiling. */
static VkFormat smaller_depth(const struct call *call, const struct image *image)
{
    const VkFormat smaller = image->format == VK_FORMAT_D32_SFLOAT ? VK_FORMAT_X8_D24_UNORM_PACK32
                             : image->format == VK_FORMAT_D32_SFLOAT_S8_UINT
                                 ? VK_FORMAT_D24_UNORM_S8_UINT
                                 : VK_FORMAT_UNDEFINED;
    const bool has = smaller && format_features(call->device, smaller, image->tiling) &
                                    VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
    return has ? smaller : VK_FORMAT_UNDEFINED;
}

/* Judges an image for NVIDIA's GPUs. */
static void judge_for_nvidia(const struct call *call, const struct image *image,
                             const struct finding_objects *objects)
{
    const VkImageUsageFlags copied = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                     VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
    if (image->tiling == VK_IMAGE_TILING_LINEAR && image->any_usage & ~copied &&
        /* A single row of texels is linear in any case, and other APIs may need it so. */
        image->type != VK_IMAGE_TYPE_1D && !image->external_types)
        advise(call, BestPractices_NVIDIA_CreateImage_TilingLinear,
               &LOCATION(CREATE_INFO, "tiling"), objects,
               "is VK_IMAGE_TILING_LINEAR, and usage is %s",
               TEXT_OF(VkImageUsageFlags, image->any_usage));
    const VkFormat smaller = image->any_usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                 ? smaller_depth(call, image)
                                 : VK_FORMAT_UNDEFINED;
    if (smaller)
        advise(call, BestPractices_NVIDIA_CreateImage_Depth32Format,
               &LOCATION(CREATE_INFO, "format"), objects, "is %s, and the device has %s",
               TEXT_OF(VkFormat, image->format), TEXT_OF(VkFormat, smaller));
}

/* True if no advice can apply, as is the case for most images. */
static bool is_plain(const VkImageCreateInfo *info)
{
    const VkImageUsageFlags other =
        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    return !info->pNext && info->samples == VK_SAMPLE_COUNT_1_BIT && !info->queueFamilyIndexCount &&
           info->sharingMode == VK_SHARING_MODE_EXCLUSIVE &&
           info->tiling == VK_IMAGE_TILING_OPTIMAL && !(info->usage & other) &&
           !(info->flags &
             (VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT)) &&
           !is_pvrtc(info->format);
}

void practices_after_CreateImage(struct call *call, VkDevice device,
                                 const VkImageCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    const struct image *image =
        call->result == VK_SUCCESS && !is_plain(pCreateInfo) ? find_image(call, *pImage) : NULL;
    if (!image)
        return;
    const struct finding_objects *objects = OBJECT(HANDLE_IMAGE, *pImage);
    image_judge(call, pCreateInfo, image, objects);
    judge_for_tiles(call, image, objects);
    if (practices_want(call, PRACTICE_AMD))
        judge_for_amd(call, pCreateInfo, image, objects);
    if (practices_want(call, PRACTICE_NVIDIA))
        judge_for_nvidia(call, image, objects);
}
