/* Finds where the vertex buffers of a draw end (23.4 "Vertex Input Address Calculation"). */
#include "gpu/command/vertices.h"

#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/hooks.h"
#include "gpu/pipeline/pipeline.h"
#include "state/dynamic_values.h"
#include "state/memory/formats.h"
#include "state/pipeline/shader.h"

static_assert(sizeof(struct gpu_vertex_limit) == VERTICES_RATE_WORDS * sizeof(uint32_t),
              "shaders read it as words");

/* --- the source of vertices --- */

/* Returns the vertex stage of a pipeline; NULL: it has a mesh shader, or is a library without that
 * stage. */
static const struct pipeline_stage *vertex_stage(const struct pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->stage_count; i++) {
        if (pipeline->stage[i].stage == VK_SHADER_STAGE_VERTEX_BIT)
            return &pipeline->stage[i];
    }
    return NULL;
}

bool vertex_source_find(const struct command_buffer *command_buffer, struct vertex_source *source)
{
    const uint64_t id = command_buffer->bind[0].pipeline;
    *source = (struct vertex_source){.command_buffer = command_buffer,
                                     .pipeline = id ? pipeline_by_id(id) : NULL};
    const struct shader_object *shader =
        id ? NULL : shader_object_by_id(command_buffer->shaders[0]);
    if (source->pipeline)
        source->stage = vertex_stage(source->pipeline);
    if (shader) {
        source->object =
            (struct pipeline_stage){shader->stage, shader->shader, shader->entry_point, 0};
        source->stage = &source->object;
    }
    if (!source->stage)
        return false;
    source->attributes =
        current_vertex_attributes(source->pipeline, command_buffer, &source->attribute_count);
    source->bindings =
        current_vertex_bindings(source->pipeline, command_buffer, &source->binding_count);
    /* False if the vertex input is dynamic and was not set in this command buffer: it is not
     * known. */
    return !draw_state_is_dynamic(source->pipeline, DYNAMIC_VERTEX_INPUT_EXT) ||
           command_buffer_dynamic_of(command_buffer, DYNAMIC_VERTEX_INPUT_EXT);
}

/* Finds the description of a binding. NULL: the draw breaks another rule, and the attribute is
 * skipped. */
static const struct vertex_binding *find_binding(const struct vertex_source *source,
                                                 uint32_t binding)
{
    for (uint32_t i = 0; i < source->binding_count; i++) {
        if (source->bindings[i].binding == binding)
            return &source->bindings[i];
    }
    return NULL;
}

/* Finds the stride. If it is dynamic, it is the last one given to vkCmdBindVertexBuffers2 or
 * vkCmdSetVertexInputEXT. Returns false if none was given. */
static bool stride_of(const struct vertex_source *source, const struct vertex_binding *binding,
                      uint64_t *stride)
{
    *stride = binding->stride;
    if (!draw_state_is_dynamic(source->pipeline, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE))
        return true;
    *stride = bound_vertex_buffer(source->command_buffer, binding->binding)->stride;
    return command_buffer_has_dynamic(source->command_buffer, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE);
}

/* Returns how many elements have their data for this attribute in the bound buffer. UINT32_MAX:
 * there is no limit, it is not known, or nothing is fetched (a null buffer). */
static uint32_t elements_of(const struct vertex_source *source,
                            const struct vertex_attribute *attribute,
                            const struct vertex_binding *binding)
{
    const struct bound_buffer *bound =
        bound_vertex_buffer(source->command_buffer, attribute->binding);
    const uint64_t end = (uint64_t)attribute->offset +
                         format_aspect_block_size(attribute->format, VK_IMAGE_ASPECT_COLOR_BIT);
    uint64_t stride;
    if (!bound->bound || !bound->buffer || end == attribute->offset ||
        !stride_of(source, binding, &stride))
        return UINT32_MAX;
    if (bound->size < end)
        return 0;
    uint64_t count = stride ? (bound->size - end) / stride + 1 : UINT32_MAX;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Returns the least instance index whose element is beyond `elements`. An instance reads the
 * element firstInstance + (index - firstInstance) / divisor, or element firstInstance for a divisor
 * of 0. If firstInstance is not known, the result for 0 is used: such an index is beyond the end
 * for any value. */
static uint32_t instance_limit(uint32_t elements, uint32_t divisor, bool first_known,
                               uint32_t first_instance)
{
    if (elements == UINT32_MAX || (!divisor && !first_known))
        return UINT32_MAX;
    const uint64_t first = first_known ? first_instance : 0;
    if (first >= elements)
        return (uint32_t)first;
    const uint64_t limit = divisor ? first + (elements - first) * divisor : UINT32_MAX;
    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

void vertex_limits(const struct vertex_source *source, bool first_known, uint32_t first_instance,
                   struct gpu_vertex_limit limits[2])
{
    memset(limits, 0, 2 * sizeof(*limits));
    limits[0].limit = limits[1].limit = UINT32_MAX;
    for (uint32_t i = 0; i < source->attribute_count; i++) {
        const struct vertex_attribute *attribute = &source->attributes[i];
        const struct vertex_binding *binding = find_binding(source, attribute->binding);
        if (!binding || attribute->binding >= BOUND_VERTEX_BUFFERS ||
            attribute->location > UINT8_MAX)
            continue;
        const bool by_instance = binding->rate == VK_VERTEX_INPUT_RATE_INSTANCE;
        const uint32_t elements = elements_of(source, attribute, binding);
        const uint32_t limit =
            by_instance ? instance_limit(elements, binding->divisor, first_known, first_instance)
                        : elements;
        /* The least limit of each rate is kept: the attribute that ends first is enough for the
         * check. */
        if (limit >= limits[by_instance].limit ||
            !pipeline_stage_reads(source->stage, attribute->location, true))
            continue;
        limits[by_instance] = (struct gpu_vertex_limit){
            .limit = limit,
            .elements = elements,
            .place = attribute->location | attribute->binding << 16,
            .divisor = by_instance ? binding->divisor : VERTICES_BY_VERTEX,
            .buffer = bound_vertex_buffer(source->command_buffer, attribute->binding)->buffer,
        };
    }
}

/* --- giving the limits to shaders --- */

bool gpu_vertices_are_asked_for(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const uint64_t id = command_buffer->bind[0].pipeline;
    const struct pipeline *pipeline = id ? pipeline_by_id(id) : NULL;
    const struct shader_object *shader =
        id ? NULL : shader_object_by_id(command_buffer->shaders[0]);
    const struct gpu_pipeline *changed = pipeline ? gpu_in_pipeline(pipeline)->changed
                                         : shader ? gpu_in_shader_object(shader)->changed
                                                  : NULL;
    return changed && changed->push && changed->fetches;
}

/* Gives the limits to the draw's shaders. Indices that are all checked elsewhere (buffers_index.c)
 * are not reported twice. */
void gpu_vertices_hand_over(const struct call *call)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    struct vertex_source source;
    struct gpu_vertex_limit limits[2];
    /* Generated commands may bind vertex buffers of their own. */
    if (!commands || call->command == COMMAND_CmdExecuteGeneratedCommandsEXT ||
        call->command == COMMAND_CmdExecuteGeneratedCommandsNV ||
        !vertex_source_find(call_command_buffer(call), &source))
        return;
    vertex_limits(&source, commands->first_known, commands->first_instance, limits);
    if (commands->indices_seen)
        limits[0] = (struct gpu_vertex_limit){.limit = UINT32_MAX};
    if (limits[0].limit == UINT32_MAX && limits[1].limit == UINT32_MAX)
        return;
    if (!commands->limits_address || memcmp(commands->limits, limits, sizeof(limits))) {
        void *to = gpu_command_take(call, commands, sizeof(limits), &commands->limits_address);
        if (!to) {
            commands->limits_address = 0;
            return;
        }
        memcpy(to, limits, sizeof(limits));
        memcpy(commands->limits, limits, sizeof(limits));
    }
    (void)gpu_command_record(call, commands, 0);
    if (commands->record_words)
        memcpy(&commands->record_words[COMMAND_EXTRA], &commands->limits_address,
               sizeof(commands->limits_address));
}

/* --- the first instance of direct draws --- */

/* Notes firstInstance of a direct draw, which makes limits by instance exact. For indirect draws it
 * stays unknown. */
static void note_first_instance(const struct call *call, uint32_t first_instance)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (!commands)
        return;
    commands->first_known = true;
    commands->first_instance = first_instance;
}

void gpu_before_CmdDraw_vertices(struct call *call, VkCommandBuffer commandBuffer,
                                 uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
                                 uint32_t firstInstance)
{
    note_first_instance(call, firstInstance);
}

void gpu_before_CmdDrawIndexed_vertices(struct call *call, VkCommandBuffer commandBuffer,
                                        uint32_t indexCount, uint32_t instanceCount,
                                        uint32_t firstIndex, int32_t vertexOffset,
                                        uint32_t firstInstance)
{
    note_first_instance(call, firstInstance);
}

void gpu_before_CmdDrawMultiEXT_vertices(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t drawCount, const VkMultiDrawInfoEXT *pVertexInfo,
                                         uint32_t instanceCount, uint32_t firstInstance,
                                         uint32_t stride)
{
    note_first_instance(call, firstInstance);
}

void gpu_before_CmdDrawMultiIndexedEXT_vertices(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t drawCount,
                                                const VkMultiDrawIndexedInfoEXT *pIndexInfo,
                                                uint32_t instanceCount, uint32_t firstInstance,
                                                uint32_t stride, const int32_t *pVertexOffset)
{
    note_first_instance(call, firstInstance);
}

void gpu_before_CmdDrawIndirectByteCountEXT_vertices(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     uint32_t instanceCount, uint32_t firstInstance,
                                                     VkBuffer counterBuffer,
                                                     VkDeviceSize counterBufferOffset,
                                                     uint32_t counterOffset, uint32_t vertexStride)
{
    note_first_instance(call, firstInstance);
}
