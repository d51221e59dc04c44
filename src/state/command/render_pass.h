/* Render passes of both versions in one form, and framebuffers (8). Threads: any; the states are
 * const once published. */
#ifndef ASSAY_STATE_RENDER_PASS_H
#define ASSAY_STATE_RENDER_PASS_H

#include "state/object/object_state.h"

struct attachment_description {
    VkAttachmentDescription description; /* version 1's form */
    /* VkAttachmentDescriptionStencilLayout, or otherwise the layouts of the description itself */
    VkImageLayout stencil_initial_layout;
    VkImageLayout stencil_final_layout;
    bool has_stencil_layouts; /* VkAttachmentDescriptionStencilLayout was chained */
};

struct attachment_reference {
    uint32_t attachment; /* or VK_ATTACHMENT_UNUSED */
    VkImageLayout layout;
    VkImageLayout stencil_layout;   /* VkAttachmentReferenceStencilLayout, or otherwise `layout` */
    VkImageAspectFlags aspect_mask; /* for input attachments; 0: all */
    bool has_stencil_layout;        /* VkAttachmentReferenceStencilLayout was chained */
};

/* VkRenderPassTileShadingCreateInfoQCOM; 0 if it was not given. */
struct tile_shading {
    VkTileShadingRenderPassFlagsQCOM flags;
    VkExtent2D apron;
};
struct tile_shading tile_shading_of(const void *chain);

struct subpass {
    VkSubpassDescriptionFlags flags;
    VkPipelineBindPoint bind_point;
    uint32_t view_mask;
    uint32_t input_count, color_count, preserve_count;
    struct attachment_reference *inputs;
    struct attachment_reference *colors;
    struct attachment_reference *resolves;             /* `color_count` entries, or NULL */
    struct attachment_reference depth_stencil;         /* VK_ATTACHMENT_UNUSED when there is none */
    struct attachment_reference depth_stencil_resolve; /* VK_ATTACHMENT_UNUSED when there is none */
    VkResolveModeFlagBits depth_resolve_mode, stencil_resolve_mode;
    bool has_depth_stencil_resolve; /* VkSubpassDescriptionDepthStencilResolve was chained */
    /* VkMultisampledRenderToSingleSampledInfoEXT, and its samples */
    bool single_sampled_enable;
    VkSampleCountFlagBits single_sampled_samples;
    struct attachment_reference fragment_shading_rate; /* VK_ATTACHMENT_UNUSED when there is none */
    VkExtent2D shading_rate_texel_size;
    uint32_t *preserves;
    /* sample count of its color and depth/stencil attachments; 0: it has none, or their counts
     * differ */
    VkSampleCountFlagBits samples;
};

/* Const; one allocation. Arrays for which the program gave NULL are empty. */
struct render_pass {
    struct object_state base;
    VkRenderPassCreateFlags flags;
    uint32_t attachment_count, subpass_count, dependency_count;
    struct attachment_description *attachments;
    struct subpass *subpasses;
    /* without pNext; stage and access masks come from a chained VkMemoryBarrier2 if there is one */
    VkSubpassDependency2 *dependencies;
    struct dependency_masks {
        VkPipelineStageFlags2 src_stages, dst_stages;
        VkAccessFlags2 src_accesses, dst_accesses;
        /* the masks are those of a chained VkMemoryBarrier2: the dependency's own are ignored */
        bool of_barrier;
    } *dependency_masks;
    /* union of all dependencies' own masks that are not ignored */
    VkPipelineStageFlags2 src_stages, dst_stages;
    uint32_t views; /* union of all subpasses' view masks */
    bool multiview; /* some view mask is not 0 */
    /* VkRenderPassFragmentDensityMapCreateInfoEXT, or otherwise VK_ATTACHMENT_UNUSED */
    VkAttachmentReference density_map;
    struct tile_shading tiles;
    uint32_t correlated_view_mask_count;
    uint32_t *correlated_view_masks;
    /* a hash that is equal for compatible render passes (8.2); not 0 */
    uint64_t compatibility;
};
STATE_FINDERS(render_pass, VkRenderPass, HANDLE_RENDER_PASS)

/* Reads a create info of either version into one form; NULL: out of memory. The result is not an
 * object: it is for checks before the render pass exists, which free it with mem_free. */
struct render_pass *render_pass_read(const VkRenderPassCreateInfo *info) MUST_CHECK;
struct render_pass *render_pass_read2(const VkRenderPassCreateInfo2 *info) MUST_CHECK;

struct framebuffer_attachment {
    uint64_t view; /* id; 0 in an imageless framebuffer */
    /* for an imageless framebuffer, from VkFramebufferAttachmentImageInfo: */
    VkImageCreateFlags flags;
    VkImageUsageFlags usage;
    uint32_t width, height, layer_count;
    uint32_t view_format_count;
    VkFormat *view_formats;
};

/* Const; one allocation. It outlives its render pass, so it has its own copy of the data for
 * compatibility. */
struct framebuffer {
    struct object_state base;
    VkFramebufferCreateFlags flags;
    uint64_t render_pass;               /* id */
    uint64_t render_pass_compatibility; /* render_pass::compatibility */
    uint32_t width, height, layers;
    uint32_t attachment_count;
    struct framebuffer_attachment attachments[];
};
STATE_FINDERS(framebuffer, VkFramebuffer, HANDLE_FRAMEBUFFER)

#endif
