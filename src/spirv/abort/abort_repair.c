/* Repairs values whose definitions no longer dominate their uses. Such a value is kept in a
 * variable. If that is impossible (pointers, images), it is computed again at its use. */
#include "spirv/abort/abort_build.h"

#include <string.h>

/* The place where an id is defined, and the variable that keeps its value. */
struct definition {
    uint32_t block, item; /* of the flow */
    uint32_t order;       /* index among the function's items */
    uint32_t variable;    /* the variable that keeps its value; 0: none */
};

/* The state of repairing one function, after the order of its blocks is final. */
struct repair {
    struct flow *flow;
    struct abort_lower *lower;
    struct flow_graph graph;
    struct definition *definitions; /* by id below `bound` */
    uint32_t bound;
    uint32_t *orders; /* order of items below `items`, which existed before the repair */
    uint32_t items;
    uint32_t depth; /* of the recursion through operands */
};

/* Returns the index of the word with the result's id; 0: the instruction has no result. */
static uint32_t result_word(uint32_t first_word)
{
    const struct spirv_instruction_rule *rule =
        spirv_instruction_rule((uint16_t)spirv_word_opcode(first_word));
    uint32_t word = rule && rule->has_result ? (rule->has_type ? 2 : 1) : 0;
    return word < spirv_word_length(first_word) ? word : 0;
}

/* Notes where each id is defined. Ids from outside of the function have item 0, which means
 * none. */
static void find_definitions(struct repair *r)
{
    uint32_t order = 0;
    for (uint32_t block = 1; block; block = r->flow->blocks[block].next) {
        for (uint32_t item = r->flow->blocks[block].first; item; item = r->flow->items[item].next) {
            const uint32_t *words = flow_words(r->flow, item);
            uint32_t word = result_word(words[0]);
            if (word && words[word] < r->bound)
                r->definitions[words[word]] =
                    (struct definition){.block = block, .item = item, .order = order};
            r->orders[item] = order++;
        }
    }
}

/* --- values that cannot be kept in a variable --- */

/* True for pointers that function variables may hold: those that OpPhi, OpSelect and functions may
 * return ("Variable Pointers" in 2.16.1). */
static bool is_held(const struct repair *r, uint32_t storage)
{
    const struct abort_lower *lower = r->lower;
    bool workgroup = abort_has_capability(lower->module, SpvCapabilityVariablePointers);
    switch (storage) {
    case SpvStorageClassPhysicalStorageBuffer:
        return true;
    case SpvStorageClassStorageBuffer:
        return workgroup ||
               abort_has_capability(lower->module, SpvCapabilityVariablePointersStorageBuffer);
    case SpvStorageClassWorkgroup:
        return workgroup;
    default:
        return false;
    }
}

/* True for types that no function variable can hold: certain pointers, and types whose values only
 * instructions can make. */
static bool repair_type_is_opaque(const struct repair *r, uint32_t type)
{
    const struct spirv_instruction *definition = spirv_definition(r->lower->module, type);
    switch (definition ? definition->opcode : SpvOpNop) {
    case SpvOpTypePointer:
    case SpvOpTypeUntypedPointerKHR:
        return definition->length < 3 || !is_held(r, spirv_words(r->lower->module, definition)[2]);
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypeAccelerationStructureKHR:
    case SpvOpTypeRayQueryKHR:
    case SpvOpTypeVoid:
        return true;
    default:
        return false;
    }
}

/* True if the instruction can be executed again with the same result. */
static bool is_pure(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpUntypedAccessChainKHR:
    case SpvOpUntypedInBoundsAccessChainKHR:
    case SpvOpUntypedPtrAccessChainKHR:
    case SpvOpUntypedInBoundsPtrAccessChainKHR:
    case SpvOpCopyObject:
    case SpvOpLoad: /* of a handle: descriptors do not change while a shader runs */
    case SpvOpSampledImage:
    case SpvOpImage:
    case SpvOpImageTexelPointer:
    case SpvOpConvertUToAccelerationStructureKHR:
        return true;
    default:
        return false;
    }
}

/* Copies the decorations of one id to another id. */
static void copy_decorations(struct repair *r, uint32_t from, uint32_t to)
{
    const struct spirv_module *module = r->lower->module;
    if (from >= module->bound)
        return;
    for (uint32_t i = r->lower->annotations[from]; i != SPIRV_NONE;
         i = r->lower->next_annotation[i]) {
        const uint32_t *words = spirv_words(module, &module->instructions[i]);
        uint32_t length = module->instructions[i].length, operands[16];
        if (module->instructions[i].opcode != SpvOpDecorate || length > ARRAY_LENGTH(operands))
            continue;
        memcpy(operands, &words[1], (length - 1) * sizeof(*words));
        operands[0] = to;
        spirv_edit_add(&r->lower->edit, SPIRV_SECTION_ANNOTATIONS, SpvOpDecorate, operands,
                       length - 1);
    }
}

/* --- repairing one use --- */

/* Returns the type of the variable that holds a value of `type`. */
static uint32_t held_type(struct repair *r, uint32_t type)
{
    return r->lower->module->version >= 0x00010400 && type < r->lower->module->bound
               ? abort_plain_type(r->lower, type)
               : type;
}

/* Returns the variable that keeps the value, which is stored after its definition. It is added when
 * it is first needed. */
static uint32_t repair_variable(struct repair *r, uint32_t id)
{
    assert(id < r->bound);
    struct definition *definition = &r->definitions[id];
    struct spirv_edit *edit = &r->lower->edit;
    if (definition->variable)
        return definition->variable;
    uint32_t type = flow_words(r->flow, definition->item)[1], held = held_type(r, type);
    uint32_t pointer = spirv_edit_type_pointer(edit, SpvStorageClassFunction, held);
    struct flow_point first = {
        .flow = r->flow, .lower = r->lower, .block = 1, .origin = r->flow->blocks[1].origin};
    definition->variable = spirv_edit_id(edit);
    FLOW_EMIT(&first, SpvOpVariable, pointer, definition->variable, SpvStorageClassFunction);
    const uint32_t *to = abort_definition(r->lower, type, SpvOpTypePointer, 4);
    if (to && to[2] == SpvStorageClassPhysicalStorageBuffer)
        spirv_edit_decorate(edit, definition->variable, SpvDecorationAliasedPointer);
    bool phi = flow_opcode(r->flow, definition->item) == SpvOpPhi;
    struct flow_point point = {.flow = r->flow,
                               .lower = r->lower,
                               .block = definition->block,
                               .item = phi ? flow_last_phi(r->flow, definition->block)
                                           : definition->item,
                               .origin = r->flow->items[definition->item].origin};
    if (held != type)
        id = FLOW_VALUE(&point, SpvOpCopyLogical, held, id);
    FLOW_EMIT(&point, SpvOpStore, definition->variable, id);
    return definition->variable;
}

static uint32_t repair_value_at(struct repair *r, uint32_t id, const struct definition *use,
                                struct flow_point *point);

/* Emits the instruction once more, with operands that are available there. Returns its new id. */
static uint32_t make_again(struct repair *r, uint32_t id, const struct definition *use,
                           struct flow_point *point)
{
    assert(id < r->bound && use);
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    struct spirv_instruction instruction;
    uint32_t at = r->flow->items[r->definitions[id].item].at, words[64];
    uint32_t length = spirv_word_length(abort_at(r->lower, at)[0]);
    if (length > ARRAY_LENGTH(words) || r->depth > 16 ||
        !abort_operands(r->lower, at, &walk, &instruction)) {
        r->lower->failed = true;
        return 0;
    }
    memcpy(words, abort_at(r->lower, at), length * sizeof(*words));
    r->depth++;
    while (!r->lower->failed && spirv_operands_next(&walk, &operand)) {
        if (operand.kind != SPIRV_KIND_IdResult && spirv_kind_is_id(operand.kind))
            words[operand.word] = repair_value_at(r, words[operand.word], use, point);
    }
    r->depth--;
    words[2] = spirv_edit_id(&r->lower->edit);
    copy_decorations(r, id, words[2]);
    flow_emit(point, (SpvOp)instruction.opcode, &words[1], length - 1);
    return words[2];
}

/* True if the value may be used at the item. An OpSampledImage may only be used within its
 * block. */
static bool definition_reaches(const struct repair *r, const struct definition *definition,
                               const struct definition *use)
{
    assert(definition && use);
    if (flow_opcode(r->flow, definition->item) == SpvOpSampledImage)
        return definition->block == use->block;
    if (definition->block == use->block)
        return definition->order < use->order;
    return flow_dominates(&r->graph, definition->block, use->block);
}

/* Returns the id of the value at the point of a use. */
static uint32_t repair_value_at(struct repair *r, uint32_t id, const struct definition *use,
                                struct flow_point *point)
{
    if (id >= r->bound || !r->definitions[id].item || r->lower->failed ||
        definition_reaches(r, &r->definitions[id], use))
        return id;
    uint32_t opcode = flow_opcode(r->flow, r->definitions[id].item);
    uint32_t type = flow_words(r->flow, r->definitions[id].item)[1];
    if (opcode == SpvOpVariable || opcode == SpvOpUndef)
        return id;
    if (repair_type_is_opaque(r, type)) {
        if (is_pure(opcode))
            return make_again(r, id, use, point);
        r->lower->failed = true; /* a handle from OpPhi or OpSelect, which Vulkan does not allow */
        return 0;
    }
    uint32_t variable = repair_variable(r, id), held = held_type(r, type);
    uint32_t value = FLOW_VALUE(point, SpvOpLoad, held, variable);
    return held == type ? value : FLOW_VALUE(point, SpvOpCopyLogical, type, value);
}

/* --- repairing all uses --- */

/* Returns the point right before an item. */
static struct flow_point in_front_of(const struct repair *r, uint32_t block, uint32_t item)
{
    return (struct flow_point){.flow = r->flow,
                               .lower = r->lower,
                               .block = block,
                               .item = r->flow->items[item].previous,
                               .origin = r->flow->items[item].origin};
}

/* Repairs the operands of OpPhi, each of which counts as used at the end of the block that it comes
 * from. */
static void repair_phi(struct repair *r, uint32_t item)
{
    assert(item);
    for (uint32_t i = 3; i + 1 < flow_length(r->flow, item) && !r->lower->failed; i += 2) {
        uint32_t value = flow_words(r->flow, item)[i],
                 block = flow_block_of(r->flow, flow_words(r->flow, item)[i + 1]);
        if (!block || r->graph.number[block] == SPIRV_NONE)
            continue;
        uint32_t merge = flow_merge(r->flow, block);
        struct definition use = {.block = block, .order = UINT32_MAX};
        struct flow_point point =
            in_front_of(r, block, merge ? merge : r->flow->blocks[block].last);
        value = repair_value_at(r, value, &use, &point);
        flow_words(r->flow, item)[i] = value;
    }
}

/* Replaces operands of an item whose definitions no longer dominate it. */
static void repair_item(struct repair *r, uint32_t block, uint32_t item)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    struct spirv_instruction instruction;
    uint32_t opcode = flow_opcode(r->flow, item), merge = flow_merge(r->flow, block);
    const struct definition use = {.block = block, .order = r->orders[item]};
    if (opcode == SpvOpPhi) {
        repair_phi(r, item);
        return;
    }
    if (!abort_operands(r->lower, r->flow->items[item].at, &walk, &instruction))
        return;
    /* Nothing may stand between the merge instruction and the terminator. */
    struct flow_point point =
        in_front_of(r, block, merge && item == r->flow->blocks[block].last ? merge : item);
    while (!r->lower->failed && spirv_operands_next(&walk, &operand)) {
        if (operand.kind == SPIRV_KIND_IdResult || !spirv_kind_is_id(operand.kind))
            continue;
        uint32_t id = flow_words(r->flow, item)[operand.word];
        uint32_t value = repair_value_at(r, id, &use, &point);
        flow_words(r->flow, item)[operand.word] = value;
    }
}

/* True if the function has a value that must be made in the block that uses it. */
static bool has_sampled_image(const struct flow *flow)
{
    for (uint32_t item = 1; item < flow->item_count; item++) {
        if (flow_opcode(flow, item) == SpvOpSampledImage)
            return true;
    }
    return false;
}

void flow_repair(struct flow *flow, bool all)
{
    struct repair r = {.flow = flow, .lower = flow->lower, .bound = flow->lower->edit.bound};
    /* If no loop was rotated, only an OpSampledImage can be in another block than its use. */
    if (flow->lower->failed || (!all && !has_sampled_image(flow)))
        return;
    r.items = flow->item_count;
    r.definitions = mem_alloc_zeroed(r.bound * sizeof(*r.definitions));
    r.orders = mem_alloc_zeroed(r.items * sizeof(*r.orders));
    if (r.definitions && r.orders && flow_graph_make(&r.graph, flow, false)) {
        find_definitions(&r);
        for (uint32_t block = 1; block && !flow->lower->failed; block = flow->blocks[block].next) {
            if (r.graph.number[block] == SPIRV_NONE)
                continue;
            for (uint32_t item = flow->blocks[block].first; item && !flow->lower->failed;
                 item = flow->items[item].next) {
                if (item < r.items) /* items that the repair has added need no repair */
                    repair_item(&r, block, item);
            }
        }
        flow_graph_free(&r.graph);
    } else {
        flow->lower->failed = true;
    }
    mem_free(r.definitions);
    mem_free(r.orders);
}
