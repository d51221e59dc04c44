/* Decides whether a finding is reported: its id may be filtered, or have reached the limit. */
#include "report/muting/mute.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "report/finding/practice.h"
#include "report/muting/tally.h"

/* Compares two numbers, for qsort() and bsearch(). */
static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

/* Reads a message id's number as users copy it out of a message: hexadecimal, or decimal, which may
 * be negative (messageIdNumber is an int32_t). Returns false if the text is a name. */
static bool parse_number(const char *text, uint32_t *number)
{
    assert(text && number);
    bool negative = *text == '-';
    text += negative;
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    text += hexadecimal ? 2 : 0;
    uint64_t value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        char c = *text;
        unsigned digit = c >= '0' && c <= '9'                  ? (unsigned)(c - '0')
                         : hexadecimal && c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                         : hexadecimal && c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                               : UINT32_MAX;
        if (digit == UINT32_MAX || value > UINT32_MAX)
            return false;
        value = value * (hexadecimal ? 16 : 10) + digit;
    }
    /* Negative numbers are in two's complement, like messageIdNumber. */
    *number = negative ? (uint32_t)-value : (uint32_t)value;
    return value <= UINT32_MAX;
}

void mute_init(struct mute *mute, const struct settings *settings)
{
    *mute = (struct mute){0};
    const struct setting_list *filter = &settings->message_id_filter;
    if (filter->count)
        mute->filtered = mem_alloc(filter->count * sizeof(uint32_t));
    for (uint32_t i = 0; mute->filtered && i < filter->count; i++) {
        /* Ids are compared by number, so that a filter may give either the name or the number. */
        uint32_t *number = &mute->filtered[mute->filtered_count++];
        if (!parse_number(filter->items[i], number))
            *number = message_number(filter->items[i]);
    }
    if (mute->filtered)
        qsort(mute->filtered, mute->filtered_count, sizeof(uint32_t), compare_numbers);
    if (settings->enable_message_limit) {
        mute->limit = settings->duplicate_message_limit;
        mute->told = mem_alloc_zeroed(VUID_COUNT * sizeof(*mute->told));
        mute->untold = mem_alloc_zeroed(VUID_COUNT * sizeof(*mute->untold));
        mute->places = mem_alloc_zeroed(MUTE_PLACES * sizeof(*mute->places));
    }
}

void last_told_free(struct last_told *last)
{
    mem_free(last);
}

void mute_free(struct mute *mute)
{
    for (uint32_t i = 0; mute->places && i < MUTE_PLACES; i++) {
        last_told_free(atomic_load_explicit(&mute->places[i].second, memory_order_relaxed));
        last_told_free(atomic_load_explicit(&mute->places[i].last, memory_order_relaxed));
    }
    mem_free(mute->filtered);
    mem_free((void *)mute->told);
    mem_free((void *)mute->untold);
    mem_free(mute->places);
    *mute = (struct mute){0};
}

bool mute_is_number_filtered(const struct mute *mute, uint32_t number)
{
    return mute->filtered_count && bsearch(&number, mute->filtered, mute->filtered_count,
                                           sizeof(uint32_t), compare_numbers);
}

bool mute_is_filtered(const struct mute *mute, enum vuid vuid)
{
    assert((unsigned)vuid < VUID_COUNT);
    return mute_is_number_filtered(mute, vuid_number[vuid]);
}

/* True for an id without a limit: what shaders print is reported however often they print it. */
static bool is_unlimited(const struct mute *mute, enum vuid vuid)
{
    return !mute->told || !mute->untold || !mute->places || vuid == VVL_DEBUG_PRINTF;
}

/* True for advice, which is reported once from a place. */
static bool is_advice(enum vuid vuid)
{
    return vuid == WARNING_VkImageSubresourceRange_layerCount_compatibility || practice_of(vuid);
}

/* Returns how often a finding is reported from one place. */
static uint32_t limit_of(const struct mute *mute, enum vuid vuid)
{
    return is_advice(vuid) && mute->limit > 1 ? 1 : mute->limit;
}

bool mute_is_exhausted(const struct mute *mute, enum vuid vuid)
{
    assert((unsigned)vuid < VUID_COUNT);
    return !is_unlimited(mute, vuid) &&
           atomic_load_explicit(&mute->told[vuid], memory_order_relaxed) >=
               (uint64_t)limit_of(mute, vuid) * MUTE_PLACES_OF_ONE;
}

/* How many entries of the table are tried for a place. If none is free, the finding is counted by
 * its id only. */
#define PLACES_TRIED 16

/* Returns the key of a place and id in the table. It is never 0, which marks a free entry. */
static uint64_t mute_key(enum vuid vuid, uint64_t place)
{
    return (place ^ ((uint64_t)vuid + 1)) * 0x9e3779b97f4a7c15ull | 1;
}

/* Returns the entry that is tried for the key after `tried` others. */
static struct mute_place *place_at(struct mute *mute, uint64_t key, uint32_t tried)
{
    return &mute->places[((key >> 40) + tried) % MUTE_PLACES];
}

bool mute_counts_repeat(struct mute *mute, enum vuid vuid, uint64_t place)
{
    assert((unsigned)vuid < VUID_COUNT);
    const uint64_t key = mute_key(vuid, place);
    for (uint32_t i = 0; !is_unlimited(mute, vuid) && i < PLACES_TRIED; i++) {
        struct mute_place *at = place_at(mute, key, i);
        const uint64_t found = atomic_load_explicit(&at->key, memory_order_relaxed);
        if (found != key && found)
            continue;
        /* If the place may still be reported, this is not a repetition. */
        if (!found || atomic_load_explicit(&at->told, memory_order_relaxed) < limit_of(mute, vuid))
            return false;
        atomic_fetch_add_explicit(&at->untold, 1, memory_order_relaxed);
        return true;
    }
    return false;
}

/* Returns the entry of a place, which is made if the place is new; NULL: none of the entries that
 * are tried is free. */
static struct mute_place *mute_find_place(struct mute *mute, enum vuid vuid, uint64_t place)
{
    assert((unsigned)vuid < VUID_COUNT);
    const uint64_t key = mute_key(vuid, place);
    for (uint32_t i = 0; i < PLACES_TRIED; i++) {
        struct mute_place *at = place_at(mute, key, i);
        uint64_t found = 0;
        if (atomic_compare_exchange_strong_explicit(&at->key, &found, key, memory_order_relaxed,
                                                    memory_order_relaxed) ||
            found == key)
            return at;
    }
    return NULL;
}

void mute_count_untold(struct mute *mute, enum vuid vuid)
{
    assert((unsigned)vuid < VUID_COUNT);
    if (mute->untold)
        atomic_fetch_add_explicit(&mute->untold[vuid], 1, memory_order_relaxed);
}

void mute_fork_child(struct mute *mute)
{
    for (uint32_t i = 0; mute->places && i < MUTE_PLACES; i++) {
        struct mute_place *at = &mute->places[i];
        atomic_store_explicit(&at->untold, 0, memory_order_relaxed);
        atomic_store_explicit(&at->said, atomic_load_explicit(&at->told, memory_order_relaxed),
                              memory_order_relaxed);
    }
    for (uint32_t i = 0; mute->untold && i < VUID_COUNT; i++) {
        if (atomic_load_explicit(&mute->untold[i], memory_order_relaxed))
            atomic_store_explicit(&mute->untold[i], 0, memory_order_relaxed);
    }
}

bool mute_count(struct mute *mute, enum vuid vuid, uint64_t place, struct mute_told *told)
{
    assert((unsigned)vuid < VUID_COUNT && told);
    *told = (struct mute_told){0};
    if (is_unlimited(mute, vuid))
        return true;
    /* The limit is tested before anything is added, so that the counters cannot wrap around. */
    struct mute_place *at =
        mute_is_exhausted(mute, vuid) ? NULL : mute_find_place(mute, vuid, place);
    if (!at) {
        mute_count_untold(mute, vuid);
        return false;
    }
    const uint32_t limit = limit_of(mute, vuid);
    uint32_t before = atomic_load_explicit(&at->told, memory_order_relaxed);
    if (before < limit)
        /* Several threads may come here at the same time: each one adds 1, and the old value
         * decides. */
        before = atomic_fetch_add_explicit(&at->told, 1, memory_order_relaxed);
    if (before >= limit) {
        atomic_fetch_add_explicit(&at->untold, 1, memory_order_relaxed);
        return false;
    }
    *told = (struct mute_told){.place = at,
                               .nth = before + 1,
                               .last = before + 1 == limit &&
                                       (limit == mute->limit || practice_of(vuid))};
    atomic_fetch_add_explicit(&mute->told[vuid], 1, memory_order_relaxed);
    return true;
}
