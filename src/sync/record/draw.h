/* Records the accesses of draws, dispatches and traces to bound resources. Only changed bindings
 * are looked at. A draw with nothing changed, since the last one and since the last barrier, cannot
 * find new hazards (struct sync_command_buffer: epoch). Storage writes are the exception: they race
 * with each other. */
#ifndef ASSAY_SYNC_DRAW_H
#define ASSAY_SYNC_DRAW_H

#include "state/dynamic_values.h"
#include "state/command/rendering.h"
#include "sync/access/areas.h"
#include "sync/record/recording.h"

#define SEEN_SETS 256 /* descriptor sets that are remembered; a power of two */
/* The slots of a set in this memory; a power of two. With one slot, 64 sets in turn, or 64 offsets,
 * would push a fifth of each other out. */
#define SEEN_WAYS 4

/* A bound set whose descriptors were accessed in this epoch, without a write. */
struct seen_set {
    /* ids of the set and the pipeline; for shader objects draw_cache::object_hash */
    uint64_t set, shaders;
    uint32_t version, epoch;
    uint32_t number;  /* number of the set; bit 8: dynamic states let there be fragments */
    uint32_t offsets; /* a hash of the dynamic offsets */
};

/* A range of a vertex or index buffer that was read in this epoch. */
struct seen_range {
    struct sync_place place;
    uint32_t epoch;
};

struct shader_object; /* state/pipeline/shader.h */

/* The bound state that draws have looked at already. Threads: the command buffer's. */
struct draw_cache {
    uint32_t epoch[BIND_POINTS]; /* the epoch in which bound resources were last looked at */
    bool writes[BIND_POINTS];    /* the shaders write to a bound resource */
    /* bound resources were looked at since the command buffer was begun */
    bool known[BIND_POINTS];
    bool no_vertices; /* a draw with other counts would read no more */
    /* accesses made in `attachment_epoch`, in bits of enum drawn_attachment */
    uint32_t attachments;
    uint32_t attachment_epoch;
    struct seen_range vertices[BOUND_VERTEX_BUFFERS], indices, guessed[BOUND_VERTEX_BUFFERS];
    struct seen_set sets[SEEN_SETS];
    /* Takes the place of a pipeline for shader objects; filled in again for each command that looks
     * at it. */
    struct pipeline objects;
    /* one of the bound shader objects: all have the same set layouts */
    const struct shader_object *object;
    uint64_t object_hash; /* a hash of their ids */
};

enum drawn_attachment {
    DRAWN_COLOR = 1 << 0, /* for color attachment 0; the next 7 bits are for the others */
    DRAWN_DEPTH_READ = 1 << 8,
    DRAWN_DEPTH_WRITE = 1 << 9,
    DRAWN_STENCIL_READ = 1 << 10,
    DRAWN_STENCIL_WRITE = 1 << 11,
    DRAWN_COLOR_READ = 1 << 16, /* for color attachment 0; the next 7 bits are for the others */
};

void draw_cache_clear(struct draw_cache *cache); /* NULL is allowed */

/* The bound pipeline, or shader objects, with the state that they take from the command buffer.
 * Threads: on the stack. */
struct draw_state {
    struct recording *recording;
    /* NULL: none is bound, or it is unknown; &draw_cache::objects for shader objects */
    const struct pipeline *pipeline;
    uint32_t point;
};

/* --- draw_shaders.c --- */

/* Returns &cache->objects, filled in for the bound shader objects, if no pipeline is bound. NULL:
 * no shader object is bound either. */
const struct pipeline *draw_shader_objects(const struct recording *recording, uint32_t point,
                                           struct draw_cache *cache) COLD;

/* --- descriptors.c --- */

/* Accesses the resources of bound descriptors that the shaders use. Returns true if some of them
 * are written. */
bool draw_access_descriptors(const struct draw_state *state, struct draw_cache *cache);

/* Returns the usage of a stage's read or write through such a descriptor; SYNC_NONE: there is no
 * access. */
enum sync_usage draw_descriptor_usage(VkShaderStageFlagBits bit, enum descriptor_tag tag,
                                      bool writes);

/* --- draw.c --- */

/* True if primitives certainly make fragments: none are discarded or culled. */
bool draw_has_fragments(const struct draw_state *state);
/* True if dynamic states decide that. */
static inline bool draw_chooses_fragments(const struct pipeline *pipeline)
{
    return pipeline_is_dynamic(pipeline, DYNAMIC_RASTERIZER_DISCARD_ENABLE) ||
           pipeline_is_dynamic(pipeline, DYNAMIC_CULL_MODE);
}

/* The counts of a draw; 0: not known, or the draw has no such count. */
struct draw_counts {
    uint32_t first_vertex, vertex_count, first_instance, instance_count;
    uint32_t first_index, index_count;
    bool indexed;  /* vertices are chosen by indices */
    bool indirect; /* the counts are unknown, and the command may draw nothing */
    bool mesh;
};

/* This validator's half of enum draw_dirty. */
#define DIRTY_FOR_SYNC DIRTY_FOR_SECOND

/* True if a bound resource has to be looked at. Hot. */
static ALWAYS_INLINE bool draw_needs_look(const struct command_buffer *command_buffer,
                                          uint32_t point)
{
    const struct sync_command_buffer *sync = sync_in_command_buffer(command_buffer)->sync;
    const struct draw_cache *cache = sync->draws;
    return command_buffer_dirty(command_buffer, point, DIRTY_FOR_SYNC) || !cache ||
           !cache->known[point] || cache->epoch[point] != sync->epoch || cache->writes[point];
}

/* Accesses all resources bound at the bind point, with the attachments of a draw. */
void draw_access_bound(struct recording *recording, uint32_t point);
/* Accesses the vertex and index buffers. */
void draw_access_vertices(struct recording *recording, const struct draw_counts *counts);

/* True if a draw with these counts has to be looked at. If not, the command is counted. */
bool draw_begin(struct recording *recording, struct call *call,
                const struct draw_counts *counts) MUST_CHECK;

#endif
