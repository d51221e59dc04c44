/* Remembers the last call of each thread in which a row was broken. */
#include "report/rows_broken.h"

#include "base/thread.h"

/* thread::calls as it was when a row was last broken. Threads: its own. */
static __thread uint64_t broken_in __attribute__((tls_model("initial-exec")));

void rows_note_broken(void)
{
    broken_in = atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
}

bool rows_were_broken(void)
{
    return broken_in == atomic_load_explicit(&thread_self()->calls, memory_order_relaxed);
}
