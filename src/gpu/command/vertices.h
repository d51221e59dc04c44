/* Counts the vertices and instances that the vertex buffers hold that a draw has bound. Vertex
 * shaders (spirv/abi.h VERTICES_...) and the check of indices use the numbers.
 * Threads: that which records the command buffer. */
#ifndef ASSAY_GPU_VERTICES_H
#define ASSAY_GPU_VERTICES_H

#include "gpu/command/command.h"
#include "state/pipeline/pipeline.h"

/* The buffers that the vertices of a draw come from. */
struct vertex_source {
    const struct command_buffer *command_buffer;
    /* NULL: shader objects, which take all state from the command buffer */
    const struct pipeline *pipeline;
    const struct pipeline_stage *stage; /* of the vertex shader; NULL: its code is not known */
    /* the stage of a vertex shader object, in place of a pipeline's stage */
    struct pipeline_stage object;
    const struct vertex_attribute *attributes;
    const struct vertex_binding *bindings;
    uint32_t attribute_count, binding_count;
};

/* Finds where a draw fetches vertices. False: it fetches none, or the source is not known. */
bool vertex_source_find(const struct command_buffer *command_buffer, struct vertex_source *source);

/* `first_instance` is looked at where it is known. [0]: by vertex, [1]: by instance. Where nothing
 * ends the limit is UINT32_MAX. */
void vertex_limits(const struct vertex_source *source, bool first_known, uint32_t first_instance,
                   struct gpu_vertex_limit limits[2]);

/* True if the vertex shader that is bound looks at each vertex itself. */
bool gpu_vertices_are_asked_for(const struct call *call);

/* Gives the shaders of the draw that is being recorded the counts that they ask for. */
void gpu_vertices_hand_over(const struct call *call);

#endif
