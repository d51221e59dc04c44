/* Queries: pools, their use in command buffers, results (18 "Queries"). */
#include "scenario.h"

static VkQueryPool make_queries(struct baseline *b, VkQueryType type, uint32_t count)
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
    return make_queries(b, VK_QUERY_TYPE_OCCLUSION, 4);
}

static const VkPhysicalDeviceFeatures2 statistics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.pipelineStatisticsQuery = VK_TRUE, .occlusionQueryPrecise = VK_TRUE}};

SCENARIO(pools, .features = &statistics)
{
    make_queries(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 2);
    make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    make_occlusion(b);
}

SCENARIO(reset_behind_the_end, .expect = {"VUID-vkCmdResetQueryPool-firstQuery-09436"},
         .text = {"firstQuery is 4, not less than queryCount of VkQueryPool 0x"})
{
    vkCmdResetQueryPool(make_recording(b), make_occlusion(b), 4, 1);
}

static VkCommandBuffer begin_active(struct baseline *b, VkQueryPool pool)
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 4);
    vkCmdBeginQuery(command_buffer, pool, 0, 0);
    return command_buffer;
}

SCENARIO(reset_active, .expect = {"VUID-vkCmdResetQueryPool-None-02841"},
         .text = {"has query 0 active"})
{
    VkQueryPool pool = make_occlusion(b);
    vkCmdResetQueryPool(begin_active(b, pool), pool, 0, 1);
}

static const VkPhysicalDeviceVulkan12Features host_reset = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .hostQueryReset = VK_TRUE};

static const VkPhysicalDeviceVulkan12Features host_reset_and_timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .hostQueryReset = VK_TRUE,
    .timelineSemaphore = VK_TRUE};
SCENARIO(host_reset_all, .features = &host_reset)
{
    vkResetQueryPool(b->device, make_occlusion(b), 0, 4);
}

SCENARIO(begin_behind_the_end, .expect = {"VUID-vkCmdBeginQuery-query-00802"},
         .text = {"query is 4"})
{
    vkCmdBeginQuery(make_recording(b), make_occlusion(b), 4, 0);
}

SCENARIO(begin_again, .expect = {"VUID-vkCmdBeginQuery-None-00807"},
         .text = {"query 0 was used in this command buffer"})
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

SCENARIO(end_inactive, .expect = {"VUID-vkCmdEndQuery-None-01923"},
         .text = {"query 1 is not active"})
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

SCENARIO(query_left_active, .expect = {"VUID-vkEndCommandBuffer-commandBuffer-00061"},
         .text = {"1 query active"})
{
    vkEndCommandBuffer(begin_active(b, make_occlusion(b)));
}

SCENARIO(queries_in_order, .features = &statistics)
{
    VkQueryPool pool = make_occlusion(b),
                other = make_queries(b, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1);
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

SCENARIO(timestamp_again, .expect = {"VUID-vkCmdWriteTimestamp-None-00830"})
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
}

static const VkPhysicalDeviceVulkan13Features sync2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};

SCENARIO(timestamp2_of_two_stages, .expect = {"VUID-vkCmdWriteTimestamp2-stage-03859"},
         .features = &sync2)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer,
                         VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT, pool, 0);
}

SCENARIO(timestamp2_without_feature, .expect = {"VUID-vkCmdWriteTimestamp2-synchronization2-03858"})
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
}

SCENARIO(timestamp2_again, .expect = {"VUID-vkCmdWriteTimestamp2-None-03864"}, .features = &sync2)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_COPY_BIT, pool, 0);
}

SCENARIO(timestamps, .features = &sync2)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 2);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 2);
    vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
    run_commands(b, command_buffer);
    uint64_t results[2];
    VK(vkGetQueryPoolResults(b->device, pool, 0, 2, sizeof(results), results, 8,
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
}

/* Stages that features bring, and that the queue family does not have. */
static void write_timestamp(struct baseline *b, VkCommandBuffer command_buffer,
                            VkPipelineStageFlagBits stage)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp(command_buffer, stage, pool, 0);
}

#define STAGE(name_, id_, stage_, ...)                                          \
    SCENARIO(name_, .expect = {"VUID-vkCmdWriteTimestamp-" id_}, ##__VA_ARGS__) \
    {                                                                           \
        write_timestamp(b, make_recording(b), VK_PIPELINE_STAGE_##stage_);      \
    }
#define WITH(...) .drivers = NULL_DRIVER, .extensions = {__VA_ARGS__}
STAGE(timestamp_of_geometry, "pipelineStage-04075", GEOMETRY_SHADER_BIT)
STAGE(timestamp_of_tessellation, "pipelineStage-04076", TESSELLATION_CONTROL_SHADER_BIT)
STAGE(timestamp_of_condition, "pipelineStage-04077", CONDITIONAL_RENDERING_BIT_EXT,
      WITH(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME))
STAGE(timestamp_of_density, "pipelineStage-04078", FRAGMENT_DENSITY_PROCESS_BIT_EXT,
      WITH(VK_EXT_FRAGMENT_DENSITY_MAP_EXTENSION_NAME))
STAGE(timestamp_of_feedback, "pipelineStage-04079", TRANSFORM_FEEDBACK_BIT_EXT,
      WITH(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME))
STAGE(timestamp_of_mesh, "pipelineStage-04080", MESH_SHADER_BIT_EXT,
      WITH(VK_EXT_MESH_SHADER_EXTENSION_NAME))
STAGE(timestamp_of_task, "pipelineStage-07077", TASK_SHADER_BIT_EXT,
      WITH(VK_EXT_MESH_SHADER_EXTENSION_NAME))
STAGE(timestamp_of_shading_rate, "shadingRateImage-07314", FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR,
      WITH(VK_KHR_FRAGMENT_SHADING_RATE_EXTENSION_NAME))
STAGE(timestamp_of_rays, "rayTracingPipeline-07943", RAY_TRACING_SHADER_BIT_KHR,
      WITH(VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
           VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME))

SCENARIO(timestamp_of_graphics_on_compute_queue,
         .expect = {"VUID-vkCmdWriteTimestamp-pipelineStage-04074"}, .drivers = NULL_DRIVER)
{
    uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    write_timestamp(b, make_recording_of(b, family), VK_PIPELINE_STAGE_VERTEX_SHADER_BIT);
}

SCENARIO(timestamp2_of_graphics_on_compute_queue,
         .expect = {"VUID-vkCmdWriteTimestamp2-stage-03860"}, .drivers = NULL_DRIVER,
         .features = &sync2)
{
    uint32_t family =
        find_queue_family(b->physical_device, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT);
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    VkCommandBuffer command_buffer = make_recording_of(b, family);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, pool, 0);
}

/* --- indexed queries --- */

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE,
    .geometryStreams = VK_TRUE};
static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)&feedback,
    .primitivesGeneratedQuery = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&generates,
    .meshShader = VK_TRUE,
    .meshShaderQueries = VK_TRUE};
#define NO_PRIMITIVES                                                                          \
    WITH(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,                                             \
         VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME), \
        .features = &feedback
#define INDEXED                                                                                \
    WITH(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,                                             \
         VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME, VK_EXT_MESH_SHADER_EXTENSION_NAME), \
        .features = &mesh
#define STREAM VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT
#define PRIMS  VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT

static uint32_t most_streams(struct baseline *b)
{
    VkPhysicalDeviceTransformFeedbackPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(b->physical_device, &properties);
    return limits.maxTransformFeedbackStreams;
}

/* Begun; `command_buffer` VK_NULL_HANDLE: in a new one. */
static VkCommandBuffer begin_indexed(struct baseline *b, VkCommandBuffer command_buffer,
                                     VkQueryPool pool, uint32_t query, uint32_t index)
{
    command_buffer = command_buffer ? command_buffer : make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, query, 1);
    DEVICE_PROC(b, vkCmdBeginQueryIndexedEXT)(command_buffer, pool, query, 0, index);
    return command_buffer;
}

static void end_indexed(struct baseline *b, VkCommandBuffer command_buffer, VkQueryPool pool,
                        uint32_t query, uint32_t index)
{
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(command_buffer, pool, query, index);
}

SCENARIO(indexed_queries, INDEXED)
{
    VkQueryPool pool = make_queries(b, STREAM, 4), primitives = make_queries(b, PRIMS, 1);
    VkCommandBuffer command_buffer = begin_indexed(b, VK_NULL_HANDLE, pool, 0, 0);
    begin_indexed(b, command_buffer, pool, 1, most_streams(b) - 1);
    begin_indexed(b, command_buffer, primitives, 0, 0);
    end_indexed(b, command_buffer, primitives, 0, 0);
    end_indexed(b, command_buffer, pool, 1, most_streams(b) - 1);
    end_indexed(b, command_buffer, pool, 0, 0);
    run_commands(b, command_buffer);
}

#define BEGIN_INDEXED(name_, id_, type_, index_, ...)                                 \
    SCENARIO(name_, .expect = {"VUID-vkCmdBeginQueryIndexedEXT-" id_}, ##__VA_ARGS__) \
    {                                                                                 \
        begin_indexed(b, VK_NULL_HANDLE, make_queries(b, type_, 4), 0, index_);       \
    }
BEGIN_INDEXED(indexed_stream_too_high, "queryType-02339", STREAM, most_streams(b), INDEXED)
BEGIN_INDEXED(indexed_primitives_of_other_stream, "queryType-06691", PRIMS, 1, INDEXED)
BEGIN_INDEXED(indexed_occlusion_with_index, "queryType-06692", VK_QUERY_TYPE_OCCLUSION, 1, INDEXED)
BEGIN_INDEXED(indexed_primitives_without_feature, "queryType-06693", PRIMS, 0, NO_PRIMITIVES)
BEGIN_INDEXED(indexed_mesh_primitives, "queryType-07071",
              VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT, 0, INDEXED)
BEGIN_INDEXED(indexed_stream_without_queries, "queryType-02341", STREAM, 0, INDEXED,
              .null_driver = "{\"properties\": {\"transformFeedbackQueries\": false}}")

static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generates_in_streams = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)&feedback,
    .primitivesGeneratedQuery = VK_TRUE,
    .primitivesGeneratedQueryWithNonZeroStreams = VK_TRUE};
BEGIN_INDEXED(indexed_primitives_stream_too_high, "queryType-06690", PRIMS, most_streams(b),
              WITH(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                   VK_EXT_PRIMITIVES_GENERATED_QUERY_EXTENSION_NAME),
              .features = &generates_in_streams)

SCENARIO(indexed_twice, INDEXED, .expect = {"VUID-vkCmdBeginQueryIndexedEXT-queryPool-04753"})
{
    VkQueryPool pool = make_queries(b, STREAM, 4);
    VkCommandBuffer command_buffer = begin_indexed(b, VK_NULL_HANDLE, pool, 0, 0);
    begin_indexed(b, command_buffer, pool, 1, 0);
}

SCENARIO(end_indexed_inactive, INDEXED, .expect = {"VUID-vkCmdEndQueryIndexedEXT-None-02342"})
{
    end_indexed(b, make_recording(b), make_queries(b, STREAM, 4), 0, 0);
}

SCENARIO(end_indexed_in_another_subpass, INDEXED,
         .expect = {"VUID-vkCmdEndQueryIndexedEXT-None-07007"})
{
    VkQueryPool pool = make_queries(b, STREAM, 4);
    VkCommandBuffer command_buffer = begin_indexed(b, VK_NULL_HANDLE, pool, 0, 1);
    begin_rendering(b, command_buffer);
    end_indexed(b, command_buffer, pool, 0, 1);
}

SCENARIO(end_indexed_with_other_index, INDEXED,
         .expect = {"VUID-vkCmdEndQueryIndexedEXT-queryType-06696"})
{
    VkQueryPool pool = make_queries(b, STREAM, 4);
    end_indexed(b, begin_indexed(b, VK_NULL_HANDLE, pool, 0, 1), pool, 0, 0);
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

#define RESULTS(name_, vuid_, first_, count_, size_, data_, stride_, flags_, ...)   \
    SCENARIO(name_, .expect = {"VUID-vkGetQueryPoolResults-" vuid_, ##__VA_ARGS__}) \
    {                                                                               \
        uint64_t data[16] = {0};                                                    \
        vkGetQueryPoolResults(b->device, run_queries(b), first_, count_, size_,     \
                              (char *)data + (data_), stride_, flags_);             \
    }
RESULTS(results_behind_the_end, "firstQuery-09436", 4, 1, 8, 0, 8, 0)
RESULTS(results_too_many, "firstQuery-09437", 3, 2, 16, 0, 8, 0)
RESULTS(results_without_stride, "queryCount-09438", 0, 2, 16, 0, 0, 0)
RESULTS(results_unaligned, "flags-00815", 0, 1, 8, 4, 8, VK_QUERY_RESULT_64_BIT)
RESULTS(results_stride_unaligned, "queryCount-12252", 0, 2, 64, 0, 12, VK_QUERY_RESULT_64_BIT)
RESULTS(results_stride_too_small, "stride-08993", 0, 2, 64, 0, 4,
        VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
RESULTS(results_unaligned_32, "flags-02828", 0, 1, 4, 2, 4, 0)
RESULTS(results_stride_unaligned_32, "queryCount-12251", 0, 2, 64, 0, 6, 0)
RESULTS(results_too_small, "dataSize-00817", 0, 2, 8, 0, 8, 0)

SCENARIO(results)
{
    uint64_t data[16] = {0};
    VkQueryPool pool = run_queries(b);
    vkGetQueryPoolResults(b->device, pool, 0, 4, 16, data, 4, VK_QUERY_RESULT_WAIT_BIT);
    vkGetQueryPoolResults(b->device, pool, 2, 2, 32, data, 16,
                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(results_never_reset, .expect = {"VUID-vkGetQueryPoolResults-None-09401"},
         .text = {"has query 1, which was never reset"})
{
    uint32_t data[4];
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    run_commands(b, command_buffer);
    vkGetQueryPoolResults(b->device, pool, 0, 4, sizeof(data), data, 4, 0);
}

SCENARIO(results_after_host_reset, .features = &host_reset)
{
    uint32_t data[4];
    VkQueryPool pool = make_occlusion(b);
    vkResetQueryPool(b->device, pool, 0, 4);
    vkGetQueryPoolResults(b->device, pool, 0, 4, sizeof(data), data, 4, 0);
}

static void copy_query_results(struct baseline *b, VkBufferUsageFlags usage, uint32_t count,
                               VkDeviceSize offset, VkDeviceSize stride, VkQueryResultFlags flags)
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
        copy_query_results(b, __VA_ARGS__);                              \
    }
COPY(copy_behind_the_pool, "firstQuery-09437", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 5, 0, 4, 0)
COPY(copy_without_stride, "queryCount-09438", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 0, 0)
COPY(copy_behind_the_buffer, "dstOffset-00819", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 64, 4, 0)
COPY(copy_unaligned, "flags-00822", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 2, 4, 0)
COPY(copy_unaligned_64, "flags-00823", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 4, 8,
     VK_QUERY_RESULT_64_BIT)
COPY(copy_stride_unaligned, "queryCount-12254", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 6, 0)
COPY(copy_stride_unaligned_64, "queryCount-12255", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 2, 0, 12,
     VK_QUERY_RESULT_64_BIT)
COPY(copy_too_large, "dstBuffer-00824", VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 32, 16, 0)
COPY(copy_to_other_usage, "dstBuffer-00825", VK_BUFFER_USAGE_TRANSFER_SRC_BIT, 1, 0, 4, 0)

/* --- queries and render pass instances --- */

static void end_instance(struct baseline *b, bool second, bool begun_before, bool ended)
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer c = make_recording(b);
    const VkSubpassEndInfo info = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    vkCmdResetQueryPool(c, pool, 0, 4);
    if (begun_before)
        vkCmdBeginQuery(c, pool, 0, 0);
    begin_rendering(b, c);
    if (!begun_before)
        vkCmdBeginQuery(c, pool, 0, 0);
    if (ended)
        vkCmdEndQuery(c, pool, 0);
    if (second)
        vkCmdEndRenderPass2(c, &info);
    else
        vkCmdEndRenderPass(c);
    if (begun_before)
        vkCmdEndQuery(c, pool, 0);
    if (begun_before || ended)
        VK(vkEndCommandBuffer(c));
}

SCENARIO(active_where_the_pass_ends, .expect = {"VUID-vkCmdEndRenderPass-None-07004"},
         .text = {"commandBuffer has query 0 active, which was begun in this render pass instance"})
{
    end_instance(b, false, false, false);
}

SCENARIO(active_where_the_pass_ends_2, .expect = {"VUID-vkCmdEndRenderPass2-None-07005"})
{
    end_instance(b, true, false, false);
}

SCENARIO(ended_before_the_pass)
{
    end_instance(b, false, false, true);
    end_instance(b, true, false, true);
}

SCENARIO(active_around_the_pass)
{
    end_instance(b, false, true, false);
    end_instance(b, true, true, false);
}

/* One mistake: later instances are not the one in which it was begun. */
SCENARIO(active_where_the_first_of_two_passes_ends, .proceed = true,
         .expect = {"VUID-vkCmdEndRenderPass-None-07004"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 4);
    begin_rendering(b, c);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdEndRenderPass(c);
    begin_rendering(b, c);
    vkCmdEndRenderPass(c);
}

static const VkPhysicalDeviceVulkan13Features dynamic_rendering = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static void end_dynamic(struct baseline *b, bool second, bool begun_before, bool ended)
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer c = make_recording(b);
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {8, 8}}, .layerCount = 1};
    const VkRenderingEndInfoKHR end = {.sType = VK_STRUCTURE_TYPE_RENDERING_END_INFO_KHR};
    vkCmdResetQueryPool(c, pool, 0, 4);
    if (begun_before)
        vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdBeginRendering(c, &info);
    if (!begun_before)
        vkCmdBeginQuery(c, pool, 0, 0);
    if (ended)
        vkCmdEndQuery(c, pool, 0);
    if (second)
        DEVICE_PROC(b, vkCmdEndRendering2KHR)(c, &end);
    else
        vkCmdEndRendering(c);
    if (begun_before)
        vkCmdEndQuery(c, pool, 0);
    if (begun_before || ended)
        VK(vkEndCommandBuffer(c));
}

SCENARIO(active_where_rendering_ends, .features = &dynamic_rendering,
         .expect = {"VUID-vkCmdEndRendering-None-06999"})
{
    end_dynamic(b, false, false, false);
}

static const VkPhysicalDeviceMaintenance10FeaturesKHR maintenance10 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_10_FEATURES_KHR,
    .pNext = (void *)&dynamic_rendering,
    .maintenance10 = VK_TRUE};
SCENARIO(active_where_rendering_ends_2, .drivers = NULL_DRIVER, .features = &maintenance10,
         .extensions = {VK_KHR_MAINTENANCE_10_EXTENSION_NAME},
         .expect = {"VUID-vkCmdEndRendering2KHR-None-10613"})
{
    end_dynamic(b, true, false, false);
}

SCENARIO(active_around_rendering, .features = &dynamic_rendering)
{
    end_dynamic(b, false, true, false);
    end_dynamic(b, false, false, true);
}

/* Without the extension of one of the flags. */
SCENARIO(copy_with_both_flags, .expect = {"VUID-vkCmdCopyQueryPoolResults-flags-parameter",
                                          "VUID-vkCmdCopyQueryPoolResults-queryType-11874",
                                          "VUID-vkCmdCopyQueryPoolResults-flags-09443"})
{
    copy_query_results(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 1, 0, 8,
                       VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
}

SCENARIO(copy_too_many, .expect = {"VUID-vkCmdCopyQueryPoolResults-firstQuery-09437"})
{
    vkCmdCopyQueryPoolResults(make_recording(b), run_queries(b), 2, 3,
                              make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 4, 0);
}

SCENARIO(copy_in_order)
{
    copy_query_results(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 4, 4, 0);
    copy_query_results(b, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 4, 0, 16,
                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(copy_active, .expect = {"VUID-vkCmdCopyQueryPoolResults-None-07429"})
{
    VkQueryPool pool = make_occlusion(b);
    vkCmdCopyQueryPoolResults(begin_active(b, pool), pool, 0, 1,
                              make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 4, 0);
}

/* The query that the program has read is done, and no other query of the pool is in use. */
static void destroy_after_read(struct baseline *b, uint32_t query)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 2);
    VkCommandBuffer first = make_recording(b), second = make_recording(b);
    VkSubmitInfo submits[2] = {submit_info(&first), submit_info(&second)};
    uint64_t result;
    vkCmdResetQueryPool(first, pool, 0, 2);
    vkCmdWriteTimestamp(first, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
    vkCmdWriteTimestamp(second, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
    VK(vkEndCommandBuffer(first));
    VK(vkEndCommandBuffer(second));
    VK(vkQueueSubmit(b->queue, 2, submits, VK_NULL_HANDLE));
    VK(vkGetQueryPoolResults(b->device, pool, query, 1, sizeof(result), &result, sizeof(result),
                             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    if (query == 1)
        FORGET(b, pool);
    vkDestroyQueryPool(b->device, pool, NULL);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(destroy_read)
{
    destroy_after_read(b, 1);
}

SCENARIO(destroy_read_before_the_last, .expect = {"VUID-vkDestroyQueryPool-queryPool-00793"})
{
    destroy_after_read(b, 0);
}

SCENARIO(destroy_pending, .expect = {"VUID-vkDestroyQueryPool-queryPool-00793"},
         .text = {"is in use by VkCommandBuffer 0x"})
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

/* --- over submissions ------------------------------------------------------------------------- */

/* As run_commands(), where the submit is a mistake: the call may not reach the driver. */
static void run_mistake(struct baseline *b, VkCommandBuffer command_buffer)
{
    VkSubmitInfo submit = submit_info(&command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

static VkCommandBuffer use_query(struct baseline *b, VkQueryPool pool, bool reset)
{
    VkCommandBuffer command_buffer = make_recording(b);
    if (reset)
        vkCmdResetQueryPool(command_buffer, pool, 1, 1);
    vkCmdBeginQuery(command_buffer, pool, 1, 0);
    vkCmdEndQuery(command_buffer, pool, 1);
    return command_buffer;
}

SCENARIO(begin_never_reset, .expect = {"VUID-vkCmdBeginQuery-None-00807"},
         .text = {"pSubmits[0].pCommandBuffers[0] uses query 1 of VkQueryPool 0x",
                  "(vkCmdBeginQuery), which was never reset since its pool was created"})
{
    run_mistake(b, use_query(b, make_occlusion(b), false));
}

SCENARIO(begin_used_by_an_earlier_submit, .expect = {"VUID-vkCmdBeginQuery-None-00807"},
         .text = {"which was used by work that was submitted before and not reset since"})
{
    VkQueryPool pool = make_occlusion(b);
    run_commands(b, use_query(b, pool, true));
    run_mistake(b, use_query(b, pool, false));
}

SCENARIO(begin_used_by_a_submit_twice, .expect = {"VUID-vkCmdBeginQuery-None-00807"},
         .features = &host_reset)
{
    VkQueryPool pool = make_occlusion(b);
    vkResetQueryPool(b->device, pool, 0, 4);
    VkCommandBuffer command_buffer = use_query(b, pool, false);
    run_commands(b, command_buffer);
    VkSubmitInfo submit = submit_info(&command_buffer);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

SCENARIO(begin_used_by_an_earlier_command_buffer, .expect = {"VUID-vkCmdBeginQuery-None-00807"})
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer list[] = {use_query(b, pool, true), use_query(b, pool, false)};
    VK(vkEndCommandBuffer(list[0]));
    VK(vkEndCommandBuffer(list[1]));
    VkSubmitInfo submit = submit_info(list);
    submit.commandBufferCount = 2;
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
    vkQueueWaitIdle(b->queue);
}

SCENARIO(timestamp_used_by_an_earlier_submit,
         .expect = {"VUID-vkCmdWriteTimestamp-None-00830", "VUID-vkCmdWriteTimestamp2-None-03864"},
         .features = &sync2)
{
    VkQueryPool pool = make_queries(b, VK_QUERY_TYPE_TIMESTAMP, 4);
    for (int round = 0; round < 3; round++) {
        VkCommandBuffer command_buffer = make_recording(b);
        if (round == 0)
            vkCmdResetQueryPool(command_buffer, pool, 0, 4);
        if (round == 2)
            vkCmdWriteTimestamp2(command_buffer, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 0);
        else
            vkCmdWriteTimestamp(command_buffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, 0);
        run_mistake(b, command_buffer);
    }
}

/* Reset by an earlier submit, by an earlier command buffer, by the host, by the command buffer
 * itself. */
SCENARIO(queries_over_submits, .features = &host_reset)
{
    VkQueryPool pool = make_occlusion(b);
    VkCommandBuffer reset = make_recording(b);
    vkCmdResetQueryPool(reset, pool, 0, 4);
    run_commands(b, reset);
    run_commands(b, use_query(b, pool, false));
    VkCommandBuffer list[] = {make_recording(b), use_query(b, pool, false)};
    vkCmdResetQueryPool(list[0], pool, 0, 4);
    VK(vkEndCommandBuffer(list[0]));
    VK(vkEndCommandBuffer(list[1]));
    VkSubmitInfo submit = submit_info(list);
    submit.commandBufferCount = 2;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
    vkResetQueryPool(b->device, pool, 1, 1);
    run_commands(b, use_query(b, pool, false));
    VkCommandBuffer again = use_query(b, pool, true);
    run_commands(b, again);
    submit = submit_info(&again);
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    VK(vkQueueWaitIdle(b->queue));
}

/* A secondary's use is its primary's. */
static VkCommandBuffer use_query_in_secondary(struct baseline *b, VkQueryPool pool)
{
    VkCommandBuffer secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    const VkCommandBufferInheritanceInfo inheritance = {
        VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = begin_info();
    info.pInheritanceInfo = &inheritance;
    info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    VK(vkBeginCommandBuffer(secondary, &info));
    vkCmdBeginQuery(secondary, pool, 1, 0);
    vkCmdEndQuery(secondary, pool, 1);
    VK(vkEndCommandBuffer(secondary));
    return secondary;
}

SCENARIO(secondary_uses_query_not_reset, .expect = {"VUID-vkCmdBeginQuery-None-00807"})
{
    VkQueryPool pool = make_occlusion(b);
    run_commands(b, use_query(b, pool, true));
    VkCommandBuffer primary = make_recording(b), secondary = use_query_in_secondary(b, pool);
    vkCmdExecuteCommands(primary, 1, &secondary);
    run_mistake(b, primary);
}

SCENARIO(secondary_uses_query_reset)
{
    VkQueryPool pool = make_occlusion(b);
    run_commands(b, use_query(b, pool, true));
    VkCommandBuffer primary = make_recording(b), secondary = use_query_in_secondary(b, pool);
    vkCmdResetQueryPool(primary, pool, 0, 4);
    vkCmdExecuteCommands(primary, 1, &secondary);
    run_commands(b, primary);
}

/* A submit waits for a value whose signal was not submitted yet. Before it another queue's submit
 * may still come that resets the query: nothing is said (here none comes). */
SCENARIO(query_of_a_submit_that_waits_ahead, .ours_only = true,
         .features = &host_reset_and_timeline)
{
    VkQueryPool pool = make_occlusion(b);
    VkSemaphore timeline = make_timeline_semaphore(b, 0);
    VkCommandBuffer command_buffer = use_query(b, pool, true);
    run_commands(b, command_buffer);
    VkCommandBuffer later = use_query(b, pool, false);
    VK(vkEndCommandBuffer(later));
    const uint64_t one = 1;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                  .waitSemaphoreValueCount = 1,
                                                  .pWaitSemaphoreValues = &one};
    VkSubmitInfo submit = submit_info(&later);
    submit.pNext = &values;
    submit.waitSemaphoreCount = 1;
    submit.pWaitSemaphores = &timeline;
    submit.pWaitDstStageMask = &stage;
    VK(vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE));
    const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                          .semaphore = timeline, .value = 1};
    VK(vkSignalSemaphore(b->device, &signal));
    VK(vkQueueWaitIdle(b->queue));
}
