/* Implements `assay validate`, which has the layer check shaders without a program that uses
 * them. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/validate/assemble.h"
#include "assay/command.h"
#include "assay/report/findings.h"
#include "assay/validate/offline_device.h"
#include "assay/report/report.h"
#include "assay/run/run.h"
#include "assay/run/stream.h"
#include "assay/run/terminal.h"

enum option { OPTION_API = OPTION_KEYS, OPTION_PROFILE, OPTION_DEVICE, OPTION_JSON };

static const struct option_row options[] = {
    {1, NULL, NULL, "the device; one of"},
    {OPTION_DEVICE, "device", "NAME",
     "a device of this machine that has NAME in its name; without an option: the first one"},
    {OPTION_PROFILE, "profile", "FILE",
     "a device as a JSON profile describes it: what vulkaninfo --json writes, or a profile of "
     "somebody else's",
     VALUES_PROFILES},
    {OPTION_API, "api", "VERSION",
     "every feature of Vulkan 1.0, 1.1, 1.2, 1.3 or 1.4, no extension, and limits that "
     "no shader reaches",
     "1.0 1.1 1.2 1.3 1.4"},
    {1, NULL, NULL, "what is written"},
    {OPTION_JSON, "json", NULL,
     "a line of JSON for each finding, with the file, as assay report reads them"},
    {'q', "quiet", NULL, "no line in the end"},
    {0, NULL, NULL, NULL},
};

static const char *const examples[] = {
    "assay validate shaders/*.spv",
    "would the device of this machine take them?",
    "assay validate --api 1.2 blur.comp.spv",
    "what of it is more than Vulkan 1.2?",
    "vulkaninfo --json=0 -o phone.json; assay validate --profile phone.json blur.comp.spv",
    "does a device have what it needs?",
    "glslangValidator -V --stdin -S comp -o /dev/stdout <blur.comp | assay validate -",
    "from a compiler",
    NULL,
};

static const struct note_row statuses[] = {
    {"0", "where no error was found"},
    {"1", "where one was found, or a file cannot be read"},
    {"2", "where the command line is wrong"},
    {NULL, NULL},
};

static int validate_run(int argc, char **argv);

const struct command validate_command = {
    .name = "validate",
    .arguments = "[OPTIONS] FILE.spv...",
    .summary = "check shaders against a device, a profile or a version of Vulkan",
    .text = "Checks modules of SPIR-V, binary or in text as spirv-dis writes them, as the layer "
            "does when a program makes shader modules and shaders of them: whether they are valid, "
            "and whether the device has the features, extensions and limits that they need. \"-\" "
            "is standard input. What depends on pipeline layouts and on other stages is not looked "
            "at, nor entry points of ray tracing beyond their module.\n\n",
    .options = options,
    .operands = VALUES_SHADERS,
    .statuses = statuses,
    .examples = examples,
    .run = validate_run,
};

struct validate {
    const char *api, *profile_path, *device;
    bool json, quiet;
    const char **files; /* owned */
    int file_count;
    char findings[PATH_MAX]; /* the file that the layer writes findings to */
    FILE *read;              /* the same file, opened for reading */
    FILE *out;
    const char *library; /* path of the layer's library */
    unsigned minor;      /* minor version of SPIR-V for text that does not name one */
    uint64_t shaders, told, errors, unreadable;
};

/* Takes one option or file of `assay validate`. Returns false if it is wrong, which has been
 * reported. */
static bool validate_accept(void *user, int key, const char *argument)
{
    struct validate *validate = user;
    switch (key) {
    case 0:
        validate->files[validate->file_count++] = argument;
        return true;
    case OPTION_API:
        validate->api = argument;
        return true;
    case OPTION_PROFILE:
        validate->profile_path = argument;
        return true;
    case OPTION_DEVICE:
        validate->device = argument;
        return true;
    case OPTION_JSON:
        validate->json = true;
        return true;
    default:
        validate->quiet = true;
        return true;
    }
}

/* --- findings --- */

/* Writes a finding about a shader, without the parts that are about this tool's calls. `entry`
 * NULL: it is about the whole module. */
static void write_finding(struct validate *validate, struct json_object *finding, const char *path,
                          const char *entry)
{
    static const char *const ours[] = {"caller",
                                       "stack",
                                       "objects",
                                       "thread",
                                       "application",
                                       "queueLabels",
                                       "commandBufferLabels"};
    for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
        json_object_object_del(finding, ours[i]);
    if (validate->json) {
        json_object_object_add(finding, "file", json_object_new_string(path));
        if (entry)
            json_object_object_add(finding, "entryPoint", json_object_new_string(entry));
        size_t length;
        const char *text = json_object_to_json_string_length(finding,
                                                             JSON_C_TO_STRING_PLAIN |
                                                                 JSON_C_TO_STRING_NOSLASHESCAPE,
                                                             &length);
        json_write_line(validate->out, text, length);
        return;
    }
    fprintf(validate->out, entry ? "%s, entry point %s:\n" : "%s:\n", path, entry);
    stream_write(validate->out, NULL, finding, !validate->json && stream_wants_color(STDOUT_FILENO),
                 (struct once_parts){0});
}

/* Takes the lines that the layer has written since the last call. Returns the number of errors. */
static uint64_t take_findings(struct validate *validate, const char *path, const char *entry)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    uint64_t errors = 0;
    clearerr(validate->read);
    while ((length = getline(&line, &size, validate->read)) > 0) {
        struct json_object *finding = path ? json_read_once(line, (size_t)length) : NULL;
        if (json_text(finding, "vuid")) {
            validate->told++;
            errors += !strcmp(json_text_or(finding, "severity"), "error");
            write_finding(validate, finding, path, entry);
        }
        json_object_put(finding);
    }
    free(line);
    validate->errors += errors;
    return errors;
}

/* --- modules --- */

struct module {
    uint32_t *words; /* owned */
    size_t size;     /* bytes */
};

static bool is_module(const struct module *module)
{
    return module->size >= 20 && (module->words[0] == 0x07230203 || module->words[0] == 0x03022307);
}

/* Assembles a module whose bytes are text. Returns false on failure. */
static bool assemble_module(const struct validate *validate, const char *path,
                            struct module *module)
{
    char *text = (char *)module->words;
    bool good = assemble_text(validate->library, strcmp(path, "-") ? path : "standard input", text,
                              module->size, validate->minor, &module->words, &module->size);
    free(text);
    return good;
}

/* Reads a file, or standard input for "-". Returns false if it cannot be read, or is not SPIR-V. */
static bool read_module(const struct validate *validate, const char *path, struct module *module)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
    size_t capacity = 1 << 16, got;
    *module = (struct module){.words = file ? malloc(capacity) : NULL};
    while (module->words && (got = fread((char *)module->words + module->size, 1,
                                         capacity - module->size - 4, file)) > 0) {
        module->size += got;
        if (module->size + 4 < capacity)
            continue;
        capacity *= 2;
        uint32_t *larger = realloc(module->words, capacity);
        if (!larger)
            break;
        module->words = larger;
    }
    bool good = module->words && !ferror(file);
    if (!good)
        tell("%s: %s", path, strerror(errno));
    else if (!module->size)
        tell("%s: it is empty", path);
    else if (!is_module(module) && assemble_is_text(module->words, module->size))
        good = assemble_module(validate, path, module);
    else if (!is_module(module))
        tell("%s: it is not SPIR-V: the first word is not 0x07230203", path);
    good = good && module->size && is_module(module);
    if (file && file != stdin)
        fclose(file);
    return good;
}

/* Returns the stage of an execution model; 0: shader objects do not support it. */
static VkShaderStageFlagBits stage_of(uint32_t model)
{
    static const struct {
        uint32_t model;
        VkShaderStageFlagBits stage;
    } stages[] = {
        {0, VK_SHADER_STAGE_VERTEX_BIT},
        {1, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
        {2, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
        {3, VK_SHADER_STAGE_GEOMETRY_BIT},
        {4, VK_SHADER_STAGE_FRAGMENT_BIT},
        {5, VK_SHADER_STAGE_COMPUTE_BIT},
        {5364, VK_SHADER_STAGE_TASK_BIT_EXT},
        {5365, VK_SHADER_STAGE_MESH_BIT_EXT},
    };
    for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
        if (stages[i].model == model)
            return stages[i].stage;
    }
    return 0;
}

static void validate_check_entry(struct validate *validate, const struct offline_device *device,
                                 const char *path, const struct module *module,
                                 VkShaderStageFlagBits stage, const char *name)
{
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = module->size,
                                        .pCode = module->words,
                                        .pName = name};
    VkShaderEXT shader = VK_NULL_HANDLE;
    VkResult result = device->create_shaders(device->device, 1, &info, NULL, &shader);
    (void)take_findings(validate, path, name);
    if (result == VK_SUCCESS && shader)
        device->destroy_shader(device->device, shader, NULL);
}

/* Checks all entry points of a module, which is valid. OpEntryPoint has the execution model, the id
 * and the name. */
static void check_entries(struct validate *validate, const struct offline_device *device,
                          const char *path, const struct module *module)
{
    const size_t count = module->size / 4;
    for (size_t at = 5; at < count;) {
        uint32_t length = module->words[at] >> 16, opcode = module->words[at] & 0xffff;
        /* OpFunction: all entry points come before it */
        if (!length || length > count - at || opcode == 54)
            return;
        const char *name = (const char *)(module->words + at + 3);
        VkShaderStageFlagBits stage =
            opcode == 15 && length > 3 ? stage_of(module->words[at + 1]) : 0;
        if (stage && memchr(name, 0, (length - 3) * 4u))
            validate_check_entry(validate, device, path, module, stage, name);
        at += length;
    }
}

/* Validates one file, and counts the result. */
static void check_file(struct validate *validate, const struct offline_device *device,
                       const char *path)
{
    struct module module;
    if (!read_module(validate, path, &module)) {
        validate->unreadable++;
        free(module.words);
        return;
    }
    const char *shown = strcmp(path, "-") ? path : "standard input";
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = module.size,
                                           .pCode = module.words};
    VkShaderModule made = VK_NULL_HANDLE;
    validate->shaders++;
    VkResult result = device->create_module(device->device, &info, NULL, &made);
    if (!take_findings(validate, shown, NULL) && result == VK_SUCCESS)
        check_entries(validate, device, shown, &module);
    if (result == VK_SUCCESS && made)
        device->destroy_module(device->device, made, NULL);
    free(module.words);
}

/* --- the command --- */

static bool choose_profile(const struct validate *validate, struct device_profile *profile)
{
    const char *api = validate->api;
    if (!!validate->api + !!validate->profile_path + !!validate->device > 1) {
        tell("one device at a time: of --api, --profile and --device only one can be given");
        return false;
    }
    if (validate->profile_path)
        return profile_of_file(profile, validate->profile_path);
    if (!validate->api)
        return profile_of_machine(profile, validate->device);
    if (!strncmp(api, "1.", 2) && api[2] >= '0' && api[2] <= '4' && !api[3])
        return profile_of_version(profile, VK_MAKE_API_VERSION(0, 1, (uint32_t)(api[2] - '0'), 0));
    tell("--api takes a version from 1.0 to 1.4, not \"%s\"", validate->api);
    return false;
}

/* Ids about pipeline layouts are not reported, as there is no layout. */
#define LAYOUT_IDS                                                                         \
    "VUID-VkShaderCreateInfoEXT-codeType-10064,VUID-VkShaderCreateInfoEXT-codeType-10065," \
    "VUID-VkShaderCreateInfoEXT-codeType-10383,VUID-VkShaderCreateInfoEXT-codeType-10384," \
    "VUID-VkShaderCreateInfoEXT-codeType-10385,VUID-VkShaderCreateInfoEXT-codeType-10386"

/* Returns the minor version of the newest SPIR-V that the device's version of Vulkan supports. */
static unsigned spirv_minor(uint32_t api_version)
{
    static const unsigned minors[] = {0, 3, 5, 6};
    uint32_t minor = VK_API_VERSION_MINOR(api_version);
    return minors[minor < 3 ? minor : 3];
}

static bool validate_prepare(struct validate *validate)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(validate->findings, sizeof(validate->findings), "%s/assay-validate-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    int file = mkstemp(validate->findings);
    validate->read = file < 0 ? NULL : fdopen(file, "r");
    if (!validate->read) {
        tell("%s: %s", validate->findings, strerror(errno));
        return false;
    }
    environment_set("json_filename", validate->findings);
    environment_set("log_filename", "/dev/null");
    environment_set("message_id_filter", LAYOUT_IDS);
    environment_set("enable_message_limit", "false");
    environment_set("debug_action", "VK_DBG_LAYER_ACTION_LOG_MSG");
    return true;
}

/* Writes the last line: how many modules were checked, and how much was found. */
static void write_end(const struct validate *validate, const struct device_profile *profile)
{
    fputs("assay: ", stderr);
    if (validate->unreadable) {
        write_plural(stderr, validate->unreadable, "file");
        fputs(validate->shaders ? " could not be read; "
                                : " could not be read: nothing was checked.\n",
              stderr);
        if (!validate->shaders)
            return;
    }
    write_plural(stderr, validate->shaders, "module");
    fprintf(stderr, " checked against %s: ", profile->name);
    if (validate->told) {
        write_plural(stderr, validate->told, "finding");
        fputs(", ", stderr);
        write_plural(stderr, validate->errors, "error");
    } else {
        fputs("nothing was found", stderr);
    }
    fputs(".\n", stderr);
}

/* Validates all files for the chosen device. Returns the exit status. */
static int validate_all(struct validate *validate)
{
    struct layer_place place;
    struct device_profile profile = {0};
    struct offline_device device = {0};
    bool good = false;
    if (!layer_find(&place) || !place.library[0])
        tell("the layer's manifest, " LAYER_MANIFEST
             ", is neither beside this program (%s) nor where it is built or installed",
             place.directory);
    else
        good = choose_profile(validate, &profile) && validate_prepare(validate) &&
               offline_device_open(&device, place.library, &profile);
    validate->library = place.library;
    validate->minor = spirv_minor(profile.properties.apiVersion);
    terminal_begin(stdout);
    validate->out = validate->json ? stdout : terminal_filter(stdout, true);
    if (good)
        /* findings about the device are not about shaders */
        (void)take_findings(validate, NULL, NULL);
    for (int i = 0; good && i < validate->file_count; i++)
        check_file(validate, &device, validate->files[i]);
    if (validate->out != stdout)
        fclose(validate->out);
    if (good && !validate->quiet) {
        fflush(stdout);
        write_end(validate, &profile);
    }
    offline_device_close(&device);
    profile_free(&profile);
    if (validate->read) {
        fclose(validate->read);
        unlink(validate->findings);
    }
    return good && !validate->errors && !validate->unreadable ? STATUS_GOOD : STATUS_FAILED;
}

static int validate_run(int argc, char **argv)
{
    struct validate validate = {.files = calloc((size_t)argc + 1, sizeof(char *))};
    int status = STATUS_USAGE;
    if (!validate.files) {
        tell("memory is out");
        status = STATUS_FAILED;
    } else if (command_parse(&validate_command, argc, argv, validate_accept, &validate)) {
        if (validate.file_count)
            status = validate_all(&validate);
        else
            tell("which shaders? assay validate [OPTIONS] FILE.spv...");
    }
    free(validate.files);
    return status;
}
