/* Finds the first scopes that vkCmdSetEvent2 gives to waits for the event (7.5 "Events"). Threads:
 * any; pure. */
#ifndef ASSAY_SYNC_EVENTS_H
#define ASSAY_SYNC_EVENTS_H

#include "sync/access/access_context.h"

/* Returns the first scope of a command that sets or resets an event, with these stages. */
struct sync_barrier sync_event_scope(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* Makes one scope for each barrier, `most` at the most; barriers with the same stages share one.
 * Returns their number, at least 1. */
uint32_t sync_event_scopes(const VkDependencyInfo *info, const struct sync_queue *queue,
                           struct sync_barrier *scopes, uint32_t most);

#endif
