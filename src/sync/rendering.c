/* What do dynamic render pass instances access at their beginning and end (8.5 "Dynamic Rendering")? */
#include "sync/attachments.h"
#include "sync/hooks.h"

static struct attachment_part part_of(const struct render_pass_instance *rendering, uint64_t view,
                                      enum access_role role, uint32_t index)
{
    return (struct attachment_part){
        .view = view ? image_view_by_id(view) : NULL,
        .area = rendering->area,
        .view_mask = rendering->view_mask,
        .layer_count = rendering->layer_count,
        .source = {.role = role, .index = index},
    };
}

static void load(struct recording *recording, const struct render_pass_instance *rendering,
                 const struct rendering_attachment *attachment, VkImageAspectFlags aspect, enum access_role role,
                 uint32_t index)
{
    struct attachment_part part = part_of(rendering, attachment->view, role, index);
    if (part.view)
        attachment_load(recording, &part, aspect, attachment->load);
}

void sync_after_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                  const VkRenderingInfo *pRenderingInfo)
{
    struct recording recording;
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    if (!rendering || !recording_begin(&recording, call))
        return;
    bool resumed = rendering->flags & VK_RENDERING_RESUMING_BIT;
    sync_context_begin_instance(&recording.sync->context, resumed);
    recording.sync->epoch++;
    for (uint32_t i = 0; i < rendering->formats.color_count && !resumed; i++)
        load(&recording, rendering, &rendering->colors[i], VK_IMAGE_ASPECT_COLOR_BIT, ROLE_COLOR_ATTACHMENT, i);
    if (!resumed) {
        load(&recording, rendering, &rendering->depth, VK_IMAGE_ASPECT_DEPTH_BIT, ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
        load(&recording, rendering, &rendering->stencil, VK_IMAGE_ASPECT_STENCIL_BIT, ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
    }
    recording_end(&recording);
}

static void store(struct recording *recording, const struct render_pass_instance *rendering,
                  const struct rendering_attachment *attachment, VkImageAspectFlags aspect, enum access_role role,
                  uint32_t index)
{
    struct attachment_part part = part_of(rendering, attachment->view, role, index);
    if (!part.view)
        return;
    if (attachment->resolve_mode && attachment->resolve_view) {
        struct attachment_part target = part_of(rendering, attachment->resolve_view, ROLE_RESOLVE_ATTACHMENT, index);
        attachment_resolve(recording, &part, &target, aspect);
    }
    attachment_store(recording, &part, aspect, attachment->store);
}

/* The state tracker has left the instance by now, but for what it was. */
static void end_rendering(struct call *call)
{
    struct recording recording;
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *rendering = command_buffer ? command_buffer->rendering : NULL;
    if (!rendering || rendering->inherited || !recording_begin(&recording, call))
        return;
    bool suspended = rendering->flags & VK_RENDERING_SUSPENDING_BIT;
    for (uint32_t i = 0; i < rendering->formats.color_count && !suspended; i++)
        store(&recording, rendering, &rendering->colors[i], VK_IMAGE_ASPECT_COLOR_BIT, ROLE_COLOR_ATTACHMENT, i);
    if (!suspended) {
        store(&recording, rendering, &rendering->depth, VK_IMAGE_ASPECT_DEPTH_BIT, ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
        store(&recording, rendering, &rendering->stencil, VK_IMAGE_ASPECT_STENCIL_BIT, ROLE_DEPTH_STENCIL_ATTACHMENT, 0);
    }
    sync_context_end_instance(&recording.sync->context);
    recording.sync->epoch++;
    recording_end(&recording);
}

void sync_after_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer)
{
    end_rendering(call);
}

void sync_after_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                    const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    end_rendering(call);
}
