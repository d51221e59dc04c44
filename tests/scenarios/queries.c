/* Queries: pools, their use in command buffers, results (18 "Queries"). */
#include "scenario.h"

static VkQueryPool make_pool(struct baseline *b, VkQueryType type, uint32_t count)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = type;
    info.queryCount = count;
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT;
    return create_query_pool(b, &info);
}

static VkQueryPool make_occlusion(struct baseline *b)
{
    return make_pool(b, VK_QUERY_TYPE_OCCLUSION, 4);
}

SCENARIO(pool_of_no_queries, .expect = {"VUID-VkQueryPoolCreateInfo-queryCount-02763"},
         .text = {"pCreateInfo->queryCount is 0"})
{
    make_pool(b, VK_QUERY_TYPE_OCCLUSION, 0);
}

SCENARIO(statistics_without_feature, .expect = {"VUID-VkQueryPoolCreateInfo-queryType-00791"})
{
    make_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
}

static const VkPhysicalDeviceFeatures2 statistics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.pipelineStatisticsQuery = VK_TRUE, .occlusionQueryPrecise = VK_TRUE}};

SCENARIO(statistics_of_nothing, .expect = {"VUID-VkQueryPoolCreateInfo-queryType-09534"}, .features = &statistics)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    create_query_pool(b, &info);
}

SCENARIO(statistics_of_mesh_shaders, .expect = {"VUID-VkQueryPoolCreateInfo-meshShaderQueries-07069"},
         .features = &statistics, .extensions = {"VK_EXT_mesh_shader"})
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS;
    info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT;
    create_query_pool(b, &info);
}

SCENARIO(mesh_primitives_without_feature, .expect = {"VUID-VkQueryPoolCreateInfo-meshShaderQueries-07068"},
         .extensions = {"VK_EXT_mesh_shader"})
{
    make_pool(b, VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, 1);
}

SCENARIO(pools, .features = &statistics)
{
    make_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2);
    make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    make_occlusion(b);
}

SCENARIO(reset_behind_the_end, .expect = {"VUID-vkCmdResetQueryPool-firstQuery-09436"},
         .text = {"firstQuery is 4, but the pool has 4"})
{
    vkCmdResetQueryPool(make_recording(b), make_occlusion(b), 4, 1);
}

SCENARIO(reset_too_many, .expect = {"VUID-vkCmdResetQueryPool-firstQuery-09437"},
         .text = {"queryCount is 3 from query 2 on"})
{
    vkCmdResetQueryPool(make_recording(b), make_occlusion(b), 2, 3);
}

static VkCommandBuffer begin_active(struct baseline *b, VkQueryPool pool)
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    vkCmdBeginQuery(command_buffer, pool, 0, 0);
    return command_buffer;
}

SCENARIO(reset_active, .expect = {"VUID-vkCmdResetQueryPool-None-02841"}, .text = {"has query 0 active"})
{
    VkQueryPool pool = make_occlusion(b);
    vkCmdResetQueryPool(begin_active(b, pool), pool, 0, 1);
}

SCENARIO(host_reset_without_feature, .expect = {"VUID-vkResetQueryPool-None-02665"}, .text = {"hostQueryReset"})
{
    vkResetQueryPool(b->device, make_occlusion(b), 0, 1);
}

static const VkPhysicalDeviceVulkan12Features host_reset = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .hostQueryReset = VK_TRUE};

SCENARIO(host_reset_too_many, .expect = {"VUID-vkResetQueryPool-firstQuery-09437"}, .features = &host_reset)
{
    vkResetQueryPool(b->device, make_occlusion(b), 1, 4);
}

SCENARIO(host_reset_all, .features = &host_reset)
{
    vkResetQueryPool(b->device, make_occlusion(b), 0, 4);
}

SCENARIO(begin_timestamp, .expect = {"VUID-vkCmdBeginQuery-queryType-02804"})
{
    vkCmdBeginQuery(make_recording(b), make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1), 0, 0);
}

SCENARIO(begin_precise_without_feature, .expect = {"VUID-vkCmdBeginQuery-queryType-00800"},
         .text = {"occlusionQueryPrecise"})
{
    vkCmdBeginQuery(make_recording(b), make_occlusion(b), 0, VK_QUERY_CONTROL_PRECISE_BIT);
}

SCENARIO(begin_behind_the_end, .expect = {"VUID-vkCmdBeginQuery-query-00802"}, .text = {"query is 4"})
{
    vkCmdBeginQuery(make_recording(b), make_occlusion(b), 4, 0);
}

SCENARIO(begin_occlusion_on_compute_queue, .expect = {"VUID-vkCmdBeginQuery-queryType-00803"}, .drivers = NULL_DRIVER)
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    vkCmdBeginQuery(make_recording_of(b, family), make_occlusion(b), 0, 0);
}

SCENARIO(begin_vertices_on_compute_queue, .expect = {"VUID-vkCmdBeginQuery-queryType-00804"}, .drivers = NULL_DRIVER,
         .features = &statistics)
{
    uint32_t family = find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    vkCmdBeginQuery(make_recording_of(b, family), make_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1), 0, 0);
}

SCENARIO(begin_again, .expect = {"VUID-vkCmdBeginQuery-None-00807"}, .text = {"query 0 was used in this command buffer"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = begin_active(b, pool);
    vkCmdEndQuery(command_buffer, pool, 0);
    vkCmdBeginQuery(command_buffer, pool, 0, 0);
}

SCENARIO(begin_another_of_the_type, .expect = {"VUID-vkCmdBeginQuery-queryPool-01922"})
{
    VkQueryPool pool = make_occlusion(b);
    vkCmdBeginQuery(begin_active(b, pool), pool, 1, 0);
}

SCENARIO(end_inactive, .expect = {"VUID-vkCmdEndQuery-None-01923"}, .text = {"query 1 is not active"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = begin_active(b, pool);
    vkCmdEndQuery(command_buffer, pool, 1);
}

SCENARIO(end_behind_the_end, .expect = {"VUID-vkCmdEndQuery-query-00810"})
{
    vkCmdEndQuery(make_recording(b), make_occlusion(b), 4);
}

SCENARIO(end_in_another_subpass, .expect = {"VUID-vkCmdEndQuery-None-07007"},
         .text = {"was begun outside of this subpass"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = begin_active(b, pool);
    begin_rendering(b, command_buffer);
    vkCmdEndQuery(command_buffer, pool, 0);
}

SCENARIO(query_left_active, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00061"}, .text = {"1 queries active"})
{
    vkEndCommandBuffer(begin_active(b, make_occlusion(b)));
}

SCENARIO(queries_in_order, .features = &statistics)
{
    VkQueryPool pool = make_occlusion(b), other = make_pool(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
    VkCommandBuffer command_buffer = begin_active(b, pool);
    vkCmdResetQueryPool(command_buffer, other, 0, 1);
    vkCmdBeginQuery(command_buffer, other, 0, 0);
    vkCmdEndQuery(command_buffer, other, 0);
    vkCmdEndQuery(command_buffer, pool, 0);
    vkCmdBeginQuery(command_buffer, pool, 1, VK_QUERY_CONTROL_PRECISE_BIT);
    vkCmdEndQuery(command_buffer, pool, 1);
    begin_rendering(b, command_buffer);
    vkCmdBeginQuery(command_buffer, pool, 2, 0);
    vkCmdEndQuery(command_buffer, pool, 2);
    vkCmdEndRenderPass(command_buffer);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdBeginQuery(command_buffer, pool, 0, 0);
    vkCmdEndQuery(command_buffer, pool, 0);
    VK(vkEndCommandBuffer(command_buffer));
}

/* --- timestamps --- */

SCENARIO(timestamp_into_occlusion, .expect = {"VUID-vkCmdWriteTimestamp-queryPool-01416"})
{
    vkCmdWriteTimestamp(make_recording(b), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, make_occlusion(b), 0);
}

SCENARIO(timestamp_behind_the_end, .expect = {"VUID-vkCmdWriteTimestamp-query-04904"})
{
    vkCmdWriteTimestamp(make_recording(b), VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1),
                        1);
}

SCENARIO(timestamp_again, .expect = {"VUID-vkCmdWriteTimestamp-None-00830"})
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
}

static const VkPhysicalDeviceVulkan13Features sync2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                       .synchronization2 = VK_TRUE};

SCENARIO(timestamp2_into_occlusion, .expect = {"VUID-vkCmdWriteTimestamp2-queryPool-03861"}, .features = &sync2)
{
    vkCmdWriteTimestamp2(make_recording(b), VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, make_occlusion(b), 0);
}

SCENARIO(timestamp2_behind_the_end, .expect = {"VUID-vkCmdWriteTimestamp2-query-04903"}, .features = &sync2)
{
    vkCmdWriteTimestamp2(make_recording(b), VK_PIPELINE_STAGE_2_COPY_BIT, make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1), 1);
}

SCENARIO(timestamp2_of_two_stages, .expect = {"VUID-vkCmdWriteTimestamp2-stage-03859"}, .features = &sync2)
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT, pool, 0);
}

SCENARIO(timestamp2_without_feature, .expect = {"VUID-vkCmdWriteTimestamp2-synchronization2-03858"})
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
}

SCENARIO(timestamp2_again, .expect = {"VUID-vkCmdWriteTimestamp2-None-03864"}, .features = &sync2)
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
}

SCENARIO(timestamps, .features = &sync2)
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 2);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 2);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    run_commands(b, command_buffer);
    uint64_t results[2];
    VK(vkGetQueryPoolResults(b->device, pool, 0, 2, sizeof(results), results, 8,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
}

/* --- results --- */

static VkQueryPool run_queries(struct baseline *b)
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdBeginQuery(command_buffer, pool, i, 0);
        vkCmdEndQuery(command_buffer, pool, i);
    }
    run_commands(b, command_buffer);
    return pool;
}

#define RESULTS(name_, vuid_, first_, count_, size_, data_, stride_, flags_)                                     \
    SCENARIO(name_, .expect = {"VUID-vkGetQueryPoolResults-" vuid_})                                             \
    {                                                                                                            \
        uint64_t data[16] = {0};                                                                                 \
        vkGetQueryPoolResults(b->device, run_queries(b), first_, count_, size_, (char *)data + (data_), stride_, \
                              flags_);                                                                           \
    }
RESULTS(results_behind_the_end, "firstQuery-09436", 4, 1, 8, 0, 8, 0)
RESULTS(results_too_many, "firstQuery-09437", 3, 2, 16, 0, 8, 0)
RESULTS(results_without_stride, "queryCount-09438", 0, 2, 16, 0, 0, 0)
RESULTS(results_unaligned, "flags-00815", 0, 1, 8, 4, 8, VK_QUERY_RESULT_64_BIT)
RESULTS(results_stride_unaligned, "queryCount-12252", 0, 2, 64, 0, 12, VK_QUERY_RESULT_64_BIT)
RESULTS(results_stride_too_small, "stride-08993", 0, 2, 64, 0, 4, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
RESULTS(results_too_small, "dataSize-00817", 0, 2, 8, 0, 8, 0)

SCENARIO(results)
{
    uint64_t data[16] = {0};
    VkQueryPool pool = run_queries(b);
    vkGetQueryPoolResults(b->device, pool, 0, 4, 16, data, 4, VK_QUERY_RESULT_WAIT_BIT);
    vkGetQueryPoolResults(b->device, pool, 2, 2, 32, data, 16,
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(partial_timestamps, .expect = {"VUID-vkGetQueryPoolResults-queryType-09439"})
{
    uint64_t result = 0;
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    run_commands(b, command_buffer);
    vkGetQueryPoolResults(b->device, pool, 0, 1, 8, &result, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_PARTIAL_BIT);
}

static void copy(struct baseline *b, VkBufferUsageFlags usage, uint32_t count, VkDeviceSize offset, VkDeviceSize stride,
                 VkQueryResultFlags flags)
{
    VkQueryPool pool = make_occlusion(b);
    VkBuffer buffer = make_buffer(b, 64, usage);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdBeginQuery(command_buffer, pool, i, 0);
        vkCmdEndQuery(command_buffer, pool, i);
    }
    vkCmdCopyQueryPoolResults(command_buffer, pool, 0, count, buffer, offset, stride, flags);
}

#define COPY(name_, vuid_, ...)                                          \
    SCENARIO(name_, .expect = {"VUID-vkCmdCopyQueryPoolResults-" vuid_}) \
    {                                                                    \
        copy(b, __VA_ARGS__);                                            \
    }
COPY(copy_behind_the_pool, "firstQuery-09437", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 5, 0, 4, 0)
COPY(copy_without_stride, "queryCount-09438", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 0, 0)
COPY(copy_behind_the_buffer, "dstOffset-00819", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 64, 4, 0)
COPY(copy_unaligned, "flags-00822", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 2, 4, 0)
COPY(copy_unaligned_64, "flags-00823", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 4, 8, VK_QUERY_RESULT_64_BIT)
COPY(copy_stride_unaligned, "queryCount-12254", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 6, 0)
COPY(copy_stride_unaligned_64, "queryCount-12255", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 12, VK_QUERY_RESULT_64_BIT)
COPY(copy_too_large, "dstBuffer-00824", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 32, 16, 0)
COPY(copy_to_other_usage, "dstBuffer-00825", VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 1, 0, 4, 0)

/* Without the extension of one of the flags. */
SCENARIO(copy_with_both_flags,
         .expect = {"VUID-vkCmdCopyQueryPoolResults-flags-09443", "VUID-vkCmdCopyQueryPoolResults-flags-parameter"})
{
    copy(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 0, 8,
         VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
}

SCENARIO(copy_in_order)
{
    copy(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 4, 4, 0);
    copy(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 0, 16, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(copy_active, .expect = {"VUID-vkCmdCopyQueryPoolResults-None-07429"})
{
    VkQueryPool pool = make_occlusion(b);
    vkCmdCopyQueryPoolResults(begin_active(b, pool), pool, 0, 1, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                              0, 4, 0);
}

SCENARIO(destroy_pending, .expect = {"VUID-vkDestroyQueryPool-queryPool-00793"}, .text = {"is in use by work"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
    vkDestroyQueryPool(b->device, pool, NULL);
    VK(vkQueueWaitIdle(b->queue));
}
