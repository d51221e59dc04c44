/* Checks which clocks vkGetCalibratedTimestampsKHR is asked for (7.9 "Calibrated Timestamps"). */
#include "core/hooks.h"
#include "core/rule.h"

/* More domains than there are. */
#define DOMAINS_MOST 32

/* Those of a swapchain are not among what the physical device reports. */
static bool is_of_swapchain(VkTimeDomainKHR domain)
{
    return domain == VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT ||
           domain == VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT;
}

/* True where the driver does not say. */
static bool is_reported(const struct call *call, VkTimeDomainKHR domain)
{
    VkTimeDomainKHR domains[DOMAINS_MOST];
    uint32_t count = DOMAINS_MOST;
    const PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR ask =
        call->instance->dispatch.GetPhysicalDeviceCalibrateableTimeDomainsKHR;
    if (!ask || ask(call->device->physical_device, &count, domains) != VK_SUCCESS || !count)
        return true;
    for (uint32_t i = 0; i < count; i++) {
        if (domains[i] == domain)
            return true;
    }
    return false;
}

static void check_info(struct subject *s, const VkCalibratedTimestampInfoKHR *infos, uint32_t at)
{
    const VkTimeDomainKHR domain = infos[at].timeDomain;
    const VkSwapchainCalibratedTimestampInfoEXT *of =
        CHAINED(infos[at].pNext, SWAPCHAIN_CALIBRATED_TIMESTAMP_INFO_EXT);
    /* timeDomain must be one of the VkTimeDomainKHR values returned by
     * vkGetPhysicalDeviceCalibrateableTimeDomainsKHR */
    REQUIRE(s, RULE_02354, is_of_swapchain(domain) || is_reported(s->call, domain), "timeDomain",
            "is %s, which the physical device does not report", TEXT_OF(VkTimeDomainKHR, domain));
    /* The timeDomain value of each VkCalibratedTimestampInfoKHR in pTimestampInfos must be unique
     * except for those with a value of VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT */
    for (uint32_t i = 0; i < at && domain != VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT; i++) {
        if (unlikely(infos[i].timeDomain == domain)) {
            BROKEN(s, RULE_09246, "timeDomain", "is %s, as that of element %u is",
                   TEXT_OF(VkTimeDomainKHR, domain), i);
            break;
        }
    }
    /* ... presentStage must specify one and only one present stage */
    const VkPresentStageFlagsEXT stages = of ? of->presentStage : 0;
    if (of && domain == VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT)
        REQUIRE(s, RULE_12228, stages && !(stages & (stages - 1)),
                &LOCATION(&LOCATION_CHAINED(s->where, "VkSwapchainCalibratedTimestampInfoEXT"),
                          "presentStage"),
                "is %s, where one stage is meant", TEXT_OF(VkPresentStageFlagsEXT, stages));
}

bool core_validate_GetCalibratedTimestampsKHR(struct call *call, VkDevice device,
                                              uint32_t timestampCount,
                                              const VkCalibratedTimestampInfoKHR *pTimestampInfos,
                                              uint64_t *pTimestamps, uint64_t *pMaxDeviation)
{
    bool skip = false;
    for (uint32_t i = 0; !pointer_is_bad(pTimestampInfos) && i < timestampCount; i++) {
        struct subject s = {.call = call, .where = &LOCATION_INDEX(NULL, "pTimestampInfos", i)};
        check_info(&s, pTimestampInfos, i);
        skip |= s.skip;
    }
    return skip;
}
