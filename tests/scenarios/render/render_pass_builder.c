/* Creates what render_pass_builder.h describes. */
#include "render/render_pass_builder.h"

static const VkPhysicalDeviceVulkan13Features features13 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
    .dynamicRendering = VK_TRUE,
    .synchronization2 = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features features12 = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
    .pNext = (void *)&features13,
    .separateDepthStencilLayouts = VK_TRUE,
    .imagelessFramebuffer = VK_TRUE};
const VkPhysicalDeviceVulkan11Features pass_features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
    .pNext = (void *)&features12,
    .multiview = VK_TRUE};

static void destroy_built_pass(struct baseline *b, uint64_t handle)
{
    vkDestroyRenderPass(b->device, (VkRenderPass)(uintptr_t)handle, NULL);
}

static VkRenderPass keep_pass(struct baseline *b, VkResult result, VkRenderPass pass)
{
    if (result != VK_SUCCESS)
        return VK_NULL_HANDLE;
    cleanup_add(b, destroy_built_pass, HANDLE(pass));
    return pass;
}

VkRenderPass pass_create2(struct baseline *b, const struct pass *p)
{
    VkRenderPass pass = VK_NULL_HANDLE;
    VkResult result = vkCreateRenderPass2(b->device, &p->info, NULL, &pass);
    return keep_pass(b, result, pass);
}

/* Narrows `count` references; `from` may be NULL. */
static const VkAttachmentReference *
narrow_references(VkAttachmentReference *to, const VkAttachmentReference2 *from, uint32_t count)
{
    for (uint32_t i = 0; from && i < count; i++)
        to[i] = (VkAttachmentReference){from[i].attachment, from[i].layout};
    return from ? to : NULL;
}

VkRenderPass pass_create1(struct baseline *b, const struct pass *p)
{
    VkAttachmentDescription attachments[PASS_ATTACHMENTS];
    VkAttachmentReference references[3][64];
    VkSubpassDescription subpasses[3];
    VkSubpassDependency dependencies[3];
    for (uint32_t i = 0; i < p->info.attachmentCount; i++) {
        const VkAttachmentDescription2 *a = &p->attachments[i];
        attachments[i] = (VkAttachmentDescription){
            a->flags,         a->format,         a->samples,       a->loadOp,     a->storeOp,
            a->stencilLoadOp, a->stencilStoreOp, a->initialLayout, a->finalLayout};
    }
    for (uint32_t i = 0; i < p->info.subpassCount; i++) {
        const VkSubpassDescription2 *s = &p->subpasses[i];
        VkAttachmentReference *r = references[i];
        ENSURE(s->colorAttachmentCount <= 20 && s->inputAttachmentCount <= 20);
        subpasses[i] = (VkSubpassDescription){
            .flags = s->flags,
            .pipelineBindPoint = s->pipelineBindPoint,
            .inputAttachmentCount = s->inputAttachmentCount,
            .pInputAttachments =
                narrow_references(r, s->pInputAttachments, s->inputAttachmentCount),
            .colorAttachmentCount = s->colorAttachmentCount,
            .pColorAttachments =
                narrow_references(r + 20, s->pColorAttachments, s->colorAttachmentCount),
            .pResolveAttachments =
                narrow_references(r + 40, s->pResolveAttachments, s->colorAttachmentCount),
            .pDepthStencilAttachment = narrow_references(r + 60, s->pDepthStencilAttachment, 1),
            .preserveAttachmentCount = s->preserveAttachmentCount,
            .pPreserveAttachments = s->pPreserveAttachments,
        };
    }
    for (uint32_t i = 0; i < p->info.dependencyCount; i++) {
        const VkSubpassDependency2 *d = &p->dependencies[i];
        dependencies[i] = (VkSubpassDependency){
            d->srcSubpass,    d->dstSubpass,    d->srcStageMask,   d->dstStageMask,
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
    return keep_pass(b, result, pass);
}

static VkImageAspectFlags aspects_of(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

VkImageView make_attachment_of(struct baseline *b, const struct attachment *a)
{
    VkFormat format = a->format ? a->format : COLOR_FORMAT;
    bool color = aspects_of(format) == VK_IMAGE_ASPECT_COLOR_BIT;
    VkImageCreateInfo info =
        image_info(a->usage
                       ? a->usage
                       : (VkImageUsageFlags)(color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT
                                                   : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT));
    info.pNext = a->next;
    info.format = format;
    info.flags = a->flags;
    info.samples = a->samples ? a->samples : VK_SAMPLE_COUNT_1_BIT;
    info.arrayLayers = a->layers ? a->layers : 1;
    info.mipLevels = a->levels ? a->levels : 1;
    info.extent.width = a->width ? a->width : IMAGE_EXTENT;
    info.extent.height = a->height ? a->height : IMAGE_EXTENT;
    if (a->three_dimensional) {
        info.imageType = VK_IMAGE_TYPE_3D;
        info.extent.depth = 4;
    }
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = a->view_format ? a->view_format : format;
    view.viewType = a->three_dimensional ? VK_IMAGE_VIEW_TYPE_3D
                    : a->layers > 1      ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                         : VK_IMAGE_VIEW_TYPE_2D;
    view.components.r = a->red;
    view.subresourceRange.aspectMask = aspects_of(format);
    view.subresourceRange.levelCount = info.mipLevels;
    view.subresourceRange.layerCount = a->view_layers ? a->view_layers : info.arrayLayers;
    VkImageView made = create_image_view(b, &view);
    ENSURE(made);
    return made;
}

VkImageView make_tile_attachment(struct baseline *b)
{
    enum { TILE_TYPE = 2 };
    const VkImageCreateInfo info =
        image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TILE_MEMORY_BIT_QCOM);
    const VkMemoryAllocateInfo memory = memory_info(1 << 20, TILE_TYPE);
    const VkImage image = create_image(b, &info);
    VK(vkBindImageMemory(b->device, image, create_memory(b, &memory), 0));
    const VkImageViewCreateInfo view = image_view_info(image);
    return create_image_view(b, &view);
}
