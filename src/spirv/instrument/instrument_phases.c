/* Proves, before the shader runs, that some accesses of shared memory do not race. All invocations
 * of a workgroup pass the same workgroup barriers. The parts of the code that a path without such a
 * barrier connects are a phase. Only accesses of one phase can race.
 *
 * Two proofs are made for a variable. If nothing in a phase stores to it, loads in that phase do
 * not race. If all accesses in a phase are to the same place, which is different for each
 * invocation, they do not race either.
 *
 * A phase is a set of segments; a segment ends at a barrier, at a call, and with its block. Phases
 * may be joined that never meet, so that fewer accesses are proved than possible. */
#include "spirv/instrument/instrument_build.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "spirv/module/shared.h"

#define VARIABLES 64u  /* most variables in shared memory: a word has a bit for each */
#define PLACES    256u /* most pairs of a phase and a variable */
#define DEPTH     16u
#define FACTOR    0x10000u /* limit of the factors and constants in an index */

enum { AXIS_X, AXIS_Y, AXIS_Z, AXIS_INDEX, AXES };

/* Scalars of a variable: `scalars` of them from this number on: factor[X] * LocalInvocationId.x +
 * ... + factor[INDEX] * LocalInvocationIndex + base. */
struct place {
    uint32_t factor[AXES], base, scalars; /* how many scalars the access is to */
};

/* The place of a variable that all accesses of a phase use. */
struct phase_place {
    uint32_t segment, variable; /* phase_root() of the phase; number of the variable */
    struct place place;
};

/* The phases of an entry point: parts of its code between barriers. */
struct instrument_phases {
    uint32_t variables[VARIABLES], variable_count;
    uint32_t first;     /* index of the first OpFunction */
    uint32_t *segments; /* owned; the segment of each instruction from `first` on */
    /* owned; for each segment another one of the same phase, or itself (union-find) */
    uint32_t *parents;
    uint64_t *stored; /* owned; for each phase the variables that it stores to */
    /* owned; for each phase the variables that it accesses at several places, or at places that are
     * not the invocation's own */
    uint64_t *scattered;
    /* owned; for a variable of a function, the only id that is stored to it; 0: nothing is;
     * SPIRV_NONE: more than one, or another use */
    uint32_t *values;
    uint32_t size[3];                  /* size of a workgroup; 0: unknown */
    struct phase_place places[PLACES]; /* `place_count` of them */
    uint32_t place_count;
};

/* Returns the segment that represents the phase. Shortens the path, so that later calls are
 * quick. */
static uint32_t phase_root(const struct instrument_phases *phases, uint32_t segment)
{
    while (phases->parents[segment] != segment) {
        phases->parents[segment] = phases->parents[phases->parents[segment]];
        segment = phases->parents[segment];
    }
    return segment;
}

/* Joins two phases, which a path without a barrier connects. */
static void phases_join(struct instrument_phases *phases, uint32_t a, uint32_t b)
{
    a = phase_root(phases, a);
    phases->parents[a] = phase_root(phases, b);
}

/* Returns the segment of an instruction in a function. */
static uint32_t segment_of(const struct instrument_phases *phases, uint32_t instruction)
{
    return phases->segments[instruction - phases->first];
}

/* True for returns. Instructions that end the invocation do not count, as no code follows them. */
static bool is_return(uint16_t opcode)
{
    return opcode == SpvOpReturn || opcode == SpvOpReturnValue;
}

/* True for a workgroup barrier that orders shared memory. */
static bool instruction_separates(const struct instrument *x,
                                  const struct spirv_instruction *instruction,
                                  const uint32_t *words)
{
    uint64_t scope, memory, semantics;
    return instruction->opcode == SpvOpControlBarrier && instruction->length > 3 &&
           instrument_value(x, words[1], &scope) && scope == SpvScopeWorkgroup &&
           instrument_value(x, words[2], &memory) &&
           (memory == SpvScopeWorkgroup || memory == SpvScopeDevice) &&
           instrument_value(x, words[3], &semantics) &&
           semantics & SpvMemorySemanticsWorkgroupMemoryMask &&
           semantics & (SpvMemorySemanticsAcquireReleaseMask |
                        SpvMemorySemanticsSequentiallyConsistentMask);
}

/* Numbers the segments; each is a phase of its own at first. A segment ends after a barrier or
 * call, and with its block. */
static void number_segments(const struct instrument *x, struct instrument_phases *phases)
{
    uint32_t number = 0;
    bool ends = false;
    for (uint32_t i = phases->first; i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        number += ends || instruction->opcode == SpvOpFunction || instruction->opcode == SpvOpLabel;
        phases->segments[i - phases->first] = phases->parents[number] = number;
        ends = instruction->opcode == SpvOpFunctionCall ||
               instruction_separates(x, instruction, spirv_words(x->module, instruction));
    }
}

/* Joins the segment before a call with the beginning of the function, and the returns of the
 * function with the segment after the call. */
static void join_call(const struct instrument *x, struct instrument_phases *phases, uint32_t call,
                      uint32_t function)
{
    const struct spirv_module *module = x->module;
    uint32_t behind = segment_of(phases, call + 1), at = SPIRV_NONE;
    if (function < module->bound)
        at = module->definitions[function];
    if (at == SPIRV_NONE || at < phases->first) {
        phases_join(phases, segment_of(phases, call), behind);
        return;
    }
    phases_join(phases, segment_of(phases, call), segment_of(phases, at));
    for (; at < module->instruction_count && module->instructions[at].opcode != SpvOpFunctionEnd;
         at++) {
        if (is_return(module->instructions[at].opcode))
            phases_join(phases, segment_of(phases, at), behind);
    }
}

/* Joins a block with its successors, whose labels are words of the instruction that ends it.
 * Another word that happens to be the id of a label joins more blocks than necessary, which does no
 * harm. */
static void join_labels(const struct instrument *x, struct instrument_phases *phases, uint32_t at,
                        const uint32_t *words)
{
    for (uint32_t i = 1; i < x->module->instructions[at].length; i++) {
        uint32_t label =
            words[i] < x->module->bound ? x->module->definitions[words[i]] : SPIRV_NONE;
        if (label != SPIRV_NONE && label >= phases->first &&
            x->module->instructions[label].opcode == SpvOpLabel)
            phases_join(phases, segment_of(phases, at), segment_of(phases, label));
    }
}

/* Joins the segments that are connected by a path without a barrier. */
static void join_segments(const struct instrument *x, struct instrument_phases *phases)
{
    for (uint32_t i = phases->first; i + 1 < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        switch (instruction->opcode) {
        case SpvOpBranch:
        case SpvOpBranchConditional:
        case SpvOpSwitch:
            join_labels(x, phases, i, words);
            break;
        case SpvOpFunctionCall:
            join_call(x, phases, i, instruction->length > 3 ? words[3] : 0);
            break;
        case SpvOpFunction: /* is followed by a parameter or the first label */
        case SpvOpFunctionParameter:
            phases_join(phases, segment_of(phases, i), segment_of(phases, i + 1));
            break;
        default:
            break;
        }
    }
}

/* True for an instruction with debug information. */
static bool is_for_debuggers(const struct instrument *x,
                             const struct spirv_instruction *instruction, const uint32_t *words)
{
    static const char begin[] = "NonSemantic.Shader.DebugInfo.";
    if (instruction->opcode == SpvOpLine)
        return true;
    const uint32_t *set =
        instruction->opcode == SpvOpExtInst && instruction->length > 3
            ? instrument_definition(x, words[3], SpvOpExtInstImport, 2 + (sizeof(begin) + 3) / 4)
            : NULL;
    return set && !memcmp(&set[2], begin, sizeof(begin) - 1);
}

/* Finds the variables of functions to which one id is stored, and which are otherwise only
 * loaded. */
static void find_values(const struct instrument *x, struct instrument_phases *phases)
{
    const struct spirv_module *module = x->module;
    for (uint32_t i = phases->first; i < module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &module->instructions[i];
        const uint32_t *words = spirv_words(module, instruction);
        uint32_t k = 1;
        if (is_for_debuggers(x, instruction, words))
            continue;
        if (instruction->opcode == SpvOpLoad) {
            k = 4;
        } else if (instruction->opcode == SpvOpStore && instruction->length > 2) {
            if (words[1] < module->bound)
                phases->values[words[1]] = phases->values[words[1]] ? SPIRV_NONE : words[2];
            k = 2;
        } else if (instruction->opcode == SpvOpVariable && instruction->length == 4) {
            continue;
        }
        /* Any other word that is equal to the variable's id may be a use of it. */
        for (; k < instruction->length; k++) {
            if (words[k] < module->bound)
                phases->values[words[k]] = SPIRV_NONE;
        }
    }
}

/* --- places --- */

/* Adds `times` a place to another one. Returns false if a factor would be too large. */
static bool phase_place_add(struct place *to, const struct place *what, uint64_t times)
{
    bool fits = times < FACTOR;
    for (uint32_t i = 0; i < AXES; i++) {
        fits = fits && what->factor[i] * times + to->factor[i] < FACTOR;
        to->factor[i] += fits ? what->factor[i] * (uint32_t)times : 0;
    }
    fits = fits && what->base * times + to->base < FACTOR;
    to->base += fits ? what->base * (uint32_t)times : 0;
    return fits;
}

/* Returns the axis that the pointer is to, a component of LocalInvocationId or
 * LocalInvocationIndex; AXES: it is to something else. */
static uint32_t axis_of(const struct instrument *x, uint32_t pointer)
{
    uint64_t component = AXES;
    const uint32_t *chain = instrument_definition(x, pointer, SpvOpAccessChain, 5);
    uint32_t variable = chain ? chain[3] : pointer;
    if (variable >= x->module->bound)
        return AXES;
    if (!chain && x->builtins[variable] == SpvBuiltInLocalInvocationIndex)
        return AXIS_INDEX;
    return chain && x->builtins[variable] == SpvBuiltInLocalInvocationId &&
                   instrument_value(x, chain[4], &component) && component < 3
               ? (uint32_t)component
               : AXES;
}

/* Adds `times` the value of an id to a place. Returns false if the value is not a sum of multiples
 * of the axes and a constant. */
static bool phase_place_add_value(const struct instrument *x,
                                  const struct instrument_phases *phases, uint32_t id,
                                  uint64_t times, uint32_t depth, struct place *to)
{
    struct place one = {0};
    uint64_t value;
    const struct spirv_instruction *definition = spirv_definition(x->module, id);
    if (!definition || !depth)
        return false;
    if (instrument_value(x, id, &value)) {
        one.base = 1;
        return value < FACTOR && phase_place_add(to, &one, value * times);
    }
    const uint32_t *words = spirv_words(x->module, definition), *loaded;
    const uint32_t *type = instrument_definition(x, words[1], SpvOpTypeInt, 4);
    if (!type || type[2] != 32 || definition->length < 4)
        return false;
    switch (definition->opcode) {
    case SpvOpLoad: {
        uint32_t axis = axis_of(x, words[3]);
        if (axis == AXES) {
            /* A local variable to which one id is stored has that id's value. SPIRV_NONE: there are
             * several, or the variable has other uses. */
            uint32_t stored = words[3] < x->module->bound ? phases->values[words[3]] : SPIRV_NONE;
            const uint32_t *variable = instrument_definition(x, words[3], SpvOpVariable, 4);
            return variable && variable[3] == SpvStorageClassFunction && stored &&
                   stored != SPIRV_NONE &&
                   phase_place_add_value(x, phases, stored, times, depth - 1, to);
        }
        one.factor[axis] = 1;
        return phase_place_add(to, &one, times);
    }
    case SpvOpCompositeExtract:
        loaded = instrument_definition(x, words[3], SpvOpLoad, 4);
        if (!loaded || definition->length != 5 || words[4] > 2 || loaded[3] >= x->module->bound ||
            x->builtins[loaded[3]] != SpvBuiltInLocalInvocationId)
            return false;
        one.factor[words[4]] = 1;
        return phase_place_add(to, &one, times);
    case SpvOpCopyObject:
    case SpvOpBitcast:
        return phase_place_add_value(x, phases, words[3], times, depth - 1, to);
    case SpvOpIAdd:
        return definition->length > 4 &&
               phase_place_add_value(x, phases, words[3], times, depth - 1, to) &&
               phase_place_add_value(x, phases, words[4], times, depth - 1, to);
    case SpvOpIMul:
        if (definition->length < 5)
            return false;
        if (instrument_value(x, words[4], &value))
            return value < FACTOR &&
                   phase_place_add_value(x, phases, words[3], times * value, depth - 1, to);
        return instrument_value(x, words[3], &value) && value < FACTOR &&
               phase_place_add_value(x, phases, words[4], times * value, depth - 1, to);
    case SpvOpShiftLeftLogical:
        return definition->length > 4 && instrument_value(x, words[4], &value) && value < 16 &&
               phase_place_add_value(x, phases, words[3], times << value, depth - 1, to);
    default:
        return false;
    }
}

/* True if no two invocations of a workgroup have a scalar of this place in common. */
static bool phase_place_is_own(const struct instrument_phases *phases, const struct place *place)
{
    uint64_t extent = place->scalars, least;
    bool done[3], by_index = place->factor[AXIS_INDEX] != 0;
    for (uint32_t i = 0; i < 3; i++) {
        done[i] = phases->size[i] == 1;
        if (by_index ? place->factor[i] : !phases->size[i])
            return false;
    }
    if (by_index)
        return place->factor[AXIS_INDEX] >= extent;
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t next = 3;
        least = UINT64_MAX;
        for (uint32_t i = 0; i < 3; i++) {
            if (!done[i] && place->factor[i] < least) {
                least = place->factor[i];
                next = i;
            }
        }
        if (next == 3)
            return true;
        if (least < extent)
            return false;
        extent += least * (phases->size[next] - 1);
        done[next] = true;
    }
    return true;
}

/* Finds the place of an access in its variable. Returns false if it is not known, or not the
 * invocation's own. */
static bool phase_place_of(const struct instrument *x, const struct instrument_phases *phases,
                           uint32_t variable, const uint32_t *indices, uint32_t count,
                           struct place *place)
{
    uint32_t type = spirv_shared_type(x->module, variable);
    struct spirv_shared_size part;
    *place = (struct place){0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before, each;
        uint64_t value;
        bool constant = instrument_value(x, indices[i], &value) && value < FACTOR;
        if (!type ||
            !spirv_shared_step(x->module, type, constant ? (uint32_t)value : UINT32_MAX, &type,
                               &before, &each) ||
            before >= FACTOR - place->base)
            return false;
        place->base += before;
        if (each && !phase_place_add_value(x, phases, indices[i], each, DEPTH, place))
            return false;
    }
    if (!type || !spirv_shared_measure(x->module, type, &part))
        return false;
    place->scalars = part.scalars;
    return phase_place_is_own(phases, place);
}

/* --- the accesses of each phase --- */

/* Notes the place of an access in its phase. If it is not the invocation's own, or another place
 * than that of earlier accesses, the variable becomes scattered. */
static void note_place(const struct instrument *x, struct instrument_phases *phases,
                       uint32_t segment, uint32_t number, const uint32_t *indices, uint32_t count)
{
    struct place place;
    if (phases->scattered[segment] >> number & 1)
        return;
    bool own = phase_place_of(x, phases, phases->variables[number], indices, count, &place);
    for (uint32_t i = 0; own && i < phases->place_count; i++) {
        const struct phase_place *other = &phases->places[i];
        if (other->segment != segment || other->variable != number)
            continue;
        own = !memcmp(&other->place, &place, sizeof(place));
        if (own)
            return;
    }
    if (own && phases->place_count < PLACES)
        phases->places[phases->place_count++] = (struct phase_place){segment, number, place};
    else
        phases->scattered[segment] |= UINT64_C(1) << number;
}

/* Returns the number of a variable in shared memory; variable_count: it is not one. */
static uint32_t phase_variable_number(const struct instrument_phases *phases, uint32_t variable)
{
    uint32_t i = 0;
    while (i < phases->variable_count && phases->variables[i] != variable)
        i++;
    return i;
}

/* Notes an access in its phase. A pointer of unknown origin counts as one to all variables. */
static void note_access(const struct instrument *x, struct instrument_phases *phases,
                        uint32_t instruction, uint32_t pointer, enum spirv_shared_use use)
{
    uint32_t indices[INSTRUMENT_CHAIN], first,
        segment = phase_root(phases, segment_of(phases, instruction));
    uint32_t variable = instrument_shared_resolve(x, pointer, indices, &first);
    uint32_t number = variable ? phase_variable_number(phases, variable) : VARIABLES;
    uint64_t which = number < phases->variable_count ? UINT64_C(1) << number : UINT64_MAX;
    if (use != SPIRV_SHARED_LOAD)
        phases->stored[segment] |= which;
    if (number < phases->variable_count && use <= SPIRV_SHARED_STORE)
        note_place(x, phases, segment, number, &indices[first], INSTRUMENT_CHAIN - first);
    else
        phases->scattered[segment] |= which;
}

/* Notes all accesses of shared memory, after all phases are joined. */
static void note_accesses(const struct instrument *x, struct instrument_phases *phases)
{
    struct spirv_shared_access access;
    for (uint32_t i = phases->first; i < x->module->instruction_count; i++) {
        if (!spirv_shared_access(x->module, &x->module->instructions[i], &access))
            continue;
        for (uint32_t k = 0; k < access.count; k++)
            note_access(x, phases, i, access.of[k].pointer, access.of[k].use);
    }
}

/* Lists the variables in shared memory. Returns false if there are too many. */
static bool find_variables(const struct instrument *x, struct instrument_phases *phases)
{
    for (uint32_t i = 0; i < phases->first; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        uint32_t id = instruction->opcode == SpvOpVariable && instruction->length >= 4
                          ? spirv_words(x->module, instruction)[2]
                          : 0;
        if (!id || !spirv_shared_type(x->module, id))
            continue;
        if (phases->variable_count == VARIABLES)
            return false;
        phases->variables[phases->variable_count++] = id;
    }
    return true;
}

/* Returns the variable that all calls from instrumented code pass for a parameter; 0: they pass
 * different ones, or something else. */
static uint32_t argument_of(const struct instrument *x, uint32_t parameter)
{
    uint32_t index = 0, function = 0, found = 0, caller = 0;
    for (uint32_t i = x->module->definitions[parameter]; i > 0; i--) {
        const struct spirv_instruction *instruction = &x->module->instructions[i - 1];
        if (instruction->opcode == SpvOpFunction) {
            function = instruction->length > 2 ? spirv_words(x->module, instruction)[2] : 0;
            break;
        }
        index += instruction->opcode == SpvOpFunctionParameter;
    }
    for (uint32_t i = x->edit.first_function; function && i < x->module->instruction_count; i++) {
        const struct spirv_instruction *instruction = &x->module->instructions[i];
        const uint32_t *words = spirv_words(x->module, instruction);
        if (instruction->opcode == SpvOpFunction)
            caller = instruction->length > 2 && words[2] < x->module->bound ? words[2] : 0;
        if (instruction->opcode != SpvOpFunctionCall || instruction->length <= 4 + index ||
            words[3] != function || !x->reached[caller])
            continue;
        if (found && words[4 + index] != found)
            return 0;
        found = words[4 + index];
    }
    return found;
}

uint32_t instrument_shared_resolve(const struct instrument *x, uint32_t pointer,
                                   uint32_t indices[INSTRUMENT_CHAIN], uint32_t *first)
{
    bool passed = false;
    *first = INSTRUMENT_CHAIN;
    for (uint32_t steps = 0; steps < 32; steps++) {
        const struct spirv_instruction *definition = spirv_definition(x->module, pointer);
        if (!definition || definition->length < 3)
            return 0;
        const uint32_t *words = spirv_words(x->module, definition);
        bool chain = definition->opcode == SpvOpAccessChain ||
                     definition->opcode == SpvOpInBoundsAccessChain;
        if (definition->opcode == SpvOpVariable)
            return spirv_shared_type(x->module, pointer) ? pointer : 0;
        if (definition->opcode == SpvOpFunctionParameter) {
            pointer = argument_of(x, pointer);
            passed = true; /* an access chain in the caller has indices that are not known here */
            continue;
        }
        if (definition->length < 4 || (chain && (passed || definition->length - 4u > *first)) ||
            (!chain && definition->opcode != SpvOpCopyObject))
            return 0;
        for (uint32_t i = definition->length; chain && i > 4; i--)
            indices[--*first] = words[i - 1];
        pointer = words[3];
    }
    return 0;
}

struct instrument_phases *instrument_phases_find(const struct instrument *x, const uint32_t size[3])
{
    const size_t count = x->module->instruction_count - x->edit.first_function;
    struct instrument_phases *phases = mem_alloc_zeroed(sizeof(*phases));
    if (!phases)
        return NULL;
    phases->first = x->edit.first_function;
    memcpy(phases->size, size, sizeof(phases->size));
    /* There are at most as many segments as instructions. */
    phases->segments = mem_alloc_zeroed((count + 1) * sizeof(*phases->segments));
    phases->parents = mem_alloc_zeroed((count + 1) * sizeof(*phases->parents));
    phases->stored = mem_alloc_zeroed((count + 1) * sizeof(*phases->stored));
    phases->scattered = mem_alloc_zeroed((count + 1) * sizeof(*phases->scattered));
    phases->values = mem_alloc_zeroed(x->module->bound * sizeof(*phases->values));
    if (!phases->segments || !phases->parents || !phases->stored || !phases->scattered ||
        !phases->values || !find_variables(x, phases)) {
        instrument_phases_free(phases);
        return NULL;
    }
    number_segments(x, phases);
    join_segments(x, phases);
    find_values(x, phases);
    note_accesses(x, phases);
    return phases;
}

void instrument_phases_free(struct instrument_phases *phases)
{
    if (!phases)
        return;
    mem_free(phases->segments);
    mem_free(phases->parents);
    mem_free(phases->stored);
    mem_free(phases->scattered);
    mem_free(phases->values);
    mem_free(phases);
}

bool instrument_phases_prove(const struct instrument_phases *phases, uint32_t instruction,
                             uint32_t variable, bool atomic)
{
    uint32_t number = phases ? phase_variable_number(phases, variable) : 0;
    if (!phases || number == phases->variable_count || atomic)
        return false;
    uint32_t segment = phase_root(phases, segment_of(phases, instruction));
    return !(phases->stored[segment] >> number & 1) || !(phases->scattered[segment] >> number & 1);
}
