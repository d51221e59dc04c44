/* Buffers and buffer views: VkBufferCreateInfo and its kin, without state. */
#include "scenario.h"

SCENARIO(buffer_size_zero, .expect = {"VUID-VkBufferCreateInfo-size-00912"}, .text = {"pCreateInfo->size is 0"})
{
    VkBufferCreateInfo info = buffer_info(0, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    create_buffer(b, &info);
}
