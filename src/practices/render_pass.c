/* Advice on render passes and framebuffers: which attachments are loaded from memory or stored to
 * it. */
#include "state/command/render_pass.h"

#include "practices/areas.h"
#include "practices/advise.h"
#include "practices/hooks.h"
#include "practices/passes.h"
#include "state/memory/formats.h"

/* True if the render pass loads an aspect of the attachment from memory. */
static bool is_loaded(const VkAttachmentDescription *attachment)
{
    const bool of_color_or_depth = (format_aspects(attachment->format) &
                                    ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
    return (of_color_or_depth && attachment->loadOp == VK_ATTACHMENT_LOAD_OP_LOAD) ||
           (format_has_stencil(attachment->format) &&
            attachment->stencilLoadOp == VK_ATTACHMENT_LOAD_OP_LOAD);
}

/* True if the render pass stores an aspect of the attachment to memory. */
static bool is_stored(const VkAttachmentDescription *attachment)
{
    const bool of_color_or_depth = (format_aspects(attachment->format) &
                                    ~(VkImageAspectFlags)VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
    return (of_color_or_depth && attachment->storeOp == VK_ATTACHMENT_STORE_OP_STORE) ||
           (format_has_stencil(attachment->format) &&
            attachment->stencilStoreOp == VK_ATTACHMENT_STORE_OP_STORE);
}

/* --- render passes --- */

/* True if the subpass resolves the attachment. */
static bool is_resolved_in(const struct subpass *subpass, uint32_t attachment)
{
    for (uint32_t i = 0; subpass->resolves && i < subpass->color_count; i++) {
        if (subpass->colors[i].attachment == attachment &&
            subpass->resolves[i].attachment != VK_ATTACHMENT_UNUSED)
            return true;
    }
    return subpass->depth_stencil.attachment == attachment &&
           subpass->depth_stencil_resolve.attachment != VK_ATTACHMENT_UNUSED;
}

/* True if some subpass resolves the attachment. */
static bool is_resolved(const struct render_pass *pass, uint32_t attachment)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        if (is_resolved_in(&pass->subpasses[i], attachment))
            return true;
    }
    return false;
}

/* Advises if an attachment that is resolved is also loaded or stored. */
static void judge_render_pass(const struct call *call, VkRenderPass handle)
{
    const struct render_pass *pass =
        call->result == VK_SUCCESS && practices_want(call, PRACTICE_ARM | PRACTICE_IMG)
            ? find_render_pass(call, handle)
            : NULL;
    for (uint32_t i = 0; pass && i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const bool loaded = is_loaded(attachment), stored = is_stored(attachment);
        if (attachment->samples > VK_SAMPLE_COUNT_1_BIT && (loaded || stored) &&
            is_resolved(pass, i))
            advise(call, BestPractices_vkCreateRenderPass_image_requires_memory,
                   &LOCATION_INDEX(CREATE_INFO, "pAttachments", i),
                   OBJECT(HANDLE_RENDER_PASS, handle),
                   "has %u samples, is resolved in a subpass, and is %s%s%s", attachment->samples,
                   loaded ? "loaded" : "", loaded && stored ? " and " : "", stored ? "stored" : "");
    }
}

/* --- resolves (VK_EXT_multisampled_render_to_single_sampled) --- */

/* True if the device resolves the format optimally, or that is not known. */
static bool resolves_well(const struct device *device, VkFormat format)
{
    VkSubpassResolvePerformanceQueryEXT answer = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_RESOLVE_PERFORMANCE_QUERY_EXT, .optimal = VK_TRUE};
    VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2,
                                      .pNext = &answer};
    if (!device->instance->dispatch.GetPhysicalDeviceFormatProperties2)
        return true;
    device->instance->dispatch.GetPhysicalDeviceFormatProperties2(device->physical_device, format,
                                                                  &properties);
    return answer.optimal;
}

/* True if the subpass uses the attachment and renders multisampled to single-sampled ones. The
 * caller knows that the attachment is single-sampled. */
static bool is_single_sampled_in(const struct subpass *subpass, uint32_t attachment)
{
    bool used = subpass->depth_stencil.attachment == attachment;
    for (uint32_t i = 0; i < subpass->color_count; i++)
        used |= subpass->colors[i].attachment == attachment;
    return used && subpass->single_sampled_enable &&
           subpass->single_sampled_samples > VK_SAMPLE_COUNT_1_BIT;
}

/* True if some subpass renders multisampled to the attachment. */
static bool is_single_sampled(const struct render_pass *pass, uint32_t attachment)
{
    for (uint32_t i = 0; i < pass->subpass_count; i++) {
        if (is_single_sampled_in(&pass->subpasses[i], attachment))
            return true;
    }
    return false;
}

/* Advises if a format is resolved that the device does not resolve optimally. */
static void judge_resolves(const struct call *call, VkRenderPass handle)
{
    const struct render_pass *pass =
        call->result == VK_SUCCESS &&
                /* Only this extension has a query for how well the device resolves. */
                call_has_extension(call, EXTENSION_VK_EXT_multisampled_render_to_single_sampled)
            ? find_render_pass(call, handle)
            : NULL;
    for (uint32_t i = 0; pass && i < pass->attachment_count; i++) {
        const VkAttachmentDescription *attachment = &pass->attachments[i].description;
        const bool single =
            attachment->samples == VK_SAMPLE_COUNT_1_BIT && is_single_sampled(pass, i);
        if ((single || is_resolved(pass, i)) && !resolves_well(call->device, attachment->format))
            advise(call, BestPractices_vkCreateRenderPass_SubpassResolve_NonOptimalFormat,
                   &LOCATION(&LOCATION_INDEX(CREATE_INFO, "pAttachments", i), "format"),
                   OBJECT(HANDLE_RENDER_PASS, handle),
                   "is %s, %s, and the device does not resolve this format at its best",
                   TEXT_OF(VkFormat, (uint32_t)attachment->format),
                   single ? "a subpass renders many samples into its one"
                          : "a subpass resolves the attachment");
    }
}

void practices_after_CreateRenderPass(struct call *call, VkDevice device,
                                      const VkRenderPassCreateInfo *pCreateInfo,
                                      const VkAllocationCallbacks *pAllocator,
                                      VkRenderPass *pRenderPass)
{
    judge_render_pass(call, *pRenderPass);
    judge_resolves(call, *pRenderPass);
}

void practices_after_CreateRenderPass2(struct call *call, VkDevice device,
                                       const VkRenderPassCreateInfo2 *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkRenderPass *pRenderPass)
{
    judge_render_pass(call, *pRenderPass);
    judge_resolves(call, *pRenderPass);
}

/* --- framebuffers --- */

/* Judges whether an attachment's image should be transient, according to its load and store
 * operations. */
static void judge_attachment(const struct call *call, const struct location *where,
                             const VkAttachmentDescription *attachment,
                             const struct image_view *view)
{
    const struct image *image = image_by_id(view->image);
    if (!image || image->from_swapchain)
        return;
    const bool transient = image->any_usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
               within = !(image->any_usage & ~(VkImageUsageFlags)WITHIN_PASSES);
    /* vkCreateImage has already judged multisampled images. */
    if (!transient && (!within || image->samples != VK_SAMPLE_COUNT_1_BIT))
        return;
    const bool loaded = is_loaded(attachment), stored = is_stored(attachment);
    if (transient != (loaded || stored))
        return;
    const struct finding_objects *objects =
        OBJECT2(HANDLE_IMAGE_VIEW, object_state_handle(&view->base), HANDLE_IMAGE,
                object_state_handle(&image->base));
    if (!transient)
        advise(call, BestPractices_vkCreateFramebuffer_attachment_should_be_transient, where,
               objects, "is neither loaded nor stored, and %s has the usage %s alone",
               NAMED_STATE(call, &image->base), TEXT_OF(VkImageUsageFlags, image->any_usage));
    else
        advise(call, BestPractices_vkCreateFramebuffer_attachment_should_not_be_transient, where,
               objects, "is %s%s%s, and %s is transient", loaded ? "loaded" : "",
               loaded && stored ? " and " : "", stored ? "stored" : "",
               NAMED_STATE(call, &image->base));
}

void practices_after_CreateFramebuffer(struct call *call, VkDevice device,
                                       const VkFramebufferCreateInfo *pCreateInfo,
                                       const VkAllocationCallbacks *pAllocator,
                                       VkFramebuffer *pFramebuffer)
{
    const VkFramebufferCreateInfo *info = pCreateInfo;
    const struct practices_of_device *kept = practices_of_device(call->device);
    if (call->result != VK_SUCCESS || !kept ||
        !atomic_load_explicit(&kept->lazy_memory, memory_order_relaxed) ||
        info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT || !info->pAttachments)
        return;
    const struct render_pass *pass = find_render_pass(call, info->renderPass);
    for (uint32_t i = 0; pass && i < info->attachmentCount && i < pass->attachment_count; i++) {
        const struct image_view *view = find_image_view(call, info->pAttachments[i]);
        if (view)
            judge_attachment(call, &LOCATION_INDEX(CREATE_INFO, "pAttachments", i),
                             &pass->attachments[i].description, view);
    }
}
