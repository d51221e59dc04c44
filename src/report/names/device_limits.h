/* Limits and properties of a physical device by name, for messages: "maxPushConstantsSize (128)".
 */
#ifndef ASSAY_REPORT_DEVICE_LIMITS_H
#define ASSAY_REPORT_DEVICE_LIMITS_H

#include "report/names/structures.h"
#include "objects/device.h"

/* A member of VkPhysicalDeviceLimits or of another structure of properties. */
struct limit {
    enum structure structure;
    const struct member_info *member; /* NULL: there is no limit with the name */
};

/* Finds a limit by the member's name alone ("maxImageDimension2D"), or with its structure's
 * ("VkPhysicalDeviceLimits::maxImageDimension2D"). If several structures have the name,
 * VkPhysicalDeviceLimits is taken, else the structure without a vendor's suffix. */
struct limit limit_find(const char *name);

/* Returns how values of the limit compare: LIMIT_MAX means that a device offers at most that
 * much. */
enum limit_type limit_type(struct limit limit);
/* Returns the specification's word for a type of limit: "min", "max", "bitmask" ... */
const char *limit_type_name(enum limit_type type);

/* Writes the limit's value from the structure that has it, in the form of structure_write(). */
void limit_write_value(struct string_builder *builder, struct limit limit, const void *structure);

/* Writes "maxPushConstantsSize (128)" with the value of this device; only the name, if the value
 * cannot be queried. Threads: any. */
void limit_write(struct string_builder *builder, const struct device *device, const char *name);

#endif
