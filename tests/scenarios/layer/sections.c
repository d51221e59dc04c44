/* Sections that are begun must be ended: conditional rendering, transform feedback, debug labels
 * and markers. */
#include "scenario.h"

#include "shader_capture.h"

/* --- conditional rendering -------------------------------------------------------------------- */

static const VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
    .conditionalRendering = VK_TRUE};
#define CONDITIONAL                                   \
    .drivers = NULL_DRIVER, .features = &conditional, \
    .extensions = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME}

static void begin_condition_of(struct baseline *b, VkCommandBuffer command_buffer, VkBuffer buffer,
                               VkDeviceSize offset)
{
    VkConditionalRenderingBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = buffer,
        .offset = offset};
    DEVICE_PROC(b, vkCmdBeginConditionalRenderingEXT)(command_buffer, &info);
}

static void begin_any_condition(struct baseline *b, VkCommandBuffer command_buffer)
{
    begin_condition_of(b, command_buffer,
                       make_buffer(b, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT), 60);
}

static void end_condition(struct baseline *b, VkCommandBuffer command_buffer)
{
    DEVICE_PROC(b, vkCmdEndConditionalRenderingEXT)(command_buffer);
}

SCENARIO(condition, CONDITIONAL)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_any_condition(b, command_buffer);
    begin_rendering(b, command_buffer);
    vkCmdEndRenderPass(command_buffer);
    end_condition(b, command_buffer);
    begin_rendering(b, command_buffer);
    begin_any_condition(b, command_buffer);
    end_condition(b, command_buffer);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(condition_twice, CONDITIONAL,
         .expect = {"VUID-vkCmdBeginConditionalRenderingEXT-None-01980"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_any_condition(b, command_buffer);
    begin_any_condition(b, command_buffer);
}

SCENARIO(condition_without_memory, CONDITIONAL,
         .expect = {"VUID-VkConditionalRenderingBeginInfoEXT-buffer-01981"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
    begin_condition_of(b, make_recording(b), create_buffer(b, &info), 0);
}

SCENARIO(condition_without_usage, CONDITIONAL,
         .expect = {"VUID-VkConditionalRenderingBeginInfoEXT-buffer-01982"})
{
    begin_condition_of(b, make_recording(b), make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                       0);
}

SCENARIO(condition_behind_the_end, CONDITIONAL,
         .expect = {"VUID-VkConditionalRenderingBeginInfoEXT-offset-01983"},
         .text = {"pConditionalRenderingBegin->offset is 64, but the buffer has 64 bytes"})
{
    begin_condition_of(b, make_recording(b),
                       make_buffer(b, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT), 64);
}

SCENARIO(condition_at_odd_offset, CONDITIONAL,
         .expect = {"VUID-VkConditionalRenderingBeginInfoEXT-offset-01984"})
{
    begin_condition_of(b, make_recording(b),
                       make_buffer(b, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT), 2);
}

SCENARIO(condition_end_only, CONDITIONAL,
         .expect = {"VUID-vkCmdEndConditionalRenderingEXT-None-01985"})
{
    end_condition(b, make_recording(b));
}

SCENARIO(condition_ended_inside, CONDITIONAL,
         .expect = {"VUID-vkCmdEndConditionalRenderingEXT-None-01986"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_any_condition(b, command_buffer);
    begin_rendering(b, command_buffer);
    end_condition(b, command_buffer);
}

SCENARIO(condition_ended_outside, CONDITIONAL,
         .expect = {"VUID-vkCmdEndConditionalRenderingEXT-None-01987"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    begin_any_condition(b, command_buffer);
    vkCmdEndRenderPass(command_buffer);
    end_condition(b, command_buffer);
}

SCENARIO(condition_not_ended, CONDITIONAL, .expect = {"VUID-vkEndCommandBuffer-None-01978"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_any_condition(b, command_buffer);
    vkEndCommandBuffer(command_buffer);
}

/* --- transform feedback ----------------------------------------------------------------------- */

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE};
#define WITHOUT_FEEDBACK \
    .drivers = NULL_DRIVER, .extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME}
#define FEEDBACK WITHOUT_FEEDBACK, .features = &feedback
#define BUFFER   VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT
#define COUNTER  VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT

static uint32_t most_buffers(struct baseline *b)
{
    VkPhysicalDeviceTransformFeedbackPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return limits.maxTransformFeedbackBuffers;
}

static void bind_at(struct baseline *b, VkCommandBuffer command_buffer, uint32_t binding,
                    VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    DEVICE_PROC(b, vkCmdBindTransformFeedbackBuffersEXT)(command_buffer, binding, 1, &buffer,
                                                         &offset, &size);
}

static void bind_feedback_buffer(struct baseline *b, VkBuffer buffer, VkDeviceSize offset,
                                 VkDeviceSize size)
{
    bind_at(b, make_recording(b), 0, buffer, offset, size);
}

SCENARIO(feedback_bind, FEEDBACK)
{
    bind_feedback_buffer(b, make_buffer(b, 64, BUFFER), 32, 32);
    bind_feedback_buffer(b, make_buffer(b, 64, BUFFER), 60, VK_WHOLE_SIZE);
}

SCENARIO(feedback_bind_without_feature, WITHOUT_FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-transformFeedback-02355"})
{
    bind_feedback_buffer(b, make_buffer(b, 64, BUFFER), 0, 64);
}

SCENARIO(feedback_bind_behind_the_last, FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-firstBinding-02356"})
{
    bind_at(b, make_recording(b), most_buffers(b), make_buffer(b, 64, BUFFER), 0, 64);
}

SCENARIO(feedback_bind_behind_the_end, FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02358"},
         .text = {"pOffsets[0] is 64, but the buffer has 64 bytes"})
{
    bind_feedback_buffer(b, make_buffer(b, 64, BUFFER), 64, VK_WHOLE_SIZE);
}

SCENARIO(feedback_bind_too_much, FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-pOffsets-02363"})
{
    bind_feedback_buffer(b, make_buffer(b, 64, BUFFER), 32, 36);
}

SCENARIO(feedback_bind_without_memory, FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-pBuffers-02364"})
{
    VkBufferCreateInfo info = buffer_info(64, BUFFER);
    bind_feedback_buffer(b, create_buffer(b, &info), 0, 64);
}

/* A pipeline whose vertex shader captures the position. */
static VkPipeline make_capturing_pipeline(struct baseline *b)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.stages[0].module = MAKE_SHADER(b, shader_capture);
    return create_graphics_pipeline(b, &pipeline.info);
}

/* Recording, with a pipeline and one transform feedback buffer bound, in a render pass instance. */
static void prepare_feedback_in(struct baseline *b, VkCommandBuffer command_buffer)
{
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, make_capturing_pipeline(b));
    bind_at(b, command_buffer, 0, make_buffer(b, 64, BUFFER), 0, 64);
    begin_rendering(b, command_buffer);
}

static VkCommandBuffer prepare_feedback(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_recording(b);
    prepare_feedback_in(b, command_buffer);
    return command_buffer;
}

static void begin_feedback_at(struct baseline *b, VkCommandBuffer command_buffer, uint32_t first,
                              uint32_t count)
{
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, first, count, NULL, NULL);
}

static void end_feedback(struct baseline *b, VkCommandBuffer command_buffer, uint32_t first,
                         uint32_t count)
{
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(command_buffer, first, count, NULL, NULL);
}

/* Begun. */
static VkCommandBuffer in_feedback(struct baseline *b)
{
    VkCommandBuffer command_buffer = prepare_feedback(b);
    begin_feedback_at(b, command_buffer, 0, 0);
    return command_buffer;
}

/* Hazards of counters: what began feedback has read them before it ends and writes them; what
 * begins again needs a barrier. */
static void count_feedback(struct baseline *b, VkCommandBuffer command_buffer, VkBuffer counter,
                           bool begins)
{
    if (begins)
        DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, 0, 1, &counter, NULL);
    else
        DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(command_buffer, 0, 1, &counter, NULL);
}
#define COUNTS FEEDBACK, .settings = {"validate_sync=true"}, .proceed = true
#define COUNTING(name_, before_, ...)                                                      \
    SCENARIO(name_, COUNTS, ##__VA_ARGS__)                                                 \
    {                                                                                      \
        VkBuffer counter = make_buffer(b, 64, COUNTER | VK_BUFFER_USAGE_TRANSFER_DST_BIT); \
        VkCommandBuffer command_buffer = make_recording(b);                                \
        before_;                                                                           \
        prepare_feedback_in(b, command_buffer);                                            \
        count_feedback(b, command_buffer, counter, true);                                  \
        count_feedback(b, command_buffer, counter, false);                                 \
    }
static void show_counter(VkCommandBuffer command_buffer)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT};
    vkCmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT, 0, 1, &barrier, 0, NULL, 0,
                         NULL);
}
COUNTING(counter_that_is_read_and_written, )
COUNTING(counter_that_is_filled, vkCmdFillBuffer(command_buffer, counter, 0, 64, 0),
         .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
         .text = {"vkCmdBeginTransformFeedbackEXT(): reads bytes 0 to 3 of VkBuffer"})
COUNTING(counter_that_was_filled, {
    vkCmdFillBuffer(command_buffer, counter, 0, 64, 0);
    show_counter(command_buffer);
})

/* No counter at all, counters that are VK_NULL_HANDLE, offsets that are not given. */
SCENARIO(feedback_without_counters, FEEDBACK)
{
    const VkBuffer counters[] = {VK_NULL_HANDLE, make_buffer(b, 4, COUNTER)};
    const VkDeviceSize offsets[] = {1000, 0};
    VkCommandBuffer command_buffer = prepare_feedback(b);
    begin_feedback_at(b, command_buffer, 0, 1);
    end_feedback(b, command_buffer, 0, 1);
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, 0, 1, counters, offsets);
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(command_buffer, 0, 2, counters, offsets);
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, 0, 1, counters + 1, NULL);
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(command_buffer, 0, 1, counters + 1, NULL);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

/* Feedback that a callback refuses is not active, and its counter is not read. */
SCENARIO(feedback_refused, FEEDBACK, .settings = {"validate_sync=true"},
         .expect = {"VUID-vkCmdBeginTransformFeedbackEXT-pCounterBufferOffsets-02370",
                    "VUID-vkCmdEndTransformFeedbackEXT-None-02375"})
{
    const VkBuffer counter = make_buffer(b, 64, COUNTER | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkDeviceSize offset = 64;
    VkCommandBuffer command_buffer = prepare_feedback(b);
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, 0, 1, &counter, &offset);
    end_feedback(b, command_buffer, 0, 0);
    EXPECT_EQUAL(seen_count(b, NULL), 2);
    begin_feedback_at(b, command_buffer, 0, 0);
    end_feedback(b, command_buffer, 0, 0);
    vkCmdEndRenderPass(command_buffer);
    vkCmdFillBuffer(command_buffer, counter, 0, 64, 0);
    run_commands(b, command_buffer);
    EXPECT_EQUAL(seen_count(b, NULL), 2);
}

/* The range of an element that is VK_WHOLE_SIZE reaches to the buffer's end. */
SCENARIO(feedback_binds_many, FEEDBACK)
{
    VkBuffer buffer = make_buffer(b, 64, BUFFER), two[] = {buffer, buffer};
    const VkDeviceSize offsets[] = {0, 60}, sizes[] = {4, VK_WHOLE_SIZE};
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdBindTransformFeedbackBuffersEXT)(command_buffer, 0, 2, two, offsets, sizes);
    DEVICE_PROC(b, vkCmdBindTransformFeedbackBuffersEXT)(command_buffer, 2, 2, two, offsets, NULL);
}

#define BEGIN(id_) .expect = {"VUID-vkCmdBeginTransformFeedbackEXT-" id_}
#define END(id_)   .expect = {"VUID-vkCmdEndTransformFeedbackEXT-" id_}

SCENARIO(feedback_begun_and_ended, FEEDBACK)
{
    VkBuffer counter = make_buffer(b, 64, COUNTER);
    VkDeviceSize offset = 60;
    VkCommandBuffer command_buffer = prepare_feedback(b);
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(command_buffer, 0, 1, &counter, &offset);
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(command_buffer, 0, 1, &counter, &offset);
    vkCmdEndRenderPass(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(feedback_begin_without_feature, WITHOUT_FEEDBACK,
         .expect = {"VUID-vkCmdBeginTransformFeedbackEXT-transformFeedback-02366"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_any_graphics_pipeline(b));
    begin_rendering(b, command_buffer);
    begin_feedback_at(b, command_buffer, 0, 0);
}

SCENARIO(feedback_begin_twice, FEEDBACK, BEGIN("None-02367"))
{
    begin_feedback_at(b, in_feedback(b), 0, 0);
}

SCENARIO(feedback_begin_behind_the_last, FEEDBACK, BEGIN("firstCounter-02368"))
{
    begin_feedback_at(b, prepare_feedback(b), most_buffers(b), 0);
}

SCENARIO(feedback_begin_more_than_bound, FEEDBACK, BEGIN("firstCounter-09630"))
{
    begin_feedback_at(b, prepare_feedback(b), 0, 2);
}

SCENARIO(feedback_begin_without_pipeline, FEEDBACK, BEGIN("None-06233"))
{
    VkCommandBuffer command_buffer = make_recording(b);
    bind_at(b, command_buffer, 0, make_buffer(b, 64, BUFFER), 0, 64);
    begin_rendering(b, command_buffer);
    begin_feedback_at(b, command_buffer, 0, 0);
}

SCENARIO(feedback_begin_with_pipeline_that_captures_nothing, FEEDBACK, BEGIN("None-04128"))
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_any_graphics_pipeline(b));
    bind_at(b, command_buffer, 0, make_buffer(b, 64, BUFFER), 0, 64);
    begin_rendering(b, command_buffer);
    begin_feedback_at(b, command_buffer, 0, 0);
}

static const VkPhysicalDeviceVulkan11Features multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&feedback,
    .multiview = VK_TRUE};

SCENARIO(feedback_begin_with_views, WITHOUT_FEEDBACK, .features = &multiview, BEGIN("None-02373"))
{
    const uint32_t mask = 1;
    VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &views;
    VkRenderPass pass = create_render_pass(b, &info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    VkClearValue clear = {0};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    VkPipeline pipeline = make_capturing_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    begin_feedback_at(b, command_buffer, 0, 0);
}

/* With multiview each subpass begins with nothing bound. */
SCENARIO(feedback_begin_with_pipeline_from_before_views, WITHOUT_FEEDBACK, .features = &multiview,
         .expect = {"VUID-vkCmdBeginTransformFeedbackEXT-None-02373",
                    "VUID-vkCmdBeginTransformFeedbackEXT-None-06233"})
{
    const uint32_t mask = 1;
    VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &views;
    VkRenderPass pass = create_render_pass(b, &info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    VkClearValue clear = {0};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    VkPipeline pipeline = make_capturing_pipeline(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    begin_feedback_at(b, command_buffer, 0, 0);
}

static void begin_counted(struct baseline *b, VkBuffer counter, VkDeviceSize offset)
{
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(prepare_feedback(b), 0, 1, &counter, &offset);
}

SCENARIO(feedback_counter_behind_the_end, FEEDBACK, BEGIN("pCounterBufferOffsets-02370"))
{
    begin_counted(b, make_buffer(b, 64, COUNTER), 64);
}

SCENARIO(feedback_counter_without_usage, FEEDBACK, BEGIN("pCounterBuffers-02372"))
{
    begin_counted(b, make_buffer(b, 64, BUFFER), 0);
}

SCENARIO(feedback_offsets_of_no_counters, FEEDBACK, BEGIN("pCounterBuffer-02371"))
{
    VkDeviceSize offset = 0;
    DEVICE_PROC(b, vkCmdBeginTransformFeedbackEXT)(prepare_feedback(b), 0, 1, NULL, &offset);
}

SCENARIO(feedback_end_without_feature, WITHOUT_FEEDBACK,
         .expect = {"VUID-vkCmdEndTransformFeedbackEXT-transformFeedback-02374"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    end_feedback(b, command_buffer, 0, 0);
}

SCENARIO(feedback_end_only, FEEDBACK, END("None-02375"))
{
    end_feedback(b, prepare_feedback(b), 0, 0);
}

SCENARIO(feedback_end_counter_behind_the_end, FEEDBACK, END("pCounterBufferOffsets-02378"))
{
    VkBuffer counter = make_buffer(b, 64, COUNTER);
    VkDeviceSize offset = 64;
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(in_feedback(b), 0, 1, &counter, &offset);
}

SCENARIO(feedback_end_offsets_of_no_counters, FEEDBACK, END("pCounterBuffer-02379"))
{
    VkDeviceSize offset = 0;
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(in_feedback(b), 0, 1, NULL, &offset);
}

SCENARIO(feedback_end_counter_without_usage, FEEDBACK, END("pCounterBuffers-02380"))
{
    VkBuffer counter = make_buffer(b, 64, BUFFER);
    VkDeviceSize offset = 0;
    DEVICE_PROC(b, vkCmdEndTransformFeedbackEXT)(in_feedback(b), 0, 1, &counter, &offset);
}

SCENARIO(feedback_bind_while_active, FEEDBACK,
         .expect = {"VUID-vkCmdBindTransformFeedbackBuffersEXT-None-02365"})
{
    bind_at(b, in_feedback(b), 0, make_buffer(b, 64, BUFFER), 0, 64);
}

SCENARIO(feedback_pipeline_while_active, FEEDBACK, .expect = {"VUID-vkCmdBindPipeline-None-02323"})
{
    VkPipeline pipeline = make_capturing_pipeline(b);
    vkCmdBindPipeline(in_feedback(b), VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

SCENARIO(feedback_end_render_pass_while_active, FEEDBACK,
         .expect = {"VUID-vkCmdEndRenderPass-None-02351"})
{
    vkCmdEndRenderPass(in_feedback(b));
}

SCENARIO(feedback_end_render_pass_2_while_active, FEEDBACK,
         .expect = {"VUID-vkCmdEndRenderPass2-None-02352"})
{
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    vkCmdEndRenderPass2(in_feedback(b), &end);
}

/* In the first of two subpasses. */
static VkCommandBuffer in_first_subpass(struct baseline *b)
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkSubpassDescription subpasses[] = {info.pSubpasses[0], info.pSubpasses[0]};
    info.subpassCount = 2;
    info.pSubpasses = subpasses;
    VkRenderPass pass = create_render_pass(b, &info);
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    VkClearValue clear = {0};
    begin.clearValueCount = 1;
    begin.pClearValues = &clear;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, make_capturing_pipeline(b));
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    begin_feedback_at(b, command_buffer, 0, 0);
    return command_buffer;
}

SCENARIO(feedback_next_subpass_while_active, FEEDBACK,
         .expect = {"VUID-vkCmdNextSubpass-None-02349"})
{
    vkCmdNextSubpass(in_first_subpass(b), VK_SUBPASS_CONTENTS_INLINE);
}

SCENARIO(feedback_next_subpass_2_while_active, FEEDBACK,
         .expect = {"VUID-vkCmdNextSubpass2-None-02350"})
{
    VkSubpassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    vkCmdNextSubpass2(in_first_subpass(b), &begin, &end);
}

static const VkPhysicalDeviceVulkan13Features dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = (void *)&feedback,
    .dynamicRendering = VK_TRUE};

static VkCommandBuffer in_dynamic_rendering(struct baseline *b, VkRenderingFlags flags)
{
    VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo info = rendering_info(&color);
    VkCommandBuffer command_buffer = make_recording(b);
    info.flags = flags;
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, make_capturing_pipeline(b));
    vkCmdBeginRendering(command_buffer, &info);
    begin_feedback_at(b, command_buffer, 0, 0);
    return command_buffer;
}

SCENARIO(feedback_end_rendering_while_active, WITHOUT_FEEDBACK, .features = &dynamic,
         .expect = {"VUID-vkCmdEndRendering-None-06781"})
{
    vkCmdEndRendering(in_dynamic_rendering(b, 0));
}

SCENARIO(feedback_execute_while_active, WITHOUT_FEEDBACK, .features = &dynamic,
         .expect = {"VUID-vkCmdExecuteCommands-None-02286"})
{
    VkFormat format = COLOR_FORMAT;
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    vkCmdExecuteCommands(in_dynamic_rendering(b,
                                              VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT),
                         1, &secondary);
}

/* Begins and ends transform feedback in a secondary, which binds nothing itself. */
static void inherit_feedback(struct baseline *b)
{
    const VkFormat format = COLOR_FORMAT;
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT;
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(secondary, &begin));
    begin_feedback_at(b, secondary, 0, 0);
    end_feedback(b, secondary, 0, 0);
    VK(vkEndCommandBuffer(secondary));
}

static const VkPhysicalDeviceCommandBufferInheritanceFeaturesNV inherits = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COMMAND_BUFFER_INHERITANCE_FEATURES_NV,
    .pNext = (void *)&dynamic,
    .commandBufferInheritance = VK_TRUE};
SCENARIO(feedback_of_inherited_pipeline, .drivers = NULL_DRIVER, .features = &inherits,
         .extensions = {"VK_EXT_transform_feedback", "VK_NV_command_buffer_inheritance"})
{
    inherit_feedback(b);
}

SCENARIO(feedback_of_no_pipeline, WITHOUT_FEEDBACK, .features = &dynamic, .proceed = true,
         BEGIN("None-06233"))
{
    inherit_feedback(b);
}

/* --- labels and markers ----------------------------------------------------------------------- */

static const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                           .pLabelName = "here"};

static void begin_empty_label(struct baseline *b, VkCommandBuffer command_buffer)
{
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(command_buffer, &label);
}

static VkCommandBuffer make_inheriting_secondary(struct baseline *b)
{
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    return secondary;
}

/* A label may begin in one command buffer and end in the next one of the queue, and inside of a
 * secondary. */
SCENARIO(labels_across_command_buffers)
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b),
                    secondary = make_inheriting_secondary(b);
    begin_empty_label(b, secondary);
    end_label(b, secondary);
    VK(vkEndCommandBuffer(secondary));
    begin_empty_label(b, first);
    begin_empty_label(b, first);
    vkCmdExecuteCommands(first, 1, &secondary);
    end_label(b, first);
    end_label(b, second);
    run_commands(b, first);
    run_commands(b, second);
}

SCENARIO(label_end_only, .expect = {"VUID-vkCmdEndDebugUtilsLabelEXT-commandBuffer-01912"},
         .text = {"ends 1 labels more than are open on this queue by then"})
{
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    begin_empty_label(b, first);
    end_label(b, first);
    end_label(b, second);
    run_commands(b, first);
    VK(vkEndCommandBuffer(second));
    VkSubmitInfo submit = submit_info(&second);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(label_end_only_in_secondary,
         .expect = {"VUID-vkCmdEndDebugUtilsLabelEXT-commandBuffer-01913"})
{
    end_label(b, make_inheriting_secondary(b));
}

SCENARIO(label_open_in_secondary, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-01815"})
{
    VkCommandBuffer secondary = make_inheriting_secondary(b);
    begin_empty_label(b, secondary);
    vkEndCommandBuffer(secondary);
}

SCENARIO(queue_labels)
{
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &label);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
}

SCENARIO(queue_label_end_only, .expect = {"VUID-vkQueueEndDebugUtilsLabelEXT-None-01911"})
{
    INSTANCE_PROC(b, vkQueueBeginDebugUtilsLabelEXT)(b->queue, &label);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
    INSTANCE_PROC(b, vkQueueEndDebugUtilsLabelEXT)(b->queue);
}

#define MARKERS                                                                 \
    .drivers = NULL_DRIVER, .extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME}, \
    .instance_extensions = {VK_EXT_DEBUG_REPORT_EXTENSION_NAME}
static const VkDebugMarkerMarkerInfoEXT marker = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_MARKER_MARKER_INFO_EXT, .pMarkerName = "here"};

SCENARIO(markers, MARKERS)
{
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdDebugMarkerBeginEXT)(command_buffer, &marker);
    DEVICE_PROC(b, vkCmdDebugMarkerEndEXT)(command_buffer);
    run_commands(b, command_buffer);
}

SCENARIO(marker_end_only, MARKERS, .expect = {"VUID-vkCmdDebugMarkerEndEXT-commandBuffer-01239"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdDebugMarkerEndEXT)(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo submit = submit_info(&command_buffer);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

SCENARIO(marker_end_only_in_secondary, MARKERS,
         .expect = {"VUID-vkCmdDebugMarkerEndEXT-commandBuffer-01240"})
{
    DEVICE_PROC(b, vkCmdDebugMarkerEndEXT)(make_inheriting_secondary(b));
}

SCENARIO(marker_open_in_secondary, MARKERS,
         .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00062"})
{
    VkCommandBuffer secondary = make_inheriting_secondary(b);
    DEVICE_PROC(b, vkCmdDebugMarkerBeginEXT)(secondary, &marker);
    vkEndCommandBuffer(secondary);
}

static void name_by_marker(struct baseline *b, VkDebugReportObjectTypeEXT type, uint64_t object)
{
    VkDebugMarkerObjectNameInfoEXT info = {.sType =
                                               VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_NAME_INFO_EXT,
                                           .objectType = type,
                                           .object = object,
                                           .pObjectName = "name"};
    DEVICE_PROC(b, vkDebugMarkerSetObjectNameEXT)(b->device, &info);
}

static void tag_by_marker(struct baseline *b, VkDebugReportObjectTypeEXT type, uint64_t object)
{
    VkDebugMarkerObjectTagInfoEXT info = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_MARKER_OBJECT_TAG_INFO_EXT,
                                          .objectType = type,
                                          .object = object,
                                          .tagSize = 4,
                                          .pTag = "tag"};
    DEVICE_PROC(b, vkDebugMarkerSetObjectTagEXT)(b->device, &info);
}

SCENARIO(marker_names, MARKERS)
{
    uint64_t buffer = HANDLE(make_unbound_buffer(b));
    name_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, buffer);
    tag_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, buffer);
}

SCENARIO(marker_name_of_unknown_type, MARKERS,
         .expect = {"VUID-VkDebugMarkerObjectNameInfoEXT-objectType-01490"})
{
    name_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT, HANDLE(make_unbound_buffer(b)));
}

SCENARIO(marker_name_of_nothing, MARKERS,
         .expect = {"VUID-VkDebugMarkerObjectNameInfoEXT-object-01491"},
         .allow = {"VUID-VkDebugMarkerObjectNameInfoEXT-object-01492"})
{
    name_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, 0);
}

SCENARIO(marker_tag_of_unknown_type, MARKERS,
         .expect = {"VUID-VkDebugMarkerObjectTagInfoEXT-objectType-01493"})
{
    tag_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT, HANDLE(make_unbound_buffer(b)));
}

SCENARIO(marker_tag_of_nothing, MARKERS,
         .expect = {"VUID-VkDebugMarkerObjectTagInfoEXT-object-01494"},
         .allow = {"VUID-VkDebugMarkerObjectTagInfoEXT-object-01495"})
{
    tag_by_marker(b, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT, 0);
}

/* --- private data ----------------------------------------------------------------------------- */

SCENARIO(private_data_without_feature, .expect = {"VUID-vkCreatePrivateDataSlot-privateData-04564"})
{
    VkPrivateDataSlotCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    create_private_data_slot(b, &info);
}
