/* Checks the rules about SPIR-V that are data (registry/rows/spirv_rows.py), in one pass over the
 * instructions of a module. The input is untrusted: a malformed part counts as unknown, and an
 * unknown part breaks no rule. */
#include "core/shader/spirv_rows.h"

#include <inttypes.h>
#include <string.h>

#include <spirv/unified1/spirv.h>

#include "base/string_builder.h"
#include "core/shader/spirv_report.h"
#include "core/spirv_rows.h"
#include "spirv/module/module.h"

/* The size of a finding's text, in bytes. */
#define TEXT_SIZE    768
#define ENTRIES_MOST 64 /* the most entry points of a module that are checked */
#define BUILT_INS_MOST \
    512 /* decorations of built-ins that are looked at: each walks the variables */

enum answer { NO, YES, UNKNOWN };

static enum answer answer_of(bool condition)
{
    return condition ? YES : NO;
}

/* The state of the pass over one module. Threads: on the stack of one call. */
struct pass {
    const struct call *call;
    const struct location *where;
    const struct spirv_module *module;
    /* the text of SPIRV-Tools about the module, which is added to the first finding */
    const char *said;
    uint32_t entries[ENTRIES_MOST]; /* indices of the OpEntryPoint instructions */
    uint32_t entry_count;
    uint32_t built_in_count; /* the number of variables and members with BuiltIn so far */
    bool needs_only;         /* only rows that require something of the device are checked */
    bool told_any, skip;     /* a row was reported; the call is to be skipped */
    uint8_t told[(SPIRV_ROW_COUNT + 7) / 8]; /* bit i: row i was reported */
};

/* The part of the module that a row is checked for. */
struct subject_of_row {
    const struct spirv_instruction *instruction; /* the instruction that a finding names */
    const uint32_t *words;
    uint32_t word;     /* the index of the operand's word */
    uint32_t entry;    /* the OpEntryPoint, or SPIRV_NONE */
    uint32_t variable; /* the id of the variable of a built-in */
    uint32_t storage;  /* the variable's storage class */
    uint32_t type;     /* the id of the type of the variable or member */
    uint32_t target;   /* the id that is decorated */
    uint32_t member;   /* the decorated member of `target`, or SPIRV_NONE */
};

static const char *enumerant_name(enum spirv_kind kind, uint32_t value)
{
    const struct spirv_enumerant *enumerant = spirv_enumerant(kind, value);
    return enumerant ? enumerant->name : "(unknown)";
}

/* Reads a plain 32-bit constant. False if the id is specialized, computed or not a constant. */
static bool constant_value(const struct spirv_module *module, uint32_t id, uint32_t *value)
{
    const struct spirv_instruction *constant = spirv_definition(module, id);
    if (!constant || constant->opcode != SpvOpConstant || constant->length != 4)
        return false;
    *value = spirv_words(module, constant)[3];
    return true;
}

/* The id of the type of a result, or 0 if it is not known. */
static uint32_t type_of(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *instruction = spirv_definition(module, id);
    const struct spirv_instruction_rule *rule =
        instruction ? spirv_instruction_rule(instruction->opcode) : NULL;
    return rule && rule->has_type && instruction->length > 1 ? spirv_words(module, instruction)[1]
                                                             : 0;
}

/* --- types ------------------------------------------------------------------------------------ */

/* Returns whether type `id` is the number type of the pattern. In the pattern, a width of 0 means
 * any width. */
static enum answer number_matches(const struct spirv_module *module, uint32_t id,
                                  const struct spirv_type_pattern *pattern)
{
    const struct spirv_instruction *type = spirv_definition(module, id);
    if (!type || type->length < 2)
        return UNKNOWN;
    const uint32_t *words = spirv_words(module, type);
    switch (type->opcode) {
    case SpvOpTypeBool:
        return answer_of(pattern->numeric == SPIRV_NUMERIC_BOOL);
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        /* The rules do not apply to floats that have an encoding operand. */
        if (type->length < 3 || (type->opcode == SpvOpTypeFloat && type->length > 3))
            return UNKNOWN;
        return answer_of(pattern->numeric == (type->opcode == SpvOpTypeInt ? SPIRV_NUMERIC_SINT
                                                                           : SPIRV_NUMERIC_FLOAT) &&
                         (!pattern->width || pattern->width == words[2]));
    default:
        return NO;
    }
}

/* Compares vectors and matrices. The pattern may allow any number of components. */
static enum answer components_match(const struct spirv_module *module, uint32_t id,
                                    const struct spirv_type_pattern *pattern)
{
    const struct spirv_instruction *type = spirv_definition(module, id);
    if (!type)
        return UNKNOWN;
    const uint32_t *words = spirv_words(module, type);
    if (!pattern->components) {
        for (uint32_t depth = 0;
             depth < 3 && type && type->length > 2 &&
             (type->opcode == SpvOpTypeVector || type->opcode == SpvOpTypeMatrix);
             depth++) {
            id = words[2];
            type = spirv_definition(module, id);
            words = type ? spirv_words(module, type) : NULL;
        }
    } else if (pattern->components > 1) {
        if (type->opcode != SpvOpTypeVector || type->length < 4 || words[3] != pattern->components)
            return NO;
        id = words[2];
    }
    return number_matches(module, id, pattern);
}

/* Returns whether type `id` matches the pattern: first its arrays, then their elements. */
static enum answer type_matches(const struct spirv_module *module, uint32_t id,
                                const struct spirv_type_pattern *pattern)
{
    for (uint32_t i = 0; i < pattern->arrays; i++) {
        const struct spirv_instruction *array = spirv_definition(module, id);
        uint32_t length;
        if (!array)
            return UNKNOWN;
        if ((array->opcode != SpvOpTypeArray && array->opcode != SpvOpTypeRuntimeArray) ||
            array->length < 3)
            return NO;
        const uint32_t *words = spirv_words(module, array);
        if (pattern->length && array->opcode == SpvOpTypeArray && array->length > 3) {
            if (!constant_value(module, words[3], &length))
                return UNKNOWN;
            if (length != pattern->length)
                return NO;
        }
        id = words[2];
    }
    return components_match(module, id, pattern);
}

/* Compares the type of a built-in. A variable outside of a block may be an array with one element
 * for each vertex or primitive. */
static enum answer built_in_matches(const struct spirv_module *module,
                                    const struct subject_of_row *subject,
                                    const struct spirv_type_pattern *pattern)
{
    enum answer answer = type_matches(module, subject->type, pattern);
    const struct spirv_instruction *array = spirv_definition(module, subject->type);
    if (answer == NO && subject->member == SPIRV_NONE && array && array->opcode == SpvOpTypeArray &&
        array->length > 3 && type_matches(module, spirv_words(module, array)[2], pattern) != NO)
        return UNKNOWN;
    return answer;
}

/* The type of the pointer, or NULL if the id is not a pointer. */
static const struct spirv_instruction *pointer_type(const struct spirv_module *module, uint32_t id)
{
    const struct spirv_instruction *type = spirv_definition(module, type_of(module, id));
    return type && type->opcode == SpvOpTypePointer && type->length > 3 ? type : NULL;
}

/* --- atoms ------------------------------------------------------------------------------------ */

/* True if the value is one of the atom's list. */
static bool is_among(const struct spirv_atom *atom, uint32_t value)
{
    for (uint32_t i = 0; i < atom->count; i++) {
        if (spirv_row_values[atom->first + i] == value)
            return true;
    }
    return false;
}

/* Reads the value of the operand. With `literal` the instruction itself has the value, except for
 * OpExecutionModeId. */
static bool operand_value(const struct pass *pass, const struct subject_of_row *subject,
                          uint32_t word, bool literal, uint32_t *value)
{
    if (word >= subject->instruction->length)
        return false;
    if (!literal || subject->instruction->opcode == SpvOpExecutionModeId)
        return constant_value(pass->module, subject->words[word], value);
    *value = subject->words[word];
    return true;
}

/* Reads a limit of the device. False if the structure of the limit was not filled in. */
static bool limit_value(const struct device *device, const struct spirv_requirement *limit,
                        uint32_t *value)
{
    VkStructureType type = VK_STRUCTURE_TYPE_MAX_ENUM;
    if (limit->head)
        memcpy(&type, (const char *)device + limit->head, sizeof(type));
    memcpy(value, (const char *)device + limit->what, sizeof(*value));
    return type != 0;
}

/* Returns whether the device meets one of the requirements. UNKNOWN if it meets no known one, and
 * some are not known. */
static enum answer device_has(const struct device *device, const struct spirv_atom *atom)
{
    enum answer answer = NO;
    for (uint32_t i = 0; i < atom->count; i++) {
        const struct spirv_requirement *one = &spirv_requirements[atom->first + i];
        uint32_t value;
        if (one->kind == SPIRV_REQUIREMENT_FEATURE)
            value = device_has_feature(device, (enum feature)one->what);
        else if (!limit_value(device, one, &value)) {
            answer = UNKNOWN;
            continue;
        }
        if (value)
            return YES;
    }
    return answer;
}

/* Returns whether the subject's variable, type or member has the decoration. UNKNOWN if the module
 * has decoration groups, which are not followed. */
static enum answer is_decorated(const struct pass *pass, const struct subject_of_row *subject,
                                uint32_t decoration)
{
    const struct spirv_module *module = pass->module;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode == SpvOpGroupDecorate ||
            instruction->opcode == SpvOpGroupMemberDecorate)
            return UNKNOWN;
        if (instruction->opcode == SpvOpDecorate && instruction->length > 2 &&
            words[2] == decoration &&
            (words[1] == subject->variable || words[1] == subject->target))
            return YES;
        if (instruction->opcode == SpvOpMemberDecorate && instruction->length > 3 &&
            words[3] == decoration && words[1] == subject->target && words[2] == subject->member)
            return YES;
    }
    return NO;
}

/* Returns whether the subject's entry point has one of the execution modes. */
static enum answer entry_has_mode(const struct pass *pass, const struct subject_of_row *subject,
                                  const struct spirv_atom *atom)
{
    const struct spirv_module *module = pass->module;
    const uint32_t function = spirv_words(module, &module->instructions[subject->entry])[2];
    for (uint32_t i = subject->entry; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (instruction->opcode == SpvOpFunction)
            break;
        if (instruction->opcode == SpvOpExecutionMode && instruction->length > 2 &&
            words[1] == function && is_among(atom, words[2]))
            return YES;
    }
    return NO;
}

/* True for atoms that require less than a limit. The other atoms also allow the limit itself. */
static bool is_below(const struct spirv_atom *atom)
{
    return atom->kind == SPIRV_ATOM_LITERAL_BELOW || atom->kind == SPIRV_ATOM_CONSTANT_BELOW;
}

/* True for atoms whose operand is a literal. The operands of other atoms are ids of constants. */
static bool is_literal(const struct spirv_atom *atom)
{
    return atom->kind == SPIRV_ATOM_LITERAL || atom->kind == SPIRV_ATOM_LITERAL_AT_MOST ||
           atom->kind == SPIRV_ATOM_LITERAL_BELOW;
}

/* Answers whether an operand is within a limit. UNKNOWN if the operand or the limit is. */
static enum answer is_bounded(const struct pass *pass, const struct subject_of_row *subject,
                              const struct spirv_atom *atom)
{
    uint32_t value, limit;
    if (!operand_value(pass, subject, subject->word, is_literal(atom), &value) ||
        !limit_value(pass->call->device, &spirv_requirements[atom->first], &limit))
        return UNKNOWN;
    return answer_of(is_below(atom) ? value < limit : value <= limit);
}

/* Finds the least and the greatest number in a constant of integers. `depth` is how many more
 * composites may be entered. False if a part is not a plain constant. */
static bool constant_range(const struct spirv_module *module, uint32_t id, uint32_t depth,
                           int64_t range[2])
{
    const struct spirv_instruction *constant = spirv_definition(module, id);
    if (!constant)
        return false;
    const uint32_t *words = spirv_words(module, constant);
    uint32_t value = 0;
    if (constant->opcode == SpvOpConstantComposite && depth) {
        for (uint32_t i = 3; i < constant->length; i++) {
            if (!constant_range(module, words[i], depth - 1, range))
                return false;
        }
        return constant->length > 3;
    }
    if (constant->opcode != SpvOpConstantNull && !constant_value(module, id, &value))
        return false;
    range[0] = (int32_t)value < range[0] ? (int32_t)value : range[0];
    range[1] = (int32_t)value > range[1] ? (int32_t)value : range[1];
    return true;
}

/* Finds the least and the greatest offset among an instruction's image operands. */
static bool offset_range(const struct pass *pass, const struct subject_of_row *subject,
                         uint32_t mask, int64_t range[2])
{
    const struct spirv_instruction *instruction = subject->instruction;
    bool found = false;
    range[0] = INT64_MAX;
    range[1] = INT64_MIN;
    if (subject->word >= instruction->length)
        return false;
    const uint32_t operands = subject->words[subject->word];
    /* The ids of image operands are in the order of their bits. Each has one id, except for Grad,
     * which has two. */
    for (uint32_t bit = 1, word = subject->word + 1; bit <= SpvImageOperandsConstOffsetsMask;
         bit <<= 1) {
        if (!(operands & bit))
            continue;
        if (bit & mask && word < instruction->length)
            found |= constant_range(pass->module, subject->words[word], 3, range);
        word += bit == SpvImageOperandsGradMask ? 2 : 1;
    }
    return found;
}

/* Answers whether constant offsets are within a limit. The lower limit is negative. */
static enum answer offsets_are_bounded(const struct pass *pass,
                                       const struct subject_of_row *subject,
                                       const struct spirv_atom *atom)
{
    int64_t range[2];
    uint32_t limit;
    if (!offset_range(pass, subject, atom->data, range) ||
        !limit_value(pass->call->device, &spirv_requirements[atom->first], &limit))
        return UNKNOWN;
    return answer_of(atom->kind == SPIRV_ATOM_OFFSETS_AT_LEAST ? range[0] >= (int32_t)limit
                                                               : range[1] <= (int64_t)limit);
}

/* Answers whether the result of a variable is a pointer to an image of the Dim, or to an array of
 * such images. */
static enum answer points_to_image(const struct pass *pass, const struct subject_of_row *subject,
                                   const struct spirv_atom *atom)
{
    const struct spirv_module *module = pass->module;
    const struct spirv_instruction *type =
        subject->instruction->length > 2 ? pointer_type(module, subject->words[2]) : NULL;
    type = type ? spirv_definition(module, spirv_words(module, type)[3]) : NULL;
    if (type && atom->kind == SPIRV_ATOM_POINTS_TO_IMAGES)
        type = type->opcode == SpvOpTypeArray && type->length > 2
                   ? spirv_definition(module, spirv_words(module, type)[2])
                   : NULL;
    return answer_of(type && type->opcode == SpvOpTypeImage && type->length > 3 &&
                     spirv_words(module, type)[3] == atom->first);
}

/* Answers whether the module declares the capability. Capabilities that others imply do not
 * count. */
static enum answer has_capability(const struct spirv_module *module, uint32_t capability)
{
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        if (instruction->opcode == SpvOpMemoryModel)
            break;
        if (instruction->opcode == SpvOpCapability && instruction->length > 1 &&
            spirv_words(module, instruction)[1] == capability)
            return YES;
    }
    return NO;
}

/* Answers whether the result has one of the types. */
static enum answer result_is_among(const struct spirv_module *module, uint32_t type,
                                   const struct spirv_atom *atom)
{
    enum answer answer = NO;
    for (uint32_t i = 0; i < atom->count && answer == NO; i++)
        answer = type_matches(module, type, &spirv_row_types[atom->first + i]);
    return answer;
}

/* Answers an atom about a pointer operand: its storage class, or the type that it points to. */
static enum answer ask_pointer(const struct pass *pass, const struct subject_of_row *subject,
                               const struct spirv_atom *atom)
{
    const struct spirv_module *module = pass->module;
    const struct spirv_instruction *type = subject->word < subject->instruction->length
                                               ? pointer_type(module, subject->words[subject->word])
                                               : NULL;
    if (!type)
        return UNKNOWN;
    const uint32_t *words = spirv_words(module, type);
    if (atom->kind == SPIRV_ATOM_POINTER)
        return answer_of(is_among(atom, words[2]));
    struct spirv_type_pattern pattern = spirv_row_types[atom->first];
    if (atom->kind == SPIRV_ATOM_ATOMIC_TYPE)
        return type_matches(module, words[3], &pattern);
    pattern.components = 2;
    enum answer two = type_matches(module, words[3], &pattern);
    pattern.components = 4;
    return two == NO ? type_matches(module, words[3], &pattern) : two;
}

/* Answers whether the result is a pointer to one of the storage classes. */
static enum answer ask_result_storage(const struct spirv_module *module,
                                      const struct subject_of_row *subject,
                                      const struct spirv_atom *atom)
{
    const struct spirv_instruction *type =
        subject->instruction->length > 2 ? pointer_type(module, subject->words[2]) : NULL;
    return type ? answer_of(is_among(atom, spirv_words(module, type)[2])) : UNKNOWN;
}

/* Returns whether the variable is in the interface of the entry point. */
static bool entry_lists(const struct pass *pass, uint32_t entry, uint32_t variable)
{
    const struct spirv_instruction *instruction = &pass->module->instructions[entry];
    const uint32_t *words = spirv_words(pass->module, instruction);
    uint32_t taken;
    if (!spirv_string(words + 3, instruction->length - 3u, &taken))
        return false;
    for (uint32_t i = 3 + taken; i < instruction->length; i++) {
        if (words[i] == variable)
            return true;
    }
    return false;
}

/* Answers whether the model of the entry point is one of the values. Libraries list a variable in
 * all of their entry points. If one of the entry points fits, the others may not use the
 * variable. */
static enum answer model_matches(const struct pass *pass, const struct subject_of_row *subject,
                                 const struct spirv_atom *atom)
{
    const struct spirv_module *module = pass->module;
    if (subject->entry == SPIRV_NONE)
        return UNKNOWN;
    if (is_among(atom, spirv_words(module, &module->instructions[subject->entry])[1]))
        return YES;
    for (uint32_t i = 0; subject->variable && i < pass->entry_count; i++) {
        if (is_among(atom, spirv_words(module, &module->instructions[pass->entries[i]])[1]) &&
            entry_lists(pass, pass->entries[i], subject->variable))
            return UNKNOWN;
    }
    return NO;
}

/* Answers one condition of a row for a subject. UNKNOWN means that the row reports nothing. */
static enum answer ask_atom(const struct pass *pass, const struct subject_of_row *subject,
                            const struct spirv_atom *atom)
{
    const struct spirv_module *module = pass->module;
    uint32_t value;
    switch (atom->kind & ~SPIRV_ATOM_DENIED) {
    case SPIRV_ATOM_MODEL:
        return model_matches(pass, subject, atom);
    case SPIRV_ATOM_ENTRY_MODE:
        return subject->entry == SPIRV_NONE ? UNKNOWN : entry_has_mode(pass, subject, atom);
    case SPIRV_ATOM_STORAGE:
        return answer_of(is_among(atom, subject->storage));
    case SPIRV_ATOM_TYPE:
        return built_in_matches(module, subject, &spirv_row_types[atom->first]);
    case SPIRV_ATOM_DECORATED:
        return is_decorated(pass, subject, atom->first);
    case SPIRV_ATOM_LITERAL:
    case SPIRV_ATOM_CONSTANT:
        return operand_value(pass, subject, subject->word, atom->kind == SPIRV_ATOM_LITERAL, &value)
                   ? answer_of(is_among(atom, value))
                   : UNKNOWN;
    case SPIRV_ATOM_OPERAND_TYPE:
        return subject->word < subject->instruction->length
                   ? type_matches(module, subject->words[subject->word],
                                  &spirv_row_types[atom->first])
                   : UNKNOWN;
    case SPIRV_ATOM_RESULT_TYPE:
    case SPIRV_ATOM_RESULT_TYPES:
        return subject->instruction->length > 1 ? result_is_among(module, subject->words[1], atom)
                                                : UNKNOWN;
    case SPIRV_ATOM_RESULT_STORAGE:
        return ask_result_storage(module, subject, atom);
    case SPIRV_ATOM_POINTS_TO_IMAGE:
    case SPIRV_ATOM_POINTS_TO_IMAGES:
        return points_to_image(pass, subject, atom);
    case SPIRV_ATOM_CAPABILITY:
        return has_capability(module, atom->first);
    case SPIRV_ATOM_OFFSETS_AT_LEAST:
    case SPIRV_ATOM_OFFSETS_AT_MOST:
        return offsets_are_bounded(pass, subject, atom);
    case SPIRV_ATOM_HAS_OPERAND:
        return answer_of(subject->word < subject->instruction->length);
    case SPIRV_ATOM_NEXT_HAS_BITS:
        return operand_value(pass, subject, subject->word + 1, false, &value)
                   ? answer_of((value & atom->first) == atom->first)
                   : UNKNOWN;
    case SPIRV_ATOM_DEVICE:
        return device_has(pass->call->device, atom);
    case SPIRV_ATOM_LITERAL_AT_MOST:
    case SPIRV_ATOM_LITERAL_BELOW:
    case SPIRV_ATOM_CONSTANT_AT_MOST:
    case SPIRV_ATOM_CONSTANT_BELOW:
        return is_bounded(pass, subject, atom);
    default:
        return ask_pointer(pass, subject, atom);
    }
}

/* --- what a finding says ---------------------------------------------------------------------- */

/* Writes a list, such as "A, B or C". */
static void write_values(struct string_builder *text, enum spirv_kind kind,
                         const struct spirv_atom *atom)
{
    for (uint32_t i = 0; i < atom->count; i++)
        string_builder_format(text, "%s%s",
                              i == 0                 ? ""
                              : i + 1u < atom->count ? ", "
                                                     : " or ",
                              enumerant_name(kind, spirv_row_values[atom->first + i]));
}

/* Writes the features or properties of which one is needed. */
static void write_needs(struct string_builder *text, const struct spirv_atom *atom)
{
    const bool property = spirv_requirements[atom->first].kind != SPIRV_REQUIREMENT_FEATURE;
    string_builder_add(text, ", which needs ");
    for (uint32_t i = 0; i < atom->count; i++)
        string_builder_format(text, "%s%s",
                              i == 0                 ? ""
                              : i + 1u < atom->count ? ", "
                                                     : " or ",
                              spirv_row_texts + spirv_requirements[atom->first + i].name);
    string_builder_add(text, property          ? "; that is VK_FALSE for this device"
                             : atom->count > 1 ? "; the device was created with none of them"
                                               : "; the device was created without");
}

/* Writes the number of the operand, and the limit. */
static void write_limit(const struct pass *pass, struct string_builder *text,
                        const struct subject_of_row *subject, const struct spirv_atom *atom)
{
    uint32_t value = 0, limit = 0;
    (void)operand_value(pass, subject, subject->word, is_literal(atom), &value);
    (void)limit_value(pass->call->device, &spirv_requirements[atom->first], &limit);
    string_builder_format(text, " has %u, which is not %s %u (%s)", value,
                          is_below(atom) ? "less than" : "at most", limit,
                          spirv_row_texts + spirv_requirements[atom->first].name);
}

/* Writes the offset that is out of bounds, and the bound. */
static void write_offsets(const struct pass *pass, struct string_builder *text,
                          const struct subject_of_row *subject, const struct spirv_atom *atom)
{
    const bool least = atom->kind == SPIRV_ATOM_OFFSETS_AT_LEAST;
    int64_t range[2] = {0};
    uint32_t limit = 0;
    (void)offset_range(pass, subject, atom->data, range);
    (void)limit_value(pass->call->device, &spirv_requirements[atom->first], &limit);
    string_builder_format(text, " has an offset of %" PRIi64 ", which is %s %" PRIi64 " (%s)",
                          range[least ? 0 : 1], least ? "less than" : "more than",
                          least ? (int64_t)(int32_t)limit : (int64_t)limit,
                          spirv_row_texts + spirv_requirements[atom->first].name);
}

/* Writes the subject of a sentence: the variable, instruction or other part of the module that
 * the row is checked for. */
static void write_subject(struct string_builder *text, enum spirv_subject_kind kind,
                          const struct subject_of_row *subject)
{
    const struct spirv_instruction_rule *rule =
        spirv_instruction_rule(subject->instruction->opcode);
    switch (kind) {
    case SPIRV_SUBJECT_BUILT_IN:
        string_builder_format(text, "the variable %%%u, decorated with %s,", subject->variable,
                              enumerant_name(SPIRV_KIND_BuiltIn, subject->words[subject->word]));
        break;
    case SPIRV_SUBJECT_MODE:
        string_builder_format(text, "the execution mode %s",
                              enumerant_name(SPIRV_KIND_ExecutionMode, subject->words[2]));
        break;
    case SPIRV_SUBJECT_DECORATION:
        string_builder_format(text, "the decoration %s",
                              enumerant_name(SPIRV_KIND_Decoration,
                                             subject->words[subject->word - 1]));
        break;
    default:
        if (subject->instruction->opcode == SpvOpVariable)
            string_builder_format(text, "the variable %%%u", subject->variable);
        else
            string_builder_add(text, rule ? rule->name : "an instruction");
    }
}

/* Writes how the subject breaks the row's last atom. */
static void write_broken(const struct pass *pass, struct string_builder *text,
                         const struct subject_of_row *subject, const struct spirv_row *row)
{
    const struct spirv_module *module = pass->module;
    const struct spirv_atom *must = &spirv_atoms[row->first + row->count - 1u];
    const char *operand = NULL; /* the operand that a guard is about */
    for (const struct spirv_atom *atom = &spirv_atoms[row->first]; atom < must; atom++)
        operand = atom->kind == SPIRV_ATOM_HAS_OPERAND ? spirv_row_texts + atom->data : operand;
    switch (must->kind) {
    case SPIRV_ATOM_MODEL:
        string_builder_format(text,
                              " is used within the execution model %s, but must be only within ",
                              enumerant_name(SPIRV_KIND_ExecutionModel,
                                             spirv_words(module,
                                                         &module
                                                              ->instructions[subject->entry])[1]));
        write_values(text, SPIRV_KIND_ExecutionModel, must);
        break;
    case SPIRV_ATOM_STORAGE:
        string_builder_format(text, " is in the storage class %s, but must be in ",
                              enumerant_name(SPIRV_KIND_StorageClass, subject->storage));
        write_values(text, SPIRV_KIND_StorageClass, must);
        break;
    case SPIRV_ATOM_TYPE:
        string_builder_format(text, " is of the type %%%u, but must be %s", subject->type,
                              spirv_row_texts + must->data);
        break;
    case SPIRV_ATOM_DECORATED:
        string_builder_format(text, " does not have the decoration %s",
                              enumerant_name(SPIRV_KIND_Decoration, must->first));
        break;
    case SPIRV_ATOM_NEXT_HAS_BITS:
        string_builder_format(text, " does not include %s, which this device needs",
                              spirv_row_texts + must->data);
        break;
    case SPIRV_ATOM_DEVICE:
        if (operand)
            string_builder_format(text, " has %s", operand);
        else
            string_builder_add(text, " is used");
        write_needs(text, must);
        break;
    case SPIRV_ATOM_HAS_OPERAND:
        string_builder_format(text, " does not have %s, which shader stages need",
                              spirv_row_texts + must->data);
        break;
    case SPIRV_ATOM_HAS_OPERAND | SPIRV_ATOM_DENIED:
        string_builder_format(text, " has %s, which shader stages must not have",
                              spirv_row_texts + must->data);
        break;
    case SPIRV_ATOM_OFFSETS_AT_LEAST:
    case SPIRV_ATOM_OFFSETS_AT_MOST:
        write_offsets(pass, text, subject, must);
        break;
    default:
        write_limit(pass, text, subject, must);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Returns whether a row requires a feature, property or limit. */
static bool asks_of_device(const struct spirv_row *row)
{
    assert(row->count);
    switch (spirv_atoms[row->first + row->count - 1u].kind & ~SPIRV_ATOM_DENIED) {
    case SPIRV_ATOM_DEVICE:
    case SPIRV_ATOM_LITERAL_AT_MOST:
    case SPIRV_ATOM_LITERAL_BELOW:
    case SPIRV_ATOM_CONSTANT_AT_MOST:
    case SPIRV_ATOM_CONSTANT_BELOW:
        return true;
    default:
        return false;
    }
}

/* True if all guards hold and the last atom does not. An UNKNOWN answer does not break a row. */
static bool row_is_broken(const struct pass *pass, const struct subject_of_row *subject,
                          const struct spirv_row *row)
{
    if (pass->needs_only && !asks_of_device(row))
        return false;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct spirv_atom *atom = &spirv_atoms[row->first + i];
        enum answer answer = ask_atom(pass, subject, atom);
        if (atom->kind & SPIRV_ATOM_DENIED && answer != UNKNOWN)
            answer = answer == YES ? NO : YES;
        if (answer != (i + 1u < row->count ? YES : NO))
            return false;
    }
    return true;
}

/* Reports a broken row, and adds the text of SPIRV-Tools about the same subject, if there is
 * one. */
static void pass_report(struct pass *pass, enum spirv_subject_kind kind,
                        const struct subject_of_row *subject, uint32_t row)
{
    char buffer[TEXT_SIZE];
    struct string_builder text;
    string_builder_begin(&text, buffer, sizeof(buffer));
    write_subject(&text, kind, subject);
    write_broken(pass, &text, subject, &spirv_rows[row]);
    if (pass->said)
        string_builder_format(&text, " (SPIRV-Tools: %s)", pass->said);
    pass->said = NULL;
    pass->skip |=
        spirv_report_instruction(pass->call, (enum vuid)spirv_rows[row].vuid, pass->where,
                                 pass->module, text.text,
                                 (uint32_t)(subject->instruction - pass->module->instructions));
    string_builder_end(&text);
    pass->told_any = true;
}

/* The first subject of the constant, or NULL if there is none. */
static const struct spirv_row_subject *subjects_find(const struct spirv_row_subject *subjects,
                                                     uint32_t count, uint32_t constant)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (subjects[middle].constant < constant)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && subjects[low].constant == constant ? &subjects[low] : NULL;
}

/* True if the row requires features or properties. A narrower row may require the same. */
static bool asks_for_features(const struct spirv_row *row)
{
    return spirv_atoms[row->first + row->count - 1u].kind == SPIRV_ATOM_DEVICE;
}

/* Checks the rows of this kind and constant for the subject. If an instruction lacks several
 * features, only the first is reported, which is the narrowest. */
static void ask_rows(struct pass *pass, enum spirv_subject_kind kind,
                     const struct spirv_row_subject *subjects, uint32_t count,
                     const struct spirv_row_subject *at, struct subject_of_row *subject)
{
    bool lacks = false;
    for (const uint32_t constant = at->constant; at < subjects + count && at->constant == constant;
         at++) {
        if (lacks && asks_for_features(&spirv_rows[at->row]))
            continue;
        if (at->word)
            subject->word = at->word;
        if (!row_is_broken(pass, subject, &spirv_rows[at->row]))
            continue;
        if (!(pass->told[at->row / 8] & 1u << at->row % 8))
            pass_report(pass, kind, subject, at->row);
        pass->told[at->row / 8] |= (uint8_t)(1u << at->row % 8);
        lacks |= kind == SPIRV_SUBJECT_OPCODE && asks_for_features(&spirv_rows[at->row]);
    }
}

/* The table of one kind of subject, and its length. */
#define SUBJECTS(kind_) spirv_subjects_##kind_, ARRAY_LENGTH(spirv_subjects_##kind_)

/* Checks a built-in for each entry point that lists it. A built-in that no entry point lists is
 * checked once. */
static void check_variable(struct pass *pass, const struct spirv_row_subject *at,
                           struct subject_of_row *subject)
{
    bool listed = false;
    for (uint32_t i = 0; i < pass->entry_count; i++) {
        if (!entry_lists(pass, pass->entries[i], subject->variable))
            continue;
        listed = true;
        subject->entry = pass->entries[i];
        ask_rows(pass, SPIRV_SUBJECT_BUILT_IN, SUBJECTS(built_in), at, subject);
    }
    subject->entry = SPIRV_NONE;
    if (!listed)
        ask_rows(pass, SPIRV_SUBJECT_BUILT_IN, SUBJECTS(built_in), at, subject);
}

/* The id of the struct that a variable points to, directly or as an array; 0 if there is none. */
static uint32_t block_of(const struct spirv_module *module, const uint32_t *variable)
{
    const struct spirv_instruction *type = spirv_definition(module, variable[1]);
    uint32_t id = type && type->opcode == SpvOpTypePointer && type->length > 3
                      ? spirv_words(module, type)[3]
                      : 0;
    type = spirv_definition(module, id);
    if (type && (type->opcode == SpvOpTypeArray || type->opcode == SpvOpTypeRuntimeArray) &&
        type->length > 2)
        id = spirv_words(module, type)[2];
    return id;
}

/* Checks the rows of a built-in for all variables that it decorates. `member` is SPIRV_NONE if it
 * decorates no member; `word` is where the built-in is. */
static void check_built_in(struct pass *pass, const struct spirv_instruction *decoration,
                           const uint32_t *words, uint32_t member, uint32_t word)
{
    const struct spirv_module *module = pass->module;
    const struct spirv_row_subject *at =
        decoration->length > word ? subjects_find(SUBJECTS(built_in), words[word]) : NULL;
    if (!at || pass->built_in_count++ >= BUILT_INS_MOST)
        return;
    struct subject_of_row subject = {.instruction = decoration,
                                     .words = words,
                                     .word = word,
                                     .entry = SPIRV_NONE,
                                     .target = words[1],
                                     .member = member};
    const struct spirv_instruction *target = spirv_definition(module, words[1]);
    if (!target)
        return;
    for (const struct spirv_instruction *i = target;
         i < module->instructions + module->instruction_count && i->opcode != SpvOpFunction; i++) {
        const uint32_t *variable = spirv_words(module, i);
        if (i->opcode == SpvOpVariable && i->length > 3) {
            const struct spirv_instruction *type =
                member == SPIRV_NONE ? spirv_definition(module, variable[1]) : target;
            subject.variable = variable[2];
            subject.storage = variable[3];
            if (member == SPIRV_NONE)
                subject.type = type && type->opcode == SpvOpTypePointer && type->length > 3
                                   ? spirv_words(module, type)[3]
                                   : 0;
            else
                subject.type = block_of(module, variable) == words[1] &&
                                       target->opcode == SpvOpTypeStruct &&
                                       member + 2u < target->length
                                   ? spirv_words(module, target)[member + 2]
                                   : 0;
            if (subject.type)
                check_variable(pass, at, &subject);
        }
        if (member == SPIRV_NONE)
            break;
    }
}

/* Checks the rows of one decoration. `member` is SPIRV_NONE for a whole variable or type; `word` is
 * where the decoration is. */
static void check_decoration(struct pass *pass, const struct spirv_instruction *instruction,
                             const uint32_t *words, uint32_t member, uint32_t word)
{
    if (instruction->length <= word)
        return;
    if (words[word] == SpvDecorationBuiltIn) {
        check_built_in(pass, instruction, words, member, word + 1);
        return;
    }
    const struct spirv_row_subject *at = subjects_find(SUBJECTS(decoration), words[word]);
    struct subject_of_row subject = {.instruction = instruction,
                                     .words = words,
                                     .word = word + 1,
                                     .entry = SPIRV_NONE,
                                     .target = words[1],
                                     .member = member};
    if (at)
        ask_rows(pass, SPIRV_SUBJECT_DECORATION, SUBJECTS(decoration), at, &subject);
}

/* Checks an execution mode for the entry points that have it. */
static void check_mode(struct pass *pass, const struct spirv_instruction *instruction,
                       const uint32_t *words)
{
    const struct spirv_row_subject *at =
        instruction->length > 2 ? subjects_find(SUBJECTS(mode), words[2]) : NULL;
    struct subject_of_row subject = {.instruction = instruction, .words = words};
    for (uint32_t i = 0; at && i < pass->entry_count; i++) {
        subject.entry = pass->entries[i];
        if (spirv_words(pass->module, &pass->module->instructions[subject.entry])[2] == words[1])
            ask_rows(pass, SPIRV_SUBJECT_MODE, SUBJECTS(mode), at, &subject);
    }
}

/* Checks the rows of the instruction's opcode. */
static void check_instruction(struct pass *pass, const struct spirv_instruction *instruction)
{
    const struct spirv_row_subject *at = subjects_find(SUBJECTS(opcode), instruction->opcode);
    struct subject_of_row subject = {.instruction = instruction,
                                     .words = spirv_words(pass->module, instruction),
                                     .entry = SPIRV_NONE,
                                     .member = SPIRV_NONE};
    if (instruction->opcode == SpvOpVariable && instruction->length > 2)
        subject.variable = subject.target = subject.words[2];
    if (at)
        ask_rows(pass, SPIRV_SUBJECT_OPCODE, SUBJECTS(opcode), at, &subject);
}

bool spirv_rows_check(const struct call *call, const struct location *where,
                      const struct spirv_module *module, bool needs_only, const char *said,
                      bool *told)
{
    struct pass pass = {
        .call = call, .where = where, .module = module, .said = said, .needs_only = needs_only};
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t opcode = instruction->opcode;
        switch (opcode) {
        case SpvOpEntryPoint:
            if (instruction->length > 3 && pass.entry_count < ENTRIES_MOST)
                pass.entries[pass.entry_count++] = i;
            break;
        case SpvOpExecutionMode:
        case SpvOpExecutionModeId:
            check_mode(&pass, instruction, spirv_words(module, instruction));
            break;
        case SpvOpDecorate:
            check_decoration(&pass, instruction, spirv_words(module, instruction), SPIRV_NONE, 2);
            break;
        case SpvOpMemberDecorate:
            if (instruction->length > 2)
                check_decoration(&pass, instruction, spirv_words(module, instruction),
                                 spirv_words(module, instruction)[2], 3);
            break;
        case SpvOpVariable:
            /* These rows are about variables of the module. */
            if (instruction->length > 3 &&
                spirv_words(module, instruction)[3] != SpvStorageClassFunction)
                check_instruction(&pass, instruction);
            break;
        default:
            if (opcode / 8 < sizeof(spirv_row_opcodes) &&
                spirv_row_opcodes[opcode / 8] & 1u << opcode % 8)
                check_instruction(&pass, instruction);
        }
    }
    *told = pass.told_any;
    return pass.skip;
}
