/* Checks that a device may be created, and that its queues may be retrieved (5.2 "Devices", 5.3
 * "Queues"). */
#include "core/device/physical_device.h"
#include "core/extension_needs.h" /* generated */
#include "core/hooks.h"
#include "core/promoted_features.h" /* generated */
#include "state/submit/queue.h"
#include "report/names/feature_names.h"

#include "report/finding/rule.h"

#include <string.h>

/* The data that the checks of one VkDeviceCreateInfo use. */
struct device_subject {
    struct subject s;
    const VkDeviceCreateInfo *info;
    VkPhysicalDevice physical_device;
    uint32_t family_count;             /* length of `families` */
    VkQueueFamilyProperties *families; /* in scratch memory; NULL: an allocation failed */
};

/* Checks one element of pQueueCreateInfos. */
static void check_queue(struct device_subject *d, uint32_t index)
{
    assert(index < d->info->queueCreateInfoCount);
    const VkDeviceQueueCreateInfo *info = &d->info->pQueueCreateInfos[index];
    struct subject s = {.call = d->s.call,
                        .where = &LOCATION_INDEX(d->s.where, "pQueueCreateInfos", index)};
    REQUIRE(&s, RULE_00381, info->queueFamilyIndex < d->family_count, "queueFamilyIndex",
            "is %u, but the physical device has %u queue families", info->queueFamilyIndex,
            d->family_count);
    if (info->queueFamilyIndex < d->family_count) {
        const VkQueueFamilyProperties *family = &d->families[info->queueFamilyIndex];
        REQUIRE(&s, RULE_00382, info->queueCount <= family->queueCount, "queueCount",
                "is %u, but queue family %u has %u queues", info->queueCount,
                info->queueFamilyIndex, family->queueCount);
        REQUIRE(&s, RULE_06449,
                !(info->flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) ||
                    family->queueFlags & VK_QUEUE_PROTECTED_BIT,
                "flags",
                "has VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, but queue family %u has no "
                "VK_QUEUE_PROTECTED_BIT",
                info->queueFamilyIndex);
    }
    d->s.skip |= s.skip;
}

/* The global priority that an element requests. Without the structure, "the implicit default value"
 * is medium. */
static VkQueueGlobalPriority priority_of(const VkDeviceQueueCreateInfo *info)
{
    const VkDeviceQueueGlobalPriorityCreateInfo *given =
        CHAINED(info->pNext, DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO);
    return given ? given->globalPriority : VK_QUEUE_GLOBAL_PRIORITY_MEDIUM;
}

/* Checks several elements that name the same family. */
static void check_shared_families(struct device_subject *d)
{
    const VkDeviceQueueCreateInfo *queues = d->info->pQueueCreateInfos;
    uint32_t count = d->info->queueCreateInfoCount;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t sum = queues[i].queueCount;
        for (uint32_t k = 0; k < i; k++) {
            if (queues[k].queueFamilyIndex != queues[i].queueFamilyIndex)
                continue;
            sum += queues[k].queueCount;
            REQUIRE(&d->s, RULE_02802, queues[k].flags != queues[i].flags, "pQueueCreateInfos",
                    "has queue family %u with the same flags in elements %u and %u",
                    queues[i].queueFamilyIndex, k, i);
            REQUIRE(&d->s, RULE_06654, priority_of(&queues[k]) == priority_of(&queues[i]),
                    "pQueueCreateInfos",
                    "has queue family %u with %s in element %u and %s in element %u",
                    queues[i].queueFamilyIndex,
                    TEXT_OF(VkQueueGlobalPriority, priority_of(&queues[k])), k,
                    TEXT_OF(VkQueueGlobalPriority, priority_of(&queues[i])), i);
        }
        if (sum > queues[i].queueCount && queues[i].queueFamilyIndex < d->family_count)
            REQUIRE(&d->s, RULE_06755, sum <= d->families[queues[i].queueFamilyIndex].queueCount,
                    "pQueueCreateInfos", "asks for %llu queues of family %u in all, which has %u",
                    (unsigned long long)sum, queues[i].queueFamilyIndex,
                    d->families[queues[i].queueFamilyIndex].queueCount);
    }
}

/* Checks that the features structure of a version is not chained together with feature structures
 * that it contains. */
static void check_feature_chain(struct device_subject *d)
{
    const VkDeviceCreateInfo *info = d->info;
    for (size_t i = 0; i < ARRAY_LENGTH(promoted_features); i++) {
        const struct promoted_features *promoted = &promoted_features[i];
        if (!chain_find(info->pNext, promoted->version) || !chain_find(info->pNext, promoted->type))
            continue;
        BROKEN_OF(&d->s, NULL, promoted->rule, "pNext",
                  "has both %s and the structure of the version's features that has taken it in",
                  promoted->name);
    }
}

/* True if the set has all extensions of at least one alternative. */
static bool need_is_met(const struct extension_set *set, const uint16_t *words)
{
    for (bool whole = true; *words != EXTENSION_NEED_END; words++) {
        whole &= extension_set_has(set, (enum extension)(*words & ~EXTENSION_NEED_OR));
        if (!(*words & EXTENSION_NEED_OR))
            continue;
        if (whole)
            return true;
        whole = true;
    }
    return false;
}

/* All required device extensions for each extension in ppEnabledExtensionNames must also be present
 * in that list. The version may contain them instead. */
static void check_extension_needs(struct device_subject *d)
{
    const struct instance *instance = d->s.call->instance;
    struct extension_set named = {0}, there = {0};
    VkPhysicalDeviceProperties properties;
    if (!d->info->enabledExtensionCount || pointer_is_bad(d->info->ppEnabledExtensionNames))
        return;
    for (uint32_t i = 0; i < d->info->enabledExtensionCount; i++) {
        if (pointer_is_bad(d->info->ppEnabledExtensionNames[i]))
            return;
    }
    instance->dispatch.GetPhysicalDeviceProperties(d->physical_device, &properties);
    /* The version of the device is the lower one of the two. */
    uint32_t version = instance->api_version < properties.apiVersion ? instance->api_version
                                                                     : properties.apiVersion;
    extension_set_enable(&there, version, d->info->ppEnabledExtensionNames,
                         d->info->enabledExtensionCount);
    for (uint32_t i = 0; i < d->info->enabledExtensionCount; i++) {
        enum extension extension = extension_by_name(d->info->ppEnabledExtensionNames[i]);
        if (extension != EXTENSION_COUNT)
            extension_set_add(&named, extension);
    }
    REQUIRE(&d->s, RULE_01840,
            properties.apiVersion < VK_API_VERSION_1_1 ||
                !extension_set_has(&named, EXTENSION_VK_AMD_negative_viewport_height),
            "ppEnabledExtensionNames",
            "has VK_AMD_negative_viewport_height, but the physical device supports Vulkan 1.1");
    for (size_t i = 0; i < ARRAY_LENGTH(extension_needs); i++) {
        const struct extension_need *need = &extension_needs[i];
        if (extension_set_has(&named, (enum extension)need->extension) &&
            !need_is_met(&there, &extension_need_words[need->words]))
            REQUIRE(&d->s, RULE_01387, false, "ppEnabledExtensionNames",
                    "has %s, but not what it needs: %s", extension_info[need->extension].name,
                    need->text);
    }
}

/* Queries a structure of properties of the physical device; false if that is not possible. */
static bool ask_properties(const struct device_subject *d, void *properties)
{
    const struct instance_dispatch *next = &d->s.call->instance->dispatch;
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = properties};
    if (!next->GetPhysicalDeviceProperties2)
        return false;
    next->GetPhysicalDeviceProperties2(d->physical_device, &all);
    return true;
}

/* If robustBufferAccess is enabled, and robustBufferAccessUpdateAfterBind is VK_FALSE, buffers may
 * not be updated after they are bound. */
static void check_robust_access(struct device_subject *d)
{
    const VkDeviceCreateInfo *info = d->info;
    const VkPhysicalDeviceFeatures2 *features2 = CHAINED(info->pNext, PHYSICAL_DEVICE_FEATURES_2);
    const VkPhysicalDeviceFeatures *features = features2 ? &features2->features
                                               : pointer_is_bad(info->pEnabledFeatures)
                                                   ? NULL
                                                   : info->pEnabledFeatures;
    const VkPhysicalDeviceDescriptorIndexingFeatures *indexing =
        CHAINED(info->pNext, PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES);
    const VkPhysicalDeviceVulkan12Features *of_1_2 =
        CHAINED(info->pNext, PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    VkPhysicalDeviceDescriptorIndexingProperties properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
    const char *name = NULL;
    if (!features || !features->robustBufferAccess || (!indexing && !of_1_2))
        return;
/* The feature's name if one of two structures of the create info enables it; otherwise NULL. */
#define ENABLED(feature_) \
    ((indexing && indexing->feature_) || (of_1_2 && of_1_2->feature_) ? #feature_ : NULL)
    if (!name)
        name = ENABLED(descriptorBindingUniformBufferUpdateAfterBind);
    if (!name)
        name = ENABLED(descriptorBindingStorageBufferUpdateAfterBind);
    if (!name)
        name = ENABLED(descriptorBindingUniformTexelBufferUpdateAfterBind);
    if (!name)
        name = ENABLED(descriptorBindingStorageTexelBufferUpdateAfterBind);
#undef ENABLED
    if (name && ask_properties(d, &properties))
        REQUIRE(&d->s, RULE_10247, properties.robustBufferAccessUpdateAfterBind, "pNext",
                "enables %s beside robustBufferAccess, but robustBufferAccessUpdateAfterBind of "
                "the physical device is VK_FALSE",
                name);
}

/* True if one group of physical devices contains all of them, or the driver does not report its
 * groups. */
static bool are_in_a_group(const struct device_subject *d,
                           const VkDeviceGroupDeviceCreateInfo *asked)
{
    const struct instance *instance = d->s.call->instance;
    uint32_t count = 0;
    if (asked->physicalDeviceCount < 2 || !instance->dispatch.EnumeratePhysicalDeviceGroups ||
        instance->dispatch.EnumeratePhysicalDeviceGroups(instance->handle, &count, NULL) !=
            VK_SUCCESS)
        return true;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    VkPhysicalDeviceGroupProperties *groups = scratch_alloc(scratch, count * sizeof(*groups));
    bool known = groups != NULL, together = false;
    for (uint32_t i = 0; known && i < count; i++)
        groups[i] = (VkPhysicalDeviceGroupProperties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
    known = known && instance->dispatch.EnumeratePhysicalDeviceGroups(instance->handle, &count,
                                                                      groups) == VK_SUCCESS;
    for (uint32_t i = 0; known && i < count; i++) {
        uint32_t found = 0;
        for (uint32_t k = 0; k < asked->physicalDeviceCount; k++) {
            for (uint32_t j = 0; j < groups[i].physicalDeviceCount; j++)
                found += groups[i].physicalDevices[j] == asked->pPhysicalDevices[k];
        }
        together |= found == asked->physicalDeviceCount;
    }
    scratch_rewind(scratch, mark);
    return !known || together;
}

/* Checks the physical devices of a device group: they are different, in one group, and include the
 * device's own. */
static void device_create_check_group(struct device_subject *d)
{
    const VkDeviceGroupDeviceCreateInfo *group =
        CHAINED(d->info->pNext, DEVICE_GROUP_DEVICE_CREATE_INFO);
    struct subject s = {.call = d->s.call,
                        .where = &LOCATION_CHAINED(d->s.where, "VkDeviceGroupDeviceCreateInfo")};
    bool found = false;
    if (likely(!group) || !group->physicalDeviceCount || pointer_is_bad(group->pPhysicalDevices))
        return;
    for (uint32_t i = 0; i < group->physicalDeviceCount; i++) {
        found |= group->pPhysicalDevices[i] == d->physical_device;
        for (uint32_t k = 0; k < i; k++)
            REQUIRE(&s, RULE_00375, group->pPhysicalDevices[i] != group->pPhysicalDevices[k],
                    &LOCATION_INDEX(s.where, "pPhysicalDevices", i), "is the same as element %u",
                    k);
    }
    REQUIRE(&s, RULE_00376, !found || are_in_a_group(d, group), "pPhysicalDevices",
            "has physical devices of more than one device group");
    REQUIRE(&s, RULE_00377, found, "pPhysicalDevices",
            "does not have physicalDevice, which the device is created of");
    d->s.skip |= s.skip;
}

/* Checks how many shader cores queues have (VK_ARM_scheduling_controls). */
static void check_shader_cores(struct device_subject *d)
{
    const VkDeviceQueueShaderCoreControlCreateInfoARM *control =
        CHAINED(d->info->pNext, DEVICE_QUEUE_SHADER_CORE_CONTROL_CREATE_INFO_ARM);
    const uint32_t count =
        pointer_is_bad(d->info->pQueueCreateInfos) ? 0 : d->info->queueCreateInfoCount;
    /* The driver is only queried if some chain has the structure. */
    bool asked = control != NULL;
    for (uint32_t i = 0; i < count; i++)
        asked |= CHAINED(d->info->pQueueCreateInfos[i].pNext,
                         DEVICE_QUEUE_SHADER_CORE_CONTROL_CREATE_INFO_ARM) != NULL;
    if (likely(!asked))
        return;
    VkPhysicalDeviceShaderCoreBuiltinsPropertiesARM cores = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CORE_BUILTINS_PROPERTIES_ARM};
    VkPhysicalDeviceSchedulingControlsPropertiesARM controls = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_PROPERTIES_ARM,
        .pNext = &cores};
    const bool known = ask_properties(d, &controls);
    const bool can = !known || controls.schedulingControlsFlags &
                                   VK_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_SHADER_CORE_COUNT_ARM;
    static const char text[] =
        "has a VkDeviceQueueShaderCoreControlCreateInfoARM, but schedulingControlsFlags lacks "
        "VK_PHYSICAL_DEVICE_SCHEDULING_CONTROLS_SHADER_CORE_COUNT_ARM";
    if (control)
        REQUIRE(&d->s, RULE_09397, can, "pNext", "%s", text);
    /* The last iteration is for the structure in the device's own chain. */
    for (uint32_t i = 0; i <= count; i++) {
        const struct location *at =
            i < count ? &LOCATION_INDEX(d->s.where, "pQueueCreateInfos", i) : d->s.where;
        const VkDeviceQueueShaderCoreControlCreateInfoARM *of_queue =
            i < count ? CHAINED(d->info->pQueueCreateInfos[i].pNext,
                                DEVICE_QUEUE_SHADER_CORE_CONTROL_CREATE_INFO_ARM)
                      : control;
        if (!of_queue)
            continue;
        struct subject s = {.call = d->s.call, .where = at};
        if (i < count && control)
            BROKEN(&s, RULE_09396, "pNext",
                   "has a VkDeviceQueueShaderCoreControlCreateInfoARM, and so has pCreateInfo");
        else if (i < count)
            REQUIRE(&s, RULE_09398, can, "pNext", "%s", text);
        if (known && cores.shaderCoreCount)
            REQUIRE(&s, RULE_09399,
                    of_queue->shaderCoreCount && of_queue->shaderCoreCount <= cores.shaderCoreCount,
                    &LOCATION(&LOCATION_CHAINED(at, "VkDeviceQueueShaderCoreControlCreateInfoARM"),
                              "shaderCoreCount"),
                    "is %u, but must be 1 to %u, the device's shaderCoreCount",
                    of_queue->shaderCoreCount, cores.shaderCoreCount);
        d->s.skip |= s.skip;
    }
}

/* Checks disableInternalCache by a query of the physical device, as there is no device yet. */
static void check_binary_cache(struct device_subject *d)
{
    const VkDevicePipelineBinaryInternalCacheControlKHR *control =
        CHAINED(d->info->pNext, DEVICE_PIPELINE_BINARY_INTERNAL_CACHE_CONTROL_KHR);
    VkPhysicalDevicePipelineBinaryPropertiesKHR properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_PROPERTIES_KHR};
    if (control && control->disableInternalCache && ask_properties(d, &properties))
        REQUIRE(&d->s, RULE_09602, properties.pipelineBinaryInternalCacheControl,
                &LOCATION(&LOCATION_CHAINED(d->s.where,
                                            "VkDevicePipelineBinaryInternalCacheControlKHR"),
                          "disableInternalCache"),
                "is VK_TRUE, but pipelineBinaryInternalCacheControl of the physical device is "
                "VK_FALSE");
}

/* Where the driver lists VK_KHR_portability_subset, ppEnabledExtensionNames must include it */
static void check_portability(struct device_subject *d)
{
    /* only a header for beta extensions defines the name */
    static const char name[] = "VK_KHR_portability_subset";
    const VkDeviceCreateInfo *info = d->info;
    const uint32_t count =
        pointer_is_bad(info->ppEnabledExtensionNames) ? 0 : info->enabledExtensionCount;
    for (uint32_t i = 0; i < count; i++) {
        if (pointer_is_bad(info->ppEnabledExtensionNames[i]) ||
            strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return;
    }
    REQUIRE(&d->s, RULE_04451,
            !physical_device_has_extension(d->s.call->instance, d->physical_device, name, false),
            "ppEnabledExtensionNames", "does not have %s, which the physical device supports",
            name);
}

/* If the maintenance9 feature is not supported, queueCreateInfoCount must be greater than 0 */
static void check_no_queues(struct device_subject *d)
{
    const struct instance_dispatch *next = &d->s.call->instance->dispatch;
    VkPhysicalDeviceMaintenance9FeaturesKHR maintenance9 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_9_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &maintenance9};
    if (likely(d->info->queueCreateInfoCount))
        return;
    if (next->GetPhysicalDeviceFeatures2)
        next->GetPhysicalDeviceFeatures2(d->physical_device, &features);
    REQUIRE(&d->s, RULE_10778, maintenance9.maintenance9, "queueCreateInfoCount",
            "is 0, but the physical device does not support the feature maintenance9");
}

bool core_validate_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                                const VkDeviceCreateInfo *pCreateInfo,
                                const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    const struct instance_dispatch *next = &call->instance->dispatch;
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct device_subject d = {.s = {.call = call, .where = &LOCATION_POINTER(NULL, "pCreateInfo")},
                               .info = pCreateInfo,
                               .physical_device = physicalDevice};
    next->GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &d.family_count, NULL);
    d.families = scratch_alloc(scratch, d.family_count * sizeof(*d.families));
    if (d.families && !pointer_is_bad(pCreateInfo->pQueueCreateInfos)) {
        next->GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &d.family_count, d.families);
        for (uint32_t i = 0; i < pCreateInfo->queueCreateInfoCount; i++)
            check_queue(&d, i);
        check_shared_families(&d);
    }
    scratch_rewind(scratch, mark);
    check_feature_chain(&d);
    check_extension_needs(&d);
    check_robust_access(&d);
    device_create_check_group(&d);
    check_shader_cores(&d);
    check_binary_cache(&d);
    check_no_queues(&d);
    check_portability(&d);
    return d.s.skip;
}

/* --- queues that the device was created with --- */

/* The number of queues that the device has in the family; UINT32_MAX: not known. `flags`: only
 * queues with these flags count; NULL: any. `*any`: whether the family has any queues. */
static uint32_t requested_queues(const struct device *device, uint32_t family,
                                 const VkDeviceQueueCreateFlags *flags, bool *any)
{
    assert(device->object);
    const struct device_state *state = object_load_state(device->object);
    uint32_t count = 0;
    *any = false;
    if (!state || state->request_count == UINT32_MAX)
        return UINT32_MAX;
    for (uint32_t i = 0; i < state->request_count; i++) {
        const struct queue_request *request = &state->requests[i];
        if (request->family != family)
            continue;
        *any = true;
        if (!flags || request->flags == *flags)
            count += request->count;
    }
    return count;
}

bool core_validate_GetDeviceQueue(struct call *call, VkDevice device, uint32_t queueFamilyIndex,
                                  uint32_t queueIndex, VkQueue *pQueue)
{
    static const VkDeviceQueueCreateFlags none;
    struct subject s = {.call = call};
    bool any;
    uint32_t count = requested_queues(call->device, queueFamilyIndex, &none, &any);
    if (count == UINT32_MAX)
        return false;
    REQUIRE(&s, RULE_00384, any, "queueFamilyIndex",
            "is %u, but the device was created without queues of that family", queueFamilyIndex);
    if (!any) {
        if (s.skip)
            *pQueue = VK_NULL_HANDLE; /* the loader reads it after the call */
        return s.skip;
    }
    REQUIRE(&s, RULE_01841, count, "queueFamilyIndex",
            "is %u, a family whose queues were created with flags: vkGetDeviceQueue2 gets those",
            queueFamilyIndex);
    if (count)
        REQUIRE(&s, RULE_00385, queueIndex < count, "queueIndex",
                "is %u, but the device was created with %u queues of family %u", queueIndex, count,
                queueFamilyIndex);
    if (s.skip)
        *pQueue = VK_NULL_HANDLE; /* the loader reads it after the call */
    return s.skip;
}

bool core_validate_GetDeviceQueue2(struct call *call, VkDevice device,
                                   const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
    struct subject s = {.call = call, .where = &LOCATION_POINTER(NULL, "pQueueInfo")};
    bool any;
    uint32_t count =
        requested_queues(call->device, pQueueInfo->queueFamilyIndex, &pQueueInfo->flags, &any);
    if (count == UINT32_MAX)
        return false;
    REQUIRE(&s, RULE_01842, any, "queueFamilyIndex",
            "is %u, but the device was created without queues of that family",
            pQueueInfo->queueFamilyIndex);
    if (!any) {
        if (s.skip)
            *pQueue = VK_NULL_HANDLE; /* the loader reads it after the call */
        return s.skip;
    }
    REQUIRE(&s, RULE_06225, count, "flags",
            "is %s, with which the device has no queues of family %u",
            TEXT_OF(VkDeviceQueueCreateFlags, pQueueInfo->flags), pQueueInfo->queueFamilyIndex);
    if (count)
        REQUIRE(&s, RULE_01843, pQueueInfo->queueIndex < count, "queueIndex",
                "is %u, but the device was created with %u such queues of family %u",
                pQueueInfo->queueIndex, count, pQueueInfo->queueFamilyIndex);
    if (s.skip)
        *pQueue = VK_NULL_HANDLE; /* the loader reads it after the call */
    return s.skip;
}
