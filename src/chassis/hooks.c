/* Merges the validators' tables of hooks into one list for each command and phase. */
#include "chassis/hooks.h"

#include <string.h>

/* The list of commands without hooks. */
static void (*empty_list[HOOK_PHASES])(void);

static_assert(sizeof(struct validator_hooks) ==
                  sizeof(void (*)(void)) * COMMAND_ROOT_COUNT * HOOK_PHASES,
              "a table of pointers");

/* Returns the validator's hook for a command and a phase; NULL: it has none. The validator's table
 * is an array of pointers, by command and then by phase. */
static void (*hook_of(const struct validator *validator, uint32_t command, uint32_t phase))(void)
{
    assert(command < COMMAND_ROOT_COUNT && phase < HOOK_PHASES);
    return VALIDATOR_FIRST_HOOK(validator->hooks)[command * HOOK_PHASES + phase];
}

bool hook_table_build(struct hook_table *table, const struct validator *const *validators,
                      uint32_t count)
{
    assert(count <= VALIDATOR_LIMIT);
    /* The pool is large enough for all hooks that there could be, as counting them would take as
     * long as copying them. */
    size_t most = (size_t)COMMAND_ROOT_COUNT * HOOK_PHASES * (count + 1);
    table->pool = mem_alloc_lines(most * sizeof(*table->pool));
    if (!table->pool)
        return false;
    for (uint32_t v = 0; v < count; v++) {
        table->marks |= validators[v]->marks;
        table->tells_numbers |= validators[v]->tells_numbers;
    }
    void (**next)(void) = table->pool;
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        void (**first)(void) = next;
        for (uint32_t phase = 0; phase < HOOK_PHASES; phase++) {
            for (uint32_t v = 0; v < count; v++) {
                void (*hook)(void) = hook_of(validators[v], command, phase);
                if (hook)
                    *next++ = hook;
            }
            *next++ = NULL;
        }
        /* A command without hooks shares `empty_list`, and its places in the pool are used for the
         * next command. */
        bool hooked = next != first + HOOK_PHASES;
        table->list[command] = hooked ? first : empty_list;
        if (!hooked)
            next = first;
    }
    assert(next <= table->pool + most);
    return true;
}

void hook_table_free(struct hook_table *table)
{
    mem_free(table->pool);
    table->pool = NULL;
}

bool hook_table_has(const struct hook_table *table, enum command command)
{
    return table->list[command] != empty_list;
}

void call_forget_derived(struct call *const *call)
{
    struct derived *first = (*call)->derived, *at = first;
    while (at) {
        struct derived *next = at->next != first ? at->next : NULL;
        mem_free(at);
        at = next;
    }
}
