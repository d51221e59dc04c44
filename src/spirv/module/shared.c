/* Measures the variables in a module's shared memory (storage class Workgroup), and finds the
 * instructions that use them. */
#include "spirv/module/shared.h"

#include <string.h>

#include "spirv/atomic.h"

/* Levels of types within types that are followed. */
#define DEPTH_MOST 16
/* Scalars of one variable: no device has memory for so many, and larger types are refused. */
#define SCALARS_MOST (1u << 20)

/* Returns the words of the id's definition, if it has this opcode and at least `length` words; else
 * NULL. */
static const uint32_t *definition_of(const struct spirv_module *module, uint32_t id, SpvOp opcode,
                                     uint32_t length)
{
    const struct spirv_instruction *definition = spirv_definition(module, id);
    return definition && definition->opcode == opcode && definition->length >= length
               ? spirv_words(module, definition)
               : NULL;
}

/* Returns the value of a constant that specialization cannot change; 0: it is not one. */
static uint32_t constant_length(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(module, id);
    return definition && definition->opcode == SpvOpConstant && definition->length == 4
               ? spirv_words(module, definition)[3]
               : 0;
}

/* --- sizes --- */

/* Rounds up to a multiple of the alignment. */
static uint64_t round_up(uint64_t size, uint32_t alignment)
{
    assert(alignment);
    return (size + alignment - 1) / alignment * alignment;
}

static bool shared_size_measure(const struct spirv_module *module, uint32_t type, uint32_t depth,
                                struct spirv_shared_size *size);

/* Computes the size of `count` parts one after the other. Returns false if the result is too large,
 * or `count` is 0. */
static bool shared_size_repeat(uint64_t count, const struct spirv_shared_size *part,
                               struct spirv_shared_size *size)
{
    uint64_t scalars = count * part->scalars,
             bytes = count * round_up(part->bytes, part->alignment);
    if (!scalars || scalars > SCALARS_MOST || bytes > UINT32_MAX / 2)
        return false;
    *size = (struct spirv_shared_size){(uint32_t)scalars, (uint32_t)bytes, part->alignment};
    return true;
}

/* Measures a structure in shared memory by its members. Returns false if it is too large, or a
 * member's size is not known. */
static bool measure_struct(const struct spirv_module *module, const uint32_t *words,
                           uint32_t members, uint32_t depth, struct spirv_shared_size *size)
{
    *size = (struct spirv_shared_size){.alignment = 1};
    for (uint32_t i = 0; i < members; i++) {
        struct spirv_shared_size part;
        if (!shared_size_measure(module, words[i], depth, &part))
            return false;
        uint64_t bytes = round_up(size->bytes, part.alignment) + part.bytes;
        if (bytes > UINT32_MAX / 2 || part.scalars > SCALARS_MOST - size->scalars)
            return false;
        size->bytes = (uint32_t)bytes;
        size->scalars += part.scalars;
        size->alignment = part.alignment > size->alignment ? part.alignment : size->alignment;
    }
    return members != 0;
}

/* Measures a type in shared memory: scalars, bytes and alignment. Returns false if it is too large,
 * or its size is not known. */
static bool shared_size_measure(const struct spirv_module *module, uint32_t type, uint32_t depth,
                                struct spirv_shared_size *size)
{
    const struct spirv_instruction *definition = spirv_definition(module, type);
    if (!definition || depth > DEPTH_MOST)
        return false;
    const uint32_t *words = spirv_words(module, definition);
    struct spirv_shared_size part;
    if (definition->length < 4 && definition->opcode != SpvOpTypeBool &&
        definition->opcode != SpvOpTypeFloat && definition->opcode != SpvOpTypeStruct)
        return false;
    switch (definition->opcode) {
    case SpvOpTypeBool:
        /* Booleans have no size in SPIR-V; drivers use four bytes. */
        *size = (struct spirv_shared_size){1, 4, 4};
        return true;
    case SpvOpTypePointer:
        *size = (struct spirv_shared_size){1, 8, 8};
        return true;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        if (definition->length < 3 || words[2] < 8 || words[2] > 64)
            return false;
        *size = (struct spirv_shared_size){1, words[2] / 8, words[2] / 8};
        return true;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        if (!shared_size_measure(module, words[2], depth + 1, &part) ||
            !shared_size_repeat(words[3], &part, size))
            return false;
        if (definition->opcode == SpvOpTypeVector)
            /* Three components are aligned as four. */
            size->alignment = size->bytes = words[3] == 3 ? 4 * part.bytes : size->bytes;
        return true;
    case SpvOpTypeArray:
        return shared_size_measure(module, words[2], depth + 1, &part) &&
               shared_size_repeat(constant_length(module, words[3]), &part, size);
    case SpvOpTypeStruct:
        if (definition->length < 2)
            return false;
        return measure_struct(module, &words[2], definition->length - 2u, depth + 1, size);
    default:
        return false;
    }
}

bool spirv_shared_measure(const struct spirv_module *module, uint32_t type,
                          struct spirv_shared_size *size)
{
    return shared_size_measure(module, type, 0, size);
}

uint32_t spirv_shared_type(const struct spirv_module *module, uint32_t variable)
{
    const uint32_t *words = definition_of(module, variable, SpvOpVariable, 4);
    const uint32_t *pointer = words && words[3] == SpvStorageClassWorkgroup
                                  ? definition_of(module, words[1], SpvOpTypePointer, 4)
                                  : NULL;
    return pointer ? pointer[3] : 0;
}

bool spirv_shared_step(const struct spirv_module *module, uint32_t type, uint32_t index,
                       uint32_t *part, uint32_t *before, uint32_t *each)
{
    const struct spirv_instruction *definition = spirv_definition(module, type);
    const uint32_t *words = definition ? spirv_words(module, definition) : NULL;
    struct spirv_shared_size size;
    /* `before` is the scalars before the part; `each` is the scalars of one element of an array,
     * vector or matrix. */
    *before = *each = 0;
    if (!definition)
        return false;
    switch (definition->opcode) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
        if (definition->length < 4 || !spirv_shared_measure(module, words[2], &size))
            return false;
        *part = words[2];
        *each = size.scalars;
        return true;
    case SpvOpTypeStruct:
        if (definition->length < 2 || index >= definition->length - 2u)
            return false;
        for (uint32_t i = 0; i < index; i++) {
            if (!spirv_shared_measure(module, words[2 + i], &size))
                return false;
            *before += size.scalars;
        }
        *part = words[2 + index];
        return true;
    default:
        return false;
    }
}

/* --- uses --- */

/* Adds an access if the pointer leads to shared memory. */
static void shared_access_add(const struct spirv_module *module, struct spirv_shared_access *access,
                              uint32_t pointer, enum spirv_shared_use use)
{
    const struct spirv_instruction *definition = spirv_definition(module, pointer);
    const struct spirv_instruction_rule *rule =
        definition ? spirv_instruction_rule(definition->opcode) : NULL;
    if (!rule || !rule->has_type || definition->length < 3)
        return;
    const uint32_t *type =
        definition_of(module, spirv_words(module, definition)[1], SpvOpTypePointer, 4);
    if (!type || type[2] != SpvStorageClassWorkgroup)
        return;
    access->of[access->count].pointer = pointer;
    access->of[access->count++].use = use;
}

bool spirv_shared_access(const struct spirv_module *module,
                         const struct spirv_instruction *instruction,
                         struct spirv_shared_access *access)
{
    const uint32_t *words = spirv_words(module, instruction);
    access->count = 0;
    if (instruction->length < 3)
        return false;
    switch (instruction->opcode) {
    case SpvOpStore:
        shared_access_add(module, access, words[1], SPIRV_SHARED_STORE);
        break;
    case SpvOpCopyMemory:
        /* The source is read before the target is written. */
        shared_access_add(module, access, words[2], SPIRV_SHARED_LOAD);
        shared_access_add(module, access, words[1], SPIRV_SHARED_STORE);
        break;
    case SpvOpAtomicStore:
    case SpvOpAtomicFlagClear:
        shared_access_add(module, access, words[1], SPIRV_SHARED_ATOMIC);
        break;
    case SpvOpLoad:
        if (instruction->length > 3)
            shared_access_add(module, access, words[3], SPIRV_SHARED_LOAD);
        break;
    case SpvOpAtomicLoad:
    case SpvOpAtomicCompareExchange:
    case SpvOpAtomicCompareExchangeWeak:
        if (instruction->length > 3)
            shared_access_add(module, access, words[3], SPIRV_SHARED_ATOMIC_LOAD);
        break;
    default:
        /* An atomic with a result has its pointer after type and result. */
        if (instruction->length > 3 && spirv_is_atomic_with_result(instruction->opcode))
            shared_access_add(module, access, words[3], SPIRV_SHARED_ATOMIC);
        break;
    }
    return access->count != 0;
}

uint32_t spirv_shared_site(const struct spirv_module *module, uint32_t site)
{
    struct spirv_shared_access access;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        if (spirv_shared_access(module, &module->instructions[i], &access) && --site == 0)
            return i;
    }
    return SPIRV_NONE;
}

/* --- names --- */

/* Returns the debug name of an id, or of a member of a structure type; NULL: it has no name. */
static const char *shared_name(const struct spirv_module *module, uint32_t id, uint32_t member)
{
    uint32_t taken, at = member == SPIRV_NONE ? 2 : 3;
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpFunction; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode != (member == SPIRV_NONE ? SpvOpName : SpvOpMemberName) ||
            instruction->length <= at || words[1] != id ||
            (member != SPIRV_NONE && words[2] != member))
            continue;
        const char *name = spirv_string(&words[at], instruction->length - at, &taken);
        return name && name[0] ? name : NULL;
    }
    return NULL;
}

/* Writes the member or element that contains scalar `*scalar` of the type, and makes it the new
 * type. Returns false if the type is a scalar. */
static bool write_step(const struct spirv_module *module, uint32_t *type, uint32_t *scalar,
                       struct string_builder *to)
{
    const struct spirv_instruction *definition = spirv_definition(module, *type);
    uint32_t part, before, each, index = 0;
    if (!definition || !spirv_shared_step(module, *type, 0, &part, &before, &each))
        return false;
    if (each) {
        index = *scalar / each;
        *scalar %= each;
        /* Components from the fifth on have no letters. */
        if (definition->opcode == SpvOpTypeVector && index < 4)
            string_builder_format(to, ".%c", "xyzw"[index]);
        else
            string_builder_format(to, "[%u]", index);
        *type = part;
        return true;
    }
    uint32_t next, after;
    /* The scalar is in the last member that begins at or before it. */
    while (spirv_shared_step(module, *type, index + 1, &next, &after, &each) && after <= *scalar) {
        part = next;
        before = after;
        index++;
    }
    const char *name = shared_name(module, *type, index);
    if (name)
        string_builder_format(to, ".%.120s", name);
    else
        string_builder_format(to, ".%u", index);
    *scalar -= before;
    *type = part;
    return true;
}

void spirv_shared_name(const struct spirv_module *module, uint32_t variable, uint32_t scalar,
                       struct string_builder *to)
{
    const char *name = shared_name(module, variable, SPIRV_NONE);
    uint32_t type = spirv_shared_type(module, variable);
    if (name)
        string_builder_format(to, "%.120s", name);
    else
        string_builder_format(to, "%%%u", variable);
    for (uint32_t i = 0; type && i < DEPTH_MOST && write_step(module, &type, &scalar, to);)
        i++;
}
