/* Declarations that the checks of both kinds of render pass instances share, as both begin with a
 * render area and views. Threads: the calling thread. Fields of other objects are read as their own
 * comments allow. */
#ifndef ASSAY_CORE_RENDER_RENDERING_H
#define ASSAY_CORE_RENDER_RENDERING_H

#include "core/barrier/layout_sets.h"
#include "objects/device.h"
#include "report/names/names_of_values.h"
#include "state/memory/formats.h"
#include "state/command/rendering.h"

#include "report/finding/rule.h"

/* The state of the checks of one vkCmdBeginRendering or vkCmdBeginRenderPass. */
struct rendering_check {
    struct subject s;                            /* s.where is NULL */
    const struct command_buffer *command_buffer; /* NULL when unknown */
    /* NULL for an instance of a render pass object */
    const VkRenderingInfo *info;
    /* NULL unless multisampledRenderToSingleSampledEnable is set */
    const VkMultisampledRenderToSingleSampledInfoEXT *single_sampled;
    struct location where;
    /* views of VkRenderingInfo: the color attachments, then depth, then stencil. NULL: there is no
     * view, or it is not known. check_samples() looks them up; there are RENDERING_VIEWS at most */
    const struct image_view **views;
};
#define RENDERING_VIEWS (PIPELINE_COLORS + 2)

/* The view of attachment `i` of VkRenderingInfo. `handle`: its handle, which is only looked up if
 * `i` is beyond `views`. */
static inline const struct image_view *rendering_check_view(const struct rendering_check *c,
                                                            uint32_t i, VkImageView handle)
{
    return likely(i < RENDERING_VIEWS) ? c->views[i] : find_image_view(c->s.call, handle);
}

/* The number of views that a mask needs: one more than the index of its most significant bit. */
static inline uint32_t views_of(uint32_t mask)
{
    return mask ? 32u - (uint32_t)__builtin_clz(mask) : 0;
}

/* The right end of a rectangle, without overflow. */
static inline int64_t rect_right(const VkRect2D *rect)
{
    return (int64_t)rect->offset.x + rect->extent.width;
}
static inline int64_t rect_bottom(const VkRect2D *rect)
{
    return (int64_t)rect->offset.y + rect->extent.height;
}

/* ceil(length / texel); 0 if `texel` is 0. */
static inline uint64_t texels_for(int64_t length, uint32_t texel)
{
    return texel && length > 0 ? ((uint64_t)length + texel - 1) / texel : 0;
}

/* The render areas of the devices of a group; NULL if the chain has none. */
const VkDeviceGroupRenderPassBeginInfo *
device_render_areas(const void *chain); /* begin_chained.c */

/* Data of the instance that begins, for check_instance_chain(). */
struct instance_begin {
    const void *chain;    /* pNext of the structure that begins the instance */
    const VkRect2D *area; /* NULL: each device has its own */
    uint32_t views;       /* union of all view masks */
    uint32_t subpasses;   /* 0: not known */
    uint32_t layers;      /* 0: not known */
};
/* Checks structures that both kinds of instances may chain to their beginning
 * (core/render/begin_chained.c). */
void check_instance_chain(struct rendering_check *c, const struct instance_begin *begin);

/* Checks a VkRenderPassFragmentDensityMapOffsetEndInfoEXT in the chain of the structure that ends
 * an instance, or its last subpass (core/render/density_offsets.c). `where`: the structure with the
 * chain. */
bool check_density_offsets(struct call *call, const void *chain, const struct location *where);

/* The number of attachments that VkRenderingInfo has. The last two are depth and stencil. */
static inline uint32_t rendering_attachment_count(const struct rendering_check *c)
{
    return (c->info->pColorAttachments ? c->info->colorAttachmentCount : 0) + 2;
}

/* The location of an attachment of VkRenderingInfo. `i`: its index in `views`. */
struct location rendering_attachment_location(const struct rendering_check *c, uint32_t i) COLD;

/* Checks the attachments of VkRenderingInfo, one by one (core/render/rendering_attachment.c). */
void check_rendering_attachments(struct rendering_check *c);

#endif
