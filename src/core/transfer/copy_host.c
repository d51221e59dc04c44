/* Checks copies that the host does: vkCopyMemoryToImage, vkCopyImageToMemory, vkCopyImageToImage,
 * vkTransitionImageLayout (19.5). Their regions follow the rules of copies between buffers and
 * images. */
#include "core/transfer/copy_buffer_image.h"
#include "core/hooks.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

static_assert(offsetof(VkMemoryToImageCopy, pHostPointer) == CHAIN_HEAD &&
                  offsetof(VkImageToMemoryCopy, pHostPointer) == CHAIN_HEAD &&
                  offsetof(VkMemoryToImageCopy, imageExtent) ==
                      CHAIN_HEAD + offsetof(VkBufferImageCopy, imageExtent) &&
                  offsetof(VkImageToMemoryCopy, imageExtent) ==
                      CHAIN_HEAD + offsetof(VkBufferImageCopy, imageExtent) &&
                  sizeof(VkMemoryToImageCopy) == sizeof(VkImageToMemoryCopy),
              "a copy of host memory is a VkBufferImageCopy with an address for the offset");

/* Larger than the number of layouts that exist. */
#define HOST_LAYOUTS_MOST 128

/* The lists of VkPhysicalDeviceHostImageCopyProperties. They are queried from the driver for each
 * copy, as the copy itself takes much longer. */
struct host_layouts {
    uint32_t source_count, target_count;
    VkImageLayout source[HOST_LAYOUTS_MOST], target[HOST_LAYOUTS_MOST];
};

/* Queries the layouts that the host can copy from and to. A count is 0 if the driver gives none, or
 * more than fit. */
static void ask_layouts(const struct call *call, struct host_layouts *layouts)
{
    assert(call->device);
    const struct device *device = call->device;
    VkPhysicalDeviceHostImageCopyProperties host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES,
        .copySrcLayoutCount = HOST_LAYOUTS_MOST,
        .pCopySrcLayouts = layouts->source,
        .copyDstLayoutCount = HOST_LAYOUTS_MOST,
        .pCopyDstLayouts = layouts->target};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &host};
    layouts->source_count = layouts->target_count = 0;
    if (!device->instance->dispatch.GetPhysicalDeviceProperties2)
        return;
    device->instance->dispatch.GetPhysicalDeviceProperties2(device->physical_device, &properties);
    layouts->source_count =
        host.copySrcLayoutCount < HOST_LAYOUTS_MOST ? host.copySrcLayoutCount : 0;
    layouts->target_count =
        host.copyDstLayoutCount < HOST_LAYOUTS_MOST ? host.copyDstLayoutCount : 0;
}

/* Checks that the device lists the layout for host copies. Nothing is reported for a device that
 * lists none. */
static bool check_listed(const struct call *call, enum rule rule, VkImageLayout layout,
                         bool destination, const struct location *where,
                         const struct finding_objects *objects)
{
    struct host_layouts layouts;
    ask_layouts(call, &layouts);
    uint32_t count = destination ? layouts.target_count : layouts.source_count;
    const VkImageLayout *list = destination ? layouts.target : layouts.source;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i] == layout)
            return false;
    }
    struct subject s = {.call = call, .objects = objects};
    REQUIRE(&s, rule, !count, where,
            "is %s, which is none of the %u layouts in "
            "VkPhysicalDeviceHostImageCopyProperties::%s of this device",
            value_text(VALUES_VkImageLayout, (uint64_t)layout).text, count,
            destination ? "pCopyDstLayouts" : "pCopySrcLayouts");
    return s.skip;
}

/* Checks that the image has the usage for host copies of `aspects`; stencil may have a separate
 * usage. True: the call is to be skipped. */
static bool copy_host_check_usages(const struct call *call, const struct transfer_image *side,
                                   VkImageAspectFlags aspects)
{
    const struct image *image = side->image;
    const VkImageUsageFlags host = VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
    bool stencil = aspects & VK_IMAGE_ASPECT_STENCIL_BIT,
         separate = image->stencil_usage != image->usage, skip = false;
    /* If the stencil aspect is accessed, and the image was not created with separate stencil usage,
     * it must have been created with HOST_TRANSFER */
    if (stencil && !separate)
        skip |= check_image_usage(call, side_rule(side, RULE_09111), image->usage, host, side);
    if (stencil && separate)
        skip |=
            check_image_usage(call, side_rule(side, RULE_09112), image->stencil_usage, host, side);
    /* If non-stencil aspects are accessed */
    if (aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT)
        skip |= check_image_usage(call, side_rule(side, RULE_09113), image->usage, host, side);
    return skip;
}

/* Checks that a region is a whole subresource, as VK_HOST_IMAGE_COPY_MEMCPY_BIT requires. */
static bool check_memcpy(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent, const struct location *where)
{
    assert(side->image);
    struct subject s = {.call = call, .where = where};
    /* If flags contains VK_HOST_IMAGE_COPY_MEMCPY_BIT, the x, y, and z members of the imageOffset
     * member must be 0 */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_09114),
               !offset.x && !offset.y && !offset.z, side->offset,
               "is (%d, %d, %d), but VK_HOST_IMAGE_COPY_MEMCPY_BIT copies whole subresources",
               offset.x, offset.y, offset.z);
    if (layers->mipLevel >= side->image->mip_levels)
        return s.skip;
    VkExtent3D whole = subresource_extent(side, layers->mipLevel, layers->aspectMask);
    /* ... the imageExtent member must equal the extents of the image identified by imageSubresource
     */
    REQUIRE_OF(&s, SIDE_OBJECT(side), side_rule(side, RULE_09115),
               !memcmp(&extent, &whole, sizeof(extent)), side->extent,
               "is %ux%ux%u, but VK_HOST_IMAGE_COPY_MEMCPY_BIT copies whole subresources, and this "
               "one is %ux%ux%u",
               extent.width, extent.height, extent.depth, whole.width, whole.height, whole.depth);
    return s.skip;
}

/* --- memory and images ------------------------------------------------------------------------ */

/* One copy between an image and memory of the host. */
struct host_copy {
    struct transfer_image image;
    VkHostImageCopyFlags flags;
    struct region_list regions;
};

/* Stops a copy that lies outside the image, as it would access memory which is not mapped. Returns
 * whether to stop it. */
static bool stop_outside(const struct call *call, const struct transfer_image *side,
                         const VkImageSubresourceLayers *layers, VkOffset3D offset,
                         VkExtent3D extent)
{
    const struct image *image = side->image;
    const uint32_t level = layers->mipLevel;
    const uint64_t layers_end = layers->layerCount == VK_REMAINING_ARRAY_LAYERS
                                    ? 0
                                    : (uint64_t)layers->baseArrayLayer + layers->layerCount;
    if (level < image->mip_levels && layers_end <= image->array_layers &&
        layers->baseArrayLayer < image->array_layers) {
        const VkExtent3D limit = subresource_extent(side, level, layers->aspectMask);
        if (axis_fits(offset.x, extent.width, limit.width) &&
            axis_fits(offset.y, extent.height, limit.height) &&
            axis_fits(offset.z, extent.depth,
                      image->type == VK_IMAGE_TYPE_3D ? limit.depth : image->array_layers))
            return false;
    }
    return call_stop(call, false);
}

/* Checks region `index` of a copy between host memory and an image. True: the call is to be
 * skipped. */
static bool check_host_region(const struct call *call, const struct host_copy *copy, uint32_t index)
{
    assert(index < copy->regions.count && copy->image.image);
    static const struct region_names names = {"pHostPointer", "memoryRowLength",
                                              "memoryImageHeight"};
    const VkBufferImageCopy *region = region_at(&copy->regions, index);
    const struct location *where = &LOCATION_INDEX(copy->regions.where, "pRegions", index);
    /* pHostPointer must point to memory that is large enough to contain all memory locations that
     * are accessed */
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, STOPS(copy->image.destination ? RULE_09061 : RULE_09066),
            !pointer_is_bad((const void *)(uintptr_t)region->bufferOffset), "pHostPointer", "is %s",
            region->bufferOffset ? "a pointer where no program can have memory" : "NULL");
    s.skip |= copy_host_check_usages(call, &copy->image, region->imageSubresource.aspectMask);
    s.skip |= check_linear_side(call, &copy->image, region, where, &names);
    s.skip |= check_copied_region(call, &copy->image, &region->imageSubresource,
                                  region->imageOffset, region->imageExtent, where, 0);
    s.skip |= stop_outside(call, &copy->image, &region->imageSubresource, region->imageOffset,
                           region->imageExtent);
    /* dstImageLayout must specify the current layout of the image subresources of dstImage
     * specified in pRegions */
    const VkImageSubresourceRange range = range_of_layers(&region->imageSubresource);
    s.skip |= check_host_layout(call, copy->image.destination ? RULE_09059 : RULE_09064,
                                &copy->image, &range);
    if (!(copy->flags & VK_HOST_IMAGE_COPY_MEMCPY_BIT))
        return s.skip;
    s.skip |= check_memcpy(call, &copy->image, &region->imageSubresource, region->imageOffset,
                           region->imageExtent, where);
    /* If flags includes VK_HOST_IMAGE_COPY_MEMCPY_BIT, for each region in pRegions, memoryRowLength
     * and memoryImageHeight must both be 0 */
    REQUIRE(&s, copy->image.destination ? RULE_09393 : RULE_09394,
            !region->bufferRowLength && !region->bufferImageHeight, where,
            "has memoryRowLength %u and memoryImageHeight %u, but "
            "VK_HOST_IMAGE_COPY_MEMCPY_BIT leaves both 0",
            region->bufferRowLength, region->bufferImageHeight);
    return s.skip;
}

/* Checks that no two regions write the same place. More than OVERLAP_REGIONS regions are not
 * compared, as the time grows with their square. */
static bool check_host_overlaps(const struct call *call, const struct host_copy *copy)
{
    if (copy->regions.count > OVERLAP_REGIONS)
        return false;
    for (uint32_t i = 1; copy->image.destination && i < copy->regions.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const VkBufferImageCopy *a = region_at(&copy->regions, j),
                                    *b = region_at(&copy->regions, i);
            struct image_box first =
                image_box(copy->image.image, &a->imageSubresource, a->imageOffset, a->imageExtent);
            struct image_box second =
                image_box(copy->image.image, &b->imageSubresource, b->imageOffset, b->imageExtent);
            /* Each memory location accessed by this command must not be accessed in more than one
             * destination region */
            if (unlikely(image_boxes_overlap(&first, &second)))
                return BROKEN_BY(call, RULE_12474,
                                 &LOCATION_INDEX(copy->regions.where, "pRegions", i),
                                 SIDE_OBJECT(&copy->image),
                                 "writes texels that region %u writes as well", j);
        }
    }
    /* With VK_HOST_IMAGE_COPY_MEMCPY_BIT only the driver knows how many bytes a subresource
     * takes. */
    if (copy->image.destination || copy->flags & VK_HOST_IMAGE_COPY_MEMCPY_BIT)
        return false;
    for (uint32_t i = 1; i < copy->regions.count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const VkBufferImageCopy *a = region_at(&copy->regions, j),
                                    *b = region_at(&copy->regions, i);
            /* the rows of one region may lie in the gaps of the other */
            bool contiguous, other_contiguous;
            VkDeviceSize size = copy_footprint(&copy->image, a, &contiguous),
                         other = copy_footprint(&copy->image, b, &other_contiguous);
            VkDeviceSize from = a->bufferOffset, to = b->bufferOffset; /* addresses */
            if (unlikely(contiguous && other_contiguous &&
                         (from < to ? to - from < size && other : from - to < other && size)))
                return BROKEN_BY(call, RULE_12475,
                                 &LOCATION_INDEX(copy->regions.where, "pRegions", i),
                                 SIDE_OBJECT(&copy->image),
                                 "writes bytes at pHostPointer that region %u writes as well", j);
        }
    }
    return false;
}

/* Checks a copy by the host. The device must list the image's layout for host copies. */
static bool check_host_copy(struct call *call, struct host_copy *copy)
{
    if (!copy->image.image || !call->device)
        return false;
    copy->image.format = format_info(copy->image.image->format);
    bool skip = false;
    skip |=
        check_listed(call, copy->image.destination ? RULE_09060 : RULE_09065, copy->image.layout,
                     copy->image.destination, &LOCATION(copy->image.where, copy->image.layout_name),
                     SIDE_OBJECT(&copy->image));
    for (uint32_t i = 0; i < copy->regions.count; i++)
        skip |= check_host_region(call, copy, i);
    return skip | check_host_overlaps(call, copy);
}

/* Describes the image of a copy from or to memory. Its regions name the members of only one
 * image. */
static struct transfer_image memory_side(const struct call *call, VkImage image,
                                         VkImageLayout layout, const struct location *where,
                                         bool destination)
{
    struct transfer_image side =
        transfer_side(call, image, layout, where, destination, "imageOffset", "imageExtent");
    side.subresource = "imageSubresource";
    return side;
}

bool core_validate_CopyMemoryToImage(struct call *call, VkDevice device,
                                     const VkCopyMemoryToImageInfo *pCopyMemoryToImageInfo)
{
    const VkCopyMemoryToImageInfo *info = pCopyMemoryToImageInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyMemoryToImageInfo");
    struct host_copy copy = {
        .image = memory_side(call, info->dstImage, info->dstImageLayout, where, true),
        .flags = info->flags,
        .regions = REGIONS2(info, where)};
    return check_host_copy(call, &copy);
}

bool core_validate_CopyImageToMemory(struct call *call, VkDevice device,
                                     const VkCopyImageToMemoryInfo *pCopyImageToMemoryInfo)
{
    const VkCopyImageToMemoryInfo *info = pCopyImageToMemoryInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyImageToMemoryInfo");
    struct host_copy copy = {
        .image = memory_side(call, info->srcImage, info->srcImageLayout, where, false),
        .flags = info->flags,
        .regions = REGIONS2(info, where)};
    return check_host_copy(call, &copy);
}

/* --- image to image --------------------------------------------------------------------------- */

/* The name of the first creation parameter in which the images differ ("identical image creation
 * parameters"), or NULL. Only parameters that the layer keeps are compared. */
static const char *layouts_differ(const struct image *a, const struct image *b)
{
    return a->flags != b->flags                                           ? "flags"
           : a->type != b->type                                           ? "imageType"
           : a->format != b->format                                       ? "format"
           : memcmp(&a->extent, &b->extent, sizeof(a->extent))            ? "extent"
           : a->mip_levels != b->mip_levels                               ? "mipLevels"
           : a->array_layers != b->array_layers                           ? "arrayLayers"
           : a->samples != b->samples                                     ? "samples"
           : a->tiling != b->tiling                                       ? "tiling"
           : a->usage != b->usage || a->stencil_usage != b->stencil_usage ? "usage"
           : a->sharing_mode != b->sharing_mode                           ? "sharingMode"
           : a->initial_layout != b->initial_layout                       ? "initialLayout"
                                                                          : NULL;
}

/* Checks that no region reads or writes what another one writes. More than OVERLAP_REGIONS regions
 * are not compared, as the time grows with their square. */
static bool check_image_overlaps(const struct call *call, const struct transfer_image *source,
                                 const struct transfer_image *target,
                                 const struct region_list *regions)
{
    if (regions->count > OVERLAP_REGIONS)
        return false;
    for (uint32_t i = 0; i < regions->count; i++) {
        const VkImageCopy *region = region_at(regions, i);
        struct image_box written =
            image_box(target->image, &region->dstSubresource, region->dstOffset, region->extent);
        for (uint32_t j = 0; j < regions->count; j++) {
            const VkImageCopy *other = region_at(regions, j);
            struct image_box read =
                image_box(source->image, &other->srcSubresource, other->srcOffset, other->extent);
            struct image_box second =
                image_box(target->image, &other->dstSubresource, other->dstOffset, other->extent);
            const struct location *where = &LOCATION_INDEX(regions->where, "pRegions", j);
            /* Each memory location accessed by this command must not be accessed by both a source
             * region and a destination region */
            if (source->image == target->image && unlikely(image_boxes_overlap(&read, &written)))
                return BROKEN_BY(call, RULE_12476, where, SIDE_OBJECT(source),
                                 "reads texels that region %u writes", i);
            /* Each memory location accessed by this command must not be accessed by more than one
             * destination region */
            if (j > i && unlikely(image_boxes_overlap(&second, &written)))
                return BROKEN_BY(call, RULE_12477, where, SIDE_OBJECT(target),
                                 "writes texels that region %u writes as well", i);
        }
    }
    return false;
}

/* Checks one image of a copy by the host: its layout, and its part of every region. True: the call
 * is to be skipped. */
static bool check_side(const struct call *call, const struct transfer_image *side,
                       const struct region_list *regions, VkHostImageCopyFlags flags)
{
    struct subject s = {.call = call};
    /* srcImageLayout must be one of the image layouts returned in
     * VkPhysicalDeviceHostImageCopyProperties::pCopySrcLayouts */
    s.skip |= check_listed(call, side->destination ? RULE_09073 : RULE_09072, side->layout,
                           side->destination, &LOCATION(side->where, side->layout_name),
                           SIDE_OBJECT(side));
    for (uint32_t i = 0; i < regions->count; i++) {
        const VkImageCopy *region = region_at(regions, i);
        const VkImageSubresourceLayers *layers =
            side->destination ? &region->dstSubresource : &region->srcSubresource;
        VkOffset3D offset = side->destination ? region->dstOffset : region->srcOffset;
        const struct location *where = &LOCATION_INDEX(regions->where, "pRegions", i);
        s.skip |= copy_host_check_usages(call, side, layers->aspectMask);
        s.skip |= check_copied_region(call, side, layers, offset, region->extent, where, 0);
        s.skip |= stop_outside(call, side, layers, offset, region->extent);
        /* srcImageLayout must specify the current layout of the image subresources of srcImage
         * specified in pRegions */
        const VkImageSubresourceRange range = range_of_layers(layers);
        s.skip |=
            check_host_layout(call, side->destination ? RULE_09071 : RULE_09070, side, &range);
        if (flags & VK_HOST_IMAGE_COPY_MEMCPY_BIT)
            s.skip |= check_memcpy(call, side, layers, offset, region->extent, where);
    }
    return s.skip;
}

bool core_validate_CopyImageToImage(struct call *call, VkDevice device,
                                    const VkCopyImageToImageInfo *pCopyImageToImageInfo)
{
    const VkCopyImageToImageInfo *info = pCopyImageToImageInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pCopyImageToImageInfo");
    struct transfer_image source = transfer_side(call, info->srcImage, info->srcImageLayout, where,
                                                 false, "srcOffset", "extent");
    struct transfer_image target = transfer_side(call, info->dstImage, info->dstImageLayout, where,
                                                 true, "dstOffset", "extent");
    const struct region_list regions = REGIONS2(info, where);
    if (!source.image || !target.image || !call->device)
        return false;
    source.format = format_info(source.image->format);
    target.format = format_info(target.image->format);
    struct subject s = {.call = call, .where = where};
    s.skip |= check_side(call, &source, &regions, info->flags);
    s.skip |= check_side(call, &target, &regions, info->flags);
    const char *different = layouts_differ(source.image, target.image);
    /* srcImage and dstImage must have been created with identical image creation parameters */
    REQUIRE_OF(&s, OBJECT2(HANDLE_IMAGE, source.handle, HANDLE_IMAGE, target.handle), RULE_09069,
               !different, "srcImage",
               "was created with another %s than dstImage; the host copies between images of "
               "the same creation parameters only",
               different);
    return s.skip | check_image_overlaps(call, &source, &target, &regions);
}

/* --- layouts ---------------------------------------------------------------------------------- */

/* True if an earlier element transitions the same image. No sentence says which layout the later
 * element of one call then finds. */
static bool is_in_earlier_transition(const VkHostImageLayoutTransitionInfo *transitions,
                                     uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (transitions[i].image == transitions[index].image)
            return true;
    }
    return false;
}

bool core_validate_TransitionImageLayout(struct call *call, VkDevice device,
                                         uint32_t transitionCount,
                                         const VkHostImageLayoutTransitionInfo *pTransitions)
{
    struct subject s = {.call = call};
    for (uint32_t i = 0; pTransitions && call->device && i < transitionCount; i++) {
        const VkHostImageLayoutTransitionInfo *transition = &pTransitions[i];
        const struct location *where = &LOCATION_INDEX(NULL, "pTransitions", i);
        const struct finding_objects *objects = OBJECT(HANDLE_IMAGE, transition->image);
        const struct image *image = find_image(call, transition->image);
        /* oldLayout must be either VK_IMAGE_LAYOUT_UNDEFINED or the current layout of the image
         * subresources as specified in subresourceRange */
        const struct transfer_image side = {.image = image,
                                            .handle = transition->image,
                                            .layout = transition->oldLayout,
                                            .where = where,
                                            .name = "image",
                                            .layout_name = "oldLayout"};
        if (image && transition->oldLayout != VK_IMAGE_LAYOUT_UNDEFINED &&
            !is_in_earlier_transition(pTransitions, i))
            s.skip |= check_host_layout(call, RULE_09229, &side, &transition->subresourceRange);
        /* If oldLayout is not UNDEFINED, ZERO_INITIALIZED, or PREINITIALIZED, it must be one of the
         * layouts in pCopySrcLayouts */
        if (transition->oldLayout != VK_IMAGE_LAYOUT_UNDEFINED &&
            transition->oldLayout != VK_IMAGE_LAYOUT_PREINITIALIZED &&
            transition->oldLayout != VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT)
            s.skip |= check_listed(call, RULE_09230, transition->oldLayout, false,
                                   &LOCATION(where, "oldLayout"), objects);
        /* newLayout must be one of the layouts in
         * VkPhysicalDeviceHostImageCopyProperties::pCopyDstLayouts */
        s.skip |= check_listed(call, RULE_09057, transition->newLayout, true,
                               &LOCATION(where, "newLayout"), objects);
    }
    return s.skip;
}
