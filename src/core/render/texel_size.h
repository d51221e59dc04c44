/* Checks the texel size of fragment shading rate attachments (8 "Render Pass"). Threads: the
 * calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_RENDER_TEXEL_SIZE_H
#define ASSAY_CORE_RENDER_TEXEL_SIZE_H

#include "report/finding/rule.h"

/* Checks the aspect ratio of shadingRateAttachmentTexelSize. `where`: the structure with that
 * member. `wide`, `high`: the rules for too wide and too high texels. */
void texel_size_check(struct subject *s, const struct location *where, VkExtent2D size,
                      enum rule wide, enum rule high);

#endif
