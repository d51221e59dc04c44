/* A profile is what a device has: features, properties, limits and extensions. A file, a version of
 * Vulkan or a device of this machine says so. */
#ifndef ASSAY_TOOL_DEVICE_PROFILE_H
#define ASSAY_TOOL_DEVICE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

enum member_kind { MEMBER_OTHER, MEMBER_U32, MEMBER_U64, MEMBER_FLOAT };

struct device_member {
    const char *name;
    uint32_t offset, size;
    enum member_kind kind;
    uint32_t count; /* elements of an array */
};

/* A structure that extends VkPhysicalDeviceFeatures2 or VkPhysicalDeviceProperties2, or one of
 * these two. */
struct device_structure {
    const char *name;
    const void *defaults; /* of a generous device; NULL: zeros */
    const struct device_member *members;
    size_t size;
    VkStructureType type;
    uint32_t member_count;
    bool features;
};

/* Generated: sorted by the value of `type`. */
extern const struct device_structure device_structures[];
extern const size_t device_structure_count;
extern const struct device_member device_limits[]; /* of VkPhysicalDeviceLimits */
extern const size_t device_limit_count;

struct device_profile {
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE + 64]; /* for people */
    VkPhysicalDeviceProperties properties;            /* with the version and the limits */
    /* owned; as device_structures. Its features are those that the device has. NULL: it has no such
     * structure */
    void **structures;
    char **extensions; /* owned; of the device */
    uint32_t extension_count;
};

/* A device of that version, with every feature that it can have, no extension, and limits that no
 * shader reaches. */
bool profile_of_version(struct device_profile *profile, uint32_t version);
/* A file of JSON as `vulkaninfo --json` and the makers of profiles write them. False: what is wrong
 * has been reported. */
bool profile_of_file(struct device_profile *profile, const char *path);
/* A device of this machine: the first one, or that of which the name has `name` in it. False:
 * likewise. */
bool profile_of_machine(struct device_profile *profile, const char *name);
void profile_free(struct device_profile *profile);

/* NULL: the profile does not have the structure. */
void *profile_structure(const struct device_profile *profile, VkStructureType type);

#endif
