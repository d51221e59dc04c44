/* Makes the objects of the wild mode, with anything in their create infos. */
#include "wild.h"

#define USAGE_BUFFER 0x1ffu
#define USAGE_IMAGE  0xffu

#define MAKE(wild_, Type_, command_, info_)                                     \
    do {                                                                        \
        Vk##Type_ made__ = VK_NULL_HANDLE;                                      \
        if (TRY((wild_)->w, command_, (wild_)->w->device, OR_NULL(info_), NULL, \
                OR_NULL(&made__)) == VK_SUCCESS)                                \
            ADD(Type_, made__);                                                 \
    } while (0)

static void create_wild_buffer(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    static const uint32_t families[] = {0, 1};
    VkBufferCreateInfo info = {
        .sType = random_chance(r, 1) ? VK_STRUCTURE_TYPE_APPLICATION_INFO
                                     : VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = wild_next(r, &chain),
        .flags = wild_flags(r, 0),
        .size = wild_size(r, 65536),
        .usage = wild_flags(r, USAGE_BUFFER | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT),
        .sharingMode = (VkSharingMode)wild_enum(r, 2),
        .queueFamilyIndexCount = 2,
        .pQueueFamilyIndices = OR_NULL(families)};
    MAKE(wild, Buffer, CreateBuffer, &info);
}

static void create_image(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = wild_next(r, &chain),
        .flags = random_chance(r, 70) ? 0
                                      : wild_flags(r, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT |
                                                          VK_IMAGE_CREATE_DISJOINT_BIT),
        .imageType = (VkImageType)(random_chance(r, 80) ? 1 : wild_enum(r, 3)),
        .format = wild_format(r),
        .extent = {wild_number(r, 128), wild_number(r, 128),
                   random_chance(r, 80) ? 1 : wild_number(r, 16)},
        .mipLevels = 1 + wild_number(r, 4),
        .arrayLayers = 1 + wild_number(r, 4),
        .samples = (VkSampleCountFlagBits)(random_chance(r, 80) ? 1 : wild_flags(r, 4)),
        .tiling = (VkImageTiling)(random_chance(r, 80) ? 0 : wild_enum(r, 2)),
        .usage = wild_flags(r, random_chance(r, 50) ? USAGE_IMAGE & 0x1f : USAGE_IMAGE),
        .initialLayout = random_chance(r, 90) ? VK_IMAGE_LAYOUT_UNDEFINED : wild_layout(r)};
    MAKE(wild, Image, CreateImage, &info);
}

static void create_views(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    if (random_chance(r, 30)) {
        VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                       .pNext = wild_next(r, &chain),
                                       .buffer = PICK(Buffer),
                                       .format = wild_format(r),
                                       .offset = wild_size(r, 256) & ~15ull,
                                       .range = random_chance(r, 50) ? VK_WHOLE_SIZE
                                                                     : wild_size(r, 4096)};
        MAKE(wild, BufferView, CreateBufferView, &info);
        return;
    }
    VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .pNext = wild_next(r, &chain),
        .flags = wild_flags(r, 0),
        .image = PICK(Image),
        .viewType = (VkImageViewType)wild_enum(r, 7),
        .format = wild_format(r),
        .components = {(VkComponentSwizzle)wild_enum(r, 7)},
        .subresourceRange = {wild_flags(r, 1u << random_below(r, 4)), wild_number(r, 3),
                             random_chance(r, 40) ? VK_REMAINING_MIP_LEVELS : wild_number(r, 4),
                             wild_number(r, 3),
                             random_chance(r, 40) ? VK_REMAINING_ARRAY_LAYERS : wild_number(r, 4)}};
    MAKE(wild, ImageView, CreateImageView, &info);
}

static void create_samplers(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkSamplerYcbcrConversionInfo conversion = {.sType =
                                                   VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO,
                                               .conversion = PICK(SamplerYcbcrConversion)};
    if (random_chance(r, 20)) {
        VkSamplerYcbcrConversionCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
            .pNext = wild_next(r, &chain),
            .format = wild_format(r),
            .ycbcrModel = (VkSamplerYcbcrModelConversion)wild_enum(r, 5),
            .ycbcrRange = (VkSamplerYcbcrRange)wild_enum(r, 2),
            .xChromaOffset = (VkChromaLocation)wild_enum(r, 2),
            .chromaFilter = (VkFilter)wild_enum(r, 2)};
        MAKE(wild, SamplerYcbcrConversion, CreateSamplerYcbcrConversion, &info);
        return;
    }
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .pNext = random_chance(r, 10) ? &conversion : wild_next(r, &chain),
                                .flags = wild_flags(r, 0),
                                .magFilter = (VkFilter)wild_enum(r, 2),
                                .mipmapMode = (VkSamplerMipmapMode)wild_enum(r, 2),
                                .addressModeU = (VkSamplerAddressMode)wild_enum(r, 5),
                                .mipLodBias = wild_float(r),
                                .anisotropyEnable = wild_number(r, 2),
                                .maxAnisotropy = wild_float(r),
                                .compareEnable = wild_number(r, 2),
                                .compareOp = (VkCompareOp)wild_enum(r, 8),
                                .minLod = wild_float(r),
                                .maxLod = wild_float(r),
                                .borderColor = (VkBorderColor)wild_enum(r, 8),
                                .unnormalizedCoordinates = wild_number(r, 2)};
    MAKE(wild, Sampler, CreateSampler, &info);
}

static VkAttachmentReference wild_reference(struct random *r)
{
    return (VkAttachmentReference){random_chance(r, 10) ? VK_ATTACHMENT_UNUSED : wild_number(r, 3),
                                   wild_layout(r)};
}

static void create_render_pass(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkAttachmentDescription attachments[3];
    VkAttachmentReference references[3][4];
    VkSubpassDescription subpasses[3];
    VkSubpassDependency dependencies[3];
    uint32_t preserved[] = {wild_number(r, 3), wild_number(r, 3)};
    for (int i = 0; i < 3; i++) {
        attachments[i] =
            (VkAttachmentDescription){.flags = wild_flags(r, 0),
                                      .format = wild_format(r),
                                      .samples = (VkSampleCountFlagBits)wild_flags(r, 1),
                                      .loadOp = (VkAttachmentLoadOp)wild_enum(r, 3),
                                      .storeOp = (VkAttachmentStoreOp)wild_enum(r, 2),
                                      .stencilLoadOp = (VkAttachmentLoadOp)wild_enum(r, 3),
                                      .initialLayout = wild_layout(r),
                                      .finalLayout = wild_layout(r)};
        for (int j = 0; j < 4; j++)
            references[i][j] = wild_reference(r);
        subpasses[i] = (VkSubpassDescription){
            .pipelineBindPoint = (VkPipelineBindPoint)(random_chance(r, 95) ? 0 : wild_enum(r, 3)),
            .inputAttachmentCount = wild_count(r, 2),
            .pInputAttachments = OR_NULL(references[i]),
            .colorAttachmentCount = wild_count(r, 2),
            .pColorAttachments = OR_NULL(references[i] + 1),
            .pResolveAttachments = random_chance(r, 80) ? NULL : references[i] + 2,
            .pDepthStencilAttachment = random_chance(r, 50) ? NULL : references[i] + 3,
            .preserveAttachmentCount = wild_count(r, 2),
            .pPreserveAttachments = OR_NULL(preserved)};
        dependencies[i] =
            (VkSubpassDependency){random_chance(r, 30) ? VK_SUBPASS_EXTERNAL : wild_number(r, 3),
                                  random_chance(r, 30) ? VK_SUBPASS_EXTERNAL : wild_number(r, 3),
                                  wild_flags(r, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT),
                                  wild_flags(r, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT),
                                  wild_flags(r, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT),
                                  wild_flags(r, VK_ACCESS_SHADER_READ_BIT),
                                  wild_flags(r, 1)};
    }
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .pNext = wild_next(r, &chain),
                                   .attachmentCount = wild_count(r, 3),
                                   .pAttachments = OR_NULL(attachments),
                                   .subpassCount = wild_count(r, 3),
                                   .pSubpasses = OR_NULL(subpasses),
                                   .dependencyCount = wild_count(r, 3),
                                   .pDependencies = OR_NULL(dependencies)};
    MAKE(wild, RenderPass, CreateRenderPass, &info);
}

static VkAttachmentReference2 wild_reference2(struct random *r)
{
    return (VkAttachmentReference2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                    .attachment = random_chance(r, 10) ? VK_ATTACHMENT_UNUSED
                                                                       : wild_number(r, 3),
                                    .layout = wild_layout(r),
                                    .aspectMask = wild_flags(r, 1)};
}

static void create_render_pass2(struct wild *wild, struct random *r)
{
    struct wild_chain chain[3];
    VkAttachmentDescription2 attachments[2];
    VkAttachmentReference2 references[2][4];
    VkSubpassDescription2 subpasses[2];
    VkSubpassDependency2 dependencies[2];
    uint32_t masks[] = {wild_number(r, 4), wild_number(r, 4)};
    for (int i = 0; i < 2; i++) {
        attachments[i] =
            (VkAttachmentDescription2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                       .format = wild_format(r),
                                       .samples = (VkSampleCountFlagBits)wild_flags(r, 1),
                                       .loadOp = (VkAttachmentLoadOp)wild_enum(r, 3),
                                       .storeOp = (VkAttachmentStoreOp)wild_enum(r, 2),
                                       .initialLayout = wild_layout(r),
                                       .finalLayout = wild_layout(r)};
        for (int j = 0; j < 4; j++)
            references[i][j] = wild_reference2(r);
        subpasses[i] = (VkSubpassDescription2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
            .pNext = wild_next(r, &chain[i]),
            .viewMask = random_chance(r, 80) ? 0 : wild_number(r, 8),
            .inputAttachmentCount = wild_count(r, 1),
            .pInputAttachments = OR_NULL(references[i]),
            .colorAttachmentCount = wild_count(r, 2),
            .pColorAttachments = OR_NULL(references[i] + 1),
            .pDepthStencilAttachment = random_chance(r, 50) ? NULL : references[i] + 3};
        dependencies[i] = (VkSubpassDependency2){
            .sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
            .srcSubpass = wild_number(r, 2),
            .dstSubpass = wild_number(r, 2),
            .srcStageMask = wild_flags(r, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT),
            .dstStageMask = wild_flags(r, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT),
            .dependencyFlags = wild_flags(r, 1),
            .viewOffset = wild_enum(r, 2)};
    }
    VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                    .pNext = wild_next(r, &chain[2]),
                                    .attachmentCount = wild_count(r, 2),
                                    .pAttachments = OR_NULL(attachments),
                                    .subpassCount = wild_count(r, 2),
                                    .pSubpasses = OR_NULL(subpasses),
                                    .dependencyCount = wild_count(r, 2),
                                    .pDependencies = OR_NULL(dependencies),
                                    .correlatedViewMaskCount = wild_count(r, 2),
                                    .pCorrelatedViewMasks = OR_NULL(masks)};
    MAKE(wild, RenderPass, CreateRenderPass2, &info);
}

static void create_framebuffer(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkImageView views[3] = {PICK(ImageView), PICK(ImageView), PICK(ImageView)};
    VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .pNext = wild_next(r, &chain),
                                    .flags = wild_flags(r, 0),
                                    .renderPass = PICK(RenderPass),
                                    .attachmentCount = wild_count(r, 3),
                                    .pAttachments = OR_NULL(views),
                                    .width = wild_number(r, 64),
                                    .height = wild_number(r, 64),
                                    .layers = wild_number(r, 3)};
    MAKE(wild, Framebuffer, CreateFramebuffer, &info);
}

static void create_pool(struct wild *wild, struct random *r)
{
    VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = wild_flags(r, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT),
        .queueFamilyIndex = random_chance(r, 60) ? 0 : wild_number(r, QUEUE_FAMILY_COUNT)};
    MAKE(wild, CommandPool, CreateCommandPool, &info);
}

static void create_command_buffers(struct wild *wild, struct random *r)
{
    VkCommandBuffer buffers[3] = {NULL, NULL, NULL};
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = PICK(CommandPool),
        .level = (VkCommandBufferLevel)(random_chance(r, 70) ? 0 : wild_enum(r, 2)),
        .commandBufferCount = wild_count(r, 3)};
    if (TRY(wild->w, AllocateCommandBuffers, wild->w->device, OR_NULL(&info), buffers) !=
        VK_SUCCESS)
        return;
    VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                      .pInheritanceInfo = &inheritance};
    for (uint32_t i = 0; i < info.commandBufferCount; i++) {
        ADD(CommandBuffer, buffers[i]);
        if (buffers[i] && random_chance(r, 80))
            (void)TRY(wild->w, BeginCommandBuffer, buffers[i], &begin);
    }
}

static void create_sync(struct wild *wild, struct random *r)
{
    struct wild_chain chain;
    VkSemaphoreTypeCreateInfo timeline = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                          .semaphoreType = (VkSemaphoreType)wild_enum(r, 2),
                                          .initialValue = wild_size(r, 3)};
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                       .pNext =
                                           random_chance(r, 50) ? &timeline : wild_next(r, &chain)};
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                               .flags = wild_flags(r, random_below(r, 2))};
    VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO,
                               .flags = wild_flags(r, random_below(r, 2))};
    switch (random_below(r, 3)) {
    case 0:
        MAKE(wild, Semaphore, CreateSemaphore, &semaphore);
        break;
    case 1:
        MAKE(wild, Fence, CreateFence, &fence);
        break;
    default:
        MAKE(wild, Event, CreateEvent, &event);
        break;
    }
}

static void create_query_pool(struct wild *wild, struct random *r)
{
    static const VkQueryType types[] = {
        VK_QUERY_TYPE_OCCLUSION, VK_QUERY_TYPE_PIPELINE_STATISTICS, VK_QUERY_TYPE_TIMESTAMP,
        VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, VK_QUERY_TYPE_MAX_ENUM};
    VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                  .flags = wild_flags(r, 0),
                                  .queryType = ANY_OF(r, types),
                                  .queryCount = wild_number(r, 8),
                                  .pipelineStatistics = wild_flags(r, 3)};
    MAKE(wild, QueryPool, CreateQueryPool, &info);
}

static void create_swapchain(struct wild *wild, struct random *r)
{
    struct world *w = wild->w;
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = w->surface,
        .minImageCount = wild_number(r, 5),
        .imageFormat = random_chance(r, 80) ? VK_FORMAT_B8G8R8A8_UNORM : wild_format(r),
        .imageExtent = {wild_number(r, 64), wild_number(r, 64)},
        .imageArrayLayers = 1 + wild_number(r, 2),
        .imageUsage = wild_flags(r, 0x1f),
        .imageSharingMode = (VkSharingMode)wild_enum(r, 2),
        .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = (VkPresentModeKHR)wild_enum(r, 4),
        .oldSwapchain = random_chance(r, 50) ? VK_NULL_HANDLE : PICK(SwapchainKHR)};
    VkSwapchainKHR swapchain = VK_NULL_HANDLE;
    if (TRY(w, CreateSwapchainKHR, w->device, &info, NULL, &swapchain) != VK_SUCCESS)
        return;
    ADD(SwapchainKHR, swapchain);
    VkImage images[8];
    uint32_t count = 8;
    if (TRY(w, GetSwapchainImagesKHR, w->device, swapchain, &count, images) < 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        ADD(Image, images[i]);
}

static void create_caches(struct wild *wild, struct random *r)
{
    static const unsigned char data[64] = {32, 0, 0, 0, 1};
    VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                       .flags = wild_flags(r, 0),
                                       .initialDataSize = random_below(r, sizeof(data)),
                                       .pInitialData = OR_NULL(data)};
    VkPrivateDataSlotCreateInfo slot = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
    if (random_chance(r, 50))
        MAKE(wild, PipelineCache, CreatePipelineCache, &cache);
    else
        MAKE(wild, PrivateDataSlot, CreatePrivateDataSlot, &slot);
}

void wild_create_step(struct wild *wild, struct random *r)
{
    static void (*const creators[])(struct wild *, struct random *) = {
        create_wild_buffer,     create_wild_buffer,     create_image,    create_image,
        create_views,           create_views,           create_samplers, create_render_pass,
        create_render_pass2,    create_framebuffer,     create_pool,     create_command_buffers,
        create_command_buffers, create_command_buffers, create_sync,     create_sync,
        create_query_pool,      create_swapchain,       create_caches};
    ANY_OF(r, creators)(wild, r);
}
