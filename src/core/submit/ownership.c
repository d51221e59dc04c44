/* Checks that what submitted work acquires has been released (7.7.4 "Queue Family Ownership
 * Transfer"). */
#include "core/hooks.h"
#include "core/submit/contents.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/ownership.h"

#include <inttypes.h>

static COLD bool report(const struct call *call, enum vuid vuid,
                        const struct ownership_transfer *acquire, VkCommandBuffer handle,
                        const struct location *where)
{
    const struct transfer_range *range = &acquire->range;
    const struct object *object = object_find_id(range->resource, object_id_type(range->resource));
    if (!object)
        return false;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_COMMAND_BUFFER, handle, object_id_type(range->resource),
                object_handle(object));
    if (object_id_type(range->resource) == HANDLE_BUFFER)
        return finding(call, vuid, where, objects,
                       "acquires %" PRIu64 " bytes from offset %" PRIu64
                       " on of a buffer from queue family %u for family %u, but no submitted "
                       "command buffer has released them",
                       range->second, range->first, range->src_family, range->dst_family);
    return finding(call, vuid, where, objects,
                   "acquires mip levels %u to %u, array layers %u to %u of an image from queue "
                   "family %u for family %u (from %s to %s), but no submitted command buffer has "
                   "released them so",
                   (uint32_t)(range->first >> 32),
                   (uint32_t)(range->first >> 32) + (uint32_t)range->first - 1,
                   (uint32_t)(range->second >> 32),
                   (uint32_t)(range->second >> 32) + (uint32_t)range->second - 1, range->src_family,
                   range->dst_family,
                   value_text(VALUES_VkImageLayout, (uint64_t)range->old_layout).text,
                   value_text(VALUES_VkImageLayout, (uint64_t)range->new_layout).text);
}

/* ... includes a Queue Family Ownership Transfer Acquire Operation, there must exist a previously
 * submitted Queue Family Ownership Transfer Release Operation on a queue in the queue family
 * identified by the acquire operation, with parameters matching the acquire operation */
static bool check_batch(const struct call *call, const struct batch *batch, enum rule rule,
                        const struct location *parent, bool *ahead)
{
    bool skip = false;
    /* What this batch and later ones wait for may be submitted after them: "previously" is then
     * what happens before. */
    if (*ahead || unlikely(batch->command_buffer_count && batch_waits_ahead(call, batch))) {
        *ahead = true;
        return false;
    }
    for (uint32_t i = 0; i < batch->command_buffer_count; i++) {
        VkCommandBuffer handle = batch_command_buffer(batch, i);
        const struct command_buffer *command_buffer = find_command_buffer(handle);
        const struct command_buffer_transfers *transfers =
            command_buffer ? command_buffer->transfers : NULL;
        for (uint32_t k = 0; transfers && k < transfers->count; k++) {
            const struct ownership_transfer *transfer = &transfers->list[k];
            if (!transfer->acquires || ownership_is_released(call->device, transfer))
                continue;
            const struct location where =
                LOCATION_INDEX(parent, batch_command_buffers_name(batch), i);
            skip |= report(call, rule_vuid(call->command, rule), transfer, handle, &where);
        }
    }
    return skip;
}

bool submits_check_transfers(struct call *call, const struct submits *submits)
{
    enum rule rule = submits->infos2 ? RULE_03879 : RULE_02207;
    bool skip = false, ahead = false;
    for (uint32_t i = 0; i < submits->count; i++) {
        struct batch batch = submits_batch(submits, i);
        skip |= check_batch(call, &batch, rule, &LOCATION_INDEX(NULL, "pSubmits", i), &ahead);
    }
    return skip;
}
