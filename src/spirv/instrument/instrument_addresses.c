/* Checks accesses through device addresses: all bytes must be in one buffer, and the address must
 * be aligned as the instruction promises. */
#include "spirv/instrument/instrument_build.h"

#include "spirv/abi.h"
#include "spirv/atomic.h"

uint32_t instrument_accessed(const struct spirv_instruction *instruction, const uint32_t *words,
                             uint32_t *second, bool *writes)
{
    assert(words && second && writes);
    *second = 0;
    *writes = false;
    switch (instruction->opcode) {
    case SpvOpLoad:
    case SpvOpAtomicLoad:
        return instruction->length > 3 ? words[3] : 0;
    case SpvOpStore:
    case SpvOpAtomicStore:
        *writes = true;
        return instruction->length > 2 ? words[1] : 0;
    case SpvOpCopyMemory:
        *writes = true;
        *second = instruction->length > 2 ? words[2] : 0;
        return instruction->length > 2 ? words[1] : 0;
    default:
        *writes = spirv_is_atomic_with_result(instruction->opcode);
        return *writes && instruction->length > 3 ? words[3] : 0;
    }
}

/* Returns the alignment in bytes that the memory operands of a load or store promise; 1: they
 * promise none. */
static uint32_t promised_alignment(const struct spirv_instruction *instruction,
                                   const uint32_t *words)
{
    uint32_t at = instruction->opcode == SpvOpLoad ? 4 : 3;
    if (instruction->opcode != SpvOpLoad && instruction->opcode != SpvOpStore &&
        instruction->opcode != SpvOpCopyMemory)
        return 1;
    if (instruction->length <= at + 1 || !(words[at] & SpvMemoryAccessAlignedMask))
        return 1;
    uint32_t alignment = words[at + 1];
    return alignment && !(alignment & (alignment - 1)) ? alignment : 1;
}

/* Finds the last struct member in the pointer's access chain, and the index that selects a column
 * of a matrix. Returns false if there is no chain, or it is not understood. */
static bool read_end(const struct instrument *x, struct instrument_reach *reach)
{
    const struct spirv_instruction *chain = spirv_definition(x->module, reach->pointer);
    if (!chain ||
        (chain->opcode != SpvOpAccessChain && chain->opcode != SpvOpInBoundsAccessChain) ||
        chain->length < 5)
        return false;
    const uint32_t *words = spirv_words(x->module, chain);
    const uint32_t *base =
        instrument_definition(x, instrument_type_of(x, words[3]), SpvOpTypePointer, 4);
    uint32_t type = base ? base[3] : 0;
    for (uint32_t i = 4; i < chain->length; i++) {
        uint64_t index;
        const struct spirv_instruction *definition = spirv_definition(x->module, type);
        if (!definition || definition->length < 3)
            return false;
        const uint32_t *type_words = spirv_words(x->module, definition);
        if (definition->opcode != SpvOpTypeStruct) {
            if (definition->opcode == SpvOpTypeMatrix) {
                /* The last matrix in the chain is kept. */
                reach->column = i;
                reach->matrix = type;
            }
            type = type_words[2];
            continue;
        }
        if (!instrument_value(x, words[i], &index) || index + 2 >= definition->length)
            return false;
        reach->member = instrument_member(x, type, (uint32_t)index);
        type = type_words[2 + index];
    }
    /* The chain is only kept if all of it is understood. */
    reach->chain = words;
    reach->length = chain->length;
    return true;
}

/* Returns the bytes from the first to the last component of a column, or of one component, of a
 * matrix that is stored by rows. 0: unknown. */
static uint32_t span_in_rows(const struct instrument *x, const struct instrument_reach *reach)
{
    const uint32_t *matrix = instrument_definition(x, reach->matrix, SpvOpTypeMatrix, 4);
    const uint32_t *vector =
        matrix ? instrument_definition(x, matrix[2], SpvOpTypeVector, 4) : NULL;
    uint32_t scalar = vector ? instrument_size(x, vector[2], NULL) : 0;
    if (!scalar || !reach->member->matrix_stride)
        return 0;
    return reach->column + 1 < reach->length
               ? scalar
               : (vector[3] - 1) * reach->member->matrix_stride + scalar;
}

bool instrument_reach(const struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words, uint32_t pointer, struct instrument_reach *reach)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    *reach = (struct instrument_reach){.pointer = pointer};
    if (!type || type[2] != SpvStorageClassPhysicalStorageBuffer)
        return false;
    /* An access through a pointer without a chain is of its whole type. */
    if (!read_end(x, reach))
        *reach = (struct instrument_reach){.pointer = pointer};
    if (reach->column && !reach->member)
        return false; /* it is not known whether the matrix is stored by rows */
    reach->in_rows = reach->column && reach->member->row_major;
    reach->size = instrument_size(x, type[3], reach->member);
    reach->alignment = promised_alignment(instruction, words);
    reach->span = reach->in_rows ? span_in_rows(x, reach) : reach->size;
    return reach->size != 0;
}

uint32_t instrument_address(struct instrument *x, uint32_t pointer)
{
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    return instrument_emit(x, SpvOpBitcast, pair, &pointer, 1);
}

/* Returns the address of a column, or of a component, in a matrix that is stored by rows. Drivers
 * differ in such a pointer's address, so it is computed from the matrix's address. 0: an index is
 * not understood. */
static uint32_t address_in_rows(struct instrument *x, const struct instrument_reach *reach)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    const uint32_t *matrix = instrument_definition(x, reach->matrix, SpvOpTypeMatrix, 4);
    const uint32_t *vector =
        matrix ? instrument_definition(x, matrix[2], SpvOpTypeVector, 4) : NULL;
    if (!vector || !reach->span)
        return 0;
    uint32_t stride = reach->member->matrix_stride, scalar = instrument_size(x, vector[2], NULL),
             column = instrument_to_u32(x, reach->chain[reach->column]),
             row = reach->column + 1 < reach->length
                       ? instrument_to_u32(x, reach->chain[reach->column + 1])
                       : 0;
    if (!column || (!row && reach->column + 1 < reach->length))
        return 0;
    uint32_t offset = instrument_emit(x, SpvOpIMul, u32,
                                      (const uint32_t[]){column, instrument_u32(x, scalar)}, 2);
    if (row) {
        row = instrument_emit(x, SpvOpIMul, u32, (const uint32_t[]){row, instrument_u32(x, stride)},
                              2);
        offset = instrument_emit(x, SpvOpIAdd, u32, (const uint32_t[]){offset, row}, 2);
    }
    uint32_t type =
        spirv_edit_type_pointer(&x->edit, SpvStorageClassPhysicalStorageBuffer, reach->matrix);
    uint32_t pointer =
        instrument_emit(x, SpvOpAccessChain, type, &reach->chain[3], reach->column - 3);
    const uint32_t arguments[] = {instrument_address(x, pointer), offset};
    return instrument_call(x, "assay_address", spirv_edit_type_vector(&x->edit, u32, 2), arguments,
                           ARRAY_LENGTH(arguments));
}

uint32_t instrument_address_site(struct instrument *x, uint32_t index, uint32_t span,
                                 uint32_t alignment, bool writes)
{
    /* ERROR_ADDRESS_ALIGNMENT has one word more than ERROR_ADDRESS_RANGE. */
    const struct spirv_site site = {.where = instrument_place(x, index),
                                    .error = ERROR_ADDRESS_RANGE,
                                    .words = {[2] = span, [3] = writes, [4] = alignment},
                                    .from = {SITE_A, SITE_B},
                                    .error_from = SITE_C};
    return instrument_site(x, &site);
}

/* Checks that an access by a physical pointer lies in a buffer, and is aligned. `writes` is true
 * for a write. */
static void check_pointer(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words, uint32_t pointer, bool writes)
{
    struct instrument_reach reach;
    if (!instrument_reach(x, instruction, words, pointer, &reach))
        return;
    uint32_t done = instrument_memo_find(x, MEMO_WITHIN, pointer, reach.size, reach.alignment);
    if (done) {
        instrument_require(x, done);
        return;
    }
    uint32_t ok = instrument_groups_check(x, pointer);
    if (!ok) {
        uint32_t address =
            reach.in_rows ? address_in_rows(x, &reach) : instrument_address(x, pointer);
        if (!address)
            return;
        const uint32_t arguments[] = {
            address, instrument_u32(x, reach.span), instrument_u32(x, reach.alignment),
            instrument_address_site(x, x->index, reach.span, reach.alignment, writes)};
        ok = instrument_groups_known(x, &reach, address, arguments[3]);
        if (!ok)
            ok = instrument_check(x, "assay_pointer", arguments, ARRAY_LENGTH(arguments));
    }
    instrument_memo_add(x, MEMO_WITHIN, pointer, reach.size, reach.alignment, ok);
}

void instrument_addresses(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words)
{
    uint32_t second;
    bool writes;
    if (!(x->info->checks & SPIRV_CHECK_ADDRESSES))
        return;
    uint32_t pointer = instrument_accessed(instruction, words, &second, &writes);
    if (pointer)
        check_pointer(x, instruction, words, pointer, writes);
    if (second)
        check_pointer(x, instruction, words, second, false);
}
