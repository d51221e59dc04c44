/* Reports an object that submitted work uses which may not have completed. */
#include "core/destroy/in_use.h"

#include "core/destroy/gone.h"
#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/finding/fix.h"
#include "report/names/object_text.h"
#include "state/command/command_buffer.h"
#include "state/submit/queue.h"
#include "state/submit/semaphore.h"
#include "state/submit/work_end.h"

#include <inttypes.h>
#include <string.h>

/* The most users that a finding names. It gives only the number of further ones. */
#define USERS_NAMED 3

/* Pending work that uses the object. */
struct user {
    /* NULL: the work has no command buffer, or it is not known which */
    const struct command_buffer *command_buffer;
    uint64_t stamp;           /* stamp of the submission */
    struct reach_chain chain; /* how the command buffer reaches the object */
};

/* The users of an object that a finding names. */
struct users {
    const struct call *call;
    uint64_t id;                 /* id of the object */
    uint64_t parts[STAMP_PARTS]; /* stamps of the object's last uses, one per queue */
    uint32_t part_count;
    uint32_t count, more; /* in `list`; not in `list`, as it is full */
    struct user list[USERS_NAMED];
};

/* Adds a user of the object. If the list is full, the user is only counted. */
static void add_user(struct users *users, const struct user *user)
{
    if (users->count < USERS_NAMED)
        users->list[users->count++] = *user;
    else
        users->more++;
}

/* Adds a pending command buffer that uses the object. object_for_each_owned() calls it. */
static void look_for_user(struct object *object, void *context)
{
    struct users *users = context;
    uint64_t parts[STAMP_PARTS];
    const struct device *device = users->call->device;
    struct user user = {.command_buffer = object_load_state_typed(object, HANDLE_COMMAND_BUFFER)};
    if (!user.command_buffer || !object_in_use(device, &user.command_buffer->base) ||
        !command_buffer_find_use(user.command_buffer, users->id, &user.chain))
        return;
    const uint64_t stamp =
        atomic_load_explicit(&user.command_buffer->base.last_use, memory_order_relaxed);
    const uint32_t count = stamp_parts_in_use(device, stamp, parts);
    user.stamp = count ? parts[count - 1] : 0;
    add_user(users, &user);
}

/* Finds all pending work that uses the object: command buffers, and the queues for which no command
 * buffer is known. */
static void find_users(struct users *users, const struct object_state *state)
{
    assert(state && !users->count);
    const struct device *device = users->call->device;
    users->part_count =
        stamp_parts_in_use(device, atomic_load_explicit(&state->last_use, memory_order_relaxed),
                           users->parts);
    object_for_each_owned(device->owner, look_for_user, users);
    for (uint32_t i = 0; i < users->part_count; i++) {
        uint32_t k = 0;
        while (k < users->count && users->list[k].stamp >> 56 != users->parts[i] >> 56)
            k++;
        if (k == users->count && !users->more)
            add_user(users, &(struct user){.stamp = users->parts[i]});
    }
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

/* True if a present uses the object: its end is that of the presentation engine, which the fences
 * of a queue do not show. */
static bool is_presented(const struct object_state *state, enum handle_type type)
{
    const struct semaphore *semaphore = type == HANDLE_SEMAPHORE ? (const void *)state : NULL;
    return type == HANDLE_SWAPCHAIN_KHR ||
           (semaphore && atomic_load_explicit(&semaphore->presented, memory_order_relaxed));
}

/* Writes a fix for a use by several queues: the last submission of each that uses the object. */
static const char *fix_of_queues(const struct users *users, struct fix_text *fix)
{
    assert(users->part_count > 1);
    const struct call *call = users->call;
    char buffer[sizeof(fix->text)];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    for (uint32_t i = 0; i < users->part_count; i++) {
        const struct work_end end = work_end_find(call->device, users->parts[i]);
        if (end.type == HANDLE_NONE || users->part_count > USERS_NAMED) {
            string_builder_end(&text);
            return "call vkDeviceWaitIdle before, or give the last submission to each of the "
                   "queues a fence and wait for all of those";
        }
        string_builder_add(&text, i == 0                      ? "wait for "
                                  : i + 1 < users->part_count ? ", "
                                                              : " and ");
        if (end.type == HANDLE_SEMAPHORE)
            string_builder_format(&text, "the value %" PRIu64 " of ", end.value);
        string_builder_add(&text, NAMED(call, end.type, end.handle));
    }
    (void)fix_format(fix, "%s before: each queue's part of the work is done then", text.text);
    string_builder_end(&text);
    return fix->text;
}

/* Writes the queue and submission of a stamp; nothing if the queue is not known. */
static void write_queue(struct string_builder *text, const struct call *call, uint64_t stamp)
{
    const struct queue *queue = stamp_queue(call->device, stamp);
    if (!queue)
        return;
    string_builder_format(text, "%s (its submission %" PRIu64 ")", NAMED_STATE(call, &queue->base),
                          stamp_sequence(stamp));
}

/* Writes the work that uses the object. */
static void write_users(struct string_builder *text, const struct users *users)
{
    char way[GONE_TEXT];
    for (uint32_t i = 0; i < users->count; i++) {
        const struct user *user = &users->list[i];
        string_builder_add(text, i == 0                                    ? ""
                                 : i + 1 < users->count || users->more > 0 ? ", "
                                                                           : ", and ");
        if (!user->command_buffer) {
            string_builder_add(text, "by work that was submitted to ");
            write_queue(text, users->call, user->stamp);
            continue;
        }
        if (user->chain.count > 1) {
            gone_write_way(users->call, &user->chain, way);
            string_builder_format(text, "through %s ", way);
        }
        string_builder_format(text, "by %s, which was submitted to ",
                              NAMED_STATE(users->call, &user->command_buffer->base));
        write_queue(text, users->call, user->stamp);
    }
    if (users->more)
        string_builder_format(text, ", and by %" PRIu32 " more", users->more);
}

/* Adds an object to the objects of the finding, unless they are full. `state` NULL: the object is
 * not known. */
static void add_object(struct finding_objects *objects, const struct object_state *state)
{
    if (state && objects->count < ARRAY_LENGTH(objects->list))
        objects->list[objects->count++] =
            (struct finding_object){object_type(state->object), object_state_handle(state)};
}

bool in_use_report(const struct call *call, const struct object_state *state, enum vuid vuid,
                   const struct location *where)
{
    assert(state && where);
    if (!object_in_use(call->device, state))
        return false;
    const enum handle_type type = object_type(state->object);
    struct users users = {.call = call, .id = object_state_id(state)};
    /* Work may complete during the search, so that fewer users are found, or none. */
    find_users(&users, state);
    struct finding_objects objects = {.count = 0};
    add_object(&objects, state);
    for (uint32_t i = 0; i < users.count; i++) {
        const struct queue *queue = stamp_queue(call->device, users.list[i].stamp);
        add_object(&objects, queue ? &queue->base : NULL);
        add_object(&objects,
                   users.list[i].command_buffer ? &users.list[i].command_buffer->base : NULL);
    }
    struct fix_text kept = {.text = ""};
    const char *fix = users.part_count > 1 && !is_presented(state, type)
                          ? fix_of_queues(&users, &kept)
                          : in_use_fix(call, is_presented(state, type),
                                       users.part_count ? users.parts[0] : 0, &kept);
    char buffer[2 * GONE_TEXT];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_users(&text, &users);
    const bool one = users.count + users.more <= 1;
    const bool skip = finding_with_fix(call, vuid, where, &objects, fix,
                                       "is %s%s%s not known to be done: no fence, semaphore or "
                                       "wait has shown it to the app",
                                       /* The text may begin with "through ...", which needs "used"
                                        * instead of "in use". */
                                       strncmp(text.text, "through ", 8) ? "in use " : "used ",
                                       text.text, one ? " and is" : "; that work is");
    string_builder_end(&text);
    return skip;
}
