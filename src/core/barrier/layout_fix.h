/* The fix that findings propose for an image in another layout than a command expects. Threads: the
 * calling thread. Fields of other objects are read as their own comments allow. */
#ifndef ASSAY_CORE_BARRIER_LAYOUT_FIX_H
#define ASSAY_CORE_BARRIER_LAYOUT_FIX_H

#include "report/finding/fix.h"
#include "report/names/names_of_values.h"

/* A fix for finding_with_fix(). `found`: the layout that the image has; `expected`: the layout that
 * the command expects. */
#define fix_transition(found_, expected_)                            \
    FIX("transition it from %s to %s before, with an image barrier", \
        value_text(VALUES_VkImageLayout, (uint64_t)(found_)).text,   \
        value_text(VALUES_VkImageLayout, (uint64_t)(expected_)).text)

#endif
