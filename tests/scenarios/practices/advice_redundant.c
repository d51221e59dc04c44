/* Advice on what has no effect. */
#include "practices.h"

#define REDUNDANT \
    .settings = {PRACTICES_ON, "validate_best_practices_redundant=true"}, .proceed = true
#define STATE   BP("Redundant-State")
#define BIND    BP("Redundant-Bind")
#define BARRIER BP("Redundant-Barrier")

/* --- dynamic state --- */

SCENARIO(line_width_again, REDUNDANT, .expect = {STATE},
         .text = {"vkCmdSetLineWidth(): sets VK_DYNAMIC_STATE_LINE_WIDTH to the value"})
{
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetLineWidth(commands, 1.0f);
    vkCmdSetLineWidth(commands, 1.0f);
}

SCENARIO(line_width_again_without_the_setting, ADVISED)
{
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetLineWidth(commands, 1.0f);
    vkCmdSetLineWidth(commands, 1.0f);
}

/* The pipeline has a width of its own, which takes the state's place. */
SCENARIO(line_width_after_pipeline, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetLineWidth(commands, 1.0f);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, make_any_graphics_pipeline(b));
    vkCmdSetLineWidth(commands, 1.0f);
}

SCENARIO(stencil_of_each_face, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_BIT, 1);
    vkCmdSetStencilReference(commands, VK_STENCIL_FACE_BACK_BIT, 1);
    vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_BIT, 2);
}

SCENARIO(viewports_again, REDUNDANT, .expect = {STATE})
{
    const VkViewport viewport = {0, 0, 16, 16, 0, 1};
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetViewport(commands, 0, 1, &viewport);
    vkCmdSetScissor(commands, 0, 1, &(VkRect2D){.extent = {16, 16}});
    vkCmdSetViewport(commands, 0, 1, &viewport);
}

/* The state with a count is that of the value without one. */
SCENARIO(viewports_in_two_ways, REDUNDANT)
{
    const VkViewport small = {0, 0, 16, 16, 0, 1}, large = {0, 0, 32, 32, 0, 1};
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetViewport(commands, 0, 1, &small);
    vkCmdSetViewportWithCount(commands, 1, &large);
    vkCmdSetViewport(commands, 0, 1, &small);
}

SCENARIO(state_of_another_recording, REDUNDANT)
{
    VkCommandBufferBeginInfo begin = begin_info();
    VkCommandBuffer commands = make_recording(b);
    vkCmdSetBlendConstants(commands, (const float[4]){0});
    VK(vkEndCommandBuffer(commands));
    VK(vkBeginCommandBuffer(commands, &begin));
    vkCmdSetBlendConstants(commands, (const float[4]){0});
}

/* After a secondary, no state of the primary is defined. */
SCENARIO(state_after_secondary, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b),
                    secondary = make_command_buffer(b, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = begin_info();
    begin.pInheritanceInfo = &inheritance;
    VK(vkBeginCommandBuffer(secondary, &begin));
    VK(vkEndCommandBuffer(secondary));
    vkCmdSetDepthBounds(commands, 0, 1);
    vkCmdExecuteCommands(commands, 1, &secondary);
    vkCmdSetDepthBounds(commands, 0, 1);
}

/* --- binds --- */

SCENARIO(pipeline_again, REDUNDANT, .expect = {BIND}, .text = {"which is bound already"})
{
    VkCommandBuffer commands = make_recording(b);
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

/* "must not have been called ... since that pipeline was bound" (08608). */
SCENARIO(pipeline_after_static_state, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    VkPipeline pipeline = make_any_graphics_pipeline(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdSetLineWidth(commands, 1.0f);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
}

SCENARIO(two_pipelines, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    VkPipeline first = make_any_graphics_pipeline(b), second = make_any_graphics_pipeline(b);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
}

SCENARIO(index_buffer_again, REDUNDANT, .expect = {BIND},
         .text = {"at the same offset and with the same type"})
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer indices = make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    vkCmdBindIndexBuffer(commands, indices, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindIndexBuffer(commands, indices, 0, VK_INDEX_TYPE_UINT16);
}

SCENARIO(index_buffer_of_another_type, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer indices = make_buffer(b, 256, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    vkCmdBindIndexBuffer(commands, indices, 0, VK_INDEX_TYPE_UINT16);
    vkCmdBindIndexBuffer(commands, indices, 0, VK_INDEX_TYPE_UINT32);
    vkCmdBindIndexBuffer(commands, indices, 64, VK_INDEX_TYPE_UINT32);
}

SCENARIO(vertex_buffers_again, REDUNDANT, .expect = {BIND})
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer vertices = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdBindVertexBuffers(commands, 0, 2, (const VkBuffer[2]){vertices, vertices},
                           (const VkDeviceSize[2]){0, 64});
    vkCmdBindVertexBuffers(commands, 0, 2, (const VkBuffer[2]){vertices, vertices},
                           (const VkDeviceSize[2]){0, 64});
}

SCENARIO(vertex_buffers_at_another_offset, REDUNDANT)
{
    VkCommandBuffer commands = make_recording(b);
    VkBuffer vertices = make_buffer(b, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    vkCmdBindVertexBuffers(commands, 0, 2, (const VkBuffer[2]){vertices, vertices},
                           (const VkDeviceSize[2]){0, 64});
    vkCmdBindVertexBuffers(commands, 0, 2, (const VkBuffer[2]){vertices, vertices},
                           (const VkDeviceSize[2]){0, 128});
}

static void bind_twice(struct baseline *b, bool other_layout)
{
    VkCommandBuffer commands = make_recording(b);
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    VkPipelineLayout layout = make_pipeline_layout(b, set_layout),
                     other = make_pipeline_layout(b, set_layout);
    VkDescriptorSet set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, NULL);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, other_layout ? other : layout,
                            0, 1, &set, 0, NULL);
}

SCENARIO(sets_again, REDUNDANT, .expect = {BIND},
         .text = {"which is bound already, with the same layout"})
{
    bind_twice(b, false);
}

SCENARIO(sets_of_another_layout, REDUNDANT)
{
    bind_twice(b, true);
}

/* --- barriers --- */

SCENARIO(barrier_of_nothing, REDUNDANT, .expect = {BARRIER},
         .text = {"has no barrier, and no stage is after VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT"})
{
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

/* Commands wait for each other by stages alone: a read before a write. */
SCENARIO(barrier_of_stages, REDUNDANT)
{
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0, NULL, 0, NULL);
}

SCENARIO(barrier_without_accesses, REDUNDANT, .expect = {BARRIER},
         .text = {"pMemoryBarriers[0] has no accesses"})
{
    VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    vkCmdPipelineBarrier(make_recording(b), VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

FEATURES(synchronization2, VkPhysicalDeviceSynchronization2Features, SYNCHRONIZATION_2_FEATURES,
         .synchronization2 = VK_TRUE);

SCENARIO(dependency_of_nothing, REDUNDANT, .features = &synchronization2, .expect = {BARRIER},
         .text = {"pDependencyInfo has no barrier"})
{
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

static void barrier_2(struct baseline *b, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst,
                      VkAccessFlags2 src_accesses, VkAccessFlags2 dst_accesses)
{
    VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                .srcStageMask = src,
                                .srcAccessMask = src_accesses,
                                .dstStageMask = dst,
                                .dstAccessMask = dst_accesses};
    VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                             .memoryBarrierCount = 1,
                             .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(make_recording(b), &info);
}

SCENARIO(barrier_2_before_nothing, REDUNDANT, .features = &synchronization2, .expect = {BARRIER},
         .text = {"orders nothing: its dstStageMask names no stage"})
{
    barrier_2(b, VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_NONE, 0, 0);
}

SCENARIO(barrier_2_after_nothing, REDUNDANT, .features = &synchronization2, .expect = {BARRIER},
         .text = {"orders nothing: its srcStageMask names no stage"})
{
    barrier_2(b, VK_PIPELINE_STAGE_2_NONE, VK_PIPELINE_STAGE_2_COPY_BIT, 0, 0);
}

/* It makes the writes available, which a later barrier makes visible. */
SCENARIO(barrier_2_makes_available, REDUNDANT, .features = &synchronization2)
{
    barrier_2(b, VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_NONE,
              VK_ACCESS_2_TRANSFER_WRITE_BIT, 0);
}

/* It makes visible what was made available before. */
SCENARIO(barrier_2_makes_visible, REDUNDANT, .features = &synchronization2)
{
    barrier_2(b, VK_PIPELINE_STAGE_2_NONE, VK_PIPELINE_STAGE_2_COPY_BIT, 0,
              VK_ACCESS_2_TRANSFER_READ_BIT);
}

/* --- extensions and features --- */

FEATURES(dynamic_input, VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT,
         VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT, .vertexInputDynamicState = VK_TRUE);
#define DYNAMIC_INPUT \
    .features = &dynamic_input, .extensions = {"VK_EXT_vertex_input_dynamic_state"}

SCENARIO(extension_never_used, REDUNDANT, DYNAMIC_INPUT, .expect = {BP("Redundant-Extension")},
         .text = {"device was created with VK_EXT_vertex_input_dynamic_state, and no command of "
                  "its own was called"})
{
}

SCENARIO(extension_used, REDUNDANT, DYNAMIC_INPUT)
{
    DEVICE_PROC(b, vkCmdSetVertexInputEXT)(make_recording(b), 0, NULL, 0, NULL);
}

/* The structures of the other extension need it, and the program may call none of either. */
SCENARIO(extension_needed_by_another, REDUNDANT,
         .extensions = {"VK_KHR_deferred_host_operations", "VK_KHR_acceleration_structure"})
{
}

FEATURES(double_precision, VkPhysicalDeviceFeatures2, FEATURES_2,
         .features.shaderFloat64 = VK_TRUE);
/* Pipelines and images have rules about it as well. */
FEATURES(cubes, VkPhysicalDeviceFeatures2, FEATURES_2, .features.imageCubeArray = VK_TRUE);
#define MAY_ASK .allow = {BP("vkCreateDevice-physical-device-features-not-retrieved")}

SCENARIO(feature_never_used, REDUNDANT, MAY_ASK, .features = &double_precision,
         .expect = {BP("Redundant-Feature")},
         .text = {"device was created with shaderFloat64, and no shader of its 1 declares"})
{
    make_shader_module(b);
}

SCENARIO(feature_without_shaders, REDUNDANT, MAY_ASK, .features = &double_precision)
{
}

SCENARIO(feature_of_more_than_shaders, REDUNDANT, MAY_ASK, .features = &cubes)
{
    make_shader_module(b);
}

/* The shader declares Int64Atomics, which implies Int64. */
FEATURES(large_integers, VkPhysicalDeviceFeatures2, FEATURES_2, .features.shaderInt64 = VK_TRUE);
static const VkPhysicalDeviceShaderAtomicInt64Features large_atomics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
    .pNext = (void *)&large_integers,
    .shaderBufferInt64Atomics = VK_TRUE};

static void make_shader_with(struct baseline *b, uint32_t capability)
{
    const uint32_t code[] = {
        0x07230203, 0x00010000, 0, 10,         0,          0x00020011, 1, 0x00020011,
        capability, 0x0003000e, 0, 1,          0x0005000f, 5,          1, 0x6e69616d,
        0,          0x00060010, 1, 17,         1,          1,          1, 0x00020013,
        2,          0x00030021, 3, 2,          0x00050036, 2,          1, 0,
        3,          0x000200f8, 4, 0x000100fd, 0x00010038};
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = sizeof(code),
                                     .pCode = code};
    VkShaderModule module = VK_NULL_HANDLE;
    VK(vkCreateShaderModule(b->device, &info, NULL, &module));
    vkDestroyShaderModule(b->device, module, NULL);
}

SCENARIO(feature_implied, REDUNDANT, MAY_ASK, .features = &large_atomics)
{
    make_shader_with(b, 12); /* Int64Atomics */
}

SCENARIO(feature_used, REDUNDANT, MAY_ASK, .features = &double_precision)
{
    make_shader_with(b, 10); /* Float64 */
}
