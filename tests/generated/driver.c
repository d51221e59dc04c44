/* Checks that every generated check finds its mistake, and nothing else. Each command is called
 * once for each rule that its arguments fall under, with valid arguments but for the one change
 * that breaks the rule. Then it is called once with valid arguments, which must find nothing.
 *
 * usage: generated [--fired FILE] [--verbose] [--every N] --configurations DIRECTORY [COMMAND ...]
 * DIRECTORY holds configurations of the null driver. FILE gets the ids that were found, one a line.
 * The environment names the layer's directory and the driver (VK_LAYER_PATH, VK_DRIVER_FILES), as
 * for any program.
 *
 * Commands run in processes forked off one that has an instance and a device: what one breaks, the
 * next does not see. A process that dies in a case fails that case; another one goes on after it.
 */
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CASE_SECONDS 300 /* until a case counts as hanging */

/* Shared with the processes that run the cases. */
struct progress {
    unsigned next; /* case that is under way */
    unsigned passed, failed;
    char description[200]; /* of the case under way */
};
static struct progress *progress;

static FILE *fired;
static bool verbose;
static unsigned every = 1; /* case of a command is run */

/* The purposes for which the commands are called, one after the other; each with the settings and
 * the driver that it needs. */
struct round {
    const char *name;
    unsigned (*case_count)(const struct test_command_info *command);
    void (*run_case)(const struct test_command_info *command, unsigned index);
    bool named_only;              /* see struct heard */
    enum world_number last_world; /* that the round needs */
    const char *configuration;    /* of the null driver, or NULL */
    /* The settings that differ from all validators being off, as the environment has them;
     * NULL-terminated. */
    const char *settings[5];
};
static const struct round *current;

/* --- the cases --- */

void describe_case(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(progress->description, sizeof(progress->description), format, arguments);
    va_end(arguments);
}

static void listen_to_case(const struct test_command_info *command, const void *args,
                           const char *expected)
{
    heard.named_only = current->named_only;
    heard.expected = expected;
    heard.count = heard.different = 0;
    heard.listening = true;
    command->call(args);
    heard.listening = false;
    for (unsigned i = 0; i < heard.count && fired; i++)
        fprintf(fired, "%s\n", heard.ids[i]);
}

static void judge_case(const struct test_command_info *command, bool good, const char *expected)
{
    progress->passed += good;
    progress->failed += !good;
    if (good && !verbose)
        return;
    printf("%s %s: %s: %s %s\n", good ? "ok  " : "FAIL", current->name, command->name,
           expected ? expected : "nothing is wrong", progress->description);
    for (unsigned i = 0; i < heard.count; i++)
        printf("     found %s: %s\n", heard.ids[i], heard.texts[i]);
}

void judge_call(const struct test_command_info *command, const void *args, const char *expected,
                const char *twin)
{
    listen_to_case(command, args, expected);
    judge_case(command,
               heard.different == (unsigned)((expected != NULL) + (twin != NULL)) &&
                   (!expected || heard_id(expected)) && (!twin || heard_id(twin)),
               expected);
}

void judge_text(const struct test_command_info *command, const void *args, const char *expected,
                const char *text)
{
    listen_to_case(command, args, expected);
    judge_case(command, heard.different == 1 && heard_id(expected) && strstr(heard.texts[0], text),
               expected);
}

void judge_among(const struct test_command_info *command, const void *args, const char *expected,
                 const char *text)
{
    bool found = false;
    listen_to_case(command, args, expected);
    for (unsigned i = 0; i < heard.count; i++)
        found |= !strcmp(heard.ids[i], expected) && (!text || strstr(heard.texts[i], text));
    judge_case(command, found, expected);
}

void judge_without(const struct test_command_info *command, const void *args, const char *unwanted,
                   const char *text)
{
    bool found = false;
    listen_to_case(command, args, NULL);
    for (unsigned i = 0; i < heard.count; i++)
        found |= !strcmp(heard.ids[i], unwanted) && strstr(heard.texts[i], text);
    judge_case(command, !found, NULL);
}

void judge_instead(const struct test_command_info *command, const void *args, const char *expected,
                   const char *unwanted, const char *text)
{
    bool found = false, other = false;
    listen_to_case(command, args, expected);
    for (unsigned i = 0; i < heard.count; i++) {
        found |= !strcmp(heard.ids[i], expected);
        other |= !strcmp(heard.ids[i], unwanted) && strstr(heard.texts[i], text);
    }
    judge_case(command, found && !other, expected);
}

void end_process(void)
{
    progress->next++;
    fflush(NULL);
    _exit(EXIT_SUCCESS);
}

static unsigned parameter_case_count(const struct test_command_info *command)
{
    return command->case_count + 1;
}

static void run_parameter_case(const struct test_command_info *command, unsigned index, bool strict)
{
    const struct test_case *test = index < command->case_count ? &command->cases[index] : NULL;
    if (test ? test->strict != strict : strict || command->no_valid_call)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test)
        test->change(args);
    if (test && test->second_device)
        memcpy(args, &world.bare_device, sizeof(world.bare_device));
    if (test && test->among)
        judge_among(command, args, test->vuid, NULL);
    else
        judge_call(command, args, test ? test->vuid : NULL, NULL);
}

static void parameter_run_case(const struct test_command_info *command, unsigned index)
{
    run_parameter_case(command, index, false);
}

/* No process is started for a command without such cases. */
static unsigned query_case_count(const struct test_command_info *command)
{
    bool any = false;
    for (unsigned i = 0; i < command->case_count; i++)
        any |= command->cases[i].strict;
    return any ? command->case_count : 0;
}

static unsigned custom_case_count(const struct test_command_info *command)
{
    bool any = false;
    for (unsigned i = 0; i < command->case_count; i++)
        any |= command->cases[i].custom;
    return any && !command->no_valid_call ? command->case_count : 0;
}

/* Queries of a physical device without VK_KHR_maintenance5, with which they take any value. */
static void query_run_case(const struct test_command_info *command, unsigned index)
{
    run_parameter_case(command, index, true);
}

/* Structures that custom_stype_list names do not concern the layer. */
static void custom_run_case(const struct test_command_info *command, unsigned index)
{
    if (!command->cases[index].custom)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    command->cases[index].change(args);
    judge_call(command, args, NULL, NULL);
}

/* A command that is not enabled would be reported alone, in a call that is made for something else.
 */
#define NO_COMMANDS                                                                    \
    "VK_ASSAY_MESSAGE_ID_FILTER=UNASSIGNED-GeneralParameterError-ExtensionNotEnabled," \
    "UNASSIGNED-API-Version-Violation"

static const struct round rounds[] = {
    {
        .name = "parameters",
        .case_count = parameter_case_count,
        .run_case = parameter_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true"},
    },
    {
        .name = "queries",
        .case_count = query_case_count,
        .run_case = query_run_case,
        .named_only = true,
        .configuration = "strict.json",
        .settings = {"VK_ASSAY_STATELESS_PARAM=true"},
    },
    {
        .name = "custom structures",
        .case_count = custom_case_count,
        .run_case = custom_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", "VK_ASSAY_CUSTOM_STYPE_LIST=0x7ffffffe,16"},
    },
    {
        .name = "gating of commands",
        .case_count = gating_case_count,
        .run_case = command_gating_run_case,
        .named_only = true,
        .last_world = WORLD_GATED,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true"},
    },
    {
        .name = "gating",
        .case_count = gating_case_count,
        .run_case = gating_run_case,
        .named_only = true,
        .last_world = WORLD_GATED,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", NO_COMMANDS},
    },
    {
        .name = "numbers",
        .case_count = spoken_case_count,
        .run_case = spoken_run_case,
        .named_only = true,
        .last_world = WORLD_GATED,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", "VK_ASSAY_VALIDATE_CORE=true", NO_COMMANDS},
    },
    {
        .name = "rows",
        .case_count = row_case_count,
        .run_case = row_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", NO_COMMANDS},
    },
    {
        .name = "rows with the driver's handles",
        .case_count = row_case_count,
        .run_case = row_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", "VK_ASSAY_UNIQUE_HANDLES=false", NO_COMMANDS},
    },
    {
        .name = "rows of state",
        .case_count = state_row_case_count,
        .run_case = state_row_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", "VK_ASSAY_VALIDATE_CORE=true", NO_COMMANDS},
    },
    {
        .name = "rows of state with the driver's handles",
        .case_count = state_row_case_count,
        .run_case = state_row_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_STATELESS_PARAM=true", "VK_ASSAY_VALIDATE_CORE=true",
                     "VK_ASSAY_UNIQUE_HANDLES=false", NO_COMMANDS},
    },
    {
        .name = "scopes",
        .case_count = scope_case_count,
        .run_case = scope_run_case,
        .named_only = true,
        .settings = {"VK_ASSAY_VALIDATE_CORE=true"},
    },
    /* with threads, which hooks every command: one without hooks is the driver's own function */
    {
        .name = "lifetimes",
        .case_count = lifetime_case_count,
        .run_case = lifetime_run_case,
        .last_world = WORLD_OTHER_INSTANCE,
        .configuration = "check_handles.json",
        .settings = {"VK_ASSAY_OBJECT_LIFETIME=true", "VK_ASSAY_THREAD_SAFETY=true"},
    },
    {
        .name = "lifetimes with the driver's handles",
        .case_count = lifetime_case_count,
        .run_case = lifetime_run_case,
        .last_world = WORLD_OTHER_INSTANCE,
        .configuration = "check_handles.json",
        .settings = {"VK_ASSAY_OBJECT_LIFETIME=true", "VK_ASSAY_THREAD_SAFETY=true",
                     "VK_ASSAY_UNIQUE_HANDLES=false"},
    },
    {
        .name = "threads",
        .case_count = thread_case_count,
        .run_case = thread_run_case,
        .settings = {"VK_ASSAY_THREAD_SAFETY=true"},
    },
    {
        .name = "threads with the driver's handles",
        .case_count = thread_case_count,
        .run_case = thread_run_case,
        .settings = {"VK_ASSAY_THREAD_SAFETY=true", "VK_ASSAY_UNIQUE_HANDLES=false"},
    },
};

static void run_cases(const struct test_command_info *command, unsigned command_number)
{
    for (unsigned i = progress->next, count = current->case_count(command); i < count; i++) {
        if ((i + command_number) % every)
            continue;
        progress->next = i;
        progress->description[0] = 0;
        alarm(CASE_SECONDS);
        current->run_case(command, i);
        fflush(NULL);
    }
    progress->next = current->case_count(command);
}

static void run_command(const struct test_command_info *command, unsigned command_number)
{
    progress->next = 0;
    while (progress->next < current->case_count(command)) {
        fflush(NULL);
        pid_t child = fork();
        if (child < 0)
            fail("cannot fork");
        if (child == 0) {
            run_cases(command, command_number);
            _exit(EXIT_SUCCESS);
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
            continue;
        unsigned at = progress->next++;
        progress->failed++;
        printf("FAIL %s: %s: case %u (%s): %s\n", current->name, command->name, at,
               progress->description,
               WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "ended early");
    }
}

static bool is_chosen(const char *name, char **chosen, int count)
{
    for (int i = 0; i < count; i++) {
        if (!strcmp(chosen[i], name))
            return true;
    }
    return count == 0;
}

static void set_configuration(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    setenv("ASSAY_NULL_DRIVER", path, 1);
}

static void prepare_round(const char *directory)
{
    static const char *const validators[] = {"VK_ASSAY_VALIDATE_CORE", "VK_ASSAY_STATELESS_PARAM",
                                             "VK_ASSAY_OBJECT_LIFETIME", "VK_ASSAY_THREAD_SAFETY",
                                             "VK_ASSAY_ENABLE_MESSAGE_LIMIT"};
    for (size_t i = 0; i < sizeof(validators) / sizeof(validators[0]); i++)
        setenv(validators[i], "false", 1);
    for (size_t i = 0; current->settings[i]; i++)
        putenv((char *)(uintptr_t)current->settings[i]);
    if (current->configuration)
        set_configuration(directory, current->configuration);
}

static double generated_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* In a process of its own, as the layer and the driver read their settings once. */
static void run_round(const struct round *round, const char *directory, char **chosen,
                      int chosen_count)
{
    unsigned passed = progress->passed, failed = progress->failed;
    double start = generated_seconds();
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail("cannot fork");
    if (child == 0) {
        current = round;
        prepare_round(directory);
        for (enum world_number i = WORLD_MAIN; i <= round->last_world; i++) {
            if (i == WORLD_GATED) /* the driver reads it for each instance */
                set_configuration(directory, "version_1_0.json");
            create_world(i);
        }
        world_in_use = &worlds[WORLD_MAIN];
        for (unsigned i = 0; i < test_command_count; i++) {
            if (is_chosen(test_command_list[i]->name, chosen, chosen_count))
                run_command(test_command_list[i], i);
        }
        fflush(NULL);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
        fail("a round ended early");
    printf("%s: %u passed, %u failed, %.1f s\n", round->name, progress->passed - passed,
           progress->failed - failed, generated_seconds() - start);
}

int main(int argc, char **argv)
{
    int first = 1;
    const char *directory = NULL;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (!strcmp(argv[first], "--verbose"))
            verbose = true;
        else if (!strcmp(argv[first], "--fired") && first + 1 < argc)
            fired = fopen(argv[++first], "w");
        else if (!strcmp(argv[first], "--every") && first + 1 < argc)
            every = (unsigned)strtoul(argv[++first], NULL, 10);
        else if (!strcmp(argv[first], "--configurations") && first + 1 < argc)
            directory = argv[++first];
        else
            fail("usage: generated [--fired FILE] [--verbose] [--every N] --configurations "
                 "DIRECTORY [COMMAND ...]");
    }
    if (!directory)
        fail("--configurations DIRECTORY is missing");
    if (!every)
        fail("--every needs a number from 1");
    progress =
        mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        fail("no memory");
    for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++)
        run_round(&rounds[i], directory, argv + first, argc - first);
    printf("%u passed, %u failed\n", progress->passed, progress->failed);
    return progress->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
