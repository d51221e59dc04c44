/* Delivers the prints of shaders, and reports wrong formats. */
#include "gpu/report/report.h"

#include <stdio.h>

#include "gpu/pipeline/pipeline.h"
#include "spirv/printf/printf.h"

/* Writes a print to standard output, on a line of its own; no line break is added to a text that
 * ends with one. */
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
    /* The record is incomplete, or the module is not the one that printed. */
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
