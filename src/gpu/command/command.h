/* Each action command (draw, dispatch, trace) gives a record to its shaders, by which a finding
 * leads back to the command.
 *
 * Threads: the command buffer's, unless a comment says otherwise. Hot while the GPU side is on: no
 * lock, and no allocation in steady state. */
#ifndef ASSAY_GPU_COMMAND_H
#define ASSAY_GPU_COMMAND_H

#include "base/arena.h"
#include "gpu/device/device.h"
#include "state/command/command_buffer.h"

/* One recorded action command. */
struct gpu_action {
    const void *caller;
    uint64_t pipeline;    /* id; 0: shader objects, or none */
    enum command command; /* as the program spelled it */
    uint32_t number;      /* command_buffer::command_number; grows from one action to the next */
    /* index of the innermost open label in gpu_command_buffer::labels, plus 1; 0 = none */
    uint32_t label;
    /* addresses of the bound sets' tables, in the command's record; NULL: the action has no record
     * of its own */
    const VkDeviceAddress *tables;
    uint32_t table_count;
    uint32_t indirect_stride;
    /* id of the buffer with the parameters; 0: no parameters are checked, or no buffer has their
     * address */
    uint64_t indirect_buffer;
    VkDeviceSize indirect_offset;
};

struct gpu_deferred; /* gpu/buffers/buffers.h */

/* Says for shaders where the vertex buffers of a draw end: VERTICES_... of one input rate. */
struct gpu_vertex_limit {
    uint32_t limit, place, elements, divisor;
    uint64_t buffer; /* id */
};

struct gpu_label {
    char *name;      /* in the arena */
    uint32_t parent; /* the label around it, as gpu_action::label */
    bool muted;      /* the setting mute_labels names the label, or a label around it */
};

/* A vkCmdExecuteCommands that executes a secondary: command `number` of the recording `recording`
 * (gpu_command_buffer::recording). */
#define GPU_EXECUTIONS \
    8 /* the most executions of one secondary that are kept; further ones are only counted */
struct gpu_execution {
    uint32_t recording, number;
    uint32_t count; /* how often this command executes the secondary */
};

/* The data of a command buffer. It is kept with the memory of struct command_buffer, which is never
 * freed. Memory from a device is given back when the command buffer is freed. Threads: the command
 * buffer's, and those that drain. The latter compare `recording` before and after reading; arrays
 * that they may be reading are retired, and the arena's memory stays. */
struct gpu_command_buffer {
    /* gpu_device::serial of the device that owns its chunks and slot; 0: none */
    uint64_t serial;
    uint64_t command_buffer; /* id */
    uint32_t slot;           /* 0: none, as there are too many command buffers */
    /* number of the recording, made from its slot and how often the slot was used; 0: none */
    _Atomic uint32_t recording;
    /* a command of this recording, or of a secondary that it executes, has given a record to
     * shaders */
    bool instrumented;
    struct gpu_deferred *deferred; /* owned, kept over resets: gpu/buffers/buffers.h */
    uint32_t deferred_count, deferred_capacity;
    /* address of the structures that the next indirect copy reads instead of the program's
     * (gpu/buffers/buffers_safe.c); 0: it reads the program's */
    VkDeviceAddress safe_copies;
    /* the current command's record has been written, at the address `record` */
    bool recorded;
    VkDeviceAddress record;
    /* the record in host memory; NULL: the record is shared with other commands */
    uint32_t *record_words;
    /* all indices of the current command are being checked */
    bool indices_seen;
    /* the current command is a draw whose first instance is `first_instance` */
    bool first_known;
    uint32_t first_instance;
    /* the limits that were last given to shaders, by vertex and by instance, at `limits_address` */
    struct gpu_vertex_limit limits[2];
    VkDeviceAddress limits_address; /* 0: none were given */
    struct gpu_action *actions;     /* owned, kept over resets */
    _Atomic uint32_t action_count;
    uint32_t action_capacity;
    struct arena arena;
    struct gpu_label *labels; /* in the arena */
    uint32_t label_count, label_capacity;
    uint32_t open_label; /* as gpu_action::label */
    /* for a secondary: the commands that execute it. Lock: gpu_device::recordings_lock, also for
     * the next line */
    struct gpu_execution executions[GPU_EXECUTIONS];
    uint32_t execution_count, execution_more; /* `more` counts executions that found no room */
    /* owned; pieces of GPU_MEMORY_READ. Kept over resets */
    struct gpu_memory *chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t chunk;       /* index of the chunk that is being filled */
    uint32_t chunk_used;  /* bytes of that chunk that are in use */
    struct gpu_pushed {   /* the table of the last pushed descriptors, by bind point */
        uint32_t version; /* bind_point_state::pushed_version plus 1; 0: none */
        VkDeviceAddress table;
    } pushed[BIND_POINTS];
};

/* Called when the device is destroyed: command buffers that the program leaked lose their memory of
 * it. */
void gpu_commands_forget(struct gpu_device *gpu);

/* Takes `size` bytes that shaders may read until the command buffer is reset, aligned to 64, for
 * data of one recorded command. NULL: memory is out, and instrumentation has been stopped. Threads:
 * the command buffer's. */
void *gpu_command_take(const struct call *call, struct gpu_command_buffer *commands, uint32_t size,
                       VkDeviceAddress *address) MUST_CHECK;

/* Returns the data of the call's command buffer, which is being recorded; NULL: it has none. */
struct gpu_command_buffer *gpu_call_commands(const struct call *call);

/* Returns the index in gpu_command_buffer::actions of the current action command: all its
 * gpu_before_Cmd... hooks see the same. */
static inline uint32_t gpu_command_index(const struct gpu_command_buffer *commands)
{
    return atomic_load_explicit(&commands->action_count, memory_order_relaxed) - 1;
}

/* Called before and after the other hooks of each action command (by the generated validator.c).
 * The first function notes the command. The second one pushes the address of the command's record
 * to its instrumented shaders, as push constants. `point` is the bind point that the command uses;
 * BIND_POINTS: one that is not tracked. */
void gpu_action_begin(struct call *call, uint32_t point);
void gpu_action_end(struct call *call, uint32_t point);

/* Returns the bind point whose pipeline vkCmdExecuteGeneratedCommandsEXT runs. */
uint32_t gpu_generated_point(const VkGeneratedCommandsInfoEXT *info);

/* Notes for findings that the current command's parameters are in this buffer. */
void gpu_command_note_indirect(const struct call *call, VkBuffer buffer, VkDeviceSize offset,
                               uint32_t stride);
/* Notes the same for a device address. The buffer that has the address is noted, if there is
 * one. */
void gpu_command_note_address(const struct call *call, VkDeviceAddress address, uint32_t stride);

/* Returns the address of the record (COMMAND_...) of the current command, with the tables of the
 * bind point's sets. It is written once for each command. Shaders of the layer that run before the
 * command use it, too. If memory is out, it is the anonymous record. */
VkDeviceAddress gpu_command_record(const struct call *call, struct gpu_command_buffer *commands,
                                   uint32_t point);

/* --- for readers of records --- */

/* The most sets that findings name. Struct gpu_origin has copies of facts about the command of a
 * record, so that they last. */
#define ORIGIN_TABLES 8 /* sets that findings name */
#define GPU_EXECUTORS 3 /* the most executing commands that are reported */

/* A vkCmdExecuteCommands that executed a record's secondary. */
struct gpu_executor {
    /* id of the executing command buffer; 0: it was freed or recorded again */
    uint64_t command_buffer;
    const void *caller;
    uint32_t number; /* number of the vkCmdExecuteCommands */
    bool muted;      /* as gpu_origin::muted */
    char labels[256];
};

struct gpu_origin {
    bool found;
    uint64_t command_buffer; /* id */
    struct gpu_action action;
    char labels[256]; /* "frame 12 > shadow pass"; "" if there are none */
    /* tables of the bound sets, by set number; 0: none, or not known */
    VkDeviceAddress tables[ORIGIN_TABLES];
    /* True if the command was recorded, or any of its executions was, within a label that the
     * setting mute_labels names. */
    bool muted;
    /* For a secondary: how many executions of it may be pending; 0: none, or not known. */
    uint32_t execution_count;
    /* If the recording is executed once: the command that executes it, then the command that
     * executes that recording, and so on. Otherwise some of all executions. */
    uint32_t executor_count;
    struct gpu_executor executors[GPU_EXECUTORS];
};
/* Finds the command with this number (RECORD_COMMAND), and its executions. (origin.c) */
struct gpu_origin gpu_command_find(struct gpu_device *gpu, uint32_t recording, uint32_t number);
/* Finds the command, but not its executions. The command may also be a vkCmdExecuteCommands. */
struct gpu_origin gpu_command_find_own(struct gpu_device *gpu, uint32_t recording, uint32_t number);

/* Copies bytes out of gpu_command_take()'s memory of a recording. Returns false if that memory does
 * not have the address, or the command buffer has been recorded again. */
bool gpu_command_read(struct gpu_device *gpu, uint32_t recording, VkDeviceAddress address, void *to,
                      uint32_t size) COLD REQUIRES(gpu->drain_lock);

/* True if the recording with this number still exists. */
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

/* Called when the command buffer is recorded again, by this thread. */
void gpu_executions_begin(struct gpu_device *gpu, struct gpu_command_buffer *commands);

#endif
