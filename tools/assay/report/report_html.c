/* Writes the report as one page for a browser. The code of the page is in html/; this file writes
 * its data, which is compressed. The page reads an index of all findings at once. It reads their
 * details in parts when a finding is opened, and source lines when a place is opened. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "assay/report/emit.h"
#include "assay/symbols/packed.h"
#include "assay/report/report.h"
#include "assay/report/report_page.h"
#include "assay/symbols/source_lines.h"

/* Findings of one part: some 100 KB of JSON, which a browser reads quickly. */
#define PART_FINDINGS 100
/* The most findings of a page, as larger pages would be slow. The most frequent ones of each id
 * come first. A database has all findings. */
#define PAGE_MOST 200000

struct page {
    struct report *report;
    struct source_lines *source;
    time_t found_at;  /* when the first file of findings was written */
    struct emit emit; /* writes the index, or a part */
    uint32_t count;   /* findings in the part */
};

/* Writes the ids of the findings, the worst first, with an example of each. */
static void emit_rules(struct emit *emit, struct store *store)
{
    emit_open(emit, "rules", '[');
    for (uint32_t i = 0; i < store->rule_count; i++) {
        const struct rule *rule = &store->rules[store->ranked[i]];
        struct json_object *example = store_rule_example(store, rule);
        struct json_object *finding = example;
        emit_open(emit, NULL, '{');
        emit_text(emit, "id", rule->id);
        emit_text(emit, "severity",
                  rule->count ? severity_rank_name(rule->severity)
                              : json_text_or(finding, "severity"));
        emit_number(emit, "count", rule->count);
        if (rule->advice) {
            emit_text(emit, "saves", advice_name(rule->advice));
            emit_text_if(emit, "cost",
                         json_text(json_object_object_get(finding, "practice"), "cost"));
            emit_text_if(emit, "instead", json_text(finding, "fix"));
        }
        emit_text_if(emit, "spec", json_text(finding, "spec"));
        emit_text_if(emit, "url", json_text(finding, "url"));
        emit_close(emit, '}');
        json_object_put(example);
    }
    emit_close(emit, ']');
}

/* Writes the files that were read, and the damage in them. */
static void emit_files(struct emit *emit, struct store *store)
{
    emit_open(emit, "files", '[');
    for (uint32_t i = 0; i < store->file_count; i++) {
        const struct findings_file *file = &store->files[i];
        emit_open(emit, NULL, '{');
        emit_text(emit, "path", file->path);
        emit_number(emit, "findings", file->counts.findings);
        emit_number(emit, "damaged", file->counts.damaged);
        if (file->old)
            emit_bool(emit, "old", true);
        emit_close(emit, '}');
    }
    emit_close(emit, ']');
    emit_open(emit, "complaints", '[');
    for (uint32_t i = 0; i < store->complaint_count; i++)
        emit_text(emit, NULL, store->complaints[i]);
    emit_close(emit, ']');
}

static void emit_head(struct emit *emit, struct store *store)
{
    char date[64];
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(date, sizeof(date), "%Y-%m-%d %H:%M UTC", &parts);
    emit_text(emit, "tool", "assay " ASSAY_VERSION);
    emit_text(emit, "made", date);
    emit_number(emit, "findings", store->findings);
    emit_number(emit, "different", store->different);
    emit_number(emit, "damaged", store->damaged);
    emit_bool(emit, "since", store->has_old);
    emit_number(emit, "partSize", PART_FINDINGS);
    emit_rules(emit, store);
    emit_files(emit, store);
}

/* Writes a place in the form of lists: "cube.c:120", "cube+0x8f3a". */
static void html_emit_place(struct emit *emit, struct report *report, struct json_object *caller)
{
    const struct site *site = symbols_site(report->symbols, caller);
    const char *symbol = json_text(caller, "symbol");
    char text[512] = "";
    if (site)
        snprintf(text, sizeof(text), "%s:%u%s%s", base_name(site->file), site->line,
                 site->function ? " " : "", site->function ? site->function : "");
    else if (json_text(caller, "file") && json_number(caller, "line"))
        snprintf(text, sizeof(text), "%s:%llu%s%s", base_name(json_text(caller, "file")),
                 (unsigned long long)json_number(caller, "line"), symbol ? " " : "",
                 symbol ? symbol : "");
    else if (json_text(caller, "offset"))
        snprintf(text, sizeof(text), "%s+%s%s%s", base_name(json_text_or(caller, "module")),
                 json_text_or(caller, "offset"), symbol ? " " : "", symbol ? symbol : "");
    emit_text(emit, NULL, text);
}

static void emit_object_names(struct emit *emit, struct json_object *finding)
{
    size_t index, count;
    struct json_object *object;
    emit_open(emit, NULL, '[');
    JSON_EACH_ELEMENT(json_object_object_get(finding, "objects"), index, count, object)
    {
        emit_text(emit, NULL, json_text_or(object, "type"));
        emit_text(emit, NULL, json_text_or(object, "name"));
    }
    emit_close(emit, ']');
}

static void emit_origins(struct emit *emit, struct store *store, int64_t finding)
{
    sqlite3_stmt *query = NULL;
    emit_open(emit, NULL, '[');
    if (sqlite3_prepare_v2(store->database,
                           "SELECT file, count FROM origin WHERE finding = ? ORDER BY "
                           "count DESC, file",
                           -1, &query, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(query, 1, finding);
        while (sqlite3_step(query) == SQLITE_ROW) {
            emit_number(emit, NULL, (uint64_t)sqlite3_column_int64(query, 0));
            emit_number(emit, NULL, (uint64_t)sqlite3_column_int64(query, 1));
        }
    }
    sqlite3_finalize(query);
    emit_close(emit, ']');
}

/* Writes the place of a shader's finding, "shadow.frag:45"; "" for another finding. */
static void emit_shader_place(struct emit *emit, struct json_object *finding)
{
    struct json_object *shader = json_object_object_get(finding, "shader");
    const char *file = json_text(shader, "file"), *name = json_text(shader, "name");
    uint64_t line = json_number(shader, "line");
    char text[512] = "";
    if (file && line)
        snprintf(text, sizeof(text), "%s:%llu", base_name(file), (unsigned long long)line);
    else if (name && line)
        snprintf(text, sizeof(text), "%s:%llu", name, (unsigned long long)line);
    else if (name)
        snprintf(text, sizeof(text), "%s", name);
    emit_text(emit, NULL, text);
}

/* Writes a line of the index: [rule, severity, status, count, kind, message, place, command,
 * objects, origins, shader's place]. */
static void emit_row(struct emit *emit, struct report *report, const struct found *found)
{
    struct json_object *sync = json_object_object_get(found->finding, "sync");
    const struct rule *rule = &report->store->rules[found->rule];
    emit_open(emit, NULL, '[');
    emit_number(emit, NULL, rule->rank);
    emit_number(emit, NULL, found->severity);
    emit_number(emit, NULL, found->status);
    emit_number(emit, NULL, found->count);
    emit_number(emit, NULL, !sync ? 0 : json_object_object_get(sync, "hazard") ? 1 : 2);
    emit_text(emit, NULL, json_text_or(found->finding, "message"));
    html_emit_place(emit, report, finding_place(found->finding));
    emit_text(emit, NULL, json_text_or(found->finding, "command"));
    emit_object_names(emit, found->finding);
    if (found->status == STATUS_GONE) {
        emit_open(emit, NULL, '[');
        emit_close(emit, ']');
    } else {
        emit_origins(emit, report->store, found->id);
    }
    emit_shader_place(emit, found->finding);
    emit_close(emit, ']');
}

static time_t written_at(const char *path)
{
    struct stat about;
    return path && stat(path, &about) == 0 ? about.st_mtime : 0;
}

/* Writes the number by which the page finds the source lines of a place, if they can be read. */
static void emit_source(struct page *page, const char *file, uint64_t line, time_t made)
{
    int64_t source =
        line <= UINT32_MAX ? source_lines_add(page->source, file, (uint32_t)line, made) : -1;
    if (source >= 0)
        emit_number(&page->emit, "source", (uint64_t)source);
}

/* Writes a caller as it was read, with its source file and line if they are known. */
static void emit_caller(struct page *page, const char *key, struct json_object *caller)
{
    struct emit *emit = &page->emit;
    struct json_object_iterator at = json_members(caller);
    const struct site *site = symbols_site(page->report->symbols, caller);
    const char *name;
    struct json_object *member;
    bool known = json_text(caller, "file") != NULL; /* `assay run --symbols` has added it */
    emit_open(emit, key, '{');
    while (json_next_member(&at, &name, &member)) {
        if (!site || (strcmp(name, "file") != 0 && strcmp(name, "line") != 0))
            emit_value(emit, name, member);
    }
    if (!site && known)
        emit_source(page, json_text(caller, "file"), json_number(caller, "line"),
                    written_at(json_text(caller, "module")));
    if (site) {
        emit_text(emit, "file", site->file);
        emit_number(emit, "line", site->line);
        emit_text_if(emit, "function", site->function);
        emit_source(page, site->file, site->line, written_at(site->module));
    }
    emit_close(emit, '}');
}

/* Writes a shader. If its module has no source, the lines are read from the source file, if that
 * exists. */
static void emit_shader(struct page *page, struct json_object *shader)
{
    struct json_object_iterator at = json_members(shader);
    const char *name;
    struct json_object *member;
    emit_open(&page->emit, "shader", '{');
    while (json_next_member(&at, &name, &member))
        emit_value(&page->emit, name, member);
    if (!json_length(json_object_object_get(shader, "lines")))
        emit_source(page, json_text(shader, "file"), json_number(shader, "line"), page->found_at);
    emit_close(&page->emit, '}');
}

/* Writes a value as it was read, and the callers in it with their source files and lines. */
static void emit_resolved(struct page *page, const char *key, struct json_object *value,
                          bool frames)
{
    struct emit *emit = &page->emit;
    struct json_object_iterator at = json_members(value);
    const char *name;
    struct json_object *member;
    if (json_object_is_type(value, json_type_array)) {
        emit_open(emit, key, '[');
        for (size_t i = 0; i < json_length(value); i++)
            emit_resolved(page, NULL, json_object_array_get_idx(value, i), symbols_is_stack(key));
        emit_close(emit, ']');
    } else if (!json_object_is_type(value, json_type_object)) {
        emit_value(emit, key, value);
    } else if (frames || symbols_is_caller(key)) {
        emit_caller(page, key, value);
    } else if (key && !strcmp(key, "shader")) {
        emit_shader(page, value);
    } else {
        emit_open(emit, key, '{');
        while (json_next_member(&at, &name, &member))
            emit_resolved(page, name, member, false);
        emit_close(emit, '}');
    }
}

/* Writes the details of a finding, without the specification's text, which the index has once for
 * each rule. */
static void emit_detail(struct page *page, struct json_object *finding)
{
    struct emit *emit = &page->emit;
    struct json_object_iterator at = json_members(finding);
    const char *key;
    struct json_object *member;
    emit_open(emit, NULL, '{');
    while (json_next_member(&at, &key, &member)) {
        if (strcmp(key, "spec") && strcmp(key, "url") && strcmp(key, "vuid"))
            emit_resolved(page, key, member, false);
    }
    emit_close(emit, '}');
}

/* Calls `each` for all findings of the page, in the order of its index. */
static bool for_each(struct report *report, void (*each)(void *user, const struct found *found),
                     void *user)
{
    struct cursor cursor;
    struct found found;
    uint64_t count = 0;
    if (!cursor_open(&cursor, report->store, BY_RANK " LIMIT ?1", PAGE_MOST, 0))
        return false;
    for (; cursor_next(&cursor, &found); count++)
        each(user, &found);
    cursor_close(&cursor);
    if (!report->store->has_old)
        return true;
    if (!cursor_open_gone(&cursor, report->store))
        return false;
    for (; count < PAGE_MOST && cursor_next(&cursor, &found); count++)
        each(user, &found);
    cursor_close(&cursor);
    return true;
}

static void add_row(void *user, const struct found *found)
{
    struct page *page = user;
    emit_row(&page->emit, page->report, found);
}

static void end_part(struct page *page)
{
    if (!page->emit.file)
        return;
    emit_close(&page->emit, ']');
    fclose(page->emit.file);
    page->emit.file = NULL;
    page->count = 0;
    fputs("</script>\n", page->report->out);
}

static void add_detail(void *user, const struct found *found)
{
    struct page *page = user;
    if (!page->emit.file) {
        fputs("<script type=\"text/plain\" class=\"part\">", page->report->out);
        page->emit = (struct emit){packed_open(page->report->out), true};
        if (!page->emit.file)
            return;
        emit_open(&page->emit, NULL, '[');
    }
    emit_detail(page, found->finding);
    if (++page->count == PART_FINDINGS)
        end_part(page);
}

static void add_source(struct page *page)
{
    fputs("<script type=\"text/plain\" id=\"sources\">", page->report->out);
    page->emit = (struct emit){packed_open(page->report->out), true};
    if (page->emit.file) {
        source_lines_emit(page->source, &page->emit);
        fclose(page->emit.file);
    }
    fputs("</script>\n", page->report->out);
    source_lines_free(page->source);
}

bool report_html(struct report *report)
{
    struct page page = {.report = report};
    if (!report->without_source)
        page.source = source_lines_new();
    for (uint32_t i = 0; i < report->store->file_count && !page.found_at; i++) {
        if (!report->store->files[i].old)
            page.found_at = written_at(report->store->files[i].path);
    }
    fwrite(report_page_head, 1, report_page_head_size, report->out);
    fputs("<script type=\"text/plain\" id=\"index\">", report->out);
    page.emit = (struct emit){packed_open(report->out), true};
    if (!page.emit.file) {
        source_lines_free(page.source);
        tell("memory is out");
        return false;
    }
    emit_open(&page.emit, NULL, '{');
    emit_head(&page.emit, report->store);
    emit_open(&page.emit, "rows", '[');
    bool good = for_each(report, add_row, &page);
    emit_close(&page.emit, ']');
    emit_close(&page.emit, '}');
    fclose(page.emit.file);
    page.emit.file = NULL;
    fputs("</script>\n", report->out);
    good = good && for_each(report, add_detail, &page);
    end_part(&page);
    add_source(&page);
    fwrite(report_page_tail, 1, report_page_tail_size, report->out);
    return good;
}
