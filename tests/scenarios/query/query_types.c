/* More of queries (18): types that a queue family or vkCmdBeginQuery does not do, views of a
 * subpass, families without timestamps. */
#include "scenario.h"

static const VkPhysicalDeviceFeatures2 statistics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.pipelineStatisticsQuery = VK_TRUE}};

static VkQueryPool make_pool(struct baseline *b, VkQueryType type, uint32_t count)
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
    VkQueryPool pool = make_pool(b, type, 1);
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
BEGIN(compute_statistics_of_graphics, 2, PIPELINE_STATISTICS, .features = &statistics,
      BEGIN_ID("00805"))

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE};
#define FEEDBACK .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback
BEGIN(feedback_of_graphics, 0, TRANSFORM_FEEDBACK_STREAM_EXT, FEEDBACK)
BEGIN(feedback_of_compute, 1, TRANSFORM_FEEDBACK_STREAM_EXT, FEEDBACK, BEGIN_ID("02327"))

static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitives = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&feedback,
    .primitivesGeneratedQuery = VK_TRUE};
#define PRIMITIVES                                                                    \
    .extensions = {"VK_EXT_primitives_generated_query", "VK_EXT_transform_feedback"}, \
    .features = &primitives
BEGIN(primitives_of_graphics, 0, PRIMITIVES_GENERATED_EXT, PRIMITIVES)
BEGIN(primitives_of_compute, 1, PRIMITIVES_GENERATED_EXT, PRIMITIVES, BEGIN_ID("06687"))

static const VkPhysicalDeviceRayTracingMaintenance1FeaturesKHR maintenance = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_MAINTENANCE_1_FEATURES_KHR,
    .rayTracingMaintenance1 = VK_TRUE};
static const VkPhysicalDeviceAccelerationStructureFeaturesKHR trees = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&maintenance,
    .accelerationStructure = VK_TRUE};
#define TREES                                                                          \
    .extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations", \
                   "VK_KHR_ray_tracing_maintenance1"},                                 \
    .features = &trees
#define BEGIN_ONLY(name_, type_, ...)                              \
    SCENARIO(name_, FAMILIES, TREES, __VA_ARGS__)                  \
    {                                                              \
        VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_##type_, 1); \
        VkCommandBuffer c = make_recording(b);                     \
        vkCmdResetQueryPool(c, pool, 0, 1);                        \
        vkCmdBeginQuery(c, pool, 0, 0);                            \
    }
BEGIN_ONLY(begin_compacted_size, ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, BEGIN_ID("04728"))
BEGIN_ONLY(begin_serialization_size, ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR,
           BEGIN_ID("04728"))
BEGIN_ONLY(begin_structure_size, ACCELERATION_STRUCTURE_SIZE_KHR, BEGIN_ID("06741"))

/* --- results --- */

#define VIDEO .drivers = NULL_DRIVER, .extensions = {"VK_KHR_video_queue"}
static void get_status(struct baseline *b, VkQueryResultFlags flags)
{
    uint32_t value;
    (void)vkGetQueryPoolResults(b->device, make_pool(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1), 0,
                                1, sizeof(value), &value, sizeof(value), flags);
}
SCENARIO(status_without_flag, VIDEO, .expect = {"VUID-vkGetQueryPoolResults-queryType-09442"},
         .allow = {"VUID-vkGetQueryPoolResults-None-09401"})
{
    get_status(b, 0);
}
SCENARIO(status_with_flag, VIDEO, .allow = {"VUID-vkGetQueryPoolResults-None-09401"})
{
    get_status(b, VK_QUERY_RESULT_WITH_STATUS_BIT_KHR);
}

SCENARIO(status_with_availability, VIDEO, .expect = {"VUID-vkGetQueryPoolResults-flags-09443"},
         .allow = {"VUID-vkGetQueryPoolResults-None-09401"})
{
    uint32_t values[2];
    (void)vkGetQueryPoolResults(b->device, make_pool(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1), 0,
                                1, sizeof(values), values, sizeof(values),
                                VK_QUERY_RESULT_WITH_STATUS_BIT_KHR |
                                    VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
}

SCENARIO(copy_to_unbound, .expect = {"VUID-vkCmdCopyQueryPoolResults-dstBuffer-00826"})
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, create_buffer(b, &info), 0, 4, 0);
}

/* --- timestamps --- */

static const VkPhysicalDeviceVulkan13Features sync2 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .synchronization2 = VK_TRUE};
static VkQueryPool make_timestamp(struct baseline *b, VkCommandBuffer c)
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    vkCmdResetQueryPool(c, pool, 0, 1);
    return pool;
}
SCENARIO(timestamp_without_bits, FAMILIES,
         .expect = {"VUID-vkCmdWriteTimestamp-timestampValidBits-00829"})
{
    VkCommandBuffer c = make_recording_of(b, 2);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, make_timestamp(b, c), 0);
}
SCENARIO(timestamp2_without_bits, FAMILIES, .features = &sync2,
         .expect = {"VUID-vkCmdWriteTimestamp2-timestampValidBits-03863"})
{
    VkCommandBuffer c = make_recording_of(b, 2);
    vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, make_timestamp(b, c), 0);
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

#define VIEWS(name_, type_, count_, action_, ...)                       \
    SCENARIO(name_, .features = &views, ##__VA_ARGS__)                  \
    {                                                                   \
        VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_##type_, count_); \
        VkCommandBuffer c = make_recording(b);                          \
        vkCmdResetQueryPool(c, pool, 0, count_);                        \
        begin_views(b, c);                                              \
        action_;                                                        \
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

SCENARIO(performance_without_counters, PERFORMANCE("true"),
         .expect = {"VUID-VkQueryPoolCreateInfo-queryType-03222"},
         .text = {"pNext has no VkQueryPoolPerformanceCreateInfoKHR, but queryType is "
                  "VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR"})
{
    make_pool(b, VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, 1);
}

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

SCENARIO(performance_of_64_bits, PERFORMANCE("true"),
         .expect = {"VUID-vkGetQueryPoolResults-queryType-09440"},
         .text = {"flags is VK_QUERY_RESULT_64_BIT, but performance queries only know "
                  "VK_QUERY_RESULT_WAIT_BIT"})
{
    VkPerformanceCounterResultKHR result;
    (void)vkGetQueryPoolResults(b->device, make_measured(b), 0, 1, sizeof(result), &result,
                                sizeof(result), VK_QUERY_RESULT_64_BIT);
}

static void copy_of(struct baseline *b, VkCommandBuffer c, VkQueryPool pool)
{
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT),
                              0, 8, 0);
}

SCENARIO(performance_copied, PERFORMANCE("true"))
{
    VkQueryPool pool = make_measured(b);
    copy_of(b, make_recording(b), pool);
}

SCENARIO(performance_copied_where_it_cannot, PERFORMANCE("false"),
         .expect = {"VUID-vkCmdCopyQueryPoolResults-queryType-03232"},
         .text = {"queryPool is of VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR, but "
                  "allowCommandBufferQueryCopies is VK_FALSE"})
{
    VkQueryPool pool = make_measured(b);
    copy_of(b, make_recording(b), pool);
}

SCENARIO(intel_copied, .drivers = NULL_DRIVER, .extensions = {"VK_INTEL_performance_query"},
         .expect = {"VUID-vkCmdCopyQueryPoolResults-queryType-02734"},
         .text = {"queryPool is of VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL"})
{
    const VkQueryPoolPerformanceQueryCreateInfoINTEL manual = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_QUERY_CREATE_INFO_INTEL};
    VkQueryPoolCreateInfo info = query_pool_info();
    info.pNext = &manual;
    info.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_INTEL;
    VkCommandBuffer c = make_recording(b);
    VkQueryPool pool = create_query_pool(b, &info);
    vkCmdResetQueryPool(c, pool, 0, 1);
    copy_of(b, c, pool);
}

BEGIN(begin_compacted_size_nv, 0, ACCELERATION_STRUCTURE_COMPACTED_SIZE_NV,
      .extensions = {"VK_NV_ray_tracing"}, BEGIN_ID("04729"),
      .text = {"which vkCmdWriteAccelerationStructuresPropertiesNV writes"})
BEGIN(begin_micromap_size, 0, MICROMAP_COMPACTED_SIZE_EXT,
      .extensions = {"VK_EXT_opacity_micromap", "VK_KHR_acceleration_structure",
                     "VK_KHR_deferred_host_operations"},
      BEGIN_ID("08972"), .text = {"which vkCmdWriteMicromapsPropertiesEXT writes"})

static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh_queries = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .meshShader = VK_TRUE,
    .meshShaderQueries = VK_TRUE};
#define MESH .extensions = {"VK_EXT_mesh_shader"}, .features = &mesh_queries
BEGIN(mesh_primitives_of_graphics, 0, MESH_PRIMITIVES_GENERATED_EXT, MESH)
BEGIN(mesh_primitives_of_compute, 1, MESH_PRIMITIVES_GENERATED_EXT, MESH, BEGIN_ID("07070"),
      .text = {"but the command buffer's queue family 1 does no graphics"})

/* --- with an index --- */

static void begin_indexed_on(struct baseline *b, VkCommandBuffer c, VkQueryType type)
{
    VkQueryPool pool = make_pool(b, type, 1);
    vkCmdResetQueryPool(c, pool, 0, 1);
    DEVICE_PROC(b, vkCmdBeginQueryIndexedEXT)(c, pool, 0, 0, 0);
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(c, pool, 0, 0);
}
#define INDEXED_ON(name_, family_, type_, ...)                                     \
    SCENARIO(name_, FAMILIES, PRIMITIVES, ##__VA_ARGS__)                           \
    {                                                                              \
        begin_indexed_on(b, make_recording_of(b, family_), VK_QUERY_TYPE_##type_); \
    }
#define INDEXED_ID(id_)                                                           \
    .proceed = true, .expect = {"VUID-vkCmdBeginQueryIndexedEXT-queryType-" id_}, \
    .text = {"but the command buffer's queue family 1 does no graphics"}
INDEXED_ON(indexed_feedback_of_graphics, 0, TRANSFORM_FEEDBACK_STREAM_EXT)
INDEXED_ON(indexed_feedback_of_compute, 1, TRANSFORM_FEEDBACK_STREAM_EXT, INDEXED_ID("02338"))
INDEXED_ON(indexed_primitives_of_compute, 1, PRIMITIVES_GENERATED_EXT, INDEXED_ID("06689"))

static const VkPhysicalDeviceProtectedMemoryFeatures protects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)(uintptr_t)&feedback,
    .protectedMemory = VK_TRUE};
SCENARIO(end_indexed_in_protected, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_transform_feedback"}, .features = &protects,
         .expect = {"VUID-vkCmdEndQueryIndexedEXT-commandBuffer-02344"},
         .text = {"commandBuffer is protected"})
{
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)
    (make_protected_recording(b), make_pool(b, VK_QUERY_TYPE_OCCLUSION, 1), 0, 0);
}

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
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    begin_views(b, c);
    vkCmdBeginQuery(c, pool, 0, 0);
    DEVICE_PROC(b, vkCmdEndQueryIndexedEXT)(c, pool, 0, 0);
}

/* --- timestamps of no stage --- */

SCENARIO(timestamp_of_no_stage, .expect = {"VUID-vkCmdWriteTimestamp-synchronization2-06489"},
         .allow = {"VUID-vkCmdWriteTimestamp-pipelineStage-parameter"},
         .text = {"pipelineStage is VK_PIPELINE_STAGE_NONE, but the feature synchronization2 is "
                  "not enabled"})
{
    VkCommandBuffer c = make_recording(b);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_NONE, make_timestamp(b, c), 0);
}

SCENARIO(timestamp_of_no_stage_with_feature, .features = &sync2)
{
    VkCommandBuffer c = make_recording(b);
    vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_NONE, make_timestamp(b, c), 0);
}
