/* Reports that a submit finds an image in another layout than one of its commands wants. Threads:
 * the calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_SUBMIT_LAYOUT_REPORT_H
#define ASSAY_CORE_SUBMIT_LAYOUT_REPORT_H

#include "core/submit/walk.h"
#include "state/memory/image_layout.h"

/* `handle`: the command buffer that was submitted. `where`: its place among the parameters. Returns
 * whether to skip the call. */
bool submit_report_layout(const struct submit *submit, VkCommandBuffer handle,
                          const struct image *image, const struct layout_mismatch *mismatch,
                          const struct location *where) COLD;

#endif
