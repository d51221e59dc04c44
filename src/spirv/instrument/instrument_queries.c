/* Skips instructions on a ray query that OpRayQueryInitializeKHR has not initialized, as drivers
 * would use its contents. If an initialization certainly comes before, nothing is changed.
 * Otherwise a private variable says at run time whether there was one. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* Returns the id of the ray query that an instruction uses; 0: it uses none. */
static uint32_t query_of(const struct spirv_instruction *instruction, const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpRayQueryInitializeKHR:
    case SpvOpRayQueryTerminateKHR:
    case SpvOpRayQueryGenerateIntersectionKHR:
    case SpvOpRayQueryConfirmIntersectionKHR:
        return instruction->length > 1 ? words[1] : 0;
    case SpvOpRayQueryProceedKHR:
    case SpvOpRayQueryGetIntersectionTypeKHR:
    case SpvOpRayQueryGetRayTMinKHR:
    case SpvOpRayQueryGetRayFlagsKHR:
    case SpvOpRayQueryGetIntersectionTKHR:
    case SpvOpRayQueryGetIntersectionInstanceCustomIndexKHR:
    case SpvOpRayQueryGetIntersectionInstanceIdKHR:
    case SpvOpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR:
    case SpvOpRayQueryGetIntersectionGeometryIndexKHR:
    case SpvOpRayQueryGetIntersectionPrimitiveIndexKHR:
    case SpvOpRayQueryGetIntersectionBarycentricsKHR:
    case SpvOpRayQueryGetIntersectionFrontFaceKHR:
    case SpvOpRayQueryGetIntersectionCandidateAABBOpaqueKHR:
    case SpvOpRayQueryGetIntersectionObjectRayDirectionKHR:
    case SpvOpRayQueryGetIntersectionObjectRayOriginKHR:
    case SpvOpRayQueryGetWorldRayDirectionKHR:
    case SpvOpRayQueryGetWorldRayOriginKHR:
    case SpvOpRayQueryGetIntersectionObjectToWorldKHR:
    case SpvOpRayQueryGetIntersectionWorldToObjectKHR:
    case SpvOpRayQueryGetIntersectionTriangleVertexPositionsKHR:
        return instruction->length > 3 ? words[3] : 0;
    default:
        return 0;
    }
}

/* Returns the words of the OpVariable of a ray query; NULL: the query is not a variable, but an
 * element of an array, for example. */
static const uint32_t *query_variable(const struct instrument *x, uint32_t query)
{
    const uint32_t *variable = instrument_definition(x, query, SpvOpVariable, 4);
    const uint32_t *pointer =
        variable ? instrument_definition(x, variable[1], SpvOpTypePointer, 4) : NULL;
    return pointer && instrument_opcode(x, pointer[3]) == SpvOpTypeRayQueryKHR ? variable : NULL;
}

/* True if every path to instruction `at`, in block `block`, has an initialization. Both are in the
 * current function. */
static bool is_initialized_before(const struct instrument *x, uint32_t query, uint32_t block,
                                  uint32_t at)
{
    uint32_t label = 0;
    for (uint32_t i = at; i-- > 0 && x->module->instructions[i].opcode != SpvOpFunction;) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpRayQueryInitializeKHR &&
            query_of(instruction, words) == query) {
            for (uint32_t k = i; k-- > 0 && !label;)
                if (x->module->instructions[k].opcode == SpvOpLabel)
                    label = spirv_words(x->module, &x->module->instructions[k])[1];
            if (instrument_dominates(x, label, block))
                return true;
            label = 0;
        }
    }
    return false;
}

/* How the functions use a ray query. */
struct uses {
    bool escapes;     /* other instructions than those on ray queries use it, too */
    bool initialized; /* there is an initialization somewhere */
    bool sure;        /* each use in the current function certainly comes after an initialization */
};

/* True if a word of the instruction is equal to the id. It may be a literal, and then the layer
 * only does less. */
static bool instruction_mentions(const struct instrument *x,
                                 const struct spirv_instruction *instruction, uint32_t id)
{
    const uint32_t *words = spirv_words(x->module, instruction);
    for (uint32_t i = 1; i < instruction->length; i++) {
        if (words[i] == id)
            return true;
    }
    return false;
}

/* Finds how the module uses a ray query. */
static struct uses uses_of(const struct instrument *x, uint32_t query)
{
    struct uses uses = {.sure = true};
    uint32_t block = 0;
    bool inside = false;
    for (uint32_t i = 0; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        inside |= instruction->opcode == SpvOpFunction;
        if (instruction->opcode == SpvOpLabel && instruction->length > 1)
            block = words[1];
        if (!inside || instruction->opcode == SpvOpVariable)
            continue;
        if (query_of(instruction, words) != query)
            uses.escapes |= instruction_mentions(x, instruction, query);
        else if (instruction->opcode == SpvOpRayQueryInitializeKHR)
            uses.initialized = true;
        else
            uses.sure = uses.sure && is_initialized_before(x, query, block, i);
    }
    return uses;
}

/* Makes the private variable that says whether a query is initialized. Its initial value is 0: it
 * is not. */
static uint32_t make_ready(struct instrument *x)
{
    const uint32_t id = spirv_edit_id(&x->edit), u32 = spirv_edit_type_u32(&x->edit),
                   no = instrument_u32(x, 0);
    const uint32_t type = spirv_edit_type_pointer(&x->edit, SpvStorageClassPrivate, u32);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, type, id,
                       SpvStorageClassPrivate, no);
    spirv_edit_interface(&x->edit, id);
    return id;
}

/* True if a private variable is made for the query. A local variable of another function than the
 * entry point begins uninitialized in each call. So it is only followed if it is never
 * initialized. */
static bool is_followed(const struct instrument *x, const uint32_t *variable, struct uses uses)
{
    if (uses.escapes)
        return false;
    if (variable[3] == SpvStorageClassPrivate)
        return true;
    return !uses.sure && (x->function == x->entry || !uses.initialized);
}

/* Returns the private variable that says whether the ray query is initialized; 0: the query is not
 * followed. */
static uint32_t ready_of(struct instrument *x, uint32_t query)
{
    const uint32_t *variable = query_variable(x, query);
    if (!variable)
        return 0;
    for (uint32_t i = 0; i < x->query_count; i++) {
        if (x->queries[i].variable == query)
            return x->queries[i].ready;
    }
    if (x->query_count == ARRAY_LENGTH(x->queries))
        return 0;
    const uint32_t ready = is_followed(x, variable, uses_of(x, query)) ? make_ready(x) : 0;
    x->queries[x->query_count].variable = query;
    x->queries[x->query_count++].ready = ready;
    return ready;
}

/* True if the query is a copy of another one. Drivers differ in what such a copy contains. */
static bool is_copy(const struct instrument *x, uint32_t query)
{
    for (uint32_t i = x->edit.first_function; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        if ((instruction->opcode == SpvOpStore || instruction->opcode == SpvOpCopyMemory) &&
            instruction->length > 2 && spirv_words(x->module, instruction)[1] == query)
            return true;
    }
    return false;
}

bool instrument_query_is_sure(struct instrument *x, uint32_t query)
{
    if (is_copy(x, query))
        return false;
    return !ready_of(x, query) || is_initialized_before(x, query, x->own_block, x->index);
}

void instrument_queries(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    const uint32_t query = x->info->checks & SPIRV_CHECK_TRACE ? query_of(instruction, words) : 0;
    const uint32_t ready = query ? ready_of(x, query) : 0;
    if (!ready)
        return;
    if (instruction->opcode == SpvOpRayQueryInitializeKHR) {
        spirv_edit_emit(&x->edit, SpvOpStore, ready, instrument_u32(x, 1));
        return;
    }
    if (is_initialized_before(x, query, x->own_block, x->index))
        return;
    const struct spirv_site site = {
        .where = instrument_here(x), .error = ERROR_RAY_QUERY, .words = {instruction->opcode}};
    const uint32_t arguments[] = {
        instrument_emit(x, SpvOpLoad, spirv_edit_type_u32(&x->edit), &ready, 1),
        instrument_site(x, &site)};
    instrument_hold(x, instrument_call(x, "assay_ray_query", spirv_edit_type_bool(&x->edit),
                                       arguments, ARRAY_LENGTH(arguments)));
    x->result->checks++;
}
