/* Gives a piece of advice. registry/practices.toml has its costs and the alternative; the text
 * gives the reason here, with the values and names that decide:
 *
 *     if (info->mipLodBias != 0)
 *         advise(call, BestPractices_Arm_vkCreateSampler_lod_bias, &LOCATION(where, "mipLodBias"),
 *                NULL, "is %g", (double)info->mipLodBias);
 *
 * It is given once for each place in the program. Advice never makes a call skip, so it is only
 * given in before and after hooks. Threads: the calling thread. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_PRACTICES_ADVISE_H
#define ASSAY_PRACTICES_ADVISE_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "report/finding/practice.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* True if the setting of any of these vendors is on. `vendors`: bits of enum
 * practice_vendor. They should be a constant, so that the compiler makes a single test of it. */
static ALWAYS_INLINE bool practices_want(const struct call *call, uint32_t vendors)
{
    const struct settings *on = call->instance ? &call->instance->settings : NULL;
    return on && ((vendors & PRACTICE_ARM && on->validate_best_practices_arm) ||
                  (vendors & PRACTICE_AMD && on->validate_best_practices_amd) ||
                  (vendors & PRACTICE_IMG && on->validate_best_practices_img) ||
                  (vendors & PRACTICE_NVIDIA && on->validate_best_practices_nvidia) ||
                  (vendors & PRACTICE_LEGACY && on->legacy_detection) ||
                  (vendors & PRACTICE_REDUNDANT && on->validate_best_practices_redundant));
}
/* True if a setting asks for the vendors of the id in the table, and the advice was not given at
 * this place yet: programs repeat the same calls in each frame. */
bool practices_want_id(const struct call *call, enum vuid id, const struct location *where) COLD;

void practices_say(const struct call *call, enum vuid id, const struct location *where,
                   const struct finding_objects *objects, const char *format, ...) COLD
    PRINTF_LIKE(5, 6);

/* Like practices_say(), but evaluates the text's arguments only if the advice is wanted. */
#define advise(call_, id_, where_, ...)                         \
    (practices_want_id((call_), (id_), (where_))                \
         ? practices_say((call_), (id_), (where_), __VA_ARGS__) \
         : (void)0)

/* The parameter that nearly all create commands have. */
#define CREATE_INFO (&LOCATION_POINTER(NULL, "pCreateInfo"))

#define TEXT_OF(type_, value_) value_text(VALUES_##type_, (uint64_t)(value_)).text

/* The structure with this type (such as PIPELINE_CREATE_FLAGS_2_CREATE_INFO) in a chain; NULL:
 * there is none. */
#define CHAINED(chain_, TYPE_) (chain_find((chain_), VK_STRUCTURE_TYPE_##TYPE_))

#endif
