/* Hazards of what a draw or dispatch really accesses. There are elements that constants choose,
 * images that are only asked for their size, and atomics. There are stencil values that cannot
 * change, faces that are culled, and tests before the fragment shader. */
#include "sync/sync_world.h"

#include "shader_hazards.h"

#define SURE_SETTINGS {"validate_sync=true"}

#define SURE .settings = SURE_SETTINGS, .proceed = true, .features = &world_features

#define DO(which_)           operation_##which_.record(w)
#define RAW(first_, second_) .expect = {"SYNC-HAZARD-READ-AFTER-WRITE"}, PAIR_TEXT(first_, second_)
#define WAW(first_, second_) .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"}, PAIR_TEXT(first_, second_)

/* --- dispatches --- */

static void dispatch_set(struct world *w, VkPipelineLayout layout, VkDescriptorSet set,
                         const uint32_t *code, size_t size)
{
    const VkComputePipelineCreateInfo info =
        compute_pipeline_info(make_shader_from(w->b, code, size), layout);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(w->b, &info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    vkCmdDispatch(w->commands, 1, 1, 1);
}
#define DISPATCH(code_) dispatch_set(w, w->layout, w->set, spirv_##code_, sizeof(spirv_##code_))

/* Element 0 is the world's buffer, element 1 the other one. */
static void dispatch_element(struct world *w)
{
    static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2,
                                                         VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 1;
    info.pBindings = &binding;
    VkDescriptorSetLayout layout = create_descriptor_set_layout(w->b, &info);
    VkDescriptorSet set = make_descriptor_set(w->b, make_descriptor_pool(w->b), layout);
    const VkDescriptorBufferInfo buffers[2] = {{w->buffer, 0, VK_WHOLE_SIZE},
                                               {w->other_buffer, 0, VK_WHOLE_SIZE}};
    VkWriteDescriptorSet write = write_buffer(set, buffers);
    write.descriptorCount = 2;
    vkUpdateDescriptorSets(w->b->device, 1, &write, 0, NULL);
    dispatch_set(w, make_pipeline_layout(w->b, layout), set, spirv_element_1,
                 sizeof(spirv_element_1));
}

static void fill_other(struct world *w)
{
    vkCmdFillBuffer(w->commands, w->other_buffer, 0, VK_WHOLE_SIZE, 0);
}

#define COMPUTING(name_, how_, statements_, ...) \
    SCENARIO(name_, how_, ##__VA_ARGS__)         \
    {                                            \
        struct world world, *w = &world;         \
        world_begin(b, w);                       \
        statements_;                             \
    }
COMPUTING(
    element_that_was_filled, SURE,
    {
        fill_other(w);
        dispatch_element(w);
    },
    WAW("vkCmdFillBuffer", "vkCmdDispatch"))
COMPUTING(element_beside_what_was_filled, SURE, {
    DO(fill_buffer);
    dispatch_element(w);
})
COMPUTING(
    element_that_was_filled_guessed, WORLD,
    {
        fill_other(w);
        dispatch_element(w);
    },
    WAW("vkCmdFillBuffer", "vkCmdDispatch"), .ours_only = true)
COMPUTING(element_beside_what_was_filled_guessed, WORLD, {
    DO(fill_buffer);
    dispatch_element(w);
})
COMPUTING(size_of_an_image_that_is_cleared, SURE, {
    DO(clear_image);
    DISPATCH(image_size);
})
COMPUTING(length_of_a_buffer_that_is_filled, SURE, {
    DO(fill_buffer);
    DISPATCH(buffer_length);
})
COMPUTING(atomics_of_two_dispatches, WORLD, {
    DISPATCH(atomic);
    DISPATCH(atomic);
})
COMPUTING(
    atomics_and_plain_writes, WORLD,
    {
        DISPATCH(atomic);
        DISPATCH(atomic_and_plain);
    },
    WAW("vkCmdDispatch", "vkCmdDispatch"))
COMPUTING(
    atomic_of_what_was_filled, SURE,
    {
        DO(fill_buffer);
        DISPATCH(atomic);
    },
    WAW("vkCmdFillBuffer", "vkCmdDispatch"))

/* --- draws to a depth/stencil attachment that is copied from afterwards, one aspect of it --- */

#define FORMAT VK_FORMAT_D32_SFLOAT_S8_UINT

/* Threads: on the stack. */
struct drawing {
    VkImage image;
    VkImageView view;
    VkPipelineDepthStencilStateCreateInfo state;
    VkCullModeFlags cull;
    VkPrimitiveTopology topology;
    const uint32_t *fragment; /* NULL: the harness's */
    size_t fragment_size;
};

static VkImageSubresourceRange both_aspects(void)
{
    VkImageSubresourceRange range = color_range();
    range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    return range;
}

static void begin_hazard_drawing(struct world *w, struct drawing *d)
{
    VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    info.format = FORMAT;
    const VkStencilOpState keeps = {.failOp = VK_STENCIL_OP_KEEP,
                                    .passOp = VK_STENCIL_OP_KEEP,
                                    .depthFailOp = VK_STENCIL_OP_KEEP,
                                    .compareOp = VK_COMPARE_OP_EQUAL,
                                    .compareMask = 255,
                                    .writeMask = 255};
    *d = (struct drawing){
        .image = make_image_of(w->b, &info),
        .state = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                  .stencilTestEnable = VK_TRUE,
                  .depthCompareOp = VK_COMPARE_OP_LESS,
                  .front = keeps,
                  .back = keeps},
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    VkImageViewCreateInfo view = image_view_info(d->image);
    view.format = FORMAT;
    view.subresourceRange = both_aspects();
    d->view = create_image_view(w->b, &view);
    VkImageMemoryBarrier barrier =
        image_barrier(d->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.subresourceRange = both_aspects();
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void draw_hazard(struct world *w, const struct drawing *d)
{
    const VkFormat color_format = COLOR_FORMAT;
    const VkPipelineRenderingCreateInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
        .colorAttachmentCount = 1,
        .pColorAttachmentFormats = &color_format,
        .depthAttachmentFormat = FORMAT,
        .stencilAttachmentFormat = FORMAT};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(w->b, &pipeline, w->layout, VK_NULL_HANDLE);
    pipeline.info.pNext = &rendering;
    pipeline.info.pDepthStencilState = &d->state;
    pipeline.rasterization.cullMode = d->cull;
    pipeline.input_assembly.topology = d->topology;
    if (d->fragment)
        pipeline.stages[1].module = make_shader_from(w->b, d->fragment, d->fragment_size);
    VkRenderingAttachmentInfo color = rendering_attachment(w->view),
                              depth = rendering_attachment(d->view);
    color.imageLayout = depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = depth.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    color.storeOp = depth.storeOp = VK_ATTACHMENT_STORE_OP_NONE;
    VkRenderingInfo info = rendering_info(&color);
    info.pDepthAttachment = info.pStencilAttachment = &depth;
    vkCmdBeginRendering(w->commands, &info);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRendering(w->commands);
}

static void copy_aspect(struct world *w, const struct drawing *d, VkImageAspectFlags aspect)
{
    const VkBufferImageCopy region = {.imageSubresource = {aspect, 0, 0, 1},
                                      .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    vkCmdCopyImageToBuffer(w->commands, d->image, VK_IMAGE_LAYOUT_GENERAL, w->other_buffer, 1,
                           &region);
}

#define DRAWING(name_, change_, after_, ...)   \
    SCENARIO(name_, SURE, ##__VA_ARGS__)       \
    {                                          \
        struct world world, *w = &world;       \
        struct drawing drawing, *d = &drawing; \
        world_begin(b, w);                     \
        begin_hazard_drawing(w, d);            \
        change_;                               \
        draw_hazard(w, d);                     \
        after_;                                \
    }
#define STENCIL copy_aspect(w, d, VK_IMAGE_ASPECT_STENCIL_BIT)
#define DEPTH   copy_aspect(w, d, VK_IMAGE_ASPECT_DEPTH_BIT)
#define DRAWN   RAW("vkCmdDraw", "vkCmdCopyImageToBuffer")
#define REPLACE VK_STENCIL_OP_REPLACE

DRAWING(stencil_that_passes, d->state.back.passOp = d->state.front.passOp = REPLACE, STENCIL, DRAWN)
DRAWING(stencil_that_is_kept, (void)0, STENCIL)
DRAWING(stencil_of_culled_faces, (d->cull = VK_CULL_MODE_BACK_BIT, d->state.back.passOp = REPLACE),
        STENCIL)
DRAWING(stencil_of_the_other_faces,
        (d->cull = VK_CULL_MODE_BACK_BIT, d->state.front.passOp = REPLACE), STENCIL, DRAWN)
DRAWING(stencil_of_a_depth_test_that_is_off,
        d->state.front.depthFailOp = d->state.back.depthFailOp = REPLACE, STENCIL)
DRAWING(stencil_of_a_depth_test_that_fails,
        (d->state.depthTestEnable = VK_TRUE,
         d->state.front.depthFailOp = d->state.back.depthFailOp = REPLACE),
        STENCIL, DRAWN)
DRAWING(stencil_of_a_depth_test_that_never_fails,
        (d->state.depthTestEnable = VK_TRUE, d->state.depthCompareOp = VK_COMPARE_OP_ALWAYS,
         d->state.front.depthFailOp = d->state.back.depthFailOp = REPLACE),
        STENCIL)
DRAWING(stencil_of_a_test_that_never_fails,
        (d->state.front.compareOp = d->state.back.compareOp = VK_COMPARE_OP_ALWAYS,
         d->state.front.failOp = d->state.back.failOp = REPLACE),
        STENCIL)
DRAWING(stencil_of_a_test_that_never_passes,
        (d->state.front.compareOp = d->state.back.compareOp = VK_COMPARE_OP_NEVER,
         d->state.front.passOp = d->state.back.passOp = REPLACE),
        STENCIL)
DRAWING(stencil_of_a_test_that_fails, d->state.front.failOp = d->state.back.failOp = REPLACE,
        STENCIL, DRAWN)
/* Only polygons have faces that can be culled. */
DRAWING(stencil_of_lines_that_are_not_culled,
        (d->cull = VK_CULL_MODE_FRONT_AND_BACK, d->topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP,
         d->state.front.passOp = REPLACE),
        STENCIL, DRAWN)
DRAWING(stencil_of_lines_has_no_back,
        (d->topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, d->cull = VK_CULL_MODE_FRONT_BIT,
         d->state.back.passOp = REPLACE),
        STENCIL)
DRAWING(colors_of_lines_that_are_not_culled,
        (d->cull = VK_CULL_MODE_FRONT_AND_BACK, d->topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST),
        DO(read_image), DRAWN)
DRAWING(colors_of_triangles_that_are_culled, d->cull = VK_CULL_MODE_FRONT_AND_BACK, DO(read_image))

/* --- tests before the fragment shader --- */

static void depth_barrier(struct world *w, VkPipelineStageFlags2 stage)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = stage,
                                      .srcAccessMask =
                                          VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                                      .dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
                                      .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(w->commands, &info);
}
#define WRITES_DEPTH d->state.depthTestEnable = d->state.depthWriteEnable = VK_TRUE
#define EARLY        d->fragment = spirv_early, d->fragment_size = sizeof(spirv_early)
#define AFTER(stage_)                                                        \
    {                                                                        \
        depth_barrier(w, VK_PIPELINE_STAGE_2_##stage_##_FRAGMENT_TESTS_BIT); \
        DEPTH;                                                               \
    }
/* The drawing is not stored, "identically to VK_ATTACHMENT_STORE_OP_DONT_CARE": by a write of late
 * tests, after all. */
DRAWING(early_tests_before_a_barrier_of_them, (WRITES_DEPTH, EARLY), AFTER(EARLY),
        RAW("vkCmdEndRendering", "vkCmdCopyImageToBuffer"))
DRAWING(early_tests_before_a_barrier_of_late_ones, (WRITES_DEPTH, EARLY), AFTER(LATE))
DRAWING(late_tests_before_a_barrier_of_them, WRITES_DEPTH, AFTER(LATE))
DRAWING(late_tests_before_a_barrier_of_early_ones, WRITES_DEPTH, AFTER(EARLY), DRAWN)

/* vertices: of several draws in one command, and of attributes that the shader does not have */

static const VkPhysicalDeviceMultiDrawFeaturesEXT multi_draw = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT,
    .pNext = (void *)&world_features,
    .multiDraw = VK_TRUE};
#define MULTI                                                                     \
    .settings = {"validate_sync=true"}, .proceed = true, .features = &multi_draw, \
    .extensions = {VK_EXT_MULTI_DRAW_EXTENSION_NAME}

/* Vertices of 16 bytes in the world's buffer, with `attributes` of 4 bytes each; the shader has the
 * first one, of 16. */
static void begin_vertices(struct world *w, uint32_t attributes, bool of_shader)
{
    static const VkVertexInputBindingDescription bindings[2] = {
        {0, 16, VK_VERTEX_INPUT_RATE_VERTEX}, {1, 16, VK_VERTEX_INPUT_RATE_VERTEX}};
    static const VkVertexInputAttributeDescription descriptions[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {5, 1, VK_FORMAT_R32_SFLOAT, 4}};
    const VkBuffer buffers[2] = {of_shader ? w->buffer : w->other_buffer,
                                 of_shader ? w->other_buffer : w->buffer};
    VkRenderPassCreateInfo pass_info = render_pass_info();
    struct graphics_pipeline pipeline;
    pass_info.dependencyCount = 0;
    VkRenderPass pass = create_render_pass(w->b, &pass_info);
    begin_graphics_pipeline(w->b, &pipeline, w->layout, pass);
    if (attributes)
        pipeline.stages[0].module =
            make_shader_from(w->b, world_code_position.words, world_code_position.size);
    pipeline.vertex_input.vertexBindingDescriptionCount =
        pipeline.vertex_input.vertexAttributeDescriptionCount = attributes;
    pipeline.vertex_input.pVertexBindingDescriptions = bindings;
    pipeline.vertex_input.pVertexAttributeDescriptions = descriptions;
    const VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
    vkCmdBindVertexBuffers(w->commands, 0, 2, buffers, (VkDeviceSize[2]){0, 0});
}

#define VERTICES(name_, how_, offset_, size_, statements_, ...)     \
    SCENARIO(name_, how_, ##__VA_ARGS__)                            \
    {                                                               \
        struct world world, *w = &world;                            \
        world_begin(b, w);                                          \
        vkCmdFillBuffer(w->commands, w->buffer, offset_, size_, 0); \
        statements_;                                                \
        vkCmdEndRenderPass(w->commands);                            \
        VK(vkEndCommandBuffer(w->commands));                        \
    }

/* Draws of three vertices each, from 0 and from 16 on: bytes 0 to 47 and 256 to 303. */
static void draw_twice(struct world *w)
{
    static const struct {
        VkMultiDrawInfoEXT draw;
        uint32_t unused;
    } draws[2] = {{{0, 3}, 0}, {{16, 3}, 0}};
    DEVICE_PROC(w->b, vkCmdDrawMultiEXT)(w->commands, 2, &draws[0].draw, 1, 0, sizeof(draws[0]));
}

static void draw_indices_twice(struct world *w)
{
    static const VkMultiDrawIndexedInfoEXT draws[2] = {{0, 3, 0}, {16, 3, 0}};
    vkCmdBindIndexBuffer(w->commands, w->buffer, 0, VK_INDEX_TYPE_UINT16);
    DEVICE_PROC(w->b, vkCmdDrawMultiIndexedEXT)(w->commands, 2, draws, 1, 0, sizeof(draws[0]),
                                                NULL);
}
VERTICES(
    first_draw_of_several, MULTI, 32, 16,
    {
        begin_vertices(w, 1, true);
        draw_twice(w);
    },
    RAW("vkCmdFillBuffer", "vkCmdDrawMultiEXT"))
VERTICES(
    last_draw_of_several, MULTI, 288, 16,
    {
        begin_vertices(w, 1, true);
        draw_twice(w);
    },
    RAW("vkCmdFillBuffer", "vkCmdDrawMultiEXT"))
VERTICES(between_several_draws, MULTI, 48, 208, {
    begin_vertices(w, 1, true);
    draw_twice(w);
})
VERTICES(no_draw_of_several, MULTI, 0, 64, {
    begin_vertices(w, 1, true);
    DEVICE_PROC(w->b, vkCmdDrawMultiEXT)(w->commands, 0, NULL, 1, 0, sizeof(VkMultiDrawInfoEXT));
})
VERTICES(
    last_indices_of_several, MULTI, 36, 4,
    {
        begin_vertices(w, 0, false);
        draw_indices_twice(w);
    },
    RAW("vkCmdFillBuffer", "vkCmdDrawMultiIndexedEXT"))
VERTICES(indices_between_several, MULTI, 8, 24, {
    begin_vertices(w, 0, false);
    draw_indices_twice(w);
})

/* Attribute 5 of binding 1: bytes 4 to 7 of each element. */
VERTICES(
    attribute_that_the_shader_drops, SURE, 4, 4,
    {
        begin_vertices(w, 2, false);
        vkCmdDraw(w->commands, 3, 1, 0, 0);
    },
    RAW("vkCmdFillBuffer", "vkCmdDraw"))
VERTICES(bytes_behind_the_last_attribute_that_the_shader_drops, SURE, 40, 64, {
    begin_vertices(w, 2, false);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
})
/* Bound, but no attribute of the pipeline is in it. */
VERTICES(buffer_without_attributes, SURE, 0, VK_WHOLE_SIZE, {
    begin_vertices(w, 1, false);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
})
