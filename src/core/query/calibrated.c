/* Checks the time domains of vkGetCalibratedTimestampsKHR (7.9 "Calibrated Timestamps"). */
#include "core/hooks.h"
#include "state/submit/queue.h"

#include "report/finding/rule.h"

/* Larger than the number of time domains that exist. */
#define DOMAINS_MOST 32

/* True for a time domain of a swapchain. The physical device does not list these. */
static bool is_of_swapchain(VkTimeDomainKHR domain)
{
    return domain == VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT ||
           domain == VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT;
}

/* Queries the physical device's time domains; the result has a bit for each. All bits are set if
 * the driver does not answer. */
static COLD uint64_t ask_domains(const struct device *device)
{
    VkTimeDomainKHR domains[DOMAINS_MOST];
    uint32_t count = DOMAINS_MOST;
    uint64_t reported = 0;
    const PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR ask =
        device->instance->dispatch.GetPhysicalDeviceCalibrateableTimeDomainsKHR;
    if (!ask || ask(device->physical_device, &count, domains) != VK_SUCCESS || !count)
        return ~ANSWER_KNOWN;
    for (uint32_t i = 0; i < count && i < DOMAINS_MOST; i++)
        reported |= (uint32_t)domains[i] < 32 ? 1ull << domains[i] : 0;
    return reported;
}

/* True if the physical device reports the domain. The driver is queried once. Domains from 32 on
 * count as reported. */
static bool is_reported(const struct device *device, VkTimeDomainKHR domain)
{
    struct device_state *state = device_state_make(device);
    uint64_t known = state ? atomic_load_explicit(&state->time_domains, memory_order_relaxed) : 0;
    if (!known) {
        known = ask_domains(device) | ANSWER_KNOWN;
        if (state)
            atomic_store_explicit(&state->time_domains, known, memory_order_relaxed);
    }
    return (uint32_t)domain >= 32 || known >> domain & 1;
}

/* Checks one of the requested time domains, and that no earlier element requests it too. */
static void calibrated_check_info(struct subject *s, const VkCalibratedTimestampInfoKHR *infos,
                                  uint32_t at)
{
    const VkTimeDomainKHR domain = infos[at].timeDomain;
    const VkSwapchainCalibratedTimestampInfoEXT *of =
        CHAINED(infos[at].pNext, SWAPCHAIN_CALIBRATED_TIMESTAMP_INFO_EXT);
    /* timeDomain must be one of the VkTimeDomainKHR values returned by
     * vkGetPhysicalDeviceCalibrateableTimeDomainsKHR */
    REQUIRE(s, RULE_02354, is_of_swapchain(domain) || is_reported(s->call->device, domain),
            "timeDomain", "is %s, which the physical device does not report",
            TEXT_OF(VkTimeDomainKHR, domain));
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
        calibrated_check_info(&s, pTimestampInfos, i);
        skip |= s.skip;
    }
    return skip;
}
