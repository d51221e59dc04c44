/* Looks up parts of the module, and adds instructions and variables to it, for all files of the
 * lowering. */
#include "spirv/abort/abort_build.h"

#include <string.h>

uint32_t abort_words(struct abort_lower *lower, SpvOp opcode, const uint32_t *operands,
                     uint32_t count)
{
    assert(operands || !count);
    uint32_t *words = lower->failed || count >= SpvOpCodeMask
                          ? NULL
                          : spirv_buffer_extend(&lower->words, count + 1);
    if (!words) {
        lower->failed = true;
        return 0;
    }
    words[0] = (count + 1) << SpvWordCountShift | (uint32_t)opcode;
    if (count)
        memcpy(&words[1], operands, count * sizeof(*words));
    lower->view.words = lower->words.words;
    lower->view.word_count = lower->words.count;
    return lower->words.count - count - 1;
}

bool abort_operands(const struct abort_lower *lower, uint32_t at, struct spirv_operand_walk *walk,
                    struct spirv_instruction *instruction)
{
    assert(walk && instruction);
    uint32_t first = *abort_at(lower, at);
    *instruction = (struct spirv_instruction){.offset = at,
                                              .opcode = (uint16_t)spirv_word_opcode(first),
                                              .length = (uint16_t)spirv_word_length(first)};
    return spirv_operands_begin(walk, &lower->view, instruction);
}

/* Marks the ids that an instruction uses. If the grammar does not know it, all of its words count
 * as ids. */
static void use_operands(struct abort_lower *lower, uint32_t at)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    struct spirv_instruction instruction;
    bool known = abort_operands(lower, at, &walk, &instruction);
    const uint32_t *words = abort_at(lower, at);
    while (known && spirv_operands_next(&walk, &operand)) {
        if (spirv_kind_is_id(operand.kind) && words[operand.word] < lower->used_count)
            lower->used[words[operand.word]] = 1;
    }
    for (uint32_t i = 1; (!known || walk.malformed) && i < instruction.length; i++) {
        if (words[i] < lower->used_count)
            lower->used[words[i]] = 1;
    }
}

void abort_use(struct abort_lower *lower, const uint32_t *words)
{
    uint32_t at = abort_words(lower, (SpvOp)spirv_word_opcode(words[0]), &words[1],
                              spirv_word_length(words[0]) - 1);
    if (!at)
        return;
    use_operands(lower, at);
    /* The instruction was only needed to read its words. */
    lower->words.count = at;
}

bool abort_grow_used(struct abort_lower *lower)
{
    if (lower->edit.bound <= lower->used_count)
        return true;
    uint32_t count = lower->edit.bound + lower->edit.bound / 4 + 256;
    uint8_t *grown = mem_resize(lower->used, count);
    if (!grown)
        return false;
    memset(&grown[lower->used_count], 0, count - lower->used_count);
    lower->used = grown;
    lower->used_count = count;
    return true;
}

void abort_put(struct abort_lower *lower, uint32_t at, uint32_t origin)
{
    if (lower->failed || !at)
        return;
    uint32_t length = spirv_word_length(*abort_at(lower, at));
    uint32_t *to = spirv_edit_extend(&lower->edit, SPIRV_SECTION_FUNCTIONS, SpvOpNop, length);
    uint32_t *known = to ? spirv_buffer_extend(&lower->origins, 1) : NULL;
    /* Each instruction has an origin, so that a check's site is one of the program's
     * instructions. */
    if (!known || (lower->cleans && !abort_grow_used(lower))) {
        lower->failed = true;
        return;
    }
    memcpy(to, abort_at(lower, at), length * sizeof(*to));
    *known = origin;
    if (lower->cleans)
        use_operands(lower, at);
}

const uint32_t *abort_definition(const struct abort_lower *lower, uint32_t id, SpvOp opcode,
                                 uint32_t words)
{
    assert(words);
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    return definition && definition->opcode == opcode && definition->length >= words
               ? spirv_words(lower->module, definition)
               : NULL;
}

uint32_t abort_type_of(const struct abort_lower *lower, uint32_t id)
{
    const struct spirv_instruction *definition = spirv_definition(lower->module, id);
    const struct spirv_instruction_rule *rule =
        definition ? spirv_instruction_rule(definition->opcode) : NULL;
    return rule && rule->has_type && definition->length > 2
               ? spirv_words(lower->module, definition)[1]
               : 0;
}

const uint32_t *abort_decoration(const struct abort_lower *lower, uint32_t id, uint32_t member,
                                 SpvDecoration decoration)
{
    const struct spirv_module *module = lower->module;
    for (uint32_t i = id < module->bound ? lower->annotations[id] : SPIRV_NONE; i != SPIRV_NONE;
         i = lower->next_annotation[i]) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        if (member == SPIRV_NONE
                ? instruction->opcode == SpvOpDecorate && words[2] == (uint32_t)decoration
                : instruction->opcode == SpvOpMemberDecorate && instruction->length > 3 &&
                      words[2] == member && words[3] == (uint32_t)decoration)
            return words;
    }
    return NULL;
}

uint32_t abort_stub(struct abort_lower *lower, enum abort_stub stub)
{
    assert((unsigned)stub < ABORT_STUBS);
    if (!lower->result->stubs[stub])
        lower->result->stubs[stub] = spirv_edit_id(&lower->edit);
    return lower->result->stubs[stub];
}

uint32_t abort_private(struct abort_lower *lower, uint32_t type, uint32_t initial)
{
    struct spirv_edit *edit = &lower->edit;
    uint32_t pointer = spirv_edit_type_pointer(edit, SpvStorageClassPrivate, type),
             variable = spirv_edit_id(edit);
    spirv_edit_emit_to(edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, variable,
                       SpvStorageClassPrivate, initial);
    spirv_edit_interface(edit, variable);
    return variable;
}

bool abort_has_capability(const struct spirv_module *module, SpvCapability capability)
{
    for (uint32_t i = 0;
         i < module->instruction_count && module->instructions[i].opcode == SpvOpCapability; i++) {
        if (module->instructions[i].length > 1 &&
            spirv_words(module, &module->instructions[i])[1] == (uint32_t)capability)
            return true;
    }
    return false;
}
