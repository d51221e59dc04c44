/* Where a shader has many checks, what they find is noted in private variables, and told of in one place: when the invocation
 * ends. Compilers copy a function to each call of it, and what tells is much larger than what checks. An invocation notes one
 * thing: of several, that of the least key, into which the invocation's salt goes, so that another one tells of another. */
#include "instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "gpu/shaders/abi.h"

#define WORDS ((uint32_t)ARRAY_LENGTH(((struct instrument_later *)0)->words))

static uint32_t make_variable(struct instrument *x)
{
    uint32_t type = spirv_edit_type_pointer(&x->edit, SpvStorageClassPrivate, spirv_edit_type_u32(&x->edit)),
             variable = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, type, variable, SpvStorageClassPrivate);
    spirv_edit_interface(&x->edit, variable);
    return variable;
}

void instrument_later_begin(struct instrument *x)
{
    struct instrument_later *later = &x->later;
    if (!later->on) {
        spirv_link_alias(&x->link, "assay_tell_access", "assay_tell");
        return;
    }
    later->key = make_variable(x);
    later->salt = make_variable(x);
    for (uint32_t i = 0; i < WORDS; i++)
        later->words[i] = make_variable(x);
    later->begin_function = spirv_edit_id(&x->edit);
    later->end_function = spirv_edit_id(&x->edit);
    later->later_function = spirv_edit_id(&x->edit);
    spirv_link_replace(&x->link, "assay_tell", later->later_function);
    if (x->info->later_accesses)
        spirv_link_replace(&x->link, "assay_tell_access", later->later_function);
}

static void call(struct instrument *x, uint32_t function)
{
    (void)instrument_emit(x, SpvOpFunctionCall, spirv_edit_type_void(&x->edit), &function, 1);
}

/* Does it stand among the variables of a function's first block, where nothing may come in between? */
static bool is_among_variables(const struct instrument *x, const struct spirv_instruction *instruction,
                               const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpNop:
        return true;
    case SpvOpExtInst: /* of debug information: the others have a result */
        return instruction->length > 1 && instrument_opcode(x, words[1]) == SpvOpTypeVoid;
    default:
        return false;
    }
}

void instrument_later_before(struct instrument *x, const struct spirv_instruction *instruction, const uint32_t *words)
{
    if (!x->later.on || x->later.begun || x->function != x->entry || !x->first_block ||
        is_among_variables(x, instruction, words))
        return;
    x->later.begun = true;
    call(x, x->later.begin_function);
}

void instrument_later_after(struct instrument *x, const struct spirv_instruction *instruction)
{
    if (!x->later.on)
        return;
    switch (instruction->opcode) {
    case SpvOpReturn:
        if (x->function != x->entry)
            break;
        call(x, x->later.end_function);
        break;
    case SpvOpKill:
    case SpvOpTerminateInvocation:
    case SpvOpDemoteToHelperInvocation:
    case SpvOpEmitMeshTasksEXT:
    case SpvOpIgnoreIntersectionKHR:
    case SpvOpTerminateRayKHR:
    case SpvOpIgnoreIntersectionNV:
    case SpvOpTerminateRayNV:
    case SpvOpAbortKHR:
        call(x, x->later.end_function);
        break;
    default:
        break;
    }
}

static uint32_t load(struct instrument *x, uint32_t variable)
{
    return instrument_emit(x, SpvOpLoad, spirv_edit_type_u32(&x->edit), &variable, 1);
}

uint32_t instrument_later_range(struct instrument *x, const struct instrument_access *access)
{
    struct instrument_later *later = &x->later;
    uint32_t entry, i = 0;
    if (!later->on || !instrument_entry(x, access, &entry))
        return 0;
    while (i < later->range_count && (later->ranges[i].set != access->set || later->ranges[i].entry != entry))
        i++;
    if (i == ARRAY_LENGTH(later->ranges))
        return 0;
    if (i == later->range_count) {
        later->ranges[i].set = access->set;
        later->ranges[i].entry = entry;
        later->ranges[i].variable = make_variable(x);
        later->range_count++;
    }
    return load(x, later->ranges[i].variable);
}

/* --- functions --- */

/* The first parameter is a bool. */
static void begin_function(struct instrument *x, uint32_t id, uint32_t parameters, uint32_t *out)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), none = spirv_edit_type_void(&x->edit), types[3 + WORDS];
    for (uint32_t i = 0; i < parameters; i++)
        types[i] = i ? u32 : spirv_edit_type_bool(&x->edit);
    uint32_t type = spirv_edit_type_function(&x->edit, none, types, parameters);
    spirv_edit_emit(&x->edit, SpvOpFunction, none, id, SpvFunctionControlMaskNone, type);
    for (uint32_t i = 0; i < parameters; i++)
        out[i] = instrument_emit(x, SpvOpFunctionParameter, types[i], NULL, 0);
    spirv_edit_emit(&x->edit, SpvOpLabel, spirv_edit_id(&x->edit));
}

static void end_function(struct instrument *x)
{
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpReturn, NULL, 0);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
}

static uint32_t operate(struct instrument *x, SpvOp opcode, uint32_t a, uint32_t b)
{
    return instrument_emit(x, opcode, spirv_edit_type_u32(&x->edit), (const uint32_t[]){a, b}, 2);
}

/* Nothing is noted yet, and the ranges are asked for. */
static void make_begin(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t u32 = spirv_edit_type_u32(&x->edit);
    begin_function(x, later->begin_function, 0, NULL);
    spirv_edit_emit(&x->edit, SpvOpStore, later->key, instrument_u32(x, LATER_NOTHING));
    uint32_t triple = spirv_edit_type_vector(&x->edit, u32, 3),
             words = instrument_emit(x, SpvOpFunctionCall, triple, &x->stage_words_function, 1),
             salt = instrument_call(x, "assay_salt", u32, &words, 1);
    spirv_edit_emit(&x->edit, SpvOpStore, later->salt, salt);
    for (uint32_t i = 0; i < later->range_count; i++) {
        const uint32_t arguments[] = {instrument_u32(x, later->ranges[i].entry),
                                      instrument_u32(x, later->ranges[i].set)};
        uint32_t range = instrument_call(x, "assay_bytes", u32, arguments, ARRAY_LENGTH(arguments));
        spirv_edit_emit(&x->edit, SpvOpStore, later->ranges[i].variable, range);
    }
    end_function(x);
}

/* In place of assay_tell, whose parameters it has. Without a branch, which would be copied to each check. */
static void make_later(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t u32 = spirv_edit_type_u32(&x->edit), parameters[3 + WORDS];
    begin_function(x, later->later_function, 3 + WORDS, parameters);
    uint32_t place = operate(x, SpvOpShiftLeftLogical, parameters[2], instrument_u32(x, LATER_ERROR_SHIFT));
    place = operate(x, SpvOpBitwiseOr, place, parameters[1]);
    uint32_t key = operate(x, SpvOpBitwiseXor, operate(x, SpvOpIMul, place, instrument_u32(x, LATER_FACTOR)),
                           load(x, later->salt));
    key = instrument_emit(x, SpvOpSelect, u32, (const uint32_t[]){parameters[0], key, instrument_u32(x, LATER_NOTHING)},
                          3);
    uint32_t old = load(x, later->key),
             less = instrument_emit(x, SpvOpULessThan, spirv_edit_type_bool(&x->edit), (const uint32_t[]){key, old}, 2);
    key = instrument_emit(x, SpvOpSelect, u32, (const uint32_t[]){less, key, old}, 3);
    spirv_edit_emit(&x->edit, SpvOpStore, later->key, key);
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = instrument_emit(x, SpvOpSelect, u32,
                                        (const uint32_t[]){less, parameters[3 + i], load(x, later->words[i])}, 3);
        spirv_edit_emit(&x->edit, SpvOpStore, later->words[i], word);
    }
    end_function(x);
}

static void make_end(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t arguments[2 + WORDS];
    begin_function(x, later->end_function, 0, NULL);
    arguments[0] = load(x, later->key);
    arguments[1] = load(x, later->salt);
    for (uint32_t i = 0; i < WORDS; i++)
        arguments[2 + i] = load(x, later->words[i]);
    (void)instrument_call(x, "assay_end", spirv_edit_type_void(&x->edit), arguments, ARRAY_LENGTH(arguments));
    end_function(x);
}

void instrument_later_end(struct instrument *x)
{
    if (!x->later.on)
        return;
    make_begin(x);
    make_later(x);
    make_end(x);
}
