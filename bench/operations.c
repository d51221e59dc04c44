/* Each operation of the bench is a function here. */
#include "operations.h"

#include <string.h>
#include <time.h>

#define REGION_SIZE 64u

static void recording_begin(struct worker *worker)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    bench_must(vk->ResetCommandPool(worker->context->device, worker->pool, 0),
               "vkResetCommandPool");
    bench_must(vk->BeginCommandBuffer(worker->commands, &begin), "vkBeginCommandBuffer");
}

static void recording_end(struct worker *worker)
{
    bench_must(worker->context->vk.EndCommandBuffer(worker->commands), "vkEndCommandBuffer");
}

static void image_barrier_first(struct worker *worker, VkImageLayout layout)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .newLayout = layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = worker->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    worker->context->vk.CmdPipelineBarrier(worker->commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                           VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 0,
                                           NULL, 0, NULL, 1, &barrier);
}

static void pass_begin(struct worker *worker, VkAttachmentLoadOp load_op)
{
    const VkRenderingAttachmentInfo colour = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                              .imageView = worker->view,
                                              .imageLayout =
                                                  VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                              .loadOp = load_op,
                                              .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {.extent = {64, 64}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &colour};
    worker->context->vk.CmdBeginRendering(worker->commands, &info);
}

static void rendering_begin(struct worker *worker)
{
    const struct device_commands *vk = &worker->context->vk;
    recording_begin(worker);
    image_barrier_first(worker, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    pass_begin(worker, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vk->CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                        worker->context->pipeline);
    const VkRect2D area = {.extent = {64, 64}};
    const VkViewport viewport = {0.0f, 0.0f, 64.0f, 64.0f, 0.0f, 1.0f};
    vk->CmdSetViewport(worker->commands, 0, 1, &viewport);
    vk->CmdSetScissor(worker->commands, 0, 1, &area);
    vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                              worker->context->pipeline_layout, 0, 1, &worker->sets[0], 0, NULL);
    const float offset[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    vk->CmdPushConstants(worker->commands, worker->context->pipeline_layout,
                         VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(offset), offset);
}

static void rendering_end(struct worker *worker)
{
    worker->context->vk.CmdEndRendering(worker->commands);
    recording_end(worker);
}

static void draw_stream(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const float offset[4] = {(float)i, 0.0f, 0.0f, 0.0f};
            context->vk.CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                              context->pipeline_layout, 0, 1,
                                              &worker->sets[i % SET_COUNT], 0, NULL);
            context->vk.CmdPushConstants(worker->commands, context->pipeline_layout,
                                         VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(offset), offset);
            context->vk.CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

static void draw_only(struct worker *worker, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++)
            worker->context->vk.CmdDraw(worker->commands, 3, 1, 0, 0);
        rendering_end(worker);
    }
}

/* A render pass with the pipeline of a kind of sets, up to what a draw needs but the sets. */
static void kind_begin(struct worker *worker, const struct set_kind *kind)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkRect2D area = {.extent = {64, 64}};
    const VkViewport viewport = {0.0f, 0.0f, 64.0f, 64.0f, 0.0f, 1.0f};
    const float offset[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    recording_begin(worker);
    image_barrier_first(worker, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    pass_begin(worker, VK_ATTACHMENT_LOAD_OP_CLEAR);
    vk->CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS, kind->pipeline);
    vk->CmdSetViewport(worker->commands, 0, 1, &viewport);
    vk->CmdSetScissor(worker->commands, 0, 1, &area);
    vk->CmdPushConstants(worker->commands, kind->pipeline_layout, VK_SHADER_STAGE_VERTEX_BIT, 0,
                         sizeof(offset), offset);
}

static void draw_sets(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct set_kind *kind = &worker->context->small;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        kind_begin(worker, kind);
        for (uint32_t i = 0; i < RECORDED; i++) {
            vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                      kind->pipeline_layout, 0, 1,
                                      &worker->small_sets[i % MANY_SETS], 0, NULL);
            vk->CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

/* One set, whose two uniform buffers lie elsewhere for each draw. */
static void dynamic_offsets(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct set_kind *kind = &worker->context->dynamic;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        kind_begin(worker, kind);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const uint32_t offsets[2] = {i % MANY_SETS * PART_SIZE,
                                         (i + 1) % MANY_SETS * PART_SIZE};
            vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                      kind->pipeline_layout, 0, 1, &worker->dynamic_set, 2,
                                      offsets);
            vk->CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

static void label_begin(struct worker *worker)
{
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                        .pLabelName = "imgui"};
    worker->context->vk.CmdBeginDebugUtilsLabelEXT(worker->commands, &label);
}

static void draw_in_label(struct worker *worker, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        label_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++)
            worker->context->vk.CmdDraw(worker->commands, 3, 1, 0, 0);
        worker->context->vk.CmdEndDebugUtilsLabelEXT(worker->commands);
        rendering_end(worker);
    }
}

static void label_pairs(struct worker *worker, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            label_begin(worker);
            worker->context->vk.CmdEndDebugUtilsLabelEXT(worker->commands);
        }
        recording_end(worker);
    }
}

static void update_one(struct worker *worker, uint64_t count)
{
    const VkDescriptorBufferInfo buffer = {worker->source, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstBinding = 1,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    for (uint64_t i = 0; i < count; i++) {
        write.dstSet = worker->sets[i % SET_COUNT];
        write.dstArrayElement = (uint32_t)(i % STORAGE_COUNT);
        worker->context->vk.UpdateDescriptorSets(worker->context->device, 1, &write, 0, NULL);
    }
}

static void update_sixteen(struct worker *worker, uint64_t count)
{
    const VkDescriptorBufferInfo buffer = {worker->source, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet writes[STORAGE_COUNT];
    for (uint32_t w = 0; w < STORAGE_COUNT; w++)
        writes[w] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                           .dstSet = worker->sets[w % SET_COUNT],
                                           .dstBinding = 1,
                                           .dstArrayElement = w,
                                           .descriptorCount = 1,
                                           .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                           .pBufferInfo = &buffer};
    for (uint64_t i = 0; i < count; i++)
        worker->context->vk.UpdateDescriptorSets(worker->context->device, STORAGE_COUNT, writes, 0,
                                                 NULL);
}

static void update_template(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    VkDescriptorBufferInfo buffers[STORAGE_COUNT];
    for (uint32_t i = 0; i < STORAGE_COUNT; i++)
        buffers[i] = (VkDescriptorBufferInfo){worker->source, 0, VK_WHOLE_SIZE};
    for (uint64_t i = 0; i < count; i++)
        context->vk.UpdateDescriptorSetWithTemplate(context->device, worker->sets[i % SET_COUNT],
                                                    context->update_template, buffers);
}

static void copy_and_barrier(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkBufferCopy region = {.size = 1024};
    VkBufferMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .buffer = worker->target,
                                     .size = VK_WHOLE_SIZE};
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            vk->CmdCopyBuffer(worker->commands, worker->source, worker->target, 1, &region);
            vk->CmdPipelineBarrier(worker->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 1, &barrier, 0,
                                   NULL);
        }
        recording_end(worker);
    }
}

/* Copies of `regions` regions in turn, each followed by a barrier over everything. */
static void copy_and_global_barrier(struct worker *worker, uint64_t count, uint32_t regions)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT |
                                                      VK_ACCESS_TRANSFER_READ_BIT};
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const VkDeviceSize offset = i % regions * REGION_SIZE;
            const VkBufferCopy region = {offset, offset, REGION_SIZE};
            vk->CmdCopyBuffer(worker->commands, worker->source, worker->target, 1, &region);
            vk->CmdPipelineBarrier(worker->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0,
                                   NULL);
        }
        recording_end(worker);
    }
}

/* A range is copied again after 512 barriers that it has not been looked at in between. */
static void copy_512(struct worker *worker, uint64_t count)
{
    copy_and_global_barrier(worker, count, 512);
}

static void together_copy(struct worker *worker, uint64_t count)
{
    copy_and_global_barrier(worker->together, count, 1);
}

static void image_barrier(struct worker *worker, uint64_t count)
{
    const VkImageLayout layouts[2] = {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkAccessFlags accesses[2] = {VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                       VK_ACCESS_SHADER_READ_BIT};
    const VkPipelineStageFlags stages[2] = {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT};
    VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                    .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                    .image = worker->image,
                                    .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        image_barrier_first(worker, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const uint32_t from = i & 1u, to = from ^ 1u;
            barrier.oldLayout = layouts[from];
            barrier.newLayout = layouts[to];
            barrier.srcAccessMask = accesses[from];
            barrier.dstAccessMask = accesses[to];
            worker->context->vk.CmdPipelineBarrier(worker->commands, stages[from], stages[to], 0, 0,
                                                   NULL, 0, NULL, 1, &barrier);
        }
        recording_end(worker);
    }
}

static void image_barrier2(struct worker *worker, uint64_t count)
{
    const VkImageLayout layouts[2] = {VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                      VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkAccessFlags2 accesses[2] = {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                        VK_ACCESS_2_SHADER_SAMPLED_READ_BIT};
    const VkPipelineStageFlags2 stages[2] = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                             VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT};
    VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                     .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                     .image = worker->image,
                                     .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                         .imageMemoryBarrierCount = 1,
                                         .pImageMemoryBarriers = &barrier};
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        image_barrier_first(worker, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const uint32_t from = i & 1u, to = from ^ 1u;
            barrier.oldLayout = layouts[from];
            barrier.newLayout = layouts[to];
            barrier.srcStageMask = stages[from];
            barrier.dstStageMask = stages[to];
            barrier.srcAccessMask = accesses[from];
            barrier.dstAccessMask = accesses[to];
            worker->context->vk.CmdPipelineBarrier2(worker->commands, &dependency);
        }
        recording_end(worker);
    }
}

static void begin_end(struct worker *worker, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        recording_begin(worker);
        recording_end(worker);
    }
}

static void churn_buffer(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 1024,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    for (uint64_t i = 0; i < count; i++) {
        VkBuffer buffer;
        bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &buffer),
                   "vkCreateBuffer");
        context->vk.DestroyBuffer(context->device, buffer, NULL);
    }
}

/* Bound to memory that all threads bind to, and viewed. */
static void churn_buffer_view(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = 1024,
        .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBufferViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .range = VK_WHOLE_SIZE};
    for (uint64_t i = 0; i < count; i++) {
        VkBufferView view;
        bench_must(context->vk.CreateBuffer(context->device, &info, NULL, &view_info.buffer),
                   "vkCreateBuffer");
        bench_must(context->vk.BindBufferMemory(context->device, view_info.buffer,
                                                worker->buffer_memory, 0),
                   "vkBindBufferMemory");
        bench_must(context->vk.CreateBufferView(context->device, &view_info, NULL, &view),
                   "vkCreateBufferView");
        context->vk.DestroyBufferView(context->device, view, NULL);
        context->vk.DestroyBuffer(context->device, view_info.buffer, NULL);
    }
}

static void churn_image_view(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = worker->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    for (uint64_t i = 0; i < count; i++) {
        VkImageView view;
        bench_must(context->vk.CreateImageView(context->device, &info, NULL, &view),
                   "vkCreateImageView");
        context->vk.DestroyImageView(context->device, view, NULL);
    }
}

static void churn_sampler(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = VK_FILTER_LINEAR,
                                      .minFilter = VK_FILTER_LINEAR};
    for (uint64_t i = 0; i < count; i++) {
        VkSampler sampler;
        bench_must(context->vk.CreateSampler(context->device, &info, NULL, &sampler),
                   "vkCreateSampler");
        context->vk.DestroySampler(context->device, sampler, NULL);
    }
}

static void churn_fence(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    for (uint64_t i = 0; i < count; i++) {
        VkFence fence;
        bench_must(context->vk.CreateFence(context->device, &info, NULL, &fence), "vkCreateFence");
        context->vk.DestroyFence(context->device, fence, NULL);
    }
}

static void bindless_begin(struct worker *worker)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct bindless *bindless = &worker->context->bindless;
    const uint32_t which = 0;
    recording_begin(worker);
    vk->CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_COMPUTE, bindless->pipeline);
    vk->CmdPushConstants(worker->commands, bindless->pipeline_layout, VK_SHADER_STAGE_COMPUTE_BIT,
                         0, sizeof(which), &which);
}

static void bindless_dispatch(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct bindless *bindless = &worker->context->bindless;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        bindless_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                      bindless->pipeline_layout, 0, 1,
                                      &worker->bindless_sets[i % SET_COUNT], 0, NULL);
            vk->CmdDispatch(worker->commands, 1, 1, 1);
        }
        recording_end(worker);
    }
}

static void dispatch_only(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct bindless *bindless = &worker->context->bindless;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        bindless_begin(worker);
        vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                  bindless->pipeline_layout, 0, 1, &worker->bindless_sets[0], 0,
                                  NULL);
        for (uint32_t i = 0; i < RECORDED; i++)
            vk->CmdDispatch(worker->commands, 1, 1, 1);
        recording_end(worker);
    }
}

/* Measures what a render pass costs beside its draws. */
static void rendering_pairs(struct worker *worker, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        image_barrier_first(worker, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
        for (uint32_t i = 0; i < RECORDED; i++) {
            pass_begin(worker, VK_ATTACHMENT_LOAD_OP_LOAD);
            worker->context->vk.CmdEndRendering(worker->commands);
        }
        recording_end(worker);
    }
}

/* As engines do that set their state at each draw. */
static void draw_dynamic(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkRect2D area = {.extent = {64, 64}};
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            const VkViewport viewport = {0.0f, 0.0f, 64.0f, 64.0f, 0.0f, i & 1 ? 1.0f : 0.5f};
            vk->CmdSetViewport(worker->commands, 0, 1, &viewport);
            vk->CmdSetScissor(worker->commands, 0, 1, &area);
            vk->CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

/* The same, with a state whose value is another one at each draw. */
static void draw_culled(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        vk->CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                            worker->context->dynamic_pipeline);
        vk->CmdSetFrontFace(worker->commands, VK_FRONT_FACE_CLOCKWISE);
        vk->CmdSetPrimitiveTopology(worker->commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        vk->CmdSetDepthTestEnable(worker->commands, VK_FALSE);
        vk->CmdSetRasterizerDiscardEnable(worker->commands, VK_FALSE);
        for (uint32_t i = 0; i < RECORDED; i++) {
            vk->CmdSetCullMode(worker->commands, i & 1 ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
            vk->CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

static void churn_framebuffer(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = context->render_pass,
                                          .attachmentCount = 1,
                                          .pAttachments = &worker->view,
                                          .width = 64,
                                          .height = 64,
                                          .layers = 1};
    for (uint64_t i = 0; i < count; i++) {
        VkFramebuffer framebuffer;
        bench_must(context->vk.CreateFramebuffer(context->device, &info, NULL, &framebuffer),
                   "vkCreateFramebuffer");
        context->vk.DestroyFramebuffer(context->device, framebuffer, NULL);
    }
}

static void churn_image(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = IMAGE_FORMAT,
                                    .extent = {64, 64, 1},
                                    .mipLevels = 7,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                                             VK_IMAGE_USAGE_SAMPLED_BIT};
    for (uint64_t i = 0; i < count; i++) {
        VkImage image;
        bench_must(context->vk.CreateImage(context->device, &info, NULL, &image), "vkCreateImage");
        context->vk.DestroyImage(context->device, image, NULL);
    }
}

/* Two modules, the pipeline, and all of it destroyed, as loading screens do. */
static void pipeline_of(struct worker *worker, struct shader_code vertex)
{
    const struct context *context = worker->context;
    const VkPipeline pipeline =
        graphics_pipeline_create(context, context->pipeline_layout, vertex, scene_fragment, false);
    context->vk.DestroyPipeline(context->device, pipeline, NULL);
}

static void pipeline_again(struct worker *worker, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        pipeline_of(worker, scene_vertex);
}

/* The literal of the first OpConstant of `code`. */
static uint32_t *first_constant(uint32_t *code, size_t words)
{
    const uint32_t op_constant = 43, header = 5;
    for (size_t i = header; i + 3 < words && code[i] >> 16; i += code[i] >> 16) {
        if ((code[i] & 0xffff) == op_constant)
            return &code[i + 3];
    }
    fail("finding a constant in the shader");
}

/* Code that is new, also to an earlier run: a constant is another one each time. */
static void pipeline_new(struct worker *worker, uint64_t count)
{
    static _Thread_local uint32_t made;
    struct timespec now;
    uint32_t code[1024];
    if (!made && timespec_get(&now, TIME_UTC))
        made = (uint32_t)now.tv_nsec ^ (uint32_t)now.tv_sec << 16;
    if (scene_vertex.size > sizeof(code))
        fail("finding room for the shader");
    memcpy(code, scene_vertex.words, scene_vertex.size);
    uint32_t *constant = first_constant(code, scene_vertex.size / sizeof(code[0])),
             before = *constant;
    for (uint64_t i = 0; i < count; i++) {
        *constant = before + ++made * 2 + worker->index;
        pipeline_of(worker, (struct shader_code){code, scene_vertex.size});
    }
}

/* Submits what is recorded once, `count` times. */
static void submit_recorded(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &worker->commands};
    for (uint64_t i = 0; i < count; i++) {
        bench_must(context->vk.QueueSubmit(worker->queue, 1, &info, worker->fence),
                   "vkQueueSubmit");
        bench_must(context->vk.WaitForFences(context->device, 1, &worker->fence, VK_TRUE,
                                             UINT64_MAX),
                   "vkWaitForFences");
        bench_must(context->vk.ResetFences(context->device, 1, &worker->fence), "vkResetFences");
    }
}

static void begin_again(struct worker *worker, VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    bench_must(worker->context->vk.BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
}

static void record_again(struct worker *worker)
{
    const struct context *context = worker->context;
    bench_must(context->vk.ResetCommandPool(context->device, worker->pool, 0),
               "vkResetCommandPool");
    begin_again(worker, worker->commands);
}

static void submit_empty_batch(struct worker *worker, uint64_t count)
{
    record_again(worker);
    recording_end(worker);
    submit_recorded(worker, count);
}

#define SUBMITTED_COPIES 16
#define COPIED_BYTES     64
static void record_copies(struct worker *worker, VkCommandBuffer commands, VkBuffer source,
                          VkBuffer target, VkDeviceSize first)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT |
                                                      VK_ACCESS_TRANSFER_READ_BIT};
    for (uint32_t i = 0; i < SUBMITTED_COPIES; i++) {
        const VkBufferCopy region = {.dstOffset = first + i * (VkDeviceSize)COPIED_BYTES,
                                     .size = COPIED_BYTES};
        vk->CmdCopyBuffer(commands, source, target, 1, &region);
        vk->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                               VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    }
}

static void submit_copies(struct worker *worker, uint64_t count)
{
    record_again(worker);
    record_copies(worker, worker->commands, worker->source, worker->target, 0);
    recording_end(worker);
    submit_recorded(worker, count);
}

/* The same, where the threads' buffers lie in one memory object. */
static void submit_parts(struct worker *worker, uint64_t count)
{
    record_again(worker);
    record_copies(worker, worker->commands, worker->part, worker->part, COPIED_BYTES);
    recording_end(worker);
    submit_recorded(worker, count);
}

/* FLIGHT submissions are under way: each waits on the host for the one that had its command buffer
 * before. `chained`: a semaphore orders each after the one before it. */
static void submit_flights(struct worker *worker, uint64_t count, bool chained)
{
    const struct context *context = worker->context;
    const struct device_commands *vk = &context->vk;
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    bench_must(vk->ResetCommandPool(context->device, worker->flight_pool, 0), "vkResetCommandPool");
    for (uint32_t i = 0; i < FLIGHT; i++) {
        const VkCommandBuffer commands = worker->flights[i].commands;
        begin_again(worker, commands);
        record_copies(worker, commands, worker->source, worker->target, 0);
        bench_must(vk->EndCommandBuffer(commands), "vkEndCommandBuffer");
    }
    for (uint64_t i = 0; i < count; i++) {
        const struct flight *flight = &worker->flights[i % FLIGHT],
                            *before = &worker->flights[(i + FLIGHT - 1) % FLIGHT];
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .waitSemaphoreCount = chained && i,
                                   .pWaitSemaphores = &before->semaphore,
                                   .pWaitDstStageMask = &stages,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &flight->commands,
                                   .signalSemaphoreCount = chained && i + 1 < count,
                                   .pSignalSemaphores = &flight->semaphore};
        if (i >= FLIGHT) {
            bench_must(vk->WaitForFences(context->device, 1, &flight->fence, VK_TRUE, UINT64_MAX),
                       "vkWaitForFences");
            bench_must(vk->ResetFences(context->device, 1, &flight->fence), "vkResetFences");
        }
        bench_must(vk->QueueSubmit(worker->queue, 1, &info, flight->fence), "vkQueueSubmit");
    }
    for (uint32_t i = 0; i < FLIGHT && i < count; i++) {
        const VkFence fence = worker->flights[i].fence;
        bench_must(vk->WaitForFences(context->device, 1, &fence, VK_TRUE, UINT64_MAX),
                   "vkWaitForFences");
        bench_must(vk->ResetFences(context->device, 1, &fence), "vkResetFences");
    }
}

static void submit_flight(struct worker *worker, uint64_t count)
{
    submit_flights(worker, count, false);
}

static void submit_chain(struct worker *worker, uint64_t count)
{
    submit_flights(worker, count, true);
}

/* One write of as many descriptors as bindless renderers have. */
static void update_bindless(struct worker *worker, uint64_t count)
{
    static VkDescriptorBufferInfo buffers[THREAD_LIMIT][BINDLESS_COUNT];
    VkDescriptorBufferInfo *own = buffers[worker->index];
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = BINDLESS_COUNT,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = own};
    if (own[0].buffer != worker->source) {
        for (uint32_t i = 0; i < BINDLESS_COUNT; i++)
            own[i] = (VkDescriptorBufferInfo){worker->source, 0, VK_WHOLE_SIZE};
    }
    for (uint64_t i = 0; i < count; i++) {
        write.dstSet = worker->bindless_sets[i % SET_COUNT];
        worker->context->vk.UpdateDescriptorSets(worker->context->device, 1, &write, 0, NULL);
    }
}

/* A frame of a bindless renderer: one descriptor of a large set is written once the command buffer
 * has the set bound. */
static void bindless_frame(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    const struct set_kind *kind = &worker->context->table;
    const VkDescriptorBufferInfo buffer = {worker->source, 0, PART_SIZE};
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .dstSet = worker->table_set,
                                  .dstBinding = 1,
                                  .descriptorCount = 1,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = &buffer};
    for (uint64_t i = 0; i < count; i++) {
        kind_begin(worker, kind);
        vk->CmdBindDescriptorSets(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                  kind->pipeline_layout, 0, 1, &worker->table_set, 0, NULL);
        write.dstArrayElement = (uint32_t)(i % BINDLESS_COUNT);
        vk->UpdateDescriptorSets(worker->context->device, 1, &write, 0, NULL);
        vk->CmdDraw(worker->commands, 3, 1, 0, 0);
        rendering_end(worker);
        submit_recorded(worker, 1);
    }
}

static void together_draw(struct worker *worker, uint64_t count)
{
    draw_stream(worker->together, count);
}

static void together_update(struct worker *worker, uint64_t count)
{
    update_one(worker->together, count);
}

static void together_barrier(struct worker *worker, uint64_t count)
{
    image_barrier(worker->together, count);
}

static void together_churn(struct worker *worker, uint64_t count)
{
    churn_buffer_view(worker->together, count);
}

/* Two pipelines of the same layout in turn, as sorted scenes have them. */
static void switch_pipelines(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        rendering_begin(worker);
        for (uint32_t i = 0; i < RECORDED; i++) {
            context->vk.CmdBindPipeline(worker->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                        i & 1 ? context->pipeline : context->other_pipeline);
            context->vk.CmdDraw(worker->commands, 3, 1, 0, 0);
        }
        rendering_end(worker);
    }
}

static void write_timestamps(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        vk->CmdResetQueryPool(worker->commands, worker->timestamps, 0, RECORDED);
        for (uint32_t i = 0; i < RECORDED; i++)
            vk->CmdWriteTimestamp(worker->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
                                  worker->timestamps, i);
        recording_end(worker);
    }
}

static void occlusion_queries(struct worker *worker, uint64_t count)
{
    const struct device_commands *vk = &worker->context->vk;
    for (uint64_t done = 0; done < count; done += RECORDED) {
        recording_begin(worker);
        vk->CmdResetQueryPool(worker->commands, worker->occlusions, 0, RECORDED);
        for (uint32_t i = 0; i < RECORDED; i++) {
            vk->CmdBeginQuery(worker->commands, worker->occlusions, i, 0);
            vk->CmdEndQuery(worker->commands, worker->occlusions, i);
        }
        recording_end(worker);
    }
}

static void name_buffer(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    static const char *const names[] = {"vertices of the terrain", "vertices of the water"};
    VkDebugUtilsObjectNameInfoEXT info = {.sType =
                                              VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                          .objectType = VK_OBJECT_TYPE_BUFFER,
                                          .objectHandle = (uint64_t)worker->source};
    for (uint64_t i = 0; i < count; i++) {
        info.pObjectName = names[i & 1];
        bench_must(context->vk.SetDebugUtilsObjectNameEXT(context->device, &info),
                   "vkSetDebugUtilsObjectNameEXT");
    }
}

static void format_properties(struct worker *worker, uint64_t count)
{
    VkFormatProperties properties;
    for (uint64_t i = 0; i < count; i++)
        vkGetPhysicalDeviceFormatProperties(worker->context->physical_device, IMAGE_FORMAT,
                                            &properties);
}

static void churn_layouts(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    for (uint64_t i = 0; i < count; i++) {
        const VkDescriptorSetLayout set = set_layout_create(context);
        const VkPipelineLayout layout = pipeline_layout_create(context, set);
        context->vk.DestroyPipelineLayout(context->device, layout, NULL);
        context->vk.DestroyDescriptorSetLayout(context->device, set, NULL);
    }
}

static void churn_memory(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = 65536};
    for (uint64_t i = 0; i < count; i++) {
        VkDeviceMemory memory;
        bench_must(context->vk.AllocateMemory(context->device, &info, NULL, &memory),
                   "vkAllocateMemory");
        context->vk.FreeMemory(context->device, memory, NULL);
    }
}

VkCommandBuffer small_commands_allocate(struct worker *worker, VkCommandPool pool)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    VkCommandBuffer commands;
    bench_must(worker->context->vk.AllocateCommandBuffers(worker->context->device, &info,
                                                          &commands),
               "vkAllocateCommandBuffers");
    return commands;
}

void small_commands_record(struct worker *worker, VkCommandBuffer commands)
{
    const struct device_commands *vk = &worker->context->vk;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkBufferCopy region = {.size = 1024};
    bench_must(vk->BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    vk->CmdCopyBuffer(commands, worker->source, worker->target, 1, &region);
    bench_must(vk->EndCommandBuffer(commands), "vkEndCommandBuffer");
}

static void churn_commands(struct worker *worker, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const VkCommandBuffer commands = small_commands_allocate(worker, worker->pool);
        small_commands_record(worker, commands);
        worker->context->vk.FreeCommandBuffers(worker->context->device, worker->pool, 1, &commands);
    }
}

static void compute_pipeline(struct worker *worker, uint64_t count)
{
    const struct context *context = worker->context;
    for (uint64_t i = 0; i < count; i++)
        context->vk.DestroyPipeline(context->device, compute_pipeline_create(context), NULL);
}

const struct operation operations[] = {
    {"draw_stream", "bind set, push constants, draw", false, true, draw_stream},
    {"draw", "draw with nothing changed", false, true, draw_only},
    {"draw_sets", "bind one of 64 sets of 3 descriptors, draw", false, true, draw_sets},
    {"dynamic_offsets", "bind a set at 2 other dynamic offsets, draw", false, true,
     dynamic_offsets},
    {"draw_in_label", "the same in a label", false, true, draw_in_label},
    {"draw_dynamic", "set viewport and scissor, draw", false, true, draw_dynamic},
    {"draw_culled", "set another cull mode, draw", false, true, draw_culled},
    {"switch_pipeline", "bind another pipeline, draw", false, true, switch_pipelines},
    {"dispatch", "dispatch with nothing changed", false, true, dispatch_only},
    {"rendering", "begin and end a dynamic render pass", false, true, rendering_pairs},
    {"label", "begin and end a label", false, true, label_pairs},
    {"update_1", "vkUpdateDescriptorSets of 1 write", false, false, update_one},
    {"update_16", "vkUpdateDescriptorSets of 16 writes", false, false, update_sixteen},
    {"update_16384", "vkUpdateDescriptorSets of 16,384 descriptors", false, false, update_bindless},
    {"update_template", "update with a template, 16 descriptors", false, false, update_template},
    {"copy_barrier", "copy a buffer, buffer barrier", false, true, copy_and_barrier},
    {"copy_512", "copy 512 regions in turn, barrier over all", false, true, copy_512},
    {"image_barrier", "vkCmdPipelineBarrier of 1 image", false, true, image_barrier},
    {"image_barrier2", "vkCmdPipelineBarrier2 of 1 image", false, true, image_barrier2},
    {"timestamp", "vkCmdWriteTimestamp", false, true, write_timestamps},
    {"occlusion", "begin and end an occlusion query", false, true, occlusion_queries},
    {"begin_end", "reset pool, begin, end a command buffer", false, false, begin_end},
    {"churn_buffer", "create and destroy a buffer", false, false, churn_buffer},
    {"churn_view", "the same, bound, with a buffer view", false, false, churn_buffer_view},
    {"churn_image", "create and destroy an image", false, false, churn_image},
    {"churn_image_view", "create and destroy an image view", false, false, churn_image_view},
    {"churn_framebuffer", "create and destroy a framebuffer", false, false, churn_framebuffer},
    {"churn_sampler", "create and destroy a sampler", false, false, churn_sampler},
    {"churn_fence", "create and destroy a fence", false, false, churn_fence},
    {"churn_layouts", "create and destroy a set and a pipeline layout", false, false,
     churn_layouts},
    {"churn_memory", "allocate and free device memory", false, false, churn_memory},
    {"churn_commands", "allocate, begin, copy, end and free a command buffer", false, false,
     churn_commands},
    {"name", "name a buffer", false, false, name_buffer},
    {"format", "vkGetPhysicalDeviceFormatProperties", false, false, format_properties},
    {"bindless", "bind a set of 16,384 descriptors, dispatch", false, true, bindless_dispatch},
    {"bindless_frame", "write 1 of 16,384 descriptors in a frame: bind, draw, submit, wait", true,
     false, bindless_frame},
    {"together_draw", "draw_stream with objects made side by side", false, true, together_draw},
    {"together_copy", "copy of the same buffers, barrier over all", false, true, together_copy},
    {"together_barrier", "image_barrier likewise", false, true, together_barrier},
    {"together_update", "update_1 likewise", false, false, together_update},
    {"together_churn", "churn_view, all in the same memory", false, false, together_churn},
    {"pipeline", "2 modules and a graphics pipeline of known code", false, false, pipeline_again},
    {"pipeline_new", "the same, of code never seen before", false, false, pipeline_new},
    {"compute_pipeline", "a module and a compute pipeline of known code", false, false,
     compute_pipeline},
    {"submit", "submit 1 command buffer, wait, reset the fence", true, false, submit_empty_batch},
    {"submit_copies", "the same, of 16 copies and memory barriers", true, false, submit_copies},
    {"submit_parts", "the same, all threads' buffers in one memory object", true, false,
     submit_parts},
    {"submit_flight", "submit 16 copies and barriers, two submissions under way", true, false,
     submit_flight},
    {"submit_chain", "the same, each after the one before by a semaphore", true, false,
     submit_chain},
};

const uint32_t operation_count = sizeof(operations) / sizeof(operations[0]);

const struct operation *operation_find(const char *name)
{
    for (uint32_t i = 0; i < operation_count; i++) {
        if (!strcmp(operations[i].name, name))
            return &operations[i];
    }
    return NULL;
}
