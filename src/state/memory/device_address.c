/* Finds the buffer at a device address. Addresses are in sorted leaves under a sequence lock. A
 * reader takes no lock, and waits only for a writer, which takes a few microseconds. Destroyed
 * buffers stay until their entries are needed. */
#include "state/memory/device_address.h"

#include "base/lock.h"
#include "state/submit/queue.h"

/* The most entries of a leaf, and the most leaves of a group. With 64, moving half of them costs
 * about as much as the search. */
#define LEAF  64
#define GROUP 64
/* The address of each eighth entry of a leaf or group is also in its first cache line. A search
 * reads that line and the lines of eight entries, where a binary search would read another line at
 * each step. */
#define PIVOT_STEP 8

/* All loads are acquire and all stores are release. So a reader that sees a store of a writer also
 * sees the odd version that the writer stored before. Lock: address_map::lock for writing
 * everything that is atomic here. */
struct address_entry {
    _Atomic VkDeviceAddress first, end;
    _Atomic VkDeviceAddress
        highest;             /* the greatest end of this entry and earlier ones in its leaf */
    _Atomic uint64_t buffer; /* id */
};

/* Entries sorted by `first`. Leaves and groups are only freed with their map: a reader may be in
 * one that is reused, and sees another version then. A leaf is never reused as a group, or the
 * reverse. */
struct address_leaf {
    _Atomic uint32_t count; /* at most LEAF; 0 only between two uses */
    /* `first` of entries PIVOT_STEP, 2 * PIVOT_STEP ... that exist */
    _Atomic VkDeviceAddress pivots[LEAF / PIVOT_STEP - 1];
    struct address_entry entries[LEAF];
    struct address_leaf *next_spare; /* list of unused leaves. Lock: address_map::lock; owned */
};
static_assert(offsetof(struct address_leaf, entries) == CACHE_LINE, "pivots and count: one line");

/* An entry of a group, which leads to a leaf, or of the table, which leads to a group. */
struct address_branch {
    _Atomic VkDeviceAddress first; /* first address of the first entry below */
    /* the greatest end below this branch and earlier ones of the same array */
    _Atomic VkDeviceAddress highest;
    _Atomic(void *) below; /* owned */
};

struct address_group {
    _Atomic uint32_t count; /* at most GROUP; 0 only between two uses */
    _Atomic VkDeviceAddress pivots[GROUP / PIVOT_STEP - 1]; /* like address_leaf::pivots */
    struct address_branch branches[GROUP];
    struct address_group *next_spare; /* like address_leaf::next_spare */
};

/* The branches that lead to all groups. A larger table replaces this one, which is retired. */
struct address_table {
    uint32_t capacity;                /* const */
    struct address_branch branches[]; /* the first address_map::count of them are used */
};

/* The addresses of all buffers of a device. */
struct address_map {
    struct lock lock;
    _Atomic uint32_t version; /* odd while a writer changes the map */
    _Atomic(struct address_table *) table;
    _Atomic uint32_t count;  /* number of groups in the table */
    _Atomic bool incomplete; /* memory ran out */
    struct address_leaf *spare_leaves GUARDED_BY(lock);
    struct address_group *spare_groups GUARDED_BY(lock);
    uint64_t entries GUARDED_BY(lock); /* number in all leaves */
    /* when there are more entries, those of destroyed buffers are removed */
    uint64_t entries_most GUARDED_BY(lock);
};

/* The smallest value of entries_most. */
#define ENTRIES_FEW 64

/* Acquire and release, as explained at struct address_entry. */
#define LOAD(field_)          atomic_load_explicit(&(field_), memory_order_acquire)
#define STORE(field_, value_) atomic_store_explicit(&(field_), (value_), memory_order_release)

/* How often a reader retries before it waits for the writers' lock. */
#define TRIES 1000

/* The map of the device's addresses; NULL: no address was queried. */
static struct address_map *find_map(const struct device *device)
{
    struct device_state *state = object_load_state(device->object);
    return state ? LOAD(state->addresses) : NULL;
}

/* Finds or allocates the device's map of addresses. NULL: out of memory. Threads: any; if two
 * threads allocate it, one wins. */
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
    /* Published after its lock is initialized; readers without the lock see all of it. */
    if (atomic_compare_exchange_strong(&state->addresses, &expected, map))
        return map;
    mem_free(map);
    return expected;
}

/* Retires a group with its leaves, as readers may still be in them. */
static void free_group(struct address_group *group)
{
    for (uint32_t i = 0; i < LOAD(group->count); i++)
        mem_retire(LOAD(group->branches[i].below));
    mem_retire(group);
}

void address_map_free(struct address_map *map)
{
    if (!map)
        return;
    /* No other thread has the map any more, but readers may still be in its memory. */
    lock_unneeded(&map->lock);
    struct address_table *table = LOAD(map->table);
    for (uint32_t i = 0; i < LOAD(map->count); i++)
        free_group(LOAD(table->branches[i].below));
    while (map->spare_groups) {
        struct address_group *group = map->spare_groups;
        map->spare_groups = group->next_spare;
        mem_retire(group);
    }
    while (map->spare_leaves) {
        struct address_leaf *leaf = map->spare_leaves;
        map->spare_leaves = leaf->next_spare;
        mem_retire(leaf);
    }
    mem_retire(table);
    mem_retire(map);
}

void address_map_fork_child(struct address_map *map)
{
    if (!map)
        return;
    lock_init(&map->lock);
    lock_unneeded(&map->lock);
    const uint32_t version = LOAD(map->version);
    if (!(version & 1))
        return;
    atomic_store_explicit(&map->incomplete, true, memory_order_relaxed);
    /* A leaf may be in two branches at this moment. The memory is leaked in the child. */
    STORE(map->count, 0);
    STORE(map->table, NULL);
    map->spare_leaves = NULL;
    map->spare_groups = NULL;
    map->entries = 0;
    STORE(map->version, version + 1);
}

/* The index of the first branch from `low` to `high` that begins after the address; `high` if there
 * is none. */
static uint32_t branch_between(struct address_branch *branches, uint32_t low, uint32_t high,
                               VkDeviceAddress address)
{
    assert(branches);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (LOAD(branches[middle].first) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of branches that may be read. A reader may see a count that belongs to another
 * moment. */
static uint32_t group_count(struct address_group *group)
{
    const uint32_t count = LOAD(group->count);
    return count < GROUP ? count : GROUP;
}

/* The number of entries that may be read. While a writer changes the leaf the count may be too
 * large, and is limited. */
static uint32_t leaf_count(struct address_leaf *leaf)
{
    const uint32_t count = LOAD(leaf->count);
    return count < LEAF ? count : LEAF;
}

/* The number of addresses, of `count`, that certainly do not begin after `address`, by the pivots.
 * The first one after `address` is among the next PIVOT_STEP, or follows them. */
static uint32_t pivots_before(_Atomic VkDeviceAddress *pivots, uint32_t count,
                              VkDeviceAddress address)
{
    uint32_t before = 0;
    for (uint32_t i = 0; (i + 1) * PIVOT_STEP < count; i++)
        before += LOAD(pivots[i]) <= address ? PIVOT_STEP : 0;
    return before;
}

/* The end of the block of up to PIVOT_STEP branches that begins at `before`, of `count`. */
static uint32_t block_end(uint32_t before, uint32_t count)
{
    return count - before < PIVOT_STEP ? count : before + PIVOT_STEP;
}

/* The index of the group's first branch that begins after the address; its count if there is
 * none. */
static uint32_t branch_after(struct address_group *group, VkDeviceAddress address)
{
    const uint32_t count = group_count(group),
                   before = pivots_before(group->pivots, count, address);
    return branch_between(group->branches, before, block_end(before, count), address);
}

/* The index of the leaf's first entry that begins after the address; its count if there is none. */
static uint32_t entry_after(struct address_leaf *leaf, VkDeviceAddress address)
{
    assert(leaf);
    const uint32_t count = leaf_count(leaf);
    uint32_t low = pivots_before(leaf->pivots, count, address), high = block_end(low, count);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (LOAD(leaf->entries[middle].first) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A walk backwards through the entries that may have an address. */
struct address_walk {
    VkDeviceAddress address;
    struct address_table *table;      /* NULL: there are no entries */
    struct address_group *group;      /* NULL: the next group is to be entered */
    struct address_leaf *leaf;        /* NULL: the next leaf is to be entered */
    uint32_t in_table, branch, entry; /* one more than the indices of the next ones */
};

/* Begins a walk at the last branch that begins at or before the address. */
static struct address_walk walk_begin(struct address_map *map, VkDeviceAddress address)
{
    struct address_walk walk = {.address = address, .table = LOAD(map->table)};
    const uint32_t count = LOAD(map->count);
    if (walk.table)
        walk.in_table =
            branch_between(walk.table->branches, 0,
                           count < walk.table->capacity ? count : walk.table->capacity, address);
    return walk;
}

/* Enters the previous leaf. False: no leaf is left that may have the address. */
static bool walk_to_leaf(struct address_walk *walk)
{
    const VkDeviceAddress address = walk->address;
    while (!walk->group || !walk->branch ||
           LOAD(walk->group->branches[walk->branch - 1].highest) <= address) {
        if (!walk->in_table || LOAD(walk->table->branches[walk->in_table - 1].highest) <= address)
            return false;
        walk->group = LOAD(walk->table->branches[--walk->in_table].below);
        if (!walk->group) /* a writer has just replaced the table */
            return false;
        walk->branch = branch_after(walk->group, address);
    }
    walk->leaf = LOAD(walk->group->branches[--walk->branch].below);
    if (!walk->leaf) /* a writer has just replaced the group */
        return false;
    walk->entry = entry_after(walk->leaf, address);
    return true;
}

/* The next entry that has the address; NULL: there is none. */
static struct address_entry *walk_next(struct address_walk *walk)
{
    do {
        while (walk->leaf && walk->entry &&
               LOAD(walk->leaf->entries[walk->entry - 1].highest) > walk->address) {
            struct address_entry *entry = &walk->leaf->entries[--walk->entry];
            if (LOAD(entry->end) > walk->address)
                return entry;
        }
    } while (walk_to_leaf(walk));
    return NULL;
}

/* Judges a buffer that has the address.
 * `rest`: bytes from there to the buffer's end.
 * `usage`: 0, ADDRESS_BOUND, or usages of which one is needed; with ADDRESS_ALL_OF all are. */
static enum address_match address_judge(const struct buffer *buffer, VkDeviceSize rest,
                                        VkDeviceSize size, VkBufferUsageFlags2 usage)
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

/* Finds the best buffer at an address. It takes no lock: entries may change meanwhile, and the
 * caller compares versions. */
static struct address_search address_map_search(struct address_map *map, VkDeviceAddress address,
                                                VkDeviceSize size, VkBufferUsageFlags2 usage)
{
    struct address_search best = {.match = ADDRESS_NOWHERE};
    struct address_walk walk = walk_begin(map, address);
    for (struct address_entry *entry; (entry = walk_next(&walk));) {
        /* NULL: it was destroyed. Another buffer may have the address now. */
        const struct buffer *buffer = buffer_by_id(LOAD(entry->buffer));
        if (!buffer)
            continue;
        VkDeviceSize rest = LOAD(entry->end) - address;
        enum address_match match = address_judge(buffer, rest, size, usage);
        if (match > best.match)
            best = (struct address_search){match, buffer, rest};
        /* No other buffer can be better. */
        if (match == ADDRESS_FOUND)
            break;
    }
    return best;
}

/* A buffer may be missing because memory ran out for its state. The result is ADDRESS_UNKNOWN
 * then. */
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
    if (!map) /* no address was ever queried, or memory ran out */
        return (struct address_search){.match = mem_failures() ? ADDRESS_UNKNOWN : ADDRESS_NOWHERE};
    if (atomic_load_explicit(&map->incomplete, memory_order_relaxed))
        return (struct address_search){.match = ADDRESS_UNKNOWN};
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t version = LOAD(map->version);
        if (version & 1)
            continue;
        struct address_search found = address_map_search(map, address, size, usage);
        if (LOAD(map->version) == version)
            return unless_lost(found);
    }
    lock_take(&map->lock);
    struct address_search found = address_map_search(map, address, size, usage);
    lock_release(&map->lock);
    return unless_lost(found);
}

/* Finds the only buffer at an address. It takes no lock, like address_map_search(). */
static const struct buffer *address_map_search_sole(struct address_map *map,
                                                    VkDeviceAddress address)
{
    const struct buffer *sole = NULL;
    struct address_walk walk = walk_begin(map, address);
    for (struct address_entry *entry; (entry = walk_next(&walk));) {
        const struct buffer *buffer = buffer_by_id(LOAD(entry->buffer));
        if (buffer && sole)
            return NULL;
        sole = buffer ? buffer : sole;
    }
    return sole;
}

const struct buffer *device_address_find_sole(const struct device *device, VkDeviceAddress address)
{
    struct address_map *map = address ? find_map(device) : NULL;
    if (!map || atomic_load_explicit(&map->incomplete, memory_order_relaxed))
        return NULL;
    for (uint32_t i = 0; i < TRIES; i++) {
        const uint32_t version = LOAD(map->version);
        if (version & 1)
            continue;
        const struct buffer *found = address_map_search_sole(map, address);
        if (LOAD(map->version) == version)
            return found;
    }
    return NULL;
}

uint64_t device_address_find_destroyed(const struct device *device, VkDeviceAddress address)
{
    struct address_map *map = find_map(device);
    uint64_t destroyed = 0;
    if (!map)
        return 0;
    /* This is rare, and on the way to a report. The lock makes the walk see one state. */
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

/* Copies an entry field by field. A reader may see some fields of each, and retries because of the
 * version. */
static void copy_entry(struct address_entry *to, struct address_entry *from)
{
    STORE(to->first, LOAD(from->first));
    STORE(to->end, LOAD(from->end));
    STORE(to->highest, LOAD(from->highest));
    STORE(to->buffer, LOAD(from->buffer));
}

/* Copies a branch, whose fields other threads may be reading. */
static void copy_branch(struct address_branch *to, struct address_branch *from)
{
    STORE(to->first, LOAD(from->first));
    STORE(to->highest, LOAD(from->highest));
    STORE(to->below, LOAD(from->below));
}

/* Updates the pivots of a leaf whose entries from `from` on have changed. */
static void leaf_renew_pivots(struct address_leaf *leaf, uint32_t from)
{
    uint32_t i = from ? (from - 1) / PIVOT_STEP : 0;
    for (; (i + 1) * PIVOT_STEP < LOAD(leaf->count); i++)
        STORE(leaf->pivots[i], LOAD(leaf->entries[(i + 1) * PIVOT_STEP].first));
}

/* Updates the highest ends of a leaf whose entries from `from` on have changed. */
static void leaf_renew_highest(struct address_leaf *leaf, uint32_t from)
{
    VkDeviceAddress highest = from ? LOAD(leaf->entries[from - 1].highest) : 0;
    for (uint32_t i = from; i < LOAD(leaf->count); i++) {
        VkDeviceAddress end = LOAD(leaf->entries[i].end);
        highest = end > highest ? end : highest;
        STORE(leaf->entries[i].highest, highest);
    }
}

/* Updates the highest ends of a leaf after entry `at` was inserted. Most entries end before the
 * next one does: then all others stay the same. */
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

/* Updates a branch from what is below it. False: nothing changed. The previous branch must be up to
 * date. */
static bool branch_renew(struct address_branch *branches, uint32_t at, VkDeviceAddress first,
                         VkDeviceAddress own)
{
    struct address_branch *branch = &branches[at];
    const VkDeviceAddress before = at ? LOAD(branches[at - 1].highest) : 0,
                          highest = own > before ? own : before;
    if (LOAD(branch->first) == first && LOAD(branch->highest) == highest)
        return false;
    STORE(branch->first, first);
    STORE(branch->highest, highest);
    return true;
}

/* Updates a branch of a group from its leaf: the first address and the highest end. True if that
 * changed. */
static bool group_renew_branch(struct address_group *group, uint32_t at)
{
    struct address_leaf *leaf = LOAD(group->branches[at].below);
    assert(LOAD(leaf->count));
    return branch_renew(group->branches, at, LOAD(leaf->entries[0].first),
                        LOAD(leaf->entries[LOAD(leaf->count) - 1].highest));
}

/* Updates the branch of the table that leads to a group. True if that changed. */
static bool table_renew_branch(struct address_table *table, uint32_t at)
{
    struct address_group *group = LOAD(table->branches[at].below);
    assert(LOAD(group->count));
    return branch_renew(table->branches, at, LOAD(group->branches[0].first),
                        LOAD(group->branches[LOAD(group->count) - 1].highest));
}

/* Updates all pivots of a group. */
static void group_renew_pivots(struct address_group *group)
{
    for (uint32_t i = 0; (i + 1) * PIVOT_STEP < LOAD(group->count); i++)
        STORE(group->pivots[i], LOAD(group->branches[(i + 1) * PIVOT_STEP].first));
}

/* The most branches that change at once: one, and the two that its split may add. Most entries
 * below a branch end before the next branch does: then all other branches stay the same. */
#define CHANGED_AT_ONCE 3

/* Updates the branches of a group from `at` on, and the branches of the table from `in_table`
 * on. */
static void address_map_renew(struct address_map *map, struct address_group *group, uint32_t at,
                              uint32_t in_table) REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    bool changed = true, any = false;
    /* Updates at least CHANGED_AT_ONCE branches, and continues until a branch stays the same. */
    for (uint32_t i = at; i < LOAD(group->count) && (changed || i < at + CHANGED_AT_ONCE); i++) {
        changed = group_renew_branch(group, i);
        any |= changed;
    }
    if (any)
        group_renew_pivots(group);
    changed = true;
    for (uint32_t i = in_table; i < LOAD(map->count) && (changed || i < in_table + CHANGED_AT_ONCE);
         i++)
        changed = table_renew_branch(table, i);
}

/* Keeps an empty leaf for later use. It is not freed, as readers may be in it. */
static void give_spare_leaf(struct address_map *map, struct address_leaf *leaf) REQUIRES(map->lock)
{
    STORE(leaf->count, 0);
    leaf->next_spare = map->spare_leaves;
    map->spare_leaves = leaf;
}

/* Keeps an empty group for later use. It is not freed, as readers may be in it. */
static void give_spare_group(struct address_map *map, struct address_group *group)
    REQUIRES(map->lock)
{
    STORE(group->count, 0);
    group->next_spare = map->spare_groups;
    map->spare_groups = group;
}

/* The position of the next entry that is kept. */
struct address_cursor {
    uint32_t in_table, branch, entry; /* indices in the table, the group, the leaf */
};

/* Writes an entry that is kept. The position is never after the entry that is read, as no leaf has
 * more than LEAF entries. */
static void address_table_keep(struct address_table *table, struct address_cursor *to,
                               struct address_entry *entry)
{
    struct address_group *group = LOAD(table->branches[to->in_table].below);
    if (to->entry == LEAF) {
        to->entry = 0;
        if (++to->branch == LOAD(group->count)) {
            to->branch = 0;
            group = LOAD(table->branches[++to->in_table].below);
        }
    }
    struct address_leaf *leaf = LOAD(group->branches[to->branch].below);
    copy_entry(&leaf->entries[to->entry++], entry);
}

/* Keeps the leaves after the cursor for later use, and updates the branches to the other leaves.
 * `at`: the index of the group. */
static void address_table_cut(struct address_map *map, struct address_table *table, uint32_t at,
                              const struct address_cursor *end) REQUIRES(map->lock)
{
    struct address_group *group = LOAD(table->branches[at].below);
    /* Groups before the cursor's are full, those after it are empty. */
    const uint32_t count = LOAD(group->count), kept = at < end->in_table ? count
                                                      : at == end->in_table
                                                          ? end->branch + (end->entry != 0)
                                                          : 0;
    for (uint32_t i = kept; i < count; i++)
        give_spare_leaf(map, LOAD(group->branches[i].below));
    STORE(group->count, kept);
    if (!kept) {
        give_spare_group(map, group);
        return;
    }
    for (uint32_t i = 0; i < kept; i++) {
        struct address_leaf *leaf = LOAD(group->branches[i].below);
        STORE(leaf->count, at == end->in_table && i == end->branch ? end->entry : LEAF);
        leaf_renew_pivots(leaf, 0);
        leaf_renew_highest(leaf, 0);
        (void)group_renew_branch(group, i);
    }
    group_renew_pivots(group);
}

/* Removes entries of destroyed buffers, and fills the leaves. */
static void address_map_compact(struct address_map *map, struct address_table *table)
    REQUIRES(map->lock)
{
    const uint32_t groups = LOAD(map->count);
    struct address_cursor end = {0};
    uint64_t kept = 0;
    for (uint32_t i = 0; i < groups; i++) {
        struct address_group *group = LOAD(table->branches[i].below);
        for (uint32_t branch = 0; branch < LOAD(group->count); branch++) {
            struct address_leaf *leaf = LOAD(group->branches[branch].below);
            for (uint32_t entry = 0; entry < LOAD(leaf->count); entry++) {
                if (!buffer_by_id(LOAD(leaf->entries[entry].buffer)))
                    continue;
                /* The cursor never passes the entry that is read, so all happens in place. */
                address_table_keep(table, &end, &leaf->entries[entry]);
                kept++;
            }
        }
    }
    for (uint32_t i = 0; i < groups; i++)
        address_table_cut(map, table, i, &end);
    STORE(map->count, kept ? end.in_table + 1 : 0);
    for (uint32_t i = 0; i < LOAD(map->count); i++)
        (void)table_renew_branch(table, i);
    map->entries = kept;
}

/* Makes room in the table for one more group. False: out of memory. */
static bool make_table(struct address_map *map) REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    const uint32_t count = LOAD(map->count), capacity = table ? table->capacity : 0;
    if (count < capacity)
        return true;
    const uint32_t more = capacity ? capacity * 2 : 4;
    struct address_table *larger =
        mem_alloc_zeroed(sizeof(*larger) + more * sizeof(larger->branches[0]));
    if (!larger)
        return false;
    larger->capacity = more;
    for (uint32_t i = 0; i < count; i++)
        copy_branch(&larger->branches[i], &table->branches[i]);
    /* Readers may still be in the old table: it is freed after they have left it. */
    STORE(map->table, larger);
    mem_retire(table);
    return true;
}

/* Makes sure that there are a spare leaf, and a spare group with room in the table. False: out of
 * memory. */
static bool make_spares(struct address_map *map) REQUIRES(map->lock)
{
    if (!map->spare_leaves)
        map->spare_leaves = mem_alloc_lines_zeroed(sizeof(*map->spare_leaves));
    if (!map->spare_groups)
        map->spare_groups = mem_alloc_lines_zeroed(sizeof(*map->spare_groups));
    return map->spare_leaves && map->spare_groups && make_table(map);
}

/* Inserts a branch at `at`, which leads to `below`. */
static void branch_insert(struct address_branch *branches, uint32_t count, uint32_t at, void *below)
{
    for (uint32_t i = count; i > at; i--)
        copy_branch(&branches[i], &branches[i - 1]);
    STORE(branches[at].below, below);
}

/* Inserts the spare leaf as a branch of the group. */
static struct address_leaf *group_add_leaf(struct address_map *map, struct address_group *group,
                                           uint32_t at) REQUIRES(map->lock)
{
    const uint32_t count = LOAD(group->count);
    assert(count < GROUP && at <= count && map->spare_leaves);
    struct address_leaf *leaf = map->spare_leaves;
    map->spare_leaves = leaf->next_spare;
    branch_insert(group->branches, count, at, leaf);
    STORE(group->count, count + 1);
    return leaf;
}

/* Inserts the spare group as a branch of the table. */
static struct address_group *table_add_group(struct address_map *map, uint32_t at)
    REQUIRES(map->lock)
{
    const uint32_t count = LOAD(map->count);
    assert(at <= count && map->spare_groups);
    struct address_group *group = map->spare_groups;
    map->spare_groups = group->next_spare;
    branch_insert(LOAD(map->table)->branches, count, at, group);
    STORE(map->count, count + 1);
    return group;
}

/* A leaf, and the branches that lead to it. */
struct address_place {
    struct address_group *group;
    struct address_leaf *leaf;
    uint32_t in_table, branch; /* index of the group in the table; index of the leaf in the group */
};

/* The leaf to which an entry that begins at `first` belongs. The map must have entries. */
static struct address_place address_map_find_place(struct address_map *map, VkDeviceAddress first)
    REQUIRES(map->lock)
{
    struct address_table *table = LOAD(map->table);
    const uint32_t after = branch_between(table->branches, 0, LOAD(map->count), first);
    struct address_place place = {.in_table = after ? after - 1 : 0};
    place.group = LOAD(table->branches[place.in_table].below);
    const uint32_t branch = branch_after(place.group, first);
    place.branch = branch ? branch - 1 : 0;
    place.leaf = LOAD(place.group->branches[place.branch].below);
    return place;
}

/* Inserts the spare group after the full group of the place, with its upper half. The new group is
 * empty if an entry is appended after all others. */
static void split_group(struct address_map *map, struct address_place *place, bool appends)
    REQUIRES(map->lock)
{
    const uint32_t kept = appends ? GROUP : GROUP / 2;
    struct address_group *group = place->group, *more = table_add_group(map, place->in_table + 1);
    for (uint32_t i = kept; i < GROUP; i++)
        copy_branch(&more->branches[i - kept], &group->branches[i]);
    /* Entries are copied before the count decreases, so that readers find them in at least one
     * group. */
    STORE(group->count, kept);
    STORE(more->count, GROUP - kept);
    for (uint32_t i = 0; i < GROUP - kept; i++)
        (void)group_renew_branch(more, i);
    group_renew_pivots(more);
    if (appends || place->branch >= kept) {
        place->branch = appends ? 0 : place->branch - kept;
        place->in_table++;
        place->group = more;
    }
}

/* Inserts the spare leaf after the full leaf of the place, with its upper half. If an entry is
 * appended, the new leaf is empty and gets that entry next: most addresses grow. */
static void split_leaf(struct address_map *map, struct address_place *place, VkDeviceAddress first,
                       bool appends) REQUIRES(map->lock)
{
    struct address_leaf *leaf = place->leaf;
    const uint32_t kept = appends ? LEAF : LEAF / 2,
                   at = appends ? LOAD(place->group->count) : place->branch + 1;
    struct address_leaf *more = group_add_leaf(map, place->group, at);
    for (uint32_t i = kept; i < LEAF; i++)
        copy_entry(&more->entries[i - kept], &leaf->entries[i]);
    STORE(leaf->count, kept);
    STORE(more->count, LEAF - kept);
    leaf_renew_pivots(more, 0);
    leaf_renew_highest(more, 0);
    /* The entry may begin exactly where the lower half ends, and can be in either half. */
    if (appends || LOAD(leaf->entries[kept - 1].first) <= first) {
        place->branch = at;
        place->leaf = more;
    }
}

/* Replaces the entry of a destroyed buffer, as drivers use addresses again. False: there is
 * none. */
static bool address_map_replace(struct address_map *map, const struct address_place *place,
                                VkDeviceAddress first, VkDeviceAddress end, uint64_t buffer)
    REQUIRES(map->lock)
{
    struct address_leaf *leaf = place->leaf;
    const uint32_t at = entry_after(leaf, first);
    if (!at || LOAD(leaf->entries[at - 1].first) != first ||
        buffer_by_id(LOAD(leaf->entries[at - 1].buffer)))
        return false;
    STORE(leaf->entries[at - 1].end, end);
    STORE(leaf->entries[at - 1].buffer, buffer);
    leaf_renew_highest(leaf, at - 1);
    address_map_renew(map, place->group, place->branch, place->in_table);
    return true;
}

/* Finds or makes a leaf with room for an entry that begins at `first`. False: out of memory. */
static bool address_map_make_room(struct address_map *map, VkDeviceAddress first,
                                  struct address_place *place) REQUIRES(map->lock)
{
    if (!LOAD(map->count)) {
        if (!make_spares(map))
            return false;
        place->group = table_add_group(map, 0);
        place->leaf = group_add_leaf(map, place->group, 0);
        return true;
    }
    if (LOAD(place->leaf->count) < LEAF)
        return true;
    if (!make_spares(map))
        return false;
    /* Addresses mostly grow, so a leaf that is split at its end leaves the old one full. */
    const bool appends = place->in_table + 1 == LOAD(map->count) &&
                         place->branch + 1 == LOAD(place->group->count) &&
                         entry_after(place->leaf, first) == LEAF;
    if (LOAD(place->group->count) == GROUP)
        split_group(map, place, appends);
    split_leaf(map, place, first, appends);
    return true;
}

/* Adds a buffer's addresses. False: memory is out. */
static bool address_map_insert(struct address_map *map, VkDeviceAddress first, VkDeviceAddress end,
                               uint64_t buffer) REQUIRES(map->lock)
{
    assert(first < end && buffer);
    struct address_place place = {0};
    if (LOAD(map->count)) {
        place = address_map_find_place(map, first);
        if (address_map_replace(map, &place, first, end, buffer))
            return true;
    }
    if (map->entries >= ENTRIES_FEW && map->entries >= map->entries_most) {
        address_map_compact(map, LOAD(map->table));
        /* This keeps the work of compaction in proportion to the number of added entries. */
        map->entries_most = map->entries * 2;
        place = LOAD(map->count) ? address_map_find_place(map, first) : (struct address_place){0};
    }
    if (!address_map_make_room(map, first, &place))
        return false;
    struct address_leaf *leaf = place.leaf;
    const uint32_t at = entry_after(leaf, first), count = LOAD(leaf->count);
    /* From the end, so that no entry is overwritten before it is moved. */
    for (uint32_t i = count; i > at; i--)
        copy_entry(&leaf->entries[i], &leaf->entries[i - 1]);
    STORE(leaf->entries[at].first, first);
    STORE(leaf->entries[at].end, end);
    STORE(leaf->entries[at].buffer, buffer);
    STORE(leaf->count, count + 1);
    leaf_renew_pivots(leaf, at);
    leaf_raise_highest(leaf, at);
    map->entries++;
    address_map_renew(map, place.group, place.branch ? place.branch - 1 : 0,
                      place.in_table ? place.in_table - 1 : 0);
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
    if (first >= end || !id) /* another thread may be destroying the buffer */
        return;
    lock_take(&map->lock);
    STORE(map->version, LOAD(map->version) + 1);
    if (!address_map_insert(map, first, end, id))
        atomic_store_explicit(&map->incomplete, true, memory_order_relaxed);
    STORE(map->version, LOAD(map->version) + 1);
    lock_release(&map->lock);
}
