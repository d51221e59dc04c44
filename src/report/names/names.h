/* Keeps the debug names of objects, and the labels that are open in a queue or command buffer. They
 * are in a table beside the objects, as few objects have a name or labels. Threads: any; the table
 * has 64 locks, which are held only while a note is copied or changed. */
#ifndef ASSAY_REPORT_NAMES_H
#define ASSAY_REPORT_NAMES_H

#include "report/report.h"

struct names;

/* Returns the key of an object in the table: its id with a low byte of 0xff. That byte is the type,
 * which changes when the object is retired. The key is never 0. */
static inline uint64_t names_key(const struct object *object)
{
    return atomic_load_explicit(&object->id, memory_order_relaxed) | 0xff;
}

/* Notes that the object may be in the table from now on. Relaxed: the program orders this call
 * before the use of the object in another thread. */
static inline void names_mark(struct object *object)
{
    atomic_fetch_or_explicit(&object->flags, (uint16_t)OBJECT_HAS_NAME, memory_order_relaxed);
}

struct names *names_create(void) MUST_CHECK;
void names_destroy(struct names *names);
/* Called in the child of a fork: forgets what another thread was changing at that moment. Threads:
 * no others exist. */
void names_fork_child(struct names *names);

/* The key is names_key() of the object; no other object ever gets it. If memory is out, these
 * functions do nothing, and findings lack the name or label. */
void names_set(struct names *names, uint64_t id, const char *name);
char *names_copy(struct names *names, uint64_t id) MUST_CHECK;
void names_forget(struct names *names, uint64_t id);
/* Forgets the object's name and hands it to the caller; NULL: the object had no name. */
char *names_take(struct names *names, uint64_t id) MUST_CHECK;

void names_begin_label(struct names *names, uint64_t id, const char *name, const float color[4],
                       bool muted);
void names_insert_label(struct names *names, uint64_t id, const char *name, const float color[4]);
void names_end_label(struct names *names, uint64_t id);
void names_clear_labels(struct names *names, uint64_t id);
uint32_t names_open_labels(struct names *names, uint64_t id);
/* True if one of the open labels is muted. */
bool names_are_labels_muted(struct names *names, const struct object *object);

/* Sets the message ids that a program has muted for the object (report/muting/muting.h). `globs` is
 * taken over; NULL: nothing is muted any more. */
void names_set_muted(struct names *names, struct object *object, char *globs);
/* Returns a copy of these globs, which the caller frees; NULL: nothing is muted, or memory is
 * out. */
char *names_copy_muted(struct names *names, const struct object *object) MUST_CHECK;

/* Returns a copy of the open labels; the caller frees `labels`. */
struct label_list names_copy_labels(struct names *names, uint64_t id);

#endif
