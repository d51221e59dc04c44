/* Finds commands that race on an event. They are those of one command buffer that nothing orders.
 * "There is no direct ordering guarantee between" setting, resetting and waiting (7.5 "Events", the
 * notes of vkCmdWaitEvents and vkCmdWaitEvents2). Threads: the command buffer's, as for
 * sync/record/recording.h. */
#ifndef ASSAY_SYNC_EVENT_RACES_H
#define ASSAY_SYNC_EVENT_RACES_H

#include "sync/record/recording.h"

/* The last EVENT_USES_KEPT uses of a command buffer are known. What is overwritten is not reported.
 */
#define EVENT_USES_KEPT 64

enum event_use_kind {
    EVENT_USE_SET,
    EVENT_USE_RESET,
    EVENT_USE_WAIT,
};

/* The last command on an event. */
struct event_use {
    uint64_t event; /* id */
    enum event_use_kind kind;
    enum command command;   /* for the finding */
    uint32_t command_index; /* index of the command, for the finding */
    /* how many commands that order something were recorded up to this command */
    uint32_t orders;
    sync_stage_mask after; /* for a wait: the stages that wait */
};

/* The command was recorded. `after` is of waits. Where memory is out, nothing is said of the event.
 */
void event_note_use(struct recording *recording, uint64_t event, enum event_use_kind kind,
                    sync_stage_mask after);

#endif
