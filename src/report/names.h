/* What the app says about its objects: a debug name, and labels that are open in a queue or command buffer.
 * Kept aside from the objects, as few have either. Threads: any; one lock for each 64th of the objects, held over a copy. */
#ifndef ASSAY_REPORT_NAMES_H
#define ASSAY_REPORT_NAMES_H

#include "report/report.h"

struct names;

struct names *names_create(void) MUST_CHECK;
void names_destroy(struct names *names);
/* In the child of a fork: forgets what another thread was changing at that moment. Threads: no others exist. */
void names_fork_child(struct names *names);

/* Objects are told apart by their id, which no other object ever gets. All of these may fail silently when memory is out:
 * then there is a name or label less to show. */
void names_set(struct names *names, uint64_t id, const char *name);
char *names_copy(struct names *names, uint64_t id) MUST_CHECK;
void names_forget(struct names *names, uint64_t id);
/* Forgets it and hands its name to the caller; NULL when it had none. */
char *names_take(struct names *names, uint64_t id) MUST_CHECK;

void names_begin_label(struct names *names, uint64_t id, const char *name, const float color[4]);
void names_insert_label(struct names *names, uint64_t id, const char *name, const float color[4]);
void names_end_label(struct names *names, uint64_t id);
void names_clear_labels(struct names *names, uint64_t id);
uint32_t names_open_labels(struct names *names, uint64_t id);
/* A copy; the caller frees `labels`. */
struct label_list names_copy_labels(struct names *names, uint64_t id);

#endif
