/* Finds the features or extensions because of which the driver has refused to create a device. The
 * driver only reports that one is not present, but not which one. */
#include "chassis/create.h"
#include "chassis/offered.h"

#include <string.h>

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/names/feature_names.h"
#include "vk/chain.h"

/* The most names that a message holds; further names are counted. */
#define NAMES_SHOWN 16

/* The names that a message will list. */
struct missing {
    struct string_builder text;
    uint32_t count; /* how many names there are; the text has at most NAMES_SHOWN */
};

/* Adds a name to the text, as long as there is room. Counts it in any case. */
static void missing_add_name(struct missing *missing, const char *name)
{
    if (missing->count < NAMES_SHOWN)
        string_builder_format(&missing->text, "%s%s", missing->count ? ", " : "", name);
    missing->count++;
}

/* Adds the extensions that the program asks for and the physical device does not list. */
static void find_extensions(struct missing *missing, const struct instance *instance,
                            VkPhysicalDevice physical_device, const VkDeviceCreateInfo *info)
{
    PFN_vkEnumerateDeviceExtensionProperties list =
        instance->dispatch.EnumerateDeviceExtensionProperties;
    uint32_t count = 0;
    if (list(physical_device, NULL, &count, NULL) != VK_SUCCESS)
        return;
    /* One element more is allocated, so that an empty list does not look like a failed
     * allocation. */
    VkExtensionProperties *there = mem_alloc((count + 1) * sizeof(*there));
    bool known = there && list(physical_device, NULL, &count, there) == VK_SUCCESS;
    for (uint32_t i = 0; known && i < info->enabledExtensionCount; i++) {
        uint32_t at = 0;
        while (at < count && strcmp(there[at].extensionName, info->ppEnabledExtensionNames[i]) != 0)
            at++;
        if (at == count)
            missing_add_name(missing, info->ppEnabledExtensionNames[i]);
    }
    mem_free(there);
}

/* Copies the chain's feature structures, for the driver to fill in. Members that are not features
 * stay 0. Returns false if memory is out. */
static bool copy_structures(const void *chain, VkPhysicalDeviceFeatures2 *head)
{
    void **next = &head->pNext;
    for (struct chain_walk from = chain_begin(chain); from.at; chain_step(&from)) {
        size_t size = feature_structure_size(from.at->sType);
        VkBaseOutStructure *copy = size ? scratch_alloc(&thread_self()->scratch, size) : NULL;
        if (size && !copy)
            return false;
        if (!copy)
            continue;
        memset(copy, 0, size);
        copy->sType = from.at->sType;
        *next = copy;
        /* The copies have the same order, so that both chains can be walked side by side. */
        next = (void **)&copy->pNext;
    }
    return true;
}

/* Adds the features that the program enables and the physical device does not support. If the
 * features of the chain cannot be queried, only those of Vulkan 1.0 are compared. */
static void find_features(struct missing *missing, const struct instance *instance,
                          VkPhysicalDevice physical_device, const VkDeviceCreateInfo *info)
{
    struct feature_set asked = {0}, supported = {0};
    VkDeviceCreateInfo plain = *info;
    /* features that an extension enables implicitly are not compared */
    plain.enabledExtensionCount = 0;
    feature_set_read(&asked, &plain);
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    struct scratch_mark mark = scratch_mark(&thread_self()->scratch);
    bool all =
        instance->dispatch.GetPhysicalDeviceFeatures2 && copy_structures(info->pNext, &features);
    if (all)
        instance->dispatch.GetPhysicalDeviceFeatures2(physical_device, &features);
    else
        instance->dispatch.GetPhysicalDeviceFeatures(physical_device, &features.features);
    if (!all)
        features.pNext = NULL;
    feature_set_read(&supported, &(VkDeviceCreateInfo){.pNext = &features});
    scratch_rewind(&thread_self()->scratch, mark);
    for (int i = 0; i < FEATURE_COUNT; i++) {
        const enum feature feature = (enum feature)i;
        bool of_core = !strcmp(feature_structure(feature), "VkPhysicalDeviceFeatures");
        if (feature_set_has(&asked, feature) && !feature_set_has(&supported, feature) &&
            (all || of_core))
            missing_add_name(missing, feature_name(feature));
    }
}

void device_tell_missing(const struct call *call, VkPhysicalDevice physical_device,
                         const VkDeviceCreateInfo *info)
{
    char buffer[1024];
    struct missing missing = {0};
    const bool extension = call->result == VK_ERROR_EXTENSION_NOT_PRESENT;
    if (!extension && call->result != VK_ERROR_FEATURE_NOT_PRESENT)
        return;
    string_builder_begin(&missing.text, buffer, sizeof(buffer));
    if (extension)
        find_extensions(&missing, call->instance, physical_device, info);
    else
        find_features(&missing, call->instance, physical_device, info);
    if (missing.count > NAMES_SHOWN)
        string_builder_format(&missing.text, " and %u more", missing.count - NAMES_SHOWN);
    /* If nothing is missing, the driver refused for another reason, which the layer does not
     * know. */
    if (missing.count)
        finding_with_severity(call, SEVERITY_WARNING, ASSAY_DeviceNotCreated, NULL, NULL,
                              "answered %s: the physical device does not have the %s%s %s",
                              extension ? "VK_ERROR_EXTENSION_NOT_PRESENT"
                                        : "VK_ERROR_FEATURE_NOT_PRESENT",
                              extension ? "extension" : "feature", missing.count > 1 ? "s" : "",
                              missing.text.text);
    string_builder_end(&missing.text);
}
