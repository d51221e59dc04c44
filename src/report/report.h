/* A finding as it is delivered. finding() fills in the structure, and messages, the log and JSON
 * lines are written from it. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/names/vuid_text.h"

/* most objects of a report: the call's own, and those of struct finding_objects */
#define REPORT_OBJECTS 5

/* Describes a return address in the program. */
struct caller {
    const char *module; /* as the dynamic linker knows it; NULL when the address is in none */
    uint64_t offset;    /* where the call lies in the module, in bytes, as addr2line takes it */
    const char *symbol; /* NULL when the module exports none there */
    uint64_t symbol_offset;
    const uint8_t *build_id; /* the linker's note of the module; NULL: the module has none */
    uint32_t build_id_size;
};

/* The stack of another call, the innermost frame first. A message in one line shows
 * `frames[first]`. One allocation. */
struct caller_path {
    uint32_t count, first;
    struct caller frames[];
};

struct report_object {
    enum handle_type type;
    uint64_t handle; /* as the program sees it */
    char *name;      /* owned; NULL: the object has no name */
    /* owned; the calls that created and destroyed the object. NULL: it is not known, or did not
     * happen */
    struct caller_path *created, *destroyed;
};

/* Labels that are open, oldest first. One allocation, owned. */
struct label_list {
    uint32_t count;
    VkDebugUtilsLabelEXT *labels;
};

#define THREAD_NAME_SIZE 16 /* bytes, the system's limit; longer names are cut */

/* One report. Threads: it lies on the stack of the reporting thread. It does not own what its
 * pointers lead to unless a comment says so. */
struct report {
    enum severity severity;
    uint32_t number;
    const char *id;        /* "VUID-VkBufferCreateInfo-size-00912" */
    const char *spec_text; /* "" when there is none */
    const char *spec_page; /* "chapters/resources.html"; "" when there is none */
    /* the statement that the message quotes in place of `id`, `spec_text` and `spec_page`; NULL:
     * those */
    const struct vuid_text *quoted;
    const char *command;  /* "vkCreateBuffer"; NULL when it is about no call */
    const char *location; /* "pCreateInfo->size"; "" for the call as a whole */
    const char *text;     /* "is 0" */
    /* how to repair the program, a sentence without full stop; NULL: there is no usual repair */
    const char *fix;
    uint32_t object_count;
    struct report_object objects[REPORT_OBJECTS];
    struct label_list queue_labels;
    struct label_list command_buffer_labels;
    struct caller caller; /* the frame of the program that a message in one line shows */
    /* all frames, the innermost first, `caller` among them; NULL: only `caller` is known */
    const struct caller *stack;
    uint32_t stack_count, stack_first;  /* `stack[stack_first]` is `caller` */
    uint32_t process, thread;           /* the system's numbers of them */
    char thread_name[THREAD_NAME_SIZE]; /* "": the thread has no name */
    /* microseconds since 1970-01-01, by the system's clock; 0: not known */
    uint64_t time;
    const char *application; /* NULL: the application has no name */
    /* the parameters of the call as a tree; NULL unless the setting message_print_parameters is on
     */
    const char *parameters;
    const struct finding_details *details; /* NULL: none */
    /* this copy goes to messengers, which do not get finding_details::sentence */
    bool is_messengers;
    /* the log and the JSON lines get the report whatever the setting report_flags says */
    bool always;
    /* the limit, if it is reached with this report and the id is not reported again; 0: it is not
     */
    uint32_t last_of;
    bool once; /* it is advice, which is reported once from a place whatever the limit is */
    /* the place with its counters; NULL: the finding is reported however often it comes */
    struct mute_place *place;
    uint32_t nth; /* the report is the n-th one from there */
    /* a hash that is equal for reports from one place whose texts differ in numbers only; 0: the
     * log shows each of them in full */
    uint64_t same;
};

/* Writes a report as text (report/finding/message.c). `color`: with escape sequences of terminals;
 * `with_application`: with the program's name. */
void message_write(struct string_builder *builder, const struct report *report, bool color,
                   bool with_application);
void message_write_json_line(struct string_builder *builder, const struct report *report);
/* Writes the place of a finding in one line: `vkCreateBuffer() pCreateInfo->size, VkBuffer
 * "vertices", by ./cube+0x8f3a`. */
void message_write_place(struct string_builder *builder, const struct report *report);
/* Writes "Assay repeated VUID-..., 10 times so far: ", the place, and a line break. `when` is "so
 * far", for example. */
void message_write_repeats(struct string_builder *builder, const char *id, uint64_t count,
                           const char *when, const char *place);
/* Writes {"module": ..., "offset": ...}, the form of a frame in JSON lines. */
void message_write_json_caller(struct string_builder *builder, const struct caller *caller);
/* Writes {"type": ..., "handle": ..., "name": ...}, the form of an object in JSON lines. */
void message_write_json_object(struct string_builder *builder, const struct report_object *object);
/* Writes the JSON object that the setting message_format_json asks for. Its members are those of
 * the Khronos layer, which tools parse. */
void message_write_json(struct string_builder *builder, const struct report *report);
/* Writes a frame: "./cube+0x8f3a (prepare_buffers+0x2c)". */
void message_write_frame(struct string_builder *builder, const struct caller *caller);
/* Writes the callers of the frame that `path` shows in one line: a few lines, each after "\n" and
 * `indent`. `path` NULL: nothing is written. */
void message_write_outer(struct string_builder *builder, const struct caller_path *path,
                         const char *indent);
/* Writes `"caller":{...}`, and `"stack":[...]` with all frames, if there are others. */
void message_write_json_path(struct string_builder *builder, const struct caller_path *path);
const char *severity_name(enum severity severity);

/* location.c */
void location_write(struct string_builder *builder, const struct location *location);

/* Describes a return address (report/sink/caller.c). The names of module and symbol are valid as
 * long as the module is loaded. */
struct caller caller_describe(const void *return_address);
/* Frees the cache of caller_describe(), unless another thread uses it at this moment. Descriptions
 * stay valid. Threads: any. */
void caller_forget(void);
/* Describes the stack that an object or a recorded command has kept of another call
 * (report/sink/callers.c). The caller frees it; NULL: nothing was kept, or memory is out. */
struct caller_path *caller_path_of_kept(const struct call *call, const void *kept) MUST_CHECK;
/* Fills in the reporting thread, and the time: process, thread, thread_name and time. */
void caller_note_thread(struct report *report);

#endif
