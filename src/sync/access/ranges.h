/* Finds in which space, and where in it, parts of a resource lie (struct sync_place).
 *
 * - Buffers lie in the space of their memory object (its id), at their bytes: buffers bound to
 *   the same bytes collide.
 * - Each image has a space of its own (its id). An identical image in the same memory has that
 *   space, too: sync/access/aliases.h. In it, texel blocks are counted aspect by aspect (plane by
 *   plane), and in an aspect mip level by mip level. In a mip level they are counted layer by
 *   layer, slice by slice, strip by strip, row by row, block by block. Whole mip levels and runs of
 *   layers are contiguous, so most accesses are one place. Images with linear tiling are counted
 *   alike: only the driver knows where their bytes lie, and barriers name subresources, not bytes.
 * - A strip is as wide as its level, so that whole rows are contiguous, too. The first region
 *   that is not of whole slices may decide otherwise. If it is a tile of a grid, strips are as wide
 *   as the tile, and each tile is one place.
 *
 * sync/access/aliases.h is about images whose memory is also another resource's. Threads: any;
 * resources' states are const. */
#ifndef ASSAY_SYNC_RANGES_H
#define ASSAY_SYNC_RANGES_H

#include "state/memory/buffer.h"
#include "state/memory/image.h"
#include "sync/access/access_context.h"

/* A region with more runs is not looked at, as that would take seconds. 16 whole images of 16384 x
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
    const struct format_info *format; /* NULL: unknown; a texel block is one texel then */
    VkImageAspectFlags aspects;       /* the aspects that are left to walk */
    uint32_t base_level, level_count, base_layer, layer_count;
    uint32_t x, y, z, width, height, depth; /* the region's texels, clipped to the level */
    bool is_region;                         /* the part is a region of one mip level */
    uint32_t level;                         /* the next level, in a walk over whole levels */
    uint32_t layer, slice, strip, row;      /* the next ones, counted from the region's first */
};

/* Finds the places of a range of the image. Parts of the range beyond the image are left out. The
 * layers of the range are ignored for a 3D image: it covers all slices. VK_REMAINING_* are
 * resolved. */
void image_places_of_range(struct image_places *places, const struct image *image,
                           const VkImageSubresourceRange *range);
/* Finds the places of slices of a 3D image: the layers of the range, which has one mip level, are
 * slice numbers. */
void image_places_of_slices(struct image_places *places, const struct image *image,
                            const VkImageSubresourceRange *range);
/* Finds the places of a region of one mip level; `offset` and `extent` are in texels. */
void image_places_of_region(struct image_places *places, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent);
/* Finds the part of a view's first mip level that lies in an area. It has `layer_count` layers from
 * the view's `base_layer` on, or slices, if the view shows a 3D image in 2D. */
void image_places_of_area(struct image_places *places, const struct image *image,
                          const struct image_view *view, VkImageAspectFlags aspects, VkRect2D area,
                          uint32_t base_layer, uint32_t layer_count);
bool image_places_next(struct image_places *places) MUST_CHECK;

/* A rectangle of texels in one layer of a 2D image's mip level. */
struct image_texels {
    uint32_t first_row, row_count;       /* 0 rows: all of them */
    uint32_t first_column, column_count; /* 0 columns: all of them */
};
/* Returns the texels from the first to the last block of `place`. The place lies in the image's
 * subresource at `subresource`. */
struct image_texels image_texels_at(const struct image *image, VkImageAspectFlags aspect,
                                    uint32_t level, const struct sync_place *subresource,
                                    const struct sync_place *place);

/* True if the range's layers are slices of a 3D image. */
bool image_view_has_slices(const struct image *image, const struct image_view *view);

/* Finds the place of a part of a buffer. Returns false if it is empty. `size` may be VK_WHOLE_SIZE;
 * the part is clipped to the buffer. */
bool sync_buffer_place(struct sync_place *place, const struct buffer *buffer, VkDeviceSize offset,
                       VkDeviceSize size) MUST_CHECK;

#endif
