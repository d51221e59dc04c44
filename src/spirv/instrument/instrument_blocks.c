/* Finds the dominators of a function's blocks: the blocks that come before a block on every path
 * (2.16.1). It uses "A Simple, Fast Dominance Algorithm" by Cooper, Harvey and Kennedy. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

/* A block of a function, and its interval in the tree of dominators. */
struct instrument_block {
    uint32_t label; /* id */
    uint32_t end;   /* index of the instruction that ends it */
    uint32_t order; /* number in postorder, from 1 on; 0: the block is not reachable */
    /* index of its immediate dominator; the first block has itself */
    uint32_t dominator;
    /* its interval in the tree of dominators, from `begin` to before `finish`, which contains the
     * intervals of all blocks that it dominates */
    uint32_t begin, finish;
};

/* In place of an index: there is no such block, or it was not visited yet. */
#define NONE UINT32_MAX

/* Returns the label of the block's successor number `at`; 0: there are no more. */
static uint32_t block_successor(const struct instrument *x, const struct instrument_block *block,
                                uint32_t at)
{
    const struct spirv_instruction *end = &x->module->instructions[block->end];
    const uint32_t *words = spirv_words(x->module, end);
    switch (end->opcode) {
    case SpvOpBranch:
        return at == 0 && end->length > 1 ? words[1] : 0;
    case SpvOpBranchConditional:
        return at < 2 && end->length > 3 ? words[2 + at] : 0;
    case SpvOpSwitch: {
        const uint32_t selector = end->length > 2 ? words[1] : 0;
        const uint32_t *type =
            instrument_definition(x, instrument_type_of(x, selector), SpvOpTypeInt, 4);
        uint32_t literal = type && type[2] > 32 ? 2 : 1, word = 2 + at * (literal + 1);
        return selector && word < end->length ? words[word] : 0;
    }
    default:
        return 0;
    }
}

/* Returns the block's number in the function; NONE: it is in another function. */
static uint32_t block_number(const struct instrument *x, uint32_t label)
{
    return label < x->module->bound ? x->block_numbers[label] : NONE;
}

/* Numbers the blocks in postorder and lists them in that order. Returns how many are reachable. */
static uint32_t order_blocks(const struct instrument *x, struct instrument_block *blocks,
                             uint32_t *list, uint32_t *stack, uint32_t *next)
{
    uint32_t depth = 0, count = 0;
    stack[depth++] = 0;
    blocks[0].order = NONE;
    while (depth) {
        uint32_t at = stack[depth - 1], label = block_successor(x, &blocks[at], next[at]++);
        uint32_t to = label ? block_number(x, label) : NONE;
        if (!label) {
            list[count] = at;
            blocks[at].order = ++count;
            depth--;
        } else if (to != NONE && !blocks[to].order) {
            blocks[to].order = NONE;
            stack[depth++] = to;
        }
    }
    return count;
}

/* Returns the nearest block that dominates both. Orders grow towards the first block. */
static uint32_t blocks_common_dominator(const struct instrument_block *blocks, uint32_t a,
                                        uint32_t b)
{
    assert(blocks);
    while (a != b) {
        while (blocks[a].order < blocks[b].order)
            a = blocks[a].dominator;
        while (blocks[b].order < blocks[a].order)
            b = blocks[b].dominator;
    }
    return a;
}

/* Finds the immediate dominators of the blocks; `list` has them in postorder. */
static void find_dominators(const struct instrument *x, struct instrument_block *blocks,
                            const uint32_t *list, uint32_t count)
{
    blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count; i-- > 0;) {
            const uint32_t from = list[i];
            uint32_t label;
            if (blocks[from].dominator == NONE)
                continue;
            for (uint32_t at = 0; (label = block_successor(x, &blocks[from], at)) != 0; at++) {
                uint32_t to = block_number(x, label);
                if (to == NONE || to == 0)
                    continue;
                uint32_t best = blocks[to].dominator == NONE
                                    ? from
                                    : blocks_common_dominator(blocks, blocks[to].dominator, from);
                changed = changed || best != blocks[to].dominator;
                blocks[to].dominator = best;
            }
        }
    }
}

/* Gives each block an interval within the interval of its dominator, which comes before it in
 * reverse postorder. `sizes` are the sizes of the subtrees. */
static void number_tree(struct instrument_block *blocks, const uint32_t *list, uint32_t count,
                        uint32_t *sizes)
{
    for (uint32_t i = 0; i < count; i++)
        sizes[list[i]] = 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        sizes[blocks[list[i]].dominator] += sizes[list[i]];
    blocks[0].begin = 0;
    blocks[0].finish = 1;
    for (uint32_t i = count - 1; i-- > 0;) {
        struct instrument_block *block = &blocks[list[i]], *above = &blocks[block->dominator];
        block->begin = above->finish;
        above->finish += sizes[list[i]];
        block->finish = block->begin + 1;
    }
    for (uint32_t i = 0; i < count; i++)
        blocks[list[i]].finish = blocks[list[i]].begin + sizes[list[i]];
}

/* Counts the blocks of the function at this instruction. */
static uint32_t count_blocks(const struct instrument *x, uint32_t function)
{
    uint32_t count = 0;
    for (uint32_t i = function; i < x->module->instruction_count; i++) {
        if (x->module->instructions[i].opcode == SpvOpFunctionEnd)
            break;
        count += x->module->instructions[i].opcode == SpvOpLabel;
    }
    return count;
}

/* Lists the blocks of the function at instruction `function`. */
static void list_blocks(struct instrument *x, uint32_t function, struct instrument_block *blocks)
{
    uint32_t count = 0;
    for (uint32_t i = function; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        if (instruction->opcode == SpvOpFunctionEnd)
            break;
        if (instruction->opcode == SpvOpLabel && instruction->length > 1) {
            uint32_t label = spirv_words(x->module, instruction)[1];
            blocks[count] = (struct instrument_block){.label = label, .dominator = NONE};
            if (label < x->module->bound)
                x->block_numbers[label] = count;
            count++;
        }
        if (count && instruction->opcode != SpvOpLine && instruction->opcode != SpvOpNoLine)
            blocks[count - 1].end = i;
    }
}

void instrument_blocks_read(struct instrument *x)
{
    instrument_blocks_free(x);
    uint32_t count = count_blocks(x, x->index);
    struct instrument_block *blocks = count ? mem_alloc_zeroed(count * sizeof(*blocks)) : NULL;
    uint32_t *lists = count ? mem_alloc_zeroed(count * (size_t)3 * sizeof(*lists)) : NULL;
    x->block_numbers = x->block_numbers ? x->block_numbers
                                        : mem_alloc(x->module->bound * sizeof(*x->block_numbers));
    /* If memory is out, no block dominates another one, and checks are only repeated. */
    if (blocks && lists && x->block_numbers) {
        memset(x->block_numbers, 0xff, x->module->bound * sizeof(*x->block_numbers)); /* NONE */
        list_blocks(x, x->index, blocks);
        uint32_t *list = lists, *stack = lists + count, *next = stack + count;
        uint32_t reached = order_blocks(x, blocks, list, stack, next);
        find_dominators(x, blocks, list, reached);
        number_tree(blocks, list, reached, stack);
        x->blocks = blocks;
        blocks = NULL;
    }
    mem_free(blocks);
    mem_free(lists);
}

void instrument_blocks_free(struct instrument *x)
{
    mem_free(x->blocks);
    x->blocks = NULL;
}

bool instrument_dominates(const struct instrument *x, uint32_t a, uint32_t b)
{
    uint32_t from = x->blocks ? block_number(x, a) : NONE,
             to = x->blocks ? block_number(x, b) : NONE;
    if (a == b)
        return true;
    return from != NONE && to != NONE && x->blocks[from].order && x->blocks[to].order &&
           x->blocks[from].begin <= x->blocks[to].begin &&
           x->blocks[to].begin < x->blocks[from].finish;
}
