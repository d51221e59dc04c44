/* Writes a report, as text for people and as a line of JSON for tools.
 *
 *     Assay error VUID-VkBufferCreateInfo-size-00912
 *       vkCreateBuffer(): pCreateInfo->size is 0
 *         object  VkDevice 0x55d0c81f2a30 "main device"
 *         labels  frame 12 > shadow pass
 *         caller  ./cube+0x8f3a (prepare_buffers+0x2c)
 *         fix     what mends it, where one mend is usual
 *         spec    size must be greater than 0
 *                 https://docs.vulkan.org/spec/latest/chapters/resources.html#VUID-VkBufferCreateInfo-size-00912
 */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#define SPEC_URL   "https://docs.vulkan.org/spec/latest/"
#define SPEC_WIDTH 100 /* columns at which lines of the specification's sentence are broken */
/* bytes of the specification's sentence that the log shows; the list of all structures that may be
 * chained takes 13,000 */
#define SPEC_LENGTH 600

#define SHOWN_CALLERS 5 /* frames outside of the shown caller that a message lists */

/* Stands before each key. */
#define INDENT  "    "
#define HANGING INDENT "        " /* stands before a further line of the text after a key */

/* Escape sequences of terminals. */
#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

const char *severity_name(enum severity severity)
{
    assert((unsigned)severity <= SEVERITY_DEBUG);
    static const char *const names[] = {
        [SEVERITY_ERROR] = "error",
        [SEVERITY_WARNING] = "warning",
        [SEVERITY_PERFORMANCE] = "performance",
        [SEVERITY_INFO] = "info",
        [SEVERITY_DEBUG] = "debug",
    };
    return names[severity];
}

/* The terminal's code for the color of a severity. */
static const char *severity_color(enum severity severity)
{
    assert((unsigned)severity <= SEVERITY_DEBUG);
    static const char *const colors[] = {
        [SEVERITY_ERROR] = "\033[1;31m",       [SEVERITY_WARNING] = "\033[1;33m",
        [SEVERITY_PERFORMANCE] = "\033[1;35m", [SEVERITY_INFO] = "\033[1;36m",
        [SEVERITY_DEBUG] = "\033[1;34m",
    };
    return colors[severity];
}

/* Begins a line with its key, padded to the width of the longest key. */
static void write_key(struct string_builder *builder, const char *key, bool color)
{
    string_builder_format(builder, "\n" INDENT "%s%-7s%s ", color ? DIM : "", key,
                          color ? PLAIN : "");
}

/* Writes text of a validator or the program, which may have lines of its own: they are indented
 * like the first. Control characters (a name may hold an escape sequence) become "?". */
static void write_lines(struct string_builder *builder, const char *text, const char *indent)
{
    assert(text && indent);
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != 0x7f)
            plain++;
        string_builder_add_bytes(builder, text, plain);
        text += plain;
        if (!*text)
            break;
        if (*text == '\n')
            string_builder_format(builder, "\n%s", indent);
        else
            string_builder_add(builder, *text == '\t' ? " " : "?");
        text++;
    }
}

/* Writes the first `most` bytes of a sentence in lines of SPEC_WIDTH columns, broken at blanks. */
static void write_wrapped(struct string_builder *builder, const char *text, size_t most)
{
    assert(text);
    size_t shown = strlen(text), column = 0;
    bool cut = shown > most;
    if (cut) {
        shown = most;
        /* The text is cut at a blank, so that no word is cut. */
        while (shown > 0 && text[shown] != ' ')
            shown--;
    }
    for (size_t i = 0; i < shown;) {
        size_t word = 0;
        while (i + word < shown && text[i + word] != ' ')
            word++;
        if (column && column + 1 + word > SPEC_WIDTH) {
            string_builder_add(builder, "\n" HANGING);
            column = 0;
        } else if (column) {
            string_builder_add(builder, " ");
            column++;
        }
        string_builder_add_bytes(builder, text + i, word);
        column += word;
        i += word + 1;
    }
    if (cut)
        string_builder_add(builder, " ...");
}

/* True if the report shows finding_details::sentence and the first sections in place of the
 * finding's text. Messengers get the text. */
static bool hears_sentence(const struct report *report)
{
    return report->details && report->details->sentence && !report->is_messengers;
}

/* Writes "vkCreateBuffer(): pCreateInfo->size is 0". Further lines of the text begin with `indent`.
 * NULL: the text is written unchanged. */
static void message_write_sentence(struct string_builder *builder, const struct report *report,
                                   const char *indent)
{
    if (report->command)
        string_builder_format(builder, "%s(): ", report->command);
    if (report->location[0])
        string_builder_format(builder, "%s ", report->location);
    const char *text = hears_sentence(report) ? report->details->sentence : report->text;
    if (indent)
        write_lines(builder, text, indent);
    else
        string_builder_add(builder, text);
}

/* Writes the type, handle and name of an object. */
static void write_handle(struct string_builder *builder, const struct report_object *object)
{
    assert((unsigned)object->type < HANDLE_TYPE_COUNT);
    string_builder_format(builder, "%s 0x%" PRIx64, handle_type_name[object->type], object->handle);
    if (object->name) {
        string_builder_add(builder, " \"");
        write_lines(builder, object->name, HANGING);
        string_builder_add(builder, "\"");
    }
}

/* Writes the open labels, the outermost first. */
static void message_write_labels(struct string_builder *builder, const struct label_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        string_builder_add(builder, i ? " > " : "");
        write_lines(builder, list->labels[i].pLabelName, HANGING);
    }
}

void message_write_frame(struct string_builder *builder, const struct caller *caller)
{
    assert(caller);
    if (!caller->module) {
        string_builder_format(builder, "0x%" PRIx64 ", in no module", caller->offset);
        return;
    }
    string_builder_add_shown(builder, caller->module);
    string_builder_format(builder, "+0x%" PRIx64, caller->offset);
    if (!caller->symbol)
        return;
    string_builder_add(builder, " (");
    string_builder_add_shown(builder, caller->symbol);
    string_builder_format(builder, "+0x%" PRIx64 ")", caller->symbol_offset);
}

/* Writes the `outer` frames from `frames` on, a line each. They called the frame that stands before
 * them in the array. */
static void write_outer(struct string_builder *builder, const struct caller *frames, uint32_t outer,
                        const char *indent)
{
    uint32_t shown = outer < SHOWN_CALLERS ? outer : SHOWN_CALLERS;
    for (uint32_t i = 0; i < shown; i++) {
        string_builder_format(builder, "\n%s", indent);
        message_write_frame(builder, &frames[i]);
    }
    if (shown < outer)
        string_builder_format(builder, "\n%sand %u more", indent, outer - shown);
}

void message_write_outer(struct string_builder *builder, const struct caller_path *path,
                         const char *indent)
{
    if (path)
        write_outer(builder, &path->frames[path->first] + 1, path->count - path->first - 1, indent);
}

/* Writes the frame of the program that made the call, and the frames that called it. */
static void write_callers(struct string_builder *builder, const struct report *report)
{
    message_write_frame(builder, &report->caller);
    if (report->stack)
        write_outer(builder, &report->stack[report->stack_first] + 1,
                    report->stack_count - report->stack_first - 1, HANGING);
}

/* Writes the stack of the call that created or destroyed an object. One frame alone is not written;
 * more are only known if the setting record_stacks is on. */
static void write_path(struct string_builder *builder, const char *what,
                       const struct caller_path *path)
{
    if (!path || path->count < 2)
        return;
    string_builder_format(builder, "\n" HANGING "  %s by ", what);
    message_write_frame(builder, &path->frames[path->first]);
    message_write_outer(builder, path, HANGING "    ");
}

/* True if the message says which calls created and destroyed the object. Instances and the like are
 * made once, at the beginning, and need no such lines. */
static bool has_history(const struct report_object *object)
{
    return object->type != HANDLE_INSTANCE && object->type != HANDLE_PHYSICAL_DEVICE &&
           object->type != HANDLE_DEVICE && object->type != HANDLE_QUEUE;
}

/* True if the caller is known, with or without a module. */
static bool has_caller(const struct report *report)
{
    return report->caller.module || report->caller.offset;
}

/* Writes the lines for objects, labels, parameters and callers. */
static void write_surroundings(struct string_builder *builder, const struct report *report,
                               bool color)
{
    for (uint32_t i = 0; i < report->object_count; i++) {
        if (i == 0)
            write_key(builder, report->object_count > 1 ? "objects" : "object", color);
        else
            string_builder_add(builder, "\n" HANGING);
        write_handle(builder, &report->objects[i]);
        if (has_history(&report->objects[i])) {
            write_path(builder, "created", report->objects[i].created);
            write_path(builder, "destroyed", report->objects[i].destroyed);
        }
    }
    if (report->queue_labels.count) {
        write_key(builder, "queue", color);
        message_write_labels(builder, &report->queue_labels);
    }
    if (report->command_buffer_labels.count) {
        write_key(builder, "labels", color);
        message_write_labels(builder, &report->command_buffer_labels);
    }
    if (has_caller(report)) {
        write_key(builder, "caller", color);
        write_callers(builder, report);
    }
}

/* The statement that the message quotes. */
struct statement {
    const char *id, *text, *page;
};

static struct statement report_statement(const struct report *report)
{
    const struct vuid_text *quoted = report->quoted;
    return quoted ? (struct statement){quoted->name, quoted->text, quoted->page}
                  : (struct statement){report->id, report->spec_text, report->spec_page};
}

void message_write_place(struct string_builder *builder, const struct report *report)
{
    const size_t first = builder->length;
    if (report->command)
        string_builder_format(builder, "%s()", report->command);
    if (report->location[0])
        string_builder_format(builder, " %s", report->location);
    /* The last object with a name is mostly the one that the finding is about. */
    for (uint32_t i = report->object_count; i > 0; i--) {
        if (!report->objects[i - 1].name)
            continue;
        string_builder_add(builder, ", ");
        write_handle(builder, &report->objects[i - 1]);
        break;
    }
    if (has_caller(report)) {
        string_builder_add(builder, ", by ");
        message_write_frame(builder, &report->caller);
    }
    /* Names that the program gives may have control characters; these are replaced. */
    string_builder_clean(builder, first);
}

void message_write_repeats(struct string_builder *builder, const char *id, uint64_t count,
                           const char *when, const char *place)
{
    assert(id && when && place);
    string_builder_format(builder, "Assay repeated %s, %" PRIu64 " times %s: %s\n", id, count, when,
                          place);
}

void message_write(struct string_builder *builder, const struct report *report, bool color,
                   bool with_application)
{
    assert(report->id);
    const size_t first = builder->length;
    string_builder_format(builder, "%sAssay %s%s %s%s%s",
                          color ? severity_color(report->severity) : "",
                          severity_name(report->severity), color ? PLAIN : "", color ? BOLD : "",
                          report->id, color ? PLAIN : "");
    string_builder_add(builder, "\n  ");
    message_write_sentence(builder, report, "  ");
    const uint32_t first_section =
        /* If the text is shown and not the sentence, it says what the first sections say. */
        report->details && !hears_sentence(report) ? report->details->row_count : 0;
    for (uint32_t i = first_section; report->details && i < report->details->section_count; i++) {
        write_key(builder, report->details->sections[i].key, color);
        write_lines(builder, report->details->sections[i].text, HANGING);
    }
    if (!report->details || !report->details->tells_objects)
        write_surroundings(builder, report, color);
    if (report->fix) {
        write_key(builder, "fix", color);
        write_wrapped(builder, report->fix, SIZE_MAX);
    }
    if (report->parameters) {
        write_key(builder, "params", color);
        write_lines(builder, report->parameters, HANGING);
    }
    if (with_application && report->application) {
        write_key(builder, "program", color);
        write_lines(builder, report->application, HANGING);
    }
    const struct statement statement = report_statement(report);
    if (statement.text[0]) {
        write_key(builder, statement.page[0] ? "spec" : "meaning", color);
        write_wrapped(builder, statement.text, SPEC_LENGTH);
    }
    if (statement.page[0])
        string_builder_format(builder, "\n" HANGING SPEC_URL "%s#%s", statement.page, statement.id);
    if (report->last_of && !report->once) {
        write_key(builder, "note", color);
        string_builder_format(builder,
                              "reported %u time%s, which is the setting duplicate_message_limit: "
                              "not reported again",
                              report->last_of, report->last_of == 1 ? "" : "s");
    }
    string_builder_clean(builder, first);
}

/* Adds `"key":"value"`, after a comma where it is not the first member. */
static void json_string(struct string_builder *builder, const char *key, const char *value)
{
    assert(key && value);
    bool first = builder->length && builder->text[builder->length - 1] == '{';
    string_builder_format(builder, "%s\"%s\":\"", first ? "" : ",", key);
    string_builder_add_json(builder, value);
    string_builder_add(builder, "\"");
}

/* Adds a member with the names of the open labels. The member is an empty array if there is
 * none. */
static void json_labels(struct string_builder *builder, const char *key,
                        const struct label_list *list)
{
    string_builder_format(builder, ",\"%s\":[", key);
    for (uint32_t i = 0; i < list->count; i++) {
        string_builder_add(builder, i ? ",\"" : "\"");
        string_builder_add_json(builder, list->labels[i].pLabelName);
        string_builder_add(builder, "\"");
    }
    string_builder_add(builder, "]");
}

void message_write_json_caller(struct string_builder *builder, const struct caller *caller)
{
    string_builder_add(builder, "{");
    if (caller->module)
        json_string(builder, "module", caller->module);
    string_builder_format(builder, "%s\"offset\":\"0x%" PRIx64 "\"", caller->module ? "," : "",
                          caller->offset);
    if (caller->symbol) {
        json_string(builder, "symbol", caller->symbol);
        string_builder_format(builder, ",\"symbolOffset\":\"0x%" PRIx64 "\"",
                              caller->symbol_offset);
    }
    if (caller->build_id) {
        string_builder_add(builder, ",\"buildId\":\"");
        for (uint32_t i = 0; i < caller->build_id_size; i++)
            string_builder_format(builder, "%02x", caller->build_id[i]);
        string_builder_add(builder, "\"");
    }
    string_builder_add(builder, "}");
}

/* Adds the member "stack", the innermost frame first. */
static void json_stack(struct string_builder *builder, const struct caller *frames, uint32_t count)
{
    string_builder_add(builder, ",\"stack\":[");
    for (uint32_t i = 0; i < count; i++) {
        string_builder_add(builder, i ? "," : "");
        message_write_json_caller(builder, &frames[i]);
    }
    string_builder_add(builder, "]");
}

void message_write_json_path(struct string_builder *builder, const struct caller_path *path)
{
    assert(path);
    string_builder_add(builder, "\"caller\":");
    message_write_json_caller(builder, &path->frames[path->first]);
    if (path->count > 1)
        json_stack(builder, path->frames, path->count);
}

/* Adds a member with the call that made or ended an object. NULL adds nothing. */
static void json_path(struct string_builder *builder, const char *key,
                      const struct caller_path *path)
{
    if (!path)
        return;
    string_builder_format(builder, ",\"%s\":{", key);
    message_write_json_path(builder, path);
    string_builder_add(builder, "}");
}

void message_write_json_object(struct string_builder *builder, const struct report_object *object)
{
    assert(object);
    string_builder_format(builder, "{\"type\":\"%s\",\"handle\":\"0x%" PRIx64 "\"",
                          handle_type_name[object->type], object->handle);
    if (object->name)
        json_string(builder, "name", object->name);
    json_path(builder, "created", object->created);
    json_path(builder, "destroyed", object->destroyed);
    string_builder_add(builder, "}");
}

/* Adds the member "objects", an empty array if there is none. */
static void json_objects(struct string_builder *builder, const struct report *report)
{
    string_builder_add(builder, ",\"objects\":[");
    for (uint32_t i = 0; i < report->object_count; i++) {
        string_builder_add(builder, i ? "," : "");
        message_write_json_object(builder, &report->objects[i]);
    }
    string_builder_add(builder, "]");
}

/* Adds the members "caller" and "stack"; the stack contains the caller. */
static void json_callers(struct string_builder *builder, const struct report *report)
{
    string_builder_add(builder, ",\"caller\":");
    message_write_json_caller(builder, &report->caller);
    if (report->stack)
        json_stack(builder, report->stack, report->stack_count);
}

/* Adds the finding's sentence as one member, with its line breaks. */
static void json_sentence(struct string_builder *builder, const char *key,
                          const struct report *report)
{
    char buffer[512];
    struct string_builder sentence;
    string_builder_begin(&sentence, buffer, sizeof(buffer));
    message_write_sentence(&sentence, report, NULL);
    json_string(builder, key, sentence.text);
    string_builder_end(&sentence);
}

/* Adds the address of the statement. A message that is on no page has no address. */
static void json_url(struct string_builder *builder, const char *page, const char *id)
{
    if (page[0])
        string_builder_format(builder, ",\"url\":\"" SPEC_URL "%s#%s\"", page, id);
}

/* Writes the sections of the details, which the log shows under their keys, unless another member
 * says the same. The first `row_count` sections are always written. */
static void json_details(struct string_builder *builder, const struct finding_details *details)
{
    const uint32_t count = !details            ? 0
                           : details->json_key ? details->row_count
                                               : details->section_count;
    if (!count)
        return;
    string_builder_add(builder, ",\"details\":{");
    for (uint32_t i = 0; i < count; i++)
        json_string(builder, details->sections[i].key, details->sections[i].text);
    string_builder_add(builder, "}");
}

/* Adds "2026-11-24T02:28:43.123456Z". `microseconds` counts from 1970. The calculation lets years
 * begin in March, so that the leap day is the last day of a year. */
static void json_time(struct string_builder *builder, uint64_t microseconds)
{
    uint64_t seconds = microseconds / 1000000, day = seconds / 86400 + 719468,
             second = seconds % 86400;
    uint64_t era = day / 146097, of_era = day % 146097;
    uint64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    uint64_t of_year = of_era - (365 * year + year / 4 - year / 100),
             month = (5 * of_year + 2) / 153;
    string_builder_format(builder,
                          ",\"time\":\"%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64 "T%02" PRIu64
                          ":%02" PRIu64 ":%02" PRIu64 ".%06" PRIu64 "Z\"",
                          year + era * 400 + (month >= 10), month < 10 ? month + 3 : month - 9,
                          of_year - (153 * month + 2) / 5 + 1, second / 3600, second / 60 % 60,
                          second % 60, microseconds % 1000000);
}

void message_write_json_line(struct string_builder *builder, const struct report *report)
{
    assert(report->id);
    string_builder_add(builder, "{");
    json_string(builder, "vuid", report->id);
    string_builder_format(builder, ",\"number\":%u", report->number);
    json_string(builder, "severity", severity_name(report->severity));
    json_sentence(builder, "message", report);
    if (report->command)
        json_string(builder, "command", report->command);
    json_string(builder, "location", report->location);
    json_objects(builder, report);
    json_labels(builder, "queueLabels", &report->queue_labels);
    json_labels(builder, "commandBufferLabels", &report->command_buffer_labels);
    if (has_caller(report))
        json_callers(builder, report);
    if (report->details && report->details->json_key)
        string_builder_format(builder, ",\"%s\":%s", report->details->json_key,
                              report->details->json);
    json_details(builder, report->details);
    if (report->fix)
        json_string(builder, "fix", report->fix);
    string_builder_format(builder, ",\"process\":%u,\"thread\":%u", report->process,
                          report->thread);
    if (report->thread_name[0])
        json_string(builder, "threadName", report->thread_name);
    if (report->application)
        json_string(builder, "application", report->application);
    if (report->parameters)
        json_string(builder, "parameters", report->parameters);
    if (report->last_of && !report->once)
        string_builder_format(builder, ",\"lastOf\":%u", report->last_of);
    json_string(builder, "spec", report->spec_text);
    json_url(builder, report->spec_page, report->id);
    if (report->quoted) {
        string_builder_add(builder, ",\"statement\":{");
        json_string(builder, "vuid", report->quoted->name);
        json_string(builder, "spec", report->quoted->text);
        json_url(builder, report->quoted->page, report->quoted->name);
        string_builder_add(builder, "}");
    }
    /* The time is the last member, so that a tool which looks for equal lines can cut it off. */
    if (report->time)
        json_time(builder, report->time);
    string_builder_add(builder, "}");
}

/* Adds `"Key" : "value",` on a line of its own, as the Khronos layer writes it. */
static void field_member(struct string_builder *builder, const char *key, const char *value)
{
    assert(key && value);
    string_builder_format(builder, "\t\"%s\" : \"", key);
    string_builder_add_json(builder, value);
    string_builder_add(builder, "\",\n");
}

void message_write_json(struct string_builder *builder, const struct report *report)
{
    static const char *const severities[] = {
        [SEVERITY_ERROR] = "Error",
        [SEVERITY_WARNING] = "Warning",
        [SEVERITY_PERFORMANCE] = "Performance Warning",
        [SEVERITY_INFO] = "Information",
        [SEVERITY_DEBUG] = "Verbose",
    };
    const struct label_list *labels = report->command_buffer_labels.count
                                          ? &report->command_buffer_labels
                                          : &report->queue_labels;
    string_builder_add(builder, "{\n");
    field_member(builder, "Severity", severities[report->severity]);
    field_member(builder, "VUID", report->id);
    string_builder_add(builder, "\t\"Objects\" : [\n");
    for (uint32_t i = 0; i < report->object_count; i++) {
        const struct report_object *object = &report->objects[i];
        string_builder_format(builder,
                              "\t\t{\"type\" : \"%s\", \"handle\" : \"0x%" PRIx64
                              "\", \"name\" : \"",
                              handle_type_name[object->type], object->handle);
        string_builder_add_json(builder, object->name ? object->name : "");
        string_builder_add(builder, i + 1 < report->object_count ? "\"},\n" : "\"}\n");
    }
    string_builder_add(builder, "\t],\n");
    string_builder_format(builder, "\t\"MessageID\" : \"0x%x\",\n", report->number);
    field_member(builder, "Function", report->command ? report->command : "");
    field_member(builder, "Location", report->location);
    field_member(builder, "MainMessage", report->text);
    if (report->details && report->details->json_key)
        string_builder_format(builder, "\t\"%s\" : %s,\n", report->details->json_key,
                              report->details->json);
    if (report->fix)
        field_member(builder, "Fix", report->fix);
    field_member(builder, "DebugRegion",
                 /* Only the innermost label is written. */
                 labels->count ? labels->labels[labels->count - 1].pLabelName : "");
    const struct statement statement = report_statement(report);
    field_member(builder, "SpecText", statement.text);
    string_builder_add(builder, "\t\"SpecUrl\" : \"");
    if (statement.page[0])
        string_builder_format(builder, SPEC_URL "%s#%s", statement.page, statement.id);
    string_builder_add(builder, "\"\n}");
}
