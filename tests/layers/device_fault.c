/* A layer for tests: gives any driver below it VK_EXT_device_fault, which then says of each device
 * that nothing is known of a fault. */
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))

/* Serves one instance and one device at a time, in one thread. */
static struct {
    VkInstance instance;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    PFN_vkGetDeviceProcAddr get_device_proc_addr;
} next;

#define NEXT(command_) ((PFN_##command_)next.get_instance_proc_addr(next.instance, #command_))

static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physicalDevice,
                                                           const char *pLayerName,
                                                           uint32_t *pPropertyCount,
                                                           VkExtensionProperties *pProperties)
{
    static const VkExtensionProperties ours = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
                                               VK_EXT_DEVICE_FAULT_SPEC_VERSION};
    PFN_vkEnumerateDeviceExtensionProperties below = NEXT(vkEnumerateDeviceExtensionProperties);
    uint32_t count = 0, room = pProperties ? *pPropertyCount : 0;
    if (pLayerName || below(physicalDevice, NULL, &count, NULL) != VK_SUCCESS)
        return below(physicalDevice, pLayerName, pPropertyCount, pProperties);
    *pPropertyCount = count + 1;
    if (!pProperties)
        return VK_SUCCESS;
    if (room <= count) {
        *pPropertyCount = room;
        return below(physicalDevice, NULL, pPropertyCount, pProperties);
    }
    pProperties[count] = ours;
    return below(physicalDevice, NULL, &count, pProperties);
}

static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physicalDevice,
                                               VkPhysicalDeviceFeatures2 *pFeatures)
{
    NEXT(vkGetPhysicalDeviceFeatures2)(physicalDevice, pFeatures);
    for (VkBaseOutStructure *at = pFeatures->pNext; at; at = at->pNext) {
        if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT)
            ((VkPhysicalDeviceFaultFeaturesEXT *)(void *)at)->deviceFault = VK_TRUE;
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL get_fault(VkDevice device,
                                                VkDeviceFaultCountsEXT *pFaultCounts,
                                                VkDeviceFaultInfoEXT *pFaultInfo)
{
    (void)device;
    pFaultCounts->addressInfoCount = pFaultCounts->vendorInfoCount = 0;
    pFaultCounts->vendorBinarySize = 0;
    if (pFaultInfo)
        strcpy(pFaultInfo->description, "nothing is known");
    return VK_SUCCESS;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device_proc_addr(VkDevice device,
                                                                     const char *pName)
{
    if (!strcmp(pName, "vkGetDeviceProcAddr"))
        return (PFN_vkVoidFunction)get_device_proc_addr;
    if (!strcmp(pName, "vkGetDeviceFaultInfoEXT"))
        return (PFN_vkVoidFunction)get_fault;
    return next.get_device_proc_addr(device, pName);
}

/* The driver sees neither the extension's name nor its features, which come after no structure but
 * the loader's and layers' own. */
static void leave_out(VkDeviceCreateInfo *info, const char **names)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
        if (strcmp(info->ppEnabledExtensionNames[i], VK_EXT_DEVICE_FAULT_EXTENSION_NAME) != 0)
            names[count++] = info->ppEnabledExtensionNames[i];
    }
    info->ppEnabledExtensionNames = names;
    info->enabledExtensionCount = count;
    VkBaseOutStructure head = {.pNext = (void *)(uintptr_t)info->pNext};
    for (VkBaseOutStructure *at = &head; at->pNext; at = at->pNext) {
        if (at->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT) {
            at->pNext = at->pNext->pNext;
            break;
        }
    }
    info->pNext = head.pNext;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_faulty_device(VkPhysicalDevice physicalDevice,
                                                           const VkDeviceCreateInfo *pCreateInfo,
                                                           const VkAllocationCallbacks *pAllocator,
                                                           VkDevice *pDevice)
{
    PFN_vkCreateDevice below = NEXT(vkCreateDevice);
    VkDeviceCreateInfo info = *pCreateInfo;
    const char **names = malloc((info.enabledExtensionCount + 1) * sizeof(*names));
    VkLayerDeviceCreateInfo *link = (void *)(uintptr_t)info.pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    if (!link || !names) {
        free(names);
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    next.get_device_proc_addr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    leave_out(&info, names);
    VkResult result = below(physicalDevice, &info, pAllocator, pDevice);
    free(names);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL
create_faulty_instance(const VkInstanceCreateInfo *pCreateInfo,
                       const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    VkLayerInstanceCreateInfo *link = (void *)(uintptr_t)pCreateInfo->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (void *)(uintptr_t)link->pNext;
    if (!link)
        return VK_ERROR_INITIALIZATION_FAILED;
    next.get_instance_proc_addr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    PFN_vkCreateInstance below =
        (PFN_vkCreateInstance)next.get_instance_proc_addr(NULL, "vkCreateInstance");
    VkResult result = below(pCreateInfo, pAllocator, pInstance);
    if (result == VK_SUCCESS)
        next.instance = *pInstance;
    return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance_proc_addr(VkInstance instance,
                                                                       const char *pName)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } ours[] = {
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)get_instance_proc_addr},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device_proc_addr},
        {"vkCreateInstance", (PFN_vkVoidFunction)create_faulty_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_faulty_device},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)enumerate_extensions},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features},
        {"vkGetPhysicalDeviceFeatures2KHR", (PFN_vkVoidFunction)get_features},
    };
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
        if (!strcmp(pName, ours[i].name))
            return ours[i].function;
    }
    return next.get_instance_proc_addr ? next.get_instance_proc_addr(instance, pName) : NULL;
}

EXPORT VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *pVersionStruct)
{
    pVersionStruct->loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION;
    pVersionStruct->pfnGetInstanceProcAddr = get_instance_proc_addr;
    pVersionStruct->pfnGetDeviceProcAddr = get_device_proc_addr;
    pVersionStruct->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
