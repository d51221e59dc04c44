/* Checks the Vulkan loader, the drivers, and an instance with the layer, for `assay doctor`. */
#include "assay/doctor/doctor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vulkan/vulkan.h>

#include "assay/report/findings.h"

#define LOADER "libvulkan.so.1"
/* Loaders from this version on know VK_ADD_LAYER_PATH and VK_LOADER_LAYERS_ENABLE. */
#define LOADER_GOOD  VK_MAKE_API_VERSION(0, 1, 3, 234)
#define LOADER_LEAST VK_API_VERSION_1_1

struct loader {
    PFN_vkGetInstanceProcAddr get;
    PFN_vkCreateInstance create;
    uint32_t version;
};

#define VERSION(v) VK_API_VERSION_MAJOR(v), VK_API_VERSION_MINOR(v), VK_API_VERSION_PATCH(v)

/* Loads the Vulkan loader, and never unloads it. Returns false if that failed: dlerror() gives the
 * reason, or NULL if the library is not a Vulkan loader. */
static bool open_loader(struct loader *loader)
{
    void *library = dlopen(LOADER, RTLD_NOW | RTLD_LOCAL);
    *loader = (struct loader){.version = VK_API_VERSION_1_0};
    if (!library)
        return false;
    *(void **)&loader->get = dlsym(library, "vkGetInstanceProcAddr");
    if (!loader->get)
        return false;
    loader->create = (PFN_vkCreateInstance)loader->get(NULL, "vkCreateInstance");
    PFN_vkEnumerateInstanceVersion version =
        (PFN_vkEnumerateInstanceVersion)loader->get(NULL, "vkEnumerateInstanceVersion");
    if (version)
        version(&loader->version);
    return loader->create != NULL;
}

/* Writes a verdict on the loader's version and path. Runs in a child process. */
static void look_at_loader(const void *user)
{
    struct loader loader;
    Dl_info where;
    (void)user;
    if (!open_loader(&loader)) {
        const char *error = dlerror();
        verdict(VERDICT_ERROR, "loader",
                "%s; install the Vulkan loader (Debian: libvulkan1, Fedora: vulkan-loader)",
                error ? error : LOADER " is not a Vulkan loader");
        return;
    }
    void *address;
    memcpy(&address, &loader.get, sizeof(address));
    const char *path = dladdr(address, &where) ? where.dli_fname : LOADER;
    if (loader.version < LOADER_LEAST)
        verdict(VERDICT_ERROR, "loader",
                "%s is of Vulkan %u.%u.%u: too old for the layer, which needs 1.1; install "
                "a newer one",
                path, VERSION(loader.version));
    else if (loader.version < LOADER_GOOD)
        verdict(VERDICT_WARNING, "loader",
                "%s is of Vulkan %u.%u.%u, older than 1.3.234: it may not know VK_ADD_LAYER_PATH "
                "and VK_LOADER_LAYERS_ENABLE; install the layer system-wide or a newer loader",
                path, VERSION(loader.version));
    else
        verdict(VERDICT_OK, "loader", "%s, Vulkan %u.%u.%u", path, VERSION(loader.version));
}

/* Creates an instance of Vulkan 1.1, with or without the layer. The caller destroys it. */
static VkResult create_instance(const struct loader *loader, bool with_layer, VkInstance *instance)
{
    const char *layer = LAYER_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "assay doctor",
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = with_layer,
                                       .ppEnabledLayerNames = &layer};
    return loader->create(&info, NULL, instance);
}

#define LOAD(name) PFN_##name name = (PFN_##name)loader.get(instance, #name)

/* Writes the names of a device and of its driver. Drivers without VK_KHR_driver_properties have no
 * name. */
static void tell_device(const struct loader *from, VkInstance instance, VkPhysicalDevice device)
{
    const struct loader loader = *from;
    LOAD(vkGetPhysicalDeviceProperties2);
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vkGetPhysicalDeviceProperties2(device, &properties);
    verdict(VERDICT_OK, "driver", "%s, Vulkan %u.%u.%u, %s%s%s", properties.properties.deviceName,
            VERSION(properties.properties.apiVersion),
            driver.driverName[0] ? driver.driverName : "a driver without a name",
            driver.driverInfo[0] ? " " : "", driver.driverInfo);
}

/* Lists the devices, without any layer. Runs in a child process, whose environment it changes. */
static void look_at_drivers(const void *user)
{
    struct loader loader;
    VkInstance instance;
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    (void)user;
    unsetenv("VK_INSTANCE_LAYERS"); /* no layer shall affect the verdict on drivers */
    unsetenv("VK_LOADER_LAYERS_ENABLE");
    if (!open_loader(&loader))
        return;
    VkResult result = create_instance(&loader, false, &instance);
    if (result != VK_SUCCESS) {
        verdict(VERDICT_ERROR, "driver",
                "%s; install one (Debian: mesa-vulkan-drivers), or see what VK_LOADER_DEBUG=driver "
                "in the environment says",
                result == VK_ERROR_INCOMPATIBLE_DRIVER
                    ? "no Vulkan driver was found"
                    : "no instance can be made, even without the layer");
        return;
    }
    LOAD(vkEnumeratePhysicalDevices);
    LOAD(vkDestroyInstance);
    result = vkEnumeratePhysicalDevices(instance, &count, devices);
    if (result < 0 || !count)
        verdict(VERDICT_ERROR, "driver",
                "the drivers show no device; are you allowed to open it (/dev/dri/*, groups video "
                "and render)?");
    else
        for (uint32_t i = 0; i < count; i++)
            tell_device(&loader, instance, devices[i]);
    vkDestroyInstance(instance, NULL);
}

#define LAYERS 256

/* Returns the name of a layer (this one, or one that the loader has found) that is most similar to
 * the word; NULL: none is similar. */
static const char *nearest_layer(const char *word, size_t length, const VkLayerProperties *layers,
                                 uint32_t count)
{
    const char *nearest = LAYER_NAME;
    unsigned least = doctor_distance(word, length, nearest);
    for (uint32_t i = 0; i < count; i++) {
        unsigned distance = doctor_distance(word, length, layers[i].layerName);
        if (distance < least) {
            least = distance;
            nearest = layers[i].layerName;
        }
    }
    return least <= length / 3 ? nearest : NULL;
}

/* Checks the names in a variable that lists layers. A pattern, as in VK_LOADER_LAYERS_ENABLE, need
 * not match anything. */
static void look_at_names(const char *variable, const VkLayerProperties *layers, uint32_t count)
{
    const char *names = getenv(variable);
    size_t length;
    for (; names && *names; names += length + (names[length] != 0)) {
        length = strcspn(names, ":,");
        const char *nearest = nearest_layer(names, length, layers, count);
        if (!length || memchr(names, '*', length) || memchr(names, '~', length) ||
            (nearest && strlen(nearest) == length && !strncmp(names, nearest, length)))
            continue;
        verdict(VERDICT_WARNING, "search", "%s names %.*s, which the loader does not find%s%s%s",
                variable, (int)length, names,
                nearest ? "; do you mean "
                        : ": correct it, or add its directory to VK_ADD_LAYER_PATH",
                nearest ? nearest : "", nearest ? "?" : "");
    }
}

/* Writes whether the loader finds the layer without `assay run`. Runs in a child process. */
static void look_for_layer(const void *user)
{
    const struct layer_place *place = user;
    struct loader loader;
    VkLayerProperties layers[LAYERS];
    uint32_t count = LAYERS;
    if (!open_loader(&loader))
        return;
    PFN_vkEnumerateInstanceLayerProperties enumerate =
        (PFN_vkEnumerateInstanceLayerProperties)loader.get(NULL,
                                                           "vkEnumerateInstanceLayerProperties");
    if (!enumerate || enumerate(&count, layers) < 0)
        count = 0;
    look_at_names("VK_INSTANCE_LAYERS", layers, count);
    look_at_names("VK_LOADER_LAYERS_ENABLE", layers, count);
    for (uint32_t i = 0; i < count; i++) {
        if (!strcmp(layers[i].layerName, LAYER_NAME)) {
            verdict(VERDICT_OK, "search", "the loader finds %s by itself", layers[i].description);
            return;
        }
    }
    verdict(VERDICT_OK, "search",
            "the loader does not find the layer by itself; assay run shows it the way, as does "
            "VK_ADD_LAYER_PATH=%s",
            place->directory);
}

/* Reports a finding about a setting; findings_read() calls it. An instance without devices has no
 * other findings. */
static bool tell_setting(void *user, struct json_object *finding, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    verdict(VERDICT_WARNING, "settings", "%s", json_text_or(finding, "message"));
    return true;
}

struct trial {
    const struct layer_place *place;
    const char *findings;
};

/* Creates an instance with the layer, as a program under `assay run` would. Runs in a child
 * process. */
static void try_layer(const void *user)
{
    const struct trial *trial = user;
    struct loader loader;
    VkInstance instance;
    environment_enable(trial->place, NULL, trial->findings);
    setenv("VK_ASSAY_REPORT_FLAGS", "error,warn", 1);
    if (!open_loader(&loader))
        return;
    VkResult result = create_instance(&loader, true, &instance);
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        verdict(VERDICT_ERROR, "instance",
                "the loader does not find the layer, although it was shown the way; "
                "VK_LOADER_DEBUG=layer in the environment makes it say why");
    else if (result != VK_SUCCESS)
        verdict(VERDICT_ERROR, "instance",
                "with the layer none can be made (VkResult %d); VK_LOADER_DEBUG=error,layer in the "
                "environment makes the loader say why",
                result);
    else if (access(trial->findings, F_OK) != 0)
        verdict(VERDICT_ERROR, "instance",
                "one was made, but without the layer: something disables it; VK_LOADER_DEBUG=layer "
                "in the environment makes the loader say what");
    else
        verdict(VERDICT_OK, "instance", "a program that is started by assay run has the layer");
    if (result != VK_SUCCESS)
        return;
    LOAD(vkDestroyInstance);
    vkDestroyInstance(instance, NULL);
    const struct findings_sink sink = {.take = tell_setting};
    struct findings_counts counts = {0};
    if (access(trial->findings, F_OK) == 0)
        (void)findings_read(trial->findings, &sink, &counts);
}

void doctor_vulkan(const struct layer_place *place)
{
    char directory[] = "/tmp/assay-doctor-XXXXXX", findings[64];
    doctor_apart("loader", look_at_loader, NULL);
    doctor_apart("driver", look_at_drivers, NULL);
    if (!place)
        return;
    doctor_apart("search", look_for_layer, place);
    if (!mkdtemp(directory)) {
        verdict(VERDICT_ERROR, "instance", "was not tried: no files can be made in /tmp");
        return;
    }
    snprintf(findings, sizeof(findings), "%s/findings.jsonl", directory);
    const struct trial trial = {place, findings};
    doctor_apart("instance", try_layer, &trial);
    unlink(findings);
    rmdir(directory);
}
