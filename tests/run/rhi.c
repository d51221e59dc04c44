/* An engine's wrapper around Vulkan, in a library of its own: every call of Vulkan comes from here.
 */
#include "rhi.h"

VkResult rhi_create_buffer(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer)
{
    VkResult result = vkCreateBuffer(device, info, NULL, buffer);
    return result < 0 ? result : VK_SUCCESS;
}

void rhi_destroy_buffer(VkDevice device, VkBuffer buffer)
{
    vkDestroyBuffer(device, buffer, NULL);
}

void rhi_fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize size)
{
    vkCmdFillBuffer(commands, buffer, 0, size, 0);
}

/* The first half into the second. */
void rhi_copy(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize size)
{
    const VkBufferCopy region = {.srcOffset = 0, .dstOffset = size, .size = size};
    vkCmdCopyBuffer(commands, buffer, buffer, 1, &region);
}
