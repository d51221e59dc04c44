/* Destroys objects while submitted work uses them: the objects of a render pass instance, and views
 * that are pushed. */
#include "scenario.h"

struct world {
    VkImage image;
    VkImageView view;
    VkRenderPass render_pass;
    VkFramebuffer framebuffer;
    VkDeviceMemory memory;
};

static VkDeviceMemory bind_memory(struct baseline *b, VkImage image)
{
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(b->device, image, &needs);
    uint32_t type = 0;
    while (!(needs.memoryTypeBits & 1u << type))
        type++;
    VkMemoryAllocateInfo info = memory_info(needs.size, type);
    VkDeviceMemory memory = create_memory(b, &info);
    VK(vkBindImageMemory(b->device, image, memory, 0));
    return memory;
}

static void submit_and_use(struct baseline *b, VkCommandBuffer command_buffer)
{
    VK(vkEndCommandBuffer(command_buffer));
    VkSubmitInfo info = submit_info(&command_buffer);
    VK(vkQueueSubmit(b->queue, 1, &info, VK_NULL_HANDLE));
}

/* A render pass instance that was submitted. */
static struct world submit_render_pass(struct baseline *b)
{
    const VkImageCreateInfo image =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    struct world w = {.image = create_image(b, &image), .render_pass = make_render_pass(b)};
    VkCommandBuffer command_buffer = make_recording(b);
    w.memory = bind_memory(b, w.image);
    VkImageViewCreateInfo view = image_view_info(w.image);
    w.view = create_image_view(b, &view);
    w.framebuffer = make_framebuffer(b, w.render_pass, w.view);
    VkRenderPassBeginInfo begin = render_pass_begin_info(w.render_pass, w.framebuffer);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdEndRenderPass(command_buffer);
    submit_and_use(b, command_buffer);
    return w;
}

/* Skipped while it is in use; right once that is known to be done. */
#define USED(name_, id_, text_, ...)                             \
    SCENARIO(name_##_in_use, .expect = {"VUID-" id_},            \
             .text = {text_ " is in use by VkCommandBuffer 0x"}) \
    {                                                            \
        struct world w = submit_render_pass(b);                  \
        __VA_ARGS__;                                             \
        VK(vkDeviceWaitIdle(b->device));                         \
    }

USED(image, "vkDestroyImage-image-01000", "image", vkDestroyImage(b->device, w.image, NULL))
USED(view, "vkDestroyImageView-imageView-01026", "imageView",
     vkDestroyImageView(b->device, w.view, NULL))
USED(framebuffer, "vkDestroyFramebuffer-framebuffer-00892", "framebuffer",
     vkDestroyFramebuffer(b->device, w.framebuffer, NULL))
USED(render_pass, "vkDestroyRenderPass-renderPass-00873", "renderPass",
     vkDestroyRenderPass(b->device, w.render_pass, NULL))

SCENARIO(render_pass_done)
{
    struct world w = submit_render_pass(b);
    VK(vkDeviceWaitIdle(b->device));
    FORGET(b, w.framebuffer);
    FORGET(b, w.render_pass);
    FORGET(b, w.view);
    FORGET(b, w.image);
    FORGET(b, w.memory);
    vkDestroyFramebuffer(b->device, w.framebuffer, NULL);
    vkDestroyRenderPass(b->device, w.render_pass, NULL);
    vkDestroyImageView(b->device, w.view, NULL);
    vkDestroyImage(b->device, w.image, NULL);
    vkFreeMemory(b->device, w.memory, NULL);
}

/* --- pushed descriptors --- */

#define PUSHING .extensions = {"VK_KHR_push_descriptor"}

static void submit_push(struct baseline *b, VkDescriptorType type, const VkBufferView *texels)
{
    const VkDescriptorSetLayoutBinding binding = {
        .descriptorType = type, .descriptorCount = 1, .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT,
        .bindingCount = 1,
        .pBindings = &binding};
    VkWriteDescriptorSet write = write_buffer(VK_NULL_HANDLE, NULL);
    write.descriptorType = type;
    write.pTexelBufferView = texels;
    VkCommandBuffer command_buffer = make_recording(b);
    DEVICE_PROC(b, vkCmdPushDescriptorSetKHR)
    (command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE,
     make_pipeline_layout(b, create_descriptor_set_layout(b, &info)), 0, 1, &write);
    submit_and_use(b, command_buffer);
}

SCENARIO(pushed_buffer_view_in_use, PUSHING,
         .expect = {"VUID-vkDestroyBufferView-bufferView-00936"},
         .text = {"bufferView is in use by VkCommandBuffer 0x"})
{
    VkBufferView view = make_buffer_view(b);
    submit_push(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, &view);
    vkDestroyBufferView(b->device, view, NULL);
    VK(vkDeviceWaitIdle(b->device));
}

SCENARIO(pushed_buffer_view_done, PUSHING)
{
    VkBufferView view = make_buffer_view(b);
    submit_push(b, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, &view);
    VK(vkDeviceWaitIdle(b->device));
    FORGET(b, view);
    vkDestroyBufferView(b->device, view, NULL);
}
