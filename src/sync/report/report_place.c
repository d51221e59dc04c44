/* Finds the part of a resource that lies at a place: bytes of a buffer, or subresources and rows of
 * an image. Images are searched subresource by subresource (sync/access/ranges.h), which is slow,
 * but only done for reports. */
#include "sync/access/ranges.h"
#include "sync/report/report_facts.h"

/* Finds the bytes of a buffer. The place is in the memory's space, or in the buffer's own
 * (sync_buffer_place()). For places outside of the buffer, the extent stays unknown. */
static void find_bytes(struct report_extent *extent, const struct sync_place *place,
                       const struct buffer *buffer)
{
    uint64_t begin = place->space == buffer->binding.memory ? buffer->binding.offset : 0;
    uint64_t first = place->begin > begin ? place->begin - begin : 0;
    if (place->end <= begin || first >= buffer->size)
        return;
    uint64_t end = place->end - begin < buffer->size ? place->end - begin : buffer->size;
    *extent = (struct report_extent){.kind = EXTENT_BYTES,
                                     .whole = !first && end == buffer->size,
                                     .offset = first,
                                     .size = end - first};
}

/* Says how subresources of an image and the place overlap. */
struct overlap {
    bool some;               /* the subresources and the place share addresses */
    bool outside;            /* some of the subresources lie outside of the place */
    struct sync_place first; /* the first place that both share */
};

/* Finds whether any of the range lies in the place, and whether some lies outside. */
static struct overlap overlap_of(const struct image *image, const VkImageSubresourceRange *range,
                                 const struct sync_place *place)
{
    struct overlap overlap = {0};
    struct image_places places;
    bool first = true;
    for (image_places_of_range(&places, image, range); image_places_next(&places); first = false) {
        const struct sync_place *part = &places.place;
        if (first)
            overlap.first = *part;
        if (part->space != place->space)
            continue;
        overlap.some |= part->begin < place->end && place->begin < part->end;
        overlap.outside |= part->begin < place->begin || part->end > place->end;
    }
    return overlap;
}

/* The most layers that are searched. No device has more; an image with more is a mistake that core
 * reports. */
#define LAYERS_MOST 65536

/* Returns the smallest range of subresources that has all of the place. */
static VkImageSubresourceRange box_of(const struct image *image, const struct sync_place *place)
{
    VkImageSubresourceRange box = {0};
    /* The search would take too long, so the range is the whole image. */
    if (image->array_layers > LAYERS_MOST)
        return (VkImageSubresourceRange){image->aspects, 0, image->mip_levels, 0,
                                         image->array_layers};
    uint32_t last_level = 0, last_layer = 0,
             layers = image->type == VK_IMAGE_TYPE_3D ? 1 : image->array_layers;
    for (VkImageAspectFlags left = image->aspects; left; left &= left - 1) {
        /* The lowest bit that is left. */
        VkImageAspectFlags aspect = left & (~left + 1);
        /* COLOR means all planes here, and each plane is searched by itself. */
        if (aspect == VK_IMAGE_ASPECT_COLOR_BIT && image->plane_count > 1)
            continue;
        for (uint32_t level = 0; level < image->mip_levels; level++) {
            VkImageSubresourceRange range = {aspect, level, 1, 0, layers};
            if (!overlap_of(image, &range, place).some)
                continue;
            for (uint32_t layer = 0; layer < layers; layer++) {
                range.baseArrayLayer = layer;
                range.layerCount = 1;
                if (!overlap_of(image, &range, place).some)
                    continue;
                box.baseMipLevel =
                    box.aspectMask && box.baseMipLevel < level ? box.baseMipLevel : level;
                box.baseArrayLayer =
                    box.aspectMask && box.baseArrayLayer < layer ? box.baseArrayLayer : layer;
                last_level = last_level > level ? last_level : level;
                last_layer = last_layer > layer ? last_layer : layer;
                box.aspectMask |= aspect;
            }
        }
    }
    box.levelCount = last_level + 1 - box.baseMipLevel;
    box.layerCount = last_layer + 1 - box.baseArrayLayer;
    return box;
}

/* Finds the subresources that the place lies in, and the texels if the place is part of one
 * subresource. */
static void find_subresources(struct report_extent *extent, const struct sync_place *place,
                              const struct image *image)
{
    VkImageSubresourceRange box = box_of(image, place);
    if (!box.aspectMask)
        return;
    *extent = (struct report_extent){.kind = EXTENT_SUBRESOURCES, .range = box};
    struct overlap overlap = overlap_of(image, &box, place);
    bool one_aspect = !(box.aspectMask & (box.aspectMask - 1));
    if (overlap.outside && one_aspect && box.levelCount == 1 && box.layerCount == 1 &&
        image->type != VK_IMAGE_TYPE_3D)
        extent->texels =
            image_texels_at(image, box.aspectMask, box.baseMipLevel, &overlap.first, place);
    const VkImageSubresourceRange all = {image->aspects, 0, image->mip_levels, 0,
                                         image->array_layers};
    extent->whole = !overlap_of(image, &all, place).outside;
}

void report_find_extent(struct report_extent *extent, const struct sync_place *place,
                        uint64_t resource)
{
    *extent = (struct report_extent){0};
    if (object_id_type(resource) == HANDLE_BUFFER) {
        const struct buffer *buffer = buffer_by_id(resource);
        if (buffer)
            find_bytes(extent, place, buffer);
    } else if (object_id_type(resource) == HANDLE_IMAGE) {
        const struct image *image = image_by_id(resource);
        if (image)
            find_subresources(extent, place, image);
    }
}
