/* Is what the bound descriptor sets hold fit for the shaders that will read it? For draws, dispatches and traces (9.x "Valid Usage": descriptors that are
 * statically used). */
#ifndef ASSAY_CORE_DESCRIPTOR_CONTENT_H
#define ASSAY_CORE_DESCRIPTOR_CONTENT_H

#include "state/command_buffer.h"
#include "state/pipeline.h"

/* What reads the descriptors: the stages of a pipeline, or shader objects. */
struct descriptor_users {
    const struct pipeline_stage *stages;
    uint32_t stage_count;
    uint32_t interface; /* pipeline::interface; 0 = nothing is memoised */
    VkPipelineCreateFlags2 flags;
    const struct pipeline *pipeline; /* NULL for shader objects */
};

static inline struct descriptor_users descriptor_users_of(const struct pipeline *pipeline)
{
    return (struct descriptor_users){pipeline->stage, pipeline->stage_count, pipeline->interface, pipeline->flags,
                                     pipeline};
}

/* The descriptors that `users` statically use in the sets that are bound at bind point `point` (bind_point_index). Sets that are not bound, or
 * not compatible with the pipeline's layout, are the caller's to report: they are passed over here. Call it where DIRTY_PIPELINE, DIRTY_SETS or DIRTY_SHADERS is set, and for
 * sets that may be updated after they were bound; a set that was found in order for this interface and has not changed since costs a few nanoseconds.
 * Threads: the command buffer's. */
bool descriptor_content_check(struct call *call, struct command_buffer *command_buffer, uint32_t point,
                              const struct descriptor_users *users);

#endif
