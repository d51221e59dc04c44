/* Makes types and constants, each content once (edit_memo.c). */
#include "spirv/edit/edit.h"
#include "spirv/edit/edit_memo.h"

#include <string.h>

/* Finds an instruction of this content, or adds it. `result` is the index of the word with the
 * result's id; the word before it is the type. Returns 0 if memory is out. */
static uint32_t edit_find_or_add(struct spirv_edit *edit, uint32_t result, SpvOp opcode,
                                 uint32_t type, const uint32_t *operands, uint32_t count)
{
    assert(operands || !count);
    uint32_t length = count + result + 1, id = 0;
    const struct spirv_content content = {.first_word =
                                              length << SpvWordCountShift | (uint32_t)opcode,
                                          .type = type,
                                          .operands = operands,
                                          .count = count};
    if (edit->failed || count > SpvOpCodeMask - 3 ||
        !spirv_edit_memo_find(edit, &content, result, &id)) {
        edit->failed = true;
        return 0;
    }
    if (id)
        return id;
    uint32_t *words = spirv_edit_extend(edit, SPIRV_SECTION_GLOBALS, opcode, length);
    if (!words)
        return 0;
    words[1] = type;
    words[result] = spirv_edit_id(edit);
    if (count)
        memcpy(words + result + 1, operands, count * sizeof(*words));
    return words[result];
}

uint32_t spirv_edit_type(struct spirv_edit *edit, SpvOp opcode, const uint32_t *operands,
                         uint32_t count)
{
    assert(operands || !count);
    return edit_find_or_add(edit, 1, opcode, 0, operands, count);
}

uint32_t spirv_edit_type_void(struct spirv_edit *edit)
{
    return spirv_edit_type(edit, SpvOpTypeVoid, NULL, 0);
}

uint32_t spirv_edit_type_bool(struct spirv_edit *edit)
{
    return spirv_edit_type(edit, SpvOpTypeBool, NULL, 0);
}

uint32_t spirv_edit_type_u32(struct spirv_edit *edit)
{
    return spirv_edit_type_int(edit, 32, false);
}

uint32_t spirv_edit_type_int(struct spirv_edit *edit, uint32_t width, bool is_signed)
{
    return spirv_edit_type(edit, SpvOpTypeInt, (const uint32_t[]){width, is_signed}, 2);
}

uint32_t spirv_edit_type_float(struct spirv_edit *edit, uint32_t width)
{
    return spirv_edit_type(edit, SpvOpTypeFloat, &width, 1);
}

uint32_t spirv_edit_type_vector(struct spirv_edit *edit, uint32_t component, uint32_t count)
{
    assert(count >= 2);
    return spirv_edit_type(edit, SpvOpTypeVector, (const uint32_t[]){component, count}, 2);
}

uint32_t spirv_edit_type_pointer(struct spirv_edit *edit, SpvStorageClass storage, uint32_t pointee)
{
    return spirv_edit_type(edit, SpvOpTypePointer, (const uint32_t[]){(uint32_t)storage, pointee},
                           2);
}

uint32_t spirv_edit_type_function(struct spirv_edit *edit, uint32_t returns,
                                  const uint32_t *parameters, uint32_t count)
{
    assert(parameters || !count);
    uint32_t operands[1 + SPIRV_PARAMETERS_LIMIT];
    if (count > SPIRV_PARAMETERS_LIMIT) {
        edit->failed = true;
        return 0;
    }
    operands[0] = returns;
    if (count)
        memcpy(operands + 1, parameters, count * sizeof(*operands));
    return spirv_edit_type(edit, SpvOpTypeFunction, operands, count + 1);
}

uint32_t spirv_edit_constant(struct spirv_edit *edit, SpvOp opcode, uint32_t type,
                             const uint32_t *operands, uint32_t count)
{
    assert(operands || !count);
    return edit_find_or_add(edit, 2, opcode, type, operands, count);
}

uint32_t spirv_edit_constant_u32(struct spirv_edit *edit, uint32_t value)
{
    return spirv_edit_constant(edit, SpvOpConstant, spirv_edit_type_u32(edit), &value, 1);
}

uint32_t spirv_edit_constant_bool(struct spirv_edit *edit, bool value)
{
    return spirv_edit_constant(edit, value ? SpvOpConstantTrue : SpvOpConstantFalse,
                               spirv_edit_type_bool(edit), NULL, 0);
}

uint32_t spirv_edit_constant_null(struct spirv_edit *edit, uint32_t type)
{
    return spirv_edit_constant(edit, SpvOpConstantNull, type, NULL, 0);
}
