/* Shows which settings file the layer reads, and finds lines in it that have no effect, for `assay
 * doctor`. */
#include "assay/doctor/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* True if the path is a regular file that this user can read. */
static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

/* --- its lines --- */

/* Removes blanks at both ends of a text, in place. */
static char *doctor_settings_trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}

/* True for a prefix of this layer's settings in a file. */
static bool is_prefix(const char *key, size_t length)
{
    static const char *const prefixes[] = {"assay", "assay_validation", "khronos_validation",
                                           "lunarg_core_validation"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        if (strlen(prefixes[i]) == length && !strncmp(key, prefixes[i], length))
            return true;
    }
    return false;
}

/* True if the text before the line's first dot is a prefix of this layer's settings. */
static bool begins_with_prefix(const char *line)
{
    const char *dot = strchr(line, '.');
    return dot && is_prefix(line, (size_t)(dot - line));
}

/* Checks a line; returns true if it is a setting of this layer. Other layers' settings may be in
 * the same file, and are ignored. The layer itself reports mistakes in its settings when
 * try_layer() makes an instance. */
static bool look_at_line(const char *path, unsigned number, char *line)
{
    char *key = doctor_settings_trim(line), *value = strchr(key, '=');
    if (!*key || *key == '#')
        return false;
    if (!value && !begins_with_prefix(key))
        verdict(VERDICT_WARNING, "settings",
                "%s:%u: \"%s\" is not \"key = value\": the line does nothing", path, number, key);
    return begins_with_prefix(key);
}

/* Reports the settings file that the layer reads. `why` says why it is this one. */
static void tell_settings(const char *path, const char *why)
{
    char line[4096];
    unsigned count = 0, number = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file))
        count += look_at_line(path, ++number, line);
    if (file)
        fclose(file);
    verdict(VERDICT_OK, "settings", "%s is in force (%s): it sets %u of the layer's settings", path,
            why, count);
}

/* Looks for the one settings file that the layer reads, in the layer's own order
 * (src/settings/load.c). */
void doctor_settings(void)
{
    char path[PATH_MAX + 64];
    const char *named = getenv("VK_LAYER_SETTINGS_PATH"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    if (named && *named) {
        snprintf(path, sizeof(path), "%s/vk_layer_settings.txt", named);
        if (is_file(path) || is_file(named))
            tell_settings(is_file(path) ? path : named, "VK_LAYER_SETTINGS_PATH");
        else
            verdict(VERDICT_ERROR, "settings",
                    "VK_LAYER_SETTINGS_PATH=%s: no settings file can be read there, and no other "
                    "is looked for; correct or unset it",
                    named);
        return;
    }
    if (is_file("vk_layer_settings.txt")) {
        tell_settings("vk_layer_settings.txt", "it is in this directory");
        return;
    }
    if (data && *data)
        snprintf(path, sizeof(path), "%s/vulkan/settings.d/vk_layer_settings.txt", data);
    else
        snprintf(path, sizeof(path), "%s/.local/share/vulkan/settings.d/vk_layer_settings.txt",
                 home ? home : "");
    if (is_file(path))
        tell_settings(path, "the user's; configurators write it");
    else
        verdict(VERDICT_OK, "settings",
                "no vk_layer_settings.txt is in force in this directory; assay init writes one");
}
