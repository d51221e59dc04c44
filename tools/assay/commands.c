/* Lists the commands, and reads a command line. */
#include "assay/command.h"

#include <argp.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "assay/run/environment.h"
#include "assay/report/report.h"
#include "assay/run/run.h"

const struct command *const commands[] = {&run_command,  &report_command, &validate_command,
                                          &init_command, &doctor_command, NULL};

#define OPTIONS_MOST 64

void tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("assay: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

struct parse {
    const struct command *command;
    bool (*accept)(void *user, int key, const char *argument);
    void *user;
    bool failed;
};

/* argp calls this with each option and operand. After a failure the rest is ignored. */
static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == '?') {
        help_command(stdout, parse->command);
        exit(STATUS_GOOD);
    }
    bool option = key > 0 && key < 0x1000000; /* (argp has its own keys from there on) */
    if (option &&
        (key >= OPTION_KEYS || strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", key)))
        parse->failed |= !parse->accept(parse->user, key, argument);
    else if (key == ARGP_KEY_ARG)
        parse->failed |= !parse->accept(parse->user, 0, argument);
    else
        return ARGP_ERR_UNKNOWN;
    if (!parse->failed)
        return 0;
    state->next = state->argc;
    return 0;
}

/* True if the word after `before` is its argument. */
static bool is_argument(const struct command *command, const char *before)
{
    const bool is_long = !strncmp(before, "--", 2);
    if (before[0] != '-' || !before[1] || strchr(before, '='))
        return false;
    for (const struct option_row *row = command->options; row && row->key; row++) {
        const bool same = is_long ? row->name && !strcmp(row->name, before + 2)
                                  : before[1] == row->key && !before[2];
        if (same)
            return row->argument && !option_is_optional(row);
    }
    return false;
}

/* Returns the option that the user probably meant; NULL: there is none. */
static const char *nearest_option(const struct command *command, const char *name, size_t length)
{
    const char *nearest = NULL;
    unsigned best = UINT_MAX;
    for (const struct option_row *row = command->options; row && row->key; row++) {
        const unsigned distance = row->name ? name_distance(name, length, row->name) : UINT_MAX;
        if (distance < best) {
            best = distance;
            nearest = row->name;
        }
    }
    return nearest;
}

/* Reports a long option that does not exist, and returns false then. (The beginning of a name is
 * accepted.) */
static bool know_options(const struct command *command, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *name = argv[i] + 2;
        if (strncmp(argv[i], "--", 2) != 0 || is_argument(command, argv[i - 1]))
            continue;
        const size_t length = strcspn(name, "=");
        bool known = !strncmp(name, "help", length);
        for (const struct option_row *row = command->options; row && row->key; row++)
            known |= row->name && !strncmp(name, row->name, length);
        if (known)
            continue;
        const char *nearest = nearest_option(command, name, length);
        tell("unrecognized option '--%.*s'; %s%s%sassay %s --help lists all", (int)length, name,
             nearest ? "the nearest is --" : "", nearest ? nearest : "", nearest ? "; " : "",
             command->name);
        return false;
    }
    return true;
}

bool command_parse(const struct command *command, int argc, char **argv,
                   bool (*accept)(void *user, int key, const char *argument), void *user)
{
    struct argp_option options[OPTIONS_MOST + 2] = {{0}};
    size_t count = 0;
    for (const struct option_row *row = command->options; row && row->key && count < OPTIONS_MOST;
         row++) {
        if (row->name)
            options[count++] =
                (struct argp_option){.name = row->name,
                                     .key = row->key,
                                     .arg = row->argument,
                                     .flags = option_is_optional(row) ? OPTION_ARG_OPTIONAL : 0};
    }
    options[count] = (struct argp_option){.name = "help", .key = '?'};
    const struct argp argp = {.options = options, .parser = parse_one};
    struct parse parse = {command, accept, user, false};
    if (!know_options(command, argc, argv))
        return false;
    char name[64];
    snprintf(name, sizeof(name), "assay %s", command->name);
    program_invocation_name = program_invocation_short_name = name;
    argv[0] = name;
    /* (argp's own messages are good; its --help would not be the one of our table.) */
    error_t error = argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_EXIT, NULL, &parse);
    program_invocation_name = program_invocation_short_name = (char *)"assay";
    return !error && !parse.failed;
}
