/* States what draws, dispatches and traces access. Of what is bound only what has changed is looked
 * at. A draw with nothing changed, since the last one and since the last barrier, makes no access
 * that could find something new (struct sync_command_buffer: epoch). Storage writes are the
 * exception: they race with themselves. */
#ifndef ASSAY_SYNC_DRAW_H
#define ASSAY_SYNC_DRAW_H

#include "state/dynamic_values.h"
#include "state/command/rendering.h"
#include "sync/access/areas.h"
#include "sync/record/recording.h"

#define SEEN_SETS 256 /* descriptor sets that are remembered: a power of two */

/* A bound set whose descriptors were accessed in this epoch, without a write. */
struct seen_set {
    /* ids, of the set and the pipeline; of shader objects draw_cache::object_hash */
    uint64_t set, shaders;
    uint32_t version, epoch;
    uint32_t number;  /* of the set, and bit 8: dynamic states let there be fragments */
    uint32_t offsets; /* a hash of the dynamic offsets */
};

/* Bytes of a vertex or index buffer that were read in this epoch. */
struct seen_range {
    struct sync_place place;
    uint32_t epoch;
};

struct shader_object; /* state/pipeline/shader.h */

/* The bound state that draws have looked at already. Threads: the command buffer's. */
struct draw_cache {
    uint32_t epoch[BIND_POINTS]; /* when what is bound was looked at */
    bool writes[BIND_POINTS];    /* the shaders write something that is bound */
    /* what is bound was looked at since the command buffer was begun */
    bool known[BIND_POINTS];
    bool no_vertices; /* nothing that a draw with other counts would read */
    /* enum drawn_attachment: what was accessed in `attachment_epoch` */
    uint32_t attachments;
    uint32_t attachment_epoch;
    struct seen_range vertices[BOUND_VERTEX_BUFFERS], indices, guessed[BOUND_VERTEX_BUFFERS];
    struct seen_set sets[SEEN_SETS];
    /* Stands for shader objects: made again for each command that looks at it. */
    struct pipeline objects;
    const struct shader_object *object; /* one of them: all have the same layouts of sets */
    uint64_t object_hash;               /* of their ids */
};

enum drawn_attachment {
    DRAWN_COLOR = 1 << 0, /* and the next 7 */
    DRAWN_DEPTH_READ = 1 << 8,
    DRAWN_DEPTH_WRITE = 1 << 9,
    DRAWN_STENCIL_READ = 1 << 10,
    DRAWN_STENCIL_WRITE = 1 << 11,
    DRAWN_COLOR_READ = 1 << 16, /* and the next 7 */
};

void draw_cache_clear(struct draw_cache *cache); /* may be NULL */

/* The bound pipeline, or shader objects, with the state that they take from the command buffer.
 * Threads: on the stack. */
struct draw_state {
    struct recording *recording;
    /* NULL: none, or unknown; &draw_cache::objects for shader objects */
    const struct pipeline *pipeline;
    uint32_t point;
};

/* --- draw_shaders.c --- */

/* The shaders that run where no pipeline is bound: &cache->objects, or NULL where no shader object
 * is either. */
const struct pipeline *draw_shader_objects(const struct recording *recording, uint32_t point,
                                           struct draw_cache *cache) COLD;

/* --- descriptors.c --- */

/* Accesses what descriptors bound for the shaders refer to. Returns whether some of it is written.
 */
bool draw_access_descriptors(const struct draw_state *state, struct draw_cache *cache);

/* The usage of a stage's access to such a descriptor, which reads or writes; SYNC_NONE: it is not
 * an access. */
enum sync_usage draw_descriptor_usage(VkShaderStageFlagBits bit, enum descriptor_tag tag,
                                      bool writes);

/* --- draw.c --- */

/* True if fragments are made of primitives, for certain: none are discarded or culled. */
bool draw_has_fragments(const struct draw_state *state);
/* True if that is a matter of dynamic states. */
static inline bool draw_chooses_fragments(const struct pipeline *pipeline)
{
    return pipeline_is_dynamic(pipeline, DYNAMIC_RASTERIZER_DISCARD_ENABLE) ||
           pipeline_is_dynamic(pipeline, DYNAMIC_CULL_MODE);
}

/* The counts of a draw: 0 = not known, or not that way. */
struct draw_counts {
    uint32_t first_vertex, vertex_count, first_instance, instance_count;
    uint32_t first_index, index_count;
    bool indexed;  /* vertices are chosen by indices */
    bool indirect; /* nothing is known but that the command may draw */
    bool mesh;
};

/* This validator's half of enum draw_dirty. */
#define DIRTY_FOR_SYNC DIRTY_FOR_SECOND

/* True if something that is bound has to be looked at. Hot. */
static ALWAYS_INLINE bool draw_needs_look(const struct command_buffer *command_buffer,
                                          uint32_t point)
{
    const struct sync_command_buffer *sync = sync_in_command_buffer(command_buffer)->sync;
    const struct draw_cache *cache = sync->draws;
    return command_buffer_dirty(command_buffer, point, DIRTY_FOR_SYNC) || !cache ||
           !cache->known[point] || cache->epoch[point] != sync->epoch || cache->writes[point];
}

/* All that is bound at the point, with the attachments of a draw. */
void draw_access_bound(struct recording *recording, uint32_t point);
/* Vertex and index buffers. */
void draw_access_vertices(struct recording *recording, const struct draw_counts *counts);

/* True if a draw of these counts is to be looked at at all. Counts the command where it is not. */
bool draw_begin(struct recording *recording, struct call *call,
                const struct draw_counts *counts) MUST_CHECK;

#endif
