/* In a shader with many checks, an invocation notes findings in private variables, and reports them
 * in one place, when it ends. Compilers copy a function into each call of it, and code that reports
 * is much larger than code that checks. An invocation notes one finding only. Of several it notes
 * the one with the smallest key. The key depends on the invocation's salt, so that different
 * invocations report different findings. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>

#include "spirv/abi.h"

/* Makes a private variable without an initial value. */
static uint32_t make_variable(struct instrument *x, uint32_t type)
{
    uint32_t pointer = spirv_edit_type_pointer(&x->edit, SpvStorageClassPrivate, type),
             variable = spirv_edit_id(&x->edit);
    spirv_edit_emit_to(&x->edit, SPIRV_SECTION_GLOBALS, SpvOpVariable, pointer, variable,
                       SpvStorageClassPrivate);
    spirv_edit_interface(&x->edit, variable);
    return variable;
}

/* Returns the type of a note: its key, and three words of the report. */
static uint32_t type_of_note(struct instrument *x)
{
    return spirv_edit_type_vector(&x->edit, spirv_edit_type_u32(&x->edit), 4);
}

void instrument_later_begin(struct instrument *x)
{
    struct instrument_later *later = &x->later;
    if (!later->on) {
        spirv_link_alias(&x->link, "assay_tell", "assay_tell_now");
        spirv_link_alias(&x->link, "assay_tell_access", "assay_tell_now");
        return;
    }
    later->noted = make_variable(x, type_of_note(x));
    later->salt = make_variable(x, spirv_edit_type_u32(&x->edit));
    later->begin_function = spirv_edit_id(&x->edit);
    later->end_function = spirv_edit_id(&x->edit);
    later->later_function = spirv_edit_id(&x->edit);
    spirv_link_replace(&x->link, "assay_tell", later->later_function);
    if (x->info->later_accesses)
        spirv_link_replace(&x->link, "assay_tell_access", later->later_function);
    else
        spirv_link_alias(&x->link, "assay_tell_access", "assay_tell_now");
}

/* Emits a call of a function without parameters and result. */
static void later_call(struct instrument *x, uint32_t function)
{
    (void)instrument_emit(x, SpvOpFunctionCall, spirv_edit_type_void(&x->edit), &function, 1);
}

/* True if the instruction is one of those at the beginning of a function's first block between
 * which nothing may be inserted: variables and debug information. */
static bool is_among_variables(const struct instrument *x,
                               const struct spirv_instruction *instruction, const uint32_t *words)
{
    switch (instruction->opcode) {
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpNop:
        return true;
    case SpvOpExtInst: /* debug instructions have the result type void */
        return instruction->length > 1 && instrument_opcode(x, words[1]) == SpvOpTypeVoid;
    default:
        return false;
    }
}

void instrument_later_before(struct instrument *x, const struct spirv_instruction *instruction,
                             const uint32_t *words)
{
    if (!x->later.on || x->later.begun || x->function != x->entry || !x->first_block ||
        is_among_variables(x, instruction, words))
        return;
    x->later.begun = true;
    later_call(x, x->later.begin_function);
}

void instrument_later_after(struct instrument *x, const struct spirv_instruction *instruction)
{
    if (!x->later.on)
        return;
    switch (instruction->opcode) {
    case SpvOpReturn:
        if (x->function != x->entry)
            break;
        later_call(x, x->later.end_function);
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
        later_call(x, x->later.end_function);
        break;
    default:
        break;
    }
}

/* Emits a load, and returns the value's id. */
static uint32_t later_load(struct instrument *x, uint32_t type, uint32_t variable)
{
    return instrument_emit(x, SpvOpLoad, type, &variable, 1);
}

uint32_t instrument_later_range(struct instrument *x, const struct instrument_access *access)
{
    struct instrument_later *later = &x->later;
    uint32_t entry, i = 0;
    if (!later->on || !instrument_entry(x, access, &entry))
        return 0;
    while (i < later->range_count &&
           (later->ranges[i].set != access->set || later->ranges[i].entry != entry))
        i++;
    /* No variable is left: the range is looked up at each check. */
    if (i == ARRAY_LENGTH(later->ranges))
        return 0;
    if (i == later->range_count) {
        later->ranges[i].set = access->set;
        later->ranges[i].entry = entry;
        later->ranges[i].variable = make_variable(x, spirv_edit_type_u32(&x->edit));
        later->range_count++;
    }
    return later_load(x, spirv_edit_type_u32(&x->edit), later->ranges[i].variable);
}

/* --- functions --- */

/* The number of parameters of assay_tell(). */
#define PARAMETERS 5 /* of assay_tell: a bool, the site, three words */

/* Begins a function that returns nothing. Its first parameter is a bool, the others are words;
 * `out` gets their ids. */
static void begin_function(struct instrument *x, uint32_t id, uint32_t parameters, uint32_t *out)
{
    uint32_t u32 = spirv_edit_type_u32(&x->edit), none = spirv_edit_type_void(&x->edit),
             types[PARAMETERS];
    for (uint32_t i = 0; i < parameters; i++)
        types[i] = i ? u32 : spirv_edit_type_bool(&x->edit);
    uint32_t type = spirv_edit_type_function(&x->edit, none, types, parameters);
    spirv_edit_emit(&x->edit, SpvOpFunction, none, id, SpvFunctionControlMaskNone, type);
    for (uint32_t i = 0; i < parameters; i++)
        out[i] = instrument_emit(x, SpvOpFunctionParameter, types[i], NULL, 0);
    spirv_edit_emit(&x->edit, SpvOpLabel, spirv_edit_id(&x->edit));
}

/* Ends a function that returns nothing. */
static void end_function(struct instrument *x)
{
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpReturn, NULL, 0);
    spirv_edit_add(&x->edit, SPIRV_SECTION_FUNCTIONS, SpvOpFunctionEnd, NULL, 0);
}

/* Emits an operation on two operands, and returns the result's id. */
static uint32_t later_operate(struct instrument *x, SpvOp opcode, uint32_t type, uint32_t a,
                              uint32_t b)
{
    return instrument_emit(x, opcode, type, (const uint32_t[]){a, b}, 2);
}

/* Emits the function that is called when an invocation begins: it clears the note, and looks up the
 * ranges. */
static void make_begin(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t u32 = spirv_edit_type_u32(&x->edit), nothing = instrument_u32(x, LATER_NOTHING);
    const uint32_t none[4] = {nothing, nothing, nothing, nothing};
    begin_function(x, later->begin_function, 0, NULL);
    spirv_edit_emit(&x->edit, SpvOpStore, later->noted,
                    spirv_edit_constant(&x->edit, SpvOpConstantComposite, type_of_note(x), none,
                                        4));
    spirv_edit_emit(&x->edit, SpvOpStore, later->salt,
                    instrument_call(x, "assay_salt", u32, NULL, 0));
    for (uint32_t i = 0; i < later->range_count; i++) {
        uint32_t range = instrument_bytes(x, later->ranges[i].entry, later->ranges[i].set);
        spirv_edit_emit(&x->edit, SpvOpStore, later->ranges[i].variable, range);
    }
    end_function(x);
}

/* Emits the function that replaces assay_tell(), with the same parameters, and notes a finding. It
 * has no branch, as that would be copied into each check. */
static void make_later(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t u32 = spirv_edit_type_u32(&x->edit), four = type_of_note(x),
             truth = spirv_edit_type_bool(&x->edit), parameters[PARAMETERS];
    begin_function(x, later->later_function, PARAMETERS, parameters);
    uint32_t key = later_operate(x, SpvOpBitwiseXor, u32, parameters[1],
                                 later_load(x, u32, later->salt)),
             noted = later_load(x, four, later->noted);
    uint32_t old = later_operate(x, SpvOpCompositeExtract, u32, noted, 0);
    uint32_t less = later_operate(x, SpvOpULessThan, truth, key, old),
             both = later_operate(x, SpvOpLogicalAnd, truth, less, parameters[0]);
    const uint32_t words[4] = {key, parameters[2], parameters[3], parameters[4]},
                   each[4] = {both, both, both, both};
    uint32_t note = instrument_emit(x, SpvOpCompositeConstruct, four, words, 4),
             which = instrument_emit(x, SpvOpCompositeConstruct,
                                     spirv_edit_type_vector(&x->edit, truth, 4), each, 4);
    note = instrument_emit(x, SpvOpSelect, four, (const uint32_t[]){which, note, noted}, 3);
    spirv_edit_emit(&x->edit, SpvOpStore, later->noted, note);
    end_function(x);
}

/* Emits the function that reports the finding that an invocation has noted. */
static void make_end(struct instrument *x)
{
    const struct instrument_later *later = &x->later;
    uint32_t u32 = spirv_edit_type_u32(&x->edit), four = type_of_note(x),
             truth = spirv_edit_type_bool(&x->edit), arguments[PARAMETERS];
    begin_function(x, later->end_function, 0, NULL);
    uint32_t noted = later_load(x, four, later->noted),
             key = later_operate(x, SpvOpCompositeExtract, u32, noted, 0);
    arguments[0] = later_operate(x, SpvOpINotEqual, truth, key, instrument_u32(x, LATER_NOTHING));
    arguments[1] = later_operate(x, SpvOpBitwiseXor, u32, key, later_load(x, u32, later->salt));
    for (uint32_t i = 2; i < PARAMETERS; i++)
        arguments[i] = later_operate(x, SpvOpCompositeExtract, u32, noted, i - 1);
    (void)instrument_call(x, "assay_tell_now", spirv_edit_type_void(&x->edit), arguments,
                          PARAMETERS);
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
