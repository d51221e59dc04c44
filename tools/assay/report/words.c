/* Writes numbers, objects and accesses in words, for several forms of a report. */
#include "assay/report/report.h"
#include "assay/run/stream.h"
#include "assay/run/terminal.h"

#include <inttypes.h>
#include <string.h>

#define ORIGINS_SHOWN 4

const char *severity_rank_name(enum severity_rank severity)
{
    static const char *const names[] = {"error", "warning", "performance", "info", "debug"};
    return names[severity];
}

void write_count(FILE *file, uint64_t count)
{
    char digits[32];
    int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            fputc(',', file);
        fputc(digits[i], file);
    }
}

void write_plural(FILE *file, uint64_t count, const char *noun)
{
    write_count(file, count);
    fprintf(file, " %s%s", noun, count == 1 ? "" : "s");
}

void write_object(FILE *file, struct json_object *object)
{
    const char *name = json_text(object, "name");
    fputs(json_text_or(object, "type"), file);
    if (name && *name)
        fprintf(file, " \"%s\"", name);
    else
        fprintf(file, " %s", json_text_or(object, "handle"));
}

void write_wrapped(FILE *file, const char *text, int indent)
{
    const int width = terminal_width();
    int at = indent;
    while (*text) {
        int length = (int)strcspn(text, " \n"), columns = terminal_columns(text, length);
        if (width && at > indent && at + 1 + columns > width) {
            fprintf(file, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            fputc(' ', file);
            at++;
        }
        fprintf(file, "%.*s", length, text);
        at += columns;
        text += length;
        if (*text == '\n') {
            fprintf(file, "\n%*s", indent, "");
            at = indent;
            text++;
        } else if (*text) {
            text++;
        }
    }
}

void write_row_lines(FILE *file, struct json_object *finding, const char *line)
{
    struct json_object_iterator at = json_members(finding_rows(finding));
    struct json_object *text;
    const char *key;
    while (json_next_member(&at, &key, &text)) {
        if (json_string(text)) /* in a damaged line the member may be of any type */
            fprintf(file, "%s%s: %s", line, key, json_string(text));
    }
}

void write_wanting(FILE *file, struct json_object *wanted)
{
    const bool executed = json_object_object_get(wanted, "executedBy") != NULL;
    fputs(json_text_or(wanted, "command"), file);
    if (json_object_object_get(wanted, "primary"))
        fputs(" in a secondary command buffer, executed by vkCmdExecuteCommands", file);
    if (executed || json_object_object_get(wanted, "index"))
        fprintf(file, ", command %" PRIu64, json_number(wanted, executed ? "executedBy" : "index"));
}

void write_origins(FILE *file, struct store *store, const char *column, int64_t value)
{
    sqlite3_stmt *query = NULL;
    char text[256];
    uint32_t count = 0;
    snprintf(text, sizeof(text),
             "SELECT o.file, sum(o.count) AS n FROM finding AS f JOIN origin AS o ON o.finding = "
             "f.id WHERE f.%s = ?1 GROUP BY o.file ORDER BY n DESC, o.file",
             column);
    if (sqlite3_prepare_v2(store->database, text, -1, &query, NULL) != SQLITE_OK) {
        store_failed(store, "the temporary database");
        return;
    }
    sqlite3_bind_int64(query, 1, value);
    for (; sqlite3_step(query) == SQLITE_ROW; count++) {
        if (count >= ORIGINS_SHOWN)
            continue;
        fprintf(file, "%s%s ", count ? ", " : "",
                store->files[sqlite3_column_int64(query, 0)].path);
        write_count(file, (uint64_t)sqlite3_column_int64(query, 1));
    }
    if (count > ORIGINS_SHOWN) {
        fputs(" and ", file);
        write_plural(file, count - ORIGINS_SHOWN, "more file");
    }
    sqlite3_finalize(query);
}

/* Writes a flag's name without its common prefix and suffix. */
static void write_flag(FILE *file, const char *name)
{
    static const char *const prefixes[] = {"VK_PIPELINE_STAGE_2_", "VK_ACCESS_2_",
                                           "VK_PIPELINE_STAGE_", "VK_ACCESS_"};
    size_t length;
    for (int i = 0; i < 4; i++) {
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) {
            name += strlen(prefixes[i]);
            break;
        }
    }
    length = strlen(name);
    const char *bit = strstr(name, "_BIT");
    if (bit && (!bit[4] || bit[4] == '_'))
        length = (size_t)(bit - name);
    fprintf(file, "%.*s%s", (int)length, name, bit && bit[4] == '_' ? bit + 4 : "");
}

void write_flags(FILE *file, struct json_object *flags)
{
    size_t index, count;
    struct json_object *flag;
    JSON_EACH_ELEMENT(flags, index, count, flag)
    {
        if (index)
            fputs(" | ", file);
        write_flag(file, json_object_is_type(flag, json_type_string) ? json_string(flag) : "?");
    }
}

void write_access(FILE *file, struct json_object *side)
{
    struct json_object *stages = json_object_object_get(side, "stages"),
                       *accesses = json_object_object_get(side, "accesses");
    struct json_object *resource = json_object_object_get(side, "resource");
    fputs(json_is_true(json_object_object_get(side, "write")) ? "writes" : "reads", file);
    if (resource) {
        fputc(' ', file);
        write_object(file, resource);
    }
    if (json_length(stages)) {
        fputs(" in ", file);
        write_flags(file, stages);
    }
    if (json_length(accesses)) {
        fputs(" with ", file);
        write_flags(file, accesses);
    }
}

/* Writes an escape sequence to the terminal directly, as the filter removes those in names. */
static void write_style(const struct report *report, const char *style)
{
    if (!report->colored)
        return;
    fflush(report->out);
    fputs(style, report->colored);
}

void write_heading(struct report *report, enum severity_rank severity, const char *id)
{
    write_style(report, stream_color(severity_rank_name(severity)));
    fputs(severity_rank_name(severity), report->out);
    write_style(report, PLAIN);
    fputc(' ', report->out);
    write_style(report, BOLD);
    fputs(id, report->out);
    write_style(report, PLAIN);
}
