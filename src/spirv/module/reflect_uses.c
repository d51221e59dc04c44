/* Finds how each function uses the module's global variables, and which functions it calls, in one
 * walk over all instructions. */
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "spirv/module/reflect_build.h"

/* The state of the walk. `function` is the current function; NULL between functions. */
struct walk {
    struct spirv_build *build;
    struct spirv_function *function;
    /* Each invocation that enters the function, and is not terminated, reaches this instruction. */
    bool certain;
    bool returns_once; /* the function returns in one place, and terminates no invocation */
    /* The label after the current selection or loop, from which on `certain` is true again. 0: the
     * block is in none; SPIRV_NONE: `certain` stays false. */
    uint32_t certain_again;
    uint32_t next_label; /* label of the block that a certain block branches to; 0: not known */
    /* results of calls_return(): whether it was found out, and whether a function ends an
     * invocation */
    bool calls_are_known, calls_end;
    /* the module has inputs with 64-bit components, for use_components() */
    bool wide_inputs;
};

/* Returns the global variable, and the part of it, that an id comes from; NULL: it comes from
 * none. */
static const struct spirv_origin *origin_of(const struct walk *walk, uint32_t id)
{
    const struct spirv_origin *origin =
        id < walk->build->module->bound ? &walk->build->origins[id] : NULL;
    return origin && origin->variable != SPIRV_NONE ? origin : NULL;
}

/* Returns the bit of a member; bit 63 for all members from 63 on; all bits for SPIRV_NONE. */
static uint64_t member_bits(uint32_t member)
{
    return member == SPIRV_NONE ? UINT64_MAX
           : member < 63        ? UINT64_C(1) << member
                                : UINT64_C(1) << 63;
}

/* Returns the current function's use of the variable, which is made if there is none. NULL: memory
 * is out. The pointer is valid until the next use is added. */
static struct spirv_use *use_of(struct walk *walk, uint32_t variable_index)
{
    struct spirv_variable *variable =
        LIST_AT(walk->build, variables, variable_index, struct spirv_variable);
    if (variable->seen != SPIRV_NONE && variable->seen >= walk->function->first_use)
        return LIST_AT(walk->build, uses, variable->seen, struct spirv_use);
    struct spirv_use *use = LIST_ADD(walk->build, uses, struct spirv_use);
    if (!use)
        return NULL;
    use->variable = variable_index;
    variable->seen = walk->build->uses.count - 1;
    walk->function->use_count++;
    return use;
}

/* True if the variable's storage class is one of uniform or storage buffers. */
static bool is_of_buffer(const struct spirv_variable *variable)
{
    return variable->storage == SpvStorageClassUniform ||
           variable->storage == SpvStorageClassStorageBuffer;
}

/* Notes an access to the variable that the id comes from. `access`: SPIRV_ACCESS_ bits. */
static void uses_note(struct walk *walk, uint32_t id, uint32_t access)
{
    const struct spirv_origin *origin = origin_of(walk, id);
    struct spirv_use *use = origin ? use_of(walk, origin->variable) : NULL;
    if (!use)
        return;
    const struct spirv_variable *variable =
        LIST_AT(walk->build, variables, origin->variable, struct spirv_variable);
    if (walk->certain && !(access & SPIRV_ACCESS_PASSED) && is_of_buffer(variable))
        spirv_spans_note(walk->build, &use->spans, origin, access);
    use->access |= access | SPIRV_ACCESS_USED;
    if (access & (SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE) && !(access & SPIRV_ACCESS_ATOMIC))
        use->access |= SPIRV_ACCESS_PLAIN;
    if (walk->certain && !(access & SPIRV_ACCESS_PASSED))
        use->access |= (access & SPIRV_ACCESS_READ ? (uint32_t)SPIRV_ACCESS_SURE_READ : 0) |
                       (access & SPIRV_ACCESS_WRITE ? (uint32_t)SPIRV_ACCESS_SURE_WRITE : 0);
    use->any_element |= variable->id == id;
    if (access & ~(uint32_t)SPIRV_ACCESS_USED && !(access & SPIRV_ACCESS_PASSED) &&
        origin->element < 64) {
        use->accessed |= UINT64_C(1) << origin->element;
        use->surely_accessed |= (uint64_t)walk->certain << origin->element;
    }
    if (access & SPIRV_ACCESS_READ)
        use->read |= member_bits(origin->member);
    if (access & SPIRV_ACCESS_WRITE)
        use->written |= member_bits(origin->member);
}

/* Notes a read by an instruction that is not followed further. The bytes that it reads are not
 * known; it may not even read through the pointer. */
static void note_unfollowed(struct walk *walk, uint32_t id)
{
    const struct spirv_origin *origin = origin_of(walk, id);
    struct spirv_use *use = origin ? use_of(walk, origin->variable) : NULL;
    if (!use)
        return;
    const struct spirv_spans spans = use->spans;
    const uint64_t accessed = use->accessed, surely_accessed = use->surely_accessed;
    uses_note(walk, id, SPIRV_ACCESS_READ);
    use->spans = spans;
    use->accessed = accessed;
    use->surely_accessed = surely_accessed;
}

/* Gives the result `words[2]` the origin of `words[3]`. */
static void uses_derive(struct walk *walk, const uint32_t *words, uint32_t length)
{
    if (length > 3 && words[2] < walk->build->module->bound) {
        const struct spirv_origin *origin = origin_of(walk, words[3]);
        if (origin)
            walk->build->origins[words[2]] = *origin;
        uses_note(walk, words[3], 0);
    }
}

/* Widens the range of accessed push constants. */
static void add_range(struct spirv_use *use, uint32_t begin, uint32_t end)
{
    if (end <= begin)
        return;
    if (use->begin == use->end) {
        use->begin = begin;
        use->end = end;
    } else {
        use->begin = begin < use->begin ? begin : use->begin;
        use->end = end > use->end ? end : use->end;
    }
}

/* Notes the bytes of a push constant block that an access chain from the variable selects; an index
 * that is not constant selects all elements. */
static void note_range(struct walk *walk, struct spirv_use *use, uint32_t type_index,
                       const uint32_t *indices, uint32_t count)
{
    const struct spirv_build *build = walk->build;
    const struct spirv_type *type = spirv_build_type(build, type_index);
    uint64_t begin = 0, size = type ? type->size : 0, index;
    for (uint32_t i = 0; i < count && type; i++) {
        bool known = spirv_constant_index(build, indices[i], &index);
        if (type->opcode == SpvOpTypeStruct) {
            if (!known || index >= type->member_count)
                break;
            const struct spirv_member *member =
                LIST_AT(build, members, type->first_member + (uint32_t)index, struct spirv_member);
            begin += member->offset;
            size = member->size;
            type = spirv_build_type(build, member->type);
        } else if (type->opcode == SpvOpTypeArray && known && index < type->length) {
            const struct spirv_type *element = spirv_build_type(build, type->element);
            uint64_t stride = type->stride ? type->stride : element ? element->size : 0;
            begin += index * stride;
            size = element && element->size < stride ? element->size : stride;
            type = element;
        } else {
            break; /* the index is into a vector or matrix, or not constant */
        }
    }
    if (begin + size <= UINT32_MAX)
        add_range(use, (uint32_t)begin, (uint32_t)(begin + size));
}

/* True if the value is a constant, a specialization constant or OpUndef, or has no definition. */
static bool is_constant_instruction(const struct spirv_build *build, uint32_t id)
{
    const struct spirv_instruction *value = spirv_definition(build->module, id);
    return !value || value->opcode == SpvOpUndef ||
           (value->opcode >= SpvOpConstantTrue && value->opcode <= SpvOpSpecConstantOp);
}

/* Notes the element of an array of descriptors that an access chain from the variable selects. */
static void note_element(const struct walk *walk, struct spirv_use *use,
                         const struct spirv_variable *variable, struct spirv_origin *origin,
                         uint32_t index)
{
    const struct spirv_type *type = spirv_build_type(walk->build, variable->type);
    if (!type || (type->opcode != SpvOpTypeArray && type->opcode != SpvOpTypeRuntimeArray))
        return;
    const struct spirv_type *element = spirv_build_type(walk->build, type->element);
    bool nested =
        element && (element->opcode == SpvOpTypeArray || element->opcode == SpvOpTypeRuntimeArray);
    uint64_t number;
    if (!is_constant_instruction(walk->build, index))
        use->access |= SPIRV_ACCESS_CHOSEN;
    if (!nested && spirv_constant_index(walk->build, index, &number) && number < 64) {
        use->elements |= UINT64_C(1) << number;
        origin->element = (uint8_t)number;
    } else {
        use->any_element = true;
    }
}

/* Moves `result` on by the indices of an access chain, which are its `words` from `first` on. */
static void follow_bytes(const struct spirv_build *build, const struct spirv_variable *variable,
                         struct spirv_origin *result, const uint32_t *words, uint32_t first,
                         uint32_t length)
{
    const struct spirv_type *type = spirv_build_type(build, variable->type);
    if (first == 5) { /* OpPtrAccessChain moves to another element first, which may be anywhere */
        result->type = SPIRV_NONE;
        result->span = (struct spirv_span){0, UINT32_MAX};
        result->each = (struct spirv_each){0};
        return;
    }
    /* The first indices select a descriptor. If they end before that, which is rare, the bytes are
     * not followed. */
    uint32_t at = first;
    while (variable->id == words[3] && type && at < length &&
           (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray)) {
        type = spirv_build_type(build, type->element);
        at++;
    }
    spirv_spans_follow(build, result, &words[at], length - at);
}

/* Notes which element and member of a variable an access chain selects. */
static void access_chain(struct walk *walk, const struct spirv_instruction *instruction)
{
    const struct spirv_build *build = walk->build;
    const uint32_t *words = spirv_words(build->module, instruction);
    bool pointer = instruction->opcode == SpvOpPtrAccessChain ||
                   instruction->opcode == SpvOpInBoundsPtrAccessChain;
    uint32_t first = pointer ? 5 : 4;
    if (instruction->length < first || words[2] >= build->module->bound)
        return;
    const struct spirv_origin *origin = origin_of(walk, words[3]);
    if (!origin)
        return;
    struct spirv_origin result = *origin;
    struct spirv_use *use = use_of(walk, origin->variable);
    if (!use)
        return;
    use->access |= SPIRV_ACCESS_USED;
    const struct spirv_variable *variable =
        LIST_AT(build, variables, origin->variable, struct spirv_variable);
    if (variable->id == words[3] && variable->storage == SpvStorageClassPushConstant)
        note_range(walk, use, variable->type, &words[first], instruction->length - first);
    if (variable->id == words[3] && !pointer && instruction->length > first)
        note_element(walk, use, variable, &result, words[first]);
    else if (variable->id == words[3])
        use->any_element = true;
    if (pointer) /* the chain moves to another element, which may be any */
        result.element = SPIRV_NO_ELEMENT;
    if (origin->whole && variable->id == words[3] && instruction->length > first) {
        /* The indices of an array of blocks are skipped; the next one selects the member. */
        const struct spirv_type *type = spirv_build_type(build, variable->type);
        uint32_t at = first;
        while (type && (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray) &&
               at < instruction->length) {
            type = spirv_build_type(build, type->element);
            at++;
        }
        uint64_t member;
        if (type && type->opcode == SpvOpTypeStruct && at < instruction->length) {
            result.whole = false;
            result.member =
                spirv_constant_index(build, words[at], &member) ? (uint32_t)member : SPIRV_NONE;
        }
    }
    if (is_of_buffer(variable))
        follow_bytes(build, variable, &result, words, first, instruction->length);
    build->origins[words[2]] = result;
}

/* Returns SPIRV_ACCESS_COHERENT if the memory operands in this word of the instruction make the
 * access available or visible; else 0. */
static uint32_t coherence_of(const uint32_t *words, uint32_t length, uint32_t word)
{
    const uint32_t coherent =
        SpvMemoryAccessMakePointerAvailableMask | SpvMemoryAccessMakePointerVisibleMask;
    return length > word && words[word] & coherent ? (uint32_t)SPIRV_ACCESS_COHERENT : 0;
}

/* Notes a load. The result of loading an opaque object gets the origin of the pointer, and the
 * access is noted where it is used. Any other load is a read. */
static void uses_load(struct walk *walk, const uint32_t *words, uint32_t length)
{
    const struct spirv_build *build = walk->build;
    const struct spirv_origin *origin = length > 3 ? origin_of(walk, words[3]) : NULL;
    if (!origin)
        return;
    uint32_t type_index =
        words[1] < build->module->bound ? build->type_index[words[1]] : SPIRV_NONE;
    const struct spirv_type *type = spirv_build_type(build, type_index);
    bool opaque = type && (type->opcode == SpvOpTypeImage || type->opcode == SpvOpTypeSampler ||
                           type->opcode == SpvOpTypeSampledImage ||
                           type->opcode == SpvOpTypeAccelerationStructureKHR ||
                           type->opcode == SpvOpTypeTensorARM);
    if (opaque) {
        uses_derive(walk, words, length);
        return;
    }
    uses_note(walk, words[3], SPIRV_ACCESS_READ | coherence_of(words, length, 4));
    const struct spirv_variable *variable =
        LIST_AT(build, variables, origin->variable, struct spirv_variable);
    struct spirv_use *use = use_of(walk, origin->variable);
    if (use && variable->id == words[3] && variable->storage == SpvStorageClassPushConstant)
        note_range(walk, use, variable->type, NULL, 0);
}

/* Returns the access that an instruction makes to the image or pointer in its first operand after
 * the result; 0: none that is known. */
static uint32_t image_access(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSparseSampleImplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_IMPLICIT_LOD;
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSparseSampleProjImplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_IMPLICIT_LOD |
               SPIRV_ACCESS_PROJECTED;
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSparseSampleExplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE;
    case SpvOpImageGather:
    case SpvOpImageSparseGather:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_UNSAMPLED;
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageSparseSampleProjExplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_PROJECTED;
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSparseSampleDrefImplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_DEPTH_COMPARE |
               SPIRV_ACCESS_IMPLICIT_LOD;
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSparseSampleProjDrefImplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_DEPTH_COMPARE |
               SPIRV_ACCESS_IMPLICIT_LOD | SPIRV_ACCESS_PROJECTED;
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSparseSampleDrefExplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_DEPTH_COMPARE;
    case SpvOpImageDrefGather:
    case SpvOpImageSparseDrefGather:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_DEPTH_COMPARE |
               SPIRV_ACCESS_UNSAMPLED;
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageSparseSampleProjDrefExplicitLod:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SAMPLE | SPIRV_ACCESS_DEPTH_COMPARE |
               SPIRV_ACCESS_PROJECTED;
    case SpvOpImageFetch: /* fetches and reads use no sampler */
    case SpvOpImageSparseFetch:
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_TEXEL;
    default:
        return 0;
    }
}

/* Returns which word of a sampling instruction has its image operands. */
static uint32_t image_operands_word(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpImageGather:
    case SpvOpImageSparseGather:
    case SpvOpImageDrefGather:
    case SpvOpImageSparseDrefGather:
        return 6;
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
        return 5;
    default:
        return image_access(opcode) & SPIRV_ACCESS_DEPTH_COMPARE ? 6 : 5;
    }
}

/* Returns the access that an instruction of SPV_QCOM_image_processing makes to the image in its
 * first operand after the result, or with `second` to the image in its third one; 0: none. */
static uint32_t processing_access(uint16_t opcode, bool second)
{
    switch (opcode) {
    case SpvOpImageSampleWeightedQCOM:
        return SPIRV_ACCESS_READ | (second ? SPIRV_ACCESS_WEIGHTS : SPIRV_ACCESS_WEIGHTED);
    case SpvOpImageBoxFilterQCOM:
        return second ? 0 : SPIRV_ACCESS_READ | SPIRV_ACCESS_BOX_FILTER;
    case SpvOpImageBlockMatchSSDQCOM:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_BLOCK_MATCH;
    case SpvOpImageBlockMatchSADQCOM:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_SUM_MATCH;
    case SpvOpImageBlockMatchWindowSSDQCOM:
    case SpvOpImageBlockMatchWindowSADQCOM:
    case SpvOpImageBlockMatchGatherSSDQCOM:
    case SpvOpImageBlockMatchGatherSADQCOM:
        return SPIRV_ACCESS_READ | SPIRV_ACCESS_WINDOW_MATCH;
    default:
        return 0;
    }
}

/* True for all atomic instructions, also those without a result. */
static bool is_atomic(uint16_t opcode)
{
    return (opcode >= SpvOpAtomicLoad && opcode <= SpvOpAtomicXor) ||
           opcode == SpvOpAtomicFlagTestAndSet || opcode == SpvOpAtomicFlagClear ||
           opcode == SpvOpAtomicFAddEXT || opcode == SpvOpAtomicFMinEXT ||
           opcode == SpvOpAtomicFMaxEXT;
}

/* Returns the SPIRV_USES_ bits of instructions that a device may allow in some stages only; 0:
 * none. */
static uint32_t uses_of_stages(uint16_t opcode)
{
    /* The group operations of SPIR-V 1.3 have consecutive numbers, without the quad operations. */
    if (opcode >= SpvOpGroupNonUniformElect && opcode <= SpvOpGroupNonUniformLogicalXor)
        return SPIRV_USES_GROUP_OPERATIONS;
    switch (opcode) {
    case SpvOpGroupNonUniformQuadBroadcast:
    case SpvOpGroupNonUniformQuadSwap:
    case SpvOpGroupNonUniformQuadAllKHR:
    case SpvOpGroupNonUniformQuadAnyKHR:
        return SPIRV_USES_GROUP_OPERATIONS | SPIRV_USES_QUAD_OPERATIONS;
    case SpvOpGroupNonUniformRotateKHR:
        return SPIRV_USES_GROUP_OPERATIONS;
    case SpvOpCooperativeMatrixLoadKHR:
    case SpvOpCooperativeMatrixStoreKHR:
    case SpvOpCooperativeMatrixMulAddKHR:
    case SpvOpCooperativeMatrixLengthKHR:
        return SPIRV_USES_COOPERATIVE_MATRIX;
    case SpvOpCooperativeMatrixLoadNV:
    case SpvOpCooperativeMatrixStoreNV:
    case SpvOpCooperativeMatrixMulAddNV:
    case SpvOpCooperativeMatrixLengthNV:
        return SPIRV_USES_COOPERATIVE_MATRIX_NV;
    case SpvOpCooperativeVectorMatrixMulNV:
    case SpvOpCooperativeVectorMatrixMulAddNV:
    case SpvOpCooperativeVectorOuterProductAccumulateNV:
    case SpvOpCooperativeVectorReduceSumAccumulateNV:
    case SpvOpCooperativeVectorLoadNV:
    case SpvOpCooperativeVectorStoreNV:
        return SPIRV_USES_COOPERATIVE_VECTOR;
    case SpvOpTensorReadARM:
    case SpvOpTensorWriteARM:
    case SpvOpTensorQuerySizeARM:
        return SPIRV_USES_TENSOR;
    case SpvOpControlBarrierArriveEXT:
    case SpvOpControlBarrierWaitEXT:
        return SPIRV_USES_SPLIT_BARRIER;
    default:
        return 0;
    }
}

/* Returns the SPIRV_USES_ bits of an opcode; 0: none. */
static uint32_t uses_of(uint16_t opcode)
{
    if (is_atomic(opcode))
        return SPIRV_USES_ATOMICS;
    if (opcode >= SpvOpDPdx && opcode <= SpvOpFwidthCoarse)
        return SPIRV_USES_DERIVATIVES;
    /* An implicit level of detail is computed from derivatives of the coordinates. */
    if (image_access(opcode) & SPIRV_ACCESS_IMPLICIT_LOD)
        return SPIRV_USES_DERIVATIVES;
    switch (opcode) {
    case SpvOpImageQueryLod:
        return SPIRV_USES_DERIVATIVES;
    case SpvOpKill:
    case SpvOpTerminateInvocation:
    case SpvOpDemoteToHelperInvocation:
        return SPIRV_USES_KILL;
    case SpvOpAbortKHR:
        return SPIRV_USES_ABORT;
    case SpvOpEmitVertex:
        return SPIRV_USES_EMIT_VERTEX;
    case SpvOpEmitStreamVertex:
        return SPIRV_USES_EMIT_VERTEX | SPIRV_USES_EMIT_STREAM;
    case SpvOpEndStreamPrimitive:
        return SPIRV_USES_EMIT_STREAM;
    case SpvOpColorAttachmentReadEXT:
        return SPIRV_USES_COLOR_READ;
    case SpvOpDepthAttachmentReadEXT:
        return SPIRV_USES_DEPTH_READ;
    case SpvOpStencilAttachmentReadEXT:
        return SPIRV_USES_STENCIL_READ;
    case SpvOpControlBarrier:
        return SPIRV_USES_CONTROL_BARRIER;
    case SpvOpRayQueryInitializeKHR:
        return SPIRV_USES_RAY_QUERY;
    case SpvOpTraceRayKHR:
        return SPIRV_USES_TRACE_RAY;
    case SpvOpTraceRayMotionNV:
        return SPIRV_USES_TRACE_MOTION;
    case SpvOpHitObjectTraceRayMotionNV:
        return SPIRV_USES_HIT_MOTION_NV;
    case SpvOpHitObjectTraceRayMotionEXT:
    case SpvOpHitObjectTraceMotionReorderExecuteEXT:
        return SPIRV_USES_HIT_MOTION;
    case SpvOpEmitMeshTasksEXT:
        return SPIRV_USES_EMIT_MESH_TASKS;
    case SpvOpConvertUToPtr:
        return SPIRV_USES_PHYSICAL_POINTERS;
    default:
        return uses_of_stages(opcode);
    }
}

/* Notes a call. The function may read and write the variables that the arguments come from. */
static void call_function(struct walk *walk, const uint32_t *words, uint32_t length)
{
    if (length < 4)
        return;
    uint32_t *call = LIST_ADD(walk->build, calls, uint32_t);
    if (!call)
        return;
    *call = words[3] | (walk->certain ? SPIRV_CALL_CERTAIN : 0);
    walk->function->call_count++;
    for (uint32_t w = 4; w < length; w++)
        uses_note(walk, words[w], SPIRV_ACCESS_READ | SPIRV_ACCESS_WRITE | SPIRV_ACCESS_PASSED);
}

/* The number of InterpolateAtSample in GLSL.std.450. */
#define INTERPOLATE_AT_SAMPLE 77

/* Returns the name of an extended instruction set; NULL: the id is not an import. */
static const char *extended_set_name(const struct walk *walk, uint32_t set)
{
    const struct spirv_instruction *import = spirv_definition(walk->build->module, set);
    uint32_t taken;
    if (!import || import->opcode != SpvOpExtInstImport || import->length < 3)
        return NULL;
    return spirv_string(spirv_words(walk->build->module, import) + 2, import->length - 2u, &taken);
}

/* True for instruction sets with debug information or without semantics. */
static bool extended_set_is_debug(const struct walk *walk, uint32_t set)
{
    const char *name = extended_set_name(walk, set);
    return name &&
           (strncmp(name, "NonSemantic.", 12) == 0 || strcmp(name, "OpenCL.DebugInfo.100") == 0);
}

/* Notes the uses of any other instruction: each id operand that comes from a variable is read. Most
 * instructions have no such operand, so their words are tested before the grammar is asked. */
static void uses_other(struct walk *walk, const struct spirv_instruction *instruction)
{
    const struct spirv_build *build = walk->build;
    const uint32_t *words = spirv_words(build->module, instruction);
    bool any = false;
    for (uint32_t w = 1; w < instruction->length && !any; w++)
        any = origin_of(walk, words[w]) != NULL;
    if (!any || instruction->opcode == SpvOpName || instruction->opcode == SpvOpLine ||
        (instruction->opcode == SpvOpExtInst && instruction->length > 3 &&
         extended_set_is_debug(walk, words[3])))
        return;
    struct spirv_operand_walk operands;
    struct spirv_operand operand;
    if (!spirv_operands_begin(&operands, build->module, instruction))
        return;
    while (spirv_operands_next(&operands, &operand))
        if (spirv_kind_is_id(operand.kind) && operand.kind != SPIRV_KIND_IdResult &&
            operand.kind != SPIRV_KIND_IdResultType)
            note_unfollowed(walk, words[operand.word]);
}

/* Returns the signedness that image operands give the access in place of the Sampled Type; 0:
 * none. */
static uint32_t operands_signedness(uint32_t operands)
{
    return (operands & SpvImageOperandsSignExtendMask ? SPIRV_ACCESS_SIGNED : 0) |
           (operands & SpvImageOperandsZeroExtendMask ? SPIRV_ACCESS_UNSIGNED : 0);
}

/* Returns the SPIRV_ACCESS_ bits that image operands add to the access. Those of coordinates are
 * found elsewhere. */
static uint32_t operands_access(uint32_t operands)
{
    const uint32_t coherent =
        SpvImageOperandsMakeTexelAvailableMask | SpvImageOperandsMakeTexelVisibleMask;
    return operands_signedness(operands) |
           (operands & SpvImageOperandsBiasMask ? (uint32_t)SPIRV_ACCESS_BIAS : 0) |
           (operands & coherent ? (uint32_t)SPIRV_ACCESS_COHERENT : 0);
}

/* Returns the components of the texel that OpImageWrite writes; UINT8_MAX: unknown. */
static uint8_t texel_components(const struct spirv_build *build, uint32_t texel)
{
    const struct spirv_instruction *value = spirv_definition(build->module, texel);
    const uint32_t type_id = value && value->length > 2 ? spirv_words(build->module, value)[1] : 0;
    const struct spirv_type *type =
        type_id < build->module->bound ? spirv_build_type(build, build->type_index[type_id]) : NULL;
    if (!type)
        return UINT8_MAX;
    switch (type->opcode) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return 1;
    case SpvOpTypeVector:
        return type->length && type->length < UINT8_MAX ? (uint8_t)type->length : UINT8_MAX;
    default:
        return UINT8_MAX;
    }
}

/* Notes a write of an image. If its coordinates are GlobalInvocationId, each invocation writes its
 * own texel. */
static void write_image(struct walk *walk, const uint32_t *words, uint32_t length)
{
    if (length < 2)
        return;
    const bool each =
        walk->certain && length > 2 && spirv_is_invocation_place(walk->build, words[2]);
    uses_note(walk, words[1],
              SPIRV_ACCESS_WRITE | (length > 4 ? operands_access(words[4]) : 0) |
                  (each ? (uint32_t)SPIRV_ACCESS_EACH_WRITE : 0));
    const struct spirv_origin *origin = origin_of(walk, words[1]);
    struct spirv_use *use = origin ? use_of(walk, origin->variable) : NULL;
    const uint8_t components = length > 3 ? texel_components(walk->build, words[3]) : UINT8_MAX;
    if (use && components > use->texel_components)
        use->texel_components = components;
}

/* --- which components of 64-bit inputs are used --- */

/* Returns the variable's type if it is an input and a vector of 64-bit components; else NULL. */
static const struct spirv_type *wide_input(const struct spirv_build *build,
                                           const struct spirv_variable *variable)
{
    const struct spirv_type *type = variable && variable->storage == SpvStorageClassInput
                                        ? spirv_build_type(build, variable->type)
                                        : NULL;
    return type && type->opcode == SpvOpTypeVector && type->width == 64 && type->length <= 4 ? type
                                                                                             : NULL;
}

/* True if the module has an input that is a vector of 64-bit components. */
static bool has_wide_inputs(const struct spirv_build *build)
{
    for (uint32_t i = 0; i < build->variables.count; i++) {
        if (wide_input(build, LIST_AT(build, variables, i, struct spirv_variable)))
            return true;
    }
    return false;
}

/* Returns the global variable with this id; NULL: there is none. */
static const struct spirv_variable *uses_variable(const struct spirv_build *build, uint32_t id)
{
    const uint32_t index = id < build->module->bound ? build->variable_index[id] : SPIRV_NONE;
    return index != SPIRV_NONE ? LIST_AT(build, variables, index, struct spirv_variable) : NULL;
}

/* Notes that components of `value` are used, if it was loaded as a whole from an input that is a
 * vector of 64-bit components. `components` has a bit for each. */
static void use_components(struct walk *walk, uint32_t value, uint32_t components)
{
    const struct spirv_build *build = walk->build;
    const struct spirv_instruction *load = spirv_definition(build->module, value);
    const uint32_t pointer = load && load->opcode == SpvOpLoad && load->length > 3
                                 ? spirv_words(build->module, load)[3]
                                 : 0;
    const struct spirv_type *type = wide_input(build, uses_variable(build, pointer));
    struct spirv_use *use = type ? use_of(walk, build->variable_index[pointer]) : NULL;
    if (use)
        use->used_components |= (uint8_t)(components & ((1u << type->length) - 1));
}

/* Notes that one component of such an input is used, if `pointer` is an access chain to it. */
static void use_of_load(struct walk *walk, uint32_t pointer)
{
    const struct spirv_build *build = walk->build;
    const struct spirv_instruction *chain = spirv_definition(build->module, pointer);
    if (!chain || chain->length != 5 ||
        (chain->opcode != SpvOpAccessChain && chain->opcode != SpvOpInBoundsAccessChain))
        return;
    const uint32_t *words = spirv_words(build->module, chain);
    struct spirv_use *use = wide_input(build, uses_variable(build, words[3]))
                                ? use_of(walk, build->variable_index[words[3]])
                                : NULL;
    uint64_t component;
    if (use && spirv_constant_index(build, words[4], &component) && component < 4)
        use->used_components |= (uint8_t)(1u << component);
}

/* True for instructions that compute with each component of their operands. */
static bool is_arithmetic(uint16_t opcode)
{
    return (opcode >= SpvOpConvertFToU && opcode <= SpvOpFConvert) ||
           (opcode >= SpvOpSNegate && opcode <= SpvOpDot);
}

/* Notes which components of an input an instruction uses. */
static void note_components(struct walk *walk, uint16_t opcode, const uint32_t *words,
                            uint32_t length)
{
    if (opcode == SpvOpLoad && length > 3) {
        use_of_load(walk, words[3]);
    } else if (opcode == SpvOpCompositeExtract && length > 4 && words[4] < 4) {
        use_components(walk, words[3], 1u << words[4]);
    } else if (opcode == SpvOpVectorShuffle && length > 5) {
        const uint32_t first = texel_components(walk->build, words[3]);
        for (uint32_t w = 5; w < length; w++) {
            if (words[w] < first && words[w] < 4)
                use_components(walk, words[3], 1u << words[w]);
            else if (words[w] >= first && words[w] - first < 4)
                use_components(walk, words[4], 1u << (words[w] - first));
        }
    } else if (is_arithmetic(opcode)) {
        for (uint32_t w = 3; w < length; w++)
            use_components(walk, words[w], UINT32_MAX);
    }
}

/* --- code that each invocation reaches --- */

/* True if the instruction may end the invocation. */
static bool ends_invocation(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpKill:
    case SpvOpUnreachable:
    case SpvOpTerminateInvocation:
    case SpvOpTerminateRayKHR:
    case SpvOpIgnoreIntersectionKHR:
    case SpvOpEmitMeshTasksEXT:
    case SpvOpAbortKHR:
        return true;
    default:
        return false;
    }
}

/* True if no function of the module ends an invocation. The result is kept in the walk. */
static bool calls_return(struct walk *walk)
{
    const struct spirv_module *module = walk->build->module;
    for (uint32_t i = 0; i < module->instruction_count && !walk->calls_are_known; i++)
        walk->calls_end |= ends_invocation(module->instructions[i].opcode);
    walk->calls_are_known = true;
    return !walk->calls_end;
}

/* True if the function returns in one place only, and neither it nor a function that it calls ends
 * an invocation. (A call counts as one that may, if any function of the module does.) Then the code
 * after each selection and loop is reached. */
static bool returns_once(struct walk *walk, uint32_t function)
{
    const struct spirv_module *module = walk->build->module;
    uint32_t returns = 0;
    for (uint32_t i = function; i < module->instruction_count; i++) {
        const uint16_t opcode = module->instructions[i].opcode;
        if (opcode == SpvOpFunctionEnd)
            return returns == 1;
        if (ends_invocation(opcode) || (opcode == SpvOpFunctionCall && !calls_return(walk)))
            return false;
        returns += opcode == SpvOpReturn || opcode == SpvOpReturnValue;
    }
    return false;
}

/* Updates `certain` at an instruction that begins or ends a block. */
static void follow_blocks(struct walk *walk, uint16_t opcode, const uint32_t *words,
                          uint32_t length)
{
    switch (opcode) {
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        /* Only the end of the outermost selection or loop counts, as a selection in a loop may
         * leave the loop. */
        if (walk->certain && !walk->certain_again && length > 1)
            walk->certain_again = walk->returns_once ? words[1] : SPIRV_NONE;
        break;
    case SpvOpBranch:
        if (walk->certain && length > 1)
            walk->next_label = words[1];
        walk->certain = false;
        break;
    case SpvOpLabel:
        walk->certain |=
            length > 1 && (words[1] == walk->next_label || words[1] == walk->certain_again);
        if (length > 1 && words[1] == walk->certain_again)
            walk->certain_again = 0;
        walk->next_label = 0;
        break;
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpReturn:
    case SpvOpReturnValue:
        walk->certain = false;
        break;
    default:
        if (ends_invocation(opcode))
            walk->certain = false;
        break;
    }
}

/* True for constants, except specialization constants, whose value is not known here. */
static bool is_constant(const struct spirv_build *build, uint32_t id)
{
    const struct spirv_instruction *value = spirv_definition(build->module, id);
    return value && (value->opcode == SpvOpConstant || value->opcode == SpvOpConstantComposite ||
                     value->opcode == SpvOpConstantNull);
}

/* --- constant coordinates --- */

/* Finds component `i` of a constant vector, or element `i` of a constant array. Returns false if it
 * is not known. */
static bool constant_part(const struct spirv_build *build, uint32_t id, uint32_t i, uint64_t *value)
{
    const struct spirv_instruction *constant = spirv_definition(build->module, id);
    *value = 0;
    if (constant && constant->opcode == SpvOpConstantNull)
        return true;
    return constant && constant->opcode == SpvOpConstantComposite && constant->length > 3 + i &&
           spirv_constant_index(build, spirv_words(build->module, constant)[3 + i], value);
}

/* Returns the length of an array type, or the components of a vector type; 0: it is neither. */
static uint32_t type_length(const struct spirv_build *build, uint32_t id)
{
    const struct spirv_type *type =
        id < build->module->bound ? spirv_build_type(build, build->type_index[id]) : NULL;
    return type && (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeVector)
               ? type->length
               : 0;
}

static uint32_t value_length(const struct spirv_build *build, uint32_t id)
{
    const struct spirv_instruction *value = spirv_definition(build->module, id);
    return value && value->length > 2 ? type_length(build, spirv_words(build->module, value)[1])
                                      : 0;
}

/* Notes where an access of a tensor begins. `count` is the number of elements that are read or
 * written as an array; 0: the access is of a single element, and nothing is noted. */
static void note_tensor(struct walk *walk, uint32_t tensor, uint32_t coordinates, uint32_t count)
{
    const struct spirv_origin *origin = origin_of(walk, tensor);
    const uint32_t rank = value_length(walk->build, coordinates);
    uint64_t begin;
    struct spirv_use *use =
        origin && walk->certain && count ? use_of(walk, origin->variable) : NULL;
    if (!use || !rank || !constant_part(walk->build, coordinates, rank - 1, &begin) ||
        begin > UINT32_MAX)
        return;
    const uint32_t power = 1u << (31 - __builtin_clz(count));
    struct spirv_places places = {.count = count, .begin = (uint32_t)begin};
    if (begin % power) {
        places.askew_count = count;
        places.askew_begin = (uint32_t)begin;
    }
    spirv_places_add(&use->places, &places);
}

/* Notes the coordinates of an access to a reference image (spirv_places::reference). `window`: the
 * instruction has Window or Gather in its name. */
static void note_reference(struct walk *walk, uint32_t image, uint32_t coordinates, bool window)
{
    const struct spirv_origin *origin = origin_of(walk, image);
    struct spirv_use *use = origin && walk->certain ? use_of(walk, origin->variable) : NULL;
    struct spirv_places places = {.count = 0};
    uint64_t value;
    for (uint32_t i = 0; use && i < 2; i++) {
        if (constant_part(walk->build, coordinates, i, &value) && value < UINT32_MAX)
            places.reference[window][i] = (uint32_t)value + 1;
    }
    if (use)
        spirv_places_add(&use->places, &places);
}

/* Notes that OpSampledImage combines an image with a sampler. */
static void sample_with(struct walk *walk, uint32_t image, uint32_t sampler)
{
    const struct spirv_origin *of_image = origin_of(walk, image),
                              *of_sampler = origin_of(walk, sampler);
    const struct spirv_variable *variable =
        of_sampler ? LIST_AT(walk->build, variables, of_sampler->variable, struct spirv_variable)
                   : NULL;
    uses_note(walk, sampler, SPIRV_ACCESS_READ);
    struct spirv_use *use = of_image ? use_of(walk, of_image->variable) : NULL;
    if (use)
        spirv_use_sampler(use, variable && of_sampler->element < 64 ? variable->id : SPIRV_NONE,
                          variable ? of_sampler->element : 0);
}

/* --- numbers of 64 bits --- */

/* True if the type is an integer of 64 bits. */
static bool is_wide_type(const struct spirv_build *build, uint32_t id)
{
    const struct spirv_type *type =
        id < build->module->bound ? spirv_build_type(build, build->type_index[id]) : NULL;
    return type && type->opcode == SpvOpTypeInt && type->width == 64;
}

/* True if the value in this word of the instruction is an integer of 64 bits. */
static bool is_wide_operand(const struct spirv_build *build,
                            const struct spirv_instruction *instruction, uint32_t word)
{
    const struct spirv_instruction *value =
        word < instruction->length
            ? spirv_definition(build->module, spirv_words(build->module, instruction)[word])
            : NULL;
    return value && value->length > 2 && is_wide_type(build, spirv_words(build->module, value)[1]);
}

/* Returns the SPIRV_USES_WIDE_ bits of an instruction, which need 64-bit indexing; 0: none. */
static uint32_t wide_uses(const struct spirv_build *build,
                          const struct spirv_instruction *instruction)
{
    switch (instruction->opcode) {
    case SpvOpArrayLength:
    case SpvOpUntypedArrayLengthKHR:
        return instruction->length > 2 &&
                       is_wide_type(build, spirv_words(build->module, instruction)[1])
                   ? SPIRV_USES_WIDE_LENGTH
                   : 0;
    case SpvOpCooperativeVectorMatrixMulNV:
        return is_wide_operand(build, instruction, 6) ? SPIRV_USES_WIDE_PRODUCT : 0;
    case SpvOpCooperativeVectorMatrixMulAddNV:
        return is_wide_operand(build, instruction, 6) || is_wide_operand(build, instruction, 9)
                   ? SPIRV_USES_WIDE_PRODUCT
                   : 0;
    case SpvOpCooperativeVectorLoadNV:
        return is_wide_operand(build, instruction, 4) ? SPIRV_USES_WIDE_VECTOR : 0;
    case SpvOpCooperativeVectorStoreNV:
    case SpvOpCooperativeVectorOuterProductAccumulateNV:
    case SpvOpCooperativeVectorReduceSumAccumulateNV:
        return is_wide_operand(build, instruction, 2) ? SPIRV_USES_WIDE_VECTOR : 0;
    default:
        return 0;
    }
}

/* Notes what an instruction of a function accesses. */
static void read_instruction(struct walk *walk, const struct spirv_instruction *instruction)
{
    const uint32_t *words = spirv_words(walk->build->module, instruction);
    uint32_t length = instruction->length, access = image_access(instruction->opcode);
    walk->function->uses |= uses_of(instruction->opcode);
    spirv_numbers_read(walk->build, instruction, walk->certain);
    if (unlikely(walk->wide_inputs))
        note_components(walk, instruction->opcode, words, length);
    if (instruction->opcode == SpvOpExtInst && length > 4 && words[4] == INTERPOLATE_AT_SAMPLE) {
        const char *name = extended_set_name(walk, words[3]);
        if (name && strcmp(name, "GLSL.std.450") == 0)
            walk->function->uses |= SPIRV_USES_INTERPOLATE_AT_SAMPLE;
    }
    if (access && length > 3) {
        uint32_t operands = image_operands_word(instruction->opcode);
        if (length > operands &&
            words[operands] & (SpvImageOperandsConstOffsetMask | SpvImageOperandsOffsetMask |
                               SpvImageOperandsConstOffsetsMask))
            access |= SPIRV_ACCESS_OFFSET;
        if (length > operands)
            access |= operands_access(words[operands]);
        uses_note(walk, words[3], access);
        if (walk->certain && length > 4 && is_constant(walk->build, words[4]))
            uses_note(walk, words[3], SPIRV_ACCESS_SURE_FIXED);
        if (walk->certain && length > 4 && instruction->opcode == SpvOpImageRead &&
            spirv_is_invocation_place(walk->build, words[4]))
            uses_note(walk, words[3], SPIRV_ACCESS_EACH_READ);
        return;
    }
    if (is_atomic(instruction->opcode)) {
        bool stores =
            instruction->opcode == SpvOpAtomicStore || instruction->opcode == SpvOpAtomicFlagClear;
        access = SPIRV_ACCESS_ATOMIC | SPIRV_ACCESS_COHERENT | (stores ? 0 : SPIRV_ACCESS_READ) |
                 (instruction->opcode == SpvOpAtomicLoad ? 0 : SPIRV_ACCESS_WRITE);
        if (length > 3)
            uses_note(walk, words[stores ? 1 : 3], access);
        return;
    }
    if (unlikely(processing_access(instruction->opcode, false) && length > 5)) {
        uses_note(walk, words[3], processing_access(instruction->opcode, false));
        if (processing_access(instruction->opcode, true))
            uses_note(walk, words[5], processing_access(instruction->opcode, true));
        access = processing_access(instruction->opcode, true);
        if (length > 6 && access & (SPIRV_ACCESS_BLOCK_MATCH | SPIRV_ACCESS_SUM_MATCH |
                                    SPIRV_ACCESS_WINDOW_MATCH))
            note_reference(walk, words[5], words[6], access & SPIRV_ACCESS_WINDOW_MATCH);
        return;
    }
    switch (instruction->opcode) {
    case SpvOpFunctionCall:
        call_function(walk, words, length);
        break;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
        access_chain(walk, instruction);
        break;
    case SpvOpLoad:
        uses_load(walk, words, length);
        break;
    case SpvOpCopyObject:
    case SpvOpImage:
    case SpvOpImageTexelPointer:
        uses_derive(walk, words, length);
        break;
    case SpvOpSampledImage:
        uses_derive(walk, words, length);
        if (length > 4)
            sample_with(walk, words[3], words[4]);
        break;
    case SpvOpImageQuerySizeLod: /* queries of an image do not access its texels */
    case SpvOpImageQuerySize:
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
    case SpvOpImageQueryFormat:
    case SpvOpImageQueryOrder:
    case SpvOpTensorQuerySizeARM:
        if (length > 3)
            uses_note(walk, words[3], 0);
        break;
    case SpvOpImageQueryLod:
        if (length > 3)
            uses_note(walk, words[3], SPIRV_ACCESS_UNSAMPLED);
        break;
    case SpvOpArrayLength:
        if (length > 3)
            uses_note(walk, words[3], SPIRV_ACCESS_LENGTH);
        walk->function->uses |= wide_uses(walk->build, instruction);
        break;
    case SpvOpStore:
        if (length > 2) {
            uses_note(walk, words[1], SPIRV_ACCESS_WRITE | coherence_of(words, length, 3));
            note_unfollowed(walk, words[2]);
        }
        break;
    case SpvOpImageWrite:
        write_image(walk, words, length);
        break;
    case SpvOpTensorReadARM:
        if (length > 3)
            uses_note(walk, words[3], SPIRV_ACCESS_READ);
        if (length > 4)
            note_tensor(walk, words[3], words[4], type_length(walk->build, words[1]));
        break;
    case SpvOpTensorWriteARM:
        if (length > 1)
            uses_note(walk, words[1], SPIRV_ACCESS_WRITE);
        if (length > 3)
            note_tensor(walk, words[1], words[2], value_length(walk->build, words[3]));
        break;
    case SpvOpCopyMemory:
        if (length > 2) {
            uses_note(walk, words[1], SPIRV_ACCESS_WRITE);
            uses_note(walk, words[2], SPIRV_ACCESS_READ);
        }
        break;
    default:
        walk->function->uses |= wide_uses(walk->build, instruction);
        uses_other(walk, instruction);
        break;
    }
}

void spirv_build_functions(struct spirv_build *build)
{
    const struct spirv_module *module = build->module;
    struct walk walk = {.build = build, .wide_inputs = has_wide_inputs(build)};
    for (uint32_t i = 0; i < module->instruction_count && !build->failed; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction && instruction->length > 2) {
            walk.function = LIST_ADD(build, functions, struct spirv_function);
            if (!walk.function)
                return;
            walk.function->id = spirv_words(module, instruction)[2];
            walk.function->first_use = build->uses.count;
            walk.function->first_call = build->calls.count;
            walk.certain = true;
            walk.returns_once = returns_once(&walk, i);
            walk.certain_again = walk.next_label = 0;
        } else if (walk.function) {
            read_instruction(&walk, instruction);
            follow_blocks(&walk, instruction->opcode, spirv_words(module, instruction),
                          instruction->length);
        }
    }
}
