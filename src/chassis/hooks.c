/* Who hooks which command: the validators' tables, folded into one list per command and phase. */
#include "hooks.h"

#include <string.h>

/* The lists of commands that nobody hooks. */
static void (*empty_list[1])(void);

static_assert(sizeof(struct validator) % sizeof(void *) == 0, "a validator is a table of pointers");

static void (*hook_of(const struct validator *validator, uint32_t command, uint32_t phase))(void)
{
    return VALIDATOR_FIRST_HOOK(validator)[command * HOOK_PHASES + phase];
}

bool hook_table_build(struct hook_table *table, const struct validator *const *validators, uint32_t count)
{
    size_t pointers = 0;
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        for (uint32_t phase = 0; phase < HOOK_PHASES; phase++) {
            table->list[command][phase] = empty_list;
            bool hooked = false;
            for (uint32_t v = 0; v < count; v++) {
                if (hook_of(validators[v], command, phase)) {
                    pointers++;
                    hooked = true;
                }
            }
            pointers += hooked; /* the terminator */
        }
    }
    table->pool = mem_alloc(pointers * sizeof(*table->pool));
    if (!table->pool)
        return false;
    void (**next)(void) = table->pool;
    for (uint32_t command = 0; command < COMMAND_ROOT_COUNT; command++) {
        for (uint32_t phase = 0; phase < HOOK_PHASES; phase++) {
            void (**first)(void) = next;
            for (uint32_t v = 0; v < count; v++) {
                void (*hook)(void) = hook_of(validators[v], command, phase);
                if (hook)
                    *next++ = hook;
            }
            if (next != first) {
                *next++ = NULL;
                table->list[command][phase] = first;
            }
        }
    }
    assert(next == table->pool + pointers);
    return true;
}

void hook_table_free(struct hook_table *table)
{
    mem_free(table->pool);
    table->pool = NULL;
}

bool hook_table_has(const struct hook_table *table, enum command command)
{
    for (uint32_t phase = 0; phase < HOOK_PHASES; phase++) {
        if (table->list[command][phase][0])
            return true;
    }
    return false;
}
