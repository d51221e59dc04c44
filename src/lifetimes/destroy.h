/* Checks the end of an object: the allocator that it was created with, and that a device or
 * instance has no objects left. Threads: that of the call. Fields of other objects are read as
 * their own comments allow. */
#ifndef ASSAY_LIFETIMES_DESTROY_H
#define ASSAY_LIFETIMES_DESTROY_H

#include "lifetimes/handle.h"

extern const bool lifetimes_leakable[HANDLE_TYPE_COUNT]; /* generated */

/* Reports an object that was created with callbacks and is destroyed without (rule `with`), or the
 * other way round (rule `without`). The layer cannot see whether two sets of callbacks are
 * compatible. */
bool lifetimes_allocator(struct call *call, uint64_t handle, enum handle_type type,
                         bool has_allocator, enum vuid with, enum vuid without);

/* Reports that the program destroys an image of a swapchain, which only the swapchain may destroy.
 * The call then does not reach the driver. */
bool lifetimes_swapchain_image(struct call *call, uint64_t image);

/* Reports the objects of the call's device, or instance, that are alive and that the program should
 * have destroyed first. */
bool lifetimes_device_leaks(struct call *call);
bool lifetimes_instance_leaks(struct call *call);

#endif
