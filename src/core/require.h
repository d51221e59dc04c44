/* Checks of one structure with many rules have this form: a subject (what is checked, of which
 * call, where), and one statement per rule. */
#ifndef ASSAY_CORE_REQUIRE_H
#define ASSAY_CORE_REQUIRE_H

#include "objects/device.h"
#include "report/finding.h"
#include "report/names_of_values.h"
#include "vk/chain.h"

/* Threads: on the stack of the hook. */
struct subject {
    struct call *call;
    const struct location *where; /* of the structure; NULL for parameters of the command itself */
    const struct finding_objects *objects;
    bool skip;  /* what the findings so far answered */
    bool wrong; /* there were some */
};

/* One rule of the specification: reports on member `name_` of the subject unless the condition
 * holds. */
#define REQUIRE(subject_, number_, condition_, name_, ...)                                        \
    do {                                                                                          \
        if (unlikely(!(condition_))) {                                                            \
            (subject_)->wrong = true;                                                             \
            (subject_)->skip |=                                                                   \
                finding((subject_)->call, RULE((subject_)->call, number_),                        \
                        &LOCATION((subject_)->where, (name_)), (subject_)->objects, __VA_ARGS__); \
        }                                                                                         \
    } while (0)

static inline bool has(const struct subject *subject, enum feature feature)
{
    return device_has_feature(subject->call->device, feature);
}

/* "is set, but the feature x is not enabled": what many rules about flags come to. */
#define FLAG_NEEDS_FEATURE(subject_, number_, info_, flag_, feature_)                            \
    REQUIRE(subject_, number_, !((info_)->flags & (flag_)) || has(subject_, FEATURE_##feature_), \
            "flags", "contains " #flag_ ", but the feature " #feature_ " is not enabled")

/* The structure of a type in a chain, as a pointer to it, or NULL. */
#define CHAINED(chain_, type_) (chain_find((chain_), (type_)))

/* For messages. */
#define TEXT_OF(type_, value_) value_text(VALUES_##type_, (uint64_t)(value_)).text

#endif
