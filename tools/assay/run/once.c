/* Remembers by hashes what was written. */
#include "assay/run/once.h"

#include <stdlib.h>
#include <string.h>

#include "assay/report/findings.h"
#include "assay/store/identity.h"

struct once_entry {
    uint64_t key, count; /* `count` 0: free */
};

#define ENTRIES_LEAST 256u

void once_free(struct once *once)
{
    free(once->entries);
    *once = (struct once){0};
}

static struct once_entry *once_find(const struct once *once, uint64_t key)
{
    uint32_t at = (uint32_t)(key >> 32) & (once->capacity - 1);
    while (once->entries[at].count && once->entries[at].key != key)
        at = (at + 1) & (once->capacity - 1);
    return &once->entries[at];
}

/* Doubles the table, of which half stays free. Returns false if memory is out. */
static bool once_grow(struct once *once)
{
    struct once larger = {.count = once->count,
                          .capacity = once->capacity ? once->capacity * 2 : ENTRIES_LEAST};
    larger.entries = calloc(larger.capacity, sizeof(*larger.entries));
    if (!larger.entries)
        return false;
    for (uint32_t i = 0; i < once->capacity; i++) {
        if (once->entries[i].count)
            *once_find(&larger, once->entries[i].key) = once->entries[i];
    }
    free(once->entries);
    *once = larger;
    return true;
}

/* Counts the key, and returns how often it came, including this time. If memory is out, it returns
 * 1. */
static uint64_t once_count(struct once *once, uint64_t key)
{
    if (once->count * 2 >= once->capacity && !once_grow(once))
        return 1;
    struct once_entry *entry = once_find(once, key);
    once->count += !entry->count;
    entry->key = key;
    return ++entry->count;
}

static bool is_power_of_ten(uint64_t number)
{
    while (number && number % 10 == 0)
        number /= 10;
    return number == 1;
}

/* True for findings that the program asks for: prints, messages of aborts, and dumps. */
static bool is_asked_for(struct json_object *finding)
{
    const char *severity = json_text_or(finding, "severity");
    return !strcmp(severity, "info") || !strcmp(severity, "debug") ||
           !strcmp(json_text_or(finding, "vuid"), "UNASSIGNED-Shader-Abort");
}

enum once_saying once_say(struct once *once, struct json_object *finding, uint64_t *so_far)
{
    struct identity identity;
    *so_far = 1;
    if (is_asked_for(finding))
        return ONCE_ALL;
    identity_find(&identity, finding);
    *so_far = once_count(once, identity.key[0] ^ identity.key[1] * 3);
    if (*so_far == 1)
        return ONCE_ALL;
    return json_number(finding, "lastOf") || is_power_of_ten(*so_far) ? ONCE_COUNT : ONCE_NOTHING;
}

bool once_has_fix(struct once *once, const char *id, const char *fix)
{
    return once_count(once, identity_of_part(id, "fix", fix)) > 1;
}

bool once_has_mend(struct once *once, const char *id, const char *mend)
{
    const char *code = strchr(mend, '\n');
    return code && once_count(once, identity_of_part(id, "mend", code)) > 1;
}

struct once_parts once_parts(struct once *once, struct json_object *finding)
{
    struct json_object *sync = json_object_object_get(finding, "sync");
    const char *id = json_text_or(finding, "vuid"), *fix = json_text(finding, "fix"),
               *mend = json_text(json_object_object_get(sync, "mend"), "text"),
               *stated = json_text(finding_statement(finding), "vuid");
    return (struct once_parts){
        .fix = fix && once_has_fix(once, id, fix),
        .mend = mend && once_has_mend(once, id, mend),
        .spec = once_count(once, identity_of_part(stated ? stated : id, "spec", "")) > 1,
    };
}
