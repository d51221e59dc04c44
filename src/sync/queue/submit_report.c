/* Finds the origins of the two accesses of a hazard between submitted command buffers, or with the
 * presentation engine. */
#include "sync/queue/queue.h"

#include "sync/report/report.h"

/* Finds the origins of the two tags of one hazard in the logs that it holds. `resolver` is first,
 * as its address is cast to the whole structure. */
struct found_resolver {
    struct sync_resolver resolver; /* first */
    const struct found_hazard *found;
};

/* Finds the submitted command that a tag belongs to. Returns false if the tag is not one of the
 * hazard's two, or its command is not known any more. */
static bool submit_report_find_side(const struct sync_resolver *resolver, uint64_t tag,
                                    struct sync_submitted *submitted)
{
    const struct found_hazard *found = ((const struct found_resolver *)resolver)->found;
    const struct queue_slot *slot =
        tag >> 32 == found->self.slot.number ? &found->self.slot : &found->earlier.slot;
    *submitted = (struct sync_submitted){0};
    if (!slot->number || tag >> 32 != slot->number ||
        !command_log_find(slot->log, tag & UINT32_MAX, &submitted->origin))
        return false;
    enum access_role role = submitted->origin.entry->source.role;
    if (role == ROLE_PRESENT || role == ROLE_HOST)
        submitted->origin.log = NULL;
    else
        submitted->submitted = slot->log;
    if (slot->queue)
        submitted->queue = object_state_id(&slot->queue->base);
    if (slot->sequence != UINT64_MAX)
        submitted->submission = slot->sequence;
    return true;
}

void sync_report_submitted(const struct call *call, const struct found_hazard *found)
{
    assert(found->operation_count <= OPERATIONS_SHOWN && found->hazard.kind != HAZARD_NONE);
    const struct found_resolver resolver = {.resolver.find = submit_report_find_side,
                                            .resolver.operations = found->operations,
                                            .resolver.operation_count = found->operation_count,
                                            .found = found};
    sync_report_submitted_hazard(call, &resolver.resolver, &found->group, &found->access,
                                 found->has_barrier ? &found->barrier : NULL, &found->hazard, NULL,
                                 NULL);
}
