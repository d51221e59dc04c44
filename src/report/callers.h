/* The way that a call took through the program: what a finding shows of the stack. */
#ifndef ASSAY_REPORT_CALLERS_H
#define ASSAY_REPORT_CALLERS_H

#include "chassis/call.h"

#define CALLERS 32 /* frames that are kept, the innermost */

/* Threads: the calling thread's own. */
struct callers {
    const void *addresses[CALLERS]; /* return addresses, innermost first */
    uint32_t count;                 /* 0 when the call has no caller */
    uint32_t first; /* the one that a line shows: the first that is neither the loader's nor in a module that caller_ignore names */
};

/* The callers of this call, from the one that called Vulkan outwards. Where the stack cannot be walked up to there, or the
 * layer's own frames do not lead to it, this is the call's caller alone. Frames of the C library at the outer end are left out. */
void callers_find(struct callers *callers, const struct call *call) COLD;

/* The one that a line shows, or NULL. The stack is walked only where the call's own caller is passed over. */
const void *callers_first(const struct call *call) COLD;

/* What to show for something that was recorded by a call from `recorded`: this very call may have recorded it. */
const void *callers_of_recorded(const struct call *call, const void *recorded) COLD;

#endif
