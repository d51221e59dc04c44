/* Finds the buffer that a device address lies in. Addresses are in sorted leaves under a sequence
 * lock. A reader takes no lock, and waits only for a writer in the middle of its few microseconds.
 * Destroyed buffers stay until their room is needed. */
#include "state/device_address.h"

#include "base/lock.h"
#include "state/queue.h"

/* Entries of a leaf. Moving half of them costs about as much as finding the leaf. */
#define LEAF 128

/* All loads are acquire and all stores release. So a reader that met a store of a writer sees the
 * odd version that stood before it. Lock: address_map::lock for writing all that is atomic here. */
struct address_entry {
    _Atomic VkDeviceAddress first, end;
    _Atomic VkDeviceAddress
        highest;             /* the greatest end of this entry and those before in its leaf */
    _Atomic uint64_t buffer; /* id */
};

/* Sorted by `first`. A leaf is freed with its map: a reader may be in one that is used again, and
 * then finds another version. */
struct address_leaf {
    _Atomic uint32_t count; /* at most LEAF; not 0, but between two uses */
    struct address_entry entries[LEAF];
};

struct address_branch {
    _Atomic VkDeviceAddress first;       /* that of the leaf's first entry */
    _Atomic VkDeviceAddress highest;     /* the greatest end in this leaf and those before */
    _Atomic(struct address_leaf *) leaf; /* owned */
};

/* After the branches in use stand those whose leaves are spare, and then those that have none. */
struct address_table {
    uint32_t capacity; /* const */
    struct address_branch branches[];
};

struct address_map {
    struct lock lock;
    _Atomic uint32_t version; /* odd while a writer is at work */
    _Atomic(struct address_table *) table;
    _Atomic uint32_t count;  /* of branches in use */
    _Atomic bool incomplete; /* memory was out */
    uint64_t entries;        /* in all leaves. Lock: `lock` */
    uint64_t entries_most; /* destroyed buffers are looked for when there are more. Lock: `lock` */
};

/* The least of entries_most. */
#define ENTRIES_FEW 64

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
    struct address_table *table = LOAD(map->table);
    for (uint32_t i = 0; table && i < table->capacity; i++)
        mem_retire(LOAD(table->branches[i].leaf));
    mem_retire(table);
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
    /* A leaf may stand in two branches at this moment. The memory is lost to the child. */
    STORE(map->count, 0);
    STORE(map->table, NULL);
    map->entries = 0;
    STORE(map->version, version + 1);
}

/* The first branch that begins after the address: `count` when there is none. */
static uint32_t branch_after(struct address_table *table, uint32_t count, VkDeviceAddress address)
{
    assert(table);
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (LOAD(table->branches[middle].first) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The entries of a leaf that may be looked at. A reader can meet a count that is not this leaf's.
 */
static uint32_t leaf_count(struct address_leaf *leaf)
{
    const uint32_t count = LOAD(leaf->count);
    return count < LEAF ? count : LEAF;
}

/* The leaf's first entry that begins after the address: its count when there is none. */
static uint32_t entry_after(struct address_leaf *leaf, VkDeviceAddress address)
{
    assert(leaf);
    uint32_t low = 0, high = leaf_count(leaf);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (LOAD(leaf->entries[middle].first) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A way back through the entries that may have an address. */
struct address_walk {
    VkDeviceAddress address;
    struct address_table *table; /* NULL: there is nothing */
    struct address_leaf *leaf;   /* NULL: the next one is to be entered */
    uint32_t branch, entry;      /* after the next ones */
};

static struct address_walk walk_begin(struct address_map *map, VkDeviceAddress address)
{
    struct address_walk walk = {.address = address, .table = LOAD(map->table)};
    const uint32_t count = LOAD(map->count);
    if (walk.table)
        walk.branch =
            branch_after(walk.table, count < walk.table->capacity ? count : walk.table->capacity,
                         address);
    return walk;
}

/* The next entry that has the address; NULL: there is none. */
static struct address_entry *walk_next(struct address_walk *walk)
{
    for (;;) {
        while (walk->leaf && walk->entry &&
               LOAD(walk->leaf->entries[walk->entry - 1].highest) > walk->address) {
            struct address_entry *entry = &walk->leaf->entries[--walk->entry];
            if (LOAD(entry->end) > walk->address)
                return entry;
        }
        if (!walk->branch || LOAD(walk->table->branches[walk->branch - 1].highest) <= walk->address)
            return NULL;
        walk->leaf = LOAD(walk->table->branches[--walk->branch].leaf);
        if (!walk->leaf) /* a writer has just replaced the table */
            return NULL;
        walk->entry = entry_after(walk->leaf, walk->address);
    }
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
    struct address_walk walk = walk_begin(map, address);
    for (struct address_entry *entry; (entry = walk_next(&walk));) {
        const struct buffer *buffer = buffer_by_id(LOAD(entry->buffer));
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
    struct address_walk walk = walk_begin(map, address);
    for (struct address_entry *entry; !destroyed && (entry = walk_next(&walk));) {
        const uint64_t id = LOAD(entry->buffer);
        if (!buffer_by_id(id))
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
    STORE(to->highest, LOAD(from->highest));
    STORE(to->buffer, LOAD(from->buffer));
}

static void copy_branch(struct address_branch *to, struct address_branch *from)
{
    STORE(to->first, LOAD(from->first));
    STORE(to->highest, LOAD(from->highest));
    STORE(to->leaf, LOAD(from->leaf));
}

/* The highest ends of a leaf whose entries from `from` on have changed. */
static void leaf_renew_highest(struct address_leaf *leaf, uint32_t from)
{
    VkDeviceAddress highest = from ? LOAD(leaf->entries[from - 1].highest) : 0;
    for (uint32_t i = from; i < LOAD(leaf->count); i++) {
        VkDeviceAddress end = LOAD(leaf->entries[i].end);
        highest = end > highest ? end : highest;
        STORE(leaf->entries[i].highest, highest);
    }
}

/* The highest ends of a leaf that has got the entry `at`. Most entries end before the next one
 * ends: then all others stay. */
static void leaf_raise_highest(struct address_leaf *leaf, uint32_t at)
{
    const uint32_t count = LOAD(leaf->count);
    const VkDeviceAddress end = LOAD(leaf->entries[at].end),
                          before = at ? LOAD(leaf->entries[at - 1].highest) : 0,
                          highest = end > before ? end : before;
    STORE(leaf->entries[at].highest, highest);
    for (uint32_t i = at + 1; i < count && LOAD(leaf->entries[i].highest) < highest; i++)
        STORE(leaf->entries[i].highest, highest);
}

/* The branch from what its leaf holds; false: it was so already. The branch before is right. */
static bool branch_renew(struct address_table *table, uint32_t at)
{
    struct address_branch *branch = &table->branches[at];
    struct address_leaf *leaf = LOAD(branch->leaf);
    assert(LOAD(leaf->count));
    const VkDeviceAddress first = LOAD(leaf->entries[0].first),
                          own = LOAD(leaf->entries[LOAD(leaf->count) - 1].highest),
                          before = at ? LOAD(table->branches[at - 1].highest) : 0,
                          highest = own > before ? own : before;
    if (LOAD(branch->first) == first && LOAD(branch->highest) == highest)
        return false;
    STORE(branch->first, first);
    STORE(branch->highest, highest);
    return true;
}

/* The branches after leaves from `at` to `at` + 2 have changed: one, and what came of its split.
 * Most leaves end before the next one ends: then all others stay. */
static void branches_renew(struct address_map *map, struct address_table *table, uint32_t at)
    REQUIRES(map->lock)
{
    const uint32_t count = LOAD(map->count);
    bool changed = branch_renew(table, at);
    for (uint32_t i = at + 1; i < count && (changed || i <= at + 2); i++)
        changed = branch_renew(table, i);
}

/* Leaves destroyed buffers out, and makes the leaves full. */
static void compact(struct address_map *map, struct address_table *table) REQUIRES(map->lock)
{
    const uint32_t count = LOAD(map->count);
    uint64_t kept = 0;
    /* What is written comes never after what is read, as no leaf has more than LEAF entries. */
    for (uint32_t i = 0; i < count; i++) {
        struct address_leaf *from = LOAD(table->branches[i].leaf);
        for (uint32_t entry = 0; entry < LOAD(from->count); entry++) {
            struct address_leaf *to = LOAD(table->branches[kept / LEAF].leaf);
            if (buffer_by_id(LOAD(from->entries[entry].buffer)))
                copy_entry(&to->entries[kept++ % LEAF], &from->entries[entry]);
        }
    }
    const uint32_t used = (uint32_t)((kept + LEAF - 1) / LEAF);
    for (uint32_t i = 0; i < count; i++)
        STORE(LOAD(table->branches[i].leaf)->count, i + 1 < used ? LEAF
                                                    : i + 1 == used
                                                        ? (uint32_t)(kept - (uint64_t)i * LEAF)
                                                        : 0);
    for (uint32_t i = 0; i < used; i++) {
        leaf_renew_highest(LOAD(table->branches[i].leaf), 0);
        (void)branch_renew(table, i);
    }
    STORE(map->count, used);
    map->entries = kept;
}

/* A table with a spare leaf after those in use; NULL when memory is out. */
static struct address_table *make_spare(struct address_map *map) REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    const uint32_t count = LOAD(map->count), capacity = table ? table->capacity : 0;
    if (count == capacity) {
        const uint32_t more = capacity ? capacity * 2 : 4;
        struct address_table *larger =
            mem_alloc_zeroed(sizeof(*larger) + more * sizeof(larger->branches[0]));
        if (!larger)
            return NULL;
        larger->capacity = more;
        for (uint32_t i = 0; i < count; i++)
            copy_branch(&larger->branches[i], &table->branches[i]);
        STORE(map->table, larger);
        mem_retire(table);
        table = larger;
    }
    if (!LOAD(table->branches[count].leaf))
        STORE(table->branches[count].leaf, mem_alloc_zeroed(sizeof(struct address_leaf)));
    return LOAD(table->branches[count].leaf) ? table : NULL;
}

/* Puts the spare leaf after the full leaf `at`, with its upper half. The spare leaf is empty, and
 * gets its first entry next, where an entry is appended: most addresses grow. */
static void split(struct address_map *map, struct address_table *table, uint32_t at, bool appends)
    REQUIRES(map->lock)
{
    const uint32_t count = LOAD(map->count), kept = appends ? LEAF : LEAF / 2;
    struct address_leaf *spare = LOAD(table->branches[count].leaf),
                        *leaf = LOAD(table->branches[at].leaf);
    for (uint32_t i = count; i > at + 1; i--)
        copy_branch(&table->branches[i], &table->branches[i - 1]);
    for (uint32_t i = kept; i < LEAF; i++)
        copy_entry(&spare->entries[i - kept], &leaf->entries[i]);
    STORE(leaf->count, kept);
    STORE(spare->count, LEAF - kept);
    leaf_renew_highest(spare, 0);
    STORE(table->branches[at + 1].leaf, spare);
    STORE(map->count, count + 1);
}

/* Drivers give addresses out again: a destroyed buffer's place is taken over. */
static bool replace(struct address_map *map, VkDeviceAddress first, VkDeviceAddress end,
                    uint64_t buffer) REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    const uint32_t branch = table ? branch_after(table, LOAD(map->count), first) : 0;
    if (!branch)
        return false;
    struct address_leaf *leaf = LOAD(table->branches[branch - 1].leaf);
    const uint32_t at = entry_after(leaf, first);
    if (!at || LOAD(leaf->entries[at - 1].first) != first ||
        buffer_by_id(LOAD(leaf->entries[at - 1].buffer)))
        return false;
    STORE(leaf->entries[at - 1].end, end);
    STORE(leaf->entries[at - 1].buffer, buffer);
    leaf_renew_highest(leaf, at - 1);
    branches_renew(map, table, branch - 1);
    return true;
}

/* The leaf with room for an entry that begins there; its branch is `*at`. NULL: memory is out. */
static struct address_leaf *make_room(struct address_map *map, VkDeviceAddress first, uint32_t *at)
    REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    if (map->entries >= ENTRIES_FEW && map->entries >= map->entries_most) {
        compact(map, table);
        map->entries_most = map->entries * 2;
    }
    uint32_t count = LOAD(map->count), branch = table ? branch_after(table, count, first) : 0;
    *at = branch ? branch - 1 : 0;
    if (!count) {
        table = make_spare(map);
        STORE(map->count, table ? 1 : 0);
        return table ? LOAD(table->branches[0].leaf) : NULL;
    }
    struct address_leaf *leaf = LOAD(table->branches[*at].leaf);
    if (LOAD(leaf->count) < LEAF)
        return leaf;
    table = make_spare(map);
    if (!table)
        return NULL;
    const bool appends = *at + 1 == count && entry_after(leaf, first) == LEAF;
    split(map, table, *at, appends);
    if (appends || LOAD(leaf->entries[LEAF / 2 - 1].first) <= first) {
        /* It may begin where the lower half ends: either half will do. */
        leaf = LOAD(table->branches[++*at].leaf);
    }
    return leaf;
}

static bool insert(struct address_map *map, VkDeviceAddress first, VkDeviceAddress end,
                   uint64_t buffer) REQUIRES(map->lock)
{
    assert(first < end && buffer);
    if (replace(map, first, end, buffer))
        return true;
    uint32_t branch;
    struct address_leaf *leaf = make_room(map, first, &branch);
    if (!leaf)
        return false;
    const uint32_t at = entry_after(leaf, first), count = LOAD(leaf->count);
    for (uint32_t i = count; i > at; i--)
        copy_entry(&leaf->entries[i], &leaf->entries[i - 1]);
    STORE(leaf->entries[at].first, first);
    STORE(leaf->entries[at].end, end);
    STORE(leaf->entries[at].buffer, buffer);
    STORE(leaf->count, count + 1);
    leaf_raise_highest(leaf, at);
    map->entries++;
    branches_renew(map, LOAD(map->table), branch ? branch - 1 : 0);
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
