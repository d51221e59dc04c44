/* Writes a return address as text, for findings that name the caller of another call. */
#ifndef ASSAY_REPORT_CALLER_H
#define ASSAY_REPORT_CALLER_H

#include <inttypes.h>
#include <stdio.h>

#include "report/sink/callers.h"
#include "report/report.h"

#define CALLER_TEXT_SIZE 256 /* longer paths and symbols are cut */

struct caller_text {
    char text[CALLER_TEXT_SIZE];
};

/* Returns the program's frame of another call, "./cube+0x8f3a (prepare_buffers+0x2c)". `kept` is
 * what an object or a recorded command has kept of that call; `call` is the call with the finding.
 * Threads: any. */
static inline struct caller_text caller_text(const struct call *call, const void *kept)
{
    struct caller_text result;
    const struct caller caller = caller_describe(callers_first_of_kept(call, kept));
    if (!kept)
        snprintf(result.text, sizeof(result.text), "an unknown caller");
    else if (!caller.module)
        snprintf(result.text, sizeof(result.text), "0x%" PRIx64 " (in no module)", caller.offset);
    else if (!caller.symbol)
        snprintf(result.text, sizeof(result.text), "%s+0x%" PRIx64, caller.module, caller.offset);
    else
        snprintf(result.text, sizeof(result.text), "%s+0x%" PRIx64 " (%s+0x%" PRIx64 ")",
                 caller.module, caller.offset, caller.symbol, caller.symbol_offset);
    return result;
}

#endif
