/* State that a secondary command buffer inherits from the one that executes it (6.6 "Secondary
 * Command Buffer Execution": VkCommandBufferInheritanceInfo and its chain). It is kept from
 * vkBeginCommandBuffer for vkCmdExecuteCommands. */
#ifndef ASSAY_STATE_INHERITANCE_H
#define ASSAY_STATE_INHERITANCE_H

#include "state/command/rendering.h"
#include "state/command/sections.h"

/* Threads: those of the command buffer that owns it. Members are 0 if their structure was not
 * given. */
struct command_buffer_inheritance {
    bool given; /* pInheritanceInfo was given */

    /* Render pass objects */
    bool has_render_pass, has_framebuffer; /* not VK_NULL_HANDLE */
    uint64_t render_pass;                  /* id; 0 = unknown */
    uint64_t compatibility;                /* render_pass::compatibility */
    uint32_t subpass;
    uint64_t framebuffer; /* id; 0 = unknown */

    /* Queries */
    bool occlusion_query;
    VkQueryControlFlags query_flags;
    VkQueryPipelineStatisticFlags statistics;

    /* VkCommandBufferInheritanceRenderingInfo */
    bool has_rendering;
    VkRenderingFlags flags;
    uint32_t color_count; /* the number as given; at most PIPELINE_COLORS formats are kept */
    struct rendering_formats formats;
    VkSampleCountFlagBits samples;

    /* VkAttachmentSampleCountInfoAMD */
    bool has_sample_counts;
    uint32_t sample_count_count; /* length of `color_samples`, PIPELINE_COLORS at most */
    VkSampleCountFlagBits color_samples[PIPELINE_COLORS];
    VkSampleCountFlagBits depth_stencil_samples;

    /* VkRenderingAttachmentLocationInfo and VkRenderingInputAttachmentIndexInfo; the identity if
     * not given */
    uint32_t color_locations[PIPELINE_COLORS];
    uint32_t color_input_indices[PIPELINE_COLORS];
    uint32_t depth_input_index, stencil_input_index;

    /* VkCommandBufferInheritanceRenderPassTransformInfoQCOM */
    bool has_transform;
    VkSurfaceTransformFlagBitsKHR transform;
    VkRect2D render_area;

    struct bound_heap heaps[HEAP_KINDS]; /* VkCommandBufferInheritanceDescriptorHeapInfoEXT */

    bool conditional_rendering; /* VkCommandBufferInheritanceConditionalRenderingInfoEXT */
    bool has_custom_resolve;    /* VkCustomResolveCreateInfoEXT */
    bool custom_resolve;        /* VkCustomResolveCreateInfoEXT::customResolve */
    struct {
        uint32_t color_count; /* the number as given; at most PIPELINE_COLORS formats are kept */
        VkFormat colors[PIPELINE_COLORS];
        VkFormat depth, stencil;
    } resolve;
    struct tile_shading tiles;
    /* VkCommandBufferInheritanceViewportScissorInfoNV::viewportScissor2D */
    bool viewport_scissor;
};

/* The inheritance that vkBeginCommandBuffer gave; NULL: a primary, a secondary that was not begun,
 * or memory ran out. */
static inline const struct command_buffer_inheritance *
inheritance_of(const struct command_buffer *command_buffer)
{
    const struct command_buffer_inheritance *inheritance =
        command_buffer && command_buffer->scope & SCOPE_SECONDARY ? command_buffer->inheritance
                                                                  : NULL;
    return inheritance && inheritance->given ? inheritance : NULL;
}

/* Notes the inheritance when a command buffer begins to record. */
void inheritance_begin_recording(const struct call *call, struct command_buffer *command_buffer,
                                 const VkCommandBufferBeginInfo *info);

/* True if the command buffer is a secondary that gets all state of its primary (feature
 * commandBufferInheritance). Its bound state is then not known here. */
static inline bool command_buffer_inherits_state(const struct call *call,
                                                 const struct command_buffer *command_buffer)
{
    return command_buffer->scope & SCOPE_SECONDARY &&
           device_has_feature(call->device, FEATURE_commandBufferInheritance);
}

#endif
