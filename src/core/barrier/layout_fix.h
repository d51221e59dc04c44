/* The mend of an image that is in another layout than a command takes it to be in. Threads: that of
 * the call. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_LAYOUT_FIX_H
#define ASSAY_CORE_BARRIER_LAYOUT_FIX_H

#include "report/finding/fix.h"
#include "report/names/names_of_values.h"

/* For finding_with_fix(). `found`: the layout that the image is in; `expected`: the layout that the
 * command takes it to be in. */
#define fix_transition(found_, expected_)                            \
    FIX("transition it from %s to %s before, with an image barrier", \
        value_text(VALUES_VkImageLayout, (uint64_t)(found_)).text,   \
        value_text(VALUES_VkImageLayout, (uint64_t)(expected_)).text)

#endif
