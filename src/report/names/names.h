/* Keeps what the program says about its objects: a debug name, and labels that are open in a queue
 * or command buffer. That is kept aside from the objects, as few have either. Threads: any; one
 * lock for each 64th of the objects, held over a copy. */
#ifndef ASSAY_REPORT_NAMES_H
#define ASSAY_REPORT_NAMES_H

#include "report/report.h"

struct names;

/* The key of an object in the table: its id, without the type, which goes when the object is
 * retired. Never 0. */
static inline uint64_t names_key(const struct object *object)
{
    return atomic_load_explicit(&object->id, memory_order_relaxed) | 0xff;
}

/* The table may know the object from now on. Relaxed: a thread that shows the object to another
 * thread orders that. */
static inline void names_mark(struct object *object)
{
    atomic_fetch_or_explicit(&object->flags, (uint16_t)OBJECT_HAS_NAME, memory_order_relaxed);
}

struct names *names_create(void) MUST_CHECK;
void names_destroy(struct names *names);
/* Called in the child of a fork: forgets what another thread was changing at that moment. Threads:
 * no others exist. */
void names_fork_child(struct names *names);

/* Objects are distinguished by their id, which no other object ever gets. All of these may fail
 * silently when memory is out: then there is a name or label less to show. */
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

/* Message ids that a program has muted for the object (report/muting/muting.h). `globs` is taken
 * over; NULL: none any more. */
void names_set_muted(struct names *names, struct object *object, char *globs);
/* A copy, which the caller frees, or NULL. */
char *names_copy_muted(struct names *names, const struct object *object) MUST_CHECK;

/* A copy; the caller frees `labels`. */
struct label_list names_copy_labels(struct names *names, uint64_t id);

#endif
