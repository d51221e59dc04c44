/* Describes a device by a profile: its features, properties, limits and extensions. A profile comes
 * from a file, a version of Vulkan, or a device of this machine. */
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
    const void *defaults; /* the values of a generous device; NULL: zeros */
    const struct device_member *members;
    size_t size;
    VkStructureType type;
    uint32_t member_count;
    bool features;
};

/* Generated: sorted by the value of `type`. */
extern const struct device_structure device_structures[];
extern const size_t device_structure_count;
extern const struct device_member device_limits[]; /* the members of VkPhysicalDeviceLimits */
extern const size_t device_limit_count;

struct device_profile {
    char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE + 64]; /* for people */
    VkPhysicalDeviceProperties properties;            /* with the version and the limits */
    /* owned; one for each of device_structures. NULL: the device does not have the structure */
    void **structures;
    char **extensions; /* owned; the device's extensions */
    uint32_t extension_count;
};

/* Makes the profile of a device of a version, with every feature of that version, no extensions,
 * and limits that no shader reaches. */
bool profile_of_version(struct device_profile *profile, uint32_t version);
/* Reads a JSON file in the form of `vulkaninfo --json` and of Vulkan profiles. Returns false on
 * failure, which has been reported. */
bool profile_of_file(struct device_profile *profile, const char *path);
/* Reads the profile of a device of this machine: of the first one, or of the first one with `name`
 * in its name. Returns false on failure, which has been reported. */
bool profile_of_machine(struct device_profile *profile, const char *name);
void profile_free(struct device_profile *profile);

/* Returns a structure of the profile; NULL: the profile does not have it. */
void *profile_structure(const struct device_profile *profile, VkStructureType type);

#endif
