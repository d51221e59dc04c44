/* What is said of two threads in one object, and objects that a call needs for itself without naming them. */
#include "threads/mark.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/thread_names.h"
#include "report/caller.h"
#include "report/finding.h"
#include "report/object_text.h"
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

void threads_report(const struct call *call, const struct object *object, uint64_t other, bool write,
                    const char *parameter)
{
    enum handle_type type = object_type(object);
    if (type == HANDLE_NONE)
        return; /* destroyed under our feet: lifetimes' finding, and the handle has no name any more */
    const struct caller_text caller = caller_text(call, call->caller);
    const struct caller_text other_caller = caller_text(call, (const void *)(uintptr_t)(other & MARK_CALLER));
    const struct location where = LOCATION(NULL, parameter);
    uint64_t handle = object_handle(object);
    char name[2][THREAD_TEXT_SIZE];
    /* What the callback answers does not matter: the other thread's call cannot be stopped. */
    (void)
        finding(call, write ? UNASSIGNED_Threading_MultipleThreads_Write : UNASSIGNED_Threading_MultipleThreads_Read,
                parameter ? &where : NULL, OBJECT(type, handle),
                "%s is used by two threads at once: thread %s in this call, by %s, and thread %s in one made by %s; %s "
                "needs the %s to be externally synchronized",
                NAMED(call, type, handle), write_thread(mark_self(), name[0]), caller.text,
                write_thread(mark_thread(other), name[1]), other_caller.text,
                write ? "each of the two calls" : "the latter", handle_type_name[type]);
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
