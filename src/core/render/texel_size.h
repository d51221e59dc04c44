/* The texel size of fragment shading rate attachments (8 "Render Pass"). */
#ifndef ASSAY_CORE_RENDER_TEXEL_SIZE_H
#define ASSAY_CORE_RENDER_TEXEL_SIZE_H

#include "core/rule.h"

/* What each structure calls its rules. `wide`, `high`: the aspect ratio. */
struct texel_size_rules {
    enum rule width_power, width_most, width_least;
    enum rule height_power, height_most, height_least;
    enum rule wide, high;
};

/* Checks shadingRateAttachmentTexelSize of the structure at `where`. */
void texel_size_check(struct subject *s, const struct location *where, VkExtent2D size,
                      const struct texel_size_rules *rules);

#endif
