/* Checks for arithmetic with undefined results: division by zero, shifts by too many bits,
 * functions outside of their domain. Only what SPIR-V and GLSL.std.450 call undefined is checked;
 * OpFDiv by zero, for example, is defined. The conditions are emitted here, for any width and
 * number of components; the library only reports. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/abi.h"

/* --- constants --- */

/* Finds the bits of a scalar constant that specialization cannot change. A constant of fewer than
 * 64 bits is zero-extended: sign extension in the module's word is removed. Returns false if the id
 * is not such a constant. */
static bool scalar_bits(const struct instrument *x, uint32_t id, uint32_t width, uint64_t *bits)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    if (!definition)
        return false;
    const uint32_t *words = spirv_words(x->module, definition);
    *bits = 0;
    if (definition->opcode == SpvOpConstantNull)
        return true;
    if (definition->opcode != SpvOpConstant || definition->length < (width > 32 ? 5 : 4))
        return false;
    *bits = width > 32 ? words[3] | (uint64_t)words[4] << 32 : words[3];
    if (width < 32)
        *bits &= (1u << width) - 1;
    return true;
}

/* Finds the bits of a constant's components. Returns false if one of them is not known. */
static bool constant_bits(const struct instrument *x, uint32_t id,
                          const struct instrument_numbers *numbers, uint64_t *bits)
{
    const uint32_t *composite =
        instrument_definition(x, id, SpvOpConstantComposite, 3 + numbers->count);
    if (numbers->count > 1 && !composite && instrument_opcode(x, id) != SpvOpConstantNull)
        return false;
    for (uint32_t i = 0; i < numbers->count; i++) {
        if (!scalar_bits(x, composite ? composite[3 + i] : id, numbers->width, &bits[i]))
            return false;
    }
    return true;
}

/* True if no component is equal to `value`. */
static bool none_is(const uint64_t *bits, uint32_t count, uint64_t value)
{
    for (uint32_t i = 0; i < count; i++) {
        if (bits[i] == value)
            return false;
    }
    return true;
}

/* True if all components are less than the limit, as unsigned numbers. */
static bool all_below(const uint64_t *bits, uint32_t count, uint64_t limit)
{
    for (uint32_t i = 0; i < count; i++) {
        if (bits[i] >= limit)
            return false;
    }
    return true;
}

/* Returns a constant with the same value in each component. `bits` are cut to the width. */
static uint32_t sanitizer_splat(struct instrument *x, const struct instrument_numbers *numbers,
                                uint64_t bits)
{
    uint32_t words[2] = {(uint32_t)bits, (uint32_t)(bits >> 32)};
    if (numbers->width < 32) { /* 2.2.1: signed types are sign-extended, others zero-extended */
        uint32_t mask = (1u << numbers->width) - 1;
        words[0] &= mask;
        if (numbers->is_signed && words[0] >> (numbers->width - 1))
            words[0] |= ~mask;
    }
    uint32_t one = spirv_edit_constant(&x->edit, SpvOpConstant, numbers->element, words,
                                       numbers->width > 32 ? 2 : 1);
    const uint32_t same[4] = {one, one, one, one};
    return numbers->count == 1 ? one
                               : spirv_edit_constant(&x->edit, SpvOpConstantComposite,
                                                     numbers->type, same, numbers->count);
}

/* Returns a constant of a floating-point type with 0, 1 or -1 in each component. */
static uint32_t splat_real(struct instrument *x, const struct instrument_numbers *numbers,
                           int value)
{
    static const uint64_t ones[] = {[1] = 0x3c00, [2] = 0x3f800000, [4] = 0x3ff0000000000000};
    uint64_t bits = value ? ones[numbers->width / 16] : 0;
    if (value < 0)
        bits |= (uint64_t)1 << (numbers->width - 1);
    return sanitizer_splat(x, numbers, bits);
}

/* --- conditions and reports --- */

/* Returns the type of the result of a comparison: a bool, or a vector of bools. */
static uint32_t bools_of(struct instrument *x, const struct instrument_numbers *numbers)
{
    uint32_t type = spirv_edit_type_bool(&x->edit);
    return numbers->count == 1 ? type : spirv_edit_type_vector(&x->edit, type, numbers->count);
}

/* Emits a comparison, component by component, or an operation on its results. */
static uint32_t sanitizer_compare(struct instrument *x, SpvOp opcode,
                                  const struct instrument_numbers *numbers, uint32_t a, uint32_t b)
{
    return instrument_emit(x, opcode, bools_of(x, numbers), (const uint32_t[]){a, b}, 2);
}

/* If the operand is a constant of 32 bits, stores it in this word of the site and returns true; the
 * record need not have it. */
static bool known_word(const struct instrument *x, uint32_t id,
                       const struct instrument_numbers *numbers, struct spirv_site *site,
                       uint32_t word)
{
    uint64_t bits;
    if (numbers->width != 32 || !constant_bits(x, id, numbers, &bits))
        return false;
    site->words[word] = (uint32_t)bits;
    site->from[word] = SITE_CONSTANT;
    return true;
}

/* A finding that is reported if a condition is true. */
struct finding {
    uint32_t error, what;                         /* ERROR_..., and its first word */
    uint32_t a, b;                                /* ids of the operands; b 0: there is only a */
    const struct instrument_numbers *of_a, *of_b; /* types of the operands */
    /* the behavior is undefined, not only the value: in safe mode the instruction is skipped */
    bool behavior;
};

/* Adds a site for the finding. For a vector the shader writes the number of the component. */
static uint32_t site_of(struct instrument *x, const struct instrument_numbers *numbers,
                        const struct finding *finding)
{
    struct spirv_site site = {
        .where = instrument_here(x), .error = finding->error, .words = {finding->what}};
    if (numbers->count > 1) {
        site.from[1] = SITE_A;
        site.from[2] = SITE_B;
        site.from[3] = SITE_C;
    } else {
        site.words[1] = VALUE_SCALAR;
        site.from[2] = SITE_A;
        site.from[3] = SITE_B;
        (void)known_word(x, finding->a, finding->of_a, &site, 2);
        if (finding->b)
            (void)known_word(x, finding->b, finding->of_b, &site, 3);
    }
    return instrument_site(x, &site);
}

/* Returns the operand of a scalar operation as a word for the record; a constant 0 if the site has
 * the operand. */
static uint32_t as_word(struct instrument *x, uint32_t id, const struct instrument_numbers *numbers)
{
    struct spirv_site ignored = {0};
    return known_word(x, id, numbers, &ignored, 0) ? instrument_u32(x, 0)
                                                   : instrument_number_words(x, id, numbers);
}

/* Emits the report for a condition, a bool or a vector of bools. In safe mode an instruction with
 * undefined behavior is skipped. */
static void tell_at(struct instrument *x, uint32_t bad, const struct instrument_numbers *numbers,
                    const struct finding *finding, uint32_t site)
{
    uint32_t type = spirv_edit_type_bool(&x->edit), zero = instrument_u32(x, 0);
    if (numbers->count == 1) {
        uint32_t a = as_word(x, finding->a, finding->of_a),
                 b = finding->b ? as_word(x, finding->b, finding->of_b) : a;
        instrument_tell(x, bad, site, (const uint32_t[]){a, b, zero});
        if (finding->behavior && x->info->safe)
            instrument_require(x, instrument_emit(x, SpvOpLogicalNot, type, &bad, 1));
        return;
    }
    static const char *const functions[] = {
        [2] = "assay_values2", [3] = "assay_values3", [4] = "assay_values4"};
    uint32_t a = instrument_number_words(x, finding->a, finding->of_a),
             b = finding->b ? instrument_number_words(x, finding->b, finding->of_b) : a;
    const uint32_t arguments[] = {bad, a, b, site};
    if (finding->behavior) {
        (void)instrument_check(x, functions[numbers->count], arguments, ARRAY_LENGTH(arguments));
        return;
    }
    (void)instrument_call(x, functions[numbers->count], type, arguments, ARRAY_LENGTH(arguments));
    x->result->checks++;
}

/* Emits the report with a new site. */
static void sanitizer_report(struct instrument *x, uint32_t bad,
                             const struct instrument_numbers *numbers,
                             const struct finding *finding)
{
    tell_at(x, bad, numbers, finding, site_of(x, numbers, finding));
}

/* True if the same check was emitted before, and is still valid; otherwise notes it. Always false
 * in safe mode, where each instruction needs a result of its own. */
static bool sanitizer_has_seen(struct instrument *x, uint32_t what, uint32_t a, uint32_t b)
{
    if (x->info->safe)
        return false;
    if (instrument_memo_find(x, MEMO_SANITIZED, what, a, b))
        return true;
    instrument_memo_add(x, MEMO_SANITIZED, what, a, b, 1);
    return false;
}

/* --- integers --- */

/* Returns the number of an extended instruction of GLSL.std.450; 0: it is another instruction. */
static uint32_t glsl_instruction(const struct instrument *x,
                                 const struct spirv_instruction *instruction, const uint32_t *words)
{
    if (instruction->opcode != SpvOpExtInst || instruction->length < 6)
        return 0;
    const struct spirv_instruction *import = spirv_definition(x->module, words[3]);
    uint32_t taken;
    if (!import || import->opcode != SpvOpExtInstImport || import->length < 3)
        return 0;
    const char *name =
        spirv_string(&spirv_words(x->module, import)[2], import->length - 2u, &taken);
    return name && strcmp(name, "GLSL.std.450") == 0 ? words[4] : 0;
}

/* True if the value cannot be 0 because of the operation that made it: max(y, 1), y | 1 and the
 * like. */
static bool never_zero(const struct instrument *x, uint32_t id,
                       const struct instrument_numbers *numbers)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    uint64_t bits[4];
    if (constant_bits(x, id, numbers, bits))
        return none_is(bits, numbers->count, 0);
    if (!definition || definition->length < 5)
        return false;
    const uint32_t *words = spirv_words(x->module, definition);
    if (definition->opcode == SpvOpBitwiseOr)
        return (constant_bits(x, words[3], numbers, bits) && none_is(bits, numbers->count, 0)) ||
               (constant_bits(x, words[4], numbers, bits) && none_is(bits, numbers->count, 0));
    uint32_t glsl = glsl_instruction(x, definition, words);
    if ((glsl != GLSLstd450UMax && glsl != GLSLstd450SMax) || definition->length < 7)
        return false;
    uint64_t limit = glsl == GLSLstd450UMax ? UINT64_MAX : (uint64_t)1 << (numbers->width - 1);
    for (uint32_t i = 5; i < 7; i++) {
        if (constant_bits(x, words[i], numbers, bits) && none_is(bits, numbers->count, 0) &&
            all_below(bits, numbers->count, limit))
            return true;
    }
    return false;
}

/* Checks for an overflow of OpSDiv, OpSMod, OpSRem: "undefined if Operand 2 is -1 and Operand 1 is
 * the minimum representable value". */
static void check_overflow(struct instrument *x, const uint32_t *words,
                           const struct instrument_numbers *numbers, uint32_t what)
{
    uint64_t bits[4], ones = UINT64_MAX >> (64 - numbers->width),
                      least = (uint64_t)1 << (numbers->width - 1);
    if ((constant_bits(x, words[4], numbers, bits) && none_is(bits, numbers->count, ones)) ||
        (constant_bits(x, words[3], numbers, bits) && none_is(bits, numbers->count, least)) ||
        sanitizer_has_seen(x, what, words[3], words[4]))
        return;
    uint32_t minus =
        sanitizer_compare(x, SpvOpIEqual, numbers, words[4], sanitizer_splat(x, numbers, ones));
    uint32_t minimum =
        sanitizer_compare(x, SpvOpIEqual, numbers, words[3], sanitizer_splat(x, numbers, least));
    uint32_t bad = sanitizer_compare(x, SpvOpLogicalAnd, numbers, minus, minimum);
    sanitizer_report(x, bad, numbers,
                     &(struct finding){ERROR_DIVISION_OVERFLOW, what, words[3], words[4], numbers,
                                       numbers, .behavior = true});
}

/* Checks a division: by zero, and with a quotient that overflows. */
static void check_division(struct instrument *x, const struct spirv_instruction *instruction,
                           const uint32_t *words)
{
    struct instrument_numbers numbers;
    if (instruction->length < 5 || !instrument_numbers(x, words[1], &numbers))
        return;
    /* the integer types of both operands may differ in signedness */
    struct instrument_numbers divisor = numbers, dividend = numbers;
    if (!instrument_numbers(x, instrument_type_of(x, words[4]), &divisor) ||
        !instrument_numbers(x, instrument_type_of(x, words[3]), &dividend))
        return;
    uint32_t what = instruction->opcode | numbers.width << 16;
    if (numbers.real) {
        uint64_t bits[4];
        if ((constant_bits(x, words[4], &divisor, bits) && none_is(bits, divisor.count, 0)) ||
            sanitizer_has_seen(x, what, words[4], 0))
            return;
        uint32_t bad =
            sanitizer_compare(x, SpvOpFOrdEqual, &divisor, words[4], splat_real(x, &divisor, 0));
        sanitizer_report(x, bad, &divisor,
                         &(struct finding){ERROR_DIVISION_BY_ZERO, what, words[3], words[4],
                                           &dividend, &divisor});
        return;
    }
    if (!never_zero(x, words[4], &divisor) &&
        !sanitizer_has_seen(x, ERROR_DIVISION_BY_ZERO, words[4], 0)) {
        uint32_t bad =
            sanitizer_compare(x, SpvOpIEqual, &divisor, words[4], sanitizer_splat(x, &divisor, 0));
        sanitizer_report(x, bad, &divisor,
                         &(struct finding){ERROR_DIVISION_BY_ZERO, what, words[3], words[4],
                                           &dividend, &divisor, .behavior = true});
    }
    if (instruction->opcode != SpvOpUDiv && instruction->opcode != SpvOpUMod &&
        divisor.is_signed == dividend.is_signed)
        check_overflow(x, words, &divisor, what);
}

/* Checks a shift: "The resulting value is undefined if Shift is greater than or equal to the bit
 * width of the components of Base." */
static void check_shift(struct instrument *x, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    struct instrument_numbers base, shift;
    uint64_t bits[4];
    if (instruction->length < 5 || !instrument_numbers(x, words[1], &base) ||
        !instrument_numbers(x, instrument_type_of(x, words[4]), &shift) ||
        shift.count != base.count)
        return;
    if (constant_bits(x, words[4], &shift, bits) && all_below(bits, shift.count, base.width))
        return;
    const uint32_t *masked = instrument_definition(x, words[4], SpvOpBitwiseAnd, 5);
    for (uint32_t i = 3; masked && i < 5; i++) {
        if (constant_bits(x, masked[i], &shift, bits) && all_below(bits, shift.count, base.width))
            return;
    }
    if (sanitizer_has_seen(x, ERROR_SHIFT | base.width << 16, words[4], 0))
        return;
    uint32_t bad = sanitizer_compare(x, SpvOpUGreaterThanEqual, &shift, words[4],
                                     sanitizer_splat(x, &shift, base.width));
    sanitizer_report(x, bad, &shift,
                     &(struct finding){ERROR_SHIFT, instruction->opcode | base.width << 16,
                                       words[4], words[3], &shift, &base});
}

/* Checks a bit field: "The resulting value is undefined if Count or Offset or their sum is greater
 * than the number of bits in the result." */
static void check_bits(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    struct instrument_numbers numbers;
    uint32_t at = instruction->opcode == SpvOpBitFieldInsert ? 5 : 4;
    uint64_t offset, count;
    if (instruction->length < at + 2 || !instrument_numbers(x, words[1], &numbers))
        return;
    if (instrument_value(x, words[at], &offset) && instrument_value(x, words[at + 1], &count) &&
        offset <= numbers.width && count <= numbers.width - offset)
        return;
    uint32_t from = instrument_to_u32(x, words[at]),
             bits = from ? instrument_to_u32(x, words[at + 1]) : 0;
    if (!bits ||
        sanitizer_has_seen(x, ERROR_BIT_FIELD | numbers.width << 16, words[at], words[at + 1]))
        return;
    const struct spirv_site site = {.where = instrument_here(x),
                                    .error = ERROR_BIT_FIELD,
                                    .words = {instruction->opcode | numbers.width << 16},
                                    .from = {[1] = SITE_A, [2] = SITE_B}};
    const uint32_t arguments[] = {from, bits, instrument_u32(x, numbers.width),
                                  instrument_site(x, &site)};
    (void)instrument_call(x, "assay_bits", spirv_edit_type_bool(&x->edit), arguments,
                          ARRAY_LENGTH(arguments));
    x->result->checks++;
}

/* --- indices --- */

/* Checks that an index is less than a limit. */
static void check_limit(struct instrument *x, uint32_t index, uint32_t limit, uint32_t error)
{
    uint64_t value;
    if (instrument_value(x, index, &value) && value < limit)
        return;
    uint32_t number = instrument_to_u32(x, index);
    if (!number || sanitizer_has_seen(x, error, index, limit))
        return;
    const struct spirv_site site = {
        .where = instrument_here(x), .error = error, .words = {[1] = limit}, .from = {SITE_A}};
    uint32_t type = spirv_edit_type_bool(&x->edit), zero = instrument_u32(x, 0);
    const uint32_t operands[] = {number, instrument_u32(x, limit)};
    uint32_t bad = instrument_emit(x, SpvOpUGreaterThanEqual, type, operands, 2);
    instrument_tell(x, bad, instrument_site(x, &site), (const uint32_t[]){number, zero, zero});
    if (x->info->safe)
        instrument_require(x, instrument_emit(x, SpvOpLogicalNot, type, &bad, 1));
}

/* Checks the index of a vector's component: "Behavior is undefined if Index's value is less than
 * zero or greater than or equal to the number of components in Vector." */
static void check_component(struct instrument *x, uint32_t vector, uint32_t index)
{
    const uint32_t *type =
        instrument_definition(x, instrument_type_of(x, vector), SpvOpTypeVector, 4);
    if (type)
        check_limit(x, index, type[3], ERROR_VECTOR_INDEX);
}

/* --- GLSL.std.450 --- */

/* True if the operand is a constant whose components are all finite and greater than 0. */
static bool is_positive(const struct instrument *x, uint32_t id,
                        const struct instrument_numbers *numbers)
{
    uint64_t bits[4], infinite = numbers->width == 16   ? 0x7c00
                                 : numbers->width == 32 ? 0x7f800000
                                                        : 0x7ff0000000000000;
    return constant_bits(x, id, numbers, bits) && none_is(bits, numbers->count, 0) &&
           all_below(bits, numbers->count, infinite);
}

/* Emits the condition for Pow: "undefined if x < 0, or if x = 0 and y <= 0". Returns 0 if a
 * constant operand excludes it. */
static uint32_t pow_is_bad(struct instrument *x, const uint32_t *words,
                           const struct instrument_numbers *numbers)
{
    uint32_t zero = splat_real(x, numbers, 0);
    if (is_positive(x, words[5], numbers))
        return 0;
    uint32_t bad = sanitizer_compare(x, SpvOpFOrdLessThan, numbers, words[5], zero);
    if (is_positive(x, words[6], numbers))
        return bad;
    uint32_t base = sanitizer_compare(x, SpvOpFOrdEqual, numbers, words[5], zero);
    uint32_t exponent = sanitizer_compare(x, SpvOpFOrdLessThanEqual, numbers, words[6], zero);
    return sanitizer_compare(x, SpvOpLogicalOr, numbers, bad,
                             sanitizer_compare(x, SpvOpLogicalAnd, numbers, base, exponent));
}

/* Emits the condition that a component is a NaN. Returns 0 for a constant. */
static uint32_t is_nan(struct instrument *x, uint32_t id, const struct instrument_numbers *numbers)
{
    uint64_t bits[4];
    if (constant_bits(x, id, numbers, bits)) /* a constant NaN is not reported as a mistake */
        return 0;
    return instrument_emit(x, SpvOpIsNan, bools_of(x, numbers), &id, 1);
}

/* Emits the condition for FMin and FMax: "Which operand is the result is undefined if one of the
 * operands is a NaN." If both are NaN, so is the result, whichever is taken. */
static uint32_t one_is_nan(struct instrument *x, const uint32_t *words,
                           const struct instrument_numbers *numbers)
{
    uint32_t a = is_nan(x, words[5], numbers), b = is_nan(x, words[6], numbers);
    return a && b ? sanitizer_compare(x, SpvOpLogicalNotEqual, numbers, a, b) : a ? a : b;
}

/* Emits the condition for Atan2: "undefined if x and y are both 0". Returns 0 if a constant operand
 * excludes it. */
static uint32_t both_are_zero(struct instrument *x, const uint32_t *words,
                              const struct instrument_numbers *numbers)
{
    uint32_t zero = splat_real(x, numbers, 0);
    if (is_positive(x, words[5], numbers) || is_positive(x, words[6], numbers))
        return 0;
    uint32_t y = sanitizer_compare(x, SpvOpFOrdEqual, numbers, words[5], zero);
    return sanitizer_compare(x, SpvOpLogicalAnd, numbers, y,
                             sanitizer_compare(x, SpvOpFOrdEqual, numbers, words[6], zero));
}

/* Emits FAbs with the module's own import of GLSL.std.450. */
static uint32_t sanitizer_magnitude(struct instrument *x, uint32_t import, uint32_t id,
                                    const struct instrument_numbers *numbers)
{
    return instrument_emit(x, SpvOpExtInst, numbers->type,
                           (const uint32_t[]){import, GLSLstd450FAbs, id}, 3);
}

/* True if two constants are certainly in order: low <= high, or low < high with `strictly`. Only
 * positive numbers are compared, since their bits have the same order as their values, also for
 * floating point. */
static bool in_order(const struct instrument *x, uint32_t low, uint32_t high,
                     const struct instrument_numbers *numbers, bool strictly)
{
    uint64_t a[4], b[4], sign = (uint64_t)1 << (numbers->width - 1);
    if (!constant_bits(x, low, numbers, a) || !constant_bits(x, high, numbers, b))
        return false;
    for (uint32_t i = 0; i < numbers->count; i++) {
        if ((a[i] | b[i]) & sign || a[i] > b[i] || (strictly && a[i] == b[i]))
            return false;
    }
    return true;
}

/* Emits the condition under which an instruction's result is undefined; returns 0: it never is.
 * words[5] is its first operand. */
static uint32_t math_is_bad(struct instrument *x, const uint32_t *words,
                            const struct instrument_numbers *numbers)
{
    switch (words[4]) {
    case GLSLstd450Sqrt: /* undefined if x < 0 */
        return sanitizer_compare(x, SpvOpFOrdLessThan, numbers, words[5],
                                 splat_real(x, numbers, 0));
    case GLSLstd450Log: /* undefined if x <= 0 */
    case GLSLstd450Log2:
    case GLSLstd450InverseSqrt:
        return is_positive(x, words[5], numbers)
                   ? 0
                   : sanitizer_compare(x, SpvOpFOrdLessThanEqual, numbers, words[5],
                                       splat_real(x, numbers, 0));
    case GLSLstd450Asin: /* undefined if abs x > 1 */
    case GLSLstd450Acos:
        return sanitizer_compare(x, SpvOpFOrdGreaterThan, numbers,
                                 sanitizer_magnitude(x, words[3], words[5], numbers),
                                 splat_real(x, numbers, 1));
    case GLSLstd450Acosh: /* undefined if x < 1 */
        return sanitizer_compare(x, SpvOpFOrdLessThan, numbers, words[5],
                                 splat_real(x, numbers, 1));
    case GLSLstd450Atanh: /* undefined if abs x >= 1 */
        return sanitizer_compare(x, SpvOpFOrdGreaterThanEqual, numbers,
                                 sanitizer_magnitude(x, words[3], words[5], numbers),
                                 splat_real(x, numbers, 1));
    default:
        return 0;
    }
}

/* Emits the condition under which a function of several operands is undefined; returns 0: it never
 * is. */
static uint32_t math_of_more_is_bad(struct instrument *x, const uint32_t *words,
                                    const struct instrument_numbers *numbers)
{
    switch (words[4]) {
    case GLSLstd450Pow:
        return pow_is_bad(x, words, numbers);
    case GLSLstd450Atan2:
        return both_are_zero(x, words, numbers);
    case GLSLstd450FMin:
    case GLSLstd450FMax:
        return one_is_nan(x, words, numbers);
    case GLSLstd450FClamp: /* undefined if minVal > maxVal */
    case GLSLstd450NClamp:
        return in_order(x, words[6], words[7], numbers, false)
                   ? 0
                   : sanitizer_compare(x, SpvOpFOrdGreaterThan, numbers, words[6], words[7]);
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
        return in_order(x, words[6], words[7], numbers, false)
                   ? 0
                   : sanitizer_compare(x,
                                       words[4] == GLSLstd450UClamp ? SpvOpUGreaterThan
                                                                    : SpvOpSGreaterThan,
                                       numbers, words[6], words[7]);
    case GLSLstd450SmoothStep: /* undefined if edge0 >= edge1 */
        return in_order(x, words[5], words[6], numbers, true)
                   ? 0
                   : sanitizer_compare(x, SpvOpFOrdGreaterThanEqual, numbers, words[5], words[6]);
    default:
        return 0;
    }
}

/* Returns how many operands the condition depends on: one or two, from word `*first` on; 0: the
 * instruction is not checked. */
static uint32_t deciding_operands(uint32_t glsl, uint32_t length, uint32_t *first)
{
    bool clamp = glsl == GLSLstd450FClamp || glsl == GLSLstd450UClamp || glsl == GLSLstd450SClamp ||
                 glsl == GLSLstd450NClamp;
    *first = clamp ? 6 : 5;
    if (length == 6)
        return 1;
    return length == 7 || (length == 8 && (clamp || glsl == GLSLstd450SmoothStep)) ? 2 : 0;
}

/* Emits the condition for an instruction, whose operands may be parameters of an outlined function,
 * and fills in `finding`. Returns 0 if the condition is never true. */
static uint32_t math_finding(struct instrument *x, const uint32_t *words, uint32_t first,
                             uint32_t count, const struct instrument_numbers *numbers,
                             struct finding *finding)
{
    *finding = (struct finding){ERROR_MATH,   words[4] | numbers->width << 16,
                                words[first], count > 1 ? words[first + 1] : 0,
                                numbers,      numbers};
    return count > 1 ? math_of_more_is_bad(x, words, numbers) : math_is_bad(x, words, numbers);
}

/* --- functions for checks that are needed in many places --- */

/* True if the instruction can be checked by an outlined function: its condition is not excluded by
 * constant operands. */
static bool may_be_outlined(const struct instrument_outline *wanted, uint32_t count)
{
    const uint32_t constants =
        (wanted->constants[0] != 0) + (count > 1 && wanted->constants[1] != 0);
    switch (wanted->words[4]) {
    case GLSLstd450FMin:
    case GLSLstd450FMax:
    case GLSLstd450FClamp:
    case GLSLstd450NClamp:
    case GLSLstd450SmoothStep:
        return constants < 2;
    case GLSLstd450Pow:
    case GLSLstd450Atan2:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt:
    case GLSLstd450Log:
    case GLSLstd450Log2:
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh:
        return !constants;
    default:
        return false;
    }
}

/* Returns a number that is the same for all instructions with the same condition. The site says
 * which instruction it was. */
static uint32_t family_of(uint32_t glsl)
{
    switch (glsl) {
    case GLSLstd450FMax:
        return GLSLstd450FMin;
    case GLSLstd450NClamp:
        return GLSLstd450FClamp;
    case GLSLstd450Log2:
    case GLSLstd450InverseSqrt:
        return GLSLstd450Log;
    case GLSLstd450Acos:
        return GLSLstd450Asin;
    default:
        return glsl;
    }
}

/* True if the condition does not depend on the value of a constant operand (one_is_nan()); only the
 * site has the value then. */
static bool constants_are_alike(const struct instrument *x,
                                const struct instrument_outline *outline)
{
    const uint32_t *real = instrument_definition(x, outline->type, SpvOpTypeFloat, 3);
    return real && real[2] == 32 && family_of(outline->words[4]) == GLSLstd450FMin;
}

/* True if one function can check both instructions. */
static bool is_same(const struct instrument *x, const struct instrument_outline *a,
                    const struct instrument_outline *b)
{
    if (family_of(a->words[4]) != family_of(b->words[4]) || a->type != b->type)
        return false;
    const bool alike = constants_are_alike(x, a);
    for (uint32_t i = 0; i < ARRAY_LENGTH(a->constants); i++) {
        if (alike ? !a->constants[i] != !b->constants[i] : a->constants[i] != b->constants[i])
            return false;
    }
    return true;
}

/* Describes the function that could check the instruction. If `count` is 0, the instruction is not
 * checked. */
static struct instrument_outline sanitizer_outline(const struct instrument *x,
                                                   const struct spirv_instruction *instruction,
                                                   const uint32_t *words)
{
    struct instrument_numbers numbers;
    uint64_t bits[4];
    struct instrument_outline wanted = {.words = {[4] = glsl_instruction(x, instruction, words)}};
    if (!wanted.words[4] || !instrument_numbers(x, instrument_type_of(x, words[5]), &numbers))
        return wanted;
    wanted.words[3] = words[3];
    wanted.type = numbers.type;
    wanted.count = deciding_operands(wanted.words[4], instruction->length, &wanted.first);
    for (uint32_t i = 0; i < wanted.count; i++) {
        const uint32_t operand = words[wanted.first + i];
        wanted.constants[i] = constant_bits(x, operand, &numbers, bits) ? operand : 0;
        wanted.mixed |= instrument_type_of(x, operand) != wanted.type;
    }
    return wanted;
}

/* fewest places for which a function is made; for fewer it has more words than it saves */
#define OUTLINE_FROM 3

/* True if at least OUTLINE_FROM places of the module need the same function. */
static bool is_frequent(const struct instrument *x, const struct instrument_outline *wanted)
{
    uint32_t found = 0;
    for (uint32_t i = x->edit.first_function;
         i < x->module->instruction_count && found < OUTLINE_FROM; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode != SpvOpExtInst || instruction->length < 6 ||
            family_of(words[4]) != family_of(wanted->words[4]))
            continue;
        const struct instrument_outline other = sanitizer_outline(x, instruction, words);
        found += other.count == wanted->count && !other.mixed && is_same(x, &other, wanted);
    }
    return found == OUTLINE_FROM;
}

/* Returns the function that checks and reports; NULL: the check is emitted at the instruction. */
static const struct instrument_outline *find_outline(struct instrument *x,
                                                     struct instrument_outline *wanted)
{
    uint32_t i = 0;
    if (wanted->mixed || !may_be_outlined(wanted, wanted->count))
        return NULL;
    while (i < x->outline_count && !is_same(x, &x->outlines[i], wanted))
        i++;
    if (i == ARRAY_LENGTH(x->outlines))
        return NULL;
    if (i == x->outline_count) {
        wanted->function = is_frequent(x, wanted) ? spirv_edit_id(&x->edit) : 0;
        x->outlines[x->outline_count++] = *wanted;
    }
    return x->outlines[i].function ? &x->outlines[i] : NULL;
}

/* True if part of a value is undefined. Each use of it may have another value, so that a check
 * would not see the value that the instruction uses. */
static bool is_undefined(const struct instrument *x, uint32_t id, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    bool undefined = definition && definition->opcode == SpvOpUndef;
    if (!definition || !depth ||
        (definition->opcode != SpvOpCompositeConstruct &&
         definition->opcode != SpvOpConstantComposite && definition->opcode != SpvOpVectorShuffle &&
         definition->opcode != SpvOpCompositeInsert))
        return undefined;
    const uint32_t *words = spirv_words(x->module, definition);
    uint32_t end = definition->length;
    if (definition->opcode == SpvOpVectorShuffle || definition->opcode == SpvOpCompositeInsert)
        end = end < 5 ? end : 5; /* the words after these are literals */
    for (uint32_t i = 3; i < end && !undefined; i++)
        undefined = is_undefined(x, words[i], depth - 1);
    return undefined;
}

/* Checks the operands of an instruction of GLSL.std.450, at the instruction or by a call of an
 * outlined function. */
static void check_math(struct instrument *x, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    struct instrument_numbers numbers, of_b;
    struct finding finding;
    struct instrument_outline wanted = sanitizer_outline(x, instruction, words);
    if (!wanted.count || !instrument_numbers(x, wanted.type, &numbers))
        return;
    for (uint32_t i = 0; i < wanted.count; i++) {
        if (is_undefined(x, words[wanted.first + i], 4))
            return;
    }
    const struct instrument_outline *outline = find_outline(x, &wanted);
    if (!outline) {
        uint32_t bad = math_finding(x, words, wanted.first, wanted.count, &numbers, &finding);
        if (!bad || (finding.b && !instrument_numbers(x, instrument_type_of(x, finding.b), &of_b)))
            return;
        finding.of_b = finding.b ? &of_b : &numbers;
        sanitizer_report(x, bad, &numbers, &finding);
        return;
    }
    uint32_t arguments[4] = {outline->function}, count = 1;
    for (uint32_t i = 0; i < wanted.count; i++)
        /* Constant operands are in the outlined function. */
        if (!wanted.constants[i])
            arguments[count++] = words[wanted.first + i];
    finding = (struct finding){ERROR_MATH,
                               wanted.words[4] | numbers.width << 16,
                               words[wanted.first],
                               wanted.count > 1 ? words[wanted.first + 1] : 0,
                               &numbers,
                               &numbers};
    arguments[count++] = site_of(x, &numbers, &finding);
    (void)instrument_emit(x, SpvOpFunctionCall, spirv_edit_type_void(&x->edit), arguments, count);
    x->result->checks++;
}

/* Emits an outlined function. Its parameters are the operands that are not constant, and the
 * site. */
static void make_outline(struct instrument *x, struct instrument_outline *outline)
{
    struct instrument_numbers numbers;
    struct finding finding;
    uint32_t none = spirv_edit_type_void(&x->edit), types[3], count = 0, checks = x->result->checks;
    if (!instrument_numbers(x, outline->type, &numbers))
        return;
    for (uint32_t i = 0; i < outline->count; i++)
        if (!outline->constants[i])
            types[count++] = outline->type;
    types[count] = spirv_edit_type_u32(&x->edit);
    uint32_t type = spirv_edit_type_function(&x->edit, none, types, count + 1);
    spirv_edit_emit(&x->edit, SpvOpFunction, none, outline->function, SpvFunctionControlMaskNone,
                    type);
    for (uint32_t i = 0; i < outline->count; i++)
        outline->words[outline->first + i] =
            outline->constants[i]
                ? outline->constants[i]
                : instrument_emit(x, SpvOpFunctionParameter, outline->type, NULL, 0);
    uint32_t site = instrument_emit(x, SpvOpFunctionParameter, types[count], NULL, 0);
    spirv_edit_emit(&x->edit, SpvOpLabel, spirv_edit_id(&x->edit));
    uint32_t bad =
        math_finding(x, outline->words, outline->first, outline->count, &numbers, &finding);
    if (bad)
        tell_at(x, bad, &numbers, &finding, site);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpReturn, NULL, 0);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
    x->result->checks = checks; /* checks are counted where the function is called */
}

void instrument_sanitizer_end(struct instrument *x)
{
    for (uint32_t i = 0; i < x->outline_count; i++) {
        if (x->outlines[i].function)
            make_outline(x, &x->outlines[i]);
    }
}

void instrument_sanitizer(struct instrument *x, const struct spirv_instruction *instruction,
                          const uint32_t *words)
{
    if (!(x->info->checks & SPIRV_CHECK_SANITIZER))
        return;
    switch (instruction->opcode) {
    case SpvOpUDiv:
    case SpvOpSDiv:
    case SpvOpUMod:
    case SpvOpSMod:
    case SpvOpSRem:
    case SpvOpFRem: /* "The resulting value is undefined if Operand 2 is 0." */
    case SpvOpFMod:
        check_division(x, instruction, words);
        break;
    case SpvOpShiftLeftLogical:
    case SpvOpShiftRightLogical:
    case SpvOpShiftRightArithmetic:
        check_shift(x, instruction, words);
        break;
    case SpvOpBitFieldInsert:
    case SpvOpBitFieldSExtract:
    case SpvOpBitFieldUExtract:
        check_bits(x, instruction, words);
        break;
    case SpvOpImageGather: /* "Behavior is undefined if its value is not 0, 1, 2 or 3." */
    case SpvOpImageSparseGather:
        if (instruction->length > 5)
            check_limit(x, words[5], 4, ERROR_GATHER);
        break;
    case SpvOpVectorExtractDynamic:
        if (instruction->length > 4)
            check_component(x, words[3], words[4]);
        break;
    case SpvOpVectorInsertDynamic:
        if (instruction->length > 5)
            check_component(x, words[3], words[5]);
        break;
    case SpvOpExtInst:
        check_math(x, instruction, words);
        break;
    default:
        break;
    }
}
