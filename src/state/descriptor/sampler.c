/* Tracks how samplers and Y'CbCr conversions were created. */
#include "state/descriptor/sampler.h"

#include "base/lock.h"
#include "base/vec.h"
#include "state/hooks.h"
#include "state/submit/queue.h"
#include "vk/chain.h"

#include <string.h>

/* Continues a hash with words of a structure. */
static uint64_t hash_words(uint64_t hash, const void *words, uint32_t count)
{
    assert(words);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + i * sizeof(word), sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 32;
    }
    return hash ? hash : 1;
}

/* The number of words of a create info, from the first member after pNext to the last one. */
#define SAMPLER_WORDS                                          \
    ((offsetof(VkSamplerCreateInfo, unnormalizedCoordinates) - \
      offsetof(VkSamplerCreateInfo, flags)) /                  \
         sizeof(uint32_t) +                                    \
     1)
/* The number of words from the format to the last member, which are equal for identical
 * conversions. */
#define CONVERSION_WORDS                                                          \
    ((offsetof(VkSamplerYcbcrConversionCreateInfo, forceExplicitReconstruction) - \
      offsetof(VkSamplerYcbcrConversionCreateInfo, format)) /                     \
         sizeof(uint32_t) +                                                       \
     1)
static_assert(SAMPLER_WORDS == 16 && CONVERSION_WORDS == 11, "there are no gaps");

/* A hash of the sampler. Parts of its chain that are not kept do not count: two samplers that
 * differ only there are not distinguished. */
static uint64_t sampler_definition(const struct sampler *sampler,
                                   const struct sampler_ycbcr_conversion *conversion)
{
    const uint64_t of_conversion = conversion ? conversion->definition : 0;
    const uint32_t chained[] = {
        (uint32_t)sampler->reduction, (uint32_t)sampler->cubic_weights,
        sampler->custom_border_color, (uint32_t)sampler->custom_border_color_format,
        (uint32_t)of_conversion,      (uint32_t)(of_conversion >> 32),
    };
    return hash_words(hash_words(1, &sampler->info.flags, SAMPLER_WORDS), chained,
                      ARRAY_LENGTH(chained));
}

/* Counts samplers that exist. `change`: 1 or -1. */
static void count_sampler(const struct call *call, const struct sampler *sampler, int32_t change)
{
    assert(change == 1 || change == -1);
    struct device_state *device = device_state_make(call->device);
    if (!device)
        return;
    spread_count_add(&device->samplers, change);
    if (sampler->info.borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ||
        sampler->info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT)
        atomic_fetch_add_explicit(&device->custom_border_samplers, (uint32_t)change,
                                  memory_order_relaxed);
}

void state_after_CreateSampler(struct call *call, VkDevice device,
                               const VkSamplerCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
    struct object *object = created_object(call, (uint64_t)*pSampler, HANDLE_SAMPLER);
    struct sampler *sampler = object_state_new(object, sizeof(*sampler));
    if (!sampler)
        return;
    const VkSamplerReductionModeCreateInfo *reduction =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
    const VkSamplerYcbcrConversionInfo *ycbcr =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
    const struct sampler_ycbcr_conversion *conversion =
        ycbcr ? find_sampler_ycbcr_conversion(call, ycbcr->conversion) : NULL;
    const VkSamplerCustomBorderColorCreateInfoEXT *custom =
        chain_find(pCreateInfo->pNext,
                   VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
    sampler->info = *pCreateInfo;
    /* The chain is the program's, and only exists during the call. */
    sampler->info.pNext = NULL;
    sampler->reduction =
        reduction ? reduction->reductionMode : VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
    const VkSamplerCubicWeightsCreateInfoQCOM *weights =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_SAMPLER_CUBIC_WEIGHTS_CREATE_INFO_QCOM);
    sampler->cubic_weights =
        weights ? weights->cubicWeights : VK_CUBIC_FILTER_WEIGHTS_CATMULL_ROM_QCOM;
    sampler->ycbcr_conversion = conversion ? object_state_id(&conversion->base) : 0;
    sampler->custom_border_color = custom != NULL;
    sampler->custom_border_color_format = custom ? custom->format : VK_FORMAT_UNDEFINED;
    const VkSamplerCustomBorderColorIndexCreateInfoEXT *index =
        custom ? chain_find(pCreateInfo->pNext,
                            VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_INDEX_CREATE_INFO_EXT)
               : NULL;
    if (index) {
        sampler->custom_color = custom->customBorderColor;
        sampler->border_index = index->index;
        sampler->border_index_given =
            pCreateInfo->borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT ||
            pCreateInfo->borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
    }
    sampler->definition = sampler_definition(sampler, conversion);
    object_state_publish(object, sampler);
    count_sampler(call, sampler, 1);
}

void state_before_DestroySampler(struct call *call, VkDevice device, VkSampler sampler,
                                 const VkAllocationCallbacks *pAllocator)
{
    const struct sampler *state = named_sampler(call, 0, sampler);
    if (state)
        count_sampler(call, state, -1);
}

void state_after_CreateSamplerYcbcrConversion(struct call *call, VkDevice device,
                                              const VkSamplerYcbcrConversionCreateInfo *pCreateInfo,
                                              const VkAllocationCallbacks *pAllocator,
                                              VkSamplerYcbcrConversion *pYcbcrConversion)
{
    struct object *object =
        created_object(call, (uint64_t)*pYcbcrConversion, HANDLE_SAMPLER_YCBCR_CONVERSION);
    struct sampler_ycbcr_conversion *conversion = object_state_new(object, sizeof(*conversion));
    if (!conversion)
        return;
    conversion->info = *pCreateInfo;
    conversion->info.pNext = NULL;
    conversion->definition = hash_words(1, &conversion->info.format, CONVERSION_WORDS);
    object_state_publish(object, conversion);
}

/* --- custom border colors that are registered with an index --- */

/* A color that the program has registered. */
struct border_color {
    uint32_t index;
    VkClearColorValue color;
};

/* All custom border colors that are registered with a device. Threads: any. */
struct border_colors {
    struct lock lock;
    struct border_color *list GUARDED_BY(lock); /* owned */
    uint32_t count GUARDED_BY(lock);
    uint32_t capacity GUARDED_BY(lock);
};

/* The border colors of a device. NULL: there are none, and `make` is false or memory ran out. */
static struct border_colors *border_colors_of(const struct device *device, bool make)
{
    struct device_state *state =
        make ? device_state_make(device) : object_load_state(device->object);
    struct border_colors *colors =
        state ? atomic_load_explicit(&state->border_colors, memory_order_acquire) : NULL;
    if (colors || !make || !state)
        return colors;
    struct border_colors *made = mem_alloc_zeroed(sizeof(*made));
    if (!made)
        return NULL;
    lock_init(&made->lock);
    if (atomic_compare_exchange_strong_explicit(&state->border_colors, &colors, made,
                                                memory_order_acq_rel, memory_order_acquire))
        return made;
    /* Another thread was first: the failed exchange has stored its list in `colors`. */
    mem_free(made);
    return colors;
}

/* Frees the list of colors, which no other thread uses any more. */
static void free_list(struct border_colors *colors)
    NOT_ANALYSED /* nothing else can reach the list, which is being destroyed */
{
    mem_free(colors->list);
}

void border_colors_destroy(struct border_colors *colors)
{
    if (colors)
        free_list(colors);
    mem_retire(colors);
}

void border_colors_renew_lock(struct border_colors *colors)
{
    if (colors)
        lock_init(&colors->lock);
}

/* The position of the color with this index; `count`: there is none. */
static uint32_t find_color(const struct border_colors *colors, uint32_t index)
    REQUIRES(colors->lock)
{
    uint32_t i = 0;
    while (i < colors->count && colors->list[i].index != index)
        i++;
    return i;
}

void state_after_RegisterCustomBorderColorEXT(struct call *call, VkDevice device,
                                              const VkSamplerCustomBorderColorCreateInfoEXT
                                                  *pBorderColor,
                                              VkBool32 requestIndex, uint32_t *pIndex)
{
    struct border_colors *colors =
        call->result == VK_SUCCESS ? border_colors_of(call->device, true) : NULL;
    struct device_state *state = object_load_state(call->device->object);
    if (!colors) {
        if (state && call->result == VK_SUCCESS)
            atomic_store_explicit(&state->border_colors_lost, true, memory_order_relaxed);
        return;
    }
    lock_take(&colors->lock);
    /* If the index was registered before, the driver has freed it meanwhile, and uses it again. */
    const uint32_t at = find_color(colors, *pIndex);
    if (at == colors->count &&
        vec_room(&colors->list, colors->count, &colors->capacity, 16, sizeof(*colors->list)))
        colors->count++;
    if (at < colors->count)
        colors->list[at] = (struct border_color){*pIndex, pBorderColor->customBorderColor};
    else if (state)
        atomic_store_explicit(&state->border_colors_lost, true, memory_order_relaxed);
    lock_release(&colors->lock);
}

void state_before_UnregisterCustomBorderColorEXT(struct call *call, VkDevice device, uint32_t index)
{
    struct border_colors *colors = border_colors_of(call->device, false);
    if (!colors)
        return;
    lock_take(&colors->lock);
    const uint32_t at = find_color(colors, index);
    if (at < colors->count)
        colors->list[at] = colors->list[--colors->count];
    lock_release(&colors->lock);
}

enum border_color_match border_color_registered(const struct device *device,
                                                const struct sampler *sampler)
{
    const struct device_state *state = object_load_state(device->object);
    struct border_colors *colors = border_colors_of(device, false);
    if (!state || atomic_load_explicit(&state->border_colors_lost, memory_order_relaxed))
        /* Some colors were lost because memory ran out, perhaps this one. */
        return BORDER_COLOR_UNKNOWN;
    if (!colors)
        return BORDER_COLOR_MISSING;
    lock_take(&colors->lock);
    const uint32_t at = find_color(colors, sampler->border_index);
    const enum border_color_match match =
        at == colors->count ? BORDER_COLOR_MISSING
        : memcmp(&colors->list[at].color, &sampler->custom_color, sizeof(VkClearColorValue)) == 0
            ? BORDER_COLOR_SAME
            : BORDER_COLOR_DIFFERS;
    lock_release(&colors->lock);
    return match;
}
