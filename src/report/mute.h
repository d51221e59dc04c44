/* Which ids are told at all: the setting message_id_filter, and how often each was told already. */
#ifndef ASSAY_REPORT_MUTE_H
#define ASSAY_REPORT_MUTE_H

#include "report/vuid_text.h"
#include "settings/settings.h"

/* Threads: all but the counters is constant once made; the counters are relaxed atomics that stop at the limit. */
struct mute {
    uint32_t *filtered; /* owned; numbers of muted ids, sorted */
    uint32_t filtered_count;
    uint32_t limit;         /* 0: none */
    _Atomic uint32_t *told; /* owned; one for each id. NULL without a limit, or when memory was out */
};

void mute_init(struct mute *mute, const struct settings *settings);
void mute_free(struct mute *mute);
bool mute_is_filtered(const struct mute *mute, enum vuid vuid);
bool mute_is_exhausted(const struct mute *mute, enum vuid vuid);
/* Counts one telling. False when the limit had been reached. `*last_of` becomes the limit when this is the last one, else 0. */
bool mute_count(struct mute *mute, enum vuid vuid, uint32_t *last_of);

#endif
