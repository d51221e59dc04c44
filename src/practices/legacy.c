/* Advises on superseded extensions and commands, and names what supersedes them. */
#include "practices/legacy.h"

#include <stdio.h>
#include <string.h>

#include "base/string_builder.h"

#include "practices/advise.h"
#include "practices/areas.h"
#include "practices/extension_facts.h" /* generated */
#include "practices/hooks.h"
#include "practices/extensions_of_device.h"
#include "report/sink/callers.h"
#include "report/report.h"

/* Text for an extension, such as "Vulkan 1.2" or "VK_KHR_create_renderpass2". */
struct extension_words {
    char text[VK_MAX_EXTENSION_NAME_SIZE];
};

/* The name of an extension, or a version in the usual notation, which is written to `words`. */
static const char *extension_words(enum extension extension, struct extension_words *words)
{
    static const char version[] = "VK_VERSION_";
    const char *name = extension_info[extension].name;
    size_t length = sizeof(version) - 1;
    if (strncmp(name, version, length) != 0 || strlen(name) < length + 3)
        return name;
    snprintf(words->text, sizeof(words->text), "Vulkan %c.%c", name[length], name[length + 2]);
    return words->text;
}
/* The text is valid until the end of the block. */
#define EXTENSION_WORDS(extension_) \
    extension_words((extension_), &(struct extension_words){.text = ""})

/* True if another layer makes the call. Such layers are recognized by their file name. */
static bool is_of_a_layer(const struct call *call)
{
    const char *module = caller_describe(callers_first(call)).module;
    return module && strstr(module, "/libVkLayer_");
}

/* --- what is there --- */

/* True for versions of Vulkan, which the registry lists like extensions. */
static bool is_version(enum extension extension)
{
    return strncmp(extension_info[extension].name, "VK_VERSION_", 11) == 0;
}

/* The value of the setting legacy_detection_mode. */
static uint32_t legacy_mode(const struct call *call)
{
    return call->instance ? call->instance->settings.legacy_detection_mode
                          : LEGACY_DETECTION_MODE_ALWAYS;
}

/* True if the device lists the extension. It is only used in mode ONLY_SUPPORTED. */
static bool device_offers(const struct device *device, enum extension extension)
{
    const struct practices_of_device *kept = practices_of_device(device);
    return kept && extension_set_has(&kept->offered, extension);
}

/* True if the extension is enabled, or the device supports it. Extensions of instances must be
 * enabled, as it is not known here which ones exist. Versions of instances are the loader's, which
 * supports those with which this layer can be loaded. */
static bool is_supported(const struct call *call, enum extension extension)
{
    const char *name = extension_info[extension].name;
    const size_t length = sizeof("VK_VERSION_") - 1;
    if (!is_version(extension))
        return device_offers(call->device, extension);
    if (!call->device)
        return true;
    return strlen(name) >= length + 3 &&
           VK_MAKE_API_VERSION(0, (uint32_t)(name[length] - '0'),
                               (uint32_t)(name[length + 2] - '0'),
                               0) <= call->device->properties.apiVersion;
}

/* --- commands --- */

/* Reports what supersedes the command. `since`: the extension or version with the newer command;
 * `enabled`: it is enabled. */
static void say_command(const struct call *call, const struct superseded_command *superseded,
                        enum extension since, bool enabled)
{
    const char *end = enabled ? "" : " (it is not enabled)";
    if (superseded->by != COMMAND_COUNT)
        advise(call, superseded->id, NULL, NULL, "is superseded by %s, which %s brings%s",
               command_name[superseded->by], EXTENSION_WORDS(since), end);
    else if (superseded->id == WARNING_legacy_dynamicrendering)
        advise(call, superseded->id, NULL, NULL,
               "is superseded by dynamic rendering, which %s has in full%s", EXTENSION_WORDS(since),
               end);
    else
        advise(call, superseded->id, NULL, NULL, "is superseded by what %s brings%s",
               EXTENSION_WORDS(since), end);
}

/* Reports each command once, wherever it is called. Other layers call such commands as well: Mesa's
 * device selection layer does so in nearly all processes. */
void legacy_command(const struct call *call, const struct superseded_command *superseded)
{
    const uint32_t mode = legacy_mode(call);
    if (superseded->id == WARNING_legacy_gpdp2 && is_of_a_layer(call))
        return;
    /* Enabled ones come first, as the program could use them at once. */
    for (uint32_t i = 0; i < superseded->need_count; i++) {
        if (call_has_extension(call, superseded->needs[i])) {
            say_command(call, superseded, superseded->needs[i], true);
            return;
        }
    }
    for (uint32_t i = 0; mode != LEGACY_DETECTION_MODE_ONLY_ENABLED && i < superseded->need_count;
         i++) {
        if (mode == LEGACY_DETECTION_MODE_ALWAYS || is_supported(call, superseded->needs[i])) {
            say_command(call, superseded, superseded->needs[i], false);
            return;
        }
    }
}

/* --- extensions --- */

/* The version, or otherwise the extension, that finally superseded the extension. The number of
 * steps is limited, whatever the registry says. */
static enum extension last_of(const struct extension_set *versions, enum extension by)
{
    for (uint32_t i = 0; i < 4 && by < EXTENSION_COUNT && !is_version(by); i++) {
        enum extension next = (enum extension)extension_info[by].promoted_to;
        if (next >= EXTENSION_COUNT || (is_version(next) && !extension_set_has(versions, next)))
            return by;
        by = next;
    }
    return by;
}

/* The ways in which an extension became superseded. */
enum legacy_fate { FATE_VERSION, FATE_REPLACED, FATE_DEPRECATED, FATES };

/* The names of a device's or instance's extensions that are being judged. */
struct legacy_names {
    const struct call *call;
    const struct extension_set *enabled; /* including the versions */
    struct string_builder said[FATES];   /* text such as "VK_KHR_multiview (in Vulkan 1.1), ..." */
};

/* True if the program could use what supersedes the name, according to the setting
 * legacy_detection_mode. */
static bool legacy_name_is_there(const struct legacy_names *names, enum extension by)
{
    const uint32_t mode = legacy_mode(names->call);
    return mode == LEGACY_DETECTION_MODE_ALWAYS || extension_set_has(names->enabled, by) ||
           (mode == LEGACY_DETECTION_MODE_ONLY_SUPPORTED && is_supported(names->call, by));
}

/* Adds a name, followed by its fate in brackets. */
static void legacy_add_name(struct legacy_names *names, enum legacy_fate fate, const char *name,
                            const char *word, const char *by)
{
    struct string_builder *said = &names->said[fate];
    string_builder_format(said, "%s%s (%s%s)", said->length ? ", " : "has ", name, word, by);
}

/* Adds an extension to the list if it is deprecated, or if what supersedes it is available. */
static void judge_name(struct legacy_names *names, const char *name)
{
    const enum extension extension = name ? extension_by_name(name) : EXTENSION_COUNT;
    for (size_t i = 0; i < ARRAY_LENGTH(superseded_extensions); i++) {
        if (superseded_extensions[i].extension != extension)
            continue;
        enum extension by = (enum extension)superseded_extensions[i].by;
        if (by == EXTENSION_COUNT) {
            legacy_add_name(names, FATE_DEPRECATED, name, "deprecated", "");
            return;
        }
        /* The last available extension in a chain of replacements. */
        by = last_of(names->enabled, by);
        if (!legacy_name_is_there(names, by))
            return;
        if (is_version(by))
            legacy_add_name(names, FATE_VERSION, name, "in ", EXTENSION_WORDS(by));
        else
            legacy_add_name(names, FATE_REPLACED, name, "replaced by ", EXTENSION_WORDS(by));
        return;
    }
}

/* True for the extension that other layers add to instances without it. */
static bool is_added_by_layers(const struct call *call, const char *name)
{
    return name && strcmp(name, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME) == 0 &&
           is_of_a_layer(call);
}

/* Gives one piece of advice for all names with the same fate. */
static void judge_names(struct legacy_names *names, uint32_t count, const char *const *list)
{
    static const enum vuid ids[FATES] = {WARNING_legacy_extension_version,
                                         WARNING_legacy_extension_new,
                                         WARNING_legacy_extension_no_replacement};
    char buffers[FATES][256];
    for (uint32_t i = 0; i < FATES; i++)
        string_builder_begin(&names->said[i], buffers[i], sizeof(buffers[i]));
    for (uint32_t i = 0; list && i < count; i++) {
        /* The program cannot avoid what another layer has added. */
        if (!is_added_by_layers(names->call, list[i]))
            judge_name(names, list[i]);
    }
    for (uint32_t i = 0; i < FATES; i++) {
        if (names->said[i].length)
            advise(names->call, ids[i], &LOCATION(CREATE_INFO, "ppEnabledExtensionNames"), NULL,
                   "%s", names->said[i].text);
        string_builder_end(&names->said[i]);
    }
}

void legacy_after_CreateInstance(struct call *call, const VkInstanceCreateInfo *pCreateInfo,
                                 const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
    struct legacy_names names = {.call = call, .enabled = &call->instance->extensions};
    judge_names(&names, pCreateInfo->enabledExtensionCount, pCreateInfo->ppEnabledExtensionNames);
}

void legacy_after_CreateDevice(struct call *call, VkPhysicalDevice physicalDevice,
                               const VkDeviceCreateInfo *pCreateInfo,
                               const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
    if (call->result != VK_SUCCESS || !call->device)
        return;
    struct practices_of_device *kept = practices_of_device(call->device);
    if (kept && legacy_mode(call) == LEGACY_DETECTION_MODE_ONLY_SUPPORTED)
        device_offered_extensions(call->device, &kept->offered);
    struct legacy_names names = {.call = call, .enabled = &call->device->extensions};
    judge_names(&names, pCreateInfo->enabledExtensionCount, pCreateInfo->ppEnabledExtensionNames);
    /* If stateless_param is on, it is reported as an error instead (VUID 12384). */
    if (pCreateInfo->enabledLayerCount && !call->instance->settings.stateless_param)
        advise(call, WARNING_legacy_devicelayers, &LOCATION(CREATE_INFO, "enabledLayerCount"), NULL,
               "is %u", pCreateInfo->enabledLayerCount);
}
