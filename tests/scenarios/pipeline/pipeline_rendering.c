/* Checks that a graphics pipeline fits the subpass, or the dynamic rendering, that it is made for:
 * blending, order of access, views, formats (10.6). */
#include "scenario.h"

/* The header defines the variable, and programs.c has it, too. */
#define shader_triangle_mesh shader_triangle_mesh_of_pipelines
#include "shader_triangle_mesh.h"

/* The rendering that a pipeline is made for, and what it says itself. */
struct making {
    VkFormat colors[2], depth; /* VK_FORMAT_UNDEFINED: none */
    uint32_t view_mask;
    VkSubpassDescriptionFlags subpass_flags;
    VkPipelineDepthStencilStateCreateInfo depth_stencil;
    VkPipelineColorBlendAttachmentState blends[2];
    struct graphics_pipeline p;
    VkPipelineRenderingCreateInfo rendering;
    bool mesh;
};

static VkRenderPass make_making_pass(struct baseline *b, const struct making *m)
{
    VkAttachmentDescription attachments[3];
    VkAttachmentReference colors[2], depth = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass = {.flags = m->subpass_flags,
                                    .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .pColorAttachments = colors};
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 1,
        .pViewMasks = &m->view_mask};
    VkRenderPassCreateInfo info = render_pass_info();
    uint32_t count = 0;
    for (; count < 2 && m->colors[count]; count++) {
        attachments[count] = info.pAttachments[0];
        attachments[count].format = m->colors[count];
        colors[count] = (VkAttachmentReference){count, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    }
    subpass.colorAttachmentCount = count;
    if (m->depth) {
        attachments[count] = info.pAttachments[0];
        attachments[count].format = m->depth;
        attachments[count].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        depth.attachment = count++;
        subpass.pDepthStencilAttachment = &depth;
    }
    info.pNext = m->view_mask ? &views : NULL;
    info.attachmentCount = count;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    VkRenderPass pass = create_render_pass(b, &info);
    ENSURE(pass);
    return pass;
}

static void fill_making(struct baseline *b, struct making *m)
{
    begin_graphics_pipeline(b, &m->p, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    m->colors[0] = COLOR_FORMAT;
    m->colors[1] = m->depth = VK_FORMAT_UNDEFINED;
    m->view_mask = m->subpass_flags = 0;
    m->mesh = false;
    m->blends[0] = m->blends[1] = m->p.blend_attachment;
    m->p.color_blend.pAttachments = m->blends;
    m->depth_stencil = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    m->p.info.pDepthStencilState = &m->depth_stencil;
    m->rendering =
        (VkPipelineRenderingCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
}

static void make_rendering_pipeline(struct baseline *b, struct making *m, bool pass)
{
    m->p.color_blend.attachmentCount = m->colors[1] ? 2 : 1;
    if (m->mesh)
        m->p.stages[0] =
            stage_info(VK_SHADER_STAGE_MESH_BIT_EXT, MAKE_SHADER(b, shader_triangle_mesh));
    if (pass) {
        m->p.info.renderPass = make_making_pass(b, m);
    } else {
        m->rendering.viewMask = m->view_mask;
        m->rendering.colorAttachmentCount = m->p.color_blend.attachmentCount;
        m->rendering.pColorAttachmentFormats = m->colors;
        if (m->depth)
            m->rendering.depthAttachmentFormat = m->depth;
        m->p.info.pNext = &m->rendering;
    }
    create_graphics_pipeline(b, &m->p.info);
}

#define UNWRAP(...) __VA_ARGS__
#define MAKING(name_, pass_, fields_, ...)    \
    SCENARIO(name_, UNWRAP fields_)           \
    {                                         \
        struct making making, *m = &making;   \
        fill_making(b, m);                    \
        __VA_ARGS__;                          \
        make_rendering_pipeline(b, m, pass_); \
    }
/* In a subpass, and in dynamic rendering. */
#define IN_PASS(name_, fields_, ...)      MAKING(name_, true, fields_, __VA_ARGS__)
#define IN_RENDERING(name_, fields_, ...) MAKING(name_, false, fields_, __VA_ARGS__)
#define GRAPHICS(id_)                     "VUID-VkGraphicsPipelineCreateInfo-" id_
#define WRONG(id_, text_)                 .expect = {GRAPHICS(id_)}, .text = {text_}

static const VkPhysicalDeviceVulkan13Features dynamic = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .maintenance4 = VK_TRUE};
#define DYNAMIC .features = &dynamic

IN_PASS(pass, (), )
IN_RENDERING(rendering, (DYNAMIC), )

/* --- order of access --- */

static const VkPhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT ordered = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_FEATURES_EXT,
    .pNext = (void *)&dynamic,
    .rasterizationOrderColorAttachmentAccess = VK_TRUE,
    .rasterizationOrderDepthAttachmentAccess = VK_TRUE,
    .rasterizationOrderStencilAttachmentAccess = VK_TRUE};
static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR ordered_local = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)&ordered,
    .dynamicRenderingLocalRead = VK_TRUE};
#define ORDER                                                      \
    .extensions = {"VK_EXT_rasterization_order_attachment_access", \
                   "VK_KHR_dynamic_rendering_local_read"}
#define ORDERED ORDER, .features = &ordered, .drivers = NULL_DRIVER
#define COLOR_ORDER          \
    m->p.color_blend.flags = \
        VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT
#define ORDER_FLAG(what_) \
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_##what_##_ACCESS_BIT_EXT
#define DEPTH_ORDER                             \
    m->depth_stencil.flags = ORDER_FLAG(DEPTH); \
    m->depth = VK_FORMAT_D32_SFLOAT_S8_UINT
#define STENCIL_ORDER                             \
    m->depth_stencil.flags = ORDER_FLAG(STENCIL); \
    m->depth = VK_FORMAT_D32_SFLOAT_S8_UINT
#define SUBPASS_ORDER(what_) \
    m->subpass_flags =       \
        VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_##what_##_ACCESS_BIT_EXT

IN_PASS(color_order, (ORDERED), COLOR_ORDER; SUBPASS_ORDER(COLOR))
IN_PASS(depth_order, (ORDERED), DEPTH_ORDER; SUBPASS_ORDER(DEPTH))
IN_PASS(stencil_order, (ORDERED), STENCIL_ORDER; SUBPASS_ORDER(STENCIL))
IN_PASS(color_order_not_of_subpass,
        (ORDERED,
         WRONG("renderPass-09527",
               "asks for rasterization order access, which subpass 0 was not created with")),
        COLOR_ORDER)
IN_PASS(depth_order_not_of_subpass,
        (ORDERED, WRONG("renderPass-09528",
                        "asks for rasterization order depth access, which subpass 0 was not")),
        DEPTH_ORDER)
IN_PASS(stencil_order_not_of_subpass,
        (ORDERED, WRONG("renderPass-09529",
                        "asks for rasterization order stencil access, which subpass 0 was not")),
        STENCIL_ORDER)
IN_PASS(color_order_without_feature,
        (ORDER, DYNAMIC, .drivers = NULL_DRIVER,
         .expect = {"VUID-VkPipelineColorBlendStateCreateInfo-"
                    "rasterizationOrderColorAttachmentAccess-06465"},
         .text = {"the feature rasterizationOrderColorAttachmentAccess is not enabled"}),
        COLOR_ORDER;
        SUBPASS_ORDER(COLOR))
IN_RENDERING(all_order_in_rendering, (ORDER, .features = &ordered_local, .drivers = NULL_DRIVER),
             DEPTH_ORDER;
             COLOR_ORDER)

/* --- blending --- */

static const VkPhysicalDeviceFeatures2 blending = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                                   .pNext = (void *)&dynamic,
                                                   .features = {.independentBlend = VK_TRUE}};
#define ADVANCED(independent_)                                                   \
    .features = &blending, .drivers = NULL_DRIVER,                               \
    .extensions = {"VK_EXT_blend_operation_advanced"},                           \
    .null_driver = "{\"properties\": {\"advancedBlendMaxColorAttachments\": 8, " \
                   "\"advancedBlendIndependentBlend\": " independent_ "}}"
#define BLEND(index_, operation_)            \
    m->blends[index_].blendEnable = VK_TRUE; \
    m->blends[index_].colorBlendOp = m->blends[index_].alphaBlendOp = VK_BLEND_OP_##operation_##_EXT
#define TWO_BLENDS(second_)      \
    m->colors[1] = COLOR_FORMAT; \
    BLEND(0, SCREEN);            \
    BLEND(1, second_)
IN_PASS(advanced_blends_differ,
        (ADVANCED("false"),
         .expect = {"VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01407",
                    "VUID-VkPipelineColorBlendAttachmentState-advancedBlendIndependentBlend-01408"},
         .text = {"colorBlendOp is VK_BLEND_OP_OVERLAY_EXT, but that of pAttachments[0] differs",
                  "alphaBlendOp is VK_BLEND_OP_OVERLAY_EXT, but that of pAttachments[0] differs"}),
        TWO_BLENDS(OVERLAY))
IN_PASS(advanced_blends_are_independent, (ADVANCED("true")), TWO_BLENDS(OVERLAY))
IN_PASS(advanced_blends_are_the_same, (ADVANCED("false")), TWO_BLENDS(SCREEN))

#define CANNOT_BLEND \
    .drivers = NULL_DRIVER, .null_driver = "{\"withoutFormatFeatures\": {\"37\": 256}}"
IN_PASS(blending_off, (CANNOT_BLEND), )
IN_PASS(blending_of_format_without,
        (CANNOT_BLEND,
         WRONG("renderPass-06041",
               "blendEnable is VK_TRUE, but color attachment 0 of subpass 0 (attachment 0 of the "
               "render pass) has the format VK_FORMAT_R8G8B8A8_UNORM, which cannot be blended")),
        m->blends[0].blendEnable = VK_TRUE)

#define SHARED_EXPONENT m->colors[0] = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32
IN_PASS(exponent_whole, (.drivers = NULL_DRIVER), SHARED_EXPONENT)
IN_PASS(exponent_not, (.drivers = NULL_DRIVER), SHARED_EXPONENT; m->blends[0].colorWriteMask = 0)
IN_PASS(exponent_in_part,
        (.drivers = NULL_DRIVER,
         WRONG("None-09043",
               "colorWriteMask is VK_COLOR_COMPONENT_R_BIT, but color attachment 0 of subpass 0 "
               "(attachment 0 of the render pass) has the format VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "
               "which is written whole or not at all")),
        SHARED_EXPONENT;
        m->blends[0].colorWriteMask = VK_COLOR_COMPONENT_R_BIT)

/* --- depth --- */

IN_PASS(depth_state_missing,
        (WRONG("renderPass-09028", "pDepthStencilState is NULL, but there is a depth/stencil "
                                   "attachment of subpass 0 (attachment 1 of the render pass)")),
        m->depth = VK_FORMAT_D16_UNORM;
        m->p.info.pDepthStencilState = NULL)
IN_PASS(depth_state_not_needed, (), m->p.info.pDepthStencilState = NULL)

/* --- formats that are none --- */

#define NO_FORMAT (VkFormat)12345
IN_RENDERING(color_format_unknown,
             (DYNAMIC, WRONG("renderPass-06580",
                             "pColorAttachmentFormats[0] is 12345, which is not a VkFormat")),
             m->colors[0] = NO_FORMAT)
IN_RENDERING(depth_format_unknown,
             (DYNAMIC,
              WRONG("renderPass-06583", "depthAttachmentFormat is 12345, which is not a VkFormat")),
             m->rendering.depthAttachmentFormat = NO_FORMAT)
IN_RENDERING(stencil_format_unknown,
             (DYNAMIC, WRONG("renderPass-06584",
                             "stencilAttachmentFormat is 12345, which is not a VkFormat")),
             m->rendering.stencilAttachmentFormat = NO_FORMAT)

/* --- views --- */

static const VkPhysicalDeviceVulkan11Features multiview = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&dynamic,
    .multiview = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
    .pNext = (void *)&multiview,
    .meshShader = VK_TRUE,
    .multiviewMeshShader = VK_TRUE};
#define MESHES                                                                         \
    .features = &meshes, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_mesh_shader"}, \
    .null_driver = "{\"properties\": {\"maxMeshMultiviewViewCount\": 2}}"
IN_PASS(mesh_views, (MESHES), m->mesh = true; m->view_mask = 3)
IN_RENDERING(mesh_views_in_rendering, (MESHES), m->mesh = true; m->view_mask = 3)
IN_PASS(mesh_views_many, (MESHES, WRONG("renderPass-12325", "maxMeshMultiviewViewCount")),
        m->mesh = true;
        m->view_mask = 4)
IN_RENDERING(mesh_views_many_in_rendering,
             (MESHES, WRONG("renderPass-12326", "maxMeshMultiviewViewCount")), m->mesh = true;
             m->view_mask = 4)

static const VkPhysicalDeviceFeatures2 viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&multiview,
    .features = {.multiViewport = VK_TRUE}};
static const VkPhysicalDeviceMultiviewPerViewViewportsFeaturesQCOM per_view = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PER_VIEW_VIEWPORTS_FEATURES_QCOM,
    .pNext = (void *)&viewports,
    .multiviewPerViewViewports = VK_TRUE};
#define PER_VIEW                                   \
    .features = &per_view, .drivers = NULL_DRIVER, \
    .extensions = {"VK_QCOM_multiview_per_view_viewports"}
static void use_two_viewports(struct making *m)
{
    static const VkViewport both[2] = {{0, 0, 64, 64, 0, 1}, {0, 0, 64, 64, 0, 1}};
    static const VkRect2D scissors[2] = {{{0, 0}, {64, 64}}, {{0, 0}, {64, 64}}};
    m->p.viewport_state.viewportCount = m->p.viewport_state.scissorCount = 2;
    m->p.viewport_state.pViewports = both;
    m->p.viewport_state.pScissors = scissors;
}
IN_PASS(viewport_per_view, (PER_VIEW), m->view_mask = 3; use_two_viewports(m))
IN_RENDERING(viewport_per_view_in_rendering, (PER_VIEW), m->view_mask = 3; use_two_viewports(m))
IN_PASS(viewports_too_few,
        (PER_VIEW, .expect = {GRAPHICS("pDynamicStates-07730"), GRAPHICS("pDynamicStates-07731")},
         .text =
             {"viewportCount is 1, but with multiviewPerViewViewports the view mask 0x2 needs 2",
              "scissorCount is 1, but with multiviewPerViewViewports the view mask 0x2 needs 2"}),
        m->view_mask = 2)
IN_RENDERING(viewports_too_few_in_rendering,
             (PER_VIEW,
              .expect = {GRAPHICS("multiviewPerViewViewports-12249"),
                         GRAPHICS("multiviewPerViewViewports-12250")},
              .text = {"viewportCount is 1, but with multiviewPerViewViewports the view mask 0x2 "
                       "needs 2",
                       "scissorCount is 1, but with multiviewPerViewViewports the view mask 0x2 "
                       "needs 2"}),
             m->view_mask = 2)

/* --- polygons --- */

IN_PASS(rectangles, (.drivers = NULL_DRIVER, .extensions = {"VK_NV_fill_rectangle"}),
        m->p.rasterization.polygonMode = VK_POLYGON_MODE_FILL_RECTANGLE_NV)
