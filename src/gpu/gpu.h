/* The GPU side checks what can only be known while shaders run. Shaders are changed when pipelines
 * and shader objects are created (spirv/instrument/instrument.h). Each command that runs them gives
 * them a pointer to a record (gpu/command/command.h). Their findings are read when work is known to
 * be done (gpu/device/drain.c). It is on with the settings gpuav_enable and printf_enable. */
#ifndef ASSAY_GPU_GPU_H
#define ASSAY_GPU_GPU_H

#include "objects/device.h"

extern const struct validator gpu_validator;

/* Add requests to the driver that the program does not make (gpu/device/create.c). */
void gpu_change_instance(struct instance *instance, VkInstanceCreateInfo *down);
void gpu_change_device(struct device *device, VkDeviceCreateInfo *down);

/* The bytes of push constants that the pointer of a command needs (src/gpu/pipeline/shader.c). */
#define GPU_PUSH_BYTES 8u
/* Bytes of the guard, which is pushed before the pointer for one driver (needs_guard() in the same
 * file). */
#define GPU_PUSH_GUARD_BYTES 4u
/* True if the program asked the layer to reserve its resources. They are subtracted from the limits
 * that it sees. */
bool gpu_reserves(const struct instance *instance);
void gpu_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits);

/* Takes or releases the locks of all devices, by step. Threads: chassis/fork.c. */
void gpu_devices_fork(enum fork_step step);

/* Begins aborts for a device with emulated extensions (chassis/emulated.h), after its dispatch
 * table has been loaded. Returns false if memory is out. */
bool aborts_begin(struct device *device) MUST_CHECK;
void aborts_end(struct device *device); /* the device may have no aborts */

/* Called when a call has returned VK_ERROR_DEVICE_LOST. */
void gpu_device_lost(struct call *call) COLD;

/* Reports the pending work of a lost device, and how far it came (gpu/device/device_lost.c). */
void gpu_tell_lost(const struct call *call) COLD;

/* The functions that free areas (gpu/device/areas.h) when objects are destroyed. */
extern const struct area_end gpu_areas[];

#endif
