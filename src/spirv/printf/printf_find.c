/* Finds the calls of debug printf in a module, with their formats and arguments. */
#include "spirv/printf/printf.h"

#include <string.h>

#include <spirv/unified1/NonSemanticDebugPrintf.h>
#include <spirv/unified1/spirv.h>

/* True if the id imports NonSemantic.DebugPrintf. The name's final 0 is compared as well. */
static bool is_set(const struct spirv_module *module, uint32_t id)
{
    static const char name[] = "NonSemantic.DebugPrintf";
    const struct spirv_instruction *import = spirv_definition(module, id);
    return import && import->opcode == SpvOpExtInstImport &&
           (import->length - 2u) * sizeof(uint32_t) >= sizeof(name) &&
           memcmp(&spirv_words(module, import)[2], name, sizeof(name)) == 0;
}

bool spirv_printf_is_call(const struct spirv_module *module,
                          const struct spirv_instruction *instruction)
{
    if (instruction->opcode != SpvOpExtInst || instruction->length <= SPIRV_PRINTF_FORMAT_WORD)
        return false;
    const uint32_t *words = spirv_words(module, instruction);
    return words[4] == NonSemanticDebugPrintfDebugPrintf && is_set(module, words[3]);
}

/* Returns the text of an OpString; NULL: it is not a valid OpString. The final 0 must be in its
 * last word (2.2.1 "Instructions"). Only that word is searched, as many calls may have one long
 * string. */
static const char *string_of(const struct spirv_module *module,
                             const struct spirv_instruction *string)
{
    if (!string || string->opcode != SpvOpString || string->length < 3)
        return NULL;
    const uint32_t *words = spirv_words(module, string);
    return memchr(&words[string->length - 1], '\0', sizeof(*words)) ? (const char *)&words[2]
                                                                    : NULL;
}

/* Returns the type of a value; NULL: the value has no type. */
static const struct spirv_instruction *value_type_of(const struct spirv_module *module,
                                                     const struct spirv_instruction *value)
{
    const struct spirv_instruction_rule *rule =
        value ? spirv_instruction_rule(value->opcode) : NULL;
    if (!rule || !rule->has_type || value->length < 3)
        return NULL;
    return spirv_definition(module, spirv_words(module, value)[1]);
}

/* Reads a scalar type's kind and bits. Returns false if it cannot be printed. */
static bool read_scalar(const struct spirv_module *module, const struct spirv_instruction *type,
                        struct spirv_printf_argument *argument)
{
    const uint32_t *words = spirv_words(module, type);
    switch (type->opcode) {
    case SpvOpTypeBool:
        argument->kind = SPIRV_PRINTF_BOOL;
        argument->bits = 32;
        return true;
    case SpvOpTypeInt:
        if (type->length < 4 ||
            (words[2] != 8 && words[2] != 16 && words[2] != 32 && words[2] != 64))
            return false;
        argument->kind = words[3] ? SPIRV_PRINTF_INT : SPIRV_PRINTF_UINT;
        break;
    /* A fourth word is an encoding other than IEEE 754: such a float is not printed. */
    case SpvOpTypeFloat:
        if (type->length != 3 || (words[2] != 16 && words[2] != 32 && words[2] != 64))
            return false;
        argument->kind = SPIRV_PRINTF_FLOAT;
        break;
    default:
        return false;
    }
    argument->bits = (uint8_t)words[2];
    return true;
}

struct spirv_printf_argument spirv_printf_read_argument(const struct spirv_module *module,
                                                        uint32_t id)
{
    struct spirv_printf_argument argument = {.kind = SPIRV_PRINTF_OTHER, .components = 1, .id = id};
    const struct spirv_instruction *value = spirv_definition(module, id),
                                   *type = value_type_of(module, value);
    argument.text = string_of(module, value);
    if (argument.text)
        argument.kind = SPIRV_PRINTF_STRING;
    if (!type)
        return argument;
    const uint32_t *words = spirv_words(module, type);
    if (type->opcode == SpvOpTypePointer && type->length > 2 &&
        words[2] == SpvStorageClassPhysicalStorageBuffer) {
        argument.kind = SPIRV_PRINTF_POINTER;
        argument.bits = 64;
        return argument;
    }
    if (type->opcode == SpvOpTypeVector && type->length > 3 && words[3] >= 2 && words[3] <= 4) {
        argument.components = (uint8_t)words[3];
        type = spirv_definition(module, words[2]);
    }
    if (!type || !read_scalar(module, type, &argument))
        return (struct spirv_printf_argument){
            .kind = SPIRV_PRINTF_OTHER, .components = 1, .id = id};
    return argument;
}

/* Reads one call of printf. Returns how many of `arguments` it has filled in. */
static uint32_t read_call(const struct spirv_module *module, uint32_t index,
                          struct spirv_printf_call *call, struct spirv_printf_argument *arguments)
{
    const struct spirv_instruction *instruction = &module->instructions[index];
    const uint32_t *words = spirv_words(module, instruction);
    const char *format =
        string_of(module, spirv_definition(module, words[SPIRV_PRINTF_FORMAT_WORD]));
    *call = (struct spirv_printf_call){
        .instruction = index,
        .format_id = words[SPIRV_PRINTF_FORMAT_WORD],
        .format = format ? format : "",
        .arguments = arguments,
        .argument_count = instruction->length - (uint32_t)SPIRV_PRINTF_ARGUMENTS_WORD,
    };
    for (uint32_t i = 0; i < call->argument_count; i++) {
        arguments[i] = spirv_printf_read_argument(module, words[SPIRV_PRINTF_ARGUMENTS_WORD + i]);
        call->word_count += spirv_printf_argument_words(&arguments[i]);
    }
    return call->argument_count;
}

bool spirv_printf_find(const struct spirv_module *module, struct spirv_printf_calls *calls)
{
    uint32_t call_count = 0, argument_count = 0;
    *calls = (struct spirv_printf_calls){0};
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        if (!spirv_printf_is_call(module, &module->instructions[i]))
            continue;
        call_count++;
        argument_count += module->instructions[i].length - (uint32_t)SPIRV_PRINTF_ARGUMENTS_WORD;
    }
    if (!call_count)
        return true;
    calls->calls = mem_alloc(call_count * sizeof(*calls->calls));
    /* One more is allocated, so that without any argument the result is not NULL, which means that
     * memory is out. */
    calls->arguments = mem_alloc((argument_count + 1) * sizeof(*calls->arguments));
    if (!calls->calls || !calls->arguments) {
        spirv_printf_calls_free(calls);
        return false;
    }
    uint32_t arguments = 0;
    for (uint32_t i = 0; i < module->instruction_count; i++)
        if (spirv_printf_is_call(module, &module->instructions[i]))
            arguments +=
                read_call(module, i, &calls->calls[calls->count++], calls->arguments + arguments);
    return true;
}

bool spirv_printf_parse_call(struct spirv_printf *printf, const struct spirv_module *module,
                             uint32_t instruction)
{
    *printf = (struct spirv_printf){0};
    if (instruction >= module->instruction_count ||
        !spirv_printf_is_call(module, &module->instructions[instruction]))
        return false;
    struct spirv_printf_call call;
    struct spirv_printf_argument *arguments =
        /* The instruction has fewer arguments than words. */
        mem_alloc(module->instructions[instruction].length * sizeof(*arguments));
    if (!arguments)
        return false;
    (void)read_call(module, instruction, &call, arguments);
    bool parsed = spirv_printf_parse(printf, call.format, call.arguments, call.argument_count);
    mem_free(arguments);
    return parsed;
}

void spirv_printf_calls_free(struct spirv_printf_calls *calls)
{
    mem_free(calls->calls);
    mem_free(calls->arguments);
    *calls = (struct spirv_printf_calls){0};
}
