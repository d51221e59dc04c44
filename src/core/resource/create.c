/* Checks that the creation of buffers and of images share: queue families for concurrent sharing,
 * video profiles. */
#include "core/resource/create.h"
#include "vk/pointer.h"

#include "report/finding/rule.h"

/* The most queue families that are searched for duplicates. No device has as many. */
#define FAMILIES_MOST 256

/* True if an earlier element is the same family. */
static bool stands_before(const uint32_t *families, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (families[i] == families[index])
            return true;
    }
    return false;
}

void check_queue_families(struct subject *s, enum rule rule, uint32_t count,
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
        s->skip |=
            twice ? BROKEN_BY(s->call, rule, where, NULL,
                              "is %u, which an earlier element is already", families[i])
                  : BROKEN_BY(s->call, rule, where, NULL,
                              "is %u, but the device has %u queue families", families[i], known);
    }
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
