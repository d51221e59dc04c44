/* Writes a finding as text, in colour on terminals. */
#include "assay/run/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/report/report.h"
#include "assay/run/stream_lost.h"
#include "assay/symbols/symbols.h"

#define TEXT_INDENT 12 /* the column of the text after a key */
/* frames outside of the shown caller, as in the layer's log */
#define SHOWN_CALLERS 5
/* bytes of the specification's sentence that are shown, as in the layer's log */
#define SPEC_LENGTH 600

bool stream_wants_color(int file)
{
    const char *no_color = getenv("NO_COLOR"); /* https://no-color.org: set and not empty */
    return isatty(file) && !(no_color && *no_color);
}

const char *stream_color(const char *severity)
{
    static const char *const colors[][2] = {{"error", "\033[1;31m"},
                                            {"warning", "\033[1;33m"},
                                            {"performance", "\033[1;35m"},
                                            {"info", "\033[1;36m"}};
    for (size_t i = 0; i < sizeof(colors) / sizeof(*colors); i++) {
        if (!strcmp(colors[i][0], severity))
            return colors[i][1];
    }
    return "\033[1;34m";
}

/* Writes a text with control characters replaced, as names may have escape sequences. Its line
 * breaks are indented. */
static void write_safe(FILE *file, const char *text, int indent)
{
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '\n')
            fprintf(file, "\n%*s", indent, "");
        else
            fputc(byte < 0x20 || byte == 0x7f ? '?' : byte, file);
    }
}

/* The same, in lines of the terminal's width. */
static void write_message(FILE *file, const char *text, int indent)
{
    char *safe = NULL;
    size_t length;
    FILE *memory = open_memstream(&safe, &length);
    if (!memory)
        return;
    write_safe(memory, text, 0);
    fclose(memory);
    write_wrapped(file, safe, indent);
    free(safe);
}

static void write_key(FILE *file, const char *key, bool color)
{
    fprintf(file, "\n    %s%-7s%s ", color ? DIM : "", key, color ? PLAIN : "");
}

static void write_named(FILE *file, struct json_object *object)
{
    const char *name = json_text(object, "name");
    fprintf(file, "%s %s", json_text_or(object, "type"), json_text_or(object, "handle"));
    if (name && *name) {
        fputs(" \"", file);
        write_safe(file, name, TEXT_INDENT);
        fputc('"', file);
    }
}

static void write_list(FILE *file, struct json_object *list, const char *separator)
{
    size_t index, count;
    struct json_object *value;
    JSON_EACH_ELEMENT(list, index, count, value)
    {
        fputs(index ? separator : "", file);
        write_safe(file, json_object_is_type(value, json_type_string) ? json_string(value) : "?",
                   TEXT_INDENT);
    }
}

static void write_labels(FILE *file, struct json_object *labels, const char *key, bool color)
{
    if (!json_length(labels))
        return;
    write_key(file, key, color);
    write_list(file, labels, " > ");
}

/* Writes a caller with its source line if that is known, as in reports. */
static void write_caller(FILE *file, const struct frames *frames, struct json_object *caller)
{
    const struct source_line *line = frames_line(frames, caller);
    if (line)
        write_line(file, line->file, line->line,
                   line->function ? line->function : json_text(caller, "symbol"));
    else
        write_site(file, NULL, caller);
}

/* Writes the callers of the caller of `from`, a line each. Its "stack" is innermost first and has
 * the caller in it; there may be none. */
static void write_outer_callers(FILE *file, const struct frames *frames, struct json_object *from,
                                int indent)
{
    struct json_object *stack = json_object_object_get(from, "stack"),
                       *caller = json_object_object_get(from, "caller");
    uint64_t count = json_length(stack), at = 0;
    while (at < count && !json_object_equal(json_object_array_get_idx(stack, at), caller))
        at++;
    uint64_t outer = at < count ? count - at - 1 : 0,
             shown = outer < SHOWN_CALLERS ? outer : SHOWN_CALLERS;
    for (uint64_t i = 1; i <= shown; i++) {
        fprintf(file, "\n%*s", indent, "");
        write_caller(file, frames, json_object_array_get_idx(stack, at + i));
    }
    if (shown < outer)
        fprintf(file, "\n%*sand %" PRIu64 " more", indent, "", outer - shown);
}

/* Writes the stack of the call that created or destroyed an object, if it was kept, as in the
 * layer's log. */
static void write_history(FILE *file, const struct frames *frames, struct json_object *object,
                          const char *what)
{
    static const char *const without[] = {"VkInstance", "VkPhysicalDevice", "VkDevice", "VkQueue"};
    struct json_object *history = json_object_object_get(object, what);
    for (size_t i = 0; i < sizeof(without) / sizeof(*without); i++) {
        if (!strcmp(json_text_or(object, "type"), without[i]))
            return;
    }
    if (!json_length(json_object_object_get(history, "stack")))
        return;
    fprintf(file, "\n%*s%s by ", TEXT_INDENT + 2, "", what);
    write_caller(file, frames, json_object_object_get(history, "caller"));
    write_outer_callers(file, frames, history, TEXT_INDENT + 4);
}

static void write_objects(FILE *file, const struct frames *frames, struct json_object *finding,
                          bool color)
{
    struct json_object *objects = json_object_object_get(finding, "objects"), *object;
    size_t index, count;
    JSON_EACH_ELEMENT(objects, index, count, object)
    {
        if (!index)
            write_key(file, count > 1 ? "objects" : "object", color);
        else
            fprintf(file, "\n%*s", TEXT_INDENT, "");
        write_named(file, object);
        write_history(file, frames, object, "created");
        write_history(file, frames, object, "destroyed");
    }
}

/* Writes a side of a hazard. `other` is the side that is written already, or NULL. */
static void write_side(FILE *file, const struct frames *frames, const char *key,
                       struct json_object *side, struct json_object *other, bool color)
{
    struct json_object *buffer = json_object_object_get(side, "commandBuffer");
    bool same =
        other && !strcmp(json_text_or(buffer, "handle"),
                         json_text_or(json_object_object_get(other, "commandBuffer"), "handle"));
    struct json_object *range = json_object_object_get(side, "range"),
                       *resource = json_object_object_get(side, "resource");
    const char *command = json_text(side, "command");
    if (!side)
        return;
    write_key(file, key, color);
    fputs(command ? command : "an access", file);
    if (json_object_object_get(side, "index"))
        fprintf(file, ", command %" PRIu64 " of ", json_number(side, "index"));
    if (json_object_object_get(side, "index") && same)
        fputs("the same command buffer", file);
    else if (json_object_object_get(side, "index"))
        write_named(file, buffer);
    fprintf(file, "\n%*s%s ", TEXT_INDENT, "",
            json_is_true(json_object_object_get(side, "write")) ? "writes" : "reads");
    if (json_object_object_get(range, "size") && json_number(range, "size"))
        fprintf(file, "bytes %" PRIu64 " to %" PRIu64 " of ", json_number(range, "offset"),
                json_number(range, "offset") + json_number(range, "size") - 1);
    if (resource)
        write_named(file, resource);
    if (json_length(json_object_object_get(side, "stages"))) {
        fprintf(file, "\n%*sin ", TEXT_INDENT, "");
        write_list(file, json_object_object_get(side, "stages"), " | ");
    }
    if (json_length(json_object_object_get(side, "accesses"))) {
        fputs(" with ", file);
        write_list(file, json_object_object_get(side, "accesses"), " | ");
    }
    if (json_length(json_object_object_get(side, "labels"))) {
        fprintf(file, "\n%*sunder the label ", TEXT_INDENT, "");
        write_list(file, json_object_object_get(side, "labels"), " > ");
    }
    if (json_object_object_get(side, "caller")) {
        fprintf(file, "\n%*scalled by ", TEXT_INDENT, "");
        write_caller(file, frames, json_object_object_get(side, "caller"));
        write_outer_callers(file, frames, side, TEXT_INDENT + 4);
    }
}

/* Writes where a shader found something: labels around the command, and what executes the secondary
 * that it is in. */
static void write_shader(FILE *file, const struct frames *frames, struct json_object *shader,
                         bool color)
{
    struct json_object *executed = json_object_object_get(shader, "executedBy"), *by;
    size_t index, count;
    write_labels(file, json_object_object_get(shader, "labels"), "labels", color);
    JSON_EACH_ELEMENT(executed, index, count, by)
    {
        if (!index)
            write_key(file, "primary", color);
        else
            fprintf(file, "\n%*s", TEXT_INDENT, "");
        fprintf(file, "vkCmdExecuteCommands, command %" PRIu64, json_number(by, "command"));
        if (json_object_object_get(by, "commandBuffer")) {
            fputs(" of ", file);
            write_named(file, json_object_object_get(by, "commandBuffer"));
        }
        if (json_length(json_object_object_get(by, "labels"))) {
            fprintf(file, "\n%*sunder the label ", TEXT_INDENT, "");
            write_list(file, json_object_object_get(by, "labels"), " > ");
        }
        if (json_object_object_get(by, "caller")) {
            fprintf(file, "\n%*scalled by ", TEXT_INDENT, "");
            write_caller(file, frames, json_object_object_get(by, "caller"));
            write_outer_callers(file, frames, by, TEXT_INDENT + 4);
        }
    }
}

static void stream_write_text(FILE *file, const char *key, const char *text, bool color)
{
    if (!text || !*text)
        return;
    write_key(file, key, color);
    write_safe(file, text, TEXT_INDENT);
}

/* Writes the rows of a shader's finding. */
static void write_rows(FILE *file, struct json_object *finding, bool color)
{
    struct json_object_iterator at = json_members(finding_rows(finding));
    struct json_object *text;
    const char *key;
    while (json_next_member(&at, &key, &text))
        stream_write_text(file, key, json_string(text), color);
}

/* Writes the command that expects an image in another layout than it has at the submit. */
static void write_wanted(FILE *file, const struct frames *frames, struct json_object *wanted,
                         bool color)
{
    struct json_object *primary = json_object_object_get(wanted, "primary");
    if (!wanted)
        return;
    write_key(file, "wanted", color);
    write_wanting(file, wanted);
    fputs(" of ", file);
    write_named(file, primary ? primary : json_object_object_get(wanted, "commandBuffer"));
    if (!json_object_object_get(wanted, "caller"))
        return;
    fprintf(file, "\n%*scalled by ", TEXT_INDENT, "");
    write_caller(file, frames, json_object_object_get(wanted, "caller"));
    write_outer_callers(file, frames, wanted, TEXT_INDENT + 4);
}

static void write_lost(FILE *file, struct json_object *lost, bool color)
{
    char *pending = lost_pending(lost), *fault = lost_fault(lost);
    stream_write_text(file, "pending", pending, color);
    stream_write_text(file, "fault", fault, color);
    free(pending);
    free(fault);
}

static void write_spec(FILE *file, struct json_object *finding, bool color)
{
    char sentence[SPEC_LENGTH + 8];
    struct json_object *statement = finding_statement(finding);
    const char *spec = json_text_or(statement, "spec"), *url = json_text(statement, "url");
    if (!*spec)
        return;
    size_t length = strlen(spec);
    bool cut = length > SPEC_LENGTH;
    for (length = cut ? SPEC_LENGTH : length; cut && length && spec[length] != ' ';)
        length--;
    snprintf(sentence, sizeof(sentence), "%.*s%s", (int)length, spec, cut ? " ..." : "");
    write_key(file, "spec", color);
    write_wrapped(file, sentence, TEXT_INDENT);
    if (url)
        fprintf(file, "\n%*s%s", TEXT_INDENT, "", url);
}

/* Writes the repair of a hazard. If its code was written before, only the first line is written,
 * which says where the code belongs. */
static void write_mend(FILE *file, const char *mend, bool said, bool color)
{
    char *line = said && mend ? strndup(mend, strcspn(mend, "\n")) : NULL;
    stream_write_text(file, "mend", line ? line : mend, color);
    if (line)
        fprintf(file, "\n%*s" ONCE_CODE, TEXT_INDENT, "");
    free(line);
}

void stream_write_count(FILE *file, const struct frames *frames, struct json_object *finding,
                        uint64_t count)
{
    struct json_object *self =
                           json_object_object_get(json_object_object_get(finding, "sync"), "this"),
                       *caller = json_object_object_get(self ? self : finding, "caller"),
                       *objects = json_object_object_get(finding, "objects"), *named = NULL;
    const char *location = json_text_or(finding, "location"), *name;
    size_t index, length;
    struct json_object *object;
    names_show(finding);
    fprintf(file, "Assay repeated %s, ", json_text_or(finding, "vuid"));
    write_plural(file, count, "time");
    fputs(" so far", file);
    if (json_number(finding, "lastOf"))
        fputs(", and from now on it is only counted (--limit)", file);
    fprintf(file, ": %s()%s%s", json_text_or(finding, "command"), *location ? " " : "", location);
    JSON_EACH_ELEMENT(objects, index, length, object)
    {
        if ((name = json_text(object, "name")) && *name)
            named = object;
    }
    if (named) {
        fputs(", ", file);
        write_named(file, named);
    }
    if (caller) {
        fputs(", by ", file);
        write_caller(file, frames, caller);
    }
    fputs("\n\n", file);
}

void stream_write(FILE *file, const struct frames *frames, struct json_object *finding, bool color,
                  struct once_parts said)
{
    names_show(finding);
    const char *severity = json_text_or(finding, "severity");
    struct json_object *sync = json_object_object_get(finding, "sync"),
                       *caller = json_object_object_get(finding, "caller");
    bool hazard = json_object_object_get(sync, "this") != NULL;
    fprintf(file, "%sAssay %s%s %s%s%s\n  ", color ? stream_color(severity) : "", severity,
            color ? PLAIN : "", color ? BOLD : "", json_text_or(finding, "vuid"),
            color ? PLAIN : "");
    write_message(file, json_text_or(finding, "message"), 2);
    if (hazard) {
        write_side(file, frames, "this", json_object_object_get(sync, "this"), NULL, color);
        write_side(file, frames, "earlier", json_object_object_get(sync, "earlier"),
                   json_object_object_get(sync, "this"), color);
        stream_write_text(file, "between",
                          json_text(json_object_object_get(sync, "between"), "text"), color);
        write_mend(file, json_text(json_object_object_get(sync, "mend"), "text"), said.mend, color);
    } else {
        write_lost(file, json_object_object_get(finding, "deviceLost"), color);
        write_rows(file, finding, color);
        write_wanted(file, frames, json_object_object_get(finding, "wanted"), color);
        write_objects(file, frames, finding, color);
        write_labels(file, json_object_object_get(finding, "queueLabels"), "queue", color);
        write_labels(file, json_object_object_get(finding, "commandBufferLabels"), "labels", color);
        write_shader(file, frames, json_object_object_get(finding, "shader"), color);
    }
    struct json_object *race = json_object_object_get(finding, "race");
    if (json_length(json_object_object_get(race, "stack"))) {
        write_key(file, "other", color);
        write_caller(file, frames, json_object_object_get(race, "caller"));
        write_outer_callers(file, frames, race, TEXT_INDENT);
    }
    if (caller && !hazard) {
        write_key(file, "caller", color);
        write_caller(file, frames, caller);
        write_outer_callers(file, frames, finding, TEXT_INDENT);
    }
    if (json_text(finding, "fix")) {
        write_key(file, "fix", color);
        write_wrapped(file, said.fix ? ONCE_FIX : json_text(finding, "fix"), TEXT_INDENT);
    }
    stream_write_text(file, "with", json_text(finding, "parameters"), color);
    if (!said.spec)
        write_spec(file, finding, color);
    if (json_number(finding, "lastOf")) {
        write_key(file, "note", color);
        fprintf(file,
                "reported %" PRIu64 " time%s, which is the limit (--limit): not reported again",
                json_number(finding, "lastOf"), json_number(finding, "lastOf") == 1 ? "" : "s");
    }
    fputs("\n\n", file);
}
