/* Finds the values that are the number of the invocation (enum spirv_number). They are loaded from
 * a built-in, or from a local variable to which such a value is stored. */
#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

/* Values of spirv_build::numbers beside enum spirv_number. A variable has the number of the value
 * that a load gives. */
#define NUMBER_XYZ   0x10u /* all of GlobalInvocationId */
#define NUMBER_XY    0x11u
#define NUMBER_NEVER 0x20u /* a variable to which another value is stored */

/* Returns the number that the id has; SPIRV_NUMBER_UNKNOWN: none, or it is not known. */
static uint8_t number_of(const struct spirv_build *build, uint32_t id)
{
    return id < build->module->bound ? build->numbers[id] : SPIRV_NUMBER_UNKNOWN;
}

uint8_t spirv_invocation_number(const struct spirv_build *build, uint32_t id)
{
    const uint8_t number = number_of(build, id);
    return number < NUMBER_XYZ ? number : SPIRV_NUMBER_UNKNOWN;
}

bool spirv_is_invocation_place(const struct spirv_build *build, uint32_t id)
{
    const uint8_t number = number_of(build, id);
    return number == SPIRV_NUMBER_GLOBAL_X || number == NUMBER_XY || number == NUMBER_XYZ;
}

void spirv_numbers_builtin(struct spirv_build *build, uint32_t variable, uint32_t builtin)
{
    if (variable >= build->module->bound)
        return;
    if (builtin == SpvBuiltInGlobalInvocationId)
        build->numbers[variable] = NUMBER_XYZ;
    else if (builtin == SpvBuiltInLocalInvocationIndex)
        build->numbers[variable] = SPIRV_NUMBER_LOCAL;
}

/* Returns the number of a component of a vector: component 0 of GlobalInvocationId has one, others
 * do not. */
static uint8_t first_component(const struct spirv_build *build, uint32_t id, uint64_t component)
{
    const uint8_t number = number_of(build, id);
    return (number == NUMBER_XYZ || number == NUMBER_XY) && component == 0 ? SPIRV_NUMBER_GLOBAL_X
                                                                           : SPIRV_NUMBER_UNKNOWN;
}

/* Returns the number of the value that a load from the pointer gives. */
static uint8_t number_at(const struct spirv_build *build, uint32_t pointer)
{
    const struct spirv_instruction *made = spirv_definition(build->module, pointer);
    uint64_t component;
    if (!made)
        return SPIRV_NUMBER_UNKNOWN;
    const uint32_t *words = spirv_words(build->module, made);
    if (made->opcode == SpvOpVariable)
        return number_of(build, pointer);
    const bool chain = made->opcode == SpvOpAccessChain || made->opcode == SpvOpInBoundsAccessChain;
    return chain && made->length == 5 && spirv_constant_index(build, words[4], &component)
               ? first_component(build, words[3], component)
               : SPIRV_NUMBER_UNKNOWN;
}

/* Returns the local variable that the pointer is to, or to a part of; 0: it is another pointer. */
static uint32_t local_variable(const struct spirv_build *build, uint32_t id)
{
    for (uint32_t depth = 0; depth < 16; depth++) {
        const struct spirv_instruction *made = spirv_definition(build->module, id);
        if (!made || made->length < 4)
            return 0;
        const uint32_t *words = spirv_words(build->module, made);
        if (made->opcode == SpvOpVariable)
            return words[3] == SpvStorageClassFunction ? id : 0;
        if (made->opcode != SpvOpAccessChain && made->opcode != SpvOpInBoundsAccessChain &&
            made->opcode != SpvOpCopyObject)
            return 0;
        id = words[3];
    }
    return 0;
}

/* Marks a local variable as one without a number for the rest of the function, since another value
 * may be stored to it. */
static void numbers_forget(struct spirv_build *build, uint32_t pointer)
{
    const uint32_t variable = local_variable(build, pointer);
    if (variable && variable < build->module->bound)
        build->numbers[variable] = NUMBER_NEVER;
}

/* Notes a store. Only the first certain store of the whole variable gives it a number. */
static void numbers_store(struct spirv_build *build, uint32_t pointer, uint32_t value, bool certain)
{
    const struct spirv_instruction *made = spirv_definition(build->module, pointer);
    const bool whole = made && made->opcode == SpvOpVariable && made->length == 4;
    const uint8_t number = number_of(build, value);
    const bool known = number && number != NUMBER_NEVER;
    if (known && certain && whole && local_variable(build, pointer) &&
        number_of(build, pointer) == SPIRV_NUMBER_UNKNOWN)
        build->numbers[pointer] = number;
    else
        numbers_forget(build, pointer);
}

/* Calls numbers_forget() for each word, as each may be a pointer through which something is
 * written. A literal may look like a pointer: then a number is lost, which is not an error. */
static void forget_all(struct spirv_build *build, const uint32_t *words, uint32_t length)
{
    for (uint32_t w = 1; w < length; w++)
        numbers_forget(build, words[w]);
}

void spirv_numbers_read(struct spirv_build *build, const struct spirv_instruction *instruction,
                        bool certain)
{
    const uint32_t *words = spirv_words(build->module, instruction), length = instruction->length;
    uint8_t number = SPIRV_NUMBER_UNKNOWN;
    switch (instruction->opcode) {
    case SpvOpLoad:
        if (length > 3)
            number = number_at(build, words[3]);
        break;
    case SpvOpCompositeExtract:
        if (length == 5)
            number = first_component(build, words[3], words[4]);
        break;
    case SpvOpVectorShuffle:
        /* Compilers write `gl_GlobalInvocationID.xy` like this. */
        if (length == 7 && number_of(build, words[3]) == NUMBER_XYZ && words[5] == 0 &&
            words[6] == 1)
            number = NUMBER_XY;
        break;
    case SpvOpCopyObject:
    case SpvOpBitcast:
        if (length > 3 && !local_variable(build, words[3]))
            number = number_of(build, words[3]);
        break;
    case SpvOpStore:
        if (length > 2)
            numbers_store(build, words[1], words[2], certain);
        return;
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
    case SpvOpFunctionCall:
    case SpvOpExtInst:
        /* The instruction may write through a pointer among its operands. */
        forget_all(build, words, length);
        return;
    default:
        return;
    }
    if (number && number != NUMBER_NEVER && words[2] < build->module->bound)
        build->numbers[words[2]] = number;
}
