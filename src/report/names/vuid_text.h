/* Gives the texts of a message id: its name, the specification's sentence, the page and the fix.
 * They are in a compressed table, of which one piece is decompressed when a finding is reported. */
#ifndef ASSAY_REPORT_VUID_TEXT_H
#define ASSAY_REPORT_VUID_TEXT_H

#include "base/base.h"
#include "report/vuids.h" /* generated: enum vuid */

#define VUID_FRAME_IDS   3072
#define VUID_NUMBER_SEED 8

/* messageIdNumber of each id. It is XXH32 of the name, and the same as the Khronos layer's. */
extern const uint32_t vuid_number[VUID_COUNT];

/* True if findings of this id are reported. False for VUID_COUNT, and for ids whose sentence has
 * changed: the registry that this library was built with has another sentence than the one that the
 * check was written for (registry/model/changes.py). */
bool vuid_is_enforced(enum vuid vuid) COLD;

/* The ids that are not enforced, sorted. Generated; empty unless the library was built with another
 * registry than the checks were written for. */
extern const uint32_t vuids_unread[];
extern const uint32_t vuids_unread_count;

/* A compressed piece of the table, with VUID_FRAME_IDS ids. Generated. */
struct vuid_frame {
    uint32_t offset; /* in vuid_blob */
    uint32_t size;   /* bytes, compressed */
    uint32_t length; /* bytes, decompressed */
};
extern const struct vuid_frame vuid_frames[];
extern const unsigned char vuid_blob[];
/* Is large enough for any decompressed piece. It is used when memory is out; until then its pages
 * are not written and take no memory. */
extern char vuid_spare[];

#define VUID_NAME_SIZE 160 /* bytes of the longest name, with its final 0 */

struct vuid_text {
    const char *name; /* "VUID-VkBufferCreateInfo-size-00912" */
    const char *text; /* the sentence; "" if memory was out */
    const char *page; /* "chapters/resources.html"; "" for what is not a VUID */
    /* the fix, with placeholders that fix_write() fills in (registry/rooms/report/fixes.py); "" */
    const char *fix;
    char *memory; /* owned; the strings lie in it; NULL: memory was out */
    char fallback[VUID_NAME_SIZE];
};

/* Fills in the texts of an id. It never fails: if memory is out, only the name is given, and the
 * other strings are empty. Threads: any; the decompressed piece has a lock of its own. */
void vuid_text_open(struct vuid_text *text, enum vuid vuid);
void vuid_text_close(struct vuid_text *text);
/* Threads: chassis/fork.c. */
void vuid_text_fork(enum fork_step step);

/* Returns the number of the message id with this name, also of a name that this version does not
 * know. */
uint32_t message_number(const char *name);

#endif
