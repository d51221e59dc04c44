/* More drawing commands (20): several draws at once, indirect ones, mesh shaders, instances of
 * multiview. */
#include "scenario.h"

#include "shader_empty_task.h"
#include "shader_interface.h"
/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_of_draws
#include "shader_triangle_mesh.h"

#define DRAW_SCENARIO(name_, fields_, ...)                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_) \
    {                                                       \
        VkCommandBuffer c = begin_extension_draws(b);       \
        __VA_ARGS__;                                        \
    }
#define UNWRAP(...) __VA_ARGS__

static VkCommandBuffer begin_with_pipeline(struct baseline *b, VkPipeline pipeline)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    return command_buffer;
}

static VkCommandBuffer begin_extension_draws(struct baseline *b)
{
    return begin_with_pipeline(b, make_any_graphics_pipeline(b));
}

static void bind_zero_indices(struct baseline *b, VkCommandBuffer c)
{
    vkCmdBindIndexBuffer(c, make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
}

/* --- several draws at once --- */

static const VkPhysicalDeviceMultiDrawFeaturesEXT multi = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT, .multiDraw = VK_TRUE};
#define MULTI_EXTENSION .extensions = {"VK_EXT_multi_draw"}
#define MULTI_LIMIT                      \
    MULTI_EXTENSION, .features = &multi, \
        .null_driver = "{\"properties\": {\"maxMultiDrawCount\": 4}}"

static void draw_multi(struct baseline *b, VkCommandBuffer c, uint32_t count, uint32_t stride)
{
    static const VkMultiDrawInfoEXT draws[8] = {{0, 3}};
    DEVICE_PROC(b, vkCmdDrawMultiEXT)(c, count, draws, 1, 0, stride);
}
static void draw_multi_indexed(struct baseline *b, VkCommandBuffer c, uint32_t count,
                               uint32_t stride)
{
    static const VkMultiDrawIndexedInfoEXT draws[8] = {{0, 3, 0}};
    bind_zero_indices(b, c);
    DEVICE_PROC(b, vkCmdDrawMultiIndexedEXT)(c, count, draws, 1, 0, stride, NULL);
}
/* The index buffer has 128 indices. The stride goes over every other structure. */
static void draw_multi_ranges(struct baseline *b, VkCommandBuffer c, uint32_t last_index)
{
    const VkMultiDrawIndexedInfoEXT draws[4] = {{0, 3, 0}, {1000, 3, 0}, {last_index - 2, 3, 0}};
    bind_zero_indices(b, c);
    DEVICE_PROC(b, vkCmdDrawMultiIndexedEXT)(c, 2, draws, 1, 0, 2 * sizeof(draws[0]), NULL);
}
#define MULTI_ID(id_)   .expect = {"VUID-vkCmdDrawMultiEXT-" id_}
#define INDEXED_ID(id_) .expect = {"VUID-vkCmdDrawMultiIndexedEXT-" id_}
DRAW_SCENARIO(multi_draw, (MULTI_LIMIT), draw_multi(b, c, 3, sizeof(VkMultiDrawInfoEXT)))
DRAW_SCENARIO(multi_without_feature, (MULTI_EXTENSION, MULTI_ID("None-04933")),
              draw_multi(b, c, 1, sizeof(VkMultiDrawInfoEXT)))
DRAW_SCENARIO(multi_most, (MULTI_LIMIT), draw_multi(b, c, 4, sizeof(VkMultiDrawInfoEXT)))
DRAW_SCENARIO(multi_many, (MULTI_LIMIT, MULTI_ID("drawCount-04934")),
              draw_multi(b, c, 5, sizeof(VkMultiDrawInfoEXT)))
DRAW_SCENARIO(multi_stride_small, (MULTI_LIMIT, MULTI_ID("drawCount-09628")),
              draw_multi(b, c, 2, 4))
DRAW_SCENARIO(multi_stride_of_one, (MULTI_LIMIT), draw_multi(b, c, 1, 3))
DRAW_SCENARIO(multi_indexed, (MULTI_LIMIT),
              draw_multi_indexed(b, c, 3, sizeof(VkMultiDrawIndexedInfoEXT)))
DRAW_SCENARIO(multi_indexed_without_feature, (MULTI_EXTENSION, INDEXED_ID("None-04937")),
              draw_multi_indexed(b, c, 1, sizeof(VkMultiDrawIndexedInfoEXT)))
DRAW_SCENARIO(multi_indexed_most, (MULTI_LIMIT),
              draw_multi_indexed(b, c, 4, sizeof(VkMultiDrawIndexedInfoEXT)))
DRAW_SCENARIO(multi_indexed_many, (MULTI_LIMIT, INDEXED_ID("drawCount-04939")),
              draw_multi_indexed(b, c, 5, sizeof(VkMultiDrawIndexedInfoEXT)))
DRAW_SCENARIO(multi_indexed_to_the_end, (MULTI_LIMIT), draw_multi_ranges(b, c, 127))
DRAW_SCENARIO(multi_indexed_past_the_end,
              (MULTI_LIMIT, INDEXED_ID("robustBufferAccess2-08798"),
               .text = {"pIndexInfo[1].indexCount", "first index 126, 3 indices of 2 bytes"}),
              draw_multi_ranges(b, c, 128))
DRAW_SCENARIO(multi_indexed_stride_odd, (MULTI_LIMIT, INDEXED_ID("drawCount-09629")),
              draw_multi_indexed(b, c, 2, sizeof(VkMultiDrawIndexedInfoEXT) + 2))

/* --- indirect draws --- */

static const VkPhysicalDeviceFeatures2 multi_indirect = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.multiDrawIndirect = VK_TRUE, .pipelineStatisticsQuery = VK_TRUE}};
#define INDIRECT_LIMIT \
    .features = &multi_indirect, .null_driver = "{\"limits\": {\"maxDrawIndirectCount\": 2}}"
static void draw_empty_indirect(struct baseline *b, VkCommandBuffer c, uint32_t count)
{
    vkCmdDrawIndirect(c, make_buffer(b, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0, count,
                      sizeof(VkDrawIndirectCommand));
}
DRAW_SCENARIO(indirect_two, (INDIRECT_LIMIT), draw_empty_indirect(b, c, 2))
DRAW_SCENARIO(indirect_many, (INDIRECT_LIMIT, .expect = {"VUID-vkCmdDrawIndirect-drawCount-02719"}),
              draw_empty_indirect(b, c, 3))

/* --- mesh shaders --- */

/* glslang gives work groups their size by ids. */
static const VkPhysicalDeviceMaintenance4Features sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
    .pNext = (void *)(uintptr_t)&multi_indirect,
    .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&sizes,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
#define MESH .extensions = {"VK_EXT_mesh_shader"}, .features = &mesh

static VkPipeline make_mesh_pipeline(struct baseline *b, bool task)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    const VkPipelineShaderStageCreateInfo stages[3] = {
        stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh)),
        pipeline.stages[1],
        stage_info(VK_SHADER_STAGE_TASK_BIT_EXT, MAKE_SHADER(b, shader_empty_task))};
    pipeline.info.stageCount = task ? 3 : 2;
    pipeline.info.pStages = stages;
    return create_graphics_pipeline(b, &pipeline.info);
}

#define GROUPS(name_, task_, fields_, x_, y_, z_)                           \
    SCENARIO(name_, .drivers = NULL_DRIVER, MESH, UNWRAP fields_)           \
    {                                                                       \
        DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)                               \
        (begin_with_pipeline(b, make_mesh_pipeline(b, task_)), x_, y_, z_); \
    }
#define MESH_LIMITS                                                           \
    .null_driver = "{\"properties\": {\"maxMeshWorkGroupCount\": [4, 5, 6], " \
                   "\"maxMeshWorkGroupTotalCount\": 8, "                      \
                   "\"maxTaskWorkGroupCount\": [3, 4, 5], \"maxTaskWorkGroupTotalCount\": 7}}"
#define MESH_ID(number_) (MESH_LIMITS, .expect = {"VUID-vkCmdDrawMeshTasksEXT-TaskEXT-" number_})
GROUPS(mesh_groups, false, (MESH_LIMITS), 4, 2, 1)
GROUPS(mesh_groups_wide, false, MESH_ID("07326"), 5, 1, 1)
GROUPS(mesh_groups_high, false, MESH_ID("07327"), 1, 6, 1)
GROUPS(mesh_groups_deep, false, MESH_ID("07328"), 1, 1, 7)
GROUPS(mesh_groups_many, false, MESH_ID("07329"), 3, 3, 1)
GROUPS(task_groups, true, (MESH_LIMITS), 3, 2, 1)
GROUPS(task_groups_wide, true, MESH_ID("07322"), 4, 1, 1)
GROUPS(task_groups_high, true, MESH_ID("07323"), 1, 5, 1)
GROUPS(task_groups_deep, true, MESH_ID("07324"), 1, 1, 6)
GROUPS(task_groups_many, true, MESH_ID("07325"), 2, 2, 2)

#define MESH_INDIRECT(name_, fields_, size_, offset_, count_, stride_)                             \
    SCENARIO(name_, .drivers = NULL_DRIVER, MESH, UNWRAP fields_)                                  \
    {                                                                                              \
        VkCommandBuffer c = begin_with_pipeline(b, make_mesh_pipeline(b, false));                  \
        DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectEXT)                                              \
        (c, make_buffer(b, size_, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), offset_, count_, stride_); \
    }
#define INDIRECT_ID(number_) (.expect = {"VUID-vkCmdDrawMeshTasksIndirectEXT-drawCount-" number_})
MESH_INDIRECT(mesh_indirect, (), 24, 0, 2, 12)
MESH_INDIRECT(mesh_indirect_stride, INDIRECT_ID("07088"), 64, 0, 2, 8)
MESH_INDIRECT(mesh_indirect_end, INDIRECT_ID("07089"), 24, 16, 1, 12)
MESH_INDIRECT(mesh_indirect_ends, INDIRECT_ID("07090"), 32, 0, 3, 12)

/* The count lies in the last four bytes of a buffer of its own. */
static const VkPhysicalDeviceVulkan12Features counting = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)(uintptr_t)&mesh,
    .drawIndirectCount = VK_TRUE};
#define MESH_COUNT(name_, fields_, size_, offset_, most_, count_usage_, count_offset_)    \
    SCENARIO(name_, .drivers = NULL_DRIVER, UNWRAP fields_)                               \
    {                                                                                     \
        VkCommandBuffer c = begin_with_pipeline(b, make_mesh_pipeline(b, false));         \
        VkBuffer counts = make_buffer(b, 8, VK_BUFFER_USAGE_##count_usage_##_BUFFER_BIT); \
        DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectCountEXT)                                \
        (c, make_buffer(b, size_, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), offset_, counts,  \
         count_offset_, most_, 12);                                                       \
    }
#define COUNTING         .extensions = {"VK_EXT_mesh_shader"}, .features = &counting
#define COUNTING_ID(id_) (COUNTING, .expect = {"VUID-vkCmdDrawMeshTasksIndirectCountEXT-" id_})
MESH_COUNT(mesh_count, (COUNTING), 24, 0, 2, INDIRECT, 4)
MESH_COUNT(mesh_count_of_none, (COUNTING), 12, 8, 0, INDIRECT, 4)
MESH_COUNT(mesh_count_past_the_end, COUNTING_ID("maxDrawCount-07097"), 24, 4, 2, INDIRECT, 4)
MESH_COUNT(mesh_count_of_other_usage, COUNTING_ID("countBuffer-02715"), 24, 0, 2, VERTEX, 4)
MESH_COUNT(mesh_count_unaligned, COUNTING_ID("countBufferOffset-02716"), 24, 0, 2, INDIRECT, 2)
MESH_COUNT(mesh_count_at_the_end, COUNTING_ID("countBufferOffset-04129"), 24, 0, 2, INDIRECT, 8)
MESH_COUNT(mesh_count_without_feature,
           (MESH, .expect = {"VUID-vkCmdDrawMeshTasksIndirectCountEXT-None-04445"}), 24, 0, 2,
           INDIRECT, 4)
/* The extension brings the command's count where the feature is not asked for by its structure. */
MESH_COUNT(mesh_count_by_extension,
           (.extensions = {"VK_EXT_mesh_shader", "VK_KHR_draw_indirect_count"}, .features = &mesh),
           24, 0, 2, INDIRECT, 4)
SCENARIO(mesh_count_nothing_bound, .drivers = NULL_DRIVER, COUNTING,
         .expect = {"VUID-vkCmdDrawMeshTasksIndirectCountEXT-None-08606"})
{
    VkCommandBuffer c = make_recording(b);
    VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    begin_rendering(b, c);
    DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectCountEXT)(c, buffer, 0, buffer, 60, 1, 12);
}

/* --- multiview --- */

static const VkPhysicalDeviceMultiviewFeatures multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, .multiview = VK_TRUE};
#define VIEWS \
    .features = &multiview, .null_driver = "{\"properties\": {\"maxMultiviewInstanceIndex\": 9}}"

static void draw_views(struct baseline *b, uint32_t first, uint32_t count)
{
    static const uint32_t mask = 3;
    VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &views;
    VkRenderPass pass = create_render_pass(b, &info);
    VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    image.arrayLayers = 2;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.layerCount = 2;
    VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, create_image_view(b, &view)));
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_graphics_pipeline(b, make_empty_pipeline_layout(b), pass));
    vkCmdDraw(c, 3, count, 0, first);
}

SCENARIO(multiview_instances, .drivers = NULL_DRIVER, VIEWS)
{
    draw_views(b, 8, 2);
}

SCENARIO(multiview_instances_beyond, .drivers = NULL_DRIVER, VIEWS,
         .expect = {"VUID-vkCmdDraw-maxMultiviewInstanceIndex-02688"})
{
    draw_views(b, 8, 3);
}

/* --- queries around mesh draws --- */

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback_of_mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&mesh,
    .transformFeedback = VK_TRUE};
static const VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT generated_of_mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&feedback_of_mesh,
    .primitivesGeneratedQuery = VK_TRUE};
#define QUERIED                                                             \
    .drivers = NULL_DRIVER, .features = &generated_of_mesh,                 \
    .extensions = {"VK_EXT_mesh_shader", "VK_EXT_transform_feedback",       \
                   "VK_EXT_primitives_generated_query"},                    \
    .null_driver = "{\"properties\": {\"maxTransformFeedbackStreams\": 4, " \
                   "\"transformFeedbackQueries\": true, "                   \
                   "\"maxMeshWorkGroupCount\": [4, 5, 6], "                 \
                   "\"maxMeshWorkGroupTotalCount\": 8}}"

static void draw_queried(struct baseline *b, VkQueryType type,
                         VkQueryPipelineStatisticFlags statistics)
{
    const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                        .queryType = type,
                                        .queryCount = 1,
                                        .pipelineStatistics = statistics};
    VkCommandBuffer c = begin_with_pipeline(b, make_mesh_pipeline(b, false));
    vkCmdBeginQuery(c, create_query_pool(b, &info), 0, 0);
    DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(c, 1, 1, 1);
}

SCENARIO(mesh_statistics, QUERIED)
{
    draw_queried(b, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                 VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT);
}

SCENARIO(mesh_vertex_statistics, QUERIED,
         .expect = {"VUID-vkCmdDrawMeshTasksEXT-pipelineStatistics-07076"})
{
    draw_queried(b, VK_QUERY_TYPE_PIPELINE_STATISTICS,
                 VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT);
}

SCENARIO(mesh_feedback_query, QUERIED, .expect = {"VUID-vkCmdDrawMeshTasksEXT-None-07074"})
{
    draw_queried(b, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 0);
}

SCENARIO(mesh_generated_query, QUERIED, .expect = {"VUID-vkCmdDrawMeshTasksEXT-None-07075"})
{
    draw_queried(b, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 0);
}

/* --- mesh draws of VK_NV_mesh_shader, draws of VK_HUAWEI_cluster_culling_shader --- */

static const VkPhysicalDeviceMeshShaderFeaturesNV mesh_nv = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV,
    .pNext = (void *)(uintptr_t)&multi_indirect,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
#define MESH_NV(name_, id_, ...)                                                   \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &mesh_nv,                  \
             .extensions = {"VK_NV_mesh_shader", "VK_KHR_draw_indirect_count"},    \
             .expect = {"VUID-" id_},                                              \
             .null_driver = "{\"properties\": {\"maxDrawMeshTasksCount\": 8}}")    \
    {                                                                              \
        VkCommandBuffer c = make_recording(b);                                     \
        VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT); \
        (void)buffer;                                                              \
        begin_rendering(b, c);                                                     \
        __VA_ARGS__;                                                               \
    }
MESH_NV(mesh_nv_of_nothing, "vkCmdDrawMeshTasksNV-None-08606",
        DEVICE_PROC(b, vkCmdDrawMeshTasksNV)(c, 1, 0))
MESH_NV(mesh_nv_of_vertices, "vkCmdDrawMeshTasksNV-stage-06480",
        vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
        DEVICE_PROC(b, vkCmdDrawMeshTasksNV)(c, 1, 0))
MESH_NV(mesh_nv_indirect_of_nothing, "vkCmdDrawMeshTasksIndirectNV-None-08606",
        DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectNV)(c, buffer, 0, 1, 8))
MESH_NV(mesh_nv_count_of_nothing, "vkCmdDrawMeshTasksIndirectCountNV-None-08606",
        DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectCountNV)(c, buffer, 0, buffer, 60, 1, 8))
static const VkPhysicalDeviceClusterCullingShaderFeaturesHUAWEI clusters = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_FEATURES_HUAWEI,
    .clustercullingShader = VK_TRUE};
#define CLUSTER(name_, id_, ...)                                                          \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &clusters,                        \
             .extensions = {"VK_HUAWEI_cluster_culling_shader"}, .expect = {"VUID-" id_}, \
             .null_driver = "{\"properties\": {\"maxWorkGroupCount\": [8, 8, 8], "        \
                            "\"indirectBufferOffsetAlignment\": 4}}")                     \
    {                                                                                     \
        VkCommandBuffer c = make_recording(b);                                            \
        begin_rendering(b, c);                                                            \
        __VA_ARGS__;                                                                      \
    }
CLUSTER(cluster_of_nothing, "vkCmdDrawClusterHUAWEI-None-08606",
        DEVICE_PROC(b, vkCmdDrawClusterHUAWEI)(c, 1, 1, 1))
CLUSTER(cluster_indirect_of_nothing, "vkCmdDrawClusterIndirectHUAWEI-None-08606",
        DEVICE_PROC(b, vkCmdDrawClusterIndirectHUAWEI)(
            c, make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0))

/* The Execution Model of a mesh shader says which of both extensions it is written for. */
static const VkPhysicalDeviceMeshShaderFeaturesNV both_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV,
    .pNext = (void *)(uintptr_t)&counting,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
static const VkPhysicalDeviceClusterCullingShaderFeaturesHUAWEI all_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_FEATURES_HUAWEI,
    .pNext = (void *)(uintptr_t)&both_meshes,
    .clustercullingShader = VK_TRUE};

static VkPipeline make_mesh_pipeline_nv(struct baseline *b)
{
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    const VkPipelineShaderStageCreateInfo stages[2] = {
        stage_info(VK_SHADER_STAGE_MESH_BIT_NV, MAKE_SHADER(b, spirv_triangle_mesh_nv)),
        pipeline.stages[1]};
    pipeline.info.stageCount = 2;
    pipeline.info.pStages = stages;
    return create_graphics_pipeline(b, &pipeline.info);
}
#define BOTH_MESHES(name_, nv_, fields_, ...)                                                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &all_meshes,                           \
             .extensions = {"VK_EXT_mesh_shader", "VK_NV_mesh_shader",                         \
                            "VK_HUAWEI_cluster_culling_shader", "VK_KHR_draw_indirect_count"}, \
             .null_driver = "{\"properties\": {\"maxDrawMeshTasksCount\": 8, "                 \
                            "\"maxMeshWorkGroupCount\": [4, 5, 6], "                           \
                            "\"maxMeshWorkGroupTotalCount\": 8, "                              \
                            "\"maxWorkGroupCount\": [8, 8, 8], "                               \
                            "\"indirectBufferOffsetAlignment\": 4}}",                          \
             UNWRAP fields_)                                                                   \
    {                                                                                          \
        VkBuffer buffer = make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);             \
        VkCommandBuffer c = begin_with_pipeline(b, (nv_) ? make_mesh_pipeline_nv(b)            \
                                                         : make_mesh_pipeline(b, false));      \
        (void)buffer;                                                                          \
        __VA_ARGS__;                                                                           \
    }
#define OF_NV(name_, fields_, ...)  BOTH_MESHES(name_, true, fields_, __VA_ARGS__)
#define OF_EXT(name_, fields_, ...) BOTH_MESHES(name_, false, fields_, __VA_ARGS__)
#define DRAWN_NV                    DEVICE_PROC(b, vkCmdDrawMeshTasksNV)(c, 1, 0)
#define DRAWN_NV_INDIRECT           DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectNV)(c, buffer, 0, 1, 8)
#define DRAWN_NV_COUNT \
    DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectCountNV)(c, buffer, 0, buffer, 60, 1, 8)
#define ENDS(id_) (.expect = {"VUID-" id_})
OF_NV(mesh_nv_drawn, (), DRAWN_NV)
OF_NV(mesh_nv_drawn_indirect, (), DRAWN_NV_INDIRECT)
OF_NV(mesh_nv_drawn_count, (), DRAWN_NV_COUNT)
OF_EXT(mesh_ext_drawn_as_nv, ENDS("vkCmdDrawMeshTasksNV-MeshNV-07080"), DRAWN_NV)
OF_EXT(mesh_ext_drawn_as_nv_indirect, ENDS("vkCmdDrawMeshTasksIndirectNV-MeshNV-07081"),
       DRAWN_NV_INDIRECT)
OF_EXT(mesh_ext_drawn_as_nv_count, ENDS("vkCmdDrawMeshTasksIndirectCountNV-MeshNV-07082"),
       DRAWN_NV_COUNT)
OF_NV(mesh_nv_drawn_as_ext, ENDS("vkCmdDrawMeshTasksEXT-MeshEXT-07087"),
      DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(c, 1, 1, 1))
OF_NV(mesh_nv_drawn_as_ext_indirect, ENDS("vkCmdDrawMeshTasksIndirectEXT-MeshEXT-07091"),
      DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectEXT)(c, buffer, 0, 1, 12))
OF_NV(mesh_nv_drawn_as_ext_count, ENDS("vkCmdDrawMeshTasksIndirectCountEXT-MeshEXT-07100"),
      DEVICE_PROC(b, vkCmdDrawMeshTasksIndirectCountEXT)(c, buffer, 0, buffer, 60, 1, 12))
OF_EXT(mesh_drawn_as_cluster, ENDS("vkCmdDrawClusterHUAWEI-ClusterCullingHUAWEI-07823"),
       DEVICE_PROC(b, vkCmdDrawClusterHUAWEI)(c, 1, 1, 1))
OF_EXT(mesh_drawn_as_indirect_cluster,
       ENDS("vkCmdDrawClusterIndirectHUAWEI-ClusterCullingHUAWEI-07824"),
       DEVICE_PROC(b, vkCmdDrawClusterIndirectHUAWEI)(c, buffer, 0))

static const VkPhysicalDeviceMeshShaderFeaturesEXT queried_meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)(uintptr_t)&sizes,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE,
    .meshShaderQueries = VK_TRUE};
static const VkPhysicalDeviceClusterCullingShaderFeaturesHUAWEI queried_clusters = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CLUSTER_CULLING_SHADER_FEATURES_HUAWEI,
    .pNext = (void *)(uintptr_t)&queried_meshes,
    .clustercullingShader = VK_TRUE};
/* There are no modules for clusters yet: a mesh pipeline has the other fault. */
SCENARIO(cluster_with_mesh_statistics, .drivers = NULL_DRIVER, .features = &queried_clusters,
         .extensions = {"VK_EXT_mesh_shader", "VK_HUAWEI_cluster_culling_shader"}, .proceed = true,
         .null_driver = "{\"properties\": {\"maxWorkGroupCount\": [8, 8, 8]}}",
         .expect = {"VUID-vkCmdDrawClusterHUAWEI-ClusterCullingHUAWEI-07823",
                    "VUID-vkCmdDrawClusterHUAWEI-None-07819"})
{
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 1,
        .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_MESH_SHADER_INVOCATIONS_BIT_EXT};
    VkCommandBuffer c = begin_with_pipeline(b, make_mesh_pipeline(b, false));
    vkCmdBeginQuery(c, create_query_pool(b, &info), 0, 0);
    DEVICE_PROC(b, vkCmdDrawClusterHUAWEI)(c, 1, 1, 1);
}

/* --- instances and divisors --- */

static const VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT vertex_input_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
    .vertexInputDynamicState = VK_TRUE};
static const VkPhysicalDeviceVertexAttributeDivisorFeatures divisors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES,
    .pNext = (void *)&vertex_input_feature,
    .vertexAttributeInstanceRateDivisor = VK_TRUE};
#define DIVISORS(supported_)                                                                \
    .drivers = NULL_DRIVER, .features = &divisors,                                          \
    .extensions = {"VK_EXT_vertex_input_dynamic_state", "VK_KHR_vertex_attribute_divisor"}, \
    .null_driver = "{\"properties\": {\"maxVertexAttribDivisor\": 65535, "                  \
                   "\"supportsNonZeroFirstInstance\": " #supported_ "}}"

/* A draw with one vertex binding that goes by instance. */
static void draw_divided(struct baseline *b, bool dynamic, uint32_t divisor, uint32_t first)
{
    const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    const VkPipelineDynamicStateCreateInfo dynamic_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_INSTANCE};
    const VkVertexInputAttributeDescription attribute = {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0};
    const VkVertexInputBindingDivisorDescription given = {0, divisor};
    const VkPipelineVertexInputDivisorStateCreateInfo chained = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &given};
    const VkVertexInputBindingDescription2EXT binding2 = {
        VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        NULL,
        0,
        16,
        VK_VERTEX_INPUT_RATE_INSTANCE,
        divisor};
    const VkVertexInputAttributeDescription2EXT attribute2 = {
        VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        NULL,
        2,
        0,
        VK_FORMAT_R32G32B32A32_SFLOAT,
        0};
    VkBuffer buffer = make_buffer(b, 4096, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize offset = 0;
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), make_render_pass(b));
    p.stages[0] = stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex_attribute));
    p.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment));
    if (dynamic) {
        p.info.pDynamicState = &dynamic_info;
        p.info.pVertexInputState = NULL;
    } else {
        p.vertex_input.pNext = &chained;
        p.vertex_input.vertexBindingDescriptionCount =
            p.vertex_input.vertexAttributeDescriptionCount = 1;
        p.vertex_input.pVertexBindingDescriptions = &binding;
        p.vertex_input.pVertexAttributeDescriptions = &attribute;
    }
    VkCommandBuffer c = begin_with_pipeline(b, create_graphics_pipeline(b, &p.info));
    vkCmdBindVertexBuffers(c, 0, 1, &buffer, &offset);
    if (dynamic)
        DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 1, &binding2, 1, &attribute2);
    vkCmdDraw(c, 3, 2, 0, 0);
    vkCmdDraw(c, 3, 2, 0, first);
    vkCmdEndRenderPass(c);
}

SCENARIO(divided_instances, DIVISORS(true))
{
    draw_divided(b, false, 2, 1);
    draw_divided(b, true, 2, 1);
}

SCENARIO(divided_instances_from_0, DIVISORS(false))
{
    draw_divided(b, false, 2, 0);
    draw_divided(b, true, 2, 0);
    draw_divided(b, false, 1, 1);
    draw_divided(b, true, 1, 1);
}

SCENARIO(divided_instances_from_1, DIVISORS(false), .expect = {"VUID-vkCmdDraw-pNext-09461"},
         .text = {"firstInstance is 1, but must be 0: vertex binding 0 has a divisor of 2"})
{
    draw_divided(b, false, 2, 1);
}

SCENARIO(divided_instances_from_1_dynamic, DIVISORS(false), .expect = {"VUID-vkCmdDraw-None-09462"})
{
    draw_divided(b, true, 2, 1);
}

/* --- what a pipeline draws --- */

SCENARIO(draw_of_mesh_pipeline, .drivers = NULL_DRIVER, MESH,
         .expect = {"VUID-vkCmdDraw-stage-06481"},
         .text = {"has a pipeline with mesh shaders bound, which this command does not run"})
{
    vkCmdDraw(begin_with_pipeline(b, make_mesh_pipeline(b, false)), 3, 1, 0, 0);
}

SCENARIO(mesh_draw_of_vertex_pipeline, .drivers = NULL_DRIVER, MESH,
         .expect = {"VUID-vkCmdDrawMeshTasksEXT-stage-06480"},
         .text = {"has a pipeline with vertex shaders bound, which this command does not run"})
{
    DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(begin_extension_draws(b), 1, 1, 1);
}

/* --- what transform feedback counted --- */

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .transformFeedback = VK_TRUE};
#define FEEDBACK_EXTENSION .drivers = NULL_DRIVER, .extensions = {"VK_EXT_transform_feedback"}
#define FEEDBACK(supported_)                                                       \
    FEEDBACK_EXTENSION, .features = &feedback,                                     \
        .null_driver = "{\"properties\": {\"transformFeedbackDraw\": " #supported_ \
                       ", \"maxTransformFeedbackBufferDataStride\": 64}}"
#define COUNTED_ID(id_) .expect = {"VUID-vkCmdDrawIndirectByteCountEXT-" id_}

static void draw_counted(struct baseline *b, VkCommandBuffer c, VkDeviceSize offset,
                         uint32_t before, uint32_t stride)
{
    DEVICE_PROC(b, vkCmdDrawIndirectByteCountEXT)
    (c, 1, 0, make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), offset, before, stride);
}

#define COUNTED(name_, fields_, ...)                            \
    SCENARIO(name_, UNWRAP fields_)                             \
    {                                                           \
        draw_counted(b, begin_extension_draws(b), __VA_ARGS__); \
    }
COUNTED(counted_draw, (FEEDBACK(true)), 4, 8, 64)
COUNTED(counted_without_feature, (FEEDBACK_EXTENSION, COUNTED_ID("transformFeedback-02287")), 0, 0,
        16)
COUNTED(counted_without_support, (FEEDBACK(false), COUNTED_ID("transformFeedbackDraw-02288")), 0, 0,
        16)
COUNTED(counted_without_stride, (FEEDBACK(true), COUNTED_ID("vertexStride-02289")), 0, 0, 0)
COUNTED(counted_stride_long, (FEEDBACK(true), COUNTED_ID("vertexStride-02289")), 0, 0, 68)
COUNTED(counted_stride_odd, (FEEDBACK(true), COUNTED_ID("vertexStride-09475")), 0, 0, 6)
COUNTED(counted_bytes_odd, (FEEDBACK(true), COUNTED_ID("counterOffset-09474")), 0, 2, 16)
COUNTED(counted_offset_odd, (FEEDBACK(true), COUNTED_ID("counterBufferOffset-04568")), 2, 0, 16)

SCENARIO(counted_without_usage, FEEDBACK(true), COUNTED_ID("counterBuffer-02290"))
{
    DEVICE_PROC(b, vkCmdDrawIndirectByteCountEXT)
    (begin_extension_draws(b), 1, 0, make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT), 0, 0,
     16);
}

SCENARIO(counted_without_pipeline, FEEDBACK(true), COUNTED_ID("None-08606"))
{
    VkCommandBuffer c = make_recording(b);
    begin_rendering(b, c);
    draw_counted(b, c, 0, 0, 16);
}

#define COUNTED_FIELDS \
    "\"transformFeedbackDraw\": true, \"maxTransformFeedbackBufferDataStride\": 64"
static const VkPhysicalDeviceProtectedMemoryFeatures protected_feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&feedback,
    .protectedMemory = VK_TRUE};
SCENARIO(counted_in_protected, FEEDBACK_EXTENSION, .features = &protected_feedback,
         .null_driver = "{\"properties\": {\"protectedNoFault\": true, " COUNTED_FIELDS "}}",
         COUNTED_ID("commandBuffer-02646"), .text = {"commandBuffer is a protected command buffer"})
{
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    VkCommandBuffer c = make_protected_recording(b);
    begin_rendering(b, c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    draw_counted(b, c, 0, 0, 16);
}

/* --- the same, counted at an address --- */

static const VkPhysicalDeviceBufferDeviceAddressFeatures feedback_addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .pNext = (void *)&feedback,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR feedback_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)&feedback_addresses,
    .deviceAddressCommands = VK_TRUE};
#define COUNTED2(id_) .expect = {"VUID-vkCmdDrawIndirectByteCount2EXT-" id_}
/* The counter lies so many bytes into a buffer of this usage. */
#define COUNTED_AT(name_, usage_, offset_, ...)                                                  \
    SCENARIO(name_, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3,                   \
             .features = &feedback_commands,                                                     \
             .extensions = {"VK_EXT_transform_feedback", "VK_KHR_device_address_commands"},      \
             .null_driver = "{\"properties\": {" COUNTED_FIELDS "}}", ##__VA_ARGS__)             \
    {                                                                                            \
        const VkBufferDeviceAddressInfo of = {                                                   \
            .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,                               \
            .buffer = make_buffer(b, 64, (usage_) | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)}; \
        const VkBindTransformFeedbackBuffer2InfoEXT counter = {                                  \
            .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,                \
            .addressRange = {vkGetBufferDeviceAddress(b->device, &of) + (offset_), 4}};          \
        DEVICE_PROC(b, vkCmdDrawIndirectByteCount2EXT)(begin_extension_draws(b), 1, 0, &counter, \
                                                       0, 16);                                   \
    }
COUNTED_AT(counted_at_address, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 60)
COUNTED_AT(counted_at_address_without_usage, VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0,
           COUNTED2("pInfo-13061"),
           .text = {"pCounterInfo->addressRange.address is 0x", " (offset 0 of VkBuffer 0x",
                    ", without VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT"})
COUNTED_AT(counted_at_odd_address, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 2, COUNTED2("pInfo-13062"),
           .text = {" (offset 2 of VkBuffer 0x", "), which is not a multiple of 4"})

static const VkPhysicalDeviceProtectedMemoryFeatures protected_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
    .pNext = (void *)&feedback_commands,
    .protectedMemory = VK_TRUE};
SCENARIO(counted_at_address_in_protected, .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_3,
         .features = &protected_commands,
         .extensions = {"VK_EXT_transform_feedback", "VK_KHR_device_address_commands"},
         .null_driver = "{\"properties\": {\"protectedNoFault\": true, " COUNTED_FIELDS "}}",
         COUNTED2("commandBuffer-02646"), .text = {"commandBuffer is a protected command buffer"})
{
    const VkBufferDeviceAddressInfo of = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 64,
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    const VkBindTransformFeedbackBuffer2InfoEXT counter = {
        .sType = VK_STRUCTURE_TYPE_BIND_TRANSFORM_FEEDBACK_BUFFER_2_INFO_EXT,
        .addressRange = {vkGetBufferDeviceAddress(b->device, &of), 4}};
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    VkCommandBuffer c = make_protected_recording(b);
    begin_rendering(b, c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    DEVICE_PROC(b, vkCmdDrawIndirectByteCount2EXT)(c, 1, 0, &counter, 0, 16);
}
