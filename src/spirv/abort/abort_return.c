/* Ends an aborting invocation: at once if its stage allows that in any function, else by a return
 * from its function. */
#include "spirv/abort/abort_build.h"

void abort_end_anywhere(struct flow_point *point)
{
    assert(point->lower->end != ABORT_END_RETURN);
    static const SpvOp opcodes[] = {[ABORT_END_KILL] = SpvOpKill,
                                    [ABORT_END_TERMINATE] = SpvOpTerminateInvocation,
                                    [ABORT_END_IGNORE] = SpvOpIgnoreIntersectionKHR};
    flow_emit(point, opcodes[point->lower->end], NULL, 0);
}

/* True if there is an OpConstantNull for the type. There is none for addresses and handles. */
static bool is_nullable(const struct abort_lower *lower, uint32_t type, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, type);
    bool nullable = depth < 16;
    switch (definition ? definition->opcode : SpvOpNop) {
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return true;
    case SpvOpTypeArray:
        return nullable && is_nullable(lower, abort_part_type(lower, type, 0), depth + 1);
    case SpvOpTypeStruct:
        for (uint32_t i = 0; i < abort_part_count(lower, type) && nullable; i++)
            nullable = is_nullable(lower, abort_part_type(lower, type, i), depth + 1);
        return nullable;
    default:
        return false;
    }
}

void flow_return(struct flow_point *point, bool sets)
{
    assert(point->flow);
    struct abort_lower *lower = point->lower;
    struct flow *flow = point->flow;
    if (sets && flow->function->id != lower->entry && flow->function->reached)
        FLOW_EMIT(point, SpvOpStore, lower->flag, spirv_edit_constant_bool(&lower->edit, true));
    const struct spirv_instruction *type = spirv_definition(lower->module, flow->type);
    if (type && type->opcode == SpvOpTypeVoid) {
        flow_emit(point, SpvOpReturn, NULL, 0);
    } else {
        /* A null value is returned if the type has one. With an undefined value a driver may assume
         * that the invocation does not abort. */
        uint32_t nothing = is_nullable(lower, flow->type, 0)
                               ? spirv_edit_constant_null(&lower->edit, flow->type)
                               : flow_value(point, SpvOpUndef, flow->type, NULL, 0);
        FLOW_EMIT(point, SpvOpReturnValue, nothing);
    }
}
