/* The state of events (7.5): how they were created, and what the commands of a command buffer do
 * with them. */
#ifndef ASSAY_STATE_EVENT_H
#define ASSAY_STATE_EVENT_H

#include "state/command/command_buffer.h"
#include "state/submit/queue.h"

/* The command or call that signaled an event, if it is signaled. */
enum event_signal {
    EVENT_UNKNOWN, /* not known */
    EVENT_UNSIGNALED,
    EVENT_SET_BY_HOST, /* by vkSetEvent */
    EVENT_SET_1,       /* by vkCmdSetEvent */
    EVENT_SET_2,       /* by vkCmdSetEvent2 */
};

/* The status of an event between two commands. */
struct event_status {
    enum event_signal signal;
    /* set more than once since it was unsignaled, so it is not known which set counts */
    bool again;
    bool asymmetric; /* the set had VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR */
    /* stages that each set since then has in common: stageMask, or the union of all source masks */
    VkPipelineStageFlags2 stages;
    /* union over every vkCmdSetEvent so far, also before a reset */
    VkPipelineStageFlags all_stages;
    uint64_t dependency; /* for vkCmdSetEvent2: dependency_hash() */
};

/* The last wait for an event, after which a reset must come. */
struct event_wait {
    bool waited;                 /* a command waited, and none has set or reset the event since */
    bool version2;               /* vkCmdWaitEvents2 waited */
    uint32_t command;            /* command_buffer::command_number of the wait */
    uint32_t orders;             /* command_buffer::orders when it was recorded */
    VkPipelineStageFlags2 after; /* second scope of the wait */
};

/* Threads: const, but for the atomics. */
struct event {
    struct object_state base;
    VkEventCreateFlags flags;
    _Atomic bool host_set; /* vkSetEvent set it, and no vkResetEvent came since. Relaxed */
    /* stamp of the last submission that waits for the event; 0: none. Relaxed */
    _Atomic uint64_t waited;
    _Atomic bool waited_by_2; /* that submission uses vkCmdWaitEvents2. Relaxed */
    /* The status in which submitted commands and the host leave the event: a struct event_status in
     * parts, for event_left(). Relaxed: if a program submits commands with one event from two
     * threads at once, the parts may not belong together. */
    _Atomic uint64_t left;
    _Atomic uint64_t left_stages;
    _Atomic uint64_t left_dependency;
    _Atomic uint32_t left_all_stages;
    /* number of the queue to which all commands were submitted; 0: none yet, UINT32_MAX: several */
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
    uint32_t remaining; /* for a wait: number of events that remain of it, including this one */
    /* for a wait or reset: what is wrong with it was reported during recording or execution */
    bool judged;
    bool host;   /* for a wait: its first scope has the host stage */
    bool device; /* for a wait: its first scope has device stages */
    bool asymmetric;
    /* for the command: command_buffer::command_number, and command_buffer::orders when it was
     * recorded */
    uint32_t command, orders;
    VkPipelineStageFlags2 stages; /* first scope of the operation */
    VkPipelineStageFlags2 after;  /* for a wait: its second scope */
    uint64_t dependency;          /* for EVENT_SETS_2 and EVENT_WAITS_2 */
};

/* Notes what the commands recorded so far do with one event. */
struct event_record {
    uint64_t event; /* id */
    bool set;       /* the event was set since its last reset */
    bool waited;
    bool waited_by_2; /* a vkCmdWaitEvents2 waits for it */
    /* status that follows from this command buffer alone: EVENT_UNKNOWN until it resets the
     * event */
    struct event_status status;
    struct event_wait wait;
};

/* Changes the status as a command that sets or resets the event does. */
void event_status_apply(struct event_status *status, const struct event_operation *operation);

/* Changes the last wait as an operation does. `orders`: command_buffer::orders of everything before
 * the operation's command buffer. */
void event_wait_apply(struct event_wait *wait, const struct event_operation *operation,
                      uint32_t orders);

/* The status in which submitted work and the host leave the event, for a command that goes to a
 * queue next. `queue`: number of that queue; 0: its work is not tracked. */
struct event_status event_left(const struct event *event, uint32_t queue);

/* The number of the queue whose commands have signaled the event; 0: no queue, or several. */
uint32_t event_set_by_queue(const struct event *event);

/* Operation `i`, in the order of recording, including those of executed secondaries; NULL after the
 * last one. Threads: the one that records the command buffer. */
const struct event_operation *
command_buffer_event_operation(const struct command_buffer *command_buffer, uint32_t i);
/* True if there were more operations than are kept. */
bool command_buffer_events_overflow(const struct command_buffer *command_buffer);

/* The wait of vkCmdWaitEvents2 for one event, as an operation. */
struct event_operation event_wait2(const VkDependencyInfo *info);

/* The record of an event; NULL: the command buffer does not use the event. Threads: the one that
 * records the command buffer. */
const struct event_record *command_buffer_event(const struct command_buffer *command_buffer,
                                                const struct event *event);

/* Record `i` of the command buffer; NULL after the last one. Threads: the one that records the
 * command buffer. */
const struct event_record *command_buffer_event_at(const struct command_buffer *command_buffer,
                                                   uint32_t i);

/* A hash that is equal for equal dependencies. */
uint64_t dependency_hash(const VkDependencyInfo *info);

void command_buffer_reset_events(struct command_buffer *command_buffer);
/* Notes that the command buffer is submitted: the events that it waits for, and for a primary the
 * status in which it leaves each event. */
void command_buffer_submit_events(const struct command_buffer *command_buffer, uint64_t stamp);
/* Notes that the submission failed: the status of its events is not known. */
void command_buffer_forget_events(const struct command_buffer *command_buffer);

#endif
