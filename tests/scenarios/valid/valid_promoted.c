/* Valid programs that use what is in the core today as the extension that it was. They run on
 * devices of the versions before, and use the names of that time, beside those of valid_versions.c.
 * Nothing is found in any of them. */
#include "scenario.h"

#include "valid_shaders.h"

#define FEATURE(name_, Type_, TYPE_, ...)          \
    static const VkPhysicalDevice##Type_ name_ = { \
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE_, __VA_ARGS__};
#define OF_1_0                                                        \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_0,        \
    .null_driver = "{\"apiVersion\": \"1.0.0\"}",                     \
    .instance_extensions = {"VK_KHR_get_physical_device_properties2", \
                            "VK_KHR_external_memory_capabilities",    \
                            "VK_KHR_external_semaphore_capabilities", \
                            "VK_KHR_external_fence_capabilities", "VK_KHR_device_group_creation"}
#define OF_1_1                                                 \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_1, \
    .null_driver = "{\"apiVersion\": \"1.1.0\"}"
#define OF_1_2                                                 \
    .drivers = NULL_DRIVER, .api_version = VK_API_VERSION_1_2, \
    .null_driver = "{\"apiVersion\": \"1.2.0\"}"
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT

/* The harness's own shaders are of SPIR-V 1.6. */
static VkPipeline make_old_pipeline(struct baseline *b, struct graphics_pipeline *p,
                                    VkRenderPass render_pass)
{
    graphics_pipeline_fill(p, MAKE_SHADER(b, spirv_old_plain), MAKE_SHADER(b, spirv_old_color),
                           make_empty_pipeline_layout(b), render_pass);
    return create_graphics_pipeline(b, &p->info);
}

/* --- render passes --- */

#define RENDERPASS2 "VK_KHR_create_renderpass2", "VK_KHR_multiview", "VK_KHR_maintenance2"

static VkRenderPass make_render_pass2(struct baseline *b, void *next, uint32_t attachment_count,
                                      const VkAttachmentDescription2 *attachments,
                                      const VkAttachmentReference2 *depth)
{
    const VkAttachmentReference2 color = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                          .aspectMask = COLOR};
    const VkSubpassDescription2 subpasses[2] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                                 .pNext = next,
                                                 .colorAttachmentCount = depth ? 0 : 1,
                                                 .pColorAttachments = &color,
                                                 .pDepthStencilAttachment = depth},
                                                {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2}};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .attachmentCount = attachment_count,
                                          .pAttachments = attachments,
                                          .subpassCount = 2,
                                          .pSubpasses = subpasses};
    VkRenderPass render_pass = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateRenderPass2KHR)(b->device, &info, NULL, &render_pass));
    return render_pass;
}

static void destroy_render_pass(struct baseline *b, VkRenderPass render_pass)
{
    vkDestroyRenderPass(b->device, render_pass, NULL);
}

static VkAttachmentDescription2 attachment_of_format(VkFormat format, VkImageLayout layout)
{
    return (VkAttachmentDescription2){.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                      .format = format,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                      .finalLayout = layout};
}

SCENARIO(depth_resolve_of_1_1, OF_1_1,
         .extensions = {"VK_KHR_depth_stencil_resolve", "VK_KHR_create_renderpass2"})
{
    VkAttachmentDescription2 attachments[2] = {
        attachment_of_format(VK_FORMAT_D32_SFLOAT,
                             VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
        attachment_of_format(VK_FORMAT_D32_SFLOAT,
                             VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL)};
    attachments[0].samples = VK_SAMPLE_COUNT_4_BIT;
    const VkAttachmentReference2 depth = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .layout =
                                              VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
                                 resolved = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                             .attachment = 1,
                                             .layout =
                                                 VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescriptionDepthStencilResolve resolve = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
        .depthResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .stencilResolveMode = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT,
        .pDepthStencilResolveAttachment = &resolved};
    destroy_render_pass(b, make_render_pass2(b, &resolve, 2, attachments, &depth));
}

FEATURE(separate, SeparateDepthStencilLayoutsFeaturesKHR,
        SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES_KHR, .separateDepthStencilLayouts = VK_TRUE)
SCENARIO(separate_layouts_of_1_1, OF_1_1, .features = &separate,
         .extensions = {"VK_KHR_separate_depth_stencil_layouts", "VK_KHR_create_renderpass2"})
{
    const VkAttachmentDescriptionStencilLayout stencil = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_STENCIL_LAYOUT,
        .stencilFinalLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL};
    const VkAttachmentReferenceStencilLayout in_subpass = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT,
        .stencilLayout = VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL};
    VkAttachmentDescription2 both = attachment_of_format(VK_FORMAT_D32_SFLOAT_S8_UINT,
                                                         VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL);
    both.pNext = (void *)&stencil;
    both.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    const VkAttachmentReference2 depth = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                          .pNext = &in_subpass,
                                          .layout = VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL};
    destroy_render_pass(b, make_render_pass2(b, NULL, 1, &both, &depth));
}

SCENARIO(no_load_no_store_of_1_0, OF_1_0, .extensions = {RENDERPASS2, "VK_KHR_load_store_op_none"})
{
    VkAttachmentDescription2 color = attachment_of_format(COLOR_FORMAT, VK_IMAGE_LAYOUT_GENERAL);
    color.loadOp = VK_ATTACHMENT_LOAD_OP_NONE_KHR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_NONE_KHR;
    destroy_render_pass(b, make_render_pass2(b, NULL, 1, &color, NULL));
}

SCENARIO(no_store_by_qualcomm, OF_1_0, .extensions = {"VK_QCOM_render_pass_store_ops"})
{
    VkRenderPassCreateInfo info = render_pass_info();
    VkAttachmentDescription color = info.pAttachments[0];
    color.storeOp = VK_ATTACHMENT_STORE_OP_NONE_QCOM;
    info.pAttachments = &color;
    create_render_pass(b, &info);
}

/* --- copies --- */

SCENARIO(copies2_of_1_0, OF_1_0,
         .extensions = {"VK_KHR_copy_commands2", "VK_QCOM_rotated_copy_commands"})
{
    const VkImageUsageFlags both =
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    VkImage from = make_image(b, both), to = make_image(b, both);
    VkBuffer buffer =
        make_buffer(b, 65536, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer command_buffer = make_recording(b);
    const VkImageSubresourceLayers color = {COLOR, 0, 0, 1};
    const VkImageLayout general = VK_IMAGE_LAYOUT_GENERAL;
    const VkBufferCopy2 part = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .dstOffset = 64, .size = 64};
    const VkCopyBufferInfo2 buffers = {.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
                                       .srcBuffer = buffer,
                                       .dstBuffer = buffer,
                                       .regionCount = 1,
                                       .pRegions = &part};
    DEVICE_PROC(b, vkCmdCopyBuffer2KHR)(command_buffer, &buffers);
    const VkImageCopy2 texels = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                                 .srcSubresource = color,
                                 .dstSubresource = color,
                                 .extent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    const VkCopyImageInfo2 images = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
                                     .srcImage = from,
                                     .srcImageLayout = general,
                                     .dstImage = to,
                                     .dstImageLayout = general,
                                     .regionCount = 1,
                                     .pRegions = &texels};
    DEVICE_PROC(b, vkCmdCopyImage2KHR)(command_buffer, &images);
    const VkCopyCommandTransformInfoQCOM turned = {
        .sType = VK_STRUCTURE_TYPE_COPY_COMMAND_TRANSFORM_INFO_QCOM,
        .transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR};
    const VkBufferImageCopy2 out = {.sType = VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2,
                                    .pNext = &turned,
                                    .imageSubresource = color,
                                    .imageOffset = {IMAGE_EXTENT, 0, 0}, /* turned around this */
                                    .imageExtent = {IMAGE_EXTENT, IMAGE_EXTENT, 1}};
    const VkCopyImageToBufferInfo2 to_buffer = {.sType =
                                                    VK_STRUCTURE_TYPE_COPY_IMAGE_TO_BUFFER_INFO_2,
                                                .srcImage = to,
                                                .srcImageLayout = general,
                                                .dstBuffer = buffer,
                                                .regionCount = 1,
                                                .pRegions = &out};
    DEVICE_PROC(b, vkCmdCopyImageToBuffer2KHR)(command_buffer, &to_buffer);
    const VkImageBlit2 blit = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                               .pNext = &turned,
                               .srcSubresource = color,
                               .srcOffsets = {{0, 0, 0}, {IMAGE_EXTENT, IMAGE_EXTENT, 1}},
                               .dstSubresource = color,
                               .dstOffsets = {{0, 0, 0}, {IMAGE_EXTENT / 2, IMAGE_EXTENT, 1}}};
    const VkBlitImageInfo2 blits = {.sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
                                    .srcImage = from,
                                    .srcImageLayout = general,
                                    .dstImage = to,
                                    .dstImageLayout = general,
                                    .regionCount = 1,
                                    .pRegions = &blit,
                                    .filter = VK_FILTER_LINEAR};
    DEVICE_PROC(b, vkCmdBlitImage2KHR)(command_buffer, &blits);
    VK(vkEndCommandBuffer(command_buffer));
}

/* --- descriptors --- */

FEATURE(inline_blocks, InlineUniformBlockFeaturesEXT, INLINE_UNIFORM_BLOCK_FEATURES_EXT,
        .inlineUniformBlock = VK_TRUE)
SCENARIO(inline_blocks_of_1_0, OF_1_0, .features = &inline_blocks,
         .extensions = {"VK_EXT_inline_uniform_block", "VK_KHR_maintenance1"})
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK_EXT,
                                                  .descriptorCount = 64,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout layout = create_descriptor_set_layout(b, &layout_info);
    const VkDescriptorPoolInlineUniformBlockCreateInfoEXT bindings = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO_EXT,
        .maxInlineUniformBlockBindings = 1};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK_EXT, 64};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .pNext = &bindings,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    const VkDescriptorPool pool = create_descriptor_pool(b, &pool_info);
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    VkDescriptorSet set = VK_NULL_HANDLE;
    VK(vkAllocateDescriptorSets(b->device, &allocate, &set));
    const uint32_t words[4] = {1, 2, 3, 4};
    const VkWriteDescriptorSetInlineUniformBlockEXT block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK_EXT,
        .dataSize = sizeof(words),
        .pData = words};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &block,
                                        .dstSet = set,
                                        .dstArrayElement = 48,
                                        .descriptorCount = sizeof(words),
                                        .descriptorType =
                                            VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK_EXT};
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
}

FEATURE(mutable_types, MutableDescriptorTypeFeaturesVALVE, MUTABLE_DESCRIPTOR_TYPE_FEATURES_VALVE,
        .mutableDescriptorType = VK_TRUE)
SCENARIO(mutable_types_by_valve, OF_1_0, .features = &mutable_types,
         .extensions = {"VK_VALVE_mutable_descriptor_type", "VK_KHR_maintenance3"})
{
    const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
    const VkMutableDescriptorTypeListVALVE list = {2, types};
    const VkMutableDescriptorTypeCreateInfoVALVE lists = {
        .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_VALVE,
        .mutableDescriptorTypeListCount = 1,
        .pMutableDescriptorTypeLists = &list};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_MUTABLE_VALVE,
                                                  .descriptorCount = 4,
                                                  .stageFlags = VK_SHADER_STAGE_ALL};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = &lists,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_HOST_ONLY_POOL_BIT_VALVE,
        .bindingCount = 1,
        .pBindings = &binding};
    create_descriptor_set_layout(b, &info);
    VkDescriptorSetLayoutSupport support = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    DEVICE_PROC(b, vkGetDescriptorSetLayoutSupportKHR)(b->device, &info, &support);
}

/* --- memory --- */

SCENARIO(memory_of_1_0, OF_1_0,
         .extensions = {"VK_KHR_bind_memory2", "VK_KHR_get_memory_requirements2",
                        "VK_KHR_dedicated_allocation", "VK_KHR_external_memory",
                        "VK_KHR_external_memory_fd", "VK_EXT_memory_budget",
                        "VK_EXT_memory_priority"})
{
    const VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkBufferCreateInfo info = buffer_info(4096, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    info.pNext = &external;
    VkBuffer buffer = create_buffer(b, &info);
    const VkBufferMemoryRequirementsInfo2 of = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, .buffer = buffer};
    VkMemoryDedicatedRequirements dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2,
                                          .pNext = &dedicated};
    DEVICE_PROC(b, vkGetBufferMemoryRequirements2KHR)(b->device, &of, &requirements);
    const VkExportMemoryAllocateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkMemoryDedicatedAllocateInfo for_it = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .pNext = &exported,
        .buffer = buffer};
    const VkMemoryPriorityAllocateInfoEXT priority = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
        .pNext = &for_it,
        .priority = 1};
    VkMemoryAllocateInfo allocate = memory_info(requirements.memoryRequirements.size, 0);
    while (!(requirements.memoryRequirements.memoryTypeBits & 1u << allocate.memoryTypeIndex))
        allocate.memoryTypeIndex++;
    allocate.pNext = &priority;
    VkDeviceMemory memory = create_memory(b, &allocate);
    const VkBindBufferMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, .buffer = buffer, .memory = memory};
    VK(DEVICE_PROC(b, vkBindBufferMemory2KHR)(b->device, 1, &bind));
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    INSTANCE_PROC(b, vkGetPhysicalDeviceMemoryProperties2KHR)(b->physical_device, &properties);
}

FEATURE(addresses, BufferDeviceAddressFeaturesEXT, BUFFER_DEVICE_ADDRESS_FEATURES_EXT,
        .bufferDeviceAddress = VK_TRUE)
SCENARIO(addresses_of_ext, OF_1_1, .features = &addresses,
         .extensions = {"VK_EXT_buffer_device_address"})
{
    /* its memory needs no flag, other than with VK_KHR_buffer_device_address */
    const VkBufferCreateInfo buffer_of =
        buffer_info(256, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT_EXT);
    VkBuffer buffer = create_buffer(b, &buffer_of);
    VK(vkBindBufferMemory(b->device, buffer, make_memory(b, 4096), 0));
    const VkBufferDeviceAddressInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO_EXT, .buffer = buffer};
    EXPECT(DEVICE_PROC(b, vkGetBufferDeviceAddressEXT)(b->device, &info) != 0);
}

/* --- images --- */

FEATURE(ycbcr, SamplerYcbcrConversionFeaturesKHR, SAMPLER_YCBCR_CONVERSION_FEATURES_KHR,
        .samplerYcbcrConversion = VK_TRUE)
SCENARIO(conversions_of_1_0, OF_1_0, .features = &ycbcr,
         .extensions = {"VK_KHR_sampler_ycbcr_conversion", "VK_KHR_bind_memory2",
                        "VK_KHR_get_memory_requirements2", "VK_KHR_maintenance1"})
{
    const VkSamplerYcbcrConversionCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO_KHR,
        .format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM_KHR,
        .ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709_KHR,
        .xChromaOffset = VK_CHROMA_LOCATION_MIDPOINT_KHR,
        .yChromaOffset = VK_CHROMA_LOCATION_MIDPOINT_KHR};
    VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
    VK(DEVICE_PROC(b, vkCreateSamplerYcbcrConversionKHR)(b->device, &info, NULL, &conversion));
    const VkSamplerYcbcrConversionInfo by = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO_KHR, .conversion = conversion};
    VkSamplerCreateInfo sampler = sampler_info();
    sampler.pNext = &by;
    create_sampler(b, &sampler);
    VkImageCreateInfo image = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    image.format = info.format;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &image));
    view.pNext = &by;
    view.format = info.format;
    create_image_view(b, &view);
    DEVICE_PROC(b, vkDestroySamplerYcbcrConversionKHR)(b->device, conversion, NULL);
}

SCENARIO(views_of_1_0, OF_1_0,
         .extensions = {"VK_KHR_maintenance1", "VK_KHR_maintenance2", "VK_KHR_image_format_list",
                        "VK_EXT_separate_stencil_usage"})
{
    /* slices of a 3D image as layers */
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 8;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT_KHR;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    view.subresourceRange.baseArrayLayer = 2;
    view.subresourceRange.layerCount = 6;
    create_image_view(b, &view);
    /* blocks as texels, and a usage that the view narrows */
    const VkFormat formats[] = {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, VK_FORMAT_R32G32_UINT};
    const VkImageFormatListCreateInfo list = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO_KHR,
        .viewFormatCount = 2,
        .pViewFormats = formats};
    info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
    info.pNext = &list;
    info.format = formats[0];
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT_KHR |
                 VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT_KHR;
    const VkImageViewUsageCreateInfo usage = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO_KHR,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT};
    view = image_view_info(make_image_of(b, &info));
    view.pNext = &usage;
    view.format = formats[1];
    create_image_view(b, &view);
    /* another usage for stencil */
    const VkImageStencilUsageCreateInfo stencil = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO_EXT,
        .stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT};
    info = image_info(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext = &stencil;
    info.format = VK_FORMAT_D24_UNORM_S8_UINT;
    view = image_view_info(make_image_of(b, &info));
    view.format = info.format;
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    create_image_view(b, &view);
}

FEATURE(formats_4444, 4444FormatsFeaturesEXT, 4444_FORMATS_FEATURES_EXT, .formatA4R4G4B4 = VK_TRUE)
SCENARIO(formats_of_1_2, OF_1_2, .features = &formats_4444,
         .extensions = {"VK_EXT_4444_formats", "VK_EXT_ycbcr_2plane_444_formats",
                        "VK_EXT_texture_compression_astc_hdr"})
{
    VkImageCreateInfo info = image_info(VK_IMAGE_USAGE_SAMPLED_BIT);
    info.format = VK_FORMAT_A4R4G4B4_UNORM_PACK16_EXT;
    VkImageViewCreateInfo view = image_view_info(make_image_of(b, &info));
    view.format = info.format;
    create_image_view(b, &view);
}

/* --- pipelines --- */

FEATURE(sizes, SubgroupSizeControlFeaturesEXT, SUBGROUP_SIZE_CONTROL_FEATURES_EXT,
        .subgroupSizeControl = VK_TRUE, .computeFullSubgroups = VK_TRUE)
FEATURE(cache_control, PipelineCreationCacheControlFeaturesEXT,
        PIPELINE_CREATION_CACHE_CONTROL_FEATURES_EXT, .pNext = (void *)&sizes,
        .pipelineCreationCacheControl = VK_TRUE)
SCENARIO(pipelines_of_1_1, OF_1_1, .features = &cache_control,
         .extensions = {"VK_EXT_pipeline_creation_cache_control", "VK_EXT_subgroup_size_control",
                        "VK_EXT_pipeline_creation_feedback", "VK_AMD_pipeline_compiler_control"})
{
    VkPipelineCreationFeedbackEXT whole = {0}, of_stage = {0};
    const VkPipelineCreationFeedbackCreateInfoEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO_EXT,
        .pPipelineCreationFeedback = &whole,
        .pipelineStageCreationFeedbackCount = 1,
        .pPipelineStageCreationFeedbacks = &of_stage};
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_old_fill),
                              make_pipeline_layout(b, make_descriptor_set_layout(b)));
    info.pNext = &feedback;
    info.flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT_EXT;
    info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT;
    create_compute_pipeline(b, &info);
    VkPipelineCacheCreateInfo cache = pipeline_cache_info();
    cache.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT_EXT;
    create_pipeline_cache(b, &cache);
}

FEATURE(lines, LineRasterizationFeaturesKHR, LINE_RASTERIZATION_FEATURES_KHR,
        .bresenhamLines = VK_TRUE, .stippledBresenhamLines = VK_TRUE)
FEATURE(divisors, VertexAttributeDivisorFeaturesKHR, VERTEX_ATTRIBUTE_DIVISOR_FEATURES_KHR,
        .pNext = (void *)&lines, .vertexAttributeInstanceRateDivisor = VK_TRUE,
        .vertexAttributeInstanceRateZeroDivisor = VK_TRUE)
SCENARIO(lines_and_divisors_of_1_0, OF_1_0, .features = &divisors,
         .extensions = {"VK_KHR_line_rasterization", "VK_KHR_vertex_attribute_divisor",
                        "VK_KHR_maintenance1", "VK_IMG_relaxed_line_rasterization",
                        "VK_AMD_rasterization_order"})
{
    struct graphics_pipeline p;
    graphics_pipeline_fill(&p, MAKE_SHADER(b, spirv_old_plain), MAKE_SHADER(b, spirv_old_color),
                           make_empty_pipeline_layout(b), make_render_pass(b));
    const VkPipelineRasterizationStateRasterizationOrderAMD order = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD,
        .rasterizationOrder = VK_RASTERIZATION_ORDER_RELAXED_AMD};
    const VkPipelineRasterizationLineStateCreateInfoKHR line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_KHR,
        .pNext = &order,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_KHR,
        .stippledLineEnable = VK_TRUE,
        .lineStippleFactor = 999}; /* ignored: dynamic */
    const VkDynamicState state = VK_DYNAMIC_STATE_LINE_STIPPLE_KHR;
    const VkPipelineDynamicStateCreateInfo dynamic = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
        .dynamicStateCount = 1,
        .pDynamicStates = &state};
    const VkVertexInputBindingDivisorDescriptionKHR divisor = {0, 0};
    const VkPipelineVertexInputDivisorStateCreateInfoKHR division = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_KHR,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &divisor};
    const VkVertexInputBindingDescription binding = {.stride = 16,
                                                     .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE};
    p.vertex_input.pNext = &division;
    p.vertex_input.vertexBindingDescriptionCount = 1;
    p.vertex_input.pVertexBindingDescriptions = &binding;
    p.rasterization.pNext = &line;
    p.info.pDynamicState = &dynamic;
    p.viewport.y = p.viewport.height;
    p.viewport.height = -p.viewport.height; /* maintenance1 */
    create_graphics_pipeline(b, &p.info);
    DEVICE_PROC(b, vkCmdSetLineStippleKHR)(make_recording(b), 256, 0xffff);
}

FEATURE(host_reset, HostQueryResetFeaturesEXT, HOST_QUERY_RESET_FEATURES_EXT,
        .hostQueryReset = VK_TRUE)
FEATURE(data_of_objects, PrivateDataFeaturesEXT, PRIVATE_DATA_FEATURES_EXT,
        .pNext = (void *)&host_reset, .privateData = VK_TRUE)
SCENARIO(small_extensions_of_1_1, OF_1_1, .features = &data_of_objects,
         .extensions = {"VK_EXT_host_query_reset", "VK_EXT_private_data",
                        "VK_EXT_calibrated_timestamps", "VK_AMD_draw_indirect_count",
                        "VK_AMD_shader_info"})
{
    DEVICE_PROC(b, vkResetQueryPoolEXT)(b->device, make_query_pool(b), 0, 4);
    const VkPrivateDataSlotCreateInfoEXT slot_info = {
        .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO_EXT};
    VkPrivateDataSlotEXT slot = VK_NULL_HANDLE;
    uint64_t data = 0;
    VK(DEVICE_PROC(b, vkCreatePrivateDataSlotEXT)(b->device, &slot_info, NULL, &slot));
    VK(DEVICE_PROC(b, vkSetPrivateDataEXT)(b->device, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device),
                                           slot, 7));
    DEVICE_PROC(b, vkGetPrivateDataEXT)(b->device, VK_OBJECT_TYPE_DEVICE, HANDLE(b->device), slot,
                                        &data);
    DEVICE_PROC(b, vkDestroyPrivateDataSlotEXT)(b->device, slot, NULL);
    VkTimeDomainEXT domains[8];
    uint32_t count = 8;
    VK(INSTANCE_PROC(b, vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)(b->physical_device, &count,
                                                                        domains));
    ENSURE(count);
    const VkCalibratedTimestampInfoEXT of = {
        .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, .timeDomain = domains[0]};
    uint64_t timestamp, deviation;
    VK(DEVICE_PROC(b, vkGetCalibratedTimestampsEXT)(b->device, 1, &of, &timestamp, &deviation));
    size_t size = 0;
    struct graphics_pipeline p;
    (void)DEVICE_PROC(b, vkGetShaderInfoAMD)(b->device,
                                             make_old_pipeline(b, &p, make_render_pass(b)),
                                             VK_SHADER_STAGE_VERTEX_BIT,
                                             VK_SHADER_INFO_TYPE_DISASSEMBLY_AMD, &size, NULL);
}

SCENARIO(draws_by_counts_of_amd, OF_1_0, .extensions = {"VK_AMD_draw_indirect_count"})
{
    VkRenderPass render_pass = make_render_pass(b);
    VkBuffer buffer = make_buffer(b, 256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    struct graphics_pipeline p;
    VkPipeline pipeline = make_old_pipeline(b, &p, render_pass);
    VkFramebuffer framebuffer = make_framebuffer(b, render_pass, make_image_view(b));
    const VkClearValue value = {0};
    VkRenderPassBeginInfo begin = render_pass_begin_info(render_pass, framebuffer);
    begin.clearValueCount = 1;
    begin.pClearValues = &value;
    VkCommandBuffer command_buffer = make_recording(b);
    vkCmdBeginRenderPass(command_buffer, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    DEVICE_PROC(b, vkCmdDrawIndirectCountAMD)(command_buffer, buffer, 0, buffer, 240, 4, 16);
    vkCmdEndRenderPass(command_buffer);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(device_groups_of_1_0, OF_1_0, .extensions = {"VK_KHR_device_group", "VK_KHR_bind_memory2"})
{
    VkPhysicalDeviceGroupPropertiesKHR groups[4];
    uint32_t count = 4;
    for (uint32_t i = 0; i < 4; i++)
        groups[i] = (VkPhysicalDeviceGroupPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES_KHR};
    VK(INSTANCE_PROC(b, vkEnumeratePhysicalDeviceGroupsKHR)(b->instance, &count, groups));
    VkCommandBuffer command_buffer = make_recording(b);
    VkPipelineLayout layout = make_pipeline_layout(b, make_descriptor_set_layout(b));
    VkComputePipelineCreateInfo info =
        compute_pipeline_info(MAKE_SHADER(b, spirv_old_fill), layout);
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_KHR;
    VkPipeline pipeline = create_compute_pipeline(b, &info);
    VkDescriptorSet set =
        make_descriptor_set(b, make_descriptor_pool(b), make_descriptor_set_layout(b));
    const VkDescriptorBufferInfo buffer = {make_buffer(b, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                                           0, 256};
    const VkWriteDescriptorSet write = write_buffer(set, &buffer);
    vkUpdateDescriptorSets(b->device, 1, &write, 0, NULL);
    DEVICE_PROC(b, vkCmdSetDeviceMaskKHR)(command_buffer, 1);
    vkCmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                            NULL);
    DEVICE_PROC(b, vkCmdDispatchBaseKHR)(command_buffer, 1, 0, 0, 1, 1, 1);
    VK(vkEndCommandBuffer(command_buffer));
}

SCENARIO(external_things_of_1_0, OF_1_0,
         .extensions = {"VK_KHR_external_semaphore", "VK_KHR_external_semaphore_fd",
                        "VK_KHR_external_fence", "VK_KHR_external_fence_fd",
                        "VK_KHR_external_memory"})
{
    const VkExportSemaphoreCreateInfo semaphores = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkSemaphoreCreateInfo semaphore = semaphore_info();
    semaphore.pNext = &semaphores;
    create_semaphore(b, &semaphore);
    const VkExportFenceCreateInfo fences = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                            .handleTypes =
                                                VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkFenceCreateInfo fence = fence_info();
    fence.pNext = &fences;
    create_fence(b, &fence);
    const VkPhysicalDeviceExternalBufferInfo of = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkExternalBufferProperties properties = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    INSTANCE_PROC(b, vkGetPhysicalDeviceExternalBufferPropertiesKHR)(b->physical_device, &of,
                                                                     &properties);
}
