/* Implements extensions of shader aborts on a physical device whose driver lacks them, and lists
 * them to programs. */
#include "chassis/emulated.h"

#include <string.h>

#include "chassis/translate.h"
#include "objects/device.h"
#include "vk/chain.h"

/* The longest message, in bytes. The specification requires at least this value. */
#define MESSAGE_SIZE 65536u
/* The number of fault reports that a device keeps (gpu/abort/abort.c). */
#define FAULT_COUNT 1024u

/* The extensions that the layer can emulate, with the structure by which a device enables each. */
static const struct {
    enum emulated which;
    VkStructureType features;
    VkExtensionProperties properties;
} extensions[] = {
    {EMULATED_SHADER_ABORT,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR,
     {VK_KHR_SHADER_ABORT_EXTENSION_NAME, VK_KHR_SHADER_ABORT_SPEC_VERSION}},
    {EMULATED_CONSTANT_DATA,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR,
     {VK_KHR_SHADER_CONSTANT_DATA_EXTENSION_NAME, VK_KHR_SHADER_CONSTANT_DATA_SPEC_VERSION}},
    {EMULATED_DEVICE_FAULT,
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR,
     {VK_KHR_DEVICE_FAULT_EXTENSION_NAME, VK_KHR_DEVICE_FAULT_SPEC_VERSION}},
};

/* --- what the driver has --- */

/* Lists the extensions of the layers and the driver below, in scratch memory. The array has space
 * for the emulated ones at its end. */
static VkResult list_below(const struct instance *instance, VkPhysicalDevice physical_device,
                           VkExtensionProperties **list, uint32_t *count)
{
    PFN_vkEnumerateDeviceExtensionProperties enumerate =
        instance->below.EnumerateDeviceExtensionProperties;
    VkResult result = enumerate(physical_device, NULL, count, NULL);
    if (result != VK_SUCCESS)
        return result;
    *list = scratch_alloc(&thread_self()->scratch,
                          (*count + ARRAY_LENGTH(extensions)) * sizeof(**list));
    return *list ? enumerate(physical_device, NULL, count, *list) : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* True if the list has the extension. */
static bool extensions_list(const VkExtensionProperties *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(list[i].extensionName, name))
            return true;
    }
    return false;
}

/* True if the driver can do what the emulation needs. A shader that aborts writes to the layer's
 * memory by an address, and all stages must be able to do that. */
static bool has_what_is_needed(const struct instance *instance, VkPhysicalDevice physical_device,
                               const VkExtensionProperties *list, uint32_t count)
{
    VkPhysicalDeviceProperties properties;
    instance->dispatch.GetPhysicalDeviceProperties(physical_device, &properties);
    /* The version that the program asked for bounds what the layer may use of the device. */
    uint32_t version = instance->api_version < properties.apiVersion ? instance->api_version
                                                                     : properties.apiVersion;
    if (version < VK_API_VERSION_1_1)
        return false;
    if (version < VK_API_VERSION_1_2 &&
        !extensions_list(list, count, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME))
        return false;
    VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &addresses};
    instance->below.GetPhysicalDeviceFeatures2(physical_device, &features);
    return addresses.bufferDeviceAddress && features.features.vertexPipelineStoresAndAtomics &&
           features.features.fragmentStoresAndAtomics;
}

/* Chooses the extensions that the layer emulates if the driver reports `list`. Returns bits of enum
 * emulated. */
static uint32_t emulated_choose(const struct instance *instance, VkPhysicalDevice physical_device,
                                const VkExtensionProperties *list, uint32_t count)
{
    const bool always = instance->settings.shader_abort == SHADER_ABORT_EMULATE;
    uint32_t chosen = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
        if (always || !extensions_list(list, count, extensions[i].properties.extensionName))
            chosen |= extensions[i].which;
    }
    bool emulates = (chosen & EMULATED_SHADER_ABORT) &&
                    has_what_is_needed(instance, physical_device, list, count);
    /* The other two extensions are only of use together with aborts. */
    return emulates ? chosen : 0;
}

/* Returns bits of enum emulated for a physical device. 0 also if the driver's list is not
 * available. */
static uint32_t emulated_of(const struct instance *instance, VkPhysicalDevice physical_device)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkExtensionProperties *list = NULL;
    uint32_t count = 0, chosen = 0;
    if (list_below(instance, physical_device, &list, &count) == VK_SUCCESS)
        chosen = emulated_choose(instance, physical_device, list, count);
    scratch_rewind(scratch, mark);
    return chosen;
}

/* --- what programs see --- */

/* Finds the instance of a physical device. If the layer does not know the physical device yet, the
 * loader's dispatch table leads to the instance. NULL: both are unknown. */
static const struct instance *instance_of(VkPhysicalDevice physical_device)
{
    const struct object *object = object_find_dispatchable(physical_device, HANDLE_PHYSICAL_DEVICE);
    const struct instance *instance = object ? owner_instance(object->owner) : NULL;
    return instance ? instance : instance_by_dispatch_key(physical_device);
}

/* Answers a query with the two-call idiom. `*asked` is the capacity of `to` before, and the number
 * of elements afterwards. */
static VkResult emulated_answer(const VkExtensionProperties *list, uint32_t count, uint32_t *asked,
                                VkExtensionProperties *to)
{
    uint32_t given = to && *asked < count ? *asked : count;
    if (to)
        memcpy(to, list, given * sizeof(*to));
    *asked = given;
    return given < count ? VK_INCOMPLETE : VK_SUCCESS;
}

/* Replaces vkEnumerateDeviceExtensionProperties: lists the driver's extensions, and those that the
 * layer emulates. */
static VKAPI_ATTR VkResult VKAPI_CALL enumerate_extensions(VkPhysicalDevice physicalDevice,
                                                           const char *pLayerName,
                                                           uint32_t *pPropertyCount,
                                                           VkExtensionProperties *pProperties)
{
    const struct instance *instance = instance_of(physicalDevice);
    if (!instance)
        return VK_ERROR_INITIALIZATION_FAILED;
    /* With pLayerName the program wants the extensions of one layer, without the driver's. */
    if (pLayerName)
        return instance->below.EnumerateDeviceExtensionProperties(physicalDevice, pLayerName,
                                                                  pPropertyCount, pProperties);
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkExtensionProperties *list = NULL;
    uint32_t count = 0;
    VkResult result = list_below(instance, physicalDevice, &list, &count);
    if (result == VK_SUCCESS) {
        const uint32_t chosen = emulated_choose(instance, physicalDevice, list, count),
                       below = count;
        for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
            if ((chosen & extensions[i].which) &&
                /* An emulated extension that the driver also lists is not listed twice. */
                !extensions_list(list, below, extensions[i].properties.extensionName))
                list[count++] = extensions[i].properties;
        }
        result = emulated_answer(list, count, pPropertyCount, pProperties);
    }
    scratch_rewind(scratch, mark);
    return result;
}

/* Sets the features that the layer emulates in a structure. `emulated`: bits of enum emulated. */
static void fill_features(VkBaseOutStructure *structure, uint32_t emulated)
{
    switch (structure->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR:
        if (emulated & EMULATED_SHADER_ABORT)
            ((VkPhysicalDeviceShaderAbortFeaturesKHR *)(void *)structure)->shaderAbort = VK_TRUE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CONSTANT_DATA_FEATURES_KHR:
        if (emulated & EMULATED_CONSTANT_DATA)
            ((VkPhysicalDeviceShaderConstantDataFeaturesKHR *)(void *)structure)
                ->shaderConstantData = VK_TRUE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR:
        if (emulated & EMULATED_DEVICE_FAULT) {
            VkPhysicalDeviceFaultFeaturesKHR *fault = (void *)structure;
            fault->deviceFault = VK_TRUE;
            /* The layer has no binary in a vendor's format, and no masked reports. */
            fault->deviceFaultVendorBinary = fault->deviceFaultReportMasked = VK_FALSE;
            fault->deviceFaultDeviceLostOnMasked = VK_FALSE;
        }
        break;
    default:
        break;
    }
}

/* Sets the properties of what the layer emulates in a structure. `emulated`: bits of enum
 * emulated. */
static void fill_properties(VkBaseOutStructure *structure, uint32_t emulated)
{
    switch (structure->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_PROPERTIES_KHR:
        if (emulated & EMULATED_SHADER_ABORT)
            ((VkPhysicalDeviceShaderAbortPropertiesKHR *)(void *)structure)
                ->maxShaderAbortMessageSize = MESSAGE_SIZE;
        break;
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR:
        if (emulated & EMULATED_DEVICE_FAULT)
            ((VkPhysicalDeviceFaultPropertiesKHR *)(void *)structure)->maxDeviceFaultCount =
                FAULT_COUNT;
        break;
    default:
        break;
    }
}

/* True for structures of emulated extensions, which the layer fills in. */
static bool is_ours(VkStructureType type)
{
    for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
        if (type == extensions[i].features)
            return true;
    }
    return type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_PROPERTIES_KHR ||
           type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_PROPERTIES_KHR;
}

/* Fills in the structures of emulated extensions in a chain. The driver is only queried if the
 * chain has such a structure. */
static void fill_chain(const struct instance *instance, VkPhysicalDevice physical_device,
                       void *chain, void (*fill)(VkBaseOutStructure *, uint32_t))
{
    uint32_t emulated = UINT32_MAX;
    for (struct chain_walk walk = chain_begin(chain); walk.at; chain_step(&walk)) {
        VkBaseOutStructure *at = (VkBaseOutStructure *)(uintptr_t)walk.at;
        if (!is_ours(at->sType))
            continue;
        if (emulated == UINT32_MAX)
            emulated = emulated_of(instance, physical_device);
        fill(at, emulated);
    }
}

/* Replaces vkGetPhysicalDeviceFeatures2. */
static VKAPI_ATTR void VKAPI_CALL get_features(VkPhysicalDevice physicalDevice,
                                               VkPhysicalDeviceFeatures2 *pFeatures)
{
    const struct instance *instance = instance_of(physicalDevice);
    if (!instance)
        return;
    instance->below.GetPhysicalDeviceFeatures2(physicalDevice, pFeatures);
    fill_chain(instance, physicalDevice, pFeatures->pNext, fill_features);
}

/* Replaces vkGetPhysicalDeviceProperties2. */
static VKAPI_ATTR void VKAPI_CALL get_properties(VkPhysicalDevice physicalDevice,
                                                 VkPhysicalDeviceProperties2 *pProperties)
{
    const struct instance *instance = instance_of(physicalDevice);
    if (!instance)
        return;
    instance->below.GetPhysicalDeviceProperties2(physicalDevice, pProperties);
    fill_chain(instance, physicalDevice, pProperties->pNext, fill_properties);
}

void emulated_instance_begin(struct instance *instance)
{
    struct instance_dispatch *dispatch = &instance->dispatch;
    if (instance->settings.shader_abort == SHADER_ABORT_OFF ||
        instance->api_version < VK_API_VERSION_1_1 ||
        !dispatch->EnumerateDeviceExtensionProperties || !dispatch->GetPhysicalDeviceFeatures2 ||
        !dispatch->GetPhysicalDeviceProperties2)
        return;
    /* The layer's replacements call these functions of the driver first. */
    instance->below = (struct emulated_below){dispatch->EnumerateDeviceExtensionProperties,
                                              dispatch->GetPhysicalDeviceFeatures2,
                                              dispatch->GetPhysicalDeviceProperties2};
    dispatch->EnumerateDeviceExtensionProperties = enumerate_extensions;
    dispatch->GetPhysicalDeviceFeatures2 = get_features;
    dispatch->GetPhysicalDeviceProperties2 = get_properties;
}

/* --- a device that enables emulated extensions --- */

/* Returns the bit of enum emulated for the extension with this name. 0: it is not emulated. */
static uint32_t emulated_by_name(const char *name)
{
    for (size_t i = 0; name && i < ARRAY_LENGTH(extensions); i++) {
        if (!strcmp(name, extensions[i].properties.extensionName))
            return extensions[i].which;
    }
    return 0;
}

uint32_t emulated_of_device(const struct instance *instance, VkPhysicalDevice physical_device,
                            const VkDeviceCreateInfo *info)
{
    uint32_t all = 0;
    if (!instance->below.GetPhysicalDeviceFeatures2)
        return 0;
    for (uint32_t i = 0; info->ppEnabledExtensionNames && i < info->enabledExtensionCount; i++)
        all |= emulated_by_name(info->ppEnabledExtensionNames[i]);
    return all ? all & emulated_of(instance, physical_device) : 0;
}

/* Removes the names of emulated extensions from the list, in scratch memory. False: out of
 * memory. */
static bool leave_out_names(uint32_t emulated, VkDeviceCreateInfo *down)
{
    const char **names =
        scratch_alloc(&thread_self()->scratch, down->enabledExtensionCount * sizeof(*names));
    uint32_t count = 0;
    for (uint32_t i = 0; names && i < down->enabledExtensionCount; i++) {
        if (!(emulated_by_name(down->ppEnabledExtensionNames[i]) & emulated))
            names[count++] = down->ppEnabledExtensionNames[i];
    }
    /* The copied array is used, and the program's own array stays as it is. */
    down->ppEnabledExtensionNames = names;
    down->enabledExtensionCount = count;
    return names != NULL;
}

/* Removes a structure from a copy of the chain. If the copy cannot be made, the driver gets a
 * structure that it does not know, which does no harm. */
static void leave_out_structure(VkDeviceCreateInfo *down, const VkBaseInStructure *features)
{
    const void *chain = chain_replace(down->pNext, features, NULL);
    if (chain)
        down->pNext = chain;
}

bool emulated_leave_out(uint32_t emulated, VkDeviceCreateInfo *down)
{
    if (!emulated)
        return true;
    for (size_t i = 0; i < ARRAY_LENGTH(extensions); i++) {
        const VkBaseInStructure *features =
            emulated & extensions[i].which ? chain_find(down->pNext, extensions[i].features) : NULL;
        /* The copy's own pointer leads to the first structure. For a later structure, the ones
         * before it are copied. */
        if (features == down->pNext)
            down->pNext = features ? features->pNext : NULL;
        else if (features)
            leave_out_structure(down, features);
    }
    return leave_out_names(emulated, down);
}
