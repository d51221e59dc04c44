/* Checks single instructions of a module, for rules that a row cannot express: images, tensors,
 * constant operands, cooperative vectors, loops and streams. The input is untrusted: malformed
 * instructions are not checked. */
#include "core/shader/instructions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "core/shader/spirv_report.h"
#include "report/rules.h"
#include "spirv/module/module.h"

/* The size of a finding's text, in bytes. */
#define TEXT_SIZE 320

/* Threads: on the stack of one call. */
struct instructions {
    const struct call *call;
    const struct location *where;
    const struct spirv_module *module;
    uint64_t told_texels; /* bit i: the rule was reported for image format i */
    bool told_constant[2], told_undefined, told_streams;
    bool told_vector[16];
    bool told_tensor[2], told_loop, told_record, told_window[3], told_tile[2], told_offset[4];
    bool told_fast[3]; /* the rule was reported for 16, 32 and 64 bits */
    uint32_t streams;  /* bit i: vertices are emitted to stream i */
    bool skip, told;
};

static COLD void instruction_broken(struct instructions *x, enum vuid vuid, uint32_t index,
                                    const char *format, ...) PRINTF_LIKE(4, 5);
/* Reports that an instruction breaks a rule, with the line of source if the module has it. */
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

/* Calls instruction_broken(), but only if `told_` is not yet set. */
#define BROKEN_ONCE(x_, told_, ...)              \
    do {                                         \
        if (!(told_)) {                          \
            (told_) = true;                      \
            instruction_broken(x_, __VA_ARGS__); \
        }                                        \
    } while (0)

/* The instruction that defines an id, or NULL if there is none or it is too short. */
static const struct spirv_instruction *instruction_definition(const struct spirv_module *module,
                                                              uint32_t id, uint32_t length)
{
    const struct spirv_instruction *found = spirv_definition(module, id);
    return found && found->length >= length ? found : NULL;
}

/* The type of a value, or NULL if it is not known. */
static const struct spirv_instruction *type_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *value = instruction_definition(module, id, 3);
    const struct spirv_instruction_rule *rule =
        value ? spirv_instruction_rule(value->opcode) : NULL;
    return rule && rule->has_type ? instruction_definition(module, spirv_words(module, value)[1], 2)
                                  : NULL;
}

/* Reads a 32-bit constant that specialization does not change. False if the id is anything else. */
static bool constant_value(const struct spirv_module *module, uint32_t id, uint32_t *value)
{
    const struct spirv_instruction *constant = instruction_definition(module, id, 4);
    if (!constant || constant->opcode != SpvOpConstant || constant->length != 4)
        return false;
    *value = spirv_words(module, constant)[3];
    return true;
}

/* --- images ----------------------------------------------------------------------------------- */

/* The number of components of each image format, in the order of the enumeration; 0 if not
 * defined. */
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

/* --- fast math -------------------------------------------------------------------------------- */

#define FAST_MATH_DEPTH 4 /* nested types that are entered */

/* Returns whether the type contains a plain floating-point number of this width. */
static bool includes_float(const struct spirv_module *module, uint32_t id, uint32_t width,
                           uint32_t depth)
{
    const struct spirv_instruction *type = instruction_definition(module, id, 3);
    if (!type || !depth)
        return false;
    const uint32_t *words = spirv_words(module, type);
    switch (type->opcode) {
    case SpvOpTypeFloat:
        return words[2] == width && type->length == 3;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
        return includes_float(module, words[2], width, depth - 1);
    default:
        return false;
    }
}

/* Returns whether the type of the result or of an operand contains a float of this width. */
static bool computes_with_float(const struct spirv_module *module,
                                const struct spirv_instruction *instruction, uint32_t width)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    const uint32_t *words = spirv_words(module, instruction);
    if (!spirv_operands_begin(&walk, module, instruction))
        return false;
    while (spirv_operands_next(&walk, &operand)) {
        const struct spirv_instruction *type = NULL;
        if (operand.kind == SPIRV_KIND_IdResultType)
            type = instruction_definition(module, words[operand.word], 3);
        else if (operand.kind == SPIRV_KIND_IdRef)
            type = type_of(module, words[operand.word]);
        if (type && includes_float(module, spirv_words(module, type)[1], width, FAST_MATH_DEPTH))
            return true;
    }
    return false;
}

/* If shaderSignedZeroInfNanPreserveFloat16 is VK_FALSE then any FPFastMathMode decoration on an
 * instruction with result type or any operand type that includes a 16-bit float must include the
 * NSZ, NotInf, and NotNaN flags; likewise of 32 and 64 bits. The older flag Fast implies them. */
static void check_fast_math(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const VkPhysicalDeviceFloatControlsProperties *properties =
        &x->call->device->extended.FloatControlsProperties;
    const struct {
        VkBool32 preserved;
        uint32_t width;
        enum vuid vuid;
    } rules[] = {
        {properties->shaderSignedZeroInfNanPreserveFloat16, 16,
         VUID_RuntimeSpirv_shaderSignedZeroInfNanPreserveFloat16_09560},
        {properties->shaderSignedZeroInfNanPreserveFloat32, 32,
         VUID_RuntimeSpirv_shaderSignedZeroInfNanPreserveFloat32_09562},
        {properties->shaderSignedZeroInfNanPreserveFloat64, 64,
         VUID_RuntimeSpirv_shaderSignedZeroInfNanPreserveFloat64_09564},
    };
    const uint32_t needed =
        SpvFPFastMathModeNSZMask | SpvFPFastMathModeNotInfMask | SpvFPFastMathModeNotNaNMask;
    const struct spirv_instruction *target = spirv_definition(x->module, words[1]);
    if (!properties->sType || !target || (words[3] & needed) == needed ||
        words[3] & SpvFPFastMathModeFastMask)
        return;
    for (uint32_t i = 0; i < ARRAY_LENGTH(rules); i++) {
        if (!rules[i].preserved && !x->told_fast[i] &&
            computes_with_float(x->module, target, rules[i].width))
            BROKEN_ONCE(x, x->told_fast[i], rules[i].vuid, index,
                        "the decoration FPFastMathMode of %%%u does not include NSZ, NotInf and "
                        "NotNaN, which its %u-bit floating-point numbers need; "
                        "shaderSignedZeroInfNanPreserveFloat%u is VK_FALSE",
                        words[1], rules[i].width, rules[i].width);
    }
}

/* --- tensors ---------------------------------------------------------------------------------- */

/* Checks the length and size of the elements that one access of a tensor reads or writes. */
static void check_tensor_access(struct instructions *x, const struct spirv_instruction *type,
                                uint32_t index)
{
    const VkPhysicalDeviceTensorPropertiesARM *limits =
        &x->call->device->extended.TensorPropertiesARM;
    const struct spirv_module *module = x->module;
    const bool array = type && type->opcode == SpvOpTypeArray && type->length > 3;
    uint32_t count = 1;
    if (!type || !limits->sType ||
        (array && !constant_value(module, spirv_words(module, type)[3], &count)))
        return;
    /* The length of an array returned by OpTensorReadARM or passed as the Object operand to
     * OpTensorWriteARM must be less than or equal to maxTensorShaderAccessArrayLength */
    if (array && count > limits->maxTensorShaderAccessArrayLength)
        BROKEN_ONCE(x, x->told_tensor[0], VUID_RuntimeSpirv_maxTensorShaderAccessArrayLength_09903,
                    index,
                    "a tensor is accessed with an array of %u elements, more than %u "
                    "(maxTensorShaderAccessArrayLength)",
                    count, limits->maxTensorShaderAccessArrayLength);
    const struct spirv_instruction *element =
        array ? instruction_definition(module, spirv_words(module, type)[2], 3) : type;
    if (!element || element->length < 3 ||
        (element->opcode != SpvOpTypeInt && element->opcode != SpvOpTypeFloat))
        return;
    /* The total size of the data (number of tensor elements times size of an element) read or
     * written by one OpTensorReadARM, or OpTensorWriteARM instruction, respectively, must be less
     * than or equal to maxTensorShaderAccessSize */
    const uint64_t bytes = (uint64_t)count * spirv_words(module, element)[2] / 8;
    if (bytes > limits->maxTensorShaderAccessSize)
        BROKEN_ONCE(x, x->told_tensor[1], VUID_RuntimeSpirv_maxTensorShaderAccessSize_09904, index,
                    "a tensor is accessed with %u elements of %u bits, %llu bytes, more than %u "
                    "(maxTensorShaderAccessSize)",
                    count, spirv_words(module, element)[2], (unsigned long long)bytes,
                    limits->maxTensorShaderAccessSize);
}

/* --- loops and hit objects -------------------------------------------------------------------- */

/* Bits of a Loop Control below MultipleWaitQueuesQCOM that are followed by a literal. */
#define LOOP_LITERALS 0x37f01f8u

/* The literal operand of the MultipleWaitQueuesQCOM Loop Control must be less than or equal to
 * maxShaderWaitQueues */
static void check_loop(struct instructions *x, const uint32_t *words, uint32_t length,
                       uint32_t index)
{
    const VkPhysicalDeviceShaderMultipleWaitQueuesPropertiesQCOM *limits =
        &x->call->device->extended.ShaderMultipleWaitQueuesPropertiesQCOM;
    const uint32_t at = 4 + (uint32_t)__builtin_popcount(words[3] & LOOP_LITERALS);
    if (limits->sType && words[3] & SpvLoopControlMultipleWaitQueuesQCOMMask && at < length &&
        words[at] > limits->maxShaderWaitQueues)
        BROKEN_ONCE(x, x->told_loop, VUID_RuntimeSpirv_maxShaderWaitQueues_12426, index,
                    "OpLoopMerge has MultipleWaitQueuesQCOM with %u, more than %u "
                    "(maxShaderWaitQueues)",
                    words[at], limits->maxShaderWaitQueues);
}

/* The SBT Index passed in to OpHitObjectSetShaderBindingTableRecordIndexEXT must be less than or
 * equal to maxShaderBindingTableRecordIndex */
static void check_record_index(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const VkPhysicalDeviceRayTracingInvocationReorderPropertiesEXT *limits =
        &x->call->device->extended.RayTracingInvocationReorderPropertiesEXT;
    uint32_t record;
    if (limits->sType && constant_value(x->module, words[2], &record) &&
        record > limits->maxShaderBindingTableRecordIndex)
        BROKEN_ONCE(x, x->told_record, VUID_RuntimeSpirv_maxShaderBindingTableRecordIndex_11888,
                    index,
                    "OpHitObjectSetShaderBindingTableRecordIndexEXT has the index %u, more than %u "
                    "(maxShaderBindingTableRecordIndex)",
                    record, limits->maxShaderBindingTableRecordIndex);
}

/* --- images of VK_QCOM_image_processing and tiles --------------------------------------------- */

/* Reads the bits of component `i` of a constant vector. */
static bool constant_component(const struct spirv_module *module, uint32_t id, uint32_t i,
                               uint32_t *value)
{
    const struct spirv_instruction *constant = instruction_definition(module, id, 3);
    *value = 0;
    if (constant && constant->opcode == SpvOpConstantNull)
        return true;
    return constant && constant->opcode == SpvOpConstantComposite && constant->length > 3 + i &&
           constant_value(module, spirv_words(module, constant)[3 + i], value);
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* If an OpImageBlockMatch*QCOM operation is used, then Block Size less than or equal to
 * maxBlockMatchRegion */
static void check_block_size(struct instructions *x, const uint32_t *words, uint32_t index,
                             bool window)
{
    const VkPhysicalDeviceImageProcessingPropertiesQCOM *limits =
        &x->call->device->extended.ImageProcessingPropertiesQCOM;
    const VkExtent2D most = limits->maxBlockMatchRegion;
    uint32_t width, height;
    if (!limits->sType || !constant_component(x->module, words[7], 0, &width) ||
        !constant_component(x->module, words[7], 1, &height) ||
        (width <= most.width && height <= most.height))
        return;
    BROKEN_ONCE(x, x->told_window[window],
                window ? VUID_RuntimeSpirv_maxBlockMatchRegion_09225
                       : VUID_RuntimeSpirv_OpImageBlockMatchSSDQCOM_06988,
                index, "the Block Size is %ux%u, more than %ux%u (maxBlockMatchRegion)", width,
                height, most.width, most.height);
}

/* If an OpImageBoxFilterQCOM operation is used, then Box Size.y must be equal to or greater than
 * 1.0 and less than or equal to maxBoxFilterBlockSize.height */
static void check_box_size(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const VkPhysicalDeviceImageProcessingPropertiesQCOM *limits =
        &x->call->device->extended.ImageProcessingPropertiesQCOM;
    const uint32_t most = limits->maxBoxFilterBlockSize.height;
    uint32_t bits;
    if (!limits->sType || !constant_component(x->module, words[5], 1, &bits) ||
        (float_of(bits) >= 1 && (double)float_of(bits) <= most))
        return;
    BROKEN_ONCE(x, x->told_window[2], VUID_RuntimeSpirv_OpImageBoxFilterQCOM_06989, index,
                "the y of Box Size is %g, which must be 1 to %u (maxBoxFilterBlockSize.height)",
                (double)float_of(bits), most);
}

/* True if the pointer is of the storage class TileAttachmentQCOM. */
static bool is_of_tile(const struct spirv_module *module, uint32_t pointer)
{
    const struct spirv_instruction *type = type_of(module, pointer);
    return type && type->opcode == SpvOpTypePointer && type->length > 3 &&
           spirv_words(module, type)[2] == SpvStorageClassTileAttachmentQCOM;
}

/* If an OpTypeSampledImage with Storage Class TileAttachmentQCOM is consumed by any argument of
 * OpImageSampleWeightedQCOM and its kin, tileShadingImageProcessing must be enabled. `image`: an
 * argument's value. */
static void check_tile_processing(struct instructions *x, uint32_t image, uint32_t index)
{
    const struct spirv_instruction *load = instruction_definition(x->module, image, 4);
    if (load && load->opcode == SpvOpLoad &&
        is_of_tile(x->module, spirv_words(x->module, load)[3]) &&
        !device_has_feature(x->call->device, FEATURE_tileShadingImageProcessing))
        BROKEN_ONCE(x, x->told_tile[0], VUID_RuntimeSpirv_tileShadingImageProcessing_10712, index,
                    "an image of the storage class TileAttachmentQCOM is processed, and the "
                    "tileShadingImageProcessing feature is not enabled");
}

/* An OpImage with Storage Class TileAttachmentQCOM must not be consumed by OpImageTexelPointer */
static void check_tile_pointer(struct instructions *x, const uint32_t *words, uint32_t index)
{
    if (is_of_tile(x->module, words[3]))
        BROKEN_ONCE(x, x->told_tile[1], VUID_RuntimeSpirv_OpImage_10706, index,
                    "OpImageTexelPointer points into an image of the storage class "
                    "TileAttachmentQCOM");
}

/* Checks the operands of an instruction of VK_QCOM_image_processing. */
static void check_processing(struct instructions *x, const struct spirv_instruction *instruction,
                             uint32_t index)
{
    const uint32_t *words = spirv_words(x->module, instruction), length = instruction->length;
    switch (instruction->opcode) {
    case SpvOpImageBlockMatchSSDQCOM:
    case SpvOpImageBlockMatchSADQCOM:
    case SpvOpImageBlockMatchWindowSSDQCOM:
    case SpvOpImageBlockMatchWindowSADQCOM:
    case SpvOpImageBlockMatchGatherSSDQCOM:
    case SpvOpImageBlockMatchGatherSADQCOM:
        if (length > 7) {
            check_block_size(x, words, index,
                             instruction->opcode != SpvOpImageBlockMatchSSDQCOM &&
                                 instruction->opcode != SpvOpImageBlockMatchSADQCOM);
            check_tile_processing(x, words[3], index);
            check_tile_processing(x, words[5], index);
        }
        break;
    case SpvOpImageBoxFilterQCOM:
        if (length > 5) {
            check_box_size(x, words, index);
            check_tile_processing(x, words[3], index);
        }
        break;
    case SpvOpImageSampleWeightedQCOM:
        if (length > 5) {
            check_tile_processing(x, words[3], index);
            check_tile_processing(x, words[5], index);
        }
        break;
    default:
        break;
    }
}

/* --- interpolation ---------------------------------------------------------------------------- */

/* the instruction's number in GLSL.std.450 */
#define INTERPOLATE_AT_OFFSET 78

/* True if a fragment is always one pixel: no shading rate of the device could make it larger. */
static bool has_single_pixels(const struct device *device)
{
    static const enum feature larger[] = {FEATURE_pipelineFragmentShadingRate,
                                          FEATURE_primitiveFragmentShadingRate,
                                          FEATURE_attachmentFragmentShadingRate,
                                          FEATURE_shadingRateImage, FEATURE_fragmentDensityMap};
    for (size_t i = 0; i < ARRAY_LENGTH(larger); i++) {
        if (device_has_feature(device, larger[i]))
            return false;
    }
    return true;
}

/* The first (second) element of the Offset operand of InterpolateAtOffset must be greater than or
 * equal to frag_width (frag_height) times minInterpolationOffset, and less than or equal to
 * frag_width times (maxInterpolationOffset + ULP) - ULP, where ULP is 1 /
 * 2^subPixelInterpolationOffsetBits. That is the same as the limits where a fragment is a pixel. */
static void check_interpolation(struct instructions *x, const uint32_t *words, uint32_t index)
{
    static const struct {
        enum vuid least, most;
    } rules[] = {
        {VUID_RuntimeSpirv_Offset_06344, VUID_RuntimeSpirv_Offset_06345},
        {VUID_RuntimeSpirv_Offset_06346, VUID_RuntimeSpirv_Offset_06347},
    };
    const VkPhysicalDeviceLimits *limits = &x->call->device->properties.limits;
    const struct spirv_instruction *import = instruction_definition(x->module, words[3], 3);
    uint32_t taken, bits;
    const char *name =
        import && import->opcode == SpvOpExtInstImport
            ? spirv_string(spirv_words(x->module, import) + 2, import->length - 2u, &taken)
            : NULL;
    if (!name || strcmp(name, "GLSL.std.450") != 0 || !has_single_pixels(x->call->device))
        return;
    for (uint32_t i = 0; i < 2; i++) {
        if (!constant_component(x->module, words[6], i, &bits))
            continue;
        const float offset = float_of(bits);
        if (offset < limits->minInterpolationOffset)
            BROKEN_ONCE(x, x->told_offset[2 * i], rules[i].least, index,
                        "InterpolateAtOffset has an offset of %g in %c, less than %g "
                        "(minInterpolationOffset)",
                        (double)offset, 'x' + (int)i, (double)limits->minInterpolationOffset);
        else if (offset > limits->maxInterpolationOffset)
            BROKEN_ONCE(x, x->told_offset[2 * i + 1], rules[i].most, index,
                        "InterpolateAtOffset has an offset of %g in %c, more than %g "
                        "(maxInterpolationOffset)",
                        (double)offset, 'x' + (int)i, (double)limits->maxInterpolationOffset);
    }
}

/* --- cooperative vectors ---------------------------------------------------------------------- */

/* Checks the alignment of an offset that is a constant. `told` is set when the rule was reported
 * for this module. */
static void check_aligned(struct instructions *x, enum vuid vuid, uint32_t index, bool *told,
                          uint32_t id, uint32_t alignment, const char *what)
{
    uint32_t offset;
    if (constant_value(x->module, id, &offset) && offset % alignment)
        BROKEN_ONCE(x, *told, vuid, index, "%s is %u, which is not aligned to %u bytes", what,
                    offset, alignment);
}

/* --- the combinations that a device has --- */

/* Most combinations that are looked at. Of a device that has more, or none, all are allowed. */
#define COMBINATIONS_MOST 128

/* True if the component type of Vulkan can be this scalar type of SPIR-V. Signedness is not
 * compared, as operands may change it. Types with an encoding are not known. */
static bool is_component(const struct spirv_module *module, uint32_t type,
                         VkComponentTypeKHR component)
{
    static const uint8_t widths[] = {16, 32, 64, 8, 16, 32, 64, 8, 16, 32, 64};
    const struct spirv_instruction *scalar = instruction_definition(module, type, 3);
    const bool is_float = scalar && scalar->opcode == SpvOpTypeFloat;
    if (!scalar || (is_float ? scalar->length > 3 : scalar->opcode != SpvOpTypeInt))
        return true;
    if ((uint32_t)component >= ARRAY_LENGTH(widths)) /* packed integers, or encoded numbers */
        return !is_float;
    return is_float == (component <= VK_COMPONENT_TYPE_FLOAT64_KHR) &&
           spirv_words(module, scalar)[2] == widths[component];
}

/* The type of the components of a cooperative vector type; 0: not known. */
static uint32_t vector_component(const struct spirv_module *module,
                                 const struct spirv_instruction *type)
{
    return type && type->opcode == SpvOpTypeCooperativeVectorNV && type->length > 3
               ? spirv_words(module, type)[2]
               : 0;
}

/* True if the combination has all operands of the multiplication that are constants. */
static bool is_combination(const struct spirv_module *module, const uint32_t *words, bool adds,
                           const VkCooperativeVectorPropertiesNV *has)
{
    const struct spirv_instruction *transpose = spirv_definition(module, words[adds ? 14 : 11]);
    uint32_t input = has->inputInterpretation, matrix = has->matrixInterpretation,
             bias = has->biasInterpretation;
    (void)constant_value(module, words[4], &input);
    (void)constant_value(module, words[7], &matrix);
    if (adds)
        (void)constant_value(module, words[10], &bias);
    return is_component(module, vector_component(module, type_of(module, words[3])),
                        has->inputType) &&
           is_component(module, vector_component(module, spirv_definition(module, words[1])),
                        has->resultType) &&
           input == (uint32_t)has->inputInterpretation &&
           matrix == (uint32_t)has->matrixInterpretation &&
           bias == (uint32_t)has->biasInterpretation &&
           (has->transpose || !transpose || transpose->opcode != SpvOpConstantTrue);
}

/* For OpCooperativeVectorMatrixMulNV and OpCooperativeVectorMatrixMulAddNV, the following must be
 * satisfied by the same entry in the VkCooperativeVectorPropertiesNV array */
static void check_combination(struct instructions *x, const uint32_t *words, uint32_t index,
                              bool adds)
{
    PFN_vkGetPhysicalDeviceCooperativeVectorPropertiesNV ask =
        x->call->instance->dispatch.GetPhysicalDeviceCooperativeVectorPropertiesNV;
    VkCooperativeVectorPropertiesNV all[COMBINATIONS_MOST];
    uint32_t count = COMBINATIONS_MOST;
    for (uint32_t i = 0; i < COMBINATIONS_MOST; i++)
        all[i] = (VkCooperativeVectorPropertiesNV){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV};
    bool found = x->told_vector[10] || !ask ||
                 ask(x->call->device->physical_device, &count, all) != VK_SUCCESS || !count ||
                 count > COMBINATIONS_MOST;
    for (uint32_t i = 0; !found && i < count; i++)
        found = is_combination(x->module, words, adds, &all[i]);
    if (!found)
        BROKEN_ONCE(x, x->told_vector[10], VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10089,
                    index,
                    "the types and interpretations of the multiplication are of none of the %u "
                    "VkCooperativeVectorPropertiesNV of the device",
                    count);
}

/* For OpTypeCooperativeMatrixKHR, the type must match one of the supported
 * VkCooperativeMatrixPropertiesKHR structures */
static void check_matrix_type(struct instructions *x, const uint32_t *words, uint32_t index)
{
    const struct device *device = x->call->device;
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR ask =
        x->call->instance->dispatch.GetPhysicalDeviceCooperativeMatrixPropertiesKHR;
    VkCooperativeMatrixPropertiesKHR all[COMBINATIONS_MOST];
    uint32_t count = COMBINATIONS_MOST, scope, rows, columns, use;
    if (!constant_value(x->module, words[3], &scope) ||
        !constant_value(x->module, words[4], &rows) ||
        !constant_value(x->module, words[5], &columns) ||
        !constant_value(x->module, words[6], &use) ||
        use > SpvCooperativeMatrixUseMatrixAccumulatorKHR ||
        device_has_feature(device, FEATURE_cooperativeMatrixFlexibleDimensions) ||
        device_has_feature(device, FEATURE_cooperativeMatrixProperties2))
        return;
    for (uint32_t i = 0; i < COMBINATIONS_MOST; i++)
        all[i] = (VkCooperativeMatrixPropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR};
    bool found = x->told_vector[9] || !ask ||
                 ask(device->physical_device, &count, all) != VK_SUCCESS || !count ||
                 count > COMBINATIONS_MOST;
    for (uint32_t i = 0; !found && i < count; i++) {
        const VkCooperativeMatrixPropertiesKHR *has = &all[i];
        found = (uint32_t)has->scope == scope &&
                rows == (use == SpvCooperativeMatrixUseMatrixBKHR ? has->KSize : has->MSize) &&
                columns == (use == SpvCooperativeMatrixUseMatrixAKHR ? has->KSize : has->NSize) &&
                (is_component(x->module, words[2],
                              use == SpvCooperativeMatrixUseMatrixAKHR   ? has->AType
                              : use == SpvCooperativeMatrixUseMatrixBKHR ? has->BType
                                                                         : has->CType) ||
                 (use == SpvCooperativeMatrixUseMatrixAccumulatorKHR &&
                  is_component(x->module, words[2], has->ResultType)));
    }
    if (!found)
        BROKEN_ONCE(x, x->told_vector[9], VUID_RuntimeSpirv_OpTypeCooperativeMatrixKHR_10163, index,
                    "a cooperative matrix of %u rows, %u columns, scope %u and use %u, with these "
                    "components, is in none of the %u VkCooperativeMatrixPropertiesKHR of the "
                    "device",
                    rows, columns, scope, use, count);
}

/* For OpCooperativeVectorMatrixMulNV and OpCooperativeVectorMatrixMulAddNV: if MatrixInterpretation
 * is FLOAT_E4M3 or FLOAT_E5M2 then MemoryLayout must be INFERENCING_OPTIMAL or TRAINING_OPTIMAL */
static void check_multiply(struct instructions *x, const uint32_t *words, uint32_t length,
                           uint32_t index, bool adds)
{
    const uint32_t stride_word = adds ? 15 : 12;
    uint32_t interpretation, layout;
    check_combination(x, words, index, adds);
    if (adds)
        check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulAddNV_10098, index,
                      &x->told_vector[0], words[9], 16, "BiasOffset");
    /* the Matrix and MatrixOffset must be aligned to 64 bytes */
    check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10097, index,
                  &x->told_vector[6], words[6], 64, "MatrixOffset");
    if (!constant_value(x->module, words[adds ? 13 : 10], &layout))
        return;
    /* using non-optimal layouts, the Stride operand must be aligned to 16 bytes */
    if (length > stride_word && (layout == SpvCooperativeVectorMatrixLayoutRowMajorNV ||
                                 layout == SpvCooperativeVectorMatrixLayoutColumnMajorNV))
        check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10096, index,
                      &x->told_vector[7], words[stride_word], 16, "MatrixStride");
    if (!constant_value(x->module, words[7], &interpretation) ||
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

/* The width of the floating-point components of a cooperative vector, or 0 if they have another
 * type. `known` is set to whether the type is known. */
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

/* True if the pointer points into a buffer, or if its type is not known. */
static bool is_in_buffer(const struct spirv_module *module, uint32_t pointer)
{
    const struct spirv_instruction *type = type_of(module, pointer);
    if (!type || type->opcode != SpvOpTypePointer || type->length < 4)
        return true; /* its type is not known */
    const uint32_t storage = spirv_words(module, type)[2];
    return storage == SpvStorageClassStorageBuffer ||
           storage == SpvStorageClassPhysicalStorageBuffer;
}

/* Returns cooperativeVectorTrainingFloat16Accumulation, or ...Float32Accumulation. */
static bool instruction_accumulates(const struct instructions *x, bool float16)
{
    const VkPhysicalDeviceCooperativeVectorPropertiesNV *properties =
        &x->call->device->extended.CooperativeVectorPropertiesNV;
    return !properties->sType ||
           (float16 ? properties->cooperativeVectorTrainingFloat16Accumulation
                    : properties->cooperativeVectorTrainingFloat32Accumulation);
}

/* Checks an accumulation of an outer product. `words` are the instruction's; `index` is its place
 * in the module. */
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

/* For OpCooperativeVectorLoadNV and OpCooperativeVectorStoreNV instructions, the Pointer and Offset
 * must be aligned to 16 bytes */
static void check_vector_access(struct instructions *x, uint32_t offset, uint32_t index)
{
    check_aligned(x, VUID_RuntimeSpirv_OpCooperativeVectorLoadNV_10099, index, &x->told_vector[8],
                  offset, 16, "Offset");
}

/* Checks an accumulation of a sum. `words` are the instruction's; `index` is its place in the
 * module. */
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

/* Checks an instruction of cooperative vectors, matrices or streams. Only some devices support
 * these. */
static void check_rare(struct instructions *x, const struct spirv_instruction *instruction,
                       uint32_t index)
{
    const uint32_t *words = spirv_words(x->module, instruction), length = instruction->length;
    switch (instruction->opcode) {
    case SpvOpCooperativeVectorMatrixMulNV:
        if (length > 11)
            check_multiply(x, words, length, index, false);
        break;
    case SpvOpCooperativeVectorMatrixMulAddNV:
        if (length > 14)
            check_multiply(x, words, length, index, true);
        break;
    case SpvOpCooperativeVectorOuterProductAccumulateNV:
        if (length > 6)
            check_outer_product(x, words, index);
        break;
    case SpvOpCooperativeVectorReduceSumAccumulateNV:
        if (length > 3)
            check_sum(x, words, index);
        break;
    case SpvOpCooperativeVectorLoadNV:
        if (length > 4)
            check_vector_access(x, words[4], index);
        break;
    case SpvOpCooperativeVectorStoreNV:
        if (length > 2)
            check_vector_access(x, words[2], index);
        break;
    case SpvOpTypeCooperativeMatrixKHR:
        if (length > 6)
            check_matrix_type(x, words, index);
        break;
    case SpvOpTensorReadARM:
        if (length > 4)
            check_tensor_access(x, instruction_definition(x->module, words[1], 2), index);
        break;
    case SpvOpTensorWriteARM:
        if (length > 3)
            check_tensor_access(x, type_of(x->module, words[3]), index);
        break;
    case SpvOpHitObjectSetShaderBindingTableRecordIndexEXT:
        if (length > 2)
            check_record_index(x, words, index);
        break;
    case SpvOpEmitStreamVertex:
        if (length > 1)
            check_stream(x, words, index);
        break;
    default:
        check_processing(x, instruction, index);
        break;
    }
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
        case SpvOpDecorate:
            if (length > 3 && words[2] == SpvDecorationFPFastMathMode)
                check_fast_math(&x, words, i);
            break;
        case SpvOpExtInst:
            if (length > 6 && words[4] == INTERPOLATE_AT_OFFSET)
                check_interpolation(&x, words, i);
            break;
        case SpvOpLoopMerge:
            if (length > 4)
                check_loop(&x, words, length, i);
            break;
        case SpvOpImageTexelPointer:
            if (length > 3)
                check_tile_pointer(&x, words, i);
            break;
        default:
            if (instruction->opcode > SpvOpGroupNonUniformQuadSwap ||
                instruction->opcode == SpvOpEmitStreamVertex)
                check_rare(&x, instruction, i);
            break;
        }
    }
    *told |= x.told;
    return x.skip;
}
