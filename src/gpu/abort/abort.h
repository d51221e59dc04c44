/* Emulates VK_KHR_shader_abort on a device: it is lost once a shader has executed OpAbortKHR, and
 * the shader's message is reported.
 *
 * Shaders that abort write to the ring (RING_ABORT_..., spirv/abi.h; spirv/abort/abort.h says how
 * the instruction is lowered). In the device's dispatch table, the layer replaces the functions
 * that may return VK_ERROR_DEVICE_LOST. Each looks at the ring before and after the driver's
 * function (generated, lost.c). The first call to see an abort waits for pending work, which ends
 * in finite time. So the program may destroy its objects. From then on no call that would begin or
 * await work goes to the driver. */
#ifndef ASSAY_GPU_ABORT_H
#define ASSAY_GPU_ABORT_H

#include <stdatomic.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/device/device.h"

struct spirv_abort_site;
struct string_builder;

/* A call that waits for the driver looks for an abort after so many nanoseconds. */
#define ABORT_SLICE 20000000u

/* A queue that the program has used. Threads: const, but for members that name a lock. */
struct abort_queue {
    VkQueue queue;
    struct lock lock; /* held while the driver uses the queue */
    struct abort_queue *next;
};

/* A message that a shader has written; they are kept in the order of the ring. */
struct abort_message {
    const struct spirv_abort_site *site;
    const uint32_t *record; /* in the ring */
    uint32_t words;         /* of the record */
};

/* Threads: const, but for members that name a lock. */
struct gpu_aborts {
    struct device *device;
    struct device_dispatch below; /* the driver's functions */
    struct lock queues_lock;
    struct abort_queue *queues GUARDED_BY(queues_lock); /* owned; only ever grows */
    /* guards the device's end and the reports about it */
    struct lock lock;
    /* True once no more work may be submitted. Set with both locks held, read with the lock of a
     * queue held */
    _Atomic bool ending;
    /* release: the members below are filled in before. Set once, with `lock` held */
    _Atomic bool lost;
    struct abort_message *messages; /* owned; const once `lost` is set, like the next two members */
    uint32_t message_count;
    uint32_t missing; /* number of messages that found no room in the ring */
    /* number of reports that vkGetDeviceFaultReportsKHR has given out */
    uint32_t reports_taken GUARDED_BY(lock);
    _Atomic bool told; /* findings of the messages have been reported */
};

/* Return the aborts of the device that owns this handle. NULL: the device has none, or the handle
 * is unknown. */
struct gpu_aborts *aborts_of_device(VkDevice device);
struct gpu_aborts *aborts_of_queue(VkQueue queue);

/* True if the device is lost. The first caller after an abort waits for pending work.
 * Threads: any. */
bool aborts_end_device(struct gpu_aborts *aborts) COLD;
static inline bool aborts_lost(struct gpu_aborts *aborts)
{
    const struct gpu_device *gpu = gpu_in_device(aborts->device)->gpu;
    if (unlikely(atomic_load_explicit(&aborts->lost, memory_order_acquire)))
        return true;
    return gpu && atomic_load_explicit(&gpu->ring.words[RING_ABORT_COUNT], memory_order_acquire) &&
           aborts_end_device(aborts);
}

/* Takes the locks of the aborts, or releases them. `aborts` may be NULL. */
void aborts_fork(struct gpu_aborts *aborts, enum fork_step step);

/* Takes the driver's queue for this thread alone until aborts_leave_queue(). NULL: the device is
 * lost, or memory is out. */
struct abort_queue *aborts_take_queue(struct gpu_aborts *aborts, VkQueue queue);
void aborts_leave_queue(struct abort_queue *queue);

/* Waits in slices until the queue, or all queues of the device, have done their work. */
VkResult aborts_wait_queue(struct gpu_aborts *aborts, VkQueue queue);
VkResult aborts_wait_device(struct gpu_aborts *aborts);

/* Puts the functions that may lose the device into the dispatch table (lost.c, generated), and the
 * functions that report faults (fault.c). */
void aborts_stand_in_front(struct device_dispatch *dispatch);
void aborts_answer_faults(struct device *device);

/* --- messages of shaders (abort_end.c, abort_words.c, abort_message.c) --- */

/* Finds the messages in the ring. */
void aborts_collect(struct gpu_aborts *aborts) REQUIRES(aborts->lock);
/* Writes (size, payload) pairs, those that fit as a whole into `room` bytes at `to`. `to` may be
 * NULL. Returns the bytes of all pairs for NULL, else of the written ones. `*all` becomes false if
 * some did not fit. */
uint64_t aborts_write(const struct gpu_aborts *aborts, unsigned char *to, uint64_t room, bool *all);
/* Writes the message as printf would write it: "out of range: 7". */
void aborts_describe(const struct abort_message *message, struct string_builder *to);
/* Reports one finding for each message; does nothing when called again. */
void aborts_tell(struct call *call, struct gpu_aborts *aborts) COLD;

#endif
