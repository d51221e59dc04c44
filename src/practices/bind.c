/* Counts what a command buffer binds and draws, and judges that when a render pass instance or the
 * recording ends. */
#include "practices/areas.h"

#include <stddef.h>
#include <string.h>

#include "practices/advise.h"
#include "practices/hooks.h"
#include "practices/indices.h"
#include "practices/passes.h"
#include "state/memory/formats.h"
#include "state/command/rendering.h"

/* Each number is far more than programs reach without a reason. */
#define MANY_SWITCHES    32
#define MANY_CHANGES     256 /* between BOUND_PIPELINES pipelines at most */
#define MANY_SMALL_DRAWS 64
#define MANY_BARRIERS    500
#define MANY_DEPTH_DRAWS 20
#define MANY_ZCULL_DRAWS 32
/* Consecutive recordings that were each submitted once. */
#define SINGLE_SUBMITS 3

/* --- recordings --- */

/* Advises to use the one-time submit flag. `count`: consecutive recordings that were submitted only
 * once. */
static COLD void judge_submits(const struct call *call, VkCommandBufferUsageFlags flags,
                               uint32_t count)
{
    const struct location where = LOCATION(&LOCATION_POINTER(NULL, "pBeginInfo"), "flags");
    /* once, if the settings ask for both vendors' advice */
    advise(call,
           practices_want(call, PRACTICE_ARM)
               ? BestPractices_Arm_vkBeginCommandBuffer_one_time_submit
               : BestPractices_NVIDIA_vkBeginCommandBuffer_one_time_submit,
           &where, NULL,
           "is %s, and the last %u recordings of the command buffer were submitted once each",
           TEXT_OF(VkCommandBufferUsageFlags, flags), count);
}

/* Resets the counts of the last recording. The number of recordings in a row that were each
 * submitted once is kept. */
void practices_after_BeginCommandBuffer(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkCommandBufferBeginInfo *pBeginInfo)
{
    static _Atomic uint32_t recordings;
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (!kept)
        return;
    const bool one_time = pBeginInfo->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    const uint32_t submits = atomic_load_explicit(&kept->submits, memory_order_relaxed);
    const uint32_t single = submits == 1 && !kept->one_time ? kept->single_submits + 1 : 0;
    /* Up to the list, whose length is 0 now. */
    memset(kept, 0, offsetof(struct practices_of_command_buffer, pipelines));
    kept->recording = practices_count(&recordings);
    kept->single_submits = single;
    kept->one_time = one_time;
    kept->least_indices = practices_want(call, PRACTICE_ARM) ? FEW_INDICES : UINT32_MAX;
    if (unlikely(single >= SINGLE_SUBMITS) && !one_time)
        judge_submits(call, pBeginInfo->flags, single);
}

/* --- what a pipeline is --- */

/* True if some color attachment is written, according to the pipeline's static state. */
static bool pipeline_writes_color(const struct pipeline *pipeline)
{
    for (uint32_t i = 0; i < pipeline->blend_count && i < PIPELINE_COLORS; i++) {
        if (pipeline->blends[i].colorWriteMask && !(pipeline->color_writes_disabled >> i & 1))
            return true;
    }
    return false;
}

/* True if the depth state is static, and depth is tested. */
static bool is_decided(const struct pipeline *pipeline)
{
    static const enum dynamic_state states[] = {
        DYNAMIC_DEPTH_TEST_ENABLE,      DYNAMIC_DEPTH_WRITE_ENABLE,
        DYNAMIC_DEPTH_COMPARE_OP,       DYNAMIC_COLOR_WRITE_ENABLE_EXT,
        DYNAMIC_COLOR_WRITE_MASK_EXT,   DYNAMIC_RASTERIZER_DISCARD_ENABLE,
        DYNAMIC_COLOR_BLEND_ENABLE_EXT,
    };
    for (size_t i = 0; i < ARRAY_LENGTH(states); i++) {
        if (pipeline_is_dynamic(pipeline, states[i]))
            return false;
    }
    return pipeline->has_rasterization && !pipeline->rasterization.rasterizerDiscardEnable &&
           pipeline->has_depth_stencil && pipeline->depth_stencil.depthTestEnable;
}

/* How the pipeline uses depth (enum pipeline_class). */
static uint32_t pipeline_class_of(const struct pipeline *pipeline)
{
    uint32_t result = PIPELINE_OTHER;
    if (!is_decided(pipeline))
        return result;
    switch (pipeline->depth_stencil.depthCompareOp) {
    case VK_COMPARE_OP_LESS:
    case VK_COMPARE_OP_LESS_OR_EQUAL:
        result = PIPELINE_LESS;
        break;
    case VK_COMPARE_OP_GREATER:
    case VK_COMPARE_OP_GREATER_OR_EQUAL:
        result = PIPELINE_GREATER;
        break;
    case VK_COMPARE_OP_EQUAL:
        /* The second half of a depth pre-pass only reads. */
        result = pipeline->depth_stencil.depthWriteEnable ? PIPELINE_OTHER : PIPELINE_EQUAL;
        break;
    default:
        break;
    }
    if (pipeline->depth_stencil.depthWriteEnable && !pipeline_writes_color(pipeline) &&
        (result == PIPELINE_LESS || result == PIPELINE_GREATER))
        result += PIPELINE_DEPTH_ONLY;
    return result;
}

/* Stages that GPUs switch on and off at a cost. */
#define GEOMETRY_STAGES                                                                       \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | \
     VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT)

/* The traits of a pipeline, as PIPELINE_ bits. They are found once for each pipeline, by the first
 * thread. */
static uint64_t traits_of(const struct pipeline *pipeline)
{
    _Atomic uint64_t *kept = &practices_in_pipeline(pipeline)->traits;
    uint64_t traits = atomic_load_explicit(kept, memory_order_relaxed);
    if (likely(traits))
        return traits;
    traits = PIPELINE_KNOWN | pipeline_class_of(pipeline) |
             (pipeline->stages & GEOMETRY_STAGES ? PIPELINE_GEOMETRY : 0);
    atomic_store_explicit(kept, traits, memory_order_relaxed);
    return traits;
}

/* --- binds --- */

/* Counts different pipelines. More than BOUND_PIPELINES are not distinguished. */
static void note_pipeline(struct practices_of_command_buffer *kept, uint64_t id)
{
    for (uint32_t i = 0; i < kept->pipeline_count && i < BOUND_PIPELINES; i++) {
        if (kept->pipelines[i] == id)
            return;
    }
    if (kept->pipeline_count < BOUND_PIPELINES)
        kept->pipelines[kept->pipeline_count] = id;
    if (kept->pipeline_count <= BOUND_PIPELINES)
        kept->pipeline_count++;
}

void practices_after_CmdBindPipeline(struct call *call, VkCommandBuffer commandBuffer,
                                     VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (pipelineBindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS || !kept)
        return;
    const uint64_t id = call_command_buffer(call)->bind[0].pipeline;
    if (id == kept->bound_id)
        return;
    const struct pipeline *bound = pipeline_by_id(id);
    const uint64_t traits = bound ? traits_of(bound) : 0;
    /* The first pipeline of a command buffer is not a switch. */
    const bool has_geometry = (traits & PIPELINE_GEOMETRY) != 0;
    kept->stage_switches += kept->bound_id && has_geometry != kept->has_geometry;
    kept->pipeline_changes++;
    kept->has_geometry = has_geometry;
    kept->bound = traits & PIPELINE_CLASS;
    kept->bound_id = id;
    note_pipeline(kept, id);
}

/* Shader objects replace the pipeline: the use of depth is not known. */
void practices_after_CmdBindShadersEXT(struct call *call, VkCommandBuffer commandBuffer,
                                       uint32_t stageCount, const VkShaderStageFlagBits *pStages,
                                       const VkShaderEXT *pShaders)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (!kept)
        return;
    kept->bound = PIPELINE_OTHER;
    kept->bound_id = 0;
}

/* --- ends --- */

/* True if some subpass has an attachment with depth. */
static bool pass_has_depth(const struct render_pass *pass)
{
    for (uint32_t i = 0; pass && i < pass->subpass_count; i++) {
        const uint32_t index = pass->subpasses[i].depth_stencil.attachment;
        if (index < pass->attachment_count &&
            format_has_depth(pass->attachments[index].description.format))
            return true;
    }
    return false;
}

/* True if the render pass instance tests depth. Without a depth attachment there is no test,
 * whatever the pipelines' state is. */
static bool has_depth(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    return rendering && (rendering->kind == RENDERING_DYNAMIC
                             ? rendering->depth.view != 0
                             : pass_has_depth(active_render_pass(command_buffer)));
}

void practices_pass_ends(const struct call *call)
{
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    /* After a clear of depth, draws before and after it are independent. */
    if (!kept || practices_instance_draws(kept) <= MANY_DEPTH_DRAWS || kept->depth_cleared ||
        !has_depth(call_command_buffer(call)))
        return;
    const uint32_t *draws = kept->class_draws;
    const uint32_t depth_only = draws[PIPELINE_DEPTH_ONLY + PIPELINE_LESS] +
                                draws[PIPELINE_DEPTH_ONLY + PIPELINE_GREATER],
                   equal = draws[PIPELINE_EQUAL],
                   less = draws[PIPELINE_LESS] + draws[PIPELINE_DEPTH_ONLY + PIPELINE_LESS],
                   greater =
                       draws[PIPELINE_GREATER] + draws[PIPELINE_DEPTH_ONLY + PIPELINE_GREATER];
    if (unlikely(depth_only > MANY_DEPTH_DRAWS && equal > MANY_DEPTH_DRAWS))
        advise(call, BestPractices_vkCmdEndRenderPass_depth_pre_pass_usage, NULL, NULL,
               "ends a render pass instance with %u draws that write depth alone, and %u that test "
               "it for equality",
               depth_only, equal);
    if (unlikely(less > MANY_ZCULL_DRAWS && greater > MANY_ZCULL_DRAWS))
        advise(call, BestPractices_NVIDIA_Zcull_LessGreaterRatio, NULL, NULL,
               "ends a render pass instance with %u draws that test depth for less, and %u for "
               "greater",
               less, greater);
}

void practices_after_EndCommandBuffer(struct call *call, VkCommandBuffer commandBuffer)
{
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (!kept)
        return;
    const uint32_t draws = kept->draws + practices_instance_draws(kept);
    /* They must be many both in number and in proportion: a large frame usually has some small
     * draws. */
    if (kept->small_draws > MANY_SMALL_DRAWS && kept->small_draws > draws / 2)
        advise(call, BestPractices_vkCmdDrawIndexed_many_small_indexed_drawcalls, NULL, NULL,
               "ends a command buffer with %u draws, of which %u have fewer than 10 indices", draws,
               kept->small_draws);
    if (kept->pipeline_changes > MANY_CHANGES && kept->pipeline_count <= BOUND_PIPELINES)
        advise(call, BestPractices_Pipeline_SortAndBind, NULL, NULL,
               "ends a command buffer that changes its graphics pipeline %u times, and has %u",
               kept->pipeline_changes, kept->pipeline_count);
    if (kept->stage_switches > MANY_SWITCHES)
        advise(call, BestPractices_NVIDIA_BindPipeline_SwitchTessGeometryMesh, NULL, NULL,
               "ends a command buffer that switches tessellation, geometry or mesh shaders on or "
               "off %u times",
               kept->stage_switches);
    const uint32_t actions = practices_actions(kept) + kept->buffer_actions;
    if (kept->barriers > MANY_BARRIERS && kept->barriers > actions)
        advise(call, BestPractices_AMD_CmdBuffer_highBarrierCount, NULL, NULL,
               "ends a command buffer with %u barriers and %u commands that act", kept->barriers,
               actions);
}
