/* Decides which ids are reported at all. It applies the setting message_id_filter, and counts how
 * often each was reported already, by the place in the program. */
#ifndef ASSAY_REPORT_MUTE_H
#define ASSAY_REPORT_MUTE_H

#include "report/names/vuid_text.h"
#include "settings/settings.h"

/* Threads: all but the counters is constant once made; the counters are relaxed atomics that stop
 * at the limit. */
struct mute {
    uint32_t *filtered; /* owned; numbers of muted ids, sorted */
    uint32_t filtered_count;
    uint32_t limit; /* 0: none */
    /* owned; one for each id. NULL without a limit, or when memory was out */
    _Atomic uint32_t *told;
    /* owned; by id: how often it came when no place was counted for it any more */
    _Atomic uint64_t *untold;
    struct mute_place *places; /* owned; MUTE_PLACES of them. NULL as `told` */
};

struct last_told; /* tally.h */
void last_told_free(struct last_told *last);

/* One place in the program where one id was reported. A place is never forgotten. */
struct mute_place {
    _Atomic uint64_t key; /* of id and place; 0: free */
    _Atomic uint32_t told;
    _Atomic uint32_t said; /* how often the finding had come when the log last said so */
    /* how often the finding came after the limit had been reached */
    _Atomic uint64_t untold;
    /* Owned. Each is set once, as the end of the process may read it at any time: `second` when it
     * was reported twice, `last` when the limit was reached; NULL before. */
    struct last_told *_Atomic second, *_Atomic last;
};

/* How a report was counted. */
struct mute_told {
    struct mute_place *place; /* NULL: the finding is reported however often it comes */
    uint32_t nth;             /* the finding is the n-th one from its place */
    bool last;                /* and the last one: that is to be said */
};

/* Places in all, and of one id: beyond those an id is reported no more. A program whose places
 * never end (labels that count its frames) shall not fill a disk. */
#define MUTE_PLACES        4096
#define MUTE_PLACES_OF_ONE 32

void mute_init(struct mute *mute, const struct settings *settings);
void mute_free(struct mute *mute);
bool mute_is_filtered(const struct mute *mute, enum vuid vuid);
/* True if the id will not be reported again, whatever the place. */
bool mute_is_exhausted(const struct mute *mute, enum vuid vuid);
/* Counts one report of the id from `place`, a hash. False when the limit had been reached there. */
bool mute_count(struct mute *mute, enum vuid vuid, uint64_t place, struct mute_told *told);
/* The limit was reached there: the report is counted as a repeat. No place is made. */
bool mute_counts_repeat(struct mute *mute, enum vuid vuid, uint64_t place);
/* Counts a finding of an id that is reported no more, whatever its place. */
void mute_count_untold(struct mute *mute, enum vuid vuid);
/* True if the user does not want to hear of the message id that has this number. */
bool mute_is_number_filtered(const struct mute *mute, uint32_t number);
/* Called in the child of a fork: only the parent reports what it has counted. The child goes on
 * from there. */
void mute_fork_child(struct mute *mute);

#endif
