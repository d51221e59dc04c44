/* Instances and devices begin and end. */
#ifndef ASSAY_CHASSIS_CREATE_H
#define ASSAY_CHASSIS_CREATE_H

#include "objects/device.h"

/* From now on a fork leaves no lock of the layer taken in the child: the threads that would release
 * it do not exist there. Threads: any. */
void fork_prepare(void);

/* Selects the validators that the settings switch on, in the order in which they run: the state
 * tracker first. There are at most VALIDATOR_LIMIT. Returns how many. */
uint32_t validators_select(const struct settings *settings,
                           const struct validator *chosen[VALIDATOR_LIMIT]);

/* Selects the validators of a device from those of its instance. Validators are left out that are
 * only there for features which the device does not enable. The features have been read. */
uint32_t validators_select_for_device(const struct device *device,
                                      const struct validator *chosen[VALIDATOR_LIMIT]);

/* Forgets a device and its objects, as its instance is destroyed before it. From then on the device
 * cannot be used. For object_for_each_device. */
void device_abandon(struct object *device, void *context);

/* Validators take something of the device's limits for themselves, as the program has asked for. */
void validators_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits);

/* The device's dispatch table has been loaded: what stands in the driver's place is put into it.
 * False: memory is out. */
bool validators_begin_device(struct device *device) MUST_CHECK;
/* The device is about to be freed. It may not have begun. */
void validators_end_device(struct device *device);

/* Take the locks of validators and of the state tracker, or let go of them: those that are held
 * while handles are looked up or memory is retired, and those that are not. Threads:
 * chassis/fork.c. */
void validators_fork(enum fork_step step);
void validators_fork_leaves(enum fork_step step);

/* Frees what rooms keep at an object; object_release calls it (object.h). */
void validators_destroy_state(struct object *object, enum handle_type type);

/* Says which features or extensions were not present, where that is why vkCreateDevice (`call`,
 * with its result) failed; `info` is what went down. */
void device_tell_missing(const struct call *call, VkPhysicalDevice physical_device,
                         const VkDeviceCreateInfo *info);

#endif
