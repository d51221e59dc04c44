/* Is this object used by submitted work that is not known to be done? */
#include "core/in_use.h"

#include "chassis/chassis.h"
#include "core/gone.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "state/command_buffer.h"
#include "state/queue.h"

#include <inttypes.h>

/* A pending command buffer that uses the object, and how. */
struct user {
    const struct call *call;
    uint64_t id;
    const struct command_buffer *command_buffer; /* NULL: not found yet */
    struct reach_chain chain;
};

static void look_for_user(struct object *object, void *context)
{
    struct user *user = context;
    const struct command_buffer *command_buffer =
        object_type(object) == HANDLE_COMMAND_BUFFER ? object_load_state(object) : NULL;
    if (!user->command_buffer && command_buffer && object_in_use(user->call->device, &command_buffer->base) &&
        command_buffer_find_use(command_buffer, user->id, &user->chain))
        user->command_buffer = command_buffer;
}

bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where)
{
    const struct queue *queue = object_in_use(call->device, state);
    if (!queue)
        return false;
    struct finding_objects objects = {.count = 2,
                                      .list = {{object_type(state->object), object_state_handle(state)},
                                               {HANDLE_QUEUE, object_state_handle(&queue->base)}}};
    struct user user = {.call = call, .id = object_state_id(state)};
    object_for_each_owned(call->device->owner, look_for_user, &user);
    if (!user.command_buffer || user.chain.count < 2)
        return finding(call, vuid, where, &objects,
                       "is in use by work that was submitted to VkQueue 0x%" PRIx64
                       " and is not known to be done: no fence, semaphore or wait has shown it to the app",
                       object_state_handle(&queue->base));
    uint64_t handle = object_state_handle(&user.command_buffer->base);
    char text[GONE_TEXT];
    objects.list[objects.count++] = (struct finding_object){HANDLE_COMMAND_BUFFER, handle};
    gone_write_way(&user.chain, call->wraps, text);
    return finding(call, vuid, where, &objects,
                   "is used through %s by VkCommandBuffer 0x%" PRIx64 ", which was submitted to VkQueue 0x%" PRIx64
                   " and is not known to be done: no fence, semaphore or wait has shown it to the app",
                   text, handle, object_state_handle(&queue->base));
}
