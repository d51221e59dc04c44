/* Puts checks into a module. Each function that the entry point reaches is copied, instruction by
 * instruction, with the checks of the passes before each one. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/abi.h"
#include "spirv/edit/tidy.h"
#include "base/vec.h"

/* The passes, in the order of their checks before an instruction. */
static void (*const passes[])(struct instrument *x, const struct spirv_instruction *instruction,
                              const uint32_t *words) = {
    instrument_vertex,    instrument_descriptors, instrument_buffers, instrument_addresses,
    instrument_sanitizer, instrument_nan,         instrument_mesh,    instrument_queries,
    instrument_trace,     instrument_touched,
};

bool spirv_uses_vulkan_memory_model(const struct spirv_module *module)
{
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpFunction; i++) {
        const uint32_t *words = spirv_words(module, &module->instructions[i]);
        if (module->instructions[i].opcode == SpvOpMemoryModel &&
            module->instructions[i].length > 2)
            return words[2] == SpvMemoryModelVulkan;
    }
    return false;
}

/* Forgets remembered ids when a new function begins, as they are only valid in the old one. */
static void forget_memos(struct instrument *x)
{
    memset(x->memos, 0, sizeof(x->memos));
    memset(x->covered, 0, sizeof(x->covered));
    x->pattern_count = 0;
}

/* --- functions --- */

/* Returns the id of the entry point's function; 0: no entry point has the name and model. */
static uint32_t instrument_find_entry(const struct instrument *x)
{
    for (uint32_t i = 0; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        uint32_t taken;
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode != SpvOpEntryPoint || instruction->length < 4 ||
            words[1] != x->info->model)
            continue;
        const char *name = spirv_string(&words[3], instruction->length - 3u, &taken);
        if (name && strcmp(name, x->info->entry) == 0)
            return words[2] < x->module->bound ? words[2] : 0;
    }
    return 0;
}

/* Marks the functions that are called from marked ones; repeats until no new one is marked, since a
 * function may be called before it is defined. */
static void reach_functions(struct instrument *x, uint32_t entry)
{
    x->reached[entry] = 1;
    for (bool more = true; more;) {
        more = false;
        uint32_t function = 0;
        for (uint32_t i = 0; i < x->module->instruction_count; i++) {
            const struct spirv_instruction *instruction = &x->module->instructions[i];
            const uint32_t *words = spirv_words(x->module, instruction);
            if (instruction->opcode == SpvOpFunction)
                function = instruction->length > 2 ? words[2] : 0;
            else if (instruction->opcode == SpvOpFunctionCall && instruction->length > 3 &&
                     function < x->module->bound && x->reached[function] &&
                     words[3] < x->module->bound && !x->reached[words[3]]) {
                x->reached[words[3]] = 1;
                more = true;
            }
        }
    }
}

/* Notes where an OpPhi begins, whose operands are corrected when all blocks have been split. */
static void note_phi(struct instrument *x)
{
    if (!vec_room(&x->phis, x->phi_count, &x->phi_capacity, 64, sizeof(*x->phis))) {
        x->failed = true;
        return;
    }
    x->phis[x->phi_count++] = x->edit.sections[SPIRV_SECTION_FUNCTIONS].count;
}

/* Corrects the operands of OpPhi: the parent of a value is the last part of a block that was
 * split. */
static void mend_phis(struct instrument *x)
{
    for (uint32_t i = 0; i < x->phi_count; i++) {
        uint32_t *words = &x->edit.sections[SPIRV_SECTION_FUNCTIONS].words[x->phis[i]];
        uint32_t length = words[0] >> SpvWordCountShift;
        for (uint32_t at = 4; at < length; at += 2) {
            if (words[at] < x->module->bound && x->last_label[words[at]])
                words[at] = x->last_label[words[at]];
        }
    }
}

/* True if the block that begins with this instruction is the header of a loop, which cannot be
 * split. */
static bool is_loop_header(const struct instrument *x, uint32_t index)
{
    assert(index < x->module->instruction_count);
    for (uint32_t i = index + 1; i < x->module->instruction_count; i++) {
        switch (x->module->instructions[i].opcode) {
        case SpvOpLoopMerge:
            return true;
        case SpvOpLabel:
        case SpvOpFunctionEnd:
            return false;
        default:
            break;
        }
    }
    return false;
}

/* True if a value of the type may have pointers in it, or the type is not known. */
static bool has_pointer(const struct instrument *x, uint32_t type, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, type);
    if (!definition || depth > 16)
        return true;
    const uint32_t *words = spirv_words(x->module, definition);
    switch (definition->opcode) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeBool:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return false;
    case SpvOpTypeArray:
        return definition->length < 3 || has_pointer(x, words[2], depth + 1);
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < definition->length; i++) {
            if (has_pointer(x, words[i], depth + 1))
                return true;
        }
        return false;
    default:
        return true;
    }
}

/* Returns the id that replaces the result of a skipped instruction: a null constant. Pointers have
 * none, so one is converted from 0; a composite with pointers becomes OpUndef. */
static uint32_t zero_of(struct instrument *x, uint32_t type)
{
    if (!has_pointer(x, type, 0))
        return spirv_edit_constant_null(&x->edit, type);
    const uint32_t *pointer = instrument_definition(x, type, SpvOpTypePointer, 4);
    if (!pointer || pointer[2] != SpvStorageClassPhysicalStorageBuffer)
        return instrument_emit(x, SpvOpUndef, type, NULL, 0);
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    uint32_t bits = spirv_edit_constant_null(&x->edit, pair);
    return instrument_emit(x, SpvOpBitcast, type, &bits, 1);
}

/* Emits a copy of the OpSampledImage that the instruction consumes, and returns its id. It must be
 * in the same block as its consumer, and the block may have been split between them. 0: the
 * instruction consumes none. */
static uint32_t sampled_image_again(struct instrument *x,
                                    const struct spirv_instruction *instruction,
                                    const uint32_t *words)
{
    const uint32_t *made =
        instruction->length > 3 ? instrument_definition(x, words[3], SpvOpSampledImage, 5) : NULL;
    const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
    if (!made || !rule || !rule->has_type || !rule->has_result)
        return 0;
    uint32_t id = instrument_emit(x, SpvOpSampledImage, made[1], &made[3], 2);
    if (x->non_uniform[words[3]])
        spirv_edit_decorate(&x->edit, id, SpvDecorationNonUniform);
    return id;
}

/* Returns a pointer for a guarded load that is valid even if the checks failed; 0: the load's own
 * pointer is used. lavapipe executes a load of a scalar even if no invocation is active. */
static uint32_t safe_pointer(struct instrument *x, const struct spirv_instruction *instruction,
                             const uint32_t *words)
{
    struct instrument_reach reach;
    if (!x->info->safe || instruction->opcode != SpvOpLoad || instruction->length < 4 ||
        !instrument_reach(x, instruction, words, words[3], &reach) || reach.in_rows ||
        reach.span > COMMAND_TABLES * sizeof(uint32_t))
        return 0;
    const uint32_t arguments[] = {instrument_address(x, words[3]), x->ok};
    const uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    const uint32_t address =
        instrument_call(x, "assay_safe_address", pair, arguments, ARRAY_LENGTH(arguments));
    return instrument_emit(x, SpvOpBitcast, instrument_type_of(x, words[3]), &address, 1);
}

/* Copies an instruction into a branch that is only taken if the checks before it succeeded;
 * otherwise its result is zero. That is done in safe mode, and for accesses that would crash any
 * driver. In the header of a loop, which cannot be split, the instruction is copied unchanged. */
static void copy_guarded(struct instrument *x, const struct spirv_instruction *instruction,
                         const uint32_t *words)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
    bool has_result = rule && rule->has_type && rule->has_result && instruction->length > 2 &&
                      instrument_opcode(x, words[1]) != SpvOpTypeVoid;
    uint32_t before = x->block, operands[64];
    /* No instruction with so many words is checked, so it is copied without a guard. */
    if (instruction->length > ARRAY_LENGTH(operands)) {
        spirv_edit_copy(&x->edit, instruction);
        return;
    }
    memcpy(operands, &words[1], (instruction->length - 1u) * sizeof(*words));
    if (!x->ok || x->loop_header) {
        uint32_t again = sampled_image_again(x, instruction, words);
        if (again)
            operands[2] = again;
        spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, (SpvOp)instruction->opcode, operands,
                       instruction->length - 1u);
        return;
    }
    const uint32_t pointer = safe_pointer(x, instruction, words);
    if (pointer)
        operands[2] = pointer;
    uint32_t then = spirv_edit_id(&x->edit), after = spirv_edit_id(&x->edit),
             zero = has_result ? zero_of(x, words[1]) : 0;
    spirv_edit_emit(&x->edit, SpvOpSelectionMerge, after, SpvSelectionControlMaskNone);
    spirv_edit_emit(&x->edit, SpvOpBranchConditional, x->ok, then, after);
    spirv_edit_emit(&x->edit, SpvOpLabel, then);
    uint32_t again = sampled_image_again(x, instruction, words);
    if (again)
        operands[2] = again;
    if (has_result)
        operands[1] = spirv_edit_id(&x->edit);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, (SpvOp)instruction->opcode, operands,
                   instruction->length - 1u);
    spirv_edit_emit(&x->edit, SpvOpBranch, after);
    spirv_edit_emit(&x->edit, SpvOpLabel, after);
    if (has_result)
        spirv_edit_emit(&x->edit, SpvOpPhi, words[1], words[2], operands[1], then, zero, before);
    x->block = after;
    /* OpPhi in later blocks still names the original block; mend_phis() replaces that by the label
     * of its last part. */
    if (x->own_block < x->module->bound)
        x->last_label[x->own_block] = after;
}

/* Copies one instruction of an instrumented function, after its checks. */
static void copy_in_function(struct instrument *x, const struct spirv_instruction *instruction,
                             const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpLabel:
        x->first_block = !x->own_block;
        x->block = x->own_block = instruction->length > 1 ? words[1] : 0;
        x->loop_header = is_loop_header(x, x->index);
        instrument_groups_plan(x, x->index);
        break;
    case SpvOpPhi:
        note_phi(x);
        break;
    case SpvOpVariable: /* nothing may come before the variables of a function's first block */
        break;
    default:
        x->ok = 0;
        instrument_later_before(x, instruction, words);
        if (instrument_abort(x, instruction, words) || instrument_printf(x, instruction, words))
            return;
        instrument_shared(x, instruction, words);
        instrument_groups_before(x);
        for (size_t i = 0; i < ARRAY_LENGTH(passes) &&
                           (!x->info->most_checks || x->result->checks < x->info->most_checks);
             i++)
            passes[i](x, instruction, words);
        instrument_later_after(x, instruction);
        if (instrument_clamp(x, instruction, words) || instrument_mesh_clamp(x, instruction, words))
            return;
        if (x->ok || (x->info->safe && instruction->length > 3)) {
            copy_guarded(x, instruction, words);
            return;
        }
        break;
    }
    spirv_edit_copy(&x->edit, instruction);
}

/* Copies all functions. Those that the entry point reaches are instrumented. */
static void copy_functions(struct instrument *x)
{
    uint32_t first = 0;
    while (first < x->module->instruction_count &&
           x->module->instructions[first].opcode != SpvOpFunction)
        /* spirv_edit_begin() has copied the globals. */
        first++;
    bool stub = false;
    for (uint32_t i = first; i < x->module->instruction_count && !x->failed && !x->edit.failed;
         i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        x->index = i;
        if (instruction->opcode == SpvOpFunction) {
            uint32_t id = instruction->length > 2 ? words[2] : 0;
            stub = instrument_is_stub(x, id);
            x->function = id < x->module->bound && x->reached[id] ? id : 0;
            x->own_block = 0;
            x->first_block = false;
            /* Remembered ids belong to one function, and are not valid in the next. */
            forget_memos(x);
            if (x->function) {
                instrument_blocks_read(x);
                instrument_groups_far(x, x->index);
            }
        }
        if (x->function && !stub)
            copy_in_function(x, instruction, words);
        else if (!stub)
            spirv_edit_copy(&x->edit, instruction);
        if (instruction->opcode == SpvOpFunctionEnd)
            x->function = 0;
    }
}

/* Instruments the module. Returns false if there is nothing to check, the module is not understood,
 * or memory is out. */
static bool instrument_run(struct instrument *x)
{
    uint32_t entry = instrument_find_entry(x);
    if (!entry || !instrument_types_read(x))
        return false;
    x->entry = entry;
    reach_functions(x, entry);
    if (!spirv_edit_begin(&x->edit, x->module))
        return false;
    bool done = false;
    if (spirv_link_begin(&x->link, &x->edit, x->info->library)) {
        spirv_edit_keep_entry(&x->edit, entry, (SpvExecutionModel)x->info->model, x->info->entry);
        if (instrument_globals_begin(x)) {
            instrument_later_begin(x);
            copy_functions(x);
            /* If no check was emitted, the original module can be used. */
            done = !x->failed && x->result->checks;
        }
        if (done) {
            mend_phis(x);
            instrument_sanitizer_end(x);
            instrument_groups_end(x);
            instrument_later_end(x);
            instrument_shared_end(x);
        }
        spirv_link_end(&x->link);
    }
    if (!done || x->failed) {
        spirv_edit_abandon(&x->edit);
        return false;
    }
    x->result->words = spirv_edit_end(&x->edit, &x->result->word_count);
    if (x->result->words)
        spirv_tidy(&x->result->words, &x->result->word_count, x->module->bound);
    return x->result->words != NULL;
}

/* Instruments the module once. `later`: checks report when the invocation ends
 * (instrument_later.c). Returns false in the cases of instrument_run(). */
static bool instrument_in_a_way(const struct spirv_module *module,
                                const struct spirv_instrument_info *info,
                                const struct abort_lowered *lowered, bool later,
                                struct spirv_instrumented *result)
{
    *result = (struct spirv_instrumented){0};
    struct instrument *x = mem_alloc_zeroed(sizeof(*x));
    if (!x)
        return false;
    x->module = module;
    x->info = info;
    x->lowered = lowered;
    x->result = result;
    x->later.on = later;
    bool done = instrument_run(x);
    if (!done) {
        mem_free(result->sites);
        result->sites = NULL;
        result->site_count = 0;
    }
    instrument_types_free(x);
    instrument_blocks_free(x);
    instrument_phases_free(x->shared.phases);
    instrument_groups_free(x);
    instrument_values_free(x);
    mem_free(x);
    return done;
}

/* Instruments a module, lowered or not. The number of checks is only known afterwards, so a shader
 * with many checks is instrumented a second time, to report later. */
static bool instrument_module(const struct spirv_module *module,
                              const struct spirv_instrument_info *info,
                              const struct abort_lowered *lowered,
                              struct spirv_instrumented *result)
{
    if (!instrument_in_a_way(module, info, lowered, false, result))
        return false;
    if (!info->later_from || result->checks <= info->later_from)
        return true;
    mem_free(result->words);
    mem_free(result->sites);
    return instrument_in_a_way(module, info, lowered, true, result);
}

/* Instruments a lowered module. The result is used even if it got no check. */
static bool instrument_lowered(struct abort_lowered *lowered,
                               const struct spirv_instrument_info *info,
                               struct spirv_instrumented *result)
{
    struct spirv_module module;
    struct spirv_error error;
    if (!spirv_module_parse(&module, lowered->words, lowered->word_count, &error))
        return false;
    bool done = instrument_module(&module, info, lowered, result), calls = false;
    for (uint32_t i = 0; i < ABORT_STUBS; i++)
        calls = calls || lowered->stubs[i];
    if (!done && !result->pointer_unreachable && info->checks != SPIRV_CHECK_ABORT) {
        struct spirv_instrument_info less = *info;
        less.checks = SPIRV_CHECK_ABORT;
        less.safe = false;
        done = instrument_module(&module, &less, lowered, result);
    }
    if (!done && !result->pointer_unreachable && !calls) {
        *result =
            (struct spirv_instrumented){.words = lowered->words, .word_count = lowered->word_count};
        lowered->words = NULL;
        done = true;
    }
    spirv_module_free(&module);
    if (done) {
        result->aborts = lowered->sites;
        lowered->sites = NULL;
    }
    return done;
}

bool spirv_instrument(const struct spirv_module *module, const struct spirv_instrument_info *info,
                      struct spirv_instrumented *result)
{
    struct abort_lowered lowered;
    *result = (struct spirv_instrumented){0};
    if (!(info->checks & SPIRV_CHECK_ABORT))
        return instrument_module(module, info, NULL, result);
    switch (spirv_abort_lower(module, info, &lowered)) {
    case ABORT_NOTHING:
        return instrument_module(module, info, NULL, result);
    case ABORT_DONE: {
        bool done = instrument_lowered(&lowered, info, result);
        spirv_abort_lowered_free(&lowered);
        return done;
    }
    default:
        return false;
    }
}
