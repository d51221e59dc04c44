/* Implements `assay init`, which writes a settings file to begin with. */
#include "assay/init.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "assay/run/run.h"

#define SETTINGS_FILE "vk_layer_settings.txt"

enum { OPTION_FORCE = OPTION_KEYS };

static const struct option_row options[] = {
    {OPTION_FORCE, "force", NULL, "write over a file that is there"},
    {0, NULL, NULL, NULL},
};

static const char *const examples[] = {
    "assay init",
    "vk_layer_settings.txt in this directory, where programs that are started here find it",
    "assay init - | less",
    "all settings, explained",
    NULL,
};

static int init_run(int argc, char **argv);

const struct command init_command = {
    .name = "init",
    .arguments = "[FILE] [OPTIONS]",
    .summary = "write a commented " SETTINGS_FILE,
    .text = "Writes a settings file with every setting, explained, at its default and switched "
            "off: it changes nothing until somebody takes away a \"#\". FILE is " SETTINGS_FILE
            " in this directory where none is named; \"-\" is standard output. A file that is "
            "there is left alone.\n\n",
    .options = options,
    .operands = VALUES_FILES,
    .examples = examples,
    .run = init_run,
};

struct request {
    const char *path;
    bool force;
};

/* Takes --force and one path. Returns false if there is a second path. */
static bool init_accept(void *user, int key, const char *argument)
{
    struct request *request = user;
    if (key == OPTION_FORCE) {
        request->force = true;
        return true;
    }
    if (request->path) {
        tell("one file at a time");
        return false;
    }
    request->path = argument;
    return true;
}

/* Writes the settings file; without `force` an existing file stays. Returns a STATUS_; a failure
 * has been reported. */
static int write_settings(const char *path, bool force)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL), 0666);
    if (file < 0 && errno == EEXIST) {
        tell("%s is there already; --force writes over it", path);
        return STATUS_FAILED;
    }
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    bool good = stream && fputs(settings_text, stream) >= 0;
    if ((stream && fclose(stream) != 0) || !good) {
        tell("%s: %s", path, strerror(errno));
        return STATUS_FAILED;
    }
    printf("%s is written: every setting, explained and switched off. Take away a \"#\" to set "
           "one.\n",
           path);
    return STATUS_GOOD;
}

/* Runs the command. For the path "-", settings are written to standard output. */
static int init_run(int argc, char **argv)
{
    struct request request = {0};
    if (!command_parse(&init_command, argc, argv, init_accept, &request))
        return STATUS_USAGE;
    if (!request.path)
        request.path = SETTINGS_FILE;
    if (strcmp(request.path, "-") != 0)
        return write_settings(request.path, request.force);
    fputs(settings_text, stdout);
    return STATUS_GOOD;
}
