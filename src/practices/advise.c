/* Reports a piece of advice, if a setting asks for it. */
#include "practices/advise.h"

#include "report/finding/details.h"

bool practices_want_id(const struct call *call, enum vuid id, const struct location *where)
{
    const struct practice *practice = practice_of(id);
    assert(practice);
    return (!practice->vendors || practices_want(call, practice->vendors)) &&
           !advice_is_repeated(call, id, where);
}

void practices_say(const struct call *call, enum vuid id, const struct location *where,
                   const struct finding_objects *objects, const char *format, ...)
{
    const struct practice *practice = practice_of(id);
    assert(practice && format);
    va_list args;
    va_start(args, format);
    (void)finding_list_with_severity(call, (enum severity)practice->severity, id, where, objects,
                                     format, args);
    va_end(args);
}
