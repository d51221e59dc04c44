/* Where in which space do parts of a resource lie? (struct sync_place)
 *
 * - Buffers, and images with linear tiling, lie in the space of their memory object (its id), at their bytes: resources bound to the same bytes collide.
 * - Images of other tilings are opaque: each has a space of its own (its id), where texel blocks are counted: aspect by aspect (plane by plane), in it mip level by mip level, layer by layer, slice by slice,
 *   row by row, block by block. Whole mip levels, runs of layers and whole rows are contiguous; so most accesses are one place.
 * - What an opaque image shares memory with is found by a second access, to the bytes that it is bound to, in a space of its own for aliases (the memory's id with bit 63 set); it is
 *   only made where the memory is known to have something else bound to the same bytes (image::aliased, buffer::aliased).
 *   Images that were created alike with VK_IMAGE_CREATE_ALIAS_BIT and are bound to the same bytes are one: they share the space of the one that was bound first.
 * - Sparse resources, and those without memory, have spaces of their own (their id).
 * Threads: any; resources' states are const. */
#ifndef ASSAY_SYNC_RANGES_H
#define ASSAY_SYNC_RANGES_H

#include "state/buffer.h"
#include "state/image.h"
#include "sync/access_context.h"

/* Walks the places of a part of an image:
 *     struct image_places places;
 *     for (image_places_of_range(&places, image, range); image_places_next(&places);) use(&places.place);
 */
struct image_places {
    struct sync_place place;
    const struct image *image;
    VkImageAspectFlags aspects; /* that are left */
    uint32_t base_level, level_count, base_layer, layer_count;
    VkOffset3D offset; /* in texel blocks; of a region */
    VkExtent3D extent;
    bool whole;                        /* levels */
    uint32_t level, layer, slice, row; /* the next one */
};

void image_places_of_range(struct image_places *places, const struct image *image, const VkImageSubresourceRange *range);
void image_places_of_region(struct image_places *places, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset, VkExtent3D extent);
bool image_places_next(struct image_places *places);

/* False: the part is empty. */
bool buffer_place(struct sync_place *place, const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size);

#endif
