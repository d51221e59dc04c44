/* Simplifies a module after checks were added. The layer's functions that are called once are
 * inlined; the layer's unused types, constants and values are removed. */
#ifndef ASSAY_SPIRV_TIDY_H
#define ASSAY_SPIRV_TIDY_H

#include "base/base.h"

/* Changes `*words` (owned by mem_alloc), of `*count` words. Ids from `own` on are the layer's;
 * nothing else is removed. If memory is out, the words stay unchanged, which is also correct. The
 * same words give the same result. Threads: any. */
void spirv_tidy(uint32_t **words, uint32_t *count, uint32_t own);

#endif
