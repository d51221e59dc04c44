/* One finding on its way out, all of it: what finding() collects, what messages are written from, what sinks deliver. */
#ifndef ASSAY_REPORT_REPORT_H
#define ASSAY_REPORT_REPORT_H

#include "base/string_builder.h"
#include "report/finding.h"

#define REPORT_OBJECTS 5 /* the call's own, and struct finding_objects' */

struct report_object {
    enum handle_type type;
    uint64_t handle; /* as the app sees it */
    char *name;      /* owned; NULL when it has none */
};

/* Labels that are open, oldest first. One allocation, owned. */
struct label_list {
    uint32_t count;
    VkDebugUtilsLabelEXT *labels;
};

/* Where a return address lies. */
struct caller {
    const char *module; /* as the dynamic linker knows it; NULL when the address is in none */
    uint64_t offset;    /* of the call in the module, as addr2line takes it */
    const char *symbol; /* NULL when the module exports none there */
    uint64_t symbol_offset;
};

/* Threads: the calling thread's own, on its stack. Pointers without a note belong to others and outlive the report. */
struct report {
    enum severity severity;
    uint32_t number;
    const char *id;        /* "VUID-VkBufferCreateInfo-size-00912" */
    const char *spec_text; /* "" when there is none */
    const char *spec_page; /* "chapters/resources.html"; "" when there is none */
    const char *command;   /* "vkCreateBuffer"; NULL when it is about no call */
    const char *location;  /* "pCreateInfo->size"; "" for the call as a whole */
    const char *text;      /* "is 0" */
    uint32_t object_count;
    struct report_object objects[REPORT_OBJECTS];
    struct label_list queue_labels;
    struct label_list command_buffer_labels;
    struct caller caller;       /* of the program: what a line shows */
    const struct caller *stack; /* all of them, innermost first, `caller` among them; NULL: nothing is known but `caller` */
    uint32_t stack_count, stack_first; /* `stack[stack_first]` is `caller` */
    uint32_t thread;                   /* the system's number of it */
    const char *application;           /* NULL when it has no name */
    const char *parameters; /* of the call, as a tree; NULL unless the setting message_print_parameters is on */
    const struct finding_details *details; /* NULL: none */
    uint32_t last_of;                      /* this id is told for the last time, being the n-th; 0 otherwise */
};

/* message.c: how a report reads. */
void message_write(struct string_builder *builder, const struct report *report, bool color, bool with_application);
void message_write_json_line(struct string_builder *builder, const struct report *report);
/* The object that the setting message_format_json asks for, with the members that users of the field parse. */
void message_write_json(struct string_builder *builder, const struct report *report);
const char *severity_name(enum severity severity);

/* location.c */
void location_write(struct string_builder *builder, const struct location *location);

/* caller.c: the module's and symbol's names live as long as the module is loaded. */
struct caller caller_describe(const void *return_address);
uint32_t caller_thread(void);

#endif
