/* A finding about a parameter that has details beside its sentence.
 * Threads: that of the call, which holds no lock. */
#ifndef ASSAY_REPORT_DETAILS_H
#define ASSAY_REPORT_DETAILS_H

#include "report/finding/finding.h"

/* As finding(), and as finding_with_details() of finding.h, which has no place for a location. An
 * error. */
bool finding_told_with(const struct call *call, enum vuid vuid, const struct location *where,
                       const struct finding_objects *objects, const struct finding_details *details,
                       const char *format, ...) COLD PRINTF_LIKE(6, 7);

/* Does what finding_with_severity() does, with a list of arguments. */
bool finding_list_with_severity(const struct call *call, enum severity severity, enum vuid vuid,
                                const struct location *where, const struct finding_objects *objects,
                                const char *format, va_list args) COLD;

/* Advice was said at this place: it is counted, and need not be said again. Takes no lock. */
bool advice_is_repeated(const struct call *call, enum vuid vuid, const struct location *where) COLD;

#endif
