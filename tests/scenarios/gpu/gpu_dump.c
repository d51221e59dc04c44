/* A dump says what the descriptors of a command refer to, when it is recorded, with what looks
 * wrong marked (gpu_dump_descriptors). */
#include "gpu/dump_world.h"

#include <string.h>

#define DUMPS \
    .ours_only = true, .settings = {"gpu_dump_descriptors=true", "report_flags=error,warn,info"}

struct world {
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandBuffer commands;
};

static struct world begin_dump(struct baseline *b)
{
    const uint32_t zero = 0;
    struct world w;
    VkDescriptorSetLayout set_layout = make_descriptor_set_layout(b);
    dump_listen(b);
    w.set = make_descriptor_set(b, make_descriptor_pool(b), set_layout);
    w.layout = make_pipeline_layout(b, set_layout);
    w.pipeline = make_compute_pipeline(b, w.layout);
    w.commands = make_recording(b);
    vkCmdPushConstants(w.commands, w.layout, VK_SHADER_STAGE_ALL, 0, 4, &zero);
    return w;
}

static void describe_buffer(struct baseline *b, const struct world *w, VkBuffer buffer,
                            VkDeviceSize offset)
{
    const VkDescriptorBufferInfo info = {buffer, offset, 256};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = w->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

static void dispatch_dumped(const struct world *w)
{
    vkCmdBindPipeline(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->pipeline);
    vkCmdBindDescriptorSets(w->commands, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set,
                            0, NULL);
    vkCmdDispatch(w->commands, 1, 1, 1);
}

SCENARIO(buffer_of_a_set, DUMPS)
{
    struct world w = begin_dump(b);
    VkBuffer buffer = make_buffer(b, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    dump_name(b, VK_OBJECT_TYPE_BUFFER, HANDLE(buffer), "values");
    describe_buffer(b, &w, buffer, 512);
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 1);
    dump_expect("vkCmdDispatch(): what the descriptors of command 3 refer to:\n");
    dump_expect("set 0: VkDescriptorSet 0x");
    dump_expect(", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER: VkBuffer 0x");
    dump_expect(" \"values\", from byte 512, 256 bytes\n");
    EXPECT(!strstr(dump_text(), "! "));
    VK(vkEndCommandBuffer(w.commands));
}

SCENARIO(one_byte_of_a_buffer, DUMPS)
{
    struct world w = begin_dump(b);
    const VkDescriptorBufferInfo info = {make_buffer(b, 1, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0,
                                         1};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = w.set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &info};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    dispatch_dumped(&w);
    dump_expect(", from byte 0, 1 byte\n");
    VK(vkEndCommandBuffer(w.commands));
}

SCENARIO(buffer_that_is_gone, DUMPS, .expect = {"VUID-vkCmdDispatch-None-08114"})
{
    struct world w = begin_dump(b);
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    describe_buffer(b, &w, buffer, 0);
    vkDestroyBuffer(b->device, buffer, NULL);
    FORGET(b, buffer);
    dispatch_dumped(&w);
    dump_expect("what the descriptors of command 3 refer to, of which 1 looks wrong:\n");
    dump_expect("! no such object: the buffer was destroyed\n");
}

SCENARIO(never_written, DUMPS, .expect = {"VUID-vkCmdDispatch-None-08114"})
{
    struct world w = begin_dump(b);
    dispatch_dumped(&w);
    dump_expect(", of which 1 looks wrong:\n");
    dump_expect("! never written\n");
}

SCENARIO(no_set, DUMPS, .expect = {"VUID-vkCmdDispatch-None-08600"})
{
    struct world w = begin_dump(b);
    vkCmdBindPipeline(w.commands, VK_PIPELINE_BIND_POINT_COMPUTE, w.pipeline);
    vkCmdDispatch(w.commands, 1, 1, 1);
    dump_expect("set 0:\n");
    dump_expect("! nothing is bound\n");
}

/* --- gpu_dump_commands: by a command's name, and by a label around it --- */

#define CHOOSES(globs_)                                                                       \
    .ours_only = true, .settings = {"gpu_dump_descriptors=true", "gpu_dump_commands=" globs_, \
                                    "report_flags=error,warn,info"}

static void label_dump(struct baseline *b, const struct world *w, const char *name)
{
    const VkDebugUtilsLabelEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                       .pLabelName = name};
    INSTANCE_PROC(b, vkCmdBeginDebugUtilsLabelEXT)(w->commands, &info);
}

static void end_dump_label(struct baseline *b, const struct world *w)
{
    INSTANCE_PROC(b, vkCmdEndDebugUtilsLabelEXT)(w->commands);
}

static struct world begin_with_buffer(struct baseline *b)
{
    struct world w = begin_dump(b);
    describe_buffer(b, &w, make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0);
    return w;
}

SCENARIO(command_is_chosen, CHOOSES("vkCmdDraw*,vkCmdDispatch"))
{
    struct world w = begin_with_buffer(b);
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 1);
    VK(vkEndCommandBuffer(w.commands));
}

SCENARIO(command_is_not_chosen, CHOOSES("vkCmdDraw*,vkCmdDispatchIndirect,Dispatch"))
{
    struct world w = begin_with_buffer(b);
    label_dump(b, &w, "lights");
    dispatch_dumped(&w);
    end_dump_label(b, &w);
    EXPECT_EQUAL(dump_count(), 0);
    VK(vkEndCommandBuffer(w.commands));
}

/* Within it, within a label in it, and no more when it has ended. */
SCENARIO(label_is_chosen, CHOOSES("vkCmdDraw,cull*"))
{
    struct world w = begin_with_buffer(b);
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 0);
    label_dump(b, &w, "cull lights");
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 1);
    label_dump(b, &w, "inner");
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 2);
    end_dump_label(b, &w);
    end_dump_label(b, &w);
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 2);
    VK(vkEndCommandBuffer(w.commands));
}

/* Without the setting nothing is dumped. */
SCENARIO(not_asked_for, .ours_only = true, .settings = {"report_flags=error,warn,info"})
{
    struct world w = begin_dump(b);
    describe_buffer(b, &w, make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT), 0);
    dispatch_dumped(&w);
    EXPECT_EQUAL(dump_count(), 0);
    VK(vkEndCommandBuffer(w.commands));
}
