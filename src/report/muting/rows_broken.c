/* Remembers the last call of each thread that broke a row (a statement that is data,
 * stateless/rows.h). */
#include "report/muting/rows_broken.h"

#include "base/thread.h"

/* The last call of this thread that broke a row. Threads: each has its own. */
static __thread struct {
    uint32_t calls;    /* this_call(), as it was when a row was last broken */
    uint32_t elements; /* a bit for each element with a broken row, as rows_broken_bits() says */
} broken __attribute__((tls_model("initial-exec")));

/* Returns a number that is different in each call of the thread. It is 0 only after 2^32 - 1
 * calls. */
static uint32_t this_call(void)
{
    const uint64_t calls = atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
    return (uint32_t)(calls / THREAD_CALL) + 1;
}

/* Returns the bit for the element of the outermost array that the place is in; all bits if it is in
 * no array. Elements 32 apart share a bit. */
static uint32_t rows_broken_bits(const struct location *where)
{
    uint32_t bits = UINT32_MAX;
    for (; where; where = where->parent)
        bits = where->index != LOCATION_NO_INDEX ? 1u << where->index % 32 : bits;
    return bits;
}

void rows_note_broken(const struct location *where)
{
    broken.elements = (rows_were_broken() ? broken.elements : 0) | rows_broken_bits(where);
    broken.calls = this_call();
}

bool rows_were_broken(void)
{
    return broken.calls == this_call();
}

bool rows_were_broken_in(const struct location *where)
{
    return rows_were_broken() && broken.elements & rows_broken_bits(where);
}
