/* Checks the layer's files, the environment, and the program, for `assay doctor`. */
#include "assay/doctor/doctor.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/run/outside.h"
#include "assay/run/privileges.h"

/* --- the layer --- */

/* Reads an ELF header. Returns false if the file cannot be read, or is too short; `header` may be
 * half filled then. */
static bool read_header(const char *path, Elf64_Ehdr *header)
{
    FILE *file = fopen(path, "re");
    bool good = file && fread(header, 1, sizeof(*header), file) == sizeof(*header);
    if (file)
        fclose(file);
    return good;
}

/* True if the header has the magic number of ELF. */
static bool is_elf(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

/* Returns the width of the file's machine in bits: "64" or "32". */
static const char *width_of(const Elf64_Ehdr *header)
{
    return header->e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32";
}

/* Returns the usual name of a machine, or "another machine". */
static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {{EM_X86_64, "x86-64"},
                 {EM_386, "x86"},
                 {EM_AARCH64, "AArch64"},
                 {EM_ARM, "ARM"},
                 {EM_RISCV, "RISC-V"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (names[i].machine == machine)
            return names[i].name;
    }
    return "another machine";
}

/* True if the library has the same machine and width as this program. (Both members are at the same
 * place in headers of either width.) */
static bool library_fits(const char *path)
{
    Elf64_Ehdr library, own;
    if (access(path, R_OK) != 0) {
        verdict(VERDICT_ERROR, "library", "%s: %s; build or install the layer again", path,
                strerror(errno));
        return false;
    }
    if (!read_header(path, &library) || !is_elf(&library)) {
        verdict(VERDICT_ERROR, "library",
                "%s is not a library (no ELF file); build or install the layer again", path);
        return false;
    }
    if (!read_header("/proc/self/exe", &own) ||
        (library.e_ident[EI_CLASS] == own.e_ident[EI_CLASS] && library.e_machine == own.e_machine))
        return true;
    verdict(VERDICT_ERROR, "library",
            "%s is for %s-bit %s, this machine's programs are %s-bit %s: the loader passes over "
            "it; install the layer for this architecture",
            path, width_of(&library), machine_name(library.e_machine), width_of(&own),
            machine_name(own.e_machine));
    return false;
}

/* True if the file is not cut. A library ends with its table of sections; to load a shorter file
 * may crash. */
static bool is_whole(const char *path)
{
    Elf64_Ehdr header;
    struct stat status;
    if (!read_header(path, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        stat(path, &status) != 0)
        return true;
    uint64_t least = header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
    if ((uint64_t)status.st_size >= least)
        return true;
    verdict(VERDICT_ERROR, "library",
            "%s is cut short: it has %lld bytes of at least %llu; build or install the layer again",
            path, (long long)status.st_size, (unsigned long long)least);
    return false;
}

/* Writes a verdict on the layer's library at this path. Runs in a child process, as the library may
 * crash. */
static void load_library(const void *user)
{
    const char *path = user;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *error = library ? NULL : dlerror();
    if (error)
        verdict(VERDICT_ERROR, "library", "%s cannot be loaded: %s; install what is missing", path,
                error);
    else if (!dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion"))
        verdict(VERDICT_ERROR, "library",
                "%s loads, but is not a Vulkan layer; build or install the layer again", path);
    else
        verdict(VERDICT_OK, "library", "%s loads", path);
}

/* The same for the library with SPIRV-Tools' validator. If that is missing, the verdict is a
 * warning, as the layer works without it. */
static void load_helper(const void *user)
{
    const char *path = user;
    if (access(path, R_OK) != 0)
        verdict(VERDICT_WARNING, "shaders",
                "%s is missing: shaders are not checked by SPIRV-Tools' validator; it belongs "
                "beside the layer's library",
                path);
    else if (!dlopen(path, RTLD_NOW | RTLD_LOCAL))
        verdict(VERDICT_WARNING, "shaders",
                "%s cannot be loaded: %s; shaders are not checked by SPIRV-Tools' validator", path,
                dlerror());
    else
        verdict(VERDICT_OK, "shaders", "%s loads", path);
}

bool doctor_layer(struct layer_place *place)
{
    char helper[PATH_MAX + 64];
    if (!layer_find(place)) {
        verdict(VERDICT_ERROR, "layer",
                "not found: " LAYER_MANIFEST " is neither in %s nor where it is built or installed "
                "with this program; install the layer",
                place->directory);
        return false;
    }
    if (!place->library[0]) {
        verdict(VERDICT_ERROR, "layer",
                "%s names no library (\"library_path\"): it is damaged; build or install "
                "the layer again",
                place->manifest);
        return false;
    }
    verdict(VERDICT_OK, "layer", LAYER_NAME ", by %s", place->manifest);
    if (!library_fits(place->library) || !is_whole(place->library))
        return false;
    doctor_apart("library", load_library, place->library);
    const char *end = strrchr(place->library, '/');
    snprintf(helper, sizeof(helper), "%.*s/libVkLayer_assay_spirv.so", (int)(end - place->library),
             place->library);
    doctor_apart("shaders", load_helper, helper);
    return true;
}

/* --- the environment --- */

/* True if a list in the form of the loader's filters has a pattern that matches the name, or that
 * means all layers or all explicit ones. */
static bool path_list_has(const char *list, const char *name)
{
    char copy[4096], *rest = copy, *pattern;
    snprintf(copy, sizeof(copy), "%s", list);
    while ((pattern = strsep(&rest, ","))) {
        if (fnmatch(pattern, name, 0) == 0 || !strcmp(pattern, "~all~") ||
            !strcmp(pattern, "~explicit~"))
            return true;
    }
    return false;
}

/* Checks VK_LOADER_LAYERS_DISABLE, and the variables that overrule it. */
static void look_at_disabling(void)
{
    const char *disabled = getenv("VK_LOADER_LAYERS_DISABLE"),
               *allowed = getenv("VK_LOADER_LAYERS_ALLOW");
    const char *enabled = getenv("VK_LOADER_LAYERS_ENABLE");
    bool forced = enabled && path_list_has(enabled, LAYER_NAME);
    if (disabled && path_list_has(disabled, LAYER_NAME) && !forced &&
        !(allowed && path_list_has(allowed, LAYER_NAME)))
        verdict(VERDICT_WARNING, "environment",
                "VK_LOADER_LAYERS_DISABLE=%s switches the layer off: unset it; assay "
                "run overrides it",
                disabled);
    else if (disabled)
        verdict(VERDICT_OK, "environment", "VK_LOADER_LAYERS_DISABLE=%s leaves the layer alone",
                disabled);
}

/* Checks VK_LAYER_PATH, which replaces all other directories. */
static void look_at_layer_path(const struct layer_place *place)
{
    const char *only = getenv("VK_LAYER_PATH");
    if (!only || !*only)
        return;
    if (strstr(only, place->directory))
        verdict(VERDICT_OK, "environment", "VK_LAYER_PATH=%s names the layer's directory", only);
    else
        verdict(VERDICT_WARNING, "environment",
                "VK_LAYER_PATH=%s: the loader looks for layers only there, and not at "
                "VK_ADD_LAYER_PATH or the system's directories; unset it, or add %s; assay run "
                "does that",
                only, place->directory);
}

/* True if the path is a manifest, or a directory with one. */
static bool has_manifest(const char *path)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
        return true;
    snprintf(pattern, sizeof(pattern), "%s/*.json", path);
    bool any = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return any;
}

/* Checks the directories in a variable, as the loader silently skips those that do not exist or
 * have no manifest. */
static void look_at_directories(const char *name)
{
    char copy[4096], *rest = copy, *path;
    const char *value = getenv(name);
    if (!value || !*value)
        return;
    snprintf(copy, sizeof(copy), "%s", value);
    while ((path = strsep(&rest, ":"))) {
        if (!*path)
            continue;
        if (access(path, F_OK) != 0)
            verdict(VERDICT_WARNING, "environment",
                    "%s names %s, which is not there: %s; correct it", name, path, strerror(errno));
        else if (!has_manifest(path))
            verdict(VERDICT_WARNING, "environment",
                    "%s names %s, which has no layer's manifest (*.json) in it; name the directory "
                    "of the manifests",
                    name, path);
    }
}

/* Checks a variable that lists files. `instead` says what the loader does with them. */
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
        verdict(VERDICT_ERROR, "environment",
                "%s names %s, which cannot be read: %s; correct or unset it", name, path,
                strerror(errno));
        missing = true;
    }
    if (!missing)
        verdict(VERDICT_OK, "environment", "%s=%s: %s", name, value, instead);
}

/* Warns of a variable that is set. `text` says what follows from it. */
static void look_at_selection(const char *name, const char *text)
{
    const char *value = getenv(name);
    if (value && *value)
        verdict(VERDICT_WARNING, "environment", "%s=%s: %s", name, value, text);
}

extern char **environ;

/* Writes the names of all variables that are settings of the layer. */
static void count_settings(void)
{
    static const char *const prefixes[] = {"VK_ASSAY_", "VK_VALIDATION_"};
    for (char **variable = environ; *variable; variable++) {
        for (size_t i = 0; i < 2; i++) {
            if (!strncmp(*variable, prefixes[i], strlen(prefixes[i])))
                verdict(VERDICT_OK, "environment", "%s: a setting, in force for every program",
                        *variable);
        }
    }
}

void doctor_environment(const struct layer_place *place)
{
    look_at_layer_path(place);
    look_at_directories("VK_LAYER_PATH");
    look_at_directories("VK_ADD_LAYER_PATH");
    look_at_disabling();
    look_at_files("VK_DRIVER_FILES", "the loader takes these drivers only");
    if (!getenv("VK_DRIVER_FILES"))
        look_at_files("VK_ICD_FILENAMES", "the loader takes these drivers only");
    look_at_selection("VK_LOADER_DRIVERS_DISABLE", "drivers are left out");
    look_at_selection("VK_LOADER_DRIVERS_SELECT", "only drivers of such names are taken");
    count_settings();
}

/* --- the program --- */

void doctor_program(const char *name)
{
    char path[PATH_MAX];
    Elf64_Ehdr program, own;
    struct stat status;
    const char *privileges;
    if (!program_find(name, path)) {
        verdict(VERDICT_ERROR, "program", "%s: there is no such program%s", name,
                outside_hint(name, ENOENT));
        return;
    }
    if (access(path, X_OK) != 0 || stat(path, &status) != 0) {
        verdict(VERDICT_ERROR, "program", "%s cannot be run: %s", path, strerror(errno));
        return;
    }
    if (!read_header(path, &program) || !is_elf(&program))
        verdict(VERDICT_OK, "program",
                "%s is a script, or for another system: ask again with what it starts", path);
    else if (read_header("/proc/self/exe", &own) &&
             (program.e_ident[EI_CLASS] != own.e_ident[EI_CLASS] ||
              program.e_machine != own.e_machine))
        verdict(VERDICT_ERROR, "program",
                "%s is a %s-bit %s program, and the layer is for %s-bit %s: the loader passes over "
                "it; build the program for %s-bit %s",
                path, width_of(&program), machine_name(program.e_machine), width_of(&own),
                machine_name(own.e_machine), width_of(&own), machine_name(own.e_machine));
    else if ((privileges = program_privileges(path)))
        verdict(VERDICT_WARNING, "program",
                "%s runs with raised privileges (%s): the loader takes no layers from the "
                "environment then; run a copy without these rights",
                path, privileges);
    else
        verdict(VERDICT_OK, "program", "%s is a %s-bit %s program", path, width_of(&program),
                machine_name(program.e_machine));
}
