/* Checks accesses through one pointer together. Compilers copy a check to each access, and some
 * take time that grows with the square of a shader's branches. So accesses in one block share a
 * check, if their addresses are known at the first of them, and none is executed without the
 * others. The check tests whether all bytes lie in one buffer. If they do not, it tests and reports
 * each access alone.
 *
 * An address is split into a root, a prefix, and an offset. The root is a pointer, the prefix is
 * the indices up to the last one that is not constant, and the offset is in bytes. Accesses with
 * the same root and prefix are a pattern, whose address is computed once. A group has one root and
 * few patterns. */
#include "spirv/instrument/instrument_groups.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "base/vec.h"
#include "spirv/atomic.h"

#define STEPS        64u /* most instructions that compute a value */
#define MOST_ALIGNED 4096u
#define MOST_SPAN    0x10000u /* most bytes of one access, and of a whole pattern */
/* fewest checks that a group must save, where each pattern counts as one check */
#define SAVED 2u
#define CALLS 8u /* most levels of calls that are followed */

bool instrument_groups_begin(struct instrument *x)
{
    if (x->groups)
        return true;
    struct instrument_groups *groups = mem_alloc_zeroed(sizeof(*groups));
    x->groups = groups;
    if (!groups)
        return false;
    groups->open = mem_alloc_zeroed(x->module->bound * sizeof(*groups->open));
    groups->open_since = mem_alloc_zeroed(x->module->bound * sizeof(*groups->open_since));
    groups->seen = mem_alloc_zeroed(x->module->bound * sizeof(*groups->seen));
    groups->homes = mem_alloc_zeroed(x->module->bound * sizeof(*groups->homes));
    groups->tails = mem_alloc_zeroed(x->module->bound * sizeof(*groups->tails));
    groups->returns = mem_alloc_zeroed(x->module->bound * sizeof(*groups->returns));
    if (groups->open && groups->open_since && groups->seen && groups->homes && groups->tails &&
        groups->returns)
        return true;
    instrument_groups_free(x);
    return false;
}

void instrument_groups_free(struct instrument *x)
{
    struct instrument_groups *groups = x->groups;
    if (!groups)
        return;
    mem_free(groups->open);
    mem_free(groups->open_since);
    mem_free(groups->seen);
    mem_free(groups->homes);
    mem_free(groups->tails);
    mem_free(groups->returns);
    mem_free(groups->near.list);
    mem_free(groups->far.list);
    mem_free(groups->groups);
    mem_free(groups);
    x->groups = NULL;
}

/* --- the place of an access --- */

/* Follows the access chains to the root, and collects their indices. Returns false if there are too
 * many, or there is no root. */
static bool read_chains(const struct instrument *x, uint32_t pointer, struct access_place *place)
{
    uint32_t at = INSTRUMENT_CHAIN;
    place->root = instrument_same(x, pointer);
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, place->root);
        if (!definition || definition->opcode == SpvOpUndef)
            return false;
        if ((definition->opcode != SpvOpAccessChain &&
             definition->opcode != SpvOpInBoundsAccessChain) ||
            definition->length < 4) {
            place->count = INSTRUMENT_CHAIN - at;
            memmove(place->indices, &place->indices[at], place->count * sizeof(*place->indices));
            return true;
        }
        const uint32_t *words = spirv_words(x->module, definition);
        if (definition->length - 4u > at)
            return false;
        for (uint32_t i = definition->length; i-- > 4;)
            place->indices[--at] = instrument_same(x, words[i]);
        place->root = instrument_same(x, words[3]);
    }
    return false;
}

/* Returns the stride in bytes of an index into `*type`, which becomes the type of the part; 0: it
 * is unknown. */
static uint32_t stride_of(const struct instrument *x, const struct instrument_member *in,
                          bool *by_rows, uint32_t *type)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, *type);
    if (!definition || definition->length < 3)
        return 0;
    const uint32_t id = *type;
    *type = spirv_words(x->module, definition)[2];
    switch (definition->opcode) {
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return x->strides[id];
    case SpvOpTypeMatrix: {
        const uint32_t *vector = instrument_definition(x, *type, SpvOpTypeVector, 4);
        *by_rows = in && in->row_major;
        if (!in || !vector)
            return 0;
        return in->row_major ? instrument_size(x, vector[2], NULL) : in->matrix_stride;
    }
    case SpvOpTypeVector:
        return *by_rows ? in->matrix_stride : instrument_size(x, *type, NULL);
    default:
        return 0;
    }
}

/* Computes prefix and offset from the indices, by the types' layouts. Returns false if the place is
 * not understood. */
static bool reach_walk(const struct instrument *x, const struct instrument_reach *reach,
                       struct access_place *place)
{
    const uint32_t *pointer =
        instrument_definition(x, instrument_type_of(x, place->root), SpvOpTypePointer, 4);
    const struct instrument_member *in = NULL;
    uint64_t offset = 0, index;
    bool by_rows = false;
    if (!pointer || pointer[2] != SpvStorageClassPhysicalStorageBuffer)
        return false;
    uint32_t type = place->type = pointer[3];
    for (uint32_t i = 0; i < place->count; i++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, type);
        bool known = instrument_value(x, place->indices[i], &index);
        /* With this limit products with a stride cannot overflow 64 bits. */
        if (!definition || (known && index > INT16_MAX * UINT64_C(256)))
            return false;
        if (definition->opcode == SpvOpTypeStruct) {
            if (!known || index + 2 >= definition->length)
                return false;
            in = instrument_member(x, type, (uint32_t)index);
            if (!in)
                return false;
            offset += in->offset;
            type = spirv_words(x->module, definition)[2 + index];
            continue;
        }
        uint32_t stride = stride_of(x, in, &by_rows, &type);
        if (!stride || (!known && by_rows))
            return false;
        offset += known ? index * stride : 0;
        if (!known) {
            /* The prefix ends after this index; the offset counts from there. */
            place->prefix_count = i + 1;
            place->type = type;
            offset = 0;
        }
        if (offset > UINT32_MAX / 4)
            return false;
    }
    const uint32_t *leaf =
        instrument_definition(x, instrument_type_of(x, reach->pointer), SpvOpTypePointer, 4);
    place->offset = (uint32_t)offset;
    return leaf && leaf[3] == type && by_rows == reach->in_rows && offset <= UINT32_MAX / 4 &&
           place->prefix_count <= GROUP_PREFIX;
}

bool instrument_access_place(const struct instrument *x, const struct instrument_reach *reach,
                             struct access_place *place)
{
    *place = (struct access_place){0};
    const uint16_t opcode = instrument_opcode(x, reach->pointer);
    bool chained = opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain;
    return (reach->chain || !chained) && reach->span && reach->span <= MOST_SPAN &&
           reach->alignment <= MOST_ALIGNED && read_chains(x, reach->pointer, place) &&
           reach_walk(x, reach, place) && place->offset % reach->alignment == 0;
}

/* --- values at an earlier instruction --- */

/* True if the pointer is to a push constant that may be read at any earlier instruction: all
 * indices are constant. Another index may be in bounds only because of a test before the load. */
static bool is_push_constant(const struct instrument *x, uint32_t pointer)
{
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, pointer);
        if (!definition || definition->length < 4)
            return false;
        const uint32_t *words = spirv_words(x->module, definition);
        if (definition->opcode == SpvOpVariable)
            return words[3] == SpvStorageClassPushConstant;
        if (definition->opcode != SpvOpAccessChain &&
            definition->opcode != SpvOpInBoundsAccessChain)
            return false;
        for (uint32_t i = 4; i < definition->length; i++) {
            uint64_t index;
            if (!instrument_value(x, words[i], &index))
                return false;
        }
        pointer = words[3];
    }
    return false;
}

/* Does what instrument_value_at() does, for at most `*steps` instructions. */
static uint32_t value_at(struct instrument *x, uint32_t id, uint32_t at, uint32_t *steps, bool emit)
{
    id = instrument_same(x, id);
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    uint32_t operands[INSTRUMENT_CHAIN];
    if (!definition || !*steps)
        return 0;
    if (x->module->definitions[id] < at)
        return id;
    --*steps;
    const uint32_t *words = spirv_words(x->module, definition);
    bool load = definition->opcode == SpvOpLoad && definition->length == 4;
    if (!load &&
        (!instrument_is_pure(x, definition, words) || definition->opcode == SpvOpCompositeExtract))
        return 0;
    if (definition->length - 3u > ARRAY_LENGTH(operands) / 2)
        return 0;
    if (load && (!is_push_constant(x, words[3]) || instrument_is_relaxed(x, words[1])))
        return 0;
    for (uint32_t i = 3; i < definition->length; i++) {
        operands[i - 3] = value_at(x, words[i], at, steps, emit);
        if (!operands[i - 3])
            return 0;
    }
    return emit ? instrument_emit(x, (SpvOp)definition->opcode, words[1], operands,
                                  definition->length - 3u)
                : id;
}

uint32_t instrument_value_at(struct instrument *x, uint32_t id, uint32_t at, bool emit)
{
    uint32_t steps = STEPS;
    return value_at(x, id, at, &steps, emit);
}

/* --- the plan --- */

/* Returns the index of the access's pattern in the group. It is added if the group does not have
 * it; SPIRV_NONE: the group has no room for it. */
static uint32_t pattern_of(struct instrument *x, struct access_group *group,
                           const struct access_place *place)
{
    for (uint32_t i = 0; i < group->pattern_count; i++) {
        const struct group_pattern *pattern = &group->patterns[i];
        if (pattern->prefix_count == place->prefix_count &&
            !memcmp(pattern->prefix, place->indices, place->prefix_count * sizeof(*place->indices)))
            return i;
    }
    if (group->pattern_count == GROUP_PATTERNS)
        return SPIRV_NONE;
    for (uint32_t i = 0; i < place->prefix_count; i++) {
        if (!instrument_value_at(x, place->indices[i], group->at, false))
            return SPIRV_NONE;
    }
    struct group_pattern *pattern = &group->patterns[group->pattern_count];
    *pattern = (struct group_pattern){.prefix_count = place->prefix_count,
                                      .type = place->type,
                                      .low = UINT32_MAX,
                                      .alignment = 1};
    memcpy(pattern->prefix, place->indices, place->prefix_count * sizeof(*place->indices));
    return group->pattern_count++;
}

uint32_t instrument_groups_row(struct instrument *x, struct access_group *group,
                               const struct instrument_reach *reach,
                               const struct access_place *place)
{
    const struct group_row row = {group->row_count < GROUP_ROWS ? pattern_of(x, group, place)
                                                                : SPIRV_NONE,
                                  place->offset, reach->span, reach->alignment};
    if (row.pattern == SPIRV_NONE)
        return SPIRV_NONE;
    struct group_pattern *pattern = &group->patterns[row.pattern];
    uint32_t low = row.offset < pattern->low ? row.offset : pattern->low,
             end = row.offset + row.span, high = end > pattern->high ? end : pattern->high;
    if (high - low > MOST_SPAN)
        /* one access alone is never as long as this, so the pattern has others */
        return SPIRV_NONE;
    pattern->low = low;
    pattern->high = high;
    pattern->alignment = row.alignment > pattern->alignment ? row.alignment : pattern->alignment;
    group->rows[group->row_count] = row;
    return group->row_count++;
}

struct access_group *instrument_groups_open(struct instrument *x, uint32_t root, uint32_t block,
                                            uint32_t at)
{
    struct instrument_groups *groups = x->groups;
    if (!vec_room(&groups->groups, groups->group_count, &groups->group_capacity, 16,
                  sizeof(*groups->groups)))
        return NULL;
    groups->groups[groups->group_count] =
        (struct access_group){.root = root, .block = block, .at = at};
    return &groups->groups[groups->group_count++];
}

struct group_member *instrument_groups_member(struct group_members *members)
{
    if (!vec_room(&members->list, members->count, &members->capacity, 64, sizeof(*members->list)))
        return NULL;
    members->list[members->count] = (struct group_member){.group = SPIRV_NONE};
    return &members->list[members->count++];
}

/* Adds the last member of the list to the group. Returns false if the group has no room for it. */
static bool group_join(struct instrument *x, uint32_t number, const struct instrument_reach *reach,
                       const struct access_place *place)
{
    struct instrument_groups *groups = x->groups;
    struct access_group *group = &groups->groups[number];
    const uint32_t index = groups->near.count - 1;
    struct group_member *member = &groups->near.list[index];
    member->row = instrument_groups_row(x, group, reach, place);
    if (member->row == SPIRV_NONE)
        return false;
    if (group->count++)
        groups->near.list[group->last].next = index;
    else
        group->first = index;
    group->last = index;
    member->group = number;
    return true;
}

/* Adds an access to the open group of its root, or opens a new group for it. */
static void plan_access(struct instrument *x, uint32_t index, uint32_t pointer, bool writes)
{
    struct instrument_groups *groups = x->groups;
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    struct instrument_reach reach;
    struct access_place place;
    uint32_t row;
    if (!instrument_reach(x, instruction, spirv_words(x->module, instruction), pointer, &reach) ||
        groups->seen[pointer] == groups->block ||
        instrument_memo_find(x, MEMO_WITHIN, pointer, reach.size, reach.alignment) ||
        instrument_groups_far_find(x, index, pointer, &row))
        return;
    groups->seen[pointer] = groups->block;
    struct group_member *member =
        instrument_access_place(x, &reach, &place) ? instrument_groups_member(&groups->near) : NULL;
    if (!member)
        return;
    member->instruction = index;
    member->pointer = pointer;
    member->writes = writes;
    if (groups->open_since[place.root] == groups->part &&
        group_join(x, groups->open[place.root], &reach, &place))
        return;
    groups->open_since[place.root] = 0;
    if (!instrument_groups_open(x, place.root, 0, index) ||
        !group_join(x, groups->group_count - 1, &reach, &place))
        return;
    groups->open[place.root] = groups->group_count - 1;
    groups->open_since[place.root] = groups->part;
}

enum function_returns { RETURNS_UNKNOWN, RETURNS, RETURNS_PERHAPS };

static bool goes_on(const struct instrument *x, uint32_t index, uint32_t calls);

/* True if the function certainly returns: it has no loop, and nothing in it ends the invocation.
 * `calls` limits the levels of calls. */
static bool function_returns(const struct instrument *x, uint32_t function, uint32_t calls)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, function);
    if (!definition || definition->opcode != SpvOpFunction || !calls)
        return false;
    uint8_t *known = &x->groups->returns[function];
    if (*known != RETURNS_UNKNOWN)
        return *known == RETURNS;
    *known = RETURNS_PERHAPS;
    for (uint32_t i = x->module->definitions[function] + 1;
         i < x->module->instruction_count && x->module->instructions[i].opcode != SpvOpFunctionEnd;
         i++) {
        switch (x->module->instructions[i].opcode) {
        case SpvOpFunctionParameter:
        case SpvOpSelectionMerge:
        case SpvOpBranch:
        case SpvOpBranchConditional:
        case SpvOpSwitch:
        case SpvOpReturn:
        case SpvOpReturnValue:
            break;
        default:
            if (!goes_on(x, i, calls - 1))
                return false;
            break;
        }
    }
    *known = RETURNS;
    return true;
}

/* True if the invocation certainly reaches the next instruction. */
static bool goes_on(const struct instrument *x, uint32_t index, uint32_t calls)
{
    const struct spirv_instruction *instruction = &x->module->instructions[index];
    switch (instruction->opcode) {
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
    case SpvOpImageWrite:
    case SpvOpAtomicStore:
    case SpvOpMemoryBarrier:
        return true;
    case SpvOpFunctionCall:
        return instruction->length > 3 &&
               function_returns(x, spirv_words(x->module, instruction)[3], calls);
    default:
        return instrument_writes_nothing(instruction->opcode) ||
               spirv_is_atomic_with_result(instruction->opcode);
    }
}

uint32_t instrument_block_end(const struct instrument *x, uint32_t label)
{
    uint32_t i = label + 1;
    while (i + 1 < x->module->instruction_count &&
           x->module->instructions[i].opcode != SpvOpLabel &&
           x->module->instructions[i].opcode != SpvOpFunctionEnd)
        i++;
    return i;
}

/* Counts the accesses through pointers in the block; the result is at most 2. */
static uint32_t count_accesses(const struct instrument *x, uint32_t label, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t i = label + 1; i < end && count < 2; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t second;
        bool writes;
        uint32_t pointer =
            instrument_accessed(instruction, spirv_words(x->module, instruction), &second, &writes);
        const uint32_t *type =
            instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
        count += type && type[2] == SpvStorageClassPhysicalStorageBuffer;
        count += second != 0;
    }
    return count;
}

/* Dissolves the groups of members from `first` on that save too few checks. */
static void leave_small(struct instrument_groups *groups, uint32_t first)
{
    for (uint32_t i = first; i < groups->near.count; i++) {
        struct group_member *member = &groups->near.list[i];
        const struct access_group *group =
            member->group != SPIRV_NONE ? &groups->groups[member->group] : NULL;
        if (group && group->count < group->pattern_count + SAVED)
            member->group = SPIRV_NONE;
    }
}

/* Returns the index of the instruction that ends the block, or of the merge instruction before
 * that. */
static uint32_t tail_of(const struct instrument *x, uint32_t label, uint32_t end)
{
    uint32_t tail = label;
    for (uint32_t i = label + 1; i < end; i++) {
        switch (x->module->instructions[i].opcode) {
        case SpvOpSelectionMerge:
        case SpvOpLoopMerge:
            return i;
        case SpvOpLine:
        case SpvOpNoLine:
            break;
        default:
            tail = i;
            break;
        }
    }
    return tail;
}

uint32_t instrument_block_tail(const struct instrument *x, uint32_t label)
{
    return tail_of(x, label, instrument_block_end(x, label));
}

void instrument_groups_plan(struct instrument *x, uint32_t label)
{
    if (!(x->info->checks & SPIRV_CHECK_ADDRESSES) || x->info->most_checks)
        return;
    uint32_t end = instrument_block_end(x, label);
    struct instrument_groups *groups = x->groups;
    for (uint32_t i = groups ? groups->far_first : 0; groups && i < groups->far_end; i++) {
        if (groups->groups[i].block == x->own_block && groups->groups[i].count)
            /* This is the block at whose end the group is checked. */
            groups->due = groups->groups[i].at;
    }
    if (count_accesses(x, label, end) < 2 || !instrument_groups_begin(x) ||
        !instrument_values_read(x, label, end))
        return;
    groups = x->groups;
    uint32_t first = groups->near.cursor = groups->near.count;
    groups->block++;
    groups->part++;
    for (uint32_t i = label + 1; i < end; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t second;
        bool writes;
        uint32_t pointer =
            instrument_accessed(instruction, spirv_words(x->module, instruction), &second, &writes);
        if (pointer)
            plan_access(x, i, pointer, writes);
        if (second)
            plan_access(x, i, second, false);
        /* If the next instruction may not be reached, accesses after it do not join groups from
         * before it. */
        groups->part += !goes_on(x, i, CALLS);
    }
    leave_small(groups, first);
}

/* --- the call --- */

void instrument_groups_call(struct instrument *x, struct access_group *group)
{
    uint32_t arguments[1 + GROUP_PATTERNS], root = group->root;
    group->function = arguments[0] = spirv_edit_id(&x->edit);
    if (group->block)
        root = instrument_value_at(x, root, group->at, true);
    for (uint32_t i = 0; i < group->pattern_count; i++) {
        const struct group_pattern *pattern = &group->patterns[i];
        uint32_t chain[1 + GROUP_PREFIX] = {root}, pointer = root;
        for (uint32_t k = 0; k < pattern->prefix_count; k++)
            chain[1 + k] = instrument_value_at(x, pattern->prefix[k], group->at, true);
        if (pattern->prefix_count) {
            uint32_t type = spirv_edit_type_pointer(&x->edit, SpvStorageClassPhysicalStorageBuffer,
                                                    pattern->type);
            pointer = instrument_emit(x, SpvOpAccessChain, type, chain, 1 + pattern->prefix_count);
        }
        arguments[1 + i] = instrument_address(x, pointer);
    }
    group->wrong = instrument_emit(x, SpvOpFunctionCall, spirv_edit_type_u32(&x->edit), arguments,
                                   1 + group->pattern_count);
}

/* Adds the sites of all members, with consecutive numbers: the first number and a member's row give
 * its site. */
static void make_sites(struct instrument *x, struct access_group *group)
{
    group->site = x->result->site_count;
    for (uint32_t i = 0, at = group->first; i < group->count; i++) {
        const struct group_member *member = &x->groups->near.list[at];
        const struct group_row *row = &group->rows[member->row];
        (void)instrument_address_site(x, member->instruction, row->span, row->alignment,
                                      member->writes);
        at = member->next;
    }
}

uint32_t instrument_groups_check(struct instrument *x, uint32_t pointer)
{
    struct instrument_groups *groups = x->groups;
    const struct group_member *member = NULL;
    if (!groups)
        return 0;
    struct group_members *near = &groups->near;
    /* The list is in the order of instructions, so the cursor only moves forward. */
    while (near->cursor < near->count && near->list[near->cursor].instruction < x->index)
        near->cursor++;
    for (uint32_t i = near->cursor; i < near->count && near->list[i].instruction == x->index; i++) {
        if (near->list[i].pointer == pointer && near->list[i].group != SPIRV_NONE)
            member = &near->list[i];
    }
    if (!member)
        return 0;
    struct access_group *group = &groups->groups[member->group];
    /* The call is emitted at the first member; later members use its result. */
    if (!group->function) {
        make_sites(x, group);
        instrument_groups_call(x, group);
    }
    x->result->checks++;
    /* Without safe mode nothing is skipped, and the caller only needs an id that is not 0. */
    if (!x->info->safe)
        return group->wrong;
    uint32_t bit =
        instrument_emit(x, SpvOpBitwiseAnd, spirv_edit_type_u32(&x->edit),
                        (const uint32_t[]){group->wrong, instrument_u32(x, 1u << member->row)}, 2);
    uint32_t ok = instrument_emit(x, SpvOpIEqual, spirv_edit_type_bool(&x->edit),
                                  (const uint32_t[]){bit, instrument_u32(x, 0)}, 2);
    instrument_require(x, ok);
    return ok;
}
