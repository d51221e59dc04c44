/* Reports an object that is used by submitted work that is not known to be done. */
#include "core/destroy/in_use.h"

#include "core/destroy/gone.h"
#include "objects/device.h"
#include "report/finding.h"
#include "report/fix.h"
#include "report/object_text.h"
#include "state/command_buffer.h"
#include "state/queue.h"
#include "state/semaphore.h"
#include "state/work_end.h"

#include <inttypes.h>
#include <stdio.h>

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
    if (!user->command_buffer && command_buffer &&
        object_in_use(user->call->device, &command_buffer->base) &&
        command_buffer_find_use(command_buffer, user->id, &user->chain))
        user->command_buffer = command_buffer;
}

/* The submission that uses the object, of this queue; 0 where work of several queues does. */
static uint64_t stamp_of_use(const struct call *call, const struct object_state *state,
                             const struct queue *queue, const struct user *user)
{
    assert(state && queue && user);
    const struct object_state *all[] = {state,
                                        user->command_buffer ? &user->command_buffer->base : NULL};
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
        const uint64_t stamp =
            all[i] ? atomic_load_explicit(&all[i]->last_use, memory_order_relaxed) : 0;
        if (stamp && stamp_queue(call->device, stamp) == queue)
            return stamp;
    }
    return 0;
}

const char *in_use_fix(const struct call *call, bool presented, uint64_t stamp,
                       struct fix_text *fix)
{
    assert(fix);
    const enum command root = command_root[call->command];
    const char *first =
        root == COMMAND_UpdateDescriptorSets || root == COMMAND_UpdateDescriptorSetWithTemplate
            ? "use a descriptor set for each frame in flight, or "
            : "";
    if (presented)
        return "call vkQueueWaitIdle before, or wait for the fence of a "
               "VkSwapchainPresentFenceInfoKHR of the present";
    const struct work_end end = work_end_find(call->device, stamp);
    if (end.type == HANDLE_FENCE)
        return fix_format(fix,
                          "%swait for %s with vkWaitForFences before: it is signaled once that "
                          "work is done",
                          first, NAMED(call, end.type, end.handle));
    if (end.type == HANDLE_SEMAPHORE)
        return fix_format(fix,
                          "%swait with vkWaitSemaphores before, until %s has the value %" PRIu64
                          ", as it has once that work is done",
                          first, NAMED(call, end.type, end.handle), end.value);
    return fix_format(fix,
                      "%sgive the submission a fence and wait for that before, "
                      "or call vkQueueWaitIdle",
                      first);
}

/* A present waits when the presentation engine does, of which no fence of a queue tells. */
static bool is_presented(const struct object_state *state, enum handle_type type)
{
    const struct semaphore *semaphore = type == HANDLE_SEMAPHORE ? (const void *)state : NULL;
    return type == HANDLE_SWAPCHAIN_KHR ||
           (semaphore && atomic_load_explicit(&semaphore->presented, memory_order_relaxed));
}

bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where)
{
    assert(state && where);
    const struct queue *queue = object_in_use(call->device, state);
    if (!queue)
        return false;
    const enum handle_type type = object_type(state->object);
    struct finding_objects objects = {.count = 2,
                                      .list = {{type, object_state_handle(state)},
                                               {HANDLE_QUEUE, object_state_handle(&queue->base)}}};
    struct user user = {.call = call, .id = object_state_id(state)};
    char way[GONE_TEXT], number[64] = "";
    object_for_each_owned(call->device->owner, look_for_user, &user);
    const uint64_t stamp = stamp_of_use(call, state, queue, &user);
    const char *fix =
        in_use_fix(call, is_presented(state, type), stamp, &(struct fix_text){.text = ""});
    if (stamp)
        (void)snprintf(number, sizeof(number), " (its submission %" PRIu64 ")",
                       stamp_sequence(stamp));
    if (!user.command_buffer)
        return finding_with_fix(call, vuid, where, &objects, fix,
                                "is in use by work that was submitted to %s%s and is not known to "
                                "be done: no fence, semaphore or wait has shown it to the app",
                                NAMED_STATE(call, &queue->base), number);
    objects.list[objects.count++] = (struct finding_object){
        HANDLE_COMMAND_BUFFER, object_state_handle(&user.command_buffer->base)};
    gone_write_way(call, &user.chain, way);
    return finding_with_fix(call, vuid, where, &objects, fix,
                            "is %s%s by %s, which was submitted to %s%s and is not known to be "
                            "done: no fence, semaphore or wait has shown it to the app",
                            user.chain.count < 2 ? "in use" : "used through ",
                            user.chain.count < 2 ? "" : way,
                            NAMED_STATE(call, &user.command_buffer->base),
                            NAMED_STATE(call, &queue->base), number);
}
