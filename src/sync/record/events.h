/* Finds what vkCmdSetEvent2 says of the first scopes of those that wait for the event (7.5
 * "Events"). Threads: any; pure. */
#ifndef ASSAY_SYNC_EVENTS_H
#define ASSAY_SYNC_EVENTS_H

#include "sync/access/access_context.h"

/* The first scope of a command that sets or resets an event, with these stages. */
struct sync_barrier sync_event_scope(VkPipelineStageFlags2 stages, const struct sync_queue *queue);

/* One scope for each barrier, `most` at the most; those with the same stages are one. Returns how
 * many: at least one. */
uint32_t sync_event_scopes(const VkDependencyInfo *info, const struct sync_queue *queue,
                           struct sync_barrier *scopes, uint32_t most);

#endif
