/* Remembers the last call of each thread in which a row was broken. */
#include "report/muting/rows_broken.h"

#include "base/thread.h"

/* Threads: its own. */
static __thread struct {
    uint32_t calls;    /* thread::calls, in short, as it was when a row was last broken */
    uint32_t elements; /* a bit for each element with a broken row, as rows_broken_bits() says */
} broken __attribute__((tls_model("initial-exec")));

/* The count of thread::calls: another number in each call of the thread. Never 0 in its first ones.
 */
static uint32_t this_call(void)
{
    const uint64_t calls = atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
    return (uint32_t)(calls / THREAD_CALL) + 1;
}

/* The bit of the element of the outermost array that the place is in; all of them where it is in
 * none. Elements 32 apart share a bit. */
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
