/* Finds the rule that a mask of stages or accesses breaks, and writes the finding. */
#include "core/barrier/stages.h"

#include "report/finding/rule.h"
#include "report/names/names_of_values.h"

/* True if the stage's extension, or one of its features, is enabled. */
static bool is_enabled(const struct call *call, const struct stage_feature_rule *rule)
{
    for (uint32_t i = 0; i < ARRAY_LENGTH(rule->features) && rule->features[i] != FEATURE_COUNT;
         i++) {
        if (device_has_feature(call->device, (enum feature)rule->features[i]))
            return true;
    }
    return rule->extension != EXTENSION_COUNT &&
           call_has_extension(call, (enum extension)rule->extension);
}

bool stages_report_features(const struct call *call, enum mask_place place,
                            VkPipelineStageFlags2 stages, const struct location *where)
{
    assert(place < MASK_PLACE_COUNT && stages & STAGES_WITH_FEATURES);
    struct subject s = {.call = call};
    for (uint32_t i = 0; i < STAGE_FEATURE_RULES; i++) {
        const struct stage_feature_rule *rule = &stage_feature_rules[i];
        enum vuid vuid = stage_feature_vuid(place, i);
        if (!(stages & rule->stages) || vuid == VUID_COUNT || is_enabled(call, rule))
            continue;
        BROKEN(&s, vuid, where,
               "includes %s, but the device was created without the feature for it",
               value_text(VALUES_VkPipelineStageFlags2, stages & rule->stages).text);
    }
    return s.skip;
}

/* Reports accesses that the stages cannot make. */
static COLD bool report_access(const struct call *call, enum vuid vuid,
                               VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                               const struct location *where)
{
    assert(accesses);
    return BROKEN_BY(call, vuid, where, NULL, "includes %s, which none of the stages %s can make",
                     value_text(VALUES_VkAccessFlags2, accesses).text,
                     value_text(VALUES_VkPipelineStageFlags2, stages).text);
}

/* Reports each access that none of the stages can make. */
static COLD bool report_accesses(const struct call *call, enum mask_place place,
                                 VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                                 const struct location *where)
{
    assert(place < MASK_PLACE_COUNT && accesses);
    bool ray_query = device_has_feature(call->device, FEATURE_rayQuery), skip = false;
    for (uint32_t i = 0; i < ACCESS_RULES; i++) {
        const struct access_rule *rule = &access_rules[i];
        enum vuid vuid = access_vuid(place, i);
        if (!(accesses & rule->accesses) || stages & rule->stages || vuid == VUID_COUNT)
            continue;
        if (rule->ray_query == RAY_QUERY_ANY || ray_query == (rule->ray_query == RAY_QUERY_ENABLED))
            skip |= report_access(call, vuid, stages, accesses & rule->accesses, where);
    }
    return skip;
}

VkAccessFlags2 accesses_unsupported(VkPipelineStageFlags2 stages, VkAccessFlags2 accesses)
{
    VkAccessFlags2 unsupported = 0;
    for (VkAccessFlags2 left = accesses; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (access_stages[bit] && !(access_stages[bit] & stages))
            unsupported |= 1ull << bit;
    }
    return unsupported;
}

bool accesses_check_stages(const struct call *call, enum mask_place place,
                           VkPipelineStageFlags2 stages, VkAccessFlags2 accesses,
                           const struct location *where)
{
    assert(place < MASK_PLACE_COUNT);
    /* Reads of acceleration structures have another rule, for shaders that cannot use ray
     * queries. */
    VkAccessFlags2 suspicious = accesses_unsupported(stages, accesses);
    if (likely(!suspicious && !(accesses & VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR)))
        return false;
    return report_accesses(call, place, stages, accesses, where);
}

bool accesses_check_supported(const struct call *call, enum vuid vuid, VkPipelineStageFlags2 stages,
                              VkAccessFlags2 accesses, const struct location *where)
{
    VkAccessFlags2 unsupported = accesses_unsupported(stages, accesses);
    return unlikely(unsupported) && report_access(call, vuid, stages, unsupported, where);
}

VkPipelineStageFlags2 stages_unsupported(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags)
{
    VkPipelineStageFlags2 unsupported = 0;
    for (VkPipelineStageFlags2 left = stages; left; left &= left - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(left);
        if (stage_queues[bit] && !(stage_queues[bit] & queue_flags))
            unsupported |= 1ull << bit;
    }
    return unsupported;
}

bool stages_check_queue(const struct call *call, enum vuid vuid, VkPipelineStageFlags2 stages,
                        uint32_t family, VkQueueFlags queue_flags, const struct location *where)
{
    VkPipelineStageFlags2 unsupported = queue_flags ? stages_unsupported(stages, queue_flags) : 0;
    if (likely(!unsupported))
        return false;
    return BROKEN_BY(call, vuid, where, NULL,
                     "includes %s, which queue family %u cannot do (it supports %s)",
                     value_text(VALUES_VkPipelineStageFlags2, unsupported).text, family,
                     value_text(VALUES_VkQueueFlags, queue_flags).text);
}
