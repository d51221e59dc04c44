/* Counts action commands. Hot. Threads: the one that records the command buffer. */
#ifndef ASSAY_PRACTICES_COUNTS_H
#define ASSAY_PRACTICES_COUNTS_H

#include "practices/areas.h"

static ALWAYS_INLINE struct practices_of_command_buffer *count_draw(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (unlikely(!kept))
        return NULL;
    kept->class_draws[kept->bound % PIPELINE_CLASSES]++;
    return kept;
}

static ALWAYS_INLINE void count_action(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (likely(kept != NULL))
        kept->actions++;
}

/* Counts a command that only accesses buffers: notes about images stay valid. */
static ALWAYS_INLINE void count_buffer_action(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (likely(kept != NULL))
        kept->buffer_actions++;
}

#endif
