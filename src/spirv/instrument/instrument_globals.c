/* Gives the functions of the library access to data in the module. These are the command's pointer
 * (8 more bytes of push constants, or two specialization constants), and the built-ins that
 * identify the invocation. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

/* --- the module's push constants --- */

/* True if the variable is only used as the base of access chains. `*used` is set if a function that
 * the entry point calls uses it. */
static bool used_in_chains_only(const struct instrument *x, uint32_t variable, bool *used)
{
    bool reached = false;
    *used = false;
    for (uint32_t i = x->edit.first_function; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpFunction)
            reached =
                instruction->length > 2 && words[2] < x->module->bound && x->reached[words[2]];
        bool chain = (instruction->opcode == SpvOpAccessChain ||
                      instruction->opcode == SpvOpInBoundsAccessChain) &&
                     instruction->length > 4 && words[3] == variable;
        if (chain) {
            *used = *used || reached;
            continue;
        }
        struct spirv_operand_walk walk;
        struct spirv_operand operand;
        if (!spirv_operands_begin(&walk, x->module, instruction))
            continue;
        /* any other use, in any function, means that the variable's type must not change */
        while (spirv_operands_next(&walk, &operand)) {
            if (spirv_kind_is_id(operand.kind) && words[operand.word] == variable &&
                instruction->opcode != SpvOpExtInst)
                return false;
        }
    }
    return true;
}

/* True if OpEntryPoint lists the variable. From SPIR-V 1.4 on it may list a push constant variable
 * that is not used; that counts as a use, and only one is allowed. */
static bool in_interface(const struct instrument *x, uint32_t variable)
{
    const struct spirv_buffer *section = &x->edit.sections[SPIRV_SECTION_ENTRY_POINTS];
    for (uint32_t at = 0, length; at < section->count; at += length) {
        const uint32_t *words = &section->words[at];
        uint32_t taken;
        length = spirv_word_length(words[0]);
        if (spirv_word_opcode(words[0]) != SpvOpEntryPoint || length < 4 ||
            !spirv_string(&words[3], length - 3, &taken))
            continue;
        for (uint32_t i = 3 + taken; i < length; i++)
            if (words[i] == variable)
                return true;
    }
    return false;
}

/* Finds the push constant variable that the entry point uses, else any other one, since drivers
 * expect at most one; 0: there is none. Returns false if several are used, or the variable's type
 * cannot be changed. */
static bool find_push_constants(const struct instrument *x, uint32_t *found)
{
    uint32_t unused = 0;
    *found = 0;
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        bool used;
        if (instruction->opcode != SpvOpVariable || instruction->length < 4 ||
            words[3] != SpvStorageClassPushConstant)
            continue;
        bool changeable = used_in_chains_only(x, words[2], &used);
        used = used || in_interface(x, words[2]);
        if (!changeable || (used && *found))
            return false;
        *(used ? found : &unused) = words[2];
    }
    *found = *found ? *found : unused;
    return true;
}

/* Copies the decorations and names of a struct to the new struct. */
static void copy_decorations(struct instrument *x, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < x->edit.first_function; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        bool name = instruction->opcode == SpvOpName || instruction->opcode == SpvOpMemberName;
        uint32_t operands[64];
        if ((!name && instruction->opcode != SpvOpDecorate &&
             instruction->opcode != SpvOpMemberDecorate) ||
            instruction->length < 3 || instruction->length > ARRAY_LENGTH(operands) ||
            words[1] != from)
            continue;
        memcpy(operands, &words[1], (instruction->length - 1u) * sizeof(*words));
        operands[0] = to;
        spirv_edit_add(&x->edit, name ? SPIRV_SECTION_NAMES : SPIRV_SECTION_ANNOTATIONS,
                       (SpvOp)instruction->opcode, operands, instruction->length - 1u);
    }
}

/* Appends words to the new version of a section. */
static void globals_append(struct instrument *x, struct spirv_buffer *buffer, const uint32_t *words,
                           uint32_t count)
{
    uint32_t *room = count ? spirv_buffer_extend(buffer, count) : NULL;
    if (room)
        memcpy(room, words, count * sizeof(*words));
    else
        x->failed = x->failed || count;
}

/* Makes the first word of an instruction, from its opcode and length. */
#define WORD(opcode_, length_) ((uint32_t)(opcode_) | (uint32_t)(length_) << SpvWordCountShift)

#define LOADED_MEMBERS 16 /* most members of a struct that is loaded as a whole */

/* True if the struct may be loaded as a whole: it has few members, all scalars and vectors of 32
 * bits. Compilers drop the unused members of such a load, and no pointer to the command's member is
 * needed. */
static bool may_be_loaded(const struct instrument *x, const struct spirv_instruction *definition)
{
    const uint32_t *members = spirv_words(x->module, definition);
    if (definition->length > 2 + LOADED_MEMBERS)
        return false;
    for (uint32_t i = 2; i < definition->length; i++) {
        const uint32_t *vector = instrument_definition(x, members[i], SpvOpTypeVector, 4);
        const uint32_t scalar = vector ? vector[2] : members[i];
        const uint32_t *integer = instrument_definition(x, scalar, SpvOpTypeInt, 4),
                       *real = instrument_definition(x, scalar, SpvOpTypeFloat, 3);
        if ((!integer || integer[2] != 32) && (!real || real[2] != 32))
            return false;
    }
    return true;
}

/* True if the struct is only used as the type of this variable. */
static bool is_of_variable_alone(const struct instrument *x, uint32_t block, uint32_t pointer,
                                 uint32_t variable)
{
    for (uint32_t i = 0; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        struct spirv_operand_walk walk;
        struct spirv_operand operand;
        switch (instruction->opcode) {
        case SpvOpName:
        case SpvOpMemberName:
        case SpvOpDecorate:
        case SpvOpMemberDecorate:
            continue;
        default:
            break;
        }
        if (!spirv_operands_begin(&walk, x->module, instruction))
            return false;
        while (spirv_operands_next(&walk, &operand)) {
            const uint32_t id = spirv_kind_is_id(operand.kind) ? words[operand.word] : 0;
            const bool defines = operand.kind == SPIRV_KIND_IdResult;
            if ((id == block && !defines &&
                 (instruction->opcode != SpvOpTypePointer || words[1] != pointer)) ||
                (id == pointer && !defines &&
                 (instruction->opcode != SpvOpVariable || words[2] != variable)))
                return false;
        }
    }
    return true;
}

/* Adds a member of two words to the block of push constants. If only this variable has the struct
 * as its type, the struct is changed. Otherwise a copy of it is declared right before the variable,
 * and becomes its type. The two types that the member needs are declared first, as they may have
 * been declared later. */
static void extend_push_constants(struct instrument *x, uint32_t variable, uint32_t block)
{
    const struct spirv_instruction *definition = spirv_definition(x->module, block);
    const uint32_t *members = spirv_words(x->module, definition);
    struct spirv_buffer *globals = &x->edit.sections[SPIRV_SECTION_GLOBALS], made = {0};
    uint32_t u32 = spirv_edit_type_u32(&x->edit), pair = spirv_edit_type_vector(&x->edit, u32, 2);
    const bool alone = is_of_variable_alone(x, block, instrument_type_of(x, variable), variable);
    uint32_t type = alone ? block : spirv_edit_id(&x->edit),
             pointer = alone ? 0 : spirv_edit_id(&x->edit);
    globals_append(x, &made, (const uint32_t[]){WORD(SpvOpTypeInt, 4), u32, 32, 0}, 4);
    globals_append(x, &made, (const uint32_t[]){WORD(SpvOpTypeVector, 4), pair, u32, 2}, 4);
    for (uint32_t at = 0, length; at < globals->count && !x->failed; at += length) {
        const uint32_t *words = &globals->words[at];
        length = words[0] >> SpvWordCountShift;
        if ((words[0] == WORD(SpvOpTypeInt, 4) && words[1] == u32) ||
            (words[0] == WORD(SpvOpTypeVector, 4) && words[1] == pair))
            continue;
        if (alone && (words[0] & SpvOpCodeMask) == SpvOpTypeStruct && words[1] == block) {
            globals_append(x, &made, (const uint32_t[]){WORD(SpvOpTypeStruct, length + 1)}, 1);
            globals_append(x, &made, &words[1], length - 1);
            globals_append(x, &made, &pair, 1);
            continue;
        }
        if (alone || (words[0] & SpvOpCodeMask) != SpvOpVariable || words[2] != variable) {
            globals_append(x, &made, words, length);
            continue;
        }
        globals_append(x, &made,
                       (const uint32_t[]){WORD(SpvOpTypeStruct, definition->length + 1u), type}, 2);
        globals_append(x, &made, &members[2], definition->length - 2u);
        globals_append(x, &made, &pair, 1);
        globals_append(x, &made,
                       (const uint32_t[]){WORD(SpvOpTypePointer, 4), pointer,
                                          SpvStorageClassPushConstant, type},
                       4);
        globals_append(x, &made, (const uint32_t[]){words[0], pointer, variable}, 3);
        globals_append(x, &made, &words[3], length - 3);
    }
    mem_free(globals->words);
    *globals = made;
    spirv_edit_free_memo(&x->edit); /* the memo has positions in the old section */
    x->edit.own_globals = 0;
    x->push_variable = variable;
    x->push_member = definition->length - 2u;
    x->push_block = may_be_loaded(x, definition) ? type : 0;
    if (!alone)
        copy_decorations(x, block, type);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_ANNOTATIONS, SpvOpMemberDecorate, type,
                       x->push_member, SpvDecorationOffset, x->info->push_offset);
}

/* Makes a block of push constants with only the pointer, for a module without push constants. */
static void make_push_constants(struct instrument *x)
{
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2),
             type = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpTypeStruct, type, pair);
    spirv_edit_decorate(&x->edit, type, SpvDecorationBlock);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_ANNOTATIONS, SpvOpMemberDecorate, type, 0,
                       SpvDecorationOffset, x->info->push_offset);
    uint32_t pointer = spirv_edit_type_pointer(&x->edit, SpvStorageClassPushConstant, type);
    x->push_variable = spirv_edit_id(&x->edit);
    x->push_block = type;
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, x->push_variable,
                       SpvStorageClassPushConstant);
    spirv_edit_interface(&x->edit, x->push_variable);
}

/* Adds the command's pointer to the push constants. Returns false if that is not possible, and sets
 * `pointer_unreachable`. */
static bool give_push_constants(struct instrument *x)
{
    uint32_t variable;
    if (x->info->push_offset == SPIRV_NONE)
        return true;
    if (!find_push_constants(x, &variable)) {
        x->result->pointer_unreachable = true;
        return false;
    }
    if (!variable) {
        make_push_constants(x);
        return true;
    }
    const uint32_t *pointer =
        instrument_definition(x, instrument_type_of(x, variable), SpvOpTypePointer, 4);
    uint32_t block = pointer ? pointer[3] : 0, size = instrument_size(x, block, NULL);
    if (!instrument_definition(x, block, SpvOpTypeStruct, 2) || !size ||
        size > x->info->push_offset) {
        x->result->pointer_unreachable = true;
        return false;
    }
    extend_push_constants(x, variable, block);
    spirv_edit_interface(&x->edit, variable);
    return true;
}

/* Makes one half of the pointer, with a specialization id that programs do not use. */
static uint32_t make_spec_constant(struct instrument *x, uint32_t spec_id)
{
    uint32_t id = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpSpecConstant,
                       spirv_edit_type_u32(&x->edit), id, 0);
    spirv_edit_decorate(&x->edit, id, SpvDecorationSpecId, spec_id);
    return id;
}

/* --- the built-ins that identify the invocation --- */

/* Returns the module's own variable with this built-in; 0: there is none. */
static uint32_t find_builtin(const struct instrument *x, uint32_t builtin)
{
    for (uint32_t id = 1; id < x->module->bound; id++) {
        const uint32_t *variable =
            x->builtins[id] == builtin ? instrument_definition(x, id, SpvOpVariable, 4) : NULL;
        if (variable && variable[3] == SpvStorageClassInput)
            return id;
    }
    return 0;
}

/* Returns the variable that this file made for the built-in; it is made if there is none. */
static uint32_t make_builtin(struct instrument *x, uint32_t builtin, uint32_t type)
{
    uint32_t i = 0;
    while (i < ARRAY_LENGTH(x->made) - 1 && x->made[i].variable) {
        if (x->made[i].builtin == builtin)
            return x->made[i].variable;
        i++;
    }
    x->made[i].builtin = builtin;
    x->made[i].variable = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable,
                       spirv_edit_type_pointer(&x->edit, SpvStorageClassInput, type),
                       x->made[i].variable, SpvStorageClassInput);
    spirv_edit_decorate(&x->edit, x->made[i].variable, SpvDecorationBuiltIn, builtin);
    return x->made[i].variable;
}

/* Emits a load of the built-in, from the module's variable or else from one made here. `*type` gets
 * its type. */
static uint32_t load_builtin(struct instrument *x, uint32_t builtin, bool real, uint32_t size,
                             uint32_t *type)
{
    uint32_t variable = find_builtin(x, builtin);
    if (variable) {
        const uint32_t *pointer =
            instrument_definition(x, instrument_type_of(x, variable), SpvOpTypePointer, 4);
        *type = pointer ? pointer[3] : 0;
    } else {
        *type = real ? spirv_edit_type_float(&x->edit, 32) : spirv_edit_type_u32(&x->edit);
        *type = size > 1 ? spirv_edit_type_vector(&x->edit, *type, size) : *type;
        variable = make_builtin(x, builtin, *type);
    }
    spirv_edit_interface(&x->edit, variable);
    return instrument_emit(x, SpvOpLoad, *type, &variable, 1);
}

void instrument_builtin(struct instrument *x, uint32_t builtin, bool real, uint32_t components,
                        uint32_t size, uint32_t *out)
{
    assert(components && components <= size);
    uint32_t u32 = spirv_edit_type_u32(&x->edit), type,
             value = load_builtin(x, builtin, real, size, &type);
    const uint32_t *vector = instrument_definition(x, type, SpvOpTypeVector, 4);
    uint32_t component = vector     ? vector[2]
                         : size > 1 ? (real ? spirv_edit_type_float(&x->edit, 32) : u32)
                                    : type;
    for (uint32_t i = 0; i < components; i++) {
        uint32_t word = value;
        if (size > 1)
            word = instrument_emit(x, SpvOpCompositeExtract, component,
                                   (const uint32_t[]){value, i}, 2);
        out[i] = component == u32 ? word : instrument_emit(x, SpvOpBitcast, u32, &word, 1);
    }
}

/* Returns the type of the words that identify the invocation. */
static uint32_t four_words(struct instrument *x)
{
    return spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 4);
}

/* Emits the first three components of a built-in as unsigned integers, and the shader's number. The
 * built-in has `size` components, three or four. */
static uint32_t all_of(struct instrument *x, uint32_t builtin, bool real, uint32_t size)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), all = spirv_edit_type_vector(&x->edit, u32, size),
             type, value = load_builtin(x, builtin, real, size, &type),
             shader = instrument_u32(x, x->info->shader);
    if (type != all)
        value = instrument_emit(x, SpvOpBitcast, all, &value, 1);
    if (size == 4)
        return instrument_emit(x, SpvOpCompositeInsert, all, (const uint32_t[]){shader, value, 3},
                               3);
    return instrument_emit(x, SpvOpCompositeConstruct, four_words(x),
                           (const uint32_t[]){value, shader}, 2);
}

/* Emits two built-ins of one word each, a zero, and the shader's number. */
static uint32_t two_of(struct instrument *x, uint32_t first, uint32_t second)
{
    uint32_t words[4];
    instrument_builtin(x, first, false, 1, 1, &words[0]);
    instrument_builtin(x, second, false, 1, 1, &words[1]);
    words[2] = instrument_u32(x, 0);
    words[3] = instrument_u32(x, x->info->shader);
    return instrument_emit(x, SpvOpCompositeConstruct, four_words(x), words, 4);
}

/* Emits three words that identify the invocation (RECORD_STAGE_WORDS), and the shader's number. */
static uint32_t emit_stage_words(void *context)
{
    struct instrument *x = context;
    switch (x->info->model) {
    case SpvExecutionModelVertex:
        return two_of(x, SpvBuiltInVertexIndex, SpvBuiltInInstanceIndex);
    case SpvExecutionModelTessellationControl:
        return two_of(x, SpvBuiltInInvocationId, SpvBuiltInPrimitiveId);
    case SpvExecutionModelTessellationEvaluation: {
        uint32_t words[4];
        instrument_builtin(x, SpvBuiltInPrimitiveId, false, 1, 1, &words[0]);
        instrument_builtin(x, SpvBuiltInTessCoord, true, 2, 3, &words[1]);
        /* These are one word for the primitive and two for the coordinate, which neither function
         * above makes. */
        words[3] = instrument_u32(x, x->info->shader);
        return instrument_emit(x, SpvOpCompositeConstruct, four_words(x), words, 4);
    }
    case SpvExecutionModelGeometry:
        return two_of(x, SpvBuiltInPrimitiveId, SpvBuiltInInvocationId);
    case SpvExecutionModelFragment:
        return all_of(x, SpvBuiltInFragCoord, true, 4);
    case SpvExecutionModelGLCompute:
    case SpvExecutionModelTaskEXT:
    case SpvExecutionModelMeshEXT:
    case SpvExecutionModelTaskNV:
    case SpvExecutionModelMeshNV:
        return all_of(x, SpvBuiltInGlobalInvocationId, false, 3);
    case SpvExecutionModelRayGenerationKHR:
    case SpvExecutionModelIntersectionKHR:
    case SpvExecutionModelAnyHitKHR:
    case SpvExecutionModelClosestHitKHR:
    case SpvExecutionModelMissKHR:
    case SpvExecutionModelCallableKHR:
        return all_of(x, SpvBuiltInLaunchIdKHR, false, 3);
    default: {
        uint32_t zero = instrument_u32(x, 0);
        const uint32_t words[4] = {zero, zero, zero, instrument_u32(x, x->info->shader)};
        return spirv_edit_constant(&x->edit, SpvOpConstantComposite, four_words(x), words, 4);
    }
    }
}

/* --- code that replaces calls in the library --- */

/* Emits the load of the command's pointer, as a pair of words. spirv_link_inline() calls this
 * function and the next two. */
static uint32_t emit_command(void *context)
{
    struct instrument *x = context;
    uint32_t pair = spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 2);
    if (!x->push_variable) {
        for (uint32_t i = 0; i < 2 && !x->spec_pointer[1]; i++)
            x->spec_pointer[i] = make_spec_constant(x, SPIRV_POINTER_SPEC_ID + i);
        return instrument_emit(x, SpvOpCompositeConstruct, pair, x->spec_pointer, 2);
    }
    if (x->push_block) {
        uint32_t block = instrument_emit(x, SpvOpLoad, x->push_block, &x->push_variable, 1);
        return instrument_emit(x, SpvOpCompositeExtract, pair,
                               (const uint32_t[]){block, x->push_member}, 2);
    }
    uint32_t pointer = spirv_edit_type_pointer(&x->edit, SpvStorageClassPushConstant, pair);
    uint32_t at =
        instrument_emit(x, SpvOpAccessChain, pointer,
                        (const uint32_t[]){x->push_variable, instrument_u32(x, x->push_member)}, 2);
    return instrument_emit(x, SpvOpLoad, pair, &at, 1);
}

/* Emits the execution model as a constant. */
static uint32_t emit_stage(void *context)
{
    struct instrument *x = context;
    return instrument_u32(x, x->info->model);
}

/* Emits the number of the shader as a constant. */
static uint32_t emit_shader(void *context)
{
    struct instrument *x = context;
    return instrument_u32(x, x->info->shader);
}

bool instrument_globals_begin(struct instrument *x)
{
    if (!give_push_constants(x))
        return false;
    spirv_link_inline(&x->link, "assay_command", emit_command, x);
    spirv_link_inline(&x->link, "assay_stage_words", emit_stage_words, x);
    spirv_link_inline(&x->link, "assay_stage", emit_stage, x);
    spirv_link_inline(&x->link, "assay_shader", emit_shader, x);
    return !x->failed;
}
