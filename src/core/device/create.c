/* Checks that a device may be created, and queues be asked for (5.2 "Devices", 5.3 "Queues"). */
#include "core/extension_needs.h" /* generated */
#include "core/hooks.h"
#include "core/promoted_features.h" /* generated */
#include "core/rule.h"
#include "state/queue.h"
#include "report/feature_names.h"

#include <string.h>

/* What the checks of one VkDeviceCreateInfo look at. */
struct device_subject {
    struct subject s;
    const VkDeviceCreateInfo *info;
    struct feature_set features;
    VkPhysicalDevice physical_device;
    uint32_t family_count;
    VkQueueFamilyProperties *families; /* scratch; NULL when memory is out */
};

static bool names_extension(const VkDeviceCreateInfo *info, const char *name)
{
    for (uint32_t i = 0; info->ppEnabledExtensionNames && i < info->enabledExtensionCount; i++) {
        if (!pointer_is_bad(info->ppEnabledExtensionNames[i]) &&
            strcmp(info->ppEnabledExtensionNames[i], name) == 0)
            return true;
    }
    return false;
}

static bool enables(const struct device_subject *d, enum feature feature)
{
    return feature_set_has(&d->features, feature);
}

static void check_queue(struct device_subject *d, uint32_t index)
{
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
    for (uint32_t i = 0; !pointer_is_bad(info->pQueuePriorities) && i < info->queueCount; i++) {
        float priority = info->pQueuePriorities[i];
        REQUIRE(&s, RULE_00383, priority >= 0 && priority <= 1, "pQueuePriorities",
                "has %g at element %u, but must be between 0.0 and 1.0", (double)priority, i);
    }
    REQUIRE(&s, RULE_02861,
            !(info->flags & VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT) ||
                enables(d, FEATURE_protectedMemory),
            "flags",
            "has VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT, but the feature protectedMemory "
            "is not enabled");
    REQUIRE(&s, RULE_12348,
            !(info->flags & VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR) ||
                enables(d, FEATURE_internallySynchronizedQueues),
            "flags",
            "has VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR, but the feature "
            "internallySynchronizedQueues is not enabled");
    d->s.skip |= s.skip;
}

/* Of several elements that name one family. */
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
        }
        if (sum > queues[i].queueCount && queues[i].queueFamilyIndex < d->family_count)
            REQUIRE(&d->s, RULE_06755, sum <= d->families[queues[i].queueFamilyIndex].queueCount,
                    "pQueueCreateInfos", "asks for %llu queues of family %u in all, which has %u",
                    (unsigned long long)sum, queues[i].queueFamilyIndex,
                    d->families[queues[i].queueFamilyIndex].queueCount);
    }
}

static void check_feature_chain(struct device_subject *d)
{
    const VkDeviceCreateInfo *info = d->info;
    REQUIRE(&d->s, RULE_00373,
            !CHAINED(info->pNext, PHYSICAL_DEVICE_FEATURES_2) || !info->pEnabledFeatures,
            "pEnabledFeatures",
            "is not NULL, but pNext has a VkPhysicalDeviceFeatures2, which holds "
            "the features then");
    for (size_t i = 0; i < ARRAY_LENGTH(promoted_features); i++) {
        const struct promoted_features *promoted = &promoted_features[i];
        if (!chain_find(info->pNext, promoted->version) || !chain_find(info->pNext, promoted->type))
            continue;
        BROKEN_OF(&d->s, NULL, promoted->rule, "pNext",
                  "has both %s and the structure of the version's features that has taken it in",
                  promoted->name);
    }
}

/* An extension whose feature a version's structure switches: then the feature must be on. */
static void check_extension_feature(struct device_subject *d, const char *extension,
                                    VkStructureType version, enum rule rule, const char *feature,
                                    bool on)
{
    if (on || !names_extension(d->info, extension) || !chain_find(d->info->pNext, version))
        return;
    BROKEN_OF(&d->s, NULL, rule, "ppEnabledExtensionNames",
              "has %s, but %s is VK_FALSE in the version's structure of features in pNext",
              extension, feature);
}

static void check_extensions(struct device_subject *d)
{
    const VkDeviceCreateInfo *info = d->info;
    const VkPhysicalDeviceVulkan11Features *v11 =
        CHAINED(info->pNext, PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
    const VkPhysicalDeviceVulkan12Features *v12 =
        CHAINED(info->pNext, PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const VkPhysicalDeviceVulkan14Features *v14 =
        CHAINED(info->pNext, PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    REQUIRE(&d->s, RULE_03328,
            !names_extension(info, "VK_KHR_buffer_device_address") ||
                !names_extension(info, "VK_EXT_buffer_device_address"),
            "ppEnabledExtensionNames",
            "has both VK_KHR_buffer_device_address and VK_EXT_buffer_device_address");
    REQUIRE(&d->s, RULE_00374,
            !names_extension(info, "VK_KHR_maintenance1") ||
                !names_extension(info, "VK_AMD_negative_viewport_height"),
            "ppEnabledExtensionNames",
            "has both VK_KHR_maintenance1 and VK_AMD_negative_viewport_height");
    REQUIRE(&d->s, RULE_04748,
            !v12 || !v12->bufferDeviceAddress ||
                !names_extension(info, "VK_EXT_buffer_device_address"),
            "ppEnabledExtensionNames",
            "has VK_EXT_buffer_device_address, but "
            "VkPhysicalDeviceVulkan12Features::bufferDeviceAddress is VK_TRUE");
    VkStructureType s12 = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    check_extension_feature(d, "VK_KHR_shader_draw_parameters",
                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, RULE_04476,
                            "shaderDrawParameters", v11 && v11->shaderDrawParameters);
    check_extension_feature(d, "VK_KHR_draw_indirect_count", s12, RULE_02831, "drawIndirectCount",
                            v12 && v12->drawIndirectCount);
    check_extension_feature(d, "VK_KHR_sampler_mirror_clamp_to_edge", s12, RULE_02832,
                            "samplerMirrorClampToEdge", v12 && v12->samplerMirrorClampToEdge);
    check_extension_feature(d, "VK_EXT_descriptor_indexing", s12, RULE_02833, "descriptorIndexing",
                            v12 && v12->descriptorIndexing);
    check_extension_feature(d, "VK_EXT_sampler_filter_minmax", s12, RULE_02834,
                            "samplerFilterMinmax", v12 && v12->samplerFilterMinmax);
    check_extension_feature(d, "VK_EXT_shader_viewport_index_layer", s12, RULE_02835,
                            "shaderOutputViewportIndex or shaderOutputLayer",
                            v12 && v12->shaderOutputViewportIndex && v12->shaderOutputLayer);
    check_extension_feature(d, "VK_KHR_push_descriptor",
                            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, RULE_10858,
                            "pushDescriptor", v14 && v14->pushDescriptor);
}

/* One of the alternatives is there as a whole. */
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
 * in that list: or in the version */
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
    uint32_t version = instance->api_version < properties.apiVersion ? instance->api_version
                                                                     : properties.apiVersion;
    extension_set_enable(&there, version, d->info->ppEnabledExtensionNames,
                         d->info->enabledExtensionCount);
    for (uint32_t i = 0; i < d->info->enabledExtensionCount; i++) {
        enum extension extension = extension_by_name(d->info->ppEnabledExtensionNames[i]);
        if (extension != EXTENSION_COUNT)
            extension_set_add(&named, extension);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(extension_needs); i++) {
        const struct extension_need *need = &extension_needs[i];
        if (extension_set_has(&named, (enum extension)need->extension) &&
            !need_is_met(&there, &extension_need_words[need->words]))
            REQUIRE(&d->s, RULE_01387, false, "ppEnabledExtensionNames",
                    "has %s, but not what it needs: %s", extension_info[need->extension].name,
                    need->text);
    }
}

/* One feature that needs, or forbids, another one. */
struct feature_pair {
    enum rule rule;
    enum feature feature, other;
    bool forbids;
};
static const struct feature_pair feature_pairs[] = {
    {RULE_04478, FEATURE_shadingRateImage, FEATURE_pipelineFragmentShadingRate, true},
    {RULE_04479, FEATURE_shadingRateImage, FEATURE_primitiveFragmentShadingRate, true},
    {RULE_04480, FEATURE_shadingRateImage, FEATURE_attachmentFragmentShadingRate, true},
    {RULE_04481, FEATURE_fragmentDensityMap, FEATURE_pipelineFragmentShadingRate, true},
    {RULE_04482, FEATURE_fragmentDensityMap, FEATURE_primitiveFragmentShadingRate, true},
    {RULE_04483, FEATURE_fragmentDensityMap, FEATURE_attachmentFragmentShadingRate, true},
    {RULE_04896, FEATURE_sparseImageInt64Atomics, FEATURE_shaderImageInt64Atomics, false},
    {RULE_04897, FEATURE_sparseImageFloat32Atomics, FEATURE_shaderImageFloat32Atomics, false},
    {RULE_04898, FEATURE_sparseImageFloat32AtomicAdd, FEATURE_shaderImageFloat32AtomicAdd, false},
    {RULE_04975, FEATURE_sparseImageFloat32AtomicMinMax, FEATURE_shaderImageFloat32AtomicMinMax,
     false},
};

static void check_features(struct device_subject *d)
{
    for (size_t i = 0; i < ARRAY_LENGTH(feature_pairs); i++) {
        const struct feature_pair *pair = &feature_pairs[i];
        if (enables(d, pair->feature) && enables(d, pair->other) == pair->forbids)
            BROKEN_OF(&d->s, NULL, pair->rule, d->s.where, "enables the feature %s %s %s",
                      feature_name(pair->feature), pair->forbids ? "together with" : "without",
                      feature_name(pair->other));
    }
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
    feature_set_read(&d.features, pCreateInfo);
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
    check_extensions(&d);
    check_extension_needs(&d);
    check_features(&d);
    return d.s.skip;
}

/* --- queues that the device was created with --- */

/* How many queues of the family, with these flags (NULL: with any), the device has; UINT32_MAX
 * where that is not known. */
static uint32_t requested_queues(const struct device *device, uint32_t family,
                                 const VkDeviceQueueCreateFlags *flags, bool *any)
{
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
            *pQueue = VK_NULL_HANDLE; /* the loader looks at it on the way back */
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
        *pQueue = VK_NULL_HANDLE; /* the loader looks at it on the way back */
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
            *pQueue = VK_NULL_HANDLE; /* the loader looks at it on the way back */
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
        *pQueue = VK_NULL_HANDLE; /* the loader looks at it on the way back */
    return s.skip;
}
