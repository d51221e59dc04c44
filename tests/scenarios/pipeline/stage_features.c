/* More of what a graphics pipeline's stages may be: features that they need, capabilities that do
 * not go together (10.6 "Graphics Pipelines"). */
#include "scenario.h"

/* These headers define variables, and other files have them, too. */
#define shader_empty_task shader_empty_task_of_stages
#include "shader_empty_task.h"
#include "shader_interface.h"

#define shader_triangle_mesh shader_triangle_mesh_of_stages
#include "shader_triangle_mesh.h"

#define GRAPHICS(id_)   "VUID-VkGraphicsPipelineCreateInfo-" id_
#define STAGE(id_)      "VUID-VkPipelineShaderStageCreateInfo-" id_
#define CODE(b_, name_) make_shader_from((b_), name_, sizeof(name_))

/* A pipeline of these stages, in a render pass with these views. */
static void create_stages(struct baseline *b, uint32_t count,
                          const VkPipelineShaderStageCreateInfo *stages, uint32_t views)
{
    static const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 3};
    const VkRenderPassMultiviewCreateInfo multiview = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &views};
    VkRenderPassCreateInfo pass = render_pass_info();
    pass.pNext = views ? &multiview : NULL;
    struct graphics_pipeline p;
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), create_render_pass(b, &pass));
    p.info.stageCount = count;
    p.info.pStages = stages;
    p.info.pTessellationState = &tessellation;
    for (uint32_t i = 0; i < count; i++) {
        if (stages[i].stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
            p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        if (stages[i].stage == VK_SHADER_STAGE_GEOMETRY_BIT)
            p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    }
    create_graphics_pipeline(b, &p.info);
}
#define CREATE(views_, ...)                                                  \
    create_stages(b,                                                         \
                  sizeof((VkPipelineShaderStageCreateInfo[]){__VA_ARGS__}) / \
                      sizeof(VkPipelineShaderStageCreateInfo),               \
                  (VkPipelineShaderStageCreateInfo[]){__VA_ARGS__}, views_)
#define VERTEX   stage_info(VK_SHADER_STAGE_VERTEX_BIT, CODE(b, spirv_vertex))
#define FRAGMENT stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, CODE(b, spirv_fragment))
#define PLAIN    stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, CODE(b, spirv_fragment_plain))
#define TASK     stage_info(VK_SHADER_STAGE_TASK_BIT_EXT, MAKE_SHADER(b, shader_empty_task))
#define MESH     stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh))

/* --- features --- */

static const VkPhysicalDeviceFeatures2 tessellation_feature = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.tessellationShader = VK_TRUE}};
#define TESSELLATED                                                                            \
    CREATE(0, VERTEX,                                                                          \
           stage_info(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, CODE(b, spirv_control)),       \
           stage_info(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, CODE(b, spirv_evaluation)), \
           FRAGMENT)
SCENARIO(tessellation, .features = &tessellation_feature)
{
    TESSELLATED;
}

SCENARIO(tessellation_without_feature, .drivers = NULL_DRIVER,
         .expect = {STAGE("stage-00705"), "VUID-VkShaderModuleCreateInfo-pCode-08740"},
         .proceed = true,
         .text = {"stage is VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, but the feature "
                  "tessellationShader is not enabled"})
{
    TESSELLATED;
}

static const VkPhysicalDeviceVulkan13Features maintenance4 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceVulkan11Features parameters = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&maintenance4,
    .multiview = VK_TRUE,
    .shaderDrawParameters = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&parameters,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
#define MESHES(...) .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mesh_shader", ##__VA_ARGS__}
SCENARIO(task_and_mesh, MESHES(), .features = &meshes)
{
    CREATE(0, TASK, MESH, PLAIN);
}

SCENARIO(cluster_culling_without_feature, .drivers = NULL_DRIVER,
         .extensions = {"VK_HUAWEI_cluster_culling_shader"},
         .expect = {STAGE("clustercullingShader-07813")},
         .allow = {STAGE("pName-00707"), GRAPHICS("stage-02096")},
         .text = {"stage is VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI, but the feature "
                  "clustercullingShader is not enabled"})
{
    CREATE(0, stage_info(VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI, make_shader_module(b)),
           FRAGMENT);
}

SCENARIO(all_stages_at_once, .drivers = NULL_DRIVER, .expect = {STAGE("stage-00706")},
         .text = {"stage is VK_SHADER_STAGE_ALL_GRAPHICS"})
{
    CREATE(0, stage_info(VK_SHADER_STAGE_ALL_GRAPHICS, CODE(b, spirv_vertex)), FRAGMENT);
}

static const VkPhysicalDeviceSubgroupSizeControlFeatures subgroups = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    .computeFullSubgroups = VK_TRUE};
SCENARIO(full_subgroups_of_vertices, .features = &subgroups, .expect = {STAGE("flags-08988")},
         .text = {"stage is VK_SHADER_STAGE_VERTEX_BIT, not VK_SHADER_STAGE_MESH_BIT_EXT, "
                  "VK_SHADER_STAGE_TASK_BIT_EXT or VK_SHADER_STAGE_COMPUTE_BIT, but flags contains "
                  "VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT"})
{
    VkPipelineShaderStageCreateInfo vertex = VERTEX;
    vertex.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    CREATE(0, vertex, FRAGMENT);
}

/* --- what is in the code --- */

static const VkPhysicalDeviceVulkan12Features layers = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&parameters,
    .shaderOutputLayer = VK_TRUE};
#define LAYERED stage_info(VK_SHADER_STAGE_VERTEX_BIT, CODE(b, spirv_vertex_layer))
SCENARIO(layer_in_pass, .features = &layers)
{
    CREATE(0, LAYERED, FRAGMENT);
}

SCENARIO(layer_in_pass_of_views, .features = &layers, .expect = {GRAPHICS("renderPass-06050")},
         .text = {"has the built-in Layer in its interface, but the view mask is 0x3"})
{
    CREATE(3, LAYERED, FRAGMENT);
}

static const VkPhysicalDeviceShaderTileImageFeaturesEXT tiles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TILE_IMAGE_FEATURES_EXT,
    .pNext = (void *)&parameters,
    .shaderTileImageColorReadAccess = VK_TRUE};
SCENARIO(tile_image_in_pass, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_tile_image"},
         .features = &tiles, .expect = {GRAPHICS("renderPass-08710")},
         .text = {"declares a TileImage capability in a pipeline for a render pass"})
{
    CREATE(0, VERTEX, stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, CODE(b, spirv_fragment_tile)));
}

#define DRAW_INDEX stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, CODE(b, spirv_mesh_draw_index))
SCENARIO(draw_index_of_mesh, MESHES(), .features = &meshes)
{
    CREATE(0, DRAW_INDEX, PLAIN);
}

SCENARIO(draw_index_of_mesh_with_task, MESHES(), .features = &meshes,
         .expect = {GRAPHICS("pStages-09631")},
         .text = {"has a task shader, and a mesh shader that has the built-in DrawIndex in its "
                  "interface"})
{
    CREATE(0, TASK, DRAW_INDEX, PLAIN);
}

static const VkPhysicalDeviceMeshShaderFeaturesNV both_kinds = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_NV,
    .pNext = (void *)&meshes,
    .taskShader = VK_TRUE,
    .meshShader = VK_TRUE};
SCENARIO(task_of_other_extension, MESHES("VK_NV_mesh_shader"), .features = &both_kinds,
         .expect = {GRAPHICS("TaskNV-07063")},
         .text = {"has a task and a mesh shader of which one is of VK_NV_mesh_shader and the other "
                  "of VK_EXT_mesh_shader"})
{
    CREATE(0, stage_info(VK_SHADER_STAGE_TASK_BIT_EXT, CODE(b, spirv_task_nv)), MESH, PLAIN);
}

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&meshes,
    .transformFeedback = VK_TRUE};
SCENARIO(mesh_with_feedback, MESHES("VK_EXT_transform_feedback"), .features = &feedback,
         .expect = {GRAPHICS("None-02322")}, .allow = {"VUID-VkShaderModuleCreateInfo-pCode-08737"},
         .proceed = true, .text = {"has a mesh shader, and a shader with the execution mode Xfb"})
{
    CREATE(0, stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, CODE(b, spirv_mesh_xfb)), PLAIN);
}

static const VkPhysicalDeviceFeatures2 geometry = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .features = {.geometryShader = VK_TRUE}};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT streams = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&geometry,
    .transformFeedback = VK_TRUE,
    .geometryStreams = VK_TRUE};
static const VkPhysicalDeviceTransformFeedbackFeaturesEXT no_streams = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
    .pNext = (void *)&geometry,
    .transformFeedback = VK_TRUE};
#define STREAMED                                                                    \
    CREATE(0, stage_info(VK_SHADER_STAGE_VERTEX_BIT, CODE(b, spirv_vertex_points)), \
           stage_info(VK_SHADER_STAGE_GEOMETRY_BIT, CODE(b, spirv_geometry_streams)))
SCENARIO(streams_of_geometry, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_transform_feedback"},
         .features = &streams)
{
    STREAMED;
}

SCENARIO(streams_of_geometry_without_feature, .drivers = NULL_DRIVER,
         .extensions = {"VK_EXT_transform_feedback"}, .features = &no_streams, .proceed = true,
         .expect = {GRAPHICS("geometryStreams-02321"), "VUID-VkShaderModuleCreateInfo-pCode-08740"},
         .text = {"has a geometry shader with the capability GeometryStreams, and the "
                  "geometryStreams feature is not enabled"})
{
    STREAMED;
}
