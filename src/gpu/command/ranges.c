/* Keeps for shaders the addresses of buffers, in versions of a list. */
#include "gpu/command/ranges.h"

#include <string.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/device/device.h"
#include "gpu/hooks.h"
#include "base/vec.h"
#include "state/raytracing/acceleration_structure.h"
#include "state/memory/buffer.h"
#include "state/submit/queue.h"

/* the most queues that are noted when a version is replaced; if more have pending work, it stays
 * until all are idle */
#define QUEUES_MOST 16

/* A buffer, or an acceleration structure, that shaders may reach by an address. */
struct known_buffer {
    struct gpu_range range; /* addresses */
    uint64_t id;
};

/* A list of ranges in memory that shaders read. Several may be in use at once, as submitted work
 * keeps the one that it began with. */
struct version {
    struct gpu_memory memory; /* `host` is NULL if the version is free */
    /* number of queues that had pending work when the version was replaced; > QUEUES_MOST: all
     * queues must be idle */
    uint32_t wait_count;
    struct {
        struct queue *queue; /* a queue that had pending work */
        uint64_t sequence;   /* the last submission that may read the version */
    } waits[QUEUES_MOST];
};

/* Keeps the addresses that shaders may access, for the host and for shaders. */
struct gpu_ranges {
    struct gpu_allocator *memory;                  /* const */
    struct gpu_memory header;                      /* RANGES_...; const, but not its contents */
    struct lock lock;                              /* guards all members below */
    struct known_buffer *buffers GUARDED_BY(lock); /* owned; sorted by begin */
    uint32_t count GUARDED_BY(lock), capacity GUARDED_BY(lock);
    _Atomic bool changed; /* a change since the last publish; read without the lock */
    /* memory was out for a buffer: addresses are never checked again */
    bool incomplete GUARDED_BY(lock);
    uint32_t current GUARDED_BY(lock); /* number of the version that new shaders use */
    struct version versions[RANGES_VERSIONS] GUARDED_BY(lock);
};

/* Makes shaders that begin from now on read version `number`. RANGES_UNKNOWN: they check no
 * addresses. */
static void set_current(struct gpu_ranges *ranges, uint32_t number) REQUIRES(ranges->lock)
{
    assert(number <= RANGES_UNKNOWN);
    _Atomic uint32_t *header = ranges->header.host;
    /* Release: the version's list was written before. Memory that is written through the bus
     * without caching keeps the order of stores after this fence, too. */
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&header[RANGES_CURRENT], number, memory_order_release);
    ranges->current = number;
}

/* Writes the address and the length of a version's list, for shaders to read. No shader may be
 * using that version. */
static void set_list(struct gpu_ranges *ranges, uint32_t number, VkDeviceAddress address,
                     uint32_t count)
{
    assert(number <= RANGES_UNKNOWN);
    uint32_t list[4] = {(uint32_t)address, (uint32_t)(address >> 32), count};
    memcpy((uint32_t *)ranges->header.host + RANGES_LISTS + 4 * number, list, sizeof(list));
}

/* Writes the ranges into memory that shaders read. Returns false if memory is out. */
static bool write_version(struct gpu_ranges *ranges, uint32_t number) REQUIRES(ranges->lock)
{
    assert(number < RANGES_VERSIONS);
    struct version *version = &ranges->versions[number];
    struct gpu_range *list = mem_alloc((ranges->count + 1) * sizeof(*list));
    uint32_t count = list ? gpu_ranges_merge(ranges, list) : 0;
    if (!list || !gpu_memory_take(ranges->memory, GPU_MEMORY_READ, (count + 1) * sizeof(*list),
                                  &version->memory)) {
        mem_free(list);
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        list[i].end -= list[i].begin; /* shaders need the size instead of the end */
    list[count] = (struct gpu_range){0};
    memcpy(version->memory.host, list, (count + 1) * sizeof(*list));
    set_list(ranges, number, version->memory.address, count);
    version->wait_count = 0;
    mem_free(list);
    return true;
}

/* Writes the list of RANGES_UNKNOWN: one range with all addresses. */
static void write_unknown(struct gpu_ranges *ranges)
{
    const uint64_t all[4] = {0, UINT64_MAX};
    memcpy((uint32_t *)ranges->header.host + RANGES_ALL, all, sizeof(all));
    set_list(ranges, RANGES_UNKNOWN, ranges->header.address + RANGES_ALL * sizeof(uint32_t), 1);
}

struct gpu_ranges *gpu_ranges_create(struct gpu_allocator *memory)
{
    struct gpu_ranges *ranges = mem_alloc_zeroed(sizeof(*ranges));
    if (!ranges)
        return NULL;
    ranges->memory = memory;
    lock_init(&ranges->lock);
    lock_unneeded(&ranges->lock);
    if (!gpu_memory_take(memory, GPU_MEMORY_READ, RANGES_WORDS * sizeof(uint32_t),
                         &ranges->header) ||
        !write_version(ranges, 0)) {
        gpu_ranges_free(ranges);
        return NULL;
    }
    /* Hints are where shaders found a range last. They may hold any index that was once valid, such
     * as 0. */
    memset((uint32_t *)ranges->header.host + RANGES_HINTS, 0,
           (RANGES_WORDS - RANGES_HINTS) * sizeof(uint32_t));
    write_unknown(ranges);
    set_current(ranges, 0);
    return ranges;
}

void gpu_ranges_free(struct gpu_ranges *ranges)
{
    if (!ranges)
        return;
    lock_unneeded(&ranges->lock);
    lock_destroy(&ranges->lock);
    mem_free(ranges->buffers);
    mem_free(ranges);
}

struct lock *gpu_ranges_lock(struct gpu_ranges *ranges)
{
    return &ranges->lock;
}

VkDeviceAddress gpu_ranges_address(const struct gpu_ranges *ranges)
{
    return ranges->header.address;
}

/* --- buffers --- */

/* Returns the index of the first buffer that begins at the address or after it; `count`: there is
 * none. */
static uint32_t lower_bound(const struct gpu_ranges *ranges, VkDeviceAddress address)
    REQUIRES(ranges->lock)
{
    uint32_t low = 0, high = ranges->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges->buffers[middle].range.begin < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the index of the buffer with this id that begins at this address; `count`: there is none.
 * Several buffers may begin at one address. */
static uint32_t ranges_find(const struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address)
    REQUIRES(ranges->lock)
{
    uint32_t i = lower_bound(ranges, address);
    while (i < ranges->count && ranges->buffers[i].range.begin == address &&
           ranges->buffers[i].id != id)
        i++;
    return i < ranges->count && ranges->buffers[i].range.begin == address ? i : ranges->count;
}

/* True if one more buffer can be inserted. */
static bool ranges_make_room(struct gpu_ranges *ranges) REQUIRES(ranges->lock)
{
    return vec_room(&ranges->buffers, ranges->count, &ranges->capacity, 64,
                    sizeof(*ranges->buffers));
}

void gpu_ranges_add(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address,
                    VkDeviceSize size)
{
    struct gpu_range range = {address, address + size < address ? UINT64_MAX : address + size};
    lock_take(&ranges->lock);
    if (ranges_find(ranges, id, address) == ranges->count) {
        uint32_t at = lower_bound(ranges, address);
        if (ranges_make_room(ranges)) {
            memmove(&ranges->buffers[at + 1], &ranges->buffers[at],
                    (ranges->count - at) * sizeof(*ranges->buffers));
            ranges->buffers[at] = (struct known_buffer){range, id};
            ranges->count++;
        } else {
            /* A missing range would make correct accesses look wrong, so addresses are never
             * checked again. */
            ranges->incomplete = true;
        }
        atomic_store_explicit(&ranges->changed, true, memory_order_relaxed);
    }
    lock_release(&ranges->lock);
}

void gpu_ranges_remove(struct gpu_ranges *ranges, uint64_t id, VkDeviceAddress address)
{
    lock_take(&ranges->lock);
    uint32_t at = ranges_find(ranges, id, address);
    if (at < ranges->count) {
        ranges->count--;
        memmove(&ranges->buffers[at], &ranges->buffers[at + 1],
                (ranges->count - at) * sizeof(*ranges->buffers));
        atomic_store_explicit(&ranges->changed, true, memory_order_relaxed);
    }
    lock_release(&ranges->lock);
}

uint32_t gpu_ranges_merge(const struct gpu_ranges *ranges, struct gpu_range *list)
{
    lock_held(&ranges->lock); /* tests call this without the lock */
    uint32_t count = 0;
    for (uint32_t i = 0; i < ranges->count; i++) {
        struct gpu_range range = ranges->buffers[i].range;
        struct gpu_range *last = count ? &list[count - 1] : NULL;
        if (!last || range.begin >= last->end)
            list[count++] = range;
        else if (range.end > last->end)
            last->end = range.end;
    }
    return count;
}

/* --- versions --- */

/* True if all work submitted to the queue is known to be done. Number 0: the queue was never
 * used. */
static bool queue_idle(const struct queue *queue)
{
    return !queue->number || atomic_load_explicit(&queue->completed, memory_order_relaxed) >=
                                 atomic_load_explicit(&queue->submitted, memory_order_relaxed);
}

/* True if no pending work can read the version: all work that was pending when it was replaced is
 * done. */
static bool version_unused(const struct version *version, const struct queue *queues)
{
    if (version->wait_count > QUEUES_MOST) {
        while (queues && queue_idle(queues))
            queues = queues->next;
        return !queues;
    }
    for (uint32_t i = 0; i < version->wait_count; i++) {
        if (atomic_load_explicit(&version->waits[i].queue->completed, memory_order_relaxed) <
            version->waits[i].sequence)
            return false;
    }
    return true;
}

/* Notes for each queue the last submission that may read the version. Later submissions read a
 * newer one. */
static void replace_version(struct version *version, struct queue *queues)
{
    version->wait_count = 0;
    for (; queues; queues = queues->next) {
        if (queue_idle(queues))
            continue;
        if (version->wait_count == QUEUES_MOST) {
            version->wait_count++;
            return;
        }
        version->waits[version->wait_count].queue = queues;
        version->waits[version->wait_count++].sequence =
            atomic_load_explicit(&queues->submitted, memory_order_relaxed);
    }
}

/* Returns the number of a version that no shader reads, and gives its memory back; RANGES_VERSIONS:
 * all are in use. */
static uint32_t free_version(struct gpu_ranges *ranges, struct queue *queues) REQUIRES(ranges->lock)
{
    uint32_t found = RANGES_VERSIONS;
    for (uint32_t i = 0; i < RANGES_VERSIONS; i++) {
        struct version *version = &ranges->versions[i];
        if (i == ranges->current || !version_unused(version, queues))
            continue;
        gpu_memory_give(ranges->memory, &version->memory);
        found = i;
    }
    return found;
}

bool gpu_ranges_publish(struct gpu_ranges *ranges, struct queue *queues)
{
    /* A concurrent change by another thread is published at a later submission: the program must
     * order the two itself. */
    if (likely(!atomic_load_explicit(&ranges->changed, memory_order_relaxed)))
        return true;
    lock_take(&ranges->lock);
    uint32_t before = ranges->current,
             number = ranges->incomplete ? RANGES_VERSIONS : free_version(ranges, queues);
    bool written = number < RANGES_VERSIONS && write_version(ranges, number);
    /* If all versions are in use, or memory is out, shaders check no addresses until a later
     * submission succeeds. */
    set_current(ranges, written ? number : RANGES_UNKNOWN);
    if (before < RANGES_VERSIONS)
        replace_version(&ranges->versions[before], queues);
    atomic_store_explicit(&ranges->changed, !written && !ranges->incomplete, memory_order_relaxed);
    bool out = number < RANGES_VERSIONS && !written;
    lock_release(&ranges->lock);
    return !out;
}

/* --- hooks --- */

/* Adds a buffer that shaders may access by an address, and queries the address. The layer asks
 * because the program may not: another buffer in the same memory gives it the address, too. The
 * query is valid for buffers with the usage, in memory that was allocated for it, on a device with
 * the feature (VUID-VkBufferDeviceAddressInfo). */
static void ranges_add(const struct call *call, VkBuffer handle)
{
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    struct buffer *buffer = gpu ? find_buffer(call, handle) : NULL;
    if (!buffer || !(buffer->usage & VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT) ||
        !(device_has_feature(call->device, FEATURE_bufferDeviceAddress)))
        return;
    if (!(buffer->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)) {
        const struct device_memory *memory = device_memory_by_id(buffer->binding.memory);
        if (!memory || !(memory->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT))
            return;
    }
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                            .buffer = (VkBuffer)object_driver(buffer->base.object)};
    gpu_in_buffer(buffer)->address =
        call->device->dispatch.GetBufferDeviceAddress(call->device->handle, &info);
    if (gpu_in_buffer(buffer)->address)
        gpu_ranges_add(gpu->ranges, object_state_id(&buffer->base), gpu_in_buffer(buffer)->address,
                       buffer->size);
}

void gpu_after_CreateBuffer(struct call *call, VkDevice device,
                            const VkBufferCreateInfo *pCreateInfo,
                            const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    /* Sparse buffers have their address from the beginning; others get one with their memory. */
    if (call->result == VK_SUCCESS && pCreateInfo->flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT)
        ranges_add(call, *pBuffer);
}

void gpu_after_BindBufferMemory(struct call *call, VkDevice device, VkBuffer buffer,
                                VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    if (call->result == VK_SUCCESS)
        ranges_add(call, buffer);
}

void gpu_after_BindBufferMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                 const VkBindBufferMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; call->result == VK_SUCCESS && i < bindInfoCount; i++)
        ranges_add(call, pBindInfos[i].buffer);
}

/* Adds a buffer whose address the layer could not query earlier, as the conditions were not known
 * to hold. A hook does not see the call's result, so the address is read from the state tracker. */
void gpu_after_GetBufferDeviceAddress(struct call *call, VkDevice device,
                                      const VkBufferDeviceAddressInfo *pInfo)
{
    struct buffer *buffer =
        gpu_in_device(call->device)->gpu ? find_buffer(call, pInfo->buffer) : NULL;
    VkDeviceAddress address =
        buffer ? atomic_load_explicit(&buffer->address, memory_order_relaxed) : 0;
    if (!address || gpu_in_buffer(buffer)->address == address)
        return;
    gpu_in_buffer(buffer)->address = address;
    gpu_ranges_add(gpu_in_device(call->device)->gpu->ranges, object_state_id(&buffer->base),
                   address, buffer->size);
}

void gpu_before_DestroyBuffer_ranges(struct call *call, VkDevice device, VkBuffer buffer,
                                     const VkAllocationCallbacks *pAllocator)
{
    const struct buffer *state =
        gpu_in_device(call->device)->gpu ? named_buffer(call, 0, buffer) : NULL;
    if (state && gpu_in_buffer(state)->address)
        gpu_ranges_remove(gpu_in_device(call->device)->gpu->ranges, object_state_id(&state->base),
                          gpu_in_buffer(state)->address);
}

/* Adds an acceleration structure as a range of its first address only: instances refer to that
 * address. */
void gpu_after_GetAccelerationStructureDeviceAddressKHR(
    struct call *call, VkDevice device, const VkAccelerationStructureDeviceAddressInfoKHR *pInfo)
{
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    struct acceleration_structure *structure =
        gpu && gpu->structures ? find_acceleration_structure(call, pInfo->accelerationStructure)
                               : NULL;
    if (!structure || structure->type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR)
        return;
    VkAccelerationStructureDeviceAddressInfoKHR info = *pInfo;
    info.accelerationStructure = (VkAccelerationStructureKHR)object_driver(structure->base.object);
    VkDeviceAddress address =
        call->device->dispatch.GetAccelerationStructureDeviceAddressKHR(device, &info);
    if (!address || gpu_in_acceleration_structure(structure)->address == address)
        return;
    gpu_in_acceleration_structure(structure)->address = address;
    gpu_ranges_add(gpu->structures, object_state_id(&structure->base), address, 1);
}

void gpu_before_DestroyAccelerationStructureKHR_ranges(struct call *call, VkDevice device,
                                                       VkAccelerationStructureKHR
                                                           accelerationStructure,
                                                       const VkAllocationCallbacks *pAllocator)
{
    const struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    const struct acceleration_structure *structure =
        gpu && gpu->structures ? named_acceleration_structure(call, 0, accelerationStructure)
                               : NULL;
    if (structure && gpu_in_acceleration_structure(structure)->address)
        gpu_ranges_remove(gpu->structures, object_state_id(&structure->base),
                          gpu_in_acceleration_structure(structure)->address);
}

/* Publishes the ranges: submitted shaders see the buffers and acceleration structures that exist at
 * the submission. */
static void ranges_publish(const struct call *call)
{
    struct gpu_device *gpu = gpu_in_device(call->device)->gpu;
    if (!gpu)
        return;
    struct queue *queues = device_queues(call->device);
    if (!gpu_ranges_publish(gpu->ranges, queues) ||
        (gpu->structures && !gpu_ranges_publish(gpu->structures, queues)))
        gpu_device_stop(call, gpu);
}

void gpu_before_QueueSubmit_ranges(struct call *call, VkQueue queue, uint32_t submitCount,
                                   const VkSubmitInfo *pSubmits, VkFence fence)
{
    ranges_publish(call);
}

void gpu_before_QueueSubmit2_ranges(struct call *call, VkQueue queue, uint32_t submitCount,
                                    const VkSubmitInfo2 *pSubmits, VkFence fence)
{
    ranges_publish(call);
}

/* Publishes the ranges, as submitted work that waits for this signal may use buffers that were
 * added since. */
void gpu_before_SignalSemaphore_ranges(struct call *call, VkDevice device,
                                       const VkSemaphoreSignalInfo *pSignalInfo)
{
    ranges_publish(call);
}

void gpu_before_SetEvent_ranges(struct call *call, VkDevice device, VkEvent event)
{
    ranges_publish(call);
}

void gpu_device_fill_record(const struct gpu_device *gpu, uint32_t *record)
{
    const VkDeviceAddress ring = gpu->ring_memory.address, alive = gpu->alive.address,
                          ranges = gpu_ranges_address(gpu->ranges);
    /* The addresses of tables follow these words; the caller fills them in. */
    memset(record, 0, COMMAND_TABLES * sizeof(*record));
    memcpy(&record[COMMAND_RING], &ring, sizeof(ring));
    memcpy(&record[COMMAND_ALIVE], &alive, sizeof(alive));
    memcpy(&record[COMMAND_RANGES], &ranges, sizeof(ranges));
    record[COMMAND_ALIVE_LIMIT] = GPU_ALIVE_LIMIT;
}
