/* Checks that objects may be freed to their pool in one call (6.3, 14.2.3). The validator of
 * lifetimes reports objects that were freed before. */
#include "core/hooks.h"

#include "report/finding/finding.h"
#include "report/finding/rule.h"
#include "vk/pointer.h"

/* A set of hashes of handles. A handle whose bit is not set was not added; most arrays are read
 * only once so. */
#define SEEN_WORDS 64
struct seen {
    uint64_t words[SEEN_WORDS];
};

/* Adds a handle to the set. True: this handle, or one with the same hash, was added before; the
 * caller compares them. */
static bool seen_add(struct seen *seen, uint64_t handle)
{
    const uint32_t at = (uint32_t)((handle * 0x9e3779b97f4a7c15ull) >> 52);
    uint64_t *word = &seen->words[at / 64], bit = 1ull << (at % 64);
    bool before = (*word & bit) != 0;
    *word |= bit;
    return before;
}

/* The index of an earlier element that is the same; UINT32_MAX: there is none. */
static uint32_t find_before(const uint64_t *handles, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (handles[k] == handles[i])
            return k;
    }
    return UINT32_MAX;
}

static_assert(sizeof(VkCommandBuffer) == sizeof(uint64_t) &&
                  sizeof(VkDescriptorSet) == sizeof(uint64_t),
              "arrays of both are read as numbers");

/* ... must be a valid pointer to an array of handles, each element of which must either be a valid
 * handle or NULL. An element that an earlier one has freed is not valid. The call is skipped
 * whatever a callback returns, as the driver would free it twice. */
static bool check_array(struct call *call, enum handle_type type, const void *array, uint32_t count,
                        enum vuid vuid, const char *name)
{
    assert(type != HANDLE_NONE && name);
    struct seen seen = {{0}};
    const uint64_t *handles = array;
    bool skip = false;
    if (!count)
        return false;
    if (unlikely(pointer_is_bad(array))) {
        call->dead_handle = true;
        (void)BROKEN_BY(call, vuid, &LOCATION(NULL, name), NULL,
                        "is %s, but has %u elements; the call does not reach the driver",
                        array ? "no valid pointer" : "NULL", count);
        return true;
    }
    for (uint32_t i = 0; count > 1 && i < count; i++) {
        uint32_t before;
        if (!handles[i] || likely(!seen_add(&seen, handles[i])) ||
            (before = find_before(handles, i)) == UINT32_MAX)
            continue;
        call->dead_handle = skip = true;
        (void)BROKEN_BY(call, vuid, &LOCATION_INDEX(NULL, name, i), OBJECT(type, handles[i]),
                        "is the same as element %u, which frees it; the call does not reach the "
                        "driver",
                        before);
    }
    return skip;
}

bool core_validate_FreeCommandBuffers_elements(struct call *call, VkDevice device,
                                               VkCommandPool commandPool,
                                               uint32_t commandBufferCount,
                                               const VkCommandBuffer *pCommandBuffers)
{
    return check_array(call, HANDLE_COMMAND_BUFFER, pCommandBuffers, commandBufferCount,
                       VUID_vkFreeCommandBuffers_pCommandBuffers_00048, "pCommandBuffers");
}

bool core_validate_FreeDescriptorSets_elements(struct call *call, VkDevice device,
                                               VkDescriptorPool descriptorPool,
                                               uint32_t descriptorSetCount,
                                               const VkDescriptorSet *pDescriptorSets)
{
    return check_array(call, HANDLE_DESCRIPTOR_SET, pDescriptorSets, descriptorSetCount,
                       VUID_vkFreeDescriptorSets_pDescriptorSets_00310, "pDescriptorSets");
}
