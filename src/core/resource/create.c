/* Rules that the creation of buffers and of images has in common: queue families that share them,
 * video profiles. */
#include "core/resource/create.h"

/* Sharing between more queue families than this is not looked through for repetitions: no device
 * has as many. */
#define FAMILIES_MOST 256

static bool stands_before(const uint32_t *families, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (families[i] == families[index])
            return true;
    }
    return false;
}

static void check_queue_families(struct subject *s, enum rule rule, uint32_t count,
                                 const uint32_t *families)
{
    uint32_t known = s->call->device->queue_family_count;
    if (pointer_is_bad(families))
        return;
    for (uint32_t i = 0; i < count && i < FAMILIES_MOST; i++) {
        const struct location *where = &LOCATION_INDEX(s->where, "pQueueFamilyIndices", i);
        bool twice = stands_before(families, i);
        if (families[i] < known && !twice)
            continue;
        s->wrong = true;
        s->skip |= twice
                       ? finding(s->call, rule_vuid(s->call->command, rule), where, NULL,
                                 "is %u, which an earlier element is already", families[i])
                       : finding(s->call, rule_vuid(s->call->command, rule), where, NULL,
                                 "is %u, but the device has %u queue families", families[i], known);
    }
}

void check_concurrent_sharing(struct subject *s, enum rule some, enum rule several,
                              enum rule families, uint32_t count, const uint32_t *list)
{
    bool one_is_enough = has(s, FEATURE_maintenance11);
    if (count < (one_is_enough ? 1 : 2)) {
        s->wrong = true;
        s->skip |=
            finding(s->call, rule_vuid(s->call->command, one_is_enough ? some : several),
                    &LOCATION(s->where, "queueFamilyIndexCount"), s->objects,
                    "is %u, but sharingMode is VK_SHARING_MODE_CONCURRENT, which needs %s at least",
                    count, one_is_enough ? "one queue family" : "two queue families");
    }
    check_queue_families(s, families, count, list);
}

bool video_profiles_have(const VkVideoProfileListInfoKHR *list,
                         VkVideoCodecOperationFlagsKHR operations)
{
    for (uint32_t i = 0; !pointer_is_bad(list->pProfiles) && i < list->profileCount; i++) {
        if (list->pProfiles[i].videoCodecOperation & operations)
            return true;
    }
    return false;
}
