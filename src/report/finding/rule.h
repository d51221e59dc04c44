/* Every rule of the specification has this form: a subject says of which call, place and objects.
 * Each rule is one statement. It stands beside the sentence that it enforces.
 *
 *     struct subject s = {.call = call, .objects = OBJECT(HANDLE_BUFFER, buffer)};
 *     REQUIRE(&s, RULE_00912, info->size, "size", "is 0");
 *     return s.skip;
 *
 * REQUIRE() asks, and BROKEN() is for what has been asked. REQUIRE_NEXT() is for a rule that makes
 * sense only where those before it hold. Where one rule is all that a function has to say,
 * BROKEN_BY() needs no subject: `return BROKEN_BY(call, RULE_00912, where, NULL, "is 0");`
 *
 * The rule is a number, RULE_00912: the id that the number has for the call's command. Where it has
 * none, there is no finding. An id is a rule as well (VUID_VkBufferCreateInfo_size_00912), and so
 * is a variable of enum rule or enum vuid.
 *
 * The place is the name of a member of the subject ("size"), or a location
 * (&LOCATION_INDEX(where, "pRegions", i); NULL: the call as a whole).
 *
 * The text says what is wrong, as that of finding() does. Nothing but the condition is evaluated
 * while it holds: neither place, objects nor arguments of the text. */
#ifndef ASSAY_REPORT_RULE_H
#define ASSAY_REPORT_RULE_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* The call, place and objects that a check is about. Threads: on the stack of the hook. */
struct subject {
    const struct call *call;
    /* of the structure that is checked; NULL: parameters of the command itself */
    const struct location *where;
    const struct finding_objects *objects; /* of all its findings; NULL: none */
    bool skip;                             /* what the findings so far answered */
    /* A rule was found broken, also one that the call's command does not have. What follows from it
     * is not asked then, and a draw keeps what it looked at for the next one, which may have it. */
    bool wrong;
};

/* The rule holds where the condition does. */
#define REQUIRE(subject_, rule_, condition_, place_, ...) \
    REQUIRE_OF(subject_, (subject_)->objects, rule_, condition_, place_, __VA_ARGS__)

/* The same, but only asked while no rule of the subject was found broken: a consequence of a
 * mistake is not a second mistake. */
#define REQUIRE_NEXT(subject_, rule_, condition_, place_, ...) \
    REQUIRE((subject_), rule_, (subject_)->wrong || (condition_), place_, __VA_ARGS__)

/* The same as REQUIRE(), for other objects than the subject's. */
#define REQUIRE_OF(subject_, objects_, rule_, condition_, place_, ...)   \
    do {                                                                 \
        if (unlikely(!(condition_)))                                     \
            RULE_BROKEN(subject_, objects_, rule_, place_, __VA_ARGS__); \
    } while (0)

/* The rule was found broken. */
#define BROKEN(subject_, rule_, place_, ...) \
    BROKEN_OF(subject_, (subject_)->objects, rule_, place_, __VA_ARGS__)

/* The same as BROKEN(), for other objects than the subject's. */
#define BROKEN_OF(subject_, objects_, rule_, place_, ...)            \
    do {                                                             \
        RULE_BROKEN(subject_, objects_, rule_, place_, __VA_ARGS__); \
    } while (0)

/* A rule whose breach the driver would follow (a pointer or handle that is missing, an index past
 * the end of an array): what breaks it does not reach the driver, whatever callbacks answer. */
#define RULE_STOPS   (1 << 23)
#define STOPS(rule_) (RULE_STOPS | (int)(rule_))

/* The call was found to break the rule, where no subject is at hand. This is an expression: true if
 * the call shall be skipped. `at`: a location; NULL: the call as a whole. */
#define BROKEN_BY(call_, rule_, at_, objects_, ...) \
    rule_broken_by((call_), (enum rule)(rule_), (at_), (objects_), __VA_ARGS__)

/* Used by REQUIRE() and BROKEN() alone. */
#define RULE_BROKEN(subject_, objects_, rule_, place_, ...)                            \
    _Generic((place_),                                                                 \
        char *: rule_broken_in,                                                        \
        const char *: rule_broken_in,                                                  \
        default: rule_broken_at)((subject_), (enum rule)(rule_), (objects_), (place_), \
                                 __VA_ARGS__)

/* Reports, and notes in the subject how callbacks answered. If the call's command does not have the
 * rule, nothing is reported, and nothing is stopped. `member` is a member of the subject; `at` is a
 * place, in place of the subject's. */
void rule_broken_in(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const char *member, const char *format, ...) COLD PRINTF_LIKE(5, 6);
void rule_broken_at(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const struct location *at, const char *format, ...) COLD PRINTF_LIKE(5, 6);

/* As rule_broken_at(), for BROKEN_BY() alone. Returns whether the call shall be skipped. */
bool rule_broken_by(const struct call *call, enum rule rule, const struct location *at,
                    const struct finding_objects *objects, const char *format, ...) COLD
    PRINTF_LIKE(5, 6);

/* Makes what was found of a part (an element, a structure) count for the whole as well. */
static inline void subject_add(struct subject *whole, const struct subject *part)
{
    whole->skip |= part->skip;
    whole->wrong |= part->wrong;
}

static inline bool subject_has(const struct subject *subject, enum feature feature)
{
    return device_has_feature(subject->call->device, feature);
}

/* The structure of a type in a chain (PIPELINE_CREATE_FLAGS_2_CREATE_INFO), or NULL. */
#define CHAINED(chain_, TYPE_) (chain_find((chain_), VK_STRUCTURE_TYPE_##TYPE_))

/* The name of a value, for messages. */
#define TEXT_OF(type_, value_) value_text(VALUES_##type_, (uint64_t)(value_)).text

#endif
