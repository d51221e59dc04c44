/* Checks that a view may be created from an image (12.5 "Image Views", VkImageViewCreateInfo).
 * Formats and usages are checked in image_view_format.c. */
#include "core/resource/image_view.h"

#include "core/hooks.h"
#include "core/destroy/in_use.h"
#include "report/muting/rows_broken.h"
#include "state/memory/formats.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Flags that images of density map views must not have. */
#define SPARSE_OR_PROTECTED                                               \
    (VK_IMAGE_CREATE_PROTECTED_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT | \
     VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT | VK_IMAGE_CREATE_SPARSE_ALIASED_BIT)

static bool is_2d(VkImageViewType type)
{
    return type == VK_IMAGE_VIEW_TYPE_2D || type == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
}

/* The table "Image Type and Image View Type Compatibility Requirements". Other rules are about the
 * flags that a 3D image needs. */
static bool types_compatible(VkImageType image, VkImageViewType view)
{
    switch (view) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_1D_ARRAY:
        return image == VK_IMAGE_TYPE_1D;
    case VK_IMAGE_VIEW_TYPE_2D:
    case VK_IMAGE_VIEW_TYPE_2D_ARRAY:
        return image == VK_IMAGE_TYPE_2D || image == VK_IMAGE_TYPE_3D;
    case VK_IMAGE_VIEW_TYPE_CUBE:
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        return image == VK_IMAGE_TYPE_2D;
    case VK_IMAGE_VIEW_TYPE_3D:
        return image == VK_IMAGE_TYPE_3D;
    default:
        return true;
    }
}

/* Checks that the image's type allows the view's type. */
static void image_view_check_type(struct subject *s, const VkImageViewCreateInfo *info,
                                  const struct image *image)
{
    const VkImageViewType type = info->viewType;
    REQUIRE(s, RULE_01021, types_compatible(image->type, type), "viewType",
            "is %s, but the image is of %s", TEXT_OF(VkImageViewType, type),
            TEXT_OF(VkImageType, image->type));
}

/* Checks the layers of a view, which for 2D views of a 3D image are slices. */
static void image_view_check_layers(struct subject *s, const VkImageViewCreateInfo *info,
                                    const struct image *image)
{
    const VkImageSubresourceRange *range = &info->subresourceRange;
    const VkImageCreateFlags sliced =
        VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
    bool slices = image->type == VK_IMAGE_TYPE_3D && image->flags & sliced && is_2d(info->viewType);
    uint32_t most =
        slices ? mip_extent(image->extent.depth, range->baseMipLevel) : image->array_layers;
    bool fits = range->baseArrayLayer < most && range->layerCount <= most - range->baseArrayLayer;
    const struct location *outer = s->where;
    const struct location where = LOCATION(outer, "subresourceRange");
    if (!range->layerCount || range->baseMipLevel >= image->mip_levels) /* 01721, 01478 */
        return;
    s->where = &where;
    if (!slices) {
        REQUIRE(s, RULE_06724, range->baseArrayLayer < most, "baseArrayLayer",
                "is %u, but the image has %u layers", range->baseArrayLayer, most);
        if (range->layerCount != VK_REMAINING_ARRAY_LAYERS && range->baseArrayLayer < most)
            REQUIRE(s, RULE_06725, fits, "layerCount",
                    "is %u from layer %u on, but the image has %u layers", range->layerCount,
                    range->baseArrayLayer, most);
    } else if (image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT) {
        REQUIRE(s, RULE_02724, range->baseArrayLayer < most, "baseArrayLayer",
                "is %u, but mip level %u of the 3D image has %u slices", range->baseArrayLayer,
                range->baseMipLevel, most);
        if (range->layerCount != VK_REMAINING_ARRAY_LAYERS && range->baseArrayLayer < most)
            REQUIRE(s, RULE_02725, fits, "layerCount",
                    "is %u from slice %u on, but mip level %u of the 3D image has %u slices",
                    range->layerCount, range->baseArrayLayer, range->baseMipLevel, most);
    }
    s->where = outer;
}

/* Reports a number of layers that is not `right`. `remaining`: layerCount is
 * VK_REMAINING_ARRAY_LAYERS, which means `count`. */
static void require_count(struct subject *s, enum rule rule, bool right, bool remaining,
                          VkImageViewType type, uint32_t count, const char *wanted)
{
    assert(wanted);
    if (remaining)
        REQUIRE(s, rule, right, "layerCount",
                "is VK_REMAINING_ARRAY_LAYERS, which is %u here, but a view of %s has %s", count,
                TEXT_OF(VkImageViewType, type), wanted);
    else
        REQUIRE(s, rule, right, "layerCount", "is %u, but a view of %s has %s", count,
                TEXT_OF(VkImageViewType, type), wanted);
}

/* Checks the number of layers against the view's type. */
static void check_layer_count(struct subject *s, const VkImageViewCreateInfo *info,
                              const struct image *image)
{
    const VkImageSubresourceRange range =
        image_resolve_range(image, &info->subresourceRange,
                            image->type == VK_IMAGE_TYPE_3D &&
                                info->viewType != VK_IMAGE_VIEW_TYPE_3D);
    uint32_t count = range.layerCount;
    bool remaining = info->subresourceRange.layerCount == VK_REMAINING_ARRAY_LAYERS;
    const struct location *outer = s->where;
    const struct location where = LOCATION(outer, "subresourceRange");
    if (!count) /* already reported */
        return;
    s->where = &where;
    switch (info->viewType) {
    case VK_IMAGE_VIEW_TYPE_1D:
    case VK_IMAGE_VIEW_TYPE_2D:
    case VK_IMAGE_VIEW_TYPE_3D:
        require_count(s, remaining ? RULE_04974 : RULE_04973, count == 1, remaining, info->viewType,
                      count, "1 layer");
        break;
    case VK_IMAGE_VIEW_TYPE_CUBE:
        if (remaining)
            require_count(s, RULE_02962, count == 6, true, info->viewType, count, "6 layers");
        break;
    case VK_IMAGE_VIEW_TYPE_CUBE_ARRAY:
        if (remaining)
            require_count(s, RULE_02963, count % 6 == 0, true, info->viewType, count,
                          "6 layers for each cube");
        break;
    default:
        break;
    }
    s->where = outer;
}

/* Checks kinds of views that may only have one level, or few layers. */
static void check_counts(struct subject *s, const VkImageViewCreateInfo *info,
                         const struct image *image, VkImageUsageFlags usage)
{
    const struct device_properties *properties = &s->call->device->extended;
    /* in a view of another type, slices of a 3D image count as layers */
    const bool of_slices =
        image->type == VK_IMAGE_TYPE_3D && info->viewType != VK_IMAGE_VIEW_TYPE_3D;
    const VkImageSubresourceRange range =
        image_resolve_range(image, &info->subresourceRange, of_slices);
    const struct format_info *format = format_info(info->format);
    /* 0: without VK_EXT_fragment_density_map2 there is no such limit. */
    uint32_t most = properties->FragmentDensityMap2PropertiesEXT.maxSubsampledArrayLayers;
    if (image->type == VK_IMAGE_TYPE_3D && is_2d(info->viewType))
        REQUIRE(s, RULE_04970, range.levelCount == 1, "subresourceRange.levelCount",
                "is %u, but a 2D view of a 3D image has one level", range.levelCount);
    if (image->usage & VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT)
        REQUIRE(s, RULE_02571, range.levelCount == 1, "subresourceRange.levelCount",
                "is %u, but the image was created with VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT",
                range.levelCount);
    if (image->flags & VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT &&
        image->usage & VK_IMAGE_USAGE_SAMPLED_BIT)
        REQUIRE(s, RULE_03569, !most || range.layerCount <= most, "subresourceRange.layerCount",
                "is %u, but the image is subsampled, and maxSubsampledArrayLayers is %u",
                range.layerCount, most);
    if (usage & VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR &&
        subject_has(s, FEATURE_attachmentFragmentShadingRate))
        REQUIRE(s, RULE_04551,
                properties->FragmentShadingRatePropertiesKHR.layeredShadingRateAttachments ||
                    range.layerCount == 1,
                "subresourceRange.layerCount",
                "is %u, but the device has no layered shading rate attachments "
                "(layeredShadingRateAttachments)",
                range.layerCount);
    if (!(image->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) || !format ||
        format->compression != FORMAT_COMPRESSION_NONE)
        return;
    REQUIRE(s, RULE_07072, range.levelCount == 1, "subresourceRange.levelCount",
            "is %u, but %s, which is not compressed, is to view the blocks of a compressed image: "
            "that takes one level",
            range.levelCount, TEXT_OF(VkFormat, info->format));
    REQUIRE(s, RULE_09487,
            properties->Maintenance6Properties.blockTexelViewCompatibleMultipleLayers ||
                range.layerCount == 1,
            "subresourceRange.layerCount",
            "is %u, but %s, which is not compressed, is to view the blocks of a compressed image: "
            "that takes one layer on this device (blockTexelViewCompatibleMultipleLayers)",
            range.layerCount, TEXT_OF(VkFormat, info->format));
}

/* Checks the aspects of a view. */
static void image_view_check_aspects(struct subject *s, const VkImageViewCreateInfo *info,
                                     const struct image *image)
{
    const VkImageAspectFlags aspects = info->subresourceRange.aspectMask,
                             planes = aspects & FORMAT_PLANE_ASPECTS;
    const VkImageAspectFlags memory =
        VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT |
        VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT;
    const char *name = "subresourceRange.aspectMask";
    REQUIRE(s, RULE_01670, !(aspects & VK_IMAGE_ASPECT_COLOR_BIT) || !planes, name,
            "is %s: the color aspect does not go with planes",
            TEXT_OF(VkImageAspectFlags, aspects));
    REQUIRE(s, RULE_07818, !(planes & (planes - 1)), name, "is %s, which is more than one plane",
            TEXT_OF(VkImageAspectFlags, aspects));
    if (image->aspects && !(aspects & memory))
        REQUIRE(s, RULE_09594, !(aspects & ~image->aspects), name,
                "is %s, but the image's format is %s", TEXT_OF(VkImageAspectFlags, aspects),
                TEXT_OF(VkFormat, image->format));
}

/* Checks a view of a density map that is not dynamic, which the host may read. */
static void check_view_flags(struct subject *s, const VkImageViewCreateInfo *info,
                             const struct image *image)
{
    bool dynamic = (info->flags & VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT) != 0;
    if (!dynamic && image->usage & VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT)
        REQUIRE(s, RULE_04116, !(image->flags & SPARSE_OR_PROTECTED), "flags",
                "does not contain VK_IMAGE_VIEW_CREATE_FRAGMENT_DENSITY_MAP_DYNAMIC_BIT_EXT, but "
                "the image is a fragment density map created with flags %s",
                TEXT_OF(VkImageCreateFlags, image->flags));
}

/* Checks a view of some slices of a 3D image. */
static void image_view_check_slices(struct subject *s, const VkImageViewCreateInfo *info,
                                    const struct image *image)
{
    const VkImageViewSlicedCreateInfoEXT *sliced =
        CHAINED(info->pNext, IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
    if (!sliced)
        return;
    const struct location *outer = s->where;
    const struct location where = LOCATION_CHAINED(outer, "VkImageViewSlicedCreateInfoEXT");
    const VkImageSubresourceRange range =
        image_resolve_range(image, &info->subresourceRange, false);
    uint32_t depth = mip_extent(image->extent.depth, range.baseMipLevel);
    bool starts = sliced->sliceOffset < depth;
    s->where = &where;
    REQUIRE(s, RULE_07869, image->type == VK_IMAGE_TYPE_3D, "sType",
            "is of a structure for 3D images, but the image is of %s",
            TEXT_OF(VkImageType, image->type));
    REQUIRE(s, RULE_07909,
            info->viewType == VK_IMAGE_VIEW_TYPE_3D || image->type != VK_IMAGE_TYPE_3D, "sType",
            "is of a structure for 3D views, but viewType is %s",
            TEXT_OF(VkImageViewType, info->viewType));
    REQUIRE(s, RULE_07870, range.levelCount == 1, "sType",
            "is of a structure for views of one level, but this has %u", range.levelCount);
    REQUIRE(s, RULE_07867, starts, "sliceOffset", "is %u, but the view has %u slices",
            sliced->sliceOffset, depth);
    if (sliced->sliceCount != VK_REMAINING_3D_SLICES_EXT && starts)
        REQUIRE(s, RULE_07868,
                sliced->sliceCount && sliced->sliceCount <= depth - sliced->sliceOffset,
                "sliceCount", "is %u from slice %u on, but the view has %u slices",
                sliced->sliceCount, sliced->sliceOffset, depth);
    s->where = outer;
}

/* Checks the minimum LOD of a view, and its ASTC decode mode. */
static void check_lod_and_decode_mode(struct subject *s, const VkImageViewCreateInfo *info,
                                      const struct image *image)
{
    const VkImageViewMinLodCreateInfoEXT *lod =
        CHAINED(info->pNext, IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
    const VkImageViewASTCDecodeModeEXT *decode =
        CHAINED(info->pNext, IMAGE_VIEW_ASTC_DECODE_MODE_EXT);
    const struct location *outer = s->where;
    if (lod) {
        const struct location where = LOCATION_CHAINED(outer, "VkImageViewMinLodCreateInfoEXT");
        const VkImageSubresourceRange range =
            image_resolve_range(image, &info->subresourceRange, false);
        float last =
            (float)range.baseMipLevel + (float)(range.levelCount ? range.levelCount - 1 : 0);
        s->where = &where;
        REQUIRE(s, RULE_06456, lod->minLod <= last, "minLod",
                "is %g, but the last level of the view is %g", (double)lod->minLod, (double)last);
    }
    if (decode) {
        const struct location where = LOCATION_CHAINED(outer, "VkImageViewASTCDecodeModeEXT");
        const struct format_info *format = format_info(info->format);
        s->where = &where;
        REQUIRE(s, RULE_04084,
                format && (format->compression == FORMAT_COMPRESSION_ASTC_LDR ||
                           format->compression == FORMAT_COMPRESSION_ASTC_HDR),
                "decodeMode", "is for views of an ASTC format, but format is %s",
                TEXT_OF(VkFormat, info->format));
    }
    s->where = outer;
}

/* Checks a view of filter weights, which VK_QCOM_image_processing samples. */
static void check_sample_weights(struct subject *s, const VkImageViewCreateInfo *info,
                                 const struct image *image)
{
    const VkImageViewSampleWeightCreateInfoQCOM *weights =
        CHAINED(info->pNext, IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM);
    if (!weights)
        return;
    const struct location chained =
        LOCATION_CHAINED(s->where, "VkImageViewSampleWeightCreateInfoQCOM");
    const uint32_t phases = weights->numPhases;
    const bool squared = phases && !(phases & (phases - 1)) && !(__builtin_ctz(phases) & 1);
    REQUIRE(s, RULE_06962, squared, &LOCATION(&chained, "numPhases"),
            "is %u, which is not the square of a power of two", phases);
    const uint64_t across = ((uint64_t)weights->filterSize.width + 3) / 4 * 4,
                   down = weights->filterSize.height;
    const uint64_t least = phases * (across > down ? across : down);
    if (squared && info->viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY)
        REQUIRE(s, RULE_06952, image->extent.width >= least, "image",
                "is %u texels wide, but %u phases of a separable filter of %u x %u need %" PRIu64,
                image->extent.width, phases, weights->filterSize.width, weights->filterSize.height,
                least);
}

bool core_validate_CreateImageView(struct call *call, VkDevice device,
                                   const VkImageViewCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
    const struct image *image = find_image(call, pCreateInfo->image);
    if (!image)
        return false;
    const struct location where = LOCATION_POINTER(NULL, "pCreateInfo");
    struct subject subject = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_IMAGE, pCreateInfo->image)};
    VkImageUsageFlags usage = image_view_usage(image, pCreateInfo);
    image_view_check_type(&subject, pCreateInfo, image);
    image_view_check_layers(&subject, pCreateInfo, image);
    if (!subject.wrong && !rows_were_broken()) {
        check_layer_count(&subject, pCreateInfo, image);
        check_counts(&subject, pCreateInfo, image, usage);
        image_view_check_slices(&subject, pCreateInfo, image);
        check_lod_and_decode_mode(&subject, pCreateInfo, image);
        check_sample_weights(&subject, pCreateInfo, image);
    }
    image_view_check_aspects(&subject, pCreateInfo, image);
    check_view_flags(&subject, pCreateInfo, image);
    REQUIRE(&subject, RULE_01020,
            image_aspects_are_bound(image, pCreateInfo->subresourceRange.aspectMask), "image",
            "is not bound to memory%s",
            image->binding[0].memory ? ", or to memory that was freed" : "");
    image_view_check_format(&subject, pCreateInfo, image, usage);
    return subject.skip;
}

bool core_validate_DestroyImageView(struct call *call, VkDevice device, VkImageView imageView,
                                    const VkAllocationCallbacks *pAllocator)
{
    const struct image_view *state = named_image_view(call, 0, imageView);
    return state &&
           in_use_through_check(call, &state->base, VUID_vkDestroyImageView_imageView_01026,
                                &LOCATION(NULL, "imageView"));
}

bool core_validate_DestroyImage(struct call *call, VkDevice device, VkImage image,
                                const VkAllocationCallbacks *pAllocator)
{
    const struct image *state = named_image(call, 0, image);
    if (!state)
        return false;
    struct subject s = {.call = call};
    s.skip |= in_use_through_check(call, &state->base, VUID_vkDestroyImage_image_01000,
                                   &LOCATION(NULL, "image"));
    REQUIRE_OF(&s, OBJECT(HANDLE_IMAGE, image), STOPS(RULE_04882), !state->from_swapchain, "image",
               "is one of a swapchain's images, which go with it");
    return s.skip;
}

/* --- handles of VK_NVX_image_view_handle --- */

/* Checks that the view's image has the usage for the descriptor type of vkGetImageViewHandleNVX. */
static bool check_view_handle(struct call *call, const VkImageViewHandleInfoNVX *info)
{
    const struct image_view *view = find_image_view(call, info->imageView);
    const struct image *image = view ? image_by_id(view->image) : NULL;
    const bool stored = info->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    const bool sampled = info->descriptorType == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE ||
                         info->descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pInfo"),
                        .objects = OBJECT(HANDLE_IMAGE_VIEW, info->imageView)};
    if (!image)
        return false;
    REQUIRE(&s, RULE_02656, !sampled || image->any_usage & VK_IMAGE_USAGE_SAMPLED_BIT, "imageView",
            "is of an image that was created with usage %s, without VK_IMAGE_USAGE_SAMPLED_BIT",
            TEXT_OF(VkImageUsageFlags, image->usage));
    REQUIRE(&s, RULE_02657, !stored || image->any_usage & VK_IMAGE_USAGE_STORAGE_BIT, "imageView",
            "is of an image that was created with usage %s, without VK_IMAGE_USAGE_STORAGE_BIT",
            TEXT_OF(VkImageUsageFlags, image->usage));
    return s.skip;
}

bool core_validate_GetImageViewHandleNVX(struct call *call, VkDevice device,
                                         const VkImageViewHandleInfoNVX *pInfo)
{
    return check_view_handle(call, pInfo);
}

bool core_validate_GetImageViewHandle64NVX(struct call *call, VkDevice device,
                                           const VkImageViewHandleInfoNVX *pInfo)
{
    return check_view_handle(call, pInfo);
}
