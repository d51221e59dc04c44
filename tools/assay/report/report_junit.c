/* Writes the report as JUnit XML, for CI. It has a suite for each file (a machine, a test), and a
 * case for each id in that file. A case with errors fails. Lesser findings, and those of the older
 * run, pass and are in the suite's output. A file without findings has one case, which passes. The
 * output is valid by the schemas of Ant and of Jenkins. */
#include "assay/report/emit.h"
#include "assay/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define PLACES_SHOWN 10

/* The findings of one id in one file. */
struct junit_case {
    uint32_t rule;
    uint64_t count;
    bool fails;
};

/* Writes the places where one file has findings of a rule, at most PLACES_SHOWN of them. */
static void write_places(struct report *report, FILE *text, uint32_t file, uint32_t rule)
{
    struct cursor cursor;
    struct found found;
    uint32_t places = 0;
    if (!cursor_open(&cursor, report->store,
                     "JOIN origin AS o ON o.finding = f.id WHERE o.file = ?1 AND f.rule = ?2 ORDER "
                     "BY f.status, o.count DESC, f.id",
                     file, rule))
        return;
    for (; cursor_next(&cursor, &found) && places < PLACES_SHOWN; places++) {
        struct json_object *sync = json_object_object_get(found.finding, "sync");
        struct json_object *wanted = json_object_object_get(found.finding, "wanted");
        fputs(json_text_or(found.finding, "message"), text);
        write_row_lines(text, found.finding, "\n  ");
        fputc('\n', text);
        if (json_object_object_get(wanted, "caller")) {
            fputs("  wanted by ", text);
            write_wanting(text, wanted);
            fputs(", in ", text);
            write_site(text, report->symbols, json_object_object_get(wanted, "caller"));
            fputc('\n', text);
        }
        if (found.status)
            fprintf(text, "  since the older run: %s\n", status_name(found.status));
        for (int i = json_object_object_get(sync, "this") ? 1 : 0; i < FINDING_CALLERS; i++) {
            struct json_object *caller = finding_caller(found.finding, i);
            if (!caller)
                continue;
            fprintf(text, i == 2 ? "  earlier access by " : "  called by ");
            write_site(text, report->symbols, caller);
            fputc('\n', text);
        }
        if (sync)
            fprintf(text, "%s\n", json_text_or(json_object_object_get(sync, "mend"), "text"));
    }
    if (places == PLACES_SHOWN && cursor_next(&cursor, &found))
        fprintf(text, "... and more\n");
    cursor_close(&cursor);
}

/* Writes the case of one id. Findings that do not make it fail are written to `passes`. */
static bool write_case(struct report *report, uint32_t file, const struct junit_case *one,
                       FILE *passes)
{
    FILE *out = report->out;
    struct store *store = report->store;
    const struct rule *rule = &store->rules[one->rule];
    struct json_object *example = store_rule_example(store, rule);
    struct json_object *finding = example;
    char *places = NULL;
    size_t length;
    FILE *text = one->fails ? open_memstream(&places, &length) : passes;
    if (!text) {
        json_object_put(example);
        return false;
    }
    if (!one->fails)
        fprintf(text, "%s %s, %" PRIu64 " time%s\n", severity_rank_name(rule->severity), rule->id,
                one->count, one->count == 1 ? "" : "s");
    write_places(report, text, file, one->rule);
    if (json_text(finding, "fix"))
        fprintf(text, "fix: %s\n", json_text(finding, "fix"));
    if (json_text(finding, "url"))
        fprintf(text, "%s\n%s\n", json_text_or(finding, "spec"), json_text_or(finding, "url"));
    fputs("    <testcase classname=\"", out);
    emit_xml(out, store->files[file].path);
    fputs("\" name=\"", out);
    emit_xml(out, rule->id);
    fputs("\" time=\"0\">", out);
    if (one->fails) {
        fclose(text);
        fprintf(out, "\n      <failure type=\"%s\" message=\"%" PRIu64 " time%s: ",
                severity_rank_name(rule->severity), one->count, one->count == 1 ? "" : "s");
        emit_xml(out, json_text_or(finding, "message"));
        fputs("\">", out);
        emit_xml(out, places);
        fputs("</failure>\n    ", out);
    }
    fputs("</testcase>\n", out);
    free(places);
    json_object_put(example);
    return true;
}

/* Finds the ids in a file. A case fails if it has an error that the older run does not have. The
 * caller frees the array; NULL: memory is out. */
static struct junit_case *find_cases(struct store *store, uint32_t file, uint32_t *count)
{
    static const char query_text[] =
        "SELECT f.rule, sum(o.count), max(f.severity = 0 AND f.status <> 3) FROM origin AS o JOIN "
        "finding AS f ON f.id = o.finding JOIN rank ON rank.rule = f.rule WHERE o.file = ?1 GROUP "
        "BY f.rule ORDER BY rank.rank";
    struct junit_case *cases = malloc((store->rule_count + 1) * sizeof(*cases));
    sqlite3_stmt *query = NULL;
    *count = 0;
    if (!cases || sqlite3_prepare_v2(store->database, query_text, -1, &query, NULL) != SQLITE_OK) {
        free(cases);
        return NULL;
    }
    sqlite3_bind_int64(query, 1, file);
    while (sqlite3_step(query) == SQLITE_ROW) {
        cases[(*count)++] = (struct junit_case){.rule = (uint32_t)sqlite3_column_int64(query, 0),
                                                .count = (uint64_t)sqlite3_column_int64(query, 1),
                                                .fails = sqlite3_column_int(query, 2) != 0};
    }
    sqlite3_finalize(query);
    return cases;
}

/* Writes a case that fails, for a file that could not be read, or has damaged lines. */
static void write_unreadable(struct report *report, const struct findings_file *file)
{
    FILE *out = report->out;
    fputs("    <testcase classname=\"", out);
    emit_xml(out, file->path);
    fputs("\" name=\"the file of findings\" time=\"0\">\n      <error type=\"unreadable\" "
          "message=\"",
          out);
    if (file->failed)
        fputs("it could not be read", out);
    else
        write_plural(out, file->counts.damaged, "damaged line");
    fputs("\"></error>\n    </testcase>\n", out);
}

/* Writes the time at which the file was last written. */
static void write_time(FILE *out, const char *path)
{
    struct stat status;
    char text[64];
    time_t when = stat(path, &status) == 0 ? status.st_mtime : time(NULL);
    struct tm parts;
    gmtime_r(&when, &parts);
    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    fputs(text, out);
}

static void begin_suite(FILE *out, const struct findings_file *file, uint32_t id, uint32_t tests,
                        uint32_t failures, bool unreadable)
{
    fprintf(out, "  <testsuite package=\"assay\" id=\"%u\" name=\"", id);
    emit_xml(out, file->path);
    fprintf(out, "\" tests=\"%u\" failures=\"%u\" errors=\"%d\" time=\"0\" timestamp=\"", tests,
            failures, unreadable);
    write_time(out, file->path);
    fputs("\" hostname=\"localhost\">\n", out);
    fprintf(out,
            "    <properties><property name=\"tool\" value=\"assay %s\"></property></properties>\n",
            ASSAY_VERSION);
}

static void write_pass(FILE *out, const struct findings_file *file)
{
    fputs("    <testcase classname=\"", out);
    emit_xml(out, file->path);
    fputs("\" name=\"no findings\" time=\"0\"></testcase>\n", out);
}

/* Writes one file of findings as a test suite. Returns false if that failed, which has been
 * reported. */
static bool write_suite(struct report *report, uint32_t index, uint32_t id)
{
    FILE *out = report->out;
    const struct findings_file *file = &report->store->files[index];
    uint32_t count, failures = 0;
    struct junit_case *cases = find_cases(report->store, index, &count);
    char *told = NULL;
    size_t length;
    FILE *passes = open_memstream(&told, &length);
    bool unreadable = file->failed || file->counts.damaged, good = cases && passes;
    for (uint32_t i = 0; good && i < count; i++)
        failures += cases[i].fails;
    if (good)
        begin_suite(out, file, id, count + (unreadable || !count), failures, unreadable);
    if (good && !count && !unreadable)
        write_pass(out, file);
    for (uint32_t i = 0; good && i < count; i++)
        good = write_case(report, index, &cases[i], passes);
    if (good && unreadable)
        write_unreadable(report, file);
    if (passes)
        fclose(passes);
    fputs("    <system-out>", out);
    emit_xml(out, good ? told : "");
    fputs("</system-out>\n    <system-err></system-err>\n  </testsuite>\n", out);
    free(told);
    free(cases);
    return good || store_failed(report->store, "making the report");
}

bool report_junit(struct report *report)
{
    uint32_t id = 0;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", report->out);
    for (uint32_t i = 0; i < report->store->file_count; i++) {
        if (!report->store->files[i].old && !write_suite(report, i, id++))
            return false;
    }
    fputs("</testsuites>\n", report->out);
    return true;
}
