/* Makes a state catch up with the barriers that it has missed. */
#include "sync/access/access_log.h"

#include <string.h>

#include "sync/access/usage_mask.h"

/* How many entries a block of the level sums up: 16, 256 or 4,096. */
static inline uint32_t block_size(uint32_t level)
{
    return LOG_BLOCK << (4 * level);
}
static_assert(LOG_BLOCK == 1u << 4, "levels are LOG_BLOCK apart");

/* Returns how many blocks of a level hold so many entries; the last one may be incomplete. */
static uint32_t block_count(uint32_t level, uint32_t entries)
{
    return (entries + block_size(level) - 1) / block_size(level);
}

/* Makes room for the summaries of `capacity` entries. Returns false if memory is out. The old ones
 * stay in the arena. */
static bool grow_blocks(struct access_log *log, uint32_t level, uint32_t capacity)
{
    struct log_block *blocks =
        arena_take(log->arena, block_count(level, capacity) * sizeof *blocks);
    if (!blocks)
        return false;
    if (log->count)
        memcpy(blocks, log->blocks[level], block_count(level, log->count) * sizeof *blocks);
    log->blocks[level] = blocks;
    return true;
}

/* Doubles the room for entries. False: memory is out. */
static bool access_log_grow(struct access_log *log)
{
    assert(log->count == log->capacity && log->capacity % LOG_BLOCK == 0);
    /* The first room is as large as the previous recording needed, in whole blocks. */
    uint32_t first = (log->expected + LOG_BLOCK - 1) / LOG_BLOCK * LOG_BLOCK;
    uint32_t capacity = log->capacity ? log->capacity * 2 : first ? first : LOG_BLOCK;
    struct log_entry *entries = arena_take(log->arena, capacity * sizeof *entries);
    if (!entries)
        return false;
    for (uint32_t level = 0; level < LOG_LEVELS; level++) {
        if (!grow_blocks(log, level, capacity))
            return false;
    }
    if (log->count)
        memcpy(entries, log->entries, log->count * sizeof *entries);
    log->entries = entries;
    log->capacity = capacity;
    return true;
}

/* A block keeps one scope for all its snapshots. With several scopes the block is complex, and its
 * entries are looked at one by one. */
static bool same_scope(const struct log_scope *a, const struct log_scope *b)
{
    return a->src == b->src && a->first_tag == b->first_tag && a->everything == b->everything;
}

/* Notes that the block takes these snapshots with this scope. */
static void add_snapshots(struct log_block *block, uint64_t snapshots,
                          const struct log_scope *scope)
{
    if (block->snapshots && !same_scope(&block->scope, scope))
        block->complex = true;
    block->snapshots |= snapshots;
    block->scope = *scope;
}

/* Adds a block's summary to that of a block of the next level. `complex` stays set: such a block is
 * never passed by. */
static void block_merge(struct log_block *into, const struct log_block *more)
{
    into->waits |= more->waits;
    if (unlikely(more->snapshots))
        add_snapshots(into, more->snapshots, &more->scope);
    into->src |= more->src;
    into->dst |= more->dst;
    usage_mask_add(&into->dst_accesses, &more->dst_accesses);
    into->everything |= more->everything;
    into->complex |= more->complex || into->queue != more->queue;
}

/* Adds a full block of the lowest level to the block above, and that one, if it is full, to the
 * next. */
static COLD void blocks_hand_up(struct access_log *log)
{
    assert(log->count && log->count % LOG_BLOCK == 0);
    uint32_t last = log->count - 1;
    for (uint32_t level = 1; level < LOG_LEVELS; level++) {
        const struct log_block *full = &log->blocks[level - 1][last / block_size(level - 1)];
        struct log_block *block = &log->blocks[level][last / block_size(level)];
        if (last % block_size(level) < block_size(level - 1))
            *block = *full; /* the first part of the block above */
        else
            block_merge(block, full);
        /* The block of this level is not full yet, and so has nothing to hand up. */
        if (log->count % block_size(level))
            return;
    }
}

/* Makes an entry for this barrier, and adds the barrier to the summary of its block. `snapshot` is
 * the bit of the snapshot whose scope the barrier is, or 0. Returns NULL if memory is out. */
static struct log_entry *access_log_new_entry(struct access_log *log,
                                              const struct sync_barrier *barrier, bool complex,
                                              uint64_t snapshot)
{
    if (unlikely(log->count == log->capacity) && !access_log_grow(log))
        return NULL;
    struct log_block *block = &log->blocks[0][log->count / LOG_BLOCK];
    /* The first entry of a block begins its summary, which searches look at first. */
    if (log->count % LOG_BLOCK == 0)
        *block = (struct log_block){.queue = barrier->queue};
    if (unlikely(barrier->snapshots)) {
        block->waits |= barrier->snapshots;
        /* A wait for another queue makes the block complex: the summary's stages do not cover
         * it. */
        block->complex |= barrier->from_queue != barrier->queue;
    } else if (likely(!snapshot)) {
        block->src |= barrier->src.stages;
        block->everything |= barrier->everything;
    }
    if (unlikely(snapshot))
        add_snapshots(block, snapshot,
                      &(struct log_scope){barrier->src.stages, barrier->first_tag,
                                          barrier->everything});
    block->dst |= barrier->dst.stages;
    usage_mask_add(&block->dst_accesses, &barrier->dst.accesses);
    block->complex |= complex || block->queue != barrier->queue;
    struct log_entry *entry = &log->entries[log->count++];
    /* The block is full, so summaries of the next level take it in. */
    if (unlikely(log->count % LOG_BLOCK == 0))
        blocks_hand_up(log);
    return entry;
}

bool access_log_append(struct access_log *log, const struct log_entry *entry)
{
    assert(entry->kind != LOG_SNAPSHOT || entry->number < 63);
    const uint64_t snapshot = entry->kind == LOG_SNAPSHOT ? (uint64_t)1 << entry->number : 0;
    struct log_entry *place =
        access_log_new_entry(log, &entry->barrier, entry->kind == LOG_RENDER_PASS, snapshot);
    if (place)
        *place = *entry;
    return place != NULL;
}

/* Compares all that decides what a barrier does. Fields are compared one by one, as the structure
 * has padding. */
static bool barriers_are_equal(const struct sync_barrier *a, const struct sync_barrier *b)
{
    return a->src.stages == b->src.stages && a->dst.stages == b->dst.stages &&
           usage_mask_equals(&a->src.accesses, &b->src.accesses) &&
           usage_mask_equals(&a->dst.accesses, &b->dst.accesses) &&
           a->everything == b->everything && a->snapshots == b->snapshots &&
           a->first_tag == b->first_tag && a->queue == b->queue && a->from_queue == b->from_queue &&
           a->of_resource == b->of_resource && a->event == b->event;
}

/* True if a command with only this barrier repeats the command before it. The first one has added
 * its second scope to every record in its first scope, or has changed nothing. So the second one
 * adds nothing. */
static bool access_log_repeats(const struct access_log *log, const struct sync_barrier *barrier)
{
    const struct log_entry *before = log->count ? &log->entries[log->count - 1] : NULL;
    if (!before || before->kind != LOG_BARRIER || !before->last_of_command)
        return false;
    const bool alone =
        log->count == 1 || before[-1].kind != LOG_BARRIER || before[-1].last_of_command;
    return alone && barriers_are_equal(&before->barrier, barrier);
}

bool access_log_append_barrier(struct access_log *log, const struct sync_barrier *barrier,
                               bool last_of_command)
{
    const bool again = log->notes_repeats && last_of_command && access_log_repeats(log, barrier);
    struct log_entry *place = access_log_new_entry(log, barrier, false, 0);
    if (!place)
        return false;
    place->repeats = again;
    place->barrier = *barrier;
    place->graph = NULL;
    place->subpasses = NULL;
    place->kind = LOG_BARRIER;
    place->number = 0;
    place->last_of_command = last_of_command;
    return true;
}

/* True if all that the block makes visible is visible already. `visible` is that of a write, or
 * NULL for reads. */
static ALWAYS_INLINE bool accesses_are_visible(const struct log_block *block,
                                               const struct usage_mask *visible)
{
    uint64_t missing = 0;
    for (unsigned i = 0; visible && i < USAGE_MASK_WORDS; i++)
        missing |= block->dst_accesses.bits[i] & ~visible->bits[i];
    return !missing;
}

/* True if one of the block's barriers may have a record in its first scope. The record has, or has
 * reached, these stages, and is in the scopes of these snapshots. */
static ALWAYS_INLINE bool block_meets(const struct log_block *block, sync_stage_mask stages,
                                      uint64_t in_scopes)
{
    if (block->everything || stages & block->src)
        return true;
    if (likely(!block->waits))
        return false;
    if (block->scope.everything || stages & block->scope.src)
        in_scopes |= block->snapshots;
    return block->waits & (in_scopes | SYNC_SNAPSHOT_ANY);
}

/* True if the barriers that the block sums up can add nothing to the record. A record that other
 * queues know of is not looked at. */
static bool adds_nothing(const struct sync_record *record, const struct log_block *block,
                         const struct usage_mask *visible)
{
    /* A block sums up barriers of one queue, and does not say what other queues have ordered. */
    if (record->queue != block->queue || record->foreign)
        return false;
    sync_stage_mask own = sync_usage_info[record->usage].stage_mask;
    if (!block_meets(block, own | record->stages | record->passed,
                     record->in_scopes | record->available_in))
        return true;
    if (block->dst & ~record->stages)
        return false;
    return accesses_are_visible(block, visible);
}

/* True if the rest of the block changes no record of the state. A wrong false costs only time. */
static bool block_adds_nothing(const struct sync_state *state, const struct log_block *block)
{
    if (block->complex)
        return false;
    for (uint32_t i = 0; i < state->read_count; i++) {
        if (!adds_nothing(sync_state_read(state, i), block, NULL))
            return false;
    }
    return state->write.usage == SYNC_NONE || adds_nothing(&state->write, block, &state->visible);
}

/* Applies the barriers of the command whose first entry is `first`. Returns their number. */
static uint32_t catch_up_command(const struct access_log *log, uint32_t first,
                                 struct sync_state *state, struct arena *arena)
{
    assert(first < log->count);
    const struct log_entry *entry = &log->entries[first];
    if (likely(entry->last_of_command)) {
        sync_state_apply(state, &entry->barrier, 1, arena);
        return 1;
    }
    enum { AT_ONCE = 16 };
    struct sync_barrier barriers[AT_ONCE];
    uint32_t count = 0;
    do
        barriers[count] = log->entries[first + count].barrier;
    /* A command with more barriers than AT_ONCE is applied in parts, as if they were several
     * commands. */
    while (!log->entries[first + count++].last_of_command && count < AT_ONCE &&
           first + count < log->count);
    sync_state_apply(state, barriers, count, arena);
    return count;
}

/* Sums up what all records of a state share. With it, two tests usually show that a block of the
 * log (struct log_block) adds nothing to any record. */
struct records {
    /* meets the first scope of every barrier that may add to one of the records */
    sync_stage_mask any;
    sync_stage_mask stages;           /* the stages that each record has */
    uint64_t in_scopes;               /* the snapshots that any record is in */
    const struct usage_mask *visible; /* usages to which the whole state is visible */
    uint8_t queue;                    /* the queue of all records */
};

/* Sums up the records of a state. False: they have too little in common. */
static bool records_of(struct records *all, const struct sync_state *state)
{
    const struct sync_record *first =
        /* The caller has checked that the state is not empty: it has a write or a read. */
        state->write.usage != SYNC_NONE ? &state->write : &state->inline_reads[0];
    *all = (struct records){.stages = ~(sync_stage_mask)0,
                            .visible = first == &state->write ? &state->visible : NULL,
                            .queue = first->queue};
    bool foreign = false;
    if (all->visible) {
        all->any = sync_usage_info[first->usage].stage_mask | first->stages | first->passed;
        all->stages = first->stages;
        all->in_scopes = first->in_scopes | first->available_in;
        foreign = first->foreign != NULL;
    }
    for (uint32_t i = 0; i < state->read_count; i++) {
        const struct sync_record *read = sync_state_read(state, i);
        all->any |= sync_usage_info[read->usage].stage_mask | read->stages | read->passed;
        all->stages &= read->stages;
        all->in_scopes |= read->in_scopes | read->available_in;
        foreign |= read->foreign || read->queue != all->queue;
    }
    return !foreign;
}

/* True if the block adds nothing to any record of the state. False means that this is not known. */
static ALWAYS_INLINE bool block_adds_to_none(const struct records *all,
                                             const struct log_block *block)
{
    if (block->complex || block->queue != all->queue)
        return false;
    if (!block_meets(block, all->any, all->in_scopes))
        return true;
    return !(block->dst & ~all->stages) && accesses_are_visible(block, all->visible);
}

/* Takes all snapshots of a block at once. The block adds nothing else, so that each snapshot finds
 * the state as it is now. */
static COLD void take_snapshots(struct sync_state *state, const struct log_block *block)
{
    const struct sync_barrier scope = {.src.stages = block->scope.src,
                                       .first_tag = block->scope.first_tag,
                                       .everything = block->scope.everything,
                                       .queue = block->queue};
    sync_state_snapshot(state, &scope, block->snapshots);
}

/* Passes by the rest of the block of this level in which *position lies, if that can add nothing to
 * the state. A block with snapshots is passed by as a whole: the state may have grown since those
 * before the position, which are not taken again. A block above the lowest level only sums up full
 * blocks of the level below. */
static ALWAYS_INLINE bool pass_block(const struct access_log *log, struct records *all,
                                     struct sync_state *state, uint32_t level, uint32_t *position)
{
    /* Entries from `known` on are not summed up on this level yet. */
    uint32_t number = *position / block_size(level), end = (number + 1) * block_size(level);
    uint32_t known =
        level ? log->count / block_size(level - 1) * block_size(level - 1) : log->count;
    end = end < known ? end : known;
    if (end <= *position)
        return false;
    const struct log_block *block = &log->blocks[level][number];
    if (!block_adds_to_none(all, block) && (level || !block_adds_nothing(state, block)))
        return false;
    if (unlikely(block->snapshots)) {
        if (*position % block_size(level))
            return false;
        take_snapshots(state, block);
        all->in_scopes |= block->snapshots;
    }
    *position = end;
    return true;
}

/* Returns the position of the first entry from `position` on that may add something to the state,
 * or the end of the log. */
static uint32_t pass_blocks(const struct access_log *log, struct sync_state *state,
                            uint32_t position)
{
    static_assert(LOG_LEVELS == 3, "each level has a line");
    struct records all;
    if (unlikely(!records_of(&all, state)))
        return position;
    do {
        while (pass_block(log, &all, state, 2, &position))
            continue;
        while (pass_block(log, &all, state, 1, &position))
            continue;
    } while (pass_block(log, &all, state, 0, &position) && position < log->count);
    return position;
}

/* After so many vain looks at blocks in a row, the next look is at the beginning of a block. */
#define LOOK_AT_BLOCKS 3

void access_log_catch_up_slow(const struct access_log *log, struct sync_state *state,
                              struct arena *arena)
{
    assert(state->caught_up < log->count);
    uint32_t position = state->caught_up, in_vain = 0;
    /* The first entry is looked at by itself. Most states have missed only one entry, or nothing
     * has been ordered after their access yet. */
    for (;;) {
        const struct log_entry *entry = &log->entries[position];
        switch ((enum log_kind)entry->kind) {
        case LOG_BARRIER:
            position += catch_up_command(log, position, state, arena);
            /* Commands that repeat this one add nothing to any state. */
            while (position < log->count && log->entries[position].repeats)
                position++;
            break;
        case LOG_SNAPSHOT:
            sync_state_snapshot(state, &entry->barrier, (uint64_t)1 << entry->number);
            position++;
            break;
        case LOG_RENDER_PASS:
            sync_state_pass(state, entry->graph, entry->subpasses, entry->number,
                            entry->barrier.queue, arena);
            position++;
            break;
        }
        /* A look at blocks costs about as much as one entry. After vain looks, further ones are at
         * block boundaries only. */
        if (position < log->count && (in_vain < LOOK_AT_BLOCKS || position % LOG_BLOCK == 0)) {
            uint32_t passed = pass_blocks(log, state, position);
            in_vain = passed == position ? in_vain + 1 : 0;
            position = passed;
        }
        if (position >= log->count)
            break;
    }
    assert(position == log->count);
    state->caught_up = log->count;
}
