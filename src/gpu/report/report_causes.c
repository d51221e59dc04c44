/* Keeps a mistake from being reported more than once. A bad descriptor is reported at the first
 * place of a command that accesses it. Errors with values that were computed from that access are
 * consequences, and not reported. */
#include "gpu/report/report.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

#include "base/thread.h"
#include "gpu/device/areas.h"
#include "gpu/device/device.h"

/* The most ids that are followed; errors with values that depend on more count as independent. */
#define VALUES_MOST 1024

/* Returns the place that a record is about. Set, binding and index only have a meaning for errors
 * of descriptors. */
static struct gpu_cause cause_of(const struct gpu_message *message)
{
    return (struct gpu_cause){.shader = message->words[RECORD_SHADER],
                              .recording = message->words[RECORD_RECORDING],
                              .command = message->words[RECORD_COMMAND],
                              .instruction = message->words[RECORD_INSTRUCTION],
                              .error = message->words[RECORD_ERROR],
                              .set = gpu_message_word(message, 0),
                              .binding = gpu_message_word(message, 1),
                              .index = gpu_message_word(message, 2)};
}

/* Causes and consequences are looked for within one command of one recording and one shader. */
static bool is_of_one_command(const struct gpu_cause *a, const struct gpu_cause *b)
{
    return a->shader == b->shader && a->recording == b->recording && a->command == b->command;
}

static bool is_of_one_descriptor(const struct gpu_cause *a, const struct gpu_cause *b)
{
    return a->set == b->set && a->binding == b->binding && a->index == b->index;
}

/* --- the origin of values --- */

/* The ids whose values an instruction depends on, each once. */
struct values {
    const struct spirv_module *module;
    uint32_t ids[VALUES_MOST]; /* `count` of them */
    uint32_t count;
};

/* Adds an id once. Beyond VALUES_MOST none is added, and a consequence is reported as an
 * independent error. */
static void causes_add(struct values *values, uint32_t id)
{
    for (uint32_t i = 0; i < values->count; i++) {
        if (values->ids[i] == id)
            return;
    }
    if (values->count < VALUES_MOST)
        values->ids[values->count++] = id;
}

/* Adds all ids among the instruction's operands. */
static void add_operands(struct values *values, const struct spirv_instruction *instruction)
{
    struct spirv_operand_walk walk;
    struct spirv_operand operand;
    const uint32_t *words = spirv_words(values->module, instruction);
    bool more = spirv_operands_begin(&walk, values->module, instruction);
    while (more && (more = spirv_operands_next(&walk, &operand))) {
        if (operand.kind == SPIRV_KIND_IdRef)
            causes_add(values, words[operand.word]);
    }
}

/* Returns the variable that a pointer leads to through access chains, or the pointer itself. At
 * most 16 chains are followed. */
static uint32_t root_of(const struct spirv_module *module, uint32_t pointer)
{
    for (uint32_t depth = 0; depth < 16; depth++) {
        const struct spirv_instruction *definition = spirv_definition(module, pointer);
        if (!definition || definition->length < 4 ||
            (definition->opcode != SpvOpAccessChain &&
             definition->opcode != SpvOpInBoundsAccessChain))
            break;
        pointer = spirv_words(module, definition)[3];
    }
    return pointer;
}

/* Adds the values that are stored to a variable of the invocation. */
static void add_stored(struct values *values, uint32_t variable)
{
    const struct spirv_module *module = values->module;
    for (uint32_t i = 0; i < module->instruction_count; i++) {
        const struct spirv_instruction *store = &module->instructions[i];
        const uint32_t *words = spirv_words(module, store);
        if (store->opcode == SpvOpStore && store->length > 2 &&
            root_of(module, words[1]) == variable)
            causes_add(values, words[2]);
    }
}

/* True if instruction `at` depends on the result of instruction `from`. */
static bool comes_from(const struct spirv_module *module, uint32_t at, uint32_t from)
{
    struct scratch *scratch = &thread_self()->scratch;
    struct scratch_mark mark = scratch_mark(scratch);
    struct values *values =
        at < module->instruction_count ? scratch_alloc(scratch, sizeof(*values)) : NULL;
    bool found = at == from;
    if (values) {
        values->module = module;
        values->count = 0;
        add_operands(values, &module->instructions[at]);
    }
    for (uint32_t i = 0; values && !found && i < values->count; i++) {
        const struct spirv_instruction *definition = spirv_definition(module, values->ids[i]);
        if (!definition)
            continue;
        found = (uint32_t)(definition - module->instructions) == from;
        const uint32_t *words = spirv_words(module, definition);
        if (definition->opcode == SpvOpVariable && definition->length > 3 &&
            (words[3] == SpvStorageClassFunction || words[3] == SpvStorageClassPrivate))
            /* A load may give the value of any store to the variable. */
            add_stored(values, values->ids[i]);
        else if (definition->opcode != SpvOpFunction)
            add_operands(values, definition);
    }
    scratch_rewind(scratch, mark);
    return found;
}

/* --- known causes --- */

/* Copies the causes of the same command, so that no lock is held while modules are searched.
 * Returns how many there are. */
static uint32_t copy_causes(struct gpu_device *gpu, const struct gpu_cause *cause,
                            struct gpu_cause to[GPU_CAUSES])
{
    uint32_t count = 0;
    lock_take(&gpu->drain_lock);
    for (uint32_t i = 0; i < GPU_CAUSES; i++) {
        if (gpu->causes[i].shader && is_of_one_command(&gpu->causes[i], cause))
            to[count++] = gpu->causes[i];
    }
    lock_release(&gpu->drain_lock);
    return count;
}

/* Keeps a cause, and forgets the oldest. */
static void keep_cause(struct gpu_device *gpu, const struct gpu_cause *cause)
{
    lock_take(&gpu->drain_lock);
    gpu->causes[gpu->next_cause++ % GPU_CAUSES] = *cause;
    lock_release(&gpu->drain_lock);
}

/* True if the error is in the descriptor itself; other errors may follow from it. */
static bool is_descriptor_error(uint32_t error)
{
    return error == ERROR_DESCRIPTOR_INDEX || error == ERROR_DESCRIPTOR_UNINITIALIZED ||
           error == ERROR_DESCRIPTOR_DESTROYED || error == ERROR_DESCRIPTOR_CLASS;
}

bool gpu_message_is_known(const struct gpu_message *message)
{
    struct gpu_device *gpu = gpu_in_device(message->call.device)->gpu;
    const uint32_t error = message->words[RECORD_ERROR];
    struct gpu_cause causes[GPU_CAUSES], cause;
    if (error == ERROR_PRINTF || error == ERROR_ABORT || error == ERROR_COMMAND)
        return false;
    cause = cause_of(message);
    /* recording 0: it is not known which command the record belongs to */
    if (!gpu || !message->shader || !cause.recording)
        return false;
    const bool is_cause = is_descriptor_error(error);
    const uint32_t count = copy_causes(gpu, &cause, causes);
    bool known = false, kept = false;
    for (uint32_t i = 0; i < count; i++) {
        const bool same_place = causes[i].instruction == cause.instruction;
        kept |= is_cause && same_place && is_of_one_descriptor(&causes[i], &cause);
        if (is_cause && is_of_one_descriptor(&causes[i], &cause))
            known |= !same_place && !causes[i].repeats && causes[i].error == error;
        /* It is another descriptor, or another kind of error: a consequence only if its values
         * depend on the cause. */
        else if (!is_cause || !same_place)
            known |= comes_from(&message->module, cause.instruction, causes[i].instruction);
    }
    cause.repeats = known;
    if (is_cause && !kept)
        keep_cause(gpu, &cause);
    return known;
}
