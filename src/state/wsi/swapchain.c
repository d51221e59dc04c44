/* Tracks how swapchains were created, and which images the program has acquired. */
#include "state/wsi/swapchain.h"

#include <string.h>

#include "state/hooks.h"
#include "state/submit/submission.h"
#include "state/memory/image.h"
#include "vk/chain.h"

VkImageUsageFlags swapchain_image_usage(const VkSwapchainCreateInfoKHR *info)
{
    const VkImageUsageFlags2CreateInfoKHR *usage =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR);
    return usage ? (VkImageUsageFlags)(usage->usage & 0xffffffffu) : info->imageUsage;
}

VkImageCreateInfo swapchain_image_info(const struct swapchain *swapchain)
{
    const VkSwapchainCreateInfoKHR *info = &swapchain->info;
    VkImageCreateFlags flags = 0;
    if (info->flags & VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR)
        flags |= VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
    if (info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR)
        flags |= VK_IMAGE_CREATE_PROTECTED_BIT;
    if (info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR)
        /* The VkImageCreateInfo of the images, as the specification defines it for each flag of the
         * swapchain. */
        flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .flags = flags,
                               .imageType = VK_IMAGE_TYPE_2D,
                               .format = info->imageFormat,
                               .extent = {info->imageExtent.width, info->imageExtent.height, 1},
                               .mipLevels = 1,
                               .arrayLayers = info->imageArrayLayers,
                               .samples = VK_SAMPLE_COUNT_1_BIT,
                               .tiling = VK_IMAGE_TILING_OPTIMAL,
                               .usage = info->imageUsage,
                               .sharingMode = info->imageSharingMode,
                               .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED};
}

/* The id of an object; 0: it is not known. */
static uint64_t swapchain_object_id(const struct call *call, uint64_t handle, enum handle_type type)
{
    const struct object *object = call_find(call, handle, type);
    return object ? atomic_load_explicit(&object->id, memory_order_relaxed) : 0;
}

/* Copies the present modes between which the swapchain can be switched. */
static void read_modes(struct swapchain *swapchain, const VkSwapchainCreateInfoKHR *info)
{
    const VkSwapchainPresentModesCreateInfoKHR *modes =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODES_CREATE_INFO_KHR);
    swapchain->has_modes = modes != NULL;
    for (uint32_t i = 0;
         modes && !pointer_is_bad(modes->pPresentModes) && i < modes->presentModeCount; i++) {
        if (swapchain->mode_count < SWAPCHAIN_MODES)
            swapchain->modes[swapchain->mode_count++] = modes->pPresentModes[i];
    }
}

/* "oldSwapchain is retired even if creation of the new swapchain fails" */
static void swapchain_retire(const struct call *call, VkSwapchainKHR handle)
{
    struct swapchain *swapchain = find_swapchain(call, handle);
    if (swapchain)
        atomic_store_explicit(&swapchain->retired, true, memory_order_relaxed);
}

/* The queue families that support presents to a surface, a bit each; all bits if the driver does
 * not answer. */
static uint64_t families_that_present(const struct call *call, VkSurfaceKHR handle)
{
    const struct instance_dispatch *next = &call->instance->dispatch;
    const struct object *surface = call_find(call, (uint64_t)handle, HANDLE_SURFACE_KHR);
    VkPhysicalDevice physical_device = call->device->physical_device;
    uint64_t families = UINT64_MAX;
    uint32_t count = 0;
    if (!surface || !next->GetPhysicalDeviceSurfaceSupportKHR)
        return families;
    next->GetPhysicalDeviceQueueFamilyProperties(physical_device, &count, NULL);
    for (uint32_t i = 0; i < count && i < 64; i++) {
        VkBool32 supported = VK_TRUE;
        VkResult result =
            next->GetPhysicalDeviceSurfaceSupportKHR(physical_device, i,
                                                     (VkSurfaceKHR)object_driver(surface),
                                                     &supported);
        if (result == VK_SUCCESS && !supported)
            /* If the query fails for a family, it counts as supported. */
            families &= ~(1ull << i);
    }
    return families;
}

/* Queries capabilities: "... member of the structure returned by
 * vkGetPhysicalDeviceSurfaceCapabilities2KHR for the surface". It is done once, as for queue
 * families. */
static void ask_presents(const struct call *call, struct swapchain *swapchain, VkSurfaceKHR handle)
{
    const VkSwapchainCreateFlagsKHR asked = VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT |
                                            VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR |
                                            VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR;
    const struct instance_dispatch *next = &call->instance->dispatch;
    const struct object *surface = call_find(call, (uint64_t)handle, HANDLE_SURFACE_KHR);
    if (likely(!(swapchain->info.flags & asked)) || !surface ||
        !next->GetPhysicalDeviceSurfaceCapabilities2KHR)
        return;
    const VkSwapchainCreateFlagsKHR flags = swapchain->info.flags;
    VkSurfaceCapabilities2KHR all = {.sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
    VkPresentTimingSurfaceCapabilitiesEXT timing = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_TIMING_SURFACE_CAPABILITIES_EXT};
    VkSurfaceCapabilitiesPresentId2KHR id = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_ID_2_KHR};
    VkSurfaceCapabilitiesPresentWait2KHR wait = {
        .sType = VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_PRESENT_WAIT_2_KHR};
    /* Only structures of extensions which the flags show to be enabled. */
    if (flags & VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT)
        all.pNext = &timing;
    if (flags & VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR) {
        id.pNext = all.pNext;
        all.pNext = &id;
    }
    if (flags & VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR) {
        wait.pNext = all.pNext;
        all.pNext = &wait;
    }
    const VkPhysicalDeviceSurfaceInfo2KHR info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SURFACE_INFO_2_KHR,
        .surface = (VkSurfaceKHR)object_driver(surface)};
    if (next->GetPhysicalDeviceSurfaceCapabilities2KHR(call->device->physical_device, &info,
                                                       &all) != VK_SUCCESS)
        return;
    /* Structures that were not chained stay zero, and are not used. */
    swapchain->presents.known = true;
    swapchain->presents.absolute_time = timing.presentAtAbsoluteTimeSupported;
    swapchain->presents.relative_time = timing.presentAtRelativeTimeSupported;
    swapchain->presents.id_2 = id.presentId2Supported;
    swapchain->presents.wait_2 = wait.presentWait2Supported;
}

/* Allocates the state of a swapchain. */
static void add_swapchain(const struct call *call, VkSwapchainKHR handle,
                          const VkSwapchainCreateInfoKHR *info)
{
    struct object *object = created_object(call, (uint64_t)handle, HANDLE_SWAPCHAIN_KHR);
    const VkImageFormatListCreateInfo *list =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    uint32_t count = list && !pointer_is_bad(list->pViewFormats) ? list->viewFormatCount : 0;
    struct swapchain *swapchain =
        object_state_new(object, sizeof(*swapchain) + count * sizeof(VkFormat));
    if (!swapchain)
        return;
    swapchain->info = *info;
    swapchain->info.imageUsage = swapchain_image_usage(info);
    swapchain->info.pNext = NULL;
    /* The program's pointers are only valid during the call. */
    swapchain->info.pQueueFamilyIndices = NULL;
    swapchain->view_format_count = count;
    swapchain->surface = swapchain_object_id(call, (uint64_t)info->surface, HANDLE_SURFACE_KHR);
    swapchain->families = families_that_present(call, info->surface);
    read_modes(swapchain, info);
    const VkDeviceGroupSwapchainCreateInfoKHR *group =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_SWAPCHAIN_CREATE_INFO_KHR);
    swapchain->group_modes = group ? group->modes : VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
    ask_presents(call, swapchain, info->surface);
    if (count)
        memcpy(swapchain->view_formats, list->pViewFormats, count * sizeof(VkFormat));
    object_state_publish(object, swapchain);
}

void state_after_CreateSwapchainKHR(struct call *call, VkDevice device,
                                    const VkSwapchainCreateInfoKHR *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator,
                                    VkSwapchainKHR *pSwapchain)
{
    swapchain_retire(call, pCreateInfo->oldSwapchain);
    add_swapchain(call, *pSwapchain, pCreateInfo);
}

void state_after_CreateSharedSwapchainsKHR(struct call *call, VkDevice device,
                                           uint32_t swapchainCount,
                                           const VkSwapchainCreateInfoKHR *pCreateInfos,
                                           const VkAllocationCallbacks *pAllocator,
                                           VkSwapchainKHR *pSwapchains)
{
    for (uint32_t i = 0; i < swapchainCount; i++) {
        swapchain_retire(call, pCreateInfos[i].oldSwapchain);
        add_swapchain(call, pSwapchains[i], &pCreateInfos[i]);
    }
}

uint32_t swapchain_image_count(const struct device *device, struct swapchain *swapchain)
{
    uint32_t count = atomic_load_explicit(&swapchain->image_count, memory_order_relaxed);
    if (count || !device->dispatch.GetSwapchainImagesKHR)
        return count;
    VkSwapchainKHR handle = (VkSwapchainKHR)object_driver(swapchain->base.object);
    if (device->dispatch.GetSwapchainImagesKHR(device->handle, handle, &count, NULL) != VK_SUCCESS)
        return 0;
    atomic_store_explicit(&swapchain->image_count, count, memory_order_relaxed);
    return count;
}

/* The search for a swapchain's image by its index. */
struct image_search {
    uint32_t index;
    struct image *found; /* NULL: the program has not retrieved it */
};

/* Finds the image with an index. object_for_each_child() calls it. `context`: struct
 * image_search. */
static void compare_image(struct object *child, void *context)
{
    struct image_search *search = context;
    struct image *image = object_load_state_typed(child, HANDLE_IMAGE);
    if (image && image->swapchain_index == search->index)
        search->found = image;
}

struct image *swapchain_find_image(const struct swapchain *swapchain, uint32_t index)
{
    struct image_search search = {.index = index};
    object_for_each_child(swapchain->base.object, compare_image, &search);
    return search.found;
}

/* --- the images that the program has acquired --- */

/* Notes whether the program has acquired the image. Images from SWAPCHAIN_IMAGES on are not
 * tracked. */
static void set_acquired(struct swapchain *swapchain, uint32_t index, bool acquired)
{
    if (!swapchain || index >= SWAPCHAIN_IMAGES)
        return;
    if (acquired) {
        atomic_fetch_or_explicit(&swapchain->acquired, 1ull << index, memory_order_relaxed);
        atomic_fetch_or_explicit(&swapchain->ever_acquired, 1ull << index, memory_order_relaxed);
        atomic_fetch_and_explicit(&swapchain->given_back, ~(1ull << index), memory_order_relaxed);
        atomic_store_explicit(&swapchain->presented[index], 0, memory_order_relaxed);
    } else {
        atomic_fetch_and_explicit(&swapchain->acquired, ~(1ull << index), memory_order_relaxed);
    }
}

/* True if the result comes with an image index. */
static bool has_index(VkResult result)
{
    return result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
}

/* Notes an acquire. With a fence, submissions need not wait for the semaphore. `mask`: its
 * deviceMask; 0: it has none. */
static void note_acquire(const struct call *call, struct swapchain *swapchain, uint32_t index,
                         VkSemaphore semaphore, VkFence fence, uint32_t mask)
{
    struct semaphore *state = fence ? NULL : find_semaphore(call, semaphore);
    set_acquired(swapchain, index, true);
    if (state && swapchain)
        semaphore_note_acquire(state, object_state_id(&swapchain->base), index);
    if (!swapchain || index >= SWAPCHAIN_IMAGES)
        return;
    atomic_store_explicit(&swapchain->acquired_by[index], state ? object_state_id(&state->base) : 0,
                          memory_order_relaxed);
    atomic_store_explicit(&swapchain->acquired_for[index], mask, memory_order_relaxed);
}

void state_after_AcquireNextImageKHR_images(struct call *call, VkDevice device,
                                            VkSwapchainKHR swapchain, uint64_t timeout,
                                            VkSemaphore semaphore, VkFence fence,
                                            uint32_t *pImageIndex)
{
    if (has_index(call->result))
        note_acquire(call, find_swapchain(call, swapchain), *pImageIndex, semaphore, fence, 0);
}

void state_after_AcquireNextImage2KHR_images(struct call *call, VkDevice device,
                                             const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                             uint32_t *pImageIndex)
{
    if (has_index(call->result))
        note_acquire(call, find_swapchain(call, pAcquireInfo->swapchain), *pImageIndex,
                     pAcquireInfo->semaphore, pAcquireInfo->fence, pAcquireInfo->deviceMask);
}

/* Notes the id of a present, and the submission for which it waits. Ids that differ by PRESENT_IDS
 * share an entry; the id is written last. */
static void note_present_id(const struct call *call, const VkPresentInfoKHR *info, uint32_t i,
                            uint64_t id, uint64_t stamp)
{
    struct swapchain *swapchain = id ? find_swapchain(call, info->pSwapchains[i]) : NULL;
    if (!swapchain)
        return;
    if (id > atomic_load_explicit(&swapchain->present_id, memory_order_relaxed))
        atomic_store_explicit(&swapchain->present_id, id, memory_order_relaxed);
    atomic_store_explicit(&swapchain->present_stamps[id % PRESENT_IDS].stamp, stamp,
                          memory_order_relaxed);
    atomic_store_explicit(&swapchain->present_stamps[id % PRESENT_IDS].id, id,
                          memory_order_release);
}

void swapchain_note_present_ids(const struct call *call, const VkPresentInfoKHR *info,
                                uint64_t stamp)
{
    const VkPresentIdKHR *ids = chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
    const VkPresentId2KHR *ids2 = chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR);
    for (uint32_t i = 0; info->pSwapchains && i < info->swapchainCount; i++) {
        if (ids && ids->pPresentIds && i < ids->swapchainCount)
            note_present_id(call, info, i, ids->pPresentIds[i], stamp);
        if (ids2 && ids2->pPresentIds && i < ids2->swapchainCount)
            note_present_id(call, info, i, ids2->pPresentIds[i], stamp);
    }
}

/* Notes that an image was presented with this id or a later one. The presentation engine has
 * finished the waits of this present and of those with earlier ids. */
static void learn_presented(const struct call *call, VkSwapchainKHR handle, uint64_t id)
{
    const struct swapchain *swapchain =
        call->result == VK_SUCCESS || call->result == VK_SUBOPTIMAL_KHR
            ? find_swapchain(call, handle)
            : NULL;
    /* The wait is for that id or a greater one: the smallest such id was presented. */
    uint64_t reached = UINT64_MAX;
    for (uint32_t i = 0; swapchain && i < PRESENT_IDS; i++) {
        uint64_t known =
            atomic_load_explicit(&swapchain->present_stamps[i].id, memory_order_acquire);
        if (known >= id && known && known < reached)
            reached = known;
    }
    reached = reached == UINT64_MAX ? id : reached;
    for (uint32_t i = 0; swapchain && i < PRESENT_IDS; i++) {
        uint64_t known =
            atomic_load_explicit(&swapchain->present_stamps[i].id, memory_order_acquire);
        if (known && known <= reached)
            submission_retire(call->device,
                              atomic_load_explicit(&swapchain->present_stamps[i].stamp,
                                                   memory_order_relaxed));
    }
}

void state_after_WaitForPresentKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                   uint64_t presentId, uint64_t timeout)
{
    learn_presented(call, swapchain, presentId);
}

void state_after_WaitForPresent2KHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                    const VkPresentWait2InfoKHR *pPresentWait2Info)
{
    learn_presented(call, swapchain, pPresentWait2Info->presentId);
}

/* Presented images belong to the presentation engine again, even if it returns an error. They do
 * not if the call could not be executed at all. */
void state_after_QueuePresentKHR_images(struct call *call, VkQueue queue,
                                        const VkPresentInfoKHR *pPresentInfo)
{
    if (call->result == VK_ERROR_OUT_OF_HOST_MEMORY ||
        call->result == VK_ERROR_OUT_OF_DEVICE_MEMORY || call->result == VK_ERROR_DEVICE_LOST)
        return;
    for (uint32_t i = 0; pPresentInfo->pSwapchains && pPresentInfo->pImageIndices &&
                         i < pPresentInfo->swapchainCount;
         i++) {
        struct swapchain *swapchain = find_swapchain(call, pPresentInfo->pSwapchains[i]);
        uint32_t index = pPresentInfo->pImageIndices[i];
        set_acquired(swapchain, index, false);
        if (swapchain)
            atomic_store_explicit(&swapchain->ever_presented, true, memory_order_relaxed);
        if (swapchain && index < SWAPCHAIN_IMAGES)
            /* The image's next acquire clears the bit. */
            atomic_fetch_or_explicit(&swapchain->given_back, 1ull << index, memory_order_relaxed);
    }
}

void state_after_ReleaseSwapchainImagesKHR(struct call *call, VkDevice device,
                                           const VkReleaseSwapchainImagesInfoKHR *pReleaseInfo)
{
    struct swapchain *swapchain =
        call->result == VK_SUCCESS ? find_swapchain(call, pReleaseInfo->swapchain) : NULL;
    for (uint32_t i = 0; pReleaseInfo->pImageIndices && i < pReleaseInfo->imageIndexCount; i++)
        set_acquired(swapchain, pReleaseInfo->pImageIndices[i], false);
}

/* --- time domains --- */

/* The number of swapchains for which time domains were retrieved. With several, an id may be from
 * another one: the specification does not say that it belongs to one swapchain. Relaxed */
static _Atomic uint32_t swapchains_with_domains;

const struct time_domain *swapchain_time_domain(const struct swapchain *swapchain, uint64_t id,
                                                bool *kept)
{
    assert(swapchain && kept);
    const uint32_t count = atomic_load_explicit(&swapchain->domain_count, memory_order_relaxed);
    *kept = count <= TIME_DOMAINS &&
            atomic_load_explicit(&swapchains_with_domains, memory_order_relaxed) == (count != 0);
    for (uint32_t i = 0; i < count && i < TIME_DOMAINS; i++) {
        const struct time_domain *known = &swapchain->domains[i];
        if (atomic_load_explicit(&known->domain, memory_order_acquire) &&
            atomic_load_explicit(&known->id, memory_order_relaxed) == id)
            return known;
    }
    return NULL;
}

void state_after_GetSwapchainTimeDomainPropertiesEXT(struct call *call, VkDevice device,
                                                     VkSwapchainKHR swapchain,
                                                     VkSwapchainTimeDomainPropertiesEXT
                                                         *pSwapchainTimeDomainProperties,
                                                     uint64_t *pTimeDomainsCounter)
{
    const VkSwapchainTimeDomainPropertiesEXT *answer = pSwapchainTimeDomainProperties;
    struct swapchain *state =
        call->result >= VK_SUCCESS ? named_swapchain(call, 0, swapchain) : NULL;
    if (!state || !answer->pTimeDomains || !answer->pTimeDomainIds)
        return;
    for (uint32_t i = 0; i < answer->timeDomainCount; i++) {
        bool kept;
        if (swapchain_time_domain(state, answer->pTimeDomainIds[i], &kept))
            continue;
        const uint32_t at =
            atomic_fetch_add_explicit(&state->domain_count, 1, memory_order_relaxed);
        if (!at)
            atomic_fetch_add_explicit(&swapchains_with_domains, 1, memory_order_relaxed);
        /* There are more than can be kept: the count shows that, and none is reported as
         * missing. */
        if (at >= TIME_DOMAINS)
            continue;
        atomic_store_explicit(&state->domains[at].id, answer->pTimeDomainIds[i],
                              memory_order_relaxed);
        atomic_store_explicit(&state->domains[at].domain, 1 + (uint32_t)answer->pTimeDomains[i],
                              /* Last, with release: a thread that sees the domain also sees its
                               * id. */
                              memory_order_release);
    }
}
