/* Finds resets of events that may come before the wait that was recorded before them: "There must
 * be an execution dependency between vkCmdResetEvent and the execution of any earlier
 * vkCmdWaitEvents" (7.5). It is for the command (core/barrier/event.c), and for execution and
 * submit (core/submit/events.c). Threads: any; pure. */
#ifndef ASSAY_CORE_BARRIER_EVENT_ORDER_H
#define ASSAY_CORE_BARRIER_EVENT_ORDER_H

#include "core/hooks.h"
#include "state/command/event.h"

/* The rule that a reset breaks, which waits for `stages`; RULE_NONE: none, or that is not certain.
 * `orders`: of all commands before the reset, as those of `wait` are counted. `version2`: it is
 * vkCmdResetEvent2. */
enum rule event_reset_breaks(const struct event_wait *wait, uint32_t orders,
                             VkPipelineStageFlags2 stages, bool version2);

/* Words for a finding. */
extern HIDDEN const char event_reset_text[];

#endif
