/* Makes the code of checks smaller. Functions that are called once are inlined, which drivers would
 * do anyway; that saves the function's type, parameters and frame. Instructions with unused results
 * are removed. */
#include "spirv/edit/tidy.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/edit/edit.h"

/* A function that is inlined in its only call. Instructions are indices in the module. */
struct inlined {
    /* index of OpFunction, and of the instruction after OpFunctionEnd; `end` 0: the function is not
     * inlined */
    uint32_t first, end;
};

/* The state of making a module smaller: the old one is read, the new one is written to `out`. */
struct tidy {
    struct spirv_module module;
    uint32_t own;       /* ids from here on were made by the layer */
    uint32_t *uses;     /* for each id the number of its uses, without names and decorations */
    uint32_t *replaced; /* for each id the id that replaces it; 0: none */
    /* for each label the output block that has the last instruction of its block */
    uint32_t *last;
    bool *gone;                /* for each id whether it was removed */
    struct inlined *functions; /* for each id of a function */
    struct spirv_buffer out;
    struct spirv_buffer phis; /* positions of phis in `out` */
    bool failed;              /* memory is out */
};

/* The position that the copy of a function has reached. */
struct tidy_place {
    uint32_t label; /* label of the module's block */
    uint32_t block; /* label of the block that is being written */
    bool renames;   /* ids may have been replaced */
};

/* Allocates a zeroed array with an element for each id. NULL: memory is out, or was out before. */
static void *tidy_zeroed(struct tidy *tidy, size_t size)
{
    void *memory = tidy->failed ? NULL : mem_alloc_zeroed(size * tidy->module.bound);
    tidy->failed = !memory;
    return memory;
}

/* Reads the module. `own`: ids from here on were made by the layer. Returns false if memory is out;
 * tidy_end() must be called all the same. */
static bool tidy_begin(struct tidy *tidy, const uint32_t *words, uint32_t count, uint32_t own)
{
    struct spirv_error error;
    *tidy = (struct tidy){.own = own};
    if (!spirv_module_parse(&tidy->module, words, count, &error))
        return false;
    tidy->uses = tidy_zeroed(tidy, sizeof(*tidy->uses));
    tidy->replaced = tidy_zeroed(tidy, sizeof(*tidy->replaced));
    tidy->last = tidy_zeroed(tidy, sizeof(*tidy->last));
    tidy->gone = tidy_zeroed(tidy, sizeof(*tidy->gone));
    tidy->functions = tidy_zeroed(tidy, sizeof(*tidy->functions));
    return !tidy->failed;
}

static void tidy_end(struct tidy *tidy)
{
    mem_free(tidy->uses);
    mem_free(tidy->replaced);
    mem_free(tidy->last);
    mem_free(tidy->gone);
    mem_free(tidy->functions);
    mem_free(tidy->out.words);
    mem_free(tidy->phis.words);
    spirv_module_free(&tidy->module);
}

/* True for names and decorations, which do not count as uses. */
static bool is_annotation(uint16_t opcode)
{
    return opcode == SpvOpName || opcode == SpvOpMemberName || opcode == SpvOpDecorate ||
           opcode == SpvOpMemberDecorate;
}

/* Counts the ids that an instruction uses. Returns false if it is not known which of its words are
 * ids. */
static bool count_uses(struct tidy *tidy, const struct spirv_instruction *instruction,
                       uint32_t each)
{
    const uint32_t *words = spirv_words(&tidy->module, instruction);
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    if (is_annotation(instruction->opcode))
        return true;
    if (!spirv_operands_begin(&walk, &tidy->module, instruction))
        return false;
    while (spirv_operands_next(&walk, &operand)) {
        const uint32_t id = words[operand.word];
        if (spirv_kind_is_id(operand.kind) && operand.kind != SPIRV_KIND_IdResult &&
            id < tidy->module.bound)
            tidy->uses[id] += each;
    }
    return !walk.malformed;
}

/* Counts the uses of all ids. Returns false if an instruction is not understood; the module stays
 * unchanged then. */
static bool count_all_uses(struct tidy *tidy)
{
    for (uint32_t i = 0; i < tidy->module.instruction_count; i++) {
        if (!count_uses(tidy, &tidy->module.instructions[i], 1))
            return false;
    }
    return true;
}

/* --- choosing the functions --- */

/* True if the function returns at its end and nowhere else, without variables of its own. */
static bool returns_at_end(const struct tidy *tidy, uint32_t first, uint32_t end)
{
    assert(first < end && end <= tidy->module.instruction_count);
    uint32_t returns = 0;
    for (uint32_t i = first; i < end; i++) {
        switch (tidy->module.instructions[i].opcode) {
        case SpvOpReturn:
        case SpvOpReturnValue:
            returns++;
            break;
        case SpvOpVariable:
        case SpvOpKill:
        case SpvOpUnreachable:
        case SpvOpTerminateInvocation:
            return false;
        default:
            break;
        }
    }
    const uint16_t last = end - first > 2 ? tidy->module.instructions[end - 2].opcode : SpvOpNop;
    return returns == 1 && (last == SpvOpReturn || last == SpvOpReturnValue);
}

/* True if the block with this call can be split. The header of a loop cannot be split, nor a block
 * with an OpSampledImage before the call, which must be in the block of its consumer. */
static bool can_be_split(const struct tidy *tidy, uint32_t call)
{
    assert(call < tidy->module.instruction_count);
    for (uint32_t i = call; tidy->module.instructions[i].opcode != SpvOpLabel; i--) {
        if (i == 0 || tidy->module.instructions[i].opcode == SpvOpSampledImage)
            return false;
    }
    for (uint32_t i = call; i < tidy->module.instruction_count; i++) {
        switch (tidy->module.instructions[i].opcode) {
        case SpvOpLoopMerge:
            return false;
        case SpvOpLabel:
        case SpvOpFunctionEnd:
            return true;
        default:
            break;
        }
    }
    return false;
}

/* Returns the function that the instruction calls, if it is inlined; else NULL. */
static struct inlined *tidy_called(const struct tidy *tidy,
                                   const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(&tidy->module, instruction);
    if (instruction->opcode != SpvOpFunctionCall || instruction->length < 4 ||
        words[3] >= tidy->module.bound)
        return NULL;
    struct inlined *function = &tidy->functions[words[3]];
    return function->end ? function : NULL;
}

/* True if the function has one block, also after the functions that it calls are inlined. `depth`
 * limits the recursion, though valid functions do not call themselves. */
static bool has_one_block(const struct tidy *tidy, const struct inlined *function, uint32_t depth)
{
    uint32_t labels = 0;
    for (uint32_t i = function->first; i < function->end; i++) {
        const struct inlined *callee = tidy_called(tidy, &tidy->module.instructions[i]);
        labels += tidy->module.instructions[i].opcode == SpvOpLabel;
        if (labels > 1 || (callee && (depth == 0 || !has_one_block(tidy, callee, depth - 1))))
            return false;
    }
    return true;
}

/* Finds the layer's functions with a single use, which is their call. */
static void find_functions(struct tidy *tidy)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < tidy->module.instruction_count; i++) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        if (instruction->opcode == SpvOpFunction)
            first = i;
        if (instruction->opcode != SpvOpFunctionEnd || tidy->module.instructions[first].length < 5)
            continue;
        const uint32_t id = spirv_words(&tidy->module, &tidy->module.instructions[first])[2];
        if (id >= tidy->own && id < tidy->module.bound && tidy->uses[id] == 1 &&
            returns_at_end(tidy, first, i + 1))
            tidy->functions[id] = (struct inlined){first, i + 1};
    }
}

/* Drops functions from the list that are not called (an entry point), or whose calling block cannot
 * be split. Returns how many are left. */
static uint32_t keep_called(struct tidy *tidy)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tidy->module.instruction_count; i++) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        const uint32_t *words = spirv_words(&tidy->module, instruction);
        struct inlined *function = tidy_called(tidy, instruction);
        if (!function)
            continue;
        if (!has_one_block(tidy, function, 8) && !can_be_split(tidy, i)) {
            function->end = 0;
            continue;
        }
        count++;
        tidy->gone[words[2]] = tidy->gone[words[3]] = true;
        for (uint32_t k = function->first, parameter = 4; k < function->end; k++) {
            const uint32_t *callee = spirv_words(&tidy->module, &tidy->module.instructions[k]);
            if (tidy->module.instructions[k].opcode != SpvOpFunctionParameter)
                continue;
            tidy->gone[callee[2]] = true;
            tidy->replaced[callee[2]] = parameter < instruction->length ? words[parameter] : 0;
            parameter++;
        }
    }
    return count;
}

/* --- the copy --- */

/* Returns the id that finally replaces this one; mostly it is the id itself. */
static uint32_t tidy_resolve(const struct tidy *tidy, uint32_t id)
{
    while (id < tidy->module.bound && tidy->replaced[id])
        id = tidy->replaced[id];
    return id;
}

/* Copies an instruction to the output. `renames`: replaced ids are exchanged. */
static void tidy_copy(struct tidy *tidy, const struct spirv_instruction *instruction, bool renames)
{
    const uint32_t *words = spirv_words(&tidy->module, instruction);
    uint32_t *to = tidy->failed ? NULL : spirv_buffer_extend(&tidy->out, instruction->length);
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    if (!to) {
        tidy->failed = true;
        return;
    }
    memcpy(to, words, instruction->length * sizeof(*words));
    if (!renames || !spirv_operands_begin(&walk, &tidy->module, instruction))
        return;
    while (spirv_operands_next(&walk, &operand)) {
        if (spirv_kind_is_id(operand.kind) && operand.kind != SPIRV_KIND_IdResult)
            to[operand.word] = tidy_resolve(tidy, words[operand.word]);
    }
}

/* Notes where an OpPhi begins in the output, whose operands are corrected at the end. */
static void note_phi(struct tidy *tidy)
{
    uint32_t *at = spirv_buffer_extend(&tidy->phis, 1);
    if (at)
        *at = tidy->out.count;
    else
        tidy->failed = true;
}

/* Copies a function, from OpFunction to one past OpFunctionEnd. An inlined function is copied
 * without its frame; the id that it returns is the result, or 0. */
static uint32_t copy_function(struct tidy *tidy, uint32_t first, uint32_t end,
                              struct tidy_place *place, bool inlined)
{
    assert(first < end && end <= tidy->module.instruction_count);
    bool entered = false;
    for (uint32_t i = first; i < end && !tidy->failed; i++) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        const uint32_t *words = spirv_words(&tidy->module, instruction);
        const struct inlined *function = tidy_called(tidy, instruction);
        if (function) {
            /* The copy of the callee changes the label; the caller's block continues after it. */
            const uint32_t label = place->label;
            place->renames = true;
            tidy->replaced[words[2]] =
                copy_function(tidy, function->first, function->end, place, true);
            place->label = label;
            continue;
        }
        switch (instruction->opcode) {
        case SpvOpFunction:
        case SpvOpFunctionParameter:
        case SpvOpFunctionEnd:
            if (inlined)
                continue;
            break;
        case SpvOpLabel:
            if (place->label)
                tidy->last[place->label] = place->block;
            place->label = words[1];
            /* The first block of the function joins the calling block, so its label is left out. */
            if (inlined && !entered) {
                entered = true;
                continue;
            }
            place->block = words[1];
            break;
        case SpvOpReturn:
        case SpvOpReturnValue:
            if (!inlined)
                break;
            tidy->last[place->label] = place->block;
            /* Only functions that return once, at their end, are inlined, so no code follows. */
            return instruction->opcode == SpvOpReturnValue ? tidy_resolve(tidy, words[1]) : 0;
        case SpvOpPhi:
            /* Its parents may be blocks that were split; they are corrected when all are known. */
            note_phi(tidy);
            break;
        default:
            break;
        }
        tidy_copy(tidy, instruction, place->renames);
    }
    if (place->label)
        tidy->last[place->label] = place->block;
    return 0;
}

/* Corrects OpPhi: a value's parent becomes the block in which its old parent ends now. */
static void mend_phis(struct tidy *tidy)
{
    for (uint32_t i = 0; i < tidy->phis.count && !tidy->failed; i++) {
        uint32_t *words = &tidy->out.words[tidy->phis.words[i]];
        for (uint32_t at = 3; at + 1 < spirv_word_length(words[0]); at += 2) {
            words[at] = tidy_resolve(tidy, words[at]);
            if (words[at + 1] < tidy->module.bound && tidy->last[words[at + 1]])
                words[at + 1] = tidy->last[words[at + 1]];
        }
    }
}

/* Copies the header; its bound is still right, as no id is added. */
static void copy_header(struct tidy *tidy)
{
    uint32_t *to = spirv_buffer_extend(&tidy->out, SPIRV_HEADER_WORDS);
    if (to)
        memcpy(to, tidy->module.words, SPIRV_HEADER_WORDS * sizeof(*to));
    else
        tidy->failed = true;
}

/* True for a name or decoration of a removed id. */
static bool is_gone(const struct tidy *tidy, const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(&tidy->module, instruction);
    return is_annotation(instruction->opcode) && words[1] < tidy->module.bound &&
           tidy->gone[words[1]];
}

/* Inlines the functions that are called once. Returns false if there are none, or memory is out. */
static bool inline_functions(struct tidy *tidy)
{
    if (!count_all_uses(tidy))
        return false;
    find_functions(tidy);
    if (!keep_called(tidy))
        return false;
    copy_header(tidy);
    for (uint32_t i = 0; i < tidy->module.instruction_count && !tidy->failed; i++) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        const uint32_t *words = spirv_words(&tidy->module, instruction);
        uint32_t end = i;
        if (is_gone(tidy, instruction))
            continue;
        if (instruction->opcode != SpvOpFunction || instruction->length < 5) {
            tidy_copy(tidy, instruction, false);
            continue;
        }
        while (end < tidy->module.instruction_count &&
               tidy->module.instructions[end].opcode != SpvOpFunctionEnd)
            end++;
        if (words[2] < tidy->module.bound && !tidy->functions[words[2]].end)
            (void)copy_function(tidy, i, end + 1, &(struct tidy_place){0}, false);
        i = end;
    }
    mend_phis(tidy);
    return !tidy->failed;
}

/* --- types, constants, and unused values --- */

/* True if the instruction has no effect besides its result. */
static bool is_of_use_by_result(uint16_t opcode)
{
    return (opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeFunction) ||
           (opcode >= SpvOpConstantTrue && opcode <= SpvOpConstantNull) || opcode == SpvOpLoad ||
           opcode == SpvOpAccessChain || opcode == SpvOpPtrAccessChain ||
           opcode == SpvOpArrayLength ||
           (opcode >= SpvOpVectorExtractDynamic && opcode <= SpvOpTranspose) ||
           (opcode >= SpvOpConvertFToU && opcode <= SpvOpBitcast) ||
           (opcode >= SpvOpSNegate && opcode <= SpvOpBitCount);
}

/* Removes the layer's own instructions whose results are not used. Returns false if there are none,
 * or memory is out. */
static bool drop_unused(struct tidy *tidy)
{
    uint32_t count = 0;
    if (!count_all_uses(tidy))
        return false;
    for (uint32_t i = tidy->module.instruction_count; i-- > 0;) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
        const uint32_t result = rule && rule->has_type ? 2 : 1;
        if (!is_of_use_by_result(instruction->opcode) || !rule || instruction->length <= result)
            continue;
        const uint32_t id = spirv_words(&tidy->module, instruction)[result];
        if (id < tidy->own || id >= tidy->module.bound || tidy->uses[id])
            continue;
        tidy->gone[id] = true;
        (void)count_uses(tidy, instruction, UINT32_MAX); /* its operands have one use less each */
        count++;
    }
    if (!count)
        return false;
    copy_header(tidy);
    for (uint32_t i = 0; i < tidy->module.instruction_count && !tidy->failed; i++) {
        const struct spirv_instruction *instruction = &tidy->module.instructions[i];
        const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
        const uint32_t *words = spirv_words(&tidy->module, instruction);
        const uint32_t result = rule && rule->has_type ? 2 : 1;
        const bool dropped = is_of_use_by_result(instruction->opcode) &&
                             instruction->length > result && tidy->gone[words[result]];
        if (!dropped && !is_gone(tidy, instruction))
            tidy_copy(tidy, instruction, false);
    }
    return !tidy->failed;
}

/* Replaces the words by the result of `how`; if it fails they stay unchanged. */
static void words_change(uint32_t **words, uint32_t *count, uint32_t own,
                         bool (*how)(struct tidy *tidy))
{
    struct tidy tidy;
    const bool changed = tidy_begin(&tidy, *words, *count, own) && how(&tidy);
    if (changed) {
        mem_free(*words);
        *words = tidy.out.words;
        *count = tidy.out.count;
        tidy.out.words = NULL;
    }
    tidy_end(&tidy);
}

void spirv_tidy(uint32_t **words, uint32_t *count, uint32_t own)
{
    words_change(words, count, own, inline_functions);
    words_change(words, count, own, drop_unused);
}
