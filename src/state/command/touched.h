/* Shaders report the descriptors that they access ("touch"). src/gpu/command/touched.c makes them
 * report, and src/sync/touched/touched.h uses that to find hazards. The room that executes recorded
 * work counts executions, as the reports of two executions cannot be distinguished. */
#ifndef ASSAY_STATE_TOUCHED_H
#define ASSAY_STATE_TOUCHED_H

#include "base/arena.h"
#include "settings/settings.h"

/* The words that the shaders of one recorded command wrote. Threads: const. */
struct touched_command {
    /* TOUCHED_... (spirv/abi.h): shaders write them while the command may run */
    uint32_t *words;
    uint32_t slots, limit; /* TOUCHED_MASK + 1; TOUCHED_LIMIT */
    uint32_t set_count;
    uint64_t sets[]; /* ids of the bound sets; 0: not known */
};

/* command_buffer::touched. It is kept with the memory of struct command_buffer, which is never
 * freed. Threads: the one that records, except where a member says otherwise. */
struct touched_recording {
    /* grows when the command buffer is recorded again or freed, which makes its notes invalid */
    _Atomic uint32_t generation;
    struct arena arena;
    struct touched_command *last; /* in the arena; see touched_command_take() */
    /* recordings of executed secondaries, one entry for each execution; in the arena */
    struct touched_recording **executed;
    uint32_t executed_count, executed_capacity;
    /* the recording was executed again before its notes were read, so they are of both executions.
     * Relaxed */
    _Atomic bool mixed;
    /* number of submitted executions whose notes were not read yet. Lock: that of the room that
     * counts them */
    uint32_t pending;
};

/* True if hazards are searched for and shaders are instrumented, and possible accesses do not all
 * count as accesses. */
static inline bool touched_are_asked_for(const struct settings *settings)
{
    return settings->validate_sync && settings->syncval_full_validation &&
           !settings->syncval_shader_accesses_heuristic && settings->gpuav_enable &&
           settings->gpuav_shader_instrumentation &&
           settings->gpuav_post_process_descriptor_indexing;
}

#endif
