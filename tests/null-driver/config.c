/* Reads the file that ASSAY_NULL_DRIVER names. Its keys are described in
 * tests/null-driver/README.md. */
#include "null_driver.h"
#include "defaults.h"

#include <yyjson.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being read. `failed` once anything in it was wrong; all mistakes are reported, not
 * only the first. */
struct reader {
    const char *path;
    struct config *config;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void complain(struct reader *reader,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "null driver: %s: ", reader->path);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    reader->failed = true;
}

/* --- members by name -------------------------------------------------------------------------- */

/* Converts one JSON value to one element of a member; false if it is of the wrong type. */
static bool element_convert(yyjson_val *value, enum value_kind kind, unsigned char *to)
{
    if (kind == VALUE_FLOAT) {
        float number = (float)yyjson_get_num(value);
        memcpy(to, &number, sizeof(number));
        return yyjson_is_num(value);
    }
    bool truth = yyjson_is_bool(value);
    uint64_t number = truth                   ? yyjson_get_bool(value)
                      : yyjson_is_sint(value) ? (uint64_t)yyjson_get_sint(value)
                                              : yyjson_get_uint(value);
    if (!truth && !yyjson_is_int(value))
        return false;
    if (kind == VALUE_U64) {
        memcpy(to, &number, sizeof(number));
    } else if (kind == VALUE_U32) {
        uint32_t narrow = (uint32_t)number;
        memcpy(to, &narrow, sizeof(narrow));
    } else {
        *to = (unsigned char)number;
    }
    return true;
}

static bool value_convert(yyjson_val *value, const struct out_member *member, unsigned char *bytes)
{
    if (member->kind == VALUE_STRING) {
        if (!yyjson_is_str(value) || yyjson_get_len(value) >= member->size)
            return false;
        memset(bytes, 0, member->size);
        memcpy(bytes, yyjson_get_str(value), yyjson_get_len(value));
        return true;
    }
    size_t element = member->size / member->count;
    if (member->count == 1)
        return element_convert(value, member->kind, bytes);
    if (!yyjson_is_arr(value) || yyjson_arr_size(value) != member->count)
        return false;
    for (size_t i = 0; i < member->count; i++) {
        if (!element_convert(yyjson_arr_get(value, i), member->kind, bytes + i * element))
            return false;
    }
    return true;
}

static void override_add(struct reader *reader, const struct out_struct *target,
                         const struct out_member *member, yyjson_val *value)
{
    struct config *config = reader->config;
    struct override override = {.target = target, .offset = member->offset, .size = member->size};
    if (member->kind == VALUE_OTHER || member->size > sizeof(override.bytes) ||
        !value_convert(value, member, override.bytes)) {
        complain(reader, "%s: the value does not fit the member", member->name);
        return;
    }
    struct override *grown =
        realloc(config->overrides, (config->override_count + 1) * sizeof(*grown));
    if (!grown) {
        complain(reader, "out of memory");
        return;
    }
    config->overrides = grown;
    grown[config->override_count++] = override;
}

/* Changes the member of that name in every structure of the kind; false if none has it. */
static bool override_everywhere(struct reader *reader, enum out_kind kind, const char *name,
                                yyjson_val *value)
{
    bool found = false;
    for (size_t i = 0; i < out_struct_count; i++) {
        const struct out_struct *structure = &out_structs[i];
        for (uint32_t j = 0; structure->kind == kind && j < structure->member_count; j++) {
            const struct out_member *member = &out_members[structure->first_member + j];
            if (strcmp(member->name, name) != 0)
                continue;
            override_add(reader, structure, member, value);
            found = true;
        }
    }
    return found;
}

/* Members of VkPhysicalDeviceProperties that are not in its limits. */
#define PROPERTY(name, kind, count)                     \
    {#name, offsetof(VkPhysicalDeviceProperties, name), \
     sizeof(((VkPhysicalDeviceProperties *)0)->name), kind, count}
#define SPARSE(name)                                                                       \
    {#name, offsetof(VkPhysicalDeviceProperties, sparseProperties.name), sizeof(VkBool32), \
     VALUE_U32, 1}
static const struct out_member core_properties[] = {
    PROPERTY(driverVersion, VALUE_U32, 1),
    PROPERTY(vendorID, VALUE_U32, 1),
    PROPERTY(deviceID, VALUE_U32, 1),
    PROPERTY(deviceType, VALUE_U32, 1),
    PROPERTY(deviceName, VALUE_STRING, VK_MAX_PHYSICAL_DEVICE_NAME_SIZE),
    PROPERTY(pipelineCacheUUID, VALUE_BYTES, VK_UUID_SIZE),
    SPARSE(residencyStandard2DBlockShape),
    SPARSE(residencyStandard2DMultisampleBlockShape),
    SPARSE(residencyStandard3DBlockShape),
    SPARSE(residencyAlignedMipSize),
    SPARSE(residencyNonResidentStrict),
};

/* Changes the member in place; false if the table does not have it. */
static bool change_in_place(struct reader *reader, const struct out_member *members, size_t count,
                            void *base, const char *name, yyjson_val *value)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(members[i].name, name) != 0)
            continue;
        if (!value_convert(value, &members[i], (unsigned char *)base + members[i].offset))
            complain(reader, "%s: the value does not fit the member", name);
        return true;
    }
    return false;
}

/* Changes the member `VkFoo.bar` of that structure alone, whatever its kind; false if there is
 * none. */
static bool override_one(struct reader *reader, const char *name, yyjson_val *value)
{
    const char *dot = strchr(name, '.');
    for (size_t i = 0; dot && i < out_struct_count; i++) {
        const struct out_struct *structure = &out_structs[i];
        if (strncmp(structure->name, name, (size_t)(dot - name)) != 0 ||
            structure->name[dot - name])
            continue;
        for (uint32_t j = 0; j < structure->member_count; j++) {
            const struct out_member *member = &out_members[structure->first_member + j];
            if (strcmp(member->name, dot + 1) != 0)
                continue;
            override_add(reader, structure, member, value);
            return true;
        }
    }
    return false;
}

static void read_property(struct reader *reader, const char *name, yyjson_val *value)
{
    VkPhysicalDeviceProperties *properties = &reader->config->properties;
    if (override_one(reader, name, value))
        return;
    bool found = change_in_place(reader, limit_members, limit_member_count, &properties->limits,
                                 name, value);
    found |= change_in_place(reader, core_properties,
                             sizeof(core_properties) / sizeof(core_properties[0]), properties, name,
                             value);
    found |= override_everywhere(reader, OUT_PROPERTIES, name, value);
    if (!found)
        complain(reader, "no limit or property is called %s", name);
}

static void read_feature(struct reader *reader, const char *name, yyjson_val *value)
{
    if (!yyjson_is_bool(value)) {
        complain(reader, "feature %s is not true or false", name);
        return;
    }
    size_t before = reader->config->override_count;
    if (!override_everywhere(reader, OUT_FEATURES, name, value)) {
        complain(reader, "no feature is called %s", name);
        return;
    }
    /* The features of Vulkan 1.0 stand in VkPhysicalDeviceFeatures too, which has no sType. */
    const struct out_struct *core = out_struct_find(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    for (size_t i = before; i < reader->config->override_count; i++) {
        const struct override *override = &reader->config->overrides[i];
        if (override->target == core)
            memcpy((char *)&reader->config->features +
                       (override->offset - offsetof(VkPhysicalDeviceFeatures2, features)),
                   override->bytes, override->size);
    }
}

/* --- the other keys --------------------------------------------------------------------------- */

static void read_extension(struct reader *reader, const char *name, yyjson_val *value)
{
    if (!yyjson_is_bool(value)) {
        complain(reader, "extension %s is not true or false", name);
        return;
    }
    if (yyjson_get_bool(value))
        return;
    struct config *config = reader->config;
    const char **grown = realloc(config->disabled_extensions,
                                 (config->disabled_extension_count + 1) * sizeof(*grown));
    char *copy = strdup(name);
    if (grown)
        config->disabled_extensions = grown;
    if (!grown || !copy) {
        free(copy);
        complain(reader, "out of memory");
        return;
    }
    grown[config->disabled_extension_count++] = copy;
}

static struct failure *failure_of(struct reader *reader, const char *name)
{
    struct config *config = reader->config;
    for (size_t i = 0; i < command_table_count; i++) {
        const struct command_entry *entry = &command_table[i];
        if (strcmp(entry->name, name) != 0)
            continue;
        if (!entry->failing && entry->command != COMMAND_CreateInstance) {
            complain(reader, "%s cannot fail", name);
            return NULL;
        }
        if (config->failures[entry->command] && config->failures[entry->command]->with_device)
            config->failures[entry->command]->with_device = false;
        if (!config->failures[entry->command]) {
            config->failures[entry->command] = calloc(1, sizeof(struct failure));
            if (config->failures[entry->command])
                config->failures[entry->command]->result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
        }
        if (!config->failures[entry->command])
            complain(reader, "out of memory");
        return config->failures[entry->command];
    }
    complain(reader, "no command is called %s", name);
    return NULL;
}

static void read_result(struct reader *reader, struct failure *failure, yyjson_val *value)
{
    const char *name = yyjson_get_str(value);
    for (size_t i = 0; name && i < result_name_count; i++) {
        if (strcmp(result_names[i].name, name) == 0) {
            failure->result = result_names[i].result;
            return;
        }
    }
    complain(reader, "%s is not a VkResult", name ? name : "(not a string)");
}

static void read_fail(struct reader *reader, const char *name, yyjson_val *value)
{
    struct failure *failure = failure_of(reader, name);
    if (!failure)
        return;
    yyjson_val *nulled = yyjson_obj_get(value, "null");
    read_result(reader, failure, yyjson_is_obj(value) ? yyjson_obj_get(value, "result") : value);
    if (!nulled)
        return;
    free(failure->nulled);
    failure->nulled = calloc(yyjson_arr_size(nulled) + 1, sizeof(*failure->nulled));
    if (!failure->nulled) {
        complain(reader, "out of memory");
        return;
    }
    failure->nulled_count = (uint32_t)yyjson_arr_size(nulled);
    for (uint32_t i = 0; i < failure->nulled_count; i++)
        failure->nulled[i] = (uint32_t)yyjson_get_uint(yyjson_arr_get(nulled, i));
}

static void read_fail_after(struct reader *reader, const char *name, yyjson_val *value)
{
    if (!yyjson_is_uint(value)) {
        complain(reader, "failAfter: %s is not a number of calls", name);
        return;
    }
    struct failure *failure = failure_of(reader, name);
    if (failure)
        atomic_store_explicit(&failure->remaining, (unsigned)yyjson_get_uint(value),
                              memory_order_relaxed);
}

static void read_crash(struct reader *reader, yyjson_val *names)
{
    yyjson_arr_iter names_left = yyjson_arr_iter_with(names);
    for (yyjson_val *name; (name = yyjson_arr_iter_next(&names_left));) {
        struct failure *failure =
            failure_of(reader, yyjson_is_str(name) ? yyjson_get_str(name) : "(not a string)");
        if (failure)
            failure->crashes = true;
    }
}

static void read_format(struct reader *reader, const char *number, yyjson_val *value)
{
    struct config *config = reader->config;
    if (config->format_change_count == MAX_FORMAT_CHANGES || !yyjson_is_uint(value)) {
        complain(reader, "withoutFormatFeatures: %s is not one of %d formats with a number", number,
                 MAX_FORMAT_CHANGES);
        return;
    }
    config->format_changes[config->format_change_count++] =
        (struct format_change){.format = (VkFormat)atoi(number), .without = yyjson_get_uint(value)};
}

static void read_each(struct reader *reader, yyjson_val *object,
                      void (*read)(struct reader *, const char *, yyjson_val *))
{
    size_t index, count;
    yyjson_val *key, *value;
    yyjson_obj_foreach(object, index, count, key, value) read(reader, yyjson_get_str(key), value);
}

static VkQueueFlags read_queue_flags(struct reader *reader, yyjson_val *value)
{
    static const struct {
        const char *name;
        VkQueueFlags flag;
    } names[] = {{"graphics", VK_QUEUE_GRAPHICS_BIT},
                 {"compute", VK_QUEUE_COMPUTE_BIT},
                 {"transfer", VK_QUEUE_TRANSFER_BIT},
                 {"sparse", VK_QUEUE_SPARSE_BINDING_BIT},
                 {"protected", VK_QUEUE_PROTECTED_BIT},
                 {"videoDecode", VK_QUEUE_VIDEO_DECODE_BIT_KHR},
                 {"videoEncode", VK_QUEUE_VIDEO_ENCODE_BIT_KHR},
                 {"opticalFlow", VK_QUEUE_OPTICAL_FLOW_BIT_NV},
                 {"dataGraph", VK_QUEUE_DATA_GRAPH_BIT_ARM}};
    if (yyjson_is_uint(value))
        return (VkQueueFlags)yyjson_get_uint(value);
    VkQueueFlags flags = 0;
    size_t index, count;
    yyjson_val *item;
    yyjson_arr_foreach(value, index, count, item)
    {
        VkQueueFlags flag = 0;
        for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
            if (yyjson_equals_str(item, names[i].name))
                flag = names[i].flag;
        }
        if (!flag)
            complain(reader, "%s is not a kind of queue",
                     yyjson_is_str(item) ? yyjson_get_str(item) : "(not a string)");
        flags |= flag;
    }
    return flags;
}

static void read_queue_families(struct reader *reader, yyjson_val *families)
{
    struct config *config = reader->config;
    size_t total = yyjson_arr_size(families);
    if (!total || total > MAX_QUEUE_FAMILIES) {
        complain(reader, "queueFamilies is no array of 1 to %d families", MAX_QUEUE_FAMILIES);
        return;
    }
    size_t index, count;
    yyjson_val *family;
    yyjson_arr_foreach(families, index, count, family)
    {
        VkQueueFamilyProperties *out = &config->queue_families[index];
        yyjson_val *queues = yyjson_obj_get(family, "count"),
                   *bits = yyjson_obj_get(family, "timestampValidBits"),
                   *granularity = yyjson_obj_get(family, "minImageTransferGranularity");
        *out = (VkQueueFamilyProperties){
            .queueFlags = read_queue_flags(reader, yyjson_obj_get(family, "flags")),
            .queueCount = queues ? (uint32_t)yyjson_get_uint(queues) : 1,
            .timestampValidBits = bits ? (uint32_t)yyjson_get_uint(bits) : 64,
            .minImageTransferGranularity = {1, 1, 1}};
        if (granularity)
            out->minImageTransferGranularity =
                (VkExtent3D){(uint32_t)yyjson_get_uint(yyjson_arr_get(granularity, 0)),
                             (uint32_t)yyjson_get_uint(yyjson_arr_get(granularity, 1)),
                             (uint32_t)yyjson_get_uint(yyjson_arr_get(granularity, 2))};
    }
    config->queue_family_count = (uint32_t)total;
}

static void read_api_version(struct reader *reader, const char *text)
{
    unsigned major = 0, minor = 0, patch = 0;
    if (!text || sscanf(text, "%u.%u.%u", &major, &minor, &patch) < 2) {
        complain(reader, "apiVersion is no \"major.minor.patch\"");
        return;
    }
    reader->config->api_version = VK_MAKE_API_VERSION(0, major, minor, patch);
    reader->config->properties.apiVersion = reader->config->api_version;
}

/* The commands that tell of a lost device. */
static const enum null_command telling_commands[] = {
    COMMAND_AcquireNextImage2KHR, COMMAND_AcquireNextImageKHR, COMMAND_DeviceWaitIdle,
    COMMAND_GetEventStatus,       COMMAND_GetFenceStatus,      COMMAND_GetQueryPoolResults,
    COMMAND_QueueBindSparse,      COMMAND_QueuePresentKHR,     COMMAND_QueueSubmit,
    COMMAND_QueueSubmit2,         COMMAND_QueueWaitIdle,       COMMAND_GetSemaphoreCounterValue,
    COMMAND_SignalSemaphore,      COMMAND_WaitForFences,       COMMAND_WaitSemaphores};

static void read_lose_device(struct reader *reader, yyjson_val *value)
{
    struct config *config = reader->config;
    config->loses_device = true;
    atomic_store_explicit(&config->submits_left, (unsigned)yyjson_get_uint(value),
                          memory_order_relaxed);
    for (size_t i = 0; i < sizeof(telling_commands) / sizeof(telling_commands[0]); i++) {
        struct failure **failure = &config->failures[telling_commands[i]];
        if (*failure)
            continue; /* it fails by itself */
        *failure = calloc(1, sizeof(**failure));
        if (*failure)
            **failure = (struct failure){.result = VK_ERROR_DEVICE_LOST, .with_device = true};
        else
            complain(reader, "out of memory");
    }
}

static void read_markers(struct reader *reader, yyjson_val *value)
{
    reader->config->has_markers = true;
    reader->config->markers_left = (unsigned)yyjson_get_uint(value);
}

/* Two digits a byte. */
static void read_abort_messages(struct reader *reader, const char *digits)
{
    struct config *config = reader->config;
    unsigned byte;
    for (config->abort_size = 0; digits && sscanf(digits, "%2x", &byte) == 1; digits += 2) {
        if (config->abort_size == sizeof(config->abort_messages) || !digits[1]) {
            complain(reader, "abortMessages: two digits for each of at most %zu bytes",
                     sizeof(config->abort_messages));
            return;
        }
        config->abort_messages[config->abort_size++] = (unsigned char)byte;
    }
}

static void read_root(struct reader *reader, const char *key, yyjson_val *value)
{
    if (strcmp(key, "apiVersion") == 0)
        read_api_version(reader, yyjson_get_str(value));
    else if (strcmp(key, "features") == 0)
        read_each(reader, value, read_feature);
    else if (strcmp(key, "limits") == 0 || strcmp(key, "properties") == 0)
        read_each(reader, value, read_property);
    else if (strcmp(key, "extensions") == 0)
        read_each(reader, value, read_extension);
    else if (strcmp(key, "queueFamilies") == 0)
        read_queue_families(reader, value);
    else if (strcmp(key, "fail") == 0)
        read_each(reader, value, read_fail);
    else if (strcmp(key, "failAfter") == 0)
        read_each(reader, value, read_fail_after);
    else if (strcmp(key, "crash") == 0 && yyjson_is_arr(value))
        read_crash(reader, value);
    else if (strcmp(key, "heapSize") == 0 && yyjson_is_uint(value))
        reader->config->heap_size = yyjson_get_uint(value);
    else if (strcmp(key, "hangTimeout") == 0 && yyjson_is_uint(value))
        reader->config->hang_timeout = (uint32_t)yyjson_get_uint(value);
    else if (strcmp(key, "loseDeviceAfter") == 0 && yyjson_is_uint(value))
        read_lose_device(reader, value);
    else if (strcmp(key, "markers") == 0 && yyjson_is_uint(value))
        read_markers(reader, value);
    else if (strcmp(key, "markersAhead") == 0 && yyjson_is_uint(value))
        reader->config->markers_ahead = (unsigned)yyjson_get_uint(value);
    else if (strcmp(key, "abortMessages") == 0 && yyjson_is_str(value))
        read_abort_messages(reader, yyjson_get_str(value));
    else if (strcmp(key, "checkHandles") == 0 && yyjson_is_bool(value))
        reader->config->check_handles = yyjson_get_bool(value);
    else if (strcmp(key, "withoutFormatFeatures") == 0)
        read_each(reader, value, read_format);
    else if (strcmp(key, "specialMemory") == 0 && yyjson_is_bool(value))
        reader->config->special_memory = yyjson_get_bool(value);
    else if (strcmp(key, "dedicated") == 0 && yyjson_is_bool(value))
        reader->config->dedicated = yyjson_get_bool(value);
    else if (strcmp(key, "plainSurfaces") == 0 && yyjson_is_bool(value))
        reader->config->plain_surfaces = yyjson_get_bool(value);
    else if (strcmp(key, "portability") == 0 && yyjson_is_bool(value))
        reader->config->portability = yyjson_get_bool(value);
    else if (strcmp(key, "listFormats") == 0 && yyjson_is_bool(value))
        reader->config->list_formats = yyjson_get_bool(value);
    else if (strcmp(key, "reorderPlanes") == 0 && yyjson_is_bool(value))
        reader->config->reorder_planes = yyjson_get_bool(value);
    else if (strcmp(key, "presentation") == 0 && yyjson_is_bool(value))
        reader->config->no_presentation = !yyjson_get_bool(value);
    else if (strcmp(key, "windowsGo") == 0 && yyjson_is_bool(value))
        reader->config->windows_go = yyjson_get_bool(value);
    else if (strcmp(key, "deviceGroup") == 0 && yyjson_is_bool(value))
        reader->config->device_group = yyjson_get_bool(value);
    else if (strcmp(key, "multiInstance") == 0 && yyjson_is_bool(value))
        reader->config->multi_instance = yyjson_get_bool(value);
    else if (strcmp(key, "deferOperations") == 0 && yyjson_is_bool(value))
        reader->config->defer_operations = yyjson_get_bool(value);
    else if (strcmp(key, "operationsRun") == 0 && yyjson_is_bool(value))
        reader->config->operations_run = yyjson_get_bool(value);
    else if (strcmp(key, "buildSize") == 0 && yyjson_is_uint(value))
        reader->config->build_size = (uint32_t)yyjson_get_uint(value);
    else if (strcmp(key, "videoMemory") == 0 && yyjson_is_uint(value))
        reader->config->video_memory = (uint32_t)yyjson_get_uint(value);
    else if (strcmp(key, "physicalDevices") == 0 &&
             yyjson_get_uint(value) <= MAX_PHYSICAL_DEVICES && yyjson_is_uint(value))
        reader->config->physical_device_count = (uint32_t)yyjson_get_uint(value);
    else
        complain(reader, "%s: unknown key, or a value that it cannot have", key);
}

/* --- loading ---------------------------------------------------------------------------------- */

static void config_defaults(struct config *config)
{
    config->api_version = VK_HEADER_VERSION_COMPLETE;
    config->physical_device_count = 1;
    config->video_memory = 1;
    config->heap_size = DEFAULT_HEAP_SIZE;
    config->queue_family_count = sizeof(default_queue_families) / sizeof(default_queue_families[0]);
    memcpy(config->queue_families, default_queue_families, sizeof(default_queue_families));
    config->properties = (VkPhysicalDeviceProperties){
        .apiVersion = config->api_version,
        .driverVersion = 1,
        .vendorID = VK_VENDOR_ID_MESA,
        .deviceID = 0x6e75,
        .deviceType = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU,
        .deviceName = "Assay null driver",
        .pipelineCacheUUID = "assay-null-cach",
        .limits = default_limits,
        .sparseProperties = {VK_TRUE, VK_TRUE, VK_TRUE, VK_FALSE, VK_TRUE}};
    VkBool32 *features = (VkBool32 *)&config->features;
    for (size_t i = 0; i < sizeof(config->features) / sizeof(VkBool32); i++)
        features[i] = VK_TRUE;
}

struct config *config_load(void)
{
    struct config *config = calloc(1, sizeof(*config));
    if (!config)
        return NULL;
    config_defaults(config);
    struct reader reader = {.path = getenv("ASSAY_NULL_DRIVER"), .config = config};
    if (!reader.path || !reader.path[0])
        return config;
    yyjson_read_err error;
    yyjson_doc *document =
        yyjson_read_file(reader.path,
                         YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS, NULL,
                         &error);
    if (!document)
        complain(&reader, "%s (at byte %zu)", error.msg, error.pos);
    else if (!yyjson_is_obj(yyjson_doc_get_root(document)))
        complain(&reader, "is not an object");
    else
        read_each(&reader, yyjson_doc_get_root(document), read_root);
    yyjson_doc_free(document);
    if (!reader.failed)
        return config;
    config_free(config);
    return NULL;
}

void config_free(struct config *config)
{
    if (!config)
        return;
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (config->failures[i])
            free(config->failures[i]->nulled);
        free(config->failures[i]);
    }
    for (size_t i = 0; i < config->disabled_extension_count; i++)
        free((char *)config->disabled_extensions[i]);
    free(config->disabled_extensions);
    free(config->overrides);
    free(config);
}

bool config_has_extension(const struct config *config, const char *name)
{
    for (size_t i = 0; config && i < config->disabled_extension_count; i++) {
        if (strcmp(config->disabled_extensions[i], name) == 0)
            return false;
    }
    return true;
}
