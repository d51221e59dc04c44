/* Checks that regions of an image share places exactly where they share texel blocks, whatever the
 * order of blocks in the image's space is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sync/access/areas.h"
#include "sync/access/ranges.h"

static uint64_t random_state;

static uint32_t range_random(uint32_t below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(random_state >> 33) % below;
}

/* The side of a level in blocks is at most this, and so are slices and layers together. */
#define SIDE   64u
#define SLICES 4u
/* more addresses than the image has */
#define ADDRESSES (2 * SIDE * SIDE * SLICES)

struct region {
    VkImageSubresourceLayers subresource;
    VkOffset3D offset;
    VkExtent3D extent;
    bool at[ADDRESSES];             /* that its places have */
    bool block[SLICES][SIDE][SIDE]; /* of layers or slices, which no image here has both of */
};

/* Creates an image with its random seed as the handle. */
static void make_image(struct object **object, struct image *image, uint32_t kind)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
                                       VK_FORMAT_R8G8B8A8_UNORM};
    const struct object_create_info info = {
        .type = HANDLE_IMAGE, .driver = 0x1234, .owner = 7, .wrapped = true};
    const bool blocks = kind == 1;
    *image = (struct image){
        .type = kind == 2 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
        .format = formats[kind],
        .extent = {(blocks ? 128 : 32) + range_random(32), 8 + range_random(50), kind == 2 ? 3 : 1},
        .mip_levels = 2,
        .array_layers = kind == 2 ? 1 : 3,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .aspects = VK_IMAGE_ASPECT_COLOR_BIT,
        .plane_count = 1,
        .flags = range_random(8) ? 0 : VK_IMAGE_CREATE_ALIAS_BIT};
    *object = object_create(&info);
    assert_non_null(*object);
    image->base.object = *object;
    object_state_publish(*object, &image->base);
}

static void drop_image(struct object *object)
{
    object->state = NULL;
    assert_true(object_retire(object));
    object_release(object);
}

/* A side of a region: a multiple of `block`, or up to the end. */
static void choose_side(uint32_t side, uint32_t block, int32_t *offset, uint32_t *extent)
{
    const uint32_t blocks = (side + block - 1) / block, first = range_random(blocks);
    *offset = (int32_t)(range_random(4) ? first * block : 0);
    *extent = (1 + range_random(blocks - (uint32_t)*offset / block)) * block;
    if (!range_random(4))
        *extent = side - (uint32_t)*offset;
    if (range_random(2))
        *offset -= (int32_t)((uint32_t)*offset % *extent);
}

static void note_blocks(const struct image *image, struct region *region, uint32_t block)
{
    const uint32_t first = image->type == VK_IMAGE_TYPE_3D ? (uint32_t)region->offset.z
                                                           : region->subresource.baseArrayLayer;
    const uint32_t slices =
        image->type == VK_IMAGE_TYPE_3D ? region->extent.depth : region->subresource.layerCount;
    const uint32_t level = region->subresource.mipLevel;
    const uint32_t width = (mip_extent(image->extent.width, level) + block - 1) / block,
                   height = (mip_extent(image->extent.height, level) + block - 1) / block;
    for (uint32_t z = first; z < first + slices; z++) {
        for (uint32_t y = (uint32_t)region->offset.y / block;
             y < height && y * block < (uint32_t)region->offset.y + region->extent.height; y++) {
            for (uint32_t x = (uint32_t)region->offset.x / block;
                 x < width && x * block < (uint32_t)region->offset.x + region->extent.width; x++)
                region->block[z][y][x] = true;
        }
    }
}

/* Returns its blocks. */
static uint32_t choose_region(const struct image *image, struct region *region, uint32_t level)
{
    const uint32_t block = image->format == VK_FORMAT_BC1_RGBA_UNORM_BLOCK ? 4 : 1;
    const bool three_dimensional = image->type == VK_IMAGE_TYPE_3D;
    uint32_t blocks = 0, addresses = 0;
    *region =
        (struct region){.subresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1}, .extent.depth = 1};
    choose_side(mip_extent(image->extent.width, level), block, &region->offset.x,
                &region->extent.width);
    choose_side(mip_extent(image->extent.height, level), block, &region->offset.y,
                &region->extent.height);
    const uint32_t slices =
        three_dimensional ? mip_extent(image->extent.depth, level) : image->array_layers;
    const uint32_t first = range_random(slices), count = 1 + range_random(slices - first);
    if (three_dimensional) {
        region->offset.z = (int32_t)first;
        region->extent.depth = count;
    } else {
        region->subresource.baseArrayLayer = first;
        region->subresource.layerCount = count;
    }
    note_blocks(image, region, block);
    struct image_places places;
    image_places_of_region(&places, image, &region->subresource, region->offset, region->extent);
    while (image_places_next(&places)) {
        assert_true(places.place.end <= ADDRESSES);
        for (uint64_t i = places.place.begin; i < places.place.end; i++) {
            assert_false(region->at[i]);
            region->at[i] = true;
        }
    }
    for (uint32_t i = 0; i < ADDRESSES; i++)
        addresses += region->at[i];
    for (uint32_t i = 0; i < SLICES * SIDE * SIDE; i++)
        blocks += (&region->block[0][0][0])[i];
    assert_int_equal(addresses, blocks);
    return blocks;
}

static void regions_share_places_where_they_share_blocks(void **state)
{
    static struct region a, b;
    uint32_t strips = 0, shared = 0;
    for (uint32_t seed = 0; seed < 600; seed++) {
        struct object *object;
        struct image image;
        random_state = seed;
        make_image(&object, &image, seed % 3);
        const uint32_t level = range_random(2);
        for (uint32_t pair = 0; pair < 8; pair++) {
            uint32_t places = 0, blocks = 0;
            assert_true(choose_region(&image, &a, level));
            assert_true(choose_region(&image, &b, level));
            for (uint32_t i = 0; i < ADDRESSES; i++)
                places += a.at[i] && b.at[i];
            for (uint32_t i = 0; i < SLICES * SIDE * SIDE; i++)
                blocks += (&a.block[0][0][0])[i] && (&b.block[0][0][0])[i];
            assert_int_equal(places, blocks);
            shared += places != 0;
        }
        const uint32_t strip =
            atomic_load_explicit(&sync_in_image(&image)->strip, memory_order_relaxed);
        assert_true(!(image.flags & VK_IMAGE_CREATE_ALIAS_BIT) || strip == UINT32_MAX);
        strips += strip && strip != UINT32_MAX;
        drop_image(object);
    }
    assert_true(strips > 60 && strips < 540); /* either order has its share */
    assert_true(shared > 1000 && shared < 4000);
}

static void assert_texels(const struct image *image, int32_t x, int32_t y, uint32_t width,
                          uint32_t height, struct image_texels expected)
{
    const VkImageSubresourceLayers layer = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    struct image_places places, all;
    image_places_of_region(&all, image, &layer, (VkOffset3D){0}, image->extent);
    assert_true(image_places_next(&all));
    image_places_of_region(&places, image, &layer, (VkOffset3D){x, y, 0},
                           (VkExtent3D){width, height, 1});
    assert_true(image_places_next(&places));
    const struct image_texels texels =
        image_texels_at(image, VK_IMAGE_ASPECT_COLOR_BIT, 0, &all.place, &places.place);
    assert_memory_equal(&texels, &expected, sizeof(texels));
    if (texels.column_count)
        assert_false(image_places_next(&places));
}

static void rows_and_columns_of_a_tile(void **state)
{
    struct object *object;
    struct image image;
    make_image(&object, &image, 0);
    image.flags = 0;
    image.extent = (VkExtent3D){56, 40, 1};
    assert_texels(&image, 16, 8, 16, 8, (struct image_texels){8, 8, 16, 16});
    assert_texels(&image, 0, 0, 16, 40, (struct image_texels){0, 0, 0, 16});
    assert_texels(&image, 48, 39, 8, 1, (struct image_texels){39, 1, 48, 8});
    assert_texels(&image, 0, 0, 56, 40, (struct image_texels){0});
    drop_image(object);
    make_image(&object, &image, 0);
    image.extent = (VkExtent3D){56, 40, 1};
    assert_texels(&image, 0, 4, 56, 8, (struct image_texels){4, 8, 0, 0});
    assert_texels(&image, 8, 8, 8, 8, (struct image_texels){8, 1, 0, 0});
    drop_image(object);
}

static int set_up_ranges(void **state)
{
    return object_table_init() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_share_places_where_they_share_blocks),
        cmocka_unit_test(rows_and_columns_of_a_tile),
    };
    return cmocka_run_group_tests(tests, set_up_ranges, NULL);
}
