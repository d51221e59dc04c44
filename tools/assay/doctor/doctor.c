/* Implements `assay doctor`, which checks whether a program can run under the layer, and finds what
 * prevents that. */
#include "assay/doctor/doctor.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/report/report.h"
#include "assay/run/run.h"
#include "assay/run/terminal.h"

#define TEXT_INDENT 22 /* the column in which the text of a verdict begins */

static const struct option_row options[] = {{0, NULL, NULL, NULL}};

static const struct note_row statuses[] = {
    {"0", "where there is no error; warnings are not errors"},
    {"1", "where there is one"},
    {"2", "where the command line is wrong"},
    {NULL, NULL},
};

static int doctor_run(int argc, char **argv);

const struct command doctor_command = {
    .name = "doctor",
    .arguments = "[PROGRAM]",
    .summary = "look whether loader, driver and layer fit, and say what is in the way",
    .text = "Looks at the files of the layer, the Vulkan loader, the drivers, the environment and "
            "the settings file in force, and makes an instance with the layer; and at PROGRAM, "
            "where one is named. One line each: ok, warning or error, and what to do.\n\n",
    .options = options,
    .operands = VALUES_COMMAND,
    .statuses = statuses,
    .run = doctor_run,
};

static enum verdict worst;

enum verdict verdict_worst(void)
{
    return worst;
}

void verdict(enum verdict verdict, const char *what, const char *format, ...)
{
    static const char *const names[] = {"ok", "warning", "error"};
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    printf("%-8s %-12s ", names[verdict], what);
    if (vasprintf(&text, format, arguments) >= 0) {
        write_wrapped(stdout, text, TEXT_INDENT);
        free(text);
    } else {
        fputs("memory is out", stdout);
    }
    putchar('\n');
    va_end(arguments);
    if (verdict > worst)
        worst = verdict;
}

void doctor_apart(const char *what, void (*work)(const void *user), const void *user)
{
    int status = 0;
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        worst = VERDICT_OK;
        work(user);
        fflush(NULL);
        _exit((int)worst);
    }
    if (process < 0 || waitpid(process, &status, 0) != process)
        verdict(VERDICT_ERROR, what, "could not be looked at: no process can be started");
    else if (WIFSIGNALED(status))
        verdict(VERDICT_ERROR, what,
                "crashed by signal %d (%s); a driver or another layer may be at fault: try with "
                "VK_LOADER_LAYERS_DISABLE=~implicit~, and another driver",
                WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) > (int)VERDICT_ERROR)
        verdict(VERDICT_ERROR, what, "ended the process with status %d", WEXITSTATUS(status));
    else if ((enum verdict)WEXITSTATUS(status) > worst)
        worst = (enum verdict)WEXITSTATUS(status);
}

unsigned doctor_distance(const char *word, size_t length, const char *other)
{
    unsigned row[128];
    size_t width = strlen(other);
    if (width >= sizeof(row) / sizeof(*row))
        return UINT_MAX;
    for (size_t j = 0; j <= width; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= length; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= width; j++) {
            unsigned replaced = diagonal + (word[i - 1] != other[j - 1]), added = row[j - 1] + 1,
                     left_out = row[j] + 1;
            diagonal = row[j];
            row[j] = replaced < added ? replaced : added;
            row[j] = row[j] < left_out ? row[j] : left_out;
        }
    }
    return row[width];
}

/* Takes the only operand, a program. Returns false if there is a second one. */
static bool doctor_accept(void *user, int key, const char *argument)
{
    const char **program = user;
    (void)key;
    if (*program) {
        tell("doctor looks at one program, not at \"%s\" as well", argument ? argument : "");
        return false;
    }
    *program = argument;
    return true;
}

/* Runs the command. Returns STATUS_FAILED if one of the verdicts is an error. */
static int doctor_run(int argc, char **argv)
{
    struct layer_place place;
    const char *program = NULL;
    if (!command_parse(&doctor_command, argc, argv, doctor_accept, &program))
        return STATUS_USAGE;
    terminal_begin(stdout);
    bool found = doctor_layer(&place);
    if (program)
        doctor_program(program);
    doctor_environment(&place);
    doctor_settings();
    doctor_vulkan(found ? &place : NULL);
    return verdict_worst() == VERDICT_ERROR ? STATUS_FAILED : STATUS_GOOD;
}
