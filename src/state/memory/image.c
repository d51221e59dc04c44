/* Tracks how images were created, and the memory to which they are bound (12.3). */
#include "state/memory/image.h"

#include <string.h>

#include "state/memory/formats.h"
#include "state/hooks.h"
#include "state/memory/sharing.h"
#include "state/wsi/swapchain.h"
#include "base/plain_atomic.h"
#include "state/memory/video_profile.h"
#include "vk/chain.h"

/* The image is not bound to an image of its swapchain yet (VkImageSwapchainCreateInfoKHR). */
#define NO_SWAPCHAIN_INDEX UINT32_MAX

bool image_is_bound(const struct image *image)
{
    assert(image);
    if (image_is_sparse(image))
        return true;
    if (image->swapchain)
        return image->swapchain_index != NO_SWAPCHAIN_INDEX;
    /* The number of memory planes of a DRM format modifier is not known here: one bound plane is
     * enough. */
    uint32_t planes = image->flags & VK_IMAGE_CREATE_DISJOINT_BIT &&
                              image->tiling != VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
                          ? image->plane_count
                          : 1;
    for (uint32_t i = 0; i < planes; i++) {
        if (!memory_binding_lives(&image->binding[i]))
            return false;
    }
    return true;
}

bool image_aspects_are_bound(const struct image *image, VkImageAspectFlags aspects)
{
    if (!image_is_disjoint(image) || image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT ||
        !(aspects & FORMAT_PLANE_ASPECTS))
        return image_is_bound(image);
    for (uint32_t i = 0; i < image->plane_count; i++) {
        if (aspects & (VK_IMAGE_ASPECT_PLANE_0_BIT << i) &&
            !memory_binding_lives(&image->binding[i]))
            return false;
    }
    return true;
}

bool image_is_disjoint(const struct image *image)
{
    return image->flags & VK_IMAGE_CREATE_DISJOINT_BIT &&
           (image->plane_count > 1 || image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT);
}

bool image_has_memory(const struct image *image)
{
    if (likely(image_is_bound(image)))
        return true;
    for (uint32_t i = 0; image_is_disjoint(image) && i < IMAGE_PLANES; i++) {
        if (memory_binding_lives(&image->binding[i]))
            return true;
    }
    return false;
}

uint32_t image_plane_side(const struct image *image, VkImageAspectFlags plane, uint32_t axis,
                          uint32_t side)
{
    const struct format_info *format = format_info(image->format);
    const uint32_t number = aspect_plane(plane);
    if (!(plane & FORMAT_PLANE_ASPECTS) || !format || number >= format->plane_count)
        return side;
    return axis == 0   ? side / format->planes[number].width_divisor
           : axis == 1 ? side / format->planes[number].height_divisor
                       : side;
}

VkMemoryRequirements image_requirements(const struct device *device, const struct image *image)
{
    assert(device && image);
    VkMemoryRequirements requirements = {0};
    if (!image_is_disjoint(image))
        device->dispatch.GetImageMemoryRequirements(device->handle,
                                                    (VkImage)object_driver(image->base.object),
                                                    &requirements);
    return requirements;
}

VkMemoryRequirements image_plane_requirements(const struct device *device,
                                              const struct image *image,
                                              VkImageAspectFlagBits plane)
{
    assert(device && image && plane);
    const VkImagePlaneMemoryRequirementsInfo plane_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, .planeAspect = plane};
    const VkImageMemoryRequirementsInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2,
        .pNext = &plane_info,
        .image = (VkImage)object_driver(image->base.object)};
    VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    if (device->dispatch.GetImageMemoryRequirements2)
        device->dispatch.GetImageMemoryRequirements2(device->handle, &info, &requirements);
    return requirements.memoryRequirements;
}

/* The lower bits have the same meaning in both types. */
const VkImageCreateInfo *image_info_of_chain(const VkImageCreateInfo *given,
                                             VkImageCreateInfo *copy)
{
    assert(given && given->pNext);
    VkImageCreateInfo info = *given;
    const VkImageCreateFlags2CreateInfoKHR *flags =
        chain_find(info.pNext, VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR);
    const VkImageUsageFlags2CreateInfoKHR *usage =
        chain_find(info.pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
    if (flags)
        info.flags = (VkImageCreateFlags)(flags->flags & 0xffffffffu);
    if (usage)
        info.usage = (VkImageUsageFlags)(usage->usage & 0xffffffffu);
    *copy = info;
    return copy;
}

/* The id of an object; 0: it is not known. */
static uint64_t image_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* The most subresources of an image that are tracked. No device supports as many, so larger numbers
 * are mistakes. */
#define SUBRESOURCES_MOST (1u << 20)

bool image_has_too_many_layouts(const struct image *image)
{
    assert(image);
    return (uint64_t)image->mip_levels * image->array_layers > SUBRESOURCES_MOST ||
           (image->type == VK_IMAGE_TYPE_3D &&
            (uint64_t)image->mip_levels * image->extent.depth > SUBRESOURCES_MOST);
}

/* Allocates the state of an image, for vkCreateImage and for swapchains. NULL: out of memory. */
static struct image *image_new(const struct call *call, struct object *object,
                               const VkImageCreateInfo *info, const VkFormat *view_formats,
                               uint32_t view_format_count)
{
    assert(info && (view_formats || !view_format_count));
    struct image *image =
        object_state_new(object, sizeof(*image) + view_format_count * sizeof(VkFormat));
    if (!image)
        return NULL;
    const struct format_info *format = format_info(info->format);
    image->flags = info->flags;
    image->type = info->imageType;
    image->format = info->format;
    image->extent = info->extent;
    image->mip_levels = info->mipLevels;
    image->array_layers = info->arrayLayers;
    image->samples = info->samples;
    image->tiling = info->tiling;
    image->usage = image->stencil_usage = image->any_usage = info->usage;
    image->sharing_mode = info->sharingMode;
    image->initial_layout = info->initialLayout;
    const struct instance *instance = owner_instance(object->owner);
    image->layout_unchecked =
        (instance && !instance->settings.check_image_layout) || image_has_too_many_layouts(image);
    image->aspects = format ? format->aspects : 0;
    image->plane_count = format ? format->plane_count : 1;
    image->format_kinds = format_kinds(info->format);
    if (format) {
        memcpy(image->block_extent, format->block_extent, sizeof(image->block_extent));
        image->block_size = format->block_size;
    }
    image->format_features =
        !call->device || !format || info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT
            ? ~0ull
            : format_features(call->device, info->format, info->tiling);
    if (!call_has_extension(call, EXTENSION_VK_KHR_maintenance1)) /* that extension introduces these
                                                                     two */
        image->format_features |=
            VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT;
    image->view_format_count = view_format_count;
    if (view_format_count) {
        image->view_formats = (VkFormat *)(image + 1);
        memcpy(image->view_formats, view_formats, view_format_count * sizeof(VkFormat));
    }
    return image;
}

/* The modifier that the program chose, or that the driver chose from the program's list. */
static uint64_t drm_modifier(const struct call *call, const struct object *object)
{
    VkImageDrmFormatModifierPropertiesEXT properties = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT};
    const struct device_dispatch *next = &call->device->dispatch;
    if (next->GetImageDrmFormatModifierPropertiesEXT)
        next->GetImageDrmFormatModifierPropertiesEXT(call->device->handle,
                                                     (VkImage)object_driver(object), &properties);
    return properties.drmFormatModifier;
}

/* Notes the structures in the chain of an image's create info. */
static void image_read_chain(const struct call *call, struct image *image, const void *chain)
{
    const VkImageStencilUsageCreateInfo *stencil =
        chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
    const VkExternalMemoryImageCreateInfo *external =
        chain_find(chain, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
    const VkImageSwapchainCreateInfoKHR *swapchain =
        chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
    const VkImageStencilUsage2CreateInfoKHR *stencil2 =
        chain_find(chain, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_2_CREATE_INFO_KHR);
    if (stencil)
        image->stencil_usage = stencil->stencilUsage;
    if (stencil2)
        image->stencil_usage = (VkImageUsageFlags)(stencil2->stencilUsage & 0xffffffffu);
    image->separate_stencil_usage = stencil || stencil2;
    /* Without a stencil usage of its own, stencil has the usage of the image. */
    image->any_usage = image->usage | image->stencil_usage;
    if (external)
        image->external_types = external->handleTypes;
    const VkDedicatedAllocationImageCreateInfoNV *dedicated =
        chain_find(chain, VK_STRUCTURE_TYPE_DEDICATED_ALLOCATION_IMAGE_CREATE_INFO_NV);
    image->nv_dedicated = dedicated && dedicated->dedicatedAllocation;
    if (swapchain && swapchain->swapchain) {
        image->swapchain =
            image_object_id(call, (uint64_t)swapchain->swapchain, HANDLE_SWAPCHAIN_KHR);
        image->swapchain_index = NO_SWAPCHAIN_INDEX;
    }
    if (image->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
        image->drm_modifier = drm_modifier(call, image->base.object);
}

void state_after_CreateImage(struct call *call, VkDevice device,
                             const VkImageCreateInfo *pCreateInfo,
                             const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
    struct object *object = created_object(call, (uint64_t)*pImage, HANDLE_IMAGE);
    const VkImageFormatListCreateInfo *list =
        chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    /* Without a list, views may have any compatible format. */
    uint32_t count = list && !pointer_is_bad(list->pViewFormats) ? list->viewFormatCount : 0;
    VkImageCreateInfo copy;
    const VkImageCreateInfo *info = image_info_effective(pCreateInfo, &copy);
    struct image *image =
        object ? image_new(call, object, info, count ? list->pViewFormats : NULL, count) : NULL;
    if (!image)
        return;
    image->sharing_families =
        sharing_families(info->sharingMode, info->queueFamilyIndexCount, info->pQueueFamilyIndices);
    image->video_profiles =
        video_profiles_listed(pCreateInfo->pNext,
                              pCreateInfo->flags &
                                  VK_IMAGE_CREATE_VIDEO_PROFILE_INDEPENDENT_BIT_KHR);
    image_read_chain(call, image, pCreateInfo->pNext);
    object_state_publish(object, image);
}

/* Publishes the state unless another thread was first: two threads may retrieve a swapchain's
 * images at once. */
static void publish_once(struct object *object, struct image *image)
{
    assert(object && image);
    void *expected = NULL;
    if (!plain_replace(&object->state, &expected, image))
        mem_free(image);
}

void state_after_GetSwapchainImagesKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                       uint32_t *pSwapchainImageCount, VkImage *pSwapchainImages)
{
    const struct swapchain *owner = named_swapchain(call, 0, swapchain);
    if (!owner || !pSwapchainImages || call->result < 0)
        return;
    const VkImageCreateInfo info = swapchain_image_info(owner);
    for (uint32_t i = 0; i < *pSwapchainImageCount; i++) {
        struct object *object = call_find(call, (uint64_t)pSwapchainImages[i], HANDLE_IMAGE);
        /* The program may retrieve the images again, but each state is allocated once. */
        if (!object || object_load_state(object))
            continue;
        struct image *image =
            image_new(call, object, &info, owner->view_formats, owner->view_format_count);
        if (!image)
            continue;
        image->swapchain = object_state_id(&owner->base);
        image->swapchain_index = i;
        image->from_swapchain = true;
        atomic_init(&image->is_shared,
                    atomic_load_explicit(&owner->has_bound_images, memory_order_relaxed));
        /* Two threads may retrieve the images at once. */
        publish_once(object, image);
    }
}

/* Notes the memory of a plane. The memory counts the image once, even if several planes are bound
 * to it. */
static void bind_plane(struct image *image, uint32_t plane, struct memory_binding binding)
{
    assert(plane < ARRAY_LENGTH(image->binding));
    struct device_memory *memory = device_memory_by_id(binding.memory);
    bool again = false; /* another plane of the image is already bound to the same memory */
    for (uint32_t i = 0; i < IMAGE_PLANES; i++)
        again |= image->binding[i].memory == binding.memory;
    image->binding[plane] = binding;
    if (memory && !again)
        atomic_fetch_add_explicit(&memory->image_count, 1, memory_order_relaxed);
}

void state_after_BindImageMemory(struct call *call, VkDevice device, VkImage image,
                                 VkDeviceMemory memory, VkDeviceSize memoryOffset)
{
    struct image *bound = call->result == VK_SUCCESS ? named_image(call, 0, image) : NULL;
    if (bound)
        bind_plane(bound, 0, memory_binding_of(call, memory, memoryOffset));
}

/* Notes that another image is bound to the memory of a swapchain's image. */
static void note_bound_to_swapchain(struct swapchain *swapchain, uint32_t index)
{
    if (!swapchain)
        return;
    atomic_store_explicit(&swapchain->has_bound_images, true, memory_order_relaxed);
    struct image *own = swapchain_find_image(swapchain, index);
    if (own)
        atomic_store_explicit(&own->is_shared, true, memory_order_relaxed);
}

/* Notes the memory, or the swapchain's image, to which an image is bound. */
static void image_bind(const struct call *call, const VkBindImageMemoryInfo *info)
{
    const VkBindImagePlaneMemoryInfo *plane =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
    const VkBindImageMemorySwapchainInfoKHR *swapchain =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
    struct image *image = find_image(call, info->image);
    if (!image)
        return;
    if (swapchain && swapchain->swapchain) {
        image->swapchain_index = swapchain->imageIndex;
        note_bound_to_swapchain(find_swapchain(call, swapchain->swapchain), swapchain->imageIndex);
        return;
    }
    uint32_t index = plane && image_is_disjoint(image) ? aspect_plane(plane->planeAspect) : 0;
    bind_plane(image, index, memory_binding_of(call, info->memory, info->memoryOffset));
}

void state_after_BindImageMemory2(struct call *call, VkDevice device, uint32_t bindInfoCount,
                                  const VkBindImageMemoryInfo *pBindInfos)
{
    for (uint32_t i = 0; i < bindInfoCount; i++) {
        const VkBindMemoryStatus *status =
            chain_find(pBindInfos[i].pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
        VkResult result =
            status && !pointer_is_bad(status->pResult) ? *status->pResult : call->result;
        if (result == VK_SUCCESS)
            image_bind(call, &pBindInfos[i]);
    }
}
