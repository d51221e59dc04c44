/* Checks what a module accesses: indices of built-ins, operands of images, and values that must not
 * depend on ViewIndex. Only dependences through plain computations count, as they are certain. The
 * input is untrusted: malformed instructions are not checked. */
#include "core/shader/accesses.h"

#include <stdarg.h>
#include <stdio.h>

#include <spirv/unified1/spirv.h>

#include "core/shader/spirv_report.h"
#include "report/rules.h"
#include "spirv/module/module.h"

/* The size of a finding's text, in bytes. */
#define TEXT_SIZE 256
/* the most variables and members with a built-in that is looked at */
#define BUILT_INS_MOST 32
/* the most computations in a row that are followed, and the most values of a module */
#define DEPTH_MOST 16
#define WORK_MOST  65536
/* a pass over the decorations counts as so many values */
#define WORK_OF_SCAN 4096

/* A variable, or a member of a structure, that is decorated with BuiltIn. */
struct built_in {
    uint32_t target, member, built_in; /* `member`: SPIRV_NONE for a variable */
};

/* Threads: on the stack of one call. */
struct accesses {
    const struct call *call;
    const struct location *where;
    const struct spirv_module *module;
    uint32_t models;     /* enum access_models: those of the entry points */
    bool memory_model;   /* the module declares the capability VulkanMemoryModel */
    uint32_t work;       /* values that may still be followed */
    uint32_t view_index; /* the variable; 0: there is none */
    uint32_t built_in_count;
    struct built_in built_ins[BUILT_INS_MOST];
    uint32_t told; /* bit i: rule i was reported */
    bool skip;
};

/* The rules, as bits of `told`. */
enum access_rule {
    ACCESS_COUNTS,
    ACCESS_INDEX,
    ACCESS_STORE,
    ACCESS_SHARED,
    ACCESS_POSITION,
    ACCESS_MASK,
    ACCESS_MASK_SIZE,
    ACCESS_OFFSET,
    ACCESS_LAYER,
    ACCESS_VIEWPORT,
    ACCESS_VOLATILE,
};

/* Bits of `models`. */
enum access_models {
    MODEL_OTHER = 1 << 0,
    MODEL_OF_LAYERS = 1 << 1, /* Vertex, TessellationEvaluation, Geometry */
    MODEL_MESH = 1 << 2,
    MODEL_RAYS = 1 << 3, /* ray generation, closest hit, miss, callable */
    MODEL_INTERSECTION = 1 << 4,
};

static COLD void access_broken(struct accesses *x, enum access_rule rule, enum vuid vuid,
                               uint32_t index, const char *format, ...) PRINTF_LIKE(5, 6);
/* Reports that an instruction breaks a rule, once for a module. */
static void access_broken(struct accesses *x, enum access_rule rule, enum vuid vuid, uint32_t index,
                          const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    if (x->told & 1u << rule)
        return;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    x->told |= 1u << rule;
    x->skip |= spirv_report_instruction(x->call, vuid, x->where, x->module, text, index);
}

/* The words of the instruction that defines an id; NULL if it has another opcode or is shorter. */
static const uint32_t *defining_words(const struct accesses *x, uint32_t id, uint32_t opcode,
                                      uint32_t length)
{
    const struct spirv_instruction *found = spirv_definition(x->module, id);
    return found && found->opcode == opcode && found->length >= length
               ? spirv_words(x->module, found)
               : NULL;
}

/* The built-in of a variable or member; SPIRV_NONE if it has none that is looked at. */
static uint32_t built_in_of(const struct accesses *x, uint32_t target, uint32_t member)
{
    for (uint32_t i = 0; i < x->built_in_count; i++) {
        if (x->built_ins[i].target == target && x->built_ins[i].member == member)
            return x->built_ins[i].built_in;
    }
    return SPIRV_NONE;
}

/* Follows access chains to the variable that they begin at; 0: it is not known. */
static uint32_t accessed_variable(const struct accesses *x, uint32_t id)
{
    for (uint32_t depth = 0; depth < DEPTH_MOST; depth++) {
        const struct spirv_instruction *found = spirv_definition(x->module, id);
        if (!found || found->length < 4)
            return 0;
        if (found->opcode == SpvOpVariable)
            return id;
        if (found->opcode != SpvOpAccessChain && found->opcode != SpvOpInBoundsAccessChain)
            return 0;
        id = spirv_words(x->module, found)[3];
    }
    return 0;
}

/* --- what must not depend on ViewIndex -------------------------------------------------------- */

/* True if the value may be zero in any invocation: a factor that takes a dependence away. */
static bool may_be_zero(const struct accesses *x, uint32_t id)
{
    const struct spirv_instruction *found = spirv_definition(x->module, id);
    return !found || found->opcode == SpvOpConstantNull ||
           (found->opcode >= SpvOpSpecConstantTrue && found->opcode <= SpvOpSpecConstantOp) ||
           (found->opcode == SpvOpConstant &&
            (found->length != 4 || !spirv_words(x->module, found)[3]));
}

/* True if the value is certainly computed from ViewIndex: from a load of the variable by sums,
 * conversions and the like. Parts of composites and values in memory are not followed. */
static bool depends_on_view(struct accesses *x, uint32_t id, uint32_t depth)
{
    const struct spirv_instruction *value = spirv_definition(x->module, id);
    if (!x->view_index || !depth || !x->work)
        return false;
    x->work--;
    if (!value || value->length < 4)
        return false;
    const uint32_t *words = spirv_words(x->module, value);
    const uint32_t opcode = value->opcode;
    const bool sum =
        opcode == SpvOpIAdd || opcode == SpvOpISub || opcode == SpvOpCompositeConstruct;
    if (opcode == SpvOpLoad)
        return words[3] == x->view_index;
    /* conversions, negations, sums and products; others may take the dependence away */
    if (!sum && opcode != SpvOpCopyObject && opcode != SpvOpShiftLeftLogical &&
        (opcode < SpvOpConvertFToU || opcode > SpvOpFMul))
        return false;
    bool depends = false;
    for (uint32_t i = 3; i < value->length; i++) {
        if (!sum && may_be_zero(x, words[i]))
            return false;
        depends = depends || depends_on_view(x, words[i], depth - 1);
    }
    return depends;
}

static bool is_index_built_in(uint32_t built_in)
{
    return built_in == SpvBuiltInPrimitivePointIndicesEXT ||
           built_in == SpvBuiltInPrimitiveLineIndicesEXT ||
           built_in == SpvBuiltInPrimitiveTriangleIndicesEXT;
}

/* Checks the indices of an access chain in a mesh shader. */
static void check_view_indices(struct accesses *x, const uint32_t *words, uint32_t length,
                               uint32_t index)
{
    const uint32_t id = accessed_variable(x, words[3]);
    const uint32_t *variable = defining_words(x, id, SpvOpVariable, 4);
    if (!variable)
        return;
    const bool indices = is_index_built_in(built_in_of(x, id, SPIRV_NONE));
    if (!indices && variable[3] != SpvStorageClassWorkgroup &&
        variable[3] != SpvStorageClassPrivate)
        return;
    for (uint32_t i = 4; i < length; i++) {
        if (!depends_on_view(x, words[i], DEPTH_MOST))
            continue;
        /* variables decorated with PrimitivePointIndicesEXT, PrimitiveLineIndicesEXT, or
         * PrimitiveTriangleIndicesEXT declared as an array must not be accessed by indices that
         * depend on ViewIndex */
        if (indices)
            access_broken(x, ACCESS_INDEX, VUID_StandaloneSpirv_MeshEXT_07109, index,
                          "the indices of primitives %%%u are accessed by %%%u, which depends on "
                          "ViewIndex",
                          id, words[i]);
        /* variables in workgroup or private Storage Class declared as or containing a composite
         * type must not be accessed by indices that depend on ViewIndex */
        else
            access_broken(x, ACCESS_SHARED, VUID_StandaloneSpirv_MeshEXT_07111, index,
                          "the %s variable %%%u is accessed by the index %%%u, which depends on "
                          "ViewIndex",
                          variable[3] == SpvStorageClassPrivate ? "Private" : "Workgroup", id,
                          words[i]);
    }
}

/* Checks an instruction of a module whose entry points are all mesh shaders. */
static void check_mesh(struct accesses *x, const struct spirv_instruction *instruction,
                       uint32_t index)
{
    const uint32_t *words = spirv_words(x->module, instruction), length = instruction->length;
    switch (instruction->opcode) {
    case SpvOpSetMeshOutputsEXT:
        /* the "Vertex Count" and "Primitive Count" operands must not depend on ViewIndex */
        for (uint32_t i = 1; i < length && i < 3; i++) {
            if (depends_on_view(x, words[i], DEPTH_MOST))
                access_broken(x, ACCESS_COUNTS, VUID_StandaloneSpirv_MeshEXT_07108, index,
                              "OpSetMeshOutputsEXT has the %s Count %%%u, which depends on "
                              "ViewIndex",
                              i == 1 ? "Vertex" : "Primitive", words[i]);
        }
        break;
    case SpvOpStore:
        /* any values stored in variables decorated with PrimitivePointIndicesEXT,
         * PrimitiveLineIndicesEXT, or PrimitiveTriangleIndicesEXT must not depend on ViewIndex */
        if (length > 2 &&
            is_index_built_in(built_in_of(x, accessed_variable(x, words[1]), SPIRV_NONE)) &&
            depends_on_view(x, words[2], DEPTH_MOST))
            access_broken(x, ACCESS_STORE, VUID_StandaloneSpirv_MeshEXT_07110, index,
                          "%%%u is stored as an index of a primitive, and depends on ViewIndex",
                          words[2]);
        break;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        if (length > 4)
            check_view_indices(x, words, length, index);
        break;
    default:
        break;
    }
}

/* --- arrays with an element for each view ----------------------------------------------------- */

/* The element type of an array type; 0 for another type. */
static uint32_t element_type(const struct accesses *x, uint32_t id)
{
    const uint32_t *words = defining_words(x, id, SpvOpTypeArray, 4);
    words = words ? words : defining_words(x, id, SpvOpTypeRuntimeArray, 3);
    return words ? words[2] : 0;
}

/* The type that a variable has; 0: the id is not a variable. */
static uint32_t variable_type(const struct accesses *x, uint32_t id)
{
    const uint32_t *variable = defining_words(x, id, SpvOpVariable, 4),
                   *pointer = variable ? defining_words(x, variable[1], SpvOpTypePointer, 4) : NULL;
    return pointer ? pointer[3] : 0;
}

/* The array variable decorated with PositionPerViewNV (ViewportMaskPerViewNV) must only be indexed
 * by a constant or specialization constant. The innermost array has an element for each view. */
static void check_view_element(struct accesses *x, const uint32_t *words, uint32_t length,
                               uint32_t index)
{
    uint32_t type = variable_type(x, words[3]), built_in = built_in_of(x, words[3], SPIRV_NONE);
    for (uint32_t i = 4; i < length; i++) {
        const struct spirv_instruction *by = spirv_definition(x->module, words[i]),
                                       *block = spirv_definition(x->module, type);
        if (!by || !block)
            return;
        if (block->opcode == SpvOpTypeStruct) {
            const uint32_t member = by->opcode == SpvOpConstant && by->length == 4
                                        ? spirv_words(x->module, by)[3]
                                        : SPIRV_NONE;
            if (member >= UINT16_MAX || member + 2 >= block->length)
                return;
            built_in = built_in_of(x, type, member);
            type = spirv_words(x->module, block)[member + 2];
            continue;
        }
        type = element_type(x, type);
        const bool position = built_in == SpvBuiltInPositionPerViewNV;
        if (!position && built_in != SpvBuiltInViewportMaskPerViewNV)
            continue;
        if (!element_type(x, type)) {
            if (type && by->opcode != SpvOpUndef &&
                (by->opcode < SpvOpConstantTrue || by->opcode > SpvOpSpecConstantOp))
                access_broken(x, position ? ACCESS_POSITION : ACCESS_MASK,
                              position ? VUID_PositionPerViewNV_PositionPerViewNV_04326
                                       : VUID_ViewportMaskPerViewNV_ViewportMaskPerViewNV_04417,
                              index,
                              "%s is indexed by %%%u, which is neither a constant nor a "
                              "specialization constant",
                              position ? "PositionPerViewNV" : "ViewportMaskPerViewNV", words[i]);
            return;
        }
    }
}

/* The array decorated with ViewportMaskPerViewNV must be a size less than or equal to 32 */
static void check_mask_size(struct accesses *x, uint32_t type, uint32_t index)
{
    uint32_t element;
    for (uint32_t i = 0; i < DEPTH_MOST && (element = element_type(x, type)); i++) {
        const uint32_t *array = defining_words(x, type, SpvOpTypeArray, 4),
                       *size = array ? defining_words(x, array[3], SpvOpConstant, 4) : NULL;
        type = element;
        if (size && size[3] > 32 && !element_type(x, element))
            access_broken(x, ACCESS_MASK_SIZE,
                          VUID_ViewportMaskPerViewNV_ViewportMaskPerViewNV_04415, index,
                          "ViewportMaskPerViewNV is an array of %u elements, more than 32",
                          size[3]);
    }
}

/* --- decorations ------------------------------------------------------------------------------ */

/* True if something in the module is decorated with one of two built-ins. A `target` that is not 0
 * must be it, with this `member`. */
static bool module_decorates(const struct accesses *x, uint32_t target, uint32_t member,
                             uint32_t one, uint32_t other)
{
    const struct spirv_module *module = x->module;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        const uint32_t at = instruction->opcode == SpvOpMemberDecorate ? 3 : 2;
        if (instruction->opcode == SpvOpFunction)
            break;
        if ((instruction->opcode == SpvOpDecorate || instruction->opcode == SpvOpMemberDecorate) &&
            instruction->length > at + 1 && words[at] == SpvDecorationBuiltIn &&
            (words[at + 1] == one || words[at + 1] == other) &&
            (!target || (words[1] == target && (at == 2 ? SPIRV_NONE : words[2]) == member)))
            return true;
    }
    return false;
}

/* Checks the decoration ViewportRelativeNV of a variable or member. */
static void check_relative(struct accesses *x, uint32_t target, uint32_t member, uint32_t index)
{
    const struct spirv_instruction *group = spirv_definition(x->module, target);
    if (!group || group->opcode == SpvOpDecorationGroup || x->work < WORK_OF_SCAN)
        return;
    x->work -= WORK_OF_SCAN;
    /* The ViewportRelativeNV decoration must only be used on a variable decorated with Layer in the
     * vertex, tessellation evaluation, or geometry shader stages */
    if (!module_decorates(x, target, member, SpvBuiltInLayer, SpvBuiltInLayer))
        access_broken(x, ACCESS_LAYER, VUID_StandaloneSpirv_ViewportRelativeNV_04672, index,
                      "%%%u is decorated with ViewportRelativeNV, but not with the built-in Layer",
                      target);
    else if (!(x->models & MODEL_OF_LAYERS))
        access_broken(x, ACCESS_LAYER, VUID_StandaloneSpirv_ViewportRelativeNV_04672, index,
                      "%%%u is decorated with ViewportRelativeNV, but no entry point is for "
                      "vertices, geometry or the evaluation of tessellation",
                      target);
    /* The ViewportRelativeNV decoration must not be used unless a variable decorated with one of
     * ViewportIndex or ViewportMaskNV is also statically used by the same OpEntryPoint */
    else if (!module_decorates(x, 0, 0, SpvBuiltInViewportIndex, SpvBuiltInViewportMaskNV))
        access_broken(x, ACCESS_VIEWPORT, VUID_StandaloneSpirv_ViewportRelativeNV_04673, index,
                      "%%%u is decorated with ViewportRelativeNV, but no variable with "
                      "ViewportIndex or ViewportMaskNV",
                      target);
}

bool built_in_is_volatile(uint32_t model, uint32_t built_in)
{
    switch (built_in) {
    case SpvBuiltInSMIDNV:
    case SpvBuiltInWarpIDNV:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInSubgroupLocalInvocationId:
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        return model >= SpvExecutionModelRayGenerationKHR &&
               model <= SpvExecutionModelCallableKHR && model != SpvExecutionModelAnyHitKHR;
    case SpvBuiltInRayTmaxKHR:
        return model == SpvExecutionModelIntersectionKHR;
    default:
        return false;
    }
}

/* True if loads of the built-in must be Volatile in all entry points of the module. */
static bool loads_volatile(const struct accesses *x, uint32_t built_in)
{
    return x->memory_model && x->models &&
           !(x->models & ~(uint32_t)(MODEL_RAYS | MODEL_INTERSECTION)) &&
           built_in_is_volatile(x->models & MODEL_RAYS ? SpvExecutionModelRayGenerationKHR
                                                       : SpvExecutionModelIntersectionKHR,
                                built_in);
}

/* Notes a built-in that is looked at. `words` begin at the decoration. */
static void note_built_in(struct accesses *x, uint32_t target, uint32_t member,
                          const uint32_t *words, uint32_t index)
{
    const bool mask = words[1] == SpvBuiltInViewportMaskPerViewNV;
    if (words[1] == SpvBuiltInViewIndex && member == SPIRV_NONE)
        x->view_index = target;
    else if ((mask || words[1] == SpvBuiltInPositionPerViewNV || is_index_built_in(words[1]) ||
              loads_volatile(x, words[1])) &&
             x->built_in_count < BUILT_INS_MOST)
        x->built_ins[x->built_in_count++] = (struct built_in){target, member, words[1]};
    if (!mask)
        return;
    const struct spirv_instruction *block = spirv_definition(x->module, target);
    if (member == SPIRV_NONE)
        check_mask_size(x, variable_type(x, target), index);
    else if (block && block->opcode == SpvOpTypeStruct && member < UINT16_MAX &&
             member + 2 < block->length)
        check_mask_size(x, spirv_words(x->module, block)[member + 2], index);
}

/* Reads a decoration of a variable or member. `words` begin at the decoration. */
static void read_decoration(struct accesses *x, uint32_t target, uint32_t member,
                            const uint32_t *words, uint32_t length, uint32_t index)
{
    if (words[0] == SpvDecorationBuiltIn && length > 1)
        note_built_in(x, target, member, words, index);
    else if (words[0] == SpvDecorationViewportRelativeNV)
        check_relative(x, target, member, index);
}

/* --- instructions ----------------------------------------------------------------------------- */

/* Any image instruction which uses an Offset, ConstOffset, or ConstOffsets image operand, must only
 * consume a "Sampled Image" operand whose type has its "Sampled" operand set to 1. `at` is the word
 * of the image; `operands` is that of the image operands. */
static void check_image_offset(struct accesses *x, const struct spirv_instruction *instruction,
                               uint32_t at, uint32_t operands, uint32_t index)
{
    const uint32_t *words = spirv_words(x->module, instruction);
    if (instruction->length <= operands ||
        !(words[operands] & (SpvImageOperandsOffsetMask | SpvImageOperandsConstOffsetMask |
                             SpvImageOperandsConstOffsetsMask)))
        return;
    const uint32_t *load = defining_words(x, words[at], SpvOpLoad, 4),
                   *type = load ? defining_words(x, load[1], SpvOpTypeImage, 9) : NULL;
    if (type && type[7] != 1)
        access_broken(x, ACCESS_OFFSET, VUID_StandaloneSpirv_Offset_04865, index,
                      "the texel of an image has an offset, but the image's type has a Sampled of "
                      "%u, and not of 1",
                      type[7]);
}

/* If the VulkanMemoryModel capability is declared, the OpLoad instruction must use MemorySemantics
 * with the Volatile flag when it accesses into any variable that includes one of these BuiltIn
 * decorations when used in these shaders */
static void check_volatile_load(struct accesses *x, const uint32_t *words, uint32_t length,
                                uint32_t index)
{
    const uint32_t built_in = built_in_of(x, accessed_variable(x, words[3]), SPIRV_NONE);
    const struct spirv_enumerant *name = spirv_enumerant(SPIRV_KIND_BuiltIn, built_in);
    if (name && loads_volatile(x, built_in) &&
        !(length > 4 && words[4] & SpvMemoryAccessVolatileMask))
        access_broken(x, ACCESS_VOLATILE, VUID_StandaloneSpirv_VulkanMemoryModel_04679, index,
                      "OpLoad reads the built-in %s in a shader for rays, and is not Volatile",
                      name->name);
}

/* The bit of an execution model. */
static uint32_t access_model(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelVertex:
    case SpvExecutionModelTessellationEvaluation:
    case SpvExecutionModelGeometry:
        return MODEL_OF_LAYERS;
    case SpvExecutionModelMeshEXT:
        return MODEL_MESH;
    case SpvExecutionModelRayGenerationKHR:
    case SpvExecutionModelClosestHitKHR:
    case SpvExecutionModelMissKHR:
    case SpvExecutionModelCallableKHR:
        return MODEL_RAYS;
    case SpvExecutionModelIntersectionKHR:
        return MODEL_INTERSECTION;
    default:
        return MODEL_OTHER;
    }
}

bool accesses_check(const struct call *call, const struct location *where,
                    const struct spirv_module *module, bool *told)
{
    struct accesses x = {.call = call, .where = where, .module = module, .work = WORK_MOST};
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction), length = instruction->length;
        if (x.models == MODEL_MESH && x.view_index)
            check_mesh(&x, instruction, i);
        switch (instruction->opcode) {
        case SpvOpCapability:
            x.memory_model |= length > 1 && words[1] == SpvCapabilityVulkanMemoryModel;
            break;
        case SpvOpEntryPoint:
            if (length > 1)
                x.models |= access_model(words[1]);
            break;
        case SpvOpDecorate:
            if (length > 2)
                read_decoration(&x, words[1], SPIRV_NONE, words + 2, length - 2, i);
            break;
        case SpvOpMemberDecorate:
            if (length > 3)
                read_decoration(&x, words[1], words[2], words + 3, length - 3, i);
            break;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
            if (x.built_in_count && length > 4)
                check_view_element(&x, words, length, i);
            break;
        case SpvOpLoad:
            if (x.built_in_count && x.memory_model && length > 3)
                check_volatile_load(&x, words, length, i);
            break;
        case SpvOpImageRead:
        case SpvOpImageSparseRead:
            check_image_offset(&x, instruction, 3, 5, i);
            break;
        case SpvOpImageWrite:
            check_image_offset(&x, instruction, 1, 4, i);
            break;
        default:
            break;
        }
    }
    *told |= x.told != 0;
    return x.skip;
}
