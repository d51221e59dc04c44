/* Finds the buffer that a device address lies in. Addresses are in a sorted array under a sequence
 * lock. A reader takes no lock, and waits only for a writer in the middle of its few microseconds.
 * Destroyed buffers stay until their room is needed. */
#include "state/device_address.h"

#include "base/lock.h"
#include "state/queue.h"

/* All loads are acquire and all stores release. So a reader that met a store of a writer sees the
 * odd version that stood before it. Sorted by `first`. Lock: address_map::lock for writing. */
struct address_entry {
    _Atomic VkDeviceAddress first, end;
    _Atomic VkDeviceAddress highest; /* the greatest end of this entry and all before it */
    _Atomic uint64_t buffer;         /* id */
};

struct address_table {
    uint32_t capacity; /* const */
    struct address_entry entries[];
};

struct address_map {
    struct lock lock;
    _Atomic uint32_t version; /* odd while a writer is at work */
    _Atomic(struct address_table *) table;
    _Atomic uint32_t count;
    _Atomic bool incomplete; /* memory was out */
};

#define LOAD(field_)          atomic_load_explicit(&(field_), memory_order_acquire)
#define STORE(field_, value_) atomic_store_explicit(&(field_), (value_), memory_order_release)

/* Times that a reader tries again before it waits for the writers' lock. */
#define TRIES 1000

static struct address_map *find_map(const struct device *device)
{
    struct device_state *state = object_load_state(device->object);
    return state ? LOAD(state->addresses) : NULL;
}

static struct address_map *make_map(const struct device *device)
{
    struct device_state *state = device_state_make(device);
    struct address_map *map = state ? LOAD(state->addresses) : NULL;
    if (map || !state)
        return map;
    map = mem_alloc_zeroed(sizeof(*map));
    if (!map)
        return NULL;
    lock_init(&map->lock);
    struct address_map *expected = NULL;
    if (atomic_compare_exchange_strong(&state->addresses, &expected, map))
        return map;
    mem_free(map);
    return expected;
}

void address_map_free(struct address_map *map)
{
    if (!map)
        return;
    mem_retire(LOAD(map->table));
    mem_retire(map);
}

void address_map_fork_child(struct address_map *map)
{
    if (!map)
        return;
    lock_init(&map->lock);
    const uint32_t version = LOAD(map->version);
    if (!(version & 1))
        return;
    atomic_store_explicit(&map->incomplete, true, memory_order_relaxed);
    STORE(map->version, version + 1);
}

/* The first entry that begins after the address: `count` when there is none. */
static uint32_t upper_bound(struct address_table *table, uint32_t count, VkDeviceAddress address)
{
    assert(table);
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (LOAD(table->entries[middle].first) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum address_match judge(const struct buffer *buffer, VkDeviceSize rest, VkDeviceSize size,
                                VkBufferUsageFlags2 usage)
{
    assert(buffer);
    if (size > rest)
        return ADDRESS_TOO_SHORT;
    if (usage == ADDRESS_BOUND)
        return buffer_is_bound(buffer) ? ADDRESS_FOUND : ADDRESS_USAGE;
    if (usage & ADDRESS_ALL_OF)
        return usage & ~buffer->usage & ~ADDRESS_ALL_OF ? ADDRESS_USAGE : ADDRESS_FOUND;
    return !usage || buffer->usage & usage ? ADDRESS_FOUND : ADDRESS_USAGE;
}

static struct address_search search(struct address_map *map, VkDeviceAddress address,
                                    VkDeviceSize size, VkBufferUsageFlags2 usage)
{
    struct address_search best = {.match = ADDRESS_NOWHERE};
    struct address_table *table = LOAD(map->table);
    uint32_t count = LOAD(map->count);
    if (!table)
        return best;
    if (count > table->capacity)
        count = table->capacity;
    for (uint32_t i = upper_bound(table, count, address);
         i && LOAD(table->entries[i - 1].highest) > address; i--) {
        struct address_entry *entry = &table->entries[i - 1];
        const struct buffer *buffer =
            LOAD(entry->end) > address ? buffer_by_id(LOAD(entry->buffer)) : NULL;
        if (!buffer)
            continue;
        VkDeviceSize rest = LOAD(entry->end) - address;
        enum address_match match = judge(buffer, rest, size, usage);
        if (match > best.match)
            best = (struct address_search){match, buffer, rest};
        if (match == ADDRESS_FOUND)
            break;
    }
    return best;
}

/* The buffer may be one of which nothing is known, as memory was out for its state. */
static struct address_search unless_lost(struct address_search found)
{
    if (found.match == ADDRESS_NOWHERE && unlikely(mem_failures()))
        found.match = ADDRESS_UNKNOWN;
    return found;
}

struct address_search device_address_find(const struct device *device, VkDeviceAddress address,
                                          VkDeviceSize size, VkBufferUsageFlags2 usage)
{
    struct address_map *map = find_map(device);
    if (!map) /* no address was ever asked for, or memory was out */
        return (struct address_search){.match = mem_failures() ? ADDRESS_UNKNOWN : ADDRESS_NOWHERE};
    if (atomic_load_explicit(&map->incomplete, memory_order_relaxed))
        return (struct address_search){.match = ADDRESS_UNKNOWN};
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t version = LOAD(map->version);
        if (version & 1)
            continue;
        struct address_search found = search(map, address, size, usage);
        if (LOAD(map->version) == version)
            return unless_lost(found);
    }
    lock_take(&map->lock);
    struct address_search found = search(map, address, size, usage);
    lock_release(&map->lock);
    return unless_lost(found);
}

uint64_t device_address_find_destroyed(const struct device *device, VkDeviceAddress address)
{
    struct address_map *map = find_map(device);
    uint64_t destroyed = 0;
    if (!map)
        return 0;
    lock_take(&map->lock);
    struct address_table *table = LOAD(map->table);
    for (uint32_t i = table ? upper_bound(table, LOAD(map->count), address) : 0;
         i && !destroyed && LOAD(table->entries[i - 1].highest) > address; i--) {
        const uint64_t id = LOAD(table->entries[i - 1].buffer);
        if (LOAD(table->entries[i - 1].end) > address && !buffer_by_id(id))
            destroyed = id;
    }
    lock_release(&map->lock);
    return destroyed;
}

/* --- writing; the version is odd --- */

static void copy_entry(struct address_entry *to, struct address_entry *from)
{
    STORE(to->first, LOAD(from->first));
    STORE(to->end, LOAD(from->end));
    STORE(to->buffer, LOAD(from->buffer));
}

static void renew_highest(struct address_table *table, uint32_t from, uint32_t count)
{
    assert(from <= count && count <= table->capacity);
    VkDeviceAddress highest = from ? LOAD(table->entries[from - 1].highest) : 0;
    for (uint32_t i = from; i < count; i++) {
        VkDeviceAddress end = LOAD(table->entries[i].end);
        highest = end > highest ? end : highest;
        STORE(table->entries[i].highest, highest);
    }
}

/* Leaves destroyed buffers out; answers how many are left. */
static uint32_t compact(struct address_table *table, uint32_t count)
{
    assert(count <= table->capacity);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (buffer_by_id(LOAD(table->entries[i].buffer)))
            copy_entry(&table->entries[kept++], &table->entries[i]);
    }
    renew_highest(table, 0, kept);
    return kept;
}

/* A table with room for one more; NULL when memory is out. */
static struct address_table *make_room(struct address_map *map) REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    uint32_t count = LOAD(map->count);
    if (table && count < table->capacity)
        return table;
    if (table) {
        count = compact(table, count);
        STORE(map->count, count);
        if (count <= table->capacity / 2)
            return table;
    }
    uint32_t capacity = table ? table->capacity * 2 : 64;
    struct address_table *larger =
        mem_alloc_zeroed(sizeof(*larger) + capacity * sizeof(larger->entries[0]));
    if (!larger)
        return NULL;
    larger->capacity = capacity;
    for (uint32_t i = 0; i < count; i++)
        copy_entry(&larger->entries[i], &table->entries[i]);
    renew_highest(larger, 0, count);
    STORE(map->table, larger);
    mem_retire(table);
    return larger;
}

static bool insert(struct address_map *map, VkDeviceAddress first, VkDeviceAddress end,
                   uint64_t buffer) REQUIRES(map->lock)
{
    assert(first < end && buffer);
    struct address_table *table = make_room(map);
    if (!table)
        return false;
    uint32_t count = LOAD(map->count), at = upper_bound(table, count, first);
    /* Drivers give addresses out again: a destroyed buffer's place is taken over. */
    bool replace = at && LOAD(table->entries[at - 1].first) == first &&
                   !buffer_by_id(LOAD(table->entries[at - 1].buffer));
    if (replace) {
        at--;
    } else {
        for (uint32_t i = count; i > at; i--)
            copy_entry(&table->entries[i], &table->entries[i - 1]);
        STORE(map->count, ++count);
    }
    STORE(table->entries[at].first, first);
    STORE(table->entries[at].end, end);
    STORE(table->entries[at].buffer, buffer);
    renew_highest(table, at, count);
    return true;
}

void device_address_add(const struct device *device, const struct buffer *buffer)
{
    assert(buffer);
    VkDeviceAddress first = atomic_load_explicit(&buffer->address, memory_order_relaxed), end;
    struct address_map *map = first ? make_map(device) : NULL;
    if (!map)
        return;
    if (__builtin_add_overflow(first, buffer->size, &end))
        end = UINT64_MAX;
    const uint64_t id = object_state_id(&buffer->base);
    if (first >= end || !id) /* another thread may destroy it */
        return;
    lock_take(&map->lock);
    STORE(map->version, LOAD(map->version) + 1);
    if (!insert(map, first, end, id))
        atomic_store_explicit(&map->incomplete, true, memory_order_relaxed);
    STORE(map->version, LOAD(map->version) + 1);
    lock_release(&map->lock);
}
