/* Writes the place of an instruction in its source as JSON: {"function": "main", "file": "a.frag",
 * "line": 9, "text": ...} */
#include "spirv/module/source_json.h"

#include <stdio.h>

#define AROUND_MOST 8u /* lines before, and as many after, the instruction's own line */

/* Adds `,"key":"text"`, without the comma if it is the first member. */
static void source_json_add_string(struct string_builder *json, const char *key, const char *text)
{
    bool first = json->length && json->text[json->length - 1] == '{';
    string_builder_format(json, "%s\"%s\":\"", first ? "" : ",", key);
    string_builder_add_json(json, text);
    string_builder_add(json, "\"");
}

/* Adds the function's name; nothing if it is not known. */
static void source_json_add_function(struct string_builder *json, const char *name, uint32_t length)
{
    char function[256];
    snprintf(function, sizeof(function), "%.*s", (int)length, name);
    if (function[0])
        source_json_add_string(json, "function", function);
}

/* Adds the calls that the compiler has inlined, the innermost first. */
static void add_calls(struct string_builder *json, const struct spirv_source_line *line)
{
    string_builder_add(json, ",\"calls\":[");
    for (uint32_t i = 0; i < line->call_count; i++) {
        const struct spirv_source_call *call = &line->calls[i];
        string_builder_format(json, "%s{\"line\":%u", i ? "," : "", call->line);
        if (call->file[0])
            source_json_add_string(json, "file", call->file);
        source_json_add_function(json, call->function, call->function_length);
        string_builder_add(json, "}");
    }
    string_builder_add(json, "]");
}

/* Adds the instruction's line with the lines around it, as far as the module's sources have
 * them. */
static void add_lines(struct string_builder *json, const struct spirv_module *module,
                      const struct spirv_source_line *line, uint32_t around)
{
    char *texts[2 * AROUND_MOST + 1] = {0};
    uint32_t first = around, end = around + 1;
    if (!line->text || !around || around > AROUND_MOST)
        return;
    for (; first && line->line > around - first + 1; first--) {
        texts[first - 1] =
            spirv_source_copy_line(module, line->file, line->line - (around - first + 1));
        if (!texts[first - 1])
            break;
    }
    for (; end < 2 * around + 1; end++) {
        texts[end] = spirv_source_copy_line(module, line->file, line->line + (end - around));
        if (!texts[end])
            break;
    }
    string_builder_format(json, ",\"firstLine\":%u,\"lines\":[", line->line - (around - first));
    for (uint32_t i = first; i < end; i++) {
        string_builder_add(json, i > first ? ",\"" : "\"");
        string_builder_add_json(json, i == around ? line->text : texts[i]);
        string_builder_add(json, "\"");
    }
    string_builder_add(json, "]");
    for (uint32_t i = 0; i < ARRAY_LENGTH(texts); i++)
        mem_free(texts[i]);
}

void spirv_source_write_json(struct string_builder *json, const struct spirv_module *module,
                             uint32_t instruction, uint32_t around)
{
    struct spirv_source_line line;
    if (!(around ? spirv_source_find(module, instruction, &line)
                 : spirv_source_place(module, instruction, &line)))
        return;
    source_json_add_function(json, line.function, line.function_length);
    if (line.line && line.file[0])
        source_json_add_string(json, "file", line.file);
    if (line.line)
        string_builder_format(json, ",\"line\":%u", line.line);
    if (line.column)
        string_builder_format(json, ",\"column\":%u", line.column);
    if (line.text)
        source_json_add_string(json, "text", line.text);
    add_lines(json, module, &line, around);
    if (line.call_count)
        add_calls(json, &line);
    spirv_source_line_free(&line);
}
