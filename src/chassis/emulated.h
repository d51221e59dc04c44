/* Implements device extensions that the driver lacks (setting shader_abort). These are
 * VK_KHR_shader_abort and its dependencies VK_KHR_shader_constant_data and VK_KHR_device_fault.
 * Unlike the extensions of offered.h, they are present or not for each physical device.
 *
 * Other rooms and the layers above see them as the driver's, since functions of the layer replace
 * the driver's in the dispatch tables. The functions of a device (device loss, faults, messages)
 * are in gpu/abort/abort.h. Threads: those of vkCreateInstance, vkCreateDevice and of queries;
 * nothing changes later. */
#ifndef ASSAY_CHASSIS_EMULATED_H
#define ASSAY_CHASSIS_EMULATED_H

#include "base/base.h"
#include "objects/device.h"

#include <stdint.h>

/* Called when the instance's dispatch table has been loaded: replaces functions in it. */
void emulated_instance_begin(struct instance *instance);

/* Returns bits of enum emulated: extensions that `info` names and the driver must not see. */
uint32_t emulated_of_device(const struct instance *instance, VkPhysicalDevice physical_device,
                            const VkDeviceCreateInfo *info);

/* Removes the names and feature structures of these extensions from `down`. Copies are in scratch
 * memory. Returns false if memory is out. */
bool emulated_leave_out(uint32_t emulated, VkDeviceCreateInfo *down) MUST_CHECK;

#endif
