/* A pipeline that is being instrumented in the background.
 *
 * The program's call makes a pipeline of its own code. A job makes the same once more with
 * instrumented code, its twin, from copies of all that the call was given. The first call that
 * needs the pipeline waits for the job (twin.c). From then on the twin's handle stands in the
 * object's place: no command ever runs the plain pipeline where there is a twin. So this is only
 * done where handles are ids. */
#ifndef ASSAY_GPU_COMPILE_H
#define ASSAY_GPU_COMPILE_H

#include "base/arena.h"
#include "gpu/pipeline/shader.h"
#include "state/pipeline/graphics_info.h"

enum job_state {
    JOB_NEW,      /* the call that created the pipeline has not returned from the driver */
    JOB_QUEUED,   /* for the first thread that comes: a worker, or a call that waits for it */
    JOB_RUNNING,  /* somebody makes the twin */
    JOB_DONE,     /* the twin is made, or there will be no twin */
    JOB_ADOPTING, /* somebody is about to put it in the plain pipeline's place */
};

/* Threads: const from JOB_QUEUED on but for what has a note. Owned by its pipeline
 * (pipeline::gpu_compile), or, once that releases it, by the thread that runs it. */
struct gpu_compile {
    /* in one of the lists of background.c. Lock: the lock of background.c, as for the next three */
    struct gpu_compile *next, **previous;
    enum job_state state;
    bool dropped;                      /* the pipeline is gone, and its twin is not wanted */
    struct gpu_compile *_Atomic *slot; /* the pipeline's pointer to this job */
    /* the pipeline that the twin is for; valid as long as the pipeline owns the job */
    struct pipeline *pipeline;
    struct call call;   /* that created the pipeline, for findings */
    struct arena arena; /* of the copies */
    VkPipelineBindPoint bind_point;
    const void *info; /* a whole copy, with the driver's handles */
    uint32_t stage_count;
    const VkPipelineShaderStageCreateInfo *stages; /* the stages within `info` */
    /* one for each stage; they hold what they need */
    struct gpu_stage_request *requests;
    struct pipeline_layout *layout; /* held */
    const struct gpu_push *push;    /* NULL: not by push constants */
    /* what the twin is made with of the driver's, which the program may destroy only after that:
     * pipeline layout, render pass or 0 */
    uint64_t uses[2];
    /* The result. Lock: the thread that runs it, up to JOB_DONE */
    struct gpu_pipeline *made; /* owned; NULL: there is no twin */
    VkPipeline twin;
    VkResult result;
};

/* Makes a job for create info `index` of the change, which goes down unchanged then. False: the
 * pipeline must be instrumented at once. */
bool gpu_compile_of_compute(struct gpu_change *change, uint32_t index,
                            const struct gpu_source *source,
                            const VkComputePipelineCreateInfo *down);
bool gpu_compile_of_graphics(struct gpu_change *change, uint32_t index,
                             const struct gpu_source *source, const struct graphics_info *graphics,
                             const VkGraphicsPipelineCreateInfo *down);
/* Makes the twin. Threads: the one that has set JOB_RUNNING. */
void gpu_compile_run(struct gpu_compile *job);
/* Releases all that it holds, and a twin that was not adopted. */
void gpu_compile_clear(struct gpu_compile *job);
/* Clears the job and frees it. `job` may be NULL. */
void gpu_compile_free(struct gpu_compile *job);

/* --- twin.c --- */

/* The device goes: ends all its twins and jobs. */
void gpu_twins_end(const struct call *call);

#endif
