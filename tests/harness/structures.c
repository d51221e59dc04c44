/* Makes valid structures. */
#include "scenario.h"

VkBufferCreateInfo buffer_info(VkDeviceSize size, VkBufferUsageFlags usage)
{
    return (VkBufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage};
}

VkMemoryAllocateInfo memory_info(VkDeviceSize size, uint32_t type)
{
    return (VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                  .allocationSize = size,
                                  .memoryTypeIndex = type};
}

VkImageCreateInfo image_info(VkImageUsageFlags usage)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = COLOR_FORMAT,
        .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = usage,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
    };
}

VkImageSubresourceRange color_range(void)
{
    return (VkImageSubresourceRange){
        .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
}

VkImageViewCreateInfo image_view_info(VkImage image)
{
    return (VkImageViewCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = COLOR_FORMAT,
        .subresourceRange = color_range(),
    };
}

VkBufferViewCreateInfo buffer_view_info(VkBuffer buffer)
{
    return (VkBufferViewCreateInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                    .buffer = buffer,
                                    .format = VK_FORMAT_R32_UINT,
                                    .range = VK_WHOLE_SIZE};
}

VkSamplerCreateInfo sampler_info(void)
{
    return (VkSamplerCreateInfo){
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
    };
}

VkRenderPassCreateInfo render_pass_info(void)
{
    static const VkAttachmentDescription attachment = {
        .format = COLOR_FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    static const VkAttachmentReference reference = {.layout =
                                                        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    static const VkSubpassDescription subpass = {.pipelineBindPoint =
                                                     VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                 .colorAttachmentCount = 1,
                                                 .pColorAttachments = &reference};
    /* The dependency that a copy out of the image after the render pass needs. */
    static const VkSubpassDependency dependency = {
        .dstSubpass = VK_SUBPASS_EXTERNAL,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
    };
    return (VkRenderPassCreateInfo){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
}

VkFramebufferCreateInfo framebuffer_info(VkRenderPass render_pass, const VkImageView *view)
{
    return (VkFramebufferCreateInfo){
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = render_pass,
        .attachmentCount = 1,
        .pAttachments = view,
        .width = IMAGE_EXTENT,
        .height = IMAGE_EXTENT,
        .layers = 1,
    };
}

VkDescriptorSetLayoutCreateInfo descriptor_set_layout_info(void)
{
    static const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                             VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                         .descriptorCount = 1,
                                                         .stageFlags = VK_SHADER_STAGE_ALL};
    return (VkDescriptorSetLayoutCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
}

VkDescriptorPoolCreateInfo descriptor_pool_info(void)
{
    static const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 16},
        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 16},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 16},
        {VK_DESCRIPTOR_TYPE_SAMPLER, 16},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 16},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 16},
    };
    return (VkDescriptorPoolCreateInfo){
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
        .maxSets = 8,
        .poolSizeCount = sizeof(sizes) / sizeof(sizes[0]),
        .pPoolSizes = sizes,
    };
}

VkPipelineLayoutCreateInfo pipeline_layout_info(const VkDescriptorSetLayout *set_layout)
{
    static const VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_ALL, .size = 16};
    return (VkPipelineLayoutCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = set_layout ? 1 : 0,
        .pSetLayouts = set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
}

VkPipelineShaderStageCreateInfo stage_info(VkShaderStageFlagBits stage, VkShaderModule module)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = stage,
        .module = module,
        .pName = "main"};
}

VkComputePipelineCreateInfo compute_pipeline_info(VkShaderModule module, VkPipelineLayout layout)
{
    return (VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                         .stage = stage_info(VK_SHADER_STAGE_COMPUTE_BIT, module),
                                         .layout = layout,
                                         .basePipelineIndex = -1};
}

VkCommandPoolCreateInfo command_pool_info(uint32_t queue_family)
{
    return (VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                     .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                     .queueFamilyIndex = queue_family};
}

VkCommandBufferAllocateInfo command_buffer_info(VkCommandPool pool, VkCommandBufferLevel level)
{
    return (VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                         .commandPool = pool,
                                         .level = level,
                                         .commandBufferCount = 1};
}

VkCommandBufferBeginInfo begin_info(void)
{
    return (VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
}

VkSemaphoreCreateInfo semaphore_info(void)
{
    return (VkSemaphoreCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
}

VkFenceCreateInfo fence_info(void)
{
    return (VkFenceCreateInfo){.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
}

VkEventCreateInfo event_info(void)
{
    return (VkEventCreateInfo){.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
}

VkQueryPoolCreateInfo query_pool_info(void)
{
    return (VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                   .queryType = VK_QUERY_TYPE_OCCLUSION,
                                   .queryCount = 4};
}

VkPipelineCacheCreateInfo pipeline_cache_info(void)
{
    return (VkPipelineCacheCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
}

VkSwapchainCreateInfoKHR swapchain_info(VkSurfaceKHR surface)
{
    return (VkSwapchainCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = surface,
        .minImageCount = 3,
        .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
        .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .clipped = VK_TRUE,
    };
}

VkRenderPassBeginInfo render_pass_begin_info(VkRenderPass render_pass, VkFramebuffer framebuffer)
{
    static const VkClearValue clear = {.color.float32 = {0, 0, 0, 1}};
    return (VkRenderPassBeginInfo){
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = render_pass,
        .framebuffer = framebuffer,
        .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
}

VkRenderingAttachmentInfo rendering_attachment(VkImageView view)
{
    return (VkRenderingAttachmentInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
        .imageView = view,
        .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .clearValue = {.color.float32 = {0, 0, 0, 1}},
    };
}

VkRenderingInfo rendering_info(const VkRenderingAttachmentInfo *color)
{
    return (VkRenderingInfo){
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {.extent = {IMAGE_EXTENT, IMAGE_EXTENT}},
        .layerCount = 1,
        .colorAttachmentCount = 1,
        .pColorAttachments = color,
    };
}

VkSubmitInfo submit_info(const VkCommandBuffer *command_buffer)
{
    return (VkSubmitInfo){.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                          .commandBufferCount = command_buffer ? 1 : 0,
                          .pCommandBuffers = command_buffer};
}

VkWriteDescriptorSet write_buffer(VkDescriptorSet set, const VkDescriptorBufferInfo *buffer)
{
    return (VkWriteDescriptorSet){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = set,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
        .pBufferInfo = buffer,
    };
}

VkImageMemoryBarrier image_barrier(VkImage image, VkImageLayout from, VkImageLayout to)
{
    return (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = color_range(),
    };
}

VkDebugUtilsObjectNameInfoEXT name_info(VkObjectType type, uint64_t handle, const char *name)
{
    return (VkDebugUtilsObjectNameInfoEXT){.sType =
                                               VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                           .objectType = type,
                                           .objectHandle = handle,
                                           .pObjectName = name};
}

static void fill_fixed_function(struct graphics_pipeline *p)
{
    p->vertex_input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    p->input_assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    p->input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    p->viewport = (VkViewport){.width = IMAGE_EXTENT, .height = IMAGE_EXTENT, .maxDepth = 1.0f};
    p->scissor = (VkRect2D){.extent = {IMAGE_EXTENT, IMAGE_EXTENT}};
    p->viewport_state = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &p->viewport,
        .scissorCount = 1,
        .pScissors = &p->scissor,
    };
    p->rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    p->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    p->blend_attachment = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
    p->color_blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &p->blend_attachment,
    };
}

void graphics_pipeline_fill(struct graphics_pipeline *p, VkShaderModule vertex,
                            VkShaderModule fragment, VkPipelineLayout layout,
                            VkRenderPass render_pass)
{
    *p = (struct graphics_pipeline){.stages = {stage_info(VK_SHADER_STAGE_VERTEX_BIT, vertex),
                                               stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, fragment)}};
    fill_fixed_function(p);
    p->info = (VkGraphicsPipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = 2,
        .pStages = p->stages,
        .pVertexInputState = &p->vertex_input,
        .pInputAssemblyState = &p->input_assembly,
        .pViewportState = &p->viewport_state,
        .pRasterizationState = &p->rasterization,
        .pMultisampleState = &p->multisample,
        .pColorBlendState = &p->color_blend,
        .layout = layout,
        .renderPass = render_pass,
        .basePipelineIndex = -1,
    };
}
