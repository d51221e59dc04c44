/* Tracks what samplers and Y'CbCr conversions were created with. */
#include "state/sampler.h"

#include "state/hooks.h"
#include "state/queue.h"
#include "vk/chain.h"

/* `change`: 1 or -1. */
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
    object_state_publish(object, sampler);
    count_sampler(call, sampler, 1);
}

void state_before_DestroySampler(struct call *call, VkDevice device, VkSampler sampler,
                                 const VkAllocationCallbacks *pAllocator)
{
    const struct sampler *state = find_sampler(call, sampler);
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
    object_state_publish(object, conversion);
}
