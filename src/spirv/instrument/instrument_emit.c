/* Emits the instructions of passes: calls of checks, and reports. Remembers the results of earlier
 * checks. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/abi.h"
#include "base/vec.h"

uint32_t instrument_emit(struct instrument *x, SpvOp opcode, uint32_t type,
                         const uint32_t *operands, uint32_t count)
{
    assert(operands || !count);
    uint32_t words[20] = {type, spirv_edit_id(&x->edit)};
    if (count > ARRAY_LENGTH(words) - 2) {
        x->failed = true;
        return 0;
    }
    if (count)
        memcpy(&words[2], operands, count * sizeof(*operands));
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, opcode, words, count + 2);
    return words[1];
}

uint32_t instrument_call(struct instrument *x, const char *function, uint32_t result_type,
                         const uint32_t *arguments, uint32_t count)
{
    assert(function && (arguments || !count));
    uint32_t operands[16] = {spirv_link_function(&x->link, function)};
    if (!operands[0] || count > ARRAY_LENGTH(operands) - 1) {
        x->failed = true;
        return 0;
    }
    if (count)
        memcpy(&operands[1], arguments, count * sizeof(*arguments));
    return instrument_emit(x, SpvOpFunctionCall, result_type, operands, count + 1);
}

uint32_t instrument_site(struct instrument *x, const struct spirv_site *site)
{
    assert(site);
    struct spirv_instrumented *result = x->result;
    if (!vec_room(&result->sites, result->site_count, &x->site_capacity, 16,
                  sizeof(*result->sites))) {
        x->failed = true;
        return 0;
    }
    result->sites[result->site_count] = *site;
    /* One word has both the shader and the site, so that records are short. */
    return instrument_u32(x, x->info->shader + result->site_count++ * SITE_FACTOR);
}

void instrument_tell(struct instrument *x, uint32_t bad, uint32_t site, const uint32_t words[3])
{
    assert(words);
    const uint32_t arguments[] = {bad, site, words[0], words[1], words[2]};
    (void)instrument_call(x, "assay_tell", spirv_edit_type_void(&x->edit), arguments,
                          ARRAY_LENGTH(arguments));
    x->result->checks++;
}

void instrument_hold(struct instrument *x, uint32_t ok)
{
    x->ok = x->ok ? instrument_emit(x, SpvOpLogicalAnd, spirv_edit_type_bool(&x->edit),
                                    (const uint32_t[]){x->ok, ok}, 2)
                  : ok;
}

void instrument_require(struct instrument *x, uint32_t ok)
{
    if (x->info->safe && ok)
        instrument_hold(x, ok);
}

uint32_t instrument_check(struct instrument *x, const char *function, const uint32_t *arguments,
                          uint32_t count)
{
    assert(function && count);
    uint32_t ok = instrument_call(x, function, spirv_edit_type_bool(&x->edit), arguments, count);
    x->result->checks++;
    instrument_require(x, ok);
    return ok;
}

/* Emits the conversion of a 64-bit number to 32 bits. Larger numbers become UINT32_MAX. */
static uint32_t emit_narrowed(struct instrument *x, uint32_t type, uint32_t id)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), bool_type = spirv_edit_type_bool(&x->edit);
    uint32_t high = instrument_emit(x, SpvOpShiftRightLogical, type,
                                    (const uint32_t[]){id, instrument_u32(x, 32)}, 2);
    high = instrument_emit(x, SpvOpUConvert, u32, &high, 1);
    uint32_t low = instrument_emit(x, SpvOpUConvert, u32, &id, 1);
    high = instrument_emit(x, SpvOpINotEqual, bool_type,
                           (const uint32_t[]){high, instrument_u32(x, 0)}, 2);
    return instrument_emit(x, SpvOpSelect, u32,
                           (const uint32_t[]){high, instrument_u32(x, UINT32_MAX), low}, 3);
}

uint32_t instrument_to_u32(struct instrument *x, uint32_t id)
{
    const uint32_t *type = instrument_definition(x, instrument_type_of(x, id), SpvOpTypeInt, 4);
    if (!type)
        return 0;
    uint64_t value;
    if (instrument_value(x, id, &value)) /* smaller constants are sign-extended in their word */
        return instrument_u32(x, value <= UINT32_MAX ? (uint32_t)value : UINT32_MAX);
    uint32_t known = instrument_memo_find(x, MEMO_U32, id, 0, 0),
             u32 = spirv_edit_type_u32(&x->edit), word = id;
    if (known)
        return known;
    if (type[2] < 32 && type[3]) {
        word = instrument_emit(x, SpvOpSConvert, spirv_edit_type_int(&x->edit, 32, true), &id, 1);
        word = instrument_emit(x, SpvOpBitcast, u32, &word, 1);
    } else if (type[2] > 32) {
        word = emit_narrowed(x, instrument_type_of(x, id), id);
    } else if (type[2] != 32) {
        word = instrument_emit(x, SpvOpUConvert, u32, &id, 1);
    } else if (type[3]) {
        word = instrument_emit(x, SpvOpBitcast, u32, &id, 1);
    }
    instrument_memo_add(x, MEMO_U32, id, 0, 0, word);
    return word;
}

uint32_t instrument_memo_find(const struct instrument *x, uint32_t kind, uint32_t a, uint32_t b,
                              uint32_t c)
{
    assert(kind);
    for (uint32_t i = 0; i < INSTRUMENT_MEMOS; i++) {
        const struct instrument_memo *memo = &x->memos[i];
        if (memo->kind == kind && memo->a == a && memo->b == b && memo->c == c &&
            instrument_dominates(x, memo->block, x->own_block))
            return memo->result;
    }
    return 0;
}

void instrument_memo_add(struct instrument *x, uint32_t kind, uint32_t a, uint32_t b, uint32_t c,
                         uint32_t result)
{
    assert(kind);
    /* The oldest entry is replaced, which costs at most a repeated check. */
    x->memos[x->memo_count++ % INSTRUMENT_MEMOS] = (struct instrument_memo){
        .kind = kind, .a = a, .b = b, .c = c, .result = result, .block = x->own_block};
}

uint32_t instrument_bytes(struct instrument *x, uint32_t entry, uint32_t set)
{
    const uint32_t arguments[] = {instrument_u32(x, entry), instrument_set(x, set)};
    return instrument_call(x, "assay_bytes", spirv_edit_type_u32(&x->edit), arguments,
                           ARRAY_LENGTH(arguments));
}

bool instrument_entry(const struct instrument *x, const struct instrument_access *access,
                      uint32_t *entry)
{
    assert(access && entry);
    uint64_t index = 0;
    if (!access->layout || access->layout->variable ||
        (access->descriptors && !instrument_value(x, access->indices[0], &index)) ||
        index >= access->layout->count)
        return false;
    *entry = instrument_range_entry(access->layout->first + (uint32_t)index);
    return true;
}

uint32_t instrument_number_words(struct instrument *x, uint32_t id,
                                 const struct instrument_numbers *numbers)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit),
             word = numbers->real ? spirv_edit_type_float(&x->edit, 32) : u32;
    bool extend = numbers->is_signed && numbers->width < 32;
    if (extend)
        word = spirv_edit_type_int(&x->edit, 32, true);
    if (numbers->count > 1) {
        u32 = spirv_edit_type_vector(&x->edit, u32, numbers->count);
        word = spirv_edit_type_vector(&x->edit, word, numbers->count);
    }
    if (numbers->width != 32)
        id = instrument_emit(x,
                             numbers->real ? SpvOpFConvert
                             : extend      ? SpvOpSConvert
                                           : SpvOpUConvert,
                             word, &id, 1);
    bool other = numbers->real || extend || (numbers->is_signed && numbers->width == 32);
    return other ? instrument_emit(x, SpvOpBitcast, u32, &id, 1) : id;
}
