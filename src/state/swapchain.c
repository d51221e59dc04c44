/* What was a swapchain created with? */
#include "state/swapchain.h"

#include <string.h>

#include "state/hooks.h"
#include "stateless/check.h"

VkImageCreateInfo swapchain_image_info(const struct swapchain *swapchain)
{
    const VkSwapchainCreateInfoKHR *info = &swapchain->info;
    VkImageCreateFlags flags = 0;
    if (info->flags & VK_SWAPCHAIN_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT_KHR)
        flags |= VK_IMAGE_CREATE_SPLIT_INSTANCE_BIND_REGIONS_BIT;
    if (info->flags & VK_SWAPCHAIN_CREATE_PROTECTED_BIT_KHR)
        flags |= VK_IMAGE_CREATE_PROTECTED_BIT;
    if (info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR)
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

static void add_swapchain(const struct call *call, VkSwapchainKHR handle, const VkSwapchainCreateInfoKHR *info)
{
    struct object *object = created_object(call, (uint64_t)handle, HANDLE_SWAPCHAIN_KHR);
    const VkImageFormatListCreateInfo *list =
        (const void *)chain_element(info->pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
    uint32_t count = list && !pointer_is_bad(list->pViewFormats) ? list->viewFormatCount : 0;
    struct swapchain *swapchain = object_state_new(object, sizeof(*swapchain) + count * sizeof(VkFormat));
    if (!swapchain)
        return;
    swapchain->info = *info;
    swapchain->info.pNext = NULL;
    swapchain->info.pQueueFamilyIndices = NULL;
    swapchain->view_format_count = count;
    if (count)
        memcpy(swapchain->view_formats, list->pViewFormats, count * sizeof(VkFormat));
    object_state_publish(object, swapchain);
}

void state_after_CreateSwapchainKHR(struct call *call, VkDevice device, const VkSwapchainCreateInfoKHR *pCreateInfo,
                                    const VkAllocationCallbacks *pAllocator, VkSwapchainKHR *pSwapchain)
{
    add_swapchain(call, *pSwapchain, pCreateInfo);
}

void state_after_CreateSharedSwapchainsKHR(struct call *call, VkDevice device, uint32_t swapchainCount,
                                           const VkSwapchainCreateInfoKHR *pCreateInfos,
                                           const VkAllocationCallbacks *pAllocator, VkSwapchainKHR *pSwapchains)
{
    for (uint32_t i = 0; i < swapchainCount; i++)
        add_swapchain(call, pSwapchains[i], &pCreateInfos[i]);
}
