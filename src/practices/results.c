/* Reports the result of a command, if it is not VK_SUCCESS, and its meaning. */
#include "practices/results.h"

#include "practices/advise.h"

/* True for commands that programs use to find out whether something exists. */
static bool is_question(enum command command)
{
    switch (command_root[command]) {
    case COMMAND_GetPhysicalDeviceImageFormatProperties:
    case COMMAND_GetPhysicalDeviceImageFormatProperties2:
    case COMMAND_GetPhysicalDeviceVideoFormatPropertiesKHR:
    case COMMAND_GetPhysicalDeviceVideoCapabilitiesKHR:
    case COMMAND_GetPhysicalDeviceExternalImageFormatPropertiesNV:
    case COMMAND_GetPhysicalDeviceOpticalFlowImageFormatsNV:
    case COMMAND_GetFenceStatus:
    case COMMAND_GetEventStatus:
        return true;
    default:
        return false;
    }
}

/* True for results that correct programs get, and handle. */
static bool is_expected(VkResult result)
{
    return result == VK_ERROR_OUT_OF_DATE_KHR || result == VK_ERROR_SURFACE_LOST_KHR ||
           result == VK_ERROR_FULL_SCREEN_EXCLUSIVE_MODE_LOST_EXT ||
           result == VK_ERROR_OUT_OF_POOL_MEMORY || result == VK_ERROR_FRAGMENTED_POOL;
}

/* The meaning of an error in words; "" if there is nothing to add. */
static const char *meaning_of(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return ": the driver got no memory from the system";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return ": the device has no memory left for it";
    case VK_ERROR_DEVICE_LOST:
        return ": nothing that was submitted can be relied on, and a new device is needed";
    case VK_ERROR_MEMORY_MAP_FAILED:
        return ": the memory is not accessible to the program";
    case VK_ERROR_TOO_MANY_OBJECTS:
        return ": there are as many objects of this type as the device can have";
    case VK_ERROR_INITIALIZATION_FAILED:
        return ": the driver could not begin what it was to do";
    case VK_ERROR_OUT_OF_POOL_MEMORY:
        return ": the pool is empty, and another one is needed";
    case VK_ERROR_FRAGMENTED_POOL:
        return ": sets that were freed left holes in the pool";
    case VK_ERROR_OUT_OF_DATE_KHR:
        return ": the surface has changed, and needs a new swapchain";
    case VK_ERROR_SURFACE_LOST_KHR:
        return ": the window is gone, and a new surface is needed";
    case VK_ERROR_NATIVE_WINDOW_IN_USE_KHR:
        return ": the window has a swapchain or surface already";
    default:
        return "";
    }
}

void practices_result(const struct call *call)
{
    const VkResult result = call->result;
    if (is_question(call->command))
        return;
    const enum vuid id = result > 0            ? BestPractices_Verbose_Success_Logging
                         : is_expected(result) ? BestPractices_Failure_Result
                                               : BestPractices_Error_Result;
    /* Programs that poll get such results often: the text is made only if it will be reported. */
    if (finding_is_heard(call, (enum severity)practice_of(id)->severity, id))
        advise(call, id, NULL, NULL, "answers %s%s", TEXT_OF(VkResult, (uint32_t)result),
               meaning_of(result));
}
