/* Checks that what submitted work acquires has been released (7.7.4 "Queue Family Ownership
 * Transfer"). */
#include "core/hooks.h"
#include "core/submit/walk.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "state/memory/ownership.h"

#include "report/finding/rule.h"

#include <inttypes.h>

/* Reports an acquire of a buffer or image that nothing has released. Nothing is reported if the
 * resource was destroyed. */
static COLD bool ownership_report(const struct call *call, enum vuid vuid,
                                  const struct ownership_transfer *acquire, VkCommandBuffer handle,
                                  const struct location *where)
{
    assert(acquire->range.resource);
    const struct transfer_range *range = &acquire->range;
    const struct object *object = object_find_id(range->resource, object_id_type(range->resource));
    if (!object)
        return false;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_COMMAND_BUFFER, handle, object_id_type(range->resource),
                object_handle(object));
    if (object_id_type(range->resource) == HANDLE_BUFFER)
        return BROKEN_BY(call, vuid, where, objects,
                         "acquires %" PRIu64 " bytes from offset %" PRIu64
                         " on of a buffer from queue family %u for family %u, but no submitted "
                         "command buffer has released them",
                         range->second, range->first, range->src_family, range->dst_family);
    return BROKEN_BY(call, vuid, where, objects,
                     "acquires mip levels %u to %u, array layers %u to %u of an image from queue "
                     "family %u for family %u (from %s to %s), but no submitted command buffer has "
                     "released them so",
                     (uint32_t)(range->first >> 32),
                     (uint32_t)(range->first >> 32) + (uint32_t)range->first - 1,
                     (uint32_t)(range->second >> 32),
                     (uint32_t)(range->second >> 32) + (uint32_t)range->second - 1,
                     range->src_family, range->dst_family,
                     value_text(VALUES_VkImageLayout, (uint64_t)range->old_layout).text,
                     value_text(VALUES_VkImageLayout, (uint64_t)range->new_layout).text);
}

/* ... includes a Queue Family Ownership Transfer Acquire Operation, there must exist a previously
 * submitted Queue Family Ownership Transfer Release Operation on a queue in the queue family
 * identified by the acquire operation, with parameters matching the acquire operation */
bool submit_check_transfers(struct submit *submit, const struct submit_batch *submitted)
{
    const enum rule rule = submit->is_version2 ? RULE_03879 : RULE_02207;
    const struct call *call = submit->call;
    const struct batch *batch = &submitted->batch;
    bool skip = false;
    /* This batch and later ones may wait for work that is submitted after them, which may then
     * release the resource before. */
    if (unlikely(submit->ahead) || mem_failures())
        return false;
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
                LOCATION_INDEX(&submitted->where, batch_command_buffers_name(batch), i);
            skip |=
                ownership_report(call, rule_vuid(call->command, rule), transfer, handle, &where);
        }
    }
    return skip;
}
