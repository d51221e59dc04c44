/* Checks transform feedback (27.1): its buffers, and where it may begin and end. */
#include "core/draw/draw.h"
#include "core/hooks.h"
#include "report/muting/rows_broken.h"
#include "spirv/module/reflect.h"
#include "state/command/inheritance.h"
#include "state/memory/buffer.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"
#include "state/pipeline/shader.h"

#include "report/finding/rule.h"

#include <inttypes.h>
#include <spirv/unified1/spirv.h>

/* True if transform feedback is active in the command buffer. */
static bool is_active(const struct call *call)
{
    const struct command_buffer_sections *sections = sections_of(call_command_buffer(call));
    return sections && sections->feedback;
}

/* Checks that "This command must not be recorded when transform feedback is active". */
static bool check_inactive(const struct call *call, enum rule rule)
{
    struct subject s = {.call = call};
    REQUIRE(&s, rule, !is_active(call), "commandBuffer",
            "has transform feedback active (vkCmdBeginTransformFeedbackEXT)");
    return s.skip;
}

/* --- binding --- */

/* Checks a buffer that is bound for transform feedback, and its range. */
static void check_bound_buffer(struct subject *s, uint32_t i, const struct buffer *buffer,
                               VkDeviceSize offset, VkDeviceSize size)
{
    assert(buffer);
    REQUIRE(s, RULE_02358, offset < buffer->size, &LOCATION_INDEX(NULL, "pOffsets", i),
            "is %" PRIu64 ", but the buffer has %" PRIu64 " bytes", offset, buffer->size);
    REQUIRE(s, RULE_02364, buffer_is_bound(buffer), &LOCATION_INDEX(NULL, "pBuffers", i),
            "is not bound to memory");
    /* All elements of pOffsets plus the effective size of the element must be less than or equal to
     * the size of the buffer */
    if (size != VK_WHOLE_SIZE && offset < buffer->size)
        REQUIRE(s, RULE_02363, size <= buffer->size - offset, &LOCATION_INDEX(NULL, "pSizes", i),
                "is %" PRIu64 " from offset %" PRIu64 " on, but the buffer has %" PRIu64 " bytes",
                size, offset, buffer->size);
}

bool core_validate_CmdBindTransformFeedbackBuffersEXT(struct call *call,
                                                      VkCommandBuffer commandBuffer,
                                                      uint32_t firstBinding, uint32_t bindingCount,
                                                      const VkBuffer *pBuffers,
                                                      const VkDeviceSize *pOffsets,
                                                      const VkDeviceSize *pSizes)
{
    bool skip = check_inactive(call, RULE_02365);
    for (uint32_t i = 0; i < bindingCount && i < FEEDBACK_BUFFERS; i++) {
        const struct buffer *buffer = find_buffer(call, pBuffers[i]);
        struct subject s = {.call = call, .objects = OBJECT(HANDLE_BUFFER, pBuffers[i])};
        if (buffer)
            check_bound_buffer(&s, i, buffer, pOffsets[i], pSizes ? pSizes[i] : VK_WHOLE_SIZE);
        skip |= s.skip;
    }
    return skip;
}

bool core_validate_CmdBindTransformFeedbackBuffers2EXT(struct call *call,
                                                       VkCommandBuffer commandBuffer,
                                                       uint32_t firstBinding, uint32_t bindingCount,
                                                       const VkBindTransformFeedbackBuffer2InfoEXT
                                                           *pBindingInfos)
{
    return check_inactive(call, RULE_02365);
}

/* --- beginning and ending --- */

/* True if the last stage before rasterization declares the execution mode Xfb, or its code is not
 * known. */
static bool pipeline_captures(const struct pipeline *pipeline)
{
    static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_GEOMETRY_BIT,
                                                   VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                   VK_SHADER_STAGE_VERTEX_BIT};
    for (uint32_t k = 0; k < sizeof(stages) / sizeof(stages[0]); k++) {
        for (uint32_t i = 0; i < pipeline->stage_count; i++) {
            const struct pipeline_stage *stage = &pipeline->stage[i];
            if (stage->stage != stages[k])
                continue;
            const struct spirv_reflection *code = stage->shader ? stage->shader->reflection : NULL;
            return !code || stage->entry_point >= code->entry_count ||
                   spirv_mode_find(code, &code->entries[stage->entry_point], SpvExecutionModeXfb);
        }
    }
    return true;
}

/* Checks that transform feedback can begin here. `first`, `count`: those of the counter buffers. */
static void transform_feedback_check_begin(struct subject *s, uint32_t first, uint32_t count,
                                           const char *count_name)
{
    const struct command_buffer *command_buffer = call_command_buffer(s->call);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    REQUIRE(s, RULE_02367, !is_active(s->call), "commandBuffer",
            "has transform feedback active already");
    if (!command_buffer || !sections || command_buffer_inherits_state(s->call, command_buffer))
        return;
    uint32_t bound = (uint32_t)__builtin_popcount(sections->feedback_buffers);
    if (!s->wrong && !rows_were_broken())
        REQUIRE(s, RULE_09630, (uint64_t)first + count <= bound, count_name,
                "is %u from counter %u on, but %u transform feedback buffers are bound", count,
                first, bound);
    REQUIRE(s, RULE_06233, subject_has(s, FEATURE_shaderObject) || command_buffer->bind[0].pipeline,
            "commandBuffer", "has no graphics pipeline bound");
    const struct pipeline *pipeline = pipeline_by_id(command_buffer->bind[0].pipeline);
    /* Without the feature no shader can have the mode. */
    REQUIRE(s, RULE_04128,
            !pipeline || pipeline_captures(pipeline) || !subject_has(s, FEATURE_transformFeedback),
            "commandBuffer",
            "has a graphics pipeline bound whose last stage before rasterization does not declare "
            "the execution mode Xfb");
    REQUIRE(s, RULE_02373, !rendering || !rendering->view_mask, "commandBuffer",
            "is in a render pass instance with multiview (view mask 0x%x)",
            rendering ? rendering->view_mask : 0);
}

/* The rules about pCounterBuffers and pCounterBufferOffsets, whose numbers differ between the two
 * commands. */
struct counter_rules {
    /* size of the counter; alignment of the offset; usage of the buffer */
    enum rule end, offsets, usage;
};
/* Checks the buffers of 4-byte counters. `buffers` may be NULL; `offsets`, in bytes, may be NULL,
 * which means 0. */
static bool transform_feedback_check_counters(const struct call *call, uint32_t count,
                                              const VkBuffer *buffers, const VkDeviceSize *offsets,
                                              const struct counter_rules *rules)
{
    assert(rules);
    struct subject s = {.call = call};
    REQUIRE(&s, rules->offsets, buffers || !offsets, "pCounterBufferOffsets",
            "is %p, but pCounterBuffers is NULL", (const void *)offsets);
    for (uint32_t i = 0; buffers && i < count && i < FEEDBACK_BUFFERS; i++) {
        const struct buffer *buffer = find_buffer(call, buffers[i]);
        const struct finding_objects *objects = OBJECT(HANDLE_BUFFER, buffers[i]);
        VkDeviceSize offset = offsets ? offsets[i] : 0;
        if (!buffer)
            continue;
        /* ... it must reference a buffer large enough to hold 4 bytes at the corresponding offset
         */
        REQUIRE_OF(&s, objects, rules->end, buffer->size >= 4 && offset <= buffer->size - 4,
                   &LOCATION_INDEX(NULL, "pCounterBuffers", i),
                   "has %" PRIu64 " bytes, but the counter takes 4 from offset %" PRIu64 " on",
                   buffer->size, offset);
        /* ... it must have been created with the
         * VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT usage flag set */
        REQUIRE_OF(&s, objects, rules->usage,
                   buffer->usage & VK_BUFFER_USAGE_2_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT,
                   &LOCATION_INDEX(NULL, "pCounterBuffers", i),
                   "was created without VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT");
    }
    return s.skip;
}

bool core_validate_CmdBeginTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                uint32_t firstCounterBuffer,
                                                uint32_t counterBufferCount,
                                                const VkBuffer *pCounterBuffers,
                                                const VkDeviceSize *pCounterBufferOffsets)
{
    static const struct counter_rules rules = {RULE_02370, RULE_02371, RULE_02372};
    struct subject s = {.call = call};
    transform_feedback_check_begin(&s, firstCounterBuffer, counterBufferCount,
                                   "counterBufferCount");
    return s.skip | transform_feedback_check_counters(call, counterBufferCount, pCounterBuffers,
                                                      pCounterBufferOffsets, &rules);
}

bool core_validate_CmdBeginTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 uint32_t firstCounterRange,
                                                 uint32_t counterRangeCount,
                                                 const VkBindTransformFeedbackBuffer2InfoEXT
                                                     *pCounterInfos)
{
    struct subject s = {.call = call};
    transform_feedback_check_begin(&s, firstCounterRange, counterRangeCount, "counterRangeCount");
    return s.skip;
}

/* Without the feature, 02374 reports the command instead. */
static bool transform_feedback_check_end(const struct call *call)
{
    const struct command_buffer_sections *sections = sections_of(call_command_buffer(call));
    struct subject s = {.call = call};
    REQUIRE(&s, RULE_02375,
            !sections || sections->feedback || !subject_has(&s, FEATURE_transformFeedback),
            "commandBuffer", "has no transform feedback active");
    return s.skip;
}

bool core_validate_CmdEndTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t firstCounterBuffer,
                                              uint32_t counterBufferCount,
                                              const VkBuffer *pCounterBuffers,
                                              const VkDeviceSize *pCounterBufferOffsets)
{
    static const struct counter_rules rules = {RULE_02378, RULE_02379, RULE_02380};
    return transform_feedback_check_end(call) |
           transform_feedback_check_counters(call, counterBufferCount, pCounterBuffers,
                                             pCounterBufferOffsets, &rules);
}

bool core_validate_CmdEndTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstCounterRange,
                                               uint32_t counterRangeCount,
                                               const VkBindTransformFeedbackBuffer2InfoEXT
                                                   *pCounterInfos)
{
    return transform_feedback_check_end(call);
}

/* commands that must not be recorded while transform feedback is active */

bool core_validate_CmdEndRendering_feedback(struct call *call, VkCommandBuffer commandBuffer)
{
    return check_inactive(call, RULE_06781);
}

bool core_validate_CmdEndRendering2KHR_feedback(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    return check_inactive(call, RULE_10612);
}

bool core_validate_CmdNextSubpass_feedback(struct call *call, VkCommandBuffer commandBuffer,
                                           VkSubpassContents contents)
{
    return check_inactive(call, RULE_02349);
}

bool core_validate_CmdNextSubpass2_feedback(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkSubpassBeginInfo *pSubpassBeginInfo,
                                            const VkSubpassEndInfo *pSubpassEndInfo)
{
    return check_inactive(call, RULE_02350);
}

bool core_validate_CmdEndRenderPass_feedback(struct call *call, VkCommandBuffer commandBuffer)
{
    return check_inactive(call, RULE_02351);
}

bool core_validate_CmdEndRenderPass2_feedback(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkSubpassEndInfo *pSubpassEndInfo)
{
    return check_inactive(call, RULE_02352);
}
