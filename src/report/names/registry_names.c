/* Decompresses the pool of the registry's names, once. */
#include "report/names/registry_names.h"

#include <stdatomic.h>

#include "report/names/unpack.h"

static const char *_Atomic opened; /* the decompressed pool, which is never freed; NULL: not yet */

/* Decompresses the pool; NULL: memory is out. Two threads may do it at the same time, and one
 * result is kept. So no lock is needed, and a fork needs no care. */
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

/* Returns the decompressed pool; NULL: memory is out. */
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
