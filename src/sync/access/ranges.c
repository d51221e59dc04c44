/* Counts texel blocks of images, and finds where buffers lie in memory. */
#include "sync/access/ranges.h"

#include "state/memory/formats.h"
#include "sync/access/aliases.h"

/* No image has more mip levels; what a program asks for may. */
#define LEVELS_MOST 32

/* One mip level of one aspect, in texel blocks. */
struct level_shape {
    uint32_t width, height, depth, layers;
};

static uint32_t in_blocks(uint32_t texels, uint32_t block)
{
    assert(block);
    return block > 1 ? (uint32_t)(((uint64_t)texels + block - 1) / block) : texels;
}

/* How many texels of the image are one block of the aspect: of compressed formats, and of planes
 * that are smaller than the image. */
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

static uint64_t layer_size(const struct level_shape *shape)
{
    return (uint64_t)shape->width * shape->height * shape->depth;
}

/* Blocks of the aspect's mip levels before `level`. */
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

/* Those that have blocks of their own: planes of multi-planar images in the place of their color.
 */
static VkImageAspectFlags stored_aspects(const struct image *image)
{
    return image->plane_count > 1 ? image->aspects & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_COLOR_BIT
                                  : image->aspects;
}

static VkImageAspectFlags first_aspect(VkImageAspectFlags aspects)
{
    return aspects & (~aspects + 1);
}

/* Where the aspect's first block is. */
static uint64_t aspect_base(const struct image_places *places, VkImageAspectFlags aspect)
{
    VkImageAspectFlags before = stored_aspects(places->image) & (aspect - 1);
    uint64_t base = 0;
    for (; before; before &= before - 1)
        base += levels_size(places, first_aspect(before), places->image->mip_levels);
    return base;
}

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

/* `count` elements from `base` on, of `all`. */
static uint32_t clip(uint32_t base, uint32_t count, uint32_t all)
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
    places->level_count = clip(range->baseMipLevel, range->levelCount, image->mip_levels);
    bool three_dimensional = image->type == VK_IMAGE_TYPE_3D;
    places->base_layer = three_dimensional ? 0 : range->baseArrayLayer;
    places->layer_count =
        three_dimensional ? 1 : clip(range->baseArrayLayer, range->layerCount, image->array_layers);
    if (!places->level_count || !places->layer_count)
        places->aspects = 0;
}

/* A region from blocks' texels; all of it may lie outside. */
static void region_begin(struct image_places *places, uint32_t level, uint32_t base_layer,
                         uint32_t layer_count)
{
    places->is_region = true;
    places->base_level = level;
    places->level_count = 1;
    places->base_layer = base_layer;
    places->layer_count = clip(base_layer, layer_count, places->image->array_layers);
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

/* One side of a region: what of [offset, offset + extent) is not before the image. */
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
    /* layers, for which the other side of a copy may have slices */
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
    uint32_t count = clip(base_layer, layer_count, view->range.layerCount);
    bool slices = image_view_has_slices(image, view);
    places->z = slices ? view->range.baseArrayLayer + base_layer : 0;
    places->depth = slices ? count : image->type == VK_IMAGE_TYPE_3D ? UINT32_MAX : 1;
    region_begin(places, view->range.baseMipLevel,
                 slices ? 0 : view->range.baseArrayLayer + base_layer, slices ? 1 : count);
    if (!count)
        places->aspects = 0;
}

static void next_aspect(struct image_places *places)
{
    places->aspects &= places->aspects - 1;
    places->level = places->base_level;
    places->layer = places->slice = places->row = 0;
}

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
        /* The next aspect follows at once. */
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

/* One side in blocks: the first one, and how many. */
static uint32_t side_in_blocks(uint32_t texel, uint32_t texels, uint32_t block, uint32_t all,
                               uint32_t *first)
{
    *first = texel / block;
    uint64_t end = ((uint64_t)texel + texels + block - 1) / block;
    if (end > all)
        end = all;
    return end > *first ? (uint32_t)(end - *first) : 0;
}

/* The next run of blocks: of layers where slices are whole, of slices where rows are, of rows where
 * those are, else one row. */
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
    uint64_t row = shape.width, slice = row * shape.height, layer = slice * shape.depth;
    uint64_t base = aspect_base(places, aspect) + levels_size(places, aspect, places->base_level);
    uint64_t begin = base + (places->base_layer + places->layer) * layer +
                     (z + places->slice) * slice + (y + places->row) * row + x;
    uint64_t size = layers   ? layer * places->layer_count
                    : slices ? slice * depth
                    : rows   ? row * height
                             : width;
    places->place.begin = begin;
    places->place.end = begin + size;
    if (!rows && ++places->row < height)
        return true;
    places->row = 0;
    if (!slices && ++places->slice < depth)
        return true;
    places->slice = 0;
    if (!layers && ++places->layer < places->layer_count)
        return true;
    next_aspect(places);
    return true;
}

bool image_places_next(struct image_places *places)
{
    while (places->aspects) {
        bool found = places->is_region ? next_of_region(places) : next_of_levels(places);
        /* the sizes that a program asks for can be more than 64 bits hold */
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
    bool own = !buffer->binding.memory || buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
    place->space = own ? object_state_id(&buffer->base) : buffer->binding.memory;
    place->begin = (own ? 0 : buffer->binding.offset) + offset;
    place->end = place->begin + size;
    return place->begin < place->end;
}
