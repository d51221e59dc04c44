/* These files outlive a program that dies: the layer writes them while the program lives, and
 * `assay run` reads them afterwards. Where the environment names AFTERMATH_VARIABLE, each device
 * has up to four files, whose names begin with its value: "<value>.<process>.<number>" with the
 * last submissions (struct aftermath, mapped). ".ring", ".shaders" and ".commands" are put after
 * that name: they hold what shaders have found, and what is needed to report it
 * (gpu/device/survive.c). A device that is destroyed removes its files: what is left was alive when
 * the program died.
 *
 * The layer alone writes, the tool alone reads, once the process is gone; both are of one build
 * (`layout`). Knows no Vulkan.
 * Threads: the layer's writers name theirs (state/object/aftermath.c); the tool reads alone. */
#ifndef ASSAY_BASE_AFTERMATH_H
#define ASSAY_BASE_AFTERMATH_H

#include <stdatomic.h>
#include <stdint.h>

#define AFTERMATH_VARIABLE "ASSAY_AFTERMATH"
#define AFTERMATH_RING     ".ring"
#define AFTERMATH_SHADERS  ".shaders"
#define AFTERMATH_COMMANDS ".commands"

/* Changes when any structure below does. */
#define AFTERMATH_LAYOUT 0x61667402u

#define AFTERMATH_QUEUES 16 /* queues of a device that are kept */
/* submissions that are kept for each queue; the last ones are */
#define AFTERMATH_SUBMISSIONS 8
/* command buffers that are kept for one submission */
#define AFTERMATH_COMMAND_BUFFERS 7
#define AFTERMATH_OBJECTS         4096
#define AFTERMATH_TRIES           16 /* entries that are searched for one object */
#define AFTERMATH_NAME            64
#define AFTERMATH_LABELS          152
#define AFTERMATH_DEPTH           16

enum aftermath_kind { AFTERMATH_SUBMIT, AFTERMATH_SPARSE, AFTERMATH_PRESENT };

/* The open labels of a queue, or the labels of a command buffer, as one text. */
struct aftermath_labels {
    char text[AFTERMATH_LABELS]; /* zero-terminated; truncated if it is too long */
    uint16_t length, depth;
    uint16_t ends[AFTERMATH_DEPTH]; /* length of the text before each open label */
};

/* A queue or command buffer, by the program's handle. */
struct aftermath_object {
    _Atomic uint64_t handle; /* 0: a free entry */
    uint32_t recording;      /* for a command buffer: gpu_command_buffer::recording; 0: none */
    uint32_t reserved;
    char name[AFTERMATH_NAME]; /* zero-terminated, truncated */
    /* for a queue: open labels; for a command buffer: its outermost ones */
    struct aftermath_labels labels;
};

struct aftermath_submission {
    _Atomic uint64_t sequence; /* 0: none; written last */
    uint64_t number;           /* among the queue's submissions, from 1 */
    uint64_t time;             /* CLOCK_MONOTONIC_COARSE, nanoseconds */
    uint32_t kind;             /* enum aftermath_kind */
    uint32_t command_buffer_count;
    uint64_t command_buffers[AFTERMATH_COMMAND_BUFFERS]; /* handles of the first command buffers */
    char labels[AFTERMATH_LABELS];                       /* labels that were open in the queue */
};

struct aftermath_queue {
    _Atomic uint64_t handle; /* 0: there is none */
    uint32_t family, reserved;
    uint64_t count; /* number of submissions */
    /* all submissions up to this sequence number are known to have completed */
    _Atomic uint64_t completed;
    /* index: number modulo AFTERMATH_SUBMISSIONS */
    struct aftermath_submission submissions[AFTERMATH_SUBMISSIONS];
};

/* The record, in mapped memory. Zeroed memory is an empty record. */
struct aftermath {
    uint32_t layout;          /* AFTERMATH_LAYOUT; written last */
    uint32_t process, number; /* part of the files' names */
    uint32_t reserved;
    uint64_t device;
    uint32_t gpu;  /* shaders are checked (gpuav_enable) */
    uint32_t safe; /* gpuav_safe_mode */
    /* the ring is in its file, as the driver accepted that memory */
    uint32_t ring;
    _Atomic uint32_t lost;            /* the device is lost (VK_ERROR_DEVICE_LOST) */
    char device_name[AFTERMATH_NAME]; /* the program's name for the device */
    struct aftermath_queue queues[AFTERMATH_QUEUES];
    struct aftermath_object objects[AFTERMATH_OBJECTS];
};

/* --- ".shaders": blocks of 32-bit words, one after the other, each begins with: --- */

enum aftermath_block_kind {
    AFTERMATH_BLOCK_SHADER = 0x53484452, /* struct aftermath_shader, sites, words of the module */
    AFTERMATH_BLOCK_MODULE = 0x4d4f444c, /* struct aftermath_module, its name */
};

struct aftermath_block {
    uint32_t kind;
    uint32_t words; /* number of words of the whole block, including this one */
};

/* It is followed by site_count of struct spirv_site, and word_count words of the program's module
 * (0: it is too large). */
struct aftermath_shader {
    struct aftermath_block block;
    uint32_t id, model, site_count, site_words, word_count;
};

/* The program's name for the module of a shader. name_words words of zero-terminated text
 * follow. */
struct aftermath_module {
    struct aftermath_block block;
    uint32_t shader, name_words, handle[2];
};

/* --- ".commands": struct aftermath_commands, mapped. Its tables have a fixed size: where there is
 * no free place, what comes later takes that of what was there. --- */

#define AFTERMATH_COMMAND_PLACES   32768
#define AFTERMATH_LABEL_PLACES     8192
#define AFTERMATH_EXECUTION_PLACES 4096
#define AFTERMATH_CALLER_PLACES    1024
#define AFTERMATH_CALLER_TRIES     16
#define AFTERMATH_COMMAND_NAMES    1024
/* bits of a recording's number that count the recordings of one command buffer */
#define AFTERMATH_RECORDING_SLOTS 18

/* The index of the command or label with this number in the recording's table: a hash of the
 * recording plus the number, modulo the table's size. A command buffer that is recorded again
 * overwrites its own entries. */
static inline uint32_t aftermath_place(uint32_t recording, uint32_t number)
{
    return ((recording << (32 - AFTERMATH_RECORDING_SLOTS)) * 0x9e3779b1u >> 12) + number;
}

/* A checksum that is written last: if several threads write the same entry at once, the result is
 * not valid. */
static inline uint32_t aftermath_check(const void *entry, uint32_t words)
{
    uint32_t check = 0x811c9dc5u;
    for (uint32_t i = 0; i < words; i++)
        check = (check ^ ((const uint32_t *)entry)[i]) * 0x01000193u;
    return check;
}

/* A draw, dispatch or trace, or a vkCmdExecuteCommands. */
struct aftermath_command {
    uint32_t recording, number; /* numbers of the recording and the command, as in records */
    uint32_t name;              /* index in aftermath_commands::names */
    uint32_t label;             /* aftermath_label::number of the innermost open label; 0: none */
    uint32_t caller[2];         /* aftermath_caller::key, low and high; 0: none */
    uint32_t check;
};

struct aftermath_label {
    uint32_t recording, number; /* from 1 in the recording */
    /* number of the surrounding label, from 1 in the recording; 0: there is none */
    uint32_t parent;
    char name[48]; /* zero-terminated, truncated */
    uint32_t check;
};

/* How often existing recordings execute a secondary; if it is once, also the command and recording
 * that do. */
struct aftermath_execution {
    uint32_t recording, count, primary, number;
    uint32_t check;
};

/* The place in the program that made a call. An entry of the table never changes its caller. */
struct aftermath_caller {
    _Atomic uint64_t key;   /* call->caller; 0: a free entry */
    _Atomic uint32_t whole; /* 1: the text is complete */
    char json[500];         /* members of a JSON object: "caller" and, if it fits, "stack" */
};

/* The commands of a device. Zeroed memory is an empty list. */
struct aftermath_commands {
    uint32_t layout;                         /* AFTERMATH_LAYOUT; written last */
    char names[AFTERMATH_COMMAND_NAMES][64]; /* zero-terminated; "": no such command was recorded */
    struct aftermath_command commands[AFTERMATH_COMMAND_PLACES];
    struct aftermath_label labels[AFTERMATH_LABEL_PLACES];
    struct aftermath_execution executions[AFTERMATH_EXECUTION_PLACES];
    struct aftermath_caller callers[AFTERMATH_CALLER_PLACES];
};

/* The number of words of an entry before its checksum. */
#define AFTERMATH_CHECKED(type_) ((uint32_t)(sizeof(type_) / sizeof(uint32_t)) - 1u)

static inline uint32_t aftermath_caller_place(uint64_t key)
{
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40);
}

#endif
