/* Checks that the vertex and index buffers that a draw reads are bound (20.3 "Programmable
 * Primitive Shading", 22 "Fixed-Function Vertex Processing"). */
#include "core/draw/draw.h"

#include "report/names/names_of_values.h"
#include "spirv/module/reflect.h"
#include "state/memory/buffer.h"
#include "state/memory/formats.h"
#include "state/pipeline/shader.h"

#include <inttypes.h>
#include <spirv/unified1/spirv.h>

/* The number of bytes of which attribAddress must be a multiple; 1: any. `*rule`: the rule that
 * says so. */
static uint32_t alignment_of(const struct device *device, VkFormat format, enum rule *rule)
{
    const struct format_info *info = format_info(format);
    const bool legacy = device_has_feature(device, FEATURE_legacyVertexAttributes);
    if (!info || info->compression != FORMAT_COMPRESSION_NONE || info->plane_count != 1)
        return 1;
    /* ... is a packed format, and the legacyVertexAttributes feature is not enabled: the size of
     * the format */
    *rule = RULE_10389;
    if (info->packed)
        return legacy || info->packed != info->block_size * 8u ? 1 : info->block_size;
    /* ... is not a packed format, and either the legacyVertexAttributes feature is not enabled or
     * format has 64-bit components: the component size of the format */
    *rule = RULE_10390;
    return info->bits[0] % 8 || (legacy && info->bits[0] != 64) ? 1 : info->bits[0] / 8;
}

/* True if the offset is aligned for any format, whatever the format's own alignment is. */
static ALWAYS_INLINE bool is_aligned(VkDeviceSize offset, VkFormat format)
{
    const bool wide = format >= VK_FORMAT_R64_UINT && format <= VK_FORMAT_R64G64B64A64_SFLOAT;
    return offset % (wide ? 8 : 4) == 0;
}

/* Finds the distance in bytes between elements of the binding. False: not known. */
static bool find_stride(const struct draw *draw, uint32_t binding, VkDeviceSize *stride)
{
    if (draw_takes(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE) ||
        draw_takes(draw, DYNAMIC_VERTEX_INPUT_EXT)) {
        *stride = bound_vertex_buffer(draw->command_buffer, binding)->stride;
        return draw_has(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
    }
    for (uint32_t i = 0; i < draw->pipeline->vertex_binding_count; i++) {
        *stride = draw->pipeline->vertex_bindings[i].stride;
        if (draw->pipeline->vertex_bindings[i].binding == binding)
            return true;
    }
    return false;
}

/* the value of attribAddress ... must be a multiple of ... Where the stride is one, and the buffer
 * itself lies at one, all elements are alike. */
static COLD void draw_buffers_check_address(struct draw *draw,
                                            const struct vertex_attribute *attribute,
                                            const struct bound_buffer *bound)
{
    const struct device *device = draw->s.call->device;
    enum rule rule = RULE_NONE;
    const uint32_t alignment = alignment_of(device, attribute->format, &rule);
    VkDeviceSize stride;
    if (!alignment || (bound->offset + attribute->offset) % alignment == 0)
        return;
    const struct buffer *buffer = bound->buffer ? buffer_by_id(bound->buffer) : NULL;
    if (!buffer || !find_stride(draw, attribute->binding, &stride) || stride % alignment ||
        buffer_requirements(device, buffer).alignment % alignment)
        return;
    BROKEN_OF(&draw->s, OBJECT(HANDLE_BUFFER, object_state_handle(&buffer->base)), rule,
              "commandBuffer",
              "reads location %u at %" PRIu64 " bytes in the buffer of binding %u (%" PRIu64
              " and the attribute's offset of %u), but %s is read at multiples of %u",
              attribute->location, bound->offset + attribute->offset, attribute->binding,
              bound->offset, attribute->offset,
              value_text(VALUES_VkFormat, (uint64_t)attribute->format).text, alignment);
}

/* If the bound graphics pipeline was created without the VERTEX_INPUT_BINDING_STRIDE dynamic state
 * enabled, without the VERTEX_INPUT_EXT dynamic state enabled, and vkCmdBindVertexBuffers3KHR was
 * called and not subsequently invalidated ..., the value of setStride in each of its pBindInfos
 * elements must have been VK_FALSE */
static void check_strides_set(struct draw *draw)
{
    if (likely(!draw_has(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE)) ||
        draw_has_shader_objects(draw) || draw_takes(draw, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE) ||
        draw_takes(draw, DYNAMIC_VERTEX_INPUT_EXT))
        return;
    for (uint32_t i = 0; i < BOUND_VERTEX_BUFFERS; i++) {
        if (bound_vertex_buffer(draw->command_buffer, i)->strided) {
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_13118, "commandBuffer",
                      "had vkCmdBindVertexBuffers3KHR called with setStride for binding %u since "
                      "the pipeline was bound, but that has neither "
                      "VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE nor "
                      "VK_DYNAMIC_STATE_VERTEX_INPUT_EXT",
                      i);
            return;
        }
    }
}

void draw_check_vertex_buffers(struct draw *draw)
{
    const bool null = device_has_feature(draw->s.call->device, FEATURE_nullDescriptor);
    check_strides_set(draw);
    uint32_t count;
    const struct vertex_attribute *attributes =
        current_vertex_attributes(draw->pipeline, draw->command_buffer, &count);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t binding = attributes[i].binding;
        if (binding >= BOUND_VERTEX_BUFFERS)
            continue;
        const struct bound_buffer *bound = bound_vertex_buffer(draw->command_buffer, binding);
        const bool aligned =
            likely(is_aligned(bound->offset + attributes[i].offset, attributes[i].format));
        const bool known = seen >> binding & 1;
        if ((known && aligned) || !pipeline_reads_location(draw->pipeline, attributes[i].location))
            continue;
        if (!aligned)
            draw_buffers_check_address(draw, &attributes[i], bound);
        if (known)
            continue;
        seen |= 1ull << binding;
        /* All vertex input bindings accessed via vertex input variables declared in the vertex
         * shader entry point's interface must have either valid or VK_NULL_HANDLE buffers bound */
        if (!bound->bound && !draw->command_buffer->vertex_buffers_lost)
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_04007, "commandBuffer",
                      "has no vertex buffer bound to binding %u, from which the vertex shader "
                      "reads "
                      "location %u",
                      binding, attributes[i].location);
        /* If the nullDescriptor feature is not enabled, all vertex input bindings accessed via
         * vertex input variables ... must not be VK_NULL_HANDLE. Of a handle, the bind said it. */
        else if (unlikely(bound->null && !null))
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_04008, "commandBuffer",
                      "has address 0 bound to binding %u, from which the vertex shader reads "
                      "location %u, and the nullDescriptor feature is not enabled",
                      binding, attributes[i].location);
    }
}

void draw_check_index_buffer(struct draw *draw)
{
    /* If the maintenance6 feature is not enabled, a valid index buffer must be bound */
    if (!draw->command_buffer->index_buffer.bound &&
        !device_has_feature(draw->s.call->device, FEATURE_maintenance6))
        BROKEN_OF(&draw->s, NULL, RULE_07312, "commandBuffer", "has no index buffer bound");
    const struct command_buffer *command_buffer = draw->command_buffer;
    const uint32_t most = command_buffer->index_type == VK_INDEX_TYPE_UINT8    ? UINT8_MAX
                          : command_buffer->index_type == VK_INDEX_TYPE_UINT16 ? UINT16_MAX
                                                                               : UINT32_MAX;
    /* If the primitive restart index for this draw operation was set with
     * vkCmdSetPrimitiveRestartIndexEXT, then primitiveRestartIndex must not be greater than the
     * maximum representable value for the bound VkIndexType */
    if (unlikely(command_buffer->restart_index_set) && command_buffer->index_buffer.bound &&
        command_buffer->restart_index > most)
        BROKEN_OF(&draw->s, NULL, RULE_12401, "commandBuffer",
                  "has the primitive restart index %u, which vkCmdSetPrimitiveRestartIndexEXT has "
                  "set, but indices of %s are bound",
                  command_buffer->restart_index,
                  value_text(VALUES_VkIndexType, (uint64_t)command_buffer->index_type).text);
}

const struct vertex_binding *draw_divided_binding(const struct call *call,
                                                  const struct command_buffer *command_buffer,
                                                  bool *dynamic)
{
    const VkPhysicalDeviceVertexAttributeDivisorProperties *properties =
        &call->device->extended.VertexAttributeDivisorProperties;
    /* A limit of 0: the properties were not queried, as the device does not have the extension. */
    if (likely(!properties->maxVertexAttribDivisor || properties->supportsNonZeroFirstInstance))
        return NULL;
    const uint64_t id = command_buffer->bind[0].pipeline;
    const struct pipeline *pipeline = id ? pipeline_by_id(id) : NULL;
    if (id && !pipeline)
        return NULL;
    *dynamic = draw_state_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT);
    uint32_t count;
    const struct vertex_binding *bindings =
        current_vertex_bindings(pipeline, command_buffer, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (bindings[i].divisor != 1)
            return &bindings[i];
    }
    return NULL;
}
