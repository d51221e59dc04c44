/* Words a finding about one instruction of a module, with its line of the shader's source. */
#include "core/shader/spirv_report.h"

#include <stdio.h>
#include <string.h>

#include "report/finding/details.h"
#include "spirv/module/module.h"
#include "spirv/module/source_json.h"

/* The size, in bytes, of the text that says where in the module the instruction is. */
#define PLACE_SIZE 512
/* source lines shown before and after the line of a finding, as in GPU findings */
#define SOURCE_AROUND 4

/* Writes " (blur.comp:9:4)" and the source line, if the module's debug information has them. `said`
 * is the text of SPIRV-Tools, which may already show the line. */
static void write_source(const struct spirv_module *module, uint32_t instruction, const char *said,
                         char place[PLACE_SIZE], struct string_builder *text)
{
    struct spirv_source_line line;
    if (!spirv_source_find(module, instruction, &line))
        return;
    if (line.line && line.file[0])
        snprintf(place, PLACE_SIZE, " (%s:%u:%u)", line.file, line.line, line.column);
    else if (line.line)
        snprintf(place, PLACE_SIZE, " (line %u)", line.line);
    if (line.line && line.text && !strstr(said, line.text))
        string_builder_format(text, "\n%u: %s", line.line, line.text);
    spirv_source_line_free(&line);
}

bool spirv_report_instruction(const struct call *call, enum vuid vuid, const struct location *where,
                              const struct spirv_module *module, const char *text,
                              uint32_t instruction)
{
    assert(instruction < module->instruction_count);
    char json_buffer[1024], line_buffer[256], place[PLACE_SIZE] = "";
    struct string_builder json, line;
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    string_builder_begin(&line, line_buffer, sizeof(line_buffer));
    string_builder_format(&json, "{\"instruction\":%u", instruction);
    spirv_source_write_json(&json, module, instruction, SOURCE_AROUND);
    string_builder_add(&json, "}");
    write_source(module, instruction, text, place, &line);
    const struct finding_details details = {.json_key = "shader", .json = json.text};
    bool skip =
        finding_told_with(call, vuid, where, NULL, &details,
                          "is not valid SPIR-V for this device at instruction %u, word %u%s: %s%s",
                          instruction + 1, module->instructions[instruction].offset, place, text,
                          line.text);
    string_builder_end(&json);
    string_builder_end(&line);
    return skip;
}
