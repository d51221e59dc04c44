/* Makes a program's instance and device. They have any version, any set of extensions that is
 * closed under what they need, and any features. Each feature is enabled through any of the
 * structures that have it. */
#include "valid.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* --- findings --- */

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *user)
{
    struct world *w = user;
    struct report *report = w->report;
    const char *id = data->pMessageIdName ? data->pMessageIdName : "";
    const char *text = data->pMessage ? data->pMessage : "";
    /* Settings speak once about what they cannot do. */
    if (!strncmp(id, "Loader", 6) || !strcmp(id, "VALIDATION-SETTINGS") ||
        !strncmp(id, "GPU-Assisted", 12) ||
        !strncmp(id, "UNASSIGNED-GPU-Assisted-Validation-", 35) || !strncmp(id, "ASSAY-Gpu", 9) ||
        !strncmp(id, "WARNING-", 8) || strstr(text, "[Vulkan-"))
        return VK_FALSE;
    if (w->options->print)
        printf("      FINDING: %s\n", text);
    if (report->told_count < TOLD_MOST) {
        struct told *told = &report->told[report->told_count];
        (void)snprintf(told->id, sizeof(told->id), "%s", id);
        (void)snprintf(told->text, sizeof(told->text), "%s", text);
        told->step = w->step;
        report->told_count++;
    }
    return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT valid_messenger_info(struct world *w)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = w};
}

static void world_needs(bool condition, const char *what)
{
    if (condition)
        return;
    (void)fprintf(stderr, "valid: %s\n", what);
    exit(EXIT_FAILURE);
}

/* --- extensions --- */

static enum extension extension_by_name(const char *name, size_t length)
{
    for (int i = 0; i < EXTENSION_COUNT; i++) {
        if (!strncmp(extension_info[i].name, name, length) && !extension_info[i].name[length])
            return (enum extension)i;
    }
    return EXTENSION_COUNT;
}

static bool term_holds(const struct world *w, const char *name, size_t length)
{
    if (!strncmp(name, "VK_VERSION_", 11))
        return w->version >= (uint32_t)((name[11] - '0') * 10 + name[13] - '0');
    enum extension extension = extension_by_name(name, length);
    return extension != EXTENSION_COUNT &&
           (w->extensions[extension] || w->instance_extensions[extension]);
}

static bool alternatives_hold(const struct world *w, const char **at);

static bool one_holds(const struct world *w, const char **at)
{
    if (**at == '(') {
        ++*at;
        bool holds = alternatives_hold(w, at);
        *at += **at == ')';
        return holds;
    }
    size_t length = strcspn(*at, "+,()");
    bool holds = term_holds(w, *at, length);
    *at += length;
    return holds;
}

/* "A,B+C": as they come, from left to right; the registry writes parentheses where it matters. */
static bool alternatives_hold(const struct world *w, const char **at)
{
    bool holds = one_holds(w, at);
    while (**at == '+' || **at == ',') {
        bool both = *(*at)++ == '+';
        bool next = one_holds(w, at);
        holds = both ? holds && next : holds || next;
    }
    return holds;
}

static bool needs_met(const struct world *w, enum extension extension)
{
    const char *at = extension_info[extension].depends;
    return !*at || alternatives_hold(w, &at);
}

static bool never_enabled(enum extension extension)
{
    switch (extension) {
    case EXTENSION_AMD_negative_viewport_height:
    case EXTENSION_EXT_buffer_device_address:
    case EXTENSION_AMD_shader_fragment_mask:
    case EXTENSION_KHR_shader_abort:     /* what aborts is not what this is about */
    case EXTENSION_EXT_validation_cache: /* the layer's own */
        return true;
    default:
        return false;
    }
}

/* Adds what an extension's text names, as far as the device has it. */
static bool add_needs(struct world *w, enum extension extension)
{
    bool added = false;
    for (const char *at = extension_info[extension].depends; *at;) {
        size_t length = strcspn(at, "+,()");
        enum extension other = length ? extension_by_name(at, length) : EXTENSION_COUNT;
        if (other != EXTENSION_COUNT && w->supported[other] && !w->extensions[other] &&
            !never_enabled(other)) {
            w->extensions[other] = true;
            added = true;
        }
        at += length ? length : 1;
    }
    return added;
}

static void close_extensions(struct world *w)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < EXTENSION_COUNT; i++) {
            if (w->extensions[i] && !needs_met(w, (enum extension)i))
                changed |= add_needs(w, (enum extension)i);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < EXTENSION_COUNT; i++) {
            if (w->extensions[i] && !needs_met(w, (enum extension)i)) {
                w->extensions[i] = false;
                changed = true;
            }
        }
    }
}

static uint32_t choose_extensions(struct world *w, const char **names)
{
    uint32_t mode = below(w, 10),
             share = mode < 4   ? 100
                     : mode < 9 ? between(w, 5, 95)
                                : 0,
             count = 0;
    for (int i = 0; i < EXTENSION_COUNT; i++)
        w->extensions[i] = w->supported[i] && chance(w, share) && !never_enabled((enum extension)i);
    close_extensions(w);
    for (int i = 0; i < EXTENSION_COUNT; i++) {
        if (w->extensions[i])
            names[count++] = extension_info[i].name;
    }
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = below(w, i);
        const char *name = names[i - 1];
        names[i - 1] = names[other];
        names[other] = name;
    }
    return count;
}

bool has_either(const struct world *w, uint32_t version, enum extension extension)
{
    return VERSION(version) || w->extensions[extension];
}

bool properties_of(struct world *w, void *chain)
{
    if (!VERSION(11))
        return false;
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = chain};
    OUTER(vkGetPhysicalDeviceProperties2, w->physical_device, &properties);
    return true;
}

/* --- features --- */

static bool structure_legal(const struct world *w, const struct feature_structure *structure)
{
    if (structure->version && w->version >= structure->version)
        return true;
    for (unsigned i = 0; i < structure->extension_count; i++) {
        if (w->extensions[structure->extensions[i]])
            return true;
    }
    return false;
}

static bool shares_a_member(const struct feature_structure *a, const struct feature_structure *b)
{
    for (unsigned i = 0; i < a->member_count; i++) {
        for (unsigned j = 0; j < b->member_count; j++) {
            if (a->members[i].feature == b->members[j].feature)
                return true;
        }
    }
    return false;
}

/* Turns features off that may be enabled only with something else, or not at all with it. */
static void mend_features(struct world *w)
{
    static const struct {
        uint16_t feature, needs;
    } needs[] = {
        {FEATURE_variablePointers, FEATURE_variablePointersStorageBuffer},
        {FEATURE_multiviewGeometryShader, FEATURE_multiview},
        {FEATURE_multiviewTessellationShader, FEATURE_multiview},
        {FEATURE_multiviewMeshShader, FEATURE_multiview},
        {FEATURE_primitiveFragmentShadingRateMeshShader, FEATURE_primitiveFragmentShadingRate},
        {FEATURE_rayTracingPipelineShaderGroupHandleCaptureReplayMixed,
         FEATURE_rayTracingPipelineShaderGroupHandleCaptureReplay},
        {FEATURE_robustBufferAccess2, FEATURE_robustBufferAccess},
        {FEATURE_sparseImageInt64Atomics, FEATURE_shaderImageInt64Atomics},
        {FEATURE_sparseImageFloat32Atomics, FEATURE_shaderImageFloat32Atomics},
        {FEATURE_sparseImageFloat32AtomicAdd, FEATURE_shaderImageFloat32AtomicAdd},
        {FEATURE_sparseImageFloat32AtomicMinMax, FEATURE_shaderImageFloat32AtomicMinMax},
        {FEATURE_geometryStreams, FEATURE_transformFeedback}, /* or its state cannot be set */
        {FEATURE_shadingRateImage, FEATURE_COUNT},
        {FEATURE_fragmentDensityMapNonSubsampledImages, FEATURE_fragmentDensityMap},
        {FEATURE_fragmentDensityMapDynamic, FEATURE_COUNT},
        /* needs a property with update-after-bind */
        {FEATURE_robustBufferAccess, FEATURE_COUNT},
        {FEATURE_multiviewPerViewViewports, FEATURE_COUNT}, /* asks for a viewport for each view */
    };
    /* Rates of fragments, or their density. */
    bool rates = ON(pipelineFragmentShadingRate) || ON(primitiveFragmentShadingRate) ||
                 ON(attachmentFragmentShadingRate);
    if (ON(fragmentDensityMap) && rates && chance(w, 70))
        w->features[FEATURE_fragmentDensityMap] = false;
    if (ON(fragmentDensityMap) && rates)
        w->features[FEATURE_pipelineFragmentShadingRate] =
            w->features[FEATURE_primitiveFragmentShadingRate] =
                w->features[FEATURE_attachmentFragmentShadingRate] = false;
    for (unsigned round = 0; round < 2; round++) {
        for (size_t i = 0; i < LENGTH(needs); i++) {
            if (needs[i].needs == FEATURE_COUNT || !w->features[needs[i].needs])
                w->features[needs[i].feature] = false;
        }
    }
}

/* Features that extensions ask for where they are enabled beside the version's structure. */
static void enable_with_extensions(struct world *w)
{
    for (uint32_t i = 0; i < features_of_extensions_count; i++) {
        if (w->extensions[features_of_extensions[i].extension])
            w->features[features_of_extensions[i].feature] = true;
    }
    w->features[FEATURE_shaderDrawParameters] |= HAS(KHR_shader_draw_parameters) && VERSION(12);
    w->features[FEATURE_pushDescriptor] |= HAS(KHR_push_descriptor) && VERSION(14);
}

static void *structure_fill(struct world *w, const struct feature_structure *structure,
                            bool with_type)
{
    uint8_t *memory = temporary(w, structure->size);
    if (with_type)
        ((VkBaseOutStructure *)(void *)memory)->sType = structure->type;
    for (unsigned i = 0; i < structure->member_count; i++) {
        VkBool32 on = w->features[structure->members[i].feature];
        memcpy(memory + structure->members[i].offset, &on, sizeof(on));
    }
    return memory;
}

static bool structure_wanted(const struct world *w, const struct feature_structure *structure)
{
    for (unsigned i = 0; i < structure->member_count; i++) {
        if (w->features[structure->members[i].feature])
            return true;
    }
    return false;
}

/* Finds the features that can be enabled at all, through the structures that are legal. */
static void query_features(struct world *w)
{
    void *chain = NULL;
    void *structures[FEATURE_STRUCTURE_COUNT] = {NULL};
    bool two =
        w->version >= 11 || w->instance_extensions[EXTENSION_KHR_get_physical_device_properties2];
    for (unsigned i = 1; two && i < FEATURE_STRUCTURE_COUNT; i++) {
        const struct feature_structure *structure = &feature_structures[i];
        if (!structure_legal(w, structure))
            continue;
        VkBaseOutStructure *base = structures[i] = structure_fill(w, structure, true);
        base->pNext = chain;
        chain = base;
    }
    VkPhysicalDeviceFeatures2 *features =
        NEW(VkPhysicalDeviceFeatures2, .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
            .pNext = chain);
    if (w->version >= 11) {
        OUTER(vkGetPhysicalDeviceFeatures2, w->physical_device, features);
    } else if (two) {
        PFN_vkGetPhysicalDeviceFeatures2KHR query = (PFN_vkGetPhysicalDeviceFeatures2KHR)
            vkGetInstanceProcAddr(w->instance, "vkGetPhysicalDeviceFeatures2KHR");
        query(w->physical_device, features);
    } else {
        OUTER(vkGetPhysicalDeviceFeatures, w->physical_device, &features->features);
    }
    structures[0] = &features->features;
    for (unsigned i = 0; i < FEATURE_STRUCTURE_COUNT; i++) {
        const struct feature_structure *structure = &feature_structures[i];
        for (unsigned j = 0; structures[i] && j < structure->member_count; j++) {
            VkBool32 on;
            memcpy(&on, (const char *)structures[i] + structure->members[j].offset, sizeof(on));
            w->features[structure->members[j].feature] |= on == VK_TRUE;
        }
    }
}

/* One structure for each feature that is enabled, in any order. */
static void *features_chain(struct world *w, const VkPhysicalDeviceFeatures **plain)
{
    bool used[FEATURE_STRUCTURE_COUNT] = {false};
    bool two =
        w->version >= 11 || w->instance_extensions[EXTENSION_KHR_get_physical_device_properties2];
    for (unsigned i = 1; i < FEATURE_STRUCTURE_COUNT; i++) {
        const struct feature_structure *structure = &feature_structures[i];
        used[i] = structure->of_version && structure_legal(w, structure) && chance(w, 50);
    }
    for (unsigned i = 1; two && i < FEATURE_STRUCTURE_COUNT; i++) {
        const struct feature_structure *structure = &feature_structures[i];
        if (structure->of_version || !structure_legal(w, structure))
            continue;
        bool taken = false;
        for (unsigned j = 1; j < FEATURE_STRUCTURE_COUNT; j++)
            taken |= used[j] && feature_structures[j].of_version &&
                     shares_a_member(structure, &feature_structures[j]);
        used[i] = !taken && (structure_wanted(w, structure) || chance(w, 5));
    }
    /* The features that only a version's structure has: they need it. */
    bool through[FEATURE_COUNT] = {false};
    for (unsigned i = 0; i < FEATURE_STRUCTURE_COUNT; i++) {
        for (unsigned j = 0; (i == 0 || used[i]) && j < feature_structures[i].member_count; j++)
            through[feature_structures[i].members[j].feature] = true;
    }
    for (uint32_t i = 0; i < features_of_extensions_count; i++) {
        if (w->extensions[features_of_extensions[i].extension])
            through[features_of_extensions[i].feature] = true;
    }
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        w->features[i] &= through[i];
    mend_features(w);
    void *chain = NULL;
    bool backwards = chance(w, 50);
    for (unsigned i = 1; i < FEATURE_STRUCTURE_COUNT; i++) {
        unsigned at = backwards ? FEATURE_STRUCTURE_COUNT - i : i;
        if (!used[at])
            continue;
        note(w, "features by %s", feature_structures[at].name);
        VkBaseOutStructure *base = structure_fill(w, &feature_structures[at], true);
        base->pNext = chain;
        chain = base;
    }
    VkPhysicalDeviceFeatures *old = structure_fill(w, &feature_structures[0], false);
    *plain = old;
    if (two && chance(w, 60)) {
        *plain = NULL;
        return NEW(VkPhysicalDeviceFeatures2, .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                   .pNext = chain, .features = *old);
    }
    return chain;
}

/* --- instance --- */

static const char *const settings_texts[SETTINGS_COUNT][2] = {
    {"false", "false"}, {"true", "false"}, {"false", "true"}, {"true", "true"}};

/* The null driver has a group of several devices in some instances; other drivers do not look at
 * its variable. */
static void configure_driver(struct world *w)
{
    static const char text[] = "{\"physicalDevices\": 3, \"deviceGroup\": true}";
    static char path[64];
    if (!*path) {
        if (getenv("ASSAY_NULL_DRIVER"))
            return;
        int file = memfd_create("null driver", 0);
        if (file < 0 || write(file, text, sizeof(text) - 1) < 0)
            return;
        (void)snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    }
    if (chance(w, 25))
        (void)setenv("ASSAY_NULL_DRIVER", path, 1);
    else
        (void)unsetenv("ASSAY_NULL_DRIVER");
}

static void find_group(struct world *w)
{
    VkPhysicalDeviceGroupProperties group = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
    uint32_t count = 1;
    w->group_size = 1;
    if (!VERSION(11) || OUTER(vkEnumeratePhysicalDeviceGroups, w->instance, &count, &group) < 0 ||
        !count || group.physicalDevices[0] != w->physical_device)
        return;
    w->group_size = group.physicalDeviceCount;
    memcpy(w->group, group.physicalDevices, sizeof(w->group));
}

void instance_create(struct world *w, uint64_t group)
{
    w->random = group * 0x632be59bd9b4e019ull + 1;
    bool khronos = strcmp(w->options->layer, "VK_LAYER_ASSAY_validation") != 0;
    w->settings =
        w->options->settings >= 0
            ? (enum settings)w->options->settings
            : (enum settings)PICK(SETTINGS_PLAIN, SETTINGS_PLAIN, SETTINGS_PLAIN, SETTINGS_SYNC,
                                  SETTINGS_SYNC, SETTINGS_GPU, SETTINGS_SYNC_GPU);
    (void)setenv(khronos ? "VK_KHRONOS_VALIDATION_VALIDATE_SYNC" : "VK_ASSAY_VALIDATE_SYNC",
                 settings_texts[w->settings][0], 1);
    (void)setenv(khronos ? "VK_KHRONOS_VALIDATION_GPUAV_ENABLE" : "VK_ASSAY_GPUAV_ENABLE",
                 settings_texts[w->settings][1], 1);
    bool handles = chance(w, 75);
    (void)setenv(khronos ? "VK_KHRONOS_VALIDATION_UNIQUE_HANDLES" : "VK_ASSAY_UNIQUE_HANDLES",
                 handles ? "true" : "false", 1);
    configure_driver(w);
    w->instance_version = PICK(10, 11, 12, 13, 13, 14, 14, 14, 14);
    uint32_t count = 0;
    world_needs(vkEnumerateInstanceExtensionProperties(NULL, &count, NULL) == VK_SUCCESS,
                "no instance extensions");
    VkExtensionProperties *there = NEW_ARRAY(VkExtensionProperties, count);
    (void)vkEnumerateInstanceExtensionProperties(NULL, &count, there);
    bool all = chance(w, 60);
    uint32_t version = w->version;
    w->version = w->instance_version;
    memset(w->instance_extensions, 0, sizeof(w->instance_extensions));
    for (uint32_t i = 0; i < count; i++) {
        enum extension extension =
            extension_by_name(there[i].extensionName, strlen(there[i].extensionName));
        if (extension != EXTENSION_COUNT)
            w->instance_extensions[extension] =
                all || extension == EXTENSION_EXT_debug_utils || chance(w, 50);
    }
    w->instance_extensions[EXTENSION_EXT_debug_report] = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < EXTENSION_COUNT; i++) {
            if (w->instance_extensions[i] && !needs_met(w, (enum extension)i)) {
                w->instance_extensions[i] = false;
                changed = true;
            }
        }
    }
    w->version = version;
    const char *names[EXTENSION_COUNT];
    uint32_t name_count = 0;
    for (int i = 0; i < EXTENSION_COUNT; i++) {
        if (w->instance_extensions[i])
            names[name_count++] = extension_info[i].name;
    }
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "valid",
                                     .apiVersion = VK_MAKE_API_VERSION(0, w->instance_version / 10,
                                                                       w->instance_version % 10,
                                                                       below(w, 3))};
    VkDebugUtilsMessengerCreateInfoEXT messenger = valid_messenger_info(w);
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = chance(w, 50) ? &messenger : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = 1,
                                 .ppEnabledLayerNames = &w->options->layer,
                                 .enabledExtensionCount = name_count,
                                 .ppEnabledExtensionNames = names};
    if (w->instance_extensions[EXTENSION_KHR_portability_enumeration] && chance(w, 50))
        info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    world_needs(OUTER(vkCreateInstance, &info, NULL, &w->instance) == VK_SUCCESS, "no instance");
    messenger.pNext = NULL;
    PFN_vkCreateDebugUtilsMessengerEXT create =
        (PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(w->instance,
                                                                  "vkCreateDebugUtilsMessengerEXT");
    world_needs(create && create(w->instance, &messenger, NULL, &w->messenger) == VK_SUCCESS,
                "no messenger");
    count = 1;
    world_needs(OUTER(vkEnumeratePhysicalDevices, w->instance, &count, &w->physical_device) >= 0 &&
                    count,
                "no physical device");
    OUTER(vkGetPhysicalDeviceProperties, w->physical_device, &w->properties);
    OUTER(vkGetPhysicalDeviceMemoryProperties, w->physical_device, &w->memory);
    uint32_t driver = VK_API_VERSION_MAJOR(w->properties.apiVersion) * 10 +
                      VK_API_VERSION_MINOR(w->properties.apiVersion);
    w->version = driver < w->instance_version ? driver : w->instance_version;
    find_group(w);
    w->software = w->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU &&
                  strstr(w->properties.deviceName, "llvmpipe");
    count = 0;
    (void)vkEnumerateDeviceExtensionProperties(w->physical_device, NULL, &count, NULL);
    there = NEW_ARRAY(VkExtensionProperties, count);
    (void)vkEnumerateDeviceExtensionProperties(w->physical_device, NULL, &count, there);
    memset(w->supported, 0, sizeof(w->supported));
    for (uint32_t i = 0; i < count; i++) {
        enum extension extension =
            extension_by_name(there[i].extensionName, strlen(there[i].extensionName));
        if (extension != EXTENSION_COUNT)
            w->supported[extension] = extension_info[extension].of_device;
    }
    if (!w->unreadable)
        w->unreadable = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void instance_destroy(struct world *w)
{
    PFN_vkDestroyDebugUtilsMessengerEXT destroy = (PFN_vkDestroyDebugUtilsMessengerEXT)
        vkGetInstanceProcAddr(w->instance, "vkDestroyDebugUtilsMessengerEXT");
    destroy(w->instance, w->messenger, NULL);
    OUTER(vkDestroyInstance, w->instance, NULL);
}

/* --- device --- */

static uint32_t choose_queues(struct world *w, VkDeviceQueueCreateInfo *infos)
{
    static const float priorities[] = {1.0f, 0.5f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
    VkQueueFamilyProperties families[16];
    uint32_t count = 16, used = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(w->physical_device, &count, families);
    w->queue_count = 0;
    w->video = (struct queue){VK_NULL_HANDLE};
    bool alone = chance(w, 25);
    for (uint32_t i = 0; i < count && w->queue_count < QUEUES_MOST; i++) {
        if ((i > 0 && alone) || families[i].queueFlags & ~(uint32_t)31 || (i > 0 && chance(w, 25)))
            continue;
        uint32_t queues = between(w, 1, families[i].queueCount < 2 ? families[i].queueCount : 2);
        infos[used++] =
            (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = i,
                                      .queueCount = queues,
                                      .pQueuePriorities = priorities};
        for (uint32_t j = 0; j < queues && w->queue_count < QUEUES_MOST; j++)
            w->queues[w->queue_count++] = (struct queue){VK_NULL_HANDLE,
                                                         i,
                                                         families[i].queueFlags,
                                                         families[i].timestampValidBits,
                                                         families[i].minImageTransferGranularity,
                                                         0};
        if (!ON(protectedMemory) || !(families[i].queueFlags & VK_QUEUE_PROTECTED_BIT) ||
            chance(w, 30) || queues == families[i].queueCount || w->queue_count == QUEUES_MOST)
            continue;
        infos[used] = infos[used - 1];
        infos[used].flags = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
        infos[used++].queueCount = 1;
        w->queues[w->queue_count] = w->queues[w->queue_count - 1];
        w->queues[w->queue_count++].created = VK_DEVICE_QUEUE_CREATE_PROTECTED_BIT;
    }
    for (uint32_t i = 0; HAS(KHR_video_queue) && i < count && !w->video.flags; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_VIDEO_DECODE_BIT_KHR) ||
            families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            continue;
        infos[used++] =
            (VkDeviceQueueCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                      .queueFamilyIndex = i,
                                      .queueCount = 1,
                                      .pQueuePriorities = priorities};
        w->video = (struct queue){VK_NULL_HANDLE, i, families[i].queueFlags, 0, {0, 0, 0}, 0};
    }
    return used;
}

/* The whole group, or a part of it, in any order. Addresses need a feature there. */
static void *chain_group(struct world *w, void *next)
{
    w->device_count = 1;
    if (!VERSION(11) ||
        ((ON(bufferDeviceAddress) || ON(accelerationStructure)) &&
         !ON(bufferDeviceAddressMultiDevice)) ||
        chance(w, 20))
        return next;
    VkPhysicalDevice *devices = NEW_ARRAY(VkPhysicalDevice, VK_MAX_DEVICE_GROUP_SIZE);
    memcpy(devices, w->group, sizeof(w->group));
    w->device_count = between(w, 1, w->group_size);
    if (w->device_count > 1 && chance(w, 50)) {
        devices[0] = w->group[1];
        devices[1] = w->group[0];
    }
    return NEW(VkDeviceGroupDeviceCreateInfo,
               .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO, .pNext = next,
               .physicalDeviceCount = w->device_count, .pPhysicalDevices = devices);
}

void device_create(struct world *w)
{
    memset(w->features, 0, sizeof(w->features));
    memset(w->procs, 0, sizeof(w->procs));
    const char *names[EXTENSION_COUNT];
    VkDeviceQueueCreateInfo queues[16];
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pQueueCreateInfos = queues,
                               .enabledExtensionCount = choose_extensions(w, names),
                               .ppEnabledExtensionNames = names};
    if (!info.enabledExtensionCount)
        info.ppEnabledExtensionNames = IGNORED;
    query_features(w);
    uint32_t mode = below(w, 10), share = mode < 5 ? 100 : mode < 9 ? between(w, 20, 95) : 0;
    for (unsigned i = 0; i < FEATURE_COUNT; i++)
        w->features[i] &= chance(w, share);
    enable_with_extensions(w);
    mend_features(w);
    const VkPhysicalDeviceFeatures *plain = NULL;
    info.pNext = features_chain(w, &plain);
    w->device_count = 1;
    if (w->group_size > 1)
        info.pNext = chain_group(w, (void *)(uintptr_t)info.pNext);
    info.pEnabledFeatures = plain;
    info.queueCreateInfoCount = choose_queues(w, queues);
    world_needs(OUTER(vkCreateDevice, w->physical_device, &info, NULL, &w->device) == VK_SUCCESS,
                "no device");
    uint32_t index[16] = {0};
    for (uint32_t i = 0; i < w->queue_count; i++) {
        struct queue *queue = &w->queues[i];
        uint32_t number = queue->created ? 0 : index[queue->family]++;
        VkDeviceQueueInfo2 of = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2,
                                 .flags = queue->created,
                                 .queueFamilyIndex = queue->family,
                                 .queueIndex = number};
        if (queue->created || (VERSION(11) && chance(w, 30)))
            CALL(GetDeviceQueue2, w->device, &of, &queue->handle);
        else
            CALL(GetDeviceQueue, w->device, queue->family, number, &queue->handle);
    }
    if (w->video.flags)
        CALL(GetDeviceQueue, w->device, w->video.family, 0, &w->video.handle);
    w->idle = true;
    w->fine_barriers = chance(w, 50);
}

void device_destroy(struct world *w)
{
    CALL(DestroyDevice, w->device, NULL);
    w->device = VK_NULL_HANDLE;
}
