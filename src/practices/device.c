/* Advice on instances and devices: extensions, features, and lists that were cut short. */
#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/asked.h"
#include "practices/extension_facts.h" /* generated */
#include "practices/extensions_of_device.h"
#include "practices/hooks.h"

#include <string.h>

#include "base/string_builder.h"

/* A program that enables so many extensions for emulation emulates another API. */
#define EMULATOR_EXTENSIONS 3

/* --- what the process has asked --- */

_Atomic uint32_t practices_asked;

void practices_after_GetPhysicalDeviceFeatures(struct call *call, VkPhysicalDevice physicalDevice,
                                               VkPhysicalDeviceFeatures *pFeatures)
{
    asked_note(ASKED_FEATURES);
}

void practices_after_GetPhysicalDeviceFeatures2(struct call *call, VkPhysicalDevice physicalDevice,
                                                VkPhysicalDeviceFeatures2 *pFeatures)
{
    asked_note(ASKED_FEATURES);
}

/* --- extensions --- */

void device_offered_extensions(const struct device *device, struct extension_set *offered)
{
    PFN_vkEnumerateDeviceExtensionProperties enumerate =
        device->instance->dispatch.EnumerateDeviceExtensionProperties;
    uint32_t count = 0;
    if (!enumerate || enumerate(device->physical_device, NULL, &count, NULL) != VK_SUCCESS)
        return;
    VkExtensionProperties *list = mem_alloc_zeroed((count + 1) * sizeof(*list));
    if (list && enumerate(device->physical_device, NULL, &count, list) >= VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            const enum extension extension = extension_by_name(list[i].extensionName);
            if (extension != EXTENSION_COUNT)
                extension_set_add(offered, extension);
        }
    }
    mem_free(list);
}

/* The special use of an extension, in words ("emulation of Direct3D"); NULL: it is for all
 * programs. */
static const char *special_use_of(const char *name)
{
    const enum extension extension = name ? extension_by_name(name) : EXTENSION_COUNT;
    for (size_t i = 0; i < ARRAY_LENGTH(special_uses); i++) {
        if (special_uses[i].extension == extension)
            return special_uses[i].uses;
    }
    return NULL;
}

/* Advises against extensions for special uses, unless the program enables so many for emulation
 * that it is an emulator. */
static void judge_special_uses(const struct call *call, uint32_t count, const char *const *names)
{
    char buffer[256];
    struct string_builder said;
    uint32_t of_emulation = 0;
    string_builder_begin(&said, buffer, sizeof(buffer));
    for (uint32_t i = 0; names && i < count; i++) {
        const char *uses = special_use_of(names[i]);
        if (!uses)
            continue;
        of_emulation += strstr(uses, "emulation") != NULL;
        string_builder_format(&said, "%s%s (for %s)", said.length ? ", " : "", names[i], uses);
    }
    if (said.length && of_emulation < EMULATOR_EXTENSIONS)
        advise(call, BestPractices_specialuse_extension,
               &LOCATION(CREATE_INFO, "ppEnabledExtensionNames"), NULL, "has %s", said.text);
    string_builder_end(&said);
}

void practices_after_CreateInstance(struct call *call, const VkInstanceCreateInfo *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    judge_special_uses(call, pCreateInfo->enabledExtensionCount,
                       pCreateInfo->ppEnabledExtensionNames);
}

/* --- devices --- */

/* True if any feature of Vulkan 1.0 is enabled. NULL: none is. */
static bool has_features(const VkPhysicalDeviceFeatures *features)
{
    const VkPhysicalDeviceFeatures none = {0};
    return features && memcmp(features, &none, sizeof(none)) != 0;
}

/* True if the device enables features. A VkPhysicalDeviceFeatures2 in the chain replaces
 * pEnabledFeatures. */
static bool enables_features(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceFeatures2 *chained = CHAINED(info->pNext, PHYSICAL_DEVICE_FEATURES_2);
    return has_features(chained ? &chained->features : info->pEnabledFeatures);
}

/* Advises if the instance requests a later minor version than the device has. */
static void judge_version(const struct call *call)
{
    const uint32_t wanted = call->instance->api_version,
                   there = call->device->properties.apiVersion;
    if (VK_API_VERSION_MAJOR(wanted) == VK_API_VERSION_MAJOR(there) &&
        VK_API_VERSION_MINOR(wanted) > VK_API_VERSION_MINOR(there))
        advise(call, BestPractices_vkCreateDevice_API_version_mismatch, NULL, NULL,
               "makes a device of Vulkan %u.%u, and the instance is of Vulkan %u.%u",
               VK_API_VERSION_MAJOR(there), VK_API_VERSION_MINOR(there),
               VK_API_VERSION_MAJOR(wanted), VK_API_VERSION_MINOR(wanted));
}

void practices_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                                  const VkDeviceCreateInfo *pCreateInfo,
                                  const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    struct practices_of_device *kept;
    if (call->result != VK_SUCCESS || !(kept = practices_of_device(call->device)))
        return;
    atomic_store_explicit(&kept->lazy_memory, practices_lazy_memory(call->device, UINT32_MAX),
                          memory_order_relaxed);
    judge_special_uses(call, pCreateInfo->enabledExtensionCount,
                       pCreateInfo->ppEnabledExtensionNames);
    judge_version(call);
    if (enables_features(pCreateInfo) && !asked_was(ASKED_FEATURES))
        advise(call, BestPractices_vkCreateDevice_physical_device_features_not_retrieved,
               CREATE_INFO, NULL,
               "enables features, and the program has not asked which there are");
    /* with pipelineRobustness, each pipeline chooses whether its accesses are checked */
    if (device_has_feature(call->device, FEATURE_robustBufferAccess) &&
        !device_has_feature(call->device, FEATURE_pipelineRobustness))
        advise(call, BestPractices_vkCreateDevice_RobustBufferAccess, CREATE_INFO, NULL,
               "enables robustBufferAccess");
}

/* --- lists that were cut short --- */

/* Advises if a list of queue families was truncated. `given`: the number of families that the
 * program got; `there`: that exist. */
static void judge_families(const struct call *call, uint32_t given, uint32_t there)
{
    if (given < there)
        advise(call, BestPractices_GetPhysicalDeviceQueueFamilyProperties_CountMismatch,
               &LOCATION(NULL, "pQueueFamilyPropertyCount"), NULL,
               "is %u, and the physical device has %u queue families", given, there);
}

void practices_after_GetPhysicalDeviceQueueFamilyProperties(struct call *call,
                                                            VkPhysicalDevice physicalDevice,
                                                            uint32_t *pQueueFamilyPropertyCount,
                                                            VkQueueFamilyProperties
                                                                *pQueueFamilyProperties)
{
    uint32_t there = 0;
    if (!pQueueFamilyProperties)
        return;
    call->instance->dispatch.GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &there, NULL);
    judge_families(call, *pQueueFamilyPropertyCount, there);
}

void practices_after_GetPhysicalDeviceQueueFamilyProperties2(struct call *call,
                                                             VkPhysicalDevice physicalDevice,
                                                             uint32_t *pQueueFamilyPropertyCount,
                                                             VkQueueFamilyProperties2
                                                                 *pQueueFamilyProperties)
{
    uint32_t there = 0;
    if (!pQueueFamilyProperties)
        return;
    call->instance->dispatch.GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &there, NULL);
    judge_families(call, *pQueueFamilyPropertyCount, there);
}

/* Notes that formats were queried, and advises if their list was truncated. `wanted`: the call
 * queried the formats, not only their number. */
static void judge_formats(const struct call *call, uint32_t count, bool wanted)
{
    if (wanted)
        asked_note(ASKED_FORMATS);
    if (wanted && call->result == VK_INCOMPLETE)
        advise(call, BestPractices_GetPhysicalDeviceSurfaceFormatsKHR_CountMismatch,
               &LOCATION(NULL, "pSurfaceFormatCount"), NULL,
               "is %u, and the surface has more formats", count);
}

void practices_after_GetPhysicalDeviceSurfaceFormatsKHR(struct call *call,
                                                        VkPhysicalDevice physicalDevice,
                                                        VkSurfaceKHR surface,
                                                        uint32_t *pSurfaceFormatCount,
                                                        VkSurfaceFormatKHR *pSurfaceFormats)
{
    judge_formats(call, *pSurfaceFormatCount, pSurfaceFormats != NULL);
}

void practices_after_GetPhysicalDeviceSurfaceFormats2KHR(struct call *call,
                                                         VkPhysicalDevice physicalDevice,
                                                         const VkPhysicalDeviceSurfaceInfo2KHR
                                                             *pSurfaceInfo,
                                                         uint32_t *pSurfaceFormatCount,
                                                         VkSurfaceFormat2KHR *pSurfaceFormats)
{
    judge_formats(call, *pSurfaceFormatCount, pSurfaceFormats != NULL);
}

/* --- planes of displays --- */

void practices_after_GetPhysicalDeviceDisplayPlanePropertiesKHR(struct call *call,
                                                                VkPhysicalDevice physicalDevice,
                                                                uint32_t *pPropertyCount,
                                                                VkDisplayPlanePropertiesKHR
                                                                    *pProperties)
{
    if (pProperties)
        asked_note(ASKED_PLANES);
}

void practices_after_GetPhysicalDeviceDisplayPlaneProperties2KHR(struct call *call,
                                                                 VkPhysicalDevice physicalDevice,
                                                                 uint32_t *pPropertyCount,
                                                                 VkDisplayPlaneProperties2KHR
                                                                     *pProperties)
{
    if (pProperties)
        asked_note(ASKED_PLANES);
}

void practices_after_GetDisplayPlaneSupportedDisplaysKHR(struct call *call,
                                                         VkPhysicalDevice physicalDevice,
                                                         uint32_t planeIndex,
                                                         uint32_t *pDisplayCount,
                                                         VkDisplayKHR *pDisplays)
{
    if (!asked_was(ASKED_PLANES))
        advise(call, BestPractices_vkGetDisplayPlaneSupportedDisplaysKHR_properties_not_retrieved,
               &LOCATION(NULL, "planeIndex"), NULL,
               "is %u, and the program has not asked which planes there are", planeIndex);
}
