/* Where in which shader was it? For tools: {"module": "0x12", "stage": "Fragment", "file": "a.frag", "line": 9, "text": ...} */
#include "gpu/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/pipeline.h"
#include "report/report.h"
#include "report/reporter.h"
#include "spirv/source.h"
#include "state/pipeline.h"

#include <spirv/unified1/spirv.h>

const char *gpu_stage_name(uint32_t model)
{
    static const struct {
        uint32_t model;
        const char *name;
    } stages[] = {
        {SpvExecutionModelVertex, "Vertex"},
        {SpvExecutionModelTessellationControl, "Tessellation Control"},
        {SpvExecutionModelTessellationEvaluation, "Tessellation Evaluation"},
        {SpvExecutionModelGeometry, "Geometry"},
        {SpvExecutionModelFragment, "Fragment"},
        {SpvExecutionModelGLCompute, "Compute"},
        {SpvExecutionModelTaskNV, "Task"},
        {SpvExecutionModelTaskEXT, "Task"},
        {SpvExecutionModelMeshNV, "Mesh"},
        {SpvExecutionModelMeshEXT, "Mesh"},
        {SpvExecutionModelRayGenerationKHR, "Ray Generation"},
        {SpvExecutionModelIntersectionKHR, "Intersection"},
        {SpvExecutionModelAnyHitKHR, "Any Hit"},
        {SpvExecutionModelClosestHitKHR, "Closest Hit"},
        {SpvExecutionModelMissKHR, "Miss"},
        {SpvExecutionModelCallableKHR, "Callable"},
    };
    for (uint32_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        if (stages[i].model == model)
            return stages[i].name;
    }
    return NULL;
}

/* `,"key":"text"`, without the comma where it is the first member. */
static void add_string(struct string_builder *json, const char *key, const char *text)
{
    bool first = json->length && json->text[json->length - 1] == '{';
    string_builder_format(json, "%s\"%s\":\"", first ? "" : ",", key);
    string_builder_add_json(json, text);
    string_builder_add(json, "\"");
}

static void add_function(struct string_builder *json, const char *name, uint32_t length)
{
    char function[256];
    snprintf(function, sizeof(function), "%.*s", (int)length, name);
    if (function[0])
        add_string(json, "function", function);
}

/* The calls that the compiler has inlined, the innermost first. */
static void add_calls(struct string_builder *json, const struct spirv_source_line *line)
{
    string_builder_add(json, ",\"calls\":[");
    for (uint32_t i = 0; i < line->call_count; i++) {
        const struct spirv_source_call *call = &line->calls[i];
        string_builder_format(json, "%s{\"line\":%u", i ? "," : "", call->line);
        if (call->file[0])
            add_string(json, "file", call->file);
        add_function(json, call->function, call->function_length);
        string_builder_add(json, "}");
    }
    string_builder_add(json, "]");
}

/* Consecutive lines around the one that it is about, as far as the module's sources have them. */
static void add_lines(struct string_builder *json, const struct spirv_module *module,
                      const struct spirv_source_line *line, uint32_t around)
{
    char *texts[2 * 8 + 1] = {0};
    uint32_t first = around, end = around + 1;
    if (!line->text || !around || around > 8)
        return;
    for (; first && line->line > around - first + 1; first--) {
        texts[first - 1] = spirv_source_copy_line(module, line->file, line->line - (around - first + 1));
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

static void add_source(struct string_builder *json, const struct gpu_message *message, uint32_t around)
{
    const uint32_t instruction = message->words[RECORD_INSTRUCTION];
    const struct spirv_module *module = &message->module;
    struct spirv_source_line line;
    if (!module->instruction_count ||
        !(around ? spirv_source_find(module, instruction, &line) : spirv_source_place(module, instruction, &line)))
        return;
    add_function(json, line.function, line.function_length);
    if (line.line && line.file[0])
        add_string(json, "file", line.file);
    if (line.line)
        string_builder_format(json, ",\"line\":%u", line.line);
    if (line.column)
        string_builder_format(json, ",\"column\":%u", line.column);
    if (line.text)
        add_string(json, "text", line.text);
    add_lines(json, module, &line, around);
    if (line.call_count)
        add_calls(json, &line);
    spirv_source_line_free(&line);
}

/* --- which object, and which invocation --- */

/* The next member, after a comma where it is not the first. */
static void begin_member(struct string_builder *json, const char *key)
{
    string_builder_format(json, "%s\"%s\":", json->text[json->length - 1] == '{' ? "" : ",", key);
}

static void add_object(struct string_builder *json, const char *key, const struct gpu_message *message,
                       enum handle_type type, uint64_t handle)
{
    struct reporter *reporter = message->call.instance ? message->call.instance->reporter : NULL;
    struct object *found = handle_type_is_dispatchable(type)
                               ? object_find_dispatchable((const void *)(uintptr_t)handle, type)
                               : device_find(message->call.device, handle, type);
    struct report_object told = {type, handle, found && reporter ? reporter_copy_name(reporter, found) : NULL};
    begin_member(json, key);
    message_write_json_object(json, &told);
    mem_free(told.name);
}

static void add_objects(struct string_builder *json, const struct gpu_message *message)
{
    const struct gpu_origin *origin = &message->found->origin;
    const struct object *recorded = origin->found ? object_find_id(origin->command_buffer, HANDLE_COMMAND_BUFFER) : NULL;
    const struct pipeline *pipeline = pipeline_by_id(origin->action.pipeline);
    if (recorded)
        add_object(json, "commandBuffer", message, HANDLE_COMMAND_BUFFER, object_driver(recorded));
    if (pipeline)
        add_object(json, "pipeline", message, HANDLE_PIPELINE, object_state_handle(&pipeline->base));
}

enum word_kind { WORD_NUMBER, WORD_REAL };

/* What the words of a stage tell of an invocation (RECORD_STAGE_WORDS). */
struct stage_words {
    uint32_t model;
    const char *names[3]; /* NULL: the stage has fewer */
    enum word_kind kinds[3];
};

static const struct stage_words *words_of_stage(uint32_t model)
{
    static const struct stage_words stages[] = {
        {SpvExecutionModelVertex, {"vertexIndex", "instanceIndex"}, {WORD_NUMBER}},
        {SpvExecutionModelTessellationControl, {"invocationId", "primitiveId"}, {WORD_NUMBER}},
        {SpvExecutionModelTessellationEvaluation, {"primitiveId", "u", "v"}, {WORD_NUMBER, WORD_REAL, WORD_REAL}},
        {SpvExecutionModelGeometry, {"primitiveId", "invocationId"}, {WORD_NUMBER}},
        {SpvExecutionModelFragment, {"x", "y"}, {WORD_REAL, WORD_REAL}},
    };
    static const struct stage_words others = {0, {"x", "y", "z"}, {WORD_NUMBER}};
    for (size_t i = 0; i < ARRAY_LENGTH(stages); i++) {
        if (stages[i].model == model)
            return &stages[i];
    }
    return &others;
}

static void add_invocation(struct string_builder *json, const struct gpu_message *message)
{
    const struct stage_words *stage = words_of_stage(message->words[RECORD_STAGE]);
    begin_member(json, "invocation");
    string_builder_add(json, "{");
    for (uint32_t i = 0; i < ARRAY_LENGTH(stage->names) && stage->names[i]; i++) {
        const uint32_t word = message->words[RECORD_STAGE_WORDS + i];
        float real;
        memcpy(&real, &word, sizeof(real));
        begin_member(json, stage->names[i]);
        if (stage->kinds[i] == WORD_NUMBER)
            string_builder_format(json, "%u", word);
        else if (__builtin_isfinite(real))
            string_builder_format(json, "%g", (double)real);
        else
            string_builder_add(json, "null");
    }
    string_builder_add(json, "}");
}

/* "frame 12 > shadow pass" as a list. */
static void add_labels(struct string_builder *json, const char *text)
{
    char label[sizeof(((struct gpu_origin *)NULL)->labels)];
    const char *separator = " > ", *comma = "";
    if (!*text)
        return;
    begin_member(json, "labels");
    string_builder_add(json, "[");
    for (const char *end = text; end; text = end ? end + strlen(separator) : text) {
        end = strstr(text, separator);
        (void)snprintf(label, sizeof(label), "%.*s", (int)(end ? (size_t)(end - text) : strlen(text)), text);
        string_builder_format(json, "%s\"", comma);
        string_builder_add_json(json, label);
        string_builder_add(json, "\"");
        comma = ",";
    }
    string_builder_add(json, "]");
}

void gpu_message_write_json(const struct gpu_message *message, struct string_builder *json, uint32_t around)
{
    const struct gpu_stage *stage = message->stage;
    string_builder_add(json, "{");
    if (message->found->origin.found)
        string_builder_format(json, "\"command\":%u", message->words[RECORD_COMMAND]);
    add_objects(json, message);
    if (message->words[RECORD_ERROR] != ERROR_COMMAND) { /* else the shader is the layer's */
        const char *name = gpu_stage_name(message->words[RECORD_STAGE]);
        if (stage && stage->module)
            string_builder_format(json, "%s\"module\":\"0x%" PRIx64 "\"",
                                  json->text[json->length - 1] == '{' ? "" : ",", stage->module);
        if (stage && stage->module && stage->module_name)
            add_string(json, "name", stage->module_name);
        if (name)
            add_string(json, "stage", name);
        string_builder_format(json, "%s\"instruction\":%u", json->text[json->length - 1] == '{' ? "" : ",",
                              message->words[RECORD_INSTRUCTION]);
        if (name)
            add_invocation(json, message);
        add_source(json, message, around);
    }
    add_labels(json, message->found->origin.labels);
    if (message->found->repeated) {
        begin_member(json, "repeated");
        string_builder_format(json, "%u", message->found->repeated);
    }
    string_builder_add(json, "}");
}
