/* A listener to dumps. */
#include "gpu/dump_world.h"

#include <string.h>

static char dumped[16384]; /* the last one's text */
static unsigned dumps;

static VKAPI_ATTR VkBool32 VKAPI_CALL on_dump(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                              VkDebugUtilsMessageTypeFlagsEXT types,
                                              const VkDebugUtilsMessengerCallbackDataEXT *data,
                                              void *user)
{
    if (!data->pMessageIdName || strcmp(data->pMessageIdName, "ASSAY-GpuDump") != 0)
        return VK_FALSE;
    EXPECT(severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
    (void)snprintf(dumped, sizeof(dumped), "%s", data->pMessage);
    dumps++;
    return VK_FALSE;
}

static void destroy_messenger(struct baseline *b, uint64_t handle)
{
    INSTANCE_PROC(b, vkDestroyDebugUtilsMessengerEXT)(b->instance,
                                                      (VkDebugUtilsMessengerEXT)(uintptr_t)handle,
                                                      NULL);
}

void dump_listen(struct baseline *b)
{
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_dump,
    };
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VK(INSTANCE_PROC(b, vkCreateDebugUtilsMessengerEXT)(b->instance, &info, NULL, &messenger));
    cleanup_add(b, destroy_messenger, HANDLE(messenger));
}

unsigned dump_count(void)
{
    return dumps;
}

const char *dump_text(void)
{
    return dumped;
}

void dump_expect(const char *text)
{
    if (!strstr(dumped, text))
        scenario_fail(__FILE__, __LINE__, "\"%s\" is dumped, not \"%s\"", dumped, text);
}

void dump_name(struct baseline *b, VkObjectType type, uint64_t handle, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name};
    VK(INSTANCE_PROC(b, vkSetDebugUtilsObjectNameEXT)(b->device, &info));
}
