/* Checks everything that a draw, dispatch or trace needs: pipeline, dynamic state, render pass
 * instance, descriptors, buffers. It is incremental. A command buffer remembers what changed since
 * a draw last found everything in order (enum draw_dirty), and only that is looked at again. A draw
 * with nothing changed is one test. (20 "Drawing Commands", 21 "Dispatching Commands") */
#ifndef ASSAY_CORE_DRAW_DRAW_H
#define ASSAY_CORE_DRAW_DRAW_H

#include "base/thread.h"
#include "report/finding/rule.h"
#include "state/dynamic_values.h"
#include "state/command/rendering.h"

/* How the vertices come: draws of different kinds have different rules, so that a change of kind
 * makes everything be looked at again. */
enum draw_kind { DRAW_NONE, DRAW_VERTICES, DRAW_INDICES, DRAW_MESH };

/* One draw (dispatch, trace) that is looked at. Threads: on the stack. */
struct draw {
    /* parameters of the command; `wrong`: look at everything again next time */
    struct subject s;
    struct command_buffer *command_buffer;
    enum draw_kind kind;
    const struct pipeline *pipeline;
    /* With shader objects: the objects of the stages of `pipeline`, and a hash of their interfaces
     * (shader_object::interface). NULL with a pipeline. */
    const struct shader_object *const *objects;
    uint64_t objects_interface;
    const struct command_buffer_dynamic *values;  /* NULL where memory was out */
    const struct render_pass_instance *rendering; /* NULL outside, or where memory was out */
    /* By draw_check_rows(). `again`: an earlier draw was in order with this pipeline, and of what
     * else rows and draw_check_rendering() look at nothing has changed. `is_new`: draws with this
     * pipeline may be so from now on, where nothing is wrong. */
    bool again, is_new;
};

/* True if shader objects are bound, and `pipeline` stands for them (core/draw/shaders.c). */
static inline bool draw_has_shader_objects(const struct draw *draw)
{
    return draw->objects != NULL;
}

/* The bound pipeline, as an object that a finding is about; NULL with shader objects. */
#define BOUND_PIPELINE(draw_)       \
    (draw_has_shader_objects(draw_) \
         ? NULL                     \
         : OBJECT(HANDLE_PIPELINE, object_state_handle(&(draw_)->pipeline->base)))

/* True if the state is one that the pipeline takes from the command buffer, and is set there. */
static inline bool draw_takes(const struct draw *draw, enum dynamic_state state)
{
    return pipeline_is_dynamic(draw->pipeline, state);
}

static inline bool draw_has(const struct draw *draw, enum dynamic_state state)
{
    return command_buffer_has_dynamic(draw->command_buffer, state);
}

/* "The current value of" a state: `name_` as in current_<name_>() of state/dynamic_values.h. Where
 * it is dynamic and was not set, this is `otherwise_`: another rule reports that. */
#define DRAW_CURRENT(draw_, name_, otherwise_) \
    current_##name_((draw_)->pipeline, (draw_)->command_buffer, (otherwise_))

/* True where nothing is known, as rules ask for VK_FALSE. */
static inline bool draw_discards(const struct draw *draw)
{
    return DRAW_CURRENT(draw, rasterizer_discard_enable, true);
}

/* False where nothing is known. */
static inline bool draw_tests_depth(const struct draw *draw)
{
    return DRAW_CURRENT(draw, depth_test_enable, false);
}

static inline bool draw_tests_stencil(const struct draw *draw)
{
    return DRAW_CURRENT(draw, stencil_test_enable, false);
}

/* VK_PRIMITIVE_TOPOLOGY_MAX_ENUM where nothing is known. */
static inline VkPrimitiveTopology draw_topology(const struct draw *draw)
{
    return DRAW_CURRENT(draw, primitive_topology, VK_PRIMITIVE_TOPOLOGY_MAX_ENUM);
}

/* 0 where nothing is known. */
static inline VkSampleCountFlagBits draw_samples(const struct draw *draw)
{
    return DRAW_CURRENT(draw, rasterization_samples, 0);
}

/* Names the check of this call for command_buffer_expect_layout_in_check(): odd, and another number
 * in each call of the thread (thread_enter). */
static inline uint32_t draw_check_name(void)
{
    return (uint32_t)atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
}

/* Each looks at one subject and notes what is wrong in `draw`. */
/* `dirty`: enum draw_dirty; rows that ask for nothing that has changed are left out. */
void draw_check_rows(struct draw *draw, uint32_t point, uint32_t dirty); /* core/draw/rows.c */
/* The draw is in order, and `is_new`. */
void draw_note_in_order(const struct draw *draw);             /* core/draw/rows.c */
void draw_check_dynamic_state(struct draw *draw);             /* core/draw/dynamic_state.c */
void draw_check_rendering(struct draw *draw, uint32_t dirty); /* core/draw/rendering.c */
void draw_check_vertex_buffers(struct draw *draw);            /* core/draw/buffers.c */
/* Where vkCmdSetVertexInputEXT gave it, and that or the shader has changed. */
void draw_check_vertex_input(struct draw *draw, uint32_t dirty); /* core/draw/vertex_input.c */
void draw_check_index_buffer(struct draw *draw);
/* The binding with a divisor that is not 1, on a device where such draws must begin at instance 0.
 * NULL: there is none, or it is not known. `*dynamic`: vkCmdSetVertexInputEXT gave it. */
const struct vertex_binding *draw_divided_binding(const struct call *call,
                                                  const struct command_buffer *command_buffer,
                                                  bool *dynamic);
/* Checks firstInstance, for command buffers with `watch_instances`. */
bool draw_check_first_instance(const struct call *call, const struct command_buffer *command_buffer,
                               uint32_t first);
void draw_check_sets(struct draw *draw, uint32_t point);        /* core/draw/sets.c */
void draw_check_descriptors(struct draw *draw, uint32_t point); /* core/draw/descriptors.c */
/* The set that is bound there was allocated with another layout. */
void draw_report_set_layout(struct draw *draw, uint32_t set) COLD; /* core/draw/sets.c */
void draw_check_push_constants(struct draw *draw, uint32_t point);
/* For shader objects, in a dynamic render pass instance. */
void draw_check_input_indices(struct draw *draw); /* core/draw/use_attachments.c */
/* Checks shaders of pipelines and shader objects that use descriptor heaps. */
void draw_check_heap_shaders(struct draw *draw, uint32_t point) COLD; /* core/draw/heaps.c */

static ALWAYS_INLINE void draw_check_heaps(struct draw *draw, uint32_t point)
{
    if (unlikely(draw->pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT))
        draw_check_heap_shaders(draw, point);
}

/* "Deleting a resource that was used in a command recorded to a command buffer" makes it invalid
 * (6.1): here what is bound. The driver would follow it: the call does not reach it. */
void draw_report_gone(struct draw *draw, uint64_t id, enum vuid vuid) COLD; /* core/draw/report.c */

/* No pipeline is bound, but shader objects may be: their own rules, and those that they share with
 * pipelines. `dirty`: what to look at. */
void draw_check_shader_objects(struct draw *draw, uint32_t dirty); /* core/draw/shaders.c */
void dispatch_check_shader_object(struct draw *draw, uint32_t dirty);
/* Checks the sets that shader objects use in commands that the device generates. */
void generated_check_shader_objects(struct draw *draw, uint32_t point);

/* This validator's half of enum draw_dirty. */
#define DIRTY_FOR_CORE DIRTY_FOR_FIRST

/* Hot: passes if everything is in order since the last draw of this kind. Else looks at what
 * changed. Answers whether to skip. */
bool draw_check_changed(struct call *call, struct command_buffer *command_buffer,
                        enum draw_kind kind) COLD;

static ALWAYS_INLINE bool draw_check(struct call *call, struct command_buffer *command_buffer,
                                     enum draw_kind kind)
{
    if (likely(!command_buffer || (!command_buffer_dirty(command_buffer, 0, DIRTY_FOR_CORE) &&
                                   command_buffer->draw_kind == kind)))
        return false;
    return draw_check_changed(call, command_buffer, kind);
}

/* Checks commands that the device generates (core/draw/generated.c). Everything is looked at except
 * state that their tokens set (`set`: enum draw_dirty), and it is looked at again at the next
 * command. */
bool draw_check_generated(struct call *call, struct command_buffer *command_buffer, uint32_t point,
                          enum draw_kind kind, uint32_t set) COLD;

/* Checks the changed state for a dispatch (point 1), a trace (point 2) or subpass shading (point
 * 3). */
bool dispatch_check_changed(struct call *call, struct command_buffer *command_buffer,
                            uint32_t point) COLD;

static ALWAYS_INLINE bool dispatch_check(struct call *call, struct command_buffer *command_buffer,
                                         uint32_t point)
{
    if (likely(!command_buffer || !command_buffer_dirty(command_buffer, point, DIRTY_FOR_CORE)))
        return false;
    return dispatch_check_changed(call, command_buffer, point);
}

#endif
