/* Samplers and Y'CbCr conversions (13). */
#ifndef ASSAY_STATE_SAMPLER_H
#define ASSAY_STATE_SAMPLER_H

#include "state/object_state.h"

/* const. */
struct sampler {
    struct object_state base;
    VkSamplerCreateInfo info; /* without pNext */
    VkSamplerReductionMode reduction;
    VkCubicFilterWeightsQCOM cubic_weights;
    uint64_t ycbcr_conversion; /* id; 0 = none */
    bool custom_border_color;  /* VkSamplerCustomBorderColorCreateInfoEXT was given */
    VkFormat custom_border_color_format;
};
STATE_FINDERS(sampler, VkSampler, HANDLE_SAMPLER)

/* const. */
struct sampler_ycbcr_conversion {
    struct object_state base;
    VkSamplerYcbcrConversionCreateInfo info; /* without pNext */
};
STATE_FINDERS(sampler_ycbcr_conversion, VkSamplerYcbcrConversion, HANDLE_SAMPLER_YCBCR_CONVERSION)

#endif
