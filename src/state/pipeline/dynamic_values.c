/* Tracks dynamic state that consists of several elements. The vkCmdSet* commands for such state are
 * handled here. Commands that set one value are generated (registry/model/dynamic_states.py).
 * Hot. */
#include "state/dynamic_values.h"
#include "state/hooks.h"

#include <string.h>

const struct command_buffer_dynamic no_dynamic_values;

struct command_buffer_dynamic *command_buffer_make_dynamic(struct command_buffer *command_buffer)
{
    assert(command_buffer);
    struct command_buffer_dynamic *values =
        command_buffer->values_lost
            ? NULL
            : mem_make(&command_buffer->dynamic, NULL, sizeof(*command_buffer->dynamic));
    command_buffer->values_lost = !values;
    return values;
}

/* True if the command buffer has set the dynamic state. */
static ALWAYS_INLINE bool is_set(const struct call *call, enum dynamic_state state)
{
    assert((unsigned)state < DYNAMIC_STATE_COUNT);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer && command_buffer_has_dynamic(command_buffer, state);
}

/* A mask with the bits [first, first + count), limited to `room` bits. */
static inline uint32_t dynamic_bits(uint32_t first, uint32_t count, uint32_t room)
{
    assert(room <= 32);
    if (first >= room)
        return 0;
    uint32_t end = count > room - first ? room : first + count;
    return (uint32_t)((1ull << end) - (1ull << first));
}

/* Copies the elements of `bits`, which are consecutive. `size`: bytes of each element. */
static inline void copy_elements(void *values, const void *from, size_t size, uint32_t first,
                                 uint32_t bits)
{
    assert(values && size);
    if (bits)
        memcpy((char *)values + first * size, from,
               (size_t)(32 - __builtin_clz(bits) - (int)first) * size);
}

/* A mask of the elements that are set: `bits` now, and `earlier` if the state was set before. */
static inline uint32_t elements_set(bool before, uint32_t earlier, uint32_t bits)
{
    return before ? earlier | bits : bits;
}

/* Notes that elements up to `end` are set. `*count`: 1 + the highest element that was ever set. */
static void note_count(uint32_t *count, bool before, uint32_t end)
{
    if (!before || end > *count)
        *count = end;
}

void state_after_CmdSetViewportSwizzleNV(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t firstViewport, uint32_t viewportCount,
                                         const VkViewportSwizzleNV *pViewportSwizzles)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_SWIZZLE_NV);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_VIEWPORT_SWIZZLE_NV);
    if (values)
        note_count(&values->viewport_swizzle_count, before, firstViewport + viewportCount);
}

void state_after_CmdSetViewportWScalingNV(struct call *call, VkCommandBuffer commandBuffer,
                                          uint32_t firstViewport, uint32_t viewportCount,
                                          const VkViewportWScalingNV *pViewportWScalings)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_W_SCALING_NV);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_VIEWPORT_W_SCALING_NV);
    if (values)
        note_count(&values->w_scaling_count, before, firstViewport + viewportCount);
}

void state_after_CmdSetViewportShadingRatePaletteNV(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    uint32_t firstViewport, uint32_t viewportCount,
                                                    const VkShadingRatePaletteNV
                                                        *pShadingRatePalettes)
{
    bool before = is_set(call, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV);
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_VIEWPORT_SHADING_RATE_PALETTE_NV);
    if (values)
        note_count(&values->palette_count, before, firstViewport + viewportCount);
}

void state_after_CmdSetExclusiveScissorEnableNV(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t firstExclusiveScissor,
                                                uint32_t exclusiveScissorCount,
                                                const VkBool32 *pExclusiveScissorEnables)
{
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_EXCLUSIVE_SCISSOR_ENABLE_NV);
    if (!values)
        return;
    values->exclusive_scissor_enabled = false;
    for (uint32_t i = 0; i < exclusiveScissorCount; i++)
        values->exclusive_scissor_enabled |= pExclusiveScissorEnables[i];
}

void state_after_CmdSetSampleLocationsEXT(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkSampleLocationsInfoEXT *pSampleLocationsInfo)
{
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_SAMPLE_LOCATIONS_EXT);
    if (!values)
        return;
    values->sample_locations_per_pixel = pSampleLocationsInfo->sampleLocationsPerPixel;
    values->sample_locations_grid = pSampleLocationsInfo->sampleLocationGridSize;
}

void state_after_CmdSetStencilWriteMask(struct call *call, VkCommandBuffer commandBuffer,
                                        VkStencilFaceFlags faceMask, uint32_t writeMask)
{
    bool before = is_set(call, DYNAMIC_STENCIL_WRITE_MASK);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_STENCIL_WRITE_MASK);
    if (!values)
        return;
    values->stencil_write_masks_set =
        (uint8_t)elements_set(before, values->stencil_write_masks_set,
                              faceMask & VK_STENCIL_FACE_FRONT_AND_BACK);
    for (uint32_t face = 0; face < 2; face++) {
        if (faceMask & 1u << face)
            values->stencil[face].write_mask = writeMask;
    }
}

void state_after_CmdSetStencilOp(struct call *call, VkCommandBuffer commandBuffer,
                                 VkStencilFaceFlags faceMask, VkStencilOp failOp,
                                 VkStencilOp passOp, VkStencilOp depthFailOp, VkCompareOp compareOp)
{
    /* Read before dynamic_state_note(), which sets it. */
    bool before = is_set(call, DYNAMIC_STENCIL_OP);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_STENCIL_OP);
    if (!values)
        return;
    values->stencil_ops_set = (uint8_t)elements_set(before, values->stencil_ops_set,
                                                    faceMask & VK_STENCIL_FACE_FRONT_AND_BACK);
    for (uint32_t face = 0; face < 2; face++) {
        struct dynamic_stencil *stencil = &values->stencil[face];
        if (!(faceMask & 1u << face))
            continue;
        stencil->fail = failOp;
        stencil->pass = passOp;
        stencil->depth_fail = depthFailOp;
        stencil->compare = compareOp;
    }
}

void state_after_CmdSetColorWriteEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t attachmentCount,
                                           const VkBool32 *pColorWriteEnables)
{
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_COLOR_WRITE_ENABLE_EXT);
    if (!values)
        return;
    values->color_write_enable_count = attachmentCount;
    values->color_write_enables = 0;
    for (uint32_t i = 0; i < attachmentCount && i < 32; i++)
        values->color_write_enables |= pColorWriteEnables[i] ? 1u << i : 0;
}

void state_after_CmdSetColorBlendEnableEXT(struct call *call, VkCommandBuffer commandBuffer,
                                           uint32_t firstAttachment, uint32_t attachmentCount,
                                           const VkBool32 *pColorBlendEnables)
{
    /* Read before dynamic_state_note(), which sets it. */
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_COLOR_BLEND_ENABLE_EXT);
    if (!values)
        return;
    uint32_t bits = dynamic_bits(firstAttachment, attachmentCount, 32);
    values->color_blend_enables_set = elements_set(before, values->color_blend_enables_set, bits);
    values->color_blend_enables &= ~bits;
    for (uint32_t i = 0; i < 32 && bits >> i; i++) {
        if (bits & 1u << i && pColorBlendEnables[i - firstAttachment])
            values->color_blend_enables |= 1u << i;
    }
}

void state_after_CmdSetColorBlendEquationEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstAttachment, uint32_t attachmentCount,
                                             const VkColorBlendEquationEXT *pColorBlendEquations)
{
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
    uint32_t bits = dynamic_bits(firstAttachment, attachmentCount, DYNAMIC_COLORS);
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_COLOR_BLEND_EQUATION_EXT);
    if (!values)
        return;
    copy_elements(values->equations, pColorBlendEquations, sizeof(VkColorBlendEquationEXT),
                  firstAttachment, bits);
    values->color_blend_equations_set =
        elements_set(before, values->color_blend_equations_set, bits);
}

void state_after_CmdSetColorWriteMaskEXT(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t firstAttachment, uint32_t attachmentCount,
                                         const VkColorComponentFlags *pColorWriteMasks)
{
    bool before = is_set(call, DYNAMIC_COLOR_WRITE_MASK_EXT);
    uint32_t bits = dynamic_bits(firstAttachment, attachmentCount, DYNAMIC_COLORS);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_COLOR_WRITE_MASK_EXT);
    if (!values)
        return;
    copy_elements(values->write_masks, pColorWriteMasks, sizeof(VkColorComponentFlags),
                  firstAttachment, bits);
    values->color_write_masks_set = elements_set(before, values->color_write_masks_set, bits);
}

void state_after_CmdSetColorBlendAdvancedEXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstAttachment, uint32_t attachmentCount,
                                             const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
    bool before = is_set(call, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    struct command_buffer_dynamic *values =
        dynamic_state_note(call, DYNAMIC_COLOR_BLEND_ADVANCED_EXT);
    if (values)
        values->color_blend_advanced_set =
            elements_set(before, values->color_blend_advanced_set,
                         dynamic_bits(firstAttachment, attachmentCount, DYNAMIC_COLORS));
}

void state_after_CmdSetVertexInputEXT(struct call *call, VkCommandBuffer commandBuffer,
                                      uint32_t vertexBindingDescriptionCount,
                                      const VkVertexInputBindingDescription2EXT
                                          *pVertexBindingDescriptions,
                                      uint32_t vertexAttributeDescriptionCount,
                                      const VkVertexInputAttributeDescription2EXT
                                          *pVertexAttributeDescriptions)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_dynamic *values = dynamic_state_note(call, DYNAMIC_VERTEX_INPUT_EXT);
    if (!values)
        return;
    command_buffer->dirty[0] |= DIRTY_VERTEX_BUFFERS;
    /* vkCmdSetVertexInputEXT sets the strides, too. */
    command_buffer_set_dynamic(command_buffer, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    values->vertex_binding_count = values->vertex_attribute_count = 0;
    for (uint32_t i = 0; i < vertexBindingDescriptionCount && i < DYNAMIC_VERTEX_BINDINGS; i++) {
        const VkVertexInputBindingDescription2EXT *given = &pVertexBindingDescriptions[i];
        uint32_t at = values->vertex_binding_count++;
        values->vertex_bindings[at] = (struct vertex_binding){given->binding, given->stride,
                                                              given->inputRate, given->divisor};
        struct bound_buffer *bound = vertex_buffer_place(command_buffer, given->binding);
        if (bound)
            bound->stride = given->stride;
    }
    for (uint32_t i = 0; i < vertexAttributeDescriptionCount && i < DYNAMIC_VERTEX_ATTRIBUTES;
         i++) {
        const VkVertexInputAttributeDescription2EXT *given = &pVertexAttributeDescriptions[i];
        uint32_t at = values->vertex_attribute_count++;
        values->vertex_attributes[at] = (struct vertex_attribute){given->location, given->binding,
                                                                  given->offset, given->format};
    }
}

const struct vertex_binding *current_vertex_bindings(const struct pipeline *pipeline,
                                                     const struct command_buffer *command_buffer,
                                                     uint32_t *count)
{
    assert(command_buffer && count);
    if (!draw_state_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT)) {
        *count = pipeline->vertex_binding_count;
        return pipeline->vertex_bindings;
    }
    const struct command_buffer_dynamic *values =
        command_buffer_dynamic_of(command_buffer, DYNAMIC_VERTEX_INPUT_EXT);
    *count = values ? values->vertex_binding_count : 0;
    return values ? values->vertex_bindings : NULL;
}

const struct vertex_attribute *
current_vertex_attributes(const struct pipeline *pipeline,
                          const struct command_buffer *command_buffer, uint32_t *count)
{
    assert(command_buffer && count);
    if (!draw_state_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT)) {
        *count = pipeline->vertex_attribute_count;
        return pipeline->vertex_attributes;
    }
    const struct command_buffer_dynamic *values =
        command_buffer_dynamic_of(command_buffer, DYNAMIC_VERTEX_INPUT_EXT);
    *count = values ? values->vertex_attribute_count : 0;
    return values ? values->vertex_attributes : NULL;
}
