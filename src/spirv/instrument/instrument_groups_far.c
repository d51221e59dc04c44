/* Finds accesses through one pointer in many blocks. The check of each would search for its buffer
 * in a loop, which takes compilers very long. So one check, at the end of a block before all of
 * them, finds out which accesses would be wrong.
 *
 * Each access then only tests its bit, and reports. An access that is not executed is not
 * reported. */
#include "spirv/instrument/instrument_groups.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* fewest accesses of a function for which groups are formed; compilers cope with fewer */
#define FAR_ACCESSES 24u
/* fewest accesses of a group, as its search costs time even if no access is executed */
#define FAR_LEAST  8u
#define FAR_GROUPS 64u /* most groups of a function */
#define FAR_STEPS  64u /* most instructions that a comparison of two values looks at */
/* If a block has this many accesses through one pointer, it has a group of its own for them. */
#define FAR_OF_BLOCK 4u

/* True if two ids certainly have the same value: they are computed by the same operations from
 * constants and push constants. `steps` limits the instructions that are compared. */
static bool is_equal_in(const struct instrument *x, uint32_t a, uint32_t b, uint32_t *steps)
{
    a = instrument_same(x, a);
    b = instrument_same(x, b);
    const struct spirv_instruction *of_a = spirv_definition(x->module, a),
                                   *of_b = spirv_definition(x->module, b);
    if (a == b)
        return true;
    if (!*steps || !of_a || !of_b || of_a->opcode != of_b->opcode || of_a->length != of_b->length ||
        of_a->length < 4)
        return false;
    --*steps;
    const uint32_t *words_a = spirv_words(x->module, of_a), *words_b = spirv_words(x->module, of_b);
    const bool load = of_a->opcode == SpvOpLoad && of_a->length == 4;
    const uint32_t *pointer =
        load ? instrument_definition(x, instrument_type_of(x, words_a[3]), SpvOpTypePointer, 4)
             : NULL;
    if (words_a[1] != words_b[1] || of_a->opcode == SpvOpCompositeExtract ||
        (load ? !pointer || pointer[2] != SpvStorageClassPushConstant
              : !instrument_is_pure(x, of_a, words_a)))
        return false;
    for (uint32_t i = 3; i < of_a->length; i++) {
        if (!is_equal_in(x, words_a[i], words_b[i], steps))
            return false;
    }
    return true;
}

/* True if two ids certainly have the same value; after FAR_STEPS instructions the result is
 * false. */
static bool is_equal(const struct instrument *x, uint32_t a, uint32_t b)
{
    uint32_t steps = FAR_STEPS;
    return is_equal_in(x, a, b, &steps);
}

/* Returns the label of the block at whose end accesses of a root can be checked; 0: there is none.
 * `at` gets the index of the instruction before which the check is emitted. */
static uint32_t block_of(struct instrument *x, uint32_t root, uint32_t entry, uint32_t *at)
{
    struct instrument_groups *groups = x->groups;
    *at = groups->entry_tail;
    if (instrument_value_at(x, root, *at, false))
        return spirv_words(x->module, &x->module->instructions[entry])[1];
    uint32_t label = root < x->module->bound ? groups->homes[root] : 0;
    *at = label ? groups->tails[label] : 0;
    return label && x->module->definitions[root] < *at ? label : 0;
}

/* Returns the index of the row for this access, which is added if the group does not have it;
 * SPIRV_NONE: the group is full. */
static uint32_t row_in(struct instrument *x, struct access_group *group,
                       const struct instrument_reach *reach, const struct access_place *place)
{
    for (uint32_t i = 0; i < group->row_count; i++) {
        const struct group_row *row = &group->rows[i];
        const struct group_pattern *pattern = &group->patterns[row->pattern];
        bool same = row->offset == place->offset && row->span == reach->span &&
                    row->alignment == reach->alignment &&
                    pattern->prefix_count == place->prefix_count;
        for (uint32_t k = 0; same && k < place->prefix_count; k++)
            same = is_equal(x, pattern->prefix[k], place->indices[k]);
        if (same)
            return i;
    }
    return instrument_groups_row(x, group, reach, place);
}

/* Returns the index of the group for an access in the block `label`, and its row; SPIRV_NONE: it is
 * in no group. */
static uint32_t find_group(struct instrument *x, uint32_t label, uint32_t entry,
                           const struct instrument_reach *reach, const struct access_place *place,
                           uint32_t *row)
{
    struct instrument_groups *groups = x->groups;
    uint32_t at, block = block_of(x, place->root, entry, &at);
    if (!block || block == label || !instrument_dominates(x, block, label))
        return SPIRV_NONE;
    for (uint32_t i = groups->group_count; i-- > groups->far_first;) {
        struct access_group *group = &groups->groups[i];
        if (group->block != block || !is_equal(x, group->root, place->root))
            continue;
        *row = row_in(x, group, reach, place);
        if (*row != SPIRV_NONE)
            return i;
    }
    if (groups->group_count - groups->far_first >= FAR_GROUPS)
        return SPIRV_NONE;
    struct access_group *group = instrument_groups_open(x, place->root, block, at);
    *row = group ? instrument_groups_row(x, group, reach, place) : SPIRV_NONE;
    return *row != SPIRV_NONE ? groups->group_count - 1 : SPIRV_NONE;
}

/* Adds an access in the block `label` to a group. `counting`: the block's accesses of each root are
 * only counted. */
static void add_access(struct instrument *x, uint32_t index, uint32_t pointer, uint32_t label,
                       uint32_t entry, bool counting)
{
    struct instrument_groups *groups = x->groups;
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    struct instrument_reach reach;
    struct access_place place;
    if (!instrument_reach(x, instruction, spirv_words(x->module, instruction), pointer, &reach) ||
        !instrument_access_place(x, &reach, &place))
        return;
    if (counting) { /* `open` is the number of the block's accesses of this root */
        groups->open[place.root] =
            groups->open_since[place.root] == groups->part ? groups->open[place.root] + 1 : 1;
        groups->open_since[place.root] = groups->part;
        return;
    }
    uint32_t row = SPIRV_NONE, group = SPIRV_NONE;
    if (groups->open[place.root] < FAR_OF_BLOCK)
        group = find_group(x, label, entry, &reach, &place, &row);
    struct group_member *member =
        group != SPIRV_NONE ? instrument_groups_member(&groups->far) : NULL;
    if (!member)
        return;
    *member =
        (struct group_member){.instruction = index, .pointer = pointer, .group = group, .row = row};
    groups->groups[group].count++;
}

/* Calls add_access() for all accesses of a block. */
static void add_block(struct instrument *x, uint32_t first, uint32_t end, uint32_t entry,
                      bool counting)
{
    const uint32_t label = spirv_words(x->module, &x->module->instructions[first])[1];
    for (uint32_t i = first + 1; i < end; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t second;
        bool writes;
        uint32_t pointer =
            instrument_accessed(instruction, spirv_words(x->module, instruction), &second, &writes);
        if (pointer)
            add_access(x, i, pointer, label, entry, counting);
        if (second)
            add_access(x, i, second, label, entry, counting);
    }
}

/* Notes in which block values are computed, and which instruction ends it. */
static void note_homes(struct instrument *x, uint32_t first, uint32_t end)
{
    const uint32_t label = spirv_words(x->module, &x->module->instructions[first])[1];
    if (label >= x->module->bound)
        return;
    x->groups->tails[label] = instrument_block_tail(x, first);
    for (uint32_t i = first + 1; i < end; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
        if (!rule || !rule->has_type || !rule->has_result || instruction->length < 3)
            continue;
        const uint32_t id = spirv_words(x->module, instruction)[2];
        if (id < x->module->bound)
            x->groups->homes[id] = label;
    }
}

/* Counts the accesses through pointers in the function; `end` gets the index of the instruction
 * that ends it. */
static uint32_t count_accesses(const struct instrument *x, uint32_t function, uint32_t *end)
{
    uint32_t count = 0, i = function;
    for (;
         i < x->module->instruction_count && x->module->instructions[i].opcode != SpvOpFunctionEnd;
         i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t second;
        bool writes;
        uint32_t pointer =
            instrument_accessed(instruction, spirv_words(x->module, instruction), &second, &writes);
        const uint32_t *type =
            instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
        count += type && type[2] == SpvStorageClassPhysicalStorageBuffer;
    }
    *end = i;
    return count;
}

void instrument_groups_far(struct instrument *x, uint32_t function)
{
    uint32_t end, entry = 0;
    /* The groups of the previous function are complete. They stay in the list, since the functions
     * that check them are emitted at the end. */
    if (x->groups) {
        x->groups->far_first = x->groups->far_end = x->groups->group_count;
        x->groups->far.cursor = x->groups->far.count;
        x->groups->due = 0;
    }
    if (!(x->info->checks & SPIRV_CHECK_ADDRESSES) || x->info->most_checks || !x->blocks ||
        count_accesses(x, function, &end) < FAR_ACCESSES || !instrument_groups_begin(x) ||
        !instrument_values_function(x, function, end))
        return;
    struct instrument_groups *groups = x->groups;
    groups->far_first = groups->far_end = groups->group_count;
    for (uint32_t i = function; i < end; i++) {
        if (x->module->instructions[i].opcode != SpvOpLabel ||
            x->module->instructions[i].length < 2)
            continue;
        if (!entry) {
            entry = i;
            groups->entry_tail = instrument_block_tail(x, i);
        }
        const uint32_t last = instrument_block_end(x, i);
        if (!instrument_values_read(x, i, last))
            break;
        note_homes(x, i, last);
        groups->part++;
        add_block(x, i, last, entry, true);
        if (i != entry)
            add_block(x, i, last, entry, false);
    }
    groups->part++;
    groups->far_end = groups->group_count;
    for (uint32_t i = groups->far_first; i < groups->far_end; i++) {
        if (groups->groups[i].count < FAR_LEAST)
            /* A group with a count of 0 is dissolved: its members are checked alone. */
            groups->groups[i].count = 0;
    }
}

const struct access_group *instrument_groups_far_find(const struct instrument *x,
                                                      uint32_t instruction, uint32_t pointer,
                                                      uint32_t *row)
{
    const struct instrument_groups *groups = x->groups;
    if (!groups || groups->far_first == groups->far_end)
        return NULL;
    uint32_t low = groups->far.cursor, high = groups->far.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (groups->far.list[middle].instruction < instruction)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < groups->far.count && groups->far.list[low].instruction == instruction; low++) {
        const struct group_member *member = &groups->far.list[low];
        if (member->pointer != pointer || !groups->groups[member->group].count)
            continue;
        *row = member->row;
        return &groups->groups[member->group];
    }
    return NULL;
}

void instrument_groups_before(struct instrument *x)
{
    struct instrument_groups *groups = x->groups;
    if (!groups || !groups->due || x->index != groups->due)
        return;
    groups->due = 0;
    for (uint32_t i = groups->far_first; i < groups->far_end; i++) {
        struct access_group *group = &groups->groups[i];
        if (group->block == x->own_block && group->count)
            instrument_groups_call(x, group);
    }
}

uint32_t instrument_groups_known(struct instrument *x, const struct instrument_reach *reach,
                                 uint32_t address, uint32_t site)
{
    uint32_t row;
    const struct access_group *group =
        instrument_groups_far_find(x, x->index, reach->pointer, &row);
    if (!group || !group->function)
        return 0;
    const uint32_t arguments[] = {group->wrong, instrument_u32(x, row), address,
                                  instrument_u32(x, reach->alignment), site};
    return instrument_check(x, "assay_known", arguments, ARRAY_LENGTH(arguments));
}
