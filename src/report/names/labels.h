/* The labels that are open in one queue or command buffer are a stack. It keeps its memory when it
 * is cleared, so that recording the same commands again allocates nothing. Threads: the caller
 * locks. */
#ifndef ASSAY_REPORT_LABELS_H
#define ASSAY_REPORT_LABELS_H

#include "report/report.h"

struct label {
    uint32_t name_offset; /* in struct label_stack.names */
    bool muted;           /* the setting mute_labels names it */
    float color[4];
};

struct label_stack {
    struct label *labels; /* owned */
    /* owned; zero-terminated, one after the other in the order of the labels */
    char *names;
    uint32_t count;
    uint32_t capacity;
    uint32_t names_used;
    uint32_t names_capacity;
    uint32_t muted; /* how many of the open labels are muted */
    /* open labels that are not kept, as they are too many or memory was out; the next End commands
     * belong to them */
    uint32_t unseen;
    /* the innermost label comes from an Insert command: the next label command removes it */
    bool inserted;
};

void label_stack_begin(struct label_stack *stack, const char *name, const float color[4],
                       bool muted);
void label_stack_insert(struct label_stack *stack, const char *name, const float color[4]);
void label_stack_end(struct label_stack *stack);
void label_stack_clear(struct label_stack *stack);
uint32_t label_stack_open(const struct label_stack *stack);
struct label_list label_stack_copy(const struct label_stack *stack);
void label_stack_free(struct label_stack *stack);

#endif
