/* Records commands in the wild mode. It records mostly into command buffers that are recording, but
 * does not look whether they are. */
#include "wild.h"

#include <string.h>

struct target {
    struct wild *wild;
    struct world *w;
    VkCommandBuffer c;
};

#define EMIT(name_, ...) CALL(t->w, name_, t->c, ##__VA_ARGS__)

static VkImageSubresourceLayers wild_layers(struct random *r)
{
    return (VkImageSubresourceLayers){wild_flags(r, random_chance(r, 80) ? 1u : 6u),
                                      wild_number(r, 3), wild_number(r, 3),
                                      random_chance(r, 90) ? 1 : wild_number(r, 4)};
}

static VkImageSubresourceRange wild_range(struct random *r)
{
    return (VkImageSubresourceRange){
        wild_flags(r, random_chance(r, 80) ? 1u : 6u), wild_number(r, 3),
        random_chance(r, 50) ? VK_REMAINING_MIP_LEVELS : wild_number(r, 4), wild_number(r, 3),
        random_chance(r, 50) ? VK_REMAINING_ARRAY_LAYERS : wild_number(r, 4)};
}

static VkOffset3D wild_offset(struct random *r)
{
    return (VkOffset3D){wild_enum(r, 16), wild_enum(r, 16),
                        random_chance(r, 90) ? 0 : wild_enum(r, 4)};
}

static VkExtent3D wild_extent(struct random *r)
{
    return (VkExtent3D){wild_number(r, 32), wild_number(r, 32),
                        random_chance(r, 90) ? 1 : wild_number(r, 4)};
}

/* --- begin and end --- */

static void begin_end(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    struct wild_chain chain;
    VkFormat format = wild_format(r);
    VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .colorAttachmentCount = wild_count(r, 1),
        .pColorAttachmentFormats = OR_NULL(&format),
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .pNext = random_chance(r, 30) ? &rendering : wild_next(r, &chain),
        .renderPass = random_chance(r, 40) ? VK_NULL_HANDLE : PICK(RenderPass),
        .subpass = wild_number(r, 2),
        .framebuffer = random_chance(r, 50) ? VK_NULL_HANDLE : PICK(Framebuffer),
        .occlusionQueryEnable = wild_number(r, 2),
        .queryFlags = wild_flags(r, 1)};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .flags = wild_flags(r, random_below(r, 8)),
                                      .pInheritanceInfo =
                                          random_chance(r, 20) ? NULL : &inheritance};
    switch (random_below(r, 8)) {
    case 0:
    case 1:
        (void)TRY(t->w, EndCommandBuffer, t->c);
        break;
    case 2:
        (void)TRY(t->w, ResetCommandBuffer, t->c, wild_flags(r, 1));
        break;
    default:
        (void)TRY(t->w, BeginCommandBuffer, t->c, OR_NULL(&begin));
        break;
    }
}

/* --- binding --- */

static void bind_pipeline(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT,
                                       (VkShaderStageFlagBits)wild_flags(r, 16)};
    VkShaderEXT shaders[2] = {PICK(ShaderEXT),
                              random_chance(r, 20) ? VK_NULL_HANDLE : PICK(ShaderEXT)};
    if (random_chance(r, 80))
        EMIT(CmdBindPipeline, (VkPipelineBindPoint)wild_enum(r, 2), PICK(Pipeline));
    else
        EMIT(CmdBindShadersEXT, wild_count(r, 2), OR_NULL(stages), shaders);
}

static void bind_wild_sets(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkDescriptorSet sets[3] = {PICK(DescriptorSet), PICK(DescriptorSet), PICK(DescriptorSet)};
    uint32_t offsets[4] = {wild_number(r, 4) * 64, wild_number(r, 4) * 64, 0, 0};
    VkBindDescriptorSetsInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO,
                                     .stageFlags = wild_flags(r, SHADER_STAGES),
                                     .layout = PICK(PipelineLayout),
                                     .firstSet = wild_number(r, 3),
                                     .descriptorSetCount = wild_count(r, 3),
                                     .pDescriptorSets = OR_NULL(sets),
                                     .dynamicOffsetCount = wild_count(r, 2),
                                     .pDynamicOffsets = OR_NULL(offsets)};
    if (random_chance(r, 80))
        EMIT(CmdBindDescriptorSets, (VkPipelineBindPoint)wild_enum(r, 2), info.layout,
             info.firstSet, info.descriptorSetCount, info.pDescriptorSets, info.dynamicOffsetCount,
             info.pDynamicOffsets);
    else
        EMIT(CmdBindDescriptorSets2, OR_NULL(&info));
}

static void push_wild_constants(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    unsigned char data[256] = {0};
    uint64_t words[256];
    VkDescriptorBufferInfo buffer = {PICK(Buffer), 0, VK_WHOLE_SIZE};
    VkDescriptorImageInfo image = {PICK(Sampler), PICK(ImageView), wild_layout(r)};
    VkBufferView view = PICK(BufferView);
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstBinding = wild_number(r, 4),
                                  .dstArrayElement = wild_number(r, 2),
                                  .descriptorCount = wild_count(r, 1),
                                  .descriptorType = (VkDescriptorType)wild_enum(r, 11),
                                  .pImageInfo = OR_NULL(&image),
                                  .pBufferInfo = OR_NULL(&buffer),
                                  .pTexelBufferView = OR_NULL(&view)};
    for (size_t i = 0; i < 256; i++)
        words[i] =
            i % 3 == 2 ? VK_WHOLE_SIZE : wild_pick(wild, r, i % 2 ? KIND_Buffer : KIND_ImageView);
    VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                .layout = PICK(PipelineLayout),
                                .stageFlags = wild_flags(r, SHADER_STAGES),
                                .offset = wild_number(r, 8) * 4,
                                .size = random_below(r, 64) * 4,
                                .pValues = OR_NULL((void *)data)};
    switch (random_below(r, 4)) {
    case 0:
    case 1:
        EMIT(CmdPushConstants, info.layout, info.stageFlags, info.offset, info.size, info.pValues);
        break;
    case 2:
        EMIT(CmdPushConstants2, &info);
        break;
    default:
        if (random_chance(r, 50))
            EMIT(CmdPushDescriptorSet, (VkPipelineBindPoint)wild_enum(r, 2), info.layout,
                 wild_number(r, 3), random_below(r, 2), OR_NULL(&write));
        else
            EMIT(CmdPushDescriptorSetWithTemplate, PICK(DescriptorUpdateTemplate), info.layout,
                 wild_number(r, 3), words);
        break;
    }
}

static void bind_wild_buffers(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkBuffer buffers[2] = {PICK(Buffer), PICK(Buffer)};
    VkDeviceSize offsets[2] = {wild_size(r, 256), wild_size(r, 256)},
                 sizes[2] = {wild_size(r, 256), VK_WHOLE_SIZE},
                 strides[2] = {wild_size(r, 64), wild_size(r, 64)};
    switch (random_below(r, 5)) {
    case 0:
        EMIT(CmdBindIndexBuffer, buffers[0], offsets[0], (VkIndexType)wild_enum(r, 2));
        break;
    case 1:
        EMIT(CmdBindIndexBuffer2, buffers[0], offsets[0], sizes[0], (VkIndexType)wild_enum(r, 2));
        break;
    case 2:
        EMIT(CmdBindVertexBuffers2, wild_number(r, 3), wild_count(r, 2), OR_NULL(buffers),
             OR_NULL(offsets), random_chance(r, 50) ? NULL : sizes,
             random_chance(r, 50) ? NULL : strides);
        break;
    case 3:
        EMIT(CmdBindTransformFeedbackBuffersEXT, wild_number(r, 3), wild_count(r, 2),
             OR_NULL(buffers), OR_NULL(offsets), random_chance(r, 50) ? NULL : sizes);
        break;
    default:
        EMIT(CmdBindVertexBuffers, wild_number(r, 3), wild_count(r, 2), OR_NULL(buffers),
             OR_NULL(offsets));
        break;
    }
}

/* --- dynamic state --- */

static void set_old(struct target *t, struct random *r)
{
    VkViewport viewports[2] = {{0, 0, wild_float(r), wild_float(r), wild_float(r), wild_float(r)},
                               {0, 0, 64, 64, 0, 1}};
    VkRect2D scissors[2] = {
        {{wild_enum(r, 8), wild_enum(r, 8)}, {wild_number(r, 64), wild_number(r, 64)}},
        {{0, 0}, {64, 64}}};
    float constants[4] = {0, 1, 0, 1};
    switch (random_below(r, 11)) {
    case 0:
        EMIT(CmdSetViewport, wild_number(r, 2), wild_count(r, 2), OR_NULL(viewports));
        break;
    case 1:
        EMIT(CmdSetScissor, wild_number(r, 2), wild_count(r, 2), OR_NULL(scissors));
        break;
    case 2:
        EMIT(CmdSetViewportWithCount, wild_count(r, 2), OR_NULL(viewports));
        break;
    case 3:
        EMIT(CmdSetScissorWithCount, wild_count(r, 2), OR_NULL(scissors));
        break;
    case 4:
        EMIT(CmdSetLineWidth, wild_float(r));
        break;
    case 5:
        EMIT(CmdSetDepthBias, wild_float(r), wild_float(r), wild_float(r));
        break;
    case 6:
        EMIT(CmdSetBlendConstants, constants);
        break;
    case 7:
        EMIT(CmdSetDepthBounds, wild_float(r), wild_float(r));
        break;
    case 8:
        EMIT(CmdSetStencilCompareMask, wild_flags(r, 3), wild_number(r, 256));
        break;
    case 9:
        EMIT(CmdSetStencilWriteMask, wild_flags(r, 3), wild_number(r, 256));
        break;
    default:
        EMIT(CmdSetStencilReference, wild_flags(r, 3), wild_number(r, 256));
        break;
    }
}

static void set_new(struct target *t, struct random *r)
{
    uint32_t one = wild_number(r, 2);
    VkVertexInputBindingDescription2EXT binding = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
        .binding = wild_number(r, 3),
        .stride = wild_number(r, 64),
        .inputRate = (VkVertexInputRate)wild_enum(r, 2),
        .divisor = wild_number(r, 2)};
    VkVertexInputAttributeDescription2EXT attribute = {
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = wild_number(r, 3),
        .binding = wild_number(r, 3),
        .format = wild_format(r),
        .offset = wild_number(r, 64)};
    switch (random_below(r, 14)) {
    case 0:
        EMIT(CmdSetCullMode, wild_flags(r, 1));
        break;
    case 1:
        EMIT(CmdSetFrontFace, (VkFrontFace)wild_enum(r, 2));
        break;
    case 2:
        EMIT(CmdSetPrimitiveTopology, (VkPrimitiveTopology)wild_enum(r, 11));
        break;
    case 3:
        EMIT(CmdSetDepthTestEnable, one);
        break;
    case 4:
        EMIT(CmdSetDepthWriteEnable, one);
        break;
    case 5:
        EMIT(CmdSetDepthCompareOp, (VkCompareOp)wild_enum(r, 8));
        break;
    case 6:
        EMIT(CmdSetDepthBoundsTestEnable, one);
        break;
    case 7:
        EMIT(CmdSetStencilTestEnable, one);
        break;
    case 8:
        EMIT(CmdSetStencilOp, wild_flags(r, 3), (VkStencilOp)wild_enum(r, 8),
             (VkStencilOp)wild_enum(r, 8), (VkStencilOp)wild_enum(r, 8),
             (VkCompareOp)wild_enum(r, 8));
        break;
    case 9:
        EMIT(CmdSetRasterizerDiscardEnable, one);
        break;
    case 10:
        EMIT(CmdSetDepthBiasEnable, one);
        break;
    case 11:
        EMIT(CmdSetPrimitiveRestartEnable, one);
        break;
    case 12:
        EMIT(CmdSetLineStipple, wild_number(r, 256), (uint16_t)wild_number(r, 65536));
        break;
    default:
        EMIT(CmdSetVertexInputEXT, wild_count(r, 1), OR_NULL(&binding), wild_count(r, 1),
             OR_NULL(&attribute));
        break;
    }
}

static void set_newest(struct target *t, struct random *r)
{
    VkBool32 enables[2] = {wild_number(r, 2), wild_number(r, 2)};
    VkColorBlendEquationEXT equations[2] = {{(VkBlendFactor)wild_enum(r, 10)},
                                            {(VkBlendFactor)wild_enum(r, 10)}};
    VkColorComponentFlags masks[2] = {wild_flags(r, 15), wild_flags(r, 15)};
    VkSampleMask samples[2] = {wild_number(r, 16), 0};
    switch (random_below(r, 11)) {
    case 0:
        EMIT(CmdSetAlphaToCoverageEnableEXT, enables[0]);
        break;
    case 1:
        EMIT(CmdSetColorBlendEnableEXT, wild_number(r, 2), wild_count(r, 2), OR_NULL(enables));
        break;
    case 2:
        EMIT(CmdSetColorBlendEquationEXT, wild_number(r, 2), wild_count(r, 2), OR_NULL(equations));
        break;
    case 3:
        EMIT(CmdSetColorWriteMaskEXT, wild_number(r, 2), wild_count(r, 2), OR_NULL(masks));
        break;
    case 4:
        EMIT(CmdSetColorWriteEnableEXT, wild_count(r, 2), OR_NULL(enables));
        break;
    case 5:
        EMIT(CmdSetDepthClampEnableEXT, enables[0]);
        break;
    case 6:
        EMIT(CmdSetLogicOpEXT, (VkLogicOp)wild_enum(r, 16));
        EMIT(CmdSetLogicOpEnableEXT, enables[0]);
        break;
    case 7:
        EMIT(CmdSetPatchControlPointsEXT, wild_number(r, 33));
        break;
    case 8:
        EMIT(CmdSetPolygonModeEXT, (VkPolygonMode)wild_enum(r, 3));
        break;
    case 9:
        EMIT(CmdSetRasterizationSamplesEXT, (VkSampleCountFlagBits)wild_flags(r, 1));
        break;
    default:
        EMIT(CmdSetSampleMaskEXT, (VkSampleCountFlagBits)wild_flags(r, 1), OR_NULL(samples));
        break;
    }
}

/* --- drawing --- */

static void draw_wild(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkMultiDrawInfoEXT draws[2] = {{0, 3}, {wild_number(r, 4), wild_number(r, 4)}};
    VkBuffer buffer = PICK(Buffer), counts = PICK(Buffer);
    VkDeviceSize at = wild_size(r, 16) * 4, count_at = wild_size(r, 16) * 4;
    uint32_t number = wild_number(r, 4), stride = wild_number(r, 8) * 4;
    switch (random_below(r, 9)) {
    case 0:
        EMIT(CmdDrawIndexed, wild_number(r, 9), wild_number(r, 3), wild_number(r, 3),
             wild_enum(r, 3), wild_number(r, 3));
        break;
    case 1:
        EMIT(CmdDrawIndirect, buffer, at, number, stride);
        break;
    case 2:
        EMIT(CmdDrawIndexedIndirect, buffer, at, number, stride);
        break;
    case 3:
        EMIT(CmdDrawIndirectCount, buffer, at, counts, count_at, number, stride);
        break;
    case 4:
        EMIT(CmdDrawIndexedIndirectCount, buffer, at, counts, count_at, number, stride);
        break;
    case 5:
        EMIT(CmdDrawMeshTasksEXT, wild_number(r, 4), wild_number(r, 4), 1);
        break;
    case 6:
        EMIT(CmdDrawMultiEXT, wild_count(r, 2), OR_NULL(draws), wild_number(r, 2), 0,
             wild_number(r, 2) ? sizeof(draws[0]) : 0);
        break;
    default:
        EMIT(CmdDraw, wild_number(r, 9), wild_number(r, 3), wild_number(r, 3), wild_number(r, 3));
        break;
    }
}

static void dispatch_wild(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    if (random_chance(r, 60))
        EMIT(CmdDispatch, wild_number(r, 4), wild_number(r, 4), wild_number(r, 4));
    else if (random_chance(r, 50))
        EMIT(CmdDispatchBase, wild_number(r, 2), 0, 0, wild_number(r, 4), 1, 1);
    else
        EMIT(CmdDispatchIndirect, PICK(Buffer), wild_size(r, 16) * 4);
}

/* --- transfers --- */

static void copy_buffers(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    unsigned char data[64] = {0};
    VkBufferCopy regions[2] = {{wild_size(r, 64), wild_size(r, 64), wild_size(r, 256)},
                               {wild_size(r, 64), wild_size(r, 64), wild_size(r, 256)}};
    VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = wild_size(r, 256)};
    VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                              .srcBuffer = PICK(Buffer),
                              .dstBuffer = PICK(Buffer),
                              .regionCount = wild_count(r, 1),
                              .pRegions = OR_NULL(&region)};
    switch (random_below(r, 4)) {
    case 0:
        EMIT(CmdCopyBuffer2, OR_NULL(&info));
        break;
    case 1:
        EMIT(CmdUpdateBuffer, info.dstBuffer, wild_size(r, 16) * 4, random_below(r, 16) * 4,
             OR_NULL((void *)data));
        break;
    case 2:
        EMIT(CmdFillBuffer, info.dstBuffer, wild_size(r, 64),
             random_chance(r, 50) ? VK_WHOLE_SIZE : wild_size(r, 256), 7);
        break;
    default:
        EMIT(CmdCopyBuffer, info.srcBuffer, info.dstBuffer, wild_count(r, 2), OR_NULL(regions));
        break;
    }
}

static void copy_wild_images(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkImage source = PICK(Image), target = PICK(Image);
    VkImageLayout source_layout = wild_layout(r), target_layout = wild_layout(r);
    VkImageCopy copy = {wild_layers(r), wild_offset(r), wild_layers(r), wild_offset(r),
                        wild_extent(r)};
    VkImageBlit blit = {wild_layers(r),
                        {wild_offset(r), wild_offset(r)},
                        wild_layers(r),
                        {wild_offset(r), wild_offset(r)}};
    VkImageResolve resolve = {wild_layers(r), wild_offset(r), wild_layers(r), wild_offset(r),
                              wild_extent(r)};
    VkImageCopy2 copy2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                          .srcSubresource = wild_layers(r),
                          .dstSubresource = wild_layers(r),
                          .extent = wild_extent(r)};
    VkCopyImageInfo2 copy_info = {VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                  NULL,
                                  source,
                                  source_layout,
                                  target,
                                  target_layout,
                                  random_below(r, 2),
                                  OR_NULL(&copy2)};
    VkImageBlit2 blit2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                          .srcSubresource = wild_layers(r),
                          .srcOffsets = {wild_offset(r), wild_offset(r)},
                          .dstSubresource = wild_layers(r),
                          .dstOffsets = {wild_offset(r), wild_offset(r)}};
    VkBlitImageInfo2 blit_info = {VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                  NULL,
                                  source,
                                  source_layout,
                                  target,
                                  target_layout,
                                  random_below(r, 2),
                                  OR_NULL(&blit2),
                                  (VkFilter)wild_enum(r, 2)};
    VkImageResolve2 resolve2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2,
                                .srcSubresource = wild_layers(r),
                                .dstSubresource = wild_layers(r),
                                .extent = wild_extent(r)};
    VkResolveImageInfo2 resolve_info = {VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2,
                                        NULL,
                                        source,
                                        source_layout,
                                        target,
                                        target_layout,
                                        wild_count(r, 1),
                                        OR_NULL(&resolve2)};
    switch (random_below(r, 6)) {
    case 0:
        EMIT(CmdCopyImage, source, source_layout, target, target_layout, wild_count(r, 1),
             OR_NULL(&copy));
        break;
    case 1:
        EMIT(CmdCopyImage2, OR_NULL(&copy_info));
        break;
    case 2:
        EMIT(CmdBlitImage, source, source_layout, target, target_layout, wild_count(r, 1),
             OR_NULL(&blit), (VkFilter)wild_enum(r, 2));
        break;
    case 3:
        EMIT(CmdBlitImage2, OR_NULL(&blit_info));
        break;
    case 4:
        EMIT(CmdResolveImage, source, source_layout, target, target_layout, wild_count(r, 1),
             OR_NULL(&resolve));
        break;
    default:
        EMIT(CmdResolveImage2, OR_NULL(&resolve_info));
        break;
    }
}

static void copy_between(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkBufferImageCopy region = {wild_size(r, 16) * 4, wild_number(r, 64), wild_number(r, 64),
                                wild_layers(r),       wild_offset(r),     wild_extent(r)};
    VkBufferImageCopy2 region2 = {VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                  NULL,
                                  wild_size(r, 16) * 4,
                                  wild_number(r, 64),
                                  wild_number(r, 64),
                                  wild_layers(r),
                                  wild_offset(r),
                                  wild_extent(r)};
    VkCopyBufferToImageInfo2 to_image = {VK_STRUCTURE_TYPE_COPY_BUFFER_TO_IMAGE_INFO_2,
                                         NULL,
                                         PICK(Buffer),
                                         PICK(Image),
                                         wild_layout(r),
                                         wild_count(r, 1),
                                         OR_NULL(&region2)};
    VkCopyImageToBufferInfo2 to_buffer = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                          NULL,
                                          PICK(Image),
                                          wild_layout(r),
                                          PICK(Buffer),
                                          wild_count(r, 1),
                                          OR_NULL(&region2)};
    switch (random_below(r, 4)) {
    case 0:
        EMIT(CmdCopyBufferToImage, to_image.srcBuffer, to_image.dstImage, to_image.dstImageLayout,
             wild_count(r, 1), OR_NULL(&region));
        break;
    case 1:
        EMIT(CmdCopyBufferToImage2, OR_NULL(&to_image));
        break;
    case 2:
        EMIT(CmdCopyImageToBuffer, to_buffer.srcImage, to_buffer.srcImageLayout,
             to_buffer.dstBuffer, wild_count(r, 1), OR_NULL(&region));
        break;
    default:
        EMIT(CmdCopyImageToBuffer2, OR_NULL(&to_buffer));
        break;
    }
}

static void clear_wild(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkClearColorValue color = {.float32 = {wild_float(r)}};
    VkClearDepthStencilValue depth = {wild_float(r), wild_number(r, 256)};
    VkImageSubresourceRange ranges[2] = {wild_range(r), wild_range(r)};
    VkClearAttachment attachments[2] = {{wild_flags(r, 1), wild_number(r, 2), {.color = color}},
                                        {wild_flags(r, 6), 0, {.depthStencil = depth}}};
    VkClearRect rect = {
        {{wild_enum(r, 4), wild_enum(r, 4)}, {wild_number(r, 64), wild_number(r, 64)}},
        wild_number(r, 2),
        wild_number(r, 2)};
    switch (random_below(r, 3)) {
    case 0:
        EMIT(CmdClearColorImage, PICK(Image), wild_layout(r), OR_NULL(&color), wild_count(r, 2),
             OR_NULL(ranges));
        break;
    case 1:
        EMIT(CmdClearDepthStencilImage, PICK(Image), wild_layout(r), OR_NULL(&depth),
             wild_count(r, 2), OR_NULL(ranges));
        break;
    default:
        EMIT(CmdClearAttachments, wild_count(r, 2), OR_NULL(attachments), wild_count(r, 1),
             OR_NULL(&rect));
        break;
    }
}

/* --- synchronization --- */

static VkPipelineStageFlags wild_stages(struct random *r)
{
    return wild_flags(r, random_chance(r, 50) ? VK_PIPELINE_STAGE_ALL_COMMANDS_BIT
                                              : 1u << random_below(r, 17));
}

static void record_wild_barrier(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL,
                              wild_flags(r, 1u << random_below(r, 17)),
                              wild_flags(r, 1u << random_below(r, 17))};
    VkBufferMemoryBarrier buffer = {
        VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
        NULL,
        memory.srcAccessMask,
        memory.dstAccessMask,
        random_chance(r, 70) ? VK_QUEUE_FAMILY_IGNORED : wild_number(r, 3),
        random_chance(r, 70) ? VK_QUEUE_FAMILY_IGNORED : wild_number(r, 3),
        PICK(Buffer),
        wild_size(r, 64),
        random_chance(r, 50) ? VK_WHOLE_SIZE : wild_size(r, 64)};
    VkImageMemoryBarrier image = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                  NULL,
                                  memory.srcAccessMask,
                                  memory.dstAccessMask,
                                  wild_layout(r),
                                  wild_layout(r),
                                  buffer.srcQueueFamilyIndex,
                                  buffer.dstQueueFamilyIndex,
                                  PICK(Image),
                                  wild_range(r)};
    VkMemoryBarrier2 memory2 = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                NULL,
                                wild_stages2(r),
                                wild_accesses2(r),
                                wild_stages2(r),
                                wild_accesses2(r)};
    VkImageMemoryBarrier2 image2 = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                    NULL,
                                    wild_stages(r),
                                    memory.srcAccessMask,
                                    wild_stages(r),
                                    memory.dstAccessMask,
                                    wild_layout(r),
                                    wild_layout(r),
                                    image.srcQueueFamilyIndex,
                                    image.dstQueueFamilyIndex,
                                    PICK(Image),
                                    wild_range(r)};
    VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .dependencyFlags = wild_flags(r, random_below(r, 2)),
                                   .memoryBarrierCount = wild_count(r, 1),
                                   .pMemoryBarriers = OR_NULL(&memory2),
                                   .imageMemoryBarrierCount = wild_count(r, 1),
                                   .pImageMemoryBarriers = OR_NULL(&image2)};
    VkEvent events[2] = {PICK(Event), PICK(Event)};
    VkDependencyInfo dependencies[2] = {dependency, dependency};
    switch (random_below(r, 9)) {
    case 0:
    case 1:
        EMIT(CmdPipelineBarrier2, OR_NULL(&dependency));
        break;
    case 2:
        EMIT(CmdSetEvent, events[0], wild_stages(r));
        break;
    case 3:
        EMIT(CmdResetEvent, events[0], wild_stages(r));
        break;
    case 4:
        EMIT(CmdWaitEvents, wild_count(r, 2), OR_NULL(events), wild_stages(r), wild_stages(r),
             wild_count(r, 1), &memory, wild_count(r, 1), &buffer, random_below(r, 2),
             OR_NULL(&image));
        break;
    case 5:
        EMIT(CmdSetEvent2, events[0], OR_NULL(&dependency));
        break;
    case 6:
        EMIT(CmdWaitEvents2, wild_count(r, 2), OR_NULL(events), dependencies);
        break;
    default:
        EMIT(CmdPipelineBarrier, wild_stages(r), wild_stages(r), wild_flags(r, random_below(r, 2)),
             wild_count(r, 1), OR_NULL(&memory), random_below(r, 2), OR_NULL(&buffer),
             wild_count(r, 1), OR_NULL(&image));
        break;
    }
}

static void record_wild_query(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkQueryPool pool = PICK(QueryPool);
    uint32_t which = wild_number(r, 4);
    switch (random_below(r, 8)) {
    case 0:
        EMIT(CmdBeginQuery, pool, which, wild_flags(r, random_below(r, 2)));
        break;
    case 1:
        EMIT(CmdEndQuery, pool, which);
        break;
    case 2:
        EMIT(CmdResetQueryPool, pool, which, wild_number(r, 4));
        break;
    case 3:
        EMIT(CmdWriteTimestamp, (VkPipelineStageFlagBits)wild_stages(r), pool, which);
        break;
    case 4:
        EMIT(CmdWriteTimestamp2, wild_stages2(r), pool, which);
        break;
    case 5:
        EMIT(CmdCopyQueryPoolResults, pool, which, wild_number(r, 4), PICK(Buffer),
             wild_size(r, 64), wild_size(r, 32), wild_flags(r, random_below(r, 16)));
        break;
    case 6:
        EMIT(CmdBeginQueryIndexedEXT, pool, which, wild_flags(r, 0), wild_number(r, 2));
        break;
    default:
        EMIT(CmdEndQueryIndexedEXT, pool, which, wild_number(r, 2));
        break;
    }
}

/* --- passes --- */

static void render_pass(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    struct wild_chain chain;
    VkClearValue clears[3];
    memset(clears, 0, sizeof(clears));
    VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .pNext = wild_next(r, &chain),
        .renderPass = PICK(RenderPass),
        .framebuffer = PICK(Framebuffer),
        .renderArea = {{wild_enum(r, 2), 0}, {wild_number(r, 64), wild_number(r, 64)}},
        .clearValueCount = wild_count(r, 3),
        .pClearValues = OR_NULL(clears)};
    VkSubpassBeginInfo subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO,
                                  .contents = (VkSubpassContents)wild_enum(r, 2)};
    VkSubpassEndInfo end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
    switch (random_below(r, 7)) {
    case 0:
    case 1:
        EMIT(CmdBeginRenderPass, OR_NULL(&begin), subpass.contents);
        break;
    case 2:
        EMIT(CmdBeginRenderPass2, OR_NULL(&begin), OR_NULL(&subpass));
        break;
    case 3:
        EMIT(CmdNextSubpass, subpass.contents);
        break;
    case 4:
        EMIT(CmdNextSubpass2, OR_NULL(&subpass), OR_NULL(&end));
        break;
    case 5:
        EMIT(CmdEndRenderPass2, OR_NULL(&end));
        break;
    default:
        EMIT(CmdEndRenderPass);
        break;
    }
}

static VkRenderingAttachmentInfo wild_attachment(struct wild *wild, struct random *r)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = random_chance(r, 20) ? VK_NULL_HANDLE : PICK(ImageView),
        .imageLayout = wild_layout(r),
        .resolveMode = (VkResolveModeFlagBits)(random_chance(r, 80) ? 0 : wild_flags(r, 1)),
        .resolveImageView = random_chance(r, 70) ? VK_NULL_HANDLE : PICK(ImageView),
        .resolveImageLayout = wild_layout(r),
        .loadOp = (VkAttachmentLoadOp)wild_enum(r, 3),
        .storeOp = (VkAttachmentStoreOp)wild_enum(r, 2)};
}

static void record_wild_rendering(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    struct wild_chain chain;
    VkRenderingAttachmentInfo colors[2] = {wild_attachment(wild, r), wild_attachment(wild, r)};
    VkRenderingAttachmentInfo depth = wild_attachment(wild, r);
    VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .pNext = wild_next(r, &chain),
        .flags = wild_flags(r, random_below(r, 8)),
        .renderArea = {{wild_enum(r, 2), 0}, {wild_number(r, 64), wild_number(r, 64)}},
        .layerCount = wild_number(r, 3),
        .viewMask = random_chance(r, 90) ? 0 : wild_number(r, 4),
        .colorAttachmentCount = wild_count(r, 2),
        .pColorAttachments = OR_NULL(colors),
        .pDepthAttachment = random_chance(r, 60) ? NULL : &depth,
        .pStencilAttachment = random_chance(r, 80) ? NULL : &depth};
    if (random_chance(r, 55))
        EMIT(CmdBeginRendering, OR_NULL(&info));
    else
        EMIT(CmdEndRendering);
}

static void record_other_command(struct target *t, struct random *r)
{
    struct wild *wild = t->wild;
    VkCommandBuffer secondaries[2] = {PICK(CommandBuffer), PICK(CommandBuffer)};
    VkConditionalRenderingBeginInfoEXT conditional = {
        .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
        .buffer = PICK(Buffer),
        .offset = wild_size(r, 16) * 4,
        .flags = wild_flags(r, 0)};
    VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                  .pLabelName = OR_NULL("label")};
    VkBuffer buffer = PICK(Buffer);
    VkDeviceSize at = wild_size(r, 16) * 4;
    switch (random_below(r, 9)) {
    case 0:
    case 1:
    case 2:
        EMIT(CmdExecuteCommands, wild_count(r, 2), OR_NULL(secondaries));
        break;
    case 3:
        EMIT(CmdBeginConditionalRenderingEXT, OR_NULL(&conditional));
        break;
    case 4:
        EMIT(CmdEndConditionalRenderingEXT);
        break;
    case 5:
        EMIT(CmdBeginDebugUtilsLabelEXT, &label);
        break;
    case 6:
        EMIT(CmdEndDebugUtilsLabelEXT);
        break;
    case 7:
        EMIT(CmdBeginTransformFeedbackEXT, wild_number(r, 2), wild_count(r, 1), OR_NULL(&buffer),
             OR_NULL(&at));
        break;
    default:
        EMIT(CmdEndTransformFeedbackEXT, wild_number(r, 2), wild_count(r, 1), OR_NULL(&buffer),
             OR_NULL(&at));
        break;
    }
}

/* A few commands into one command buffer, which is mostly begun. */
void wild_record_step(struct wild *wild, struct random *r)
{
    static void (*const recorders[])(struct target *, struct random *) = {bind_pipeline,
                                                                          bind_pipeline,
                                                                          bind_wild_sets,
                                                                          bind_wild_sets,
                                                                          push_wild_constants,
                                                                          bind_wild_buffers,
                                                                          set_old,
                                                                          set_new,
                                                                          set_newest,
                                                                          draw_wild,
                                                                          draw_wild,
                                                                          dispatch_wild,
                                                                          copy_buffers,
                                                                          copy_wild_images,
                                                                          copy_between,
                                                                          clear_wild,
                                                                          record_wild_barrier,
                                                                          record_wild_barrier,
                                                                          record_wild_query,
                                                                          render_pass,
                                                                          render_pass,
                                                                          record_wild_rendering,
                                                                          record_wild_rendering,
                                                                          record_other_command};
    struct target target = {wild, wild->w, PICK(CommandBuffer)};
    if (!target.c)
        return;
    if (random_chance(r, 25))
        begin_end(&target, r);
    for (uint32_t i = 1 + random_below(r, 12); i > 0; i--)
        ANY_OF(r, recorders)(&target, r);
    if (random_chance(r, 15))
        begin_end(&target, r);
}
