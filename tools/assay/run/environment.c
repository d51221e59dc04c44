/* Finds the layer, and sets the variables that switch it on. */
#include "assay/run/environment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/store/json.h"

/* Directories of manifests, relative to that of this program: copied together, in the build tree,
 * and installed. */
static const char *const places[] = {".", "../../src", "../share/vulkan/explicit_layer.d",
                                     "../../share/vulkan/explicit_layer.d"};

static bool environment_join(char path[PATH_MAX], const char *directory, const char *name)
{
    int length = name[0] == '/' ? snprintf(path, PATH_MAX, "%s", name)
                                : snprintf(path, PATH_MAX, "%s/%s", directory, name);
    return length > 0 && length < PATH_MAX;
}

static void read_library(struct layer_place *place)
{
    struct json_object *document = json_object_from_file(place->manifest);
    const char *path = json_text(json_object_object_get(document, "layer"), "library_path");
    char whole[PATH_MAX];
    place->library[0] = 0;
    if (path && strchr(path, '/') && environment_join(whole, place->directory, path) &&
        !realpath(whole, place->library))
        /* the file is missing, which is reported with this name */
        snprintf(place->library, PATH_MAX, "%s", whole);
    json_object_put(document);
}

bool layer_find(struct layer_place *place)
{
    char here[PATH_MAX], directory[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof(here) - 1);
    *place = (struct layer_place){0};
    if (length <= 0)
        return false;
    here[length] = 0;
    *strrchr(here, '/') = 0;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        if (!environment_join(directory, here, places[i]) ||
            !realpath(directory, place->directory) ||
            !environment_join(place->manifest, place->directory, LAYER_MANIFEST) ||
            access(place->manifest, R_OK) != 0)
            continue;
        read_library(place);
        return true;
    }
    snprintf(place->directory, PATH_MAX, "%s", here);
    place->manifest[0] = 0;
    return false;
}

/* Inserts `first` and the separator at the beginning of a variable's value. */
static void put_in_front(const char *name, const char *first, char separator)
{
    const char *was = getenv(name);
    char *text = NULL;
    if (!was || !*was)
        setenv(name, first, 1);
    else if (asprintf(&text, "%s%c%s", first, separator, was) > 0)
        setenv(name, text, 1);
    free(text);
}

void environment_set(const char *key, const char *value)
{
    char name[128] = "VK_ASSAY_";
    size_t length = strlen(name);
    for (; *key && length + 1 < sizeof(name); key++)
        name[length++] = (char)toupper((unsigned char)*key);
    name[length] = 0;
    setenv(name, value, 1);
}

bool khronos_manifest_write(const struct layer_place *place, const char *path)
{
    struct json_object *document = json_object_from_file(place->manifest);
    const char *version = json_text(json_object_object_get(document, "layer"), "api_version");
    FILE *file = fopen(path, "we");
    if (file)
        fprintf(file,
                "{\"file_format_version\": \"1.1.1\", \"layer\": {\"name\": \"" KHRONOS_NAME
                "\", \"type\": \"GLOBAL\", \"api_version\": \"%s\", \"implementation_version\": "
                "\"1\", \"description\": \"Assay, under the name of the Khronos validation "
                "layer\", \"component_layers\": [\"" LAYER_NAME "\"]}}\n",
                version ? version : "1.3.0");
    json_object_put(document);
    return file && fclose(file) == 0;
}

void environment_enable(const struct layer_place *place, const char *layers, const char *findings)
{
    put_in_front("VK_ADD_LAYER_PATH", place->directory, ':');
    if (layers)
        put_in_front("VK_ADD_LAYER_PATH", layers, ':');
    /* if it is set, the loader looks at no other directories */
    const char *only = getenv("VK_LAYER_PATH");
    if (only && *only) {
        put_in_front("VK_LAYER_PATH", place->directory, ':');
        if (layers)
            put_in_front("VK_LAYER_PATH", layers, ':');
    }
    /* VK_INSTANCE_LAYERS is for loaders before 1.3.234. With both variables, the layer is loaded
     * once. */
    put_in_front("VK_INSTANCE_LAYERS", LAYER_NAME, ':');
    put_in_front("VK_LOADER_LAYERS_ENABLE", LAYER_NAME, ',');
    const char *allowed = getenv("VK_LOADER_LAYERS_ALLOW");
    if (allowed && *allowed)
        put_in_front("VK_LOADER_LAYERS_ALLOW", LAYER_NAME, ',');
    environment_set("json_filename", findings);
    if (!getenv("VK_ASSAY_LOG_FILENAME") && !getenv("VK_VALIDATION_LOG_FILENAME"))
        environment_set("log_filename", "/dev/null"); /* the tool itself reports findings */
}

#define SETTINGS(...)     \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }

static const struct preset presets[] = {
    {"standard", NULL, SETTINGS("validate_core", "true")},
    {"light", "reduced overhead",
     SETTINGS("check_shaders", "false", "thread_safety", "false", "unique_handles", "false")},
    {"sync", "synchronization", SETTINGS("validate_sync", "true")},
    {"gpu", "gpu assisted", SETTINGS("gpuav_enable", "true")},
    /* for the option --safe */
    {"safe", NULL, SETTINGS("gpuav_enable", "true", "gpuav_safe_mode", "true")},
    {"practices", "best practices",
     SETTINGS("validate_best_practices", "true", "validate_best_practices_redundant", "true",
              "validate_sync", "true", "report_flags", "error,warn,perf")},
    {"printf", "debug printf", SETTINGS("printf_only_preset", "true")},
    {"prints", NULL, SETTINGS("printf_enable", "true")}, /* for the option --printf */
    {"threads", "thread safety",
     SETTINGS("validate_core", "false", "stateless_param", "false", "object_lifetime", "false",
              "validate_sync", "false", "gpuav_enable", "false", "thread_safety", "true",
              "thread_safety_hold", "often")},
    {"all", NULL,
     SETTINGS("validate_sync", "true", "gpuav_enable", "true", "printf_enable", "true",
              "validate_best_practices", "true", "report_flags", "error,warn,perf")},
};
#define PRESETS (sizeof(presets) / sizeof(*presets))

static bool same_name(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        bool gap_a = strchr("-_ ", *a) != NULL, gap_b = strchr("-_ ", *b) != NULL;
        if (gap_a != gap_b || (!gap_a && tolower((unsigned char)*a) != tolower((unsigned char)*b)))
            return false;
    }
    return !*a && !*b;
}

const struct preset *preset_find(const char *name)
{
    for (size_t i = 0; i < PRESETS; i++) {
        if (same_name(presets[i].name, name) ||
            (presets[i].other_name && same_name(presets[i].other_name, name)))
            return &presets[i];
    }
    return NULL;
}

void preset_apply(const struct preset *preset)
{
    for (const char *const *pair = preset->settings; *pair; pair += 2)
        environment_set(pair[0], pair[1]);
}

const char *preset_names(void)
{
    static char text[256];
    size_t length = 0;
    for (size_t i = 0; i < PRESETS; i++)
        length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", i ? ", " : "",
                                   presets[i].name);
    return text;
}
