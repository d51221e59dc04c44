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

/* The member that the pointer's last index selects, for what matrices need; NULL: none, or unknown.
 */
static const struct instrument_member *member_of(const struct instrument *x, uint32_t pointer)
{
    const struct spirv_instruction *chain = spirv_definition(x->module, pointer);
    if (!chain ||
        (chain->opcode != SpvOpAccessChain && chain->opcode != SpvOpInBoundsAccessChain) ||
        chain->length < 5)
        return NULL;
    const uint32_t *words = spirv_words(x->module, chain);
    const uint32_t *base =
        instrument_definition(x, instrument_type_of(x, words[3]), SpvOpTypePointer, 4);
    uint32_t type = base ? base[3] : 0;
    const struct instrument_member *member = NULL;
    for (uint32_t i = 4; i < chain->length; i++) {
        uint64_t index;
        const struct spirv_instruction *definition = spirv_definition(x->module, type);
        if (!definition || definition->length < 3)
            return NULL;
        const uint32_t *type_words = spirv_words(x->module, definition);
        if (definition->opcode != SpvOpTypeStruct) {
            type = type_words[2];
            continue;
        }
        if (!instrument_value(x, words[i], &index) || index + 2 >= definition->length)
            return NULL;
        member = instrument_member(x, type, (uint32_t)index);
        type = type_words[2 + index];
    }
    return member;
}

static void check_pointer(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words, uint32_t pointer, bool writes)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    if (!type || type[2] != SpvStorageClassPhysicalStorageBuffer)
        return;
    const struct instrument_member *member = member_of(x, pointer);
    /* The components of a column lie apart in a matrix by rows. Drivers differ in which address
     * they take its pointer for. */
    if (member && member->row_major && instrument_opcode(x, type[3]) == SpvOpTypeVector)
        return;
    uint32_t size = instrument_size(x, type[3], member),
             alignment = promised_alignment(instruction, words);
    if (!size)
        return;
    uint32_t done = instrument_memo_find(x, MEMO_WITHIN, pointer, size, alignment);
    if (done) {
        instrument_require(x, done);
        return;
    }
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    uint32_t address = instrument_emit(x, SpvOpBitcast, pair, &pointer, 1);
    /* ERROR_ADDRESS_ALIGNMENT has one word more. */
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_ADDRESS_RANGE,
                                    .words = {[2] = size, [3] = writes, [4] = alignment},
                                    .from = {SITE_A, SITE_B},
                                    .error_from = SITE_C};
    const uint32_t arguments[] = {address, instrument_u32(x, size), instrument_u32(x, alignment),
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
