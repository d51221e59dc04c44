/* Makes an aborting invocation end. Fragment and any-hit shaders can end in any function. In all
 * others the function sets a flag and returns. Its caller tests the flag after the call and
 * returns, too.
 *
 * No function may return from a continue construct, nor from the header of a loop. A continue
 * construct in which something may abort becomes the first thing that each iteration but the first
 * does:
 *
 *     for (; c; k) b;     ->     for (bool first = true;; first = false) { if (!first) k; if (!c)
 * break; b; }
 *
 * and the code of a header moves to a block after it. Values that no longer dominate their uses are
 * repaired at the end (abort_repair.c). */
#include "spirv/abort/abort_build.h"

#include "base/vec.h"

#include <string.h>

/* --- returns --- */

/* Returns the point after all items of a block, where instructions are added. */
static struct flow_point at_end(struct flow *flow, uint32_t block, uint32_t origin)
{
    assert(block < flow->block_count);
    return (struct flow_point){.flow = flow,
                               .lower = flow->lower,
                               .block = block,
                               .item = flow->blocks[block].last,
                               .origin = origin};
}

/* Makes the function return after the item if `condition` is true (the id of a bool; 0: the flag
 * abort_lower::flag). Returns the block that has the following items. */
static uint32_t return_after(struct flow *flow, uint32_t block, uint32_t item, uint32_t condition)
{
    struct abort_lower *lower = flow->lower;
    const uint32_t origin = flow->items[item].origin;
    uint32_t rest = flow_split(flow, block, item);
    uint32_t ends = rest ? flow_add_block(flow, block, origin) : 0;
    if (!ends)
        return 0;
    struct flow_point point = at_end(flow, block, origin);
    bool sets = condition != 0;
    if (!condition)
        condition = FLOW_VALUE(&point, SpvOpLoad, spirv_edit_type_bool(&lower->edit), lower->flag);
    FLOW_EMIT(&point, SpvOpSelectionMerge, flow->blocks[rest].label, SpvSelectionControlMaskNone);
    FLOW_EMIT(&point, SpvOpBranchConditional, condition, flow->blocks[ends].label,
              flow->blocks[rest].label);
    point = at_end(flow, ends, origin);
    flow_return(&point, sets);
    return rest;
}

/* --- calls and accesses --- */

/* Returns the function that the item calls; NULL: it calls none, or one outside of the module. */
static const struct abort_function *flow_callee(const struct flow *flow, uint32_t item)
{
    assert(item < flow->item_count);
    const struct abort_lower *lower = flow->lower;
    if (flow_opcode(flow, item) != SpvOpFunctionCall || flow_length(flow, item) < 4)
        return NULL;
    uint32_t id = flow_words(flow, item)[3],
             index = id < lower->module->bound ? lower->function_of[id] : 0;
    return index ? &lower->functions[index - 1] : NULL;
}

/* True if the function already returns right after the item. */
static bool returns_anyway(const struct flow *flow, uint32_t item)
{
    do {
        item = flow->items[item].next;
    } while (flow_opcode(flow, item) == SpvOpLine || flow_opcode(flow, item) == SpvOpNoLine);
    return flow_opcode(flow, item) == SpvOpReturn || flow_opcode(flow, item) == SpvOpReturnValue;
}

/* True if the item is a call after which the function may have to return. */
static bool is_call(const struct flow *flow, uint32_t item)
{
    const struct abort_function *function = flow_callee(flow, item);
    return function && function->ends && flow->lower->end == ABORT_END_RETURN &&
           !returns_anyway(flow, item);
}

/* True if an instruction in the block may abort. */
static bool has_call(const struct flow *flow, uint32_t block)
{
    assert(block < flow->block_count);
    for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
        if (is_call(flow, item) || flow_opcode(flow, item) == SpvOpAbortKHR)
            return true;
    }
    return false;
}

/* True if the item may wait for another invocation. */
static bool item_waits(const struct flow *flow, uint32_t item)
{
    const struct abort_function *function = flow_callee(flow, item);
    if (function)
        return function->waits;
    const uint32_t *words = flow_words(flow, item);
    struct spirv_instruction instruction = {.offset = flow->items[item].at,
                                            .opcode = (uint16_t)spirv_word_opcode(words[0]),
                                            .length = (uint16_t)spirv_word_length(words[0])};
    return instruction.offset < flow->lower->module->word_count &&
           abort_may_wait(flow->lower, &instruction);
}

/* --- loops --- */

/* A loop. Its header's merge instruction names its other blocks. */
struct loop {
    /* blocks: the header, and the block to which its code was moved; `rest` 0: it was not moved */
    uint32_t header, rest;
    bool waits;   /* its header or continue construct has an instruction that may wait */
    bool rotates; /* an instruction in its continue construct may abort */
};

/* All loops of one function. */
struct loops {
    struct flow *flow;
    struct loop *list; /* owned; sorted by header */
    uint32_t count, capacity;
};

/* Returns a word of the header's OpLoopMerge: 1 is the merge block, 2 the continue target. */
static uint32_t loop_word(const struct flow *flow, uint32_t header, uint32_t word)
{
    assert(flow_merge(flow, header) && word);
    return flow_words(flow, flow_merge(flow, header))[word];
}

/* Returns the loop's merge block. */
static uint32_t merge_of(const struct flow *flow, uint32_t header)
{
    return flow_block_of(flow, loop_word(flow, header, 1));
}

/* Returns the first block of the continue construct. */
static uint32_t continue_of(const struct flow *flow, uint32_t header)
{
    return flow_block_of(flow, loop_word(flow, header, 2));
}

/* Lists the loops of the function. Returns false if memory is out. */
static bool find_loops(struct loops *loops)
{
    struct flow *flow = loops->flow;
    for (uint32_t block = 1; block < flow->block_count; block++) {
        uint32_t merge = flow_merge(flow, block);
        if (flow_opcode(flow, merge) != SpvOpLoopMerge)
            continue;
        if (!vec_room(&loops->list, loops->count, &loops->capacity, 16, sizeof(*loops->list)))
            return false;
        loops->list[loops->count++] = (struct loop){.header = block};
    }
    return true;
}

/* True if an instruction in the block may wait for another invocation. */
static bool block_waits(const struct flow *flow, uint32_t block)
{
    assert(block < flow->block_count);
    for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
        if (item_waits(flow, item))
            return true;
    }
    return false;
}

/* Marks a block at its position in the dominator tree. sum_marks() turns `sums` into the number of
 * marks before each position. */
static void flow_mark(const struct flow_graph *graph, uint32_t *sums, uint32_t block)
{
    assert(graph->number[block] != SPIRV_NONE && graph->begin[block] < graph->count);
    sums[graph->begin[block] + 1] = 1;
}

/* Sums up the marks, so that the number in a subtree is a difference. */
static void sum_marks(const struct flow_graph *graph, uint32_t *sums)
{
    for (uint32_t i = 1; i <= graph->count; i++)
        sums[i] += sums[i - 1];
}

/* True if a block that `from` dominates, and `without` does not, has a mark. */
static bool has_mark(const struct flow_graph *graph, const uint32_t *sums, uint32_t from,
                     uint32_t without)
{
    if (graph->number[from] == SPIRV_NONE)
        return false;
    uint32_t marks = sums[graph->begin[from] + graph->size[from]] - sums[graph->begin[from]];
    if (flow_dominates(graph, from, without))
        marks -= sums[graph->begin[without] + graph->size[without]] - sums[graph->begin[without]];
    return marks != 0;
}

/* Finds the loops whose blocks have an access that may wait. */
static void find_waiting(struct loops *loops, const struct flow_graph *graph, uint32_t *sums)
{
    struct flow *flow = loops->flow;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (block_waits(flow, graph->order[i]))
            flow_mark(graph, sums, graph->order[i]);
    }
    sum_marks(graph, sums);
    for (uint32_t i = 0; i < loops->count; i++) {
        uint32_t header = loops->list[i].header;
        loops->list[i].waits = has_mark(graph, sums, header, merge_of(flow, header));
    }
}

/* Finds the loops whose continue construct may abort, or has another loop that tests whether to
 * end. */
static void find_rotating(struct loops *loops, const struct flow_graph *graph, uint32_t *sums)
{
    struct flow *flow = loops->flow;
    for (uint32_t i = 0; i < graph->count; i++) {
        if (has_call(flow, graph->order[i]))
            flow_mark(graph, sums, graph->order[i]);
    }
    for (uint32_t i = 0; i < loops->count; i++) {
        if (loops->list[i].waits)
            flow_mark(graph, sums, loops->list[i].header);
    }
    sum_marks(graph, sums);
    for (uint32_t i = 0; i < loops->count; i++) {
        uint32_t header = loops->list[i].header;
        loops->list[i].rotates =
            has_mark(graph, sums, continue_of(flow, header), merge_of(flow, header));
    }
}

/* Returns the block that branches back to the header; 0: there is none. */
static uint32_t back_block(const struct flow *flow, const struct flow_graph *graph, uint32_t header)
{
    assert(header < flow->block_count);
    for (uint32_t block = 1; block < flow->block_count; block++) {
        if (flow_branches_to(flow, block, flow->blocks[header].label) &&
            flow_dominates(graph, header, block))
            return block;
    }
    return 0;
}

/* Gives a loop that is its own continue construct an empty one. */
static void separate_continue(struct flow *flow, uint32_t header, uint32_t back)
{
    assert(header < flow->block_count && back < flow->block_count);
    uint32_t label = flow->blocks[header].label, origin = flow->blocks[back].origin;
    uint32_t added = flow_add_block(flow, back, origin);
    if (!added)
        return;
    flow_retarget(flow, back, label, flow->blocks[added].label);
    flow_words(flow, flow_merge(flow, header))[2] = flow->blocks[added].label;
    flow_move_phis(flow, header, flow->blocks[back].label, flow->blocks[added].label);
    struct flow_point point = at_end(flow, added, origin);
    FLOW_EMIT(&point, SpvOpBranch, label);
}

/* Moves the header's code into a block after it. The header keeps its phis and its merge
 * instruction, and branches there. */
static void split_header(struct flow *flow, struct loop *loop)
{
    const uint32_t header = loop->header, merge = flow_merge(flow, header),
                   merge_at = flow->items[merge].at;
    const uint32_t origin = flow->items[merge].origin;
    flow_remove(flow, header, merge);
    uint32_t rest = loop->rest = flow_split(flow, header, flow_last_phi(flow, header));
    if (!rest)
        return;
    struct flow_point point = at_end(flow, header, origin);
    flow_insert(flow, header, point.item, merge_at, origin, &point.item);
    FLOW_EMIT(&point, SpvOpBranch, flow->blocks[rest].label);
    /* If no branch of a selection leads out of the loop, the merge instruction belonged to the
     * selection, too. */
    uint32_t last = flow->blocks[rest].last;
    if (flow_opcode(flow, last) != SpvOpBranchConditional || flow_length(flow, last) < 4)
        return;
    const uint32_t *words = flow_words(flow, last), *loop_merge = abort_at(flow->lower, merge_at);
    for (uint32_t i = 2; i < 4; i++) {
        if (words[i] == loop_merge[1] || words[i] == loop_merge[2] || words[2] == words[3])
            return;
    }
    uint32_t never = flow_add_block(flow, rest, origin);
    if (!never)
        return;
    point = at_end(flow, never, origin);
    flow_emit(&point, SpvOpUnreachable, NULL, 0);
    point = at_end(flow, rest, origin);
    point.item = flow->items[last].previous;
    FLOW_EMIT(&point, SpvOpSelectionMerge, flow->blocks[never].label, SpvSelectionControlMaskNone);
}

/* --- rotation --- */

/* The state of rotating one loop. */
struct rotation {
    struct flow *flow;
    /* the graph from before any loop was rotated; outer or earlier loops may have been rotated
     * since */
    const struct flow_graph *graph;
    uint32_t header, rest, old_continue, back; /* blocks */
    uint32_t first_block, new_continue;
};

/* Splits each OpPhi of the header. The values from outside of the loop stay there. At the new begin
 * of an iteration, a new OpPhi gets the old id. */
static void split_phis(struct rotation *r)
{
    struct flow *flow = r->flow;
    const uint32_t continue_label = flow->blocks[r->new_continue].label,
                   back_label = flow->blocks[r->back].label;
    struct flow_point to = {.flow = flow,
                            .lower = flow->lower,
                            .block = r->rest,
                            .origin = flow->blocks[r->rest].origin};
    for (uint32_t item = flow->blocks[r->header].first; item; item = flow->items[item].next) {
        if (flow_opcode(flow, item) != SpvOpPhi)
            continue;
        uint32_t *words = flow_words(flow, item), length = flow_length(flow, item);
        uint32_t id = words[2], outer = spirv_edit_id(&flow->lower->edit), type = words[1],
                 again = 0;
        /* The new phi takes over the id, so that uses inside of the loop stay unchanged. */
        words[2] = outer;
        for (uint32_t i = 3; i + 1 < length; i += 2) {
            if (words[i + 1] != back_label)
                continue;
            again = words[i];
            words[i] = id;
            words[i + 1] = continue_label;
        }
        /* A header without a branch back has no value for the next iteration: not supported. */
        if (!again) {
            flow->lower->failed = true;
            return;
        }
        FLOW_EMIT(&to, SpvOpPhi, type, id, outer, flow->blocks[r->first_block].label, again,
                  back_label);
    }
}

/* Adds a value and the block that it comes from, for OpPhi. Returns false if memory is out. */
static bool add_pair(struct spirv_buffer *operands, uint32_t a, uint32_t b)
{
    uint32_t *words = spirv_buffer_extend(operands, 2);
    if (!words)
        return false;
    words[0] = a;
    words[1] = b;
    return true;
}

/* Makes the header's value that is true in the first iteration. */
static uint32_t make_first(struct rotation *r)
{
    struct flow *flow = r->flow;
    struct spirv_edit *edit = &flow->lower->edit;
    uint32_t yes = spirv_edit_constant_bool(edit, true), no = spirv_edit_constant_bool(edit, false);
    uint32_t type = spirv_edit_type_bool(edit), first = spirv_edit_id(edit);
    /* Each block outside of the loop that branches to the header gets a pair. */
    struct spirv_buffer operands = {0};
    bool failed = !add_pair(&operands, type, first);
    for (uint32_t block = 1; block < flow->block_count; block++) {
        if (block != r->back && block != r->new_continue &&
            flow_branches_to(flow, block, flow->blocks[r->header].label))
            failed = !add_pair(&operands, yes, flow->blocks[block].label) || failed;
    }
    failed = !add_pair(&operands, no, flow->blocks[r->new_continue].label) || failed;
    struct flow_point point = {.flow = flow,
                               .lower = flow->lower,
                               .block = r->header,
                               .item = flow_last_phi(flow, r->header),
                               .origin = flow->blocks[r->header].origin};
    if (failed)
        flow->lower->failed = true;
    else
        flow_emit(&point, SpvOpPhi, operands.words, operands.count);
    mem_free(operands.words);
    return first;
}

/* Handles a continue target that is the header of another loop: values from outside of that loop
 * get a phi in the new target. */
static void choose_outside(struct rotation *r, uint32_t phi, struct flow_point *point)
{
    struct flow *flow = r->flow;
    struct spirv_buffer outside = {0}, inside = {0};
    uint32_t id = spirv_edit_id(&flow->lower->edit);
    const uint32_t *words = flow_words(flow, phi), length = flow_length(flow, phi);
    bool failed = !add_pair(&outside, words[1], id) || !add_pair(&inside, words[1], words[2]);
    for (uint32_t i = 3; i + 1 < length; i += 2) {
        bool again = flow_dominates(r->graph, r->old_continue, flow_block_of(flow, words[i + 1]));
        failed = !add_pair(again ? &inside : &outside, words[i], words[i + 1]) || failed;
    }
    failed = !add_pair(&inside, id, flow->blocks[r->first_block].label) || failed;
    struct flow_point there = {.flow = flow,
                               .lower = flow->lower,
                               .block = r->old_continue,
                               .item = phi,
                               .origin = flow->items[phi].origin};
    if (!failed) {
        flow_emit(point, SpvOpPhi, outside.words, outside.count);
        flow_emit(&there, SpvOpPhi, inside.words, inside.count);
        flow_remove(flow, r->old_continue, phi);
    }
    flow->lower->failed = flow->lower->failed || failed;
    mem_free(outside.words);
    mem_free(inside.words);
}

/* Redirects branches from the old continue target to the new one, which gets the phis of the old
 * one. */
static void move_continue(struct rotation *r)
{
    struct flow *flow = r->flow;
    const uint32_t from = flow->blocks[r->old_continue].label,
                   to = flow->blocks[r->new_continue].label;
    struct flow_point point = at_end(flow, r->new_continue, flow->blocks[r->old_continue].origin);
    const bool is_loop = flow_opcode(flow, flow_merge(flow, r->old_continue)) == SpvOpLoopMerge;
    for (uint32_t item = flow->blocks[r->old_continue].first, next; item; item = next) {
        next = flow->items[item].next;
        if (flow_opcode(flow, item) != SpvOpPhi)
            continue;
        if (is_loop) {
            choose_outside(r, item, &point);
            continue;
        }
        flow_remove(flow, r->old_continue, item);
        flow_insert(flow, r->new_continue, point.item, flow->items[item].at,
                    flow->items[item].origin, &point.item);
    }
    FLOW_EMIT(&point, SpvOpBranch, flow->blocks[r->header].label);
    for (uint32_t block = 1; block < flow->block_count; block++) {
        uint32_t merge = flow_merge(flow, block);
        if (flow_dominates(r->graph, r->old_continue, block))
            continue;
        flow_retarget(flow, block, from, to);
        if (merge && flow_words(flow, merge)[1] == from)
            flow_words(flow, merge)[1] = to;
    }
}

/* Returns the block before `block` in the function's order. */
static uint32_t block_before(const struct flow *flow, uint32_t block)
{
    uint32_t at = 1;
    while (flow->blocks[at].next && flow->blocks[at].next != block)
        at = flow->blocks[at].next;
    return at;
}

/* Moves the continue construct of a loop to the beginning of each iteration but the first. A
 * function may return from there. */
static void loop_rotate(struct flow *flow, struct loop *loop, const struct flow_graph *graph)
{
    struct rotation r = {.flow = flow, .graph = graph, .header = loop->header};
    const uint32_t origin = flow->blocks[loop->header].origin;
    r.old_continue = continue_of(flow, loop->header);
    r.back = back_block(flow, graph, loop->header);
    if (!r.back) /* the loop is never entered */
        return;
    if (r.old_continue == loop->header) {
        separate_continue(flow, loop->header, r.back);
        return;
    }
    split_header(flow, loop);
    r.rest = loop->rest;
    r.first_block = flow_add_block(flow, loop->header, origin);
    r.new_continue = flow_add_block(flow, block_before(flow, r.old_continue),
                                    flow->blocks[r.old_continue].origin);
    if (flow->lower->failed)
        return;
    flow_words(flow, flow_merge(flow, r.header))[2] = flow->blocks[r.new_continue].label;
    move_continue(&r);
    split_phis(&r);
    uint32_t first = make_first(&r);
    if (flow->lower->failed)
        return;
    const uint32_t rest_label = flow->blocks[r.rest].label;
    flow_retarget(flow, r.header, rest_label, flow->blocks[r.first_block].label);
    struct flow_point point = at_end(flow, r.first_block, origin);
    FLOW_EMIT(&point, SpvOpSelectionMerge, rest_label, SpvSelectionControlMaskNone);
    FLOW_EMIT(&point, SpvOpBranchConditional, first, rest_label,
              flow->blocks[r.old_continue].label);
    flow_retarget(flow, r.back, flow->blocks[r.header].label, rest_label);
}

/* Changes the loops from which the function may have to return, so that it can. Returns true if
 * definitions may no longer dominate their uses. */
static bool prepare_loops(struct loops *loops)
{
    struct flow *flow = loops->flow;
    struct flow_graph graph;
    bool rotated = false;
    if (!flow_graph_make(&graph, flow, true))
        return false;
    const size_t size = ((size_t)graph.count + 1) * sizeof(uint32_t);
    uint32_t *sums = mem_alloc_zeroed(size);
    if (sums) {
        find_waiting(loops, &graph, sums);
        memset(sums, 0, size);
        if (flow->lower->end == ABORT_END_RETURN)
            find_rotating(loops, &graph, sums);
    } else {
        flow->lower->failed = true;
    }
    mem_free(sums);
    /* Rotating a loop does not change the dominance that the rotation of another loop uses: by its
     * header of the block that leads back, and by its continue target of inner loops. */
    for (uint32_t i = 0; i < loops->count && !flow->lower->failed; i++) {
        struct loop *loop = &loops->list[i];
        if (loop->rotates) {
            loop_rotate(flow, loop, &graph);
            rotated = true;
        }
        if (!loop->rest && flow->lower->end == ABORT_END_RETURN &&
            (loop->waits || has_call(flow, loop->header)))
            split_header(flow, loop);
    }
    flow_graph_free(&graph);
    return rotated;
}

/* Emits in the loop a test, in each iteration, whether the device is aborted. */
static void look_in_loop(struct flow *flow, const struct loop *loop)
{
    struct abort_lower *lower = flow->lower;
    bool returns = lower->end == ABORT_END_RETURN;
    uint32_t block = returns ? loop->rest : loop->header, phi = flow_last_phi(flow, block);
    struct flow_point point = {.flow = flow,
                               .lower = lower,
                               .block = block,
                               .item = phi,
                               .origin = flow->blocks[loop->header].origin};
    uint32_t type =
        returns ? spirv_edit_type_bool(&lower->edit) : spirv_edit_type_void(&lower->edit);
    uint32_t ends = FLOW_VALUE(&point, SpvOpFunctionCall, type, abort_wait_function(lower));
    if (returns && !lower->failed)
        (void)return_after(flow, block, point.item, ends);
}

/* --- composites that only messages used --- */

/* The search for composites that become unused once messages are written as words. */
struct drop {
    struct flow *flow;
    /* by id of the module: number of uses, and the place of its definition */
    uint32_t *uses, *items, *blocks;
};

/* Counts the uses of each id in the function, and notes where it is defined. */
static void count_uses(struct drop *drop)
{
    struct flow *flow = drop->flow;
    const uint32_t bound = flow->lower->module->bound;
    for (uint32_t block = 1; block; block = flow->blocks[block].next) {
        for (uint32_t item = flow->blocks[block].first; item; item = flow->items[item].next) {
            struct spirv_operand_walk walk;
            struct spirv_operand operand;
            struct spirv_instruction instruction;
            const uint32_t *words = flow_words(flow, item);
            bool known = abort_operands(flow->lower, flow->items[item].at, &walk, &instruction);
            while (known && spirv_operands_next(&walk, &operand)) {
                uint32_t id = words[operand.word];
                if (!spirv_kind_is_id(operand.kind) || id >= bound)
                    continue;
                if (operand.kind == SPIRV_KIND_IdResult) {
                    drop->items[id] = item;
                    drop->blocks[id] = block;
                } else {
                    drop->uses[id]++;
                }
            }
            /* any of these words may be an id */
            for (uint32_t i = 1; !known && i < instruction.length; i++) {
                if (words[i] < bound)
                    drop->uses[words[i]]++;
            }
        }
    }
}

/* Removes a composite that has no uses any more, and then its parts. */
static void drop_composite(struct drop *drop, uint32_t id, uint32_t depth)
{
    const struct spirv_module *module = drop->flow->lower->module;
    const struct spirv_instruction *definition = spirv_definition(module, id);
    uint32_t end = definition ? definition->length : 0,
             opcode = definition ? definition->opcode : SpvOpNop;
    if (depth > 16 || (opcode != SpvOpCompositeConstruct && opcode != SpvOpCompositeInsert &&
                       opcode != SpvOpCopyLogical && opcode != SpvOpCopyObject))
        return;
    if (!drop->items[id] || drop->uses[id])
        return;
    flow_remove(drop->flow, drop->blocks[id], drop->items[id]);
    drop->items[id] = 0;
    end = opcode == SpvOpCompositeInsert && end > 5 ? 5 : end;
    for (uint32_t i = 3; i < end; i++) {
        uint32_t used = spirv_words(module, definition)[i];
        if (used < module->bound && drop->uses[used] && --drop->uses[used] == 0)
            drop_composite(drop, used, depth + 1);
    }
}

/* Removes composites that are not used any more, so that their types and constants are not needed
 * either. */
static void drop_messages(struct flow *flow, const struct spirv_buffer *messages)
{
    const size_t bound = flow->lower->module->bound;
    struct drop drop = {.flow = flow};
    drop.uses = messages->count ? mem_alloc_zeroed(3 * bound * sizeof(*drop.uses)) : NULL;
    if (!drop.uses) {
        flow->lower->failed = flow->lower->failed || messages->count;
        return;
    }
    drop.items = drop.uses + bound;
    drop.blocks = drop.items + bound;
    count_uses(&drop);
    for (uint32_t i = 0; i < messages->count; i++)
        drop_composite(&drop, messages->words[i], 0);
    mem_free(drop.uses);
}

/* --- one function --- */

/* Replaces an OpAbortKHR by code that writes the message and ends the invocation. Notes the
 * message's id in `messages`. */
static void lower_abort(struct flow *flow, uint32_t block, uint32_t item,
                        struct spirv_buffer *messages)
{
    assert(block < flow->block_count && item < flow->item_count);
    struct abort_lower *lower = flow->lower;
    const uint32_t origin = flow->items[item].origin;
    const uint32_t length = flow_length(flow, item), *words = flow_words(flow, item);
    const uint32_t type = length > 2 ? words[1] : 0, value = length > 2 ? words[2] : 0;
    flow_remove(flow, block, item);
    struct flow_point point = at_end(flow, block, origin);
    if (flow->function->reached) {
        abort_message(&point, type, value, origin);
        if (lower->end == ABORT_END_RETURN) {
            if (lower->info->model == SpvExecutionModelAnyHitKHR)
                /* SPV_NV_ray_tracing: the instruction does not end the invocation */
                flow_emit(&point, SpvOpIgnoreIntersectionNV, NULL, 0);
            flow_return(&point, true);
        } else {
            abort_end_anywhere(&point);
        }
    } else {
        flow_return(&point, false);
    }
    uint32_t *message = spirv_buffer_extend(messages, 1);
    if (message)
        *message = value;
    else
        lower->failed = true;
}

/* Replaces the aborts in all blocks, and makes the function return after calls in which the
 * invocation may have aborted. */
static void lower_blocks(struct flow *flow, struct spirv_buffer *messages)
{
    struct abort_lower *lower = flow->lower;
    for (uint32_t block = 1; block && !lower->failed; block = flow->blocks[block].next) {
        for (uint32_t item = flow->blocks[block].first; item && !lower->failed;
             item = flow->items[item].next) {
            if (flow_opcode(flow, item) == SpvOpAbortKHR) {
                lower_abort(flow, block, item, messages);
                break;
            }
            if (flow->function->reached && is_call(flow, item)) {
                (void)return_after(flow, block, item, 0);
                break; /* the following items are in a block of their own */
            }
        }
    }
}

void abort_flow(struct abort_lower *lower, const struct abort_function *function)
{
    struct flow flow;
    if (!flow_begin(&flow, lower, function))
        return;
    if (lower->tasks.body)
        tasks_note(&flow);
    struct loops loops = {.flow = &flow};
    bool rotated = false;
    if (!find_loops(&loops))
        lower->failed = true;
    else if (loops.count && function->reached)
        rotated = prepare_loops(&loops);
    for (uint32_t i = 0; i < loops.count && !lower->failed; i++) {
        if (loops.list[i].waits && (loops.list[i].rest || lower->end != ABORT_END_RETURN))
            look_in_loop(&flow, &loops.list[i]);
    }
    struct spirv_buffer messages = {0};
    lower_blocks(&flow, &messages);
    if (!lower->failed)
        drop_messages(&flow, &messages);
    mem_free(messages.words);
    /* This is also done without a rotation: a split block may have separated an OpSampledImage from
     * its use. */
    flow_repair(&flow, rotated);
    if (!lower->failed)
        flow_write(&flow);
    mem_free(loops.list);
    flow_end(&flow);
}
