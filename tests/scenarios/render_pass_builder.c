/* Creates what render_pass_builder.h describes. */
#include "render_pass_builder.h"

static const VkPhysicalDeviceVulkan13Features features13 = {.sType =
                                                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                                            .dynamicRendering = VK_TRUE,
                                                            .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features features12 = {.sType =
                                                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                            .pNext = (void *)&features13,
                                                            .separateDepthStencilLayouts = VK_TRUE,
                                                            .imagelessFramebuffer = VK_TRUE};
const VkPhysicalDeviceVulkan11Features pass_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = (void *)&features12, .multiview = VK_TRUE};

static void destroy(struct baseline *b, uint64_t handle)
{
    vkDestroyRenderPass(b->device, (VkRenderPass)(uintptr_t)handle, NULL);
}

static VkRenderPass keep(struct baseline *b, VkResult result, VkRenderPass pass)
{
    if (result != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy, HANDLE(pass));
    return pass;
}

VkRenderPass pass_create2(struct baseline *b, const struct pass *p)
{
    VkRenderPass pass = VK_NULL_HANDLE;
    VkResult result = vkCreateRenderPass2(b->device, &p->info, NULL, &pass);
    return keep(b, result, pass);
}

/* Of `count` references; `from` may be NULL. */
static const VkAttachmentReference *narrow(VkAttachmentReference *to, const VkAttachmentReference2 *from, uint32_t count)
{
    for (uint32_t i = 0; from && i < count; i++)
        to[i] = (VkAttachmentReference){from[i].attachment, from[i].layout};
    return from ? to : NULL;
}

VkRenderPass pass_create1(struct baseline *b, const struct pass *p)
{
    VkAttachmentDescription attachments[PASS_ATTACHMENTS];
    VkAttachmentReference references[2][64];
    VkSubpassDescription subpasses[2];
    VkSubpassDependency dependencies[3];
    for (uint32_t i = 0; i < p->info.attachmentCount; i++) {
        const VkAttachmentDescription2 *a = &p->attachments[i];
        attachments[i] =
            (VkAttachmentDescription){a->flags,         a->format,         a->samples,       a->loadOp,     a->storeOp,
                                      a->stencilLoadOp, a->stencilStoreOp, a->initialLayout, a->finalLayout};
    }
    for (uint32_t i = 0; i < p->info.subpassCount; i++) {
        const VkSubpassDescription2 *s = &p->subpasses[i];
        VkAttachmentReference *r = references[i];
        REQUIRE(s->colorAttachmentCount <= 20 && s->inputAttachmentCount <= 20);
        subpasses[i] = (VkSubpassDescription){
            .flags = s->flags,
            .pipelineBindPoint = s->pipelineBindPoint,
            .inputAttachmentCount = s->inputAttachmentCount,
            .pInputAttachments = narrow(r, s->pInputAttachments, s->inputAttachmentCount),
            .colorAttachmentCount = s->colorAttachmentCount,
            .pColorAttachments = narrow(r + 20, s->pColorAttachments, s->colorAttachmentCount),
            .pResolveAttachments = narrow(r + 40, s->pResolveAttachments, s->colorAttachmentCount),
            .pDepthStencilAttachment = narrow(r + 60, s->pDepthStencilAttachment, 1),
            .preserveAttachmentCount = s->preserveAttachmentCount,
            .pPreserveAttachments = s->pPreserveAttachments,
        };
    }
    for (uint32_t i = 0; i < p->info.dependencyCount; i++) {
        const VkSubpassDependency2 *d = &p->dependencies[i];
        dependencies[i] = (VkSubpassDependency){d->srcSubpass,    d->dstSubpass,    d->srcStageMask,   d->dstStageMask,
                                                d->srcAccessMask, d->dstAccessMask, d->dependencyFlags};
    }
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .pNext = p->info.pNext,
                                   .flags = p->info.flags,
                                   .attachmentCount = p->info.attachmentCount,
                                   .pAttachments = attachments,
                                   .subpassCount = p->info.subpassCount,
                                   .pSubpasses = subpasses,
                                   .dependencyCount = p->info.dependencyCount,
                                   .pDependencies = dependencies};
    VkRenderPass pass = VK_NULL_HANDLE;
    VkResult result = vkCreateRenderPass(b->device, &info, NULL, &pass);
    return keep(b, result, pass);
}
