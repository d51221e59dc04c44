/* Keeps the list of objects that the commands of a command buffer use. */
#include "state/command/command_buffer.h"
#include "base/plain_atomic.h"

#include <string.h>

const uint64_t no_recent_uses[USE_RECENT];
const struct drawn_set no_recent_drawn[DRAWN_RECENT];

_Atomic uint64_t uses_epoch = 1;

/* True if the list has its own cache of recent uses. False: it still has the empty cache that all
 * lists begin with. */
static inline bool remembers_uses(const struct use_list *uses)
{
    return plain_load_acquire(&uses->recent) != no_recent_uses;
}

/* True if the list has its own cache of recently drawn sets. False: it still has the empty one. */
static inline bool remembers_drawn(const struct use_list *uses)
{
    return plain_load_acquire(&uses->recent_drawn) != no_recent_drawn;
}

void use_list_begin(struct use_list *uses)
{
    uses->recent = (uint64_t *)(uintptr_t)no_recent_uses;
    uses->recent_drawn = (struct drawn_set *)(uintptr_t)no_recent_drawn;
}

void use_list_forget_recent(struct use_list *uses)
{
    if (remembers_uses(uses))
        memset(uses->recent, 0, USE_RECENT * sizeof(*uses->recent));
}

void use_list_forget_drawn(struct use_list *uses)
{
    if (remembers_drawn(uses))
        memset(uses->recent_drawn, 0, DRAWN_RECENT * sizeof(*uses->recent_drawn));
}

void use_list_append(struct use_list *uses, uint64_t id, uint32_t version)
{
    assert(uses);
    uint32_t at = uses->count, capacity = plain_load_acquire(&uses->capacity);
    /* Most command buffers use few objects. */
    uint32_t wanted = !capacity ? 16 : capacity < 64 ? 64 : capacity * 2;
    /* The capacity of the second array is not checked: the array and the cache exist before the
     * first one's capacity shows them. */
    if (at >= capacity &&
        ((!remembers_uses(uses) &&
          !mem_make(&uses->recent, no_recent_uses, USE_RECENT * sizeof(*uses->recent))) ||
         !mem_grow(&uses->versions, &uses->version_capacity, at, wanted, sizeof(*uses->versions)) ||
         !mem_grow(&uses->ids, &uses->capacity, at, wanted, sizeof(*uses->ids)))) {
        uses->incomplete = true;
        return;
    }
    if (at >= wanted)
        return;
    use_list_remember(uses, id);
    use_list_put(uses, at, id, version);
}

void use_list_append_drawn(struct use_list *uses, struct drawn_set drawn, uint32_t place)
{
    assert(uses && place < DRAWN_RECENT);
    uint32_t at = uses->drawn_count;
    uint32_t capacity = plain_load_acquire(&uses->drawn_capacity);
    uint32_t wanted = !capacity ? 8 : capacity < 32 ? 32 : capacity * 2;
    if (at >= capacity &&
        ((!remembers_drawn(uses) && !mem_make(&uses->recent_drawn, no_recent_drawn,
                                              DRAWN_RECENT * sizeof(*uses->recent_drawn))) ||
         !mem_grow(&uses->drawn, &uses->drawn_capacity, at, wanted, sizeof(*uses->drawn)))) {
        uses->incomplete = true;
        return;
    }
    /* `at` is beyond the end only if another thread has changed the list meanwhile, which a correct
     * program does not do. */
    if (at >= wanted)
        return;
    plain_load_acquire(&uses->recent_drawn)[place] = drawn;
    plain_store_relaxed(&uses->drawn[at].set, drawn.set);
    plain_store_relaxed(&uses->drawn[at].with, drawn.with);
    /* Last, with release: a reader that sees this count also sees the entry. */
    plain_store_release(&uses->drawn_count, at + 1);
}

void use_list_shorten_drawn(struct use_list *uses, uint32_t count)
{
    uint32_t now = uses->drawn_count;
    plain_store_relaxed(&uses->drawn_count, count < now ? now - count : 0);
    use_list_forget_drawn(uses);
}
