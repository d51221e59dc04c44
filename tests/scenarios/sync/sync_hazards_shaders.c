/* Hazards of what draws and dispatches access with shader objects. Also hazards of attachments that
 * a draw's state, of pipelines too, keeps it from writing or makes it read. */
#include "sync/sync_world.h"

#include "shader_interface.h"

#define RAW(first_, second_) .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAW(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define DO(which_)           operation_##which_.record(w)

static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT,
    .pNext = (void *)&world_features,
    .shaderObject = VK_TRUE};
static const VkPhysicalDeviceColorWriteEnableFeaturesEXT color_writes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .pNext = (void *)&objects,
    .colorWriteEnable = VK_TRUE};
#define WITH(features_, ...)                                                                       \
    .settings = {"validate_sync=true", "syncval_shader_accesses_heuristic=true"}, .proceed = true, \
    .features = &(features_), .extensions = {__VA_ARGS__}
#define OBJECTS WITH(objects, "VK_EXT_shader_object")

/* --- one draw with shader objects --- */

/* Threads: on the stack. */
struct drawing {
    struct world_code vertex, fragment; /* no words: no shader of the stage */
    VkImageView target;                 /* VK_NULL_HANDLE: an image of its own */
    VkAttachmentLoadOp load;
    VkAttachmentStoreOp store;
    VkColorComponentFlags mask;
    VkCullModeFlags cull;
    bool discard, disabled; /* vkCmdSetColorWriteEnableEXT */
    VkImageView depth;      /* VK_NULL_HANDLE: none, which is loaded and not stored */
    bool tests_depth, writes_depth;
    uint32_t attributes;
    VkDeviceSize offset; /* of the vertex buffer */
};
#define SPIRV(code_) {spirv_##code_, sizeof(spirv_##code_)}
#define TRIANGLE                           \
    {.vertex = SPIRV(vertex),              \
     .fragment = SPIRV(fragment),          \
     .load = VK_ATTACHMENT_LOAD_OP_LOAD,   \
     .store = VK_ATTACHMENT_STORE_OP_NONE, \
     .mask = 15}

/* No words: unbinds the stage. */
static void bind_object(struct world *w, VkShaderStageFlagBits stage, struct world_code code)
{
    struct baseline *b = w->b;
    const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_ALL, .size = 16};
    const VkShaderCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
        .stage = stage,
        .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
        .codeSize = code.size,
        .pCode = code.words,
        .pName = "main",
        .setLayoutCount = 1,
        .pSetLayouts = &w->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range};
    VkShaderEXT shader = VK_NULL_HANDLE;
    if (code.words) {
        VK(DEVICE_PROC(b, vkCreateShadersEXT)(b->device, 1, &info, NULL, &shader));
        cleanup_add(b, destroy_shader, HANDLE(shader));
    }
    DEVICE_PROC(b, vkCmdBindShadersEXT)(w->commands, 1, &stage, &shader);
}

static void set_vertices(struct world *w, const struct drawing *d)
{
    const VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .stride = 16,
        .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
        .divisor = 1};
    const VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    DEVICE_PROC(w->b, vkCmdSetVertexInputEXT)(w->commands, d->attributes, &binding, d->attributes,
                                              &attribute);
    if (d->attributes)
        vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer, &d->offset);
}

/* All that a draw with shader objects takes from the command buffer. */
#define SET(name_, ...) DEVICE_PROC(w->b, name_)(w->commands, __VA_ARGS__)
static void set_drawing_states(struct world *w, const struct drawing *d)
{
    const VkViewport viewport = {.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1};
    const VkRect2D scissor = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}};
    const VkSampleMask mask = 1;
    const VkBool32 no = VK_FALSE, enabled = !d->disabled;
    SET(vkCmdSetViewportWithCount, 1, &viewport);
    SET(vkCmdSetScissorWithCount, 1, &scissor);
    SET(vkCmdSetRasterizerDiscardEnable, d->discard);
    SET(vkCmdSetCullMode, d->cull);
    SET(vkCmdSetFrontFace, VK_FRONT_FACE_CLOCKWISE);
    SET(vkCmdSetDepthTestEnable, d->tests_depth);
    SET(vkCmdSetDepthWriteEnable, d->writes_depth);
    SET(vkCmdSetDepthCompareOp, VK_COMPARE_OP_ALWAYS);
    SET(vkCmdSetStencilTestEnable, VK_FALSE);
    SET(vkCmdSetDepthBiasEnable, VK_FALSE);
    SET(vkCmdSetPrimitiveTopology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    SET(vkCmdSetPrimitiveRestartEnable, VK_FALSE);
    SET(vkCmdSetPolygonModeEXT, VK_POLYGON_MODE_FILL);
    SET(vkCmdSetRasterizationSamplesEXT, VK_SAMPLE_COUNT_1_BIT);
    SET(vkCmdSetSampleMaskEXT, VK_SAMPLE_COUNT_1_BIT, &mask);
    SET(vkCmdSetAlphaToCoverageEnableEXT, VK_FALSE);
    SET(vkCmdSetColorBlendEnableEXT, 0, 1, &no);
    SET(vkCmdSetColorWriteMaskEXT, 0, 1, &d->mask);
    if (w->b->scenario->features == &color_writes)
        SET(vkCmdSetColorWriteEnableEXT, 1, &enabled);
    set_vertices(w, d);
}

static void begin_objects(struct world *w, const struct drawing *d)
{
    VkRenderingAttachmentInfo color =
        rendering_attachment(d->target ? d->target : make_image_view(w->b));
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = d->load;
    color.storeOp = d->store;
    VkRenderingAttachmentInfo depth = color;
    depth.imageView = d->depth;
    VkRenderingInfo info = rendering_info(&color);
    info.pDepthAttachment = d->depth ? &depth : NULL;
    vkCmdBeginRendering(w->commands, &info);
}

static void draw_objects(struct world *w, const struct drawing *d)
{
    begin_objects(w, d);
    bind_object(w, VK_SHADER_STAGE_VERTEX_BIT, d->vertex);
    bind_object(w, VK_SHADER_STAGE_FRAGMENT_BIT, d->fragment);
    set_drawing_states(w, d);
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set,
                            0, NULL);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRendering(w->commands);
}

static void dispatch_object(struct world *w, struct world_code code)
{
    bind_object(w, VK_SHADER_STAGE_COMPUTE_BIT, code);
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set,
                            0, NULL);
    vkCmdPushConstants(w->commands, w->layout, VK_SHADER_STAGE_ALL, 0, 16, (const uint32_t[4]){0});
    vkCmdDispatch(w->commands, 1, 1, 1);
}

#define DRAWING(name_, before_, change_, after_, ...)     \
    SCENARIO(name_, ##__VA_ARGS__)                        \
    {                                                     \
        struct world world, *w = &world;                  \
        struct drawing drawing = TRIANGLE, *d = &drawing; \
        world_begin(b, w);                                \
        before_;                                          \
        change_;                                          \
        draw_objects(w, d);                               \
        after_;                                           \
    }
#define ORDERED(first_, second_)  world_barrier(w, &operation_##first_, &operation_##second_, true)
#define EXECUTED(first_, second_) world_barrier(w, &operation_##first_, &operation_##second_, false)

/* --- descriptors --- */

DRAWING(object_stores_what_was_filled, DO(fill_buffer), d->fragment = world_code_store, (void)0,
        OBJECTS, WAW("vkCmdFillBuffer", "vkCmdDraw"))
DRAWING(
    object_stores_what_was_filled_before,
    {
        DO(fill_buffer);
        ORDERED(fill_buffer, draw_store);
    },
    d->fragment = world_code_store, (void)0, OBJECTS)
DRAWING(object_stores_what_is_copied, (void)0, d->fragment = world_code_store, DO(copy_from_buffer),
        OBJECTS, RAW("vkCmdDraw", "vkCmdCopyBuffer"))
DRAWING(
    object_stores_before_a_copy, (void)0, d->fragment = world_code_store,
    {
        ORDERED(draw_store, copy_from_buffer);
        DO(copy_from_buffer);
    },
    OBJECTS)
DRAWING(object_samples_what_was_copied, DO(copy_to_image), d->fragment = world_code_sample_fragment,
        (void)0, OBJECTS, .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
        .text = {
            "vkCmdDraw(): reads",
            "in VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT with VK_ACCESS_2_SHADER_SAMPLED_READ_BIT"})
DRAWING(
    object_samples_after_a_barrier,
    {
        DO(copy_to_image);
        ORDERED(copy_to_image, draw_sample);
    },
    d->fragment = world_code_sample_fragment, (void)0, OBJECTS)
DRAWING(object_of_a_stage_that_is_unbound, DO(fill_buffer),
        (d->fragment = world_code_store, d->fragment.words = NULL), (void)0, OBJECTS)
/* The same set again, with other shaders: what they do with it is another question. */
DRAWING(
    object_that_takes_anothers_place,
    {
        draw_objects(w, &(struct drawing)TRIANGLE);
        DO(fill_buffer);
        draw_objects(w, &(struct drawing)TRIANGLE);
    },
    d->fragment = world_code_store, (void)0, OBJECTS, WAW("vkCmdFillBuffer", "vkCmdDraw"))
/* A pipeline takes the place of the objects. */
DRAWING(object_that_a_pipeline_replaces, draw_objects(w, d), (void)0, DO(fill_buffer);
        DO(draw_vertices), OBJECTS, RAW("vkCmdFillBuffer", "vkCmdDraw"))

#define COMPUTING(name_, operations_, ...)  \
    SCENARIO(name_, OBJECTS, ##__VA_ARGS__) \
    {                                       \
        struct world world, *w = &world;    \
        world_begin(b, w);                  \
        operations_;                        \
    }
COMPUTING(
    compute_object_reads_what_was_filled,
    {
        DO(fill_buffer);
        dispatch_object(w, world_code_read_storage);
    },
    RAW("vkCmdFillBuffer", "vkCmdDispatch"))
COMPUTING(compute_object_reads_after_a_barrier, {
    DO(fill_buffer);
    ORDERED(fill_buffer, dispatch_read);
    dispatch_object(w, world_code_read_storage);
})
COMPUTING(
    compute_object_reads_after_an_execution_dependency,
    {
        DO(fill_buffer);
        EXECUTED(fill_buffer, dispatch_read);
        dispatch_object(w, world_code_read_storage);
    },
    RAW("vkCmdFillBuffer", "vkCmdDispatch"))
COMPUTING(
    compute_object_reads_what_is_filled,
    {
        dispatch_object(w, world_code_read_storage);
        DO(fill_buffer);
    },
    .expect = {"SYNC-HAZARD-WRITE-AFTER-READ"}, PAIR_TEXT("vkCmdDispatch", "vkCmdFillBuffer"))

/* --- vertices --- */

#define POSITIONS \
    (d->vertex = world_code_position, d->fragment = world_code_sample_fragment, d->attributes = 1)
#define FILL(offset_, size_) vkCmdFillBuffer(w->commands, w->buffer, offset_, size_, 0)
DRAWING(object_reads_vertices_that_were_filled, FILL(0, 64), POSITIONS, (void)0, OBJECTS,
        .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
        .text = {"vkCmdDraw(): reads bytes 0 to 47 of",
                 "in VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT"})
DRAWING(
    object_reads_vertices_in_order,
    {
        FILL(0, 64);
        ORDERED(fill_buffer, draw_vertices);
    },
    POSITIONS, (void)0, OBJECTS)
DRAWING(object_reads_vertices_behind, FILL(0, 64), (POSITIONS, d->offset = 64), (void)0, OBJECTS)
DRAWING(object_reads_vertices_in_front, FILL(48, 64), POSITIONS, (void)0, OBJECTS)

/* --- attachments: what is not written needs no barrier --- */

#define ON_IMAGE (d->target = w->view)
DRAWING(object_draws_what_is_copied, (void)0, ON_IMAGE, DO(read_image), OBJECTS,
        RAW("vkCmdDraw", "vkCmdCopyImageToBuffer"))
DRAWING(
    object_draws_before_a_barrier, (void)0, ON_IMAGE,
    {
        ORDERED(rendering_clear, read_image);
        DO(read_image);
    },
    OBJECTS)
DRAWING(object_with_a_mask_of_nothing, (void)0, (ON_IMAGE, d->mask = 0), DO(read_image), OBJECTS)
DRAWING(object_with_a_mask_of_green, (void)0, (ON_IMAGE, d->mask = VK_COLOR_COMPONENT_G_BIT),
        DO(read_image), OBJECTS, RAW("vkCmdDraw", "vkCmdCopyImageToBuffer"))
DRAWING(object_with_primitives_discarded, (void)0, (ON_IMAGE, d->discard = true), DO(read_image),
        OBJECTS)
DRAWING(object_with_primitives_culled, (void)0, (ON_IMAGE, d->cull = VK_CULL_MODE_FRONT_AND_BACK),
        DO(read_image), OBJECTS)
DRAWING(object_without_fragments, (void)0, (ON_IMAGE, d->fragment.words = NULL), DO(read_image),
        OBJECTS)
#define WRITES WITH(color_writes, "VK_EXT_shader_object", "VK_EXT_color_write_enable")
DRAWING(object_with_writes_disabled, (void)0, (ON_IMAGE, d->disabled = true), DO(read_image),
        WRITES)
DRAWING(object_with_writes_enabled, (void)0, ON_IMAGE, DO(read_image), WRITES,
        RAW("vkCmdDraw", "vkCmdCopyImageToBuffer"))

/* A depth attachment that is copied from once it was drawn to. */
static VkImage make_depth(struct world *w, struct drawing *d)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    info.format = VK_FORMAT_D32_SFLOAT;
    VkImage image = make_image_of(w->b, &info);
    VkImageViewCreateInfo view = image_view_info(image);
    view.format = info.format;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    d->depth = create_image_view(w->b, &view);
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
    return image;
}

static void read_depth(struct world *w, VkImage image)
{
    const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(w->commands, image, VK_IMAGE_LAYOUT_GENERAL, w->other_buffer, 1,
                           &region);
}
#define DEPTH_DRAWING(name_, change_, ...)                                                   \
    DRAWING(name_, VkImage depth = make_depth(w, d), change_, read_depth(w, depth), OBJECTS, \
            ##__VA_ARGS__)
DEPTH_DRAWING(object_writes_depth_that_is_copied, d->tests_depth = d->writes_depth = true,
              .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},
              .text = {"vkCmdCopyImageToBuffer(): ", "by vkCmdDraw (command ",
                       "VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT"})
DEPTH_DRAWING(object_tests_depth_that_is_copied, d->tests_depth = true)
DEPTH_DRAWING(object_writes_no_depth_without_a_test, d->writes_depth = true)
DEPTH_DRAWING(object_writes_no_depth_without_primitives,
              d->tests_depth = d->writes_depth = d->discard = true)

/* --- the same of pipelines, with state of their own or of the command buffer --- */

static const VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic_masks = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
    .pNext = (void *)&world_features,
    .extendedDynamicState3ColorWriteMask = VK_TRUE,
    .extendedDynamicState3ColorBlendEnable = VK_TRUE,
    .extendedDynamicState3ColorBlendEquation = VK_TRUE};
static const VkPhysicalDeviceColorWriteEnableFeaturesEXT write_enables = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT,
    .pNext = (void *)&world_features,
    .colorWriteEnable = VK_TRUE};
#define STATIC  WITH(world_features, NULL)
#define MASKS   WITH(dynamic_masks, "VK_EXT_extended_dynamic_state3")
#define ENABLES WITH(write_enables, "VK_EXT_color_write_enable")

/* A pipeline that `blend` and these dynamic states are of. Threads: on the stack. */
struct pipe {
    VkPipelineColorBlendAttachmentState blend;
    VkDynamicState dynamic[3];
    uint32_t dynamic_count;
    const VkBool32 *enables; /* VkPipelineColorWriteCreateInfoEXT */
};
#define NO_BLEND        {.colorWriteMask = 15}
#define DYNAMIC(state_) (p->dynamic[p->dynamic_count++] = VK_DYNAMIC_STATE_##state_##_EXT)

/* `pass`: VK_NULL_HANDLE for dynamic rendering. */
static void bind_pipe(struct world *w, const struct pipe *p, VkRenderPass pass, uint32_t subpass)
{
    const VkFormat format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &format};
    const VkPipelineColorWriteCreateInfoEXT enables = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT,
        .attachmentCount = 1,
        .pColorWriteEnables = p->enables};
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = p->dynamic_count,
        .pDynamicStates = p->dynamic};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(w->b, &pipeline, w->layout, pass);
    pipeline.blend_attachment = p->blend;
    pipeline.color_blend.pNext = p->enables ? &enables : NULL;
    pipeline.info.pDynamicState = &dynamic;
    pipeline.info.pNext = pass ? NULL : &rendering;
    pipeline.info.subpass = subpass;
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
}

/* Draws to the image, which is copied from then: without a barrier. */
#define PIPE(name_, change_, set_, ...)                     \
    SCENARIO(name_, ##__VA_ARGS__)                          \
    {                                                       \
        struct world world, *w = &world;                    \
        struct pipe pipe = {.blend = NO_BLEND}, *p = &pipe; \
        struct drawing drawing = TRIANGLE;                  \
        world_begin(b, w);                                  \
        change_;                                            \
        drawing.target = w->view;                           \
        begin_objects(w, &drawing);                         \
        bind_pipe(w, p, VK_NULL_HANDLE, 0);                 \
        set_;                                               \
        vkCmdDraw(w->commands, 3, 1, 0, 0);                 \
        vkCmdEndRendering(w->commands);                     \
        DO(read_image);                                     \
    }
#define DRAWN                RAW("vkCmdDraw", "vkCmdCopyImageToBuffer")
#define SET_MASK(mask_)      SET(vkCmdSetColorWriteMaskEXT, 0, 1, &(VkColorComponentFlags){mask_})
#define SET_ENABLED(enable_) SET(vkCmdSetColorWriteEnableEXT, 1, &(VkBool32){enable_})
PIPE(pipeline_draws_what_is_copied, , , STATIC, DRAWN)
PIPE(pipeline_with_a_mask_of_nothing, p->blend.colorWriteMask = 0, , STATIC)
PIPE(pipeline_with_a_mask_of_alpha, p->blend.colorWriteMask = VK_COLOR_COMPONENT_A_BIT, , STATIC,
     DRAWN)
PIPE(pipeline_with_a_mask_of_nothing_set, DYNAMIC(COLOR_WRITE_MASK), SET_MASK(0), MASKS)
PIPE(pipeline_with_a_mask_of_red_set, DYNAMIC(COLOR_WRITE_MASK);
     p->blend.colorWriteMask = 0, SET_MASK(1), MASKS, DRAWN)
PIPE(pipeline_with_writes_disabled, p->enables = &(VkBool32){VK_FALSE}, , ENABLES)
PIPE(pipeline_with_writes_enabled, p->enables = &(VkBool32){VK_TRUE}, , ENABLES, DRAWN)
PIPE(pipeline_with_writes_set_disabled, DYNAMIC(COLOR_WRITE_ENABLE), SET_ENABLED(VK_FALSE), ENABLES)
PIPE(pipeline_with_writes_set_enabled, DYNAMIC(COLOR_WRITE_ENABLE), SET_ENABLED(VK_TRUE), ENABLES,
     DRAWN)

/* blending reads the attachment: what an earlier subpass wrote must be visible to
 * COLOR_ATTACHMENT_READ */

#define ALPHA_BLEND                                              \
    {.blendEnable = VK_TRUE,                                     \
     .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,           \
     .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, \
     .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,                 \
     .colorWriteMask = 15}

/* Subpass 0 clears, subpass 1 draws; the dependency between them has these accesses in its second
 * scope. */
static void draw_after_subpass(struct world *w, const struct pipe *p, VkAccessFlags seen,
                               void (*set)(struct world *w))
{
    VkRenderPassCreateInfo info = render_pass_info();
    const VkSubpassDescription subpasses[] = {info.pSubpasses[0], info.pSubpasses[0]};
    const VkSubpassDependency dependency = {0,
                                            1,
                                            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                            VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                            seen,
                                            VK_DEPENDENCY_BY_REGION_BIT};
    const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rect = {{{0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT}}, 0, 1};
    info.subpassCount = 2;
    info.pSubpasses = subpasses;
    info.dependencyCount = 1;
    info.pDependencies = &dependency;
    VkRenderPass pass = create_render_pass(w->b, &info);
    const VkRenderPassBeginInfo begin =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    vkCmdBeginRenderPass(w->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdClearAttachments(w->commands, 1, &clear, 1, &rect);
    vkCmdNextSubpass(w->commands, VK_SUBPASS_CONTENTS_INLINE);
    bind_pipe(w, p, pass, 1);
    if (set)
        set(w);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}
#define COLOR_WRITES VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT
#define COLOR_READS  VK_ACCESS_COLOR_ATTACHMENT_READ_BIT
#define NOT_READ                                                        \
    .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"},                         \
    .text = {"vkCmdDraw(): reads",                                      \
             "in VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT with " \
             "VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT",                   \
             "the write by vkCmdClearAttachments"}
#define BLENDS(name_, blend_, change_, seen_, set_, ...)  \
    SCENARIO(name_, ##__VA_ARGS__)                        \
    {                                                     \
        struct world world, *w = &world;                  \
        struct pipe pipe = {.blend = blend_}, *p = &pipe; \
        world_begin(b, w);                                \
        change_;                                          \
        draw_after_subpass(w, p, seen_, set_);            \
    }
BLENDS(blending_of_what_is_not_seen, ALPHA_BLEND, , COLOR_WRITES, NULL, STATIC, NOT_READ)
BLENDS(blending_of_what_is_seen, ALPHA_BLEND, , COLOR_WRITES | COLOR_READS, NULL, STATIC)
BLENDS(drawing_without_blending, NO_BLEND, , COLOR_WRITES, NULL, STATIC)
BLENDS(blending_that_takes_nothing, ALPHA_BLEND,
       p->blend.dstColorBlendFactor = VK_BLEND_FACTOR_ZERO, COLOR_WRITES, NULL, STATIC)
BLENDS(blending_of_colors_that_are_masked, ALPHA_BLEND,
       p->blend.colorWriteMask = VK_COLOR_COMPONENT_A_BIT, COLOR_WRITES, NULL, STATIC)
BLENDS(
    blending_of_the_greatest, ALPHA_BLEND,
    {
        p->blend.dstColorBlendFactor = VK_BLEND_FACTOR_ZERO;
        p->blend.alphaBlendOp = VK_BLEND_OP_MAX;
    },
    COLOR_WRITES, NULL, STATIC, NOT_READ)
BLENDS(
    blending_by_what_is_there, ALPHA_BLEND,
    {
        p->blend.dstColorBlendFactor = VK_BLEND_FACTOR_ZERO;
        p->blend.srcColorBlendFactor = VK_BLEND_FACTOR_DST_ALPHA;
    },
    COLOR_WRITES, NULL, STATIC, NOT_READ)

static void set_blending(struct world *w)
{
    SET(vkCmdSetColorBlendEnableEXT, 0, 1, &(VkBool32){VK_TRUE});
}

static void set_no_blending(struct world *w)
{
    SET(vkCmdSetColorBlendEnableEXT, 0, 1, &(VkBool32){VK_FALSE});
}

static void set_equation(struct world *w)
{
    const VkColorBlendEquationEXT equation = {.srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
                                              .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE};
    SET(vkCmdSetColorBlendEquationEXT, 0, 1, &equation);
}
BLENDS(
    blending_that_is_set, ALPHA_BLEND,
    {
        p->blend.blendEnable = VK_FALSE;
        DYNAMIC(COLOR_BLEND_ENABLE);
    },
    COLOR_WRITES, set_blending, MASKS, NOT_READ)
BLENDS(blending_that_is_set_off, ALPHA_BLEND, DYNAMIC(COLOR_BLEND_ENABLE), COLOR_WRITES,
       set_no_blending, MASKS)
BLENDS(blending_with_an_equation_that_takes_nothing, ALPHA_BLEND, DYNAMIC(COLOR_BLEND_EQUATION),
       COLOR_WRITES, set_equation, MASKS)
