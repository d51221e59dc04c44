/* Each action command (draw, dispatch, trace) hands a record to the shaders that it runs, and a
 * finding's record leads back to its command.
 *
 * Hot while the GPU side is on: no lock, and no allocation in steady state. */
#ifndef ASSAY_GPU_COMMAND_H
#define ASSAY_GPU_COMMAND_H

#include "base/arena.h"
#include "gpu/device/device.h"
#include "state/command/command_buffer.h"

/* One action command that was recorded. */
struct gpu_action {
    const void *caller;
    uint64_t pipeline;    /* id; 0: shader objects, or none */
    enum command command; /* as the program spelt it */
    uint32_t number;      /* command_buffer::command_number; grows from one to the next */
    /* gpu_command_buffer::labels: index of the innermost label that was open, and 1; 0 = none */
    uint32_t label;
    /* addresses of the bound sets' tables, in the command's record; NULL: the action has no record
     * of its own */
    const VkDeviceAddress *tables;
    uint32_t table_count;
    uint32_t indirect_stride;
    /* id, of a command whose parameters are looked at; 0: none, or no buffer has its address */
    uint64_t indirect_buffer;
    VkDeviceSize indirect_offset;
};

struct gpu_deferred; /* gpu/buffers/buffers.h */

/* Where the vertex buffers of a draw end, for shaders: VERTICES_... of one rate. */
struct gpu_vertex_limit {
    uint32_t limit, place, elements, divisor;
    uint64_t buffer; /* id */
};

struct gpu_label {
    char *name;      /* in the arena */
    uint32_t parent; /* the label around it, as gpu_action::label */
    bool muted;      /* the setting mute_labels names the label, or a label around it */
};

/* A vkCmdExecuteCommands that executes a secondary: command `number` of this recording
 * (gpu_command_buffer::recording). */
#define GPU_EXECUTIONS \
    8 /* of one secondary that are distinguished; of more their number is known */
struct gpu_execution {
    uint32_t recording, number;
    uint32_t count; /* how often this command executes the secondary */
};

/* Sub-state of a command buffer: command_buffer::gpu. Kept with the memory of struct
 * command_buffer, which is not given back. What it has of a device is given back when the command
 * buffer is freed. Threads: the command buffer's, and those that drain. These look at the number
 * before and after, arrays that they may be reading are retired, and the arena's memory stays. */
struct gpu_command_buffer {
    /* gpu_device::serial of the device that it has chunks and a slot of; 0: of none */
    uint64_t serial;
    uint64_t command_buffer; /* id */
    uint32_t slot;           /* 0: none, there are too many command buffers */
    /* number of the recording: its slot, and how often the slot was used; 0: none */
    _Atomic uint32_t recording;
    /* some command has handed a record to shaders, or a secondary that it executes has */
    bool instrumented;
    struct gpu_deferred *deferred; /* owned, kept over resets: gpu/buffers/buffers.h */
    uint32_t deferred_count, deferred_capacity;
    /* what the next indirect copy reads instead (gpu/buffers/buffers_safe.c); 0: its own */
    VkDeviceAddress safe_copies;
    /* the record of the command that is being recorded has been written: */
    bool recorded;
    VkDeviceAddress record;
    uint32_t *record_words; /* where it can be written; NULL: it is not of this command alone */
    /* of the command that is being recorded: all its indices are being looked at */
    bool indices_seen;
    /* the command that is being recorded is a draw whose first instance is known: */
    bool first_known;
    uint32_t first_instance;
    /* that were handed over last, by vertex and by instance, here: */
    struct gpu_vertex_limit limits[2];
    VkDeviceAddress limits_address; /* 0: nowhere */
    struct gpu_action *actions;     /* owned, kept over resets */
    _Atomic uint32_t action_count;
    uint32_t action_capacity;
    struct arena arena;
    struct gpu_label *labels; /* in the arena */
    uint32_t label_count, label_capacity;
    uint32_t open_label; /* as gpu_action::label */
    /* of a secondary. Lock: gpu_device::recordings_lock, as the next */
    struct gpu_execution executions[GPU_EXECUTIONS];
    uint32_t execution_count, execution_more; /* `more`: elements that found no room */
    /* owned; pieces of GPU_MEMORY_READ. Kept over resets */
    struct gpu_memory *chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t chunk;       /* index of the chunk that is being filled */
    uint32_t chunk_used;  /* bytes of that chunk that are in use */
    struct gpu_pushed {   /* the table of the descriptors that were pushed last, by bind point */
        uint32_t version; /* bind_point_state::pushed_version and 1; 0: none */
        VkDeviceAddress table;
    } pushed[BIND_POINTS];
};

/* The device goes: command buffers that the program leaked have nothing of it any more. */
void gpu_commands_forget(struct gpu_device *gpu);

/* `size` bytes that shaders may read until the command buffer is reset, aligned to 64; for what
 * belongs to one recorded command. NULL: memory is out, and instrumentation has been stopped.
 * Threads: the command buffer's. */
void *gpu_command_take(const struct call *call, struct gpu_command_buffer *commands, uint32_t size,
                       VkDeviceAddress *address) MUST_CHECK;

/* The sub-state of the call's command buffer, which is being recorded; NULL where nothing is to be
 * done. */
struct gpu_command_buffer *gpu_call_commands(const struct call *call);

/* The place in gpu_command_buffer::actions of the action command that is being recorded: all its
 * gpu_before_Cmd... hooks see the same. */
static inline uint32_t gpu_command_index(const struct gpu_command_buffer *commands)
{
    return atomic_load_explicit(&commands->action_count, memory_order_relaxed) - 1;
}

/* Around the other hooks of each action command (the generated validator.c calls them): first it is
 * noted, last its shaders their pointer. `point`: the bind point that it uses, BIND_POINTS: one
 * that is not tracked. */
void gpu_action_begin(struct call *call, uint32_t point);
void gpu_action_end(struct call *call, uint32_t point);

/* The bind point whose pipeline vkCmdExecuteGeneratedCommandsEXT runs. */
uint32_t gpu_generated_point(const VkGeneratedCommandsInfoEXT *info);

/* The parameters of the command that is being recorded lie in this buffer: for findings. */
void gpu_command_note_indirect(const struct call *call, VkBuffer buffer, VkDeviceSize offset,
                               uint32_t stride);
/* The same for a device address. The buffer that has the address is noted, if there is one. */
void gpu_command_note_address(const struct call *call, VkDeviceAddress address, uint32_t stride);

/* The address of the record (COMMAND_...) of the command that is being recorded, with the tables of
 * the bind point's sets. Shaders of the layer's own that run before it use it, too. Written once a
 * command. The anonymous record where memory is out. */
VkDeviceAddress gpu_command_record(const struct call *call, struct gpu_command_buffer *commands,
                                   uint32_t point);

/* --- for readers of records --- */

/* The facts of the command that a record tells of; copied, so that it lasts. */
#define ORIGIN_TABLES 8 /* sets that findings name */
#define GPU_EXECUTORS 3 /* that are reported */

/* A vkCmdExecuteCommands that a record's secondary was executed by. */
struct gpu_executor {
    uint64_t command_buffer; /* id of the one that executes; 0: it is gone */
    const void *caller;
    uint32_t number; /* of the command */
    bool muted;      /* as gpu_origin::muted */
    char labels[256];
};

struct gpu_origin {
    bool found;
    uint64_t command_buffer; /* id */
    struct gpu_action action;
    char labels[256];                      /* "frame 12 > shadow pass"; "" without */
    VkDeviceAddress tables[ORIGIN_TABLES]; /* of the bound sets, by number; 0: none, or not known */
    /* Recorded within a label that the setting mute_labels names, or executed within one, whichever
     * execution it was. */
    bool muted;
    /* For a secondary: how many executions of it may be pending; 0: none is, or that is not known.
     */
    uint32_t execution_count;
    /* Where the recording is executed once: the command that executes it, then the command that
     * executes that recording, and so on. Else some of all executions. */
    uint32_t executor_count;
    struct gpu_executor executors[GPU_EXECUTORS];
};
/* `number`: of the command, RECORD_COMMAND. (origin.c) */
struct gpu_origin gpu_command_find(struct gpu_device *gpu, uint32_t recording, uint32_t number);
/* Finds the command, but not its executions. The command may also be a vkCmdExecuteCommands. */
struct gpu_origin gpu_command_find_own(struct gpu_device *gpu, uint32_t recording, uint32_t number);

/* Copies bytes out of gpu_command_take()'s memory of a recording. False: there are none at the
 * address, or the command buffer has been recorded again. */
bool gpu_command_read(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress address, void *to,
                      uint32_t size) COLD REQUIRES(gpu->drain_lock);

/* The recording with this number is there still. */
static inline bool gpu_recording_lives(const struct gpu_device *gpu, uint32_t recording)
{
    const struct gpu_command_buffer *commands =
        recording ? atomic_load_explicit(&gpu->slots[recording % GPU_RECORDING_SLOTS],
                                         memory_order_acquire)
                  : NULL;
    return commands &&
           atomic_load_explicit(&commands->recording, memory_order_acquire) == recording;
}

/* --- executions.c --- */

/* The command buffer is recorded again, by this thread. */
void gpu_executions_begin(struct gpu_device *gpu, struct gpu_command_buffer *commands);

#endif
