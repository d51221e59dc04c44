/* Checks that an image may be acquired, presented and released (34.10 "WSI Swapchain"). The
 * semaphores and fences of these commands are checked in other files. */
#include "core/hooks.h"
#include "core/wsi/surface.h"
#include "report/finding/fix.h"
#include "report/names/names_of_values.h"
#include "state/memory/image.h"
#include "state/memory/image_layout.h"
#include "state/submit/queue.h"
#include "state/wsi/swapchain.h"
#include "vk/chain.h"

#include "report/finding/rule.h"

static bool is_retired(const struct swapchain *swapchain)
{
    return atomic_load_explicit(&swapchain->retired, memory_order_relaxed);
}

/* The number of images that the program has acquired. */
static uint32_t acquired_count(const struct swapchain *swapchain)
{
    return (uint32_t)__builtin_popcountll(atomic_load_explicit(&swapchain->acquired,
                                                               memory_order_relaxed));
}

/* --- acquire ---------------------------------------------------------------------------------- */

/* True if an acquire with an endless timeout is allowed, or that is not known. Otherwise "forward
 * progress cannot be guaranteed": the program has too many images. `*count`: the swapchain's
 * images; `*least`: the surface's minImageCount. */
static bool can_wait_forever(const struct call *call, struct swapchain *swapchain, uint32_t *count,
                             uint32_t *least)
{
    assert(count && least);
    const struct object *object = object_find_id(swapchain->surface, HANDLE_SURFACE_KHR);
    if (!object || !acquired_count(swapchain) || swapchain->has_modes ||
        swapchain_is_shared(swapchain))
        return true;
    const struct surface surface = {call->instance, call->device->physical_device,
                                    (VkSurfaceKHR)object_driver(object)};
    VkSurfaceCapabilities2KHR capabilities = {.sType =
                                                  VK_STRUCTURE_TYPE_SURFACE_CAPABILITIES_2_KHR};
    if (surface_has_maintenance(call->instance)
            ? !surface_capabilities2(&surface, swapchain->info.presentMode, &capabilities)
            : !surface_capabilities(&surface, &capabilities.surfaceCapabilities))
        return true;
    *count = swapchain_image_count(call->device, swapchain);
    *least = capabilities.surfaceCapabilities.minImageCount;
    return !*count || *count > SWAPCHAIN_IMAGES || acquired_count(swapchain) + *least <= *count;
}

/* Checks an acquire from a swapchain, which must not be retired. An endless timeout requires that
 * an image becomes available. True: the call is to be skipped. */
static bool check_acquire(struct call *call, VkSwapchainKHR handle, uint64_t timeout,
                          enum rule retired, enum rule progress, const struct location *where)
{
    struct swapchain *swapchain = find_swapchain(call, handle);
    const struct finding_objects *objects = OBJECT(HANDLE_SWAPCHAIN_KHR, handle);
    uint32_t count = 0, least = 0;
    struct subject s = {.call = call, .where = where, .objects = objects};
    if (!swapchain)
        return s.skip;
    /* swapchain must not be in the retired state */
    REQUIRE(&s, retired, !is_retired(swapchain), "swapchain",
            "is retired: it was the oldSwapchain of another swapchain");
    /* If forward progress cannot be guaranteed for the surface used to create the swapchain,
     * timeout must not be UINT64_MAX */
    REQUIRE(&s, progress,
            timeout != UINT64_MAX || can_wait_forever(call, swapchain, &count, &least), "timeout",
            "is UINT64_MAX, but %u of the %u images are acquired already, and the surface's "
            "minImageCount is %u: it could wait forever",
            acquired_count(swapchain), count, least);
    return s.skip;
}

bool core_validate_AcquireNextImageKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                       uint64_t timeout, VkSemaphore semaphore, VkFence fence,
                                       uint32_t *pImageIndex)
{
    return check_acquire(call, swapchain, timeout, RULE_01285, RULE_07783, NULL);
}

bool core_validate_AcquireNextImage2KHR(struct call *call, VkDevice device,
                                        const VkAcquireNextImageInfoKHR *pAcquireInfo,
                                        uint32_t *pImageIndex)
{
    const VkAcquireNextImageInfoKHR *info = pAcquireInfo;
    const struct location *where = &LOCATION_POINTER(NULL, "pAcquireInfo");
    return check_acquire(call, info->swapchain, info->timeout, RULE_01675, RULE_07784, where);
}

bool core_validate_ReleaseSwapchainImagesKHR(struct call *call, VkDevice device,
                                             const VkReleaseSwapchainImagesInfoKHR *pReleaseInfo)
{
    struct swapchain *swapchain = find_swapchain(call, pReleaseInfo->swapchain);
    const struct location *where = &LOCATION_POINTER(NULL, "pReleaseInfo");
    struct subject s = {.call = call};
    /* Each element of pImageIndices must be the index of a presentable image acquired from the
     * swapchain specified by swapchain */
    for (uint32_t i = 0;
         swapchain && pReleaseInfo->pImageIndices && i < pReleaseInfo->imageIndexCount; i++)
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, pReleaseInfo->swapchain), RULE_07785,
                   swapchain_image_is_acquired(swapchain, pReleaseInfo->pImageIndices[i]),
                   &LOCATION_INDEX(where, "pImageIndices", i),
                   "is %u, but that image is not acquired", pReleaseInfo->pImageIndices[i]);
    return s.skip;
}

/* --- present ---------------------------------------------------------------------------------- */

/* Checks that image `i` of a present is acquired, and is in a layout for presents. */
static bool present_check_image(const struct call *call, const VkPresentInfoKHR *info, uint32_t i,
                                const struct location *where)
{
    assert(i < info->swapchainCount);
    const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
    uint32_t index = info->pImageIndices[i];
    const struct location *element = &LOCATION_INDEX(where, "pImageIndices", i);
    const struct finding_objects *objects = OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]);
    struct layout_mismatch mismatch;
    /* a submission that the layer could not follow may have left the image in the right layout */
    if (!swapchain || swapchain_is_shared(swapchain) || mem_failures())
        return false;
    /* Each element of pImageIndices must be the index of a presentable image acquired from the
     * swapchain ... */
    if (!swapchain_image_is_acquired(swapchain, index))
        return BROKEN_BY(call, RULE_01430, element, objects,
                         "is %u, but that image is not acquired", index);
    /* ... and the presented image subresource must be in the VK_IMAGE_LAYOUT_PRESENT_SRC_KHR or
     * VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR layout */
    struct image *image = swapchain_find_image(swapchain, index);
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                                           VK_REMAINING_ARRAY_LAYERS};
    if (!image ||
        !image_layout_differs(image, &range, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, &mismatch) ||
        !image_layout_differs(image, &range, VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR, &mismatch))
        return false;
    return finding_with_fix(call, RULE(call, 01430), element,
                            OBJECT2(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i], HANDLE_IMAGE,
                                    object_state_handle(&image->base)),
                            "let the last submission that writes the image leave it in "
                            "VK_IMAGE_LAYOUT_PRESENT_SRC_KHR: by the finalLayout of its render "
                            "pass, or by an image barrier",
                            "is %u, but that image is in %s, not in "
                            "VK_IMAGE_LAYOUT_PRESENT_SRC_KHR",
                            index, value_text(VALUES_VkImageLayout, (uint64_t)mismatch.found).text);
}

/* Checks that each swapchain is presented once, that the queue supports its surface, and that all
 * or none of the swapchains have present modes. */
static bool check_swapchains(const struct call *call, const VkPresentInfoKHR *info,
                             const struct location *where)
{
    const struct queue *queue = call->object ? call->object->state : NULL;
    uint32_t with_modes = 0, known = 0;
    struct subject s = {.call = call, .where = where};
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        const struct location *element = &LOCATION_INDEX(where, "pSwapchains", i);
        /* Elements of pSwapchain must be unique */
        for (uint32_t j = 0; j < i; j++)
            REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_09231,
                       info->pSwapchains[i] != info->pSwapchains[j], element,
                       "is the same swapchain as element %u", j);
        if (!swapchain)
            continue;
        known++;
        with_modes += swapchain->has_modes;
        if (!queue)
            continue;
        /* ... a swapchain that is created for a surface for which presentation is supported from
         * queue */
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_01292,
                   swapchain_supports_queue_family(swapchain, queue->family), element,
                   "is of a surface that queue family %u cannot present to", queue->family);
    }
    /* If any element of the pSwapchains array has been created with
     * VkSwapchainPresentModesCreateInfoKHR, all of the elements must be */
    REQUIRE(&s, RULE_09199, !with_modes || with_modes == known, "pSwapchains",
            "has %u swapchains that were created with "
            "VkSwapchainPresentModesCreateInfoKHR, and %u that were not",
            with_modes, known - with_modes);
    return s.skip;
}

/* Checks the count of a chained structure that has an element for each swapchain. */
static bool present_check_count(const struct call *call, enum rule rule, uint32_t count,
                                const VkPresentInfoKHR *info, const struct location *where)
{
    struct subject s = {.call = call, .where = where};
    REQUIRE(&s, rule, count == info->swapchainCount, "swapchainCount",
            "is %u, but pPresentInfo->swapchainCount is %u", count, info->swapchainCount);
    return s.skip;
}

/* Checks both structures with present ids: their counts, and that the feature or the swapchain
 * allows ids. */
static bool check_ids(const struct call *call, const VkPresentInfoKHR *info,
                      const struct location *where)
{
    const VkPresentIdKHR *ids = chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
    const VkPresentId2KHR *ids2 = chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR);
    const struct location *chained = &LOCATION_CHAINED(where, "VkPresentIdKHR"),
                          *chained2 = &LOCATION_CHAINED(where, "VkPresentId2KHR");
    struct subject s = {.call = call};
    if (ids) {
        s.skip |= present_check_count(call, RULE_04998, ids->swapchainCount, info, chained);
        /* ... and the presentId feature is not enabled, each presentIds entry in that structure
         * must be NULL */
        for (uint32_t i = 0; !device_has_feature(call->device, FEATURE_presentId) &&
                             !pointer_is_bad(ids->pPresentIds) && i < ids->swapchainCount;
             i++)
            REQUIRE(&s, RULE_06235, !ids->pPresentIds[i],
                    &LOCATION_INDEX(chained, "pPresentIds", i),
                    "is %llu, but the feature presentId is not enabled",
                    (unsigned long long)ids->pPresentIds[i]);
    }
    if (!ids2)
        return s.skip;
    s.skip |= present_check_count(call, RULE_10818, ids2->swapchainCount, info, chained2);
    for (uint32_t i = 0;
         !pointer_is_bad(ids2->pPresentIds) && i < ids2->swapchainCount && i < info->swapchainCount;
         i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        const struct location *element = &LOCATION_INDEX(chained2, "pPresentIds", i);
        if (!ids2->pPresentIds[i])
            continue;
        /* If the pNext chain includes a VkPresentId2KHR, and the presentId2 feature is not enabled,
         * each presentIds entry in that structure must be zero */
        REQUIRE(&s, RULE_10821, device_has_feature(call->device, FEATURE_presentId2), element,
                "is %llu, but the feature presentId2 is not enabled",
                (unsigned long long)ids2->pPresentIds[i]);
        /* The swapchain must have been created with VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR */
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_10820,
                   !swapchain || swapchain->info.flags & VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR ||
                       !device_has_feature(call->device, FEATURE_presentId2),
                   element,
                   "is %llu, but the swapchain was created without "
                   "VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR",
                   (unsigned long long)ids2->pPresentIds[i]);
        /* presentId2Supported must be VK_TRUE for the surface */
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_10822,
                   !swapchain || !swapchain->presents.known || swapchain->presents.id_2 ||
                       !(swapchain->info.flags & VK_SWAPCHAIN_CREATE_PRESENT_ID_2_BIT_KHR),
                   element, "is %llu, but presentId2Supported of the surface is VK_FALSE",
                   (unsigned long long)ids2->pPresentIds[i]);
    }
    return s.skip;
}

/* Checks that each swapchain was created with the mode in which it is to be presented. */
static bool check_modes(const struct call *call, const VkPresentInfoKHR *info,
                        const struct location *where)
{
    const VkSwapchainPresentModeInfoKHR *modes =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_KHR);
    const struct location *chained = &LOCATION_CHAINED(where, "VkSwapchainPresentModeInfoKHR");
    struct subject s = {.call = call};
    s.skip |=
        modes ? present_check_count(call, RULE_07760, modes->swapchainCount, info, chained) : false;
    for (uint32_t i = 0; modes && !pointer_is_bad(modes->pPresentModes) &&
                         i < modes->swapchainCount && i < info->swapchainCount;
         i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        bool listed = !swapchain || swapchain->mode_count == SWAPCHAIN_MODES;
        for (uint32_t j = 0; !listed && j < swapchain->mode_count; j++)
            listed = swapchain->modes[j] == modes->pPresentModes[i];
        /* Each entry in pPresentModes must be a presentation mode specified in
         * VkSwapchainPresentModesCreateInfoKHR::pPresentModes */
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_07761, listed,
                   &LOCATION_INDEX(chained, "pPresentModes", i),
                   "is %s, which the swapchain was not created with "
                   "(VkSwapchainPresentModesCreateInfoKHR)",
                   value_text(VALUES_VkPresentModeKHR, (uint64_t)modes->pPresentModes[i]).text);
    }
    return s.skip;
}

/* Checks that each rectangle of VkPresentRegionsKHR lies in its swapchain's images and names one of
 * their layers. Extents are not compared if the images are rotated. */
static bool check_regions(const struct call *call, const VkPresentInfoKHR *info,
                          const struct location *where)
{
    const VkPresentRegionsKHR *regions =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR);
    const struct location *chained = &LOCATION_CHAINED(where, "VkPresentRegionsKHR");
    struct subject s = {.call = call};
    s.skip |= regions
                  ? present_check_count(call, RULE_01260, regions->swapchainCount, info, chained)
                  : false;
    for (uint32_t i = 0; regions && !pointer_is_bad(regions->pRegions) &&
                         i < regions->swapchainCount && i < info->swapchainCount;
         i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        const VkPresentRegionKHR *region = &regions->pRegions[i];
        bool turned =
            swapchain && !(swapchain->info.preTransform & (VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR |
                                                           VK_SURFACE_TRANSFORM_INHERIT_BIT_KHR));
        for (uint32_t j = 0;
             swapchain && !pointer_is_bad(region->pRectangles) && j < region->rectangleCount; j++) {
            const VkRectLayerKHR *rect = &region->pRectangles[j];
            const struct location *element =
                &LOCATION_INDEX(&LOCATION_INDEX(chained, "pRegions", i), "pRectangles", j);
            const VkExtent2D whole = swapchain->info.imageExtent;
            /* The sum of offset and extent, after being transformed according to preTransform, must
             * be no greater than the imageExtent */
            REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_04864,
                       turned || (rect->offset.x >= 0 && rect->offset.y >= 0 &&
                                  (uint64_t)rect->offset.x + rect->extent.width <= whole.width &&
                                  (uint64_t)rect->offset.y + rect->extent.height <= whole.height),
                       element, "is (%d, %d) + %ux%u, but the swapchain's images are %ux%u",
                       rect->offset.x, rect->offset.y, rect->extent.width, rect->extent.height,
                       whole.width, whole.height);
            /* layer must be less than the imageArrayLayers member of the VkSwapchainCreateInfoKHR
             * structure */
            REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_01262,
                       rect->layer < swapchain->info.imageArrayLayers, &LOCATION(element, "layer"),
                       "is %u, but the swapchain's imageArrayLayers is %u", rect->layer,
                       swapchain->info.imageArrayLayers);
        }
    }
    return s.skip;
}

/* The swapchain's current present mode; VK_PRESENT_MODE_MAX_ENUM_KHR: not known. */
static VkPresentModeKHR current_mode(const VkPresentInfoKHR *info,
                                     const struct swapchain *swapchain, uint32_t i)
{
    const VkSwapchainPresentModeInfoKHR *modes =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_KHR);
    if (!swapchain->has_modes)
        return swapchain->info.presentMode;
    return modes && !pointer_is_bad(modes->pPresentModes) && i < modes->swapchainCount
               ? modes->pPresentModes[i]
               : VK_PRESENT_MODE_MAX_ENUM_KHR;
}

/* Checks the time domain of a present. It has no effect if neither a time nor results are
 * requested. */
static void check_time_domain(struct subject *s, const struct swapchain *swapchain,
                              const VkPresentTimingInfoEXT *timing)
{
    bool kept;
    const struct time_domain *known = swapchain_time_domain(swapchain, timing->timeDomainId, &kept);
    if (!timing->targetTime && !timing->presentStageQueries)
        return;
    REQUIRE(s, RULE_12400, known || !kept, "timeDomainId",
            "is %llu, which vkGetSwapchainTimeDomainPropertiesEXT has not answered for the "
            "swapchain",
            (unsigned long long)timing->timeDomainId);
    if (!known || !timing->targetTime ||
        atomic_load_explicit(&known->domain, memory_order_relaxed) !=
            1 + (uint32_t)VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT)
        return;
    const VkPresentStageFlagsEXT stage = timing->targetTimeDomainPresentStage;
    REQUIRE(s, RULE_12238, stage && !(stage & (stage - 1)), "targetTimeDomainPresentStage",
            "is %s, not one stage, but timeDomainId is of "
            "VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT",
            TEXT_OF(VkPresentStageFlagsEXT, stage));
}

/* Checks the timing with which one swapchain is to be presented. An unknown swapchain is not
 * checked. */
static bool check_timing(const struct call *call, const VkPresentInfoKHR *info, uint32_t i,
                         const VkPresentTimingInfoEXT *timing, const struct location *where)
{
    assert(i < info->swapchainCount);
    const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
    struct subject s = {.call = call,
                        .where = where,
                        .objects = OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i])};
    if (!swapchain)
        return false;
    /* All swapchains must have been created with VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT */
    const bool has_flag = swapchain->info.flags & VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT;
    REQUIRE(&s, RULE_12234, has_flag, where,
            "is of a swapchain that was created without "
            "VK_SWAPCHAIN_CREATE_PRESENT_TIMING_BIT_EXT");
    if (!has_flag)
        return s.skip;
    check_time_domain(&s, swapchain, timing);
    if (!timing->targetTime)
        return s.skip;
    const VkPresentModeKHR mode = current_mode(info, swapchain, i);
    REQUIRE(&s, RULE_12235,
            mode == VK_PRESENT_MODE_FIFO_LATEST_READY_KHR || mode == VK_PRESENT_MODE_FIFO_KHR ||
                mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR || mode == VK_PRESENT_MODE_MAX_ENUM_KHR,
            "targetTime", "is %llu, but the swapchain's present mode is %s",
            (unsigned long long)timing->targetTime, TEXT_OF(VkPresentModeKHR, mode));
    const bool relative = timing->flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT;
    const bool enabled =
        subject_has(&s, relative ? FEATURE_presentAtRelativeTime : FEATURE_presentAtAbsoluteTime);
    REQUIRE(&s, relative ? RULE_12237 : RULE_12236, enabled, "targetTime",
            "is %llu, but the feature %s is not enabled", (unsigned long long)timing->targetTime,
            relative ? "presentAtRelativeTime" : "presentAtAbsoluteTime");
    if (enabled && swapchain->presents.known)
        REQUIRE(&s, relative ? RULE_12237 : RULE_12236,
                relative ? swapchain->presents.relative_time : swapchain->presents.absolute_time,
                "targetTime", "is %llu, but %s of the surface is VK_FALSE",
                (unsigned long long)timing->targetTime,
                relative ? "presentAtRelativeTimeSupported" : "presentAtAbsoluteTimeSupported");
    return s.skip;
}

/* Checks VkPresentTimingsInfoEXT, which has an element for each swapchain, if it is in the
 * chain. */
static bool check_timings(const struct call *call, const VkPresentInfoKHR *info,
                          const struct location *where)
{
    const VkPresentTimingsInfoEXT *timings =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT);
    const struct location *chained = &LOCATION_CHAINED(where, "VkPresentTimingsInfoEXT");
    if (likely(!timings))
        return false;
    bool skip = present_check_count(call, RULE_12233, timings->swapchainCount, info, chained);
    for (uint32_t i = 0; !pointer_is_bad(timings->pTimingInfos) && i < timings->swapchainCount &&
                         i < info->swapchainCount;
         i++)
        skip |= check_timing(call, info, i, &timings->pTimingInfos[i],
                             &LOCATION_INDEX(chained, "pTimingInfos", i));
    return skip;
}

/* VkDisplayPresentInfoKHR: srcRect must specify a region that is a subset of the image */
static bool check_display(const struct call *call, const VkPresentInfoKHR *info,
                          const struct location *where)
{
    const VkDisplayPresentInfoKHR *display =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DISPLAY_PRESENT_INFO_KHR);
    struct subject s = {.call = call, .where = &LOCATION_CHAINED(where, "VkDisplayPresentInfoKHR")};
    for (uint32_t i = 0; display && i < info->swapchainCount; i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        const VkRect2D rect = display->srcRect;
        if (!swapchain)
            continue;
        const VkExtent2D whole = swapchain->info.imageExtent;
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_01257,
                   rect.offset.x >= 0 && rect.offset.y >= 0 &&
                       (uint64_t)rect.offset.x + rect.extent.width <= whole.width &&
                       (uint64_t)rect.offset.y + rect.extent.height <= whole.height,
                   "srcRect", "is (%d, %d) + %ux%u, but the swapchain's images are %ux%u",
                   rect.offset.x, rect.offset.y, rect.extent.width, rect.extent.height, whole.width,
                   whole.height);
    }
    return s.skip;
}

/* Checks a device mask of a present against what the devices of the group can present to. */
static void check_presents(struct subject *s, const VkDeviceGroupPresentCapabilitiesKHR *can,
                           VkDeviceGroupPresentModeFlagBitsKHR mode, uint32_t mask,
                           const struct location *where)
{
    bool together = false;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < VK_MAX_DEVICE_GROUP_SIZE; i++) {
        together |= can->presentMask[i] && !(mask & ~can->presentMask[i]);
        missing |= mask >> i & 1 && !can->presentMask[i] ? 1u << i : 0;
    }
    /* If mode is SUM, then each element of pDeviceMasks must have a value for which all set bits
     * are set in one of the elements of presentMask */
    if (mode == VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR)
        REQUIRE(s, RULE_01300, !mask || together, where,
                "is %#x, but no element of presentMask of the device group has all of these bits",
                mask);
    /* If mode is LOCAL_MULTI_DEVICE, then for each bit set in each element of pDeviceMasks, the
     * corresponding element of presentMask must be non-zero */
    else
        REQUIRE(s, RULE_01301, !missing, where,
                "is %#x, but the device group's presentMask is 0 for the devices %#x", mask,
                missing);
}

/* Checks the device masks of a present. */
static bool check_masks(const struct call *call, const VkPresentInfoKHR *info,
                        const VkDeviceGroupPresentInfoKHR *group, const struct location *chained)
{
    const bool local = group->mode == VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR,
               remote = group->mode == VK_DEVICE_GROUP_PRESENT_MODE_REMOTE_BIT_KHR,
               several = group->mode == VK_DEVICE_GROUP_PRESENT_MODE_SUM_BIT_KHR ||
                         group->mode == VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_MULTI_DEVICE_BIT_KHR;
    struct subject s = {.call = call};
    VkDeviceGroupPresentCapabilitiesKHR can = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_CAPABILITIES_KHR};
    const bool known =
        several && call->device->dispatch.GetDeviceGroupPresentCapabilitiesKHR &&
        call->device->dispatch.GetDeviceGroupPresentCapabilitiesKHR(call->device->handle, &can) ==
            VK_SUCCESS;
    for (uint32_t i = 0; i < group->swapchainCount && i < info->swapchainCount; i++) {
        const uint32_t mask = group->pDeviceMasks[i], index = info->pImageIndices[i];
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        const uint32_t acquired =
            swapchain && index < SWAPCHAIN_IMAGES
                ? atomic_load_explicit(&swapchain->acquired_for[index], memory_order_relaxed)
                : 0;
        const struct location where = LOCATION_INDEX(chained, "pDeviceMasks", i);
        /* If mode is LOCAL (REMOTE), then each element of pDeviceMasks must have exactly one bit
         * set */
        REQUIRE(&s, local ? RULE_01298 : RULE_01299,
                (!local && !remote) || __builtin_popcount(mask) == 1, &where,
                "is %#x, but with %s it must have exactly one bit", mask,
                value_text(VALUES_VkDeviceGroupPresentModeFlagsKHR, group->mode).text);
        if (known)
            check_presents(&s, &can, group->mode, mask, &where);
        /* The value of each element of pDeviceMasks must be equal to the device mask passed in
         * VkAcquireNextImageInfoKHR::deviceMask when the image index was last acquired */
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_01302,
                   !acquired || acquired == mask, &where,
                   "is %#x, but image %u was acquired with the deviceMask %#x", mask, index,
                   acquired);
    }
    return s.skip;
}

/* Checks all structures in the chain of VkPresentInfoKHR. */
static bool check_present_chain(const struct call *call, const VkPresentInfoKHR *info,
                                const struct location *where)
{
    const VkSwapchainPresentFenceInfoKHR *fences =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_KHR);
    const VkDeviceGroupPresentInfoKHR *group =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_DEVICE_GROUP_PRESENT_INFO_KHR);
    const VkPresentTimesInfoGOOGLE *times =
        chain_find(info->pNext, VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE);
    struct subject s = {.call = call, .where = where};
    s.skip |= check_ids(call, info, where);
    s.skip |= check_modes(call, info, where);
    s.skip |= check_regions(call, info, where);
    s.skip |= check_timings(call, info, where);
    s.skip |= check_display(call, info, where);
    if (fences) {
        s.skip |= present_check_count(call, RULE_07757, fences->swapchainCount, info,
                                      &LOCATION_CHAINED(where, "VkSwapchainPresentFenceInfoKHR"));
    }
    if (times)
        s.skip |= present_check_count(call, RULE_01247, times->swapchainCount, info,
                                      &LOCATION_CHAINED(where, "VkPresentTimesInfoGOOGLE"));
    if (!group)
        return s.skip;
    const struct location *chained = &LOCATION_CHAINED(where, "VkDeviceGroupPresentInfoKHR");
    /* swapchainCount must equal 0 or VkPresentInfoKHR::swapchainCount */
    if (group->swapchainCount)
        s.skip |= present_check_count(call, RULE_01297, group->swapchainCount, info, chained);
    /* mode must have exactly one bit set, and that bit must have been included in
     * VkDeviceGroupSwapchainCreateInfoKHR::modes */
    for (uint32_t i = 0; i < info->swapchainCount; i++) {
        const struct swapchain *swapchain = find_swapchain(call, info->pSwapchains[i]);
        if (swapchain)
            REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, info->pSwapchains[i]), RULE_01303,
                       !(group->mode & ~swapchain->group_modes), &LOCATION(chained, "mode"),
                       "is %s, but pSwapchains[%u] was created with the modes %s",
                       value_text(VALUES_VkDeviceGroupPresentModeFlagsKHR, group->mode).text, i,
                       value_text(VALUES_VkDeviceGroupPresentModeFlagsKHR, swapchain->group_modes)
                           .text);
    }
    if (!pointer_is_bad(group->pDeviceMasks))
        s.skip |= check_masks(call, info, group, chained);
    return s.skip;
}

bool core_validate_QueuePresentKHR(struct call *call, VkQueue queue,
                                   const VkPresentInfoKHR *pPresentInfo)
{
    const struct location *where = &LOCATION_POINTER(NULL, "pPresentInfo");
    if (!call->device || pointer_is_bad(pPresentInfo->pSwapchains) ||
        pointer_is_bad(pPresentInfo->pImageIndices))
        return false;
    bool skip = check_swapchains(call, pPresentInfo, where);
    for (uint32_t i = 0; i < pPresentInfo->swapchainCount; i++)
        skip |= present_check_image(call, pPresentInfo, i, where);
    return pPresentInfo->pNext ? skip | check_present_chain(call, pPresentInfo, where) : skip;
}

/* --- the surface's end ------------------------------------------------------------------------ */

/* The search for another swapchain of a surface. */
struct swapchain_search {
    uint64_t surface;           /* id */
    const struct object *found; /* found swapchain; NULL: none so far */
};

/* Notes another swapchain of the surface. object_for_each_owned() calls it. `context`: struct
 * swapchain_search. */
static void compare_surface(struct object *object, void *context)
{
    struct swapchain_search *search = context;
    const struct swapchain *swapchain = object_load_state_typed(object, HANDLE_SWAPCHAIN_KHR);
    if (swapchain && swapchain->surface == search->surface)
        search->found = object;
}

/* Searches one device of the instance for a swapchain of the surface. object_for_each_device()
 * calls it. */
static void search_device(struct object *device, void *context)
{
    const struct device *owner = device_of(device);
    if (owner)
        object_for_each_owned(owner->owner, compare_surface, context);
}

bool core_validate_DestroySurfaceKHR(struct call *call, VkInstance instance, VkSurfaceKHR surface,
                                     const VkAllocationCallbacks *pAllocator)
{
    const struct object *object = call_find(call, (uint64_t)surface, HANDLE_SURFACE_KHR);
    if (!object || !call->object)
        return false;
    struct swapchain_search search = {.surface =
                                          atomic_load_explicit(&object->id, memory_order_relaxed)};
    object_for_each_device(call->object, search_device, &search);
    struct subject s = {.call = call};
    /* All VkSwapchainKHR objects created for surface must have been destroyed prior to destroying
     * surface */
    REQUIRE_OF(&s,
               OBJECT2(HANDLE_SURFACE_KHR, surface, HANDLE_SWAPCHAIN_KHR,
                       object_handle(search.found)),
               RULE_01266, !search.found, "surface", "has a swapchain that is not destroyed");
    return s.skip;
}

bool core_validate_WaitForPresentKHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                     uint64_t presentId, uint64_t timeout)
{
    const struct swapchain *state = named_swapchain(call, 0, swapchain);
    struct subject s = {.call = call};
    /* swapchain must not be in the retired state */
    REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, swapchain), RULE_04997,
               !state || !is_retired(state), "swapchain",
               "is retired: it was the oldSwapchain of another swapchain");
    return s.skip;
}

bool core_validate_WaitForPresent2KHR(struct call *call, VkDevice device, VkSwapchainKHR swapchain,
                                      const VkPresentWait2InfoKHR *pPresentWait2Info)
{
    const struct swapchain *state = named_swapchain(call, 0, swapchain);
    struct subject s = {.call = call};
    if (!device_has_feature(call->device, FEATURE_presentWait2))
        return false;
    /* The swapchain must have been created with VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR */
    REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, swapchain), RULE_10816,
               !state || state->info.flags & VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR,
               "swapchain", "was created without VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR");
    /* The surface capability must be present for the underlying surface */
    if (state && state->presents.known &&
        state->info.flags & VK_SWAPCHAIN_CREATE_PRESENT_WAIT_2_BIT_KHR)
        REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, swapchain), RULE_10815, state->presents.wait_2,
                   "swapchain", "is of a surface whose presentWait2Supported is VK_FALSE");
    return s.skip;
}

/* --- timing ----------------------------------------------------------------------------------- */

bool core_validate_GetSwapchainCounterEXT(struct call *call, VkDevice device,
                                          VkSwapchainKHR swapchain,
                                          VkSurfaceCounterFlagBitsEXT counter,
                                          uint64_t *pCounterValue)
{
    const struct swapchain *state = named_swapchain(call, 0, swapchain);
    struct subject s = {.call = call};
    REQUIRE_OF(&s, OBJECT(HANDLE_SWAPCHAIN_KHR, swapchain), RULE_01245,
               !state || atomic_load_explicit(&state->ever_presented, memory_order_relaxed),
               "swapchain", "has never been presented to");
    return s.skip;
}

bool core_validate_GetSwapchainTimeDomainPropertiesEXT(struct call *call, VkDevice device,
                                                       VkSwapchainKHR swapchain,
                                                       VkSwapchainTimeDomainPropertiesEXT
                                                           *pSwapchainTimeDomainProperties,
                                                       uint64_t *pTimeDomainsCounter)
{
    const VkSwapchainTimeDomainPropertiesEXT *asked = pSwapchainTimeDomainProperties;
    struct subject s = {.call = call,
                        .where = &LOCATION_POINTER(NULL, "pSwapchainTimeDomainProperties")};
    /* pTimeDomains and pTimeDomainIds must both be NULL or both not be NULL */
    REQUIRE(&s, STOPS(RULE_12370), !asked->pTimeDomains == !asked->pTimeDomainIds, "pTimeDomains",
            "is %sNULL, but pTimeDomainIds is %sNULL", asked->pTimeDomains ? "not " : "",
            asked->pTimeDomainIds ? "not " : "");
    REQUIRE(&s, RULE_12371,
            !asked->pTimeDomains || !asked->pTimeDomainIds || asked->timeDomainCount,
            "timeDomainCount", "is 0, but pTimeDomains and pTimeDomainIds are not NULL");
    return s.skip;
}
