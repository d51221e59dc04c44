/* An engine's wrapper around Vulkan, in a library of its own: every call of Vulkan comes from here. */
#include "rhi.h"

VkResult rhi_create_buffer(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer)
{
    VkResult result = vkCreateBuffer(device, info, NULL, buffer);
    return result < 0 ? result : VK_SUCCESS;
}
