/* Finds the symbol at an address in the code of a loaded module. An index answers in logarithmic
 * time what dladdr() answers after a look at every symbol of the module. */
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
    struct symbol_range *ranges; /* owned; by start. Of equal ones the last is dladdr()'s choice */
};

/* Makes the index of the segment that `address` lies in. False, with nothing to free: no module has
 * it, the module's tables are not of the usual kind or have more than `most` symbols, or memory is
 * out. Takes as much memory again while it sorts. Threads: any; it takes the dynamic linker's lock,
 * under which it does not allocate. */
bool symbol_index_make(struct symbol_index *index, const void *address, uint32_t most) MUST_CHECK;
void symbol_index_free(struct symbol_index *index);

/* True: the segment of the index has the address. */
static inline bool symbol_index_covers(const struct symbol_index *index, const void *address)
{
    return (uintptr_t)address - index->code < index->size;
}

/* The symbol that dladdr() names for the address, which the index must cover; NULL: there is none.
 * Does not read the module's memory. */
const struct symbol_range *symbol_index_find(const struct symbol_index *index,
                                             const void *address) MUST_CHECK;

#endif
