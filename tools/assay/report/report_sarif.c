/* Writes the report as SARIF 2.1.0, which code-scanning sites and editors show at the source line.
 * It has a rule for each id. A result is a different finding, with its caller and its repair. The
 * earlier access of a hazard is a related location, and the first step of a code flow. Lines are
 * only known with --symbols; without it a result has the module and the address. */
#include "assay/report/emit.h"
#include "assay/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ORIGINS_MOST_WRITTEN 100

struct sarif {
    struct report *report;
    struct emit emit;
    /* the current directory; files in it are named relative to it, as code-scanning sites require
     */
    char directory[4096];
};

static const char *level_of(const struct rule *rule, enum severity_rank severity)
{
    return rule->advice                   ? "note"
           : severity == RANK_ERROR       ? "error"
           : severity <= RANK_PERFORMANCE ? "warning"
                                          : "note";
}

/* Writes a path as a URI. All bytes but the unreserved ones of RFC 3986 and "/" are written as
 * %XX. */
static void emit_uri(struct sarif *sarif, const char *path)
{
    char uri[8192];
    size_t length = 0, prefix = strlen(sarif->directory);
    bool absolute = path[0] == '/';
    if (absolute && prefix && !strncmp(path, sarif->directory, prefix) && path[prefix] == '/') {
        path += prefix + 1;
        absolute = false;
    }
    while (!strncmp(path, "./", 2))
        path += 2;
    if (absolute)
        length = (size_t)snprintf(uri, sizeof(uri), "file://");
    for (; *path && length + 4 < sizeof(uri); path++) {
        unsigned char byte = (unsigned char)*path;
        bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                     (byte >= '0' && byte <= '9') || (byte && strchr("-._~/", byte));
        length +=
            (size_t)snprintf(uri + length, sizeof(uri) - length, plain ? "%c" : "%%%02X", byte);
    }
    uri[length] = '\0';
    emit_text(&sarif->emit, "uri", uri);
}

static void emit_message(struct emit *emit, const char *key, const char *text)
{
    emit_open(emit, key, '{');
    emit_text(emit, "text", *text ? text : "-");
    emit_close(emit, '}');
}

/* Writes a place of the program: file and line if they are known, and the address in its module. */
static void emit_physical(struct sarif *sarif, struct json_object *caller, const struct site *site)
{
    struct emit *emit = &sarif->emit;
    const char *module = json_text_or(caller, "module"), *offset = json_text_or(caller, "offset");
    char name[4200];
    emit_open(emit, "physicalLocation", '{');
    emit_open(emit, "artifactLocation", '{');
    emit_uri(sarif, site ? site->file : module);
    emit_close(emit, '}');
    /* Code-scanning sites refuse a file without a line. */
    emit_open(emit, "region", '{');
    emit_number(emit, "startLine", site && site->line ? site->line : 1);
    emit_close(emit, '}');
    snprintf(name, sizeof(name), "%s+%s", module, offset);
    emit_open(emit, "address", '{');
    emit_number(emit, "relativeAddress", strtoull(offset, NULL, 16));
    emit_text(emit, "fullyQualifiedName", name);
    emit_close(emit, '}');
    emit_close(emit, '}');
}

/* Writes a file, and a line in it. `line` 0: it is not known, and 1 is written, since code-scanning
 * sites require a line. */
static void emit_file_line(struct sarif *sarif, const char *path, uint64_t line)
{
    struct emit *emit = &sarif->emit;
    emit_open(emit, "physicalLocation", '{');
    emit_open(emit, "artifactLocation", '{');
    emit_uri(sarif, path);
    emit_close(emit, '}');
    emit_open(emit, "region", '{');
    emit_number(emit, "startLine", line ? line : 1);
    emit_close(emit, '}');
    emit_close(emit, '}');
}

/* Returns the file in the name of a Python function, "py::draw:/home/me/app.py" (perf_map.h); NULL:
 * it is another function. */
static const char *python_file(const char *function)
{
    const char *path = function && !strncmp(function, "py::", 4) ? strstr(function, ":/") : NULL;
    return path ? path + 1 : NULL;
}

/* Writes a place in the program. `key` and `message` may be NULL. */
static void emit_location(struct sarif *sarif, const char *key, struct json_object *caller,
                          const char *message)
{
    struct emit *emit = &sarif->emit;
    const struct site *site = symbols_site(sarif->report->symbols, caller);
    const char *function = site ? site->function : json_text(caller, "symbol");
    emit_open(emit, key, '{');
    if (json_text(caller, "module"))
        emit_physical(sarif, caller, site);
    else if (python_file(function))
        emit_file_line(sarif, python_file(function), 0);
    if (function) {
        emit_open(emit, "logicalLocations", '[');
        emit_open(emit, NULL, '{');
        emit_text(emit, "name", function);
        emit_text(emit, "kind", "function");
        emit_close(emit, '}');
        emit_close(emit, ']');
    }
    if (message)
        emit_message(emit, "message", message);
    emit_close(emit, '}');
}

/* Returns how to repair the program, for a hazard with its code; "": it is not known. */
static const char *mend_of(struct json_object *finding)
{
    struct json_object *sync = json_object_object_get(finding, "sync");
    const char *mend = json_text(json_object_object_get(sync, "mend"), "text");
    return mend ? mend : json_text_or(finding, "fix");
}

/* Returns the specification's sentence; for advice, what ignoring it costs. */
static const char *description_of(struct json_object *finding)
{
    const char *spec = json_text(finding, "spec"),
               *cost = json_text(json_object_object_get(finding, "practice"), "cost");
    if (spec && *spec)
        return spec;
    return cost && *cost ? cost : json_text_or(finding, "message");
}

/* Writes the help of a rule, which sites show beside each result. Its text is required. */
static void emit_help(struct emit *emit, const struct rule *rule, struct json_object *finding)
{
    const char *url = json_text_or(finding, "url"), *fix = json_text_or(finding, "fix");
    char *text = NULL;
    size_t length;
    for (int markdown = 0; markdown < 2; markdown++) {
        FILE *words = open_memstream(&text, &length);
        if (!words)
            return;
        fprintf(words, markdown ? "**%s**\n\n%s" : "%s\n\n%s", rule->id, description_of(finding));
        if (*fix)
            fprintf(words, "\n\nMend: %s", fix);
        if (*url)
            fprintf(words, markdown ? "\n\n[The specification](%s)" : "\n\n%s", url);
        fclose(words);
        if (!markdown)
            emit_open(emit, "help", '{');
        emit_text(emit, markdown ? "markdown" : "text", text);
        free(text);
    }
    emit_close(emit, '}');
}

/* Writes the properties of a rule by which sites sort and filter. */
static void emit_rule_properties(struct emit *emit, const struct rule *rule)
{
    const bool hazard = !strncmp(rule->id, "SYNC-HAZARD-", 12);
    emit_open(emit, "properties", '{');
    emit_open(emit, "tags", '[');
    emit_text(emit, NULL, "vulkan");
    emit_text(emit, NULL, rule->advice ? "performance" : hazard ? "concurrency" : "correctness");
    emit_close(emit, ']');
    emit_text(emit, "precision", "very-high");
    emit_text(emit, "problem.severity",
              rule->advice                   ? "recommendation"
              : rule->severity == RANK_ERROR ? "error"
                                             : "warning");
    emit_close(emit, '}');
}

static void emit_rule(struct sarif *sarif, const struct rule *rule)
{
    struct emit *emit = &sarif->emit;
    struct json_object *example = store_rule_example(sarif->report->store, rule);
    struct json_object *finding = example;
    emit_open(emit, NULL, '{');
    emit_text(emit, "id", rule->id);
    emit_message(emit, "shortDescription", rule->id);
    emit_message(emit, "fullDescription", description_of(finding));
    emit_help(emit, rule, finding);
    emit_text_if(emit, "helpUri", json_text(finding, "url"));
    emit_open(emit, "defaultConfiguration", '{');
    emit_text(emit, "level", level_of(rule, rule->severity));
    emit_close(emit, '}');
    emit_rule_properties(emit, rule);
    emit_close(emit, '}');
    json_object_put(example);
}

static void emit_driver(struct sarif *sarif)
{
    struct store *store = sarif->report->store;
    struct emit *emit = &sarif->emit;
    emit_open(emit, "tool", '{');
    emit_open(emit, "driver", '{');
    emit_text(emit, "name", "Assay");
    emit_text(emit, "version", ASSAY_VERSION);
    emit_text(emit, "semanticVersion", ASSAY_VERSION);
    emit_text(emit, "informationUri", "https://docs.vulkan.org/spec/latest/");
    emit_open(emit, "rules", '[');
    for (uint32_t i = 0; i < store->rule_count; i++)
        emit_rule(sarif, &store->rules[store->ranked[i]]);
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, '}');
}

/* Writes which part of the input could not be read. */
static void emit_invocation(struct sarif *sarif)
{
    struct store *store = sarif->report->store;
    struct emit *emit = &sarif->emit;
    bool good = true;
    for (uint32_t i = 0; i < store->file_count; i++)
        good &= !store->files[i].failed;
    emit_open(emit, "invocations", '[');
    emit_open(emit, NULL, '{');
    emit_bool(emit, "executionSuccessful", good);
    emit_open(emit, "toolExecutionNotifications", '[');
    for (uint32_t i = 0; i < store->complaint_count; i++) {
        emit_open(emit, NULL, '{');
        emit_text(emit, "level", "warning");
        emit_message(emit, "message", store->complaints[i]);
        emit_close(emit, '}');
    }
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, ']');
}

/* Writes how many times each file of findings has the finding, the largest number first. */
static void emit_origins(struct sarif *sarif, int64_t finding)
{
    struct store *store = sarif->report->store;
    struct emit *emit = &sarif->emit;
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(store->database,
                           "SELECT file, count FROM origin WHERE finding = ? ORDER BY count DESC, "
                           "file LIMIT ?",
                           -1, &query, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(query, 1, finding);
    sqlite3_bind_int(query, 2, ORIGINS_MOST_WRITTEN);
    emit_open(emit, "files", '{');
    while (sqlite3_step(query) == SQLITE_ROW)
        emit_number(emit, store->files[sqlite3_column_int64(query, 0)].path,
                    (uint64_t)sqlite3_column_int64(query, 1));
    emit_close(emit, '}');
    sqlite3_finalize(query);
}

/* Writes the parts for which SARIF has no member: objects, labels, what is between two accesses,
 * and the repair. */
static void emit_properties(struct sarif *sarif, const struct found *found)
{
    struct emit *emit = &sarif->emit;
    struct json_object *sync = json_object_object_get(found->finding, "sync");
    emit_open(emit, "properties", '{');
    emit_text_if(emit, "command", json_text(found->finding, "command"));
    emit_value(emit, "objects", json_object_object_get(found->finding, "objects"));
    if (json_object_object_get(found->finding, "statement"))
        emit_value(emit, "statement", json_object_object_get(found->finding, "statement"));
    emit_value(emit, "queueLabels", json_object_object_get(found->finding, "queueLabels"));
    emit_value(emit, "commandBufferLabels",
               json_object_object_get(found->finding, "commandBufferLabels"));
    emit_text_if(emit, "application", json_text(found->finding, "application"));
    emit_text_if(emit, "between", json_text(json_object_object_get(sync, "between"), "text"));
    emit_text_if(emit, "mend", json_text(json_object_object_get(sync, "mend"), "text"));
    if (found->status != STATUS_GONE)
        emit_origins(sarif, found->id);
    emit_close(emit, '}');
}

/* Writes the other places of a finding: the earlier access, the command that wants a layout, and
 * the call that found it. */
static void emit_related(struct sarif *sarif, struct json_object *finding)
{
    struct emit *emit = &sarif->emit;
    struct json_object *earlier = json_object_object_get(json_object_object_get(finding, "sync"),
                                                         "earlier"),
                       *caller = finding_caller(finding, 0);
    char *text = NULL;
    size_t length;
    emit_open(emit, "relatedLocations", '[');
    FILE *words = earlier ? open_memstream(&text, &length) : NULL;
    if (words) {
        fprintf(words, "the earlier access: %s ", json_text_or(earlier, "command"));
        write_access(words, earlier);
        fclose(words);
        emit_location(sarif, NULL, json_object_object_get(earlier, "caller"), text);
        free(text);
    }
    struct json_object *wanted = json_object_object_get(finding, "wanted");
    words = wanted ? open_memstream(&text, &length) : NULL;
    if (words) {
        fputs("the command that wants the layout: ", words);
        write_wanting(words, wanted);
        fclose(words);
        if (json_object_object_get(wanted, "caller"))
            emit_location(sarif, NULL, json_object_object_get(wanted, "caller"), text);
        free(text);
    }
    if (finding_caller(finding, 1) && caller)
        emit_location(sarif, NULL, caller, "the call that found it");
    emit_close(emit, ']');
}

/* Writes the stack of a call, the innermost frame first. `key` is NULL in arrays. */
static void emit_stack(struct sarif *sarif, const char *key, struct json_object *stack)
{
    struct emit *emit = &sarif->emit;
    struct json_object *caller;
    size_t i, count;
    emit_open(emit, key, '{');
    emit_open(emit, "frames", '[');
    JSON_EACH_ELEMENT(stack, i, count, caller)
    {
        emit_open(emit, NULL, '{');
        emit_location(sarif, "location", caller, NULL);
        emit_text_if(emit, "module", json_text(caller, "module"));
        emit_close(emit, '}');
    }
    emit_close(emit, ']');
    emit_close(emit, '}');
}

static void emit_stacks(struct sarif *sarif, struct json_object *stack)
{
    if (!json_length(stack))
        return;
    emit_open(&sarif->emit, "stacks", '[');
    emit_stack(sarif, NULL, stack);
    emit_close(&sarif->emit, ']');
}

/* Writes one access of a hazard: its caller, and what it does. */
static void emit_access(struct sarif *sarif, struct json_object *side, uint64_t order,
                        const char *which)
{
    struct emit *emit = &sarif->emit;
    struct json_object *stack = json_object_object_get(side, "stack");
    char *text = NULL;
    size_t length;
    FILE *words = side ? open_memstream(&text, &length) : NULL;
    if (!words)
        return;
    fprintf(words, "%s: %s ", which, json_text_or(side, "command"));
    write_access(words, side);
    fclose(words);
    emit_open(emit, NULL, '{');
    emit_location(sarif, "location", json_object_object_get(side, "caller"), text);
    if (json_length(stack))
        emit_stack(sarif, "stack", stack);
    emit_text_if(emit, "module", json_text(json_object_object_get(side, "caller"), "module"));
    emit_number(emit, "executionOrder", order);
    emit_text(emit, "importance", "essential");
    emit_close(emit, '}');
    free(text);
}

/* Writes one call of a race between threads, in a flow for its thread. */
static void emit_racer(struct sarif *sarif, struct json_object *holder, const char *which)
{
    struct emit *emit = &sarif->emit;
    struct json_object *stack = json_object_object_get(holder, "stack"),
                       *caller = json_object_object_get(holder, "caller");
    char id[24], text[192];
    snprintf(id, sizeof(id), "%" PRIu64, json_number(holder, "thread"));
    snprintf(text, sizeof(text), "%s%s%s, by thread %s%s%s", which,
             json_text(holder, "command") ? ", " : "", json_text_or(holder, "command"), id,
             json_text(holder, "threadName") ? " " : "", json_text_or(holder, "threadName"));
    emit_open(emit, NULL, '{');
    emit_text(emit, "id", id);
    emit_open(emit, "locations", '[');
    emit_open(emit, NULL, '{');
    emit_location(sarif, "location", caller, text);
    if (json_length(stack))
        emit_stack(sarif, "stack", stack);
    emit_text_if(emit, "module", json_text(caller, "module"));
    emit_text(emit, "importance", "essential");
    emit_close(emit, '}');
    emit_close(emit, ']');
    emit_close(emit, '}');
}

/* Writes a race of two calls: a flow for each thread, without an order between them. */
static void emit_race(struct sarif *sarif, struct json_object *finding)
{
    struct emit *emit = &sarif->emit;
    struct json_object *race = json_object_object_get(finding, "race");
    if (!json_object_object_get(race, "caller") || !json_object_object_get(finding, "caller"))
        return;
    emit_open(emit, "codeFlows", '[');
    emit_open(emit, NULL, '{');
    emit_open(emit, "threadFlows", '[');
    emit_racer(sarif, finding, "this call");
    emit_racer(sarif, race, "the other call");
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, ']');
}

/* Writes a hazard as a code flow with two steps: the earlier access, then this one. */
static void emit_flow(struct sarif *sarif, struct json_object *finding)
{
    struct emit *emit = &sarif->emit;
    struct json_object *sync = json_object_object_get(finding, "sync"),
                       *earlier = json_object_object_get(sync, "earlier"),
                       *self = json_object_object_get(sync, "this");
    if (!json_text(sync, "hazard") || !earlier || !self)
        return;
    emit_open(emit, "codeFlows", '[');
    emit_open(emit, NULL, '{');
    emit_open(emit, "threadFlows", '[');
    emit_open(emit, NULL, '{');
    emit_open(emit, "locations", '[');
    emit_access(sarif, earlier, 1, "the earlier access");
    emit_access(sarif, self, 2, "this access, which nothing orders after it");
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, ']');
}

/* Writes the message of a finding and its repair, which is all that sites show of a result at
 * first. */
static void emit_sentence(struct emit *emit, struct json_object *finding)
{
    const char *message = json_text_or(finding, "message"), *mend = mend_of(finding);
    char *text = NULL;
    size_t length;
    struct json_object *statement = json_object_object_get(finding, "statement");
    FILE *words =
        *mend || statement || finding_rows(finding) ? open_memstream(&text, &length) : NULL;
    if (words) {
        fputs(message, words);
        write_row_lines(words, finding, "\n");
        if (statement)
            fprintf(words, "\n%s: %s", json_text_or(statement, "vuid"),
                    json_text_or(statement, "spec"));
        if (*mend)
            fprintf(words, "\nMend: %s", mend);
        fclose(words);
    }
    emit_message(emit, "message", text ? text : message);
    free(text);
}

/* Returns the file of findings that has the finding most often. */
static const char *most_frequent_file(struct store *store, int64_t finding)
{
    sqlite3_stmt *query = NULL;
    int64_t file = 0;
    if (sqlite3_prepare_v2(store->database,
                           "SELECT file FROM origin WHERE finding = ? ORDER BY count DESC, file "
                           "LIMIT 1",
                           -1, &query, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(query, 1, finding);
        if (sqlite3_step(query) == SQLITE_ROW)
            file = sqlite3_column_int64(query, 0);
    }
    sqlite3_finalize(query);
    return store->file_count ? store->files[file].path : "-";
}

/* Writes the place of a result. Code-scanning sites refuse a result without one. If the finding has
 * no caller, or the caller's file is not known, the place is the line of the shader, else the next
 * outer frame with a file, else the file of findings. */
static void sarif_emit_place(struct sarif *sarif, const struct found *found)
{
    struct json_object *place = finding_place(found->finding),
                       *shader = json_object_object_get(found->finding, "shader"),
                       *stack =
                           json_object_object_get(finding_place_holder(found->finding), "stack"),
                       *frame = NULL;
    if (json_text(place, "module") || python_file(json_text(place, "symbol"))) {
        emit_location(sarif, NULL, place, NULL);
        return;
    }
    if (json_text(shader, "file")) {
        emit_open(&sarif->emit, NULL, '{');
        emit_file_line(sarif, json_text(shader, "file"), json_number(shader, "line"));
        emit_close(&sarif->emit, '}');
        return;
    }
    for (size_t i = place ? stack_index(stack, place) : 0; i < json_length(stack) && !frame; i++) {
        struct json_object *outer = json_object_array_get_idx(stack, i);
        frame =
            json_text(outer, "module") || python_file(json_text(outer, "symbol")) ? outer : NULL;
    }
    if (frame) {
        emit_location(sarif, NULL, frame, NULL);
        return;
    }
    emit_open(&sarif->emit, NULL, '{');
    emit_file_line(sarif, most_frequent_file(sarif->report->store, found->id), 0);
    emit_message(&sarif->emit, "message", "where the program made it is not known");
    emit_close(&sarif->emit, '}');
}

/* Writes one finding as a result. */
static void emit_result(struct sarif *sarif, const struct found *found)
{
    static const char *const states[] = {NULL, "new", "updated", "unchanged", "absent"};
    struct emit *emit = &sarif->emit;
    const struct rule *rule = &sarif->report->store->rules[found->rule];
    char fingerprint[40];
    snprintf(fingerprint, sizeof(fingerprint), "%016" PRIx64 "%016" PRIx64, found->key[0],
             found->key[1]);
    emit_open(emit, NULL, '{');
    emit_text(emit, "ruleId", rule->id);
    emit_number(emit, "ruleIndex", rule->rank);
    emit_text(emit, "level", level_of(rule, found->severity));
    emit_sentence(emit, found->finding);
    emit_number(emit, "occurrenceCount", found->count);
    if (found->status)
        emit_text(emit, "baselineState", states[found->status]);
    emit_open(emit, "locations", '[');
    sarif_emit_place(sarif, found);
    emit_close(emit, ']');
    emit_related(sarif, found->finding);
    emit_stacks(sarif, json_object_object_get(found->finding, "stack"));
    emit_flow(sarif, found->finding);
    emit_race(sarif, found->finding);
    emit_open(emit, "partialFingerprints", '{');
    emit_text(emit, "assay/v1", fingerprint);
    emit_close(emit, '}');
    emit_properties(sarif, found);
    emit_close(emit, '}');
    fputc('\n', emit->file);
}

bool report_sarif(struct report *report)
{
    struct sarif sarif = {.report = report, .emit = {report->out, true}};
    struct emit *emit = &sarif.emit;
    struct cursor cursor;
    struct found found;
    if (!getcwd(sarif.directory, sizeof(sarif.directory)))
        sarif.directory[0] = '\0';
    emit_open(emit, NULL, '{');
    emit_text(emit, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    emit_text(emit, "version", "2.1.0");
    emit_open(emit, "runs", '[');
    emit_open(emit, NULL, '{');
    emit_driver(&sarif);
    emit_invocation(&sarif);
    emit_open(emit, "results", '[');
    if (!cursor_open(&cursor, report->store, BY_RANK, WITHOUT_LIMITS))
        return false;
    while (cursor_next(&cursor, &found))
        emit_result(&sarif, &found);
    cursor_close(&cursor);
    if (report->store->has_old) {
        if (!cursor_open_gone(&cursor, report->store))
            return false;
        while (cursor_next(&cursor, &found))
            emit_result(&sarif, &found);
        cursor_close(&cursor);
    }
    emit_close(emit, ']');
    emit_close(emit, '}');
    emit_close(emit, ']');
    emit_close(emit, '}');
    fputc('\n', report->out);
    return true;
}
