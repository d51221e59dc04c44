/* Valid queries at the edges of the chapter: strides that are not read, pools that are born reset,
 * and views. There are queries in secondaries, and results that are copied while others are active.
 * Nothing is found in any of them. */
#include "scenario.h"

#include <string.h>

#define CHAIN(name_, Type_, TYPE_, next_, ...) \
    static const Type_ name_ = {               \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, .pNext = (void *)(next_), __VA_ARGS__}
CHAIN(sync2, VkPhysicalDeviceVulkan13Features, VULKAN_1_3_FEATURES, NULL,
      .synchronization2 = VK_TRUE, .dynamicRendering = VK_TRUE);
CHAIN(host_reset, VkPhysicalDeviceVulkan12Features, VULKAN_1_2_FEATURES, &sync2,
      .hostQueryReset = VK_TRUE);
CHAIN(statistics, VkPhysicalDeviceFeatures2, FEATURES_2, &host_reset,
      .features = {.pipelineStatisticsQuery = VK_TRUE, .occlusionQueryPrecise = VK_TRUE});
CHAIN(inherited, VkPhysicalDeviceFeatures2, FEATURES_2, &host_reset,
      .features = {.pipelineStatisticsQuery = VK_TRUE,
                   .occlusionQueryPrecise = VK_TRUE,
                   .inheritedQueries = VK_TRUE});
CHAIN(views, VkPhysicalDeviceVulkan11Features, VULKAN_1_1_FEATURES, &statistics,
      .multiview = VK_TRUE);
#define ALL .features = &statistics

static VkQueryPool make_valid_pool(struct baseline *b, VkQueryType type, uint32_t count,
                                   VkQueryPipelineStatisticFlags counted)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = type;
    info.queryCount = count;
    info.pipelineStatistics = counted;
    VkQueryPool pool = create_query_pool(b, &info);
    ENSURE(pool);
    return pool;
}

static VkQueryPool make_reset_pool(struct baseline *b, VkQueryType type, uint32_t count)
{
    VkQueryPool pool = make_valid_pool(b, type, count, 0);
    vkResetQueryPool(b->device, pool, 0, count);
    return pool;
}

/* "pipelineStatistics is ignored if queryType is not VK_QUERY_TYPE_PIPELINE_STATISTICS" */
SCENARIO(statistics_ignored)
{
    make_valid_pool(b, VK_QUERY_TYPE_OCCLUSION, 1, 0x7fffffff);
}

SCENARIO(one_result_needs_no_stride, ALL)
{
    uint32_t data[2];
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 2);
    vkGetQueryPoolResults(b->device, pool, 1, 1, sizeof(data), data, 0,
                          VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    vkGetQueryPoolResults(b->device, pool, 1, 1, sizeof(data), data, 3,
                          VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    vkGetQueryPoolResults(b->device, pool, 0, 1, 4, data, 0, VK_QUERY_RESULT_PARTIAL_BIT);
}

/* The last result takes no whole stride. */
SCENARIO(results_with_gaps, ALL)
{
    uint64_t data[8];
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 3);
    vkGetQueryPoolResults(b->device, pool, 0, 3, 2 * 24 + 4, data, 24, 0);
    vkGetQueryPoolResults(b->device, pool, 0, 3, 2 * 24 + 16, data, 24,
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

/* Results may overlap where no availability is asked for: the stride is a multiple of the size, and
 * no more is said. */
SCENARIO(results_of_statistics_overlap, ALL)
{
    uint32_t data[16];
    VkQueryPool pool =
        make_valid_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2,
                        VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
    vkResetQueryPool(b->device, pool, 0, 2);
    vkGetQueryPoolResults(b->device, pool, 0, 2, sizeof(data), data, 4, 0);
}

SCENARIO(pool_born_reset, .drivers = NULL_DRIVER, .extensions = {"VK_KHR_maintenance9"},
         .features = &(VkPhysicalDeviceMaintenance9FeaturesKHR){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR,
             .maintenance9 = VK_TRUE})
{
    uint32_t data;
    VkQueryPoolCreateInfo info = query_pool_info();
    info.flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR;
    VkQueryPool pool = create_query_pool(b, &info);
    vkGetQueryPoolResults(b->device, pool, 0, 1, 4, &data, 0, 0);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdEndQuery(c, pool, 0);
    run_commands(b, c);
}

SCENARIO(queries_of_two_kinds_at_once, ALL)
{
    VkQueryPool occlusion = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 2);
    VkQueryPool counted =
        make_valid_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                        VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
    VkQueryPool times = make_reset_pool(b, VK_QUERY_TYPE_TIMESTAMP, 2);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, counted, 0, 1);
    vkCmdBeginQuery(c, occlusion, 1, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdBeginQuery(c, counted, 0, 0);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, times, 0);
    vkCmdResetQueryPool(c, occlusion, 0, 1);
    vkCmdEndQuery(c, occlusion, 1);
    vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_NONE, times, 1);
    vkCmdEndQuery(c, counted, 0);
    vkCmdBeginQuery(c, occlusion, 0, 0);
    vkCmdEndQuery(c, occlusion, 0);
    run_commands(b, c);
}

SCENARIO(query_used_again_after_a_reset, ALL)
{
    VkQueryPool pool = make_valid_pool(b, VK_QUERY_TYPE_OCCLUSION, 1, 0);
    VkCommandBuffer c = make_recording(b);
    for (unsigned i = 0; i < 3; i++) {
        vkCmdResetQueryPool(c, pool, 0, 1);
        vkCmdBeginQuery(c, pool, 0, 0);
        vkCmdEndQuery(c, pool, 0);
    }
    run_commands(b, c);
}

SCENARIO(timestamps_in_one_command_buffer_twice, ALL)
{
    VkQueryPool pool = make_valid_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1, 0);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 0);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
    run_commands(b, c);
    uint64_t time;
    VK(vkGetQueryPoolResults(b->device, pool, 0, 1, 8, &time, 0,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
}

SCENARIO(copies_beside_an_active_query, ALL)
{
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 3);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdEndQuery(c, pool, 0);
    vkCmdBeginQuery(c, pool, 2, 0);
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, buffer, 60, 0, VK_QUERY_RESULT_WAIT_BIT);
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, buffer, 56, 7,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    vkCmdCopyQueryPoolResults(c, pool, 0, 2, buffer, 0, 32, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    vkCmdEndQuery(c, pool, 2);
    run_commands(b, c);
}

/* Host and device take turns. */
SCENARIO(reset_by_the_host_between_submits, ALL)
{
    VkQueryPool pool = make_valid_pool(b, VK_QUERY_TYPE_TIMESTAMP, 2, 0);
    VkCommandBuffer c = make_recording(b);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    VK(vkEndCommandBuffer(c));
    const VkSubmitInfo submit = submit_info(&c);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t data[2];
        vkResetQueryPool(b->device, pool, 0, 2);
        VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
        VK(vkGetQueryPoolResults(b->device, pool, 1, 1, sizeof(data), data, 16,
                                 VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                     VK_QUERY_RESULT_WITH_AVAILABILITY_BIT));
        VK(vkQueueWaitIdle(b->queue));
    }
}

static VkCommandBuffer begin_layers(struct baseline *b, uint32_t view_mask)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    image.arrayLayers = 4;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 4;
    VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    VkRenderingInfo info = rendering_info(&color);
    info.viewMask = view_mask;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &info);
    return c;
}

/* As many queries as views, the last ones of the pool. */
SCENARIO(queries_of_views, .features = &views)
{
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 3);
    VkQueryPool times = make_reset_pool(b, VK_QUERY_TYPE_TIMESTAMP, 2);
    VkCommandBuffer c = begin_layers(b, 10);
    vkCmdBeginQuery(c, pool, 1, 0);
    vkCmdEndQuery(c, pool, 1);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, times, 0);
    vkCmdEndRendering(c);
    VK(vkEndCommandBuffer(c));
}

/* Around an instance with views a query is one. */
SCENARIO(query_around_views, .features = &views)
{
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkImageView view = make_image_view(b);
    VkRenderingAttachmentInfo color = rendering_attachment(view);
    VkRenderingInfo info = rendering_info(&color);
    info.viewMask = 1;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdBeginRendering(c, &info);
    vkCmdEndRendering(c);
    vkCmdEndQuery(c, pool, 0);
    VK(vkEndCommandBuffer(c));
}

SCENARIO(query_in_each_subpass, ALL)
{
    const VkSubpassDescription subpasses[2] = {
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS},
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS}};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .subpassCount = 2,
                                         .pSubpasses = subpasses};
    VkRenderPass pass = create_render_pass(b, &info);
    VkFramebufferCreateInfo framebuffer = framebuffer_info(pass, NULL);
    framebuffer.attachmentCount = 0;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(b, &framebuffer));
    begin.clearValueCount = 0;
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 3);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginQuery(c, pool, 2, 0);
    vkCmdEndQuery(c, pool, 2);
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdEndQuery(c, pool, 0);
    vkCmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBeginQuery(c, pool, 1, 0);
    vkCmdEndQuery(c, pool, 1);
    vkCmdEndRenderPass(c);
    run_commands(b, c);
}

/* A secondary runs while the primary's query is active, and has one of another kind of its own. */
SCENARIO(query_inherited, .drivers = NULL_DRIVER, .features = &inherited)
{
    VkQueryPool pool = make_reset_pool(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkQueryPool counted =
        make_valid_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                        VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
    VkCommandBuffer inner = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .occlusionQueryEnable = VK_TRUE,
        .queryFlags = VK_QUERY_CONTROL_PRECISE_BIT};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(inner, &begin));
    vkCmdResetQueryPool(inner, counted, 0, 1);
    vkCmdBeginQuery(inner, counted, 0, 0);
    vkCmdEndQuery(inner, counted, 0);
    VK(vkEndCommandBuffer(inner));
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdExecuteCommands(c, 1, &inner);
    vkCmdEndQuery(c, pool, 0);
    run_commands(b, c);
}

/* Begun with the one command and ended with the other: both are of stream 0. */
SCENARIO(indexed_and_plain, .extensions = {"VK_EXT_transform_feedback"},
         .features = &(VkPhysicalDeviceTransformFeedbackFeaturesEXT){
             .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
             .transformFeedback = VK_TRUE})
{
    VkQueryPool pool = make_valid_pool(b, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 2, 0);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 2);
    vkCmdBeginQuery(c, pool, 0, 0);
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(c, pool, 0, 0);
    DEVICE_PROC(b, vkCmdBeginQueryIndexedEXT)(c, pool, 1, 0, 0);
    vkCmdEndQuery(c, pool, 1);
    run_commands(b, c);
}
