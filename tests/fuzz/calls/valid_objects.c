/* Makes the objects of the valid mode, and decides when they may go. */
#include "valid.h"

#include <stdlib.h>
#include <string.h>

#define EXTENT 64 /* texels along each side of what is drawn to */

/* --- formats --- */

VkFormat any_color_format(struct random *r)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM,
                                       VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    return ANY_OF(r, formats);
}

VkFormat any_depth_format(struct random *r)
{
    static const VkFormat formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_D32_SFLOAT,
                                       VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
    return ANY_OF(r, formats);
}

VkImageAspectFlags format_aspects(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

uint32_t format_bytes(VkFormat format)
{
    return format == VK_FORMAT_R16G16B16A16_SFLOAT || format == VK_FORMAT_BC1_RGB_UNORM_BLOCK ? 8
                                                                                              : 4;
}

uint32_t format_block(VkFormat format)
{
    return format == VK_FORMAT_BC1_RGB_UNORM_BLOCK ? 4 : 1;
}

static uint32_t at_level(uint32_t size, uint32_t level)
{
    return size >> level ? size >> level : 1;
}

VkExtent3D level_extent(const struct image *image, uint32_t level)
{
    const VkExtent3D *e = &image->info.extent;
    return (VkExtent3D){at_level(e->width, level), at_level(e->height, level),
                        at_level(e->depth, level)};
}

/* --- memory --- */

static uint32_t any_memory_type(struct valid *v, struct random *r, uint32_t bits,
                                VkMemoryPropertyFlags wanted)
{
    const VkMemoryPropertyFlags never = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                        VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                        VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    uint32_t start = random_below(r, v->memory.memoryTypeCount);
    for (uint32_t i = 0; i < v->memory.memoryTypeCount; i++) {
        uint32_t type = (start + i) % v->memory.memoryTypeCount;
        VkMemoryPropertyFlags flags = v->memory.memoryTypes[type].propertyFlags;
        if (bits & (1u << type) && (flags & wanted) == wanted && !(flags & never))
            return type;
    }
    fuzz_fail(v->w, "no memory type in %#x", bits);
    return 0;
}

static VkDeviceMemory allocate_of_type(struct valid *v, VkDeviceSize size, uint32_t type,
                                       const void *next)
{
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = next,
                                 .allocationSize = size,
                                 .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    MUST(TRY(v->w, AllocateMemory, v->w->device, &info, NULL, &memory));
    return memory;
}

/* --- buffers --- */

static void destroy_valid_buffer(struct valid *v, struct buffer *buffer)
{
    CALL(v->w, DestroyBuffer, v->w->device, buffer->handle, NULL);
    CALL(v->w, FreeMemory, v->w->device, buffer->memory, NULL);
    buffer->head.alive = false;
}

static void bind_any_buffer(struct valid *v, struct random *r, struct buffer *buffer)
{
    struct world *w = v->w;
    VkMemoryRequirements requirements;
    VkBufferMemoryRequirementsInfo2 ask = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, .buffer = buffer->handle};
    VkMemoryRequirements2 answer = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    if (random_chance(r, 50)) {
        CALL(w, GetBufferMemoryRequirements2, w->device, &ask, &answer);
        requirements = answer.memoryRequirements;
    } else {
        CALL(w, GetBufferMemoryRequirements, w->device, buffer->handle, &requirements);
    }
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryDedicatedAllocateInfo dedicated = {.sType =
                                                   VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
                                               .pNext = &flags,
                                               .buffer = buffer->handle};
    bool is_dedicated = random_chance(r, 20);
    buffer->offset = is_dedicated ? 0 : random_below(r, 3) * requirements.alignment;
    uint32_t type = any_memory_type(v, r, requirements.memoryTypeBits,
                                    random_chance(r, 60) ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT : 0);
    buffer->visible =
        v->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    buffer->memory_size = requirements.size + buffer->offset;
    buffer->memory = allocate_of_type(v, buffer->memory_size, type,
                                      is_dedicated ? (const void *)&dedicated : &flags);
    VkBindBufferMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
                                   .buffer = buffer->handle,
                                   .memory = buffer->memory,
                                   .memoryOffset = buffer->offset};
    if (random_chance(r, 50))
        MUST(TRY(w, BindBufferMemory2, w->device, 1, &bind));
    else
        MUST(TRY(w, BindBufferMemory, w->device, buffer->handle, buffer->memory, buffer->offset));
}

struct buffer *need_buffer(struct valid *v, struct random *r, VkBufferUsageFlags usage,
                           VkDeviceSize size)
{
    static const uint32_t families[] = {0, 1, 2};
    struct buffer *buffer =
        FIND(v, r, buffers, BUFFERS_MOST, (it->usage & usage) == usage && it->size >= size);
    if (buffer && random_chance(r, 85))
        return buffer;
    struct buffer *slot = FREE_SLOT(v, r, buffers, BUFFERS_MOST, destroy_valid_buffer);
    if (!slot)
        return buffer;
    *slot = (struct buffer){.head.alive = true, .concurrent = random_chance(r, 30)};
    slot->size = (size + 255) / 256 * 256 + 256ull * random_below(r, 16);
    slot->usage = usage | (VkBufferUsageFlags)(random_next(r) & 0x1ff) |
                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = slot->size,
                               .usage = slot->usage,
                               .sharingMode = slot->concurrent ? VK_SHARING_MODE_CONCURRENT
                                                               : VK_SHARING_MODE_EXCLUSIVE,
                               .queueFamilyIndexCount = slot->concurrent ? 3 : 0,
                               .pQueueFamilyIndices = families};
    MUST(TRY(v->w, CreateBuffer, v->w->device, &info, NULL, &slot->handle));
    bind_any_buffer(v, r, slot);
    return slot;
}

static void destroy_valid_buffer_view(struct valid *v, struct buffer_view *view)
{
    CALL(v->w, DestroyBufferView, v->w->device, view->handle, NULL);
    view->buffer->head.users--;
    view->head.alive = false;
}

struct buffer_view *need_buffer_view(struct valid *v, struct random *r)
{
    struct buffer_view *view = FIND(v, r, buffer_views, BUFFER_VIEWS_MOST, true);
    if (view && random_chance(r, 80))
        return view;
    struct buffer_view *slot =
        FREE_SLOT(v, r, buffer_views, BUFFER_VIEWS_MOST, destroy_valid_buffer_view);
    struct buffer *buffer =
        slot ? need_buffer(v, r, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT, 256) : NULL;
    if (!buffer)
        return STILL(view);
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = buffer->handle,
                                   .format = VK_FORMAT_R32_UINT,
                                   .offset = 16 * random_below(r, 2),
                                   .range = random_chance(r, 50) ? VK_WHOLE_SIZE : 64};
    *slot = (struct buffer_view){.head.alive = true, .buffer = buffer};
    buffer->head.users++;
    MUST(TRY(v->w, CreateBufferView, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

/* --- images --- */

static void destroy_image(struct valid *v, struct image *image)
{
    CALL(v->w, DestroyImage, v->w->device, image->handle, NULL);
    CALL(v->w, FreeMemory, v->w->device, image->memory, NULL);
    image->head.alive = false;
}

static void bind_any_image(struct valid *v, struct random *r, struct image *image)
{
    struct world *w = v->w;
    VkMemoryRequirements requirements;
    CALL(w, GetImageMemoryRequirements, w->device, image->handle, &requirements);
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = image->handle};
    bool is_dedicated = random_chance(r, 20);
    VkDeviceSize offset = is_dedicated ? 0 : random_below(r, 3) * requirements.alignment;
    image->memory = allocate_of_type(v, requirements.size + offset,
                                     any_memory_type(v, r, requirements.memoryTypeBits, 0),
                                     is_dedicated ? &dedicated : NULL);
    VkBindImageMemoryInfo bind = {.sType = VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO,
                                  .image = image->handle,
                                  .memory = image->memory,
                                  .memoryOffset = offset};
    if (random_chance(r, 50))
        MUST(TRY(w, BindImageMemory2, w->device, 1, &bind));
    else
        MUST(TRY(w, BindImageMemory, w->device, image->handle, image->memory, offset));
}

/* Attachments are plain; others have levels and layers, one or three dimensions. */
static VkImageCreateInfo image_info(struct random *r, VkImageUsageFlags usage, VkFormat format,
                                    VkSampleCountFlagBits samples)
{
    static const uint32_t families[] = {0, 1, 2};
    VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                              .imageType = VK_IMAGE_TYPE_2D,
                              .format = format,
                              .extent = {EXTENT, EXTENT, 1},
                              .mipLevels = 1,
                              .arrayLayers = 1,
                              .samples = samples,
                              .tiling = VK_IMAGE_TILING_OPTIMAL,
                              .usage = usage,
                              .sharingMode = random_chance(r, 20) ? VK_SHARING_MODE_CONCURRENT
                                                                  : VK_SHARING_MODE_EXCLUSIVE};
    if (info.sharingMode == VK_SHARING_MODE_CONCURRENT) {
        info.queueFamilyIndexCount = 3;
        info.pQueueFamilyIndices = families;
    }
    bool attachment =
        usage & (VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    if (attachment || samples != VK_SAMPLE_COUNT_1_BIT)
        return info;
    info.mipLevels = 1 + random_below(r, 4);
    info.arrayLayers = 1 + random_below(r, 4);
    if (format_aspects(format) != VK_IMAGE_ASPECT_COLOR_BIT || format_block(format) > 1)
        return info;
    if (random_chance(r, 10)) {
        info.imageType = VK_IMAGE_TYPE_3D;
        info.extent.depth = 8;
        info.arrayLayers = 1;
    } else if (random_chance(r, 10)) {
        info.imageType = VK_IMAGE_TYPE_1D;
        info.extent.height = 1;
    } else if (random_chance(r, 10)) {
        info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
        info.arrayLayers = 6;
    }
    return info;
}

struct image *need_image(struct valid *v, struct random *r, VkImageUsageFlags usage,
                         VkFormat format, VkSampleCountFlagBits samples)
{
    struct image *image = FIND(v, r, images, IMAGES_MOST,
                               (it->info.usage & usage) == usage && it->info.format == format &&
                                   it->info.samples == samples);
    if (image && random_chance(r, 80))
        return image;
    struct image *slot = FREE_SLOT(v, r, images, IMAGES_MOST, destroy_image);
    if (!slot)
        return image;
    const VkImageUsageFlags copies =
        VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    *slot = (struct image){
        .head.alive = true,
        .info = image_info(r, usage | (random_chance(r, 70) ? copies : 0), format, samples),
        .aspects = format_aspects(format)};
    /* With the one format that views have: imageless framebuffers say so, too, and both must say
     * the same. */
    VkImageFormatListCreateInfo formats = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO,
                                           .viewFormatCount = 1,
                                           .pViewFormats = &slot->info.format};
    slot->info.pNext = &formats;
    MUST(TRY(v->w, CreateImage, v->w->device, &slot->info, NULL, &slot->handle));
    slot->info.pNext = NULL;
    slot->info.pQueueFamilyIndices = NULL;
    bind_any_image(v, r, slot);
    return slot;
}

static void destroy_valid_view(struct valid *v, struct view *view)
{
    CALL(v->w, DestroyImageView, v->w->device, view->handle, NULL);
    view->image->head.users--;
    view->head.alive = false;
}

static struct view *create_view(struct valid *v, struct view *slot, struct image *image,
                                VkImageViewType type, VkImageSubresourceRange range)
{
    VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                  .image = image->handle,
                                  .viewType = type,
                                  .format = image->info.format,
                                  .subresourceRange = range};
    *slot = (struct view){.head.alive = true, .image = image, .type = type, .range = range};
    image->head.users++;
    MUST(TRY(v->w, CreateImageView, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

struct view *need_attachment(struct valid *v, struct random *r, VkFormat format,
                             VkSampleCountFlagBits samples, const struct view *not_this)
{
    bool color = format_aspects(format) == VK_IMAGE_ASPECT_COLOR_BIT;
    VkImageUsageFlags usage =
        color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT
              : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    struct view *view =
        FIND(v, r, views, VIEWS_MOST,
             it->image->info.format == format && it->image->info.samples == samples &&
                 it->image->memory && (it->image->info.usage & usage) == usage &&
                 (!not_this || it->image != not_this->image));
    if (view && random_chance(r, 85))
        return view;
    struct view *slot = FREE_SLOT(v, r, views, VIEWS_MOST, destroy_valid_view);
    struct image *image = slot ? need_image(v, r, usage, format, samples) : NULL;
    if (!image || (not_this && not_this->image == image))
        return STILL(view);
    return create_view(v, slot, image, VK_IMAGE_VIEW_TYPE_2D,
                       (VkImageSubresourceRange){image->aspects, 0,
                                                 random_chance(r, 50) ? 1 : VK_REMAINING_MIP_LEVELS,
                                                 0, 1});
}

/* For a descriptor that the shaders read as a 2D image. */
struct view *need_view(struct valid *v, struct random *r, VkImageUsageFlags usage)
{
    struct view *view =
        FIND(v, r, views, VIEWS_MOST,
             it->type == VK_IMAGE_VIEW_TYPE_2D && (it->image->info.usage & usage) == usage &&
                 it->image->memory && it->image->info.format == VK_FORMAT_R8G8B8A8_UNORM &&
                 it->image->info.samples == VK_SAMPLE_COUNT_1_BIT);
    if (view && random_chance(r, 85))
        return view;
    struct view *slot = FREE_SLOT(v, r, views, VIEWS_MOST, destroy_valid_view);
    struct image *image =
        slot ? need_image(v, r, usage, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT) : NULL;
    if (!image || image->info.imageType != VK_IMAGE_TYPE_2D)
        return STILL(view);
    uint32_t level = random_below(r, image->info.mipLevels);
    bool storage = usage & VK_IMAGE_USAGE_STORAGE_BIT;
    return create_view(v, slot, image, VK_IMAGE_VIEW_TYPE_2D,
                       (VkImageSubresourceRange){
                           VK_IMAGE_ASPECT_COLOR_BIT, level,
                           storage || random_chance(r, 50) ? 1 : VK_REMAINING_MIP_LEVELS,
                           random_below(r, image->info.arrayLayers), 1});
}

static void destroy_valid_sampler(struct valid *v, struct sampler *sampler)
{
    CALL(v->w, DestroySampler, v->w->device, sampler->handle, NULL);
    sampler->head.alive = false;
}

struct sampler *need_sampler(struct valid *v, struct random *r)
{
    struct sampler *sampler = FIND(v, r, samplers, SAMPLERS_MOST, true);
    if (sampler && random_chance(r, 80))
        return sampler;
    struct sampler *slot = FREE_SLOT(v, r, samplers, SAMPLERS_MOST, destroy_valid_sampler);
    if (!slot)
        return sampler;
    VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                .magFilter = (VkFilter)random_below(r, 2),
                                .minFilter = (VkFilter)random_below(r, 2),
                                .mipmapMode = (VkSamplerMipmapMode)random_below(r, 2),
                                .addressModeU = (VkSamplerAddressMode)random_below(r, 4),
                                .addressModeV = (VkSamplerAddressMode)random_below(r, 4),
                                .addressModeW = (VkSamplerAddressMode)random_below(r, 4),
                                .anisotropyEnable = random_chance(r, 20),
                                .maxAnisotropy = 4,
                                .maxLod = random_chance(r, 50) ? VK_LOD_CLAMP_NONE : 4,
                                .borderColor = (VkBorderColor)random_below(r, 6)};
    *slot = (struct sampler){.head.alive = true};
    MUST(TRY(v->w, CreateSampler, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

/* --- small things --- */

static void destroy_query_pool(struct valid *v, struct query_pool *pool)
{
    CALL(v->w, DestroyQueryPool, v->w->device, pool->handle, NULL);
    pool->head.alive = false;
}

struct query_pool *need_query_pool(struct valid *v, struct random *r, VkQueryType type)
{
    struct query_pool *pool = FIND(v, r, query_pools, QUERY_POOLS_MOST, it->type == type);
    if (pool && random_chance(r, 85))
        return pool;
    struct query_pool *slot = FREE_SLOT(v, r, query_pools, QUERY_POOLS_MOST, destroy_query_pool);
    if (!slot)
        return pool;
    *slot = (struct query_pool){.head.alive = true, .type = type, .count = 2 + random_below(r, 6)};
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = type,
        .queryCount = slot->count,
        .pipelineStatistics = type == VK_QUERY_TYPE_PIPELINE_STATISTICS
                                  ? VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT |
                                        VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT
                                  : 0};
    MUST(TRY(v->w, CreateQueryPool, v->w->device, &info, NULL, &slot->handle));
    CALL(v->w, ResetQueryPool, v->w->device, slot->handle, 0, slot->count);
    return slot;
}

static void destroy_event(struct valid *v, struct event *event)
{
    CALL(v->w, DestroyEvent, v->w->device, event->handle, NULL);
    event->head.alive = false;
}

struct event *need_event(struct valid *v, struct random *r)
{
    struct event *event = FIND(v, r, events, EVENTS_MOST, true);
    if (event && random_chance(r, 80))
        return event;
    struct event *slot = FREE_SLOT(v, r, events, EVENTS_MOST, destroy_event);
    if (!slot)
        return event;
    VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    *slot = (struct event){.head.alive = true};
    MUST(TRY(v->w, CreateEvent, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

static void destroy_semaphore(struct valid *v, struct semaphore *semaphore)
{
    CALL(v->w, DestroySemaphore, v->w->device, semaphore->handle, NULL);
    semaphore->head.alive = false;
}

struct semaphore *need_semaphore(struct valid *v, struct random *r, bool timeline)
{
    struct semaphore *semaphore =
        FIND(v, r, semaphores, SEMAPHORES_MOST,
             it->timeline == timeline &&
                 (timeline || (!it->signaled && serial_over(v, it->free_at))));
    if (semaphore && random_chance(r, 85))
        return semaphore;
    struct semaphore *slot = FREE_SLOT(v, r, semaphores, SEMAPHORES_MOST, destroy_semaphore);
    if (!slot)
        return semaphore;
    *slot = (struct semaphore){
        .head.alive = true, .timeline = timeline, .value = timeline ? random_below(r, 10) : 0};
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                      .initialValue = slot->value};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                  .pNext = timeline ? &type : NULL};
    MUST(TRY(v->w, CreateSemaphore, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

static void destroy_fence(struct valid *v, struct fence *fence)
{
    CALL(v->w, DestroyFence, v->w->device, fence->handle, NULL);
    fence->head.alive = false;
}

struct fence *need_fence(struct valid *v, struct random *r)
{
    struct fence *fence = FIND(v, r, fences, FENCES_MOST, !it->pending);
    if (fence && fence->signaled) {
        MUST(TRY(v->w, ResetFences, v->w->device, 1, &fence->handle));
        fence->signaled = false;
    }
    if (fence)
        return fence;
    struct fence *slot = FREE_SLOT(v, r, fences, FENCES_MOST, destroy_fence);
    if (!slot)
        return NULL;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    *slot = (struct fence){.head.alive = true};
    MUST(TRY(v->w, CreateFence, v->w->device, &info, NULL, &slot->handle));
    return slot;
}

/* --- passes --- */

bool shapes_equal(const struct shape *a, const struct shape *b)
{
    return a->color == b->color && a->depth == b->depth && a->samples == b->samples &&
           a->resolves == b->resolves && a->two_subpasses == b->two_subpasses &&
           a->dynamic == b->dynamic;
}

static void destroy_valid_pass(struct valid *v, struct pass *pass)
{
    CALL(v->w, DestroyRenderPass, v->w->device, pass->handle, NULL);
    pass->head.alive = false;
}

/* The description of a render pass, in the form of version 2; the old form is made of it. */
struct pass_description {
    VkAttachmentDescription2 attachments[4];
    VkAttachmentReference2 color[2], depth, resolve, input;
    VkSubpassDescription2 subpasses[2];
    VkSubpassDependency2 dependencies[3];
    uint32_t preserved;
    VkRenderPassCreateInfo2 info;
};

static VkAttachmentReference2 attachment_at(uint32_t attachment, VkImageLayout layout,
                                            VkImageAspectFlags aspects)
{
    return (VkAttachmentReference2){VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, NULL, attachment,
                                    layout, aspects};
}

static VkAttachmentDescription2 any_attachment(struct random *r, VkFormat format,
                                               VkSampleCountFlagBits samples, VkImageLayout layout)
{
    bool keeps = random_chance(r, 50);
    return (VkAttachmentDescription2){
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
        .format = format,
        .samples = samples,
        .loadOp = keeps ? VK_ATTACHMENT_LOAD_OP_LOAD : (VkAttachmentLoadOp)(1 + random_below(r, 2)),
        .storeOp = (VkAttachmentStoreOp)random_below(r, 2),
        .stencilLoadOp = keeps ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = (VkAttachmentStoreOp)random_below(r, 2),
        .initialLayout = keeps ? layout : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = layout};
}

/* Attachments: color, [second color], [depth], [resolve]. */
static void describe_pass(struct random *r, const struct shape *shape, struct pass_description *d)
{
    uint32_t count = 0;
    const VkImageLayout color_layout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    memset(d, 0, sizeof(*d));
    d->color[0] = attachment_at(count, color_layout, 0);
    d->attachments[count++] = any_attachment(r, shape->color, shape->samples, color_layout);
    for (uint32_t i = 0; i < 2; i++)
        d->subpasses[i] =
            (VkSubpassDescription2){.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                    .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                    .colorAttachmentCount = 1,
                                    .pColorAttachments = &d->color[i]};
    if (shape->two_subpasses) {
        d->input =
            attachment_at(0, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_ASPECT_COLOR_BIT);
        d->color[1] = attachment_at(count, color_layout, 0);
        d->attachments[count++] = any_attachment(r, shape->color, shape->samples, color_layout);
        d->subpasses[1].inputAttachmentCount = 1;
        d->subpasses[1].pInputAttachments = &d->input;
        d->dependencies[d->info.dependencyCount++] =
            (VkSubpassDependency2){.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                   .srcSubpass = 0,
                                   .dstSubpass = 1,
                                   .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                   .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                   .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
    }
    if (shape->depth) {
        const VkImageLayout layout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        d->depth = attachment_at(count, layout, 0);
        d->attachments[count++] = any_attachment(r, shape->depth, shape->samples, layout);
        d->subpasses[0].pDepthStencilAttachment = d->subpasses[1].pDepthStencilAttachment =
            &d->depth;
    }
    if (shape->resolves) {
        d->resolve = attachment_at(count, color_layout, 0);
        d->attachments[count++] =
            any_attachment(r, shape->color, VK_SAMPLE_COUNT_1_BIT, color_layout);
        d->subpasses[0].pResolveAttachments = &d->resolve;
    }
    if (shape->depth) /* not by chance: render passes of one shape are compatible */
        d->dependencies[d->info.dependencyCount++] =
            (VkSubpassDependency2){.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                   .srcSubpass = VK_SUBPASS_EXTERNAL,
                                   .dstSubpass = 0,
                                   .srcStageMask = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                   .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                   .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                   .dstAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
    d->info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
    d->info.attachmentCount = count;
    d->info.pAttachments = d->attachments;
    d->info.subpassCount = shape->two_subpasses ? 2 : 1;
    d->info.pSubpasses = d->subpasses;
    d->info.pDependencies = d->dependencies;
}

static VkResult create_old_pass(struct valid *v, const struct pass_description *d,
                                VkRenderPass *pass)
{
    VkAttachmentDescription attachments[4];
    VkAttachmentReference references[2][4];
    VkSubpassDescription subpasses[2];
    VkSubpassDependency dependencies[3];
    for (uint32_t i = 0; i < d->info.attachmentCount; i++) {
        const VkAttachmentDescription2 *a = &d->attachments[i];
        attachments[i] = (VkAttachmentDescription){
            a->flags,         a->format,         a->samples,       a->loadOp,     a->storeOp,
            a->stencilLoadOp, a->stencilStoreOp, a->initialLayout, a->finalLayout};
    }
    for (uint32_t i = 0; i < d->info.subpassCount; i++) {
        const VkSubpassDescription2 *s = &d->subpasses[i];
        const VkAttachmentReference2 *from[4] = {s->pColorAttachments, s->pDepthStencilAttachment,
                                                 s->pResolveAttachments, s->pInputAttachments};
        for (int j = 0; j < 4; j++) {
            if (from[j])
                references[i][j] = (VkAttachmentReference){from[j]->attachment, from[j]->layout};
        }
        subpasses[i] =
            (VkSubpassDescription){.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                   .colorAttachmentCount = 1,
                                   .pColorAttachments = &references[i][0],
                                   .pDepthStencilAttachment = from[1] ? &references[i][1] : NULL,
                                   .pResolveAttachments = from[2] ? &references[i][2] : NULL,
                                   .inputAttachmentCount = s->inputAttachmentCount,
                                   .pInputAttachments = &references[i][3]};
    }
    for (uint32_t i = 0; i < d->info.dependencyCount; i++) {
        const VkSubpassDependency2 *from = &d->dependencies[i];
        dependencies[i] = (VkSubpassDependency){
            from->srcSubpass,    from->dstSubpass,    from->srcStageMask,   from->dstStageMask,
            from->srcAccessMask, from->dstAccessMask, from->dependencyFlags};
    }
    VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                   .attachmentCount = d->info.attachmentCount,
                                   .pAttachments = attachments,
                                   .subpassCount = d->info.subpassCount,
                                   .pSubpasses = subpasses,
                                   .dependencyCount = d->info.dependencyCount,
                                   .pDependencies = dependencies};
    return TRY(v->w, CreateRenderPass, v->w->device, &info, NULL, pass);
}

static VkRenderPass create_pass(struct valid *v, struct random *r, const struct shape *shape,
                                uint32_t *attachments)
{
    struct pass_description description;
    VkRenderPass pass = VK_NULL_HANDLE;
    describe_pass(r, shape, &description);
    *attachments = description.info.attachmentCount;
    if (random_chance(r, 50))
        MUST(TRY(v->w, CreateRenderPass2, v->w->device, &description.info, NULL, &pass));
    else
        MUST(create_old_pass(v, &description, &pass));
    return pass;
}

struct pass *need_pass(struct valid *v, struct random *r, const struct shape *shape)
{
    struct pass *pass = FIND(v, r, passes, PASSES_MOST, shapes_equal(&it->shape, shape));
    if (pass && random_chance(r, 80))
        return pass;
    struct pass *slot = FREE_SLOT(v, r, passes, PASSES_MOST, destroy_valid_pass);
    if (!slot)
        return pass;
    *slot = (struct pass){.head.alive = true, .shape = *shape};
    slot->handle = create_pass(v, r, shape, &slot->attachment_count);
    return slot;
}

static void destroy_framebuffer(struct valid *v, struct framebuffer *framebuffer)
{
    CALL(v->w, DestroyFramebuffer, v->w->device, framebuffer->handle, NULL);
    for (uint32_t i = 0; i < framebuffer->pass->attachment_count; i++)
        framebuffer->views[i]->head.users--;
    framebuffer->pass->head.users--;
    framebuffer->head.alive = false;
}

/* Views for each attachment, all of different images, each with one user more. */
static bool attachment_views(struct valid *v, struct random *r, const struct pass *pass,
                             struct view **views)
{
    const struct shape *s = &pass->shape;
    uint32_t count = 0;
    views[count++] = need_attachment(v, r, s->color, s->samples, NULL);
    if (views[0])
        views[0]->head.users++;
    if (s->two_subpasses && views[0])
        views[count++] = need_attachment(v, r, s->color, s->samples, views[0]);
    if (count == 2 && views[1])
        views[1]->head.users++;
    if (s->depth) {
        views[count] = need_attachment(v, r, s->depth, s->samples, NULL);
        if (views[count])
            views[count]->head.users++;
        count++;
    }
    if (s->resolves) {
        views[count] = need_attachment(v, r, s->color, VK_SAMPLE_COUNT_1_BIT, NULL);
        if (views[count])
            views[count]->head.users++;
        count++;
    }
    bool whole = count == pass->attachment_count;
    for (uint32_t i = 0; i < count; i++)
        whole = whole && views[i];
    for (uint32_t i = 0; !whole && i < count; i++) {
        if (views[i])
            views[i]->head.users--;
    }
    return whole;
}

struct framebuffer *need_framebuffer(struct valid *v, struct random *r, struct pass *pass)
{
    struct framebuffer *framebuffer =
        FIND(v, r, framebuffers, FRAMEBUFFERS_MOST, shapes_equal(&it->pass->shape, &pass->shape));
    if (framebuffer && random_chance(r, 80))
        return framebuffer;
    struct framebuffer *slot =
        FREE_SLOT(v, r, framebuffers, FRAMEBUFFERS_MOST, destroy_framebuffer);
    if (!slot)
        return framebuffer;
    struct framebuffer made = {.head.alive = true,
                               .pass = pass,
                               .imageless = random_chance(r, 25),
                               .width = EXTENT,
                               .height = EXTENT};
    if (!attachment_views(v, r, pass, made.views))
        return STILL(framebuffer);
    VkImageView handles[4];
    VkFramebufferAttachmentImageInfo images[4];
    for (uint32_t i = 0; i < pass->attachment_count; i++) {
        const struct image *image = made.views[i]->image;
        handles[i] = made.views[i]->handle;
        images[i] = (VkFramebufferAttachmentImageInfo){
            .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENT_IMAGE_INFO,
            .usage = image->info.usage,
            .width = EXTENT,
            .height = EXTENT,
            .layerCount = 1,
            .viewFormatCount = 1,
            .pViewFormats = &image->info.format};
    }
    VkFramebufferAttachmentsCreateInfo attachments = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_ATTACHMENTS_CREATE_INFO,
        .attachmentImageInfoCount = pass->attachment_count,
        .pAttachmentImageInfos = images};
    VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                    .pNext = made.imageless ? &attachments : NULL,
                                    .flags =
                                        made.imageless ? VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT : 0,
                                    .renderPass = pass->handle,
                                    .attachmentCount = pass->attachment_count,
                                    .pAttachments = made.imageless ? NULL : handles,
                                    .width = EXTENT,
                                    .height = EXTENT,
                                    .layers = 1};
    MUST(TRY(v->w, CreateFramebuffer, v->w->device, &info, NULL, &made.handle));
    pass->head.users++;
    *slot = made;
    return slot;
}

/* --- destroying --- */

#define TABLES(X)                                                 \
    X(framebuffers, FRAMEBUFFERS_MOST, destroy_framebuffer)       \
    X(sets, SETS_MOST, set_destroy)                               \
    X(pipelines, PIPELINES_MOST, pipeline_destroy)                \
    X(passes, PASSES_MOST, destroy_valid_pass)                    \
    X(buffer_views, BUFFER_VIEWS_MOST, destroy_valid_buffer_view) \
    X(views, VIEWS_MOST, destroy_valid_view)                      \
    X(samplers, SAMPLERS_MOST, destroy_valid_sampler)             \
    X(images, IMAGES_MOST, destroy_image)                         \
    X(buffers, BUFFERS_MOST, destroy_valid_buffer)                \
    X(query_pools, QUERY_POOLS_MOST, destroy_query_pool)          \
    X(events, EVENTS_MOST, destroy_event)                         \
    X(semaphores, SEMAPHORES_MOST, destroy_semaphore)             \
    X(fences, FENCES_MOST, destroy_fence)

/* Destroys in each table one object that is not in use, perhaps. */
void destroy_something(struct valid *v, struct random *r)
{
#define DESTROY_ONE(table_, most_, destroy_)                                 \
    if (random_chance(r, 12)) {                                              \
        __typeof__(&v->table_[0]) it = &v->table_[random_below(r, (most_))]; \
        if (it->head.alive && !it->head.users)                               \
            destroy_(v, it);                                                 \
    }
    TABLES(DESTROY_ONE)
#undef DESTROY_ONE
}

/* How many recorded command buffers that are not pending use it. */
static unsigned recorded_users(const struct valid *v, const struct head *head)
{
    unsigned users = 0;
    for (unsigned i = 0; i < COMMANDS_MOST; i++) {
        const struct commands *c = &v->commands[i];
        for (unsigned j = 0;
             c->head.alive && c->state == COMMANDS_RECORDED && !c->head.users && j < c->use_count;
             j++)
            users += c->uses[j] == head;
    }
    return users;
}

static void invalidate_users(struct valid *v, const struct head *head)
{
    for (unsigned i = 0; i < COMMANDS_MOST; i++) {
        struct commands *c = &v->commands[i];
        bool uses = false;
        for (unsigned j = 0; c->head.alive && j < c->use_count; j++)
            uses |= c->uses[j] == head;
        if (uses) {
            commands_forget(v, c);
            c->state = COMMANDS_INVALID;
        }
    }
}

/* Destroys what recorded command buffers use: these become invalid, which is not a mistake until
 * they are submitted. */
void spoil_commands(struct valid *v, struct random *r)
{
#define SPOIL_ONE(table_, most_, destroy_)                                                        \
    if (random_chance(r, 20)) {                                                                   \
        __typeof__(&v->table_[0]) it = &v->table_[random_below(r, (most_))];                      \
        if (it->head.alive && it->head.users && it->head.users == recorded_users(v, &it->head)) { \
            invalidate_users(v, &it->head);                                                       \
            if (!it->head.users)                                                                  \
                destroy_(v, it);                                                                  \
            return;                                                                               \
        }                                                                                         \
    }
    SPOIL_ONE(framebuffers, FRAMEBUFFERS_MOST, destroy_framebuffer)
    SPOIL_ONE(pipelines, PIPELINES_MOST, pipeline_destroy)
    SPOIL_ONE(sets, SETS_MOST, set_destroy)
    SPOIL_ONE(buffers, BUFFERS_MOST, destroy_valid_buffer)
    SPOIL_ONE(images, IMAGES_MOST, destroy_image)
    SPOIL_ONE(query_pools, QUERY_POOLS_MOST, destroy_query_pool)
#undef SPOIL_ONE
}

/* --- all of it --- */

void objects_destroy(struct valid *v)
{
#define DESTROY_ALL(table_, most_, destroy_) \
    for (unsigned i = 0; i < (most_); i++) { \
        if (v->table_[i].head.alive)         \
            destroy_(v, &v->table_[i]);      \
    }
    TABLES(DESTROY_ALL)
#undef DESTROY_ALL
}
