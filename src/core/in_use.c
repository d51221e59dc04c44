/* Is this object used by submitted work that is not known to be done? */
#include "core/in_use.h"

#include "chassis/chassis.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/command_buffer.h"
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

/* The command buffer that is submitted, not known to be done, and has used the object through a descriptor since it was begun; or NULL. */
static const struct command_buffer *drawn_by(const struct call *call, const struct descriptor_use *drawn)
{
    uint64_t id = atomic_load_explicit(&drawn->command_buffer, memory_order_relaxed);
    const struct command_buffer *command_buffer = id ? command_buffer_by_id(id) : NULL;
    bool is_of_now = command_buffer && command_buffer->submitted &&
                     atomic_load_explicit(&command_buffer->recording, memory_order_relaxed) ==
                         atomic_load_explicit(&drawn->recording, memory_order_relaxed);
    return is_of_now && in_use(call, &command_buffer->base) ? command_buffer : NULL;
}

bool in_use_or_drawn_check(const struct call *call, const struct object_state *state,
                           const struct descriptor_use *drawn, enum vuid vuid, const struct location *where)
{
    if (unlikely(in_use(call, state)))
        return in_use_report(call, state, vuid, where);
    const struct command_buffer *command_buffer = drawn_by(call, drawn);
    const struct queue *queue = command_buffer ? object_in_use(call->device, &command_buffer->base) : NULL;
    if (likely(!queue))
        return false;
    uint64_t handle = object_state_handle(&command_buffer->base);
    struct finding_objects objects = {.count = 3,
                                      .list = {{object_type(state->object), object_state_handle(state)},
                                               {HANDLE_COMMAND_BUFFER, handle},
                                               {HANDLE_QUEUE, object_state_handle(&queue->base)}}};
    return finding(call, vuid, where, &objects,
                   "is used through a descriptor by VkCommandBuffer 0x%" PRIx64
                   ", which was submitted to VkQueue 0x%" PRIx64
                   " and is not known to be done: no fence, semaphore or wait has shown it to the app",
                   handle, object_state_handle(&queue->base));
}
