/* Draws and dispatches with shader objects: which are bound together, and what must be set in the
 * command buffer. */
#include "shader/shader_objects.h"

DRAWING(objects_right, NOTHING, , ON)
DRAWING(objects_twice, NOTHING, vkCmdDraw(c, 3, 1, 0, 0), ON)

/* "If the VK_NV_viewport_swizzle extension is enabled, and a shader object is bound to any graphics
 * stage ..." */
static const VkPhysicalDeviceFeatures2 many_viewports = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&objects,
    .features = {.multiViewport = VK_TRUE}};
static void set_two_viewports(struct baseline *b, VkCommandBuffer c, uint32_t swizzle_count)
{
    const VkViewport viewports[2] = {{.width = 8, .height = 8, .maxDepth = 1},
                                     {.width = 8, .height = 8, .maxDepth = 1}};
    const VkRect2D scissors[2] = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
    const VkViewportSwizzleNV swizzles[2] = {{0, 2, 4, 6}, {0, 2, 4, 6}};
    vkCmdSetViewportWithCount(c, 2, viewports);
    vkCmdSetScissorWithCount(c, 2, scissors);
    DEVICE_PROC(b, vkCmdSetViewportSwizzleNV)(c, 0, swizzle_count, swizzles);
}
#define SWIZZLED                                                                              \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object", "VK_NV_viewport_swizzle"}, \
    .features = &many_viewports
DRAWING(objects_with_fewer_swizzles, NOTHING, set_two_viewports(b, c, 1), SWIZZLED,
        .expect = {DRAW("viewportCount-09421")})
DRAWING(objects_with_all_swizzles, NOTHING, set_two_viewports(b, c, 2), SWIZZLED)
DRAWING(objects_no_viewports, VIEWPORTS, , ON, .expect = {DRAW("viewportCount-03417")},
        .text = {"has shader objects bound, which take VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT from "
                 "the command buffer"})
DRAWING(objects_no_scissors, SCISSORS, , ON, .expect = {DRAW("scissorCount-03418")})
DRAWING(objects_no_discard, DISCARD, , ON, .expect = {DRAW("None-04876")})
DRAWING(objects_no_cull_mode, CULL_MODE, , ON, .expect = {DRAW("None-07840")})
DRAWING(objects_no_front_face, FRONT_FACE, , ON, .expect = {DRAW("None-07841")})
DRAWING(objects_no_depth_test, DEPTH_TEST, , ON, .expect = {DRAW("None-07843")})
DRAWING(objects_no_stencil_test, STENCIL_TEST, , ON, .expect = {DRAW("None-07847")})
DRAWING(objects_no_depth_bias_enable, DEPTH_BIAS_ENABLE, , ON, .expect = {DRAW("None-04877")})
DRAWING(objects_no_topology, TOPOLOGY, , ON, .expect = {DRAW("None-07842")})
DRAWING(objects_no_restart, RESTART, , ON, .expect = {DRAW("None-04879")})
DRAWING(objects_no_vertex_input, VERTEX_INPUT, , ON, .expect = {DRAW("None-04914")})
DRAWING(objects_no_polygon_mode, POLYGON_MODE, , ON, .expect = {DRAW("None-07621")})
DRAWING(objects_no_samples, SAMPLES, , ON, .expect = {DRAW("None-07622")})
DRAWING(objects_no_sample_mask, SAMPLE_MASK, , ON, .expect = {DRAW("None-07623")})
DRAWING(objects_no_alpha_to_coverage, ALPHA_TO_COVERAGE, , ON, .expect = {DRAW("None-07624")})
DRAWING(objects_no_blend_enable, BLEND_ENABLE, , ON, .expect = {DRAW("None-07627")})
DRAWING(objects_no_write_mask, WRITE_MASK, , ON, .expect = {DRAW("None-07629")})
DRAWING(objects_no_bias, NOTHING, vkCmdSetDepthBiasEnable(c, VK_TRUE), ON,
        .expect = {DRAW("None-07834")})
DRAWING(objects_no_stencil, NOTHING, vkCmdSetStencilTestEnable(c, VK_TRUE), ON, .proceed = true,
        .expect = {DRAW("None-07837"), DRAW("None-07838"), DRAW("None-07839"), DRAW("None-07848")})
DRAWING(objects_no_depth, NOTHING, vkCmdSetDepthTestEnable(c, VK_TRUE), ON, .proceed = true,
        .expect = {DRAW("None-07844"), DRAW("None-07845")})
DRAWING(objects_no_line_width, NOTHING,
        vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_LINE_LIST), ON,
        .expect = {DRAW("None-08617")})
DRAWING(objects_counts, NOTHING,
        vkCmdSetScissorWithCount(c, 2, (VkRect2D[2]){{.extent = {1, 1}}, {.extent = {1, 1}}}),
        .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object"},
        .features =
            &(VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                         .pNext = (void *)&objects,
                                         .features = {.multiViewport = VK_TRUE}},
        .expect = {DRAW("viewportCount-03419")})

static const VkPhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT feedback_loops = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_DYNAMIC_STATE_FEATURES_EXT,
    .pNext = (void *)&objects,
    .attachmentFeedbackLoopDynamicState = VK_TRUE};
#define WITH_FEEDBACK_LOOPS                                                          \
    .drivers = NULL_DRIVER,                                                          \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_attachment_feedback_loop_layout", \
                   "VK_EXT_attachment_feedback_loop_dynamic_state"}

/* Without the feature, vkCmdSetAttachmentFeedbackLoopEnableEXT must not be called (08862). */
DRAWING(objects_feedback_loops_without_feature, NOTHING, , WITH_FEEDBACK_LOOPS,
        .features = &objects)
DRAWING(objects_no_feedback_loops, NOTHING, , WITH_FEEDBACK_LOOPS, .features = &feedback_loops,
        .expect = {DRAW("None-08877")})

/* No color attachment is bound: neither blending nor write masks have to be set. */
SCENARIO(objects_without_colors, ON)
{
    const VkRenderingAttachmentInfo none = rendering_attachment(VK_NULL_HANDLE);
    const VkRenderingInfo rendering = rendering_info(&none);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, BLENDS);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- attachments --- */

static void draw_to(struct baseline *b, VkFormat format, VkSampleCountFlagBits samples,
                    VkSampleCountFlagBits set, VkBool32 blends)
{
    const VkSampleMask mask = 15;
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.format = format;
    info.samples = samples;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = format;
    const VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view));
    const VkRenderingInfo rendering = rendering_info(&color);
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, NOTHING);
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(c, set);
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(c, set, &mask);
    DEVICE_PROC(b, vkCmdSetColorBlendEnableEXT)(c, 0, 1, &blends);
    if (blends)
        DEVICE_PROC(b, vkCmdSetColorBlendEquationEXT)
    (c, 0, 1, &(VkColorBlendEquationEXT){0});
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRendering(c);
}

SCENARIO(objects_to_four_samples, ON)
{
    draw_to(b, COLOR_FORMAT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_4_BIT, VK_FALSE);
}

SCENARIO(objects_to_other_samples, ON, .expect = {DRAW("None-08644")},
         .text = {"has 4 samples, but 1 are rasterized"})
{
    draw_to(b, COLOR_FORMAT, VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_1_BIT, VK_FALSE);
}

SCENARIO(objects_blended, ON)
{
    draw_to(b, COLOR_FORMAT, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT, VK_TRUE);
}

/* Its shader writes floats, too, of which no rule speaks here. */
SCENARIO(objects_blended_without_support, ON, .drivers = NULL_DRIVER,
         .expect = {DRAW("blendEnable-04727")})
{
    draw_to(b, VK_FORMAT_R32G32B32A32_UINT, VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_1_BIT, VK_TRUE);
}

SCENARIO(objects_discarded, ON)
{
    VkCommandBuffer c = begin_objects(b, CULL_MODE);
    bind_both(b, c);
    vkCmdSetRasterizerDiscardEnable(c, VK_TRUE);
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- what is bound --- */

SCENARIO(objects_none_named, ON, .proceed = true, .drivers = NULL_DRIVER,
         .expect = {DRAW("None-08684"), DRAW("None-08688")},
         .text = {"vkCmdBindShadersEXT was not called for VK_SHADER_STAGE_VERTEX_BIT, not even "
                  "with VK_NULL_HANDLE"})
{
    vkCmdDraw(begin_objects(b, NOTHING), 3, 1, 0, 0);
}

SCENARIO(objects_stages_not_named, ON_STAGES, .proceed = true, .drivers = NULL_DRIVER,
         .expect = {DRAW("None-08685"), DRAW("None-08686"), DRAW("None-08687")})
{
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

#define TESSELLATION \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

SCENARIO(objects_stages_named, ON_STAGES)
{
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    unbind_stages(b, c, TESSELLATION | VK_SHADER_STAGE_GEOMETRY_BIT);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(objects_after_pipeline, ON)
{
    VkCommandBuffer c = make_recording(b);
    const VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    const VkRenderingInfo rendering = rendering_info(&color);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, NOTHING);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* A state that was set for shader objects is looked at when a pipeline comes again that was in
 * order. */
static void draw_between(struct baseline *b, VkPrimitiveTopology topology)
{
    const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo formats = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkDynamicState state = VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    struct graphics_pipeline info;
    begin_graphics_pipeline(b, &info, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    info.info.pNext = &formats;
    info.info.pDynamicState = &dynamic;
    const VkPipeline pipeline = create_graphics_pipeline(b, &info.info);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(c, 3, 1, 0, 0);
    bind_both(b, c);
    set_object_states(b, c, NOTHING);
    vkCmdSetPrimitiveTopology(c, topology);
    vkCmdSetLineWidth(c, 1);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(objects_between_pipelines, ON, .drivers = NULL_DRIVER,
         .expect = {DRAW("dynamicPrimitiveTopologyUnrestricted-07500")})
{
    draw_between(b, VK_PRIMITIVE_TOPOLOGY_LINE_LIST);
}

SCENARIO(objects_between_pipelines_in_order, ON)
{
    draw_between(b, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
}

SCENARIO(objects_in_render_pass, ON, .expect = {DRAW("None-08876")})
{
    VkCommandBuffer c = make_recording(b);
    begin_rendering(b, c);
    set_object_states(b, c, NOTHING);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(objects_with_views, .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object"},
         .features = &multiview, .expect = {DRAW("None-10772")})
{
    const VkRenderingAttachmentInfo color = rendering_attachment(make_image_view(b));
    VkRenderingInfo rendering = rendering_info(&color);
    VkCommandBuffer c = make_recording(b);
    rendering.viewMask = 1;
    rendering.layerCount = 0;
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, NOTHING);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- links --- */

static void make_linked(struct baseline *b, VkShaderEXT *shaders)
{
    VkShaderCreateInfoEXT infos[] = {INFO(vertex, VERTEX), INFO(fragment, FRAGMENT)};
    infos[0].nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    infos[0].flags = infos[1].flags = VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
    make_objects(b, 2, infos, shaders);
}

SCENARIO(linked_right, ON)
{
    VkShaderEXT shaders[2];
    VkCommandBuffer c = begin_objects(b, NOTHING);
    make_linked(b, shaders);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, shaders[0]);
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, shaders[1]);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(linked_to_another, ON, .expect = {DRAW("None-08698")})
{
    VkShaderEXT shaders[2];
    VkCommandBuffer c = begin_objects(b, NOTHING);
    make_linked(b, shaders);
    bind_both(b, c);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, shaders[0]);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(linked_with_one_between, ON_STAGES, .drivers = NULL_DRIVER, .proceed = true,
         .expect = {DRAW("None-08699")})
{
    VkShaderEXT shaders[2];
    VkShaderCreateInfoEXT geometry = INFO(geometry, GEOMETRY);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    make_linked(b, shaders);
    geometry.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    unbind_stages(b, c, TESSELLATION);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, shaders[0]);
    bind_shader_object(b, c, VK_SHADER_STAGE_GEOMETRY_BIT, make_shader_object(b, &geometry));
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, shaders[1]);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(objects_other_next_stage, ON, .expect = {DRAW("nextStage-10745")})
{
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- interfaces --- */

SCENARIO(objects_other_push_constants, ON, .expect = {DRAW("None-08878")})
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, 16};
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.pushConstantRangeCount = 1;
    vertex.pPushConstantRanges = &range;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(objects_other_sets, ON, .expect = {DRAW("None-08879")})
{
    const VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.setLayoutCount = 1;
    vertex.pSetLayouts = &layout;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* fill.comp: a storage buffer in set 0, and push constants. */
struct dispatch {
    bool without_set, without_constants;
    VkShaderCreateFlagsEXT flags;
    uint32_t base;
};

static void dispatch_objects(struct baseline *b, struct dispatch d)
{
    const VkDescriptorSetLayout layout = make_descriptor_set_layout(b);
    const VkPipelineLayoutCreateInfo pipeline_layout = pipeline_layout_info(&layout);
    const VkPushConstantRange *ranges = pipeline_layout.pPushConstantRanges;
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .flags = d.flags,
                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = shader_fill_size,
                                        .pCode = shader_fill_code,
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &layout,
                                        .pushConstantRangeCount =
                                            pipeline_layout.pushConstantRangeCount,
                                        .pPushConstantRanges = ranges};
    const VkPipelineLayout bound = make_pipeline_layout(b, layout);
    const uint32_t values[4] = {0};
    const VkDescriptorBufferInfo buffer = {
        .buffer = make_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), .range = VK_WHOLE_SIZE};
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), layout);
    const VkWriteDescriptorSet write = write_buffer(set, &buffer);
    VkCommandBuffer c = make_recording(b);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    if (!d.without_constants)
        vkCmdPushConstants(c, bound, ranges[0].stageFlags, ranges[0].offset, ranges[0].size,
                           values);
    bind_shader_object(b, c, VK_SHADER_STAGE_COMPUTE_BIT, make_shader_object(b, &info));
    if (!d.without_set)
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, bound, 0, 1, &set, 0, NULL);
    if (d.base)
        vkCmdDispatchBase(c, d.base, 0, 0, 1, 1, 1);
    else
        vkCmdDispatch(c, 1, 1, 1);
}

SCENARIO(object_dispatched, ON)
{
    dispatch_objects(b, (struct dispatch){0});
}

SCENARIO(no_object_dispatched, ON, .expect = {"VUID-vkCmdDispatch-None-10743"},
         .text = {"has neither a compute pipeline nor a compute shader bound"})
{
    vkCmdDispatch(make_recording(b), 1, 1, 1);
}

SCENARIO(object_dispatched_without_set, ON, .expect = {"VUID-vkCmdDispatch-None-08600"})
{
    dispatch_objects(b, (struct dispatch){.without_set = true});
}

SCENARIO(object_dispatched_without_constants, ON, .expect = {"VUID-vkCmdDispatch-None-08601"})
{
    dispatch_objects(b, (struct dispatch){.without_constants = true});
}

SCENARIO(object_dispatched_from_base, ON)
{
    dispatch_objects(b,
                     (struct dispatch){.flags = VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT, .base = 1});
}

SCENARIO(object_dispatched_from_base_without_flag, ON,
         .expect = {"VUID-vkCmdDispatchBase-baseGroupX-00427"},
         .text = {"begins at group (1, 0, 0), but the bound shader object was created without "
                  "VK_SHADER_CREATE_DISPATCH_BASE_BIT_EXT"})
{
    dispatch_objects(b, (struct dispatch){.base = 1});
}

/* --- mesh shaders --- */

/* A mesh shader, if it is to be one, and a fragment shader; no vertex and no task shader. */
static VkCommandBuffer begin_mesh(struct baseline *b, bool with_mesh, VkShaderCreateFlagsEXT flags)
{
    VkShaderCreateInfoEXT mesh = INFO(mesh_small, VERTEX), fragment = INFO(fragment, FRAGMENT);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    mesh.stage = VK_SHADER_STAGE_MESH_BIT_EXT;
    mesh.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    mesh.flags = flags;
    unbind_stages(b, c, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TASK_BIT_EXT);
    bind_shader_object(b, c, VK_SHADER_STAGE_MESH_BIT_EXT,
                       with_mesh ? make_shader_object(b, &mesh) : VK_NULL_HANDLE);
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    return c;
}

static void bind_task(struct baseline *b, VkCommandBuffer c)
{
    VkShaderCreateInfoEXT task = INFO(task_small, VERTEX);
    task.stage = VK_SHADER_STAGE_TASK_BIT_EXT;
    task.nextStage = VK_SHADER_STAGE_MESH_BIT_EXT;
    bind_shader_object(b, c, VK_SHADER_STAGE_TASK_BIT_EXT, make_shader_object(b, &task));
}

static void bind_vertex(struct baseline *b, VkCommandBuffer c)
{
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
}

#define MESHES(name_, flags_, change_, ...)                \
    SCENARIO(name_, ON_MESHES, ##__VA_ARGS__)              \
    {                                                      \
        VkCommandBuffer c = begin_mesh(b, true, flags_);   \
        change_;                                           \
        DEVICE_PROC(b, vkCmdDrawMeshTasksEXT)(c, 1, 1, 1); \
    }
MESHES(mesh_right, NO_TASK, )
MESHES(mesh_with_task, 0, bind_task(b, c))
MESHES(mesh_without_task, 0, , .expect = {MESH_DRAW("None-08694")})
MESHES(mesh_with_task_too_many, NO_TASK, bind_task(b, c), .expect = {MESH_DRAW("None-08695")})

SCENARIO(mesh_and_vertex, ON_MESHES, .proceed = true, .expect = {DRAW("None-08693")})
{
    VkCommandBuffer c = begin_mesh(b, true, NO_TASK);
    bind_vertex(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(task_and_vertex, ON_MESHES, .proceed = true, .expect = {DRAW("None-08696")})
{
    VkCommandBuffer c = begin_mesh(b, false, 0);
    bind_vertex(b, c);
    bind_task(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(mesh_not_drawn_as_vertices, ON_MESHES, .expect = {DRAW("None-08885")})
{
    vkCmdDraw(begin_mesh(b, true, NO_TASK), 3, 1, 0, 0);
}

SCENARIO(neither_mesh_nor_vertex, ON_MESHES, .expect = {DRAW("None-08693")})
{
    vkCmdDraw(begin_mesh(b, false, 0), 3, 1, 0, 0);
}

SCENARIO(mesh_stages_not_named, ON_MESHES, .proceed = true,
         .expect = {DRAW("None-08689"), DRAW("None-08690")})
{
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- what their descriptors refer to is gone --- */

/* Three uniform buffers in one set: the vertex shader reads that of binding 0, the fragment shader
 * that of binding 1. */
static VkCommandBuffer draw_reading(struct baseline *b, VkBuffer buffers[3])
{
    VkDescriptorSetLayoutBinding bindings[3];
    VkDescriptorBufferInfo infos[3];
    VkWriteDescriptorSet writes[3];
    for (uint32_t i = 0; i < 3; i++)
        bindings[i] = (VkDescriptorSetLayoutBinding){i, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                     VK_SHADER_STAGE_ALL_GRAPHICS, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 3,
        .pBindings = bindings};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size};
    VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &layout_info);
    VkDescriptorSet set = make_descriptor_set(b, create_descriptor_pool(b, &pool_info), layout);
    for (uint32_t i = 0; i < 3; i++) {
        buffers[i] = make_buffer(b, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        infos[i] = (VkDescriptorBufferInfo){buffers[i], 0, VK_WHOLE_SIZE};
        writes[i] = write_buffer(set, &infos[i]);
        writes[i].dstBinding = i;
        writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    }
    vkUpdateDescriptorSets(b->device, 3, writes, 0, NULL);
    VkShaderCreateInfoEXT vertex = INFO(vertex_uniform, VERTEX),
                          fragment = INFO(fragment_uniform, FRAGMENT);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.setLayoutCount = fragment.setLayoutCount = 1;
    vertex.pSetLayouts = fragment.pSetLayouts = &layout;
    VkImage target = make_image(b, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkImageViewCreateInfo view_info = image_view_info(target);
    const VkRenderingAttachmentInfo color = rendering_attachment(create_image_view(b, &view_info));
    const VkRenderingInfo rendering = rendering_info(&color);
    const VkImageMemoryBarrier barrier =
        image_barrier(target, VK_IMAGE_LAYOUT_UNDEFINED, color.imageLayout);
    VkCommandBuffer c = make_recording(b);
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, NOTHING);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, &fragment));
    /* Without push constants, as the shaders are: else it would not be compatible with theirs. */
    const VkPipelineLayoutCreateInfo pipeline_layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &layout};
    VkPipelineLayout pipeline_layout = create_pipeline_layout(b, &pipeline_layout_info);
    for (uint32_t i = 0; i < 2; i++) {
        vkCmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_layout, 0, 1, &set, 0,
                                NULL);
        vkCmdDraw(c, 3, 1, 0, 0);
    }
    vkCmdEndRendering(c);
    VK(vkEndCommandBuffer(c));
    return c;
}

static void submit_without(struct baseline *b, uint32_t gone)
{
    VkBuffer buffers[3];
    VkCommandBuffer c = draw_reading(b, buffers);
    const VkSubmitInfo info = submit_info(&c);
    FORGET(b, buffers[gone]);
    vkDestroyBuffer(b->device, buffers[gone], NULL);
    (void)vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE);
    VK(vkQueueWaitIdle(b->queue));
}

SCENARIO(objects_vertex_reads_what_is_gone, ON,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {", whose binding 0 refers to "})
{
    submit_without(b, 0);
}

SCENARIO(objects_fragment_reads_what_is_gone, ON,
         .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"},
         .text = {", whose binding 1 refers to "})
{
    submit_without(b, 1);
}

/* No shader declares binding 2. */
SCENARIO(objects_do_not_read_what_is_gone, ON)
{
    submit_without(b, 2);
}

/* --- what the fragment shader is made for --- */

static void bind_fragment(struct baseline *b, VkCommandBuffer c, const VkShaderCreateInfoEXT *info)
{
    bind_shader_object(b, c, VK_SHADER_STAGE_FRAGMENT_BIT, make_shader_object(b, info));
}

static void cover_by_alpha(struct baseline *b, VkCommandBuffer c, VkBool32 enable)
{
    const VkShaderCreateInfoEXT rgb = INFO(fragment_rgb, FRAGMENT);
    bind_fragment(b, c, &rgb);
    DEVICE_PROC(b, vkCmdSetAlphaToCoverageEnableEXT)(c, enable);
}
DRAWING(objects_without_alpha, NOTHING, cover_by_alpha(b, c, VK_TRUE), ON,
        .expect = {DRAW("alphaToCoverageEnable-08920")})
DRAWING(objects_without_coverage_by_alpha, NOTHING, cover_by_alpha(b, c, VK_FALSE), ON)

#define COVERED                                                                 \
    .drivers = NULL_DRIVER,                                                     \
    .extensions = {"VK_EXT_shader_object", "VK_NV_fragment_coverage_to_color"}, \
    .features = &objects
static void cover_color(struct baseline *b, VkCommandBuffer c, VkBool32 enable)
{
    DEVICE_PROC(b, vkCmdSetCoverageToColorEnableNV)(c, enable);
    DEVICE_PROC(b, vkCmdSetCoverageToColorLocationNV)(c, 0);
}
DRAWING(objects_with_coverage_of_floats, NOTHING, cover_color(b, c, VK_TRUE), COVERED,
        .expect = {DRAW("rasterizerDiscardEnable-09420")})
DRAWING(objects_without_coverage, NOTHING, cover_color(b, c, VK_FALSE), COVERED)

static const VkPhysicalDeviceFragmentShadingRateFeaturesKHR primitive_rates = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADING_RATE_FEATURES_KHR,
    .pNext = (void *)&many_viewports,
    .pipelineFragmentShadingRate = VK_TRUE,
    .primitiveFragmentShadingRate = VK_TRUE};
#define RATED                                                               \
    .drivers = NULL_DRIVER,                                                 \
    .extensions = {"VK_EXT_shader_object", "VK_KHR_fragment_shading_rate"}, \
    .features = &primitive_rates,                                           \
    .null_driver =                                                          \
        "{\"properties\": {\"primitiveFragmentShadingRateWithMultipleViewports\": false}}"
static void rate_primitives(struct baseline *b, VkCommandBuffer c, uint32_t count)
{
    const VkViewport viewports[2] = {{.width = 8, .height = 8, .maxDepth = 1},
                                     {.width = 8, .height = 8, .maxDepth = 1}};
    const VkRect2D scissors[2] = {{{0, 0}, {8, 8}}, {{0, 0}, {8, 8}}};
    const VkExtent2D size = {1, 1};
    static const VkFragmentShadingRateCombinerOpKHR ops[2] = {
        VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR,
        VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR};
    VkShaderCreateInfoEXT vertex = INFO(vertex_rate, VERTEX);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdSetViewportWithCount(c, count, viewports);
    vkCmdSetScissorWithCount(c, count, scissors);
    DEVICE_PROC(b, vkCmdSetFragmentShadingRateKHR)(c, &size, ops);
}
DRAWING(objects_with_rates_of_viewports, NOTHING, rate_primitives(b, c, 2), RATED,
        .expect = {DRAW("primitiveFragmentShadingRateWithMultipleViewports-08642")})
DRAWING(objects_with_rates_of_a_viewport, NOTHING, rate_primitives(b, c, 1), RATED)

static const VkPhysicalDeviceMaintenance11FeaturesKHR independent = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_11_FEATURES_KHR,
    .pNext = (void *)&objects,
    .maintenance11 = VK_TRUE};
#define INDEPENDENT                                                                         \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object", "VK_KHR_maintenance11"}, \
    .features = &independent
static void make_independent(struct baseline *b, VkCommandBuffer c, bool both)
{
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX), fragment = INFO(fragment, FRAGMENT);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    vertex.flags = VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR;
    fragment.flags = both ? vertex.flags : 0;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_fragment(b, c, &fragment);
}
DRAWING(objects_independent, NOTHING, make_independent(b, c, true), INDEPENDENT)
DRAWING(objects_partly_independent, NOTHING, make_independent(b, c, false), INDEPENDENT,
        .expect = {DRAW("flags-13361")})

/* --- custom resolves --- */

static const VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR local_read = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
    .pNext = (void *)&objects,
    .dynamicRenderingLocalRead = VK_TRUE};
static const VkPhysicalDeviceFragmentDensityMapFeaturesEXT density_maps = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_DENSITY_MAP_FEATURES_EXT,
    .pNext = (void *)&local_read,
    .fragmentDensityMap = VK_TRUE,
    .fragmentDensityMapNonSubsampledImages = VK_TRUE};
static const VkPhysicalDeviceCustomResolveFeaturesEXT resolves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_RESOLVE_FEATURES_EXT,
    .pNext = (void *)&density_maps,
    .customResolve = VK_TRUE};
#define RESOLVED                                                                          \
    .drivers = NULL_DRIVER,                                                               \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_custom_resolve",                       \
                   "VK_KHR_dynamic_rendering_local_read", "VK_EXT_fragment_density_map"}, \
    .features = &resolves,                                                                \
    .null_driver = "{\"properties\": {\"minFragmentDensityTexelSize\": [8, 8], "          \
                   "\"maxFragmentDensityTexelSize\": [8, 8]}}"

/* `begun`: the custom resolve is. `resolves`: the fragment shader is made for it. */
static void draw_resolving(struct baseline *b, bool begun, VkBool32 made_for)
{
    const VkSampleMask mask = 15;
    const VkFormat format = COLOR_FORMAT;
    const VkCustomResolveCreateInfoEXT resolve = {
        .sType = VK_STRUCTURE_TYPE_CUSTOM_RESOLVE_CREATE_INFO_EXT,
        .customResolve = made_for,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    VkRenderingFragmentDensityMapAttachmentInfoEXT density = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = ATTACHMENT(.format = VK_FORMAT_R8G8_UNORM,
                                .usage = VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT),
        .imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT};
    VkRenderingAttachmentInfo color =
        rendering_attachment(ATTACHMENT(.samples = VK_SAMPLE_COUNT_4_BIT));
    color.resolveMode = VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
    color.resolveImageView = ATTACHMENT();
    color.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    VkRenderingInfo rendering = rendering_info(&color);
    rendering.flags = VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT;
    rendering.pNext = &density;
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX), fragment = INFO(fragment, FRAGMENT);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    fragment.pNext = &resolve;
    fragment.flags = VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
    VkCommandBuffer c = make_recording(b);
    vkCmdBeginRendering(c, &rendering);
    set_object_states(b, c, NOTHING);
    DEVICE_PROC(b, vkCmdSetRasterizationSamplesEXT)(c, VK_SAMPLE_COUNT_4_BIT);
    DEVICE_PROC(b, vkCmdSetSampleMaskEXT)(c, VK_SAMPLE_COUNT_4_BIT, &mask);
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_fragment(b, c, &fragment);
    if (begun)
        DEVICE_PROC(b, vkCmdBeginCustomResolveEXT)(c, NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
}
SCENARIO(objects_resolving, RESOLVED)
{
    draw_resolving(b, true, VK_TRUE);
}
SCENARIO(objects_resolving_by_another_shader, RESOLVED, .expect = {DRAW("customResolve-11529")})
{
    draw_resolving(b, true, VK_FALSE);
}
SCENARIO(objects_before_the_resolve, RESOLVED)
{
    draw_resolving(b, false, VK_FALSE);
}
SCENARIO(objects_resolving_too_early, RESOLVED, .expect = {DRAW("customResolve-11530")})
{
    draw_resolving(b, false, VK_TRUE);
}

/* --- tessellation --- */

/* The objects are not linked: what their execution modes say together is known at a draw. */
static void draw_patches(struct baseline *b, VkShaderCreateInfoEXT control,
                         VkShaderCreateInfoEXT evaluation)
{
    VkShaderCreateInfoEXT vertex = INFO(vertex, VERTEX);
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    control.nextStage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    evaluation.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    bind_shader_object(b, c, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                       make_shader_object(b, &control));
    bind_shader_object(b, c, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                       make_shader_object(b, &evaluation));
    bind_shader_object(b, c, VK_SHADER_STAGE_GEOMETRY_BIT, VK_NULL_HANDLE);
    vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
    DEVICE_PROC(b, vkCmdSetPatchControlPointsEXT)(c, 3);
    DEVICE_PROC(b, vkCmdSetTessellationDomainOriginEXT)
    (c, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    vkCmdDraw(c, 3, 1, 0, 0);
}
#define PATCHES(name_, control_, evaluation_, ...)                  \
    SCENARIO(name_, ON_STAGES, .drivers = NULL_DRIVER, __VA_ARGS__) \
    {                                                               \
        draw_patches(b, INFO(control_, TESSELLATION_CONTROL),       \
                     INFO(evaluation_, TESSELLATION_EVALUATION));   \
    }
PATCHES(objects_of_patches, control, evaluation, )
PATCHES(objects_of_other_subdivision, control_quads_of_4, evaluation_triangles_of_3,
        .proceed = true, .expect = {DRAW("OpExecutionMode-12239"), DRAW("OpExecutionMode-12242")},
        .text = {"the type of subdivision", "patches of 4 vertices"})
PATCHES(objects_of_other_spacing, control_fractional, evaluation, .proceed = true,
        .expect = {DRAW("OpExecutionMode-12240"), DRAW("OpExecutionMode-12241")},
        .text = {"the orientation of triangles", "the spacing of segments"})

/* --- points --- */

static void draw_points(struct baseline *b, VkShaderCreateInfoEXT vertex)
{
    VkCommandBuffer c = begin_objects(b, NOTHING);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdSetPrimitiveTopology(c, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
    vkCmdDraw(c, 3, 1, 0, 0);
}
SCENARIO(objects_of_points, ON)
{
    draw_points(b, INFO(vertex_points, VERTEX));
}
SCENARIO(objects_of_points_of_initial_size, ON, .drivers = NULL_DRIVER)
{
    draw_points(b, INFO(vertex_initial_size, VERTEX));
}
SCENARIO(objects_of_points_without_size, ON, .drivers = NULL_DRIVER,
         .expect = {DRAW("primitiveTopology-10748")},
         .text = {"the vertex shader does not write PointSize"})
{
    draw_points(b, INFO(vertex, VERTEX));
}
static const VkPhysicalDeviceMaintenance5Features maintenance5 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES,
    .pNext = (void *)&objects,
    .maintenance5 = VK_TRUE};
SCENARIO(objects_of_points_of_size_1, .drivers = NULL_DRIVER, .features = &maintenance5,
         .extensions = {"VK_EXT_shader_object", "VK_KHR_maintenance5"})
{
    draw_points(b, INFO(vertex, VERTEX));
}

/* --- vertex attributes --- */

static const VkPhysicalDeviceFeatures2 doubles = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&objects,
    .features = {.shaderFloat64 = VK_TRUE, .robustBufferAccess = VK_TRUE}};
static const VkPhysicalDeviceLegacyVertexAttributesFeaturesEXT legacy = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LEGACY_VERTEX_ATTRIBUTES_FEATURES_EXT,
    .pNext = (void *)&doubles,
    .legacyVertexAttributes = VK_TRUE};
#define LEGACY                                                                \
    .drivers = NULL_DRIVER, .features = &legacy,                              \
    .extensions = {"VK_EXT_shader_object", "VK_EXT_legacy_vertex_attributes", \
                   "VK_EXT_vertex_input_dynamic_state"}
static const VkPhysicalDeviceVertexAttributeRobustnessFeaturesEXT missing_attributes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_ROBUSTNESS_FEATURES_EXT,
    .pNext = (void *)&doubles,
    .vertexAttributeRobustness = VK_TRUE};
static const VkPhysicalDeviceRobustness2FeaturesEXT null_descriptors = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
    .pNext = (void *)&doubles,
    .nullDescriptor = VK_TRUE};

/* An attribute of location 2, unless another is given. */
struct attribute {
    VkFormat format;
    uint32_t offset, stride;
    VkDeviceSize buffer_offset;
    bool null, other_location;
};

static void draw_attribute(struct baseline *b, VkShaderCreateInfoEXT vertex, struct attribute a)
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = a.stride,
        .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = a.other_location ? 1 : 2,
        .format = a.format,
        .offset = a.offset};
    const VkBuffer buffer =
        a.null ? VK_NULL_HANDLE : make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VkCommandBuffer c = begin_objects(b, VERTEX_INPUT);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 1, &binding, 1, &attribute);
    vkCmdBindVertexBuffers(c, 0, 1, &buffer, &a.buffer_offset);
    vkCmdDraw(c, 3, 1, 0, 0);
}
#define ATTRIBUTES \
    .drivers = NULL_DRIVER, .extensions = {"VK_EXT_shader_object"}, .features = &doubles
#define ATTRIBUTE(name_, code_, attribute_, ...)                              \
    SCENARIO(name_, __VA_ARGS__)                                              \
    {                                                                         \
        draw_attribute(b, INFO(code_, VERTEX), (struct attribute)attribute_); \
    }
#define PLACED(...) {__VA_ARGS__}
#define FLOATS      VK_FORMAT_R32G32B32A32_SFLOAT
ATTRIBUTE(attribute_of_floats, vertex_attribute, PLACED(FLOATS, 0, 16), ATTRIBUTES)
ATTRIBUTE(attribute_of_doubles, vertex_double, PLACED(VK_FORMAT_R64G64_SFLOAT, 0, 16), ATTRIBUTES)
ATTRIBUTE(attribute_of_other_location, vertex_attribute, PLACED(FLOATS, 0, 16, .other_location = 1),
          ATTRIBUTES, .expect = {DRAW("Input-07939")},
          .text = {"has no attribute of location 2, which the vertex shader reads (position)"})
ATTRIBUTE(attribute_missing_robustly, vertex_attribute, PLACED(FLOATS, 0, 16, .other_location = 1),
          .drivers = NULL_DRIVER, .features = &missing_attributes,
          .extensions = {"VK_EXT_shader_object", "VK_EXT_vertex_attribute_robustness"})
ATTRIBUTE(attribute_of_integers, vertex_attribute, PLACED(VK_FORMAT_R32G32B32A32_UINT, 0, 16),
          ATTRIBUTES, .expect = {DRAW("Input-08734")},
          .text = {"VK_FORMAT_R32G32B32A32_UINT", "as floating-point"})
ATTRIBUTE(attribute_of_legacy_integers, vertex_attribute,
          PLACED(VK_FORMAT_R32G32B32A32_UINT, 0, 16), LEGACY)
ATTRIBUTE(attribute_too_wide, vertex_attribute, PLACED(VK_FORMAT_R64G64_SFLOAT, 0, 16), ATTRIBUTES,
          .expect = {DRAW("format-08936")}, .text = {"as 32-bit"})
ATTRIBUTE(attribute_too_narrow, vertex_double, PLACED(VK_FORMAT_R32G32_SFLOAT, 0, 16), ATTRIBUTES,
          .expect = {DRAW("format-08937")}, .text = {"as 64-bit"})
ATTRIBUTE(attribute_of_one_double, vertex_double, PLACED(VK_FORMAT_R64_SFLOAT, 0, 16), ATTRIBUTES,
          .expect = {DRAW("None-09203")}, .text = {"uses 2 components"})

/* The components that are used count, not those that the variable has. */
ATTRIBUTE(attribute_of_one_used_double, vertex_double_first, PLACED(VK_FORMAT_R64_SFLOAT, 0, 16),
          ATTRIBUTES)
ATTRIBUTE(attribute_of_copied_double, vertex_double_copied, PLACED(VK_FORMAT_R64_SFLOAT, 0, 16),
          ATTRIBUTES)
ATTRIBUTE(attribute_of_swizzled_doubles, vertex_double_swizzled,
          PLACED(VK_FORMAT_R64G64_SFLOAT, 0, 16), ATTRIBUTES)
ATTRIBUTE(attribute_of_another_double, vertex_double_last, PLACED(VK_FORMAT_R64_SFLOAT, 0, 16),
          ATTRIBUTES, .expect = {DRAW("None-09203")}, .text = {"uses 2 components"})
ATTRIBUTE(attribute_of_too_few_swizzled, vertex_double_swizzled,
          PLACED(VK_FORMAT_R64_SFLOAT, 0, 16), ATTRIBUTES, .expect = {DRAW("None-09203")},
          .text = {"uses 2 components"})

/* Where attributes lie: the sum of both offsets counts. */
ATTRIBUTE(attribute_unaligned, vertex_attribute, PLACED(FLOATS, 0, 16, 2), ATTRIBUTES,
          .expect = {DRAW("format-10390")},
          .text = {"reads location 2 at 2 bytes in the buffer of binding 0", "multiples of 4"})
ATTRIBUTE(attribute_aligned_together, vertex_attribute, PLACED(FLOATS, 2, 16, 2), ATTRIBUTES)
ATTRIBUTE(attribute_of_bytes, vertex_attribute, PLACED(VK_FORMAT_R8G8B8A8_UNORM, 1, 4, 0),
          ATTRIBUTES)
ATTRIBUTE(attribute_packed_unaligned, vertex_attribute,
          PLACED(VK_FORMAT_A2B10G10R10_UNORM_PACK32, 2, 16), ATTRIBUTES,
          .expect = {DRAW("format-10389")}, .text = {"multiples of 4"})
ATTRIBUTE(attribute_packed_aligned, vertex_attribute,
          PLACED(VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, 16), ATTRIBUTES)
ATTRIBUTE(attribute_legacy_unaligned, vertex_attribute,
          PLACED(VK_FORMAT_A2B10G10R10_UNORM_PACK32, 2, 16), LEGACY)

/* vkCmdBindVertexBuffers has said it: the draw does not say the same (04008) again. */
ATTRIBUTE(attribute_of_null, vertex_attribute, PLACED(FLOATS, 0, 16, .null = true), ATTRIBUTES,
          .proceed = true, .expect = {"VUID-vkCmdBindVertexBuffers-pBuffers-04001"})
ATTRIBUTE(attribute_of_null_by_feature, vertex_attribute, PLACED(FLOATS, 0, 16, .null = true),
          .drivers = NULL_DRIVER, .features = &null_descriptors,
          .extensions = {"VK_EXT_shader_object", "VK_EXT_robustness2"})

/* A state that was set is looked at again where it changes. */
SCENARIO(attribute_set_again, ATTRIBUTES, .proceed = true, .expect = {DRAW("Input-07939")})
{
    VkShaderCreateInfoEXT vertex = INFO(vertex_attribute, VERTEX);
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = 2,
        .format = FLOATS};
    const VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VkCommandBuffer c = begin_objects(b, VERTEX_INPUT);
    bind_both(b, c);
    vertex.nextStage = VK_SHADER_STAGE_FRAGMENT_BIT;
    bind_shader_object(b, c, VK_SHADER_STAGE_VERTEX_BIT, make_shader_object(b, &vertex));
    vkCmdBindVertexBuffers(c, 0, 1, &buffer, &(VkDeviceSize){0});
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 1, &binding, 1, &attribute);
    vkCmdDraw(c, 3, 1, 0, 0);
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(c, 0, NULL, 0, NULL);
    vkCmdDraw(c, 3, 1, 0, 0);
}
