/* Tracks which ownership releases and acquires are recorded, and which were submitted. */
#include "state/memory/ownership.h"
#include "base/lock.h"
#include "state/command/barrier.h"
#include "state/memory/buffer.h"
#include "state/hooks.h"
#include "state/submit/queue.h"
#include "base/plain_atomic.h"

#include <string.h>

/* --- recording --- */

/* Adds a zeroed transfer to the command buffer. NULL: out of memory, and the list is marked as
 * incomplete. */
static struct ownership_transfer *ownership_append(struct command_buffer *command_buffer)
{
    struct command_buffer_transfers *transfers = command_buffer->transfers;
    if (!transfers)
        transfers = mem_make(&command_buffer->transfers, NULL, sizeof(*transfers));
    if (!transfers) {
        command_buffer->uses.incomplete = true;
        return NULL;
    }
    const uint32_t at = transfers->count;
    if (at >= plain_load_acquire(&transfers->capacity) &&
        !mem_grow(&transfers->list, &transfers->capacity, at, at < 16 ? 16 : at * 2,
                  sizeof(*transfers->list))) {
        transfers->incomplete = true;
        return NULL;
    }
    struct ownership_transfer *transfer = &transfers->list[at];
    transfers->count = at + 1;
    /* padding too: ranges are compared and hashed by their bytes */
    memset(transfer, 0, sizeof(*transfer));
    return transfer;
}

void command_buffer_reset_transfers(struct command_buffer *command_buffer)
{
    if (!command_buffer->transfers)
        return;
    command_buffer->transfers->count = 0;
    command_buffer->transfers->incomplete = false;
}

/* Records a transfer between two families of this device, one of which is the command buffer's. In
 * other transfers this device sees no half, or both. */
static COLD struct ownership_transfer *ownership_record(struct command_buffer *command_buffer,
                                                        VkSharingMode mode, uint64_t resource,
                                                        uint32_t src_family, uint32_t dst_family)
{
    assert(command_buffer && resource);
    uint32_t own = command_buffer->queue_family;
    if (mode != VK_SHARING_MODE_EXCLUSIVE || src_family >= VK_QUEUE_FAMILY_FOREIGN_EXT ||
        dst_family >= VK_QUEUE_FAMILY_FOREIGN_EXT || (own != src_family && own != dst_family))
        return NULL;
    struct ownership_transfer *transfer = ownership_append(command_buffer);
    if (!transfer)
        return NULL;
    transfer->acquires = own == dst_family;
    transfer->range.resource = resource;
    transfer->range.src_family = src_family;
    transfer->range.dst_family = dst_family;
    return transfer;
}

static_assert(VK_QUEUE_FAMILY_FOREIGN_EXT == UINT32_MAX - 2 &&
                  VK_QUEUE_FAMILY_EXTERNAL == UINT32_MAX - 1 &&
                  VK_QUEUE_FAMILY_IGNORED == UINT32_MAX,
              "the last three numbers are not families of the device");

/* Records the transfer of a buffer's range, if the barrier transfers ownership. */
static void record_buffer(const struct call *call, VkBuffer handle, uint32_t src_family,
                          uint32_t dst_family, VkDeviceSize offset, VkDeviceSize size)
{
    const struct buffer *buffer = find_buffer(call, handle);
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct ownership_transfer *transfer =
        buffer ? ownership_record(command_buffer, buffer->sharing_mode,
                                  object_state_id(&buffer->base), src_family, dst_family)
               : NULL;
    if (!transfer)
        return;
    transfer->range.first = offset;
    transfer->range.second =
        size == VK_WHOLE_SIZE && offset < buffer->size ? buffer->size - offset : size;
    /* With maintenance9, buffers and linear images need no transfers. */
    transfer->concluded = device_has_feature(call->device, FEATURE_maintenance9);
}

/* Records the transfer of an image's range, if the barrier transfers ownership. */
static void record_image(const struct call *call, const struct image_barrier *barrier)
{
    const struct image *image = find_image(call, barrier->handle);
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct ownership_transfer *transfer =
        image ? ownership_record(command_buffer, image->sharing_mode, object_state_id(&image->base),
                                 barrier->src_family, barrier->dst_family)
              : NULL;
    if (!transfer)
        return;
    VkImageSubresourceRange range = *barrier->range;
    /* Release and acquire are compared by numbers, even if they use VK_REMAINING_*. */
    if (range.levelCount == VK_REMAINING_MIP_LEVELS && range.baseMipLevel < image->mip_levels)
        range.levelCount = image->mip_levels - range.baseMipLevel;
    if (range.layerCount == VK_REMAINING_ARRAY_LAYERS && range.baseArrayLayer < image->array_layers)
        range.layerCount = image->array_layers - range.baseArrayLayer;
    transfer->range.first = (uint64_t)range.baseMipLevel << 32 | range.levelCount;
    transfer->range.second = (uint64_t)range.baseArrayLayer << 32 | range.layerCount;
    /* Planes can be named by COLOR or one by one, so they are not compared. */
    transfer->range.aspects = image->plane_count > 1 ? 0 : range.aspectMask;
    transfer->range.old_layout = barrier->old_layout;
    transfer->range.new_layout = barrier->new_layout;
    /* Such an acquire is not judged: maintenance9 needs no transfer, and ranges of 3D images may be
     * slices. */
    transfer->concluded =
        device_has_feature(call->device, FEATURE_maintenance9) || image->type == VK_IMAGE_TYPE_3D;
}

/* True if the barrier changes the queue family. Hot: most barriers do not. */
static ALWAYS_INLINE bool ownership_moves(uint32_t src_family, uint32_t dst_family)
{
    return unlikely(src_family != dst_family);
}

void state_after_CmdPipelineBarrier_ownership(struct call *call, VkCommandBuffer commandBuffer,
                                              VkPipelineStageFlags srcStageMask,
                                              VkPipelineStageFlags dstStageMask,
                                              VkDependencyFlags dependencyFlags,
                                              uint32_t memoryBarrierCount,
                                              const VkMemoryBarrier *pMemoryBarriers,
                                              uint32_t bufferMemoryBarrierCount,
                                              const VkBufferMemoryBarrier *pBufferMemoryBarriers,
                                              uint32_t imageMemoryBarrierCount,
                                              const VkImageMemoryBarrier *pImageMemoryBarriers)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer)
        return;
    /* command_buffer_acts() is only for commands outside of render pass instances. */
    if (!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        command_buffer_acts(command_buffer);
    for (uint32_t i = 0; pBufferMemoryBarriers && i < bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier *barrier = &pBufferMemoryBarriers[i];
        if (ownership_moves(barrier->srcQueueFamilyIndex, barrier->dstQueueFamilyIndex))
            record_buffer(call, barrier->buffer, barrier->srcQueueFamilyIndex,
                          barrier->dstQueueFamilyIndex, barrier->offset, barrier->size);
    }
    for (uint32_t i = 0; pImageMemoryBarriers && i < imageMemoryBarrierCount; i++) {
        struct image_barrier barrier =
            image_barrier_of(&pImageMemoryBarriers[i], srcStageMask, dstStageMask);
        if (ownership_moves(barrier.src_family, barrier.dst_family))
            record_image(call, &barrier);
    }
}

void state_after_CmdPipelineBarrier2_ownership(struct call *call, VkCommandBuffer commandBuffer,
                                               const VkDependencyInfo *pDependencyInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    const VkDependencyInfo *info = pDependencyInfo;
    if (!command_buffer)
        return;
    if (!(command_buffer->scope & SCOPE_INSIDE_RENDER_PASS))
        command_buffer_acts(command_buffer);
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *barrier = &info->pBufferMemoryBarriers[i];
        if (ownership_moves(barrier->srcQueueFamilyIndex, barrier->dstQueueFamilyIndex))
            record_buffer(call, barrier->buffer, barrier->srcQueueFamilyIndex,
                          barrier->dstQueueFamilyIndex, barrier->offset, barrier->size);
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        struct image_barrier barrier = image_barrier_of2(&info->pImageMemoryBarriers[i]);
        if (ownership_moves(barrier.src_family, barrier.dst_family))
            record_image(call, &barrier);
    }
}

void state_after_CmdExecuteCommands_ownership(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t commandBufferCount,
                                              const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer *primary = call_command_buffer(call);
    for (uint32_t i = 0; primary && i < commandBufferCount; i++) {
        const struct command_buffer *secondary = find_command_buffer(pCommandBuffers[i]);
        const struct command_buffer_transfers *transfers = secondary ? secondary->transfers : NULL;
        /* Without the check, a command buffer that executes itself would read the list while it
         * grows. */
        for (uint32_t k = 0; transfers && secondary != primary && k < transfers->count; k++) {
            struct ownership_transfer *transfer = ownership_append(primary);
            if (transfer)
                memcpy(transfer, &transfers->list[k], sizeof(*transfer));
        }
        if (transfers && transfers->incomplete && primary->transfers)
            primary->transfers->incomplete = true;
    }
}

/* --- submitted releases --- */

/* Released ranges. Open addressing; ranges of destroyed resources stay until the table grows. */
struct released_ranges {
    /* held while the fields below are used, never during a call */
    struct lock lock;
    struct transfer_range *slots GUARDED_BY(lock); /* [capacity]; resource 0: free. Owned */
    uint32_t count GUARDED_BY(lock);
    uint32_t capacity GUARDED_BY(lock); /* a power of two, or 0 */
    /* memory ran out, or there are too many: nothing can be judged any more */
    bool incomplete GUARDED_BY(lock);
};
/* The most released ranges that are kept. No program has as many, as their resources would all have
 * to exist at once. */
#define RELEASED_MOST (1u << 20)

/* The slot where the search for a range begins; `capacity` is a power of two. */
static uint32_t released_slot(const struct transfer_range *range, uint32_t capacity)
{
    assert(capacity && !(capacity & (capacity - 1)));
    uint64_t hash = range->resource * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ range->first) * 0xc2b2ae3d27d4eb4full;
    hash = (hash ^ range->second ^ (hash >> 31)) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(hash >> 32) & (capacity - 1);
}

/* The slot with the range, or the free slot where it would be inserted. */
static struct transfer_range *released_find_slot(struct transfer_range *slots, uint32_t capacity,
                                                 const struct transfer_range *range)
{
    assert(slots && range->resource);
    uint32_t i = released_slot(range, capacity);
    while (slots[i].resource && memcmp(&slots[i], range, sizeof(*range)))
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

/* Makes room for more released ranges, and drops those of destroyed resources. False: there are too
 * many, or memory ran out. */
static bool released_grow(struct released_ranges *released) REQUIRES(released->lock)
{
    uint32_t live = 0, capacity = 64;
    for (uint32_t i = 0; i < released->capacity; i++) {
        uint64_t id = released->slots[i].resource;
        if (id && !object_find_id(id, object_id_type(id)))
            released->slots[i].resource = UINT64_MAX; /* destroyed; dropped below */
        else
            live += id != 0;
    }
    while (capacity < live * 4)
        capacity *= 2;
    struct transfer_range *slots =
        live < RELEASED_MOST ? mem_alloc_zeroed(capacity * sizeof(*slots)) : NULL;
    if (!slots)
        return false;
    for (uint32_t i = 0; i < released->capacity; i++) {
        const struct transfer_range *old = &released->slots[i];
        if (old->resource && old->resource != UINT64_MAX)
            *released_find_slot(slots, capacity, old) = *old;
    }
    mem_free(released->slots);
    released->slots = slots;
    released->capacity = capacity;
    released->count = live;
    return true;
}

/* Adds a range that a queue family has released. If memory runs out, the list becomes incomplete,
 * and is not used any more. */
static void add_released(struct released_ranges *released, const struct transfer_range *range)
    REQUIRES(released->lock)
{
    assert(range->resource);
    if (released->count * 2 >= released->capacity && !released->incomplete &&
        !released_grow(released))
        released->incomplete = true;
    if (released->incomplete)
        return;
    struct transfer_range *slot = released_find_slot(released->slots, released->capacity, range);
    released->count += slot->resource == 0;
    *slot = *range;
}

/* Finds or allocates the device's released ranges. NULL: out of memory. Threads: any; if two
 * threads allocate them, one wins. */
static struct released_ranges *make_released(const struct device *device)
{
    struct device_state *state = device_state_make(device);
    struct released_ranges *released =
        state ? atomic_load_explicit(&state->released, memory_order_acquire) : NULL;
    if (!state || released)
        return released;
    struct released_ranges *made = mem_alloc_zeroed(sizeof(*made));
    if (!made)
        return NULL;
    lock_init(&made->lock);
    if (atomic_compare_exchange_strong_explicit(&state->released, &released, made,
                                                memory_order_acq_rel, memory_order_acquire))
        return made;
    /* Another thread was first, and `released` is its list now. */
    lock_destroy(&made->lock);
    mem_free(made);
    return released;
}

void ownership_destroy(struct released_ranges *released)
{
    if (!released)
        return;
    lock_unneeded(&released->lock);
    mem_free(released->slots);
    lock_destroy(&released->lock);
    mem_free(released);
}

void ownership_fork_child(struct released_ranges *released)
{
    if (!released)
        return;
    if (lock_try(&released->lock)) {
        lock_release(&released->lock);
        return;
    }
    lock_unneeded(&released->lock);
    released->incomplete = true;
    lock_init(&released->lock);
}

void ownership_submit(const struct device *device, const struct command_buffer *command_buffer)
{
    assert(device && command_buffer);
    const struct command_buffer_transfers *transfers = command_buffer->transfers;
    if (likely((!transfers || !transfers->count) && !command_buffer->uses.incomplete))
        return;
    struct device_state *state = device_state_make(device);
    struct released_ranges *released = make_released(device);
    /* A release may be missing, so from now on no acquire is reported. */
    if (state && (!released || !transfers || transfers->incomplete))
        atomic_store_explicit(&state->releases_lost, true, memory_order_relaxed);
    if (!released || !transfers)
        return;
    lock_take(&released->lock);
    for (uint32_t i = 0; i < transfers->count; i++) {
        if (!transfers->list[i].acquires)
            add_released(released, &transfers->list[i].range);
    }
    lock_release(&released->lock);
}

bool ownership_is_released(const struct device *device, const struct ownership_transfer *acquire)
{
    assert(device && acquire);
    struct device_state *state = device_state_make(device);
    struct released_ranges *released =
        state ? atomic_load_explicit(&state->released, memory_order_acquire) : NULL;
    if (!state || acquire->concluded ||
        /* After a release was missed, each acquire counts as released. */
        atomic_load_explicit(&state->releases_lost, memory_order_relaxed))
        return true;
    if (!released)
        return false;
    lock_take(&released->lock);
    bool found =
        released->incomplete ||
        (released->capacity &&
         released_find_slot(released->slots, released->capacity, &acquire->range)->resource);
    lock_release(&released->lock);
    return found;
}

/* True if the range contains the subresource. Its words have level and level count, layer and layer
 * count; aspects 0 mean all. */
static bool range_has(const struct transfer_range *range,
                      const struct owned_subresource *subresource)
{
    const uint32_t level = (uint32_t)(range->first >> 32), levels = (uint32_t)range->first,
                   layer = (uint32_t)(range->second >> 32), layers = (uint32_t)range->second;
    return range->resource == subresource->image && subresource->level - level < levels &&
           subresource->layer - layer < layers &&
           (!range->aspects || range->aspects & subresource->aspect);
}

bool ownership_find_release(const struct device *device,
                            const struct command_buffer *const *earlier, uint32_t earlier_count,
                            const struct owned_subresource *subresource, uint32_t family,
                            struct transfer_range *release)
{
    assert(subresource->image && release);
    const struct device_state *state = object_load_state(device->object);
    struct released_ranges *released =
        state ? atomic_load_explicit(&state->released, memory_order_acquire) : NULL;
    *release = (struct transfer_range){.resource = 0};
    for (uint32_t i = 0; i < earlier_count; i++) {
        const struct command_buffer_transfers *transfers = earlier[i]->transfers;
        for (uint32_t k = 0; transfers && k < transfers->count; k++) {
            if (!transfers->list[k].acquires && range_has(&transfers->list[k].range, subresource))
                *release = transfers->list[k].range;
        }
    }
    /* The submission's own command buffers execute last, so their releases count first. */
    if (release->resource || !released)
        return release->resource;
    lock_take(&released->lock);
    for (uint32_t i = 0; i < released->capacity; i++) {
        const struct transfer_range *range = &released->slots[i];
        if (range->resource && range_has(range, subresource) &&
            (!release->resource || range->dst_family == family))
            *release = *range;
    }
    lock_release(&released->lock);
    return release->resource;
}
