/* Finds the parts of a module that have to be lowered, and lowers them in the right order. */
#include "spirv/abort/abort_build.h"

#include <string.h>

const char *const abort_stub_names[ABORT_STUBS] = {"assay_abort_begin", "assay_abort_word",
                                                   "assay_abort_words", "assay_abort_end",
                                                   "assay_aborted"};

/* --- the module --- */

/* Lists the decorations of each id, in the module's order. Returns false if memory is out. */
static bool list_annotations(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    lower->annotations = mem_alloc(module->bound * sizeof(uint32_t));
    lower->next_annotation = mem_alloc(module->instruction_count * sizeof(uint32_t));
    lower->type_notes = mem_alloc_zeroed(module->bound);
    lower->type_words = mem_alloc_zeroed(module->bound * sizeof(uint32_t));
    lower->plain_types = mem_alloc_zeroed(module->bound * sizeof(uint32_t));
    if (!lower->annotations || !lower->next_annotation || !lower->type_notes ||
        !lower->type_words || !lower->plain_types)
        return false;
    memset(lower->annotations, 0xff, module->bound * sizeof(uint32_t)); /* SPIRV_NONE */
    for (uint32_t i = module->instruction_count; i-- > 0;) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if ((instruction->opcode != SpvOpDecorate && instruction->opcode != SpvOpMemberDecorate) ||
            instruction->length < 3 || words[1] >= module->bound)
            continue;
        lower->next_annotation[i] = lower->annotations[words[1]];
        lower->annotations[words[1]] = i;
    }
    return true;
}

/* --- functions --- */

/* Lists the functions, and makes room for their calls. Returns false if memory is out, or a
 * function does not end. */
static bool list_functions(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    uint32_t functions = 0, calls = 0;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        functions += module->instructions[i].opcode == SpvOpFunction;
        calls += module->instructions[i].opcode == SpvOpFunctionCall;
    }
    lower->functions = mem_alloc_zeroed((functions + 1) * sizeof(*lower->functions));
    lower->calls = mem_alloc_zeroed((calls + 1) * sizeof(*lower->calls));
    lower->function_of = mem_alloc_zeroed(module->bound * sizeof(uint32_t));
    if (!lower->functions || !lower->calls || !lower->function_of)
        return false;
    struct abort_function *function = NULL;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction) {
            if (function || instruction->length < 3)
                return false;
            function = &lower->functions[lower->function_count++];
            *function =
                (struct abort_function){.id = spirv_words(module, instruction)[2], .first = i};
            lower->function_of[function->id] = lower->function_count;
        } else if (instruction->opcode == SpvOpFunctionEnd && function) {
            function->end = i + 1;
            function = NULL;
        }
    }
    return !function;
}

/* Notes what a function does: whether it aborts, waits or loops, and which functions it calls. */
static void read_function(struct abort_lower *lower, uint32_t index)
{
    const struct spirv_module *module = lower->module;
    struct abort_function *function = &lower->functions[index];
    bool loops = false;
    for (uint32_t i = function->first; i < function->end; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        uint32_t callee = instruction->opcode == SpvOpFunctionCall && instruction->length > 3
                              ? spirv_words(module, instruction)[3]
                              : module->bound;
        function->aborts = function->aborts || instruction->opcode == SpvOpAbortKHR;
        function->asks = function->asks || instruction->opcode == SpvOpEmitMeshTasksEXT;
        function->waits = function->waits || abort_may_wait(lower, instruction);
        loops = loops || instruction->opcode == SpvOpLoopMerge;
        if (callee < module->bound && lower->function_of[callee])
            lower->calls[lower->call_count++] =
                (struct abort_call){.caller = index, .callee = lower->function_of[callee] - 1};
    }
    function->spins = loops; /* loops only count if the function turns out to wait */
}

/* Propagates the properties of a function to its callers, and that it is reached to the functions
 * that it calls. */
static void functions_spread(struct abort_lower *lower)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < lower->call_count; i++) {
            struct abort_function *from = &lower->functions[lower->calls[i].caller],
                                  *to = &lower->functions[lower->calls[i].callee];
            more = more || (to->waits && !from->waits) || (from->reached && !to->reached);
            from->waits = from->waits || to->waits;
            to->reached = to->reached || from->reached;
        }
    }
    for (uint32_t i = 0; i < lower->function_count; i++) {
        struct abort_function *function = &lower->functions[i];
        function->spins = function->spins && function->waits && function->reached;
        function->ends =
            function->reached && (function->aborts || function->spins || function->asks);
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < lower->call_count; i++) {
            struct abort_function *from = &lower->functions[lower->calls[i].caller];
            bool ends = lower->functions[lower->calls[i].callee].ends;
            more = more || (ends && !from->ends);
            from->ends = from->ends || ends;
        }
    }
}

/* Returns the id of the entry point's function; 0: there is none of that name and model. */
static uint32_t abort_lower_find_entry(const struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode != SpvOpFunction; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t taken;
        if (instruction->opcode != SpvOpEntryPoint || instruction->length < 4 ||
            words[1] != lower->info->model)
            continue;
        const char *name = spirv_string(&words[3], instruction->length - 3u, &taken);
        if (name && strcmp(name, lower->info->entry) == 0)
            return words[2] < module->bound && lower->function_of[words[2]] ? words[2] : 0;
    }
    return 0;
}

/* --- additions to the module --- */

/* Writes an empty function, so that the module is complete. The instrumenter links the real one in
 * its place. */
static void write_stub(struct abort_lower *lower, enum abort_stub stub)
{
    struct spirv_edit *edit = &lower->edit;
    struct flow_point to = {.lower = lower, .origin = SPIRV_NONE};
    uint32_t u32 = spirv_edit_type_u32(edit), four = spirv_edit_type_vector(edit, u32, 4);
    const struct {
        uint32_t returns, parameters[3];
    } types[ABORT_STUBS] = {[ABORT_STUB_BEGIN] = {four, {u32, u32, u32}},
                            [ABORT_STUB_WORD] = {spirv_edit_type_void(edit), {four, u32, u32}},
                            [ABORT_STUB_WORDS] = {spirv_edit_type_void(edit), {four, u32, four}},
                            [ABORT_STUB_END] = {spirv_edit_type_void(edit), {four, u32}},
                            [ABORT_STUB_ABORTED] = {spirv_edit_type_bool(edit), {0}}};
    uint32_t count = 0;
    while (count < ARRAY_LENGTH(types[stub].parameters) && types[stub].parameters[count])
        count++;
    uint32_t function =
        spirv_edit_type_function(edit, types[stub].returns, types[stub].parameters, count);
    FLOW_EMIT(&to, SpvOpFunction, types[stub].returns, lower->result->stubs[stub],
              SpvFunctionControlMaskNone, function);
    for (uint32_t i = 0; i < count; i++)
        (void)flow_value(&to, SpvOpFunctionParameter, types[stub].parameters[i], NULL, 0);
    FLOW_EMIT(&to, SpvOpLabel, spirv_edit_id(edit));
    if (types[stub].returns == spirv_edit_type_void(edit))
        flow_emit(&to, SpvOpReturn, NULL, 0);
    else
        FLOW_EMIT(&to, SpvOpReturnValue, spirv_edit_constant_null(edit, types[stub].returns));
    flow_emit(&to, SpvOpFunctionEnd, NULL, 0);
}

/* --- lowering a module --- */

/* True if the module declares the extension. */
static bool has_extension(const struct spirv_module *module, const char *name)
{
    assert(name);
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        uint32_t taken;
        if (instruction->opcode == SpvOpMemoryModel)
            break;
        if (instruction->opcode != SpvOpExtension || instruction->length < 2)
            continue;
        const char *found =
            spirv_string(&spirv_words(module, instruction)[1], instruction->length - 1u, &taken);
        if (found && strcmp(found, name) == 0)
            return true;
    }
    return false;
}

/* Chooses how an aborting invocation ends. A fragment that ends by OpKill is discarded, so its
 * outputs are not written. An any-hit shader that returns accepts the hit, and one that ends by
 * OpTerminateRayKHR commits it ("Ray Traversal"). OpIgnoreIntersectionKHR drops the candidate, so
 * the invocation has no effect. Both OpKill and OpIgnoreIntersectionKHR end the invocation in any
 * function. */
static enum abort_end choose_end(const struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    switch (lower->info->model) {
    case SpvExecutionModelFragment:
        /* OpTerminateInvocation is part of SPIR-V 1.6, and OpKill is deprecated there. */
        return module->version >= 0x00010600 ||
                       has_extension(module, "SPV_KHR_terminate_invocation")
                   ? ABORT_END_TERMINATE
                   : ABORT_END_KILL;
    case SpvExecutionModelAnyHitKHR:
        return abort_has_capability(module, SpvCapabilityRayTracingKHR) ? ABORT_END_IGNORE
                                                                        : ABORT_END_RETURN;
    default:
        return ABORT_END_RETURN;
    }
}

/* True if the module has to be changed: an instruction has to be removed or extended. */
static bool has_work(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    bool work = abort_has_capability(module, SpvCapabilityAbortKHR) ||
                abort_has_capability(module, SpvCapabilityConstantDataKHR) ||
                has_extension(module, "SPV_KHR_abort") ||
                has_extension(module, "SPV_KHR_constant_data");
    for (uint32_t i = 0; i < lower->function_count; i++)
        work = work || lower->functions[i].aborts;
    for (uint32_t i = 0; i < module->instruction_count && !work; i++)
        work = module->instructions[i].opcode == SpvOpConstantDataKHR ||
               module->instructions[i].opcode == SpvOpSpecConstantDataKHR;
    /* Unused types and constants are only looked for in this case. */
    lower->cleans = work;
    for (uint32_t i = 0; i < lower->function_count; i++)
        work = work || lower->functions[i].spins;
    return work;
}

/* True if the function is not copied unchanged: it aborts, may loop for ever, emits tasks, or has
 * to return after a call. */
static bool is_changed(const struct abort_lower *lower, uint32_t index)
{
    const struct abort_function *function = &lower->functions[index];
    if (function->aborts || function->spins || (function->asks && function->id != lower->entry))
        return true;
    for (uint32_t i = 0; i < lower->call_count && lower->end == ABORT_END_RETURN; i++) {
        if (lower->calls[i].caller == index && lower->functions[lower->calls[i].callee].ends)
            return function->reached;
    }
    return false;
}

/* Copies all functions, and lowers those that change. */
static void lower_functions(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    bool flag = false;
    for (uint32_t i = 0; i < lower->function_count; i++)
        flag = flag || (lower->functions[i].ends && lower->functions[i].id != lower->entry);
    if (flag && lower->end == ABORT_END_RETURN)
        lower->flag = abort_private(lower, spirv_edit_type_bool(&lower->edit),
                                    spirv_edit_constant_bool(&lower->edit, false));
    if (lower->info->model == SpvExecutionModelTaskEXT &&
        is_changed(lower, lower->function_of[lower->entry] - 1))
        tasks_begin(lower);
    uint32_t at = lower->edit.first_function;
    for (uint32_t i = 0; i < lower->function_count && !lower->failed; i++) {
        const struct abort_function *function = &lower->functions[i];
        bool changed = is_changed(lower, i);
        for (; at < (changed ? function->first : function->end); at++)
            abort_put(lower, module->instructions[at].offset, at);
        if (changed) {
            abort_flow(lower, function);
            at = function->end;
        }
    }
    for (; at < module->instruction_count; at++)
        abort_put(lower, module->instructions[at].offset, at);
}

/* Lowers the module. Returns ABORT_NOTHING if there is nothing to lower, and ABORT_FAILED if memory
 * is out, or the module is not understood. */
static enum abort_answer lower_run(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    if (!list_annotations(lower) || !list_functions(lower))
        return ABORT_FAILED;
    lower->entry = abort_lower_find_entry(lower);
    if (!lower->entry)
        return ABORT_FAILED;
    /* The entry point is always reached; functions_spread() follows calls from there. */
    lower->functions[lower->function_of[lower->entry] - 1].reached = true;
    for (uint32_t i = 0; i < lower->function_count; i++)
        read_function(lower, i);
    functions_spread(lower);
    if (!has_work(lower))
        return ABORT_NOTHING;
    /* The stage decides this, so that callers and called functions end in the same way. */
    lower->end = choose_end(lower);
    uint32_t *words = spirv_buffer_extend(&lower->words, module->word_count);
    if (!words || !spirv_edit_begin(&lower->edit, module))
        return ABORT_FAILED;
    /* Changes are made to a copy of the words: the caller still owns the module. */
    memcpy(words, module->words, module->word_count * sizeof(*words));
    lower->view = *module;
    lower->view.words = lower->words.words;
    spirv_edit_keep_entry(&lower->edit, lower->entry, (SpvExecutionModel)lower->info->model,
                          lower->info->entry);
    constant_data_begin(lower);
    lower_functions(lower);
    tasks_write(lower);
    abort_message_end(lower);
    abort_wait_write(lower);
    for (uint32_t i = 0; i < ABORT_STUBS; i++) {
        if (lower->result->stubs[i])
            write_stub(lower, (enum abort_stub)i);
    }
    if (lower->cleans)
        constant_data_end(lower);
    if (lower->failed) {
        spirv_edit_abandon(&lower->edit);
        return ABORT_FAILED;
    }
    lower->result->words = spirv_edit_end(&lower->edit, &lower->result->word_count);
    lower->result->origins = lower->origins.words;
    lower->result->origin_count = lower->origins.count;
    /* The caller owns the list from here on, and frees it with the words. */
    lower->origins = (struct spirv_buffer){0};
    return lower->result->words ? ABORT_DONE : ABORT_FAILED;
}

enum abort_answer spirv_abort_lower(const struct spirv_module *module,
                                    const struct spirv_instrument_info *info,
                                    struct abort_lowered *result)
{
    struct abort_lower lower = {.module = module, .info = info, .result = result};
    *result = (struct abort_lowered){0};
    enum abort_answer answer = lower_run(&lower);
    abort_message_free(&lower);
    mem_free(lower.words.words);
    mem_free(lower.origins.words);
    mem_free(lower.used);
    mem_free(lower.annotations);
    mem_free(lower.next_annotation);
    mem_free(lower.type_notes);
    mem_free(lower.type_words);
    mem_free(lower.plain_types);
    mem_free(lower.functions);
    mem_free(lower.calls);
    mem_free(lower.function_of);
    mem_free(lower.folded);
    mem_free(lower.arrays);
    /* The caller frees the result only after a success. */
    if (answer != ABORT_DONE)
        spirv_abort_lowered_free(result);
    return answer;
}

void spirv_abort_lowered_free(struct abort_lowered *lowered)
{
    mem_free(lowered->words);
    mem_free(lowered->origins);
    mem_free(lowered->sites);
    *lowered = (struct abort_lowered){0};
}
