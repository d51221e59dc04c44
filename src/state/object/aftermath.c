/* Records the last submissions, with their names and labels. The record is in a mapped file, so
 * that it still exists when the process does not. It is written by plain stores: a reader reads it
 * after the last one.
 *
 * The submissions of a queue have one writer at a time, as the program must synchronise the queue.
 * Entries of objects are taken with a compare-and-swap, and never change their object. */
#include "state/object/aftermath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "state/submit/queue.h"
#include "state/submit/submission.h"

bool aftermath_is_wanted(void)
{
    const char *prefix = secure_getenv(AFTERMATH_VARIABLE);
    return prefix && prefix[0] == '/';
}

static bool aftermath_enabled(const struct settings *settings)
{
    return settings->breadcrumbs || aftermath_is_wanted();
}

bool aftermath_file_name(const struct aftermath *aftermath, const char *suffix, char *to,
                         size_t size)
{
    assert(aftermath && suffix && size);
    const char *prefix = secure_getenv(AFTERMATH_VARIABLE);
    const int length = prefix ? snprintf(to, size, "%s.%u.%u%s", prefix, aftermath->process,
                                         aftermath->number, suffix)
                              : -1;
    return length > 0 && (size_t)length < size;
}

/* --- from its beginning to its end --- */

/* Creates and maps the file. NULL: that failed, and the program runs without it. */
static struct aftermath *map_file(const struct aftermath *named)
{
    char path[4096];
    if (!aftermath_file_name(named, "", path, sizeof(path)))
        return NULL;
    /* O_EXCL: a link that another user has created there is not followed. */
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return NULL;
    void *memory = MAP_FAILED;
    if (ftruncate(file, sizeof(struct aftermath)) == 0)
        memory = mmap(NULL, sizeof(struct aftermath), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    /* The mapping stays valid. */
    (void)close(file);
    if (memory == MAP_FAILED)
        /* Without this an empty file would remain. */
        (void)unlink(path);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Maps the file in which the device's submissions outlive the process. Without a file, memory is
 * used that only serves the report of a lost device. */
static void after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                               const VkDeviceCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    static _Atomic uint32_t numbers;
    const struct aftermath named = {
        .process = (uint32_t)getpid(),
        .number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1,
    };
    if (call->result != VK_SUCCESS || !call->device)
        return;
    const struct settings *settings = &call->instance->settings;
    struct aftermath *aftermath = aftermath_is_wanted() ? map_file(&named) : NULL;
    if (!aftermath && settings->breadcrumbs) { /* only for the report of a lost device */
        void *memory = mmap(NULL, sizeof(*aftermath), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        aftermath = memory == MAP_FAILED ? NULL : memory;
    }
    if (!aftermath)
        return;
    aftermath->process = named.process;
    aftermath->number = named.number;
    aftermath->device = (uint64_t)(uintptr_t)*pDevice;
    aftermath->gpu = settings->gpuav_enable;
    aftermath->safe = settings->gpuav_safe_mode;
    aftermath->layout = AFTERMATH_LAYOUT;
    aftermath_in_device(call->device)->aftermath = aftermath;
}

/* The memory stays mapped, as a thread of a wrong program may be in a submission. */
static void before_DestroyDevice(struct call *call, VkDevice device,
                                 const VkAllocationCallbacks *pAllocator)
{
    static const char *const suffixes[] = {"", AFTERMATH_RING, AFTERMATH_SHADERS,
                                           AFTERMATH_COMMANDS};
    const struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    char path[4096];
    /* the child of a fork leaves the file to its parent */
    if (!aftermath || aftermath->process != (uint32_t)getpid())
        return;
    for (size_t i = 0; i < ARRAY_LENGTH(suffixes); i++) {
        if (aftermath_file_name(aftermath, suffixes[i], path, sizeof(path)))
            (void)unlink(path);
    }
}

/* --- objects --- */

/* The index at which the search for a handle begins. */
static inline uint32_t aftermath_object_place(uint64_t handle)
{
    return (uint32_t)((handle >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* The entry of an object, by its handle. NULL: there is none, or there is no room to add one. */
static struct aftermath_object *aftermath_object_find(struct aftermath *aftermath, uint64_t handle,
                                                      bool add)
{
    uint32_t place = aftermath_object_place(handle);
    for (uint32_t i = 0; handle && i < AFTERMATH_TRIES; i++, place++) {
        struct aftermath_object *object = &aftermath->objects[place % AFTERMATH_OBJECTS];
        uint64_t there = atomic_load_explicit(&object->handle, memory_order_relaxed);
        if (there == handle)
            return object;
        if (there)
            continue;
        if (!add)
            return NULL;
        if (atomic_compare_exchange_strong_explicit(&object->handle, &there, handle,
                                                    memory_order_relaxed, memory_order_relaxed) ||
            there == handle)
            return object;
    }
    return NULL;
}

/* Copies as much of a text as fits, and terminates it. */
static void copy_cut(char *to, size_t size, const char *text)
{
    assert(to && size);
    const size_t length = strnlen(text, size - 1);
    memcpy(to, text, length);
    to[length] = 0;
}

/* Notes the name of a device, queue or command buffer, for the report of a lost device. */
static void set_name(const struct call *call, VkObjectType type, uint64_t handle, const char *name)
{
    struct aftermath *aftermath =
        call->device ? aftermath_in_device(call->device)->aftermath : NULL;
    if (!aftermath)
        return;
    if (type == VK_OBJECT_TYPE_DEVICE)
        copy_cut(aftermath->device_name, AFTERMATH_NAME, name ? name : "");
    if (type != VK_OBJECT_TYPE_QUEUE && type != VK_OBJECT_TYPE_COMMAND_BUFFER)
        return;
    struct aftermath_object *object = aftermath_object_find(aftermath, handle, name != NULL);
    if (object)
        copy_cut(object->name, AFTERMATH_NAME, name ? name : "");
}

static void after_SetDebugUtilsObjectNameEXT(struct call *call, VkDevice device,
                                             const VkDebugUtilsObjectNameInfoEXT *pNameInfo)
{
    set_name(call, pNameInfo->objectType, pNameInfo->objectHandle, pNameInfo->pObjectName);
}

/* The handle may be that of a freed command buffer, whose data is cleared. */
static void after_AllocateCommandBuffers(struct call *call, VkDevice device,
                                         const VkCommandBufferAllocateInfo *pAllocateInfo,
                                         VkCommandBuffer *pCommandBuffers)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    for (uint32_t i = 0;
         aftermath && call->result == VK_SUCCESS && i < pAllocateInfo->commandBufferCount; i++) {
        struct aftermath_object *object =
            aftermath_object_find(aftermath, (uint64_t)(uintptr_t)pCommandBuffers[i], false);
        if (!object)
            continue;
        object->name[0] = 0;
        object->recording = 0;
        object->labels = (struct aftermath_labels){0};
    }
}

void aftermath_note_recording(struct aftermath *aftermath, VkCommandBuffer command_buffer,
                              uint32_t recording)
{
    assert(aftermath);
    struct aftermath_object *object =
        aftermath_object_find(aftermath, (uint64_t)(uintptr_t)command_buffer, true);
    if (object)
        object->recording = recording;
}

/* --- labels --- */

/* Adds a label's name, cut to the room. `between`: the text before it, unless it is the first
 * one. */
static void add_text(struct aftermath_labels *labels, const char *between, const char *name)
{
    assert(labels && name);
    const size_t room = AFTERMATH_LABELS - 1u - labels->length;
    const size_t first = strnlen(labels->length ? between : "", room);
    const size_t rest = strnlen(name, room - first);
    memcpy(labels->text + labels->length, between, first);
    memcpy(labels->text + labels->length + first, name, rest);
    labels->length = (uint16_t)(labels->length + first + rest);
    labels->text[labels->length] = 0;
}

/* Begins a label. For a queue the open labels form a path; for a command buffer the outermost
 * labels form a list. */
static void begin_label(const struct call *call, uint64_t handle, const char *name, bool is_queue)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    struct aftermath_object *object =
        aftermath && name ? aftermath_object_find(aftermath, handle, true) : NULL;
    if (!object)
        return;
    struct aftermath_labels *labels = &object->labels;
    if (labels->depth < AFTERMATH_DEPTH)
        labels->ends[labels->depth] = labels->length;
    /* Deeper labels are only counted, so that each end matches its begin. */
    if (is_queue ? labels->depth < AFTERMATH_DEPTH : labels->depth == 0)
        add_text(labels, is_queue ? " > " : ", ", name);
    if (labels->depth < UINT16_MAX)
        labels->depth++;
}

/* Ends a label. The name of a queue's label is removed; that of a command buffer's stays, as it
 * says what was recorded. */
static void end_label(const struct call *call, uint64_t handle, bool is_queue)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    struct aftermath_object *object =
        aftermath ? aftermath_object_find(aftermath, handle, false) : NULL;
    if (!object || !object->labels.depth)
        return;
    struct aftermath_labels *labels = &object->labels;
    labels->depth--;
    if (!is_queue || labels->depth >= AFTERMATH_DEPTH)
        return;
    labels->length = labels->ends[labels->depth];
    labels->text[labels->length] = 0;
}

static void after_QueueBeginDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                               const VkDebugUtilsLabelEXT *pLabelInfo)
{
    begin_label(call, (uint64_t)(uintptr_t)queue, pLabelInfo->pLabelName, true);
}

static void after_QueueEndDebugUtilsLabelEXT(struct call *call, VkQueue queue)
{
    end_label(call, (uint64_t)(uintptr_t)queue, true);
}

static void after_CmdBeginDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkDebugUtilsLabelEXT *pLabelInfo)
{
    begin_label(call, (uint64_t)(uintptr_t)commandBuffer, pLabelInfo->pLabelName, false);
}

static void after_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    end_label(call, (uint64_t)(uintptr_t)commandBuffer, false);
}

static void after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkCommandBufferBeginInfo *pBeginInfo)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    struct aftermath_object *object =
        aftermath ? aftermath_object_find(aftermath, (uint64_t)(uintptr_t)commandBuffer, false)
                  : NULL;
    if (!object || !(object->labels.length | object->labels.depth))
        return;
    object->labels.length = object->labels.depth = 0;
    object->labels.text[0] = 0;
}

/* --- submissions --- */

/* The entry of the queue; NULL: the queue is not known, or there are more queues than entries. */
static struct aftermath_queue *queue_of(struct aftermath *aftermath, const struct queue *queue)
{
    return queue && queue->number && queue->number <= AFTERMATH_QUEUES
               ? &aftermath->queues[queue->number - 1]
               : NULL;
}

static void after_GetDeviceQueue(struct call *call, VkDevice device, uint32_t queueFamilyIndex,
                                 uint32_t queueIndex, VkQueue *pQueue)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    for (const struct queue *queue = aftermath ? device_queues(call->device) : NULL; queue;
         queue = queue->next) {
        struct aftermath_queue *to = queue_of(aftermath, queue);
        if (!to || atomic_load_explicit(&to->handle, memory_order_relaxed))
            continue;
        to->family = queue->family;
        atomic_store_explicit(&to->handle, object_driver(queue->base.object), memory_order_relaxed);
    }
}

static void after_GetDeviceQueue2(struct call *call, VkDevice device,
                                  const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
    after_GetDeviceQueue(call, device, 0, 0, pQueue);
}

/* The time in nanoseconds, exact to a few milliseconds, which is enough for a person. This clock is
 * read in a few nanoseconds. */
static uint64_t aftermath_clock(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

/* Takes and clears the entry of the next submission. */
static struct aftermath_submission *begin_submission(struct aftermath *aftermath,
                                                     struct aftermath_queue *queue,
                                                     enum aftermath_kind kind, uint64_t time)
{
    struct aftermath_submission *submission =
        &queue->submissions[++queue->count % AFTERMATH_SUBMISSIONS];
    const struct aftermath_object *object =
        aftermath_object_find(aftermath, atomic_load_explicit(&queue->handle, memory_order_relaxed),
                              false);
    /* 0: the entry is not complete, and a reader after a crash skips it. */
    atomic_store_explicit(&submission->sequence, 0, memory_order_relaxed);
    submission->number = queue->count;
    submission->time = time;
    submission->kind = kind;
    submission->command_buffer_count = 0;
    submission->labels[0] = 0;
    if (object && object->labels.length)
        memcpy(submission->labels, object->labels.text, object->labels.length + (size_t)1);
    return submission;
}

/* Adds a submission. Its number is written last: an entry with a number is complete. */
static void add_batch(struct aftermath *aftermath, struct aftermath_queue *queue, uint64_t sequence,
                      enum aftermath_kind kind, uint64_t time, const struct batch *batch)
{
    struct aftermath_submission *submission = begin_submission(aftermath, queue, kind, time);
    submission->command_buffer_count = batch->command_buffer_count;
    for (uint32_t i = 0; i < batch->command_buffer_count && i < AFTERMATH_COMMAND_BUFFERS; i++)
        submission->command_buffers[i] = (uint64_t)(uintptr_t)batch_command_buffer(batch, i);
    atomic_store_explicit(&submission->sequence, sequence, memory_order_release);
}

/* One submit call. Its batches have the last numbers of the queue, and its fence one more. */
struct submit {
    struct aftermath *aftermath;
    struct aftermath_queue *queue;
    uint64_t first, time; /* number of the first batch; time as in aftermath_submission */
};

/* True if the call is recorded, which has `count` batches. Their numbers were given in an earlier
 * hook. */
static bool begin_submit(const struct call *call, uint32_t count, bool fence, struct submit *submit)
{
    struct aftermath *aftermath = aftermath_in_device(call->device)->aftermath;
    const struct queue *state = aftermath ? object_load_state(call->object) : NULL;
    struct aftermath_queue *queue = state ? queue_of(aftermath, state) : NULL;
    if (!queue)
        return false;
    const uint64_t last = atomic_load_explicit(&state->submitted, memory_order_relaxed);
    *submit = (struct submit){aftermath, queue, last - count - fence + 1, aftermath_clock()};
    return true;
}

/* Adds the batches of a call to the record. For a sparse binding only the number is kept. */
static void add_batches(const struct call *call, const struct batches *batches, VkFence fence)
{
    struct submit submit;
    const bool binds = batches->form == BATCHES_BIND_SPARSE;
    if (!batches->count || !begin_submit(call, batches->count, fence != VK_NULL_HANDLE, &submit))
        return;
    for (uint32_t i = 0; i < batches->count; i++) {
        const struct batch batch = binds ? (struct batch){0} : batches_at(batches, i);
        add_batch(submit.aftermath, submit.queue, submit.first + i,
                  binds ? AFTERMATH_SPARSE : AFTERMATH_SUBMIT, submit.time, &batch);
    }
}

static void before_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                               const VkSubmitInfo *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit(submitCount, pSubmits);
    add_batches(call, &batches, fence);
}

static void before_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                                const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    const struct batches batches = batches_of_submit2(submitCount, pSubmits);
    add_batches(call, &batches, fence);
}

static void before_QueueBindSparse(struct call *call, VkQueue queue, uint32_t bindInfoCount,
                                   const VkBindSparseInfo *pBindInfo, VkFence fence)
{
    const struct batches batches = batches_of_bind_sparse(bindInfoCount, pBindInfo);
    add_batches(call, &batches, fence);
}

static void before_QueuePresentKHR(struct call *call, VkQueue queue,
                                   const VkPresentInfoKHR *pPresentInfo)
{
    const struct batch batch = {0};
    struct submit submit;
    if (begin_submit(call, 1, false, &submit))
        add_batch(submit.aftermath, submit.queue, submit.first, AFTERMATH_PRESENT, submit.time,
                  &batch);
}

/* --- what is known to be done --- */

/* Notes which submissions have completed, in calls that can show the program that. */
static void aftermath_look(const struct call *call)
{
    struct aftermath *aftermath =
        call->device ? aftermath_in_device(call->device)->aftermath : NULL;
    if (!aftermath)
        return;
    for (const struct queue *queue = device_queues(call->device); queue; queue = queue->next) {
        struct aftermath_queue *to = queue_of(aftermath, queue);
        if (to)
            atomic_store_explicit(&to->completed,
                                  atomic_load_explicit(&queue->completed, memory_order_relaxed),
                                  memory_order_relaxed);
    }
    if (call->result == VK_ERROR_DEVICE_LOST)
        atomic_store_explicit(&aftermath->lost, 1, memory_order_relaxed);
}

static void after_WaitForFences(struct call *call, VkDevice device, uint32_t fenceCount,
                                const VkFence *pFences, VkBool32 waitAll, uint64_t timeout)
{
    aftermath_look(call);
}

static void after_GetFenceStatus(struct call *call, VkDevice device, VkFence fence)
{
    aftermath_look(call);
}

static void after_QueueWaitIdle(struct call *call, VkQueue queue)
{
    aftermath_look(call);
}

static void after_DeviceWaitIdle(struct call *call, VkDevice device)
{
    aftermath_look(call);
}

static void after_WaitSemaphores(struct call *call, VkDevice device,
                                 const VkSemaphoreWaitInfo *pWaitInfo, uint64_t timeout)
{
    aftermath_look(call);
}

static void after_GetSemaphoreCounterValue(struct call *call, VkDevice device,
                                           VkSemaphore semaphore, uint64_t *pValue)
{
    aftermath_look(call);
}

static void after_QueueSubmit(struct call *call, VkQueue queue, uint32_t submitCount,
                              const VkSubmitInfo *pSubmits, VkFence fence)
{
    if (unlikely(call->result != VK_SUCCESS))
        aftermath_look(call);
}

static void after_QueueSubmit2(struct call *call, VkQueue queue, uint32_t submitCount,
                               const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    if (unlikely(call->result != VK_SUCCESS))
        aftermath_look(call);
}

/* Puts the hooks into the table. */
static void aftermath_hooks_fill(struct validator_hooks *hooks)
{
    hooks->after_CreateDevice = after_CreateDevice;
    hooks->before_DestroyDevice = before_DestroyDevice;
    hooks->after_SetDebugUtilsObjectNameEXT = after_SetDebugUtilsObjectNameEXT;
    hooks->after_AllocateCommandBuffers = after_AllocateCommandBuffers;
    hooks->after_QueueBeginDebugUtilsLabelEXT = after_QueueBeginDebugUtilsLabelEXT;
    hooks->after_QueueEndDebugUtilsLabelEXT = after_QueueEndDebugUtilsLabelEXT;
    hooks->after_CmdBeginDebugUtilsLabelEXT = after_CmdBeginDebugUtilsLabelEXT;
    hooks->after_CmdEndDebugUtilsLabelEXT = after_CmdEndDebugUtilsLabelEXT;
    hooks->after_BeginCommandBuffer = after_BeginCommandBuffer;
    hooks->after_GetDeviceQueue = after_GetDeviceQueue;
    hooks->after_GetDeviceQueue2 = after_GetDeviceQueue2;
    hooks->before_QueueSubmit = before_QueueSubmit;
    hooks->before_QueueSubmit2 = before_QueueSubmit2;
    hooks->before_QueueBindSparse = before_QueueBindSparse;
    hooks->before_QueuePresentKHR = before_QueuePresentKHR;
    hooks->after_WaitForFences = after_WaitForFences;
    hooks->after_GetFenceStatus = after_GetFenceStatus;
    hooks->after_QueueWaitIdle = after_QueueWaitIdle;
    hooks->after_DeviceWaitIdle = after_DeviceWaitIdle;
    hooks->after_WaitSemaphores = after_WaitSemaphores;
    hooks->after_GetSemaphoreCounterValue = after_GetSemaphoreCounterValue;
    hooks->after_QueueSubmit = after_QueueSubmit;
    hooks->after_QueueSubmit2 = after_QueueSubmit2;
}

static struct validator_hooks own_hooks;
const struct validator aftermath_validator = {
    .name = "aftermath",
    .enabled = aftermath_enabled,
    .hooks = &own_hooks,
    .fill = aftermath_hooks_fill,
};
