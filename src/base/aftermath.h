/* What survives a program that dies: files that the layer writes while the program lives, and that `assay run` reads when
 * it has died. Where the environment names AFTERMATH_VARIABLE, each device has up to three files, whose names begin with
 * its value: "<value>.<process>.<number>" with the last submissions (struct aftermath, mapped), and with ".ring" and
 * ".shaders" behind it what shaders have found, and what is needed to tell of it (gpu/survive.c). A device that is
 * destroyed takes its files along: what is left was alive when the program died.
 *
 * The layer alone writes, the tool alone reads, once the process is gone; both are of one build (`layout`). Knows no
 * Vulkan. */
#ifndef ASSAY_BASE_AFTERMATH_H
#define ASSAY_BASE_AFTERMATH_H

#include <stdatomic.h>
#include <stdint.h>

#define AFTERMATH_VARIABLE "ASSAY_AFTERMATH"
#define AFTERMATH_RING     ".ring"
#define AFTERMATH_SHADERS  ".shaders"

/* Changes when anything below does. */
#define AFTERMATH_LAYOUT 0x61667401u

#define AFTERMATH_QUEUES          16 /* of a device; more are left out */
#define AFTERMATH_SUBMISSIONS     8  /* the last ones of each queue */
#define AFTERMATH_COMMAND_BUFFERS 7  /* of one submission that are named */
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
    char name[AFTERMATH_NAME];      /* zero-terminated, cut */
    struct aftermath_labels labels; /* of a queue: those that are open. Of a command buffer: the outermost that it has */
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
    struct aftermath_submission submissions[AFTERMATH_SUBMISSIONS]; /* by number, modulo AFTERMATH_SUBMISSIONS */
};

/* Mapped. Zeroed is an empty one. */
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

/* --- ".shaders": blocks of 32-bit words, one behind the other, each begins with: --- */

enum aftermath_block_kind {
    AFTERMATH_BLOCK_SHADER = 0x53484452, /* struct aftermath_shader, sites, words of the module */
    AFTERMATH_BLOCK_MODULE = 0x4d4f444c, /* struct aftermath_module, its name */
};

struct aftermath_block {
    uint32_t kind;
    uint32_t words; /* of the whole block, with this */
};

/* Then site_count of struct spirv_site, and word_count words of the module as the program gave it (0: it is too large). */
struct aftermath_shader {
    struct aftermath_block block;
    uint32_t id, model, site_count, site_words, word_count;
};

/* What the program calls the module of a shader. Then name_words words of text, zero-terminated. */
struct aftermath_module {
    struct aftermath_block block;
    uint32_t shader, name_words, handle[2];
};

#endif
