/* Finds the settings file, and reads the sources of settings in their order. */
#include "settings/table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/string_builder.h"

/* The most bytes that are read of a file. Settings files are much shorter, but the path may be of
 * another file. */
#define FILE_LIMIT (1u << 20)

extern char **environ;

/* Reads a regular file into memory that the caller frees, and that has one more byte for a final 0.
 * NULL: the file cannot be read, and `*why` is the reason; `*why` is NULL if there is no such
 * file. */
static char *read_file(const char *path, size_t *length, const char **why)
{
    /* O_NONBLOCK: without it a FIFO without a writer would block the program. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *why = file < 0 && errno != ENOENT && errno != ENOTDIR ? strerror(errno) : NULL;
    if (file < 0)
        return NULL;
    struct stat status;
    char *bytes = NULL;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0 &&
        status.st_size <= FILE_LIMIT)
        bytes = mem_alloc((size_t)status.st_size + 1);
    else
        *why = "it is not a file of at most 1 MiB";
    *length = 0;
    while (bytes && *length < (size_t)status.st_size) {
        ssize_t got = read(file, bytes + *length, (size_t)status.st_size - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        /* The file may become shorter meanwhile; then the result is shorter. */
        *length += (size_t)got;
    }
    close(file);
    return bytes;
}

/* Reads a settings file. Returns false if there is none, or it cannot be read; the latter adds a
 * diagnostic. */
static bool try_file(struct settings *settings, const char *path,
                     struct settings_diagnostics *diagnostics)
{
    size_t length;
    const char *why;
    char *bytes = read_file(path, &length, &why);
    if (!bytes && why)
        diagnostics_add(diagnostics, "%s is not read: %s", path, why);
    if (!bytes)
        return false;
    settings_read_text(settings, bytes, length, path, diagnostics);
    mem_free(bytes);
    return true;
}

/* Reads vk_layer_settings.txt in the directory `start``middle`. False: there is no such file. */
static bool try_directory(struct settings *settings, const char *start, const char *middle,
                          struct settings_diagnostics *diagnostics)
{
    char buffer[512];
    struct string_builder path;
    string_builder_begin(&path, buffer, sizeof(buffer));
    string_builder_format(&path, "%s%s/%s", start, middle, SETTINGS_FILE_NAME);
    bool found = try_file(settings, path.text, diagnostics);
    string_builder_end(&path);
    return found;
}

/* Adds a diagnostic if the directory of the program's executable has a settings file for this
 * layer. It is called if no other file was found, since the user probably meant that one. */
static void look_beside_program(struct settings_diagnostics *diagnostics)
{
    char path[PATH_MAX];
    /* Room is left for the file's name; readlink() does not write a 0 at the end. */
    ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - sizeof(SETTINGS_FILE_NAME));
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return;
    memcpy(slash + 1, SETTINGS_FILE_NAME, sizeof(SETTINGS_FILE_NAME));
    size_t size;
    const char *why;
    char *bytes = read_file(path, &size, &why);
    if (bytes)
        bytes[size] = '\0';
    if (bytes && (strstr(bytes, "assay.") || strstr(bytes, "assay_validation.") ||
                  strstr(bytes, "khronos_validation.")))
        diagnostics_add(diagnostics,
                        "%s is not read, since the program runs in another directory; "
                        "VK_LAYER_SETTINGS_PATH=%.*s makes the layer read it",
                        path, (int)(slash - path), path);
    mem_free(bytes);
}

/* Reads the settings file of the working directory. False: there is none. A setting from it is
 * `local`, unless a stronger source sets it later. */
static bool try_working_directory(struct settings *settings,
                                  struct settings_diagnostics *diagnostics)
{
    bool given[SETTING_COUNT];
    memcpy(given, settings->given, sizeof(given));
    memset(settings->given, 0, sizeof(settings->given));
    const bool found = try_file(settings, SETTINGS_FILE_NAME, diagnostics);
    /* Only settings of this file are `local`: `given` was empty before. */
    memcpy(settings->local, settings->given, sizeof(settings->local));
    for (size_t i = 0; i < SETTING_COUNT; i++)
        settings->given[i] |= given[i];
    return found;
}

/* Reads the environment. Settings from it are not `local`, even if the file of the working
 * directory has them. */
static void read_environment(struct settings *settings, struct settings_diagnostics *diagnostics)
{
    bool given[SETTING_COUNT];
    memcpy(given, settings->given, sizeof(given));
    /* `given` is emptied, to see which settings the environment gives. */
    memset(settings->given, 0, sizeof(settings->given));
    settings_read_environment(settings, environ, diagnostics);
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        settings->local[i] &= !settings->given[i];
        settings->given[i] |= given[i];
    }
}

/* Reads one settings file. That is the file that VK_LAYER_SETTINGS_PATH names (or is in the
 * directory that it names), else the working directory's, else the user's, which vkconfig
 * writes. */
static void read_settings_file(struct settings *settings, struct settings_diagnostics *diagnostics)
{
    /* With secure_getenv() a program with more rights than its user does not read the user's
     * files. */
    const char *path = secure_getenv("VK_LAYER_SETTINGS_PATH");
    if (path && *path) {
        if (!try_directory(settings, path, "", diagnostics) &&
            !try_file(settings, path, diagnostics))
            diagnostics_add(diagnostics,
                            "environment: VK_LAYER_SETTINGS_PATH is \"%s\", where no settings file "
                            "can be read",
                            path);
        return;
    }
    if (try_working_directory(settings, diagnostics))
        return;
    const char *data = secure_getenv("XDG_DATA_HOME");
    const char *home = secure_getenv("HOME");
    bool found = false;
    if (data && *data)
        found = try_directory(settings, data, "/vulkan/settings.d", diagnostics);
    else if (home && *home)
        found = try_directory(settings, home, "/.local/share/vulkan/settings.d", diagnostics);
    if (!found)
        look_beside_program(diagnostics);
}

void settings_load(struct settings *settings, const VkInstanceCreateInfo *info,
                   struct settings_diagnostics *diagnostics)
{
    *diagnostics = (struct settings_diagnostics){0};
    settings_defaults(settings);
    if (info)
        settings_read_create_info(settings, info, diagnostics);
    /* A program with more rights than its user (setuid) must not depend on the user's files and
     * variables. */
    if (!getauxval(AT_SECURE)) {
        read_settings_file(settings, diagnostics);
        read_environment(settings, diagnostics);
    }
    settings_conclude(settings);
}
