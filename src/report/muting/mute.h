/* Decides which findings are reported. It applies the setting message_id_filter, and counts for
 * each id and each place in the program how often the finding was reported. */
#ifndef ASSAY_REPORT_MUTE_H
#define ASSAY_REPORT_MUTE_H

#include "report/names/vuid_text.h"
#include "settings/settings.h"

/* Threads: all but the counters is constant once made; the counters are relaxed atomics that stop
 * at the limit. */
struct mute {
    uint32_t *filtered; /* owned; numbers of muted ids, sorted */
    uint32_t filtered_count;
    uint32_t limit; /* the setting duplicate_message_limit; 0: there is no limit */
    /* owned; for each id, how often it was reported. NULL: there is no limit, or memory was out */
    _Atomic uint32_t *told;
    /* owned; for each id, how often it came from a place that has no entry in `places` */
    _Atomic uint64_t *untold;
    struct mute_place *places; /* owned; MUTE_PLACES entries. NULL if `told` is */
};

struct last_told; /* tally.h */
void last_told_free(struct last_told *last);

/* One place in the program where one id was reported. A place is never forgotten. */
struct mute_place {
    _Atomic uint64_t key; /* mute_key() of id and place; 0: the entry is free */
    _Atomic uint32_t told;
    _Atomic uint32_t said; /* how often the finding had come when the log last gave that number */
    /* how often the finding came after the limit was reached, and was not reported */
    _Atomic uint64_t untold;
    /* Owned. `second` is set when the finding is reported for the second time, `last` when the
     * limit is reached; NULL before. Each is set once, as exit() in another thread may read it at
     * any time. */
    struct last_told *_Atomic second, *_Atomic last;
};

/* How a report was counted. */
struct mute_told {
    struct mute_place *place; /* NULL: the finding is reported however often it comes */
    uint32_t nth;             /* the finding is the n-th one from its place */
    bool last;                /* the limit is reached with it, which the report says */
};

/* MUTE_PLACES is how many places are kept. MUTE_PLACES_OF_ONE: from all places together, an id is
 * reported at most as often as this many places allow. Beyond either a finding is only counted. So
 * a program with ever new places (labels with the frame's number) does not fill the disk. */
#define MUTE_PLACES        4096
#define MUTE_PLACES_OF_ONE 32

void mute_init(struct mute *mute, const struct settings *settings);
void mute_free(struct mute *mute);
bool mute_is_filtered(const struct mute *mute, enum vuid vuid);
/* True if the id will not be reported again from any place. */
bool mute_is_exhausted(const struct mute *mute, enum vuid vuid);
/* Counts one finding of the id from `place`, a hash, and fills in `told`. Returns false if the
 * limit was reached before, so that the finding is not reported. */
bool mute_count(struct mute *mute, enum vuid vuid, uint64_t place, struct mute_told *told);
/* Counts the finding as a repetition if its place has reached the limit, and returns true then.
 * Otherwise nothing is counted, and no entry is made for the place. */
bool mute_counts_repeat(struct mute *mute, enum vuid vuid, uint64_t place);
/* Counts a finding of an exhausted id (mute_is_exhausted()), whatever its place. */
void mute_count_untold(struct mute *mute, enum vuid vuid);
/* True if the setting message_id_filter names the message id with this number. */
bool mute_is_number_filtered(const struct mute *mute, uint32_t number);
/* Called in the child of a fork. The numbers of unreported findings are set to 0, as the parent
 * reports them. Limits that were reached stay reached. */
void mute_fork_child(struct mute *mute);

#endif
