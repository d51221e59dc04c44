/* Finds ids that certainly have the same value, by value numbering of each block. Two instructions
 * with the same operation and operands have the same value. So do two loads of the same memory, if
 * no write that could change it comes between them. Loads from memory that nothing writes (push
 * constants, uniform buffers) are the same wherever they are in the block. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

/* A value that was computed or loaded in the current block. */
struct entry {
    uint32_t instruction; /* index; 0: the entry is empty */
    /* instrument_values::version at that time; 0: the memory is never written */
    uint32_t version;
};

/* The values that are known to be the same. */
struct instrument_values {
    /* The following arrays are indexed by ids of the module. */
    uint32_t *same; /* the earliest id with the same value; 0: the id itself */
    /* for a variable of the function or invocation: the value that it has */
    uint32_t *held;
    uint32_t *held_since; /* `held` is valid if this is equal to `stamp` */
    /* for a variable of the function with one store, and otherwise only loads: the index of the
     * store, and the label of its block. 0: there is no store; SPIRV_NONE: there are several, or
     * other uses */
    uint32_t *only_store, *only_block;
    struct entry *entries; /* owned; a hash table for the current block */
    /* entries in use; entries of the table that the current block uses, a power of two; entries
     * allocated */
    uint32_t entry_count, entry_limit, capacity;
    uint32_t label; /* label of the current block */
    /* increases if variables may have changed otherwise than by a store to them */
    uint32_t stamp;
    uint32_t version; /* increases if memory of buffers may have changed */
    /* something is declared coherent or volatile, so that memory may change between two loads */
    bool coherent;
    /* RelaxedPrecision is used: the driver may compute some values with 16 bits */
    bool relaxed;
};

/* Notes the decorations because of which two equal loads or computations may have different
 * results. */
static void read_decorations(const struct instrument *x, struct instrument_values *values)
{
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        uint32_t decoration = UINT32_MAX;
        if (instruction->opcode == SpvOpDecorate && instruction->length > 2)
            decoration = words[2];
        else if (instruction->opcode == SpvOpMemberDecorate && instruction->length > 3)
            decoration = words[3];
        values->coherent |=
            decoration == SpvDecorationCoherent || decoration == SpvDecorationVolatile;
        values->relaxed |= decoration == SpvDecorationRelaxedPrecision;
    }
}

/* Allocates the tables. Returns false if memory is out. */
static bool values_begin(struct instrument *x)
{
    struct instrument_values *values = mem_alloc_zeroed(sizeof(*values));
    x->values = values;
    if (!values)
        return false;
    values->same = mem_alloc_zeroed(x->module->bound * sizeof(*values->same));
    values->held = mem_alloc_zeroed(x->module->bound * sizeof(*values->held));
    values->held_since = mem_alloc_zeroed(x->module->bound * sizeof(*values->held_since));
    values->only_store = mem_alloc_zeroed(x->module->bound * sizeof(*values->only_store));
    values->only_block = mem_alloc_zeroed(x->module->bound * sizeof(*values->only_block));
    if (!values->same || !values->held || !values->held_since || !values->only_store ||
        !values->only_block) {
        instrument_values_free(x);
        return false;
    }
    read_decorations(x, values);
    return true;
}

void instrument_values_free(struct instrument *x)
{
    if (!x->values)
        return;
    mem_free(x->values->same);
    mem_free(x->values->held);
    mem_free(x->values->held_since);
    mem_free(x->values->only_store);
    mem_free(x->values->only_block);
    mem_free(x->values->entries);
    mem_free(x->values);
    x->values = NULL;
}

uint32_t instrument_same(const struct instrument *x, uint32_t id)
{
    const struct instrument_values *values = x->values;
    return values && id < x->module->bound && values->same[id] ? values->same[id] : id;
}

/* --- the effects of instructions --- */

/* Returns the storage class of a pointer; UINT32_MAX: it is unknown. */
static uint32_t storage_of(const struct instrument *x, uint32_t pointer)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    return type ? type[2] : UINT32_MAX;
}

/* True if the pointer is into a uniform block, which shaders do not write. */
static bool is_read_only(const struct instrument *x, uint32_t pointer)
{
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, pointer);
        if (!definition || definition->length < 4)
            return false;
        const uint32_t *words = spirv_words(x->module, definition);
        if (definition->opcode == SpvOpVariable) {
            const uint32_t *type = instrument_definition(x, words[1], SpvOpTypePointer, 4);
            uint32_t block = type ? type[3] : 0;
            const struct spirv_instruction *array = spirv_definition(x->module, block);
            if (array && array->length > 2 &&
                (array->opcode == SpvOpTypeArray || array->opcode == SpvOpTypeRuntimeArray))
                block = spirv_words(x->module, array)[2];
            return instrument_opcode(x, block) == SpvOpTypeStruct && !x->buffer_block[block];
        }
        if (definition->opcode != SpvOpAccessChain &&
            definition->opcode != SpvOpInBoundsAccessChain)
            return false;
        pointer = words[3];
    }
    return false;
}

bool instrument_is_relaxed(const struct instrument *x, uint32_t type)
{
    if (!x->values || !x->values->relaxed)
        return false;
    const uint32_t *vector = instrument_definition(x, type, SpvOpTypeVector, 4);
    const uint32_t *number = instrument_definition(x, vector ? vector[2] : type, SpvOpTypeInt, 4);
    return number && number[2] <= 32;
}

bool instrument_is_pure(const struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        return instruction->length > 3;
    case SpvOpCopyObject:
    case SpvOpBitcast:
    case SpvOpConvertUToPtr:
    case SpvOpConvertPtrToU:
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpShiftLeftLogical:
        return instruction->length > 3 && !instrument_is_relaxed(x, words[1]);
    default:
        return false;
    }
}

/* Returns the index of the first word of a pure instruction that is a literal; the words from the
 * third one up to it are ids. */
static uint32_t id_words(const struct spirv_instruction *instruction)
{
    return instruction->opcode == SpvOpCompositeExtract ? 4 : instruction->length;
}

bool instrument_writes_nothing(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpUndef:
    case SpvOpExtInst:
    case SpvOpVariable:
    case SpvOpLoad:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpArrayLength:
    case SpvOpAny:
    case SpvOpAll:
    case SpvOpPhi:
    case SpvOpLabel:
    case SpvOpCopyLogical:
        return true;
    default:
        /* Instructions in these ranges of opcodes compute values from values, or read images. */
        return (opcode >= SpvOpVectorExtractDynamic && opcode <= SpvOpImageRead) ||
               (opcode >= SpvOpImage && opcode <= SpvOpImageQuerySamples) ||
               (opcode >= SpvOpConvertFToU && opcode <= SpvOpFwidthCoarse);
    }
}

/* Notes that any memory may have been written: loads before and after this differ. */
static void any_write(struct instrument_values *values)
{
    values->version++;
    values->stamp++;
}

/* Notes what a store changes: the variable's value, or all of memory. */
static void values_store(struct instrument *x, const uint32_t *words)
{
    struct instrument_values *values = x->values;
    switch (storage_of(x, words[1])) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        if (instrument_opcode(x, words[1]) == SpvOpVariable) {
            values->held[words[1]] = instrument_same(x, words[2]);
            values->held_since[words[1]] = values->stamp;
        } else {
            values->stamp++;
        }
        break;
    case SpvStorageClassOutput:
    case SpvStorageClassWorkgroup:
        break;
    default:
        values->version++;
        break;
    }
}

/* --- the table of a block --- */

/* One step of a multiplicative hash. */
static uint32_t hash_mixed(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

/* Hashes the opcode, the type and the values of the operands, but not the result id. */
static uint32_t values_hash(const struct instrument *x, const struct spirv_instruction *instruction,
                            const uint32_t *words)
{
    uint32_t hash = hash_mixed(instruction->opcode, words[1]);
    uint32_t end = instruction->opcode == SpvOpLoad ? 4 : instruction->length;
    uint32_t ids = instruction->opcode == SpvOpLoad ? 4 : id_words(instruction);
    for (uint32_t i = 3; i < end; i++)
        hash = hash_mixed(hash, i < ids ? instrument_same(x, words[i]) : words[i]);
    return hash;
}

/* True if two instructions have the same value. */
static bool is_equal(const struct instrument *x, const struct spirv_instruction *a,
                     const struct spirv_instruction *b)
{
    const uint32_t *of_a = spirv_words(x->module, a), *of_b = spirv_words(x->module, b);
    const bool load = a->opcode == SpvOpLoad;
    if (a->opcode != b->opcode || of_a[1] != of_b[1] || a->length != b->length)
        return false;
    /* Loads that promise different alignments are not equal, as in safe mode one of them may be
     * skipped. */
    uint32_t ids = load ? 4 : id_words(a);
    for (uint32_t i = 3; i < a->length; i++) {
        if (i < ids ? instrument_same(x, of_a[i]) != instrument_same(x, of_b[i])
                    : of_a[i] != of_b[i])
            return false;
    }
    return true;
}

/* Looks for an earlier equal instruction; if there is none, adds this one to the table. `version`
 * is that of the memory that it reads; 0: nothing writes that memory. */
static void values_number(struct instrument *x, uint32_t index, uint32_t version)
{
    struct instrument_values *values = x->values;
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    const uint32_t *words = spirv_words(x->module, instruction);
    uint32_t mask = values->entry_limit - 1;
    if (words[2] >= x->module->bound || values->entry_count * 2 > values->entry_limit)
        return;
    for (uint32_t at = values_hash(x, instruction, words);; at++) {
        struct entry *entry = &values->entries[at & mask];
        if (!entry->instruction) {
            *entry = (struct entry){index, version};
            values->entry_count++;
            return;
        }
        const struct spirv_instruction *other = &x->module->instructions[entry->instruction];
        if (!is_equal(x, instruction, other))
            continue;
        if (entry->version == version)
            values->same[words[2]] = instrument_same(x, spirv_words(x->module, other)[2]);
        else /* memory was written since that load */
            *entry = (struct entry){index, version};
        return;
    }
}

/* True if the instruction is certainly executed after the variable's only store. */
static bool is_after_only_store(const struct instrument *x, uint32_t variable, uint32_t index)
{
    const struct instrument_values *values = x->values;
    const uint32_t *definition = instrument_definition(x, variable, SpvOpVariable, 4);
    uint32_t stored = values->only_store[variable];
    if (!stored || stored == SPIRV_NONE || !definition || definition[3] != SpvStorageClassFunction)
        return false; /* private variables may be stored to by other functions */
    return values->only_block[variable] == values->label
               ? stored < index
               : instrument_dominates(x, values->only_block[variable], values->label);
}

/* Finds the value of a load, if it is known. */
static void values_load(struct instrument *x, uint32_t index)
{
    struct instrument_values *values = x->values;
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    const uint32_t *words = spirv_words(x->module, instruction);
    /* A load that is volatile, or makes memory visible, may have another value each time. */
    const uint32_t harmless = SpvMemoryAccessAlignedMask | SpvMemoryAccessNontemporalMask;
    if ((instruction->length > 4 && words[4] & ~harmless) || words[2] >= x->module->bound ||
        instrument_is_relaxed(x, words[1]))
        return;
    switch (storage_of(x, words[3])) {
    case SpvStorageClassFunction:
    case SpvStorageClassPrivate:
        if (instrument_opcode(x, words[3]) != SpvOpVariable)
            return;
        if (values->held_since[words[3]] == values->stamp) {
            values->same[words[2]] = values->held[words[3]];
        } else if (is_after_only_store(x, words[3], index)) {
            const uint32_t *stored =
                spirv_words(x->module, &x->module->instructions[values->only_store[words[3]]]);
            values->same[words[2]] = instrument_same(x, stored[2]);
        } else {
            /* Later loads, up to the next store, have the value of this one. */
            values->held[words[3]] = words[2];
            values->held_since[words[3]] = values->stamp;
        }
        break;
    case SpvStorageClassPushConstant:
        /* Version 0 is used, as push constants do not change while a shader runs. */
        values_number(x, index, 0);
        break;
    case SpvStorageClassUniform:
        if (!values->coherent || is_read_only(x, words[3]))
            values_number(x, index, is_read_only(x, words[3]) ? 0 : values->version);
        break;
    case SpvStorageClassStorageBuffer:
    case SpvStorageClassPhysicalStorageBuffer:
        if (!values->coherent)
            values_number(x, index, values->version);
        break;
    default:
        break;
    }
}

/* Finds an earlier id with the same value as the instruction's result, and notes what the
 * instruction writes. */
static void number_instruction(struct instrument *x, uint32_t index)
{
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    const uint32_t *words = spirv_words(x->module, instruction);
    switch (instruction->opcode) {
    case SpvOpLoad:
        if (instruction->length > 3)
            values_load(x, index);
        break;
    case SpvOpStore:
        if (instruction->length > 2)
            values_store(x, words);
        break;
    case SpvOpExtInst: /* Modf and Frexp write through a pointer */
        if (instruction->length > 4 && (words[4] == GLSLstd450Modf || words[4] == GLSLstd450Frexp))
            any_write(x->values);
        break;
    case SpvOpCopyObject:
        if (instruction->length > 3 && words[2] < x->module->bound)
            x->values->same[words[2]] = instrument_same(x, words[3]);
        break;
    default:
        if (instrument_is_pure(x, instruction, words))
            values_number(x, index, 0);
        else if (!instrument_writes_nothing(instruction->opcode))
            any_write(x->values);
        break;
    }
}

bool instrument_values_read(struct instrument *x, uint32_t label, uint32_t end)
{
    if (!x->values && !values_begin(x))
        return false;
    struct instrument_values *values = x->values;
    uint32_t wanted = 64;
    while (wanted / 4 < end - label)
        wanted *= 2;
    if (wanted > values->capacity) {
        struct entry *entries = mem_alloc(wanted * sizeof(*entries));
        if (!entries)
            return false;
        mem_free(values->entries);
        values->entries = entries;
        values->capacity = wanted;
    }
    memset(values->entries, 0, wanted * sizeof(*values->entries));
    values->entry_limit = wanted;
    values->entry_count = 0;
    any_write(values);
    values->label = spirv_words(x->module, &x->module->instructions[label])[1];
    for (uint32_t i = label + 1; i < end; i++)
        number_instruction(x, i);
    return true;
}

/* True for an instruction without semantics, such as debug information. */
static bool is_for_debuggers(const struct instrument *x,
                             const struct spirv_instruction *instruction, const uint32_t *words)
{
    static const char begin[] = "NonSemantic.";
    const uint32_t *set =
        instruction->opcode == SpvOpExtInst && instruction->length > 3
            ? instrument_definition(x, words[3], SpvOpExtInstImport, 2 + (sizeof(begin) + 3) / 4)
            : NULL;
    return instruction->opcode == SpvOpLine || (set && !memcmp(&set[2], begin, sizeof(begin) - 1));
}

/* Notes an instruction's uses of variables, for `only_store` and `only_block`. */
static void note_use(struct instrument *x, uint32_t index, uint32_t label)
{
    struct instrument_values *values = x->values;
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    const uint32_t *words = spirv_words(x->module, instruction);
    uint32_t k = 1;
    if (is_for_debuggers(x, instruction, words))
        return;
    if (instruction->opcode == SpvOpLoad) {
        k = 4;
    } else if (instruction->opcode == SpvOpStore && instruction->length > 2) {
        if (words[1] < x->module->bound) {
            values->only_store[words[1]] = values->only_store[words[1]] ? SPIRV_NONE : index;
            values->only_block[words[1]] = label;
        }
        k = 2;
    } else if (instruction->opcode == SpvOpVariable && instruction->length == 4) {
        return;
    }
    /* Any other word that is equal to the variable's id may be a use of it. */
    for (; k < instruction->length; k++) {
        if (words[k] < x->module->bound)
            values->only_store[words[k]] = SPIRV_NONE;
    }
}

bool instrument_values_function(struct instrument *x, uint32_t first, uint32_t end)
{
    uint32_t label = 0;
    if (!x->values && !values_begin(x))
        return false;
    for (uint32_t i = first; i < end; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        if (instruction->opcode == SpvOpLabel && instruction->length > 1)
            label = spirv_words(x->module, instruction)[1];
        else
            note_use(x, i, label);
    }
    return true;
}
