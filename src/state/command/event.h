/* Events (7.5): how they were created, and what the commands of a command buffer do with them. */
#ifndef ASSAY_STATE_EVENT_H
#define ASSAY_STATE_EVENT_H

#include "state/command/command_buffer.h"
#include "state/submit/queue.h"

/* The state of an event, and what signaled it. */
enum event_signal {
    EVENT_UNKNOWN, /* nothing can be said */
    EVENT_UNSIGNALED,
    EVENT_SET_BY_HOST, /* by vkSetEvent */
    EVENT_SET_1,       /* by vkCmdSetEvent */
    EVENT_SET_2,       /* by vkCmdSetEvent2 */
};

/* The facts about an event between two commands. */
struct event_status {
    enum event_signal signal;
    /* set more than once since it was unsignaled: which of them counts cannot be said */
    bool again;
    bool asymmetric; /* by VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR */
    /* stages that each set since then names: of the stageMask, or of all source masks */
    VkPipelineStageFlags2 stages;
    VkPipelineStageFlags all_stages; /* of every vkCmdSetEvent so far, also before a reset */
    uint64_t dependency;             /* of vkCmdSetEvent2: dependency_hash() */
};

/* The last wait for an event: what a reset must come after. */
struct event_wait {
    bool waited;                 /* and neither set nor reset since */
    bool version2;               /* by vkCmdWaitEvents2 */
    uint32_t command;            /* command_buffer::command_number of the wait */
    uint32_t orders;             /* command_buffer::orders when it was recorded */
    VkPipelineStageFlags2 after; /* the stages that wait for it */
};

/* Threads: const, but for the atomics. */
struct event {
    struct object_state base;
    VkEventCreateFlags flags;
    _Atomic bool host_set; /* by vkSetEvent, and not by vkResetEvent since. Relaxed */
    /* the stamp of the last submission that waits for it; 0 = none. Relaxed */
    _Atomic uint64_t waited;
    _Atomic bool waited_by_2; /* by vkCmdWaitEvents2. Relaxed */
    /* The state in which submitted commands and the host leave the event: a struct event_status in
     * parts, by event_left(). Relaxed: a program that submits commands with one event from two
     * threads at once makes words that do not belong together. */
    _Atomic uint64_t left;
    _Atomic uint64_t left_stages;
    _Atomic uint64_t left_dependency;
    _Atomic uint32_t left_all_stages;
    /* the number of the queue that all commands went to; 0 = none yet, UINT32_MAX: several */
    _Atomic uint32_t left_queue;
};
STATE_FINDERS(event, VkEvent, HANDLE_EVENT)

/* The operation of a recorded command on an event. */
enum event_action {
    EVENT_SETS_1,
    EVENT_SETS_2,
    EVENT_RESETS_1,
    EVENT_RESETS_2,
    EVENT_WAITS_1,
    EVENT_WAITS_2
};
static inline bool event_resets(enum event_action action)
{
    return action == EVENT_RESETS_1 || action == EVENT_RESETS_2;
}

struct event_operation {
    uint64_t event; /* id */
    enum event_action action;
    uint32_t remaining; /* for a wait: how many of its events follow, this event included */
    /* of a wait or reset: what is wrong with it was reported when it was recorded or executed */
    bool judged;
    bool host;   /* of a wait: its first scope has the host's stage */
    bool device; /* for a wait: its first scope has stages of the device */
    bool asymmetric;
    /* command_buffer::command_number of the command, and command_buffer::orders when it was
     * recorded */
    uint32_t command, orders;
    VkPipelineStageFlags2 stages; /* the stages that the operation names as its first scope */
    VkPipelineStageFlags2 after;  /* for a wait: the stages that it names as its second scope */
    uint64_t dependency;          /* of EVENT_SETS_2 and EVENT_WAITS_2 */
};

/* The operations of the commands recorded so far on one event. */
struct event_record {
    uint64_t event; /* id */
    bool set;       /* since it was last reset */
    bool waited;
    bool waited_by_2; /* vkCmdWaitEvents2 did */
    /* as far as this command buffer alone says: EVENT_UNKNOWN until it resets the event */
    struct event_status status;
    struct event_wait wait;
};

/* The status after a command that sets or resets the event. */
void event_status_apply(struct event_status *status, const struct event_operation *operation);

/* Gives the last wait after an operation. `orders`: command_buffer::orders of everything before the
 * operation's command buffer. */
void event_wait_apply(struct event_wait *wait, const struct event_operation *operation,
                      uint32_t orders);

/* The state in which submitted work and the host leave the event, for a command that goes to the
 * queue of this number next (0: one whose work is not tracked). */
struct event_status event_left(const struct event *event, uint32_t queue);

/* The number of the queue whose commands have set the event, which is signaled; 0: none, or not
 * one alone. */
uint32_t event_set_by_queue(const struct event *event);

/* The operations in the order in which they were recorded, including those of executed secondaries;
 * NULL after the last one. Threads: the command buffer's. */
const struct event_operation *
command_buffer_event_operation(const struct command_buffer *command_buffer, uint32_t i);
/* There were more operations than are kept. */
bool command_buffer_events_overflow(const struct command_buffer *command_buffer);

/* The operation that vkCmdWaitEvents2 asks of one event. */
struct event_operation event_wait2(const VkDependencyInfo *info);

/* The record of an event; NULL where the command buffer does not use the event. Threads: the
 * command buffer's. */
const struct event_record *command_buffer_event(const struct command_buffer *command_buffer,
                                                const struct event *event);

/* All that have been recorded, by number; NULL after the last one. Threads: likewise. */
const struct event_record *command_buffer_event_at(const struct command_buffer *command_buffer,
                                                   uint32_t i);

/* Two dependencies that are equal have the same hash. */
uint64_t dependency_hash(const VkDependencyInfo *info);

void command_buffer_reset_events(struct command_buffer *command_buffer);
/* The command buffer is submitted: events that it waits for are noted, and what a primary leaves
 * them in. */
void command_buffer_submit_events(const struct command_buffer *command_buffer, uint64_t stamp);
/* The submission failed: nothing is known of its events. */
void command_buffer_forget_events(const struct command_buffer *command_buffer);

#endif
