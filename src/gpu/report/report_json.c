/* Writes the place of an error in its shader, for tools: {"module": "0x12", "stage": "Fragment",
 * "file": "a.frag", "line": 9, "text": ...} */
#include "gpu/report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/pipeline/pipeline.h"
#include "report/report.h"
#include "report/finding/reporter.h"
#include "spirv/module/source_json.h"
#include "state/pipeline/pipeline.h"

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
    /* The execution model is that of an unknown extension. */
    return NULL;
}

/* Writes `,"key":"text"`, without the comma for the first member. */
static void report_json_add_string(struct string_builder *json, const char *key, const char *text)
{
    bool first = json->length && json->text[json->length - 1] == '{';
    string_builder_format(json, "%s\"%s\":\"", first ? "" : ",", key);
    string_builder_add_json(json, text);
    string_builder_add(json, "\"");
}

/* Adds the member for the line of source, with `around` lines before and after it. Without the
 * module it adds nothing. */
static void add_source(struct string_builder *json, const struct gpu_message *message,
                       uint32_t around)
{
    if (message->module.instruction_count)
        spirv_source_write_json(json, &message->module, message->words[RECORD_INSTRUCTION], around);
}

/* --- objects and invocation --- */

/* Writes the next member's key, after a comma unless it is the first of its object. */
static void begin_member(struct string_builder *json, const char *key)
{
    string_builder_format(json, "%s\"%s\":", json->text[json->length - 1] == '{' ? "" : ",", key);
}

/* Adds an object with type, handle and name. It may be destroyed by now, and then has no name. */
static void report_json_add_object(struct string_builder *json, const char *key,
                                   const struct gpu_message *message, enum handle_type type,
                                   uint64_t handle)
{
    struct reporter *reporter = message->call.instance ? message->call.instance->reporter : NULL;
    struct object *found = handle_type_is_dispatchable(type)
                               ? object_find_dispatchable((const void *)(uintptr_t)handle, type)
                               : device_find(message->call.device, handle, type);
    struct report_object told = {type, handle,
                                 found && reporter ? reporter_copy_name(reporter, found) : NULL};
    begin_member(json, key);
    message_write_json_object(json, &told);
    mem_free(told.name);
}

/* Adds command buffer and pipeline, if they are known and exist. */
static void add_objects(struct string_builder *json, const struct gpu_message *message)
{
    const struct gpu_origin *origin = &message->found->origin;
    const struct object *recorded =
        origin->found ? object_find_id(origin->command_buffer, HANDLE_COMMAND_BUFFER) : NULL;
    const struct pipeline *pipeline = pipeline_by_id(origin->action.pipeline);
    if (recorded)
        report_json_add_object(json, "commandBuffer", message, HANDLE_COMMAND_BUFFER,
                               object_driver(recorded));
    if (pipeline)
        report_json_add_object(json, "pipeline", message, HANDLE_PIPELINE,
                               object_state_handle(&pipeline->base));
}

enum word_kind { WORD_NUMBER, WORD_REAL };

/* The words of a record that identify an invocation of a stage (RECORD_STAGE_WORDS). */
struct stage_words {
    uint32_t model;          /* the execution model */
    const char *names[3];    /* NULL: the stage has fewer */
    enum word_kind kinds[3]; /* of the words with the names */
};

/* Returns the names and kinds of the words that identify an invocation of a stage. Stages that run
 * as workgroups have x, y, z. */
static const struct stage_words *words_of_stage(uint32_t model)
{
    static const struct stage_words stages[] = {
        {SpvExecutionModelVertex, {"vertexIndex", "instanceIndex"}, {WORD_NUMBER}},
        {SpvExecutionModelTessellationControl, {"invocationId", "primitiveId"}, {WORD_NUMBER}},
        {SpvExecutionModelTessellationEvaluation,
         {"primitiveId", "u", "v"},
         {WORD_NUMBER, WORD_REAL, WORD_REAL}},
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

/* Adds the member "invocation". */
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

/* Adds the labels of "frame 12 > shadow pass" as a list; no member if no label was open. */
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
        (void)snprintf(label, sizeof(label), "%.*s",
                       (int)(end ? (size_t)(end - text) : strlen(text)), text);
        string_builder_format(json, "%s\"", comma);
        string_builder_add_json(json, label);
        string_builder_add(json, "\"");
        comma = ",";
    }
    string_builder_add(json, "]");
}

/* Adds the commands that execute a secondary (gpu_origin::executors), if there are any. */
static void add_executors(struct string_builder *json, const struct gpu_message *message)
{
    const struct gpu_origin *origin = &message->found->origin;
    if (!origin->executor_count)
        return;
    begin_member(json, "executions");
    string_builder_format(json, "%u", origin->execution_count);
    begin_member(json, "executedBy");
    string_builder_add(json, "[");
    for (uint32_t i = 0; i < origin->executor_count; i++) {
        const struct gpu_executor *executor = &origin->executors[i];
        const struct object *primary =
            executor->command_buffer
                ? object_find_id(executor->command_buffer, HANDLE_COMMAND_BUFFER)
                : NULL;
        struct caller_path *path = caller_path_of_kept(&message->call, executor->caller);
        string_builder_format(json, "%s{\"command\":%u", i ? "," : "", executor->number);
        if (primary)
            report_json_add_object(json, "commandBuffer", message, HANDLE_COMMAND_BUFFER,
                                   object_driver(primary));
        add_labels(json, executor->labels);
        if (path) {
            string_builder_add(json, ",");
            message_write_json_path(json, path);
        }
        mem_free(path);
        string_builder_add(json, "}");
    }
    string_builder_add(json, "]");
}

void gpu_message_write_json(const struct gpu_message *message, struct string_builder *json,
                            uint32_t around)
{
    const struct gpu_stage *stage = message->stage;
    string_builder_add(json, "{");
    if (message->found->origin.found)
        string_builder_format(json, "\"command\":%u", message->words[RECORD_COMMAND]);
    add_objects(json, message);
    /* with ERROR_COMMAND the shader is one of the layer's */
    if (message->words[RECORD_ERROR] != ERROR_COMMAND) {
        const char *name = gpu_stage_name(message->words[RECORD_STAGE]);
        if (stage && stage->module)
            string_builder_format(json, "%s\"module\":\"0x%" PRIx64 "\"",
                                  json->text[json->length - 1] == '{' ? "" : ",", stage->module);
        if (stage && stage->module && stage->module_name)
            report_json_add_string(json, "name", stage->module_name);
        if (name)
            report_json_add_string(json, "stage", name);
        string_builder_format(json, "%s\"instruction\":%u",
                              json->text[json->length - 1] == '{' ? "" : ",",
                              message->words[RECORD_INSTRUCTION]);
        if (name)
            add_invocation(json, message);
        add_source(json, message, around);
    }
    add_labels(json, message->found->origin.labels);
    add_executors(json, message);
    if (message->found->repeated) {
        begin_member(json, "repeated");
        string_builder_format(json, "%u", message->found->repeated);
    }
    string_builder_add(json, "}");
}
