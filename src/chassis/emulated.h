/* Device extensions that the layer stands in for where the driver lacks them: VK_KHR_shader_abort,
 * and VK_KHR_shader_constant_data and VK_KHR_device_fault, which it depends on (setting
 * shader_abort). Unlike those of offered.h they are there or not by physical device. To all rooms
 * and layers above it looks as if the driver had them. The functions of the dispatch tables that
 * answer for them are the layer's. What stands for a device's (device loss, faults, messages) is in
 * gpu/abort/abort.h.
 * Threads: those of vkCreateInstance, vkCreateDevice and of queries; nothing changes later. */
#ifndef ASSAY_CHASSIS_EMULATED_H
#define ASSAY_CHASSIS_EMULATED_H

#include "base/base.h"
#include "objects/device.h"

#include <stdint.h>

/* The instance's dispatch table has been loaded. */
void emulated_instance_begin(struct instance *instance);

/* Returns bits of enum emulated: extensions that `info` names and the driver must not see. */
uint32_t emulated_of_device(const struct instance *instance, VkPhysicalDevice physical_device,
                            const VkDeviceCreateInfo *info);

/* Takes their names and feature structures out of `down`. False: memory is out. Copies are in
 * scratch memory. */
bool emulated_leave_out(uint32_t emulated, VkDeviceCreateInfo *down) MUST_CHECK;

#endif
