/* Reports two threads in one object, and finds objects that a call needs for itself without naming
 * them. */
#include "threads/mark.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/thread_names.h"
#include "report/sink/caller.h"
#include "report/finding/details.h"
#include "report/finding/finding.h"
#include "report/names/object_text.h"
#include "report/report.h"
#include "state/submit/queue.h"
#include "threads/threads.h"
#include "threads/window.h"

bool threads_enabled(const struct settings *settings)
{
    return settings->thread_safety;
}

#define THREAD_TEXT_SIZE 48

/* Writes `4711 "render"`: the thread's number in the system, and the program's name for it. Returns
 * `text`. */
static const char *write_thread(uint32_t number, char text[THREAD_TEXT_SIZE])
{
    char name[THREAD_NAME_SIZE];
    const uint32_t system = thread_system_number(number);
    if (thread_name_read(system, name))
        (void)snprintf(text, THREAD_TEXT_SIZE, "%" PRIu32 " \"%s\"", system, name);
    else
        (void)snprintf(text, THREAD_TEXT_SIZE, "%" PRIu32, system);
    return text;
}

/* --- the other call --- */

struct other_call {
    uint64_t mark;
    uint32_t what; /* thread_what(); 0: its thread left the call before it could be read */
    /* type of a command buffer or queue that the call also needs for itself; HANDLE_NONE: not
     * known */
    enum handle_type type;
    uint64_t handle;
};

/* True if the object has this mark, reported or not. */
static bool has_mark(const struct object *object, uint64_t mark)
{
    return (atomic_load_explicit(&object->user, memory_order_relaxed) | MARK_REPORTED) ==
           (mark | MARK_REPORTED);
}

/* Notes the first object that has the other call's mark. `context`: struct other_call. */
static void note_marked(struct object *object, void *context)
{
    assert(((const struct other_call *)context)->mark);
    struct other_call *other = context;
    if (other->type != HANDLE_NONE || !has_mark(object, other->mark))
        return;
    other->handle = object_handle(object);
    other->type = object_type(object);
}

/* Finds the other object that has the other call's mark. If the disputed object is a pool, it is
 * the command buffer that is recorded. If it is a fence or the like, it is the queue that is
 * submitted to. */
static void find_what_it_is_on(const struct call *call, const struct object *object,
                               struct other_call *other)
{
    const enum handle_type type = object_type(object);
    if (type == HANDLE_COMMAND_POOL)
        object_for_each_child((struct object *)object, note_marked, other);
    if (type == HANDLE_COMMAND_POOL || type == HANDLE_COMMAND_BUFFER || type == HANDLE_QUEUE ||
        !call->device)
        return;
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next)
        note_marked(queue->base.object, other);
}

/* Finds out what the other call is, before its mark is overwritten. A thread's counter says which
 * call it is in, and a mark is only there during the call that left it. So if the counter is the
 * same before and after the mark was seen, it is the counter of the mark's call. (A call in a
 * callback of the driver, which no program may make, is reported as the outer one.) */
static COLD struct other_call look_at_other(const struct call *call, const struct object *object,
                                            uint64_t mark)
{
    assert(mark);
    struct other_call other = {.mark = mark};
    const uint64_t calls = thread_find_calls(mark_thread(mark));
    if (!thread_what(calls) || !has_mark(object, mark))
        return other;
    find_what_it_is_on(call, object, &other);
    if (thread_find_calls(mark_thread(mark)) == calls)
        other.what = thread_what(calls);
    else
        other.type = HANDLE_NONE;
    return other;
}

/* Writes `vkCmdDraw() on VkCommandBuffer 0x55d0c81f2a30 "shadow", called`, or `one made` if the
 * call is not known. The word "by" follows. */
static void write_what(struct string_builder *text, const struct call *call,
                       const struct other_call *other)
{
    assert(other->what <= COMMAND_COUNT);
    if (!other->what) {
        string_builder_add(text, "one made");
        return;
    }
    string_builder_format(text, "%s()", command_name[other->what - 1]);
    if (other->type != HANDLE_NONE) {
        string_builder_add(text, " on ");
        object_text_write(text, call, other->type, other->handle);
    }
    string_builder_add(text, ", called");
}

/* Writes the other thread and its call for tools: {"thread": 4711, "threadName": "render",
 * "command": "vkCmdDraw", "object": {...}, "caller": {...}, "stack": [...]}. `path`: NULL if the
 * stack is unknown; then `alone` is the caller, if that is known. */
static COLD void write_race(struct string_builder *json, const struct call *call,
                            const struct other_call *other, const struct caller_path *path,
                            const struct caller *alone)
{
    char name[THREAD_NAME_SIZE];
    const uint32_t system = thread_system_number(mark_thread(other->mark));
    string_builder_format(json, "{\"thread\":%" PRIu32, system);
    if (thread_name_read(system, name)) {
        string_builder_add(json, ",\"threadName\":\"");
        string_builder_add_json(json, name);
        string_builder_add(json, "\"");
    }
    if (other->what)
        string_builder_format(json, ",\"command\":\"%s\"", command_name[other->what - 1]);
    if (other->type != HANDLE_NONE) {
        string_builder_add(json, ",\"object\":");
        char *object_name = told_object_name(call, other->type, other->handle);
        message_write_json_object(json, &(struct report_object){.type = other->type,
                                                                .handle = other->handle,
                                                                .name = object_name});
        mem_free(object_name);
    }
    if (path) {
        string_builder_add(json, ",");
        message_write_json_path(json, path);
    } else if (alone->module || alone->offset) {
        string_builder_add(json, ",\"caller\":");
        message_write_json_caller(json, alone);
    }
    string_builder_add(json, "}");
}

/* Writes the other thread's call for people: its caller, and the caller's callers. */
static COLD void write_other(struct string_builder *section, const struct caller_path *path)
{
    if (!path)
        return;
    message_write_frame(section, &path->frames[path->first]);
    message_write_outer(section, path, "");
}

/* Reports that two threads use an object at once. `parameter`: NULL if the object is not a
 * parameter of the call. `write`: both calls need the object to themselves; otherwise only the
 * other call does. */
static void report_race(const struct call *call, const struct object *object,
                        const struct other_call *other, bool write, const char *parameter)
{
    assert(mark_thread(other->mark) != mark_self());
    enum handle_type type = object_type(object);
    if (type == HANDLE_NONE)
        /* Another thread has destroyed the object just now. The lifetimes validator reports that,
         * and the handle no longer has a name. */
        return;
    const void *kept = (const void *)(uintptr_t)(other->mark >> MARK_CALLER_SHIFT);
    const struct caller_text caller = caller_text(call, call->caller),
                             other_caller = caller_text(call, kept);
    /* A lone address may be this call's own as well, and then nothing is known of the other
     * thread's stack. */
    struct caller_path *path = kept_number(kept) ? caller_path_of_kept(call, kept) : NULL;
    const struct caller alone = caller_describe(callers_first_of_kept(call, kept));
    struct string_builder json, section, what;
    char json_buffer[512], section_buffer[512], what_buffer[256];
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    string_builder_begin(&section, section_buffer, sizeof(section_buffer));
    string_builder_begin(&what, what_buffer, sizeof(what_buffer));
    write_race(&json, call, other, path, &alone);
    write_what(&what, call, other);
    write_other(&section, path);
    /* The sentence already contains a path of one frame. */
    const struct finding_details details = {.section_count = path && path->count > 1,
                                            .sections = {{"other", section.text}},
                                            .json_key = "race",
                                            .json = json.text};
    const struct location where = LOCATION(NULL, parameter);
    uint64_t handle = object_handle(object);
    char name[2][THREAD_TEXT_SIZE];
    /* The callback's answer does not matter: the other thread's call cannot be stopped. */
    (void)finding_told_with(call,
                            write ? UNASSIGNED_Threading_MultipleThreads_Write
                                  : UNASSIGNED_Threading_MultipleThreads_Read,
                            parameter ? &where : NULL, OBJECT(type, handle), &details,
                            "%s is used by two threads at once: thread %s in this call, by %s, and "
                            "thread %s in %s by %s; %s needs the %s to be externally synchronized",
                            NAMED(call, type, handle), write_thread(mark_self(), name[0]),
                            caller.text, write_thread(mark_thread(other->mark), name[1]), what.text,
                            other_caller.text, write ? "each of the two calls" : "the latter",
                            handle_type_name[type]);
    string_builder_end(&json);
    string_builder_end(&section);
    string_builder_end(&what);
    mem_free(path);
}

void threads_report(const struct call *call, const struct object *object, uint64_t other,
                    bool write, const char *parameter)
{
    assert(object && mark_is_inside(other));
    const struct other_call seen = look_at_other(call, object, other);
    /* If the other thread holds its window open (window.c), it waits for this store. A later call
     * has a mark of its own, and then nothing is stored. */
    if (!write)
        (void)atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)(uintptr_t)&object->user,
                                                      &other, other | MARK_REPORTED,
                                                      memory_order_relaxed, memory_order_relaxed);
    report_race(call, object, &seen, write, parameter);
}

/* True if another thread's call is in the object. `seen` is the object's mark. */
static bool is_met(const struct call *call, uint64_t seen)
{
    return mark_is_inside(seen) && mark_thread(seen) != mark_thread(call->mark);
}

void threads_enter_marked(const struct call *call, struct object *object, const char *parameter)
{
    assert(object);
    uint64_t seen = atomic_load_explicit(&object->user, memory_order_relaxed);
    if (!is_met(call, seen)) {
        atomic_store_explicit(&object->user, call->mark, memory_order_relaxed);
        /* The trace that the entry has found may be gone: another thread may have overwritten
         * it. */
        if (mark_is_inside(seen) || !mark_thread(seen) ||
            mark_thread(seen) == mark_thread(call->mark) ||
            !window_hold(call, object, mark_thread(seen)))
            return;
        /* If the two calls have entered at the same instant, neither has seen the other's mark. */
        seen = atomic_load_explicit(&object->user, memory_order_relaxed);
        if (!is_met(call, seen) || (seen & MARK_REPORTED))
            return;
    }
    const struct other_call other = look_at_other(call, object, seen);
    atomic_store_explicit(&object->user, call->mark | MARK_REPORTED, memory_order_relaxed);
    report_race(call, object, &other, true, parameter);
}

void threads_leave_marked(const struct call *call, struct object *object, const char *parameter)
{
    assert(object && call->mark);
    uint64_t seen = atomic_load_explicit(&object->user, memory_order_relaxed);
    if (mark_thread(seen) == mark_thread(call->mark))
        atomic_store_explicit(&object->user, mark_own(call).trace, memory_order_relaxed);
    else if (mark_is_inside(seen) && !(seen & MARK_REPORTED))
        threads_report(call, object, seen, true, parameter);
}

/* False for types whose handles the loader may replace by its own: those that a program passes are
 * not in our table. */
static bool is_ours(enum handle_type type)
{
    return type != HANDLE_NONE && type != HANDLE_INSTANCE && type != HANDLE_PHYSICAL_DEVICE;
}

void threads_enter_typed(const struct call *call, uint64_t handle, enum handle_type type,
                         const char *parameter)
{
    if (handle && is_ours(type))
        mark_enter(call, mark_own(call), threads_find(call, handle, type), parameter);
}

void threads_leave_typed(const struct call *call, uint64_t handle, enum handle_type type,
                         const char *parameter)
{
    if (handle && is_ours(type))
        mark_leave(call, mark_own(call), threads_find(call, handle, type), parameter);
}

static void read_command_buffer(const struct call *call, VkCommandBuffer command_buffer)
{
    if (command_buffer)
        threads_read(call, object_find_dispatchable(command_buffer, HANDLE_COMMAND_BUFFER),
                     "commandBuffer");
}

void threads_read_submits(const struct call *call, uint32_t count, const VkSubmitInfo *submits)
{
    for (uint32_t i = 0; submits && i < count; i++) {
        for (uint32_t k = 0; submits[i].pCommandBuffers && k < submits[i].commandBufferCount; k++)
            read_command_buffer(call, submits[i].pCommandBuffers[k]);
    }
}

void threads_read_submits2(const struct call *call, uint32_t count, const VkSubmitInfo2 *submits)
{
    for (uint32_t i = 0; submits && i < count; i++) {
        for (uint32_t k = 0;
             submits[i].pCommandBufferInfos && k < submits[i].commandBufferInfoCount; k++)
            read_command_buffer(call, submits[i].pCommandBufferInfos[k].commandBuffer);
    }
}

/* Enters a set of a pool, for object_for_each_child(). `context`: the call. */
static void enter_set(struct object *set, void *context)
{
    assert(set && context);
    mark_enter(context, mark_own(context), set, NULL);
}

static void leave_set(struct object *set, void *context)
{
    mark_leave(context, mark_own(context), set, NULL);
}

void threads_enter_sets_of_pool(const struct call *call, VkDescriptorPool pool)
{
    struct object *object = pool ? threads_find(call, pool, HANDLE_DESCRIPTOR_POOL) : NULL;
    if (object)
        object_for_each_child(object, enter_set, (void *)call);
}

void threads_leave_sets_of_pool(const struct call *call, VkDescriptorPool pool)
{
    struct object *object = pool ? threads_find(call, pool, HANDLE_DESCRIPTOR_POOL) : NULL;
    if (object)
        object_for_each_child(object, leave_set, (void *)call);
}

/* Enters a physical device, for object_for_each_owned(). `context`: the call. */
static void enter_physical_device(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_PHYSICAL_DEVICE)
        mark_enter(context, mark_own(context), object, NULL);
}

static void leave_physical_device(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_PHYSICAL_DEVICE)
        mark_leave(context, mark_own(context), object, NULL);
}

void threads_enter_physical_devices(const struct call *call)
{
    assert(call->instance);
    object_for_each_owned(call->instance->owner, enter_physical_device, (void *)call);
}

void threads_leave_physical_devices(const struct call *call)
{
    object_for_each_owned(call->instance->owner, leave_physical_device, (void *)call);
}

void threads_enter_queues(const struct call *call, bool all)
{
    assert(call->device);
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next) {
        if (all || queue_needs_synchronization(queue))
            mark_enter(call, mark_own(call), queue->base.object, NULL);
    }
}

void threads_leave_queues(const struct call *call, bool all)
{
    assert(call->device);
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next) {
        if (all || queue_needs_synchronization(queue))
            mark_leave(call, mark_own(call), queue->base.object, NULL);
    }
}
