/* Notes which queries the process has made. A query for the length of a list does not count.
 * Programs may query with one instance and use another one, so this is global. Threads: any; one
 * atomic word. */
#ifndef ASSAY_PRACTICES_ASKED_H
#define ASSAY_PRACTICES_ASKED_H

#include <stdatomic.h>

#include "base/base.h"

enum asked {
    ASKED_FEATURES = 1 << 0,
    ASKED_CAPABILITIES = 1 << 1,
    ASKED_FORMATS = 1 << 2,
    ASKED_MODES = 1 << 3,
    ASKED_PLANES = 1 << 4,
    ASKED_REQUIREMENTS = 1 << 5,
    ASKED_SPARSE = 1 << 6,
};

/* Bits of enum asked. Relaxed. */
extern HIDDEN _Atomic uint32_t practices_asked;

static inline bool asked_was(enum asked what)
{
    return atomic_load_explicit(&practices_asked, memory_order_relaxed) & (uint32_t)what;
}

/* Loaded first, as most calls are repeated queries. */
static inline void asked_note(enum asked what)
{
    if (!asked_was(what))
        atomic_fetch_or_explicit(&practices_asked, (uint32_t)what, memory_order_relaxed);
}

#endif
