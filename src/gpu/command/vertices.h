/* Counts the vertices and instances that a draw's vertex buffers hold. Vertex shaders (spirv/abi.h
 * VERTICES_...) and the check of indices use the numbers.
 * Threads: the thread that records the command buffer. */
#ifndef ASSAY_GPU_VERTICES_H
#define ASSAY_GPU_VERTICES_H

#include "gpu/command/command.h"
#include "state/pipeline/pipeline.h"

/* The buffers that the vertices of a draw come from. */
struct vertex_source {
    const struct command_buffer *command_buffer;
    /* NULL: shader objects are bound, which take all state from the command buffer */
    const struct pipeline *pipeline;
    const struct pipeline_stage *stage; /* the vertex shader's stage; NULL: its code is not known */
    /* the stage of a vertex shader object, if there is no pipeline */
    struct pipeline_stage object;
    const struct vertex_attribute *attributes;
    const struct vertex_binding *bindings;
    uint32_t attribute_count, binding_count;
};

/* Finds the source of a draw's vertices. Returns false if it fetches none, or the source is not
 * known. */
bool vertex_source_find(const struct command_buffer *command_buffer, struct vertex_source *source);

/* Finds the limits: [0] by vertex, [1] by instance. A limit is UINT32_MAX if no buffer ends.
 * `first_instance` is used if `first_known`. */
void vertex_limits(const struct vertex_source *source, bool first_known, uint32_t first_instance,
                   struct gpu_vertex_limit limits[2]);

/* True if the bound vertex shader checks each vertex itself. */
bool gpu_vertices_are_asked_for(const struct call *call);

/* Gives the current draw's shaders the limits that they need. */
void gpu_vertices_hand_over(const struct call *call);

#endif
