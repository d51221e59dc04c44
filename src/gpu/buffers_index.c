/* Do the indices of indexed draws name vertices that the vertex buffers have (23 "Fixed-Function Vertex Processing")? */
#include "gpu/buffers.h"

#include "gpu/hooks.h"
#include "spirv/reflect.h"
#include "state/dynamic_values.h"
#include "state/formats.h"
#include "state/pipeline.h"
#include "state/shader.h"

#include <spirv/unified1/spirv.h>

/* Indices that one dispatch looks at; more are split up. */
#define INDICES_OF_A_JOB (1u << 16)
#define INDICES_JOBS     64

/* What the vertices of a draw come from. */
struct vertex_source {
    const struct command_buffer *command_buffer;
    const struct pipeline *pipeline;
    const struct vertex_attribute *attributes;
    const struct vertex_binding *bindings;
    uint32_t attribute_count, binding_count;
};

static bool find_source(const struct command_buffer *command_buffer, struct vertex_source *source)
{
    const struct pipeline *pipeline = pipeline_by_id(command_buffer->bind[0].pipeline);
    if (!pipeline || pipeline->stages & VK_SHADER_STAGE_MESH_BIT_EXT)
        return false;
    *source = (struct vertex_source){.command_buffer = command_buffer, .pipeline = pipeline};
    if (pipeline_is_dynamic(pipeline, DYNAMIC_VERTEX_INPUT_EXT)) {
        const struct command_buffer_dynamic *values = command_buffer->dynamic;
        if (!values || !command_buffer_has_dynamic(command_buffer, DYNAMIC_VERTEX_INPUT_EXT))
            return false;
        source->attributes = values->vertex_attributes;
        source->attribute_count = values->vertex_attribute_count;
        source->bindings = values->vertex_bindings;
        source->binding_count = values->vertex_binding_count;
    } else {
        source->attributes = pipeline->vertex_attributes;
        source->attribute_count = pipeline->vertex_attribute_count;
        source->bindings = pipeline->vertex_bindings;
        source->binding_count = pipeline->vertex_binding_count;
    }
    return true;
}

static const struct vertex_binding *find_binding(const struct vertex_source *source, uint32_t binding)
{
    for (uint32_t i = 0; i < source->binding_count; i++) {
        if (source->bindings[i].binding == binding)
            return &source->bindings[i];
    }
    return NULL;
}

/* Vertices whose data for this attribute lie in the buffer that is bound; UINT32_MAX: all of them, or that is not known. */
static uint32_t vertices_of(const struct vertex_source *source, const struct vertex_attribute *attribute)
{
    const struct vertex_binding *binding = find_binding(source, attribute->binding);
    uint32_t size = format_aspect_block_size(attribute->format, VK_IMAGE_ASPECT_COLOR_BIT);
    if (!binding || binding->rate != VK_VERTEX_INPUT_RATE_VERTEX || attribute->binding >= BOUND_VERTEX_BUFFERS || !size)
        return UINT32_MAX;
    const struct bound_buffer *bound = &source->command_buffer->vertex_buffers[attribute->binding];
    if (!bound->bound || !bound->buffer)
        return UINT32_MAX;
    uint64_t stride = pipeline_is_dynamic(source->pipeline, DYNAMIC_VERTEX_INPUT_BINDING_STRIDE) &&
                              !pipeline_is_dynamic(source->pipeline, DYNAMIC_VERTEX_INPUT_EXT)
                          ? bound->stride
                          : binding->stride;
    uint64_t last = (uint64_t)attribute->offset + size;
    if (bound->size < last)
        return 0;
    uint64_t count = stride ? (bound->size - last) / stride + 1 : UINT32_MAX;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* The fewest vertices that an attribute has which the shader reads, and its binding and location as INDICES_RULE wants them. */
static uint32_t fewest_vertices(const struct vertex_source *source, uint32_t *rule)
{
    uint32_t fewest = UINT32_MAX;
    for (uint32_t i = 0; i < source->attribute_count; i++) {
        const struct vertex_attribute *attribute = &source->attributes[i];
        uint32_t count = vertices_of(source, attribute);
        if (count >= fewest || attribute->location > UINT8_MAX ||
            !pipeline_reads_location(source->pipeline, attribute->location))
            continue;
        fewest = count;
        *rule = BUFFER_RULE_INDEX | attribute->binding << 8 | attribute->location << 16;
    }
    return fewest;
}

/* With robustBufferAccess, or a pipeline that asks for it, no attribute that is fetched must lie in its buffer. */
static bool is_robust(const struct device *device)
{
    return device_has_feature(device, FEATURE_robustBufferAccess) ||
           device_has_feature(device, FEATURE_pipelineRobustness);
}

static bool restarts(const struct vertex_source *source)
{
    const struct command_buffer_dynamic *values = source->command_buffer->dynamic;
    if (!pipeline_is_dynamic(source->pipeline, DYNAMIC_PRIMITIVE_RESTART_ENABLE))
        return source->pipeline->primitive_restart;
    return !values || !command_buffer_has_dynamic(source->command_buffer, DYNAMIC_PRIMITIVE_RESTART_ENABLE) ||
           values->primitive_restart;
}

/* Of how many indices a primitive is made, and how many there must be at least: vertices that are in no primitive are not fetched. */
static void primitive_sizes(const struct vertex_source *source, uint32_t *size, uint32_t *least)
{
    static const uint8_t sizes[][2] = {
        [VK_PRIMITIVE_TOPOLOGY_POINT_LIST] = {1, 1},
        [VK_PRIMITIVE_TOPOLOGY_LINE_LIST] = {2, 2},
        [VK_PRIMITIVE_TOPOLOGY_LINE_STRIP] = {1, 2},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST] = {3, 3},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP] = {1, 3},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN] = {1, 3},
        [VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY] = {4, 4},
        [VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY] = {1, 4},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY] = {6, 6},
        [VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY] = {2, 6},
    };
    const struct pipeline *pipeline = source->pipeline;
    const struct command_buffer_dynamic *values = source->command_buffer->dynamic;
    VkPrimitiveTopology topology = pipeline->topology;
    if (pipeline_is_dynamic(pipeline, DYNAMIC_PRIMITIVE_TOPOLOGY))
        topology = values ? values->topology : VK_PRIMITIVE_TOPOLOGY_MAX_ENUM;
    *size = *least = 1;
    if (topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST &&
        !pipeline_is_dynamic(pipeline, DYNAMIC_PATCH_CONTROL_POINTS_EXT) && pipeline->patch_control_points)
        *size = *least = pipeline->patch_control_points;
    else if ((uint32_t)topology < ARRAY_LENGTH(sizes)) {
        *size = sizes[topology][0];
        *least = sizes[topology][1];
    }
}

static bool index_shift(VkIndexType type, uint32_t *shift)
{
    *shift = type == VK_INDEX_TYPE_UINT32 ? 2 : type == VK_INDEX_TYPE_UINT16 ? 1 : 0;
    return *shift || type == VK_INDEX_TYPE_UINT8;
}

static void run_direct(struct gpu_job *job, const struct gpu_indexed_draw *draw)
{
    uint32_t left = draw->index_count - draw->index_count % job->words[INDICES_PRIMITIVE];
    if (left < job->words[INDICES_LEAST])
        return;
    job->words[INDICES_PRIMITIVE] = job->words[INDICES_LEAST] = 1; /* a part of it may end within a primitive */
    for (uint32_t i = 0; left && i < INDICES_JOBS; i++) {
        uint32_t count = left < INDICES_OF_A_JOB ? left : INDICES_OF_A_JOB;
        uint32_t *words = &job->words[INDICES_DRAW];
        words[0] = count;
        words[1] = draw->instance_count;
        words[2] = draw->first_index + i * INDICES_OF_A_JOB;
        words[3] = (uint32_t)draw->vertex_offset;
        gpu_job_run(job, 0);
        left -= count;
    }
}

void gpu_check_indices(struct call *call, const struct gpu_indexed_draw *draw)
{
    const struct settings *settings = &call->instance->settings;
    struct gpu_job job;
    struct vertex_source source;
    uint32_t rule = BUFFER_RULE_INDEX, shift;
    if (is_robust(call->device) ||
        !gpu_job_begin(&job, call, settings->gpuav_index_buffers, GPU_JOB_INDICES, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT))
        return;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct bound_buffer *bound = &command_buffer->index_buffer;
    if (!bound->buffer || !index_shift(command_buffer->index_type, &shift) || !find_source(command_buffer, &source) ||
        gpu_command_index(job.commands) >= settings->gpuav_max_indices_count)
        return;
    uint32_t vertices = fewest_vertices(&source, &rule);
    VkDeviceAddress address = gpu_job_buffer(&job, buffer_by_id(bound->buffer), 0, bound->offset);
    if (vertices == UINT32_MAX || !address)
        return;
    gpu_job_address(&job, JOB_DATA, address + bound->offset);
    gpu_job_address(&job, INDICES_PARAMETERS, draw->parameters);
    gpu_job_address(&job, INDICES_COUNT_ADDRESS, draw->count_address);
    uint64_t in_range = bound->size >> shift;
    job.words[INDICES_SHIFT] = shift;
    job.words[INDICES_IN_RANGE] = in_range < UINT32_MAX ? (uint32_t)in_range : UINT32_MAX;
    job.words[INDICES_LIMIT] = vertices;
    job.words[INDICES_RESTART] = restarts(&source);
    job.words[INDICES_RULE] = rule;
    job.words[INDICES_PRIMITIVE] = job.words[INDICES_LEAST] = 1;
    if (!job.words[INDICES_RESTART]) /* else each part between restarts may have some left over */
        primitive_sizes(&source, &job.words[INDICES_PRIMITIVE], &job.words[INDICES_LEAST]);
    job.words[INDICES_DRAWS] = draw->draw_count;
    job.words[INDICES_STRIDE] = draw->stride;
    job.words[INDICES_MOST] = INDICES_OF_A_JOB;
    job.writable |= draw->writable;
    if (draw->parameters)
        job.readers |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    if (draw->parameters)
        gpu_job_run(&job, 0);
    else
        run_direct(&job, draw);
}

/* --- commands --- */

void gpu_before_CmdDrawIndexed_buffers(struct call *call, VkCommandBuffer commandBuffer, uint32_t indexCount,
                                       uint32_t instanceCount, uint32_t firstIndex, int32_t vertexOffset,
                                       uint32_t firstInstance)
{
    if (!instanceCount)
        return;
    gpu_check_indices(call, &(struct gpu_indexed_draw){.index_count = indexCount,
                                                       .instance_count = instanceCount,
                                                       .first_index = firstIndex,
                                                       .vertex_offset = vertexOffset});
}

void gpu_before_CmdDrawMultiIndexedEXT_buffers(struct call *call, VkCommandBuffer commandBuffer, uint32_t drawCount,
                                               const VkMultiDrawIndexedInfoEXT *pIndexInfo, uint32_t instanceCount,
                                               uint32_t firstInstance, uint32_t stride, const int32_t *pVertexOffset)
{
    for (uint32_t i = 0; instanceCount && pIndexInfo && i < drawCount; i++) {
        const VkMultiDrawIndexedInfoEXT *info =
            (const VkMultiDrawIndexedInfoEXT *)((const unsigned char *)pIndexInfo + (size_t)i * stride);
        gpu_check_indices(call, &(struct gpu_indexed_draw){.index_count = info->indexCount,
                                                           .instance_count = instanceCount,
                                                           .first_index = info->firstIndex,
                                                           .vertex_offset =
                                                               pVertexOffset ? *pVertexOffset : info->vertexOffset});
    }
}
