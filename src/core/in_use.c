/* Is this object used by submitted work that is not known to be done? */
#include "core/in_use.h"

#include "chassis/chassis.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/queue.h"

#include <inttypes.h>

bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where)
{
    const struct queue *queue = object_in_use(call->device, state);
    if (!queue)
        return false;
    enum handle_type type = object_type(state->object);
    struct finding_objects objects = {
        .count = 2, .list = {{type, object_state_handle(state)}, {HANDLE_QUEUE, object_state_handle(&queue->base)}}};
    return finding(call, vuid, where, &objects,
                   "is in use by work that was submitted to VkQueue 0x%" PRIx64
                   " and is not known to be done: no fence, semaphore or wait has shown it to the app",
                   object_state_handle(&queue->base));
}
