/* Writes the parts that all findings of records have: command, pipeline, shader, invocation and
 * line of source. */
#include "gpu/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/pipeline/pipeline.h"
#include "report/finding/reporter.h"
#include "report/names/text_hash.h"
#include "spirv/instrument/instrument.h"
#include "spirv/module/source.h"
#include "state/pipeline/pipeline.h"

#include <spirv/unified1/spirv.h>

/* Lines of a shader's source that are shown before and after the line of a finding; a screen has
 * room for them. */
#define GPU_LINES_AROUND 4

/* Writes "(name)(0x45)", in the form of the Khronos layer; without a name only the handle. */
static void message_write_object(struct string_builder *to, const struct call *call,
                                 enum handle_type type, uint64_t handle)
{
    struct reporter *reporter = call->instance ? call->instance->reporter : NULL;
    struct object *object = handle_type_is_dispatchable(type)
                                ? object_find_dispatchable((const void *)(uintptr_t)handle, type)
                                : device_find(call->device, handle, type);
    char *name = object && reporter ? reporter_copy_name(reporter, object) : NULL;
    if (name)
        string_builder_format(to, "(%s)", name);
    string_builder_format(to, "(0x%" PRIx64 ")", handle);
    mem_free(name);
}

/* Returns the word's bits as a float. */
static float message_real(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Writes the invocation, from the words that the stage has. */
static void write_stage(struct string_builder *to, uint32_t model, const uint32_t w[3])
{
    switch (model) {
    case SpvExecutionModelVertex:
        string_builder_format(to, " Stage = Vertex. Vertex index = %u. Instance index = %u.", w[0],
                              w[1]);
        break;
    case SpvExecutionModelTessellationControl:
        string_builder_format(to,
                              " Stage = Tessellation Control. Invocation ID = %u. Primitive "
                              "ID = %u.",
                              w[0], w[1]);
        break;
    case SpvExecutionModelTessellationEvaluation:
        string_builder_format(to,
                              " Stage = Tessellation Evaluation. Primitive ID = %u. TessCoord "
                              "(u,v) = (%g, %g).",
                              w[0], (double)message_real(w[1]), (double)message_real(w[2]));
        break;
    case SpvExecutionModelGeometry:
        string_builder_format(to, " Stage = Geometry. Primitive ID = %u. Invocation ID = %u.", w[0],
                              w[1]);
        break;
    case SpvExecutionModelFragment:
        string_builder_format(to, " Stage = Fragment. Fragment coord (x,y) = (%.1f, %.1f).",
                              (double)message_real(w[0]), (double)message_real(w[1]));
        break;
    default: {
        bool launched =
            model >= SpvExecutionModelRayGenerationKHR && model <= SpvExecutionModelCallableKHR;
        const char *name = gpu_stage_name(model);
        if (name)
            string_builder_format(to, " Stage = %s. %s ID (x,y,z) = (%u, %u, %u).", name,
                                  launched ? "Launch" : "Global invocation", w[0], w[1], w[2]);
    }
    }
}

/* Writes the line of source, if the shader has debug information. */
static void write_source(const struct gpu_message *message, struct string_builder *to)
{
    struct spirv_source_line line;
    if (!message->module.instruction_count ||
        !spirv_source_find(&message->module, message->words[RECORD_INSTRUCTION], &line))
        return;
    const char *what = message->words[RECORD_ERROR] == ERROR_PRINTF ? "Printed"
                       : message->words[RECORD_ERROR] == ERROR_ABORT
                           ? "Aborted"
                           : "Shader validation error occurred";
    if (line.line && line.file[0])
        string_builder_format(to, " %s in file: %s at line %u.", what, line.file, line.line);
    else if (line.line)
        string_builder_format(to, " %s at line %u.", what, line.line);
    if (line.line && line.text)
        string_builder_format(to, "\n%u: %s", line.line, line.text);
    spirv_source_line_free(&line);
}

/* Returns the program's handle of the pipeline that ran; 0: a shader object ran, or the pipeline
 * was destroyed. */
static uint64_t pipeline_handle(const struct gpu_message *message)
{
    const struct pipeline *pipeline = pipeline_by_id(message->found->origin.action.pipeline);
    return pipeline ? object_state_handle(&pipeline->base) : 0;
}

/* Writes the shader module, which the program may have destroyed: its handle and name were kept. */
static void message_write_shader(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_stage *stage = message->stage;
    if (!stage || !stage->module)
        return;
    string_builder_add(to, " Shader Module ");
    if (stage->module_name)
        string_builder_format(to, "(%s)", stage->module_name);
    string_builder_format(to, "(0x%" PRIx64 ").", stage->module);
}

void gpu_message_place(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_origin *origin = &message->found->origin;
    const uint64_t pipeline = pipeline_handle(message);
    if (origin->found) {
        const struct object *object = object_find_id(origin->command_buffer, HANDLE_COMMAND_BUFFER);
        string_builder_add(to, " Command buffer ");
        if (object)
            message_write_object(to, &message->call, HANDLE_COMMAND_BUFFER, object_driver(object));
        string_builder_format(to, ", command %u: %s.", message->words[RECORD_COMMAND],
                              command_name[origin->action.command]);
        gpu_message_executed(message, to);
    }
    if (pipeline) {
        string_builder_add(to, " Pipeline ");
        message_write_object(to, &message->call, HANDLE_PIPELINE, pipeline);
        string_builder_add(to, ".");
    }
    message_write_shader(message, to);
    if (message->words[RECORD_ERROR] == ERROR_COMMAND) /* the shader is one of the layer's */
        return;
    string_builder_format(to, " Shader Instruction Index = %u.",
                          message->words[RECORD_INSTRUCTION]);
    write_stage(to, message->words[RECORD_STAGE], &message->words[RECORD_STAGE_WORDS]);
    write_source(message, to);
}

/* Adds labels, primary and repetitions as sections that messengers do not get. The texts must live
 * as long as `details`. */
static void add_sections(const struct gpu_message *message, struct finding_details *details,
                         struct string_builder *primary, char *repeated, size_t size)
{
    struct finding_section *sections = details->sections;
    uint32_t count = details->section_count;
    if (message->found->origin.labels[0])
        sections[count++] = (struct finding_section){"labels", message->found->origin.labels};
    if (gpu_message_primary(message, primary))
        sections[count++] = (struct finding_section){"primary", primary->text};
    if (message->found->repeated) {
        snprintf(repeated, size, "%u more invocation%s of this command %s the same",
                 message->found->repeated, message->found->repeated == 1 ? "" : "s",
                 message->found->repeated == 1 ? "does" : "do");
        sections[count++] = (struct finding_section){"again", repeated};
    }
    details->section_count = count;
}

/* Adds the sentence and rows, which are shown to people instead of the text. */
static void add_rows(struct finding_details *details, const struct gpu_rows *rows)
{
    details->sentence = rows->sentence.text;
    details->row_count = details->section_count = rows->count;
    memcpy(details->sections, rows->rows, rows->count * sizeof(rows->rows[0]));
}

void gpu_message_tell(struct gpu_message *message, enum severity severity, enum vuid vuid,
                      const char *format, ...)
{
    char buffer[1024], repeated[128], json_buffer[1024], primary_buffer[512];
    struct string_builder text, json, primary;
    struct gpu_rows rows;
    va_list args;
    va_start(args, format);
    string_builder_begin(&text, buffer, sizeof(buffer));
    string_builder_vformat(&text, format, args);
    va_end(args);
    struct finding_details details = {
        .json_key = "shader",
        .mistake = text_hash_word((uint64_t)(uintptr_t)message->shader,
                                  message->words[RECORD_INSTRUCTION]),
    };
    if (gpu_rows_begin(&rows, message, text.text))
        add_rows(&details, &rows);
    gpu_message_names(message, &text);
    gpu_message_place(message, &text);
    string_builder_begin(&primary, primary_buffer, sizeof(primary_buffer));
    add_sections(message, &details, &primary, repeated, sizeof(repeated));
    /* VUID_COUNT: the command has no statement of this number. */
    vuid = vuid == VUID_COUNT ? UNASSIGNED_GPU_Assisted_Validation : vuid;
    string_builder_begin(&json, json_buffer, sizeof(json_buffer));
    gpu_message_write_json(message, &json,
                           /* Lines of source are read only for findings that are delivered. */
                           finding_is_heard(&message->call, severity, vuid) ? GPU_LINES_AROUND : 0);
    details.json = json.text;
    (void)finding_with_details(&message->call, severity, vuid,
                               OBJECT2(HANDLE_PIPELINE, pipeline_handle(message),
                                       HANDLE_SHADER_MODULE,
                                       message->stage ? message->stage->module : 0),
                               &details, text.text);
    gpu_rows_end(&rows);
    string_builder_end(&primary);
    string_builder_end(&json);
    string_builder_end(&text);
}
