/* Checks that the vertex and index buffers are bound that a draw reads (20.3 "Programmable
 * Primitive Shading", 22 "Fixed-Function Vertex Processing"). */
#include "core/draw/draw.h"

#include "report/names_of_values.h"
#include "spirv/reflect.h"
#include "state/buffer.h"
#include "state/shader.h"

#include <inttypes.h>
#include <spirv/unified1/spirv.h>

void draw_check_vertex_buffers(struct draw *draw)
{
    uint32_t count;
    const struct vertex_attribute *attributes =
        current_vertex_attributes(draw->pipeline, draw->command_buffer, &count);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t binding = attributes[i].binding;
        if (binding >= BOUND_VERTEX_BUFFERS || seen >> binding & 1 ||
            !pipeline_reads_location(draw->pipeline, attributes[i].location))
            continue;
        seen |= 1ull << binding;
        const struct bound_buffer *bound = &draw->command_buffer->vertex_buffers[binding];
        /* All vertex input bindings accessed via vertex input variables declared in the vertex
         * shader entry point's interface must have either valid or VK_NULL_HANDLE buffers bound */
        if (!bound->bound)
            BROKEN_OF(&draw->s, BOUND_PIPELINE(draw), RULE_04007, "commandBuffer",
                      "has no vertex buffer bound to binding %u, from which the vertex shader "
                      "reads "
                      "location %u",
                      binding, attributes[i].location);
    }
}

void draw_check_index_buffer(struct draw *draw)
{
    /* If the maintenance6 feature is not enabled, a valid index buffer must be bound */
    if (!draw->command_buffer->index_buffer.bound &&
        !device_has_feature(draw->s.call->device, FEATURE_maintenance6))
        BROKEN_OF(&draw->s, NULL, RULE_07312, "commandBuffer", "has no index buffer bound");
}

const struct vertex_binding *draw_divided_binding(const struct call *call,
                                                  const struct command_buffer *command_buffer,
                                                  bool *dynamic)
{
    const VkPhysicalDeviceVertexAttributeDivisorProperties *properties =
        &call->device->extended.VertexAttributeDivisorProperties;
    /* A limit of 0: the properties were not asked for, as the device lacks the extension. */
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
