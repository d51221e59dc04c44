/* Checks for NaN and infinities (gpuav_nan) that a shader computes and stores where others see
 * them, or that a fragment shader is given. Values that are only moved are left alone, as
 * floating-point types often carry other data. Bits are compared, since compilers may assume that
 * there is no NaN. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* how far a value is followed through copies, negations and constructions */
#define NAN_DEPTH 6
/* how far constructions are taken apart: a matrix of vectors of numbers has two */
#define NAN_PARTS 3

/* Where a value comes from. */
struct nan_origin {
    enum {
        NAN_MOVED,    /* from memory, constants or other bits: not looked at */
        NAN_COMPUTED, /* by arithmetic, or unknown: a NaN is a finding */
        NAN_OPERATION /* by an operation on each component: an infinity of finite numbers, too */
    } kind;
    uint32_t what;        /* opcode | instruction of GLSL.std.450 << 16; 0: unknown */
    uint32_t made;        /* id of the operation's result; 0: unknown */
    uint32_t operands[2]; /* ids; 0: there is none */
    uint32_t component;   /* of the operands; SPIRV_NONE: all of them */
};

/* Functions of GLSL.std.450 that work on each component, with one or two operands to show. */
static bool nan_by_component(uint32_t function)
{
    switch (function) {
    case GLSLstd450Sin:
    case GLSLstd450Cos:
    case GLSLstd450Tan:
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Sinh:
    case GLSLstd450Cosh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
    case GLSLstd450Atan2:
    case GLSLstd450Pow:
    case GLSLstd450Exp:
    case GLSLstd450Log:
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
        return true;
    default:
        return false;
    }
}

/* True if the sanitizer reports where the operation gives a NaN or an infinity. It does not report
 * a NaN that an operand is already. */
static bool nan_is_reported(const struct instrument *x, uint32_t what)
{
    if (!(x->info->checks & SPIRV_CHECK_SANITIZER))
        return false;
    switch (what >> 16) {
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
    case GLSLstd450Atan2:
    case GLSLstd450Pow:
    case GLSLstd450Log:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
        return true;
    default:
        return what == SpvOpFMod || what == SpvOpFRem;
    }
}

/* True if the module makes floating-point numbers of other bits somewhere: then a value of unknown
 * origin may be no number at all. */
static bool nan_has_other_bits(struct instrument *x)
{
    const struct spirv_module *module = x->module;
    for (uint32_t i = 0; i < module->instruction_count && !x->nan_bits_known; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode == SpvOpBitcast && instruction->length > 3) {
            struct instrument_numbers numbers;
            x->nan_bits |= instrument_numbers(x, words[1], &numbers) && numbers.real;
        } else if (instruction->opcode == SpvOpExtInst && instruction->length > 4) {
            x->nan_bits |=
                words[4] >= GLSLstd450UnpackSnorm4x8 && words[4] <= GLSLstd450UnpackDouble2x32;
        }
    }
    x->nan_bits_known = true;
    return x->nan_bits;
}

/* The storage class of a pointer's type; SPIRV_NONE: the id is not a pointer. */
static uint32_t nan_storage(const struct instrument *x, uint32_t pointer)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, pointer), SpvOpTypePointer, 4);
    return type ? type[2] : SPIRV_NONE;
}

/* Follows a value to the operation that made it. */
static struct nan_origin nan_origin_of(struct instrument *x, uint32_t id)
{
    struct nan_origin origin = {.component = SPIRV_NONE};
    for (uint32_t depth = 0; depth < NAN_DEPTH; depth++) {
        id = instrument_same(x, id);
        const struct spirv_instruction *made = spirv_definition(x->module, id);
        if (!made || made->length < 4)
            return origin;
        const uint32_t *words = spirv_words(x->module, made);
        origin.what = made->opcode;
        origin.made = id;
        switch (made->opcode) {
        case SpvOpCopyObject:
        case SpvOpFNegate:
            id = words[3];
            continue;
        case SpvOpCompositeExtract:
            if (made->length != 5 || origin.component != SPIRV_NONE ||
                !instrument_definition(x, instrument_type_of(x, words[3]), SpvOpTypeVector, 4)) {
                origin.kind = nan_has_other_bits(x) ? NAN_MOVED : NAN_COMPUTED;
                origin.what = 0;
                return origin;
            }
            origin.component = words[4];
            id = words[3];
            continue;
        case SpvOpFAdd:
        case SpvOpFSub:
        case SpvOpFMul:
        case SpvOpFDiv:
        case SpvOpFRem:
        case SpvOpFMod:
        case SpvOpVectorTimesScalar:
        case SpvOpFConvert:
            origin.operands[0] = words[3];
            origin.operands[1] = made->length > 4 ? words[4] : 0;
            origin.kind = NAN_OPERATION;
            return origin;
        case SpvOpExtInst:
            if (made->length < 6 ||
                (words[4] >= GLSLstd450UnpackSnorm4x8 && words[4] <= GLSLstd450UnpackDouble2x32))
                return origin;
            origin.kind = nan_by_component(words[4]) ? NAN_OPERATION : NAN_COMPUTED;
            origin.what |= words[4] << 16;
            if (origin.kind == NAN_OPERATION) {
                origin.operands[0] = words[5];
                origin.operands[1] = made->length > 6 ? words[6] : 0;
            }
            return origin;
        case SpvOpDot:
        case SpvOpMatrixTimesScalar:
        case SpvOpVectorTimesMatrix:
        case SpvOpMatrixTimesVector:
        case SpvOpMatrixTimesMatrix:
        case SpvOpOuterProduct:
            origin.kind = NAN_COMPUTED;
            return origin;
        case SpvOpLoad:
            origin.what = 0;
            if (nan_storage(x, words[3]) == SpvStorageClassFunction ||
                nan_storage(x, words[3]) == SpvStorageClassPrivate)
                origin.kind = nan_has_other_bits(x) ? NAN_MOVED : NAN_COMPUTED;
            return origin;
        case SpvOpSelect:
        case SpvOpPhi:
        case SpvOpFunctionCall:
        case SpvOpVectorShuffle:
        case SpvOpCompositeInsert:
            origin.kind = nan_has_other_bits(x) ? NAN_MOVED : NAN_COMPUTED;
            origin.what = 0;
            return origin;
        default:
            return origin;
        }
    }
    return origin;
}

/* Emits the bits of a value's components as a uvec4, or of one component as its first; a constant 0
 * if the value is not there or has another number of components. */
static uint32_t nan_words(struct instrument *x, uint32_t id, uint32_t type, uint32_t component,
                          uint32_t count)
{
    const uint32_t u32 = spirv_edit_type_u32(&x->edit), zero = instrument_u32(x, 0),
                   four = spirv_edit_type_vector(&x->edit, u32, 4);
    uint32_t parts[4] = {zero, zero, zero, zero}, given = 0;
    struct instrument_numbers numbers;
    if (id && instrument_numbers(x, type, &numbers) && numbers.real) {
        if (component != SPIRV_NONE && component < numbers.count && numbers.count > 1) {
            id = instrument_emit(x, SpvOpCompositeExtract, numbers.element,
                                 (const uint32_t[]){id, component}, 2);
            numbers.count = 1;
            numbers.type = numbers.element;
        }
        given = numbers.count == 1 || numbers.count == count ? numbers.count : 0;
    }
    if (!given)
        return spirv_edit_constant(&x->edit, SpvOpConstantComposite, four, parts, 4);
    uint32_t words = instrument_number_words(x, id, &numbers);
    if (given == 4)
        return words;
    /* a scalar beside a vector is an operand of each component */
    uint32_t length = given > 1 ? 5 - given : 4;
    parts[0] = words;
    for (uint32_t i = 1; given == 1 && i < count; i++)
        parts[i] = words;
    return instrument_emit(x, SpvOpCompositeConstruct, four, parts, length);
}

/* Emits the check of a scalar or vector. `where` is NAN_IN_... */
static void nan_check(struct instrument *x, uint32_t id, uint32_t type,
                      const struct nan_origin *origin, uint32_t where)
{
    struct instrument_numbers numbers;
    if (!instrument_numbers(x, type, &numbers) || !numbers.real)
        return;
    const uint32_t *operands = origin->operands, count = (uint32_t)!!operands[0] + !!operands[1];
    uint32_t flags = 0;
    if (nan_is_reported(x, origin->what))
        flags = NAN_OF_OPERAND;
    else if (origin->kind == NAN_OPERATION && numbers.width < 64)
        /* A 64-bit number may be finite and too large for the 32 bits that are looked at. */
        flags = NAN_INFINITE;
    /* Components of one result that are stored one by one make one finding: after the first that is
     * bad, the others are silent. */
    const bool goes_on = x->nan_made && x->nan_made == origin->made && x->nan_where == where &&
                         x->nan_block == x->own_block && origin->component != SPIRV_NONE;
    uint32_t flags_id = instrument_u32(x, flags);
    if (goes_on) {
        flags_id =
            instrument_emit(x, SpvOpSelect, spirv_edit_type_u32(&x->edit),
                            (const uint32_t[]){x->nan_bad, instrument_u32(x, NAN_SILENT), flags_id},
                            3);
    } else {
        struct spirv_site site = {
            .where = instrument_here(x),
            .error = ERROR_NAN,
            .words = {origin->what, VALUE_SCALAR, 0, 0, 0, where | count << NAN_OPERANDS_SHIFT},
            .from = {[2] = SITE_B, [3] = SITE_C, [4] = SITE_D}};
        if (numbers.count > 1)
            site.from[1] = SITE_A;
        x->nan_site = instrument_site(x, &site);
        x->nan_made = origin->component == SPIRV_NONE ? 0 : origin->made;
        x->nan_where = where;
        x->nan_block = x->own_block;
        x->result->checks++;
    }
    const uint32_t arguments[] = {nan_words(x, id, type, SPIRV_NONE, numbers.count),
                                  nan_words(x, operands[0], instrument_type_of(x, operands[0]),
                                            origin->component, numbers.count),
                                  nan_words(x, operands[1], instrument_type_of(x, operands[1]),
                                            origin->component, numbers.count),
                                  flags_id, x->nan_site};
    x->nan_bad = instrument_call(x, "assay_nan", spirv_edit_type_bool(&x->edit), arguments,
                                 ARRAY_LENGTH(arguments));
}

/* Checks a value that is stored: the parts that it is constructed of, or a whole scalar or vector.
 */
static void nan_check_stored(struct instrument *x, uint32_t id, uint32_t where, uint32_t depth)
{
    const struct spirv_instruction *made = spirv_definition(x->module, instrument_same(x, id));
    if (made && made->opcode == SpvOpCompositeConstruct && made->length <= 3 + 16 && depth) {
        const uint32_t *words = spirv_words(x->module, made);
        for (uint32_t i = 3; i < made->length; i++) {
            if (i == 3 || words[i] != words[i - 1])
                nan_check_stored(x, words[i], where, depth - 1);
        }
        return;
    }
    struct nan_origin origin = nan_origin_of(x, id);
    if (origin.kind != NAN_MOVED)
        nan_check(x, id, instrument_type_of(x, id), &origin, where);
}

/* Checks what a fragment shader loads of an input without a built-in. */
static void nan_check_input(struct instrument *x, const uint32_t *words)
{
    const uint32_t *chain = instrument_definition(x, words[3], SpvOpAccessChain, 5);
    const uint32_t variable = chain ? chain[3] : words[3];
    struct instrument_numbers numbers;
    if (x->info->model != SpvExecutionModelFragment ||
        nan_storage(x, words[3]) != SpvStorageClassInput ||
        instrument_opcode(x, variable) != SpvOpVariable || x->builtins[variable] != SPIRV_NONE ||
        !instrument_numbers(x, words[1], &numbers) || !numbers.real)
        return;
    const struct nan_origin given = {.kind = NAN_OPERATION, .component = SPIRV_NONE};
    uint32_t load = instrument_emit(x, SpvOpLoad, words[1], &words[3], 1);
    nan_check(x, load, words[1], &given, NAN_IN_INPUT);
}

void instrument_nan(struct instrument *x, const struct spirv_instruction *instruction,
                    const uint32_t *words)
{
    if (!(x->info->checks & SPIRV_CHECK_NAN))
        return;
    if (instruction->opcode == SpvOpLoad && instruction->length > 3) {
        nan_check_input(x, words);
    } else if (instruction->opcode == SpvOpImageWrite && instruction->length > 3) {
        nan_check_stored(x, words[3], NAN_IN_IMAGE, NAN_PARTS);
    } else if (instruction->opcode == SpvOpStore && instruction->length > 2) {
        switch (nan_storage(x, words[1])) {
        case SpvStorageClassStorageBuffer:
        case SpvStorageClassUniform:
        case SpvStorageClassPhysicalStorageBuffer:
            nan_check_stored(x, words[2], NAN_IN_BUFFER, NAN_PARTS);
            break;
        case SpvStorageClassOutput:
            nan_check_stored(x, words[2], NAN_IN_OUTPUT, NAN_PARTS);
            break;
        default:
            break;
        }
    }
}
