/* Checks accesses through device addresses: all of an access is in a buffer, and aligned as the
 * instruction says. */
#include "instrument_build.h"

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

/* The alignment that the memory operands of a load or store promise; 1 without. */
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

/* Where a chain's end lies: the member that its last index into a struct selects, and the index
 * that selects a column of a matrix. */
struct end {
    const struct instrument_member *member; /* NULL: none, or unknown */
    const uint32_t *chain;                  /* words of the access chain; NULL: unknown */
    uint32_t length;                        /* of `chain` */
    uint32_t column;                        /* position in `chain`; 0: it enters no matrix */
    uint32_t matrix;                        /* type id of that matrix */
};

static struct end end_of(const struct instrument *x, uint32_t pointer)
{
    const struct end unknown = {NULL};
    const struct spirv_instruction *chain = spirv_definition(x->module, pointer);
    if (!chain ||
        (chain->opcode != SpvOpAccessChain && chain->opcode != SpvOpInBoundsAccessChain) ||
        chain->length < 5)
        return unknown;
    const uint32_t *words = spirv_words(x->module, chain);
    const uint32_t *base =
        instrument_definition(x, instrument_type_of(x, words[3]), SpvOpTypePointer, 4);
    uint32_t type = base ? base[3] : 0;
    struct end end = {.chain = words, .length = chain->length};
    for (uint32_t i = 4; i < chain->length; i++) {
        uint64_t index;
        const struct spirv_instruction *definition = spirv_definition(x->module, type);
        if (!definition || definition->length < 3)
            return unknown;
        const uint32_t *type_words = spirv_words(x->module, definition);
        if (definition->opcode != SpvOpTypeStruct) {
            if (definition->opcode == SpvOpTypeMatrix) {
                end.column = i;
                end.matrix = type;
            }
            type = type_words[2];
            continue;
        }
        if (!instrument_value(x, words[i], &index) || index + 2 >= definition->length)
            return unknown;
        end.member = instrument_member(x, type, (uint32_t)index);
        type = type_words[2 + index];
    }
    return end;
}

static uint32_t to_pair(struct instrument *x, uint32_t pointer)
{
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    return instrument_emit(x, SpvOpBitcast, pair, &pointer, 1);
}

/* The address of a column, or of a component, in a matrix that is stored by rows. Drivers differ in
 * which address such a pointer has when it is made a number, so that it is reckoned from the
 * matrix's own. `size` becomes the number of bytes from the first to the last component. 0: an
 * index is not understood. */
static uint32_t address_in_rows(struct instrument *x, const struct end *end, uint32_t *size)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    const uint32_t *matrix = instrument_definition(x, end->matrix, SpvOpTypeMatrix, 4);
    const uint32_t *vector =
        matrix ? instrument_definition(x, matrix[2], SpvOpTypeVector, 4) : NULL;
    if (!vector || !end->member->matrix_stride)
        return 0;
    uint32_t stride = end->member->matrix_stride, scalar = instrument_size(x, vector[2], NULL),
             column = instrument_to_u32(x, end->chain[end->column]),
             row = end->column + 1 < end->length ? instrument_to_u32(x, end->chain[end->column + 1])
                                                 : 0;
    if (!scalar || !column || (!row && end->column + 1 < end->length))
        return 0;
    uint32_t offset = instrument_emit(x, SpvOpIMul, u32,
                                      (const uint32_t[]){column, instrument_u32(x, scalar)}, 2);
    if (row) {
        row = instrument_emit(x, SpvOpIMul, u32, (const uint32_t[]){row, instrument_u32(x, stride)},
                              2);
        offset = instrument_emit(x, SpvOpIAdd, u32, (const uint32_t[]){offset, row}, 2);
    }
    *size = row ? scalar : (vector[3] - 1) * stride + scalar;
    uint32_t type =
        spirv_edit_type_pointer(&x->edit, SpvStorageClassPhysicalStorageBuffer, end->matrix);
    uint32_t pointer = instrument_emit(x, SpvOpAccessChain, type, &end->chain[3], end->column - 3);
    const uint32_t arguments[] = {to_pair(x, pointer), offset};
    return instrument_call(x, "assay_address", spirv_edit_type_vector(&x->edit, u32, 2), arguments,
                           ARRAY_LENGTH(arguments));
}

static void check_pointer(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words, uint32_t pointer, bool writes)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    if (!type || type[2] != SpvStorageClassPhysicalStorageBuffer)
        return;
    const struct end end = end_of(x, pointer);
    if (end.column && !end.member)
        return; /* of the matrix it is not known whether it is stored by rows */
    bool in_rows = end.column && end.member->row_major;
    uint32_t size = instrument_size(x, type[3], end.member),
             alignment = promised_alignment(instruction, words);
    if (!size)
        return;
    uint32_t done = instrument_memo_find(x, MEMO_WITHIN, pointer, size, alignment);
    if (done) {
        instrument_require(x, done);
        return;
    }
    uint32_t span = size;
    uint32_t address = in_rows ? address_in_rows(x, &end, &span) : to_pair(x, pointer);
    if (!address)
        return;
    /* ERROR_ADDRESS_ALIGNMENT has one word more. */
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_ADDRESS_RANGE,
                                    .words = {[2] = span, [3] = writes, [4] = alignment},
                                    .from = {SITE_A, SITE_B},
                                    .error_from = SITE_C};
    const uint32_t arguments[] = {address, instrument_u32(x, span), instrument_u32(x, alignment),
                                  instrument_site(x, &site)};
    instrument_memo_add(x, MEMO_WITHIN, pointer, size, alignment,
                        instrument_check(x, "assay_pointer", arguments, ARRAY_LENGTH(arguments)));
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
