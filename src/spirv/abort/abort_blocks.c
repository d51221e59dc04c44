/* Represents a function as blocks of instructions that can be split, connected in another way, and
 * extended. */
#include "spirv/abort/abort_build.h"

#include "base/vec.h"

#include <string.h>

/* --- reading --- */

/* Adds an item (an instruction of the function) that is in no block yet. Returns its index; 0:
 * memory is out, and the lowering has failed. No item has index 0. */
static uint32_t new_item(struct flow *flow, uint32_t at, uint32_t origin)
{
    if (!at ||
        !vec_room(&flow->items, flow->item_count, &flow->item_capacity, 64, sizeof(*flow->items))) {
        flow->lower->failed = true;
        return 0;
    }
    flow->items[flow->item_count] = (struct flow_item){.at = at, .origin = origin};
    return flow->item_count++;
}

/* Notes which block has the label. Returns false if memory is out, or another block has the
 * label. */
static bool map_label(struct flow *flow, uint32_t label, uint32_t block)
{
    if (label >= flow->block_of_count) {
        uint32_t count = label + label / 2 + 64;
        uint32_t *grown = mem_resize(flow->block_of, count * sizeof(*grown));
        if (!grown)
            return false;
        memset(grown + flow->block_of_count, 0, (count - flow->block_of_count) * sizeof(*grown));
        flow->block_of = grown;
        flow->block_of_count = count;
    }
    if (flow->block_of[label])
        return false;
    flow->block_of[label] = block;
    return true;
}

/* Adds a block that is not yet in the function's order. Returns its index; 0: memory is out. */
static uint32_t new_block(struct flow *flow, uint32_t label, uint32_t origin)
{
    if (!vec_room(&flow->blocks, flow->block_count, &flow->block_capacity, 64,
                  sizeof(*flow->blocks)) ||
        !map_label(flow, label, flow->block_count)) {
        flow->lower->failed = true;
        return 0;
    }
    flow->blocks[flow->block_count] = (struct flow_block){.label = label, .origin = origin};
    return flow->block_count++;
}

uint32_t flow_block_of(const struct flow *flow, uint32_t label)
{
    return label < flow->block_of_count ? flow->block_of[label] : 0;
}

/* Appends an item to a block while the function is read. */
static void flow_append(struct flow *flow, uint32_t block, uint32_t item)
{
    assert(block < flow->block_count && item < flow->item_count);
    struct flow_block *to = &flow->blocks[block];
    flow->items[item].previous = to->last;
    if (to->last)
        flow->items[to->last].next = item;
    else
        to->first = item;
    to->last = item;
}

/* True if all blocks end in a terminator whose targets exist, and the phis come first. Other
 * functions are not lowered. */
static bool flow_is_whole(const struct flow *flow)
{
    for (uint32_t block = 1; block < flow->block_count; block++) {
        if (!flow->blocks[block].last)
            return false;
        for (uint32_t n = 0, word; (word = flow_target(flow, block, n)) != 0; n++) {
            if (!flow_block_of(flow, flow_words(flow, flow->blocks[block].last)[word]))
                return false;
        }
        uint32_t merge = flow_merge(flow, block);
        for (uint32_t i = 1; merge && i <= (flow_opcode(flow, merge) == SpvOpLoopMerge ? 2u : 1u);
             i++) {
            if (flow_length(flow, merge) <= i + 1 ||
                !flow_block_of(flow, flow_words(flow, merge)[i]))
                return false;
        }
        for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
            if (flow_opcode(flow, item) == SpvOpPhi &&
                (flow_length(flow, item) < 3 || flow_length(flow, item) % 2 == 0))
                return false;
        }
    }
    return flow->block_count > 1;
}

bool flow_begin(struct flow *flow, struct abort_lower *lower, const struct abort_function *function)
{
    const struct spirv_module *module = lower->module;
    /* Item 0 and block 0 mean none. */
    *flow = (struct flow){.lower = lower, .function = function, .item_count = 1, .block_count = 1};
    flow->type = spirv_words(module, &module->instructions[function->first])[1];
    uint32_t block = 0;
    for (uint32_t i = function->first; i < function->end && !lower->failed; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunctionEnd) {
            flow->tail = i;
            break;
        }
        if (instruction->opcode == SpvOpLabel && instruction->length > 1) {
            uint32_t previous = block;
            flow->body = flow->body ? flow->body : i;
            block = new_block(flow, spirv_words(module, instruction)[1], i);
            if (previous)
                flow->blocks[previous].next = block;
        } else if (block) {
            uint32_t item = new_item(flow, instruction->offset, i);
            if (item)
                flow_append(flow, block, item);
        }
    }
    if (!lower->failed && flow->tail && flow_is_whole(flow))
        return true;
    lower->failed = true;
    flow_end(flow);
    return false;
}

void flow_end(struct flow *flow)
{
    mem_free(flow->items);
    mem_free(flow->blocks);
    mem_free(flow->block_of);
}

void flow_write(struct flow *flow)
{
    struct abort_lower *lower = flow->lower;
    const struct spirv_instruction *instructions = lower->module->instructions;
    for (uint32_t i = flow->function->first; i < flow->body; i++)
        abort_put(lower, instructions[i].offset, i);
    for (uint32_t block = 1; block && !lower->failed; block = flow->blocks[block].next) {
        /* Labels are not items: each block writes its own. */
        abort_put(lower, abort_words(lower, SpvOpLabel, &flow->blocks[block].label, 1),
                  flow->blocks[block].origin);
        for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next)
            abort_put(lower, flow->items[item].at, flow->items[item].origin);
    }
    for (uint32_t i = flow->tail; i < flow->function->end; i++)
        abort_put(lower, instructions[i].offset, i);
}

/* --- changing --- */

uint32_t flow_add_block(struct flow *flow, uint32_t after, uint32_t origin)
{
    assert(after < flow->block_count);
    /* This may move the blocks, so earlier pointers to them become invalid. */
    uint32_t block = new_block(flow, spirv_edit_id(&flow->lower->edit), origin);
    if (!block)
        return 0;
    flow->blocks[block].next = flow->blocks[after].next;
    flow->blocks[after].next = block;
    return block;
}

void flow_insert(struct flow *flow, uint32_t block, uint32_t after, uint32_t at, uint32_t origin,
                 uint32_t *item)
{
    assert(block < flow->block_count && after < flow->item_count);
    uint32_t added = new_item(flow, at, origin);
    if (!added || !block)
        return;
    uint32_t next = after ? flow->items[after].next : flow->blocks[block].first;
    flow->items[added].previous = after;
    flow->items[added].next = next;
    *(after ? &flow->items[after].next : &flow->blocks[block].first) = added;
    *(next ? &flow->items[next].previous : &flow->blocks[block].last) = added;
    *item = added;
}

void flow_remove(struct flow *flow, uint32_t block, uint32_t item)
{
    assert(block < flow->block_count);
    assert(item < flow->item_count);
    uint32_t previous = flow->items[item].previous, next = flow->items[item].next;
    *(previous ? &flow->items[previous].next : &flow->blocks[block].first) = next;
    *(next ? &flow->items[next].previous : &flow->blocks[block].last) = previous;
}

uint32_t flow_target(const struct flow *flow, uint32_t block, uint32_t n)
{
    assert(block < flow->block_count);
    uint32_t last = flow->blocks[block].last, length = last ? flow_length(flow, last) : 0, word = 0;
    switch (flow_opcode(flow, last)) {
    case SpvOpBranch:
        word = n == 0 ? 1 : 0;
        break;
    case SpvOpBranchConditional:
        word = n < 2 ? 2 + n : 0;
        break;
    case SpvOpSwitch: {
        const struct abort_lower *lower = flow->lower;
        uint32_t selector = length > 1 ? flow_words(flow, last)[1] : 0;
        const uint32_t *type =
            abort_definition(lower, abort_type_of(lower, selector), SpvOpTypeInt, 4);
        uint64_t place = 2 + (uint64_t)n * (type && type[2] > 32 ? 3 : 2);
        word = place < length ? (uint32_t)place : 0;
        break;
    }
    default:
        break;
    }
    return word < length ? word : 0;
}

bool flow_branches_to(const struct flow *flow, uint32_t block, uint32_t label)
{
    assert(block < flow->block_count);
    for (uint32_t n = 0, word; (word = flow_target(flow, block, n)) != 0; n++) {
        if (flow_words(flow, flow->blocks[block].last)[word] == label)
            return true;
    }
    return false;
}

void flow_retarget(struct flow *flow, uint32_t block, uint32_t from_label, uint32_t to_label)
{
    for (uint32_t n = 0, word; (word = flow_target(flow, block, n)) != 0; n++) {
        uint32_t *target = &flow_words(flow, flow->blocks[block].last)[word];
        *target = *target == from_label ? to_label : *target;
    }
}

uint32_t flow_merge(const struct flow *flow, uint32_t block)
{
    assert(block < flow->block_count);
    uint32_t last = flow->blocks[block].last, merge = last ? flow->items[last].previous : 0;
    uint32_t opcode = flow_opcode(flow, merge);
    return opcode == SpvOpLoopMerge || opcode == SpvOpSelectionMerge ? merge : 0;
}

uint32_t flow_last_phi(const struct flow *flow, uint32_t block)
{
    assert(block < flow->block_count);
    uint32_t phi = 0;
    for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
        uint32_t opcode = flow_opcode(flow, item);
        if (opcode == SpvOpPhi)
            phi = item;
        else if (opcode != SpvOpLine && opcode != SpvOpNoLine && opcode != SpvOpExtInst)
            break;
    }
    return phi;
}

void flow_move_phis(struct flow *flow, uint32_t block, uint32_t from_label, uint32_t to_label)
{
    assert(block < flow->block_count);
    for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
        if (flow_opcode(flow, item) != SpvOpPhi)
            continue;
        uint32_t *words = flow_words(flow, item), length = flow_length(flow, item);
        for (uint32_t i = 4; i < length; i += 2)
            words[i] = words[i] == from_label ? to_label : words[i];
    }
}

uint32_t flow_split(struct flow *flow, uint32_t block, uint32_t item)
{
    assert(block < flow->block_count && item < flow->item_count);
    uint32_t rest =
        flow_add_block(flow, block, item ? flow->items[item].origin : flow->blocks[block].origin);
    if (!rest)
        return 0;
    struct flow_block *from = &flow->blocks[block], *to = &flow->blocks[rest];
    uint32_t first = item ? flow->items[item].next : from->first;
    if (first) {
        to->first = first;
        to->last = from->last;
        flow->items[first].previous = 0;
    }
    *(item ? &flow->items[item].next : &from->first) = 0;
    from->last = item;
    for (uint32_t n = 0, word; (word = flow_target(flow, rest, n)) != 0; n++) {
        uint32_t target = flow_block_of(flow, flow_words(flow, flow->blocks[rest].last)[word]);
        flow_move_phis(flow, target, from->label, to->label);
    }
    return rest;
}

void flow_emit(struct flow_point *point, SpvOp opcode, const uint32_t *operands, uint32_t count)
{
    uint32_t at = abort_words(point->lower, opcode, operands, count);
    if (!at)
        return;
    if (point->flow)
        flow_insert(point->flow, point->block, point->item, at, point->origin, &point->item);
    else
        abort_put(point->lower, at, point->origin);
}

uint32_t flow_value(struct flow_point *point, SpvOp opcode, uint32_t type, const uint32_t *operands,
                    uint32_t count)
{
    assert(operands || !count);
    /* Longer instructions are not emitted: no message is a structure with so many members. */
    uint32_t words[80] = {type, spirv_edit_id(&point->lower->edit)};
    if (count > ARRAY_LENGTH(words) - 2) {
        point->lower->failed = true;
        return 0;
    }
    if (count)
        memcpy(&words[2], operands, count * sizeof(*words));
    flow_emit(point, opcode, words, count + 2);
    return words[1];
}

/* --- dominators --- */

/* Returns successor number `n` of a block; with `structured`, merge block and continue target come
 * first. 0: there are no more. */
static uint32_t flow_successor(const struct flow *flow, uint32_t block, uint32_t n, bool structured)
{
    assert(block < flow->block_count);
    uint32_t merge = structured ? flow_merge(flow, block) : 0, more = 0;
    if (merge)
        more = flow_opcode(flow, merge) == SpvOpLoopMerge ? 2 : 1;
    if (n < more)
        return flow_block_of(flow, flow_words(flow, merge)[n + 1]);
    uint32_t word = flow_target(flow, block, n - more);
    return word ? flow_block_of(flow, flow_words(flow, flow->blocks[block].last)[word]) : 0;
}

/* Numbers the reachable blocks in reverse postorder, depth first and without recursion. `stack` and
 * `next` have room for all blocks. */
static void number_blocks(struct flow_graph *graph, const struct flow *flow, bool structured,
                          uint32_t *stack, uint32_t *next)
{
    uint32_t depth = 0, at = flow->block_count;
    memset(graph->number, 0xff, flow->block_count * sizeof(*graph->number)); /* SPIRV_NONE */
    stack[depth++] = 1;
    graph->number[1] = 0;
    while (depth) {
        uint32_t block = stack[depth - 1],
                 to = flow_successor(flow, block, next[block]++, structured);
        if (!to) {
            graph->order[--at] = block;
            depth--;
        } else if (graph->number[to] == SPIRV_NONE) {
            graph->number[to] = 0;
            stack[depth++] = to;
        }
    }
    graph->count = flow->block_count - at;
    memmove(graph->order, &graph->order[at], graph->count * sizeof(*graph->order));
    for (uint32_t i = 0; i < graph->count; i++)
        graph->number[graph->order[i]] = i;
}

/* Returns the nearest block that dominates both. Numbers decrease towards the first block. */
static uint32_t dominators_meet(const struct flow_graph *graph, uint32_t a, uint32_t b)
{
    assert(graph->number[a] != SPIRV_NONE && graph->number[b] != SPIRV_NONE);
    while (a != b) {
        while (graph->number[a] > graph->number[b])
            a = graph->parent[a];
        while (graph->number[b] > graph->number[a])
            b = graph->parent[b];
    }
    return a;
}

/* The predecessors of all blocks: those of `block` are `from[begin[block]]` to before
 * `from[begin[block + 1]]`. Both arrays are in one allocation, which `begin` owns. */
struct predecessors {
    uint32_t *begin, *from;
};

/* Lists the predecessors of all blocks. Returns false if memory is out. `structured`: merge and
 * continue targets count as successors. */
static bool list_predecessors(struct predecessors *list, const struct flow_graph *graph,
                              const struct flow *flow, bool structured)
{
    uint32_t edges = 0;
    for (uint32_t i = 0; i < graph->count; i++) {
        for (uint32_t n = 0; flow_successor(flow, graph->order[i], n, structured); n++)
            edges++;
    }
    list->begin = mem_alloc_zeroed(((size_t)flow->block_count + 2 + edges) * sizeof(*list->begin));
    if (!list->begin)
        return false;
    list->from = list->begin + flow->block_count + 2;
    for (uint32_t i = 0; i < graph->count; i++) {
        for (uint32_t n = 0, to; (to = flow_successor(flow, graph->order[i], n, structured)) != 0;
             n++)
            list->begin[to + 2]++;
    }
    for (uint32_t block = 2; block < flow->block_count + 2; block++)
        list->begin[block] += list->begin[block - 1];
    for (uint32_t i = 0; i < graph->count; i++) {
        for (uint32_t n = 0, to; (to = flow_successor(flow, graph->order[i], n, structured)) != 0;
             n++)
            list->from[list->begin[to + 1]++] = graph->order[i];
    }
    return true;
}

/* Finds the immediate dominators. Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".
 * Returns false if memory is out. */
static bool find_parents(struct flow_graph *graph, const struct flow *flow, bool structured)
{
    struct predecessors list;
    if (!list_predecessors(&list, graph, flow, structured))
        return false;
    memset(graph->parent, 0, flow->block_count * sizeof(*graph->parent));
    graph->parent[1] = 1;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 1; i < graph->count; i++) {
            uint32_t block = graph->order[i], parent = 0;
            for (uint32_t at = list.begin[block]; at < list.begin[block + 1]; at++) {
                uint32_t from = list.from[at];
                if (graph->parent[from])
                    parent = parent ? dominators_meet(graph, parent, from) : from;
            }
            more = more || parent != graph->parent[block];
            graph->parent[block] = parent;
        }
    }
    mem_free(list.begin);
    return true;
}

/* Gives each block an interval that contains the intervals of all blocks that it dominates. So a
 * test for dominance takes two comparisons. */
static void number_tree(struct flow_graph *graph, uint32_t *next)
{
    for (uint32_t i = 0; i < graph->count; i++)
        graph->size[graph->order[i]] = 1;
    for (uint32_t i = graph->count; i-- > 1;)
        graph->size[graph->parent[graph->order[i]]] += graph->size[graph->order[i]];
    graph->begin[1] = 0;
    next[1] = 1;
    for (uint32_t i = 1; i < graph->count; i++) {
        uint32_t block = graph->order[i], parent = graph->parent[block];
        graph->begin[block] = next[parent];
        next[parent] += graph->size[block];
        next[block] = graph->begin[block] + 1;
    }
}

bool flow_graph_make(struct flow_graph *graph, const struct flow *flow, bool structured)
{
    const uint32_t count = flow->block_count;
    *graph = (struct flow_graph){.blocks = count};
    /* One allocation holds all arrays, which flow_graph_free() frees by the first one. */
    uint32_t *room =
        flow->lower->failed ? NULL : mem_alloc_zeroed((size_t)count * 7 * sizeof(*room));
    if (!room) {
        flow->lower->failed = true;
        return false;
    }
    graph->order = room;
    graph->number = room + count;
    graph->parent = room + 2 * (size_t)count;
    graph->begin = room + 3 * (size_t)count;
    graph->size = room + 4 * (size_t)count;
    number_blocks(graph, flow, structured, room + 5 * (size_t)count, room + 6 * (size_t)count);
    if (!find_parents(graph, flow, structured)) {
        flow_graph_free(graph);
        flow->lower->failed = true;
        return false;
    }
    memset(room + 6 * (size_t)count, 0, count * sizeof(*room));
    number_tree(graph, room + 6 * (size_t)count);
    return true;
}

void flow_graph_free(struct flow_graph *graph)
{
    mem_free(graph->order);
    *graph = (struct flow_graph){0};
}

bool flow_dominates(const struct flow_graph *graph, uint32_t a, uint32_t b)
{
    if (a >= graph->blocks || b >= graph->blocks || graph->number[a] == SPIRV_NONE ||
        graph->number[b] == SPIRV_NONE)
        return false;
    return graph->begin[b] >= graph->begin[a] && graph->begin[b] < graph->begin[a] + graph->size[a];
}
