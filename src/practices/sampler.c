/* Advice on samplers, for Arm's GPUs: settings that require a full descriptor. */
#include "practices/advise.h"
#include "practices/hooks.h"

/* True if all address modes are the same. With unnormalized coordinates addressModeW is not
 * used. */
static bool has_one_mode(const VkSamplerCreateInfo *info)
{
    return info->addressModeU == info->addressModeV &&
           (info->unnormalizedCoordinates || info->addressModeU == info->addressModeW);
}

/* True if borderColor is used. */
static bool uses_border(const VkSamplerCreateInfo *info)
{
    return info->addressModeU == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
           info->addressModeV == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER ||
           info->addressModeW == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
}

/* True for transparent black, which does not require a full descriptor. */
static bool has_plain_border(const VkSamplerCreateInfo *info)
{
    return info->borderColor == VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK ||
           info->borderColor == VK_BORDER_COLOR_INT_TRANSPARENT_BLACK;
}

/* Judges the LOD clamps and bias. With unnormalized coordinates there is no choice (VUID 01072). */
static void judge_levels(const struct call *call, const VkSamplerCreateInfo *info,
                         const struct finding_objects *objects)
{
    if (info->minLod != 0.0f || info->maxLod < VK_LOD_CLAMP_NONE)
        advise(call, BestPractices_Arm_vkCreateSampler_lod_clamping, CREATE_INFO, objects,
               "has minLod %g and maxLod %g", (double)info->minLod, (double)info->maxLod);
    if (info->mipLodBias != 0.0f)
        advise(call, BestPractices_Arm_vkCreateSampler_lod_bias,
               &LOCATION(CREATE_INFO, "mipLodBias"), objects, "is %g", (double)info->mipLodBias);
}

void practices_after_CreateSampler(struct call *call, VkDevice device,
                                   const VkSamplerCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator, VkSampler *pSampler)
{
    const VkSamplerCreateInfo *info = pCreateInfo;
    if (call->result != VK_SUCCESS || !practices_want(call, PRACTICE_ARM))
        return;
    const struct finding_objects *objects = OBJECT(HANDLE_SAMPLER, *pSampler);
    if (!has_one_mode(info))
        advise(call, BestPractices_Arm_vkCreateSampler_different_wrapping_modes, CREATE_INFO,
               objects, "has the address modes %s, %s and %s",
               TEXT_OF(VkSamplerAddressMode, info->addressModeU),
               TEXT_OF(VkSamplerAddressMode, info->addressModeV),
               TEXT_OF(VkSamplerAddressMode, info->addressModeW));
    if (info->unnormalizedCoordinates)
        advise(call, BestPractices_Arm_vkCreateSampler_unnormalized_coordinates,
               &LOCATION(CREATE_INFO, "unnormalizedCoordinates"), objects, "is VK_TRUE");
    else
        judge_levels(call, info, objects);
    if (uses_border(info) && !has_plain_border(info))
        advise(call, BestPractices_Arm_vkCreateSampler_border_clamp_color,
               &LOCATION(CREATE_INFO, "borderColor"), objects, "is %s",
               TEXT_OF(VkBorderColor, info->borderColor));
    if (info->anisotropyEnable)
        advise(call, BestPractices_Arm_vkCreateSampler_anisotropy,
               &LOCATION(CREATE_INFO, "maxAnisotropy"), objects, "is %g, and anisotropy is enabled",
               (double)info->maxAnisotropy);
}
