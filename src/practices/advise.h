/* Says a piece of advice. What it costs and what to do instead come from registry/practices.toml;
 * the text says why here, with the values and the names that decide:
 *
 *     if (info->mipLodBias != 0)
 *         advise(call, BestPractices_Arm_vkCreateSampler_lod_bias, &LOCATION(where, "mipLodBias"),
 *                NULL, "is %g", (double)info->mipLodBias);
 *
 * It is said once for a place in the program. Advice never makes a call skip: it is said in hooks
 * before and after the call alone.
 * Threads: that of the call. Fields of other objects are read as their
 * own comments allow. */
#ifndef ASSAY_PRACTICES_ADVISE_H
#define ASSAY_PRACTICES_ADVISE_H

#include "objects/device.h"
#include "report/finding/finding.h"
#include "report/names/names_of_values.h"
#include "report/names/object_text.h"
#include "report/finding/practice.h"
#include "vk/chain.h"
#include "vk/pointer.h"

/* Any of the vendors' settings is on. `vendors`: enum practice_vendor; a constant costs a test. */
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
/* A setting asks for the vendors that the table names for the id, and it was not said here yet:
 * programs do each frame what the advice is about. */
bool practices_want_id(const struct call *call, enum vuid id, const struct location *where) COLD;

void practices_say(const struct call *call, enum vuid id, const struct location *where,
                   const struct finding_objects *objects, const char *format, ...) COLD
    PRINTF_LIKE(5, 6);

/* As practices_say(), where it is wanted: otherwise names and values for the text are not looked up
 * either. */
#define advise(call_, id_, where_, ...)                         \
    (practices_want_id((call_), (id_), (where_))                \
         ? practices_say((call_), (id_), (where_), __VA_ARGS__) \
         : (void)0)

/* The parameter that nearly all commands of creation have. */
#define CREATE_INFO (&LOCATION_POINTER(NULL, "pCreateInfo"))

#define TEXT_OF(type_, value_) value_text(VALUES_##type_, (uint64_t)(value_)).text

/* The structure of a type in a chain (PIPELINE_CREATE_FLAGS_2_CREATE_INFO), or NULL. */
#define CHAINED(chain_, TYPE_) (chain_find((chain_), VK_STRUCTURE_TYPE_##TYPE_))

#endif
