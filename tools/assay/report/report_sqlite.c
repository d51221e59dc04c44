/* Writes the report as an SQLite database. docs/report.md has the schema, and examples of
 * queries. */
#include "assay/report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char schema[] =
    "CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;CREATE TABLE file (id "
    "INTEGER PRIMARY KEY, path TEXT NOT NULL, findings INTEGER NOT NULL, damaged_lines INTEGER NOT "
    "NULL, bytes INTEGER NOT NULL, older_run INTEGER NOT NULL);CREATE TABLE rule (id INTEGER "
    "PRIMARY KEY, vuid TEXT NOT NULL UNIQUE, severity TEXT NOT NULL, count INTEGER NOT NULL, spec "
    "TEXT, url TEXT);CREATE TABLE call_site (id INTEGER PRIMARY KEY, module TEXT NOT NULL, offset "
    "INTEGER NOT NULL, symbol TEXT, source_function TEXT, source_file TEXT, source_line INTEGER, "
    "UNIQUE (module, offset));CREATE TABLE finding (id INTEGER PRIMARY KEY, rule INTEGER NOT NULL "
    "REFERENCES rule, severity TEXT NOT NULL, count INTEGER NOT NULL, status TEXT, command TEXT, "
    "location TEXT, message TEXT NOT NULL, caller INTEGER REFERENCES call_site, application TEXT, "
    "json TEXT NOT NULL);CREATE TABLE origin (finding INTEGER NOT NULL REFERENCES finding, file "
    "INTEGER NOT NULL REFERENCES file, count INTEGER NOT NULL, PRIMARY KEY (finding, file)) "
    "WITHOUT ROWID;CREATE TABLE object (finding INTEGER NOT NULL REFERENCES finding, position "
    "INTEGER NOT NULL, type TEXT NOT NULL, handle TEXT, name TEXT, PRIMARY KEY (finding, "
    "position)) WITHOUT ROWID;CREATE TABLE label (finding INTEGER NOT NULL REFERENCES finding, of "
    "TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (finding, of, "
    "position)) WITHOUT ROWID;CREATE TABLE hazard (finding INTEGER PRIMARY KEY REFERENCES finding, "
    "kind TEXT NOT NULL, resource_type TEXT, resource_name TEXT, caller INTEGER REFERENCES "
    "call_site, command TEXT, usage TEXT, queue TEXT, submission INTEGER, earlier_caller INTEGER "
    "REFERENCES call_site, earlier_command TEXT, earlier_usage TEXT, earlier_queue TEXT, "
    "earlier_submission INTEGER, fault TEXT, between_text TEXT, mend_kind TEXT, mend_text TEXT);";

static const char views[] =
    "CREATE INDEX finding_rule ON finding (rule); CREATE INDEX finding_caller ON finding "
    "(caller);CREATE INDEX finding_status ON finding (status); CREATE INDEX origin_file ON origin "
    "(file);CREATE INDEX object_name ON object (name, type); CREATE INDEX hazard_callers ON hazard "
    "(caller, earlier_caller);CREATE INDEX call_site_source ON call_site (source_file, "
    "source_line);CREATE VIEW place AS SELECT id, coalesce(source_file || ':' || source_line, "
    "module || printf('+0x%x', offset) || coalesce(' (' || symbol || ')', '')) AS place FROM "
    "call_site;CREATE VIEW summary AS SELECT r.vuid, r.severity, r.count, count(*) AS different, "
    "count(DISTINCT f.caller) AS places, min(f.message) AS message, r.url FROM finding AS f JOIN "
    "rule AS r ON r.id = f.rule WHERE f.status IS NOT 'gone' GROUP BY f.rule ORDER BY r.count "
    "DESC;CREATE VIEW hazard_pair AS SELECT h.kind, a.place AS place, b.place AS earlier_place, "
    "sum(f.count) AS count, group_concat(DISTINCT coalesce(h.resource_name, h.resource_type)) AS "
    "resources, h.mend_text FROM hazard AS h JOIN finding AS f ON f.id = h.finding LEFT JOIN place "
    "AS a ON a.id = h.caller LEFT JOIN place AS b ON b.id = h.earlier_caller WHERE f.status IS NOT "
    "'gone' GROUP BY h.kind, h.caller, h.earlier_caller ORDER BY count DESC;";

enum statement {
    PUT_ABOUT,
    PUT_FILE,
    PUT_RULE,
    PUT_SITE,
    FIND_SITE,
    PUT_FINDING,
    PUT_OBJECT,
    PUT_LABEL,
    PUT_HAZARD,
    STATEMENT_COUNT
};

static const char *const statements[STATEMENT_COUNT] = {
    [PUT_ABOUT] = "INSERT INTO about VALUES (?, ?)",
    [PUT_FILE] = "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_RULE] = "INSERT INTO rule VALUES (?, ?, ?, ?, ?, ?)",
    [PUT_SITE] = ("INSERT INTO call_site (module, offset, symbol, source_function, source_file, "
                  "source_line) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"),
    [FIND_SITE] = "SELECT id FROM call_site WHERE module = ? AND offset = ?",
    [PUT_FINDING] = "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [PUT_OBJECT] = "INSERT INTO object VALUES (?, ?, ?, ?, ?)",
    [PUT_LABEL] = "INSERT INTO label VALUES (?, ?, ?, ?)",
    [PUT_HAZARD] =
        "INSERT INTO hazard VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
};

struct output {
    struct report *report;
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool failed;
};

static void sqlite_fail(struct output *output)
{
    if (!output->failed)
        tell("the database: %s", sqlite3_errmsg(output->database));
    output->failed = true;
}

static void sqlite_sql(struct output *output, const char *text)
{
    if (!output->failed && sqlite3_exec(output->database, text, NULL, NULL, NULL) != SQLITE_OK)
        sqlite_fail(output);
}

/* A value of a row in a table: a text, a number, or NULL. */
struct value {
    const char *text;
    int64_t number;
    bool is_number;
};
#define TEXT(text_)     ((struct value){.text = (text_)})
#define NUMBER(number_) ((struct value){.number = (int64_t)(number_), .is_number = true})
#define NUMBER_IF(number_) \
    ((struct value){.number = (int64_t)(number_), .is_number = (number_) != 0})

/* Runs a statement; returns the number that it yields, or 0. */
static int64_t sqlite_put(struct output *output, enum statement statement,
                          const struct value *values, int count)
{
    sqlite3_stmt *query = output->statements[statement];
    int64_t number = 0;
    if (output->failed)
        return 0;
    for (int i = 0; i < count; i++) {
        if (values[i].is_number)
            sqlite3_bind_int64(query, i + 1, values[i].number);
        else
            /* NULL becomes NULL */
            sqlite3_bind_text(query, i + 1, values[i].text, -1, SQLITE_STATIC);
    }
    int status = sqlite3_step(query);
    if (status == SQLITE_ROW) {
        number = sqlite3_column_int64(query, 0);
        status = sqlite3_step(query);
    }
    if (status != SQLITE_DONE)
        sqlite_fail(output);
    sqlite3_reset(query);
    return number;
}
#define PUT(output_, statement_, ...)                                        \
    sqlite_put((output_), (statement_), (const struct value[]){__VA_ARGS__}, \
               (int)(sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)))

/* Adds a call site, unless it is there, and returns its number; 0: there is none. */
static int64_t put_site(struct output *output, struct json_object *caller)
{
    const char *module = json_text(caller, "module"), *offset = json_text(caller, "offset");
    const struct site *site = symbols_site(output->report->symbols, caller);
    if (!offset)
        return 0;
    struct value key[] = {TEXT(module ? module : ""), NUMBER(strtoull(offset, NULL, 16))};
    int64_t id = sqlite_put(output, FIND_SITE, key, 2);
    if (id)
        return id;
    return PUT(output, PUT_SITE, key[0], key[1], TEXT(json_text(caller, "symbol")),
               TEXT(site ? site->function : NULL), TEXT(site ? site->file : NULL),
               NUMBER_IF(site ? site->line : 0));
}

static void put_labels(struct output *output, int64_t id, const char *of,
                       struct json_object *labels)
{
    size_t index, count;
    struct json_object *label;
    JSON_EACH_ELEMENT(labels, index, count, label)
    PUT(output, PUT_LABEL, NUMBER(id), TEXT(of), NUMBER(index),
        TEXT(json_object_is_type(label, json_type_string) ? json_string(label) : ""));
}

/* Returns an object's name, or its handle as text. */
static const char *name_of(struct json_object *object)
{
    const char *name = json_text(object, "name");
    return name ? name : json_text(object, "handle");
}

/* Adds the hazard of a finding: both accesses, what is between them, and the repair. */
static void put_hazard(struct output *output, int64_t id, struct json_object *sync)
{
    struct json_object *self = json_object_object_get(sync, "this"),
                       *earlier = json_object_object_get(sync, "earlier");
    struct json_object *between = json_object_object_get(sync, "between"),
                       *mend = json_object_object_get(sync, "mend");
    struct json_object *resource = json_object_object_get(self, "resource");
    const char *kind = json_text(sync, "hazard");
    if (!kind)
        return;
    PUT(output, PUT_HAZARD, NUMBER(id), TEXT(kind), TEXT(json_text(resource, "type")),
        TEXT(json_text(resource, "name")),
        NUMBER_IF(put_site(output, json_object_object_get(self, "caller"))),
        TEXT(json_text(self, "command")), TEXT(json_text(self, "usage")),
        TEXT(name_of(json_object_object_get(self, "queue"))),
        NUMBER_IF(json_number(self, "submission")),
        NUMBER_IF(put_site(output, json_object_object_get(earlier, "caller"))),
        TEXT(json_text(earlier, "command")), TEXT(json_text(earlier, "usage")),
        TEXT(name_of(json_object_object_get(earlier, "queue"))),
        NUMBER_IF(json_number(earlier, "submission")), TEXT(json_text(between, "fault")),
        TEXT(json_text(between, "text")), TEXT(json_text(mend, "kind")),
        TEXT(json_text(mend, "text")));
}

/* Adds a finding with its objects and labels, under this id. */
static void put_finding(struct output *output, const struct found *found, int64_t id)
{
    size_t index, count;
    struct json_object *object, *finding = found->finding;
    int64_t site = put_site(output, finding_place(finding));
    PUT(output, PUT_FINDING, NUMBER(id), NUMBER(found->rule + 1),
        TEXT(severity_rank_name(found->severity)), NUMBER(found->count),
        TEXT(found->status ? status_name(found->status) : NULL),
        TEXT(json_text(finding, "command")), TEXT(json_text(finding, "location")),
        TEXT(json_text_or(finding, "message")), NUMBER_IF(site),
        TEXT(json_text(finding, "application")), TEXT(found->text));
    JSON_EACH_ELEMENT(json_object_object_get(finding, "objects"), index, count, object)
    PUT(output, PUT_OBJECT, NUMBER(id), NUMBER(index), TEXT(json_text_or(object, "type")),
        TEXT(json_text(object, "handle")), TEXT(json_text(object, "name")));
    put_labels(output, id, "queue", json_object_object_get(finding, "queueLabels"));
    put_labels(output, id, "command buffer",
               json_object_object_get(finding, "commandBufferLabels"));
    put_hazard(output, id, json_object_object_get(finding, "sync"));
}

/* Adds the rows that are not about one finding: the tool, the files that were read, and the ids. */
static void put_files(struct output *output)
{
    struct store *store = output->report->store;
    PUT(output, PUT_ABOUT, TEXT("tool"), TEXT("assay " ASSAY_VERSION));
    PUT(output, PUT_ABOUT, TEXT("schema"), TEXT("1"));
    for (uint32_t i = 0; i < store->file_count; i++) {
        const struct findings_file *file = &store->files[i];
        PUT(output, PUT_FILE, NUMBER(i), TEXT(file->path), NUMBER(file->counts.findings),
            NUMBER(file->counts.damaged), NUMBER(file->counts.bytes), NUMBER(file->old));
    }
    for (uint32_t i = 0; i < store->rule_count; i++) {
        const struct rule *rule = &store->rules[i];
        struct json_object *example = store_rule_example(store, rule);
        struct json_object *finding = example;
        PUT(output, PUT_RULE, NUMBER(i + 1), TEXT(rule->id),
            TEXT(rule->count ? severity_rank_name(rule->severity)
                             : json_text_or(finding, "severity")),
            NUMBER(rule->count), TEXT(json_text(finding, "spec")), TEXT(json_text(finding, "url")));
        json_object_put(example);
    }
}

/* Adds all findings, and those of the older run that are gone. */
static void put_findings(struct output *output)
{
    struct store *store = output->report->store;
    struct cursor cursor;
    struct found found;
    int64_t last = 0;
    output->failed |= !cursor_open(&cursor, store, "ORDER BY id", WITHOUT_LIMITS);
    while (!output->failed && cursor_next(&cursor, &found)) {
        put_finding(output, &found, found.id);
        last = found.id;
    }
    cursor_close(&cursor);
    if (!store->has_old || output->failed)
        return;
    output->failed |= !cursor_open_gone(&cursor, store);
    while (!output->failed && cursor_next(&cursor, &found))
        put_finding(output, &found, ++last);
    cursor_close(&cursor);
}

/* Copies the origins of findings (how often each file has them) from the store's database. */
static void put_origins(struct output *output)
{
    sqlite3_stmt *from = NULL, *to = NULL;
    sqlite3 *store = output->report->store->database;
    if (sqlite3_prepare_v2(store, "SELECT finding, file, count FROM origin", -1, &from, NULL) !=
            SQLITE_OK ||
        sqlite3_prepare_v2(output->database, "INSERT INTO origin VALUES (?, ?, ?)", -1, &to,
                           NULL) != SQLITE_OK)
        sqlite_fail(output);
    while (!output->failed && sqlite3_step(from) == SQLITE_ROW) {
        for (int i = 0; i < 3; i++)
            sqlite3_bind_int64(to, i + 1, sqlite3_column_int64(from, i));
        if (sqlite3_step(to) != SQLITE_DONE)
            sqlite_fail(output);
        sqlite3_reset(to);
    }
    sqlite3_finalize(from);
    sqlite3_finalize(to);
}

bool report_sqlite(struct report *report, const char *path)
{
    struct output output = {.report = report};
    if (unlink(path) != 0 && errno != ENOENT) { /* a report replaces an older one */
        tell("%s: %s", path, strerror(errno));
        return false;
    }
    if (sqlite3_open(path, &output.database) != SQLITE_OK)
        sqlite_fail(&output);
    sqlite_sql(&output, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;");
    sqlite_sql(&output, schema);
    for (int i = 0; i < STATEMENT_COUNT && !output.failed; i++) {
        if (sqlite3_prepare_v2(output.database, statements[i], -1, &output.statements[i], NULL) !=
            SQLITE_OK)
            sqlite_fail(&output);
    }
    put_files(&output);
    put_findings(&output);
    put_origins(&output);
    for (int i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(output.statements[i]);
    sqlite_sql(&output, views);
    sqlite_sql(&output, "COMMIT; ANALYZE;");
    sqlite3_close(output.database);
    return !output.failed;
}
