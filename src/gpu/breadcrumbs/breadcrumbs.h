/* Breadcrumbs show how far the device came before it was lost. With the setting `breadcrumbs`,
 * command buffers write a marker after each action command. The layer reads the markers when a call
 * returns VK_ERROR_DEVICE_LOST (device_lost.c).
 *
 * With VK_AMD_buffer_marker, a marker is written when a command begins and one when it is done.
 * With VK_NV_device_diagnostic_checkpoints the driver keeps markers itself. Otherwise
 * vkCmdFillBuffer writes them, after a barrier, outside of render passes. Commands then run one
 * after the other, which may hide the bug. */
#ifndef ASSAY_GPU_BREADCRUMBS_H
#define ASSAY_GPU_BREADCRUMBS_H

#include <pthread.h>

#include "base/arena.h"
#include "base/lock.h"
#include "state/command/command_buffer.h"
#include "gpu/device/areas.h"

enum breadcrumb_way { BREADCRUMB_BUFFER_MARKER, BREADCRUMB_CHECKPOINT, BREADCRUMB_FILL };

#define BREADCRUMB_SLOTS 16384 /* command buffers that have markers at a time */
/* The words of a slot: */
/* number of commands of breadcrumb_trail::list that have begun; BREADCRUMB_FILL does not write this
 * word */
#define BREADCRUMB_BEGUN 0
#define BREADCRUMB_DONE  1 /* number of commands of breadcrumb_trail::list that are done */
/* In a secondary: the breadcrumb_execution::token of the execution that wrote the two words above,
 * or 0 if it could not be written. */
#define BREADCRUMB_BEGUN_BY 2
#define BREADCRUMB_DONE_BY  3
#define BREADCRUMB_WORDS    4

#define BREADCRUMB_EXECUTIONS 4096 /* the most executions of a command buffer that are reported */
/* the most levels of secondaries in secondaries that are reported */
#define BREADCRUMB_NESTING 4

/* The breadcrumbs of a device (gpu_in_device(device)->breadcrumbs). Threads: const, but for members
 * that say otherwise. */
struct breadcrumbs {
    uint64_t serial; /* unique among the process's devices; never 0 */
    enum breadcrumb_way way;
    /* a handle of the driver's, like `memory`; VK_NULL_HANDLE with BREADCRUMB_CHECKPOINT */
    VkBuffer buffer;
    VkDeviceMemory memory;
    _Atomic uint32_t *words;   /* mapped; BREADCRUMB_WORDS words for each slot */
    _Atomic uint32_t slot_end; /* number of slots that have been given out */
    _Atomic uint32_t tokens;   /* number of tokens that have been given out */
    /* a submission had more executions than are counted, so that no execution is certain any more.
     * Relaxed */
    _Atomic bool miscounts;
};

/* A command that a marker is written for. */
struct breadcrumb {
    const void *caller;
    uint64_t pipeline;    /* id; 0: the command uses no pipeline */
    enum command command; /* as the program spelled it */
    uint32_t number;      /* command_buffer::command_number */
    /* index in breadcrumb_trail::labels of the innermost open label, plus 1; 0: no label is open */
    uint32_t label;
    uint32_t elements; /* number of elements of a vkCmdExecuteCommands */
};

/* An element of a vkCmdExecuteCommands. */
struct breadcrumb_execution {
    uint64_t command_buffer; /* id of the secondary */
    uint32_t recording;      /* the secondary's breadcrumb_trail::recording */
    uint32_t crumb;          /* index of the command in breadcrumb_trail::list */
    uint32_t element;        /* index in pCommandBuffers */
    /* a unique number that is written before the command; 0: none could be written */
    uint32_t token;
};

struct breadcrumb_label {
    const char *name; /* in the arena */
    uint32_t parent;  /* as breadcrumb::label */
};

/* Guards the data about submissions. There is one lock for all devices. */
extern HIDDEN struct lock breadcrumbs_lock;

/* The breadcrumbs of a command buffer (gpu_in_command_buffer(command_buffer)->breadcrumbs). They
 * are kept with the memory of struct command_buffer, which is never freed. Threads: the command
 * buffer's; the call that reports a lost device reads the data of the last recording. */
struct breadcrumb_trail {
    uint64_t serial;         /* breadcrumbs::serial of the device that owns the slot */
    uint32_t slot;           /* from 1; 0: no slot was free */
    uint32_t recording;      /* counts the recordings */
    bool writes;             /* markers are written in this recording */
    uint32_t count;          /* commands in `list`, which the markers count */
    uint32_t capacity;       /* of `list` */
    uint32_t label_capacity; /* of `labels` */
    uint32_t label_count, open_label;
    struct breadcrumb *list;                 /* owned, kept over resets */
    struct breadcrumb_label *labels;         /* owned, kept over resets */
    struct breadcrumb_execution *executions; /* owned, kept over resets; sorted by `crumb` */
    uint32_t execution_count, execution_capacity;
    struct arena arena;
    /* The next members are about submissions since the markers were last cleared; while work is
     * pending, the CPU cannot clear them. `submitted` is the stamp (state/submit/queue.h) of the
     * last one; 0: none. */
    uint64_t submitted GUARDED_BY(breadcrumbs_lock);
    /* How often those submissions execute it, also through other command buffers that execute
     * it. */
    uint32_t submitted_count GUARDED_BY(breadcrumbs_lock);
    bool submitted_to_several GUARDED_BY(breadcrumbs_lock); /* on several queues */
    /* Earlier executions of this recording are done. */
    bool has_run GUARDED_BY(breadcrumbs_lock);
};

/* Says how far an execution of a command buffer came. */
struct breadcrumb_progress {
    const struct breadcrumb_trail *trail; /* NULL: nothing is known */
    /* how many of the trail's commands are done, and how many have begun; `begun` may be larger, as
     * commands overlap */
    uint32_t done, begun;
    bool begun_known;
    /* the number of executions that the progress may belong to; 1: it is certain */
    uint32_t executions;
};

/* Returns the progress of a submission to this queue. Threads: any, once the device is lost. */
struct breadcrumb_progress breadcrumbs_progress(const struct device *device, VkQueue queue,
                                                const struct command_buffer *command_buffer);
/* Returns the progress of a secondary in an execution; `outer` is the progress of the command
 * buffer that executes it. */
struct breadcrumb_progress
breadcrumbs_progress_within(const struct device *device, VkQueue queue,
                            const struct breadcrumb_progress *outer,
                            const struct breadcrumb_execution *execution);
/* Writes the labels around a command: "Frame 7 > Shadow pass"; "" if there are none. */
void breadcrumb_labels(const struct breadcrumb_trail *trail, uint32_t label, char *to, size_t size);

/* --- functions for the generated hooks (breadcrumb_hooks.c) --- */

extern const struct validator breadcrumbs_validator;

/* Adds an extension for markers to the device's create info, if the driver has one. */
void breadcrumbs_change_device(struct device *device, VkDeviceCreateInfo *down);
void breadcrumbs_device_begin(struct call *call);
void breadcrumbs_device_end(struct call *call);
void breadcrumbs_begin(struct call *call);
/* `point`: the bind point whose pipeline the command uses; BIND_POINTS: none. */
void breadcrumbs_before(struct call *call, uint32_t point);
void breadcrumbs_after(struct call *call);
/* Notes the secondaries of a vkCmdExecuteCommands. Called after breadcrumbs_before() of that
 * command. */
void breadcrumbs_executes(struct call *call, uint32_t count,
                          const VkCommandBuffer *command_buffers);
/* Notes that the batches are about to be submitted to the call's queue. */
void breadcrumbs_submit(struct call *call, uint32_t count, const VkSubmitInfo *submits);
void breadcrumbs_submit2(struct call *call, uint32_t count, const VkSubmitInfo2 *submits);
/* Called for a command that begins a render pass instance with VK_RENDERING_RESUMING_BIT. */
void breadcrumbs_resumes(struct call *call);
void breadcrumbs_label_begin(struct call *call, const VkDebugUtilsLabelEXT *label);
void breadcrumbs_label_end(struct call *call);

/* --- functions shared by the files of breadcrumbs --- */

/* Returns the offset of a word of the trail's slot, in bytes. */
static inline VkDeviceSize breadcrumb_place(const struct breadcrumb_trail *trail, uint32_t word)
{
    assert(trail->slot && word < BREADCRUMB_WORDS);
    return ((VkDeviceSize)(trail->slot - 1) * BREADCRUMB_WORDS + word) * sizeof(uint32_t);
}

/* Threads: chassis/fork.c. */
void breadcrumbs_fork(enum fork_step step);

/* Sets all words of the trail's slot to 0. No pending work may write there. */
void breadcrumbs_clear(const struct breadcrumbs *breadcrumbs, const struct breadcrumb_trail *trail);

#endif
