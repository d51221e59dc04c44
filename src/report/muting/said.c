/* Remembers by hashes what the log has shown. */
#include "report/muting/said.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "report/names/text_hash.h"

/* Entries: two for each of the MUTE_PLACES places, for its text and for its repair. */
#define SAID_KEYS 8192
/* How many entries are tried for a key. If none is free, the key counts as new each time. */
#define KEYS_TRIED 16

#define AS_BEFORE      "as said before for this id"
#define CODE_AS_BEFORE "(the code is as said before for this id, but for numbers and names)"

void said_init(struct said *said)
{
    said->keys = mem_alloc_zeroed(SAID_KEYS * sizeof(*said->keys));
}

void said_free(struct said *said)
{
    mem_free((void *)said->keys);
    *said = (struct said){0};
}

/* Returns true if the key is new, and adds it. Also true if there is no free entry for it. */
static bool is_first(struct said *said, uint64_t key)
{
    key |= 1; /* a key of 0 means that the entry is free */
    for (uint32_t i = 0; said->keys && i < KEYS_TRIED; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong_explicit(&said->keys[((key >> 40) + i) % SAID_KEYS],
                                                    &found, key, memory_order_relaxed,
                                                    memory_order_relaxed))
            return true;
        if (found == key)
            return false;
    }
    return true;
}

/* True for 1, 10, 100 and so on. */
static bool is_power_of_ten(uint32_t number)
{
    while (number && number % 10 == 0)
        number /= 10;
    return number == 1;
}

enum saying said_how(struct said *said, const struct report *report)
{
    assert(report);
    if (!report->same || is_first(said, report->same))
        return SAY_ALL;
    return report->last_of || is_power_of_ten(report->nth) ? SAY_COUNT : SAY_NOTHING;
}

/* Returns the key of a part of the report that the log shows once for each id. `part` is the kind
 * of part. */
static uint64_t said_key(const struct report *report, uint64_t part)
{
    return text_hash_word(text_hash_word(part, report->number), 0);
}

/* Returns the key of the quoted statement, which may belong to another id than the finding's. */
static uint64_t key_of_statement(const struct report *report)
{
    const uint32_t number = report->quoted ? message_number(report->quoted->name) : report->number;
    return text_hash_word(text_hash_word('s', number), 0);
}

/* Cuts the section `mend` (code that repairs the program) to its first line, which says where the
 * code belongs. If that line does not fit into `shown->mend`, the section stays whole. */
static void shorten_mend(struct said_report *shown, struct finding_section *section)
{
    const size_t line = strcspn(section->text, "\n");
    if (!section->text[line] || line > sizeof(shown->mend) - sizeof(CODE_AS_BEFORE) - 1)
        return;
    (void)snprintf(shown->mend, sizeof(shown->mend), "%.*s\n" CODE_AS_BEFORE, (int)line,
                   section->text);
    section->text = shown->mend;
}

/* Leaves out of the sections what the log has shown for the same id before: the cost, and the code
 * that repairs the program. */
static void shorten_sections(struct said *said, struct said_report *shown)
{
    struct finding_details *details = &shown->details;
    uint32_t count = 0;
    for (uint32_t i = 0; i < details->section_count; i++) {
        struct finding_section section = details->sections[i];
        const bool cost = !strcmp(section.key, "cost"),
                   mend = !strcmp(section.key, "mend") || !strcmp(section.key, "advice");
        if (cost && !is_first(said, said_key(&shown->report, 'c')))
            continue;
        /* The first line is a sentence and stays; the code follows it. */
        const char *code = section.text + strcspn(section.text, "\n");
        if (mend && *code &&
            !is_first(said, text_hash_nameless(said_key(&shown->report, 'm'), code)))
            shorten_mend(shown, &section);
        /* Sections are moved within the array: `count` is at most `i`. */
        details->sections[count++] = section;
    }
    details->section_count = count;
}

const struct report *said_leave_out(struct said *said, struct said_report *shown,
                                    const struct report *report)
{
    assert(report && report->same);
    shown->report = *report;
    if ((report->quoted || report->spec_text[0] || report->spec_page[0]) &&
        !is_first(said, key_of_statement(report))) {
        /* `shown->report` is a copy for the log alone, so that it may be changed. */
        shown->report.spec_text = shown->report.spec_page = "";
        shown->report.quoted = NULL;
    }
    if (report->fix && !is_first(said, text_hash_nameless(said_key(report, 'f'), report->fix)))
        shown->report.fix = AS_BEFORE;
    if (report->details) {
        shown->details = *report->details;
        shown->report.details = &shown->details;
        shorten_sections(said, shown);
    }
    return &shown->report;
}
