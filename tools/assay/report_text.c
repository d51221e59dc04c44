/* The report as text: by rule, and hazards by the pair of places that race. */
#include "report.h"

#include <string.h>

#define PLACES_SHOWN "10"
#define PLACES       10
#define PAIRS_SHOWN  "100"
#define PAIRS        100
#define GONE_SHOWN   20
#define TEXT_INDENT  14 /* where the text behind a key stands */

static void write_key(FILE *out, const char *key)
{
    fprintf(out, "    %-9s ", key);
}

/* "new: " in front of what the older run had not. */
static void write_status(FILE *out, enum status status)
{
    if (status == STATUS_NEW || status == STATUS_MOVED)
        fprintf(out, "%s: ", status_name(status));
}

static void write_total(struct report *report)
{
    struct store *store = report->store;
    uint32_t rules = 0, files = 0;
    for (uint32_t i = 0; i < store->rule_count; i++)
        rules += store->rules[i].count != 0;
    for (uint32_t i = 0; i < store->file_count; i++)
        files += !store->files[i].old && !store->files[i].failed;
    write_plural(report->out, store->findings, "finding");
    fprintf(report->out, ", ");
    write_count(report->out, store->different);
    fprintf(report->out, " different, of ");
    write_plural(report->out, rules, "id");
    fprintf(report->out, " in ");
    write_plural(report->out, files, "file");
    if (store->damaged) {
        fprintf(report->out, "; left out: ");
        write_plural(report->out, store->damaged, "damaged line");
    }
    fputc('\n', report->out);
    if (!store->has_old)
        return;
    fprintf(report->out, "since the older run: ");
    write_count(report->out, store_number(store, "SELECT count(*) FROM finding WHERE status = 1"));
    fprintf(report->out, " new, ");
    write_count(report->out, store_number(store, "SELECT count(*) FROM finding WHERE status = 2"));
    fprintf(report->out, " in another place, ");
    write_count(report->out, store_number(store, "SELECT count(*) FROM finding WHERE status = 3"));
    fprintf(report->out, " known, ");
    write_count(report->out,
                store_number(store,
                             "SELECT count(*) FROM was WHERE NOT EXISTS (SELECT 1 FROM finding WHERE finding.site = "
                             "was.site) AND NOT EXISTS (SELECT 1 FROM finding WHERE finding.loose = was.loose)"));
    fprintf(report->out, " gone\n");
}

static void write_objects(FILE *out, struct json_object *objects)
{
    size_t index, count;
    struct json_object *object;
    JSON_EACH_ELEMENT(objects, index, count, object)
    {
        if (index == 0)
            write_key(out, count == 1 ? "object" : "objects");
        else
            fprintf(out, "%*s", TEXT_INDENT, "");
        write_object(out, object);
        fputc('\n', out);
    }
}

static void write_spec(FILE *out, struct json_object *finding)
{
    const char *spec = json_text_or(finding, "spec"), *url = json_text(finding, "url");
    if (*spec) {
        write_key(out, "spec");
        write_wrapped(out, spec, TEXT_INDENT);
        fputc('\n', out);
    }
    if (url)
        fprintf(out, "%*s%s\n", TEXT_INDENT, "", url);
}

/* The head of a rule, from its most frequent finding. */
static void begin_rule(struct report *report, const struct rule *rule, const struct found *found)
{
    FILE *out = report->out;
    fprintf(out, "\n%s %s, ", severity_rank_name(rule->severity), rule->id);
    write_plural(out, rule->count, "time");
    fputs("\n  ", out);
    write_wrapped(out, json_text_or(found->finding, "message"), 2);
    fputc('\n', out);
    write_objects(out, json_object_object_get(found->finding, "objects"));
}

static void end_rule(struct report *report, uint32_t rule)
{
    struct store *store = report->store;
    uint64_t files = store->file_count;
    struct json_object *example = store_rule_example(store, &store->rules[rule]);
    if (files > 1) {
        write_key(report->out, "files");
        write_origins(report->out, store, "rule", rule);
        fputc('\n', report->out);
    }
    write_spec(report->out, example);
    json_object_put(example);
}

/* A rule's places, but for hazards. */
static bool write_rule(struct report *report, uint32_t rule)
{
    struct store *store = report->store;
    struct cursor cursor;
    struct found found;
    char count_text[160];
    uint64_t places = 0;
    if (!cursor_open_grouped(&cursor,
                             store, "WHERE f.rule = ?1 AND f.pair = 0 GROUP BY f.place ORDER BY count DESC, id LIMIT " PLACES_SHOWN,
                             rule, 0))
        return false;
    for (; cursor_next(&cursor, &found); places++) {
        if (!places)
            begin_rule(report, &store->rules[rule], &found);
        struct json_object *caller = finding_place(found.finding);
        if (!json_text(caller, "offset"))
            continue;
        if (!places)
            write_key(report->out, "callers");
        else
            fprintf(report->out, "%*s", TEXT_INDENT, "");
        write_count(report->out, found.count);
        fputs("  ", report->out);
        write_status(report->out, found.status);
        write_site(report->out, report->symbols, caller);
        fputc('\n', report->out);
    }
    cursor_close(&cursor);
    snprintf(count_text, sizeof(count_text), "SELECT count(DISTINCT place) FROM finding WHERE rule = %u AND pair = 0",
             rule);
    uint64_t all = places == PLACES ? store_number(store, count_text) : places;
    if (all > places) {
        fprintf(report->out, "%*sand ", TEXT_INDENT, "");
        write_plural(report->out, all - places, "more place");
        fputc('\n', report->out);
    }
    if (places)
        end_rule(report, rule);
    return true;
}

static void write_side(struct report *report, const char *key, struct json_object *side)
{
    FILE *out = report->out;
    const char *command = json_text(side, "command");
    write_key(out, key);
    fprintf(out, "%s", command ? command : "an access");
    if (json_object_object_get(side, "index"))
        fprintf(out, ", command %llu", (unsigned long long)json_number(side, "index"));
    fprintf(out, "\n%*s", TEXT_INDENT, "");
    write_access(out, side);
    fputc('\n', out);
    if (json_object_object_get(side, "caller")) {
        fprintf(out, "%*sby ", TEXT_INDENT, "");
        write_site(out, report->symbols, json_object_object_get(side, "caller"));
        fputc('\n', out);
    }
}

/* Lines of code keep their form. */
static void write_lines(FILE *out, const char *key, const char *text)
{
    if (!*text)
        return;
    write_key(out, key);
    for (; *text; text++) {
        fputc(*text, out);
        if (*text == '\n')
            fprintf(out, "%*s", TEXT_INDENT, "");
    }
    fputc('\n', out);
}

static void write_pair(struct report *report, const struct found *found)
{
    FILE *out = report->out;
    struct store *store = report->store;
    struct json_object *sync = json_object_object_get(found->finding, "sync");
    fprintf(out, "\n");
    write_status(out, found->status);
    fprintf(out, "%s %s, ", severity_rank_name(found->severity), store->rules[found->rule].id);
    write_plural(out, found->count, "time");
    if (found->different > 1) {
        fputs(" on ", out);
        write_plural(out, found->different, "resource");
    }
    fputc('\n', out);
    write_side(report, "this", json_object_object_get(sync, "this"));
    write_side(report, "earlier", json_object_object_get(sync, "earlier"));
    write_lines(out, "between", json_text_or(json_object_object_get(sync, "between"), "text"));
    write_lines(out, "mend", json_text_or(json_object_object_get(sync, "mend"), "text"));
    if (store->file_count > 1) {
        write_key(out, "files");
        write_origins(out, store, "id", found->id);
        fputc('\n', out);
    }
}

static bool write_pairs(struct report *report)
{
    struct cursor cursor;
    struct found found;
    uint64_t pairs = 0;
    if (!cursor_open_grouped(&cursor, report->store,
                             "WHERE f.pair <> 0 GROUP BY f.pair ORDER BY f.severity, count DESC, id LIMIT " PAIRS_SHOWN,
                             WITHOUT_LIMITS))
        return false;
    for (; cursor_next(&cursor, &found); pairs++) {
        if (!pairs)
            fprintf(report->out, "\n--- hazards, by the two places that race ---\n");
        write_pair(report, &found);
    }
    cursor_close(&cursor);
    if (pairs < PAIRS)
        return true;
    uint64_t all = store_number(report->store, "SELECT count(DISTINCT pair) FROM finding WHERE pair <> 0");
    if (all > pairs) {
        fprintf(report->out, "\nand ");
        write_plural(report->out, all - pairs, "more pair");
        fprintf(report->out, " of places\n");
    }
    return true;
}

static bool write_gone(struct report *report)
{
    struct cursor cursor;
    struct found found;
    uint64_t count = 0;
    if (!report->store->has_old)
        return true;
    if (!cursor_open_gone(&cursor, report->store))
        return false;
    for (; cursor_next(&cursor, &found); count++) {
        if (!count)
            fprintf(report->out, "\n--- gone since the older run ---\n\n");
        if (count >= GONE_SHOWN)
            continue;
        fprintf(report->out, "%s ", report->store->rules[found.rule].id);
        write_site(report->out, report->symbols, finding_place(found.finding));
        fputc('\n', report->out);
    }
    cursor_close(&cursor);
    if (count > GONE_SHOWN) {
        fprintf(report->out, "and ");
        write_count(report->out, count - GONE_SHOWN);
        fprintf(report->out, " more\n");
    }
    return true;
}

bool report_text(struct report *report)
{
    struct store *store = report->store;
    if (!report->without_total)
        write_total(report);
    for (uint32_t i = 0; i < store->rule_count; i++) {
        if (store->rules[store->ranked[i]].count && !write_rule(report, store->ranked[i]))
            return false;
    }
    return write_pairs(report) && write_gone(report);
}
