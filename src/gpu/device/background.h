/* The threads that run jobs (gpu/pipeline/compile.h), and waits for jobs. A few threads of the
 * process are made when there is a first job. A thread that needs a job which none of them has
 * begun runs it itself. Threads: any; the lock is in the .c file, and callers must not hold it. */
#ifndef ASSAY_GPU_BACKGROUND_H
#define ASSAY_GPU_BACKGROUND_H

#include "objects/device.h"

struct gpu_compile;
struct pipeline;

/* Queues a job, which the pipeline owns from now on (gpu_in_pipeline::compile). */
void gpu_background_add(struct gpu_compile *job, struct pipeline *pipeline);
/* Waits until the job in the slot is done. If it returns the job, the caller has to adopt its
 * result with gpu_background_adopted(). NULL: there is no job any more. */
struct gpu_compile *gpu_background_claim(struct gpu_compile *_Atomic *slot);
/* Calls `adopt` if the pipeline still exists, empties the slot, and wakes all other threads that
 * wait for it. The caller frees the job. */
void gpu_background_adopted(struct gpu_compile *job, void (*adopt)(struct gpu_compile *job));
/* Called when the pipeline is destroyed: a queued job is never run, and the result of a running job
 * is thrown away. */
void gpu_background_drop(struct gpu_compile *_Atomic *slot);
/* Waits for all jobs of the device that use this handle of the driver's; 0: for all jobs. */
void gpu_background_wait_users(const struct device *device, uint64_t handle);
static inline void gpu_background_wait_device(const struct device *device)
{
    gpu_background_wait_users(device, 0);
}
/* Workers run no job during a fork; the child begins without workers. */
void gpu_background_fork(enum fork_step step);

#endif
