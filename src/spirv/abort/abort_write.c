/* Emits the code with which a shader writes a value of a message. The value is written as words,
 * four at a time, by functions of gpu/shaders/abort.glsl. Large arrays are written in a loop, by a
 * function for each type. Only whole words are stored, so that shaders need no capability for
 * smaller stores. */
#include "spirv/abort/abort_build.h"

#include <string.h>

#include "spirv/abi.h"
#include "base/vec.h"

#define DEPTH_MOST 24 /* types within types */

/* The function that writes arrays of one type. */
struct abort_array {
    uint32_t type, function; /* ids */
};

/* --- types --- */

/* Returns the definition of a type with at least so many words; NULL: it is shorter, or there is
 * none. */
static const struct spirv_instruction *type_definition(const struct abort_lower *lower,
                                                       uint32_t type, uint32_t words)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, type);
    return definition && definition->length >= words ? definition : NULL;
}

/* Returns the words of an instruction, which must exist. */
static const uint32_t *writer_words(const struct abort_lower *lower,
                                    const struct spirv_instruction *definition)
{
    assert(definition);
    return spirv_words(lower->module, definition);
}

/* Returns the bits of a scalar; 0: it is not one. A pointer has 64. */
uint32_t abort_scalar_bits(const struct abort_lower *lower, uint32_t type)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 3);
    switch (definition ? definition->opcode : SpvOpNop) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat: {
        uint32_t bits = writer_words(lower, definition)[2];
        return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits : 0;
    }
    case SpvOpTypePointer:
        return 64;
    default:
        return 0;
    }
}

/* Returns the number of components of a vector, columns of a matrix, elements of an array, or
 * members of a structure. 0: the type has no parts. */
uint32_t abort_part_count(const struct abort_lower *lower, uint32_t type)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 2);
    uint64_t length;
    if (!definition)
        return 0;
    switch (definition->opcode) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return definition->length > 3 ? writer_words(lower, definition)[3] : 0;
    case SpvOpTypeVectorIdEXT:
    case SpvOpTypeArray:
        return constant_length(lower, type, &length) && length <= UINT32_MAX ? (uint32_t)length : 0;
    case SpvOpTypeStruct:
        return definition->length - 2u;
    default:
        return 0;
    }
}

uint32_t abort_part_type(const struct abort_lower *lower, uint32_t type, uint32_t index)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 3);
    if (!definition)
        return 0;
    switch (definition->opcode) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeVectorIdEXT:
    case SpvOpTypeArray:
        return writer_words(lower, definition)[2];
    case SpvOpTypeStruct:
        return index < definition->length - 2u ? writer_words(lower, definition)[2 + index] : 0;
    default:
        return 0;
    }
}

/* Returns the words that the shader writes for a type; 0: a message cannot have the type, or it has
 * too many words. */
static uint32_t type_words(const struct abort_lower *lower, uint32_t type, uint32_t depth)
{
    uint32_t bits = abort_scalar_bits(lower, type), count = abort_part_count(lower, type);
    uint64_t words = 0;
    const struct spirv_instruction *definition = type_definition(lower, type, 2);
    if (bits || depth > DEPTH_MOST || !definition)
        return bits == 64 ? 2 : bits ? 1 : 0;
    if (lower->type_words[type])
        return lower->type_words[type] - 1;
    if (definition->opcode != SpvOpTypeStruct) {
        words = (uint64_t)count * type_words(lower, abort_part_type(lower, type, 0), depth + 1);
    } else {
        for (uint32_t i = 0; i < count; i++)
            words += type_words(lower, abort_part_type(lower, type, i), depth + 1);
    }
    lower->type_words[type] = words <= ABORT_WORDS ? (uint32_t)words + 1 : 1;
    return lower->type_words[type] - 1;
}

uint32_t abort_type_words(const struct abort_lower *lower, uint32_t type)
{
    return type_words(lower, type, 0);
}

/* True if the type, or an inner type, has layout decorations. */
static bool has_layout(const struct abort_lower *lower, uint32_t type, uint32_t depth)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 3);
    if (!definition || depth > DEPTH_MOST ||
        (definition->opcode != SpvOpTypeArray && definition->opcode != SpvOpTypeStruct))
        return false;
    uint8_t *note = &lower->type_notes[type];
    if (*note & ABORT_NOTE_LAYOUT_KNOWN)
        return *note & ABORT_NOTE_LAYOUT;
    *note |= ABORT_NOTE_LAYOUT_KNOWN;
    bool array = definition->opcode == SpvOpTypeArray;
    bool laid_out = array && abort_decoration(lower, type, SPIRV_NONE, SpvDecorationArrayStride);
    for (uint32_t i = 0; i < (array ? 1u : definition->length - 2u) && !laid_out; i++)
        laid_out = (!array && abort_decoration(lower, type, i, SpvDecorationOffset)) ||
                   has_layout(lower, writer_words(lower, definition)[2 + i], depth + 1);
    *note |= laid_out ? ABORT_NOTE_LAYOUT : 0;
    return laid_out;
}

/* Function variables have types without a layout. OpCopyLogical converts a value with a layout to
 * such a type, from SPIR-V 1.4 on. */
bool abort_writes_in_loop(const struct abort_lower *lower, uint32_t type)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 4);
    return definition && definition->opcode == SpvOpTypeArray &&
           abort_part_count(lower, type) > ABORT_ARRAY_LEAST && abort_type_words(lower, type) &&
           (lower->module->version >= 0x00010400 || !has_layout(lower, type, 0));
}

uint32_t abort_plain_type(struct abort_lower *lower, uint32_t type)
{
    const struct spirv_instruction *definition = type_definition(lower, type, 3);
    if (!has_layout(lower, type, 0) || !definition)
        return type;
    if (lower->plain_types[type])
        return lower->plain_types[type];
    uint32_t count = definition->length - 2u, *operands = mem_alloc(count * sizeof(*operands));
    if (!operands) {
        lower->failed = true;
        return 0;
    }
    memcpy(operands, &writer_words(lower, definition)[2], count * sizeof(*operands));
    for (uint32_t i = 0; i < (definition->opcode == SpvOpTypeStruct ? count : 1u); i++)
        operands[i] = abort_plain_type(lower, operands[i]);
    lower->plain_types[type] =
        spirv_edit_type(&lower->edit, (SpvOp)definition->opcode, operands, count);
    mem_free(operands);
    return lower->plain_types[type];
}

/* --- words --- */

/* Returns the id of a word's number in the record: a constant, or in a loop the base plus a
 * constant. */
static uint32_t writer_number(const struct abort_writer *w, uint32_t number)
{
    struct spirv_edit *edit = &w->point->lower->edit;
    uint32_t constant = spirv_edit_constant_u32(edit, number);
    return w->base ? FLOW_VALUE(w->point, SpvOpIAdd, spirv_edit_type_u32(edit), w->base, constant)
                   : constant;
}

void abort_write_flush(struct abort_writer *w)
{
    struct abort_lower *lower = w->point->lower;
    uint32_t nothing = spirv_edit_type_void(&lower->edit);
    if (w->count == ARRAY_LENGTH(w->words)) {
        uint32_t four = spirv_edit_type_vector(&lower->edit, spirv_edit_type_u32(&lower->edit), 4);
        uint32_t words = flow_value(w->point, SpvOpCompositeConstruct, four, w->words, w->count);
        uint32_t number = writer_number(w, w->first);
        (void)FLOW_VALUE(w->point, SpvOpFunctionCall, nothing, abort_stub(lower, ABORT_STUB_WORDS),
                         w->record, number, words);
    } else {
        for (uint32_t i = 0; i < w->count; i++) {
            uint32_t number = writer_number(w, w->first + i);
            (void)FLOW_VALUE(w->point, SpvOpFunctionCall, nothing,
                             abort_stub(lower, ABORT_STUB_WORD), w->record, number, w->words[i]);
        }
    }
    w->count = 0;
}

/* Adds a word. Four consecutive words are written by one call. */
static void write_word(struct abort_writer *w, uint32_t number, uint32_t word)
{
    assert(w->count <= ARRAY_LENGTH(w->words));
    if (w->count == ARRAY_LENGTH(w->words) || (w->count && number != w->first + w->count))
        abort_write_flush(w);
    if (!w->count)
        w->first = number;
    w->words[w->count++] = word;
}

/* Emits the code that writes a scalar as words of 32 bits. */
static void write_scalar(struct abort_writer *w, uint32_t type, uint32_t value, uint32_t number)
{
    struct abort_lower *lower = w->point->lower;
    struct spirv_edit *edit = &lower->edit;
    const struct spirv_instruction *definition = type_definition(lower, type, 3);
    uint32_t bits = abort_scalar_bits(lower, type), u32 = spirv_edit_type_u32(edit);
    if (bits == 64) {
        uint32_t pair = spirv_edit_type_vector(edit, u32, 2);
        value = FLOW_VALUE(w->point, SpvOpBitcast, pair, value);
        for (uint32_t i = 0; i < 2; i++)
            write_word(w, number + i, FLOW_VALUE(w->point, SpvOpCompositeExtract, u32, value, i));
        return;
    }
    if (definition->opcode == SpvOpTypeInt && bits < 32) {
        value = FLOW_VALUE(w->point, SpvOpUConvert, u32, value);
        /* no integer of the float's size is used, as the shader may not support it */
    } else if (bits < 32) {
        uint32_t zero = spirv_edit_constant_null(edit, type), parts[4] = {value, zero, zero, zero};
        value = flow_value(w->point, SpvOpCompositeConstruct,
                           spirv_edit_type_vector(edit, type, 32 / bits), parts, 32 / bits);
        value = FLOW_VALUE(w->point, SpvOpBitcast, u32, value);
    } else if (type != u32) {
        value = FLOW_VALUE(w->point, SpvOpBitcast, u32, value);
    }
    write_word(w, number, value);
}

/* --- arrays --- */

/* Returns the function that writes arrays of this type; its code is written at the end. 0: memory
 * is out. */
static uint32_t array_function(struct abort_lower *lower, uint32_t type)
{
    for (uint32_t i = 0; i < lower->array_count; i++) {
        if (lower->arrays[i].type == type)
            return lower->arrays[i].function;
    }
    if (!vec_room(&lower->arrays, lower->array_count, &lower->array_capacity, 8,
                  sizeof(*lower->arrays))) {
        lower->failed = true;
        return 0;
    }
    lower->arrays[lower->array_count] =
        (struct abort_array){.type = type, .function = spirv_edit_id(&lower->edit)};
    return lower->arrays[lower->array_count++].function;
}

void abort_write_value(struct abort_writer *w, uint32_t type, uint32_t value, uint32_t number,
                       bool array)
{
    struct abort_lower *lower = w->point->lower;
    uint32_t nothing = spirv_edit_type_void(&lower->edit);
    if (abort_scalar_bits(lower, type)) {
        write_scalar(w, type, value, number);
        return;
    }
    if (array || abort_writes_in_loop(lower, type)) {
        uint32_t function = array_function(lower, type), first = writer_number(w, number);
        (void)FLOW_VALUE(w->point, SpvOpFunctionCall, nothing, function, w->record, first, value);
        return;
    }
    for (uint32_t i = 0; i < abort_part_count(lower, type) && !lower->failed; i++) {
        uint32_t inner = abort_part_type(lower, type, i);
        abort_write_value(w, inner, FLOW_VALUE(w->point, SpvOpCompositeExtract, inner, value, i),
                          number, false);
        number += abort_type_words(lower, inner);
    }
}

/* Writes the function void f(uvec4 record, uint first, T array) { T copy = array; for (uint i = 0;
 * i < length; i++) write(record, first + i * words, copy[i]); } */
static void write_array(struct abort_lower *lower, struct abort_array array)
{
    struct spirv_edit *edit = &lower->edit;
    struct flow_point to = {.lower = lower, .origin = SPIRV_NONE};
    uint32_t u32 = spirv_edit_type_u32(edit), four = spirv_edit_type_vector(edit, u32, 4);
    uint32_t nothing = spirv_edit_type_void(edit), parameters[3] = {four, u32, array.type}, ids[3],
             labels[5];
    uint32_t plain = array.type, element = abort_part_type(lower, array.type, 0);
    uint32_t plain_element = abort_plain_type(lower, element);
    uint32_t type = spirv_edit_type_function(edit, nothing, parameters, 3),
             words = abort_type_words(lower, element);
    /* A variable of storage class Function must not have a layout: its type is a plain copy. */
    if (has_layout(lower, array.type, 0)) {
        uint32_t length = writer_words(lower, type_definition(lower, array.type, 4))[3];
        plain = spirv_edit_type(edit, SpvOpTypeArray, (const uint32_t[]){plain_element, length}, 2);
    }
    FLOW_EMIT(&to, SpvOpFunction, nothing, array.function, SpvFunctionControlMaskNone, type);
    for (uint32_t i = 0; i < 3; i++) {
        ids[i] = spirv_edit_id(edit);
        FLOW_EMIT(&to, SpvOpFunctionParameter, parameters[i], ids[i]);
    }
    for (uint32_t i = 0; i < ARRAY_LENGTH(labels); i++)
        labels[i] = spirv_edit_id(edit);
    FLOW_EMIT(&to, SpvOpLabel, labels[0]);
    /* OpCompositeExtract takes literals, so a value cannot be indexed by `i`; memory can. */
    uint32_t copy = FLOW_VALUE(&to, SpvOpVariable,
                               spirv_edit_type_pointer(edit, SpvStorageClassFunction, plain),
                               SpvStorageClassFunction);
    if (abort_definition(lower, element, SpvOpTypePointer, 4))
        /* Variables that hold physical pointers must declare their aliasing. */
        spirv_edit_decorate(edit, copy, SpvDecorationAliasedPointer);
    uint32_t value =
        plain == array.type ? ids[2] : FLOW_VALUE(&to, SpvOpCopyLogical, plain, ids[2]);
    FLOW_EMIT(&to, SpvOpStore, copy, value);
    FLOW_EMIT(&to, SpvOpBranch, labels[1]);
    FLOW_EMIT(&to, SpvOpLabel, labels[1]);
    uint32_t i = spirv_edit_id(edit), next = spirv_edit_id(edit),
             zero = spirv_edit_constant_u32(edit, 0);
    FLOW_EMIT(&to, SpvOpPhi, u32, i, zero, labels[0], next, labels[3]);
    FLOW_EMIT(&to, SpvOpLoopMerge, labels[4], labels[3], SpvLoopControlMaskNone);
    uint32_t more = spirv_edit_id(edit),
             length = spirv_edit_constant_u32(edit, abort_part_count(lower, array.type));
    FLOW_EMIT(&to, SpvOpBranch, labels[2]);
    FLOW_EMIT(&to, SpvOpLabel, labels[2]);
    struct abort_writer writer = {.point = &to, .record = ids[0]};
    writer.base = FLOW_VALUE(&to, SpvOpIMul, u32, i, spirv_edit_constant_u32(edit, words));
    writer.base = FLOW_VALUE(&to, SpvOpIAdd, u32, writer.base, ids[1]);
    uint32_t at =
        FLOW_VALUE(&to, SpvOpAccessChain,
                   spirv_edit_type_pointer(edit, SpvStorageClassFunction, plain_element), copy, i);
    value = FLOW_VALUE(&to, SpvOpLoad, plain_element, at);
    if (plain_element != element)
        value = FLOW_VALUE(&to, SpvOpCopyLogical, element, value);
    abort_write_value(&writer, element, value, 0, false);
    abort_write_flush(&writer);
    FLOW_EMIT(&to, SpvOpBranch, labels[3]);
    FLOW_EMIT(&to, SpvOpLabel, labels[3]);
    FLOW_EMIT(&to, SpvOpIAdd, u32, next, i, spirv_edit_constant_u32(edit, 1));
    FLOW_EMIT(&to, SpvOpULessThan, spirv_edit_type_bool(edit), more, next, length);
    FLOW_EMIT(&to, SpvOpBranchConditional, more, labels[1], labels[4]);
    FLOW_EMIT(&to, SpvOpLabel, labels[4]);
    flow_emit(&to, SpvOpReturn, NULL, 0);
    flow_emit(&to, SpvOpFunctionEnd, NULL, 0);
}

void abort_write_arrays(struct abort_lower *lower)
{
    /* the list may grow in the loop */
    for (uint32_t i = 0; i < lower->array_count && !lower->failed; i++)
        /* Arrays in arrays add functions to the list meanwhile. */
        write_array(lower, lower->arrays[i]);
}
