/* Draws: a pipeline that fits, inside a render pass instance that it was made for, with the buffers
 * that it reads (20 "Drawing Commands"). */
#include "scenario.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE,
    .maintenance4 = VK_TRUE};

static VkCommandBuffer begin_pass_drawing(struct baseline *b)
{
    VkCommandBuffer command_buffer = make_recording(b);
    begin_rendering(b, command_buffer);
    return command_buffer;
}

static void end_drawing(VkCommandBuffer command_buffer)
{
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

static void bind_graphics(VkCommandBuffer command_buffer, VkPipeline pipeline)
{
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

SCENARIO(draw_nothing_bound, .expect = {"VUID-vkCmdDraw-None-08606"},
         .text = {"has no graphics pipeline bound"})
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(draw)
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, make_any_graphics_pipeline(b));
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    end_drawing(command_buffer);
}

SCENARIO(dispatch_nothing_bound, .expect = {"VUID-vkCmdDispatch-None-08606"},
         .text = {"has no compute pipeline bound"})
{
    vkCmdDispatch(make_recording(b), 1, 1, 1);
}

/* --- index buffers --- */

SCENARIO(draw_indexed_without_index_buffer, .expect = {"VUID-vkCmdDrawIndexed-None-07312"},
         .text = {"has no index buffer bound"})
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, make_any_graphics_pipeline(b));
    vkCmdDrawIndexed(command_buffer, 3, 1, 0, 0, 0);
}

/* "If the maintenance6 feature is not enabled". */
static const VkPhysicalDeviceMaintenance6Features maintenance6 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_6_FEATURES, .maintenance6 = VK_TRUE};

SCENARIO(draw_indexed_without_index_buffer_maintained, .features = &maintenance6,
         .extensions = {"VK_KHR_maintenance6"})
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, make_any_graphics_pipeline(b));
    vkCmdDrawIndexed(command_buffer, 3, 1, 0, 0, 0);
}

static VkCommandBuffer begin_with_indices(struct baseline *b, VkDeviceSize size)
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, make_any_graphics_pipeline(b));
    vkCmdBindIndexBuffer(command_buffer, make_buffer(b, size, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0,
                         VK_INDEX_TYPE_UINT16);
    return command_buffer;
}

SCENARIO(draw_indexed_behind_the_end, .expect = {"VUID-vkCmdDrawIndexed-robustBufferAccess2-08798"},
         .text = {"first index 1, 3 indices of 2 bytes"})
{
    vkCmdDrawIndexed(begin_with_indices(b, 6), 3, 1, 1, 0, 0);
}

SCENARIO(draw_indexed_to_the_end)
{
    VkCommandBuffer command_buffer = begin_with_indices(b, 6);
    vkCmdDrawIndexed(command_buffer, 3, 1, 0, 0, 0);
    end_drawing(command_buffer);
}

/* --- indirect --- */

static VkCommandBuffer begin_indirect(struct baseline *b)
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, make_any_graphics_pipeline(b));
    return command_buffer;
}

SCENARIO(indirect_of_other_usage, .expect = {"VUID-vkCmdDrawIndirect-buffer-02709"},
         .text = {"buffer was created without VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT; the parameters "
                  "are at offset 0 of VkBuffer 0x"})
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT), 0,
                      1, 16);
}

SCENARIO(indirect_unaligned, .expect = {"VUID-vkCmdDrawIndirect-offset-02710"},
         .text = {"offset is 2, which is not a multiple of 4; the parameters are at offset 2 of "
                  "VkBuffer 0x"})
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 2,
                      1, 16);
}

SCENARIO(indirect_behind_the_end, .expect = {"VUID-vkCmdDrawIndirect-drawCount-00487"},
         .text = {"take 16 bytes, but the buffer has 64; the parameters are at offset 52 of "
                  "VkBuffer 0x"})
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
                      52, 1, 16);
}

SCENARIO(indirect_unbound, .expect = {"VUID-vkCmdDrawIndirect-buffer-02708"},
         .text = {"buffer is not bound to memory; the parameters are at offset 0 of VkBuffer 0x"})
{
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirect(begin_indirect(b), create_buffer(b, &info), 0, 1, 16);
}

static const VkPhysicalDeviceFeatures2 multi_draw = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .features = {.multiDrawIndirect = VK_TRUE}};

SCENARIO(indirect_many_behind_the_end, .expect = {"VUID-vkCmdDrawIndirect-drawCount-00488"},
         .features = &multi_draw,
         .text = {
             "take 80 bytes, but the buffer has 64; the parameters are at offset 0 of VkBuffer 0x",
             ", with stride 32"})
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0,
                      3, 32);
}

SCENARIO(indirect_stride, .expect = {"VUID-vkCmdDrawIndirect-drawCount-00476"},
         .text = {"stride is 8, but must be a multiple of 4 and at least 16; the parameters are at "
                  "offset 0 of VkBuffer 0x",
                  ", with stride 8"},
         .features = &multi_draw)
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0,
                      2, 8);
}

SCENARIO(indirect_many_without_feature, .expect = {"VUID-vkCmdDrawIndirect-drawCount-02718"},
         .text = {"drawCount is 2, but the feature multiDrawIndirect is not enabled; the "
                  "parameters are at offset 0 of VkBuffer 0x",
                  ", with stride 16"})
{
    vkCmdDrawIndirect(begin_indirect(b), make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0,
                      2, 16);
}

SCENARIO(indirect_many, .features = &multi_draw)
{
    VkCommandBuffer command_buffer = begin_indirect(b);
    vkCmdDrawIndirect(command_buffer, make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 16,
                      3, 16);
    end_drawing(command_buffer);
}

static VkCommandBuffer begin_indexed_indirect(struct baseline *b)
{
    return begin_with_indices(b, 64);
}

SCENARIO(indexed_indirect_behind_the_end,
         .expect = {"VUID-vkCmdDrawIndexedIndirect-drawCount-00539"})
{
    vkCmdDrawIndexedIndirect(begin_indexed_indirect(b),
                             make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 48, 1, 20);
}

SCENARIO(indexed_indirect_many_behind_the_end,
         .expect = {"VUID-vkCmdDrawIndexedIndirect-drawCount-00540"}, .features = &multi_draw)
{
    vkCmdDrawIndexedIndirect(begin_indexed_indirect(b),
                             make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 8, 3, 20);
}

SCENARIO(indexed_indirect_stride, .expect = {"VUID-vkCmdDrawIndexedIndirect-drawCount-00528"},
         .features = &multi_draw)
{
    vkCmdDrawIndexedIndirect(begin_indexed_indirect(b),
                             make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 0, 2, 16);
}

SCENARIO(indexed_indirect_many, .features = &multi_draw)
{
    VkCommandBuffer command_buffer = begin_indexed_indirect(b);
    vkCmdDrawIndexedIndirect(command_buffer,
                             make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT), 4, 3, 20);
    end_drawing(command_buffer);
}

/* --- indirect with a count --- */

static const VkPhysicalDeviceVulkan12Features with_count = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .drawIndirectCount = VK_TRUE};

struct counted {
    VkBuffer buffer, count;
};

static struct counted make_counted(struct baseline *b, VkBufferUsageFlags count_usage)
{
    return (struct counted){make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
                            make_buffer(b, 8, count_usage)};
}

SCENARIO(count_without_feature, .expect = {"VUID-vkCmdDrawIndirectCount-None-04445"},
         .text = {"drawIndirectCount"})
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 0, 1, 16);
}

SCENARIO(count_of_other_usage, .expect = {"VUID-vkCmdDrawIndirectCount-countBuffer-02715"},
         .features = &with_count,
         .text = {"countBuffer was created without VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT; the count "
                  "is at offset 0 of VkBuffer 0x"})
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 0, 1, 16);
}

SCENARIO(count_unaligned, .expect = {"VUID-vkCmdDrawIndirectCount-countBufferOffset-02716"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 2, 1, 16);
}

SCENARIO(count_behind_the_end, .expect = {"VUID-vkCmdDrawIndirectCount-countBufferOffset-04129"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 8, 1, 16);
}

SCENARIO(count_unbound, .expect = {"VUID-vkCmdDrawIndirectCount-countBuffer-02714"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    VkBufferCreateInfo info = buffer_info(8, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, create_buffer(b, &info), 0, 1, 16);
}

SCENARIO(count_stride, .expect = {"VUID-vkCmdDrawIndirectCount-stride-03110"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 0, 1, 12);
}

SCENARIO(count_draws_behind_the_end, .expect = {"VUID-vkCmdDrawIndirectCount-maxDrawCount-03111"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndirectCount(begin_indirect(b), made.buffer, 0, made.count, 0, 5, 16);
}

SCENARIO(count_indexed_stride, .expect = {"VUID-vkCmdDrawIndexedIndirectCount-stride-03142"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndexedIndirectCount(begin_indexed_indirect(b), made.buffer, 0, made.count, 0, 1, 16);
}

SCENARIO(count_indexed_behind_the_end,
         .expect = {"VUID-vkCmdDrawIndexedIndirectCount-maxDrawCount-03143"},
         .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    vkCmdDrawIndexedIndirectCount(begin_indexed_indirect(b), made.buffer, 0, made.count, 0, 4, 20);
}

SCENARIO(count_in_order, .features = &with_count)
{
    struct counted made = make_counted(b, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    VkCommandBuffer command_buffer = begin_indexed_indirect(b);
    vkCmdDrawIndirectCount(command_buffer, made.buffer, 0, made.count, 4, 4, 16);
    vkCmdDrawIndexedIndirectCount(command_buffer, made.buffer, 4, made.count, 0, 3, 20);
    end_drawing(command_buffer);
}

/* --- the render pass instance --- */

static VkRenderPass make_pass_of_format(struct baseline *b, VkFormat format)
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription attachment = info.pAttachments[0];
    attachment.format = format;
    info.pAttachments = &attachment;
    return create_render_pass(b, &info);
}

SCENARIO(draw_in_another_render_pass, .expect = {"VUID-vkCmdDraw-renderPass-02684"},
         .text = {"is not compatible"})
{
    VkPipeline pipeline = make_graphics_pipeline(b, make_empty_pipeline_layout(b),
                                                 make_pass_of_format(b, VK_FORMAT_B8G8R8A8_UNORM));
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(draw_in_another_subpass, .expect = {"VUID-vkCmdDraw-subpass-02685"},
         .text = {"is in subpass 1", "for subpass 0"})
{
    VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpasses[2] = {
        {.colorAttachmentCount = 1, .pColorAttachments = &reference},
        {.colorAttachmentCount = 1, .pColorAttachments = &reference}};
    VkRenderPassCreateInfo info = render_pass_info();
    info.subpassCount = 2;
    info.pSubpasses = subpasses;
    VkRenderPass pass = create_render_pass(b, &info);
    VkPipeline pipeline = make_graphics_pipeline(b, make_empty_pipeline_layout(b), pass);
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderPassBeginInfo pass_begin =
        render_pass_begin_info(pass, make_framebuffer(b, pass, make_image_view(b)));
    vkCmdBeginRenderPass(command_buffer, &pass_begin, VK_SUBPASS_CONTENTS_INLINE);
    bind_graphics(command_buffer, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdNextSubpass(command_buffer, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

/* A pipeline for dynamic rendering with these formats. */
static VkPipeline make_dynamic_pipeline(struct baseline *b, uint32_t color_count, VkFormat color,
                                        VkFormat depth, uint32_t view_mask)
{
    struct graphics_pipeline pipeline;
    VkFormat colors[2] = {color, color};
    VkPipelineColorBlendAttachmentState blends[2];
    VkPipelineDepthStencilStateCreateInfo depth_stencil = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    VkPipelineRenderingCreateInfo rendering = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                               .viewMask = view_mask,
                                               .colorAttachmentCount = color_count,
                                               .pColorAttachmentFormats = colors,
                                               .depthAttachmentFormat = depth};
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), VK_NULL_HANDLE);
    blends[0] = blends[1] = pipeline.blend_attachment;
    pipeline.color_blend.attachmentCount = color_count;
    pipeline.color_blend.pAttachments = blends;
    pipeline.info.pDepthStencilState = &depth_stencil;
    pipeline.info.pNext = &rendering;
    return create_graphics_pipeline(b, &pipeline.info);
}

static VkCommandBuffer begin_dynamic(struct baseline *b, VkImageView view)
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkRenderingAttachmentInfo color = rendering_attachment(view);
    VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(command_buffer, &info);
    return command_buffer;
}

static void draw_dynamic(struct baseline *b, VkPipeline pipeline)
{
    VkCommandBuffer command_buffer = begin_dynamic(b, make_image_view(b));
    bind_graphics(command_buffer, pipeline);
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
    vkCmdEndRendering(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(draw_with_dynamic_rendering, .features = &features13)
{
    draw_dynamic(b, make_dynamic_pipeline(b, 1, COLOR_FORMAT, VK_FORMAT_UNDEFINED, 0));
}

SCENARIO(draw_render_pass_pipeline_in_dynamic_rendering,
         .expect = {"VUID-vkCmdDraw-renderPass-06198"}, .features = &features13)
{
    draw_dynamic(b, make_any_graphics_pipeline(b));
}

SCENARIO(draw_dynamic_pipeline_in_render_pass, .expect = {"VUID-vkCmdDraw-renderPass-02684"},
         .text = {"created for dynamic rendering"}, .features = &features13)
{
    VkCommandBuffer command_buffer = begin_pass_drawing(b);
    bind_graphics(command_buffer,
                  make_dynamic_pipeline(b, 1, COLOR_FORMAT, VK_FORMAT_UNDEFINED, 0));
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(draw_with_other_color_count, .expect = {"VUID-vkCmdDraw-colorAttachmentCount-06179"},
         .features = &features13,
         .text = {"with 1 color attachments, but the bound pipeline was created for 2"})
{
    draw_dynamic(b, make_dynamic_pipeline(b, 2, COLOR_FORMAT, VK_FORMAT_UNDEFINED, 0));
}

SCENARIO(draw_with_other_color_format,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08910"},
         .features = &features13,
         .text = {"is in a render pass instance whose color attachment 0 (VkImageView 0x",
                  ") has the format VK_FORMAT_R8G8B8A8_UNORM, but", "VK_FORMAT_B8G8R8A8_UNORM"})
{
    draw_dynamic(b, make_dynamic_pipeline(b, 1, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_UNDEFINED, 0));
}

SCENARIO(draw_without_color_view,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08912"},
         .features = &features13, .text = {"has no color attachment 0 in its render pass instance"})
{
    VkCommandBuffer command_buffer = begin_dynamic(b, VK_NULL_HANDLE);
    bind_graphics(command_buffer,
                  make_dynamic_pipeline(b, 1, COLOR_FORMAT, VK_FORMAT_UNDEFINED, 0));
    vkCmdDraw(command_buffer, 3, 1, 0, 0);
}

SCENARIO(draw_without_depth_view,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08913"},
         .features = &features13, .text = {"has no depth attachment"})
{
    draw_dynamic(b, make_dynamic_pipeline(b, 1, COLOR_FORMAT, VK_FORMAT_D16_UNORM, 0));
}

static const VkPhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT unused_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_UNUSED_ATTACHMENTS_FEATURES_EXT,
    .pNext = (void *)&features13,
    .dynamicRenderingUnusedAttachments = VK_TRUE};

SCENARIO(draw_with_other_color_format_unused,
         .expect = {"VUID-vkCmdDraw-dynamicRenderingUnusedAttachments-08911"},
         .features = &unused_features,
         .extensions = {"VK_EXT_dynamic_rendering_unused_attachments"})
{
    draw_dynamic(b, make_dynamic_pipeline(b, 1, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_UNDEFINED, 0));
}

SCENARIO(draw_with_unused_attachments, .features = &unused_features,
         .extensions = {"VK_EXT_dynamic_rendering_unused_attachments"})
{
    draw_dynamic(b, make_dynamic_pipeline(b, 1, COLOR_FORMAT, VK_FORMAT_D16_UNORM, 0));
    draw_dynamic(b, make_dynamic_pipeline(b, 2, COLOR_FORMAT, VK_FORMAT_UNDEFINED, 0));
}

/* --- vertex buffers, sets, push constants: dispatches --- */

SCENARIO(dispatch_without_set, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    VkCommandBuffer command_buffer = make_recording(b);
    VkPipelineLayout layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    uint32_t value = 0;
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                      make_compute_pipeline(b, layout));
    vkCmdPushConstants(command_buffer, layout, VK_SHADER_STAGE_ALL, 0, sizeof(value), &value);
    vkCmdDispatch(command_buffer, 1, 1, 1);
}

struct compute {
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
};

static struct compute make_compute(struct baseline *b)
{
    struct compute made;
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    made.layout = make_pipeline_layout(b, set_layout);
    made.pipeline = make_compute_pipeline(b, made.layout);
    made.set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                     VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = write_buffer(made.set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return made;
}

static VkCommandBuffer bind_compute(struct baseline *b, const struct compute *made)
{
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, made->pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, made->layout, 0, 1,
                            &made->set, 0, NULL);
    return command_buffer;
}

static VkCommandBuffer begin_compute(struct baseline *b)
{
    uint32_t value = 0;
    struct compute made = make_compute(b);
    VkCommandBuffer command_buffer = bind_compute(b, &made);
    vkCmdPushConstants(command_buffer, made.layout, VK_SHADER_STAGE_ALL, 0, sizeof(value), &value);
    return command_buffer;
}

SCENARIO(dispatch_without_push_constants, .expect = {"VUID-vkCmdDispatch-None-08601"},
         .text = {"reads bytes 0 to 3"})
{
    struct compute made = make_compute(b);
    vkCmdDispatch(bind_compute(b, &made), 1, 1, 1);
}

SCENARIO(dispatch)
{
    VkCommandBuffer command_buffer = begin_compute(b);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    VK(vkEndCommandBuffer(command_buffer));
}

/* The first one is right; what was begun since makes the second one wrong. */
SCENARIO(dispatch_in_a_render_pass, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdDispatch-None-10672"},
         .text = {"it is inside of a render pass instance"})
{
    VkCommandBuffer command_buffer = begin_compute(b);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    begin_rendering(b, command_buffer);
    vkCmdDispatch(command_buffer, 1, 1, 1);
}

static const VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
    .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceDeviceAddressCommandsFeaturesKHR address_commands = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_ADDRESS_COMMANDS_FEATURES_KHR,
    .pNext = (void *)(uintptr_t)&addresses,
    .deviceAddressCommands = VK_TRUE};
/* The parameters are the last twelve bytes of their buffer. */
SCENARIO(dispatch_by_address, .drivers = NULL_DRIVER, .features = &address_commands,
         .extensions = {"VK_KHR_device_address_commands"})
{
    VkCommandBuffer command_buffer = begin_compute(b);
    const VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = make_buffer(b, 64,
                              VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)};
    const VkDispatchIndirect2InfoKHR dispatch = {
        .sType = VK_STRUCTURE_TYPE_DISPATCH_INDIRECT_2_INFO_KHR,
        .addressRange = {vkGetBufferDeviceAddress(b->device, &info) + 52, 12}};
    DEVICE_PROC(b, vkCmdDispatchIndirect2KHR)(command_buffer, &dispatch);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(dispatch_with_set_of_another_layout, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"that is not compatible"})
{
    VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                            VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.pBindings = &binding;
    VkDescriptorSetLayout other = create_descriptor_set_layout(b, &info);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), other);
    struct compute made = make_compute(b);
    VkCommandBuffer command_buffer = begin_compute(b);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, made.pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
                            make_pipeline_layout(b, other), 0, 1, &set, 0, NULL);
    vkCmdDispatch(command_buffer, 1, 1, 1);
}

/* The limits of lavapipe are the maximum of 32 bits less one or so; the null driver has 65,535. */
/* After a true finding no derived ones: what the set holds is of other types, at other bindings. */
SCENARIO(dispatch_with_set_allocated_otherwise, .proceed = true, .drivers = NULL_DRIVER,
         .expect = {"VUID-vkCmdBindDescriptorSets-pDescriptorSets-00358",
                    "VUID-vkCmdDispatch-None-08600"},
         .text = {"whose own layout is not the one that the bound pipeline's layout has there"})
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 2;
    info.pBindings = bindings;
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), create_descriptor_set_layout(b, &info));
    struct compute made = make_compute(b);
    VkCommandBuffer command_buffer = bind_compute(b, &made);
    uint32_t value = 0;
    vkCmdPushConstants(command_buffer, made.layout, VK_SHADER_STAGE_ALL, 0, sizeof(value), &value);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, made.layout, 0, 1, &set,
                            0, NULL);
    vkCmdDispatch(command_buffer, 1, 1, 1);
    EXPECT_EQUAL(seen_count(b, "VUID-vkCmdDispatch-None-08600"), 1);
}

SCENARIO(dispatch_too_wide, .expect = {"VUID-vkCmdDispatch-groupCountX-00386"},
         .text = {"groupCountX is 65536"}, .drivers = NULL_DRIVER)
{
    vkCmdDispatch(begin_compute(b), 65536, 1, 1);
}

SCENARIO(dispatch_too_high, .expect = {"VUID-vkCmdDispatch-groupCountY-00387"},
         .drivers = NULL_DRIVER)
{
    vkCmdDispatch(begin_compute(b), 1, 65536, 1);
}

SCENARIO(dispatch_too_deep, .expect = {"VUID-vkCmdDispatch-groupCountZ-00388"},
         .drivers = NULL_DRIVER)
{
    vkCmdDispatch(begin_compute(b), 1, 1, 65536);
}

SCENARIO(dispatch_largest, .drivers = NULL_DRIVER)
{
    vkCmdDispatch(begin_compute(b), 65535, 65535, 65535);
}

static void dispatch_from(struct baseline *b, uint32_t x, uint32_t y, uint32_t z, uint32_t count)
{
    vkCmdDispatchBase(begin_compute(b), x, y, z, count, count, count);
}

SCENARIO(dispatch_base_without_flag, .expect = {"VUID-vkCmdDispatchBase-baseGroupX-00427"},
         .text = {"VK_PIPELINE_CREATE_DISPATCH_BASE_BIT"})
{
    dispatch_from(b, 1, 0, 0, 1);
}

SCENARIO(dispatch_base_zero)
{
    dispatch_from(b, 0, 0, 0, 1);
}

static VkCommandBuffer begin_base(struct baseline *b)
{
    struct compute made = make_compute(b);
    VkComputePipelineCreateInfo info = compute_pipeline_info(make_shader_module(b), made.layout);
    uint32_t value = 0;
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
    made.pipeline = create_compute_pipeline(b, &info);
    VkCommandBuffer command_buffer = bind_compute(b, &made);
    vkCmdPushConstants(command_buffer, made.layout, VK_SHADER_STAGE_ALL, 0, sizeof(value), &value);
    return command_buffer;
}

#define BASE_SCENARIO(name_, vuid_, ...)                       \
    SCENARIO(name_, .expect = {vuid_}, .drivers = NULL_DRIVER) \
    {                                                          \
        vkCmdDispatchBase(begin_base(b), __VA_ARGS__);         \
    }
BASE_SCENARIO(dispatch_base_x, "VUID-vkCmdDispatchBase-baseGroupX-00421", 65535, 0, 0, 0, 1, 1)
BASE_SCENARIO(dispatch_base_y, "VUID-vkCmdDispatchBase-baseGroupX-00422", 0, 65535, 0, 1, 0, 1)
BASE_SCENARIO(dispatch_base_z, "VUID-vkCmdDispatchBase-baseGroupZ-00423", 0, 0, 65535, 1, 1, 0)
BASE_SCENARIO(dispatch_base_count_x, "VUID-vkCmdDispatchBase-groupCountX-00424", 65534, 0, 0, 2, 1,
              1)
BASE_SCENARIO(dispatch_base_count_y, "VUID-vkCmdDispatchBase-groupCountY-00425", 0, 65534, 0, 1, 2,
              1)
BASE_SCENARIO(dispatch_base_count_z, "VUID-vkCmdDispatchBase-groupCountZ-00426", 0, 0, 65534, 1, 1,
              2)

SCENARIO(dispatch_base, .drivers = NULL_DRIVER)
{
    vkCmdDispatchBase(begin_base(b), 65534, 65534, 65534, 1, 1, 1);
}

SCENARIO(dispatch_indirect_behind_the_end, .expect = {"VUID-vkCmdDispatchIndirect-offset-00407"})
{
    vkCmdDispatchIndirect(begin_compute(b), make_buffer(b, 16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
                          8);
}

SCENARIO(dispatch_indirect)
{
    vkCmdDispatchIndirect(begin_compute(b), make_buffer(b, 16, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT),
                          4);
}

/* --- the index that restarts primitives --- */

static const VkPhysicalDevicePrimitiveRestartIndexFeaturesEXT restarts = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_RESTART_INDEX_FEATURES_EXT,
    .primitiveRestartIndex = VK_TRUE};
/* `early`: before the index buffer is bound, which brings the default back. */
static void draw_restarting(struct baseline *b, uint32_t index, VkIndexType type, bool early)
{
    const VkBuffer indices = make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    VkCommandBuffer c = make_recording(b);
    begin_rendering(b, c);
    vkCmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
    if (early)
        DEVICE_PROC(b, vkCmdSetPrimitiveRestartIndexEXT)(c, index);
    vkCmdBindIndexBuffer(c, indices, 0, type);
    if (!early)
        DEVICE_PROC(b, vkCmdSetPrimitiveRestartIndexEXT)(c, index);
    vkCmdDrawIndexed(c, 3, 1, 0, 0, 0);
}
#define RESTARTS(name_, index_, type_, early_, ...)                         \
    SCENARIO(name_, .drivers = NULL_DRIVER, .features = &restarts,          \
             .extensions = {"VK_EXT_primitive_restart_index"}, __VA_ARGS__) \
    {                                                                       \
        draw_restarting(b, index_, VK_INDEX_TYPE_##type_, early_);          \
    }
RESTARTS(restart_index_too_large, 0x10000, UINT16, false,
         .expect = {"VUID-vkCmdDrawIndexed-primitiveRestartIndex-12401"},
         .text = {"the primitive restart index 65536", "VK_INDEX_TYPE_UINT16"})
RESTARTS(restart_index_of_the_type, 0xffff, UINT16, false, )
RESTARTS(restart_index_of_32_bits, 0x10000, UINT32, false, )
RESTARTS(restart_index_forgotten, 0x10000, UINT16, true, )
