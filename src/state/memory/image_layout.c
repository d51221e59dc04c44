/* Tracks which layouts recorded commands expect and leave, and how submits change those of
 * images. */
#include "state/memory/image_layout.h"

#include "state/command/sections.h"
#include "base/plain_atomic.h"
#include "objects/device.h"

#include <string.h>

/* --- subresources --- */

/* The numbers of an image's subresources, whose index is (aspect * levels + level) * layers +
 * layer. The slices of a 3D image are one layer, or a layer each (image_has_slices()). In the
 * latter case, deeper levels use fewer than `layers`. */
struct shape {
    uint32_t aspects, levels, layers; /* counts */
    bool slices;
};

/* A range as indices of the shape. An empty range has no aspect. */
struct box {
    uint32_t aspect_bits;                                    /* a bit for each aspect index */
    uint32_t level_begin, level_end, layer_begin, layer_end; /* ends are exclusive */
    bool whole;                                              /* it contains all subresources */
};

bool image_3d_has_slices(const struct image *image)
{
    if (!(image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT))
        return false;
    const struct device *device = device_of(image->base.object);
    return device && device_has_slices(device);
}

/* The numbers of aspects, levels and layers for which layouts of an image are kept. */
static struct shape image_shape(const struct image *image)
{
    assert(image);
    VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    const bool slices = image_has_slices(image);
    return (struct shape){
        /* Depth and stencil have separate layouts, and so have planes. */
        .aspects = (image->aspects & both) == both ? 2
                   : image->plane_count > 1 && image->plane_count <= IMAGE_PLANES
                       ? image->plane_count
                       : 1,
        .levels = image->mip_levels ? image->mip_levels : 1,
        .layers = slices                                                    ? image->extent.depth
                  : image->type == VK_IMAGE_TYPE_3D || !image->array_layers ? 1
                                                                            : image->array_layers,
        .slices = slices,
    };
}

/* The number of subresources. */
static size_t shape_size(struct shape shape)
{
    return (size_t)shape.aspects * shape.levels * shape.layers;
}

/* The aspects of the mask as bits, by aspect index. COLOR means all planes. */
static uint32_t aspect_bits(const struct image *image, struct shape shape, VkImageAspectFlags mask)
{
    assert(shape.aspects && shape.aspects <= 3);
    uint32_t all = (1u << shape.aspects) - 1;
    if (shape.aspects == 1)
        return mask ? all : 0;
    if (image->plane_count > 1)
        return mask & VK_IMAGE_ASPECT_COLOR_BIT ? all : (mask / VK_IMAGE_ASPECT_PLANE_0_BIT) & all;
    return (mask & VK_IMAGE_ASPECT_DEPTH_BIT ? 1u : 0) |
           (mask & VK_IMAGE_ASPECT_STENCIL_BIT ? 2u : 0);
}

/* The aspect with this index in aspect_bits(). */
static VkImageAspectFlagBits aspect_of(const struct image *image, uint32_t index)
{
    assert(index < 3);
    VkImageAspectFlags both = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    if (image->plane_count > 1)
        return (VkImageAspectFlagBits)(VK_IMAGE_ASPECT_PLANE_0_BIT << index);
    if ((image->aspects & both) == both)
        return index ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    return image->aspects & both ? (VkImageAspectFlagBits)(image->aspects & both)
                                 : VK_IMAGE_ASPECT_COLOR_BIT;
}

/* The end of [base, base + count), limited to `limit`. VK_REMAINING_* and sums that overflow also
 * give the limit. */
static uint32_t range_end(uint32_t base, uint32_t count, uint32_t limit)
{
    return base >= limit ? base : count > limit - base ? limit : base + count;
}

/* The part of an image that is in the range. aspect_bits 0: none. */
static ALWAYS_INLINE struct box image_box(const struct image *image, struct shape shape,
                                          const VkImageSubresourceRange *range)
{
    assert(range);
    struct box box = {
        .aspect_bits = aspect_bits(image, shape, range->aspectMask),
        .level_begin = range->baseMipLevel,
        .level_end = range_end(range->baseMipLevel, range->levelCount, shape.levels),
        .layer_begin = range->baseArrayLayer,
        .layer_end = range_end(range->baseArrayLayer, range->layerCount, shape.layers),
    };
    /* All slices are one layer, whatever layers the range has. */
    if (unlikely(image->type == VK_IMAGE_TYPE_3D) && !shape.slices) {
        box.layer_begin = 0;
        box.layer_end = 1;
    }
    if (box.level_begin >= box.level_end || box.layer_begin >= box.layer_end)
        box.aspect_bits = 0;
    box.whole = box.aspect_bits == (1u << shape.aspects) - 1 && box.level_begin == 0 &&
                box.level_end == shape.levels && box.layer_begin == 0 &&
                box.layer_end == shape.layers;
    return box;
}

/* The number of the box's layers that the level has. */
static ALWAYS_INLINE size_t layers_of_level(struct box box, struct shape shape, uint32_t level)
{
    uint32_t end = box.layer_end;
    if (unlikely(shape.slices) && end > mip_extent(shape.layers, level))
        end = mip_extent(shape.layers, level);
    return end > box.layer_begin ? end - box.layer_begin : 0;
}

/* Runs the body for each run of layers in the box. `first_`: index of the run's first subresource;
 * `length_`: number of subresources. */
#define FOR_RUNS(box_, shape_, aspect_, level_, first_, length_)                                  \
    for (uint32_t aspect_ = 0; aspect_ < (shape_).aspects; aspect_++)                             \
        for (uint32_t level_ = (box_).aspect_bits >> aspect_ & 1 ? (box_).level_begin             \
                                                                 : (box_).level_end;              \
             level_ < (box_).level_end; level_++)                                                 \
            for (size_t first_ = ((size_t)aspect_ * (shape_).levels + level_) * (shape_).layers + \
                                 (box_).layer_begin,                                              \
                        length_ = layers_of_level((box_), (shape_), level_);                      \
                 length_; length_ = 0)

/* The depth layout that is part of a layout for depth and stencil. */
static VkImageLayout depth_part(VkImageLayout layout)
{
    switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
        return VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
        return VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL;
    default:
        return layout;
    }
}

/* The stencil layout that is part of a layout for depth and stencil. */
static VkImageLayout stencil_part(VkImageLayout layout)
{
    switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
        return VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
        return VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
    default:
        return layout;
    }
}

/* The color layout that a layout for any aspect means. */
static VkImageLayout color_part(VkImageLayout layout)
{
    switch (layout) {
    case VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL:
        return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
        return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    default:
        return layout;
    }
}

/* True if the layouts mean the same for the aspect. Unknown and untouched layouts match all
 * others. */
static COLD bool parts_match(VkImageAspectFlagBits aspect, VkImageLayout a, VkImageLayout b)
{
    if (a == LAYOUT_UNKNOWN || b == LAYOUT_UNKNOWN || a == LAYOUT_UNTOUCHED ||
        b == LAYOUT_UNTOUCHED)
        return true;
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT)
        return depth_part(a) == depth_part(b);
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        return stencil_part(a) == stencil_part(b);
    return color_part(a) == color_part(b);
}

bool image_layouts_match(VkImageAspectFlagBits aspect, VkImageLayout a, VkImageLayout b)
{
    return likely(a == b) || parts_match(aspect, a, b);
}

/* True if no other image, process or API shares the image's memory. */
static bool has_own_memory(const struct image *image)
{
    for (uint32_t i = 0; i < (image_is_disjoint(image) ? image->plane_count : 1); i++) {
        const struct device_memory *memory =
            i < IMAGE_PLANES ? device_memory_by_id(image->binding[i].memory) : NULL;
        if (!memory || memory->import_type ||
            atomic_load_explicit(&memory->exported, memory_order_relaxed) ||
            atomic_load_explicit(&memory->image_count, memory_order_relaxed) > 1)
            return false;
    }
    return true;
}

/* True if layouts may change unseen: by an alias, or in external memory. The images that a
 * swapchain returns are its children; another image may be bound to the same memory. */
static bool image_is_untracked(const struct image *image)
{
    return (unlikely(image->flags & VK_IMAGE_CREATE_ALIAS_BIT || image->external_types) &&
            !has_own_memory(image)) ||
           image->layout_unchecked ||
           (image->swapchain && (image->base.object->parent != object_index(image->swapchain) ||
                                 atomic_load_explicit(&image->is_shared, memory_order_relaxed)));
}

/* --- command buffers --- */

/* A bit of `vuid`: the first use was recorded or executed within a label that the setting
 * mute_labels names. */
#define LAYOUT_MUTED 0x40000000

/* The layouts of a subresource in one command buffer. */
struct layout_pair {
    VkImageLayout first; /* layout that the first use expects; LAYOUT_UNKNOWN: any is accepted */
    /* layout that the commands so far leave; LAYOUT_UNTOUCHED in both: not used yet */
    VkImageLayout current;
    /* rule that the first use breaks if it finds another layout; and LAYOUT_MUTED */
    enum vuid vuid;
    /* number of the check that expected the layout first, so that this can be undone if the call
     * is refused; 0: a recorded command expected it */
    uint32_t check;
    struct layout_user user; /* first user */
};

/* One image in one command buffer. */
struct image_track {
    uint64_t image; /* id */
    struct shape shape;
    struct layout_pair uniform; /* for all subresources, unless `differing` */
    bool differing;
    size_t pairs; /* index of the first pair in the pool, if `differing` */
};

/* Owned by a command buffer, kept over resets. Arrays that are replaced are retired, as another
 * thread of a wrong program may be reading them. */
struct command_buffer_layouts {
    struct image_track *tracks; /* owned */
    uint32_t count, capacity;
    uint32_t *table;          /* 1 + index of a track, by object index; 0: free. Open addressing */
    uint32_t table_size;      /* a power of two, at least twice `capacity` */
    struct layout_pair *pool; /* owned: pairs of tracks that are `differing` */
    size_t pool_used;         /* number of pairs */
    uint32_t pool_size;
};

/* Memory ran out once: the layouts that command buffers leave are not known any more. */
static _Atomic bool layouts_lost;

/* The track of an image in the command buffer; NULL: the image has no track. */
static struct image_track *find_track(const struct command_buffer_layouts *layouts, uint64_t id)
{
    assert(id);
    if (!layouts || !layouts->table_size)
        return NULL;
    uint32_t mask = plain_load_acquire(&layouts->table_size) - 1;
    const uint32_t *table = plain_load_acquire(&layouts->table);
    for (uint32_t at = object_index(id) & mask; table[at]; at = (at + 1) & mask) {
        struct image_track *track = &layouts->tracks[table[at] - 1];
        if (track->image == id)
            return track;
    }
    return NULL;
}

/* Adds a track to the table, which has room for it. */
static void table_add(struct command_buffer_layouts *layouts, uint32_t track)
{
    uint32_t mask = plain_load_acquire(&layouts->table_size) - 1;
    uint32_t *table = plain_load_acquire(&layouts->table);
    uint32_t at = object_index(layouts->tracks[track].image) & mask;
    while (table[at])
        at = (at + 1) & mask;
    table[at] = track + 1;
}

/* Doubles the room for images whose layouts are tracked. False: out of memory. */
static COLD bool grow_tracks(struct command_buffer_layouts *layouts)
{
    mem_growth_lock(); /* mem_grow() explains it */
    uint32_t had = layouts->capacity, count = layouts->count < had ? layouts->count : had;
    uint32_t capacity = had ? had * 2 : 16;
    struct image_track *tracks = mem_alloc_lines_zeroed(capacity * sizeof(*tracks)),
                       *old_tracks = layouts->tracks;
    uint32_t *table = mem_alloc_lines_zeroed((size_t)capacity * 2 * sizeof(*table)),
             *old_table = layouts->table;
    bool grown = tracks && table;
    if (grown) {
        if (count)
            memcpy(tracks, old_tracks, count * sizeof(*tracks));
        plain_store_release(&layouts->tracks, tracks);
        plain_store_release(&layouts->table, table);
        plain_store_release(&layouts->table_size, capacity * 2);
        plain_store_release(&layouts->capacity, capacity);
        for (uint32_t i = 0; i < count; i++)
            table_add(layouts, i);
    }
    mem_retire(grown ? old_tracks : tracks);
    mem_retire(grown ? old_table : table);
    mem_growth_unlock();
    return grown;
}

/* The image's track, which is added if necessary; NULL: memory ran out, and layouts are not tracked
 * any more. */
static struct image_track *make_track(struct command_buffer *command_buffer,
                                      const struct image *image)
{
    uint64_t id = object_state_id(&image->base);
    struct image_track *track = find_track(command_buffer->layouts, id);
    if (likely(track))
        return track;
    struct command_buffer_layouts *layouts = command_buffer->layouts;
    if (!layouts)
        layouts = mem_make(&command_buffer->layouts, NULL, sizeof(*layouts));
    const uint32_t at = layouts ? layouts->count : 0;
    if (!layouts || (at >= plain_load_acquire(&layouts->capacity) && !grow_tracks(layouts))) {
        /* Tracking stops for good: if one layout was missed, later ones would be reported
         * wrongly. */
        atomic_store_explicit(&layouts_lost, true, memory_order_relaxed);
        return NULL;
    }
    track = &layouts->tracks[at];
    *track = (struct image_track){
        .image = id,
        .shape = image_shape(image),
        /* One pair for the whole image, until a command uses a part of it. */
        .uniform = {LAYOUT_UNTOUCHED, LAYOUT_UNTOUCHED, VUID_vkCmdDraw_None_09600, 0, {0}},
    };
    table_add(layouts, at);
    layouts->count = at + 1;
    return track;
}

/* Makes room in the pool of pairs by doubling; the first `used` stay. False: out of memory. */
static COLD bool grow_pool(struct command_buffer_layouts *layouts, size_t used, size_t needed)
{
    uint32_t size = layouts->pool_size ? layouts->pool_size : 64;
    while (size < needed && size <= UINT32_MAX / 2)
        size *= 2;
    return size >= needed && mem_grow(&layouts->pool, &layouts->pool_size, (uint32_t)used, size,
                                      sizeof(*layouts->pool));
}

/* Changes a track from one pair for all subresources to one for each. False: out of memory. */
static bool split_track(struct command_buffer_layouts *layouts, struct image_track *track)
{
    assert(layouts && track);
    if (track->differing)
        return true;
    size_t size = shape_size(track->shape);
    const size_t used = layouts->pool_used;
    if (used + size > plain_load_acquire(&layouts->pool_size) &&
        !grow_pool(layouts, used, used + size)) {
        atomic_store_explicit(&layouts_lost, true, memory_order_relaxed);
        return false;
    }
    /* The pool only grows during a recording, so that indices stay valid. */
    track->pairs = used;
    layouts->pool_used = used + size;
    struct layout_pair *pairs = layouts->pool + used;
    for (size_t i = 0; i < size; i++)
        pairs[i] = track->uniform;
    track->differing = true;
    return true;
}

/* False for images that several owners write, whose layouts are not tracked. */
static bool range_is_usable(const struct command_buffer *command_buffer, const struct image *image,
                            const VkImageSubresourceRange *range)
{
    return command_buffer && image && range && !image_is_untracked(image);
}

/* Notes an expected layout, if it is the first use of the subresource. */
static inline void pair_expect(struct layout_pair *pair, struct layout_pair expected)
{
    if (pair->current == LAYOUT_UNTOUCHED)
        *pair = expected;
}

/* The number of the command in its command buffer, limited to the bits of layout_user::number. */
static inline uint32_t layout_order_number(const struct command_buffer *command_buffer)
{
    const uint32_t number = command_buffer->command_number;
    return number < LAYOUT_USER_MOST ? number : LAYOUT_USER_MOST;
}

/* The command that is being recorded, as the user of a layout. */
static inline struct layout_user
layout_user_of(const struct call *call, const struct command_buffer *command_buffer, uint32_t role)
{
    const uint64_t caller = (uint64_t)(uintptr_t)call->caller;
    return (struct layout_user){.command = (uint32_t)call->command & 0xfff,
                                .number = layout_order_number(command_buffer) & LAYOUT_USER_MOST,
                                .caller_low = (uint32_t)caller,
                                .caller_high = (uint16_t)(caller >> 32),
                                .role = (uint16_t)role};
}

/* Adds LAYOUT_MUTED to the expected layout if the command is within a muted label. */
static struct layout_pair judge_muting(const struct command_buffer *command_buffer,
                                       struct layout_pair expected)
{
    if (unlikely(command_buffer_is_muted(command_buffer)))
        expected.vuid = (enum vuid)(expected.vuid | LAYOUT_MUTED);
    return expected;
}

/* Notes the layout after a transition. If it is the first use, any layout before it is accepted. */
static inline void pair_set(struct layout_pair *pair, VkImageLayout layout)
{
    if (pair->first == LAYOUT_UNTOUCHED)
        pair->first = LAYOUT_UNKNOWN;
    pair->current = layout;
}

/* True if the commands so far have used all subresources, and the track is not split. A later use
 * then expects nothing from before the command buffer. */
static inline bool is_used_throughout(const struct image_track *track)
{
    return !track->differing && likely(track->uniform.current != LAYOUT_UNTOUCHED);
}

/* Notes the layout that a command expects in a part of the image. */
static void expect_in_box(struct command_buffer_layouts *layouts, struct image_track *track,
                          struct box box, struct layout_pair expected)
{
    if (!box.aspect_bits)
        return;
    if (!track->differing && likely(box.whole)) {
        pair_expect(&track->uniform, expected);
        return;
    }
    /* Memory ran out: layouts are not tracked from here on. */
    if (!split_track(layouts, track))
        return;
    struct layout_pair *pairs = &layouts->pool[track->pairs];
    FOR_RUNS(box, track->shape, aspect, level, first, length)
    for (size_t i = 0; i < length; i++)
        pair_expect(&pairs[first + i], expected);
}

/* Notes the layout that a command leaves in a part of the image. */
static void set_in_box(struct command_buffer_layouts *layouts, struct image_track *track,
                       struct box box, VkImageLayout layout)
{
    if (!box.aspect_bits)
        return;
    /* A part that gets the layout of the whole image needs no split either. */
    if (!track->differing && (box.whole || (track->uniform.current == layout))) {
        pair_set(&track->uniform, layout);
        return;
    }
    if (!split_track(layouts, track))
        return;
    struct layout_pair *pairs = &layouts->pool[track->pairs];
    FOR_RUNS(box, track->shape, aspect, level, first, length)
    for (size_t i = 0; i < length; i++)
        pair_set(&pairs[first + i], layout);
}

/* Notes that a command uses the range in a layout. An image that was used as a whole needs no walk
 * through its subresources. */
static inline void image_layout_expect(const struct call *call,
                                       struct command_buffer *command_buffer,
                                       const struct image *image,
                                       const VkImageSubresourceRange *range,
                                       struct layout_pair expected)
{
    if (!range_is_usable(command_buffer, image, range))
        return;
    struct image_track *track = make_track(command_buffer, image);
    if (!track || is_used_throughout(track))
        return;
    expected.user = layout_user_of(call, command_buffer, expected.user.role);
    expect_in_box(command_buffer->layouts, track, image_box(image, track->shape, range),
                  judge_muting(command_buffer, expected));
}

void command_buffer_expect_layout_by(const struct call *call, struct command_buffer *command_buffer,
                                     const struct image *image,
                                     const VkImageSubresourceRange *range, VkImageLayout layout,
                                     enum vuid vuid)
{
    image_layout_expect(call, command_buffer, image, range,
                        (struct layout_pair){layout, layout, vuid, 0, {0}});
}

void command_buffer_expect_layout_as(const struct call *call, struct command_buffer *command_buffer,
                                     const struct image *image,
                                     const VkImageSubresourceRange *range, VkImageLayout layout,
                                     enum layout_role role)
{
    image_layout_expect(call, command_buffer, image, range,
                        (struct layout_pair){layout,
                                             layout,
                                             VUID_vkCmdDraw_None_09600,
                                             0,
                                             {.role = (uint16_t)role}});
}

void command_buffer_expect_layout_in_check(const struct call *call,
                                           struct command_buffer *command_buffer,
                                           const struct image *image,
                                           const VkImageSubresourceRange *range,
                                           VkImageLayout layout, uint32_t check)
{
    image_layout_expect(call, command_buffer, image, range,
                        (struct layout_pair){
                            layout, layout, VUID_vkCmdDraw_None_09600, check, {0}});
}

void command_buffer_take_back_layouts(struct command_buffer *command_buffer, uint32_t check)
{
    const struct layout_pair none = {
        .first = LAYOUT_UNTOUCHED, .current = LAYOUT_UNTOUCHED, .vuid = VUID_vkCmdDraw_None_09600};
    struct command_buffer_layouts *layouts = command_buffer->layouts;
    for (uint32_t i = 0; layouts && i < layouts->count; i++) {
        struct image_track *track = &layouts->tracks[i];
        struct layout_pair *pairs =
            track->differing ? &layouts->pool[track->pairs] : &track->uniform;
        size_t count = track->differing ? shape_size(track->shape) : 1;
        for (size_t k = 0; k < count; k++) {
            /* Other commands have noted the rest, which stays. */
            if (pairs[k].check == check)
                pairs[k] = none;
        }
    }
}

void command_buffer_set_layout(struct command_buffer *command_buffer, const struct image *image,
                               const VkImageSubresourceRange *range, VkImageLayout layout)
{
    if (!range_is_usable(command_buffer, image, range))
        return;
    struct image_track *track = make_track(command_buffer, image);
    if (track)
        set_in_box(command_buffer->layouts, track, image_box(image, track->shape, range), layout);
}

void command_buffer_change_layout(const struct call *call, struct command_buffer *command_buffer,
                                  const struct image *image, const VkImageSubresourceRange *range,
                                  VkImageLayout from, VkImageLayout to)
{
    if (!range_is_usable(command_buffer, image, range))
        return;
    struct image_track *track = make_track(command_buffer, image);
    if (!track)
        return;
    const struct box box = image_box(image, track->shape, range);
    /* If commands have used all of the image, the first expectation is already known. */
    if (!is_used_throughout(track))
        expect_in_box(command_buffer->layouts, track, box,
                      judge_muting(command_buffer,
                                   (struct layout_pair){from, from, VUID_vkCmdDraw_None_09600, 0,
                                                        layout_user_of(call, command_buffer, 0)}));
    set_in_box(command_buffer->layouts, track, box, to);
}

VkImageLayout command_buffer_layout_throughout(const struct command_buffer *command_buffer,
                                               const struct image *image)
{
    const struct image_track *track =
        find_track(command_buffer->layouts, object_state_id(&image->base));
    return likely(track && !track->differing) ? track->uniform.current : LAYOUT_UNTOUCHED;
}

bool command_buffer_layout_differs(const struct command_buffer *command_buffer,
                                   const struct image *image, const VkImageSubresourceRange *range,
                                   VkImageLayout layout, struct layout_mismatch *mismatch)
{
    assert(mismatch);
    if (!range_is_usable(command_buffer, image, range))
        return false;
    const struct image_track *track =
        find_track(command_buffer->layouts, object_state_id(&image->base));
    /* An image without a track is not used in this command buffer, so the submit checks its
     * layout. */
    if (!track || (!track->differing && likely(track->uniform.current == layout)))
        return false;
    struct box box = image_box(image, track->shape, range);
    const struct layout_pair *pairs =
        track->differing ? &command_buffer->layouts->pool[track->pairs] : NULL;
    FOR_RUNS(box, track->shape, aspect, level, first, length)
    {
        for (size_t i = 0; i < length; i++) {
            VkImageLayout found = pairs ? pairs[first + i].current : track->uniform.current;
            if (image_layouts_match(aspect_of(image, aspect), layout, found))
                continue;
            *mismatch = (struct layout_mismatch){.aspect = aspect_of(image, aspect),
                                                 .level = level,
                                                 .layer = box.layer_begin + (uint32_t)i,
                                                 .expected = layout,
                                                 .found = found};
            return true;
        }
    }
    return false;
}

VkImageLayout command_buffer_layout(const struct command_buffer *command_buffer,
                                    const struct image *image, const VkImageSubresourceRange *range)
{
    if (!range_is_usable(command_buffer, image, range))
        return LAYOUT_UNKNOWN;
    const struct image_track *track =
        find_track(command_buffer->layouts, object_state_id(&image->base));
    if (!track)
        return LAYOUT_UNKNOWN;
    struct box box = image_box(image, track->shape, range);
    VkImageLayout layout = LAYOUT_UNTOUCHED;
    const struct layout_pair *pairs =
        track->differing ? &command_buffer->layouts->pool[track->pairs] : NULL;
    FOR_RUNS(box, track->shape, aspect, level, first, length)
    {
        for (size_t i = 0; i < length; i++) {
            VkImageLayout found = pairs ? pairs[first + i].current : track->uniform.current;
            /* Two parts differ, so there is no single answer. */
            if (layout != LAYOUT_UNTOUCHED && found != layout)
                return LAYOUT_UNKNOWN;
            layout = found;
        }
    }
    return layout == LAYOUT_UNTOUCHED ? LAYOUT_UNKNOWN : layout;
}

/* Adds the layouts of a secondary's subresource (`later`) that `primary` executes with the command
 * that is being recorded. */
static void merge_pair(const struct command_buffer *primary, struct layout_pair *pair,
                       struct layout_pair later)
{
    assert(pair);
    if (later.current == LAYOUT_UNTOUCHED)
        return;
    if (pair->first == LAYOUT_UNTOUCHED) {
        pair->first = later.first;
        pair->vuid = later.vuid;
        pair->user = later.user;
        pair->user.in_secondary = true;
        pair->user.number = layout_order_number(primary) & LAYOUT_USER_MOST;
    }
    pair->current = later.current;
}

void command_buffer_merge_layouts(struct command_buffer *primary,
                                  const struct command_buffer *secondary)
{
    const struct command_buffer_layouts *from = secondary ? secondary->layouts : NULL;
    for (uint32_t i = 0; primary && from && i < from->count; i++) {
        const struct image_track *later = &from->tracks[i];
        const struct image *image = image_by_id(later->image);
        struct image_track *track = image ? make_track(primary, image) : NULL;
        if (!track)
            continue;
        if (!track->differing && !later->differing) {
            merge_pair(primary, &track->uniform, judge_muting(primary, later->uniform));
            continue;
        }
        size_t size = shape_size(track->shape);
        /* Two shapes of the same image can only differ if memory ran out. */
        if (!split_track(primary->layouts, track) || shape_size(later->shape) != size)
            continue;
        struct layout_pair *pairs = &primary->layouts->pool[track->pairs];
        for (size_t j = 0; j < size; j++)
            merge_pair(primary, &pairs[j],
                       judge_muting(primary, later->differing ? from->pool[later->pairs + j]
                                                              : later->uniform));
    }
}

void command_buffer_reset_layouts(struct command_buffer *command_buffer)
{
    struct command_buffer_layouts *layouts = command_buffer->layouts;
    if (!layouts || !layouts->count)
        return;
    memset(layouts->table, 0, layouts->table_size * sizeof(*layouts->table));
    layouts->count = 0;
    layouts->pool_used = 0;
}

/* --- images --- */

/* The layouts of an image. NULL: all subresources are in the initial layout. */
static struct image_layouts *load_layouts(struct image *image)
{
    return plain_load_acquire(&image->layouts);
}

/* Finds or allocates the layouts of an image. NULL: memory ran out, and layouts are not tracked any
 * more. Threads: any; if two threads allocate them, one wins. */
static struct image_layouts *make_layouts(struct image *image)
{
    struct image_layouts *layouts = load_layouts(image), *expected = NULL;
    if (layouts)
        return layouts;
    layouts = mem_alloc_lines(sizeof(*layouts));
    if (!layouts) {
        atomic_store_explicit(&layouts_lost, true, memory_order_relaxed);
        return NULL;
    }
    lock_init(&layouts->lock);
    lock_unneeded(&layouts->lock);
    layouts->uniform = image->initial_layout;
    layouts->each = NULL;
    layouts->lost = false;
    if (plain_replace(&image->layouts, &expected, layouts))
        return layouts;
    mem_free(layouts); /* another thread was first */
    return expected;
}

void image_layouts_destroy(struct image_layouts *layouts)
{
    if (!layouts)
        return;
    /* A thread that uses the image wrongly at this moment must not free the array once more. */
    lock_take(&layouts->lock);
    VkImageLayout *each = layouts->each;
    layouts->each = NULL;
    layouts->uniform = LAYOUT_UNKNOWN;
    layouts->lost = true;
    lock_release(&layouts->lock);
    mem_retire(each);
    mem_retire(layouts);
}

/* Changes from one layout for all subresources to one for each. False: out of memory. */
static bool split_layouts(struct image_layouts *layouts, struct shape shape) REQUIRES(layouts->lock)
{
    assert(shape_size(shape));
    size_t size = shape_size(shape);
    if (layouts->each)
        return true;
    layouts->each = mem_alloc(size * sizeof(*layouts->each));
    if (!layouts->each) {
        /* Nothing is reported about this image from here on. */
        layouts->uniform = LAYOUT_UNKNOWN;
        return false;
    }
    for (size_t i = 0; i < size; i++)
        layouts->each[i] = layouts->uniform;
    return true;
}

/* Sets the layout of all subresources. */
static void make_uniform(struct image_layouts *layouts, VkImageLayout layout)
    REQUIRES(layouts->lock)
{
    mem_free(layouts->each);
    layouts->each = NULL;
    layouts->uniform = layout;
}

/* The layout of a subresource. */
static VkImageLayout layout_at(const struct image_layouts *layouts, size_t index)
    REQUIRES(layouts->lock)
{
    return layouts->each ? layouts->each[index] : layouts->uniform;
}

void image_set_layout(struct image *image, const VkImageSubresourceRange *range,
                      VkImageLayout layout)
{
    struct image_layouts *layouts =
        image && !image_has_too_many_layouts(image) ? make_layouts(image) : NULL;
    if (!layouts)
        return;
    struct shape shape = image_shape(image);
    struct box box = {.whole = true};
    if (range)
        box = image_box(image, shape, range);
    lock_take(&layouts->lock);
    if (layouts->lost) {
        /* the layout does not change */
    } else if (box.whole) {
        make_uniform(layouts, layout);
    } else if (split_layouts(layouts, shape)) {
        FOR_RUNS(box, shape, aspect, level, first, length)
        for (size_t i = 0; i < length; i++)
            layouts->each[first + i] = layout;
    }
    lock_release(&layouts->lock);
}

/* Finds a subresource in another layout. The compiler's analysis cannot follow a lock that is only
 * taken if it exists. */
bool image_layout_differs(struct image *image, const VkImageSubresourceRange *range,
                          VkImageLayout layout, struct layout_mismatch *mismatch) NOT_ANALYSED
{
    if (!image || !range || image_is_untracked(image) ||
        atomic_load_explicit(&layouts_lost, memory_order_relaxed))
        return false;
    struct shape shape = image_shape(image);
    struct box box = image_box(image, shape, range);
    struct image_layouts *layouts = load_layouts(image);
    bool differs = false;
    if (layouts)
        lock_take(&layouts->lock);
    FOR_RUNS(box, shape, aspect, level, first, length)
    {
        for (size_t i = 0; i < length && !differs; i++) {
            /* If the image has no layouts of its own, no command has used it yet. */
            VkImageLayout found = layouts ? layout_at(layouts, first + i) : image->initial_layout;
            if (image_layouts_match(aspect_of(image, aspect), layout, found))
                continue;
            *mismatch = (struct layout_mismatch){.aspect = aspect_of(image, aspect),
                                                 .level = level,
                                                 .layer = box.layer_begin + (uint32_t)i,
                                                 .expected = layout,
                                                 .found = found};
            differs = true;
        }
    }
    if (layouts)
        lock_release(&layouts->lock);
    return differs;
}

VkImageLayout image_layout(struct image *image, const VkImageSubresourceRange *range)
{
    if (!image || !range || image_is_untracked(image) ||
        atomic_load_explicit(&layouts_lost, memory_order_relaxed))
        return LAYOUT_UNKNOWN;
    struct shape shape = image_shape(image);
    struct box box = image_box(image, shape, range);
    struct image_layouts *layouts = load_layouts(image);
    VkImageLayout layout = LAYOUT_UNTOUCHED;
    if (!layouts)
        /* No command has changed a layout so far. */
        return box.aspect_bits ? image->initial_layout : LAYOUT_UNKNOWN;
    lock_take(&layouts->lock);
    FOR_RUNS(box, shape, aspect, level, first, length)
    {
        for (size_t i = 0; i < length; i++) {
            VkImageLayout found = layout_at(layouts, first + i);
            layout = layout == LAYOUT_UNTOUCHED || layout == found ? found : LAYOUT_UNKNOWN;
        }
    }
    lock_release(&layouts->lock);
    return layout == LAYOUT_UNTOUCHED ? LAYOUT_UNKNOWN : layout;
}

/* --- submits --- */

/* Makes the layouts in which a submitted command buffer leaves an image those of the image.
 * `known`: if false, they become unknown. Takes the lock of the image's layouts. */
static void publish_track(const struct command_buffer_layouts *from,
                          const struct image_track *track, bool known)
{
    struct image *image = image_by_id(track->image);
    if (!image || (!track->differing && track->uniform.current == LAYOUT_UNTOUCHED))
        return;
    /* Nothing changes, as is usual for images that are sampled. */
    if (!track->differing && track->uniform.first == track->uniform.current && known)
        return;
    struct image_layouts *layouts = make_layouts(image);
    if (!layouts)
        return;
    lock_take(&layouts->lock);
    layouts->lost |= !known;
    if (!track->differing || layouts->lost) {
        make_uniform(layouts, layouts->lost ? LAYOUT_UNKNOWN : track->uniform.current);
    } else if (split_layouts(layouts, track->shape)) {
        size_t size = shape_size(track->shape);
        bool uniform = true;
        for (size_t i = 0; i < size; i++) {
            VkImageLayout current = from->pool[track->pairs + i].current;
            if (current != LAYOUT_UNTOUCHED)
                layouts->each[i] = current;
            uniform &= layouts->each[i] == layouts->each[0];
        }
        if (uniform)
            make_uniform(layouts, layouts->each[0]);
    }
    lock_release(&layouts->lock);
}

/* Makes the layouts in which the command buffer leaves its images those of the images. `known`: if
 * false, they become unknown. */
static void publish_all(const struct command_buffer *command_buffer, bool known)
{
    const struct command_buffer_layouts *layouts = command_buffer->layouts;
    for (uint32_t i = 0; layouts && i < layouts->count; i++)
        publish_track(layouts, &layouts->tracks[i], known);
}

void image_layouts_publish(const struct command_buffer *command_buffer)
{
    publish_all(command_buffer, true);
}

void image_layouts_forget(const struct command_buffer *command_buffer)
{
    publish_all(command_buffer, false);
}

bool command_buffer_layout_image(const struct command_buffer *command_buffer, uint32_t i,
                                 struct image **image)
{
    const struct command_buffer_layouts *layouts = command_buffer->layouts;
    if (!layouts || i >= layouts->count)
        return false;
    *image = image_by_id(layouts->tracks[i].image);
    return true;
}

/* The layout in which the last earlier command buffer that used the subresource leaves it;
 * LAYOUT_UNTOUCHED: none used it. */
static VkImageLayout layout_left(const struct image_track *const *earlier,
                                 const struct command_buffer *const *owners, uint32_t count,
                                 size_t index)
{
    assert((earlier && owners) || !count);
    while (count--) {
        const struct image_track *track = earlier[count];
        VkImageLayout left = !track->differing
                                 ? track->uniform.current
                                 : owners[count]->layouts->pool[track->pairs + index].current;
        if (left != LAYOUT_UNTOUCHED)
            return left;
    }
    return LAYOUT_UNTOUCHED;
}

/* The most earlier command buffers of one submit that are considered for one image. If there are
 * more, the last ones are. */
#define EARLIER_MOST 16

/* The compiler's analysis cannot follow a lock that is only taken if it exists. */
bool command_buffer_layout_conflicts(const struct command_buffer *command_buffer, uint32_t i,
                                     const struct command_buffer *const *earlier,
                                     uint32_t earlier_count,
                                     struct layout_mismatch *mismatch) NOT_ANALYSED
{
    assert(command_buffer->layouts && mismatch);
    const struct command_buffer_layouts *layouts = command_buffer->layouts;
    const struct image_track *track = &layouts->tracks[i];
    struct image *image = image_by_id(track->image);
    mismatch->muted = false;
    if (!image || image_is_untracked(image) ||
        atomic_load_explicit(&layouts_lost, memory_order_relaxed) ||
        (!track->differing &&
         (track->uniform.first == LAYOUT_UNKNOWN || track->uniform.first == LAYOUT_UNTOUCHED)))
        return false;
    const struct image_track *tracks[EARLIER_MOST];
    const struct command_buffer *owners[EARLIER_MOST];
    uint32_t count = 0, kept = EARLIER_MOST;
    for (uint32_t j = earlier_count; j-- && kept;) {
        const struct image_track *found =
            earlier[j] ? find_track(earlier[j]->layouts, track->image) : NULL;
        if (!found || shape_size(found->shape) != shape_size(track->shape))
            continue;
        kept--;
        tracks[kept] = found;
        owners[kept] = earlier[j];
        count++;
        if (!found->differing)
            break; /* this track has the layout of every subresource */
    }
    if (count == EARLIER_MOST && tracks[0]->differing)
        return false;
    struct image_layouts *own = load_layouts(image);
    size_t size = track->differing || count || (own && plain_load_relaxed(&own->each))
                      ? shape_size(track->shape)
                      : 1;
    bool conflicts = false;
    if (own)
        lock_take(&own->lock);
    for (size_t at = 0; at < size && !conflicts; at++) {
        const struct layout_pair *pair =
            track->differing ? &layouts->pool[track->pairs + at] : &track->uniform;
        VkImageLayout expected = pair->first;
        if (expected == LAYOUT_UNKNOWN || expected == LAYOUT_UNTOUCHED)
            continue;
        VkImageLayout found = layout_left(&tracks[kept], &owners[kept], count, at);
        if (found == LAYOUT_UNTOUCHED)
            found = own ? layout_at(own, at) : image->initial_layout;
        uint32_t layer = (uint32_t)(at % track->shape.layers);
        uint32_t level = (uint32_t)(at / track->shape.layers % track->shape.levels);
        uint32_t aspect = (uint32_t)(at / track->shape.layers / track->shape.levels);
        if (image_layouts_match(aspect_of(image, aspect), expected, found))
            continue;
        if (unlikely(pair->vuid & LAYOUT_MUTED)) {
            mismatch->muted = true;
            continue;
        }
        *mismatch = (struct layout_mismatch){
            aspect_of(image, aspect), level, layer, expected, found, pair->user, pair->vuid,
            mismatch->muted};
        conflicts = true;
    }
    if (own)
        lock_release(&own->lock);
    return conflicts;
}
