/* Advice: findings about programs that are correct and cost more than they need to. The table
 * (registry/practices.toml) has for each id what it costs and what to do instead. The finding
 * itself says why here.
 *
 * Advice is said once for a place in the program. How often it came is said at the end. */
#ifndef ASSAY_REPORT_PRACTICE_H
#define ASSAY_REPORT_PRACTICE_H

#include "base/string_builder.h"
#include "report/finding/finding.h"

/* The settings that ask for a piece of advice: validate_best_practices_arm and so on. */
enum practice_vendor {
    PRACTICE_ARM = 1 << 0,
    PRACTICE_AMD = 1 << 1,
    PRACTICE_IMG = 1 << 2,
    PRACTICE_NVIDIA = 1 << 3,
    PRACTICE_LEGACY = 1 << 4,   /* legacy_detection */
    PRACTICE_REDUNDANT = 1 << 5 /* validate_best_practices_redundant */
};

/* The resource that a program saves; in the order of practice_saves_name[]. */
enum practice_saves {
    SAVES_MEMORY,
    SAVES_BANDWIDTH,
    SAVES_GPU,
    SAVES_CPU,
    SAVES_PORTABILITY,
    SAVES_COUNT
};

/* const. */
struct practice {
    uint8_t severity; /* enum severity */
    uint8_t vendors;  /* enum practice_vendor, any of them; 0: validate_best_practices is enough */
    uint8_t saves;    /* enum practice_saves */
};

/* Generated. */
extern const struct practice practices[];
extern const char *const practice_saves_name[SAVES_COUNT]; /* "memory", "bandwidth", "gpu" ... */
extern const char *const practice_vendor_name[];           /* by the bit's number: "arm" ... */
#define PRACTICE_VENDORS 6

/* NULL: the id is not one of advice. */
static inline const struct practice *practice_of(enum vuid vuid)
{
    return vuid >= VUID_FIRST_PRACTICE && vuid < VUID_COUNT ? &practices[vuid - VUID_FIRST_PRACTICE]
                                                            : NULL;
}

/* The parts of a finding that come from the table. Threads: on the stack of the finding. */
struct practice_details {
    struct finding_details details;
    struct string_builder json;
    char json_buffer[512];
};
/* `cost`: the text of the id. Ended by practice_details_end(). */
const struct finding_details *practice_details_begin(struct practice_details *own,
                                                     const struct practice *practice,
                                                     const char *cost) COLD;
void practice_details_end(struct practice_details *own) COLD;

#endif
