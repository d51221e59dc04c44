/* Checks the outputs of mesh shaders, and the workgroup counts of OpEmitMeshTasksEXT in task
 * shaders. They must be within what the shader declares, and within the device's limits. An
 * invocation keeps the counts of its OpSetMeshOutputsEXT in private variables. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* Returns the literal of an execution mode of the entry point; 0: it does not have the mode. */
static uint32_t entry_mode(const struct instrument *x, SpvExecutionMode mode)
{
    for (uint32_t i = 0;
         i < x->module->instruction_count && x->module->instructions[i].opcode != SpvOpFunction;
         i++) {
        const uint32_t *words = spirv_words(x->module, &x->module->instructions[i]);
        if (x->module->instructions[i].opcode == SpvOpExecutionMode &&
            x->module->instructions[i].length > 3 && words[1] == x->entry &&
            words[2] == (uint32_t)mode)
            return words[3];
    }
    return 0;
}

/* --- values that are uniform in a workgroup --- */

/* The most levels of instructions that are followed to show that a value is uniform. */
#define UNIFORM_DEPTH 8

static bool is_uniform(const struct instrument *x, uint32_t id, uint32_t depth);

/* True if each of these ids certainly has the same value in all invocations of a workgroup. */
static bool are_uniform(const struct instrument *x, const uint32_t *ids, uint32_t count,
                        uint32_t depth)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_uniform(x, ids[i], depth))
            return false;
    }
    return true;
}

/* True if a load from the pointer is uniform: it reads memory that no invocation writes, or a
 * built-in that is equal in a workgroup. */
static bool is_uniform_load(const struct instrument *x, uint32_t pointer, uint32_t depth)
{
    struct instrument_access access;
    if (!instrument_resolve(x, pointer, &access) ||
        !are_uniform(x, access.indices, access.index_count, depth))
        return false;
    switch (access.storage) {
    case SpvStorageClassPushConstant:
    case SpvStorageClassTaskPayloadWorkgroupEXT:
        return true;
    case SpvStorageClassUniform:
        return !x->buffer_block[access.resource_type];
    case SpvStorageClassInput:
        return x->builtins[access.variable] == SpvBuiltInWorkgroupId ||
               x->builtins[access.variable] == SpvBuiltInNumWorkgroups ||
               x->builtins[access.variable] == SpvBuiltInDrawIndex;
    default:
        return false;
    }
}

/* True if the value is certainly the same in all invocations of a workgroup. */
static bool is_uniform(const struct instrument *x, uint32_t id, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    if (definition && definition->opcode >= SpvOpConstantTrue &&
        definition->opcode <= SpvOpSpecConstantOp)
        return true;
    if (!definition || definition->length < 4 || depth > UNIFORM_DEPTH)
        return false;
    const uint32_t *words = spirv_words(x->module, definition);
    switch (definition->opcode) {
    case SpvOpLoad:
        return is_uniform_load(x, words[3], depth + 1);
    case SpvOpCompositeExtract:
        return is_uniform(x, words[3], depth + 1);
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpBitcast:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
    case SpvOpUDiv:
    case SpvOpUMod:
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpBitwiseAnd:
    case SpvOpBitwiseOr:
    case SpvOpSelect:
    case SpvOpIEqual:
    case SpvOpINotEqual:
    case SpvOpULessThan:
    case SpvOpULessThanEqual:
    case SpvOpUGreaterThan:
    case SpvOpUGreaterThanEqual:
        return are_uniform(x, &words[3], definition->length - 3u, depth + 1);
    case SpvOpExtInst: /* minima, maxima and the like of GLSL.std.450 */
        return definition->length > 5 &&
               are_uniform(x, &words[5], definition->length - 5u, depth + 1);
    default:
        return false;
    }
}

/* --- OpSetMeshOutputsEXT --- */

/* Makes a private variable with the initial value UINT32_MAX, which means that no count was set
 * yet. */
static uint32_t make_private(struct instrument *x)
{
    uint32_t id = spirv_edit_id(&x->edit), u32 = spirv_edit_type_u32(&x->edit),
             unset = instrument_u32(x, UINT32_MAX);
    uint32_t type = spirv_edit_type_pointer(&x->edit, SpvStorageClassPrivate, u32);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, type, id,
                       SpvStorageClassPrivate, unset);
    spirv_edit_interface(&x->edit, id);
    return id;
}

/* Makes the variables for the counts of OpSetMeshOutputsEXT, if they do not exist yet. */
static void need_counts(struct instrument *x)
{
    if (x->mesh_vertices)
        return;
    x->mesh_vertices = make_private(x);
    x->mesh_primitives = make_private(x);
}

/* Emits a load of a count. */
static uint32_t mesh_load(struct instrument *x, uint32_t variable)
{
    return instrument_emit(x, SpvOpLoad, spirv_edit_type_u32(&x->edit), &variable, 1);
}

/* True if OpSetMeshOutputsEXT may be executed twice. It may not if it is the only one, and neither
 * in a loop nor in a called function. */
static bool may_repeat(const struct instrument *x)
{
    uint32_t sites = 0, function = 0;
    for (uint32_t i = 0; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpFunction)
            function = instruction->length > 2 ? words[2] : 0;
        else if (instruction->opcode == SpvOpSetMeshOutputsEXT)
            sites++;
        else if (instruction->opcode == SpvOpLoopMerge && function == x->function)
            return true;
    }
    return sites != 1 || x->function != x->entry;
}

/* Returns the id of a count as it applies to this invocation. "The arguments are taken from the
 * first invocation in each workgroup", so in other invocations the result is `others`. */
static uint32_t of_the_first(struct instrument *x, uint32_t id, uint32_t count, uint32_t others)
{
    uint32_t index;
    if (is_uniform(x, id, 0))
        return count;
    instrument_builtin(x, SpvBuiltInLocalInvocationIndex, false, 1, 1, &index);
    const uint32_t first = instrument_emit(x, SpvOpIEqual, spirv_edit_type_bool(&x->edit),
                                           (const uint32_t[]){index, instrument_u32(x, 0)}, 2);
    return instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                           (const uint32_t[]){first, count, instrument_u32(x, others)}, 3);
}

/* Checks the counts of OpSetMeshOutputsEXT, and remembers them. */
static void set_outputs(struct instrument *x, const uint32_t *words)
{
    uint32_t most_vertices = entry_mode(x, SpvExecutionModeOutputVertices);
    uint32_t most_primitives = entry_mode(x, SpvExecutionModeOutputPrimitivesEXT);
    uint32_t vertices = instrument_to_u32(x, words[1]), primitives = instrument_to_u32(x, words[2]);
    uint64_t known_vertices, known_primitives;
    if (!vertices || !primitives)
        return;
    need_counts(x);
    if (!instrument_value(x, words[1], &known_vertices) || known_vertices > most_vertices ||
        !instrument_value(x, words[2], &known_primitives) || known_primitives > most_primitives) {
        const struct spirv_site site = {.where = instrument_here(x),
                                        .error = ERROR_MESH_OUTPUT,
                                        .words = {[1] = most_vertices, [3] = most_primitives},
                                        .from = {[0] = SITE_A, [2] = SITE_B}};
        const uint32_t arguments[] = {
            of_the_first(x, words[1], vertices, 0), instrument_u32(x, most_vertices),
            of_the_first(x, words[2], primitives, 0), instrument_u32(x, most_primitives),
            instrument_site(x, &site)};
        (void)instrument_check(x, "assay_mesh_outputs", arguments, ARRAY_LENGTH(arguments));
    }
    /* A single instruction outside of loops cannot be executed twice. */
    if (may_repeat(x)) {
        const struct spirv_site site = {
            .where = instrument_here(x), .error = ERROR_MESH_AGAIN, .from = {SITE_A}};
        const uint32_t arguments[] = {mesh_load(x, x->mesh_vertices), instrument_site(x, &site)};
        (void)instrument_check(x, "assay_mesh_once", arguments, ARRAY_LENGTH(arguments));
    }
    spirv_edit_emit(&x->edit, SpvOpStore, x->mesh_vertices,
                    of_the_first(x, words[1], vertices, UINT32_MAX));
    spirv_edit_emit(&x->edit, SpvOpStore, x->mesh_primitives,
                    of_the_first(x, words[2], primitives, UINT32_MAX));
}

/* Returns the id of a count, limited to the declared number `most`: the given id, or a selection
 * that is emitted. */
static uint32_t held_back(struct instrument *x, uint32_t id, uint32_t most)
{
    uint64_t known;
    if (instrument_value(x, id, &known) && known <= most)
        return id;
    const uint32_t count = instrument_to_u32(x, id), limit = instrument_u32(x, most);
    if (!count)
        return id;
    const uint32_t fits = instrument_emit(x, SpvOpULessThanEqual, spirv_edit_type_bool(&x->edit),
                                          (const uint32_t[]){count, limit}, 2);
    return instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                           (const uint32_t[]){fits, count, limit}, 3);
}

bool instrument_mesh_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                           const uint32_t *words)
{
    if (!(x->info->checks & SPIRV_CHECK_MESH) || x->ok ||
        instruction->opcode != SpvOpSetMeshOutputsEXT || instruction->length < 3)
        return false;
    const uint32_t vertices = held_back(x, words[1], entry_mode(x, SpvExecutionModeOutputVertices));
    const uint32_t primitives =
        held_back(x, words[2], entry_mode(x, SpvExecutionModeOutputPrimitivesEXT));
    spirv_edit_emit(&x->edit, SpvOpSetMeshOutputsEXT, vertices, primitives);
    return true;
}

/* --- stores to outputs --- */

/* True for the built-ins that are arrays of vertex indices. */
static bool is_indices(uint32_t builtin)
{
    return builtin == SpvBuiltInPrimitivePointIndicesEXT ||
           builtin == SpvBuiltInPrimitiveLineIndicesEXT ||
           builtin == SpvBuiltInPrimitiveTriangleIndicesEXT;
}

/* Emits the vertex indices that a store to such an array writes, as a vector of three words with 0
 * for missing ones. Returns its id; 0: the type is not understood. */
static uint32_t stored_vertices(struct instrument *x, uint32_t value)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), type = instrument_type_of(x, value),
             zero = instrument_u32(x, 0);
    const uint32_t *vector = instrument_definition(x, type, SpvOpTypeVector, 4);
    const uint32_t *integer = instrument_definition(x, vector ? vector[2] : type, SpvOpTypeInt, 4);
    uint32_t count = vector ? vector[3] : 1;
    if (!integer || integer[2] != 32 || count > 3)
        return 0;
    if (integer[3])
        value =
            instrument_emit(x, SpvOpBitcast,
                            vector ? spirv_edit_type_vector(&x->edit, u32, count) : u32, &value, 1);
    const uint32_t parts[3] = {value, zero, zero};
    return count == 3 ? value
                      : instrument_emit(x, SpvOpCompositeConstruct,
                                        spirv_edit_type_vector(&x->edit, u32, 3), parts, 4 - count);
}

/* True if the elements of an output are per primitive. (In an invalid module `type` may not be an
 * id.) */
static bool is_per_primitive(const struct instrument *x, uint32_t type)
{
    return type < x->module->bound && x->per_primitive[type];
}

/* Checks a store to an output of a mesh shader against the counts that were set. */
static void check_store(struct instrument *x, const uint32_t *words)
{
    struct instrument_access access;
    if (!instrument_resolve(x, words[1], &access) || access.storage != SpvStorageClassOutput ||
        !access.index_count)
        return;
    const uint32_t *array = instrument_definition(x, access.resource_type, SpvOpTypeArray, 4);
    uint32_t builtin = x->builtins[access.variable];
    bool indices = is_indices(builtin);
    if (!array ||
        (!indices && !x->per_primitive[access.variable] && !is_per_primitive(x, array[2])))
        return;
    uint32_t index = instrument_to_u32(x, access.indices[0]),
             vertices = index && indices ? stored_vertices(x, words[2]) : 0;
    if (!index || (indices && !vertices))
        return;
    need_counts(x);
    if (indices) {
        const struct spirv_site site = {
            .where = instrument_here(x),
            .error = ERROR_MESH_INDEX,
            .words = {builtin},
            .from = {[1] = SITE_A, [2] = SITE_B, [3] = SITE_C, [4] = SITE_D}};
        const uint32_t arguments[] = {index, mesh_load(x, x->mesh_primitives), vertices,
                                      mesh_load(x, x->mesh_vertices), instrument_site(x, &site)};
        (void)instrument_check(x, "assay_mesh_indices", arguments, ARRAY_LENGTH(arguments));
        return;
    }
    if (instrument_memo_find(x, MEMO_WITHIN, x->mesh_primitives, index, 0))
        return;
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_MESH_INDEX,
                                    .words = {MESH_PER_PRIMITIVE, [3] = MESH_NO_VERTEX},
                                    .from = {[1] = SITE_A, [2] = SITE_B}};
    const uint32_t arguments[] = {index, mesh_load(x, x->mesh_primitives),
                                  instrument_site(x, &site)};
    (void)instrument_check(x, "assay_mesh_primitive", arguments, ARRAY_LENGTH(arguments));
    if (!x->info->safe) /* in safe mode each store needs a result of its own */
        instrument_memo_add(x, MEMO_WITHIN, x->mesh_primitives, index, 0, index);
}

/* --- OpEmitMeshTasksEXT --- */

/* Checks the counts of OpEmitMeshTasksEXT. The instruction ends its block, so that it cannot be
 * skipped in safe mode. */
static void emit_tasks(struct instrument *x, const uint32_t *words)
{
    const struct spirv_instrument_info *info = x->info;
    uint32_t arguments[8], count = 0;
    if (!info->most_mesh_groups[0] || !info->most_mesh_groups_total)
        return;
    for (uint32_t i = 1; i < 4; i++) {
        arguments[count] = instrument_to_u32(x, words[i]);
        if (!arguments[count++])
            return;
    }
    for (uint32_t i = 0; i < 3; i++)
        arguments[count++] = instrument_u32(x, info->most_mesh_groups[i]);
    arguments[count++] = instrument_u32(x, info->most_mesh_groups_total);
    arguments[count++] =
        instrument_site(x, &(struct spirv_site){.where = instrument_here(x),
                                                .error = ERROR_TASK_GROUPS,
                                                .from = {SITE_A, SITE_B, SITE_C, SITE_D, SITE_E}});
    (void)instrument_call(x, "assay_task_groups", spirv_edit_type_bool(&x->edit), arguments, count);
    x->result->checks++;
}

void instrument_mesh(struct instrument *x, const struct spirv_instruction *instruction,
                     const uint32_t *words)
{
    if (!(x->info->checks & SPIRV_CHECK_MESH))
        return;
    if (x->info->model == SpvExecutionModelMeshEXT &&
        instruction->opcode == SpvOpSetMeshOutputsEXT && instruction->length > 2)
        set_outputs(x, words);
    else if (x->info->model == SpvExecutionModelMeshEXT && instruction->opcode == SpvOpStore &&
             instruction->length > 2)
        check_store(x, words);
    else if (x->info->model == SpvExecutionModelTaskEXT &&
             instruction->opcode == SpvOpEmitMeshTasksEXT && instruction->length > 3)
        emit_tasks(x, words);
}
