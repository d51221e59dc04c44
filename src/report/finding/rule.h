/* Checks report broken rules of the specification in one form. A subject holds the call, the place
 * and the objects; each rule is one statement, beside the sentence that it enforces.
 *
 *     struct subject s = {.call = call, .objects = OBJECT(HANDLE_BUFFER, buffer)};
 *     REQUIRE(&s, RULE_00912, info->size, "size", "is 0");
 *     return s.skip;
 *
 * REQUIRE() tests a condition. BROKEN() reports without a test. REQUIRE_NEXT() is for a rule that
 * makes sense only where those before it hold. A function with a single rule needs no subject:
 * `return BROKEN_BY(call, RULE_00912, where, NULL, "is 0");`
 *
 * A rule is a number, RULE_00912. It stands for the id that ends in this number among the ids of
 * the call's command. If the command does not have such an id, nothing is reported. An id is a rule
 * as well (VUID_VkBufferCreateInfo_size_00912), and so is a variable of enum rule or enum vuid.
 *
 * The place is the name of a member of the subject ("size"), or a location (&LOCATION_INDEX(where,
 * "pRegions", i); NULL: the call as a whole).
 *
 * The text says what is wrong, as that of finding() does. While the condition holds, nothing else
 * is evaluated: neither the place, nor the objects, nor the arguments of the text. */
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
    bool skip;                             /* some finding of the subject asked to skip the call */
    /* A rule was found broken, also one that the call's command does not have. REQUIRE_NEXT() tests
     * nothing then. A draw does not mark its state as checked, as the next drawing command may have
     * the rule. */
    bool wrong;
};

/* Reports the rule unless the condition is true. */
#define REQUIRE(subject_, rule_, condition_, place_, ...) \
    REQUIRE_OF(subject_, (subject_)->objects, rule_, condition_, place_, __VA_ARGS__)

/* The same, but the condition is only tested while no rule of the subject was found broken: a
 * consequence of a mistake is not a second mistake. */
#define REQUIRE_NEXT(subject_, rule_, condition_, place_, ...) \
    REQUIRE((subject_), rule_, (subject_)->wrong || (condition_), place_, __VA_ARGS__)

/* The same as REQUIRE(), for other objects than the subject's. */
#define REQUIRE_OF(subject_, objects_, rule_, condition_, place_, ...)   \
    do {                                                                 \
        if (unlikely(!(condition_)))                                     \
            RULE_BROKEN(subject_, objects_, rule_, place_, __VA_ARGS__); \
    } while (0)

/* Reports the rule as broken. */
#define BROKEN(subject_, rule_, place_, ...) \
    BROKEN_OF(subject_, (subject_)->objects, rule_, place_, __VA_ARGS__)

/* The same as BROKEN(), for other objects than the subject's. */
#define BROKEN_OF(subject_, objects_, rule_, place_, ...)            \
    do {                                                             \
        RULE_BROKEN(subject_, objects_, rule_, place_, __VA_ARGS__); \
    } while (0)

/* Marks a rule whose violation could crash the driver: a missing pointer or handle, or an index
 * past the end of an array. A call that breaks it does not reach the driver, whatever callbacks
 * answer. */
#define RULE_STOPS   (1 << 23)
#define STOPS(rule_) (RULE_STOPS | (int)(rule_))

/* Reports the rule as broken, for functions without a subject. This is an expression: true if the
 * call shall be skipped. `at_` is a location; NULL: the call as a whole. */
#define BROKEN_BY(call_, rule_, at_, objects_, ...) \
    rule_broken_by((call_), (enum rule)(rule_), (at_), (objects_), __VA_ARGS__)

/* Used by REQUIRE() and BROKEN() alone. */
#define RULE_BROKEN(subject_, objects_, rule_, place_, ...)                            \
    _Generic((place_),                                                                 \
        char *: rule_broken_in,                                                        \
        const char *: rule_broken_in,                                                  \
        default: rule_broken_at)((subject_), (enum rule)(rule_), (objects_), (place_), \
                                 __VA_ARGS__)

/* Reports the rule as broken, and notes in the subject whether the call shall be skipped. If the
 * call's command does not have the rule, nothing is reported, and the call is not stopped. `member`
 * is a member of the subject's place; `at` replaces that place. */
void rule_broken_in(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const char *member, const char *format, ...) COLD PRINTF_LIKE(5, 6);
void rule_broken_at(struct subject *subject, enum rule rule, const struct finding_objects *objects,
                    const struct location *at, const char *format, ...) COLD PRINTF_LIKE(5, 6);

/* Does what rule_broken_at() does without a subject, for BROKEN_BY() alone. Returns whether the
 * call shall be skipped. */
bool rule_broken_by(const struct call *call, enum rule rule, const struct location *at,
                    const struct finding_objects *objects, const char *format, ...) COLD
    PRINTF_LIKE(5, 6);

/* Adds the result of a part (an element, a structure) to the result of the whole. */
static inline void subject_add(struct subject *whole, const struct subject *part)
{
    whole->skip |= part->skip;
    whole->wrong |= part->wrong;
}

static inline bool subject_has(const struct subject *subject, enum feature feature)
{
    return device_has_feature(subject->call->device, feature);
}

/* Returns the structure of a type (PIPELINE_CREATE_FLAGS_2_CREATE_INFO) in a pNext chain; NULL: the
 * chain does not have it. */
#define CHAINED(chain_, TYPE_) (chain_find((chain_), VK_STRUCTURE_TYPE_##TYPE_))

/* The name of a value, for messages. */
#define TEXT_OF(type_, value_) value_text(VALUES_##type_, (uint64_t)(value_)).text

#endif
