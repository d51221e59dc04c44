/* Reads a device's profile: from a version of Vulkan, a file, or a driver. */
#include "assay/validate/device_profile.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/command.h"
#include "assay/store/json.h"

static size_t index_of(VkStructureType type)
{
    size_t low = 0, high = device_structure_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (device_structures[middle].type < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low < device_structure_count && device_structures[low].type == type
               ? low
               : device_structure_count;
}

void *profile_structure(const struct device_profile *profile, VkStructureType type)
{
    size_t index = index_of(type);
    return index < device_structure_count ? profile->structures[index] : NULL;
}

/* Adds a structure to the profile, with the values of a generous device or zeros. NULL: memory is
 * out. */
static void *add_structure(struct device_profile *profile, size_t index)
{
    const struct device_structure *structure = &device_structures[index];
    VkBaseOutStructure *memory = profile->structures[index];
    if (!memory && (memory = calloc(1, structure->size))) {
        if (structure->defaults)
            memcpy(memory, structure->defaults, structure->size);
        memory->sType = structure->type;
        memory->pNext = NULL;
        profile->structures[index] = memory;
    }
    return memory;
}

/* Sets limits that no shader reaches, so that nothing is reported about limits that a profile does
 * not have. */
static void set_generous_limits(VkPhysicalDeviceLimits *limits)
{
    for (size_t i = 0; i < device_limit_count; i++) {
        const struct device_member *member = &device_limits[i];
        char *at = (char *)limits + member->offset;
        const uint32_t number = strncmp(member->name, "max", 3) ? 1 : 1u << 24;
        const uint64_t wide = number;
        const float real = (float)number;
        size_t element = member->size / member->count;
        for (uint32_t k = 0; k < member->count; k++, at += element) {
            if (member->kind == MEMBER_U32)
                memcpy(at, &number, sizeof(number));
            else if (member->kind == MEMBER_U64)
                memcpy(at, &wide, sizeof(wide));
            else if (member->kind == MEMBER_FLOAT)
                memcpy(at, &real, sizeof(real));
        }
    }
    limits->minTexelOffset = -8;
    limits->maxTexelOffset = 7;
    limits->minTexelGatherOffset = -32;
    limits->maxTexelGatherOffset = 31;
    limits->minInterpolationOffset = -0.5f;
    limits->maxInterpolationOffset = 0.5f;
    limits->subPixelInterpolationOffsetBits = 4;
    limits->maxSampleMaskWords = 1;
}

static bool device_profile_begin(struct device_profile *profile)
{
    *profile =
        (struct device_profile){.structures = calloc(device_structure_count, sizeof(void *))};
    if (!profile->structures) {
        tell("memory is out");
        return false;
    }
    set_generous_limits(&profile->properties.limits);
    for (size_t i = 0; i < device_structure_count; i++) {
        if (!device_structures[i].features)
            (void)add_structure(profile, i);
    }
    return true;
}

void profile_free(struct device_profile *profile)
{
    for (size_t i = 0; profile->structures && i < device_structure_count; i++)
        free(profile->structures[i]);
    for (uint32_t i = 0; i < profile->extension_count; i++)
        free(profile->extensions[i]);
    free(profile->structures);
    free(profile->extensions);
    *profile = (struct device_profile){0};
}

static bool add_extension(struct device_profile *profile, const char *name)
{
    char **list = realloc(profile->extensions, (profile->extension_count + 1) * sizeof(*list));
    char *copy = strdup(name);
    if (list)
        profile->extensions = list;
    if (!list || !copy) {
        free(copy);
        return false;
    }
    list[profile->extension_count++] = copy;
    return true;
}

/* --- a version --- */

/* Returns the version in a name: 3 for "VkPhysicalDeviceVulkan13Features"; 0 for other names. */
static uint32_t version_of(const char *name)
{
    static const char start[] = "VkPhysicalDeviceVulkan1";
    const char *digit = name + sizeof(start) - 1;
    bool is_one = !strncmp(name, start, sizeof(start) - 1) && isdigit((unsigned char)*digit) &&
                  !strcmp(digit + 1, "Features");
    return is_one ? (uint32_t)(*digit - '0') : 0;
}

bool profile_of_version(struct device_profile *profile, uint32_t version)
{
    const VkBool32 on = VK_TRUE;
    if (!device_profile_begin(profile))
        return false;
    profile->properties.apiVersion = version;
    snprintf(profile->name, sizeof(profile->name),
             "Vulkan 1.%u with every feature and no extension", VK_API_VERSION_MINOR(version));
    for (size_t i = 0; i < device_structure_count; i++) {
        const struct device_structure *structure = &device_structures[i];
        bool core = !strcmp(structure->name, "VkPhysicalDeviceFeatures2") ||
                    (version_of(structure->name) &&
                     version_of(structure->name) <= VK_API_VERSION_MINOR(version));
        char *memory = structure->features && core ? add_structure(profile, i) : NULL;
        for (uint32_t k = 0; memory && k < structure->member_count; k++)
            memcpy(memory + structure->members[k].offset, &on, sizeof(on));
    }
    return true;
}

/* --- a file --- */

static void set_element(char *at, enum member_kind kind, struct json_object *value)
{
    const bool truth = json_object_is_type(value, json_type_boolean);
    const uint64_t wide =
        truth ? (uint64_t)json_object_get_boolean(value) : json_object_get_uint64(value);
    const uint32_t number = json_object_is_type(value, json_type_int)
                                ? (uint32_t)json_object_get_int64(value)
                                : (uint32_t)wide;
    const float real = (float)json_object_get_double(value);
    if (kind == MEMBER_U32)
        memcpy(at, &number, sizeof(number));
    else if (kind == MEMBER_U64)
        memcpy(at, &wide, sizeof(wide));
    else if (kind == MEMBER_FLOAT)
        memcpy(at, &real, sizeof(real));
}

static bool is_number(struct json_object *value)
{
    return json_object_is_type(value, json_type_boolean) ||
           json_object_is_type(value, json_type_int) ||
           json_object_is_type(value, json_type_double);
}

/* Sets a member from a number, a boolean or an array. Values that are names (flags, enumerations)
 * are ignored. */
static void set_member(void *memory, const struct device_member *member, struct json_object *value)
{
    char *at = (char *)memory + member->offset;
    size_t element = member->size / member->count, index, count;
    struct json_object *one;
    if (member->count == 1 && is_number(value))
        set_element(at, member->kind, value);
    if (member->count == 1 || json_length(value) != member->count)
        return;
    JSON_EACH_ELEMENT(value, index, count, one)
    {
        if (is_number(one))
            set_element(at + index * element, member->kind, one);
    }
}

static void set_members(void *memory, const struct device_member *members, size_t count,
                        struct json_object *values)
{
    struct json_object_iterator at = json_members(values);
    struct json_object *value;
    const char *name;
    while (json_next_member(&at, &name, &value)) {
        for (size_t i = 0; i < count; i++) {
            if (!strcmp(members[i].name, name))
                set_member(memory, &members[i], value);
        }
    }
}

/* Reads the values of one structure in a profile: features, limits, or properties. */
static void read_structure(struct device_profile *profile, const char *name,
                           struct json_object *values)
{
    if (!strcmp(name, "VkPhysicalDeviceProperties")) {
        set_members(&profile->properties.limits, device_limits, device_limit_count,
                    json_object_object_get(values, "limits"));
        uint64_t version = json_number(values, "apiVersion");
        if (version)
            profile->properties.apiVersion = (uint32_t)version;
        const char *device = json_text(values, "deviceName");
        if (device)
            snprintf(profile->name, sizeof(profile->name), "%s", device);
        return;
    }
    if (!strcmp(name, "VkPhysicalDeviceFeatures"))
        name = "VkPhysicalDeviceFeatures2";
    for (size_t i = 0; i < device_structure_count; i++) {
        void *memory = strcmp(device_structures[i].name, name) ? NULL : add_structure(profile, i);
        if (memory)
            set_members(memory, device_structures[i].members, device_structures[i].member_count,
                        values);
    }
}

static void read_block(struct device_profile *profile, struct json_object *block)
{
    static const char *const parts[] = {"features", "properties"};
    struct json_object *value;
    const char *name;
    for (int i = 0; i < 2; i++) {
        struct json_object_iterator at = json_members(json_object_object_get(block, parts[i]));
        while (json_next_member(&at, &name, &value))
            read_structure(profile, name, value);
    }
    struct json_object_iterator at = json_members(json_object_object_get(block, "extensions"));
    while (json_next_member(&at, &name, &value))
        (void)add_extension(profile, name);
}

/* Reads the blocks of capabilities that a profile names. An inner list has alternatives, of which
 * the first one is read. */
static void read_named(struct device_profile *profile, struct json_object *blocks,
                       struct json_object *names)
{
    struct json_object *name;
    size_t index, count;
    JSON_EACH_ELEMENT(names, index, count, name)
    {
        if (json_object_is_type(name, json_type_array))
            name = json_object_array_get_idx(name, 0);
        if (json_string(name))
            read_block(profile, json_object_object_get(blocks, json_string(name)));
    }
}

static uint32_t read_version(const char *text)
{
    uint32_t parts[3] = {0};
    for (int i = 0; text && i < 3; i++) {
        char *end;
        parts[i] = (uint32_t)strtoul(text, &end, 10);
        text = *end == '.' ? end + 1 : NULL;
    }
    return parts[0] ? VK_MAKE_API_VERSION(0, parts[0], parts[1], parts[2]) : 0;
}

/* Reads the device that a file of profiles describes. Returns false if it describes none. */
static bool read_document(struct device_profile *profile, struct json_object *document)
{
    struct json_object *blocks = json_object_object_get(document, "capabilities"), *value;
    struct json_object_iterator at = json_members(json_object_object_get(document, "profiles"));
    const char *name;
    if (!json_next_member(&at, &name, &value)) {
        if (!json_object_is_type(blocks, json_type_object))
            return false;
        at = json_members(blocks);
        while (json_next_member(&at, &name, &value))
            read_block(profile, value);
        return true;
    }
    snprintf(profile->name, sizeof(profile->name), "%s", name);
    uint32_t version = read_version(json_text(value, "api-version"));
    read_named(profile, blocks, json_object_object_get(value, "capabilities"));
    if (!profile->properties.apiVersion)
        profile->properties.apiVersion = version;
    return true;
}

bool profile_of_file(struct device_profile *profile, const char *path)
{
    struct json_object *document = json_object_from_file(path);
    if (!device_profile_begin(profile)) {
        json_object_put(document);
        return false;
    }
    snprintf(profile->name, sizeof(profile->name), "%s", path);
    bool good = document && read_document(profile, document);
    if (!document)
        tell("%s: it cannot be read, or is not JSON", path);
    else if (!good)
        tell("%s: it has no \"profiles\" and no \"capabilities\", as `vulkaninfo "
             "--json` writes them",
             path);
    json_object_put(document);
    if (good && !profile->properties.apiVersion)
        profile->properties.apiVersion = VK_API_VERSION_1_0;
    return good;
}

/* --- a device of this machine --- */

struct machine {
    PFN_vkGetInstanceProcAddr get;
    VkInstance instance;
};

#define LOAD(machine, name) PFN_##name name = (PFN_##name)(machine)->get((machine)->instance, #name)

/* Opens the Vulkan loader of this machine, and creates an instance without layers. Returns false if
 * that failed. */
static bool open_machine(struct machine *machine)
{
    static const char *const layers[] = {"VK_INSTANCE_LAYERS", "VK_LOADER_LAYERS_ENABLE"};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "assay validate",
                                           .apiVersion = VK_API_VERSION_1_4};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    *machine = (struct machine){0};
    for (size_t i = 0; i < sizeof(layers) / sizeof(*layers); i++)
        unsetenv(layers[i]);
    if (library)
        *(void **)&machine->get = dlsym(library, "vkGetInstanceProcAddr");
    if (!machine->get) {
        tell("there is no Vulkan loader (libvulkan.so.1): name a version with --api or a profile "
             "with --profile");
        return false;
    }
    PFN_vkCreateInstance create = (PFN_vkCreateInstance)machine->get(NULL, "vkCreateInstance");
    if (create && create(&info, NULL, &machine->instance) == VK_SUCCESS)
        return true;
    tell("no Vulkan instance can be made, which `assay doctor` looks into; --api and --profile "
         "need none");
    return false;
}

/* Finds the first device with `name` in its name; with NULL the first device. VK_NULL_HANDLE: there
 * is none, which has been reported. */
static VkPhysicalDevice choose_device(const struct machine *machine, const char *name)
{
    VkPhysicalDevice devices[32];
    VkPhysicalDeviceProperties properties;
    uint32_t count = 32;
    LOAD(machine, vkEnumeratePhysicalDevices);
    LOAD(machine, vkGetPhysicalDeviceProperties);
    if (vkEnumeratePhysicalDevices(machine->instance, &count, devices) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++) {
        vkGetPhysicalDeviceProperties(devices[i], &properties);
        if (!name || strcasestr(properties.deviceName, name))
            return devices[i];
    }
    tell(name ? "this machine has no device with \"%s\" in its name"
              : "this machine has no Vulkan device",
         name);
    return VK_NULL_HANDLE;
}

static bool ask_extensions(struct device_profile *profile, const struct machine *machine,
                           VkPhysicalDevice device)
{
    uint32_t count = 0;
    LOAD(machine, vkEnumerateDeviceExtensionProperties);
    if (vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL) != VK_SUCCESS)
        return false;
    VkExtensionProperties *list = calloc(count + 1, sizeof(*list));
    bool good =
        list && vkEnumerateDeviceExtensionProperties(device, NULL, &count, list) == VK_SUCCESS;
    for (uint32_t i = 0; good && i < count; i++)
        good = add_extension(profile, list[i].extensionName);
    free(list);
    return good;
}

/* Queries all structures. One that the driver does not know stays all zeros. */
static void ask_structures(struct device_profile *profile, const struct machine *machine,
                           VkPhysicalDevice device)
{
    LOAD(machine, vkGetPhysicalDeviceFeatures2);
    LOAD(machine, vkGetPhysicalDeviceProperties2);
    LOAD(machine, vkGetPhysicalDeviceProperties);
    vkGetPhysicalDeviceProperties(device, &profile->properties);
    for (size_t i = 0; i < device_structure_count; i++) {
        const struct device_structure *structure = &device_structures[i];
        VkBaseOutStructure *memory = add_structure(profile, i);
        bool head = structure->type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        if (!memory || structure->type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2)
            continue;
        memset(memory, 0, structure->size);
        memory->sType = structure->type;
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = memory};
        VkPhysicalDeviceProperties2 properties = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = memory};
        if (head)
            vkGetPhysicalDeviceFeatures2(device, (VkPhysicalDeviceFeatures2 *)(void *)memory);
        else if (structure->features)
            vkGetPhysicalDeviceFeatures2(device, &features);
        else
            vkGetPhysicalDeviceProperties2(device, &properties);
        memory->pNext = NULL;
    }
}

bool profile_of_machine(struct device_profile *profile, const char *name)
{
    struct machine machine;
    if (!device_profile_begin(profile) || !open_machine(&machine))
        return false;
    LOAD(&machine, vkDestroyInstance);
    VkPhysicalDevice device = choose_device(&machine, name);
    bool good = device != VK_NULL_HANDLE;
    if (good) {
        ask_structures(profile, &machine, device);
        good = ask_extensions(profile, &machine, device);
        snprintf(profile->name, sizeof(profile->name), "%s", profile->properties.deviceName);
    }
    vkDestroyInstance(machine.instance, NULL);
    return good;
}
