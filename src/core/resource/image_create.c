/* Checks that an image may be created, by its own parameters (12.3 "Images", VkImageCreateInfo).
 * What the device can do is asked in image_limits.c. */
#include "core/resource/image_create.h"

#include "core/hooks.h"
#include "core/rule.h"
#include "state/formats.h"
#include "state/image.h"
#include "report/rows_broken.h"
#include "vk/chain.h"

#define SPARSE_FLAGS                                                             \
    (VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | \
     VK_IMAGE_CREATE_SPARSE_ALIASED_BIT)
#define ATTACHMENT_USAGES                                                                \
    (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | \
     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT)
#define ENCODE_MAPS                                               \
    (VK_IMAGE_USAGE_VIDEO_ENCODE_QUANTIZATION_DELTA_MAP_BIT_KHR | \
     VK_IMAGE_USAGE_VIDEO_ENCODE_EMPHASIS_MAP_BIT_KHR)

uint32_t mip_levels_of_extent(VkExtent3D extent)
{
    uint32_t side = extent.width > extent.height ? extent.width : extent.height;
    side = side > extent.depth ? side : extent.depth;
    return side ? 32 - (uint32_t)__builtin_clz(side) : 1;
}

static void check_type(struct subject *s, const VkImageCreateInfo *info)
{
    const VkExtent3D e = info->extent;
    REQUIRE(s, RULE_00958, info->mipLevels <= mip_levels_of_extent(e), "mipLevels",
            "is %u, but the complete mipmap chain of %u x %u x %u texels has %u levels",
            info->mipLevels, e.width, e.height, e.depth, mip_levels_of_extent(e));
}

static void check_slice_flags(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->flags & VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT))
        return;
    bool allowed = has(s, FEATURE_maintenance9) &&
                   s->call->device->extended.Maintenance9PropertiesKHR.image2DViewOf3DSparse;
    REQUIRE(s, RULE_10197, allowed || !(info->flags & SPARSE_FLAGS), "flags",
            "is %s: on this device VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT does not go with "
            "sparse images",
            TEXT_OF(VkImageCreateFlags, info->flags));
}

static void check_sparse_flags(struct subject *s, const VkImageCreateInfo *info)
{
    VkImageCreateFlags flags = info->flags;
    if (!(flags & SPARSE_FLAGS))
        return;
    REQUIRE(s, RULE_01891, !(flags & VK_IMAGE_CREATE_PROTECTED_BIT), "flags",
            "is %s: a sparse image cannot be protected", TEXT_OF(VkImageCreateFlags, flags));
    REQUIRE(s, RULE_01925, !(info->usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT), "usage",
            "contains VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, but flags is %s",
            TEXT_OF(VkImageCreateFlags, flags));
}

static void check_corner_sampled(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV))
        return;
    REQUIRE(s, RULE_02051,
            !(info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) &&
                !format_is_depth_stencil(info->format),
            "flags",
            "contains VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV, which goes neither with "
            "VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT nor with a depth/stencil format (%s)",
            TEXT_OF(VkFormat, info->format));
}

static void check_create_flags(struct subject *s, const VkImageCreateInfo *info)
{
    VkImageCreateFlags flags = info->flags;
    if (likely(!flags))
        return;
    check_slice_flags(s, info);
    check_sparse_flags(s, info);
    check_corner_sampled(s, info);
    if (flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT)
        REQUIRE(s, RULE_01533, format_has_depth(info->format), "flags",
                "contains VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT, but format is "
                "%s, which has no depth",
                TEXT_OF(VkFormat, info->format));
}

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

static void check_samples(struct subject *s, const VkImageCreateInfo *info)
{
    if (info->samples == VK_SAMPLE_COUNT_1_BIT)
        return;
    /* Whether a DRM format modifier makes the image linear is not asked here. */
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

static void check_attachment_usage(struct subject *s, const VkImageCreateInfo *info)
{
    VkImageUsageFlags usage = info->usage;
    if (usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) {
        REQUIRE(s, RULE_00963,
                !(usage & ~(VkImageUsageFlags)(ATTACHMENT_USAGES |
                                               VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT)),
                "usage",
                "is %s: VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT goes with attachment usages only",
                TEXT_OF(VkImageUsageFlags, usage));
    }
}

static void check_density_map(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->usage & VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT))
        return;
    REQUIRE(s, RULE_02557, info->imageType == VK_IMAGE_TYPE_2D, "usage",
            "contains VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, but imageType is %s",
            TEXT_OF(VkImageType, info->imageType));
    const VkPhysicalDeviceLimits *limits = &s->call->device->properties.limits;
    VkExtent2D texel =
        s->call->device->extended.FragmentDensityMapPropertiesEXT.minFragmentDensityTexelSize;
    if (has(s, FEATURE_fragmentDensityMapOffset) || !texel.width || !texel.height)
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

static void check_encode_maps(struct subject *s, const VkImageCreateInfo *info)
{
    if (!(info->usage & ENCODE_MAPS))
        return;
    if (!has(s, FEATURE_videoEncodeQuantizationMap))
        return;
    const VkVideoProfileListInfoKHR *list = CHAINED(info->pNext, VIDEO_PROFILE_LIST_INFO_KHR);
    REQUIRE(s, RULE_10254,
            list && list->profileCount == 1 && video_profiles_have(list, VIDEO_ENCODE_OPERATIONS),
            "usage",
            "is %s, but pNext has no VkVideoProfileListInfoKHR with exactly one profile, of an "
            "encode operation",
            TEXT_OF(VkImageUsageFlags, info->usage));
}

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
                    has(s, FEATURE_videoDecodeVP9),
                "pNext",
                "has a video profile of VP9, but the feature videoDecodeVP9 is not enabled");
        REQUIRE(s, RULE_10250,
                !video_profiles_have(list, VK_VIDEO_CODEC_OPERATION_ENCODE_AV1_BIT_KHR) ||
                    has(s, FEATURE_videoEncodeAV1),
                "pNext",
                "has a video profile of AV1 encoding, but the feature videoEncodeAV1 "
                "is not enabled");
    }
}

static bool is_power_of_two(uint32_t value)
{
    return value && !(value & (value - 1));
}

static void check_format(struct subject *s, const VkImageCreateInfo *info)
{
    const struct format_info *format = format_info(info->format);
    const char *name = "";
    /* External formats of Android and QNX do not exist here. */
    REQUIRE(s, RULE_01975, info->format != VK_FORMAT_UNDEFINED, "format", "is VK_FORMAT_UNDEFINED");
    if (!format)
        return;
    struct value_text text = {0};
    if (format->chroma || format->compression == FORMAT_COMPRESSION_PVRTC) {
        text = value_text(VALUES_VkFormat, info->format);
        name = text.text;
    }
    if (format->chroma) {
        REQUIRE(s, RULE_06410, info->mipLevels == 1, "mipLevels",
                "is %u, but images of %s have one level", info->mipLevels, name);
        REQUIRE(s, RULE_06411, info->samples == VK_SAMPLE_COUNT_1_BIT, "samples",
                "is %s, but images of %s have one sample",
                TEXT_OF(VkSampleCountFlagBits, info->samples), name);
        REQUIRE(s, RULE_06412, info->imageType == VK_IMAGE_TYPE_2D, "imageType",
                "is %s, but images of %s are 2D", TEXT_OF(VkImageType, info->imageType), name);
    }
    if (format->chroma == 420 || format->chroma == 422)
        REQUIRE(s, RULE_04712, info->extent.width % 2 == 0, "extent",
                "has a width of %u, which is odd, but format is %s", info->extent.width, name);
    if (format->chroma == 420)
        REQUIRE(s, RULE_04713, info->extent.height % 2 == 0, "extent",
                "has a height of %u, which is odd, but format is %s", info->extent.height, name);
    if (format->class == FORMAT_CLASS_PVRTC1_2BPP || format->class == FORMAT_CLASS_PVRTC1_4BPP) {
        REQUIRE(s, RULE_09583, is_power_of_two(info->extent.width), "extent",
                "has a width of %u, which is not a power of two, but format is %s",
                info->extent.width, name);
        REQUIRE(s, RULE_09584, is_power_of_two(info->extent.height), "extent",
                "has a height of %u, which is not a power of two, but format is %s",
                info->extent.height, name);
    }
    if (format->chroma == 444 && format->plane_count == 2)
        REQUIRE(s, RULE_12279,
                s->call->device->api_version >= VK_API_VERSION_1_3 ||
                    has(s, FEATURE_ycbcr2plane444Formats),
                "format",
                "is %s, but the device is older than Vulkan 1.3, and the feature "
                "ycbcr2plane444Formats is not enabled",
                name);
}

static void check_layout(struct subject *s, const VkImageCreateInfo *info)
{
    const VkExternalMemoryImageCreateInfo *external =
        CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    const VkExternalMemoryImageCreateInfoNV *external_nv =
        CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO_NV);
    if ((external && external->handleTypes) || (external_nv && external_nv->handleTypes))
        REQUIRE(s, RULE_01443, info->initialLayout == VK_IMAGE_LAYOUT_UNDEFINED, "initialLayout",
                "is %s, but an image of external memory begins with VK_IMAGE_LAYOUT_UNDEFINED",
                TEXT_OF(VkImageLayout, info->initialLayout));
    REQUIRE(s, RULE_00988, !external || !external_nv, "pNext",
            "includes both a VkExternalMemoryImageCreateInfo and a "
            "VkExternalMemoryImageCreateInfoNV");
}

static void check_stencil_usage(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageStencilUsageCreateInfo *stencil =
        CHAINED(info->pNext, IMAGE_STENCIL_USAGE_CREATE_INFO);
    if (!stencil)
        return;
    VkImageUsageFlags usage = stencil->stencilUsage;
    if (format_is_depth_stencil(info->format)) {
        const VkImageUsageFlags attachment = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
        const VkImageUsageFlags transient = VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
        REQUIRE(s, RULE_02795, !(info->usage & attachment) || usage & attachment, "usage",
                "contains VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, but stencilUsage does not");
        REQUIRE(s, RULE_02796, info->usage & attachment || !(usage & attachment), "usage",
                "does not contain VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, "
                "but stencilUsage does");
        REQUIRE(s, RULE_02797, !(info->usage & transient) || usage & transient, "usage",
                "contains VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, but stencilUsage does not");
        REQUIRE(s, RULE_02798, info->usage & transient || !(usage & transient), "usage",
                "does not contain VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT, but stencilUsage does");
    }
}

/* "compatible with the format as described in the compatibility table or, if flags contains
 * VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT, an uncompressed format that is size-compatible"
 */
static bool list_format_fits(const VkImageCreateInfo *info, const struct format_info *format,
                             VkFormat listed)
{
    assert(format);
    const struct format_info *view = format_info(listed);
    if (!view)
        return true; /* 09540, or no format at all */
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

static void check_format_list(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageFormatListCreateInfo *list = CHAINED(info->pNext, IMAGE_FORMAT_LIST_CREATE_INFO);
    if (!list || !list->viewFormatCount || pointer_is_bad(list->pViewFormats))
        return;
    const struct location chained = LOCATION_CHAINED(s->where, "VkImageFormatListCreateInfo");
    const struct format_info *format = format_info(info->format);
    bool planar = format && format->plane_count > 1;
    bool is_mutable = (info->flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0;
    REQUIRE(s, RULE_04738, is_mutable || list->viewFormatCount <= 1, "flags",
            "does not contain VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT, but "
            "VkImageFormatListCreateInfo::viewFormatCount is %u",
            list->viewFormatCount);
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

static void check_compression(struct subject *s, const VkImageCreateInfo *info)
{
    const VkImageCompressionControlEXT *control =
        CHAINED(info->pNext, IMAGE_COMPRESSION_CONTROL_EXT);
    if (!control)
        return;
    const struct location chained = LOCATION_CHAINED(s->where, "VkImageCompressionControlEXT");
    const struct format_info *format = format_info(info->format);
    REQUIRE(s, RULE_06746,
            !CHAINED(info->pNext, IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT), "pNext",
            "includes both a VkImageCompressionControlEXT and a "
            "VkImageDrmFormatModifierExplicitCreateInfoEXT");
    REQUIRE_OF(s, NULL, RULE_06747,
               control->flags == VK_IMAGE_COMPRESSION_DEFAULT_EXT ||
                   control->flags == VK_IMAGE_COMPRESSION_FIXED_RATE_DEFAULT_EXT ||
                   control->flags == VK_IMAGE_COMPRESSION_FIXED_RATE_EXPLICIT_EXT ||
                   control->flags == VK_IMAGE_COMPRESSION_DISABLED_EXT,
               &LOCATION(&chained, "flags"), "is %s, which is not just one kind of compression",
               TEXT_OF(VkImageCompressionFlagsEXT, control->flags));
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

static void check_other_chained(struct subject *s, const VkImageCreateInfo *info)
{
    if (CHAINED(info->pNext, IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA))
        REQUIRE(s, RULE_09654, !CHAINED(info->pNext, EXTERNAL_MEMORY_IMAGE_CREATE_INFO), "pNext",
                "includes both a VkImageAlignmentControlCreateInfoMESA and a "
                "VkExternalMemoryImageCreateInfo");
    REQUIRE(s, RULE_12442,
            !CHAINED(info->pNext, IMAGE_STENCIL_USAGE_CREATE_INFO) ||
                !CHAINED(info->pNext, IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR),
            "pNext",
            "includes both a VkImageStencilUsageCreateInfo and a "
            "VkImageStencilUsage2CreateInfoKHR");
}

bool core_validate_CreateImage(struct call *call, VkDevice device,
                               const VkImageCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject subject = {.call = call, .where = &where};
    const VkImageCreateInfo info = image_info_effective(pCreateInfo);
    if (info.sharingMode == VK_SHARING_MODE_CONCURRENT)
        check_queue_families(&subject, RULE_01420, info.queueFamilyIndexCount,
                             info.pQueueFamilyIndices);
    check_type(&subject, &info);
    check_create_flags(&subject, &info);
    check_split_instances(&subject, &info);
    check_samples(&subject, &info);
    check_attachment_usage(&subject, &info);
    check_density_map(&subject, &info);
    check_encode_maps(&subject, &info);
    check_video(&subject, &info);
    check_format(&subject, &info);
    check_layout(&subject, &info);
    check_stencil_usage(&subject, &info);
    check_format_list(&subject, &info);
    check_drm(&subject, &info);
    check_compression(&subject, &info);
    check_other_chained(&subject, &info);
    if (!subject.wrong && !rows_were_broken())
        image_check_limits(&subject, &info);
    return subject.skip;
}
