/* Checks that what is not enabled is found, and left alone where it is enabled: a command, an
 * enumerant, a bit, a chained structure. */
#include "gating.h"
#include "world.h"

/* The same change in a world of Vulkan 1.0 without any extension, and in one with all of them. Then
 * there is one case for each extension of `alone`, in a world that has just that. */
enum { NOT_ENABLED, ENABLED, GATING_CASES };

static unsigned cases_of(const struct gating_test *test)
{
    return GATING_CASES + test->alone_count;
}

/* A command's tests do not stand side by side. `number` counts the cases of all of them on the way
 * in, and those of the found test on the way out. */
static const struct gating_test *test_of(const struct test_command_info *command, unsigned *number)
{
    for (unsigned i = 0; i < gating_test_count; i++) {
        if (gating_tests[i].command != command)
            continue;
        if (*number < cases_of(&gating_tests[i]))
            return &gating_tests[i];
        *number -= cases_of(&gating_tests[i]);
    }
    return NULL;
}

unsigned gating_case_count(const struct test_command_info *command)
{
    unsigned count = 0;
    for (unsigned i = 0; i < gating_test_count; i++)
        count += gating_tests[i].command == command ? cases_of(&gating_tests[i]) : 0;
    return count;
}

static void *changed_arguments(const struct test_command_info *command,
                               const struct gating_test *test)
{
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test->place) {
        memcpy(test->place(args), &test->value, test->size);
    } else if (test->head) {
        void *head = test->head(args);
        test_chain(head, test->structure(), sizeof(VkBaseInStructure));
    }
    return args;
}

static void run_pair(const struct test_command_info *command, const struct gating_test *test,
                     bool enabled)
{
    bool is_command = !test->place && !test->head;
    if (enabled && (is_command || command->no_valid_call))
        return; /* the valid call of the parameters' round */
    describe_case("%s, %s", test->name, enabled ? "enabled" : "not enabled");
    world_in_use = &worlds[enabled ? WORLD_MAIN : WORLD_GATED];
    test_use_layer_functions(!enabled);
    heard.refusing = !enabled;
    void *args = changed_arguments(command, test);
    if (enabled)
        judge_call(command, args, NULL, NULL);
    else /* what else the call needs is not enabled either */
        judge_among(command, args, test->vuid, is_command ? "to be enabled" : test->name);
}

/* All that implicit valid usage asks for is enabled; other rules may have something to say. */
static void run_alone(const struct test_command_info *command, const struct gating_test *test,
                      const char *extension)
{
    bool is_command = !test->place && !test->head;
    describe_case("%s, with %s alone", test->name, extension);
    create_world_with(extension);
    test_use_layer_functions(true);
    heard.refusing = true;
    void *args = changed_arguments(command, test);
    judge_without(command, args, test->vuid, is_command ? "to be enabled" : test->name);
}

/* Where a numbered statement speaks of the value, `-parameter` does not. */
static const struct spoken_test *spoken_test_of(const struct test_command_info *command,
                                                unsigned number)
{
    for (unsigned i = 0; i < spoken_test_count; i++) {
        if (spoken_tests[i].command == command && number-- == 0)
            return &spoken_tests[i];
    }
    return NULL;
}

unsigned spoken_case_count(const struct test_command_info *command)
{
    unsigned count = 0;
    while (spoken_test_of(command, count))
        count++;
    return count;
}

/* Numbered statements about commands that are recorded are only looked at while one records. */
static void record_in_gated_world(void)
{
    static bool recording;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    if (!recording)
        ((PFN_vkBeginCommandBuffer)test_proc("vkBeginCommandBuffer", true))(world.command_buffer,
                                                                            &begin);
    recording = true;
}

void spoken_run_case(const struct test_command_info *command, unsigned index)
{
    const struct spoken_test *test = spoken_test_of(command, index);
    describe_case("%s, not enabled", test->name);
    world_in_use = &worlds[WORLD_GATED];
    test_use_layer_functions(true);
    record_in_gated_world();
    heard.refusing = true;
    void *args = test_allocate(command->size);
    command->fill(args);
    memcpy(test->place(args), &test->value, test->size);
    judge_instead(command, args, test->number, test->vuid, test->name);
    heard.refusing = false;
    world_in_use = &worlds[WORLD_MAIN];
    test_use_layer_functions(false);
}

static void run_case(const struct test_command_info *command, unsigned index, bool of_commands)
{
    const struct gating_test *test = test_of(command, &index);
    if (of_commands != (!test->place && !test->head))
        return;
    if (index < GATING_CASES)
        run_pair(command, test, index == ENABLED);
    else
        run_alone(command, test, test->alone[index - GATING_CASES]);
    heard.refusing = false;
    world_in_use = &worlds[WORLD_MAIN];
    test_use_layer_functions(false);
}

void gating_run_case(const struct test_command_info *command, unsigned index)
{
    run_case(command, index, false);
}

void command_gating_run_case(const struct test_command_info *command, unsigned index)
{
    run_case(command, index, true);
}
