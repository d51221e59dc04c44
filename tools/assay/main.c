/* Begins the tool `assay`: finds the command in the command line, and runs it. */
#include "assay/command.h"
#include "assay/run/terminal.h"

#include <errno.h>
#include <string.h>

/* Returns the command with this name; NULL: there is none. */
static const struct command *find_command(const char *name)
{
    for (const struct command *const *command = commands; *command; command++) {
        if (!strcmp((*command)->name, name))
            return *command;
    }
    return NULL;
}

/* Reports an unknown command, and returns STATUS_USAGE. */
static int command_unknown(const char *name)
{
    tell("there is no command \"%s\"; assay --help lists them", name);
    return STATUS_USAGE;
}

/* Writes the help for a command or topic, or with NULL for all commands. Returns the exit
 * status. */
static int command_help(const char *name)
{
    if (!name) {
        help_all(stdout);
        return STATUS_GOOD;
    }
    const struct command *command = find_command(name);
    if (!command)
        return help_topic(stdout, name) ? STATUS_GOOD : command_unknown(name);
    help_command(stdout, command);
    return STATUS_GOOD;
}

/* Returns `status`, or STATUS_FAILED if output could not be written (a full disk). */
static int output_finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    tell("standard output: %s", strerror(errno));
    return STATUS_FAILED;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    terminal_begin(stdout);
    if (!name) {
        help_all(stderr);
        return STATUS_USAGE;
    }
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
        return output_finish(command_help(argc > 2 ? argv[2] : NULL));
    if (!strcmp(name, "--version")) {
        printf("assay %s\n%s\n", ASSAY_VERSION, ASSAY_REGISTRY);
        return output_finish(STATUS_GOOD);
    }
    if (!strcmp(name, "generate") && argc == 3) /* used by the build */
        return help_generate(stdout, argv[2]) ? output_finish(STATUS_GOOD) : STATUS_USAGE;
    const struct command *command = find_command(name);
    if (!command)
        return command_unknown(name);
    return output_finish(command->run(argc - 1, argv + 1));
}
