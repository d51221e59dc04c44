/* Images and their views. There are mutable formats and lists of them, views of blocks as texels,
 * of slices as layers, of planes and with conversions, cubes, and swizzles. There are usages of
 * their own, sparse images, buffer views, and samplers with borders. */
#include "valid.h"

static void view_mutable(struct world *w)
{
    VkFormat list[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R32_UINT};
    VkImageFormatListCreateInfo names = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                         .viewFormatCount = 3,
                                         .pViewFormats = list};
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 16, 9, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    info.pNext =
        has_either(w, 12, EXTENSION_KHR_image_format_list) && chance(w, 60) ? &names : NULL;
    info.mipLevels = 3;
    info.arrayLayers = 4;
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageViewCreateInfo view =
        view_info(image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_ASPECT_COLOR_BIT);
    view.format = PICK_OF(list);
    view.components =
        (VkComponentMapping){VK_COMPONENT_SWIZZLE_ONE, VK_COMPONENT_SWIZZLE_R,
                             VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_IDENTITY};
    view.subresourceRange.baseMipLevel = below(w, 3);
    view.subresourceRange.levelCount = PICK(VK_REMAINING_MIP_LEVELS, 1u);
    view.subresourceRange.baseArrayLayer = below(w, 4);
    make_view_of(w, &view);
}

/* A view of one block a texel. */
static void view_blocks(struct world *w)
{
    const struct format *format = any_format(w, "b", VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT);
    if (!format || !has_either(w, 11, EXTENSION_KHR_maintenance2))
        return;
    VkFormat plain = format->bytes == 8 ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32G32B32A32_UINT;
    VkImageCreateInfo info = image_info(format->format, between(w, 1, 50), between(w, 1, 50),
                                        VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags =
        VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT;
    uint32_t largest = info.extent.width | info.extent.height;
    info.mipLevels = between(w, 1, 32 - (uint32_t)__builtin_clz(largest));
    struct image *image = make_image(w, &info);
    if (!image ||
        !(format_features(w, plain, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
        return;
    VkImageViewCreateInfo view = view_info(image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
    view.format = chance(w, 70) ? plain : format->format;
    view.subresourceRange.baseMipLevel = below(w, info.mipLevels);
    make_view_of(w, &view);
}

/* Slices of a 3D image as layers, to draw to. */
static void view_slices(struct world *w)
{
    if (!has_either(w, 11, EXTENSION_KHR_maintenance1))
        return;
    VkImageCreateInfo info =
        image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    info.imageType = VK_IMAGE_TYPE_3D;
    info.extent.depth = 6;
    info.mipLevels = 2;
    info.flags = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageViewCreateInfo view =
        view_info(image, PICK(VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY),
                  VK_IMAGE_ASPECT_COLOR_BIT);
    view.subresourceRange.baseMipLevel = below(w, 2);
    view.subresourceRange.baseArrayLayer =
        below(w, view.subresourceRange.baseMipLevel ? 3 : 6); /* of the level's slices */
    view.subresourceRange.layerCount = 1;
    make_view_of(w, &view);
}

static void view_cube(struct world *w)
{
    VkImageCreateInfo info = image_info(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    info.arrayLayers = 13;
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageViewCreateInfo view =
        view_info(image, VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_ASPECT_COLOR_BIT);
    view.subresourceRange.baseArrayLayer = 7;
    view.subresourceRange.layerCount = PICK(VK_REMAINING_ARRAY_LAYERS, 6u);
    if (ON(imageCubeArray) && chance(w, 50)) {
        view.viewType = VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
        view.subresourceRange.baseArrayLayer = 1;
        view.subresourceRange.layerCount = PICK(VK_REMAINING_ARRAY_LAYERS, 12u, 6u);
    }
    make_view_of(w, &view);
}

static void view_planes(struct world *w)
{
    const struct format *format = any_format(w, "y",
                                             VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                                 VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT);
    if (!format || !ON(samplerYcbcrConversion))
        return;
    VkImageCreateInfo info = image_info(format->format, 16, 8, VK_IMAGE_USAGE_SAMPLED_BIT);
    info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkSamplerYcbcrConversionCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO,
        .format = format->format,
        .ycbcrModel = PICK(VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709,
                           VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601),
        .ycbcrRange = PICK(VK_SAMPLER_YCBCR_RANGE_ITU_FULL, VK_SAMPLER_YCBCR_RANGE_ITU_NARROW),
        .xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN,
        .yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN};
    VkSamplerYcbcrConversion conversion = VK_NULL_HANDLE;
    MUST(CreateSamplerYcbcrConversion, w->device, &create, NULL, &conversion);
    OWN(SamplerYcbcrConversion, conversion);
    VkSamplerYcbcrConversionInfo chained = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, .conversion = conversion};
    VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                   .pNext = &chained,
                                   .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                   .addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
    VkSampler handle = VK_NULL_HANDLE;
    MUST(CreateSampler, w->device, &sampler, NULL, &handle);
    OWN(Sampler, handle);
    VkDescriptorSetLayoutBinding binding = {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                            VK_SHADER_STAGE_ALL, &handle};
    VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    MUST(CreateDescriptorSetLayout, w->device, &layout, NULL, &set_layout);
    OWN(DescriptorSetLayout, set_layout);
    VkImageViewCreateInfo view = view_info(image, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
    view.pNext = &chained;
    make_view_of(w, &view);
    uint32_t plane = below(w, format->planes);
    view.pNext = NULL;
    view.format = format->plane_formats[plane];
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_PLANE_0_BIT << plane;
    if (format_features(w, view.format, VK_IMAGE_TILING_OPTIMAL) &
        VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT)
        make_view_of(w, &view);
}

/* Depth and stencil with usages of their own; views that have less usage than the image. */
static void view_usages(struct world *w)
{
    VkImageStencilUsageCreateInfo stencil = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO,
        .stencilUsage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                        PICK(0, VK_IMAGE_USAGE_TRANSFER_DST_BIT)};
    VkImageCreateInfo info =
        image_info(VK_FORMAT_D32_SFLOAT_S8_UINT, 8, 8,
                   VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
    info.pNext =
        has_either(w, 12, EXTENSION_EXT_separate_stencil_usage) && chance(w, 60) ? &stencil : NULL;
    struct image *image = make_image(w, &info);
    if (!image)
        return;
    VkImageViewUsageCreateInfo usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO,
                                        .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
    VkImageViewCreateInfo view =
        view_info(image, VK_IMAGE_VIEW_TYPE_2D,
                  PICK(VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT));
    view.pNext = has_either(w, 11, EXTENSION_KHR_maintenance2) && chance(w, 60) ? &usage : NULL;
    make_view_of(w, &view);
}

static void sample_border(struct world *w)
{
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .mipLodBias = w->properties.limits.maxSamplerLodBias,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                .addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                .borderColor = VK_BORDER_COLOR_INT_OPAQUE_WHITE};
    VkSamplerCustomBorderColorCreateInfoEXT custom = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT,
        .format = VK_FORMAT_R8G8B8A8_UNORM};
    VkSamplerReductionModeCreateInfo reduction = {
        .sType = VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO,
        .reductionMode = VK_SAMPLER_REDUCTION_MODE_MIN};
    if (ON(customBorderColors) && chance(w, 50)) {
        info.pNext = &custom;
        info.borderColor = VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
    } else if (VERSION(12) && ON(samplerFilterMinmax) && chance(w, 50)) {
        info.pNext = &reduction;
    } else if (chance(w, 30)) {
        info.unnormalizedCoordinates = VK_TRUE;
        info.mipLodBias = 0;
        info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT; /* of no dimension that there is */
    }
    VkSampler sampler = VK_NULL_HANDLE;
    MUST(CreateSampler, w->device, &info, NULL, &sampler);
    OWN(Sampler, sampler);
}

static void view_buffer(struct world *w)
{
    struct buffer *buffer = make_buffer(w, 4096 + between(w, 0, 15),
                                        VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
                                            VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                                        false);
    VkDeviceSize align = w->properties.limits.minTexelBufferOffsetAlignment;
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer->handle,
                                   .format = PICK(VK_FORMAT_R32_UINT, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                  VK_FORMAT_R32G32B32A32_UINT),
                                   .offset = align * below(w, 3),
                                   .range = PICK(VK_WHOLE_SIZE, 16, 1024)};
    VkBufferView view = VK_NULL_HANDLE;
    MUST(CreateBufferView, w->device, &info, NULL, &view);
    OWN(BufferView, view);
}

/* Nothing of it is bound, or all of it. */
static void make_sparse(struct world *w)
{
    if (!ON(sparseBinding))
        return;
    const struct queue *queue = any_queue(w, VK_QUEUE_SPARSE_BINDING_BIT);
    if (!(queue->flags & VK_QUEUE_SPARSE_BINDING_BIT))
        return;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
                               .size = 100000,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkBuffer buffer = VK_NULL_HANDLE;
    MUST(CreateBuffer, w->device, &info, NULL, &buffer);
    OWN(Buffer, buffer);
    VkMemoryRequirements requirements;
    CALL(GetBufferMemoryRequirements, w->device, buffer, &requirements);
    VkSparseMemoryBind bind = {.size = requirements.size,
                               .memory = chance(w, 70)
                                             ? make_memory(w, requirements, false, false, 0, 0)
                                             : VK_NULL_HANDLE};
    VkSparseBufferMemoryBindInfo binds = {.buffer = buffer, .bindCount = 1, .pBinds = &bind};
    VkBindSparseInfo all = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                            .pWaitSemaphores = IGNORED,
                            .bufferBindCount = 1,
                            .pBufferBinds = &binds,
                            .pImageOpaqueBinds = IGNORED,
                            .pImageBinds = IGNORED,
                            .pSignalSemaphores = IGNORED};
    MUST(QueueBindSparse, queue->handle, 1, &all, VK_NULL_HANDLE);
    w->idle = false;
    wait_for_all(w);
}

static void map_memory(struct world *w)
{
    struct buffer *buffer =
        make_buffer(w, between(w, 1, 3000), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, true);
    void *data = NULL;
    if (ON(maintenance4) && has_either(w, 14, EXTENSION_KHR_map_memory2) && chance(w, 50)) {
        VkMemoryMapInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO,
                                .memory = buffer->memory,
                                .offset = buffer->offset,
                                .size = VK_WHOLE_SIZE};
        MUST(MapMemory2, w->device, &info, &data);
        VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO,
                                   .memory = buffer->memory};
        MUST(UnmapMemory2, w->device, &unmap);
        return;
    }
    MUST(MapMemory, w->device, buffer->memory, 0, VK_WHOLE_SIZE, 0, &data);
    VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                 .memory = buffer->memory,
                                 .size = VK_WHOLE_SIZE};
    if (chance(w, 50))
        MUST(FlushMappedMemoryRanges, w->device, 1, &range);
    if (chance(w, 50))
        MUST(InvalidateMappedMemoryRanges, w->device, 1, &range);
    if (chance(w, 50))
        CALL(UnmapMemory, w->device, buffer->memory); /* or freed as it is */
}

void step_images(struct world *w)
{
    static void (*const parts[])(struct world *) = {
        view_mutable, view_blocks,   view_slices, view_cube,   view_planes,
        view_usages,  sample_border, view_buffer, make_sparse, map_memory};
    for (uint32_t i = between(w, 1, 4); i > 0; i--)
        PICK_OF(parts)(w);
}
