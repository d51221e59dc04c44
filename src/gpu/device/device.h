/* Keeps the data of a device for the GPU side: memory, the ring that shaders write records to, and
 * its recordings. It also has the tables that all shaders read: which objects exist, and which
 * addresses buffers have. It is gpu_in_device(device)->gpu: NULL if the driver lacks a needed
 * feature, or gpuav_enable and printf_enable are off. */
#ifndef ASSAY_GPU_DEVICE_H
#define ASSAY_GPU_DEVICE_H

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/device/memory.h"
#include "gpu/device/ring.h"
#include "spirv/abi.h"

struct aftermath_commands; /* base/aftermath.h */
struct gpu_command_buffer; /* gpu/command/command.h */
struct gpu_ranges;         /* gpu/command/ranges.h */
struct gpu_buffers;        /* gpu/buffers/buffers.h */

/* The number of object slots with a byte in the table of living objects; slots beyond it count as
 * alive. The table has 4 MiB, of which only used pages are committed. */
#define GPU_ALIVE_LIMIT (1u << 22)
/* Words of a command's record with the tables of the most sets possible. */
#define GPU_RECORD_WORDS (COMMAND_TABLES + 2 * BOUND_SETS)

/* The number of a recording has its slot in the low GPU_RECORDING_SLOT_BITS bits. Above them is how
 * often the slot was used, from 1, so no number is 0. */
#define GPU_RECORDING_SLOT_BITS 18
#define GPU_RECORDING_SLOTS     (1u << GPU_RECORDING_SLOT_BITS)

/* A bad descriptor that a shader has found. Other findings may be its consequences
 * (gpu/report/report_causes.c). */
struct gpu_cause {
    uint32_t shader, recording, command; /* RECORD_... */
    uint32_t instruction, error;         /* RECORD_INSTRUCTION and RECORD_ERROR */
    uint32_t set, binding, index;
    bool repeats; /* the cause was known before, and was not reported again */
};
/* the most causes that are kept: enough for a few shaders with several places each */
#define GPU_CAUSES 32

struct gpu_device {
    struct device *device; /* const, as are all members without a note */
    uint64_t serial;       /* unique among the process's devices */
    struct gpu_allocator memory;
    /* memory is out: no shader is instrumented from now on, and instrumented ones get the anonymous
     * record. Relaxed */
    _Atomic bool stopped;

    struct gpu_memory ring_memory;
    struct gpu_ring ring;
    struct lock drain_lock;
    /* the last causes, used as a ring; `shader` 0: the entry is empty */
    struct gpu_cause causes[GPU_CAUSES] GUARDED_BY(drain_lock);
    uint32_t next_cause GUARDED_BY(drain_lock);
    /* the record for commands without a record of their own: recording 0 */
    struct gpu_memory anonymous;
    /* a byte for each slot of the object table, below GPU_ALIVE_LIMIT */
    struct gpu_memory alive;
    _Atomic uint8_t *alive_copy; /* owned: a copy of `alive` that the CPU can read. Relaxed */
    /* Owned: for each slot, how many objects that descriptors refer to depend on its object, as a
     * view on an image. Relaxed */
    _Atomic uint32_t *carried;

    struct lock recordings_lock;
    /* owned; GPU_RECORDING_SLOTS elements, whose pages are committed when used; [0] is NULL */
    struct gpu_command_buffer *_Atomic *slots;
    uint32_t slot_end GUARDED_BY(recordings_lock); /* slots below this one have been used */
    /* first of a list linked by slot_next; 0: none */
    uint32_t slot_free GUARDED_BY(recordings_lock);
    /* owned; the next free slot for each free slot */
    uint32_t *slot_next GUARDED_BY(recordings_lock);
    /* owned; number of recordings that each slot has had. Lock: the recording that has the slot */
    uint16_t *slot_uses;

    /* links of the list of all devices, for forks. Lock: devices_lock (device.c) */
    struct gpu_device *next, **previous;

    struct gpu_ranges *ranges; /* owned: gpu/command/ranges.h */
    /* owned: gpu/command/ranges.h, for acceleration structures that instances may refer to; NULL:
     * the device has no such feature */
    struct gpu_ranges *structures;
    /* gpu/device/survive.h: mapped; NULL: no data has to survive the process. */
    struct aftermath_commands *surviving;
    /* owned: gpu/buffers/buffers.h. NULL: reads by commands from buffers are not checked */
    struct gpu_buffers *buffers;
};

/* Stops instrumentation on this device, as memory is out; the first call warns about it. Threads:
 * any. */
void gpu_device_stop(const struct call *call, struct gpu_device *gpu) COLD; /* gpu/device/stop.c */
/* Warns that there is no memory; `what` says what follows. */
void gpu_device_tell_no_memory(const struct call *call, const char *what) COLD;

/* Frees the data of a device that the program did not destroy before its instance: the driver must
 * not be called. The data of its objects is freed with them. */
void gpu_device_abandon(struct device *device) COLD;

static inline bool gpu_device_runs(const struct gpu_device *gpu)
{
    return gpu && !atomic_load_explicit(&gpu->stopped, memory_order_relaxed);
}

/* Fills in the words of a command's record that are the same for all commands of the device. */
void gpu_device_fill_record(const struct gpu_device *gpu,
                            uint32_t *record); /* gpu/command/ranges.c */

/* --- alive.c: living objects, for shaders --- */

/* Called when a descriptor refers to the object of this id: shaders may look it up from now on. If
 * an object that it depends on is gone, it counts as gone, too. Threads: any. */
void gpu_object_named(struct gpu_device *gpu, uint64_t id);
/* Called before the object is destroyed: it and the objects that depend on it count as gone. */
void gpu_object_gone(struct gpu_device *gpu, uint64_t id);

#endif
