/* What is said of two threads in one object, and objects that a call needs for itself without naming them. */
#include "threads/mark.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/thread_names.h"
#include "report/caller.h"
#include "report/details.h"
#include "report/finding.h"
#include "report/object_text.h"
#include "report/report.h"
#include "state/queue.h"
#include "threads/threads.h"

bool threads_enabled(const struct settings *settings)
{
    return settings->thread_safety;
}

#define THREAD_TEXT_SIZE 48

/* `4711 "render"`: as the system and the program call it. */
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

/* The other thread and its call for tools: {"thread": 4711, "threadName": "render", "caller": {...}, "stack": [...]} */
/* `path`: NULL where there is no stack, but `alone` at most. */
static COLD void write_race(struct string_builder *json, uint32_t number, const struct caller_path *path,
                            const struct caller *alone)
{
    char name[THREAD_NAME_SIZE];
    const uint32_t system = thread_system_number(number);
    string_builder_format(json, "{\"thread\":%" PRIu32, system);
    if (thread_name_read(system, name)) {
        string_builder_add(json, ",\"threadName\":\"");
        string_builder_add_json(json, name);
        string_builder_add(json, "\"");
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

/* The other thread's call for people: its caller, and what called that. */
static COLD void write_other(struct string_builder *section, const struct caller_path *path)
{
    if (!path)
        return;
    message_write_frame(section, &path->frames[path->first]);
    message_write_outer(section, path, "");
}

void threads_report(const struct call *call, const struct object *object, uint64_t other, bool write,
                    const char *parameter)
{
    enum handle_type type = object_type(object);
    if (type == HANDLE_NONE)
        return; /* destroyed under our feet: lifetimes' finding, and the handle has no name any more */
    const void *kept = (const void *)(uintptr_t)(other & MARK_CALLER);
    const struct caller_text caller = caller_text(call, call->caller), other_caller = caller_text(call, kept);
    /* A lone address may be this call's own as well: of the stack around it nothing is known on the other thread. */
    struct caller_path *path = kept_number(kept) ? caller_path_of_kept(call, kept) : NULL;
    const struct caller alone = caller_describe(callers_first_of_kept(call, kept));
    struct string_builder json, section;
    char json_buffer[512], section_buffer[512];
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    string_builder_begin(&section, section_buffer, sizeof(section_buffer));
    write_race(&json, mark_thread(other), path, &alone);
    write_other(&section, path);
    /* Of one frame the sentence has all. */
    const struct finding_details details = {.section_count = path && path->count > 1,
                                            .sections = {{"other", section.text}},
                                            .json_key = "race",
                                            .json = json.text};
    const struct location where = LOCATION(NULL, parameter);
    uint64_t handle = object_handle(object);
    char name[2][THREAD_TEXT_SIZE];
    /* What the callback answers does not matter: the other thread's call cannot be stopped. */
    (void)finding_told_with(call,
                            write ? UNASSIGNED_Threading_MultipleThreads_Write
                                  : UNASSIGNED_Threading_MultipleThreads_Read,
                            parameter ? &where : NULL, OBJECT(type, handle), &details,
                            "%s is used by two threads at once: thread %s in this call, by %s, and thread %s in one "
                            "made by %s; %s "
                            "needs the %s to be externally synchronized",
                            NAMED(call, type, handle), write_thread(mark_self(), name[0]), caller.text,
                            write_thread(mark_thread(other), name[1]), other_caller.text,
                            write ? "each of the two calls" : "the latter", handle_type_name[type]);
    string_builder_end(&json);
    string_builder_end(&section);
    mem_free(path);
}

void threads_enter_marked(const struct call *call, struct object *object, const char *parameter)
{
    uint64_t seen = atomic_load_explicit(&object->user, memory_order_relaxed);
    if (!seen || mark_thread(seen) == mark_thread(call->mark)) {
        atomic_store_explicit(&object->user, call->mark, memory_order_relaxed);
        return;
    }
    atomic_store_explicit(&object->user, call->mark | MARK_REPORTED, memory_order_relaxed);
    threads_report(call, object, seen, true, parameter);
}

void threads_leave_marked(const struct call *call, struct object *object, const char *parameter)
{
    uint64_t seen = atomic_load_explicit(&object->user, memory_order_relaxed);
    if (mark_thread(seen) == mark_thread(call->mark))
        atomic_store_explicit(&object->user, 0, memory_order_relaxed);
    else if (seen && !(seen & MARK_REPORTED))
        threads_report(call, object, seen, true, parameter);
}

/* The types whose handles the loader may replace by its own; what an app passes for them is not in our table. */
static bool is_ours(enum handle_type type)
{
    return type != HANDLE_NONE && type != HANDLE_INSTANCE && type != HANDLE_PHYSICAL_DEVICE;
}

void threads_enter_typed(const struct call *call, uint64_t handle, enum handle_type type, const char *parameter)
{
    if (handle && is_ours(type))
        mark_enter(call, threads_find(call, handle, type), parameter);
}

void threads_leave_typed(const struct call *call, uint64_t handle, enum handle_type type, const char *parameter)
{
    if (handle && is_ours(type))
        mark_leave(call, threads_find(call, handle, type), parameter);
}

static void read_command_buffer(const struct call *call, VkCommandBuffer command_buffer)
{
    if (command_buffer)
        threads_read(call, object_find_dispatchable(command_buffer, HANDLE_COMMAND_BUFFER), "commandBuffer");
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
        for (uint32_t k = 0; submits[i].pCommandBufferInfos && k < submits[i].commandBufferInfoCount; k++)
            read_command_buffer(call, submits[i].pCommandBufferInfos[k].commandBuffer);
    }
}

static void enter_set(struct object *set, void *context)
{
    mark_enter(context, set, NULL);
}

static void leave_set(struct object *set, void *context)
{
    mark_leave(context, set, NULL);
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

static void enter_physical_device(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_PHYSICAL_DEVICE)
        mark_enter(context, object, NULL);
}

static void leave_physical_device(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_PHYSICAL_DEVICE)
        mark_leave(context, object, NULL);
}

void threads_enter_physical_devices(const struct call *call)
{
    object_for_each_owned(call->instance->owner, enter_physical_device, (void *)call);
}

void threads_leave_physical_devices(const struct call *call)
{
    object_for_each_owned(call->instance->owner, leave_physical_device, (void *)call);
}

void threads_enter_queues(const struct call *call, bool all)
{
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next) {
        if (all || queue_needs_synchronization(queue->base.object))
            mark_enter(call, queue->base.object, NULL);
    }
}

void threads_leave_queues(const struct call *call, bool all)
{
    for (struct queue *queue = device_queues(call->device); queue; queue = queue->next) {
        if (all || queue_needs_synchronization(queue->base.object))
            mark_leave(call, queue->base.object, NULL);
    }
}
