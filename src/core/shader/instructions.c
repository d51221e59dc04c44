/* Checks single instructions of a module, where a rule asks for more than a row can say. They are
 * about image writes, constant operands, cooperative vectors and streams. The input is untrusted:
 * what is malformed is not looked at. */
#include "core/shader/instructions.h"

#include <stdarg.h>
#include <stdio.h>

#include <spirv/unified1/spirv.h>

#include "core/shader/spirv_report.h"
#include "report/rules.h"
#include "spirv/module/module.h"

#define TEXT_SIZE 320

/* Threads: on the stack of one call. */
struct instructions {
    const struct call *call;
    const struct location *where;
    const struct spirv_module *module;
    uint64_t told_texels; /* by image format: each is reported once */
    bool told_constant[2], told_undefined, told_streams;
    bool told_vector[8];
    uint32_t streams; /* bit by number, that vertices are emitted to */
    bool skip, told;
};

static COLD void instruction_broken(struct instructions *x, enum vuid vuid, uint32_t index,
                                    const char *format, ...) PRINTF_LIKE(4, 5);
static void instruction_broken(struct instructions *x, enum vuid vuid, uint32_t index,
                               const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    x->told = true;
    x->skip |= spirv_report_instruction(x->call, vuid, x->where, x->module, text, index);
}

/* Like instruction_broken(), where `*told` was not set. */
#define BROKEN_ONCE(x_, told_, ...)              \
    do {                                         \
        if (!(told_)) {                          \
            (told_) = true;                      \
            instruction_broken(x_, __VA_ARGS__); \
        }                                        \
    } while (0)

static const struct spirv_instruction *instruction_definition(const struct spirv_module *module,
                                                              uint32_t id, uint32_t length)
{
    const struct spirv_instruction *found = spirv_definition(module, id);
    return found && found->length >= length ? found : NULL;
}

/* The type of a value, or NULL. */
static const struct spirv_instruction *type_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *value = instruction_definition(module, id, 3);
    const struct spirv_instruction_rule *rule =
        value ? spirv_instruction_rule(value->opcode) : NULL;
    return rule && rule->has_type ? instruction_definition(module, spirv_words(module, value)[1], 2)
                                  : NULL;
}

static bool constant_value(const struct spirv_module *module, uint32_t id, uint32_t *value)
{
    const struct spirv_instruction *constant = instruction_definition(module, id, 4);
    if (!constant || constant->opcode != SpvOpConstant || constant->length != 4)
        return false;
    *value = spirv_words(module, constant)[3];
    return true;
}

/* --- images ----------------------------------------------------------------------------------- */

/* Components of each image format, in the order of their numbers; 0: it has none. */
static const char format_components[] = "044144223144221142211444122211444142221111";

/* OpImageWrite to any Image whose Image Format is not Unknown must have the Texel operand contain
 * at least as many components as the corresponding VkFormat */
static void check_image_write(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const struct spirv_module *module = x->module;
    const struct spirv_instruction *image = type_of(module, words[1]),
                                   *texel = type_of(module, words[3]);
    if (!image || !texel || image->opcode != SpvOpTypeImage || image->length < 9)
        return;
    const uint32_t format = spirv_words(module, image)[8],
                   count = texel->opcode == SpvOpTypeVector && texel->length > 3
                               ? spirv_words(module, texel)[3]
                               : 1;
    const struct spirv_enumerant *name = spirv_enumerant(SPIRV_KIND_ImageFormat, format);
    if (format + 1 >= sizeof(format_components) || !name ||
        (texel->opcode != SpvOpTypeVector && texel->opcode != SpvOpTypeInt &&
         texel->opcode != SpvOpTypeFloat) ||
        count >= (uint32_t)(format_components[format] - '0') || x->told_texels & 1ull << format)
        return;
    x->told_texels |= 1ull << format;
    instruction_broken(x, VUID_RuntimeSpirv_OpImageWrite_07112, index,
                       "OpImageWrite writes %u components to an image of the format %s, which has "
                       "%c",
                       count, name->name, format_components[format]);
}

/* --- constants -------------------------------------------------------------------------------- */

/* If subgroupBroadcastDynamicId is VK_TRUE, and the shader module version is 1.5 or higher, the
 * "Id" ("Index") must be dynamically uniform. Otherwise, it must be a constant. (SPIRV-Tools says
 * so of modules before 1.5.) */
static void check_broadcast(struct instructions *x, const uint32_t *words, uint32_t index,
                            bool quad)
{
    const struct spirv_instruction *id = spirv_definition(x->module, words[5]);
    if (device_has_feature(x->call->device, FEATURE_subgroupBroadcastDynamicId) || !id ||
        (id->opcode >= SpvOpConstantTrue && id->opcode <= SpvOpSpecConstantOp) ||
        id->opcode == SpvOpUndef)
        return;
    BROKEN_ONCE(x, x->told_constant[quad],
                quad ? VUID_RuntimeSpirv_subgroupBroadcastDynamicId_06276
                     : VUID_RuntimeSpirv_subgroupBroadcastDynamicId_06277,
                index,
                "%s has %s %%%u, which is not a constant; the subgroupBroadcastDynamicId feature "
                "is not enabled",
                quad ? "OpGroupNonUniformQuadBroadcast" : "OpGroupNonUniformBroadcast",
                quad ? "the Index" : "the Id", words[5]);
}

/* Any OpUndef instruction must not have a Result Type of OpTypeImage, OpTypeSampler,
 * OpTypeSampledImage, OpTypeAccelerationStructureKHR, or OpTypeTensorARM */
static void check_undefined(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const struct spirv_instruction *type = spirv_definition(x->module, words[1]);
    if (!type)
        return;
    switch (type->opcode) {
    case SpvOpTypeImage:
    case SpvOpTypeSampler:
    case SpvOpTypeSampledImage:
    case SpvOpTypeAccelerationStructureKHR:
    case SpvOpTypeTensorARM:
        BROKEN_ONCE(x, x->told_undefined, VUID_StandaloneSpirv_OpUndef_12464, index,
                    "OpUndef has the result type %s, which must not be undefined",
                    spirv_instruction_rule(type->opcode)->name);
        break;
    default:
        break;
    }
}

/* --- cooperative vectors ---------------------------------------------------------------------- */

static void check_aligned(struct instructions *x, enum vuid vuid, uint32_t index, bool *told,
                          uint32_t id, uint32_t alignment, const char *what)
{
    uint32_t offset;
    if (constant_value(x->module, id, &offset) && offset % alignment)
        BROKEN_ONCE(x, *told, vuid, index, "%s is %u, which is not aligned to %u bytes", what,
                    offset, alignment);
}

/* For OpCooperativeVectorMatrixMulNV and OpCooperativeVectorMatrixMulAddNV: if MatrixInterpretation
 * is FLOAT_E4M3 or FLOAT_E5M2 then MemoryLayout must be INFERENCING_OPTIMAL or TRAINING_OPTIMAL */
static void check_multiply(struct instructions *x, const uint32_t *words, uint32_t index, bool adds)
{
    uint32_t interpretation, layout;
    if (adds)
        check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulAddNV_10098, index,
                      &x->told_vector[0], words[9], 16, "BiasOffset");
    if (!constant_value(x->module, words[7], &interpretation) ||
        !constant_value(x->module, words[adds ? 13 : 10], &layout) ||
        (interpretation != SpvComponentTypeFloatE4M3NV &&
         interpretation != SpvComponentTypeFloatE5M2NV) ||
        layout == SpvCooperativeVectorMatrixLayoutInferencingOptimalNV ||
        layout == SpvCooperativeVectorMatrixLayoutTrainingOptimalNV)
        return;
    BROKEN_ONCE(x, x->told_vector[1], VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10090, index,
                "a matrix of 8-bit floating-point numbers has the MemoryLayout %u, which is "
                "neither "
                "inferencing-optimal nor training-optimal",
                layout);
}

/* The width of a cooperative vector's floating-point components; 0: they are of another type, or
 * unknown. `known`: whether the type is. */
static uint32_t float_width(const struct spirv_module *module, uint32_t value, bool *known)
{
    const struct spirv_instruction *type = type_of(module, value);
    *known = false;
    if (!type || type->opcode != SpvOpTypeCooperativeVectorNV || type->length < 4)
        return 0;
    type = instruction_definition(module, spirv_words(module, type)[2], 3);
    *known = type != NULL;
    return type && type->opcode == SpvOpTypeFloat ? spirv_words(module, type)[2] : 0;
}

static bool is_in_buffer(const struct spirv_module *module, uint32_t pointer)
{
    const struct spirv_instruction *type = type_of(module, pointer);
    if (!type || type->opcode != SpvOpTypePointer || type->length < 4)
        return true; /* not known */
    const uint32_t storage = spirv_words(module, type)[2];
    return storage == SpvStorageClassStorageBuffer ||
           storage == SpvStorageClassPhysicalStorageBuffer;
}

/* cooperativeVectorTrainingFloat16Accumulation, or ...Float32Accumulation */
static bool instruction_accumulates(const struct instructions *x, bool float16)
{
    const VkPhysicalDeviceCooperativeVectorPropertiesNV *properties =
        &x->call->device->extended.CooperativeVectorPropertiesNV;
    return !properties->sType ||
           (float16 ? properties->cooperativeVectorTrainingFloat16Accumulation
                    : properties->cooperativeVectorTrainingFloat32Accumulation);
}

/* Checks an accumulation of an outer product. `words`: the instruction's, `index`: its place in the
 * module. */
static void check_outer_product(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const enum vuid vuid = VUID_RuntimeSpirv_OpCooperativeVectorOuterProductAccumulateNV_10093;
    uint32_t layout, interpretation;
    bool *told = &x->told_vector[2], known;
    check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorOuterProductAccumulateNV_10101, index,
                  &x->told_vector[3], words[2], 64, "Offset");
    for (uint32_t i = 3; i < 5; i++) {
        const uint32_t width = float_width(x->module, words[i], &known);
        if (known && width != 16)
            BROKEN_ONCE(x, *told, vuid, index,
                        "an outer product has components that are not 16-bit floating-point");
    }
    if (constant_value(x->module, words[5], &layout) &&
        layout != SpvCooperativeVectorMatrixLayoutTrainingOptimalNV)
        BROKEN_ONCE(x, *told, vuid, index,
                    "an outer product is accumulated with the MemoryLayout %u, which is not "
                    "training-optimal",
                    layout);
    if (constant_value(x->module, words[6], &interpretation)) {
        const bool float16 = interpretation == SpvComponentTypeFloat16NV;
        if (!float16 && interpretation != SpvComponentTypeFloat32NV)
            BROKEN_ONCE(x, *told, vuid, index,
                        "an outer product is accumulated in a matrix of the component type %u, "
                        "which is neither 16-bit nor 32-bit floating-point",
                        interpretation);
        else if (!instruction_accumulates(x, float16))
            BROKEN_ONCE(x, *told, vuid, index,
                        "an outer product is accumulated as %u-bit floating-point, which this "
                        "device does not support (cooperativeVectorTrainingFloat%uAccumulation)",
                        float16 ? 16 : 32, float16 ? 16 : 32);
    }
    if (!is_in_buffer(x->module, words[1]))
        BROKEN_ONCE(x, *told, vuid, index,
                    "an outer product is accumulated through a pointer that is not of the storage "
                    "class StorageBuffer or PhysicalStorageBuffer");
}

/* Checks an accumulation of a sum. `words`: the instruction's, `index`: its place in the module. */
static void check_sum(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const enum vuid vuid = VUID_RuntimeSpirv_OpCooperativeVectorReduceSumAccumulateNV_10092;
    bool *told = &x->told_vector[4], known;
    const uint32_t width = float_width(x->module, words[3], &known);
    check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorReduceSumAccumulateNV_10100, index,
                  &x->told_vector[5], words[2], 16, "Offset");
    if (known && width != 16 && width != 32)
        BROKEN_ONCE(x, *told, vuid, index,
                    "a sum has components that are neither 16-bit nor 32-bit floating-point");
    else if (known && !instruction_accumulates(x, width == 16))
        BROKEN_ONCE(x, *told, vuid, index,
                    "a sum is accumulated as %u-bit floating-point, which this device does not "
                    "support (cooperativeVectorTrainingFloat%uAccumulation)",
                    width, width);
    if (!is_in_buffer(x->module, words[1]))
        BROKEN_ONCE(x, *told, vuid, index,
                    "a sum is accumulated through a pointer that is not of the storage class "
                    "StorageBuffer or PhysicalStorageBuffer");
}

/* --- streams ---------------------------------------------------------------------------------- */

/* If the geometry shader emits to more than one vertex stream and
 * transformFeedbackStreamsLinesTriangles is VK_FALSE, then Execution Mode must be OutputPoints. Of
 * modules with one entry point. */
static void check_stream(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const VkPhysicalDeviceTransformFeedbackPropertiesEXT *properties =
        &x->call->device->extended.TransformFeedbackPropertiesEXT;
    const struct spirv_module *module = x->module;
    uint32_t stream, entries = 0;
    if (!constant_value(module, words[1], &stream) || stream > 31)
        return;
    x->streams |= 1u << stream;
    if (!(x->streams & (x->streams - 1)) || !properties->sType ||
        properties->transformFeedbackStreamsLinesTriangles)
        return;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpFunction)
            break;
        entries += instruction->opcode == SpvOpEntryPoint;
        if (entries > 1 || (instruction->opcode == SpvOpExecutionMode && instruction->length > 2 &&
                            spirv_words(module, instruction)[2] == SpvExecutionModeOutputPoints))
            return;
    }
    BROKEN_ONCE(x, x->told_streams, VUID_RuntimeSpirv_transformFeedbackStreamsLinesTriangles_06311,
                index,
                "a geometry shader without the execution mode OutputPoints emits to a second "
                "stream, %u, and transformFeedbackStreamsLinesTriangles is VK_FALSE",
                stream);
}

bool instructions_check(const struct call *call, const struct location *where,
                        const struct spirv_module *module, bool *told)
{
    struct instructions x = {.call = call, .where = where, .module = module};
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction), length = instruction->length;
        switch (instruction->opcode) {
        case SpvOpImageWrite:
            if (length > 3)
                check_image_write(&x, words, i);
            break;
        case SpvOpGroupNonUniformBroadcast:
        case SpvOpGroupNonUniformQuadBroadcast:
            if (length > 5)
                check_broadcast(&x, words, i,
                                instruction->opcode == SpvOpGroupNonUniformQuadBroadcast);
            break;
        case SpvOpUndef:
            if (length > 2)
                check_undefined(&x, words, i);
            break;
        case SpvOpCooperativeVectorMatrixMulNV:
            if (length > 11)
                check_multiply(&x, words, i, false);
            break;
        case SpvOpCooperativeVectorMatrixMulAddNV:
            if (length > 14)
                check_multiply(&x, words, i, true);
            break;
        case SpvOpCooperativeVectorOuterProductAccumulateNV:
            if (length > 6)
                check_outer_product(&x, words, i);
            break;
        case SpvOpCooperativeVectorReduceSumAccumulateNV:
            if (length > 3)
                check_sum(&x, words, i);
            break;
        case SpvOpEmitStreamVertex:
            if (length > 1)
                check_stream(&x, words, i);
            break;
        default:
            break;
        }
    }
    *told |= x.told;
    return x.skip;
}
