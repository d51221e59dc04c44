/* A message id has a name, the specification's sentence, and its page. They are in a table that is
 * opened, a piece at a time, when a finding fires. */
#ifndef ASSAY_REPORT_VUID_TEXT_H
#define ASSAY_REPORT_VUID_TEXT_H

#include "base/base.h"
#include "report/vuids.h" /* generated: enum vuid */

#define VUID_FRAME_IDS   3072
#define VUID_NUMBER_SEED 8

/* messageIdNumber of each id, the same as the Khronos layer's: XXH32 of the name. */
extern const uint32_t vuid_number[VUID_COUNT];

/* Whether findings of this id are reported. Not those whose sentence was another one when it was
 * read than in the registry that this library was built with (registry/model/changes.py), and not
 * VUID_COUNT. */
bool vuid_is_enforced(enum vuid vuid) COLD;

/* Generated, sorted: the ids that are not. There is none where the library was built with the
 * registry that was read. */
extern const uint32_t vuids_unread[];
extern const uint32_t vuids_unread_count;

/* Generated: the compressed pieces, VUID_FRAME_IDS ids each. */
struct vuid_frame {
    uint32_t offset; /* in vuid_blob */
    uint32_t size;   /* compressed */
    uint32_t length; /* opened */
};
extern const struct vuid_frame vuid_frames[];
extern const unsigned char vuid_blob[];
/* Room for any piece opened. It is written to when memory is out, and takes none before. */
extern char vuid_spare[];

#define VUID_NAME_SIZE 160 /* of the longest name, with its end */

struct vuid_text {
    const char *name; /* "VUID-VkBufferCreateInfo-size-00912" */
    const char *text; /* the sentence; "" when the table cannot be opened */
    const char *page; /* "chapters/resources.html"; "" for what is not a VUID */
    const char *fix;  /* registry/rooms/report/fixes.py, with what report/finding/fix.h fills in; ""
                         where no  mend is usual */
    char *memory;     /* owned; the strings lie in it */
    char fallback[VUID_NAME_SIZE];
};

/* Without memory there is the name alone, and the rest is empty; never fails.
 * Threads: any. Lock: one of its own, over the piece that was opened last. */
void vuid_text_open(struct vuid_text *text, enum vuid vuid);
void vuid_text_close(struct vuid_text *text);
/* Threads: chassis/fork.c. */
void vuid_text_fork(enum fork_step step);

/* The number that a message id of this name has (known to this version or not). */
uint32_t message_number(const char *name);

#endif
