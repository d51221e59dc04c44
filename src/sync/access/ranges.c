/* Counts the texel blocks of images to find the places of their parts, and finds where buffers lie
 * in memory. */
#include "sync/access/ranges.h"

#include "state/memory/formats.h"
#include "sync/access/aliases.h"
#include "sync/access/areas.h"

/* The most mip levels that are looked at; no image has more, but a range that a program names
 * may. */
#define LEVELS_MOST 32

/* The size of one mip level of one aspect, in texel blocks. */
struct level_shape {
    uint32_t width, height, depth, layers;
};

/* Returns how many blocks hold so many texels; the last one may be incomplete. */
static uint32_t in_blocks(uint32_t texels, uint32_t block)
{
    assert(block);
    return block > 1 ? (uint32_t)(((uint64_t)texels + block - 1) / block) : texels;
}

/* Returns how many texels of the image one block of the aspect has on a side. It is more than 1 for
 * compressed formats, and for planes that are smaller than the image. */
static uint32_t block_texels(const struct image_places *places, VkImageAspectFlags aspect,
                             unsigned side)
{
    const struct format_info *format = places->format;
    if (!format)
        return 1;
    if (format->plane_count > 1 && side < 2) {
        const struct format_plane *plane = &format->planes[aspect_plane(aspect)];
        uint32_t divisor = side == 0 ? plane->width_divisor : plane->height_divisor;
        return divisor ? divisor : 1;
    }
    return format->block_extent[side] ? format->block_extent[side] : 1;
}

/* Returns the size of a mip level in blocks. All layers of an image are alike. */
static struct level_shape shape_of(const struct image_places *places, VkImageAspectFlags aspect,
                                   uint32_t level)
{
    const struct image *image = places->image;
    return (struct level_shape){
        .width = in_blocks(mip_extent(image->extent.width, level), block_texels(places, aspect, 0)),
        .height =
            in_blocks(mip_extent(image->extent.height, level), block_texels(places, aspect, 1)),
        .depth = in_blocks(mip_extent(image->extent.depth, level), block_texels(places, aspect, 2)),
        .layers = image->array_layers,
    };
}

/* Returns the number of blocks in one layer. */
static uint64_t layer_size(const struct level_shape *shape)
{
    return (uint64_t)shape->width * shape->height * shape->depth;
}

/* Returns the number of blocks in the aspect's mip levels before `level`. */
static uint64_t levels_size(const struct image_places *places, VkImageAspectFlags aspect,
                            uint32_t level)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < level; i++) {
        struct level_shape shape = shape_of(places, aspect, i);
        size += layer_size(&shape) * shape.layers;
    }
    return size;
}

/* Returns the aspects that have blocks of their own: multi-planar images have planes instead of
 * color. */
static VkImageAspectFlags stored_aspects(const struct image *image)
{
    return image->plane_count > 1 ? image->aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_COLOR_BIT
                                  : image->aspects;
}

/* Returns the lowest bit; 0 if there is none. */
static VkImageAspectFlags first_aspect(VkImageAspectFlags aspects)
{
    return aspects & (~aspects + 1);
}

/* Returns the place of the aspect's first block. Aspects are in the order of their bits. */
static uint64_t aspect_base(const struct image_places *places, VkImageAspectFlags aspect)
{
    VkImageAspectFlags before = stored_aspects(places->image) & (aspect - 1);
    uint64_t base = 0;
    for (; before; before &= before - 1)
        base += levels_size(places, first_aspect(before), places->image->mip_levels);
    return base;
}

/* Begins a walk over these aspects, without levels or layers yet. An image with more levels than
 * LEVELS_MOST has no places. */
static void places_begin(struct image_places *places, const struct image *image,
                         VkImageAspectFlags aspects)
{
    *places = (struct image_places){.image = image, .format = format_info(image->format)};
    VkImageAspectFlags stored = stored_aspects(image);
    places->aspects =
        image->plane_count > 1 && aspects & VK_IMAGE_ASPECT_COLOR_BIT ? stored : aspects & stored;
    if (image->mip_levels > LEVELS_MOST)
        places->aspects = 0;
    places->place.space = image_space(image);
}

/* Returns how many elements from `base` on exist, of `count` that are asked for and `all` that
 * there are. VK_REMAINING_... are clipped like any other count. */
static uint32_t ranges_clip(uint32_t base, uint32_t count, uint32_t all)
{
    if (base >= all)
        return 0;
    return count < all - base ? count : all - base;
}

void image_places_of_range(struct image_places *places, const struct image *image,
                           const VkImageSubresourceRange *range)
{
    places_begin(places, image, range->aspectMask);
    places->base_level = places->level = range->baseMipLevel;
    places->level_count = ranges_clip(range->baseMipLevel, range->levelCount, image->mip_levels);
    bool three_dimensional = image->type == VK_IMAGE_TYPE_3D;
    places->base_layer = three_dimensional ? 0 : range->baseArrayLayer;
    places->layer_count = three_dimensional ? 1
                                            : ranges_clip(range->baseArrayLayer, range->layerCount,
                                                          image->array_layers);
    if (!places->level_count || !places->layer_count)
        places->aspects = 0;
}

/* Begins a region of one level, whose sides in texels the caller has filled in. The region may lie
 * wholly outside of the image. */
static void region_begin(struct image_places *places, uint32_t level, uint32_t base_layer,
                         uint32_t layer_count)
{
    places->is_region = true;
    places->base_level = level;
    places->level_count = 1;
    places->base_layer = base_layer;
    places->layer_count = ranges_clip(base_layer, layer_count, places->image->array_layers);
    if (level >= places->image->mip_levels || !places->layer_count || !places->width ||
        !places->height || !places->depth)
        places->aspects = 0;
}

void image_places_of_slices(struct image_places *places, const struct image *image,
                            const VkImageSubresourceRange *range)
{
    places_begin(places, image, range->aspectMask);
    places->z = range->baseArrayLayer;
    places->width = places->height = UINT32_MAX;
    places->depth = range->layerCount;
    region_begin(places, range->baseMipLevel, 0, 1);
}

/* Clips one side of a region to the part of [offset, offset + extent) that does not lie before the
 * image. */
static void clip_side(int32_t offset, uint32_t extent, uint32_t *begin, uint32_t *count)
{
    int64_t end = (int64_t)offset + extent;
    *begin = offset > 0 ? (uint32_t)offset : 0;
    *count = end > (int64_t)*begin ? (uint32_t)(end - *begin) : 0;
}

void image_places_of_region(struct image_places *places, const struct image *image,
                            const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                            VkExtent3D extent)
{
    places_begin(places, image, subresource->aspectMask);
    clip_side(offset.x, extent.width, &places->x, &places->width);
    clip_side(offset.y, extent.height, &places->y, &places->height);
    clip_side(offset.z, extent.depth, &places->z, &places->depth);
    /* the depth of a copy's region may be the slices of its other image; here layers take their
     * place */
    if (image->type != VK_IMAGE_TYPE_3D) {
        places->z = 0;
        places->depth = 1;
    }
    bool three_dimensional = image->type == VK_IMAGE_TYPE_3D;
    region_begin(places, subresource->mipLevel, three_dimensional ? 0 : subresource->baseArrayLayer,
                 three_dimensional ? 1 : subresource->layerCount);
}

bool image_view_has_slices(const struct image *image, const struct image_view *view)
{
    return image->type == VK_IMAGE_TYPE_3D && view->type != VK_IMAGE_VIEW_TYPE_3D;
}

void image_places_of_area(struct image_places *places, const struct image *image,
                          const struct image_view *view, VkImageAspectFlags aspects, VkRect2D area,
                          uint32_t base_layer, uint32_t layer_count)
{
    places_begin(places, image, aspects);
    clip_side(area.offset.x, area.extent.width, &places->x, &places->width);
    clip_side(area.offset.y, area.extent.height, &places->y, &places->height);
    uint32_t count = ranges_clip(base_layer, layer_count, view->range.layerCount);
    bool slices = image_view_has_slices(image, view);
    places->z = slices ? view->range.baseArrayLayer + base_layer : 0;
    places->depth = slices ? count : image->type == VK_IMAGE_TYPE_3D ? UINT32_MAX : 1;
    region_begin(places, view->range.baseMipLevel,
                 slices ? 0 : view->range.baseArrayLayer + base_layer, slices ? 1 : count);
    if (!count)
        places->aspects = 0;
}

/* Begins the next aspect of the same region or range. */
static void next_aspect(struct image_places *places)
{
    places->aspects &= places->aspects - 1;
    places->level = places->base_level;
    places->layer = places->slice = places->strip = places->row = 0;
}

/* Goes to the next place of a range of whole levels. Layers of one level that follow each other are
 * one place. */
static bool next_of_levels(struct image_places *places)
{
    VkImageAspectFlags aspect = first_aspect(places->aspects);
    const struct image *image = places->image;
    struct sync_place *place = &places->place;
    uint64_t base = aspect_base(places, aspect);
    if (places->layer_count == image->array_layers || image->type == VK_IMAGE_TYPE_3D) {
        place->begin = base + levels_size(places, aspect, places->base_level);
        place->end = base + levels_size(places, aspect, places->base_level + places->level_count);
        bool all_levels = places->level_count == image->mip_levels;
        next_aspect(places);
        /* The next aspect is included if it follows without a gap. */
        while (all_levels && places->aspects &&
               !(stored_aspects(image) & (first_aspect(places->aspects) - 1) &
                 ~((aspect << 1) - 1))) {
            aspect = first_aspect(places->aspects);
            place->end += levels_size(places, aspect, image->mip_levels);
            next_aspect(places);
        }
        return true;
    }
    struct level_shape shape = shape_of(places, aspect, places->level);
    place->begin =
        base + levels_size(places, aspect, places->level) + layer_size(&shape) * places->base_layer;
    place->end = place->begin + layer_size(&shape) * places->layer_count;
    if (++places->level == places->base_level + places->level_count)
        next_aspect(places);
    return true;
}

/* Converts one side of a region to blocks: returns their number, and sets the first one. */
static uint32_t side_in_blocks(uint32_t texel, uint32_t texels, uint32_t block, uint32_t all,
                               uint32_t *first)
{
    *first = texel / block;
    uint64_t end = ((uint64_t)texel + texels + block - 1) / block;
    if (end > all)
        end = all;
    return end > *first ? (uint32_t)(end - *first) : 0;
}

/* The least width of a strip in blocks, and the most strips of a level. */
#define STRIP_LEAST  16
#define STRIPS_MOST  256
#define STRIP_LEVELS UINT32_MAX /* each strip is as wide as its level */

/* Decides the width of the image's strips by its first region that is not of whole slices, which
 * begins at block `x`. An image that may be identical to another one must have the same order of
 * blocks. */
static COLD uint32_t decide_strip(const struct image *image, uint32_t level_width, uint32_t x,
                                  uint32_t width)
{
    const bool tile = width < level_width && x % width == 0 && width >= STRIP_LEAST &&
                      level_width / width <= STRIPS_MOST &&
                      !(image->flags & VK_IMAGE_CREATE_ALIAS_BIT);
    struct sync_in_image *area = sync_in_image((struct image *)(uintptr_t)image);
    const uint32_t wanted = tile ? width : STRIP_LEVELS;
    uint32_t strip = 0;
    return atomic_compare_exchange_strong_explicit(&area->strip, &strip, wanted,
                                                   memory_order_relaxed, memory_order_relaxed)
               ? wanted
               : strip;
}

/* Returns the width of the image's strips in blocks; 0: it is not decided yet. */
static uint32_t decided_strip(const struct image *image)
{
    const struct sync_in_image *area = sync_in_image((struct image *)(uintptr_t)image);
    return atomic_load_explicit(&area->strip, memory_order_relaxed);
}

/* Returns the width of a strip in a level; the first region of an image decides it. A strip is
 * never wider than its level. */
static uint32_t strip_of(const struct image *image, uint32_t level_width, uint32_t x,
                         uint32_t width)
{
    uint32_t strip = decided_strip(image);
    if (unlikely(!strip))
        strip = decide_strip(image, level_width, x, width);
    return strip < level_width ? strip : level_width;
}

/* Goes to the next run of blocks. It consists of layers if slices are whole, of slices if rows are,
 * and of rows if those of a strip are. Otherwise it is one row of a strip. */
static bool next_of_region(struct image_places *places)
{
    VkImageAspectFlags aspect = first_aspect(places->aspects);
    struct level_shape shape = shape_of(places, aspect, places->base_level);
    uint32_t x, y, z;
    uint32_t width =
        side_in_blocks(places->x, places->width, block_texels(places, aspect, 0), shape.width, &x);
    uint32_t height = side_in_blocks(places->y, places->height, block_texels(places, aspect, 1),
                                     shape.height, &y);
    uint32_t depth =
        side_in_blocks(places->z, places->depth, block_texels(places, aspect, 2), shape.depth, &z);
    if (!width || !height || !depth) {
        next_aspect(places);
        return false;
    }
    bool rows = width == shape.width, slices = rows && height == shape.height,
         layers = slices && depth == shape.depth;
    uint64_t runs = layers ? 1 : (uint64_t)places->layer_count * (slices ? 1 : depth);
    if (runs > IMAGE_RUNS_MOST || (!rows && runs * height > IMAGE_RUNS_MOST)) {
        next_aspect(places);
        return false;
    }
    /* Finds the part of the current strip that lies in the region. */
    const uint32_t strip = slices ? shape.width : strip_of(places->image, shape.width, x, width);
    const uint32_t strip_begin = (x / strip + places->strip) * strip;
    const uint32_t strip_width = ranges_clip(strip_begin, strip, shape.width);
    const uint32_t begin = x > strip_begin ? x : strip_begin;
    const uint32_t end =
        x + width < strip_begin + strip_width ? x + width : strip_begin + strip_width;
    const bool whole = end - begin == strip_width;

    uint64_t slice = (uint64_t)shape.width * shape.height, layer = slice * shape.depth;
    uint64_t base = aspect_base(places, aspect) + levels_size(places, aspect, places->base_level);
    places->place.begin = base + (places->base_layer + places->layer) * layer +
                          (z + places->slice) * slice + (uint64_t)strip_begin * shape.height +
                          (uint64_t)(y + places->row) * strip_width + (begin - strip_begin);
    places->place.end = places->place.begin + (layers   ? layer * places->layer_count
                                               : slices ? slice * depth
                                               : whole  ? (uint64_t)strip_width * height
                                                        : end - begin);
    if (!whole && ++places->row < height)
        return true;
    places->row = 0;
    if (end < x + width) {
        places->strip++;
        return true;
    }
    places->strip = 0;
    if (!slices && ++places->slice < depth)
        return true;
    places->slice = 0;
    if (!layers && ++places->layer < places->layer_count)
        return true;
    next_aspect(places);
    return true;
}

struct image_texels image_texels_at(const struct image *image, VkImageAspectFlags aspect,
                                    uint32_t level, const struct sync_place *subresource,
                                    const struct sync_place *place)
{
    struct image_places places;
    struct image_texels texels = {0};
    places_begin(&places, image, aspect);
    const struct level_shape shape = shape_of(&places, aspect, level);
    const uint64_t from = place->begin > subresource->begin ? place->begin : subresource->begin;
    const uint64_t to = place->end < subresource->end ? place->end : subresource->end;
    /* The place spans several layers or slices, so that no rows or columns are given. */
    if (from >= to || to - subresource->begin > (uint64_t)shape.width * shape.height)
        return texels;
    const uint64_t first = from - subresource->begin, last = to - 1 - subresource->begin;
    const uint32_t decided = decided_strip(image);
    const uint32_t strip = decided && decided < shape.width ? decided : shape.width,
                   in_row = block_texels(&places, aspect, 0),
                   in_column = block_texels(&places, aspect, 1);
    const uint32_t begin = (uint32_t)(first / shape.height / strip * strip),
                   end = (uint32_t)(last / shape.height / strip * strip);
    const uint32_t width = ranges_clip(end, strip, shape.width),
                   side = mip_extent(image->extent.width, level),
                   height = mip_extent(image->extent.height, level);
    if (begin || end + width < shape.width) {
        texels.first_column = begin * in_row;
        texels.column_count =
            ranges_clip(texels.first_column, (end + width - begin) * in_row, side);
    }
    if (begin == end) {
        const uint64_t before = (uint64_t)begin * shape.height;
        const uint32_t row = (uint32_t)((first - before) / width);
        texels.first_row = row * in_column;
        texels.row_count =
            ranges_clip(texels.first_row,
                        ((uint32_t)((last - before) / width) + 1 - row) * in_column, height);
    }
    if (texels.row_count == height)
        texels.first_row = texels.row_count = 0;
    return texels;
}

bool image_places_next(struct image_places *places)
{
    while (places->aspects) {
        bool found = places->is_region ? next_of_region(places) : next_of_levels(places);
        /* a program can ask for sizes beyond 64 bits; such places are skipped */
        if (found && places->place.begin < places->place.end)
            return true;
    }
    return false;
}

bool sync_buffer_place(struct sync_place *place, const struct buffer *buffer, VkDeviceSize offset,
                       VkDeviceSize size)
{
    if (offset >= buffer->size || !size)
        return false;
    if (size > buffer->size - offset)
        size = buffer->size - offset;
    /* A buffer without memory, or a sparse buffer, has a space of its own. Other buffers lie in the
     * space of their memory. */
    bool own = !buffer->binding.memory || buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    place->space = own ? object_state_id(&buffer->base) : buffer->binding.memory;
    place->begin = (own ? 0 : buffer->binding.offset) + offset;
    place->end = place->begin + size;
    return place->begin < place->end;
}
