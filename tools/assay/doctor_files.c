/* `assay doctor`: the layer's files, the environment and the settings file. */
#include "doctor.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the layer --- */

static bool read_header(const char *path, Elf64_Ehdr *header)
{
    FILE *file = fopen(path, "re");
    bool good = file && fread(header, 1, sizeof(*header), file) == sizeof(*header);
    if (file)
        fclose(file);
    return good;
}

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{EM_X86_64, "x86-64"}, {EM_386, "x86"}, {EM_AARCH64, "AArch64"}, {EM_ARM, "ARM"}, {EM_RISCV, "RISC-V"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (names[i].machine == machine)
            return names[i].name;
    }
    return "another machine";
}

/* Is it a library for programs like this one? (Both classes have class and machine at the same place.) */
static bool fits(const char *path)
{
    Elf64_Ehdr library, own;
    if (access(path, R_OK) != 0) {
        verdict(VERDICT_ERROR, "library", "%s: %s; build or install the layer again", path, strerror(errno));
        return false;
    }
    if (!read_header(path, &library) || memcmp(library.e_ident, ELFMAG, SELFMAG) != 0) {
        verdict(VERDICT_ERROR, "library", "%s is no library (no ELF file); build or install the layer again", path);
        return false;
    }
    if (!read_header("/proc/self/exe", &own) ||
        (library.e_ident[EI_CLASS] == own.e_ident[EI_CLASS] && library.e_machine == own.e_machine))
        return true;
    verdict(VERDICT_ERROR, "library",
            "%s is for %s-bit %s, this machine's programs are %s-bit %s: the loader passes over it; install the layer "
            "for this architecture",
            path, library.e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32", machine_name(library.e_machine),
            own.e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32", machine_name(own.e_machine));
    return false;
}

static void load_library(const void *user)
{
    const char *path = user;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *error = library ? NULL : dlerror();
    if (error)
        verdict(VERDICT_ERROR, "library", "%s cannot be loaded: %s; install what is missing", path, error);
    else if (!dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion"))
        verdict(VERDICT_ERROR, "library", "%s loads, but is no Vulkan layer; build or install the layer again", path);
    else
        verdict(VERDICT_OK, "library", "%s loads", path);
}

static void load_helper(const void *user)
{
    const char *path = user;
    if (access(path, R_OK) != 0)
        verdict(VERDICT_WARNING,
                "shaders", "%s is missing: shaders are not checked by SPIRV-Tools' validator; it belongs beside the layer's library",
                path);
    else if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
        verdict(VERDICT_WARNING, "shaders",
                "%s cannot be loaded: %s; shaders are not checked by SPIRV-Tools' validator", path, dlerror());
    else
        verdict(VERDICT_OK, "shaders", "%s loads", path);
}

bool doctor_layer(struct layer_place *place)
{
    char helper[PATH_MAX + 64];
    if (!layer_find(place)) {
        verdict(VERDICT_ERROR, "layer",
                "not found: " LAYER_MANIFEST
                " is neither in %s nor where it is built or installed with this program; install the layer",
                place->directory);
        return false;
    }
    if (!place->library[0]) {
        verdict(VERDICT_ERROR, "layer",
                "%s names no library (\"library_path\"): it is damaged; build or install the layer again",
                place->manifest);
        return false;
    }
    verdict(VERDICT_OK, "layer", LAYER_NAME ", by %s", place->manifest);
    if (!fits(place->library))
        return false;
    doctor_apart("library", load_library, place->library);
    const char *end = strrchr(place->library, '/');
    snprintf(helper, sizeof(helper), "%.*s/libVkLayer_assay_spirv.so", (int)(end - place->library), place->library);
    doctor_apart("shaders", load_helper, helper);
    return true;
}

/* --- the environment --- */

static bool lists(const char *list, const char *name)
{
    char copy[4096], *rest = copy, *pattern;
    snprintf(copy, sizeof(copy), "%s", list);
    while ((pattern = strsep(&rest, ","))) {
        if (fnmatch(pattern, name, 0) == 0 || !strcmp(pattern, "~all~") || !strcmp(pattern, "~explicit~"))
            return true;
    }
    return false;
}

static void look_at_disabling(void)
{
    const char *disabled = getenv("VK_LOADER_LAYERS_DISABLE"), *allowed = getenv("VK_LOADER_LAYERS_ALLOW");
    const char *enabled = getenv("VK_LOADER_LAYERS_ENABLE");
    bool forced = enabled && lists(enabled, LAYER_NAME);
    if (disabled && lists(disabled, LAYER_NAME) && !forced && !(allowed && lists(allowed, LAYER_NAME)))
        verdict(VERDICT_WARNING, "environment",
                "VK_LOADER_LAYERS_DISABLE=%s switches the layer off: unset it; assay run overrides it", disabled);
    else if (disabled)
        verdict(VERDICT_OK, "environment", "VK_LOADER_LAYERS_DISABLE=%s leaves the layer alone", disabled);
}

static void look_at_layer_path(const struct layer_place *place)
{
    const char *only = getenv("VK_LAYER_PATH");
    if (!only || !*only)
        return;
    if (strstr(only, place->directory))
        verdict(VERDICT_OK, "environment", "VK_LAYER_PATH=%s names the layer's directory", only);
    else
        verdict(VERDICT_WARNING, "environment",
                "VK_LAYER_PATH=%s: the loader looks for layers only there, and not at VK_ADD_LAYER_PATH or the "
                "system's directories; unset it, or add %s; assay run does that",
                only, place->directory);
}

static void look_at_files(const char *name, const char *instead)
{
    char copy[4096], *rest = copy, *path;
    const char *value = getenv(name);
    bool missing = false;
    if (!value || !*value)
        return;
    snprintf(copy, sizeof(copy), "%s", value);
    while ((path = strsep(&rest, ":"))) {
        if (!*path || access(path, R_OK) == 0)
            continue;
        verdict(VERDICT_ERROR, "environment", "%s names %s, which cannot be read: %s; correct or unset it", name, path,
                strerror(errno));
        missing = true;
    }
    if (!missing)
        verdict(VERDICT_OK, "environment", "%s=%s: %s", name, value, instead);
}

static void look_at_selection(const char *name, const char *text)
{
    const char *value = getenv(name);
    if (value && *value)
        verdict(VERDICT_WARNING, "environment", "%s=%s: %s", name, value, text);
}

extern char **environ;

static void count_settings(void)
{
    static const char *const prefixes[] = {"VK_ASSAY_", "VK_VALIDATION_"};
    for (char **variable = environ; *variable; variable++) {
        for (size_t i = 0; i < 2; i++) {
            if (!strncmp(*variable, prefixes[i], strlen(prefixes[i])))
                verdict(VERDICT_OK, "environment", "%s: a setting, in force for every program", *variable);
        }
    }
}

void doctor_environment(const struct layer_place *place)
{
    look_at_layer_path(place);
    look_at_disabling();
    look_at_files("VK_DRIVER_FILES", "the loader takes these drivers only");
    if (!getenv("VK_DRIVER_FILES"))
        look_at_files("VK_ICD_FILENAMES", "the loader takes these drivers only");
    look_at_selection("VK_LOADER_DRIVERS_DISABLE", "drivers are left out");
    look_at_selection("VK_LOADER_DRIVERS_SELECT", "only drivers of such names are taken");
    count_settings();
}

/* --- the settings file --- */

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
}

static void tell_settings(const char *path, const char *why)
{
    char line[4096];
    unsigned count = 0;
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof(line), file)) {
        const char *text = line + strspn(line, " \t");
        count += !strncmp(text, "assay.", 6) || !strncmp(text, "khronos_validation.", 19);
    }
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
