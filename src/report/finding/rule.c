/* Reports that a rule of the specification was broken, and decides whether the call still reaches
 * the driver. */
#include "report/finding/rule.h"

#include "report/names/vuid_text.h"

/* Reports that a rule of the specification was broken, and notes in `subject` whether the call
 * still reaches the driver. */
static void rule_report(struct subject *subject, enum rule rule, const struct location *where,
                        const struct finding_objects *objects, const char *format, va_list args)
{
    const struct call *call = subject->call;
    const enum vuid vuid = rule_vuid(call->command, (enum rule)(rule & ~RULE_STOPS));
    subject->wrong = true;
    if (!vuid_is_enforced(vuid))
        return;
    /* After memory ran out, the layer's state may lack something, and a finding could be wrong.
     * Rules that stop a call are still reported, as they look at the call's own parameters. */
    if (unlikely(mem_failures()) && !(rule & RULE_STOPS))
        return;
    const bool skip = finding_list(call, vuid, where, objects, format, args);
    subject->skip |= rule & RULE_STOPS ? call_stop(call, skip) : skip;
}

void rule_broken_in(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const char *member, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rule_report(subject, rule, &LOCATION(subject->where, member), objects, format, args);
    va_end(args);
}

void rule_broken_at(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const struct location *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rule_report(subject, rule, at, objects, format, args);
    va_end(args);
}

bool rule_broken_by(const struct call *call, enum rule rule, const struct location *at,
                    const struct finding_objects *objects, const char *format, ...)
{
    struct subject subject = {.call = call};
    va_list args;
    va_start(args, format);
    rule_report(&subject, rule, at, objects, format, args);
    va_end(args);
    return subject.skip;
}
