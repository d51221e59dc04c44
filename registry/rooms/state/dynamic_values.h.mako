<% d = rules.dynamic_states(m) %>\
/* Generated from the Vulkan registry by registry/generate.py with ${template}. Do not edit.
 *
 * The values that vkCmdSet* commands gave a command buffer's dynamic states (10.17 "Dynamic State"), and "the current
 * value" of a state, which is that one or the pipeline's own. Which states are set is in command_buffer::dynamic_set; a
 * value whose state is not set there means nothing. registry/model/dynamic_states.py says which values are kept: those that
 * somebody asks for. */
#ifndef ASSAY_STATE_DYNAMIC_VALUES_H
#define ASSAY_STATE_DYNAMIC_VALUES_H

#include "state/command/command_buffer.h"
#include "state/pipeline/pipeline.h"

#define DYNAMIC_COLORS            8 /* color attachments that are kept */
#define DYNAMIC_VERTEX_BINDINGS   32
#define DYNAMIC_VERTEX_ATTRIBUTES 32

/* The values for front and back: index 0 and 1. */
struct dynamic_stencil {
    VkStencilOp fail, pass, depth_fail;
    VkCompareOp compare;
    uint32_t write_mask;
};

/* Threads: as struct command_buffer. */
struct command_buffer_dynamic {
    /* Parameters of commands, each of the state after which it is named. */
% for v in sorted(d.values, key=lambda v: v.type == 'bool'):
    ${v.type} ${v.field};
% endfor
    /* the highest one set, and one */
    uint32_t viewport_swizzle_count, w_scaling_count, palette_count;
    bool exclusive_scissor_enabled; /* vkCmdSetExclusiveScissorEnableNV set some element to VK_TRUE */
    VkSampleCountFlagBits sample_locations_per_pixel; /* of vkCmdSetSampleLocationsEXT */
    VkExtent2D sample_locations_grid; /* likewise */

    /* Bit i: element i was set since the state was last undefined. */
    uint32_t color_blend_enables_set, color_blend_equations_set, color_write_masks_set, color_blend_advanced_set;
    uint8_t stencil_ops_set, stencil_write_masks_set; /* VkStencilFaceFlags */
    struct dynamic_stencil stencil[2];
    uint32_t color_write_enable_count;
    uint32_t color_write_enables; /* bit per attachment */
    uint32_t color_blend_enables; /* bit per attachment */
    VkColorBlendEquationEXT equations[DYNAMIC_COLORS];
    VkColorComponentFlags write_masks[DYNAMIC_COLORS];

    /* vkCmdSetVertexInputEXT */
    uint32_t vertex_binding_count, vertex_attribute_count;
    struct vertex_binding vertex_bindings[DYNAMIC_VERTEX_BINDINGS];
    struct vertex_attribute vertex_attributes[DYNAMIC_VERTEX_ATTRIBUTES];
};

/* True if the state is set in the command buffer. */
static inline bool command_buffer_has_dynamic(const struct command_buffer *command_buffer, enum dynamic_state state)
{
    return dynamic_state_set_has(&command_buffer->dynamic_set, state);
}

/* Values of a command buffer that has none: no state is set. */
extern HIDDEN const struct command_buffer_dynamic no_dynamic_values;

/* The values of whatever states are set; NULL where memory was out for them. Of a wrong program another thread may be
 * setting states meanwhile: what is zeroed is stored before the pointer (mem_make()), which is not NULL again. */
static ALWAYS_INLINE const struct command_buffer_dynamic *command_buffer_values(const struct command_buffer *command_buffer)
{
    const struct command_buffer_dynamic *values = plain_load_acquire(&command_buffer->dynamic);
    return values ? values : command_buffer->values_lost ? NULL : &no_dynamic_values;
}

/* The values, made where there are none: a command sets the first state. NULL: memory is out, or was before in this
 * recording. Then states are set whose values are not known, and no later command may make them look known. */
struct command_buffer_dynamic *command_buffer_make_dynamic(struct command_buffer *command_buffer) COLD;
static ALWAYS_INLINE struct command_buffer_dynamic *command_buffer_own_dynamic(struct command_buffer *command_buffer)
{
    struct command_buffer_dynamic *values = plain_load_acquire(&command_buffer->dynamic);
    return likely(values) ? values : command_buffer_make_dynamic(command_buffer);
}

/* No dynamic state is set any more. */
static inline void command_buffer_forget_dynamic(struct command_buffer *command_buffer)
{
    command_buffer->dynamic_set = (struct dynamic_state_set){0};
    command_buffer->values_lost = false;
}

/* The values, where the state is set; NULL where it is not, or there was no memory for values. */
static inline const struct command_buffer_dynamic *command_buffer_dynamic_of(const struct command_buffer *command_buffer,
                                                                             enum dynamic_state state)
{
    return command_buffer_has_dynamic(command_buffer, state) ? plain_load_acquire(&command_buffer->dynamic) : NULL;
}

/* True if a draw with the pipeline takes the state from the command buffer. `pipeline` is NULL where shader objects are
 * bound, with which all state is dynamic. */
static inline bool draw_state_is_dynamic(const struct pipeline *pipeline, enum dynamic_state state)
{
    return !pipeline || pipeline_is_dynamic(pipeline, state);
}

/* Notes that a command sets the state. NULL: there is no place for its value (memory was out). */
static ALWAYS_INLINE struct command_buffer_dynamic *dynamic_state_note(const struct call *call, enum dynamic_state state)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (unlikely(!command_buffer))
        return NULL;
    command_buffer_set_dynamic(command_buffer, state);
    return command_buffer_own_dynamic(command_buffer);
}

/* The same for a state of which no value is kept: where it was set before, nothing changes for a draw. */
static ALWAYS_INLINE void dynamic_state_note_set(const struct call *call, enum dynamic_state state)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (likely(command_buffer) && !command_buffer_has_dynamic(command_buffer, state))
        command_buffer_set_dynamic(command_buffer, state);
}

/* The current value of a state for a draw with the pipeline (NULL: shader objects); `otherwise` where it is dynamic and
 * was not set. */
% for v in d.values:
% if v.fixed:
static inline ${v.type} current_${v.field}(const struct pipeline *pipeline, const struct command_buffer *command_buffer,
${' ' * len(f'static inline {v.type} current_{v.field}(')}${v.type} otherwise)
{
    if (!draw_state_is_dynamic(pipeline, DYNAMIC_${v.state}))
        return pipeline->${v.fixed};
    const struct command_buffer_dynamic *values = command_buffer_dynamic_of(command_buffer, DYNAMIC_${v.state});
    return values ? values->${v.field} : otherwise;
}

% endif
% endfor
/* The same for vertex input. NULL and a count of 0: it is dynamic, and was not set. */
const struct vertex_binding *current_vertex_bindings(const struct pipeline *pipeline, const struct command_buffer *command_buffer,
                                                     uint32_t *count);
const struct vertex_attribute *current_vertex_attributes(const struct pipeline *pipeline,
                                                         const struct command_buffer *command_buffer, uint32_t *count);

#endif
