/* More of queries (18): types that a queue family or vkCmdBeginQuery does not do, views of a
 * subpass, families without timestamps. */
#include "scenario.h"

static const VkPhysicalDeviceFeatures2 statistics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.pipelineStatisticsQuery = VK_TRUE}};

static VkQueryPool make_pool_of_type(struct baseline *b, VkQueryType type, uint32_t count)
{
    VkQueryPoolCreateInfo info = query_pool_info();
    info.queryType = type;
    info.queryCount = count;
    if (type == VK_QUERY_TYPE_PIPELINE_STATISTICS)
        info.pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT;
    return create_query_pool(b, &info);
}

/* --- types --- */

/* Family 0 does graphics, family 1 compute, family 2 neither: but it counts the time. */
#define FAMILIES                                                                                  \
    .drivers = NULL_DRIVER,                                                                       \
    .null_driver =                                                                                \
        "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"], \"count\": " \
        "1}, "                                                                                    \
        "{\"flags\": [\"compute\", \"transfer\"], \"count\": 1}, "                                \
        "{\"flags\": [\"graphics\", \"transfer\"], \"count\": 1, \"timestampValidBits\": 0}]}"

static void begin_on(struct baseline *b, uint32_t family, VkQueryType type)
{
    VkQueryPool pool = make_pool_of_type(b, type, 1);
    VkCommandBuffer c = make_recording_of(b, family);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdBeginQuery(c, pool, 0, 0);
}
#define BEGIN(name_, family_, type_, ...)            \
    SCENARIO(name_, FAMILIES, __VA_ARGS__)           \
    {                                                \
        begin_on(b, family_, VK_QUERY_TYPE_##type_); \
    }
#define BEGIN_ID(id_) .expect = {"VUID-vkCmdBeginQuery-queryType-" id_}
BEGIN(compute_statistics, 1, PIPELINE_STATISTICS, .features = &statistics)

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE};
#define FEEDBACK .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback
BEGIN(feedback_of_graphics, 0, TRANSFORM_FEEDBACK_STREAM_EXT, FEEDBACK)

static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitives = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&feedback,
    .primitivesGeneratedQuery = VK_TRUE};
#define PRIMITIVES                                                                    \
    .extensions = {"VK_EXT_primitives_generated_query", "VK_EXT_transform_feedback"}, \
    .features = &primitives
BEGIN(primitives_of_graphics, 0, PRIMITIVES_GENERATED_EXT, PRIMITIVES)

/* --- results --- */

#define VIDEO .drivers = NULL_DRIVER, .extensions = {"VK_KHR_video_queue"}
static void get_status(struct baseline *b, VkQueryResultFlags flags)
{
    uint32_t value;
    (void)vkGetQueryPoolResults(b->device,
                                make_pool_of_type(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1), 0, 1,
                                sizeof(value), &value, sizeof(value), flags);
}
SCENARIO(status_with_flag, VIDEO, .allow = {"VUID-vkGetQueryPoolResults-None-09401"})
{
    get_status(b, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
}

/* --- timestamps --- */

static const VkPhysicalDeviceVulkan13Features sync2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
static VkQueryPool make_timestamp(struct baseline *b, VkCommandBuffer c)
{
    VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    vkCmdResetQueryPool(c, pool, 0, 1);
    return pool;
}
SCENARIO(timestamp_with_bits, FAMILIES)
{
    VkCommandBuffer c = make_recording_of(b, 1);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, make_timestamp(b, c), 0);
}

/* --- queries of several views --- */

static const VkPhysicalDeviceVulkan11Features views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)(uintptr_t)&sync2,
    .multiview = VK_TRUE};

/* Inside of a render pass with two views. */
static void begin_views(struct baseline *b, VkCommandBuffer c)
{
    static const uint32_t mask = 3;
    const VkRenderPassMultiviewCreateInfo multiview = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &multiview;
    VkRenderPass pass = create_render_pass(b, &info);
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 2;
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, create_image_view(b, &view)));
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

#define VIEWS(name_, type_, count_, action_, ...)                               \
    SCENARIO(name_, .features = &views, ##__VA_ARGS__)                          \
    {                                                                           \
        VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_##type_, count_); \
        VkCommandBuffer c = make_recording(b);                                  \
        vkCmdResetQueryPool(c, pool, 0, count_);                                \
        begin_views(b, c);                                                      \
        action_;                                                                \
    }
VIEWS(begin_two_views, OCCLUSION, 2, (vkCmdBeginQuery(c, pool, 0, 0), vkCmdEndQuery(c, pool, 0)))
VIEWS(begin_two_views_of_one, OCCLUSION, 1, vkCmdBeginQuery(c, pool, 0, 0),
      .expect = {"VUID-vkCmdBeginQuery-query-00808"})
VIEWS(write_two_views, TIMESTAMP, 2,
      vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0))
VIEWS(write_two_views_of_one, TIMESTAMP, 1,
      vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0),
      .expect = {"VUID-vkCmdWriteTimestamp-query-00831"})
VIEWS(write2_two_views_of_one, TIMESTAMP, 1,
      vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, pool, 0),
      .expect = {"VUID-vkCmdWriteTimestamp2-query-03865"})

/* --- more types --- */

static const VkPhysicalDevicePerformanceQueryFeaturesKHR performance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
    .performanceCounterQueryPools = VK_TRUE};
#define PERFORMANCE(copies_)                                                                      \
    .drivers = NULL_DRIVER, .features = &performance, .extensions = {"VK_KHR_performance_query"}, \
    .null_driver = "{\"properties\": {\"allowCommandBufferQueryCopies\": " copies_ "}}"

static VkQueryPool make_performance(struct baseline *b)
{
    static const uint32_t counter = 0;
    const VkQueryPoolPerformanceCreateInfoKHR counters = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
        .counterIndexCount = 1,
        .pCounterIndices = &counter};
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = &counters;
    info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
    info.queryCount = 1;
    return create_query_pool(b, &info);
}

SCENARIO(performance_without_feature, .drivers = NULL_DRIVER,
         .extensions = {"VK_KHR_performance_query"},
         .expect = {"VUID-VkQueryPoolPerformanceCreateInfoKHR-performanceCounterQueryPools-03237"})
{
    make_performance(b);
}

/* "queryPool must have been recorded once for each pass": the null driver needs one. The reset is
 * in another command buffer, as it must be, and the lock is held from before the recording on. */
static VkQueryPool make_measured(struct baseline *b)
{
    const VkAcquireProfilingLockInfoKHR lock = {
        .sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR, .timeout = UINT64_MAX};
    VkQueryPool pool = make_performance(b);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    run_commands(b, c);
    VK(DEVICE_PROC(b, vkAcquireProfilingLockKHR)(b->device, &lock));
    c = make_recording(b);
    vkCmdBeginQuery(c, pool, 0, 0);
    vkCmdEndQuery(c, pool, 0);
    run_commands(b, c);
    DEVICE_PROC(b, vkReleaseProfilingLockKHR)(b->device);
    return pool;
}

static void copy_first_result(struct baseline *b, VkCommandBuffer c, VkQueryPool pool)
{
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                              0, 8, 0);
}

SCENARIO(performance_copied, PERFORMANCE("true"))
{
    VkQueryPool pool = make_measured(b);
    copy_first_result(b, make_recording(b), pool);
}

static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_queries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .meshShader = VK_TRUE,
    .meshShaderQueries = VK_TRUE};
#define MESH .extensions = {"VK_EXT_mesh_shader"}, .features = &mesh_queries
BEGIN(mesh_primitives_of_graphics, 0, MESH_PRIMITIVES_GENERATED_EXT, MESH)

/* --- with an index --- */

static void begin_indexed_on(struct baseline *b, VkCommandBuffer c, VkQueryType type)
{
    VkQueryPool pool = make_pool_of_type(b, type, 1);
    vkCmdResetQueryPool(c, pool, 0, 1);
    DEVICE_PROC(b, vkCmdBeginQueryIndexedEXT)(c, pool, 0, 0, 0);
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(c, pool, 0, 0);
}
#define INDEXED_ON(name_, family_, type_, ...)                                     \
    SCENARIO(name_, FAMILIES, PRIMITIVES, ##__VA_ARGS__)                           \
    {                                                                              \
        begin_indexed_on(b, make_recording_of(b, family_), VK_QUERY_TYPE_##type_); \
    }
INDEXED_ON(indexed_feedback_of_graphics, 0, TRANSFORM_FEEDBACK_STREAM_EXT)

/* --- ended, with more views than queries --- */

VIEWS(end_two_views_of_one, OCCLUSION, 1,
      (vkCmdBeginQuery(c, pool, 0, 0), vkCmdEndQuery(c, pool, 0)), .proceed = true,
      .expect = {"VUID-vkCmdBeginQuery-query-00808", "VUID-vkCmdEndQuery-query-00812"},
      .text = {"query is 0, from which on the 2 views of the subpass take a query each, but the "
               "pool has 1"})

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback_of_views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&views,
    .transformFeedback = VK_TRUE};
SCENARIO(end_indexed_two_views_of_one, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback_of_views,
         .proceed = true,
         .expect = {"VUID-vkCmdBeginQuery-query-00808", "VUID-vkCmdEndQueryIndexedEXT-query-02345"},
         .text = {"query is 0, from which on the 2 views of the subpass take a query each, but the "
                  "pool has 1"})
{
    VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    begin_views(b, c);
    vkCmdBeginQuery(c, pool, 0, 0);
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(c, pool, 0, 0);
}

/* --- timestamps of no stage --- */

SCENARIO(timestamp_of_no_stage_with_feature, .features = &sync2)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_NONE, make_timestamp(b, c), 0);
}

/* --- queue families without the status of results --- */

#define STATUS_SUPPORT "VkQueueFamilyQueryResultStatusPropertiesKHR.queryResultStatusSupport"
#define NO_STATUS      .null_driver = "{\"properties\": {\"" STATUS_SUPPORT "\": false}}"
SCENARIO(status_of_no_family, VIDEO, NO_STATUS, .proceed = true,
         .expect = {"VUID-VkQueryPoolCreateInfo-queryType-11839"}, .text = {"none of the"})
{
    make_pool_of_type(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1);
}

SCENARIO(status_begun_in_no_family, VIDEO, NO_STATUS, .proceed = true,
         .expect = {"VUID-VkQueryPoolCreateInfo-queryType-11839",
                    "VUID-vkCmdBeginQuery-queryType-07126"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    vkCmdBeginQuery(command_buffer, pool, 0, 0);
    vkCmdEndQuery(command_buffer, pool, 0);
}

/* --- copies of results that there are not --- */

static void copy_results(struct baseline *b, VkCommandBuffer command_buffer, VkQueryPool pool,
                         VkQueryResultFlags flags)
{
    vkCmdCopyQueryPoolResults(command_buffer, pool, 0, 1,
                              make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 16, flags);
}

static void submit_copy(struct baseline *b, bool reset, bool used, VkQueryResultFlags flags)
{
    VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_OCCLUSION, 1);
    if (reset) {
        VkCommandBuffer first = make_recording(b);
        vkCmdResetQueryPool(first, pool, 0, 1);
        if (used) {
            vkCmdBeginQuery(first, pool, 0, 0);
            vkCmdEndQuery(first, pool, 0);
        }
        run_commands(b, first);
    }
    VkCommandBuffer second = make_recording(b);
    copy_results(b, second, pool, flags);
    run_commands(b, second);
}

SCENARIO(copy_of_a_result, .drivers = NULL_DRIVER)
{
    submit_copy(b, true, true, 0);
}

SCENARIO(copy_of_no_result_yet, .drivers = NULL_DRIVER)
{
    submit_copy(b, true, false, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(copy_of_a_query_reset_alone, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-vkCmdCopyQueryPoolResults-None-08752"},
         .text = {"(vkCmdCopyQueryPoolResults), which was reset, and not used since"})
{
    submit_copy(b, true, false, 0);
}

SCENARIO(copy_of_an_uninitialized_query, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {"VUID-vkCmdCopyQueryPoolResults-None-09402"},
         .text = {"which was never reset since its pool was created"})
{
    submit_copy(b, false, false, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(copy_after_the_reset, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdCopyQueryPoolResults-None-08752"},
         .text = {"has query 0, which was reset in this command buffer, and not used since"})
{
    VkQueryPool pool = make_pool_of_type(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdResetQueryPool(command_buffer, pool, 0, 1);
    copy_results(b, command_buffer, pool, 0);
}

/* --- calibrated timestamps --- */

static void calibrate_domains(struct baseline *b, VkTimeDomainKHR first, VkTimeDomainKHR second)
{
    const VkCalibratedTimestampInfoKHR infos[] = {
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR, .timeDomain = first},
        {.sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR, .timeDomain = second}};
    uint64_t times[2], deviation;
    (void)DEVICE_PROC(b, vkGetCalibratedTimestampsKHR)(b->device, 2, infos, times, &deviation);
}
#define CLOCKS       .drivers = NULL_DRIVER, .extensions = {"VK_KHR_calibrated_timestamps"}
#define DEVICE_CLOCK VK_TIME_DOMAIN_DEVICE_KHR
#define MONOTONIC    VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR
SCENARIO(calibrated, CLOCKS)
{
    calibrate_domains(b, DEVICE_CLOCK, MONOTONIC);
}

SCENARIO(calibrated_twice, CLOCKS, .expect = {"VUID-vkGetCalibratedTimestampsKHR-timeDomain-09246"},
         .text = {"pTimestampInfos[1].timeDomain is VK_TIME_DOMAIN_DEVICE_KHR, as that of element"})
{
    calibrate_domains(b, DEVICE_CLOCK, DEVICE_CLOCK);
}

SCENARIO(calibrated_with_no_clock, CLOCKS,
         .expect = {"VUID-VkCalibratedTimestampInfoKHR-timeDomain-02354"})
{
    calibrate_domains(b, DEVICE_CLOCK, VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_KHR);
}

/* --- markers of queue families --- */

#define COMPUTE_FAMILY 1 /* of the null driver: compute and transfer */

#define MARKS .drivers = NULL_DRIVER, .features = &marks, .extensions = {"VK_AMD_buffer_marker"}
static const VkPhysicalDeviceVulkan13Features marks = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
static void mark_stage(struct baseline *b, VkPipelineStageFlags2 stage)
{
    DEVICE_PROC(b, vkCmdWriteBufferMarker2AMD)
    (make_recording_of(b, COMPUTE_FAMILY), stage,
     make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 1);
}
SCENARIO(mark_after_compute, MARKS)
{
    mark_stage(b, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}

SCENARIO(mark_after_no_graphics, MARKS, .expect = {"VUID-vkCmdWriteBufferMarker2AMD-stage-03895"})
{
    mark_stage(b, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT);
}
