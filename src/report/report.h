/* One finding on its way out, all of it: what finding() collects, what messages are written from,
 * what sinks deliver. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/string_builder.h"
#include "report/finding/finding.h"
#include "report/names/vuid_text.h"

/* the object of the call, and those of struct finding_objects */
#define REPORT_OBJECTS 5

/* Where a return address lies. */
struct caller {
    const char *module; /* as the dynamic linker knows it; NULL when the address is in none */
    uint64_t offset;    /* where the call lies in the module, in bytes, as addr2line takes it */
    const char *symbol; /* NULL when the module exports none there */
    uint64_t symbol_offset;
    const uint8_t *build_id; /* the linker's note of the module; NULL: the module has none */
    uint32_t build_id_size;
};

/* Where another call came from, innermost frame first; `frames[first]` is what a line shows. One
 * allocation. */
struct caller_path {
    uint32_t count, first;
    struct caller frames[];
};

struct report_object {
    enum handle_type type;
    uint64_t handle; /* as the program sees it */
    char *name;      /* owned; NULL: the object has no name */
    /* owned; NULL when that is not known, or has not been */
    struct caller_path *created, *destroyed;
};

/* Labels that are open, oldest first. One allocation, owned. */
struct label_list {
    uint32_t count;
    VkDebugUtilsLabelEXT *labels;
};

#define THREAD_NAME_SIZE 16 /* limit of the system: longer names are cut */

/* Threads: the calling thread's own, on its stack. Pointers without a note belong to others and
 * outlive the report. */
struct report {
    enum severity severity;
    uint32_t number;
    const char *id;        /* "VUID-VkBufferCreateInfo-size-00912" */
    const char *spec_text; /* "" when there is none */
    const char *spec_page; /* "chapters/resources.html"; "" when there is none */
    /* people read this id's statement in place of that one; NULL: that one */
    const struct vuid_text *quoted;
    const char *command;  /* "vkCreateBuffer"; NULL when it is about no call */
    const char *location; /* "pCreateInfo->size"; "" for the call as a whole */
    const char *text;     /* "is 0" */
    /* what mends it, a sentence without its end; NULL where no mend is usual */
    const char *fix;
    uint32_t object_count;
    struct report_object objects[REPORT_OBJECTS];
    struct label_list queue_labels;
    struct label_list command_buffer_labels;
    struct caller caller; /* of the program: what a line shows */
    /* all of them, innermost first, `caller` among them; NULL: nothing is known but `caller` */
    const struct caller *stack;
    uint32_t stack_count, stack_first;  /* `stack[stack_first]` is `caller` */
    uint32_t process, thread;           /* the system's numbers of them */
    char thread_name[THREAD_NAME_SIZE]; /* "": the thread has no name */
    /* microseconds since 1970-01-01, by the system's clock; 0: not known */
    uint64_t time;
    const char *application; /* NULL: the application has no name */
    /* of the call, as a tree; NULL unless the setting message_print_parameters is on */
    const char *parameters;
    const struct finding_details *details; /* NULL: none */
    /* it goes to a messenger, and to it alone: finding_details::sentence is not for it */
    bool is_messengers;
    /* the setting report_flags is not asked: what the log and the JSON lines hear in any case */
    bool always;
    uint32_t last_of; /* this id is reported for the last time, being the n-th; 0 otherwise */
    bool once;        /* advice: it is reported once from a place, whatever the limit */
    struct mute_place *place; /* where it was found; NULL: it is reported however often it comes */
    uint32_t nth;             /* the report is the n-th one from there */
    /* a hash that reports from one place have in common whose texts differ in numbers only; 0: the
     * log says each of them in full */
    uint64_t same;
};

/* message.c: how a report reads. */
void message_write(struct string_builder *builder, const struct report *report, bool color,
                   bool with_application);
void message_write_json_line(struct string_builder *builder, const struct report *report);
/* "vkCreateBuffer() pCreateInfo->size, VkBuffer "vertices", by ./cube+0x8f3a": where a finding came
 * from, in short. */
void message_write_place(struct string_builder *builder, const struct report *report);
/* "Assay repeated VUID-..., 10 times so far: " and that, with the line break at the end. `when` is
 * "so far", say. */
void message_write_repeats(struct string_builder *builder, const char *id, uint64_t count,
                           const char *when, const char *place);
/* {"module": ..., "offset": ...}: a frame, as every part of a JSON line has it. */
void message_write_json_caller(struct string_builder *builder, const struct caller *caller);
/* {"type": ..., "handle": ..., "name": ...}: an object, likewise. */
void message_write_json_object(struct string_builder *builder, const struct report_object *object);
/* The object that the setting message_format_json asks for, with the members that users of the
 * field parse. */
void message_write_json(struct string_builder *builder, const struct report *report);
/* "./cube+0x8f3a (prepare_buffers+0x2c)" */
void message_write_frame(struct string_builder *builder, const struct caller *caller);
/* Writes the callers of the one that a line shows: a few lines, each after "\n" and `indent`.
 * Nothing when `path` is NULL. */
void message_write_outer(struct string_builder *builder, const struct caller_path *path,
                         const char *indent);
/* Writes `"caller":{...}`, and `"stack":[...]` with all frames, if there are others. */
void message_write_json_path(struct string_builder *builder, const struct caller_path *path);
const char *severity_name(enum severity severity);

/* location.c */
void location_write(struct string_builder *builder, const struct location *location);

/* caller.c: the module's and symbol's names live as long as the module is loaded. */
struct caller caller_describe(const void *return_address);
/* Frees data that makes later descriptions quicker, unless another thread describes an address at
 * this moment. Descriptions stay as they are. Threads: any. */
void caller_forget(void);
/* callers.c: what was kept of another call, described. Owned by the caller; NULL when nothing was
 * kept, or memory is out. */
struct caller_path *caller_path_of_kept(const struct call *call, const void *kept) MUST_CHECK;
/* Fills in the reporting thread, and the time: process, thread, thread_name and time. */
void caller_note_thread(struct report *report);

#endif
