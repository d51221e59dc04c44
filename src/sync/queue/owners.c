/* Keeps a table of the queue families that own resources (sync/queue/owners.h). */
#include "sync/queue/owners.h"

#include <assert.h>
#include <string.h>

bool owners_several_families(const struct device_state *state)
{
    if (state->request_count > QUEUE_REQUESTS)
        return true;
    for (uint32_t i = 1; i < state->request_count; i++) {
        if (state->requests[i].family != state->requests[0].family)
            return true;
    }
    return false;
}

/* --- the table --- */

/* The most resources in the table. If a program has more, all of them are forgotten. */
#define OWNERS_MOST (1u << 20)
/* The least number of slots in the table. */
#define OWNERS_FIRST 64u

/* Returns the slot of the resource, or the empty slot where it belongs. The table is at most half
 * full. */
static struct owner *owners_find_slot(struct owner *slots, uint32_t capacity, uint64_t resource)
{
    assert(resource && capacity && !(capacity & (capacity - 1)));
    uint32_t i = (uint32_t)(resource * 0x9e3779b97f4a7c15ull >> 32) & (capacity - 1);
    while (slots[i].resource && slots[i].resource != resource)
        i = (i + 1) & (capacity - 1);
    return &slots[i];
}

/* True if the resource exists, and the table knows something about it. */
static bool owner_is_wanted(const struct owner *owner)
{
    return owner->resource && object_find_id(owner->resource, object_id_type(owner->resource)) &&
           (owner->kind == OWNER_UNKNOWN || owner->family != UINT32_MAX);
}

/* Makes room for one more owner, and drops owners about which nothing is known. Returns false if
 * memory is out, or there are OWNERS_MOST. */
static bool owners_grow(struct owners *owners)
{
    uint32_t wanted = 0, capacity = OWNERS_FIRST;
    for (uint32_t i = 0; i < owners->capacity; i++)
        wanted += owner_is_wanted(&owners->slots[i]);
    while (capacity < wanted * 4)
        capacity *= 2;
    struct owner *slots = wanted < OWNERS_MOST ? mem_alloc_zeroed(capacity * sizeof(*slots)) : NULL;
    if (!slots)
        return false;
    owners->count = 0;
    for (uint32_t i = 0; i < owners->capacity; i++) {
        const struct owner *owner = &owners->slots[i];
        /* another thread may destroy resources meanwhile */
        if (!owner_is_wanted(owner) || owners->count == wanted)
            continue;
        *owners_find_slot(slots, capacity, owner->resource) = *owner;
        owners->count++;
    }
    mem_free(owners->slots);
    owners->slots = slots;
    owners->capacity = capacity;
    return true;
}

void owners_free(struct owners *owners)
{
    if (!owners)
        return;
    mem_free(owners->slots);
    mem_free(owners);
}

struct owner *owners_find(struct owners *owners, uint64_t resource)
{
    struct owner *owner =
        owners->capacity ? owners_find_slot(owners->slots, owners->capacity, resource) : NULL;
    return owner && owner->resource ? owner : NULL;
}

struct owner *owners_make(struct owners *owners, uint64_t resource)
{
    struct owner *owner = owners_find(owners, resource);
    if (owner)
        return owner;
    if (owners->count * 2 >= owners->capacity && !owners_grow(owners)) {
        owners_forget(owners);
        return NULL;
    }
    owner = owners_find_slot(owners->slots, owners->capacity, resource);
    /* Family UINT32_MAX: no family is known to own the resource. */
    *owner = (struct owner){.resource = resource, .kind = OWNER_WROTE, .family = UINT32_MAX};
    owners->count++;
    return owner;
}

/* Forgets what is known of a resource; its slot in the table stays. A resource that is
 * OWNER_UNKNOWN stays so. */
void owner_forget(struct owner *owner)
{
    if (owner->kind == OWNER_UNKNOWN)
        return;
    owner->kind = OWNER_WROTE;
    owner->family = UINT32_MAX;
    owner->muted = false;
    owner->range_count = 0;
}

void owners_forget(struct owners *owners)
{
    for (uint32_t i = 0; i < owners->capacity; i++)
        owner_forget(&owners->slots[i]);
}

/* --- ranges --- */

/* Adds a range that was written. It is joined with ranges that it meets or touches. If there are
 * too many, the oldest is forgotten, so that less is reported. */
void owner_add_range(struct owner *owner, uint64_t begin, uint64_t end)
{
    uint32_t kept = 0;
    assert(begin < end);
    for (uint32_t i = 0; i < owner->range_count; i++) {
        const struct owner_range range = owner->ranges[i];
        if (range.end < begin || range.begin > end) {
            owner->ranges[kept++] = range;
            continue;
        }
        begin = range.begin < begin ? range.begin : begin;
        end = range.end > end ? range.end : end;
    }
    if (kept == OWNER_RANGES)
        memmove(owner->ranges, owner->ranges + 1, --kept * sizeof(owner->ranges[0]));
    owner->ranges[kept] = (struct owner_range){begin, end};
    owner->range_count = kept + 1;
}

bool owner_meets(const struct owner *owner, uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < owner->range_count; i++) {
        if (owner->ranges[i].begin < end && begin < owner->ranges[i].end)
            return true;
    }
    return false;
}

bool owner_covers(const struct owner *owner, uint64_t begin, uint64_t end)
{
    for (uint32_t i = 0; i < owner->range_count; i++) {
        if (owner->ranges[i].begin <= begin && end <= owner->ranges[i].end)
            return true;
    }
    return false;
}
