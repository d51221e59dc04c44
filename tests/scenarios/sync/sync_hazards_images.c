/* Hazards of one image: copies, blits, clears, dispatches, draws, load and store operations, in
 * pairs; and its regions. */
#include "sync/sync_world.h"

/* Reads after writes. */
AFTER_WRITE(READ, copy_to_image, "vkCmdCopyImage", copy_from_image, "vkCmdCopyImage")
AFTER_WRITE(READ, write_image, "vkCmdCopyBufferToImage", read_image, "vkCmdCopyImageToBuffer")
AFTER_WRITE(READ, clear_image, "vkCmdClearColorImage", blit_from, "vkCmdBlitImage")
AFTER_WRITE(READ, blit_to, "vkCmdBlitImage", read_image, "vkCmdCopyImageToBuffer")
AFTER_WRITE(READ, copy2_to_image, "vkCmdCopyImage2", dispatch_sample, "vkCmdDispatch")
AFTER_WRITE(READ, clear_image, "vkCmdClearColorImage", dispatch_load, "vkCmdDispatch")
AFTER_WRITE(READ, dispatch_store, "vkCmdDispatch", dispatch_sample, "vkCmdDispatch")
AFTER_WRITE(READ, dispatch_store, "vkCmdDispatch", read_image, "vkCmdCopyImageToBuffer")
AFTER_WRITE(READ, write_image, "vkCmdCopyBufferToImage", draw_sample, "vkCmdDraw")
AFTER_WRITE(READ, dispatch_store, "vkCmdDispatch", draw_sample, "vkCmdDraw")
AFTER_WRITE(READ, rendering_clear, "vkCmdEndRendering", read_image, "vkCmdCopyImageToBuffer")
AFTER_WRITE(READ, rendering_clear, "vkCmdEndRendering", dispatch_sample, "vkCmdDispatch")
AFTER_WRITE(READ, clear_image, "vkCmdClearColorImage", rendering_load, "vkCmdBeginRendering")

/* Writes after writes. */
AFTER_WRITE(WRITE, copy_to_image, "vkCmdCopyImage", write_image, "vkCmdCopyBufferToImage")
AFTER_WRITE(WRITE, clear_image, "vkCmdClearColorImage", copy2_to_image, "vkCmdCopyImage2")
AFTER_WRITE(WRITE, blit_to, "vkCmdBlitImage", clear_image, "vkCmdClearColorImage")
AFTER_WRITE(WRITE, dispatch_store, "vkCmdDispatch", clear_image, "vkCmdClearColorImage")
AFTER_WRITE(WRITE, write_image, "vkCmdCopyBufferToImage", dispatch_store, "vkCmdDispatch")
AFTER_WRITE(WRITE, dispatch_store, "vkCmdDispatch", dispatch_store, "vkCmdDispatch")
AFTER_WRITE(WRITE, clear_image, "vkCmdClearColorImage", rendering_clear, "vkCmdBeginRendering")
AFTER_WRITE(WRITE, rendering_clear, "vkCmdEndRendering", write_image, "vkCmdCopyBufferToImage")

/* Writes after reads. */
AFTER_READ(copy_from_image, "vkCmdCopyImage", clear_image, "vkCmdClearColorImage")
AFTER_READ(read_image, "vkCmdCopyImageToBuffer", copy_to_image, "vkCmdCopyImage")
AFTER_READ(blit_from, "vkCmdBlitImage", write_image, "vkCmdCopyBufferToImage")
AFTER_READ(dispatch_sample, "vkCmdDispatch", dispatch_store, "vkCmdDispatch")
AFTER_READ(dispatch_load, "vkCmdDispatch", clear_image, "vkCmdClearColorImage")
AFTER_READ(draw_sample, "vkCmdDraw", copy_to_image, "vkCmdCopyImage")
AFTER_READ(read_image, "vkCmdCopyImageToBuffer", rendering_clear, "vkCmdBeginRendering")
AFTER_READ(dispatch_sample, "vkCmdDispatch", rendering_clear, "vkCmdBeginRendering")
AFTER_READ(draw_sample, "vkCmdDraw", rendering_clear, "vkCmdBeginRendering")

/* Reads beside reads. */
BOTH_READ(copy_from_image, blit_from)
BOTH_READ(dispatch_sample, dispatch_load)
BOTH_READ(draw_sample, read_image)

/* --- regions --- */

struct region {
    int32_t x, y;
    uint32_t width, height, level, layer;
};

static VkImage layered_image(struct world *w)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    info.mipLevels = 3;
    info.arrayLayers = 2;
    VkImage image = make_image_of(w->b, &info);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.subresourceRange.levelCount = 3;
    barrier.subresourceRange.layerCount = 2;
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    return image;
}

static VkBufferImageCopy copy_of(struct region r)
{
    return (VkBufferImageCopy){.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, r.level, r.layer, 1},
                               .imageOffset = {r.x, r.y, 0},
                               .imageExtent = {r.width, r.height, 1}};
}

/* The first one is written, the second one read. */
static void copy_two_regions(struct baseline *b, struct region first, struct region second)
{
    struct world world, *w = &world;
    world_begin(b, w);
    VkImage image = layered_image(w);
    VkBufferImageCopy to = copy_of(first), from = copy_of(second);
    vkCmdCopyBufferToImage(w->commands, w->buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &to);
    vkCmdCopyImageToBuffer(w->commands, image, VK_IMAGE_LAYOUT_GENERAL, w->other_buffer, 1, &from);
}
#define APART(name_, ...)                 \
    SCENARIO(regions_##name_, WORLD)      \
    {                                     \
        copy_two_regions(b, __VA_ARGS__); \
    }
#define MEETING(name_, ...)                                                      \
    SCENARIO(regions_##name_, WORLD, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, \
             PAIR_TEXT("vkCmdCopyBufferToImage", "vkCmdCopyImageToBuffer"))      \
    {                                                                            \
        copy_two_regions(b, __VA_ARGS__);                                        \
    }
#define R(...) ((struct region){__VA_ARGS__})
APART(side_by_side, R(0, 0, 32, 64), R(32, 0, 32, 64))
APART(one_above_the_other, R(0, 0, 64, 32), R(0, 32, 64, 32))
APART(in_corners, R(0, 0, 16, 16), R(48, 48, 16, 16))
APART(in_other_levels, R(0, 0, 32, 32, 1), R(0, 0, 16, 16, 2))
APART(in_other_layers, R(0, 0, 64, 64, 0, 0), R(0, 0, 64, 64, 0, 1))
MEETING(with_one_texel_in_common, R(0, 0, 33, 33), R(32, 32, 32, 32))
MEETING(with_one_column_in_common, R(0, 0, 33, 64), R(32, 0, 32, 64))
MEETING(with_one_row_in_common, R(0, 0, 64, 33), R(0, 32, 64, 32))
MEETING(in_the_last_level, R(0, 0, 16, 16, 2, 1), R(15, 15, 1, 1, 2, 1))
MEETING(one_in_the_other, R(0, 0, 64, 64), R(20, 20, 4, 4))

/* --- tiles of a grid, whose place in the image's space is one --- */

static void copy_tile(struct world *w, int32_t x, int32_t y, uint32_t width, uint32_t height)
{
    const VkBufferImageCopy to = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                  .imageOffset = {x, y, 0},
                                  .imageExtent = {width, height, 1}};
    vkCmdCopyBufferToImage(w->commands, w->buffer, w->image, VK_IMAGE_LAYOUT_GENERAL, 1, &to);
}
#define TILES(name_, statements_, ...)    \
    SCENARIO(name_, WORLD, ##__VA_ARGS__) \
    {                                     \
        struct world world, *w = &world;  \
        world_begin(b, w);                \
        statements_;                      \
    }
#define WAW .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}
TILES(tiles_beside_each_other, {
    copy_tile(w, 16, 16, 16, 16);
    copy_tile(w, 32, 16, 16, 16);
    copy_tile(w, 16, 32, 16, 16);
    copy_tile(w, 0, 0, 64, 16);
    copy_tile(w, 10, 16, 6, 48);
})
TILES(
    tile_that_is_copied_again,
    {
        copy_tile(w, 16, 16, 16, 16);
        copy_tile(w, 16, 16, 16, 16);
    },
    WAW, .text = {"mip level 0, layer 0, rows 16 to 31, columns 16 to 31"})
TILES(
    rows_over_tiles,
    {
        copy_tile(w, 16, 16, 16, 16);
        copy_tile(w, 0, 31, 64, 2);
    },
    WAW, .text = {"mip level 0, layer 0, row 31, columns 16 to 31"})
TILES(
    region_that_meets_a_corner,
    {
        copy_tile(w, 16, 16, 16, 16);
        copy_tile(w, 31, 31, 4, 4);
    },
    WAW)
TILES(
    tile_over_rows,
    {
        copy_tile(w, 0, 8, 64, 4);
        copy_tile(w, 16, 0, 16, 16);
    },
    WAW)
