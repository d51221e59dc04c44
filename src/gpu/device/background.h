/* The threads that run jobs (gpu/pipeline/compile.h), and waits for jobs. A few threads of the
 * process are made when there first is a job. A thread that needs a job which none of them has
 * begun runs it. Threads: any; its lock is in the .c file, and no caller holds one. */
#ifndef ASSAY_GPU_BACKGROUND_H
#define ASSAY_GPU_BACKGROUND_H

#include "objects/device.h"

struct gpu_compile;
struct pipeline;

/* The pipeline owns the job from now on (pipeline::gpu_compile). */
void gpu_background_add(struct gpu_compile *job, struct pipeline *pipeline);
/* Waits until the job in the slot is done. Not NULL: the caller is the one to adopt what came of
 * it, and then calls gpu_background_adopted(). NULL: there is no job any more. */
struct gpu_compile *gpu_background_claim(struct gpu_compile *_Atomic *slot);
/* Calls `adopt` where the pipeline is still there, empties the slot, and lets go of all others that
 * wait for it. The caller frees the job. */
void gpu_background_adopted(struct gpu_compile *job, void (*adopt)(struct gpu_compile *job));
/* The pipeline goes: what is queued is never run, what runs is thrown away when it is done. */
void gpu_background_drop(struct gpu_compile *_Atomic *slot);
/* Waits for all jobs of the device that are made with this handle of the driver's; 0: for all. */
void gpu_background_wait_users(const struct device *device, uint64_t handle);
static inline void gpu_background_wait_device(const struct device *device)
{
    gpu_background_wait_users(device, 0);
}
/* No worker runs anything over a fork; the child begins without them. */
void gpu_background_fork(enum fork_step step);

#endif
