/* Labels and tags mute findings. The setting mute_labels names labels of command buffers and
 * queues; a program tags an object or the calling thread (docs/muting.md). Muted findings are
 * counted, and state is tracked as ever. */
#ifndef ASSAY_REPORT_MUTING_H
#define ASSAY_REPORT_MUTING_H

#include "report/names/names.h"
#include "report/vuids.h" /* generated: enum vuid */
#include "settings/settings.h"

/* Tag names of vkSetDebugUtilsObjectTagEXT and vkDebugMarkerSetObjectTagEXT: "ASSAYMUT" and
 * "ASSAYTHR" in ASCII. */
#define MUTING_TAG_OBJECT 0x41535341594d5554u
#define MUTING_TAG_THREAD 0x4153534159544852u

#define MUTING_OBJECTS 8 /* most objects of one finding */

struct muting;

/* Makes the muting. Both parameters must outlive it. Returns NULL if memory is out; then nothing is
 * muted. All functions below accept NULL. Threads: any, except that one thread destroys it. */
struct muting *muting_create(const struct settings *settings, struct names *names) MUST_CHECK;
void muting_destroy(struct muting *muting);
/* Called in the child of a fork. Threads: no others exist. */
void muting_fork_child(struct muting *muting);

/* True if mute_labels names this label. */
bool muting_names_label(const struct muting *muting, const char *name);
/* Handles a tag that the program sets. A tag with another name than those above does nothing. The
 * bytes are globs of message ids, separated by commas; no bytes end the muting. `object` may be
 * NULL. */
void muting_set_tag(struct muting *muting, struct object *object, uint64_t tag, const void *bytes,
                    size_t size);

enum muted_by { MUTED_NOT, MUTED_BY_LABEL, MUTED_BY_TAG };

/* True if a label or tag may mute anything. */
bool muting_is_in_use(const struct muting *muting);
/* Returns whether a finding of this id in this call is muted, and by what. `objects` are the live
 * objects of the finding; NULL entries are skipped. */
enum muted_by muting_judge(struct muting *muting, const struct call *call, enum vuid vuid,
                           struct object *const objects[MUTING_OBJECTS]);
/* Counts one muted finding. */
void muting_count(struct muting *muting, enum muted_by by);

struct muted_counts {
    uint64_t by_labels, by_tags;
};
/* Returns how many findings were muted since the last call of this function. */
struct muted_counts muting_take_counts(struct muting *muting);
/* Writes "3 findings were muted: 2 by labels (mute_labels), 1 by tags of the program
 * (mute_tags)". */
void muted_counts_write(struct string_builder *text, struct muted_counts counts);

#endif
