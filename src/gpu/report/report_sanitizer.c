/* Reports computations of shaders without a defined result. Undefined behavior in SPIR-V is an
 * error. An undefined value is a warning: as long as it is not used, it does no harm. */
#include "gpu/report/report.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <string.h>

/* The kind of a value in a record: a floating-point number, or a signed or unsigned integer. */
enum value_kind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_REAL };
/* Bytes that the longest number needs, with its terminating zero. */
#define NUMBER 32

/* Writes the word as a value of this kind, and returns `to`. */
static const char *sanitizer_number(enum value_kind kind, uint32_t word, char to[NUMBER])
{
    float real;
    memcpy(&real, &word, sizeof(real));
    if (kind == VALUE_REAL && real != real)
        snprintf(to, NUMBER, "NaN");
    else if (kind == VALUE_REAL)
        snprintf(to, NUMBER, "%g", (double)real);
    else if (kind == VALUE_SIGNED)
        snprintf(to, NUMBER, "%d", (int32_t)word);
    else
        snprintf(to, NUMBER, "%u", word);
    return to;
}

/* Writes " (component 2)" for a vector, and nothing for a scalar. */
static const char *sanitizer_component(const struct gpu_message *message, char to[NUMBER])
{
    const uint32_t word = gpu_message_word(message, 1);
    to[0] = 0;
    if (word != VALUE_SCALAR)
        snprintf(to, NUMBER, " (component %u)", word);
    return to;
}

/* Returns the instruction's name in SPIR-V's grammar. */
static const char *opcode_name(uint32_t opcode)
{
    const struct spirv_instruction_rule *rule = spirv_instruction_rule((uint16_t)opcode);
    return rule ? rule->name : "an instruction";
}

/* --- integers --- */

/* Reports a division by zero, or one whose quotient cannot be represented. */
static void tell_division(struct gpu_message *message, bool overflow)
{
    const uint32_t opcode = gpu_message_word(message, 0) & 0xffffu,
                   width = gpu_message_word(message, 0) >> 16;
    const bool real = opcode == SpvOpFMod || opcode == SpvOpFRem;
    const enum value_kind integer =
        opcode == SpvOpUDiv || opcode == SpvOpUMod ? VALUE_UNSIGNED : VALUE_SIGNED;
    char dividend[NUMBER], of[NUMBER];
    sanitizer_number(real ? VALUE_REAL : integer, gpu_message_word(message, 2), dividend);
    if (width == 64 && !real) /* the record has only half of the number */
        snprintf(dividend, sizeof(dividend),
                 overflow ? "the least 64-bit number" : "a 64-bit number");
    gpu_message_tell(message, real ? SEVERITY_WARNING : SEVERITY_ERROR,
                     overflow ? SPIRV_Sanitizer_Divide_Overflow : SPIRV_Sanitizer_Divide_By_Zero,
                     "Division of %s by %s%s: %s of %s is undefined%s.", dividend,
                     overflow ? "-1" : "zero", sanitizer_component(message, of),
                     real ? "the result" : "the behavior", opcode_name(opcode),
                     overflow ? ", since the quotient has no room in the type" : "");
}

/* Reports a shift. Words: 0 the opcode, and above 16 bits the width of the base; 2 the shift. */
static void tell_shift(struct gpu_message *message)
{
    const uint32_t opcode = gpu_message_word(message, 0) & 0xffffu,
                   width = gpu_message_word(message, 0) >> 16;
    char of[NUMBER];
    gpu_message_tell(message, SEVERITY_WARNING, SPIRV_Sanitizer_Shift,
                     "Shift of a value of %u bits by %u%s: the result of %s is undefined "
                     "from %u on.",
                     width, gpu_message_word(message, 2), sanitizer_component(message, of),
                     opcode_name(opcode), width);
}

/* Reports a bit field. Words: 0 the opcode, and above 16 bits the width of the base; 1 the offset;
 * 2 the count. */
static void tell_bits(struct gpu_message *message)
{
    const uint32_t opcode = gpu_message_word(message, 0) & 0xffffu,
                   width = gpu_message_word(message, 0) >> 16;
    gpu_message_tell(message, SEVERITY_WARNING, SPIRV_Sanitizer_Bit_Field,
                     "%u bits from bit %u on of a value that has %u: the result of "
                     "%s is undefined.",
                     gpu_message_word(message, 2), gpu_message_word(message, 1), width,
                     opcode_name(opcode));
}

/* --- indices --- */

/* Reports a gather. Word 0 is the requested component, as a signed number. */
static void tell_gather(struct gpu_message *message)
{
    gpu_message_tell(message, SEVERITY_ERROR, SPIRV_Sanitizer_Image_Gather,
                     "OpImageGather of component %d: it must be 0, 1, 2 or 3.",
                     (int32_t)gpu_message_word(message, 0));
}

/* Reports a vector index. Words: 0 the index, as a signed number; 1 the components of the
 * vector. */
static void tell_vector(struct gpu_message *message)
{
    gpu_message_tell(message, SEVERITY_ERROR, SPIRV_Sanitizer_Vector_Index,
                     "Index of %d into a vector of %u components.",
                     (int32_t)gpu_message_word(message, 0), gpu_message_word(message, 1));
}

/* --- GLSL.std.450 --- */

/* Functions of two operands that are undefined for some pairs of values. */
static const struct function {
    uint32_t instruction;
    enum vuid id;
    enum value_kind kind;
    /* text before the two operands, and text after them and the number of the component */
    const char *before, *after;
} functions[] = {
    {GLSLstd450Pow, SPIRV_Sanitizer_Pow, VALUE_REAL, "pow(",
     "is undefined where x is less than 0, and where x is 0 and y is not more than 0"},
    {GLSLstd450Atan2, SPIRV_Sanitizer_Atan2, VALUE_REAL, "atan(", "is undefined where both are 0"},
    {GLSLstd450FMin, SPIRV_Sanitizer_Fminmax, VALUE_REAL, "min(",
     "is either operand where one is a NaN (NMin would give the other)"},
    {GLSLstd450FMax, SPIRV_Sanitizer_Fminmax, VALUE_REAL, "max(",
     "is either operand where one is a NaN (NMax would give the other)"},
    {GLSLstd450FClamp, SPIRV_Sanitizer_Math, VALUE_REAL, "clamp(x, ",
     "is undefined where the minimum is more than the maximum"},
    {GLSLstd450NClamp, SPIRV_Sanitizer_Math, VALUE_REAL, "clamp(x, ",
     "is undefined where the minimum is more than the maximum"},
    {GLSLstd450UClamp, SPIRV_Sanitizer_Math, VALUE_UNSIGNED, "clamp(x, ",
     "is undefined where the minimum is more than the maximum"},
    {GLSLstd450SClamp, SPIRV_Sanitizer_Math, VALUE_SIGNED, "clamp(x, ",
     "is undefined where the minimum is more than the maximum"},
    {GLSLstd450SmoothStep, SPIRV_Sanitizer_Math, VALUE_REAL, "smoothstep(",
     "is undefined where the first edge is not less than the second"},
};

/* Functions of one operand, all reported as SPIRV_Sanitizer_Math with a sentence of the same
 * form. */
static const struct simple {
    uint32_t instruction;
    const char *name, *where;
} simple_functions[] = {
    {GLSLstd450Sqrt, "sqrt", "x is less than 0"},
    {GLSLstd450InverseSqrt, "inversesqrt", "x is not more than 0"},
    {GLSLstd450Log, "log", "x is not more than 0"},
    {GLSLstd450Log2, "log2", "x is not more than 0"},
    {GLSLstd450Asin, "asin", "x is outside of [-1, 1]"},
    {GLSLstd450Acos, "acos", "x is outside of [-1, 1]"},
    {GLSLstd450Acosh, "acosh", "x is less than 1"},
    {GLSLstd450Atanh, "atanh", "x is outside of (-1, 1)"},
};

/* Reports a GLSL function with operands for which it is undefined. */
static void tell_math(struct gpu_message *message)
{
    const uint32_t instruction = gpu_message_word(message, 0) & 0xffffu;
    char a[NUMBER], b[NUMBER], of[NUMBER];
    sanitizer_component(message, of);
    for (size_t i = 0; i < ARRAY_LENGTH(simple_functions); i++) {
        if (simple_functions[i].instruction != instruction)
            continue;
        gpu_message_tell(message, SEVERITY_WARNING, SPIRV_Sanitizer_Math,
                         "%s(%s)%s is undefined where %s.", simple_functions[i].name,
                         sanitizer_number(VALUE_REAL, gpu_message_word(message, 2), a), of,
                         simple_functions[i].where);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        if (functions[i].instruction != instruction)
            continue;
        sanitizer_number(functions[i].kind, gpu_message_word(message, 2), a);
        sanitizer_number(functions[i].kind, gpu_message_word(message, 3), b);
        gpu_message_tell(message, SEVERITY_WARNING, functions[i].id, "%s%s, %s%s)%s %s.",
                         functions[i].before, a, b,
                         instruction == GLSLstd450SmoothStep ? ", x" : "", of, functions[i].after);
    }
}

/* --- NaN and infinities --- */

/* Names of functions of GLSL.std.450, for ERROR_NAN. */
static const struct {
    uint32_t instruction;
    const char *name;
} nan_functions[] = {
    {GLSLstd450Sin, "sin"},
    {GLSLstd450Cos, "cos"},
    {GLSLstd450Tan, "tan"},
    {GLSLstd450Asin, "asin"},
    {GLSLstd450Acos, "acos"},
    {GLSLstd450Sinh, "sinh"},
    {GLSLstd450Cosh, "cosh"},
    {GLSLstd450Acosh, "acosh"},
    {GLSLstd450Atanh, "atanh"},
    {GLSLstd450Atan2, "atan"},
    {GLSLstd450Pow, "pow"},
    {GLSLstd450Exp, "exp"},
    {GLSLstd450Log, "log"},
    {GLSLstd450Exp2, "exp2"},
    {GLSLstd450Log2, "log2"},
    {GLSLstd450Sqrt, "sqrt"},
    {GLSLstd450InverseSqrt, "inversesqrt"},
    {GLSLstd450Determinant, "determinant"},
    {GLSLstd450MatrixInverse, "inverse"},
    {GLSLstd450FMix, "mix"},
    {GLSLstd450Fma, "fma"},
    {GLSLstd450Length, "length"},
    {GLSLstd450Distance, "distance"},
    {GLSLstd450Cross, "cross"},
    {GLSLstd450Normalize, "normalize"},
    {GLSLstd450Reflect, "reflect"},
    {GLSLstd450Refract, "refract"},
};

/* The name of the operation that made a value; NULL if it is not known, or has none here. */
static const char *nan_operation(uint32_t what)
{
    for (size_t i = 0; what >> 16 && i < ARRAY_LENGTH(nan_functions); i++) {
        if (nan_functions[i].instruction == what >> 16)
            return nan_functions[i].name;
    }
    return what && !(what >> 16) ? opcode_name(what) : NULL;
}

void gpu_tell_nan(struct gpu_message *message)
{
    static const char *const places[] = {
        [NAN_IN_BUFFER] = "a buffer", [NAN_IN_IMAGE] = "an image", [NAN_IN_OUTPUT] = "an output"};
    const uint32_t value = gpu_message_word(message, 2), facts = gpu_message_word(message, 5),
                   where = facts & ((1u << NAN_OPERANDS_SHIFT) - 1),
                   operands = facts >> NAN_OPERANDS_SHIFT;
    const bool nan = (value & 0x7fffffffu) > 0x7f800000u;
    const enum vuid id = nan ? ASSAY_ShaderNaN : ASSAY_ShaderInfinity;
    const char *name = nan           ? "NaN"
                       : value >> 31 ? "-infinity"
                                     : "infinity",
               *operation = nan_operation(gpu_message_word(message, 0));
    char a[NUMBER], b[NUMBER], of[NUMBER];
    sanitizer_component(message, of);
    sanitizer_number(VALUE_REAL, gpu_message_word(message, 3), a);
    sanitizer_number(VALUE_REAL, gpu_message_word(message, 4), b);
    if (where >= ARRAY_LENGTH(places))
        gpu_message_tell(message, SEVERITY_WARNING, id,
                         "An input of the fragment shader is %s%s: the stage before wrote it, or "
                         "interpolation made it.",
                         name, of);
    else if (operation && operands)
        gpu_message_tell(message, SEVERITY_WARNING, id,
                         "%s%s is stored to %s: %s made it of %s%s%s.", name, of, places[where],
                         operation, a, operands > 1 ? " and " : "", operands > 1 ? b : "");
    else
        gpu_message_tell(message, SEVERITY_WARNING, id, "%s%s is stored to %s%s%s.", name, of,
                         places[where], operation ? ": it comes of " : "",
                         operation ? operation : "");
}

void gpu_tell_sanitizer(struct gpu_message *message)
{
    switch (message->words[RECORD_ERROR]) {
    case ERROR_DIVISION_BY_ZERO:
    case ERROR_DIVISION_OVERFLOW:
        tell_division(message, message->words[RECORD_ERROR] == ERROR_DIVISION_OVERFLOW);
        break;
    case ERROR_SHIFT:
        tell_shift(message);
        break;
    case ERROR_BIT_FIELD:
        tell_bits(message);
        break;
    case ERROR_GATHER:
        tell_gather(message);
        break;
    case ERROR_VECTOR_INDEX:
        tell_vector(message);
        break;
    default:
        tell_math(message);
        break;
    }
}
