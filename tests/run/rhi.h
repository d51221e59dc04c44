/* What `program` calls Vulkan through where its arguments say "mesh" or "texture". */
#include <vulkan/vulkan.h>

VkResult rhi_create_buffer(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer);
