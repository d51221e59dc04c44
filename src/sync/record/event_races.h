/* Finds commands that race on an event. The commands are in one command buffer, and nothing orders
 * them. "There is no direct ordering guarantee between" setting, resetting and waiting (7.5
 * "Events", the notes of vkCmdWaitEvents and vkCmdWaitEvents2). Threads: the command buffer's, as
 * for sync/record/recording.h. */
#ifndef ASSAY_SYNC_EVENT_RACES_H
#define ASSAY_SYNC_EVENT_RACES_H

#include "sync/record/recording.h"

/* The number of uses that a command buffer remembers; older ones are not reported. */
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
    /* number of commands that order something, up to this command */
    uint32_t orders;
    sync_stage_mask after; /* for a wait: the stages that wait */
};

/* Notes a command on an event. `after` is for waits only. If memory is out, no race on the event is
 * reported. */
void event_note_use(struct recording *recording, uint64_t event, enum event_use_kind kind,
                    sync_stage_mask after);

#endif
