/* Records are read, and findings reported, at these times. They are the calls from which the
 * program may learn that work is done, and those before it takes away what a record refers to.
 * Nothing waits for a queue. */
#ifndef ASSAY_GPU_DRAIN_H
#define ASSAY_GPU_DRAIN_H

#include "gpu/command/command.h"
#include "spirv/module/module.h"

/* A record, and what was known of its command when it was read. */
struct gpu_found {
    uint32_t size; /* words */
    uint32_t words[RECORD_MOST];
    /* invocations that have found the same since, at the same place in the same command */
    uint32_t repeated;
    struct gpu_origin origin;
};

enum drain_when {
    DRAIN_NOW,  /* shaders may be running */
    DRAIN_LOST, /* the device is lost: records that are not finished never will be */
    DRAIN_LAST, /* the device is about to go: likewise */
};

/* Tells what shaders have found. One load where they have found nothing. Threads: any; callbacks
 * are called without a lock of the layer's. */
void gpu_drain_slow(struct call *call, struct gpu_device *gpu, enum drain_when when) COLD;
static inline void gpu_drain(struct call *call, struct gpu_device *gpu, enum drain_when when)
{
    if (unlikely(gpu_ring_has_news(&gpu->ring)))
        gpu_drain_slow(call, gpu, when);
}

/* --- report.c --- */

/* The shader of the last record, parsed: records of one shader come in runs. Zeroed: none. The
 * caller that has it frees the module. */
struct gpu_parsed {
    const struct gpu_shader *shader; /* stays until the device goes */
    struct spirv_module module;
};

/* The finding of a record. */
void gpu_report(struct call *call, const struct gpu_found *found, struct gpu_parsed *parsed) COLD;

#endif
