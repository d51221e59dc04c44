/* Finds loops that may wait for another invocation, and makes them end. A loop that waits for an
 * aborted invocation would wait for ever, so it tests whether the device is aborted, and ends. */
#include "spirv/abort/abort_build.h"

#include "spirv/atomic.h"

/* The test is made once in so many iterations of all loops, as it reads host memory. A power of
 * two. */
#define TURNS 128u

/* --- accesses --- */

/* True if other invocations may write the memory of the variable or parameter while this one
 * runs. */
static bool is_shared(const struct abort_lower *lower, uint32_t id)
{
    return abort_decoration(lower, id, SPIRV_NONE, SpvDecorationCoherent) ||
           abort_decoration(lower, id, SPIRV_NONE, SpvDecorationVolatile);
}

/* True if a member of the structure is coherent or volatile. */
static bool decorates_member(const struct abort_lower *lower, uint32_t type)
{
    assert(type < lower->module->bound);
    for (uint32_t i = lower->annotations[type]; i != SPIRV_NONE; i = lower->next_annotation[i]) {
        const struct spirv_instruction *instruction = &lower->module->instructions[i];
        const uint32_t *words = spirv_words(lower->module, instruction);
        if (instruction->opcode == SpvOpMemberDecorate && instruction->length > 3 &&
            (words[3] == SpvDecorationCoherent || words[3] == SpvDecorationVolatile))
            return true;
    }
    return false;
}

/* True if a member of the type, or of an inner type, is coherent or volatile. Each type is examined
 * once. */
static bool has_shared_member(const struct abort_lower *lower, uint32_t type, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, type);
    if (!definition || depth > 16 || definition->length < 3)
        return false;
    const uint32_t *words = spirv_words(lower->module, definition);
    bool structure = definition->opcode == SpvOpTypeStruct;
    if (!structure && definition->opcode != SpvOpTypeArray &&
        definition->opcode != SpvOpTypeRuntimeArray)
        return false;
    uint8_t *note = &lower->type_notes[type];
    if (*note & ABORT_NOTE_SHARED_KNOWN)
        return *note & ABORT_NOTE_SHARED;
    *note |= ABORT_NOTE_SHARED_KNOWN;
    bool shared = structure && decorates_member(lower, type);
    for (uint32_t i = 2; i < (structure ? definition->length : 3u) && !shared; i++)
        shared = has_shared_member(lower, words[i], depth + 1);
    *note |= shared ? ABORT_NOTE_SHARED : 0;
    return shared;
}

/* True if the pointer, or a pointer that it was made from, is to coherent or volatile memory. */
static bool is_shared_pointer(const struct abort_lower *lower, uint32_t pointer)
{
    for (uint32_t steps = 0; steps < 64; steps++) {
        const struct spirv_instruction *definition = spirv_definition(lower->module, pointer);
        const uint32_t *type =
            abort_definition(lower, abort_type_of(lower, pointer), SpvOpTypePointer, 4);
        if (!definition || is_shared(lower, pointer) ||
            (type && has_shared_member(lower, type[3], 0)))
            return definition != NULL;
        switch (definition->opcode) {
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
        case SpvOpPtrAccessChain:
        case SpvOpInBoundsPtrAccessChain:
        case SpvOpCopyObject:
            if (definition->length < 4)
                return false;
            pointer = spirv_words(lower->module, definition)[3];
            break;
        default:
            return false;
        }
    }
    return false;
}

/* True if the image was loaded from a variable that is decorated Coherent or Volatile. */
static bool is_shared_image(const struct abort_lower *lower, uint32_t image)
{
    const uint32_t *load = abort_definition(lower, image, SpvOpLoad, 4);
    return load && is_shared_pointer(lower, load[3]);
}

bool abort_may_wait(const struct abort_lower *lower, const struct spirv_instruction *instruction)
{
    assert(instruction);
    const uint32_t *words = spirv_words(lower->module, instruction);
    if (spirv_is_atomic_with_result(instruction->opcode))
        return true;
    switch (instruction->opcode) {
    case SpvOpLoad:
        if (instruction->length < 4)
            return false;
        return (instruction->length > 4 &&
                words[4] & (SpvMemoryAccessVolatileMask | SpvMemoryAccessMakePointerVisibleMask)) ||
               is_shared_pointer(lower, words[3]);
    case SpvOpCopyMemory:
        if (instruction->length < 3)
            return false;
        return (instruction->length > 3 &&
                words[3] & (SpvMemoryAccessVolatileMask | SpvMemoryAccessMakePointerVisibleMask)) ||
               is_shared_pointer(lower, words[2]);
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
        if (instruction->length < 5)
            return false;
        return (instruction->length > 5 && words[5] & (SpvImageOperandsVolatileTexelMask |
                                                       SpvImageOperandsMakeTexelVisibleMask)) ||
               is_shared_image(lower, words[3]);
    default:
        return false;
    }
}

/* --- the test --- */

uint32_t abort_wait_function(struct abort_lower *lower)
{
    struct spirv_edit *edit = &lower->edit;
    if (lower->wait_function)
        return lower->wait_function;
    /* All loops share one count, so that short loops in a long one make the test as well. */
    lower->turns =
        abort_private(lower, spirv_edit_type_u32(edit), spirv_edit_constant_u32(edit, 0));
    return lower->wait_function = spirv_edit_id(edit);
}

void abort_wait_write(struct abort_lower *lower)
{
    struct spirv_edit *edit = &lower->edit;
    struct flow_point to = {.lower = lower, .origin = SPIRV_NONE};
    if (!lower->wait_function || lower->failed)
        return;
    uint32_t u32 = spirv_edit_type_u32(edit), boolean = spirv_edit_type_bool(edit),
             none = spirv_edit_type_void(edit);
    uint32_t type = lower->end == ABORT_END_RETURN ? boolean : none,
             zero = spirv_edit_constant_u32(edit, 0);
    uint32_t labels[5];
    for (uint32_t i = 0; i < ARRAY_LENGTH(labels); i++)
        labels[i] = spirv_edit_id(edit);
    FLOW_EMIT(&to, SpvOpFunction, type, lower->wait_function, SpvFunctionControlMaskNone,
              spirv_edit_type_function(edit, type, NULL, 0));
    FLOW_EMIT(&to, SpvOpLabel, labels[0]);
    uint32_t turns = FLOW_VALUE(&to, SpvOpLoad, u32, lower->turns);
    turns = FLOW_VALUE(&to, SpvOpIAdd, u32, turns, spirv_edit_constant_u32(edit, 1));
    FLOW_EMIT(&to, SpvOpStore, lower->turns, turns);
    /* Only every TURNS-th iteration reads host memory, as that is slow. */
    turns = FLOW_VALUE(&to, SpvOpBitwiseAnd, u32, turns, spirv_edit_constant_u32(edit, TURNS - 1));
    uint32_t now = FLOW_VALUE(&to, SpvOpIEqual, boolean, turns, zero);
    FLOW_EMIT(&to, SpvOpSelectionMerge, labels[2], SpvSelectionControlMaskNone);
    FLOW_EMIT(&to, SpvOpBranchConditional, now, labels[1], labels[2]);
    FLOW_EMIT(&to, SpvOpLabel, labels[1]);
    uint32_t aborted =
        FLOW_VALUE(&to, SpvOpFunctionCall, boolean, abort_stub(lower, ABORT_STUB_ABORTED));
    FLOW_EMIT(&to, SpvOpBranch, labels[2]);
    FLOW_EMIT(&to, SpvOpLabel, labels[2]);
    uint32_t ends = FLOW_VALUE(&to, SpvOpPhi, boolean, spirv_edit_constant_bool(edit, false),
                               labels[0], aborted, labels[1]);
    /* If invocations end by returns, the caller must return as well, so it gets the result. */
    if (lower->end == ABORT_END_RETURN) {
        FLOW_EMIT(&to, SpvOpReturnValue, ends);
    } else {
        FLOW_EMIT(&to, SpvOpSelectionMerge, labels[4], SpvSelectionControlMaskNone);
        FLOW_EMIT(&to, SpvOpBranchConditional, ends, labels[3], labels[4]);
        FLOW_EMIT(&to, SpvOpLabel, labels[3]);
        abort_end_anywhere(&to);
        FLOW_EMIT(&to, SpvOpLabel, labels[4]);
        flow_emit(&to, SpvOpReturn, NULL, 0);
    }
    flow_emit(&to, SpvOpFunctionEnd, NULL, 0);
}
