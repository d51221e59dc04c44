/* Is a command, an enumerant, a bit, a chained structure found where what it needs is not enabled, and left alone where it is? */
#include "gating.h"
#include "world.h"

/* The same change in a world without any extension, of Vulkan 1.0, and in one with all of them. */
enum { NOT_ENABLED, ENABLED, GATING_CASES };

/* A command's tests do not stand side by side. */
static const struct gating_test *test_of(const struct test_command_info *command, unsigned number, unsigned *count)
{
    const struct gating_test *found = NULL;
    *count = 0;
    for (unsigned i = 0; i < gating_test_count; i++) {
        if (gating_tests[i].command == command && (*count)++ == number)
            found = &gating_tests[i];
    }
    return found;
}

unsigned gating_case_count(const struct test_command_info *command)
{
    unsigned count;
    (void)test_of(command, 0, &count);
    return count * GATING_CASES;
}

void gating_run_case(const struct test_command_info *command, unsigned index)
{
    unsigned count;
    const struct gating_test *test = test_of(command, index / GATING_CASES, &count);
    bool enabled = index % GATING_CASES == ENABLED, is_command = !test->place && !test->head;
    if (enabled && (is_command || command->no_valid_call))
        return; /* the valid call of the parameters' round */
    describe_case("%s, %s", test->name, enabled ? "enabled" : "not enabled");
    world_in_use = &worlds[enabled ? WORLD_MAIN : WORLD_GATED];
    test_use_layer_functions(!enabled);
    heard.refusing = !enabled;
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test->place) {
        memcpy(test->place(args), &test->value, test->size);
    } else if (test->head) {
        void *head = test->head(args);
        test_chain(head, test->structure(), sizeof(VkBaseInStructure));
    }
    if (enabled)
        judge_call(command, args, NULL, NULL);
    else /* what else the call needs is not enabled either */
        judge_among(command, args, test->vuid, is_command ? "to be enabled" : test->name);
    heard.refusing = false;
    world_in_use = &worlds[WORLD_MAIN];
    test_use_layer_functions(false);
}
