/* Links functions of a library into a module. First it finds all ids that the functions need. Then
 * it adds the needed globals in the library's order, and last the bodies, with the ids of the
 * module. */
#include "spirv/edit/link.h"

#include <string.h>

/* Values in the map, besides ids (all below SPIRV_BOUND_LIMIT). */
#define WANTED  (1u << 30) /* the id is needed, but was not added yet */
#define INLINED 1u         /* a function whose calls were all inlined */
/* a bit beside an id: OpTypeForwardPointer was added, the type was not */
#define ANNOUNCED (1u << 31)

/* Extensions that a version of SPIR-V includes; only those that libraries of shaders can need. */
static const struct {
    const char *name;
    uint32_t version;
} included[] = {
    {"SPV_KHR_16bit_storage", 0x00010300},
    {"SPV_KHR_8bit_storage", 0x00010500},
    {"SPV_KHR_float_controls", 0x00010400},
    {"SPV_KHR_integer_dot_product", 0x00010600},
    {"SPV_KHR_physical_storage_buffer", 0x00010500},
    {"SPV_EXT_physical_storage_buffer", 0x00010500},
    {"SPV_KHR_storage_buffer_storage_class", 0x00010300},
    {"SPV_KHR_terminate_invocation", 0x00010600},
    {"SPV_KHR_variable_pointers", 0x00010300},
    {"SPV_KHR_vulkan_memory_model", 0x00010500},
    {"SPV_KHR_non_semantic_info", 0}, /* is_left_out() leaves its instructions in the library */
    {"SPV_EXT_demote_to_helper_invocation", 0x00010600},
    {"SPV_EXT_descriptor_indexing", 0x00010500},
};

/* Capabilities that became part of SPIR-V in a version that may be later than the module's, with
 * the extension that has them before. */
static const struct {
    uint32_t capability;
    const char *extension;
} from_extension[] = {
    {SpvCapabilityStorageBuffer16BitAccess, "SPV_KHR_16bit_storage"},
    {SpvCapabilityUniformAndStorageBuffer16BitAccess, "SPV_KHR_16bit_storage"},
    {SpvCapabilityStorageBuffer8BitAccess, "SPV_KHR_8bit_storage"},
    {SpvCapabilityUniformAndStorageBuffer8BitAccess, "SPV_KHR_8bit_storage"},
    {SpvCapabilityVariablePointersStorageBuffer, "SPV_KHR_variable_pointers"},
    {SpvCapabilityVariablePointers, "SPV_KHR_variable_pointers"},
    {SpvCapabilityShaderNonUniform, "SPV_EXT_descriptor_indexing"},
    {SpvCapabilityRuntimeDescriptorArray, "SPV_EXT_descriptor_indexing"},
    {SpvCapabilityVulkanMemoryModel, "SPV_KHR_vulkan_memory_model"},
    {SpvCapabilityVulkanMemoryModelDeviceScope, "SPV_KHR_vulkan_memory_model"},
    {SpvCapabilityPhysicalStorageBufferAddresses, "SPV_KHR_physical_storage_buffer"},
    {SpvCapabilityDemoteToHelperInvocation, "SPV_EXT_demote_to_helper_invocation"},
};

/* Adds an extension, unless the module's version includes it. */
static void add_extension(struct spirv_edit *edit, const char *name)
{
    for (size_t i = 0; i < ARRAY_LENGTH(included); i++)
        if (strcmp(included[i].name, name) == 0 && edit->module->version >= included[i].version)
            return;
    spirv_edit_extension(edit, name);
}

/* Adds a capability. Linkage is only for the library; a shader with it could not run. */
static void add_capability(struct spirv_edit *edit, uint32_t capability)
{
    if (capability == SpvCapabilityLinkage)
        return;
    spirv_edit_capability(edit, (SpvCapability)capability);
    for (size_t i = 0; i < ARRAY_LENGTH(from_extension); i++)
        if (from_extension[i].capability == capability)
            add_extension(edit, from_extension[i].extension);
}

/* Changes the module's addressing model to the library's, since the library's pointers are added to
 * it. */
static void raise_addressing(struct spirv_edit *edit, uint32_t addressing)
{
    const struct spirv_buffer *section = &edit->sections[SPIRV_SECTION_MEMORY_MODEL];
    if (addressing != SpvAddressingModelPhysicalStorageBuffer64)
        return;
    for (uint32_t at = 0; at < section->count; at += spirv_word_length(section->words[at]))
        if (section->words[at] == (3u << SpvWordCountShift | SpvOpMemoryModel))
            section->words[at + 1] = addressing;
}

/* Adds the capabilities and extensions of the library, and its addressing model. */
static void begin_library(struct spirv_link *link)
{
    const struct spirv_module *library = link->library;
    link->begun = true;
    for (uint32_t i = 0; i < link->first_function; i++) {
        const struct spirv_instruction *instruction = &library->instructions[i];
        const uint32_t *words = spirv_words(library, instruction);
        uint32_t taken;
        const char *name;
        if (instruction->opcode == SpvOpCapability && instruction->length == 2)
            add_capability(link->edit, words[1]);
        else if (instruction->opcode == SpvOpExtension &&
                 (name = spirv_string(words + 1, instruction->length - 1u, &taken)) != NULL)
            add_extension(link->edit, name);
        else if (instruction->opcode == SpvOpMemoryModel && instruction->length == 3)
            raise_addressing(link->edit, words[1]);
    }
}

/* True if the instruction annotates the id in its first operand. */
static bool is_annotation(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
        return true;
    default:
        return false;
    }
}

/* True if the library exports the id under a name. */
static bool is_export(const struct spirv_module *library,
                      const struct spirv_instruction *instruction)
{
    return instruction->opcode == SpvOpDecorate && instruction->length > 3 &&
           spirv_words(library, instruction)[2] == SpvDecorationLinkageAttributes;
}

/* Appends a word; if memory is out, the edit fails. */
static void link_push(struct spirv_link *link, struct spirv_buffer *buffer, uint32_t word)
{
    uint32_t *words = link->edit->failed ? NULL : spirv_buffer_extend(buffer, 1);
    if (words)
        *words = word;
    else
        link->edit->failed = true;
}

/* Lists the annotations of each id, in the library's order. Returns false if there are decoration
 * groups, which are not supported. */
static bool list_annotations(struct spirv_link *link)
{
    const struct spirv_module *library = link->library;
    memset(link->annotations, 0xff, library->bound * sizeof(uint32_t)); /* SPIRV_NONE */
    for (uint32_t i = link->first_function; i-- > 0;) {
        const struct spirv_instruction *instruction = &library->instructions[i];
        if (instruction->opcode == SpvOpGroupDecorate ||
            instruction->opcode == SpvOpGroupMemberDecorate)
            return false;
        if (!is_annotation(instruction->opcode) || instruction->length < 3)
            continue;
        uint32_t id = spirv_words(library, instruction)[1];
        if (id >= library->bound)
            continue;
        link->next_annotation[i] = link->annotations[id];
        link->annotations[id] = i;
        if (is_export(library, instruction))
            link_push(link, &link->exports, i);
    }
    return true;
}

bool spirv_link_begin(struct spirv_link *link, struct spirv_edit *edit,
                      const struct spirv_module *library)
{
    *link = (struct spirv_link){.edit = edit, .library = library};
    /* In a module, functions stand before graphs (SPV_ARM_graph): none can follow its end. */
    if (spirv_edit_has_capability(edit, SpvCapabilityGraphARM))
        return false;
    while (link->first_function < library->instruction_count &&
           library->instructions[link->first_function].opcode != SpvOpFunction)
        link->first_function++;
    link->map =
        mem_alloc_zeroed(((size_t)library->bound * 2 + link->first_function) * sizeof(uint32_t));
    if (!link->map)
        return false;
    /* All lists lie in one allocation, which is `map`. */
    link->annotations = link->map + library->bound;
    link->next_annotation = link->annotations + library->bound;
    if (list_annotations(link))
        return true;
    mem_free(link->map);
    mem_free(link->exports.words);
    *link = (struct spirv_link){0};
    return false;
}

/* Returns the library's id of the function that it exports by this name; 0: there is none. */
static uint32_t find_export(const struct spirv_link *link, const char *name)
{
    for (uint32_t i = 0; i < link->exports.count; i++) {
        const struct spirv_instruction *instruction =
            &link->library->instructions[link->exports.words[i]];
        const uint32_t *words = spirv_words(link->library, instruction);
        uint32_t taken;
        const char *found = spirv_string(words + 3, instruction->length - 3u, &taken);
        const struct spirv_instruction *function = spirv_definition(link->library, words[1]);
        if (found && function && function->opcode == SpvOpFunction && strcmp(found, name) == 0)
            return words[1];
    }
    return 0;
}

/* True for lines and debug information of the library, whose source is not available to users. */
static bool is_left_out(const struct spirv_module *library,
                        const struct spirv_instruction *instruction)
{
    if (instruction->opcode == SpvOpLine || instruction->opcode == SpvOpNoLine)
        return true;
    if (instruction->opcode != SpvOpExtInst || instruction->length < 5)
        return false;
    const struct spirv_instruction *set =
        spirv_definition(library, spirv_words(library, instruction)[3]);
    uint32_t taken;
    const char *name = set && set->opcode == SpvOpExtInstImport && set->length > 2
                           ? spirv_string(spirv_words(library, set) + 2, set->length - 2u, &taken)
                           : NULL;
    return name && strncmp(name, "NonSemantic.", 12) == 0;
}

/* Returns the function that replaces this one (spirv_link_alias()), or the id itself. */
static uint32_t alias_of(const struct spirv_link *link, uint32_t id)
{
    for (uint32_t i = 0; i < link->alias_count; i++)
        id = link->aliases[i].from == id ? link->aliases[i].to : id;
    return id;
}

/* Notes that a global or function of the library is needed, if it is not in the edit. Ids that are
 * defined in functions are linked with them. */
static void link_want(struct spirv_link *link, uint32_t id)
{
    id = alias_of(link, id);
    const struct spirv_instruction *definition = spirv_definition(link->library, id);
    if (!definition || link->map[id])
        return;
    if (link->library->definitions[id] >= link->first_function &&
        definition->opcode != SpvOpFunction)
        return;
    link->map[id] = WANTED;
    link_push(link, &link->wanted, id);
}

static void want_annotations(struct spirv_link *link, uint32_t id);

/* Notes the ids that an instruction uses. */
static void want_operands(struct spirv_link *link, const struct spirv_instruction *instruction)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    const uint32_t *words = spirv_words(link->library, instruction);
    if (is_left_out(link->library, instruction))
        return;
    bool known = spirv_operands_begin(&walk, link->library, instruction);
    while (known && spirv_operands_next(&walk, &operand)) {
        if (operand.kind == SPIRV_KIND_IdResult)
            want_annotations(link, words[operand.word]);
        else if (spirv_kind_is_id(operand.kind))
            link_want(link, words[operand.word]);
    }
    if (!known || walk.malformed)
        link->edit->failed = true; /* ids that are not found would stay ids of the library */
}

/* Notes the ids that decorations need: OpDecorateId may use constants. */
static void want_annotations(struct spirv_link *link, uint32_t id)
{
    assert(id < link->library->bound);
    for (uint32_t i = link->annotations[id]; i != SPIRV_NONE; i = link->next_annotation[i])
        if (link->library->instructions[i].opcode == SpvOpDecorateId)
            want_operands(link, &link->library->instructions[i]);
}

/* Returns the index after a function's last instruction. If a function has no end or no body, the
 * edit fails. */
static uint32_t function_end(const struct spirv_link *link, uint32_t function)
{
    assert(function < link->library->bound && link->library->definitions[function] != SPIRV_NONE);
    const struct spirv_module *library = link->library;
    bool body = false;
    for (uint32_t i = library->definitions[function]; i < library->instruction_count; i++) {
        body = body || library->instructions[i].opcode == SpvOpLabel;
        if (library->instructions[i].opcode == SpvOpFunctionEnd && body)
            return i + 1;
        if (library->instructions[i].opcode == SpvOpFunctionEnd)
            break;
    }
    link->edit->failed = true;
    return 0;
}

/* Finds all ids that the wanted ids need. */
static void want_all(struct spirv_link *link)
{
    const struct spirv_module *library = link->library;
    while (link->wanted.count && !link->edit->failed) {
        uint32_t id = link->wanted.words[--link->wanted.count];
        uint32_t first = library->definitions[id], end = first + 1;
        if (library->instructions[first].opcode == SpvOpFunction) {
            link->map[id] = spirv_edit_id(link->edit);
            link_push(link, &link->functions, id);
            end = function_end(link, id);
        }
        for (uint32_t i = first; i < end; i++)
            want_operands(link, &library->instructions[i]);
    }
}

/* Returns the edit's id for an id of the library; it is made if there is none yet. 0: the id is
 * used before it is defined, and the edit has failed. */
static uint32_t link_id(struct spirv_link *link, uint32_t id)
{
    id = alias_of(link, id);
    if (id >= link->library->bound || link->map[id] == WANTED) {
        link->edit->failed = true; /* invalid module: the id is used before it is defined */
        return 0;
    }
    if (!link->map[id])
        link->map[id] = spirv_edit_id(link->edit);
    return link->map[id] & ~ANNOUNCED;
}

/* Appends an instruction with the edit's ids. `skipped` is the index of a word that the caller
 * writes, or 0. Returns NULL if memory is out, or the instruction is not known. */
static uint32_t *link_translate(struct spirv_link *link,
                                const struct spirv_instruction *instruction,
                                struct spirv_buffer *to, uint32_t skipped)
{
    assert(skipped < instruction->length);
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    uint32_t *words = link->edit->failed ? NULL : spirv_buffer_extend(to, instruction->length);
    if (!words || !spirv_operands_begin(&walk, link->library, instruction)) {
        link->edit->failed = true;
        return NULL;
    }
    memcpy(words, spirv_words(link->library, instruction), instruction->length * sizeof(*words));
    while (spirv_operands_next(&walk, &operand))
        if (spirv_kind_is_id(operand.kind) && operand.word != skipped)
            words[operand.word] = link_id(link, words[operand.word]);
    return words;
}

/* True for names, which do not distinguish types. */
static bool is_name(uint16_t opcode)
{
    return opcode == SpvOpName || opcode == SpvOpMemberName;
}

/* Adds the names and decorations of an id that was added. Without `named`, names are left out. */
static void link_annotate(struct spirv_link *link, uint32_t id, bool named)
{
    assert(id < link->library->bound);
    for (uint32_t i = link->annotations[id]; i != SPIRV_NONE; i = link->next_annotation[i]) {
        const struct spirv_instruction *instruction = &link->library->instructions[i];
        if (is_export(link->library, instruction) || (is_name(instruction->opcode) && !named))
            continue;
        (void)link_translate(link, instruction,
                             &link->edit->sections[is_name(instruction->opcode)
                                                       ? SPIRV_SECTION_NAMES
                                                       : SPIRV_SECTION_ANNOTATIONS],
                             0);
    }
}

/* True if the id has a decoration, so that it may not be shared with one that does not. */
static bool link_is_decorated(const struct spirv_link *link, uint32_t id)
{
    assert(id < link->library->bound);
    for (uint32_t i = link->annotations[id]; i != SPIRV_NONE; i = link->next_annotation[i])
        if (!is_name(link->library->instructions[i].opcode))
            return true;
    return false;
}

/* Adds a new instruction, even if the module has an equal one, and returns its id. If `id` is 0, it
 * gets a new id. */
static uint32_t make_new(struct spirv_link *link, enum spirv_section section, uint32_t result,
                         uint32_t id, const uint32_t *words)
{
    uint32_t length = spirv_word_length(words[0]);
    uint32_t *copy =
        spirv_edit_extend(link->edit, section, (SpvOp)spirv_word_opcode(words[0]), length);
    if (!copy)
        return 0;
    memcpy(copy + 1, words + 1, (length - 1) * sizeof(*words));
    return copy[result] = id ? id : spirv_edit_id(link->edit);
}

/* Returns the edit's id of a global of the library: that of an existing equal one, if it may be
 * shared. `words` are translated already. */
static uint32_t link_make(struct spirv_link *link, uint32_t id, uint32_t result,
                          const uint32_t *words)
{
    struct spirv_edit *edit = link->edit;
    SpvOp opcode = (SpvOp)spirv_word_opcode(words[0]);
    uint32_t rest = spirv_word_length(words[0]) - result - 1, announced = link->map[id] & ANNOUNCED,
             taken;
    const char *name;
    switch (opcode) {
    case SpvOpExtInstImport:
        name = spirv_string(words + 2, rest, &taken);
        return name ? spirv_edit_import(edit, name) : 0;
    case SpvOpString:
        return make_new(link, SPIRV_SECTION_SOURCES, result, 0, words);
    case SpvOpTypePointer:
        if (rest && words[2] == SpvStorageClassStorageBuffer)
            add_extension(edit, "SPV_KHR_storage_buffer_storage_class");
        if (announced)
            return make_new(link, SPIRV_SECTION_GLOBALS, result, link->map[id] & ~ANNOUNCED, words);
        break;
    default:
        break;
    }
    if ((result == 2 || opcode == SpvOpTypePointer) && link_is_decorated(link, id))
        return make_new(link, SPIRV_SECTION_GLOBALS, result, 0, words);
    return result == 2 ? spirv_edit_constant(edit, opcode, words[1], words + 3, rest)
                       : spirv_edit_type(edit, opcode, words + 2, rest);
}

/* Links a global of the library, whose id there is `id`. `result` is the index of the word with its
 * result. */
static void link_global(struct spirv_link *link, const struct spirv_instruction *instruction,
                        uint32_t result, uint32_t id)
{
    uint32_t bound = link->edit->bound, announced = link->map[id] & ANNOUNCED;
    link->scratch.count = 0;
    const uint32_t *words = link_translate(link, instruction, &link->scratch, result);
    uint32_t made = words ? link_make(link, id, result, words) : 0;
    if (!made || link->edit->failed) {
        link->edit->failed = true;
        return;
    }
    link->map[id] = made;
    if (made >= bound || announced)
        link_annotate(link, id, instruction->opcode == SpvOpTypeStruct);
    if (instruction->opcode == SpvOpVariable)
        spirv_edit_interface(link->edit, made);
}

/* Adds an OpTypeForwardPointer for a pointer that is used before its type is defined. */
static void link_announce(struct spirv_link *link, uint32_t pointer, uint32_t storage)
{
    if (pointer >= link->library->bound || link->map[pointer] != WANTED)
        return;
    uint32_t id = spirv_edit_id(link->edit);
    link->map[pointer] = id | ANNOUNCED;
    spirv_edit_emit_to(link->edit, SPIRV_SECTION_GLOBALS, SpvOpTypeForwardPointer, id, storage);
}

/* True if one of the instructions from `first` on names the type before it is defined. Compilers
 * declare all pointers forward. */
static bool is_used_before(const struct spirv_link *link, uint32_t id, uint32_t first)
{
    const uint32_t end = id < link->library->bound ? link->library->definitions[id] : first;
    for (uint32_t i = first; i < end; i++) {
        struct spirv_operand_walk walk;
        struct spirv_operand operand;
        const uint32_t *words = spirv_words(link->library, &link->library->instructions[i]);
        if (!spirv_operands_begin(&walk, link->library, &link->library->instructions[i]))
            continue;
        while (spirv_operands_next(&walk, &operand)) {
            if (spirv_kind_is_id(operand.kind) && words[operand.word] == id)
                return true;
        }
    }
    return false;
}

/* Adds all needed globals, in the library's order, in which everything is defined before its
 * use. */
static void link_globals(struct spirv_link *link)
{
    const struct spirv_module *library = link->library;
    for (uint32_t i = 0; i < link->first_function && !link->edit->failed; i++) {
        const struct spirv_instruction *instruction = &library->instructions[i];
        const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
        const uint32_t *words = spirv_words(library, instruction);
        if (instruction->opcode == SpvOpTypeForwardPointer && instruction->length == 3 &&
            is_used_before(link, words[1], i + 1))
            link_announce(link, words[1], words[2]);
        if (!rule || !rule->has_result)
            continue;
        uint32_t result = rule->has_type ? 2 : 1;
        if (instruction->length > result && link->map[words[result]] & (WANTED | ANNOUNCED))
            link_global(link, instruction, result, words[result]);
    }
}

/* Emits the code that replaces an inlined call. Returns false if the instruction is another one. */
static bool link_inline(struct spirv_link *link, const struct spirv_instruction *instruction,
                        const uint32_t *words)
{
    struct spirv_edit *edit = link->edit;
    uint32_t i = 0;
    if (instruction->opcode != SpvOpFunctionCall || instruction->length != 4)
        return false;
    while (i < link->inline_count && link->inlines[i].function != words[3])
        i++;
    if (i == link->inline_count)
        return false;
    struct spirv_buffer functions = edit->sections[SPIRV_SECTION_FUNCTIONS];
    edit->sections[SPIRV_SECTION_FUNCTIONS] = link->bodies;
    uint32_t id = link->inlines[i].emit(link->inlines[i].context);
    link->bodies = edit->sections[SPIRV_SECTION_FUNCTIONS];
    edit->sections[SPIRV_SECTION_FUNCTIONS] = functions;
    if (link->map[words[2]] || !id)
        edit->failed = true; /* the id was used before it was defined */
    else
        link->map[words[2]] = id;
    return true;
}

/* Appends the body of one of the library's functions. */
static void link_body(struct spirv_link *link, uint32_t function)
{
    uint32_t end = function_end(link, function);
    for (uint32_t i = link->library->definitions[function]; i < end && !link->edit->failed; i++) {
        const struct spirv_instruction *instruction = &link->library->instructions[i];
        const struct spirv_instruction_rule *rule = spirv_instruction_rule(instruction->opcode);
        if (is_left_out(link->library, instruction) ||
            link_inline(link, instruction, spirv_words(link->library, instruction)))
            continue;
        uint32_t result = !rule || !rule->has_result ? 0 : rule->has_type ? 2 : 1;
        const uint32_t *words = spirv_words(link->library, instruction);
        if (link_translate(link, instruction, &link->bodies, 0) && result &&
            instruction->length > result)
            link_annotate(link, words[result], instruction->opcode == SpvOpFunction);
    }
}

uint32_t spirv_link_function(struct spirv_link *link, const char *name)
{
    assert(name);
    uint32_t function = link->edit->failed ? 0 : alias_of(link, find_export(link, name));
    if (!function)
        return 0;
    if (link->map[function])
        return link->map[function];
    if (!link->begun)
        begin_library(link);
    link_want(link, function);
    want_all(link);
    link_globals(link);
    for (uint32_t i = 0; i < link->functions.count && !link->edit->failed; i++)
        link_body(link, link->functions.words[i]);
    link->functions.count = 0;
    return link->edit->failed ? 0 : link->map[function];
}

void spirv_link_replace(struct spirv_link *link, const char *name, uint32_t function)
{
    assert(name && function);
    uint32_t replaced = find_export(link, name);
    if (replaced)
        link->map[replaced] = function;
}

void spirv_link_inline(struct spirv_link *link, const char *name, spirv_inline_emit *emit,
                       void *context)
{
    assert(name && emit);
    uint32_t replaced = find_export(link, name);
    if (!replaced || link->inline_count == SPIRV_INLINES) {
        link->edit->failed = true; /* an error of the layer */
        return;
    }
    link->map[replaced] = INLINED;
    link->inlines[link->inline_count++] = (struct spirv_inline){replaced, emit, context};
}

void spirv_link_alias(struct spirv_link *link, const char *name, const char *other)
{
    assert(name && other);
    uint32_t from = find_export(link, name), to = find_export(link, other);
    if (!from || !to || link->alias_count == SPIRV_ALIASES) {
        link->edit->failed = true; /* an error of the layer */
        return;
    }
    link->aliases[link->alias_count].from = from;
    link->aliases[link->alias_count++].to = to;
}

void spirv_link_end(struct spirv_link *link)
{
    struct spirv_buffer *section = &link->edit->sections[SPIRV_SECTION_FUNCTIONS];
    if (link->bodies.count && !link->edit->failed) {
        uint32_t *words = spirv_buffer_extend(section, link->bodies.count);
        if (words)
            memcpy(words, link->bodies.words, link->bodies.count * sizeof(*words));
        else
            link->edit->failed = true;
    }
    mem_free(link->map);
    mem_free(link->bodies.words);
    mem_free(link->exports.words);
    mem_free(link->wanted.words);
    mem_free(link->functions.words);
    mem_free(link->scratch.words);
    *link = (struct spirv_link){0};
}
