/* Finds where each instruction of a module begins, and which one defines an id. */
#include "spirv/module/module.h"

#include <string.h>

#include <spirv/unified1/spirv.h>

/* Fills in why the module is refused, and at which word. Always returns false. */
static bool parse_fail(struct spirv_error *error, const char *text, uint32_t word)
{
    *error = (struct spirv_error){.text = text, .word = word};
    return false;
}

/* Fails because memory is out, which is not the module's fault. Always returns false. */
static bool fail_memory(struct spirv_error *error)
{
    *error = (struct spirv_error){.text = "cannot be read: memory is out", .no_memory = true};
    return false;
}

/* Returns the word in the other byte order. */
static uint32_t swap_bytes(uint32_t word)
{
    return __builtin_bswap32(word);
}

/* Reads the header. A module in the other byte order is valid (2.3 "the endianness of the words is
 * that of the magic number"), and is swapped into a copy. Returns false if the words are not a
 * module. */
static bool read_header(struct spirv_module *module, const uint32_t *words, size_t word_count,
                        struct spirv_error *error)
{
    if (!words || word_count < SPIRV_HEADER_WORDS)
        return parse_fail(error, "is shorter than the header of a module, five words", 0);
    if (word_count > UINT32_MAX / 2)
        return parse_fail(error, "is longer than a module can be", 0);
    if (words[0] != SpvMagicNumber && words[0] != swap_bytes(SpvMagicNumber))
        return parse_fail(error, "does not begin with SPIR-V's magic number", 0);
    module->words = words;
    module->word_count = (uint32_t)word_count;
    if (words[0] != SpvMagicNumber) {
        module->swapped = mem_alloc(word_count * sizeof(*words));
        if (!module->swapped)
            return fail_memory(error);
        for (size_t i = 0; i < word_count; i++)
            module->swapped[i] = swap_bytes(words[i]);
        module->words = module->swapped;
    }
    module->version = module->words[1];
    module->generator = module->words[2];
    module->bound = module->words[3];
    if (module->bound == 0 || module->bound > SPIRV_BOUND_LIMIT)
        return parse_fail(error, "has an id bound of 0, or above the limit of 4,194,303", 3);
    return true;
}

/* Counts the instructions, so that their array is allocated once. Returns 0 if the module is
 * malformed. */
static uint32_t count_instructions(const struct spirv_module *module, struct spirv_error *error)
{
    uint32_t count = 0;
    for (uint32_t at = SPIRV_HEADER_WORDS; at < module->word_count;) {
        uint32_t length = module->words[at] >> SpvWordCountShift;
        if (length == 0 || length > module->word_count - at) {
            (void)parse_fail(error,
                             length ? "has an instruction that is longer than the module"
                                    : "has an instruction of length 0",
                             at);
            return 0;
        }
        at += length;
        count++;
    }
    if (!count)
        (void)parse_fail(error, "has no instructions", SPIRV_HEADER_WORDS);
    return count;
}

/* Returns which word of an instruction is its result's id; 0: the instruction has no result, or is
 * too short for it. */
static uint32_t result_word(const struct spirv_instruction_rule *rule, uint32_t length)
{
    uint32_t word = !rule || !rule->has_result ? 0 : rule->has_type ? 2 : 1;
    return word < length ? word : 0;
}

/* Finds all instructions and definitions. Returns false if an id is out of bounds, or defined
 * twice. */
static bool read_instructions(struct spirv_module *module, struct spirv_error *error)
{
    assert(module->instructions && module->definitions);
    uint32_t at = SPIRV_HEADER_WORDS;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = &module->words[at];
        *instruction =
            (struct spirv_instruction){.offset = at,
                                       .opcode = (uint16_t)(words[0] & SpvOpCodeMask),
                                       .length = (uint16_t)(words[0] >> SpvWordCountShift)};
        uint32_t result =
            result_word(spirv_instruction_rule(instruction->opcode), instruction->length);
        if (result) {
            uint32_t id = words[result];
            if (id == 0 || id >= module->bound)
                return parse_fail(error, "defines an id that is 0 or not below the bound",
                                  at + result);
            if (module->definitions[id] != SPIRV_NONE &&
                words[0] != (2u << SpvWordCountShift | SpvOpTypeForwardPointer))
                return parse_fail(error, "defines an id twice", at + result);
            module->definitions[id] = i;
        }
        at += instruction->length;
    }
    return true;
}

bool spirv_module_parse(struct spirv_module *module, const uint32_t *words, size_t word_count,
                        struct spirv_error *error)
{
    *module = (struct spirv_module){0};
    *error = (struct spirv_error){0};
    if (!read_header(module, words, word_count, error) ||
        !(module->instruction_count = count_instructions(module, error)))
        goto fail_module;
    module->instructions = mem_alloc(module->instruction_count * sizeof(*module->instructions));
    module->definitions = mem_alloc(module->bound * sizeof(*module->definitions));
    if (!module->instructions || !module->definitions) {
        (void)fail_memory(error);
        goto fail_module;
    }
    /* Each element is SPIRV_NONE. */
    memset(module->definitions, 0xff, module->bound * sizeof(*module->definitions));
    if (!read_instructions(module, error))
        goto fail_module;
    return true;

fail_module:
    spirv_module_free(module);
    return false;
}

void spirv_module_free(struct spirv_module *module)
{
    mem_free(module->instructions);
    mem_free(module->definitions);
    mem_free(module->swapped);
    *module = (struct spirv_module){0};
}

const char *spirv_string(const uint32_t *words, uint32_t available, uint32_t *taken)
{
    assert(taken);
    const char *text = (const char *)words;
    const char *end = memchr(text, '\0', (size_t)available * sizeof(*words));
    if (!end)
        return NULL;
    *taken = (uint32_t)((size_t)(end - text) / sizeof(*words)) + 1;
    return text;
}
