/* Keeps the commands of a command buffer that made accesses, and finds the command of a tag. */
#include "sync/record/recording.h"

#include "base/lock.h"
#include "base/vec.h"

#include <string.h>

static struct lock free_lock = LOCK_INITIALIZER;
/* Logs that are not held; they keep the memory of their arenas. */
static struct command_log *free_list GUARDED_BY(free_lock);

void command_log_fork(enum fork_step step)
{
    lock_fork(&free_lock, step);
}

struct command_log *command_log_take(void)
{
    lock_take(&free_lock);
    struct command_log *log = free_list;
    if (log)
        free_list = log->next_free;
    lock_release(&free_lock);
    if (!log)
        log = mem_alloc_lines_zeroed(sizeof(*log));
    if (!log)
        return NULL;
    command_log_clear(log);
    /* The caller's reference. No other thread knows the log yet. */
    atomic_store_explicit(&log->references, 1, memory_order_relaxed);
    return log;
}

struct command_log *command_log_hold(struct command_log *log)
{
    assert(atomic_load_explicit(&log->references, memory_order_relaxed));
    atomic_fetch_add_explicit(&log->references, 1, memory_order_relaxed);
    return log;
}

void command_log_release(struct command_log *log)
{
    assert(!log || atomic_load_explicit(&log->references, memory_order_relaxed));
    if (!log || atomic_fetch_sub_explicit(&log->references, 1, memory_order_acq_rel) != 1)
        return;
    /* Clearing releases the logs of its spans, which may call this function again, so the lock is
     * not held. */
    command_log_clear(log);
    lock_take(&free_lock);
    log->next_free = free_list;
    free_list = log;
    lock_release(&free_lock);
}

bool command_log_is_own(const struct command_log *log)
{
    return atomic_load_explicit(&log->references, memory_order_acquire) == 1;
}

/* the least number of elements in an array */
#define FIRST 16u

void command_log_clear(struct command_log *log)
{
    uint32_t spans = log->span_count;
    for (uint32_t i = 0; i < spans; i++)
        command_log_release(log->spans[i].log);
    arena_rewind(&log->arena);
    /* The next recording tends to be as long as the last one. */
    log->expected = log->count > FIRST ? log->count : FIRST;
    log->entries = log->first;
    log->capacity = ARRAY_LENGTH(log->first);
    log->spans = NULL;
    log->labels = NULL;
    log->parts = NULL;
    log->part_count = log->part_capacity = 0;
    log->count = log->span_count = log->span_capacity = log->label_count = log->label_capacity = 0;
}

struct access_entry *command_log_place_slow(struct command_log *log)
{
    if (!vec_room_in(&log->arena, &log->entries, log->count, &log->capacity, log->expected,
                     sizeof(*log->entries)))
        return NULL;
    return &log->entries[log->count++];
}

bool command_log_add(struct command_log *log, const struct access_entry *entry)
{
    struct access_entry *place = command_log_place(log);
    if (place)
        *place = *entry;
    return place != NULL;
}

bool command_log_add_span(struct command_log *log, const struct access_span *span)
{
    if (!vec_room_in(&log->arena, &log->spans, log->span_count, &log->span_capacity, FIRST,
                     sizeof(*log->spans)))
        return false;
    log->spans[log->span_count++] = *span;
    return true;
}

uint32_t command_log_add_label(struct command_log *log, const char *name, uint32_t parent,
                               bool muted)
{
    assert(parent <= log->label_count);
    size_t size = name ? strlen(name) + 1 : 1;
    bool room = vec_room_in(&log->arena, &log->labels, log->label_count, &log->label_capacity,
                            FIRST, sizeof(*log->labels));
    char *copy = room ? arena_take(&log->arena, size) : NULL;
    if (!copy)
        return parent;
    memcpy(copy, name ? name : "", size);
    struct access_label *labels = log->labels;
    labels[log->label_count] = (struct access_label){
        .name = copy, .parent = parent, .muted = muted || (parent && labels[parent - 1].muted)};
    return ++log->label_count;
}

/* Labels count from 1; 0: the command was recorded under none. */
static bool command_log_is_muted(const struct command_log *log, uint32_t label)
{
    return label && log->labels[label - 1].muted;
}

bool access_origin_is_muted(const struct access_origin *origin)
{
    bool muted = command_log_is_muted(origin->log, origin->entry->label);
    for (uint32_t i = 0; i < origin->level_count; i++)
        muted |= command_log_is_muted(origin->levels[i].log, origin->levels[i].span->label);
    return muted;
}

uint32_t command_log_add_part(struct command_log *log, const struct access_part *part)
{
    if (!vec_room_in(&log->arena, &log->parts, log->part_count, &log->part_capacity, FIRST,
                     sizeof(*log->parts)))
        return PART_UNCERTAIN;
    log->parts[log->part_count++] = *part;
    return log->part_count;
}

const struct access_part *access_origin_part(const struct access_origin *origin)
{
    static const struct access_part nothing = {0};
    uint32_t part = origin->entry->source.part;
    if (!part)
        return NULL;
    return part <= origin->log->part_count ? &origin->log->parts[part - 1] : &nothing;
}

/* Finds the last span that begins at or before the tag; NULL: there is none. `before` gets the
 * number of tags in the spans up to that one. */
static const struct access_span *span_before(const struct command_log *log, uint64_t tag,
                                             uint64_t *before)
{
    const struct access_span *found = NULL;
    *before = 0;
    for (uint32_t i = 0; i < log->span_count && log->spans[i].first <= tag; i++) {
        found = &log->spans[i];
        *before += found->count;
    }
    return found;
}

bool command_log_find(const struct command_log *log, uint64_t tag, struct access_origin *origin)
{
    *origin = (struct access_origin){.log = log};
    for (;;) {
        uint64_t before;
        const struct access_span *span = span_before(origin->log, tag, &before);
        /* The command is in this log itself: its entry's index is the tag, less the tags of the
         * spans before it. */
        if (!span || tag - span->first >= span->count) {
            uint64_t index = tag - 1 - before;
            if (!tag || index >= origin->log->count)
                return false;
            origin->entry = &origin->log->entries[index];
            return true;
        }
        if (!origin->span)
            origin->span = span;
        if (origin->level_count < ORIGIN_LEVELS) {
            origin->levels[origin->level_count].log = origin->log;
            origin->levels[origin->level_count++].span = span;
        }
        tag -= span->first;
        origin->log = span->log;
    }
}

const struct access_part *command_log_find_part(const struct command_log *log, uint64_t tag)
{
    struct access_origin origin;
    return command_log_find(log, tag, &origin) ? access_origin_part(&origin) : NULL;
}
