/* `assay doctor`: which settings file is in force, and what in it does not do what somebody meant? */
#include "doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "init.h"

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

/* --- its lines --- */

/* A line without blanks at both ends, in two parts: what is in front of "=", and what is behind it (NULL: there is none). */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}

static bool is_prefix(const char *key, size_t length)
{
    static const char *const prefixes[] = {"assay", "khronos_validation", "lunarg_core_validation"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        if (strlen(prefixes[i]) == length && !strncmp(key, prefixes[i], length))
            return true;
    }
    return false;
}

/* One of the layer's settings? Of each, settings_text has a line "#assay.NAME = DEFAULT". */
static bool is_setting(const char *name)
{
    char line[256];
    snprintf(line, sizeof(line), "\n#assay.%s =", name);
    return *name && strstr(settings_text, line);
}

/* True: a line of this layer. Other layers' settings stand in the same file, and are not judged; what is wrong with a value, the
 * layer itself tells when the instance is tried. */
static bool look_at_line(const char *path, unsigned number, char *line)
{
    char *key = trim(line), *value = strchr(key, '=');
    if (!*key || *key == '#')
        return false;
    if (value) {
        *value = 0;
        value = trim(value + 1);
        key = trim(key);
    }
    const char *dot = strrchr(key, '.'), *name = dot ? dot + 1 : key;
    bool ours = dot && is_prefix(key, (size_t)(dot - key));
    if (!value)
        verdict(VERDICT_WARNING, "settings", "%s:%u: \"%s\" is not \"key = value\": the line does nothing", path,
                number, key);
    else if (!dot && is_setting(name))
        verdict(VERDICT_WARNING, "settings", "%s:%u: %s has no prefix and does nothing: write assay.%s", path, number,
                key, name);
    else if (dot && !ours && is_setting(name) && doctor_distance(key, (size_t)(dot - key), "assay") <= 2)
        verdict(VERDICT_WARNING, "settings", "%s:%u: no layer reads \"%.*s.\": write assay.%s", path, number,
                (int)(dot - key), key, name);
    return ours;
}

static void tell_settings(const char *path, const char *why)
{
    char line[4096];
    unsigned count = 0, number = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file))
        count += look_at_line(path, ++number, line);
    if (file)
        fclose(file);
    verdict(VERDICT_OK, "settings", "%s is in force (%s): it sets %u of the layer's settings", path, why, count);
}

/* The layer's own order (src/settings/load.c): one file only. */
void doctor_settings(void)
{
    char path[PATH_MAX + 64];
    const char *named = getenv("VK_LAYER_SETTINGS_PATH"), *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (named && *named) {
        snprintf(path, sizeof(path), "%s/vk_layer_settings.txt", named);
        if (is_file(path) || is_file(named))
            tell_settings(is_file(path) ? path : named, "VK_LAYER_SETTINGS_PATH");
        else
            verdict(VERDICT_ERROR, "settings",
                    "VK_LAYER_SETTINGS_PATH=%s: no settings file can be read there, and no other is looked for; "
                    "correct or unset it",
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
        snprintf(path, sizeof(path), "%s/.local/share/vulkan/settings.d/vk_layer_settings.txt", home ? home : "");
    if (is_file(path))
        tell_settings(path, "the user's; configurators write it");
    else
        verdict(VERDICT_OK, "settings", "no vk_layer_settings.txt is in force in this directory; assay init writes one");
}
