/* Finds submitted work that reads what another queue family owns, or that uses a resource which its
 * family does not share (6.5 "Command Buffer Submission"). */
#include "sync/access/areas.h"
#include "sync/queue/owners.h"

#include <inttypes.h>

#include "report/finding/finding.h"
#include "report/finding/reporter.h"
#include "report/finding/rule.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/ownership.h"
#include "sync/access/aliases.h"
#include "sync/queue/queue.h"
#include "sync/access/ranges.h"

/* --- findings --- */

enum found_kind {
    FOUND_READ,     /* another family owns the resource that is read */
    FOUND_UNSHARED, /* the family is not among those that share the resource */
    FOUND_MODIFIED, /* the resource was written between its release and this acquire */
};

/* A finding, which is kept while the lock is held, and reported afterwards. */
struct owners_found {
    enum found_kind kind;
    /* ids; for an acquire, `command_buffer` is the submitted one */
    uint64_t resource, command_buffer;
    uint32_t batch, index; /* index of the call's batch, and of the batch's command buffer */
    enum command command; /* for FOUND_READ and FOUND_UNSHARED: the command that makes the access */
    uint32_t command_index;
    struct owner owner; /* for FOUND_READ and FOUND_MODIFIED: the owner before this submission */
};
#define OWNERS_FOUND 8 /* the most findings that one call reports; more would say little */

/* The state of a walk over one command buffer of one call. */
struct owner_walk {
    const struct call *call;
    struct owners *owners;
    const struct queue *queue;
    uint64_t stamp;        /* the submission's use_stamp() */
    uint32_t batch, index; /* as in owners_found */
    bool ahead;            /* the batch waits for work that is submitted later */
    bool preserves;        /* maintenance9: contents are kept, or may be */
    const struct command_log *log;
    /* index of the first span in `log` that ends after the tag that was last asked for */
    uint32_t span;
    uint64_t before; /* number of tags in the spans before that one */
    uint32_t found_count;
    struct owners_found found[OWNERS_FOUND];
};

/* Adds a finding; NULL: the resource has one of this kind already, or there are OWNERS_FOUND. */
static struct owners_found *add_found(struct owner_walk *walk, enum found_kind kind,
                                      uint64_t resource)
{
    for (uint32_t i = 0; i < walk->found_count; i++) {
        if (walk->found[i].resource == resource && walk->found[i].kind == kind)
            return NULL;
    }
    if (walk->found_count == OWNERS_FOUND)
        return NULL;
    struct owners_found *found = &walk->found[walk->found_count++];
    *found = (struct owners_found){
        .kind = kind, .resource = resource, .batch = walk->batch, .index = walk->index};
    return found;
}

/* Reports an access by a family that the resource is not shared with. Returns true if the call is
 * to be skipped. */
static COLD bool tell_unshared(const struct owner_walk *walk, const struct owners_found *found,
                               const struct location *where, const struct finding_objects *objects)
{
    return BROKEN_BY(walk->call, VUID_vkQueueSubmit_pSubmits_04626, where, objects,
                     "accesses by %s (command %u) a resource that was created for "
                     "VK_SHARING_MODE_CONCURRENT without queue family %u, which the queue belongs "
                     "to",
                     command_name[found->command], found->command_index, walk->queue->family);
}

/* Reports a write between release and acquire. Returns true if the call is to be skipped. */
static COLD bool tell_modified(const struct owner_walk *walk, const struct owners_found *found,
                               const struct location *where, const struct finding_objects *objects)
{
    enum vuid vuid = walk->call->command == COMMAND_QueueSubmit
                         ? VUID_vkQueueSubmit_pSubmits_10911
                         : VUID_vkQueueSubmit2_commandBuffer_10910;
    const struct owner *owner = &found->owner;
    return BROKEN_BY(walk->call, vuid, where, objects,
                     "acquires a resource from queue family %u, but %s (command %u of its command "
                     "buffer) has written it since it was released",
                     owner->family, command_name[owner->command], owner->command_index);
}

/* Reports a read of a resource that another queue family owns. Returns true if the call is to be
 * skipped. */
static COLD bool tell_read(const struct owner_walk *walk, const struct owners_found *found,
                           const struct location *where, const struct finding_objects *objects)
{
    const struct owner *owner = &found->owner;
    if (owner->kind == OWNER_ACQUIRED)
        return BROKEN_BY(walk->call, VUID_vkQueueSubmit_pSubmits_02808, where, objects,
                         "reads by %s (command %u) what queue family %u has acquired and not "
                         "released to family %u, so that its contents are undefined here",
                         command_name[found->command], found->command_index, owner->family,
                         walk->queue->family);
    return BROKEN_BY(walk->call, VUID_vkQueueSubmit_pSubmits_02808, where, objects,
                     "reads by %s (command %u) what queue family %u owns: %s (command %u of its "
                     "command buffer) has written it there, and no barriers have transferred it to "
                     "family %u since, so that its contents are undefined here",
                     command_name[found->command], found->command_index, owner->family,
                     command_name[owner->command], owner->command_index, walk->queue->family);
}

/* Reports one finding of a submission, if its objects still exist. */
static COLD void owners_report(const struct owner_walk *walk, const struct owners_found *found)
{
    const struct object *resource =
        object_find_id(found->resource, object_id_type(found->resource));
    const struct object *command_buffer =
        object_find_id(found->command_buffer, HANDLE_COMMAND_BUFFER);
    if (!resource || !command_buffer)
        return;
    const struct location submit = LOCATION_INDEX(NULL, "pSubmits", found->batch);
    const char *array =
        walk->call->command == COMMAND_QueueSubmit ? "pCommandBuffers" : "pCommandBufferInfos";
    const struct location where = LOCATION_INDEX(&submit, array, found->index);
    const struct finding_objects *objects =
        OBJECT2(HANDLE_COMMAND_BUFFER, object_handle(command_buffer),
                object_id_type(found->resource), object_handle(resource));
    if (found->kind == FOUND_READ)
        tell_read(walk, found, &where, objects);
    else if (found->kind == FOUND_UNSHARED)
        tell_unshared(walk, found, &where, objects);
    else
        tell_modified(walk, found, &where, objects);
}

/* --- resources --- */

/* True if only this program knows the memory. With `host_may_write` false, also only if the host
 * has not mapped it. */
static bool is_own_memory(const struct memory_binding *binding, bool host_may_write)
{
    const struct device_memory *memory = device_memory_by_id(binding->memory);
    return memory && !memory->import_type && !memory->export_types &&
           !atomic_load_explicit(&memory->exported, memory_order_relaxed) &&
           !(host_may_write && memory->mapped);
}

/* True if it is known which other resources are bound to the image's memory
 * (sync/access/aliases.h). */
static bool is_known_place(const struct image *image)
{
    const struct device_memory *memory = device_memory_by_id(image->binding[0].memory);
    return sync_in_image(image)->memory_size ||
           (memory && memory->dedicated_image &&
            memory->dedicated_image == object_state_id(&image->base));
}

/* True if only queues of this device write the resource, and no other resource shares its memory.
 * This is only checked before a report, as it costs more than the rest. */
static COLD bool is_exclusive(uint64_t resource)
{
    if (object_id_type(resource) == HANDLE_BUFFER) {
        const struct buffer *buffer = buffer_by_id(resource);
        return buffer && !buffer->external_types &&
               !(buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) &&
               is_own_memory(&buffer->binding, true) && sync_buffer_is_alone(buffer);
    }
    const struct image *image = image_by_id(resource);
    return image && !image->external_types && !image->swapchain && !image->from_swapchain &&
           !image_is_sparse(image) && !image_is_disjoint(image) &&
           !(image->usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT) && !sync_in_image(image)->space &&
           !image_shares_memory(image) && is_known_place(image) &&
           is_own_memory(&image->binding[0], image->tiling != VK_IMAGE_TILING_OPTIMAL);
}

/* Finds the sharing mode, and the families as bits. Returns false if the resource is neither a
 * buffer nor an image. */
static bool sharing_of(uint64_t resource, VkSharingMode *mode, uint64_t *families)
{
    const struct buffer *buffer =
        object_id_type(resource) == HANDLE_BUFFER ? buffer_by_id(resource) : NULL;
    const struct image *image =
        object_id_type(resource) == HANDLE_IMAGE ? image_by_id(resource) : NULL;
    if (!buffer && !image)
        return false;
    *mode = buffer ? buffer->sharing_mode : image->sharing_mode;
    *families = buffer ? buffer->sharing_families : image->sharing_families;
    return true;
}

/* --- order of submissions --- */

/* True if a wait for this value of a timeline semaphore ends after the submission with this stamp.
 * A signal of a smaller value comes earlier: "the value must be greater than the current value of
 * the semaphore". */
static bool timeline_covers(uint64_t id, uint64_t value, uint64_t stamp)
{
    return semaphore_covers(semaphore_by_id(id), value, stamp);
}

/* Gets wait number i of those that the queue keeps; returns false if there are fewer. The ring may
 * move between two calls, so each call takes the lock. */
static bool wait_at(struct queue *queue, uint32_t i, struct queue_wait *wait)
{
    lock_take(&queue->lock);
    bool found = i < atomic_load_explicit(&queue->wait_count, memory_order_relaxed);
    if (found)
        *wait = queue->waits[(queue->wait_first + i) & (queue->wait_capacity - 1)];
    lock_release(&queue->lock);
    return found;
}

/* The most semaphores from queue to queue that are followed. */
#define CHAIN_MOST 4

/* True if the submission with stamp `stamp` is done before that with `later` begins. False where
 * that is not known. */
static COLD bool happens_before(const struct device *device, uint64_t stamp, uint64_t later,
                                uint32_t chain)
{
    struct queue *earlier = stamp_queue(device, stamp), *queue = stamp_queue(device, later);
    struct queue_wait wait = {0};
    if (!earlier || !queue || !chain)
        return false;
    if (stamp_sequence(stamp) <= atomic_load_explicit(&earlier->completed, memory_order_acquire) ||
        (earlier == queue && stamp_sequence(stamp) <= stamp_sequence(later)))
        return true;
    for (uint32_t i = 0; wait_at(queue, i, &wait) && wait.sequence <= stamp_sequence(later); i++) {
        if (wait.semaphore ? timeline_covers(wait.semaphore, wait.value, stamp)
                           : happens_before(device, stamp, wait.value, chain - 1))
            return true;
    }
    return false;
}

/* --- accesses --- */

enum access_kind {
    ACCESS_NONE,       /* the access does not touch the contents */
    ACCESS_READ,       /* reads all of the range */
    ACCESS_READ_SOME,  /* part of the range, and it is not known which */
    ACCESS_WRITE,      /* writes all of the range */
    ACCESS_WRITE_SOME, /* may write some of the range */
};

/* Decides whether an access reads or writes all of its place for certain, or some of it. */
static enum access_kind kind_of(const struct sync_access *access)
{
    const sync_stage_mask transfers =
        (sync_stage_mask)1 << SYNC_STAGE_COPY | (sync_stage_mask)1 << SYNC_STAGE_BLIT |
        (sync_stage_mask)1 << SYNC_STAGE_RESOLVE | (sync_stage_mask)1 << SYNC_STAGE_CLEAR;
    const sync_stage_mask inputs = (sync_stage_mask)1 << SYNC_STAGE_INDEX_INPUT |
                                   (sync_stage_mask)1 << SYNC_STAGE_DRAW_INDIRECT;
    const struct sync_usage_info *info = &sync_usage_info[access->usage];
    bool exact = info->stage_mask & transfers || access->ordering == SYNC_ORDER_LOAD;
    if (info->is_write)
        return exact || access->ordering == SYNC_ORDER_STORE ||
                       access->ordering == SYNC_ORDER_RESOLVE
                   ? ACCESS_WRITE
                   : ACCESS_WRITE_SOME;
    if (exact || info->stage_mask & inputs)
        return ACCESS_READ;
    return access->ordering == SYNC_UNORDERED ? ACCESS_READ_SOME : ACCESS_NONE;
}

/* Finds the command that made the access, by its tag; NULL: it is not known. Tags grow along the
 * stream, so that each span is passed once. */
static const struct access_entry *owners_entry(struct owner_walk *walk, uint64_t tag,
                                               uint64_t *command_buffer)
{
    const struct command_log *log = walk->log;
    struct access_origin origin;
    while (walk->span < log->span_count &&
           log->spans[walk->span].first + log->spans[walk->span].count <= tag)
        walk->before += log->spans[walk->span++].count;
    uint64_t index = tag - 1 - walk->before;
    *command_buffer = log->command_buffer;
    if (walk->span == log->span_count || log->spans[walk->span].first > tag)
        return index < log->count ? &log->entries[index] : NULL;
    if (!command_log_find(log, tag, &origin))
        return NULL;
    *command_buffer = origin.log->command_buffer;
    return origin.entry;
}

/* One access of one command, in one or several pieces of a space. */
struct owner_access {
    const struct stream_item *items; /* `count` of them */
    uint32_t count;
    enum access_kind kind;
    const struct access_entry *entry; /* the log entry of the command's access */
    uint64_t command_buffer; /* id of the command buffer in which the command was recorded */
};

/* True if the access certainly reads what the owner has written. */
static bool reads_from(const struct owner *owner, const struct owner_access *access)
{
    for (uint32_t i = 0; i < access->count; i++) {
        const struct sync_place *place = &access->items[i].place;
        if (access->kind == ACCESS_READ && owner_meets(owner, place->begin, place->end))
            return true;
        if (access->kind == ACCESS_READ_SOME && !owner_covers(owner, place->begin, place->end))
            return false;
    }
    return access->kind == ACCESS_READ_SOME;
}

/* True if mute_labels names a label within which the access was recorded. */
static bool owners_are_muted(const struct owner_walk *walk, const struct owner_access *access)
{
    struct access_origin origin;
    return unlikely(walk->call->instance->settings.mute_labels.count) &&
           command_log_find(walk->log, access->items[0].access.tag, &origin) &&
           access_origin_is_muted(&origin);
}

/* Counts a finding that mute_labels keeps back. */
static void count_muted(const struct owner_walk *walk)
{
    reporter_count_muted_by_label(walk->call->instance->reporter);
}

/* Looks at a read of an exclusive resource: it is a finding if another queue family owns the
 * range. */
static void read_resource(struct owner_walk *walk, const struct owner_access *access)
{
    uint64_t resource = access->entry->resource;
    struct owner *owner = owners_find(walk->owners, resource);
    if (likely(!owner || owner->family == walk->queue->family || owner->family == UINT32_MAX))
        return;
    if (owner->kind == OWNER_UNKNOWN || owner->kind == OWNER_RELEASED || walk->ahead ||
        walk->preserves || !reads_from(owner, access) ||
        !happens_before(walk->call->device, owner->stamp, walk->stamp, CHAIN_MOST) ||
        !is_exclusive(resource))
        return;
    if (owner->muted || owners_are_muted(walk, access))
        return count_muted(walk);
    struct owners_found *found = add_found(walk, FOUND_READ, resource);
    if (found) {
        found->command = access->entry->command;
        found->command_index = access->entry->command_index;
        found->command_buffer = access->command_buffer;
        found->owner = *owner;
    }
    owner_forget(owner); /* one report is enough */
}

/* Takes the finding of a read back when the same command writes the resource: a shader that reads
 * and writes the same memory may have written it first. */
static void take_back_read(struct owner_walk *walk, const struct owner_access *access)
{
    struct owners_found *last = walk->found_count ? &walk->found[walk->found_count - 1] : NULL;
    if (last && last->kind == FOUND_READ && last->resource == access->entry->resource &&
        last->index == walk->index && last->batch == walk->batch &&
        last->command_index == access->entry->command_index &&
        last->command_buffer == access->command_buffer)
        walk->found_count--;
}

/* Notes a write of an exclusive resource: from here on the queue's family owns the range. */
static void write_resource(struct owner_walk *walk, const struct owner_access *access)
{
    struct owner *owner = owners_find(walk->owners, access->entry->resource);
    /* An unknown part was written, so that the owner of another family is forgotten. */
    if (access->kind == ACCESS_WRITE_SOME) {
        take_back_read(walk, access);
        if (owner && owner->kind != OWNER_RELEASED && owner->family != walk->queue->family)
            owner_forget(owner);
        return;
    }
    if (!owner)
        owner = owners_make(walk->owners, access->entry->resource);
    if (!owner || owner->kind == OWNER_UNKNOWN)
        return;
    if (owner->kind != OWNER_RELEASED && owner->family != walk->queue->family) {
        owner_forget(owner);
        owner->family = walk->queue->family;
    }
    /* A release lasts until the acquire, even if there are writes in between. */
    if (owner->kind != OWNER_RELEASED)
        owner->kind = OWNER_WROTE;
    owner->stamp = walk->stamp;
    owner->command = access->entry->command;
    owner->command_index = access->entry->command_index;
    owner->muted = owners_are_muted(walk, access);
    for (uint32_t i = 0; i < access->count; i++)
        owner_add_range(owner, access->items[i].place.begin, access->items[i].place.end);
}

/* Forgets the resource: from here on no family is known to own it. */
static void forget_resource(struct owner_walk *walk, uint64_t resource)
{
    struct owner *owner = owners_find(walk->owners, resource);
    if (owner)
        owner_forget(owner);
}

/* Makes a resource OWNER_UNKNOWN, because work that waits for a later submission writes it at an
 * unknown time. */
static void lose_resource(struct owner_walk *walk, uint64_t resource)
{
    struct owner *owner = owners_make(walk->owners, resource);
    if (owner)
        owner->kind = OWNER_UNKNOWN;
    else
        walk->owners->lost = true;
}

/* Checks a resource of VK_SHARING_MODE_CONCURRENT. `families` has a bit for each family that shares
 * it; 0: not known. Families from 64 on are not checked. */
static void check_shared(struct owner_walk *walk, const struct owner_access *access,
                         uint64_t families)
{
    uint32_t family = walk->queue->family;
    if (likely(!families || family >= 64 || families >> family & 1))
        return;
    if (owners_are_muted(walk, access))
        return count_muted(walk);
    struct owners_found *found = add_found(walk, FOUND_UNSHARED, access->entry->resource);
    if (!found)
        return;
    found->command = access->entry->command;
    found->command_index = access->entry->command_index;
    found->command_buffer = access->command_buffer;
}

/* Checks one access of a submitted recording, by the sharing mode of its resource. */
static void look_at_access(struct owner_walk *walk, const struct owner_access *access)
{
    uint64_t resource = access->entry->resource, space = access->items[0].place.space, families;
    bool writes = access->kind == ACCESS_WRITE || access->kind == ACCESS_WRITE_SOME;
    VkSharingMode mode;
    if (!sharing_of(resource, &mode, &families)) {
        const struct acceleration_structure *structure =
            object_id_type(resource) == HANDLE_ACCELERATION_STRUCTURE_KHR
                ? acceleration_structure_by_id(resource)
                : NULL;
        if (writes && structure)
            forget_resource(walk, structure->buffer);
        return;
    }
    /* An image that is identical to another one in the same memory uses the space of that other
     * image. */
    if (unlikely(object_id_type(space) == HANDLE_IMAGE && space != resource)) {
        if (writes)
            forget_resource(walk, space);
        return;
    }
    if (mode != VK_SHARING_MODE_EXCLUSIVE)
        check_shared(walk, access, families);
    else if (writes && walk->ahead)
        lose_resource(walk, resource);
    else if (writes)
        write_resource(walk, access);
    else
        read_resource(walk, access);
}

/* Handles barriers that discard an image's contents: after one, any family may own the image. */
static void look_at_barriers(struct owner_walk *walk, const struct sync_barriers *barriers)
{
    for (uint32_t i = 0; i < barriers->range_count; i++) {
        const struct sync_range_barrier *range = &barriers->ranges[i];
        if (!range->discards || range->alias || object_id_type(range->place.space) != HANDLE_IMAGE)
            continue;
        struct owner *owner = owners_find(walk->owners, range->place.space);
        if (owner && walk->ahead)
            owner->kind = OWNER_UNKNOWN;
        else if (owner && owner->kind != OWNER_RELEASED && owner->family != walk->queue->family)
            owner_forget(owner);
    }
}

/* Looks at all accesses and barriers of a recording, in their order. An access has several items if
 * it has several places. */
static void walk_stream(struct owner_walk *walk, const struct sync_context *context)
{
    for (uint32_t i = 0, end; i < context->stream_count; i = end) {
        const struct stream_item *item = &context->stream[i];
        end = i + 1;
        if (item->kind == STREAM_BARRIERS || item->kind == STREAM_WAIT_EVENTS)
            look_at_barriers(walk, item->barriers);
        if (item->kind != STREAM_EVERY || item->access.ordering == SYNC_ORDER_ALIAS)
            continue;
        while (end < context->stream_count && context->stream[end].kind == STREAM_EVERY &&
               context->stream[end].access.tag == item->access.tag &&
               context->stream[end].access.usage == item->access.usage)
            end++;
        struct owner_access access = {
            .items = item, .count = end - i, .kind = kind_of(&item->access)};
        access.entry = access.kind != ACCESS_NONE
                           ? owners_entry(walk, item->access.tag, &access.command_buffer)
                           : NULL;
        if (access.entry)
            look_at_access(walk, &access);
    }
}

/* --- transfers of ownership --- */

/* Finds the acquired range, in the resource's space. Returns false if it is only a part of an
 * image. */
static bool acquired_range(const struct transfer_range *range, struct owner_range *acquired)
{
    if (object_id_type(range->resource) == HANDLE_BUFFER) {
        const struct buffer *buffer = buffer_by_id(range->resource);
        struct sync_place place;
        bool known = buffer && sync_buffer_place(&place, buffer, range->first, range->second);
        if (known)
            *acquired = (struct owner_range){place.begin, place.end};
        return known;
    }
    const struct image *image = image_by_id(range->resource);
    *acquired = (struct owner_range){0, UINT64_MAX};
    return image && range->first == image->mip_levels && range->second == image->array_layers &&
           (!range->aspects || range->aspects == image->aspects);
}

/* Reports if the range that a queue family acquires was written after its release. */
static void owners_check_acquire(struct owner_walk *walk, const struct owner *owner,
                                 const struct transfer_range *range, uint64_t command_buffer)
{
    struct owner_range acquired;
    if (owner->kind != OWNER_RELEASED || walk->ahead || owner->family != range->src_family ||
        owner->to_family != range->dst_family || !acquired_range(range, &acquired) ||
        !owner_meets(owner, acquired.begin, acquired.end) || !is_exclusive(range->resource) ||
        !happens_before(walk->call->device, owner->stamp, walk->stamp, CHAIN_MOST))
        return;
    if (owner->muted)
        return count_muted(walk);
    struct owners_found *found = add_found(walk, FOUND_MODIFIED, range->resource);
    if (found) {
        found->owner = *owner;
        found->command_buffer = command_buffer;
    }
}

/* Prepares for a command buffer's transfers. Their order among its commands is not known, so the
 * owners of transferred resources are forgotten while it is walked. */
static void begin_transfers(struct owner_walk *walk, const struct command_buffer *command_buffer)
{
    const struct command_buffer_transfers *transfers = command_buffer->transfers;
    for (uint32_t i = 0; transfers && i < transfers->count; i++) {
        const struct ownership_transfer *transfer = &transfers->list[i];
        struct owner *owner = owners_find(walk->owners, transfer->range.resource);
        if (owner && transfer->acquires && !transfer->concluded)
            owners_check_acquire(walk, owner, &transfer->range,
                                 object_state_id(&command_buffer->base));
        if (owner)
            owner_forget(owner);
    }
}

/* Notes which queue family owns a range after its transfer. */
static void end_transfer(struct owner_walk *walk, const struct ownership_transfer *transfer)
{
    const struct transfer_range *range = &transfer->range;
    struct owner_range acquired;
    if (walk->ahead)
        return lose_resource(walk, range->resource);
    bool known = !transfer->acquires || acquired_range(range, &acquired);
    struct owner *owner = known ? owners_make(walk->owners, range->resource) : NULL;
    if (!owner || owner->kind == OWNER_UNKNOWN)
        return forget_resource(walk, range->resource);
    owner_forget(owner);
    owner->kind = transfer->acquires ? OWNER_ACQUIRED : OWNER_RELEASED;
    owner->family = walk->queue->family;
    owner->to_family = range->dst_family;
    owner->stamp = walk->stamp;
    if (transfer->acquires)
        owner_add_range(owner, acquired.begin, acquired.end);
}

/* Applies the transfers of a command buffer once its accesses have been looked at. */
static void end_transfers(struct owner_walk *walk, const struct command_buffer *command_buffer)
{
    const struct command_buffer_transfers *transfers = command_buffer->transfers;
    for (uint32_t i = 0; transfers && i < transfers->count; i++)
        end_transfer(walk, &transfers->list[i]);
    if (transfers && transfers->incomplete)
        owners_forget(walk->owners);
}

/* --- a call --- */

/* Walks a submitted command buffer. An unknown command buffer makes all owners unknown. */
static void walk_command_buffer(struct owner_walk *walk,
                                const struct command_buffer *command_buffer)
{
    struct sync_command_buffer *recorded =
        command_buffer ? sync_in_command_buffer(command_buffer)->sync : NULL;
    if (!recorded || !(command_buffer->scope & SCOPE_EXECUTABLE) || !recorded->log ||
        !recording_take(recorded)) {
        walk->owners->lost |= walk->ahead;
        return owners_forget(walk->owners);
    }
    walk->log = recorded->log;
    walk->span = 0;
    walk->before = 0;
    begin_transfers(walk, command_buffer);
    if (!recorded->context.broken && recorded->context.keeps_all) {
        walk_stream(walk, &recorded->context);
    } else {
        walk->owners->lost |= walk->ahead;
        owners_forget(walk->owners);
    }
    end_transfers(walk, command_buffer);
    recording_give(recorded);
}

/* True if another process or API may signal a payload that the batch waits for: then it is not
 * known which work comes before. */
static bool waits_for_others(const struct call *call, const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_count; i++) {
        const struct semaphore *semaphore = find_semaphore(call, batch_wait(batch, i));
        if (!semaphore || semaphore_is_shared(semaphore))
            return true;
    }
    return false;
}

/* Walks the command buffers of a batch. With owners::lost no owner is known any more, and the batch
 * is skipped. */
static void walk_batch(struct owner_walk *walk, const struct batch *batch)
{
    walk->ahead = batch_waits_ahead(walk->call, batch);
    walk->owners->lost |= waits_for_others(walk->call, batch);
    for (uint32_t i = 0; i < batch->command_buffer_count && !walk->owners->lost; i++) {
        walk->index = i;
        walk_command_buffer(walk, find_command_buffer(batch_command_buffer(batch, i)));
    }
}

void owners_submit(const struct call *call, const struct queue *queue, struct batches batches,
                   bool has_fence)
{
    struct sync_device *sync = sync_device_make(call);
    struct owner_walk walk = {.call = call,
                              .queue = queue,
                              .preserves = device_has_feature(call->device, FEATURE_maintenance9)};
    if (!sync)
        return;
    lock_take(&sync->owned_lock);
    if (!sync->owned)
        sync->owned = mem_alloc_zeroed(sizeof(*sync->owned));
    walk.owners = sync->owned;
    for (uint32_t i = 0; walk.owners && i < batches.count; i++) {
        const struct batch batch = batches_at(&batches, i);
        walk.batch = i;
        walk.stamp =
            use_stamp(queue, batch_sequence(queue, &batch, batches.count - 1 - i + has_fence));
        walk_batch(&walk, &batch);
    }
    /* Reports call the program's callbacks, which may submit work. */
    lock_release(&sync->owned_lock);
    for (uint32_t i = 0; i < walk.found_count; i++)
        owners_report(&walk, &walk.found[i]);
}

COLD void owners_lose(const struct call *call)
{
    struct sync_device *sync = sync_device_make(call);
    if (!sync)
        return;
    lock_take(&sync->owned_lock);
    if (!sync->owned)
        sync->owned = mem_alloc_zeroed(sizeof(*sync->owned));
    if (sync->owned)
        sync->owned->lost = true;
    lock_release(&sync->owned_lock);
}
