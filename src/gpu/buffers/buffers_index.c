/* Checks that the indices of indexed draws refer to vertices in the vertex buffers (23
 * "Fixed-Function Vertex Processing"). */
#include "gpu/buffers/buffers.h"

#include "gpu/hooks.h"
#include "gpu/command/vertices.h"
#include "state/dynamic_values.h"
#include "vk/index_type.h"

/* The most indices that one dispatch checks; more are split. */
#define INDICES_OF_A_JOB (1u << 16)
/* The most jobs for one draw's indices. */
#define INDICES_JOBS 64

/* True if out-of-bounds vertex fetches are defined on this device: with robustBufferAccess, or in a
 * robust pipeline, fetched attributes need not lie in their buffer. */
static bool is_robust(const struct device *device)
{
    return device_has_feature(device, FEATURE_robustBufferAccess) ||
           device_has_feature(device, FEATURE_pipelineRobustness);
}

/* True if the largest index restarts the primitive instead of naming a vertex. Unknown dynamic
 * state counts as true, so that the index is not reported. */
static bool vertex_source_restarts(const struct vertex_source *source)
{
    return current_primitive_restart_enable(source->pipeline, source->command_buffer, true);
}

/* Finds the number of indices that make a further primitive (`size`), and that make the first one
 * (`least`). Vertices that are in no primitive are not fetched. */
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
    VkPrimitiveTopology topology = current_primitive_topology(pipeline, source->command_buffer,
                                                              VK_PRIMITIVE_TOPOLOGY_MAX_ENUM);
    /* The topology is not known: each index counts. */
    *size = *least = 1;
    if (topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST &&
        !draw_state_is_dynamic(pipeline, DYNAMIC_PATCH_CONTROL_POINTS_EXT) &&
        pipeline->patch_control_points)
        *size = *least = pipeline->patch_control_points;
    else if ((uint32_t)topology < ARRAY_LENGTH(sizes)) {
        *size = sizes[topology][0];
        *least = sizes[topology][1];
    }
}

/* The base-2 logarithm of an index's bytes. Returns false if the layer does not know the type. */
static bool index_shift(VkIndexType type, uint32_t *shift)
{
    uint32_t size = index_size(type);
    *shift = size / 2; /* 1, 2 or 4 bytes */
    return size != 0;
}

/* Runs jobs for the indices of a direct draw, INDICES_OF_A_JOB each. Returns true if all indices
 * are checked; false if they are more than INDICES_JOBS jobs can take. */
static bool run_direct(struct gpu_job *job, const struct gpu_indexed_draw *draw)
{
    uint32_t left = draw->index_count - draw->index_count % job->words[INDICES_PRIMITIVE];
    if (left < job->words[INDICES_LEAST])
        return true;
    /* a part of the indices may end within a primitive */
    job->words[INDICES_PRIMITIVE] = job->words[INDICES_LEAST] = 1;
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
    return !left;
}

/* Fills in the words that do not depend on the draw. Counts of indices are clamped to 32 bits,
 * since no draw reads more. */
static void index_job_fill(struct gpu_job *job, const struct vertex_source *source,
                           const struct gpu_vertex_limit *limit, uint32_t shift)
{
    const uint64_t in_range = source->command_buffer->index_buffer.size >> shift;
    job->words[INDICES_SHIFT] = shift;
    job->words[INDICES_IN_RANGE] = in_range < UINT32_MAX ? (uint32_t)in_range : UINT32_MAX;
    job->words[INDICES_LIMIT] = limit->limit;
    job->words[INDICES_RESTART] = vertex_source_restarts(source);
    job->words[INDICES_RULE] =
        BUFFER_RULE_INDEX | limit->place >> 16 << 8 | (limit->place & 0xff) << 16;
    job->words[INDICES_PRIMITIVE] = job->words[INDICES_LEAST] = 1;
    /* with restarts, each part between two restarts may have indices left over */
    if (!job->words[INDICES_RESTART])
        primitive_sizes(source, &job->words[INDICES_PRIMITIVE], &job->words[INDICES_LEAST]);
    job->words[INDICES_MOST] = INDICES_OF_A_JOB;
}

bool gpu_check_indices(struct call *call, const struct gpu_indexed_draw *draw)
{
    const struct settings *settings = &call->instance->settings;
    struct gpu_job job;
    struct vertex_source source;
    struct gpu_vertex_limit limits[2];
    uint32_t shift;
    if (is_robust(call->device) ||
        !gpu_job_begin(&job, call, settings->gpuav_index_buffers, GPU_JOB_INDICES,
                       VK_PIPELINE_STAGE_VERTEX_INPUT_BIT))
        return false;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct bound_buffer *bound = &command_buffer->index_buffer;
    /* gpuav_max_indices_count limits how many commands of a recording are checked, as each costs a
     * dispatch. */
    if (!bound->buffer || !index_shift(command_buffer->index_type, &shift) ||
        !vertex_source_find(command_buffer, &source) ||
        gpu_command_index(job.commands) >= settings->gpuav_max_indices_count)
        return false;
    vertex_limits(&source, false, 0, limits);
    VkDeviceAddress address = gpu_job_buffer(&job, buffer_by_id(bound->buffer), 0, bound->offset);
    if (limits[0].limit == UINT32_MAX || !address)
        return false;
    gpu_job_address(&job, JOB_DATA, address + bound->offset);
    gpu_job_address(&job, INDICES_PARAMETERS, draw->parameters);
    gpu_job_address(&job, INDICES_COUNT_ADDRESS, draw->count_address);
    index_job_fill(&job, &source, &limits[0], shift);
    job.words[INDICES_DRAWS] = draw->draw_count;
    job.words[INDICES_STRIDE] = draw->stride;
    job.writable |= draw->writable;
    /* the index buffer is not checked after a barrier inside of a render pass instance if shaders
     * may write it */
    /* A direct draw's counts are known now. True: the vertex shader need not check these
     * indices. */
    if (!draw->parameters)
        return run_direct(&job, draw) &&
               !(job.writable && command_buffer->scope & SCOPE_INSIDE_RENDER_PASS);
    job.readers |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    gpu_job_run(&job, 0);
    return false;
}

/* Notes whether all indices of this draw are checked, so that its vertex shader does not report the
 * same ones again. */
static void note_seen(struct call *call, bool seen)
{
    struct gpu_command_buffer *commands = gpu_call_commands(call);
    if (commands)
        commands->indices_seen = seen;
}

/* --- commands --- */

void gpu_before_CmdDrawIndexed_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t indexCount, uint32_t instanceCount,
                                       uint32_t firstIndex, int32_t vertexOffset,
                                       uint32_t firstInstance)
{
    if (!instanceCount)
        return;
    note_seen(call,
              gpu_check_indices(call, &(struct gpu_indexed_draw){.index_count = indexCount,
                                                                 .instance_count = instanceCount,
                                                                 .first_index = firstIndex,
                                                                 .vertex_offset = vertexOffset}));
}

void gpu_before_CmdDrawMultiIndexedEXT_buffers(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t drawCount,
                                               const VkMultiDrawIndexedInfoEXT *pIndexInfo,
                                               uint32_t instanceCount, uint32_t firstInstance,
                                               uint32_t stride, const int32_t *pVertexOffset)
{
    /* If the indices of one draw are not all checked, the vertex shader checks all draws, which it
     * cannot distinguish. */
    bool seen = true;
    for (uint32_t i = 0; instanceCount && pIndexInfo && i < drawCount; i++) {
        const VkMultiDrawIndexedInfoEXT *info =
            (const VkMultiDrawIndexedInfoEXT *)((const unsigned char *)pIndexInfo +
                                                (size_t)i * stride);
        seen &= gpu_check_indices(call, &(struct gpu_indexed_draw){
                                            .index_count = info->indexCount,
                                            .instance_count = instanceCount,
                                            .first_index = info->firstIndex,
                                            .vertex_offset = pVertexOffset ? *pVertexOffset
                                                                           : info->vertexOffset});
    }
    note_seen(call, seen);
}
