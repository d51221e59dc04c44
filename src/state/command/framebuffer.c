/* Tracks the attachments of a framebuffer (8.3 "Framebuffers"). */
#include "state/hooks.h"
#include "state/command/render_pass.h"

#include "vk/chain.h"

#include <string.h>

/* The descriptions of an imageless framebuffer's attachments; NULL: the framebuffer has views, or
 * the structure is missing. */
static const VkFramebufferAttachmentsCreateInfo *imageless_info(const VkFramebufferCreateInfo *info)
{
    const VkFramebufferAttachmentsCreateInfo *attachments =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO);
    bool wanted = attachments && info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    return wanted && attachments->pAttachmentImageInfos ? attachments : NULL;
}

/* Counts the view formats of all attachments together, for one allocation. */
static uint32_t count_formats(const VkFramebufferAttachmentsCreateInfo *imageless,
                              uint32_t attachment_count)
{
    uint32_t count = 0;
    for (uint32_t i = 0;
         imageless && i < attachment_count && i < imageless->attachmentImageInfoCount; i++)
        count += imageless->pAttachmentImageInfos[i].pViewFormats
                     ? imageless->pAttachmentImageInfos[i].viewFormatCount
                     : 0;
    return count;
}

/* Copies the description of an attachment of an imageless framebuffer. `formats`: where to write
 * view formats; returns the end of what was written. */
static VkFormat *fill_imageless(struct framebuffer_attachment *attachment,
                                const VkFramebufferAttachmentImageInfo *info, VkFormat *formats)
{
    assert(attachment && info);
    attachment->flags = info->flags;
    attachment->usage = info->usage;
    attachment->width = info->width;
    attachment->height = info->height;
    attachment->layer_count = info->layerCount;
    attachment->view_format_count = info->pViewFormats ? info->viewFormatCount : 0;
    attachment->view_formats = formats;
    if (attachment->view_format_count)
        memcpy(formats, info->pViewFormats, attachment->view_format_count * sizeof(*formats));
    return formats + attachment->view_format_count;
}

/* Notes the views of a framebuffer, or the descriptions of an imageless framebuffer's
 * attachments. */
static void fill_attachments(const struct call *call, struct framebuffer *framebuffer,
                             const VkFramebufferCreateInfo *info,
                             const VkFramebufferAttachmentsCreateInfo *imageless)
{
    VkFormat *formats = (VkFormat *)(framebuffer->attachments + framebuffer->attachment_count);
    for (uint32_t i = 0; i < framebuffer->attachment_count; i++) {
        struct framebuffer_attachment *attachment = &framebuffer->attachments[i];
        if (imageless && i < imageless->attachmentImageInfoCount)
            formats = fill_imageless(attachment, &imageless->pAttachmentImageInfos[i], formats);
        if (info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT)
            continue;
        const struct object *view =
            call_find(call, (uint64_t)info->pAttachments[i], HANDLE_IMAGE_VIEW);
        attachment->view = view ? atomic_load_explicit(&view->id, memory_order_relaxed) : 0;
    }
}

void state_after_CreateFramebuffer(struct call *call, VkDevice device,
                                   const VkFramebufferCreateInfo *pCreateInfo,
                                   const VkAllocationCallbacks *pAllocator,
                                   VkFramebuffer *pFramebuffer)
{
    if (call->result != VK_SUCCESS)
        return;
    const VkFramebufferAttachmentsCreateInfo *imageless = imageless_info(pCreateInfo);
    /* An imageless framebuffer has attachments but no views: pAttachments is ignored. */
    bool readable =
        pCreateInfo->pAttachments || pCreateInfo->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT;
    uint32_t count = readable ? pCreateInfo->attachmentCount : 0;
    struct object *object = created_object(call, (uint64_t)*pFramebuffer, HANDLE_FRAMEBUFFER);
    /* One allocation: the framebuffer, its attachments, and their view formats. */
    struct framebuffer *framebuffer =
        object_state_new(object, sizeof(*framebuffer) +
                                     count * sizeof(framebuffer->attachments[0]) +
                                     count_formats(imageless, count) * sizeof(VkFormat));
    if (!framebuffer)
        return;
    const struct render_pass *pass = find_render_pass(call, pCreateInfo->renderPass);
    framebuffer->flags = pCreateInfo->flags;
    framebuffer->render_pass = pass ? object_state_id(&pass->base) : 0;
    framebuffer->render_pass_compatibility = pass ? pass->compatibility : 0;
    framebuffer->width = pCreateInfo->width;
    framebuffer->height = pCreateInfo->height;
    framebuffer->layers = pCreateInfo->layers;
    framebuffer->attachment_count = count;
    fill_attachments(call, framebuffer, pCreateInfo, imageless);
    object_state_publish(object, framebuffer);
}
