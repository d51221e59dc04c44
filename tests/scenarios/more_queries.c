/* More of queries (18): types that a queue family or vkCmdBeginQuery does not do, views of a subpass, families without timestamps. */
#include "scenario.h"

static const VkPhysicalDeviceFeatures2 statistics = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
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
#define FAMILIES                                                                                                 \
    .drivers = NULL_DRIVER,                                                                                      \
    .null_driver = "{\"queueFamilies\": [{\"flags\": [\"graphics\", \"compute\", \"transfer\"], \"count\": 1}, " \
                   "{\"flags\": [\"compute\", \"transfer\"], \"count\": 1}, "                                    \
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
BEGIN(compute_statistics_of_graphics, 2, PIPELINE_STATISTICS, .features = &statistics, BEGIN_ID("00805"))

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
#define FEEDBACK .extensions = {"VK_EXT_transform_feedback"}, .features = &feedback
BEGIN(feedback_of_graphics, 0, TRANSFORM_FEEDBACK_STREAM_EXT, FEEDBACK)
BEGIN(feedback_of_compute, 1, TRANSFORM_FEEDBACK_STREAM_EXT, FEEDBACK, BEGIN_ID("02327"))

static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT primitives = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&feedback,
    .primitivesGeneratedQuery = VK_TRUE};
#define PRIMITIVES \
    .extensions = {"VK_EXT_primitives_generated_query", "VK_EXT_transform_feedback"}, .features = &primitives
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
BEGIN_ONLY(begin_serialization_size, ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR, BEGIN_ID("04728"))
BEGIN_ONLY(begin_structure_size, ACCELERATION_STRUCTURE_SIZE_KHR, BEGIN_ID("06741"))

/* --- results --- */

#define VIDEO .drivers = NULL_DRIVER, .extensions = {"VK_KHR_video_queue"}
static void get_status(struct baseline *b, VkQueryResultFlags flags)
{
    uint32_t value;
    (void)vkGetQueryPoolResults(b->device, make_pool(b, VK_QUERY_TYPE_RESULT_STATUS_ONLY_KHR, 1), 0, 1, sizeof(value),
                                &value, sizeof(value), flags);
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

SCENARIO(copy_to_unbound, .expect = {"VUID-vkCmdCopyQueryPoolResults-dstBuffer-00826"})
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_OCCLUSION, 1);
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer c = make_recording(b);
    vkCmdResetQueryPool(c, pool, 0, 1);
    vkCmdCopyQueryPoolResults(c, pool, 0, 1, create_buffer(b, &info), 0, 4, 0);
}

/* --- timestamps --- */

static const VkPhysicalDeviceVulkan13Features sync2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                       .synchronization2 = VK_TRUE};
static VkQueryPool make_timestamp(struct baseline *b, VkCommandBuffer c)
{
    VkQueryPool pool = make_pool(b, VK_QUERY_TYPE_TIMESTAMP, 1);
    vkCmdResetQueryPool(c, pool, 0, 1);
    return pool;
}
SCENARIO(timestamp_without_bits, FAMILIES, .expect = {"VUID-vkCmdWriteTimestamp-timestampValidBits-00829"})
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

static const VkPhysicalDeviceVulkan11Features views = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                                       .pNext = (void *)(uintptr_t)&sync2,
                                                       .multiview = VK_TRUE};

/* Inside of a render pass with two views. */
static void begin_views(struct baseline *b, VkCommandBuffer c)
{
    static const uint32_t mask = 3;
    const VkRenderPassMultiviewCreateInfo multiview = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO, .subpassCount = 1, .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &multiview;
    VkRenderPass pass = create_render_pass(b, &info);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 2;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, make_framebuffer(b, pass, create_image_view(b, &view)));
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
VIEWS(write_two_views, TIMESTAMP, 2, vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0))
VIEWS(write_two_views_of_one, TIMESTAMP, 1, vkCmdWriteTimestamp(c, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0),
      .expect = {"VUID-vkCmdWriteTimestamp-query-00831"})
VIEWS(write2_two_views_of_one, TIMESTAMP, 1, vkCmdWriteTimestamp2(c, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, pool, 0),
      .expect = {"VUID-vkCmdWriteTimestamp2-query-03865"})
