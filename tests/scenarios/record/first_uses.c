/* These scenarios need parts of a command buffer for the first time, which takes memory for them
 * only then. High numbers come first, states come before any pipeline, and nothing comes at all.
 * Recordings need more or less than the one before. */
#include "scenario.h"
#include "shader_interface.h"

#define COMPUTE  VK_PIPELINE_BIND_POINT_COMPUTE
#define GRAPHICS VK_PIPELINE_BIND_POINT_GRAPHICS
#define MOST     32u

/* --- descriptor sets --- */

/* A dispatch that reads set 0, with a layout of as many sets as there may be. The further ones have
 * no descriptors. */
struct dispatch {
    uint32_t count;
    VkPipelineLayout layout;
    VkPipelineLayout other; /* of the same sets but the first, which is another one */
    VkPipeline pipeline;
    VkDescriptorSet set, empty;
};

static VkPipelineLayout layout_of_dispatch(struct baseline *b, uint32_t count,
                                           VkDescriptorSetLayout first, VkDescriptorSetLayout rest)
{
    VkDescriptorSetLayout sets[MOST] = {first};
    for (uint32_t i = 1; i < count; i++)
        sets[i] = rest;
    VkPipelineLayoutCreateInfo info = pipeline_layout_info(sets);
    info.setLayoutCount = count;
    return create_pipeline_layout(b, &info);
}

static struct dispatch make_dispatch(struct baseline *b)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    const uint32_t most = properties.limits.maxBoundDescriptorSets;
    VkDescriptorSetLayoutCreateInfo nothing = descriptor_set_layout_info();
    nothing.bindingCount = 0;
    const VkDescriptorSetLayout used = make_descriptor_set_layout(b),
                                empty = create_descriptor_set_layout(b, &nothing);
    struct dispatch d = {.count = most < MOST ? most : MOST};
    d.layout = layout_of_dispatch(b, d.count, used, empty);
    d.other = layout_of_dispatch(b, d.count, empty, empty);
    d.pipeline = make_compute_pipeline(b, d.layout);
    d.set = make_descriptor_set(b, make_descriptor_pool(b), used);
    d.empty = make_descriptor_set(b, make_descriptor_pool(b), empty);
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet write = write_buffer(d.set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    return d;
}

static void bind_set_at(VkCommandBuffer c, VkPipelineLayout layout, uint32_t number,
                        VkDescriptorSet set)
{
    vkCmdBindDescriptorSets(c, COMPUTE, layout, number, 1, &set, 0, NULL);
}

/* All that the dispatch needs but its set. */
static void dispatch_first(VkCommandBuffer c, const struct dispatch *d)
{
    const uint32_t value = 0;
    vkCmdBindPipeline(c, COMPUTE, d->pipeline);
    vkCmdPushConstants(c, d->layout, VK_SHADER_STAGE_ALL, 0, sizeof(value), &value);
    vkCmdDispatch(c, 1, 1, 1);
}

SCENARIO(last_set_first)
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, d.count - 1, d.empty);
    bind_set_at(c, d.layout, 0, d.set);
    dispatch_first(c, &d);
    run_commands(b, c);
}

SCENARIO(last_set_alone, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, d.count - 1, d.empty);
    dispatch_first(c, &d);
}

/* The first one is where it was after room for each further one was made. */
SCENARIO(sets_one_by_one)
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, 0, d.set);
    for (uint32_t i = 1; i < d.count; i++)
        bind_set_at(c, d.layout, i, d.empty);
    dispatch_first(c, &d);
}

/* A set bound for the first time, with a layout that is not compatible for the first set, disturbs
 * that. */
SCENARIO(last_set_disturbs_first, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, 0, d.set);
    bind_set_at(c, d.other, d.count - 1, d.empty);
    dispatch_first(c, &d);
}

/* Each bind point has sets of its own. */
SCENARIO(set_of_other_bind_point, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    vkCmdBindDescriptorSets(c, GRAPHICS, d.layout, 0, 1, &d.set, 0, NULL);
    dispatch_first(c, &d);
}

/* --- again, with more and with less --- */

static VkCommandBuffer begin_again(VkCommandBuffer c)
{
    const VkCommandBufferBeginInfo begin = begin_info();
    VK(vkEndCommandBuffer(c));
    VK(vkResetCommandBuffer(c, 0));
    VK(vkBeginCommandBuffer(c, &begin));
    return c;
}

SCENARIO(more_sets_than_before)
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, 0, d.set);
    dispatch_first(c, &d);
    begin_again(c);
    bind_set_at(c, d.layout, d.count - 1, d.empty);
    bind_set_at(c, d.layout, 0, d.set);
    dispatch_first(c, &d);
    run_commands(b, c);
}

SCENARIO(fewer_sets_than_before, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    const struct dispatch d = make_dispatch(b);
    VkCommandBuffer c = make_recording(b);
    bind_set_at(c, d.layout, 0, d.set);
    bind_set_at(c, d.layout, d.count - 1, d.empty);
    dispatch_first(c, &d);
    begin_again(c);
    dispatch_first(c, &d);
}

/* A recording does not use the objects of the recording before. */
SCENARIO(uses_are_of_the_last_recording)
{
    const struct dispatch d = make_dispatch(b);
    const VkBuffer from = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                   to = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy region = {.size = 64};
    VkCommandBuffer c = make_recording(b);
    vkCmdCopyBuffer(c, from, to, 1, &region);
    begin_again(c);
    vkDestroyBuffer(b->device, from, NULL);
    forget_handle(b, (uint64_t)from);
    bind_set_at(c, d.layout, 0, d.set);
    dispatch_first(c, &d);
    run_commands(b, c);
}

/* Each object is found, also where there are more than fit at first. */
SCENARIO(many_uses, .expect = {"VUID-vkQueueSubmit-pCommandBuffers-00070"})
{
    VkBuffer buffers[100];
    const VkBufferCopy region = {.size = 4, .dstOffset = 32};
    VkCommandBuffer c = make_recording(b);
    for (uint32_t i = 0; i < 100; i++) {
        buffers[i] =
            make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        vkCmdCopyBuffer(c, buffers[i], buffers[i], 1, &region);
    }
    VK(vkEndCommandBuffer(c));
    vkDestroyBuffer(b->device, buffers[99], NULL);
    forget_handle(b, (uint64_t)buffers[99]);
    const VkSubmitInfo submit = submit_info(&c);
    vkQueueSubmit(b->queue, 1, &submit, VK_NULL_HANDLE);
}

/* --- vertex buffers --- */

static uint32_t last_binding(struct baseline *b)
{
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(b->physical_device, &properties);
    const uint32_t most = properties.limits.maxVertexInputBindings;
    return (most < MOST ? most : MOST) - 1;
}

/* A draw that reads from the binding, without a buffer there. */
static VkCommandBuffer begin_with_attribute(struct baseline *b, uint32_t binding)
{
    const VkVertexInputBindingDescription description = {.binding = binding, .stride = 16};
    const VkVertexInputAttributeDescription attribute = {
        .location = 2, .binding = binding, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.stages[0] =
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex_attribute));
    pipeline.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment));
    pipeline.vertex_input.vertexBindingDescriptionCount =
        pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
    pipeline.vertex_input.pVertexBindingDescriptions = &description;
    pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    const VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    VkCommandBuffer c = make_recording(b);
    begin_rendering(b, c);
    vkCmdBindPipeline(c, GRAPHICS, made);
    return c;
}

static void bind_first_vertices(struct baseline *b, VkCommandBuffer c, uint32_t binding)
{
    const VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    const VkDeviceSize offset = 0;
    vkCmdBindVertexBuffers(c, binding, 1, &buffer, &offset);
}

SCENARIO(last_vertex_buffer_first)
{
    VkCommandBuffer c = begin_with_attribute(b, 1);
    bind_first_vertices(b, c, last_binding(b));
    bind_first_vertices(b, c, 1);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(last_vertex_buffer_read)
{
    VkCommandBuffer c = begin_with_attribute(b, last_binding(b));
    for (uint32_t i = 0; i <= last_binding(b); i++)
        bind_first_vertices(b, c, i);
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(last_vertex_buffer_alone, .expect = {"VUID-vkCmdDraw-None-04007"},
         .text = {"has no vertex buffer bound to binding 1"})
{
    VkCommandBuffer c = begin_with_attribute(b, 1);
    bind_first_vertices(b, c, last_binding(b));
    vkCmdDraw(c, 3, 1, 0, 0);
}

SCENARIO(no_vertex_buffer_ever, .expect = {"VUID-vkCmdDraw-None-04007"},
         .text = {"has no vertex buffer bound to binding"})
{
    vkCmdDraw(begin_with_attribute(b, last_binding(b)), 3, 1, 0, 0);
}

/* --- dynamic states, and instances --- */

static void set_first_viewport(VkCommandBuffer c)
{
    const VkViewport viewport = {.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1};
    vkCmdSetViewport(c, 0, 1, &viewport);
}

static VkPipeline with_viewport(struct baseline *b)
{
    static const VkDynamicState state = VK_DYNAMIC_STATE_VIEWPORT;
    static const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.info.pDynamicState = &dynamic;
    return create_graphics_pipeline(b, &pipeline.info);
}

static void draw_with_pipeline(struct baseline *b, VkCommandBuffer c, VkPipeline pipeline)
{
    begin_rendering(b, c);
    vkCmdBindPipeline(c, GRAPHICS, pipeline);
    vkCmdDraw(c, 3, 1, 0, 0);
    vkCmdEndRenderPass(c);
}

SCENARIO(state_set_before_all)
{
    VkCommandBuffer c = make_recording(b);
    set_first_viewport(c);
    draw_with_pipeline(b, c, with_viewport(b));
    run_commands(b, c);
}

SCENARIO(no_state_ever_set, .expect = {"VUID-vkCmdDraw-None-07831"})
{
    draw_with_pipeline(b, make_recording(b), with_viewport(b));
}

SCENARIO(state_of_the_recording_before, .expect = {"VUID-vkCmdDraw-None-07831"})
{
    const VkPipeline pipeline = with_viewport(b);
    VkCommandBuffer c = make_recording(b);
    set_first_viewport(c);
    draw_with_pipeline(b, c, pipeline);
    draw_with_pipeline(b, begin_again(c), pipeline);
}

/* Nothing was begun: neither by this recording, nor by one before it. */
SCENARIO(end_of_no_instance, .expect = {"VUID-vkCmdEndRenderPass-renderpass"})
{
    vkCmdEndRenderPass(make_recording(b));
}

SCENARIO(clear_in_no_instance, .settings = {"validate_sync=true"},
         .expect = {"VUID-vkCmdClearAttachments-renderpass"})
{
    const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkClearRect rectangle = {.rect = {.extent = {1, 1}}, .layerCount = 1};
    vkCmdClearAttachments(make_recording(b), 1, &clear, 1, &rectangle);
}

SCENARIO(draw_in_no_instance, .settings = {"validate_sync=true"},
         .expect = {"VUID-vkCmdDraw-renderpass"})
{
    VkCommandBuffer c = make_recording(b);
    vkCmdBindPipeline(c, GRAPHICS, make_any_graphics_pipeline(b));
    vkCmdDraw(c, 3, 1, 0, 0);
}

/* --- secondaries --- */

static VkCommandBuffer record_dispatching_secondary(struct baseline *b, const struct dispatch *d)
{
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VkCommandBuffer c = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VK(vkBeginCommandBuffer(c, &begin));
    bind_set_at(c, d->layout, 0, d->set);
    dispatch_first(c, d);
    VK(vkEndCommandBuffer(c));
    return c;
}

static void barrier_of_shaders(VkCommandBuffer c)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

SCENARIO(secondary_in_nothing, .settings = {"validate_sync=true"})
{
    const struct dispatch d = make_dispatch(b);
    const VkCommandBuffer secondary = record_dispatching_secondary(b, &d);
    VkCommandBuffer c = make_recording(b);
    vkCmdExecuteCommands(c, 1, &secondary);
    barrier_of_shaders(c);
    bind_set_at(c, d.layout, 0, d.set);
    dispatch_first(c, &d);
    run_commands(b, c);
}

SCENARIO(secondary_gives_no_set, .expect = {"VUID-vkCmdDispatch-None-08600"},
         .text = {"has no descriptor set 0 bound"})
{
    const struct dispatch d = make_dispatch(b);
    const VkCommandBuffer secondary = record_dispatching_secondary(b, &d);
    VkCommandBuffer c = make_recording(b);
    vkCmdExecuteCommands(c, 1, &secondary);
    barrier_of_shaders(c);
    dispatch_first(c, &d);
}

/* --- hazards --- */

static void copy_twice(struct baseline *b, VkCommandBuffer c, bool barrier)
{
    const VkBuffer from = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_SRC_BIT),
                   to = make_buffer(b, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    const VkBufferCopy region = {.size = 64};
    const VkMemoryBarrier order = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                   .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    vkCmdCopyBuffer(c, from, to, 1, &region);
    if (barrier)
        vkCmdPipelineBarrier(c, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
                             1, &order, 0, NULL, 0, NULL);
    vkCmdCopyBuffer(c, from, to, 1, &region);
}

SCENARIO(first_barrier, .settings = {"validate_sync=true"})
{
    VkCommandBuffer c = make_recording(b);
    copy_twice(b, c, true);
    copy_twice(b, begin_again(c), true);
    run_commands(b, c);
}

SCENARIO(first_hazard, .settings = {"validate_sync=true"},
         .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    copy_twice(b, make_recording(b), false);
}

SCENARIO(first_hazard_of_the_second_recording, .settings = {"validate_sync=true"},
         .expect = {"SYNC-HAZARD-WRITE-AFTER-WRITE"})
{
    VkCommandBuffer c = make_recording(b);
    copy_twice(b, c, true);
    copy_twice(b, begin_again(c), false);
}
