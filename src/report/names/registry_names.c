/* Opens the pool of the registry's names, once. */
#include "report/names/registry_names.h"

#include <stdatomic.h>

#include "report/names/unpack.h"

static const char *_Atomic opened; /* kept for the process's life */

/* Opens the pool; NULL: memory is out. A thread that comes meanwhile opens it, too: that needs no
 * lock, and so nothing when the process forks. */
static COLD const char *open_pool(void)
{
    char *mine = mem_alloc(registry_names_length);
    const char *known = NULL;
    if (!mine)
        return NULL;
    if (unpack(mine, registry_names_length, registry_names_blob, registry_names_size) &&
        atomic_compare_exchange_strong_explicit(&opened, &known, mine, memory_order_acq_rel,
                                                memory_order_acquire))
        return mine;
    mem_free(mine);
    return known;
}

/* The opened pool; NULL: it cannot be opened. */
static const char *registry_names_pool(void)
{
    const char *known = atomic_load_explicit(&opened, memory_order_acquire);
    return known ? known : open_pool();
}

const char *registry_name(uint32_t offset)
{
    const char *names = registry_names_pool();
    assert(offset < registry_names_length);
    return names ? names + offset : "?";
}

bool registry_names_known(void)
{
    return registry_names_pool() != NULL;
}
