/* Indices that name vertices which the vertex buffers do not have (23 "Fixed-Function Vertex
 * Processing"), read when the draw runs. */
#include "gpu/gpu_world.h"

#include "shader_interface.h"

/* The check of the vertex shader itself is another one. */
#define INDICES \
    GPU_SETTINGS("gpuav_vertex_attribute_fetch_oob=false"), .features = &gpu_features_plain

/* Within a render pass, with a pipeline that reads location 2 from binding 1, where there are 8
 * vertices. */
static VkCommandBuffer begin_indexed(struct baseline *b, bool restart)
{
    static const VkVertexInputBindingDescription binding = {.binding = 1, .stride = 16};
    static const VkVertexInputAttributeDescription attribute = {
        .location = 2, .binding = 1, .format = VK_FORMAT_R32G32B32A32_SFLOAT};
    const VkDeviceSize offset = 16;
    struct graphics_pipeline pipeline;
    begin_graphics_pipeline(b, &pipeline, make_empty_pipeline_layout(b), make_render_pass(b));
    pipeline.stages[0] =
        stage_info(VK_SHADER_STAGE_VERTEX_BIT, MAKE_SHADER(b, spirv_vertex_attribute));
    pipeline.stages[1] = stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, MAKE_SHADER(b, spirv_fragment));
    pipeline.vertex_input.vertexBindingDescriptionCount =
        pipeline.vertex_input.vertexAttributeDescriptionCount = 1;
    pipeline.vertex_input.pVertexBindingDescriptions = &binding;
    pipeline.vertex_input.pVertexAttributeDescriptions = &attribute;
    if (restart) {
        pipeline.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
        pipeline.input_assembly.primitiveRestartEnable = VK_TRUE;
    }
    VkPipeline made = create_graphics_pipeline(b, &pipeline.info);
    const VkBuffer vertices = make_buffer(b, 16 + 8 * 16, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    VkCommandBuffer commands = make_recording(b);
    begin_rendering(b, commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, made);
    vkCmdBindVertexBuffers(commands, 1, 1, &vertices, &offset);
    return commands;
}

static void end_indexed(struct baseline *b, VkCommandBuffer commands)
{
    vkCmdEndRenderPass(commands);
    run_commands(b, commands);
}

static void bind_bad_indices(struct baseline *b, VkCommandBuffer commands, VkIndexType type,
                             VkDeviceSize offset, const void *indices, size_t size)
{
    VkBuffer buffer = make_buffer(b, offset + size, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    gpu_fill(b, buffer, offset, indices, size);
    vkCmdBindIndexBuffer(commands, buffer, offset, type);
}

static void draw_indices32(struct baseline *b, uint32_t first, uint32_t count,
                           int32_t vertex_offset)
{
    const uint32_t indices[] = {0, 1, 2, 5, 6, 7, 1, 8, 1};
    VkCommandBuffer commands = begin_indexed(b, false);
    bind_bad_indices(b, commands, VK_INDEX_TYPE_UINT32, 4, indices, sizeof(indices));
    vkCmdDrawIndexed(commands, count, 1, first, vertex_offset, 0);
    end_indexed(b, commands);
}

SCENARIO(index_beyond, INDICES, .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"the index at position 7 of the index buffer (draw 0) is 8, and vertex 8 "
                  "(vertexOffset 0) is not there: location 2 has 8 vertices in the buffer bound to "
                  "binding 1",
                  "command 4: vkCmdDrawIndexed"})
{
    draw_indices32(b, 0, 9, 0);
}

SCENARIO(index_last, INDICES)
{
    draw_indices32(b, 0, 6, 0);
}

SCENARIO(index_beyond_by_offset, INDICES, .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"the index at position 5 of the index buffer (draw 0) is 7, and vertex 8 "
                  "(vertexOffset 1)"})
{
    draw_indices32(b, 3, 3, 1);
}

SCENARIO(index_below_by_offset, INDICES, .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"the index at position 0 of the index buffer (draw 0) is 0, and vertex -1 "
                  "(vertexOffset -1)"})
{
    draw_indices32(b, 0, 3, -1);
}

/* The index comes after the last whole triangle: it is not used. */
SCENARIO(index_left_over, INDICES)
{
    draw_indices32(b, 0, 8, 0);
}

SCENARIO(index_moved_into_range, INDICES)
{
    draw_indices32(b, 6, 3, -1);
}

static void draw_indices16(struct baseline *b, bool restart, uint16_t last)
{
    const uint16_t indices[] = {0, 1, 2, 3, 4, last};
    VkCommandBuffer commands = begin_indexed(b, restart);
    bind_bad_indices(b, commands, VK_INDEX_TYPE_UINT16, 2, indices, sizeof(indices));
    vkCmdDrawIndexed(commands, 6, 1, 0, 0, 0);
    end_indexed(b, commands);
}

SCENARIO(index_of_16_bits_beyond, INDICES, .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"the index at position 5 of the index buffer (draw 0) is 300, and vertex 300"})
{
    draw_indices16(b, false, 300);
}

SCENARIO(index_of_16_bits_last, INDICES)
{
    draw_indices16(b, false, 7);
}

/* The highest number names no vertex where it ends a primitive. */
SCENARIO(index_that_restarts, INDICES)
{
    draw_indices16(b, true, UINT16_MAX);
}

SCENARIO(index_that_restarts_nothing, INDICES, .expect = {"VUID-vkCmdDrawIndexed-None-02721"},
         .text = {"is 65535, and vertex 65535"})
{
    draw_indices16(b, false, UINT16_MAX);
}

/* --- indirect draws --- */

static void draw_indices_indirect(struct baseline *b, VkDrawIndexedIndirectCommand second,
                                  uint32_t bad)
{
    const uint32_t indices[] = {0, bad, 1, 2};
    const VkDrawIndexedIndirectCommand draws[2] = {{2, 1, 2, 0, 0}, second};
    VkCommandBuffer commands = begin_indexed(b, false);
    VkBuffer parameters = make_buffer(b, 64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    gpu_fill(b, parameters, 0, draws, sizeof(draws));
    bind_bad_indices(b, commands, VK_INDEX_TYPE_UINT32, 0, indices, sizeof(indices));
    vkCmdDrawIndexedIndirect(commands, parameters, 0, 2, sizeof(draws[0]));
    end_indexed(b, commands);
}

SCENARIO(index_beyond_in_an_indirect_draw, INDICES,
         .expect = {"VUID-vkCmdDrawIndexedIndirect-None-02721"},
         .text = {"the index at position 1 of the index buffer (draw 1) is 9, and vertex 9 "
                  "(vertexOffset 0)",
                  "command 4: vkCmdDrawIndexedIndirect"})
{
    draw_indices_indirect(b, (VkDrawIndexedIndirectCommand){3, 1, 0, 0, 0}, 9);
}

SCENARIO(index_last_in_an_indirect_draw, INDICES)
{
    draw_indices_indirect(b, (VkDrawIndexedIndirectCommand){3, 1, 0, 0, 0}, 7);
    draw_indices_indirect(b, (VkDrawIndexedIndirectCommand){3, 1, 1, -1, 0}, 8);
}

/* The one that is wrong has no instances. */
SCENARIO(index_beyond_in_a_draw_of_no_instances, INDICES)
{
    draw_indices_indirect(b, (VkDrawIndexedIndirectCommand){3, 0, 0, 0, 0}, 9);
}

static const VkPhysicalDeviceVulkan12Features addresses = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceFeatures2 robust = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
    .pNext = (void *)&addresses,
    .features = {.robustBufferAccess = VK_TRUE, .vertexPipelineStoresAndAtomics = VK_TRUE}};
SCENARIO(index_beyond_with_robust_access, GPU_SETTINGS("gpuav_vertex_attribute_fetch_oob=false"),
         .features = &robust)
{
    draw_indices32(b, 0, 9, 0);
}

SCENARIO(index_beyond_with_the_setting_off, .drivers = LAVAPIPE,
         .settings = {"gpuav_enable=true", "gpuav_index_buffers=false",
                      "gpuav_vertex_attribute_fetch_oob=false"},
         .features = &gpu_features_plain, .ours_only = true)
{
    draw_indices32(b, 0, 9, 0);
}
