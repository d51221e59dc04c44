/* Finds resets of events that may come before the wait that was recorded before them. "There must
 * be an execution dependency between vkCmdResetEvent and the execution of any earlier
 * vkCmdWaitEvents" (7.5). Recording (core/barrier/event.c), and execution and submit
 * (core/submit/events.c), use it. Threads: any; pure. */
#ifndef ASSAY_CORE_BARRIER_EVENT_ORDER_H
#define ASSAY_CORE_BARRIER_EVENT_ORDER_H

#include "core/hooks.h"
#include "state/command/event.h"

/* The rule that a reset after `stages` breaks; RULE_NONE: it breaks none, or that is not certain.
 * `orders`: command_buffer::orders before the reset, counted as in `wait`.
 * `version2`: the reset is vkCmdResetEvent2. */
enum rule event_reset_breaks(const struct event_wait *wait, uint32_t orders,
                             VkPipelineStageFlags2 stages, bool version2);

/* The text of a finding. */
extern HIDDEN const char event_reset_text[];

#endif
