/* Reads records and reports findings in certain calls. From these the program may learn that work
 * is done, or they free data that a record refers to. The layer never waits for a queue. */
#ifndef ASSAY_GPU_DRAIN_H
#define ASSAY_GPU_DRAIN_H

#include "gpu/command/command.h"
#include "spirv/module/module.h"

/* A record, and the facts of its command at the time it was read. */
struct gpu_found {
    uint32_t size; /* words */
    uint32_t words[RECORD_MOST];
    /* invocations that have since found the same error at the same place in the same command */
    uint32_t repeated;
    struct gpu_origin origin;
};

enum drain_when {
    DRAIN_NOW,  /* shaders may be running */
    DRAIN_LOST, /* the device is lost: unfinished records never will be finished */
    DRAIN_LAST, /* the device is about to be destroyed: as DRAIN_LOST */
};

/* Reports the shaders' records. It costs one load if there are none. Threads: any; callbacks are
 * called without a lock of the layer's. */
void gpu_drain_slow(struct call *call, struct gpu_device *gpu, enum drain_when when) COLD;
static inline void gpu_drain(struct call *call, struct gpu_device *gpu, enum drain_when when)
{
    if (unlikely(gpu_ring_has_news(&gpu->ring)))
        gpu_drain_slow(call, gpu, when);
}

/* --- report.c --- */

/* Caches the parsed module of the last record's shader, as records of one shader come in runs.
 * Zeroed: none. The owner frees the module. */
struct gpu_parsed {
    const struct gpu_shader *shader; /* exists until the device is destroyed */
    struct spirv_module module;
};

/* Reports a record as a finding. */
void gpu_report(struct call *call, const struct gpu_found *found, struct gpu_parsed *parsed) COLD;

#endif
