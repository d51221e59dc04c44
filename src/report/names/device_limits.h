/* Limits and properties of a physical device by name, for messages: "maxPushConstantsSize (128)".
 */
#ifndef ASSAY_REPORT_DEVICE_LIMITS_H
#define ASSAY_REPORT_DEVICE_LIMITS_H

#include "report/names/structures.h"
#include "objects/device.h"

/* A member of VkPhysicalDeviceLimits or of another structure of properties. */
struct limit {
    enum structure structure;
    const struct member_info *member; /* NULL: there is no limit of the name */
};

/* By the member's name alone ("maxImageDimension2D"), or with its structure's
 * ("VkPhysicalDeviceLimits::maxImageDimension2D"). Of several that a name alone could mean,
 * VkPhysicalDeviceLimits' and then the one without a vendor's suffix wins. */
struct limit limit_find(const char *name);

/* How values of it compare: LIMIT_MAX means that a device offers at most that much. */
enum limit_type limit_type(struct limit limit);
/* The word that the specification has for it: "min", "max", "bitmask" ... */
const char *limit_type_name(enum limit_type type);

/* Adds the value out of a structure that holds it, as structure_write would. */
void limit_write_value(struct string_builder *builder, struct limit limit, const void *structure);

/* Adds "maxPushConstantsSize (128)" for this device; the name alone where its value cannot be asked
 * for. Threads: any. */
void limit_write(struct string_builder *builder, const struct device *device, const char *name);

#endif
