/* Finds where in which space parts of a resource lie. (struct sync_place)
 *
 * - Buffers lie in the space of their memory object (its id), at their bytes: buffers bound to the
 * same bytes collide.
 * - Each image has a space of its own (its id). One that is identical to it, and has the same
 *   memory, has that, too: sync/access/aliases.h. Texel blocks are counted there: aspect by aspect
 *   (plane by plane), in it mip level by mip level. In a mip level they are counted layer by layer,
 *   slice by slice, strip by strip, row by row, block by block. Whole mip levels and runs of layers
 *   are contiguous; so most accesses are one place. So do images with linear tiling. Where their
 *   bytes lie is a question to the driver, and the image layout of a barrier is not of bytes
 *   either.
 * - A strip is as wide as its level, so that whole rows are contiguous, too. The first region that
 *   is not of whole slices may decide otherwise. If it is a tile of a grid, strips are as wide as
 *   it, and each tile is one place.
 * What an image whose memory is another resource's, too, touches there is in sync/access/aliases.h.
 * Threads: any; resources' states are const. */
#ifndef ASSAY_SYNC_RANGES_H
#define ASSAY_SYNC_RANGES_H

#include "state/memory/buffer.h"
#include "state/memory/image.h"
#include "sync/access/access_context.h"

/* A region with more runs is not looked at, which would take seconds. 16 whole images of 16384 x
 * 16384 have as many rows. */
#define IMAGE_RUNS_MOST (1u << 18)

/* Walks the places of a part of an image:
 *     struct image_places places;
 *     for (image_places_of_range(&places, image, range); image_places_next(&places);)
 * use(&places.place);
 */
struct image_places {
    struct sync_place place;
    const struct image *image;
    const struct format_info *format; /* NULL: unknown, texel blocks are texels */
    VkImageAspectFlags aspects;       /* that are left */
    uint32_t base_level, level_count, base_layer, layer_count;
    uint32_t x, y, z, width, height, depth; /* of a region, texels; clipped to the level */
    bool is_region;                         /* the part is a region of one mip level */
    uint32_t level;                         /* the next one; of whole levels */
    uint32_t layer, slice, strip, row;      /* the next ones, counted within the region */
};

/* Finds the places of a range of the image. What the range has beyond the image is left out. Layers
 * of a 3D image are not looked at: all slices are meant. VK_REMAINING_* are resolved. */
void image_places_of_range(struct image_places *places, const struct image *image,
                           const VkImageSubresourceRange *range);
/* Finds the places of slices of a 3D image: the layers of the range, which has one mip level, stand
 * for slices. */
void image_places_of_slices(struct image_places *places, const struct image *image,
                            const VkImageSubresourceRange *range);
/* Texels of one mip level. */
void image_places_of_region(struct image_places *places, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent);
/* Finds the part of a view's first mip level that lies in an area. It is in all layers (slices of a
 * 3D image that is seen in 2D) from `base_layer` of the view on. */
void image_places_of_area(struct image_places *places, const struct image *image,
                          const struct image_view *view, VkImageAspectFlags aspects, VkRect2D area,
                          uint32_t base_layer, uint32_t layer_count);
bool image_places_next(struct image_places *places) MUST_CHECK;

/* Texels of one layer of a 2D image's mip level. */
struct image_texels {
    uint32_t first_row, row_count;       /* 0 rows: all of them */
    uint32_t first_column, column_count; /* 0 columns: all of them */
};
/* The texels between the first and the last block of `place`, in the subresource of an image that
 * lies at `subresource`. */
struct image_texels image_texels_at(const struct image *image, VkImageAspectFlags aspect,
                                    uint32_t level, const struct sync_place *subresource,
                                    const struct sync_place *place);

/* True if the range's layers are slices of a 3D image. */
bool image_view_has_slices(const struct image *image, const struct image_view *view);

/* False: the part is empty. `size` may be VK_WHOLE_SIZE; what lies past the end is left out. */
bool sync_buffer_place(struct sync_place *place, const struct buffer *buffer, VkDeviceSize offset,
                       VkDeviceSize size) MUST_CHECK;

#endif
