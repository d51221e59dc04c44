/* Events (7.5): how they were created, and what the commands of a command buffer do with them. */
#ifndef ASSAY_STATE_EVENT_H
#define ASSAY_STATE_EVENT_H

#include "state/command_buffer.h"

/* Threads: const, but for the atomics. */
struct event {
    struct object_state base;
    VkEventCreateFlags flags;
    _Atomic bool host_set;   /* by vkSetEvent, and not by vkResetEvent since. Relaxed */
    _Atomic uint64_t waited; /* the stamp of the last submission that waits for it; 0 = none. Relaxed */
};
STATE_FINDERS(event, VkEvent, HANDLE_EVENT)

/* What the commands recorded so far have done with one event. */
struct event_record {
    uint64_t event; /* id */
    bool set;       /* since it was last reset */
    bool set_again; /* more than once: which of them counts cannot be said */
    bool version2;  /* by vkCmdSetEvent2 */
    bool waited;
    VkPipelineStageFlags stages; /* of vkCmdSetEvent */
    uint64_t dependency;         /* of vkCmdSetEvent2: dependency_hash() */
};

/* NULL where nothing was recorded of it. Threads: the command buffer's. */
const struct event_record *command_buffer_event(const struct command_buffer *command_buffer, const struct event *event);

/* All that have been recorded, by number; NULL behind the last one. Threads: likewise. */
const struct event_record *command_buffer_event_at(const struct command_buffer *command_buffer, uint32_t i);

/* Two dependencies that are equal have the same hash. */
uint64_t dependency_hash(const VkDependencyInfo *info);

void command_buffer_reset_events(struct command_buffer *command_buffer);
/* The command buffer is submitted: events that it waits for are noted. */
void command_buffer_submit_events(const struct command_buffer *command_buffer, uint64_t stamp);

#endif
