/* Records the dependencies that the program's barriers make (7.7 "Pipeline Barriers"). */
#include "sync/record/barriers.h"

#include "base/vec.h"
#include "state/memory/device_address.h"
#include "sync/access/aliases.h"
#include "sync/hooks.h"
#include "sync/access/ranges.h"
#include "vk/chain.h"

/* --- the list, whose arrays the command buffer keeps --- */

void barrier_list_begin(struct barrier_list *list, struct recording *recording)
{
    *list = (struct barrier_list){.recording = recording};
}

/* Adds scopes to the list and returns their index. If memory is out, `out_of_memory` is set, and
 * the list is not used. */
static uint32_t add_scopes(struct barrier_list *list, const struct sync_barrier *barrier)
{
    struct sync_command_buffer *sync = list->recording->sync;
    if (!vec_room(&sync->barriers, list->barriers.barrier_count, &sync->barrier_capacity, 16,
                  sizeof(*sync->barriers))) {
        list->out_of_memory = true;
        return 0;
    }
    sync->barriers[list->barriers.barrier_count] = *barrier;
    sync->barriers[list->barriers.barrier_count].event = list->event;
    return list->barriers.barrier_count++;
}

/* Adds a range, whose scopes have been added before. */
static void barriers_add_place(struct barrier_list *list, const struct sync_range_barrier *range)
{
    struct sync_command_buffer *sync = list->recording->sync;
    if (!vec_room(&sync->ranges, list->barriers.range_count, &sync->range_capacity, 16,
                  sizeof(*sync->ranges))) {
        list->out_of_memory = true;
        return;
    }
    sync->ranges[list->barriers.range_count++] = *range;
}

/* True if the mask names all earlier commands, and so includes layout transitions, which are in no
 * stage. */
static bool names_everything(VkPipelineStageFlags2 src)
{
    return (src &
            (VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT)) != 0;
}

/* True if the known scopes were made from these masks. */
static ALWAYS_INLINE bool is_known(const struct known_scopes *known,
                                   const struct known_scopes *masks)
{
    return known->src_stages == masks->src_stages && known->dst_stages == masks->dst_stages &&
           known->src_accesses == masks->src_accesses && known->dst_accesses == masks->dst_accesses;
}

/* The scopes of a list that is out of memory, which order nothing. */
static const struct sync_barrier no_scopes;

/* Makes room for the scopes of the command buffer's barriers, by masks. Returns false if memory is
 * out, and notes that in the list. */
static COLD bool make_scopes(struct barrier_list *list)
{
    struct sync_command_buffer *sync = list->recording->sync;
    if (mem_make(&sync->scopes, NULL, SCOPES_KNOWN * sizeof(*sync->scopes)))
        return true;
    list->out_of_memory = true;
    return false;
}

/* Makes scopes for masks that differ from those last used in this place of the cache. */
static COLD const struct sync_barrier *renew_scopes(struct barrier_list *list, uint32_t place,
                                                    VkPipelineStageFlags2 src_stages,
                                                    VkAccessFlags2 src_accesses,
                                                    VkPipelineStageFlags2 dst_stages,
                                                    VkAccessFlags2 dst_accesses)
{
    const struct known_scopes masks = {src_stages, dst_stages, src_accesses, dst_accesses};
    struct sync_command_buffer *sync = list->recording->sync;
    if (!sync->scopes && !make_scopes(list))
        return &no_scopes;
    struct known_scopes *known = sync->scopes[place];
    /* Each place keeps two scopes, as programs alternate between two kinds of barriers. */
    if (is_known(&known[1], &masks))
        return &known[1].barrier;
    known[1] = known[0];
    known[0] = masks;
    known[0].barrier.src = sync_scope_source(src_stages, src_accesses, &sync->queue);
    known[0].barrier.dst = sync_scope_destination(dst_stages, dst_accesses, &sync->queue);
    known[0].barrier.everything = names_everything(src_stages);
    return &known[0].barrier;
}

/* Returns the scopes for these masks, valid until the next call. They are empty if memory is out,
 * which the list notes. */
static const struct sync_barrier *
scopes_of(struct barrier_list *list, VkPipelineStageFlags2 src_stages, VkAccessFlags2 src_accesses,
          VkPipelineStageFlags2 dst_stages, VkAccessFlags2 dst_accesses)
{
    const struct sync_command_buffer *sync = list->recording->sync;
    const uint64_t mixed = src_stages * 3 ^ dst_stages * 5 ^ src_accesses * 7 ^ dst_accesses * 11;
    const uint32_t place = (uint32_t)(mixed * 0x9e3779b97f4a7c15ull >> 61);
    static_assert(SCOPES_KNOWN == 1 << (64 - 61), "three bits of the product");
    const struct known_scopes masks = {src_stages, dst_stages, src_accesses, dst_accesses};
    if (likely(sync->scopes && is_known(&sync->scopes[place][0], &masks)))
        return &sync->scopes[place][0].barrier;
    return renew_scopes(list, place, src_stages, src_accesses, dst_stages, dst_accesses);
}

/* Adds a memory barrier for all of memory. Global scopes come first in the list, so that a count of
 * them is enough. */
static void add_global(struct barrier_list *list, VkPipelineStageFlags2 src_stages,
                       VkAccessFlags2 src_accesses, VkPipelineStageFlags2 dst_stages,
                       VkAccessFlags2 dst_accesses)
{
    add_scopes(list, scopes_of(list, src_stages, src_accesses, dst_stages, dst_accesses));
    list->barriers.global_count = list->barriers.barrier_count;
}

/* "The first access scope is limited to ...": the execution dependency of a barrier with a resource
 * is not limited. It is between all commands. */
static void add_execution(struct barrier_list *list, VkPipelineStageFlags2 src,
                          VkPipelineStageFlags2 dst, bool of_resource)
{
    const struct sync_barrier *barrier = scopes_of(list, src, 0, dst, 0);
    const struct sync_barrier *others = list->recording->sync->barriers;
    /* A global barrier that orders as much makes it superfluous. */
    for (uint32_t i = 0; i < list->barriers.global_count; i++) {
        if (!(barrier->src.stages & ~others[i].src.stages) &&
            !(barrier->dst.stages & ~others[i].dst.stages) &&
            barrier->everything == others[i].everything && others[i].event == list->event)
            return;
    }
    if (barrier->src.stages && barrier->dst.stages) {
        struct sync_barrier execution = *barrier;
        execution.of_resource = of_resource;
        add_scopes(list, &execution);
        list->barriers.global_count = list->barriers.barrier_count;
    }
}

void barrier_list_add_transition(struct barrier_list *list, uint64_t image,
                                 const struct sync_place *place, const struct sync_barrier *barrier,
                                 uint32_t alias)
{
    struct sync_range_barrier range = {.place = *place,
                                       .barrier = add_scopes(list, barrier),
                                       .alias = alias,
                                       .resource = object_index(image),
                                       .transition = true};
    barriers_add_place(list, &range);
}

bool barrier_list_end(struct barrier_list *list, uint64_t resource,
                      const struct access_source *source)
{
    struct sync_command_buffer *sync = list->recording->sync;
    if (list->out_of_memory)
        sync->context.broken = true;
    /* Something may be ordered now, so accesses that draws have remembered must be checked
     * again. */
    sync->epoch++;
    list->barriers.barriers = sync->barriers;
    list->barriers.ranges = sync->ranges;
    if (list->out_of_memory || !list->barriers.barrier_count)
        return false;
    list->barriers.tag = recording_tag(list->recording, resource, source);
    return list->barriers.tag != 0;
}

/* --- resources --- */

/* Says which half of an ownership transfer a barrier is. A release makes nothing visible here, and
 * an acquire makes nothing available here (7.7.4). */
struct ownership {
    bool moves, acquires;
};

static struct ownership ownership_of(const struct barrier_list *list, VkSharingMode mode,
                                     uint32_t src, uint32_t dst)
{
    bool moves = moves_ownership(mode, src, dst);
    return (struct ownership){
        moves, moves && barrier_acquires(src, dst, list->recording->command_buffer->queue_family)};
}

/* Removes the accesses of the other half, which is recorded on another queue. */
static void restrict_to_half(struct sync_barrier *barrier, struct ownership ownership)
{
    if (ownership.acquires)
        barrier->src.accesses = (struct usage_mask){0};
    else if (ownership.moves)
        barrier->dst.accesses = (struct usage_mask){0};
}

/* Adds a range for a buffer barrier. A NULL buffer, or a range outside of the buffer, adds
 * nothing. */
static void add_buffer(struct barrier_list *list, const struct sync_barrier *scopes,
                       const struct buffer *buffer, VkDeviceSize offset, VkDeviceSize size,
                       uint32_t src_family, uint32_t dst_family)
{
    struct sync_range_barrier range = {0};
    if (!buffer || !sync_buffer_place(&range.place, buffer, offset, size))
        return;
    range.resource = object_index(object_state_id(&buffer->base));
    if (!list->resource)
        list->resource = object_state_id(&buffer->base);
    struct sync_barrier barrier = *scopes;
    restrict_to_half(&barrier, ownership_of(list, buffer->sharing_mode, src_family, dst_family));
    range.barrier = add_scopes(list, &barrier);
    barriers_add_place(list, &range);
}

/* True if layers of a 3D image mean slices in barriers (VkImageSubresourceRange: "If ...
 * maintenance9 ..."). */
static bool barriers_have_slices(const struct call *call, const struct image *image,
                                 const VkImageSubresourceRange *range)
{
    return image->type == VK_IMAGE_TYPE_3D &&
           image->flags & VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT &&
           device_has_slices(call->device) && range->levelCount == 1;
}

/* Adds an image barrier to the list: its scopes, and a range for each place. */
static void barriers_add_image(struct barrier_list *list, const struct image_barrier *app)
{
    const struct call *call = list->recording->call;
    const struct image *image = find_image(call, app->handle);
    if (!image)
        return;
    /* Reports name the first resource for the whole list. */
    if (!list->resource)
        list->resource = object_state_id(&image->base);
    struct sync_barrier barrier =
        *scopes_of(list, app->src_stages, app->src_accesses, app->dst_stages, app->dst_accesses);
    struct ownership ownership =
        ownership_of(list, image->sharing_mode, app->src_family, app->dst_family);
    restrict_to_half(&barrier, ownership);
    struct sync_range_barrier range = {
        .barrier = add_scopes(list, &barrier),
        .resource = object_index(object_state_id(&image->base)),
        .transition = app->old_layout != app->new_layout,
        .discards = app->old_layout == VK_IMAGE_LAYOUT_UNDEFINED,
        .acquire = ownership.acquires,
    };
    struct image_places places;
    if (barriers_have_slices(call, image, app->range))
        image_places_of_slices(&places, image, app->range);
    else
        image_places_of_range(&places, image, app->range);
    while (image_places_next(&places)) {
        range.place = places.place;
        barriers_add_place(list, &range);
    }
    /* The barrier is added a second time for the image's memory, where aliases access it. */
    if (unlikely(image_shares_memory(image))) {
        range.place = image_memory_place(image);
        range.alias = image_alias_number(image);
        barriers_add_place(list, &range);
    }
}

void barrier_list_add(struct barrier_list *list, VkPipelineStageFlags src, VkPipelineStageFlags dst,
                      uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
                      const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                      const VkImageMemoryBarrier *images)
{
    for (uint32_t i = 0; memory && i < memory_count; i++)
        add_global(list, src, memory[i].srcAccessMask, dst, memory[i].dstAccessMask);
    add_execution(list, src, dst, buffer_count || image_count);
    for (uint32_t i = 0; buffers && i < buffer_count; i++) {
        const struct sync_barrier *scopes =
            scopes_of(list, src, buffers[i].srcAccessMask, dst, buffers[i].dstAccessMask);
        add_buffer(list, scopes, find_buffer(list->recording->call, buffers[i].buffer),
                   buffers[i].offset, buffers[i].size, buffers[i].srcQueueFamilyIndex,
                   buffers[i].dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; images && i < image_count; i++) {
        struct image_barrier barrier = image_barrier_of(&images[i], src, dst);
        barriers_add_image(list, &barrier);
    }
}

/* Returns the barriers of address ranges in the chain (VK_KHR_device_address_commands), or NULL. */
static const VkMemoryRangeBarriersInfoKHR *address_barriers(const VkDependencyInfo *info)
{
    return chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
}

/* Finds the buffer in which the range lies. Returns false if it is not known. */
static bool find_addresses(const struct barrier_list *list, const VkDeviceAddressRangeKHR *range,
                           struct address_search *found)
{
    *found = device_address_find(list->recording->call->device, range->address, range->size, 0);
    return found->buffer && found->rest <= found->buffer->size;
}

/* Adds the global part of address barriers. An address that lies in no known buffer may be
 * anywhere: its barrier counts as one for all of memory. */
static void add_addresses_global(struct barrier_list *list, const VkDependencyInfo *info)
{
    const VkMemoryRangeBarriersInfoKHR *ranges = address_barriers(info);
    struct address_search found;
    for (uint32_t i = 0;
         ranges && ranges->pMemoryRangeBarriers && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *barrier = &ranges->pMemoryRangeBarriers[i];
        if (find_addresses(list, &barrier->addressRange, &found))
            add_execution(list, barrier->srcStageMask, barrier->dstStageMask, true);
        else
            add_global(list, barrier->srcStageMask, barrier->srcAccessMask, barrier->dstStageMask,
                       barrier->dstAccessMask);
    }
}

/* Adds a range for each address barrier whose buffer is known; the others have got a global
 * barrier. */
static void add_addresses(struct barrier_list *list, const VkDependencyInfo *info)
{
    const VkMemoryRangeBarriersInfoKHR *ranges = address_barriers(info);
    struct address_search found;
    for (uint32_t i = 0;
         ranges && ranges->pMemoryRangeBarriers && i < ranges->memoryRangeBarrierCount; i++) {
        const VkMemoryRangeBarrierKHR *app = &ranges->pMemoryRangeBarriers[i];
        const struct sync_barrier *scopes = scopes_of(list, app->srcStageMask, app->srcAccessMask,
                                                      app->dstStageMask, app->dstAccessMask);
        if (find_addresses(list, &app->addressRange, &found))
            add_buffer(list, scopes, found.buffer, found.buffer->size - found.rest,
                       app->addressRange.size, app->srcQueueFamilyIndex, app->dstQueueFamilyIndex);
    }
}

void barrier_list_add2_global(struct barrier_list *list, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; info->pMemoryBarriers && i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *barrier = &info->pMemoryBarriers[i];
        add_global(list, barrier->srcStageMask, barrier->srcAccessMask, barrier->dstStageMask,
                   barrier->dstAccessMask);
    }
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++)
        add_execution(list, info->pBufferMemoryBarriers[i].srcStageMask,
                      info->pBufferMemoryBarriers[i].dstStageMask, true);
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++)
        add_execution(list, info->pImageMemoryBarriers[i].srcStageMask,
                      info->pImageMemoryBarriers[i].dstStageMask, true);
    add_addresses_global(list, info);
}

void barrier_list_add2_ranges(struct barrier_list *list, const VkDependencyInfo *info)
{
    for (uint32_t i = 0; info->pBufferMemoryBarriers && i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *buffer = &info->pBufferMemoryBarriers[i];
        const struct sync_barrier *scopes =
            scopes_of(list, buffer->srcStageMask, buffer->srcAccessMask, buffer->dstStageMask,
                      buffer->dstAccessMask);
        add_buffer(list, scopes, find_buffer(list->recording->call, buffer->buffer), buffer->offset,
                   buffer->size, buffer->srcQueueFamilyIndex, buffer->dstQueueFamilyIndex);
    }
    for (uint32_t i = 0; info->pImageMemoryBarriers && i < info->imageMemoryBarrierCount; i++) {
        struct image_barrier barrier = image_barrier_of2(&info->pImageMemoryBarriers[i]);
        barriers_add_image(list, &barrier);
    }
    add_addresses(list, info);
}

/* --- pipeline barriers --- */

/* Records the list as one command. Returns true if the call is to be skipped. */
static bool end_pipeline_barrier(struct barrier_list *list)
{
    struct access_source source = {.role = ROLE_BARRIER};
    if (barrier_list_end(list, list->resource, &source))
        sync_context_barriers(&list->recording->sync->context, &list->barriers);
    return recording_finish_order(list->recording, NULL);
}

bool sync_validate_CmdPipelineBarrier(struct call *call, VkCommandBuffer commandBuffer,
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
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin_order(&recording, call))
        return false;
    barrier_list_begin(&list, &recording);
    barrier_list_add(&list, srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers,
                     bufferMemoryBarrierCount, pBufferMemoryBarriers, imageMemoryBarrierCount,
                     pImageMemoryBarriers);
    return end_pipeline_barrier(&list);
}

bool sync_validate_CmdPipelineBarrier2(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkDependencyInfo *pDependencyInfo)
{
    struct recording recording;
    struct barrier_list list;
    if (!recording_begin_order(&recording, call))
        return false;
    barrier_list_begin(&list, &recording);
    barrier_list_add2_global(&list, pDependencyInfo);
    barrier_list_add2_ranges(&list, pDependencyInfo);
    return end_pipeline_barrier(&list);
}
