/* Declares what the beginning and end of instances and devices need: the choice of validators,
 * forks, and state that is freed. */
#ifndef ASSAY_CHASSIS_CREATE_H
#define ASSAY_CHASSIS_CREATE_H

#include "objects/device.h"

/* Registers fork handlers, so that no lock of the layer stays taken in the child of a later fork.
 * (The threads that would release it do not exist there.) Threads: any. */
void fork_prepare(void);

/* Selects the validators that the settings switch on, in the order in which they run: the state
 * tracker first. Returns how many there are, at most VALIDATOR_LIMIT. */
uint32_t validators_select(const struct settings *settings,
                           const struct validator *chosen[VALIDATOR_LIMIT]);

/* Selects the validators of a device from those of its instance. It leaves out validators of
 * features that the device does not enable. The caller has read the features. */
uint32_t validators_select_for_device(const struct device *device,
                                      const struct validator *chosen[VALIDATOR_LIMIT]);

/* Forgets a device and its objects because its instance is destroyed first. After that the device
 * cannot be used. It is called by object_for_each_device(). */
void device_abandon(struct object *device, void *context);

/* Lowers the limits that the program sees, if a setting makes a validator use part of them. */
void validators_reserve_limits(const struct instance *instance, VkPhysicalDeviceLimits *limits);

/* Called when the device's dispatch table has been loaded. Puts the layer's replacements for
 * functions of the driver into it. Returns false if memory is out. */
bool validators_begin_device(struct device *device) MUST_CHECK;
/* Called when the device is about to be freed. validators_begin_device() may not have been
 * called. */
void validators_end_device(struct device *device);

/* Take or release the locks of validators and of the state tracker. The first function has the
 * locks that are held while handles are looked up or memory is retired; the second has the others.
 * Threads: chassis/fork.c. */
void validators_fork(enum fork_step step);
void validators_fork_leaves(enum fork_step step);

/* Frees the state that validators and the state tracker keep with an object. object_release() calls
 * it (objects/object.h). */
void validators_destroy_state(struct object *object, enum handle_type type);

/* Reports the features or extensions that were not present, if vkCreateDevice (`call`, with its
 * result) failed for that reason. `info` is the structure that the driver was given. */
void device_tell_missing(const struct call *call, VkPhysicalDevice physical_device,
                         const VkDeviceCreateInfo *info);

#endif
