/* Tracks sections that recorded commands begin and end, such as conditional rendering, transform
 * feedback and labels. */
#include "state/command/sections.h"
#include "report/finding/reporter.h"
#include "state/hooks.h"
#include "state/submit/queue.h"
#include "state/command/rendering.h"
#include "vk/chain.h"

#include <string.h>

/* The sections of the call's command buffer; NULL: the command buffer is not known, or memory ran
 * out. */
static struct command_buffer_sections *call_sections(const struct call *call)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    return command_buffer ? command_buffer->sections : NULL;
}

void command_buffer_reset_sections(struct command_buffer *command_buffer)
{
    struct command_buffer_sections *sections = command_buffer->sections;
    if (!sections)
        return;
    struct video_scope *video = sections->video;
    memset(sections, 0, sizeof(*sections));
    sections->video = video;
}

/* --- device masks --- */

/* Notes the bound tile memory. NULL unbinds it. Memory that is not known makes the binding unknown,
 * and nothing is reported about it. */
static void set_tile_memory(const struct call *call, struct command_buffer_sections *sections,
                            const VkTileMemoryBindInfoQCOM *info)
{
    const struct object *memory =
        info ? call_find(call, (uint64_t)info->memory, HANDLE_DEVICE_MEMORY) : NULL;
    sections->tile_memory = memory ? atomic_load_explicit(&memory->id, memory_order_relaxed) : 0;
    sections->tile_memory_unknown = info && !memory;
}

/* "For secondary command buffers executing within a render pass instance, the active bound tile
 * memory object is provided with this structure" of VkCommandBufferInheritanceInfo. */
static void note_inherited_tile_memory(const struct call *call,
                                       const struct command_buffer *command_buffer,
                                       const VkCommandBufferBeginInfo *info)
{
    if (unlikely(device_has_feature(call->device, FEATURE_tileMemoryHeap) &&
                 command_buffer->scope & SCOPE_SECONDARY && info->pInheritanceInfo &&
                 !pointer_is_bad(info->pInheritanceInfo)))
        set_tile_memory(call, command_buffer->sections,
                        chain_find(info->pInheritanceInfo->pNext,
                                   VK_STRUCTURE_TYPE_TILE_MEMORY_BIND_INFO_QCOM));
}

void sections_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                              const VkCommandBufferBeginInfo *info)
{
    struct command_buffer_sections *sections = command_buffer->sections;
    const struct device_state *state = object_load_state(call->device->object);
    const VkDeviceGroupCommandBufferBeginInfo *group =
        info->pNext
            ? chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO)
            : NULL;
    if (!sections)
        return;
    note_inherited_tile_memory(call, command_buffer, info);
    sections->initial_mask = group ? group->deviceMask : state ? state->device_mask : 0;
    sections->device_mask = sections->initial_mask;
}

void state_after_CmdSetDeviceMask(struct call *call, VkCommandBuffer commandBuffer,
                                  uint32_t deviceMask)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        sections->device_mask = deviceMask;
}

/* The device mask is unknown now, as the specification does not say which one applies after the
 * instance. */
void sections_begin_masked_instance(struct command_buffer *command_buffer)
{
    if (command_buffer->sections)
        command_buffer->sections->device_mask = 0;
}

/* --- tile memory --- */

void state_after_CmdBindTileMemoryQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkTileMemoryBindInfoQCOM *pTileMemoryBindInfo)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    set_tile_memory(call, sections, pTileMemoryBindInfo);
    for (uint32_t point = 0; point < BIND_POINTS; point++)
        command_buffer->dirty[point] |= DIRTY_SETS;
}

/* --- video coding, per-tile execution, shader instrumentation --- */

void state_after_CmdBeginVideoCodingKHR_section(struct call *call, VkCommandBuffer commandBuffer,
                                                const VkVideoBeginCodingInfoKHR *pBeginInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    struct object *session =
        call_find(call, (uint64_t)pBeginInfo->videoSession, HANDLE_VIDEO_SESSION_KHR);
    if (!sections)
        return;
    sections->video_coding = true;
    sections->video_session =
        session ? atomic_load_explicit(&session->id, memory_order_relaxed) : 0;
}

void state_after_CmdEndVideoCodingKHR_section(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkVideoEndCodingInfoKHR *pEndCodingInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    sections->video_coding = false;
    sections->video_session = 0;
}

/* Notes that commands are executed per tile, which changes the rules for draws and dispatches. */
static void set_per_tile(const struct call *call, struct command_buffer_sections *sections,
                         bool per_tile)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    sections->per_tile = per_tile;
    command_buffer->dirty[0] |= DIRTY_RENDER_PASS;
    command_buffer->dirty[1] |= DIRTY_RENDER_PASS;
}

void state_after_CmdBeginPerTileExecutionQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                              const VkPerTileBeginInfoQCOM *pPerTileBeginInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        set_per_tile(call, sections, true);
}

void state_after_CmdEndPerTileExecutionQCOM(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkPerTileEndInfoQCOM *pPerTileEndInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        set_per_tile(call, sections, false);
}

void state_after_CmdBeginShaderInstrumentationARM(struct call *call, VkCommandBuffer commandBuffer,
                                                  VkShaderInstrumentationARM instrumentation)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        sections->instrumented = true;
}

void state_after_CmdEndShaderInstrumentationARM(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        sections->instrumented = false;
}

/* --- stripes of VK_ARM_render_pass_striped --- */

/* Counts the stripes of a render pass instance. An instance that resumes another does not add
 * any. */
static void begin_striped(const struct call *call, const void *chain, bool resumes)
{
    const VkRenderPassStripeBeginInfoARM *info =
        chain ? chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_STRIPE_BEGIN_INFO_ARM) : NULL;
    struct command_buffer_sections *sections = call_sections(call);
    if (likely(!info) || !sections || resumes)
        return;
    sections->striped = true;
    sections->stripes += info->stripeInfoCount;
}

void state_after_CmdBeginRendering_stripes(struct call *call, VkCommandBuffer commandBuffer,
                                           const VkRenderingInfo *pRenderingInfo)
{
    begin_striped(call, pRenderingInfo->pNext, pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT);
}

void state_after_CmdBeginRenderPass_stripes(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkRenderPassBeginInfo *pRenderPassBegin,
                                            VkSubpassContents contents)
{
    begin_striped(call, pRenderPassBegin->pNext, false);
}

void state_after_CmdBeginRenderPass2_stripes(struct call *call, VkCommandBuffer commandBuffer,
                                             const VkRenderPassBeginInfo *pRenderPassBegin,
                                             const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    begin_striped(call, pRenderPassBegin->pNext, false);
}

/* --- conditional rendering --- */

/* Notes where conditional rendering begins, as it must end in the same render pass instance and
 * subpass. */
static void begin_conditional(const struct call *call)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    sections->conditional = true;
    sections->conditional_in_render_pass = (command_buffer->scope & SCOPE_INSIDE_RENDER_PASS) != 0;
    sections->conditional_subpass =
        command_buffer->rendering ? command_buffer->rendering->subpass : 0;
}

void state_after_CmdBeginConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer,
                                                 const VkConditionalRenderingBeginInfoEXT
                                                     *pConditionalRenderingBegin)
{
    begin_conditional(call);
    struct command_buffer *command_buffer = call_command_buffer(call);
    if (command_buffer)
        command_buffer_uses(command_buffer,
                            call_find(call, (uint64_t)pConditionalRenderingBegin->buffer,
                                      HANDLE_BUFFER));
}

void state_after_CmdBeginConditionalRendering2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                                  const VkConditionalRenderingBeginInfo2EXT
                                                      *pConditionalRenderingBegin)
{
    begin_conditional(call);
}

void state_after_CmdEndConditionalRenderingEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        sections->conditional = false;
}

/* --- transform feedback --- */

/* Notes the bound transform feedback buffers, a bit each. */
static void bind_feedback(const struct call *call, uint32_t first, uint32_t count)
{
    struct command_buffer_sections *sections = call_sections(call);
    for (uint32_t i = 0;
         sections && i < count && first < FEEDBACK_BUFFERS && i < FEEDBACK_BUFFERS - first; i++)
        sections->feedback_buffers |= 1u << (first + i);
}

/* Notes that the command buffer uses the buffers. VK_NULL_HANDLE is left out. */
static void use_buffers(const struct call *call, uint32_t count, const VkBuffer *buffers)
{
    struct command_buffer *command_buffer = call_command_buffer(call);
    for (uint32_t i = 0; command_buffer && buffers && i < count; i++) {
        if (buffers[i])
            command_buffer_uses(command_buffer,
                                call_find(call, (uint64_t)buffers[i], HANDLE_BUFFER));
    }
}

/* Notes whether transform feedback is active. */
static void set_feedback(const struct call *call, bool active)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections)
        sections->feedback = active;
}

void state_after_CmdBindTransformFeedbackBuffersEXT(struct call *call,
                                                    VkCommandBuffer commandBuffer,
                                                    uint32_t firstBinding, uint32_t bindingCount,
                                                    const VkBuffer *pBuffers,
                                                    const VkDeviceSize *pOffsets,
                                                    const VkDeviceSize *pSizes)
{
    bind_feedback(call, firstBinding, bindingCount);
    use_buffers(call, bindingCount, pBuffers);
}

void state_after_CmdBindTransformFeedbackBuffers2EXT(struct call *call,
                                                     VkCommandBuffer commandBuffer,
                                                     uint32_t firstBinding, uint32_t bindingCount,
                                                     const VkBindTransformFeedbackBuffer2InfoEXT
                                                         *pBindingInfos)
{
    bind_feedback(call, firstBinding, bindingCount);
}

void state_after_CmdBeginTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                              uint32_t firstCounterBuffer,
                                              uint32_t counterBufferCount,
                                              const VkBuffer *pCounterBuffers,
                                              const VkDeviceSize *pCounterBufferOffsets)
{
    set_feedback(call, true);
    use_buffers(call, counterBufferCount, pCounterBuffers);
}

void state_after_CmdBeginTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                               uint32_t firstCounterRange,
                                               uint32_t counterRangeCount,
                                               const VkBindTransformFeedbackBuffer2InfoEXT
                                                   *pCounterInfos)
{
    set_feedback(call, true);
}

void state_after_CmdEndTransformFeedbackEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            uint32_t firstCounterBuffer,
                                            uint32_t counterBufferCount,
                                            const VkBuffer *pCounterBuffers,
                                            const VkDeviceSize *pCounterBufferOffsets)
{
    set_feedback(call, false);
    use_buffers(call, counterBufferCount, pCounterBuffers);
}

void state_after_CmdEndTransformFeedback2EXT(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t firstCounterRange, uint32_t counterRangeCount,
                                             const VkBindTransformFeedbackBuffer2InfoEXT
                                                 *pCounterInfos)
{
    set_feedback(call, false);
}

/* --- labels and markers --- */

/* Ends a label. If the command buffer has not begun it, it is counted as unmatched. */
static void end_label(struct label_balance *balance)
{
    if (balance->open)
        balance->open--;
    else
        balance->unmatched++;
}

/* Adds the labels of `next`, which comes after `balance`. */
static void append_labels(struct label_balance *balance, const struct label_balance *next)
{
    assert(balance && next);
    uint32_t ended = next->unmatched < balance->open ? next->unmatched : balance->open;
    balance->open = balance->open - ended + next->open;
    balance->unmatched += next->unmatched - ended;
}

struct label_balance labels_after(uint32_t open, const struct label_balance *balance)
{
    struct label_balance after = {.open = open};
    append_labels(&after, balance);
    return after;
}

void sections_forget_submission(const struct command_buffer *command_buffer)
{
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    if (sections && sections->submitted)
        sections->submitted(sections, NULL);
}

void sections_submit(struct queue *queue, const struct command_buffer *command_buffer, bool ahead)
{
    assert(command_buffer);
    const struct command_buffer_sections *sections = command_buffer->sections;
    if (!sections)
        return;
    if (unlikely(sections->submitted))
        sections->submitted(sections, ahead ? NULL : queue);
    if (unlikely(!queue))
        return;
    const struct label_balance *labels = &sections->labels, *markers = &sections->markers;
    /* Balanced labels, the usual case, leave the queue's count as it is. */
    if (unlikely(labels->open | labels->unmatched)) {
        uint32_t open = atomic_load_explicit(&queue->command_labels, memory_order_relaxed);
        atomic_store_explicit(&queue->command_labels, labels_after(open, labels).open,
                              memory_order_relaxed);
    }
    if (unlikely(markers->open | markers->unmatched)) {
        uint32_t open = atomic_load_explicit(&queue->markers, memory_order_relaxed);
        atomic_store_explicit(&queue->markers, labels_after(open, markers).open,
                              memory_order_relaxed);
    }
}

/* Notes whether an open label is muted. The reporter already knows the label that was just begun,
 * and no longer the one that was just ended (chassis/debug.c). */
static void look_for_muting(const struct call *call, struct command_buffer_sections *sections)
{
    sections->muted = reporter_is_label_muted(call->instance->reporter, call->object);
}

void state_after_CmdBeginDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer,
                                            const VkDebugUtilsLabelEXT *pLabelInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    sections->labels.open++;
    look_for_muting(call, sections);
}

void state_after_CmdEndDebugUtilsLabelEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    end_label(&sections->labels);
    look_for_muting(call, sections);
}

void state_after_CmdDebugMarkerBeginEXT(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkDebugMarkerMarkerInfoEXT *pMarkerInfo)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    sections->markers.open++;
    look_for_muting(call, sections);
}

void state_after_CmdDebugMarkerEndEXT(struct call *call, VkCommandBuffer commandBuffer)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (!sections)
        return;
    end_label(&sections->markers);
    look_for_muting(call, sections);
}

void state_after_QueueBeginDebugUtilsLabelEXT(struct call *call, VkQueue queue,
                                              const VkDebugUtilsLabelEXT *pLabelInfo)
{
    struct queue *state = object_load_state(call->object);
    if (state)
        atomic_fetch_add_explicit(&state->queue_labels, 1, memory_order_relaxed);
}

void state_after_QueueEndDebugUtilsLabelEXT(struct call *call, VkQueue queue)
{
    struct queue *state = object_load_state(call->object);
    if (state && atomic_load_explicit(&state->queue_labels, memory_order_relaxed))
        atomic_fetch_sub_explicit(&state->queue_labels, 1, memory_order_relaxed);
}

/* --- secondaries --- */

void state_after_CmdExecuteCommands_sections(struct call *call, VkCommandBuffer commandBuffer,
                                             uint32_t commandBufferCount,
                                             const VkCommandBuffer *pCommandBuffers)
{
    struct command_buffer_sections *sections = call_sections(call);
    if (sections && !device_has_feature(call->device, FEATURE_commandBufferInheritance))
        /* Without commandBufferInheritance, state is undefined after secondaries. */
        sections->feedback_buffers = 0;
    if (sections && device_has_feature(call->device, FEATURE_tileMemoryHeap))
        sections->tile_memory_unknown = true;
    for (uint32_t i = 0; sections && i < commandBufferCount; i++) {
        const struct command_buffer_sections *executed =
            sections_of(find_command_buffer(pCommandBuffers[i]));
        /* The number of levels of secondaries below this command buffer. */
        uint32_t nesting = executed ? executed->nesting + 1 : 1;
        if (nesting > sections->nesting)
            sections->nesting = nesting;
        if (!executed)
            continue;
        append_labels(&sections->labels, &executed->labels);
        append_labels(&sections->markers, &executed->markers);
        sections->stripes_unknown |= executed->striped || executed->stripes_unknown;
    }
}
