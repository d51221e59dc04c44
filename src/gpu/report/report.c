/* Finds out what a shader's record is about. Each kind of error has a function that reports it. */
#include "gpu/report/report.h"

#include <stdio.h>
#include <string.h>

#include "gpu/device/areas.h"
#include "gpu/pipeline/pipeline.h"
#include "report/finding/reporter.h"
#include "spirv/instrument/instrument.h"
#include "state/pipeline/pipeline.h"

/* Finds the stage of the pipeline that the record came from. It stays NULL for shader objects, and
 * for a destroyed pipeline. */
static void find_stage(struct gpu_message *message)
{
    const struct pipeline *pipeline = pipeline_by_id(message->found->origin.action.pipeline);
    const struct gpu_pipeline *changed = pipeline ? gpu_in_pipeline(pipeline)->changed : NULL;
    for (uint32_t i = 0; changed && i < changed->stage_count; i++) {
        if (changed->stages[i].shader == message->shader)
            message->stage = &changed->stages[i];
    }
}

/* Returns the call that the finding is about: the command as it was recorded or, if that is not
 * known, the call in which the record was read. */
static struct call told_call(const struct call *call, const struct gpu_origin *origin)
{
    struct call told = *call;
    told.not_enabled = false;
    if (!origin->found)
        return told;
    told.command = origin->action.command;
    told.caller = origin->action.caller;
    told.object = object_find_id(origin->command_buffer, HANDLE_COMMAND_BUFFER);
    /* the command buffer's present recording is unrelated to the finding */
    told.command_buffer = NULL;
    return told;
}

/* Reports a record by its error. */
static void message_report(struct gpu_message *message)
{
    switch (message->words[RECORD_ERROR]) {
    case ERROR_DESCRIPTOR_INDEX:
    case ERROR_DESCRIPTOR_UNINITIALIZED:
    case ERROR_DESCRIPTOR_DESTROYED:
    case ERROR_DESCRIPTOR_CLASS:
        gpu_tell_descriptor(message);
        break;
    case ERROR_STORAGE_BUFFER_RANGE:
    case ERROR_STORAGE_BUFFER_ELEMENT:
    case ERROR_UNIFORM_BUFFER_RANGE:
    case ERROR_TEXEL_BUFFER_RANGE:
    case ERROR_ADDRESS_RANGE:
    case ERROR_ADDRESS_ALIGNMENT:
        gpu_tell_range(message);
        break;
    case ERROR_DIVISION_BY_ZERO:
    case ERROR_DIVISION_OVERFLOW:
    case ERROR_SHIFT:
    case ERROR_BIT_FIELD:
    case ERROR_MATH:
    case ERROR_GATHER:
    case ERROR_VECTOR_INDEX:
        gpu_tell_sanitizer(message);
        break;
    case ERROR_MESH_OUTPUT:
    case ERROR_MESH_AGAIN:
    case ERROR_MESH_INDEX:
    case ERROR_TASK_GROUPS:
        gpu_tell_mesh(message);
        break;
    case ERROR_TRACE_RAY:
    case ERROR_HIT_T:
    case ERROR_HIT_KIND:
    case ERROR_RAY_QUERY:
        gpu_tell_trace(message);
        break;
    case ERROR_VERTEX_FETCH:
        gpu_tell_vertex(message);
        break;
    case ERROR_COMMAND:
        gpu_tell_command(message);
        break;
    case ERROR_SHARED_RACE:
        gpu_tell_shared(message);
        break;
    case ERROR_NAN:
        gpu_tell_nan(message);
        break;
    case ERROR_ABORT:
        gpu_tell_abort(message);
        break;
    case ERROR_PRINTF:
        gpu_tell_printf(message);
        break;
    default:
        gpu_message_tell(message, SEVERITY_ERROR, UNASSIGNED_GPU_Assisted_Validation,
                         "Error %u was found by a shader.", message->words[RECORD_ERROR]);
        break;
    }
}

/* Joins the constant data of the shader's site with the words of the record, which only the shader
 * knew. */
static void found_put_together(const struct gpu_shader *shader, const struct gpu_found *found,
                               uint32_t words[RECORD_CHECK_LENGTH])
{
    memcpy(words, found->words, RECORD_CHECK_LENGTH * sizeof(*words));
    const uint32_t number = shader ? (words[RECORD_INSTRUCTION] - shader->id) * SITE_INVERSE : 0;
    if (!shader || words[RECORD_ERROR] != ERROR_OF_SITE || number >= shader->site_count)
        return;
    const struct spirv_site *site = &shader->sites[number];
    const uint32_t *told = &found->words[RECORD_ERROR_WORDS];
    words[RECORD_INSTRUCTION] = site->where;
    words[RECORD_STAGE] = shader->model;
    words[RECORD_ERROR] = site->error_from ? told[site->error_from - 1] : site->error;
    for (uint32_t i = 0; i < 6; i++)
        words[RECORD_ERROR_WORDS + i] = site->from[i] ? told[site->from[i] - 1] : site->words[i];
}

/* True if the message is muted. Prints and abort messages are the program's own output, and never
 * muted here. */
static bool message_is_muted(const struct gpu_message *message)
{
    const uint32_t error = message->words[RECORD_ERROR];
    return message->found->origin.muted && error != ERROR_PRINTF && error != ERROR_ABORT;
}

void gpu_report(struct call *call, const struct gpu_found *found, struct gpu_parsed *parsed)
{
    uint32_t words[RECORD_CHECK_LENGTH];
    struct gpu_message message = {
        .call = told_call(call, &found->origin), .found = found, .words = found->words};
    struct spirv_error error;
    /* Only the record of a print may be shorter. A program that writes into the ring can leave any
     * words there. */
    if (found->words[RECORD_ERROR] != ERROR_PRINTF && found->size < RECORD_CHECK_LENGTH)
        return;
    message.shader = gpu_shader_find(call->device, found->words[RECORD_SHADER]);
    if (message.shader)
        find_stage(&message);
    if (found->words[RECORD_ERROR] == ERROR_OF_SITE) {
        found_put_together(message.shader, found, words);
        message.words = words;
    }
    /* Records of one shader come in runs, so one parsed module is kept. */
    if (parsed->shader != message.shader) {
        spirv_module_free(&parsed->module);
        parsed->shader = message.shader;
        if (!message.shader || !spirv_module_parse(&parsed->module, message.shader->words,
                                                   message.shader->word_count, &error))
            parsed->module = (struct spirv_module){0};
    }
    message.module = parsed->module;
    if (message_is_muted(&message))
        reporter_count_muted_by_label(call->instance->reporter);
    else if (!gpu_message_is_known(&message))
        message_report(&message);
}
