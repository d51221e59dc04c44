/* Changes a module. Each section has a buffer that grows at its end. At the end of the edit the
 * buffers are joined. */
#include "spirv/edit/edit.h"
#include "spirv/edit/edit_memo.h"

#include <string.h>

/* Words of a buffer when it gets its first word. */
#define BUFFER_FIRST_WORDS 64u

uint32_t *spirv_buffer_extend(struct spirv_buffer *buffer, uint32_t count)
{
    assert(count);
    if (count > buffer->capacity - buffer->count) {
        uint64_t capacity = (uint64_t)buffer->capacity * 2,
                 needed = (uint64_t)buffer->count + count;
        if (capacity < needed)
            capacity = needed + BUFFER_FIRST_WORDS;
        /* Words are counted in 32 bits, as SPIR-V's bound is. */
        if (capacity > UINT32_MAX)
            return NULL;
        uint32_t *words = mem_resize(buffer->words, capacity * sizeof(*words));
        if (!words)
            return NULL;
        buffer->words = words;
        buffer->capacity = (uint32_t)capacity;
    }
    buffer->count += count;
    return &buffer->words[buffer->count - count];
}

/* Returns room for `count` more words of a section; NULL: memory is or was out. The edit has failed
 * then, for good. */
static uint32_t *edit_extend(struct spirv_edit *edit, enum spirv_section section, uint32_t count)
{
    assert(section < SPIRV_SECTION_COUNT);
    uint32_t *words = edit->failed ? NULL : spirv_buffer_extend(&edit->sections[section], count);
    edit->failed = !words;
    return words;
}

/* Copies words to the end of a section; `count` may be 0. */
static void edit_append(struct spirv_edit *edit, enum spirv_section section, const uint32_t *words,
                        uint32_t count)
{
    assert(words || !count);
    uint32_t *to = count ? edit_extend(edit, section, count) : NULL;
    if (to)
        memcpy(to, words, count * sizeof(*words));
}

uint32_t *spirv_edit_extend(struct spirv_edit *edit, enum spirv_section section, SpvOp opcode,
                            uint32_t length)
{
    assert(length && (uint32_t)opcode <= SpvOpCodeMask);
    if (length > SpvOpCodeMask) { /* the length field of an instruction has 16 bits */
        edit->failed = true;
        return NULL;
    }
    uint32_t *words = edit_extend(edit, section, length);
    if (words)
        words[0] = length << SpvWordCountShift | (uint32_t)opcode;
    return words;
}

/* Returns the section of an instruction (2.4 "Logical Layout of a Module"). One that the grammar
 * does not know stays in its section, `now`. */
static enum spirv_section section_of(uint32_t opcode, enum spirv_section now)
{
    switch (opcode) {
    case SpvOpCapability:
    case SpvOpConditionalCapabilityINTEL:
        return SPIRV_SECTION_CAPABILITIES;
    case SpvOpExtension:
    case SpvOpConditionalExtensionINTEL:
        return SPIRV_SECTION_EXTENSIONS;
    case SpvOpExtInstImport:
        return SPIRV_SECTION_IMPORTS;
    case SpvOpMemoryModel:
    case SpvOpSamplerImageAddressingModeNV:
        return SPIRV_SECTION_MEMORY_MODEL;
    case SpvOpEntryPoint:
    case SpvOpConditionalEntryPointINTEL:
        return SPIRV_SECTION_ENTRY_POINTS;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return SPIRV_SECTION_EXECUTION_MODES;
    case SpvOpString:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
        return SPIRV_SECTION_SOURCES;
    case SpvOpName:
    case SpvOpMemberName:
        return SPIRV_SECTION_NAMES;
    case SpvOpModuleProcessed:
        return SPIRV_SECTION_PROCESSED;
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorationGroup:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case SpvOpMemberDecorateIdEXT:
        return SPIRV_SECTION_ANNOTATIONS;
    case SpvOpFunction:
    case SpvOpGraphARM:
    case SpvOpGraphEntryPointARM:
        return SPIRV_SECTION_FUNCTIONS;
    case SpvOpNop:
        return now;
    default:
        /* all other known instructions before functions: types, constants and variables */
        return spirv_instruction_rule((uint16_t)opcode) ? SPIRV_SECTION_GLOBALS : now;
    }
}

/* Copies the instructions before the functions, in runs of one section. An instruction after the
 * end of its section stays there: such a module is invalid, and stays so. */
static void copy_sections(struct spirv_edit *edit)
{
    const struct spirv_module *module = edit->module;
    enum spirv_section now = SPIRV_SECTION_CAPABILITIES;
    uint32_t at = SPIRV_HEADER_WORDS, begin = at, i;
    for (i = 0; i < module->instruction_count; i++) {
        enum spirv_section next = section_of(module->instructions[i].opcode, now);
        at = module->instructions[i].offset;
        if (next <= now)
            continue;
        edit_append(edit, now, &module->words[begin], at - begin);
        begin = at;
        now = next;
        if (now == SPIRV_SECTION_FUNCTIONS)
            break;
    }
    edit->first_function = i;
    if (now != SPIRV_SECTION_FUNCTIONS)
        edit_append(edit, now, &module->words[begin], module->word_count - begin);
}

bool spirv_edit_begin(struct spirv_edit *edit, const struct spirv_module *module)
{
    assert(module->word_count >= SPIRV_HEADER_WORDS);
    *edit = (struct spirv_edit){.module = module, .bound = module->bound};
    copy_sections(edit);
    edit->own_globals = edit->sections[SPIRV_SECTION_GLOBALS].count;
    /* Functions are mostly copied completely, with additions. */
    uint32_t words = 0;
    if (edit->first_function < module->instruction_count)
        words = module->word_count - module->instructions[edit->first_function].offset;
    if (edit_extend(edit, SPIRV_SECTION_FUNCTIONS, words + words / 4 + BUFFER_FIRST_WORDS))
        edit->sections[SPIRV_SECTION_FUNCTIONS].count = 0;
    if (!edit->failed)
        return true;
    spirv_edit_abandon(edit);
    return false;
}

void spirv_edit_abandon(struct spirv_edit *edit)
{
    for (uint32_t i = 0; i < SPIRV_SECTION_COUNT; i++)
        mem_free(edit->sections[i].words);
    spirv_edit_free_memo(edit);
    *edit = (struct spirv_edit){.failed = true};
}

uint32_t *spirv_edit_end(struct spirv_edit *edit, uint32_t *word_count)
{
    assert(word_count);
    uint64_t count = SPIRV_HEADER_WORDS;
    for (uint32_t i = 0; i < SPIRV_SECTION_COUNT; i++)
        count += edit->sections[i].count;
    uint32_t *words = NULL;
    if (!edit->failed && count <= UINT32_MAX && edit->bound <= SPIRV_BOUND_LIMIT)
        words = mem_alloc(count * sizeof(*words));
    if (words) {
        memcpy(words, edit->module->words, SPIRV_HEADER_WORDS * sizeof(*words));
        words[3] = edit->bound;
        *word_count = SPIRV_HEADER_WORDS;
        for (uint32_t i = 0; i < SPIRV_SECTION_COUNT; i++) {
            const struct spirv_buffer *section = &edit->sections[i];
            if (section->count)
                memcpy(&words[*word_count], section->words, section->count * sizeof(*words));
            *word_count += section->count;
        }
    } else {
        *word_count = 0;
    }
    spirv_edit_abandon(edit);
    return words;
}

void spirv_edit_add(struct spirv_edit *edit, enum spirv_section section, SpvOp opcode,
                    const uint32_t *operands, uint32_t count)
{
    assert(operands || !count);
    uint32_t *words =
        spirv_edit_extend(edit, section, opcode, count < SpvOpCodeMask ? count + 1 : UINT32_MAX);
    if (words && count)
        memcpy(words + 1, operands, count * sizeof(*words));
}

void spirv_edit_copy(struct spirv_edit *edit, const struct spirv_instruction *instruction)
{
    assert(instruction);
    edit_append(edit, SPIRV_SECTION_FUNCTIONS, spirv_words(edit->module, instruction),
                instruction->length);
}

void spirv_edit_copy_run(struct spirv_edit *edit, uint32_t first, uint32_t end)
{
    assert(first <= end && end <= edit->module->instruction_count);
    const struct spirv_module *module = edit->module;
    if (first >= end || end > module->instruction_count)
        return;
    const struct spirv_instruction *last = &module->instructions[end - 1];
    uint32_t from = module->instructions[first].offset;
    edit_append(edit, SPIRV_SECTION_FUNCTIONS, &module->words[from],
                last->offset + last->length - from);
}

bool spirv_edit_has_capability(const struct spirv_edit *edit, SpvCapability capability)
{
    const struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_CAPABILITIES];
    for (uint32_t at = 0; at < section->count; at += spirv_word_length(section->words[at])) {
        const uint32_t *words = &section->words[at];
        if (words[0] == (2u << SpvWordCountShift | SpvOpCapability) &&
            words[1] == (uint32_t)capability)
            return true;
    }
    return false;
}

void spirv_edit_capability(struct spirv_edit *edit, SpvCapability capability)
{
    if (!spirv_edit_has_capability(edit, capability))
        spirv_edit_emit_to(edit, SPIRV_SECTION_CAPABILITIES, SpvOpCapability, (uint32_t)capability);
}

/* Returns the words that a string takes as an operand. */
static uint32_t string_words(const char *string)
{
    assert(string);
    size_t length = strlen(string) / sizeof(uint32_t) + 1;
    /* too long for any instruction */
    return length < SpvOpCodeMask ? (uint32_t)length : SpvOpCodeMask;
}

/* Writes a string as an operand, padded with zeros (2.2.1 "Instructions"). */
static void write_string(uint32_t *words, uint32_t count, const char *string)
{
    assert(count > strlen(string) / sizeof(uint32_t));
    words[count - 1] = 0;
    memcpy(words, string, strlen(string));
}

/* Finds the first instruction of a section with this opcode whose string after `before` words is
 * the given one; NULL: there is none. */
static const uint32_t *find_string(const struct spirv_buffer *section, SpvOp opcode,
                                   uint32_t before, const char *string)
{
    assert(section && string);
    uint32_t length;
    for (uint32_t at = 0; at < section->count; at += length) {
        const uint32_t *words = &section->words[at];
        uint32_t taken;
        length = spirv_word_length(words[0]);
        const char *found = spirv_word_opcode(words[0]) == (uint32_t)opcode && length > before
                                ? spirv_string(words + before, length - before, &taken)
                                : NULL;
        if (found && strcmp(found, string) == 0)
            return words;
    }
    return NULL;
}

void spirv_edit_extension(struct spirv_edit *edit, const char *name)
{
    assert(name);
    if (find_string(&edit->sections[SPIRV_SECTION_EXTENSIONS], SpvOpExtension, 1, name))
        return;
    uint32_t count = string_words(name);
    uint32_t *words = spirv_edit_extend(edit, SPIRV_SECTION_EXTENSIONS, SpvOpExtension, 1 + count);
    if (words)
        write_string(words + 1, count, name);
}

uint32_t spirv_edit_import(struct spirv_edit *edit, const char *name)
{
    const uint32_t *found =
        find_string(&edit->sections[SPIRV_SECTION_IMPORTS], SpvOpExtInstImport, 2, name);
    if (found)
        return found[1];
    uint32_t count = string_words(name);
    uint32_t *words = spirv_edit_extend(edit, SPIRV_SECTION_IMPORTS, SpvOpExtInstImport, 2 + count);
    if (!words)
        return 0;
    write_string(words + 2, count, name);
    return words[1] = spirv_edit_id(edit);
}

void spirv_edit_name(struct spirv_edit *edit, uint32_t id, const char *name)
{
    assert(name);
    uint32_t count = string_words(name);
    uint32_t *words = spirv_edit_extend(edit, SPIRV_SECTION_NAMES, SpvOpName, 2 + count);
    if (!words)
        return;
    words[1] = id;
    write_string(words + 2, count, name);
}

uint32_t spirv_edit_string(struct spirv_edit *edit, const char *text)
{
    assert(text);
    uint32_t count = string_words(text);
    uint32_t *words = spirv_edit_extend(edit, SPIRV_SECTION_SOURCES, SpvOpString, 2 + count);
    if (!words)
        return 0;
    write_string(words + 2, count, text);
    return words[1] = spirv_edit_id(edit);
}

/* Returns the index of an entry point's operand with the model; 0: it is another instruction, or
 * too short. */
static uint32_t entry_model(const uint32_t *words)
{
    uint32_t opcode = spirv_word_opcode(words[0]), length = spirv_word_length(words[0]);
    if (opcode == SpvOpEntryPoint && length > 3)
        return 1;
    return opcode == SpvOpConditionalEntryPointINTEL && length > 4 ? 2 : 0;
}

/* True for the entry point with this function, model and name: one function may have several
 * names. */
static bool is_entry(const uint32_t *words, uint32_t function, SpvExecutionModel model,
                     const char *name)
{
    assert(name);
    uint32_t at = entry_model(words), taken;
    if (words[at] != (uint32_t)model || words[at + 1] != function)
        return false;
    const char *found = spirv_string(words + at + 2, spirv_word_length(words[0]) - at - 2, &taken);
    return found && strcmp(found, name) == 0;
}

/* Removes the instructions from a section for which `drop` returns true. */
static void section_drop(struct spirv_buffer *section,
                         bool (*drop)(const uint32_t *words, const void *data), const void *data)
{
    assert(section && drop);
    uint32_t kept = 0, length;
    for (uint32_t at = 0; at < section->count; at += length) {
        const uint32_t *words = &section->words[at];
        length = spirv_word_length(words[0]);
        if (drop(words, data))
            continue;
        memmove(&section->words[kept], words, length * sizeof(*words));
        kept += length;
    }
    assert(kept <= section->count);
    section->count = kept;
}

/* Identifies the entry point that is kept. */
struct entry {
    uint32_t function; /* id */
    SpvExecutionModel model;
    const char *name;
};

/* True for any other entry point, for section_drop(). */
static bool other_entry(const uint32_t *words, const void *data)
{
    const struct entry *entry = data;
    return entry_model(words) && !is_entry(words, entry->function, entry->model, entry->name);
}

/* True for an execution mode of another function, for section_drop(). */
static bool mode_of_other(const uint32_t *words, const void *data)
{
    const struct entry *entry = data;
    uint32_t opcode = spirv_word_opcode(words[0]);
    return (opcode == SpvOpExecutionMode || opcode == SpvOpExecutionModeId) &&
           spirv_word_length(words[0]) > 1 && words[1] != entry->function;
}

void spirv_edit_keep_entry(struct spirv_edit *edit, uint32_t function, SpvExecutionModel model,
                           const char *name)
{
    assert(name);
    const struct entry entry = {.function = function, .model = model, .name = name};
    /* Functions of other entry points stay, without calls to them. */
    section_drop(&edit->sections[SPIRV_SECTION_ENTRY_POINTS], other_entry, &entry);
    section_drop(&edit->sections[SPIRV_SECTION_EXECUTION_MODES], mode_of_other, &entry);
}

/* Returns the storage class of a global variable, of the module or added since; SPIRV_NONE: the
 * variable is unknown. */
static uint32_t storage_of(const struct spirv_edit *edit, uint32_t variable)
{
    const struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_GLOBALS];
    const struct spirv_instruction *own = spirv_definition(edit->module, variable);
    const uint32_t *words = own ? spirv_words(edit->module, own) : NULL;
    for (uint32_t at = edit->own_globals; !words && at < section->count;
         at += spirv_word_length(section->words[at])) {
        /* the opcode is compared, as OpTypeInt has its width where a variable has its id */
        uint32_t found = spirv_word_opcode(section->words[at]);
        if ((found == SpvOpVariable || found == SpvOpUntypedVariableKHR) &&
            section->words[at + 2] == variable)
            words = &section->words[at];
    }
    if (!words || spirv_word_length(words[0]) < 4)
        return SPIRV_NONE;
    uint32_t opcode = spirv_word_opcode(words[0]);
    return opcode == SpvOpVariable || opcode == SpvOpUntypedVariableKHR ? words[3] : SPIRV_NONE;
}

/* Adds a word to the instruction at `at`. */
static void section_lengthen(struct spirv_edit *edit, struct spirv_buffer *section, uint32_t at,
                             uint32_t word)
{
    assert(at < section->count && at + spirv_word_length(section->words[at]) <= section->count);
    uint32_t length = spirv_word_length(section->words[at]);
    if (edit->failed || length == SpvOpCodeMask || !spirv_buffer_extend(section, 1)) {
        edit->failed = true;
        return;
    }
    uint32_t *end = &section->words[at + length];
    memmove(end + 1, end, (section->count - 1 - at - length) * sizeof(*end));
    *end = word;
    section->words[at] += 1u << SpvWordCountShift;
}

void spirv_edit_interface(struct spirv_edit *edit, uint32_t variable)
{
    struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_ENTRY_POINTS];
    uint32_t storage = storage_of(edit, variable);
    if (storage == SPIRV_NONE)
        return;
    /* Before SPIR-V 1.4 an interface had inputs and outputs only; since then it has all used global
     * variables. */
    if (edit->module->version < 0x00010400 && storage != SpvStorageClassInput &&
        storage != SpvStorageClassOutput)
        return;
    for (uint32_t at = 0; at < section->count; at += spirv_word_length(section->words[at])) {
        const uint32_t *words = &section->words[at];
        uint32_t length = spirv_word_length(words[0]), i = entry_model(words), taken;
        if (!i || !spirv_string(words + i + 2, length - i - 2, &taken))
            continue;
        for (i += 2 + taken; i < length && words[i] != variable; i++)
            continue;
        if (i == length)
            section_lengthen(edit, section, at, variable);
    }
}
