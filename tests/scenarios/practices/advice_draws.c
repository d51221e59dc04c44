/* Advice on draws and dispatches. */
#include "practices.h"

/* --- that do nothing --- */

#define DRAWS(name_, draw_, ...)                                                                 \
    SCENARIO(name_, ADVISED, ##__VA_ARGS__)                                                      \
    {                                                                                            \
        VkCommandBuffer commands = make_recording(b);                                            \
        VkPipeline pipeline = make_any_graphics_pipeline(b);                                     \
        VkBuffer indices =                                                                       \
            make_buffer(b, 256,                                                                  \
                        VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT); \
        begin_rendering(b, commands);                                                            \
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);                  \
        vkCmdBindIndexBuffer(commands, indices, 0, VK_INDEX_TYPE_UINT16);                        \
        draw_;                                                                                   \
        vkCmdEndRenderPass(commands);                                                            \
        VK(vkEndCommandBuffer(commands));                                                        \
    }

DRAWS(draw_no_instance, vkCmdDraw(commands, 3, 0, 0, 0),
      .expect = {BP("vkCmdDraw-instance-count-zero")}, .text = {"instanceCount is 0"})
DRAWS(draw_one_instance, vkCmdDraw(commands, 3, 1, 0, 0))
DRAWS(draw_indexed_no_instance, vkCmdDrawIndexed(commands, 3, 0, 0, 0, 0),
      .expect = {BP("vkCmdDrawIndexed-instance-count-zero")})
DRAWS(draw_indexed_one_instance, vkCmdDrawIndexed(commands, 3, 1, 0, 0, 0))
DRAWS(draw_indirect_none, vkCmdDrawIndirect(commands, indices, 0, 0, 16),
      .expect = {BP("vkCmdDrawIndirect-draw-count-zero")})
DRAWS(draw_indirect_one, vkCmdDrawIndirect(commands, indices, 0, 1, 16))
DRAWS(draw_indexed_indirect_none, vkCmdDrawIndexedIndirect(commands, indices, 0, 0, 20),
      .expect = {BP("vkCmdDrawIndexedIndirect-draw-count-zero")})
DRAWS(draw_indexed_indirect_one, vkCmdDrawIndexedIndirect(commands, indices, 0, 1, 20))

static VkCommandBuffer begin_compute(struct baseline *b)
{
    VkCommandBuffer commands = make_recording(b);
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkDescriptorBufferInfo buffer = {make_buffer(b, 4096, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                     VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, make_compute_pipeline(b, layout));
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_ALL, 0, 16, (const uint32_t[4]){0});
    return commands;
}

SCENARIO(dispatch_nothing, ADVISED, .expect = {BP("vkCmdDispatch-group-count-zero")},
         .text = {"dispatches 4 by 0 by 1 workgroups"})
{
    vkCmdDispatch(begin_compute(b), 4, 0, 1);
}

SCENARIO(dispatch_one, ADVISED)
{
    vkCmdDispatch(begin_compute(b), 1, 1, 1);
}

SCENARIO(dispatch_base_nothing, ADVISED, .expect = {BP("vkCmdDispatchBase-group-count-zero")})
{
    vkCmdDispatchBase(begin_compute(b), 0, 0, 0, 1, 1, 0);
}

SCENARIO(dispatch_base_one, ADVISED)
{
    vkCmdDispatchBase(begin_compute(b), 0, 0, 0, 1, 1, 1);
}

/* --- how they are ordered --- */

/* With an attachment of depth beside the color, or without. */
static VkRenderPass pass_with(struct baseline *b, bool depth)
{
    VkAttachmentDescription attachments[2] = {{.format = COLOR_FORMAT,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL}};
    VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_GENERAL},
                          depth_stencil = {1, VK_IMAGE_LAYOUT_GENERAL};
    VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &color,
                                    .pDepthStencilAttachment = depth ? &depth_stencil : NULL};
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = depth ? 2 : 1,
                                   .pAttachments = attachments,
                                   .subpassCount = 1,
                                   .pSubpasses = &subpass};
    attachments[1] = attachments[0];
    attachments[1].format = VK_FORMAT_D16_UNORM;
    return create_render_pass(b, &info);
}

static void begin_with_depth(struct baseline *b, VkCommandBuffer commands, bool depth)
{
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    image.format = VK_FORMAT_D16_UNORM;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.format = image.format;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    VkImageView views[] = {make_image_view(b), create_image_view(b, &view)};
    VkRenderPass pass = pass_with(b, depth);
    VkFramebufferCreateInfo info = framebuffer_info(pass, views);
    info.attachmentCount = depth ? 2 : 1;
    VkRenderPassBeginInfo begin = render_pass_begin_info(pass, create_framebuffer(b, &info));
    begin.clearValueCount = 0;
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

static VkPipeline pipeline_of_depth(struct baseline *b, bool depth, VkCompareOp op,
                                    bool writes_depth, bool writes_color)
{
    struct graphics_pipeline p;
    VkPipelineDepthStencilStateCreateInfo state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = writes_depth,
        .depthCompareOp = op};
    begin_graphics_pipeline(b, &p, make_empty_pipeline_layout(b), pass_with(b, depth));
    p.info.pDepthStencilState = &state;
    if (!writes_color)
        p.blend_attachment.colorWriteMask = 0;
    return create_graphics_pipeline(b, &p.info);
}

struct batch {
    VkPipeline pipeline;
    int draws;
};

static void draw_batches(struct baseline *b, bool depth, const struct batch *batches, int count,
                         int times, uint32_t indices)
{
    VkCommandBuffer commands = make_recording(b);
    begin_with_depth(b, commands, depth);
    vkCmdBindIndexBuffer(commands, make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    for (int i = 0; i < times * count; i++) {
        vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, batches[i % count].pipeline);
        for (int k = 0; k < batches[i % count].draws; k++)
            vkCmdDrawIndexed(commands, indices, 1, 0, 0, 0);
    }
    vkCmdEndRenderPass(commands);
    VK(vkEndCommandBuffer(commands));
}

#define ORDER_WITH(name_, depth_, less_, count_less_, equal_, count_equal_, ...) \
    SCENARIO(name_, __VA_ARGS__)                                                 \
    {                                                                            \
        const bool depth = (depth_);                                             \
        struct batch batches[] = {{less_, count_less_}, {equal_, count_equal_}}; \
        draw_batches(b, depth, batches, 2, 1, 30);                               \
    }
#define ORDER(name_, ...) ORDER_WITH(name_, true, __VA_ARGS__)
#define PRE_PASS          pipeline_of_depth(b, depth, VK_COMPARE_OP_LESS, true, false)
#define EQUAL             pipeline_of_depth(b, depth, VK_COMPARE_OP_EQUAL, false, true)
#define LESS              pipeline_of_depth(b, depth, VK_COMPARE_OP_LESS, true, true)
#define GREATER           pipeline_of_depth(b, depth, VK_COMPARE_OP_GREATER, true, true)

ORDER(depth_pre_pass, PRE_PASS, 21, EQUAL, 21, ADVISED_FOR(arm),
      .expect = {BP("vkCmdEndRenderPass-depth-pre-pass-usage")},
      .text = {"21 draws that write depth alone, and 21 that test it for equality"})
ORDER(depth_pre_pass_of_few, PRE_PASS, 20, EQUAL, 21, ADVISED_FOR(arm))
ORDER(depth_pre_pass_elsewhere, PRE_PASS, 21, EQUAL, 21, ADVISED_FOR(amd))
ORDER(two_directions, LESS, 33, GREATER, 33, ADVISED_FOR(nvidia), WITHOUT_PAGES,
      .drivers = NULL_DRIVER, .expect = {BP("NVIDIA-Zcull-LessGreaterRatio")})
ORDER_WITH(two_directions_of_no_depth, false, LESS, 33, GREATER, 33, ADVISED_FOR(nvidia),
           WITHOUT_PAGES, .drivers = NULL_DRIVER)
ORDER(one_direction, LESS, 33, GREATER, 32, ADVISED_FOR(nvidia), WITHOUT_PAGES,
      .drivers = NULL_DRIVER)

static void draw_many(struct baseline *b, int draws, uint32_t indices)
{
    struct batch batch = {
        make_graphics_pipeline(b, make_empty_pipeline_layout(b), pass_with(b, false)), draws};
    draw_batches(b, false, &batch, 1, 1, indices);
}

SCENARIO(small_draws_65, ADVISED_FOR(arm),
         .expect = {BP("vkCmdDrawIndexed-many-small-indexed-drawcalls")},
         .text = {"with 65 draws, of which 65 have fewer than 10 indices"})
{
    draw_many(b, 65, 9);
}

SCENARIO(small_draws_64, ADVISED_FOR(arm))
{
    draw_many(b, 64, 9);
}

SCENARIO(larger_draws_65, ADVISED_FOR(arm))
{
    draw_many(b, 65, 10);
}

static void change_pipelines(struct baseline *b, int times)
{
    const bool depth = false;
    struct batch batches[] = {{LESS, 1}, {GREATER, 0}};
    draw_batches(b, depth, batches, 2, times, 30);
}

SCENARIO(pipelines_back_and_forth, ADVISED_FOR(amd), .expect = {BP("Pipeline-SortAndBind")},
         .text = {"changes its graphics pipeline 258 times, and has 2"})
{
    change_pipelines(b, 129);
}

SCENARIO(pipelines_back_and_forth_a_little, ADVISED_FOR(amd))
{
    change_pipelines(b, 128);
}
