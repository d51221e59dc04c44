/* Tracks how image views were created (12.5). */
#include "state/memory/formats.h"
#include "state/hooks.h"
#include "state/memory/image.h"
#include "vk/chain.h"

/* True if the view's layers are slices of a 3D image. */
static bool view_is_of_slices(const struct image *image, const VkImageViewCreateInfo *info)
{
    assert(image && info);
    return image->type == VK_IMAGE_TYPE_3D && info->viewType != VK_IMAGE_VIEW_TYPE_3D;
}

VkImageSubresourceRange image_resolve_range(const struct image *image,
                                            const VkImageSubresourceRange *range, bool of_slices)
{
    assert(image && range);
    VkImageSubresourceRange resolved = *range;
    uint32_t layers =
        of_slices ? mip_extent(image->extent.depth, range->baseMipLevel) : image->array_layers;
    if (range->levelCount == VK_REMAINING_MIP_LEVELS)
        resolved.levelCount =
            range->baseMipLevel < image->mip_levels ? image->mip_levels - range->baseMipLevel : 0;
    if (range->layerCount == VK_REMAINING_ARRAY_LAYERS)
        resolved.layerCount = range->baseArrayLayer < layers ? layers - range->baseArrayLayer : 0;
    return resolved;
}

/* "If the image was created with VkImageStencilUsageCreateInfo": each aspect has its own usage, and
 * both together have their intersection. */
VkImageUsageFlags image_usage_of_aspects(const struct image *image, VkImageAspectFlags aspects)
{
    switch (aspects & FORMAT_DEPTH_STENCIL_ASPECTS) {
    case VK_IMAGE_ASPECT_STENCIL_BIT:
        return image->stencil_usage;
    case VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT:
        return image->usage & image->stencil_usage;
    default:
        return image->usage;
    }
}

/* The extent of the view's first mip level: in texels of a plane, or in texel blocks if the view is
 * not compressed. */
static VkExtent3D extent_of(const struct image *image, const VkImageViewCreateInfo *info)
{
    assert(image && info);
    const VkImageSubresourceRange *range = &info->subresourceRange;
    const struct format_info *from = format_info(image->format), *to = format_info(info->format);
    VkExtent3D extent = {
        mip_extent(image->extent.width, range->baseMipLevel),
        mip_extent(image->extent.height, range->baseMipLevel),
        view_is_of_slices(image, info) ? 1 : mip_extent(image->extent.depth, range->baseMipLevel)};
    if (!from || !to)
        return extent;
    /* A plane may have fewer texels than the image (table "Plane Format Compatibility"). */
    if (from->plane_count > 1 && (range->aspectMask & FORMAT_PLANE_ASPECTS)) {
        const struct format_plane *plane = &from->planes[aspect_plane(range->aspectMask) % 3];
        extent.width /= plane->width_divisor ? plane->width_divisor : 1;
        extent.height /= plane->height_divisor ? plane->height_divisor : 1;
        /* An uncompressed view of a compressed image has one texel for each block. */
    } else if (from->compression != FORMAT_COMPRESSION_NONE &&
               to->compression == FORMAT_COMPRESSION_NONE) {
        extent.width = (extent.width + from->block_extent[0] - 1) / from->block_extent[0];
        extent.height = (extent.height + from->block_extent[1] - 1) / from->block_extent[1];
        extent.depth = (extent.depth + from->block_extent[2] - 1) / from->block_extent[2];
    }
    return extent;
}

/* Notes the usage and the conversion in the chain. */
static void image_view_read_chain(const struct call *call, struct image_view *view,
                                  const void *chain)
{
    const VkImageViewUsageCreateInfo *usage =
        chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO);
    const VkSamplerYcbcrConversionInfo *conversion =
        chain_find(chain, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    const VkImageViewMinLodCreateInfoEXT *lod =
        chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
    if (usage)
        view->usage = usage->usage;
    view->min_lod = lod ? lod->minLod : 0.0f;
    const struct object *object = conversion ? call_find(call, (uint64_t)conversion->conversion,
                                                         HANDLE_SAMPLER_YCBCR_CONVERSION)
                                             : NULL;
    if (object)
        view->ycbcr_conversion = atomic_load_explicit(&object->id, memory_order_relaxed);
}

void state_after_CreateImageView(struct call *call, VkDevice device,
                                 const VkImageViewCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkImageView *pView)
{
    const struct image *image = find_image(call, pCreateInfo->image);
    struct object *object =
        image ? created_object(call, (uint64_t)*pView, HANDLE_IMAGE_VIEW) : NULL;
    struct image_view *view = object_state_new(object, sizeof(*view));
    if (!view)
        return;
    view->image = object_state_id(&image->base);
    atomic_init(&view->bound_since, atomic_load_explicit(&memory_epoch, memory_order_relaxed));
    view->flags = pCreateInfo->flags;
    view->type = pCreateInfo->viewType;
    view->format = pCreateInfo->format;
    view->components = pCreateInfo->components;
    view->identity = components_are_identity(&pCreateInfo->components);
    /* VK_REMAINING_* become numbers, so that readers do not need the image. */
    view->range = image_resolve_range(image, &pCreateInfo->subresourceRange,
                                      view_is_of_slices(image, pCreateInfo));
    view->usage = image_usage_of_aspects(image, pCreateInfo->subresourceRange.aspectMask);
    view->extent = extent_of(image, pCreateInfo);
    view->samples = image->samples;
    view->image_flags = image->flags;
    image_view_read_chain(call, view, pCreateInfo->pNext);
    object_state_publish(object, view);
}

/* Queries the driver in the way that the program would. If parameters that the query leaves out
 * (stencil usage, DRM format modifiers, external memory) could change the answer, it does not
 * query. */
static uint32_t ask_cubic(const struct device *device, const struct image_view *view,
                          const struct image *image)
{
    VkPhysicalDeviceImageViewImageFormatInfoEXT of_view = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT,
        .imageViewType = view->type};
    const VkPhysicalDeviceImageFormatInfo2 question = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
        .pNext = &of_view,
        .format = view->format,
        .type = image->type,
        .tiling = image->tiling,
        .usage = image->usage,
        .flags = image->flags};
    VkFilterCubicImageViewImageFormatPropertiesEXT cubic = {
        .sType = VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT};
    VkImageFormatProperties2 answer = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
                                       .pNext = &cubic};
    const PFN_vkGetPhysicalDeviceImageFormatProperties2 ask =
        device->instance->dispatch.GetPhysicalDeviceImageFormatProperties2;
    if (!ask ||
        !extension_set_has(&device->instance->extensions,
                           EXTENSION_VK_KHR_get_physical_device_properties2) ||
        image->separate_stencil_usage || image->external_types || image->from_swapchain ||
        image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ||
        ask(device->physical_device, &question, &answer) != VK_SUCCESS)
        /* Not known: nothing is reported about cubic filtering. */
        return CUBIC_ASKED;
    return CUBIC_ASKED | CUBIC_KNOWN | (cubic.filterCubic ? (uint32_t)CUBIC_FILTERED : 0) |
           (cubic.filterCubicMinmax ? (uint32_t)CUBIC_FILTERED_MINMAX : 0);
}

uint32_t image_view_cubic(const struct device *device, struct image_view *view,
                          const struct image *image)
{
    uint32_t known = atomic_load_explicit(&view->cubic, memory_order_relaxed);
    if (!known) {
        known = ask_cubic(device, view, image);
        atomic_store_explicit(&view->cubic, (uint8_t)known, memory_order_relaxed);
    }
    return known;
}

bool image_view_has_memory_slow(struct image_view *view)
{
    assert(view);
    const uint32_t epoch = atomic_load_explicit(&memory_epoch, memory_order_relaxed);
    const struct image *image = image_by_id(view->image);
    if (image && !image_aspects_are_bound(image, view->range.aspectMask))
        return false;
    atomic_store_explicit(&view->bound_since, epoch, memory_order_relaxed);
    return true;
}
