/* Copies that the host does: between memory and images, and between images, with the transitions of
 * layouts that go with them. */
#include "valid.h"

#define LAYOUTS_MOST 64

struct layouts {
    VkImageLayout from[LAYOUTS_MOST], to[LAYOUTS_MOST];
    uint32_t from_count, to_count;
    bool same_memory;
};

static bool query_layouts(struct world *w, struct layouts *l)
{
    VkPhysicalDeviceHostImageCopyProperties properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES,
        .copySrcLayoutCount = LAYOUTS_MOST,
        .pCopySrcLayouts = l->from,
        .copyDstLayoutCount = LAYOUTS_MOST,
        .pCopyDstLayouts = l->to};
    if (!properties_of(w, &properties))
        return false;
    l->from_count = properties.copySrcLayoutCount;
    l->to_count = properties.copyDstLayoutCount;
    return l->from_count && l->to_count;
}

/* General is always among them; another one only if the image's usage goes with it. */
static VkImageLayout choose_layout(struct world *w, const VkImageLayout *list, uint32_t count,
                                   VkImageLayout other)
{
    bool there = false;
    for (uint32_t i = 0; i < count; i++)
        there |= list[i] == other;
    return there && chance(w, 50) ? other : VK_IMAGE_LAYOUT_GENERAL;
}

static void transition_on_host(struct world *w, struct image *image, VkImageLayout to)
{
    if (image->layout == to && chance(w, 80))
        return;
    VkHostImageLayoutTransitionInfo info = {
        .sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
        .image = image->handle,
        .oldLayout = chance(w, 10) ? VK_IMAGE_LAYOUT_UNDEFINED : image->layout,
        .newLayout = to,
        .subresourceRange = {image->format->aspects, 0,
                             PICK(VK_REMAINING_MIP_LEVELS, image->info.mipLevels), 0,
                             PICK(VK_REMAINING_ARRAY_LAYERS, image->info.arrayLayers)}};
    MUST(TransitionImageLayout, w->device, 1, &info);
    image->layout = to;
}

static VkImageSubresourceLayers layers_of(struct world *w, const struct image *image)
{
    uint32_t base = below(w, image->info.arrayLayers);
    return (VkImageSubresourceLayers){image->format->aspects, below(w, image->info.mipLevels), base,
                                      between(w, 1, image->info.arrayLayers - base)};
}

static size_t memory_size(const struct image *image, VkImageSubresourceLayers layers,
                          VkExtent3D extent, uint32_t row, uint32_t height)
{
    uint32_t columns = (row + image->format->block_width - 1) / image->format->block_width,
             rows = (height + image->format->block_height - 1) / image->format->block_height;
    return (size_t)columns * rows * extent.depth * layers.layerCount * image->format->bytes;
}

static void copy_memory(struct world *w, struct image *image, const struct layouts *l)
{
    bool plain = chance(w, 30); /* as the driver keeps it: of its own size */
    VkImageSubresourceLayers layers = layers_of(w, image);
    VkExtent3D extent = level_extent(image, layers.mipLevel);
    bool exact = plain || chance(w, 50);
    uint32_t bw = image->format->block_width, bh = image->format->block_height;
    uint32_t row = (extent.width + bw - 1) / bw * bw + (exact ? 0 : bw * below(w, 3)),
             height = (extent.height + bh - 1) / bh * bh + (exact ? 0 : bh * below(w, 3));
    size_t size = memory_size(image, layers, extent, row, height);
    if (plain) {
        VkImageSubresource2 subresource = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2,
            .imageSubresource = {layers.aspectMask, layers.mipLevel, layers.baseArrayLayer}};
        VkSubresourceHostMemcpySize copied = {.sType =
                                                  VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE};
        VkSubresourceLayout2 layout = {.sType = VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2,
                                       .pNext = &copied};
        CALL(GetImageSubresourceLayout2, w->device, image->handle, &subresource, &layout);
        size = (size_t)copied.size * layers.layerCount + size;
    }
    if (size > (size_t)1 << 20)
        return;
    void *memory = temporary(w, size);
    if (chance(w, 50)) {
        VkImageLayout layout =
            choose_layout(w, l->to, l->to_count, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
        transition_on_host(w, image, layout);
        VkMemoryToImageCopy region = {
            .sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
            .pHostPointer = memory,
            .memoryRowLength = exact && (plain || chance(w, 50)) ? 0 : row,
            .memoryImageHeight = exact && (plain || chance(w, 50)) ? 0 : height,
            .imageSubresource = layers,
            .imageExtent = extent};
        VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                        .flags = plain ? VK_HOST_IMAGE_COPY_MEMCPY_BIT : 0,
                                        .dstImage = image->handle,
                                        .dstImageLayout = layout,
                                        .regionCount = 1,
                                        .pRegions = &region};
        MUST(CopyMemoryToImage, w->device, &info);
        return;
    }
    VkImageLayout layout =
        choose_layout(w, l->from, l->from_count, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    transition_on_host(w, image, layout);
    VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                  .pHostPointer = memory,
                                  .memoryRowLength = exact && (plain || chance(w, 50)) ? 0 : row,
                                  .memoryImageHeight =
                                      exact && (plain || chance(w, 50)) ? 0 : height,
                                  .imageSubresource = layers,
                                  .imageExtent = extent};
    VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                    .flags = plain ? VK_HOST_IMAGE_COPY_MEMCPY_BIT : 0,
                                    .srcImage = image->handle,
                                    .srcImageLayout = layout,
                                    .regionCount = 1,
                                    .pRegions = &region};
    MUST(CopyImageToMemory, w->device, &info);
}

static void copy_images_on_host(struct world *w, struct image *from, struct image *to,
                                const struct layouts *l)
{
    VkImageSubresourceLayers layers = layers_of(w, from);
    VkImageLayout source = choose_layout(w, l->from, l->from_count,
                                         VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL),
                  target =
                      choose_layout(w, l->to, l->to_count, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    transition_on_host(w, from, source);
    transition_on_host(w, to, target);
    VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                           .srcSubresource = layers,
                           .dstSubresource = layers,
                           .extent = level_extent(from, layers.mipLevel)};
    VkCopyImageToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
                                   .flags = chance(w, 30) ? VK_HOST_IMAGE_COPY_MEMCPY_BIT : 0,
                                   .srcImage = from->handle,
                                   .srcImageLayout = source,
                                   .dstImage = to->handle,
                                   .dstImageLayout = target,
                                   .regionCount = 1,
                                   .pRegions = &region};
    MUST(CopyImageToImage, w->device, &info);
}

void step_host_copies(struct world *w)
{
    struct layouts *l = NEW(struct layouts, {(VkImageLayout)0});
    if (!ON(hostImageCopy) || !query_layouts(w, l))
        return;
    const struct format *format = any_format(w, "fuib", 0);
    if (!format)
        return;
    VkFormatProperties3 third = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                      .pNext = &third};
    OUTER(vkGetPhysicalDeviceFormatProperties2, w->physical_device, format->format, &properties);
    if (!(third.optimalTilingFeatures & VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT))
        return;
    VkImageCreateInfo info =
        image_info(format->format, between(w, 1, 40), between(w, 1, 40),
                   VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                       VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.mipLevels =
        between(w, 1, 32 - (uint32_t)__builtin_clz(info.extent.width | info.extent.height));
    info.arrayLayers = between(w, 1, 3);
    w->sharing = PICK(SHARING_EXCLUSIVE, SHARING_CONCURRENT); /* one way for both */
    struct image *image = make_image(w, &info), *other = make_image(w, &info);
    w->sharing = SHARING_ANY;
    if (!image || !other)
        return;
    for (uint32_t i = between(w, 1, 4); i > 0; i--) {
        if (chance(w, 70))
            copy_memory(w, image, l);
        else
            copy_images_on_host(w, image, other, l);
    }
    if (image->layout == VK_IMAGE_LAYOUT_UNDEFINED || chance(w, 50))
        return;
    /* and the device goes on from there */
    struct record *rec = record_begin(w, any_queue(w, VK_QUEUE_COMPUTE_BIT));
    VkClearColorValue value = {.uint32 = {1, 2, 3, 4}};
    VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                     VK_REMAINING_ARRAY_LAYERS};
    if (format->kind != 'b') {
        needs_layout(rec, image, VK_IMAGE_LAYOUT_GENERAL);
        ready(rec, USE(CLEAR));
        CALL(CmdClearColorImage, rec->c, image->handle, VK_IMAGE_LAYOUT_GENERAL, &value, 1, &range);
    }
    record_finish(rec);
    wait_for_all(w);
    if (format->kind != 'b')
        copy_memory(w, image, l);
}
