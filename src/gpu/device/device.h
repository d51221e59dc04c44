/* A device has these for the GPU side: memory, the ring that shaders write records to, and its
 * recordings. It also has what all shaders look at: which objects live, and which addresses are
 * buffers'. gpu_in_device(device)->gpu; NULL where the driver lacks what is needed, or gpuav_enable
 * and printf_enable are off. */
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

/* Objects that have a byte in the table of what is alive: slots of the object table beyond it count
 * as alive. 4 MiB, of which a program touches what it uses. */
#define GPU_ALIVE_LIMIT (1u << 22)
/* Words of a command's record with the tables of all sets that there may be. */
#define GPU_RECORD_WORDS (COMMAND_TABLES + 2 * BOUND_SETS)

/* Recordings by number: GPU_RECORDING_SLOT_BITS of a slot, and above it how many recordings had the
 * slot before, from 1; so no number is 0. */
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
/* that are kept: of a few shaders, each with several places */
#define GPU_CAUSES 32

struct gpu_device {
    struct device *device; /* const, as all without a note */
    uint64_t serial;       /* of this device alone, in the process */
    struct gpu_allocator memory;
    /* memory is out: nothing is instrumented from now on, and what is, gets the anonymous record.
     * Relaxed */
    _Atomic bool stopped;

    struct gpu_memory ring_memory;
    struct gpu_ring ring;
    struct lock drain_lock;
    /* the last causes, used as a ring; shader 0: the place is empty */
    struct gpu_cause causes[GPU_CAUSES] GUARDED_BY(drain_lock);
    uint32_t next_cause GUARDED_BY(drain_lock);
    /* the command record of commands of which nothing is known: recording 0 */
    struct gpu_memory anonymous;
    /* a byte for each slot of the object table, below GPU_ALIVE_LIMIT */
    struct gpu_memory alive;
    _Atomic uint8_t *alive_copy; /* owned: the same, which the CPU can read. Relaxed */
    /* Owned: for each slot, how many objects that descriptors name lie on its object, as a view
     * does on an image. Relaxed */
    _Atomic uint32_t *carried;

    struct lock recordings_lock;
    /* owned; GPU_RECORDING_SLOTS, committed as they are touched; [0] is NULL */
    struct gpu_command_buffer *_Atomic *slots;
    uint32_t slot_end GUARDED_BY(recordings_lock); /* slots below it have been used */
    /* first of a list through slot_next; 0: none */
    uint32_t slot_free GUARDED_BY(recordings_lock);
    uint32_t *slot_next GUARDED_BY(recordings_lock); /* owned; of free slots */
    /* owned; recordings that each slot has had. Lock: the recording that has the slot */
    uint16_t *slot_uses;

    /* of all that there are, for forks. Lock: devices_lock (device.c) */
    struct gpu_device *next, **previous;

    struct gpu_ranges *ranges; /* owned: gpu/command/ranges.h */
    /* owned: gpu/command/ranges.h, for acceleration structures that instances may refer to; NULL
     * where the device has no such feature */
    struct gpu_ranges *structures;
    /* gpu/device/survive.h: mapped; NULL: nothing that survives the process is wanted. */
    struct aftermath_commands *surviving;
    /* owned: gpu/buffers/buffers.h. NULL: what commands read from buffers is not looked at */
    struct gpu_buffers *buffers;
};

/* Instrumentation stops on this device, as memory is out: one warning tells of it. Threads: any. */
void gpu_device_stop(const struct call *call, struct gpu_device *gpu) COLD; /* gpu/device/stop.c */
/* Warns that there is no memory, and says what follows. */
void gpu_device_tell_no_memory(const struct call *call, const char *what) COLD;

/* The device goes with its instance, which the program has destroyed before it: nothing may be
 * asked of the driver. What its objects have of it is freed with them. */
void gpu_device_abandon(struct device *device) COLD;

static inline bool gpu_device_runs(const struct gpu_device *gpu)
{
    return gpu && !atomic_load_explicit(&gpu->stopped, memory_order_relaxed);
}

/* A command record's words that are the same for all commands of the device. */
void gpu_device_fill_record(const struct gpu_device *gpu,
                            uint32_t *record); /* gpu/command/ranges.c */

/* --- alive.c: which objects do live, for shaders --- */

/* A descriptor names the object of this id: shaders may ask from now on. Of one that lies on what
 * is gone they hear that it is gone. Threads: any. */
void gpu_object_named(struct gpu_device *gpu, uint64_t id);
/* It is about to be destroyed, and what lies on it is of no use any more. */
void gpu_object_gone(struct gpu_device *gpu, uint64_t id);

#endif
