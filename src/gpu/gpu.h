/* The GPU side: what can only be known while shaders run. Shaders are changed when pipelines and
 * shader objects are created (spirv/instrument/instrument.h). Each command that runs them hands
 * them a pointer to what they need (gpu/command/command.h). What they found is read when work is
 * known to be done (gpu/device/drain.c). On with the settings gpuav_enable and printf_enable. */
#ifndef ASSAY_GPU_GPU_H
#define ASSAY_GPU_GPU_H

#include "objects/device.h"

extern const struct validator gpu_validator;

/* Adds what is asked of the driver beyond what the program asks for (gpu/device/create.c). */
void gpu_change_instance(struct instance *instance, VkInstanceCreateInfo *down);
void gpu_change_device(struct device *device, VkDeviceCreateInfo *down);

/* The bytes of push constants that the pointer of a command needs (src/gpu/pipeline/shader.c). */
#define GPU_PUSH_BYTES 8u
/* Bytes of the guard, which is pushed before the pointer for one driver (needs_guard() in the same
 * file). */
#define GPU_PUSH_GUARD_BYTES 4u
/* True if the program asked to have reserved for this layer what it needs. Takes that off the
 * limits. */
bool gpu_reserves(const struct instance *instance);
void gpu_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits);

/* Takes the locks of all devices, and lets go of them. Threads: chassis/fork.c. */
void gpu_devices_fork(enum fork_step step);

/* For a device that has extensions which are emulated (chassis/emulated.h): its dispatch table has
 * been loaded. False: memory is out. */
bool aborts_begin(struct device *device) MUST_CHECK;
void aborts_end(struct device *device); /* the device may have no aborts */

/* The call has been answered with VK_ERROR_DEVICE_LOST. */
void gpu_device_lost(struct call *call) COLD;

/* Tells what a lost device had been given to do, and how far it came (gpu/device/device_lost.c). */
void gpu_tell_lost(const struct call *call) COLD;

/* Says what becomes of areas (gpu/device/areas.h) when objects go. */
extern const struct area_end gpu_areas[];

#endif
