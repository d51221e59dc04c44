/* How does a state catch up with the barriers that it has missed? */
#include "sync/access_log.h"

#include <string.h>

#include "sync/usage_mask.h"

static bool grow(struct access_log *log)
{
    uint32_t first = (log->expected + LOG_BLOCK - 1) / LOG_BLOCK * LOG_BLOCK;
    uint32_t capacity = log->capacity ? log->capacity * 2 : first ? first : LOG_BLOCK;
    struct log_entry *entries = arena_take(log->arena, capacity * sizeof *entries);
    struct log_block *blocks = arena_take(log->arena, capacity / LOG_BLOCK * sizeof *blocks);
    if (!entries || !blocks)
        return false;
    if (log->count) {
        memcpy(entries, log->entries, log->count * sizeof *entries);
        memcpy(blocks, log->blocks, log->capacity / LOG_BLOCK * sizeof *blocks);
    }
    log->entries = entries;
    log->blocks = blocks;
    log->capacity = capacity;
    return true;
}

/* Room for an entry with this barrier, which its block knows of; NULL: memory is out. */
static struct log_entry *append(struct access_log *log, const struct sync_barrier *barrier, bool complex)
{
    if (unlikely(log->count == log->capacity) && !grow(log))
        return NULL;
    struct log_block *block = &log->blocks[log->count / LOG_BLOCK];
    if (log->count % LOG_BLOCK == 0)
        *block = (struct log_block){.queue = barrier->queue};
    block->src |= barrier->src.stages;
    block->dst |= barrier->dst.stages;
    usage_mask_add(&block->src_accesses, &barrier->src.accesses);
    usage_mask_add(&block->dst_accesses, &barrier->dst.accesses);
    block->complex |= complex || barrier->snapshots || barrier->everything || block->queue != barrier->queue;
    return &log->entries[log->count++];
}

bool access_log_append(struct access_log *log, const struct log_entry *entry)
{
    struct log_entry *place = append(log, &entry->barrier, entry->kind != LOG_BARRIER);
    if (place)
        *place = *entry;
    return place != NULL;
}

bool access_log_append_barrier(struct access_log *log, const struct sync_barrier *barrier, bool last_of_command)
{
    struct log_entry *place = append(log, barrier, false);
    if (!place)
        return false;
    place->barrier = *barrier;
    place->graph = NULL;
    place->subpasses = NULL;
    place->kind = LOG_BARRIER;
    place->number = 0;
    place->last_of_command = last_of_command;
    return true;
}

/* Can barriers with these scopes together add nothing to the record? Of foreign ones no answer is looked for. */
static bool adds_nothing(const struct sync_record *record, const struct log_block *block,
                         const struct usage_mask *visible)
{
    if (record->queue != block->queue || record->foreign)
        return false;
    sync_stage_mask own = sync_usage_info[record->usage].stage_mask;
    if (!((own | record->stages | record->passed) & block->src))
        return true;
    if (block->dst & ~record->stages)
        return false;
    struct usage_mask missing = visible ? usage_mask_andnot(block->dst_accesses, *visible) : (struct usage_mask){0};
    return usage_mask_is_empty(&missing);
}

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

/* The barriers of the command whose first entry is `first`. Returns how many they are. */
static uint32_t catch_up_command(const struct access_log *log, uint32_t first, struct sync_state *state,
                                 struct arena *arena)
{
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
    while (!log->entries[first + count++].last_of_command && count < AT_ONCE && first + count < log->count);
    sync_state_apply(state, barriers, count, arena);
    return count;
}

void access_log_catch_up_slow(const struct access_log *log, struct sync_state *state, struct arena *arena)
{
    uint32_t position = state->caught_up;
    while (position < log->count) {
        if (position % LOG_BLOCK == 0 && position + LOG_BLOCK <= log->count &&
            block_adds_nothing(state, &log->blocks[position / LOG_BLOCK])) {
            position += LOG_BLOCK;
            continue;
        }
        const struct log_entry *entry = &log->entries[position];
        switch ((enum log_kind)entry->kind) {
        case LOG_BARRIER:
            position += catch_up_command(log, position, state, arena);
            break;
        case LOG_SNAPSHOT:
            sync_state_snapshot(state, &entry->barrier, (uint64_t)1 << entry->number);
            position++;
            break;
        case LOG_RENDER_PASS:
            sync_state_pass(state, entry->graph, entry->subpasses, entry->number, entry->barrier.queue, arena);
            position++;
            break;
        }
    }
    state->caught_up = position;
}
