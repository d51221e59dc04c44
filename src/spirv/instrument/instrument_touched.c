/* Emits reports of the descriptors that a shader accesses, if these are not known before it runs.
 * They are elements of arrays, and descriptors that may be partially bound or updated late. The
 * code is emitted where the access happens. src/gpu/shaders/touched.glsl keeps the reports, and
 * src/sync/touched/touched.c looks for hazards with them. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* Returns the number of the stage in a report's key; 0: the stage has none, and reports nothing. */
static uint32_t model_stage(uint32_t model)
{
    switch ((SpvExecutionModel)model) {
    case SpvExecutionModelTaskEXT:
        return TOUCHED_STAGE_TASK;
    case SpvExecutionModelMeshEXT:
        return TOUCHED_STAGE_MESH;
    case SpvExecutionModelRayGenerationKHR:
    case SpvExecutionModelIntersectionKHR:
    case SpvExecutionModelAnyHitKHR:
    case SpvExecutionModelClosestHitKHR:
    case SpvExecutionModelMissKHR:
    case SpvExecutionModelCallableKHR:
        return TOUCHED_STAGE_RAYS;
    default:
        return model <= SpvExecutionModelGLCompute ? model + 1 : 0;
    }
}

/* Returns the bytes of a block; 0: the type is not a block, or it ends with a runtime array. */
static uint32_t block_size(const struct instrument *x, uint32_t type)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, type);
    if (!definition || definition->opcode != SpvOpTypeStruct || definition->length < 3)
        return 0;
    uint32_t last = spirv_words(x->module, definition)[definition->length - 1u];
    return instrument_opcode(x, last) == SpvOpTypeRuntimeArray ? 0 : instrument_size(x, type, NULL);
}

/* Emits the report that a descriptor is accessed, unless it was emitted before for the same
 * index. */
static void touched_touch(struct instrument *x, const struct instrument_access *access, bool writes)
{
    const struct spirv_instrument_binding *layout = access->layout;
    uint32_t stage = model_stage(x->info->model);
    if (!layout || !(layout->checked || access->descriptors) || !stage ||
        access->set > TOUCHED_SET_MASK ||
        (uint64_t)layout->first + layout->count > TOUCHED_DESCRIPTOR_MASK)
        return;
    uint32_t index = instrument_safe_index(x, access),
             count = index ? instrument_descriptor_count(x, access) : 0;
    if (!count || instrument_memo_find(x, MEMO_TOUCHED, access->variable, index, writes))
        return;
    uint32_t kind = stage << TOUCHED_STAGE_SHIFT | (writes ? TOUCHED_WRITE : 0) |
                    access->set << TOUCHED_SET_SHIFT;
    const uint32_t arguments[] = {index, count, instrument_u32(x, layout->first),
                                  instrument_u32(x, kind),
                                  instrument_u32(x, block_size(x, access->resource_type))};
    uint32_t result = instrument_call(x, "assay_touched", spirv_edit_type_bool(&x->edit), arguments,
                                      ARRAY_LENGTH(arguments));
    x->result->checks++;
    x->result->touches = true;
    instrument_memo_add(x, MEMO_TOUCHED, access->variable, index, writes, result);
}

/* Emits the report for the descriptor that a pointer is to or into. `opaque`: the pointer is to the
 * descriptor itself. */
static void touch_pointer(struct instrument *x, uint32_t pointer, bool opaque, bool writes)
{
    struct instrument_access access;
    if (!instrument_resolve(x, pointer, &access) || access.set == SPIRV_NONE ||
        access.binding == SPIRV_NONE)
        return;
    if (opaque ? access.storage == SpvStorageClassUniformConstant
               : access.storage == SpvStorageClassUniform ||
                     access.storage == SpvStorageClassStorageBuffer)
        touched_touch(x, &access, writes);
}

/* Emits the report for the image that an instruction consumes. It follows loads and copies to the
 * image's variable, and ignores samplers. */
static void touch_image(struct instrument *x, uint32_t id, bool writes)
{
    for (uint32_t depth = 0; depth < 8; depth++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, id);
        if (!definition || definition->length < 4)
            return;
        const uint32_t *words = spirv_words(x->module, definition);
        switch (definition->opcode) {
        case SpvOpLoad:
            touch_pointer(x, words[3], true, writes);
            return;
        case SpvOpImage:
        case SpvOpCopyObject:
        case SpvOpSampledImage:
            id = words[3];
            break;
        default:
            return;
        }
    }
}

/* True for instructions that read an image. Queries of its size or format do not. */
static bool reads_image(uint16_t opcode)
{
    return (opcode >= SpvOpImageSampleImplicitLod && opcode <= SpvOpImageRead) ||
           (opcode >= SpvOpImageSparseSampleImplicitLod && opcode <= SpvOpImageSparseDrefGather) ||
           opcode == SpvOpImageSparseRead;
}

void instrument_touched(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    uint32_t second;
    bool writes;
    if (!(x->info->checks & SPIRV_CHECK_TOUCHED))
        return;
    if (reads_image(instruction->opcode)) {
        if (instruction->length > 3)
            touch_image(x, words[3], false);
        return;
    }
    if (instruction->opcode == SpvOpImageWrite) {
        if (instruction->length > 1)
            touch_image(x, words[1], true);
        return;
    }
    uint32_t pointer = instrument_accessed(instruction, words, &second, &writes);
    const uint32_t *texel = instrument_definition(x, pointer, SpvOpImageTexelPointer, 6);
    if (pointer)
        touch_pointer(x, texel ? texel[3] : pointer, texel != NULL, writes);
    if (second)
        touch_pointer(x, second, false, false);
}
