/* Buffers and images with their memory, views, samplers, shader modules: each made in any of the
 * legal ways. */
#include "valid.h"

static uint32_t any_type_of_memory(struct world *w, uint32_t bits, bool visible)
{
    uint32_t start = below(w, w->memory.memoryTypeCount);
    for (uint32_t i = 0; i < w->memory.memoryTypeCount; i++) {
        uint32_t type = (start + i) % w->memory.memoryTypeCount;
        VkMemoryPropertyFlags flags = w->memory.memoryTypes[type].propertyFlags;
        /* no protected, lazy, or vendors' memory */
        if (!((bits >> type) & 1) || flags & ~(VkMemoryPropertyFlags)15)
            continue;
        if (!visible || flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
            return type;
    }
    return UINT32_MAX;
}

/* With handle type 0, nothing is imported or exported, whatever else the structure has. */
static void chain_nothing(struct world *w, VkMemoryAllocateInfo *info)
{
    if (chance(w, 90) || w->software) /* lavapipe takes the structure for an import */
        return;
    if (HAS(KHR_external_memory_fd) && chance(w, 50))
        CHAIN(info->pNext, VkImportMemoryFdInfoKHR, VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
              .fd = PICK(-1, 7777));
    if (has_either(w, 11, EXTENSION_KHR_external_memory) && chance(w, 50))
        CHAIN(info->pNext, VkExportMemoryAllocateInfo,
              VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, .handleTypes = 0);
}

VkDeviceMemory make_memory(struct world *w, VkMemoryRequirements requirements, bool visible,
                           bool address, uint64_t buffer, uint64_t image)
{
    uint32_t type = any_type_of_memory(w, requirements.memoryTypeBits, visible);
    if (type == UINT32_MAX) {
        fail(w, "no memory type for bits %x", requirements.memoryTypeBits);
        return VK_NULL_HANDLE;
    }
    VkMemoryAllocateInfo *info =
        NEW(VkMemoryAllocateInfo, .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
            .allocationSize = requirements.size, .memoryTypeIndex = type);
    if (address || (ON(bufferDeviceAddress) && chance(w, 20)))
        CHAIN(info->pNext, VkMemoryAllocateFlagsInfo, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
              .flags =
                  address || ON(bufferDeviceAddress) ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT : 0,
              .deviceMask = 77);
    if ((buffer || image) && has_either(w, 11, EXTENSION_KHR_dedicated_allocation))
        CHAIN(info->pNext, VkMemoryDedicatedAllocateInfo,
              VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .buffer = (VkBuffer)buffer,
              .image = (VkImage)image);
    if (ON(memoryPriority) && chance(w, 20))
        CHAIN(info->pNext, VkMemoryPriorityAllocateInfoEXT,
              VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT,
              .priority = PICK(0.0f, 0.5f, 1.0f));
    chain_nothing(w, info);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    MUST(AllocateMemory, w->device, info, NULL, &memory);
    own(w, destroy_memory, U64(memory), 0);
    return memory;
}

uint32_t any_sharing(struct world *w, uint32_t *families)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->queue_count; i++) {
        if (!count || families[count - 1] != w->queues[i].family)
            families[count++] = w->queues[i].family;
    }
    bool concurrent =
        w->sharing == SHARING_CONCURRENT || (w->sharing == SHARING_ANY && chance(w, 25));
    return count > 1 && concurrent ? count : 0;
}

static bool new_binding(struct world *w)
{
    return has_either(w, 11, EXTENSION_KHR_bind_memory2) && chance(w, 50);
}

static bool new_requirements(struct world *w)
{
    return has_either(w, 11, EXTENSION_KHR_get_memory_requirements2) && chance(w, 50);
}

struct buffer *make_buffer(struct world *w, VkDeviceSize size, VkBufferUsageFlags usage,
                           bool visible)
{
    struct buffer *buffer = NEW(struct buffer, .size = size, .usage = usage, .visible = visible);
    bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    VkBufferCreateInfo *info =
        NEW(VkBufferCreateInfo, .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
            .usage = usage);
    if (has_either(w, 14, EXTENSION_KHR_maintenance5) && chance(w, 30)) {
        CHAIN(info->pNext, VkBufferUsageFlags2CreateInfo,
              VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO, .usage = usage);
        info->usage = PICK(0u, usage, 0x7fffffffu);
    }
    uint32_t families[QUEUES_MOST], family_count = any_sharing(w, families);
    buffer->concurrent = family_count != 0;
    info->sharingMode = family_count ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE;
    info->queueFamilyIndexCount = family_count ? family_count : below(w, 9); /* ignored */
    info->pQueueFamilyIndices = family_count ? families : IGNORED;
    MUST(CreateBuffer, w->device, info, NULL, &buffer->handle);
    VkMemoryRequirements requirements;
    if (ON(maintenance4) && chance(w, 30)) {
        VkDeviceBufferMemoryRequirements query = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = info};
        VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        CALL(GetDeviceBufferMemoryRequirements, w->device, &query, &answer);
        requirements = answer.memoryRequirements;
    } else if (new_requirements(w)) {
        VkBufferMemoryRequirementsInfo2 query = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, .buffer = buffer->handle};
        VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        CALL(GetBufferMemoryRequirements2, w->device, &query, &answer);
        requirements = answer.memoryRequirements;
    } else {
        CALL(GetBufferMemoryRequirements, w->device, buffer->handle, &requirements);
    }
    bool dedicated = chance(w, 20);
    if (!dedicated && chance(w, 30)) {
        buffer->offset = requirements.alignment * below(w, 3);
        requirements.size += buffer->offset;
    }
    buffer->memory =
        make_memory(w, requirements, visible, address, dedicated ? U64(buffer->handle) : 0, 0);
    if (new_binding(w)) {
        VkBindBufferMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                       .buffer = buffer->handle,
                                       .memory = buffer->memory,
                                       .memoryOffset = buffer->offset};
        MUST(BindBufferMemory2, w->device, 1, &bind);
    } else {
        MUST(BindBufferMemory, w->device, buffer->handle, buffer->memory, buffer->offset);
    }
    if (address && ON(bufferDeviceAddress)) {
        VkBufferDeviceAddressInfo query = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                           .buffer = buffer->handle};
        buffer->address = CALL(GetBufferDeviceAddress, w->device, &query);
    }
    OWN(Buffer, buffer->handle);
    return buffer;
}

/* --- images --- */

VkImageCreateInfo image_info(VkFormat format, uint32_t width, uint32_t height,
                             VkImageUsageFlags usage)
{
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = format,
                               .extent = {width, height, 1},
                               .mipLevels = 1,
                               .arrayLayers = 1,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = usage};
}

static VkFormatFeatureFlags usage_features(VkImageUsageFlags usage)
{
    return (usage & VK_IMAGE_USAGE_SAMPLED_BIT ? VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT : 0) |
           (usage & VK_IMAGE_USAGE_STORAGE_BIT ? VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT : 0) |
           (usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT ? VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT
                                                        : 0) |
           (usage & VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                ? VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT
                : 0);
}

bool image_supported(struct world *w, const VkImageCreateInfo *info)
{
    VkImageFormatProperties properties;
    VkFormatFeatureFlags features = usage_features(info->usage);
    if ((format_features(w, info->format, info->tiling) & features) != features &&
        !(info->flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT))
        return false;
    if (OUTER(vkGetPhysicalDeviceImageFormatProperties, w->physical_device, info->format,
              info->imageType, info->tiling, info->usage, info->flags, &properties) != VK_SUCCESS)
        return false;
    return info->extent.width <= properties.maxExtent.width &&
           info->extent.height <= properties.maxExtent.height &&
           info->extent.depth <= properties.maxExtent.depth &&
           info->mipLevels <= properties.maxMipLevels &&
           info->arrayLayers <= properties.maxArrayLayers &&
           (info->samples & properties.sampleCounts);
}

static void bind_planes(struct world *w, struct image *image)
{
    VkBindImageMemoryInfo binds[3];
    VkBindImagePlaneMemoryInfo planes[3];
    for (uint32_t i = 0; i < image->format->planes; i++) {
        VkImagePlaneMemoryRequirementsInfo plane = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO,
            .planeAspect = VK_IMAGE_ASPECT_PLANE_0_BIT << i};
        VkImageMemoryRequirementsInfo2 query = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
            .pNext = &plane,
            .image = image->handle};
        VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        CALL(GetImageMemoryRequirements2, w->device, &query, &answer);
        planes[i] =
            (VkBindImagePlaneMemoryInfo){.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO,
                                         .planeAspect = VK_IMAGE_ASPECT_PLANE_0_BIT << i};
        binds[i] = (VkBindImageMemoryInfo){
            .sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
            .pNext = &planes[i],
            .image = image->handle,
            .memory = make_memory(w, answer.memoryRequirements, false, false, 0, 0)};
    }
    MUST(BindImageMemory2, w->device, image->format->planes, binds);
}

struct image *make_image(struct world *w, const VkImageCreateInfo *wanted)
{
    VkImageCreateInfo info = *wanted;
    if (!image_supported(w, &info))
        return NULL;
    uint32_t families[QUEUES_MOST], family_count = any_sharing(w, families);
    info.sharingMode = family_count ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE;
    info.queueFamilyIndexCount = family_count ? family_count : below(w, 9); /* ignored */
    info.pQueueFamilyIndices = family_count ? families : IGNORED;
    struct image *image = NEW(struct image, .info = info, .format = format_of(info.format),
                              .layout = info.initialLayout);
    image->concurrent = family_count != 0;
    image->info.pNext = NULL;
    note(w,
         "image: format %d, type %d, %ux%ux%u, %u levels, %u layers, %u samples, usage "
         "%x, flags %x",
         info.format, info.imageType, info.extent.width, info.extent.height, info.extent.depth,
         info.mipLevels, info.arrayLayers, info.samples, info.usage, info.flags);
    MUST(CreateImage, w->device, &info, NULL, &image->handle);
    if (info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) {
        bind_planes(w, image);
        OWN(Image, image->handle);
        return image;
    }
    VkMemoryRequirements requirements;
    if (ON(maintenance4) && chance(w, 30)) {
        VkDeviceImageMemoryRequirements query = {
            .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
            .pCreateInfo = &info,
            .planeAspect = below(w, 2) ? 0 : VK_IMAGE_ASPECT_COLOR_BIT};
        VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        CALL(GetDeviceImageMemoryRequirements, w->device, &query, &answer);
        requirements = answer.memoryRequirements;
    } else if (new_requirements(w)) {
        VkImageMemoryRequirementsInfo2 query = {
            .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, .image = image->handle};
        VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
        CALL(GetImageMemoryRequirements2, w->device, &query, &answer);
        requirements = answer.memoryRequirements;
    } else {
        CALL(GetImageMemoryRequirements, w->device, image->handle, &requirements);
    }
    bool dedicated = chance(w, 20);
    VkDeviceSize offset = 0;
    if (!dedicated && chance(w, 30)) {
        offset = requirements.alignment * below(w, 3);
        requirements.size += offset;
    }
    image->memory =
        make_memory(w, requirements, false, false, 0, dedicated ? U64(image->handle) : 0);
    if (new_binding(w)) {
        VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                      .image = image->handle,
                                      .memory = image->memory,
                                      .memoryOffset = offset};
        MUST(BindImageMemory2, w->device, 1, &bind);
    } else {
        MUST(BindImageMemory, w->device, image->handle, image->memory, offset);
    }
    OWN(Image, image->handle);
    return image;
}

static uint32_t level_size(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

VkExtent3D level_extent(const struct image *image, uint32_t level)
{
    VkExtent3D e = image->info.extent;
    return (VkExtent3D){level_size(e.width, level), level_size(e.height, level),
                        level_size(e.depth, level)};
}

VkExtent3D plane_extent(const struct image *image, uint32_t level, VkImageAspectFlags aspect)
{
    VkExtent3D e = level_extent(image, level);
    if (aspect & (VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_PLANE_2_BIT)) {
        e.width >>= image->format->shift_x;
        e.height >>= image->format->shift_y;
    }
    return e;
}

VkImageViewCreateInfo view_info(const struct image *image, VkImageViewType type,
                                VkImageAspectFlags aspects)
{
    return (VkImageViewCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->handle,
        .viewType = type,
        .format = image->info.format,
        .subresourceRange = {aspects, 0, 1, 0,
                             type == VK_IMAGE_VIEW_TYPE_2D || type == VK_IMAGE_VIEW_TYPE_3D
                                 ? 1
                                 : VK_REMAINING_ARRAY_LAYERS}};
}

VkImageView make_view_of(struct world *w, const VkImageViewCreateInfo *info)
{
    VkImageView view = VK_NULL_HANDLE;
    note(w, "view: type %d, format %d, aspects %x, levels %u+%u, layers %u+%u", info->viewType,
         info->format, info->subresourceRange.aspectMask, info->subresourceRange.baseMipLevel,
         info->subresourceRange.levelCount, info->subresourceRange.baseArrayLayer,
         info->subresourceRange.layerCount);
    MUST(CreateImageView, w->device, info, NULL, &view);
    OWN(ImageView, view);
    return view;
}

VkImageView make_view(struct world *w, const struct image *image, VkImageViewType type,
                      VkImageAspectFlags aspects)
{
    VkImageViewCreateInfo info = view_info(image, type, aspects);
    return make_view_of(w, &info);
}

VkSampler make_sampler(struct world *w)
{
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = PICK(VK_FILTER_NEAREST, VK_FILTER_LINEAR),
                                .minFilter = VK_FILTER_NEAREST,
                                .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                .addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                                .addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT,
                                .maxAnisotropy = PICK(0.0f, 77.0f), /* ignored */
                                .compareOp = !w->software && chance(w, 20) ? (VkCompareOp)77
                                                                           : VK_COMPARE_OP_NEVER,
                                .maxLod = VK_LOD_CLAMP_NONE};
    if (ON(samplerAnisotropy) && chance(w, 30)) {
        info.anisotropyEnable = VK_TRUE;
        info.maxAnisotropy = w->properties.limits.maxSamplerAnisotropy;
    }
    /* ignored: no address mode with a border */
    info.borderColor = (VkBorderColor)PICK(0, 5, w->software ? 1 : 77);
    VkSampler sampler = VK_NULL_HANDLE;
    MUST(CreateSampler, w->device, &info, NULL, &sampler);
    OWN(Sampler, sampler);
    return sampler;
}

VkShaderModule make_module(struct world *w, unsigned shader)
{
    VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = shader_codes[shader].size,
                                     .pCode = shader_codes[shader].words};
    VkShaderModule module = VK_NULL_HANDLE;
    MUST(CreateShaderModule, w->device, &info, NULL, &module);
    OWN(ShaderModule, module);
    return module;
}

VkSampleCountFlagBits any_samples(struct world *w, VkSampleCountFlags counts)
{
    for (unsigned i = 0; i < 8; i++) {
        VkSampleCountFlagBits samples = PICK(VK_SAMPLE_COUNT_1_BIT, VK_SAMPLE_COUNT_2_BIT,
                                             VK_SAMPLE_COUNT_4_BIT, VK_SAMPLE_COUNT_8_BIT);
        if (samples & counts)
            return samples;
    }
    return VK_SAMPLE_COUNT_1_BIT;
}
