/* Advice on render pass instances: clear values, load and store operations, and clears that a load
 * operation could do. */
#include "practices/passes.h"

#include "practices/advise.h"
#include "practices/counts.h"
#include "practices/hooks.h"
#include "state/memory/formats.h"
#include "state/command/rendering.h"
#include "state/command/sections.h"

/* --- clear values: AMD --- */

/* True for the ends of the range, to which GPUs clear fast. */
static bool is_end(float value)
{
    return value == 0.0f || value == 1.0f;
}

/* True if a clear to this color is fast: red, green and blue are all at the same end of the range,
 * and alpha is at an end. Components that the format does not have are ignored; integer formats
 * compare integers. */
static bool is_fast_color(VkFormat format, const VkClearColorValue *color)
{
    const struct format_info *info = format_info(format);
    if (!info || format_is_integer(format))
        return true; /* such formats are not judged */
    bool fast = true;
    float first = -1.0f;
    for (uint32_t i = 0; i < 4; i++) {
        if (!info->bits[i])
            continue;
        fast &= is_end(color->float32[i]);
        if (i < 3 && first >= 0.0f)
            fast &= color->float32[i] == first;
        if (i < 3)
            first = color->float32[i];
    }
    return fast;
}

/* AMD: judges the clear value of an attachment's aspects. */
static void judge_clear(const struct call *call, const struct location *where, VkFormat format,
                        const VkClearValue *value, VkImageAspectFlags aspects)
{
    const VkClearColorValue *color = &value->color;
    const VkClearDepthStencilValue *depth = &value->depthStencil;
    if (aspects & VK_IMAGE_ASPECT_COLOR_BIT && !is_fast_color(format, color))
        advise(call, BestPractices_AMD_ClearAttachment_FastClearValues_color, where, NULL,
               "clears to %g, %g, %g, %g", (double)color->float32[0], (double)color->float32[1],
               (double)color->float32[2], (double)color->float32[3]);
    if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT && !is_end(depth->depth)) ||
        (aspects & VK_IMAGE_ASPECT_STENCIL_BIT && depth->stencil))
        advise(call, BestPractices_AMD_ClearAttachment_FastClearValues_depth_stencil, where, NULL,
               "clears to depth %g and stencil %u", (double)depth->depth, depth->stencil);
}

/* --- render pass objects --- */

/* The aspects that load operations clear. */
static VkImageAspectFlags cleared_aspects(const VkAttachmentDescription *attachment)
{
    const VkImageAspectFlags all = format_aspects(attachment->format);
    VkImageAspectFlags cleared = 0;
    if (attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR)
        cleared |= all & ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT;
    if (attachment->stencilLoadOp == VK_ATTACHMENT_LOAD_OP_CLEAR)
        cleared |= all & VK_IMAGE_ASPECT_STENCIL_BIT;
    return cleared;
}

/* True if the instance renders to all of the view's layers. */
static bool has_all_layers(const struct render_pass_instance *rendering,
                           const struct image_view *view)
{
    const uint32_t layers = view->range.layerCount;
    const uint32_t all = layers < 32 ? (1u << layers) - 1 : UINT32_MAX;
    return rendering->view_mask ? layers <= 32 && (rendering->view_mask & all) == all
                                : rendering->layer_count >= layers;
}

/* True if the render area covers the view. Device groups with several areas are not judged. */
static bool area_is_whole(const struct render_pass_instance *rendering,
                          const struct image_view *view)
{
    const VkRect2D *area = &rendering->area;
    return !area->offset.x && !area->offset.y && area->extent.width >= view->extent.width &&
           area->extent.height >= view->extent.height && !rendering->device_mask &&
           !rendering->transform && has_all_layers(rendering, view);
}

/* True if one of the references is to the attachment. NULL: there are none. */
static bool is_among(uint32_t count, const struct attachment_reference *references,
                     uint32_t attachment)
{
    for (uint32_t i = 0; references && i < count; i++) {
        if (references[i].attachment == attachment)
            return true;
    }
    return false;
}

/* "If an attachment is not used by any subpass, [...] no load or store operations will be
 * performed." (8.1) */
static bool attachment_is_used(const struct render_pass *pass, uint32_t attachment)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        const struct subpass *subpass = &pass->subpasses[i];
        if (is_among(subpass->color_count, subpass->colors, attachment) ||
            is_among(subpass->color_count, subpass->resolves, attachment) ||
            is_among(subpass->input_count, subpass->inputs, attachment) ||
            subpass->depth_stencil.attachment == attachment ||
            subpass->depth_stencil_resolve.attachment == attachment)
            return true;
    }
    return false;
}

/* True if depth and stencil have the same load (store) operation, or only one of them exists. */
static bool has_one_operation(const VkAttachmentDescription *attachment, bool loads)
{
    const bool both =
        format_has_stencil(attachment->format) && format_has_depth(attachment->format);
    return !both || (loads ? attachment->loadOp == attachment->stencilLoadOp
                           : attachment->storeOp == attachment->stencilStoreOp);
}

/* True if some clear value that is not used looks intended. It does not if the attachment is
 * loaded, or if all values are zero. */
static bool has_useless_value(const VkRenderPassBeginInfo *info, const struct render_pass *pass)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < info->clearValueCount && i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const VkClearColorValue *value = &info->pClearValues[i].color;
        if (attachment->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD)
            continue;
        any |= value->uint32[0] | value->uint32[1];
        if (!format_is_depth_stencil(attachment->format))
            any |= value->uint32[2] | value->uint32[3];
    }
    return any != 0;
}

/* Judges the clear values of a render pass. */
static void judge_values(const struct call *call, const VkRenderPassBeginInfo *info,
                         const struct render_pass *pass, const struct location *where)
{
    bool clears = false;
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const VkImageAspectFlags aspects = cleared_aspects(attachment);
        clears |= aspects != 0;
        if (aspects && i < info->clearValueCount && info->pClearValues)
            judge_clear(call, &LOCATION_INDEX(where, "pClearValues", i), attachment->format,
                        &info->pClearValues[i], aspects);
    }
    const struct finding_objects *objects = OBJECT(HANDLE_RENDER_PASS, info->renderPass);
    if (!clears && info->clearValueCount && info->pClearValues && has_useless_value(info, pass))
        advise(call, BestPractices_ClearValueWithoutLoadOpClear,
               &LOCATION(where, "clearValueCount"), objects,
               "is %u, and the render pass clears no attachment", info->clearValueCount);
}

/* Adds the draws of the last instance to the command buffer's count, and resets the counts of the
 * instance. */
static void begin_instance(struct practices_of_command_buffer *kept)
{
    const uint32_t draws = practices_instance_draws(kept);
    kept->draws += draws;
    kept->actions += draws;
    kept->depth_cleared = false;
    for (uint32_t i = 0; i < PIPELINE_CLASSES; i++)
        kept->class_draws[i] = 0;
}

/* Judges a render pass that begins, and notes the images that it loads. */
static void begin_pass(const struct call *call, const VkRenderPassBeginInfo *info)
{
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct location where = LOCATION_POINTER(NULL, "pRenderPassBegin");
    if (!kept || !rendering || !pass)
        return;
    begin_instance(kept);
    judge_values(call, info, pass, &where);
    for (uint32_t i = 0; images_are_noted(kept) && i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const struct image_view *view = rendering_view(rendering, i);
        if (view && has_one_operation(attachment, true) && attachment_is_used(pass, i))
            images_load(call, NULL, view,
                        /* This format has only stencil, which loadOp does not affect. */
                        attachment->format == VK_FORMAT_S8_UINT ? attachment->stencilLoadOp
                                                                : attachment->loadOp,
                        area_is_whole(rendering, view));
    }
}

void practices_after_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkRenderPassBeginInfo *pRenderPassBegin,
                                        VkSubpassContents contents)
{
    begin_pass(call, pRenderPassBegin);
}

void practices_after_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkRenderPassBeginInfo *pRenderPassBegin,
                                         const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    begin_pass(call, pRenderPassBegin);
}

/* Judges a render pass and notes its store operations, while the instance is still known. */
static void end_pass(const struct call *call)
{
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    const struct render_pass *pass = active_render_pass(call_command_buffer(call));
    practices_pass_ends(call);
    count_action(call);
    for (uint32_t i = 0; pass && i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const struct image_view *view = rendering_view(rendering, i);
        if (view && has_one_operation(attachment, false) && attachment_is_used(pass, i))
            images_store(call, view,
                         attachment->format == VK_FORMAT_S8_UINT ? attachment->stencilStoreOp
                                                                 : attachment->storeOp,
                         area_is_whole(rendering, view));
    }
}

void practices_before_CmdEndRenderPass(struct call *call, VkCommandBuffer commandBuffer)
{
    end_pass(call);
}

void practices_before_CmdEndRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkSubpassEndInfo *pSubpassEndInfo)
{
    end_pass(call);
}

/* --- dynamic rendering: what it stored is noted when the next instance asks --- */

/* Notes that dynamic rendering has stored an attachment. */
static void end_attachment(const struct call *call, const struct render_pass_instance *rendering,
                           const struct rendering_attachment *attachment)
{
    const struct image_view *view = image_view_by_id(attachment->view);
    if (view)
        images_store(call, view, attachment->store, area_is_whole(rendering, view));
}

/* True if stencil has the same store operation as depth, or does not exist. */
static bool stencil_is_alike(const struct render_pass_instance *rendering)
{
    return !rendering->stencil.view || rendering->stencil.store == rendering->depth.store;
}

/* The ENDED_ bit of the store operation; 0: another operation, or no attachment. */
static uint32_t store_of(const struct rendering_attachment *attachment)
{
    return !attachment->view                                       ? 0
           : attachment->store == VK_ATTACHMENT_STORE_OP_STORE     ? ENDED_STORED
           : attachment->store == VK_ATTACHMENT_STORE_OP_DONT_CARE ? ENDED_DISCARDED
                                                                   : 0;
}

/* Notes the stores of the last instance of dynamic rendering, unless a command has acted since. Its
 * state stays until the next one begins. */
static void note_ended(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct command_buffer *command_buffer = call_command_buffer(call);
    const struct render_pass_instance *ended = command_buffer ? command_buffer->rendering : NULL;
    if (!kept || !ended || !kept->stores || kept->ended != practices_actions(kept))
        return;
    kept->stores = 0;
    for (uint32_t i = 0; i < ended->formats.color_count && i < PIPELINE_COLORS; i++)
        end_attachment(call, ended, &ended->colors[i]);
    if (stencil_is_alike(ended))
        end_attachment(call, ended, &ended->depth);
}

void practices_before_CmdBeginRenderPass(struct call *call, VkCommandBuffer commandBuffer,
                                         const VkRenderPassBeginInfo *pRenderPassBegin,
                                         VkSubpassContents contents)
{
    note_ended(call);
}

void practices_before_CmdBeginRenderPass2(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkRenderPassBeginInfo *pRenderPassBegin,
                                          const VkSubpassBeginInfo *pSubpassBeginInfo)
{
    note_ended(call);
}

/* True if the attachment is to be judged. Most are not, as the use of their images is not known,
 * and no setting asks for advice on clears. */
static bool attachment_is_interesting(const struct call *call,
                                      const struct practices_of_command_buffer *kept,
                                      const VkRenderingAttachmentInfo *attachment)
{
    const bool loads = attachment->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD,
               clears = attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR;
    const uint32_t after = loads ? ENDED_DISCARDED : clears ? ENDED_STORED : 0;
    return attachment->resolveImageView || (kept->stores & after) != 0 ||
           ((loads || clears) && images_are_noted(kept)) ||
           (clears && practices_want(call, PRACTICE_AMD));
}

/* Judges an attachment of dynamic rendering that begins, and notes that it is loaded. */
static void begin_attachment(const struct call *call, const struct render_pass_instance *rendering,
                             const VkRenderingAttachmentInfo *attachment,
                             const struct location *where, VkImageAspectFlags aspects)
{
    /* Without a view, all other members are ignored. */
    const struct image_view *view = find_image_view(call, attachment->imageView);
    if (!view)
        return;
    if (attachment->resolveMode == VK_RESOLVE_MODE_NONE &&
        find_image_view(call, attachment->resolveImageView))
        advise(call, BestPractices_VkRenderingInfo_ResolveModeNone, &LOCATION(where, "resolveMode"),
               OBJECT(HANDLE_IMAGE_VIEW, attachment->resolveImageView),
               "is VK_RESOLVE_MODE_NONE, and resolveImageView is %s",
               NAMED(call, HANDLE_IMAGE_VIEW, attachment->resolveImageView));
    if (attachment->loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR)
        judge_clear(call, &LOCATION(where, "clearValue"), view->format, &attachment->clearValue,
                    aspects);
    images_load(call, where, view, attachment->loadOp, area_is_whole(rendering, view));
}

/* True if some attachment is to be judged. Stencil is only judged together with depth. */
static bool any_is_interesting(const struct call *call,
                               const struct practices_of_command_buffer *kept,
                               const VkRenderingInfo *info)
{
    for (uint32_t i = 0; info->pColorAttachments && i < info->colorAttachmentCount; i++) {
        if (attachment_is_interesting(call, kept, &info->pColorAttachments[i]))
            return true;
    }
    return info->pDepthAttachment && attachment_is_interesting(call, kept, info->pDepthAttachment);
}

void practices_before_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                        const VkRenderingInfo *pRenderingInfo)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    if (!kept || pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT)
        return;
    begin_instance(kept);
    if (kept->ended != kept->actions)
        kept->stores = 0;
    kept->attachments_matter = any_is_interesting(call, kept, pRenderingInfo);
    if (kept->attachments_matter)
        note_ended(call);
}

void practices_after_CmdBeginRendering(struct call *call, VkCommandBuffer commandBuffer,
                                       const VkRenderingInfo *pRenderingInfo)
{
    const VkRenderingInfo *info = pRenderingInfo;
    const struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    /* A resumed instance does not load, as that happened when it was first begun. */
    if (!kept || !kept->attachments_matter || info->flags & VK_RENDERING_RESUMING_BIT)
        return;
    const struct location where = LOCATION_POINTER(NULL, "pRenderingInfo");
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    const VkRenderingAttachmentInfo *depth = info->pDepthAttachment,
                                    *stencil = info->pStencilAttachment;
    if (!rendering)
        return;
    for (uint32_t i = 0; info->pColorAttachments && i < info->colorAttachmentCount; i++)
        begin_attachment(call, rendering, &info->pColorAttachments[i],
                         &LOCATION_INDEX(&where, "pColorAttachments", i),
                         VK_IMAGE_ASPECT_COLOR_BIT);
    /* One image has both, so it counts as loaded only if both operations agree. */
    if (depth && (!stencil || stencil->loadOp == depth->loadOp || !stencil->imageView))
        begin_attachment(call, rendering, depth, &LOCATION_POINTER(&where, "pDepthAttachment"),
                         VK_IMAGE_ASPECT_DEPTH_BIT);
}

/* Judges dynamic rendering that ends, and keeps its store operations. A suspended instance
 * continues later. */
static void passes_end_rendering(const struct call *call)
{
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(call_command_buffer(call));
    if (!kept || !rendering || rendering->kind != RENDERING_DYNAMIC ||
        rendering->flags & VK_RENDERING_SUSPENDING_BIT)
        return;
    practices_pass_ends(call);
    uint32_t stores = stencil_is_alike(rendering) ? store_of(&rendering->depth) : 0;
    for (uint32_t i = 0; i < rendering->formats.color_count && i < PIPELINE_COLORS; i++)
        stores |= store_of(&rendering->colors[i]);
    kept->stores = (uint8_t)stores;
    kept->actions++;
    kept->ended = practices_actions(kept);
}

void practices_before_CmdEndRendering(struct call *call, VkCommandBuffer commandBuffer)
{
    passes_end_rendering(call);
}

void practices_before_CmdEndRendering2KHR(struct call *call, VkCommandBuffer commandBuffer,
                                          const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
    passes_end_rendering(call);
}

/* --- vkCmdClearAttachments --- */

/* One aspect of an attachment of the active instance. */
struct cleared {
    const struct call *call;
    const struct location *where;
    VkAttachmentLoadOp op; /* load operation of the aspect */
    VkImageAspectFlagBits aspect;
};

/* Advises if a load operation could have done the clear. */
static void judge_clear_command(const struct cleared *clear)
{
    const enum vuid of_load = clear->aspect == VK_IMAGE_ASPECT_COLOR_BIT
                                  ? BestPractices_vkCmdClearAttachments_clear_after_load_color
                              : clear->aspect == VK_IMAGE_ASPECT_DEPTH_BIT
                                  ? BestPractices_vkCmdClearAttachments_clear_after_load_depth
                                  : BestPractices_vkCmdClearAttachments_clear_after_load_stencil;
    if (clear->op == VK_ATTACHMENT_LOAD_OP_LOAD)
        advise(clear->call, of_load, clear->where, NULL,
               "clears %s in the whole render area before any draw, and it was loaded",
               TEXT_OF(VkImageAspectFlagBits, clear->aspect));
    else
        advise(clear->call, BestPractices_DrawState_ClearCmdBeforeDraw, clear->where, NULL,
               "clears %s in the whole render area before any draw, and its load operation is %s",
               TEXT_OF(VkImageAspectFlagBits, clear->aspect),
               TEXT_OF(VkAttachmentLoadOp, (uint32_t)clear->op));
}

/* Judges the cleared aspects against the load operations of a render pass. */
static void judge_described(struct cleared *clear, const VkAttachmentDescription *attachment,
                            VkImageAspectFlags aspects)
{
    for (VkImageAspectFlags bit = 1; bit <= VK_IMAGE_ASPECT_STENCIL_BIT; bit <<= 1) {
        if (!(aspects & bit & format_aspects(attachment->format)))
            continue;
        clear->aspect = (VkImageAspectFlagBits)bit;
        clear->op =
            bit == VK_IMAGE_ASPECT_STENCIL_BIT ? attachment->stencilLoadOp : attachment->loadOp;
        judge_clear_command(clear);
    }
}

/* Judges a clear against the attachment of the subpass. */
static void judge_in_pass(struct cleared *clear, const struct render_pass *pass,
                          const struct subpass *subpass, const VkClearAttachment *attachment)
{
    const uint32_t index = attachment->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT
                               ? attachment->colorAttachment < subpass->color_count
                                     ? subpass->colors[attachment->colorAttachment].attachment
                                     : VK_ATTACHMENT_UNUSED
                               : subpass->depth_stencil.attachment;
    if (index < pass->attachment_count)
        judge_described(clear, &pass->attachments[index].description, attachment->aspectMask);
}

/* Judges a clear against the attachments of dynamic rendering. */
static void judge_in_rendering(struct cleared *clear, const struct render_pass_instance *rendering,
                               const VkClearAttachment *attachment)
{
    const struct {
        VkImageAspectFlagBits aspect;
        const struct rendering_attachment *attachment;
    } all[] = {
        {VK_IMAGE_ASPECT_COLOR_BIT, attachment->colorAttachment < PIPELINE_COLORS
                                        ? &rendering->colors[attachment->colorAttachment]
                                        : NULL},
        {VK_IMAGE_ASPECT_DEPTH_BIT, &rendering->depth},
        {VK_IMAGE_ASPECT_STENCIL_BIT, &rendering->stencil},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
        /* An attachment without a view is not cleared. */
        if (!(attachment->aspectMask & all[i].aspect) || !all[i].attachment ||
            !all[i].attachment->view)
            continue;
        clear->aspect = all[i].aspect;
        clear->op = all[i].attachment->load;
        judge_clear_command(clear);
    }
}

/* True if one rectangle covers the render area, in all layers. */
static bool clears_all(const struct render_pass_instance *rendering, uint32_t count,
                       const VkClearRect *rects)
{
    return count == 1 && rects && !rects->baseArrayLayer &&
           (rendering->view_mask || rects->layerCount >= rendering->layer_count) &&
           rects->rect.offset.x <= rendering->area.offset.x &&
           rects->rect.offset.y <= rendering->area.offset.y &&
           (uint64_t)rects->rect.offset.x + rects->rect.extent.width >=
               (uint64_t)rendering->area.offset.x + rendering->area.extent.width &&
           (uint64_t)rects->rect.offset.y + rects->rect.extent.height >=
               (uint64_t)rendering->area.offset.y + rendering->area.extent.height;
}

void practices_after_CmdClearAttachments(struct call *call, VkCommandBuffer commandBuffer,
                                         uint32_t attachmentCount,
                                         const VkClearAttachment *pAttachments, uint32_t rectCount,
                                         const VkClearRect *pRects)
{
    const struct command_buffer *command_buffer = call_command_buffer(call);
    struct practices_of_command_buffer *kept = practices_of_command_buffer(call);
    const struct render_pass_instance *rendering = active_rendering(command_buffer);
    const struct command_buffer_sections *sections = sections_of(command_buffer);
    count_action(call);
    for (uint32_t i = 0; kept && pAttachments && i < attachmentCount; i++) {
        if (pAttachments[i].aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT &&
            practices_instance_draws(kept))
            /* Draws before the clear are judged separately from those after it. */
            kept->depth_cleared = true;
    }
    /* With conditional rendering (10.10) the clear may not happen. */
    if (!kept || !rendering || !sections || sections->conditional ||
        practices_instance_draws(kept) || rendering->inherited ||
        rendering->flags & VK_RENDERING_RESUMING_BIT || !clears_all(rendering, rectCount, pRects))
        return;
    const struct render_pass *pass = active_render_pass(command_buffer);
    const struct subpass *subpass = current_subpass(command_buffer, pass);
    for (uint32_t i = 0; pAttachments && i < attachmentCount; i++) {
        struct cleared clear = {.call = call, .where = &LOCATION_INDEX(NULL, "pAttachments", i)};
        if (rendering->kind == RENDERING_DYNAMIC)
            judge_in_rendering(&clear, rendering, &pAttachments[i]);
        else if (subpass && rendering->subpass == 0)
            judge_in_pass(&clear, pass, subpass, &pAttachments[i]);
    }
}
