/* Emits code that finds data races in shared memory (appendix "Memory Model", "Data Race"). Each
 * scalar has a shadow word in shared memory that says which invocation used it last. Private
 * variables count the barriers that an invocation has passed.
 *
 * Accesses of two invocations between the same two barriers are not ordered, except by atomics,
 * memory barriers and barriers of subgroups. An invocation that may have synchronized by such means
 * reports nothing until the next barrier of the workgroup. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"
#include "spirv/module/shared.h"

/* fewest bits for the count of barriers; after that many barriers nothing is checked */
#define EPOCH_BITS_LEAST 8u
#define EPOCH_BITS_MOST  20u
/* With fewer shadow words than this, races are not looked for. */
#define CELLS_LEAST         16u
#define INVOCATIONS_UNKNOWN 1024u /* assumed size of a workgroup, if it is not known */
#define SEMANTICS_ACQUIRE                                                   \
    (SpvMemorySemanticsAcquireMask | SpvMemorySemanticsAcquireReleaseMask | \
     SpvMemorySemanticsSequentiallyConsistentMask)

/* Returns how many bits the numbers up to `most` need. */
static uint32_t shared_bits(uint32_t most)
{
    uint32_t bits = 0;
    while (bits < 32 && most >> bits)
        bits++;
    return bits;
}

/* --- properties of the module --- */

/* True if memory semantics may order shared memory with one of the bits `how`. Semantics that are
 * not constant may. */
static bool semantics_order(const struct instrument *x, uint32_t id, uint32_t how)
{
    uint64_t semantics;
    return !instrument_value(x, id, &semantics) ||
           (semantics & SpvMemorySemanticsWorkgroupMemoryMask && semantics & how);
}

/* True if a scope includes the workgroup, or is not constant. */
static bool is_of_workgroup(const struct instrument *x, uint32_t scope)
{
    uint64_t value;
    return !instrument_value(x, scope, &value) || value == SpvScopeWorkgroup ||
           value == SpvScopeDevice || value == SpvScopeQueueFamily || value == SpvScopeCrossDevice;
}

/* True for all atomic instructions, also those without a result. */
static bool is_atomic(uint16_t opcode)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule(opcode);
    return rule && ((opcode >= SpvOpAtomicLoad && opcode <= SpvOpAtomicXor) ||
                    opcode == SpvOpAtomicFlagTestAndSet || opcode == SpvOpAtomicFlagClear ||
                    opcode == SpvOpAtomicFMinEXT || opcode == SpvOpAtomicFMaxEXT ||
                    opcode == SpvOpAtomicFAddEXT);
}

/* Finds how the instrumented functions synchronize. Returns false if they do so by other means than
 * are known here. */
static bool read_synchronization(struct instrument *x)
{
    bool reached = false;
    for (uint32_t i = x->edit.first_function; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpFunction)
            reached =
                instruction->length > 2 && words[2] < x->module->bound && x->reached[words[2]];
        if (!reached)
            continue;
        switch (instruction->opcode) {
        case SpvOpControlBarrierArriveEXT:
        case SpvOpControlBarrierWaitEXT:
        case SpvOpMemoryNamedBarrier:
        case SpvOpNamedBarrierInitialize:
            return false;
        case SpvOpControlBarrier:
            if (instruction->length < 4)
                return false;
            /* A barrier of a subgroup orders only some invocations, like an atomic. */
            x->shared.by_atomics |= !is_of_workgroup(x, words[1]);
            break;
        case SpvOpMemoryBarrier:
            x->shared.by_barriers |=
                instruction->length > 2 && semantics_order(x, words[2], UINT32_MAX);
            break;
        default:
            x->shared.by_atomics |= is_atomic(instruction->opcode);
            break;
        }
    }
    return true;
}

/* Finds the workgroup's size: by the object decorated WorkgroupSize, else by LocalSizeId, else by
 * LocalSize. `*ids`: the result is ids of constants, else numbers. Returns false if there is
 * none. */
static bool find_size(const struct instrument *x, uint32_t size[3], bool *ids)
{
    bool found = false;
    *ids = false;
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        bool mode =
            (instruction->opcode == SpvOpExecutionMode ||
             instruction->opcode == SpvOpExecutionModeId) &&
            instruction->length > 5 && words[1] == x->entry &&
            (words[2] == SpvExecutionModeLocalSize || words[2] == SpvExecutionModeLocalSizeId);
        bool object = (instruction->opcode == SpvOpConstantComposite ||
                       instruction->opcode == SpvOpSpecConstantComposite) &&
                      instruction->length > 5 && words[2] < x->module->bound &&
                      x->builtins[words[2]] == SpvBuiltInWorkgroupSize;
        for (uint32_t k = 0; (mode || object) && k < 3; k++)
            size[k] = words[3 + k];
        *ids = mode || object ? object || words[2] == SpvExecutionModeLocalSizeId : *ids;
        found = found || mode || object;
    }
    return found;
}

/* Returns how many invocations a workgroup has; 0: specialization decides. */
static uint32_t count_invocations(const struct instrument *x)
{
    uint32_t size[3];
    uint64_t product = 1;
    bool ids;
    if (!find_size(x, size, &ids))
        return 0;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t value = size[i];
        if (ids && !instrument_value(x, size[i], &value))
            return 0;
        product = product && value && value <= UINT32_MAX / product ? product * value : 0;
    }
    return (uint32_t)product;
}

/* Measures the module's shared memory in scalars, and in bytes together with task payloads. Returns
 * false if the size is not known, or the program has an explicit layout for it. */
static bool measure_all(const struct instrument *x, uint32_t *scalars, uint32_t *bytes)
{
    *scalars = *bytes = 0;
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        struct spirv_shared_size size;
        if (instruction->opcode == SpvOpUntypedVariableKHR)
            return false;
        bool variable = instruction->opcode == SpvOpVariable && instruction->length >= 4;
        if (!variable || (words[3] != SpvStorageClassWorkgroup &&
                          words[3] != SpvStorageClassTaskPayloadWorkgroupEXT))
            continue;
        const uint32_t *pointer = instrument_definition(x, words[1], SpvOpTypePointer, 4);
        if (!pointer || !spirv_shared_measure(x->module, pointer[3], &size) ||
            size.bytes > UINT32_MAX / 2 - *bytes)
            return false;
        *bytes += (size.bytes + 15) / 16 * 16;
        *scalars += words[3] == SpvStorageClassWorkgroup ? size.scalars : 0;
    }
    return true;
}

/* Decides how the bits of a shadow word are used. Returns false if there are too few. */
static bool divide_bits(struct instrument *x, uint32_t scalars, uint32_t sites)
{
    struct instrument_shared *shared = &x->shared;
    uint32_t invocations = shared->invocations ? shared->invocations : INVOCATIONS_UNKNOWN;
    uint32_t used = 2 + shared_bits(invocations - 1) + shared_bits((scalars - 1) / shared->cells);
    if (used + EPOCH_BITS_LEAST > 32)
        return false;
    uint32_t left = 32 - EPOCH_BITS_LEAST - used, wanted = shared_bits(sites);
    shared->place_shift = 2 + shared_bits(invocations - 1);
    shared->site_shift = used;
    shared->epoch_shift = used + (wanted < left ? wanted : left);
    if (shared->epoch_shift < 32 - EPOCH_BITS_MOST)
        shared->epoch_shift = 32 - EPOCH_BITS_MOST;
    return true;
}

/* True for atomic accesses, which do not race with each other. */
static bool is_atomic_use(enum spirv_shared_use use)
{
    return use == SPIRV_SHARED_ATOMIC || use == SPIRV_SHARED_ATOMIC_LOAD;
}

/* Finds the phases, and returns whether some access may race. */
static bool find_phases(struct instrument *x)
{
    uint32_t size[3] = {0}, indices[INSTRUMENT_CHAIN], first;
    bool ids = false;
    struct spirv_shared_access access;
    if (find_size(x, size, &ids)) {
        for (uint32_t i = 0; i < 3; i++) {
            uint64_t value = size[i];
            size[i] = !ids || instrument_value(x, size[i], &value) ? (uint32_t)value : 0;
        }
    }
    x->shared.phases = instrument_phases_find(x, size);
    for (uint32_t i = x->edit.first_function; i < x->module->instruction_count; i++) {
        if (!spirv_shared_access(x->module, &x->module->instructions[i], &access))
            continue;
        for (uint32_t k = 0; k < access.count; k++) {
            uint32_t pointer = access.of[k].pointer;
            uint32_t variable = instrument_shared_resolve(x, pointer, indices, &first);
            if (!variable || !instrument_phases_prove(x->shared.phases, i, variable,
                                                      is_atomic_use(access.of[k].use)))
                return true;
        }
    }
    return false;
}

/* True if races are possible: there are several invocations, and a write. `sites` gets the number
 * of accesses. */
static bool shared_is_wanted(struct instrument *x, uint32_t *sites)
{
    const struct spirv_instrument_info *info = x->info;
    struct spirv_shared_access access;
    bool writes = false;
    *sites = 0;
    if (!(info->checks & SPIRV_CHECK_SHARED) || !info->most_shared ||
        (info->model != SpvExecutionModelGLCompute && info->model != SpvExecutionModelTaskEXT &&
         info->model != SpvExecutionModelMeshEXT))
        return false;
    for (uint32_t i = x->edit.first_function; i < x->module->instruction_count; i++) {
        if (!spirv_shared_access(x->module, &x->module->instructions[i], &access))
            continue;
        ++*sites;
        writes |= access.of[access.count - 1].use != SPIRV_SHARED_LOAD;
    }
    x->shared.invocations = count_invocations(x);
    return writes && x->shared.invocations != 1;
}

/* Makes a variable; `initial` 0: it has no initial value. */
static uint32_t make_variable(struct instrument *x, SpvStorageClass storage, uint32_t type,
                              uint32_t initial)
{
    uint32_t id = spirv_edit_id(&x->edit),
             pointer = spirv_edit_type_pointer(&x->edit, storage, type);
    if (initial)
        spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, id, storage,
                           initial);
    else
        spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, id, storage);
    spirv_edit_interface(&x->edit, id);
    return id;
}

/* Emits a load of a word. */
static uint32_t shared_load(struct instrument *x, uint32_t variable)
{
    return instrument_emit(x, SpvOpLoad, spirv_edit_type_u32(&x->edit), &variable, 1);
}

/* Returns the mask of the bits of a shadow word that identify the invocation. */
static uint32_t who_bits(const struct instrument_shared *shared)
{
    return (1u << shared->place_shift) - 4;
}

/* Returns the mask of the bits with the epoch (the number of barriers before) and the site. */
static uint32_t known_bits(const struct instrument_shared *shared)
{
    return ~((1u << shared->epoch_shift) - 1) |
           ((1u << shared->site_shift) - (1u << shared->place_shift));
}

/* --- code that replaces calls in the library --- */

/* Emits the number of shadow words. spirv_link_inline() calls this function and the next ones. */
static uint32_t emit_cells(void *context)
{
    struct instrument *x = context;
    return instrument_u32(x, x->shared.cells);
}

/* Emits known_bits(). */
static uint32_t emit_known(void *context)
{
    struct instrument *x = context;
    return instrument_u32(x, known_bits(&x->shared));
}

/* Emits who_bits(). */
static uint32_t emit_who(void *context)
{
    struct instrument *x = context;
    return instrument_u32(x, who_bits(&x->shared));
}

/* Emits the number of barriers that the invocation has passed, shifted to its bits in a shadow
 * word. */
static uint32_t emit_epoch(void *context)
{
    struct instrument *x = context;
    return shared_load(x, x->shared.epoch);
}

/* Emits the epoch in which nothing is reported. */
static uint32_t emit_ordered(void *context)
{
    struct instrument *x = context;
    return shared_load(x, x->shared.ordered);
}

/* Emits whether races are looked for in this workgroup. */
static uint32_t emit_watched(void *context)
{
    struct instrument *x = context;
    return shared_load(x, x->shared.watched);
}

/* Emits the index of the invocation in its workgroup. */
static uint32_t emit_invocation(void *context)
{
    uint32_t id;
    instrument_builtin(context, SpvBuiltInLocalInvocationIndex, false, 1, 1, &id);
    return id;
}

/* Makes the variables of struct instrument_shared, and registers the code that reads them for the
 * library. */
static void make_variables(struct instrument *x)
{
    struct instrument_shared *shared = &x->shared;
    uint32_t u32 = spirv_edit_type_u32(&x->edit), length = instrument_u32(x, shared->cells),
             array = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpTypeArray, array, u32, length);
    shared->shadow = make_variable(x, SpvStorageClassWorkgroup, array, 0);
    shared->epoch =
        make_variable(x, SpvStorageClassPrivate, u32, instrument_u32(x, 1u << shared->epoch_shift));
    shared->ordered = make_variable(x, SpvStorageClassPrivate, u32, instrument_u32(x, 0));
    shared->watched = make_variable(x, SpvStorageClassPrivate, u32, instrument_u32(x, 0));
    shared->shadow_function = spirv_edit_id(&x->edit);
    shared->zero_function = spirv_edit_id(&x->edit);
    spirv_link_replace(&x->link, "assay_shadow", shared->shadow_function);
    spirv_link_replace(&x->link, "assay_shadow_zero", shared->zero_function);
    spirv_link_inline(&x->link, "assay_shared_cells", emit_cells, x);
    spirv_link_inline(&x->link, "assay_shared_known", emit_known, x);
    spirv_link_inline(&x->link, "assay_shared_who", emit_who, x);
    spirv_link_inline(&x->link, "assay_shared_epoch", emit_epoch, x);
    spirv_link_inline(&x->link, "assay_shared_ordered", emit_ordered, x);
    spirv_link_inline(&x->link, "assay_shared_watched", emit_watched, x);
    spirv_link_inline(&x->link, "assay_shared_invocation", emit_invocation, x);
}

/* Decides whether races in shared memory are looked for, and the layout of shadow words. If they
 * cannot be found, `shared_missed` gets the reason. */
static void shared_plan(struct instrument *x)
{
    struct instrument_shared *shared = &x->shared;
    uint32_t scalars, bytes, sites;
    shared->planned = true;
    if (!shared_is_wanted(x, &sites))
        return;
    const char *missed = NULL;
    if (spirv_edit_has_capability(&x->edit, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR))
        missed = "they lay it out themselves (VK_KHR_workgroup_memory_explicit_layout)";
    /* Nothing can race, so there is nothing to look for. */
    else if (!find_phases(x))
        return;
    else if (!measure_all(x, &scalars, &bytes) || !scalars)
        missed = "specialization tells how much of it they have";
    else if (!read_synchronization(x))
        missed = "they have split or named barriers";
    uint32_t room = missed || bytes > x->info->most_shared
                        ? 0
                        : (x->info->most_shared - bytes) / sizeof(uint32_t);
    /* There is one shadow word for each scalar, or as many as fit. */
    shared->cells = missed || scalars < room ? missed ? 0 : scalars : room;
    if (!missed && (shared->cells < CELLS_LEAST && shared->cells < scalars))
        missed = "they use all of it, and leave no room for notes";
    else if (!missed && !divide_bits(x, scalars, sites))
        missed = "their workgroups are too large";
    x->result->shared_missed = missed;
    if (missed)
        return;
    if (shared->cells < scalars)
        x->result->shared_missed =
            "they use so much of it that only part of what they do can be remembered";
    make_variables(x);
    shared->on = true;
}

/* --- the entry point begins --- */

/* Emits an operation on two words, and returns the result's id. */
static uint32_t shared_operate(struct instrument *x, SpvOp opcode, uint32_t a, uint32_t b)
{
    return instrument_emit(x, opcode, spirv_edit_type_u32(&x->edit), (const uint32_t[]){a, b}, 2);
}

/* Emits the number of this workgroup, and how many workgroups the dispatch has. */
static void number_groups(struct instrument *x, uint32_t *group, uint32_t *groups)
{
    uint32_t at[3], counts[3];
    instrument_builtin(x, SpvBuiltInWorkgroupId, false, 3, 3, at);
    instrument_builtin(x, SpvBuiltInNumWorkgroups, false, 3, 3, counts);
    uint32_t rows = shared_operate(x, SpvOpIMul, counts[1], at[2]);
    uint32_t before =
        shared_operate(x, SpvOpIMul, shared_operate(x, SpvOpIAdd, rows, at[1]), counts[0]);
    *group = shared_operate(x, SpvOpIAdd, before, at[0]);
    *groups =
        shared_operate(x, SpvOpIMul, shared_operate(x, SpvOpIMul, counts[0], counts[1]), counts[2]);
}

/* Emits the code at the beginning of the entry point. It has a barrier, which all invocations
 * reach, as control flow is uniform there. */
static void shared_begin(struct instrument *x)
{
    uint32_t size[3], count = 0;
    bool ids;
    x->shared.begun = true;
    if (x->shared.invocations) {
        count = instrument_u32(x, x->shared.invocations);
    } else if (find_size(x, size, &ids)) {
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t one = ids ? instrument_to_u32(x, size[i]) : instrument_u32(x, size[i]);
            count = i ? shared_operate(x, SpvOpIMul, count, one) : one;
        }
    }
    if (!count)
        count = instrument_u32(x, 1);
    uint32_t group, groups;
    number_groups(x, &group, &groups);
    uint32_t watched = instrument_call(x, "assay_shared_begin", spirv_edit_type_u32(&x->edit),
                                       (const uint32_t[]){count, group, groups}, 3);
    spirv_edit_emit(&x->edit, SpvOpStore, x->shared.watched, watched);
}

/* --- accesses --- */

/* Returns the id of the number of scalars before the place that indices select; 0: the indices are
 * not understood. `type` becomes the type of that place. */
static uint32_t shared_offset(struct instrument *x, uint32_t *type, const uint32_t *indices,
                              uint32_t count)
{
    uint32_t known = 0, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before, each;
        uint64_t value;
        bool constant = instrument_value(x, indices[i], &value);
        if (!spirv_shared_step(x->module, *type,
                               constant && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX, type,
                               &before, &each))
            return 0;
        known += before;
        if (constant && each && value > UINT32_MAX / 16 / each)
            return 0;
        if (constant || !each) {
            known += each * (uint32_t)value;
            continue;
        }
        uint32_t index = instrument_to_u32(x, indices[i]);
        if (!index)
            return 0;
        index = each > 1 ? shared_operate(x, SpvOpIMul, index, instrument_u32(x, each)) : index;
        sum = sum ? shared_operate(x, SpvOpIAdd, sum, index) : index;
    }
    if (!sum)
        return instrument_u32(x, known);
    return known ? shared_operate(x, SpvOpIAdd, sum, instrument_u32(x, known)) : sum;
}

/* Returns the number of the variable's first scalar among all scalars of shared memory. */
static uint32_t first_scalar(const struct instrument *x, uint32_t variable)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t id = instruction->opcode == SpvOpVariable && instruction->length >= 4
                          ? spirv_words(x->module, instruction)[2]
                          : 0;
        struct spirv_shared_size size;
        if (id == variable)
            break;
        uint32_t type = id ? spirv_shared_type(x->module, id) : 0;
        first += type && spirv_shared_measure(x->module, type, &size) ? size.scalars : 0;
    }
    return first;
}

/* True if an earlier access in this block, with no barrier since, has checked the same pointer in a
 * way that covers this access. */
static bool is_recent(struct instrument *x, uint32_t pointer, enum spirv_shared_use use)
{
    struct instrument_shared *shared = &x->shared;
    if (shared->block != x->own_block)
        shared->recent_count = 0;
    shared->block = x->own_block;
    for (uint32_t i = 0; i < shared->recent_count && i < ARRAY_LENGTH(shared->recent); i++) {
        if (shared->recent[i] == pointer &&
            (use == SPIRV_SHARED_LOAD || shared->recent_use[i] == use) &&
            shared->recent_use[i] <= SPIRV_SHARED_STORE)
            return true;
    }
    uint32_t at = shared->recent_count++ % (uint32_t)ARRAY_LENGTH(shared->recent);
    shared->recent[at] = pointer;
    shared->recent_use[at] = use;
    return false;
}

/* Returns the number of the current access in the module, from 1 on; 0: it does not fit into the
 * bits of a shadow word. */
static uint32_t shared_site(struct instrument *x)
{
    struct instrument_shared *shared = &x->shared;
    struct spirv_shared_access access;
    for (; shared->site_end <= x->index; shared->site_end++)
        shared->site +=
            spirv_shared_access(x->module, &x->module->instructions[shared->site_end], &access);
    return shared_bits(shared->site) <= shared->epoch_shift - shared->site_shift ? shared->site : 0;
}

/* Checks an access to shared memory, unless it is proved that it cannot race. */
static void check_access(struct instrument *x, uint32_t pointer, enum spirv_shared_use use)
{
    static const uint32_t kinds[] = {[SPIRV_SHARED_LOAD] = SHARED_READ,
                                     [SPIRV_SHARED_STORE] = SHARED_WRITE,
                                     [SPIRV_SHARED_ATOMIC] = SHARED_ATOMIC,
                                     [SPIRV_SHARED_ATOMIC_LOAD] = SHARED_ATOMIC_LOAD};
    const struct instrument_shared *shared = &x->shared;
    uint32_t indices[INSTRUMENT_CHAIN], first;
    uint32_t variable = instrument_shared_resolve(x, pointer, indices, &first);
    uint32_t type = variable ? spirv_shared_type(x->module, variable) : 0;
    struct spirv_shared_size all, part;
    if (!type || instrument_phases_prove(shared->phases, x->index, variable, is_atomic_use(use)) ||
        is_recent(x, pointer, use) || !spirv_shared_measure(x->module, type, &all))
        return;
    uint32_t offset = shared_offset(x, &type, &indices[first], INSTRUMENT_CHAIN - first);
    if (!offset || !spirv_shared_measure(x->module, type, &part))
        return;
    const struct spirv_site told = {
        .where = instrument_here(x),
        .error = ERROR_SHARED_RACE,
        .words = {variable, [4] = known_bits(shared), [5] = who_bits(shared)},
        .from = {[1] = SITE_A, [2] = SITE_B, [3] = SITE_C}};
    const uint32_t arguments[] = {
        offset,
        instrument_u32(x, part.scalars),
        /* A larger offset is out of bounds and not noted, as shadow words of other variables
         * follow. */
        instrument_u32(x, all.scalars - part.scalars),
        instrument_u32(x, first_scalar(x, variable)),
        instrument_u32(x, kinds[use] | shared_site(x) << shared->site_shift),
        instrument_site(x, &told),
    };
    (void)instrument_call(x, "assay_shared", spirv_edit_type_void(&x->edit), arguments,
                          ARRAY_LENGTH(arguments));
    x->result->checks++;
}

/* --- barriers --- */

/* Emits code that keeps the invocation from reporting until the next barrier of the workgroup, as
 * it may have synchronized with others here. */
static void may_be_ordered(struct instrument *x)
{
    spirv_edit_emit(&x->edit, SpvOpStore, x->shared.ordered, shared_load(x, x->shared.epoch));
}

/* Begins a new epoch at a barrier of the workgroup that orders shared memory. */
static void control_barrier(struct instrument *x, const uint32_t *words)
{
    if (!is_of_workgroup(x, words[1])) {
        may_be_ordered(x);
        return;
    }
    /* A barrier without memory semantics may still order memory together with memory barriers or
     * atomics around it. */
    if (!semantics_order(x, words[3], UINT32_MAX) && !x->shared.by_barriers &&
        !x->shared.by_atomics)
        return;
    uint32_t epoch = shared_load(x, x->shared.epoch), zero = instrument_u32(x, 0);
    uint32_t more =
        shared_operate(x, SpvOpIAdd, epoch, instrument_u32(x, 1u << x->shared.epoch_shift));
    uint32_t ended = instrument_emit(x, SpvOpIEqual, spirv_edit_type_bool(&x->edit),
                                     (const uint32_t[]){epoch, zero}, 2);
    more = instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                           (const uint32_t[]){ended, zero, more}, 3);
    spirv_edit_emit(&x->edit, SpvOpStore, x->shared.epoch, more);
}

/* Handles an atomic instruction: if it acquires, it may order later accesses. */
static void shared_atomic(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
    uint32_t at = rule->has_type ? 5 : 3;
    bool exchange = instruction->opcode == SpvOpAtomicCompareExchange ||
                    instruction->opcode == SpvOpAtomicCompareExchangeWeak;
    if (instruction->length <= at + exchange || semantics_order(x, words[at], SEMANTICS_ACQUIRE) ||
        (exchange && semantics_order(x, words[at + 1], SEMANTICS_ACQUIRE)))
        may_be_ordered(x);
}

/* Handles an instruction that may order accesses. After it, pointers have to be checked again. */
static void shared_synchronize(struct instrument *x, const struct spirv_instruction *instruction,
                               const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpControlBarrier:
        control_barrier(x, words);
        break;
    /* a memory barrier alone orders nothing: "there exists an atomic write X" */
    case SpvOpMemoryBarrier:
        if (x->shared.by_atomics &&
            (instruction->length < 3 || semantics_order(x, words[2], SEMANTICS_ACQUIRE)))
            may_be_ordered(x);
        break;
    case SpvOpFunctionCall: /* the called function may have barriers */
        break;
    default:
        if (is_atomic(instruction->opcode))
            shared_atomic(x, instruction, words);
        return;
    }
    x->shared.recent_count = 0;
}

/* True if the instruction may stand between the variables at the beginning of a function, where
 * nothing may be inserted. */
static bool is_among_variables(uint16_t opcode)
{
    return opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpExtInst ||
           opcode == SpvOpNop;
}

void instrument_shared(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    struct instrument_shared *shared = &x->shared;
    struct spirv_shared_access access;
    if (!shared->planned)
        shared_plan(x);
    if (!shared->on)
        return;
    if (!shared->begun && x->function == x->entry && x->first_block &&
        !is_among_variables(instruction->opcode))
        shared_begin(x);
    if (spirv_shared_access(x->module, instruction, &access)) {
        for (uint32_t i = 0; i < access.count &&
                             (!x->info->most_checks || x->result->checks < x->info->most_checks);
             i++)
            check_access(x, access.of[i].pointer, access.of[i].use);
    }
    shared_synchronize(x, instruction, words);
}

/* --- functions that the library calls --- */

/* Begins a function whose parameters are words. The first one is the number of a shadow word, and
 * out[0] gets the pointer to that word. */
static void begin_function(struct instrument *x, uint32_t id, uint32_t returns, uint32_t parameters,
                           uint32_t out[3])
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    uint32_t type =
        spirv_edit_type_function(&x->edit, returns, (const uint32_t[]){u32, u32, u32}, parameters);
    spirv_edit_emit(&x->edit, SpvOpFunction, returns, id, SpvFunctionControlMaskNone, type);
    for (uint32_t i = 0; i < parameters; i++)
        out[i] = instrument_emit(x, SpvOpFunctionParameter, u32, NULL, 0);
    spirv_edit_emit(&x->edit, SpvOpLabel, spirv_edit_id(&x->edit));
    uint32_t pointer = spirv_edit_type_pointer(&x->edit, SpvStorageClassWorkgroup, u32);
    out[0] = instrument_emit(x, SpvOpAccessChain, pointer,
                             (const uint32_t[]){x->shared.shadow, out[0]}, 2);
}

void instrument_shared_end(struct instrument *x)
{
    uint32_t parameters[3], u32 = spirv_edit_type_u32(&x->edit);
    if (!x->shared.on)
        return;
    uint32_t scope = instrument_u32(x, SpvScopeWorkgroup),
             /* The atomic is relaxed, so that the check does not order accesses of the program. */
        relaxed = instrument_u32(x, SpvMemorySemanticsMaskNone);
    begin_function(x, x->shared.shadow_function, u32, 3, parameters);
    uint32_t found = instrument_emit(x, SpvOpAtomicCompareExchange, u32,
                                     (const uint32_t[]){parameters[0], scope, relaxed, relaxed,
                                                        parameters[2], parameters[1]},
                                     6);
    spirv_edit_emit(&x->edit, SpvOpReturnValue, found);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
    begin_function(x, x->shared.zero_function, spirv_edit_type_void(&x->edit), 1, parameters);
    spirv_edit_emit(&x->edit, SpvOpAtomicStore, parameters[0], scope, relaxed,
                    instrument_u32(x, 0));
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpReturn, NULL, 0);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
}
