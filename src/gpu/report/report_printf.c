/* Delivers what shaders print, and reports formats that are wrong. */
#include "gpu/report/report.h"

#include <stdio.h>

#include "gpu/pipeline/pipeline.h"
#include "spirv/printf/printf.h"
#include "spirv/module/source.h"

/* The program's own output, a line for each print; what ends one itself does not get another. */
static void write_to_stdout(struct string_builder *text)
{
    bool ends = text->length && text->text[text->length - 1] == '\n';
    if (!ends)
        string_builder_add(text, "\n");
    (void)fwrite(text->text, 1, text->length, stdout);
    (void)fflush(stdout);
}

void gpu_tell_printf(struct gpu_message *message)
{
    const struct settings *settings = &message->call.instance->settings;
    const uint32_t size = message->found->size;
    struct spirv_printf printf;
    if (size <= RECORD_ERROR_WORDS ||
        !spirv_printf_parse_call(&printf, &message->module, message->words[RECORD_INSTRUCTION]))
        return;
    char buffer[1024], json_buffer[512];
    struct string_builder text, json;
    string_builder_begin(&text, buffer, sizeof(buffer));
    spirv_printf_format(&printf, &message->words[RECORD_ERROR_WORDS + 1],
                        size - RECORD_ERROR_WORDS - 1, &text);
    if (settings->printf_verbose)
        gpu_message_place(message, &text);
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    gpu_message_write_json(message, &json, 0);
    const struct finding_details details = {.json_key = "shader", .json = json.text};
    (void)finding_with_details(&message->call, SEVERITY_INFO, VVL_DEBUG_PRINTF, NULL, &details,
                               text.text);
    string_builder_end(&json);
    if (settings->printf_to_stdout)
        write_to_stdout(&text);
    string_builder_end(&text);
    spirv_printf_free(&printf);
}

static void check_format(const struct call *call, const struct spirv_module *module,
                         const struct spirv_printf_call *print)
{
    char buffer[512], place[256] = "";
    struct spirv_printf printf;
    struct spirv_source_line line;
    struct string_builder text;
    if (!spirv_printf_parse(&printf, print->format, print->arguments, print->argument_count))
        return;
    string_builder_begin(&text, buffer, sizeof(buffer));
    if (spirv_printf_check(&printf, &text)) {
        if (spirv_source_find(module, print->instruction, &line) && line.line)
            snprintf(place, sizeof(place), " (%.200s%sline %u)", line.file,
                     line.file[0] ? ", " : "", line.line);
        spirv_source_line_free(&line);
        (void)finding_with_severity(call, SEVERITY_WARNING, DEBUG_PRINTF_FORMATTING, NULL, NULL,
                                    "The format \"%.256s\" of a debug printf%s does not go with "
                                    "its arguments. %s",
                                    print->format, place, text.text);
    }
    string_builder_end(&text);
    spirv_printf_free(&printf);
}

void gpu_check_formats(const struct call *call, const struct spirv_module *module)
{
    struct spirv_printf_calls calls;
    if (!spirv_printf_find(module, &calls))
        return;
    for (uint32_t i = 0; i < calls.count; i++)
        check_format(call, module, &calls.calls[i]);
    spirv_printf_calls_free(&calls);
}
