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
