/* Lowers OpConstantDataKHR and OpSpecConstantDataKHR (SPV_KHR_constant_data) for drivers that do
 * not support them. They become arrays of constants, with their specialized values. Arrays that the
 * module does not use are left out. Specialization constants that size such arrays become
 * constants. */
#include "spirv/abort/abort_build.h"

#include "base/vec.h"

#include <string.h>

/* --- values --- */

/* Returns the value that the pipeline gives a specialization constant; NULL: none. */
static const struct spirv_abort_constant *constant_specialized(const struct abort_lower *lower,
                                                               uint32_t id)
{
    const uint32_t *spec_id = abort_decoration(lower, id, SPIRV_NONE, SpvDecorationSpecId);
    if (!spec_id || spirv_word_length(spec_id[0]) < 4)
        return NULL;
    for (uint32_t i = 0; i < lower->info->constant_count; i++) {
        if (lower->info->constants[i].id == spec_id[3])
            return &lower->info->constants[i];
    }
    return NULL;
}

/* Returns the bits of an integer; 0: it has another type. */
static uint32_t integer_bits(const struct abort_lower *lower, uint32_t id, bool *is_signed)
{
    const uint32_t *type = abort_definition(lower, abort_type_of(lower, id), SpvOpTypeInt, 4);
    *is_signed = type && type[3];
    return type && type[2] && type[2] <= 64 ? type[2] : 0;
}

/* Cuts the value to `bits` bits and, for a signed type, extends the sign. It uses unsigned
 * arithmetic, which cannot overflow. */
static uint64_t value_extend(uint64_t value, uint32_t bits, bool is_signed)
{
    assert(bits && bits <= 64);
    const uint64_t sign = 1ull << (bits - 1);
    value &= bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
    return is_signed ? (value ^ sign) - sign : value;
}

/* Evaluates an operation on two integers. Returns false if it is unknown, or divides by zero. */
static bool constant_operate(uint32_t opcode, uint64_t a, uint64_t b, uint64_t *out)
{
    switch (opcode) {
    case SpvOpIAdd:
        *out = a + b;
        return true;
    case SpvOpISub:
        *out = a - b;
        return true;
    case SpvOpIMul:
        *out = a * b;
        return true;
    case SpvOpUDiv:
        /* A division by zero is undefined in SPIR-V: the constant counts as unknown. */
        *out = b ? a / b : 0;
        return b != 0;
    case SpvOpUMod:
        *out = b ? a % b : 0;
        return b != 0;
    case SpvOpShiftLeftLogical:
        *out = b < 64 ? a << b : 0;
        return true;
    case SpvOpShiftRightLogical:
        *out = b < 64 ? a >> b : 0;
        return true;
    case SpvOpBitwiseAnd:
        *out = a & b;
        return true;
    case SpvOpBitwiseOr:
        *out = a | b;
        return true;
    case SpvOpBitwiseXor:
        *out = a ^ b;
        return true;
    default:
        return false;
    }
}

static bool value_of(const struct abort_lower *lower, uint32_t id, uint64_t *value, uint32_t depth);

/* Evaluates an OpSpecConstantOp. Signed operations on negative numbers are not distinguished, as
 * array lengths do not need them. */
static bool constant_evaluate(const struct abort_lower *lower, const uint32_t *words,
                              uint32_t length, uint64_t *value, uint32_t depth)
{
    uint64_t a, b = 0;
    if (length < 5 || !value_of(lower, words[4], &a, depth) ||
        (length > 5 && !value_of(lower, words[5], &b, depth)))
        return false;
    switch (words[3]) {
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpCopyObject:
        *value = a;
        return true;
    case SpvOpSDiv:
    case SpvOpSRem:
    case SpvOpSMod:
        return (int64_t)a >= 0 && (int64_t)b > 0 && length > 5 &&
               constant_operate(words[3] == SpvOpSDiv ? SpvOpUDiv : SpvOpUMod, a, b, value);
    default:
        return length > 5 && constant_operate(words[3], a, b, value);
    }
}

/* Finds the value of an integer constant, as the pipeline specializes it. Returns false if it is
 * not known. */
static bool value_of(const struct abort_lower *lower, uint32_t id, uint64_t *value, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    const uint32_t *words = definition ? spirv_words(lower->module, definition) : NULL;
    const struct spirv_abort_constant *given;
    bool is_signed;
    uint32_t bits = integer_bits(lower, id, &is_signed);
    if (!definition || !bits || depth > 32)
        return false;
    *value = 0;
    switch (definition->opcode) {
    case SpvOpConstantNull:
        return true;
    case SpvOpConstant:
    case SpvOpSpecConstant:
        if (definition->length < 4)
            return false;
        *value = words[3] | (definition->length > 4 ? (uint64_t)words[4] << 32 : 0);
        given = definition->opcode == SpvOpSpecConstant ? constant_specialized(lower, id) : NULL;
        if (given) {
            *value = 0;
            /* the host is little-endian */
            memcpy(value, given->data, given->size < bits / 8 ? given->size : bits / 8);
        }
        break;
    case SpvOpSpecConstantOp:
        if (!constant_evaluate(lower, words, definition->length, value, depth + 1))
            return false;
        break;
    default:
        return false;
    }
    *value = value_extend(*value, bits, is_signed);
    return true;
}

bool constant_value(const struct abort_lower *lower, uint32_t id, uint64_t *value)
{
    assert(value);
    return value_of(lower, id, value, 0);
}

bool constant_length(const struct abort_lower *lower, uint32_t array_type, uint64_t *length)
{
    assert(length);
    const struct spirv_instruction *definition = spirv_definition(lower->module, array_type);
    return definition && definition->length > 3 &&
           constant_value(lower, spirv_words(lower->module, definition)[3], length);
}

const uint8_t *constant_data(const struct abort_lower *lower, uint32_t id, size_t *size)
{
    assert(size);
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    if (!definition || definition->length < 3 ||
        (definition->opcode != SpvOpConstantDataKHR &&
         definition->opcode != SpvOpSpecConstantDataKHR))
        return NULL;
    const struct spirv_abort_constant *given =
        definition->opcode == SpvOpSpecConstantDataKHR ? constant_specialized(lower, id) : NULL;
    *size = given ? given->size : (definition->length - 3u) * sizeof(uint32_t);
    return given ? given->data : (const uint8_t *)&spirv_words(lower->module, definition)[3];
}

/* --- specialization constants that become constants --- */

/* Returns the value that a folded id has; NULL: it is not folded. */
static const struct abort_folded *find_folded(const struct abort_lower *lower, uint32_t id)
{
    for (uint32_t i = 0; i < lower->folded_count; i++) {
        if (lower->folded[i].id == id)
            return &lower->folded[i];
    }
    return NULL;
}

void constant_fold(struct abort_lower *lower, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    uint64_t value;
    if (!definition ||
        (definition->opcode != SpvOpSpecConstant && definition->opcode != SpvOpSpecConstantOp) ||
        find_folded(lower, id) || !constant_value(lower, id, &value))
        return;
    if (!vec_room(&lower->folded, lower->folded_count, &lower->folded_capacity, 8,
                  sizeof(*lower->folded))) {
        lower->failed = true;
        return;
    }
    lower->folded[lower->folded_count++] = (struct abort_folded){.id = id, .value = value};
}

/* Folds the lengths of the arrays in a type. */
static void fold_lengths(struct abort_lower *lower, uint32_t type, uint32_t depth)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, type);
    if (!definition || depth > 24 || lower->type_notes[type] & ABORT_NOTE_FOLDED)
        return;
    lower->type_notes[type] |= ABORT_NOTE_FOLDED;
    const uint32_t *words = spirv_words(lower->module, definition);
    if (definition->opcode == SpvOpTypeArray && definition->length > 3) {
        constant_fold(lower, words[3]);
        fold_lengths(lower, words[2], depth + 1);
    }
    for (uint32_t i = 2; definition->opcode == SpvOpTypeStruct && i < definition->length; i++)
        fold_lengths(lower, words[i], depth + 1);
}

/* Returns the type of constant data, or of a message. */
static uint32_t sized_type(const struct spirv_module *module,
                           const struct spirv_instruction *instruction)
{
    switch (instruction->opcode) {
    case SpvOpConstantDataKHR:
    case SpvOpSpecConstantDataKHR:
    case SpvOpAbortKHR:
        return instruction->length > 2 ? spirv_words(module, instruction)[1] : 0;
    default:
        return 0;
    }
}

bool spirv_has_constant_data(const struct spirv_module *module)
{
    bool sizes = false;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        const struct spirv_instruction *length =
            instruction->opcode == SpvOpTypeArray && instruction->length > 3
                ? spirv_definition(module, words[3])
                : NULL;
        sizes = sizes || (length && (length->opcode == SpvOpSpecConstant ||
                                     length->opcode == SpvOpSpecConstantOp));
        if (instruction->opcode == SpvOpSpecConstantDataKHR ||
            (sizes && sized_type(module, instruction)))
            return true;
    }
    return false;
}

void constant_data_begin(struct abort_lower *lower)
{
    const struct spirv_module *module = lower->module;
    for (uint32_t i = 0; i < module->instruction_count && !lower->failed; i++) {
        uint32_t type = sized_type(module, &module->instructions[i]);
        if (type)
            fold_lengths(lower, type, 0);
    }
}

/* --- rewriting the section of globals --- */

/* The state of rewriting the section of globals. */
struct rewrite {
    struct abort_lower *lower;
    struct spirv_buffer globals; /* the new words of the section */
    /* hash table of the constants that were made; an entry has type, value (two words) and id; id
     * 0: empty */
    uint32_t *elements;
    uint32_t element_count, element_slots;
};

/* words of an entry of the hash table */
#define SLOT_WORDS 4u

/* Appends an instruction, or a part of one, to the new section. */
static void rewrite_append(struct rewrite *r, const uint32_t *words, uint32_t count)
{
    assert(words || !count);
    uint32_t *room = count ? spirv_buffer_extend(&r->globals, count) : NULL;
    if (room)
        memcpy(room, words, count * sizeof(*words));
    else
        r->lower->failed = r->lower->failed || count;
}

/* Returns the slot of an element constant, or the empty slot where it belongs. The table is at most
 * half full. */
static uint32_t *rewrite_find_slot(const struct rewrite *r, uint32_t type, uint64_t value)
{
    assert(r->element_slots && !(r->element_slots & (r->element_slots - 1)));
    for (uint64_t i = ((value ^ value >> 29) * 0x9e3779b97f4a7c15u + type) >> 20;; i++) {
        uint32_t *slot = &r->elements[(i & (r->element_slots - 1)) * SLOT_WORDS];
        if (!slot[3] ||
            (slot[0] == type && slot[1] == (uint32_t)value && slot[2] == (uint32_t)(value >> 32)))
            return slot;
    }
}

/* Doubles the table of elements. Returns false if memory is out; the table is unchanged then. */
static bool grow_elements(struct rewrite *r)
{
    struct rewrite old = *r;
    r->element_slots = old.element_slots ? old.element_slots * 2 : 256;
    r->elements = mem_alloc_zeroed((size_t)r->element_slots * SLOT_WORDS * sizeof(*r->elements));
    if (!r->elements) {
        *r = old;
        return false;
    }
    for (uint32_t i = 0; i < old.element_slots; i++) {
        const uint32_t *from = &old.elements[i * SLOT_WORDS];
        if (from[3])
            memcpy(rewrite_find_slot(r, from[0], from[1] | (uint64_t)from[2] << 32), from,
                   SLOT_WORDS * sizeof(*from));
    }
    mem_free(old.elements);
    return true;
}

/* Returns the id of the constant with this value, made once for each value of a type. `wide`: it
 * has two words. 0: memory is out. */
static uint32_t rewrite_element(struct rewrite *r, uint32_t type, uint64_t value, bool wide)
{
    if (r->element_count * 2 >= r->element_slots && !grow_elements(r)) {
        r->lower->failed = true;
        return 0;
    }
    uint32_t *slot = rewrite_find_slot(r, type, value);
    if (slot[3])
        return slot[3];
    const uint32_t made[4] = {type, (uint32_t)value, (uint32_t)(value >> 32),
                              spirv_edit_id(&r->lower->edit)};
    memcpy(slot, made, sizeof(made));
    r->element_count++;
    const uint32_t words[5] = {(wide ? 5u : 4u) << SpvWordCountShift | SpvOpConstant, type, made[3],
                               made[1], made[2]};
    rewrite_append(r, words, wide ? 5 : 4);
    return made[3];
}

/* Appends constant data as OpConstantComposite. Elements beyond its bytes are 0. */
static void append_data(struct rewrite *r, uint32_t type, uint32_t id)
{
    struct abort_lower *lower = r->lower;
    const uint32_t *array = abort_definition(lower, type, SpvOpTypeArray, 4);
    const uint32_t *integer = array ? abort_definition(lower, array[2], SpvOpTypeInt, 4) : NULL;
    uint64_t length = 0;
    size_t size = 0;
    const uint8_t *data = constant_data(lower, id, &size);
    if (!integer || !data || !constant_length(lower, type, &length) || length > SpvOpCodeMask - 3 ||
        /* The list only has arrays of integers; another type means that the module is broken. */
        !length || integer[2] % 8 || integer[2] > 64 || !integer[2]) {
        lower->failed = true;
        return;
    }
    uint32_t *ids = mem_alloc((length + 3) * sizeof(*ids)), bytes = integer[2] / 8;
    if (!ids) {
        lower->failed = true;
        return;
    }
    ids[0] = ((uint32_t)length + 3) << SpvWordCountShift | SpvOpConstantComposite;
    ids[1] = type;
    ids[2] = id;
    for (uint64_t i = 0; i < length; i++) {
        uint64_t value = 0;
        for (uint32_t j = 0; j < bytes && i * bytes + j < size; j++)
            value |= (uint64_t)data[i * bytes + j] << 8 * j;
        value = value_extend(value, integer[2], integer[3]);
        ids[3 + i] =
            /* Narrow integers take one word, sign-extended in it (2.2.1, "Literal"). */
            rewrite_element(r, array[2], bytes < 8 ? value & UINT32_MAX : value, bytes == 8);
    }
    rewrite_append(r, ids, (uint32_t)length + 3);
    mem_free(ids);
}

/* Appends a constant, with the pipeline's value, in place of a specialization constant. */
static void append_folded(struct rewrite *r, const struct abort_folded *folded)
{
    uint32_t type = abort_type_of(r->lower, folded->id);
    bool is_signed, wide = integer_bits(r->lower, folded->id, &is_signed) > 32;
    const uint32_t words[5] = {(wide ? 5u : 4u) << SpvWordCountShift | SpvOpConstant, type,
                               folded->id, (uint32_t)folded->value,
                               (uint32_t)(folded->value >> 32)};
    rewrite_append(r, words, wide ? 5 : 4);
}

/* --- removing unused types and constants --- */

/* True for a type or constant that may be removed if it has no uses. */
static bool is_type_or_constant(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpTypeVoid:
    case SpvOpTypeBool:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeStruct:
    case SpvOpTypePointer:
    case SpvOpConstantTrue:
    case SpvOpConstantFalse:
    case SpvOpConstant:
    case SpvOpConstantComposite:
    case SpvOpConstantNull:
    case SpvOpConstantDataKHR:
    case SpvOpSpecConstantDataKHR:
    case SpvOpSpecConstantComposite:
        return true;
    default:
        return false;
    }
}

/* Returns the result id of an instruction that may be removed; 0: it stays. */
static uint32_t constant_removable(const struct abort_lower *lower, const uint32_t *words)
{
    uint32_t opcode = spirv_word_opcode(words[0]);
    const struct spirv_instruction_rule *rule = spirv_instruction_rule((uint16_t)opcode);
    if (!is_type_or_constant(opcode) || !rule ||
        spirv_word_length(words[0]) < (rule->has_type ? 3u : 2u))
        return 0;
    uint32_t id = words[rule->has_type ? 2 : 1];
    return id < lower->used_count ? id : 0;
}

/* Lists the positions of a section's instructions, as they can only be walked forwards. Returns
 * false if memory is out. */
static bool list_instructions(const struct spirv_buffer *section, struct spirv_buffer *places)
{
    assert(section && places);
    for (uint32_t at = 0; at < section->count; at += spirv_word_length(section->words[at])) {
        uint32_t *place = spirv_buffer_extend(places, 1);
        if (!place)
            return false;
        *place = at;
    }
    return true;
}

/* Marks the globals that are used. `used` has the ids that functions use; walking from the last
 * global to the first, the ids that used globals use are added. */
static void find_used(struct abort_lower *lower, const struct spirv_buffer *places)
{
    const struct spirv_buffer *sections = lower->edit.sections;
    static const enum spirv_section roots[] = {SPIRV_SECTION_ENTRY_POINTS,
                                               SPIRV_SECTION_EXECUTION_MODES};
    for (uint32_t i = 0; i < ARRAY_LENGTH(roots); i++) {
        for (uint32_t at = 0; at < sections[roots[i]].count;
             at += spirv_word_length(sections[roots[i]].words[at]))
            abort_use(lower, &sections[roots[i]].words[at]);
    }
    const struct spirv_buffer *annotations = &sections[SPIRV_SECTION_ANNOTATIONS];
    for (uint32_t at = 0; at < annotations->count;
         at += spirv_word_length(annotations->words[at])) {
        uint32_t opcode = spirv_word_opcode(annotations->words[at]);
        if (opcode == SpvOpDecorateId || opcode == SpvOpGroupDecorate ||
            opcode == SpvOpGroupMemberDecorate)
            abort_use(lower, &annotations->words[at]);
    }
    const uint32_t *globals = sections[SPIRV_SECTION_GLOBALS].words;
    for (uint32_t i = 0; i < places->count; i++) {
        if (spirv_word_opcode(globals[places->words[i]]) == SpvOpTypeForwardPointer)
            abort_use(lower, &globals[places->words[i]]);
    }
    for (uint32_t i = places->count; i-- > 0;) {
        const uint32_t *words = &globals[places->words[i]];
        uint32_t id = constant_removable(lower, words);
        if (!id || lower->used[id])
            abort_use(lower, words);
    }
}

/* True for names and decorations to be removed: their ids were removed, or are no longer
 * specialization constants. */
static bool is_over(const struct abort_lower *lower, const uint32_t *words, const uint8_t *gone)
{
    uint32_t opcode = spirv_word_opcode(words[0]), length = spirv_word_length(words[0]);
    switch (opcode) {
    case SpvOpDecorate:
        if (length > 2 && words[2] == SpvDecorationUTFEncodedKHR)
            return true;
        if (length > 2 && words[2] == SpvDecorationSpecId &&
            (find_folded(lower, words[1]) ||
             abort_definition(lower, words[1], SpvOpSpecConstantDataKHR, 3)))
            return true;
        break;
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpMemberDecorate:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
        break;
    default:
        return false;
    }
    return length > 1 && words[1] < lower->used_count && gone[words[1]];
}

/* True if a type of 8 bits is left. Compilers declare Int8 for the strings of messages: many
 * drivers can run the rest without it. */
static bool has_bytes(const struct abort_lower *lower)
{
    const struct spirv_buffer *globals = &lower->edit.sections[SPIRV_SECTION_GLOBALS];
    for (uint32_t at = 0; at < globals->count; at += spirv_word_length(globals->words[at])) {
        const uint32_t *words = &globals->words[at];
        if (words[0] == (4u << SpvWordCountShift | SpvOpTypeInt) && words[2] == 8)
            return true;
    }
    return false;
}

/* Removes from a section the capabilities and extensions that the lowered module does not need, and
 * names and decorations of removed ids. */
static void section_filter(struct abort_lower *lower, enum spirv_section section,
                           const uint8_t *gone)
{
    const bool bytes = section != SPIRV_SECTION_CAPABILITIES || has_bytes(lower);
    struct spirv_buffer *buffer = &lower->edit.sections[section];
    uint32_t kept = 0, length;
    for (uint32_t at = 0; at < buffer->count; at += length) {
        const uint32_t *words = &buffer->words[at];
        uint32_t taken;
        length = spirv_word_length(words[0]);
        const char *name = spirv_word_opcode(words[0]) == SpvOpExtension
                               ? spirv_string(&words[1], length - 1, &taken)
                               : NULL;
        bool capability =
            words[0] == (2u << SpvWordCountShift | SpvOpCapability) &&
            (words[1] == SpvCapabilityAbortKHR || words[1] == SpvCapabilityConstantDataKHR ||
             (words[1] == SpvCapabilityInt8 && !bytes));
        if (capability || is_over(lower, words, gone) ||
            (name &&
             (strcmp(name, "SPV_KHR_abort") == 0 || strcmp(name, "SPV_KHR_constant_data") == 0)))
            continue;
        memmove(&buffer->words[kept], words, length * sizeof(*words));
        kept += length;
    }
    buffer->count = kept;
}

/* Rewrites types and constants: unused ones are removed, folded ones become constants, and data
 * becomes an array. */
static void rewrite_globals(struct rewrite *r, const struct spirv_buffer *places, uint8_t *gone)
{
    struct abort_lower *lower = r->lower;
    const struct spirv_buffer *section = &lower->edit.sections[SPIRV_SECTION_GLOBALS];
    for (uint32_t i = 0; i < places->count && !lower->failed; i++) {
        const uint32_t *words = &section->words[places->words[i]];
        uint32_t opcode = spirv_word_opcode(words[0]), length = spirv_word_length(words[0]);
        uint32_t id = constant_removable(lower, words);
        const struct abort_folded *folded =
            (opcode == SpvOpSpecConstant || opcode == SpvOpSpecConstantOp) && length > 2
                ? find_folded(lower, words[2])
                : NULL;
        if (id && !lower->used[id])
            gone[id] = 1;
        else if (folded)
            append_folded(r, folded);
        else if (opcode == SpvOpConstantDataKHR || opcode == SpvOpSpecConstantDataKHR)
            append_data(r, words[1], words[2]);
        else
            rewrite_append(r, words, length);
    }
}

void constant_data_end(struct abort_lower *lower)
{
    struct rewrite r = {.lower = lower};
    struct spirv_buffer places = {0}, *globals = &lower->edit.sections[SPIRV_SECTION_GLOBALS];
    uint8_t *gone = abort_grow_used(lower) ? mem_alloc_zeroed((size_t)lower->used_count + 1) : NULL;
    if (lower->failed || lower->edit.failed || !gone || !list_instructions(globals, &places)) {
        lower->failed = true;
    } else {
        find_used(lower, &places);
        rewrite_globals(&r, &places, gone);
    }
    if (!lower->failed) {
        mem_free(globals->words);
        *globals = r.globals;
        r.globals = (struct spirv_buffer){0};
        spirv_edit_free_memo(&lower->edit); /* the memo has positions in the old section */
        lower->edit.own_globals = 0;
        section_filter(lower, SPIRV_SECTION_CAPABILITIES, gone);
        section_filter(lower, SPIRV_SECTION_EXTENSIONS, gone);
        section_filter(lower, SPIRV_SECTION_NAMES, gone);
        section_filter(lower, SPIRV_SECTION_ANNOTATIONS, gone);
    }
    mem_free(r.globals.words);
    mem_free(r.elements);
    mem_free(places.words);
    mem_free(gone);
}
