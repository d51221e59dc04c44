/* Emits the functions that check the accesses of a group: a loop over a table with a row for each
 * access. The current row is selected by comparisons. So a driver compiles one check, and not one
 * for each access. */
#include "spirv/instrument/instrument_groups.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* Parts of a row's second word: the span in the low bits, and the next two. */
#define ROW_SPAN      0xffffffu
#define ROW_ALIGNMENT 24 /* lowest bit of the logarithm of the alignment, which has 5 bits */
#define ROW_PATTERN   30

/* A row of the table as two words. */
struct row {
    uint32_t offset, word; /* values of constants in the shader */
};

/* Packs span, logarithm of the alignment and pattern of a row into one word. instrument_groups.c
 * limits each of them to its bits. */
static struct row row_of(const struct group_row *row)
{
    uint32_t logarithm = 0;
    while (row->alignment >> logarithm > 1)
        logarithm++;
    return (struct row){row->offset,
                        row->span | logarithm << ROW_ALIGNMENT | row->pattern << ROW_PATTERN};
}

/* Emits an operation on two words, and returns the result's id. */
static uint32_t groups_operate(struct instrument *x, SpvOp opcode, uint32_t a, uint32_t b)
{
    return instrument_emit(x, opcode, spirv_edit_type_u32(&x->edit), (const uint32_t[]){a, b}, 2);
}

/* Emits a comparison of two words; the result is a bool. */
static uint32_t groups_compare(struct instrument *x, SpvOp opcode, uint32_t a, uint32_t b)
{
    return instrument_emit(x, opcode, spirv_edit_type_bool(&x->edit), (const uint32_t[]){a, b}, 2);
}

/* Emits the extraction of component `which` (a literal, not an id) of a vector. */
static uint32_t groups_component(struct instrument *x, uint32_t vector, uint32_t which)
{
    return groups_operate(x, SpvOpCompositeExtract, vector, which);
}

/* Emits the selection of one word of the current row. `less[i]` is a bool: the row's number is less
 * than i. `offset`: the word is the offset, else the packed one. */
static uint32_t groups_look_up(struct instrument *x, const struct row *rows, uint32_t count,
                               const uint32_t *less, bool offset)
{
    uint32_t before = offset ? rows[count - 1].offset : rows[count - 1].word,
             value = instrument_u32(x, before);
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t word = offset ? rows[i - 1].offset : rows[i - 1].word;
        if (word != before)
            value = instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                                    (const uint32_t[]){less[i], instrument_u32(x, word), value}, 3);
        before = word;
    }
    return value;
}

/* Emits the selection of the address of a row's pattern. `bases` are the addresses of `count`
 * patterns; `word` is the row's packed word. */
static uint32_t select_base(struct instrument *x, uint32_t word, const uint32_t *bases,
                            uint32_t count)
{
    uint32_t truth = spirv_edit_type_bool(&x->edit), base = bases[0], pattern = 0;
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    if (count > 1)
        pattern = groups_operate(x, SpvOpShiftRightLogical, word, instrument_u32(x, ROW_PATTERN));
    for (uint32_t i = 1; i < count; i++) {
        uint32_t is = groups_compare(x, SpvOpIEqual, pattern, instrument_u32(x, i));
        uint32_t both =
            instrument_emit(x, SpvOpCompositeConstruct, spirv_edit_type_vector(&x->edit, truth, 2),
                            (const uint32_t[]){is, is}, 2);
        base = instrument_emit(x, SpvOpSelect, pair, (const uint32_t[]){both, bases[i], base}, 3);
    }
    return base;
}

/* Emits the check of row `i`, which reports the access if it is wrong. Returns the id of a bool
 * that is true if it is right. */
static uint32_t look_at_row(struct instrument *x, const struct access_group *group, uint32_t i,
                            const uint32_t *bases)
{
    struct row rows[GROUP_ROWS];
    uint32_t less[GROUP_ROWS] = {0};
    for (uint32_t at = 0; at < group->row_count; at++) {
        rows[at] = row_of(&group->rows[at]);
        less[at] = at ? groups_compare(x, SpvOpULessThan, i, instrument_u32(x, at)) : 0;
    }
    uint32_t offset = groups_look_up(x, rows, group->row_count, less, true),
             word = groups_look_up(x, rows, group->row_count, less, false);
    uint32_t alignment =
        groups_operate(x, SpvOpShiftRightLogical, word, instrument_u32(x, ROW_ALIGNMENT));
    alignment = groups_operate(x, SpvOpBitwiseAnd, alignment, instrument_u32(x, 31));
    alignment = groups_operate(x, SpvOpShiftLeftLogical, instrument_u32(x, 1), alignment);
    uint32_t site = groups_operate(x, SpvOpIMul, i, instrument_u32(x, SITE_FACTOR)),
             first = x->info->shader + group->site * SITE_FACTOR;
    const uint32_t arguments[] = {
        select_base(x, word, bases, group->pattern_count), offset,
        groups_operate(x, SpvOpBitwiseAnd, word, instrument_u32(x, ROW_SPAN)), alignment,
        groups_operate(x, SpvOpIAdd, site, instrument_u32(x, first))};
    return instrument_call(x, group->block ? "assay_member_quiet" : "assay_member",
                           spirv_edit_type_bool(&x->edit), arguments,
                           ARRAY_LENGTH(arguments) - (group->block != 0));
}

/* Emits the check whether all members lie in one buffer, and are aligned. Returns the id of its
 * result, a bool. */
static uint32_t look_at_whole(struct instrument *x, const struct access_group *group,
                              const uint32_t *bases)
{
    uint32_t truth = spirv_edit_type_bool(&x->edit), range = 0, good = 0,
             four = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 4),
             site = x->info->shader + group->site * SITE_FACTOR;
    for (uint32_t i = 0; i < group->pattern_count; i++) {
        const struct group_pattern *pattern = &group->patterns[i];
        /* If this address is aligned, so are the addresses of all members. */
        uint32_t low = pattern->low - pattern->low % pattern->alignment;
        const uint32_t arguments[] = {range,
                                      bases[i],
                                      instrument_u32(x, low),
                                      instrument_u32(x, pattern->high - low),
                                      instrument_u32(x, pattern->alignment),
                                      instrument_u32(x, site)};
        if (i == 0) {
            range = instrument_call(x, "assay_whole", four, &arguments[1], 5);
            uint32_t size = groups_operate(x, SpvOpBitwiseOr, groups_component(x, range, 2),
                                           groups_component(x, range, 3));
            good = groups_compare(x, SpvOpINotEqual, size, instrument_u32(x, 0));
        } else {
            uint32_t too = instrument_call(x, "assay_whole_too", truth, arguments, 5);
            good = instrument_emit(x, SpvOpLogicalAnd, truth, (const uint32_t[]){good, too}, 2);
        }
    }
    return good;
}

/* Emits the loop that checks all rows. Returns the id of a word with a bit for each wrong row.
 * Afterwards the current block is `merge`. */
static uint32_t make_loop(struct instrument *x, const struct access_group *group, uint32_t before,
                          uint32_t merge, const uint32_t *bases)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), zero = instrument_u32(x, 0),
             one = instrument_u32(x, 1), header = spirv_edit_id(&x->edit),
             body = spirv_edit_id(&x->edit), again = spirv_edit_id(&x->edit),
             i = spirv_edit_id(&x->edit), next = spirv_edit_id(&x->edit),
             wrong = spirv_edit_id(&x->edit), wrong_next = spirv_edit_id(&x->edit);
    spirv_edit_emit(&x->edit, SpvOpBranch, header);
    spirv_edit_emit(&x->edit, SpvOpLabel, header);
    spirv_edit_emit(&x->edit, SpvOpPhi, u32, i, zero, before, next, again);
    spirv_edit_emit(&x->edit, SpvOpPhi, u32, wrong, zero, before, wrong_next, again);
    spirv_edit_emit(&x->edit, SpvOpLoopMerge, merge, again, SpvLoopControlMaskNone);
    spirv_edit_emit(&x->edit, SpvOpBranch, body);
    spirv_edit_emit(&x->edit, SpvOpLabel, body);
    uint32_t good = look_at_row(x, group, i, bases);
    uint32_t bit = instrument_emit(x, SpvOpSelect, u32, (const uint32_t[]){good, zero, one}, 3);
    bit = groups_operate(x, SpvOpShiftLeftLogical, bit, i);
    spirv_edit_emit(&x->edit, SpvOpBitwiseOr, u32, wrong_next, wrong, bit);
    spirv_edit_emit(&x->edit, SpvOpIAdd, u32, next, i, one);
    uint32_t more = groups_compare(x, SpvOpULessThan, next, instrument_u32(x, group->row_count));
    spirv_edit_emit(&x->edit, SpvOpBranch, again);
    spirv_edit_emit(&x->edit, SpvOpLabel, again);
    spirv_edit_emit(&x->edit, SpvOpBranchConditional, more, header, merge);
    spirv_edit_emit(&x->edit, SpvOpLabel, merge);
    return wrong_next;
}

/* Emits the function of one group. Its loop is in a branch, since llvmpipe enters loops even with
 * no active invocation. */
static void make_function(struct instrument *x, const struct access_group *group)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), pair = spirv_edit_type_vector(&x->edit, u32, 2),
             types[GROUP_PATTERNS], bases[GROUP_PATTERNS], entry = spirv_edit_id(&x->edit),
             alone = spirv_edit_id(&x->edit), looked = spirv_edit_id(&x->edit),
             after = spirv_edit_id(&x->edit);
    for (uint32_t i = 0; i < group->pattern_count; i++)
        types[i] = pair;
    uint32_t type = spirv_edit_type_function(&x->edit, u32, types, group->pattern_count);
    spirv_edit_emit(&x->edit, SpvOpFunction, u32, group->function, SpvFunctionControlMaskNone,
                    type);
    for (uint32_t i = 0; i < group->pattern_count; i++)
        bases[i] = instrument_emit(x, SpvOpFunctionParameter, pair, NULL, 0);
    spirv_edit_emit(&x->edit, SpvOpLabel, entry);
    uint32_t good = look_at_whole(x, group, bases);
    spirv_edit_emit(&x->edit, SpvOpSelectionMerge, after, SpvSelectionControlMaskNone);
    spirv_edit_emit(&x->edit, SpvOpBranchConditional, good, after, alone);
    spirv_edit_emit(&x->edit, SpvOpLabel, alone);
    uint32_t wrong = make_loop(x, group, alone, looked, bases);
    spirv_edit_emit(&x->edit, SpvOpBranch, after);
    spirv_edit_emit(&x->edit, SpvOpLabel, after);
    const uint32_t values[] = {instrument_u32(x, 0), entry, wrong, looked};
    wrong = instrument_emit(x, SpvOpPhi, u32, values, ARRAY_LENGTH(values));
    spirv_edit_emit(&x->edit, SpvOpReturnValue, wrong);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
}

void instrument_groups_end(struct instrument *x)
{
    for (uint32_t i = 0; x->groups && i < x->groups->group_count; i++) {
        if (x->groups->groups[i].function)
            make_function(x, &x->groups->groups[i]);
    }
}
