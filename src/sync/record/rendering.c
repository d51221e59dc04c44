/* Records the accesses of dynamic render pass instances at their beginning and end (8.5 "Dynamic
 * Rendering"). */
#include "sync/record/attachments.h"
#include "sync/hooks.h"

/* Returns the part of an attachment that operations of the instance access: the render area, in its
 * views or layers. */
static struct attachment_part rendering_part(const struct render_pass_instance *rendering,
                                             uint64_t view, enum access_role role, uint32_t index)
{
    return (struct attachment_part){
        .view = view ? image_view_by_id(view) : NULL,
        .area = rendering->area,
        .view_mask = rendering->view_mask,
        .layer_count = rendering->layer_count,
        .source = {.role = role, .index = index},
    };
}

/* Records the load operation of one attachment; without a view there is nothing to load. */
static void rendering_load(struct recording *recording,
                           const struct render_pass_instance *rendering,
                           const struct rendering_attachment *attachment, VkImageAspectFlags aspect,
                           enum access_role role, uint32_t index)
{
    if (!attachment->view)
        return;
    struct attachment_part part = rendering_part(rendering, attachment->view, role, index);
    if (part.view)
        attachment_load(recording, &part, aspect, attachment->load);
}

/* Records the load operations of all attachments. Depth and stencil may share one view, but are two
 * aspects. */
static void load_all(struct recording *recording, const struct render_pass_instance *rendering)
{
    for (uint32_t i = 0; i < rendering->formats.color_count; i++)
        rendering_load(recording, rendering, &rendering->colors[i], VK_IMAGE_ASPECT_COLOR_BIT,
                       ROLE_COLOR_ATTACHMENT, i);
    rendering_load(recording, rendering, &rendering->depth, VK_IMAGE_ASPECT_DEPTH_BIT,
                   ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
    rendering_load(recording, rendering, &rendering->stencil, VK_IMAGE_ASPECT_STENCIL_BIT,
                   ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
}

/* Returns the attachment as the state tracker will have it. If `info` is NULL or has no view,
 * nothing is accessed. */
static struct rendering_attachment attachment_of(const struct call *call,
                                                 const VkRenderingAttachmentInfo *info)
{
    const struct image_view *view =
        info && info->imageView ? find_image_view(call, info->imageView) : NULL;
    return (struct rendering_attachment){.view = view ? object_state_id(&view->base) : 0,
                                         .load =
                                             info ? info->loadOp : VK_ATTACHMENT_LOAD_OP_DONT_CARE};
}

/* Checks the load operations before the call, so that it is skipped if a callback refuses it for a
 * hazard. Their accesses are recorded after the call has gone down. */
bool sync_validate_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                     const VkRenderingInfo *pRenderingInfo)
{
    struct recording recording;
    struct render_pass_instance instance;
    const VkRenderingInfo *info = pRenderingInfo;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    if (!command_buffer || active_rendering(command_buffer) ||
        info->flags & VK_RENDERING_RESUMING_BIT || !recording_begin(&recording, call))
        return false;
    uint32_t colors = info->pColorAttachments ? info->colorAttachmentCount : 0;
    instance.area = info->renderArea;
    instance.view_mask = info->viewMask;
    instance.layer_count = info->layerCount;
    instance.formats.color_count = colors < PIPELINE_COLORS ? colors : PIPELINE_COLORS;
    for (uint32_t i = 0; i < instance.formats.color_count; i++)
        instance.colors[i] = attachment_of(call, &info->pColorAttachments[i]);
    instance.depth = attachment_of(call, info->pDepthAttachment);
    instance.stencil = attachment_of(call, info->pStencilAttachment);
    recording.only_checks = true;
    recording.sync->begin_was_checked = true;
    load_all(&recording, &instance);
    return recording_finish(&recording);
}

void sync_after_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkRenderingInfo *pRenderingInfo)
{
    struct recording recording;
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    if (!rendering || !recording_begin(&recording, call))
        return;
    bool resumed = rendering->flags & VK_RENDERING_RESUMING_BIT;
    if (recording.sync->begin_was_checked && !resumed)
        /* Hazards of the load operations were reported before the call. */
        recording.sync->context.sink = NULL;
    recording.sync->begin_was_checked = false;
    sync_context_begin_instance(&recording.sync->context, resumed);
    recording.sync->epoch++;
    if (!resumed)
        load_all(&recording, rendering);
    recording_end(&recording);
}

/* Records the resolve and the store operation of an attachment of dynamic rendering. */
static void rendering_store(struct recording *recording,
                            const struct render_pass_instance *rendering,
                            const struct rendering_attachment *attachment,
                            VkImageAspectFlags aspect, enum access_role role, uint32_t index)
{
    if (!attachment->view)
        return;
    struct attachment_part part = rendering_part(rendering, attachment->view, role, index);
    if (!part.view)
        return;
    if (attachment->resolve_mode && attachment->resolve_view) {
        struct attachment_part target =
            rendering_part(rendering, attachment->resolve_view, ROLE_RESOLVE_ATTACHMENT, index);
        attachment_resolve(recording, &part, &target, aspect);
    }
    attachment_store(recording, &part, aspect, attachment->store);
}

/* Records the end of dynamic rendering. A suspended instance stores nothing. Returns true if the
 * call is to be skipped. */
static bool rendering_end_instance(struct call *call)
{
    struct recording recording;
    struct recording_before before;
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    if (!rendering || rendering->kind != RENDERING_DYNAMIC || rendering->inherited ||
        !recording_begin_order(&recording, call))
        return false;
    recording_note_before(&recording, &before);
    bool suspended = rendering->flags & VK_RENDERING_SUSPENDING_BIT;
    for (uint32_t i = 0; i < rendering->formats.color_count && !suspended; i++)
        rendering_store(&recording, rendering, &rendering->colors[i], VK_IMAGE_ASPECT_COLOR_BIT,
                        ROLE_COLOR_ATTACHMENT, i);
    if (!suspended) {
        rendering_store(&recording, rendering, &rendering->depth, VK_IMAGE_ASPECT_DEPTH_BIT,
                        ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
        rendering_store(&recording, rendering, &rendering->stencil, VK_IMAGE_ASPECT_STENCIL_BIT,
                        ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
    }
    sync_context_end_instance(&recording.sync->context);
    recording.sync->epoch++;
    return recording_finish_order(&recording, &before);
}

bool sync_validate_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer)
{
    return rendering_end_instance(call);
}

bool sync_validate_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    return rendering_end_instance(call);
}
