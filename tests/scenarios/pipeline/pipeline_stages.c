/* Stages of pipelines beyond vertex and fragment shaders, and views: what features, other stages
 * and structures they need. */
#include "scenario.h"

/* The modules are not of these stages: what is said of their code may come as well. */
#define ANY_CODE                                                  \
    .settings = {"check_shaders=false"}, .drivers = NULL_DRIVER,  \
    .allow = {"VUID-VkPipelineShaderStageCreateInfo-pName-00707", \
              "VUID-VkGraphicsPipelineCreateInfo-pStages-00732",  \
              "VUID-VkGraphicsPipelineCreateInfo-pStages-00734",  \
              "VUID-VkGraphicsPipelineCreateInfo-pStages-00738",  \
              "VUID-VkGraphicsPipelineCreateInfo-pStages-00739",  \
              "VUID-VkPipelineShaderStageCreateInfo-stage-00714", \
              "VUID-VkPipelineShaderStageCreateInfo-stage-00715", \
              "VUID-VkGraphicsPipelineCreateInfo-pStages-08888",  \
              "VUID-VkGraphicsPipelineCreateInfo-layout-07988"}

struct staged {
    struct graphics_pipeline p;
    VkPipelineShaderStageCreateInfo stages[5];
    VkPipelineTessellationStateCreateInfo tessellation;
    VkPipelineRenderingCreateInfo rendering;
    VkFormat format;
};

static void add_staged(struct staged *s, VkShaderStageFlagBits stage)
{
    s->stages[s->p.info.stageCount] = s->p.stages[0];
    s->stages[s->p.info.stageCount++].stage = stage;
}

/* Vertex and fragment shader, for dynamic rendering or a render pass; nothing is tessellated yet.
 */
static void begin_staged(struct baseline *b, struct staged *s)
{
    *s = (struct staged){.format = COLOR_FORMAT};
    begin_graphics_pipeline(b, &s->p, make_empty_pipeline_layout(b), make_render_pass(b));
    s->stages[0] = s->p.stages[0];
    s->stages[1] = s->p.stages[1];
    s->p.info.pStages = s->stages;
    s->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 3};
}

static void add_tessellation(struct staged *s)
{
    add_staged(s, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT);
    add_staged(s, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
    s->p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    s->p.info.pTessellationState = &s->tessellation;
}

static void render_views(struct staged *s, uint32_t view_mask)
{
    s->rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                        .viewMask = view_mask,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachmentFormats = &s->format};
    s->p.info.renderPass = VK_NULL_HANDLE;
    s->p.info.pNext = &s->rendering;
}

static VkRenderPass make_multiview_pass(struct baseline *b)
{
    static const uint32_t mask = 3;
    VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &mask};
    VkRenderPassCreateInfo info = render_pass_info();
    info.pNext = &views;
    return create_render_pass(b, &info);
}

#define MISTAKE(name_, id_, change_, ...)                             \
    SCENARIO(name_, .expect = {"VUID-" id_}, ANY_CODE, ##__VA_ARGS__) \
    {                                                                 \
        struct staged s;                                              \
        begin_staged(b, &s);                                          \
        change_;                                                      \
        create_graphics_pipeline(b, &s.p.info);                       \
    }
#define RIGHT(name_, change_, ...)              \
    SCENARIO(name_, ANY_CODE, ##__VA_ARGS__)    \
    {                                           \
        struct staged s;                        \
        begin_staged(b, &s);                    \
        change_;                                \
        create_graphics_pipeline(b, &s.p.info); \
    }
#define GRAPHICS(id_) "VkGraphicsPipelineCreateInfo-" id_

static const VkPhysicalDeviceFeatures2 shaders = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE}};
static const VkPhysicalDeviceMultiviewFeatures multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
    .pNext = (void *)&shaders,
    .multiview = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingFeatures views = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
    .pNext = (void *)&multiview,
    .dynamicRendering = VK_TRUE};

/* --- features and neighbours of stages --- */

RIGHT(stages_tessellation, add_tessellation(&s), .features = &shaders)
MISTAKE(stage_control_alone, GRAPHICS("pStages-00729"), add_tessellation(&s);
        s.p.info.stageCount--, .features = &shaders)
MISTAKE(stage_evaluation_alone, GRAPHICS("pStages-00730"), add_tessellation(&s);
        s.stages[2] = s.stages[3]; s.p.info.stageCount--, .features = &shaders)
MISTAKE(tessellation_state_missing, GRAPHICS("pStages-09022"), add_tessellation(&s);
        s.p.info.pTessellationState = NULL, .features = &shaders)

SCENARIO(topology_of_triangles, ANY_CODE, .features = &shaders,
         .expect = {"VUID-VkGraphicsPipelineCreateInfo-pStages-08888"})
{
    struct staged s;
    begin_staged(b, &s);
    add_tessellation(&s);
    s.p.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    create_graphics_pipeline(b, &s.p.info);
}

static const VkPhysicalDeviceMeshShaderFeaturesEXT mesh = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&views,
    .meshShader = VK_TRUE,
    .taskShader = VK_TRUE};
#define MESH .extensions = {"VK_EXT_mesh_shader"}, .features = &mesh
RIGHT(stages_mesh, s.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT, MESH)
MISTAKE(stages_mesh_and_vertex, GRAPHICS("pStages-02095"),
        add_staged(&s, VK_SHADER_STAGE_MESH_BIT_EXT), MESH)

/* --- views --- */

RIGHT(views_of_vertices, render_views(&s, 3), .features = &views)
MISTAKE(views_tessellated, GRAPHICS("renderPass-06057"), add_tessellation(&s);
        render_views(&s, 3), .features = &views)
MISTAKE(views_of_geometry, GRAPHICS("renderPass-06058"),
        add_staged(&s, VK_SHADER_STAGE_GEOMETRY_BIT);
        render_views(&s, 3), .features = &views)
MISTAKE(views_of_meshes, GRAPHICS("renderPass-07720"),
        s.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT;
        render_views(&s, 3), MESH)
RIGHT(pass_views_of_vertices, s.p.info.renderPass = make_multiview_pass(b), .features = &views)
MISTAKE(pass_views_tessellated, GRAPHICS("renderPass-06047"), add_tessellation(&s);
        s.p.info.renderPass = make_multiview_pass(b), .features = &views)
MISTAKE(pass_views_of_geometry, GRAPHICS("renderPass-06048"),
        add_staged(&s, VK_SHADER_STAGE_GEOMETRY_BIT);
        s.p.info.renderPass = make_multiview_pass(b), .features = &views)
MISTAKE(pass_views_of_meshes, GRAPHICS("renderPass-07064"),
        s.stages[0].stage = VK_SHADER_STAGE_MESH_BIT_EXT;
        s.p.info.renderPass = make_multiview_pass(b), MESH)
