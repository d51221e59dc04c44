/* Reports a finding about a parameter, with details beside its sentence.
 * Threads: the thread of the call, which holds no lock. */
#ifndef ASSAY_REPORT_DETAILS_H
#define ASSAY_REPORT_DETAILS_H

#include "report/finding/finding.h"

/* Reports an error, like finding() of finding.h, with details. finding_with_details() of finding.h
 * does the same without a location. */
bool finding_told_with(const struct call *call, enum vuid vuid, const struct location *where,
                       const struct finding_objects *objects, const struct finding_details *details,
                       const char *format, ...) COLD PRINTF_LIKE(6, 7);

/* Does what finding_with_severity() does, with a list of arguments. */
bool finding_list_with_severity(const struct call *call, enum severity severity, enum vuid vuid,
                                const struct location *where, const struct finding_objects *objects,
                                const char *format, va_list args) COLD;

/* Returns true if the advice of this id was reported from this place already. The repetition is
 * counted, and the caller need not word the advice. Takes no lock. */
bool advice_is_repeated(const struct call *call, enum vuid vuid, const struct location *where) COLD;

#endif
