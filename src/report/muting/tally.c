/* Counts findings and devices, and reports the totals when an instance ends. */
#include "report/muting/tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/names/vuid_text.h"

#define CHECKED_ID "ASSAY-Checked"

#define PLURAL(count) ((count) == 1 ? "" : "s")

/* Keeps what the totals need of a report. With `with_json` that includes its JSON line. Returns
 * NULL if memory is out. Free with mem_free. */
static struct last_told *last_told_create(const struct report *report, bool with_json)
{
    assert(report);
    char place_buffer[256], json_buffer[512];
    struct string_builder place, json;
    struct report copy = *report;
    copy.last_of = 0;
    string_builder_begin(&place, place_buffer, sizeof(place_buffer));
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    message_write_place(&place, report);
    if (with_json)
        message_write_json_line(&json, &copy);
    with_json &= !json.truncated;
    const size_t id_size = strlen(report->id) + 1, place_size = place.length + 1;
    struct last_told *last = mem_alloc(sizeof(*last) + id_size + place_size + json.length + 1);
    if (last) {
        char *id = (char *)(last + 1), *told_place = id + id_size, *line = told_place + place_size;
        *last = (struct last_told){report->last_of, id, told_place, with_json ? line : NULL};
        memcpy(id, report->id, id_size);
        memcpy(told_place, place.text, place_size);
        memcpy(line, json.text, json.length + 1);
        if (with_json)
            line[json.length - 1] = '\0'; /* the closing brace */
    }
    string_builder_end(&place);
    string_builder_end(&json);
    return last;
}

/* Writes the validators that are on, by their names in docs/: "stateless, lifetimes, threads". */
static void write_checks(struct string_builder *builder, const struct settings *settings)
{
    const struct {
        bool on;
        const char *name;
    } checks[] = {
        {settings->stateless_param, "stateless"},
        {settings->object_lifetime, "lifetimes"},
        {settings->thread_safety, "threads"},
        {settings->validate_core, "core"},
        {settings->validate_core && settings->check_shaders, "shaders"},
        {settings->validate_sync, "sync"},
        {settings->gpuav_enable, "gpu"},
        {settings->printf_enable, "printf"},
        {settings->validate_best_practices, "practices"},
        {settings->legacy_detection, "legacy"},
    };
    bool any = false;
    for (size_t i = 0; i < ARRAY_LENGTH(checks); i++) {
        if (checks[i].on)
            string_builder_format(builder, "%s%s", any ? ", " : "", checks[i].name);
        any |= checks[i].on;
    }
    string_builder_add(builder, any ? "" : "nothing");
}

/* Ends a line of the record file and writes it. A line that was cut is left out. */
static void write_record(const struct tally *tally, struct string_builder *text)
{
    string_builder_add(text, "}\n");
    if (!text->truncated)
        sink_write(&tally->record, text->text, text->length);
}

void tally_open(struct tally *tally, const struct settings *settings)
{
    char path[4096];
    tally->process = getpid();
    tally->record.file = -1;
    const char *json = settings->json_filename;
    /* `assay run` makes the file, and names it by a variable. */
    if (settings->local[SETTING_JSON_FILENAME])
        return;
    if (json && *json && snprintf(path, sizeof(path), "%s.record", json) < (int)sizeof(path))
        (void)!sink_open_existing(&tally->record, path);
}

void tally_close(struct tally *tally)
{
    sink_close(&tally->record);
}

void tally_begin(struct tally *tally, const struct settings *settings, const char *application)
{
    char buffer[512];
    struct string_builder text;
    tally->begun = true;
    if (tally->record.file < 0)
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "{\"instance\":%d,\"application\":\"", (int)tally->process);
    string_builder_add_json(&text, application ? application : "");
    string_builder_add(&text, "\",\"checks\":\"");
    write_checks(&text, settings);
    string_builder_add(&text, "\"");
    write_record(tally, &text);
    string_builder_end(&text);
}

void tally_count_device(struct tally *tally)
{
    char buffer[64];
    struct string_builder text;
    atomic_fetch_add_explicit(&tally->devices, 1, memory_order_relaxed);
    if (tally->record.file < 0)
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "{\"device\":%d", (int)tally->process);
    write_record(tally, &text);
    string_builder_end(&text);
}

void tally_count(struct tally *tally, const struct report *report, bool kept, bool with_json)
{
    assert(report->severity <= SEVERITY_DEBUG);
    atomic_fetch_add_explicit(&tally->findings, 1, memory_order_relaxed);
    if (!kept || !report->place)
        return;
    /* The totals need only the second report from a place, and the last one before the limit. */
    if (!report->last_of && report->nth != 2)
        return;
    struct last_told *told = last_told_create(report, report->last_of && with_json), *none = NULL;
    /* Release: the thread that reports the end reads the memory that the pointer leads to. */
    if (!atomic_compare_exchange_strong_explicit(report->last_of ? &report->place->last
                                                                 : &report->place->second,
                                                 &none, told, memory_order_release,
                                                 memory_order_relaxed))
        last_told_free(told);
}

/* --- the end --- */

/* Writes to the log how often a finding came in all. `log` NULL: there is no log. */
static void tell_log(const struct sink *log, const struct last_told *last, uint64_t count)
{
    char buffer[512];
    struct string_builder text;
    if (!log)
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    message_write_repeats(&text, last->id, count, "in all", last->place);
    sink_write(log, text.text, text.length);
    string_builder_end(&text);
}

/* Writes the line of a finding once more, with the number of repeats that were not reported. */
static void tell_json(const struct sink *json, const struct last_told *last, uint64_t untold)
{
    char buffer[2048];
    struct string_builder text;
    if (json->file < 0 || !last->json)
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "%s,\"repeats\":%" PRIu64 "}\n", last->json, untold);
    if (!text.truncated)
        sink_write(json, text.text, text.length);
    string_builder_end(&text);
}

/* Reports the totals of each place. Returns how many findings were not reported. */
static uint64_t tell_places(const struct tally_ways *ways)
{
    assert(ways);
    uint64_t all = 0;
    for (uint32_t i = 0; ways->mute->places && i < MUTE_PLACES; i++) {
        struct mute_place *place = &ways->mute->places[i];
        uint64_t untold = atomic_load_explicit(&place->untold, memory_order_relaxed);
        /* Pairs with the release in tally_count(). */
        const struct last_told *last = atomic_load_explicit(&place->last, memory_order_acquire);
        if (!last)
            last = atomic_load_explicit(&place->second, memory_order_acquire);
        if (!last)
            continue;
        /* `place->told` may be above the limit, if several threads counted at the same time. */
        uint64_t count =
            untold +
            (last->told ? last->told : atomic_load_explicit(&place->told, memory_order_relaxed));
        if (count > atomic_load_explicit(&place->said, memory_order_relaxed))
            tell_log(ways->log, last, count);
        if (untold)
            tell_json(ways->json, last, untold);
        all += untold;
    }
    return all;
}

/* Reports the ids of findings that were counted by their id only. Returns the number of these
 * findings. */
static uint64_t tell_ids(const struct tally *tally, const struct tally_ways *ways)
{
    uint64_t all = 0;
    for (uint32_t i = 0; ways->mute->untold && i < VUID_COUNT; i++) {
        /* Findings of an exhausted id (mute.h), and of places without an entry, are counted by id
         * only. */
        uint64_t untold = atomic_load_explicit(&ways->mute->untold[i], memory_order_relaxed);
        if (!untold)
            continue;
        char buffer[512], record_buffer[256];
        struct string_builder text, record;
        struct vuid_text id;
        vuid_text_open(&id, (enum vuid)i);
        string_builder_begin(&text, buffer, sizeof(buffer));
        string_builder_format(&text,
                              "Assay repeated %s, %" PRIu64
                              " time%s more, from %u places that are not reported any more, or "
                              "from further ones, which are not reported\n",
                              id.name, untold, PLURAL(untold), MUTE_PLACES_OF_ONE);
        if (ways->log)
            sink_write(ways->log, text.text, text.length);
        string_builder_begin(&record, record_buffer, sizeof(record_buffer));
        string_builder_format(&record, "{\"further\":\"%s\",\"count\":%" PRIu64, id.name, untold);
        write_record(tally, &record);
        string_builder_end(&record);
        string_builder_end(&text);
        vuid_text_close(&id);
        all += untold;
    }
    return all;
}

/* Reports with severity info which checks were on, and how many findings there were. */
static void tell_checked(const struct tally *tally, const struct tally_ways *ways, uint64_t untold)
{
    char buffer[512];
    struct string_builder text;
    if (!ways->log || !(ways->settings->report_flags & REPORT_FLAGS_INFO) ||
        mute_is_number_filtered(ways->mute, message_number(CHECKED_ID)))
        return;
    uint64_t findings = atomic_load_explicit(&tally->findings, memory_order_relaxed) + untold;
    uint32_t devices = atomic_load_explicit(&tally->devices, memory_order_relaxed);
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_add(&text, "Assay info " CHECKED_ID "\n  ");
    if (findings)
        string_builder_format(&text, "%" PRIu64 " finding%s", findings, PLURAL(findings));
    else
        string_builder_add(&text, "no findings");
    string_builder_add(&text, "; the layer checked ");
    write_checks(&text, ways->settings);
    if (devices)
        string_builder_format(&text, ", of an instance with %u device%s\n\n", devices,
                              PLURAL(devices));
    else
        string_builder_add(&text, ", of an instance without a device\n\n");
    sink_write(ways->log, text.text, text.length);
    string_builder_end(&text);
}

void tally_tell(struct tally *tally, const struct tally_ways *ways)
{
    char buffer[128];
    struct string_builder text;
    /* The totals are reported once: both the instance's end and exit() come here. */
    if (!tally->begun || atomic_exchange_explicit(&tally->ended, true, memory_order_relaxed))
        return;
    uint64_t untold = tell_places(ways);
    untold += tell_ids(tally, ways);
    tell_checked(tally, ways, untold);
    if (tally->record.file < 0 || tally->process != getpid())
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_format(&text, "{\"end\":%d", (int)tally->process);
    write_record(tally, &text);
    string_builder_end(&text);
}

void tally_fork_child(struct tally *tally)
{
    atomic_store_explicit(&tally->findings, 0, memory_order_relaxed);
}
