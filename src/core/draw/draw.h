/* Checks everything that a draw, dispatch or trace uses: pipeline, dynamic state, render pass
 * instance, descriptors, buffers (20 "Drawing Commands", 21 "Dispatching Commands"). It is
 * incremental. A command buffer notes what changed since a draw last broke no rule (enum
 * draw_dirty), and only that is checked again. If nothing changed, a draw is one test. */
#ifndef ASSAY_CORE_DRAW_DRAW_H
#define ASSAY_CORE_DRAW_DRAW_H

#include "base/thread.h"
#include "report/finding/rule.h"
#include "state/dynamic_values.h"
#include "state/command/rendering.h"

/* The source of the vertices. Draws of different kinds have different rules, so a change of kind
 * makes everything be checked again. */
enum draw_kind { DRAW_NONE, DRAW_VERTICES, DRAW_INDICES, DRAW_MESH };

/* One draw (dispatch, trace) that is being checked. Threads: on the stack. */
struct draw {
    /* subject for parameters of the command; s.wrong: the next draw checks everything again */
    struct subject s;
    struct command_buffer *command_buffer;
    enum draw_kind kind;
    const struct pipeline *pipeline;
    /* With shader objects: those of the stages of `pipeline`, and a hash of their interfaces
     * (shader_object::interface). NULL with a pipeline. */
    const struct shader_object *const *objects;
    uint64_t objects_interface;
    const struct command_buffer_dynamic *values; /* NULL: memory ran out */
    /* NULL: outside of an instance, or memory ran out */
    const struct render_pass_instance *rendering;
    /* Set by draw_check_rows(). `again`: an earlier draw with this pipeline broke no rule, and
     * nothing else on which rows and draw_check_rendering() depend has changed. `is_new`: if
     * nothing is wrong, the pipeline can be noted for that. */
    bool again, is_new;
};

/* True if shader objects are bound, which `pipeline` represents (core/draw/shaders.c). */
static inline bool draw_has_shader_objects(const struct draw *draw)
{
    return draw->objects != NULL;
}

/* The bound pipeline as the object of a finding; NULL with shader objects. */
#define BOUND_PIPELINE(draw_)       \
    (draw_has_shader_objects(draw_) \
         ? NULL                     \
         : OBJECT(HANDLE_PIPELINE, object_state_handle(&(draw_)->pipeline->base)))

/* True if the state is dynamic in the pipeline and set in the command buffer. */
static inline bool draw_takes(const struct draw *draw, enum dynamic_state state)
{
    return pipeline_is_dynamic(draw->pipeline, state);
}

static inline bool draw_has(const struct draw *draw, enum dynamic_state state)
{
    return command_buffer_has_dynamic(draw->command_buffer, state);
}

/* "The current value of" a state. `name_`: as in current_<name_>() of state/dynamic_values.h.
 * `otherwise_`: the result if it is dynamic and not set, which another rule reports. */
#define DRAW_CURRENT(draw_, name_, otherwise_) \
    current_##name_((draw_)->pipeline, (draw_)->command_buffer, (otherwise_))

/* True if primitives are discarded, or that is not known, as the rules require VK_FALSE. */
static inline bool draw_discards(const struct draw *draw)
{
    return DRAW_CURRENT(draw, rasterizer_discard_enable, true);
}

/* True if depth is tested. False if that is not known. */
static inline bool draw_tests_depth(const struct draw *draw)
{
    return DRAW_CURRENT(draw, depth_test_enable, false);
}

static inline bool draw_tests_stencil(const struct draw *draw)
{
    return DRAW_CURRENT(draw, stencil_test_enable, false);
}

/* The current topology; VK_PRIMITIVE_TOPOLOGY_MAX_ENUM: not known. */
static inline VkPrimitiveTopology draw_topology(const struct draw *draw)
{
    return DRAW_CURRENT(draw, primitive_topology, VK_PRIMITIVE_TOPOLOGY_MAX_ENUM);
}

/* The current rasterization samples; 0: not known. */
static inline VkSampleCountFlagBits draw_samples(const struct draw *draw)
{
    return DRAW_CURRENT(draw, rasterization_samples, 0);
}

/* A number for this call's check, for command_buffer_expect_layout_in_check(). It is odd, and
 * differs between the calls of a thread (thread_enter). */
static inline uint32_t draw_check_name(void)
{
    return (uint32_t)atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
}

/* Each of these functions checks one subject, and notes mistakes in `draw`. */
/* `dirty`: enum draw_dirty; rows that depend on nothing that has changed are skipped. */
void draw_check_rows(struct draw *draw, uint32_t point, uint32_t dirty); /* in core/draw/rows.c */
/* Notes that a draw with `is_new` broke no rule. */
void draw_note_in_order(const struct draw *draw);             /* in core/draw/rows.c */
void draw_check_dynamic_state(struct draw *draw);             /* in core/draw/dynamic_state.c */
void draw_check_rendering(struct draw *draw, uint32_t dirty); /* in core/draw/rendering.c */
void draw_check_vertex_buffers(struct draw *draw);            /* in core/draw/buffers.c */
/* Checks vertex input that vkCmdSetVertexInputEXT set, if that or the shader has changed. */
void draw_check_vertex_input(struct draw *draw, uint32_t dirty); /* in core/draw/vertex_input.c */
void draw_check_index_buffer(struct draw *draw);
/* A binding whose divisor is not 1, on a device where such draws must begin at instance 0. NULL:
 * there is none, or it is not known. `*dynamic`: vkCmdSetVertexInputEXT set it. */
const struct vertex_binding *draw_divided_binding(const struct call *call,
                                                  const struct command_buffer *command_buffer,
                                                  bool *dynamic);
/* Checks firstInstance, for command buffers with `watch_instances`. */
bool draw_check_first_instance(const struct call *call, const struct command_buffer *command_buffer,
                               uint32_t first);
void draw_check_sets(struct draw *draw, uint32_t point);        /* in core/draw/sets.c */
void draw_check_descriptors(struct draw *draw, uint32_t point); /* in core/draw/descriptors.c */
/* True if the bound pipeline was in order with everything but its sets and push constants, and is
 * so with these, as no mistake was found in the sets before. The draw, dispatch or trace is noted
 * with each set. False: nothing is known, and the other functions check. */
bool draw_sets_are_verified(const struct call *call, struct command_buffer *command_buffer,
                            uint32_t point); /* in core/draw/descriptors.c */
/* Reports a bound set that was allocated with another layout. */
void draw_report_set_layout(struct draw *draw, uint32_t set) COLD; /* in core/draw/sets.c */
void draw_check_push_constants(struct draw *draw, uint32_t point);
/* Checks input attachment indices for shader objects, in a dynamic render pass instance. */
void draw_check_input_indices(struct draw *draw); /* in core/draw/use_attachments.c */
/* Checks shaders of pipelines and shader objects that use descriptor heaps. */
void draw_check_heap_shaders(struct draw *draw, uint32_t point) COLD; /* in core/draw/heaps.c */

static ALWAYS_INLINE void draw_check_heaps(struct draw *draw, uint32_t point)
{
    if (unlikely(draw->pipeline->flags & VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT))
        draw_check_heap_shaders(draw, point);
}

/* Reports a bound object that was destroyed: "Deleting a resource that was used in a command
 * recorded to a command buffer" makes that invalid (6.1). The driver would follow the object, so
 * the call does not reach it. */
/* in core/draw/report.c */
void draw_report_gone(struct draw *draw, uint64_t id, enum vuid vuid) COLD;

/* Checks a draw without a bound pipeline, but perhaps with shader objects: their own rules, and
 * those that they share with pipelines. `dirty`: what to check. */
void draw_check_shader_objects(struct draw *draw, uint32_t dirty); /* in core/draw/shaders.c */
void dispatch_check_shader_object(struct draw *draw, uint32_t dirty);
/* Checks shader objects, and the sets that they use, in commands that the device generates. `set`:
 * the state that tokens set, as enum draw_dirty. */
void generated_check_shader_objects(struct draw *draw, uint32_t point, uint32_t set);

/* This validator's half of enum draw_dirty. */
#define DIRTY_FOR_CORE DIRTY_FOR_FIRST

/* Checks a draw. Hot: nothing is done if no rule was broken and nothing has changed since the last
 * draw of this kind. Otherwise it checks what changed. Returns whether to skip the call. */
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

/* Checks commands that the device generates (core/draw/generated.c). Everything is checked except
 * state that their tokens set (`set`: enum draw_dirty), and it is checked again at the next
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
