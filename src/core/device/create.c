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
    VkPhysicalDevice physical_device;
    uint32_t family_count;
    VkQueueFamilyProperties *families; /* scratch; NULL when memory is out */
};

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
    for (size_t i = 0; i < ARRAY_LENGTH(promoted_features); i++) {
        const struct promoted_features *promoted = &promoted_features[i];
        if (!chain_find(info->pNext, promoted->version) || !chain_find(info->pNext, promoted->type))
            continue;
        BROKEN_OF(&d->s, NULL, promoted->rule, "pNext",
                  "has both %s and the structure of the version's features that has taken it in",
                  promoted->name);
    }
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
    return d.s.skip;
}

/* --- queues that the device was created with --- */

/* How many queues of the family, with these flags (NULL: with any), the device has; UINT32_MAX
 * where that is not known. */
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
