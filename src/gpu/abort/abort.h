/* A device whose VK_KHR_shader_abort is the layer's: it is lost once a shader has executed
 * OpAbortKHR, and tells what the shader had to say.
 *
 * Shaders that give up write to the ring (RING_ABORT_..., spirv/abi.h; spirv/abort/abort.h has what
 * becomes of the instruction). The functions in the device's dispatch table that may answer
 * VK_ERROR_DEVICE_LOST are the layer's: each looks there before and after the driver's (generated,
 * lost.c). The first call to see an abort waits for the work that is under way, which ends in
 * finite time. So the program may destroy what it likes. From then on nothing goes to the driver
 * that would begin or await work. */
#ifndef ASSAY_GPU_ABORT_H
#define ASSAY_GPU_ABORT_H

#include <stdatomic.h>

#include "base/lock.h"
#include "gpu/device/areas.h"
#include "gpu/device/device.h"

struct spirv_abort_site;
struct string_builder;

/* Nanoseconds after which a call that waits for the driver looks for an abort. */
#define ABORT_SLICE 20000000u

/* A queue that the program has used. Threads: const, but for what names a lock. */
struct abort_queue {
    VkQueue queue;
    struct lock lock; /* held while the driver has the queue */
    struct abort_queue *next;
};

/* A message that a shader has left, in the order in which they came. */
struct abort_message {
    const struct spirv_abort_site *site;
    const uint32_t *record; /* in the ring */
    uint32_t words;         /* of the record */
};

/* Threads: const, but for what names a lock. */
struct gpu_aborts {
    struct device *device;
    struct device_dispatch below; /* the driver's functions */
    struct lock queues_lock;
    struct abort_queue *queues GUARDED_BY(queues_lock); /* owned; only ever grows */
    /* guards the device's end and what is reported about that end */
    struct lock lock;
    /* True once nothing more may be submitted. Set with both locks held, read with the lock of a
     * queue held */
    _Atomic bool ending;
    _Atomic bool lost;              /* release: what follows is there. Set under the lock, once */
    struct abort_message *messages; /* owned; const once `lost` is set, as is the next */
    uint32_t message_count;
    uint32_t missing;                        /* messages that found no room */
    uint32_t reports_taken GUARDED_BY(lock); /* of vkGetDeviceFaultReportsKHR */
    _Atomic bool told;                       /* findings of the messages have been reported */
};

/* The aborts of the device that owns this handle. NULL: the device has none, or the handle is
 * unknown. */
struct gpu_aborts *aborts_of_device(VkDevice device);
struct gpu_aborts *aborts_of_queue(VkQueue queue);

/* True if the device is lost. The first to ask after an abort waits for work that is under way.
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

/* Takes the locks of the aborts, or releases them. `aborts` may be NULL; then nothing happens. */
void aborts_fork(struct gpu_aborts *aborts, enum fork_step step);

/* No other thread has the driver's queue until it is let go. NULL: the device is lost, or memory is
 * out. */
struct abort_queue *aborts_take_queue(struct gpu_aborts *aborts, VkQueue queue);
void aborts_leave_queue(struct abort_queue *queue);

/* Waits in slices until the queue, or all queues of the device, have done the work that they were
 * given. */
VkResult aborts_wait_queue(struct gpu_aborts *aborts, VkQueue queue);
VkResult aborts_wait_device(struct gpu_aborts *aborts);

/* Puts the functions that may lose the device into the dispatch table (lost.c, generated), and the
 * functions that answer for faults (fault.c). */
void aborts_stand_in_front(struct device_dispatch *dispatch);
void aborts_answer_faults(struct device *device);

/* --- what shaders said (abort_end.c, abort_words.c, abort_message.c) --- */

/* Finds the messages. */
void aborts_collect(struct gpu_aborts *aborts) REQUIRES(aborts->lock);
/* The bytes of (size, payload) pairs. Writes those that fit as a whole into `room` bytes at `to`
 * (NULL: none). Gives the bytes of all of them, or of what was written. */
uint64_t aborts_write(const struct gpu_aborts *aborts, unsigned char *to, uint64_t room, bool *all);
/* "out of range: 7", as printf would write it. */
void aborts_describe(const struct abort_message *message, struct string_builder *to);
/* Reports one finding for each message, and nothing when called again. */
void aborts_tell(struct call *call, struct gpu_aborts *aborts) COLD;

#endif
