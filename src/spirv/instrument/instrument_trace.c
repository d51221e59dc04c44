/* Checks the operands of instructions that trace rays (VUID-RuntimeSpirv-OpTraceRayKHR-06355 and
 * the statements after it, and the same statements for ray queries, motion and hit objects). The
 * acceleration structure is checked with its descriptor. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* The words of an instruction that have its operands. `time` 0: the instruction has no time. */
struct operands {
    uint32_t flags, origin, least, direction, most, time;
    /* in safe mode the instruction may be skipped, as its missing result does no harm */
    bool guard;
};

/* Finds the operands of an instruction that traces a ray. Returns false if it does not trace
 * one. */
static bool find_operands(uint16_t opcode, struct operands *operands)
{
    switch (opcode) {
    case SpvOpTraceRayKHR:
        *operands = (struct operands){2, 7, 8, 9, 10, 0, true};
        return true;
    case SpvOpTraceRayMotionNV:
        *operands = (struct operands){2, 7, 8, 9, 10, 11, true};
        return true;
    case SpvOpRayQueryInitializeKHR:
        *operands = (struct operands){3, 5, 6, 7, 8, 0, false};
        return true;
    case SpvOpHitObjectTraceRayNV:
    case SpvOpHitObjectTraceRayEXT:
    case SpvOpHitObjectTraceReorderExecuteEXT:
        *operands = (struct operands){3, 8, 9, 10, 11, 0, false};
        return true;
    case SpvOpHitObjectTraceRayMotionNV:
    case SpvOpHitObjectTraceRayMotionEXT:
    case SpvOpHitObjectTraceMotionReorderExecuteEXT:
        *operands = (struct operands){3, 8, 9, 10, 11, 12, false};
        return true;
    default:
        return false;
    }
}

/* True for a vector of `components` 32-bit floats; 1: a 32-bit float. */
static bool is_real(const struct instrument *x, uint32_t id, uint32_t components)
{
    uint32_t type = instrument_type_of(x, id);
    const uint32_t *vector = instrument_definition(x, type, SpvOpTypeVector, 4);
    const uint32_t *real = instrument_definition(x, vector ? vector[2] : type, SpvOpTypeFloat, 3);
    return real && real[2] == 32 && (vector ? vector[3] : 1) == components;
}

/* Returns the ray flags that are not allowed, by the shader's pipeline or by its capabilities. */
static uint32_t forbidden_flags(const struct instrument *x)
{
    uint32_t flags = x->info->forbidden_ray_flags &
                     (SpvRayFlagsSkipTrianglesKHRMask | SpvRayFlagsSkipAABBsKHRMask);
    return spirv_edit_has_capability(&x->edit, SpvCapabilityRayTracingOpacityMicromapKHR)
               ? flags
               : flags | SpvRayFlagsForceOpacityMicromap2StateKHRMask;
}

/* Emits a check. `guard`: in safe mode the instruction is skipped if the check fails. */
static void trace_check(struct instrument *x, bool guard, const char *function,
                        const uint32_t *arguments, uint32_t count)
{
    if (guard) {
        (void)instrument_check(x, function, arguments, count);
        return;
    }
    (void)instrument_call(x, function, spirv_edit_type_bool(&x->edit), arguments, count);
    x->result->checks++;
}

/* Checks the ray and the flags of a trace. */
static void check_trace(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words, const struct operands *operands)
{
    uint32_t last = operands->time ? operands->time : operands->most;
    if (instruction->length <= last || !is_real(x, words[operands->origin], 3) ||
        !is_real(x, words[operands->direction], 3) || !is_real(x, words[operands->least], 1) ||
        !is_real(x, words[operands->most], 1) ||
        (operands->time && !is_real(x, words[operands->time], 1)))
        return;
    uint32_t flags = instrument_to_u32(x, words[operands->flags]);
    if (!flags)
        return;
    uint32_t zero = spirv_edit_constant_null(&x->edit, spirv_edit_type_float(&x->edit, 32));
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_TRACE_RAY,
                                    .words = {instruction->opcode},
                                    .from = {[1] = SITE_A, SITE_B, SITE_C, SITE_D, SITE_E}};
    const uint32_t arguments[] = {flags,
                                  instrument_u32(x, forbidden_flags(x)),
                                  words[operands->origin],
                                  words[operands->direction],
                                  words[operands->least],
                                  words[operands->most],
                                  operands->time ? words[operands->time] : zero,
                                  instrument_site(x, &site)};
    trace_check(x, operands->guard, "assay_trace", arguments, ARRAY_LENGTH(arguments));
}

/* Checks OpRayQueryGenerateIntersectionKHR: the hit lies between the query's least t and the t of
 * the committed intersection. */
static void check_generated(struct instrument *x, const uint32_t *words)
{
    uint32_t type = instrument_type_of(x, words[2]);
    if (!is_real(x, words[2], 1) || !instrument_query_is_sure(x, words[1]))
        return;
    uint32_t least = instrument_emit(x, SpvOpRayQueryGetRayTMinKHR, type, &words[1], 1);
    const uint32_t committed[] = {
        words[1], instrument_u32(x, SpvRayQueryIntersectionRayQueryCommittedIntersectionKHR)};
    uint32_t most = instrument_emit(x, SpvOpRayQueryGetIntersectionTKHR, type, committed, 2);
    const struct spirv_site site = {
        .where = instrument_here(x), .error = ERROR_HIT_T, .from = {SITE_A, SITE_B, SITE_C}};
    const uint32_t arguments[] = {words[2], least, most, instrument_site(x, &site)};
    trace_check(x, true, "assay_hit_t", arguments, ARRAY_LENGTH(arguments));
}

/* Checks OpReportIntersectionKHR: the kind of the hit is in the range [0, 127]. */
static void check_reported(struct instrument *x, const uint32_t *words)
{
    uint64_t value;
    if (instrument_value(x, words[4], &value) && value <= 127)
        return;
    uint32_t kind = instrument_to_u32(x, words[4]);
    if (!kind)
        return;
    const struct spirv_site site = {
        .where = instrument_here(x), .error = ERROR_HIT_KIND, .from = {SITE_A}};
    const uint32_t arguments[] = {kind, instrument_site(x, &site)};
    trace_check(x, true, "assay_hit_kind", arguments, ARRAY_LENGTH(arguments));
}

void instrument_trace(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words)
{
    struct operands operands;
    if (!(x->info->checks & SPIRV_CHECK_TRACE))
        return;
    if (find_operands(instruction->opcode, &operands))
        check_trace(x, instruction, words, &operands);
    else if (instruction->opcode == SpvOpRayQueryGenerateIntersectionKHR && instruction->length > 2)
        check_generated(x, words);
    else if (instruction->opcode == SpvOpReportIntersectionKHR && instruction->length > 4)
        check_reported(x, words);
}
