/* A rule of the specification was broken: the finding, and whether the call goes down. */
#include "core/rule.h"

static bool tell(const struct call *call, enum rule rule, const struct location *where,
                 const struct finding_objects *objects, const char *format, va_list args)
{
    enum rule asked = (enum rule)(rule & ~RULE_STOPS);
    bool skip = finding_list(call, rule_vuid(call->command, asked), where, objects, format, args);
    return rule & RULE_STOPS ? call_stop(call, skip) : skip;
}

bool rule_broken_in(const struct call *call, enum rule rule, const struct location *where,
                    const struct finding_objects *objects, const char *member, const char *format,
                    ...)
{
    va_list args;
    va_start(args, format);
    bool skip = tell(call, rule, &LOCATION(where, member), objects, format, args);
    va_end(args);
    return skip;
}

bool rule_broken_at(const struct call *call, enum rule rule, const struct location *where,
                    const struct finding_objects *objects, const struct location *at,
                    const char *format, ...)
{
    (void)where;
    va_list args;
    va_start(args, format);
    bool skip = tell(call, rule, at, objects, format, args);
    va_end(args);
    return skip;
}
