/* The render pass instance in which a command buffer is (8.4 "Render Pass Commands", 8.5 "Dynamic
 * Rendering"). It was begun here, or this secondary inherits it from the primary that will execute
 * it. */
#ifndef ASSAY_STATE_RENDERING_H
#define ASSAY_STATE_RENDERING_H

#include "state/command/command_buffer.h"
#include "state/memory/image.h"
#include "state/pipeline/pipeline.h"
#include "state/command/render_pass.h"

enum rendering_kind {
    RENDERING_NONE,        /* outside of every render pass instance */
    RENDERING_RENDER_PASS, /* begun by vkCmdBeginRenderPass, or inherited */
    RENDERING_DYNAMIC,     /* begun by vkCmdBeginRendering, or inherited */
};

/* An attachment of a dynamic render pass instance, from VkRenderingAttachmentInfo. */
struct rendering_attachment {
    uint64_t view; /* id; 0: none (VK_NULL_HANDLE) */
    VkImageLayout layout;
    VkAttachmentLoadOp load;
    VkAttachmentStoreOp store;
    VkResolveModeFlagBits resolve_mode;
    uint64_t resolve_view; /* id; 0: none, or resolveMode is NONE */
    bool resolve_given;    /* resolveImageView is not VK_NULL_HANDLE, whatever resolveMode is */
    VkImageLayout resolve_layout;
    VkRenderingAttachmentFlagsKHR flags; /* VkRenderingAttachmentFlagsInfoKHR; 0 when not given */
};

/* Threads: those of the command buffer that owns it. */
/* The contents that must match between a suspended instance and the one that resumes it (8.1: "The
 * contents of pRenderingInfo must match"). */
struct rendering_contents {
    bool known;
    VkRenderingFlags flags; /* without flags that may differ */
    VkRect2D area;
    uint32_t view_mask, layer_count;
    uint64_t colors[PIPELINE_COLORS], depth, stencil; /* hashes; 0: no view */
};

struct render_pass_instance {
    enum rendering_kind kind;
    /* a secondary inherits the instance: views are not known unless the framebuffer is named */
    bool inherited;
    VkRect2D area;        /* not known for an inherited instance */
    uint32_t device_mask; /* from VkDeviceGroupRenderPassBeginInfo; 0: not given */
    uint32_t view_mask;   /* view mask of the current subpass */
    uint32_t layer_count; /* of the framebuffer, or VkRenderingInfo::layerCount; 0: unknown */
    VkSubpassContents contents;

    /* RENDERING_RENDER_PASS */
    uint64_t render_pass; /* id */
    uint64_t framebuffer; /* id; 0 = unknown */
    uint32_t subpass;
    /* a bit for each of the first 64 subpasses that pPostSubpassSampleLocations names */
    uint64_t located_subpasses;
    /* number of the framebuffer's attachments whose views are known; 0: none */
    uint32_t view_count;
    VkSurfaceTransformFlagBitsKHR transform; /* VkRenderPassTransformBeginInfoQCOM; 0 = not given */

    /* RENDERING_DYNAMIC */
    VkRenderingFlags flags;
    struct rendering_formats formats; /* formats of the views; VK_FORMAT_UNDEFINED: no view */
    /* sample count of the attachments, or the one that a secondary inherits; 0: no attachments, or
     * mixed */
    VkSampleCountFlagBits samples;
    /* from an enabled VkMultisampledRenderToSingleSampledInfoEXT; 0: none */
    VkSampleCountFlagBits single_samples;
    bool tile_shading; /* VK_TILE_SHADING_RENDER_PASS_ENABLE_BIT_QCOM */
    VkExtent2D tile_apron;
    struct rendering_attachment colors[PIPELINE_COLORS];
    struct rendering_attachment depth, stencil;
    uint64_t shading_rate_view, density_map_view; /* ids; 0 = none */
    VkImageLayout shading_rate_layout, density_map_layout;
    VkExtent2D shading_rate_texel_size;
    /* vkCmdBeginCustomResolveEXT was recorded in the instance */
    bool custom_resolve;
    /* VkRenderingAttachmentLocationInfo; the identity if not given */
    uint32_t color_locations[PIPELINE_COLORS];
    /* VkRenderingInputAttachmentIndexInfo; the identity if not given */
    uint32_t color_input_indices[PIPELINE_COLORS];
    uint32_t depth_input_index, stencil_input_index; /* VK_ATTACHMENT_UNUSED if not given */

    /* `view_count` ids: views of the framebuffer, or of VkRenderPassAttachmentBeginInfo. Owned,
     * kept over resets */
    uint64_t *views;
    uint32_t view_capacity; /* of `views` */
    /* These belong to the recording, not to the instance. `resumed`: its first instance, if that
     * resumes another one. `suspended`: the last instance that it suspended. */
    struct rendering_contents resumed, suspended;
    /* A digest of the density map offsets that an earlier instance of the suspended render pass
     * ended with; 0: not known. It belongs to the recording as well. */
    uint64_t density_offsets;
};

/* The value of command_buffer::rendering before the first instance: RENDERING_NONE, and identity.
 * It is only read. */
extern HIDDEN const struct render_pass_instance no_rendering;

/* The instance that the command buffer owns; NULL: before its first instance, or memory ran out for
 * that. */
static inline struct render_pass_instance *
command_buffer_own_rendering(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = plain_load_acquire(&command_buffer->rendering);
    return likely(rendering != &no_rendering) ? (struct render_pass_instance *)(uintptr_t)rendering
                                              : NULL;
}

/* The active instance; NULL: outside of every instance, or memory ran out. */
static ALWAYS_INLINE const struct render_pass_instance *
active_rendering(const struct command_buffer *command_buffer)
{
    if (!command_buffer)
        return NULL;
    const struct render_pass_instance *rendering = plain_load_acquire(&command_buffer->rendering);
    return rendering->kind != RENDERING_NONE ? rendering : NULL;
}

/* The render pass of the active instance; NULL: dynamic rendering, or not known. */
static inline const struct render_pass *
active_render_pass(const struct command_buffer *command_buffer)
{
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    return rendering && rendering->kind == RENDERING_RENDER_PASS
               ? render_pass_by_id(rendering->render_pass)
               : NULL;
}

/* The current subpass. `pass`: the result of active_render_pass(). Volatile, so that the index is
 * loaded once: the value that was compared is the one used, whatever another thread writes
 * meanwhile. */
static inline const struct subpass *current_subpass(const struct command_buffer *command_buffer,
                                                    const struct render_pass *pass)
{
    const uint32_t subpass =
        pass ? *(const volatile uint32_t *)&command_buffer->rendering->subpass : 0;
    return pass && subpass < pass->subpass_count ? &pass->subpasses[subpass] : NULL;
}

static inline const struct subpass *active_subpass(const struct command_buffer *command_buffer)
{
    return current_subpass(command_buffer, active_render_pass(command_buffer));
}

/* The view of an attachment in an instance of a render pass object; NULL: not known, or
 * VK_ATTACHMENT_UNUSED. */
static inline const struct image_view *rendering_view(const struct render_pass_instance *rendering,
                                                      uint32_t attachment)
{
    return attachment < rendering->view_count ? image_view_by_id(rendering->views[attachment])
                                              : NULL;
}

/* Notes that a secondary was executed: the primary is where the secondary's last instance ended. */
void rendering_take_suspended(struct command_buffer *primary,
                              const struct command_buffer *secondary);

/* A digest of pFragmentDensityOffsets in the chain of vkCmdEndRendering2KHR; 0: none are given. */
uint64_t density_offsets_digest(const void *chain) COLD;
/* The first member of VkRenderingInfo that differs, such as "renderArea"; NULL: no difference is
 * known. `*index`: the index if the member is an array. */
const char *rendering_difference(const struct rendering_contents *suspended,
                                 const struct rendering_contents *resumed, uint32_t *index);
struct rendering_contents rendering_contents_of(const VkRenderingInfo *info);

/* Notes what a command buffer inherits when it begins to record. It does not change `scope`. */
void rendering_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                               const VkCommandBufferBeginInfo *info);

#endif
