/* Jobs instrument pipelines in the background.
 *
 * The program's call makes a pipeline of its own code. A job makes a twin of it with instrumented
 * code, from copies of all that the call was given. The first call that needs the pipeline waits
 * for the job (twin.c). From then on the twin's handle replaces the plain one's: no command ever
 * runs the plain pipeline if there is a twin. So this is only done if handles are ids. */
#ifndef ASSAY_GPU_COMPILE_H
#define ASSAY_GPU_COMPILE_H

#include "base/arena.h"
#include "gpu/pipeline/shader.h"
#include "state/pipeline/graphics_info.h"

enum job_state {
    JOB_NEW, /* the call that created the pipeline has not returned from the driver */
    /* waits for the first thread that takes it: a worker, or a call that waits for the job */
    JOB_QUEUED,
    JOB_RUNNING,  /* a thread makes the twin */
    JOB_DONE,     /* the twin is made, or there will be no twin */
    JOB_ADOPTING, /* a thread is about to put the twin in the plain pipeline's place */
};

/* Threads: const from JOB_QUEUED on, except members with a note. The pipeline owns it
 * (gpu_in_pipeline::compile), or, once that has dropped it, the thread that runs it. */
struct gpu_compile {
    /* links in one of the lists of background.c. Lock: the lock of background.c, as for the next
     * three members */
    struct gpu_compile *next, **previous;
    enum job_state state;
    bool dropped;                      /* the pipeline is destroyed, and its twin is not needed */
    struct gpu_compile *_Atomic *slot; /* the pipeline's pointer to this job */
    /* the pipeline that the twin is for; valid as long as the pipeline owns the job */
    struct pipeline *pipeline;
    struct call call;   /* the call that created the pipeline, for findings */
    struct arena arena; /* memory of the copies */
    VkPipelineBindPoint bind_point;
    const void *info; /* a complete copy, with the driver's handles */
    uint32_t stage_count;
    const VkPipelineShaderStageCreateInfo *stages; /* the stages within `info` */
    /* one for each stage; each holds the objects that it needs */
    struct gpu_stage_request *requests;
    struct pipeline_layout *layout; /* held */
    const struct gpu_push *push;    /* NULL: the twin gets no pointer by push constants */
    /* handles of the driver's that the twin is made with, and that the program may destroy only
     * after that: pipeline layout, and render pass or 0 */
    uint64_t uses[2];
    /* The result. Lock: belongs to the thread that runs the job until JOB_DONE */
    struct gpu_pipeline *made; /* owned; NULL: there is no twin */
    VkPipeline twin;
    VkResult result;
};

/* Makes a job for create info `index` of the change, which goes down unchanged then. Returns false
 * if the pipeline must be instrumented at once. */
bool gpu_compile_of_compute(struct gpu_change *change, uint32_t index,
                            const struct gpu_source *source,
                            const VkComputePipelineCreateInfo *down);
bool gpu_compile_of_graphics(struct gpu_change *change, uint32_t index,
                             const struct gpu_source *source, const struct graphics_info *graphics,
                             const VkGraphicsPipelineCreateInfo *down);
/* Makes the twin. Threads: the thread that has set JOB_RUNNING. */
void gpu_compile_run(struct gpu_compile *job);
/* Releases all that the job holds, and a twin that was not adopted. */
void gpu_compile_clear(struct gpu_compile *job);
/* Clears the job and frees it. `job` may be NULL. */
void gpu_compile_free(struct gpu_compile *job);

/* --- twin.c --- */

/* Called when the device is destroyed: ends all its twins and jobs. */
void gpu_twins_end(const struct call *call);

#endif
