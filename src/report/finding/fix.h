/* The line `fix` of a finding says what mends it, where one mend is usual.
 *
 * Most come with their id (registry/rooms/report/fixes.py, registry/fixes.txt): a check need not
 * know of them. A check that knows more, such as which fence to wait for, says it itself:
 *
 *     skip |= finding_with_fix(call, vuid, where, objects, "wait for VkFence 0x500000303 before
 * it", "is in use ...");
 *
 * A fix is one sentence that begins with a verb and has no full stop. It must be right whenever the
 * finding is reported. Threads: that of the call, which holds no lock. */
#ifndef ASSAY_REPORT_FIX_H
#define ASSAY_REPORT_FIX_H

#include "base/string_builder.h"
#include "report/finding/finding.h"

/* As finding(). `fix`: shown as it stands, instead of the one that comes with the id; NULL: that
 * one; "": none. */
bool finding_with_fix(const struct call *call, enum vuid vuid, const struct location *where,
                      const struct finding_objects *objects, const char *fix, const char *format,
                      ...) COLD PRINTF_LIKE(6, 7);

/* A fix put together, for the parameter above: `FIX("wait for %s before it", NAMED(call,
 * HANDLE_FENCE, fence))`. */
struct fix_text {
    char text[512];
};
const char *fix_format(struct fix_text *fix, const char *format, ...) COLD PRINTF_LIKE(2, 3);
#define FIX(...) fix_format(&(struct fix_text){.text = ""}, __VA_ARGS__)

/* Fills in what a fix of the registry leaves open. Nothing is written for "". */
void fix_write(struct string_builder *to, const struct call *call,
               const struct finding_objects *objects, const char *fix) COLD;

#endif
