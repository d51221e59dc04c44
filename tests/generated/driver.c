/* Does every generated check find its mistake, and nothing else? Each command is called once for each rule that its arguments fall under,
 * with valid arguments but for the one change that breaks the rule; then once with valid arguments, which must find nothing.
 *
 * usage: generated [--fired FILE] [--verbose] --strict FILE [COMMAND ...]
 * --strict names a configuration of the null driver without VK_KHR_maintenance5.
 * The environment names the layer's directory and the driver (VK_LAYER_PATH, VK_DRIVER_FILES), as for any program.
 *
 * Commands run in processes forked off one that has an instance and a device: what one breaks, the next does not see. A process that dies
 * in a case fails that case; another one goes on after it. */
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CASE_SECONDS 20

/* Shared with the processes that run the cases. */
struct progress {
    unsigned next; /* case that is under way */
    unsigned passed, failed;
};
static struct progress *progress;

static FILE *fired;
static bool verbose;
static const char *strict_configuration;

/* What the world under way is for. */
static enum world_kind {
    WORLD_PARAMETERS,
    WORLD_QUERIES, /* of a physical device without VK_KHR_maintenance5, with which a query takes any value */
    WORLD_SCOPES,
} kind;

/* --- the cases --- */

void judge_call(const struct test_command_info *command, const void *args, const char *expected, const char *twin)
{
    heard.count = 0;
    heard.listening = true;
    command->call(args);
    heard.listening = false;
    bool good = heard.count == (unsigned)((expected != NULL) + (twin != NULL)) && (!expected || heard_id(expected)) &&
                (!twin || heard_id(twin));
    for (unsigned i = 0; i < heard.count && fired; i++)
        fprintf(fired, "%s\n", heard.ids[i]);
    progress->passed += good;
    progress->failed += !good;
    if (good && !verbose)
        return;
    printf("%s %s: %s\n", good ? "ok  " : "FAIL", command->name, expected ? expected : "valid call");
    for (unsigned i = 0; i < heard.count; i++)
        printf("     found %s: %s\n", heard.ids[i], heard.texts[i]);
}

/* How many cases a command has in the world under way, the valid call among them. */
static unsigned case_count(const struct test_command_info *command)
{
    return kind == WORLD_SCOPES ? scope_case_count(command) : command->case_count + 1;
}

static void run_case(const struct test_command_info *command, unsigned index)
{
    if (kind == WORLD_SCOPES) {
        scope_run_case(command, index);
        return;
    }
    const struct test_case *test = index < command->case_count ? &command->cases[index] : NULL;
    if (test ? test->strict != (kind == WORLD_QUERIES) : kind == WORLD_QUERIES || command->no_valid_call)
        return;
    void *args = test_allocate(command->size);
    command->fill(args);
    if (test)
        test->change(args);
    if (test && test->second_device)
        memcpy(args, &world.bare_device, sizeof(world.bare_device));
    judge_call(command, args, test ? test->vuid : NULL, test ? test->twin : NULL);
}

static void run_cases(const struct test_command_info *command)
{
    for (unsigned i = progress->next, count = case_count(command); i < count; i++) {
        progress->next = i;
        alarm(CASE_SECONDS);
        run_case(command, i);
        fflush(NULL);
    }
}

static void run_command(const struct test_command_info *command)
{
    progress->next = 0;
    while (progress->next < case_count(command)) {
        fflush(NULL);
        pid_t child = fork();
        if (child < 0)
            fail("cannot fork");
        if (child == 0) {
            run_cases(command);
            _exit(EXIT_SUCCESS);
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS)
            return;
        unsigned at = progress->next++;
        progress->failed++;
        printf("FAIL %s: case %u (%s): %s\n", command->name, at,
               kind != WORLD_SCOPES && at < command->case_count ? command->cases[at].vuid : "valid call",
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

/* In a process of its own, as the layer and the driver read their settings once. */
static void run_world(enum world_kind new_kind, char **chosen, int chosen_count)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        fail("cannot fork");
    if (child == 0) {
        kind = new_kind;
        setenv("VK_ASSAY_VALIDATE_CORE", kind == WORLD_SCOPES ? "true" : "false", 1);
        setenv("VK_ASSAY_STATELESS_PARAM", kind == WORLD_SCOPES ? "false" : "true", 1);
        if (kind == WORLD_QUERIES)
            setenv("ASSAY_NULL_DRIVER", strict_configuration, 1);
        create_world();
        for (unsigned i = 0; i < test_command_count; i++) {
            if (is_chosen(test_command_list[i]->name, chosen, chosen_count))
                run_command(test_command_list[i]);
        }
        fflush(NULL);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS)
        fail("a world ended early");
}

int main(int argc, char **argv)
{
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (!strcmp(argv[first], "--verbose"))
            verbose = true;
        else if (!strcmp(argv[first], "--fired") && first + 1 < argc)
            fired = fopen(argv[++first], "a");
        else if (!strcmp(argv[first], "--strict") && first + 1 < argc)
            strict_configuration = argv[++first];
        else
            fail("usage: generated [--fired FILE] [--verbose] --strict FILE [COMMAND ...]");
    }
    if (!strict_configuration)
        fail("--strict FILE is missing");
    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        fail("no memory");
    /* The objects here are as good as the calls that made them: not what these validators are for. */
    setenv("VK_ASSAY_OBJECT_LIFETIME", "false", 1);
    setenv("VK_ASSAY_THREAD_SAFETY", "false", 1);
    setenv("VK_ASSAY_ENABLE_MESSAGE_LIMIT", "false", 1);
    for (enum world_kind world_kind = WORLD_PARAMETERS; world_kind <= WORLD_SCOPES; world_kind++)
        run_world(world_kind, argv + first, argc - first);
    printf("%u passed, %u failed\n", progress->passed, progress->failed);
    return progress->failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
