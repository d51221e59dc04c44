/* Checks that each row finds the call that breaks its statement, and leaves the nearest call that
 * keeps it alone. */
#include "row_cases.h"
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct row_test *row_test_of(const struct test_command_info *command, unsigned number,
                                          bool of_state)
{
    for (unsigned i = 0; i < row_test_count; i++) {
        if (row_tests[i].command == command && row_tests[i].of_state == of_state && number-- == 0)
            return &row_tests[i];
    }
    return NULL;
}

static unsigned count_of(const struct test_command_info *command, bool of_state)
{
    unsigned count = 0;
    while (row_test_of(command, count, of_state))
        count++;
    return count;
}

unsigned row_case_count(const struct test_command_info *command)
{
    return count_of(command, false);
}

unsigned state_row_case_count(const struct test_command_info *command)
{
    return count_of(command, true);
}

/* The null driver reads its configuration whenever an instance is created, from a file: one that
 * only this process has. */
static int tell_driver(const char *text)
{
    char path[32];
    int file = memfd_create("row", 0);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text))
        fail("no file for the null driver");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    setenv("ASSAY_NULL_DRIVER", path, 1);
    return file;
}

/* All features that the driver has, but for those that `half` leaves out, as what vkCreateDevice
 * takes. */
static void *row_features(const struct row_half *half)
{
    VkBaseOutStructure *structures[1024], *next = NULL;
    if (feature_structure_count > sizeof(structures) / sizeof(structures[0]))
        fail("more structures of features than rows.c has room for");
    for (unsigned i = feature_structure_count; i-- > 0;) {
        structures[i] = test_allocate(feature_structures[i].size);
        structures[i]->sType = feature_structures[i].type;
        structures[i]->pNext = next;
        next = structures[i];
    }
    test_read_features(next);
    for (const uint16_t *off = half->features; *off != ROW_FEATURES_END; off++) {
        for (unsigned i = 0; i < feature_place_count; i++) {
            if (feature_places[i].feature == *off)
                memset((char *)structures[feature_places[i].structure] + feature_places[i].offset,
                       0, sizeof(VkBool32));
        }
    }
    return next;
}

/* Whether the world that is made for one half is the one that is made for the other. */
static bool same_world(const struct row_half *one, const struct row_half *other)
{
    if (one->driver != other->driver &&
        (!one->driver || !other->driver || strcmp(one->driver, other->driver) != 0))
        return false;
    size_t i = 0;
    while (one->features[i] != ROW_FEATURES_END && one->features[i] == other->features[i])
        i++;
    if (one->of_group != other->of_group || one->features[i] != other->features[i])
        return false;
    for (i = 0; one->extensions[i] && other->extensions[i]; i++) {
        if (strcmp(one->extensions[i], other->extensions[i]) != 0)
            return false;
    }
    return one->extensions[i] == other->extensions[i];
}

static void create_world_of(const struct row_half *half)
{
    test_use_layer_functions(false);
    heard.refusing = false;
    int told = half->driver ? tell_driver(half->driver) : -1;
    create_world_for_row(row_features, half);
    if (told >= 0) {
        unsetenv("ASSAY_NULL_DRIVER");
        close(told);
    }
}

static void row_call(const struct row_test *test, const struct row_half *half, const char *expected)
{
    /* only the loader tells the layer what is below it */
    bool of_loader = !strcmp(test->command->name, "vkCreateDevice") ||
                     !strcmp(test->command->name, "vkCreateInstance");
    if (of_loader)
        test_use_loader_device();
    else
        test_use_layer_functions(true);
    heard.refusing = true;
    test_spare_size = 4096;
    void *args = test_allocate(test->command->size);
    test->command->fill(args);
    half->change(args);
    if (expected)
        judge_among(test->command, args, expected, test->text);
    else
        judge_without(test->command, args, test->vuid, "");
}

/* True for a command that begins or ends something, which cannot be done twice. */
static bool begins_or_ends(const struct test_command_info *command)
{
    return !strncmp(command->name, "vkCmdBegin", strlen("vkCmdBegin")) ||
           !strncmp(command->name, "vkCmdEnd", strlen("vkCmdEnd"));
}

/* To make a world is nearly all that a case costs. The call that keeps the statement comes first,
 * in a world that nothing has happened to; what it leaves there must not hide the broken one. */
static void run_case(const struct row_test *test)
{
    describe_case("%s kept", test->vuid);
    create_world_of(&test->valid);
    row_call(test, &test->valid, NULL);
    describe_case("%s broken", test->vuid);
    heard.refusing = false;
    if (begins_or_ends(test->command) || !same_world(&test->valid, &test->broken))
        create_world_of(&test->broken);
    row_call(test, &test->broken, test->vuid);
    heard.refusing = false;
    test_use_layer_functions(false);
    world_in_use = &worlds[WORLD_MAIN];
}

void row_run_case(const struct test_command_info *command, unsigned index)
{
    run_case(row_test_of(command, index, false));
}

void state_row_run_case(const struct test_command_info *command, unsigned index)
{
    run_case(row_test_of(command, index, true));
}
