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

/* Changes when anything below does. */
#define AFTERMATH_LAYOUT 0x61667402u

#define AFTERMATH_QUEUES 16 /* of a device; more are left out */
/* submissions of each queue that are kept, the last ones */
#define AFTERMATH_SUBMISSIONS 8
/* command buffers that are named of one submission */
#define AFTERMATH_COMMAND_BUFFERS 7
#define AFTERMATH_OBJECTS         4096
#define AFTERMATH_TRIES           16 /* places that are looked at for one object */
#define AFTERMATH_NAME            64
#define AFTERMATH_LABELS          152
#define AFTERMATH_DEPTH           16

enum aftermath_kind { AFTERMATH_SUBMIT, AFTERMATH_SPARSE, AFTERMATH_PRESENT };

/* Labels that are open, or that a command buffer has: one text. */
struct aftermath_labels {
    char text[AFTERMATH_LABELS]; /* zero-terminated; cut at its end where there is no room */
    uint16_t length, depth;
    uint16_t ends[AFTERMATH_DEPTH]; /* length of the text before each open label */
};

/* A queue or command buffer, by its handle as the program has it. */
struct aftermath_object {
    _Atomic uint64_t handle; /* 0: a free place */
    uint32_t recording;      /* of a command buffer: gpu_command_buffer::recording; 0: none */
    uint32_t reserved;
    char name[AFTERMATH_NAME]; /* zero-terminated, cut */
    /* of a queue: those that are open. Of a command buffer: the outermost that it has */
    struct aftermath_labels labels;
};

struct aftermath_submission {
    _Atomic uint64_t sequence; /* 0: none; written last */
    uint64_t number;           /* of the queue's submissions, from 1 */
    uint64_t time;             /* CLOCK_MONOTONIC_COARSE, nanoseconds */
    uint32_t kind;             /* enum aftermath_kind */
    uint32_t command_buffer_count;
    uint64_t command_buffers[AFTERMATH_COMMAND_BUFFERS]; /* handles, of the first ones */
    char labels[AFTERMATH_LABELS];                       /* that were open in the queue */
};

struct aftermath_queue {
    _Atomic uint64_t handle; /* 0: there is none */
    uint32_t family, reserved;
    uint64_t count;             /* of submissions */
    _Atomic uint64_t completed; /* all up to this sequence number are known to be done */
    /* by number, modulo AFTERMATH_SUBMISSIONS */
    struct aftermath_submission submissions[AFTERMATH_SUBMISSIONS];
};

/* In mapped memory. Zeroed memory is an empty record. */
struct aftermath {
    uint32_t layout;          /* AFTERMATH_LAYOUT; written last */
    uint32_t process, number; /* of the files' names */
    uint32_t reserved;
    uint64_t device;
    uint32_t gpu;                     /* shaders are checked (gpuav_enable) */
    uint32_t safe;                    /* gpuav_safe_mode */
    uint32_t ring;                    /* the ring is in its file: the driver took that memory */
    _Atomic uint32_t lost;            /* the device is: VK_ERROR_DEVICE_LOST */
    char device_name[AFTERMATH_NAME]; /* what the program calls the device */
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
    uint32_t words; /* of the whole block, with this */
};

/* Then site_count of struct spirv_site, and word_count words of the module as the program gave it
 * (0: it is too large). */
struct aftermath_shader {
    struct aftermath_block block;
    uint32_t id, model, site_count, site_words, word_count;
};

/* The name that the program gave the module of a shader. name_words words of text follow,
 * zero-terminated. */
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
/* bits of a recording's number that its command buffer has for itself */
#define AFTERMATH_RECORDING_SLOTS 18

/* The place of the command or label with this number in the recording's table: the number modulo
 * the table's size. A command buffer that is recorded again overwrites its own. */
static inline uint32_t aftermath_place(uint32_t recording, uint32_t number)
{
    return ((recording << (32 - AFTERMATH_RECORDING_SLOTS)) * 0x9e3779b1u >> 12) + number;
}

/* Written last, of the words before it: threads that write to the same place at once leave nothing
 * that looks whole. */
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
    uint32_t label;             /* the innermost open one: aftermath_label::number; 0: none */
    uint32_t caller[2];         /* aftermath_caller::key, low and high; 0: none */
    uint32_t check;
};

struct aftermath_label {
    uint32_t recording, number; /* from 1 in the recording */
    /* number of the label around it, from 1 in the recording; 0: there is none */
    uint32_t parent;
    char name[48]; /* zero-terminated, cut */
    uint32_t check;
};

/* How often what lives executes a secondary; with 1, which command of which recording does. */
struct aftermath_execution {
    uint32_t recording, count, primary, number;
    uint32_t check;
};

/* The place in the program from which it made a call. A place of the table is never given to
 * another caller. */
struct aftermath_caller {
    _Atomic uint64_t key;   /* call->caller; 0: a free place */
    _Atomic uint32_t whole; /* 1: the text is there */
    char json[500];         /* members of an object: "caller" and, where it fits, "stack" */
};

/* Zeroed memory is an empty list. */
struct aftermath_commands {
    uint32_t layout;                         /* AFTERMATH_LAYOUT; written last */
    char names[AFTERMATH_COMMAND_NAMES][64]; /* zero-terminated; "": no such command was recorded */
    struct aftermath_command commands[AFTERMATH_COMMAND_PLACES];
    struct aftermath_label labels[AFTERMATH_LABEL_PLACES];
    struct aftermath_execution executions[AFTERMATH_EXECUTION_PLACES];
    struct aftermath_caller callers[AFTERMATH_CALLER_PLACES];
};

/* The words of an entry before its check. */
#define AFTERMATH_CHECKED(type_) ((uint32_t)(sizeof(type_) / sizeof(uint32_t)) - 1u)

static inline uint32_t aftermath_caller_place(uint64_t key)
{
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40);
}

#endif
