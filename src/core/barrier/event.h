/* Rules of vkCmdWaitEvents and vkCmdWaitEvents2 about what has set their events (7.5). Recording
 * (core/barrier/event.c) and submits (core/submit/events.c) check them. Threads: the calling
 * thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_EVENT_H
#define ASSAY_CORE_BARRIER_EVENT_H

#include "state/command/event.h"

/* "The bitwise OR of the stageMask parameter used in previous calls to vkCmdSetEvent with any of
 * the elements". `least` joins the calls that signaled the events, `most` all calls that were ever
 * made. Both readings are accepted. */
struct event_union {
    VkPipelineStageFlags least, most;
};

/* Adds an event's stages. False where the event's status is not known, or neither vkCmdSetEvent nor
 * vkSetEvent has signaled it. */
static inline bool event_union_add(struct event_union *all, const struct event_status *status)
{
    if (status->signal != EVENT_SET_1 && status->signal != EVENT_SET_BY_HOST)
        return false;
    all->most |= status->all_stages;
    all->least |= status->signal == EVENT_SET_1 ? (VkPipelineStageFlags)status->stages
                                                : VK_PIPELINE_STAGE_HOST_BIT;
    return true;
}

/* True if the stages of a wait are neither of the two unions. An additional host stage is accepted
 * even where no vkSetEvent has set the events. */
static inline bool event_union_differs(const struct event_union *all, VkPipelineStageFlags stages)
{
    return (all->least & ~stages) != 0 || (stages & ~(all->least | all->most) &
                                           ~(VkPipelineStageFlags)VK_PIPELINE_STAGE_HOST_BIT) != 0;
}

/* The rule that a wait of vkCmdWaitEvents2 breaks for a signaled event with this status; RULE_NONE:
 * it breaks none. */
enum rule event_wait2_breaks(const struct event_status *status, const struct event_operation *wait,
                             const char **text);

#endif
