/* What a graphics pipeline's create info says and nobody reads (10.6 "Graphics Pipelines"): states that are dynamic, structures of stages that it does not
 * have, attachments that are not there. It may be anything. */
#include "scenario.h"

/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_of_ignored_state
#include "shader_triangle_mesh.h"

#define RIGHT(name_, change_, ...)                     \
    SCENARIO(name_, ##__VA_ARGS__)                     \
    {                                                  \
        struct graphics_pipeline p;                    \
        begin(b, &p);                                  \
        change_;                                       \
        REQUIRE(create_graphics_pipeline(b, &p.info)); \
    }
#define MISTAKE(name_, id_, change_, ...)                   \
    SCENARIO(name_, .expect = {"VUID-" id_}, ##__VA_ARGS__) \
    {                                                       \
        struct graphics_pipeline p;                         \
        begin(b, &p);                                       \
        change_;                                            \
        create_graphics_pipeline(b, &p.info);               \
    }

/* sType of no structure at all. */
#define NOTHING ((VkStructureType)0x7ffffff0)

static VkPipelineDynamicStateCreateInfo dynamic_info;
static VkDynamicState dynamic_states[16];
#define DYNAMIC(...) \
    make_dynamic(&p, sizeof((VkDynamicState[]){__VA_ARGS__}) / sizeof(VkDynamicState), (VkDynamicState[]){__VA_ARGS__})
static void make_dynamic(struct graphics_pipeline *p, size_t count, const VkDynamicState *states)
{
    for (size_t i = 0; i < count; i++)
        dynamic_states[i] = states[i];
    dynamic_info = (VkPipelineDynamicStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = (uint32_t)count,
                                                      .pDynamicStates = dynamic_states};
    p->info.pDynamicState = &dynamic_info;
}

static void begin(struct baseline *b, struct graphics_pipeline *p)
{
    begin_graphics_pipeline(b, p, make_empty_pipeline_layout(b), make_render_pass(b));
}

static VkPipelineDepthStencilStateCreateInfo depth_stencil;
static void set_depth(struct graphics_pipeline *p, VkStructureType type)
{
    depth_stencil = (VkPipelineDepthStencilStateCreateInfo){.sType = type};
    p->info.pDepthStencilState = &depth_stencil;
}

/* --- dynamic rendering --- */

static const VkPhysicalDeviceVulkan13Features dynamic = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                         .dynamicRendering = VK_TRUE,
                                                         .maintenance4 = VK_TRUE};
static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT three = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE,
    .extendedDynamicState3ColorWriteMask = VK_TRUE,
    .extendedDynamicState3RasterizationSamples = VK_TRUE,
    .extendedDynamicState3PolygonMode = VK_TRUE};
#define RENDERING .features = &dynamic
#define THREE     .features = &three, .extensions = {"VK_EXT_extended_dynamic_state3"}

static VkFormat formats[2];
static VkPipelineRenderingCreateInfo rendering;
static void set_rendering(struct graphics_pipeline *p, uint32_t count, VkFormat first)
{
    formats[0] = first;
    formats[1] = VK_FORMAT_UNDEFINED;
    rendering = (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                .colorAttachmentCount = count,
                                                .pColorAttachmentFormats = formats};
    p->info.renderPass = VK_NULL_HANDLE;
    p->info.pNext = &rendering;
}

/* --- which structures are read --- */

RIGHT(depth_of_no_attachment, set_depth(&p, NOTHING))
RIGHT(depth_of_no_format, (set_rendering(&p, 1, COLOR_FORMAT), set_depth(&p, NOTHING)), RENDERING)
MISTAKE(depth_of_a_format, "VkPipelineDepthStencilStateCreateInfo-sType-sType", set_rendering(&p, 1, COLOR_FORMAT);
        set_depth(&p, NOTHING); rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM, RENDERING)
RIGHT(blending_of_no_format, (set_rendering(&p, 1, VK_FORMAT_UNDEFINED), p.color_blend.sType = NOTHING), RENDERING)
MISTAKE(blending_of_a_format, "VkPipelineColorBlendStateCreateInfo-sType-sType",
        (set_rendering(&p, 1, COLOR_FORMAT), p.color_blend.sType = NOTHING), RENDERING)

#define DISCARD        p.rasterization.rasterizerDiscardEnable = VK_TRUE, p.info.stageCount = 1
#define BEHIND_DISCARD p.viewport_state.sType = p.multisample.sType = p.color_blend.sType = NOTHING
RIGHT(all_is_discarded, (DISCARD, BEHIND_DISCARD, set_depth(&p, NOTHING)))
MISTAKE(discard_is_dynamic, "VkPipelineMultisampleStateCreateInfo-sType-sType",
        (p.rasterization.rasterizerDiscardEnable = VK_TRUE, DYNAMIC(VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE),
         p.multisample.sType = NOTHING))

static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .meshShader = VK_TRUE};
#define MESHES .features = &meshes, .extensions = {"VK_EXT_mesh_shader"}
#define MESH   p.stages[0] = stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh))
RIGHT(mesh_without_input, (MESH, p.info.pVertexInputState = NULL, p.info.pInputAssemblyState = NULL), MESHES)
RIGHT(mesh_with_ignored_input, (MESH, p.vertex_input.sType = p.input_assembly.sType = NOTHING), MESHES)
MISTAKE(input_assembly_of_vertices, "VkPipelineInputAssemblyStateCreateInfo-sType-sType",
        p.input_assembly.sType = NOTHING)

/* --- which values are read --- */

RIGHT(samples_are_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT), p.multisample.rasterizationSamples = 0), THREE)
MISTAKE(samples_are_fixed, "VkPipelineMultisampleStateCreateInfo-rasterizationSamples-parameter",
        p.multisample.rasterizationSamples = 0, .proceed = false,
        .allow = {"VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853"})
RIGHT(polygon_mode_is_dynamic, (DYNAMIC(VK_DYNAMIC_STATE_POLYGON_MODE_EXT), p.rasterization.polygonMode = 77), THREE)
RIGHT(faces_are_dynamic, (DYNAMIC(VK_DYNAMIC_STATE_FRONT_FACE, VK_DYNAMIC_STATE_CULL_MODE),
                          p.rasterization.frontFace = 77, p.rasterization.cullMode = 0x77))
RIGHT(equation_is_dynamic, (DYNAMIC(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT), p.blend_attachment.colorBlendOp = 77),
      THREE)
static const VkVertexInputBindingDescription wide = {.stride = UINT32_MAX};
RIGHT(stride_is_dynamic,
      (DYNAMIC(VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE), p.vertex_input.vertexBindingDescriptionCount = 1,
       p.vertex_input.pVertexBindingDescriptions = &wide))
MISTAKE(stride_is_fixed, "VkVertexInputBindingDescription-stride-00619",
        (p.vertex_input.vertexBindingDescriptionCount = 1, p.vertex_input.pVertexBindingDescriptions = &wide))

/* --- the count of blend states --- */

#define TWO_BLENDS p.color_blend.attachmentCount = 2
static VkPipelineColorBlendAttachmentState two[2];
#define SECOND_BLEND (two[0] = two[1] = p.blend_attachment, p.color_blend.pAttachments = two, TWO_BLENDS)
RIGHT(blends_are_dynamic,
      (set_rendering(&p, 1, COLOR_FORMAT), TWO_BLENDS, p.color_blend.pAttachments = NULL,
       DYNAMIC(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT,
               VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT)),
      THREE)
RIGHT(blends_of_no_formats, (set_rendering(&p, 1, VK_FORMAT_UNDEFINED), SECOND_BLEND), RENDERING)
RIGHT(blends_of_discarding_pipeline, (set_rendering(&p, 1, COLOR_FORMAT), SECOND_BLEND, DISCARD), RENDERING)
MISTAKE(blends_of_a_format, "VkGraphicsPipelineCreateInfo-renderPass-06055",
        (set_rendering(&p, 1, COLOR_FORMAT), SECOND_BLEND), RENDERING)
MISTAKE(format_that_is_no_color, "VkGraphicsPipelineCreateInfo-renderPass-06582",
        (set_rendering(&p, 1, VK_FORMAT_D16_UNORM), p.blend_attachment.blendEnable = VK_TRUE), RENDERING)

/* --- depth and stencil that are all dynamic --- */

#define DEPTH_IS_DYNAMIC                                                                  \
    DYNAMIC(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,      \
            VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, \
            VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP, VK_DYNAMIC_STATE_DEPTH_BOUNDS)
RIGHT(depth_is_dynamic, set_rendering(&p, 1, COLOR_FORMAT); rendering.depthAttachmentFormat = VK_FORMAT_D16_UNORM;
      DEPTH_IS_DYNAMIC, THREE)
