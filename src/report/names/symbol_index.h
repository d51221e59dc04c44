/* Finds the symbol at an address in the code of a loaded module. An index takes logarithmic time,
 * while dladdr() looks at every symbol of the module. */
#ifndef ASSAY_REPORT_SYMBOL_INDEX_H
#define ASSAY_REPORT_SYMBOL_INDEX_H

#include "base/base.h"

/* Offsets in bytes from symbol_index::code. */
struct symbol_range {
    uint32_t start, end;
    uint32_t outer; /* index of the nearest earlier range that ends later, or SYMBOL_NONE */
    uint32_t name;  /* offset in symbol_index::names */
};

#define SYMBOL_NONE UINT32_MAX

/* The symbols of one segment of a module. `names` points into the module.
 * Threads: const once it is made; its owner guards it before. */
struct symbol_index {
    uintptr_t code; /* where the segment begins in memory */
    uint32_t size;  /* bytes of the segment */
    uint32_t count;
    const char *names;
    /* owned; sorted by start. Of ranges with the same start, dladdr() chooses the last */
    struct symbol_range *ranges;
};

/* Makes the index of the segment that contains `address`. Returns false, with nothing to free, in
 * these cases: no module contains the address; the module's tables are not of the usual kind; they
 * have more than `most` symbols; memory is out. While it sorts, it takes twice the memory. Threads:
 * any; it takes the dynamic linker's lock, and does not allocate under that lock. */
bool symbol_index_make(struct symbol_index *index, const void *address, uint32_t most) MUST_CHECK;
void symbol_index_free(struct symbol_index *index);

/* True if the segment of the index contains the address. */
static inline bool symbol_index_covers(const struct symbol_index *index, const void *address)
{
    return (uintptr_t)address - index->code < index->size;
}

/* The symbol that dladdr() names for the address, which the index must cover; NULL: there is none.
 * Does not read the module's memory. */
const struct symbol_range *symbol_index_find(const struct symbol_index *index,
                                             const void *address) MUST_CHECK;

#endif
