/* Writes the report as text: findings by rule, and hazards by the pair of places that race. */
#include "assay/validate/cases.h"

#include <string.h>

#define PAIRS_SHOWN  "100"
#define PAIRS        100
#define GONE_SHOWN   20
#define OTHERS_SHOWN 10
/* The most different findings of an id that are compared by text, objects and place. */
#define LOOKED_AT      "2000"
#define LOOKED_AT_MOST 2000
#define SIDE_CALLERS   5 /* frames outside of the shown caller, as in the log */

/* The other resources that the two places race on. */
static void write_others(struct report *report, const struct found *pair)
{
    struct cursor cursor;
    struct found found;
    uint64_t count = 0;
    if (pair->different < 2 || !cursor_open(&cursor, report->store,
                                            "WHERE f.pair = (SELECT pair FROM finding WHERE id = "
                                            "?1) AND f.id <> ?1 ORDER BY count DESC, id",
                                            pair->id, 0))
        return;
    for (; cursor_next(&cursor, &found); count++) {
        if (count >= OTHERS_SHOWN && !report->all)
            continue;
        if (count)
            fprintf(report->out, "%*s", TEXT_INDENT, "");
        else
            write_key(report->out, "also on");
        struct json_object *side =
            json_object_object_get(json_object_object_get(found.finding, "sync"), "this");
        write_object(report->out, json_object_object_get(side, "resource"));
        fputs(", ", report->out);
        write_plural(report->out, found.count, "time");
        fputc('\n', report->out);
    }
    cursor_close(&cursor);
    if (count > OTHERS_SHOWN && !report->all) {
        fprintf(report->out, "%*sand ", TEXT_INDENT, "");
        write_count(report->out, count - OTHERS_SHOWN);
        fputs(" more (--all shows them)\n", report->out);
    }
}

/* Writes the first line: how many findings there are, of how many ids, in how many files. */
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
                store_number(store, "SELECT count(*) FROM was WHERE NOT EXISTS (SELECT 1 FROM "
                                    "finding WHERE finding.site = was.site) AND NOT EXISTS (SELECT "
                                    "1 FROM finding WHERE finding.loose = was.loose)"));
    fprintf(report->out, " gone\n");
}

/* Writes the cost of advice, the specification's sentence unless the report is brief, and the
 * address. */
static void write_spec(struct report *report, struct json_object *finding)
{
    FILE *out = report->out;
    const char *cost = json_text_or(json_object_object_get(finding, "practice"), "cost");
    if (*cost) {
        write_key(out, "cost");
        write_wrapped(out, cost, TEXT_INDENT);
        fputc('\n', out);
    }
    const char *spec = json_text_or(finding, "spec"), *url = json_text(finding, "url");
    if (*spec && report->brief)
        return;
    if (*spec) {
        write_key(out, "spec");
        write_wrapped(out, spec, TEXT_INDENT);
        fputc('\n', out);
    }
    if (url)
        fprintf(out, "%*s%s\n", TEXT_INDENT, "", url);
}

/* Ends a rule. `spec`: the statement is written here, as it is not beside each finding. */
static void end_rule(struct report *report, uint32_t rule, bool spec)
{
    struct store *store = report->store;
    uint64_t files = store->file_count;
    struct json_object *example = store_rule_example(store, &store->rules[rule]);
    if (files > 1) {
        write_key(report->out, "files");
        write_origins(report->out, store, "rule", rule);
        fputc('\n', report->out);
    }
    if (spec)
        write_spec(report, example);
    json_object_put(example);
}

/* True if each case quotes a statement of its own. */
static bool have_statements(const struct cases *cases)
{
    bool all = !cases->more_cases;
    for (uint32_t i = 0; i < cases->count; i++)
        all &= cases->rows[i].statement != NULL;
    return all;
}

/* Writes a rule's findings, except hazards: each different text with its objects and places. */
static bool write_rule(struct report *report, uint32_t rule)
{
    struct cases cases = {.all = report->all};
    struct cursor cursor;
    struct found found;
    char count_text[128];
    uint64_t looked = 0;
    if (!cursor_open(&cursor, report->store,
                     report->all ? "WHERE f.rule = ?1 AND f.pair = 0 ORDER BY count DESC, id"
                                 : "WHERE f.rule = ?1 AND f.pair = 0 ORDER BY count DESC, id "
                                   "LIMIT " LOOKED_AT,
                     rule, 0))
        return false;
    bool good = true;
    for (; good && cursor_next(&cursor, &found); looked++)
        good = cases_add(&cases, &found);
    cursor_close(&cursor);
    snprintf(count_text, sizeof(count_text),
             "SELECT count(*) FROM finding WHERE rule = %u AND pair = 0", rule);
    if (looked == LOOKED_AT_MOST && !report->all) {
        uint64_t all = store_number(report->store, count_text);
        cases.partial = all > looked;
        cases.more_cases += all - looked;
    }
    if (cases.count) {
        const struct rule *about = &report->store->rules[rule];
        fputc('\n', report->out);
        write_heading(report, about->severity, about->id);
        fputs(", ", report->out);
        write_plural(report->out, about->count, "time");
        fputc('\n', report->out);
        cases_write(report, &cases, about->id);
        end_rule(report, rule, !have_statements(&cases));
    }
    cases_free(&cases);
    return good;
}

/* Writes the callers of the side's caller. */
static void write_outer_sites(struct report *report, struct json_object *side)
{
    struct json_object *stack = json_object_object_get(side, "stack"),
                       *caller = json_object_object_get(side, "caller");
    uint64_t count = json_length(stack), at = 0;
    while (at < count && !json_object_equal(json_object_array_get_idx(stack, at), caller))
        at++;
    for (uint64_t i = 1; i <= SIDE_CALLERS && at + i < count; i++) {
        fprintf(report->out, "%*s", TEXT_INDENT + 4, "");
        write_site(report->out, report->symbols, json_object_array_get_idx(stack, at + i));
        fputc('\n', report->out);
    }
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
        write_outer_sites(report, side);
    }
}

/* Writes a side of a hazard that was written in full before: only command, resource and caller. */
static void write_brief_side(struct report *report, const char *key, struct json_object *side)
{
    FILE *out = report->out;
    const char *command = json_text(side, "command");
    struct json_object *resource = json_object_object_get(side, "resource");
    write_key(out, key);
    fputs(command ? command : "an access", out);
    if (resource) {
        fputs(json_is_true(json_object_object_get(side, "write")) ? " writes " : " reads ", out);
        write_object(out, resource);
    }
    if (json_object_object_get(side, "caller")) {
        fprintf(out, "\n%*sby ", TEXT_INDENT, "");
        write_site(out, report->symbols, json_object_object_get(side, "caller"));
    }
    fputc('\n', out);
}

/* Writes a key and lines of code, which are not wrapped. */
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

/* Writes how to repair a hazard: the first line, which says where the code belongs, and the code
 * once for each id. */
static void write_mend(struct report *report, const char *id, const char *mend)
{
    if (!once_has_mend(&report->once, id, mend)) {
        write_lines(report->out, "mend", mend);
        return;
    }
    write_key(report->out, "mend");
    fprintf(report->out, "%.*s\n%*s" ONCE_CODE "\n", (int)strcspn(mend, "\n"), mend, TEXT_INDENT,
            "");
}

static void write_sides(struct report *report, const struct found *found, struct json_object *sync)
{
    struct json_object *self = json_object_object_get(sync, "this"),
                       *earlier = json_object_object_get(sync, "earlier");
    if (report->brief) {
        write_brief_side(report, "this", self);
        write_brief_side(report, "earlier", earlier);
        write_others(report, found);
        return;
    }
    write_side(report, "this", self);
    write_side(report, "earlier", earlier);
    write_others(report, found);
    write_lines(report->out, "between",
                json_text_or(json_object_object_get(sync, "between"), "text"));
    write_mend(report, report->store->rules[found->rule].id,
               json_text_or(json_object_object_get(sync, "mend"), "text"));
}

/* Writes the hazards of one pair of places: the heading, both accesses, and the mend. */
static void write_pair(struct report *report, const struct found *found)
{
    FILE *out = report->out;
    struct store *store = report->store;
    struct json_object *sync = json_object_object_get(found->finding, "sync");
    fprintf(out, "\n");
    write_status(out, found->status);
    write_heading(report, found->severity, store->rules[found->rule].id);
    fputs(", ", out);
    write_plural(out, found->count, "time");
    if (found->different > 1) {
        fputs(" on ", out);
        write_plural(out, found->different, "resource");
    }
    fputc('\n', out);
    write_sides(report, found, sync);
    if (store->file_count > 1) {
        write_key(out, "files");
        write_origins(out, store, "id", found->id);
        fputc('\n', out);
    }
}

/* Writes all pairs of places that race, the worst first. Returns false if they cannot be read. */
static bool write_pairs(struct report *report)
{
    struct cursor cursor;
    struct found found;
    uint64_t pairs = 0;
    if (!cursor_open_grouped(&cursor, report->store,
                             report->all ? "WHERE f.pair <> 0 GROUP BY f.pair ORDER BY f.severity, "
                                           "count DESC, id"
                                         : "WHERE f.pair <> 0 GROUP BY f.pair ORDER BY f.severity, "
                                           "count DESC, id LIMIT " PAIRS_SHOWN,
                             WITHOUT_LIMITS))
        return false;
    for (; cursor_next(&cursor, &found); pairs++) {
        if (!pairs)
            fprintf(report->out, "\n--- hazards, by the two places that race ---\n");
        write_pair(report, &found);
    }
    cursor_close(&cursor);
    if (pairs < PAIRS || report->all)
        return true;
    uint64_t all =
        store_number(report->store, "SELECT count(DISTINCT pair) FROM finding WHERE pair <> 0");
    if (all > pairs) {
        fprintf(report->out, "\nand ");
        write_plural(report->out, all - pairs, "more pair");
        fprintf(report->out, " of places (--all shows them)\n");
    }
    return true;
}

/* Writes the findings that only the older run has. Returns false if they cannot be read. */
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
        if (count >= GONE_SHOWN && !report->all)
            continue;
        fprintf(report->out, "%s ", report->store->rules[found.rule].id);
        write_site(report->out, report->symbols, finding_place(found.finding));
        fputc('\n', report->out);
    }
    cursor_close(&cursor);
    if (count > GONE_SHOWN && !report->all) {
        fprintf(report->out, "and ");
        write_count(report->out, count - GONE_SHOWN);
        fprintf(report->out, " more (--all shows them)\n");
    }
    return true;
}

/* Writes the whole report: mistakes, hazards, advice, and findings that only the older run has.
 * Returns false if they cannot be read. */
static bool write_all(struct report *report)
{
    struct store *store = report->store;
    if (!report->without_total)
        write_total(report);
    enum advice advice = ADVICE_NONE;
    uint32_t i = 0;
    for (; i < store->rule_count && !store->rules[store->ranked[i]].advice; i++) {
        if (store->rules[store->ranked[i]].count && !write_rule(report, store->ranked[i]))
            return false;
    }
    if (!write_pairs(report))
        return false;
    for (; i < store->rule_count; i++) {
        const struct rule *rule = &store->rules[store->ranked[i]];
        if (!rule->count)
            continue;
        if (rule->advice != advice)
            fprintf(report->out, "\n--- advice that saves %s ---\n", advice_title(rule->advice));
        advice = rule->advice;
        if (!write_rule(report, store->ranked[i]))
            return false;
    }
    return write_gone(report);
}

bool report_text(struct report *report)
{
    const bool good = write_all(report);
    once_free(&report->once);
    return good;
}
