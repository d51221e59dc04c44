/* Answers what the driver says of a device that is lost. That is the messages of shaders' aborts
 * that the configuration has ("abortMessages"). */
#include "null_driver.h"

#include <string.h>

VKAPI_ATTR VkResult VKAPI_CALL
null_GetDeviceFaultDebugInfoKHR(VkDevice device, VkDeviceFaultDebugInfoKHR *pDebugInfo)
{
    const struct config *config = ((const struct dispatchable *)(const void *)device)->config;
    out_chain(pDebugInfo->pNext);
    pDebugInfo->vendorBinarySize = 0;
    for (VkBaseOutStructure *at = pDebugInfo->pNext; at; at = at->pNext) {
        VkDeviceFaultShaderAbortMessageInfoKHR *info = (void *)at;
        if (at->sType != VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR || !config)
            continue;
        info->messageDataSize = config->abort_size;
        if (info->pMessageData)
            memcpy(info->pMessageData, config->abort_messages, config->abort_size);
    }
    return VK_SUCCESS;
}
