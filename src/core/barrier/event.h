/* vkCmdWaitEvents and vkCmdWaitEvents2 ask this of what has set their events (7.5). It is for the
 * command (core/barrier/event.c) and for the submit (core/submit/events.c). Threads: that of the
 * call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_EVENT_H
#define ASSAY_CORE_BARRIER_EVENT_H

#include "state/command/event.h"

/* "The bitwise OR of the stageMask parameter used in previous calls to vkCmdSetEvent with any of
 * the elements": all calls that were ever made, or those that signaled the events; both readings
 * are accepted. */
struct event_union {
    VkPipelineStageFlags least, most;
};

/* False where nothing can be said of the event, or no vkCmdSetEvent and no vkSetEvent has signaled
 * it. */
static inline bool event_union_add(struct event_union *all, const struct event_status *status)
{
    if (status->signal != EVENT_SET_1 && status->signal != EVENT_SET_BY_HOST)
        return false;
    all->most |= status->all_stages;
    all->least |= status->signal == EVENT_SET_1 ? (VkPipelineStageFlags)status->stages
                                                : VK_PIPELINE_STAGE_HOST_BIT;
    return true;
}

/* A host's stage beside the others is accepted where no vkSetEvent has set the events. */
static inline bool event_union_differs(const struct event_union *all, VkPipelineStageFlags stages)
{
    return (all->least & ~stages) != 0 || (stages & ~(all->least | all->most) &
                                           ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT) != 0;
}

/* The rule that a wait of vkCmdWaitEvents2 breaks, for an event of this status, which is signaled;
 * RULE_NONE: none. */
enum rule event_wait2_breaks(const struct event_status *status, const struct event_operation *wait,
                             const char **text);

#endif
