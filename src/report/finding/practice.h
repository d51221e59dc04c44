/* Advice is a finding about a program that is correct and costs more than it needs to. The table
 * registry/practices.toml says for each id what it costs and what to do instead. The text of the
 * finding gives the reason in this case.
 *
 * A piece of advice is reported once for each place in the program. Its number of repetitions is
 * reported when the instance ends. */
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

/* One entry of the table of advice. Threads: const. */
struct practice {
    uint8_t severity; /* enum severity */
    /* bits of enum practice_vendor: any of these settings; 0: validate_best_practices alone */
    uint8_t vendors;
    uint8_t saves; /* enum practice_saves */
};

/* Generated. */
extern const struct practice practices[];
extern const char *const practice_saves_name[SAVES_COUNT]; /* "memory", "bandwidth", "gpu" ... */
extern const char *const practice_vendor_name[];           /* by the bit's number: "arm" ... */
#define PRACTICE_VENDORS 6

/* Returns the table's entry for an id; NULL: the id is not a piece of advice. */
static inline const struct practice *practice_of(enum vuid vuid)
{
    return vuid >= VUID_FIRST_PRACTICE && vuid < VUID_COUNT ? &practices[vuid - VUID_FIRST_PRACTICE]
                                                            : NULL;
}

/* The details of a finding that come from the table. Threads: it lies on the stack of the reporting
 * thread. */
struct practice_details {
    struct finding_details details;
    struct string_builder json;
    char json_buffer[512];
};
/* Makes the details of a piece of advice. `cost` is the text of the id. The caller frees them with
 * practice_details_end(). */
const struct finding_details *practice_details_begin(struct practice_details *own,
                                                     const struct practice *practice,
                                                     const char *cost) COLD;
void practice_details_end(struct practice_details *own) COLD;

#endif
