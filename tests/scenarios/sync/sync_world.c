/* Commands of every family that access the same buffer and the same image. */
#include "sync/sync_world.h"

#include "shader_load_image.h"
#include "shader_position.h"
#include "shader_read_storage.h"
#include "shader_read_uniform.h"
#include "shader_sample.h"
#include "shader_sample_fragment.h"
#include "shader_store.h"
#include "shader_store_image.h"

static VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                             .features = {.fragmentStoresAndAtomics = VK_TRUE}};
const VkPhysicalDeviceVulkan13Features world_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .pNext = &features,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};

#define BUFFER_USAGE                                                           \
    (VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |     \
     VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | \
     VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |    \
     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT)
#define IMAGE_USAGE                                                      \
    (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | \
     VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |           \
     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)

static void world_to_general(struct world *w, VkImage image)
{
    VkImageMemoryBarrier barrier =
        image_barrier(image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
    barrier.srcAccessMask = 0;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    vkCmdPipelineBarrier(w->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void make_world_set(struct baseline *b, struct world *w)
{
    static const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
        {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
        {3, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_ALL, NULL},
    };
    VkDescriptorSetLayoutCreateInfo info = descriptor_set_layout_info();
    info.bindingCount = 4;
    info.pBindings = bindings;
    w->set_layout = create_descriptor_set_layout(b, &info);
    w->layout = make_pipeline_layout(b, w->set_layout);
    w->set = make_descriptor_set(b, make_descriptor_pool(b), w->set_layout);
    const VkDescriptorBufferInfo storage = {w->buffer, 0, VK_WHOLE_SIZE},
                                 uniform = {w->buffer, 0, 256};
    const VkDescriptorImageInfo image = {make_sampler(b), w->view, VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet writes[4] = {write_buffer(w->set, &storage),
                                      write_buffer(w->set, &uniform), write_buffer(w->set, NULL),
                                      write_buffer(w->set, NULL)};
    for (uint32_t i = 0; i < 4; i++) {
        writes[i].dstBinding = i;
        writes[i].descriptorType = bindings[i].descriptorType;
        if (i >= 2)
            writes[i].pImageInfo = &image;
    }
    vkUpdateDescriptorSets(b->device, 4, writes, 0, NULL);
}

void world_begin(struct baseline *b, struct world *w)
{
    *w = (struct world){.b = b};
    w->buffer = make_buffer(b, WORLD_BYTES, BUFFER_USAGE);
    w->other_buffer = make_buffer(b, WORLD_BYTES, BUFFER_USAGE);
    w->image = make_image(b, IMAGE_USAGE);
    w->other_image = make_image(b, IMAGE_USAGE);
    VkImageViewCreateInfo view = image_view_info(w->image);
    w->view = create_image_view(b, &view);
    make_world_set(b, w);
    VkQueryPoolCreateInfo queries = query_pool_info();
    w->queries = create_query_pool(b, &queries);
    world_record(w);
}

void world_record(struct world *w)
{
    w->commands = make_recording(w->b);
    world_to_general(w, w->image);
    world_to_general(w, w->other_image);
    vkCmdResetQueryPool(w->commands, w->queries, 0, 4);
}

/* --- barriers --- */

void world_barrier(struct world *w, const struct operation *first, const struct operation *second,
                   bool memory)
{
    const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                      .srcStageMask = first->stage,
                                      .srcAccessMask = memory ? first->access : 0,
                                      .dstStageMask = second->stage,
                                      .dstAccessMask = memory ? second->access : 0};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(w->commands, &info);
}

void world_resource_barrier(struct world *w, const struct operation *first,
                            const struct operation *second)
{
    const VkBufferMemoryBarrier2 buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                           .srcStageMask = first->stage,
                                           .srcAccessMask = first->access,
                                           .dstStageMask = second->stage,
                                           .dstAccessMask = second->access,
                                           .buffer = w->buffer,
                                           .size = VK_WHOLE_SIZE};
    const VkImageMemoryBarrier2 image = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = first->stage,
                                         .srcAccessMask = first->access,
                                         .dstStageMask = second->stage,
                                         .dstAccessMask = second->access,
                                         .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .image = w->image,
                                         .subresourceRange = color_range()};
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .bufferMemoryBarrierCount = 1,
                                   .pBufferMemoryBarriers = &buffer,
                                   .imageMemoryBarrierCount = 1,
                                   .pImageMemoryBarriers = &image};
    vkCmdPipelineBarrier2(w->commands, &info);
}

/* --- transfers --- */

#define LAYERS {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}
#define EXTENT {IMAGE_EXTENT, IMAGE_EXTENT, 1}

static void copy_buffer(struct world *w, VkBuffer from, VkBuffer to)
{
    const VkBufferCopy region = {0, 0, WORLD_BYTES};
    vkCmdCopyBuffer(w->commands, from, to, 1, &region);
}

static void copy_from_buffer(struct world *w)
{
    copy_buffer(w, w->buffer, w->other_buffer);
}

static void copy_to_buffer(struct world *w)
{
    copy_buffer(w, w->other_buffer, w->buffer);
}

static void copy_buffer2(struct world *w, VkBuffer from, VkBuffer to)
{
    const VkBufferCopy2 region = {.sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = WORLD_BYTES};
    const VkCopyBufferInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                    .srcBuffer = from,
                                    .dstBuffer = to,
                                    .regionCount = 1,
                                    .pRegions = &region};
    vkCmdCopyBuffer2(w->commands, &info);
}

static void copy2_from_buffer(struct world *w)
{
    copy_buffer2(w, w->buffer, make_buffer(w->b, WORLD_BYTES, BUFFER_USAGE));
}

static void copy2_to_buffer(struct world *w)
{
    copy_buffer2(w, make_buffer(w->b, WORLD_BYTES, BUFFER_USAGE), w->buffer);
}

static void fill_buffer(struct world *w)
{
    vkCmdFillBuffer(w->commands, w->buffer, 0, VK_WHOLE_SIZE, 0);
}

static void update_buffer(struct world *w)
{
    static const char data[256];
    vkCmdUpdateBuffer(w->commands, w->buffer, 0, sizeof(data), data);
}

static const VkBufferImageCopy buffer_image = {.imageSubresource = LAYERS, .imageExtent = EXTENT};

static void buffer_to_image(struct world *w)
{
    vkCmdCopyBufferToImage(w->commands, w->buffer, w->other_image, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &buffer_image);
}

static void image_to_buffer(struct world *w)
{
    vkCmdCopyImageToBuffer(w->commands, w->other_image, VK_IMAGE_LAYOUT_GENERAL, w->buffer, 1,
                           &buffer_image);
}

static void copy_results(struct world *w)
{
    vkCmdCopyQueryPoolResults(w->commands, w->queries, 0, 4, w->buffer, 0, 4,
                              VK_QUERY_RESULT_PARTIAL_BIT);
}

static void copy_world_image(struct world *w, VkImage from, VkImage to)
{
    const VkImageCopy region = {
        .srcSubresource = LAYERS, .dstSubresource = LAYERS, .extent = EXTENT};
    vkCmdCopyImage(w->commands, from, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1,
                   &region);
}

/* To be written by a command that reads the image. */
static VkImage fresh_image(struct world *w)
{
    VkImage image = make_image(w->b, IMAGE_USAGE);
    world_to_general(w, image);
    return image;
}

static VkBuffer fresh_buffer(struct world *w)
{
    return make_buffer(w->b, WORLD_BYTES, BUFFER_USAGE);
}

static void copy_from_image(struct world *w)
{
    copy_world_image(w, w->image, fresh_image(w));
}

static void copy_to_image(struct world *w)
{
    copy_world_image(w, w->other_image, w->image);
}

static void copy2_to_image(struct world *w)
{
    const VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = LAYERS,
                                 .dstSubresource = LAYERS,
                                 .extent = EXTENT};
    const VkCopyImageInfo2 info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                   .srcImage = w->other_image,
                                   .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .dstImage = w->image,
                                   .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vkCmdCopyImage2(w->commands, &info);
}

static void read_image(struct world *w)
{
    vkCmdCopyImageToBuffer(w->commands, w->image, VK_IMAGE_LAYOUT_GENERAL, fresh_buffer(w), 1,
                           &buffer_image);
}

static void write_image(struct world *w)
{
    vkCmdCopyBufferToImage(w->commands, w->other_buffer, w->image, VK_IMAGE_LAYOUT_GENERAL, 1,
                           &buffer_image);
}

static void blit_image(struct world *w, VkImage from, VkImage to)
{
    const VkImageBlit region = {.srcSubresource = LAYERS,
                                .srcOffsets = {{0, 0, 0}, EXTENT},
                                .dstSubresource = LAYERS,
                                .dstOffsets = {EXTENT, {0, 0, 1}}};
    VkImageBlit mirrored = region;
    mirrored.dstOffsets[0].z = 0;
    vkCmdBlitImage(w->commands, from, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1,
                   &mirrored, VK_FILTER_NEAREST);
}

static void blit_from(struct world *w)
{
    blit_image(w, w->image, fresh_image(w));
}

static void blit_to(struct world *w)
{
    blit_image(w, w->other_image, w->image);
}

static void clear_image(struct world *w)
{
    const VkClearColorValue color = {{0}};
    const VkImageSubresourceRange range = color_range();
    vkCmdClearColorImage(w->commands, w->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
}

/* --- dispatches --- */

static void bind_world_compute(struct world *w, VkShaderModule module)
{
    const VkComputePipelineCreateInfo info = compute_pipeline_info(module, w->layout);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                      create_compute_pipeline(w->b, &info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set,
                            0, NULL);
    vkCmdPushConstants(w->commands, w->layout, VK_SHADER_STAGE_ALL, 0, 16, (const uint32_t[4]){0});
}

static void dispatch_write(struct world *w)
{
    bind_world_compute(w, make_shader_from(w->b, shader_fill_code, shader_fill_size));
    vkCmdDispatch(w->commands, 1, 1, 1);
}

#define DISPATCH(name_, code_)                           \
    static void name_(struct world *w)                   \
    {                                                    \
        bind_world_compute(w, MAKE_SHADER(w->b, code_)); \
        vkCmdDispatch(w->commands, 1, 1, 1);             \
    }
DISPATCH(dispatch_read, shader_read_storage)
DISPATCH(dispatch_uniform, shader_read_uniform)
DISPATCH(dispatch_sample, shader_sample)
DISPATCH(dispatch_load, shader_load_image)
DISPATCH(dispatch_store, shader_store_image)

static void dispatch_indirect(struct world *w)
{
    bind_world_compute(w, MAKE_SHADER(w->b, shader_sample));
    vkCmdDispatchIndirect(w->commands, w->buffer, 0);
}

/* draws, in an instance of their own with an image of its own; NULL: the harness's triangle */

static void begin_draw(struct world *w, const uint32_t *vertex, size_t vertex_size,
                       const uint32_t *fragment, size_t fragment_size, bool attributes)
{
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                                0};
    struct graphics_pipeline pipeline;
    VkRenderPassCreateInfo pass_info = render_pass_info();
    pass_info.dependencyCount = 0; /* what orders something is the scenario's own */
    VkRenderPass pass = create_render_pass(w->b, &pass_info);
    begin_graphics_pipeline(w->b, &pipeline, w->layout, pass);
    if (vertex)
        pipeline.stages[0].module = make_shader_from(w->b, vertex, vertex_size);
    if (fragment)
        pipeline.stages[1].module = make_shader_from(w->b, fragment, fragment_size);
    if (attributes) {
        pipeline.vertex_input.vertexBindingDescriptionCount =
            pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
        pipeline.vertex_input.pVertexBindingDescriptions = &binding;
        pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    }
    VkRenderPassBeginInfo info =
        render_pass_begin_info(pass, make_framebuffer(w->b, pass, make_image_view(w->b)));
    vkCmdBeginRenderPass(w->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      create_graphics_pipeline(w->b, &pipeline.info));
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set,
                            0, NULL);
}
static void draw_vertices(struct world *w)
{
    begin_draw(w, shader_position, sizeof(shader_position), NULL, 0, true);
    vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer, &(VkDeviceSize){0});
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

static void draw_indices(struct world *w)
{
    begin_draw(w, NULL, 0, NULL, 0, false);
    vkCmdBindIndexBuffer(w->commands, w->buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(w->commands, 3, 1, 0, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

static void draw_indexed_vertices(struct world *w)
{
    begin_draw(w, shader_position, sizeof(shader_position), NULL, 0, true);
    vkCmdBindVertexBuffers(w->commands, 0, 1, &w->buffer, &(VkDeviceSize){0});
    vkCmdBindIndexBuffer(w->commands, w->other_buffer, 0, VK_INDEX_TYPE_UINT16);
    vkCmdDrawIndexed(w->commands, 3, 1, 0, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

static void draw_indirect(struct world *w)
{
    begin_draw(w, NULL, 0, NULL, 0, false);
    vkCmdDrawIndirect(w->commands, w->buffer, 0, 1, 0);
    vkCmdEndRenderPass(w->commands);
}

static void draw_store(struct world *w)
{
    begin_draw(w, NULL, 0, shader_store, sizeof(shader_store), false);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

static void draw_sample(struct world *w)
{
    begin_draw(w, NULL, 0, shader_sample_fragment, sizeof(shader_sample_fragment), false);
    vkCmdDraw(w->commands, 3, 1, 0, 0);
    vkCmdEndRenderPass(w->commands);
}

/* --- attachments --- */

static void render_world_view(struct world *w, VkAttachmentLoadOp load, VkAttachmentStoreOp store)
{
    VkRenderingAttachmentInfo color = rendering_attachment(w->view);
    color.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    color.loadOp = load;
    color.storeOp = store;
    const VkRenderingInfo info = rendering_info(&color);
    vkCmdBeginRendering(w->commands, &info);
    vkCmdEndRendering(w->commands);
}

static void rendering_load(struct world *w)
{
    render_world_view(w, VK_ATTACHMENT_LOAD_OP_LOAD, VK_ATTACHMENT_STORE_OP_NONE);
}

static void rendering_clear(struct world *w)
{
    render_world_view(w, VK_ATTACHMENT_LOAD_OP_CLEAR, VK_ATTACHMENT_STORE_OP_STORE);
}

#define CODE(name_) {shader_##name_, sizeof(shader_##name_)}
const struct world_code world_code_position = CODE(position),
                        world_code_read_storage = CODE(read_storage),
                        world_code_sample = CODE(sample),
                        world_code_sample_fragment = CODE(sample_fragment),
                        world_code_store = CODE(store);

#define DEFINE_OPERATION(name_, stage_, access_, command_)                                 \
    const struct operation operation_##name_ = {name_, VK_PIPELINE_STAGE_2_##stage_##_BIT, \
                                                VK_ACCESS_2_##access_##_BIT};
OPERATIONS_X(DEFINE_OPERATION)
