/* Shaders report which descriptors they access ("touch"). This header is between the room that
 * makes them report (src/gpu/command/touched.c) and the one that makes hazards of it
 * (src/sync/touched/touched.h). The room that runs recorded work keeps count of it, as the reports
 * of two executions cannot be distinguished. */
#ifndef ASSAY_STATE_TOUCHED_H
#define ASSAY_STATE_TOUCHED_H

#include "base/arena.h"
#include "settings/settings.h"

/* The words that the shaders of one recorded command wrote. Threads: const. */
struct touched_command {
    /* TOUCHED_... (spirv/abi.h): the shaders' while the command may run */
    uint32_t *words;
    uint32_t slots, limit; /* TOUCHED_MASK + 1, TOUCHED_LIMIT */
    uint32_t set_count;
    uint64_t sets[]; /* ids of the sets that are bound; 0: nothing is known of that one */
};

/* command_buffer::touched. Kept with the memory of struct command_buffer, which is not given back.
 * Threads: the command buffer's, but for what says otherwise. */
struct touched_recording {
    /* grows when what commands have said is gone: recorded again, or freed */
    _Atomic uint32_t generation;
    struct arena arena;
    struct touched_command *last; /* in the arena; see touched_command_take() */
    /* the recordings of executed secondaries, one entry for each execution; in the arena */
    struct touched_recording **executed;
    uint32_t executed_count, executed_capacity;
    /* the recording was executed again before its notes were read, so that the notes are of both
     * executions. Relaxed */
    _Atomic bool mixed;
    /* submitted executions whose notes have not been read. Lock: the lock of the room that counts
     * them */
    uint32_t pending;
};

/* True if hazards are looked for, shaders are changed, and not every possible access counts as an
 * access. */
static inline bool touched_are_asked_for(const struct settings *settings)
{
    return settings->validate_sync && settings->syncval_full_validation &&
           !settings->syncval_shader_accesses_heuristic && settings->gpuav_enable &&
           settings->gpuav_shader_instrumentation &&
           settings->gpuav_post_process_descriptor_indexing;
}

#endif
