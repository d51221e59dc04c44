/* The line `fix` of a finding says how to repair the program, if there is one usual repair.
 *
 * Most fixes come with the id (registry/rooms/report/fixes.py, registry/fixes.txt), and a check
 * does not mention them. A check that knows more, such as which fence to wait for, gives the fix
 * itself:
 *
 *     const char *fix = FIX("wait for %s before it", NAMED(call, HANDLE_FENCE, fence));
 *     skip |= finding_with_fix(call, vuid, where, objects, fix, "is in use ...");
 *
 * A fix is one sentence that begins with a verb and has no full stop. It must be right whenever the
 * finding is reported. Threads: the thread of the call, which holds no lock. */
#ifndef ASSAY_REPORT_FIX_H
#define ASSAY_REPORT_FIX_H

#include "base/string_builder.h"
#include "report/finding/finding.h"

/* Does what finding() does, with another fix than the id's. `fix` is shown as it stands. NULL: the
 * fix of the id is shown; "": none is. */
bool finding_with_fix(const struct call *call, enum vuid vuid, const struct location *where,
                      const struct finding_objects *objects, const char *fix, const char *format,
                      ...) COLD PRINTF_LIKE(6, 7);

/* A fix that is formatted for the parameter above: `FIX("wait for %s before it", NAMED(call,
 * HANDLE_FENCE, fence))`. */
struct fix_text {
    char text[512];
};
const char *fix_format(struct fix_text *fix, const char *format, ...) COLD PRINTF_LIKE(2, 3);
#define FIX(...) fix_format(&(struct fix_text){.text = ""}, __VA_ARGS__)

/* Writes a fix of the registry, and fills in its placeholders: names of objects and features.
 * Nothing is written for "". */
void fix_write(struct string_builder *to, const struct call *call,
               const struct finding_objects *objects, const char *fix) COLD;

#endif
