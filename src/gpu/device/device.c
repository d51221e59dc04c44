/* Makes and frees the data of a device for the GPU side. It is made with the device, if the driver
 * and the settings allow shaders to be changed. */
#include "gpu/device/device.h"

#include <string.h>

#include "base/lock.h"
#include "gpu/abort/abort.h"
#include "gpu/device/areas.h"
#include "gpu/device/background.h"
#include "gpu/pipeline/binaries.h"
#include "gpu/breadcrumbs/breadcrumbs.h"
#include "gpu/buffers/buffers.h"
#include "gpu/command/command.h"
#include "gpu/device/crash.h"
#include "gpu/device/drain.h"
#include "gpu/gpu.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/compile.h"
#include "gpu/pipeline/shader.h"
#include "gpu/command/ranges.h"
#include "gpu/device/survive.h"
#include "gpu/command/tables.h"
#include "report/finding/finding.h"

/* Returns the size of the printf ring in words, from the setting in bytes: a power of two, and at
 * least GPU_RING_WORDS. */
static uint32_t ring_words(const struct settings *settings)
{
    uint32_t words = GPU_RING_WORDS;
    while (words < settings->printf_buffer_size / 4)
        words *= 2;
    return words;
}

/* Makes the data that all shaders of the device share: the ring, the table of living objects, and
 * the ranges. Returns false if memory is out. */
static bool make_shared(struct gpu_device *gpu)
{
    const uint32_t words = ring_words(&gpu->device->instance->settings);
    struct gpu_allocator *memory = &gpu->memory;
    const VkDeviceSize ring_size = (RING_WORDS + words) * sizeof(uint32_t);
    if ((!gpu_survive_ring(gpu, ring_size, &gpu->ring_memory) &&
         !gpu_memory_take(memory, GPU_MEMORY_WRITTEN, ring_size, &gpu->ring_memory)) ||
        !gpu_memory_take(memory, GPU_MEMORY_READ, GPU_ALIVE_LIMIT, &gpu->alive) ||
        !gpu_memory_take(memory, GPU_MEMORY_READ, GPU_RECORD_WORDS * sizeof(uint32_t),
                         &gpu->anonymous))
        return false;
    gpu_ring_begin(&gpu->ring, gpu->ring_memory.host, words);
    memset(gpu->alive.host, 0, GPU_ALIVE_LIMIT);
    gpu->alive_copy = mem_alloc_zeroed(GPU_ALIVE_LIMIT);
    gpu->carried = mem_alloc_zeroed(GPU_ALIVE_LIMIT * sizeof(*gpu->carried));
    gpu->ranges = gpu_ranges_create(memory);
    const bool has_structures =
        device_has_feature(gpu->device,
                           FEATURE_AccelerationStructureFeaturesKHR_accelerationStructure);
    gpu->structures = has_structures ? gpu_ranges_create(memory) : NULL;
    return gpu->alive_copy && gpu->carried && gpu->ranges && (gpu->structures || !has_structures);
}

/* Makes the tables of recordings. Slot 0 is never given out, so that 0 can mean none. Returns false
 * if memory is out; the caller frees the rest. */
static bool make_slots(struct gpu_device *gpu)
{
    lock_unneeded(&gpu->recordings_lock);
    gpu->slots = mem_alloc_zeroed(GPU_RECORDING_SLOTS * sizeof(*gpu->slots));
    gpu->slot_next = mem_alloc_zeroed(GPU_RECORDING_SLOTS * sizeof(*gpu->slot_next));
    gpu->slot_uses = mem_alloc_zeroed(GPU_RECORDING_SLOTS * sizeof(*gpu->slot_uses));
    gpu->slot_end = 1;
    return gpu->slots && gpu->slot_next && gpu->slot_uses;
}

/* --- the list of all devices, for forks --- */

/* This lock is taken before all locks of a device. */
static struct lock devices_lock = LOCK_INITIALIZER;
/* All devices with GPU-assisted validation in this process. */
static struct gpu_device *devices GUARDED_BY(devices_lock);

/* Reads the records of all devices, for a process that crashes or ends. A device is delisted before
 * its data is freed, so that records refer to existing data. */
static COLD void drain_all(bool ends)
{
    const uint32_t entered = thread_enter(0);
    lock_take(&devices_lock);
    for (struct gpu_device *gpu = devices; gpu; gpu = gpu->next) {
        /* A record that does not name its command gets that of a submission. */
        struct call call = {.command = COMMAND_QueueSubmit, .object = gpu->device->object};
        call_set_device(&call, gpu->device);
        gpu_drain(&call, gpu, ends ? DRAIN_LOST : DRAIN_NOW);
    }
    lock_release(&devices_lock);
    thread_leave(entered);
}

/* Enters the device into the list, which forks and crashes use. The signal handlers are installed
 * with the first device. */
static void gpu_device_enlist(struct gpu_device *gpu)
{
    lock_take(&devices_lock);
    gpu->next = devices;
    gpu->previous = &devices;
    if (devices)
        devices->previous = &gpu->next;
    devices = gpu;
    gpu_crash_begin(drain_all);
    lock_release(&devices_lock);
}

/* Takes the device out of the list; does nothing if it is not in it. Waits for a drain in
 * progress. */
static void gpu_device_delist(struct gpu_device *gpu)
{
    if (!gpu->previous)
        return;
    lock_take(&devices_lock);
    *gpu->previous = gpu->next;
    if (gpu->next)
        gpu->next->previous = gpu->previous;
    gpu->previous = NULL;
    lock_release(&devices_lock);
}

/* A thread that holds one of them takes none that comes before it. */
/* Takes or releases the locks of one device around a fork. A thread that holds one of them takes
 * none that comes before it in the list. Each step runs one half of this. */
static void step_locks(struct gpu_device *gpu, enum fork_step step) NOT_ANALYSED
{
    struct lock *locks[] = {gpu->buffers ? &gpu->buffers->lock : NULL,
                            &gpu_in_device(gpu->device)->shaders->originals_lock,
                            &gpu_in_device(gpu->device)->shaders->lock,
                            &gpu->drain_lock,
                            &gpu->recordings_lock,
                            gpu_ranges_lock(gpu->ranges),
                            gpu->structures ? gpu_ranges_lock(gpu->structures) : NULL,
                            &gpu->memory.lock};
    if (step == FORK_PREPARE)
        aborts_fork(gpu_in_device(gpu->device)->aborts, step);
    else
        gpu_originals_fork(gpu_in_device(gpu->device)->shaders, step);
    struct shared_lock *split_lock = &gpu_in_device(gpu->device)->shaders->split_lock;
    for (size_t i = 0; i < sizeof(locks) / sizeof(locks[0]); i++) {
        if (locks[i])
            lock_fork(locks[i], step);
    }
    if (step == FORK_PREPARE)
        gpu_originals_fork(gpu_in_device(gpu->device)->shaders, step);
    if (step == FORK_PREPARE)
        shared_lock_take(split_lock);
    else if (step == FORK_PARENT)
        shared_lock_release(split_lock);
    else
        /* the lock stores the thread that holds it, which is one of the parent's */
        shared_lock_init(split_lock);
    if (step != FORK_PREPARE)
        aborts_fork(gpu_in_device(gpu->device)->aborts, step);
}

void gpu_devices_fork(enum fork_step step) NOT_ANALYSED /* each step runs one half of it */
{
    breadcrumbs_fork(step);
    /* the lock of background.c is held during the fork; its holder takes none of the locks below */
    gpu_background_fork(step);
    if (step == FORK_PREPARE)
        lock_take(&devices_lock);
    for (struct gpu_device *gpu = devices; gpu; gpu = gpu->next)
        step_locks(gpu, step);
    if (step == FORK_CHILD)
        gpu_crash_fork_child();
    if (step != FORK_PREPARE)
        lock_release(&devices_lock);
}

/* --- making and freeing --- */

/* Frees everything that make_device() made. `device` is NULL if the driver's device is out of
 * reach: then only the layer's memory is freed. */
static void free_device(struct gpu_device *gpu, const struct device *device)
{
    gpu_device_delist(gpu);
    gpu_survive_end(gpu);
    gpu_buffers_free(device, gpu->buffers);
    gpu_ranges_free(gpu->ranges);
    gpu_ranges_free(gpu->structures);
    gpu_allocator_end(&gpu->memory, device);
    lock_unneeded(&gpu->recordings_lock);
    lock_destroy(&gpu->drain_lock);
    lock_destroy(&gpu->recordings_lock);
    mem_free(gpu->alive_copy);
    mem_free((void *)gpu->carried);
    mem_free((void *)gpu->slots);
    mem_free(gpu->slot_next);
    mem_free(gpu->slot_uses);
    mem_free(gpu);
}

/* Makes the data that GPU-assisted validation keeps for a device. Returns NULL if memory is out. */
static struct gpu_device *make_device(struct device *device, const VkDeviceCreateInfo *info)
{
    static _Atomic uint64_t serials;
    struct gpu_device *gpu = mem_alloc_zeroed(sizeof(*gpu));
    if (!gpu)
        return NULL;
    gpu->device = device;
    gpu->serial = atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed) + 1;
    lock_init(&gpu->drain_lock);
    lock_init(&gpu->recordings_lock);
    gpu_allocator_begin(&gpu->memory, device, info);
    if (make_shared(gpu) && make_slots(gpu)) {
        memset(gpu->anonymous.host, 0, GPU_RECORD_WORDS * sizeof(uint32_t));
        gpu_device_fill_record(gpu, gpu->anonymous.host);
        return gpu;
    }
    free_device(gpu, device);
    return NULL;
}

void gpu_after_CreateDevice_device(struct call *call, VkPhysicalDevice physicalDevice,
                                   const VkDeviceCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    struct device *device = call->device;
    if (!gpu_in_device(device)->shaders)
        return;
    gpu_in_device(device)->gpu = make_device(device, pCreateInfo);
    /* Memory was out: shaders of this device are not instrumented, as without the setting. */
    if (!gpu_in_device(device)->gpu) {
        gpu_device_tell_no_memory(call, "shaders run as they are");
        return;
    }
    gpu_shaders_begin(device, gpu_in_device(device)->gpu->anonymous.address);
    gpu_buffers_begin(device);
    gpu_device_enlist(gpu_in_device(device)->gpu);
}

/* Frees the data of an object that the program leaked. */
static void forget_owned(struct object *object, void *context)
{
    if (object_type(object) == HANDLE_DESCRIPTOR_SET)
        gpu_table_free(context, object_load_state(object));
}

void gpu_before_DestroyDevice(struct call *call, VkDevice device,
                              const VkAllocationCallbacks *pAllocator)
{
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    gpu_twins_end(call);
    if (gpu_in_device(call->device)->shaders)
        gpu_originals_end(gpu_in_device(call->device)->shaders, call->device);
    if (!gpu)
        return;
    if (gpu_in_device(call->device)->aborts && aborts_lost(gpu_in_device(call->device)->aborts))
        aborts_tell(call, gpu_in_device(call->device)->aborts);
    /* From here on no crash handler and no fork uses the device. The last records are read while
     * its objects still exist. */
    gpu_device_delist(gpu);
    gpu_drain(call, gpu, DRAIN_LAST);
    object_for_each_owned(call->owner, forget_owned, gpu);
    gpu_in_device(call->device)->gpu = NULL;
    gpu_commands_forget(gpu);
    free_device(gpu, call->device);
}

void gpu_device_abandon(struct device *device)
{
    struct gpu_device *gpu = gpu_in_device(device)->gpu;
    gpu_in_device(device)->gpu = NULL;
    mem_free(gpu_in_device(device)->breadcrumbs);
    gpu_in_device(device)->breadcrumbs = NULL;
    if (gpu)
        free_device(gpu, NULL);
}
