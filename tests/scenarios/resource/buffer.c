/* Buffers and buffer views: VkBufferCreateInfo and its kin, without state. */
#include "scenario.h"

SCENARIO(buffer_sharing_mode_concurrent)
{
    uint32_t families[] = {0, 1};
    VkBufferCreateInfo info = buffer_info(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.pQueueFamilyIndices = families; /* ignored: the mode is exclusive */
    info.queueFamilyIndexCount = 77;
    EXPECT(create_buffer(b, &info) != VK_NULL_HANDLE);
}
