/* The state of samplers and Y'CbCr conversions (13). */
#ifndef ASSAY_STATE_SAMPLER_H
#define ASSAY_STATE_SAMPLER_H

#include "state/object/object_state.h"

/* Immutable after it is made. */
struct sampler {
    struct object_state base;
    VkSamplerCreateInfo info; /* without pNext */
    VkSamplerReductionMode reduction;
    VkCubicFilterWeightsQCOM cubic_weights;
    uint64_t ycbcr_conversion; /* id; 0 = none */
    bool custom_border_color;  /* VkSamplerCustomBorderColorCreateInfoEXT was given */
    VkFormat custom_border_color_format;
    VkClearColorValue custom_color;
    /* VkSamplerCustomBorderColorIndexCreateInfoEXT was given, for a custom border color */
    bool border_index_given;
    uint32_t border_index;
    /* A hash that is equal for samplers with the same creation info. Never 0. */
    uint64_t definition;
};
STATE_FINDERS(sampler, VkSampler, HANDLE_SAMPLER)

/* Immutable after it is made. */
struct sampler_ycbcr_conversion {
    struct object_state base;
    VkSamplerYcbcrConversionCreateInfo info; /* without pNext */
    uint64_t definition;                     /* like sampler::definition */
};
STATE_FINDERS(sampler_ycbcr_conversion, VkSamplerYcbcrConversion, HANDLE_SAMPLER_YCBCR_CONVERSION)

/* Whether a custom border color is registered with an index of a device. */
enum border_color_match {
    BORDER_COLOR_UNKNOWN, /* memory ran out */
    BORDER_COLOR_MISSING,
    BORDER_COLOR_DIFFERS,
    BORDER_COLOR_SAME,
};
/* Says whether the color that the sampler names by index is registered now. Takes a lock. Threads:
 * any. */
enum border_color_match border_color_registered(const struct device *device,
                                                const struct sampler *sampler) COLD;
struct border_colors;
/* Frees the colors. NULL: there are none. */
void border_colors_destroy(struct border_colors *colors);
void border_colors_renew_lock(struct border_colors
                                  *colors); /* in the child of a fork; NULL: there are none */

#endif
