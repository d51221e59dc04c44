/* Checks VkRenderPassSampleLocationsBeginInfoEXT. Threads: the calling thread. Fields of other
 * objects are read as their own comments allow. */
#ifndef ASSAY_CORE_RENDER_SAMPLE_LOCATIONS_H
#define ASSAY_CORE_RENDER_SAMPLE_LOCATIONS_H

#include "report/finding/finding.h"
#include "state/command/render_pass.h"

/* The render pass instance that begins. */
struct located_pass {
    struct call *call;
    const struct render_pass *pass;
    const struct framebuffer *framebuffer; /* NULL: the framebuffer is not known */
};
/* `parent`: the structure with the chain. True: the call is to be skipped. */
bool check_pass_sample_locations(const struct located_pass *p, const struct location *parent,
                                 const VkRenderPassSampleLocationsBeginInfoEXT *info);

#endif
