/* Checks queries about images: memory requirements, layouts of subresources, DRM format modifier
 * (12.3, 12.7). */
#include "core/hooks.h"
#include "state/memory/formats.h"
#include "state/memory/image.h"

#include "report/finding/rule.h"

/* Aspects that mean planes of memory, not planes of the format. */
#define MEMORY_PLANES                                                                  \
    (VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT | \
     VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT | VK_IMAGE_ASPECT_MEMORY_PLANE_3_BIT_EXT)

/* True for exactly one aspect. */
static bool is_single(VkImageAspectFlags aspects)
{
    return aspects && !(aspects & (aspects - 1));
}

/* --- memory requirements --- */

bool core_validate_GetImageMemoryRequirements2(struct call *call, VkDevice device,
                                               const VkImageMemoryRequirementsInfo2 *pInfo,
                                               VkMemoryRequirements2 *pMemoryRequirements)
{
    const VkImagePlaneMemoryRequirementsInfo *plane =
        CHAINED(pInfo->pNext, IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
    const struct image *image = find_image(call, pInfo->image);
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {
        .call = call, .where = &where, .objects = OBJECT(HANDLE_IMAGE, pInfo->image)};
    if (!image)
        return false;
    bool disjoint = (image->flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
    bool drm = image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    if (disjoint && image->plane_count > 1 && !drm)
        REQUIRE(&s, RULE_01589, plane, "pNext",
                "has no VkImagePlaneMemoryRequirementsInfo, but the image is disjoint");
    if (disjoint && drm)
        REQUIRE(&s, RULE_02279, plane, "pNext",
                "has no VkImagePlaneMemoryRequirementsInfo, but the image is disjoint");
    if (!plane)
        return s.skip;
    /* 02280 reports an image with one plane */
    REQUIRE(&s, RULE_01590, disjoint || (!drm && image->plane_count <= 1), "pNext",
            "includes a VkImagePlaneMemoryRequirementsInfo, but the image was created without "
            "VK_IMAGE_CREATE_DISJOINT_BIT");
    REQUIRE(&s, RULE_02280, drm || image->plane_count > 1, "pNext",
            "includes a VkImagePlaneMemoryRequirementsInfo, but %s has one plane",
            TEXT_OF(VkFormat, image->format));
    if (!drm && image->plane_count > 1)
        REQUIRE(&s, RULE_02281,
                is_single(plane->planeAspect) &&
                    plane->planeAspect & image->aspects & FORMAT_PLANE_ASPECTS,
                &LOCATION(&LOCATION_CHAINED(&where, "VkImagePlaneMemoryRequirementsInfo"),
                          "planeAspect"),
                "is %s, which is not a plane of %s",
                TEXT_OF(VkImageAspectFlags, plane->planeAspect), TEXT_OF(VkFormat, image->format));
    /* If the image's tiling is VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, then planeAspect must be a
     * single valid memory plane for the image */
    if (drm)
        REQUIRE(&s, RULE_02282,
                format_drm_has_plane(call->device, image->format, image->drm_modifier,
                                     plane->planeAspect),
                &LOCATION(&LOCATION_CHAINED(&where, "VkImagePlaneMemoryRequirementsInfo"),
                          "planeAspect"),
                "is %s, which is not a memory plane of %s with the modifier 0x%llx",
                TEXT_OF(VkImageAspectFlags, plane->planeAspect), TEXT_OF(VkFormat, image->format),
                (unsigned long long)image->drm_modifier);
    return s.skip;
}

/* Checks the plane of a query for the memory requirements of an image that does not exist yet. */
static bool check_device_requirements(struct call *call,
                                      const VkDeviceImageMemoryRequirements *info)
{
    const struct location where = LOCATION_POINTER(NULL, "pInfo");
    struct subject s = {.call = call, .where = &where};
    VkImageCreateInfo copy;
    const VkImageCreateInfo *create = image_info_effective(info->pCreateInfo, &copy);
    const struct format_info *format = format_info(create->format);
    bool disjoint = (create->flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0;
    if (!disjoint && info->planeAspect)
        REQUIRE(&s, RULE_12399, is_single(info->planeAspect), "planeAspect",
                "is %s, where one aspect is meant, or none",
                TEXT_OF(VkImageAspectFlags, info->planeAspect));
    if (!disjoint || !format)
        return s.skip;
    if (format->plane_count > 1)
        REQUIRE(&s, RULE_06417, info->planeAspect != VK_IMAGE_ASPECT_NONE, "planeAspect",
                "is VK_IMAGE_ASPECT_NONE, but pCreateInfo->flags contains "
                "VK_IMAGE_CREATE_DISJOINT_BIT");
    if (info->planeAspect != VK_IMAGE_ASPECT_NONE &&
        (create->tiling == VK_IMAGE_TILING_LINEAR || create->tiling == VK_IMAGE_TILING_OPTIMAL))
        REQUIRE(&s, RULE_06419,
                (is_single(info->planeAspect) &&
                 info->planeAspect & format->aspects & FORMAT_PLANE_ASPECTS) ||
                    (format->plane_count <= 1 && info->planeAspect == VK_IMAGE_ASPECT_PLANE_0_BIT),
                "planeAspect", "is %s, which is not a plane of %s",
                TEXT_OF(VkImageAspectFlags, info->planeAspect), TEXT_OF(VkFormat, create->format));
    return s.skip;
}

bool core_validate_GetDeviceImageMemoryRequirements(struct call *call, VkDevice device,
                                                    const VkDeviceImageMemoryRequirements *pInfo,
                                                    VkMemoryRequirements2 *pMemoryRequirements)
{
    return check_device_requirements(call, pInfo);
}

bool core_validate_GetDeviceImageSparseMemoryRequirements(struct call *call, VkDevice device,
                                                          const VkDeviceImageMemoryRequirements
                                                              *pInfo,
                                                          uint32_t *pSparseMemoryRequirementCount,
                                                          VkSparseImageMemoryRequirements2
                                                              *pSparseMemoryRequirements)
{
    return check_device_requirements(call, pInfo);
}

/* --- layouts of subresources --- */

/* Describes an image that exists, or one that is to be created. */
struct layout_of {
    VkFormat format;
    VkImageTiling tiling;
    uint32_t mip_levels, array_layers;
};

/* Checks the subresource of a layout query. */
static void check_subresource(struct subject *s, const struct layout_of *image,
                              const VkImageSubresource *subresource)
{
    assert(image && subresource);
    const struct format_info *format = format_info(image->format);
    VkImageAspectFlags aspects = subresource->aspectMask;
    bool drm = image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    REQUIRE(s, RULE_00997, is_single(aspects), "aspectMask",
            "is %s, where exactly one aspect is meant", TEXT_OF(VkImageAspectFlags, aspects));
    REQUIRE(s, RULE_01716, subresource->mipLevel < image->mip_levels, "mipLevel",
            "is %u, but the image has %u mip levels", subresource->mipLevel, image->mip_levels);
    REQUIRE(s, RULE_01717, subresource->arrayLayer < image->array_layers, "arrayLayer",
            "is %u, but the image has %u layers", subresource->arrayLayer, image->array_layers);
    if (!format || !is_single(aspects) || drm)
        return;
    bool depth_stencil = (format->aspects & FORMAT_DEPTH_STENCIL_ASPECTS) != 0;
    /* drivers use the aspect as the index of the plane */
    const bool foreign = !(aspects & format->aspects);
    const char *text = "is %s, but the image is of %s";
    struct value_text aspect = {0}, name = {0};
    if (unlikely(!(aspects & format->aspects))) {
        aspect = value_text(VALUES_VkImageAspectFlags, aspects);
        name = value_text(VALUES_VkFormat, image->format);
    }
    /* "must contain DEPTH" and "must contain STENCIL" cannot both hold of one aspect: of a format
     * that has both, either will do. */
    if (depth_stencil && !(aspects & format->aspects)) {
        if (format->depth_bits)
            REQUIRE(s, RULE_04462, false, "aspectMask", text, aspect.text, name.text);
        if (format->stencil_bits)
            REQUIRE(s, RULE_04463, false, "aspectMask", text, aspect.text, name.text);
    }
    /* 08886 says which aspect an image with one plane must have */
    if (!depth_stencil && format->plane_count != 1)
        REQUIRE(s, RULE_04464, !(aspects & FORMAT_DEPTH_STENCIL_ASPECTS), "aspectMask", text,
                aspect.text, name.text);
    if (!depth_stencil && format->plane_count == 1)
        REQUIRE(s, RULE_08886, aspects == VK_IMAGE_ASPECT_COLOR_BIT, "aspectMask", text,
                aspect.text, name.text);
    if (format->plane_count > 1 && image->tiling == VK_IMAGE_TILING_LINEAR)
        REQUIRE(s, RULE_08717,
                aspects & ((format->aspects & FORMAT_PLANE_ASPECTS) | FORMAT_DEPTH_STENCIL_ASPECTS),
                "aspectMask", "is %s, which is not a plane of %s",
                TEXT_OF(VkImageAspectFlags, aspects), TEXT_OF(VkFormat, image->format));
    if (foreign && s->wrong)
        s->skip = call_stop(s->call, s->skip);
}

/* The members of the image that the layout query uses. */
static struct layout_of layout_of_image(const struct image *image)
{
    assert(image);
    return (struct layout_of){image->format, image->tiling, image->mip_levels, image->array_layers};
}

bool core_validate_GetImageSubresourceLayout(struct call *call, VkDevice device, VkImage image,
                                             const VkImageSubresource *pSubresource,
                                             VkSubresourceLayout *pLayout)
{
    const struct image *state = named_image(call, 0, image);
    const struct location where = LOCATION_POINTER(NULL, "pSubresource");
    struct subject s = {.call = call, .where = &where, .objects = OBJECT(HANDLE_IMAGE, image)};
    struct subject command = {.call = call, .objects = s.objects};
    if (!state)
        return false;
    bool drm = state->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
    REQUIRE(&command, RULE_07790, drm || state->tiling == VK_IMAGE_TILING_LINEAR, "image",
            "is of %s: only linear images and those of DRM format modifiers have a layout "
            "to ask for",
            TEXT_OF(VkImageTiling, state->tiling));
    const struct layout_of layout = layout_of_image(state);
    check_subresource(&s, &layout, pSubresource);
    if (drm)
        REQUIRE(&s, RULE_09433,
                is_single(pSubresource->aspectMask) && pSubresource->aspectMask & MEMORY_PLANES,
                "aspectMask",
                "is %s, which is not a memory plane, but the image is of "
                "VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT",
                TEXT_OF(VkImageAspectFlags, pSubresource->aspectMask));
    return s.skip | command.skip;
}

bool core_validate_GetImageSubresourceLayout2(struct call *call, VkDevice device, VkImage image,
                                              const VkImageSubresource2 *pSubresource,
                                              VkSubresourceLayout2 *pLayout)
{
    const struct image *state = named_image(call, 0, image);
    const struct location outer = LOCATION_POINTER(NULL, "pSubresource"),
                          where = LOCATION(&outer, "imageSubresource");
    struct subject s = {.call = call, .where = &where, .objects = OBJECT(HANDLE_IMAGE, image)};
    if (!state)
        return false;
    const struct layout_of layout = layout_of_image(state);
    check_subresource(&s, &layout, &pSubresource->imageSubresource);
    if (state->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
        REQUIRE(&s, RULE_09435,
                is_single(pSubresource->imageSubresource.aspectMask) &&
                    pSubresource->imageSubresource.aspectMask & MEMORY_PLANES,
                "aspectMask",
                "is %s, which is not a memory plane, but the image is of "
                "VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT",
                TEXT_OF(VkImageAspectFlags, pSubresource->imageSubresource.aspectMask));
    return s.skip;
}

bool core_validate_GetDeviceImageSubresourceLayout(struct call *call, VkDevice device,
                                                   const VkDeviceImageSubresourceInfo *pInfo,
                                                   VkSubresourceLayout2 *pLayout)
{
    const struct location outer = LOCATION_POINTER(NULL, "pInfo"),
                          inner = LOCATION_POINTER(&outer, "pSubresource"),
                          where = LOCATION(&inner, "imageSubresource");
    struct subject s = {.call = call, .where = &where};
    const VkImageCreateInfo *create = pInfo->pCreateInfo;
    const struct layout_of layout = {create->format, create->tiling, create->mipLevels,
                                     create->arrayLayers};
    check_subresource(&s, &layout, &pInfo->pSubresource->imageSubresource);
    return s.skip;
}
