/* `program` calls Vulkan through this where its arguments say "mesh", "texture", "level" or
 * "particles". */
#include <vulkan/vulkan.h>

VkResult rhi_create_buffer(VkDevice device, const VkBufferCreateInfo *info, VkBuffer *buffer);
void rhi_destroy_buffer(VkDevice device, VkBuffer buffer);
void rhi_fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize size);
void rhi_copy(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize size);
