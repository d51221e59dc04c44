/* Breadcrumbs show how far the device came before it was lost. With the setting `breadcrumbs`,
 * command buffers write a marker after each command that does something. The layer reads the
 * markers when a call answers VK_ERROR_DEVICE_LOST (device_lost.c).
 *
 * Where the driver has VK_AMD_buffer_marker, it writes a marker when a command begins and one when
 * it is done; with VK_NV_device_diagnostic_checkpoints it keeps them itself. Elsewhere
 * vkCmdFillBuffer writes them, after a barrier, outside of render passes. Commands then run one
 * after the other, which may hide what is looked for. */
#ifndef ASSAY_GPU_BREADCRUMBS_H
#define ASSAY_GPU_BREADCRUMBS_H

#include <pthread.h>

#include "base/arena.h"
#include "base/lock.h"
#include "state/command/command_buffer.h"
#include "gpu/device/areas.h"

enum breadcrumb_way { BREADCRUMB_BUFFER_MARKER, BREADCRUMB_CHECKPOINT, BREADCRUMB_FILL };

#define BREADCRUMB_SLOTS 16384 /* command buffers that have markers at a time */
/* Words of a slot. */
/* how many commands of breadcrumb_trail::list have begun; BREADCRUMB_FILL does not write this
 * word */
#define BREADCRUMB_BEGUN 0
#define BREADCRUMB_DONE  1 /* how many commands of breadcrumb_trail::list are done */
/* In a secondary: the breadcrumb_execution::token of the execution that wrote the two words before,
 * where it could be written. */
#define BREADCRUMB_BEGUN_BY 2
#define BREADCRUMB_DONE_BY  3
#define BREADCRUMB_WORDS    4

#define BREADCRUMB_EXECUTIONS 4096 /* executions of a command buffer that are reported */
#define BREADCRUMB_NESTING    4    /* secondaries within secondaries that are reported */

/* The breadcrumbs of a device: gpu_in_device(device)->breadcrumbs. Threads: const, but for members
 * that say otherwise. */
struct breadcrumbs {
    uint64_t serial; /* no other device of the process has the number; never 0 */
    enum breadcrumb_way way;
    /* the driver's handle, as is `memory`; VK_NULL_HANDLE with BREADCRUMB_CHECKPOINT */
    VkBuffer buffer;
    VkDeviceMemory memory;
    _Atomic uint32_t *words;   /* mapped: BREADCRUMB_WORDS for each slot */
    _Atomic uint32_t slot_end; /* slots below it have been given out */
    _Atomic uint32_t tokens;   /* how many have been given out */
    /* a submission executed too much to be counted: no execution is certain. Relaxed */
    _Atomic bool miscounts;
};

/* A command that a marker is written for. */
struct breadcrumb {
    const void *caller;
    uint64_t pipeline;    /* id; 0: the command uses no pipeline */
    enum command command; /* as the program spelt it */
    uint32_t number;      /* command_buffer::command_number */
    /* index in breadcrumb_trail::labels of the innermost open label, plus 1; 0: no label is open */
    uint32_t label;
    uint32_t elements; /* of a vkCmdExecuteCommands */
};

/* An element of a vkCmdExecuteCommands. */
struct breadcrumb_execution {
    uint64_t command_buffer; /* id of the secondary */
    uint32_t recording;      /* the secondary's breadcrumb_trail::recording */
    uint32_t crumb;          /* the command: index in breadcrumb_trail::list */
    uint32_t element;        /* index in pCommandBuffers */
    /* a number that is written before the command and that no other execution has; 0: none could be
     * written */
    uint32_t token;
};

struct breadcrumb_label {
    const char *name; /* in the arena */
    uint32_t parent;  /* as breadcrumb::label */
};

/* Guards what was submitted. One lock for all devices. */
extern HIDDEN struct lock breadcrumbs_lock;

/* The breadcrumbs of a command buffer: gpu_in_command_buffer(command_buffer)->breadcrumbs. Kept
 * with the memory of struct command_buffer, which is not given back. Threads: the command buffer's;
 * the call that reports a lost device reads what the last recording has left. */
struct breadcrumb_trail {
    uint64_t serial;         /* breadcrumbs::serial of the device that the slot is of */
    uint32_t slot;           /* from 1; 0: no slot was left */
    uint32_t recording;      /* counts the recordings */
    bool writes;             /* markers are written in this recording */
    uint32_t count;          /* commands in `list`, which the markers count */
    uint32_t capacity;       /* of `list` */
    uint32_t label_capacity; /* of `labels` */
    uint32_t label_count, open_label;
    struct breadcrumb *list;                 /* owned, kept over resets */
    struct breadcrumb_label *labels;         /* owned, kept over resets */
    struct breadcrumb_execution *executions; /* owned, kept over resets; by growing crumb */
    uint32_t execution_count, execution_capacity;
    struct arena arena;
    /* The submissions since the markers' words were last 0: work was pending then, and the CPU
     * could not write there. `submitted`: stamp (state/submit/queue.h) of the last one; 0: none. */
    uint64_t submitted GUARDED_BY(breadcrumbs_lock);
    /* How often it is executed by that, and by what other command buffers execute of it. */
    uint32_t submitted_count GUARDED_BY(breadcrumbs_lock);
    bool submitted_to_several GUARDED_BY(breadcrumbs_lock); /* queues */
    /* Executions of this recording came before, which are done. */
    bool has_run GUARDED_BY(breadcrumbs_lock);
};

/* How far an execution of a command buffer came, as far as is known. */
struct breadcrumb_progress {
    const struct breadcrumb_trail *trail; /* NULL: nothing is known */
    /* how many of the trail's commands are done, and how many have begun; `begun` may be more where
     * commands overlap */
    uint32_t done, begun;
    bool begun_known;
    /* how many executions the progress may belong to, as it is not known to which one; 1: it is
     * certain */
    uint32_t executions;
};

/* The progress of a submission to this queue. Threads: any, once the device is lost. */
struct breadcrumb_progress breadcrumbs_progress(const struct device *device, VkQueue queue,
                                                const struct command_buffer *command_buffer);
/* The progress of the secondary in an execution that has come so far. */
struct breadcrumb_progress
breadcrumbs_progress_within(const struct device *device, VkQueue queue,
                            const struct breadcrumb_progress *outer,
                            const struct breadcrumb_execution *execution);
/* "Frame 7 > Shadow pass": the labels around a command; "" without. */
void breadcrumb_labels(const struct breadcrumb_trail *trail, uint32_t label, char *to, size_t size);

/* --- of the generated hooks (breadcrumb_hooks.c) --- */

extern const struct validator breadcrumbs_validator;

/* Adds what is asked of the driver beyond what the program asks for: an extension for markers. */
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
/* The command begins a render pass instance with VK_RENDERING_RESUMING_BIT. */
void breadcrumbs_resumes(struct call *call);
void breadcrumbs_label_begin(struct call *call, const VkDebugUtilsLabelEXT *label);
void breadcrumbs_label_end(struct call *call);

/* --- between the files of breadcrumbs --- */

/* Where a word of the trail's slot lies, in bytes. */
static inline VkDeviceSize breadcrumb_place(const struct breadcrumb_trail *trail, uint32_t word)
{
    assert(trail->slot && word < BREADCRUMB_WORDS);
    return ((VkDeviceSize)(trail->slot - 1) * BREADCRUMB_WORDS + word) * sizeof(uint32_t);
}

/* Threads: chassis/fork.c. */
void breadcrumbs_fork(enum fork_step step);

/* Nothing that writes there is pending: all words of the trail's slot become 0. */
void breadcrumbs_clear(const struct breadcrumbs *breadcrumbs, const struct breadcrumb_trail *trail);

#endif
