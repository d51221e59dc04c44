/* How a report reads: as text for people, as a line of JSON for tools.
 *
 *     Assay error VUID-VkBufferCreateInfo-size-00912
 *       vkCreateBuffer(): pCreateInfo->size is 0
 *         object  VkDevice 0x55d0c81f2a30 "main device"
 *         labels  frame 12 > shadow pass
 *         caller  ./cube+0x8f3a (prepare_buffers+0x2c)
 *         spec    size must be greater than 0
 *                 https://docs.vulkan.org/spec/latest/chapters/resources.html#VUID-VkBufferCreateInfo-size-00912
 */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

#define SPEC_URL   "https://docs.vulkan.org/spec/latest/"
#define SPEC_WIDTH 100 /* columns of the specification's sentence, before it is broken */
#define SPEC_LENGTH \
    600 /* bytes of it that are shown to people; lists of all structures that may be chained are 13,000 long */

#define SHOWN_CALLERS 5 /* of the frames outside of the one that is shown as the caller */

#define INDENT  "    "
#define HANGING INDENT "        " /* under the text that stands after a key */

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define PLAIN "\033[0m"

const char *severity_name(enum severity severity)
{
    static const char *const names[] = {
        [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_PERFORMANCE] = "performance",
        [SEVERITY_INFO] = "info",   [SEVERITY_DEBUG] = "debug",
    };
    return names[severity];
}

static const char *severity_color(enum severity severity)
{
    static const char *const colors[] = {
        [SEVERITY_ERROR] = "\033[1;31m", [SEVERITY_WARNING] = "\033[1;33m", [SEVERITY_PERFORMANCE] = "\033[1;35m",
        [SEVERITY_INFO] = "\033[1;36m",  [SEVERITY_DEBUG] = "\033[1;34m",
    };
    return colors[severity];
}

static void write_key(struct string_builder *builder, const char *key, bool color)
{
    string_builder_format(builder, "\n" INDENT "%s%-7s%s ", color ? DIM : "", key, color ? PLAIN : "");
}

/* Text that a validator or the app wrote, which may have lines of its own: they are indented like the first. Control characters
 * (a name may hold an escape sequence) become "?". */
static void write_lines(struct string_builder *builder, const char *text, const char *indent)
{
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

/* A long sentence in lines of SPEC_WIDTH columns, broken at blanks. */
static void write_wrapped(struct string_builder *builder, const char *text)
{
    size_t shown = strlen(text), column = 0;
    bool cut = shown > SPEC_LENGTH;
    if (cut) {
        shown = SPEC_LENGTH;
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

/* "vkCreateBuffer(): pCreateInfo->size is 0" */
static void write_sentence(struct string_builder *builder, const struct report *report, const char *indent)
{
    if (report->command)
        string_builder_format(builder, "%s(): ", report->command);
    if (report->location[0])
        string_builder_format(builder, "%s ", report->location);
    if (indent)
        write_lines(builder, report->text, indent);
    else
        string_builder_add(builder, report->text);
}

static void write_handle(struct string_builder *builder, const struct report_object *object)
{
    string_builder_format(builder, "%s 0x%" PRIx64, handle_type_name[object->type], object->handle);
    if (object->name) {
        string_builder_add(builder, " \"");
        write_lines(builder, object->name, HANGING);
        string_builder_add(builder, "\"");
    }
}

static void write_labels(struct string_builder *builder, const struct label_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        string_builder_add(builder, i ? " > " : "");
        write_lines(builder, list->labels[i].pLabelName, HANGING);
    }
}

static void write_caller(struct string_builder *builder, const struct caller *caller)
{
    if (!caller->module) {
        string_builder_format(builder, "0x%" PRIx64 ", in no module", caller->offset);
        return;
    }
    string_builder_format(builder, "%s+0x%" PRIx64, caller->module, caller->offset);
    if (caller->symbol)
        string_builder_format(builder, " (%s+0x%" PRIx64 ")", caller->symbol, caller->symbol_offset);
}

/* The program's frame, and what called it, a line each. */
static void write_callers(struct string_builder *builder, const struct report *report)
{
    write_caller(builder, &report->caller);
    if (!report->stack)
        return;
    uint32_t outer = report->stack_count - report->stack_first - 1,
             shown = outer < SHOWN_CALLERS ? outer : SHOWN_CALLERS;
    for (uint32_t i = 1; i <= shown; i++) {
        string_builder_add(builder, "\n" HANGING);
        write_caller(builder, &report->stack[report->stack_first + i]);
    }
    if (shown < outer)
        string_builder_format(builder, "\n" HANGING "and %u more", outer - shown);
}

static bool has_caller(const struct report *report)
{
    return report->caller.module || report->caller.offset;
}

/* What the call is about, and where it came from. */
static void write_surroundings(struct string_builder *builder, const struct report *report, bool color)
{
    for (uint32_t i = 0; i < report->object_count; i++) {
        if (i == 0)
            write_key(builder, report->object_count > 1 ? "objects" : "object", color);
        else
            string_builder_add(builder, "\n" HANGING);
        write_handle(builder, &report->objects[i]);
    }
    if (report->queue_labels.count) {
        write_key(builder, "queue", color);
        write_labels(builder, &report->queue_labels);
    }
    if (report->command_buffer_labels.count) {
        write_key(builder, "labels", color);
        write_labels(builder, &report->command_buffer_labels);
    }
    if (has_caller(report)) {
        write_key(builder, "caller", color);
        write_callers(builder, report);
    }
}

void message_write(struct string_builder *builder, const struct report *report, bool color, bool with_application)
{
    string_builder_format(builder, "%sAssay %s%s %s%s%s", color ? severity_color(report->severity) : "",
                          severity_name(report->severity), color ? PLAIN : "", color ? BOLD : "", report->id,
                          color ? PLAIN : "");
    string_builder_add(builder, "\n  ");
    write_sentence(builder, report, "  ");
    for (uint32_t i = 0; report->details && i < report->details->section_count; i++) {
        write_key(builder, report->details->sections[i].key, color);
        write_lines(builder, report->details->sections[i].text, HANGING);
    }
    if (!report->details || !report->details->tells_objects)
        write_surroundings(builder, report, color);
    if (report->parameters) {
        write_key(builder, "params", color);
        write_lines(builder, report->parameters, HANGING);
    }
    if (with_application && report->application) {
        write_key(builder, "program", color);
        write_lines(builder, report->application, HANGING);
    }
    if (report->spec_text[0]) {
        write_key(builder, report->spec_page[0] ? "spec" : "meaning", color);
        write_wrapped(builder, report->spec_text);
    }
    if (report->spec_page[0])
        string_builder_format(builder, "\n" HANGING SPEC_URL "%s#%s", report->spec_page, report->id);
    if (report->last_of) {
        write_key(builder, "note", color);
        string_builder_format(builder,
                              "reported %u time%s, which is the setting duplicate_message_limit: not told again",
                              report->last_of, report->last_of == 1 ? "" : "s");
    }
}

/* `"key":"value"`, after a comma where it is not the first member. */
static void json_string(struct string_builder *builder, const char *key, const char *value)
{
    bool first = builder->length && builder->text[builder->length - 1] == '{';
    string_builder_format(builder, "%s\"%s\":\"", first ? "" : ",", key);
    string_builder_add_json(builder, value);
    string_builder_add(builder, "\"");
}

static void json_labels(struct string_builder *builder, const char *key, const struct label_list *list)
{
    string_builder_format(builder, ",\"%s\":[", key);
    for (uint32_t i = 0; i < list->count; i++) {
        string_builder_add(builder, i ? ",\"" : "\"");
        string_builder_add_json(builder, list->labels[i].pLabelName);
        string_builder_add(builder, "\"");
    }
    string_builder_add(builder, "]");
}

static void json_objects(struct string_builder *builder, const struct report *report)
{
    string_builder_add(builder, ",\"objects\":[");
    for (uint32_t i = 0; i < report->object_count; i++) {
        const struct report_object *object = &report->objects[i];
        string_builder_format(builder, "%s{\"type\":\"%s\",\"handle\":\"0x%" PRIx64 "\"", i ? "," : "",
                              handle_type_name[object->type], object->handle);
        if (object->name)
            json_string(builder, "name", object->name);
        string_builder_add(builder, "}");
    }
    string_builder_add(builder, "]");
}

static void json_caller(struct string_builder *builder, const struct caller *caller)
{
    string_builder_add(builder, "{");
    if (caller->module)
        json_string(builder, "module", caller->module);
    string_builder_format(builder, "%s\"offset\":\"0x%" PRIx64 "\"", caller->module ? "," : "", caller->offset);
    if (caller->symbol) {
        json_string(builder, "symbol", caller->symbol);
        string_builder_format(builder, ",\"symbolOffset\":\"0x%" PRIx64 "\"", caller->symbol_offset);
    }
    string_builder_add(builder, "}");
}

/* "caller" and "stack", which has the caller in it. */
static void json_callers(struct string_builder *builder, const struct report *report)
{
    string_builder_add(builder, ",\"caller\":");
    json_caller(builder, &report->caller);
    if (!report->stack)
        return;
    string_builder_add(builder, ",\"stack\":[");
    for (uint32_t i = 0; i < report->stack_count; i++) {
        string_builder_add(builder, i ? "," : "");
        json_caller(builder, &report->stack[i]);
    }
    string_builder_add(builder, "]");
}

static void json_sentence(struct string_builder *builder, const char *key, const struct report *report)
{
    char buffer[512];
    struct string_builder sentence;
    string_builder_begin(&sentence, buffer, sizeof(buffer));
    write_sentence(&sentence, report, NULL);
    json_string(builder, key, sentence.text);
    string_builder_end(&sentence);
}

static void json_url(struct string_builder *builder, const char *key, const struct report *report)
{
    if (report->spec_page[0])
        string_builder_format(builder, ",\"%s\":\"" SPEC_URL "%s#%s\"", key, report->spec_page, report->id);
}

void message_write_json_line(struct string_builder *builder, const struct report *report)
{
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
        string_builder_format(builder, ",\"%s\":%s", report->details->json_key, report->details->json);
    string_builder_format(builder, ",\"thread\":%u", report->thread);
    if (report->application)
        json_string(builder, "application", report->application);
    if (report->parameters)
        json_string(builder, "parameters", report->parameters);
    if (report->last_of)
        string_builder_format(builder, ",\"lastOf\":%u", report->last_of);
    json_string(builder, "spec", report->spec_text);
    json_url(builder, "url", report);
    string_builder_add(builder, "}");
}

/* `"Key" : "value",` on a line of its own. */
static void field_member(struct string_builder *builder, const char *key, const char *value)
{
    string_builder_format(builder, "\t\"%s\" : \"", key);
    string_builder_add_json(builder, value);
    string_builder_add(builder, "\",\n");
}

void message_write_json(struct string_builder *builder, const struct report *report)
{
    static const char *const severities[] = {
        [SEVERITY_ERROR] = "Error",      [SEVERITY_WARNING] = "Warning", [SEVERITY_PERFORMANCE] = "Performance Warning",
        [SEVERITY_INFO] = "Information", [SEVERITY_DEBUG] = "Verbose",
    };
    const struct label_list *labels =
        report->command_buffer_labels.count ? &report->command_buffer_labels : &report->queue_labels;
    string_builder_add(builder, "{\n");
    field_member(builder, "Severity", severities[report->severity]);
    field_member(builder, "VUID", report->id);
    string_builder_add(builder, "\t\"Objects\" : [\n");
    for (uint32_t i = 0; i < report->object_count; i++) {
        const struct report_object *object = &report->objects[i];
        string_builder_format(builder, "\t\t{\"type\" : \"%s\", \"handle\" : \"0x%" PRIx64 "\", \"name\" : \"",
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
        string_builder_format(builder, "\t\"%s\" : %s,\n", report->details->json_key, report->details->json);
    field_member(builder, "DebugRegion", labels->count ? labels->labels[labels->count - 1].pLabelName : "");
    field_member(builder, "SpecText", report->spec_text);
    string_builder_add(builder, "\t\"SpecUrl\" : \"");
    if (report->spec_page[0])
        string_builder_format(builder, SPEC_URL "%s#%s", report->spec_page, report->id);
    string_builder_add(builder, "\"\n}");
}
