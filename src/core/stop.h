/* Checks of what the driver would follow: a pointer or handle that is missing, an index past the
 * end of an array. */
#ifndef ASSAY_CORE_STOP_H
#define ASSAY_CORE_STOP_H

#include "report/finding.h"

/* As call_stop() (objects/call.h), for checks that only read their call: it lies on the entry's
 * stack, where it is not const. */
static inline bool stop_call(const struct call *call, bool answer)
{
    return call_stop((struct call *)(uintptr_t)call, answer);
}

/* As CHECK(): what breaks the rule does not reach the driver. */
#define CHECK_OR_STOP(call_, vuid_, condition_, where_, objects_, ...) \
    (likely(condition_)                                                \
         ? false                                                       \
         : stop_call((call_), finding((call_), (vuid_), (where_), (objects_), __VA_ARGS__)))

#endif
