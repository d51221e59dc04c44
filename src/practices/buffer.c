/* Advice on buffers. */
#include "practices/advise.h"
#include "practices/hooks.h"

void practices_after_CreateBuffer(struct call *call, VkDevice device,
                                  const VkBufferCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator, VkBuffer *pBuffer)
{
    if (call->result == VK_SUCCESS && pCreateInfo->sharingMode == VK_SHARING_MODE_EXCLUSIVE &&
        pCreateInfo->queueFamilyIndexCount > 1)
        advise(call, BestPractices_vkCreateBuffer_sharing_mode_exclusive,
               &LOCATION(CREATE_INFO, "sharingMode"), OBJECT(HANDLE_BUFFER, *pBuffer),
               "is VK_SHARING_MODE_EXCLUSIVE, and queueFamilyIndexCount is %u",
               pCreateInfo->queueFamilyIndexCount);
}
