/* Removes what is superfluous when checks are in a module. A function of ours that is called once
 * stands in the place of its call; types, constants and values of ours that nothing uses go. */
#ifndef ASSAY_SPIRV_TIDY_H
#define ASSAY_SPIRV_TIDY_H

#include "base/base.h"

/* Changes `*words` (owned by mem_alloc), of `*count` words. Ids from `own` on are ours; nothing
 * else is taken away. The words stay as they are where memory is out: they are right either way.
 * The same words give the same result. Threads: any. */
void spirv_tidy(uint32_t **words, uint32_t *count, uint32_t own);

#endif
