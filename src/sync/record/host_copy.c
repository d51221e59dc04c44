/* Finds copies by the host to or from images that submitted work still uses (19.5 "Host Image
 * Copies", 12.4 "vkTransitionImageLayout"). "The application must guarantee that any previously
 * submitted command that reads from or writes to the copy regions has completed before the host
 * performs the copy": the host must have learnt of that. The host's own access is over when the
 * call ends, and comes before all later submissions. So it is not recorded. */
#include "sync/access/aliases.h"
#include "sync/access/areas.h"
#include "sync/hooks.h"
#include "sync/queue/queue.h"
#include "sync/access/ranges.h"

/* Belongs to the context, not to a queue. */
#define HOST_QUEUE 0

/* One image of one call. */
struct host_access {
    struct processing *processing; /* the call that is being processed */
    const struct image *image;
    struct sync_access access; /* its tag is 0 until the first hazard */
};

/* Begins the check of an access by the host. Returns false if nothing has been submitted, so that
 * nothing can collide. */
static bool host_copy_begin(struct processing *processing, const struct call *call)
    TRY_ACQUIRE(true, processing->group->lock)
{
    const struct device_state *state = object_load_state(call->device->object);
    return state &&
           atomic_load_explicit(&sync_in_device_state(state)->sync, memory_order_acquire) &&
           processing_begin(processing, call, NULL);
}

/* Gives the host's access a tag, with a log of one entry, so that a report finds it. Returns false
 * if memory is out. */
static bool make_tag(struct host_access *host)
{
    struct sync_group *group = host->processing->group;
    lock_held(&group->lock); /* since host_copy_begin() */
    const struct access_entry entry = {.resource = object_state_id(&host->image->base),
                                       .caller = host->processing->call->caller,
                                       .command = host->processing->call->command,
                                       .source = {.role = ROLE_HOST}};
    struct command_log *log = command_log_take();
    const struct queue_slot slot = {.sequence = UINT64_MAX, .log = log};
    uint64_t base =
        log && command_log_add(log, &entry) ? sync_group_add_slot(group, HOST_QUEUE, &slot) : 0;
    command_log_release(log);
    host->access.tag = base ? base << 32 | 1 : 0;
    return base != 0;
}

/* Checks an access of the host against the accesses of queues. The access gets a tag, which reports
 * need, only if there is a hazard. Lock: the lock of the group. */
static void host_copy_check_place(struct host_access *host, const struct sync_place *place,
                                  const struct sync_access *access)
{
    struct sync_group *group = host->processing->group;
    struct sync_context *context = &group->context;
    struct sync_access told = *access;
    lock_held(&group->lock); /* since host_copy_begin() */
    queue_claim(group, place->space, place->begin, place->end, HOST_QUEUE);
    /* The first check has no sink: nearly all accesses are clean, and need no tag. */
    context->sink = NULL;
    bool clean = sync_context_check(context, place, access);
    context->sink = &group->sink;
    if (likely(clean) || (!host->access.tag && !make_tag(host)))
        return;
    told.tag = host->access.tag;
    (void)sync_context_check(context, place, &told);
}

/* Checks the host's access to places of an image, and to the memory that the image shares. */
static void check_places(struct processing *processing, struct image_places *places,
                         enum sync_usage usage)
{
    struct host_access host = {.processing = processing,
                               .image = places->image,
                               .access = {.usage = (uint16_t)usage, .queue = HOST_QUEUE}};
    while (image_places_next(places))
        host_copy_check_place(&host, &places->place, &host.access);
    if (unlikely(image_shares_memory(host.image))) {
        struct sync_place memory = image_memory_place(host.image);
        struct sync_access access = host.access;
        access.instance = image_alias_number(host.image);
        access.ordering = SYNC_ORDER_ALIAS;
        host_copy_check_place(&host, &memory, &access);
    }
}

/* Checks the host's access to one region. `image` is NULL if it is unknown. */
static void host_copy_check_region(struct processing *processing, const struct image *image,
                                   const VkImageSubresourceLayers *subresource, VkOffset3D offset,
                                   VkExtent3D extent, enum sync_usage usage)
{
    struct image_places places;
    if (!image)
        return;
    image_places_of_region(&places, image, subresource, offset, extent);
    check_places(processing, &places, usage);
}

void sync_before_CopyMemoryToImage(struct call *call, VkDevice device,
                                   const VkCopyMemoryToImageInfo *pCopyMemoryToImageInfo)
{
    const VkCopyMemoryToImageInfo *info = pCopyMemoryToImageInfo;
    struct processing processing;
    if (!host_copy_begin(&processing, call))
        return;
    for (uint32_t i = 0; info->pRegions && i < info->regionCount; i++)
        host_copy_check_region(&processing, find_image(call, info->dstImage),
                               &info->pRegions[i].imageSubresource, info->pRegions[i].imageOffset,
                               info->pRegions[i].imageExtent, SYNC_HOST_HOST_WRITE);
    processing_end(&processing);
}

void sync_before_CopyImageToMemory(struct call *call, VkDevice device,
                                   const VkCopyImageToMemoryInfo *pCopyImageToMemoryInfo)
{
    const VkCopyImageToMemoryInfo *info = pCopyImageToMemoryInfo;
    struct processing processing;
    if (!host_copy_begin(&processing, call))
        return;
    for (uint32_t i = 0; info->pRegions && i < info->regionCount; i++)
        host_copy_check_region(&processing, find_image(call, info->srcImage),
                               &info->pRegions[i].imageSubresource, info->pRegions[i].imageOffset,
                               info->pRegions[i].imageExtent, SYNC_HOST_HOST_READ);
    processing_end(&processing);
}

void sync_before_CopyImageToImage(struct call *call, VkDevice device,
                                  const VkCopyImageToImageInfo *pCopyImageToImageInfo)
{
    const VkCopyImageToImageInfo *info = pCopyImageToImageInfo;
    struct processing processing;
    if (!host_copy_begin(&processing, call))
        return;
    for (uint32_t i = 0; info->pRegions && i < info->regionCount; i++) {
        const VkImageCopy2 *region = &info->pRegions[i];
        host_copy_check_region(&processing, find_image(call, info->srcImage),
                               &region->srcSubresource, region->srcOffset, region->extent,
                               SYNC_HOST_HOST_READ);
        host_copy_check_region(&processing, find_image(call, info->dstImage),
                               &region->dstSubresource, region->dstOffset, region->extent,
                               SYNC_HOST_HOST_WRITE);
    }
    processing_end(&processing);
}

void sync_before_TransitionImageLayout(struct call *call, VkDevice device, uint32_t transitionCount,
                                       const VkHostImageLayoutTransitionInfo *pTransitions)
{
    struct processing processing;
    if (!pTransitions || !host_copy_begin(&processing, call))
        return;
    for (uint32_t i = 0; i < transitionCount; i++) {
        const struct image *image = find_image(call, pTransitions[i].image);
        struct image_places places;
        if (!image || pTransitions[i].oldLayout == pTransitions[i].newLayout)
            continue;
        image_places_of_range(&places, image, &pTransitions[i].subresourceRange);
        check_places(&processing, &places, SYNC_HOST_HOST_WRITE);
    }
    processing_end(&processing);
}

/* --- what the host may have learnt by other means --- */

/* Notes that the host has seen that some work is done. It is not known which: all that was
 * submitted so far may be. */
static void host_has_seen(const struct call *call)
{
    struct sync_device *sync = sync_device_made(call);
    if (sync)
        atomic_fetch_add_explicit(&sync->host_looks, 1, memory_order_relaxed);
}

void sync_after_GetEventStatus(struct call *call, VkDevice device, VkEvent event)
{
    if (call->result == VK_EVENT_SET)
        host_has_seen(call);
}

void sync_after_GetQueryPoolResults(struct call *call, VkDevice device, VkQueryPool queryPool,
                                    uint32_t firstQuery, uint32_t queryCount, size_t dataSize,
                                    void *pData, VkDeviceSize stride, VkQueryResultFlags flags)
{
    if (call->result == VK_SUCCESS)
        host_has_seen(call);
}
