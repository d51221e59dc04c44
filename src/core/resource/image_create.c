/* Checks the parameters of an image that is to be created against each other (12.3 "Images",
 * VkImageCreateInfo). image_limits.c queries what the device supports. */
#include "core/resource/image_create.h"

#include "core/hooks.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"
#include "state/wsi/swapchain.h"
#include "report/muting/rows_broken.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Flags of sparse images. */
#define SPARSE_FLAGS                                                             \
    (VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | \
     VK_IMAGE_CREATE_SPARSE_ALIASED_BIT)
/* Usages of quantization maps. */
#define ENCODE_MAPS                                               \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

uint32_t mip_levels_of_extent(VkExtent3D extent)
{
    uint32_t side = extent.width > extent.height ? extent.width : extent.height;
    side = side > extent.depth ? side : extent.depth;
    return side ? 32 - (uint32_t)__builtin_clz(side) : 1;
}

/* Checks that the extent allows the number of mip levels. */
static void image_create_check_type(struct subject *s, const VkImageCreateInfo *info)
{
    const VkExtent3D e = info->extent;
    REQUIRE(s, RULE_00958, info->mipLevels <= mip_levels_of_extent(e), "mipLevels",
            "is %u, but the complete mipmap chain of %u x %u x %u texels has %u levels",
            info->mipLevels, e.width, e.height, e.depth, mip_levels_of_extent(e));
}

/* Checks 2D views of a sparse 3D image, which maintenance9 allows if a property is set. */
static void check_slice_flags(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT))
        return;
    bool allowed = subject_has(s, FEATURE_maintenance9) &&
                   s->call->device->extended.Maintenance9PropertiesKHR.image2DViewOf3DSparse;
    REQUIRE(s, RULE_10197, allowed || !(info->flags & SPARSE_FLAGS), "flags",
            "is %s: on this device VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT does not go with "
            "sparse images",
            TEXT_OF(VkImageCreateFlags, info->flags));
}

/* Checks an image that a device group binds by split-instance regions. */
static void check_split_instances(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->flags & VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT))
        return;
    REQUIRE(s, RULE_02259,
            info->mipLevels == 1 && info->arrayLayers == 1 && info->imageType == VK_IMAGE_TYPE_2D &&
                info->tiling != VK_IMAGE_TILING_LINEAR,
            "flags",
            "contains VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT, but the image is of %s, "
            "with %u mip levels, %u layers and %s: it must be 2D, with one of each and not linear",
            TEXT_OF(VkImageType, info->imageType), info->mipLevels, info->arrayLayers,
            TEXT_OF(VkImageTiling, info->tiling));
}

/* Checks that an image with several samples is a plain 2D image. */
static void image_create_check_samples(struct subject *s, const VkImageCreateInfo *info)
{
    if (info->samples == VK_SAMPLE_COUNT_1_BIT)
        return;
    /* The modifier's layout may be linear, which is not checked here. */
    REQUIRE(s, RULE_02257,
            info->imageType == VK_IMAGE_TYPE_2D &&
                !(info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && info->mipLevels == 1 &&
                info->tiling != VK_IMAGE_TILING_LINEAR,
            "samples",
            "is %s, but the image is of %s, with %u mip levels, flags %s and %s: it must be 2D, "
            "with one level, no cube and not linear",
            TEXT_OF(VkSampleCountFlagBits, info->samples), TEXT_OF(VkImageType, info->imageType),
            info->mipLevels, TEXT_OF(VkImageCreateFlags, info->flags),
            TEXT_OF(VkImageTiling, info->tiling));
}

/* Checks the image type and the extent of a fragment density map. */
static void image_create_check_density_map(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->usage & VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT))
        return;
    REQUIRE(s, RULE_02557, info->imageType == VK_IMAGE_TYPE_2D, "usage",
            "contains VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, but imageType is %s",
            TEXT_OF(VkImageType, info->imageType));
    const VkPhysicalDeviceLimits *limits = &s->call->device->properties.limits;
    VkExtent2D texel =
        s->call->device->extended.FragmentDensityMapPropertiesEXT.minFragmentDensityTexelSize;
    if (subject_has(s, FEATURE_fragmentDensityMapOffset) || !texel.width || !texel.height)
        return;
    uint64_t width = ((uint64_t)limits->maxFramebufferWidth + texel.width - 1) / texel.width;
    uint64_t height = ((uint64_t)limits->maxFramebufferHeight + texel.height - 1) / texel.height;
    REQUIRE(s, RULE_06514, info->extent.width <= width, "extent",
            "has a width of %u, but a fragment density map has at most maxFramebufferWidth (%u) / "
            "minFragmentDensityTexelSize.width (%u) texels in a row",
            info->extent.width, limits->maxFramebufferWidth, texel.width);
    REQUIRE(s, RULE_06515, info->extent.height <= height, "extent",
            "has a height of %u, but a fragment density map has at most maxFramebufferHeight (%u) "
            "/ minFragmentDensityTexelSize.height (%u) texels in a column",
            info->extent.height, limits->maxFramebufferHeight, texel.height);
}

/* Checks the video profile of a quantization map. If the feature is off, another rule reports
 * that. */
static void check_encode_maps(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->usage & ENCODE_MAPS))
        return;
    if (!subject_has(s, FEATURE_videoEncodeQuantizationMap))
        return;
    const VkVideoProfileListInfoKHR *list = CHAINED(info->pNext, VIDEO_PROFILE_LIST_INFO_KHR);
    REQUIRE(s, RULE_10254,
            list && list->profileCount == 1 && video_profiles_have(list, VIDEO_ENCODE_OPERATIONS),
            "usage",
            "is %s, but pNext has no VkVideoProfileListInfoKHR with exactly one profile, of an "
            "encode operation",
            TEXT_OF(VkImageUsageFlags, info->usage));
}

/* Checks that usages for video have a video profile. */
static void check_video(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageUsageFlags decode = VK_IMAGE_USAGE_VIDEO_DECODE_SRC_BIT_KHR |
                                     VK_IMAGE_USAGE_VIDEO_DECODE_DST_BIT_KHR |
                                     VK_IMAGE_USAGE_VIDEO_DECODE_DPB_BIT_KHR;
    const VkImageUsageFlags encode = VK_IMAGE_USAGE_VIDEO_ENCODE_SRC_BIT_KHR |
                                     VK_IMAGE_USAGE_VIDEO_ENCODE_DST_BIT_KHR |
                                     VK_IMAGE_USAGE_VIDEO_ENCODE_DPB_BIT_KHR;
    const VkVideoProfileListInfoKHR *list = CHAINED(info->pNext, VIDEO_PROFILE_LIST_INFO_KHR);
    bool independent = (info->flags & VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR) != 0;
    if (info->usage & decode && !independent)
        REQUIRE(s, RULE_04815, list && video_profiles_have(list, VIDEO_DECODE_OPERATIONS), "usage",
                "is %s, but pNext has no VkVideoProfileListInfoKHR with a profile of "
                "a decode operation",
                TEXT_OF(VkImageUsageFlags, info->usage));
    if (info->usage & encode && !independent)
        REQUIRE(s, RULE_04816, list && video_profiles_have(list, VIDEO_ENCODE_OPERATIONS), "usage",
                "is %s, but pNext has no VkVideoProfileListInfoKHR with a profile of "
                "an encode operation",
                TEXT_OF(VkImageUsageFlags, info->usage));
    if (list) {
        REQUIRE(s, RULE_10784,
                !video_profiles_have(list, VK_VIDEO_CODEC_OPERATION_DECODE_VP9_BIT_KHR) ||
                    subject_has(s, FEATURE_videoDecodeVP9),
                "pNext",
                "has a video profile of VP9, but the feature videoDecodeVP9 is not enabled");
        REQUIRE(s, RULE_10250,
                !video_profiles_have(list, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR) ||
                    subject_has(s, FEATURE_videoEncodeAV1),
                "pNext",
                "has a video profile of AV1 encoding, but the feature videoEncodeAV1 "
                "is not enabled");
    }
}

static bool is_power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

/* Checks the rules about the image's format. */
static void image_create_check_format(struct subject *s, const VkImageCreateInfo *info)
{
    const struct format_info *format = format_info(info->format);
    /* External formats exist only on Android and QNX. */
    REQUIRE(s, RULE_01975, info->format != VK_FORMAT_UNDEFINED, "format", "is VK_FORMAT_UNDEFINED");
    if (!format)
        return;
    if (format->class == FORMAT_CLASS_PVRTC1_2BPP || format->class == FORMAT_CLASS_PVRTC1_4BPP) {
        REQUIRE(s, RULE_09583, is_power_of_two(info->extent.width), "extent",
                "has a width of %u, which is not a power of two, but format is %s",
                info->extent.width, TEXT_OF(VkFormat, info->format));
        REQUIRE(s, RULE_09584, is_power_of_two(info->extent.height), "extent",
                "has a height of %u, which is not a power of two, but format is %s",
                info->extent.height, TEXT_OF(VkFormat, info->format));
    }
    if (format->chroma == 444 && format->plane_count == 2)
        REQUIRE(s, RULE_12279,
                s->call->device->api_version >= VK_API_VERSION_1_3 ||
                    subject_has(s, FEATURE_ycbcr2plane444Formats),
                "format",
                "is %s, but the device is older than Vulkan 1.3, and the feature "
                "ycbcr2plane444Formats is not enabled",
                TEXT_OF(VkFormat, info->format));
}

/* Checks the initial layout of an image of external memory. */
static void image_create_check_layout(struct subject *s, const VkImageCreateInfo *info)
{
    const VkExternalMemoryImageCreateInfo *external =
        CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    const VkExternalMemoryImageCreateInfoNV *external_nv =
        CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO_NV);
    if ((external && external->handleTypes) || (external_nv && external_nv->handleTypes))
        REQUIRE(s, RULE_01443, info->initialLayout == VK_IMAGE_LAYOUT_UNDEFINED, "initialLayout",
                "is %s, but an image of external memory begins with VK_IMAGE_LAYOUT_UNDEFINED",
                TEXT_OF(VkImageLayout, info->initialLayout));
}

/* True if the format `listed` is compatible: "compatible with the format as described in the
 * compatibility table or, if flags contains VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT, an
 * uncompressed format that is size-compatible". */
static bool list_format_fits(const VkImageCreateInfo *info, const struct format_info *format,
                             VkFormat listed)
{
    assert(format);
    const struct format_info *view = format_info(listed);
    if (!view)
        return true; /* 09540 reports it, or it is not a format */
    if (format->plane_count > 1) {
        if (listed == info->format)
            return true;
        for (uint32_t i = 0; i < format->plane_count; i++) {
            if (formats_compatible(format->planes[i].compatible, listed))
                return true;
        }
        return false;
    }
    return formats_compatible(info->format, listed) ||
           (info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT &&
            view->compression == FORMAT_COMPRESSION_NONE && view->block_size == format->block_size);
}

/* Checks that the formats of the list are compatible with the format of the image. */
static void check_format_list(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageFormatListCreateInfo *list = CHAINED(info->pNext, IMAGE_FORMAT_LIST_CREATE_INFO);
    if (!list || !list->viewFormatCount || pointer_is_bad(list->pViewFormats))
        return;
    const struct location chained = LOCATION_CHAINED(s->where, "VkImageFormatListCreateInfo");
    const struct format_info *format = format_info(info->format);
    bool planar = format && format->plane_count > 1;
    bool is_mutable = (info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0;
    for (uint32_t i = 0; i < list->viewFormatCount; i++) {
        VkFormat listed = list->pViewFormats[i];
        const struct location *where = &LOCATION_INDEX(&chained, "pViewFormats", i);
        if (!format || (planar && !is_mutable) || list_format_fits(info, format, listed))
            continue;
        s->wrong = true;
        BROKEN_OF(s, NULL, planar ? RULE_10062 : RULE_06722, where,
                  "is %s, which is not compatible with %s%s", TEXT_OF(VkFormat, listed),
                  planar ? "any plane of " : "", TEXT_OF(VkFormat, info->format));
    }
}

/* Checks the pitches of dimensions in which the image has a size of only 1. */
static void check_drm_planes(struct subject *s, const VkImageCreateInfo *info,
                             const VkImageDrmFormatModifierExplicitCreateInfoEXT *one)
{
    assert(one);
    const struct location chained =
        LOCATION_CHAINED(s->where, "VkImageDrmFormatModifierExplicitCreateInfoEXT");
    for (uint32_t i = 0;
         i < one->drmFormatModifierPlaneCount && !pointer_is_bad(one->pPlaneLayouts); i++) {
        const VkSubresourceLayout *plane = &one->pPlaneLayouts[i];
        const struct location at = LOCATION_INDEX(&chained, "pPlaneLayouts", i);
        if (info->arrayLayers == 1)
            REQUIRE(s, RULE_02268, !plane->arrayPitch, &LOCATION(&at, "arrayPitch"),
                    "is %" PRIu64 ", but the image has one layer", plane->arrayPitch);
        if (info->extent.depth == 1)
            REQUIRE(s, RULE_02269, !plane->depthPitch, &LOCATION(&at, "depthPitch"),
                    "is %" PRIu64 ", but the image has a depth of 1", plane->depthPitch);
    }
}

/* Checks the structures for a DRM format modifier. */
static void check_drm(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageDrmFormatModifierListCreateInfoEXT *list =
        CHAINED(info->pNext, IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT);
    const VkImageDrmFormatModifierExplicitCreateInfoEXT *one =
        CHAINED(info->pNext, IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
    if (info->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT) {
        REQUIRE(s, RULE_02262, !list && !one, "pNext", "includes a %s, but tiling is %s",
                list ? "VkImageDrmFormatModifierListCreateInfoEXT"
                     : "VkImageDrmFormatModifierExplicitCreateInfoEXT",
                TEXT_OF(VkImageTiling, info->tiling));
        return;
    }
    REQUIRE(s, RULE_02261, !list != !one, "pNext",
            "includes %s of VkImageDrmFormatModifierListCreateInfoEXT and "
            "VkImageDrmFormatModifierExplicitCreateInfoEXT, but tiling is "
            "VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, which needs exactly one",
            list ? "both" : "none");
    if (one)
        check_drm_planes(s, info, one);
    const VkImageFormatListCreateInfo *formats =
        CHAINED(info->pNext, IMAGE_FORMAT_LIST_CREATE_INFO);
    REQUIRE(s, RULE_02353,
            !(info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) ||
                (formats && formats->viewFormatCount),
            "pNext",
            "has no VkImageFormatListCreateInfo with a format in it, but flags contains "
            "VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT and tiling is "
            "VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT");
}

/* Checks that tiling control is not used with linear images. */
static void check_tiling_control(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageTilingControlCreateInfoEXT *control =
        CHAINED(info->pNext, IMAGE_TILING_CONTROL_CREATE_INFO_EXT);
    if (control && control->tilingControl != VK_IMAGE_TILING_CONTROL_DEFAULT_EXT)
        REQUIRE(s, RULE_12479, info->tiling != VK_IMAGE_TILING_LINEAR, "tiling",
                "is VK_IMAGE_TILING_LINEAR, but pNext includes a VkImageTilingControlCreateInfoEXT "
                "with another tilingControl than VK_IMAGE_TILING_CONTROL_DEFAULT_EXT");
}

/* "The fields of VkImageCreateInfo must match the implied image creation parameters of the
 * swapchain" (30.10 "WSI Swapchain"). Only the first difference is reported; flags are not
 * compared. */
static void check_of_swapchain(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageSwapchainCreateInfoKHR *chained =
        CHAINED(info->pNext, IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
    const struct swapchain *swapchain =
        chained && chained->swapchain ? find_swapchain(s->call, chained->swapchain) : NULL;
    if (!swapchain)
        return;
    const VkSwapchainCreateInfoKHR *of = &swapchain->info;
    const char *wrong = info->imageType != VK_IMAGE_TYPE_2D ? "imageType"
                        : info->format != of->imageFormat   ? "format"
                        : info->extent.width != of->imageExtent.width ||
                                info->extent.height != of->imageExtent.height ||
                                info->extent.depth != 1
                            ? "extent"
                        : info->mipLevels != 1                             ? "mipLevels"
                        : info->arrayLayers != of->imageArrayLayers        ? "arrayLayers"
                        : info->samples != VK_SAMPLE_COUNT_1_BIT           ? "samples"
                        : info->tiling != VK_IMAGE_TILING_OPTIMAL          ? "tiling"
                        : info->usage != of->imageUsage                    ? "usage"
                        : info->sharingMode != of->imageSharingMode        ? "sharingMode"
                        : info->initialLayout != VK_IMAGE_LAYOUT_UNDEFINED ? "initialLayout"
                                                                           : NULL;
    if (wrong)
        REQUIRE(s, RULE_00995, false, wrong,
                "is not that of the images of the swapchain (%s of %u x %u, %u layers, usage %s), "
                "which pNext names",
                TEXT_OF(VkFormat, of->imageFormat), of->imageExtent.width, of->imageExtent.height,
                of->imageArrayLayers, TEXT_OF(VkImageUsageFlags, of->imageUsage));
}

/* Checks VkDedicatedAllocationImageCreateInfoNV (VK_NV_dedicated_allocation). */
static void check_dedicated(struct subject *s, const VkImageCreateInfo *info)
{
    const VkDedicatedAllocationImageCreateInfoNV *dedicated =
        CHAINED(info->pNext, DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV);
    if (dedicated && dedicated->dedicatedAllocation)
        REQUIRE(s, RULE_00994, !(info->flags & SPARSE_FLAGS), "flags",
                "is %s, but VkDedicatedAllocationImageCreateInfoNV::dedicatedAllocation is VK_TRUE",
                TEXT_OF(VkImageCreateFlags, info->flags));
}

/* Checks that compression control has flags for each plane. */
static void check_compression(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageCompressionControlEXT *control =
        CHAINED(info->pNext, IMAGE_COMPRESSION_CONTROL_EXT);
    if (!control)
        return;
    const struct format_info *format = format_info(info->format);
    if (!(control->flags & VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT))
        return;
    if (!format)
        return;
    if (format->plane_count > 1)
        REQUIRE(s, RULE_06743, control->compressionControlPlaneCount == format->plane_count,
                "pNext",
                "includes a VkImageCompressionControlEXT whose compressionControlPlaneCount is %u, "
                "but %s has %u planes",
                control->compressionControlPlaneCount, TEXT_OF(VkFormat, info->format),
                format->plane_count);
}

bool core_validate_CreateImage(struct call *call, VkDevice device,
                               const VkImageCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject subject = {.call = call, .where = &where};
    VkImageCreateInfo copy;
    const VkImageCreateInfo *info = image_info_effective(pCreateInfo, &copy);
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT)
        check_queue_families(&subject, RULE_01420, info->queueFamilyIndexCount,
                             info->pQueueFamilyIndices);
    image_create_check_type(&subject, info);
    check_slice_flags(&subject, info);
    check_split_instances(&subject, info);
    image_create_check_samples(&subject, info);
    image_create_check_density_map(&subject, info);
    check_encode_maps(&subject, info);
    check_video(&subject, info);
    image_create_check_format(&subject, info);
    image_create_check_layout(&subject, info);
    check_format_list(&subject, info);
    check_drm(&subject, info);
    check_tiling_control(&subject, info);
    check_of_swapchain(&subject, info);
    check_dedicated(&subject, info);
    check_compression(&subject, info);
    if (!subject.wrong && !rows_were_broken())
        image_check_limits(&subject, info);
    return subject.skip;
}
