/* Checks the descriptors that an instruction uses: the index is in bounds, and the descriptor
 * holds what the shader expects. The check stands right before the instruction that consumes
 * the descriptor. It does not stand at the load: a compiler may load a descriptor that is
 * never used. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/abi.h"
#include "spirv/module/reflect.h"

uint32_t instrument_descriptor_index(struct instrument *x, const struct instrument_access *access)
{
    return access->descriptors ? instrument_to_u32(x, access->indices[0]) : instrument_u32(x, 0);
}

uint32_t instrument_descriptor_count(struct instrument *x, const struct instrument_access *access)
{
    if (access->layout && access->layout->variable) {
        uint32_t known = instrument_memo_find(x, MEMO_LENGTH, access->set, 0, 0);
        if (known)
            return known;
        uint32_t set = instrument_set(x, access->set);
        uint32_t count =
            instrument_call(x, "assay_variable_count", spirv_edit_type_u32(&x->edit), &set, 1);
        instrument_memo_add(x, MEMO_LENGTH, access->set, 0, 0, count);
        return count;
    }
    uint32_t count = access->layout ? access->layout->count : 0;
    if (access->declared && (!count || access->declared < count))
        count = access->declared;
    return count ? instrument_u32(x, count) : 0;
}

/* True if the index is a constant that is known to be in bounds. */
static bool is_in_bounds(const struct instrument *x, const struct instrument_access *access)
{
    uint64_t index;
    uint32_t count = access->layout && !access->layout->variable ? access->layout->count : 0;
    if (access->declared && (!count || access->declared < count))
        count = access->declared;
    if (!access->descriptors)
        return true;
    if (access->layout && access->layout->variable)
        return false;
    return instrument_value(x, access->indices[0], &index) && index < count;
}

/* True if the layer checks the contents of the descriptor before the command runs. */
static bool access_is_looked_at(const struct instrument *x, const struct instrument_access *access)
{
    uint64_t index = 0;
    return access->layout && access->layout->known && is_in_bounds(x, access) &&
           (!access->descriptors || instrument_value(x, access->indices[0], &index)) &&
           index < 64 && access->layout->known >> index & 1;
}

uint32_t instrument_safe_index(struct instrument *x, const struct instrument_access *access)
{
    uint32_t index = instrument_descriptor_index(x, access);
    if (!index || is_in_bounds(x, access))
        return index;
    uint32_t count = instrument_descriptor_count(x, access);
    uint32_t known = instrument_memo_find(x, MEMO_INDEX, index, count, 0);
    if (!count || known)
        return count ? known : index;
    uint32_t ok = instrument_emit(x, SpvOpULessThan, spirv_edit_type_bool(&x->edit),
                                  (const uint32_t[]){index, count}, 2);
    uint32_t safe = instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                                    (const uint32_t[]){ok, index, instrument_u32(x, 0)}, 3);
    instrument_memo_add(x, MEMO_INDEX, index, count, 0, safe);
    return safe;
}

/* Returns the class that the shader expects of a descriptor, in CLASS_ bits (spirv/abi.h). */
static uint32_t class_wanted(const struct instrument *x, uint32_t type)
{
    static const uint8_t views[][2] = {/* VkImageViewType + 1 */
                                       [SpvDim1D] = {1, 5},
                                       [SpvDim2D] = {2, 6},
                                       [SpvDim3D] = {3, 0},
                                       [SpvDimCube] = {4, 7}};
    const uint32_t *sampled = instrument_definition(x, type, SpvOpTypeSampledImage, 3);
    const uint32_t *image =
        instrument_definition(x, sampled ? sampled[2] : type, SpvOpTypeImage, 9);
    if (!image || image[3] >= ARRAY_LENGTH(views) || !views[image[3]][image[5] ? 1 : 0])
        return CLASS_WRITTEN;
    uint32_t wanted = CLASS_WRITTEN |
                      1u << (views[image[3]][image[5] ? 1 : 0] - 1 + CLASS_DIM_SHIFT) |
                      (image[6] ? CLASS_MULTI : CLASS_SINGLE) | (sampled ? CLASS_HAS_SAMPLER : 0);
    const uint32_t *integer = instrument_definition(x, image[2], SpvOpTypeInt, 4);
    const uint32_t *real = instrument_definition(x, image[2], SpvOpTypeFloat, 3);
    if (integer || real)
        wanted |= 1u << ((real         ? SPIRV_NUMERIC_FLOAT
                          : x->numeric ? x->numeric
                          : integer[3] ? SPIRV_NUMERIC_SINT
                                       : SPIRV_NUMERIC_UINT) +
                         CLASS_NUMERIC_SHIFT);
    return wanted;
}

/* Returns the numeric class that the instruction's image operands declare; 0: they declare none.
 * "If the instruction's Image Operands contains the SignExtend operand then the access is signed",
 * and unsigned with ZeroExtend, whatever the Sampled Type ("Signedness of SPIR-V Image
 * Accesses"). */
static uint32_t access_numeric(const struct instrument *x,
                               const struct spirv_instruction *instruction, const uint32_t *words)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    bool more = spirv_operands_begin(&walk, x->module, instruction);
    while (more && (more = spirv_operands_next(&walk, &operand))) {
        if (operand.kind != SPIRV_KIND_ImageOperands)
            continue;
        return words[operand.word] & SpvImageOperandsSignExtendMask   ? SPIRV_NUMERIC_SINT
               : words[operand.word] & SpvImageOperandsZeroExtendMask ? SPIRV_NUMERIC_UINT
                                                                      : 0;
    }
    return 0;
}

/* Returns the kind of resource of an OpTypeImage, by its operands Dim and Sampled. */
static enum spirv_resource image_resource(const uint32_t *image, bool sampled)
{
    if (image[3] == SpvDimSubpassData)
        return SPIRV_RESOURCE_INPUT_ATTACHMENT;
    if (image[3] == SpvDimBuffer)
        return image[7] == 2 ? SPIRV_RESOURCE_STORAGE_TEXEL_BUFFER
                             : SPIRV_RESOURCE_UNIFORM_TEXEL_BUFFER;
    return sampled         ? SPIRV_RESOURCE_COMBINED_IMAGE_SAMPLER
           : image[7] == 2 ? SPIRV_RESOURCE_STORAGE_IMAGE
                           : SPIRV_RESOURCE_SAMPLED_IMAGE;
}

/* Returns the bit of the kind of resource that the shader declares, if the descriptor is mutable;
 * else 0, as the type was compared with the layout when the pipeline was made. */
static uint32_t resource_wanted(const struct instrument *x, const struct instrument_access *access)
{
    const uint32_t type = access->resource_type;
    const uint32_t *sampled = instrument_definition(x, type, SpvOpTypeSampledImage, 3);
    const uint32_t *image =
        instrument_definition(x, sampled ? sampled[2] : type, SpvOpTypeImage, 9);
    enum spirv_resource resource =
        image ? image_resource(image, sampled != NULL) : SPIRV_RESOURCE_UNKNOWN;
    switch (instrument_opcode(x, type)) {
    case SpvOpTypeSampler:
        resource = SPIRV_RESOURCE_SAMPLER;
        break;
    case SpvOpTypeAccelerationStructureKHR:
        resource = SPIRV_RESOURCE_ACCELERATION_STRUCTURE;
        break;
    case SpvOpTypeStruct:
        resource = access->storage == SpvStorageClassStorageBuffer || x->buffer_block[type]
                       ? SPIRV_RESOURCE_STORAGE_BUFFER
                       : SPIRV_RESOURCE_UNIFORM_BUFFER;
        break;
    default:
        break;
    }
    return resource ? 1u << (resource + CLASS_RESOURCE_SHIFT) : 0;
}

/* Checks the descriptor of an access: its index, and its content if that may change later. */
static void access_check_descriptor(struct instrument *x, const struct instrument_access *access)
{
    /* The variable is not a resource in a descriptor set. */
    if (access->set == SPIRV_NONE || access->binding == SPIRV_NONE)
        return;
    bool state = access->layout && access->layout->checked && !access_is_looked_at(x, access);
    /* A constant index that fits needs no check at run time. */
    if (!state && is_in_bounds(x, access))
        return;
    uint32_t index = instrument_descriptor_index(x, access),
             count = index ? instrument_descriptor_count(x, access) : 0;
    if (!count)
        return;
    /* If the same descriptor was checked on every path to this instruction, that result is used
     * again. */
    uint32_t known = instrument_memo_find(x, MEMO_DESCRIPTOR, access->variable, index, x->numeric);
    if (known) {
        instrument_require(x, known);
        return;
    }
    uint32_t ok;
    struct spirv_site site = {.where = instrument_here(x),
                              .error = ERROR_DESCRIPTOR_INDEX,
                              .words = {access->set, access->binding},
                              .from = {[2] = SITE_A, [3] = SITE_B}};
    if (state) {
        uint32_t wanted = class_wanted(x, access->resource_type);
        if (access->layout->is_mutable)
            wanted |= resource_wanted(x, access);
        site.words[4] = wanted;
        site.error_from = SITE_C;
        const uint32_t arguments[] = {
            index, count,
            /* The offset is in pairs of words, the unit in which the shader reads the table. */
            instrument_u32(x, (TABLE_ENTRIES + ENTRY_WORDS * access->layout->first) / 2),
            instrument_u32(x, wanted), instrument_set(x, access->set), instrument_site(x, &site)};
        ok = instrument_check(x, "assay_descriptor", arguments, ARRAY_LENGTH(arguments));
    } else {
        const uint32_t arguments[] = {index, count, instrument_site(x, &site)};
        ok = instrument_check(x, "assay_index", arguments, ARRAY_LENGTH(arguments));
    }
    instrument_memo_add(x, MEMO_DESCRIPTOR, access->variable, index, x->numeric, ok);
}

/* Checks the descriptor that a pointer is to or into, if there is one. */
static void check_pointer(struct instrument *x, uint32_t pointer)
{
    struct instrument_access access;
    if (instrument_resolve(x, pointer, &access) &&
        (access.storage == SpvStorageClassUniformConstant ||
         access.storage == SpvStorageClassUniform ||
         access.storage == SpvStorageClassStorageBuffer))
        access_check_descriptor(x, &access);
}

/* Checks the descriptors that an image, sampler or acceleration structure was loaded from. `depth`
 * bounds the walk through copies. */
static void check_value(struct instrument *x, uint32_t id, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    if (!definition || definition->length < 4 || depth > 8)
        return;
    const uint32_t *words = spirv_words(x->module, definition);
    switch (definition->opcode) {
    case SpvOpLoad:
        check_pointer(x, words[3]);
        break;
    case SpvOpImage:
    case SpvOpCopyObject:
        check_value(x, words[3], depth + 1);
        break;
    case SpvOpSampledImage:
        check_value(x, words[3], depth + 1);
        if (definition->length > 4)
            check_value(x, words[4], depth + 1);
        break;
    default:
        break;
    }
}

/* True for types of descriptors that are loaded as a whole: images, samplers and the like. */
static bool descriptor_type_is_opaque(const struct instrument *x, uint32_t type)
{
    switch (instrument_opcode(x, type)) {
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypeAccelerationStructureKHR:
        return true;
    default:
        return false;
    }
}

/* Checks the descriptors that are passed to a function, as it is not known in the function which
 * ones they are. */
static void check_arguments(struct instrument *x, const struct spirv_instruction *instruction,
                            const uint32_t *words)
{
    for (uint32_t i = 4; i < instruction->length; i++) {
        uint32_t type = instrument_type_of(x, words[i]);
        const uint32_t *pointer = instrument_definition(x, type, SpvOpTypePointer, 4);
        if (pointer && pointer[2] == SpvStorageClassUniformConstant)
            check_pointer(x, words[i]);
        else if (descriptor_type_is_opaque(x, type))
            check_value(x, words[i], 0);
    }
}

void instrument_descriptors(struct instrument *x, const struct spirv_instruction *instruction,
                            const uint32_t *words)
{
    uint32_t second;
    bool writes;
    if (!(x->info->checks & SPIRV_CHECK_DESCRIPTORS))
        return;
    x->numeric = 0;
    if ((instruction->opcode >= SpvOpImageSampleImplicitLod &&
         instruction->opcode <= SpvOpImageRead) ||
        (instruction->opcode >= SpvOpImageQueryFormat &&
         instruction->opcode <= SpvOpImageQuerySamples) ||
        (instruction->opcode >= SpvOpImageSparseSampleImplicitLod &&
         instruction->opcode <= SpvOpImageSparseDrefGather) ||
        instruction->opcode == SpvOpImageSparseRead) {
        x->numeric = access_numeric(x, instruction, words);
        if (instruction->length > 3)
            check_value(x, words[3], 0);
        return;
    }
    switch (instruction->opcode) {
    case SpvOpImageWrite:
        x->numeric = access_numeric(x, instruction, words);
        if (instruction->length > 1)
            check_value(x, words[1], 0);
        return;
    case SpvOpTraceRayKHR:
        if (instruction->length > 1)
            check_value(x, words[1], 0);
        return;
    case SpvOpRayQueryInitializeKHR:
        if (instruction->length > 2)
            check_value(x, words[2], 0);
        return;
    case SpvOpArrayLength:
        if (instruction->length > 3)
            check_pointer(x, words[3]);
        return;
    case SpvOpFunctionCall:
        check_arguments(x, instruction, words);
        return;
    case SpvOpLoad: /* an opaque descriptor is checked where it is consumed */
        if (descriptor_type_is_opaque(x, words[1]))
            return;
        break;
    default:
        break;
    }
    uint32_t pointer = instrument_accessed(instruction, words, &second, &writes);
    const uint32_t *texel = instrument_definition(x, pointer, SpvOpImageTexelPointer, 6);
    if (pointer)
        check_pointer(x, texel ? texel[3] : pointer);
    if (second)
        check_pointer(x, second);
}

bool instrument_clamp(struct instrument *x, const struct spirv_instruction *instruction,
                      const uint32_t *words)
{
    struct instrument_access access;
    uint32_t operands[64];
    if (!(x->info->checks & SPIRV_CHECK_DESCRIPTORS) ||
        (instruction->opcode != SpvOpAccessChain &&
         instruction->opcode != SpvOpInBoundsAccessChain) ||
        instruction->length < 5 || instruction->length > ARRAY_LENGTH(operands) ||
        instrument_opcode(x, words[3]) != SpvOpVariable ||
        !instrument_resolve(x, words[2], &access) || access.set == SPIRV_NONE ||
        !access.descriptors || is_in_bounds(x, &access) ||
        /* the number of descriptors is in memory, which is not read for every access chain */
        (access.layout && access.layout->variable))
        return false;
    uint32_t safe = instrument_safe_index(x, &access);
    if (!safe)
        return false;
    /* The chain gets an index that is in bounds. The check still reports the original index. */
    memcpy(operands, &words[1], (instruction->length - 1u) * sizeof(*words));
    operands[3] = safe;
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, (SpvOp)instruction->opcode, operands,
                   instruction->length - 1u);
    return true;
}
