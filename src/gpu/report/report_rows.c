/* Writes a finding of a shader for people: the error in a sentence, and the rest in rows.
 *
 *     Access of 4 bytes at byte 768 of a storage buffer that has 768 bytes bound
 *       shader  particles.comp:9 compute invocation (192, 0, 0)
 *               9: data[i] = sum;
 *       writes  bytes 768 to 771 of set 0, binding 0 "data", element 0
 *       descriptor VkBuffer 0x1 "particles", in VkDescriptorSet 0x2
 *       command vkCmdDispatch, command 3 of VkCommandBuffer 0x3 "frame" */
#include "gpu/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/pipeline/pipeline.h"
#include "report/names/plural.h"
#include "spirv/module/source.h"

#include <spirv/unified1/spirv.h>

/* --- the sentence --- */

/* Removes ` (set 0, binding 1 "data", descriptor index 3)` from the sentence, as it has a row. */
static void cut_descriptor(char *sentence, const struct gpu_message *message)
{
    char variable[GPU_NAME_SIZE], wanted[GPU_NAME_SIZE + 32];
    gpu_message_variable(message, gpu_message_set(message), gpu_message_word(message, 1), variable);
    for (uint32_t i = 0; i < 2; i++) {
        if (i)
            (void)snprintf(wanted, sizeof(wanted), " (%s)", variable);
        else
            (void)snprintf(wanted, sizeof(wanted), " (%s, descriptor index %u)", variable,
                           gpu_message_word(message, 2));
        char *found = strstr(sentence, wanted);
        if (found)
            memmove(found, found + strlen(wanted), strlen(found + strlen(wanted)) + 1);
    }
}

/* Writes the sentence without the parts that have a row, and without its full stop. */
static void rows_write_sentence(struct string_builder *to, const struct gpu_message *message,
                                const char *sentence)
{
    string_builder_add(to, sentence);
    if (gpu_message_has_descriptor(message))
        cut_descriptor(to->text, message);
    plural_mend(to->text);
    to->length = strlen(to->text);
    if (to->length && to->text[to->length - 1] == '.')
        to->text[--to->length] = '\0';
}

/* --- the rows --- */

/* Returns the word's bits as a float. */
static float rows_real(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

/* Writes the invocation: "vertex 3, instance 0", "pixel (10.5, 3.5)", "compute invocation (192, 0,
 * 0)". */
static void write_invocation(const struct gpu_message *message, struct string_builder *to)
{
    const uint32_t model = message->words[RECORD_STAGE];
    const uint32_t *w = &message->words[RECORD_STAGE_WORDS];
    const char *name = gpu_stage_name(model);
    switch (model) {
    case SpvExecutionModelVertex:
        string_builder_format(to, " vertex %u, instance %u", w[0], w[1]);
        break;
    case SpvExecutionModelTessellationControl:
        string_builder_format(to, " tessellation control invocation %u, primitive %u", w[0], w[1]);
        break;
    case SpvExecutionModelTessellationEvaluation:
        string_builder_format(to, " tessellation evaluation, primitive %u, (u, v) = (%g, %g)", w[0],
                              (double)rows_real(w[1]), (double)rows_real(w[2]));
        break;
    case SpvExecutionModelGeometry:
        string_builder_format(to, " geometry primitive %u, invocation %u", w[0], w[1]);
        break;
    case SpvExecutionModelFragment:
        string_builder_format(to, " pixel (%.1f, %.1f)", (double)rows_real(w[0]),
                              (double)rows_real(w[1]));
        break;
    default:
        if (!name)
            break;
        string_builder_add(to, " ");
        for (; *name; name++)
            string_builder_format(to, "%c", tolower((unsigned char)*name));
        string_builder_format(to, " %s (%u, %u, %u)",
                              model >= SpvExecutionModelRayGenerationKHR &&
                                      model <= SpvExecutionModelCallableKHR
                                  ? "launch"
                                  : "invocation",
                              w[0], w[1], w[2]);
    }
}

/* Writes the module after the shader's place, if its handle is known. */
static void write_module(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_stage *stage = message->stage;
    if (!stage || !stage->module)
        return;
    string_builder_format(to, " of VkShaderModule 0x%" PRIx64, stage->module);
    if (stage->module_name)
        string_builder_format(to, " \"%s\"", stage->module_name);
}

/* Writes "particles.comp:9 compute invocation (192, 0, 0)", and the source line. */
static void rows_write_shader(const struct gpu_message *message, struct string_builder *to)
{
    struct spirv_source_line line = {.file = ""};
    const uint32_t instruction = message->words[RECORD_INSTRUCTION];
    if (!message->module.instruction_count ||
        !spirv_source_find(&message->module, instruction, &line))
        line = (struct spirv_source_line){.file = ""};
    if (line.line && line.file[0])
        string_builder_format(to, "%s:%u", line.file, line.line);
    else
        string_builder_format(to, line.line ? "line %u" : "instruction %u",
                              line.line ? line.line : instruction);
    if (!line.line || !line.file[0])
        write_module(message, to);
    write_invocation(message, to);
    const char *text = line.line && line.text ? line.text : "";
    text += strspn(text, " \t");
    if (*text)
        string_builder_format(to, "\n%u: %s", line.line, text);
    spirv_source_line_free(&line);
}

/* Returns the key of the row: a verb for the instruction's access. */
static const char *access_key(const struct gpu_message *message)
{
    const uint32_t at = message->words[RECORD_INSTRUCTION];
    const uint32_t opcode =
        at < message->module.instruction_count ? message->module.instructions[at].opcode : SpvOpNop;
    switch (opcode) {
    case SpvOpStore:
    case SpvOpImageWrite:
    case SpvOpAtomicStore:
        return "writes";
    case SpvOpLoad:
    case SpvOpImageRead:
    case SpvOpImageFetch:
    case SpvOpAtomicLoad:
        return "reads";
    default:
        if (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageDrefGather)
            return "reads";
        if (opcode >= SpvOpAtomicExchange && opcode <= SpvOpAtomicXor)
            return "changes";
        return "uses";
    }
}

/* Writes the row with the accessed memory. */
static void write_access(const struct gpu_message *message, struct string_builder *to)
{
    char variable[GPU_NAME_SIZE];
    const uint32_t error = message->words[RECORD_ERROR], third = gpu_message_word(message, 3),
                   fourth = gpu_message_word(message, 4);
    if (error == ERROR_ADDRESS_RANGE)
        string_builder_format(to, "%u byte%s at address 0x%" PRIx64, gpu_message_word(message, 2),
                              gpu_message_word(message, 2) == 1 ? "" : "s",
                              (uint64_t)gpu_message_word(message, 1) << 32 |
                                  gpu_message_word(message, 0));
    if (error == ERROR_ADDRESS_ALIGNMENT)
        string_builder_format(to, "address 0x%" PRIx64,
                              (uint64_t)gpu_message_word(message, 1) << 32 |
                                  gpu_message_word(message, 0));
    if (!gpu_message_has_descriptor(message))
        return;
    gpu_message_variable(message, gpu_message_set(message), gpu_message_word(message, 1), variable);
    if (error == ERROR_STORAGE_BUFFER_RANGE || error == ERROR_UNIFORM_BUFFER_RANGE)
        string_builder_format(to, "%u byte%s at byte %u of ", fourth, fourth == 1 ? "" : "s",
                              third);
    if (error == ERROR_STORAGE_BUFFER_ELEMENT)
        string_builder_format(to, "%u byte%s at byte %" PRIu64 " of ", gpu_message_word(message, 5),
                              gpu_message_word(message, 5) == 1 ? "" : "s",
                              gpu_message_word(message, 0) / 32 +
                                  (uint64_t)third * gpu_message_word(message, 5));
    if (error == ERROR_TEXEL_BUFFER_RANGE)
        string_builder_format(to, "texel %u of ", third);
    string_builder_format(to, "%s, element %u", variable, gpu_message_word(message, 2));
}

/* Writes "vkCmdDispatch, command 3 of VkCommandBuffer 0x1 "frame"". */
static void rows_write_command(const struct gpu_message *message, struct string_builder *to)
{
    const struct gpu_origin *origin = &message->found->origin;
    if (!origin->found)
        return;
    string_builder_format(to, "%s, command %u", command_name[origin->action.command],
                          message->words[RECORD_COMMAND]);
    gpu_write_command_buffer(to, message, "VkCommandBuffer", origin->command_buffer);
}

bool gpu_rows_begin(struct gpu_rows *rows, const struct gpu_message *message, const char *sentence)
{
    /* A shader of the layer's own checks a command's parameters. */
    const bool is_command = message->words[RECORD_ERROR] == ERROR_COMMAND;
    const struct {
        const char *key;
        void (*write)(const struct gpu_message *, struct string_builder *);
    } kinds[GPU_ROWS] = {
        {"shader", is_command ? NULL : rows_write_shader},
        {access_key(message), is_command ? NULL : write_access},
        {"descriptor", gpu_message_has_descriptor(message) ? gpu_message_descriptor : NULL},
        {"address", gpu_message_address},
        {"memory", gpu_message_parameters},
        {"command", rows_write_command},
    };
    size_t at[GPU_ROWS];
    rows->count = 0;
    string_builder_begin(&rows->sentence, rows->sentence_buffer, sizeof(rows->sentence_buffer));
    string_builder_begin(&rows->text, rows->buffer, sizeof(rows->buffer));
    rows_write_sentence(&rows->sentence, message, sentence);
    for (uint32_t i = 0; i < GPU_ROWS; i++) {
        const size_t from = rows->text.length;
        if (kinds[i].write)
            kinds[i].write(message, &rows->text);
        if (rows->text.length == from)
            continue;
        /* Rows are in one memory, each with a terminating zero. They get their addresses below, as
         * the builder may move while it grows. */
        string_builder_add_bytes(&rows->text, "", 1);
        at[rows->count] = from;
        rows->rows[rows->count++].key = kinds[i].key;
    }
    for (uint32_t i = 0; i < rows->count; i++)
        rows->rows[i].text = rows->text.text + at[i];
    /* A cut row would be wrong: the caller then delivers the text in one piece. */
    return !rows->sentence.truncated && !rows->text.truncated;
}

void gpu_rows_end(struct gpu_rows *rows)
{
    string_builder_end(&rows->sentence);
    string_builder_end(&rows->text);
}
