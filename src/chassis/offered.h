/* Declares the device extensions that the layer offers by itself: a device may enable them with any
 * driver, and the layer implements their commands.
 *
 * To offer another one, add its line to `offered_device_extensions` (offered.c), and its commands
 * to rules_settings.DEVICE_EXTENSIONS, for the manifest. (The loader reads the manifest for this,
 * and does not call the layer.) Add its commands to ANSWERED and DISPATCH_BY_HAND in rules_chassis.
 * Add its objects' types to offered_handle_type(), and the structures that hold such handles to
 * offered_structure(). Threads: any; what it declares is const. */
#ifndef ASSAY_CHASSIS_OFFERED_H
#define ASSAY_CHASSIS_OFFERED_H

#include "vk/handle_types.h"
#include "vk/vulkan.h"

#include <stdbool.h>
#include <stdint.h>

extern const VkExtensionProperties offered_device_extensions[];
extern const uint32_t offered_device_extension_count;

/* Writes to `kept`, of `count` elements, the names that go down: all except those of offered
 * extensions that nothing below lists. Returns how many there are. */
uint32_t offered_keep(const char *const *names, uint32_t count, const VkExtensionProperties *below,
                      uint32_t below_count, const char **kept);

/* True for types of objects that are unknown below the layer: calls about them must not go down. */
static inline bool offered_handle_type(enum handle_type type)
{
    return type == HANDLE_VALIDATION_CACHE_EXT;
}

/* True for a structure in a pNext chain that is meant for the layer. */
static inline bool offered_structure(VkStructureType type)
{
    return type == VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT;
}

#endif
