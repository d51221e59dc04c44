/* The instance and the device as the layer keeps them: the dispatch tables below, and the hooks of
 * the validators. They also have what every room needs of them (version, extensions, features,
 * properties). Each VkInstance or VkDevice has one, found by the dispatchable handle's object. */
#ifndef ASSAY_OBJECTS_DEVICE_H
#define ASSAY_OBJECTS_DEVICE_H

#include "objects/area.h"
#include "objects/call.h"
/* generated: struct instance_dispatch, struct device_dispatch */
#include "objects/validator.h" /* generated: struct validator */
#include "settings/settings.h"
#include "vk/device_features.h"   /* generated: enum feature, struct feature_set */
#include "vk/device_properties.h" /* generated: struct device_properties */
#include "vk/dispatch_tables.h"
#include "vk/extensions.h" /* generated: enum extension, struct extension_set */

#include <vulkan/vk_layer.h>

struct reporter; /* report/finding/reporter.h: messengers, limits, names, sinks of one instance */

#define VALIDATOR_LIMIT 24

enum hook_phase { HOOK_VALIDATE, HOOK_BEFORE, HOOK_AFTER, HOOK_PHASES };

/* The hooks of the active validators for each command. The phases of a command are in one run, each
 * with a NULL at its end, so that a call walks straight through. The generated entry knows the
 * types. */
struct hook_table {
    void (**list[COMMAND_ROOT_COUNT])(void);
    void (**pool)(void); /* owned; contains the lists */
    /* a validator needs marks: commands mark the command buffer that they need for themselves
     * (chassis/mark.h) */
    bool marks;
    /* a validator needs command numbers: commands without hooks are counted, too
     * (chassis/recorded.h) */
    bool tells_numbers;
};

/* Extensions that the layer implements if the driver lacks them (chassis/emulated.h). */
enum emulated {
    EMULATED_SHADER_ABORT = 1 << 0,
    EMULATED_CONSTANT_DATA = 1 << 1,
    EMULATED_DEVICE_FAULT = 1 << 2,
};

/* The functions below that chassis/emulated.c replaces. NULL members: this instance emulates
 * nothing. */
struct emulated_below {
    PFN_vkEnumerateDeviceExtensionProperties EnumerateDeviceExtensionProperties;
    PFN_vkGetPhysicalDeviceFeatures2 GetPhysicalDeviceFeatures2;
    PFN_vkGetPhysicalDeviceProperties2 GetPhysicalDeviceProperties2;
};

/* Threads: vkCreateInstance writes all fields before the handle is published. They do not change
 * after that, except for those with a note. */
struct instance {
    VkInstance handle;
    struct object *object;
    union {
        struct {
            uint16_t owner; /* index in the table of owners */
            bool wrap_handles;
        };
        uint64_t origin; /* the word that calls begin with (struct call); its other bytes are 0 */
    };
    uint32_t api_version; /* the version that the program asked for; 0 was read as 1.0 */
    struct instance_dispatch dispatch;
    /* enabled extensions, with the extensions that the enabled version includes */
    struct extension_set extensions;
    struct hook_table hooks;
    const struct validator *validators[VALIDATOR_LIMIT];
    uint32_t validator_count;
    struct settings settings;
    struct emulated_below below; /* chassis/emulated.h */
    struct reporter *reporter;
    char *application_name; /* owned; NULL when the program gave none */
    char *engine_name;      /* owned; NULL when the program gave none */
};

/* Threads: as for struct instance. */
struct device {
    VkDevice handle;
    struct object *object;
    struct instance *instance;
    union {
        struct {
            uint16_t owner;
            bool wrap_handles;
        };
        uint64_t origin; /* as in struct instance */
    };
    uint32_t api_version; /* the lesser of the instance's version and the physical device's */
    VkPhysicalDevice physical_device;
    PFN_vkSetDeviceLoaderData set_loader_data;
    PFN_vkGetDeviceProcAddr next_get_proc_addr;
    struct device_dispatch dispatch;
    struct extension_set extensions;
    /* extensions that the program has named, and extensions that these include; those that the
     * version includes are not among them */
    struct extension_set named_extensions;
    struct feature_set features; /* enabled at vkCreateDevice */
    struct hook_table hooks;
    const struct validator *validators[VALIDATOR_LIMIT];
    uint32_t validator_count;
    VkPhysicalDeviceProperties properties;
    /* properties of enabled extensions and of the version: device->extended.MultiviewProperties */
    struct device_properties extended;
    VkPhysicalDeviceMemoryProperties memory_properties;
    VkQueueFamilyProperties *queue_families; /* owned */
    uint32_t queue_family_count;
    VkQueueFlags queue_flags; /* of all families together */
    /* number of queues that the program created with the device, all families together */
    uint32_t queue_count;
    AREA_ROOM(56);
    const struct down_calls *down; /* NULL: all calls go to the driver as they are */
    _Atomic bool lost;             /* a command has returned VK_ERROR_DEVICE_LOST. Relaxed */
    /* bits of enum emulated: extensions of the program that the driver does not see. If not 0,
     * functions of the layer replace the driver's in the dispatch table */
    uint32_t emulated;
};

/* Owners: instances and devices by a 16-bit index, so that a slot can name its owner. Freed indices
 * are reused. The table has NULL when the owner is gone. Lock: internal. */
uint16_t owner_add(void *owner, bool is_device) MUST_CHECK; /* 0 when the table is full */
void owner_remove(uint16_t index);
uint32_t owner_end(void); /* one more than the largest index used so far */
/* 0 = free; the low bit marks a device. Lock-free */
extern HIDDEN _Atomic uintptr_t owner_table[UINT16_MAX + 1];
#define OWNER_IS_DEVICE ((uintptr_t)1)

/* Returns the device with this index. NULL when it is an instance's index. */
static inline struct device *owner_device(uint16_t index)
{
    uintptr_t owner = atomic_load_explicit(&owner_table[index], memory_order_acquire);
    return owner & OWNER_IS_DEVICE ? (struct device *)(owner - OWNER_IS_DEVICE) : NULL;
}

/* Returns the instance with this index, or the instance of the device with this index. */
static inline struct instance *owner_instance(uint16_t index)
{
    uintptr_t owner = atomic_load_explicit(&owner_table[index], memory_order_acquire);
    return owner & OWNER_IS_DEVICE ? ((struct device *)(owner - OWNER_IS_DEVICE))->instance
                                   : (struct instance *)owner;
}

/* For a dispatchable handle that the table does not know (destroyed, or never created): returns the
 * device whose dispatch table it has. NULL when there is no such device. */
struct device *device_by_dispatch_key(const void *dispatchable);
struct instance *instance_by_dispatch_key(const void *dispatchable);

/* Returns the live object of `type` that the program passed in a call on this device (or instance),
 * or NULL. Objects of another device also give NULL, unless `any_owner` is true. */
static inline struct object *device_find(const struct device *device, uint64_t handle,
                                         enum handle_type type)
{
    struct object *object = object_find(device->wrap_handles, handle, type, device->owner);
    return object && object->owner == device->owner ? object : NULL;
}

/* True if the program enabled the feature at vkCreateDevice. */
static inline bool device_has_feature(const struct device *device, enum feature feature)
{
    return feature_set_has(&device->features, feature);
}

/* True if the layers in a range of a 3D image can be slices of it (VkImageSubresourceRange: "If ...
 * maintenance9 ..."). The feature's structure may be chained without its extension, and then it
 * changes nothing. */
static inline bool device_has_slices(const struct device *device)
{
    return device_has_feature(device, FEATURE_maintenance9) &&
           extension_set_has(&device->extensions, EXTENSION_VK_KHR_maintenance9);
}

/* True if the device's shaders are changed for an extension that the driver does not see
 * (OpAbortKHR, OpConstantDataKHR). */
static inline bool emulated_lowers_shaders(const struct device *device)
{
    return ((device->emulated & EMULATED_SHADER_ABORT) &&
            device_has_feature(device, FEATURE_ShaderAbortFeaturesKHR_shaderAbort)) ||
           ((device->emulated & EMULATED_CONSTANT_DATA) &&
            device_has_feature(device, FEATURE_ShaderConstantDataFeaturesKHR_shaderConstantData));
}

/* Returns the device that owns a live object. The type must be one that devices own. */
static inline struct device *device_of(const struct object *object)
{
    uintptr_t owner = atomic_load_explicit(&owner_table[object->owner], memory_order_acquire);
    return (struct device *)(owner & ~OWNER_IS_DEVICE);
}

static_assert(offsetof(struct call, owner) - offsetof(struct call, origin) ==
                      offsetof(struct device, owner) - offsetof(struct device, origin) &&
                  offsetof(struct call, wraps) - offsetof(struct call, origin) ==
                      offsetof(struct device, wrap_handles) - offsetof(struct device, origin) &&
                  offsetof(struct device, wrap_handles) - offsetof(struct device, origin) ==
                      offsetof(struct instance, wrap_handles) - offsetof(struct instance, origin),
              "one word for all three");

/* Makes the call one on this device, or instance. */
static inline void call_set_device(struct call *call, struct device *device)
{
    call->device = device;
    call->instance = device->instance;
    call->origin = device->origin;
}

static inline void call_set_instance(struct call *call, struct instance *instance)
{
    call->instance = instance;
    call->origin = instance->origin;
}

/* True if the extension is enabled (or part of the enabled version) for this call. An instance's
 * version does not include a device's extensions. */
static inline bool call_has_extension(const struct call *call, enum extension extension)
{
    if (call->device && !extension_info[extension].instance)
        return extension_set_has(&call->device->extensions, extension);
    return call->instance && extension_set_has(&call->instance->extensions, extension);
}

static inline uint32_t call_api_version(const struct call *call)
{
    if (call->device)
        return call->device->api_version;
    return call->instance ? call->instance->api_version : VK_API_VERSION_1_0;
}

/* Conditions under which a structure's member is read. */
static inline bool device_lacks(const struct call *call, enum extension extension)
{
    return call->device && !extension_set_has(&call->device->extensions, extension);
}

static inline bool instance_lacks(const struct call *call, enum extension extension)
{
    return call->instance && !extension_set_has(&call->instance->extensions, extension);
}

#endif
